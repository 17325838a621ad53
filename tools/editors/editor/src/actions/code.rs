//! Repairs of instructions and calls: modes, argument lists, zero page, tail calls.

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::SymbolKind;
use tempo_assembler::dialect::{self, Function};
use tempo_diagnostics::Span;
use tempo_isa::{Cpu, Mode};

use super::{Action, Site};
use crate::Problem;

impl Site<'_> {
    /// `jsr x`, `rts` becomes `jmp x`.
    pub(super) fn tail_call(&self, problem: &Problem) -> Option<Action> {
        let (head, span) = self.statement(problem.place.span.start)?;
        if self.words.spelled(head) != "jsr" {
            return None;
        }
        let mut edits = vec![self.edit(self.words.span(head), "jmp")];
        // The `rts` goes, unless something leads to it.
        let mut next = self.words.tokens.partition_point(|token| token.start < span.end);
        while matches!(self.words.kind(next), Some(TokenKind::LineEnd | TokenKind::Comment))
            || self.words.spelled(next) == ";"
        {
            next += 1;
        }
        if self.words.spelled(next) == "rts" {
            let rts = self.words.span(next);
            let start = self.line_start(rts.start);
            let line = &self.words.text[start as usize..];
            let end = start + line.find('\n').map_or(line.len(), |newline| newline + 1) as u32;
            let is_alone = self.words.text[start as usize..end as usize].trim() == "rts";
            edits.push(self.edit(if is_alone { Span { start, end } } else { rts }, ""));
        }
        let mut action = self.fix("Use jmp: saves 9 cycles and 1 byte", edits, problem);
        action.is_preferred = true;
        Some(action)
    }

    /// A forced or unknown absolute address that is in the zero page.
    pub(super) fn zero_page(&self, problem: &Problem) -> Vec<Action> {
        let Some((head, _)) = self.statement(problem.place.span.start) else { return Vec::new() };
        let end = self.words.span(head).end;
        let suffix = Some(head + 1).filter(|&at| {
            self.words.kind(at) == Some(TokenKind::DotName) && self.words.span(at).start == end
        });
        match suffix {
            Some(suffix) => {
                let title = format!("Drop `{}`", self.words.spelled(suffix));
                vec![self.fix(title, vec![self.edit(self.words.span(suffix), "")], problem)]
            }
            None => vec![
                self.fix("Use the zero page: add `.zp`", vec![self.edit(Span::at(end), ".zp")], problem),
                self.fix(
                    "Keep the absolute address: add `.abs`",
                    vec![self.edit(Span::at(end), ".abs")],
                    problem,
                ),
            ],
        }
    }

    /// The modes that the instruction has, with the operand that is there.
    pub(super) fn other_modes(&self, problem: &Problem) -> Vec<Action> {
        let mut found = Vec::new();
        let Some((head, span)) = self.statement(problem.place.span.start) else { return found };
        let word = self.words.spelled(head);
        let Some((cpu, mnemonic)) = Cpu::with_mnemonic(word) else { return found };
        let start = self.words.span(head).end;
        let written = self.words.text[start as usize..span.end as usize].trim();
        let core = core(written);
        let mut texts: Vec<String> = Vec::new();
        for mode in cpu.modes(mnemonic) {
            if core.is_empty() && mode != Mode::Implied {
                continue;
            }
            let text = match mode {
                Mode::Implied => String::new(),
                _ => mode.operand().replacen(mode.placeholder(), &core, 1),
            };
            if text == written || texts.contains(&text) || mode == Mode::ZeroPageRelative {
                continue;
            }
            let title = format!("Use `{}` ({})", format!("{word} {text}").trim_end(), mode.name());
            let gap = if text.is_empty() { "" } else { " " };
            let edit = self.edit(Span { start, end: span.end }, format!("{gap}{text}"));
            texts.push(text);
            // An address may be too large for the modes that are left.
            if self.repairs(std::slice::from_ref(&edit), problem) {
                found.push(self.fix(title, vec![edit], problem));
            }
        }
        found
    }

    /// A call with as many arguments as its target takes.
    pub(super) fn other_arguments(&self, problem: &Problem) -> Vec<Action> {
        let mut found = Vec::new();
        let place = problem.place.span;
        let Some(name) = (self.words.tokens.partition_point(|token| token.start < place.start)
            ..self.words.tokens.len())
            .find(|&index| self.words.kind(index) == Some(TokenKind::Name))
        else {
            return found;
        };
        let word = self.words.spelled(name);
        let is_command = self.words.spelled(name + 1) != "(";
        let Some((span, arguments)) = self.arguments(name, is_command) else { return found };
        let symbols = self.facts.analysis().symbols.iter().filter(|symbol| symbol.name == word);
        let mut forms: Vec<Vec<String>> = symbols
            .filter(|symbol| match symbol.kind {
                SymbolKind::PseudoCommand => is_command,
                SymbolKind::Macro | SymbolKind::Function | SymbolKind::Struct => !is_command,
                _ => false,
            })
            .map(|symbol| symbol.parameters.clone())
            .collect();
        if forms.is_empty()
            && let Some(function) = dialect::function(word)
        {
            let split = |form: &&'static str| Function::arguments(form).map(str::to_owned).collect();
            forms = function.forms.iter().map(split).collect();
        }
        let separator = if is_command { " : " } else { ", " };
        for form in forms.into_iter().filter(|form| form.len() != arguments.len()) {
            let filled: Vec<String> = (0..form.len())
                .map(|index| arguments.get(index).cloned().unwrap_or_else(|| "0".to_owned()))
                .collect();
            let title = format!("Call `{word}({})`", form.join(separator));
            found.push(self.fix(title, vec![self.edit(span, filled.join(separator))], problem));
        }
        found
    }

    /// The arguments of the call whose name is a token, and where they are.
    pub(super) fn arguments(&self, name: usize, is_command: bool) -> Option<(Span, Vec<String>)> {
        let separator = if is_command { ":" } else { "," };
        let first = if is_command { name + 1 } else { name + 2 };
        let (mut depth, mut at) = (0, first);
        let mut starts = vec![first];
        while at < self.words.tokens.len() {
            match self.words.spelled(at) {
                ")" | "]" if depth == 0 => break,
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                word if word == separator && depth == 0 => starts.push(at + 1),
                _ if is_command
                    && matches!(self.words.kind(at), Some(TokenKind::LineEnd | TokenKind::Comment)) =>
                {
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        let end = self.words.span(at).start;
        let mut arguments = Vec::new();
        for (index, &start) in starts.iter().enumerate() {
            let stop = starts.get(index + 1).map_or(end, |&next| self.words.span(next - 1).start);
            let from = self.words.span(start).start.min(stop);
            arguments.push(self.words.text[from as usize..stop as usize].trim().to_owned());
        }
        if arguments == [""] {
            arguments.clear();
        }
        let start = if is_command { self.words.span(name).end } else { self.words.span(name + 1).end };
        Some((Span { start, end: end.max(start) }, arguments))
    }
}

/// The expression of an operand without the marks of its mode.
fn core(operand: &str) -> String {
    let text = operand.trim().trim_start_matches('#').trim();
    let lower = text.to_lowercase();
    let cut = |suffixes: &[&str]| {
        suffixes
            .iter()
            .find(|suffix| lower.ends_with(**suffix))
            .map_or(text.len(), |suffix| text.len() - suffix.len())
    };
    let text = text[..cut(&[",x)", ", x)", ",x", ",y", ", x", ", y"])].trim();
    let text = match text.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')').unwrap_or(inner),
        None => text,
    };
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::core;

    #[test]
    fn operands_lose_the_marks_of_their_mode() {
        for (operand, expected) in
            [("#$10", "$10"), ("(zp),y", "zp"), ("(zp,x)", "zp"), ("a+1, X", "a+1"), ("", "")]
        {
            assert_eq!(core(operand), expected, "{operand}");
        }
    }
}
