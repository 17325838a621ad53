//! The parser of expressions, and the cursor over tokens that the parsers of statements share. Knows the grammar and the
//! two dialects; knows no symbol values.

mod alone;
mod expr;

pub use alone::{Known, expression};

use tempo_diagnostics::{Span, nearest};

use crate::ast::{Name, Text};
use crate::diag::{Code, Diagnostic};
use crate::lexer::{Kind, Token};
use crate::words;

/// Which language is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Everything the documentation describes.
    #[default]
    Full,
    /// The language that sim6502 accepts, with its meaning (`--compat`).
    Base,
}

/// The fault is already reported; the caller steps over the rest of the construct.
#[derive(Debug)]
pub struct Reported;

pub type Parse<T> = Result<T, Reported>;

/// Nesting deeper than this is refused: the parser is recursive, and so are those who read the tree.
const MAX_DEPTH: usize = 64;
/// Operators in one statement; a longer chain is refused for the same reason.
const MAX_OPERATORS: usize = 400;
/// After this many errors the rest would only bury them.
const MAX_ERRORS: usize = 50;

/// A cursor over the tokens of a text, the faults found so far, and the names bound at the current place.
pub struct Parser<'a> {
    text: &'a str,
    /// The first offset of the text; tokens count from there.
    base: u32,
    tokens: &'a [Token],
    /// Index of the current token.
    pub at: usize,
    /// The language that is read.
    pub dialect: Dialect,
    /// The faults so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Start of the last reported error: a second one at the same place is an echo.
    pub last_error: Option<u32>,
    end_reported: bool,
    depth: usize,
    /// Names bound by `define`, `each`, `forall` and parameters around the current place.
    pub names: Vec<String>,
    /// Any word that the language does not know may be a name.
    pub open_names: bool,
    /// Names of a program, for expressions outside of suites.
    known: Option<Known<'a>>,
    /// Comparisons may appear in brackets.
    in_condition: bool,
    /// Operators of the current statement: a chain of them is a deep tree.
    pub operators: usize,
}

