//! A branch that is too far becomes the opposite branch over a jump.

use tempo_isa::Mnemonic;

use super::{Action, ActionKind, Site};
use crate::{Edit, Problem};

fn opposite(branch: &str) -> Option<&'static str> {
    Mnemonic::parse(branch)?.opposite().map(Mnemonic::name)
}

impl Site<'_> {
    pub(super) fn far_branch(&self, problem: &Problem) -> Option<Action> {
        let edit = self.inverted(problem, &self.free_name(&[]))?;
        let mut action = self.fix("Invert the branch and jump", vec![edit], problem);
        action.is_preferred = true;
        Some(action)
    }

    pub(super) fn all_far_branches(&self, problems: &[&Problem]) -> Option<Action> {
        let mut names: Vec<String> = Vec::new();
        let mut edits: Vec<Edit> = Vec::new();
        for problem in problems {
            let name = self.free_name(&names);
            if let Some(edit) = self
                .inverted(problem, &name)
                .filter(|edit| !edits.iter().any(|other| other.span == edit.span))
            {
                edits.push(edit);
                names.push(name);
            }
        }
        let count = edits.len();
        let plural = if count == 1 { "" } else { "es" };
        (count > 0).then(|| Action {
            title: format!(
                "Invert {count} branch{plural} that reach{} too far",
                if count == 1 { "es" } else { "" }
            ),
            kind: ActionKind::FixAll,
            edits,
            is_preferred: false,
            fixes: None,
        })
    }

    /// A multi label that no reference of the file could mean: none of its name is there.
    fn free_name(&self, taken: &[String]) -> String {
        let text = self.words.text;
        let is_free = |name: &str| {
            let (label, forward, back) = (format!("!{name}:"), format!("!{name}+"), format!("!{name}-"));
            !text.contains(&label)
                && !text.contains(&forward)
                && !text.contains(&back)
                && !taken.iter().any(|other| other == name)
        };
        let numbered = (2..).map(|number| format!("over{number}"));
        let mut names = ["".to_owned(), "over".to_owned()].into_iter().chain(numbered);
        names.find(|name| is_free(name)).unwrap_or_default()
    }

    fn inverted(&self, problem: &Problem, name: &str) -> Option<Edit> {
        let (head, span) = self.statement(problem.place.span.start)?;
        let branch = opposite(self.words.spelled(head))?;
        let operand = self.words.text[self.words.span(head).end as usize..span.end as usize].trim();
        let (newline, indent) = (self.newline(), self.indent(span.start));
        let indent = if indent.is_empty() { "        " } else { indent };
        let text = format!("{branch} !{name}+{newline}{indent}jmp {operand}{newline}!{name}:");
        Some(self.edit(span, text))
    }
}
