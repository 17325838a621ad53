//! The parser: tokens to a tree and a list of faults. It never fails; what it cannot read it reports and steps over,
//! to the next statement, entry or closing brace.
//! Knows statements and entries; expressions are parsed by `tempo-expressions`. Knows no symbol values, and reads no files
//! but the included ones.

mod entry;
mod include;
mod slips;
mod step;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

pub use tempo_expressions::parse::Dialect;
pub(crate) use tempo_expressions::parse::{Parse, Reported};
pub use tempo_expressions::words;

use crate::ast::File;
use crate::diag::Diagnostic;
use crate::files::Files;
use crate::lexer::{Token, lex};
use crate::source::Source;
use include::Includes;

/// A tree, always, and the faults of the text.
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
    let mut diagnostics = parser.expressions.diagnostics;
    slips::advise(source.text(), 0, &mut diagnostics);
    diagnostics.sort_by_key(|d| d.span.map(|span| span.start));
    // A file that several suites include is parsed for each of them.
    diagnostics.dedup_by(|one, other| one.span == other.span && one.message == other.message);
    includes.into_inner().add_to(source);
    Parsed { file, diagnostics }
}

/// The text a parser reads.
#[derive(Clone, Copy)]
struct Place<'a> {
    source: &'a Source,
    /// The first offset of the text; tokens count from there.
    base: u32,
    tokens: &'a [Token],
}

/// The parser of statements and entries, around that of expressions.
pub(crate) struct Parser<'a> {
    expressions: tempo_expressions::parse::Parser<'a>,
    place: Place<'a>,
    files: &'a dyn Files,
    includes: &'a RefCell<Includes>,
    /// Names of the suite's procedures so far.
    procedures: BTreeSet<String>,
    /// Names of procedures of the suites before.
    ended_procedures: Vec<String>,
    /// A file that could not be read may have declared any procedure.
    open_procedures: bool,
}

impl<'a> Parser<'a> {
    fn new(
        place: Place<'a>,
        dialect: Dialect,
        files: &'a dyn Files,
        includes: &'a RefCell<Includes>,
    ) -> Parser<'a> {
        let expressions =
            tempo_expressions::parse::Parser::new(place.source.text(), place.base, place.tokens, dialect);
        Parser {
            expressions,
            place,
            files,
            includes,
            procedures: BTreeSet::new(),
            ended_procedures: Vec::new(),
            open_procedures: false,
        }
    }
}

impl<'a> Deref for Parser<'a> {
    type Target = tempo_expressions::parse::Parser<'a>;

    fn deref(&self) -> &Self::Target {
        &self.expressions
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.expressions
    }
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
