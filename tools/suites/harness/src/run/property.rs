//! Properties: `forall` tries many values, and when one fails looks for the smallest that still does.
//! Every case starts from the machine as it was before, and leaves no trace on it.

use std::sync::Arc;

use tempo_isa::Cpu as Isa;
use tempo_prove::{ChipWatch, How, Pairs, SAMPLED, Summary, Verdict, decide, run_all};
use tempo_random::{Random, seed_of};

use super::context::Context;
use super::proof::NoQuestion;
use crate::events::{Failure, Proof, Reason};
use crate::plan::{Equivalent, Forall, Set, Value};
use crate::source::Span;

/// Spaces up to this size are tried in full when no number of samples is given.
const EXHAUSTIVE: u128 = 65_536;
/// From this number of cases on it pays to run them all at once.
const WORTHWHILE: u64 = 64;
const DEFAULT_SAMPLES: u64 = 1_000;
/// Attempts at a smaller case.
const MAX_SHRINKS: usize = 2_000;
/// Cycles spent on them.
const MAX_SHRINK_CYCLES: u64 = 400_000_000;

/// The values a variable takes.
pub(super) enum Domain {
    Range(i64, i64),
    List(Vec<i64>),
}

impl Domain {
    pub fn size(&self) -> u128 {
        match self {
            Domain::Range(low, high) => (i128::from(*high) - i128::from(*low) + 1).max(0) as u128,
            Domain::List(all) => all.len() as u128,
        }
    }

    pub fn value(&self, index: u128) -> i64 {
        match self {
            Domain::Range(low, _) => (i128::from(*low) + index as i128) as i64,
            Domain::List(all) => all[index as usize],
        }
    }

    /// The index of the value a case is shrunk towards: zero if there is one, else the first.
    fn origin(&self) -> u128 {
        match self {
            Domain::Range(low, high) if *low <= 0 && *high >= 0 => (-i128::from(*low)) as u128,
            _ => 0,
        }
    }
}

/// The knowledge about all cases of a small space before the first is run.
enum Watched {
    /// The cases are run one by one; what they meet is seen, or is not there.
    Not,
    /// All were run, and passed.
    Run { cycles: u64 },
    /// An instruction depends on the chip.
    Refused(String),
    /// Instructions that they meet are not seen.
    Blind,
}

impl Watched {
    fn refused(&self) -> Option<String> {
        match self {
            Watched::Refused(reason) => Some(reason.clone()),
            _ => None,
        }
    }
}

impl<'a> Context<'a> {
    pub(super) fn forall(&mut self, forall: &'a Forall) {
        let Some(domains) = self.domains(forall) else { return };
        let space = domains.iter().fold(1_u128, |all, domain| all.saturating_mul(domain.size()));
        let samples = forall.samples.map_or(DEFAULT_SAMPLES, |samples| samples as u64);
        let exhaustive = match forall.samples {
            Some(samples) => space <= samples as u128,
            None => space <= EXHAUSTIVE,
        };
        let cases = if exhaustive { space as u64 } else { samples };
        // The written seed is taken as it is; the run's is mixed with the id, so that tests differ.
        let seed = match forall.seed {
            Some(seed) => seed as u64,
            None => self.options.seed ^ seed_of(&self.test.id),
        };

        let snapshot = self.take_snapshot();
        let span = self.span;
        let wanted = (self.options.prove || forall.prove) && self.decides;
        let mut summary = Summary::new(SAMPLED, space);
        let before = self.undone_cycles;
        let watched = if exhaustive { self.watch(forall, &domains, cases) } else { Watched::Not };
        let outer = std::mem::replace(&mut self.case_mark, self.recording.as_ref().map_or(0, Vec::len));
        let is_inner = std::mem::replace(&mut self.is_case, true);
        let mut has_failed = false;
        let is_over = matches!(watched, Watched::Run { .. });
        if let Watched::Run { cycles } = watched {
            self.cases += cases;
            self.undone_cycles += cycles;
            self.executed = true;
            summary.tried = cases;
        }
        for case in if is_over { 0..0 } else { 0..cases } {
            if !self.has_room(span) {
                has_failed = true;
                break;
            }
            self.cases += 1;
            let indices = choose(&domains, case, exhaustive, seed);
            let failures = self.try_case(forall, &domains, &indices, &snapshot);
            if failures.is_empty() {
                summary.tried += 1;
                if self.ended {
                    break;
                }
                continue;
            }
            has_failed = true;
            let how = if exhaustive {
                format!("case {} of all {cases}", case + 1)
            } else {
                format!(
                    "case {} of {cases}, seed {}",
                    case + 1,
                    forall.seed.map_or(self.options.seed, |seed| seed as u64)
                )
            };
            let smallest = self.refute(forall, &domains, indices, failures, &snapshot, &how);
            self.show_refuted(&mut summary, forall, &domains, &smallest);
            break;
        }
        summary.emulated = self.undone_cycles - before;
        self.is_case = is_inner;
        let met = self.chip.as_ref().and_then(ChipWatch::reason);
        if !is_inner {
            self.chip = None;
        }
        if !has_failed && !self.ended {
            if let Some(reason) = watched.refused().or(met) {
                (summary.verdict, summary.reason) = (Verdict::Refused.name(), Some(reason));
            } else if exhaustive && !matches!(watched, Watched::Blind) {
                summary.verdict = Verdict::Proved.name();
                summary.how = Some(How::Exhaustive.name());
            } else if !exhaustive {
                summary.seed = Some(forall.seed.map_or(self.options.seed, |seed| seed as u64));
            }
            if wanted && summary.verdict != Verdict::Refused.name() {
                self.prove(forall, &domains, &snapshot, &mut summary);
            }
        }
        self.span = span;
        let is_open = summary.verdict != Verdict::Proved.name() && summary.verdict != Verdict::Refuted.name();
        if is_open && !has_failed && self.decides && (self.options.require_proof || forall.prove) {
            self.fail(Reason::NotProved, format!("not proved: {}, {}", summary.verdict, summary.said()));
        }
        let text = match &summary.example {
            Some(example) => self.pasted(&example.0, span),
            None => None,
        };
        self.proofs.push(Proof {
            suite: String::new(),
            test: self.test.id.clone(),
            location: self.source.location(span),
            summary,
            text,
        });
        self.restore(&snapshot);
        self.case_mark = outer;
        self.record(|context| tempo_rig::Action::Machine(Arc::new(context.machine.clone())));
        self.give_back(snapshot);
    }

