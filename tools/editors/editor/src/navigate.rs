//! Where a name is declared and used.

use std::collections::BTreeSet;
use std::sync::Arc;

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::SymbolKind;
use tempo_assembler::dialect::{Directive, Takes};
use tempo_diagnostics::{FileId, Span};
use tempo_isa::Cpu;

use crate::facts::{Facts, Occurrence};
use crate::suite::symbols_at;
use crate::words::Words;
use crate::{FileSpan, Place, Snapshot};

/// A place of a name in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Highlight {
    /// The place.
    pub place: FileSpan,
    /// Whether the name gets a value here, or memory is written there.
    pub is_write: bool,
}

/// Where the name at a place is declared, in all programs; the file that an import leads to.
pub fn definition(snapshot: &Snapshot, place: Place<'_>) -> Vec<FileSpan> {
    let mut found = BTreeSet::new();
    if let Some(suite) = snapshot.suite(place.file)
        && let Some((_, procedure)) = suite.procedure_at(place.offset)
    {
        return vec![suite.file_span(procedure.name.span)];
    }
    if let Some((_, symbols)) = symbols_at(snapshot, place) {
        for (root, symbol) in symbols {
            found.extend(declarations(root.parsed(), symbol));
        }
        return found.into_iter().collect();
    }
    for root in snapshot.roots_of(place.file) {
        let facts = root.parsed();
        for offset in facts.offsets(place.file, place.offset) {
            for occurrence in facts.occurrences_at(offset) {
                found.extend(declarations(facts, occurrence.symbol));
            }
        }
        if found.is_empty() {
            found.extend(by_words(facts, place));
        }
        if found.is_empty()
            && let Some(target) = linked(snapshot, place)
        {
            found.insert(target);
        }
    }
    found.into_iter().collect()
}

/// The place in [`tempo_assembler::SYSTEM_SOURCE`] where the name at a place is declared.
pub fn built_in_definition(snapshot: &Snapshot, place: Place<'_>) -> Option<Span> {
    symbols(snapshot, place).iter().find_map(|(root, symbol)| {
        let facts = root.parsed();
        let mut all = facts.occurrences().iter();
        let declared = all.find(|other| other.symbol == *symbol && other.is_declaration)?;
        let sources = &facts.output().sources;
        let file = sources.file_of(declared.span.start);
        // The built-in text is the first one, so its offsets are those of all texts.
        (file == FileId(0)).then_some(declared.span)
    })
}

/// The file that a string leads to.
fn linked(snapshot: &Snapshot, place: Place<'_>) -> Option<FileSpan> {
    let links = crate::structure::links(snapshot, place.file);
    let link =
        links.into_iter().find(|link| link.span.start <= place.offset && place.offset <= link.span.end)?;
    Some(FileSpan { file: link.target, span: Span::at(0) })
}

/// Symbols that names alone do not bind: fields of structs, and segments.
fn by_words(facts: &Facts, place: Place<'_>) -> Vec<FileSpan> {
    let Some(file) = facts.files(place.file).next() else { return Vec::new() };
    let words = Words::of(facts, file);
    let Some(index) = words.at(place.offset) else { return Vec::new() };
    let word = words.spelled(index);
    let start = words.statement_start(index);
    let head = words.spelled(words.head(start));
    let takes = Directive::find(head).map(|directive| directive.item().takes);
    if matches!(takes, Some(Takes::Segment | Takes::Parameters(_))) {
        return segments(facts, word.trim_matches('"'));
    }
    let Some(field) = word.strip_prefix('.').filter(|_| words.kind(index) == Some(TokenKind::DotName)) else {
        return Vec::new();
    };
    let structs = facts.analysis().symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Struct);
    let fields = structs.flat_map(|symbol| symbol.parameters.iter().zip(&symbol.field_spans));
    fields.filter(|(name, _)| *name == field).filter_map(|(_, &span)| facts.file_span(span)).collect()
}

/// Where a segment is defined.
fn segments(facts: &Facts, name: &str) -> Vec<FileSpan> {
    let mut found = Vec::new();
    for (id, source) in facts.output().sources.iter().skip(1) {
        if !source.text().contains(".segmentdef") && !source.text().contains(".segment") {
            continue;
        }
        let words = Words::of(facts, id);
        for index in 0..words.tokens.len() {
            if words.spelled(index) == ".segmentdef" && words.spelled(index + 1) == name {
                found.push(FileSpan { file: source.name().to_owned(), span: words.span(index + 1) });
            }
        }
    }
    found
}

fn declarations(facts: &Facts, symbol: usize) -> Vec<FileSpan> {
    let all = facts.occurrences().iter();
    let declared = all.filter(|other| other.symbol == symbol && other.is_declaration);
    declared.filter_map(|other| facts.file_span(other.span)).collect()
}

