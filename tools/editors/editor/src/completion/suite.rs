//! Completion in a `.6502` suite: its statements by the block a cursor is in, words of expressions, files, and
//! the labels of its programs in brackets.

use tempo_assembler::analysis::SymbolKind;
use tempo_diagnostics::Span;
use tempo_emu::System;
use tempo_harness::lexer::{Kind, Token, lex};
use tempo_harness::parse::words;

use super::lists::{paths, plain};
use super::{Completion, CompletionKind, Entry};
use crate::suite::{SuiteFacts, named};
use crate::{Place, Snapshot};

/// An open bracket before the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Open<'t> {
    /// A body in braces, with the word before it: `suite`, `test`, `setup`, …
    Body(&'t str),
    /// Arguments in parentheses, with the word before them.
    Call(&'t str),
    Brackets,
}

const REGISTERS: [&str; 6] = ["a", "x", "y", "sp", "pc", "p"];
const FLAGS: [&str; 7] = ["c", "z", "i", "d", "b", "v", "n"];

pub(super) fn completions(
    snapshot: &Snapshot,
    place: Place<'_>,
    list: &dyn Fn(&str) -> Vec<Entry>,
) -> Vec<Completion> {
    let Some(suite) = snapshot.suite(place.file) else { return Vec::new() };
    let source = suite.source().text();
    // The text of the file itself comes first; what it includes follows.
    let offset = (place.offset as usize).min(source.len());
    if is_in_comment(source, offset) {
        return Vec::new();
    }
    let tokens: Vec<Token> =
        lex(source).into_iter().take_while(|token| (token.span.start as usize) < offset).collect();
    let last = tokens.last().filter(|token| offset <= token.span.end as usize);
    let open = open(source, &tokens);
    if let Some(text) = last.filter(|token| is_text(token, offset)) {
        let call = open.last().and_then(|open| if let Open::Call(word) = open { Some(*word) } else { None });
        let is_file = call.is_some_and(|call| words::find(call).any(|word| word.has_file));
        let start = text.span.start + 1;
        let end = text.span.end - u32::from(text.kind == Kind::String);
        let typed = &source[start as usize..offset.max(start as usize)];
        let span = Span { start, end: end.max(start) };
        return if is_file { paths(typed, span, list) } else { Vec::new() };
    }
    let is_word = |token: &&Token| matches!(token.kind, Kind::Word | Kind::Dotted);
    let span = last.filter(is_word).map_or(Span::new(offset, offset), |token| token.span);
    let mut found = match open.last() {
        Some(Open::Brackets) => labels(snapshot, suite, span),
        Some(Open::Call(word)) => {
            let mut found = arguments(word, span);
            found.extend(parameters(suite, span));
            found
        }
        Some(Open::Body("suites")) => statements(&["suite"], "suite", span),
        Some(Open::Body("suite")) => {
            let mut found = statements(words::ENTRIES, "line of a suite", span);
            found.extend(statements(words::MACHINES, "line of a suite", span));
            found
        }
        Some(Open::Body(_)) => {
            let mut found = statements(words::STEPS, "statement", span);
            found.extend(statements(words::BACKEND_STEPS, "statement", span));
            found.extend(values(&REGISTERS, "register", 30, span));
            found.extend(values(&FLAGS, "flag", 40, span));
            found.extend(procedures(suite, span));
            found.extend(parameters(suite, span));
            found
        }
        None => statements(&["suites"], "suites", span),
    };
    found.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    found.dedup_by(|a, b| a.label == b.label);
    found
}

/// Whether the cursor is in a string, not after it.
fn is_text(token: &Token, offset: usize) -> bool {
    match token.kind {
        Kind::String => offset < token.span.end as usize && offset > token.span.start as usize,
        Kind::OpenString => offset > token.span.start as usize,
        _ => false,
    }
}

/// Comments are not tokens: after the last token of a line, a semicolon begins one.
fn is_in_comment(text: &str, offset: usize) -> bool {
    let start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |newline| offset + newline);
    let line = &text[start..end];
    let behind = lex(line).into_iter().filter(|token| token.kind != Kind::End).map(|token| token.span.end);
    let code = behind.filter(|&end| start + (end as usize) <= offset).max().unwrap_or(0) as usize;
    text.get(start + code..offset).is_some_and(|rest| rest.contains(';'))
}