    /// Sees to it that cases which all pass are a proof: none may depend on the chip. Where nothing but the machine takes
    /// part, all are run at once.
    fn watch(&mut self, forall: &'a Forall, domains: &[Domain], cases: u64) -> Watched {
        // The cases around an inner one are watched.
        if self.is_case {
            return Watched::Not;
        }
        if cases >= WORTHWHILE
            && let Ok(question) = self.ask(forall, domains, &self.limits())
            && let Some(answer) = run_all(&question)
        {
            if answer.verdict == Verdict::Refused {
                return Watched::Refused(answer.reason.unwrap_or_default());
            }
            // Runs count from the cycles of the test so far.
            let cycles = answer.emulated.saturating_sub(self.machine.cycles.saturating_mul(cases));
            let (used, most) =
                (self.undone_cycles.saturating_add(self.machine.cycles), self.options.max_cycles);
            let is_within = self.cases.saturating_add(cases) <= self.options.max_cases
                && (most == 0 || used.saturating_add(cycles) <= most);
            let is_seen = self.probe.is_some() || self.coverage.is_some() || self.recording.is_some();
            return if is_within && !is_seen { Watched::Run { cycles } } else { Watched::Not };
        }
        if self.machine.isa() == Isa::Wdc65c02 || !self.has_chip_opcodes() {
            return Watched::Not;
        }
        if self.probe.is_some() || self.coverage.is_some() || self.machine.whole().is_some() {
            return Watched::Blind;
        }
        self.chip = Some(ChipWatch::default());
        Watched::Not
    }

    /// Whether another case may run; if not, that is a failure.
    fn has_room(&mut self, span: Span) -> bool {
        if self.cases >= self.options.max_cases {
            let most = self.options.max_cases;
            self.span = span;
            self.fail(
                Reason::TooManyCases,
                format!(
                    "more than {most} cases of `forall` in one test; draw fewer with `samples = N`, or allow more \
                     with --max-cases N"
                ),
            );
            self.ended = true;
            return false;
        }
        // Each case begins with the cycles of the machine before it, so that no call of it exceeds the limit alone.
        let most = self.options.max_cycles;
        if self.test.timeout == 0 && most > 0 && self.undone_cycles.saturating_add(self.machine.cycles) > most
        {
            self.span = span;
            self.fail(
                Reason::NoEnd,
                format!(
                    "the cases of `forall` took more than {most} cycles; draw fewer with `samples = N`, or allow \
                     more with --max-cycles N"
                ),
            );
            self.ended = true;
            return false;
        }
        true
    }

