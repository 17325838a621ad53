//! Assignment to variables and fields.

use std::rc::Rc;

use super::code::{Operand, Source};
use super::operators::calculate;
use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::intern::Name;
use crate::names;
use crate::tree::*;
use crate::values::{Text, Value};

/// No number has a longer text.
const MOST_DIGITS: usize = 400;

impl Evaluator<'_> {
    /// `target++` and `target--`; the value it had.
    #[inline(never)]
    pub(super) fn step(&mut self, id: ExprId, op: Binary, target: ExprId) -> Eval<Value> {
        let place = self.code.nodes[id].a;
        if let Some(Value::Number(number)) = self.place(place) {
            let old = *number;
            *number = calculate(op, old, 1.0);
            return Ok(Value::Number(old));
        }
        let old = self.eval(target)?;
        let new = self.binary(id, op, old.clone(), Value::Number(1.0))?;
        self.store(id, target, new)?;
        Ok(old)
    }

    #[inline(never)]
    pub(super) fn assign(
        &mut self,
        id: ExprId,
        op: Option<Binary>,
        target: ExprId,
        value: ExprId,
    ) -> Eval<Value> {
        self.check_stack_at(id)?;
        let place = self.code.nodes[id].a;
        let holds_text = match self.place(place) {
            Some(old) => matches!(old, Value::Text(_)),
            None => self.holds_text(target)?,
        };
        if holds_text && let Some(tails) = self.tails(op, target, value) {
            return self.append(id, target, &tails);
        }
        let new = match op {
            None => self.number_or_value(value)?,
            Some(op) => {
                let old = self.eval(target)?;
                let value = self.eval(value)?;
                self.binary(id, op, old, value)?
            }
        };
        // Numbers are counted far more often than anything else is stored.
        if let (Value::Number(new), Some(Value::Number(old))) = (&new, self.place(place)) {
            *old = *new;
            return Ok(Value::Number(*new));
        }
        self.store(id, target, new.clone())?;
        Ok(new)
    }

    /// The variable that a decoded target is.
    #[inline(always)]
    pub(super) fn place(&mut self, target: Operand) -> Option<&mut Value> {
        match target.source() {
            Source::Local => Some(self.frames.own_mut(target.index())),
            Source::Static => Some(self.frames.kept_mut(target.index())),
            _ => None,
        }
    }

    /// Whether what is assigned to is a string now.
    #[inline]
    fn holds_text(&mut self, target: ExprId) -> Eval<bool> {
        let is_text = |value: &Value| matches!(value, Value::Text(_));
        Ok(match self.tree.exprs[target] {
            Expr::Static { slot, .. } => is_text(self.frames.kept(slot)),
            Expr::Local { hops, slot, .. } => is_text(self.frames.local(hops, slot)),
            _ if !self.is_place(target) => false,
            _ => is_text(&self.eval(target)?),
        })
    }

    /// The text appended to a string in `s += tail` and `s = s + tail + tail`; `None` for other expressions.
    fn tails(&self, op: Option<Binary>, target: ExprId, value: ExprId) -> Option<Vec<ExprId>> {
        let mut tails = Vec::new();
        if op == Some(Binary::Add) {
            tails.push(value);
        } else if op.is_none() {
            let mut left = value;
            while let Expr::Binary { op: Binary::Add, left: before, right } = self.tree.exprs[left] {
                tails.push(right);
                left = before;
            }
            tails.reverse();
            if !self.is_same_place(left, target) {
                return None;
            }
        }
        (!tails.is_empty()).then_some(tails)
    }

    /// Whether an expression names a variable or a field of one: it can be read twice.
    fn is_place(&self, id: ExprId) -> bool {
        match self.tree.exprs[id] {
            Expr::Static { .. } | Expr::Local { .. } => true,
            Expr::Member { base, .. } => self.is_place(base),
            _ => false,
        }
    }

    fn is_same_place(&self, a: ExprId, b: ExprId) -> bool {
        match (self.tree.exprs[a], self.tree.exprs[b]) {
            (Expr::Static { slot: a, .. }, Expr::Static { slot: b, .. }) => a == b,
            (Expr::Local { hops: h, slot: a, .. }, Expr::Local { hops: i, slot: b, .. }) => (h, a) == (i, b),
            (Expr::Member { base: a, name: n }, Expr::Member { base: b, name: m }) => {
                n == m && self.is_same_place(a, b)
            }
            _ => false,
        }
    }

    /// `s = s + tail + tail`. Copying a string for every piece it grows by would take a loop quadratic time, so the
    /// variable lets go of it, and the operator extends what has no other owner.
    fn append(&mut self, id: ExprId, target: ExprId, tails: &[ExprId]) -> Eval<Value> {
        let mut text = self.eval(target)?;
        let mut values = Vec::with_capacity(tails.len());
        for &tail in tails {
            values.push(self.eval(tail)?);
        }
        // After an error the variable has what it had.
        let is_sure = values.iter().all(Value::has_text);
        if is_sure
            && let (Value::Text(text), Value::Text(now)) = (&text, &self.eval(target)?)
            && Rc::ptr_eq(now, text)
            && !self.would_be_too_long(text, &values)
        {
            self.store(id, target, Value::Null)?;
        }
        for tail in values {
            text = self.binary(id, Binary::Add, text, tail)?;
        }
        self.store(id, target, text.clone())?;
        Ok(text)
    }

    /// Whether a string and some numbers, characters and strings could be longer than a string may be.
    fn would_be_too_long(&self, text: &Text, tails: &[Value]) -> bool {
        let len = |value: &Value| if let Value::Text(text) = value { text.len() } else { MOST_DIGITS };
        let total = text.len() + tails.iter().map(len).sum::<usize>();
        total as u64 > self.options.limits.value_size
    }

    pub(super) fn store(&mut self, id: ExprId, target: ExprId, value: Value) -> Eval<()> {
        let symbol = match self.tree.exprs[target] {
            Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => symbol,
            Expr::Member { base, name } => {
                let base = self.eval(base)?;
                return self.store_field(id, target, &base, name, value);
            }
            Expr::Poison => return Ok(()),
            _ => return self.fail(Code::AssignToConstant, self.span(id), "Cannot write to a constant"),
        };
        if self.tree.symbols[symbol].kind != SymbolKind::Variable {
            return self.fail(Code::AssignToConstant, self.span(id), "Cannot write to a constant");
        }
        match self.tree.exprs[target] {
            Expr::Local { hops, slot, .. } => *self.frames.local_mut(hops, slot) = value,
            Expr::Static { slot, .. } => *self.frames.kept_mut(slot) = value,
            _ => {}
        }
        Ok(())
    }

    fn store_field(
        &mut self,
        id: ExprId,
        target: ExprId,
        base: &Value,
        name: Name,
        value: Value,
    ) -> Eval<()> {
        match base {
            Value::Invalid(_) => return Ok(()),
            Value::Struct(instance) => {
                if let Some(index) = self.tree.structs[instance.definition as usize].field(name) {
                    instance.fields.borrow_mut()[index] = value;
                    self.marks.changed();
                    self.scripts.note_change(base, names::SET);
                    return Ok(());
                }
            }
            Value::Label(..) | Value::Namespace(_) | Value::Members(_) => {
                self.member(target, base, name)?;
                return self.fail(Code::AssignToConstant, self.span(target), "Cannot write to a constant");
            }
            // Fields of pictures and tunes are read only.
            _ => {
                self.member(target, base, name)?;
                return self.fail(Code::AssignToConstant, self.span(id), "Cannot write to a constant");
            }
        }
        Err(self.no_member(target, base, name))
    }
}
