//! The probe: what watches a run instruction by instruction when a test, a report or a failure asks for it.
//! Runs without a probe pay nothing for it. Knows addresses only; labels and lines are added by the reports.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::ControlFlow;

use tempo_emu::{Access, Hooks, Interrupt, Registers};
use tempo_isa::opcodes::{BRK, JSR, RTI, RTS, TXS};

use crate::ast::Strictness;
use crate::meter::{Frames, Metering, Recorder};
use crate::plan::Guards;

/// Which RTS ends a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// The one executed at or above the stack level of the call.
    Level(u8),
    /// The one that brings the count of JSR and RTS to zero, as in sim6502.
    Counted(i64),
    /// None: the program runs for its time, and BRK is an instruction like others.
    Never,
}

/// Why the probe ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Return,
    Brk,
    Address,
    Stub(u16),
}

/// One executed instruction, as the trace shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceLine {
    pub bytes: [u8; 3],
    pub len: u8,
    /// Before the instruction.
    pub registers: Registers,
    pub cycles: u64,
}

/// A subroutine call the program made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallSite {
    pub from: u16,
    pub target: u16,
    pub a: u8,
    pub x: u8,
    pub y: u8,
}

/// The observation of a guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub rule: Rule,
    pub address: u16,
    pub pc: u16,
    /// The same rule broken again at the same place.
    pub more: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    Write,
    Read,
    Uninit,
    SelfMod,
    Stack,
}

/// An RTS that went where no call came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stray {
    /// The RTS.
    pub at: u16,
    /// Where it led; `None` until the next instruction.
    pub to: Option<u16>,
    pub cause: StrayCause,
}

/// Why the two bytes that an RTS took are not a return address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrayCause {
    /// No call had pushed them.
    Pushed {
        /// How many of the two: 1 or 2.
        bytes: u8,
        /// The instruction that pushed the top byte.
        by: u16,
    },
    /// The byte below them, half of a return address, was pulled already.
    Pulled {
        /// How many bytes in a row.
        bytes: u8,
        /// The instruction that pulled the last byte.
        by: u16,
    },
    /// The stack pointer was set to where no return address is.
    Moved {
        /// Where it was set to.
        to: u8,
        /// The TXS.
        by: u16,
    },
}

impl StrayCause {
    /// Causes of a lower rank are kept. Code that jumps by RTS pushes two bytes, and code that switches stacks sets the
    /// pointer; a single byte is a mistake.
    fn rank(self) -> u8 {
        match self {
            StrayCause::Pushed { bytes: 1, .. } | StrayCause::Pulled { .. } => 1,
            StrayCause::Pushed { .. } | StrayCause::Moved { .. } => 2,
        }
    }
}

/// The facts about a byte of the stack page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Slot {
    /// Nothing was pushed there during this call.
    #[default]
    Unknown,
    /// Pushed by this instruction, which is not a call.
    Pushed(u16),
    /// The upper and the lower half of a return address.
    CallHigh,
    CallLow,
}

/// Counts JSR and RTS, as sim6502 does to find the end of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallCounter {
    /// Calls that have not returned.
    pub open: i64,
}

impl Hooks for CallCounter {
    const INSTRUCTIONS: bool = false;
    const ACCESSES: bool = false;
    const CALLS: bool = true;

    #[inline(always)]
    fn called(&mut self) {
        self.open += 1;
    }

    #[inline(always)]
    fn returned(&mut self) -> ControlFlow<()> {
        self.open -= 1;
        if self.open == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Execution counts by address. Also its own hook, which leaves a run in the bus's own loop: coverage alone costs
/// little.
#[derive(Clone)]
pub struct Coverage {
    /// How often the instruction there ran.
    pub hits: Box<[u32; 0x10000]>,
    /// How often another instruction followed it than the one two bytes on: for a branch, how often it was taken. The
    /// upper half is for what was executed before there was a last instruction.
    jumped: Box<[u32; 0x20000]>,
    last: usize,
    /// The routines called from outside.
    entries: BTreeSet<u16>,
}

/// No instruction.
const NONE: usize = 0x10000;

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage {
            hits: Box::new([0; 0x10000]),
            jumped: Box::new([0; 0x20000]),
            last: NONE,
            entries: BTreeSet::new(),
        }
    }
}

impl Coverage {
    /// Code is called from outside.
    pub fn call(&mut self, entry: u16) {
        self.entries.insert(entry);
        self.interrupt();
    }

