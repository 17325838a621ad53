//! The parts that all states of a question share: the graph, the solver, the unknown bytes, and the count of work.

use std::collections::HashMap;

use tempo_random::Random;

use crate::graph::{Bit, Byte, Graph, LANES, Lanes};
use crate::limits::Limits;
use crate::solver::{Answer, Solver};

/// Why the work ended without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blocked {
    /// The question has no answer on this machine.
    Refused { at: u16, reason: String },
    /// A limit, or something that is not worked out.
    Undecided { at: Option<u16>, reason: String },
}

impl Blocked {
    pub(crate) fn undecided(at: u16, reason: impl Into<String>) -> Blocked {
        Blocked::Undecided { at: Some(at), reason: reason.into() }
    }
}

/// A path: conditions that all hold, and the carried assignments for which they do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    pub bits: Vec<Bit>,
    pub lanes: Lanes,
}

impl Default for Path {
    fn default() -> Path {
        Path { bits: Vec::new(), lanes: [u64::MAX; LANES] }
    }
}

impl Path {
    /// Adds a condition.
    pub fn push(&mut self, graph: &Graph, bit: Bit) {
        if bit == Bit::TRUE || self.bits.contains(&bit) {
            return;
        }
        let lanes = graph.lanes(bit);
        self.lanes = std::array::from_fn(|i| self.lanes[i] & lanes[i]);
        self.bits.push(bit);
    }
}

/// The shared parts.
pub struct World {
    pub graph: Graph,
    pub solver: Solver,
    pub limits: Limits,
    unknown: HashMap<u16, Byte>,
    random: Random,
    /// Whether a read through an unknown pointer was replaced by an unknown byte.
    pub is_approximate: bool,
    /// Instructions so far.
    pub steps: u64,
    /// The most states that were alive at once, and all that ended.
    pub paths: u64,
}

impl World {
    pub fn new(limits: &Limits) -> World {
        World {
            graph: Graph::default(),
            solver: Solver::new(limits.conflicts),
            limits: limits.clone(),
            unknown: HashMap::new(),
            random: Random::new(0x5eed),
            is_approximate: false,
            steps: 0,
            paths: 0,
        }
    }

    /// A variable whose carried values are random, but for the first, which is clear.
    pub fn fresh_bit(&mut self) -> Bit {
        let mut lanes: Lanes = std::array::from_fn(|_| self.random.next_u64());
        lanes[0] &= !1;
        self.graph.variable(lanes)
    }

    /// An unknown byte that nothing else knows.
    pub fn fresh_byte(&mut self) -> Byte {
        std::array::from_fn(|_| self.fresh_bit())
    }

    /// The unknown byte that memory holds at an address before the call.
    pub fn unknown(&mut self, address: u16) -> Byte {
        if let Some(byte) = self.unknown.get(&address) {
            return *byte;
        }
        let byte = self.fresh_byte();
        self.unknown.insert(address, byte);
        byte
    }

    /// The unknown bytes that were met.
    pub fn unknown_bytes(&self) -> &HashMap<u16, Byte> {
        &self.unknown
    }

    /// Whether a bit can be set on a path.
    pub fn is_possible(&mut self, path: &Path, bit: Bit, at: u16) -> Result<bool, Blocked> {
        if let Some(value) = bit.constant() {
            return Ok(value);
        }
        if path.bits.contains(&bit) {
            return Ok(true);
        }
        if path.bits.contains(&!bit) {
            return Ok(false);
        }
        let lanes = self.graph.lanes(bit);
        if (0..LANES).any(|i| lanes[i] & path.lanes[i] != 0) {
            return Ok(true);
        }
        let mut bits = path.bits.clone();
        bits.push(bit);
        match self.solver.ask(&self.graph, &bits) {
            Answer::Yes => Ok(true),
            Answer::No => Ok(false),
            Answer::Unknown => Err(self.out_of_conflicts(at)),
        }
    }

    pub(crate) fn out_of_conflicts(&self, at: u16) -> Blocked {
        Blocked::undecided(at, format!("{} conflicts (--conflicts)", self.limits.conflicts))
    }

