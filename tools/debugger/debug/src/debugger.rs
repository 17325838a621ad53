//! The debugger: a machine with a past, breakpoints, and what the user asked for. It runs in slices, so that the caller
//! can listen to the user in between.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use tempo_emu::Registers;
use tempo_rig::Recording;

use crate::condition::{ExpressionError, Program};
use crate::exceptions::{Exception, Exceptions};
use crate::history::{History, Moment};
use crate::hook::{Flags, Judge, Now, Touch};
use crate::judge::{Cause, DataWatch, Forward, Search, Seen};
use crate::listing::Executed;
use crate::machine::{Halt, Input, Machine};
use crate::map::SourceMap;
use crate::names::Names;
use crate::points::{Message, Origin, Point, Points, Watch};
use crate::reverse::Back;
use crate::step::{Granularity, Rule, StepKind, hidden, macros};

/// The debugged program, and the way it is debugged.
pub struct Target {
    /// The machine, ready to run.
    pub machine: Machine,
    /// Where its code comes from.
    pub map: SourceMap,
    /// Its names.
    pub names: Names,
    /// The test, if it is one.
    pub test: Option<Recording>,
    /// The stack pointer before a bare program was entered: a return to it is the end.
    pub entry_level: Option<u8>,
    /// Cycles after which the exception `limit` stops; 0 is never.
    pub max_cycles: u64,
    /// Megabytes of the past.
    pub history: usize,
    /// `.break` and `.watch` of the source: address, argument; first, last, argument.
    pub source_points: Vec<(Watch, String)>,
    /// Bytes that were loaded, for the exception `uninit`.
    pub loaded: Vec<(u16, usize)>,
    /// Where it stops instead of ending.
    pub stop_at: Option<StopAt>,
}

/// Where a program stops instead of ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopAt {
    /// At the `rts` that ends it.
    Rts,
    /// At every `brk`, whatever handles it.
    Brk,
}

/// Why the machine is stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Before the first instruction.
    Entry,
    /// A step ended.
    Step,
    /// Breakpoints with these numbers.
    Points(Vec<u32>, Origin),
    /// An exception.
    Exception(Exception),
    /// The user asked for it.
    Pause,
    /// The user went somewhere.
    Goto,
    /// The first moment of the recording was reached, going back.
    Start,
    /// The program has ended with this exit code.
    Ended(u8),
}

/// A stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Why.
    pub reason: Reason,
    /// The details shown with it.
    pub text: String,
}

impl Stopped {
    pub(crate) fn new(reason: Reason, text: impl Into<String>) -> Stopped {
        Stopped { reason, text: text.into() }
    }
}

/// The debugger.
pub struct Debugger {
    /// Where the code comes from.
    pub map: SourceMap,
    /// The program's names.
    pub names: Names,
    /// The breakpoints.
    pub points: Points,
    /// The exceptions that stop.
    pub exceptions: Exceptions,
    /// The test, if it is one.
    pub test: Option<Arc<Recording>>,
    pub(crate) now: Moment,
    pub(crate) history: History,
    /// Macros whose first instruction is next, and that the user has not entered.
    pub(crate) hidden: usize,
    /// Where names are looked up, if not where the machine is stopped.
    focus: Option<u16>,
    /// Steps forward that can be taken back one by one: from, hidden there, to.
    pub(crate) trail: Vec<(u64, usize, u64)>,
    pub(crate) rule: Option<Rule>,
    step_from: (u64, usize),
    entry_level: Option<u8>,
    max_cycles: u64,
    stop_at: Option<StopAt>,
    seen: Option<Box<Seen>>,
    loaded: Vec<(u16, usize)>,
    pub(crate) log: Vec<String>,
    /// A run back that is not over.
    pub(crate) back: Option<Back>,
    /// The time of the last piece's end, and the cycles at its last instruction.
    judged: (u64, u64),
    /// Instructions that ran in the recent past, for listings: the time it was asked at, and the addresses.
    pub(crate) executed: RefCell<Option<(u64, Executed)>>,
    /// Cycles at the last stop but one, for "since the last stop".
    stop_cycles: (u64, u64),
    last_stop: Stopped,
}

