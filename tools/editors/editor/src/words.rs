//! Tokens around a place: the statement a cursor is in, and the word it is on.

use tempo_assembler::{SourceToken, TokenKind};
use tempo_diagnostics::{FileId, Span};

use crate::facts::Facts;
use crate::{FileSpan, Place, Snapshot};

/// The tokens of one text, with their spelling.
#[derive(Clone, Copy)]
pub(crate) struct Words<'t> {
    pub text: &'t str,
    pub tokens: &'t [SourceToken],
}

impl<'t> Words<'t> {
    pub fn of(facts: &'t Facts, file: FileId) -> Words<'t> {
        Words { text: facts.source(file).text(), tokens: facts.tokens(file) }
    }

    pub fn spelled(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| &self.text[token.start as usize..token.end as usize])
    }

    pub fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    pub fn span(&self, index: usize) -> Span {
        self.tokens.get(index).map_or(Span::default(), |token| Span { start: token.start, end: token.end })
    }

    /// The token at an offset; of two that touch there, the one that is a word, else the later one.
    pub fn at(&self, offset: u32) -> Option<usize> {
        let after = self.tokens.partition_point(|token| token.start <= offset);
        let touches = |index: usize| self.tokens[index].end >= offset;
        let last = after.checked_sub(1).filter(|&index| touches(index))?;
        let is_word = |index: usize| {
            !matches!(
                self.tokens[index].kind,
                TokenKind::Mark | TokenKind::Operator | TokenKind::LineEnd | TokenKind::Assignment
            )
        };
        let before = last.checked_sub(1).filter(|&index| touches(index));
        match before {
            Some(before) if is_word(before) && !is_word(last) => Some(before),
            _ => Some(last),
        }
    }

    /// The first token of the statement that a token is in: after a line end outside of brackets, a semicolon or a
    /// brace.
    pub fn statement_start(&self, index: usize) -> usize {
        let mut depth = 0i32;
        let mut at = index;
        while at > 0 {
            let before = at - 1;
            match (self.kind(before), self.spelled(before)) {
                (Some(TokenKind::LineEnd), _) if depth <= 0 && !self.is_in_brackets(before) => break,
                (_, "{" | "}") => break,
                (_, ";") if depth <= 0 && !self.is_in_brackets(before) => break,
                (_, ")" | "]") => depth += 1,
                (_, "(" | "[") => depth -= 1,
                _ => {}
            }
            at = before;
        }
        at
    }

    /// Whether a line end or semicolon is in round or square brackets that are closed further on.
    fn is_in_brackets(&self, index: usize) -> bool {
        let mut depth = 0i32;
        // A bracket that is not closed on this line or the next few does not reach here.
        for at in (index.saturating_sub(400)..index).rev() {
            match self.spelled(at) {
                ")" | "]" => depth += 1,
                "(" | "[" => {
                    depth -= 1;
                    if depth < 0 {
                        return self.closes(at, index);
                    }
                }
                "{" | "}" => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether a bracket is closed after a token, before any brace.
    fn closes(&self, open: usize, behind: usize) -> bool {
        let mut depth = 0i32;
        for at in open..(open + 2000).min(self.tokens.len()) {
            match self.spelled(at) {
                "(" | "[" => depth += 1,
                ")" | "]" => {
                    depth -= 1;
                    if depth == 0 {
                        return at > behind;
                    }
                }
                "{" | "}" => return false,
                _ => {}
            }
        }
        false
    }

    /// The word that a statement is about, after its labels: a mnemonic, a directive or a name.
    pub fn head(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            match (self.kind(at), self.spelled(at + 1)) {
                (Some(TokenKind::Name), ":") => at += 2,
                (Some(TokenKind::Operator), ":") if self.spelled(at) == "!" => at += 2,
                (Some(TokenKind::Operator), _) if self.spelled(at) == "!" && self.spelled(at + 2) == ":" => {
                    at += 3
                }
                (Some(TokenKind::Mark), _) if matches!(self.spelled(at), "@" | ":") => at += 1,
                (Some(TokenKind::LineEnd | TokenKind::Comment), _) => at += 1,
                _ => return at,
            }
        }
    }
}

/// The word at a place.
pub fn word_at(snapshot: &Snapshot, place: Place<'_>) -> Option<FileSpan> {
    let file = place.file.to_owned();
    if let Some(suite) = snapshot.suite(place.file) {
        return suite.name_at(place.offset).map(|name| FileSpan { file, span: name.span });
    }
    let root = snapshot.roots_of(place.file).next()?;
    let facts = root.parsed();
    let offset = facts.offset(place.file, place.offset)?;
    if let Some(occurrence) = facts.occurrences_at(offset).first() {
        return facts.file_span(occurrence.span);
    }
    let words = Words::of(facts, facts.files(place.file).next()?);
    let index = words.at(place.offset)?;
    (words.kind(index) != Some(TokenKind::LineEnd)).then(|| FileSpan { file, span: words.span(index) })
}

/// The comment lines directly before an offset of a text, and one after it on its line, without their marks.
pub(crate) fn comment_before(words: Words<'_>, offset: u32) -> Option<String> {
    let at = words.tokens.partition_point(|token| token.start < offset);
    let mut lines: Vec<&str> = Vec::new();
    let mut index = at;
    // Back to the beginning of the line, then comments on their own lines.
    while index > 0 && words.kind(index - 1) != Some(TokenKind::LineEnd) {
        index -= 1;
    }
    while index >= 2
        && words.kind(index - 1) == Some(TokenKind::LineEnd)
        && words.kind(index - 2) == Some(TokenKind::Comment)
    {
        let before = index.checked_sub(3).and_then(|before| words.kind(before));
        if before.is_some_and(|before| before != TokenKind::LineEnd) {
            break;
        }
        lines.push(words.spelled(index - 2));
        index -= 2;
    }
    lines.reverse();
    if lines.is_empty() {
        let rest = words.tokens[at.min(words.tokens.len())..]
            .iter()
            .position(|token| token.kind == TokenKind::LineEnd);
        let end = at + rest.unwrap_or(words.tokens.len() - at);
        let last =
            end.checked_sub(1).filter(|&last| last >= at && words.kind(last) == Some(TokenKind::Comment))?;
        lines.push(words.spelled(last));
    }
    let mut out = String::new();
    for line in lines {
        let line = line.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")).unwrap_or(line);
        for line in line.lines() {
            let line = line.trim().trim_start_matches(['/', '*', '!']).trim_matches(['-', '=']).trim();
            if !line.is_empty() {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    (!out.is_empty()).then_some(out)
}
