//! Symbolic execution: instructions on states whose bytes are formulas. Modes, classes and cycles come from the instruction
//! table; what an instruction computes is written here once more, and a test compares it with the emulator for every opcode.

use std::collections::BTreeMap;

use tempo_isa::{Class, Cpu, Instruction, Mnemonic, Mode, Stability, Timing};

use crate::graph::{Bit, Byte, Graph, byte, known, known_word};
use crate::state::State;
use crate::world::{Blocked, World};

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

/// An address that an instruction uses.
enum Address {
    Fixed(u16),
    /// A base and an unknown index; in the zero page the sum wraps.
    Indexed {
        base: u16,
        index: Byte,
        wraps: bool,
    },
    Any([Bit; 16]),
}

/// The result of a step.
enum Stepped {
    On(State),
    Split(Vec<State>),
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
    Ok(match run.step(state)? {
        Stepped::On(state) => vec![(state, None)],
        Stepped::Split(states) => states.into_iter().map(|state| (state, None)).collect(),
        Stepped::Ended(End { state, ending }) => vec![(state, Some(ending))],
    })
}

struct Run<'a> {
    world: &'a mut World,
    level: u8,
    /// Conditions and addresses on which the way depended: what a case split should make known.
    decisions: Vec<Bit>,
}

type Step = Result<Stepped, Blocked>;

