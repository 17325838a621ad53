//! Methods that change the list or hashtable in a variable by one value.

use std::rc::Rc;

use super::code::{Change, Operand, Source};
use super::{Eval, Evaluator};
use crate::names;
use crate::tree::*;
use crate::values::{Value, to_i32};

impl Evaluator<'_> {
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
    pub(super) fn change(&mut self, id: ExprId, change: Change) -> Eval<Value> {
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
