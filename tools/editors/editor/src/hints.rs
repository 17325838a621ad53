//! Small texts between the words of a source: addresses, cycles, sizes, values.

use std::collections::BTreeMap;

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::{Emission, SymbolKind};
use tempo_assembler::dialect::{Directive, Emits};
use tempo_diagnostics::{Columns, FrameKind, Span, hex, plural};

use crate::cycles::{Code, Counter, Cycles, Sum, total};
use crate::snapshot::Root;
use crate::values::Values;
use crate::words::Words;
use crate::{HintKinds, Snapshot};

/// A text at a place of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// Where it is shown.
    pub offset: u32,
    /// The text that is shown.
    pub label: String,
    /// Its meaning.
    pub tooltip: &'static str,
    /// Whether it is before a word, and not after one.
    pub is_before: bool,
}

/// The hints for a part of a file.
pub fn hints(snapshot: &Snapshot, file: &str, span: Span, kinds: HintKinds) -> Vec<Hint> {
    if kinds == (HintKinds { addresses: false, cycles: false, macro_size: false, values: false }) {
        return Vec::new();
    }
    let Some(root) = snapshot.roots_of(file).next() else { return Vec::new() };
    let facts = root.parsed();
    let Some(id) = facts.files(file).next() else { return Vec::new() };
    let site = Site { root, values: Values::of(root, file), words: Words::of(facts, id), span };
    let mut hints = Vec::new();
    if kinds.addresses || kinds.cycles {
        site.statements(kinds, &mut hints);
    }
    if kinds.macro_size {
        site.expansions(&mut hints);
    }
    if kinds.values {
        site.names(file, &mut hints);
    }
    hints.sort_by(|a, b| (a.offset, !a.is_before, &a.label).cmp(&(b.offset, !b.is_before, &b.label)));
    hints.dedup();
    hints
}

struct Site<'a> {
    root: &'a Root,
    values: Values,
    words: Words<'a>,
    span: Span,
}

/// The smallest and the largest of some numbers, and how many there are.
fn spread(numbers: impl IntoIterator<Item = Cycles>) -> Option<(Cycles, usize)> {
    let mut all: Option<(Cycles, usize)> = None;
    for cycles in numbers {
        all = Some(match all {
            None => (cycles, 1),
            Some((known, count)) => {
                (Cycles { min: known.min.min(cycles.min), max: known.max.max(cycles.max) }, count + 1)
            }
        });
    }
    all
}

fn times(count: usize) -> String {
    if count > 1 { format!(" × {count}") } else { String::new() }
}

