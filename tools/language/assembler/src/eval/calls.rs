//! Calls of functions, macros and pseudo commands.

use std::rc::Rc;

use super::code::Op;
use super::frames::Entered;
use super::statements::Flow;
use super::{Eval, Evaluator, Expansion};
use crate::codes::Code;
use crate::intern::Name;
use crate::report::{Call, Report};
use crate::tree::{Expr, ExprId, Form, NONE, ScopeKind, StmtId, SymbolId};
use crate::values::{Argument, ArgumentMode, Value};
use tempo_diagnostics::{FrameKind, Span};

impl Evaluator<'_> {
    /// Notes a call for error messages, and stops runaway recursion.
    #[inline(always)]
    fn push_call(&mut self, kind: FrameKind, name: Name, span: Span) -> Eval<()> {
        self.check_stack(span)?;
        self.take_turn(span)?;
        if self.calls.len() >= self.options.limits.call_depth as usize {
            return Err(self.too_deep(kind, name, span));
        }
        self.calls.push(Call { kind, name, span });
        Ok(())
    }

    #[cold]
    fn too_deep(&self, kind: FrameKind, name: Name, span: Span) -> Box<Report> {
        let limit = self.options.limits.call_depth;
        let what = match kind {
            FrameKind::Function => "function",
            FrameKind::Macro => "macro",
            _ => "pseudo command",
        };
        let name = self.tree.name(name);
        let message = format!("Calls are nested deeper than {limit}, the last one to {what} '{name}'");
        let mut report = self.error(Code::CallsTooDeep, span, message);
        // Thousands of equal frames are of no use in a message.
        report.calls.truncate(10);
        report.help = Some(format!("does '{name}' call itself without an end? --max-depth raises the limit"));
        report
    }

    /// Calls a function of the source.
    #[inline(never)]
    pub(super) fn call_function(&mut self, at: ExprId) -> Eval<Value> {
        let Expr::CallUser { function, arguments, len } = self.tree.exprs[at] else { return Ok(Value::Null) };
        let state = self.frames.state();
        if self.code.nodes[at].op == Op::NotLooked {
            self.look_at(at);
        }
        let first = self.code.nodes[at].a.index() as usize;
        for index in 0..usize::from(len) {
            if let Some(number) = self.number_at(self.code.arguments[first + index]) {
                self.frames.push_argument(Value::Number(number));
                continue;
            }
            match self.number_or_value(self.tree.lists[arguments as usize + index]) {
                Ok(value) => self.frames.push_argument(value),
                Err(report) => {
                    self.frames.leave(state);
                    return Err(report);
                }
            }
        }
        if self.options.analysis {
            self.note_arguments(function, len as usize);
        }
        if self.keeps_results(function, len) {
            return self.call_kept(at, function, len, state);
        }
        self.call_afresh(at, function, len, state)
    }

    /// Calls a function with the arguments on top of the stack, unless it was called with the same before.
    #[inline(never)]
    fn call_kept(&mut self, at: ExprId, function: u32, len: u16, state: Entered) -> Eval<Value> {
        let Some(key) = self.memo_key(function, len) else {
            return self.call_afresh(at, function, len, state);
        };
        if let Some(value) = self.memo_get(&key) {
            self.frames.leave(state);
            return Ok(value);
        }
        let before = self.marks.clone();
        let value = self.call_afresh(at, function, len, state)?;
        self.memo_put(key, &before, &value);
        Ok(value)
    }

    /// Calls a function with the arguments on top of the stack.
    #[inline(always)]
    fn call_afresh(&mut self, at: ExprId, function: u32, len: u16, state: Entered) -> Eval<Value> {
        let routine = self.code.routines[function as usize];
        if let Err(report) = self.push_call(FrameKind::Function, routine.name, self.span(at)) {
            self.frames.leave(state);
            return Err(report);
        }
        self.frames.enter_routine(self.tree, &routine, u32::from(len));
        self.functions += 1;
        let result = if routine.only != ExprId::NONE {
            // The usual short function.
            self.returned_at = routine.start;
            self.number_or_value(routine.only)
        } else {
            self.run(routine.start, routine.end).map(|flow| match flow {
                Flow::Returned => std::mem::replace(&mut self.returned, Value::Null),
                Flow::Done => Value::Null,
            })
        };
        self.functions -= 1;
        self.calls.pop();
        self.frames.leave(state);
        result
    }

    /// A macro or pseudo command call.
    pub(super) fn call_entity(&mut self, stmt: StmtId, call: u32, kind: FrameKind) -> Eval<()> {
        let call = &self.tree.calls[call as usize];
        if call.target == NONE {
            return Ok(());
        }
        let parameters = self.tree.callables[call.target as usize].parameters;
        let routine = self.code.routines[call.target as usize];
        let span = self.tree.stmt_spans[stmt];
        let state = self.frames.state();
        if let Err(report) = self.push_arguments(call, parameters) {
            self.frames.leave(state);
            return Err(report);
        }
        if let Err(report) = self.push_call(kind, routine.name, span) {
            self.frames.leave(state);
            return Err(report);
        }
        let outer = self.expand(kind, stmt, 0);
        if self.options.analysis {
            self.note_arguments(call.target, parameters as usize);
            self.keep_arguments(call.target, parameters as usize);
        }
        self.frames.enter_routine(self.tree, &routine, parameters);
        let frame = self.frames.current();
        let result = self.run(routine.start, routine.end);
        self.expansion = outer;
        self.calls.pop();
        self.frames.leave(state);
        if call.entity != SymbolId::NONE {
            let has_labels = self.tree.scopes[routine.scope].kept > 0;
            self.set_members(call.entity, if has_labels { Value::Members(frame) } else { Value::NO_MEMBERS });
        }
        result.map(|_| ())
    }

    /// Notes the start of an expansion, if they are collected. Returns the one around it, to go back to.
    #[inline]
    pub(super) fn expand(&mut self, kind: FrameKind, stmt: StmtId, iteration: u64) -> u32 {
        let parent = self.expansion;
        // A function emits nothing, so its loops are of no interest.
        if self.keeps_expansions && self.functions == 0 {
            self.expansion = self.made.expansions.len() as u32;
            let iteration = u32::try_from(iteration).unwrap_or(u32::MAX);
            self.made.expansions.push(Expansion { kind, stmt, iteration, parent });
            self.made.collected += 1;
        }
        parent
    }

    /// Notes the arguments on top of the stack for hovers and hints.
    #[cold]
    fn note_arguments(&mut self, callable: u32, arguments: usize) {
        let scope = self.tree.callables[callable as usize].scope;
        let Some(scope) = self.tree.scopes.get(scope) else { return };
        let parameters = &self.tree.scope_symbols[scope.symbols.range()];
        for (&symbol, value) in parameters.iter().zip(self.frames.top(arguments)) {
            self.made.note(symbol, value);
        }
    }

    /// Keeps the arguments on top of the stack for the expansion that begins.
    #[cold]
    fn keep_arguments(&mut self, callable: u32, arguments: usize) {
        let scope = self.tree.callables[callable as usize].scope;
        let Some(scope) = self.tree.scopes.get(scope) else { return };
        let parameters = &self.tree.scope_symbols[scope.symbols.range()];
        for (index, &symbol) in parameters.iter().take(arguments).enumerate() {
            self.keep_value(symbol, self.frames.top(arguments)[index].clone());
        }
    }

    /// Keeps the value that a parameter or the variable of a loop has in the expansion that begins. A function emits
    /// nothing, so it has none.
    pub(super) fn keep_value(&mut self, symbol: SymbolId, value: Value) {
        if self.functions == 0 {
            self.made.arguments.push((self.expansion, symbol, value));
            self.made.collected += 1;
        }
    }

    /// Notes what a local variable holds.
    #[cold]
    pub(super) fn note_local(&mut self, symbol: SymbolId, value: &Value) {
        if self.tree.scopes[self.tree.symbols[symbol].scope].kind == ScopeKind::Local {
            self.made.note(symbol, value);
        }
    }

    fn push_arguments(&mut self, call: &crate::tree::Call, parameters: u32) -> Eval<()> {
        let arguments = self.tree.list(call.arguments);
        let forms = &self.tree.forms[call.forms.range()];
        if forms.is_empty() && arguments.len() == parameters as usize {
            for &argument in arguments {
                let value = self.number_or_value(argument)?;
                self.frames.push_argument(value);
            }
            return Ok(());
        }
        for index in 0..parameters as usize {
            let form = forms.get(index).copied().unwrap_or(Form::None);
            let operand = arguments.get(index).copied().unwrap_or(ExprId::NONE);
            let value = self.command_argument(form, operand)?;
            self.frames.push_argument(value);
        }
        Ok(())
    }

    /// The value of an argument of a pseudo command.
    fn command_argument(&mut self, form: Form, operand: ExprId) -> Eval<Value> {
        let value = match form {
            Form::None => Value::Number(0.0),
            _ => self.eval(operand)?,
        };
        if form == Form::Plain && matches!(value, Value::Argument(_)) {
            return Ok(value);
        }
        let value = match value {
            Value::Invalid(_) | Value::Number(_) => value,
            // The label itself goes in: its members stay reachable through the number.
            Value::Label(..) | Value::Char(..) => value,
            other => return Err(self.operand_type_error(operand, &other)),
        };
        Ok(Value::Argument(Rc::new(Argument { mode: ArgumentMode::Written(form), value })))
    }
}
