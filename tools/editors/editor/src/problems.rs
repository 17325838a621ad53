//! Errors, warnings and hints of all programs, joined by file.

use std::collections::BTreeMap;
use std::sync::Arc;

use tempo_assembler::{Code, SourceMap};
use tempo_diagnostics::{FrameKind, Renderer, Severity, Span};

use crate::facts::Facts;
use crate::{FileSpan, Root, Snapshot};

/// Something that is wrong, or worth knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The text that is meant; the start of the root if there is none.
    pub place: FileSpan,
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of its kind.
    pub code: Option<ProblemCode>,
    /// The message, and on their own lines the label, notes and help.
    pub message: String,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// The kind of the text for an editor.
    pub tag: Option<Tag>,
}

/// The kind of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemCode {
    /// One of the assembler's, which `docs/errors.md` explains.
    Assembler(Code),
    /// A constant or variable that nothing reads.
    UnusedConstant,
    /// An import that nothing needs.
    UnusedImport,
}

impl ProblemCode {
    /// The stable name that users see.
    pub fn as_str(self) -> &'static str {
        match self {
            ProblemCode::Assembler(code) => code.as_str(),
            ProblemCode::UnusedConstant => "unused-constant",
            ProblemCode::UnusedImport => "unused-import",
        }
    }

    /// The code of the assembler.
    pub fn assembler(self) -> Option<Code> {
        match self {
            ProblemCode::Assembler(code) => Some(code),
            _ => None,
        }
    }

    /// Whether a name of this kind is one that the program does not know, and another file may declare.
    pub fn is_unknown_name(self) -> bool {
        matches!(
            self.assembler(),
            Some(
                Code::UnknownSymbol | Code::UnknownFunction | Code::UnknownMacro | Code::UnknownPseudoCommand
            )
        )
    }
}

/// Another place and what it has to do with a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub place: FileSpan,
    /// The text at that place.
    pub message: String,
}

/// How a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// Not needed: faded out.
    Unnecessary,
}

impl Snapshot {
    /// The problems of all programs and open suites by file. Assembles those that were not assembled yet.
    pub fn problems(&self) -> BTreeMap<String, Vec<Problem>> {
        let mut all: BTreeMap<String, Vec<Problem>> = BTreeMap::new();
        for root in self.roots() {
            for path in root.evaluated().paths() {
                all.entry(path.to_owned()).or_default();
            }
        }
        for problem in joined(self.roots()) {
            all.entry(problem.place.file.clone()).or_default().push(problem);
        }
        for suite in self.suites().iter().filter(|suite| suite.is_open()) {
            all.entry(suite.path().to_owned()).or_default();
            let Some(facts) = suite.facts() else { continue };
            for problem in facts.problems(&self.folder_of(suite.path()).files) {
                add(all.entry(problem.place.file.clone()).or_default(), problem);
            }
        }
        all
    }

    /// The problems of one file.
    pub fn problems_of(&self, path: &str) -> Vec<Problem> {
        let mut all = Vec::new();
        if let Some(facts) = self.suite(path) {
            let files = &self.folder_of(path).files;
            facts.problems(files).into_iter().for_each(|problem| add(&mut all, problem));
        }
        let roots: Vec<_> = self.roots_of(path).cloned().collect();
        all.extend(joined(&roots));
        all.retain(|problem| problem.place.file == path);
        all
    }
}

/// The problems of some programs, each once. One that not all programs with its file have names those that do.
fn joined(roots: &[Arc<Root>]) -> Vec<Problem> {
    let mut all: Vec<(Problem, Vec<&str>)> = Vec::new();
    for root in roots {
        for problem in of_root(root.evaluated(), root.path()) {
            match all.iter_mut().find(|(other, _)| is_same(other, &problem)) {
                Some((_, paths)) if paths.last() == Some(&root.path()) => {}
                Some((_, paths)) => paths.push(root.path()),
                None => all.push((problem, vec![root.path()])),
            }
        }
    }
    let with_file = |file: &str| roots.iter().filter(|root| root.evaluated().has(file)).count();
    // What one program does not use, another one may.
    all.retain(|(problem, paths)| {
        !crate::unused::is_unused(problem.code) || paths.len() == with_file(&problem.place.file)
    });
    let named = |(mut problem, paths): (Problem, Vec<&str>)| {
        if paths.len() < with_file(&problem.place.file) {
            problem.message.push_str(&format!("\nin the program of {}", paths.join(", ")));
        }
        problem
    };
    all.into_iter().map(named).collect()
}

fn is_same(one: &Problem, other: &Problem) -> bool {
    (&one.place, one.code, &one.message) == (&other.place, other.code, &other.message)
}

/// Adds a problem, unless another program has the same one.
fn add(list: &mut Vec<Problem>, problem: Problem) {
    if !list.iter().any(|other| is_same(other, &problem)) {
        list.push(problem);
    }
}

/// The problems of one program.
pub(crate) fn of_root(facts: &Facts, root: &str) -> Vec<Problem> {
    let sources = &facts.output().sources;
    let renderer = Renderer::new(sources);
    let nowhere = || FileSpan { file: root.to_owned(), span: Span::at(0) };
    let mut problems = Vec::new();
    for diagnostic in &facts.output().diagnostics {
        let form = renderer.editor(diagnostic, tempo_diagnostics::Columns::Bytes);
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
        let place = diagnostic.span.and_then(|span| facts.file_span(span)).unwrap_or_else(nowhere);
        let is_unused = diagnostic.code == Code::UnusedLabel;
        let is_style = diagnostic.code.is_style() && diagnostic.severity == Severity::Warning;
        // A name that begins so says that it may be unused.
        if is_unused && diagnostic.span.is_some_and(|span| facts.text_of(span).starts_with('_')) {
            continue;
        }
        let problem = Problem {
            place,
            severity: if is_style { Severity::Note } else { diagnostic.severity },
            code: Some(ProblemCode::Assembler(diagnostic.code)),
            message: form.message,
            related,
            tag: is_unused.then_some(Tag::Unnecessary),
        };
        // An error in a body is the caller's as well.
        let mut calls = diagnostic.frames.iter().filter(|frame| {
            matches!(frame.kind, FrameKind::Macro | FrameKind::PseudoCommand | FrameKind::Function)
        });
        if let Some(call) = calls.next_back().and_then(|call| facts.file_span(call.span))
            && call != problem.place
        {
            let mut mirrored = problem.clone();
            let message = "the error is here".to_owned();
            mirrored
                .related
                .insert(0, Related { place: std::mem::replace(&mut mirrored.place, call), message });
            problems.push(mirrored);
        }
        problems.push(problem);
    }
    problems.extend(crate::unused::hints(facts));
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
