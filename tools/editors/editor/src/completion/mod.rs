//! Completion: the texts that could be written at a place.

mod lists;
mod members;
mod place;
pub(crate) mod suite;

use tempo_diagnostics::Span;

use crate::facts::Facts;
use crate::suite::is_suite;
use crate::values::Values;
use crate::words::Words;
use crate::{Place, Root, Snapshot};
use place::Wanted;

pub use lists::documentation;

/// Something that could be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text that is shown, and typed to find it.
    pub label: String,
    /// The text that is written.
    pub text: String,
    /// The text that is replaced.
    pub span: Span,
    /// Its kind.
    pub kind: CompletionKind,
    /// A few words beside it.
    pub detail: String,
    /// Smaller ones come first.
    pub rank: u32,
}

/// The kind of a [`Completion`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompletionKind {
    Mnemonic,
    Directive,
    Preprocessor,
    Macro,
    PseudoCommand,
    Function,
    Label,
    Variable,
    Constant,
    Namespace,
    Field,
    Method,
    File,
    Folder,
    Address,
    Word,
    /// A statement with a body. Its text has places to fill in, in the syntax that editors share: `$1`, `${2:name}`,
    /// and `$0` where one goes on.
    Snippet,
}

/// An entry of a folder: its name, and whether it is a folder itself.
pub type Entry = (String, bool);

/// Lists the completions at a place. `list` gives the entries of the folders that a beginning of a path may mean.
pub fn completions(
    snapshot: &Snapshot,
    place: Place<'_>,
    list: &dyn Fn(&str) -> Vec<Entry>,
) -> Vec<Completion> {
    if is_suite(place.file) {
        return suite::completions(snapshot, place, list);
    }
    let Some(root) = snapshot.roots_of(place.file).next() else { return Vec::new() };
    let facts = root.parsed();
    let Some(file) = facts.files(place.file).next() else { return Vec::new() };
    let words = Words::of(facts, file);
    let offset = place.offset.min(words.text.len() as u32);
    let site = Site {
        root,
        facts,
        words,
        offset: facts.output().sources.base(file) + offset,
        wanted: place::wanted(words, offset),
        file: place.file,
        cpu: root.cpu(),
    };
    let mut found = site.completions(list);
    found.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    found.dedup_by(|a, b| a.label == b.label && a.text == b.text);
    found
}

/// A cursor in a source.
pub(crate) struct Site<'a> {
    pub root: &'a Root,
    pub facts: &'a Facts,
    pub words: Words<'a>,
    /// In the range of all texts.
    pub offset: u32,
    pub wanted: Wanted,
    pub file: &'a str,
    /// The instruction set before any `.cpu`.
    pub cpu: tempo_isa::Cpu,
}

