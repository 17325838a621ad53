//! The judge of forward runs: breakpoints, exceptions and steps, in this order.

use std::collections::HashMap;
use std::ops::ControlFlow;

use tempo_diagnostics::Span;
use tempo_emu::{Access, Interrupt};

use crate::calls::CallKind;
use crate::condition::{BeamClock, View};
use crate::exceptions::{Exception, Exceptions};
use crate::hook::{Flags, Judge, Now, READ, Touch, WRITE};
use crate::machine::Machine;
use crate::map::SourceMap;
use crate::points::{Origin, Points, Verdict, Watch};
use crate::step::Rule;

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// These breakpoints.
    Points(Vec<u32>, Origin, String),
    /// An exception.
    Exception(Exception, String),
    /// The step is over.
    Step,
    /// The program returned from where it was entered.
    Returned,
    /// Before a `brk`.
    AtBrk(String),
}

/// An access that a data breakpoint wants to stop at, once the instruction is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    pub touch: Touch,
    pub old: u8,
    /// The numbers of the points in the list.
    pub points: Vec<usize>,
}

/// The bytes that data breakpoints watch, as they were before the instruction.
pub(crate) struct DataWatch {
    old: HashMap<u16, u8>,
    pub pending: Vec<Touched>,
}

impl DataWatch {
    pub fn new(points: &Points, machine: &Machine) -> DataWatch {
        let mut old = HashMap::new();
        for point in points.iter() {
            if let Watch::Data { first, last, .. } = point.watch {
                old.extend((first..=last).map(|address| (address, machine.peek(address))));
            }
        }
        DataWatch { old, pending: Vec::new() }
    }

    pub fn touch(&mut self, points: &Points, flags: &Flags, touch: Touch) {
        let flag = if touch.is_write { WRITE } else { READ };
        if flags.at(touch.address) & flag == 0 || matches!(touch.access, Access::Opcode | Access::Operand) {
            return;
        }
        let old = self.old.get(&touch.address).copied().unwrap_or(touch.value);
        if touch.is_write {
            self.old.insert(touch.address, touch.value);
        }
        let numbers: Vec<usize> = (0..points.len())
            .filter(|&number| match points.by_number(number).watch {
                Watch::Data { first, last, read, write, on_change } => {
                    (first..=last).contains(&touch.address)
                        && if touch.is_write { write && !(on_change && old == touch.value) } else { read }
                }
                _ => false,
            })
            .collect();
        if !numbers.is_empty() {
            self.pending.push(Touched { touch, old, points: numbers });
        }
    }
}

/// When bytes were first written and first executed, for the exceptions that need to know. With the times it is true at
/// every moment of the past.
pub(crate) struct Seen {
    written: Vec<u64>,
    executed: Vec<u64>,
}

impl Seen {
    pub fn new() -> Seen {
        Seen { written: vec![u64::MAX; 0x10000], executed: vec![u64::MAX; 0x10000] }
    }

    /// A byte has a defined value.
    pub fn set(&mut self, address: u16, time: u64) {
        let first = &mut self.written[usize::from(address)];
        *first = time.min(*first);
    }

    fn is_set(&self, address: u16, time: u64) -> bool {
        self.written[usize::from(address)] <= time
    }

    fn run(&mut self, address: u16, time: u64) {
        let first = &mut self.executed[usize::from(address)];
        *first = time.min(*first);
    }

    fn was_run(&self, address: u16, time: u64) -> bool {
        self.executed[usize::from(address)] <= time
    }

    /// The facts of an access.
    pub fn note(&mut self, touch: &Touch) {
        match touch.is_write {
            true => self.set(touch.address, touch.time),
            false if matches!(touch.access, Access::Opcode | Access::Operand) => {
                self.run(touch.address, touch.time);
            }
            false => {}
        }
    }

    /// Events after this time have not happened.
    pub fn forget_after(&mut self, time: u64) {
        let all = self.written.iter_mut().chain(&mut self.executed);
        all.filter(|first| **first > time).for_each(|first| *first = u64::MAX);
    }
}

/// Looks for the last stop of a stretch instead of ending at the first.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// Stops from here on are not asked for.
    pub end: u64,
    pub found: Option<(u64, Cause)>,
}

