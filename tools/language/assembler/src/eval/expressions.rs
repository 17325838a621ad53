//! Evaluation of expressions: the only place that goes through them for their values. Those that make numbers go on in
//! `numbers`, conditions in `conditions`, methods in `methods` and `changes`. What an operator means is in `operators`,
//! what a function or method does in the library.

use std::rc::Rc;

use super::code::{Method, Op, Operand};
use super::memo::Marks;
use super::{Eval, Evaluator, unknown_number};
use crate::codes::Code;
use crate::library;
use crate::names;
use crate::tree::*;
use crate::values::{ConversionError, Invalid, InvalidKind, Struct, Value};
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
        if self.code.nodes[id].op == Op::NotLooked {
            self.look_at(id);
        }
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
    pub(super) fn number_of(&mut self, result: Eval<Value>) -> Option<f64> {
        if let Ok(Value::Number(number)) = result {
            // A number owns nothing; the compiler would look for what there is to drop.
            std::mem::forget(result);
            return Some(number);
        }
        self.other = result;
        None
    }

    /// The value of an operand that is not a number; `id` is its expression.
    #[inline]
    pub(super) fn value_instead(&mut self, operand: Operand, id: ExprId) -> Eval<Value> {
        if operand.is_expression() { self.take_other() } else { self.eval(id) }
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
    pub(super) fn call_built_in(
        &mut self,
        id: ExprId,
        function: u16,
        arguments: u32,
        len: u16,
    ) -> Eval<Value> {
        let values = self.eval_arguments(arguments, len)?;
        self.call_library(id, function, &values)
    }

    pub(super) fn call_library(&mut self, id: ExprId, function: u16, values: &[Value]) -> Eval<Value> {
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
