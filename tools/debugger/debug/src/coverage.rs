//! Execution statistics: counts by address and by branch, and the last instructions. Worked out from the past on request,
//! so that other sessions do not pay for it.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use tempo_emu::Registers;

use crate::debugger::Debugger;
use crate::hook::{Flags, Judge, Now};

/// Counts of a session, from its start to now.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// How often the instruction at an address began.
    pub counts: HashMap<u16, u64>,
    /// Branches: not taken and taken.
    pub branches: HashMap<u16, [u64; 2]>,
}

/// An instruction that ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// The registers before it.
    pub registers: Registers,
    /// Cycles before it.
    pub cycles: u64,
    /// Its text.
    pub text: String,
}

impl Debugger {
    /// The instructions executed since the start.
    pub fn coverage(&self) -> Coverage {
        let mut moment = self.history().copy(0);
        let mut judge = Counter { coverage: Coverage::default(), last: None };
        self.history().replay::<false>(&mut moment, &mut judge, &Flags::default(), self.time());
        judge.coverage
    }

    /// Counts by file and line.
    pub fn line_counts(&self) -> HashMap<(usize, u32), u64> {
        let coverage = self.coverage();
        let mut lines = HashMap::new();
        for statement in self.map.statements().iter().filter(|one| one.is_code) {
            let count = coverage.counts.get(&statement.address).copied().unwrap_or(0);
            let line: &mut u64 = lines.entry((statement.file, statement.line)).or_default();
            *line = (*line).max(count);
        }
        lines
    }

    /// The last instructions before now, the latest last.
    pub fn trace(&self, count: usize) -> Vec<Traced> {
        let count = count.clamp(1, 100_000);
        let mut end = self.time();
        let mut all: VecDeque<Traced> = VecDeque::new();
        while all.len() < count {
            let Some(number) = self.history().before(end) else { break };
            let mut moment = self.history().copy(number);
            let start = moment.time();
            let mut judge = Tracer { debugger: self, most: count, rows: VecDeque::new(), end };
            self.history().replay::<false>(&mut moment, &mut judge, &Flags::default(), end);
            for row in judge.rows.into_iter().rev() {
                if all.len() < count {
                    all.push_front(row);
                }
            }
            end = start;
        }
        all.into()
    }
}

struct Counter {
    coverage: Coverage,
    last: Option<u16>,
}

impl Judge for Counter {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        let pc = now.registers.pc;
        if let Some(branch) = self.last.take() {
            let taken = usize::from(pc != branch.wrapping_add(2));
            self.coverage.branches.entry(branch).or_default()[taken] += 1;
        }
        *self.coverage.counts.entry(pc).or_default() += 1;
        if (now.look)(pc) & 0x1f == 0x10 {
            self.last = Some(pc);
        }
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

struct Tracer<'a> {
    debugger: &'a Debugger,
    most: usize,
    rows: VecDeque<Traced>,
    end: u64,
}

impl Judge for Tracer<'_> {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        if now.time < self.end {
            if self.rows.len() == self.most {
                self.rows.pop_front();
            }
            let pc = now.registers.pc;
            let bytes = [0, 1, 2].map(|offset| (now.look)(pc.wrapping_add(offset)));
            let row = tempo_emu::disassemble(self.debugger.machine().isa(), pc, bytes);
            let text = row.with_labels(&self.debugger.names).to_string();
            self.rows.push_back(Traced { registers: *now.registers, cycles: now.cycles, text });
        }
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}
