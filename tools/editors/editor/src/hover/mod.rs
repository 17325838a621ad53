//! Hovers: information about the word under a cursor, in Markdown.

mod code;
mod number;
mod suite;
mod symbol;
mod word;

use tempo_assembler::TokenKind;
use tempo_diagnostics::Span;
use tempo_emu::System;
use tempo_harness::lexer::{Token, lex};

pub(crate) use code::{expand, flags, line, members, mnemonic};
pub(crate) use number::value;
pub(crate) use symbol::comment;

use crate::facts::Facts;
use crate::suite::symbols_at;
use crate::values::Values;
use crate::words::Words;
use crate::{FileSpan, Place, Snapshot};

/// A text about a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The word.
    pub place: FileSpan,
    /// Markdown.
    pub text: String,
}

/// The language of fenced code.
pub(crate) const LANGUAGE: &str = "kickassembler";

/// Returns the information about the word at a place.
pub fn hover(snapshot: &Snapshot, place: Place<'_>) -> Option<Hover> {
    let file = place.file.to_owned();
    if let Some(suite) = snapshot.suite(place.file)
        && let Some((span, procedure)) = suite.procedure_at(place.offset)
    {
        let text = format!("```tempo-suite\n{}\n```", suite.signature(procedure));
        return Some(Hover { place: FileSpan { file, span }, text });
    }
    if let Some((name, symbols)) = symbols_at(snapshot, place) {
        let texts: Vec<String> = symbols
            .iter()
            .map(|(root, symbol)| {
                let facts = root.parsed();
                let own =
                    facts.file_span(facts.symbol(*symbol).span).map_or(String::new(), |place| place.file);
                symbol::text(snapshot, root, facts, &Values::of(root, &own), *symbol)
            })
            .collect();
        return joined(texts).map(|text| Hover { place: FileSpan { file, span: name.span }, text });
    }
    if let Some((span, text)) = machine(snapshot, place) {
        return Some(Hover { place: FileSpan { file, span }, text });
    }
    if let Some(suite) = snapshot.suite(place.file) {
        let (span, text) = suite::text(suite.source().text(), place.offset)?;
        return Some(Hover { place: FileSpan { file, span }, text });
    }
    let roots: Vec<_> = snapshot.roots_of(place.file).collect();
    let mut span = None;
    let mut texts = Vec::new();
    for root in &roots {
        let facts = root.parsed();
        let values = Values::of(root, place.file);
        let Some((found, mut text)) = of_root(snapshot, root, facts, &values, place) else { continue };
        if values.is_old() && !text.is_empty() {
            text.push_str("\n\n*Values are those before the last edits.*");
        }
        span.get_or_insert(found);
        texts.push((root.path().to_owned(), text));
    }
    // Programs that agree speak with one voice.
    let all_same = texts.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let named =
        |(path, text): (String, String)| if all_same { text } else { format!("In `{path}`:\n\n{text}") };
    let text = joined(texts.into_iter().map(named).collect())?;
    Some(Hover { place: FileSpan { file, span: span? }, text })
}

/// The machine that a suite names at this place.
fn machine(snapshot: &Snapshot, place: Place<'_>) -> Option<(Span, String)> {
    let text = snapshot.suite(place.file)?.source().text();
    let tokens = lex(text);
    let spelled = |token: &Token| text.get(token.span.start as usize..token.span.end as usize);
    let at = tokens.iter().position(|token| (token.span.start..=token.span.end).contains(&place.offset))?;
    let before = |distance: usize| at.checked_sub(distance).and_then(|at| spelled(&tokens[at]));
    let word = spelled(&tokens[at])?;
    if before(1) != Some("(") || before(2) != Some("system") {
        return None;
    }
    let system = System::find_in_suite(word)?;
    let mut text = format!("`{word}`: {}", system.title());
    if let Some(remark) = System::remark_on(word) {
        text.push_str(&format!("\n\n{remark}"));
    }
    Some((tokens[at].span, text))
}

fn joined(mut texts: Vec<String>) -> Option<String> {
    texts.dedup();
    texts.retain(|text| !text.is_empty());
    (!texts.is_empty()).then(|| texts.join("\n\n---\n\n"))
}

fn of_root(
    snapshot: &Snapshot,
    root: &crate::Root,
    facts: &Facts,
    values: &Values,
    place: Place<'_>,
) -> Option<(Span, String)> {
    let file = facts.files(place.file).next()?;
    let base = facts.output().sources.base(file);
    if let Some(occurrence) = facts.occurrences_at(base + place.offset).first() {
        let span = facts.file_span(occurrence.span)?.span;
        let mut text = symbol::text(snapshot, root, facts, values, occurrence.symbol);
        if let Some(call) = code::expansion(values, span) {
            text.push_str(&format!("\n\n{call}"));
        }
        return Some((span, text));
    }
    let words = Words::of(facts, file);
    let index = words.at(place.offset)?;
    let span = words.span(index);
    let text = match words.kind(index)? {
        TokenKind::Number => number::text(words.spelled(index), root.system())?,
        TokenKind::String => word::string(snapshot, words, index, place.file)?,
        TokenKind::Character => word::character(words.spelled(index))?,
        TokenKind::Name | TokenKind::DotName | TokenKind::Assignment | TokenKind::Mark => {
            if let Some(text) = code::instruction(values, words, index) {
                text
            } else {
                word::text(words, index)?
            }
        }
        _ => return None,
    };
    Some((span, text))
}

/// Code in a fence.
pub(crate) fn fenced(code: &str) -> String {
    format!("```{LANGUAGE}\n{}\n```", code.trim_end())
}
