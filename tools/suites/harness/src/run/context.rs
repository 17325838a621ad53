//! The state of one running test: the machine, its variables, what it has called and what went wrong.

use std::sync::Arc;

use tempo_expressions::{Kind, Variable};

use super::RunOptions;
use super::describe;
use crate::ast::{Beam, Flag, Register};
use crate::diag::{Code, Diagnostic, DiagnosticRecord};
use crate::eval::{Scope, eval};
use crate::events::{CallPlace, Failure, Proof, Reason, TakenPicture, TestReport};
use crate::parse::Dialect;
use crate::plan::{Expr, Form, Step, TestPlan, Value};
use crate::probe::{Coverage, Probe};
use crate::source::{Source, Span};
use tempo_prove::ChipWatch;
use tempo_rig::{Feed, TestMachine, Wire};

/// A finished `jsr` statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallRecord {
    pub cycles: u64,
    pub instructions: u64,
}

/// A stub in place: its statements, and the variables they were written with.
pub(super) struct Stub<'a> {
    pub at: u16,
    pub body: &'a [Step],
    pub variables: Vec<Value>,
}

/// Memory kept from test to test so that none is allocated for each.
#[derive(Default)]
pub(super) struct Scratch {
    pub snapshots: Vec<TestMachine>,
}

/// Failures kept for one test; a loop of failing assertions must not fill the memory.
const MAX_FAILURES: usize = 100;
const MAX_OUTPUT: usize = 10_000;

pub(super) struct Context<'a> {
    pub source: &'a Arc<Source>,
    pub test: &'a TestPlan,
    pub options: &'a RunOptions,
    pub machine: &'a mut TestMachine,
    pub probe: Option<&'a mut Probe>,
    /// Counts instructions when there is no probe to do it.
    pub coverage: Option<&'a mut Coverage>,
    /// A case of a `forall` runs.
    pub is_case: bool,
    /// Looks for opcodes that depend on the chip, while nothing else watches.
    pub chip: Option<ChipWatch>,
    pub scratch: &'a mut Scratch,
    /// The row's values, then those bound since.
    pub variables: Vec<Value>,
    pub failures: Vec<Failure>,
    pub dropped_failures: usize,
    pub warnings: Vec<DiagnosticRecord>,
    pub output: Vec<String>,
    pub pictures: Vec<TakenPicture>,
    /// The verdicts of the properties so far.
    pub proofs: Vec<Proof>,
    /// Whether properties are proved where that is asked for.
    pub decides: bool,
    pub calls: Vec<CallRecord>,
    pub executed: bool,
    /// The rest of the test is not run.
    pub ended: bool,
    /// Cycles spent in `forall` cases that were undone.
    pub undone_cycles: u64,
    /// Cases of `forall` tried so far.
    pub cases: u64,
    pub stubs: Vec<Stub<'a>>,
    pub feeds: Vec<Feed>,
    pub captured: Vec<(u16, u8)>,
    /// For the next call, their cycles counted from its first.
    pub interrupts: Vec<Wire>,
    /// Where the last call ended.
    pub stopped_at: Option<u16>,
    /// The statement that runs.
    pub span: Span,
    /// The calls of procedures that led to it, outermost first.
    pub callers: Vec<Span>,
    /// The values of the property's variables, as a failure shows them.
    pub case: Option<String>,
    /// The effect of the text, for callers that run it again.
    pub recording: Option<Vec<tempo_rig::Action>>,
    /// From where a property's case is recorded.
    pub case_mark: usize,
}

