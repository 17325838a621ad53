//! Numbers in other notations, or by the name that the program has for them.

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::SymbolKind;
use tempo_diagnostics::{Span, hex};

use super::{Action, ActionKind, Site};
use crate::hover::value;

impl Site<'_> {
    pub(super) fn number(&self, span: Span) -> Vec<Action> {
        let Some(index) =
            self.words.at(span.start).filter(|&index| self.words.kind(index) == Some(TokenKind::Number))
        else {
            return Vec::new();
        };
        let (word, span) = (self.words.spelled(index), self.words.span(index));
        let Some(value) = value(word) else { return Vec::new() };
        let rewrite = |title: String, text: String| Action {
            title,
            kind: ActionKind::Rewrite,
            edits: vec![self.edit(span, text)],
            is_preferred: false,
            fixes: None,
        };
        let bits = if value > 0xff { 16 } else { 8 };
        let forms = [
            ("hexadecimal", hex(value)),
            ("decimal", format!("{value}")),
            ("binary", format!("%{value:0bits$b}")),
        ];
        let mut found: Vec<Action> = forms
            .into_iter()
            .filter(|(_, text)| {
                text.as_bytes()[0] != word.as_bytes()[0]
                    && !(text.as_bytes()[0].is_ascii_digit() && word.as_bytes()[0].is_ascii_digit())
            })
            .map(|(name, text)| rewrite(format!("Write as {name}: {text}"), text))
            .collect();
        if let Some(root) = self.snapshot.roots_of(self.file).next().and_then(|root| root.last_good()) {
            let analysis = root.analysis();
            let named = analysis.symbols.iter().filter(|symbol| {
                matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Label)
                    && symbol.values.len() == 1
                    && symbol.values[0].number == Some(value as f64)
                    && root.file_span(symbol.span).is_some()
                    && analysis.scopes.get(symbol.scope).is_some_and(|scope| scope.parent == Some(0))
            });
            for symbol in named.take(3).filter(|_| value > 0xff) {
                found.push(rewrite(format!("Use `{}`", symbol.name), symbol.name.clone()));
            }
        }
        found
    }
}
