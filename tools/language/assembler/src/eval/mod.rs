//! Execution of the tree, pass after pass, until nothing is unknown any more.
//!
//! **What is known never changes:** sizes are fixed in the first pass, so a later pass runs through the same
//! statements in the same order and only fills in what the one before could not know. Scopes and decisions are
//! therefore found again by counting.

mod assignment;
mod budget;
mod calls;
mod changes;
mod code;
mod conditions;
mod console;
mod data;
mod encodings;
mod expressions;
mod fixups;
mod frames;
mod instructions;
mod members;
mod memo;
mod methods;
mod modify;
mod numbers;
mod operators;
mod parameters;
mod scripts;
mod segments;
mod settled;
mod statements;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use tempo_formats::encoding::Encoding;
use tempo_formats::picture::{Picture, PictureError};

use crate::codes::Code;
use crate::crunch::{Crunched, Job};
use crate::files::{FileError, Files, Loaded};
use crate::hash::NumberMap;
use crate::intern::Name;
use crate::layout::memory::{Memory, Piece};
use crate::library::{LibraryError, Random};
use crate::lint::{self, Cut};
use crate::options::{Cancel, Errors, Limits, Options};
use crate::report::{Call, Fault, Report};
use crate::source::Sources;
use crate::tree::*;
use crate::values::{Birth, ConversionError, Invalid, InvalidKind, Table, Text, Value};
use tempo_diagnostics::{FrameKind, Span};

use budget::Budget;
use code::Code as Compiled;
use encodings::Decision;
use frames::Frames;
use memo::{Marks, Memo};
pub(crate) use modify::unknown_plugins;
pub(crate) use operators::arithmetic;
use scripts::Scripts;
pub(crate) use segments::{Half, Request};
use settled::FirstKnown;
pub(crate) use settled::{Expansion, LabelEntry, Made, ROOT_EXPANSION, Settled, Watch};
use statements::Open;

/// A result of evaluation. The error is complete: place and calls are in it.
pub(crate) type Eval<T> = Result<T, Box<Report>>;

/// The state of execution. Only `eval` and the functions of the library see it; what comes out is a [`Settled`].
pub(crate) struct Evaluator<'a> {
    pub tree: &'a Tree,
    code: Compiled,
    pub options: &'a Options,
    sources: &'a Sources,
    data: DataFiles<'a>,
    command_line: Value,
    templates: Vec<Rc<Text>>,
    member_index: NumberMap<ScopeId, NumberMap<Name, SymbolId>>,

    // Kept from pass to pass.
    pass: u32,
    frames: Frames,
    /// How each instruction is encoded, in the order of execution; made in the first pass, read in the others.
    decisions: Vec<Decision>,
    /// When labels, break points and watches were first known.
    first_labels: FirstKnown,
    first_breakpoints: FirstKnown,
    first_watchpoints: FirstKnown,
    /// Calls that changed a list made by another statement with something unknown.
    unlocked: HashSet<ExprId>,
    /// Lines of `.printnow`, which prints in every pass.
    printed_now: Vec<String>,
    /// How many each pass has printed, those that only Kick Assembler takes included.
    printed_counts: Vec<usize>,
    /// The memory of the pass before.
    previous: Option<Memory>,
    /// Where its segments start by their sizes.
    starts: Vec<Option<i64>>,
    faults: Faults,
    memo: Memo,
    scripts: Scripts,
    marks: Marks,

    // Started anew by every pass.
    made: Made,
    progress: Progress,
    budget: Budget,
    pub random: Random,
    encoding: Encoding,
    next_decision: usize,
    /// Bytes of the first pass that wait for labels.
    fixups: Vec<fixups::Fixup>,
    /// Those of them that are sums.
    sums: Vec<fixups::Sum>,
    /// Number of the statement in the order of execution.
    step: u64,

    // Where execution is.
    calls: Vec<Call>,
    /// The innermost expansion, if they are collected.
    expansion: u32,
    /// How many functions (or `.define`s) are being executed.
    functions: u32,
    returned: Value,
    /// The last `.return` that was executed.
    returned_at: StmtId,
    /// The error of the statement that failed.
    failure: Option<Box<Report>>,
    in_pseudo_pc: bool,
    /// The value of an expression that should be a number or a condition and is neither.
    other: Eval<Value>,
    /// The loops, branches and blocks around the statement being executed, and where the innermost body ends.
    open: Vec<Open>,
    limit: StmtId,
    /// Bytes of the statement being executed.
    scratch: Vec<u8>,
    /// Whether warnings were asked for.
    warns: bool,
    keeps_expansions: bool,
    /// The plugins of the program.
    plugins: Vec<&'static crate::dialect::Plugin>,
    /// How many bodies of `.modify` are being executed.
    bodies: u32,
    /// The rest of the program, if it is packed.
    file_modify: Option<(modify::FileModify, Job)>,
    /// Packed data, kept for later passes.
    crunched: Vec<(Job, Vec<Piece>, Rc<Crunched>)>,
}