    /// Looks for the smallest case that fails, and notes its failures.
    fn refute(
        &mut self,
        forall: &'a Forall,
        domains: &[Domain],
        indices: Vec<u128>,
        failures: Vec<Failure>,
        snapshot: &Snapshot,
        how: &str,
    ) -> Vec<u128> {
        if self.cases >= self.options.max_cases {
            // None is left to look for a smaller one.
            self.failures.extend(failures);
            return indices;
        }
        self.ended = false;
        let (smallest, failures, attempts) =
            self.shrink(forall, domains, indices.clone(), failures, snapshot);
        if self.recording.is_some() {
            // The case to look at is the smallest one.
            self.try_case(forall, domains, &smallest, snapshot);
            self.ended = false;
        }
        let mut note = format!("{} ({how}", self.values_text(forall, domains, &smallest));
        if smallest != indices {
            note.push_str(&format!(
                "; shrunk in {attempts} attempts from {}",
                self.values_text(forall, domains, &indices)
            ));
        }
        note.push(')');
        for mut failure in failures {
            let inner = failure.case.take().map_or(String::new(), |inner| format!("; {inner}"));
            failure.case = Some(format!("{note}{inner}"));
            self.failures.push(failure);
        }
        smallest
    }

    fn show_refuted(&self, summary: &mut Summary, forall: &Forall, domains: &[Domain], indices: &[u128]) {
        summary.verdict = Verdict::Refuted.name();
        summary.how = Some(How::Run.name());
        let pairs = forall.variables.iter().zip(domains).zip(indices);
        summary.example =
            Some(Pairs(pairs.map(|(((name, _), domain), &at)| (name.clone(), domain.value(at))).collect()));
    }

    /// Decides a property that no case has refuted so far.
    fn prove(&mut self, forall: &'a Forall, domains: &[Domain], snapshot: &Snapshot, summary: &mut Summary) {
        self.restore(snapshot);
        let is_run = summary.verdict == Verdict::Proved.name();
        let answer = match self.ask(forall, domains, &self.limits()) {
            Ok(question) => decide(&question),
            Err(NoQuestion::Refused(reason)) => {
                if !is_run {
                    (summary.verdict, summary.reason) = (Verdict::Refused.name(), Some(reason));
                }
                return;
            }
            Err(NoQuestion::Undecided(reason)) => {
                if !is_run {
                    (summary.verdict, summary.reason) = (Verdict::Undecided.name(), Some(reason));
                }
                return;
            }
        };
        let tried = summary.tried.max(answer.tried);
        let mut found = Summary { tried, ..Summary::of(&answer, &[]) };
        found.example = None;
        match answer.verdict {
            Verdict::Refuted => {
                let example =
                    answer.example.as_ref().map(|example| example.inputs.clone()).unwrap_or_default();
                let indices: Vec<u128> = example.iter().map(|&index| index.into()).collect();
                let failures = self.try_case(forall, domains, &indices, snapshot);
                if failures.is_empty() {
                    found.verdict = Verdict::Undecided.name();
                    found.how = None;
                    found.reason = Some(format!(
                        "internal error: the formulas fail for {}, and the test does not",
                        self.values_text(forall, domains, &indices)
                    ));
                } else {
                    let smallest =
                        self.refute(forall, domains, indices, failures, snapshot, "found by a proof");
                    self.show_refuted(&mut found, forall, domains, &smallest);
                }
            }
            // All cases were run already, which is a separate answer.
            Verdict::Undecided if is_run => return,
            Verdict::Proved | Verdict::Undecided | Verdict::Refused => {}
        }
        *summary = found;
    }

    /// Decides whether two routines leave the same.
    pub(super) fn equivalent(&mut self, one: &'a Equivalent) {
        self.executed = true;
        if !self.decides {
            return;
        }
        let span = self.span;
        let mut summary = match self.ask_equivalent(one, &self.limits()) {
            Ok(question) => {
                let answer = decide(&question);
                if let (Verdict::Refuted, Some(example)) = (answer.verdict, &answer.example) {
                    let names = question.routines.iter().map(|routine| &routine.name);
                    let leaves: Vec<String> = names
                        .zip(&example.results)
                        .map(|(name, result)| format!("{name}: {result}"))
                        .collect();
                    let values = tempo_prove::told(&question.inputs, &example.inputs);
                    let case = if values.is_empty() { String::new() } else { format!(" for {values}") };
                    self.fail(Reason::Assertion, format!("the routines differ{case}: {}", leaves.join("; ")));
                }
                Summary::of(&answer, &question.inputs)
            }
            Err(NoQuestion::Refused(reason)) => {
                Summary { reason: Some(reason), ..Summary::new(Verdict::Refused.name(), 0) }
            }
            Err(NoQuestion::Undecided(reason)) => {
                Summary { reason: Some(reason), ..Summary::new(Verdict::Undecided.name(), 0) }
            }
        };
        // The cycles are those of proofs, not of the test.
        summary.cycles = None;
        if ![Verdict::Proved, Verdict::Refuted].iter().any(|verdict| verdict.name() == summary.verdict) {
            self.fail(Reason::NotProved, format!("not proved: {}, {}", summary.verdict, summary.said()));
        }
        self.proofs.push(Proof {
            suite: String::new(),
            test: self.test.id.clone(),
            location: self.source.location(span),
            summary,
            text: None,
        });
    }

