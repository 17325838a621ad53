//! Execution of what `code` has compiled: the short way of expressions that are evaluated often, and of functions that
//! change nothing but their own variables.
//!
//! **Whatever is not plain is declined:** a value that is not known, another type, an error, a limit. The expression is
//! then evaluated from its tree, as if nothing had happened. So there are no messages here, and the rules of
//! `expressions`, which these repeat, decide every other case.

use super::Evaluator;
use super::code::{Code, Function, Node, NodeId, Op};
use super::numbers::{element, size};
use super::operators::{calculate, compare, select};
use crate::library::Numbers;
use crate::tree::*;
use crate::values::Value;

/// An expression is compiled when it is evaluated for this time.
const OFTEN: u32 = 4;
/// Entries: not to be compiled.
const NEVER: u32 = NONE;
/// An expression that was declined this often is left to the tree for the rest of the pass.
const MAX_DECLINED: u8 = 3;

/// What is compiled, and what is known about it.
#[derive(Debug, Default)]
pub(super) struct Quick {
    /// Whether something is done repeatedly; before that it is not worth the while to count.
    is_on: bool,
    code: Code,
    /// By expression: how often it was evaluated, or [`OFTEN`] and its node, or [`NEVER`].
    expressions: Vec<u32>,
    declined: Vec<u8>,
    functions: Vec<Compiled>,
    /// By function: whether it was declined in this pass.
    is_declined: Vec<bool>,
    /// Calls in each other.
    depth: usize,
    /// Loops and calls may go round until then.
    last_turn: u64,
}

#[derive(Debug, Clone, Copy)]
enum Compiled {
    NotYet,
    Never,
    Function(Function),
}

impl Quick {
    /// Begins a pass, in which more is known.
    pub fn restart(&mut self) {
        self.declined.fill(0);
        self.is_declined.fill(false);
    }

    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_on
    }
}

