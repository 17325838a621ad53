//! A machine whose bytes are formulas: registers, flags, memory over what it held before the call, a path and the cycles so far.
//! Two states at the same place become one.

use std::collections::HashMap;
use std::sync::Arc;

use crate::graph::{Bit, Byte, Graph, byte};
use crate::known::Known;
use crate::world::{Path, World};

/// Contents of memory before the call.
#[derive(Debug, Clone, Default)]
pub struct Before {
    /// Bytes that are known: the program, what is given, the return address.
    pub known: Arc<Known>,
    /// Bytes of inputs.
    pub inputs: HashMap<u16, Byte>,
}

impl Before {
    /// The byte at an address.
    pub fn get(&self, world: &mut World, address: u16) -> Byte {
        if let Some(input) = self.inputs.get(&address) {
            return *input;
        }
        match self.known.get(address) {
            Some(value) => byte(value),
            None => world.unknown(address),
        }
    }

    /// Whether the byte is unknown.
    pub fn is_unknown(&self, address: u16) -> bool {
        self.known.get(address).is_none() && !self.inputs.contains_key(&address)
    }
}

const UNWRITTEN: Byte = [Bit::NONE; 8];

type Page = [Byte; 256];

/// Memory: the pages that were written, over what was there before.
#[derive(Clone)]
pub struct Memory {
    before: Arc<Before>,
    pages: Vec<Option<Arc<Page>>>,
}

impl Memory {
    pub fn new(before: Arc<Before>) -> Memory {
        Memory { before, pages: vec![None; 256] }
    }

    /// The byte at an address.
    pub fn get(&self, world: &mut World, address: u16) -> Byte {
        match self.written(address) {
            Some(byte) => byte,
            None => self.before.get(world, address),
        }
    }

    /// The byte at an address, if it was written.
    pub(crate) fn written(&self, address: u16) -> Option<Byte> {
        let page = self.pages[usize::from(address >> 8)].as_ref()?;
        let byte = page[usize::from(address & 0xff)];
        (byte != UNWRITTEN).then_some(byte)
    }

    /// The addresses that were written.
    #[cfg(test)]
    pub fn addresses(&self) -> Vec<u16> {
        let pages = (0..=0xff).filter(|&page| self.pages[usize::from(page)].is_some());
        let all = pages.flat_map(|page: u16| (0..=0xff).map(move |low| page << 8 | low));
        all.filter(|&address| self.written(address).is_some()).collect()
    }

    /// Whether the byte is unknown: it was neither written nor loaded.
    pub fn is_unknown(&self, address: u16) -> bool {
        self.written(address).is_none() && self.before.is_unknown(address)
    }

    /// Writes a byte.
    pub fn set(&mut self, address: u16, value: Byte) {
        let page = self.pages[usize::from(address >> 8)].get_or_insert_with(|| Arc::new([UNWRITTEN; 256]));
        Arc::make_mut(page)[usize::from(address & 0xff)] = value;
    }

    /// The contents before the call.
    pub fn before(&self) -> &Arc<Before> {
        &self.before
    }

    fn is_same(&self, other: &Memory) -> bool {
        self.pages.iter().zip(&other.pages).all(|pair| match pair {
            (None, None) => true,
            (Some(one), Some(two)) => Arc::ptr_eq(one, two) || one == two,
            _ => false,
        })
    }

    fn merge(&mut self, world: &mut World, choice: Bit, other: &Memory) {
        for number in 0..self.pages.len() {
            let is_same = match (&self.pages[number], &other.pages[number]) {
                (None, None) => true,
                (Some(one), Some(two)) => Arc::ptr_eq(one, two),
                _ => false,
            };
            if is_same {
                continue;
            }
            for low in 0..=0xff {
                let address = (number as u16) << 8 | low;
                let (one, two) = (self.written(address), other.written(address));
                if one == two {
                    continue;
                }
                let one = one.unwrap_or_else(|| self.before.get(world, address));
                let two = two.unwrap_or_else(|| other.before.get(world, address));
                let merged = world.graph.choose(choice, &one, &two);
                self.set(address, merged);
            }
        }
    }
}

/// Cycles: a number, and a sum that depends on the inputs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cost {
    pub base: u64,
    /// Low bit first, without sign.
    pub extra: Vec<Bit>,
}

impl Cost {
    /// One cycle more, if the bit is set.
    pub fn add_bit(&mut self, graph: &mut Graph, bit: Bit) {
        match bit.constant() {
            Some(value) => self.base += u64::from(value),
            None => {
                let mut carry = bit;
                for place in 0.. {
                    if carry == Bit::FALSE {
                        break;
                    }
                    if place == self.extra.len() {
                        self.extra.push(Bit::FALSE);
                    }
                    let old = self.extra[place];
                    self.extra[place] = graph.xor(old, carry);
                    carry = graph.and(old, carry);
                }
            }
        }
    }

    /// All of it as a word of this many bits.
    pub fn word(&self, graph: &mut Graph, width: usize) -> Vec<Bit> {
        raised(graph, self, 0, width)
    }

