//! The emulator's hook: keeps the shadow call stack and asks a [`Judge`] where something is interested.
//! One byte of flags per address decides whether something is, so that all other instructions cost one comparison.

use std::ops::ControlFlow;

use tempo_diagnostics::Span;
use tempo_emu::{Access, Bus, Hooks, Interrupt, Part, Registers};

use crate::calls::{Calls, Last};
use crate::condition::{Clock, View};
use crate::machine::Machine;

/// A breakpoint wants to see instructions at this address.
pub const EXECUTE: u8 = 0x01;
/// A breakpoint wants to see reads of this address.
pub const READ: u8 = 0x02;
/// A breakpoint wants to see writes to this address.
pub const WRITE: u8 = 0x04;

/// Flags for every address.
#[derive(Clone)]
pub struct Flags(Box<[u8; 0x10000]>);

impl Default for Flags {
    fn default() -> Flags {
        Flags(vec![0; 0x10000].into_boxed_slice().try_into().expect("64 KB"))
    }
}

impl Flags {
    /// The flags of an address.
    #[inline(always)]
    pub fn at(&self, address: u16) -> u8 {
        self.0[usize::from(address)]
    }

    /// Sets flags.
    pub fn add(&mut self, address: u16, flags: u8) {
        self.0[usize::from(address)] |= flags;
    }

    /// Forgets all of these flags.
    pub fn clear(&mut self, flags: u8) {
        self.0.iter_mut().for_each(|byte| *byte &= !flags);
    }
}

/// The judge's view between two instructions.
pub struct Now<'a> {
    /// The registers before the instruction.
    pub registers: &'a Registers,
    /// Cycles so far.
    pub cycles: u64,
    /// The time: cycles, and the steps of a test's text.
    pub time: u64,
    /// The facts that conditions derive from the cycles.
    pub clock: Clock,
    /// Memory, without effects.
    pub look: &'a dyn Fn(u16) -> u8,
    /// A part of the memory, without effects.
    pub look_in: &'a dyn Fn(Part, u16) -> u8,
    /// The bank of the cartridge, if there is one.
    pub bank: Option<u16>,
    /// The calls that have not returned.
    pub calls: &'a Calls,
    /// The instruction before this one.
    pub previous: u16,
    /// The instruction jumped to itself.
    pub is_trap: bool,
}

/// An access to memory by the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// The address.
    pub address: u16,
    /// The byte read or written.
    pub value: u8,
    /// A write.
    pub is_write: bool,
    /// Its purpose.
    pub access: Access,
    /// The instruction.
    pub pc: u16,
    /// When.
    pub time: u64,
}

/// Decides when a run ends.
pub trait Judge {
    /// Before an instruction of interest; breaking ends the run there.
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()>;

    /// Whether the instruction at PC may be left out of [`Judge::instruction`]: all that waits there are breakpoints whose
    /// conditions are false. Asked only about an instruction that is flagged, and neither a trap nor the first of a frame.
    fn is_false_alarm(&self, view: &View<'_>) -> bool {
        let _ = view;
        false
    }

    /// An access to an address that is flagged, or any if [`Judge::sees_all`]. Dummy accesses are left out.
    fn touch(&mut self, touch: Touch) {
        let _ = touch;
    }

    /// An opcode was fetched; asked only in watched runs.
    fn opcode(&mut self, pc: u16, opcode: u8) {
        let _ = (pc, opcode);
    }

    /// An interrupt comes.
    fn interrupt(&mut self, interrupt: Interrupt) {
        let _ = interrupt;
    }

    /// A statement of the test's text is next.
    fn statement(&mut self, machine: &Machine, span: Span) -> ControlFlow<()> {
        let _ = (machine, span);
        ControlFlow::Continue(())
    }

    /// A store of the test's text or of the user.
    fn poke(&mut self, address: u16, value: u8, time: u64) {
        let _ = (address, value, time);
    }

    /// The test finds something wrong.
    fn failure(&mut self, machine: &Machine, span: Span, message: &str) -> ControlFlow<()> {
        let _ = (machine, span, message);
        ControlFlow::Continue(())
    }

    /// The stack pointer moved; this many calls have not returned.
    fn moved(&mut self, depth: usize) {
        let _ = depth;
    }

    /// Every instruction is to be seen.
    fn sees_all(&self) -> bool {
        false
    }

    /// [`Judge::moved`] may be left out as long as this many calls have not returned.
    fn least_calls(&self) -> usize {
        0
    }

    /// Instructions that jump to themselves are to be seen.
    fn sees_traps(&self) -> bool {
        false
    }
}

/// Every address is flagged.
static EVERY: [u8; 0x10000] = [EXECUTE; 0x10000];

/// The hook. `WATCHED` runs see every access and are several times slower.
pub struct Hook<'a, const WATCHED: bool> {
    /// The table in which instructions are looked up: the flags, or [`EVERY`].
    selected: &'a [u8; 0x10000],
    /// The depth that every instruction is compared with. The one in `calls` is older.
    last: Last,
    /// Instructions that jump to themselves are looked at.
    sees_traps: bool,
    /// As long as this many calls have not returned, the judge need not be told of them.
    least_calls: usize,
    flags: &'a Flags,
    calls: &'a mut Calls,
    judge: &'a mut dyn Judge,
    /// From cycles to time.
    base: u64,
    clock: Clock,
}

