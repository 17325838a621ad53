//! Expressions that make conditions: comparisons, `&&`, `||`, `!` and `containsKey`.

use super::Evaluator;
use super::code::{Method, Node, Op};
use super::operators::compare;
use crate::tree::*;
use crate::values::{ConversionError, InvalidKind, Value};

impl Evaluator<'_> {
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
}
