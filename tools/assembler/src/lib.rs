//! A cross-assembler for the Kick Assembler language: source text in, bytes, symbols and diagnostics out.
//!
//! ```
//! use tempo_asm::{MemoryFiles, Options, assemble};
//!
//! let files: MemoryFiles = [("main.asm", "*=$1000\nstart: inc $d020\n jmp start\n")].into_iter().collect();
//! let output = assemble(&files, "main.asm", &Options::default());
//! assert!(!output.has_errors());
//! assert_eq!(output.prg().unwrap(), [0x00, 0x10, 0xee, 0x20, 0xd0, 0x4c, 0x00, 0x10]);
//! ```
//!
//! **The assembler opens no files, prints nothing and never panics on a source.** The stages are the lines of
//! [`assemble`]; each is a module.

pub mod diagnostics;
pub mod dialect;
#[cfg(all(feature = "disk", not(target_family = "wasm")))]
pub mod disk;
pub mod files;
pub mod options;
pub mod output;
pub mod search;

mod intern;
mod names;
mod nearest;
mod source;
mod tree;
mod values;

mod lex;
mod parse;

mod bind;

mod eval;
mod library;

mod check;
mod emit;
mod layout;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use diagnostics::{Diagnostic, Frame, FrameKind, Location, Severity};
#[cfg(all(feature = "disk", not(target_family = "wasm")))]
pub use disk::DiskFiles;
pub use files::{FileError, Files, Loaded, MemoryFiles, Overlay};
pub use isa::Cpu;
pub use lex::{SourceToken, TokenKind, tokens};
pub use options::{Asserts, Errors, Limits, Options};
pub use output::{AssertCount, Image, Output, OutputFile, OutputKind, Stats};
pub use search::SearchPath;

use diagnostics::Report;
use source::Sources;

/// Assembles the program whose root source is `root`.
pub fn assemble(files: &dyn Files, root: &str, options: &Options) -> Output {
    // Most sources nest little, and the stack at hand is enough for them.
    if let Some(output) = run(files, root, options, Depth::SHALLOW) {
        return output;
    }
    // Deep recursion of a source is recursion of ours; a stack of our own makes the limits the caller set safe.
    let work = || run(files, root, options, Depth::deep(options)).expect("only a shallow run gives up");
    #[cfg(not(target_family = "wasm"))]
    {
        std::thread::scope(|scope| {
            match std::thread::Builder::new().stack_size(stack_size(options)).spawn_scoped(scope, work) {
                Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(_) => work(),
            }
        })
    }
    #[cfg(target_family = "wasm")]
    work()
}

/// For parsing and everything that is not a call.
const STACK: usize = 64 << 20;
/// A call passes through a handful of functions of ours. Only what is used is ever touched.
const STACK_PER_CALL: usize = 32 << 10;

/// The stack evaluation may use.
fn stack_size(options: &Options) -> usize {
    STACK + options.limits.call_depth.min(1_000_000) as usize * STACK_PER_CALL
}

/// How deep a run may go before it gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Depth {
    /// Of brackets, blocks and operators in the text.
    nesting: u32,
    /// Bytes of stack for evaluation.
    stack: usize,
}

impl Depth {
    /// Fits into the smallest stack anybody calls from.
    const SHALLOW: Depth = Depth { nesting: 40, stack: 256 << 10 };

    fn deep(options: &Options) -> Depth {
        let stack = if cfg!(target_family = "wasm") { 512 << 10 } else { stack_size(options) - (8 << 20) };
        Depth { nesting: 1000, stack }
    }
}

