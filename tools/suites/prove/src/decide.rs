//! From a question to a verdict, the cheap way first: execute symbolically, run inputs on the emulator, go through all values
//! of the bits that matter, ask the solver; if the formulas become too large, split into cases.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tempo_random::Random;

use crate::claim::{Expr, Place, Register, When};
use crate::execute::{self, End, Ending, Meeting};
use crate::graph::{Bit, Byte, Graph, LANES, Lanes, Node, byte};
use crate::integer::NoFormula;
use crate::limits::Limits;
use crate::question::{Claim, Input, Question};
use crate::runner::{Outcome, Runner, Unknowns};
use crate::script::{self, Action, Script};
use crate::solver::Answer;
use crate::state::{Before, State};
use crate::terms::Terms;
use crate::world::{Blocked, Path, World};

mod formulas;

use formulas::{Formulas, Prepared, formulas, prepare};

/// The verdict of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Proved,
    Refuted,
    Undecided,
    Refused,
}

impl Verdict {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "undecided",
            Verdict::Refused => "refused",
        }
    }
}

/// How it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Every input was run on the emulator, and nothing else matters.
    Exhaustive,
    /// From formulas.
    Symbolic,
    /// Both.
    Both,
    /// The inputs shown were run.
    Run,
}

impl How {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            How::Exhaustive => "exhaustive",
            How::Symbolic => "symbolic",
            How::Both => "exhaustive, symbolic",
            How::Run => "run",
        }
    }
}

/// Inputs, what is unknown beside them, and what came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub inputs: Vec<u64>,
    pub unknowns: Unknowns,
    /// For each routine, what the emulator gave: values of what is looked at, or why it did not return.
    pub results: Vec<String>,
}

/// The least and the greatest number of cycles, with inputs that reach them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycles {
    pub min: u64,
    pub max: u64,
    pub at_min: Vec<u64>,
    pub at_max: Vec<u64>,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    pub verdict: Verdict,
    pub how: Option<How>,
    /// All inputs, ghosts included.
    pub cases: u128,
    pub example: Option<Example>,
    pub reason: Option<String>,
    /// The instruction that prevents it.
    pub at: Option<u16>,
    /// Inputs that were run without a failure.
    pub tried: u64,
    /// Emulated cycles.
    pub emulated: u64,
    pub paths: u64,
    pub conflicts: u64,
    pub variables: u64,
    pub clauses: u64,
    pub cycles: Option<Cycles>,
}

impl Answered {
    /// A question that has no answer on its machine.
    pub fn refused(question: &Question, reason: String) -> Answered {
        Answered { verdict: Verdict::Refused, reason: Some(reason), ..blank(question) }
    }
}

/// Decides a question.
pub fn decide(question: &Question) -> Answered {
    Decision { question, answer: blank(question) }.decide()
}

/// Runs all inputs of a question. There is an answer if that proves it, or if an instruction depends on the chip.
pub fn run_all(question: &Question) -> Option<Answered> {
    let answer = Decision { question, answer: blank(question) }.exhaust(None, u64::MAX)?;
    matches!(answer.verdict, Verdict::Proved | Verdict::Refused).then_some(answer)
}

fn blank(question: &Question) -> Answered {
    Answered {
        verdict: Verdict::Undecided,
        how: None,
        cases: question.cases(),
        example: None,
        reason: None,
        at: None,
        tried: 0,
        emulated: 0,
        paths: 0,
        conflicts: 0,
        variables: 0,
        clauses: 0,
        cycles: None,
    }
}

struct Decision<'a> {
    question: &'a Question,
    answer: Answered,
}

/// The result of running inputs.
struct Tried {
    /// Whether these were all.
    is_all: bool,
    failing: Option<Vec<u64>>,
    /// A run that did not end within the cycles.
    is_limited: bool,
    cycles: Option<Cycles>,
    count: u64,
    emulated: u64,
}

/// The result of running a part of all inputs.
struct Watched {
    stopped: Option<WhyStopped>,
    cycles: Option<Cycles>,
    emulated: u64,
}

