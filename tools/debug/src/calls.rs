//! The shadow call stack: who called, seen from the stack pointer alone. `jsr` moves it by two and jumps, interrupts and
//! `brk` by three; values pushed by hand are no frames, and a frame is gone when the stack pointer is above it.

use emu::{Interrupt, Registers};

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

/// More calls than a stack can hold are a program that moves its stack; the oldest are forgotten.
const MOST: usize = 200;

/// The calls that have not returned, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Calls {
    /// The frames.
    pub frames: Vec<Call>,
    /// Where the outermost routine begins.
    pub entry: u16,
    /// The stack pointer it was entered with.
    pub(crate) level: u8,
    /// The last instruction, and the stack pointer before it.
    pub(crate) pc: u16,
    pub(crate) s: u8,
    /// The last frame is an interrupt whose handler has not begun.
    entering: bool,
}

impl Calls {
    /// No calls yet.
    pub fn new(registers: &Registers) -> Calls {
        let (pc, s) = (registers.pc, registers.s);
        Calls { frames: Vec::new(), entry: pc, level: s, pc, s, entering: false }
    }

    /// The stack pointer is another than before the last instruction, or an interrupt has come.
    pub(crate) fn moved(&mut self, registers: &Registers) {
        if self.entering {
            self.entering = false;
            if let Some(last) = self.frames.last_mut() {
                last.target = registers.pc;
            }
            self.s = registers.s;
            return;
        }
        let pushed = self.s.wrapping_sub(registers.s);
        let jumped = registers.pc != self.pc.wrapping_add(1);
        let kind = match pushed {
            2 if jumped => Some(CallKind::Call),
            3 if jumped => Some(CallKind::Brk),
            _ => None,
        };
        while self.frames.last().is_some_and(|frame| is_above(registers.s, frame.level)) {
            self.frames.pop();
        }
        if let Some(kind) = kind {
            self.push(Call { kind, from: self.pc, target: registers.pc, level: registers.s });
        }
        self.s = registers.s;
    }

    /// An interrupt comes in place of the instruction at PC.
    pub(crate) fn interrupted(&mut self, interrupt: Interrupt, registers: &Registers) {
        if registers.s != self.s || self.entering {
            self.moved(registers);
        }
        self.pc = registers.pc;
        let kind = match interrupt {
            Interrupt::Irq => CallKind::Irq,
            Interrupt::Nmi => CallKind::Nmi,
            Interrupt::Reset => {
                self.frames.clear();
                self.entering = false;
                return;
            }
        };
        let level = registers.s.wrapping_sub(3);
        self.push(Call { kind, from: registers.pc, target: registers.pc, level });
        self.entering = true;
    }

    /// A run has ended: what its last instruction did is seen now, and not before the next.
    pub(crate) fn settle(&mut self, registers: &Registers) {
        if registers.s != self.s || self.entering {
            self.moved(registers);
        }
    }

    /// Whether an interrupt waits for the first instruction of its handler.
    pub(crate) fn is_entering(&self) -> bool {
        self.entering
    }

    fn push(&mut self, call: Call) {
        if self.frames.len() == MOST {
            self.frames.remove(0);
        }
        self.frames.push(call);
    }
}

/// Whether the stack pointer has left a frame's return address behind. The stack is a ring; half of it is "above".
fn is_above(s: u8, level: u8) -> bool {
    let distance = s.wrapping_sub(level);
    distance != 0 && (s > level || distance < 0x10)
}
