//! Operators: each is a method of its left operand.

use std::rc::Rc;

use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::library::matrices::{multiply, new_matrix, transform};
use crate::tree::{Binary, ExprId, Unary};
use crate::values::{ConversionError, Invalid, InvalidKind, Value, to_i64};
use tempo_diagnostics::Span;

impl Evaluator<'_> {
    pub(super) fn unary(&mut self, at: ExprId, op: Unary, value: Value) -> Eval<Value> {
        match (op, &value) {
            (Unary::Not, _) => {}
            (_, Value::Number(number) | Value::Label(_, _, number)) => {
                return Ok(Value::Number(select(op, *number)));
            }
            (_, Value::Char(_, code)) => return Ok(Value::Number(select(op, f64::from(*code)))),
            _ => {}
        }
        match (op, &value) {
            (Unary::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
            (Unary::Not, Value::Invalid(invalid)) => Ok(Value::Invalid(invalid.with_kind(InvalidKind::Bool))),
            (_, Value::Invalid(invalid)) => Ok(Value::Invalid(invalid.with_kind(InvalidKind::Number))),
            _ => self.unknown_operator(at, op.spelling(), &value),
        }
    }

    fn unknown_operator<T>(&self, at: ExprId, spelling: &str, left: &Value) -> Eval<T> {
        let span = self.tree.expr_spans[at];
        let mut report = self.error(Code::UnknownMethod, span, format!("Unknown function : {spelling}"));
        report.label = Some(format!("a value of type {} has no operator {spelling}", left.type_of()));
        Err(report)
    }

    /// All operators but `&&` and `||`.
    pub(super) fn binary(&mut self, at: ExprId, op: Binary, left: Value, right: Value) -> Eval<Value> {
        if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
            return Ok(arithmetic(op, a, b));
        }
        if let (Value::Text(_), Binary::Add, None) = (&left, op, right.invalid()) {
            return self.join(at, left, &right);
        }
        if left.is_container() || right.is_container() {
            self.marks.shared();
        }
        let is_comparison = op.is_comparison();
        let unknown = match (left.invalid(), right.invalid()) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (a, b) => a.or(b),
        };
        if let Some(invalid) = unknown {
            return self.unknown_binary(at, op, is_comparison, &left, invalid);
        }
        if is_comparison && let Some(answer) = self.compare(at, op, &left, &right)? {
            return Ok(Value::Bool(answer));
        }
        match (&left, op) {
            (Value::Vector(a), Binary::Add) => self.vectors(at, a, &right, |x, y| x + y),
            (Value::Vector(a), Binary::Subtract) => self.vectors(at, a, &right, |x, y| x - y),
            (Value::Vector(a), Binary::Multiply) => match &right {
                Value::Vector(b) => Ok(Value::Number(a.iter().zip(b.iter()).map(|(x, y)| x * y).sum())),
                _ => {
                    let factor = right.number().map_err(|error| self.operator_error(at, error))?;
                    Ok(Value::Vector(Rc::new(a.map(|x| x * factor))))
                }
            },
            (Value::Vector(a), Binary::Divide) => {
                let divisor = right.number().map_err(|error| self.operator_error(at, error))?;
                Ok(Value::Vector(Rc::new(a.map(|x| x / divisor))))
            }
            (Value::Matrix(a), Binary::Multiply) => match &right {
                Value::Matrix(b) => Ok(new_matrix(multiply(&a.rows.borrow(), &b.rows.borrow()))),
                _ => {
                    let vector = right.vector().map_err(|error| self.operator_error(at, error))?;
                    Ok(Value::Vector(Rc::new(transform(&a.rows.borrow(), vector))))
                }
            },
            _ if left.as_number().is_some() => {
                Err(self.operator_error(at, ConversionError::Number(right.type_of())))
            }
            _ => self.unknown_operator(at, op.spelling(), &left),
        }
    }

    /// A string and the string form of another value; one that has no other owner is extended.
    fn join(&mut self, at: ExprId, left: Value, right: &Value) -> Eval<Value> {
        let Value::Text(mut text) = left else { return Ok(left) };
        let tail = self.text_of(right).map_err(|error| self.operator_error(at, error))?;
        let limit = self.options.limits.value_size;
        if (text.len() + tail.len()) as u64 > limit {
            let error = crate::library::LibraryError::TooLarge { what: "string", limit };
            return Err(self.library_error(self.tree.expr_spans[at], crate::names::EMPTY, error));
        }
        match Rc::get_mut(&mut text) {
            Some(head) => head.append(&tail),
            None => text = Rc::new(text.joined(&tail)),
        }
        Ok(Value::Text(text))
    }

    fn unknown_binary(
        &mut self,
        at: ExprId,
        op: Binary,
        is_comparison: bool,
        left: &Value,
        invalid: Invalid,
    ) -> Eval<Value> {
        let has_none = matches!(left, Value::Argument(_) | Value::Struct(_) | Value::Table(_));
        if has_none && !invalid.is_poison {
            return self.unknown_operator(at, op.spelling(), left);
        }
        let kind = if is_comparison {
            InvalidKind::Bool
        } else if matches!(left, Value::Text(_))
            || matches!(left.invalid(), Some(i) if i.kind == InvalidKind::Text)
        {
            InvalidKind::Text
        } else if matches!(left, Value::Vector(_) | Value::Matrix(_)) {
            InvalidKind::Other
        } else {
            InvalidKind::Number
        };
        Ok(Value::Invalid(invalid.with_kind(kind)))
    }

    fn operator_error(&self, at: ExprId, error: ConversionError) -> Box<crate::report::Report> {
        let span = self.tree.expr_spans[at];
        self.library_error(span, crate::names::EMPTY, error.into())
    }

    fn vectors(&mut self, at: ExprId, a: &[f64; 3], right: &Value, op: fn(f64, f64) -> f64) -> Eval<Value> {
        let b = right.vector().map_err(|error| self.operator_error(at, error))?;
        Ok(Value::Vector(Rc::new([op(a[0], b[0]), op(a[1], b[1]), op(a[2], b[2])])))
    }

    /// Comparisons of values that are not both numbers; `None` if the left one has no such operator.
    /// `left == right` for a directive at `span`.
    pub(super) fn is_equal(&mut self, span: Span, left: &Value, right: &Value) -> Eval<bool> {
        if let (Some(a), Some(b)) = (left.as_number(), right.as_number()) {
            return Ok(a == b);
        }
        // An error belongs to the directive, which has no operator.
        let answer = self.compare(ExprId::FIRST, Binary::Equal, left, right).map_err(|mut report| {
            report.span = Some(span);
            report
        })?;
        match answer {
            Some(answer) => Ok(answer),
            None => self.fail(Code::UnknownMethod, span, "Unknown function : =="),
        }
    }

    fn compare(&mut self, at: ExprId, op: Binary, left: &Value, right: &Value) -> Eval<Option<bool>> {
        let negated = match op {
            Binary::Equal => false,
            Binary::NotEqual => true,
            _ => return Ok(None),
        };
        let equal = match (left, right) {
            (Value::Char(c, _), Value::Text(text)) => text.len() == 1 && text.char_at(0) == Some(*c),
            (Value::Number(_) | Value::Char(..) | Value::Label(..), _) => false,
            (Value::Text(text), _) => match self.text_of(right) {
                Ok(other) => text.is_same(&other),
                Err(error) => return Err(self.operator_error(at, error)),
            },
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Bool(_), _) => false,
            (Value::Null, Value::Null) => true,
            (Value::Null, _) => false,
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            (Value::List(_), _) => false,
            (Value::Vector(a), Value::Vector(b)) => a == b,
            (Value::Vector(_), _) => false,
            (Value::Binary(a), Value::Binary(b)) => Rc::ptr_eq(a, b),
            (Value::Picture(a), Value::Picture(b)) => Rc::ptr_eq(a, b),
            _ => return Ok(None),
        };
        Ok(Some(equal != negated))
    }
}

