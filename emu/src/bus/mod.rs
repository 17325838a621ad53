//! What the CPU is connected to.

mod banked;
mod port;
mod ram;

pub use banked::{Banked, Io, NoIo, Rom, RomError};
pub use port::Port6510;
pub use ram::{LoadError, Ram};

use alloc::boxed::Box;

use crate::exec::{self, Exit, Span};
use crate::{Cpu, Hooks, Pins, Variant};

/// How the CPU's core is compiled for a machine, if no pin of it can act in the middle of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coupling {
    /// Through a pointer: nothing is compiled, and a run is several times slower.
    Shared,
    /// A loop of its own, with `read` and `write` in it. For machines that are clocked in every cycle; a large
    /// body should be `#[inline(never)]`, since there are over a thousand places that call it.
    Inlined,
    /// A loop of its own, with plain memory in it; what is not plain is done through a pointer.
    Plain,
    /// The same for 64 KB of memory that is all plain, as [`Ram`].
    Flat,
}

/// A stretch of plain memory that instructions are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The first address where an instruction can begin, and the last: three bytes from there are plain, too.
    pub first: u16,
    pub last: u16,
    /// Where the first one is: a number for [`Bus::read_code`]. The others follow.
    pub place: usize,
}

/// A machine as the CPU sees it. **One call of `read` or `write` is one clock cycle**, and every cycle is
/// such a call, dummy accesses included. `cycle` numbers it, counted by the CPU, so that a machine with
/// timers need not count for itself and may work out lazily what happened since.
pub trait Bus {
    /// The pins this machine may ever pull. What is not named here is not even looked at.
    const PINS: Pins = Pins::NONE;

    /// How the core is compiled for it.
    const COUPLING: Coupling = Coupling::Inlined;

    /// A read cycle.
    fn read(&mut self, addr: u16, cycle: u64) -> u8;

    /// A write cycle.
    fn write(&mut self, addr: u16, value: u8, cycle: u64);

    /// Levels and latches of the pins in the last cycle; `cycles` of them are over. The CPU asks only when
    /// it matters: once an instruction for interrupts, after every cycle for RDY, SO and RES.
    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        let _ = cycles;
        Pins::NONE
    }

    /// The CPU has served these latched edges; see [`crate::Lines::acknowledge`].
    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        let _ = edges;
    }

    /// With [`Coupling::Plain`]: the plain memory around an instruction, the more the better. It must stay
    /// there until something else than plain memory is touched.
    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<Code> {
        self.read_plain(pc)?;
        let (first, end) = (pc & 0xff00, pc | 0x00ff);
        let is_next_plain = end < 0xffff && self.read_plain(end + 1).is_some();
        let last = if is_next_plain { end } else { end - 2 };
        Some(Code { first, last, place: usize::from(first) })
    }

    /// With [`Coupling::Plain`]: a byte of the instruction at a place; `offset` is 0, 1 or 2.
    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.read_plain((place as u16).wrapping_add(offset)).unwrap_or(0)
    }

    /// With [`Coupling::Plain`]: what a read of plain memory gives, where nothing but the CPU would notice it.
    /// `None` sends the instruction to `read` and `write`, from its beginning. Either all addresses of a page
    /// can be read so or none.
    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        let _ = addr;
        None
    }

    /// With [`Coupling::Plain`]: writes to plain memory; `false` if it is not, and nothing was done.
    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        let _ = (addr, value);
        false
    }

    /// The cycle until which [`Bus::pins`] shows none of these, as long as nothing but plain memory is touched;
    /// 0 if it shows one now or if that is not known, [`u64::MAX`] for never. With [`Coupling::Plain`] nobody
    /// looks at the pins before.
    #[inline(always)]
    fn quiet_until(&self, pins: Pins) -> u64 {
        let _ = pins;
        if Self::PINS.has_any(Pins::IRQ.or(Pins::NMI)) { 0 } else { u64::MAX }
    }

    /// The loop compiled for this machine.
    #[doc(hidden)]
    fn run_own<V: Variant, H: Hooks>(&mut self, cpu: &mut Cpu<V>, hooks: &mut H, span: Span) -> Exit
    where
        Self: Sized,
    {
        exec::run_own(cpu, self, hooks, span)
    }
}

macro_rules! forward {
    () => {
        const PINS: Pins = B::PINS;
        const COUPLING: Coupling = B::COUPLING;
        #[inline(always)]
        fn read(&mut self, addr: u16, cycle: u64) -> u8 {
            (**self).read(addr, cycle)
        }
        #[inline(always)]
        fn write(&mut self, addr: u16, value: u8, cycle: u64) {
            (**self).write(addr, value, cycle);
        }
        #[inline(always)]
        fn pins(&mut self, cycles: u64) -> Pins {
            (**self).pins(cycles)
        }
        #[inline(always)]
        fn acknowledge(&mut self, edges: Pins) {
            (**self).acknowledge(edges);
        }
        #[inline(always)]
        fn code_around(&self, pc: u16) -> Option<Code> {
            (**self).code_around(pc)
        }
        #[inline(always)]
        fn read_code(&self, place: usize, offset: u16) -> u8 {
            (**self).read_code(place, offset)
        }
        #[inline(always)]
        fn read_plain(&self, addr: u16) -> Option<u8> {
            (**self).read_plain(addr)
        }
        #[inline(always)]
        fn write_plain(&mut self, addr: u16, value: u8) -> bool {
            (**self).write_plain(addr, value)
        }
        #[inline(always)]
        fn quiet_until(&self, pins: Pins) -> u64 {
            (**self).quiet_until(pins)
        }
        fn run_own<V: Variant, H: Hooks>(&mut self, cpu: &mut Cpu<V>, hooks: &mut H, span: Span) -> Exit {
            (**self).run_own(cpu, hooks, span)
        }
    };
}

impl<B: Bus> Bus for &mut B {
    forward!();
}

impl<B: Bus> Bus for Box<B> {
    forward!();
}
