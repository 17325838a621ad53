//! Where a name is declared and used.

use std::collections::BTreeSet;

use crate::facts::Facts;
use crate::{FileSpan, Place, Snapshot};

/// A place of a name in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Highlight {
    /// The place.
    pub place: FileSpan,
    /// Whether the name gets a value here.
    pub is_write: bool,
}

/// Where the name at a place is declared, in all programs.
pub fn definition(snapshot: &Snapshot, place: Place<'_>) -> Vec<FileSpan> {
    let mut found = BTreeSet::new();
    for root in snapshot.roots_of(place.file) {
        let facts = root.parsed();
        for offset in facts.offsets(place.file, place.offset) {
            for occurrence in facts.occurrences_at(offset) {
                let declared = declarations(facts, occurrence.symbol);
                found.extend(declared);
            }
        }
    }
    found.into_iter().collect()
}

fn declarations(facts: &Facts, symbol: usize) -> Vec<FileSpan> {
    let all = facts.occurrences().iter();
    let declared = all.filter(|other| other.symbol == symbol && other.is_declaration);
    declared.filter_map(|other| facts.file_span(other.span)).collect()
}

/// Everything that names what the name at a place names.
pub fn references(snapshot: &Snapshot, place: Place<'_>, with_declaration: bool) -> Vec<FileSpan> {
    let mut found = BTreeSet::new();
    for root in snapshot.roots_of(place.file) {
        let facts = root.parsed();
        for offset in facts.offsets(place.file, place.offset) {
            for occurrence in facts.occurrences_at(offset) {
                let all = facts.occurrences().iter().filter(|other| other.symbol == occurrence.symbol);
                let wanted = all.filter(|other| with_declaration || !other.is_declaration);
                found.extend(wanted.filter_map(|other| facts.file_span(other.span)));
            }
        }
    }
    found.into_iter().collect()
}

/// The places of the file that name what the name at a place names.
pub fn highlights(snapshot: &Snapshot, place: Place<'_>) -> Vec<Highlight> {
    let places = references(snapshot, place, true).into_iter().filter(|other| other.file == place.file);
    places.map(|place| Highlight { place, is_write: false }).collect()
}