    /// The test with this case alone, to be pasted into a suite.
    fn pasted(&self, values: &[(String, i64)], span: Span) -> Option<String> {
        let text = self.source.text();
        let at = span.start as usize;
        let body = block(text.get(at..)?)?;
        // The statements of the test before it; a property of a procedure has other ones, and is not shown.
        let start = text.get(..at)?.rfind("test(")?;
        let (head, before) = text.get(start..at)?.split_once('{')?;
        if !head.contains(&format!("\"{}\"", self.test.id)) || before.contains("bench(") {
            return None;
        }
        let domains: Vec<String> =
            values.iter().map(|(name, value)| format!("{name} in ({value})")).collect();
        let id = format!("{}-counterexample", self.test.id);
        let domains = domains.join(", ");
        Some(format!("test(\"{id}\", \"found by tempo test\") {{{before}forall({domains}) {body}\n}}"))
    }

    fn domains(&mut self, forall: &'a Forall) -> Option<Vec<Domain>> {
        let mut domains = Vec::new();
        for (name, domain) in &forall.variables {
            let domain = match domain {
                Set::Range(from, to) => Domain::Range(self.number(from), self.number(to)),
                Set::List(all) => Domain::List(all.iter().map(|one| self.number(one)).collect()),
            };
            if domain.size() == 0 {
                self.fail(Reason::OutOfRange, format!("the range of `{name}` is empty"));
                return None;
            }
            domains.push(domain);
        }
        Some(domains)
    }

    /// Runs one case from the snapshot; what went wrong is returned, not kept.
    fn try_case(
        &mut self,
        forall: &'a Forall,
        domains: &[Domain],
        indices: &[u128],
        snapshot: &Snapshot,
    ) -> Vec<Failure> {
        self.restore(snapshot);
        if let Some(recording) = &mut self.recording {
            recording.truncate(self.case_mark);
        }
        let bound = self.variables.len();
        self.variables
            .extend(domains.iter().zip(indices).map(|(domain, index)| Value::Number(domain.value(*index))));
        let kept = std::mem::take(&mut self.failures);
        let dropped = std::mem::take(&mut self.dropped_failures);
        let before = self.machine.cycles;
        self.run_steps(&forall.body);
        self.undone_cycles += self.machine.cycles - before;
        self.variables.truncate(bound);
        self.dropped_failures = dropped;
        std::mem::replace(&mut self.failures, kept)
    }

    /// Makes each variable as small as it can be while the case still fails, again and again until none gets smaller.
    fn shrink(
        &mut self,
        forall: &'a Forall,
        domains: &[Domain],
        mut best: Vec<u128>,
        mut failures: Vec<Failure>,
        snapshot: &Snapshot,
    ) -> (Vec<u128>, Vec<Failure>, usize) {
        let mut attempts = 0;
        let spent = self.undone_cycles;
        let mut smaller = true;
        while smaller {
            smaller = false;
            for variable in 0..domains.len() {
                let origin = domains[variable].origin();
                loop {
                    let current = best[variable];
                    let mut found = false;
                    for candidate in towards(current, origin) {
                        if attempts >= MAX_SHRINKS || self.undone_cycles - spent > MAX_SHRINK_CYCLES {
                            return (best, failures, attempts);
                        }
                        attempts += 1;
                        let mut indices = best.clone();
                        indices[variable] = candidate;
                        let result = self.try_case(forall, domains, &indices, snapshot);
                        self.ended = false;
                        if !result.is_empty() {
                            best = indices;
                            failures = result;
                            found = true;
                            smaller = true;
                            break;
                        }
                    }
                    if !found {
                        break;
                    }
                }
            }
        }
        (best, failures, attempts)
    }

