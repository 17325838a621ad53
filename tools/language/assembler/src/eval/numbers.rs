//! Expressions that make numbers, as the code has them: operators, and where their operands are.

use super::code::{Node, Op, Operand, Source};
use super::operators::{calculate, select};
use super::{Eval, Evaluator};
use crate::library::{self, Numbers};
use crate::tree::*;
use crate::values::Value;

impl Evaluator<'_> {
    /// The number that an operand is, those of labels included. `None` if it is something else, which
    /// [`Self::value_instead`] gives.
    #[inline(always)]
    pub(super) fn fetch(&mut self, operand: Operand) -> Option<f64> {
        let index = operand.index();
        let variable = match operand.source() {
            Source::Local => self.frames.own(index),
            Source::Literal => return Some(self.code.literals[index as usize]),
            Source::Static => self.frames.kept(index),
            Source::Expression => return self.calculate(operand.expr()),
            Source::Leaf => return self.leaf(operand.expr()),
            Source::Complex => return self.calculate_other(operand.expr()),
            Source::Call => return self.call_number(operand.expr()),
            Source::Element => return self.get_number(operand.expr()),
            Source::Outer => return self.fetch_outer(operand.expr()),
        };
        match *variable {
            Value::Number(number) | Value::Label(_, _, number) => Some(number),
            _ => None,
        }
    }

    /// The number that a variable or a number in the text is.
    #[inline(always)]
    pub(super) fn direct(&self, operand: Operand) -> Option<f64> {
        let index = operand.index();
        let variable = match operand.source() {
            Source::Local => self.frames.own(index),
            Source::Literal => return Some(self.code.literals[index as usize]),
            Source::Static => self.frames.kept(index),
            _ => return None,
        };
        match *variable {
            Value::Number(number) | Value::Label(_, _, number) => Some(number),
            _ => None,
        }
    }

    /// The number that a variable or a number in the text is, if it is no more than that.
    #[inline(always)]
    pub(super) fn number_at(&self, operand: Operand) -> Option<f64> {
        let index = operand.index();
        let variable = match operand.source() {
            Source::Local => self.frames.own(index),
            Source::Literal => return Some(self.code.literals[index as usize]),
            Source::Static => self.frames.kept(index),
            _ => return None,
        };
        match *variable {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The number of an operation whose operands need not be evaluated: there is nothing to keep while they are.
    #[inline(never)]
    pub(super) fn leaf(&mut self, id: ExprId) -> Option<f64> {
        let node = self.code.nodes[id];
        match node.op {
            Op::LeafWith(op) => {
                if let Value::Number(a) = *self.frames.own(node.a.index()) {
                    return Some(calculate(op, a, self.code.literals[node.b.index() as usize]));
                }
            }
            Op::Leaf(op) => {
                if let Some(a) = self.direct(node.a)
                    && let Some(b) = self.direct(node.b)
                {
                    return Some(calculate(op, a, b));
                }
            }
            _ => {}
        }
        self.other_leaf(id)
    }

    /// An operation with a variable that does not hold a number.
    #[inline(never)]
    pub(super) fn other_leaf(&mut self, id: ExprId) -> Option<f64> {
        let Expr::Binary { op, left, right } = self.tree.exprs[id] else { return None };
        let result = self.eval(left).and_then(|left| {
            let right = self.eval(right)?;
            self.binary(id, op, left, right)
        });
        self.number_of(result)
    }

    #[inline(never)]
    fn fetch_outer(&self, id: ExprId) -> Option<f64> {
        match self.tree.exprs[id] {
            Expr::Local { hops, slot, .. } => match *self.frames.local(hops, slot) {
                Value::Number(number) | Value::Label(_, _, number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number that an expression gives; `None` leaves something else to be taken.
    pub(super) fn calculate(&mut self, id: ExprId) -> Option<f64> {
        let node = self.code.nodes[id];
        match node.op {
            Op::Leaf(_) | Op::LeafWith(_) => self.leaf(id),
            Op::CalculateWith(op) => {
                if node.is_deep() && !self.budget.has_stack() {
                    return self.no_stack(id);
                }
                let Some(a) = self.fetch(node.a) else { return self.other_left(id, node) };
                Some(calculate(op, a, self.code.literals[node.b.index() as usize]))
            }
            Op::Calculate(op) => {
                if node.is_deep() && !self.budget.has_stack() {
                    return self.no_stack(id);
                }
                let Some(a) = self.fetch(node.a) else { return self.other_left(id, node) };
                let Some(b) = self.fetch(node.b) else { return self.other_right(id, node, a) };
                Some(calculate(op, a, b))
            }
            _ => self.calculate_other(id),
        }
    }

    /// The number of an operation that needs more than its operands. Each has a function of its own, so that the way to
    /// one does not prepare for all.
    #[inline(never)]
    fn calculate_other(&mut self, id: ExprId) -> Option<f64> {
        match self.code.nodes[id].op {
            Op::Leaf(_) | Op::LeafWith(_) => self.leaf(id),
            Op::Call => self.call_number(id),
            Op::Method(method) => self.method_number(id, method),
            Op::Member => self.member_number(id),
            Op::Select(op) => self.select_number(id, op),
            Op::Numbers => self.library_number(id),
            Op::NotLooked => {
                self.look_at(id);
                self.calculate(id)
            }
            _ => self.other_number(id),
        }
    }

    #[inline(never)]
    pub(super) fn other_number(&mut self, id: ExprId) -> Option<f64> {
        let result = match self.tree.exprs[id] {
            Expr::CallBuiltIn { function, arguments, len } => {
                self.call_built_in(id, function, arguments, len)
            }
            _ => self.eval(id),
        };
        self.number_of(result)
    }

    #[inline(never)]
    fn call_number(&mut self, id: ExprId) -> Option<f64> {
        let result = self.call_function(id);
        self.number_of(result)
    }

    #[inline(never)]
    fn member_number(&mut self, id: ExprId) -> Option<f64> {
        let Expr::Member { base, name } = self.tree.exprs[id] else { return None };
        if let Value::Struct(instance) = self.variable(self.code.nodes[id].a)
            && !self.options.analysis
            && let Some(index) = self.tree.structs[instance.definition as usize].field(name)
            && let Some(&Value::Number(number)) = instance.fields.borrow().get(index)
        {
            self.marks.shared();
            return Some(number);
        }
        let result = self.eval_member(id, base, name);
        self.number_of(result)
    }

    #[inline(never)]
    fn select_number(&mut self, id: ExprId, op: Unary) -> Option<f64> {
        let node = self.code.nodes[id];
        if node.is_deep() && !self.budget.has_stack() {
            return self.no_stack(id);
        }
        if let Some(number) = self.fetch(node.a) {
            return Some(select(op, number));
        }
        let Expr::Unary { operand, .. } = self.tree.exprs[id] else { return None };
        let value = self.value_instead(node.a, operand);
        let result = value.and_then(|value| self.unary(id, op, value));
        self.number_of(result)
    }

    #[inline(never)]
    fn library_number(&mut self, id: ExprId) -> Option<f64> {
        let Expr::CallBuiltIn { function, arguments, len } = self.tree.exprs[id] else { return None };
        let result = match self.call_numbers(self.code.nodes[id], function, arguments) {
            Ok(number) => return Some(number),
            Err(values) => values.and_then(|values| self.call_library(id, function, &values[..len.into()])),
        };
        self.number_of(result)
    }

    /// A function of numbers, or its arguments if they are something else.
    #[inline]
    fn call_numbers(&mut self, node: Node, function: u16, arguments: u32) -> Result<f64, Eval<[Value; 2]>> {
        let argument = |index: usize| self.tree.lists[arguments as usize + index];
        if !self.budget.has_stack() {
            return Err(Err(self.stack_ends(self.span(argument(0)))));
        }
        let Some(numbers) = library::numbers(function) else { return Err(Ok([Value::Null, Value::Null])) };
        let is_one = matches!(numbers, Numbers::One(_));
        let Some(a) = self.fetch(node.a) else {
            let first = self.value_instead(node.a, argument(0));
            return Err(first.and_then(|first| {
                let second = if is_one { Value::Null } else { self.eval(argument(1))? };
                Ok([first, second])
            }));
        };
        if is_one {
            return numbers.of(a, a).ok_or(Ok([Value::Number(a), Value::Null]));
        }
        let Some(b) = self.fetch(node.b) else {
            let second = self.value_instead(node.b, argument(1));
            return Err(second.map(|second| [Value::Number(a), second]));
        };
        numbers.of(a, b).ok_or(Ok([Value::Number(a), Value::Number(b)]))
    }

    /// An operator whose left operand is not a number.
    #[inline(never)]
    pub(super) fn other_left(&mut self, id: ExprId, node: Node) -> Option<f64> {
        let Expr::Binary { op, left, right } = self.tree.exprs[id] else { return None };
        let left = self.value_instead(node.a, left);
        let result = left.and_then(|left| {
            let right = self.eval(right)?;
            self.binary(id, op, left, right)
        });
        self.number_of(result)
    }

    /// An operator whose right operand is not a number.
    #[inline(never)]
    pub(super) fn other_right(&mut self, id: ExprId, node: Node, left: f64) -> Option<f64> {
        let Expr::Binary { op, right, .. } = self.tree.exprs[id] else { return None };
        let right = self.value_instead(node.b, right);
        let result = right.and_then(|right| self.binary(id, op, Value::Number(left), right));
        self.number_of(result)
    }

    #[cold]
    pub(super) fn no_stack(&mut self, id: ExprId) -> Option<f64> {
        self.other = Err(self.stack_ends(self.span(id)));
        None
    }
}
