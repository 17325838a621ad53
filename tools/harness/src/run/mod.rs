//! The run: plans in, events out. Suites run at the same time on all cores; the events come in the order of the
//! files all the same, so that two runs print the same.

mod assertion;
mod call;
mod context;
mod describe;
mod property;
mod select;
mod steps;
mod suite;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rayon::prelude::*;

use crate::events::{Counts, Event, Outcome, SuiteReport, Totals};
use crate::parse::Dialect;
use crate::plan::FilePlan;
use crate::probe::Watch;

pub use select::{Filter, Partition};
use suite::{SuiteRun, Unit};

/// Where the time comes from; the library reads no clock itself.
pub trait Clock: Sync {
    fn now(&self) -> Duration;
}

/// Time stands still: for tests, whose output must not change from run to run.
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    pub dialect: Dialect,
    pub filter: Filter,
    pub partition: Option<Partition>,
    /// Every test on a fresh machine.
    pub isolate: bool,
    /// Reorders the tests of each suite.
    pub shuffle: Option<u64>,
    /// For `forall`.
    pub seed: u64,
    /// Ends a test that has no timeout of its own; 0 is never.
    pub max_cycles: u64,
    /// Ends the run after so many failures.
    pub fail_fast: Option<usize>,
    pub coverage: bool,
    pub profile: bool,
    pub trace: Trace,
    /// Threads; 0 is one per core.
    pub jobs: usize,
    /// Cycles of earlier runs of `bench` blocks, by suite and id.
    pub bench_baseline: Option<std::collections::HashMap<String, u64>>,
    /// How many percent slower a bench may be.
    pub bench_tolerance: f64,
    /// How a rerun of one test is typed, without file and id.
    pub command: String,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            dialect: Dialect::Full,
            filter: Filter::default(),
            partition: None,
            isolate: false,
            shuffle: None,
            seed: 0,
            max_cycles: 200_000_000,
            fail_fast: None,
            coverage: false,
            profile: false,
            trace: Trace::Failing,
            jobs: 0,
            bench_baseline: None,
            bench_tolerance: 0.0,
            command: "tempo test".to_string(),
        }
    }
}

/// Which tests' instructions are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trace {
    /// Of tests with `trace = true` that fail.
    #[default]
    Failing,
    /// Of tests with `trace = true`.
    Marked,
    /// Of all tests.
    All,
}

impl RunOptions {
    fn watch(&self) -> Watch {
        Watch { trace: self.trace == Trace::All, coverage: self.coverage, profile: self.profile }
    }
}

/// Runs all suites of all files; `sink` gets the events in order.
pub fn run(
    files: &[FilePlan],
    options: &RunOptions,
    clock: &dyn Clock,
    sink: &mut (dyn FnMut(Event) + Send),
) -> Totals {
    let started = clock.now();
    let suites: Vec<SuiteRun<'_>> = suite::arrange(files, options);
    let tests = suites.iter().map(|suite| suite.plan.tests.len()).sum();
    sink(Event::RunStarted { suites: suites.len(), tests, seed: options.seed });

    let units: Vec<(usize, Unit)> = suites
        .iter()
        .enumerate()
        .flat_map(|(index, suite)| suite.units().into_iter().map(move |unit| (index, unit)))
        .collect();
    let mut collector = Collector::new(&suites, options, sink);
    let failures = AtomicUsize::new(0);
    let limit = options.fail_fast.unwrap_or(usize::MAX).max(1);
    let threads = if options.jobs == 0 {
        std::thread::available_parallelism().map_or(1, usize::from)
    } else {
        options.jobs
    };

    let run_unit = |(index, unit): &(usize, Unit)| {
        let stop = || failures.load(Ordering::Relaxed) >= limit;
        let events = suites[*index].run(unit, options, clock, &stop);
        let failed =
            events.iter().filter(|e| matches!(e, Event::Test(t) if t.outcome == Outcome::Failed)).count();
        failures.fetch_add(failed, Ordering::Relaxed);
        events
    };
    let pool = if threads > 1 && units.len() > 1 {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()
    } else {
        None
    };
    match pool {
        // Without threads, or when the system gives none.
        None => {
            for (position, unit) in units.iter().enumerate() {
                let events = run_unit(unit);
                collector.take(position, unit.0, events);
            }
        }
        Some(pool) => {
            let shared = Mutex::new(&mut collector);
            pool.install(|| {
                units.par_iter().enumerate().with_max_len(1).for_each(|(position, unit)| {
                    let events = run_unit(unit);
                    shared
                        .lock()
                        .unwrap_or_else(|poisoned| poisoned.into_inner())
                        .take(position, unit.0, events);
                });
            });
        }
    }
    collector.finish((clock.now() - started).as_secs_f64())
}

