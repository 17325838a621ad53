//! One suite: the order of its tests, the machine they share, and what is counted over all of them.

use std::sync::Arc;

use tempo_random::Random;

use super::asks::needs_emulator;
use super::context::{Context, Scratch};
use super::describe::{CoverageSum, meter_report, profile_report};
use super::{Clock, RunOptions, Trace};
use crate::ast::TestKind;
use crate::events::{Event, Failure, MeterReport, Outcome, Reason, TestReport};
use crate::meter::{Meter, Metering};
use crate::parse::Dialect;
use crate::plan::{FilePlan, SuitePlan, Surroundings, TestPlan};
use crate::probe::{Coverage, Probe, Watch};
use crate::source::Source;
use tempo_rig::{IoWrites, TestMachine};

/// A suite about to run.
pub(super) struct SuiteRun<'a> {
    pub index: usize,
    pub source: &'a Arc<Source>,
    pub plan: &'a SuitePlan,
    /// Indices of the tests in the order they run, and whether each runs at all.
    order: Vec<(usize, bool)>,
    isolate: bool,
}

/// Tests that must run one after the other: positions in `order`.
pub(super) struct Unit {
    from: usize,
    to: usize,
}

/// A failing test up to this many cycles is run again under the probe, to say more about the failure.
const REPLAY_CYCLES: u64 = 50_000_000;

/// All suites of all files, their tests selected and ordered.
pub(super) fn arrange<'a>(files: &'a [FilePlan], options: &RunOptions) -> Vec<SuiteRun<'a>> {
    let mut suites = Vec::new();
    let mut test_number = 0;
    for file in files {
        for plan in &file.suites {
            let index = suites.len();
            // A whole computer is never as the next test wants it.
            let isolate = options.isolate || plan.isolate || plan.machine.is_whole();
            // Tests that lean on each other stay on one machine: then the suite is the unit that is shared out.
            let suite_here = options.partition.is_none_or(|part| isolate || part.holds(index));
            let mut order: Vec<(usize, bool)> = Vec::with_capacity(plan.tests.len());
            for (at, test) in plan.tests.iter().enumerate() {
                let test_here = !isolate || options.partition.is_none_or(|part| part.holds(test_number));
                test_number += 1;
                let runs =
                    suite_here && test_here && options.filter.admits(file.source.name(), &plan.name, test);
                order.push((at, runs));
            }
            if let Some(seed) = options.shuffle {
                let seed = seed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                Random::new(seed).shuffle(&mut order);
            }
            suites.push(SuiteRun { index, source: &file.source, plan, order, isolate });
        }
    }
    suites
}

