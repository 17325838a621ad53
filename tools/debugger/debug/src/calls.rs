//! The shadow call stack: who called, seen from the stack pointer alone. `jsr` moves it by two and jumps, interrupts and
//! `brk` by three; values pushed by hand are not frames, and a frame is gone when the stack pointer is above it.

use std::ops::Deref;

use tempo_emu::{Interrupt, Registers};

/// How a frame came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// `jsr`
    Call,
    /// An interrupt request.
    Irq,
    /// A non-maskable interrupt.
    Nmi,
    /// `brk`
    Brk,
}

impl CallKind {
    /// Whether the program did not ask for it.
    pub fn is_interrupt(self) -> bool {
        matches!(self, CallKind::Irq | CallKind::Nmi)
    }
}

/// One call that has not returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// How it came about.
    pub kind: CallKind,
    /// The instruction that called, or that was interrupted.
    pub from: u16,
    /// Where it led.
    pub target: u16,
    /// The stack pointer after the return address was pushed.
    pub level: u8,
}

/// The meaning of a byte on the stack that a call pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The status register.
    Status,
    /// A byte of the address that execution goes back to.
    Return(u16),
}

impl Call {
    /// The meaning of a byte on the stack, if this call pushed it. `jsr` pushes the address of its last byte, interrupts
    /// and `brk` the address to go back to, and then the status.
    pub fn role(&self, low: u8) -> Option<Role> {
        let to = match self.kind {
            CallKind::Call => self.from.wrapping_add(3),
            CallKind::Irq | CallKind::Nmi => self.from,
            CallKind::Brk => self.from.wrapping_add(2),
        };
        match (self.kind, low.wrapping_sub(self.level)) {
            (CallKind::Call, 1 | 2) => Some(Role::Return(to)),
            (CallKind::Call, _) => None,
            (_, 1) => Some(Role::Status),
            (_, 2 | 3) => Some(Role::Return(to)),
            _ => None,
        }
    }
}

/// More calls than a stack can hold are a program that moves its stack; the oldest are forgotten.
const MOST: usize = 200;

/// No instruction has run, or the registers were set from outside since.
const FRESH: u32 = 0x10000;

/// The last instruction, and the stack pointer before it: what the emulator's loop compares every instruction with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Last {
    /// Its address; with [`FRESH`], what stands for it where none has run.
    pub pc: u32,
    pub s: u8,
}

/// A list of calls that never asks for memory, so that a loop can add to it without a call.
#[derive(Clone)]
pub struct Frames {
    all: Box<[Call; MOST]>,
    len: usize,
}

impl Default for Frames {
    fn default() -> Frames {
        let none = Call { kind: CallKind::Call, from: 0, target: 0, level: 0 };
        Frames { all: Box::new([none; MOST]), len: 0 }
    }
}

impl Deref for Frames {
    type Target = [Call];
    fn deref(&self) -> &[Call] {
        &self.all[..self.len]
    }
}

impl PartialEq for Frames {
    fn eq(&self, other: &Frames) -> bool {
        **self == **other
    }
}

impl Eq for Frames {}

impl std::fmt::Debug for Frames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl Frames {
    fn push(&mut self, call: Call) {
        if self.len == MOST {
            self.all.copy_within(1.., 0);
            self.len -= 1;
        }
        self.all[self.len] = call;
        self.len += 1;
    }

    /// Puts calls around those that are known, the innermost of them first.
    pub(crate) fn surround(&mut self, calls: impl Iterator<Item = Call>) {
        let mut all: Vec<Call> = self.iter().rev().copied().chain(calls).take(MOST).collect();
        all.reverse();
        self.len = all.len();
        self.all[..all.len()].copy_from_slice(&all);
    }
}

/// The calls that have not returned, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Calls {
    /// The frames.
    pub frames: Frames,
    /// Where the outermost routine begins.
    pub entry: u16,
    /// The stack pointer it was entered with.
    pub(crate) level: u8,
    /// The last instruction, and the stack pointer before it.
    pub(crate) last: Last,
    /// The last frame is an interrupt whose handler has not begun.
    entering: bool,
}