impl<'a, const WATCHED: bool> Hook<'a, WATCHED> {
    pub(crate) fn new(
        flags: &'a Flags,
        calls: &'a mut Calls,
        judge: &'a mut dyn Judge,
        base: u64,
        clock: Clock,
    ) -> Self {
        let (least_calls, sees_traps) = (judge.least_calls(), judge.sees_traps());
        let last = calls.last;
        let mut hook =
            Hook { selected: &flags.0, last, sees_traps, least_calls, flags, calls, judge, base, clock };
        hook.look_at_every(hook.judge.sees_all());
        hook
    }

    /// Shows every instruction to the judge, or only those that are flagged.
    fn look_at_every(&mut self, is_on: bool) {
        self.selected = if is_on { &EVERY } else { &self.flags.0 };
    }

    fn sees_every(&self) -> bool {
        std::ptr::eq(self.selected, &EVERY)
    }
}

impl<const WATCHED: bool> Drop for Hook<'_, WATCHED> {
    fn drop(&mut self) {
        self.calls.last = self.last;
    }
}

impl<const WATCHED: bool> Hook<'_, WATCHED> {
    #[inline(never)]
    fn look_closer<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let pc = registers.pc;
        if registers.s == self.last.s && u32::from(pc) != self.last.pc && !self.sees_every() {
            // The same stack and nothing that wants to see all: the way of a breakpoint in a loop.
            let look = |address: u16| bus.look(address).unwrap_or(0xff);
            let view = View { registers, cycles, look: &look, bank: bus.cartridge_bank(), clock: self.clock };
            if !self.calls.is_entering() && self.judge.is_false_alarm(&view) {
                self.last.pc = u32::from(pc);
                return ControlFlow::Continue(());
            }
        }
        self.calls.last = self.last;
        let previous = self.calls.pc();
        let is_trap = self.calls.is_repeated(pc) && registers.s == self.last.s;
        if registers.s != self.last.s || self.calls.is_entering() {
            self.calls.moved(registers);
            self.judge.moved(self.calls.frames.len());
            if self.judge.sees_all() {
                self.look_at_every(true);
            }
        }
        let mut verdict = ControlFlow::Continue(());
        if self.selected[usize::from(pc)] & EXECUTE != 0 || is_trap {
            let look = |address: u16| bus.look(address).unwrap_or(0xff);
            let look_in = |part: Part, address: u16| bus.look_in(part, address).unwrap_or(0xff);
            let (time, clock, calls) = (cycles + self.base, self.clock, &*self.calls);
            let look: &dyn Fn(u16) -> u8 = &look;
            let look_in: &dyn Fn(Part, u16) -> u8 = &look_in;
            let bank = bus.cartridge_bank();
            let now = Now { registers, cycles, time, clock, look, look_in, bank, calls, previous, is_trap };
            verdict = self.judge.instruction(&now);
        }
        self.look_at_every(self.judge.sees_all());
        self.least_calls = self.judge.least_calls();
        if verdict.is_continue() {
            self.calls.ran(pc);
        }
        // Or it has not run: a run that goes on from here sees the same instruction before it.
        self.last = self.calls.last;
        verdict
    }

    fn touched(&mut self, touch: Touch) {
        self.judge.touch(touch);
        if self.judge.sees_all() {
            self.look_at_every(true);
        }
    }
}

impl<const WATCHED: bool> Hooks for Hook<'_, WATCHED> {
    const ACCESSES: bool = WATCHED;
    const SELECTS: bool = !WATCHED;

    #[inline(always)]
    fn selects(&mut self, pc: u16, s: u8) -> bool {
        if self.selected[usize::from(pc)] & EXECUTE != 0 {
            return true;
        }
        if s != self.last.s {
            if !self.calls.follow(self.last, pc, s, self.least_calls) {
                return true;
            }
            self.last.s = s;
        } else if u32::from(pc) == self.last.pc && self.sees_traps {
            return true;
        }
        self.last.pc = u32::from(pc);
        false
    }

    #[inline(always)]
    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        match self.selects(registers.pc, registers.s) {
            true => self.look_closer(bus, registers, cycles),
            false => ControlFlow::Continue(()),
        }
    }

    fn opcode(&mut self, pc: u16, opcode: u8, _cycles: u64) {
        if WATCHED {
            self.judge.opcode(pc, opcode);
        }
    }

    fn read(&mut self, address: u16, value: u8, access: Access, cycles: u64) {
        if WATCHED && access != Access::Dummy && (self.flags.at(address) & READ != 0 || self.sees_every()) {
            let pc = self.last.pc as u16;
            self.touched(Touch { address, value, is_write: false, access, pc, time: cycles + self.base });
        }
    }

    fn write(&mut self, address: u16, value: u8, access: Access, cycles: u64) {
        if WATCHED && access != Access::Dummy && (self.flags.at(address) & WRITE != 0 || self.sees_every()) {
            let pc = self.last.pc as u16;
            self.touched(Touch { address, value, is_write: true, access, pc, time: cycles + self.base });
        }
    }

    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, _cycles: u64) {
        self.calls.last = self.last;
        self.calls.interrupted(interrupt, registers);
        self.last = self.calls.last;
        self.judge.interrupt(interrupt);
        // The handler's first instruction completes the frame, whatever the stack pointer is.
        self.look_at_every(true);
    }
}
