//! A cross-assembler for the Kick Assembler language: source text in, bytes, symbols and diagnostics out.
//!
//! ```
//! use tempo_assembler::{MemoryFiles, Options, assemble};
//!
//! let files: MemoryFiles = [("main.asm", "*=$1000\nstart: inc $d020\n jmp start\n")].into_iter().collect();
//! let output = assemble(&files, "main.asm", &Options::default());
//! assert!(!output.has_errors());
//! assert_eq!(output.prg().unwrap(), [0x00, 0x10, 0xee, 0x20, 0xd0, 0x4c, 0x00, 0x10]);
//! ```
//!
//! **The assembler opens no files, prints nothing and never panics on a source.** The stages are the lines of
//! `run`; each is a module.

#![warn(missing_docs)]

use std::cell::LazyCell;
use std::collections::HashSet;

pub mod analysis;
pub mod codes;
pub mod cycles;
pub mod decrunch;
pub mod dialect;
#[cfg(all(feature = "disk", not(target_family = "wasm")))]
pub mod disk;
pub mod files;
pub mod options;
pub mod output;
pub mod search;

mod arena;
mod hash;
mod intern;
mod names;
mod report;
mod source;
mod tree;
mod values;

mod lex;
mod parse;

mod bind;

mod eval;
mod library;

mod check;
mod crunch;
mod emit;
mod hints;
mod layout;
mod lint;

/// The examples of the README run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use analysis::Analysis;
pub use codes::Code;
#[cfg(all(feature = "disk", not(target_family = "wasm")))]
pub use disk::DiskFiles;
pub use files::{FileError, Files, Loaded, MemoryFiles, Overlay};
pub use hints::{Fix, fixes};
pub use lex::{SourceToken, TokenCache, TokenKind, tokens};
pub use lint::tempo_comments;
pub use options::{Asserts, Cancel, Errors, Limits, Lints, Options};
pub use output::{AssertCount, Image, Output, OutputFile, OutputKind, Stats};
pub use search::SearchPath;
pub use source::decode;
pub use tempo_isa::Cpu;

// The types that results are made of, so that callers need no other crate.
pub use tempo_diagnostics::{
    Columns, FileId, Frame, FrameKind, Label, Location, Position, Renderer, Severity, Source, SourceMap,
    Sources, Span,
};
pub use tempo_formats::program;
pub use tempo_formats::symbols::{Symbol, Symbols};

/// The source of the built-in macros, which is part of every program.
pub const SYSTEM_SOURCE: &str = include_str!("system.asm");

/// An error or warning of the assembler.
pub type Diagnostic = tempo_diagnostics::Diagnostic<Code>;

use eval::{Expansions, Settled};
use intern::Interner;
use layout::segment_out;
use parse::{Follows, Parsed};
use report::Report;
use tree::Tree;

/// Assembles the program whose root source is `root`.
pub fn assemble(files: &dyn Files, root: &str, options: &Options) -> Output {
    // Most sources nest little, so the stack of the caller is enough.
    if let Some(output) = run(files, root, options, Depth::SHALLOW) {
        return output;
    }
    // Recursion in a source is recursion in the evaluator. A thread with a large stack makes the caller's limits safe.
    let work = |depth| run(files, root, options, depth).expect("only a shallow run gives up");
    #[cfg(not(target_family = "wasm"))]
    {
        // A system that is short of memory may refuse a large stack and grant a smaller one.
        let mut stack = stack_size(options);
        while stack > SPARE_STACK {
            let worker = move || work(Depth::deep(stack));
            let output = std::thread::scope(|scope| {
                let thread =
                    std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, worker).ok()?;
                Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            });
            if let Some(output) = output {
                return output;
            }
            stack /= 2;
        }
    }
    work(Depth::LAST)
}

/// For parsing and everything that is not a call.
#[cfg(not(target_family = "wasm"))]
const STACK: usize = 64 << 20;
/// A call in a source takes a handful of calls in the evaluator. Stack that is not used is never touched.
#[cfg(not(target_family = "wasm"))]
const STACK_PER_CALL: usize = 32 << 10;

/// The rest of a stack after evaluation has had its part.
#[cfg(not(target_family = "wasm"))]
const SPARE_STACK: usize = 8 << 20;

/// The stack to ask for.
#[cfg(not(target_family = "wasm"))]
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
    /// Fits into the smallest stack that callers have.
    const SHALLOW: Depth = Depth { nesting: 40, stack: 256 << 10 };

    /// On the caller's stack, where there are no threads: what is deeper is an error.
    const LAST: Depth =
        Depth { nesting: if cfg!(target_family = "wasm") { 1000 } else { 41 }, stack: 512 << 10 };

    /// On a stack of that size.
    #[cfg(not(target_family = "wasm"))]
    fn deep(stack: usize) -> Depth {
        Depth { nesting: 1000.min((stack / SPARE_STACK * 200) as u32), stack: stack - SPARE_STACK }
    }
}

