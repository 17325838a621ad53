//! The scanner: one file, character by character, into the token stream. Brackets are paired on the way.
//! It pauses where another file is imported and where a piece of the stream may end.

use std::sync::Arc;

use logos::Logos;

use super::kept::KeptText;
use super::preprocess::Conditions;
use super::{Flow, Kind, Lexer, MultiRef, PIECE, Stage, Token, Unclosed, Way};
use crate::codes::Code;
use crate::intern::{Interner, Name};
use crate::names;
use crate::report::Report;
use tempo_diagnostics::Span;

/// What the scanner tells apart before names are looked up.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\x0b\x0c]+")]
#[logos(skip(r"//[^\r\n]*", allow_greedy = true))]
#[logos(skip r"/\*[^*]*\*+([^/*][^*]*\*+)*/")]
pub(super) enum Raw {
    #[regex(r"\r\n|\n|\r")]
    Newline,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Ident,
    #[regex(r"\.[A-Za-z_][A-Za-z0-9_]*")]
    DotIdent,
    #[regex(r"[0-9][0-9_]*")]
    Decimal,
    #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*")]
    Fraction,
    #[regex(r"\$[0-9A-Fa-f][0-9A-Fa-f_]*")]
    Hex,
    #[regex(r"%[01][01_]*")]
    Binary,
    #[regex(r#""[^"\r\n]*""#)]
    Plain,
    #[regex(r#"@"([^"\\\r\n]|\\[^\r\n])*""#)]
    Escaped,
    #[token("\"")]
    #[token("@\"")]
    OpenString,
    #[token("/*")]
    OpenComment,
    #[regex(r"'[^\r\n]'")]
    #[regex(r"'\\[nrtbf\\']'")]
    #[regex(r"'\\\$[0-9A-Fa-f][0-9A-Fa-f]'")]
    Char,
    #[regex(r"!([A-Za-z_][A-Za-z0-9_]*)?(\++|-+)")]
    MultiRef,
    #[token(";")]
    Semicolon,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("@")]
    At,
    #[token("#")]
    Hash,
    #[token("!")]
    Bang,
    #[token("~")]
    Tilde,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("&")]
    And,
    #[token("&&")]
    AndAnd,
    #[token("|")]
    Or,
    #[token("||")]
    OrOr,
    #[token("^")]
    Caret,
    #[token("?")]
    Question,
    #[token("=")]
    Assign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    #[regex(r"[$%']")]
    Stray,
}

/// How many brackets may be open at once: far more than the parser takes, far fewer than a hostile file has.
const MAX_OPEN: usize = 100_000;

/// A bracket that waits for its partner.
pub(super) struct Open {
    pub closer: Kind,
    pub span: Span,
    /// Its number in the stream.
    pub index: u64,
}

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
    /// Where lines begin that conditions leave out, behind the line of a directive.
    pub left_out: Option<usize>,
    pub way: Way,
    /// The unit around a file that is one itself, and what goes on there.
    pub outside: Option<(u32, Flow)>,
    /// What earlier runs left of its tokens, if they are kept.
    pub kept: Option<Arc<KeptText>>,
    /// Whether some of it was not there.
    pub is_scanned: bool,
}