impl Debugger {
    /// Ready to run.
    pub fn new(target: Target) -> Debugger {
        let Target { machine, map, names, test, entry_level, max_cycles, history, .. } = target;
        let (source_points, loaded, stop_at) = (target.source_points, target.loaded, target.stop_at);
        let now = Moment::new(machine);
        let mut debugger = Debugger {
            map,
            names,
            points: Points::default(),
            exceptions: Exceptions::default(),
            test: test.map(Arc::new),
            history: History::new(now.clone(), history),
            now,
            hidden: 0,
            focus: None,
            trail: Vec::new(),
            rule: None,
            step_from: (0, 0),
            entry_level,
            max_cycles,
            stop_at,
            seen: None,
            loaded,
            log: Vec::new(),
            back: None,
            judged: (u64::MAX, 0),
            executed: RefCell::new(None),
            stop_cycles: (0, 0),
            last_stop: Stopped::new(Reason::Entry, ""),
        };
        for (watch, argument) in source_points {
            debugger.add_source_point(watch, &argument);
        }
        debugger.hidden = debugger.hidden_here(None);
        debugger
    }

    /// `.break` with its argument as a condition if it parses, else as what is shown.
    fn add_source_point(&mut self, watch: Watch, argument: &str) {
        let argument = argument.trim().trim_matches('"').trim();
        let condition = argument.strip_prefix("if ").unwrap_or(argument);
        let directive = if matches!(watch, Watch::Data { .. }) { ".watch" } else { ".break" };
        let mut point = Point::new(Origin::Source, watch);
        point.name = if argument.is_empty() { directive.to_string() } else { argument.to_string() };
        if !argument.is_empty() {
            point.condition = self.compile(condition).ok();
        }
        self.add_point(point);
    }

    /// Adds a breakpoint; its hits are counted from now on. The number it got.
    pub fn add_point(&mut self, mut point: Point) -> u32 {
        point.since = self.time();
        self.points.add(point)
    }

    /// The machine now.
    pub fn machine(&self) -> &Machine {
        &self.now.machine
    }

    /// The moment: machine and calls.
    pub fn moment(&self) -> &Moment {
        &self.now
    }

    /// The time now.
    pub fn time(&self) -> u64 {
        self.now.time()
    }

    /// Cycles since the last stop.
    pub fn cycles_since_stop(&self) -> u64 {
        self.stop_cycles.1.saturating_sub(self.stop_cycles.0)
    }

    /// Why it is stopped.
    pub fn last_stop(&self) -> &Stopped {
        &self.last_stop
    }

    /// How many copies of the machine are kept.
    pub fn copies(&self) -> usize {
        self.history.count()
    }

    /// The output of log points since the last call.
    pub fn take_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    /// Compiles an expression with the names that are visible at PC.
    pub fn compile(&self, text: &str) -> Result<Program, ExpressionError> {
        self.compile_at(text, self.focus())
    }

    /// Names mean what they mean at this address, until it is taken back; else where the machine is stopped.
    pub fn look_from(&mut self, address: Option<u16>) {
        self.focus = address;
    }

    pub(crate) fn focus(&self) -> u16 {
        self.focus.unwrap_or(self.now.machine.registers().pc)
    }

    /// Compiles an expression with the names that are visible at an address: arguments of the macros around it, then
    /// names of its scope.
    pub fn compile_at(&self, text: &str, address: u16) -> Result<Program, ExpressionError> {
        let peek = |at: u16| self.now.machine.peek(at);
        let arguments = self.map.arguments(address, &peek);
        let scope = self.names.scope_at(address);
        self.compile_with(text, scope, &|name| {
            arguments.iter().find(|(known, _, _)| *known == name).and_then(|(_, _, number)| *number)
        })
    }

    /// Compiles an expression in a scope.
    pub fn compile_in(&self, text: &str, scope: &str) -> Result<Program, ExpressionError> {
        self.compile_with(text, scope, &|_| None)
    }