    /// The next instruction follows nothing.
    pub fn interrupt(&mut self) {
        self.last = NONE;
    }

    /// The routines called from outside, in order of address.
    pub fn entries(&self) -> &BTreeSet<u16> {
        &self.entries
    }

    /// The instruction there is about to run.
    #[inline(always)]
    fn tally(&mut self, pc: u16) {
        let at = usize::from(pc);
        self.hits[at] = self.hits[at].wrapping_add(1);
        let last = self.last & 0x1ffff;
        self.jumped[last] = self.jumped[last].wrapping_add(u32::from(at != (last + 2) & 0xffff));
        self.last = at;
    }

    /// How often the branch there was taken, and how often not.
    pub fn branch(&self, at: u16) -> [u32; 2] {
        let (all, taken) = (self.hits[usize::from(at)], self.jumped[usize::from(at)]);
        [taken, all.saturating_sub(taken)]
    }

    /// Nothing has run.
    pub fn clear(&mut self) {
        self.hits.fill(0);
        self.jumped.fill(0);
        self.entries.clear();
    }
}

impl Hooks for Coverage {
    const ACCESSES: bool = false;

    #[inline(always)]
    fn instruction(&mut self, registers: &Registers, _cycles: u64) -> ControlFlow<()> {
        self.tally(registers.pc);
        ControlFlow::Continue(())
    }
}

/// Cycles by call path.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    pub nodes: Vec<ProfileNode>,
}

#[derive(Debug, Clone)]
pub struct ProfileNode {
    pub parent: usize,
    pub entry: u16,
    pub cycles: u64,
    children: HashMap<u16, usize>,
}

impl Profile {
    fn child(&mut self, parent: usize, entry: u16) -> usize {
        if parent != usize::MAX
            && let Some(&found) = self.nodes[parent].children.get(&entry)
        {
            return found;
        }
        if parent == usize::MAX
            && let Some(found) =
                self.nodes.iter().position(|node| node.parent == usize::MAX && node.entry == entry)
        {
            return found;
        }
        let index = self.nodes.len();
        self.nodes.push(ProfileNode { parent, entry, cycles: 0, children: HashMap::new() });
        if parent != usize::MAX {
            self.nodes[parent].children.insert(entry, index);
        }
        index
    }

    /// Entry addresses from the outermost call to this node.
    pub fn path(&self, mut node: usize) -> Vec<u16> {
        let mut path = Vec::new();
        while node != usize::MAX {
            path.push(self.nodes[node].entry);
            node = self.nodes[node].parent;
        }
        path.reverse();
        path
    }
}

/// The watched routine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watch {
    pub trace: bool,
    pub coverage: bool,
    pub profile: bool,
    /// Cycles by instruction, on this processor.
    pub meter: Option<(tempo_isa::Cpu, Metering)>,
}

const STUB: u8 = 0x01;
const SPY: u8 = 0x02;
const NO_WRITE: u8 = 0x04;
const NO_READ: u8 = 0x08;
/// Came from a file.
const IMAGE: u8 = 0x10;
/// A value was stored there.
const SET: u8 = 0x20;
const EXECUTED: u8 = 0x40;
/// The program wrote it.
const WRITTEN: u8 = 0x80;

/// How many calls a failure shows.
const CALLS_KEPT: usize = 8;
/// Trace lines kept for a test; older ones fall out.
const TRACE_KEPT: usize = 200_000;
/// Calls of one spied routine kept with their registers; later ones are only counted.
const SPIED_KEPT: usize = 100_000;
/// Different violations kept for a test.
const VIOLATIONS_KEPT: usize = 16;

/// The facts about a watched routine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spied {
    pub count: u64,
    pub calls: Vec<SpyCall>,
}

/// A call of a watched routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpyCall {
    pub registers: Registers,
    pub caller: u16,
}

pub struct Probe {
    flags: Box<[u8; 0x10000]>,
    uninit: Strictness,
    selfmod: Strictness,
    stack: Strictness,
    guard_memory: bool,
    /// Who last wrote a byte of a file; kept for `selfmod`.
    pub writers: HashMap<u16, u16>,
    /// The contents of the stack page.
    slots: Box<[Slot; 0x100]>,
    /// The instruction that pulled each byte of a return address.
    pulled: Box<[Option<u16>; 0x100]>,
    /// The last TXS, and what it set.
    moved: Option<(u16, u8)>,
    opcode: u8,
    /// The last return that took something else than a return address; see `StrayCause::rank`.
    pub stray: Option<Stray>,
    /// Who last wrote each zero-page byte.
    pub zero_page_writer: [u16; 0x100],