/// One run; `None` if it was a shallow one and the source is deeper than that.
fn run(files: &dyn Files, root: &str, options: &Options, depth: Depth) -> Option<Output> {
    let mut sources = source::Sources::default();
    let (main, path) = match open(files, root, &mut sources) {
        Ok(opened) => opened,
        Err(report) => {
            let output = Output::default();
            return Some(finish(output, sources, &Interner::default(), vec![report], options));
        }
    };
    let parsed = read(files, &mut sources, main, options, depth.nesting);
    if parsed.is_too_deep && depth == Depth::SHALLOW {
        return None;
    }
    if let Some(tokens) = &options.tokens {
        tokens.note_program(&path, sources.end() as usize);
    }
    let Bound { tree, mut reports, mut warnings } = bind(parsed, options);
    // Without warnings nothing asks for them.
    let comments = LazyCell::new(|| lint::Comments::of(&sources));
    if !reports.is_empty() || options.parse_only {
        // An editor reads with every key; it shows what is wrong when it has assembled the program.
        let is_reading = options.parse_only && options.analysis;
        if options.errors == Errors::Many && !is_reading {
            hints::add(&mut reports, &tree, &sources);
        }
        reports.append(&mut lint::early_warnings(&sources, options, &comments, warnings));
        let output = analysed(&tree, None, &sources, options);
        return Some(finish(output, sources, &tree.names, reports, options));
    }

    let is_counted = options.lints.any() && comments.state_cycles();
    let expansions = if is_counted { Expansions::Kept } else { Expansions::AsAsked };
    let mut settled = eval::settle(&tree, &sources, files, options, expansions, depth.stack); // until nothing moves
    if settled.ran_out_of_stack && depth == Depth::SHALLOW {
        return None;
    }
    let mut output = analysed(&tree, Some(&settled), &sources, options);
    if options.errors == Errors::Many {
        hints::add(&mut settled.reports, &tree, &sources);
    }
    reports.append(&mut settled.reports);
    if reports.is_empty() {
        reports = produce(&mut settled, &tree, &path, options, &mut output);
    }
    if options.errors == Errors::First {
        reports.truncate(1);
    }
    if options.asserts == Asserts::Fail {
        reports.append(&mut settled.made.failed_asserts);
    }
    output.console = std::mem::take(&mut settled.made.console);
    output.asserts = settled.made.asserts;
    output.stats.passes = settled.passes;
    output.stats.kick_passes = settled.kick_passes;
    output.printed_now = std::mem::take(&mut settled.printed_now);
    output.stats.bytes = settled.made.memory.saved_bytes();
    let mut is_whole = reports.is_empty();
    warnings.append(&mut settled.made.warnings);
    reports.append(&mut if is_whole {
        lint::warnings(&tree, &settled, &sources, options, &comments, warnings)
    } else if options.lints == Lints::default() {
        warnings
    } else {
        lint::early_warnings(&sources, options, &comments, warnings)
    });
    if is_whole {
        match emit::program(settled, &tree, &sources, options) {
            Ok(program) => output.program = program,
            Err(report) => {
                reports.push(report);
                is_whole = false;
            }
        }
    }
    if !is_whole {
        output.image = None;
        output.files.clear();
    }
    Some(finish(output, sources, &tree.names, reports, options))
}

/// Reads the root file, after the built-in source: its number and path.
fn open(files: &dyn Files, root: &str, sources: &mut source::Sources) -> Result<(u32, String), Report> {
    sources.add("<system>".to_owned(), SYSTEM_SOURCE, None);
    let loaded = files.read(root, None).map_err(|error| {
        let message = format!("Can't open file: {root}");
        Report::error(Code::RootNotFound, None, message).with_note(error.to_string())
    })?;
    let main = sources
        .add(loaded.path.clone(), source::decode(loaded.bytes), None)
        .ok_or_else(|| Report::error(Code::TooMuchSource, None, "The source is larger than 4 GB"))?;
    sources.identify(main, loaded.identity);
    sources.show_as(main, loaded.shown);
    Ok((main, loaded.path))
}

