//! Instructions that read, write and move values, by their class.

use tempo_isa::{Class, Instruction, Mnemonic, Mode, Timing};

use super::values::{count, modify, operate, show};
use super::{Run, Step, Stepped};
use crate::graph::{Bit, Byte, Graph, byte, known};
use crate::state::State;
use crate::world::Blocked;

impl Run<'_> {
    pub(super) fn read(&mut self, mut state: State, row: &Instruction, bytes: &[Byte], at: u16) -> Step {
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

    pub(super) fn write(&mut self, mut state: State, row: &Instruction, bytes: &[Byte], at: u16) -> Step {
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

    pub(super) fn register(&mut self, mut state: State, row: &Instruction, at: u16) -> Step {
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