    fn values_text(&self, forall: &Forall, domains: &[Domain], indices: &[u128]) -> String {
        let all: Vec<String> = forall
            .variables
            .iter()
            .zip(domains)
            .zip(indices)
            .map(|(((name, _), domain), index)| {
                format!("{name} = {}", super::assertion::shown(domain.value(*index)))
            })
            .collect();
        all.join(", ")
    }

    fn take_snapshot(&mut self) -> Snapshot {
        let mut machine = self.scratch.snapshots.pop().unwrap_or_else(|| self.machine.clone());
        machine.copy_from(self.machine);
        Snapshot {
            machine,
            calls: self.calls.len(),
            captured: self.captured.len(),
            feeds: self.feeds.clone(),
            stubs: self.stubs.len(),
            output: self.output.len(),
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.machine.copy_from(&snapshot.machine);
        self.calls.truncate(snapshot.calls);
        self.captured.truncate(snapshot.captured);
        self.feeds.clone_from(&snapshot.feeds);
        self.interrupts.clear();
        self.stubs.truncate(snapshot.stubs);
        self.output.truncate(snapshot.output);
        if let Some(probe) = &mut self.probe {
            probe.spies.values_mut().for_each(|spied| *spied = Default::default());
        }
    }

    fn give_back(&mut self, snapshot: Snapshot) {
        self.scratch.snapshots.push(snapshot.machine);
    }
}

/// The first block of a text, braces included; those in texts and comments do not count.
fn block(text: &str) -> Option<&str> {
    let from = text.find('{')?;
    let (mut depth, mut is_quoted, mut is_comment) = (0, false, false);
    for (at, c) in text[from..].char_indices() {
        match c {
            '\n' => is_comment = false,
            _ if is_comment => {}
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            ';' => is_comment = true,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return text.get(from..=from + at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The test as it was before the cases.
struct Snapshot {
    machine: tempo_rig::TestMachine,
    calls: usize,
    captured: usize,
    feeds: Vec<tempo_rig::Feed>,
    stubs: usize,
    output: usize,
}

/// The indices of a case: all in turn, or the two corners first and then by chance.
fn choose(domains: &[Domain], case: u64, exhaustive: bool, seed: u64) -> Vec<u128> {
    if exhaustive {
        let mut rest = u128::from(case);
        let mut indices: Vec<u128> = domains
            .iter()
            .rev()
            .map(|domain| {
                let index = rest % domain.size();
                rest /= domain.size();
                index
            })
            .collect();
        indices.reverse();
        return indices;
    }
    match case {
        0 => vec![0; domains.len()],
        1 => domains.iter().map(|domain| domain.size() - 1).collect(),
        _ => {
            let mut random = Random::stream(seed, case);
            domains
                .iter()
                .map(|domain| u128::from(random.below(u64::try_from(domain.size()).unwrap_or(u64::MAX))))
                .collect()
        }
    }
}

/// Indices nearer to the origin: the origin itself, then halves, then the neighbour.
fn towards(current: u128, origin: u128) -> Vec<u128> {
    let mut all = Vec::new();
    let step = |distance: u128| if current > origin { current - distance } else { current + distance };
    let mut distance = current.abs_diff(origin);
    while distance > 0 {
        all.push(step(distance));
        distance /= 2;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn blocks_end_where_they_do() {
        assert_eq!(block("forall(n in 0..3) { a = n { \"}\" } ; }\n } }"), Some("{ a = n { \"}\" } ; }\n }"));
        assert_eq!(block("forall { a"), None);
    }

    #[test]
    fn shrinking_goes_home_in_halves() {
        assert_eq!(towards(10, 0), [0, 5, 8, 9]);
        assert_eq!(towards(3, 10), [10, 6, 4]);
        assert_eq!(towards(4, 4), [0; 0]);
    }

    #[test]
    fn every_value_of_a_small_space_is_tried_once() {
        let domains = [Domain::Range(-1, 1), Domain::List(vec![2, 4])];
        let all: Vec<Vec<i64>> = (0..6)
            .map(|case| {
                choose(&domains, case, true, 0).iter().zip(&domains).map(|(i, d)| d.value(*i)).collect()
            })
            .collect();
        assert_eq!(all, [[-1, 2], [-1, 4], [0, 2], [0, 4], [1, 2], [1, 4]]);
    }

    #[test]
    fn samples_begin_with_the_corners() {
        let domains = [Domain::Range(0, 255), Domain::Range(5, 9)];
        assert_eq!(choose(&domains, 0, false, 7), [0, 0]);
        assert_eq!(choose(&domains, 1, false, 7), [255, 4]);
        assert_ne!(choose(&domains, 2, false, 7), choose(&domains, 3, false, 7));
    }
}
