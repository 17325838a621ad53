//! The parser: tokens to a tree and a list of faults. It never fails; what it cannot read it reports and steps over,
//! to the next statement, entry or closing brace.
//! Knows the grammar and the two dialects; knows no symbol values, and reads no files but the included ones.

pub mod alone;
mod entry;
mod expr;
mod include;
mod step;
pub mod words;

use std::cell::RefCell;

use tempo_diagnostics::nearest;

use crate::ast::{File, Name, Text};
use crate::diag::{Code, Diagnostic};
use crate::files::Files;
use crate::lexer::{Kind, Token, lex};
use crate::source::{Source, Span};
use include::Includes;

/// Which language is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Everything the documentation describes.
    #[default]
    Full,
    /// What sim6502 accepts, with its meaning (`--compat`).
    Base,
}

/// What parsing gives: always a tree, and what is wrong with the text.
#[derive(Debug, Clone)]
pub struct Parsed {
    pub file: File,
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Parses a whole file. The files it includes are read through `files` and added to `source`.
pub fn parse(source: &mut Source, dialect: Dialect, files: &dyn Files) -> Parsed {
    let includes = RefCell::new(Includes::new(source));
    let tokens = lex(source.text());
    let place = Place { source, base: 0, tokens: &tokens };
    let mut parser = Parser::new(place, dialect, files, &includes);
    let file = parser.parse_file();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|d| d.span.map(|span| span.start));
    // A file that several suites include is parsed for each of them.
    diagnostics.dedup_by(|one, other| one.span == other.span && one.message == other.message);
    includes.into_inner().add_to(source);
    Parsed { file, diagnostics }
}

/// The fault is already reported; the caller steps over the rest of the construct.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parse<T> = Result<T, Reported>;

/// Nesting deeper than this is refused: the parser is recursive, and so are those who read the tree.
const MAX_DEPTH: usize = 64;
/// Operators in one statement; a longer chain is refused for the same reason.
const MAX_OPERATORS: usize = 400;
/// After so many errors the rest would only bury them.
const MAX_ERRORS: usize = 50;

/// The text a parser reads.
#[derive(Clone, Copy)]
struct Place<'a> {
    source: &'a Source,
    /// The first offset of the text; tokens count from there.
    base: u32,
    tokens: &'a [Token],
}

pub(crate) struct Parser<'a> {
    place: Place<'a>,
    tokens: &'a [Token],
    at: usize,
    dialect: Dialect,
    files: &'a dyn Files,
    includes: &'a RefCell<Includes>,
    diagnostics: Vec<Diagnostic>,
    /// Start of the last reported error: a second one at the same place is an echo.
    last_error: Option<u32>,
    end_reported: bool,
    depth: usize,
    /// Names bound by `define`, `each` and `forall` around the current place.
    names: Vec<String>,
    /// The test takes its names from a file's first line, so any word may be one.
    open_names: bool,
    /// Comparisons may appear in brackets.
    in_condition: bool,
    /// Operators of the current statement: a chain of them is a deep tree.
    operators: usize,
}