    /// The values that a word can have on a path, in order; `None` if there are more than the limit.
    pub fn values(
        &mut self,
        path: &Path,
        word: &[Bit],
        limit: usize,
        at: u16,
    ) -> Result<Option<Vec<u64>>, Blocked> {
        let mut found = Vec::new();
        let mut bits = path.bits.clone();
        // A bit that the solver does not know has no value in its answers.
        self.solver.know(&self.graph, word);
        loop {
            match self.solver.ask(&self.graph, &bits) {
                Answer::No => break,
                Answer::Unknown => return Err(self.out_of_conflicts(at)),
                Answer::Yes => {}
            }
            if found.len() == limit {
                return Ok(None);
            }
            let value = self.model(word);
            found.push(value);
            bits.push(!self.graph.is_value(word, value));
        }
        found.sort_unstable();
        Ok(Some(found))
    }

    /// A word in the solver's last answer.
    pub fn model(&self, word: &[Bit]) -> u64 {
        word.iter().enumerate().fold(0, |sum, (place, &bit)| sum | u64::from(self.solver.value(bit)) << place)
    }

    /// The least and the greatest value of a word on a path.
    pub fn bounds(&mut self, path: &Path, word: &[Bit], at: u16) -> Result<(u64, u64), Blocked> {
        let (mut lo, mut hi) = (0, 0);
        for (place, &bit) in word.iter().enumerate() {
            lo |= u64::from(bit == Bit::TRUE) << place;
            hi |= u64::from(bit != Bit::FALSE) << place;
        }
        let seen = self.seen(path, word);
        let (mut least, mut most) = match seen {
            Some(seen) => seen,
            None => match self.solver.ask(&self.graph, &path.bits) {
                Answer::Yes => {
                    let value = self.model(word);
                    (value, value)
                }
                // Nothing is possible here; any bounds will do.
                Answer::No => return Ok((lo, lo)),
                Answer::Unknown => return Err(self.out_of_conflicts(at)),
            },
        };
        while lo < least {
            let middle = lo + (least - lo) / 2;
            let limit: Vec<Bit> = (0..word.len()).map(|bit| Bit::of(middle >> bit & 1 == 1)).collect();
            let fits = self.graph.is_at_most(word, &limit);
            match self.ask_with(path, fits, at)? {
                true => least = self.model(word),
                false => lo = middle + 1,
            }
        }
        while most < hi {
            let middle = most + (hi - most).div_ceil(2);
            let limit: Vec<Bit> = (0..word.len()).map(|bit| Bit::of(middle >> bit & 1 == 1)).collect();
            let fits = self.graph.is_at_most(&limit, word);
            match self.ask_with(path, fits, at)? {
                true => most = self.model(word),
                false => hi = middle - 1,
            }
        }
        Ok((least, most))
    }

    /// The least value of a word on a path, which is at most one that is known.
    pub fn bounds_below(
        &mut self,
        path: &Path,
        word: &[Bit],
        known: u64,
        at: u16,
    ) -> Result<(u64, u64), Blocked> {
        let (mut lo, mut least) = (0, known);
        while lo < least {
            let middle = lo + (least - lo) / 2;
            let limit: Vec<Bit> = (0..word.len()).map(|bit| Bit::of(middle >> bit & 1 == 1)).collect();
            let fits = self.graph.is_at_most(word, &limit);
            match self.ask_with(path, fits, at)? {
                true => least = self.model(word),
                false => lo = middle + 1,
            }
        }
        Ok((least, least))
    }

    /// Asks the solver, so that there is a model if the answer is yes.
    pub fn ask_with(&mut self, path: &Path, bit: Bit, at: u16) -> Result<bool, Blocked> {
        let mut bits = path.bits.clone();
        bits.push(bit);
        match self.solver.ask(&self.graph, &bits) {
            Answer::Yes => Ok(true),
            Answer::No => Ok(false),
            Answer::Unknown => Err(self.out_of_conflicts(at)),
        }
    }

    /// The least and the greatest value among the carried assignments.
    fn seen(&self, path: &Path, word: &[Bit]) -> Option<(u64, u64)> {
        let lanes: Vec<Lanes> = word.iter().map(|&bit| self.graph.lanes(bit)).collect();
        let mut seen: Option<(u64, u64)> = None;
        for lane in 0..LANES {
            let mut left = path.lanes[lane];
            while left != 0 {
                let pattern = left.trailing_zeros();
                left &= left - 1;
                let value = lanes
                    .iter()
                    .enumerate()
                    .fold(0, |sum, (place, bit)| sum | (bit[lane] >> pattern & 1) << place);
                seen = Some(seen.map_or((value, value), |(lo, hi)| (lo.min(value), hi.max(value))));
            }
        }
        seen
    }
}
