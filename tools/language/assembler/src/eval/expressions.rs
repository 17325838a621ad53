//! Evaluation of expressions.

use std::rc::Rc;

use super::memo::Marks;
use super::{Eval, Evaluator, unknown_number};
use crate::codes::Code;
use crate::intern::Name;
use crate::library::{self, methods};
use crate::tree::*;
use crate::values::{Invalid, InvalidKind, Struct, Value, to_i32};
use tempo_diagnostics::Span;

impl Evaluator<'_> {
    pub(super) fn span(&self, expr: ExprId) -> Span {
        self.tree.expr_spans[expr as usize]
    }

    /// The value of an expression. Small, because most expressions are: what needs room on the stack has a function of
    /// its own.
    pub(super) fn eval(&mut self, id: ExprId) -> Eval<Value> {
        match self.tree.exprs[id as usize] {
            Expr::Number(number) => Ok(Value::Number(number.get())),
            Expr::Static { slot, .. } => Ok(known_or_here(self.frames.kept(slot), id, &self.marks)),
            Expr::Local { hops, slot, .. } => {
                Ok(known_or_here(self.frames.local(hops, slot), id, &self.marks))
            }
            expr if self.quick.is_on() && expr.is_compound() => match self.quick(id) {
                Some(value) => Ok(value),
                None => self.eval_tree(id),
            },
            _ => self.eval_tree(id),
        }
    }

    /// The value of an expression that has no code.
    fn eval_tree(&mut self, id: ExprId) -> Eval<Value> {
        match self.tree.exprs[id as usize] {
            Expr::Binary { op, left, right } => self.eval_binary(id, op, left, right),
            Expr::CallBuiltIn { function, arguments, len } => {
                self.call_built_in(id, function, arguments, len)
            }
            Expr::CallUser { function, arguments, len } => self.call_function(id, function, arguments, len),
            Expr::Method { name, arguments, len } => self.call_method(id, name, arguments, len),
            Expr::Ternary { condition, branches } => self.eval_ternary(id, condition, branches),
            Expr::Assign { op, target, value } => self.assign(id, op, target, value),
            Expr::Step { op, target } => self.eval_step(id, op, target),
            _ => self.eval_other(id),
        }
    }

    #[inline(never)]
    fn eval_ternary(&mut self, id: ExprId, condition: ExprId, branches: u32) -> Eval<Value> {
        self.check_stack(self.span(id))?;
        let value = self.eval(condition)?;
        let chosen = match value {
            Value::Bool(true) => 0,
            Value::Bool(false) => 1,
            Value::Invalid(invalid) if invalid.is_poison => return Ok(Value::Invalid(invalid)),
            Value::Invalid(_) => {
                let message = "The condition must be able to evaluate in first parse";
                return self.fail(Code::UnknownCondition, self.span(id), message);
            }
            other => {
                let error = other.bool().err().unwrap_or(crate::values::ConversionError::Bool("boolean"));
                return Err(self.conversion(self.span(id), error));
            }
        };
        self.eval(self.tree.lists[branches as usize + chosen])
    }

    #[inline(never)]
    fn eval_step(&mut self, id: ExprId, op: Binary, target: ExprId) -> Eval<Value> {
        if let Some(old) = self.step_number(op, target) {
            return Ok(Value::Number(old));
        }
        let old = self.eval(target)?;
        let new = self.binary(id, op, old.clone(), Value::Number(1.0))?;
        self.store(id, target, new)?;
        Ok(old)
    }

    #[inline(never)]
    fn eval_other(&mut self, id: ExprId) -> Eval<Value> {
        match self.tree.exprs[id as usize] {
            Expr::Unary { op, operand } => {
                if let Some(number) = self.number(id) {
                    return Ok(Value::Number(number));
                }
                self.check_stack(self.span(id))?;
                let value = self.eval(operand)?;
                self.unary(id, op, value)
            }
            Expr::String(index) => Ok(Value::Text(self.tree.strings[index as usize].clone())),
            Expr::Char(c) => Ok(self.char_value(c)),
            Expr::Bool(value) => Ok(Value::Bool(value)),
            Expr::Null => Ok(Value::Null),
            Expr::Pc => Ok(match self.made.memory.pc() {
                Some(pc) => Value::Number(pc as f64),
                None => unknown_number(id),
            }),
            Expr::CallStruct { definition, arguments, len } => self.construct(id, definition, arguments, len),
            Expr::Member { base, name } => {
                self.check_stack(self.span(id))?;
                let base = self.eval(base)?;
                self.member(id, &base, name)
            }
            Expr::Index { base, index } => self.index(id, base, index),
            Expr::Declare { symbol, value } => {
                let value = self.eval(value)?;
                self.frames.declare(self.tree, &self.tree.symbols[symbol as usize], value.clone());
                Ok(value)
            }
            Expr::Namespace(namespace) => {
                Ok(Value::Namespace(self.tree.namespaces[namespace as usize].scope))
            }
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
    fn eval_binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> Eval<Value> {
        let is_logic = matches!(op, Binary::AndAnd | Binary::OrOr);
        if !is_logic && let Some(a) = self.number(left) {
            if let Some(b) = self.number(right) {
                return Ok(super::operators::arithmetic(op, a, b));
            }
            self.check_stack(self.span(id))?;
            let b = self.eval(right)?;
            if let Some(b) = b.as_number() {
                return Ok(super::operators::arithmetic(op, a, b));
            }
            let a = self.eval(left)?;
            return self.binary(id, op, a, b);
        }
        self.check_stack(self.span(id))?;
        let a = self.eval(left)?;
        if is_logic {
            return self.eval_logic(id, op, &a, right);
        }
        let b = self.eval(right)?;
        if let (Value::Number(a), Value::Number(b)) = (&a, &b) {
            return Ok(super::operators::arithmetic(op, *a, *b));
        }
        self.binary(id, op, a, b)
    }

    fn eval_logic(&mut self, id: ExprId, op: Binary, left: &Value, right: ExprId) -> Eval<Value> {
        if let Value::Invalid(invalid) = left {
            return Ok(Value::Invalid(invalid.with_kind(InvalidKind::Bool)));
        }
        let decided = op == Binary::OrOr;
        let a = left.bool().map_err(|error| self.conversion(self.span(id), error))?;
        if a == decided {
            return Ok(Value::Bool(a));
        }
        let right = self.eval(right)?;
        if let Value::Invalid(invalid) = right {
            return Ok(Value::Invalid(invalid.with_kind(InvalidKind::Bool)));
        }
        let b = right.bool().map_err(|error| self.conversion(self.span(id), error))?;
        Ok(Value::Bool(b))
    }

    #[inline(never)]
    fn call_built_in(&mut self, id: ExprId, function: u16, arguments: u32, len: u16) -> Eval<Value> {
        let result = match len {
            // Most take one or two, which need no list.
            1 => {
                let [value] = self.eval_each(arguments)?;
                library::call(self, function, id, &[value])
            }
            2 => {
                let values: [Value; 2] = self.eval_each(arguments)?;
                library::call(self, function, id, &values)
            }
            _ => {
                let values = self.eval_arguments(arguments, len)?;
                library::call(self, function, id, &values)
            }
        };
        result.map_err(|error| self.library_error(self.span(id), crate::names::EMPTY, error))
    }

    /// The values of a list of a known length.
    fn eval_each<const LEN: usize>(&mut self, start: u32) -> Eval<[Value; LEN]> {
        self.check_stack(self.span(self.tree.lists[start as usize]))?;
        let mut values = [const { Value::Null }; LEN];
        for (index, value) in values.iter_mut().enumerate() {
            *value = self.eval(self.tree.lists[start as usize + index])?;
        }
        Ok(values)
    }

    pub(super) fn eval_arguments(&mut self, start: u32, len: u16) -> Eval<Vec<Value>> {
        if len > 0 {
            self.check_stack(self.span(self.tree.lists[start as usize]))?;
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
            return Err(self.library_error(self.span(id), crate::names::EMPTY, error));
        }
        Ok(Value::Struct(Rc::new(Struct::new(definition, values))))
    }

    #[inline(never)]
    fn call_method(&mut self, id: ExprId, name: Name, arguments: u32, len: u16) -> Eval<Value> {
        if let Some(value) = self.quick_method(name, arguments, len) {
            return Ok(value);
        }
        match len {
            1 => {
                let [receiver] = self.eval_each(arguments)?;
                self.call_method_of(id, name, &receiver, &[])
            }
            2 => {
                let [receiver, value] = self.eval_each(arguments)?;
                self.call_method_of(id, name, &receiver, &[value])
            }
            _ => {
                let values = self.eval_arguments(arguments, len)?;
                let (receiver, values) = values.split_first().expect("a method call has its receiver");
                self.call_method_of(id, name, receiver, values)
            }
        }
    }

    fn call_method_of(&mut self, id: ExprId, name: Name, receiver: &Value, values: &[Value]) -> Eval<Value> {
        let tree = self.tree;
        let text = tree.name(name);
        if let Value::Invalid(invalid) = receiver {
            return Ok(Value::Invalid(invalid.with_kind(methods::unknown_result(text))));
        }
        if text == "number" && values.is_empty() && receiver.as_number().is_some() {
            return Ok(Value::Number(receiver.as_number().unwrap_or_default()));
        }
        self.mark_method(name, text, receiver);
        let result = methods::call(self, id, text, receiver, values);
        if let Ok(Value::Invalid(_)) = result {
            self.marks.unknown();
        }
        result.map_err(|error| self.library_error(self.span(id), name, error))
    }

    /// Notes what calling a method means for everything that could be kept.
    fn mark_method(&mut self, name: Name, method: &str, receiver: &Value) {
        let birth = match receiver {
            Value::List(list) if list.is_locked.get() => return,
            Value::List(list) => Some(list.birth),
            Value::Table(table) => Some(table.birth),
            Value::Struct(_) | Value::Matrix(_) | Value::OutputFile(_) => None,
            // The code of a character depends on the encoding.
            Value::Text(_) if method == "charAt" => return self.marks.shared(),
            _ => return,
        };
        self.marks.shared();
        if methods::only_reads(name) {
            return;
        }
        self.scripts.note_change(receiver, method);
        // What others see of it is a file, or the next random number.
        if matches!(receiver, Value::OutputFile(_)) || method == "shuffle" {
            self.marks.unknown();
        } else if birth.is_none_or(|birth| birth.step != self.step) {
            self.marks.changed();
        }
    }

    // --- members

    fn member(&mut self, id: ExprId, base: &Value, name: Name) -> Eval<Value> {
        self.marks.shared();
        if self.options.analysis {
            // Members are collected as they are found.
            self.marks.unknown();
        }
        let missing = |evaluator: &Evaluator<'_>| {
            let message = format!(
                "Variable '{}' not present on value of type '{}'",
                evaluator.tree.name(name),
                base.type_name()
            );
            evaluator.error(Code::UnknownMember, evaluator.span(id), message)
        };
        match base {
            Value::Invalid(invalid) => Ok(Value::Invalid(*invalid)),
            Value::Namespace(scope) => {
                let scope = *scope;
                let base = self.tree.scopes[scope as usize].base;
                self.member_of(id, scope, base, name).ok_or_else(|| missing(self))
            }
            Value::Members(frame) if *frame != NONE => {
                let (scope, base) = self.frames.scope_of(*frame);
                self.member_of(id, scope, base, name).ok_or_else(|| missing(self))
            }
            Value::Label(true, slot, _) => match self.frames.kept(slot + 1).clone() {
                Value::Members(frame) if frame != NONE => {
                    let (scope, base) = self.frames.scope_of(frame);
                    self.member_of(id, scope, base, name).ok_or_else(|| missing(self))
                }
                Value::LoHi(halves) => match name {
                    crate::names::LO => Ok(Value::Number(halves.0)),
                    crate::names::HI => Ok(Value::Number(halves.1)),
                    _ => Err(missing(self)),
                },
                Value::Invalid(invalid) => Ok(Value::Invalid(Invalid { origin: id, ..invalid })),
                _ => Err(missing(self)),
            },
            _ => {
                let value = methods::field(self, base, self.tree.name(name)).ok_or_else(|| missing(self))?;
                if value.invalid().is_some() {
                    self.marks.unknown();
                }
                Ok(value)
            }
        }
    }

    /// A label or namespace of a scope, by name.
    fn member_of(&mut self, id: ExprId, scope: ScopeId, base: u32, name: Name) -> Option<Value> {
        let tree = self.tree;
        let index = self.member_index.entry(scope).or_insert_with(|| {
            let symbols = tree.scope_symbols[tree.scopes[scope as usize].symbols.range()].iter();
            let named = symbols.filter_map(|&id| {
                let symbol = &tree.symbols[id as usize];
                matches!(symbol.kind, SymbolKind::Label | SymbolKind::Namespace).then_some((symbol.name, id))
            });
            named.collect()
        });
        let found = *index.get(&name)?;
        if self.options.analysis {
            self.made.collected += usize::from(self.made.member_uses.insert((id, found)));
        }
        let symbol = &tree.symbols[found as usize];
        if symbol.kind == SymbolKind::Namespace {
            return Some(Value::Namespace(tree.namespaces[symbol.slot as usize].scope));
        }
        Some(known_or_here(self.frames.kept(base + symbol.slot), id, &self.marks))
    }

    fn index(&mut self, id: ExprId, base: ExprId, index: ExprId) -> Eval<Value> {
        self.marks.shared();
        let base = self.eval(base)?;
        let index = self.eval(index)?;
        if let Value::Invalid(invalid) = base {
            return Ok(Value::Invalid(invalid));
        }
        let runs = match &base {
            Value::Label(true, slot, _) => match self.frames.kept(slot + 1) {
                Value::MemberList(runs) => Some(runs.clone()),
                // The loop is still going round for the first time.
                Value::Invalid(invalid) => return Ok(Value::Invalid(Invalid { origin: id, ..*invalid })),
                _ => None,
            },
            _ => None,
        };
        let Some(runs) = runs else {
            return self.fail(Code::NotIndexable, self.span(id), "[] operator not defined on value");
        };
        if let Value::Invalid(invalid) = index {
            return Ok(Value::Invalid(invalid));
        }
        let number = index.number().map_err(|error| self.conversion(self.span(id), error))?;
        let number = to_i32(number);
        match usize::try_from(number).ok().and_then(|index| runs.get(index)) {
            Some(&frame) => Ok(Value::Members(frame)),
            None => self.fail(Code::IndexOutOfRange, self.span(id), format!("Index out of range: {number}")),
        }
    }

    // --- assignment

    #[inline(never)]
    fn assign(&mut self, id: ExprId, op: Option<Binary>, target: ExprId, value: ExprId) -> Eval<Value> {
        self.check_stack(self.span(id))?;
        if let Some(tails) = self.tails(op, target, value)? {
            return self.append(id, target, &tails);
        }
        let new = match op {
            None => self.eval(value)?,
            Some(op) => {
                let old = self.eval(target)?;
                let value = self.eval(value)?;
                self.binary(id, op, old, value)?
            }
        };
        self.store(id, target, new.clone())?;
        Ok(new)
    }

    /// What is put behind a string in `s += tail` and `s = s + tail + tail`; `None` if it is something else.
    fn tails(&mut self, op: Option<Binary>, target: ExprId, value: ExprId) -> Eval<Option<Vec<ExprId>>> {
        // Numbers are counted far more often than strings are built.
        let is_other = match self.tree.exprs[target as usize] {
            Expr::Static { slot, .. } => !matches!(self.frames.kept(slot), Value::Text(_)),
            Expr::Local { hops, slot, .. } => !matches!(self.frames.local(hops, slot), Value::Text(_)),
            _ => !self.is_place(target),
        };
        if is_other {
            return Ok(None);
        }
        let mut tails = Vec::new();
        if op == Some(Binary::Add) {
            tails.push(value);
        } else if op.is_none() {
            let mut left = value;
            while let Expr::Binary { op: Binary::Add, left: before, right } = self.tree.exprs[left as usize] {
                tails.push(right);
                left = before;
            }
            tails.reverse();
            if !self.is_same_place(left, target) {
                return Ok(None);
            }
        }
        let is_text = !tails.is_empty() && matches!(self.eval(target)?, Value::Text(_));
        Ok(is_text.then_some(tails))
    }

    /// Whether an expression names a variable or a field of one: it can be read twice.
    fn is_place(&self, id: ExprId) -> bool {
        match self.tree.exprs[id as usize] {
            Expr::Static { .. } | Expr::Local { .. } => true,
            Expr::Member { base, .. } => self.is_place(base),
            _ => false,
        }
    }

    fn is_same_place(&self, a: ExprId, b: ExprId) -> bool {
        match (self.tree.exprs[a as usize], self.tree.exprs[b as usize]) {
            (Expr::Static { slot: a, .. }, Expr::Static { slot: b, .. }) => a == b,
            (Expr::Local { hops: h, slot: a, .. }, Expr::Local { hops: i, slot: b, .. }) => (h, a) == (i, b),
            (Expr::Member { base: a, name: n }, Expr::Member { base: b, name: m }) => {
                n == m && self.is_same_place(a, b)
            }
            _ => false,
        }
    }

    /// `s = s + tail + tail`. Copying a string for every piece it grows by would take a loop quadratic time, so one
    /// that has no other owner is extended in place.
    fn append(&mut self, id: ExprId, target: ExprId, tails: &[ExprId]) -> Eval<Value> {
        let mut text = self.eval(target)?;
        let mut values = Vec::with_capacity(tails.len());
        for &tail in tails {
            values.push(self.eval(tail)?);
        }
        for tail in values {
            let limit = self.options.limits.value_size;
            let piece = if tail.invalid().is_none() { self.text_of(&tail).ok() } else { None };
            let (Value::Text(head), Some(piece)) = (&mut text, piece) else {
                text = self.binary(id, Binary::Add, text, tail)?;
                continue;
            };
            if (head.len() + piece.len()) as u64 > limit {
                return self.binary(id, Binary::Add, text, tail);
            }
            if matches!(self.eval(target)?, Value::Text(now) if Rc::ptr_eq(&now, head)) {
                // The variable no longer holds it, so it is unshared unless there is another owner.
                self.store(id, target, Value::Null)?;
            }
            match Rc::get_mut(head) {
                Some(head) => head.append(&piece),
                None => *head = Rc::new(head.joined(&piece)),
            }
            self.store(id, target, text.clone())?;
        }
        self.store(id, target, text.clone())?;
        Ok(text)
    }

    fn store(&mut self, id: ExprId, target: ExprId, value: Value) -> Eval<()> {
        let symbol = match self.tree.exprs[target as usize] {
            Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => symbol,
            Expr::Member { base, name } => {
                let base = self.eval(base)?;
                return self.store_field(id, target, &base, name, value);
            }
            Expr::Poison => return Ok(()),
            _ => return self.fail(Code::AssignToConstant, self.span(id), "Cannot write to a constant"),
        };
        if self.tree.symbols[symbol as usize].kind != SymbolKind::Variable {
            return self.fail(Code::AssignToConstant, self.span(id), "Cannot write to a constant");
        }
        match self.tree.exprs[target as usize] {
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
                let fields = &self.tree.structs[instance.definition as usize].fields;
                if let Some(index) = fields.iter().position(|&field| field == name) {
                    instance.fields.borrow_mut()[index] = value;
                    self.marks.changed();
                    self.scripts.note_change(base, "set");
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
        let message = format!(
            "Variable '{}' not present on value of type '{}'",
            self.tree.name(name),
            base.type_name()
        );
        self.fail(Code::UnknownMember, self.span(target), message)
    }
}

/// If a label is unknown, the expression that reads it is to blame.
#[inline]
fn known_or_here(value: &Value, id: ExprId, marks: &Marks) -> Value {
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
