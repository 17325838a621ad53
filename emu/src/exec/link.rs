//! The three ways the core is connected to a machine; the core is compiled for each.
//! What is on the bus, and when, is the core's business alone.

use core::ops::ControlFlow;

use crate::{Access, Bus, Code, Coupling, Hooks, Interrupt, Pins, State};

/// The pins that interrupt.
pub(super) const INTERRUPTS: Pins = Pins::IRQ.or(Pins::NMI_EDGE);

/// A connection. The constants say what the core may rely on; what they exclude is not even compiled.
pub(super) trait Link {
    /// Instructions can be begun again elsewhere: reads change nothing, and a cycle that would is refused.
    const IS_PLAIN: bool;
    /// All memory is plain and in one piece.
    const IS_FLAT: bool;
    /// Pins are watched in every cycle, and so are the accesses.
    const IS_WATCHED: bool;
    /// The interrupt lines are looked at.
    const INTERRUPTIBLE: bool;
    /// Whether [`Link::instruction`] is to be called.
    const INSTRUCTIONS: bool;

    /// The memory around an instruction whose bytes can be read with [`Link::code`]. Asked by cores that refuse.
    #[inline(always)]
    fn code_around(&self, _pc: u16) -> Option<Code> {
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

    /// The cycle until which none of these pins can be low, as long as no cycle is refused.
    #[inline(always)]
    fn quiet_until(&self, _pins: Pins) -> u64 {
        u64::MAX
    }

    /// Levels and latches of the pins. Not asked by cores that refuse.
    fn pins(&mut self, _cycles: u64) -> Pins {
        Pins::NONE
    }

    /// Whether there is someone to tell of instructions; a constant where it can be.
    #[inline(always)]
    fn is_hooked(&self) -> bool {
        Self::INSTRUCTIONS
    }

    fn instruction(&mut self, state: &State) -> ControlFlow<()>;

    /// The pins the machine drives, where it matters.
    fn driven(&self) -> Pins {
        Pins::NONE
    }

    /// The CPU has served these edges.
    fn acknowledge(&mut self, _edges: Pins) {}

    fn opcode(&mut self, _pc: u16, _opcode: u8, _cycles: u64) {}

    fn interrupt(&mut self, _interrupt: Interrupt, _state: &State) {}
}

/// Plain memory, inlined. Everything else is refused and left to the shared core.
pub(super) struct Plain<'a, B, H> {
    pub bus: &'a mut B,
    pub hooks: &'a mut H,
}

impl<B: Bus, H: Hooks> Link for Plain<'_, B, H> {
    const IS_PLAIN: bool = true;
    const IS_FLAT: bool = matches!(B::COUPLING, Coupling::Flat);
    const IS_WATCHED: bool = false;
    // It ends before an interrupt can come.
    const INTERRUPTIBLE: bool = false;
    const INSTRUCTIONS: bool = H::INSTRUCTIONS;

    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<Code> {
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
    fn quiet_until(&self, pins: Pins) -> u64 {
        self.bus.quiet_until(pins)
    }

    #[inline(always)]
    fn instruction(&mut self, state: &State) -> ControlFlow<()> {
        self.hooks.instruction(state)
    }
}

/// A bus whose every cycle is inlined.
pub(super) struct Inlined<'a, B, H> {
    pub bus: &'a mut B,
    pub hooks: &'a mut H,
}

impl<B: Bus, H: Hooks> Link for Inlined<'_, B, H> {
    const IS_PLAIN: bool = false;
    const IS_FLAT: bool = false;
    const IS_WATCHED: bool = false;
    const INTERRUPTIBLE: bool = B::PINS.has_any(Pins::IRQ.or(Pins::NMI));
    const INSTRUCTIONS: bool = H::INSTRUCTIONS;

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
    fn pins(&mut self, cycles: u64) -> Pins {
        self.bus.pins(cycles)
    }

    #[inline(always)]
    fn instruction(&mut self, state: &State) -> ControlFlow<()> {
        self.hooks.instruction(state)
    }
}

/// Any machine, behind a pointer: the core that is compiled once for all of them.
pub(super) struct Shared<'a> {
    pub machine: &'a mut dyn Machine,
    /// Whether there is a hook to call before instructions.
    pub is_hooked: bool,
}

impl Link for Shared<'_> {
    const IS_PLAIN: bool = false;
    const IS_FLAT: bool = false;
    const IS_WATCHED: bool = true;
    const INTERRUPTIBLE: bool = true;
    const INSTRUCTIONS: bool = true;

    #[inline(always)]
    fn read(&mut self, addr: u16, access: Access, cycle: u64) -> Option<u8> {
        Some(self.machine.read(addr, access, cycle))
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, access: Access, cycle: u64) -> bool {
        self.machine.write(addr, value, access, cycle);
        true
    }

    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        self.machine.pins(cycles)
    }

    #[inline(always)]
    fn instruction(&mut self, state: &State) -> ControlFlow<()> {
        self.machine.instruction(state)
    }

    #[inline(always)]
    fn is_hooked(&self) -> bool {
        self.is_hooked
    }

    fn driven(&self) -> Pins {
        self.machine.driven()
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.machine.acknowledge(edges);
    }

    #[inline(always)]
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        self.machine.opcode(pc, opcode, cycles);
    }

    #[inline(always)]
    fn interrupt(&mut self, interrupt: Interrupt, state: &State) {
        self.machine.interrupt(interrupt, state);
    }
}

/// A machine and its hooks as the shared core sees them.
pub trait Machine {
    /// [`Bus::PINS`].
    fn driven(&self) -> Pins;
    /// Whether no interrupt ever comes, if nobody touches the machine.
    fn is_silent(&self) -> bool;
    /// [`Hooks::INSTRUCTIONS`].
    fn is_hooked(&self) -> bool;
    fn read(&mut self, addr: u16, access: Access, cycle: u64) -> u8;
    fn write(&mut self, addr: u16, value: u8, access: Access, cycle: u64);
    fn pins(&mut self, cycles: u64) -> Pins;
    fn acknowledge(&mut self, edges: Pins);
    fn instruction(&mut self, state: &State) -> ControlFlow<()>;
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64);
    fn interrupt(&mut self, interrupt: Interrupt, state: &State);
}

/// The pair of them.
pub(super) struct Wired<'a, B, H> {
    pub bus: &'a mut B,
    pub hooks: &'a mut H,
}

impl<B: Bus, H: Hooks> Machine for Wired<'_, B, H> {
    fn driven(&self) -> Pins {
        B::PINS
    }

    fn is_silent(&self) -> bool {
        self.bus.quiet_until(INTERRUPTS) == u64::MAX
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

    fn pins(&mut self, cycles: u64) -> Pins {
        self.bus.pins(cycles).and(const { watched(B::PINS) })
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.bus.acknowledge(edges);
    }

    fn instruction(&mut self, state: &State) -> ControlFlow<()> {
        self.hooks.instruction(state)
    }

    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        self.hooks.opcode(pc, opcode, cycles);
    }

    fn interrupt(&mut self, interrupt: Interrupt, state: &State) {
        self.hooks.interrupt(interrupt, state);
    }
}

/// Levels and latches of the pins a machine drives.
const fn watched(driven: Pins) -> Pins {
    let mut pins = driven;
    if driven.has(Pins::NMI) {
        pins = pins.or(Pins::NMI_EDGE);
    }
    if driven.has(Pins::SO) {
        pins = pins.or(Pins::SO_EDGE);
    }
    pins
}
