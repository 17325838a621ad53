//! The kind of each word of a text, for colouring.

use tempo_assembler::analysis::{Role, SymbolKind};
use tempo_assembler::{TokenKind, dialect};
use tempo_diagnostics::Span;
use tempo_isa::{Cpu, Standing};

use crate::Snapshot;
use crate::facts::Facts;
use crate::words::Words;

/// A coloured word; never longer than a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SemanticToken {
    /// The word.
    pub span: Span,
    /// Its kind.
    pub kind: SemanticKind,
    /// Bits of [`MODIFIERS`].
    pub modifiers: u32,
}

macro_rules! kinds {
    ($($variant:ident $name:literal)*) => {
        /// The kind of a word; the number is the place in [`KINDS`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        #[repr(u32)]
        pub enum SemanticKind { $($variant),* }

        /// The names of the kinds, in the order of their numbers.
        pub const KINDS: &[&str] = &[$($name),*];
    };
}

kinds! {
    Keyword "keyword" Macro "macro" Function "function" Variable "variable" Parameter "parameter"
    Property "property" Namespace "namespace" Label "label" EnumMember "enumMember" Number "number"
    String "string" Operator "operator" Comment "comment" Decorator "decorator"
}

/// The names of the bits of [`SemanticToken::modifiers`].
pub const MODIFIERS: &[&str] =
    &["declaration", "readonly", "modification", "defaultLibrary", "deprecated", "zeropage"];

const DECLARATION: u32 = 1;
const READONLY: u32 = 2;
const MODIFICATION: u32 = 4;
const DEFAULT_LIBRARY: u32 = 8;
const DEPRECATED: u32 = 16;
const ZERO_PAGE: u32 = 32;

/// The coloured words of a part of a file, in order.
pub fn semantic_tokens(snapshot: &Snapshot, file: &str, part: Span) -> Vec<SemanticToken> {
    let Some(root) = snapshot.roots_of(file).next() else { return Vec::new() };
    let facts = root.parsed();
    let Some(id) = facts.files(file).next() else { return Vec::new() };
    let base = facts.output().sources.base(id);
    let words = Words::of(facts, id);
    let first = words.tokens.partition_point(|token| token.end < part.start);
    // Names of this file alone, so that finding one is a step and not a search.
    let start = facts.occurrences().partition_point(|occurrence| occurrence.span.start < base);
    let mut reader =
        Reader { facts, words, base, occurrence: start, tokens: Vec::new(), zero_page: zero_page(root) };
    for index in first..words.tokens.len() {
        if words.tokens[index].start > part.end {
            break;
        }
        reader.word(index);
    }
    reader.tokens
}

/// Which symbols are in the zero page, as the last evaluation says.
fn zero_page(root: &crate::Root) -> std::collections::HashSet<String> {
    let Some(facts) = root.last_good() else { return Default::default() };
    let analysis = facts.analysis();
    let low = analysis.symbols.iter().filter(|symbol| {
        symbol.kind == SymbolKind::Label
            && symbol
                .values
                .first()
                .and_then(|value| value.number)
                .is_some_and(|number| (0.0..256.0).contains(&number))
    });
    low.map(|symbol| analysis.path(symbol)).collect()
}

struct Reader<'a> {
    facts: &'a Facts,
    words: Words<'a>,
    base: u32,
    /// The next one that may be met.
    occurrence: usize,
    tokens: Vec<SemanticToken>,
    zero_page: std::collections::HashSet<String>,
}