/// What the current line had so far.
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
        if names::mnemonic(name).is_some() { Line::Instruction } else { Line::Other }
    }

    /// After a token that cannot begin an instruction but be part of one.
    #[inline]
    pub fn goes_on(&mut self) {
        if *self != Line::Instruction {
            *self = Line::Other;
        }
    }

    /// After a bracket or an operator: the statement may go on in the next line, unless it was a block.
    #[inline]
    pub fn after(kind: Kind) -> Line {
        if kind == Kind::RightBrace { Line::Block } else { Line::Other }
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
        let OpenFile { file, base, way, .. } = *state;
        let shared = state.text.clone();
        let text = shared.as_str();
        let mut raw = Raw::lexer(text);
        loop {
            if self.is_quick && state.conditions.is_active() && self.usual_tokens(state, text, names) {
                return Stop::Full;
            }
            if self.is_too_deep || self.is_unplanned || self.out.reports.len() > self.options.limits.errors {
                self.stop();
                return Stop::End;
            }
            raw.bump(state.at - raw.span().end);
            let Some(token) = raw.next() else { return Stop::End };
            let (start, mut at) = (raw.span().start, raw.span().end);
            let span = Span { start: base + start as u32, end: base + at as u32 };
            let glued = start == state.last_end;
            (state.at, state.last_end) = (at, at);
            let Ok(token) = token else {
                if state.conditions.is_active() {
                    self.push(Kind::Stray, glued, 0, span);
                }
                state.line = Line::Other;
                continue;
            };
            match token {
                Raw::Newline => {
                    state.after_statement = state.line.ends_statement();
                    state.line = Line::Empty;
                    if state.conditions.is_active() && state.has_newlines() {
                        self.push(Kind::Newline, glued, 0, span);
                    }
                    continue;
                }
                Raw::Hash if state.line == Line::Empty => {
                    state.at = start;
                    if state.kept.is_some() {
                        return Stop::Directive;
                    }
                    self.directive_line(state, text, names);
                    if self.entering.is_some() {
                        return Stop::Import;
                    }
                    continue;
                }
                Raw::OpenString => {
                    let rest = &text[at..];
                    at += rest.find(['\r', '\n']).unwrap_or(rest.len());
                    let open = Span { start: span.start, end: base + at as u32 };
                    self.report_text(Code::UnterminatedString, open, "Unterminated string");
                    state.at = at;
                    state.line = Line::Other;
                    continue;
                }
                Raw::OpenComment => {
                    self.report(Code::UnterminatedComment, span, "Unterminated comment");
                    return Stop::End;
                }
                _ => {}
            }
            let word = &text[start..at];
            if !state.conditions.is_active() {
                if token == Raw::Escaped {
                    // Unknown escapes are errors in untaken text, too.
                    self.unescape(&word[2..word.len() - 1], span.start + 2);
                }
                state.line = Line::Other;
                continue;
            }
            match token {
                Raw::Ident => {
                    let name = names.intern(word);
                    if state.line == Line::Empty {
                        if state.after_statement
                            && name != names::ELSE
                            && self.may_cut(self.out.tokens.len(), &state.open)
                        {
                            (state.at, state.last_end) = (start, usize::MAX);
                            return Stop::Full;
                        }
                        state.line = Line::begun_by(name);
                    } else {
                        state.line.goes_on();
                    }
                    self.push(Kind::Ident, glued, name.0, span);
                    continue;
                }
                Raw::DotIdent => {
                    let name = names.intern(&word[1..]);
                    if name == names::IMPORTONCE {
                        self.mark_once(file, way);
                    }
                    self.push(Kind::DotIdent, glued, name.0, span);
                }
                Raw::Decimal | Raw::Hex | Raw::Binary | Raw::Fraction => {
                    self.number(token, word, glued, span);
                    state.line.goes_on();
                    continue;
                }
                Raw::Comma | Raw::Hash | Raw::Plus => {
                    self.push(simple(token), glued, 0, span);
                    state.line.goes_on();
                    continue;
                }
                Raw::Plain => {
                    let content = &word[1..word.len() - 1];
                    let id = self.string(content);
                    self.push(Kind::String, glued, id, span);
                    self.source_import(state, text, content);
                    if self.entering.is_some() {
                        state.line = Line::Other;
                        return Stop::Import;
                    }
                }
                Raw::Escaped => {
                    let content = self.unescape(&word[2..word.len() - 1], span.start + 2);
                    let id = self.string(&content);
                    self.push(Kind::String, glued, id, span);
                    self.source_import(state, text, &content);
                    if self.entering.is_some() {
                        state.line = Line::Other;
                        return Stop::Import;
                    }
                }
                Raw::Char => {
                    let mut chars = word[1..].chars();
                    let first = chars.next().unwrap_or('\'');
                    let value = match (first, word.len()) {
                        ('\\', 4) => unescape_char(chars.next().unwrap_or('\\')),
                        ('\\', 6) => tempo_formats::encoding::raw(
                            u8::from_str_radix(&word[3..5], 16).unwrap_or_default(),
                        ),
                        _ => first,
                    };
                    self.push(Kind::Char, glued, value as u32, span);
                }
                Raw::MultiRef => {
                    let signs =
                        word.trim_start_matches(|c: char| c == '!' || c == '_' || c.is_ascii_alphanumeric());
                    let name = names.intern(&word[1..word.len() - signs.len()]);
                    let count = signs.len() as i32;
                    let distance = if signs.starts_with('+') { count } else { -count };
                    let id = self.out.multi_refs.len() as u32;
                    self.out.multi_refs.push(MultiRef { name, distance });
                    self.push(Kind::MultiRef, glued, id, span);
                }
                _ => {
                    let mut kind = simple(token);
                    if kind.is_bracket() {
                        let index = self.index();
                        kind = self.bracket(&mut state.open, kind, span, index);
                    }
                    self.push(kind, glued, 0, span);
                    state.line = Line::after(kind);
                    continue;
                }
            }
            // Anything but the parts of an operand: the statement may go on in the next line.
            state.line = Line::Other;
        }
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

    /// Whether the piece, of so many tokens, may end between two statements here: it is long enough, no bracket is
    /// open, and the parser agrees, because none was left open before.
    pub(super) fn may_cut(&self, len: usize, open: &[Open]) -> bool {
        len >= PIECE
            && open.is_empty()
            && self.out.is_balanced
            && self.stack.iter().all(|file| file.open.is_empty())
    }

    /// Pairs a bracket that was read. Returns the token it is: one without a beginning is none of a statement.
    pub(super) fn bracket(&mut self, open: &mut Vec<Open>, kind: Kind, span: Span, index: u64) -> Kind {
        let closer = match kind {
            Kind::LeftBrace => Kind::RightBrace,
            Kind::LeftParen => Kind::RightParen,
            Kind::LeftBracket => Kind::RightBracket,
            _ => return self.close(open, kind, span, index),
        };
        open.push(Open { closer, span, index });
        if open.len() > MAX_OPEN {
            // Each of them would be reported as well, and what the parser says about them.
            open.clear();
            self.is_too_deep = true;
            self.out.unclosed.push(Unclosed { unit: self.unit, start: 0, end: u64::MAX });
            self.report(Code::NestingTooDeep, span, format!("More than {MAX_OPEN} levels of nesting"));
        }
        kind
    }

    fn close(&mut self, open: &mut Vec<Open>, kind: Kind, span: Span, index: u64) -> Kind {
        // Brackets opened inside a pair that ends here have no end of their own.
        match open.iter().rposition(|open| open.closer == kind) {
            Some(partner) => {
                for unclosed in open.drain(partner..).skip(1) {
                    self.unclosed(&unclosed, index);
                }
                kind
            }
            None => {
                self.unbalanced(span, index, "Missing start token");
                Kind::Stray
            }
        }
    }

    /// A bracket has no end up to a place of the stream.
    pub(super) fn unclosed(&mut self, open: &Open, end: u64) {
        self.unbalanced(open.span, end, "Missing end token");
        self.out.unclosed.push(Unclosed { unit: self.unit, start: open.index, end });
    }

    fn unbalanced(&mut self, span: Span, index: u64, message: &str) {
        self.out.is_balanced = false;
        // A file of brackets has one fault per bracket; those past the limit are not reported.
        if self.out.reports.len() <= self.options.limits.errors {
            let report = Report::error(Code::UnbalancedBracket, span, message);
            self.found_at(Stage::Parsing, index, report);
        }
    }

    fn number(&mut self, token: Raw, word: &str, glued: bool, span: Span) {
        let radix = match token {
            Raw::Hex => 16,
            Raw::Binary => 2,
            Raw::Decimal => 10,
            _ => {
                let value = word.replace('_', "").parse().unwrap_or(f64::INFINITY);
                return self.push_number(value, glued, span);
            }
        };
        let digits = if radix == 10 { word } else { &word[1..] };
        if digits.len() <= 8 {
            // Eight digits of any of the three radixes fit.
            let fold = |sum: u32, byte: u8| match char::from(byte).to_digit(radix) {
                Some(digit) => sum * radix + digit,
                None => sum,
            };
            let value = digits.bytes().fold(0, fold);
            return self.push(Kind::Int, glued, value, span);
        }
        let plain = digits.replace('_', "");
        let value = match radix {
            10 => plain.parse().unwrap_or(f64::INFINITY),
            _ => plain
                .chars()
                .filter_map(|c| c.to_digit(radix))
                .fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit)),
        };
        self.push_number(value, glued, span);
    }

    fn push_number(&mut self, value: f64, glued: bool, span: Span) {
        if value.fract() == 0.0 && (0.0..=4_294_967_295.0).contains(&value) {
            return self.push(Kind::Int, glued, value as u32, span);
        }
        let id = self.out.numbers.len() as u32;
        self.out.numbers.push(value);
        self.push(Kind::Number, glued, id, span);
    }

    /// The content of an `@"…"` string.
    fn unescape(&mut self, content: &str, start: u32) -> String {
        let mut text = String::with_capacity(content.len());
        let mut rest = content.char_indices();
        while let Some((at, c)) = rest.next() {
            if c != '\\' {
                text.push(c);
                continue;
            }
            match rest.next() {
                Some((_, escape @ ('b' | 't' | 'n' | 'f' | 'r' | '\\' | '"'))) => {
                    text.push(unescape_char(escape))
                }
                Some((dollar, '$')) => {
                    let digits = content.get(dollar + 1..dollar + 3);
                    let byte = digits
                        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
                        .and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    match byte {
                        Some(byte) => {
                            text.push(tempo_formats::encoding::raw(byte));
                            rest.nth(1);
                        }
                        None => self.unknown_escape(start + at as u32),
                    }
                }
                _ => self.unknown_escape(start + at as u32),
            }
        }
        text
    }

    fn unknown_escape(&mut self, at: u32) {
        self.report_text(Code::UnknownEscape, Span { start: at, end: at + 1 }, "Unknown escape code");
    }

    /// After a string: if it is that of `.import source "file"`, in any number of brackets, and nothing else follows,
    /// the file does.
    fn source_import(&mut self, state: &mut OpenFile, text: &str, name: &str) {
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
        let mut at = state.at;
        let mut closers = Vec::with_capacity(openers.len());
        for opener in openers {
            let (closer, kind) = match opener {
                Kind::LeftParen => (')', Kind::RightParen),
                _ => (']', Kind::RightBracket),
            };
            let rest = past_blanks(&text[at..], &[' ', '\t', '\u{b}', '\u{c}', '\r', '\n']);
            if !rest.starts_with(closer) {
                return;
            }
            let start = text.len() - rest.len();
            at = start + 1;
            closers.push((kind, start));
        }
        let rest = past_blanks(&text[at..], &[' ', '\t', '\u{b}', '\u{c}']);
        if !rest.is_empty() && !rest.starts_with(['\r', '\n', ';', '}']) {
            return;
        }
        for (kind, start) in closers {
            let span = Span { start: state.base + start as u32, end: state.base + start as u32 + 1 };
            let index = self.index();
            let kind = self.bracket(&mut state.open, kind, span, index);
            self.push(kind, start == state.last_end, 0, span);
            (state.at, state.last_end) = (start + 1, start + 1);
        }
        self.import_source(state.file, name, from);
    }
}

