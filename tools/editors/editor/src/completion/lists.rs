//! Words of the language and names of the program.

use tempo_assembler::analysis::{Symbol, SymbolKind};
use tempo_assembler::dialect;
use tempo_diagnostics::{Span, hex_address};
use tempo_formats::encoding::Encoding;
use tempo_isa::{Cpu, Mnemonic, Standing};

use super::{Completion, CompletionKind, Entry, Site};
use crate::Snapshot;
use crate::parameters::Brackets;
use crate::words::Words;

/// Words that are as good as any other.
pub(crate) fn plain(word: &str, kind: CompletionKind, detail: &str, span: Span) -> Completion {
    Completion {
        label: word.to_owned(),
        text: word.to_owned(),
        span,
        kind,
        detail: detail.to_owned(),
        rank: 50,
    }
}

pub(super) fn mnemonics(cpu: Cpu, span: Span) -> Vec<Completion> {
    let known = Mnemonic::ALL.iter().filter(|&&mnemonic| cpu.has(mnemonic));
    let item = |&mnemonic: &Mnemonic| {
        let rows: Vec<_> = cpu.rows(mnemonic).collect();
        let forms: Vec<&str> =
            rows.iter().map(|row| row.mode.operand()).filter(|form| !form.is_empty()).collect();
        let (low, high) = (
            rows.iter().map(|row| row.len()).min().unwrap_or(1),
            rows.iter().map(|row| row.len()).max().unwrap_or(1),
        );
        let (min, max) = (
            rows.iter().map(|row| row.cycles).min().unwrap_or(0),
            rows.iter().map(|row| row.max_cycles()).max().unwrap_or(0),
        );
        let range = |a: usize, b: usize| if a == b { format!("{a}") } else { format!("{a}–{b}") };
        let cycles = match cpu.has_cycles() {
            true => format!("{} cycles", range(usize::from(min), usize::from(max))),
            false => cpu.name().to_uppercase(),
        };
        let sizes = format!("{} bytes, {cycles}", range(low, high));
        let detail = if forms.is_empty() { sizes } else { format!("{} · {sizes}", forms.join(" ")) };
        let is_documented = rows.iter().any(|row| row.standing == Standing::Documented);
        let rank = if is_documented { 10 } else { 30 };
        Completion { rank, ..plain(mnemonic.name(), CompletionKind::Mnemonic, &detail, span) }
    };
    known.map(item).collect()
}

pub(super) fn directives(span: Span) -> Vec<Completion> {
    let all = dialect::DIRECTIVES.iter().filter(|item| !item.word().is_empty());
    all.map(|directive| Completion {
        rank: 20,
        ..plain(directive.name, CompletionKind::Directive, directive.about, span)
    })
    .collect()
}

/// Statements with bodies.
pub(super) fn snippets(span: Span) -> Vec<Completion> {
    let all = dialect::DIRECTIVES.iter().flat_map(|item| item.snippets);
    let snippet = |snippet: &dialect::Snippet| Completion {
        text: snippet.text.to_owned(),
        rank: 40,
        ..plain(snippet.label, CompletionKind::Snippet, snippet.about, span)
    };
    all.map(snippet).collect()
}

pub(super) fn preprocessor(span: Span) -> Vec<Completion> {
    let all = dialect::PREPROCESSOR.iter();
    all.map(|directive| plain(directive.word(), CompletionKind::Preprocessor, directive.about, span))
        .collect()
}

pub(super) fn cpus(span: Span) -> Vec<Completion> {
    Cpu::assembled()
        .map(|cpu| plain(cpu.kick_name(), CompletionKind::Word, "instruction set", span))
        .collect()
}

pub(super) fn import_kinds(span: Span) -> Vec<Completion> {
    dialect::IMPORTS.iter().map(|kind| plain(kind.name, CompletionKind::Word, kind.about, span)).collect()
}

/// Parameters that are not given yet.
pub(super) fn parameters(words: Words<'_>, brackets: Brackets, span: Span) -> Vec<Completion> {
    let typed = words.tokens.partition_point(|token| token.start < span.start);
    let given = brackets.given(words, typed);
    let open = brackets.parameters(words).into_iter().filter(|parameter| !given.contains(&parameter.name));
    open.map(|parameter| plain(parameter.name, CompletionKind::Field, parameter.about, span)).collect()
}

pub(super) fn modifiers(span: Span) -> Vec<Completion> {
    let item = |item: &dialect::ModifierItem| {
        let detail = format!("({}) {}", item.arguments, item.about);
        plain(item.name, CompletionKind::Word, &detail, span)
    };
    dialect::MODIFIERS.iter().map(item).collect()
}