    closing: Closing,
    stop_at: Option<u16>,
    pub ending: Option<Ending>,
    /// The registers before the instruction that runs.
    pub now: Registers,
    jsr_from: Option<Registers>,

    pub calls: VecDeque<CallSite>,
    pub spies: HashMap<u16, Spied>,
    pub violations: Vec<Violation>,
    pub trace: VecDeque<TraceLine>,
    pub trace_dropped: u64,
    tracing: bool,
    metering: Metering,
    pub coverage: Option<Coverage>,
    pub profile: Option<Profile>,
    pub meter: Option<Box<Recorder>>,
    /// The calls under way with their nodes in the profile; kept for it.
    frames: Option<Frames<usize>>,
    /// An interrupt came with these registers, and the next instruction is its handler's first.
    interrupted: Option<Registers>,
    /// An interrupt came in this cycle, after the last instruction of the call.
    over: Option<u64>,
    last_cycles: u64,
    pub instructions: u64,
    pub stack_wraps: u32,
    pub first_wrap: Option<u16>,
    /// Lowest and highest program counter since [`Probe::watch_loop`].
    pub range: Option<(u16, u16)>,
    /// The first register of a chip that was read since then.
    pub chip_read: Option<u16>,
}

impl Probe {
    pub fn new(watch: Watch) -> Probe {
        Probe {
            flags: Box::new([0; 0x10000]),
            uninit: Strictness::Off,
            selfmod: Strictness::Off,
            stack: Strictness::Off,
            guard_memory: false,
            writers: HashMap::new(),
            slots: Box::new([Slot::Unknown; 0x100]),
            pulled: Box::new([None; 0x100]),
            moved: None,
            opcode: 0,
            stray: None,
            zero_page_writer: [0; 0x100],
            closing: Closing::Level(0),
            stop_at: None,
            ending: None,
            now: Registers::default(),
            jsr_from: None,
            calls: VecDeque::new(),
            spies: HashMap::new(),
            violations: Vec::new(),
            trace: VecDeque::new(),
            trace_dropped: 0,
            tracing: watch.trace,
            metering: watch.meter.map_or(Metering::Off, |(_, metering)| metering),
            coverage: watch.coverage.then(Coverage::default),
            profile: watch.profile.then(Profile::default),
            meter: watch.meter.map(|(cpu, metering)| Box::new(Recorder::new(cpu, metering))),
            frames: watch.profile.then(Frames::new),
            interrupted: None,
            over: None,
            last_cycles: 0,
            instructions: 0,
            stack_wraps: 0,
            first_wrap: None,
            range: None,
            chip_read: None,
        }
    }

    /// Forgets the last test but not what is counted over a suite.
    pub fn start_test(&mut self, guards: &Guards) {
        self.flags.fill(0);
        self.uninit = guards.uninit;
        self.selfmod = guards.selfmod;
        self.stack = guards.stack;
        self.guard_memory = !guards.is_off();
        for (ranges, flag) in [(&guards.write, NO_WRITE), (&guards.read, NO_READ)] {
            for range in ranges {
                for byte in &mut self.flags[usize::from(range.first)..=usize::from(range.last)] {
                    *byte |= flag;
                }
            }
        }
        self.writers.clear();
        self.calls.clear();
        self.spies.clear();
        self.violations.clear();
        self.trace.clear();
        self.trace_dropped = 0;
        self.instructions = 0;
        self.stack_wraps = 0;
        self.first_wrap = None;
    }

    /// The test text or a file put bytes there.
    pub fn mark_set(&mut self, from: u16, count: usize, from_file: bool) {
        let flag = if from_file { IMAGE | SET } else { SET };
        for offset in 0..count.min(0x10000) {
            self.flags[usize::from(from.wrapping_add(offset as u16))] |= flag;
        }
    }

    pub fn add_stub(&mut self, at: u16) {
        self.flags[usize::from(at)] |= STUB;
    }

    pub fn add_spy(&mut self, at: u16) {
        self.flags[usize::from(at)] |= SPY;
        self.spies.entry(at).or_default();
    }

