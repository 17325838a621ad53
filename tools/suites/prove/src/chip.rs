//! Opcodes whose result depends on the chip and its temperature: nothing is proved about a run that meets one.

use std::ops::ControlFlow;

use tempo_emu::{Bus, Hooks, Registers};
use tempo_isa::{Cpu, Mnemonic, Mode, Stability};

/// The name of an opcode whose result depends on the chip, for some operands at least.
pub fn chip_dependent(opcode: u8) -> Option<&'static str> {
    let row = Cpu::Mos6502.decode(opcode);
    match (row.mnemonic, row.mode) {
        (Mnemonic::Lax, Mode::Immediate) => Some("lxa"),
        _ => (row.effects.stability == Stability::Unstable).then(|| row.mnemonic.name()),
    }
}

/// The same for an instruction with its operand.
pub(crate) fn depends_on_chip(opcode: u8, operand: Option<u8>) -> Option<&'static str> {
    // Without a bit in the operand, the bits that depend on the chip do not matter.
    let is_harmless = Cpu::Mos6502.decode(opcode).mode == Mode::Immediate && operand == Some(0);
    chip_dependent(opcode).filter(|_| !is_harmless)
}

/// Looks for such an instruction during a run.
#[derive(Debug, Default)]
pub struct ChipWatch {
    /// The first one that was met, and its name.
    pub refused: Option<(u16, &'static str)>,
}

impl ChipWatch {
    /// Why nothing is proved, if one was met.
    pub fn reason(&self) -> Option<String> {
        self.refused.map(|(at, name)| reason(at, name))
    }
}

pub(crate) fn reason(at: u16, name: &str) -> String {
    format!("{name} at ${at:04X} depends on the chip")
}

impl Hooks for ChipWatch {
    const ACCESSES: bool = false;

    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, _cycles: u64) -> ControlFlow<()> {
        let at = |offset: u16| bus.look(registers.pc.wrapping_add(offset));
        if let Some(name) = at(0).and_then(|opcode| depends_on_chip(opcode, at(1))) {
            self.refused.get_or_insert((registers.pc, name));
        }
        ControlFlow::Continue(())
    }
}
