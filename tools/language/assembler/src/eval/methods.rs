//! Methods: those that read a list, hashtable or picture in a variable, and all others by way of the library.

use super::code::{Method, Node, Operand, Source};
use super::{Eval, Evaluator};
use crate::intern::Name;
use crate::library::methods;
use crate::names;
use crate::tree::*;
use crate::values::{Value, to_i32, to_i64};

impl Evaluator<'_> {
    /// The variable that an operand is.
    #[inline(always)]
    pub(super) fn variable(&self, operand: Operand) -> &Value {
        match operand.source() {
            Source::Static => self.frames.kept(operand.index()),
            _ => self.frames.own(operand.index()),
        }
    }

    /// The number that a method of a variable gives; `None` leaves something else to be taken. Each method has a
    /// function of its own.
    #[inline(always)]
    pub(super) fn method_number(&mut self, id: ExprId, method: Method) -> Option<f64> {
        match method {
            Method::Get => self.get_number(id),
            Method::Pixel => self.pixel_number(id),
            Method::Size => self.size_number(id),
            Method::ContainsKey => self.other_number(id),
        }
    }

    /// `get`
    #[inline(never)]
    pub(super) fn get_number(&mut self, id: ExprId) -> Option<f64> {
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

    /// A method with an argument that is not a number; those before it are numbers.
    #[inline(never)]
    pub(super) fn method_of_others(
        &mut self,
        id: ExprId,
        node: Node,
        method: Method,
        numbers: &[f64],
    ) -> Eval<Value> {
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
    pub(super) fn method_of_numbers(&mut self, id: ExprId, method: Method, numbers: [f64; 2]) -> Eval<Value> {
        let Expr::Method { name, arguments, .. } = self.tree.exprs[id] else { return Ok(Value::Null) };
        let receiver = self.eval(self.tree.lists[arguments as usize])?;
        self.call_method_of(id, name, &receiver, &numbers.map(Value::Number)[..method.arguments()])
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

    #[inline(never)]
    pub(super) fn call_method(&mut self, id: ExprId, name: Name, arguments: u32, len: u16) -> Eval<Value> {
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

    pub(super) fn call_method_of(
        &mut self,
        id: ExprId,
        name: Name,
        receiver: &Value,
        values: &[Value],
    ) -> Eval<Value> {
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
