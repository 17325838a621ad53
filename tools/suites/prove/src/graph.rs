//! Formulas as a graph of one-bit nodes, each of which exists once. Building a node simplifies it; a word is a list of bits.
//!
//! Every node also carries its value for [`PATTERNS`] assignments that are possible inputs, so that most questions of the kind
//! "can this bit be set here?" are answered by looking. Knows nothing of 6502 code or of solvers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Assignments that are carried along.
pub const PATTERNS: usize = LANES * 64;
/// Words of 64 of them.
pub const LANES: usize = 4;

/// The values of a bit for all carried assignments.
pub type Lanes = [u64; LANES];

/// A bit: a node of the graph, or its opposite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bit(u32);

/// A byte, low bit first.
pub type Byte = [Bit; 8];

impl Bit {
    /// Never.
    pub const FALSE: Bit = Bit(0);
    /// Always.
    pub const TRUE: Bit = Bit(1);
    /// No bit at all: what stands where nothing was written.
    pub(crate) const NONE: Bit = Bit(u32::MAX);

    /// From a node's place and sign in its own list.
    pub(crate) fn from_raw(raw: u32) -> Bit {
        Bit(raw)
    }

    /// A constant.
    pub fn of(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    /// The value of a constant.
    pub fn constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    /// The number of its node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the opposite of its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    fn positive(self) -> Bit {
        Bit(self.0 & !1)
    }