impl Evaluator<'_> {
    /// Notes that a loop, a fill or a call repeats expressions.
    #[inline]
    pub(super) fn repeats(&mut self) {
        if !self.quick.is_on {
            self.start_counting();
        }
    }

    #[cold]
    fn start_counting(&mut self) {
        // Analysis notes arguments and variables on the way.
        if self.options.evaluate_afresh || self.options.analysis {
            return;
        }
        let quick = &mut self.quick;
        quick.is_on = true;
        quick.expressions = vec![0; self.tree.exprs.len()];
        quick.declined = vec![0; self.tree.exprs.len()];
        quick.functions = vec![Compiled::NotYet; self.tree.callables.len()];
        quick.is_declined = vec![false; self.tree.callables.len()];
    }

    /// The value of an expression by its code. `None` if it has none, or if the code declines.
    pub(super) fn quick(&mut self, id: ExprId) -> Option<Value> {
        let entry = self.quick.expressions[id as usize];
        if entry < OFTEN {
            return self.count(id);
        }
        if entry == NEVER || self.quick.declined[id as usize] >= MAX_DECLINED {
            return None;
        }
        let base = self.frames.stack_len();
        let turns = self.budget.turns;
        let iterations = self.options.limits.iterations;
        self.quick.last_turn = turns.saturating_add(iterations).min(iterations.saturating_mul(10));
        self.quick.depth = self.calls.len();
        let value = self.value_of(entry - OFTEN, base);
        if value.is_none() {
            self.frames.truncate_stack(base);
            self.budget.turns = turns;
            self.quick.declined[id as usize] += 1;
        }
        value
    }

    #[inline(never)]
    fn count(&mut self, id: ExprId) -> Option<Value> {
        let entry = &mut self.quick.expressions[id as usize];
        *entry += 1;
        if *entry < OFTEN {
            return None;
        }
        *entry = self.quick.code.expression(self.tree, id).map_or(NEVER, |node| node.saturating_add(OFTEN));
        self.quick(id)
    }

    #[inline]
    fn node(&self, id: NodeId) -> Node {
        self.quick.code.nodes[id as usize]
    }

    #[inline]
    fn entry(&self, list: u32) -> NodeId {
        self.quick.code.lists[list as usize]
    }

    /// The number a node is. What has no operands is looked at in place: that is every second node.
    #[inline(always)]
    fn number_of(&mut self, id: NodeId, base: usize) -> Option<f64> {
        match self.node(id) {
            Node::Number(number) => Some(number),
            Node::Register(register) => self.frames.stacked(base + register as usize).as_number(),
            Node::Static(slot) => self.frames.kept(slot).as_number(),
            node => self.calculate(node, base),
        }
    }

    fn calculate(&mut self, node: Node, base: usize) -> Option<f64> {
        match node {
            Node::Local { hops, slot } => self.frames.local(hops, slot).as_number(),
            Node::Char(c) => self.char_value(c).as_number(),
            Node::Calculate { op, left, right } => {
                let left = self.number_of(left, base)?;
                calculate(op, left, self.number_of(right, base)?)
            }
            Node::Select { op, operand } => select(op, self.number_of(operand, base)?),
            Node::Choose { condition, branches } => {
                let chosen = u32::from(!self.truth_of(condition, base)?);
                self.number_of(self.entry(branches + chosen), base)
            }
            Node::BuiltIn { numbers, arguments } => self.built_in_of(numbers, arguments, base),
            Node::Element { is_unsigned, receiver, index } => {
                self.element_of(is_unsigned, receiver, index, base)?.as_number()
            }
            Node::Size { is_file, receiver } => self.size_of(is_file, receiver, base),
            Node::Call { function, arguments, len } => {
                self.call_of(function, arguments, len, base)?.as_number()
            }
            Node::Number(_)
            | Node::Register(_)
            | Node::Static(_)
            | Node::Bool(_)
            | Node::Not(_)
            | Node::Compare { .. }
            | Node::Logic { .. } => None,
        }
    }

    fn truth_of(&mut self, id: NodeId, base: usize) -> Option<bool> {
        match self.node(id) {
            Node::Bool(value) => Some(value),
            Node::Not(operand) => Some(!self.truth_of(operand, base)?),
            Node::Compare { op, left, right } => {
                let left = self.number_of(left, base)?;
                Some(compare(op, left, self.number_of(right, base)?))
            }
            Node::Logic { decided, left, right } => {
                if self.truth_of(left, base)? == decided {
                    return Some(decided);
                }
                self.truth_of(right, base)
            }
            Node::Choose { condition, branches } => {
                let chosen = u32::from(!self.truth_of(condition, base)?);
                self.truth_of(self.entry(branches + chosen), base)
            }
            Node::Number(_)
            | Node::Char(_)
            | Node::Calculate { .. }
            | Node::Select { .. }
            | Node::BuiltIn { .. }
            | Node::Size { .. } => None,
            Node::Register(_)
            | Node::Local { .. }
            | Node::Static(_)
            | Node::Element { .. }
            | Node::Call { .. } => self.value_of(id, base)?.bool().ok(),
        }
    }

    fn value_of(&mut self, id: NodeId, base: usize) -> Option<Value> {
        match self.node(id) {
            Node::Register(register) => known(self.frames.stacked(base + register as usize)),
            Node::Local { hops, slot } => known(self.frames.local(hops, slot)),
            Node::Static(slot) => known(self.frames.kept(slot)),
            Node::Char(c) => Some(self.char_value(c)),
            Node::Choose { condition, branches } => {
                let chosen = u32::from(!self.truth_of(condition, base)?);
                self.value_of(self.entry(branches + chosen), base)
            }
            Node::Element { is_unsigned, receiver, index } => {
                self.element_of(is_unsigned, receiver, index, base)
            }
            Node::Call { function, arguments, len } => self.call_of(function, arguments, len, base),
            Node::Bool(_) | Node::Not(_) | Node::Compare { .. } | Node::Logic { .. } => {
                self.truth_of(id, base).map(Value::Bool)
            }
            Node::Number(_)
            | Node::Calculate { .. }
            | Node::Select { .. }
            | Node::BuiltIn { .. }
            | Node::Size { .. } => self.number_of(id, base).map(Value::Number),
        }
    }

    fn built_in_of(&mut self, numbers: &Numbers, arguments: u32, base: usize) -> Option<f64> {
        let first = self.number_of(self.entry(arguments), base)?;
        match numbers {
            Numbers::One(function) => Some(function(first)),
            Numbers::Two(function) => Some(function(first, self.number_of(self.entry(arguments + 1), base)?)),
            Numbers::Partial(function, _) => {
                function(first, self.number_of(self.entry(arguments + 1), base)?)
            }
        }
    }

    /// Calls a function with the value of a node, which it can look at but not keep.
    #[inline]
    fn with_receiver<T>(
        &mut self,
        id: NodeId,
        base: usize,
        look: impl FnOnce(&Evaluator<'_>, &Value) -> Option<T>,
    ) -> Option<T> {
        match self.node(id) {
            Node::Register(register) => look(self, self.frames.stacked(base + register as usize)),
            Node::Local { hops, slot } => look(self, self.frames.local(hops, slot)),
            Node::Static(slot) => look(self, self.frames.kept(slot)),
            _ => {
                let value = self.value_of(id, base)?;
                look(self, &value)
            }
        }
    }

    fn element_of(
        &mut self,
        is_unsigned: bool,
        receiver: NodeId,
        index: NodeId,
        base: usize,
    ) -> Option<Value> {
        let index = self.number_of(index, base)?;
        self.with_receiver(receiver, base, |this, value| element(value, is_unsigned, index, &this.marks))
    }

    fn size_of(&mut self, is_file: bool, receiver: NodeId, base: usize) -> Option<f64> {
        self.with_receiver(receiver, base, |this, value| size(value, is_file, &this.marks))
    }

    // --- functions

    /// Counts an iteration or a call.
    #[inline]
    fn quick_turn(&mut self) -> Option<()> {
        self.budget.turns += 1;
        let is_cancelled = || self.options.cancel.is_cancelled();
        let is_over = self.budget.turns > self.quick.last_turn
            || self.budget.turns.is_multiple_of(super::CANCEL_TURNS) && is_cancelled();
        (!is_over).then_some(())
    }

    fn call_of(&mut self, function: u32, arguments: u32, len: u16, base: usize) -> Option<Value> {
        let first = self.frames.stack_len();
        for index in 0..u32::from(len) {
            let value = self.value_of(self.entry(arguments + index), base)?;
            self.frames.push_argument(value);
        }
        let key = self.memo_key(function, len);
        if let Some(key) = &key
            && let Some(value) = self.memo_get(key)
        {
            self.frames.truncate_stack(first);
            return Some(value);
        }
        let Function { start, registers } = self.function_of(function)?;
        let before = self.marks.clone();
        self.frames.resize_stack(first + registers as usize);
        self.quick.depth += 1;
        let value = self.run_code(start, first);
        self.quick.depth -= 1;
        let Some(value) = value else {
            self.quick.is_declined[function as usize] = true;
            return None;
        };
        self.frames.truncate_stack(first);
        if let Some(key) = key {
            self.memo_put(key, &before, &value);
        }
        Some(value)
    }

    /// The code of a function that may be called now.
    fn function_of(&mut self, function: u32) -> Option<Function> {
        if self.quick.is_declined[function as usize] {
            return None;
        }
        let code = match self.quick.functions[function as usize] {
            Compiled::Function(code) => code,
            Compiled::Never => return None,
            Compiled::NotYet => {
                let code = self.quick.code.function(self.tree, function);
                self.quick.functions[function as usize] = code.map_or(Compiled::Never, Compiled::Function);
                code?
            }
        };
        let may_call = self.quick.depth < self.options.limits.call_depth as usize && self.budget.has_stack();
        if may_call { self.quick_turn().map(|()| code) } else { None }
    }

    fn run_code(&mut self, start: u32, base: usize) -> Option<Value> {
        let mut at = start as usize;
        loop {
            let op = self.quick.code.ops[at];
            at += 1;
            match op {
                Op::Set { register, value } => {
                    let value = self.value_of(value, base)?;
                    *self.frames.stacked_mut(base + register as usize) = value;
                }
                Op::SetNumber { register, value } => {
                    let number = self.number_of(value, base)?;
                    *self.frames.stacked_mut(base + register as usize) = Value::Number(number);
                }
                Op::Clear { start, end } => {
                    for register in start..end {
                        *self.frames.stacked_mut(base + register as usize) = Value::Null;
                    }
                }
                Op::Jump { to } => at = to as usize,
                Op::JumpUnless { condition, to } => {
                    if !self.truth_of(condition, base)? {
                        at = to as usize;
                    }
                }
                Op::Turn => self.quick_turn()?,
                Op::Evaluate(value) => {
                    self.value_of(value, base)?;
                }
                Op::Return(value) => return self.value_of(value, base),
                Op::End => return Some(Value::Null),
            }
        }
    }
}

/// What is not known, or not declared yet, is left to the tree.
#[inline]
fn known(value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) => Some(Value::Number(*number)),
        Value::Invalid(_) | Value::Null => None,
        _ => Some(value.clone()),
    }
}
