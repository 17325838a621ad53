//! Execution of statements. Bodies of loops, branches and blocks are after their statement, so that a run goes through
//! them without calling itself: what is open is kept in a list, and where the innermost body ends is looked at after
//! every statement.

use std::rc::Rc;

use super::code::{Operand, Step};
use super::frames::Entered;
use super::operators::compare;
use super::{Eval, Evaluator, goes_on};
use crate::codes::Code;
use crate::options::Limits;
use crate::report::Report;
use crate::tree::*;
use crate::values::{ConversionError, FrameId, Invalid, InvalidKind, Value, to_i64};
use tempo_diagnostics::FrameKind;

/// How a run of statements ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Done,
    /// By `.return`; the value is in the evaluator.
    Returned,
}

/// A run of plain statements looks this often whether it was cancelled.
const CANCEL_STEPS: u64 = 1024;

/// The "next statement" of `.return`.
const RETURN: StmtId = StmtId::NONE;
/// The "next statement" after an error, which is in the evaluator.
const FAILED: StmtId = StmtId(NONE - 1);

/// A loop, branch or block whose body is being executed.
pub(super) struct Open {
    kind: Kind,
    stmt: StmtId,
    /// Where the body around it ends.
    limit: StmtId,
    /// The frames entered before the statement, and before a round of it.
    outside: Entered,
    around: Entered,
    /// The expansion around it.
    expansion: u32,
    iterations: u64,
    /// The frames of all rounds, if the statement has a label.
    members: Vec<FrameId>,
}

/// The work at the end of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// To go round once more, without anything to leave; by the number of the loop.
    Round(u32),
    /// To go on there, without anything to leave.
    Branch(StmtId),
    /// Whatever the tree says.
    Other,
}

