//! Cycles by instruction, by caller and by jump, counted while a program runs.
//! Fed by the probe; knows addresses only. What they mean to the user is `measure`'s business.

use std::collections::HashMap;

use tempo_emu::Registers;
use tempo_isa::opcodes::{self, RTI, RTS};
use tempo_isa::{Class, Mode, Timing};

/// Which calls of a test are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Metering {
    /// None.
    #[default]
    Off,
    /// All that the test text makes.
    AllCalls,
    /// The last one of each test: those before it prepare the machine.
    LastCall,
}

/// The cycles of one instruction of a routine, over all the times it ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// How often it ran.
    pub runs: u64,
    /// All its cycles.
    pub cycles: u64,
    /// Those in calls of its routine that are in no other call of it.
    pub outer: u64,
    /// Those of all that crossed a page.
    pub crossings: u64,
    /// How often it went on elsewhere: a branch taken.
    pub taken: u64,
}

impl Spent {
    fn add(&mut self, other: &Spent) {
        self.runs += other.runs;
        self.cycles += other.cycles;
        self.outer += other.outer;
        self.crossings += other.crossings;
        self.taken += other.taken;
    }
}

/// Calls from one instruction to one routine. An interrupt is a call by the instruction it came before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Called {
    /// How often.
    pub count: u64,
    /// Cycles from the first instruction of the routine to its return, with everything it calls.
    pub cycles: u64,
    /// Those of calls by a routine that is not itself called by way of another call of it.
    pub outer: u64,
}

/// The counts. A routine is known by the address it was called at.
#[derive(Debug, Clone, Default)]
pub struct Meter {
    /// By routine and address.
    pub spent: HashMap<(u16, u16), Spent>,
    /// By calling routine, calling address and called routine.
    pub called: HashMap<(u16, u16, u16), Called>,
    /// Jumps and branches back to an instruction that the same call had run before, by source and target.
    pub back: HashMap<(u16, u16), u64>,
    /// How often the test text called a routine.
    pub entered: HashMap<u16, u64>,
    /// The calls of the test text: routine and cycles. Not merged.
    pub samples: Vec<(u16, u64)>,
}

impl Meter {
    /// Adds what another one counted.
    pub fn merge(&mut self, other: &Meter) {
        for (key, spent) in &other.spent {
            self.spent.entry(*key).or_default().add(spent);
        }
        for (key, called) in &other.called {
            let sum = self.called.entry(*key).or_default();
            sum.count += called.count;
            sum.cycles += called.cycles;
            sum.outer += called.outer;
        }
        for (key, count) in &other.back {
            *self.back.entry(*key).or_default() += count;
        }
        for (key, count) in &other.entered {
            *self.entered.entry(*key).or_default() += count;
        }
    }
}

/// A call that is under way.
struct Frame<T> {
    /// The stack pointer before it, and after its return.
    level: u8,
    /// No other call has it.
    number: u32,
    /// Addresses that it was the last to run, with the call that was so before.
    ran: Vec<(u16, u32)>,
    note: T,
}

/// The calls under way, with a note on each.
///
/// A routine may pull its return address, look at what follows the `jsr` and push it again, so the stack pointer alone
/// closes nothing: **a call is over when `rts`, `rti` or `jmp` leads out of it.**
pub(crate) struct Frames<T> {
    open: Vec<Frame<T>>,
    /// By address, the number of the innermost open call that ran the instruction there; numbers of closed calls mean
    /// nothing.
    ran_in: Box<[u32; 0x10000]>,
    numbers: u32,
}

/// Calls of calls beyond this are charged to the last one.
const MAX_DEPTH: usize = 256;

/// `jmp` in all its modes.
const JMP: [u8; 3] = [opcodes::JMP, opcodes::JMP_INDIRECT, opcodes::JMP_INDEXED];

impl<T> Frames<T> {
    pub fn new() -> Frames<T> {
        let zeros = vec![0; 0x10000].into_boxed_slice();
        Frames { open: Vec::new(), ran_in: zeros.try_into().expect("65,536 of them"), numbers: 0 }
    }

    /// Only the outermost call is open; no instruction closes it.
    pub fn start(&mut self, note: T) {
        self.open.clear();
        self.enter(0xff, note);
    }