    fn compile_with(
        &self,
        text: &str,
        scope: &str,
        first: &dyn Fn(&str) -> Option<i64>,
    ) -> Result<Program, ExpressionError> {
        let values = self.test.as_ref().map(|test| &test.values);
        Program::compile(text, &|name| {
            if let Some(number) = first(name) {
                return Some(number);
            }
            let own = values.and_then(|values| values.iter().find(|(known, _)| known == name));
            match own {
                Some((_, number)) => Some(*number),
                None => self.names.get(name, scope),
            }
        })
    }

    /// Compiles the message of a log point, with the names that are visible at an address.
    pub fn message(&self, text: &str, address: Option<u16>) -> Result<Message, String> {
        let peek = |at: u16| self.now.machine.peek(at);
        let arguments = address.map_or(Vec::new(), |address| self.map.arguments(address, &peek));
        let scope = address.map_or("", |address| self.names.scope_at(address));
        Message::parse(text, &|name| {
            let own = arguments.iter().find(|(known, _, _)| *known == name);
            own.and_then(|(_, _, number)| *number).or_else(|| self.names.get(name, scope))
        })
    }

    /// The value of an expression now.
    pub fn value(&self, text: &str) -> Result<i64, String> {
        let program = self.compile(text).map_err(|err| err.0)?;
        self.now.machine.view(|view| program.eval(view)).map_err(|fault| fault.to_string())
    }

    /// `main.asm:41 (Routine+3)`, or what is known of an address.
    pub fn place(&self, address: u16) -> String {
        let peek = |at: u16| self.now.machine.peek(at);
        place(&self.map, &self.names, address, &peek)
    }

    pub(crate) fn hidden_here(&self, previous: Option<u16>) -> usize {
        if !self.now.machine.is_in_code() {
            return 0;
        }
        let peek = |at: u16| self.now.machine.peek(at);
        hidden(&self.map, self.now.machine.registers().pc, previous, &peek)
    }

    // --- what the user asks for ------------------------------------------------------------------------

    /// Prepares a run until something stops it.
    pub fn resume(&mut self) {
        self.rule = None;
        self.trail.clear();
        self.begin();
    }

    /// Prepares the first run: unlike [`Debugger::resume`] it may stop where the machine is stopped, because the user has not seen
    /// it there.
    pub fn start(&mut self) {
        self.resume();
        self.step_from.0 = u64::MAX;
    }

    /// Prepares a step. `Some` if it is over already: a macro was entered.
    pub fn step(&mut self, kind: StepKind, granularity: Granularity) -> Option<Stopped> {
        let machine = &self.now.machine;
        let pc = machine.registers().pc;
        let peek = |at: u16| machine.peek(at);
        let by_statement = granularity == Granularity::Statement;
        let in_text = !machine.is_in_code();
        let origin = if in_text { None } else { self.map.spot(pc, by_statement, &peek) };
        if self.hidden > 0 && kind == StepKind::In && granularity != Granularity::Instruction && !in_text {
            self.trail.push((self.time(), self.hidden, self.time()));
            self.hidden -= 1;
            return Some(self.stopped(Stopped::new(Reason::Step, "")));
        }
        let mut chain = macros(&self.map, origin.and_then(|spot| spot.expansion));
        let entered = chain.len().saturating_sub(self.hidden);
        let over = chain.get(entered).copied().filter(|_| self.hidden > 0);
        chain.truncate(entered);
        let depth = self.now.calls.frames.len();
        let origin = if over.is_some() { None } else { origin };
        let has_source = origin.is_some() || over.is_some();
        // Without a source a line is an instruction.
        let granularity = if has_source || in_text { granularity } else { Granularity::Instruction };
        self.rule = Some(Rule { kind, granularity, depth, origin, origin_pc: pc, chain, over, in_text });
        self.begin();
        None
    }

    fn begin(&mut self) {
        self.back = None;
        self.step_from = (self.time(), self.hidden);
        self.stop_cycles.0 = self.now.machine.cycles();
    }

    /// The user wants it to stop.
    pub fn pause(&mut self) -> Stopped {
        self.hidden = 0;
        if let Some(back) = self.back.take() {
            // As far back as it got.
            self.travel(back.end);
        }
        self.stopped(Stopped::new(Reason::Pause, ""))
    }

