//! The scanner: one file into the token stream. Brackets are paired on the way.
//! It pauses where another file is imported and where a piece of the stream may end.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use logos::Logos;

use super::brackets::Open;
use super::kept::KeptText;
use super::literals::character;
use super::preprocess::Conditions;
use super::token::pass_blanks;
use super::words::name_at;
use super::{Flow, Kind, Lexer, PIECE, Token, Way};
use crate::codes::Code;
use crate::intern::{Interner, Name};
use crate::names;
use tempo_diagnostics::Span;

/// A file that is being read: everything needed to go on with it.
pub(super) struct OpenFile {
    pub file: u32,
    pub base: u32,
    /// Shared, because imports add to the sources while this one is read.
    pub text: Arc<String>,
    /// The place of the mark that ends its tokens.
    pub end: Span,
    /// How far it is read.
    pub at: usize,
    /// Where the token before ended; a token that starts there is glued to it.
    pub last_end: usize,
    pub open: Vec<Open>,
    conditions: Conditions,
    pub line: Line,
    /// The line before ended a statement, so another one begins with this one.
    pub after_statement: bool,
    /// Starts of the lines that a condition skips, after the line of its directive.
    pub left_out: Option<usize>,
    pub way: Way,
    /// The file beside which its `#import`s search.
    pub beside: u32,
    /// The unit around a file that is one itself, and what goes on there.
    pub outside: Option<(u32, Flow)>,
    /// Its tokens from earlier runs, if they are kept.
    pub kept: Option<Arc<KeptText>>,
    /// Whether some of it was not there.
    pub is_scanned: bool,
}

/// The kind of the current line so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Empty,
    /// An instruction and nothing that could go on in the next line.
    Instruction,
    /// It ends with the brace that closes a block.
    Block,
    Other,
}

impl Line {
    pub fn begun_by(name: Name) -> Line {
        if names::is_common_mnemonic(name) { Line::Instruction } else { Line::Other }
    }

    /// After a token that cannot begin an instruction but be part of one.
    #[inline]
    pub fn goes_on(&mut self) {
        if *self != Line::Instruction {
            *self = Line::Other;
        }
    }

    /// Whether a name in the next line begins a statement, if it is not `else`.
    #[inline]
    pub fn ends_statement(self) -> bool {
        matches!(self, Line::Instruction | Line::Block)
    }
}

/// Why scanning pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The piece is complete.
    Full,
    /// A line of the preprocessor comes, in a file whose tokens are kept.
    Directive,
    /// Another file comes first.
    Import,
    End,
}

/// An interruption of the loop over the tokens.
enum Pause {
    Stop(Stop),
    /// A string, or a comment without its end, was read and is not in the stream yet.
    Quoted(Kind),
    /// A fault that ends the reading.
    Fault,
}

impl OpenFile {
    pub fn new(
        file: u32,
        base: u32,
        text: Arc<String>,
        end: Span,
        way: Way,
        outside: Option<(u32, Flow)>,
    ) -> OpenFile {
        OpenFile {
            file,
            base,
            text,
            end,
            at: 0,
            last_end: usize::MAX,
            open: Vec::new(),
            conditions: Conditions::default(),
            line: Line::Empty,
            after_statement: false,
            left_out: None,
            way,
            beside: file,
            outside,
            kept: None,
            is_scanned: false,
        }
    }

    /// Whether the text is used, and not left out by a condition.
    pub fn is_active(&self) -> bool {
        self.conditions.is_active()
    }

    /// The `#if`s that are not ended.
    pub fn open_conditions(&self) -> impl Iterator<Item = Span> {
        self.conditions.open()
    }

    /// Its number and the offset of its first byte.
    fn place(&self) -> (u32, u32) {
        (self.file, self.base)
    }

    /// Whether line ends count here; inside parentheses they do not.
    pub fn has_newlines(&self) -> bool {
        self.open.last().is_none_or(|open| open.closer == Kind::RightBrace)
    }
}

