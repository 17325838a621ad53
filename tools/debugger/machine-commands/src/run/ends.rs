//! `--until` on a whole machine: what ends a run before its frames are over.

use std::ops::ControlFlow;

use tempo_emu::{Hooks, Registers};
use tempo_formats::symbols::Symbols;

use super::image::address;

/// The condition that ends a run.
#[derive(Debug, Default, Clone)]
pub struct Ends {
    addresses: Vec<u16>,
    brk: bool,
    /// The return to BASIC.
    pub rts: bool,
    trap: bool,
}

impl Ends {
    /// Reads what `--until` gives.
    pub fn parse(texts: &[String], symbols: &Symbols) -> Result<Ends, String> {
        let mut ends = Ends::default();
        for text in texts {
            match text.as_str() {
                "brk" => ends.brk = true,
                "rts" => ends.rts = true,
                "trap" => ends.trap = true,
                text => ends.addresses.push(address(text, symbols, "--until")?),
            }
        }
        Ok(ends)
    }

    /// Whether a hook has to look for the end.
    pub fn is_watched(&self) -> bool {
        self.brk || self.trap || !self.addresses.is_empty()
    }

    pub fn needs_opcodes(&self) -> bool {
        self.brk
    }
}

/// Ends a run where it was asked to. A BRK is seen when its opcode is fetched, which takes the slower loop: `OPCODES` asks for it.
pub struct Watch<'a, const OPCODES: bool> {
    ends: &'a Ends,
    /// The instruction before.
    last: Option<u16>,
    /// The BRK that has run.
    brk: bool,
}

impl<'a, const OPCODES: bool> Watch<'a, OPCODES> {
    pub fn new(ends: &'a Ends) -> Watch<'a, OPCODES> {
        Watch { ends, last: None, brk: false }
    }
}

impl<const OPCODES: bool> Hooks for Watch<'_, OPCODES> {
    const ACCESSES: bool = OPCODES;

    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, _cycles: u64) -> ControlFlow<()> {
        let pc = registers.pc;
        let is_trap = self.ends.trap && self.last == Some(pc);
        if self.brk || is_trap || self.ends.addresses.contains(&pc) {
            return ControlFlow::Break(());
        }
        self.last = Some(pc);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn opcode(&mut self, _pc: u16, opcode: u8, _cycles: u64) {
        self.brk |= self.ends.brk && opcode == tempo_isa::opcodes::BRK;
    }
}