    /// Sets PC without running.
    pub fn jump(&mut self, address: u16) -> Stopped {
        let registers = Registers { pc: address, ..*self.now.machine.registers() };
        self.change(Input::Registers(registers));
        self.hidden = self.hidden_here(None);
        self.stopped(Stopped::new(Reason::Goto, ""))
    }

    /// A change by the user; whether a recorded future was dropped for it.
    pub fn change(&mut self, input: Input) -> bool {
        let dropped = self.history.change(&self.now, input.clone());
        let time = self.time();
        if let Some(seen) = &mut self.seen {
            seen.forget_after(time);
            if let Input::Poke(address, bytes) = &input {
                (0..bytes.len()).for_each(|offset| seen.set(address.wrapping_add(offset as u16), time));
            }
        }
        self.now.machine.apply(&input);
        self.now.calls.changed(self.now.machine.registers());
        self.trail.clear();
        dropped
    }

    pub(crate) fn stopped(&mut self, stopped: Stopped) -> Stopped {
        self.stop_cycles.1 = self.now.machine.cycles();
        self.last_stop = stopped.clone();
        stopped
    }

    // --- running ---------------------------------------------------------------------------------------

    /// Runs for about this many cycles, or searches one stretch of the past if it runs back; `Some` if something stopped it.
    pub fn run(&mut self, slice: u64) -> Option<Stopped> {
        if self.back.is_some() {
            return self.run_back();
        }
        let end = self.time().saturating_add(slice.max(1));
        while self.time() < end {
            let until = end.min(self.history.due());
            let (halt, cause) = self.run_piece(until.max(self.time() + 1));
            self.now.counts = self.points.counting().map(|point| (point.id, point.count)).collect();
            self.history.note(&self.now);
            if let Some(stopped) = self.judged(halt, cause) {
                return Some(stopped);
            }
        }
        None
    }

    /// Finds out when every byte was first written and executed, if an exception needs to know.
    pub(crate) fn prepare_seen(&mut self) {
        if !self.exceptions.needs_accesses() || self.seen.is_some() {
            return;
        }
        let start = self.history.start();
        let mut seen = Box::new(Seen::new());
        for &(first, len) in &self.loaded {
            (0..len).for_each(|offset| seen.set(first.wrapping_add(offset as u16), start));
        }
        if self.now.machine.kind().has_sockets() {
            // ROMs, chips and the variables of the KERNAL.
            let known = (0..0x0400).chain(0xa000..0xc000).chain(0xd000..=0xffff);
            known.for_each(|address| seen.set(address, start));
        }
        if self.history.latest() > start {
            let mut moment = self.history.copy(0);
            let mut judge = Marks(&mut seen);
            self.history.replay::<true>(&mut moment, &mut judge, &Flags::default(), self.history.latest());
        }
        self.seen = Some(seen);
    }

    fn is_bare(&self) -> bool {
        !self.now.machine.is_test() && self.now.machine.computer().is_none()
    }

    /// Runs a stretch of the past again, from a copy to a time, and finds the last stop in it before a limit. The
    /// points count their hits.
    pub(crate) fn search(
        &mut self,
        number: usize,
        points: &mut Points,
        until: u64,
        limit: u64,
        close: bool,
    ) -> Option<(u64, Cause)> {
        self.prepare_seen();
        let is_bare = self.is_bare();
        let accesses = points.needs_accesses() || self.exceptions.needs_accesses();
        let needs_all = points.needs_all() || self.exceptions.needs_all();
        let stops_at_brk = self.stop_at == Some(StopAt::Brk);
        let needs_all = needs_all || stops_at_brk;
        let Debugger { map, names, history, seen, exceptions, entry_level, .. } = self;
        let describe = |address: u16| place_of(map, names, address);
        let mut moment = history.copy(number);
        if is_bare {
            points.watch_zero();
        }
        let flags = Arc::clone(&points.flags);
        let mut judge = Forward {
            flags: &flags,
            data: DataWatch::new(points, &moment.machine),
            points,
            map,
            cpu: moment.machine.isa(),
            exceptions: *exceptions,
            rule: None,
            seen: seen.as_deref_mut(),
            start: u64::MAX,
            entry_level: *entry_level,
            is_bare,
            cause: None,
            log: Vec::new(),
            found: None,
            last_cycles: moment.machine.cycles(),
            describe: &describe,
            needs_all,
            depth: moment.calls.frames.len(),
            search: Some(Search { end: limit, found: None }),
            stops_at_brk,
        };
        match accesses {
            true => history.replay::<true>(&mut moment, &mut judge, &flags, until),
            false => history.replay::<false>(&mut moment, &mut judge, &flags, until),
        };
        if close {
            judge.close(&moment.machine);
        }
        judge.search.take().and_then(|search| search.found)
    }

