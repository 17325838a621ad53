//! Diagnostics: what is wrong with a suite, where, and what to do about it.
//! Builds and renders them as text or data; decides nothing about exit codes.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

use crate::source::{Location, Source, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// One fault, one diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    /// The smallest text the user must change.
    pub span: Span,
    /// Said at the caret; may be empty.
    pub label: String,
    /// A second place that matters, such as the bracket left open.
    pub related: Option<(Span, String)>,
    pub notes: Vec<String>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn new(severity: Severity, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            message: message.into(),
            span,
            label: String::new(),
            related: None,
            notes: Vec::new(),
            help: None,
        }
    }

    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span, message)
    }

    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span, message)
    }

    pub fn note(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, span, message)
    }

    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    pub fn maybe_help(mut self, help: Option<String>) -> Diagnostic {
        if help.is_some() {
            self.help = help;
        }
        self
    }

    pub fn with_note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related = Some((span, label.into()));
        self
    }
}

/// A diagnostic as data, for machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiagnosticRecord {
    pub severity: Severity,
    pub message: String,
    #[serde(flatten)]
    pub location: Location,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl DiagnosticRecord {
    pub fn new(source: &Source, diagnostic: &Diagnostic) -> DiagnosticRecord {
        DiagnosticRecord {
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            location: source.location(diagnostic.span),
            label: diagnostic.label.clone(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
        }
    }
}

/// Whether rendered text may contain terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    Plain,
    Ansi,
}

/// The form people read: message, place, source line with carets, notes and help.
pub fn render(source: &Source, diagnostic: &Diagnostic, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let (file, offset) = source.file_at(diagnostic.span.start);
    // A second place in another file is told in words.
    let (related, elsewhere) = match &diagnostic.related {
        Some((span, label)) if source.file_at(span.start).1 != offset => {
            (None, Some(format!("{label}: {}", source.location(*span))))
        }
        Some((span, label)) => (Some((*span, label)), None),
        None => (None, None),
    };
    // Only the lines concerned are handed over: a huge file must not be scanned for each message.
    let (line, _) = source.position(diagnostic.span.start);
    let mut first = line;
    let mut last = line;
    if let Some((span, _)) = &related {
        let (other, _) = source.position(span.start);
        first = first.min(other);
        last = last.max(other);
    }
    let start = file.line_start(first);
    let text = &file.text[start..file.line_start(last) + file.line(last).len()];
    let base = start + offset as usize;
    let clip = |span: Span| {
        let start = (span.start as usize).saturating_sub(base).min(text.len());
        let end = (span.end as usize).saturating_sub(base).clamp(start, text.len());
        // A caret under a multi-line statement would draw all of it; the first line is enough.
        let end = text[start..end].find(['\n', '\r']).map_or(end, |at| start + at);
        start..end.max(start)
    };
    let mut primary = AnnotationKind::Primary.span(clip(diagnostic.span));
    if !diagnostic.label.is_empty() {
        primary = primary.label(diagnostic.label.as_str());
    }
    let mut snippet = Snippet::source(text).path(file.name.as_str()).line_start(first).annotation(primary);
    if let Some((span, label)) = related {
        snippet = snippet.annotation(AnnotationKind::Context.span(clip(span)).label(label.as_str()));
    }
    let mut group: Group<'_> = level.primary_title(diagnostic.message.as_str()).element(snippet);
    for note in elsewhere.iter().chain(&diagnostic.notes) {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    };
    let mut out = renderer.render(&[group]);
    out.push('\n');
    out
}

/// One line per message, the form editors understand.
pub fn render_short(source: &Source, diagnostic: &Diagnostic) -> String {
    let mut out =
        format!("{}: {}: {}", source.location(diagnostic.span), diagnostic.severity, diagnostic.message);
    if let Some(help) = &diagnostic.help {
        out.push_str(&format!(" [help: {help}]"));
    }
    out.push('\n');
    out
}

/// The closest of `known` to `name` within `limit` edits, ignoring case, if it is the only one that close.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, limit: usize) -> Option<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    let mut best: Option<(&str, usize)> = None;
    let mut unique = true;
    for candidate in known {
        let text: Vec<char> = candidate.to_lowercase().chars().collect();
        if text.len().abs_diff(wanted.len()) > limit {
            continue;
        }
        let distance = edit_distance(&wanted, &text);
        if distance > limit || distance >= wanted.len().max(2) {
            continue;
        }
        match best {
            Some((_, least)) if distance > least => {}
            Some((held, least)) if distance == least => unique &= held == candidate,
            _ => {
                best = Some((candidate, distance));
                unique = true;
            }
        }
    }
    best.filter(|_| unique).map(|(candidate, _)| candidate)
}

fn edit_distance(one: &[char], two: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in two.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(a != b)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn nearest_wants_a_single_winner() {
        assert_eq!(nearest("MoveCont", ["MoveCount", "BestMove"], 3), Some("MoveCount"));
        assert_eq!(nearest("movecount", ["MoveCount"], 3), Some("MoveCount"));
        assert_eq!(nearest("tabX", ["tabA", "tabB"], 3), None);
        assert_eq!(nearest("wholly", ["different"], 3), None);
    }

    #[test]
    fn a_message_shows_line_caret_and_help() {
        let source = Source::new("s.6502", "suites {\n  siute(\"x\") { }\n}\n");
        let diagnostic =
            Diagnostic::error(Span::new(11, 16), "unknown word `siute`").help("did you mean `suite`?");
        let text = render(&source, &diagnostic, Colour::Plain);
        assert!(text.contains("s.6502:2:3"), "{text}");
        assert!(text.contains("^^^^^"), "{text}");
        assert!(text.contains("did you mean"), "{text}");
        assert_eq!(
            render_short(&source, &diagnostic),
            "s.6502:2:3: error: unknown word `siute` [help: did you mean `suite`?]\n"
        );
    }
}