impl Site<'_> {
    /// The emissions of each statement of the part, by the present place of its head.
    fn emitted(&self) -> BTreeMap<u32, Vec<&Emission>> {
        let mut by_head: BTreeMap<u32, Vec<&Emission>> = BTreeMap::new();
        for emission in self.values.emitted_in(self.span) {
            if let Some(now) = self.values.now(emission.span) {
                by_head.entry(now.start).or_default().push(emission);
            }
        }
        by_head
    }

    /// Where the statement whose head is at an offset ends, without a comment.
    fn end(&self, head: u32) -> u32 {
        let first = self.words.tokens.partition_point(|token| token.start < head);
        let (mut end, mut depth) = (head, 0);
        for index in first..self.words.tokens.len() {
            let is_end = matches!(self.words.kind(index), Some(TokenKind::LineEnd | TokenKind::Comment));
            match self.words.spelled(index) {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "}" | "{" => break,
                ";" if depth <= 0 => break,
                _ if is_end && depth <= 0 => break,
                _ if is_end => continue,
                _ => {}
            }
            end = self.words.span(index).end;
        }
        end
    }

    fn statements(&self, kinds: HintKinds, hints: &mut Vec<Hint>) {
        let analysis = self.values.facts.analysis();
        let mut counter = Counter::new(&self.values.facts);
        for (head, emissions) in self.emitted() {
            if kinds.addresses {
                let (low, high) = emissions.iter().fold((i64::MAX, i64::MIN), |(low, high), emission| {
                    (low.min(emission.run_address), high.max(emission.run_address))
                });
                let label = match low == high {
                    true => hex(low),
                    false => format!("{}–{}{}", hex(low), hex(high), times(emissions.len())),
                };
                hints.push(Hint { offset: head, label, tooltip: "where it runs", is_before: true });
            }
            let codes: Vec<Code<'_>> =
                emissions.iter().filter_map(|emission| Code::of(analysis, emission)).collect();
            let Some(first) = codes.first().filter(|_| kinds.cycles) else { continue };
            let offset = self.end(head);
            let Some((cycles, count)) = spread(codes.iter().map(Code::cycles)) else { continue };
            let label = match first.branch() {
                Some((not_taken, taken)) if count == 1 && taken != not_taken => {
                    format!("{not_taken}/{taken}")
                }
                _ => format!("{cycles}{}", times(count)),
            };
            hints.push(Hint { offset, label, tooltip: "cycles", is_before: false });
            let turns: Vec<Cycles> =
                emissions.iter().filter_map(|emission| self.turn(&mut counter, emission)).collect();
            if let Some((turn, count)) = spread(turns) {
                let label = format!("{turn}/turn{}", times(count));
                hints.push(Hint {
                    offset,
                    label,
                    tooltip: "cycles of one turn of the loop",
                    is_before: false,
                });
            }
        }
    }

    /// The cost of one turn of the loop that a backward branch closes.
    fn turn(&self, counter: &mut Counter<'_>, emission: &Emission) -> Option<Cycles> {
        let code = Code::of(self.values.facts.analysis(), emission)?;
        let target = code.target().filter(|&target| code.is_branch() && target <= code.address)?;
        counter.turn(target, code.address)
    }

    /// Sizes of macro calls, turns of loops, bytes of fills.
    fn expansions(&self, hints: &mut Vec<Hint>) {
        let analysis = self.values.facts.analysis();
        let mut counter = Counter::new(&self.values.facts);
        // Only the expansions that are seen are counted.
        let seen: Vec<Option<u32>> = (analysis.expansions.iter())
            .map(|expansion| {
                let start = self.values.now(expansion.span)?.start;
                (start >= self.span.start && start < self.span.end).then_some(start)
            })
            .collect();
        let mut emitted: Vec<Vec<&Emission>> = vec![Vec::new(); analysis.expansions.len()];
        for emission in &analysis.emissions {
            let mut at = emission.expansion;
            while let Some(index) = at {
                if seen[index].is_some() {
                    emitted[index].push(emission);
                }
                at = analysis.expansions[index].parent;
            }
        }
        let mut calls: BTreeMap<u32, Vec<(FrameKind, Sum)>> = BTreeMap::new();
        for (index, start) in seen.iter().enumerate() {
            let Some(start) = *start else { continue };
            let sum = total(&self.values.facts, &mut counter, &mut emitted[index]);
            calls.entry(start).or_default().push((analysis.expansions[index].kind, sum));
        }
        for (head, runs) in calls {
            let offset = self.end(head);
            let bytes: u64 = runs.iter().map(|(_, sum)| sum.bytes).sum();
            let label = match runs[0].0 {
                FrameKind::Loop => {
                    format!("{}, {bytes} bytes", plural(runs.len(), "turn"))
                }
                _ => {
                    let Some((cycles, count)) = spread(runs.iter().map(|(_, sum)| sum.cycles)) else {
                        continue;
                    };
                    let (low, high) = (
                        runs.iter().map(|(_, sum)| sum.bytes).min(),
                        runs.iter().map(|(_, sum)| sum.bytes).max(),
                    );
                    let bytes = match (low, high) {
                        (Some(low), Some(high)) if low != high => format!("{low}–{high}"),
                        _ => low.unwrap_or(0).to_string(),
                    };
                    let has_code = runs.iter().any(|(_, sum)| sum.instructions > 0);
                    let cycles = if has_code { format!(", {cycles} cycles") } else { String::new() };
                    format!("{bytes} bytes{cycles}{}", times(count))
                }
            };
            hints.push(Hint { offset, label, tooltip: "what it makes", is_before: false });
        }
        for (head, emissions) in self.emitted() {
            let index = self.words.tokens.partition_point(|token| token.start < head);
            let directive = Directive::find(self.words.spelled(index));
            if directive.is_some_and(|directive| directive.item().emits == Emits::Count) {
                let label = format!("{} bytes{}", emissions[0].len(), times(emissions.len()));
                hints.push(Hint {
                    offset: self.end(head),
                    label,
                    tooltip: "what it makes",
                    is_before: false,
                });
            }
        }
    }

    /// Values of constants where they are used, and lines that multi labels lead to.
    fn names(&self, file: &str, hints: &mut Vec<Hint>) {
        let facts = self.root.parsed();
        for occurrence in facts.occurrences().iter().filter(|occurrence| !occurrence.is_declaration) {
            let Some(place) = facts.file_span(occurrence.span).filter(|place| place.file == file) else {
                continue;
            };
            if place.span.start < self.span.start || place.span.start >= self.span.end {
                continue;
            }
            let symbol = facts.symbol(occurrence.symbol);
            if symbol.kind == SymbolKind::MultiLabel {
                let Some(target) = facts.file_span(symbol.span).filter(|target| target.file == file) else {
                    continue;
                };
                let Some(id) = facts.files(file).next() else { continue };
                let line = facts.source(id).position(target.span.start, Columns::Bytes).line;
                let label = format!("line {line}");

                // After the signs.
                let offset = self
                    .words
                    .at(place.span.start)
                    .map_or(place.span.end, |index| self.words.span(index).end);
                hints.push(Hint { offset, label, tooltip: "where it leads", is_before: false });
                continue;
            }
            if !matches!(symbol.kind, SymbolKind::Constant) {
                continue;
            }
            let evaluated = self.values.symbol(facts, occurrence.symbol);
            let value =
                evaluated.filter(|symbol| symbol.value_count == 1).and_then(|symbol| symbol.values.first());
            let Some(number) = value.and_then(|value| value.number).filter(|number| number.fract() == 0.0)
            else {
                continue;
            };
            let label = format!("= {}", hex(number as i64));
            hints.push(Hint { offset: place.span.end, label, tooltip: "its value", is_before: false });
        }
    }
}