/// One run; `None` if it was a shallow one and the source is deeper than that.
fn run(files: &dyn Files, root: &str, options: &Options, depth: Depth) -> Option<Output> {
    let mut sources = Sources::default();
    let mut output = Output::default();
    sources.add("<system>".to_owned(), include_str!("system.asm"), None);
    let loaded = match files.read(root, None) {
        Ok(loaded) => loaded,
        Err(error) => {
            let report =
                Report::error("E0001", None, format!("Can't open file: {root}")).note(error.to_string());
            return Some(finish(output, sources, &intern::Interner::default(), vec![report], options));
        }
    };
    let path = loaded.path.clone();
    let main = match sources.add(loaded.path, source::decode(loaded.bytes), None) {
        Some(main) => main,
        None => {
            let report = Report::error("E0113", None, "The source is larger than 4 GB");
            return Some(finish(output, sources, &intern::Interner::default(), vec![report], options));
        }
    };

    let lexer = lex::Lexer::new(files, &mut sources, &[0, main], options);
    let parsed = parse::program(lexer, options, depth.nesting);
    if parsed.is_too_deep && depth == Depth::SHALLOW {
        return None;
    }
    let mut tree = parsed.tree;
    if !parsed.syntax.is_empty() {
        return Some(finish(output, sources, &tree.names, parsed.syntax, options));
    }
    let mut reports = parsed.names;
    bind::names(&mut tree, options.limits.errors, &mut reports);
    if !reports.is_empty() || options.parse_only {
        return Some(finish(output, sources, &tree.names, reports, options));
    }

    let (mut machine, passes) = eval::settle(&tree, &sources, files, options, depth.stack); // until nothing moves
    if machine.ran_out_of_stack() && depth == Depth::SHALLOW {
        return None;
    }
    output.stats.passes = passes;
    reports.append(&mut machine.reports);
    if reports.is_empty() {
        emit::segment_outs(&mut machine, &mut reports);
        check::segments(&machine.memory, options, &mut reports);
        output.image = emit::main_image(&machine.memory, options.limits.output_bytes, &mut reports);
        output.files = emit::files(&machine, &path, &mut reports);
    }
    if options.asserts == Asserts::Fail {
        reports.append(&mut machine.failed_asserts);
    }
    output.console = std::mem::take(&mut machine.console);
    output.asserts = machine.asserts;
    output.stats.bytes = machine.memory.saved_bytes();
    if reports.is_empty() {
        reports.append(&mut machine.warnings);
        output.program = emit::program(machine, &tree, &sources);
    } else {
        reports.append(&mut machine.warnings);
        output.image = None;
        output.files.clear();
    }
    Some(finish(output, sources, &tree.names, reports, options))
}

/// Turns reports into diagnostics, and hands the sources over.
fn finish(
    mut output: Output,
    sources: Sources,
    names: &intern::Interner,
    mut reports: Vec<Report>,
    options: &Options,
) -> Output {
    output.stats.lines = sources.line_count();
    for report in &mut reports {
        leave_system(report, &sources, options);
    }
    output.diagnostics = reports.into_iter().map(|report| diagnostic(report, &sources, names)).collect();
    let with_text = options.source_map || !output.diagnostics.is_empty();
    output.program.sources = emit::sources(sources, with_text);
    output
}

/// Nobody can change the built-in macros: an error inside one is shown at the user's call of it. Kick Assembler
/// shows it inside, so whoever wants its errors gets that.
fn leave_system(report: &mut Report, sources: &Sources, options: &Options) {
    let is_system = |pos: source::Pos| sources.file_of(pos) == 0;
    if options.errors == Errors::First || !report.pos.is_some_and(is_system) {
        return;
    }
    if let Some(call) = report.calls.iter().position(|call| !is_system(call.pos)) {
        report.pos = Some(report.calls[call].pos);
        report.calls.drain(..=call);
    }
}

fn diagnostic(report: Report, sources: &Sources, names: &intern::Interner) -> Diagnostic {
    let mut frames: Vec<Frame> = Vec::new();
    for call in &report.calls {
        frames.push(Frame {
            kind: call.kind,
            name: names.get(call.name).to_owned(),
            at: sources.locate(call.pos),
        });
    }
    // The way of the file in which the error is.
    let mut file = report.pos.map(|pos| sources.file_of(pos));
    while let Some(from) = file.and_then(|file| sources.file(file).imported_at) {
        let name = file.map_or("", |file| &sources.file(file).path);
        frames.push(Frame { kind: FrameKind::Import, name: name.to_owned(), at: sources.locate(from) });
        file = Some(sources.file_of(from));
        if frames.len() > 1000 {
            break;
        }
    }
    Diagnostic {
        severity: report.severity,
        code: report.code,
        message: report.message,
        at: report.pos.map(|pos| sources.locate(pos)),
        label: report.label,
        frames,
        help: report.help,
        notes: report.notes,
    }
}