/// The brackets that are open at the end of some tokens.
pub(crate) fn open<'t>(text: &'t str, tokens: &[Token]) -> Vec<Open<'t>> {
    let mut open: Vec<Open<'t>> = Vec::new();
    let word = |index: Option<usize>| {
        let token = index.and_then(|index| tokens.get(index)).filter(|token| token.kind == Kind::Word);
        token.map_or("", |token| &text[token.span.start as usize..token.span.end as usize])
    };
    // The word of the last call, for the body after it.
    let mut called = "";
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::OpenParen => open.push(Open::Call(word(index.checked_sub(1)))),
            Kind::OpenBracket => open.push(Open::Brackets),
            Kind::OpenBrace => {
                let before = word(index.checked_sub(1));
                open.push(Open::Body(if before.is_empty() { called } else { before }));
            }
            Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => {
                if let Some(Open::Call(word)) = open.pop() {
                    called = word;
                }
            }
            _ => {}
        }
    }
    open
}

fn values(list: &[&str], detail: &str, rank: u32, span: Span) -> Vec<Completion> {
    let item = |word: &&str| Completion { rank, ..plain(word, CompletionKind::Word, detail, span) };
    list.iter().map(item).collect()
}

fn statements(list: &[&str], detail: &str, span: Span) -> Vec<Completion> {
    values(list, detail, 10, span)
}

/// Options of the statement, and words of expressions.
fn arguments(word: &str, span: Span) -> Vec<Completion> {
    let mut found = Vec::new();
    if matches!(word, "test" | "bench" | "suite") {
        found.extend(values(words::OPTIONS, "option", 10, span));
    }
    if word == "system" {
        let machine = |word| {
            let title = System::find_in_suite(word).map_or("", System::title);
            Completion { rank: 10, ..plain(word, CompletionKind::Word, title, span) }
        };
        found.extend(System::suite_words().map(machine));
    }
    let options: Vec<&str> = words::arguments(word).map(|word| word.name).collect();
    found.extend(values(&options, "option", 10, span));
    if !matches!(word, "test" | "bench" | "suite" | "system" | "processor" | "assemble" | "symbols" | "load")
    {
        found.extend(values(words::VALUES, "", 20, span));
        found.extend(values(&REGISTERS, "register", 15, span));
        found.extend(values(&FLAGS, "flag", 18, span));
    }
    found
}

/// Procedures that are declared above.
fn procedures(suite: &SuiteFacts, span: Span) -> Vec<Completion> {
    let item = |procedure: &tempo_harness::ast::Procedure| {
        let detail = suite.signature(procedure);
        Completion { rank: 5, ..plain(&procedure.name.value, CompletionKind::Function, &detail, span) }
    };
    suite.procedures(span.start).into_iter().map(item).collect()
}

/// Parameters of the procedure around a place.
fn parameters(suite: &SuiteFacts, span: Span) -> Vec<Completion> {
    let around = suite.procedure_around(span.start);
    let names = around.iter().flat_map(|procedure| &procedure.parameters);
    names
        .map(|name| Completion { rank: 5, ..plain(&name.value, CompletionKind::Variable, "parameter", span) })
        .collect()
}

/// Labels of the programs that the suite assembles.
fn labels(snapshot: &Snapshot, suite: &SuiteFacts, span: Span) -> Vec<Completion> {
    let mut found = Vec::new();
    for root in snapshot.programs_of_suite(suite) {
        let facts = root.parsed();
        let symbols = facts.analysis().symbols.iter();
        let own = symbols
            .filter(|symbol| symbol.kind == SymbolKind::Label && facts.file_span(symbol.span).is_some());
        for symbol in own {
            let path = facts.analysis().path(symbol);
            // The short name, if it is enough.
            let name = if named(facts, &symbol.name).len() == 1 { symbol.name.clone() } else { path.clone() };
            found.push(plain(&name, CompletionKind::Label, &path, span));
        }
    }
    found
}