impl<'a> Context<'a> {
    pub fn new(
        source: &'a Arc<Source>,
        test: &'a TestPlan,
        options: &'a RunOptions,
        machine: &'a mut TestMachine,
        probe: Option<&'a mut Probe>,
        scratch: &'a mut Scratch,
    ) -> Context<'a> {
        Context {
            source,
            test,
            options,
            machine,
            probe,
            coverage: None,
            is_case: false,
            chip: None,
            scratch,
            variables: Vec::new(),
            failures: Vec::new(),
            dropped_failures: 0,
            warnings: Vec::new(),
            output: Vec::new(),
            pictures: Vec::new(),
            proofs: Vec::new(),
            decides: true,
            calls: Vec::new(),
            executed: false,
            ended: false,
            undone_cycles: 0,
            cases: 0,
            stubs: Vec::new(),
            feeds: Vec::new(),
            captured: Vec::new(),
            interrupts: Vec::new(),
            stopped_at: None,
            span: test.span,
            callers: Vec::new(),
            case: None,
            recording: None,
            case_mark: 0,
        }
    }

    /// Runs setup and body.
    pub fn run(&mut self) {
        let test = self.test;
        if let Some(probe) = &mut self.probe {
            probe.start_test(&test.guards);
            for load in &test.place.loads {
                probe.mark_set(load.address, load.bytes.len(), true);
            }
            if test.guards.uninit != crate::ast::Strictness::Off && self.machine.system.has_sockets() {
                for address in 0..=0xffff {
                    if self.machine.is_furnished(address, &test.place.roms) {
                        probe.mark_set(address, 1, false);
                    }
                }
            }
        }
        for (span, double) in &test.place.doubles {
            self.span = *span;
            self.install(double);
        }
        if let Some(setup) = &test.setup {
            self.run_steps(setup);
        }
        self.variables = test.values.iter().map(|(_, value)| value.clone()).collect();
        self.run_steps(&test.body);
        self.span = test.span;
        self.callers.clear();
        if !self.executed && !self.ended {
            let hides_call =
                has_call_in_comment(self.source.text().get(test.span.end as usize..).unwrap_or(""));
            let failure = self.fail(Reason::NothingExecuted, "nothing was executed: the test makes no call");
            if let Some(failure) = failure.filter(|_| hides_call) {
                failure.detail.push("a ; begins a comment; the call after it is part of it".to_owned());
            }
        }
        if let Some(budget) = test.budget
            && self.machine.cycles > budget
        {
            let message = format!("over budget: {} cycles, {budget} allowed", self.machine.cycles);
            self.fail(Reason::Budget, message);
        }
    }

    /// Hands over what was found out.
    pub fn finish(self, report: &mut TestReport) {
        report.total_cycles = self.machine.cycles + self.undone_cycles;
        // A bench is about all that it runs; `forall` puts the counter back.
        let is_bench = self.test.kind == crate::ast::TestKind::Bench;
        report.cycles = if is_bench { report.total_cycles } else { self.machine.cycles };
        report.last_call = self.calls.last().map(|call| call.cycles);
        report.failures = self.failures;
        if self.dropped_failures > 0
            && let Some(last) = report.failures.last_mut()
        {
            last.detail.push(format!("… and {} failures more in this test", self.dropped_failures));
        }
        report.warnings = self.warnings;
        report.output = self.output;
        report.pictures = self.pictures;
        report.proofs = self.proofs;
        if let Some(probe) = self.probe
            && !probe.trace.is_empty()
        {
            report.trace = describe::trace_lines(probe, self.test, self.machine.isa(), self.options.dialect);
        }
    }

    pub fn print(&mut self, line: String) {
        if self.output.len() < MAX_OUTPUT {
            self.output.push(line);
        } else if self.output.len() == MAX_OUTPUT {
            self.output.push("… (more output is left out)".to_string());
        }
    }

    /// Adds a failure of the statement that runs, with all that is known about the program's state.
    pub fn fail(&mut self, reason: Reason, message: impl Into<String>) -> Option<&mut Failure> {
        if self.failures.len() >= MAX_FAILURES {
            self.dropped_failures += 1;
            return None;
        }
        let calls = self.probe.as_ref().map_or(Vec::new(), |probe| describe::calls(probe, self.test));
        let message = message.into();
        let span = self.span;
        self.record(|_| tempo_rig::Action::Failure { span, message: message.clone() });
        self.failures.push(Failure {
            reason,
            message,
            values: None,
            detail: Vec::new(),
            text: None,
            statement: self.source.one_line(self.span),
            location: self.source.location(self.span),
            procedures: self.call_places(),
            stopped: self.stopped_at.map(|address| describe::place(address, self.test)),
            calls,
            case: self.case.clone(),
            is_range_error: false,
        });
        self.failures.last_mut()
    }

    fn call_places(&self) -> Vec<CallPlace> {
        let place = |&span: &Span| CallPlace {
            statement: self.source.one_line(span),
            location: self.source.location(span),
        };
        self.callers.iter().rev().map(place).collect()
    }

    /// An address or value of the suite that cannot be: exit code 3.
    pub fn fail_range(&mut self, message: impl Into<String>) {
        if let Some(failure) = self.fail(Reason::OutOfRange, message) {
            failure.is_range_error = true;
        }
    }

    pub fn warn(&mut self, message: impl Into<String>) {
        let record =
            DiagnosticRecord::new(self.source, &Diagnostic::warning(Code::Meaning, self.span, message));
        if !self.warnings.contains(&record) && self.warnings.len() < MAX_FAILURES {
            self.warnings.push(record);
        }
    }

    /// The value of an expression; one without a number fails the test and counts as 0.
    pub fn number(&mut self, expr: &Expr) -> i64 {
        let before = self.failures.len() + self.dropped_failures;
        match eval(expr, self) {
            Some(value) => value,
            None => {
                if self.failures.len() + self.dropped_failures == before {
                    let message = format!("`{}` is not a number", self.source.one_line(expr.span));
                    self.fail_range(message);
                }
                0
            }
        }
    }

    /// The text of an expression: a literal, or a variable that holds one.
    pub fn text(&mut self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            Kind::Form(Form::Text(text)) => Some(text.fill(&self.variables)),
            Kind::Variable(variable) => self.value(*variable).map(Value::to_string),
            Kind::Paren(inner) => self.text(inner),
            _ => None,
        }
    }

    pub fn value(&self, variable: Variable) -> Option<&Value> {
        self.variables.get(variable.0 as usize)
    }

    /// A store of the test text.
    pub fn poke(&mut self, address: u16, value: u8) {
        self.machine.poke(address, value);
        self.record(|_| tempo_rig::Action::Poke(address, value));
        if let Some(probe) = &mut self.probe {
            probe.mark_set(address, 1, false);
        }
    }

    /// `calls[n].cycles`, `calls.count`.
    fn call_member(&mut self, index: Option<i64>, member: &str) -> Option<i64> {
        let Some(index) = index else { return Some(self.calls.len() as i64) };
        let call = usize::try_from(index)
            .ok()
            .and_then(|index| index.checked_sub(1))
            .and_then(|at| self.calls.get(at));
        match call {
            Some(call) => Some(if member == "cycles" { call.cycles } else { call.instructions } as i64),
            None => {
                let message =
                    format!("there is no call {index}: the test has made {} so far", self.calls.len());
                self.fail(Reason::NoSuchCall, message);
                None
            }
        }
    }

    /// `spy(place)[n].a`, `spy(place).count`.
    fn spy_member(&mut self, at: i64, index: Option<i64>, member: &str) -> Option<i64> {
        let recorded = self.probe.as_ref().and_then(|probe| probe.spies.get(&(at as u16)));
        let Some(recorded) = recorded else {
            let message = format!("nothing spies on ${at:04X}: write `spy(…)` before the call");
            self.fail(Reason::NoSuchCall, message);
            return None;
        };
        if member == "count" {
            return Some(recorded.count as i64);
        }
        let wanted = index.unwrap_or(recorded.calls.len() as i64);
        let call = usize::try_from(wanted)
            .ok()
            .and_then(|index| index.checked_sub(1))
            .and_then(|at| recorded.calls.get(at));
        let Some(call) = call else {
            let message =
                format!("the routine was called {} times, there is no call {wanted}", recorded.count);
            self.fail(Reason::NoSuchCall, message);
            return None;
        };
        let registers = &call.registers;
        Some(match member {
            "a" => i64::from(registers.a),
            "x" => i64::from(registers.x),
            "y" => i64::from(registers.y),
            "sp" => i64::from(registers.s),
            "p" => i64::from(registers.p.byte()),
            "caller" => i64::from(call.caller),
            flag => i64::from(Flag::parse(flag).is_some_and(|flag| registers.p.has(flag.mask()))),
        })
    }
}

