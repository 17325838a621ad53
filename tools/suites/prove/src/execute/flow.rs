//! Branches, jumps, calls and returns: where a way goes on, and where it ends.

use tempo_isa::{Instruction, Mnemonic, Mode};

use super::{End, Ending, Run, Step, Stepped, failed, push, set_status};
use crate::graph::{Byte, byte, known};
use crate::state::State;
use crate::world::Blocked;

impl Run<'_> {
    pub(super) fn branch(&mut self, mut state: State, row: &Instruction, offset: u8, at: u16) -> Step {
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
                let taken = self.jumped(taken, at);
                Ok(Stepped::Split(vec![Stepped::On(state), taken]))
            }
        }
    }

    /// After a jump: one that goes back may go round for ever.
    pub(super) fn jumped(&mut self, mut state: State, from: u16) -> Stepped {
        if state.pc <= from && state.goes_round() {
            let reason = format!("never ends: it goes round at ${:04X} and nothing changes", state.pc);
            return failed(state, reason);
        }
        Stepped::On(state)
    }

    pub(super) fn flow(&mut self, mut state: State, row: &Instruction, bytes: &[Byte], at: u16) -> Step {
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
}
