//! The faults of reading and parsing in the order in which Kick Assembler meets them, and the statements that were given
//! up because of them.

use std::collections::HashSet;

use super::Parser;
use crate::codes::Code;
use crate::intern::Name;
use crate::lex::{Found, Kind, Stage, Unclosed};
use crate::report::{self, Report};
use tempo_diagnostics::Span;

/// A fault of the syntax, with numbers of tokens.
#[derive(Debug)]
pub(super) struct Fault {
    unit: u32,
    stage: Stage,
    /// The token that does not fit.
    index: u64,
    /// First and last token of the statement.
    own: Option<(u64, u64)>,
    /// The same of the statement around it that is in no block.
    outermost: Option<(u64, u64)>,
    report: Report,
}

impl Fault {
    pub fn new(unit: u32, index: u64, report: Report) -> Fault {
        Fault { unit, stage: Stage::Parsing, index, own: None, outermost: None, report }
    }

    /// Met when files of `.import source` are read.
    pub fn at_import(self) -> Fault {
        Fault { stage: Stage::Importing, ..self }
    }
}

/// The missing part of the tree.
#[derive(Debug, Default)]
pub(crate) struct GivenUp {
    spans: Vec<Span>,
    /// Names in those statements, which may have been declared there.
    names: HashSet<Name>,
}

impl GivenUp {
    /// Whether a fault of a name is worth reporting. What is inside a statement that was given up is not; nor, if
    /// `follows` are left out, what such a statement may be the cause of.
    pub fn is_news(&self, report: &Report, follows: Follows) -> bool {
        let is_inside = |span: Span| {
            let after = self.spans.partition_point(|given_up| given_up.start <= span.start);
            after > 0 && span.start < self.spans[after - 1].end
        };
        if report.span.is_some_and(is_inside) {
            return false;
        }
        match report.fault {
            Some(report::Fault::Unknown(_, name)) if follows == Follows::LeftOut => {
                !self.names.contains(&name)
            }
            _ => true,
        }
    }

    /// The statements in the order of the text.
    pub fn sort(&mut self) {
        self.spans.sort_by_key(|span| span.start);
    }
}

/// The treatment of faults that another one may be the cause of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follows {
    LeftOut,
    Reported,
}

impl Parser<'_> {
    /// The statement from a token of a piece to the current token is not in the tree.
    pub(super) fn give_up(&mut self, passed: u64, start: usize) {
        // If a piece ended in the statement, its first tokens are gone.
        let start = if passed == self.passed { start } else { 0 };
        let tokens = &self.tokens[start..self.at.max(start)];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        let names = tokens.iter().filter(|token| token.kind == Kind::Ident).map(|token| Name(token.data));
        self.given_up.names.extend(names);
        let end = last.span.end.max(first.span.end);
        self.given_up.spans.push(Span { start: first.span.start, end });
    }

    /// The statement that began with token `start` ends here. Tells the faults found in it since the one given.
    pub(super) fn place_faults(&mut self, first: usize, start: u64) {
        let end = self.index();
        for fault in &mut self.syntax[first..] {
            fault.own.get_or_insert((start, end));
            if self.outermost == Some(start) {
                fault.outermost.get_or_insert((start, end));
            }
        }
    }
}

/// All faults in order. What the preprocessor finds comes first, then statement by statement what is wrong with its
/// text or else with its syntax; files of `.import source` follow the one that imports them. A missing file of `#import`
/// is met when the parser looks at the token after it.
pub(super) fn in_order(found: Vec<Found>, mut faults: Vec<Fault>, unclosed: &[Unclosed]) -> Vec<Report> {
    if found.is_empty() && faults.is_empty() {
        return Vec::new();
    }
    let is_missing =
        |found: &Found| found.stage == Stage::Reading && found.report.code == Code::ImportNotFound;
    let (mut missing, mut found): (Vec<Found>, Vec<Found>) = found.into_iter().partition(is_missing);
    found.sort_by_key(|found| (found.unit, found.stage, found.index));
    // The faults of the text in a range of tokens.
    let in_text = |unit: u32, (start, end): (u64, u64)| {
        let key = |found: &Found| (found.unit, found.stage, found.index);
        let first = found.partition_point(|found| key(found) < (unit, Stage::Parsing, start));
        first..found.partition_point(|found| key(found) <= (unit, Stage::Parsing, end))
    };
    faults.retain(|fault| {
        let is_swallowed = unclosed.iter().any(|unclosed| {
            unclosed.unit == fault.unit && (unclosed.start..=unclosed.end).contains(&fault.index)
        });
        let own = fault.own.unwrap_or((fault.index, fault.index));
        !is_swallowed && in_text(fault.unit, own).is_empty()
    });
    // A statement is read as a whole before it is parsed, so its text comes first.
    let mut starts: Vec<u64> = found.iter().map(|found| found.index).collect();
    for (fault, range) in faults.iter().filter_map(|fault| Some((fault, fault.outermost?))) {
        starts[in_text(fault.unit, range)].iter_mut().for_each(|start| *start = range.0.min(*start));
    }
    let texts = found.into_iter().zip(starts).map(|(found, start)| {
        let key = (found.unit, found.stage, start, Cause::Text, found.index);
        (key, found.report)
    });
    let syntax = faults.into_iter().map(|fault| {
        let start = fault.outermost.map_or(fault.index, |(start, _)| start);
        ((fault.unit, fault.stage, start, Cause::Syntax, fault.index), fault.report)
    });
    let mut all: Vec<_> = texts.chain(syntax).collect();
    all.sort_by_key(|(key, _)| *key);
    missing.sort_by_key(|found| (found.unit, found.index));
    // The last one first, so that each goes before those that follow it.
    for Found { unit, index, report, .. } in missing.into_iter().rev() {
        let before = index.saturating_sub(1);
        let is_after = |key: &(u32, Stage, u64, Cause, u64)| {
            key.0 > unit || key.0 == unit && (key.1, key.4 >= before) >= (Stage::Parsing, true)
        };
        let place = all.iter().position(|(key, _)| is_after(key)).unwrap_or(all.len());
        all.insert(place, ((unit, Stage::Parsing, before, Cause::Text, before), report));
    }
    all.into_iter().map(|(_, report)| report).collect()
}

/// The faulty part of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    Text,
    Syntax,
}
