//! Renaming, proven before it is offered: the edits are applied in memory, and the programs must bind and assemble as
//! before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tempo_assembler::analysis::SymbolKind;
use tempo_assembler::dialect;
use tempo_assembler::{Overlay, TokenKind};
use tempo_diagnostics::{Columns, SourceMap, Span};

use crate::facts::Facts;
use crate::navigate::{declared_in, symbols};
use crate::place::apply;
use crate::suite::{SuiteName, named};
use crate::words::{Words, word_at};
use crate::{Edit, FileSpan, Place, Root, Snapshot};

/// The name at a place, if it can be renamed; else the reason why not.
pub fn prepare_rename(snapshot: &Snapshot, place: Place<'_>) -> Result<(FileSpan, String), String> {
    let found = symbols(snapshot, place);
    let Some((root, symbol)) = found.first() else { return Err(reason(snapshot, place)) };
    let facts = root.parsed();
    let symbol = facts.symbol(*symbol);
    if facts.file_span(symbol.span).is_none() {
        return Err(format!("`{}` is part of the assembler", symbol.name));
    }
    if symbol.name.is_empty() {
        return Err("a label without a name cannot be renamed".to_owned());
    }
    let mut word = word_at(snapshot, place).ok_or("there is no name here")?;
    if crate::suite::is_suite(place.file) {
        word.span.start = word.span.end - symbol.name.len() as u32;
    }
    Ok((word, symbol.name.clone()))
}

/// Why the word at a place has no declaration.
fn reason(snapshot: &Snapshot, place: Place<'_>) -> String {
    let found = snapshot.roots_of(place.file).next().and_then(|root| {
        let facts = root.parsed();
        let words = Words::of(facts, facts.files(place.file).next()?);
        let index = words.at(place.offset)?;
        let word = words.spelled(index);
        if crate::hover::mnemonic(words, index).is_some() {
            return Some(format!("`{word}` is an instruction"));
        }
        let is_library = dialect::function(word).is_some()
            || dialect::constant(word).is_some()
            || dialect::Directive::find(word).is_some();
        if is_library {
            return Some(format!("`{word}` is a word of the language"));
        }
        let is_name = matches!(
            words.kind(index),
            Some(TokenKind::Name | TokenKind::DotName | TokenKind::MultiReference)
        );
        is_name.then(|| format!("the declaration of `{word}` is not known"))
    });
    found.unwrap_or_else(|| "there is no name here".to_owned())
}

/// The edits that rename what the name at a place names; else what objects.
pub fn rename(snapshot: &Snapshot, place: Place<'_>, name: &str) -> Result<Vec<Edit>, String> {
    let (_, old) = prepare_rename(snapshot, place)?;
    check_name(name)?;
    if name == old {
        return Ok(Vec::new());
    }
    let targets = everywhere(snapshot, symbols(snapshot, place));
    let proven = |targets: &Targets| {
        let edits = edits(snapshot, targets, name)?;
        prove(snapshot, targets, &edits, name)?;
        Ok(edits)
    };
    proven(&targets).or_else(|reason| match namesakes(&targets) {
        // `!a--` counts the labels in between: then all of them get the name.
        Some(all) => proven(&all).map_err(|_: String| reason),
        None => Err(reason),
    })
}

/// All multi labels with the names and scopes of some; `None` if there are no more.
fn namesakes(targets: &Targets) -> Option<Targets> {
    let mut all = targets.clone();
    for (root, symbols) in &mut all {
        let facts = root.parsed();
        let chosen: Vec<_> = symbols.iter().map(|&symbol| facts.symbol(symbol)).collect();
        let is_same = |other: &tempo_assembler::analysis::Symbol| {
            other.kind == SymbolKind::MultiLabel
                && chosen
                    .iter()
                    .any(|one| one.kind == other.kind && (one.scope, &one.name) == (other.scope, &other.name))
        };
        let others = facts.analysis().symbols.iter().enumerate().filter(|(_, other)| is_same(other));
        let others: Vec<usize> = others.map(|(index, _)| index).collect();
        symbols.extend(others);
        symbols.sort_unstable();
        symbols.dedup();
    }
    let count = |targets: &Targets| targets.iter().map(|(_, symbols)| symbols.len()).sum::<usize>();
    (count(&all) > count(targets)).then_some(all)
}

