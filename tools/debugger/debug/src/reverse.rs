//! Going back: one stretch of the past at a time is run again, and the last place that fits wins. Where a run forward
//! stops, a run back stops, too: breakpoints with the hits they had then, and exceptions. Log points are silent.

use std::ops::ControlFlow;

use tempo_diagnostics::Span;

use crate::condition::{Program, View};
use crate::debugger::{Debugger, Reason, Stopped};
use crate::history::{History, Moment};
use crate::hook::{Flags, Judge, Now};
use crate::machine::Machine;
use crate::map::{SourceMap, Spot};
use crate::points::Points;
use crate::step::{Granularity, macros};

/// How far a run back got: stretches before the end are still to be searched, and stops from the limit on are not meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Back {
    pub end: u64,
    pub limit: u64,
}

impl Debugger {
    /// One instruction, or one step of a test's text, back. `false` at the start.
    pub(crate) fn back_one(&mut self) -> bool {
        let end = self.time();
        let Some(number) = self.history.before(end) else { return false };
        let mut moment = self.history.copy(number);
        let mut judge = Boundaries { last: moment.time(), end };
        self.history.replay::<false>(&mut moment, &mut judge, &Flags::default(), end);
        let time = judge.last;
        self.travel(time);
        true
    }

    /// Goes to a time that is one between two instructions.
    pub(crate) fn travel(&mut self, time: u64) {
        self.now = self.history.at(time);
        self.recount();
    }

    /// Breakpoints have been reached as often as they had been at this moment.
    fn recount(&mut self) {
        let time = self.time();
        if self.points.counting().next().is_none() {
            return;
        }
        if self.points.counting().any(|point| point.since > time) {
            self.count_from_start();
        }
        let number = self.history.at_or_before(time);
        let mut points = self.points_at(number);
        self.search(number, &mut points, time + 1, 0, false);
        self.points = points;
    }

    /// The breakpoints with the counts of a copy.
    fn points_at(&self, number: usize) -> Points {
        let counts = self.history.counts(number);
        let mut points = self.points.clone();
        for point in points.counting() {
            point.count = counts.iter().find(|(id, _)| *id == point.id).map_or(0, |(_, count)| *count);
        }
        points
    }

    /// Going back before a breakpoint was set, its hits count from the start of the recording.
    fn count_from_start(&mut self) {
        let start = self.history.start();
        let mut points = self.points.clone();
        for point in points.counting() {
            (point.since, point.count) = (start, 0);
        }
        let times = self.history.times();
        for number in 0..times.len() {
            let counts = points.counting().map(|point| (point.id, point.count)).collect();
            self.history.set_counts(number, counts);
            if let Some(&end) = times.get(number + 1) {
                self.search(number, &mut points, end, 0, true);
            }
        }
        for point in self.points.counting() {
            point.since = start;
        }
    }

    fn at_start(&mut self) -> Stopped {
        self.hidden = 0;
        self.stopped(Stopped::new(Reason::Start, "start of recording"))
    }

    /// A step back. The steps forward that led here are taken back exactly; before them, a step goes to the line that ran
    /// before in this routine or its callers, and around what that line called.
    pub fn step_back(&mut self, granularity: Granularity) -> Stopped {
        let end = self.time();
        if let Some((from, hidden, to)) = self.trail.pop() {
            if to == end {
                self.travel(from);
                self.hidden = hidden;
                return self.stopped(Stopped::new(Reason::Step, ""));
            }
            self.trail.clear();
        }
        if end <= self.history.start() {
            return self.at_start();
        }
        let in_code = self.now.machine.is_in_code();
        let has_source = {
            let peek = |at: u16| self.now.machine.peek(at);
            self.map.at(self.now.machine.registers().pc, &peek).is_some()
        };
        if granularity == Granularity::Instruction || (in_code && !has_source) {
            self.back_one();
            self.hidden = 0;
            return self.stopped(Stopped::new(Reason::Step, ""));
        }
        let found = self.line_before(end, granularity == Granularity::Statement);
        match found {
            Some(time) => {
                self.travel(time);
                let previous = self.now.calls.pc();
                self.hidden = {
                    let peek = |at: u16| self.now.machine.peek(at);
                    crate::step::hidden(&self.map, self.now.machine.registers().pc, Some(previous), &peek)
                };
                self.stopped(Stopped::new(Reason::Step, ""))
            }
            None => {
                self.travel(self.history.start());
                self.at_start()
            }
        }
    }

