//! Evaluation of expressions: the only place that goes through them for their values. What an operator means is in
//! `operators`, what a function or method does in the library.

use std::rc::Rc;

use super::code::{Change, Method, Node, Op, Operand, Source};
use super::memo::Marks;
use super::operators::{calculate, compare, select};
use super::{Eval, Evaluator, unknown_number};
use crate::codes::Code;
use crate::intern::Name;
use crate::library::{self, Numbers, methods};
use crate::names;
use crate::tree::*;
use crate::values::{ConversionError, Invalid, InvalidKind, Struct, Value, to_i32, to_i64};
use tempo_diagnostics::Span;

impl Evaluator<'_> {
    pub(super) fn span(&self, expr: ExprId) -> Span {
        self.tree.expr_spans[expr]
    }

    /// The value of an expression. What makes numbers is in [`Self::calculate`], what makes conditions in
    /// [`Self::truth`].
    pub(super) fn eval(&mut self, id: ExprId) -> Eval<Value> {
        match self.tree.exprs[id] {
            Expr::Number(number) => Ok(Value::Number(number.get())),
            Expr::Bool(value) => Ok(Value::Bool(value)),
            Expr::Static { slot, .. } => Ok(known_or_here(self.frames.kept(slot), id, &self.marks)),
            Expr::Local { hops, slot, .. } => {
                Ok(known_or_here(self.frames.local(hops, slot), id, &self.marks))
            }
            Expr::Binary { .. } | Expr::Unary { .. } | Expr::CallBuiltIn { .. } => self.eval_code(id),
            Expr::CallUser { .. } => self.call_function(id),
            Expr::Method { name, arguments, len } => match self.code.nodes[id].op {
                Op::Method(_) | Op::NotLooked => self.eval_code(id),
                Op::Change(change) => self.change(id, change),
                _ => self.call_method(id, name, arguments, len),
            },
            Expr::Member { base, name } => match self.code.nodes[id].op {
                Op::Member | Op::NotLooked => self.eval_code(id),
                _ => self.eval_member(id, base, name),
            },
            Expr::Ternary { condition, branches } => self.eval_ternary(id, condition, branches),
            Expr::Assign { op, target, value } => self.assign(id, op, target, value),
            Expr::Step { op, target } => self.step(id, op, target),
            _ => self.eval_other(id),
        }
    }

    #[inline(never)]
    fn eval_code(&mut self, id: ExprId) -> Eval<Value> {
        let value = match self.code.nodes[id].op {
            Op::Compare(_)
            | Op::CompareLeaf(_)
            | Op::Logic(_)
            | Op::Not
            | Op::Method(Method::ContainsKey) => self.truth(id).map(Value::Bool),
            Op::NotLooked => {
                self.look_at(id);
                return self.eval(id);
            }
            _ => self.calculate(id).map(Value::Number),
        };
        value.map_or_else(|| self.take_other(), Ok)
    }

    /// Compiles an expression that is met for the first time.
    #[cold]
    pub(super) fn look_at(&mut self, id: ExprId) {
        self.code.look_at(self.tree, id);
    }

    /// The value of an expression that is most likely a number.
    #[inline(always)]
    pub(super) fn number_or_value(&mut self, id: ExprId) -> Eval<Value> {
        match self.code.nodes[id].op {
            op if op.gives_number() => match self.calculate(id) {
                Some(number) => Ok(Value::Number(number)),
                None => self.take_other(),
            },
            Op::Variable => match *self.variable(self.code.nodes[id].a) {
                Value::Number(number) => Ok(Value::Number(number)),
                _ => self.eval(id),
            },
            _ => self.eval(id),
        }
    }

    /// The value that was there instead of a number or condition, or the error.
    #[inline]
    pub(super) fn take_other(&mut self) -> Eval<Value> {
        std::mem::replace(&mut self.other, Ok(Value::Null))
    }

    /// Leaves a result that is not a number to be taken.
    #[inline]
    fn number_of(&mut self, result: Eval<Value>) -> Option<f64> {
        if let Ok(Value::Number(number)) = result {
            // A number owns nothing; the compiler would look for what there is to drop.
            std::mem::forget(result);
            return Some(number);
        }
        self.other = result;
        None
    }

    /// The number that an operand is, those of labels included. `None` if it is something else, which
    /// [`Self::value_instead`] gives.
    #[inline(always)]
    fn fetch(&mut self, operand: Operand) -> Option<f64> {
        let index = operand.index();
        let variable = match operand.source() {
            Source::Local => self.frames.own(index),
            Source::Literal => return Some(self.code.literals[index as usize]),
            Source::Static => self.frames.kept(index),
            Source::Expression => return self.calculate(operand.expr()),
            Source::Leaf => return self.leaf(operand.expr()),
            Source::Complex => return self.calculate_other(operand.expr()),
            Source::Call => return self.call_number(operand.expr()),
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
    fn leaf(&mut self, id: ExprId) -> Option<f64> {
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
    fn other_leaf(&mut self, id: ExprId) -> Option<f64> {
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

    /// The value of an operand that is not a number; `id` is its expression.
    #[inline]
    fn value_instead(&mut self, operand: Operand, id: ExprId) -> Eval<Value> {
        if operand.is_expression() { self.take_other() } else { self.eval(id) }
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
    fn other_number(&mut self, id: ExprId) -> Option<f64> {
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

    /// The variable that an operand is.
    #[inline(always)]
    fn variable(&self, operand: Operand) -> &Value {
        match operand.source() {
            Source::Static => self.frames.kept(operand.index()),
            _ => self.frames.own(operand.index()),
        }
    }

    /// A method with an argument that is not a number; those before it are numbers.
    #[inline(never)]
    fn method_of_others(&mut self, id: ExprId, node: Node, method: Method, numbers: &[f64]) -> Eval<Value> {
        let Expr::Method { name, arguments, .. } = self.tree.exprs[id] else { return Ok(Value::Null) };
        let (list, first) = (arguments as usize, node.b.index() as usize);
        let mut values: Vec<Value> = numbers.iter().map(|&number| Value::Number(number)).collect();
        let operand = self.code.arguments[first + values.len()];
        values.push(self.value_instead(operand, self.tree.lists[list + 1 + values.len()])?);
        while values.len() < method.arguments() {
            values.push(self.eval(self.tree.lists[list + 1 + values.len()])?);
        }
        let receiver = self.eval(self.tree.lists[list])?;
        self.call_method_of(id, name, &receiver, &values)
    }

    /// A method whose arguments are numbers, for a receiver that needs more than to be looked at.
    #[inline(never)]
    fn method_of_numbers(&mut self, id: ExprId, method: Method, numbers: [f64; 2]) -> Eval<Value> {
        let Expr::Method { name, arguments, .. } = self.tree.exprs[id] else { return Ok(Value::Null) };
        let receiver = self.eval(self.tree.lists[arguments as usize])?;
        self.call_method_of(id, name, &receiver, &numbers.map(Value::Number)[..method.arguments()])
    }

    /// The number that a method of a variable gives; `None` leaves something else to be taken. Each method has a
    /// function of its own.
    #[inline(always)]
    fn method_number(&mut self, id: ExprId, method: Method) -> Option<f64> {
        match method {
            Method::Get => self.get_number(id),
            Method::Pixel => self.pixel_number(id),
            Method::Size => self.size_number(id),
            Method::ContainsKey => self.other_number(id),
        }
    }

    /// `get`
    #[inline(never)]
    fn get_number(&mut self, id: ExprId) -> Option<f64> {
        let node = self.code.nodes[id];
        if node.is_deep() && !self.budget.has_stack() {
            return self.no_stack(id);
        }
        let Some(key) = self.fetch(self.code.arguments[node.b.index() as usize]) else {
            return self.number_of_others(id, node, Method::Get, &[]);
        };
        match self.variable(node.a) {
            Value::List(list) => {
                let items = list.items.borrow();
                match usize::try_from(to_i32(key)).ok().and_then(|index| items.get(index)) {
                    Some(&Value::Number(number)) => {
                        if !list.is_locked.get() {
                            self.marks.shared();
                        }
                        return Some(number);
                    }
                    Some(Value::Invalid(_)) | None => {}
                    Some(item) => {
                        if !list.is_locked.get() {
                            self.marks.shared();
                        }
                        let item = item.clone();
                        drop(items);
                        self.other = Ok(item);
                        return None;
                    }
                }
            }
            Value::Table(table) => {
                if let Some(number) = table.number_at(key) {
                    self.marks.shared();
                    return Some(number);
                }
            }
            _ => {}
        }
        self.number_of_numbers(id, Method::Get, [key, 0.0])
    }

    /// `size`
    #[inline(never)]
    fn size_number(&mut self, id: ExprId) -> Option<f64> {
        if let Value::List(list) = self.variable(self.code.nodes[id].a) {
            if !list.is_locked.get() {
                self.marks.shared();
            }
            return Some(list.items.borrow().len() as f64);
        }
        self.number_of_numbers(id, Method::Size, [0.0; 2])
    }

    /// `getPixel`
    #[inline(never)]
    fn pixel_number(&mut self, id: ExprId) -> Option<f64> {
        let node = self.code.nodes[id];
        if node.is_deep() && !self.budget.has_stack() {
            return self.no_stack(id);
        }
        let first = node.b.index() as usize;
        let Some(x) = self.fetch(self.code.arguments[first]) else {
            return self.number_of_others(id, node, Method::Pixel, &[]);
        };
        let Some(y) = self.fetch(self.code.arguments[first + 1]) else {
            return self.number_of_others(id, node, Method::Pixel, &[x]);
        };
        if let Value::Picture(picture) = self.variable(node.a)
            && let (Ok(column), Ok(row)) = (u32::try_from(to_i64(x)), u32::try_from(to_i64(y)))
            && column < picture.image.width
            && row < picture.image.height
            && let Some(pixel) = picture.image.pixel(column, row)
        {
            return Some(f64::from(pixel));
        }
        self.number_of_numbers(id, Method::Pixel, [x, y])
    }

    /// A method with an argument that is not a number.
    #[cold]
    fn number_of_others(&mut self, id: ExprId, node: Node, method: Method, numbers: &[f64]) -> Option<f64> {
        let answer = self.method_of_others(id, node, method, numbers);
        self.number_of(answer)
    }

    /// A method of numbers, for a receiver that needs more than to be looked at.
    #[inline(never)]
    fn number_of_numbers(&mut self, id: ExprId, method: Method, numbers: [f64; 2]) -> Option<f64> {
        let answer = self.method_of_numbers(id, method, numbers);
        self.number_of(answer)
    }

    /// Whether a hashtable has a key; `None` leaves something else to be taken.
    #[inline(never)]
    fn has_key(&mut self, id: ExprId, node: Node) -> Option<bool> {
        let method = Method::ContainsKey;
        self.other = match self.fetch(self.code.arguments[node.b.index() as usize]) {
            Some(number) => {
                if let Value::Table(table) = self.variable(node.a) {
                    self.marks.shared();
                    return Some(table.contains_number(number));
                }
                self.method_of_numbers(id, method, [number, 0.0])
            }
            None => self.method_of_others(id, node, method, &[]),
        };
        self.truth_of_other()
    }

    #[cold]
    fn no_stack(&mut self, id: ExprId) -> Option<f64> {
        self.other = Err(self.stack_ends(self.span(id)));
        None
    }

    /// An operator whose left operand is not a number.
    #[inline(never)]
    fn other_left(&mut self, id: ExprId, node: Node) -> Option<f64> {
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
    fn other_right(&mut self, id: ExprId, node: Node, left: f64) -> Option<f64> {
        let Expr::Binary { op, right, .. } = self.tree.exprs[id] else { return None };
        let right = self.value_instead(node.b, right);
        let result = right.and_then(|right| self.binary(id, op, Value::Number(left), right));
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

    /// Whether a condition is true; `None` leaves something else to be taken.
    #[inline(always)]
    pub(super) fn truth(&mut self, id: ExprId) -> Option<bool> {
        let node = self.code.nodes[id];
        if let Op::CompareLeaf(op) = node.op
            && let Some(a) = self.direct(node.a)
            && let Some(b) = self.direct(node.b)
        {
            return Some(compare(op, a, b));
        }
        self.truth_of(id)
    }

    /// Whether a condition is true that is more than a comparison of numbers.
    #[inline(never)]
    fn truth_of(&mut self, id: ExprId) -> Option<bool> {
        let node = self.code.nodes[id];
        if node.is_deep() && !self.budget.has_stack() {
            self.no_stack(id);
            return None;
        }
        match node.op {
            Op::CompareLeaf(_) => {
                let number = self.other_leaf(id);
                debug_assert!(number.is_none(), "comparisons give conditions");
                self.truth_of_other()
            }
            Op::Compare(op) => {
                let number = match self.fetch(node.a) {
                    Some(a) => match self.fetch(node.b) {
                        Some(b) => return Some(compare(op, a, b)),
                        None => self.other_right(id, node, a),
                    },
                    None => self.other_left(id, node),
                };
                debug_assert!(number.is_none(), "comparisons give conditions");
                self.truth_of_other()
            }
            Op::Logic(decided) => match self.truth(node.a.expr()) {
                Some(left) if left == decided => Some(decided),
                Some(_) => match self.truth(node.b.expr()) {
                    Some(right) => Some(right),
                    None => self.no_logic(id),
                },
                None => self.no_logic(id),
            },
            Op::Not => match self.truth(node.a.expr()) {
                Some(truth) => Some(!truth),
                None => {
                    let value = self.take_other();
                    self.other = value.and_then(|value| self.unary(id, Unary::Not, value));
                    None
                }
            },
            Op::Method(Method::ContainsKey) => self.has_key(id, node),
            Op::NotLooked => {
                self.look_at(id);
                self.truth_of(id)
            }
            _ => {
                self.other = self.eval(id);
                self.truth_of_other()
            }
        }
    }

    /// Takes what is left if it is a condition.
    #[inline]
    fn truth_of_other(&mut self) -> Option<bool> {
        match self.other {
            Ok(Value::Bool(truth)) => Some(truth),
            _ => None,
        }
    }

    /// An operand of `&&` or `||` that is not a condition.
    #[cold]
    fn no_logic(&mut self, id: ExprId) -> Option<bool> {
        let operand = self.take_other();
        self.other = operand.and_then(|operand| match operand {
            Value::Invalid(invalid) => Ok(Value::Invalid(invalid.with_kind(InvalidKind::Bool))),
            other => Err(self.conversion(self.span(id), ConversionError::Bool(other.type_of()))),
        });
        None
    }

    /// Evaluates an expression for what it does. Whether values may have grown by it.
    #[inline]
    pub(super) fn perform_expression(&mut self, id: ExprId) -> Eval<bool> {
        let value = match self.tree.exprs[id] {
            Expr::Step { op, target } => self.step(id, op, target),
            Expr::Assign { op, target, value } => self.assign(id, op, target, value),
            _ => self.eval(id),
        };
        // Loops and calls look for themselves.
        value.map(|value| !matches!(value, Value::Number(_)))
    }

    #[inline(always)]
    pub(super) fn check_stack_at(&self, id: ExprId) -> Eval<()> {
        if self.budget.has_stack() { Ok(()) } else { Err(self.stack_ends(self.span(id))) }
    }

    #[inline(never)]
    fn eval_ternary(&mut self, id: ExprId, condition: ExprId, branches: u32) -> Eval<Value> {
        self.check_stack_at(id)?;
        let chosen = match self.truth(condition) {
            Some(truth) => usize::from(!truth),
            None => match self.take_other()? {
                Value::Invalid(invalid) if invalid.is_poison => return Ok(Value::Invalid(invalid)),
                Value::Invalid(_) => {
                    let message = "The condition must be able to evaluate in first parse";
                    return self.fail(Code::UnknownCondition, self.span(id), message);
                }
                other => {
                    return Err(self.conversion(self.span(id), ConversionError::Bool(other.type_of())));
                }
            },
        };
        self.eval(self.tree.lists[branches as usize + chosen])
    }

    #[inline(never)]
    fn eval_other(&mut self, id: ExprId) -> Eval<Value> {
        match self.tree.exprs[id] {
            Expr::String(index) => Ok(Value::Text(self.tree.strings[index as usize].clone())),
            Expr::Char(c) => Ok(self.char_value(c)),
            Expr::Bool(value) => Ok(Value::Bool(value)),
            Expr::Null => Ok(Value::Null),
            Expr::Pc => Ok(match self.made.memory.pc() {
                Some(pc) => Value::Number(pc as f64),
                None => unknown_number(id),
            }),
            Expr::CallStruct { definition, arguments, len } => self.construct(id, definition, arguments, len),
            Expr::Index { base, index } => self.index(id, base, index),
            Expr::Declare { symbol, value } => {
                let value = self.eval(value)?;
                self.frames.declare(self.tree, &self.tree.symbols[symbol], value.clone());
                Ok(value)
            }
            Expr::Namespace(namespace) => Ok(Value::Namespace(self.tree.namespaces[namespace].scope)),
            Expr::CommandLine => Ok(self.command_line.clone()),
            Expr::Template(index) => Ok(Value::Text(self.templates[index as usize].clone())),
            Expr::Pair { first, .. } => self.eval(first),
            // What is not resolved; the others are in `eval`.
            _ => {
                let invalid = Invalid { is_poison: true, ..Invalid::new(InvalidKind::Other, id) };
                Ok(Value::Invalid(invalid))
            }
        }
    }

    #[inline(never)]
    fn call_built_in(&mut self, id: ExprId, function: u16, arguments: u32, len: u16) -> Eval<Value> {
        let values = self.eval_arguments(arguments, len)?;
        self.call_library(id, function, &values)
    }

    fn call_library(&mut self, id: ExprId, function: u16, values: &[Value]) -> Eval<Value> {
        let result = library::call(self, function, id, values);
        result.map_err(|error| self.library_error(self.span(id), names::EMPTY, error))
    }

    pub(super) fn eval_arguments(&mut self, start: u32, len: u16) -> Eval<Vec<Value>> {
        if len > 0 {
            self.check_stack_at(self.tree.lists[start as usize])?;
        }
        let mut values = Vec::with_capacity(len as usize);
        for index in 0..len as usize {
            values.push(self.eval(self.tree.lists[start as usize + index])?);
        }
        Ok(values)
    }

    fn construct(&mut self, id: ExprId, definition: u32, arguments: u32, len: u16) -> Eval<Value> {
        let fields = self.tree.structs[definition as usize].fields.len();
        let mut values = self.eval_arguments(arguments, len)?;
        if values.is_empty() {
            values.resize(fields, Value::Null);
        }
        if values.len() != fields {
            let error = library::LibraryError::StructArity;
            return Err(self.library_error(self.span(id), names::EMPTY, error));
        }
        Ok(Value::Struct(Rc::new(Struct::new(definition, values))))
    }

    #[inline(never)]
    fn call_method(&mut self, id: ExprId, name: Name, arguments: u32, len: u16) -> Eval<Value> {
        let argument = |index: usize| self.tree.lists[arguments as usize + index];
        let [receiver, first, second] = match len {
            1 => [argument(0), ExprId::NONE, ExprId::NONE],
            2 => [argument(0), argument(1), ExprId::NONE],
            3 => [argument(0), argument(1), argument(2)],
            _ => {
                let values = self.eval_arguments(arguments, len)?;
                let (receiver, values) = values.split_first().expect("a method call has its receiver");
                return self.call_method_of(id, name, receiver, values);
            }
        };
        // Most have two arguments at most, which need no list.
        self.check_stack_at(receiver)?;
        let receiver = self.eval(receiver)?;
        if first == ExprId::NONE {
            return self.call_method_of(id, name, &receiver, &[]);
        }
        let first = self.eval(first)?;
        if second == ExprId::NONE {
            return self.call_method_of(id, name, &receiver, &[first]);
        }
        let second = self.eval(second)?;
        self.call_method_of(id, name, &receiver, &[first, second])
    }

    fn call_method_of(&mut self, id: ExprId, name: Name, receiver: &Value, values: &[Value]) -> Eval<Value> {
        if let Value::Invalid(invalid) = receiver {
            return Ok(Value::Invalid(invalid.with_kind(methods::unknown_result(name))));
        }
        self.mark_method(name, receiver);
        let result = methods::call(self, id, name, receiver, values);
        if let Ok(Value::Invalid(_)) = result {
            self.marks.unknown();
        }
        result.map_err(|error| self.library_error(self.span(id), name, error))
    }

    /// A statement that changes the list or hashtable in a variable.
    #[inline(never)]
    pub(super) fn perform_change(&mut self, id: ExprId, change: Change) -> Eval<()> {
        let node = self.code.nodes[id];
        // Arguments that leave the variable as it is: it need not be kept while they are evaluated.
        let is_simple = node.b.source() == Source::Literal;
        if !is_simple || !matches!(self.variable(node.a), Value::List(_) | Value::Table(_)) {
            return self.change(id, change).map(|_| ());
        }
        let Expr::Method { arguments, .. } = self.tree.exprs[id] else { return Ok(()) };
        let list = arguments as usize + 1;
        let operand = node.b.index() as usize;
        let first = self.simple_argument(self.code.arguments[operand], self.tree.lists[list])?;
        let second = match change {
            Change::Add => Value::Null,
            _ => self.simple_argument(self.code.arguments[operand + 1], self.tree.lists[list + 1])?,
        };
        let receiver = match node.a.source() {
            Source::Static => self.frames.kept(node.a.index()),
            _ => self.frames.own(node.a.index()),
        };
        let is_own = receiver.birth_step() == Some(self.step);
        let may_change = is_own || self.pass == 1 || !self.unlocked.contains(&id);
        if !may_change || !can_be_put(change, receiver, &first, &second, self.options.limits.value_size) {
            let receiver = receiver.clone();
            return self.change_by_method(id, &receiver, &[first, second]).map(|_| ());
        }
        self.scripts.note_change(receiver, names::SET);
        put_in(change, receiver, first, second);
        self.mark_change(is_own);
        Ok(())
    }

    /// The value of an argument that has no effect; `id` is its expression.
    #[inline(always)]
    fn simple_argument(&mut self, operand: Operand, id: ExprId) -> Eval<Value> {
        match operand.source() {
            Source::Literal => Ok(Value::Number(self.code.literals[operand.index() as usize])),
            Source::Static | Source::Local => match *self.variable(operand) {
                Value::Number(number) => Ok(Value::Number(number)),
                _ => self.eval(id),
            },
            Source::Outer => self.eval(id),
            source => match self.tree.exprs[id] {
                Expr::Bool(value) => Ok(Value::Bool(value)),
                Expr::String(_) => self.eval(id),
                _ => {
                    let number = match source {
                        Source::Leaf => self.leaf(id),
                        _ => self.calculate(id),
                    };
                    match number {
                        Some(number) => Ok(Value::Number(number)),
                        None => self.take_other(),
                    }
                }
            },
        }
    }

    /// A method that changes the list or hashtable in a variable.
    #[inline(never)]
    fn change(&mut self, id: ExprId, change: Change) -> Eval<Value> {
        // The arguments may give the variable another value: the receiver is the one from before.
        let receiver = match self.variable(self.code.nodes[id].a) {
            Value::List(list) => Value::List(Rc::clone(list)),
            Value::Table(table) => Value::Table(Rc::clone(table)),
            _ => {
                let Expr::Method { name, arguments, len } = self.tree.exprs[id] else {
                    return Ok(Value::Null);
                };
                return self.call_method(id, name, arguments, len);
            }
        };
        let values = self.change_arguments(id, change)?;
        let is_own = receiver.birth_step() == Some(self.step);
        let may_change = is_own || self.pass == 1 || !self.unlocked.contains(&id);
        let limit = self.options.limits.value_size;
        if !may_change || !can_be_put(change, &receiver, &values[0], &values[1], limit) {
            return self.change_by_method(id, &receiver, &values);
        }
        self.scripts.note_change(&receiver, names::SET);
        let [first, second] = values;
        put_in(change, &receiver, first, second);
        self.mark_change(is_own);
        Ok(receiver)
    }

    /// The arguments of a method that changes something.
    #[inline(always)]
    fn change_arguments(&mut self, id: ExprId, change: Change) -> Eval<[Value; 2]> {
        let Expr::Method { arguments, .. } = self.tree.exprs[id] else {
            return Ok([Value::Null, Value::Null]);
        };
        let argument = |index: usize| self.tree.lists[arguments as usize + index];
        self.check_stack_at(argument(0))?;
        let first = self.number_or_value(argument(1))?;
        let second = if change == Change::Add { Value::Null } else { self.number_or_value(argument(2))? };
        Ok([first, second])
    }

    /// Changes what needs more than to be looked at.
    #[inline(never)]
    fn change_by_method(&mut self, id: ExprId, receiver: &Value, values: &[Value; 2]) -> Eval<Value> {
        let Expr::Method { name, len, .. } = self.tree.exprs[id] else { return Ok(Value::Null) };
        self.call_method_of(id, name, receiver, &values[..usize::from(len) - 1])
    }

    /// Notes that a list or hashtable was changed.
    #[inline(always)]
    fn mark_change(&self, is_own: bool) {
        self.marks.shared();
        if !is_own {
            self.marks.changed();
        }
    }

    /// Notes what calling a method means for everything that could be kept.
    fn mark_method(&mut self, method: Name, receiver: &Value) {
        let birth = match receiver {
            Value::List(list) if list.is_locked.get() => return,
            Value::List(list) => Some(list.birth),
            Value::Table(table) => Some(table.birth),
            Value::Struct(_) | Value::Matrix(_) | Value::OutputFile(_) => None,
            // The code of a character depends on the encoding.
            Value::Text(_) if method == names::CHAR_AT => return self.marks.shared(),
            _ => return,
        };
        self.marks.shared();
        if methods::only_reads(method) {
            return;
        }
        self.scripts.note_change(receiver, method);
        // What others see of it is a file, or the next random number.
        if matches!(receiver, Value::OutputFile(_)) || method == names::SHUFFLE {
            self.marks.unknown();
        } else if birth.is_none_or(|birth| birth.step != self.step) {
            self.marks.changed();
        }
    }
}

/// The value of a variable.
#[inline(always)]
pub(super) fn known_or_here(value: &Value, id: ExprId, marks: &Marks) -> Value {
    match value {
        Value::Number(number) => Value::Number(*number),
        _ => other_variable(value, id, marks),
    }
}

/// If a label is unknown, the expression that reads it is to blame.
#[inline(never)]
fn other_variable(value: &Value, id: ExprId, marks: &Marks) -> Value {
    match value {
        Value::Invalid(invalid) => {
            marks.unknown();
            Value::Invalid(invalid.wanted_by(id))
        }
        // What is not declared yet will be another time.
        Value::Null => {
            marks.shared();
            Value::Null
        }
        _ => value.clone(),
    }
}

/// Whether a list or hashtable can be changed by arguments without looking further.
#[inline(always)]
fn can_be_put(change: Change, receiver: &Value, first: &Value, second: &Value, limit: u64) -> bool {
    let is_plain =
        |value: &Value| matches!(value, Value::Number(_) | Value::Bool(_) | Value::Text(_) | Value::Null);
    if !is_plain(first) || !is_plain(second) {
        return false;
    }
    match (change, receiver, first) {
        (Change::Put, Value::Table(table), Value::Number(_) | Value::Text(_)) => (table.len() as u64) < limit,
        (Change::Add, Value::List(list), _) => {
            !list.is_locked.get() && (list.items.borrow().len() as u64) < limit
        }
        (Change::Set, Value::List(list), &Value::Number(index)) => {
            let index = usize::try_from(to_i32(index));
            !list.is_locked.get() && index.is_ok_and(|index| index < list.items.borrow().len())
        }
        _ => false,
    }
}

/// Changes a list or hashtable by arguments with which it can be done.
#[inline(always)]
fn put_in(change: Change, receiver: &Value, first: Value, second: Value) {
    match (change, receiver, first) {
        (Change::Put, Value::Table(table), Value::Number(key)) => table.put_number(key, second),
        (Change::Put, Value::Table(table), Value::Text(key)) => table.put(key.as_str(), second),
        (Change::Set, Value::List(list), Value::Number(index)) => {
            if let Some(item) = list.items.borrow_mut().get_mut(to_i32(index) as usize) {
                item.put(second);
            }
        }
        (_, Value::List(list), first) => list.push(first),
        _ => {}
    }
}
