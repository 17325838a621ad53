//! Comments that speak to the assembler: `// tempo: allow(W0103)`, `// tempo: no-page-cross`.

use std::collections::HashMap;

use crate::codes::Code;
use crate::report::Report;
use crate::source::Sources;
use diagnostics::Span;

/// A line of a file, by the number of the file.
pub(super) type Line = (u32, u32);

/// The comments of all sources, by line.
#[derive(Default)]
pub(super) struct Comments {
    allowed: HashMap<Line, Vec<Code>>,
    /// Lines that must not cross a page.
    pub no_page_cross: HashMap<Line, Span>,
}

impl Comments {
    pub fn of(sources: &Sources) -> Comments {
        let mut comments = Comments::default();
        for file in 1..sources.len() {
            let text = sources.text(file);
            for (at, _) in text.match_indices("tempo:") {
                let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                let Some(slashes) = text[line..at].find("//") else { continue };
                if !text[line + slashes + 2..at].trim().is_empty() {
                    continue;
                }
                let span = Span::new(at, at + "tempo:".len()).shifted(sources.base(file));
                let number = sources.position(span).line;
                let words = text[at + "tempo:".len()..].lines().next().unwrap_or("");
                comments.read((file, number), span, words.trim());
            }
        }
        comments
    }

    fn read(&mut self, line: Line, span: Span, words: &str) {
        if let Some(codes) =
            words.strip_prefix("allow").map(str::trim_start).and_then(|rest| rest.strip_prefix('('))
        {
            let codes = codes.split(')').next().unwrap_or("").split([',', ' ']);
            self.allowed.entry(line).or_default().extend(codes.filter_map(Code::from_id));
        } else if words.split_whitespace().next() == Some("no-page-cross") {
            self.no_page_cross.insert(line, span);
        }
    }

    /// Whether a comment on the line of a warning, or on the one before it, allows it.
    pub fn allow(&self, report: &Report, sources: &Sources) -> bool {
        let Some(span) = report.span.filter(|_| !self.allowed.is_empty()) else { return false };
        let (file, line) = line_of(sources, span);
        let allows = |line: Line| self.allowed.get(&line).is_some_and(|codes| codes.contains(&report.code));
        allows((file, line)) || line > 1 && allows((file, line - 1))
    }
}

/// The line a place is in.
pub(super) fn line_of(sources: &Sources, span: Span) -> Line {
    (sources.file_of(span), sources.position(span).line)
}
