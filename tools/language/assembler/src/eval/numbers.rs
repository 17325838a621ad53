//! The short way of numbers: variables, labels and what is calculated from them, without the detour over values.
//! Whatever is not plainly a number is left to `expressions`, whose rules these repeat.

use super::Evaluator;
use super::memo::Marks;
use super::operators::{calculate, select};
use crate::intern::Name;
use crate::names;
use crate::tree::*;
use crate::values::{Value, to_i32, to_i64};

/// How many operators deep to look; what fails is looked at again by the long way, so this must stay small.
const DEPTH: u32 = 4;

impl Evaluator<'_> {
    /// The number an expression is, if that is seen at once. Changes nothing.
    #[inline]
    pub(super) fn number(&self, id: ExprId) -> Option<f64> {
        self.number_within(id, DEPTH)
    }

    fn number_within(&self, id: ExprId, depth: u32) -> Option<f64> {
        match self.tree.exprs[id as usize] {
            Expr::Number(number) => Some(number.get()),
            Expr::Static { slot, .. } => plain(self.frames.kept(slot)),
            Expr::Local { hops, slot, .. } => plain(self.frames.local(hops, slot)),
            Expr::Binary { op, left, right } if depth > 0 => {
                let left = self.number_within(left, depth - 1)?;
                calculate(op, left, self.number_within(right, depth - 1)?)
            }
            Expr::Unary { op, operand } if depth > 0 => select(op, self.number_within(operand, depth - 1)?),
            Expr::Method { name: name @ (names::GET | names::UGET), arguments, len: 2 } if depth > 0 => {
                let receiver = self.variable(self.tree.lists[arguments as usize])?;
                if !matches!(receiver, Value::Binary(_)) {
                    return None;
                }
                let index = self.number_within(self.tree.lists[arguments as usize + 1], depth - 1)?;
                element(receiver, name == names::UGET, index, &self.marks)?.as_number()
            }
            _ => None,
        }
    }

    /// The value of an expression that is a variable.
    fn variable(&self, id: ExprId) -> Option<&Value> {
        match self.tree.exprs[id as usize] {
            Expr::Static { slot, .. } => Some(self.frames.kept(slot)),
            Expr::Local { hops, slot, .. } => Some(self.frames.local(hops, slot)),
            _ => None,
        }
    }

    /// The result of the methods that loops call most, if all is known.
    #[inline]
    pub(super) fn quick_method(&self, name: Name, arguments: u32, len: u16) -> Option<Value> {
        if !matches!(name, names::GET | names::UGET | names::SIZE | names::GET_SIZE) {
            return None;
        }
        let receiver = self.variable(self.tree.lists[arguments as usize])?;
        match (name, len) {
            (names::SIZE | names::GET_SIZE, 1) => {
                size(receiver, name == names::GET_SIZE, &self.marks).map(Value::Number)
            }
            (names::GET | names::UGET, 2) => {
                let index = self.number(self.tree.lists[arguments as usize + 1])?;
                element(receiver, name == names::UGET, index, &self.marks)
            }
            _ => None,
        }
    }

    /// `target++` and `target--` of a variable that is a number; the number it was.
    pub(super) fn step_number(&mut self, op: Binary, target: ExprId) -> Option<f64> {
        let (symbol, variable) = match self.tree.exprs[target as usize] {
            Expr::Local { hops, slot, symbol } => (symbol, self.frames.local_mut(hops, slot)),
            Expr::Static { slot, symbol } => (symbol, self.frames.kept_mut(slot)),
            _ => return None,
        };
        if self.tree.symbols[symbol as usize].kind != SymbolKind::Variable {
            return None;
        }
        let Value::Number(number) = variable else { return None };
        let old = *number;
        *number = calculate(op, old, 1.0)?;
        Some(old)
    }
}

/// An element of a list, or a byte of a file, if it is there and known.
#[inline]
pub(super) fn element(receiver: &Value, is_unsigned: bool, index: f64, marks: &Marks) -> Option<Value> {
    match receiver {
        Value::Binary(file) => {
            let byte = *file.data().get(usize::try_from(to_i64(index)).ok()?)?;
            Some(Value::Number(if is_unsigned { byte.into() } else { byte.cast_signed().into() }))
        }
        Value::List(list) if !is_unsigned => {
            let items = list.items.borrow();
            let item = items.get(usize::try_from(to_i32(index)).ok()?)?;
            if item.invalid().is_some() {
                return None;
            }
            if !list.is_locked.get() {
                marks.shared();
            }
            Some(item.clone())
        }
        _ => None,
    }
}

/// How many elements or bytes there are.
#[inline]
pub(super) fn size(receiver: &Value, is_file: bool, marks: &Marks) -> Option<f64> {
    match receiver {
        Value::Binary(file) if is_file => Some(file.data().len() as f64),
        Value::List(list) if !is_file => {
            if !list.is_locked.get() {
                marks.shared();
            }
            Some(list.items.borrow().len() as f64)
        }
        _ => None,
    }
}

#[inline]
fn plain(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) | Value::Label(_, _, number) => Some(*number),
        _ => None,
    }
}