/// Which macro calls and iterations are noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expansions {
    /// All, if analysis was asked for.
    AsAsked,
    /// All.
    Kept,
}

/// Loops and calls look this often whether the run was cancelled.
const CANCEL_TURNS: u64 = 64;

/// Data files that the source loads. Each is read once.
struct DataFiles<'a> {
    files: &'a dyn Files,
    /// By name and number of the referring source.
    loaded: HashMap<(String, u32), Loaded>,
    bytes: u64,
    /// Decoded pictures by the identity of their files: each is decoded once.
    pictures: HashMap<String, Rc<Picture>>,
    /// Bytes that their pixels occupy.
    picture_bytes: u64,
}

/// How much of the pass is resolved.
#[derive(Default)]
struct Progress {
    /// Values that were needed and not known.
    unresolved: u64,
    resolved_labels: u64,
    first_unresolved: Option<Box<Report>>,
    /// The first statement of the pass whose size is not known; no label after it has an address.
    first_unsized: Option<Unsized>,
}

/// A statement whose size waits for something.
struct Unsized {
    stmt: StmtId,
    /// The expression that it waits for; `NONE` if there is none.
    origin: ExprId,
    /// The innermost macro or command it is in.
    call: Option<Call>,
}

/// The errors of the run.
#[derive(Default)]
struct Faults {
    reports: Vec<Report>,
    /// The reports so far: place and message.
    seen: HashSet<(Option<Span>, String)>,
    /// An error left out bytes, so addresses after it are not what they would be.
    has_shifted: bool,
}

/// Runs the program until nothing moves.
pub(crate) fn settle(
    tree: &Tree,
    sources: &Sources,
    files: &dyn Files,
    options: &Options,
    expansions: Expansions,
    stack: usize,
) -> Settled {
    let mut evaluator = Evaluator::new(tree, sources, files, options, stack);
    evaluator.keeps_expansions |= expansions == Expansions::Kept;
    evaluator.run_passes();
    Settled {
        made: evaluator.made,
        passes: evaluator.pass,
        kick_passes: evaluator.printed_counts.len() as u32,
        printed_now: evaluator.printed_counts,
        reports: evaluator.faults.reports,
        ran_out_of_stack: evaluator.budget.ran_out_of_stack(),
        values: evaluator.frames,
    }
}

