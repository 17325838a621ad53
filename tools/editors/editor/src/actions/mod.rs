//! Changes that are offered at a place: repairs of problems, and rewrites.

mod branch;
mod code;
mod names;
mod refactor;
mod rewrite;
mod spelling;

use tempo_assembler::Code;
use tempo_diagnostics::Span;

use crate::facts::Facts;
use crate::words::Words;
use crate::{Edit, Problem, ProblemCode, Snapshot};

/// A change that is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// A description for people.
    pub title: String,
    /// Its kind.
    pub kind: ActionKind,
    /// The edits.
    pub edits: Vec<Edit>,
    /// Whether it is the one to choose.
    pub is_preferred: bool,
    /// The problem it repairs.
    pub fixes: Option<Problem>,
}

/// The kind of an [`Action`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// Repairs a problem.
    QuickFix,
    /// Writes the same in another way.
    Rewrite,
    /// Moves code or a value to its own place.
    Extract,
    /// Puts what a call stands for in its place.
    Inline,
    /// Repairs all problems of a kind in the file.
    FixAll,
}

/// Where actions are made: one file of one program.
pub(crate) struct Site<'a> {
    pub snapshot: &'a Snapshot,
    pub facts: &'a Facts,
    pub words: Words<'a>,
    pub file: &'a str,
    pub system: tempo_emu::System,
}

impl Site<'_> {
    fn edit(&self, span: Span, text: impl Into<String>) -> Edit {
        Edit { file: self.file.to_owned(), span, text: text.into() }
    }

    fn fix(&self, title: impl Into<String>, edits: Vec<Edit>, problem: &Problem) -> Action {
        Action {
            title: title.into(),
            kind: ActionKind::QuickFix,
            edits,
            is_preferred: false,
            fixes: Some(problem.clone()),
        }
    }

    /// The blanks at the beginning of the line of an offset.
    fn indent(&self, offset: u32) -> &str {
        let start = self.line_start(offset) as usize;
        let rest = &self.words.text[start..];
        &rest[..rest.len() - rest.trim_start_matches([' ', '\t']).len()]
    }

    fn line_start(&self, offset: u32) -> u32 {
        self.words.text[..offset as usize].rfind(['\n', '\r']).map_or(0, |newline| newline as u32 + 1)
    }

    /// From the head of the statement at an offset to its last token, with the head's number.
    fn statement(&self, offset: u32) -> Option<(usize, Span)> {
        let index = self.words.at(offset)?;
        let head = self.words.head(self.words.statement_start(index));
        let mut span = self.words.span(head);
        let mut depth = 0;
        for at in head..self.words.tokens.len() {
            let is_end = matches!(
                self.words.kind(at),
                Some(tempo_assembler::TokenKind::LineEnd | tempo_assembler::TokenKind::Comment)
            );
            match self.words.spelled(at) {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "{" | "}" => break,
                ";" if depth <= 0 => break,
                _ if is_end && depth <= 0 => break,
                _ => {}
            }
            if !is_end {
                span = span.to(self.words.span(at));
            }
        }
        Some((head, span))
    }

    /// The line end that the text uses.
    fn newline(&self) -> &'static str {
        if self.words.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

/// The actions offered for a part of a file.
pub fn actions(snapshot: &Snapshot, file: &str, span: Span) -> Vec<Action> {
    let Some(root) = snapshot.roots_of(file).next() else { return Vec::new() };
    let facts = root.parsed();
    let Some(id) = facts.files(file).next() else { return Vec::new() };
    let site = Site { snapshot, facts, words: Words::of(facts, id), file, system: root.system() };
    let mut found = Vec::new();
    let problems = snapshot.problems_of(file);
    let touches =
        |problem: &&Problem| problem.place.span.start <= span.end && span.start <= problem.place.span.end;
    for problem in problems.iter().filter(touches) {
        let Some(code) = problem.code else { continue };
        match code {
            ProblemCode::UnusedConstant => found.extend(site.unused_constant(problem)),
            ProblemCode::UnusedImport => found.extend(site.unused_import(problem)),
            _ if code.is_unknown_name() => found.extend(site.unknown_name(problem)),
            ProblemCode::Assembler(code) => match code {
                Code::BranchTooFar => found.extend(site.far_branch(problem)),
                Code::AddressingMode => found.extend(site.other_modes(problem)),
                Code::FunctionArguments | Code::CallArguments => found.extend(site.other_arguments(problem)),
                Code::ForcedAbsolute => found.extend(site.zero_page(problem)),
                Code::TailCall => found.extend(site.tail_call(problem)),
                Code::UnusedLabel => found.extend(site.unused_label(problem)),
                _ => {}
            },
        }
    }
    for problem in problems.iter().filter(touches) {
        found.extend(site.spelling(problem));
    }
    let is_far = |problem: &&Problem| problem.code == Some(ProblemCode::Assembler(Code::BranchTooFar));
    let far: Vec<&Problem> = problems.iter().filter(is_far).collect();
    if !far.is_empty() {
        found.extend(site.all_far_branches(&far));
    }
    found.extend(site.number(span));
    found.extend(site.constant(span));
    found.extend(site.extract(span));
    found.extend(site.inline(span));
    found.extend(site.sorted_imports(span));
    found
}
