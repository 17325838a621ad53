//! The ways the core is connected to a machine; the core is compiled for each.
//! The core alone decides what is on the bus, and when.

use core::marker::PhantomData;
use core::ops::ControlFlow;

use crate::{Access, Bus, CodeWindow, FastBus, Hooks, Interrupt, Pins, PlainMemory, Registers};

use super::every_cycle;

/// The pins that interrupt.
pub(super) const INTERRUPTS: Pins = Pins::IRQ.or(Pins::NMI_EDGE);

/// A connection. The constants say what the core may rely on; code they exclude is not compiled.
pub(super) trait Link {
    /// Instructions can be begun again elsewhere: reads change nothing, and a cycle that would is refused.
    const IS_PLAIN: bool;
    /// All memory is plain and in one piece.
    const IS_FLAT: bool;
    /// Pins are watched in every cycle, and so are the accesses.
    const IS_WATCHED: bool;
    /// The interrupt lines are looked at.
    const INTERRUPTIBLE: bool;
    /// Reads can take longer, because RDY is low.
    const STALLS: bool;
    /// The machine drives RDY, so a core that refuses must end before it is low.
    const ENDS_BEFORE_STALLS: bool = false;
    /// Whether [`Link::instruction`] is to be called.
    const INSTRUCTIONS: bool;
    /// Whether [`Link::called`] and [`Link::returned`] are to be called.
    const CALLS: bool;
    /// Whether [`Link::selects`] is to be asked, and the hook is called outside of the loop.
    const SELECTS: bool = false;

    /// The memory around an instruction whose bytes can be read with [`Link::code`]. Asked by cores that refuse.
    #[inline(always)]
    fn code_around(&self, _pc: u16) -> Option<CodeWindow> {
        None
    }

    /// A byte of the instruction at a place.
    #[inline(always)]
    fn code(&self, _place: usize, _offset: u16) -> u8 {
        0
    }

    /// A read cycle; `None` if it is refused.
    fn read(&mut self, addr: u16, access: Access, cycle: u64) -> Option<u8>;

    /// A write cycle; whether it was done.
    fn write(&mut self, addr: u16, value: u8, access: Access, cycle: u64) -> bool;

    /// As [`FastBus::quiet_until`]. Asked by cores that refuse.
    #[inline(always)]
    fn quiet_until(&self, _pins: Pins, _cycle: u64) -> u64 {
        u64::MAX
    }

    /// As [`FastBus::ready_for`].
    #[inline(always)]
    fn ready_for(&mut self, _addr: u16, _then: u16, cycle: u64) -> u64 {
        cycle
    }

    /// As [`FastBus::ends_run`]. Asked by the shared core.
    fn ends_run(&self) -> bool {
        false
    }

    /// Levels and latches of the pins. Not asked by cores that refuse.
    fn pins(&mut self, _cycles: u64) -> Pins {
        Pins::NONE
    }

    /// Whether there is a hook for instructions; a constant where it can be.
    #[inline(always)]
    fn is_hooked(&self) -> bool {
        Self::INSTRUCTIONS
    }

    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()>;

    /// As [`Hooks::selects`].
    #[inline(always)]
    fn selects(&mut self, _pc: u16, _s: u8) -> bool {
        false
    }

    /// The pins to look at after every cycle.
    #[inline(always)]
    fn watched(&self) -> Pins {
        Pins::NONE
    }

    /// The CPU has served these edges.
    fn acknowledge(&mut self, _edges: Pins) {}

    fn opcode(&mut self, _pc: u16, _opcode: u8, _cycles: u64) {}

    fn interrupt(&mut self, _interrupt: Interrupt, _registers: &Registers, _cycles: u64) {}

    /// After a `jsr`.
    fn called(&mut self);

    /// After an `rts`.
    fn returned(&mut self) -> ControlFlow<()>;
}

/// Plain memory, inlined. Everything else is refused and left to the shared core.
pub(super) struct Plain<'a, B, H> {
    pub bus: &'a mut B,
    pub hooks: &'a mut H,
}