impl<'a> Parser<'a> {
    fn new(
        place: Place<'a>,
        dialect: Dialect,
        files: &'a dyn Files,
        includes: &'a RefCell<Includes>,
    ) -> Parser<'a> {
        Parser {
            place,
            tokens: place.tokens,
            at: 0,
            dialect,
            files,
            includes,
            diagnostics: Vec::new(),
            last_error: None,
            end_reported: false,
            depth: 0,
            names: Vec::new(),
            open_names: false,
            in_condition: false,
            operators: 0,
        }
    }

    fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.peek().kind
    }

    fn kind_at(&self, ahead: usize) -> Kind {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn text_of(&self, token: Token) -> &'a str {
        self.text_between(token.span.start, token.span.end)
    }

    fn text_between(&self, start: u32, end: u32) -> &'a str {
        &self.place.source.text()[(start - self.place.base) as usize..(end - self.place.base) as usize]
    }

    /// The current token's text.
    fn word(&self) -> &'a str {
        self.text_of(self.peek())
    }

    fn next(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// The span of the token just consumed.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn since(&self, start: Span) -> Span {
        start.to(self.last_span())
    }

    fn accept(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.next();
        }
        found
    }

    fn is_word(&self, word: &str) -> bool {
        self.kind() == Kind::Word && self.word() == word
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
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

    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(Code::Syntax, span, message))
    }

    /// Something only our language has: an error in the base language.
    fn ours(&mut self, span: Span, what: &str) {
        if self.dialect == Dialect::Base {
            self.report(
                Diagnostic::error(Code::Syntax, span, format!("{what} is not part of the base language"))
                    .help("run without --compat to use it"),
            );
        }
    }

    /// How a message calls the current token.
    fn found(&self) -> String {
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
    fn unexpected(&mut self, wanted: &str) -> Reported {
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

    fn open_string(&mut self, token: Token) -> Reported {
        let quote = Span { start: token.span.start, end: token.span.start + 1 };
        self.report(
            Diagnostic::error(Code::Syntax, token.span, "the text has no closing quote")
                .label_at(quote, "opened here")
                .help("texts end on the line they start on; write \\\" for a quote inside one"),
        )
    }

    fn expect(&mut self, kind: Kind) -> Parse<Token> {
        if self.kind() == kind { Ok(self.next()) } else { Err(self.unexpected(kind.name())) }
    }

    /// A closing bracket; the message points at the one it would close.
    fn expect_close(&mut self, kind: Kind, opener: Span) -> Parse<Token> {
        if self.kind() == kind {
            return Ok(self.next());
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

    fn expect_word(&mut self, word: &str) -> Parse<Token> {
        if self.is_word(word) {
            return Ok(self.next());
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

    fn expect_text(&mut self, what: &str) -> Parse<Text> {
        if self.kind() != Kind::String {
            return Err(self.unexpected(what));
        }
        let token = self.next();
        let raw = self.text_of(token);
        Ok(Text { value: unescape(&raw[1..raw.len() - 1]), span: token.span })
    }

    fn expect_name(&mut self, what: &str) -> Parse<Name> {
        if self.kind() != Kind::Word {
            return Err(self.unexpected(what));
        }
        let token = self.next();
        Ok(Name { value: self.text_of(token).to_string(), span: token.span })
    }

    fn expect_bool(&mut self) -> Parse<bool> {
        match self.word() {
            "true" => {
                self.next();
                Ok(true)
            }
            "false" => {
                self.next();
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

    fn is_bound(&self, word: &str) -> bool {
        self.names.iter().any(|name| name == word)
    }

    /// Binds a name for what follows; refuses words that would hide a part of the language.
    fn bind(&mut self, name: &Name) {
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

    fn enter(&mut self) -> Parse<()> {
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
    fn count_operator(&mut self) -> Parse<()> {
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

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Whether the current token is the first of its line.
    fn starts_line(&self) -> bool {
        let Some(previous) = self.at.checked_sub(1) else { return true };
        let from = self.tokens[previous].span.end;
        self.text_between(from, self.peek().span.start).contains(['\n', '\r'])
    }

    /// Steps out of the braces that were opened since a token: the rest of a block that could not be read.
    fn close_braces_since(&mut self, before: usize) {
        let mut open = 0;
        for token in &self.tokens[before..self.at] {
            match token.kind {
                Kind::OpenBrace => open += 1,
                Kind::CloseBrace => open -= 1,
                _ => {}
            }
        }
        while open > 0 && self.kind() != Kind::End {
            match self.next().kind {
                Kind::OpenBrace => open += 1,
                Kind::CloseBrace => open -= 1,
                _ => {}
            }
        }
    }

    /// Steps over a balanced bracket of any kind, or one token.
    fn skip_balanced(&mut self) {
        let mut open = 0usize;
        loop {
            match self.kind() {
                Kind::OpenBrace | Kind::OpenParen | Kind::OpenBracket => open += 1,
                Kind::CloseBrace | Kind::CloseParen | Kind::CloseBracket => open = open.saturating_sub(1),
                Kind::End => return,
                _ => {}
            }
            self.next();
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
    use crate::files::MemoryFiles;
    use pretty_assertions::assert_eq;

    fn messages(text: &str) -> Vec<String> {
        let mut source = Source::new("t.6502", text);
        let parsed = parse(&mut source, Dialect::Full, &MemoryFiles::default());
        parsed
            .diagnostics
            .iter()
            .map(|d| {
                let at = source.location(d.span.unwrap());
                format!(
                    "{}:{} {}{}",
                    at.line,
                    at.column,
                    d.message,
                    d.help.as_ref().map_or(String::new(), |h| format!(" ({h})"))
                )
            })
            .collect()
    }

    #[test]
    fn escapes_leave_foreign_backslashes_alone() {
        assert_eq!(unescape(r#"a\"b\\c C:\temp"#), r#"a"b\c C:\temp"#);
    }

    #[test]
    fn one_missing_brace_is_one_message() {
        let found = messages("suites { suite(\"s\") { test(\"t\", \"d\") { jsr($1000) \n");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("missing `}`"), "{found:?}");
    }

    #[test]
    fn several_faults_are_several_messages() {
        let found = messages(
            "suites { suite(\"s\") {\n test(\"t\", \"d\") {\n a = \n jsr($1000\n assert(a = 1, \"x\")\n }\n tset(\"u\", \"d\") { jsr($1000) }\n} }",
        );
        assert_eq!(found.len(), 4, "{found:#?}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,200}") {
            read_both_ways(&text);
        }

        #[test]
        fn any_order_of_words_is_read(words in proptest::collection::vec(proptest::sample::select(SOUP), 0..80)) {
            read_both_ways(&format!("suites {{ suite(\"s\") {{ {}", words.join(" ")));
            read_both_ways(&format!("suites {{ suite(\"s\") {{ test(\"t\", \"d\") {{ {}", words.join(" ")));
        }
    }

    const SOUP: &[&str] = &[
        "assert(",
        "jsr(",
        "a",
        "n",
        "=",
        "==",
        "<",
        "<<",
        "[x]",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "\"s\"",
        "\"",
        ",",
        "..",
        ".b",
        "$10",
        "%1",
        "%",
        "-",
        "+",
        "*",
        "and",
        "not",
        "in",
        "forall(n in 0..5) {",
        "each (n) {",
        "test(",
        "setup {",
        "fen(",
        "bytes(",
        "text(",
        "stub(",
        "io(",
        "layout x {",
        "zp =",
        "guard write(",
        "memchk(",
        "6502",
        "65c02",
        "//",
        "suite(",
        "load(",
        "include(",
        "true",
        "peekword(",
        "spy([x])[1].a",
        "calls[1].cycles",
        "define q =",
        "q",
        "\n",
        "§",
    ];

    /// No panic, and every message points into the text.
    fn read_both_ways(text: &str) {
        for dialect in [Dialect::Full, Dialect::Base] {
            let mut source = Source::new("t.6502", text);
            let parsed = parse(&mut source, dialect, &MemoryFiles::default());
            let _ = crate::dump::dump(&parsed.file);
            for diagnostic in &parsed.diagnostics {
                let span = diagnostic.span.expect("every message of the parser has a place");
                assert!(span.start <= span.end && span.end as usize <= text.len());
                let _ = tempo_diagnostics::Renderer::new(&source).human(diagnostic);
            }
        }
    }

    #[test]
    fn chains_are_limited() {
        let text = format!(
            "suites {{ suite(\"s\") {{ test(\"t\", \"d\") {{ a = 1{} }} }} }}",
            " + 1".repeat(100_000)
        );
        let found = messages(&text);
        assert!(found[0].contains("operators in one statement"), "{found:?}");
    }

    #[test]
    fn depth_is_limited() {
        let text =
            format!("suites {{ suite(\"s\") {{ test(\"t\", \"d\") {{ a = {}1 }} }} }}", "(".repeat(100_000));
        let found = messages(&text);
        assert!(found[0].contains("levels deep"), "{found:?}");
    }
}
