//! Hover on words of a `.6502` suite.

use tempo_diagnostics::Span;
use tempo_harness::lexer::{Kind, Token, lex};
use tempo_harness::parse::words::{self, Place, Whose, Word};

use crate::completion::suite::{Open, open};

/// The word of the language at an offset, and what is said about it.
pub(super) fn text(source: &str, offset: u32) -> Option<(Span, String)> {
    let tokens: Vec<Token> = lex(source);
    let index = tokens.iter().position(|token| {
        token.kind == Kind::Word && token.span.start <= offset && offset <= token.span.end
    })?;
    let span = tokens[index].span;
    let name = &source[span.start as usize..span.end as usize];
    let open = open(source, &tokens[..index]);
    let argument = match open.last() {
        Some(Open::Call(call)) => words::arguments(call).find(|word| word.name == name),
        _ => None,
    };
    let is_free = |word: &&Word| !matches!(word.place, Place::Argument(_) | Place::MachineName);
    let mut found: Vec<&Word> = match argument {
        Some(argument) => vec![argument],
        None => words::find(name).filter(is_free).collect(),
    };
    // A line of a suite and a statement often mean the same.
    found.dedup_by(|one, other| one.about == other.about);
    let text = |word: &&Word| {
        let ours = match word.whose {
            Whose::Sim6502 => "",
            Whose::Ours => "\n\nAn addition to sim6502's language.",
        };
        format!("```tempo-suite\n{}\n```\n\n{}{ours}", word.forms.join("\n"), word.about)
    };
    let texts: Vec<String> = found.iter().map(text).collect();
    (!texts.is_empty()).then(|| (span, texts.join("\n\n---\n\n")))
}
