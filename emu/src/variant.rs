//! The chips: constants that the core is compiled for.

use crate::exec::{self, Exit, Machine, Span};
use crate::{Cpu, NoHooks, Ram, Stop};

/// A member of the family, as constants.
pub trait Variant: Clone + Copy + PartialEq + Eq + core::fmt::Debug + Default {
    /// Whether the D flag changes `adc` and `sbc`.
    const DECIMAL: bool;
    /// Whether this is the 65C02 with its own opcodes and dummy cycles.
    const CMOS: bool;
    /// The member of the instruction table.
    const ISA: isa::Cpu;

    /// A run on the core that all machines share.
    #[doc(hidden)]
    fn run_shared(cpu: &mut Cpu<Self>, machine: &mut dyn Machine, span: Span) -> Stop;

    /// One step on that core.
    #[doc(hidden)]
    fn step_shared(cpu: &mut Cpu<Self>, machine: &mut dyn Machine, span: Span, exit: Exit) -> Option<Stop>;

    /// The loop on flat RAM.
    #[doc(hidden)]
    fn run_ram(cpu: &mut Cpu<Self>, ram: &mut Ram, span: Span) -> Exit;
}

/// The cores that are compiled here, once for every program.
macro_rules! cores {
    () => {
        #[inline(never)]
        fn run_shared(cpu: &mut Cpu<Self>, machine: &mut dyn Machine, span: Span) -> Stop {
            exec::run_shared(cpu, machine, span)
        }

        #[inline(never)]
        fn step_shared(
            cpu: &mut Cpu<Self>,
            machine: &mut dyn Machine,
            span: Span,
            exit: Exit,
        ) -> Option<Stop> {
            exec::step_shared(cpu, machine, span, exit)
        }

        #[inline(never)]
        fn run_ram(cpu: &mut Cpu<Self>, ram: &mut Ram, span: Span) -> Exit {
            exec::run_own(cpu, ram, &mut NoHooks, span)
        }
    };
}

/// The NMOS 6502 and 6510.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nmos;

impl Variant for Nmos {
    const DECIMAL: bool = true;
    const CMOS: bool = false;
    const ISA: isa::Cpu = isa::Cpu::Mos6502;

    cores!();
}

/// The NMOS 6502 without decimal arithmetic, as in the 2A03. The D flag is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoDecimal;

impl Variant for NoDecimal {
    const DECIMAL: bool = false;
    const CMOS: bool = false;
    const ISA: isa::Cpu = isa::Cpu::Mos6502;

    cores!();
}

/// The WDC 65C02, with the Rockwell bit instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cmos;

impl Variant for Cmos {
    const DECIMAL: bool = true;
    const CMOS: bool = true;
    const ISA: isa::Cpu = isa::Cpu::Wdc65c02;

    cores!();
}