impl Calls {
    /// No calls yet.
    pub fn new(registers: &Registers) -> Calls {
        let (pc, s) = (registers.pc, registers.s);
        Calls {
            frames: Frames::default(),
            entry: pc,
            level: s,
            last: Last { pc: u32::from(pc) | FRESH, s },
            entering: false,
        }
    }

    /// The last instruction.
    #[inline(always)]
    pub fn pc(&self) -> u16 {
        self.last.pc as u16
    }

    /// This instruction is the last one.
    #[inline(always)]
    pub(crate) fn ran(&mut self, pc: u16) {
        self.last.pc = u32::from(pc);
    }

    /// Whether the last instruction led to itself.
    #[inline(always)]
    pub(crate) fn is_repeated(&self, pc: u16) -> bool {
        u32::from(pc) == self.last.pc
    }

    /// The registers were set from outside.
    pub(crate) fn changed(&mut self, registers: &Registers) {
        self.last.s = registers.s;
        self.last.pc |= FRESH;
    }

    /// The stack pointer is another than before the last instruction, or an interrupt has come.
    pub(crate) fn moved(&mut self, registers: &Registers) {
        if self.entering {
            self.entering = false;
            if let Some(last) = self.frames.len.checked_sub(1) {
                self.frames.all[last].target = registers.pc;
            }
            self.last.s = registers.s;
            return;
        }
        let pushed = self.last.s.wrapping_sub(registers.s);
        let jumped = registers.pc != self.pc().wrapping_add(1);
        let kind = match pushed {
            2 if jumped => Some(CallKind::Call),
            3 if jumped => Some(CallKind::Brk),
            _ => None,
        };
        while self.frames.last().is_some_and(|frame| is_above(registers.s, frame.level)) {
            self.frames.len -= 1;
        }
        if let Some(kind) = kind {
            self.frames.push(Call { kind, from: self.pc(), target: registers.pc, level: registers.s });
        }
        self.last.s = registers.s;
    }

    /// The usual cases of [`Calls::moved`], compiled into the emulator's loop: what it cannot do without a call, and what
    /// leaves fewer than `least` calls, is refused and changes nothing. The last instruction and stack pointer are
    /// the loop's.
    #[inline(always)]
    pub(crate) fn follow(&mut self, last: Last, pc: u16, s: u8, least: usize) -> bool {
        let from = last.pc as u16;
        let all = &mut *self.frames.all;
        let mut len = self.frames.len;
        if self.entering || len >= MOST {
            return false;
        }
        while len > 0 && is_above(s, all[len - 1].level) {
            len -= 1;
        }
        let pushed = last.s.wrapping_sub(s);
        let is_call = (pushed == 2 || pushed == 3) && pc != from.wrapping_add(1);
        if len + usize::from(is_call) < least {
            return false;
        }
        if is_call {
            let kind = if pushed == 2 { CallKind::Call } else { CallKind::Brk };
            all[len] = Call { kind, from, target: pc, level: s };
            len += 1;
        }
        self.frames.len = len;
        true
    }

    /// An interrupt comes in place of the instruction at PC.
    pub(crate) fn interrupted(&mut self, interrupt: Interrupt, registers: &Registers) {
        if registers.s != self.last.s || self.entering {
            self.moved(registers);
        }
        self.ran(registers.pc);
        let kind = match interrupt {
            Interrupt::Irq => CallKind::Irq,
            Interrupt::Nmi => CallKind::Nmi,
            Interrupt::Reset => {
                self.frames.len = 0;
                self.entering = false;
                return;
            }
        };
        let level = registers.s.wrapping_sub(3);
        self.frames.push(Call { kind, from: registers.pc, target: registers.pc, level });
        self.entering = true;
    }

    /// A run has ended: what its last instruction did is seen now, and not before the next.
    pub(crate) fn settle(&mut self, registers: &Registers) {
        if registers.s != self.last.s || self.entering {
            self.moved(registers);
        }
    }

    /// Whether an interrupt waits for the first instruction of its handler.
    pub(crate) fn is_entering(&self) -> bool {
        self.entering
    }
}

/// Whether the stack pointer has left a frame's return address behind. The stack is a ring; half of it is "above".
#[inline(always)]
fn is_above(s: u8, level: u8) -> bool {
    let distance = s.wrapping_sub(level);
    distance != 0 && (s > level || distance < 0x10)
}
