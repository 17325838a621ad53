//! Values, addresses and bytes for a text as it is now: from its own evaluation, or from the last one that came
//! through while the text is broken.

use std::sync::Arc;

use tempo_assembler::analysis::{Emission, Symbol};
use tempo_diagnostics::Span;

use crate::align::Alignment;
use crate::facts::Facts;
use crate::snapshot::Root;

/// An evaluation as seen from one file of the current texts.
pub(crate) struct Values {
    pub facts: Arc<Facts>,
    /// `None` if the evaluation is that of the current texts.
    alignment: Option<Alignment>,
    file: String,
}

impl Values {
    /// The best that is known about a root. Evaluates only if nothing is known at all.
    pub fn of(root: &Root, file: &str) -> Values {
        let file = file.to_owned();
        if let Some(facts) = root.known_evaluation().filter(|facts| facts.is_good()) {
            return Values { facts: facts.clone(), alignment: None, file };
        }
        let Some(facts) = root.last_good() else {
            return Values { facts: root.evaluated().clone(), alignment: None, file };
        };
        let text = |facts: &Facts| facts.files(&file).next().map(|id| facts.source(id).shared_text());
        let alignment = match (text(facts), text(root.parsed())) {
            (Some(old), Some(new)) => Alignment::new(&old, &new),
            _ => Alignment::default(),
        };
        Values { facts: facts.clone(), alignment: Some(alignment), file }
    }

    /// Whether the values are those of an older text.
    pub fn is_old(&self) -> bool {
        self.alignment.is_some()
    }

    /// Offsets in the evaluation for an offset of the file now.
    pub fn offsets(&self, offset: u32) -> Vec<u32> {
        let old = match &self.alignment {
            None => Some(offset),
            Some(alignment) => alignment.to_old(offset),
        };
        old.map(|old| self.facts.offsets(&self.file, old).collect()).unwrap_or_default()
    }

    /// The span of the file now for a span of the evaluation.
    pub fn now(&self, span: Span) -> Option<Span> {
        let place = self.facts.file_span(span).filter(|place| place.file == self.file)?;
        match &self.alignment {
            None => Some(place.span),
            Some(alignment) => Some(Span {
                start: alignment.to_new(place.span.start)?,
                end: alignment.to_new(place.span.end)?,
            }),
        }
    }

    /// The emissions of the statement whose head now begins at an offset of the file.
    pub fn emitted_at(&self, offset: u32) -> Vec<&Emission> {
        let mut found = Vec::new();
        for offset in self.offsets(offset) {
            found.extend(self.facts.emitted_by(Span::at(offset)));
        }
        found
    }

    /// The emissions of the statements whose heads now begin in a span of the file.
    pub fn emitted_in(&self, span: Span) -> Vec<&Emission> {
        let (Some(&start), Some(&end)) = (self.near(span.start).first(), self.near(span.end).first()) else {
            return Vec::new();
        };
        self.facts.emitted_in(Span { start, end }).collect()
    }

    /// Offsets for an offset, or for the next one that is known.
    fn near(&self, offset: u32) -> Vec<u32> {
        let found = self.offsets(offset);
        if !found.is_empty() || self.alignment.is_none() {
            return found;
        }
        (offset..offset + 200)
            .map(|offset| self.offsets(offset))
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// The symbol of the evaluation that a symbol of the current texts is.
    pub fn symbol(&self, now: &Facts, index: usize) -> Option<&Symbol> {
        let wanted = &now.analysis().symbols[index];
        let same = self.facts.analysis().symbols.get(index);
        if let Some(same) = same.filter(|same| self.alignment.is_none() && same.span == wanted.span) {
            return Some(same);
        }
        let path = now.analysis().path(wanted);
        let place = now.file_span(wanted.span);
        let analysis = self.facts.analysis();
        let named =
            analysis.symbols.iter().filter(|symbol| symbol.name == wanted.name && symbol.kind == wanted.kind);
        let mut found: Vec<&Symbol> = named.filter(|symbol| analysis.path(symbol) == path).collect();
        if found.len() > 1 {
            let is_near = |symbol: &&Symbol| self.now(symbol.span) == place.as_ref().map(|place| place.span);
            if let Some(position) = found.iter().position(is_near) {
                found.swap(0, position);
            }
        }
        found.first().copied()
    }
}