    /// Before a call. Guards count the runner's return address as set.
    pub fn start_call(&mut self, entry: u16, closing: Closing, stop_at: Option<u16>, cycles: u64) {
        self.closing = closing;
        self.stop_at = stop_at;
        self.ending = None;
        self.jsr_from = None;
        if let Some(coverage) = &mut self.coverage {
            coverage.call(entry);
        }
        self.last_cycles = cycles;
        self.slots.fill(Slot::Unknown);
        self.pulled.fill(None);
        self.moved = None;
        self.stray = None;
        (self.interrupted, self.over) = (None, None);
        if let (Some(profile), Some(frames)) = (&mut self.profile, &mut self.frames) {
            if self.metering == Metering::LastCall {
                *profile = Profile::default();
            }
            frames.start(profile.child(usize::MAX, entry));
        }
        if let Some(meter) = &mut self.meter {
            meter.start(entry, cycles);
        }
    }

    /// After a call: the cycles of its last instruction belong to it too.
    pub fn end_call(&mut self, cycles: u64) {
        let cycles = self.over.take().unwrap_or(cycles);
        if let Some(meter) = &mut self.meter {
            meter.end(cycles);
        }
        self.charge(cycles);
    }

    /// A stub returned in place of the program: the next instruction is not the result of a branch or call.
    pub fn returned(&mut self) {
        self.jsr_from = None;
        self.opcode = RTS;
        if let Some(meter) = &mut self.meter {
            meter.returned();
        }
        if let Some(coverage) = &mut self.coverage {
            coverage.interrupt();
        }
    }

    /// A stub's return, counted as an RTS; whether it closes the call.
    pub fn count_return(&mut self) -> bool {
        match &mut self.closing {
            Closing::Level(_) | Closing::Never => false,
            Closing::Counted(open) => {
                *open -= 1;
                *open == 0
            }
        }
    }

    /// From now on the range of addresses executed is recorded.
    pub fn watch_loop(&mut self) {
        self.range = Some((u16::MAX, 0));
    }

    #[inline]
    fn charge(&mut self, cycles: u64) {
        let node = self.frames.as_ref().and_then(Frames::top);
        if let (Some(profile), Some(&node)) = (&mut self.profile, node) {
            profile.nodes[node].cycles += cycles - self.last_cycles;
        }
        self.last_cycles = cycles;
    }

    /// The program has come to `now`, by the instruction that ran before or by an interrupt.
    fn follow(&mut self, now: &Registers, cycles: u64) {
        let interrupted = self.interrupted.take();
        // The sequence of an interrupt counts for its handler.
        if interrupted.is_none() && self.profile.is_some() {
            self.charge(cycles);
        }
        if let Some(frames) = self.frames.as_mut().filter(|_| interrupted.is_none()) {
            frames.leave(self.opcode, now, |_, _| {});
        }
        if let Some(from) = self.jsr_from {
            if self.calls.len() == CALLS_KEPT {
                self.calls.pop_front();
            }
            self.calls.push_back(CallSite { from: from.pc, target: now.pc, a: now.a, x: now.x, y: now.y });
        }
        let caller = interrupted.or(self.jsr_from.take());
        if let (Some(profile), Some(frames), Some(caller)) = (&mut self.profile, &mut self.frames, caller)
            && let Some(&node) = frames.top()
        {
            frames.enter(caller.s, profile.child(node, now.pc));
        }
    }

    pub fn violate(&mut self, rule: Rule, address: u16, pc: u16) {
        let kept = self.violations.len();
        match self.violations.iter_mut().find(|v| v.rule == rule && v.address == address && v.pc == pc) {
            Some(violation) => violation.more += 1,
            None if kept < VIOLATIONS_KEPT => self.violations.push(Violation { rule, address, pc, more: 0 }),
            None => {}
        }
    }

    fn is_closing(&mut self, opcode: u8) -> bool {
        match &mut self.closing {
            // RTI leaves the call as RTS does; it has nowhere else to go.
            Closing::Never => false,
            Closing::Level(level) => matches!(opcode, RTS | RTI) && self.now.s >= *level,
            Closing::Counted(open) => {
                match opcode {
                    JSR => *open += 1,
                    RTS => *open -= 1,
                    _ => {}
                }
                opcode == RTS && *open == 0
            }
        }
    }
}