    /// A call is made with this stack pointer.
    pub fn enter(&mut self, level: u8, note: T) {
        if self.open.len() < MAX_DEPTH {
            self.numbers = self.numbers.wrapping_add(1);
            self.open.push(Frame { level, number: self.numbers, ran: Vec::new(), note });
        }
    }

    /// An instruction led to `to`: closes the calls that are over by that, innermost first, and tells of each and of its
    /// caller.
    pub fn leave(&mut self, opcode: u8, to: &Registers, mut over: impl FnMut(&T, &T)) {
        let is_jump = JMP.contains(&opcode);
        if !is_jump && opcode != RTS && opcode != RTI {
            return;
        }
        while let [.., caller, top] = &self.open[..]
            && to.s >= top.level
        {
            // It has its return address in its hands and goes round in a loop meanwhile.
            let is_level = to.s == top.level;
            if is_jump && is_level && self.has_run(to.pc) {
                return;
            }
            over(&top.note, &caller.note);
            self.close();
            // The caller may hold its own return address: then its level is the same.
            if is_level {
                return;
            }
        }
    }

    /// Closes all but the outermost.
    pub fn leave_all(&mut self, mut over: impl FnMut(&T, &T)) {
        while let [.., caller, top] = &self.open[..] {
            over(&top.note, &caller.note);
            self.close();
        }
    }

    fn close(&mut self) {
        let Some(frame) = self.open.pop() else { return };
        for (address, before) in frame.ran {
            self.ran_in[usize::from(address)] = before;
        }
    }

    /// The innermost call runs the instruction there.
    pub fn run(&mut self, address: u16) {
        let Some(top) = self.open.last_mut() else { return };
        let ran_in = &mut self.ran_in[usize::from(address)];
        if *ran_in != top.number {
            top.ran.push((address, *ran_in));
            *ran_in = top.number;
        }
    }

    /// Whether the innermost call has run the instruction there.
    pub fn has_run(&self, address: u16) -> bool {
        self.open.last().is_some_and(|top| self.ran_in[usize::from(address)] == top.number)
    }

    /// The note on the innermost call.
    pub fn top(&self) -> Option<&T> {
        self.open.last().map(|frame| &frame.note)
    }

    fn notes(&self) -> impl Iterator<Item = &T> {
        self.open.iter().map(|frame| &frame.note)
    }
}

/// The facts about a call.
#[derive(Debug, Clone, Copy)]
struct Call {
    routine: u16,
    from: u16,
    since: u64,
    /// Whether its routine is not called already.
    is_outer: bool,
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

/// Counts while a program runs.
pub struct Recorder {
    cpu: tempo_isa::Cpu,
    metering: Metering,
    counts: Meter,
    frames: Frames<Call>,
    running: Option<Running>,
    /// An interrupt came at this place and cycle; its first instruction follows.
    interrupt: Option<(Registers, u64)>,
    started: u64,
}

/// Calls of the test text whose cycles are kept one by one.
const MAX_SAMPLES: usize = 1 << 20;

impl Recorder {
    /// For code of this processor.
    pub(crate) fn new(cpu: tempo_isa::Cpu, metering: Metering) -> Recorder {
        let (counts, frames) = (Meter::default(), Frames::new());
        Recorder { cpu, metering, counts, frames, running: None, interrupt: None, started: 0 }
    }

    /// The counts so far; it goes on from none.
    pub(crate) fn take(&mut self) -> Meter {
        std::mem::take(&mut self.counts)
    }

    /// The test text calls.
    pub(crate) fn start(&mut self, entry: u16, cycles: u64) {
        if self.metering == Metering::LastCall {
            self.counts = Meter::default();
        }
        (self.running, self.interrupt) = (None, None);
        self.started = cycles;
        self.frames.start(Call { routine: entry, from: entry, since: cycles, is_outer: true });
    }

    /// Before an instruction. `call` is the caller if a `jsr` led here.
    pub(crate) fn instruction(&mut self, now: &Registers, cycles: u64, call: Option<&Registers>) {
        let since = self.follow(now, cycles, call);
        self.frames.run(now.pc);
        self.running = Some(Running { registers: *now, opcode: 0, since, operand: None, pointer: None });
    }