    fn negated_if(self, negate: bool) -> Bit {
        Bit(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;
    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// The function of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant.
    False,
    /// An unknown, by its number.
    Variable(u32),
    /// Both.
    And(Bit, Bit),
    /// Exactly one.
    Xor(Bit, Bit),
    /// The second if the first, else the third.
    Mux(Bit, Bit, Bit),
    /// At least two of three: the carry of a full adder.
    Majority(Bit, Bit, Bit),
}

/// The graph.
pub struct Graph {
    nodes: Vec<Node>,
    index: HashMap<Node, u32, BuildHasherDefault<Mixer>>,
    lanes: Vec<Lanes>,
    /// The nodes of the variables by their number.
    variables: Vec<u32>,
}

/// A constant byte.
pub fn byte(value: u8) -> Byte {
    std::array::from_fn(|bit| Bit::of(value >> bit & 1 == 1))
}

/// The value of a constant byte.
pub fn known(byte: &Byte) -> Option<u8> {
    let mut value = 0;
    for (place, bit) in byte.iter().enumerate() {
        value |= u8::from(bit.constant()?) << place;
    }
    Some(value)
}

/// The value of a constant word of any length up to 64 bits.
pub fn known_word(word: &[Bit]) -> Option<u64> {
    let mut value = 0;
    for (place, bit) in word.iter().enumerate() {
        value |= u64::from(bit.constant()?) << place;
    }
    Some(value)
}

impl Default for Graph {
    fn default() -> Graph {
        Graph {
            nodes: vec![Node::False],
            index: HashMap::default(),
            lanes: vec![[0; LANES]],
            variables: Vec::new(),
        }
    }
}

impl Graph {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// The function of a node.
    pub fn get(&self, node: usize) -> Node {
        self.nodes[node]
    }

    /// A new variable with its values in the carried assignments.
    pub fn variable(&mut self, lanes: Lanes) -> Bit {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::Variable(self.variables.len() as u32));
        self.variables.push(node);
        self.lanes.push(lanes);
        Bit(node << 1)
    }

    /// The values of a bit in the carried assignments.
    pub fn lanes(&self, bit: Bit) -> Lanes {
        let lanes = self.lanes[bit.node()];
        if bit.is_negated() { lanes.map(|lane| !lane) } else { lanes }
    }

    fn make(&mut self, node: Node) -> Bit {
        if let Some(&known) = self.index.get(&node) {
            return Bit(known << 1);
        }
        let number = self.nodes.len() as u32;
        let value = self.compute(node);
        self.nodes.push(node);
        self.lanes.push(value);
        self.index.insert(node, number);
        Bit(number << 1)
    }

    fn compute(&self, node: Node) -> Lanes {
        match node {
            Node::False | Node::Variable(_) => [0; LANES],
            Node::And(a, b) => zip(self.lanes(a), self.lanes(b), |a, b| a & b),
            Node::Xor(a, b) => zip(self.lanes(a), self.lanes(b), |a, b| a ^ b),
            Node::Mux(c, t, e) => {
                let (c, t, e) = (self.lanes(c), self.lanes(t), self.lanes(e));
                std::array::from_fn(|i| c[i] & t[i] | !c[i] & e[i])
            }
            Node::Majority(a, b, c) => {
                let (a, b, c) = (self.lanes(a), self.lanes(b), self.lanes(c));
                std::array::from_fn(|i| a[i] & b[i] | c[i] & (a[i] | b[i]))
            }
        }
    }

    /// Both.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        if a == Bit::FALSE || b == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        if b == Bit::TRUE {
            return a;
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Node::And(p, q) = self.nodes[other.node()] {
                if !other.is_negated() {
                    // a & (a & q) is a & q, and !a & (a & q) is nothing.
                    if one == p || one == q {
                        return other;
                    }
                    if one == !p || one == !q {
                        return Bit::FALSE;
                    }
                } else {
                    // a & !(a & q) is a & !q, and !a & !(a & q) is !a.
                    if one == p {
                        return self.and(one, !q);
                    }
                    if one == q {
                        return self.and(one, !p);
                    }
                    if one == !p || one == !q {
                        return one;
                    }
                }
            }
        }
        self.make(Node::And(a.min(b), a.max(b)))
    }

    /// At least one.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    /// Exactly one.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negate = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.positive(), b.positive());
        if a == b {
            return Bit::of(negate);
        }
        if a == Bit::FALSE {
            return b.negated_if(negate);
        }
        if b == Bit::FALSE {
            return a.negated_if(negate);
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Node::Xor(p, q) = self.nodes[other.node()] {
                if one == p {
                    return q.negated_if(negate);
                }
                if one == q {
                    return p.negated_if(negate);
                }
            }
        }
        self.make(Node::Xor(a.min(b), a.max(b))).negated_if(negate)
    }

    /// `t` if `c`, else `e`.
    pub fn mux(&mut self, c: Bit, t: Bit, e: Bit) -> Bit {
        let (c, t, e) = if c.is_negated() { (!c, e, t) } else { (c, t, e) };
        if c == Bit::FALSE {
            return e;
        }
        if t == e {
            return t;
        }
        if t == !e {
            return self.xor(c, e);
        }
        if t == Bit::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Bit::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == Bit::FALSE || e == c {
            return self.and(c, t);
        }
        if e == Bit::TRUE || e == !c {
            return self.or(!c, t);
        }
        // A choice that was made before is made.
        if let Node::Mux(inner, a, _) = self.nodes[t.node()]
            && inner == c
        {
            return self.mux(c, a.negated_if(t.is_negated()), e);
        }
        if let Node::Mux(inner, _, b) = self.nodes[e.node()]
            && inner == c
        {
            return self.mux(c, t, b.negated_if(e.is_negated()));
        }
        let negate = t.is_negated();
        self.make(Node::Mux(c, t.positive(), e.negated_if(negate))).negated_if(negate)
    }

    /// At least two of three.
    pub fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut all = [a, b, c];
        all.sort_unstable();
        let [a, b, c] = all;
        match (a.constant(), b.constant()) {
            (Some(false), _) => return self.and(b, c),
            (Some(true), _) => return self.or(b, c),
            _ => {}
        }
        if a == b || a == !c {
            return if a == b { a } else { b };
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let negate = a.is_negated();
        let all = all.map(|bit| bit.negated_if(negate));
        self.make(Node::Majority(all[0], all[1], all[2])).negated_if(negate)
    }

    /// All of them.
    pub fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::TRUE, |sum, bit| self.and(sum, bit))
    }

    // --- words, low bit first ----------------------------------------------------------------------------

    /// Bit by bit; the words are equally long.
    pub fn each(&mut self, a: &Byte, b: &Byte, f: fn(&mut Graph, Bit, Bit) -> Bit) -> Byte {
        std::array::from_fn(|i| f(self, a[i], b[i]))
    }

    /// `t` if `c`, else `e`.
    pub fn choose(&mut self, c: Bit, t: &Byte, e: &Byte) -> Byte {
        if t == e {
            return *t;
        }
        std::array::from_fn(|i| self.mux(c, t[i], e[i]))
    }

    /// The sum and the carry.
    pub fn add(&mut self, a: &[Bit], b: &[Bit], carry: Bit) -> (Vec<Bit>, Bit) {
        let mut carry = carry;
        let sum = a.iter().zip(b).map(|(&a, &b)| {
            let half = self.xor(a, b);
            let bit = self.xor(half, carry);
            carry = self.majority(a, b, carry);
            bit
        });
        let sum = sum.collect();
        (sum, carry)
    }

    /// The sum of bytes and the carry.
    pub fn add_bytes(&mut self, a: &Byte, b: &Byte, carry: Bit) -> (Byte, Bit) {
        let mut carry = carry;
        let sum = std::array::from_fn(|i| {
            let half = self.xor(a[i], b[i]);
            let bit = self.xor(half, carry);
            carry = self.majority(a[i], b[i], carry);
            bit
        });
        (sum, carry)
    }

    /// Whether all bits are clear.
    pub fn is_zero(&mut self, word: &[Bit]) -> Bit {
        let mut any = Bit::FALSE;
        for &bit in word {
            any = self.or(any, bit);
        }
        !any
    }

    /// Whether a word has this value.
    pub fn is_value(&mut self, word: &[Bit], value: u64) -> Bit {
        let mut all = Bit::TRUE;
        for (place, &bit) in word.iter().enumerate() {
            let bit = bit.negated_if(value >> place & 1 == 0);
            all = self.and(all, bit);
        }
        all
    }

    /// Whether two words are equal.
    pub fn is_equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let mut all = Bit::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            let same = !self.xor(a, b);
            all = self.and(all, same);
        }
        all
    }

    /// Whether the first is at most the second, both without sign.
    pub fn is_at_most(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        // a <= b: no borrow in b - a.
        let mut fits = Bit::TRUE;
        for (&a, &b) in a.iter().zip(b) {
            fits = self.majority(b, !a, fits);
        }
        fits
    }

    /// The entry at a place: entries beyond the end are never asked for. There is at least one.
    pub fn select(&mut self, place: &[Bit], entries: &[Byte]) -> Byte {
        let mut level: Vec<Byte> = entries.to_vec();
        for &bit in place {
            if level.len() == 1 {
                break;
            }
            let pairs = level.chunks(2).map(|pair| match pair {
                [low, high] => match bit.constant() {
                    Some(true) => *high,
                    Some(false) => *low,
                    None => self.choose(bit, high, low),
                },
                _ => pair[0],
            });
            level = pairs.collect();
        }
        level[0]
    }

    // --- questions ---------------------------------------------------------------------------------------

    /// The variables that bits are made of, by number.
    pub fn support(&self, bits: impl IntoIterator<Item = Bit>) -> Vec<u32> {
        let mut found = Vec::new();
        for node in self.cone(bits) {
            if let Node::Variable(number) = self.nodes[node as usize] {
                found.push(number);
            }
        }
        found
    }

    /// The nodes that bits are made of, each after what it needs.
    pub fn cone(&self, bits: impl IntoIterator<Item = Bit>) -> Vec<u32> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<u32> = bits.into_iter().map(|bit| bit.node() as u32).collect();
        let mut found = Vec::new();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            found.push(node);
            let mut need = |bit: Bit| stack.push(bit.node() as u32);
            match self.nodes[node as usize] {
                Node::False | Node::Variable(_) => {}
                Node::And(a, b) | Node::Xor(a, b) => [a, b].into_iter().for_each(&mut need),
                Node::Mux(a, b, c) | Node::Majority(a, b, c) => [a, b, c].into_iter().for_each(&mut need),
            }
        }
        // A node is made after its parts.
        found.sort_unstable();
        found
    }

    /// The value of bits for one assignment of the variables, by their numbers.
    pub fn evaluate(&self, bits: &[Bit], value: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut values: HashMap<u32, bool> = HashMap::new();
        for node in self.cone(bits.iter().copied()) {
            let of = |bit: Bit| values[&(bit.node() as u32)] ^ bit.is_negated();
            let result = match self.nodes[node as usize] {
                Node::False => false,
                Node::Variable(number) => value(number),
                Node::And(a, b) => of(a) && of(b),
                Node::Xor(a, b) => of(a) != of(b),
                Node::Mux(c, t, e) => {
                    if of(c) {
                        of(t)
                    } else {
                        of(e)
                    }
                }
                Node::Majority(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
            };
            values.insert(node, result);
        }
        bits.iter().map(|bit| values[&(bit.node() as u32)] ^ bit.is_negated()).collect()
    }
}