impl<'a> Evaluator<'a> {
    fn new(
        tree: &'a Tree,
        sources: &'a Sources,
        files: &'a dyn Files,
        options: &'a Options,
        stack: usize,
    ) -> Evaluator<'a> {
        let table = Table::default();
        for (name, value) in &options.variables {
            table.put(name, Value::text(value));
        }
        Evaluator {
            tree,
            code: Compiled::of(tree),
            options,
            sources,
            data: DataFiles {
                files,
                loaded: HashMap::new(),
                bytes: 0,
                pictures: HashMap::new(),
                picture_bytes: 0,
            },
            command_line: Value::Table(Rc::new(table)),
            templates: crate::library::constants::templates().map(|text| Rc::new(Text::new(text))).collect(),
            member_index: NumberMap::default(),
            pass: 0,
            frames: Frames::new(tree),
            decisions: Vec::with_capacity(tree.stmts.len()),
            first_labels: FirstKnown::default(),
            first_breakpoints: FirstKnown::default(),
            first_watchpoints: FirstKnown::default(),
            unlocked: HashSet::new(),
            printed_now: Vec::new(),
            printed_counts: Vec::new(),
            previous: None,
            starts: Vec::new(),
            faults: Faults::default(),
            memo: Memo::default(),
            scripts: Scripts::default(),
            marks: Marks::default(),
            made: Made::default(),
            progress: Progress::default(),
            budget: Budget::new(stack),
            random: Random::new(options.seed),
            encoding: Encoding::ScreencodeMixed,
            next_decision: 0,
            fixups: Vec::with_capacity(tree.stmts.len() / 4),
            sums: Vec::new(),
            step: 0,
            calls: Vec::new(),
            expansion: ROOT_EXPANSION,
            functions: 0,
            returned: Value::Null,
            returned_at: StmtId::FIRST,
            failure: None,
            in_pseudo_pc: false,
            other: Ok(Value::Null),
            open: Vec::new(),
            limit: StmtId::FIRST,
            scratch: Vec::new(),
            warns: options.lints.any(),
            keeps_expansions: options.analysis,
            plugins: modify::plugins(tree),
            bodies: 0,
            file_modify: None,
            crunched: Vec::new(),
        }
    }

    fn run_passes(&mut self) {
        let mut last = (u64::MAX, 0);
        loop {
            self.start_pass();
            if let Err(report) = self.run(StmtId::FIRST, self.tree.stmts.next_id()) {
                self.report(*report);
            }
            let printed = self.printed_now.len() - self.printed_counts.iter().sum::<usize>();
            self.printed_counts.push(printed);
            self.end_pass();
            let open = self.fixups.len() as u64;
            if open > 0 && self.faults.reports.is_empty() && self.progress.unresolved == 0 {
                self.count_another_pass(printed);
            }
            if self.faults.reports.is_empty()
                && self.progress.unresolved == 0
                && let Err(report) = self.apply_fixups()
            {
                self.report(*report);
            }
            self.fixups.clear();
            self.sums.clear();
            if !self.faults.reports.is_empty() || self.progress.unresolved == 0 {
                return;
            }
            let state = (self.progress.unresolved.max(open), self.progress.resolved_labels);
            let is_stuck = state.0 >= last.0 && state.1 <= last.1;
            last = state;
            if is_stuck {
                if let Some(report) = self.progress.first_unresolved.take() {
                    let report = self.explain_unresolved(*report);
                    self.report(report);
                }
                return;
            }
            if self.pass >= self.options.limits.passes {
                let message = format!("Not everything is resolved after {} passes", self.pass);
                let help = Limits::raised("passes", self.pass.into());
                self.report(Report::error(Code::TooManyPasses, None, message).with_help(help));
                return;
            }
        }
    }

    /// Operands that wait for labels are filled in after a pass. Kick Assembler takes another one, which prints again.
    fn count_another_pass(&mut self, printed: usize) {
        let end: usize = self.printed_counts.iter().sum();
        let again = self.made.console[end - printed..end].to_vec();
        self.made.console.splice(end..end, again);
        self.printed_counts.push(printed);
    }

    fn start_pass(&mut self) {
        self.pass += 1;
        self.frames.restart(self.tree);
        self.memo.restart();
        self.scripts.restart();
        for first in [&mut self.first_labels, &mut self.first_breakpoints, &mut self.first_watchpoints] {
            first.restart();
        }
        let mut memory = Memory::new(
            self.options.source_map || self.options.analysis || self.warns,
            self.options.limits.output_bytes,
        );
        let old = std::mem::take(&mut self.made);
        if self.pass > 1 {
            memory.reserve_like(&old.memory);
            self.starts = old.memory.starts();
            self.previous = Some(old.memory);
        } else {
            // An instruction has two or three bytes, and what is not used is never touched.
            memory.reserve(self.tree.stmts.len());
        }
        self.made.memory = memory;
        self.progress = Progress::default();
        self.budget.restart(self.options.limits.iterations.saturating_mul(10));
        self.random = Random::new(self.options.seed);
        self.encoding = Encoding::ScreencodeMixed;
        self.next_decision = 0;
        self.step = 0;
        self.calls.clear();
        self.expansion = ROOT_EXPANSION;
        self.functions = 0;
        self.in_pseudo_pc = false;
        self.bodies = 0;
    }

    fn end_pass(&mut self) {
        self.end_file_modify();
        self.made.memory.suspend();
        self.check_segment_starts();
        let mut console = std::mem::take(&mut self.printed_now);
        let has_failed = !self.faults.reports.is_empty();
        if !has_failed && self.progress.unresolved > 0 {
            self.printed_now = console;
            return;
        }
        // What `.print` says belongs to Kick Assembler's output pass, which a failed run does not reach.
        if !has_failed || self.options.errors == Errors::Many {
            console.append(&mut self.made.console);
        }
        self.made.console = console;
    }

    /// Stops before the stack ends; how deep expressions and bodies may nest depends on what they are.
    #[inline]
    fn check_stack(&self, span: Span) -> Eval<()> {
        if self.budget.has_stack() { Ok(()) } else { Err(self.stack_ends(span)) }
    }

    #[cold]
    fn stack_ends(&self, span: Span) -> Box<Report> {
        let mut report = self.error(Code::CallsTooDeep, span, "Expressions and calls are nested too deeply");
        report.calls.truncate(10);
        report.help = Some("--max-depth allows more, and gives more stack for it".to_owned());
        report
    }

    /// Counts an iteration or a call: loops in loops and functions that call themselves twice have to end as well.
    #[inline]
    fn take_turn(&mut self, span: Span) -> Eval<()> {
        self.budget.turns += 1;
        let is_usual = self.budget.turns < self.budget.next_look;
        if is_usual && self.budget.is_quiet(self.frames.kept_len()) { Ok(()) } else { self.look(span) }
    }

    /// Looks whether the run may go on.
    #[inline(never)]
    fn look(&mut self, span: Span) -> Eval<()> {
        let limit = self.options.limits.iterations.saturating_mul(10);
        if self.budget.turns > limit {
            return Err(self.too_many_turns(span, limit));
        }
        if self.budget.turns >= self.budget.next_look {
            self.budget.next_look =
                self.budget.turns.saturating_add(CANCEL_TURNS).min(limit.saturating_add(1));
            self.check_cancelled(span)?;
        }
        self.check_limits(span)
    }

    #[cold]
    fn too_many_turns(&self, span: Span, limit: u64) -> Box<Report> {
        let message = format!("Loops and calls went round more than {limit} times in all");
        let mut report = self.error(Code::TooManyIterations, span, message);
        report.calls.truncate(10);
        report.help = Some(
            "does something grow without an end? --max-loop raises the limit, which is a tenth of this"
                .to_owned(),
        );
        report
    }

    /// Stops if the caller cancelled the run.
    #[cold]
    fn check_cancelled(&self, span: Span) -> Eval<()> {
        if !self.options.cancel.is_cancelled() {
            return Ok(());
        }
        let mut report = self.error(Code::Cancelled, span, Cancel::MESSAGE);
        report.calls.clear();
        Err(report)
    }

    #[cold]
    fn moved_too_much(&self, span: Span) -> Box<Report> {
        let limit = self.options.limits.moved_bytes;
        let message = format!("Strings, lists and hashtables were copied more than {limit} bytes in all");
        let mut report = self.error(Code::TooMuchWork, span, message);
        report.calls.truncate(10);
        let raised = Limits::raised("moved", limit);
        report.help = Some(format!("is a long string or list copied or shifted again and again? {raised}"));
        report
    }

    /// Limits the memory of everything that a run keeps, and the bytes moved for it.
    #[inline]
    fn check_growth(&self, span: Span) -> Eval<()> {
        if self.budget.is_quiet(self.frames.kept_len()) { Ok(()) } else { self.check_limits(span) }
    }

    #[inline(never)]
    fn check_limits(&self, span: Span) -> Eval<()> {
        let kept = self.frames.kept_len() + self.made.kept_len();
        let limit = self.options.limits.memory;
        if self.budget.used(kept).saturating_add(self.data.picture_bytes) <= limit {
            return if self.budget.moved() <= self.options.limits.moved_bytes {
                Ok(())
            } else {
                Err(self.moved_too_much(span))
            };
        }
        let mut report = self.error(
            Code::TooMuchMemory,
            span,
            format!("Values and messages take more than {limit} bytes"),
        );
        report.calls.truncate(10);
        let raised = Limits::raised("memory", limit);
        report.help = Some(format!("does a list, a string or a macro grow without an end? {raised}"));
        Err(report)
    }

    fn is_first_pass(&self) -> bool {
        self.pass == 1
    }

    // --- errors

    /// Takes an error, unless the same was reported already.
    pub fn report(&mut self, report: Report) {
        // A branch that is too far has its size nevertheless.
        self.faults.has_shifted |= report.code != Code::BranchTooFar;
        if self.faults.seen.insert((report.span, report.message.clone())) {
            self.faults.reports.push(report);
        }
    }

    /// An error at a place, with the calls that lead there.
    fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Box<Report> {
        let mut report = Report::error(code, span, message);
        report.calls = self.calls.iter().rev().copied().collect();
        Box::new(report)
    }

    /// An error with its facts.
    fn fault(&self, fault: Fault, span: Span) -> Box<Report> {
        let mut report = Report::fault(fault, span, &self.tree.names);
        report.calls = self.calls.iter().rev().copied().collect();
        Box::new(report)
    }

    fn fail<T>(&self, code: Code, span: Span, message: impl Into<String>) -> Eval<T> {
        Err(self.error(code, span, message))
    }

    /// Why a file could not be read, and where it was looked for.
    fn not_read(&self, name: &str, span: Span, error: &FileError) -> String {
        let folders = match error {
            FileError::NotFound => {
                self.data.files.searched(name, Some(self.sources.path(self.sources.file_of(span))))
            }
            _ => Vec::new(),
        };
        match folders.is_empty() {
            true => error.to_string(),
            false => format!("{error}; searched in: {}", folders.join(", ")),
        }
    }

    /// An error inside a built-in function, method or operator, which counts as a call.
    fn library_error(&self, span: Span, name: Name, error: LibraryError) -> Box<Report> {
        let code = match &error {
            LibraryError::Conversion(error) => {
                let mut report = self.conversion(span, *error);
                report.calls.insert(0, Call { kind: FrameKind::BuiltIn, name, span });
                return report;
            }
            LibraryError::UnknownMethod(_) => Code::UnknownMethod,
            LibraryError::MethodArity(_) => Code::MethodArguments,
            LibraryError::AcrossPasses(_) => Code::AcrossPasses,
            LibraryError::Locked => Code::Locked,
            LibraryError::CannotOpen(_) | LibraryError::CannotLocate(_) | LibraryError::BadFile { .. } => {
                Code::DataFile
            }
            LibraryError::TooLarge { .. } => Code::TooMuchMemory,
            LibraryError::OutsideOutput(_) => Code::OutsideOutput,
            _ => Code::LibraryError,
        };
        let mut report = self.error(code, span, error.to_string());
        if !matches!(error, LibraryError::UnknownMethod(_) | LibraryError::MethodArity(_)) {
            report.calls.insert(0, Call { kind: FrameKind::BuiltIn, name, span });
        }
        match error {
            LibraryError::OutsideOutput(_) => self.outside_output(report, span),
            LibraryError::ListIndex(_, size) => {
                report.label = Some(extent("list", "element", size));
                report
            }
            LibraryError::TextIndex(_, size) => {
                report.label = Some(extent("text", "character", size));
                report
            }
            LibraryError::CannotOpen(name) | LibraryError::CannotLocate(name) => {
                let from = self.sources.path(self.sources.file_of(span));
                if let Err(error) = self.data.files.read(&name, Some(from)) {
                    report.notes.push(self.not_read(&name, span, &error));
                }
                report
            }
            LibraryError::TooLarge { limit, .. } => {
                report.help = Some(Limits::raised("value", limit));
                report
            }
            _ => report,
        }
    }

    /// Kick Assembler gives no place for a file outside of the output directory; a note names the line.
    fn outside_output(&self, mut report: Box<Report>, span: Span) -> Box<Report> {
        report.span = None;
        report.notes.push(format!("it is named at line {}", self.sources.position(span).line));
        report.help = Some("--allow-outside allows files outside of the output directory".to_owned());
        report
    }

    fn conversion(&self, span: Span, error: ConversionError) -> Box<Report> {
        self.fault(Fault::Conversion(error), span)
    }

    /// Notes that something is not known yet.
    fn unresolved(&mut self, invalid: Invalid, fallback: Span) {
        self.marks.unknown();
        if invalid.is_poison {
            return;
        }
        self.progress.unresolved += 1;
        if self.progress.first_unresolved.is_none() {
            let span = match invalid.origin {
                ExprId::NONE => fallback,
                origin => self.tree.expr_spans[origin],
            };
            self.progress.first_unresolved =
                Some(self.error(Code::Unresolved, span, "Value can't be resolved"));
        }
    }

    /// A statement whose size is not known: nothing after it has an address.
    fn lose_size(&mut self, stmt: StmtId, invalid: Invalid) {
        self.made.memory.lose_size();
        if self.progress.first_unsized.is_none() && !invalid.is_poison {
            let call = self.calls.last().copied();
            self.progress.first_unsized = Some(Unsized { stmt, origin: invalid.origin, call });
        }
    }

    /// Says why labels have no address, when a statement before them has no size.
    fn explain_unresolved(&self, mut report: Report) -> Report {
        let Some(Unsized { stmt, origin, call }) = &self.progress.first_unsized else { return report };
        let word = |span: Span| self.sources.text_of(span);
        let what = word(self.tree.stmt_spans[*stmt]);
        let needs = match *origin {
            ExprId::NONE => String::new(),
            origin => format!(", which needs '{}'", word(self.tree.expr_spans[origin])),
        };
        let whose = call.map(|call| format!(" in {}", self.tree.name(call.name))).unwrap_or_default();
        report.notes.push(format!(
            "labels after the {what}{whose} have no address before its length is known{needs}"
        ));
        report.help = Some(match call.map(|call| self.tree.name(call.name)) {
            Some("BasicUpstart") => {
                "start a block before the label, as in `*=$0810`, or use BasicUpstart2, which does".to_owned()
            }
            _ => "start a block with a known address, as in `*=$1000`, between the two".to_owned(),
        });
        report
    }

    /// Warns about a value that loses bits where it is put.
    #[cold]
    fn warn_cut(&mut self, at: StmtId, expr: ExprId, bits: i64, cut: Cut) {
        if !self.made.cut.insert((expr, cut)) {
            return;
        }
        if let Some(mut report) = lint::cut_off(self.tree, self.sources, at, expr, bits, cut) {
            report.calls = self.calls.iter().rev().copied().collect();
            self.made.warnings.push(report);
        }
    }

    // --- services for the library

    /// Warns about a data file, once for each call that reads it.
    pub fn warn_of_file(&mut self, span: Span, message: &str) {
        let is_known =
            self.made.warnings.iter().any(|known| known.span == Some(span) && known.message == message);
        if self.options.lints.is_on(Code::DataLeftOver) && !is_known {
            self.made.warnings.push(Report::warning(Code::DataLeftOver, span, message));
        }
    }

    /// Notes that an expression waits for something.
    pub fn note_unresolved(&mut self, invalid: Invalid, at: ExprId) {
        self.unresolved(invalid, self.tree.expr_spans[at]);
    }

    pub fn birth(&self, at: ExprId) -> Birth {
        Birth { step: self.step, span: self.tree.expr_spans[at] }
    }

    /// A list made by another statement must not be changed with something unknown.
    pub fn check_passes(
        &mut self,
        at: ExprId,
        birth: Birth,
        arguments: &[Value],
    ) -> Result<(), LibraryError> {
        if birth.step == self.step {
            return Ok(());
        }
        if self.pass == 1 {
            if arguments
                .iter()
                .any(|argument| argument.find_invalid().is_some_and(|invalid| !invalid.is_poison))
            {
                self.unlocked.insert(at);
            }
        } else if self.unlocked.contains(&at) {
            let path = self.path_at(birth.span);
            let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let line = self.sources.position(birth.span).line;
            return Err(LibraryError::AcrossPasses(format!("{file}:{line}")));
        }
        Ok(())
    }

    pub fn text_of(&self, value: &Value) -> Result<Rc<Text>, ConversionError> {
        if value.is_container() {
            self.marks.shared();
            if value.find_invalid().is_some() {
                self.marks.unknown();
            }
        }
        value.to_text(&|definition| self.tree.name(self.tree.structs[definition as usize].name).to_owned())
    }

    /// Shows the string form of a value.
    pub fn with_text<T>(&self, value: &Value, show: impl FnOnce(&str) -> T) -> Result<T, ConversionError> {
        Ok(match value {
            Value::Number(number) | Value::Label(_, _, number) => {
                tempo_formats::number::with_text(*number, show)
            }
            Value::Text(text) => show(text.as_str()),
            _ => show(self.text_of(value)?.as_str()),
        })
    }

    pub fn char_value(&self, c: char) -> Value {
        Value::Char(c, self.encoding.encode(c))
    }

    /// Reads a file a source refers to.
    pub fn load(&mut self, name: &str, from: Span) -> Result<Loaded, FileError> {
        let importer = self.sources.file_of(from);
        let key = (name.to_owned(), importer);
        if let Some(loaded) = self.data.loaded.get(&key) {
            return Ok(loaded.clone());
        }
        let limit = self.options.limits.source_bytes;
        if self.data.bytes > limit {
            let raised = Limits::raised("source", limit);
            return Err(FileError::Unreadable(format!(
                "the files together have more than {limit} bytes; {raised}"
            )));
        }
        let loaded = self.data.files.read(name, Some(self.sources.path(importer)))?;
        self.data.bytes += loaded.bytes.len() as u64;
        self.data.loaded.insert(key, loaded.clone());
        Ok(loaded)
    }

    /// The pixels of a file. They count for the limit of memory, and a header that asks for more is refused before
    /// anything is decoded.
    pub fn picture(&mut self, file: &Loaded) -> Result<Rc<Picture>, PictureError> {
        // A decoder needs its own bytes beside the four of the pixel.
        const PIXEL: u64 = 8;
        let key = file.identity.as_ref().unwrap_or(&file.path);
        if let Some(known) = self.data.pictures.get(key) {
            return Ok(known.clone());
        }
        let left = self.options.limits.memory.saturating_sub(self.data.picture_bytes);
        let picture = Rc::new(tempo_formats::picture::decode_within(&file.bytes, left / PIXEL)?);
        self.data.picture_bytes += 4 * picture.pixels.len() as u64;
        self.data.pictures.insert(key.clone(), picture.clone());
        Ok(picture)
    }

    pub fn path_at(&self, span: Span) -> &str {
        self.sources.path(self.sources.file_of(span))
    }

    pub fn create_file(&mut self, name: &str) -> u32 {
        // A name used before goes on with the same file.
        let known = self.made.created.iter().position(|(other, _)| other == name);
        let index = known.unwrap_or_else(|| {
            self.made.created.push((name.to_owned(), String::new()));
            self.made.created.len() - 1
        });
        index as u32
    }

    pub fn write_line(&mut self, file: u32, line: &str) {
        if let Some((_, content)) = self.made.created.get_mut(file as usize) {
            self.budget.wrote(line.len() as u64 + 1);
            content.push_str(line);
            content.push('\n');
        }
    }
}

/// An unknown number.
fn unknown_number(origin: ExprId) -> Value {
    Value::Invalid(Invalid::new(InvalidKind::Number, origin))
}

fn goes_on(options: &Options) -> bool {
    options.errors == Errors::Many
}

/// The size of a list or text, and its indexes.
fn extent(whole: &str, part: &str, size: usize) -> String {
    match size {
        0 => format!("the {whole} is empty"),
        1 => format!("the {whole} has one {part}, at 0"),
        _ => format!("the {whole} has {size} {part}s, from 0 to {}", size - 1),
    }
}
