//! Repairs of the text of a line: spellings of other assemblers, missing signs, comments.

use tempo_assembler::{Code, fixes};
use tempo_diagnostics::Span;

use super::{Action, Site};
use crate::facts::Facts;
use crate::{Edit, Problem};

/// Candidates that are tried: each is an assembly of the program.
const MOST: usize = 6;

impl Site<'_> {
    /// The first candidate of the assembler after which the program has fewer problems; for a value that is too large, its
    /// low byte and its high byte.
    pub(super) fn spelling(&self, problem: &Problem) -> Vec<Action> {
        let Some(code) = problem.code.and_then(|code| code.assembler()) else { return Vec::new() };
        let place = problem.place.span;
        let candidates = fixes(code, self.words.text, place.start as usize..place.end as usize);
        let mut found: Vec<Action> = Vec::new();
        for fix in candidates.into_iter().take(MOST) {
            let span = Span { start: fix.range.start as u32, end: fix.range.end as u32 };
            let old = &self.words.text[fix.range.clone()];
            let title = match (old.trim(), fix.text.trim()) {
                ("", new) => format!("Insert `{new}`"),
                (old, "") => format!("Remove `{old}`"),
                (_, new) => format!("Write `{new}`"),
            };
            let edit = self.edit(span, fix.text);
            if self.mends(std::slice::from_ref(&edit)) {
                let mut action = self.fix(title, vec![edit], problem);
                // Two halves of a word are equally likely.
                action.is_preferred = code != Code::TruncatedImmediate;
                found.push(action);
                if code != Code::TruncatedImmediate {
                    break;
                }
            }
        }
        found
    }

    /// Whether the program has fewer errors after some edits, or as many and fewer warnings.
    fn mends(&self, edits: &[Edit]) -> bool {
        let count = |facts: &Facts| {
            let all = &facts.output().diagnostics;
            let errors = all.iter().filter(|one| one.is_error()).count();
            (errors, all.len() - errors)
        };
        self.after(edits).is_some_and(|(before, after)| count(&after) < count(&before))
    }
}
