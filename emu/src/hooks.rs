//! Watching a run: traces, coverage, memory guards. A hook is a type parameter, so methods it does not
//! override compile to nothing.

use core::ops::ControlFlow;

use crate::{Bus, Registers};

/// Why the CPU accesses the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// The opcode; SYNC is high.
    Opcode,
    /// A byte after the opcode.
    Operand,
    /// Half of an address that an indirect mode reads from memory.
    Pointer,
    /// The byte that the instruction works on.
    Data,
    /// A push or a pull.
    Stack,
    /// Half of an interrupt vector.
    Vector,
    /// A cycle in which the chip has nothing to read or write; it accesses the bus all the same.
    Dummy,
}

/// The kinds of interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interrupt {
    /// The IRQ line was low and I clear.
    Irq,
    /// The NMI line fell.
    Nmi,
    /// RES was low, or [`crate::Cpu::reset`] was called.
    Reset,
}

/// Watches a run. Every method has an empty default; `emu/examples/hooks.rs` shows two of them at work.
pub trait Hooks {
    /// Whether [`Hooks::instruction`] is called. A hook that does not need it should say so: collecting the
    /// registers takes a little time.
    const INSTRUCTIONS: bool = true;

    /// Whether the other methods are called. A hook that does not need them keeps the run in the bus's own loop;
    /// one that sees every access runs on the shared core, which is several times slower.
    const ACCESSES: bool = true;

    /// Whether [`Hooks::called`] and [`Hooks::returned`] are called. They leave the run in the bus's own loop.
    const CALLS: bool = false;

    /// Whether [`Hooks::selects`] is asked first, and [`Hooks::instruction`] only where it says so. A loop on plain
    /// memory then holds no call of the hook, which costs most of its speed.
    const SELECTS: bool = false;

    /// Before an instruction, after this many cycles; breaking ends the run with [`crate::Stop::Hook`], and the instruction is not begun.
    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let _ = (registers, cycles);
        ControlFlow::Continue(())
    }

    /// The same, with the machine to look at ([`Bus::look`]): for conditions on memory. This is what the core calls.
    #[inline(always)]
    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let _ = bus;
        self.instruction(registers, cycles)
    }

    /// Before an instruction at `pc`, with the stack pointer, if [`Hooks::SELECTS`]: whether [`Hooks::instruction_on`] is
    /// to be called for it. This is compiled into the loop and should call nothing that is not inlined. It is asked again
    /// for an instruction that was shown, and may answer as before. Where a run is not in such a loop nothing asks, and
    /// every instruction is shown.
    #[inline(always)]
    fn selects(&mut self, pc: u16, s: u8) -> bool {
        let _ = (pc, s);
        true
    }

    /// After the opcode was fetched in the cycle before `cycles`.
    #[inline(always)]
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        let _ = (pc, opcode, cycles);
    }

    /// After a read cycle; `cycles` counts it.
    #[inline(always)]
    fn read(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        let _ = (addr, value, access, cycles);
    }

    /// After a write cycle; `cycles` counts it. The first write of a read-modify-write is a dummy.
    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        let _ = (addr, value, access, cycles);
    }

    /// Before an interrupt sequence, which comes in place of the instruction at `registers.pc`.
    #[inline(always)]
    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        let _ = (interrupt, registers, cycles);
    }

    /// After a `jsr`.
    #[inline(always)]
    fn called(&mut self) {}

    /// After an `rts`; breaking ends the run with [`crate::Stop::Hook`].
    #[inline(always)]
    fn returned(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoHooks;

impl Hooks for NoHooks {
    const INSTRUCTIONS: bool = false;
    const ACCESSES: bool = false;
}

impl<H: Hooks> Hooks for &mut H {
    const INSTRUCTIONS: bool = H::INSTRUCTIONS;
    const ACCESSES: bool = H::ACCESSES;
    const CALLS: bool = H::CALLS;
    const SELECTS: bool = H::SELECTS;
    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        (**self).instruction(registers, cycles)
    }
    #[inline(always)]
    fn selects(&mut self, pc: u16, s: u8) -> bool {
        (**self).selects(pc, s)
    }
    #[inline(always)]
    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        (**self).instruction_on(bus, registers, cycles)
    }
    #[inline(always)]
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        (**self).opcode(pc, opcode, cycles);
    }
    #[inline(always)]
    fn read(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        (**self).read(addr, value, access, cycles);
    }
    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        (**self).write(addr, value, access, cycles);
    }
    #[inline(always)]
    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        (**self).interrupt(interrupt, registers, cycles);
    }
    #[inline(always)]
    fn called(&mut self) {
        (**self).called();
    }
    #[inline(always)]
    fn returned(&mut self) -> ControlFlow<()> {
        (**self).returned()
    }
}

/// Two hooks at once; either may break.
impl<H: Hooks, K: Hooks> Hooks for (H, K) {
    const INSTRUCTIONS: bool = H::INSTRUCTIONS || K::INSTRUCTIONS;
    const ACCESSES: bool = H::ACCESSES || K::ACCESSES;
    const CALLS: bool = H::CALLS || K::CALLS;
    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let first = self.0.instruction(registers, cycles);
        let second = self.1.instruction(registers, cycles);
        if first.is_break() { first } else { second }
    }
    #[inline(always)]
    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let first = self.0.instruction_on(bus, registers, cycles);
        let second = self.1.instruction_on(bus, registers, cycles);
        if first.is_break() { first } else { second }
    }
    #[inline(always)]
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        self.0.opcode(pc, opcode, cycles);
        self.1.opcode(pc, opcode, cycles);
    }
    #[inline(always)]
    fn read(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        self.0.read(addr, value, access, cycles);
        self.1.read(addr, value, access, cycles);
    }
    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, access: Access, cycles: u64) {
        self.0.write(addr, value, access, cycles);
        self.1.write(addr, value, access, cycles);
    }
    #[inline(always)]
    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        self.0.interrupt(interrupt, registers, cycles);
        self.1.interrupt(interrupt, registers, cycles);
    }
    #[inline(always)]
    fn called(&mut self) {
        self.0.called();
        self.1.called();
    }
    #[inline(always)]
    fn returned(&mut self) -> ControlFlow<()> {
        let first = self.0.returned();
        let second = self.1.returned();
        if first.is_break() { first } else { second }
    }
}
