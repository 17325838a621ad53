//! Errors, warnings and hints of all programs, joined by file.

use std::collections::BTreeMap;

use assembler::SourceMap;
use diagnostics::{FrameKind, Renderer, Severity, Span};

use crate::facts::Facts;
use crate::{FileSpan, Snapshot};

/// Something that is wrong, or worth knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The text that is meant; the start of the root if there is none.
    pub place: FileSpan,
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of its kind.
    pub code: Option<&'static str>,
    /// The message, and on lines of their own the label, notes and help.
    pub message: String,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// What an editor should make of the text.
    pub tag: Option<Tag>,
}

/// Another place and what it has to do with a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub place: FileSpan,
    /// What is there.
    pub message: String,
}

/// How a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// Not needed: faded out.
    Unnecessary,
}

impl Snapshot {
    /// The problems of all programs by file. Assembles those that were not assembled yet.
    pub fn problems(&self) -> BTreeMap<String, Vec<Problem>> {
        let roots: Vec<_> = self.roots().iter().map(|root| (root.path(), root.evaluated().clone())).collect();
        let mut all: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        for (root, facts) in &roots {
            for problem in of_root(facts, root) {
                let list = all.entry(problem.place.file.clone()).or_default();
                if !list.contains(&problem) {
                    list.push(problem);
                }
            }
        }
        all
    }
}

/// The problems of one program.
pub(crate) fn of_root(facts: &Facts, root: &str) -> Vec<Problem> {
    let sources = &facts.output().sources;
    let renderer = Renderer::new(sources);
    let nowhere = || FileSpan { file: root.to_owned(), span: Span::at(0) };
    let mut problems = Vec::new();
    for diagnostic in &facts.output().diagnostics {
        let form = renderer.editor(diagnostic, diagnostics::Columns::Bytes);
        let mut related: Vec<Related> = Vec::new();
        for label in &diagnostic.labels {
            if let Some(place) = facts.file_span(label.span) {
                related.push(Related { place, message: label.text.clone() });
            }
        }
        for frame in diagnostic.frames.iter().filter(|frame| frame.kind != FrameKind::BuiltIn) {
            if let Some(place) = facts.file_span(frame.span) {
                related.push(Related { place, message: renderer.frame_text(frame) });
            }
        }
        problems.push(Problem {
            place: diagnostic.span.and_then(|span| facts.file_span(span)).unwrap_or_else(nowhere),
            severity: diagnostic.severity,
            code: form.code,
            message: form.message,
            related,
            tag: None,
        });
    }
    for &span in &facts.output().left_out {
        let is_blank = sources.text_of(span).trim().is_empty();
        if let Some(place) = facts.file_span(span).filter(|_| !is_blank) {
            problems.push(Problem {
                place,
                severity: Severity::Note,
                code: None,
                message: "left out by a condition of the preprocessor".to_owned(),
                related: Vec::new(),
                tag: Some(Tag::Unnecessary),
            });
        }
    }
    problems
}