impl Site<'_> {
    fn completions(&self, list: &dyn Fn(&str) -> Vec<Entry>) -> Vec<Completion> {
        let span = self.wanted.span();
        match &self.wanted {
            Wanted::Nothing => Vec::new(),
            Wanted::Path { typed, .. } => lists::paths(typed, span, list),
            Wanted::Encoding(_) => lists::encodings(span),
            Wanted::Segment(_) => self.segments(span),
            Wanted::Cpu(_) => lists::cpus(span),
            Wanted::ImportKind(_) => lists::import_kinds(span),
            Wanted::Parameter { brackets, .. } => lists::parameters(self.words, *brackets, span),
            Wanted::Modifier(_) => lists::modifiers(span),
            Wanted::SegmentModifier(_) => lists::segment_modifiers(span),
            Wanted::Plugin(_) => lists::plugins(span),
            Wanted::Preprocessor(_) => lists::preprocessor(span),
            Wanted::Directive(_) => {
                let mut found = lists::directives(span);
                found.extend(lists::snippets(span));
                found
            }
            Wanted::Flag(_) => self.flags(span),
            Wanted::Statement(_) => {
                let mut found = lists::mnemonics(self.cpu(), span);
                found.extend(lists::directives(span));
                found.extend(lists::snippets(span));
                found.extend(self.callables(span));
                found
            }
            Wanted::Member { dot, .. } => self.members(*dot, span),
            Wanted::MultiLabel(_) => self.multi_labels(span),
            Wanted::Number { typed, .. } => self.addresses(typed, span),
            Wanted::Expression(_) => {
                let mut found = self.names(span);
                found.extend(lists::library(span));
                found.extend(self.hardware(span));
                found
            }
        }
    }

    /// The instruction set in force: that of the last `.cpu` before the cursor.
    fn cpu(&self) -> tempo_isa::Cpu {
        let base = self.offset - self.local();
        let before = self.words.tokens.partition_point(|token| token.start + base < self.offset);
        let directive = (0..before).rev().find(|&index| self.words.spelled(index) == ".cpu");
        let named = directive.and_then(|index| tempo_isa::Cpu::from_kick_name(self.words.spelled(index + 1)));
        named.unwrap_or(self.cpu)
    }

    /// The offset of the cursor in its file.
    pub(crate) fn local(&self) -> u32 {
        let file = self.facts.output().sources.file_of(self.offset);
        self.offset - self.facts.output().sources.base(file)
    }

    pub(crate) fn values(&self) -> Values {
        Values::of(self.root, self.file)
    }

    /// Multi labels in reach, with the lines they lead to.
    fn multi_labels(&self, span: Span) -> Vec<Completion> {
        let mut found = Vec::new();
        let scopes = self.scopes();
        let symbols = self.facts.analysis().symbols.iter();
        let labels: Vec<_> = symbols
            .filter(|symbol| {
                symbol.kind == tempo_assembler::analysis::SymbolKind::MultiLabel
                    && scopes.contains(&symbol.scope)
            })
            .collect();
        let sources = &self.facts.output().sources;
        let own = sources.file_of(self.offset);
        for (is_forward, sign) in [(true, "+"), (false, "-")] {
            let mut names: std::collections::BTreeMap<&str, Vec<Span>> = Default::default();
            for label in labels.iter().filter(|label| sources.file_of(label.span.start) == own) {
                if (label.span.start >= self.offset) == is_forward {
                    names.entry(&label.name).or_default().push(label.span);
                }
            }
            for (name, mut places) in names {
                places.sort();
                if !is_forward {
                    places.reverse();
                }
                for (index, place) in places.iter().take(3).enumerate() {
                    let source = self.facts.source(own);
                    let line = source
                        .position(place.start - sources.base(own), tempo_diagnostics::Columns::Bytes)
                        .line;
                    let label = format!("!{name}{}", sign.repeat(index + 1));
                    found.push(Completion {
                        text: label.clone(),
                        label,
                        span,
                        kind: CompletionKind::Label,
                        detail: format!("line {line}: {}", source.line(line).trim()),
                        rank: index as u32 * 2 + u32::from(!is_forward),
                    });
                }
            }
        }
        found
    }

    fn segments(&self, span: Span) -> Vec<Completion> {
        let values = self.values();
        let names = values.facts.output().program.segments.iter().map(|segment| segment.name.clone());
        let mut names: Vec<String> = names.collect();
        let words = self.words;
        names.extend(
            (0..words.tokens.len())
                .filter(|&index| words.spelled(index) == ".segmentdef")
                .map(|index| words.spelled(index + 1).to_owned()),
        );
        names.sort();
        names.dedup();
        names.into_iter().map(|name| lists::plain(&name, CompletionKind::Word, "segment", span)).collect()
    }

    fn flags(&self, span: Span) -> Vec<Completion> {
        let symbols = self.facts.analysis().symbols.iter();
        let flags =
            symbols.filter(|symbol| symbol.kind == tempo_assembler::analysis::SymbolKind::Preprocessor);
        flags.map(|flag| lists::plain(&flag.name, CompletionKind::Constant, "#define", span)).collect()
    }
}
