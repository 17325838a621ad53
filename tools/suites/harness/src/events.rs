//! The stream of events a run produces. **Every report is a function of these events alone.**

use std::sync::Arc;

use serde::Serialize;

use crate::diag::DiagnosticRecord;
use crate::meter::Meter;
use crate::plan::Surroundings;
use crate::source::Location;

#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    RunStarted {
        suites: usize,
        tests: usize,
        seed: u64,
    },
    SuiteStarted {
        suite: usize,
        name: String,
        file: String,
    },
    Test(Box<TestReport>),
    /// Another test has ended, maybe ahead of its turn in the stream. For a progress bar; no report shows it.
    Progress {
        done: usize,
        failed: usize,
    },
    SuiteFinished(SuiteReport),
    /// The addresses that the tests of a suite executed; only when coverage was asked for.
    Coverage(CoverageReport),
    /// Where the cycles of a suite went; only when a profile was asked for.
    Profile(ProfileReport),
    /// Cycles by instruction; only when they were asked for. For [`crate::measure`]; no report shows it.
    #[serde(skip)]
    Meter(Box<MeterReport>),
    RunFinished(Totals),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Passed,
    Failed,
    /// `skip = true`.
    Skipped,
    /// Left out by a filter or a partition.
    Filtered,
    /// The run was ended before it.
    NotRun,
}

impl Outcome {
    pub fn text(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Skipped => "skipped",
            Outcome::Filtered => "filtered",
            Outcome::NotRun => "not run",
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct TestReport {
    pub suite: usize,
    pub suite_name: String,
    pub id: String,
    pub description: String,
    #[serde(flatten)]
    pub location: Location,
    pub outcome: Outcome,
    pub is_bench: bool,
    /// The counter at the end: what `cycles` says after the last statement.
    pub cycles: u64,
    /// All cycles executed, also those of `forall` cases that left no trace.
    pub total_cycles: u64,
    /// The cycles of the last `jsr`: what a bench is about, when the calls before it only prepare.
    #[serde(skip)]
    pub last_call: Option<u64>,
    /// The routines that the text called, and their cycles; only when cycles were asked for.
    #[serde(skip)]
    pub samples: Vec<(String, u64)>,
    pub seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<DiagnosticRecord>,
    /// The output of the test.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Why it was skipped, if not by its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_because: Option<String>,
    /// The verdict of each property. In JSON each has its own line, before that of the test.
    #[serde(skip)]
    pub proofs: Vec<Proof>,
    /// Pictures for the caller to write.
    #[serde(skip)]
    pub pictures: Vec<TakenPicture>,
}

/// The verdict of a property.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proof {
    pub suite: String,
    pub test: String,
    #[serde(flatten)]
    pub location: Location,
    #[serde(flatten)]
    pub summary: tempo_prove::Summary,
    /// After `refuted`: a test of that case alone.
    #[serde(rename = "counterexample", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Proof {
    /// The verdict, the place, and what there is to say.
    pub fn line(&self) -> String {
        format!(
            "{:<10} {}:{}  {}  {}",
            self.summary.verdict,
            self.location.file,
            self.location.line,
            self.test,
            self.summary.said()
        )
    }
}

/// How many properties ended with each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Verdicts {
    pub proved: usize,
    pub refuted: usize,
    pub sampled: usize,
    pub undecided: usize,
    pub refused: usize,
}

impl Verdicts {
    /// Whether there was no property.
    pub fn is_empty(&self) -> bool {
        *self == Verdicts::default()
    }

    /// Counts one.
    pub fn add(&mut self, verdict: &str) {
        *match verdict {
            "proved" => &mut self.proved,
            "refuted" => &mut self.refuted,
            "undecided" => &mut self.undecided,
            "refused" => &mut self.refused,
            _ => &mut self.sampled,
        } += 1;
    }

    /// `2 proved, 1 sampled`; nothing if there was no property.
    pub fn text(&self) -> Option<String> {
        let all = [
            (self.proved, "proved"),
            (self.refuted, "refuted"),
            (self.sampled, "sampled"),
            (self.undecided, "undecided"),
            (self.refused, "refused"),
        ];
        let parts: Vec<String> = all
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        if parts.is_empty() { None } else { Some(parts.join(", ")) }
    }
}