fn check_name(name: &str) -> Result<(), String> {
    let mut letters = name.chars();
    let is_start = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if is_start && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return Ok(());
    }
    Err(format!("`{name}` is not a name: letters, digits and `_`, not beginning with a digit"))
}

/// The symbols of each program that one rename is about.
type Targets = Vec<(Arc<Root>, Vec<usize>)>;

/// The same declaration in all programs of the workspace, and in those that only suites assemble.
fn everywhere(snapshot: &Snapshot, found: Vec<(Arc<Root>, usize)>) -> Targets {
    // Only evaluation knows which labels `argument.label` means.
    snapshot.roots().iter().chain(found.iter().map(|(root, _)| root)).for_each(|root| {
        root.evaluated();
    });
    let mut targets = declared_in(snapshot, found);
    for (root, symbols) in &mut targets {
        *symbols = with_shared_uses(root.parsed(), std::mem::take(symbols));
        symbols.sort_unstable();
        symbols.dedup();
    }
    targets
}

/// Symbols, and those that one of their uses means as well: `argument.label` is a label of every macro it was called with.
fn with_shared_uses(facts: &Facts, mut symbols: Vec<usize>) -> Vec<usize> {
    loop {
        let mut more: Vec<usize> = Vec::new();
        for same in facts.occurrences().chunk_by(|a, b| a.span.start == b.span.start) {
            if same.len() > 1 && same.iter().any(|occurrence| symbols.contains(&occurrence.symbol)) {
                more.extend(same.iter().map(|occurrence| occurrence.symbol));
            }
        }
        more.retain(|symbol| !symbols.contains(symbol));
        if more.is_empty() {
            return symbols;
        }
        symbols.extend(more);
        symbols.sort_unstable();
        symbols.dedup();
    }
}

fn edits(snapshot: &Snapshot, targets: &Targets, name: &str) -> Result<Vec<Edit>, String> {
    let mut edits = BTreeSet::new();
    for (root, symbols) in targets {
        let facts = root.parsed();
        for occurrence in facts.occurrences().iter().filter(|other| symbols.contains(&other.symbol)) {
            let Some(place) = facts.file_span(occurrence.span) else {
                return Err("the name is used by the assembler itself".to_owned());
            };
            edits.insert(Edit { file: place.file, span: place.span, text: name.to_owned() });
        }
        for (suite, word, labels) in snapshot.suite_names(root) {
            for span in parts(facts, &word, &labels, symbols) {
                edits.insert(Edit { file: suite.clone(), span, text: name.to_owned() });
            }
        }
    }
    Ok(edits.into_iter().collect())
}