/// Never inlined: the core calls these from a thousand places, and a watched run is not the fast one.
impl Hooks for Probe {
    #[inline(never)]
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        if self.ending.is_some() {
            return ControlFlow::Break(());
        }
        let now = *registers;
        if let Some(stray) = &mut self.stray {
            stray.to.get_or_insert(now.pc);
        }
        if let Some(meter) = &mut self.meter {
            meter.instruction(&now, cycles, self.jsr_from.as_ref());
        }
        self.follow(&now, cycles);
        if let Some(frames) = &mut self.frames {
            frames.run(now.pc);
        }
        if let Some((low, high)) = &mut self.range {
            *low = (*low).min(now.pc);
            *high = (*high).max(now.pc);
        }
        let flags = self.flags[usize::from(now.pc)];
        if flags & SPY != 0 {
            let caller =
                self.calls.back().filter(|call| call.target == now.pc).map_or(self.now.pc, |call| call.from);
            let spied = self.spies.entry(now.pc).or_default();
            spied.count += 1;
            if spied.calls.len() < SPIED_KEPT {
                spied.calls.push(SpyCall { registers: now, caller });
            }
        }
        self.now = now;
        if flags & STUB != 0 {
            self.ending = Some(Ending::Stub(now.pc));
            return ControlFlow::Break(());
        }
        self.instructions += 1;
        if let Some(coverage) = &mut self.coverage {
            coverage.tally(now.pc);
        }
        ControlFlow::Continue(())
    }

    #[inline(never)]
    fn opcode(&mut self, pc: u16, opcode: u8, cycles: u64) {
        if self.is_closing(opcode) {
            self.ending = Some(Ending::Return);
        } else if opcode == BRK && self.closing != Closing::Never {
            self.ending = Some(Ending::Brk);
        } else if self.stop_at == Some(pc) {
            self.ending = Some(Ending::Address);
        }
        if opcode == JSR {
            self.jsr_from = Some(self.now);
        }
        self.opcode = opcode;
        match opcode {
            RTS if self.ending.is_none() => self.note_stray(pc),
            TXS => self.moved = Some((pc, self.now.x)),
            _ => {}
        }
        if let Some(meter) = &mut self.meter {
            meter.opcode(opcode);
        }
        if self.tracing {
            if self.trace.len() == TRACE_KEPT {
                self.trace.pop_front();
                self.trace_dropped += 1;
            }
            let (bytes, registers) = ([opcode, 0, 0], self.now);
            // The fetch is over.
            self.trace.push_back(TraceLine { bytes, len: 1, registers, cycles: cycles - 1 });
        }
    }

    #[inline(never)]
    fn read(&mut self, addr: u16, value: u8, access: Access, _cycles: u64) {
        if let Some(meter) = &mut self.meter {
            match access {
                Access::Operand => meter.operand(addr, value),
                Access::Pointer => meter.pointer(addr, value),
                _ => {}
            }
        }
        if access == Access::Operand
            && self.tracing
            && let Some(line) = self.trace.back_mut()
            && let offset @ 1..=2 = addr.wrapping_sub(line.registers.pc)
        {
            // A stalled read is repeated, and its last value is the one that counts.
            line.bytes[usize::from(offset)] = value;
            line.len = line.len.max(offset as u8 + 1);
        }
        // Colour RAM is memory.
        if self.range.is_some() && access == Access::Data && matches!(addr, 0xd000..=0xd7ff | 0xdc00..=0xdfff)
        {
            self.chip_read.get_or_insert(addr);
        }
        if access == Access::Stack {
            let slot = usize::from(addr & 0xff);
            if is_pull(self.opcode) && matches!(self.slots[slot], Slot::CallLow | Slot::CallHigh) {
                self.pulled[slot] = Some(self.now.pc);
            }
            if addr == 0x0100 {
                // A pull that reached the bottom page again came from $01FF.
                self.note_wrap();
            }
        }
        if !self.guard_memory || access == Access::Dummy {
            return;
        }
        let flags = self.flags[usize::from(addr)];
        if self.uninit != Strictness::Off && flags & SET == 0 {
            self.violate(Rule::Uninit, addr, self.now.pc);
        }
        if matches!(access, Access::Opcode | Access::Operand) {
            if self.selfmod != Strictness::Off && flags & WRITTEN != 0 && flags & IMAGE != 0 {
                self.violate(Rule::SelfMod, addr, self.now.pc);
            }
            self.flags[usize::from(addr)] |= EXECUTED;
        } else if flags & NO_READ != 0 {
            self.violate(Rule::Read, addr, self.now.pc);
        }
    }

    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        if self.ending.is_some() {
            self.over.get_or_insert(cycles);
            return;
        }
        if interrupt == Interrupt::Reset {
            return;
        }
        if let Some(meter) = &mut self.meter {
            meter.interrupt(registers, cycles, self.jsr_from.as_ref());
        }
        self.follow(registers, cycles);
        self.interrupted = Some(*registers);
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, _value: u8, access: Access, _cycles: u64) {
        if access == Access::Stack {
            let slot = (addr & 0xff) as u8;
            // An interrupt after a JSR pushes, too, but below it.
            self.slots[usize::from(slot)] = match self.now.s.wrapping_sub(slot) {
                0 if self.opcode == JSR => Slot::CallHigh,
                1 if self.opcode == JSR => Slot::CallLow,
                _ => Slot::Pushed(self.now.pc),
            };
            self.pulled[usize::from(slot)] = None;
            if addr == 0x0100 {
                self.note_wrap();
            }
        }
        if !self.guard_memory || access == Access::Dummy {
            return;
        }
        let flags = self.flags[usize::from(addr)];
        if self.selfmod != Strictness::Off && flags & IMAGE != 0 {
            self.writers.insert(addr, self.now.pc);
        }
        if flags & NO_WRITE != 0 {
            self.violate(Rule::Write, addr, self.now.pc);
        }
        if self.selfmod != Strictness::Off && flags & EXECUTED != 0 {
            self.violate(Rule::SelfMod, addr, self.now.pc);
        }
        self.flags[usize::from(addr)] |= SET | WRITTEN;
        if addr < 0x100 {
            self.zero_page_writer[usize::from(addr)] = self.now.pc;
        }
    }
}

