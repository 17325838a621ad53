//! The checking pass: walks a file's entries in order, finds every name, file and constant, and makes the plan.
//! It reports and goes on, so that one run shows all faults; it runs no test.

mod computer;
mod entries;
mod layouts;
mod procedures;
mod resolve;
mod table;

pub(crate) use computer::no_control_port;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use tempo_assembler::Cancel;

use crate::assemble::Assembled;
use crate::ast;
use crate::diag::Diagnostic;
use crate::files::Files;
use crate::names::Names;
use crate::parse::Dialect;
use crate::plan::{Expr, FilePlan, Guards, SuitePlan, Surroundings, Value, Variable};
use crate::source::{Source, Span};

/// Choices of the user that change what a suite means.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckOptions {
    pub dialect: Dialect,
    /// An unsuffixed sum left of a comparison reads memory, as before version 3.4.3 of sim6502.
    pub legacy_sum_reads: bool,
    /// Pictures are taken anew, so they need not be there.
    pub update: bool,
}

/// Results of the check: the plan, which is not run if there are errors.
#[derive(Debug, Clone)]
pub struct Checked {
    pub plan: FilePlan,
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Programs assembled in this run, by source and defines: suites that share one assemble it once.
#[derive(Default)]
pub struct AssemblyCache {
    /// Programs keep what debuggers ask ([`Assembled::output`]).
    pub analysis: bool,
    /// The definitions for every program, in front of the defines of its suite.
    pub defines: Vec<String>,
    /// Ends the assembler early.
    pub cancel: Cancel,
    programs: Mutex<HashMap<(String, Vec<String>), Built>>,
}

/// A program, or what is wrong with its source; shared by the suites that ask for it.
type Built = Arc<Result<Assembled, Vec<String>>>;

impl AssemblyCache {
    /// The program, assembled now if it was not before.
    pub fn get(
        &self,
        path: &str,
        defines: &[String],
        make: impl FnOnce() -> Result<Assembled, Vec<String>>,
    ) -> Built {
        let key = (path.to_string(), defines.to_vec());
        let mut programs = self.programs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        programs.entry(key).or_insert_with(|| Arc::new(make())).clone()
    }

    /// All programs so far.
    pub fn all(&self) -> Vec<Arc<Result<Assembled, Vec<String>>>> {
        let programs = self.programs.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        programs.values().cloned().collect()
    }
}

/// Checks a parsed file and plans its tests.
pub fn check(
    source: &Arc<Source>,
    file: &ast::File,
    options: CheckOptions,
    files: &dyn Files,
    cache: &AssemblyCache,
) -> Checked {
    let mut checker = Checker {
        source,
        options,
        files,
        cache,
        diagnostics: Vec::new(),
        names: Arc::new(Names::default()),
        defines: Arc::default(),
        layouts: Arc::default(),
        default_layout: None,
        reported: HashSet::new(),
        locals: Vec::new(),
        slots: 0,
        procedures: HashMap::new(),
        calls: Vec::new(),
        called_steps: 0,
        is_declaring: false,
        is_setup: false,
        open_locals: false,
        rows: Vec::new(),
        place: Surroundings::default(),
        guards: Guards::default(),
        machine: tempo_emu::System::default(),
        includes: Vec::new(),
        declared: HashMap::new(),
        setup_at: None,
        is_incomplete: false,
        lacks_labels: false,
    };
    let suites: Vec<SuitePlan> = file.suites.iter().map(|suite| checker.check_suite(suite)).collect();
    let mut diagnostics = checker.diagnostics;
    diagnostics.sort_by_key(|d| d.span.map(|span| span.start));
    // A file that several suites include is checked for each of them.
    diagnostics.dedup_by(|one, other| one.span == other.span && one.message == other.message);
    Checked { plan: FilePlan { source: source.clone(), suites }, diagnostics }
}

pub(crate) struct Checker<'a> {
    source: &'a Source,
    options: CheckOptions,
    files: &'a dyn Files,
    cache: &'a AssemblyCache,
    diagnostics: Vec<Diagnostic>,
    /// Names stay visible in later suites of the file until they are replaced.
    names: Arc<Names>,
    /// Shared with the procedures that were declared when they were the same; so are the layouts.
    defines: Arc<HashMap<String, i64>>,
    layouts: Arc<HashMap<String, Arc<crate::layout::Layout>>>,
    /// The layout used when none is named.
    default_layout: Option<String>,
    /// Unknown names already reported in this suite.
    reported: HashSet<String>,
    /// Variables of `each` and `forall`, or parameters, around the current place.
    locals: Vec<Local>,
    /// Variables that are bound when the current place runs: those of `locals`, and of the calls that lead here.
    slots: u32,
    /// The suite's procedures so far.
    procedures: HashMap<String, Arc<procedures::Procedure>>,
    /// Calls of procedures around the current place, outermost first.
    calls: Vec<Span>,
    /// Statements that calls have added to the current test.
    called_steps: usize,
    /// The statements of a procedure are looked at for the first time: its parameters have no values.
    is_declaring: bool,
    /// The current statements are those of a setup.
    is_setup: bool,
    /// The names of a table could not be read, so any name may be one.
    open_locals: bool,
    /// The rows of the table around the current place, by the first of `locals`.
    rows: Vec<Vec<Value>>,
    place: Surroundings,
    guards: Guards,
    machine: tempo_emu::System,
    /// The `include` lines around the current one, outermost first.
    includes: Vec<Span>,
    /// Where this suite's defines and layouts were declared, by `define name` and `layout name`.
    declared: HashMap<String, Span>,
    /// Where the setup in force stands.
    setup_at: Option<Span>,
    /// An included file could not be read, so any name may be one of its names.
    is_incomplete: bool,
    /// A program or symbol file could not be read, so any label may be one of its labels.
    lacks_labels: bool,
}

/// A name bound around the current place.
#[derive(Debug, Clone)]
struct Local {
    name: String,
    meaning: Meaning,
}

/// The meaning of a bound name.
#[derive(Debug, Clone)]
enum Meaning {
    /// A variable, by its place among those bound when it runs.
    Slot(Variable),
    /// A parameter whose argument is a constant or a variable, and a constant as the call writes it.
    Argument(Box<Expr>, Option<String>),
}

impl Checker<'_> {
    fn report(&mut self, mut diagnostic: Diagnostic) {
        for call in self.calls.iter().rev() {
            diagnostic.notes.push(format!("called at {}", self.source.location(*call)));
        }
        for include in self.includes.iter().rev() {
            diagnostic.notes.push(format!("included at {}", self.source.location(*include)));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether two places are in different files.
    fn is_elsewhere(&self, one: Span, other: Span) -> bool {
        self.source.file_at(one.start).1 != self.source.file_at(other.start).1
    }
}