impl Lexer<'_> {
    /// Tokenises a file from where it was left.
    pub(super) fn scan(&mut self, state: &mut OpenFile, names: &mut Interner) -> Stop {
        let shared = state.text.clone();
        let text = shared.as_str();
        loop {
            if self.is_at_its_end() {
                self.stop();
                return Stop::End;
            }
            let mut raw = Kind::lexer(text);
            raw.bump(state.at);
            let pause = if state.is_active() {
                // At hand while they grow.
                let mut tokens = std::mem::take(&mut self.out.tokens);
                let pause = self.scan_used(&mut tokens, state, &mut raw, names);
                self.out.tokens = tokens;
                pause
            } else {
                scan_left_out(state, &mut raw)
            };
            let stop = match pause {
                Pause::Fault => None,
                Pause::Stop(Stop::Directive) if state.kept.is_none() => {
                    self.directive_line(state, text, names);
                    None
                }
                Pause::Stop(stop) => Some(stop),
                Pause::Quoted(quotes) => self.quoted(quotes, state, raw),
            };
            if self.entering.is_some() {
                return Stop::Import;
            }
            if let Some(stop) = stop {
                return stop;
            }
        }
    }

    /// Whether a fault or a missing plan ends the reading here.
    pub(super) fn is_at_its_end(&self) -> bool {
        self.is_too_deep || self.is_unplanned || self.out.reports.len() > self.options.limits.errors
    }

    /// Tokenises text that is used, up to the next pause.
    fn scan_used(
        &mut self,
        tokens: &mut Vec<Token>,
        state: &mut OpenFile,
        raw: &mut logos::Lexer<'_, Kind>,
        names: &mut Interner,
    ) -> Pause {
        let text = raw.source().as_bytes();
        let base = state.base;
        let mut line = state.line;
        let mut last_end = state.last_end;
        let mut has_newlines = state.has_newlines();
        let mut after_statement = state.after_statement;
        let (at, pause) = loop {
            let Some(token) = raw.next() else { break (text.len(), Pause::Stop(Stop::End)) };
            let Range { start, end } = raw.span();
            let span = || Span { start: base + start as u32, end: base + end as u32 };
            let (kind, data) = match token {
                Ok(Kind::Ident) => {
                    let name = name_at(names, raw.source(), start, end);
                    if line == Line::Empty {
                        if after_statement && name != names::ELSE && self.may_cut(tokens.len(), &state.open) {
                            last_end = usize::MAX;
                            break (start, Pause::Stop(Stop::Full));
                        }
                        line = Line::begun_by(name);
                    } else {
                        line.goes_on();
                    }
                    (Kind::Ident, name.0)
                }
                Ok(Kind::Newline) => {
                    after_statement = line.ends_statement();
                    line = Line::Empty;
                    if has_newlines {
                        tokens.push(Token {
                            kind: Kind::Newline,
                            glued: start == last_end,
                            data: 0,
                            span: span(),
                        });
                    }
                    last_end = end;
                    pass_blanks::<8>(raw);
                    continue;
                }
                Ok(number @ (Kind::Decimal | Kind::Hex | Kind::Binary | Kind::Fraction)) => {
                    line.goes_on();
                    match number {
                        Kind::Decimal => self.number::<10>(&text[start..end]),
                        Kind::Hex => self.number::<16>(&text[start + 1..end]),
                        Kind::Binary => self.number::<2>(&text[start + 1..end]),
                        _ => self.fraction(&text[start..end]),
                    }
                }
                Ok(Kind::Hash) if line == Line::Empty => {
                    break (start, Pause::Stop(Stop::Directive));
                }
                Ok(kind @ (Kind::Comma | Kind::Hash | Kind::Plus)) => {
                    line.goes_on();
                    (kind, 0)
                }
                Ok(kind) if kind.is_bracket() => {
                    let index = self.produced + tokens.len() as u64;
                    let kind = self.bracket(&mut state.open, kind, span(), index);
                    has_newlines = state.has_newlines();
                    line = if kind == Kind::RightBrace { Line::Block } else { Line::Other };
                    tokens.push(Token { kind, glued: start == last_end, data: 0, span: span() });
                    last_end = end;
                    if self.is_at_its_end() {
                        break (end, Pause::Fault);
                    }
                    continue;
                }
                Ok(Kind::DotIdent) => {
                    let name = name_at(names, raw.source(), start + 1, end);
                    if name == names::IMPORTONCE {
                        self.mark_once(state.file, state.way);
                    }
                    line = Line::Other;
                    (Kind::DotIdent, name.0)
                }
                Ok(Kind::Comment) => continue,
                Ok(
                    quotes @ (Kind::PlainString | Kind::EscapedString | Kind::OpenString | Kind::OpenComment),
                ) => {
                    line = Line::Other;
                    break (end, Pause::Quoted(quotes));
                }
                Ok(Kind::Char) => {
                    line = Line::Other;
                    (Kind::Char, character(raw.slice()) as u32)
                }
                Ok(Kind::MultiRef) => {
                    line = Line::Other;
                    (Kind::MultiRef, self.multi_ref(names, raw.slice()))
                }
                other => {
                    line = Line::Other;
                    (other.unwrap_or(Kind::Stray), 0)
                }
            };
            tokens.push(Token { kind, glued: start == last_end, data, span: span() });
            last_end = end;
            pass_blanks::<1>(raw);
        };
        (state.at, state.last_end, state.line) = (at, last_end, line);
        state.after_statement = after_statement;
        pause
    }

    /// Handles a string, or a comment without its end, that was just read, in used text or in text that is left out.
    fn quoted(&mut self, quotes: Kind, state: &mut OpenFile, raw: logos::Lexer<'_, Kind>) -> Option<Stop> {
        let Range { start, end } = raw.span();
        let span = Span::new(start, end).shifted(state.base);
        let word = raw.slice();
        let content = match quotes {
            Kind::PlainString => Cow::Borrowed(&word[1..word.len() - 1]),
            Kind::EscapedString => Cow::Owned(self.unescape(&word[2..word.len() - 1], span.start + 2)),
            Kind::OpenString => {
                self.report_text(Code::UnterminatedString, span, "Unterminated string");
                return None;
            }
            _ => {
                let opener = Span { end: span.start + 2, ..span };
                self.report(Code::UnterminatedComment, opener, "Unterminated comment");
                return Some(Stop::End);
            }
        };
        if state.is_active() {
            let id = self.string(&content);
            self.push(Kind::String, start == state.last_end, id, span);
            state.last_end = end;
            self.source_import(state, raw, &content);
        }
        None
    }

    /// Executes the directive whose `#` comes next.
    pub(super) fn directive_line(&mut self, state: &mut OpenFile, text: &str, names: &mut Interner) {
        let start = state.at;
        self.leave_out(state, text, start);
        state.at = self.directive(names, state.place(), text, start, &mut state.conditions);
        let rest = text[state.at..].trim_start_matches('\r');
        let next = text.len() - rest.strip_prefix('\n').unwrap_or(rest).len();
        state.left_out = (!state.conditions.is_active()).then_some(next);
        state.last_end = usize::MAX;
        (state.line, state.after_statement) = (Line::Other, false);
    }

    /// Notes the lines that conditions left out up to a place.
    pub(super) fn leave_out(&mut self, state: &mut OpenFile, text: &str, end: usize) {
        let Some(start) = state.left_out.take() else { return };
        if text.get(start..end).is_some_and(|lines| lines.contains(['\n', '\r'])) {
            self.out.left_out.push(Span::new(start, end).shifted(state.base));
        }
    }

    /// Whether the piece, of this many tokens, may end between two statements here: it is long enough, no bracket is
    /// open, and the parser agrees, because none was left open before.
    pub(super) fn may_cut(&self, len: usize, open: &[Open]) -> bool {
        len >= PIECE
            && open.is_empty()
            && self.out.is_balanced
            && self.stack.iter().all(|file| file.open.is_empty())
    }

    /// After a string: if it is that of `.import source "file"`, in any number of brackets, and nothing else follows,
    /// the file does.
    fn source_import(&mut self, state: &mut OpenFile, mut raw: logos::Lexer<'_, Kind>, name: &str) {
        let before = &self.out.tokens[..self.out.tokens.len() - 1];
        let is_opener = |token: &&Token| matches!(token.kind, Kind::LeftParen | Kind::LeftBracket);
        let openers: Vec<Kind> = before.iter().rev().take_while(is_opener).map(|token| token.kind).collect();
        let [.., directive, kind] = &before[..before.len() - openers.len()] else { return };
        let is_import = directive.kind == Kind::DotIdent && Name(directive.data) == names::IMPORT;
        if !is_import || kind.kind != Kind::Ident || Name(kind.data) != names::SOURCE {
            return;
        }
        self.source_imports += 1;
        let from = directive.span;
        let mut closers = Vec::with_capacity(openers.len());
        for opener in openers {
            let closer = match opener {
                Kind::LeftParen => Kind::RightParen,
                _ => Kind::RightBracket,
            };
            let is_blank = |token: &Result<Kind, ()>| matches!(token, Ok(Kind::Newline | Kind::Comment));
            if raw.find(|token| !is_blank(token)) != Some(Ok(closer)) {
                return;
            }
            closers.push((closer, raw.span()));
        }
        let next = raw.find(|token| *token != Ok(Kind::Comment));
        let is_end = matches!(next, None | Some(Ok(Kind::Newline | Kind::Semicolon | Kind::RightBrace)));
        if !is_end {
            return;
        }
        for (kind, Range { start, end }) in closers {
            let span = Span::new(start, end).shifted(state.base);
            let index = self.index();
            let kind = self.bracket(&mut state.open, kind, span, index);
            self.push(kind, start == state.last_end, 0, span);
            (state.at, state.last_end) = (end, end);
        }
        self.import_source(state.file, name, from);
    }
}

/// Passes over text that conditions leave out: only directives count, and faults that are met in any text.
fn scan_left_out(state: &mut OpenFile, raw: &mut logos::Lexer<'_, Kind>) -> Pause {
    let mut line = state.line;
    let (at, pause) = loop {
        let Some(token) = raw.next() else { break (raw.span().end, Pause::Stop(Stop::End)) };
        line = match token {
            Ok(Kind::Newline) => Line::Empty,
            Ok(Kind::Comment) => continue,
            Ok(Kind::Hash) if line == Line::Empty => {
                break (raw.span().start, Pause::Stop(Stop::Directive));
            }
            Ok(quotes @ (Kind::EscapedString | Kind::OpenString | Kind::OpenComment)) => {
                line = Line::Other;
                break (raw.span().end, Pause::Quoted(quotes));
            }
            _ => Line::Other,
        };
    };
    (state.at, state.line) = (at, line);
    pause
}
