//! A debugger that another protocol drives: with its own judge in place of our breakpoints, and with the recording that
//! every run leaves.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use tempo_diagnostics::Span;
use tempo_emu::Registers;

use crate::debugger::Debugger;
use crate::history::Moment;
use crate::hook::{Flags, Judge, Now};
use crate::machine::{Halt, Machine};

/// Whether a judge sees the accesses of a run. Runs that show them are several times slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accesses {
    /// Those that are flagged.
    Shown,
    /// None.
    Hidden,
}

/// An instruction of the recording, as it was before it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ran {
    /// Cycles so far.
    pub cycles: u64,
    /// The registers.
    pub registers: Registers,
    /// The bytes from PC on.
    pub bytes: [u8; 3],
}

impl Debugger {
    /// Runs until a judge breaks, the machine ends, or a time is reached, which is `None`. The past grows.
    pub fn drive(
        &mut self,
        judge: &mut dyn Judge,
        flags: &Flags,
        accesses: Accesses,
        until: u64,
    ) -> Option<Halt> {
        while self.time() < until {
            let end = until.min(self.history.due()).max(self.time() + 1);
            let Moment { machine, calls, .. } = &mut self.now;
            let halt = match accesses {
                Accesses::Shown => machine.run::<true>(judge, flags, calls, end),
                Accesses::Hidden => machine.run::<false>(judge, flags, calls, end),
            };
            self.history.note(&self.now);
            if halt != Halt::Time {
                return Some(halt);
            }
        }
        None
    }

    /// Replaces the machine. Its past starts here.
    pub fn restart(&mut self, machine: Machine) {
        self.now = Moment::new(machine);
        self.history.restart(self.now.clone());
        self.trail.clear();
        self.back = None;
        self.hidden = 0;
    }

    /// Goes back by a number of instructions, fewer if the recording begins before.
    pub fn go_back(&mut self, count: usize) {
        let (mut missing, mut first) = (count, None);
        self.search_back(self.time(), |debugger, moment, end| {
            let mut judge = Latest { times: VecDeque::new(), missing, end };
            judge.note(moment.time());
            debugger.history().replay::<false>(moment, &mut judge, &Flags::default(), end);
            missing -= judge.times.len();
            first = judge.times.front().copied().or(first);
            (missing == 0).then_some(())
        });
        if let Some(time) = first {
            self.travel(time);
        }
    }

    /// The last instructions of the recording before now, oldest first.
    pub fn ran_before(&self, count: usize) -> Vec<Ran> {
        let mut all: VecDeque<Ran> = VecDeque::new();
        self.search_back(self.time(), |debugger, moment, end| {
            let mut judge = Tail { ran: VecDeque::new(), most: count - all.len(), end };
            judge.note(moment.time(), *moment.machine.registers(), moment.machine.cycles(), &|at| {
                moment.machine.peek(at)
            });
            debugger.history().replay::<false>(moment, &mut judge, &Flags::default(), end);
            judge.ran.into_iter().rev().for_each(|one| all.push_front(one));
            (all.len() >= count).then_some(())
        });
        all.into()
    }

    /// The times of the instructions before `until` at which a judge breaks, the last of them.
    pub fn last_before(
        &self,
        until: u64,
        flags: &Flags,
        stops: &mut dyn FnMut(&Now<'_>) -> bool,
    ) -> Option<u64> {
        self.search_back(until, |debugger, moment, end| {
            let mut judge = LastStop { stops, found: None, end };
            debugger.history().replay::<false>(moment, &mut judge, flags, end);
            judge.found
        })
    }
}

/// When the last instructions, or steps of a test's text, of a stretch began.
struct Latest {
    times: VecDeque<u64>,
    /// How many are wanted.
    missing: usize,
    end: u64,
}

impl Latest {
    fn note(&mut self, time: u64) {
        if time >= self.end || self.times.back() == Some(&time) || self.missing == 0 {
            return;
        }
        if self.times.len() == self.missing {
            self.times.pop_front();
        }
        self.times.push_back(time);
    }
}

impl Judge for Latest {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        self.note(now.time);
        ControlFlow::Continue(())
    }
    fn statement(&mut self, machine: &Machine, _: Span) -> ControlFlow<()> {
        self.note(machine.time());
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

/// The last instructions of a stretch.
struct Tail {
    ran: VecDeque<Ran>,
    most: usize,
    end: u64,
}

impl Tail {
    fn note(&mut self, time: u64, registers: Registers, cycles: u64, look: &dyn Fn(u16) -> u8) {
        let is_noted = self.ran.back().is_some_and(|last| last.cycles == cycles);
        if time >= self.end || is_noted || self.most == 0 {
            return;
        }
        if self.ran.len() == self.most {
            self.ran.pop_front();
        }
        let bytes = [0, 1, 2].map(|offset| look(registers.pc.wrapping_add(offset)));
        self.ran.push_back(Ran { cycles, registers, bytes });
    }
}

impl Judge for Tail {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        self.note(now.time, *now.registers, now.cycles, now.look);
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

/// The last instruction of a stretch at which a question is answered with yes.
struct LastStop<'a> {
    stops: &'a mut dyn FnMut(&Now<'_>) -> bool,
    found: Option<u64>,
    end: u64,
}

impl Judge for LastStop<'_> {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        if now.time < self.end && (self.stops)(now) {
            self.found = Some(now.time);
        }
        ControlFlow::Continue(())
    }
}
