//! What the CPU is connected to.

mod banked;
mod port;
mod ram;

pub use banked::{Banked, Io, NoIo, Rom, RomError};
pub use port::Port6510;
pub use ram::{LoadError, Ram};

use alloc::boxed::Box;

use crate::Pins;

/// A machine as the CPU sees it. **One call of `read` or `write` is one clock cycle**, and every cycle is
/// such a call, dummy accesses included. `cycle` numbers it, counted by the CPU, so that a machine with
/// timers need not count for itself and may work out lazily what happened since.
pub trait Bus {
    /// The pins this machine may ever pull. What is not named here is not even looked at.
    const PINS: Pins = Pins::NONE;

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
}

macro_rules! forward {
    () => {
        const PINS: Pins = B::PINS;
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
    };
}

impl<B: Bus> Bus for &mut B {
    forward!();
}

impl<B: Bus> Bus for Box<B> {
    forward!();
}