    /// When the line before began, at this depth of calls or above.
    fn line_before(&self, end: u64, by_statement: bool) -> Option<u64> {
        let last = self.history.before(end)?;
        let mut first = last;
        let mut stretch = 1;
        loop {
            let mut moment = self.history.copy(first);
            let mut judge = Lines {
                map: &self.map,
                by_statement,
                depth: self.now.calls.frames.len(),
                in_text: !self.now.machine.is_in_code(),
                end,
                current: None,
                began: None,
                before: None,
                groups: 0,
            };
            self.history.replay::<false>(&mut moment, &mut judge, &Flags::default(), end);
            let same_line = judge.is_on(&self.now.machine);
            let answer = if same_line { judge.began } else { None };
            // In the middle of a line: to its beginning. At its beginning: to the line before.
            let answer =
                if answer.is_some_and(|began| began < end) { answer } else { judge.began_before(same_line) };
            // The first line of a stretch may have begun before it.
            let is_certain = judge.groups > 2;
            if let Some(time) = answer
                && (is_certain || first == 0)
            {
                return Some(time);
            }
            if first == 0 {
                return None;
            }
            first = first.saturating_sub(stretch);
            stretch *= 2;
        }
    }

    /// Runs back to the last place where a run forward would have stopped.
    pub fn reverse(&mut self) -> Stopped {
        self.begin_reverse();
        loop {
            if let Some(stopped) = self.run_back() {
                return stopped;
            }
        }
    }

    /// Prepares a run back; [`Debugger::run`] makes it.
    pub fn begin_reverse(&mut self) {
        self.resume();
        let now = self.time();
        self.back = Some(Back { end: now, limit: now });
    }

    /// Searches one stretch of the past.
    pub(crate) fn run_back(&mut self) -> Option<Stopped> {
        let Back { end, limit } = self.back?;
        let first = self.history.start();
        let Some(number) = self.history.before(end) else {
            self.back = None;
            self.travel(first);
            return Some(self.at_start());
        };
        let mut points = self.points_at(number);
        // An instruction at the end of the stretch tells what the one before it did; only that is news.
        let until = if end < limit { end + 1 } else { end };
        let found = self.search(number, &mut points, until, limit, true);
        if let Some((time, cause)) = found {
            self.back = None;
            self.travel(time);
            let stopped = self.stopped_by(cause, self.now.calls.pc());
            return Some(self.stopped(stopped));
        }
        let start = self.history.time_of(number);
        let since = self.points.counting().map(|point| point.since).max().unwrap_or(first);
        self.back = Some(if since > first && start <= since {
            self.count_from_start();
            let end = end.min(since + 1);
            Back { end, limit: end }
        } else {
            Back { end: start, limit }
        });
        None
    }

    /// Asks one stretch of the past after the other, the latest first. The stretch is run by `ask`.
    pub(crate) fn search_back<T>(
        &self,
        end: u64,
        mut ask: impl FnMut(&Debugger, &mut Moment, u64) -> Option<T>,
    ) -> Option<T> {
        let mut end = end;
        loop {
            let number = self.history.before(end)?;
            let mut moment = self.history.copy(number);
            let start = moment.time();
            if let Some(found) = ask(self, &mut moment, end) {
                return Some(found);
            }
            end = start;
        }
    }

    /// When a condition was last true before now: the time, for [`Debugger::go_to`].
    pub fn last_true(&self, condition: &Program) -> Option<u64> {
        let end = self.time();
        self.search_back(end, |debugger, moment, end| {
            let mut judge = LastTrue { condition, end, found: None };
            if moment.machine.view(|view| condition.eval(view)).is_ok_and(|value| value != 0) {
                judge.found = Some(moment.time());
            }
            debugger.history.replay::<false>(moment, &mut judge, &Flags::default(), end);
            judge.found
        })
    }

    /// Goes to a moment of the past or of the recorded future, such as one that [`Debugger::last_true`] or
    /// [`Debugger::why`] named.
    pub fn go_to(&mut self, time: u64) -> Stopped {
        self.trail.clear();
        self.travel(time.clamp(self.history.start(), self.time().max(time)));
        self.hidden = 0;
        self.stopped(Stopped::new(Reason::Goto, ""))
    }

    /// The first and the last moment of the recording.
    pub fn recording(&self) -> (u64, u64) {
        (self.history.start(), self.history.latest().max(self.time()))
    }