impl<'a> Parser<'a> {
    /// A parser at the first of these tokens, whose spans count from `base`.
    pub fn new(text: &'a str, base: u32, tokens: &'a [Token], dialect: Dialect) -> Parser<'a> {
        Parser {
            text,
            base,
            tokens,
            at: 0,
            dialect,
            diagnostics: Vec::new(),
            last_error: None,
            end_reported: false,
            depth: 0,
            names: Vec::new(),
            open_names: false,
            known: None,
            in_condition: false,
            operators: 0,
        }
    }

    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    pub fn kind(&self) -> Kind {
        self.peek().kind
    }

    pub fn kind_at(&self, ahead: usize) -> Kind {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    pub fn text_of(&self, token: Token) -> &'a str {
        self.text_between(token.span.start, token.span.end)
    }

    pub fn text_between(&self, start: u32, end: u32) -> &'a str {
        &self.text[(start - self.base) as usize..(end - self.base) as usize]
    }

    /// The current token's text.
    pub fn word(&self) -> &'a str {
        self.text_of(self.peek())
    }

    /// Takes the current token.
    pub fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// The span of the token just consumed.
    pub fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub fn since(&self, start: Span) -> Span {
        start.to(self.last_span())
    }

    pub fn accept(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.kind() == Kind::Word && self.word() == word
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if diagnostic.is_error() {
            let start = diagnostic.span.map(|span| span.start);
            let echo = start.is_some() && self.last_error == start;
            self.last_error = start;
            let errors = self.diagnostics.iter().filter(|d| d.is_error()).count();
            if echo || errors >= MAX_ERRORS {
                return Reported;
            }
        }
        self.diagnostics.push(diagnostic);
        Reported
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(Code::Syntax, span, message))
    }

    /// Something only our language has: an error in the base language.
    pub fn ours(&mut self, span: Span, what: &str) {
        if self.dialect == Dialect::Base {
            self.report(
                Diagnostic::error(Code::Syntax, span, format!("{what} is not part of the base language"))
                    .help("run without --compat to use it"),
            );
        }
    }

    /// How a message calls the current token.
    pub fn found(&self) -> String {
        let token = self.peek();
        match token.kind {
            Kind::Word
            | Kind::Dotted
            | Kind::Integer
            | Kind::Hex
            | Kind::Binary
            | Kind::Part
            | Kind::Member => {
                format!("`{}`", self.text_of(token))
            }
            Kind::Unknown => format!("the unknown character `{}`", self.text_of(token)),
            kind => kind.name().to_string(),
        }
    }

    /// Reports that something else was wanted here.
    pub fn unexpected(&mut self, wanted: &str) -> Reported {
        let token = self.peek();
        match token.kind {
            Kind::OpenString => return self.open_string(token),
            Kind::DoubleSlash => {
                return self.report(
                    Diagnostic::error(Code::Syntax, token.span, "`//` does not start a comment here")
                        .help("comments start with a semicolon: `; like this`"),
                );
            }
            Kind::End if self.end_reported => return Reported,
            Kind::End => self.end_reported = true,
            _ => {}
        }
        let message = format!("expected {wanted}, found {}", self.found());
        self.error(token.span, message)
    }

    pub fn open_string(&mut self, token: Token) -> Reported {
        let quote = Span { start: token.span.start, end: token.span.start + 1 };
        self.report(
            Diagnostic::error(Code::Syntax, token.span, "the text has no closing quote")
                .label_at(quote, "opened here")
                .help("texts end on the line they start on; write \\\" for a quote inside one"),
        )
    }

    pub fn expect(&mut self, kind: Kind) -> Parse<Token> {
        if self.kind() == kind { Ok(self.bump()) } else { Err(self.unexpected(kind.name())) }
    }

    /// A closing bracket; the message points at the one it would close.
    pub fn expect_close(&mut self, kind: Kind, opener: Span) -> Parse<Token> {
        if self.kind() == kind {
            return Ok(self.bump());
        }
        let token = self.peek();
        if token.kind == Kind::End {
            if self.end_reported {
                return Err(Reported);
            }
            self.end_reported = true;
        }
        if matches!(token.kind, Kind::OpenString | Kind::DoubleSlash) {
            return Err(self.unexpected(kind.name()));
        }
        let message = format!("missing {}, found {}", kind.name(), self.found());
        let mut diagnostic =
            Diagnostic::error(Code::Syntax, token.span, message).label_at(opener, "opened here");
        if token.kind == Kind::Binary {
            diagnostic =
                diagnostic.help("`%` before 0 or 1 starts a binary number; for the remainder write `% 10`");
        }
        Err(self.report(diagnostic))
    }

    pub fn expect_word(&mut self, word: &str) -> Parse<Token> {
        if self.is_word(word) {
            return Ok(self.bump());
        }
        if self.kind() == Kind::Word {
            let found = self.word();
            let span = self.peek().span;
            let help = (found.eq_ignore_ascii_case(word) || nearest(found, [word]).is_some())
                .then(|| format!("did you mean `{word}`?"));
            let message = format!("expected `{word}`, found `{found}`");
            return Err(self.report(Diagnostic::error(Code::Syntax, span, message).help(help)));
        }
        Err(self.unexpected(&format!("`{word}`")))
    }

    pub fn expect_text(&mut self, what: &str) -> Parse<Text> {
        if self.kind() != Kind::String {
            return Err(self.unexpected(what));
        }
        let token = self.bump();
        let raw = self.text_of(token);
        Ok(Text { value: unescape(&raw[1..raw.len() - 1]), span: token.span })
    }

    pub fn expect_name(&mut self, what: &str) -> Parse<Name> {
        if self.kind() != Kind::Word {
            return Err(self.unexpected(what));
        }
        let token = self.bump();
        Ok(Name { value: self.text_of(token).to_string(), span: token.span })
    }

    pub fn expect_bool(&mut self) -> Parse<bool> {
        match self.word() {
            "true" => {
                self.bump();
                Ok(true)
            }
            "false" => {
                self.bump();
                Ok(false)
            }
            word => {
                let lower = word.to_ascii_lowercase();
                let help = matches!(lower.as_str(), "true" | "false").then(|| format!("write `{lower}`"));
                if help.is_some() {
                    let span = self.peek().span;
                    let message = format!("expected `true` or `false`, found `{word}`");
                    return Err(self.report(Diagnostic::error(Code::Syntax, span, message).help(help)));
                }
                Err(self.unexpected("`true` or `false`"))
            }
        }
    }

    pub fn is_bound(&self, word: &str) -> bool {
        self.names.iter().any(|name| name == word)
    }

    /// Binds a name for what follows; refuses words that would hide a part of the language.
    pub fn bind(&mut self, name: &Name) {
        if words::is_reserved_name(&name.value) {
            self.report(
                Diagnostic::error(
                    Code::Syntax,
                    name.span,
                    format!("`{}` cannot be a variable: it is a word of the language", name.value),
                )
                .help("choose another name"),
            );
        }
        self.names.push(name.value.clone());
    }

    pub fn enter(&mut self) -> Parse<()> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek().span;
            return Err(self.report(
                Diagnostic::error(Code::Limit, span, format!("nested more than {MAX_DEPTH} levels deep"))
                    .help("split the expression"),
            ));
        }
        self.depth += 1;
        Ok(())
    }

    /// Before a binary operator is taken up.
    pub fn count_operator(&mut self) -> Parse<()> {
        self.operators += 1;
        if self.operators <= MAX_OPERATORS {
            return Ok(());
        }
        let span = self.peek().span;
        Err(self.report(
            Diagnostic::error(
                Code::Limit,
                span,
                format!("more than {MAX_OPERATORS} operators in one statement"),
            )
            .help("split the statement"),
        ))
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Whether the current token is the first of its line.
    pub fn starts_line(&self) -> bool {
        let Some(previous) = self.at.checked_sub(1) else { return true };
        let from = self.tokens[previous].span.end;
        self.text_between(from, self.peek().span.start).contains(['\n', '\r'])
    }

    /// Steps out of the braces that were opened since a token: the rest of a block that could not be read.
    pub fn close_braces_since(&mut self, before: usize) {
        let mut open = 0;
        for token in &self.tokens[before..self.at] {
            match token.kind {
                Kind::OpenBrace => open += 1,
                Kind::CloseBrace => open -= 1,
                _ => {}
            }
        }
        while open > 0 && self.kind() != Kind::End {
            match self.bump().kind {
                Kind::OpenBrace => open += 1,
                Kind::CloseBrace => open -= 1,
                _ => {}
            }
        }
    }

    /// Steps over a balanced bracket of any kind, or one token.
    pub fn skip_balanced(&mut self) {
        let mut open = 0usize;
        loop {
            match self.kind() {
                Kind::OpenBrace | Kind::OpenParen | Kind::OpenBracket => open += 1,
                Kind::CloseBrace | Kind::CloseParen | Kind::CloseBracket => open = open.saturating_sub(1),
                Kind::End => return,
                _ => {}
            }
            self.bump();
            if open == 0 {
                return;
            }
        }
    }
}

/// `\"` is a quote and `\\` a backslash; a backslash before anything else stays.
fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some(escaped @ ('"' | '\\')) => out.push(escaped),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn escapes_leave_foreign_backslashes_alone() {
        assert_eq!(unescape(r#"a\"b\\c C:\temp"#), r#"a"b\c C:\temp"#);
    }
}