    fn run_piece(&mut self, until: u64) -> (Halt, Option<Cause>) {
        self.prepare_seen();
        let accesses = self.points.needs_accesses() || self.exceptions.needs_accesses();
        let needs_all = self.points.needs_all() || self.exceptions.needs_all();
        let needs_all = needs_all || self.stop_at == Some(StopAt::Brk);
        let is_bare = self.is_bare();
        if is_bare {
            self.points.watch_zero();
        }
        let limit = match self.max_cycles {
            0 => u64::MAX,
            most => most.saturating_sub(self.now.machine.cycles()).saturating_add(self.time()),
        };
        let data = DataWatch::new(&self.points, &self.now.machine);
        let (map, names) = (&self.map, &self.names);
        let describe = |address: u16| place_of(map, names, address);
        let flags = Arc::clone(&self.points.flags);
        let mut judge = Forward {
            flags: &flags,
            points: &mut self.points,
            map,
            cpu: self.now.machine.isa(),
            exceptions: self.exceptions,
            rule: self.rule.clone(),
            data,
            seen: self.seen.as_deref_mut(),
            start: self.step_from.0,
            entry_level: self.entry_level,
            is_bare,
            cause: None,
            log: Vec::new(),
            found: None,
            last_cycles: if self.judged.0 == self.now.time() {
                self.judged.1
            } else {
                self.now.machine.cycles()
            },
            describe: &describe,
            needs_all,
            depth: self.now.calls.frames.len(),
            search: None,
            stops_at_brk: self.stop_at == Some(StopAt::Brk),
        };
        let Moment { machine, calls, .. } = &mut self.now;
        let until = until.min(limit);
        let mut halt = match accesses {
            true => machine.run::<true>(&mut judge, &flags, calls, until),
            false => machine.run::<false>(&mut judge, &flags, calls, until),
        };
        if halt != Halt::Judge {
            // The last instruction of the piece may have touched what is watched.
            judge.close(machine);
            if judge.cause.is_some() && halt == Halt::Time {
                halt = Halt::Judge;
            }
        }
        // Without a raster breakpoint nothing has followed the beam: one that is set now waits from here on.
        self.judged = (machine.time(), if needs_all { judge.last_cycles } else { machine.cycles() });
        let (cause, log) = (judge.cause.take(), std::mem::take(&mut judge.log));
        drop(judge);
        self.log.extend(log);
        if halt == Halt::Time && self.time() >= limit && self.exceptions.has(Exception::Limit) {
            let text = format!("{} cycles are used up", self.max_cycles);
            return (Halt::Judge, Some(Cause::Exception(Exception::Limit, text)));
        }
        (halt, cause)
    }

    fn judged(&mut self, halt: Halt, cause: Option<Cause>) -> Option<Stopped> {
        let previous = self.now.calls.pc();
        let stopped = match (halt, cause) {
            (Halt::Time, _) => return None,
            (Halt::Judge, Some(Cause::Step)) => {
                self.hidden = self.hidden_here(Some(previous));
                Stopped::new(Reason::Step, "")
            }
            (Halt::Judge, Some(cause)) => self.stopped_by(cause, previous),
            (Halt::Judge, None) => return None,
            (Halt::Jammed, _) if self.exceptions.has(Exception::Jam) => {
                self.hidden = 0;
                let pc = self.now.machine.registers().pc;
                Stopped::new(Reason::Exception(Exception::Jam), format!("jam opcode at {}", self.place(pc)))
            }
            (Halt::Jammed | Halt::Waiting, _) => Stopped::new(Reason::Ended(1), "the processor is halted"),
            (Halt::Returned, _) => Stopped::new(Reason::Ended(0), "the program returned to BASIC"),
            (Halt::Exit(code), _) => {
                Stopped::new(Reason::Ended(code), format!("the program ended with code {code}"))
            }
            (Halt::Finished, _) => {
                let failures = self.test.as_ref().map_or(0, |test| test.failures.len());
                let text = if failures == 0 { "the test passed" } else { "the test failed" };
                Stopped::new(Reason::Ended(u8::from(failures > 0)), text)
            }
        };
        if self.rule.is_some() {
            let (from, hidden) = self.step_from;
            self.trail.push((from, hidden, self.time()));
        }
        Some(self.stopped(stopped))
    }