    /// Whether a moment is in the recording, or why not.
    pub fn recorded(&self, time: u64) -> Result<(), String> {
        let (first, last) = self.recording();
        match (first..=last).contains(&time) {
            true => Ok(()),
            false => Err(format!("time {time} is not recorded: that is {first} to {last}")),
        }
    }

    /// When the call that is so deep (1 is the outermost) began; 0 is the start of the program.
    pub fn frame_start(&self, depth: usize) -> Option<u64> {
        if depth == 0 {
            return Some(self.history.start());
        }
        self.search_back(self.time() + 1, |debugger, moment, end| {
            let mut judge = Entered { depth, before: moment.calls.frames.len(), end, found: None };
            debugger.history.replay::<false>(moment, &mut judge, &Flags::default(), end);
            judge.found
        })
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }
}

/// The last moment before the end.
struct Boundaries {
    last: u64,
    end: u64,
}

impl Judge for Boundaries {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        if now.time < self.end {
            self.last = now.time;
        }
        ControlFlow::Continue(())
    }
    fn statement(&mut self, machine: &Machine, _: Span) -> ControlFlow<()> {
        if machine.time() < self.end {
            self.last = machine.time();
        }
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

/// The last time a depth of calls was reached from above.
struct Entered {
    depth: usize,
    before: usize,
    end: u64,
    found: Option<u64>,
}

impl Judge for Entered {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        let depth = now.calls.frames.len();
        if now.time < self.end && depth == self.depth && self.before < depth {
            self.found = Some(now.time);
        }
        self.before = depth;
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

/// A place to compare lines by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Code(Spot),
    Text(u32),
}

/// When lines began, as stepping over calls sees them.
struct Lines<'a> {
    map: &'a SourceMap,
    by_statement: bool,
    depth: usize,
    in_text: bool,
    end: u64,
    current: Option<Key>,
    began: Option<u64>,
    before: Option<u64>,
    groups: usize,
}

impl Lines<'_> {
    fn see(&mut self, key: Key, time: u64, jumped_back: bool) {
        if time >= self.end || (self.current == Some(key) && !jumped_back) {
            return;
        }
        self.before = self.began;
        self.began = Some(time);
        self.current = Some(key);
        self.groups += 1;
    }

    fn is_on(&self, machine: &Machine) -> bool {
        let now = match machine.statement() {
            Some((span, false)) => Some(Key::Text(span.start)),
            _ => {
                let peek = |at: u16| machine.peek(at);
                self.map.spot(machine.registers().pc, self.by_statement, &peek).map(Key::Code)
            }
        };
        now.is_some() && now == self.current
    }

    /// The beginning of the line before the one the machine is at the beginning of.
    fn began_before(&self, same_line: bool) -> Option<u64> {
        if same_line { self.before } else { self.began }
    }
}

impl Judge for Lines<'_> {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        let frames = &now.calls.frames;
        if self.in_text || frames.len() > self.depth {
            return ControlFlow::Continue(());
        }
        let pc = now.registers.pc;
        if let Some(spot) = self.map.spot(pc, self.by_statement, now.look) {
            let places = self.map.places_on(spot.file, spot.line, None);
            let is_first = places.is_some_and(|places| places.addresses.contains(&pc));
            self.see(Key::Code(spot), now.time, is_first && pc <= now.previous);
        }
        ControlFlow::Continue(())
    }
    fn statement(&mut self, machine: &Machine, span: Span) -> ControlFlow<()> {
        self.see(Key::Text(span.start), machine.time(), false);
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

/// The last moment at which a condition holds.
struct LastTrue<'a> {
    condition: &'a Program,
    end: u64,
    found: Option<u64>,
}

impl Judge for LastTrue<'_> {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        let view = View {
            registers: now.registers,
            cycles: now.cycles,
            look: now.look,
            bank: now.bank,
            clock: now.clock,
        };
        if now.time < self.end && self.condition.eval(&view).is_ok_and(|value| value != 0) {
            self.found = Some(now.time);
        }
        ControlFlow::Continue(())
    }
    fn statement(&mut self, machine: &Machine, _: Span) -> ControlFlow<()> {
        let holds = machine.view(|view| self.condition.eval(view)).is_ok_and(|value| value != 0);
        if machine.time() < self.end && holds {
            self.found = Some(machine.time());
        }
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

/// The macros around the place now, for those who show it.
pub(crate) fn chain_at(map: &SourceMap, machine: &Machine) -> Vec<usize> {
    let peek = |at: u16| machine.peek(at);
    map.at(machine.registers().pc, &peek).map_or(Vec::new(), |one| macros(map, one.expansion))
}
