//! Options of a caller. Plain data: how options are spelled on a command line is handled by the caller.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use tempo_isa::Cpu;

use crate::TokenCache;
use crate::codes::Code;

/// How to assemble. `Options::default()` is what a user gets without any option.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Preprocessor symbols set before the first line (`-define NAME`).
    pub defines: Vec<String>,
    /// Entries of `cmdLineVars`, in order (`:name=value`).
    pub variables: Vec<(String, String)>,
    /// The instruction set in force until the first `.cpu`.
    pub cpu: Cpu,
    /// `;` instead of `:` between the arguments of a pseudo command call (`-pseudoc3x`).
    pub semicolon_arguments: bool,
    /// Blocks of one segment may overlap; the later one in the source wins (`-aom`).
    pub allow_overlap: bool,
    /// Output names may leave the output directory (`-afo`).
    pub allow_outside_output: bool,
    /// Stop after the names are resolved; nothing is executed (`-noeval`).
    pub parse_only: bool,
    /// The meaning of a failed `.assert`.
    pub asserts: Asserts,
    /// Whether evaluation continues after an error to find more of them.
    pub errors: Errors,
    /// Fill in the items of memory blocks, the source positions of labels, and the texts of the sources.
    /// The texts are there as well whenever there are diagnostics.
    pub source_map: bool,
    /// Fill in the symbol tree and the list of labels.
    pub symbols: bool,
    /// Fill in [`Output::analysis`](crate::Output::analysis): what editors and debuggers ask about a program. It costs
    /// time and memory, so it is off by default.
    pub analysis: bool,
    /// Run every function and every `.fill` again in each pass, although its result is known. For tests of that
    /// knowledge; the output is the same.
    pub evaluate_afresh: bool,
    /// The seed of `random()` in programs that never call `setSeed`.
    pub seed: i64,
    /// Bounds that turn runaway sources into errors.
    pub limits: Limits,
    /// Which warnings to give beside those that Kick Assembler has.
    pub lints: Lints,
    /// Ends the run early when another thread asks for that.
    pub cancel: Cancel,
    /// The tokens that earlier runs left, for callers that assemble again and again. `None` reads every text.
    pub tokens: Option<TokenCache>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            defines: Vec::new(),
            variables: Vec::new(),
            cpu: Cpu::Mos6502,
            semicolon_arguments: false,
            allow_overlap: false,
            allow_outside_output: false,
            parse_only: false,
            asserts: Asserts::Fail,
            errors: Errors::Many,
            source_map: true,
            symbols: true,
            analysis: false,
            evaluate_afresh: false,
            seed: 0x5eed,
            limits: Limits::default(),
            lints: Lints::default(),
            cancel: Cancel::default(),
            tokens: None,
        }
    }
}

/// Which warnings to give. By default none but [`Code::ForcedAbsolute`], which Kick Assembler gives as well.
///
/// ```
/// use tempo_assembler::{Code, Lints, MemoryFiles, Options, assemble};
///
/// let files: MemoryFiles = [("main.asm", " lda #300\n")].into_iter().collect();
/// let options = Options { lints: Lints::all(), ..Options::default() };
/// let output = assemble(&files, "main.asm", &options);
/// assert_eq!(output.diagnostics[0].code, Code::TruncatedImmediate);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lints {
    /// Give all of them, except for those in `off` and those of style ([`Code::is_style`]).
    pub all: bool,
    /// Give these in any case.
    pub on: Vec<Code>,
    /// Never give these, unless they are in `on`.
    pub off: Vec<Code>,
}

impl Lints {
    /// All warnings except for those of style.
    pub fn all() -> Lints {
        Lints { all: true, ..Lints::default() }
    }

    /// All warnings, those of style as well.
    pub fn with_style() -> Lints {
        let style = Code::ALL.iter().copied().filter(|code| code.is_style());
        Lints { all: true, on: style.collect(), off: Vec::new() }
    }

    /// Whether a warning is given.
    pub fn is_on(&self, code: Code) -> bool {
        self.on.contains(&code) || self.all && !code.is_style() && !self.off.contains(&code)
    }

    /// Whether any is.
    pub fn any(&self) -> bool {
        let is_left = |code: &Code| code.is_warning() && !code.is_style() && !self.off.contains(code);
        !self.on.is_empty() || self.all && Code::ALL.iter().any(is_left)
    }
}

