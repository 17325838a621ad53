//! The past: copies of the machine at intervals that grow with age, and what came from outside. Any moment in between is
//! had by running again from the copy before it.

use crate::calls::Calls;
use crate::hook::{Flags, Judge};
use crate::machine::{Halt, Input, Machine};

/// Everything about one moment.
#[derive(Clone)]
pub struct Moment {
    /// The machine.
    pub machine: Machine,
    /// The calls that have not returned.
    pub calls: Calls,
    /// How often breakpoints with a hit count had been reached before: number and count.
    pub(crate) counts: Vec<(u32, u64)>,
}

impl Moment {
    /// The first moment of a machine.
    pub fn new(machine: Machine) -> Moment {
        let calls = Calls::new(machine.registers());
        Moment { machine, calls, counts: Vec::new() }
    }

    /// Its time.
    pub fn time(&self) -> u64 {
        self.machine.time()
    }
}

/// Cycles between two copies as long as there is room. A copy takes the time of some thousand cycles, and a step back that
/// of a whole interval.
const SPACING: u64 = 200_000;
/// The same for a whole computer, which is slower.
const BOARD_SPACING: u64 = 50_000;

/// The past of a session.
pub struct History {
    /// By time; the first is the start.
    copies: Vec<Moment>,
    /// Copies that were given up, for their memory.
    spare: Vec<Moment>,
    /// By time.
    inputs: Vec<(u64, Input)>,
    /// How many copies are kept.
    most: usize,
    /// Cycles between two of them.
    spacing: u64,
    /// The latest moment that was reached.
    latest: u64,
}

impl History {
    /// A past that starts here and takes this many megabytes.
    pub fn new(start: Moment, megabytes: usize) -> History {
        let most = (megabytes.max(1) << 20) / start.machine.size().max(1);
        let latest = start.time();
        let spacing = if start.machine.computer().is_some() { BOARD_SPACING } else { SPACING };
        let (most, spare, inputs) = (most.max(4), Vec::new(), Vec::new());
        History { copies: vec![start], spare, inputs, most, spacing, latest }
    }

    /// Forgets everything: the past starts here.
    pub(crate) fn restart(&mut self, start: Moment) {
        (self.latest, self.copies) = (start.time(), vec![start]);
        self.inputs.clear();
        self.spare.clear();
    }

    /// The time of the first moment.
    pub fn start(&self) -> u64 {
        self.copies[0].time()
    }

    /// How many copies there are.
    pub(crate) fn count(&self) -> usize {
        self.copies.len()
    }

    /// When the next copy is due.
    pub(crate) fn due(&self) -> u64 {
        self.copies.last().map_or(0, Moment::time) + self.spacing
    }

    /// Keeps a copy if it is time for one.
    pub(crate) fn note(&mut self, moment: &Moment) {
        self.latest = self.latest.max(moment.time());
        if moment.time() < self.due() {
            return;
        }
        if self.copies.len() < self.most {
            self.keep(moment);
            return;
        }
        self.thin(moment.time());
        self.keep(moment);
    }

    fn keep(&mut self, moment: &Moment) {
        let copy = match self.spare.pop() {
            Some(mut old) => {
                old.machine.copy_from(&moment.machine);
                old.calls.clone_from(&moment.calls);
                old.counts.clone_from(&moment.counts);
                old
            }
            None => moment.clone(),
        };
        self.copies.push(copy);
    }

    /// Gives up the copies whose absence is felt least: the gap that each would leave, against its age. A quarter goes at
    /// once, so that most copies cost no search; of two neighbours only one. Their memory is used again.
    fn thin(&mut self, now: u64) {
        let times = self.times();
        let last = times.len().saturating_sub(1);
        let gap = |at: usize| {
            (times[at + 1] - times[at - 1]) as f64 / (now.saturating_sub(times[at]) + self.spacing) as f64
        };
        let gaps: Vec<f64> = (1..last).map(gap).collect();
        let mut sorted = gaps.clone();
        let quarter = sorted.len() / 4;
        if sorted.is_empty() {
            return;
        }
        let limit = *sorted.select_nth_unstable_by(quarter, f64::total_cmp).1;
        let mut is_gone = false;
        for (at, copy) in std::mem::take(&mut self.copies).into_iter().enumerate() {
            is_gone = !is_gone && at > 0 && at < last && gaps[at - 1] <= limit;
            match is_gone {
                true => self.spare.push(copy),
                false => self.copies.push(copy),
            }
        }
    }