/// Why not all inputs were run.
enum WhyStopped {
    /// The run depends on more than the inputs, or has not ended.
    Open,
    Refused(u16, String),
    Failing(Vec<u64>),
}

/// Spaces of this many inputs are always run.
const ALWAYS: u128 = 1 << 16;
/// Emulated cycles that are spent before anything is executed symbolically.
const SOON: u64 = 300_000_000;
/// The same for spaces that are always run.
const SOON_SMALL: u64 = 2_000_000_000;
/// The cost of a run beside its cycles, in cycles.
const OVERHEAD: u128 = 40;
/// Inputs that one thread runs at a time.
const BLOCK: u64 = 1 << 14;
/// Inputs that are tried of a larger space.
const SAMPLES: u64 = 4096;
/// The most values that a case split makes.
const SPLITS: u128 = 1 << 16;
/// Bits that are gone through one by one.
const SWEPT: usize = 26;

impl Decision<'_> {
    fn decide(mut self) -> Answered {
        let question = self.question;
        if self.is_empty() {
            self.answer.verdict = Verdict::Refused;
            self.answer.reason = Some("no input meets the assumptions".to_string());
            return self.answer;
        }
        // A small budget first: if formulas grow, cases may be better.
        let splits = question.inputs.iter().any(|input| !input.is_ghost && input.size() <= 4096);
        let mut limits = question.limits.clone();
        if splits {
            limits.nodes = limits.nodes.min(200_000);
            limits.steps = limits.steps.min(200_000);
        }
        // A small space is run at once, if nothing but its inputs matters.
        if question.cases() <= ALWAYS
            && let Some(answer) = self.exhaust(None, SOON_SMALL)
        {
            return answer;
        }
        let tried = self.try_inputs();
        self.answer.tried = tried.count;
        self.answer.emulated = tried.emulated;
        if let Some(failing) = tried.failing {
            return self.refute(failing, Unknowns::default(), false);
        }
        // What is soon run is run: nothing is simpler to believe.
        if let Some(answer) = self.exhaust(Some(&tried), SOON) {
            return answer;
        }
        // Few short runs are soonest decided one by one.
        if tried.is_all && question.runs() <= 4096 && tried.emulated <= 3_000_000 {
            match self.split(&[], &tried) {
                Ok(Some(answer)) => return answer,
                Err(Blocked::Refused { at, reason }) => return self.refused(at, reason),
                Ok(None) | Err(Blocked::Undecided { .. }) => {}
            }
        }
        let mut attempts = vec![(limits, Meeting::Merge)];
        if splits {
            attempts.push((question.limits.clone(), Meeting::Merge));
        }
        attempts.push((question.limits.clone(), Meeting::Apart));
        let mut first: Option<Blocked> = None;
        let mut is_split = false;
        for (limits, meeting) in attempts {
            let blocked = match formulas(question, &limits, &[], meeting) {
                Ok(formulas) => match self.judge(formulas, &tried) {
                    Ok(answer) => return answer,
                    Err(blocked) => blocked,
                },
                Err((Blocked::Refused { at, reason }, _)) => return self.refused(at, reason),
                Err((blocked, relevant)) => {
                    // The formulas grow too large: case by case they may not.
                    if !std::mem::replace(&mut is_split, true) {
                        match self.split(&relevant, &tried) {
                            Ok(Some(answer)) => return answer,
                            Err(Blocked::Refused { at, reason }) => return self.refused(at, reason),
                            Ok(None) | Err(Blocked::Undecided { .. }) => {}
                        }
                    }
                    blocked
                }
            };
            // A hard formula stays hard with more room.
            let is_conflicts =
                matches!(&blocked, Blocked::Undecided { reason, .. } if reason.contains("--conflicts"));
            first.get_or_insert(blocked);
            if is_conflicts {
                break;
            }
        }
        let (conflicts, paths) = (self.answer.conflicts, self.answer.paths);
        if let Some(answer) = self.exhaust(Some(&tried), question.limits.exhaust) {
            return Answered { conflicts, paths, ..answer };
        }
        let blocked = first.unwrap_or(Blocked::Undecided { at: None, reason: String::new() });
        let (at, reason) = match blocked {
            Blocked::Refused { at, reason } => (Some(at), reason),
            Blocked::Undecided { at, reason } => (at, reason),
        };
        self.answer.verdict = Verdict::Undecided;
        (self.answer.at, self.answer.reason) = (at, Some(reason));
        self.answer.cycles = tried.cycles;
        self.answer
    }

    /// Whether the assumptions leave no input: then any claim would be true.
    fn is_empty(&self) -> bool {
        if self.question.assume.is_empty() {
            return false;
        }
        let Ok(mut prepared) = prepare(self.question, &self.question.limits, &[]) else { return false };
        let (world, bits) = (&mut prepared.world, &prepared.path.bits);
        world.solver.ask(&world.graph, bits) == Answer::No
    }

    fn refused(mut self, at: u16, reason: String) -> Answered {
        self.answer.verdict = Verdict::Refused;
        (self.answer.at, self.answer.reason) = (Some(at), Some(reason));
        self.answer
    }

    fn proved(&mut self, is_run: bool, is_symbolic: bool) {
        self.answer.verdict = Verdict::Proved;
        self.answer.how = Some(match (is_run, is_symbolic) {
            (true, true) => How::Both,
            (true, false) => How::Exhaustive,
            _ => How::Symbolic,
        });
    }

    /// Runs the inputs again, so that a refutation is seen on the emulator; one that is not seen is discarded.
    fn refute(mut self, inputs: Vec<u64>, unknowns: Unknowns, is_approximate: bool) -> Answered {
        let limit = self.question.limits.max_cycles;
        let mut runners: Vec<Runner<'_>> =
            self.question.routines.iter().map(|it| Runner::new(it, limit)).collect();
        let outcomes: Vec<Outcome> =
            runners.iter_mut().map(|runner| runner.replay(&inputs, &unknowns)).collect();
        for outcome in &outcomes {
            if let Outcome::Refused { at, reason } = outcome {
                let (at, reason) = (*at, reason.clone());
                drop(runners);
                return self.refused(at, reason);
            }
        }
        let fails = fails(self.question, &runners, &outcomes, &inputs);
        let results = results(self.question, &runners, &outcomes, &inputs);
        drop(runners);
        if fails == Some(true) {
            self.answer.verdict = Verdict::Refuted;
            self.answer.how = Some(How::Run);
            self.answer.example = Some(Example { inputs, unknowns, results });
        } else {
            self.answer.verdict = Verdict::Undecided;
            self.answer.reason = Some(match (fails, is_approximate) {
                (None, _) => format!("{limit} cycles without an end (--max-cycles)"),
                (_, true) => "a read through an unknown pointer, which may reach too much".to_string(),
                _ => format!(
                    "internal error: the formulas fail for {}, and the emulator does not",
                    told(&self.question.inputs, &inputs)
                ),
            });
        }
        self.answer
    }

    // --- running ------------------------------------------------------------------------------------------

    /// Runs all inputs of a small space, and some of a large one.
    fn try_inputs(&self) -> Tried {
        let question = self.question;
        let cases = question.cases();
        if cases > ALWAYS {
            return self.run_list(&samples(question), false);
        }
        // In parts, so that all cores work and the first failure is the least.
        let parts: Vec<(u64, u64)> =
            (0..cases as u64).step_by(4096).map(|start| (start, (start + 4096).min(cases as u64))).collect();
        let budget = question.limits.exhaust / parts.len() as u64;
        let all: Vec<Tried> = parts
            .par_iter()
            .map(|&(start, end)| {
                self.run_cases((start..end).map(|number| nth(&question.inputs, number)), budget)
            })
            .collect();
        join(all)
    }

    /// Runs all inputs, if they fit into a budget of cycles, and sees to it that nothing but the inputs matters.
    fn exhaust(&self, tried: Option<&Tried>, budget: u64) -> Option<Answered> {
        let question = self.question;
        let cases = question.cases();
        if cases > 1 << 40 || tried.is_some_and(|tried| tried.is_limited || tried.count == 0) {
            return None;
        }
        // A few first: most routines that depend on more do so at once.
        let step = (cases as u64).div_ceil(64);
        let few = (0..64).map(|number| number * step).take_while(|&at| u128::from(at) < cases);
        let first = self.watched(few, budget);
        match first.stopped {
            None => {}
            stopped @ Some(WhyStopped::Refused(..)) => return self.stopped(stopped),
            // The first failure is looked for elsewhere.
            Some(_) => return None,
        }
        let (emulated, count) = match tried {
            Some(tried) => (tried.emulated, tried.count),
            None => (first.emulated, 64.min(cases as u64)),
        };
        let cycles = u128::from(emulated / count) + OVERHEAD;
        if cycles * cases > u128::from(budget.min(question.limits.exhaust)) {
            return None;
        }
        let cases = cases as u64;
        let blocks = cases.div_ceil(BLOCK);
        // Inputs that were not among the first ones may take much longer.
        let most = budget.min(question.limits.exhaust) / blocks * 4;
        let bad = AtomicU64::new(u64::MAX);
        let all: Vec<Watched> = (0..blocks)
            .into_par_iter()
            .filter(|&block| block < bad.load(Ordering::Relaxed))
            .map(|block| {
                let found = self.watched(block * BLOCK..((block + 1) * BLOCK).min(cases), most);
                if found.stopped.is_some() {
                    bad.fetch_min(block, Ordering::Relaxed);
                }
                found
            })
            .collect();
        let mut answer = self.answer.clone();
        for found in all {
            if found.stopped.is_some() {
                return self.stopped(found.stopped);
            }
            answer.emulated += found.emulated;
            if let Some(cycles) = found.cycles {
                note(&mut answer.cycles, cycles.min, cycles.max, &cycles.at_min, &cycles.at_max);
            }
        }
        if !matches!(question.claim, Claim::Cycles) {
            answer.cycles = None;
        }
        answer.tried = cases;
        let mut decision = Decision { question, answer };
        decision.proved(true, false);
        Some(decision.answer)
    }

    fn stopped(&self, stopped: Option<WhyStopped>) -> Option<Answered> {
        let decision = Decision { question: self.question, answer: self.answer.clone() };
        match stopped? {
            WhyStopped::Open => None,
            WhyStopped::Refused(at, reason) => Some(decision.refused(at, reason)),
            WhyStopped::Failing(inputs) => Some(decision.refute(inputs, Unknowns::default(), false)),
        }
    }

    /// Runs a part of the inputs on watched machines, to the first that does not settle it, or for `most` cycles.
    fn watched(&self, numbers: impl Iterator<Item = u64>, most: u64) -> Watched {
        let question = self.question;
        let limit = question.limits.max_cycles;
        let mut runners: Vec<Runner<'_, true>> =
            question.routines.iter().map(|it| Runner::new(it, limit)).collect();
        let mut found = Watched { stopped: None, cycles: None, emulated: 0 };
        let mut last: Option<Vec<u64>> = None;
        let (mut outcomes, mut touched) = (Vec::new(), false);
        for number in numbers {
            let inputs = nth(&question.inputs, number);
            if !question.assume.iter().all(|assumed| is_assumed(assumed, &inputs)) {
                continue;
            }
            // Ghosts need no new run.
            let key = run_inputs(question, &inputs);
            let is_new = last.as_ref() != Some(&key);
            if is_new {
                last = Some(key);
                outcomes.clear();
                touched = false;
                for runner in &mut runners {
                    let (outcome, is_open, watch) = runner.run_watched(&inputs);
                    if let Some(((at, _), reason)) = watch.refused.zip(watch.reason()) {
                        found.stopped = Some(WhyStopped::Refused(at, reason));
                        return found;
                    }
                    touched |= is_open;
                    outcomes.push(outcome);
                    found.emulated = found.emulated.saturating_add(runner.cycles());
                }
                if found.emulated > most {
                    found.stopped = Some(WhyStopped::Open);
                    return found;
                }
            }
            let fails = fails(question, &runners, &outcomes, &inputs);
            touched |= runners.iter().any(Runner::is_touched);
            found.stopped = match fails {
                Some(true) => Some(WhyStopped::Failing(inputs)),
                None => Some(WhyStopped::Open),
                Some(false) if touched => Some(WhyStopped::Open),
                Some(false) => {
                    let cycles = runners[0].cycles();
                    note(&mut found.cycles, cycles, cycles, &inputs, &inputs);
                    continue;
                }
            };
            return found;
        }
        found
    }

    fn run_list(&self, list: &[Vec<u64>], is_all: bool) -> Tried {
        let mut tried = self.run_cases(list.iter().cloned(), self.question.limits.exhaust / 4);
        tried.is_all &= is_all;
        tried
    }

    fn run_cases(&self, cases: impl Iterator<Item = Vec<u64>>, budget: u64) -> Tried {
        let question = self.question;
        let mut tried =
            Tried { is_all: true, failing: None, is_limited: false, cycles: None, count: 0, emulated: 0 };
        let limit = question.limits.max_cycles;
        let mut runners: Vec<Runner<'_>> =
            question.routines.iter().map(|it| Runner::new(it, limit)).collect();
        let unknowns = Unknowns::default();
        let mut last: Option<(Vec<u64>, Vec<Outcome>)> = None;
        for inputs in cases {
            if tried.emulated > budget {
                tried.is_all = false;
                break;
            }
            // Ghosts need no new run.
            let key = run_inputs(question, &inputs);
            if !question.assume.iter().all(|assumed| is_assumed(assumed, &inputs)) {
                continue;
            }
            let outcomes = match &last {
                Some((known, outcomes)) if *known == key => outcomes.clone(),
                _ => {
                    let outcomes: Vec<Outcome> =
                        runners.iter_mut().map(|runner| runner.run(&inputs, &unknowns)).collect();
                    tried.emulated += runners.iter().map(Runner::cycles).sum::<u64>();
                    last = Some((key, outcomes.clone()));
                    outcomes
                }
            };
            match fails(question, &runners, &outcomes, &inputs) {
                Some(true) => {
                    tried.failing = Some(inputs);
                    return tried;
                }
                Some(false) => tried.count += 1,
                None => {
                    tried.is_limited = true;
                    tried.is_all = false;
                    continue;
                }
            }
            let cycles = runners[0].cycles();
            note(&mut tried.cycles, cycles, cycles, &inputs, &inputs);
        }
        tried
    }

    // --- formulas -----------------------------------------------------------------------------------------

    fn judge(&mut self, formulas: Formulas, tried: &Tried) -> Result<Answered, Blocked> {
        let mut formulas = formulas;
        let result = self.judge_inner(&mut formulas, tried);
        self.answer.paths = formulas.world.paths;
        self.answer.conflicts = formulas.world.solver.conflicts();
        (self.answer.variables, self.answer.clauses) = formulas.world.solver.size();
        match result? {
            None => Ok(self.answer.clone()),
            Some((inputs, unknowns)) => {
                let decision = Decision { question: self.question, answer: self.answer.clone() };
                let answer = decision.refute(inputs, unknowns, formulas.world.is_approximate);
                if answer.verdict == Verdict::Undecided {
                    return Err(Blocked::Undecided { at: None, reason: answer.reason.unwrap_or_default() });
                }
                Ok(answer)
            }
        }
    }

    fn judge_inner(
        &mut self,
        formulas: &mut Formulas,
        tried: &Tried,
    ) -> Result<Option<(Vec<u64>, Unknowns)>, Blocked> {
        let own: Vec<u32> = formulas.input_variables();
        let is_own = |support: &[u32]| support.iter().all(|number| own.binary_search(number).is_ok());
        let bad = formulas.bad.clone();
        let support = formulas.world.graph.support(bad.iter().copied());
        let is_trivial = bad.iter().all(|&bit| bit == Bit::FALSE);
        // All inputs were run, and nothing but the inputs matters.
        let is_run = tried.is_all && is_own(&support);
        if !is_trivial
            && !is_run
            && let Some(found) = formulas.find(self.question, &support)?
        {
            return Ok(Some(found));
        }
        if matches!(self.question.claim, Claim::Cycles)
            && let Some((path, cost)) = formulas.cost.clone()
        {
            let support = formulas.world.graph.support(cost.iter().copied().chain(path.bits.iter().copied()));
            let is_run = tried.is_all && is_own(&support);
            self.answer.cycles = if is_run {
                tried.cycles.clone()
            } else {
                Some(formulas.cycle_bounds(self.question, &path, &cost, tried)?)
            };
            self.proved(is_run, !is_run);
            return Ok(None);
        }
        self.proved(is_run, is_trivial || !is_run);
        Ok(None)
    }

    // --- cases --------------------------------------------------------------------------------------------

    /// Decides case by case, for the inputs on which the way through the routine depends.
    fn split(&mut self, relevant: &[usize], tried: &Tried) -> Result<Option<Answered>, Blocked> {
        let question = self.question;
        let runs: Vec<usize> =
            (0..question.inputs.len()).filter(|&number| !question.inputs[number].is_ghost).collect();
        let mut chosen: Vec<usize> =
            runs.iter().copied().filter(|number| relevant.contains(number)).collect();
        let size = |chosen: &[usize]| {
            chosen.iter().fold(1u128, |all, &number| all.saturating_mul(question.inputs[number].size()))
        };
        if chosen.is_empty() {
            chosen = runs;
            chosen.sort_by_key(|&number| (question.inputs[number].size(), number));
            while size(&chosen) > SPLITS {
                chosen.pop();
            }
            chosen.sort_unstable();
        }
        // Ghosts are cheap: nothing is executed again.
        let ghosts: Vec<usize> = (0..question.inputs.len())
            .filter(|&number| question.inputs[number].is_ghost && question.inputs[number].size() <= 4096)
            .collect();
        if chosen.is_empty() || size(&chosen) > SPLITS || size(&ghosts) > 4096 {
            return Ok(None);
        }
        let cases = size(&chosen) as u64;
        let list: Vec<Input> = chosen.iter().map(|&number| question.inputs[number].clone()).collect();
        let found = (0..cases).into_par_iter().find_map_first(|case| {
            let values = nth(&list, case);
            let fixed: Vec<(usize, u64)> = chosen.iter().copied().zip(values).collect();
            self.case(&fixed, &ghosts, tried).err()
        });
        match found {
            Some(Stopped::Blocked(blocked)) => Err(blocked),
            Some(Stopped::Found(inputs, unknowns, is_approximate)) => {
                let decision = Decision { question, answer: self.answer.clone() };
                let answer = decision.refute(inputs, unknowns, is_approximate);
                if answer.verdict == Verdict::Undecided { Ok(None) } else { Ok(Some(answer)) }
            }
            None => {
                if matches!(question.claim, Claim::Cycles) {
                    if !tried.is_all {
                        return Ok(None);
                    }
                    // No case depends on anything else, so what was run is all there is.
                    self.answer.cycles = tried.cycles.clone();
                }
                self.answer.paths = cases;
                self.proved(tried.is_all, true);
                Ok(Some(self.answer.clone()))
            }
        }
    }

    fn case(&self, fixed: &[(usize, u64)], ghosts: &[usize], tried: &Tried) -> Result<(), Stopped> {
        let question = self.question;
        let mut limits = question.limits.clone();
        limits.conflicts = limits.conflicts.min(20_000);
        let ghost_inputs: Vec<Input> = ghosts.iter().map(|&number| question.inputs[number].clone()).collect();
        let all = ghost_inputs.iter().fold(1u64, |all, input| all * input.size() as u64);
        let mut prepared =
            prepare(question, &limits, fixed).map_err(|(blocked, _)| Stopped::Blocked(blocked))?;
        let ends =
            prepared.run(question, Meeting::Merge).map_err(|(blocked, _)| Stopped::Blocked(blocked))?;
        for number in 0..all {
            let values = nth(&ghost_inputs, number);
            for (&ghost, &value) in ghosts.iter().zip(&values) {
                prepared.fix(question, ghost, value);
            }
            let (bad, cost) = prepared.claim(question, &ends).map_err(Stopped::Blocked)?;
            if bad.iter().all(|&bit| bit == Bit::FALSE) && cost.is_none() {
                continue;
            }
            let support = prepared.world.graph.support(bad.iter().copied());
            let mut formulas = prepared.with(bad, cost);
            let found = match formulas.find(question, &support) {
                Ok(found) => found,
                Err(blocked) => return Err(Stopped::Blocked(blocked)),
            };
            if let Some((inputs, unknowns)) = found {
                return Err(Stopped::Found(inputs, unknowns, formulas.world.is_approximate));
            }
            if let Some((path, cost)) = &formulas.cost {
                let bits = cost.iter().copied().chain(path.bits.iter().copied());
                if !formulas.world.graph.support(bits).is_empty() || !tried.is_all {
                    let reason = "cycles that depend on more than the inputs".to_string();
                    return Err(Stopped::Blocked(Blocked::Undecided { at: None, reason }));
                }
            }
            prepared = Prepared::from(formulas);
        }
        Ok(())
    }
}

