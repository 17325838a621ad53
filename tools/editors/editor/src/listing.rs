//! The program of a text: expansions, listings, the map of memory, cycles of a selection.

use tempo_assembler::analysis::Emission;
use tempo_diagnostics::{Span, hex, hex_bytes};

use crate::cycles::{Counter, Sum, total};
use crate::hover;
use crate::values::Values;
use crate::{Place, Snapshot};

/// The text of the expansion of the macro call at a place, with addresses.
pub fn expansion(snapshot: &Snapshot, place: Place<'_>) -> Option<String> {
    let root = snapshot.roots_of(place.file).next()?;
    let facts = root.parsed();
    let values = Values::of(root, place.file);
    let offset = facts.offset(place.file, place.offset)?;
    let name = facts.occurrences_at(offset).first().and_then(|occurrence| facts.file_span(occurrence.span));
    let span = name.map_or(Span::at(place.offset), |name| name.span);
    let (lines, sum) = hover::expand(&values, span)?;
    let mut text = lines.join("\n");
    text.push_str(&format!("\n// {} bytes, {} cycles\n", sum.bytes, sum.cycles));
    Some(text)
}

/// Bytes and cycles of the statements of a selection; `None` if nothing of it emits anything.
pub fn cycles_of(snapshot: &Snapshot, file: &str, span: Span) -> Option<Sum> {
    let root = snapshot.roots_of(file).next()?;
    let values = Values::of(root, file);
    let mut inside: Vec<&Emission> = values.emitted_in(span);
    let analysis = values.facts.analysis();
    // A macro call stands for all of its expansion.
    for (index, expansion) in analysis.expansions.iter().enumerate() {
        let is_call = expansion.parent.is_none()
            && values.now(expansion.span).is_some_and(|now| now.start >= span.start && now.start < span.end);
        if is_call {
            let members = hover::members(analysis, index);
            inside.extend(analysis.emissions.iter().filter(|emission| {
                let is_inside = emission.expansion.is_some_and(|own| members[own]);
                let is_listed = values
                    .now(emission.span)
                    .is_some_and(|now| now.start >= span.start && now.start < span.end);
                is_inside && !is_listed
            }));
        }
    }
    let facts = &values.facts;
    (!inside.is_empty()).then(|| total(facts, &mut Counter::new(facts), &mut inside))
}

/// All of a program as lines with addresses and bytes.
pub fn listing(snapshot: &Snapshot, file: &str) -> Option<String> {
    let root = snapshot.roots_of(file).next()?;
    let values = Values::of(root, file);
    let analysis = values.facts.analysis();
    let mut text = String::new();
    for emission in &analysis.emissions {
        let bytes = analysis.bytes(emission);
        let bytes = hex_bytes(&bytes[..bytes.len().min(8)]);
        let line = hover::line(&values, emission);
        text.push_str(&format!("{:<8} {:<24}{}\n", hex(emission.address), bytes, line));
    }
    Some(text)
}

/// A block of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryBlock {
    /// The segment it is in.
    pub segment: String,
    /// Its name.
    pub name: String,
    /// The first address.
    pub start: i64,
    /// The first address after it.
    pub end: i64,
    /// Whether it takes no bytes of the file.
    pub is_virtual: bool,
}

/// The blocks of a program.
pub fn memory_map(snapshot: &Snapshot, file: &str) -> Vec<MemoryBlock> {
    let Some(root) = snapshot.roots_of(file).next() else { return Vec::new() };
    let values = Values::of(root, file);
    let mut blocks = Vec::new();
    for segment in &values.facts.output().program.segments {
        blocks.extend(segment.blocks.iter().map(|block| MemoryBlock {
            segment: segment.name.clone(),
            name: block.name.clone(),
            start: block.start,
            end: block.end(),
            is_virtual: block.is_virtual,
        }));
    }
    blocks
}
