//! Branches whose flag is known: never taken, or always taken with code after them that nothing else leads to.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tempo_isa::Parts;

use super::Check;
use super::code::{Listing, Traits};
use super::contracts::{Body, bodies};
use crate::arena::Id;
use crate::codes::Code;
use crate::cycles::Line;
use crate::report::Report;
use crate::tree::{Binary, Expr, ExprId, Stmt, StmtId, SymbolId, Tree};
use crate::values::to_i64;

/// The name of a flag that a branch tests.
const fn flag_name(flag: Parts) -> &'static str {
    match flag {
        Parts::C => "carry",
        Parts::Z => "zero",
        Parts::V => "overflow",
        _ => "negative",
    }
}

/// The labels from which expressions count a byte or two on: operands of the instructions after them.
struct Offsets {
    labels: HashSet<SymbolId>,
    /// Some do so from a multi label.
    has_multi: bool,
}

impl Offsets {
    fn of(tree: &Tree) -> Offsets {
        let mut offsets = Offsets { labels: HashSet::new(), has_multi: false };
        let is_few = |expr: ExprId| matches!(&tree.exprs[expr], Expr::Number(number) if matches!(to_i64(number.get()), 1 | 2));
        for expr in &tree.exprs {
            let Expr::Binary { op: Binary::Add, left, right } = *expr else { continue };
            let label = if is_few(right) { left } else { right };
            match tree.exprs[label] {
                _ if !is_few(left) && !is_few(right) => {}
                Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => {
                    offsets.labels.insert(symbol);
                }
                Expr::MultiRef(_) => offsets.has_multi = true,
                _ => {}
            }
        }
        offsets
    }
}

impl Listing<'_> {
    /// The code that is executed one instruction after the other, from a label to the last branch that looks at a flag.
    /// Calls, jumps and data end such a line, since nothing is known after them.
    fn straight_lines(&self) -> Vec<Range<usize>> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut start = 0;
        let mut is_over = true;
        let mut is_data = false;
        // Up to here bytes may be the operand of an opcode that is written as data: `.byte $2c` skips two.
        let mut skipped = i64::MIN;
        // Blocks have their own loops in this form.
        self.entries().enumerate().for_each(|(index, entry)| {
            let traits = entry.traits();
            if is_over || !traits.has(Traits::FOLLOWS) || self.is_named(entry.address) {
                start = index;
            }
            if is_data && traits.has(Traits::FOLLOWS) {
                skipped = entry.address + 2;
            }
            if (skipped.saturating_sub(2)..skipped).contains(&entry.address) {
                start = index + 1;
            }
            if traits.has(Traits::LOOKS_AT_FLAG) && start <= index {
                match lines.last_mut().filter(|line| line.start == start) {
                    Some(line) => line.end = index + 1,
                    None => lines.push(start..index + 1),
                }
            }
            is_data = !traits.has(Traits::CODE);
            is_over = traits.has(Traits::FLOW) || is_data;
        });
        lines
    }
}

impl Check<'_> {
    /// Whether an operand may be changed by something that is not seen: it has a name, or an expression counts bytes from
    /// the label before it, as the address in a pointer does.
    fn may_be_patched(&self, index: usize, offsets: &Offsets) -> bool {
        let entry = self.listing.entry(index);
        if (1..i64::from(entry.len)).any(|byte| self.listing.is_named(entry.address + byte)) {
            return true;
        }
        let before =
            entry.stmt.index().checked_sub(1).map(|before| self.tree.stmts[StmtId::from_index(before)]);
        match before {
            Some(Stmt::Label { symbol }) => offsets.labels.contains(&symbol),
            Some(Stmt::MultiLabel { .. }) => offsets.has_multi,
            _ => false,
        }
    }

    /// Follows straight lines. A branch in a macro or loop is not reported: arguments decide there.
    pub(super) fn decided_branches(&mut self) {
        let listing = self.listing;
        let has_sed = listing.has_sed;
        let may_modify = listing.may_modify();
        let mut found = Vec::new();
        let mut line = Line::new(has_sed);
        let offsets = OnceCell::new();
        for followed in listing.straight_lines() {
            line.begin();
            let (mut looked_at, mut is_patched) = (followed.start, false);
            for index in followed {
                let Some((row, operand)) = listing.code(index) else { continue };
                let is_changed = may_modify && listing.is_modified(index);
                if listing.traits(index).has(Traits::LOOKS_AT_FLAG)
                    && !is_changed
                    && let Some(is_taken) = line.branches(row.mnemonic)
                    && let Some((flag, taken_if)) = row.mnemonic.condition()
                    && {
                        let offsets = offsets.get_or_init(|| Offsets::of(self.tree));
                        is_patched |= (looked_at..=index).any(|index| self.may_be_patched(index, offsets));
                        looked_at = index + 1;
                        !is_patched
                    }
                {
                    let is_passed = listing
                        .get(index + 1)
                        .is_some_and(|next| next.follows() && !listing.is_named(next.address));
                    let state = if is_taken == taken_if { "set" } else { "clear" };
                    let span = self.tree.stmt_spans[listing.entry(index).stmt];
                    let report = match is_taken {
                        false => Report::warning(Code::BranchDecided, span, "this branch is never taken"),
                        // Branches that are always taken are used as short jumps, with a label after them.
                        true if is_passed => {
                            Report::warning(Code::BranchDecided, span, "this branch is always taken")
                                .with_note("no label leads to the code after it")
                        }
                        true => {
                            line.execute(row, None);
                            continue;
                        }
                    };
                    found.push(report.with_label(format!("the {} flag is {state} here", flag_name(flag))));
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
