//! The bus: everything the CPU is connected to.

mod banked;
mod fast;
pub(crate) mod pages;
mod port;
mod ram;

pub use banked::{Banked, Io, NoIo, Rom, RomError, UnderIo};
pub use fast::{CodeWindow, FastBus, PlainMemory};
pub use port::Port6510;
pub use ram::{LoadError, Ram};

use alloc::boxed::Box;

use crate::{Hooks, Pins, Run, Stop, Variant};

/// A part of a machine's memory, for those who look at it from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The memory that the CPU sees.
    Cpu,
    /// The RAM, whatever is shown over it.
    Ram,
    /// The ROM sockets, and RAM where there is none.
    Rom,
    /// The chips at $D000-$DFFF, and RAM elsewhere.
    Io,
    /// The bytes in the expansion port, and what the CPU sees elsewhere.
    Cartridge,
}

/// A machine as the CPU sees it: memory, devices, and the pins they pull.
///
/// **One call of `read` or `write` is one clock cycle**, and every cycle is one such call, dummy accesses
/// included. The CPU numbers the cycles, so a machine with timers need not count: it can work out what happened
/// since the last call when it is asked.
///
/// A machine needs `PINS`, `read` and `write`:
///
/// ```
/// use tempo_emu::{Bus, Cpu, Nmos, Pins, Until};
///
/// struct Machine {
///     ram: [u8; 0x10000],
///     printed: Vec<u8>,
/// }
///
/// impl Bus for Machine {
///     const PINS: Pins = Pins::NONE; // it never interrupts
///
///     fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
///         self.ram[usize::from(addr)]
///     }
///
///     fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
///         match addr {
///             0xf001 => self.printed.push(value),
///             _ => self.ram[usize::from(addr)] = value,
///         }
///     }
/// }
///
/// let mut machine = Machine { ram: [0; 0x10000], printed: Vec::new() };
/// // lda #'!'; sta $f001; brk
/// machine.ram[0x1000..0x1006].copy_from_slice(&[0xa9, b'!', 0x8d, 0x01, 0xf0, 0x00]);
/// let mut cpu = Cpu::<Nmos>::new();
/// cpu.registers.pc = 0x1000;
/// cpu.run(&mut machine, Until::brk());
/// assert_eq!(machine.printed, b"!");
/// ```
///
/// A machine that interrupts names the pins it pulls in [`Bus::PINS`], holds a [`crate::Lines`], and returns its
/// state from [`Bus::pins`] and its latched edges to [`Bus::acknowledge`]; `emu/examples/timer.rs` is one.
///
/// # Pins
///
/// | pin | the CPU looks at it |
/// |---|---|
/// | IRQ, NMI | once an instruction, before its last cycle |
/// | RDY, SO, RES | after every cycle |
///
/// While RDY is low, a read is repeated: `read` is called once for every cycle, and the last value counts. A
/// machine that is using the bus itself (DMA) ignores the stalled reads. Writes are not stopped.
///
/// # Speed
///
/// The default compiles a loop with `read` and `write` inlined in it. [`FastBus`] is for machines that want more,
/// and [`Bus::run_cpu`] is where they ask for it. Machines that drive RDY, SO or RES run on the shared core,
/// which is compiled once for all machines and looks at the pins in every cycle; [`FastBus::ready_at`] lifts that
/// for RDY.
pub trait Bus {
    /// The pins this machine may ever pull: [`Pins::NONE`] if it pulls none. The CPU does not look at the others,
    /// and calls [`Bus::pins`] only if there is one, so the constant has no default.
    const PINS: Pins;

    /// A read cycle.
    fn read(&mut self, addr: u16, cycle: u64) -> u8;

    /// A write cycle.
    fn write(&mut self, addr: u16, value: u8, cycle: u64);

    /// Returns the byte that a read would give, without a cycle and without effects, for hooks that look at memory. `None` where the
    /// machine cannot tell.
    #[inline(always)]
    fn look(&self, addr: u16) -> Option<u8> {
        let _ = addr;
        None
    }

    /// The same in a part of the memory, whatever the CPU sees. Without parts it is what the CPU sees.
    fn look_in(&self, part: Part, addr: u16) -> Option<u8> {
        let _ = part;
        self.look(addr)
    }

    /// The bank of a cartridge that is switched in, if there is a cartridge.
    fn cartridge_bank(&self) -> Option<u16> {
        None
    }

    /// Levels and latches of the pins as they were in the last cycle, when `cycles` of them are over.
    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        let _ = cycles;
        Pins::NONE
    }

    /// The CPU has served these latched edges; see [`crate::Lines::acknowledge`]. It has asked for the pins of
    /// the same cycle before.
    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        let _ = edges;
    }

    /// Selects the loop that runs the CPU on this machine: [`Run::inlined`] unless it is overridden,
    /// [`Run::fast`] for a [`FastBus`], [`Run::shared`] for machines that are not worth their own loop.
    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop
    where
        Self: Sized,
    {
        run.inlined(self)
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
        fn look(&self, addr: u16) -> Option<u8> {
            (**self).look(addr)
        }
        fn look_in(&self, part: Part, addr: u16) -> Option<u8> {
            (**self).look_in(part, addr)
        }
        fn cartridge_bank(&self) -> Option<u16> {
            (**self).cartridge_bank()
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
        fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
            (**self).run_cpu(run)
        }
    };
}

impl<B: Bus> Bus for &mut B {
    forward!();
}

impl<B: Bus> Bus for Box<B> {
    forward!();
}