/// A PNG that a screenshot leaves, or the text of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenPicture {
    pub path: String,
    pub png: Vec<u8>,
    pub purpose: Purpose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Takes the place of the one the screen was compared with.
    Update,
    /// Shows what is wrong.
    Failure,
}

/// Why a test failed, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Assertion,
    Brk,
    Jam,
    NoEnd,
    Timeout,
    Budget,
    DoesNotFit,
    OutOfRange,
    DivisionByZero,
    NothingExecuted,
    Guard,
    Backend,
    BlockCheck,
    NoSuchCall,
    Bench,
    Board,
    Screenshot,
    Snapshot,
    TooManyCases,
    NotProved,
}

#[derive(Debug, Clone, Serialize)]
pub struct Failure {
    pub reason: Reason,
    pub message: String,
    /// Both values of a failed comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
    /// Dumps and boards, line by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub detail: Vec<String>,
    /// The assertion's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The statement as written.
    pub statement: String,
    #[serde(flatten)]
    pub location: Location,
    /// The calls of procedures that led to the statement, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub procedures: Vec<CallPlace>,
    /// Where the program stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<CodePlace>,
    /// The last calls the program made, newest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// The values of a property's variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The fault is in the suite's addresses or values: exit code 3.
    pub is_range_error: bool,
}

/// A call of a procedure in the test's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallPlace {
    /// The call as written.
    pub statement: String,
    #[serde(flatten)]
    pub location: Location,
}

impl std::fmt::Display for CallPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}  {}", self.location, self.statement)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Values {
    pub left_text: String,
    pub left: i64,
    pub operator: String,
    pub right: i64,
}

/// A place in the program under test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodePlace {
    pub address: u16,
    /// `label` or `label+offset`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// `file:line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

impl std::fmt::Display for CodePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "${:04X}", self.address)?;
        if let Some(label) = &self.label {
            write!(f, " {label}")?;
        }
        if let Some(source) = &self.source {
            write!(f, " ({source})")?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct SuiteReport {
    pub suite: usize,
    pub name: String,
    pub file: String,
    pub counts: Counts,
    pub cycles: u64,
    pub seconds: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    pub filtered: usize,
    pub not_run: usize,
}

impl Counts {
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Skipped => self.skipped += 1,
            Outcome::Filtered => self.filtered += 1,
            Outcome::NotRun => self.not_run += 1,
        }
    }

    pub fn total(&self) -> usize {
        self.passed + self.failed + self.skipped + self.filtered + self.not_run
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.filtered += other.filtered;
        self.not_run += other.not_run;
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Totals {
    pub counts: Counts,
    pub suites: usize,
    pub suites_passed: usize,
    pub cycles: u64,
    pub seconds: f64,
    /// A fault of the suites' own addresses or values was found while running: exit code 3.
    pub range_errors: bool,
    pub seed: u64,
    /// Of the properties.
    #[serde(skip_serializing_if = "Verdicts::is_empty")]
    pub verdicts: Verdicts,
}

/// Executed lines of one suite's program.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CoverageReport {
    pub suite: usize,
    pub files: Vec<FileCoverage>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct FileCoverage {
    pub path: String,
    pub lines: Vec<LineCoverage>,
    /// Routines that the program calls, by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionCoverage>,
    /// The file's text, for reports that show it.
    #[serde(skip)]
    pub text: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LineCoverage {
    pub line: u32,
    pub hits: u64,
    /// For each branch instruction of the line, by column: taken, not taken.
    pub branches: Vec<(u32, u64, u64)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FunctionCoverage {
    pub name: String,
    pub line: u32,
    pub hits: u64,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct ProfileReport {
    pub suite: usize,
    /// Call paths from the outermost routine on, and the cycles spent in the last one itself.
    pub stacks: Vec<(Vec<String>, u64)>,
}

/// The cycles that the tests of a suite spent, address by address.
#[derive(Debug, Clone)]
pub struct MeterReport {
    pub suite: usize,
    pub cpu: tempo_isa::Cpu,
    /// One for each program; a suite may load several.
    pub parts: Vec<(Arc<Surroundings>, Meter)>,
}
