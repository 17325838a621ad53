//! Completion after a dot: members of namespaces and labels, fields and methods of values.

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::{Symbol, SymbolKind};
use tempo_assembler::dialect;
use tempo_diagnostics::Span;

use super::lists::plain;
use super::{Completion, CompletionKind, Site};
use crate::words::Words;

/// The expression before a dot.
enum Base {
    Scope(usize),
    Type(String),
    Unknown,
}

impl Site<'_> {
    pub(super) fn members(&self, dot: usize, span: Span) -> Vec<Completion> {
        match self.base(dot) {
            Base::Scope(scope) => {
                let symbols = self.facts.analysis().symbols.iter().filter(|symbol| symbol.scope == scope);
                let labels =
                    symbols.filter(|symbol| matches!(symbol.kind, SymbolKind::Label | SymbolKind::Namespace));
                let item = |symbol: &Symbol| {
                    let (kind, word) = match symbol.kind {
                        SymbolKind::Namespace => (CompletionKind::Namespace, "namespace"),
                        _ => (CompletionKind::Label, "label"),
                    };
                    plain(&symbol.name, kind, word, span)
                };
                labels.map(item).collect()
            }
            Base::Type(name) => self.of_type(Some(&name), span),
            Base::Unknown => self.of_type(None, span),
        }
    }

    fn of_type(&self, name: Option<&str>, span: Span) -> Vec<Completion> {
        let mut found = Vec::new();
        let symbols = self.facts.analysis().symbols.iter();
        let mut structs = symbols.filter(|symbol| symbol.kind == SymbolKind::Struct);
        let definition = structs.find(|symbol| Some(&symbol.name[..]) == name);
        if let Some(definition) = definition {
            let field = |field: &String| Completion {
                rank: 10,
                ..plain(field, CompletionKind::Field, "field", span)
            };
            found.extend(definition.parameters.iter().map(field));
        }
        let group = if definition.is_some() { Some("struct") } else { name };
        for field in dialect::FIELDS.iter().filter(|field| group.is_none_or(|group| field.group == group)) {
            found
                .push(Completion { rank: 20, ..plain(field.name, CompletionKind::Field, field.group, span) });
        }
        for about in dialect::METHODS {
            let is_any = about.group == dialect::ANY_VALUE;
            if is_any || group.is_none_or(|group| about.group == group) {
                let detail = format!("({}) {}", about.forms.last().unwrap_or(&""), about.about);
                let rank = if is_any { 40 } else { 30 };
                found.push(Completion { rank, ..plain(about.name, CompletionKind::Method, &detail, span) });
            }
        }
        found
    }

    /// The value before a dot.
    fn base(&self, dot: usize) -> Base {
        let words = self.words;
        let Some(before) = dot.checked_sub(1) else { return Base::Unknown };
        if words.kind(before) == Some(TokenKind::String) {
            return Base::Type("String".to_owned());
        }
        if words.spelled(before) == ")" {
            return self.result(before);
        }
        let mut end = before;
        if words.spelled(before) == "]" {
            end = match self.opening(before, "[", "]").and_then(|open| open.checked_sub(1)) {
                Some(end) => end,
                None => return Base::Unknown,
            };
        }
        // The names joined by dots, first to last.
        let mut path = Vec::new();
        loop {
            let word = words.spelled(end);
            match words.kind(end) {
                Some(TokenKind::DotName) => path.push(&word[1..]),
                Some(TokenKind::Name) => {
                    path.push(word);
                    break;
                }
                _ => return Base::Unknown,
            }
            match end.checked_sub(1) {
                Some(at) => end = at,
                None => return Base::Unknown,
            }
        }
        path.reverse();
        self.resolve(&path)
    }

    fn resolve(&self, path: &[&str]) -> Base {
        let symbols = &self.facts.analysis().symbols;
        let is_value = |symbol: &&Symbol| {
            !matches!(
                symbol.kind,
                SymbolKind::Macro
                    | SymbolKind::PseudoCommand
                    | SymbolKind::Function
                    | SymbolKind::Struct
                    | SymbolKind::Preprocessor
            )
        };
        let in_scope = |scope: usize, name: &str| {
            symbols
                .iter()
                .enumerate()
                .filter(|(_, symbol)| is_value(symbol))
                .find(|(_, symbol)| symbol.scope == scope && symbol.name == name)
        };
        let Some((first, rest)) = path.split_first() else { return Base::Unknown };
        let Some(mut found) = self.scopes().into_iter().find_map(|scope| in_scope(scope, first)) else {
            return Base::Unknown;
        };
        for name in rest {
            let Some(next) = found.1.members.and_then(|scope| in_scope(scope, name)) else {
                return Base::Unknown;
            };
            found = next;
        }
        if let Some(scope) = found.1.members {
            return Base::Scope(scope);
        }
        let values = self.values();
        let evaluated = values.symbol(self.facts, found.0);
        let value = evaluated.and_then(|symbol| symbol.values.first());
        match value {
            Some(value) => Base::Type(value.type_name.clone()),
            None => self.declared(found.1),
        }
    }

    /// The type of what a variable is declared with, if that is a call.
    fn declared(&self, symbol: &Symbol) -> Base {
        let sources = &self.facts.output().sources;
        let file = sources.file_of(symbol.span.start);
        let words = Words::of(self.facts, file);
        let name = words.tokens.partition_point(|token| token.start < symbol.span.start - sources.base(file));
        match (words.spelled(name + 1), words.kind(name + 2), words.spelled(name + 3)) {
            ("=", Some(TokenKind::Name), "(") => self.type_of_call(words.spelled(name + 2)),
            ("=", Some(TokenKind::String), _) => Base::Type("String".to_owned()),
            _ => Base::Unknown,
        }
    }

    /// The type of a call's result, if its name tells.
    fn result(&self, close: usize) -> Base {
        let words = self.words;
        let Some(name) = self.opening(close, "(", ")").and_then(|open| open.checked_sub(1)) else {
            return Base::Unknown;
        };
        self.type_of_call(words.spelled(name))
    }

    fn type_of_call(&self, name: &str) -> Base {
        let known = match name.strip_prefix('.') {
            Some(method) => dialect::methods(method, None).next(),
            None => dialect::function(name),
        };
        if let Some(name) = known.and_then(|function| function.gives.name()) {
            return Base::Type(name.to_owned());
        }
        let symbols = self.facts.analysis().symbols.iter();
        let mut structs = symbols.filter(|symbol| symbol.kind == SymbolKind::Struct);
        match structs.find(|symbol| symbol.name == name) {
            Some(definition) => Base::Type(definition.name.clone()),
            None => Base::Unknown,
        }
    }

    /// The bracket that a closing one belongs to.
    fn opening(&self, close: usize, open: &str, shut: &str) -> Option<usize> {
        let mut depth = 0;
        for index in (0..=close).rev() {
            let word = self.words.spelled(index);
            if word == shut {
                depth += 1;
            } else if word == open {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
        }
        None
    }
}