    /// Before an interrupt sequence, which comes in place of the instruction at `now.pc`.
    pub(crate) fn interrupt(&mut self, now: &Registers, cycles: u64, call: Option<&Registers>) {
        let since = self.follow(now, cycles, call);
        self.interrupt = Some((*now, since));
    }

    pub(crate) fn opcode(&mut self, opcode: u8) {
        if let Some(running) = &mut self.running {
            running.opcode = opcode;
        }
    }

    /// A byte after the opcode was read. A stalled read is repeated, and its last value is the one that counts.
    pub(crate) fn operand(&mut self, address: u16, value: u8) {
        if let Some(running) = &mut self.running
            && address == running.registers.pc.wrapping_add(1)
        {
            running.operand = Some(value);
        }
    }

    /// A byte of a pointer was read.
    pub(crate) fn pointer(&mut self, address: u16, value: u8) {
        if let Some(running) = &mut self.running
            && running.operand.is_some_and(|operand| address == u16::from(operand))
        {
            running.pointer = Some(value);
        }
    }

    /// A stub ran in place of the instruction, and returned.
    pub(crate) fn returned(&mut self) {
        self.opcode(RTS);
    }

    /// The call of the test text is over.
    pub(crate) fn end(&mut self, cycles: u64) {
        self.settle(cycles, None);
        let called = &mut self.counts.called;
        self.frames.leave_all(|call, caller| count(called, call, caller, cycles));
        let Some(&Call { routine, .. }) = self.frames.top() else { return };
        *self.counts.entered.entry(routine).or_default() += 1;
        if self.counts.samples.len() < MAX_SAMPLES {
            self.counts.samples.push((routine, cycles - self.started));
        }
    }

    /// The program has come to `now`, by the instruction that ran before or by an interrupt. Since when the cycles are
    /// those of what happens there: the sequence of an interrupt counts as its handler's first instruction.
    fn follow(&mut self, now: &Registers, cycles: u64, call: Option<&Registers>) -> u64 {
        if let Some((from, since)) = self.interrupt.take() {
            self.enter(from.s, now.pc, from.pc, since);
            return since;
        }
        if let Some(opcode) = self.settle(cycles, Some(now.pc)) {
            let called = &mut self.counts.called;
            self.frames.leave(opcode, now, |call, caller| count(called, call, caller, cycles));
        }
        if let Some(from) = call {
            self.enter(from.s, now.pc, from.pc, cycles);
        }
        cycles
    }

    fn enter(&mut self, level: u8, routine: u16, from: u16, since: u64) {
        let is_outer = self.frames.notes().all(|call| call.routine != routine);
        self.frames.enter(level, Call { routine, from, since, is_outer });
    }

    /// The instruction that ran is over, and the one at `next` follows. Its opcode.
    fn settle(&mut self, cycles: u64, next: Option<u16>) -> Option<u8> {
        let running = self.running.take()?;
        let call = *self.frames.top()?;
        let row = self.cpu.decode(running.opcode);
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
        let spent = self.counts.spent.entry((call.routine, pc)).or_default();
        let taken = cycles - running.since;
        spent.runs += 1;
        spent.cycles += taken;
        spent.outer += if call.is_outer { taken } else { 0 };
        spent.crossings += u64::from(crosses);
        if row.class == Class::Branch {
            spent.taken += u64::from(is_taken);
        }
        let is_jump = row.class == Class::Branch || row.mnemonic == tempo_isa::Mnemonic::Jmp;
        if let Some(next) = next
            && is_jump
            && is_taken
            && next <= pc
            && self.frames.has_run(next)
        {
            *self.counts.back.entry((pc, next)).or_default() += 1;
        }
        Some(running.opcode)
    }
}

/// A call is over.
fn count(called: &mut HashMap<(u16, u16, u16), Called>, call: &Call, caller: &Call, cycles: u64) {
    let sum = called.entry((caller.routine, call.from, call.routine)).or_default();
    let taken = cycles - call.since;
    sum.count += 1;
    sum.cycles += taken;
    sum.outer += if caller.is_outer { taken } else { 0 };
}