/// The judge.
pub(crate) struct Forward<'a> {
    pub flags: &'a Flags,
    pub points: &'a mut Points,
    pub map: &'a SourceMap,
    pub cpu: tempo_isa::Cpu,
    pub exceptions: Exceptions,
    pub rule: Option<Rule>,
    pub data: DataWatch,
    pub seen: Option<&'a mut Seen>,
    /// Nothing stops at the moment the run starts.
    pub start: u64,
    /// The stack pointer of a bare program before it was entered.
    pub entry_level: Option<u8>,
    pub is_bare: bool,
    pub cause: Option<Cause>,
    pub log: Vec<String>,
    /// Set by an access or interrupt; stops at the next instruction.
    pub found: Option<(Exception, String)>,
    pub last_cycles: u64,
    pub describe: &'a dyn Fn(u16) -> String,
    pub needs_all: bool,
    pub depth: usize,
    pub search: Option<Search>,
    pub stops_at_brk: bool,
}

impl Forward<'_> {
    fn view<'v>(&self, now: &'v Now<'_>) -> View<'v> {
        View {
            registers: now.registers,
            cycles: now.cycles,
            look: now.look,
            bank: now.bank,
            clock: now.clock,
        }
    }

    fn stop(&mut self, time: u64, cause: Cause) -> ControlFlow<()> {
        if let Some(search) = &mut self.search {
            if time < search.end && !matches!(cause, Cause::Returned) {
                search.found = Some((time, cause));
            }
            return ControlFlow::Continue(());
        }
        self.cause = Some(cause);
        ControlFlow::Break(())
    }

    /// The run is over before another instruction: what the last one did is judged now.
    pub fn close(&mut self, machine: &Machine) {
        let settled = machine.view(|view| self.settle(view, machine.time()));
        let found = self.found.take().map(|(exception, text)| Cause::Exception(exception, text));
        if let Some(cause) = settled.or(found) {
            let _ = self.stop(machine.time(), cause);
        }
    }

    /// Whether a return goes to no call, or the stack goes around, at this instruction.
    fn stack_fault(&self, now: &Now<'_>) -> Option<String> {
        let (pc, s) = (now.registers.pc, now.registers.s);
        let row = self.cpu.decode((now.look)(pc));
        let (mnemonic, place) = (row.mnemonic, || (self.describe)(pc));
        use tempo_isa::Mnemonic as M;
        let (pushes, pulls): (u8, u8) = match mnemonic {
            M::Pha | M::Php | M::Phx | M::Phy => (1, 0),
            M::Jsr => (2, 0),
            M::Brk => (3, 0),
            M::Pla | M::Plp | M::Plx | M::Ply => (0, 1),
            M::Rts => (0, 2),
            M::Rti => (0, 3),
            _ => return None,
        };
        let (level, is_call) = now
            .calls
            .frames
            .last()
            .map_or((now.calls.level, true), |call| (call.level, call.kind == CallKind::Call));
        if matches!(mnemonic, M::Rts | M::Rti) && (s != level || is_call != (mnemonic == M::Rts)) {
            return Some(format!("{mnemonic} at {} returns to no call", place()));
        }
        // What a program returns to is above its first byte.
        let is_last = now.calls.frames.is_empty() && s == level;
        if s < pushes || (!is_last && s.checked_add(pulls).is_none()) {
            return Some(format!("the stack goes around at {}", place()));
        }
        None
    }

    /// Breakpoints by number, of which some may say stop.
    fn reached(&mut self, numbers: &[usize], view: &View<'_>, time: u64) -> Option<Cause> {
        let mut stopped: Option<(Vec<u32>, Origin, String)> = None;
        for &number in numbers {
            let origin = self.points.by_number(number).origin;
            if origin == Origin::Source && !self.exceptions.has(Exception::SourceBreaks) {
                continue;
            }
            // First what is cheap and mostly false.
            if self.points.is_false(number, view) {
                continue;
            }
            if let Some((file, line)) = self.points.by_number(number).line
                && !self.map.owns(file, line, view.registers.pc, view.look)
            {
                // Other code is here now.
                continue;
            }
            let text = match self.points.reached(number, view, time) {
                Verdict::Nothing => continue,
                Verdict::Log(line) => {
                    if self.search.is_none() && self.log.len() < 10_000 {
                        self.log.push(line);
                    }
                    continue;
                }
                Verdict::Stop => self.points.by_number(number).name.clone(),
                Verdict::Fault(fault) => format!("the condition cannot be evaluated: {fault}"),
            };
            let id = self.points.by_number(number).id;
            match &mut stopped {
                Some((ids, _, _)) => ids.push(id),
                None => stopped = Some((vec![id], origin, text)),
            }
        }
        stopped.map(|(ids, origin, text)| Cause::Points(ids, origin, text))
    }

    /// The effect of the last instruction on watched memory; also asked when a run ends without another instruction.
    pub fn settle(&mut self, view: &View<'_>, time: u64) -> Option<Cause> {
        let pending = std::mem::take(&mut self.data.pending);
        let mut cause = None;
        for touched in pending {
            if let Some(Cause::Points(ids, origin, name)) = self.reached(&touched.points, view, time) {
                let text =
                    describe_touch(&touched, self.cpu.decode((view.look)(touched.touch.pc)), self.describe);
                let text = if name.is_empty() { text } else { format!("{text} ({name})") };
                cause = cause.or(Some(Cause::Points(ids, origin, text)));
            }
        }
        cause
    }
}

