//! Symbolic execution: instructions on states whose bytes are formulas. Modes, classes and cycles come from the instruction
//! table; what an instruction computes is written in `values` once more, and a test compares it with the emulator for every
//! opcode.

use std::collections::BTreeMap;

use tempo_isa::{Class, Cpu, Mnemonic};

use crate::chip::depends_on_chip;
use crate::graph::{Bit, Byte, Graph, byte, known};
use crate::state::State;
use crate::world::{Blocked, World};

mod classes;
mod flow;
mod operands;
#[cfg(test)]
mod tests;
mod values;

pub use operands::pick;
use values::show;

/// How a way through a routine ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// With the closing `rts`.
    Returned,
    /// Not with it, and why: a `brk`, a jam, memory that is not code, or it goes round for ever.
    Failed(String),
}

/// A way that ended.
#[derive(Clone)]
pub struct End {
    pub state: State,
    pub ending: Ending,
}

/// Whether states that meet become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    Merge,
    Apart,
}

/// The result of a step.
enum Stepped {
    On(State),
    /// Ways that part here. States that wait at the same place would become one again, so each has made its step.
    Split(Vec<Stepped>),
    Ended(End),
}

/// Runs states to their ends. `level` is the stack pointer of the call, at or above which an `rts` ends it.
pub fn run(
    world: &mut World,
    start: Vec<State>,
    level: u8,
    meeting: Meeting,
) -> Result<Vec<End>, (Blocked, Vec<Bit>)> {
    let mut run = Run { world, level, decisions: Vec::new() };
    run.all(start, meeting).map_err(|blocked| (blocked, run.decisions))
}

/// Executes one instruction.
#[cfg(test)]
fn step_once(world: &mut World, state: State, level: u8) -> Result<Vec<(State, Option<Ending>)>, Blocked> {
    let mut run = Run { world, level, decisions: Vec::new() };
    let (mut found, mut stepped) = (Vec::new(), vec![run.step(state)?]);
    while let Some(one) = stepped.pop() {
        match one {
            Stepped::On(state) => found.push((state, None)),
            Stepped::Split(ways) => stepped.extend(ways),
            Stepped::Ended(End { state, ending }) => found.push((state, Some(ending))),
        }
    }
    Ok(found)
}

struct Run<'a> {
    world: &'a mut World,
    level: u8,
    /// Conditions and addresses on which the way depended: what a case split should make known.
    decisions: Vec<Bit>,
}

type Step = Result<Stepped, Blocked>;

