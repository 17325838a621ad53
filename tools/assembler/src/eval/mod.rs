//! Execution of the tree, pass after pass, until nothing is unknown any more.
//!
//! **What is known never changes:** sizes are fixed in the first pass, so a later pass runs through the same
//! statements in the same order and only fills in what the one before could not know. Scopes and decisions are
//! therefore found again by counting.

mod calls;
mod console;
mod data;
mod expressions;
mod fixups;
mod frames;
mod instructions;
mod numbers;
mod operators;
mod parameters;
mod segments;
mod statements;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use formats::encoding::Encoding;

use crate::diagnostics::{Call, FrameKind, Report};
use crate::files::{FileError, Files, Loaded};
use crate::intern::Name;
use crate::layout::memory::Memory;
use crate::library::{LibraryError, Random};
use crate::options::{Errors, Options};
use crate::output::AssertCount;
use crate::source::{Pos, Sources};
use crate::tree::*;
use crate::values::live;
use crate::values::{Birth, ConversionError, Invalid, InvalidKind, Table, Text, Value};

use frames::Frames;
use instructions::Decision;
pub(crate) use operators::arithmetic;
pub(crate) use segments::Request;

/// A result of evaluation. The error is complete: place and calls are in it.
pub(crate) type Eval<T> = Result<T, Box<Report>>;

/// A label as it was executed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelEntry {
    pub symbol: SymbolId,
    pub segment: u32,
    pub value: f64,
}

/// A break point or watch as it was executed.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub segment: u32,
    pub start: i64,
    pub end: Option<i64>,
    pub argument: String,
}

/// A statement whose size waits for something.
struct Unsized {
    stmt: StmtId,
    /// What it waits for; `NONE` if that is no expression.
    origin: ExprId,
    /// The innermost macro or command it is in.
    call: Option<Call>,
}

/// The state of execution. Public to the crate for the library's functions.
pub(crate) struct Machine<'a> {
    pub tree: &'a Tree,
    pub options: &'a Options,
    sources: &'a Sources,
    files: &'a dyn Files,
    loaded: HashMap<(String, u32), Loaded>,
    command_line: Value,
    templates: Vec<Rc<Text>>,
    member_index: HashMap<ScopeId, HashMap<Name, SymbolId>>,

    pass: u32,
    frames: Frames,
    /// How each instruction is encoded, in the order of execution; made in the first pass, read in the others.
    decisions: Vec<Decision>,
    next_decision: usize,
    /// Bytes of the first pass that wait for labels.
    fixups: Vec<fixups::Fixup>,
    /// Calls that changed a list made by another statement with something unknown.
    unlocked: HashSet<ExprId>,

    // What a pass starts anew.
    pub memory: Memory,
    previous: Option<Memory>,
    pub random: Random,
    encoding: Encoding,
    pub console: Vec<String>,
    pub asserts: AssertCount,
    pub failed_asserts: Vec<Report>,
    pub labels: Vec<LabelEntry>,
    pub breakpoints: Vec<Watch>,
    pub watchpoints: Vec<Watch>,
    pub created: Vec<(String, String)>,
    pub requests: Vec<Request>,
    /// What is printed in every pass stays.
    printed_now: Vec<String>,

    /// Number of the statement in the order of execution.
    step: u64,
    calls: Vec<Call>,
    /// Where the stack was at the start, and how far it may grow.
    stack: (usize, usize),
    has_no_stack: Cell<bool>,
    /// How many functions (or `.define`s) are being executed.
    functions: u32,
    returned: Value,
    /// Bytes of the statement being executed.
    scratch: Vec<u8>,
    in_pseudo_pc: bool,
    /// Iterations and calls of the pass.
    turns: u64,
    /// Memory of values before the run.
    live_before: u64,
    /// Bytes of console lines and of files written line by line.
    written: u64,
    /// Bytes of data files.
    loaded_bytes: u64,

    /// An error left out bytes, so addresses after it are not what they would be.
    has_shifted: bool,
    unresolved: u64,
    resolved_labels: u64,
    first_unresolved: Option<Box<Report>>,
    /// The first statement of the pass whose size is not known; no label behind it has an address.
    first_unsized: Option<Unsized>,
    pub reports: Vec<Report>,
    /// What was reported already: place and message.
    seen: HashSet<(Option<Pos>, String)>,
    pub warnings: Vec<Report>,
}

