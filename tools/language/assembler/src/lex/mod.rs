//! Text into tokens. Imported files are read here and put into the stream where they are imported.
//! Knows characters, brackets and the preprocessor; knows nothing of statements or values.
//!
//! The stream comes in pieces that end between two statements, so that the tokens of a large source are never in
//! memory all at once.

mod brackets;
mod deferred;
mod kept;
mod literals;
mod misspelled;
mod preprocess;
mod scan;
mod token;
mod tokens;
mod words;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub(crate) use deferred::Plan;
pub use kept::TokenCache;
pub(crate) use token::{Flag, Kind, MultiRef, Token};
pub use tokens::{SourceToken, TokenKind, tokens};

use crate::codes::Code;
use crate::files::Files;
use crate::intern::{Interner, Name};
use crate::options::{Cancel, Options};
use crate::report::Report;
use crate::source::Sources;
use crate::values::Text;
use deferred::Deferred;
use misspelled::Misspelled;
use scan::{OpenFile, Stop};
use tempo_diagnostics::Span;

/// A piece of the stream is complete at the first safe place after this many tokens. Tests run with small ones, so that
/// every source of theirs is cut.
const PIECE: usize = if cfg!(debug_assertions) { 16 } else { 4096 };

/// The tokens of a line are in memory all at once, sixteen bytes for each, so a line is bounded.
const MAX_LINE: usize = 16 << 20;

/// A piece of the stream, with the tables its tokens refer to.
pub(crate) struct Tokens {
    /// Ends in `End`, which is the end of the program only if there is no further piece.
    pub tokens: Vec<Token>,
    pub numbers: Vec<f64>,
    pub strings: Vec<Rc<Text>>,
    pub multi_refs: Vec<MultiRef>,
    /// Preprocessor symbols and imported files, in order; only for analysis.
    pub flags: Vec<Flag>,
    pub imports: Vec<(Span, u32)>,
    pub reports: Vec<Found>,
    /// Lines that conditions leave out.
    pub left_out: Vec<Span>,
    /// Texts that brackets without an end take in: nothing in them is a statement.
    pub unclosed: Vec<Unclosed>,
    /// The units of `.import source` that were entered, in order.
    pub units: Vec<u32>,
    /// The warnings.
    pub warnings: Vec<Report>,
    /// Whether all brackets have their partner; without that the tree is not that of the text.
    pub is_balanced: bool,
    /// Files that had to be read, because their tokens were not kept.
    pub scanned: u32,
}

/// A fault of the lexer and where in the stream it was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The unit that is read separately: 0 for the program, others for files of `.import source`.
    pub unit: u32,
    pub stage: Stage,
    /// How many tokens came before.
    pub index: u64,
    pub report: Report,
}

/// When a fault comes to light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Before anything is parsed: the preprocessor and comments.
    Reading,
    /// When the statement is parsed.
    Parsing,
    /// When the files of `.import source` are read.
    Importing,
}

/// Tokens from a bracket to the place where its end was missed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unclosed {
    pub unit: u32,
    pub start: u64,
    pub end: u64,
}

/// The state that files leave to those read after them. Cloned for each file of `.import source`, so the sets are shared.
#[derive(Debug, Clone, Default)]
struct Flow {
    /// Preprocessor symbols that are set.
    defines: Rc<HashSet<Name>>,
    /// Files that said `#importonce`.
    once: Rc<HashSet<u32>>,
    /// Files that said `.importonce` when `#import` or `.import source` brought them in. Each has its own book.
    once_by: [Rc<HashSet<u32>>; 2],
}

/// How a file came into the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Root,
    /// `#import`
    Preprocessor,
    /// `.import source`
    Source,
}

/// A file to go into.
struct Entering {
    file: u32,
    /// The place of the import.
    from: Span,
    way: Way,
    /// The file beside which `#import` searches.
    beside: u32,
    /// The unit it begins and what it knows then; `None` for a part of the unit that imports it.
    unit: Option<(u32, Flow)>,
}