    /// The stop that a cause means, where the machine is now.
    pub(crate) fn stopped_by(&mut self, cause: Cause, previous: u16) -> Stopped {
        self.hidden = 0;
        match cause {
            Cause::Step => Stopped::new(Reason::Step, ""),
            Cause::Points(ids, origin, text) => {
                self.hidden = self.hidden_for(&ids, previous);
                Stopped::new(Reason::Points(ids, origin), text)
            }
            Cause::Exception(Exception::Brk, text) => {
                // Shown where it stands, not where it led.
                self.back_one();
                Stopped::new(Reason::Exception(Exception::Brk), text)
            }
            Cause::Exception(exception, text) => Stopped::new(Reason::Exception(exception), text),
            Cause::Returned => {
                let end = self.time();
                if self.stop_at == Some(StopAt::Rts) && self.back_one() {
                    if self.time() != self.step_from.0 {
                        return Stopped::new(Reason::Pause, "the program returns here");
                    }
                    self.travel(end);
                }
                Stopped::new(Reason::Ended(0), "the program returned")
            }
            Cause::AtBrk(text) => Stopped::new(Reason::Exception(Exception::Brk), text),
        }
    }

    /// A breakpoint on the line of a macro's call shows that line.
    pub(crate) fn hidden_for(&self, ids: &[u32], previous: u16) -> usize {
        let wanted = ids.iter().filter_map(|&id| self.points.get(id)).find_map(|point| point.line);
        let Some((file, line)) = wanted else { return 0 };
        let peek = |at: u16| self.now.machine.peek(at);
        let Some(statement) = self.map.at(self.now.machine.registers().pc, &peek) else { return 0 };
        if (statement.file, statement.line) == (file, line) {
            return 0;
        }
        let most = self.hidden_here(Some(previous));
        let chain = macros(&self.map, statement.expansion);
        (1..=most)
            .find(|&count| {
                let call = &self.map.expansions[chain[chain.len() - count]];
                (call.file, call.line) == (file, line)
            })
            .unwrap_or(0)
    }
}

/// Notes what was written and executed.
struct Marks<'a>(&'a mut Seen);

impl Judge for Marks<'_> {
    fn instruction(&mut self, _: &Now<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn touch(&mut self, touch: Touch) {
        self.0.note(&touch);
    }
    fn poke(&mut self, address: u16, _: u8, time: u64) {
        self.0.set(address, time);
    }
    fn sees_all(&self) -> bool {
        true
    }
}

/// The same without a look at memory: the first statement that claims the address.
fn place_of(map: &SourceMap, names: &Names, address: u16) -> String {
    place(map, names, address, &|at| {
        let own = map.claims(at).next();
        own.map_or(0, |one| one.bytes.get(usize::from(at.wrapping_sub(one.address))).copied().unwrap_or(0))
    })
}

/// `main.asm:41 (Routine+3)`.
pub(crate) fn place(map: &SourceMap, names: &Names, address: u16, peek: &dyn Fn(u16) -> u8) -> String {
    let name = names.describe(address);
    match map.at(address, peek).or_else(|| map.around(address, peek).filter(|one| one.is_code)) {
        Some(statement) => {
            let path = &map.files[statement.file].path;
            let short = path.rsplit(['/', '\\']).next().unwrap_or(path);
            format!("{short}:{} ({name})", statement.line)
        }
        None => name,
    }
}
