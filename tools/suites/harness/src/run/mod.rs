//! The run: plans in, events out. Suites run at the same time on all cores; the events come in the order of the
//! files all the same, so that two runs print the same.

mod asks;
mod assertion;
mod call;
mod computer;
mod context;
mod describe;
mod proof;
mod property;
pub mod record;
mod remote;
mod select;
mod steps;
mod suite;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use tempo_assembler::Cancel;

use crate::events::{Counts, Event, Outcome, SuiteReport, Totals};
use crate::meter::Metering;
use crate::parse::Dialect;
use crate::plan::FilePlan;
use crate::probe::Watch;

pub use remote::{Remote, Wire};
pub use select::{Filter, Partition, matches};
use suite::{SuiteRun, Unit};

/// Where the time comes from; the library reads no clock itself.
pub trait Clock: Sync {
    fn now(&self) -> Duration;
}

/// Time does not pass: for tests, whose output must not change from run to run.
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
    /// Ends a test with this many cases of `forall`, those of one inside another included.
    pub max_cases: u64,
    /// Properties are proved or refuted, not only tried.
    pub prove: bool,
    /// Properties that are not proved fail.
    pub require_proof: bool,
    /// Emulated cycles for running all cases of a property.
    pub exhaust: u64,
    /// Ends the run after this many failures.
    pub fail_fast: Option<usize>,
    pub coverage: bool,
    pub profile: bool,
    /// Cycles by instruction, as [`Event::Meter`].
    pub meter: Metering,
    pub trace: Trace,
    /// Threads; 0 is one per core.
    pub jobs: usize,
    /// Cycles of earlier runs of `bench` blocks, by suite and id.
    pub bench_baseline: Option<std::collections::HashMap<String, u64>>,
    /// How many percent slower a bench may be.
    pub bench_tolerance: f64,
    /// Pictures that differ are taken anew.
    pub update: bool,
    /// How a rerun of one test is typed, without file and id.
    pub command: String,
    /// Ends the run before the next test.
    pub cancel: Cancel,
    /// Calls are made on this machine elsewhere. One thread only.
    pub remote: Option<Remote>,
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
            max_cases: 10_000_000,
            prove: false,
            require_proof: false,
            exhaust: tempo_prove::Limits::default().exhaust,
            fail_fast: None,
            coverage: false,
            profile: false,
            meter: Metering::Off,
            trace: Trace::Failing,
            jobs: 0,
            bench_baseline: None,
            bench_tolerance: 0.0,
            update: false,
            command: "tempo test".to_string(),
            cancel: Cancel::default(),
            remote: None,
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
    fn watch(&self, cpu: tempo_isa::Cpu) -> Watch {
        Watch {
            trace: self.trace == Trace::All,
            coverage: self.coverage,
            profile: self.profile,
            meter: (self.meter != Metering::Off).then_some((cpu, self.meter)),
        }
    }
}

/// More threads than any machine has use for; the system may fail to make more.
const MOST_THREADS: usize = 4096;

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
    let collector = Mutex::new(Collector::new(&suites, options, sink));
    let collector = || collector.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let failures = AtomicUsize::new(0);
    let limit = options.fail_fast.unwrap_or(usize::MAX).max(1);
    let run_unit = |(position, (index, unit)): (usize, &(usize, Unit))| {
        let stop = || failures.load(Ordering::Relaxed) >= limit || options.cancel.is_cancelled();
        suites[*index].run(unit, options, clock, &stop, &mut |event| {
            if matches!(&event, Event::Test(test) if test.outcome == Outcome::Failed) {
                failures.fetch_add(1, Ordering::Relaxed);
            }
            collector().take(position, *index, event);
        });
        collector().end(position, *index);
    };
    let threads = if options.jobs == 0 {
        std::thread::available_parallelism().map_or(1, usize::from)
    } else {
        options.jobs
    };
    let threads = threads.min(units.len()).min(MOST_THREADS);
    let pool =
        if threads > 1 { rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok() } else { None };
    match pool {
        // Without threads, or when the system gives none.
        None => units.iter().enumerate().for_each(run_unit),
        Some(pool) => {
            pool.install(|| units.par_iter().enumerate().with_max_len(1).for_each(run_unit));
        }
    }
    let seconds = (clock.now() - started).as_secs_f64();
    collector().finish(seconds)
}

/// The tests that [`run`] would run, in that order: suite and id.
pub fn chosen(files: &[FilePlan], options: &RunOptions) -> Vec<(String, String)> {
    let suites = suite::arrange(files, options);
    let owned = |(suite, id): (&str, &str)| (suite.to_string(), id.to_string());
    suites.iter().flat_map(|suite| suite.chosen().map(owned)).collect()
}

/// Puts the events of units that end in any order back into theirs.
struct Collector<'a, 's> {
    suites: &'a [SuiteRun<'a>],
    options: &'a RunOptions,
    sink: &'a mut (dyn FnMut(Event) + Send + 's),
    /// The events of units before their turn.
    waiting: std::collections::BTreeMap<usize, Waiting>,
    /// The unit whose turn it is.
    next: usize,
    open: Option<SuiteReport>,
    totals: Totals,
    done: usize,
    failed: usize,
}

struct Waiting {
    suite: usize,
    events: Vec<Event>,
    ended: bool,
}