/// The parts of a dotted name of a suite that are one of some symbols: its label, or a scope on the way to it.
fn parts(facts: &Facts, word: &SuiteName, labels: &[usize], symbols: &[usize]) -> Vec<Span> {
    let analysis = facts.analysis();
    let mut found = Vec::new();
    for &label in labels {
        let mut end = word.span.end;
        let mut scope = Some(analysis.symbols[label].scope);
        let mut is_match = symbols.contains(&label);
        for part in word.path.rsplit('.') {
            let start = end - part.len() as u32;
            if is_match {
                found.push(Span { start, end });
            }
            end = start.saturating_sub(1);
            // The next scope outwards that has a name.
            while let Some(index) = scope.filter(|&index| analysis.scopes[index].name.is_empty()) {
                scope = analysis.scopes[index].parent;
            }
            let Some(index) = scope else { break };
            is_match = symbols.iter().any(|&symbol| analysis.symbols[symbol].members == Some(index));
            scope = analysis.scopes[index].parent;
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Applies the edits in memory and compares.
fn prove(snapshot: &Snapshot, targets: &Targets, edits: &[Edit], name: &str) -> Result<(), String> {
    let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        by_file.entry(&edit.file).or_default().push(edit);
    }
    let mut texts = Vec::new();
    for (file, edits) in &by_file {
        let source = snapshot.source(file).ok_or_else(|| format!("{file} cannot be read"))?;
        texts.push((*file, apply(source.text(), edits)));
    }
    for (root, symbols) in targets {
        let mut files = Overlay::new(&**root.files());
        texts.iter().for_each(|(file, text)| files.insert(*file, text));
        let before = root.evaluated();
        let after = Facts::evaluate(&files, root.path(), &snapshot.options_of(root));
        compare(before, &after, symbols, name)?;
        for (suite, word, labels) in snapshot.suite_names(root) {
            let mut path = word.path.clone();
            for span in parts(root.parsed(), &word, &labels, symbols).iter().rev() {
                let start = (span.start - word.span.start) as usize;
                path.replace_range(start..start + span.len() as usize, name);
            }
            if named(&after, &path) != labels {
                return Err(format!("`[{path}]` in {suite} would mean something else"));
            }
        }
    }
    Ok(())
}

/// Whether two evaluations agree in everything but a name.
fn compare(before: &Facts, after: &Facts, symbols: &[usize], name: &str) -> Result<(), String> {
    let place = |facts: &Facts, span: Span| {
        facts
            .output()
            .sources
            .locate(span.start, Columns::Characters)
            .map_or(String::new(), |at| format!(" at {at}"))
    };
    let errors =
        |facts: &Facts| facts.output().diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if errors(after) > errors(before) {
        let codes: Vec<_> = before.output().diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        let mut news = after.output().diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
        let error = news.clone().find(|diagnostic| !codes.contains(&diagnostic.code)).or_else(|| news.next());
        let text = error.map_or(String::new(), |error| {
            let at = error.span.map(|span| place(after, span)).unwrap_or_default();
            format!(": {}{at}", error.message)
        });
        return Err(format!("the program would not assemble any more{text}"));
    }
    let (a, b) = (before.occurrences(), after.occurrences());
    for (one, other) in a.iter().zip(b) {
        if (one.symbol, one.is_declaration) != (other.symbol, other.is_declaration) {
            let text = before.text_of(one.span);
            return Err(format!("`{text}`{} would mean something else", place(before, one.span)));
        }
    }
    if a.len() != b.len() {
        return Err(format!("other uses would mean `{name}`"));
    }
    let (a, b) = (&before.analysis().symbols, &after.analysis().symbols);
    for (index, (one, other)) in a.iter().zip(b).enumerate() {
        let is_renamed = symbols.contains(&index);
        if one.kind != other.kind || !is_renamed && one.name != other.name {
            return Err(format!("`{}`{} would become another name", one.name, place(before, one.span)));
        }
    }
    let multi = |facts: &Facts| {
        facts.analysis().symbols.iter().filter(|symbol| symbol.kind == SymbolKind::MultiLabel).count()
    };
    if a.len() != b.len() || multi(before) != multi(after) {
        return Err("the program would declare something else".to_owned());
    }
    let (a, b) = (&before.analysis().emissions, &after.analysis().emissions);
    for (one, other) in a.iter().zip(b) {
        let bytes = (before.analysis().bytes(one), after.analysis().bytes(other));
        if one.address != other.address || bytes.0 != bytes.1 {
            return Err(format!(
                "the bytes of `{}`{} would change",
                before.text_of(one.span),
                place(before, one.span)
            ));
        }
    }
    let same = a.len() == b.len()
        && before.output().image == after.output().image
        && before.output().files == after.output().files;
    if same { Ok(()) } else { Err("the program would change".to_owned()) }
}