pub(super) fn segment_modifiers(span: Span) -> Vec<Completion> {
    dialect::segment_modifiers()
        .map(|item| plain(item.name, CompletionKind::Word, item.about, span))
        .collect()
}

pub(super) fn plugins(span: Span) -> Vec<Completion> {
    let item = |plugin: &dialect::Plugin| plain(plugin.class, CompletionKind::Word, &plugin.about(), span);
    dialect::PLUGINS.iter().map(item).collect()
}

pub(super) fn encodings(span: Span) -> Vec<Completion> {
    Encoding::ALL.iter().map(|one| plain(one.name(), CompletionKind::Word, "encoding", span)).collect()
}

/// Files and folders that go on from what is typed.
pub(super) fn paths(typed: &str, span: Span, list: &dyn Fn(&str) -> Vec<Entry>) -> Vec<Completion> {
    let folder = typed.rfind('/').map_or("", |slash| &typed[..=slash]);
    let span = Span { start: span.start + folder.len() as u32, end: span.end };
    let item = |(name, is_folder): Entry| {
        let text = if is_folder { format!("{name}/") } else { name };
        let kind = if is_folder { CompletionKind::Folder } else { CompletionKind::File };
        plain(&text, kind, "", span)
    };
    list(folder).into_iter().map(item).collect()
}

/// Functions, constants and words of expressions.
pub(super) fn library(span: Span) -> Vec<Completion> {
    let mut found = Vec::new();
    for function in dialect::FUNCTIONS {
        let detail = format!("({}) {}", function.forms.last().unwrap_or(&""), function.about);
        found.push(Completion { rank: 60, ..plain(function.name, CompletionKind::Function, &detail, span) });
    }
    for constant in dialect::CONSTANTS {
        let detail = format!("constant ({})", constant.group);
        found.push(Completion { rank: 60, ..plain(constant.name, CompletionKind::Constant, &detail, span) });
    }
    for word in dialect::VALUES {
        found.push(Completion { rank: 70, ..plain(word.name, CompletionKind::Word, "", span) });
    }
    found
}