/// The word that chooses among addresses, and its values with the address of each.
type Reach = (Vec<Bit>, Vec<(u64, u16)>);

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
                    Stepped::Split(states) => {
                        for state in states {
                            add(self.world, &mut waiting, state);
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
        if row.effects.stability == Stability::Unstable || is_lxa(row) {
            let operand = state.memory.get(self.world, at.wrapping_add(1));
            // Without a bit in the operand, the bits that depend on the chip do not matter.
            if !(row.mode == Mode::Immediate && known(&operand) == Some(0)) {
                let name = if is_lxa(row) { "lxa" } else { row.mnemonic.name() };
                let reason = format!("{name} at ${at:04X} depends on the chip");
                return Err(Blocked::Refused { at, reason });
            }
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

    /// A state for each value that the bytes at these addresses can have.
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
        let mut states = Vec::new();
        for value in values {
            let mut state = state.clone();
            let chosen = self.graph().is_value(&word, value);
            state.path.push(&self.world.graph, chosen);
            for (place, &address) in addresses.iter().enumerate() {
                state.memory.set(address, byte((value >> (8 * place)) as u8));
            }
            states.push(state);
        }
        Ok(Stepped::Split(states))
    }

    /// A state for each value of one bit of memory.
    fn split_bit(&mut self, state: State, address: u16, place: usize) -> Step {
        let old = state.memory.get(self.world, address);
        self.decisions.push(old[place]);
        let mut states = Vec::new();
        for value in [false, true] {
            let bit = if value { old[place] } else { !old[place] };
            if self.world.is_possible(&state.path, bit, state.pc)? {
                let mut state = state.clone();
                state.path.push(&self.world.graph, bit);
                let mut new = old;
                new[place] = Bit::of(value);
                state.memory.set(address, new);
                states.push(state);
            }
        }
        Ok(Stepped::Split(states))
    }

    fn branch(&mut self, mut state: State, row: &Instruction, offset: u8, at: u16) -> Step {
        let flag = match row.mnemonic {
            Mnemonic::Bpl => !state.n,
            Mnemonic::Bmi => state.n,
            Mnemonic::Bvc => !state.v,
            Mnemonic::Bvs => state.v,
            Mnemonic::Bcc => !state.c,
            Mnemonic::Bcs => state.c,
            Mnemonic::Bne => !state.z,
            _ => state.z,
        };
        let target = state.pc.wrapping_add_signed(i16::from(offset.cast_signed()));
        let crosses = (state.pc ^ target) & 0xff00 != 0;
        if flag.constant().is_none() {
            self.decisions.push(flag);
        }
        let may_take = self.world.is_possible(&state.path, flag, at)?;
        let may_pass = !may_take || self.world.is_possible(&state.path, !flag, at)?;
        let take = |state: &mut State| {
            state.pc = target;
            state.cost.base += 1 + u64::from(crosses);
        };
        match (may_take, may_pass) {
            (true, false) => {
                take(&mut state);
                Ok(self.jumped(state, at))
            }
            (false, _) => Ok(Stepped::On(state)),
            (true, true) => {
                let mut taken = state.clone();
                taken.path.push(&self.world.graph, flag);
                take(&mut taken);
                state.path.push(&self.world.graph, !flag);
                Ok(Stepped::Split(match self.jumped(taken, at) {
                    Stepped::On(taken) => vec![state, taken],
                    // It goes round by itself: one step further, the condition is known.
                    Stepped::Split(mut states) => {
                        states.push(state);
                        states
                    }
                    Stepped::Ended(End { state: taken, .. }) => vec![state, taken],
                }))
            }
        }
    }

    /// After a jump: one that goes back may go round for ever.
    fn jumped(&mut self, mut state: State, from: u16) -> Stepped {
        if state.pc <= from && state.goes_round() {
            let reason = format!("never ends: it goes round at ${:04X} and nothing changes", state.pc);
            return failed(state, reason);
        }
        Stepped::On(state)
    }

    fn flow(&mut self, mut state: State, row: &Instruction, bytes: &[Byte], at: u16) -> Step {
        let operand = |place: usize| u16::from(bytes.get(place).and_then(known).unwrap_or(0));
        let target = operand(0) | operand(1) << 8;
        match (row.mnemonic, row.mode) {
            (Mnemonic::Jmp, Mode::Absolute) => {
                state.pc = target;
                Ok(self.jumped(state, at))
            }
            (Mnemonic::Jmp, _) => {
                // The high byte comes from the same page.
                let high = target & 0xff00 | target.wrapping_add(1) & 0x00ff;
                let (lo, hi) = (state.memory.get(self.world, target), state.memory.get(self.world, high));
                let (Some(lo), Some(hi)) = (known(&lo), known(&hi)) else {
                    state.pc = at;
                    state.cost.base -= u64::from(row.cycles);
                    return self.split(state, &[target, high]);
                };
                state.pc = u16::from_le_bytes([lo, hi]);
                Ok(self.jumped(state, at))
            }
            (Mnemonic::Jsr, _) => {
                let [lo, hi] = at.wrapping_add(2).to_le_bytes();
                // The high byte of the target is fetched after the pushes.
                let high_at = at.wrapping_add(2);
                push(&mut state, byte(hi));
                push(&mut state, byte(lo));
                let high = state.memory.get(self.world, high_at);
                let Some(high) = known(&high) else {
                    return Err(Blocked::undecided(at, "a `jsr` that overwrites its own target"));
                };
                state.pc = u16::from(high) << 8 | target & 0xff;
                Ok(self.jumped(state, at))
            }
            (Mnemonic::Rts | Mnemonic::Rti, _) => self.leave(state, row, at),
            (Mnemonic::Brk, _) => Ok(failed(state, format!("runs into a brk at ${at:04X}"))),
            (Mnemonic::Jam, _) => Ok(failed(state, format!("jams at ${at:04X}"))),
            _ => Err(Blocked::undecided(at, format!("{} is not known", row.mnemonic.name()))),
        }
    }

    fn leave(&mut self, mut state: State, row: &Instruction, at: u16) -> Step {
        let stack = |s: u8, offset: u8| 0x0100 | u16::from(s.wrapping_add(offset));
        let is_last = state.s >= self.level;
        let is_interrupt = row.mnemonic == Mnemonic::Rti;
        let first = 1 + u8::from(is_interrupt);
        let (lo_at, hi_at) = (stack(state.s, first), stack(state.s, first + 1));
        let again = |mut state: State| {
            state.pc = at;
            state.cost.base -= u64::from(row.cycles);
            state
        };
        if is_interrupt {
            let flags_at = stack(state.s, 1);
            let flags = state.memory.get(self.world, flags_at);
            if flags[3].constant().is_none() {
                return self.split_bit(again(state), flags_at, 3);
            }
            set_status(&mut state, &flags);
        }
        if is_last {
            state.s = state.s.wrapping_add(first + 1);
            return Ok(Stepped::Ended(End { state, ending: Ending::Returned }));
        }
        let (lo, hi) = (state.memory.get(self.world, lo_at), state.memory.get(self.world, hi_at));
        let (Some(lo), Some(hi)) = (known(&lo), known(&hi)) else {
            if state.memory.is_unknown(lo_at) || state.memory.is_unknown(hi_at) {
                return Ok(failed(state, format!("returns to an unknown address at ${at:04X}")));
            }
            return self.split(again(state), &[lo_at, hi_at]);
        };
        state.s = state.s.wrapping_add(first + 1);
        let target = u16::from_le_bytes([lo, hi]);
        state.pc = if is_interrupt { target } else { target.wrapping_add(1) };
        Ok(self.jumped(state, at))
    }

    // --- operands ----------------------------------------------------------------------------------------

    /// The address of an operand, and whether indexing crosses a page.
    fn address(
        &mut self,
        state: &State,
        row: &Instruction,
        bytes: &[Byte],
        at: u16,
    ) -> Result<(Address, Bit), Blocked> {
        let zero = [Bit::FALSE; 8];
        let plain = |address| Ok((address, Bit::FALSE));
        match row.mode {
            Mode::ZeroPage => plain(fixed_or_any(&bytes[0], &zero)),
            Mode::ZeroPageX => plain(self.zero_page(&bytes[0], &state.x)),
            Mode::ZeroPageY => plain(self.zero_page(&bytes[0], &state.y)),
            Mode::Absolute => plain(fixed_or_any(&bytes[0], &bytes[1])),
            Mode::AbsoluteX => Ok(self.indexed(&bytes[0], &bytes[1], &state.x)),
            Mode::AbsoluteY => Ok(self.indexed(&bytes[0], &bytes[1], &state.y)),
            Mode::IndirectX => {
                let one = byte(1);
                let next = self.graph().add_bytes(&bytes[0], &one, Bit::FALSE).0;
                let (lo_at, hi_at) = (self.zero_page(&bytes[0], &state.x), self.zero_page(&next, &state.x));
                let (lo, hi) = (self.load(state, &lo_at, at)?, self.load(state, &hi_at, at)?);
                plain(fixed_or_any(&lo, &hi))
            }
            Mode::IndirectY => {
                let one = byte(1);
                let next = self.graph().add_bytes(&bytes[0], &one, Bit::FALSE).0;
                let lo = self.load(state, &fixed_or_any(&bytes[0], &zero), at)?;
                let hi = self.load(state, &fixed_or_any(&next, &zero), at)?;
                Ok(self.indexed(&lo, &hi, &state.y))
            }
            _ => Err(Blocked::undecided(at, "an addressing mode that the 6502 has not")),
        }
    }

    fn zero_page(&mut self, base: &Byte, index: &Byte) -> Address {
        match (known(base), known(index)) {
            (Some(base), Some(index)) => Address::Fixed(u16::from(base.wrapping_add(index))),
            (Some(base), None) => Address::Indexed { base: u16::from(base), index: *index, wraps: true },
            _ => {
                let sum = self.graph().add_bytes(base, index, Bit::FALSE).0;
                fixed_or_any(&sum, &[Bit::FALSE; 8])
            }
        }
    }

    fn indexed(&mut self, lo: &Byte, hi: &Byte, index: &Byte) -> (Address, Bit) {
        let (low, carry) = self.graph().add_bytes(lo, index, Bit::FALSE);
        if let (Some(lo), Some(hi)) = (known(lo), known(hi)) {
            let base = u16::from_le_bytes([lo, hi]);
            let address = match known(index) {
                Some(index) => Address::Fixed(base.wrapping_add(u16::from(index))),
                None => Address::Indexed { base, index: *index, wraps: false },
            };
            return (address, carry);
        }
        let high = self.graph().add_bytes(hi, &[Bit::FALSE; 8], carry).0;
        (fixed_or_any(&low, &high), carry)
    }

    /// The addresses that an unknown one can mean, with the word that chooses among them and its first value.
    fn reach(&mut self, state: &State, address: &Address, at: u16) -> Result<Option<Reach>, Blocked> {
        let word: Vec<Bit> = match address {
            Address::Fixed(_) => Vec::new(),
            Address::Indexed { index, .. } => index.to_vec(),
            Address::Any(bits) => bits.to_vec(),
        };
        self.decisions.extend(&word);
        let (lo, hi) = self.world.bounds(&state.path, &word, at)?;
        if hi - lo >= self.world.limits.addresses as u64 {
            return Ok(None);
        }
        let place = |value: u64| match address {
            Address::Fixed(address) => *address,
            Address::Indexed { base, wraps: true, .. } => base.wrapping_add(value as u16) & 0xff,
            Address::Indexed { base, .. } => base.wrapping_add(value as u16),
            Address::Any(_) => value as u16,
        };
        let places = (lo..=hi).map(|value| (value, place(value))).collect();
        Ok(Some((word, places)))
    }

    fn load(&mut self, state: &State, address: &Address, at: u16) -> Result<Byte, Blocked> {
        if let Address::Fixed(address) = address {
            return Ok(state.memory.get(self.world, *address));
        }
        let Some((word, places)) = self.reach(state, address, at)? else {
            // The proof stays valid with any byte; a refutation has to pass the replay.
            self.world.is_approximate = true;
            return Ok(self.world.fresh_byte());
        };
        let entries: Vec<Byte> =
            places.iter().map(|&(_, place)| state.memory.get(self.world, place)).collect();
        Ok(self.pick(&word, places[0].0, &entries))
    }

    /// The entry that a word chooses, whose first is for a value and whose others follow.
    fn pick(&mut self, word: &[Bit], first: u64, entries: &[Byte]) -> Byte {
        pick(self.graph(), word, first, entries)
    }

    fn store(&mut self, state: &mut State, address: &Address, value: Byte, at: u16) -> Result<(), Blocked> {
        if let Address::Fixed(address) = address {
            state.memory.set(*address, value);
            return Ok(());
        }
        let Some((word, places)) = self.reach(state, address, at)? else {
            let limit = self.world.limits.addresses;
            let reason = format!("a store to more than {limit} possible addresses (--addresses)");
            return Err(Blocked::undecided(at, reason));
        };
        for (choice, place) in places {
            let chosen = self.graph().is_value(&word, choice);
            let old = state.memory.get(self.world, place);
            let new = self.graph().choose(chosen, &value, &old);
            state.memory.set(place, new);
        }
        Ok(())
    }

    // --- classes -----------------------------------------------------------------------------------------

    fn read(&mut self, mut state: State, row: &Instruction, bytes: &[Byte], at: u16) -> Step {
        let value = if row.mode == Mode::Immediate {
            if row.mnemonic == Mnemonic::Nop {
                return Ok(Stepped::On(state));
            }
            bytes[0]
        } else {
            let (address, crosses) = self.address(&state, row, bytes, at)?;
            if row.timing == Timing::Page {
                state.cost.add_bit(&mut self.world.graph, crosses);
            }
            if row.mnemonic == Mnemonic::Nop {
                return Ok(Stepped::On(state));
            }
            self.load(&state, &address, at)?
        };
        if row.mnemonic == Mnemonic::Las {
            let Some(s) = known(&value) else {
                return Err(Blocked::undecided(at, "`las` with an unknown byte sets the stack pointer"));
            };
            state.s &= s;
            let value = byte(state.s);
            (state.a, state.x) = (value, value);
            show(self.graph(), &mut state, &value);
            return Ok(Stepped::On(state));
        }
        let graph = &mut self.world.graph;
        match row.mnemonic {
            Mnemonic::Ane | Mnemonic::Lax if row.mode == Mode::Immediate => {
                // Only `#0` comes here.
                state.a = byte(0);
                if row.mnemonic == Mnemonic::Lax {
                    state.x = byte(0);
                }
                show(graph, &mut state, &byte(0));
            }
            mnemonic => operate(graph, &mut state, mnemonic, &value),
        }
        Ok(Stepped::On(state))
    }

    fn write(&mut self, mut state: State, row: &Instruction, bytes: &[Byte], at: u16) -> Step {
        let (address, _) = self.address(&state, row, bytes, at)?;
        let value = if row.class == Class::Write {
            let graph = &mut self.world.graph;
            match row.mnemonic {
                Mnemonic::Sta => state.a,
                Mnemonic::Stx => state.x,
                Mnemonic::Sty => state.y,
                Mnemonic::Sax => graph.each(&state.a.clone(), &state.x.clone(), Graph::and),
                _ => return Err(Blocked::undecided(at, format!("{} is not known", row.mnemonic.name()))),
            }
        } else {
            let old = self.load(&state, &address, at)?;
            modify(&mut self.world.graph, &mut state, row.mnemonic, &old)
        };
        self.store(&mut state, &address, value, at)?;
        Ok(Stepped::On(state))
    }

    fn register(&mut self, mut state: State, row: &Instruction, at: u16) -> Step {
        let graph = &mut self.world.graph;
        match row.mnemonic {
            Mnemonic::Nop => {}
            Mnemonic::Clc => state.c = Bit::FALSE,
            Mnemonic::Sec => state.c = Bit::TRUE,
            Mnemonic::Clv => state.v = Bit::FALSE,
            Mnemonic::Cld => state.d = false,
            Mnemonic::Sed => state.d = true,
            Mnemonic::Cli => state.i = Bit::FALSE,
            Mnemonic::Sei => state.i = Bit::TRUE,
            Mnemonic::Txs => {
                let Some(s) = known(&state.x) else {
                    return Err(Blocked::undecided(at, "`txs` with an unknown X"));
                };
                state.s = s;
            }
            Mnemonic::Tsx => {
                state.x = byte(state.s);
                let value = state.x;
                show(graph, &mut state, &value);
            }
            Mnemonic::Tax | Mnemonic::Tay => {
                let value = state.a;
                *(if row.mnemonic == Mnemonic::Tax { &mut state.x } else { &mut state.y }) = value;
                show(graph, &mut state, &value);
            }
            Mnemonic::Txa | Mnemonic::Tya => {
                state.a = if row.mnemonic == Mnemonic::Txa { state.x } else { state.y };
                let value = state.a;
                show(graph, &mut state, &value);
            }
            Mnemonic::Inx | Mnemonic::Dex => {
                state.x = count(graph, &state.x, row.mnemonic == Mnemonic::Inx);
                let value = state.x;
                show(graph, &mut state, &value);
            }
            Mnemonic::Iny | Mnemonic::Dey => {
                state.y = count(graph, &state.y, row.mnemonic == Mnemonic::Iny);
                let value = state.y;
                show(graph, &mut state, &value);
            }
            Mnemonic::Asl | Mnemonic::Lsr | Mnemonic::Rol | Mnemonic::Ror => {
                let a = state.a;
                state.a = modify(graph, &mut state, row.mnemonic, &a);
            }
            _ => return Err(Blocked::undecided(at, format!("{} is not known", row.mnemonic.name()))),
        }
        Ok(Stepped::On(state))
    }
}

fn is_lxa(row: &Instruction) -> bool {
    row.mnemonic == Mnemonic::Lax && row.mode == Mode::Immediate
}

fn failed(state: State, reason: String) -> Stepped {
    Stepped::Ended(End { state, ending: Ending::Failed(reason) })
}

fn fixed_or_any(lo: &Byte, hi: &Byte) -> Address {
    let bits: [Bit; 16] = std::array::from_fn(|i| if i < 8 { lo[i] } else { hi[i - 8] });
    match known_word(&bits) {
        Some(address) => Address::Fixed(address as u16),
        None => Address::Any(bits),
    }
}

/// The entry that a word chooses, whose first is for the value `first` and whose others follow.
pub fn pick(graph: &mut Graph, word: &[Bit], first: u64, entries: &[Byte]) -> Byte {
    let last = first + entries.len() as u64 - 1;
    let bits = (64 - last.leading_zeros()) as usize;
    let places = 1u64 << bits;
    if places <= 2 * entries.len() as u64 || places <= 256 {
        // The low bits of the word choose; what cannot be chosen may be anything.
        let at = |value: u64| entries[value.clamp(first, last) as usize - first as usize];
        let all: Vec<Byte> = (0..=last).map(at).collect();
        return graph.select(&word[..bits.min(word.len())], &all);
    }
    let less: Vec<Bit> = (0..word.len()).map(|bit| Bit::of(!first >> bit & 1 == 1)).collect();
    let offset = graph.add(word, &less, Bit::TRUE).0;
    let bits = (64 - (entries.len() as u64 - 1).leading_zeros()) as usize;
    graph.select(&offset[..bits], entries)
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

fn show(graph: &mut Graph, state: &mut State, value: &Byte) {
    state.n = value[7];
    state.z = graph.is_zero(value);
}

fn count(graph: &mut Graph, value: &Byte, up: bool) -> Byte {
    let step = if up { byte(1) } else { byte(0xff) };
    graph.add_bytes(value, &step, Bit::FALSE).0
}

fn inverse(value: &Byte) -> Byte {
    value.map(|bit| !bit)
}

/// Executes an instruction on a value that it reads.
fn operate(graph: &mut Graph, state: &mut State, mnemonic: Mnemonic, value: &Byte) {
    match mnemonic {
        Mnemonic::Lda => set_a(graph, state, *value),
        Mnemonic::Ldx => {
            state.x = *value;
            show(graph, state, value);
        }
        Mnemonic::Ldy => {
            state.y = *value;
            show(graph, state, value);
        }
        Mnemonic::Lax => {
            state.x = *value;
            set_a(graph, state, *value);
        }
        Mnemonic::And | Mnemonic::Ora | Mnemonic::Eor => {
            let f = match mnemonic {
                Mnemonic::And => Graph::and,
                Mnemonic::Ora => Graph::or,
                _ => Graph::xor,
            };
            let result = graph.each(&state.a, value, f);
            set_a(graph, state, result);
        }
        Mnemonic::Cmp => compare(graph, state, state.a, value),
        Mnemonic::Cpx => compare(graph, state, state.x, value),
        Mnemonic::Cpy => compare(graph, state, state.y, value),
        Mnemonic::Bit => {
            let both = graph.each(&state.a, value, Graph::and);
            state.z = graph.is_zero(&both);
            (state.n, state.v) = (value[7], value[6]);
        }
        Mnemonic::Adc => add(graph, state, value),
        Mnemonic::Sbc | Mnemonic::Sbc2 => subtract(graph, state, value),
        Mnemonic::Anc | Mnemonic::Anc2 => {
            let result = graph.each(&state.a, value, Graph::and);
            set_a(graph, state, result);
            state.c = result[7];
        }
        Mnemonic::Alr => {
            let masked = graph.each(&state.a, value, Graph::and);
            state.a = modify(graph, state, Mnemonic::Lsr, &masked);
        }
        Mnemonic::Arr => rotate_masked(graph, state, value),
        Mnemonic::Sbx => {
            let both = graph.each(&state.a, &state.x.clone(), Graph::and);
            let (result, carry) = graph.add_bytes(&both, &inverse(value), Bit::TRUE);
            state.x = result;
            state.c = carry;
            show(graph, state, &result);
        }
        _ => unreachable!("{mnemonic:?} reads nothing"),
    }
}

/// Returns the byte that an instruction writes in place of another.
fn modify(graph: &mut Graph, state: &mut State, mnemonic: Mnemonic, old: &Byte) -> Byte {
    let left = |low: Bit| -> Byte { std::array::from_fn(|i| if i == 0 { low } else { old[i - 1] }) };
    let right = |high: Bit| -> Byte { std::array::from_fn(|i| if i == 7 { high } else { old[i + 1] }) };
    match mnemonic {
        Mnemonic::Asl | Mnemonic::Slo => {
            let new = left(Bit::FALSE);
            state.c = old[7];
            finish(graph, state, mnemonic == Mnemonic::Slo, Mnemonic::Ora, new)
        }
        Mnemonic::Rol | Mnemonic::Rla => {
            let new = left(state.c);
            state.c = old[7];
            finish(graph, state, mnemonic == Mnemonic::Rla, Mnemonic::And, new)
        }
        Mnemonic::Lsr | Mnemonic::Sre => {
            let new = right(Bit::FALSE);
            state.c = old[0];
            finish(graph, state, mnemonic == Mnemonic::Sre, Mnemonic::Eor, new)
        }
        Mnemonic::Ror | Mnemonic::Rra => {
            let new = right(state.c);
            state.c = old[0];
            finish(graph, state, mnemonic == Mnemonic::Rra, Mnemonic::Adc, new)
        }
        Mnemonic::Inc | Mnemonic::Isc => {
            let new = count(graph, old, true);
            finish(graph, state, mnemonic == Mnemonic::Isc, Mnemonic::Sbc, new)
        }
        _ => {
            let new = count(graph, old, false);
            finish(graph, state, mnemonic == Mnemonic::Dcp, Mnemonic::Cmp, new)
        }
    }
}

/// The flags of a changed byte; the undocumented instructions do something with it instead.
fn finish(graph: &mut Graph, state: &mut State, combined: bool, with: Mnemonic, new: Byte) -> Byte {
    if combined {
        operate(graph, state, with, &new);
    } else {
        show(graph, state, &new);
    }
    new
}

fn set_a(graph: &mut Graph, state: &mut State, value: Byte) {
    state.a = value;
    show(graph, state, &value);
}

fn compare(graph: &mut Graph, state: &mut State, register: Byte, value: &Byte) {
    let (difference, carry) = graph.add_bytes(&register, &inverse(value), Bit::TRUE);
    state.c = carry;
    state.n = difference[7];
    // Equality is a simpler formula than a difference of zero.
    state.z = graph.is_equal(&register, value);
}

/// Overflow of a sum: the signs of both parts are other than that of the result.
fn overflow(graph: &mut Graph, a: Bit, b: Bit, sum: Bit) -> Bit {
    let (one, two) = (graph.xor(a, sum), graph.xor(b, sum));
    graph.and(one, two)
}

fn add(graph: &mut Graph, state: &mut State, value: &Byte) {
    let (sum, carry) = graph.add_bytes(&state.a, value, state.c);
    if !state.d {
        state.v = overflow(graph, state.a[7], value[7], sum[7]);
        state.c = carry;
        set_a(graph, state, sum);
        return;
    }
    let a = state.a;
    state.z = graph.is_zero(&sum);
    // The low digit, five bits; from ten on it is corrected.
    let (low, high) = graph.add(&a[..4], &value[..4], state.c);
    let over = {
        let three_or_two = graph.or(low[1], low[2]);
        let above = graph.and(low[3], three_or_two);
        graph.or(high, above)
    };
    let six = [Bit::FALSE, Bit::TRUE, Bit::TRUE, Bit::FALSE];
    let corrected = graph.add(&low, &six, Bit::FALSE).0;
    let low: Vec<Bit> =
        low.iter().zip(&corrected).map(|(&plain, &more)| graph.mux(over, more, plain)).collect();
    // The high digit with the carry of the low one.
    let (top, top_carry) = graph.add(&a[4..], &value[4..], over);
    state.n = top[3];
    state.v = overflow(graph, a[7], value[7], top[3]);
    let above = {
        let three_or_two = graph.or(top[1], top[2]);
        let above = graph.and(top[3], three_or_two);
        graph.or(top_carry, above)
    };
    let corrected = graph.add(&top, &six, Bit::FALSE).0;
    state.c = above;
    state.a = std::array::from_fn(|i| match i {
        0..4 => low[i],
        _ => graph.mux(above, corrected[i - 4], top[i - 4]),
    });
}

fn subtract(graph: &mut Graph, state: &mut State, value: &Byte) {
    let inverted = inverse(value);
    let (difference, carry) = graph.add_bytes(&state.a, &inverted, state.c);
    let a = state.a;
    let overflows = overflow(graph, a[7], inverted[7], difference[7]);
    if !state.d {
        state.v = overflows;
        state.c = carry;
        set_a(graph, state, difference);
        return;
    }
    // Each digit that borrows is less by six more.
    let (low, fits) = graph.add(&a[..4], &inverted[..4], state.c);
    let ten = [Bit::FALSE, Bit::TRUE, Bit::FALSE, Bit::TRUE];
    let less = graph.add(&low, &ten, Bit::FALSE).0;
    let low: Vec<Bit> = low.iter().zip(&less).map(|(&plain, &less)| graph.mux(fits, plain, less)).collect();
    let (top, top_fits) = graph.add(&a[4..], &inverted[4..], fits);
    let less = graph.add(&top, &ten, Bit::FALSE).0;
    state.v = overflows;
    state.c = carry;
    state.n = difference[7];
    state.z = graph.is_zero(&difference);
    state.a = std::array::from_fn(|i| match i {
        0..4 => low[i],
        _ => graph.mux(top_fits, top[i - 4], less[i - 4]),
    });
}

/// `arr`: the AND, rotated right through the adder, whose decimal correction applies.
fn rotate_masked(graph: &mut Graph, state: &mut State, value: &Byte) {
    let masked = graph.each(&state.a, value, Graph::and);
    let rotated: Byte = std::array::from_fn(|i| if i == 7 { state.c } else { masked[i + 1] });
    show(graph, state, &rotated);
    if !state.d {
        state.c = rotated[6];
        state.v = graph.xor(rotated[6], rotated[5]);
        state.a = rotated;
        return;
    }
    state.v = graph.xor(masked[6], rotated[6]);
    // A digit plus its own low bit that is above five: 5 (its low bit is set) or more.
    let above = |graph: &mut Graph, digit: &[Bit]| {
        let five = graph.and(digit[2], digit[0]);
        let six = graph.and(digit[2], digit[1]);
        let either = graph.or(five, six);
        graph.or(digit[3], either)
    };
    let six = [Bit::FALSE, Bit::TRUE, Bit::TRUE, Bit::FALSE];
    let low_above = above(graph, &masked[..4]);
    let low = graph.add(&rotated[..4], &six, Bit::FALSE).0;
    let top_above = above(graph, &masked[4..]);
    let top = graph.add(&rotated[4..], &six, Bit::FALSE).0;
    state.c = top_above;
    state.a = std::array::from_fn(|i| match i {
        0..4 => graph.mux(low_above, low[i], rotated[i]),
        _ => graph.mux(top_above, top[i - 4], rotated[i]),
    });
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tempo_emu::{Nmos, Ram, Registers, Status, Until};
    use tempo_random::Random;

    use super::*;
    use crate::limits::Limits;
    use crate::state::Before;

    /// Random states, those of the 6502's registers and of memory around the places that matter, stepped by the emulator and
    /// with constants by the symbolic machine: registers, flags, memory and cycles are the same, for every opcode.
    #[test]
    fn every_opcode_does_what_the_emulator_does() {
        let rounds = if std::env::var("TEMPO_PROVE").is_ok_and(|it| it == "all") { 10_000 } else { 40 };
        let mut random = Random::new(6502);
        for opcode in 0..=255u8 {
            let row = Cpu::Mos6502.decode(opcode);
            let is_left_out = row.effects.stability != Stability::Stable
                || is_lxa(row)
                || matches!(row.mnemonic, Mnemonic::Brk | Mnemonic::Jam);
            if is_left_out {
                continue;
            }
            for round in 0..rounds {
                check_step(&mut random, opcode, round);
            }
        }
    }

    fn check_step(random: &mut Random, opcode: u8, round: u32) {
        let mut ram = Ram::new();
        let mut known_bytes = crate::known::Known::default();
        // The zero page, the stack, the code and the pages of the operand are random; nothing else is reached.
        let high = random.next_u8();
        let pages = [0, 1, high, high.wrapping_add(1), 0x30, 0x31];
        let addresses: Vec<u16> = pages
            .iter()
            .flat_map(|&page| (0..=255).map(move |low| u16::from_le_bytes([low, page])))
            .collect();
        for &address in &addresses {
            ram[address] = random.next_u8();
        }
        let at = if round.is_multiple_of(8) { 0x30fe } else { 0x3000 + u16::from(random.next_u8()) };
        for (offset, byte) in [opcode, random.next_u8(), high].into_iter().enumerate() {
            ram[at + offset as u16] = byte;
        }
        let x = random.next_u8();
        // Pointers lead into the same page.
        for index in [0, x] {
            let place = u16::from(ram[at + 1].wrapping_add(index).wrapping_add(1));
            ram[place] = high;
        }
        for &address in &addresses {
            known_bytes.insert(address, ram[address]);
        }
        let before = Before { known: Arc::new(known_bytes), ..Before::default() };
        let p = Status::from_byte(random.next_u8());
        let registers =
            Registers { pc: at, a: random.next_u8(), x, y: random.next_u8(), s: random.next_u8(), p };
        let mut world = World::new(&Limits::default());
        let flag = |mask: u8| Bit::of(p.has(mask));
        let mut state = State::new(Arc::new(before), at, registers.s);
        (state.a, state.x, state.y) = (byte(registers.a), byte(registers.x), byte(registers.y));
        (state.n, state.v, state.z, state.c) =
            (flag(Status::N), flag(Status::V), flag(Status::Z), flag(Status::C));
        (state.i, state.d) = (flag(Status::I), p.has(Status::D));
        let mut cpu = tempo_emu::Cpu::<Nmos>::with_registers(registers);
        cpu.run(&mut ram, Until::cycles(1));
        let mut found = step_once(&mut world, state, 0xff).expect("it is stable");
        assert_eq!(found.len(), 1, "${opcode:02X}");
        let (state, ending) = found.remove(0);
        let value = |byte: &Byte| known(byte).expect("constants stay constant");
        let now = cpu.registers;
        let shown = [value(&state.a), value(&state.x), value(&state.y), state.s];
        assert_eq!(shown, [now.a, now.x, now.y, now.s], "${opcode:02X} from {registers}");
        let flags = [state.n, state.v, state.z, state.c, state.i, Bit::of(state.d)];
        let expected = [Status::N, Status::V, Status::Z, Status::C, Status::I, Status::D]
            .map(|mask| Bit::of(now.p.has(mask)));
        assert_eq!(flags, expected, "${opcode:02X} from {registers}: flags");
        if ending.is_none() {
            assert_eq!(state.pc, now.pc, "${opcode:02X} from {registers}: pc");
        }
        assert_eq!((state.cost.base, state.cost.extra.len()), (cpu.cycles, 0), "${opcode:02X}: cycles");
        for &address in &addresses {
            let byte = state.memory.get(&mut world, address);
            assert_eq!(known(&byte), Some(ram[address]), "${opcode:02X}: ${address:04X}");
        }
    }
}
