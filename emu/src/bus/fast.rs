//! The fast path: what a machine can tell the CPU's loop so that it need not ask.

use alloc::boxed::Box;

use crate::{Bus, Pins};

/// How much of a machine's memory is plain: reads change nothing, and only the CPU sees an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainMemory {
    /// None. Every cycle calls [`Bus::read`] or [`Bus::write`].
    None,
    /// Some pages, as [`FastBus::read_plain`] and [`FastBus::write_plain`] tell.
    Paged,
    /// All 64 KB, and always.
    Flat,
}

/// A stretch of plain memory that instructions are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeWindow {
    /// The first address at which an instruction can begin.
    pub first: u16,
    /// The last one; three bytes from there must be plain, too.
    pub last: u16,
    /// Where `first` is: a number that [`FastBus::read_code`] understands. The bytes after it follow.
    pub place: usize,
}

/// A machine that knows more about itself than [`Bus`] asks for: which memory is plain, how long no interrupt can
/// come, how long RDY stays low. It opts in by overriding one method:
///
/// ```
/// use tempo_emu::{Bus, FastBus, Hooks, Pins, PlainMemory, Run, Stop, Variant};
/// # struct Machine { ram: Vec<u8> }
///
/// impl Bus for Machine {
///     const PINS: Pins = Pins::NONE;
/// #   fn read(&mut self, addr: u16, _cycle: u64) -> u8 { self.ram[usize::from(addr)] }
/// #   fn write(&mut self, addr: u16, value: u8, _cycle: u64) { self.ram[usize::from(addr)] = value }
///     // read, write, and:
///     fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
///         run.fast(self)
///     }
/// }
///
/// impl FastBus for Machine {
///     const MEMORY: PlainMemory = PlainMemory::Paged;
///
///     fn read_plain(&self, addr: u16) -> Option<u8> {
///         // Everything below the devices.
///         (addr < 0xd000).then(|| self.ram[usize::from(addr)])
///     }
///
///     fn write_plain(&mut self, addr: u16, value: u8) -> bool {
///         let is_plain = addr < 0xd000;
///         if is_plain {
///             self.ram[usize::from(addr)] = value;
///         }
///         is_plain
///     }
/// }
/// ```
///
/// The loop runs instructions on plain memory alone. When one meets something else, an interrupt or RDY, it is
/// dropped and begun again on the shared core with [`Bus::read`] and [`Bus::write`]; since reads of plain memory
/// change nothing, the restart is invisible. **These methods must agree with `read`, `write` and `pins`.**
pub trait FastBus: Bus {
    /// How much of the memory is plain.
    const MEMORY: PlainMemory;

    /// Whether [`FastBus::ready_at`] answers for RDY. Without it a machine that drives RDY runs on the shared core,
    /// which looks at the pin in every cycle.
    const KNOWS_READY: bool = false;

    /// Reads plain memory; `None` if the address is not plain. Either all addresses of a page can be
    /// read so or none.
    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        let _ = addr;
        None
    }

    /// Writes to plain memory; `false` if the address is not plain, and then nothing was done.
    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        let _ = (addr, value);
        false
    }

    /// The plain memory around an instruction, the more the better: the loop asks again when it leaves the window.
    /// It must stay there until something that is not plain is accessed.
    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<CodeWindow> {
        self.read_plain(pc)?;
        let (first, end) = (pc & 0xff00, pc | 0x00ff);
        let is_next_plain = end < 0xffff && self.read_plain(end + 1).is_some();
        let last = if is_next_plain { end } else { end - 2 };
        Some(CodeWindow { first, last, place: usize::from(first) })
    }

    /// A byte of the instruction at a place of a window; `offset` is 0, 1 or 2.
    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.read_plain((place as u16).wrapping_add(offset)).unwrap_or(0)
    }

    /// The least `cycles`, from `cycle` on, for which [`Bus::pins`] may show one of these, if nothing but plain
    /// memory is accessed until then: 0 if it shows one now or if that is not known, [`u64::MAX`] for never. The loop
    /// does not ask for the pins before. RDY that is low in cycle `n` shows in `pins(n + 1)`.
    #[inline(always)]
    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        let _ = cycle;
        if Self::PINS.and(pins.levels()) == Pins::NONE { u64::MAX } else { 0 }
    }

    /// With [`FastBus::KNOWS_READY`]: the first cycle, from `cycle` on, in which RDY is high. The CPU asks before
    /// it reads; the stalled cycles are over at once, and the read is made in the cycle returned.
    ///
    /// The CPU then asks for the pins with which the last stalled cycle ended, since interrupts are also decided
    /// while RDY is low. A line that was low in a stalled cycle and has been released before the last must still
    /// be reported there.
    #[inline(always)]
    fn ready_at(&mut self, cycle: u64) -> u64 {
        cycle
    }

    /// The same, with what the CPU has on the address bus meanwhile: `addr` in the first cycle, `then` in the others. For
    /// machines whose other chips watch the address bus.
    #[inline(always)]
    fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64 {
        let _ = (addr, then);
        self.ready_at(cycle)
    }

    /// Whether the run is to end after this instruction, with [`crate::Stop::Machine`]. Asked after instructions that
    /// met something else than plain memory.
    #[inline(always)]
    fn ends_run(&self) -> bool {
        false
    }

    /// Called when a run ends, with the cycle count, so that the machine can catch up.
    #[inline(always)]
    fn run_ended(&mut self, cycles: u64) {
        let _ = cycles;
    }
}

macro_rules! forward {
    () => {
        const MEMORY: PlainMemory = B::MEMORY;
        const KNOWS_READY: bool = B::KNOWS_READY;
        #[inline(always)]
        fn read_plain(&self, addr: u16) -> Option<u8> {
            (**self).read_plain(addr)
        }
        #[inline(always)]
        fn write_plain(&mut self, addr: u16, value: u8) -> bool {
            (**self).write_plain(addr, value)
        }
        #[inline(always)]
        fn code_around(&self, pc: u16) -> Option<CodeWindow> {
            (**self).code_around(pc)
        }
        #[inline(always)]
        fn read_code(&self, place: usize, offset: u16) -> u8 {
            (**self).read_code(place, offset)
        }
        #[inline(always)]
        fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
            (**self).quiet_until(pins, cycle)
        }
        #[inline(always)]
        fn ready_at(&mut self, cycle: u64) -> u64 {
            (**self).ready_at(cycle)
        }
        #[inline(always)]
        fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64 {
            (**self).ready_for(addr, then, cycle)
        }
        #[inline(always)]
        fn ends_run(&self) -> bool {
            (**self).ends_run()
        }
        #[inline(always)]
        fn run_ended(&mut self, cycles: u64) {
            (**self).run_ended(cycles);
        }
    };
}

impl<B: FastBus> FastBus for &mut B {
    forward!();
}

impl<B: FastBus> FastBus for Box<B> {
    forward!();
}