/// Lexes and parses the program; twice, if what it imports depends on what it imports.
fn read(
    files: &dyn Files,
    sources: &mut source::Sources,
    main: u32,
    options: &Options,
    max_nesting: u32,
) -> Parsed {
    // A name every five lines or so.
    let known = options.tokens.as_ref().map_or(0, |tokens| tokens.program_len(sources.path(main)));
    let interner = |sources: &source::Sources| names::interner(sources.text(main).len().max(known) / 100);
    let mut names = interner(sources);
    let roots = [0, main];
    let lexer = lex::Lexer::new(files, sources, &roots, options, &mut names, None);
    let parsed = parse::program(lexer, names, options, max_nesting);
    if !parsed.needs_plan {
        return parsed;
    }
    let mut names = interner(sources);
    let plan = lex::Plan::new(files, sources, &roots, options, &mut names);
    let lexer = lex::Lexer::new(files, sources, &roots, options, &mut names, Some(plan));
    parse::program(lexer, names, options, max_nesting)
}

/// A tree whose names are bound, and what is wrong so far.
struct Bound {
    tree: Tree,
    reports: Vec<Report>,
    warnings: Vec<Report>,
}

/// Binds the names of a program to what they stand for.
fn bind(parsed: Parsed, options: &Options) -> Bound {
    let Parsed { mut tree, syntax: mut reports, names: mut faults, warnings, given_up, is_whole, .. } =
        parsed;
    let unknown = eval::unknown_plugins(&tree);
    if !unknown.is_empty() {
        // After faults of syntax and before those of names, which may follow from what a plugin would have done.
        reports.extend(unknown);
        if options.errors == Errors::First {
            bind::names(&mut tree, options.limits.errors, &mut faults);
            reports.append(&mut faults);
        } else if options.analysis {
            bind::names(&mut tree, usize::MAX, &mut Vec::new());
        }
    } else if reports.is_empty() || is_whole {
        // Kick Assembler looks at names in spite of faults, and takes all that follow from one for others.
        let max_errors = options.limits.errors;
        bind::names(&mut tree, if options.analysis { usize::MAX } else { max_errors }, &mut faults);
        faults.truncate(max_errors.saturating_add(1));
        let follows = if options.errors == Errors::Many { Follows::LeftOut } else { Follows::Reported };
        let is_news = |report: &Report| given_up.is_news(report, follows);
        reports.extend(faults.into_iter().filter(is_news));
    } else if options.analysis {
        // Editors ask about sources that are being written; what is unknown there has a cause that is reported.
        bind::names(&mut tree, usize::MAX, &mut Vec::new());
    }
    Bound { tree, reports, warnings }
}

/// Makes the image and the files of a program without faults, or finds that the segments have some.
fn produce(
    settled: &mut Settled,
    tree: &Tree,
    path: &str,
    options: &Options,
    output: &mut Output,
) -> Vec<Report> {
    let mut reports = Vec::new();
    let made = &mut settled.made;
    if let Err((error, span)) = segment_out::fill_in(&mut made.memory, &made.segment_outs, options) {
        reports.push(check::report(error, Some(span)));
    }
    check::segments(&made.memory, tree, options, &mut reports);
    output.image = emit::main_image(made, options.limits.output_bytes, &mut reports);
    output.files = emit::files(settled, path, options, &mut reports);
    for packed in settled.made.memory.packed.get_mut() {
        settled.made.console.append(&mut packed.crunched.console);
    }
    leave_out_repeated(&mut reports);
    reports
}

/// Keeps one of the reports that say the same: a fault in a segment would be reported once per output file.
fn leave_out_repeated(reports: &mut Vec<Report>) {
    let mut seen = HashSet::new();
    reports.retain(|report| seen.insert((report.span, report.message.clone())));
}

/// An output with the analysis, if it was asked for, and nothing else yet.
fn analysed(tree: &Tree, settled: Option<&Settled>, sources: &source::Sources, options: &Options) -> Output {
    let analysis = options.analysis.then(|| analysis::of(tree, settled, sources));
    let stats = Stats { scanned: tree.scanned, ..Stats::default() };
    Output { analysis, left_out: tree.left_out.clone(), stats, ..Output::default() }
}

/// Turns reports into diagnostics, and hands the sources over.
fn finish(
    mut output: Output,
    sources: source::Sources,
    names: &Interner,
    mut reports: Vec<Report>,
    options: &Options,
) -> Output {
    output.stats.lines = sources.line_count();
    if options.errors == Errors::Many {
        // The stages stop one after the limit, each for itself.
        let mut errors = 0;
        reports.retain(|report| {
            errors += usize::from(report.severity == Severity::Error);
            report.severity != Severity::Error || errors <= options.limits.errors
        });
        // Kick Assembler shows errors inside its macros; `Errors::First` asks for its behaviour.
        reports.iter_mut().for_each(|report| report.leave_system(&sources));
    }
    output.diagnostics = reports.into_iter().map(|report| report.into_diagnostic(&sources, names)).collect();
    let (texts, shown) = sources.into_texts();
    output.program.sources = emit::sources(&texts, &shown, options.source_map);
    output.sources = texts;
    output
}