/// Runs the program until nothing moves. Errors are in `reports` of the machine that is returned.
pub(crate) fn settle<'a>(
    tree: &'a Tree,
    sources: &'a Sources,
    files: &'a dyn Files,
    options: &'a Options,
    stack: usize,
) -> (Machine<'a>, u32) {
    let mut machine = Machine::new(tree, sources, files, options);
    machine.stack = (stack_address(), stack);
    let mut last = (u64::MAX, 0);
    loop {
        machine.start_pass();
        let stopped = machine.run(0, tree.stmts.len() as StmtId).err();
        if let Some(report) = stopped {
            machine.report(*report);
        }
        machine.end_pass();
        let open = machine.fixups.len() as u64;
        if machine.reports.is_empty()
            && machine.unresolved == 0
            && let Err(report) = machine.apply_fixups()
        {
            machine.report(*report);
        }
        machine.fixups.clear();
        let passes = machine.pass;
        if !machine.reports.is_empty() || machine.unresolved == 0 {
            return (machine, passes);
        }
        let state = (machine.unresolved.max(open), machine.resolved_labels);
        let is_stuck = state.0 >= last.0 && state.1 <= last.1;
        last = state;
        if is_stuck {
            if let Some(report) = machine.first_unresolved.take() {
                let report = machine.explain_unresolved(*report);
                machine.report(report);
            }
            return (machine, passes);
        }
        if passes >= options.limits.passes {
            let message = format!("Not everything is resolved after {passes} passes");
            machine.report(Report::error("E0402", None, message));
            return (machine, passes);
        }
    }
}