/// The symbols at a place, program by program. In a suite, those of the programs it assembles.
pub(crate) fn symbols(snapshot: &Snapshot, place: Place<'_>) -> Vec<(Arc<crate::Root>, usize)> {
    if let Some((_, symbols)) = symbols_at(snapshot, place) {
        return symbols;
    }
    let mut found = Vec::new();
    for root in snapshot.roots_of(place.file) {
        let facts = root.parsed();
        for offset in facts.offsets(place.file, place.offset) {
            for occurrence in facts.occurrences_at(offset) {
                let entry = (root.clone(), occurrence.symbol);
                if !found.iter().any(|(other, symbol)| Arc::ptr_eq(other, root) && *symbol == entry.1) {
                    found.push(entry);
                }
            }
        }
    }
    found
}

/// The counterparts of some symbols in each program that has their declarations: a library is part of programs that the place of
/// the question is not.
pub(crate) fn declared_in(
    snapshot: &Snapshot,
    found: Vec<(Arc<crate::Root>, usize)>,
) -> Vec<(Arc<crate::Root>, Vec<usize>)> {
    let places: BTreeSet<FileSpan> =
        found.iter().flat_map(|(root, symbol)| declarations(root.parsed(), *symbol)).collect();
    let mut roots: Vec<Arc<crate::Root>> = snapshot.roots().to_vec();
    for (root, _) in &found {
        if !roots.iter().any(|other| other.path() == root.path()) {
            roots.push(root.clone());
        }
    }
    let in_root = |root: Arc<crate::Root>| {
        let facts = root.parsed();
        // A name of the built-in source is declared at no place.
        let own = found.iter().filter(|(other, _)| Arc::ptr_eq(other, &root));
        let mut symbols: Vec<usize> = own.map(|&(_, symbol)| symbol).collect();
        for place in &places {
            for offset in facts.offsets(&place.file, place.span.start) {
                let declared =
                    facts.occurrences_at(offset).into_iter().filter(|occurrence| occurrence.is_declaration);
                symbols.extend(declared.map(|occurrence| occurrence.symbol));
            }
        }
        // A name of `.define` and the variable in its body are one, and so are labels of both branches of an `.if`.
        let pairs: Vec<usize> = symbols.iter().filter_map(|&symbol| facts.symbol(symbol).pair).collect();
        symbols.extend(pairs);
        symbols.sort_unstable();
        symbols.dedup();
        (!symbols.is_empty()).then_some((root, symbols))
    };
    roots.into_iter().filter_map(in_root).collect()
}

/// Everything that names what the name at a place names, in the sources and suites of all programs.
pub fn references(snapshot: &Snapshot, place: Place<'_>, with_declaration: bool) -> Vec<FileSpan> {
    let mut found = BTreeSet::new();
    for (root, meant) in declared_in(snapshot, symbols(snapshot, place)) {
        let facts = root.parsed();
        let all = facts.occurrences().iter().filter(|other| meant.contains(&other.symbol));
        let wanted = all.filter(|other| with_declaration || !other.is_declaration);
        found.extend(wanted.filter_map(|other| facts.file_span(other.span)));
        for (suite, name, labels) in snapshot.suite_names(&root) {
            if labels.iter().any(|label| meant.contains(label)) {
                found.insert(FileSpan { file: suite, span: last_part(&name) });
            }
        }
    }
    found.into_iter().collect()
}

/// The last part of a dotted name.
pub(crate) fn last_part(name: &crate::suite::SuiteName) -> Span {
    let last = name.path.rsplit('.').next().map_or(0, str::len) as u32;
    Span { start: name.span.end - last, end: name.span.end }
}

/// The places of the file that name what the name at a place names.
pub fn highlights(snapshot: &Snapshot, place: Place<'_>) -> Vec<Highlight> {
    if snapshot.suite(place.file).is_some() {
        let places = references(snapshot, place, true).into_iter().filter(|other| other.file == place.file);
        return places.map(|place| Highlight { place, is_write: false }).collect();
    }
    let mut found = BTreeSet::new();
    for root in snapshot.roots_of(place.file) {
        let facts = root.parsed();
        let symbols: BTreeSet<usize> = (facts.offsets(place.file, place.offset))
            .flat_map(|offset| facts.occurrences_at(offset))
            .map(|occurrence| occurrence.symbol)
            .collect();
        for occurrence in facts.occurrences().iter().filter(|other| symbols.contains(&other.symbol)) {
            let Some(place) = facts.file_span(occurrence.span).filter(|other| other.file == place.file)
            else {
                continue;
            };
            let is_write = is_write(facts, occurrence, &place);
            found.insert(Highlight { place, is_write });
        }
    }
    found.into_iter().collect()
}

/// Whether a name is declared, assigned, or the operand of an instruction that writes.
fn is_write(facts: &Facts, occurrence: &Occurrence, place: &FileSpan) -> bool {
    if occurrence.is_declaration {
        return true;
    }
    let Some(file) = facts.files(&place.file).next() else { return false };
    let words = Words::of(facts, file);
    let Some(index) = words.at(place.span.start + 1).or_else(|| words.at(place.span.start)) else {
        return false;
    };
    if words.kind(index + 1) == Some(TokenKind::Assignment) || matches!(words.spelled(index + 1), "++" | "--")
    {
        return true;
    }
    let head = words.spelled(words.head(words.statement_start(index)));
    let Some((cpu, mnemonic)) = Cpu::with_mnemonic(head) else { return false };
    cpu.rows(mnemonic).any(|row| row.effects.memory.is_written())
}