impl Probe {
    /// An RTS takes what is on top of the stack.
    fn note_stray(&mut self, pc: u16) {
        let s = self.now.s;
        let top = [1, 2].map(|above| self.slots[usize::from(s.wrapping_add(above))]);
        let pushed = top.map(|slot| if let Slot::Pushed(by) = slot { Some(by) } else { None });
        let cause = if let Some(by) = pushed.into_iter().flatten().next() {
            StrayCause::Pushed { bytes: pushed.iter().flatten().count() as u8, by }
        } else if top[0] == Slot::CallLow {
            return;
        } else if let Some(by) = self.pulled[usize::from(s)] {
            let below = (0..=u8::MAX).take_while(|&n| self.pulled[usize::from(s.wrapping_sub(n))].is_some());
            StrayCause::Pulled { bytes: below.count().min(0xff) as u8, by }
        } else if let Some((by, to)) = self.moved {
            StrayCause::Moved { to, by }
        } else {
            return;
        };
        if self.stray.is_none_or(|known| cause.rank() <= known.cause.rank()) {
            self.stray = Some(Stray { at: pc, to: None, cause });
        }
    }

    fn note_wrap(&mut self) {
        self.stack_wraps += 1;
        self.first_wrap.get_or_insert(self.now.pc);
        if self.stack != Strictness::Off {
            self.violate(Rule::Stack, 0x0100, self.now.pc);
        }
    }
}

/// Whether an opcode pulls a register. The NMOS chips have `nop` where the 65C02 has PLX and PLY, which pulls nothing.
fn is_pull(opcode: u8) -> bool {
    tempo_isa::Cpu::Wdc65c02.decode(opcode).class == tempo_isa::Class::Pull
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn a_stalled_read_is_one_byte_of_the_trace() {
        let mut probe = Probe::new(Watch { trace: true, ..Watch::default() });
        probe.start_test(&Guards::default());
        probe.start_call(0x1000, Closing::Never, None, 0);
        let _ = probe.instruction(&Registers { pc: 0x1000, ..Registers::default() }, 0);
        probe.opcode(0x1000, 0xbd, 1);
        for (addr, value) in [(0x1001, 0xff), (0x1001, 0xff), (0x1001, 0x34), (0x1002, 0x12)] {
            probe.read(addr, value, Access::Operand, 2);
        }
        let line = probe.trace.back().expect("an instruction");
        assert_eq!((line.bytes, line.len), ([0xbd, 0x34, 0x12], 3));
    }
}