impl<'a, 's> Collector<'a, 's> {
    fn new(
        suites: &'a [SuiteRun<'a>],
        options: &'a RunOptions,
        sink: &'a mut (dyn FnMut(Event) + Send + 's),
    ) -> Self {
        let totals = Totals { seed: options.seed, ..Totals::default() };
        Collector {
            suites,
            options,
            sink,
            waiting: Default::default(),
            next: 0,
            open: None,
            totals,
            done: 0,
            failed: 0,
        }
    }

    /// Passes an event of a unit on, or keeps it until it is the unit's turn.
    fn take(&mut self, position: usize, suite: usize, event: Event) {
        if let Event::Test(test) = &event {
            self.done += 1;
            self.failed += usize::from(test.outcome == Outcome::Failed);
            (self.sink)(Event::Progress { done: self.done, failed: self.failed });
        }
        if position == self.next {
            self.open_suite(suite);
            self.pass_on(event);
        } else {
            self.wait(position, suite).events.push(event);
        }
    }

    /// A unit has told everything. If it was its turn, the next one's begins.
    fn end(&mut self, position: usize, suite: usize) {
        self.wait(position, suite).ended = true;
        while let Some(waiting) = self.waiting.get_mut(&self.next) {
            let (suite, ended, events) = (waiting.suite, waiting.ended, std::mem::take(&mut waiting.events));
            self.open_suite(suite);
            for event in events {
                self.pass_on(event);
            }
            if !ended {
                break;
            }
            self.waiting.remove(&self.next);
            self.next += 1;
        }
    }

    fn wait(&mut self, position: usize, suite: usize) -> &mut Waiting {
        self.waiting.entry(position).or_insert(Waiting { suite, events: Vec::new(), ended: false })
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
                file: run.source.name().to_owned(),
            });
            self.open = Some(SuiteReport {
                suite: index,
                name: run.plan.name.clone(),
                file: run.source.name().to_owned(),
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
                test.pictures.clear();
                test.proofs.clear();
                (test.cycles, test.total_cycles, test.seconds) = (0, 0, 0.0);
            }
            if let Some(open) = &mut self.open {
                open.counts.add(test.outcome);
                open.cycles += test.total_cycles;
                open.seconds += test.seconds;
            }
            test.proofs.iter().for_each(|proof| self.totals.verdicts.add(proof.summary.verdict));
            self.totals.range_errors |= test.failures.iter().any(|failure| failure.is_range_error);
        }
        (self.sink)(event);
    }

    fn finish(&mut self, seconds: f64) -> Totals {
        if let Some(last) = self.suites.len().checked_sub(1) {
            self.open_suite(last);
        }
        self.close_suite();
        self.totals.seconds = seconds;
        (self.sink)(Event::RunFinished(self.totals.clone()));
        self.totals.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::check::{AssemblyCache, CheckOptions, check};
    use crate::files::MemoryFiles;
    use crate::parse::parse;
    use crate::source::Source;

    /// Two files; in each test 3 of 5 fails.
    fn plans() -> Vec<FilePlan> {
        ["one.6502", "two.6502"]
            .map(|name| {
                let tests: String = (1..=5)
                    .map(|n| format!("test(\"t{n}\", \"\") {{ jsr($1000) assert(a + {n} != 3) }}\n"))
                    .collect();
                let mut source = Source::new(
                    name,
                    format!(
                        "suites {{ suite(\"{name}\") {{ load(\"rts.bin\", address = $1000)\n{tests}}} }}"
                    ),
                );
                let (mut files, cache) = (MemoryFiles::default(), AssemblyCache::default());
                files.insert("rts.bin", [0x60]);
                let parsed = parse(&mut source, Dialect::Full, &files);
                let source = Arc::new(source);
                let checked = check(&source, &parsed.file, CheckOptions::default(), &files, &cache);
                assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
                checked.plan
            })
            .into()
    }

    fn told(options: &RunOptions) -> Vec<String> {
        let mut told = Vec::new();
        run(&plans(), options, &NoClock, &mut |event| match event {
            Event::Test(test) => {
                told.push(format!("{} {} {}", test.suite_name, test.id, test.outcome.text()))
            }
            Event::Progress { done, failed } => told.push(format!("{done} done, {failed} failed")),
            _ => {}
        });
        told
    }

    #[test]
    fn a_test_is_told_when_it_ends_not_when_its_suite_does() {
        let told = told(&RunOptions { jobs: 1, ..RunOptions::default() });
        assert_eq!(
            told[..4],
            ["1 done, 0 failed", "one.6502 t1 passed", "2 done, 0 failed", "one.6502 t2 passed"]
        );
        assert_eq!(told[18..], ["10 done, 2 failed", "two.6502 t5 passed"]);
    }

    #[test]
    fn threads_do_not_change_the_order_of_the_tests() {
        let tests = |jobs| -> Vec<String> {
            let told = told(&RunOptions { jobs, ..RunOptions::default() });
            told.into_iter().filter(|line| !line.contains("done")).collect()
        };
        let alone = tests(1);
        for _ in 0..20 {
            assert_eq!(tests(4), alone);
        }
    }

    #[test]
    fn a_failure_ends_the_run_within_its_suite() {
        let told = told(&RunOptions { jobs: 1, fail_fast: Some(1), ..RunOptions::default() });
        assert_eq!(told[5], "one.6502 t3 failed");
        assert_eq!(told[7], "one.6502 t4 not run");
    }
}
