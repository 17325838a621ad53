//! Who calls whom: routines by `jsr`, `jmp` and branches, macros and pseudo commands by name.

use std::collections::BTreeMap;

use tempo_assembler::analysis::SymbolKind;
use tempo_diagnostics::Span;
use tempo_isa::{Cpu, Flow};

use crate::facts::Facts;
use crate::navigate::symbols;
use crate::outline::whole;
use crate::words::Words;
use crate::{FileSpan, OutlineKind, Place, Snapshot};

/// A routine, macro or pseudo command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routine {
    /// Its path.
    pub name: String,
    /// Its kind.
    pub kind: OutlineKind,
    /// Its name where it is declared.
    pub place: FileSpan,
    /// The declaration with its body.
    pub whole: Span,
}

/// A routine and the places that call it, or that it calls from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallsOf {
    /// The other routine.
    pub routine: Routine,
    /// The calls, in the file of the caller.
    pub places: Vec<FileSpan>,
}

/// The routine that the name at a place is, or that the place is in.
pub fn routine_at(snapshot: &Snapshot, place: Place<'_>) -> Option<Routine> {
    let found =
        symbols(snapshot, place).into_iter().find_map(|(root, symbol)| routine(root.parsed(), symbol));
    found.or_else(|| {
        let root = snapshot.roots_of(place.file).next()?;
        let facts = root.parsed();
        let offset = facts.offset(place.file, place.offset)?;
        routine(facts, enclosing(facts, &starts(facts), offset)?)
    })
}

/// Who calls a routine.
pub fn incoming_calls(snapshot: &Snapshot, routine_place: &FileSpan) -> Vec<CallsOf> {
    let place = Place { file: &routine_place.file, offset: routine_place.span.start };
    let mut callers: BTreeMap<FileSpan, CallsOf> = BTreeMap::new();
    for (root, symbol) in symbols(snapshot, place) {
        let facts = root.parsed();
        let targets = starts(facts);
        for &call in &facts.symbol(symbol).uses {
            if !is_call(facts, symbol, call) {
                continue;
            }
            let caller = enclosing(facts, &targets, call.start).filter(|&caller| caller != symbol);
            let Some(caller) = caller.and_then(|caller| routine(facts, caller)) else { continue };
            add(&mut callers, caller, facts.file_span(call));
        }
    }
    callers.into_values().collect()
}

/// Whom a routine calls.
pub fn outgoing_calls(snapshot: &Snapshot, routine_place: &FileSpan) -> Vec<CallsOf> {
    let place = Place { file: &routine_place.file, offset: routine_place.span.start };
    let mut callees: BTreeMap<FileSpan, CallsOf> = BTreeMap::new();
    for (root, symbol) in symbols(snapshot, place) {
        let facts = root.parsed();
        let targets = starts(facts);
        for occurrence in facts.occurrences().iter().filter(|occurrence| !occurrence.is_declaration) {
            let is_other = occurrence.symbol != symbol && is_call(facts, occurrence.symbol, occurrence.span);
            if is_other && enclosing(facts, &targets, occurrence.span.start) == Some(symbol) {
                let Some(callee) = routine(facts, occurrence.symbol) else { continue };
                add(&mut callees, callee, facts.file_span(occurrence.span));
            }
        }
    }
    callees.into_values().collect()
}

fn add(list: &mut BTreeMap<FileSpan, CallsOf>, routine: Routine, place: Option<FileSpan>) {
    let entry = list.entry(routine.place.clone()).or_insert_with(|| CallsOf { routine, places: Vec::new() });
    if let Some(place) = place.filter(|place| !entry.places.contains(place)) {
        entry.places.push(place);
    }
}

fn routine(facts: &Facts, index: usize) -> Option<Routine> {
    let symbol = facts.symbol(index);
    let kind = match symbol.kind {
        SymbolKind::Label => OutlineKind::Routine,
        SymbolKind::Macro => OutlineKind::Macro,
        SymbolKind::PseudoCommand => OutlineKind::PseudoCommand,
        SymbolKind::Function => OutlineKind::Function,
        _ => return None,
    };
    let place = facts.file_span(symbol.span)?;
    let whole = facts.file_span(whole(facts, symbol, symbol.span))?.span;
    Some(Routine { name: facts.analysis().path(symbol), kind, place, whole })
}