impl<'a> Machine<'a> {
    fn new(tree: &'a Tree, sources: &'a Sources, files: &'a dyn Files, options: &'a Options) -> Machine<'a> {
        let table = Table::default();
        for (name, value) in &options.variables {
            table.put(name, Value::text(value));
        }
        let templates = crate::library::constants::TEMPLATES;
        Machine {
            tree,
            options,
            sources,
            files,
            loaded: HashMap::new(),
            command_line: Value::Table(Rc::new(table)),
            templates: templates.iter().map(|(_, text)| Rc::new(Text::new(text))).collect(),
            member_index: HashMap::new(),
            pass: 0,
            frames: Frames::new(tree),
            decisions: Vec::with_capacity(tree.stmts.len()),
            next_decision: 0,
            fixups: Vec::with_capacity(tree.stmts.len() / 4),
            unlocked: HashSet::new(),
            memory: Memory::default(),
            previous: None,
            random: Random::new(options.seed),
            encoding: Encoding::ScreencodeMixed,
            console: Vec::new(),
            asserts: AssertCount::default(),
            failed_asserts: Vec::new(),
            labels: Vec::new(),
            breakpoints: Vec::new(),
            watchpoints: Vec::new(),
            created: Vec::new(),
            requests: Vec::new(),
            printed_now: Vec::new(),
            step: 0,
            calls: Vec::new(),
            stack: (0, 0),
            has_no_stack: Cell::new(false),
            functions: 0,
            returned: Value::Null,
            scratch: Vec::new(),
            in_pseudo_pc: false,
            turns: 0,
            live_before: live::now(),
            written: 0,
            loaded_bytes: 0,
            has_shifted: false,
            unresolved: 0,
            resolved_labels: 0,
            first_unresolved: None,
            first_unsized: None,
            reports: Vec::new(),
            seen: HashSet::new(),
            warnings: Vec::new(),
        }
    }

    fn start_pass(&mut self) {
        self.pass += 1;
        self.frames.restart(self.tree);
        self.next_decision = 0;
        let memory = Memory::new(self.options.source_map, self.options.limits.output_bytes);
        let old = std::mem::replace(&mut self.memory, memory);
        if self.pass > 1 {
            self.memory.reserve_like(&old);
            self.previous = Some(old);
        } else {
            // An instruction has two or three bytes, and what is not used is never touched.
            self.memory.reserve(self.tree.stmts.len() * 3);
        }
        self.random = Random::new(self.options.seed);
        self.encoding = Encoding::ScreencodeMixed;
        self.console.clear();
        self.asserts = AssertCount::default();
        self.failed_asserts.clear();
        self.labels.clear();
        self.breakpoints.clear();
        self.watchpoints.clear();
        self.created.clear();
        self.requests.clear();
        self.warnings.clear();
        self.step = 0;
        self.calls.clear();
        self.functions = 0;
        self.in_pseudo_pc = false;
        self.turns = 0;
        self.written = 0;
        self.unresolved = 0;
        self.resolved_labels = 0;
        self.first_unresolved = None;
        self.first_unsized = None;
    }

    fn end_pass(&mut self) {
        self.memory.suspend();
        self.check_segment_starts();
        let mut console = std::mem::take(&mut self.printed_now);
        if self.reports.is_empty() && self.unresolved > 0 {
            self.printed_now = console;
        } else {
            console.append(&mut self.console);
            self.console = console;
        }
    }

    /// Stops before the stack ends; how deep expressions and bodies may nest depends on what they are.
    #[inline]
    fn check_stack(&self, pos: Pos) -> Eval<()> {
        if stack_address().abs_diff(self.stack.0) < self.stack.1 {
            return Ok(());
        }
        self.has_no_stack.set(true);
        let mut report = self.error("E0901", pos, "Expressions and calls are nested too deeply");
        report.calls.truncate(10);
        Err(report)
    }

    /// Counts an iteration or a call: loops in loops and functions that call themselves twice have to end as well.
    fn take_turn(&mut self, pos: Pos) -> Eval<()> {
        self.turns += 1;
        let limit = self.options.limits.iterations.saturating_mul(10);
        if self.turns > limit {
            let message = format!("Loops and calls went round more than {limit} times in all");
            let mut report = self.error("E0903", pos, message);
            report.calls.truncate(10);
            report.help = Some("does something grow without an end? the limit can be raised".to_owned());
            return Err(report);
        }
        self.check_growth(pos)
    }

    /// What a run keeps must stay within bounds, whatever it is made of.
    fn check_growth(&self, pos: Pos) -> Eval<()> {
        let notes =
            self.warnings.len() + self.requests.len() + self.breakpoints.len() + self.watchpoints.len();
        let kept = self.frames.kept_len() + self.labels.len() + 16 * (notes + self.memory.blocks);
        let limit = self.options.limits.memory;
        if live::since(self.live_before) + self.written + 16 * kept as u64 <= limit {
            return Ok(());
        }
        let mut report =
            self.error("E0902", pos, format!("Values and messages take more than {limit} bytes"));
        report.calls.truncate(10);
        report.help = Some("does a list, a hashtable or a string grow without an end?".to_owned());
        Err(report)
    }

    /// Whether evaluation wanted to go deeper than it may.
    pub fn ran_out_of_stack(&self) -> bool {
        self.has_no_stack.get()
    }

    fn is_first_pass(&self) -> bool {
        self.pass == 1
    }

    // --- errors

    /// Takes an error, unless the same was reported already.
    pub fn report(&mut self, report: Report) {
        // A branch that is too far has its size nevertheless.
        self.has_shifted |= report.code != "E0426";
        if self.seen.insert((report.pos, report.message.clone())) {
            self.reports.push(report);
        }
    }

    /// An error at a place, with the calls that lead there.
    fn error(&self, code: &'static str, pos: Pos, message: impl Into<String>) -> Box<Report> {
        let mut report = Report::error(code, pos, message);
        report.calls = self.calls.iter().rev().copied().collect();
        Box::new(report)
    }

    fn fail<T>(&self, code: &'static str, pos: Pos, message: impl Into<String>) -> Eval<T> {
        Err(self.error(code, pos, message))
    }

    /// An error inside a built-in function, method or operator, which counts as a call.
    fn library_error(&self, pos: Pos, name: Name, error: LibraryError) -> Box<Report> {
        let code = match &error {
            LibraryError::Conversion(_) => "E0410",
            LibraryError::UnknownMethod(_) => "E0411",
            LibraryError::MethodArity(_) => "E0412",
            LibraryError::AcrossPasses(_) => "E0413",
            LibraryError::Locked => "E0414",
            LibraryError::CannotOpen(_) | LibraryError::CannotLocate(_) | LibraryError::BadFile { .. } => {
                "E0415"
            }
            LibraryError::TooLarge { .. } => "E0902",
            LibraryError::OutsideOutput(_) => "E0604",
            _ => "E0416",
        };
        let mut report = self.error(code, pos, error.to_string());
        if !matches!(error, LibraryError::UnknownMethod(_) | LibraryError::MethodArity(_)) {
            report.calls.insert(0, Call { kind: FrameKind::BuiltIn, name, pos });
        }
        report
    }

    fn conversion(&self, pos: Pos, error: ConversionError) -> Box<Report> {
        self.error("E0410", pos, error.to_string())
    }

    /// Notes that something is not known yet.
    fn unresolved(&mut self, invalid: Invalid, fallback: Pos) {
        if invalid.is_poison {
            return;
        }
        self.unresolved += 1;
        if self.first_unresolved.is_none() {
            let pos = match invalid.origin {
                NONE => fallback,
                origin => self.tree.expr_pos[origin as usize],
            };
            self.first_unresolved = Some(self.error("E0401", pos, "Value can't be resolved"));
        }
    }

    /// A statement whose size is not known: nothing behind it has an address.
    fn lose_size(&mut self, stmt: StmtId, invalid: Invalid) {
        self.memory.lose_size();
        if self.first_unsized.is_none() && !invalid.is_poison {
            let call = self.calls.last().copied();
            self.first_unsized = Some(Unsized { stmt, origin: invalid.origin, call });
        }
    }

    /// Says why labels have no address, when a statement before them has no size.
    fn explain_unresolved(&self, mut report: Report) -> Report {
        let Some(Unsized { stmt, origin, call }) = &self.first_unsized else { return report };
        let word = |pos: Pos| {
            let text = self.sources.text_at(pos);
            let len = crate::source::token_len(text) as usize;
            text.chars().take(len).collect::<String>()
        };
        let what = word(self.tree.stmt_pos[*stmt as usize]);
        let needs = match *origin {
            NONE => String::new(),
            origin => format!(", which needs '{}'", word(self.tree.expr_pos[origin as usize])),
        };
        let whose = call.map(|call| format!(" in {}", self.tree.name(call.name))).unwrap_or_default();
        report.notes.push(format!(
            "labels behind the {what}{whose} have no address before its length is known{needs}"
        ));
        report.help = Some(match call.map(|call| self.tree.name(call.name)) {
            Some("BasicUpstart") => {
                "start a block before the label, as in `*=$0810`, or use BasicUpstart2, which does".to_owned()
            }
            _ => "start a block with a known address, as in `*=$1000`, between the two".to_owned(),
        });
        report
    }

    // --- services for the library

    /// Notes that an expression waits for something.
    pub fn note_unresolved(&mut self, invalid: Invalid, at: ExprId) {
        self.unresolved(invalid, self.tree.expr_pos[at as usize]);
    }

    pub fn birth(&self, at: ExprId) -> Birth {
        Birth { step: self.step, pos: self.tree.expr_pos[at as usize] }
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
            let location = self.sources.locate(birth.pos);
            let path = &self.sources.file(location.file).path;
            let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
            return Err(LibraryError::AcrossPasses(format!("{file}:{}", location.line)));
        }
        Ok(())
    }

    pub fn text_of(&self, value: &Value) -> Result<Rc<Text>, ConversionError> {
        value.to_text(&|definition| self.tree.name(self.tree.structs[definition as usize].name).to_owned())
    }

    pub fn char_value(&self, c: char) -> Value {
        Value::Char(c, self.encoding.encode(c))
    }

    /// Reads a file a source refers to.
    pub fn load(&mut self, name: &str, from: Pos) -> Result<Loaded, FileError> {
        let importer = self.sources.file_of(from);
        let key = (name.to_owned(), importer);
        if let Some(loaded) = self.loaded.get(&key) {
            return Ok(loaded.clone());
        }
        let limit = self.options.limits.source_bytes;
        if self.loaded_bytes > limit {
            return Err(FileError::Unreadable(format!("the files together have more than {limit} bytes")));
        }
        let loaded = self.files.read(name, Some(&self.sources.file(importer).path))?;
        self.loaded_bytes += loaded.bytes.len() as u64;
        self.loaded.insert(key, loaded.clone());
        Ok(loaded)
    }

    pub fn path_at(&self, pos: Pos) -> &str {
        &self.sources.file(self.sources.file_of(pos)).path
    }

    pub fn create_file(&mut self, name: &str) -> u32 {
        self.created.push((name.to_owned(), String::new()));
        self.created.len() as u32 - 1
    }

    pub fn write_line(&mut self, file: u32, line: &str) {
        if let Some((_, content)) = self.created.get_mut(file as usize) {
            self.written += line.len() as u64 + 1;
            content.push_str(line);
            content.push('\n');
        }
    }

    /// The value of a symbol's slot, after the run.
    pub fn static_value(&self, slot: u32) -> &Value {
        self.frames.kept(slot)
    }

    /// The scope and the first slot of a frame that has members.
    pub fn frame_scope(&self, frame: u32) -> (ScopeId, u32) {
        self.frames.scope_of(frame)
    }
}

/// About where the stack ends at the moment.
#[inline]
fn stack_address() -> usize {
    let here = 0u8;
    std::hint::black_box(&raw const here) as usize
}

/// An unknown number.
fn unknown_number(origin: ExprId) -> Value {
    Value::Invalid(Invalid::new(InvalidKind::Number, origin))
}

fn goes_on(options: &Options) -> bool {
    options.errors == Errors::Many
}
