//! Watching a run: traces, coverage, memory guards. A hook is a type parameter, so what it does not
//! override costs nothing.

use core::ops::ControlFlow;

use crate::Status;

/// The registers as a hook sees them before an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    pub pc: u16,
    pub a: u8,
    pub x: u8,
    pub y: u8,
    pub s: u8,
    pub p: Status,
    /// Cycles since the CPU was made.
    pub cycles: u64,
}

/// Why the CPU touches the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// The opcode; SYNC is high.
    Opcode,
    /// A byte after the opcode.
    Operand,
    /// Half of an address, read from memory by an indirect mode.
    Pointer,
    /// The byte the instruction is about.
    Data,
    /// A push or a pull.
    Stack,
    /// Half of an interrupt vector.
    Vector,
    /// A cycle in which the chip has nothing to read or write, and does so all the same.
    Dummy,
}

/// What interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interrupt {
    Irq,
    Nmi,
    Reset,
}

/// Something that watches a run. Every method has an empty default.
pub trait Hooks {
    /// Whether [`Hooks::instruction`] is to be called. A hook that does without it may say so: even to hand
    /// over registers that nobody looks at is a little work.
    const INSTRUCTIONS: bool = true;

    /// Whether anything else is to be called. A hook that does without may run in the machine's own loop; one
    /// that sees every access runs on the core that all machines share.
    const ACCESSES: bool = true;

    /// Before an instruction; breaking ends the run with [`crate::Stop::Hook`], the instruction not begun.
    #[inline(always)]
    fn instruction(&mut self, state: &State) -> ControlFlow<()> {
        let _ = state;
        ControlFlow::Continue(())
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

    /// Before an interrupt sequence, which comes in place of the instruction at `state.pc`.
    #[inline(always)]
    fn interrupt(&mut self, interrupt: Interrupt, state: &State) {
        let _ = (interrupt, state);
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
    #[inline(always)]
    fn instruction(&mut self, state: &State) -> ControlFlow<()> {
        (**self).instruction(state)
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
    fn interrupt(&mut self, interrupt: Interrupt, state: &State) {
        (**self).interrupt(interrupt, state);
    }
}

/// Two hooks at once; either may break.
impl<H: Hooks, K: Hooks> Hooks for (H, K) {
    const INSTRUCTIONS: bool = H::INSTRUCTIONS || K::INSTRUCTIONS;
    const ACCESSES: bool = H::ACCESSES || K::ACCESSES;
    #[inline(always)]
    fn instruction(&mut self, state: &State) -> ControlFlow<()> {
        let first = self.0.instruction(state);
        let second = self.1.instruction(state);
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
    fn interrupt(&mut self, interrupt: Interrupt, state: &State) {
        self.0.interrupt(interrupt, state);
        self.1.interrupt(interrupt, state);
    }
}
