//! Branches whose flag is known: never taken, or always taken with code behind them that nothing else leads to.

use std::collections::HashMap;

use isa::{Class, Mnemonic};

use super::Check;
use super::code::Listing;
use super::contracts::{Body, bodies};
use crate::codes::Code;
use crate::cycles::Line;
use crate::report::Report;

/// The flag that a branch looks at, and whether it is taken if the flag is set.
fn flag(mnemonic: Mnemonic) -> Option<(&'static str, bool)> {
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

impl Check<'_> {
    /// Follows code from label to label. A branch in a macro or loop is not reported: arguments decide there.
    pub(super) fn decided_branches(&mut self) {
        let listing = self.listing;
        let has_sed = listing.has_sed;
        let may_modify = listing.may_modify();
        let mut found = Vec::new();
        let mut start = 0;
        while start < listing.entries.len() {
            let (branches, next) = straight_line(listing, start);
            let mut line = Line::new(has_sed);
            for (index, entry) in listing.entries.iter().enumerate().take(branches).skip(start) {
                let Some((row, operand)) = entry.code else { continue };
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
            start = next;
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

/// Code that is executed one instruction after the other, from an entry on: the end of its last branch, and the entry
/// behind it all. Calls, jumps and data end it, since nothing is known behind them.
fn straight_line(listing: &Listing, start: usize) -> (usize, usize) {
    let mut branches = start;
    for (index, entry) in listing.entries.iter().enumerate().skip(start) {
        if index > start && (!entry.follows || listing.is_named(entry.address)) {
            return (branches, index);
        }
        match entry.code {
            Some((row, _)) if row.class == Class::Flow => return (branches, index + 1),
            Some((row, _)) if flag(row.mnemonic).is_some() => branches = index + 1,
            Some(_) => {}
            None => return (branches, index + 1),
        }
    }
    (branches, listing.entries.len())
}
