//! The context of a cursor. Reads tokens, because the statement at a cursor is rarely finished.

use tempo_assembler::TokenKind;
use tempo_assembler::dialect::{Declares, Directive, Preprocessor, Takes};
use tempo_diagnostics::Span;

use crate::parameters::{self, Brackets};
use crate::structure::names_file;
use crate::words::Words;

/// The completion wanted at a cursor; the span is the text that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    Nothing,
    /// A file name in quotes.
    Path {
        span: Span,
        typed: String,
    },
    Encoding(Span),
    Segment(Span),
    Cpu(Span),
    ImportKind(Span),
    /// A parameter in the square brackets of a directive.
    Parameter {
        span: Span,
        brackets: Brackets,
    },
    /// After `.modify`.
    Modifier(Span),
    /// In the quotes of `modify=`.
    SegmentModifier(Span),
    /// In the quotes of `.plugin`.
    Plugin(Span),
    /// After `#` at the start of a line.
    Preprocessor(Span),
    /// A name in a condition of the preprocessor.
    Flag(Span),
    Directive(Span),
    Statement(Span),
    /// After a dot; `dot` is its token.
    Member {
        span: Span,
        dot: usize,
    },
    MultiLabel(Span),
    Number {
        span: Span,
        typed: String,
    },
    Expression(Span),
}

impl Wanted {
    pub fn span(&self) -> Span {
        match self {
            Wanted::Nothing => Span::default(),
            Wanted::Path { span, .. }
            | Wanted::Member { span, .. }
            | Wanted::Parameter { span, .. }
            | Wanted::Number { span, .. } => *span,
            Wanted::Encoding(span)
            | Wanted::Segment(span)
            | Wanted::Cpu(span)
            | Wanted::ImportKind(span)
            | Wanted::Modifier(span)
            | Wanted::SegmentModifier(span)
            | Wanted::Plugin(span)
            | Wanted::Preprocessor(span)
            | Wanted::Flag(span)
            | Wanted::Directive(span)
            | Wanted::Statement(span)
            | Wanted::MultiLabel(span)
            | Wanted::Expression(span) => *span,
        }
    }
}