impl Evaluator<'_> {
    /// Executes the statements of a range.
    pub(super) fn run(&mut self, start: StmtId, end: StmtId) -> Eval<Flow> {
        if start >= end {
            return Ok(Flow::Done);
        }
        self.check_stack(self.tree.stmt_spans[start])?;
        let outer = std::mem::replace(&mut self.limit, end);
        let (opened, state, expansion) = (self.open.len(), self.frames.state(), self.expansion);
        let result = self.run_from(start, opened);
        if self.open.len() > opened {
            // An error or a `.return` ended it.
            self.open.truncate(opened);
            self.frames.leave(state);
            self.expansion = expansion;
        }
        self.limit = outer;
        result
    }

    /// Executes statements up to the limit; what is open before stays.
    fn run_from(&mut self, start: StmtId, opened: usize) -> Eval<Flow> {
        let mut at = start;
        loop {
            let next = if at < self.limit {
                self.execute(at)
            } else if self.open.len() > opened {
                at = self.open.last().map_or(at, |open| open.stmt);
                self.end_body()
            } else {
                return Ok(Flow::Done);
            };
            match next {
                RETURN => return Ok(Flow::Returned),
                FAILED => at = self.go_on(at)?,
                next => at = next,
            }
        }
    }

    /// The next statement, or the note that there was an error.
    #[inline(always)]
    fn next(&mut self, result: Eval<StmtId>) -> StmtId {
        match result {
            Ok(next) => next,
            Err(report) => self.failed(report),
        }
    }

    #[cold]
    fn failed(&mut self, report: Box<Report>) -> StmtId {
        self.failure = Some(report);
        FAILED
    }

    /// The statement to go on with after an error, if the run does.
    #[cold]
    fn go_on(&mut self, at: StmtId) -> Eval<StmtId> {
        let report = self.failure.take().expect("what failed left a report");
        let report = self.placed(report, at);
        // After a limit the next statement would meet it again: nested loops would never end.
        if self.functions > 0 || report.is_limit() || !goes_on(self.options) {
            return Err(report);
        }
        self.report(*report);
        if self.faults.reports.len() >= self.options.limits.errors {
            // The caller gets the last one again; it is not listed twice.
            return Err(Box::new(self.faults.reports.last().expect("just reported").clone()));
        }
        self.poison(at);
        Ok(self.after(at))
    }

    /// A report with the imports around the statement that failed, if it is not in a body that was called.
    #[cold]
    pub(super) fn placed(&self, mut report: Box<Report>, at: StmtId) -> Box<Report> {
        if self.calls.is_empty() {
            report.imports.get_or_insert_with(|| self.tree.imports_around(at));
        }
        report
    }

    /// The statement after one and its body.
    pub(super) fn after(&self, at: StmtId) -> StmtId {
        match self.tree.stmts[at] {
            Stmt::PseudoPc { end, .. } | Stmt::Skip { end } => end,
            Stmt::Block(id) => self.tree.blocks[id as usize].end,
            Stmt::If(id) => self.tree.ifs[id as usize].end,
            Stmt::For(id) | Stmt::While(id) => self.tree.loops[id as usize].end,
            _ => at.next(),
        }
    }

    /// The declarations that a failed statement would have made are not worth another error.
    fn poison(&mut self, at: StmtId) {
        let poison =
            || Value::Invalid(Invalid { is_poison: true, ..Invalid::new(InvalidKind::Other, ExprId::NONE) });
        let tree = self.tree;
        let mut set = |symbol: SymbolId| self.frames.declare(tree, &tree.symbols[symbol], poison());
        match tree.stmts[at] {
            Stmt::Var { symbol, .. } => set(symbol),
            Stmt::LabelValue { symbol, .. } => set(symbol),
            Stmt::Rare(id) => match &tree.rares[id as usize] {
                Rare::Enum(members) => members.iter().for_each(|&(symbol, _)| set(symbol)),
                Rare::Define { exports, .. } => exports.iter().for_each(|&(_, symbol, _)| set(symbol)),
                _ => {}
            },
            _ => {}
        }
    }

    /// Executes a statement. The one to go on with.
    #[inline(always)]
    fn execute(&mut self, at: StmtId) -> StmtId {
        if self.functions == 0 {
            self.step += 1;
            // Loops and calls look for themselves.
            if self.step.is_multiple_of(CANCEL_STEPS)
                && let Err(report) = self.check_cancelled(self.tree.stmt_spans[at])
            {
                return self.failed(report);
            }
            let is_outside = self.frames.current() == FrameId::NONE;
            if is_outside || !self.code.steps[at].is_known() {
                // Most statements are instructions and labels, which are never kept.
                let result = match self.tree.stmts[at] {
                    Stmt::Instruction { mnemonic, form, cpu, extension, operand } => {
                        Some(self.instruction(at, mnemonic, form, cpu, extension, operand))
                    }
                    Stmt::Label { symbol } => {
                        self.label(symbol, 0);
                        return at.next();
                    }
                    Stmt::MacroCall(call) => Some(self.call_entity(at, call, FrameKind::Macro)),
                    Stmt::PseudoCall(call) => Some(self.call_entity(at, call, FrameKind::PseudoCommand)),
                    Stmt::Data { width, values } => Some(self.data(at, width, values)),
                    Stmt::Literal { bytes } => Some(self.literal(at, bytes)),
                    Stmt::Text { value } => Some(self.text(at, value)),
                    _ => None,
                };
                match result {
                    Some(Ok(())) => return at.next(),
                    Some(Err(report)) => return self.failed(report),
                    None => {}
                }
                if is_outside && self.is_script(at) {
                    let result = self.run_script(at);
                    return self.next(result);
                }
            }
        }
        self.perform_step(at)
    }

    /// Executes a statement as the code says. The one to go on with.
    #[inline(always)]
    fn perform_step(&mut self, at: StmtId) -> StmtId {
        match self.code.steps[at] {
            Step::Calculate { place, value } => match self.calculate(value) {
                Some(number) => {
                    if let Some(variable) = self.place(place) {
                        variable.put(Value::Number(number));
                    }
                    at.next()
                }
                None => {
                    let result = self.take_other().and_then(|value| self.set(at, place, value));
                    self.next(result)
                }
            },
            Step::Assign { place, value } => {
                // A string may be extended by what is assigned to it.
                let Some(Value::Number(_)) = self.place(place) else { return self.assign_other(at) };
                match self.calculate(value) {
                    Some(number) => {
                        if let Some(variable) = self.place(place) {
                            variable.put(Value::Number(number));
                        }
                        at.next()
                    }
                    None => self.assign_value(at),
                }
            }
            Step::Change { change, value } => {
                let result = self.perform_change(value, change);
                let result = result.and_then(|()| self.check_growth(self.tree.stmt_spans[at]));
                self.next(result.map(|()| at.next()))
            }
            Step::Set { place, value } => {
                let result = self.number_or_value(value).and_then(|value| self.set(at, place, value));
                self.next(result)
            }
            Step::Do { value } => {
                let result = match self.perform_expression(value) {
                    Ok(false) => return at.next(),
                    Ok(true) => self.check_growth(self.tree.stmt_spans[at]),
                    Err(report) => Err(report),
                };
                self.next(result.map(|()| at.next()))
            }
            Step::Return { value } => match self.number_or_value(value) {
                Ok(value) => {
                    self.returned = value;
                    self.returned_at = at;
                    RETURN
                }
                Err(report) => self.failed(report),
            },
            Step::If(id) => self.condition(at, id),
            Step::Repeat(id) => {
                let result = self.repeat(at, id);
                self.next(result)
            }
            Step::Block(id) => {
                let Block { scope, entity, end } = self.tree.blocks[id as usize];
                self.begin_body(at, scope, entity, end);
                at.next()
            }
            Step::Other => {
                let result = self.perform(at);
                self.next(result)
            }
            Step::NotLooked => self.perform_first(at),
        }
    }

    /// Executes a statement for the first time.
    #[inline(never)]
    fn perform_first(&mut self, at: StmtId) -> StmtId {
        self.code.look(self.tree, at, self.options.analysis);
        if let Step::Other = self.code.steps[at] {
            let result = self.perform(at);
            return self.next(result);
        }
        self.perform_step(at)
    }

    /// An assignment to something other than a number.
    #[inline(never)]
    fn assign_other(&mut self, at: StmtId) -> StmtId {
        let Stmt::Eval { value } = self.tree.stmts[at] else { return at.next() };
        let result = match self.perform_expression(value) {
            Ok(false) => return at.next(),
            Ok(true) => self.check_growth(self.tree.stmt_spans[at]),
            Err(report) => Err(report),
        };
        self.next(result.map(|()| at.next()))
    }

    /// An assignment of the value that was there instead of a number.
    #[inline(never)]
    fn assign_value(&mut self, at: StmtId) -> StmtId {
        let Stmt::Eval { value: id } = self.tree.stmts[at] else { return at.next() };
        let Expr::Assign { target, .. } = self.tree.exprs[id] else { return at.next() };
        let result = self.take_other().and_then(|value| self.store(id, target, value));
        let result = result.and_then(|()| self.check_growth(self.tree.stmt_spans[at]));
        self.next(result.map(|()| at.next()))
    }

    /// Gives a variable its first value.
    #[inline(never)]
    fn set(&mut self, at: StmtId, place: Operand, value: Value) -> Eval<StmtId> {
        if let Value::Invalid(invalid) = value {
            self.unresolved(invalid, self.tree.stmt_spans[at]);
        }
        if self.options.analysis
            && let Stmt::Var { symbol, .. } = self.tree.stmts[at]
        {
            self.note_local(symbol, &value);
        }
        let may_grow = !matches!(value, Value::Number(_));
        if let Some(variable) = self.place(place) {
            variable.put(value);
        }
        if may_grow {
            self.check_growth(self.tree.stmt_spans[at])?;
        }
        Ok(at.next())
    }

    /// Executes a statement that is not a step of the code. The statement to go on with.
    fn perform(&mut self, at: StmtId) -> Eval<StmtId> {
        match self.tree.stmts[at] {
            Stmt::Instruction { mnemonic, form, cpu, extension, operand } => {
                self.instruction(at, mnemonic, form, cpu, extension, operand)?;
            }
            Stmt::Label { symbol } => self.label(symbol, 0),
            Stmt::MultiLabel { symbol } => self.multi_label(symbol),
            Stmt::ArgumentLabel { symbol } => self.label(symbol, 1),
            Stmt::Data { width, values } => self.data(at, width, values)?,
            Stmt::Literal { bytes } => self.literal(at, bytes)?,
            Stmt::Text { value } => self.text(at, value)?,
            Stmt::Fill(id) => self.fill(at, id)?,
            Stmt::MacroCall(call) => self.call_entity(at, call, FrameKind::Macro)?,
            Stmt::PseudoCall(call) => self.call_entity(at, call, FrameKind::PseudoCommand)?,
            Stmt::Var { symbol, value } => {
                let value = if value == ExprId::NONE { Value::Null } else { self.eval(value)? };
                if let Value::Invalid(invalid) = value {
                    self.unresolved(invalid, self.tree.stmt_spans[at]);
                }
                if self.options.analysis {
                    self.note_local(symbol, &value);
                }
                let may_grow = !matches!(value, Value::Number(_));
                self.frames.declare(self.tree, &self.tree.symbols[symbol], value);
                if may_grow {
                    self.check_growth(self.tree.stmt_spans[at])?;
                }
            }
            Stmt::LabelValue { symbol, value } => self.label_value(at, symbol, value)?,
            Stmt::Eval { .. }
            | Stmt::Return { .. }
            | Stmt::If(_)
            | Stmt::For(_)
            | Stmt::While(_)
            | Stmt::Block(_) => {
                debug_assert!(false, "steps of the code");
            }
            Stmt::Pc { address, name, is_virtual } => self.set_pc(at, address, name, is_virtual)?,
            Stmt::Align { size } => self.align(at, size)?,
            Stmt::PseudoPc { address, end } => return self.pseudo_pc(at, address, end),
            Stmt::BadImport => {
                let mut report = self.error(Code::ImportInBody, self.tree.stmt_spans[at], "Not implemented");
                // Kick Assembler gives no place; the help names the line.
                let position = self.sources.position(self.tree.stmt_spans[at]);
                report.span = None;
                report.help = Some(format!(
                    "an import cannot be inside a macro or loop: move the one at line {} out of it",
                    position.line
                ));
                return Err(report);
            }
            Stmt::Skip { end } => return Ok(end),
            Stmt::Rare(id) => self.rare(at, id)?,
        }
        Ok(at.next())
    }

    // --- labels

    fn label(&mut self, id: SymbolId, offset: i64) {
        let symbol = &self.tree.symbols[id];
        let pc = self.made.memory.pc().map(|pc| (pc + offset) as f64);
        self.set_label(id, symbol, pc);
    }

    /// Gives a label its value, or marks it unknown.
    fn set_label(&mut self, id: SymbolId, symbol: &Symbol, value: Option<f64>) {
        let Some(slot) = self.frames.kept_slot(self.tree, symbol) else { return };
        let pass = if self.options.symbols {
            self.first_labels.count(value.is_some(), self.pass)
        } else {
            self.pass
        };
        *self.frames.kept_mut(slot) = match value {
            Some(value) => {
                self.progress.resolved_labels += 1;
                if self.warns {
                    self.made.places.push(to_i64(value));
                }
                if self.options.symbols {
                    let segment = self.made.memory.current as u32;
                    self.made.labels.push(super::LabelEntry {
                        symbol: id,
                        segment,
                        expansion: self.expansion,
                        value,
                        pass,
                    });
                }
                Value::Label(symbol.is_entity, slot, value)
            }
            None => {
                let unknown = Invalid::new(InvalidKind::Number, ExprId::NONE);
                Value::Invalid(Invalid { is_zp: symbol.is_zp, ..unknown })
            }
        };
    }

    fn multi_label(&mut self, id: SymbolId) {
        let symbol = &self.tree.symbols[id];
        let Some(slot) = self.frames.kept_slot(self.tree, symbol) else { return };
        if let Some(pc) = self.made.memory.pc() {
            self.progress.resolved_labels += 1;
            if self.warns {
                self.made.places.push(pc);
            }
            *self.frames.kept_mut(slot) = Value::Number(pc as f64);
        }
    }

    /// Stores the members of a label.
    pub(super) fn set_members(&mut self, entity: SymbolId, members: Value) {
        let symbol = &self.tree.symbols[entity];
        // The label's own scope is around the body; it is found from wherever the body runs.
        if let Some(slot) = self.frames.kept_slot(self.tree, symbol) {
            *self.frames.kept_mut(slot + 1) = members;
        }
    }

    fn label_value(&mut self, at: StmtId, id: SymbolId, value: ExprId) -> Eval<()> {
        let symbol = &self.tree.symbols[id];
        let value = self.eval(value)?;
        match &value {
            Value::Invalid(invalid) => {
                self.unresolved(*invalid, self.tree.stmt_spans[at]);
                // A value from a poisoned expression stays poisoned.
                if invalid.is_poison {
                    self.frames.declare(self.tree, symbol, value);
                } else {
                    self.set_label(id, symbol, None);
                }
            }
            _ => match value.as_number() {
                Some(number) => self.set_label(id, symbol, Some(number)),
                None => {
                    let message = format!(
                        "The value of a label is expected to be a number value. This expression returns a value of \
                         type '{}'",
                        value.type_of()
                    );
                    return self.fail(Code::LabelType, symbol.span, message);
                }
            },
        }
        Ok(())
    }

    // --- control flow

    #[inline]
    fn condition(&mut self, at: StmtId, id: u32) -> StmtId {
        let truth = self.truth(self.code.choices[id as usize].condition);
        let choice = self.code.choices[id as usize];
        // The bodies share the frame around them: there is nothing to leave.
        let (start, end, (first, last)) = match truth {
            Some(true) if choice.is_plain => (at.next(), choice.else_start, choice.then_slots),
            Some(false) if choice.is_plain => (choice.else_start, choice.end, choice.else_slots),
            _ => {
                let result = self.choose(at, id, truth);
                return self.next(result);
            }
        };
        self.frames.clear_slots(first, last);
        // What follows the last body follows the statement.
        if end != choice.end {
            self.open_statement(Kind::Branch(choice.end), at, [Entered::NOTHING; 2], end);
        }
        start
    }

    /// Continues after a condition: enters and leaves bodies, and reports conditions that are not booleans.
    #[inline(never)]
    fn choose(&mut self, at: StmtId, id: u32, truth: Option<bool>) -> Eval<StmtId> {
        let data = &self.tree.ifs[id as usize];
        let span = self.tree.stmt_spans[at];
        let is_true = match truth {
            Some(is_true) => is_true,
            None => match self.take_other()? {
                Value::Invalid(invalid) if invalid.is_poison => return Ok(data.end),
                Value::Invalid(_) => {
                    return self.fail(
                        Code::UnknownCondition,
                        span,
                        "The condition must be able to evaluate in first parse",
                    );
                }
                other => return Err(self.conversion(span, ConversionError::Bool(other.type_of()))),
            },
        };
        let (scope, start, end) = match (is_true, data.else_scope) {
            (true, _) => (data.then_scope, at.next(), data.else_start),
            (false, ScopeId::NONE) => {
                if data.entity != SymbolId::NONE {
                    self.set_members(data.entity, Value::NO_MEMBERS);
                }
                return Ok(data.end);
            }
            (false, scope) => (scope, data.else_start, data.end),
        };
        self.begin_body(at, scope, data.entity, end);
        Ok(start)
    }

    /// Begins a body that is executed once.
    fn begin_body(&mut self, at: StmtId, scope: ScopeId, entity: SymbolId, end: StmtId) {
        let outside = self.frames.enter(self.tree, scope);
        if entity != SymbolId::NONE {
            self.set_members(entity, Value::Members(self.frames.current()));
        }
        self.open_statement(Kind::Other, at, [outside, self.frames.state()], end);
    }

    #[inline]
    fn open_statement(&mut self, kind: Kind, at: StmtId, [outside, around]: [Entered; 2], end: StmtId) {
        let limit = std::mem::replace(&mut self.limit, end);
        let (expansion, members) = (self.expansion, Vec::new());
        self.open.push(Open { kind, stmt: at, limit, outside, around, expansion, iterations: 0, members });
    }

    /// Ends the innermost body: the next round of a loop, or what follows the statement.
    #[inline]
    fn end_body(&mut self) -> StmtId {
        let open = self.open.last().expect("a body that ends is open");
        match open.kind {
            Kind::Round(id) => self.go_round(id),
            Kind::Branch(end) => {
                self.limit = open.limit;
                self.open.pop();
                end
            }
            Kind::Other => {
                let result = self.leave_body();
                self.next(result)
            }
        }
    }

    /// Ends a body that has to be left.
    #[inline(never)]
    fn leave_body(&mut self) -> Eval<StmtId> {
        let open = self.open.last().expect("a body that ends is open");
        let (around, expansion) = (open.around, open.expansion);
        self.frames.leave(around);
        let tree = self.tree;
        match tree.stmts[open.stmt] {
            Stmt::For(id) | Stmt::While(id) => {
                self.expansion = expansion;
                let data = &tree.loops[id as usize];
                for &step in tree.list(data.step) {
                    if let Err(report) = self.perform_expression(step) {
                        self.close_statement();
                        return Err(report);
                    }
                }
                self.next_round(data)
            }
            _ => {
                let open = self.close_statement();
                Ok(self.after(open.stmt))
            }
        }
    }

    /// Begins the next round of the innermost loop, or ends it. There is nothing to leave after its body and nothing to
    /// note.
    #[inline]
    fn go_round(&mut self, id: u32) -> StmtId {
        let round = self.code.rounds[id as usize];
        let truth = match (round.counted, self.direct(round.bound)) {
            // A variable that is counted and compared.
            (Some((slot, by, op)), Some(bound)) if let Value::Number(number) = self.frames.own_mut(slot) => {
                *number += by;
                Some(compare(op, *number, bound))
            }
            _ if round.step == ExprId::NONE => self.truth(round.condition),
            _ => match self.perform_expression(round.step) {
                Ok(_) => self.truth(round.condition),
                Err(report) => {
                    self.close_statement();
                    return self.failed(report);
                }
            },
        };
        let open = self.open.last_mut().expect("a loop that goes round is open");
        if truth == Some(true) && open.iterations < self.options.limits.iterations {
            open.iterations += 1;
            let at = open.stmt;
            if let Err(report) = self.take_turn(self.tree.stmt_spans[at]) {
                self.close_statement();
                return self.failed(report);
            }
            self.frames.clear_slots(round.first, round.end);
            return at.next();
        }
        let result = self.next_round_if(&self.tree.loops[id as usize], truth);
        self.next(result)
    }

    #[inline]
    fn close_statement(&mut self) -> Open {
        let open = self.open.pop().expect("a statement that ends is open");
        self.limit = open.limit;
        self.frames.leave(open.outside);
        open
    }

    fn repeat(&mut self, at: StmtId, id: u32) -> Eval<StmtId> {
        let data = &self.tree.loops[id as usize];
        let outside = match data.header_scope {
            ScopeId::NONE => self.frames.state(),
            scope => self.frames.enter(self.tree, scope),
        };
        // A function emits nothing, so its loops are of no interest.
        let is_noted = self.options.analysis || self.keeps_expansions && self.functions == 0;
        let is_plain = self.code.rounds[id as usize].is_plain && !is_noted;
        let kind = if is_plain { Kind::Round(id) } else { Kind::Other };
        self.open_statement(kind, at, [outside, self.frames.state()], data.end);
        for &init in self.tree.list(data.init) {
            if let Err(report) = self.perform_expression(init) {
                self.close_statement();
                return Err(report);
            }
        }
        self.next_round(data)
    }

    /// Begins a round of the innermost loop, or ends it.
    fn next_round(&mut self, data: &Loop) -> Eval<StmtId> {
        let truth = self.truth(data.condition);
        self.next_round_if(data, truth)
    }

    fn next_round_if(&mut self, data: &Loop, truth: Option<bool>) -> Eval<StmtId> {
        match self.begins_round(truth) {
            Ok(true) => {
                let open = self.open.last_mut().expect("a loop that goes round is open");
                let at = open.stmt;
                open.iterations += 1;
                let iteration = open.iterations - 1;
                self.expand(FrameKind::Loop, at, iteration);
                if self.options.analysis && data.header_scope != ScopeId::NONE {
                    self.note_loop(data.header_scope);
                }
                let body = &self.tree.scopes[data.body_scope];
                if body.frame == data.body_scope {
                    let around = self.frames.enter(self.tree, data.body_scope);
                    let open = self.open.last_mut().expect("a loop that goes round is open");
                    open.around = around;
                    if data.entity != SymbolId::NONE {
                        open.members.push(self.frames.current());
                    }
                } else {
                    self.frames.clear(body);
                }
                Ok(at.next())
            }
            Ok(false) => {
                let open = self.close_statement();
                if data.entity != SymbolId::NONE {
                    self.set_members(data.entity, Value::MemberList(Rc::new(open.members)));
                }
                Ok(data.end)
            }
            Err(report) => {
                self.close_statement();
                Err(report)
            }
        }
    }

    /// Whether the innermost loop goes round once more.
    #[inline]
    fn begins_round(&mut self, truth: Option<bool>) -> Eval<bool> {
        let Open { stmt, iterations, .. } = *self.open.last().expect("a loop that goes round is open");
        let span = self.tree.stmt_spans[stmt];
        match truth {
            Some(true) => {}
            Some(false) => return Ok(false),
            None => match self.take_other()? {
                Value::Invalid(invalid) if invalid.is_poison => return Ok(false),
                Value::Invalid(_) => {
                    return self.fail(Code::UnknownCondition, span, "Can't evaluate condition in first pass");
                }
                other => return Err(self.conversion(span, ConversionError::Bool(other.type_of()))),
            },
        }
        if iterations >= self.options.limits.iterations {
            return Err(self.endless_loop(stmt));
        }
        self.take_turn(span)?;
        Ok(true)
    }

    /// Notes the variables of a loop at the start of a round.
    #[cold]
    fn note_loop(&mut self, header: ScopeId) {
        let tree = self.tree;
        for &id in &tree.scope_symbols[tree.scopes[header].symbols.range()] {
            let value = self.frames.local(0, tree.symbols[id].slot as u16).clone();
            self.note_local(id, &value);
            self.keep_value(id, value);
        }
    }

    fn endless_loop(&self, at: StmtId) -> Box<Report> {
        let span = self.tree.stmt_spans[at];
        let line = self.sources.rest_of_line(span).trim();
        let head: String = line.chars().take(60).collect();
        let limit = self.options.limits.iterations;
        let mut report = self.error(
            Code::TooManyIterations,
            span,
            format!("The loop '{head}' did not end after {limit} iterations"),
        );
        report.help = Some("does its condition ever become false? --max-loop raises the limit".to_owned());
        report
    }

    // --- the program counter

    /// The integer an expression gives, or `None` if it is not known yet; then that is noted.
    pub(super) fn eval_integer(&mut self, expr: ExprId, at: StmtId) -> Eval<Option<i64>> {
        let value = self.eval(expr)?;
        let span = self.tree.stmt_spans[at];
        if let Value::Invalid(invalid) = value {
            self.unresolved(invalid, span);
            return Ok(None);
        }
        match value.number() {
            Ok(number) => Ok(Some(to_i64(number))),
            Err(error) => Err(self.conversion(span, error)),
        }
    }

    /// A number as an address. Every address that a source gives comes through here, so that addresses have 32 bits,
    /// and sums of addresses and sizes cannot overflow.
    pub(super) fn address(&self, number: i64, span: tempo_diagnostics::Span) -> Eval<i64> {
        if number < 0 {
            return self.fail(Code::AddressOutOfRange, span, "Memory address may not be negative!");
        }
        if number > i64::from(u32::MAX) {
            return self.fail(Code::AddressOutOfRange, span, "Memory address may not be larger than 32 bits");
        }
        Ok(number)
    }

    fn set_pc(&mut self, at: StmtId, address: ExprId, name: u32, is_virtual: bool) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        if self.in_pseudo_pc {
            return self.fail(
                Code::BlockInPseudoPc,
                span,
                "You can't start a new memoryblock in pseudo pc mode",
            );
        }
        let start = self.eval_integer(address, at)?;
        let start = start.map(|start| self.address(start, span)).transpose()?;
        let name = match name {
            NONE => "Unnamed".to_owned(),
            name => self.tree.strings[name as usize].as_str().to_owned(),
        };
        self.made.memory.start_block(name, start, is_virtual, span);
        Ok(())
    }

    fn align(&mut self, at: StmtId, size: ExprId) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let Some(size) = self.eval_integer(size, at)? else {
            self.lose_size(at, Invalid::new(InvalidKind::Number, size));
            return Ok(());
        };
        if size < 1 {
            return self.fail(Code::AlignSize, span, "Page size must be positive.");
        }
        let Some(pc) = self.made.memory.pc() else {
            // How much is needed depends on an address that is not known.
            let unknown = Invalid::new(InvalidKind::Number, ExprId::NONE);
            self.unresolved(unknown, span);
            self.lose_size(at, unknown);
            return Ok(());
        };
        let missing = (size - pc.rem_euclid(size)) % size;
        let start = self.made.memory.len();
        self.check_room(span, missing as u64)?;
        self.made.memory.extend(&vec![0; missing as usize]);
        self.finish(at, start)
    }

    fn pseudo_pc(&mut self, at: StmtId, address: ExprId, end: StmtId) -> Eval<StmtId> {
        let span = self.tree.stmt_spans[at];
        if self.in_pseudo_pc {
            return self.fail(Code::NestedPseudoPc, span, "You can't nest pseudo pc directives");
        }
        let address = self.eval_integer(address, at)?;
        let address = address.map(|address| self.address(address, span)).transpose()?;
        let real = self.made.memory.begin_pseudo(address);
        self.in_pseudo_pc = true;
        let flow = self.run(at.next(), end);
        self.in_pseudo_pc = false;
        self.made.memory.end_pseudo(real);
        flow?;
        Ok(end)
    }

    /// Ends a statement that emitted bytes.
    #[inline(always)]
    pub(super) fn finish(&mut self, at: StmtId, start: usize) -> Eval<()> {
        if self.made.memory.finish(at, start, self.expansion) { Ok(()) } else { self.too_many_bytes(at) }
    }

    #[cold]
    fn too_many_bytes(&self, at: StmtId) -> Eval<()> {
        Err(self.too_much_output(self.tree.stmt_spans[at]))
    }

    #[cold]
    fn too_much_output(&self, span: tempo_diagnostics::Span) -> Box<Report> {
        let limit = self.made.memory.limit;
        let mut report = self.error(Code::TooMuchOutput, span, format!("More than {limit} bytes of output"));
        report.help = Some(Limits::raised("output", limit));
        report
    }

    /// Whether this many more bytes are allowed.
    pub(super) fn check_room(&mut self, span: tempo_diagnostics::Span, bytes: u64) -> Eval<()> {
        if self.made.memory.emitted.saturating_add(bytes) > self.made.memory.limit {
            return Err(self.too_much_output(span));
        }
        Ok(())
    }
}