impl Scope<Form> for Context<'_> {
    fn peek(&self, address: u16) -> Option<u8> {
        Some(self.machine.peek(address))
    }

    fn register(&self, register: Register) -> Option<i64> {
        Some(register.value(&self.machine.registers))
    }

    fn flag(&self, flag: Flag) -> Option<bool> {
        Some(self.machine.registers.p.has(flag.mask()))
    }

    fn cycles(&self) -> Option<i64> {
        Some(self.machine.cycles as i64)
    }

    fn beam(&mut self, part: Beam) -> Option<i64> {
        let (line, cycle) = self.machine.beam()?;
        Some(if part == Beam::Line { i64::from(line) } else { i64::from(cycle) })
    }

    fn variable(&self, variable: Variable) -> Option<i64> {
        match self.value(variable)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }

    fn form(&mut self, form: &Form, _span: Span) -> Option<i64> {
        match form {
            Form::Calls { index, member } => {
                let index = match index {
                    Some(index) => Some(eval(index, self)?),
                    None => None,
                };
                self.call_member(index, member)
            }
            Form::Spy { at, index, member } => {
                let at = eval(at, self)?;
                let index = match index {
                    Some(index) => Some(eval(index, self)?),
                    None => None,
                };
                self.spy_member(at, index, member)
            }
            Form::Backend(step) => {
                if let Some(found) = self.screen_value(step) {
                    return found;
                }
                let message = describe::needs_backend(&step.name);
                self.fail(Reason::Backend, message);
                None
            }
            // These are compared as a whole.
            Form::Text(_)
            | Form::Captured(_)
            | Form::Bytes(_)
            | Form::EncodedText(..)
            | Form::Fen(_)
            | Form::Screen(_)
            | Form::Contains(..) => None,
        }
    }

    fn division_by_zero(&mut self, span: Span) -> Option<i64> {
        let message = format!("division by zero in `{}`", self.source.one_line(span));
        self.fail(Reason::DivisionByZero, message);
        Some(0)
    }

    fn false_block(&mut self, span: Span) {
        // In sim6502 a false block check fails the test wherever it stands.
        if self.options.dialect == Dialect::Base {
            let message = format!("`{}` is false", self.source.one_line(span));
            self.fail(Reason::BlockCheck, message);
        }
    }
}

/// Whether the statements of a test, at the beginning of a text, have a call after a `;` that follows another statement.
fn has_call_in_comment(text: &str) -> bool {
    let body = text.split('}').next().unwrap_or("");
    body.lines().filter_map(|line| line.split_once(';')).any(|(statement, comment)| {
        !statement.trim_matches([' ', '\t', '{']).is_empty() && comment.contains("jsr(")
    })
}
