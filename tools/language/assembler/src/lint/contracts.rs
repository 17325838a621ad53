//! Comments that state what code costs: `// tempo: cycles 63` closes a run that takes exactly that many cycles, from
//! `// tempo: count` or the last label on. The runs are found here; `cycles` counts them.

use std::collections::HashMap;

use tempo_isa::{Cpu, Mnemonic, Mode};

use super::Check;
use super::code::Entry;
use crate::codes::Code;
use crate::cycles::{self, Cost, Run, Varying};
use crate::eval::ROOT_EXPANSION;
use crate::layout::memory::Block;
use crate::lex::{TokenKind, tokens};
use crate::report::{Call, Report};
use crate::tree::Stmt;
use tempo_diagnostics::{FrameKind, Span, plural};

/// A comment's statement about cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its words.
    span: Span,
    kind: MarkKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum MarkKind {
    /// A run starts in this line.
    Count,
    /// A run ends with this line.
    Closes(Contract),
    /// The fault.
    Bad(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Contract {
    limit: Limit,
    cycles: u64,
    per_loop: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Exactly,
    AtMost,
    AtLeast,
}

/// Instructions that all contracts of a program together may look at.
const MAX_STEPS: u32 = 4 * cycles::MAX_STEPS;
/// Macros within macros that are looked at.
const MAX_NESTING: usize = 1000;

const FORMS: &str = "write 'cycles 63', 'cycles <= 40', 'cycles >= 8' or 'cycles 23 per loop'";

impl Mark {
    /// Reads words that begin with `count` or `cycles`.
    pub fn read(span: Span, words: &str) -> Mark {
        let (kind, rest) = match words.strip_prefix("cycles") {
            None => (MarkKind::Count, &words["count".len()..]),
            Some(rest) => match contract(rest) {
                Ok((contract, rest)) => (MarkKind::Closes(contract), rest),
                Err(message) => (MarkKind::Bad(message), ""),
            },
        };
        // What follows is prose if a mark sets it off.
        let prose = rest.trim_start();
        let kind = match prose.chars().next() {
            Some(first) if first.is_alphanumeric() => {
                let word = prose.split_whitespace().next().unwrap_or("");
                MarkKind::Bad(format!("'{}' does not belong here", tempo_diagnostics::escaped(word)))
            }
            _ => kind,
        };
        let end = span.start + (words.len() - rest.len()) as u32;
        Mark { span: Span { start: span.start, end: end.min(span.end) }, kind }
    }
}

/// The text after `cycles`, parsed, and the rest.
fn contract(text: &str) -> Result<(Contract, &str), String> {
    let text = text.trim_start();
    let (limit, text) = match text {
        _ if text.starts_with("<=") => (Limit::AtMost, &text[2..]),
        _ if text.starts_with(">=") => (Limit::AtLeast, &text[2..]),
        _ if text.starts_with("==") => (Limit::Exactly, &text[2..]),
        _ => (Limit::Exactly, text),
    };
    let text = text.trim_start();
    let len = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(len);
    let cycles = digits.parse().map_err(|_| "a number of cycles is missing".to_owned())?;
    let per_loop =
        rest.trim_start().strip_prefix("per").map(str::trim_start).and_then(|rest| rest.strip_prefix("loop"));
    let contract = Contract { limit, cycles, per_loop: per_loop.is_some() };
    Ok((contract, per_loop.unwrap_or(rest)))
}

/// The braces of a text that matter here.
pub(super) struct Body {
    open: u32,
    close: u32,
    /// The `.macro`, `.for` or the like before it; `None` for braces whose code comes once.
    pub header: Option<u32>,
}

impl Body {
    pub fn contains(&self, offset: u32) -> bool {
        (self.open..self.close).contains(&offset)
    }
}

/// The bodies of a text, outer ones first.
pub(super) fn bodies(text: &str, base: u32) -> Vec<Body> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut header = None;
    let mut parens = 0_u32;
    for token in tokens(text) {
        let word = &text[token.start as usize..token.end as usize];
        match (token.kind, word) {
            (TokenKind::DotName, ".macro" | ".pseudocommand" | ".for" | ".while") => {
                (header, parens) = (Some(base + token.start), 0);
            }
            (TokenKind::Mark, "{") => {
                open.push(bodies.len());
                bodies.push(Body { open: base + token.start, close: u32::MAX, header: header.take() });
            }
            (TokenKind::Mark, "}") => {
                if let Some(index) = open.pop() {
                    bodies[index].close = base + token.start;
                }
            }
            (TokenKind::Mark, "(") => parens += 1,
            (TokenKind::Mark, ")") => parens = parens.saturating_sub(1),
            // Outside of its brackets a header is names, colons and line ends; anything else is a body without braces.
            (TokenKind::Name | TokenKind::LineEnd | TokenKind::Comment, _) | (TokenKind::Mark, ":" | ",") => {
            }
            _ if parens == 0 => header = None,
            _ => {}
        }
    }
    bodies
}

/// The emissions of one run of a macro or loop, or of the source outside of them.
struct Instance {
    expansion: u32,
    /// Entries with the place of the statement, or of the call or loop around it.
    entries: Vec<(u32, u32)>,
}

impl Check<'_> {
    /// All contracts.
    pub(super) fn contracts(&mut self) {
        let marks: Vec<&Mark> = self
            .comments
            .contracts
            .iter()
            .filter(|mark| {
                !self
                    .tree
                    .left_out
                    .iter()
                    .any(|span| span.start <= mark.span.start && mark.span.start < span.end)
            })
            .collect();
        if marks.is_empty() {
            return;
        }
        let mut steps = MAX_STEPS;
        let mut codes = HashMap::new();
        let mut file_marks: Vec<(u32, Vec<&Mark>)> = Vec::new();
        for mark in marks {
            let file = self.sources.file_of(mark.span);
            match file_marks.last_mut() {
                Some((last, marks)) if *last == file => marks.push(mark),
                _ => file_marks.push((file, vec![mark])),
            }
        }
        for (file, marks) in file_marks {
            let bodies = bodies(self.sources.text(file), self.sources.base(file));
            // By the body that is expanded; a loop of one is counted by itself.
            let mut groups: HashMap<Option<u32>, Vec<&Mark>> = HashMap::new();
            for mark in marks {
                groups.entry(container(&bodies, mark.span.start)).or_default().push(mark);
            }
            let mut groups: Vec<_> = groups.into_iter().collect();
            groups.sort_by_key(|&(header, _)| header);
            for (header, marks) in groups {
                let instances = self.instances(&bodies, header);
                self.group(file, &bodies, header, &marks, &instances, &mut codes, &mut steps);
            }
        }
    }

    /// The emissions of each run of a body.
    fn instances(&self, bodies: &[Body], header: Option<u32>) -> Vec<Instance> {
        let made = &self.settled.made;
        let body = bodies.iter().find(|body| header.is_some() && body.header == header);
        let is_instance = |expansion: u32| match (body, made.expansions.get(expansion as usize)) {
            (None, None) => true,
            (Some(body), Some(expansion)) => {
                let place = match self.tree.stmts[expansion.stmt] {
                    Stmt::MacroCall(call) | Stmt::PseudoCall(call) => {
                        let target = self.tree.calls[call as usize].target;
                        self.tree.callables.get(target as usize).map(|callable| callable.name_span)
                    }
                    _ => Some(self.tree.stmt_spans[expansion.stmt]),
                };
                place.is_some_and(|place| (body.header.unwrap_or(0)..body.open).contains(&place.start))
            }
            _ => false,
        };
        let mut places: HashMap<u32, usize> = HashMap::new();
        let mut instances: Vec<Instance> = Vec::new();
        for (index, entry) in self.listing.entries().enumerate() {
            let (mut expansion, mut stmt) = (entry.expansion, entry.stmt);
            for _ in 0..MAX_NESTING {
                if is_instance(expansion) {
                    let place = *places.entry(expansion).or_insert(instances.len());
                    if place == instances.len() {
                        instances.push(Instance { expansion, entries: Vec::new() });
                    }
                    let offset = self.tree.stmt_spans[stmt].start;
                    instances[place].entries.push((offset, index as u32));
                    // A macro that calls itself is another instance further out.
                }
                let Some(outer) = made.expansions.get(expansion as usize) else { break };
                (expansion, stmt) = (outer.parent, outer.stmt);
            }
        }
        instances
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one loop")]
    fn group(
        &mut self,
        file: u32,
        bodies: &[Body],
        header: Option<u32>,
        marks: &[&Mark],
        instances: &[Instance],
        codes: &mut HashMap<(u32, Cpu), cycles::Code>,
        steps: &mut u32,
    ) {
        let base = self.sources.base(file);
        let text = self.sources.text(file);
        let mut count: Option<Span> = None;
        for mark in marks {
            let contract = match &mark.kind {
                MarkKind::Count => {
                    if let Some(before) = count.replace(mark.span) {
                        self.never_closed(before);
                    }
                    continue;
                }
                MarkKind::Bad(message) => {
                    let report = Report::warning(Code::CyclesComment, mark.span, message.clone());
                    self.reports.push(report.with_help(FORMS));
                    continue;
                }
                MarkKind::Closes(contract) => *contract,
            };
            let at = mark.span.start;
            let block = bodies.iter().rev().find(|body| body.contains(at));
            let opened = if contract.per_loop { None } else { count.take() };
            // A count starts with its line, also if the comment is after the code.
            let start = match opened {
                Some(count) => {
                    let local = (count.start - base) as usize;
                    let line = text[..local].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
                    Some(base + line as u32)
                }
                None => self.last_label(bodies, header, base, at).or(header),
            };
            for instance in instances {
                let Some(last) = last_entry(instance, base, at, block) else { continue };
                let entry = self.listing.entry(last);
                let found = self.run(contract, instance, entry, last, start, base);
                let run = match found {
                    Ok(run) => run,
                    Err((message, help)) => {
                        let report = Report::warning(Code::CyclesComment, mark.span, message);
                        self.reports.push(report.with_help(help));
                        break;
                    }
                };
                let cpu = self.cpu_of(&entry);
                let code = codes.entry((entry.block, cpu)).or_insert_with(|| self.code(entry.block, cpu));
                let report = match code.cost_within(run, steps) {
                    Ok(cost) => self.broken(mark.span, contract, run, &entry, &cost),
                    Err(unknown) => {
                        let what = if contract.per_loop { "a turn of this loop" } else { "this run" };
                        let message = format!("the cycles of {what} cannot be known");
                        let report = Report::warning(Code::CyclesUnknown, mark.span, message);
                        Some(self.blamed(report, &entry, unknown.address, unknown.reason.to_string()))
                    }
                };
                if let Some(mut report) = report {
                    report.calls = self.calls(instance.expansion);
                    self.reports.push(report);
                    break;
                }
            }
        }
        if let Some(span) = count {
            self.never_closed(span);
        }
    }

    fn never_closed(&mut self, span: Span) {
        let report = Report::warning(Code::CyclesComment, span, "this count is never closed");
        self.reports.push(report.with_help(FORMS));
    }

    /// The nearest label before a place, in the same body and in braces that are still open there.
    fn last_label(&self, bodies: &[Body], header: Option<u32>, base: u32, at: u32) -> Option<u32> {
        let stmts = self.tree.stmts.iter().zip(&self.tree.stmt_spans);
        let labels = stmts
            .filter(|(stmt, _)| matches!(stmt, Stmt::Label { .. } | Stmt::MultiLabel { .. }))
            .map(|(_, span)| span.start)
            .filter(|&label| (base..at).contains(&label));
        labels
            .filter(|&label| {
                container(bodies, label) == header
                    && bodies
                        .iter()
                        .rev()
                        .find(|body| body.contains(label))
                        .is_none_or(|body| body.contains(at))
            })
            .max()
    }

    /// The run that ends with an entry, or what is wrong with it and how to put it right.
    fn run(
        &self,
        contract: Contract,
        instance: &Instance,
        entry: Entry<'_>,
        last: usize,
        start: Option<u32>,
        base: u32,
    ) -> Result<Run, (String, &'static str)> {
        let (Some((row, operand)), Ok(end)) = (entry.code(), u16::try_from(entry.address)) else {
            let message = "there is no instruction before this comment";
            return Err((message.to_owned(), "it belongs after the last instruction of the run"));
        };
        if contract.per_loop {
            let target = match row.mnemonic {
                Mnemonic::Jmp if row.mode == Mode::Absolute => Some(i64::from(operand)),
                _ => entry.branch_target(),
            };
            let start = target.filter(|&target| target <= entry.address);
            return match start.and_then(|start| u16::try_from(start).ok()) {
                Some(start) => Ok(Run::Turn { start, last: end }),
                None => {
                    let message = "there is no loop that ends here";
                    Err((message.to_owned(), "'per loop' belongs after the branch or jump back"))
                }
            };
        }
        let Some(start) = start else {
            let message = "nothing says where this run starts";
            return Err((
                message.to_owned(),
                "put '// tempo: count' or a label before its first instruction",
            ));
        };
        let mut first = None;
        for &(place, index) in instance.entries.iter().rev() {
            let other = self.listing.entry(index as usize);
            if index as usize > last
                || place < base
                || self.sources.file_of(Span::at(place)) != self.sources.file_of(Span::at(start))
            {
                continue;
            }
            if place < start || other.block != entry.block {
                break;
            }
            if other.code().is_some() {
                first = u16::try_from(other.address).ok();
            }
        }
        match first {
            Some(start) if start <= end => Ok(Run::Through { start, last: end }),
            _ => {
                let message = "there is no code between the start of this run and its end";
                Err((message.to_owned(), "the run starts with the last label, or with '// tempo: count'"))
            }
        }
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.memory().segments.iter().flat_map(|segment| &segment.blocks)
    }

    fn cpu_of(&self, entry: &Entry<'_>) -> Cpu {
        match self.tree.stmts[entry.stmt] {
            Stmt::Instruction { cpu, .. } => cpu,
            _ => Cpu::Mos6502,
        }
    }

    /// The whole program, as code of one of its blocks sees it.
    fn code(&self, block: u32, cpu: Cpu) -> cycles::Code {
        let blocks: Vec<&Block> = self.blocks().collect();
        let mut code = cycles::Code::new(cpu);
        let bytes = |entry: Entry<'_>| -> Option<(u16, &[u8])> {
            let range = entry.offset as usize..(entry.offset + entry.len) as usize;
            Some((u16::try_from(entry.address).ok()?, blocks.get(entry.block as usize)?.bytes.get(range)?))
        };
        for entry in self.listing.entries() {
            match bytes(entry) {
                Some((address, bytes)) if entry.code().is_some() => code.add(address, bytes),
                Some((address, bytes)) => code.add_data(address, bytes),
                None => {}
            }
        }
        for entry in self.listing.entries().filter(|entry| entry.block == block) {
            if let Some((address, bytes)) = bytes(entry) {
                code.prefer(address, bytes);
            }
        }
        code
    }

    /// The warning about a run that costs something else.
    fn broken(
        &self,
        span: Span,
        contract: Contract,
        run: Run,
        entry: &Entry<'_>,
        cost: &Cost,
    ) -> Option<Report> {
        let Contract { limit, cycles, per_loop } = contract;
        let (kept, expected) = match limit {
            Limit::Exactly => (cost.min == cycles && cost.max == cycles, format!("not {cycles}")),
            Limit::AtMost => (cost.max <= cycles, format!("more than {cycles}")),
            Limit::AtLeast => (cost.min >= cycles, format!("less than {cycles}")),
        };
        if kept {
            return None;
        }
        let what = if per_loop { "a turn of this loop" } else { "this run" };
        let actual = match cost.min == cost.max {
            true => plural(cost.min, "cycle"),
            false => format!("{} to {} cycles", cost.min, cost.max),
        };
        let message = format!("{what} takes {actual}, {expected}");
        let report = Report::warning(Code::CyclesDiffer, span, message);
        let report = match self.span_at(entry, run.start()) {
            Some(start) => report.with_label_at(start, "counted from here"),
            None => report,
        };
        let is_last = |address: u16| i64::from(address) == entry.address;
        let blamed = cost.varying.iter().min_by_key(|(address, kind)| {
            (*kind == Varying::Branch && is_last(*address), *kind == Varying::Branch, *address)
        });
        Some(match blamed.filter(|_| cost.min != cost.max) {
            Some(&(address, kind)) => {
                let why = match kind {
                    Varying::Branch => "may be taken or not",
                    Varying::Page => "one cycle more if the index crosses a page",
                    Varying::Decimal => "one cycle more in decimal mode",
                };
                self.blamed(report, entry, address, why.to_owned())
            }
            None => report,
        })
    }

    /// A report with the place that is the cause.
    fn blamed(&self, report: Report, entry: &Entry<'_>, address: u16, why: String) -> Report {
        match self.span_at(entry, address) {
            Some(span) => report.with_label_at(span, why),
            None => report.with_note(format!("at ${address:04X}: {why}")),
        }
    }

    /// The statement at an address, in the block of an entry or elsewhere.
    fn span_at(&self, entry: &Entry<'_>, address: u16) -> Option<Span> {
        let address = i64::from(address);
        let covers =
            |other: &Entry<'_>| (other.address..other.address + i64::from(other.len)).contains(&address);
        let entries = || self.listing.entries();
        let own = entries().filter(|other| other.block == entry.block).find(covers);
        let found = own.or_else(|| entries().find(covers))?;
        let span = self.tree.stmt_spans[found.stmt];
        (self.sources.file_of(span) != 0).then_some(span)
    }

    /// The macro calls an expansion is in, innermost first.
    fn calls(&self, mut expansion: u32) -> Vec<Call> {
        let mut calls = Vec::new();
        while let Some(outer) = self.settled.made.expansions.get(expansion as usize) {
            if let Stmt::MacroCall(call) | Stmt::PseudoCall(call) = self.tree.stmts[outer.stmt]
                && matches!(outer.kind, FrameKind::Macro | FrameKind::PseudoCommand)
                && calls.len() < MAX_NESTING
            {
                let name = self.tree.calls[call as usize].name;
                calls.push(Call { kind: outer.kind, name, span: self.tree.stmt_spans[outer.stmt] });
            }
            expansion = outer.parent;
        }
        debug_assert_eq!(expansion, ROOT_EXPANSION);
        calls
    }
}

/// The macro or loop around a place, by the place of its directive.
fn container(bodies: &[Body], at: u32) -> Option<u32> {
    bodies.iter().rev().filter(|body| body.contains(at)).find_map(|body| body.header)
}

/// The last entry of the last statement before a place, if it is in the same braces.
fn last_entry(instance: &Instance, base: u32, at: u32, block: Option<&Body>) -> Option<usize> {
    let mut last: Option<(u32, u32)> = None;
    for &(place, index) in &instance.entries {
        if (base..at).contains(&place) && last.is_none_or(|(best, _)| place >= best) {
            last = Some((place, index));
        }
    }
    let (place, index) = last?;
    block.is_none_or(|body| body.open < place).then_some(index as usize)
}
