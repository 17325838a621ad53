//! The short way of numbers: variables, labels and what is calculated from them, without the detour over values.
//! Whatever is not plainly a number is left to `expressions`, whose rules these repeat.

use super::Evaluator;
use super::operators::{calculate, select};
use crate::tree::*;
use crate::values::Value;

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

#[inline]
fn plain(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) | Value::Label(_, _, number) => Some(*number),
        _ => None,
    }
}
