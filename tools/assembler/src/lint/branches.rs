//! Branches whose flag is known: never taken, or always taken with code behind them that nothing else leads to.

use std::collections::HashMap;
use std::ops::Range;

use isa::Mnemonic;

use super::Check;
use super::code::{Entry, Listing, Traits};
use super::contracts::{Body, bodies};
use crate::codes::Code;
use crate::cycles::Line;
use crate::report::Report;

/// The flag that a branch looks at, and whether it is taken if the flag is set.
pub(super) const fn flag(mnemonic: Mnemonic) -> Option<(&'static str, bool)> {
    Some(match mnemonic {
        Mnemonic::Bne => ("zero", false),
        Mnemonic::Beq => ("zero", true),
        Mnemonic::Bcc => ("carry", false),
        Mnemonic::Bcs => ("carry", true),
        Mnemonic::Bpl => ("negative", false),
        Mnemonic::Bmi => ("negative", true),
        Mnemonic::Bvc => ("overflow", false),
        Mnemonic::Bvs => ("overflow", true),
        _ => return None,
    })
}

/// Code that is executed one instruction after the other, from label to label. Calls, jumps and data end it, since
/// nothing is known behind them.
#[derive(Debug, Default)]
pub(super) struct StraightLine {
    start: usize,
    /// Behind its last branch that looks at a flag; `start` if there is none.
    branches: usize,
    /// The last entry ended it.
    is_over: bool,
}

impl StraightLine {
    /// Goes on to an entry. Returns the part of the line before it that has branches, if the entry is not on it.
    #[inline]
    pub fn next(&mut self, listing: &Listing<'_>, index: usize, entry: &Entry<'_>) -> Option<Range<usize>> {
        let mut ended = None;
        if self.is_over || !entry.follows || listing.is_named(entry.address) {
            ended = self.end();
            (self.start, self.branches) = (index, index);
        }
        if entry.traits.has(Traits::LOOKS_AT_FLAG) {
            self.branches = index + 1;
        }
        self.is_over = entry.traits.has(Traits::FLOW) || !entry.traits.has(Traits::CODE);
        ended
    }

    /// The part of the line that has branches.
    #[inline]
    pub fn end(&self) -> Option<Range<usize>> {
        (self.branches > self.start).then_some(self.start..self.branches)
    }
}

impl Check<'_> {
    /// Follows straight lines. A branch in a macro or loop is not reported: arguments decide there.
    pub(super) fn decided_branches(&mut self, lines: &[Range<usize>]) {
        let listing = self.listing;
        let has_sed = listing.has_sed;
        let may_modify = listing.may_modify();
        let mut found = Vec::new();
        for followed in lines {
            let mut line = Line::new(has_sed);
            for index in followed.clone() {
                let entry = &listing.entries[index];
                let Some((row, operand)) = entry.code() else { continue };
                let is_changed = may_modify && listing.is_written(entry.address, i64::from(entry.len));
                if let Some((name, taken_if)) = flag(row.mnemonic).filter(|_| !is_changed)
                    && let Some(is_taken) = line.branches(row.mnemonic)
                {
                    let is_passed = listing
                        .entries
                        .get(index + 1)
                        .is_some_and(|next| next.follows && !listing.is_named(next.address));
                    let state = if is_taken == taken_if { "set" } else { "clear" };
                    let span = self.tree.stmt_spans[entry.stmt as usize];
                    let report = match is_taken {
                        false => Report::warning(Code::BranchDecided, span, "this branch is never taken"),
                        // Branches that are always taken are used as short jumps, with a label behind them.
                        true if is_passed => {
                            Report::warning(Code::BranchDecided, span, "this branch is always taken")
                                .with_note("no label leads to the code behind it")
                        }
                        true => {
                            line.execute(row, None);
                            continue;
                        }
                    };
                    found.push(report.with_label(format!("the {name} flag is {state} here")));
                }
                line.execute(row, (!is_changed).then_some(operand));
            }
        }
        let mut known: HashMap<_, Vec<Body>> = HashMap::new();
        let sources = self.sources;
        found.retain(|report| {
            let Some(span) = report.span else { return false };
            let file = sources.file_of(span);
            let bodies = known.entry(file).or_insert_with(|| bodies(sources.text(file), sources.base(file)));
            !bodies.iter().any(|body| body.header.is_some() && body.contains(span.start))
        });
        self.reports.append(&mut found);
    }
}