/// Reads the root files and everything they import.
pub(crate) struct Lexer<'a> {
    files: &'a dyn Files,
    sources: &'a mut Sources,
    options: &'a Options,
    pub out: Tokens,
    /// Root files that are not begun, last one first.
    roots: Vec<u32>,
    /// The files being read, each imported by the one before.
    stack: Vec<OpenFile>,
    /// A file to read before the current one continues.
    entering: Option<Entering>,
    /// The spellings of the strings, by their numbers.
    string_ids: Interner,
    flow: Flow,
    /// The symbols that were defined, for names that are like them.
    misspelled: Misspelled,
    /// The effect of `.import source`.
    deferred: Deferred,
    /// The unit being read.
    unit: u32,
    /// The file beside which `#import` searches.
    beside: u32,
    /// Tokens in the pieces before this one.
    pub produced: u64,
    /// Files by path, so that a second import shares the text.
    loaded: HashMap<String, u32>,
    /// Bytes tokenised, repeated imports counted again.
    read: u64,
    /// More brackets are open than any source has; the rest is not read.
    is_too_deep: bool,
    /// An `.import source` was met without a plan.
    is_unplanned: bool,
    /// How many of them were met.
    source_imports: u32,
}

impl<'a> Lexer<'a> {
    /// A lexer of root files that are already in `sources`.
    pub fn new(
        files: &'a dyn Files,
        sources: &'a mut Sources,
        roots: &[u32],
        options: &'a Options,
        names: &mut Interner,
        plan: Option<Plan>,
    ) -> Lexer<'a> {
        let mut lexer = Lexer {
            files,
            sources,
            options,
            out: Tokens {
                tokens: Vec::with_capacity(if options.tokens.is_some() {
                    2 * PIECE
                } else {
                    PIECE + PIECE / 4
                }),
                numbers: Vec::new(),
                strings: Vec::new(),
                multi_refs: Vec::new(),
                flags: Vec::new(),
                imports: Vec::new(),
                reports: Vec::new(),
                left_out: Vec::new(),
                unclosed: Vec::new(),
                units: Vec::new(),
                warnings: Vec::new(),
                is_balanced: true,
                scanned: 0,
            },
            roots: roots.iter().rev().copied().collect(),
            stack: Vec::new(),
            entering: None,
            string_ids: Interner::with_capacity(0),
            flow: Flow::default(),
            deferred: plan.map_or(Deferred::Unplanned, Deferred::Planned),
            unit: 0,
            beside: 0,
            produced: 0,
            loaded: HashMap::new(),
            read: 0,
            is_too_deep: false,
            is_unplanned: false,
            source_imports: 0,
            misspelled: Misspelled::default(),
        };
        if let Some(kept) = &options.tokens {
            kept.begin();
        }
        for define in &options.defines {
            let name = names.intern(define);
            Rc::make_mut(&mut lexer.flow.defines).insert(name);
            lexer.misspelled.define(define, name);
        }
        lexer
    }

    /// Characters of the root files, or of the whole program if it was read before.
    pub fn root_len(&self) -> usize {
        let main = self.roots.first().map_or("", |&main| self.sources.path(main));
        let known = self.options.tokens.as_ref().map_or(0, |kept| kept.program_len(main));
        known.max(self.roots.iter().map(|&root| self.sources.text(root).len()).sum())
    }

    /// Replaces the tokens by those of the next piece. False if there is none; then only `End` is left.
    pub fn fill(&mut self, names: &mut Interner) -> bool {
        self.produced += self.out.tokens.len() as u64;
        self.out.tokens.clear();
        if self.options.cancel.is_cancelled() && !self.is_cancelled() {
            self.found(Stage::Reading, Report::error(Code::Cancelled, None, Cancel::MESSAGE));
            self.stop();
        }
        loop {
            let Some(mut file) = self.stack.pop() else {
                let Some(root) = self.roots.pop() else { break };
                let start = self.sources.base(root);
                let end = start + self.sources.text(root).len() as u32;
                let from = Span::at(start);
                let entering = Entering { file: root, from, way: Way::Root, beside: root, unit: None };
                self.enter(entering, Span::at(end));
                continue;
            };
            self.beside = file.beside;
            let stop = match file.kept {
                None => self.scan(&mut file, names),
                Some(_) => self.scan_kept(&mut file, names),
            };
            match stop {
                Stop::Full => {
                    self.push(Kind::End, false, 0, Span::at(file.base + file.at as u32));
                    self.stack.push(file);
                    return true;
                }
                Stop::Import | Stop::Directive => {
                    self.stack.push(file);
                    if let Some(entering) = self.entering.take() {
                        let end = entering.from;
                        self.enter(entering, end);
                    }
                }
                Stop::End => {
                    let text = file.text.clone();
                    self.leave_out(&mut file, &text, text.len());
                    for open in &file.open {
                        self.unclosed(open, self.index());
                    }
                    for hash in file.open_conditions() {
                        let message = "this #if has no #endif";
                        let report = Report::warning(Code::UnclosedIf, hash, message)
                            .with_help("it ends with its file; #endif says where it is meant to end");
                        self.out.warnings.push(report);
                    }
                    // A file always ends its last statement.
                    self.push(Kind::Newline, false, 0, Span::at(file.base + file.text.len() as u32));
                    self.push(Kind::ImportEnd, false, file.file, file.end);
                    if let Some((unit, flow)) = file.outside {
                        (self.unit, self.flow) = (unit, flow);
                    }
                }
            }
        }
        let has_tokens = !self.out.tokens.is_empty();
        let last = self.out.tokens.last().map_or(Span::at(0), |token| Span::at(token.span.start));
        self.push(Kind::End, false, 0, last);
        has_tokens
    }

    fn is_cancelled(&self) -> bool {
        self.out.reports.last().is_some_and(|found| found.report.code == Code::Cancelled)
    }

    /// Leaves the rest of all files unread; without it the text is not balanced.
    fn stop(&mut self) {
        self.out.is_balanced = false;
        self.roots.clear();
        self.stack.clear();
    }

    /// Goes into a file; the marks around its tokens have the place of the import and the one given.
    fn enter(&mut self, entering: Entering, end: Span) {
        let Entering { file, from, way, beside, unit } = entering;
        self.push(Kind::ImportStart, false, file, from);
        let outside = unit.map(|(unit, flow)| {
            self.out.units.push(unit);
            (std::mem::replace(&mut self.unit, unit), std::mem::replace(&mut self.flow, flow))
        });
        let base = self.sources.base(file);
        let text = self.sources.shared_text(file);
        self.read += text.len() as u64;
        if text.len() > MAX_LINE
            && let Some(line) = text.split('\n').find(|line| line.len() > MAX_LINE)
        {
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            let message = format!("This line has more than {MAX_LINE} bytes");
            self.report(Code::TooMuchSource, Span::at(start as u32 + base), message);
            return self.stop();
        }
        let kept = self.options.tokens.as_ref().and_then(|kept| kept.of(self.sources.path(file), &text));
        self.out.scanned += u32::from(kept.is_none());
        let mut opened = OpenFile::new(file, base, text, end, way, outside);
        opened.beside = beside;
        opened.kept = kept;
        self.stack.push(opened);
    }

    #[inline]
    fn push(&mut self, kind: Kind, glued: bool, data: u32, span: Span) {
        self.out.tokens.push(Token { kind, glued, data, span });
    }

    /// A fault of the preprocessor.
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.found(Stage::Reading, Report::error(code, span, message));
    }

    /// A fault of the text, which is met when the statement around it is parsed.
    fn report_text(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.found(Stage::Parsing, Report::error(code, span, message));
    }

    fn found(&mut self, stage: Stage, report: Report) {
        self.found_at(stage, self.index(), report);
    }

    fn found_at(&mut self, stage: Stage, index: u64, report: Report) {
        self.out.reports.push(Found { unit: self.unit, stage, index, report });
    }

    /// The number of the next token.
    fn index(&self) -> u64 {
        self.produced + self.out.tokens.len() as u64
    }

    /// `.importonce`
    fn mark_once(&mut self, file: u32, way: Way) {
        let file = self.sources.identity(file);
        let [preprocessor, source] = &mut self.flow.once_by;
        if way != Way::Source {
            Rc::make_mut(preprocessor).insert(file);
        }
        if way != Way::Preprocessor {
            Rc::make_mut(source).insert(file);
        }
    }

    /// Whether a file is there already and wants to be there once.
    fn is_there(&self, file: u32, way: Way) -> bool {
        let file = self.sources.identity(file);
        let book = &self.flow.once_by[usize::from(way == Way::Source)];
        self.flow.once.contains(&file) || book.contains(&file)
    }

    /// The number of a string.
    fn string(&mut self, text: &str) -> u32 {
        let id = self.string_ids.intern(text);
        if id.0 as usize == self.out.strings.len() {
            self.out.strings.push(Rc::new(Text::new(self.string_ids.get(id))));
        }
        id.0
    }
}
