//! Text into tokens. Imported files are read here and put into the stream where they are imported.
//! Knows characters, brackets and the preprocessor; knows nothing of statements or values.
//!
//! The stream comes in pieces that end between two statements, so that the tokens of a large source never lie in
//! memory all at once.

mod preprocess;
mod quick;
mod scan;
mod token;
mod tokens;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub(crate) use token::{Flag, Kind, MultiRef, Token};
pub use tokens::{SourceToken, TokenKind, tokens};

use crate::codes::Code;
use crate::files::Files;
use crate::intern::{Interner, Name};
use crate::options::{Cancel, Options};
use crate::report::Report;
use crate::source::Sources;
use crate::values::Text;
use diagnostics::Span;
use scan::{OpenFile, Stop};

/// A piece of the stream is complete at the first safe place after so many tokens. Tests run with small ones, so that
/// every source of theirs is cut.
const PIECE: usize = if cfg!(debug_assertions) { 16 } else { 4096 };

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
    pub reports: Vec<Report>,
    /// Whether all brackets have their partner; without that there is no tree.
    pub is_balanced: bool,
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
    /// A file to read before the current one continues, and the place of the import.
    entering: Option<(u32, Span)>,
    /// The spellings of the strings, by their numbers.
    string_ids: Interner,
    /// Preprocessor symbols that are set.
    defines: HashSet<Name>,
    /// Files that said `#importonce`.
    once: HashSet<u32>,
    /// Files by path, so that a second import shares the text.
    loaded: HashMap<String, u32>,
    /// Bytes tokenised, repeated imports counted again.
    read: u64,
    /// More brackets are open than any source has; the rest is not read.
    is_too_deep: bool,
    /// Usual tokens go the short way; a test looks whether it leads to the same place.
    is_quick: bool,
}

impl<'a> Lexer<'a> {
    /// A lexer of root files that are already in `sources`.
    pub fn new(
        files: &'a dyn Files,
        sources: &'a mut Sources,
        roots: &[u32],
        options: &'a Options,
        names: &mut Interner,
    ) -> Lexer<'a> {
        let mut lexer = Lexer {
            files,
            sources,
            options,
            out: Tokens {
                tokens: Vec::with_capacity(PIECE + PIECE / 4),
                numbers: Vec::new(),
                strings: Vec::new(),
                multi_refs: Vec::new(),
                flags: Vec::new(),
                imports: Vec::new(),
                reports: Vec::new(),
                is_balanced: true,
            },
            roots: roots.iter().rev().copied().collect(),
            stack: Vec::new(),
            entering: None,
            string_ids: Interner::with_capacity(0),
            defines: HashSet::new(),
            once: HashSet::new(),
            loaded: HashMap::new(),
            read: 0,
            is_too_deep: false,
            is_quick: true,
        };
        for define in &options.defines {
            let name = names.intern(define);
            lexer.defines.insert(name);
        }
        lexer
    }

    /// Characters of the root files.
    pub fn root_len(&self) -> usize {
        self.roots.iter().map(|&root| self.sources.text(root).len()).sum()
    }

    /// Replaces the tokens by those of the next piece. False if there is none; then only `End` is left.
    pub fn fill(&mut self, names: &mut Interner) -> bool {
        self.out.tokens.clear();
        if self.options.cancel.is_cancelled() && !self.is_cancelled() {
            self.out.reports.push(Report::error(Code::Cancelled, None, Cancel::MESSAGE));
            self.stop();
        }
        loop {
            let Some(mut file) = self.stack.pop() else {
                let Some(root) = self.roots.pop() else { break };
                let start = self.sources.base(root);
                let end = start + self.sources.text(root).len() as u32;
                self.enter(root, Span::at(start), Span::at(end));
                continue;
            };
            match self.scan(&mut file, names) {
                Stop::Full => {
                    self.push(Kind::End, false, 0, Span::at(file.base + file.at as u32));
                    self.stack.push(file);
                    return true;
                }
                Stop::Import => {
                    self.stack.push(file);
                    if let Some((imported, from)) = self.entering.take() {
                        self.enter(imported, from, from);
                    }
                }
                Stop::End => {
                    for open in &file.open {
                        self.unbalanced(open.span, "Missing end token");
                    }
                    // A file always ends its last statement.
                    self.push(Kind::Newline, false, 0, Span::at(file.base + file.text.len() as u32));
                    self.push(Kind::ImportEnd, false, file.file, file.end);
                }
            }
        }
        let has_tokens = !self.out.tokens.is_empty();
        let last = self.out.tokens.last().map_or(Span::at(0), |token| Span::at(token.span.start));
        self.push(Kind::End, false, 0, last);
        has_tokens
    }

    fn is_cancelled(&self) -> bool {
        self.out.reports.last().is_some_and(|report| report.code == Code::Cancelled)
    }

    /// Leaves the rest of all files unread; without it the text is not balanced.
    fn stop(&mut self) {
        self.out.is_balanced = false;
        self.roots.clear();
        self.stack.clear();
    }

    /// Goes into a file; the marks around its tokens have the places given.
    fn enter(&mut self, file: u32, start: Span, end: Span) {
        self.push(Kind::ImportStart, false, file, start);
        let base = self.sources.base(file);
        let text = self.sources.shared_text(file);
        self.read += text.len() as u64;
        self.stack.push(OpenFile::new(file, base, text, end));
    }

    #[inline]
    fn push(&mut self, kind: Kind, glued: bool, data: u32, span: Span) {
        self.out.tokens.push(Token { kind, glued, data, span });
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.out.reports.push(Report::error(code, span, message));
    }

    /// The number of a string, which is known to be text.
    fn string(&mut self, text: &[u8]) -> u32 {
        let id = self.string_ids.intern_bytes(text);
        if id.0 as usize == self.out.strings.len() {
            self.out.strings.push(Rc::new(Text::new(self.string_ids.get(id))));
        }
        id.0
    }
}
