//! Rare directives: console, assertions, enums, and those that need Java.

use std::rc::Rc;

use super::statements::Flow;
use super::{Eval, Evaluator, Watch};
use crate::codes::Code;
use crate::dialect::Directive;
use crate::layout::memory::Memory;
use crate::report::Report;
use crate::tree::*;
use crate::values::{Text, Value, to_i64};
use tempo_diagnostics::Span;

use tempo_formats::encoding::Encoding;

/// The result of an assertion's side.
enum Outcome {
    Value(Value),
    Code(String),
    Unknown,
}

impl Outcome {
    /// Whether the value could be meant as an address: a label, or a number above the system's pages.
    fn may_be_address(&self) -> bool {
        match self {
            Outcome::Value(Value::Label(..)) => true,
            Outcome::Value(Value::Number(number)) => (0x0400..0x10000).contains(&to_i64(*number)),
            _ => false,
        }
    }
}

impl Evaluator<'_> {
    /// An error of the source's own making, which may come without a text.
    fn own_error(&self, span: Span, text: &str) -> Box<Report> {
        let report = self.error(Code::UserError, span, text);
        match text {
            "" => Box::new(report.with_help("the text after it is empty: say there what is wrong")),
            _ => report,
        }
    }

    pub(super) fn rare(&mut self, at: StmtId, id: u32) -> Eval<()> {
        let tree = self.tree;
        let span = tree.stmt_spans[at];
        match &tree.rares[id as usize] {
            Rare::Enum(members) => self.enumeration(members),
            Rare::Define { scope, exports, start } => self.define(at, *scope, exports, *start),
            Rare::Values { directive, values } => self.with_values(at, *directive, *values),
            Rare::Assert { label, actual, expected } => self.assert(span, *label, *actual, *expected),
            Rare::AssertError { label, actual, caught, .. } => {
                self.assert_error(span, *label, *actual, caught.as_deref())
            }
            Rare::Import { kind, name, offset, length } => self.import(at, *kind, *name, *offset, *length),
            Rare::Segment { name, block, parameters } => self.segment(at, *name, *block, parameters.as_ref()),
            Rare::SegmentDef { name, parameters } => self.define_segment(at, *name, parameters).map(|_| ()),
            Rare::SegmentOut { parameters } => self.segment_out(at, parameters),
            Rare::File { parameters } => self.file(at, parameters),
            Rare::Disk { writer, parameters, files } => self.disk(at, *writer, parameters, files),
            Rare::Cartridge { parameters, banks } => self.cartridge(at, parameters, banks),
            Rare::Modify { name, arguments, start, end } => {
                self.modify(at, *name, *arguments, (*start, *end))
            }
            Rare::FileModify { name } => self.file_modify(at, *name),
        }
    }

    /// A directive whose operands are all expressions.
    fn with_values(&mut self, at: StmtId, directive: Directive, values: [ExprId; 3]) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let [first, second, third] = values;
        match directive {
            Directive::Print => {
                if let Some(text) = self.eval_text(first, span)? {
                    self.budget.wrote(text.as_str().len() as u64 + 64);
                    self.made.console.push(format!("  {}", text.as_str()));
                }
                Ok(())
            }
            Directive::PrintNow => {
                let value = self.eval(first)?;
                let text = self.text_of(&value).map_err(|error| self.conversion(span, error))?;
                self.budget.wrote(text.as_str().len() as u64 + 64);
                self.printed_now.push(format!("   {}", text.as_str()));
                if let Some(invalid) = value.invalid() {
                    self.unresolved(invalid, span);
                }
                Ok(())
            }
            Directive::Error => match self.eval_text(first, span)? {
                Some(text) => Err(self.own_error(span, text.as_str())),
                None => Ok(()),
            },
            Directive::ErrorIf => match self.eval(first)? {
                Value::Invalid(invalid) => {
                    self.unresolved(invalid, span);
                    Ok(())
                }
                Value::Bool(false) => Ok(()),
                Value::Bool(true) => match self.eval_text(second, span)? {
                    Some(text) => Err(self.own_error(span, text.as_str())),
                    None => Ok(()),
                },
                other => Err(self.conversion(span, crate::values::ConversionError::Bool(other.type_of()))),
            },
            Directive::Encoding => match self.eval_text(first, span)? {
                Some(name) => self.select_encoding(name.as_str(), span),
                None => Ok(()),
            },
            Directive::MemBlock => self.memory_block(first, span),
            Directive::Break => {
                let argument = match first {
                    ExprId::NONE => String::new(),
                    value => match self.eval_text(value, span)? {
                        Some(text) => text.as_str().to_owned(),
                        None => {
                            let message = "The break directive must be able to evaluate in first pass";
                            return self.fail(Code::UnknownParameterValue, span, message);
                        }
                    },
                };
                let segment = self.made.memory.current as u32;
                let start = self.made.memory.pc();
                let pass = self.first_breakpoints.count(start.is_some(), self.pass);
                if let Some(start) = start {
                    self.made.breakpoints.push(Watch { segment, start, end: None, argument, pass });
                }
                Ok(())
            }
            Directive::Watch => {
                let start = self.eval_integer(first, at)?;
                let has_end = second != ExprId::NONE;
                let end = if has_end { self.eval_integer(second, at)? } else { None };
                let argument = self.optional_text(third, span)?;
                let segment = self.made.memory.current as u32;
                let is_known = start.is_some() && (end.is_some() || !has_end);
                let pass = self.first_watchpoints.count(is_known, self.pass);
                if let Some(start) = start {
                    self.made.watchpoints.push(Watch { segment, start, end, argument, pass });
                }
                Ok(())
            }
            Directive::Plugin => self.plugin(first, span),
            // The parser gives the others variants of their own.
            _ => unreachable!("{directive:?} has more than values"),
        }
    }

    fn select_encoding(&mut self, name: &str, span: Span) -> Eval<()> {
        let Some(encoding) = Encoding::from_name(name) else {
            let mut report = self.error(Code::UnknownEncoding, span, format!("Invalid encoding: {name}"));
            let names: Vec<&str> = Encoding::ALL.iter().map(|encoding| encoding.name()).collect();
            report.help = Some(format!("there are: {}", names.join(", ")));
            return Err(report);
        };
        self.encoding = encoding;
        Ok(())
    }

    fn memory_block(&mut self, name: ExprId, span: Span) -> Eval<()> {
        if self.in_pseudo_pc {
            let message = "You can't start a new memoryblock in pseudo pc mode";
            return self.fail(Code::BlockInPseudoPc, span, message);
        }
        let name = self.eval(name)?;
        let name = self.text_of(&name).map_err(|error| self.conversion(span, error))?;
        let is_virtual = self.made.memory.is_virtual();
        let pc = self.made.memory.pc();
        self.made.memory.start_block(name.as_str().to_owned(), pc, is_virtual, span);
        Ok(())
    }

    /// The string form of an expression, or `None` if it is not known yet; then that is noted.
    pub(super) fn eval_text(&mut self, expr: ExprId, span: Span) -> Eval<Option<Rc<Text>>> {
        let value = self.eval(expr)?;
        if let Some(invalid) = value.find_invalid() {
            self.unresolved(invalid, span);
            return Ok(None);
        }
        let text = self.text_of(&value).map_err(|error| self.conversion(span, error))?;
        Ok(Some(text))
    }

    fn optional_text(&mut self, expr: ExprId, span: Span) -> Eval<String> {
        if expr == ExprId::NONE {
            return Ok(String::new());
        }
        Ok(self.eval_text(expr, span)?.map_or(String::new(), |text| text.as_str().to_owned()))
    }

    fn enumeration(&mut self, members: &[(SymbolId, ExprId)]) -> Eval<()> {
        let mut count = 0.0;
        for &(symbol, value) in members {
            let value = if value == ExprId::NONE {
                count += 1.0;
                Value::Number(count - 1.0)
            } else {
                self.eval(value)?
            };
            self.frames.declare(self.tree, &self.tree.symbols[symbol], value);
        }
        Ok(())
    }

    fn define(
        &mut self,
        at: StmtId,
        scope: ScopeId,
        exports: &[(SymbolId, SymbolId, crate::intern::Name)],
        start: StmtId,
    ) -> Eval<()> {
        let tree = self.tree;
        let state = self.frames.enter(tree, scope);
        self.functions += 1;
        let result = self.run(start, at);
        self.functions -= 1;
        if let Ok(Flow::Returned) = result {
            self.frames.leave(state);
            let span = tree.stmt_spans[self.returned_at];
            return self.fail(Code::UncaughtReturn, span, "Uncaught return statement");
        }
        let mut values = Vec::new();
        if result.is_ok() {
            for &(inner, ..) in exports {
                let value = match inner {
                    SymbolId::NONE => Value::Null,
                    inner => self.frames.local(0, tree.symbols[inner].slot as u16).clone(),
                };
                value.lock();
                values.push(value);
            }
        }
        self.frames.leave(state);
        result?;
        for (&(inner, outer, name), value) in exports.iter().zip(values) {
            if inner == SymbolId::NONE {
                let message = format!("Define directive doesn't define '{}'", tree.name(name));
                return self.fail(Code::DefineWithoutValue, tree.stmt_spans[at], message);
            }
            self.frames.declare(tree, &tree.symbols[outer], value);
        }
        Ok(())
    }

    // --- assertions

    /// Executes code in its own empty memory.
    fn isolated(&mut self, scope: ScopeId, start: StmtId, end: StmtId) -> Eval<String> {
        let outer_memory =
            std::mem::replace(&mut self.made.memory, Memory::new(false, self.options.limits.output_bytes));
        let decisions = std::mem::take(&mut self.decisions);
        let next_decision = std::mem::replace(&mut self.next_decision, 0);
        let pass = std::mem::replace(&mut self.pass, 1);
        let labels = self.made.labels.len();
        let encoding = self.encoding;
        let state = self.frames.enter(self.tree, scope);
        // Errors belong to the assertion.
        self.functions += 1;
        let result = self.run(start, end);
        self.functions -= 1;
        self.frames.leave(state);
        self.made.labels.truncate(labels);
        self.encoding = encoding;
        self.pass = pass;
        self.next_decision = next_decision;
        self.decisions = decisions;
        self.made.memory.suspend();
        let memory = std::mem::replace(&mut self.made.memory, outer_memory);
        result?;
        let mut parts = Vec::new();
        for segment in &memory.segments {
            for block in segment.blocks.iter().filter(|block| !block.bytes.is_empty()) {
                let bytes: Vec<String> = block.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                parts.push(format!("{:04x}:{}", block.start.unwrap_or(0), bytes.join(",")));
            }
        }
        Ok(parts.join("; "))
    }

    fn checked(&mut self, checked: Checked) -> Eval<Outcome> {
        match checked {
            Checked::Value(expr) => {
                let value = self.eval(expr)?;
                if let Some(invalid) = value.find_invalid() {
                    self.unresolved(invalid, self.span(expr));
                    return Ok(Outcome::Unknown);
                }
                Ok(Outcome::Value(value))
            }
            Checked::Code { scope, start, end } => Ok(Outcome::Code(self.isolated(scope, start, end)?)),
        }
    }

    fn assert(&mut self, span: Span, label: ExprId, actual: Checked, expected: Checked) -> Eval<()> {
        let label = self.eval_text(label, span)?;
        let actual = self.checked(actual)?;
        let expected = self.checked(expected)?;
        let label = label.as_ref().map_or("", |label| label.as_str());
        let (line, is_met) = match (&actual, &expected) {
            (Outcome::Unknown, _) | (_, Outcome::Unknown) => return Ok(()),
            (Outcome::Code(a), Outcome::Code(b)) if a == b => (format!("  {label} -- OK. | {a}"), true),
            (Outcome::Code(a), Outcome::Code(b)) => (format!("  {label} -- FAILED! | {a}  -- {b}"), false),
            (a, b) => {
                let is_met = match (a, b) {
                    (Outcome::Value(a), Outcome::Value(b)) => self.is_equal(span, a, b)?,
                    _ => false,
                };
                let a_text = self.outcome_text(a, span)?;
                let b_text = self.outcome_text(b, span)?;
                let tail = if is_met { "" } else { " -- ERROR IN ASSERTION!!!" };
                (format!("  {label}={a_text} ({b_text}){tail}"), is_met)
            }
        };
        self.count_assertion(span, line, is_met);
        if !is_met && (actual.may_be_address() || expected.may_be_address()) {
            self.mention_memory();
        }
        Ok(())
    }

    /// Says of the last assertion that it compares addresses.
    fn mention_memory(&mut self) {
        if let Some(report) = self.made.failed_asserts.last_mut() {
            let help = "the numbers themselves are compared; memory is not read here, but a suite for tempo test can";
            report.help = Some(help.to_owned());
        }
    }

    fn outcome_text(&self, outcome: &Outcome, span: Span) -> Eval<String> {
        match outcome {
            Outcome::Value(value) => match self.text_of(value) {
                Ok(text) => Ok(text.as_str().to_owned()),
                Err(error) => Err(self.conversion(span, error)),
            },
            Outcome::Code(code) => Ok(code.clone()),
            Outcome::Unknown => Ok(String::new()),
        }
    }

    /// `caught` is an error that was there before anything ran.
    fn assert_error(&mut self, span: Span, label: ExprId, actual: Checked, caught: Option<&str>) -> Eval<()> {
        let label = self.eval_text(label, span)?;
        let label = label.as_ref().map_or("", |label| label.as_str());
        if let Some(message) = caught {
            self.count_assertion(span, format!("  {label} -- OK. | {message}"), true);
            return Ok(());
        }
        let is_code = matches!(actual, Checked::Code { .. });
        let (line, is_met) = match self.checked(actual) {
            Err(report) => (format!("  {label} -- OK. | {}", report.message), true),
            Ok(Outcome::Unknown) => return Ok(()),
            Ok(_) if is_code => (format!("  {label} -- FAILED!"), false),
            Ok(_) => (format!("  {label} -- ERROR IN ASSERTION!"), false),
        };
        self.count_assertion(span, line, is_met);
        Ok(())
    }

    fn count_assertion(&mut self, span: Span, line: String, is_met: bool) {
        self.made.asserts.made += 1;
        self.budget.wrote(2 * line.len() as u64 + 256);
        if !is_met {
            self.made.asserts.failed += 1;
            let mut report =
                Report::error(Code::AssertionFailed, span, format!("Assertion failed: {}", line.trim()));
            report.calls = self.calls.iter().rev().copied().collect();
            self.made.failed_asserts.push(report);
        }
        self.made.console.push(line);
    }

    /// A number in a parameter.
    pub(super) fn integer_of(&self, value: &Value, span: Span) -> Eval<i64> {
        match value.number() {
            Ok(number) => Ok(to_i64(number)),
            Err(error) => Err(self.conversion(span, error)),
        }
    }
}