impl Run<'_> {
    fn all(&mut self, start: Vec<State>, meeting: Meeting) -> Result<Vec<End>, Blocked> {
        let mut waiting: BTreeMap<(u8, u16, bool, u64), State> = BTreeMap::new();
        let mut ends: Vec<End> = Vec::new();
        let mut number = 0;
        let mut add = |world: &mut World, waiting: &mut BTreeMap<_, State>, state: State| {
            let (s, pc, d) = state.place();
            if meeting == Meeting::Apart {
                // The newest first, so that few are alive.
                number += 1;
                waiting.insert((0, 0, false, u64::MAX - number), state);
                return;
            }
            match waiting.entry((s, pc, d, 0)) {
                std::collections::btree_map::Entry::Vacant(entry) => {
                    entry.insert(state);
                }
                std::collections::btree_map::Entry::Occupied(mut entry) => {
                    entry.get_mut().merge(world, &state)
                }
            }
        };
        for state in start {
            add(self.world, &mut waiting, state);
        }
        while let Some((_, mut state)) = waiting.pop_first() {
            loop {
                self.check_limits(&state, waiting.len())?;
                match self.step(state)? {
                    Stepped::Ended(end) => {
                        self.world.paths += 1;
                        ends.push(end);
                        break;
                    }
                    Stepped::Split(mut ways) => {
                        while let Some(way) = ways.pop() {
                            match way {
                                Stepped::On(state) => add(self.world, &mut waiting, state),
                                Stepped::Split(more) => ways.extend(more),
                                Stepped::Ended(end) => {
                                    self.world.paths += 1;
                                    ends.push(end);
                                }
                            }
                        }
                        break;
                    }
                    Stepped::On(next) => {
                        let (s, pc, d) = next.place();
                        let is_first = meeting == Meeting::Apart
                            || waiting.first_key_value().is_none_or(|(key, _)| (s, pc, d, 0) < *key);
                        if !is_first {
                            add(self.world, &mut waiting, next);
                            break;
                        }
                        state = next;
                    }
                }
            }
        }
        Ok(ends)
    }

    fn check_limits(&mut self, state: &State, waiting: usize) -> Result<(), Blocked> {
        self.world.steps += 1;
        let limits = &self.world.limits;
        let reason = if self.world.steps > limits.steps {
            format!("{} instructions (--steps)", limits.steps)
        } else if waiting >= limits.paths {
            format!("{} states at once (--paths)", limits.paths)
        } else if self.world.graph.len() > limits.nodes {
            format!("formulas of {} nodes (--nodes)", limits.nodes)
        } else if state.cost.base > limits.max_cycles {
            format!("{} cycles without an end (--max-cycles)", limits.max_cycles)
        } else {
            return Ok(());
        };
        Err(Blocked::undecided(state.pc, reason))
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.world.graph
    }

    fn step(&mut self, mut state: State) -> Step {
        let at = state.pc;
        let opcode = state.memory.get(self.world, at);
        let Some(opcode) = known(&opcode) else {
            if state.memory.is_unknown(at) {
                return Ok(failed(state, format!("runs into memory that is not code at ${at:04X}")));
            }
            return self.split(state, &[at]);
        };
        let row = Cpu::Mos6502.decode(opcode);
        let operand = state.memory.get(self.world, at.wrapping_add(1));
        if let Some(name) = depends_on_chip(opcode, known(&operand)) {
            return Err(Blocked::Refused { at, reason: crate::chip::reason(at, name) });
        }
        let operands: Vec<u16> = (1..row.len() as u16).map(|offset| at.wrapping_add(offset)).collect();
        let bytes: Vec<Byte> = operands.iter().map(|&at| state.memory.get(self.world, at)).collect();
        state.pc = at.wrapping_add(row.len() as u16);
        state.cost.base += u64::from(row.cycles);
        match row.class {
            Class::Read => self.read(state, row, &bytes, at),
            Class::Write | Class::Modify => self.write(state, row, &bytes, at),
            Class::Register => self.register(state, row, at),
            Class::Push => {
                let value = match row.mnemonic {
                    Mnemonic::Pha => state.a,
                    _ => status(&state),
                };
                push(&mut state, value);
                Ok(Stepped::On(state))
            }
            Class::Pull => {
                let from = 0x0100 | u16::from(state.s.wrapping_add(1));
                let value = state.memory.get(self.world, from);
                if row.mnemonic == Mnemonic::Plp {
                    if value[3].constant().is_none() {
                        state.pc = at;
                        state.cost.base -= u64::from(row.cycles);
                        return self.split_bit(state, from, 3);
                    }
                    set_status(&mut state, &value);
                } else {
                    state.a = value;
                    show(self.graph(), &mut state, &value);
                }
                state.s = state.s.wrapping_add(1);
                Ok(Stepped::On(state))
            }
            Class::Branch => {
                let Some(offset) = known(&bytes[0]) else {
                    state.pc = at;
                    state.cost.base -= u64::from(row.cycles);
                    return self.split(state, &operands);
                };
                self.branch(state, row, offset, at)
            }
            Class::Flow => {
                if bytes.iter().any(|byte| known(byte).is_none()) {
                    state.pc = at;
                    state.cost.base -= u64::from(row.cycles);
                    return self.split(state, &operands);
                }
                self.flow(state, row, &bytes, at)
            }
            Class::Skip => Ok(Stepped::On(state)),
        }
    }

    /// A step for each value that the bytes at these addresses can have.
    fn split(&mut self, state: State, addresses: &[u16]) -> Step {
        let mut word = Vec::new();
        for &address in addresses {
            word.extend(state.memory.get(self.world, address));
        }
        self.decisions.extend(&word);
        let limit = self.world.limits.targets;
        let Some(values) = self.world.values(&state.path, &word, limit, state.pc)? else {
            let reason =
                format!("an unknown instruction or target with more than {limit} values (--targets)");
            return Err(Blocked::undecided(state.pc, reason));
        };
        let mut ways = Vec::new();
        for value in values {
            let mut state = state.clone();
            let chosen = self.graph().is_value(&word, value);
            state.path.push(&self.world.graph, chosen);
            for (place, &address) in addresses.iter().enumerate() {
                state.memory.set(address, byte((value >> (8 * place)) as u8));
            }
            ways.push(self.step(state)?);
        }
        Ok(Stepped::Split(ways))
    }

    /// A step for each value of one bit of memory.
    fn split_bit(&mut self, state: State, address: u16, place: usize) -> Step {
        let old = state.memory.get(self.world, address);
        self.decisions.push(old[place]);
        let mut ways = Vec::new();
        for value in [false, true] {
            let bit = if value { old[place] } else { !old[place] };
            if self.world.is_possible(&state.path, bit, state.pc)? {
                let mut state = state.clone();
                state.path.push(&self.world.graph, bit);
                let mut new = old;
                new[place] = Bit::of(value);
                state.memory.set(address, new);
                ways.push(self.step(state)?);
            }
        }
        Ok(Stepped::Split(ways))
    }
}

fn failed(state: State, reason: String) -> Stepped {
    Stepped::Ended(End { state, ending: Ending::Failed(reason) })
}

fn push(state: &mut State, value: Byte) {
    state.memory.set(0x0100 | u16::from(state.s), value);
    state.s = state.s.wrapping_sub(1);
}

/// As `php` pushes it.
fn status(state: &State) -> Byte {
    [state.c, state.z, state.i, Bit::of(state.d), Bit::TRUE, Bit::TRUE, state.v, state.n]
}

/// D must be known.
fn set_status(state: &mut State, value: &Byte) {
    (state.c, state.z, state.i) = (value[0], value[1], value[2]);
    state.d = value[3] == Bit::TRUE;
    (state.v, state.n) = (value[6], value[7]);
}