/// The mnemonic of the statement that a use is in.
fn head(facts: &Facts, span: Span) -> &str {
    let sources = &facts.output().sources;
    let file = sources.file_of(span.start);
    let words = Words::of(facts, file);
    let Some(index) = words.at(span.start - sources.base(file)) else { return "" };
    words.spelled(words.head(words.statement_start(index)))
}

/// Whether a use of a symbol goes there.
fn is_call(facts: &Facts, symbol: usize, span: Span) -> bool {
    match facts.symbol(symbol).kind {
        SymbolKind::Macro | SymbolKind::PseudoCommand | SymbolKind::Function => true,
        // A branch counts if it leaves its routine, which the caller sees.
        SymbolKind::Label => Cpu::with_mnemonic(head(facts, span)).is_some_and(|(cpu, mnemonic)| {
            cpu.rows(mnemonic).any(|row| matches!(row.effects.flow, Flow::Call | Flow::Jump | Flow::Branch))
        }),
        _ => false,
    }
}

/// The labels that begin code of their own, by place: routines, and labels that nothing branches to.
fn starts(facts: &Facts) -> Vec<(u32, usize)> {
    let mut found = targets(facts);
    for (index, symbol) in facts.analysis().symbols.iter().enumerate() {
        if symbol.kind != SymbolKind::Label || facts.file_span(symbol.span).is_none() {
            continue;
        }
        let colon = Span { start: symbol.span.end, end: symbol.span.end + 1 };
        let is_entered = || symbol.uses.iter().any(|&span| is_call(facts, index, span));
        if facts.text_of(colon) == ":" && !is_entered() {
            found.push((symbol.span.start, index));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The labels that begin routines, by place: those that are called, and those with a body.
pub(crate) fn targets(facts: &Facts) -> Vec<(u32, usize)> {
    let mut found = Vec::new();
    for (index, symbol) in facts.analysis().symbols.iter().enumerate() {
        if symbol.kind != SymbolKind::Label || facts.file_span(symbol.span).is_none() {
            continue;
        }
        let is_called = || symbol.uses.iter().any(|&span| head(facts, span) == "jsr");
        if symbol.members.is_some() || is_called() {
            found.push((symbol.span.start, index));
        }
    }
    found.sort_unstable();
    found
}

/// The macro or routine that an offset is in.
fn enclosing(facts: &Facts, targets: &[(u32, usize)], offset: u32) -> Option<usize> {
    let analysis = facts.analysis();
    // A body in braces belongs to the macro or label before it.
    let around = analysis.symbols.iter().enumerate().filter(|(_, symbol)| {
        let is_owner =
            matches!(symbol.kind, SymbolKind::Macro | SymbolKind::PseudoCommand | SymbolKind::Function);
        let scope = symbol.members.and_then(|scope| analysis.scopes.get(scope));
        is_owner && scope.is_some_and(|scope| scope.ranges.iter().any(|range| range.contains(offset)))
    });
    let innermost = around.min_by_key(|(_, symbol)| {
        let scope = symbol.members.map_or(0, |scope| scope);
        analysis.scopes[scope].ranges.iter().map(|range| range.len()).min()
    });
    if let Some((index, _)) = innermost {
        return Some(index);
    }
    let sources = &facts.output().sources;
    let before = &targets[..targets.partition_point(|&(start, _)| start <= offset)];
    let here =
        before.iter().rev().take_while(|(start, _)| sources.file_of(*start) == sources.file_of(offset));
    // A label with a body has nothing after it.
    let reaches = |index: usize| {
        let scope = facts.symbol(index).members.and_then(|scope| analysis.scopes.get(scope));
        scope.is_none_or(|scope| scope.ranges.iter().any(|range| offset < range.end))
    };
    // Code that nothing calls belongs to the label before it, even if that is only jumped to.
    here.map(|&(_, index)| index).find(|&index| reaches(index)).or_else(|| {
        let labels = analysis.symbols.iter().enumerate().filter(|(_, symbol)| {
            symbol.kind == SymbolKind::Label
                && symbol.span.start <= offset
                && sources.file_of(symbol.span.start) == sources.file_of(offset)
                && facts.text_of(Span { start: symbol.span.end, end: symbol.span.end + 1 }) == ":"
        });
        labels
            .filter(|&(index, _)| reaches(index))
            .max_by_key(|(_, symbol)| symbol.span.start)
            .map(|(index, _)| index)
    })
}