impl Site<'_> {
    /// The scopes around the cursor, innermost first.
    pub(crate) fn scopes(&self) -> Vec<usize> {
        let analysis = self.facts.analysis();
        let mut scopes = Vec::new();
        // At the end of a word that ends its scope, the word is what counts.
        let local = self.local() as usize;
        let is_behind = self.words.text[..local].ends_with('}') || local == 0;
        let at = if is_behind { self.offset } else { self.offset - 1 };
        let mut scope = Some(analysis.scope_at(at));
        while let Some(index) = scope.filter(|&index| index < analysis.scopes.len()) {
            scopes.push(index);
            scope = analysis.scopes[index].parent;
        }
        scopes
    }

    fn item(&self, symbol: &Symbol, distance: usize, span: Span) -> Completion {
        let (kind, detail) = match symbol.kind {
            SymbolKind::Label => (CompletionKind::Label, "label".to_owned()),
            SymbolKind::Variable => (CompletionKind::Variable, "variable".to_owned()),
            SymbolKind::Constant => (CompletionKind::Constant, "constant".to_owned()),
            SymbolKind::Namespace => (CompletionKind::Namespace, "namespace".to_owned()),
            SymbolKind::Macro => (CompletionKind::Macro, format!("macro ({})", symbol.parameters.join(", "))),
            SymbolKind::PseudoCommand => {
                (CompletionKind::PseudoCommand, format!("pseudocommand {}", symbol.parameters.join(" : ")))
            }
            SymbolKind::Function => {
                (CompletionKind::Function, format!("function ({})", symbol.parameters.join(", ")))
            }
            SymbolKind::Struct => {
                (CompletionKind::Function, format!("struct ({})", symbol.parameters.join(", ")))
            }
            _ => (CompletionKind::Word, String::new()),
        };
        let rank = distance.min(9) as u32;
        Completion { rank, ..plain(&symbol.name, kind, &detail, span) }
    }

    /// Names that an expression may have, nearest first; a name hides those further out.
    pub(super) fn names(&self, span: Span) -> Vec<Completion> {
        let mut found: Vec<Completion> = Vec::new();
        for (distance, scope) in self.scopes().into_iter().enumerate() {
            for symbol in self.facts.analysis().symbols.iter().filter(|symbol| symbol.scope == scope) {
                let fits = matches!(
                    symbol.kind,
                    SymbolKind::Label
                        | SymbolKind::Variable
                        | SymbolKind::Constant
                        | SymbolKind::Namespace
                        | SymbolKind::Function
                        | SymbolKind::Struct
                );
                if fits && !symbol.name.is_empty() && !found.iter().any(|item| item.label == symbol.name) {
                    found.push(self.item(symbol, distance, span));
                }
            }
        }
        found
    }

    /// Macros and pseudo commands that can be called.
    pub(super) fn callables(&self, span: Span) -> Vec<Completion> {
        let mut found: Vec<Completion> = Vec::new();
        for (distance, scope) in self.scopes().into_iter().enumerate() {
            for symbol in self.facts.analysis().symbols.iter().filter(|symbol| symbol.scope == scope) {
                let fits = matches!(symbol.kind, SymbolKind::Macro | SymbolKind::PseudoCommand);
                if fits && !found.iter().any(|item| item.label == symbol.name) {
                    found.push(self.item(symbol, distance, span));
                }
            }
        }
        found
    }

    /// Constants and labels of the program with a value.
    fn names_of(&self, value: i64) -> Vec<String> {
        let values = self.values();
        let analysis = values.facts.analysis();
        let named = analysis.symbols.iter().filter(|symbol| {
            matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Label)
                && symbol.values.len() == 1
                && symbol.values[0].number == Some(value as f64)
                && values.facts.file_span(symbol.span).is_some()
        });
        named.map(|symbol| analysis.path(symbol)).collect()
    }

    /// Known addresses that begin with what is typed.
    pub(super) fn addresses(&self, typed: &str, span: Span) -> Vec<Completion> {
        let Some(digits) = typed.strip_prefix('$') else { return Vec::new() };
        // A user who writes small letters gets small letters.
        let is_small = digits.contains(|letter: char| letter.is_ascii_lowercase());
        let digits = digits.to_uppercase();
        let mut found = Vec::new();
        for entry in self.root.system().hardware().places {
            let text = hex_address(entry.addr);
            if !text[1..].starts_with(&digits) {
                continue;
            }
            let text = if is_small { text.to_lowercase() } else { text };
            let detail = format!("{}: {}", entry.name, entry.text);
            found.push(Completion { rank: 20, ..plain(&text, CompletionKind::Address, &detail, span) });
            for name in self.names_of(i64::from(entry.addr)) {
                let detail = format!("{text} {}", entry.name);
                let label = format!("{text} {name}");
                found.push(Completion {
                    rank: 10,
                    label,
                    ..plain(&name, CompletionKind::Constant, &detail, span)
                });
            }
        }
        found
    }

    /// Known addresses by name; the program's own constant for one, if it has it.
    pub(super) fn hardware(&self, span: Span) -> Vec<Completion> {
        let typed =
            self.words.text[span.start as usize..self.local().max(span.start) as usize].to_lowercase();
        if typed.len() < 2 {
            return Vec::new();
        }
        let mut found = Vec::new();
        let places = self.root.system().hardware().places.iter();
        for entry in places.filter(|entry| entry.name.to_lowercase().contains(&typed)) {
            let number = hex_address(entry.addr);
            let own = self.names_of(i64::from(entry.addr));
            let text = own.first().cloned().unwrap_or_else(|| number.clone());
            let detail = format!("{number} {}", entry.text);
            let label = entry.name.to_owned();
            found.push(Completion {
                rank: 80,
                label,
                ..plain(&text, CompletionKind::Address, &detail, span)
            });
        }
        found
    }
}

/// The text that explains a completion.
pub fn documentation(snapshot: &Snapshot, file: &str, label: &str, kind: CompletionKind) -> Option<String> {
    match kind {
        CompletionKind::Mnemonic => {
            let (cpu, mnemonic) = Cpu::with_mnemonic(label)?;
            Some(format!("{}\n\nflags: {}", mnemonic.about(), crate::hover::flags(cpu, mnemonic, None)))
        }
        CompletionKind::Directive | CompletionKind::Preprocessor => {
            let (example, about) = match kind {
                CompletionKind::Directive => {
                    let item = dialect::Directive::find(label)?.item();
                    (item.example, item.about)
                }
                _ => {
                    let item = dialect::Preprocessor::find(label)?.item();
                    (item.example, item.about)
                }
            };
            Some(format!("{}\n\n{about}", crate::hover::fenced(example)))
        }
        CompletionKind::Function if dialect::function(label).is_some() => {
            dialect::function(label).map(|function| function.about.to_owned())
        }
        CompletionKind::File | CompletionKind::Folder | CompletionKind::Word | CompletionKind::Address => {
            None
        }
        _ => {
            let root = snapshot.roots_of(file).next()?;
            let facts = root.parsed();
            let symbol = facts.analysis().symbols.iter().find(|symbol| symbol.name == label)?;
            crate::hover::comment(facts, symbol)
        }
    }
}
