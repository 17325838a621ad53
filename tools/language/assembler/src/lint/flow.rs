//! Checks of single instructions and of neighbours: unreachable code, `jsr` before `rts`, known bugs of the CPU.

use std::collections::{BTreeMap, HashMap, HashSet};

use tempo_isa::{Class, Cpu, Family, Instruction, Mnemonic, Mode};

use super::Check;
use super::code::{Entry, Traits, ends_flow, is_unstable};
use super::comments::line_of;
use crate::arena::Id;
use crate::codes::Code;
use crate::report::Report;
use crate::tree::{Stmt, StmtId};
use tempo_diagnostics::Span;

impl Check<'_> {
    fn span(&self, stmt: StmtId) -> Span {
        self.tree.stmt_spans[stmt]
    }

    fn cpu(&self, stmt: StmtId) -> Option<Cpu> {
        match self.tree.stmts[stmt] {
            Stmt::Instruction { cpu, .. } => Some(cpu),
            _ => None,
        }
    }

    pub(super) fn flow(&mut self) {
        let listing = self.listing;
        let wants_tails = self.reports.lints.is_on(Code::TailCall);
        let mut called: Vec<(StmtId, u16)> = Vec::new();
        // Statements of macros and loops run more than once; all of their runs must agree.
        let mut suspects: BTreeMap<(StmtId, Code), (StmtId, u32)> = BTreeMap::new();
        for index in listing.marked.iter().map(|&index| index as usize) {
            let traits = listing.traits(index);
            if traits.has(Traits::SUSPECT)
                && let Some((row, operand)) = listing.code(index)
            {
                self.instruction(&listing.entry(index), row, operand);
            }
            if traits.has(Traits::SUSPECT_BEFORE)
                && index + 1 < listing.len()
                && listing.traits(index + 1).has(Traits::FOLLOWS)
                && let (Some((first, target)), Some((row, _))) =
                    (listing.code(index), listing.code(index + 1))
            {
                let may_be_tail =
                    wants_tails && first.mnemonic == Mnemonic::Jsr && row.mnemonic == Mnemonic::Rts;
                // Tables of entries are made of jumps.
                let is_table = first.mnemonic == Mnemonic::Jmp && row.mnemonic == Mnemonic::Jmp;
                // Most pairs are neither, so they are looked up last.
                if !may_be_tail && (!ends_flow(first) || is_table) {
                    continue;
                }
                let (before, entry) = (listing.entry(index), listing.entry(index + 1));
                let is_tail = may_be_tail
                    && before.expansion == entry.expansion
                    && !listing.is_named(before.address + 1);
                let is_suspect = (is_tail || ends_flow(first) && !is_table)
                    && !listing.is_named(entry.address)
                    && !listing.is_changed(&before, i64::from(before.len));
                if is_suspect && is_tail {
                    called.push((before.stmt, target));
                    suspects.entry((before.stmt, Code::TailCall)).or_insert((entry.stmt, 0)).1 += 1;
                } else if is_suspect {
                    suspects.entry((entry.stmt, Code::Unreachable)).or_insert((before.stmt, 0)).1 += 1;
                }
            }
        }
        // Code that is moved before it runs is reached by other addresses than those it is listed with.
        let is_moved = || {
            let is_rom = |target: u16| matches!(target, 0xa000..=0xbfff | 0xe000..=0xffff);
            let targets = listing.unknown_targets();
            targets.iter().any(|&target| !is_rom(target) && !listing.is_own(target))
        };
        if suspects.keys().any(|(_, code)| *code == Code::Unreachable) && is_moved() {
            suspects.retain(|(_, code), _| *code != Code::Unreachable);
        }
        if suspects.is_empty() {
            return;
        }
        let mut runs: HashMap<StmtId, u32> = suspects.keys().map(|&(stmt, _)| (stmt, 0)).collect();
        for entry in listing.entries() {
            if let Some(count) = runs.get_mut(&entry.stmt) {
                *count += 1;
            }
        }
        let is_real = |&(stmt, code): &(StmtId, Code), &mut (other, count): &mut (StmtId, u32)| {
            runs.get(&stmt) == Some(&count) && (code == Code::TailCall || !self.is_conditional(other, stmt))
        };
        suspects.retain(is_real);
        // A routine that looks at its return address must be called.
        let kept = self.keep_return_address(called.iter().map(|&(_, target)| target));
        for (stmt, target) in &called {
            if !kept.contains(target) {
                suspects.remove(&(*stmt, Code::TailCall));
            }
        }
        for (&(stmt, code), &(other, _)) in &suspects {
            // What is never reached need not be shorter.
            if code == Code::Unreachable || !suspects.contains_key(&(stmt, Code::Unreachable)) {
                let report = self.neighbours(code, stmt, other);
                self.reports.push(report);
            }
        }
    }

    /// Whether a statement is in a branch of `.if` or `#if` that a later one is outside of: another time the branch
    /// is left out.
    fn is_conditional(&self, stmt: StmtId, later: StmtId) -> bool {
        let ifs = self.tree.stmts.entries().take(stmt.index());
        let leaves_if = |(at, found): (StmtId, &Stmt)| match *found {
            Stmt::If(id) => {
                let branches = at..self.tree.ifs[id as usize].end;
                branches.contains(&stmt) && !branches.contains(&later)
            }
            _ => false,
        };
        let (start, end) = (self.span(stmt), self.span(later));
        let between = match self.sources.file_of(start) == self.sources.file_of(end) && start.end <= end.start
        {
            true => self.sources.text_of(Span { start: start.end, end: end.start }),
            false => "",
        };
        let ends_condition = |line: &str| {
            let line = line.trim_start();
            ["#endif", "#else", "#elif"].iter().any(|word| line.starts_with(word))
        };
        between.lines().any(ends_condition) || ifs.into_iter().any(leaves_if)
    }

    fn neighbours(&self, code: Code, stmt: StmtId, other: StmtId) -> Report {
        let (span, other) = (self.span(stmt), self.span(other));
        if code == Code::TailCall {
            return Report::warning(code, span, "jsr before rts: jmp does the same")
                .with_label_at(other, "returns at once")
                .with_help("jmp saves a byte, nine cycles and two bytes of stack");
        }
        let name = self.sources.text_of(other);
        Report::warning(code, span, "this code is never reached")
            .with_label_at(other, format!("nothing comes past this {name}, and no label leads here"))
    }

    /// Warnings about a single instruction.
    fn instruction(&mut self, entry: &Entry<'_>, row: &'static Instruction, operand: u16) {
        let is_nmos = |check: &Self| check.cpu(entry.stmt).is_none_or(|cpu| cpu.family() == Family::Nmos);
        if row.mnemonic == Mnemonic::Jmp
            && row.mode == Mode::Indirect
            && operand & 0xff == 0xff
            && is_nmos(self)
        {
            let message = format!(
                "jmp (${operand:04X}) takes its high byte from ${:04X}, not from ${:04X}",
                operand & 0xff00,
                operand.wrapping_add(1)
            );
            self.reports.push(
                Report::warning(Code::IndirectJumpBug, self.span(entry.stmt), message)
                    .with_help("keep the vector within one page"),
            );
        }
        if is_unstable(row) && is_nmos(self) {
            let message = format!("'{}' is unstable", self.sources.text_of(self.span(entry.stmt)));
            self.reports.push(
                Report::warning(Code::UnstableOpcode, self.span(entry.stmt), message)
                    .with_note("its result depends on the chip, its temperature and the video chip"),
            );
        }
        if matches!(row.class, Class::Write | Class::Modify)
            && matches!(row.mode, Mode::Absolute | Mode::AbsoluteX | Mode::AbsoluteY)
        {
            self.rom(entry, operand);
        }
    }

    /// Writes to ROM of a C64 go to the RAM below it. Without the processor port the CPU never sees it, and without
    /// the video bank neither does the video chip.
    fn rom(&mut self, entry: &Entry<'_>, operand: u16) {
        let rom = match operand {
            0xa000..=0xbfff => "BASIC",
            0xe000..=0xffff => "KERNAL",
            _ => return,
        };
        // Other computers that begin at $0801 have RAM or banks there, and another processor.
        if self.cpu(entry.stmt).is_some_and(|cpu| cpu.family() != Family::Nmos) {
            return;
        }
        let blocks = || self.memory().segments.iter().flat_map(|segment| &segment.blocks);
        let is_c64 = blocks().any(|block| block.start == Some(0x0801) && !block.bytes.is_empty());
        let target = i64::from(operand);
        let is_own = blocks().any(|block| {
            block.start.is_some_and(|start| (start..start + block.bytes.len() as i64).contains(&target))
        });
        // By the processor port, the video bank, or the registers of a cartridge.
        let is_banked = self.listing.is_written(0, 2)
            || self.listing.is_written(0xdd00, 1)
            || self.listing.is_written(0xde00, 0x200);
        if is_c64 && !is_own && !is_banked && !self.runs_unknown_code() {
            let message =
                format!("${operand:04X} is in the {rom} ROM, and nothing here ever switches it off");
            self.reports.push(
                Report::warning(Code::WriteToRom, self.span(entry.stmt), message)
                    .with_note("the byte goes to the RAM below, where the program cannot read it"),
            );
        }
    }

    /// Whether code is executed that the list does not have, and that is not in the ROM: written as data, loaded, or reached
    /// through a vector.
    fn runs_unknown_code(&self) -> bool {
        *self.unknown_code.get_or_init(|| {
            let listing = self.listing;
            let is_rom = |target: u16| matches!(target, 0xa000..=0xbfff | 0xe000..=0xffff);
            let is_unknown = |target: &u16| !is_rom(*target) || listing.is_own(*target);
            listing.has_indirect_jump() || listing.unknown_targets().iter().any(is_unknown)
        })
    }

    /// Lines marked with `// tempo: no-page-cross`: a branch, or the data of a line or up to the next label.
    pub(super) fn page_crossings(&mut self) {
        if self.comments.no_page_cross.is_empty() {
            return;
        }
        let mut marked: HashMap<StmtId, StmtId> = HashMap::new();
        let mut tables = HashSet::new();
        let mut table = None;
        for (stmt, &span) in self.tree.stmt_spans.entries() {
            let is_marked = self.comments.no_page_cross.contains_key(&line_of(self.sources, span));
            match self.tree.stmts[stmt] {
                Stmt::Label { .. } | Stmt::MultiLabel { .. } => {
                    table = is_marked.then_some(stmt);
                    tables.extend(table);
                }
                Stmt::Data { .. } | Stmt::Literal { .. } | Stmt::Text { .. } | Stmt::Fill(_) => {
                    if let Some(table) = table {
                        marked.insert(stmt, table);
                    } else if is_marked {
                        marked.insert(stmt, stmt);
                    }
                }
                _ if is_marked => {
                    marked.insert(stmt, stmt);
                }
                _ => {}
            }
        }
        let listing = self.listing;
        // The table being followed: its mark, and where it began.
        let mut open: Option<(StmtId, i64)> = None;
        for entry in listing.entries() {
            let Some(&mark) = marked.get(&entry.stmt) else {
                open = None;
                continue;
            };
            if let Some(target) = entry.branch_target() {
                let next = entry.address + i64::from(entry.len);
                if next >> 8 != target >> 8 {
                    let message =
                        format!("the branch from ${:04X} to ${target:04X} crosses a page", entry.address);
                    let report = Report::warning(Code::PageCrossed, self.span(entry.stmt), message)
                        .with_label("one cycle more when it is taken");
                    self.reports.push(report);
                }
                continue;
            }
            let start = match open {
                Some((known, start)) if known == mark && entry.follows() => start,
                _ => entry.address,
            };
            let last = entry.address + i64::from(entry.len) - 1;
            let was_whole = start >> 8 == (entry.address - 1).max(start) >> 8;
            if entry.code().is_none() && was_whole && start >> 8 != last >> 8 {
                let message = format!("the table at ${start:04X} crosses the page at ${:04X}", last & !0xff);
                let report = Report::warning(Code::PageCrossed, self.span(mark), message)
                    .with_label_at(self.span(entry.stmt), "here")
                    .with_help(".align $100 before it starts a page");
                self.reports.push(report);
            }
            open = Some((mark, start));
        }
    }
}
