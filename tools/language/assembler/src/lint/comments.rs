//! Comments that speak to the assembler: `// tempo: allow(W0103)`, `// tempo: no-page-cross`, `// tempo: cycles 63`.

use std::collections::HashMap;

use super::contracts::Mark;
use crate::codes::Code;
use crate::lex::{SourceToken, TokenKind, tokens};
use crate::report::Report;
use crate::source::Sources;
use tempo_diagnostics::Span;

/// A line of a file, by the number of the file.
pub(super) type Line = (u32, u32);

/// The comments of all sources, by line.
#[derive(Default)]
pub(crate) struct Comments {
    allowed: HashMap<Line, Vec<Code>>,
    /// Codes that no warning has, with their places.
    pub(super) unknown: Vec<(Span, String)>,
    /// Lines that must not cross a page.
    pub(super) no_page_cross: HashMap<Line, Span>,
    /// The statements about cycles, in the order of the texts.
    pub(super) contracts: Vec<Mark>,
}

impl Comments {
    pub fn of(sources: &Sources) -> Comments {
        let mut comments = Comments::default();
        for file in 1..sources.len() {
            for (span, words) in tempo_comments(sources.text(file)) {
                comments.read(sources, span.shifted(sources.base(file)), words);
            }
        }
        comments
    }

    fn read(&mut self, sources: &Sources, span: Span, words: &str) {
        if let Some(codes) =
            words.strip_prefix("allow").map(str::trim_start).and_then(|rest| rest.strip_prefix('('))
        {
            let codes = codes.split(')').next().unwrap_or("").split([',', ' ']);
            let allowed = self.allowed.entry(statement_line(sources, span)).or_default();
            for word in codes.filter(|word| !word.is_empty()) {
                if word.eq_ignore_ascii_case("all") {
                    allowed.extend(Code::ALL.iter().filter(|code| code.is_warning()));
                    continue;
                }
                match Code::from_id(&word.to_ascii_uppercase()).filter(|code| code.is_warning()) {
                    Some(code) => allowed.push(code),
                    None => self.unknown.push((span, word.to_owned())),
                }
            }
            return;
        }
        match words.split(|c: char| !c.is_alphanumeric() && c != '-').next() {
            Some("no-page-cross") => {
                self.no_page_cross.insert(statement_line(sources, span), span);
            }
            Some("count" | "cycles") => self.contracts.push(Mark::read(span, words)),
            _ => {}
        }
    }

    /// Whether any states cycles: then the checks need to know which macro call or iteration emitted what.
    pub fn state_cycles(&self) -> bool {
        !self.contracts.is_empty()
    }

    /// Whether a comment on the line of a warning, or alone on a line before it, allows it.
    pub fn allow(&self, report: &Report, sources: &Sources) -> bool {
        let Some(span) = report.span.filter(|_| !self.allowed.is_empty()) else { return false };
        self.allowed.get(&line_of(sources, span)).is_some_and(|codes| codes.contains(&report.code))
    }
}

/// The comments of a text that begin with `tempo:`, as the words after it and their place in the text.
pub fn tempo_comments(text: &str) -> Vec<(Span, &str)> {
    // Few files have any, and a search is faster than the lexer.
    if memchr::memmem::find(text.as_bytes(), b"tempo:").is_none() {
        return Vec::new();
    }
    let words_of = |token: &SourceToken| {
        let comment = &text[token.start as usize..token.end as usize];
        let words = comment.strip_prefix("//")?.trim_start().strip_prefix("tempo:")?;
        let start = token.end as usize - words.trim_start().len();
        Some((Span::new(start, start + words.trim().len()), words.trim()))
    };
    tokens(text).iter().filter(|token| token.kind == TokenKind::Comment).filter_map(words_of).collect()
}

/// The line that a comment speaks of: its own, or the next one with a statement if it stands alone.
fn statement_line(sources: &Sources, comment: Span) -> Line {
    let (file, line) = line_of(sources, comment);
    let lines = sources.text(file).lines().skip(line.saturating_sub(1) as usize);
    let is_empty = |text: &&str| text.trim_start().is_empty() || text.trim_start().starts_with("//");
    (file, line + lines.take_while(is_empty).count() as u32)
}

/// The line a place is in.
pub(super) fn line_of(sources: &Sources, span: Span) -> Line {
    (sources.file_of(span), sources.position(span).line)
}