/// Operators on two numbers.
#[inline]
pub(crate) fn arithmetic(op: Binary, a: f64, b: f64) -> Value {
    if op.is_condition() { Value::Bool(compare(op, a, b)) } else { Value::Number(calculate(op, a, b)) }
}

/// Comparisons of two numbers.
#[inline]
pub(super) fn compare(op: Binary, a: f64, b: f64) -> bool {
    match op {
        Binary::Less => a < b,
        Binary::LessEqual => a <= b,
        Binary::Greater => a > b,
        Binary::GreaterEqual => a >= b,
        Binary::Equal => a == b,
        _ => a != b,
    }
}

/// Operators that make a number of two.
#[inline]
pub(super) fn calculate(op: Binary, a: f64, b: f64) -> f64 {
    let integers = |of: fn(i64, i64) -> i64| of(to_i64(a), to_i64(b)) as f64;
    match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::And => integers(|a, b| a & b),
        Binary::Or => integers(|a, b| a | b),
        Binary::Xor => integers(|a, b| a ^ b),
        Binary::ShiftLeft => integers(|a, b| a.wrapping_shl(b as u32)),
        // Those for conditions make no numbers.
        _ => integers(|a, b| a.wrapping_shr(b as u32)),
    }
}

/// Operators that make a number of one.
#[inline]
pub(super) fn select(op: Unary, number: f64) -> f64 {
    match op {
        Unary::Negate => -number,
        Unary::Complement => !to_i64(number) as f64,
        Unary::Low => (to_i64(number) & 0xff) as f64,
        // The other one is for conditions.
        Unary::High | Unary::Not => ((to_i64(number) >> 8) & 0xff) as f64,
    }
}