/// "`$d020`: `$0e` → `$00`, by `sta` at `main.asm:41`"
fn describe_touch(
    touched: &Touched,
    row: &tempo_isa::Instruction,
    describe: &dyn Fn(u16) -> String,
) -> String {
    let Touch { address, value, is_write, pc, .. } = touched.touch;
    let by = format!("by {} at {}", row.mnemonic, describe(pc));
    match is_write {
        true => format!("${address:04X}: ${:02X} → ${value:02X}, {by}", touched.old),
        false => format!("${address:04X} is read: ${value:02X}, {by}"),
    }
}

impl Judge for Forward<'_> {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        self.depth = now.calls.frames.len();
        let (before, pc) = (std::mem::replace(&mut self.last_cycles, now.cycles), now.registers.pc);
        if now.time == self.start {
            return ControlFlow::Continue(());
        }
        let view = self.view(now);
        if !self.data.pending.is_empty()
            && let Some(cause) = self.settle(&view, now.time)
        {
            return self.stop(now.time, cause);
        }
        if let Some((exception, text)) = self.found.take() {
            return self.stop(now.time, Cause::Exception(exception, text));
        }
        if pc == 0 && self.is_bare {
            let last = now.calls.frames.last();
            if let Some(call) = last.filter(|call| call.kind == CallKind::Brk && call.target == 0) {
                let text = format!("brk at {}", (self.describe)(call.from));
                if self.exceptions.has(Exception::Brk) {
                    return self.stop(now.time, Cause::Exception(Exception::Brk, text));
                }
                return self.stop(now.time, Cause::Returned);
            }
            if self.entry_level.is_some_and(|level| now.registers.s >= level) {
                return self.stop(now.time, Cause::Returned);
            }
        }
        if now.is_trap && self.is_bare && self.exceptions.has(Exception::Trap) {
            let text = format!("{} jumps to itself", (self.describe)(pc));
            return self.stop(now.time, Cause::Exception(Exception::Trap, text));
        }
        if self.exceptions.has(Exception::Stack)
            && let Some(text) = self.stack_fault(now)
        {
            return self.stop(now.time, Cause::Exception(Exception::Stack, text));
        }
        if self.stops_at_brk && (now.look)(pc) == 0 {
            let text = format!("brk at {}", (self.describe)(pc));
            return self.stop(now.time, Cause::AtBrk(text));
        }
        let cause = match self.points.at(pc) {
            [] => None,
            &[(_, number)] => self.reached(&[number], &view, now.time),
            all => {
                let numbers: Vec<usize> = all.iter().map(|(_, number)| *number).collect();
                self.reached(&numbers, &view, now.time)
            }
        };
        if let Some(cause) = cause {
            return self.stop(now.time, cause);
        }
        if self.needs_all
            && let Some(beam) = now.clock.beam
        {
            let lines: Vec<usize> = (0..self.points.len())
                .filter(|&number| match self.points.by_number(number).watch {
                    Watch::Raster { line, cycle } => crosses(beam, before, now.cycles, line, cycle),
                    _ => false,
                })
                .collect();
            if let Some(cause) = self.reached(&lines, &view, now.time) {
                return self.stop(now.time, cause);
            }
        }
        if let Some(rule) = &self.rule
            && rule.ends(self.map, now)
        {
            return self.stop(now.time, Cause::Step);
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn is_false_alarm(&self, view: &View<'_>) -> bool {
        let pc = view.registers.pc;
        let points = self.points.at(pc);
        let is_quiet = pc != 0 && !self.stops_at_brk && !points.is_empty();
        is_quiet && points.iter().all(|&(_, number)| self.points.is_false(number, view))
    }

    fn touch(&mut self, touch: Touch) {
        self.data.touch(self.points, self.flags, touch);
        let Some(seen) = &mut self.seen else { return };
        let (address, time) = (touch.address, touch.time);
        if touch.is_write && self.exceptions.has(Exception::SelfMod) && seen.was_run(address, time) {
            let text = format!("code at ${address:04X} is changed by {}", (self.describe)(touch.pc));
            self.found.get_or_insert((Exception::SelfMod, text));
        }
        // What a pull finds on the stack is the business of `stack`.
        let is_read = !touch.is_write && !matches!(touch.access, Access::Stack | Access::Vector);
        if is_read && self.exceptions.has(Exception::Uninit) && !seen.is_set(address, time) {
            let place = (self.describe)(touch.pc);
            let text = format!("${address:04X} is read by {place}, and it was never written");
            self.found.get_or_insert((Exception::Uninit, text));
        }
        seen.note(&touch);
    }

    fn interrupt(&mut self, interrupt: Interrupt) {
        let exception = match interrupt {
            Interrupt::Irq => Exception::Irq,
            Interrupt::Nmi => Exception::Nmi,
            Interrupt::Reset => return,
        };
        if self.exceptions.has(exception) {
            self.found.get_or_insert((exception, exception.label().to_string()));
        }
    }

    fn poke(&mut self, address: u16, _value: u8, time: u64) {
        if let Some(seen) = &mut self.seen {
            seen.set(address, time);
        }
    }

    fn statement(&mut self, machine: &Machine, span: Span) -> ControlFlow<()> {
        if machine.time() == self.start {
            return ControlFlow::Continue(());
        }
        let cause = machine.view(|view| {
            let settled = self.settle(view, machine.time());
            settled.or_else(|| {
                let numbers: Vec<usize> = (0..self.points.len())
                    .filter(|&number| match &self.points.by_number(number).watch {
                        Watch::Text(offsets) => offsets.contains(&span.start),
                        _ => false,
                    })
                    .collect();
                self.reached(&numbers, view, machine.time())
            })
        });
        match cause {
            Some(cause) => self.stop(machine.time(), cause),
            None if self.rule.is_some() => self.stop(machine.time(), Cause::Step),
            None => ControlFlow::Continue(()),
        }
    }

    fn failure(&mut self, machine: &Machine, _span: Span, message: &str) -> ControlFlow<()> {
        let exception = if message.starts_with("guard:") { Exception::Guard } else { Exception::Assert };
        if machine.time() == self.start || !self.exceptions.has(exception) {
            return ControlFlow::Continue(());
        }
        self.stop(machine.time(), Cause::Exception(exception, message.to_string()))
    }

    fn moved(&mut self, depth: usize) {
        self.depth = depth;
    }

    fn sees_all(&self) -> bool {
        self.needs_all
            || !self.data.pending.is_empty()
            || self.found.is_some()
            || self.rule.as_ref().is_some_and(|rule| !rule.sleeps(self.depth))
    }

    fn least_calls(&self) -> usize {
        self.rule.as_ref().map_or(0, |rule| rule.sleeping_calls())
    }

    fn sees_traps(&self) -> bool {
        self.is_bare && self.exceptions.has(Exception::Trap)
    }
}

/// Whether the beam reached a place after `before` and not after `now`.
fn crosses(beam: BeamClock, before: u64, now: u64, line: u16, cycle: u8) -> bool {
    let per_frame = beam.timing.cycles_per_frame();
    let target = beam.timing.cycles_to((line, cycle.max(1)));
    let position = (beam.base + before) % per_frame;
    let distance = (target + per_frame - position - 1) % per_frame + 1;
    distance <= now.saturating_sub(before)
}