impl<B: FastBus, H: Hooks> Link for Plain<'_, B, H> {
    const IS_PLAIN: bool = true;
    const IS_FLAT: bool = matches!(B::MEMORY, PlainMemory::Flat);
    const IS_WATCHED: bool = false;
    // It ends before an interrupt can come.
    const INTERRUPTIBLE: bool = false;
    const STALLS: bool = false;
    const ENDS_BEFORE_STALLS: bool = B::PINS.has(Pins::RDY);
    const INSTRUCTIONS: bool = H::INSTRUCTIONS && !H::SELECTS;
    const CALLS: bool = H::CALLS;
    const SELECTS: bool = H::SELECTS;

    #[inline(always)]
    fn selects(&mut self, pc: u16, s: u8) -> bool {
        self.hooks.selects(pc, s)
    }

    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<CodeWindow> {
        self.bus.code_around(pc)
    }

    #[inline(always)]
    fn code(&self, place: usize, offset: u16) -> u8 {
        self.bus.read_code(place, offset)
    }

    #[inline(always)]
    fn read(&mut self, addr: u16, _access: Access, _cycle: u64) -> Option<u8> {
        self.bus.read_plain(addr)
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, _access: Access, _cycle: u64) -> bool {
        self.bus.write_plain(addr, value)
    }

    #[inline(always)]
    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        self.bus.quiet_until(pins, cycle)
    }

    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.hooks.instruction_on(&*self.bus, registers, cycles)
    }

    #[inline(always)]
    fn called(&mut self) {
        self.hooks.called();
    }

    #[inline(always)]
    fn returned(&mut self) -> ControlFlow<()> {
        self.hooks.returned()
    }
}

/// A bus whose every cycle is inlined.
pub(super) struct Inlined<'a, B, H, F> {
    pub bus: &'a mut B,
    pub hooks: &'a mut H,
    pub forecast: PhantomData<F>,
}

impl<B: Bus, H: Hooks, F: Forecast<B>> Link for Inlined<'_, B, H, F> {
    const IS_PLAIN: bool = false;
    const IS_FLAT: bool = false;
    const IS_WATCHED: bool = false;
    const INTERRUPTIBLE: bool = B::PINS.has_any(Pins::IRQ.or(Pins::NMI));
    const STALLS: bool = F::STALLS;
    const INSTRUCTIONS: bool = H::INSTRUCTIONS;
    const CALLS: bool = H::CALLS;

    #[inline(always)]
    fn read(&mut self, addr: u16, _access: Access, cycle: u64) -> Option<u8> {
        Some(self.bus.read(addr, cycle))
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, _access: Access, cycle: u64) -> bool {
        self.bus.write(addr, value, cycle);
        true
    }

    #[inline(always)]
    fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64 {
        F::ready_for(self.bus, addr, then, cycle)
    }

    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        self.bus.pins(cycles)
    }

    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.hooks.instruction_on(&*self.bus, registers, cycles)
    }

    #[inline(always)]
    fn called(&mut self) {
        self.hooks.called();
    }

    #[inline(always)]
    fn returned(&mut self) -> ControlFlow<()> {
        self.hooks.returned()
    }
}

/// Any machine, behind a pointer: the core that is compiled once for all of them.
pub(super) struct Shared<'a> {
    pub bus: &'a mut dyn SharedBus,
    /// Whether there is a hook to call before instructions.
    pub is_hooked: bool,
    /// [`SharedBus::stalls`].
    pub stalls: bool,
    /// The pins to look at after every cycle.
    pub watched: Pins,
}

impl<'a> Shared<'a> {
    pub fn new(bus: &'a mut dyn SharedBus, is_hooked: bool) -> Shared<'a> {
        let stalls = bus.stalls();
        let watched = bus.driven().and(every_cycle(stalls));
        Shared { bus, is_hooked, stalls, watched }
    }
}

impl Link for Shared<'_> {
    const IS_PLAIN: bool = false;
    const IS_FLAT: bool = false;
    const IS_WATCHED: bool = true;
    const INTERRUPTIBLE: bool = true;
    const STALLS: bool = true;
    const INSTRUCTIONS: bool = true;
    const CALLS: bool = true;

    #[inline(always)]
    fn read(&mut self, addr: u16, access: Access, cycle: u64) -> Option<u8> {
        Some(self.bus.read(addr, access, cycle))
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, access: Access, cycle: u64) -> bool {
        self.bus.write(addr, value, access, cycle);
        true
    }

    #[inline(always)]
    fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64 {
        if self.stalls { self.bus.ready_for(addr, then, cycle) } else { cycle }
    }

    fn ends_run(&self) -> bool {
        self.bus.ends_run()
    }

    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        self.bus.pins(cycles)
    }

    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.bus.instruction(registers, cycles)
    }

    #[inline(always)]
    fn is_hooked(&self) -> bool {
        self.is_hooked
    }

    #[inline(always)]
    fn watched(&self) -> Pins {
        self.watched
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.bus.acknowledge(edges);
    }

    #[inline(always)]
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        self.bus.opcode(pc, opcode, cycles);
    }

    #[inline(always)]
    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        self.bus.interrupt(interrupt, registers, cycles);
    }

    #[inline(always)]
    fn called(&mut self) {
        self.bus.called();
    }

    #[inline(always)]
    fn returned(&mut self) -> ControlFlow<()> {
        self.bus.returned()
    }
}