impl SuiteRun<'_> {
    /// The tests that run, in their order: suite and id.
    pub fn chosen(&self) -> impl Iterator<Item = (&str, &str)> {
        let runs = self.order.iter().filter(|&&(at, runs)| runs && !self.plan.tests[at].skip);
        runs.map(|&(at, _)| (self.plan.name.as_str(), self.plan.tests[at].id.as_str()))
    }

    /// Isolated tests are shared out in chunks; others stay together.
    pub fn units(&self) -> Vec<Unit> {
        let count = self.order.len();
        let size = if self.isolate { (count / 16).clamp(1, 64) } else { count.max(1) };
        let mut units = Vec::new();
        let mut from = 0;
        while from < count || units.is_empty() {
            let to = (from + size).min(count);
            units.push(Unit { from, to });
            from = to.max(from + 1);
        }
        units
    }

    fn fresh(&self, options: &RunOptions) -> TestMachine {
        let io_writes = match options.dialect {
            Dialect::Full => IoWrites::IoOnly,
            Dialect::Base => IoWrites::AlsoRam,
        };
        TestMachine::new(self.plan.machine, io_writes)
    }

    /// Runs the tests of a unit; each is told as soon as it ends.
    pub fn run(
        &self,
        unit: &Unit,
        options: &RunOptions,
        clock: &dyn Clock,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut(Event),
    ) {
        let mut machine = self.fresh(options);
        let mut before = self.fresh(options);
        let pristine = self.isolate.then(|| self.fresh(options));
        let mut scratch = Scratch::default();
        // Counted over the whole unit, so one probe serves all its tests.
        let watch = options.watch(machine.isa());
        let counting = watch.trace || watch.coverage || watch.profile || watch.meter.is_some();
        let watch = Watch { coverage: false, ..watch };
        let mut probe = counting.then(|| Probe::new(watch));
        let mut coverage = options.coverage.then(CoverageSum::default);
        // Coverage alone needs no probe: it is counted in the bus's own loop.
        let mut tally = options.coverage.then(Coverage::default);
        let is_light = options.dialect == Dialect::Full && !self.plan.machine.is_whole();
        let others = watch.trace || watch.profile || watch.meter.is_some();
        let mut profile = options.profile.then(Default::default);
        let mut meters: Vec<(Arc<Surroundings>, Meter)> = Vec::new();
        for &(at, runs) in &self.order[unit.from..unit.to] {
            let test = &self.plan.tests[at];
            if let Some(pristine) = &pristine {
                machine.copy_from(pristine);
            }
            let started = clock.now();
            machine.insert_roms(&test.place.roms);
            machine.restart_cycles();
            for load in &test.place.loads {
                machine.load(load.address, &load.bytes);
            }
            // A machine elsewhere cannot answer everything.
            let elsewhere = options.remote.as_ref().filter(|_| !test.skip);
            let elsewhere = elsewhere.and_then(|_| needs_emulator(test, self.plan.machine));
            let outcome = if !runs {
                Some(Outcome::Filtered)
            } else if test.skip || elsewhere.is_some() {
                Some(Outcome::Skipped)
            } else if stop() || options.remote.as_ref().is_some_and(|remote| remote.lost().is_some()) {
                Some(Outcome::NotRun)
            } else {
                None
            };
            let mut report = self.empty_report(test);
            if let Some(outcome) = outcome {
                report.outcome = outcome;
                if outcome == Outcome::Skipped {
                    report.skipped_because = elsewhere.map(|why| format!("needs the emulator: {why}"));
                }
                tell(Event::Test(Box::new(report)));
                continue;
            }
            before.copy_from(&machine);
            let wants_trace = test.trace && options.trace != Trace::Failing;
            // A whole computer cannot count JSR and RTS by itself, as sim6502 does.
            let counted = options.dialect == Dialect::Base && self.plan.machine.is_whole();
            let watched = test.needs_probe || wants_trace || counted;
            if probe.is_none() && watched {
                probe = Some(Probe::new(Watch { trace: wants_trace, ..Watch::default() }));
            }
            let is_covered = tally.is_some() && is_light && !others && !watched;
            let mut used = if (counting && !is_covered) || watched { probe.as_mut() } else { None };
            let was_probed = used.is_some();
            if let (Some(coverage), Some(tally)) = (&mut coverage, &mut tally) {
                coverage.turn_to(&test.place, tally);
            }
            if let Some(probe) = &mut used {
                probe.coverage = tally.take();
            }
            let mut context = Context::new(self.source, test, options, &mut machine, used, &mut scratch);
            context.coverage = tally.as_mut();
            context.run();
            context.finish(&mut report);
            for proof in &mut report.proofs {
                proof.suite.clone_from(&report.suite_name);
            }
            if was_probed && let Some(probe) = &mut probe {
                tally = probe.coverage.take();
            }
            let is_here = options.remote.is_none();
            let wants_more = is_here && !report.failures.is_empty() && report.total_cycles <= REPLAY_CYCLES;
            let untraced = test.trace && options.trace == Trace::Failing;
            if wants_more && (!was_probed || untraced) {
                self.replay(test, options, &before, &mut machine, &mut scratch, &mut report, untraced);
            }
            if counting && let Some(probe) = &mut probe {
                profile_report(&mut profile, probe, test);
                meter_report(&mut meters, probe, test, &mut report);
            } else if !counting {
                probe = None;
            }
            self.compare_bench(test, options, &mut report);
            report.outcome = if report.failures.is_empty() { Outcome::Passed } else { Outcome::Failed };
            report.seconds = (clock.now() - started).as_secs_f64();
            tell(Event::Test(Box::new(report)));
        }
        if let (Some(mut coverage), Some(mut tally)) = (coverage, tally) {
            coverage.settle(&mut tally);
            tell(Event::Coverage(coverage.finish(self.index)));
        }
        if let Some(profile) = profile {
            tell(Event::Profile(profile.finish(self.index)));
        }
        if options.meter != Metering::Off {
            let (suite, cpu) = (self.index, machine.isa());
            tell(Event::Meter(Box::new(MeterReport { suite, cpu, parts: meters })));
        }
    }

    /// Runs a failed test again from the same state with the probe on, for calls, places and traces.
    #[allow(clippy::too_many_arguments)]
    fn replay(
        &self,
        test: &Arc<TestPlan>,
        options: &RunOptions,
        before: &TestMachine,
        machine: &mut TestMachine,
        scratch: &mut Scratch,
        report: &mut TestReport,
        trace: bool,
    ) {
        let mut again = self.empty_report(test);
        let mut probe = Probe::new(Watch { trace, ..Watch::default() });
        machine.copy_from(before);
        let mut context = Context::new(self.source, test, options, machine, Some(&mut probe), scratch);
        // What a proof has found is not looked for again.
        context.decides = false;
        context.run();
        context.finish(&mut again);
        // The same program from the same state does the same; if not, the first answer is the one that counts.
        let same = again.failures.len() == report.failures.len()
            && again.cycles == report.cycles
            && again.failures.iter().zip(&report.failures).all(|(one, two)| one.reason == two.reason);
        if same {
            report.failures = again.failures;
            report.trace = again.trace;
        }
    }

    fn compare_bench(&self, test: &TestPlan, options: &RunOptions, report: &mut TestReport) {
        let Some(baseline) = &options.bench_baseline else { return };
        if test.kind != TestKind::Bench || !report.failures.is_empty() {
            return;
        }
        let key = format!("{}/{}", self.plan.name, test.id);
        let failure = |message: String| Failure {
            reason: Reason::Bench,
            message,
            values: None,
            detail: Vec::new(),
            text: None,
            statement: format!("bench(\"{}\", \"{}\")", test.id, test.description),
            location: self.source.location(test.span),
            procedures: Vec::new(),
            stopped: None,
            calls: Vec::new(),
            case: None,
            is_range_error: false,
        };
        let Some(&before) = baseline.get(&key) else {
            let mut missing =
                failure(format!("the baseline has no figure for `{key}`: {} cycles now", report.cycles));
            missing.detail.push("`tempo test --save-bench FILE` keeps the figures of now".to_string());
            report.failures.push(missing);
            return;
        };
        let percent = (report.cycles as f64 - before as f64) * 100.0 / before.max(1) as f64;
        if report.cycles > before && percent > options.bench_tolerance {
            report.failures.push(failure(format!(
                "slower: {} cycles, {before} before ({percent:+.1} %, {} % allowed)",
                report.cycles, options.bench_tolerance
            )));
        } else if report.cycles != before {
            report
                .output
                .push(format!("{}: {} cycles, {before} before ({percent:+.1} %)", test.id, report.cycles));
        }
    }

    fn empty_report(&self, test: &TestPlan) -> TestReport {
        TestReport { suite: self.index, ..TestReport::empty(self.plan, test, self.source) }
    }
}

impl TestReport {
    /// Of a test that has not run.
    pub(super) fn empty(suite: &SuitePlan, test: &TestPlan, source: &Source) -> TestReport {
        TestReport {
            suite: 0,
            suite_name: suite.name.clone(),
            id: test.id.clone(),
            description: test.description.clone(),
            location: source.location(test.span),
            outcome: Outcome::NotRun,
            is_bench: test.kind == TestKind::Bench,
            cycles: 0,
            total_cycles: 0,
            last_call: None,
            samples: Vec::new(),
            seconds: 0.0,
            failures: Vec::new(),
            warnings: Vec::new(),
            output: Vec::new(),
            trace: Vec::new(),
            tags: test.tags.clone(),
            skipped_because: None,
            proofs: Vec::new(),
            pictures: Vec::new(),
        }
    }
}
