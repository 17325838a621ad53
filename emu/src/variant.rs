//! The chips: constants that the core is compiled for.

use tempo_isa::Core;

use crate::exec::Cores;

/// A member of the family, as constants. The crate has three; others cannot be added from outside.
pub trait Variant: Cores + Clone + Copy + PartialEq + Eq + core::fmt::Debug + Default {
    /// Whether the D flag changes `adc` and `sbc`.
    const DECIMAL: bool;
    /// Whether this is the 65C02 with its own opcodes and dummy cycles.
    const CMOS: bool;
    /// The instruction set, for the disassembler.
    const ISA: tempo_isa::Cpu;
}

/// The NMOS 6502 and 6510.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nmos;

impl Variant for Nmos {
    const DECIMAL: bool = true;
    const CMOS: bool = false;
    const ISA: tempo_isa::Cpu = tempo_isa::Cpu::Mos6502;
}

/// The Ricoh 2A03 and 2A07: an NMOS 6502 without decimal arithmetic. The D flag is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ricoh2A03;

impl Variant for Ricoh2A03 {
    const DECIMAL: bool = false;
    const CMOS: bool = false;
    const ISA: tempo_isa::Cpu = tempo_isa::Cpu::Ricoh2A03;
}

/// The WDC 65C02, with the Rockwell bit instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cmos;

impl Variant for Cmos {
    const DECIMAL: bool = true;
    const CMOS: bool = true;
    const ISA: tempo_isa::Cpu = tempo_isa::Cpu::Wdc65c02;
}

/// Code that is compiled for every core, for [`with_core`].
pub trait ForCore {
    /// The result.
    type Output;

    /// Runs on the core of this variant.
    fn run<V: Variant>(self) -> Self::Output;
}

/// Runs the instance of the code that is compiled for this core of the registry in `tempo-isa`.
pub fn with_core<C: ForCore>(core: Core, code: C) -> C::Output {
    match core {
        Core::Nmos => code.run::<Nmos>(),
        Core::Ricoh2A03 => code.run::<Ricoh2A03>(),
        Core::Cmos => code.run::<Cmos>(),
    }
}