/// A bus and its hooks as the shared core sees them.
pub trait SharedBus {
    /// [`Bus::PINS`].
    fn driven(&self) -> Pins;
    /// Whether no interrupt ever comes from this cycle on, if nothing touches the machine.
    fn is_silent(&self, cycle: u64) -> bool;
    /// Whether [`SharedBus::ready_for`] answers for RDY.
    fn stalls(&self) -> bool;
    /// [`Hooks::INSTRUCTIONS`].
    fn is_hooked(&self) -> bool;
    fn read(&mut self, addr: u16, access: Access, cycle: u64) -> u8;
    fn write(&mut self, addr: u16, value: u8, access: Access, cycle: u64);
    fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64;
    fn ends_run(&self) -> bool;
    fn pins(&mut self, cycles: u64) -> Pins;
    fn acknowledge(&mut self, edges: Pins);
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()>;
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64);
    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64);
    fn called(&mut self);
    fn returned(&mut self) -> ControlFlow<()>;
}

/// A bus's forecast.
pub(super) trait Forecast<B: Bus> {
    /// Whether the bus drives RDY and knows for how long.
    const STALLS: bool;
    /// Whether no interrupt ever comes from this cycle on, if nothing touches the machine.
    fn is_silent(bus: &B, cycle: u64) -> bool;
    /// As [`FastBus::ready_for`].
    fn ready_for(bus: &mut B, addr: u16, then: u16, cycle: u64) -> u64;
    /// As [`FastBus::ends_run`].
    fn ends_run(bus: &B) -> bool;
    /// As [`FastBus::run_ended`].
    fn run_ended(bus: &mut B, cycles: u64);
}

/// A [`Bus`] knows nothing.
pub(super) struct Unknown;

impl<B: Bus> Forecast<B> for Unknown {
    const STALLS: bool = false;

    fn is_silent(_bus: &B, _cycle: u64) -> bool {
        !B::PINS.has_any(Pins::IRQ.or(Pins::NMI))
    }

    #[inline(always)]
    fn ready_for(_bus: &mut B, _addr: u16, _then: u16, cycle: u64) -> u64 {
        cycle
    }

    #[inline(always)]
    fn ends_run(_bus: &B) -> bool {
        false
    }

    #[inline(always)]
    fn run_ended(_bus: &mut B, _cycles: u64) {}
}

/// A [`FastBus`] does.
pub(super) struct Known;

impl<B: FastBus> Forecast<B> for Known {
    const STALLS: bool = B::KNOWS_READY && B::PINS.has(Pins::RDY);

    fn is_silent(bus: &B, cycle: u64) -> bool {
        bus.quiet_until(INTERRUPTS, cycle) == u64::MAX
    }

    #[inline(always)]
    fn ready_for(bus: &mut B, addr: u16, then: u16, cycle: u64) -> u64 {
        bus.ready_for(addr, then, cycle)
    }

    #[inline(always)]
    fn ends_run(bus: &B) -> bool {
        bus.ends_run()
    }

    #[inline(always)]
    fn run_ended(bus: &mut B, cycles: u64) {
        bus.run_ended(cycles);
    }
}

/// A bus with its hooks.
pub(super) struct Hooked<'a, B, H, F> {
    pub bus: &'a mut B,
    pub hooks: &'a mut H,
    pub forecast: PhantomData<F>,
}

impl<B: Bus, H: Hooks, F: Forecast<B>> SharedBus for Hooked<'_, B, H, F> {
    fn driven(&self) -> Pins {
        B::PINS
    }

    fn is_silent(&self, cycle: u64) -> bool {
        F::is_silent(self.bus, cycle)
    }

    fn stalls(&self) -> bool {
        F::STALLS
    }

    fn is_hooked(&self) -> bool {
        H::INSTRUCTIONS
    }

    fn read(&mut self, addr: u16, access: Access, cycle: u64) -> u8 {
        let value = self.bus.read(addr, cycle);
        self.hooks.read(addr, value, access, cycle + 1);
        value
    }

    fn write(&mut self, addr: u16, value: u8, access: Access, cycle: u64) {
        self.bus.write(addr, value, cycle);
        self.hooks.write(addr, value, access, cycle + 1);
    }

    fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64 {
        F::ready_for(self.bus, addr, then, cycle)
    }

    fn ends_run(&self) -> bool {
        F::ends_run(self.bus)
    }

    fn pins(&mut self, cycles: u64) -> Pins {
        self.bus.pins(cycles).and(const { B::PINS.with_edges() })
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.bus.acknowledge(edges);
    }

    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.hooks.instruction_on(&*self.bus, registers, cycles)
    }

    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        self.hooks.opcode(pc, opcode, cycles);
    }

    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        self.hooks.interrupt(interrupt, registers, cycles);
    }

    fn called(&mut self) {
        self.hooks.called();
    }

    fn returned(&mut self) -> ControlFlow<()> {
        self.hooks.returned()
    }
}