/// Puts the events of units that end in any order back into theirs.
struct Collector<'a, 's> {
    suites: &'a [SuiteRun<'a>],
    options: &'a RunOptions,
    sink: &'a mut (dyn FnMut(Event) + Send + 's),
    /// Units that ended before an earlier one.
    waiting: std::collections::BTreeMap<usize, (usize, Vec<Event>)>,
    next: usize,
    open: Option<SuiteReport>,
    totals: Totals,
}

impl<'a, 's> Collector<'a, 's> {
    fn new(
        suites: &'a [SuiteRun<'a>],
        options: &'a RunOptions,
        sink: &'a mut (dyn FnMut(Event) + Send + 's),
    ) -> Self {
        let totals = Totals { seed: options.seed, ..Totals::default() };
        Collector { suites, options, sink, waiting: Default::default(), next: 0, open: None, totals }
    }

    fn take(&mut self, position: usize, suite: usize, events: Vec<Event>) {
        self.waiting.insert(position, (suite, events));
        while let Some((suite, events)) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.open_suite(suite);
            for event in events {
                self.pass_on(event);
            }
        }
    }

    /// Starts a suite, and those without any test before it.
    fn open_suite(&mut self, suite: usize) {
        if self.open.as_ref().is_some_and(|open| open.suite == suite) {
            return;
        }
        let first = self.open.as_ref().map_or(0, |open| open.suite + 1);
        self.close_suite();
        for index in first..=suite {
            let run = &self.suites[index];
            (self.sink)(Event::SuiteStarted {
                suite: index,
                name: run.plan.name.clone(),
                file: run.source.name.clone(),
            });
            self.open = Some(SuiteReport {
                suite: index,
                name: run.plan.name.clone(),
                file: run.source.name.clone(),
                counts: Counts::default(),
                cycles: 0,
                seconds: 0.0,
            });
            if index < suite {
                self.close_suite();
            }
        }
    }

    fn close_suite(&mut self) {
        let Some(report) = self.open.take() else { return };
        self.totals.suites += 1;
        self.totals.suites_passed += usize::from(report.counts.failed == 0);
        self.totals.counts += report.counts;
        self.totals.cycles += report.cycles;
        (self.sink)(Event::SuiteFinished(report));
    }

    fn pass_on(&mut self, mut event: Event) {
        if let Event::Test(test) = &mut event {
            // Which tests a parallel run reached after the last allowed failure is chance; the report is not.
            let failed = self.totals.counts.failed + self.open.as_ref().map_or(0, |open| open.counts.failed);
            if self.options.fail_fast.is_some_and(|limit| failed >= limit.max(1)) {
                test.outcome = Outcome::NotRun;
                test.failures.clear();
                test.output.clear();
                test.trace.clear();
                (test.cycles, test.total_cycles, test.seconds) = (0, 0, 0.0);
            }
            if let Some(open) = &mut self.open {
                open.counts.add(test.outcome);
                open.cycles += test.total_cycles;
                open.seconds += test.seconds;
            }
            self.totals.range_errors |= test.failures.iter().any(|failure| failure.is_range_error);
        }
        (self.sink)(event);
    }

    fn finish(mut self, seconds: f64) -> Totals {
        if let Some(last) = self.suites.len().checked_sub(1) {
            self.open_suite(last);
        }
        self.close_suite();
        self.totals.seconds = seconds;
        (self.sink)(Event::RunFinished(self.totals.clone()));
        self.totals
    }
}