fn zip(a: Lanes, b: Lanes, f: impl Fn(u64, u64) -> u64) -> Lanes {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// A quick hash of a few small numbers.
#[derive(Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation, with every mixture of constants, equal and opposite bits, against its table.
    #[test]
    fn simplified_nodes_mean_what_plain_ones_do() {
        let mut graph = Graph::default();
        let [p, q, r] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0]
            .map(|lane| graph.variable([lane; LANES]));
        let mut bits = vec![Bit::FALSE, Bit::TRUE, p, q, r, !p, !q, !r];
        for round in 0..2 {
            let known = bits.clone();
            for &a in &known {
                for &b in &known {
                    let (la, lb) = (graph.lanes(a), graph.lanes(b));
                    let (and, xor) = (graph.and(a, b), graph.xor(a, b));
                    assert_eq!(graph.lanes(and), zip(la, lb, |a, b| a & b));
                    assert_eq!(graph.lanes(xor), zip(la, lb, |a, b| a ^ b));
                    if round == 0 {
                        bits.extend([and, xor]);
                    }
                    for &c in &known {
                        let lc = graph.lanes(c);
                        let (mux, most) = (graph.mux(a, b, c), graph.majority(a, b, c));
                        let expected: Lanes = std::array::from_fn(|i| la[i] & lb[i] | !la[i] & lc[i]);
                        assert_eq!(graph.lanes(mux), expected);
                        let expected: Lanes =
                            std::array::from_fn(|i| la[i] & lb[i] | lc[i] & (la[i] | lb[i]));
                        assert_eq!(graph.lanes(most), expected);
                        if round == 0 {
                            bits.extend([mux, most]);
                        }
                    }
                }
            }
            bits.sort_unstable();
            bits.dedup();
        }
    }
}