enum Stopped {
    Blocked(Blocked),
    Found(Vec<u64>, Unknowns, bool),
}

/// Whether the claim is false of what was run; `None` if a run did not end within its cycles.
fn fails<const WATCHED: bool>(
    question: &Question,
    runners: &[Runner<'_, WATCHED>],
    outcomes: &[Outcome],
    inputs: &[u64],
) -> Option<bool> {
    if outcomes.contains(&Outcome::Limit) {
        return None;
    }
    let returned: Vec<bool> = outcomes.iter().map(|outcome| *outcome == Outcome::Returned).collect();
    Some(match &question.claim {
        Claim::Ends | Claim::Cycles | Claim::Script => !returned[0],
        Claim::Holds(claim) => !returned[0] || claim.holds(&runners[0].look(inputs)) != Ok(true),
        Claim::Equal(observed) => match (returned[0], returned[1]) {
            (true, true) => observed.iter().any(|(_, one, two)| {
                let (one, two) = (one.value(&runners[0].look(inputs)), two.value(&runners[1].look(inputs)));
                one.is_err() || one != two
            }),
            (one, two) => one != two,
        },
    })
}

/// The results of the routines, as text.
fn results(question: &Question, runners: &[Runner<'_>], outcomes: &[Outcome], inputs: &[u64]) -> Vec<String> {
    let mut all = Vec::new();
    for (number, (runner, outcome)) in runners.iter().zip(outcomes).enumerate() {
        let look = runner.look(inputs);
        let shown = match outcome {
            Outcome::Failed(reason) => reason.clone(),
            Outcome::Returned => match &question.claim {
                Claim::Equal(observed) => {
                    let parts = observed.iter().map(|(text, one, two)| {
                        let value = if number == 0 { one } else { two }.value(&look);
                        value.map_or_else(|err| err.to_string(), |value| format!("{text} = {value}"))
                    });
                    parts.collect::<Vec<_>>().join(", ")
                }
                Claim::Holds(claim) => {
                    let mut parts: Vec<String> = Vec::new();
                    claim.visit(&mut |part| {
                        let text = match part {
                            Expr::Register(register) => register.name().to_string(),
                            Expr::Read(When::After, bytes, address) => {
                                let Ok(address) = address.value(&look) else { return };
                                let size = ["b", "w", "", "l"][usize::from(*bytes) - 1];
                                format!("{size}(${address:04X})")
                            }
                            _ => return,
                        };
                        let Ok(value) = part.value(&look) else { return };
                        let text = format!("{text} = {value}");
                        if !parts.contains(&text) {
                            parts.push(text);
                        }
                    });
                    parts.join(", ")
                }
                Claim::Ends | Claim::Cycles | Claim::Script => format!("{} cycles", runner.cycles()),
            },
            Outcome::Limit | Outcome::Refused { .. } => String::new(),
        };
        all.push(shown);
    }
    all
}

struct Bare<'a>(&'a [u64]);

impl crate::claim::Look for Bare<'_> {
    fn input(&self, number: usize) -> i128 {
        i128::from(self.0[number])
    }
    fn register(&self, _: Register) -> u8 {
        0
    }
    fn read(&self, _: When, _: u16) -> u8 {
        0
    }
}