pub(crate) fn wanted(words: Words<'_>, offset: u32) -> Wanted {
    let nothing = Span::at(offset);
    // The last token that begins before the cursor.
    let Some(last) = words.tokens.partition_point(|token| token.start < offset).checked_sub(1) else {
        return Wanted::Statement(nothing);
    };
    let token = words.tokens[last];
    let is_inside = offset < token.end;
    match token.kind {
        TokenKind::Comment if is_inside || words.spelled(last).starts_with("//") && offset <= token.end => {
            return Wanted::Nothing;
        }
        TokenKind::String if is_inside => return quoted(words, last, offset),
        TokenKind::Invalid if words.spelled(last).starts_with('"') => return quoted(words, last, offset),
        TokenKind::Character if is_inside => return Wanted::Nothing,
        _ => {}
    }
    // The word being typed, and the token before it.
    let is_typing = offset <= token.end
        && matches!(
            token.kind,
            TokenKind::Name | TokenKind::DotName | TokenKind::Number | TokenKind::MultiReference
        );
    let (span, before) = if is_typing {
        (Span { start: token.start, end: token.end }, last.checked_sub(1))
    } else {
        (nothing, Some(last))
    };
    let typed = &words.text[span.start as usize..(offset as usize).max(span.start as usize)];
    let spelled = |index: Option<usize>| index.map_or("", |index| words.spelled(index));
    if is_typing && token.kind == TokenKind::MultiReference {
        return Wanted::MultiLabel(span);
    }
    if is_typing && token.kind == TokenKind::Number {
        return Wanted::Number { span, typed: typed.to_owned() };
    }
    // A lone `$` is not a token.
    if token.kind == TokenKind::Invalid && words.spelled(last) == "$" && offset == token.end {
        let span = Span { start: token.start, end: token.end };
        return Wanted::Number { span, typed: "$".to_owned() };
    }
    if spelled(before) == "!" && is_expression(words, before) {
        let start = words.span(before.unwrap_or_default()).start;
        return Wanted::MultiLabel(Span { start, end: span.end });
    }
    // After a dot: a member if the dot touches a value, else a directive.
    let dot = if is_typing && token.kind == TokenKind::DotName {
        Some(last)
    } else {
        before.filter(|&at| words.spelled(at) == ".")
    };
    if let Some(dot) = dot {
        let follows =
            dot.checked_sub(1).filter(|&at| words.span(at).end == words.span(dot).start).is_some_and(|at| {
                matches!(words.kind(at), Some(TokenKind::Name | TokenKind::DotName | TokenKind::String))
                    || matches!(words.spelled(at), ")" | "]")
            });
        let start = words.span(dot).start;
        if follows && !is_head(words, dot.saturating_sub(1)) {
            return Wanted::Member { span: Span { start: start + 1, end: span.end.max(start + 1) }, dot };
        }
        return if follows {
            Wanted::Nothing
        } else {
            Wanted::Directive(Span { start, end: span.end.max(start + 1) })
        };
    }
    if let Some(before) = before.filter(|&at| matches!(words.spelled(at), "[" | ","))
        && let Some(brackets) = parameters::around(words, before + 1)
    {
        return Wanted::Parameter { span, brackets };
    }
    let is_line_start = |at: usize| at == 0 || words.kind(at - 1) == Some(TokenKind::LineEnd);
    if spelled(before) == "#" && before.is_some_and(is_line_start) {
        return Wanted::Preprocessor(span);
    }
    let start = words.statement_start(before.map_or(0, |before| before + 1));
    if words.spelled(start) == "#" {
        let found = Preprocessor::find(words.spelled(start + 1));
        let has_symbols = found.is_some_and(|found| found.item().takes.has_symbols());
        return if has_symbols { Wanted::Flag(span) } else { Wanted::Nothing };
    }
    let head = words.head(start);
    let is_statement = before.is_none_or(|before| before < head) || head >= words.tokens.len();
    if is_statement {
        return Wanted::Statement(span);
    }
    let Some(item) = Directive::find(words.spelled(head)).map(Directive::item) else {
        return Wanted::Expression(span);
    };
    match item.takes {
        Takes::Cpu => Wanted::Cpu(span),
        Takes::Import if before == Some(head) => Wanted::ImportKind(span),
        Takes::Segment if before == Some(head) => Wanted::Segment(span),
        Takes::Modifier if before == Some(head) => Wanted::Modifier(span),
        // A new name.
        _ if before == Some(head) && item.declares.is_some_and(|declares| declares != Declares::Enum) => {
            Wanted::Nothing
        }
        _ => Wanted::Expression(span),
    }
}

/// Whether a token is the mnemonic of its statement, so that a dot after it begins an extension.
fn is_head(words: Words<'_>, index: usize) -> bool {
    words.head(words.statement_start(index)) == index
        && tempo_isa::Mnemonic::parse(words.spelled(index)).is_some()
}

/// Whether a token is after the head of its statement.
fn is_expression(words: Words<'_>, index: Option<usize>) -> bool {
    index.is_some_and(|index| words.head(words.statement_start(index)) < index)
}

/// In quotes: a file, an encoding, a segment, or nothing.
fn quoted(words: Words<'_>, index: usize, offset: u32) -> Wanted {
    let token = words.tokens[index];
    let text = words.spelled(index);
    let start = token.start + text.find('"').map_or(0, |quote| quote as u32 + 1);
    let is_closed = text.len() > 1 && text.ends_with('"');
    let end = if is_closed { token.end - 1 } else { token.end };
    if offset < start {
        return Wanted::Nothing;
    }
    let span = Span { start, end: end.max(start) };
    let typed = words.text[start as usize..offset as usize].to_owned();
    if names_file(words, index) {
        return Wanted::Path { span, typed };
    }
    if parameters::is_modifier(words, index) {
        return Wanted::SegmentModifier(span);
    }
    let head = Directive::find(words.spelled(words.head(words.statement_start(index))));
    match head.map_or(Takes::Expression, |directive| directive.item().takes) {
        Takes::Encoding => Wanted::Encoding(span),
        Takes::Plugin => Wanted::Plugin(span),
        Takes::Segment | Takes::Parameters(_) => {
            // Names are separated by commas.
            let name = typed.rfind(',').map_or(start, |comma| start + comma as u32 + 1);
            Wanted::Segment(Span { start: name, end: span.end })
        }
        _ => Wanted::Nothing,
    }
}
