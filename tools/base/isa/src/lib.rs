#![doc = include_str!("../README.md")]
#![no_std]
#![warn(missing_docs)]

mod ce02;
mod cmos;
mod cpu;
mod effects;
mod huc;
mod mnemonic;
mod mode;
mod nmos;
pub mod opcodes;
mod set;

pub use cpu::{Core, Cpu, Family};
pub use effects::{Effects, Flow, Memory, Parts, Stability};
pub use mnemonic::Mnemonic;
pub use mode::Mode;

/// One opcode: a row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// The first byte of the instruction after its prefix, and the index of the row.
    pub opcode: u8,
    /// The name of the operation.
    pub mnemonic: Mnemonic,
    /// How the bytes after the opcode give the operand.
    pub mode: Mode,
    /// Cycles without any of the additions of `timing`; 0 for `jam`, which never ends, and where they are not known.
    pub cycles: u8,
    /// The conditions that can add to `cycles`.
    pub timing: Timing,
    /// The instruction's bus class.
    pub class: Class,
    /// Whether the manufacturer documents the opcode, and whether assemblers can name it.
    pub standing: Standing,
    /// Registers, flags and memory that the instruction reads and writes.
    pub effects: Effects,
}

impl Instruction {
    /// The bytes before the opcode: those of the register Q, then that of a pointer of 32 bits.
    pub const fn prefix(&self) -> &'static [u8] {
        match (self.mnemonic.is_wide(), self.mode.is_far()) {
            (false, false) => &[],
            (false, true) => &[0xea],
            (true, false) => &[0x42, 0x42],
            (true, true) => &[0x42, 0x42, 0xea],
        }
    }

    /// Bytes of prefix, opcode and operand.
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.prefix().len() + 1 + self.mode.operand_len()
    }

    /// Cycles when everything that can add to them does.
    pub const fn max_cycles(&self) -> u8 {
        self.cycles
            + match self.timing {
                Timing::Fixed | Timing::Unknown => 0,
                Timing::Page | Timing::Decimal => 1,
                Timing::Branch | Timing::PageDecimal => 2,
            }
    }

    /// Whether source text can name this opcode; duplicates and jams can only be written as bytes.
    pub const fn is_nameable(&self) -> bool {
        !matches!(self.standing, Standing::Unnamed)
    }
}

/// The additions to the base cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// Nothing.
    Fixed,
    /// One cycle when indexing (or `bra`) crosses a page.
    Page,
    /// One cycle when the branch is taken, another when it lands in another page.
    Branch,
    /// One cycle in decimal mode (65C02).
    Decimal,
    /// One cycle for a page cross, one for decimal mode (65C02).
    PageDecimal,
    /// Cycles are not known: they depend on the speed of the machine.
    Unknown,
}

/// The instruction's work on the bus, after its operand is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Reads its operand.
    Read,
    /// Writes its operand.
    Write,
    /// Reads its operand and writes it back changed.
    Modify,
    /// Works inside the CPU.
    Register,
    /// Pushes one byte.
    Push,
    /// Pulls one byte.
    Pull,
    /// Goes on somewhere else if a condition holds.
    Branch,
    /// Goes on somewhere else, or stops.
    Flow,
    /// Does nothing, and takes a single cycle to do it (65C02).
    Skip,
}

/// How well an opcode's name is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// In the manufacturer's manual.
    Documented,
    /// Works, and assemblers have a name for it.
    Undocumented,
    /// Works, but assemblers choose another opcode for the name, or have none.
    Unnamed,
}
