//! Checks of names: labels that nothing uses, constants read as if they were addresses, addresses written as numbers of
//! four bytes.

use std::collections::HashSet;

use tempo_isa::Mode;

use super::Check;
use crate::arena::Arena;
use crate::codes::Code;
use crate::report::Report;
use crate::tree::{Expr, ExprId, Form, ScopeKind, Stmt, StmtId, Symbol, SymbolId, SymbolKind};
use crate::values::to_i64;

/// How a constant is used by instructions.
#[derive(Debug, Default)]
struct Uses {
    immediate: Option<StmtId>,
    is_address: bool,
    /// Reads that could have been meant as immediate ones.
    reads: Vec<StmtId>,
}

/// The constants that instructions use, in the order of their first use.
struct Constants {
    /// By symbol: where it is in the list, counted from 1.
    places: Arena<SymbolId, u32>,
    list: Vec<(SymbolId, Uses)>,
}

impl Constants {
    fn of(&mut self, symbol: SymbolId) -> &mut Uses {
        let place = &mut self.places[symbol];
        if *place == 0 {
            self.list.push((symbol, Uses::default()));
            *place = self.list.len() as u32;
        }
        &mut self.list[*place as usize - 1].1
    }
}

impl Check<'_> {
    /// Labels inside of a block, macro or loop, and multi labels. Others may be used from outside, through the symbol
    /// file.
    pub(super) fn unused_labels(&mut self) {
        let tree = self.tree;
        let is_inner = |symbol: &Symbol| {
            symbol.kind == SymbolKind::MultiLabel || tree.scopes[symbol.scope].kind == ScopeKind::Local
        };
        // Those of the built-in macros are not the user's.
        let is_own = |symbol: &Symbol| {
            matches!(symbol.kind, SymbolKind::Label | SymbolKind::MultiLabel)
                && is_inner(symbol)
                && self.sources.file_of(symbol.span) != 0
        };
        if !tree.symbols.iter().any(is_own) {
            return;
        }
        let mut used = Arena::filled_like(&tree.symbols, false);
        let mut members = HashSet::new();
        for expr in &tree.exprs {
            match *expr {
                Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => used[symbol] = true,
                Expr::Member { name, .. } => {
                    members.insert(name);
                }
                _ => {}
            }
        }
        let mut is_called = vec![false; tree.callables.len()];
        for call in &tree.calls {
            if let Some(is_called) = is_called.get_mut(call.target as usize) {
                *is_called = true;
            }
        }
        for stmt in &tree.stmts {
            let (Stmt::Label { symbol } | Stmt::MultiLabel { symbol } | Stmt::ArgumentLabel { symbol }) =
                *stmt
            else {
                continue;
            };
            if used[symbol] {
                continue;
            }
            let data = &tree.symbols[symbol];
            let scope = &tree.scopes[data.scope];
            let is_run = scope.callable == 0 || is_called[scope.callable as usize];
            let is_left_out = || self.is_left_out(tree.name(data.name));
            if is_inner(data) && is_run && !members.contains(&data.name) && !is_left_out() {
                let name = match (data.kind, tree.name(data.name)) {
                    (SymbolKind::MultiLabel, name) => format!("!{name}"),
                    (_, name) => name.to_owned(),
                };
                self.reports.push(Report::warning(
                    Code::UnusedLabel,
                    data.span,
                    format!("the label '{name}' is never used"),
                ));
            }
        }
    }

    /// Whether text that a condition of the preprocessor leaves out has a name.
    fn is_left_out(&self, name: &str) -> bool {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let texts = self.tree.left_out.iter().map(|&span| self.sources.text_of(span));
        texts.flat_map(|text| text.split(|c| !is_word(c))).any(|word| word == name)
    }

    /// `lda RED`: the colours of the built-in constants are never addresses.
    pub(super) fn colours_as_addresses(&mut self) {
        let tree = self.tree;
        if !tree.has_colours {
            return;
        }
        for stmt in &tree.stmts {
            let Stmt::Instruction { mnemonic, form: Form::Plain, cpu, operand, .. } = *stmt else { continue };
            let Some(Expr::Number(_)) = tree.exprs.get(operand) else { continue };
            let span = tree.expr_spans[operand];
            let name = self.sources.text_of(span);
            if crate::library::constants::is_colour(name) && cpu.find(mnemonic, Mode::Immediate).is_some() {
                let message = format!("this reads the memory at {name}, which is a colour");
                let report = Report::warning(Code::MissingHash, span, message);
                self.reports.push(report.with_help(format!("is it #{name}?")));
            }
        }
    }

    /// `lda COUNT` of a constant that is elsewhere used as `#COUNT` and nowhere as an address.
    pub(super) fn missing_hashes(&mut self) {
        let tree = self.tree;
        // Without such a constant there is nothing to look for.
        if !tree.symbols.iter().any(|symbol| self.is_byte_constant(symbol)) {
            return;
        }
        let mut uses = Constants { places: Arena::filled_like(&tree.symbols, 0), list: Vec::new() };
        for (at, stmt) in tree.stmts.entries() {
            let Stmt::Instruction { mnemonic, form, cpu, operand, .. } = *stmt else { continue };
            if form == Form::None || operand == ExprId::NONE {
                continue;
            }
            match self.constant(operand) {
                Some(symbol) if form == Form::Immediate => {
                    uses.of(symbol).immediate.get_or_insert(at);
                }
                Some(symbol) if form == Form::Plain && cpu.find(mnemonic, Mode::Immediate).is_some() => {
                    uses.of(symbol).reads.push(at);
                }
                _ if form != Form::Immediate => self.addresses(operand, &mut uses, 0),
                _ => {}
            }
        }
        let mut doubts: Option<(bool, HashSet<SymbolId>)> = None;
        for (symbol, uses) in uses.list {
            let data = &tree.symbols[symbol];
            if uses.is_address || uses.reads.is_empty() || !self.is_byte_constant(data) {
                continue;
            }
            let Some(immediate) = uses.immediate else { continue };
            // A cell of the zero page whose number is handed on.
            let (has_cells, handed_on) =
                doubts.get_or_insert_with(|| (self.reaches_cells_by_index(), self.handed_on()));
            if *has_cells || handed_on.contains(&symbol) {
                continue;
            }
            let name = tree.name(data.name);
            for read in uses.reads {
                let Stmt::Instruction { operand, .. } = tree.stmts[read] else { continue };
                let message = format!("this reads the memory at {name}, which is used as a number elsewhere");
                let report = Report::warning(Code::MissingHash, tree.expr_spans[operand], message)
                    .with_label_at(tree.stmt_spans[immediate], format!("here #{name} is meant"))
                    .with_help(format!("is it #{name}?"));
                self.reports.push(report);
            }
        }
    }

    /// Whether an instruction adds an index to an address at the very start of memory, as in `sta $00,x`: the index is the
    /// number of a cell.
    fn reaches_cells_by_index(&self) -> bool {
        (0..self.listing.len()).filter_map(|index| self.listing.code(index)).any(|(row, operand)| {
            let is_indexed = matches!(
                row.mode,
                Mode::ZeroPageX | Mode::ZeroPageY | Mode::IndirectX | Mode::AbsoluteX | Mode::AbsoluteY
            );
            is_indexed && operand < 8
        })
    }

    /// The constants that are arguments of macros and pseudo commands, or parts of the addresses of labels: these may write
    /// to them.
    fn handed_on(&self) -> HashSet<SymbolId> {
        let tree = self.tree;
        let mut found = HashSet::new();
        for call in &tree.calls {
            tree.list(call.arguments).iter().for_each(|&argument| self.mentioned(argument, &mut found, 0));
        }
        for stmt in &tree.stmts {
            if let Stmt::LabelValue { value, .. } = *stmt {
                self.mentioned(value, &mut found, 0);
            }
        }
        found
    }

    fn mentioned(&self, expr: ExprId, found: &mut HashSet<SymbolId>, depth: u32) {
        found.extend(self.constant(expr));
        if depth > 8 || expr == ExprId::NONE {
            return;
        }
        match self.tree.exprs[expr] {
            Expr::Unary { operand, .. } => self.mentioned(operand, found, depth + 1),
            Expr::Binary { left, right, .. } => {
                self.mentioned(left, found, depth + 1);
                self.mentioned(right, found, depth + 1);
            }
            _ => {}
        }
    }

    /// Whether a symbol is a constant with one value in the whole program, which fits into a byte.
    fn is_byte_constant(&self, symbol: &Symbol) -> bool {
        let scope = &self.tree.scopes[symbol.scope];
        let value = || self.settled.value(scope.base + symbol.slot).as_number();
        symbol.kind == SymbolKind::Constant
            && scope.kind == ScopeKind::Namespace
            && value().is_some_and(|value| (0..256).contains(&to_i64(value)))
    }

    /// `.dw` with a label, which is short for `.dword` here and for two bytes elsewhere.
    pub(super) fn addresses_in_four_bytes(&mut self) {
        let tree = self.tree;
        // The pointers of the wider processors have four bytes.
        let is_wide = |stmt: &Stmt| matches!(stmt, Stmt::Instruction { cpu, .. } if cpu.has_wide_operands());
        if !tree.has_dwords || tree.stmts.iter().any(is_wide) {
            return;
        }
        for (at, stmt) in tree.stmts.entries() {
            let Stmt::Data { width: 4, values } = *stmt else { continue };
            let span = tree.stmt_spans[at];
            let has_label = tree.list(values).iter().any(|&value| self.is_label(value));
            if has_label && self.sources.text_of(span) == ".dw" {
                let message = "this writes four bytes for each address";
                let report = Report::warning(Code::AddressInFourBytes, span, message);
                self.reports.push(report.with_help(".dw is short for .dword; .word writes two bytes"));
            }
        }
    }

    /// `lda (zp),x`: one of the indirect modes misspelt.
    pub(super) fn parentheses_before_x(&mut self) {
        let help = "the indirect modes are (zp,x) and (zp),y; leave the parentheses out if neither is meant";
        for &(span, inner) in &self.tree.parenthesised_x {
            // Parentheses around a sum group it, and those around an address outside of the zero page can mean nothing else.
            let value = match self.tree.exprs[inner] {
                Expr::Number(number) => Some(number.get()),
                Expr::Static { symbol, .. } => {
                    let data = &self.tree.symbols[symbol];
                    let scope = &self.tree.scopes[data.scope];
                    let is_one = scope.kind == ScopeKind::Namespace;
                    is_one.then(|| self.settled.value(scope.base + data.slot).as_number()).flatten()
                }
                _ => None,
            };
            if !value.is_some_and(|value| (0..256).contains(&to_i64(value))) {
                continue;
            }
            let message = "this is not indirect: x is added to what is in the parentheses";
            self.reports.push(Report::warning(Code::ParenthesesBeforeX, span, message).with_help(help));
        }
    }

    fn is_label(&self, expr: ExprId) -> bool {
        match self.tree.exprs[expr] {
            Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => {
                self.tree.symbols[symbol].kind == SymbolKind::Label
            }
            Expr::MultiRef(_) | Expr::Pc => true,
            _ => false,
        }
    }

    /// The constant that an expression is.
    fn constant(&self, expr: ExprId) -> Option<SymbolId> {
        match self.tree.exprs[expr] {
            Expr::Static { symbol, .. } => {
                (self.tree.symbols[symbol].kind == SymbolKind::Constant).then_some(symbol)
            }
            _ => None,
        }
    }

    /// Notes every constant of an operand as an address.
    fn addresses(&self, expr: ExprId, uses: &mut Constants, depth: u32) {
        if let Some(symbol) = self.constant(expr) {
            uses.of(symbol).is_address = true;
        }
        if depth > 8 {
            return;
        }
        match self.tree.exprs[expr] {
            Expr::Unary { operand, .. } => self.addresses(operand, uses, depth + 1),
            Expr::Binary { left, right, .. } => {
                self.addresses(left, uses, depth + 1);
                self.addresses(right, uses, depth + 1);
            }
            Expr::Pair { first, second } => {
                self.addresses(first, uses, depth + 1);
                self.addresses(second, uses, depth + 1);
            }
            _ => {}
        }
    }
}