/// A flag that ends a run early. Clones share it: keep one, and give the other to the run.
///
/// A cancelled run ends within milliseconds, with the error [`Code::Cancelled`].
///
/// ```
/// use tempo_assembler::{Code, MemoryFiles, Options, assemble};
///
/// let options = Options::default();
/// let cancel = options.cancel.clone();
/// cancel.cancel(); // usually from another thread
/// let files: MemoryFiles = [("main.asm", " nop\n")].into_iter().collect();
/// let output = assemble(&files, "main.asm", &options);
/// assert_eq!(output.diagnostics[0].code, Code::Cancelled);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) const MESSAGE: &str = "The run was cancelled";

    /// Asks the runs that have this flag, or a clone of it, to end.
    pub fn cancel(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether [`cancel`](Cancel::cancel) was called.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        // The flag guards no other data, so it needs no ordering.
        self.0.load(Relaxed)
    }
}

/// Equal if they are the same flag.
impl PartialEq for Cancel {
    fn eq(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The effect of a failed `.assert` on the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asserts {
    /// It is an error; no output is produced.
    Fail,
    /// It is a console line, as in Kick Assembler.
    Report,
}

/// How many evaluation errors are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// Evaluation stops at the first one, as in Kick Assembler.
    First,
    /// Statements that do not depend on the failed one are still evaluated.
    Many,
}

/// Bounds on what a source may demand. Each is reported by name when it is hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Passes over the program.
    pub passes: u32,
    /// Iterations of one `.for` or `.while` loop. All loops and calls of a pass together may go round ten times as
    /// often.
    pub iterations: u64,
    /// Nesting of macro, pseudo command and function calls.
    pub call_depth: u32,
    /// Nesting of imported files.
    pub import_depth: u32,
    /// Bytes emitted, all segments together.
    pub output_bytes: u64,
    /// Characters of one string, elements of one list.
    pub value_size: u64,
    /// Bytes that all values, console lines and notes of a run may take together.
    pub memory: u64,
    /// Bytes of strings, lists and hashtables that all passes may copy, compare or shift: a limit on time.
    pub moved_bytes: u64,
    /// Bytes of all source files together.
    pub source_bytes: u64,
    /// Errors after which the run stops.
    pub errors: usize,
}

impl Limits {
    /// The names that [`Limits::set`] knows.
    pub const NAMES: [&str; 10] =
        ["passes", "loop", "depth", "imports", "output", "value", "memory", "moved", "source", "errors"];

    /// Sets a limit by its name. False if there is none of that name, or if the number is too large for it.
    ///
    /// ```
    /// let mut limits = tempo_assembler::Limits::default();
    /// assert!(limits.set("output", 1 << 30));
    /// assert_eq!(limits.output_bytes, 1 << 30);
    /// assert!(!limits.set("depth", u64::MAX) && !limits.set("patience", 1));
    /// ```
    pub fn set(&mut self, name: &str, number: u64) -> bool {
        let small = u32::try_from(number);
        match (name, small) {
            ("passes", Ok(number)) => self.passes = number,
            ("loop", _) => self.iterations = number,
            ("depth", Ok(number)) => self.call_depth = number,
            ("imports", Ok(number)) => self.import_depth = number,
            ("output", _) => self.output_bytes = number,
            ("value", _) => self.value_size = number,
            ("memory", _) => self.memory = number,
            ("moved", _) => self.moved_bytes = number,
            ("source", _) => self.source_bytes = number,
            ("errors", Ok(number)) => self.errors = number.max(1) as usize,
            _ => return false,
        }
        true
    }

    /// The option that raises a limit, for messages.
    pub(crate) fn raised(name: &str, limit: u64) -> String {
        debug_assert!(Limits::NAMES.contains(&name));
        let size = match limit.saturating_mul(2) {
            more if more.is_multiple_of(1 << 30) => format!("{}G", more >> 30),
            more if more.is_multiple_of(1 << 20) => format!("{}M", more >> 20),
            more => more.to_string(),
        };
        format!("--limit {name}={size} raises the limit")
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            passes: 100,
            iterations: 10_000_000,
            call_depth: 2_000,
            import_depth: 200,
            output_bytes: 64 << 20,
            value_size: 32 << 20,
            memory: 512 << 20,
            moved_bytes: 16 << 30,
            source_bytes: 32 << 20,
            errors: 100,
        }
    }
}