/// The inputs without ghosts.
fn run_inputs(question: &Question, inputs: &[u64]) -> Vec<u64> {
    let pairs = question.inputs.iter().zip(inputs);
    pairs.filter(|(input, _)| !input.is_ghost).map(|(_, value)| *value).collect()
}

fn is_assumed(assumed: &Expr, inputs: &[u64]) -> bool {
    assumed.holds(&Bare(inputs)) == Ok(true)
}

fn note(cycles: &mut Option<Cycles>, min: u64, max: u64, at_min: &[u64], at_max: &[u64]) {
    match cycles {
        None => *cycles = Some(Cycles { min, max, at_min: at_min.to_vec(), at_max: at_max.to_vec() }),
        Some(known) => {
            if min < known.min {
                (known.min, known.at_min) = (min, at_min.to_vec());
            }
            if max > known.max {
                (known.max, known.at_max) = (max, at_max.to_vec());
            }
        }
    }
}

fn join(parts: Vec<Tried>) -> Tried {
    let mut all =
        Tried { is_all: true, failing: None, is_limited: false, cycles: None, count: 0, emulated: 0 };
    for part in parts {
        if all.failing.is_none() {
            all.failing = part.failing;
            all.count += part.count;
        }
        all.is_all &= part.is_all;
        all.is_limited |= part.is_limited;
        all.emulated += part.emulated;
        if let Some(cycles) = part.cycles {
            note(&mut all.cycles, cycles.min, cycles.max, &cycles.at_min, &cycles.at_max);
        }
    }
    all
}