impl Reader<'_> {
    fn push(&mut self, span: Span, kind: SemanticKind, modifiers: u32) {
        // No token spans lines.
        let text = &self.words.text[span.start as usize..span.end as usize];
        let mut at = span.start;
        for line in text.split_inclusive(['\n', '\r']) {
            let len = line.trim_end_matches(['\n', '\r']).len() as u32;
            if len > 0 {
                self.tokens.push(SemanticToken { span: Span { start: at, end: at + len }, kind, modifiers });
            }
            at += line.len() as u32;
        }
    }

    fn word(&mut self, index: usize) {
        let (words, span) = (self.words, self.words.span(index));
        let Some(kind) = words.kind(index) else { return };
        let can_name = matches!(
            kind,
            TokenKind::Operator
                | TokenKind::Assignment
                | TokenKind::MultiReference
                | TokenKind::Name
                | TokenKind::DotName
        );
        if can_name && self.named(index) {
            return;
        }
        match kind {
            TokenKind::Comment => self.push(span, SemanticKind::Comment, 0),
            TokenKind::Number => self.push(span, SemanticKind::Number, 0),
            TokenKind::String | TokenKind::Character => self.push(span, SemanticKind::String, 0),
            TokenKind::Operator | TokenKind::Assignment => self.push(span, SemanticKind::Operator, 0),
            TokenKind::MultiReference => self.push(span, SemanticKind::Label, 0),
            TokenKind::Mark if words.spelled(index) == "#" && is_line_start(words, index) => {
                self.push(span, SemanticKind::Decorator, 0);
            }
            TokenKind::Name | TokenKind::DotName => self.unnamed(index),
            _ => {}
        }
    }

    /// A word that names a symbol.
    fn named(&mut self, index: usize) -> bool {
        let span = self.words.span(index);
        let (start, end) = (self.base + span.start, self.base + span.end);
        let all = self.facts.occurrences();
        while all.get(self.occurrence).is_some_and(|occurrence| occurrence.span.start < start) {
            self.occurrence += 1;
        }
        let Some(occurrence) = all.get(self.occurrence).filter(|occurrence| occurrence.span.start < end)
        else {
            return false;
        };
        let symbol = self.facts.symbol(occurrence.symbol);
        let mut modifiers = if occurrence.is_declaration { DECLARATION } else { 0 };
        let kind = match symbol.kind {
            SymbolKind::Label | SymbolKind::MultiLabel => SemanticKind::Label,
            SymbolKind::Variable if symbol.role == Role::Parameter => SemanticKind::Parameter,
            SymbolKind::Variable => SemanticKind::Variable,
            SymbolKind::Constant if symbol.role == Role::EnumMember => SemanticKind::EnumMember,
            SymbolKind::Constant => {
                modifiers |= READONLY;
                SemanticKind::Variable
            }
            SymbolKind::Namespace => SemanticKind::Namespace,
            SymbolKind::Macro | SymbolKind::PseudoCommand => SemanticKind::Macro,
            SymbolKind::Function | SymbolKind::Struct => SemanticKind::Function,
            _ => SemanticKind::Variable,
        };
        if self.facts.file_span(symbol.span).is_none() {
            modifiers |= DEFAULT_LIBRARY;
        }
        if self.words.kind(index + 1) == Some(TokenKind::Assignment) && !occurrence.is_declaration {
            modifiers |= MODIFICATION;
        }
        if symbol.kind == SymbolKind::Label && self.zero_page.contains(&self.facts.analysis().path(symbol)) {
            modifiers |= ZERO_PAGE;
        }
        // Of a multi label the mark belongs to the name.
        let is_multi = symbol.kind == SymbolKind::MultiLabel;
        let from = if is_multi { start } else { occurrence.span.start };
        let local = Span { start: from - self.base, end: span.end };
        self.push(local, kind, modifiers);
        true
    }

    /// A word of the language.
    fn unnamed(&mut self, index: usize) {
        let (words, span) = (self.words, self.words.span(index));
        let word = words.spelled(index);
        let is_call = words.spelled(index + 1) == "(";
        if let Some(name) = word.strip_prefix('.') {
            if dialect::Directive::find(word).is_some() && words.head(words.statement_start(index)) == index {
                return self.push(span, SemanticKind::Decorator, 0);
            }
            let local = Span { start: span.start + 1, end: span.end };
            let is_method = is_call && dialect::methods(name, None).next().is_some();
            let (kind, modifiers) = if is_method {
                (SemanticKind::Function, DEFAULT_LIBRARY)
            } else {
                (SemanticKind::Property, 0)
            };
            return self.push(local, kind, modifiers);
        }
        if let Some((cpu, mnemonic)) = crate::hover::mnemonic(words, index) {
            let is_documented = [cpu, Cpu::Mos6502]
                .iter()
                .any(|cpu| cpu.rows(mnemonic).any(|row| row.standing == Standing::Documented));
            return self.push(span, SemanticKind::Keyword, if is_documented { 0 } else { DEPRECATED });
        }
        let before = index.checked_sub(1).map_or("", |before| words.spelled(before));
        if before == "#" && is_line_start(words, index - 1) || word == "else" {
            return self.push(span, SemanticKind::Decorator, 0);
        }
        if is_call && dialect::function(word).is_some() {
            return self.push(span, SemanticKind::Function, DEFAULT_LIBRARY);
        }
        if dialect::constant(word).is_some() {
            self.push(span, SemanticKind::Variable, READONLY | DEFAULT_LIBRARY);
        }
    }
}

fn is_line_start(words: Words<'_>, index: usize) -> bool {
    index == 0 || words.kind(index - 1) == Some(TokenKind::LineEnd)
}