    fn merge(&mut self, graph: &mut Graph, choice: Bit, other: &Cost) {
        if self == other {
            return;
        }
        let base = self.base.min(other.base);
        let most = self.base.max(other.base) - base;
        let width = self.extra.len().max(other.extra.len()).max(64 - most.leading_zeros() as usize) + 1;
        let (one, two) = (raised(graph, self, base, width), raised(graph, other, base, width));
        let mut extra: Vec<Bit> =
            one.iter().zip(&two).map(|(&one, &two)| graph.mux(choice, one, two)).collect();
        while extra.last() == Some(&Bit::FALSE) {
            extra.pop();
        }
        *self = Cost { base, extra };
    }
}

/// A cost as a word above a base.
fn raised(graph: &mut Graph, cost: &Cost, base: u64, width: usize) -> Vec<Bit> {
    let more = cost.base - base;
    let constant: Vec<Bit> =
        (0..width).map(|bit| Bit::of(more.checked_shr(bit as u32).unwrap_or(0) & 1 == 1)).collect();
    let mut extra = cost.extra.clone();
    extra.resize(width, Bit::FALSE);
    graph.add(&constant, &extra, Bit::FALSE).0
}

/// A state.
#[derive(Clone)]
pub struct State {
    pub pc: u16,
    pub a: Byte,
    pub x: Byte,
    pub y: Byte,
    pub s: u8,
    pub n: Bit,
    pub v: Bit,
    pub z: Bit,
    pub c: Bit,
    pub i: Bit,
    pub d: bool,
    pub memory: Memory,
    pub path: Path,
    pub cost: Cost,
    /// Jumps back so far.
    pub turns: u64,
    /// An earlier state of the same way, to find out that it goes round.
    earlier: Option<Arc<State>>,
}

impl State {
    /// A state with all registers and flags clear, but I set, D clear and the stack as in a call.
    pub fn new(before: Arc<Before>, pc: u16, s: u8) -> State {
        State {
            pc,
            a: byte(0),
            x: byte(0),
            y: byte(0),
            s,
            n: Bit::FALSE,
            v: Bit::FALSE,
            z: Bit::FALSE,
            c: Bit::FALSE,
            i: Bit::TRUE,
            d: false,
            memory: Memory::new(before),
            path: Path::default(),
            cost: Cost::default(),
            turns: 0,
            earlier: None,
        }
    }

    /// Where it is: states that are at the same place can be merged. Deeper calls come first, then what stands first.
    pub fn place(&self) -> (u8, u16, bool) {
        (self.s, self.pc, self.d)
    }

    /// Counts a jump back. True if the same state was here before: this way never ends.
    pub fn goes_round(&mut self) -> bool {
        self.turns += 1;
        if self.earlier.as_ref().is_some_and(|earlier| self.is_same(earlier)) {
            return true;
        }
        if self.turns.is_power_of_two() {
            self.earlier = None;
            self.earlier = Some(Arc::new(self.clone()));
        }
        false
    }

    fn is_same(&self, other: &State) -> bool {
        let flags = |state: &State| [state.n, state.v, state.z, state.c, state.i];
        self.place() == other.place()
            && (self.a, self.x, self.y) == (other.a, other.x, other.y)
            && flags(self) == flags(other)
            && self.path.bits == other.path.bits
            && self.memory.is_same(&other.memory)
    }

    /// Takes in another state at the same place, whose path excludes this one's.
    pub fn merge(&mut self, world: &mut World, other: &State) {
        let common = self.path.bits.iter().zip(&other.path.bits).take_while(|(one, two)| one == two).count();
        let (one, two) = (&self.path.bits[common..], &other.path.bits[common..]);
        let all = |world: &mut World, bits: &[Bit]| world.graph.all(bits.iter().copied());
        let (this, that) = (all(world, one), all(world, two));
        // The first condition that differs tells them apart, if it is the same one.
        let choice = match (one.first(), two.first()) {
            (Some(&one), Some(&two)) if one == !two => one,
            _ => this,
        };
        let either = world.graph.or(this, that);
        let mut path = Path::default();
        for bit in &self.path.bits[..common] {
            path.push(&world.graph, *bit);
        }
        path.push(&world.graph, either);
        self.path = path;
        for (own, other) in [(&mut self.a, &other.a), (&mut self.x, &other.x), (&mut self.y, &other.y)] {
            *own = world.graph.choose(choice, own, other);
        }
        let flags = [
            (&mut self.n, other.n),
            (&mut self.v, other.v),
            (&mut self.z, other.z),
            (&mut self.c, other.c),
            (&mut self.i, other.i),
        ];
        for (own, other) in flags {
            *own = world.graph.mux(choice, *own, other);
        }
        self.memory.merge(world, choice, &other.memory);
        self.cost.merge(&mut world.graph, choice, &other.cost);
        self.turns = self.turns.max(other.turns);
        self.earlier = None;
    }
}
