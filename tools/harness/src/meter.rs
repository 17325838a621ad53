//! Cycles by instruction, by caller and by jump, counted while a program runs.
//! Fed by the probe; knows addresses only. What they mean to the user is `measure`'s business.

use std::collections::HashMap;

use emu::Registers;
use isa::{Class, Mode, Timing};

/// What one instruction of a routine took, over all the times it ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Its opcode, when it last ran.
    pub opcode: u8,
    /// How often it ran.
    pub runs: u64,
    /// All its cycles.
    pub cycles: u64,
    /// Those of them that crossed a page.
    pub crossings: u64,
    /// How often it went on elsewhere: a branch taken.
    pub taken: u64,
}

impl Spent {
    fn add(&mut self, other: &Spent) {
        self.opcode = other.opcode;
        self.runs += other.runs;
        self.cycles += other.cycles;
        self.crossings += other.crossings;
        self.taken += other.taken;
    }
}

/// Calls from one instruction to one routine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Called {
    /// How often.
    pub count: u64,
    /// Cycles from the first instruction of the routine to its return, with everything it calls.
    pub cycles: u64,
}

/// A call that is under way.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The stack pointer at which it is over.
    level: u8,
    routine: u16,
    from: u16,
    since: u64,
}

/// The instruction that runs.
#[derive(Debug, Clone, Copy)]
struct Running {
    registers: Registers,
    opcode: u8,
    since: u64,
    /// The first byte after the opcode, and the first of a pointer.
    operand: Option<u8>,
    pointer: Option<u8>,
}

/// The counts. A routine is known by the address it was called at.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    /// By routine and address.
    pub spent: HashMap<(u16, u16), Spent>,
    /// By calling routine, calling address and called routine.
    pub called: HashMap<(u16, u16, u16), Called>,
    /// Jumps and branches that went back, by source and target.
    pub back: HashMap<(u16, u16), u64>,
    /// How often the test text called a routine.
    pub entered: HashMap<u16, u64>,
    /// The calls of the test text: routine and cycles. Not merged.
    pub samples: Vec<(u16, u64)>,
    cpu: Option<isa::Cpu>,
    frames: Vec<Frame>,
    running: Option<Running>,
    started: u64,
}

/// Calls of calls beyond this are charged to the last one.
const MAX_DEPTH: usize = 256;
/// Calls of the test text whose cycles are kept one by one.
const MAX_SAMPLES: usize = 1 << 20;

impl Meter {
    /// For code of this processor.
    pub fn new(cpu: isa::Cpu) -> Meter {
        Meter { cpu: Some(cpu), ..Meter::default() }
    }

    /// The counts so far; it goes on from none.
    pub(crate) fn take(&mut self) -> Meter {
        let fresh = Meter { cpu: self.cpu, ..Meter::default() };
        std::mem::replace(self, fresh)
    }

    /// Adds what another one counted.
    pub fn merge(&mut self, other: &Meter) {
        for (key, spent) in &other.spent {
            self.spent.entry(*key).or_default().add(spent);
        }
        for (key, called) in &other.called {
            let sum = self.called.entry(*key).or_default();
            sum.count += called.count;
            sum.cycles += called.cycles;
        }
        for (key, count) in &other.back {
            *self.back.entry(*key).or_default() += count;
        }
        for (key, count) in &other.entered {
            *self.entered.entry(*key).or_default() += count;
        }
    }

    /// The test text calls.
    pub(crate) fn start(&mut self, entry: u16, cycles: u64) {
        self.frames.clear();
        self.running = None;
        self.started = cycles;
        // No stack level of the program closes the outermost call.
        self.frames.push(Frame { level: 0xff, routine: entry, from: entry, since: cycles });
    }

    /// Before an instruction. `call` is the caller if a `jsr` led here.
    pub(crate) fn instruction(&mut self, now: &Registers, cycles: u64, call: Option<&Registers>) {
        self.settle(cycles, Some(now.pc));
        while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| now.s >= frame.level) {
            self.leave(cycles);
        }
        if let Some(from) = call
            && self.frames.len() < MAX_DEPTH
        {
            self.frames.push(Frame { level: from.s, routine: now.pc, from: from.pc, since: cycles });
        }
        self.running =
            Some(Running { registers: *now, opcode: 0, since: cycles, operand: None, pointer: None });
    }

    pub(crate) fn opcode(&mut self, opcode: u8) {
        if let Some(running) = &mut self.running {
            running.opcode = opcode;
        }
    }

    pub(crate) fn operand(&mut self, value: u8) {
        if let Some(running) = &mut self.running {
            running.operand.get_or_insert(value);
        }
    }

    pub(crate) fn pointer(&mut self, value: u8) {
        if let Some(running) = &mut self.running {
            running.pointer.get_or_insert(value);
        }
    }

    /// The call of the test text is over.
    pub(crate) fn end(&mut self, cycles: u64) {
        self.settle(cycles, None);
        while self.frames.len() > 1 {
            self.leave(cycles);
        }
        let Some(frame) = self.frames.pop() else { return };
        *self.entered.entry(frame.routine).or_default() += 1;
        if self.samples.len() < MAX_SAMPLES {
            self.samples.push((frame.routine, cycles - self.started));
        }
    }

    fn leave(&mut self, cycles: u64) {
        let Some(frame) = self.frames.pop() else { return };
        let Some(caller) = self.frames.last() else { return };
        let called = self.called.entry((caller.routine, frame.from, frame.routine)).or_default();
        called.count += 1;
        called.cycles += cycles - frame.since;
    }

    /// The instruction that ran is over, and the one at `next` follows.
    fn settle(&mut self, cycles: u64, next: Option<u16>) {
        let (Some(running), Some(frame)) = (self.running.take(), self.frames.last()) else { return };
        let row = self.cpu.unwrap_or(isa::Cpu::Mos6502).decode(running.opcode);
        let pc = running.registers.pc;
        let follows = pc.wrapping_add(row.len() as u16);
        let is_taken = next.is_some_and(|next| next != follows);
        let crosses = match (row.timing, row.class) {
            (Timing::Branch, _) | (Timing::Page, Class::Branch | Class::Flow) => {
                is_taken && next.is_some_and(|next| next >> 8 != follows >> 8)
            }
            (Timing::Page | Timing::PageDecimal, _) => {
                let (low, index) = match row.mode {
                    Mode::AbsoluteX => (running.operand, running.registers.x),
                    Mode::AbsoluteY => (running.operand, running.registers.y),
                    _ => (running.pointer, running.registers.y),
                };
                low.is_some_and(|low| low.checked_add(index).is_none())
            }
            _ => false,
        };
        let spent = self.spent.entry((frame.routine, pc)).or_default();
        spent.opcode = running.opcode;
        spent.runs += 1;
        spent.cycles += cycles - running.since;
        spent.crossings += u64::from(crosses);
        if row.class == Class::Branch {
            spent.taken += u64::from(is_taken);
        }
        let is_jump = row.class == Class::Branch || row.mnemonic == isa::Mnemonic::Jmp;
        if let Some(next) = next.filter(|&next| is_jump && is_taken && next <= pc) {
            *self.back.entry((pc, next)).or_default() += 1;
        }
    }
}