    /// A change from outside at this moment. What came later is dropped; whether there was anything.
    pub(crate) fn change(&mut self, moment: &Moment, input: Input) -> bool {
        let now = moment.time();
        self.inputs.retain(|(time, _)| *time <= now);
        let start = self.start();
        self.copies.retain(|copy| copy.time() < now || copy.time() == start);
        let dropped = self.latest > now;
        self.latest = now;
        self.inputs.push((now, input));
        dropped
    }

    /// The latest moment that was reached.
    pub(crate) fn latest(&self) -> u64 {
        self.latest
    }

    /// The times of the copies.
    pub(crate) fn times(&self) -> Vec<u64> {
        self.copies.iter().map(Moment::time).collect()
    }

    /// The time of a copy.
    pub(crate) fn time_of(&self, number: usize) -> u64 {
        self.copies[number].time()
    }

    /// The counts of a copy.
    pub(crate) fn counts(&self, number: usize) -> &[(u32, u64)] {
        &self.copies[number].counts
    }

    /// Notes the counts of a copy.
    pub(crate) fn set_counts(&mut self, number: usize, counts: Vec<(u32, u64)>) {
        self.copies[number].counts = counts;
    }

    /// The copy at or before a time.
    pub(crate) fn at_or_before(&self, time: u64) -> usize {
        self.copies.partition_point(|copy| copy.time() <= time).max(1) - 1
    }

    /// The copy to start from for what happened before a time, and its number.
    pub(crate) fn before(&self, time: u64) -> Option<usize> {
        self.copies.partition_point(|copy| copy.time() < time).checked_sub(1)
    }

    /// A copy, with the changes from outside that happened at its time.
    pub(crate) fn copy(&self, number: usize) -> Moment {
        let mut moment = self.copies[number].clone();
        self.apply_at(&mut moment);
        moment
    }

    /// The changes from outside that happened at the moment's time, unless the moment has them.
    fn apply_at(&self, moment: &mut Moment) {
        let now = moment.time();
        for (_, input) in self.inputs.iter().filter(|(time, _)| *time == now) {
            moment.machine.apply(input);
            moment.calls.changed(moment.machine.registers());
        }
    }

    /// Runs a moment of the past on. Changes from outside happen again, and the judge is told.
    pub(crate) fn replay<const WATCHED: bool>(
        &self,
        moment: &mut Moment,
        judge: &mut dyn Judge,
        flags: &Flags,
        until: u64,
    ) -> Halt {
        loop {
            let now = moment.time();
            let next = self.inputs.iter().map(|(time, _)| *time).find(|time| *time > now);
            let stop = next.unwrap_or(u64::MAX).min(until);
            let halt = moment.machine.run::<WATCHED>(judge, flags, &mut moment.calls, stop);
            if halt != Halt::Time || Some(moment.time()) != next {
                return halt;
            }
            for (_, input) in self.inputs.iter().filter(|(time, _)| Some(*time) == next) {
                if let Input::Poke(address, bytes) = input {
                    for (offset, &byte) in bytes.iter().enumerate() {
                        judge.poke(address.wrapping_add(offset as u16), byte, moment.time());
                    }
                }
                moment.machine.apply(input);
                moment.calls.changed(moment.machine.registers());
            }
            if moment.time() >= until {
                return Halt::Time;
            }
        }
    }

    /// The moment at a time, which must be one between two instructions.
    pub(crate) fn at(&self, time: u64) -> Moment {
        let mut moment = self.copy(self.at_or_before(time));
        self.replay::<false>(&mut moment, &mut Nobody, &Flags::default(), time);
        moment
    }
}

/// Ends nothing.
pub(crate) struct Nobody;

impl Judge for Nobody {
    fn instruction(&mut self, _: &crate::hook::Now<'_>) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }
}