/// Names and values, for people.
pub fn told(inputs: &[Input], values: &[u64]) -> String {
    let parts = inputs.iter().zip(values).map(|(input, value)| format!("{} = {value}", input.name));
    parts.collect::<Vec<_>>().join(", ")
}

/// The inputs with a number; the first one counts most.
fn nth(inputs: &[Input], number: u64) -> Vec<u64> {
    let mut number = u128::from(number);
    let mut values: Vec<u64> = inputs
        .iter()
        .rev()
        .map(|input| {
            let value = input.lo + (number % input.size()) as u64;
            number /= input.size();
            value
        })
        .collect();
    values.reverse();
    values
}

/// Values of an input that are worth trying.
fn corners(input: &Input) -> Vec<u64> {
    let mut all = vec![input.lo, input.hi];
    for bit in 0..input.width {
        let power = 1u64 << bit;
        all.extend([power, power - 1, power + 1]);
    }
    all.retain(|value| (input.lo..=input.hi).contains(value));
    all.sort_unstable();
    all.dedup();
    all
}

/// Corners, and random inputs; always the same.
fn samples(question: &Question) -> Vec<Vec<u64>> {
    let mut random = Random::new(0x7e5_7ed);
    let corners: Vec<Vec<u64>> = question.inputs.iter().map(corners).collect();
    let mut all = vec![question.inputs.iter().map(|input| input.lo).collect::<Vec<_>>()];
    for _ in 0..SAMPLES {
        let pick = |random: &mut Random, place: usize| {
            let input = &question.inputs[place];
            match random.below(4) {
                0 => *random.pick(&corners[place]),
                1 => input.lo + random.below(16).min(input.hi - input.lo),
                _ => input.lo + ((u128::from(random.next_u64()) * input.size()) >> 64) as u64,
            }
        };
        let values: Vec<u64> = (0..question.inputs.len()).map(|place| pick(&mut random, place)).collect();
        all.push(values);
    }
    all.sort_unstable();
    all.dedup();
    all
}