/// What follows blanks and comments.
fn past_blanks<'t>(text: &'t str, blanks: &[char]) -> &'t str {
    let mut rest = text.trim_start_matches(blanks);
    loop {
        let comment = if rest.starts_with("//") {
            rest.find(['\r', '\n']).unwrap_or(rest.len())
        } else if rest.starts_with("/*")
            && let Some(len) = rest[2..].find("*/")
        {
            len + 4
        } else {
            return rest;
        };
        rest = rest[comment..].trim_start_matches(blanks);
    }
}

fn unescape_char(escape: char) -> char {
    match escape {
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'f' => '\u{c}',
        'r' => '\r',
        other => other,
    }
}

/// Tokens that are their own spelling.
fn simple(token: Raw) -> Kind {
    match token {
        Raw::LeftBrace => Kind::LeftBrace,
        Raw::RightBrace => Kind::RightBrace,
        Raw::LeftParen => Kind::LeftParen,
        Raw::RightParen => Kind::RightParen,
        Raw::LeftBracket => Kind::LeftBracket,
        Raw::RightBracket => Kind::RightBracket,
        Raw::Semicolon => Kind::Semicolon,
        Raw::Comma => Kind::Comma,
        Raw::Colon => Kind::Colon,
        Raw::Dot => Kind::Dot,
        Raw::At => Kind::At,
        Raw::Hash => Kind::Hash,
        Raw::Bang => Kind::Bang,
        Raw::Tilde => Kind::Tilde,
        Raw::Plus => Kind::Plus,
        Raw::Minus => Kind::Minus,
        Raw::Star => Kind::Star,
        Raw::Slash => Kind::Slash,
        Raw::Less => Kind::Less,
        Raw::LessEqual => Kind::LessEqual,
        Raw::Greater => Kind::Greater,
        Raw::GreaterEqual => Kind::GreaterEqual,
        Raw::Equal => Kind::Equal,
        Raw::NotEqual => Kind::NotEqual,
        Raw::ShiftLeft => Kind::ShiftLeft,
        Raw::ShiftRight => Kind::ShiftRight,
        Raw::And => Kind::And,
        Raw::AndAnd => Kind::AndAnd,
        Raw::Or => Kind::Or,
        Raw::OrOr => Kind::OrOr,
        Raw::Caret => Kind::Caret,
        Raw::Question => Kind::Question,
        Raw::Assign => Kind::Assign,
        Raw::PlusAssign => Kind::PlusAssign,
        Raw::MinusAssign => Kind::MinusAssign,
        Raw::StarAssign => Kind::StarAssign,
        Raw::SlashAssign => Kind::SlashAssign,
        Raw::PlusPlus => Kind::PlusPlus,
        Raw::MinusMinus => Kind::MinusMinus,
        _ => Kind::Stray,
    }
}
