//! Procedures: declared in a suite, and resolved anew for every call, with the arguments in place of the parameters.
//! So a constant argument is checked like one that is written in the test, and a call costs nothing when it runs.

use std::collections::HashMap;
use std::sync::Arc;

use tempo_diagnostics::plural;
use tempo_expressions::Kind;
use tempo_expressions::resolve::resolve_all;

use super::{Checker, Local, Meaning};
use crate::ast::{self, ExprKind, Name};
use crate::diag::{Code, Diagnostic};
use crate::eval::fold;
use crate::layout::Layout;
use crate::names::Names;
use crate::plan::{Call, Expr, Form, Variable};
use crate::source::Span;

/// Statements that the calls of one test may come to.
const MAX_CALLED_STEPS: usize = 100_000;

/// A procedure and the names of the place it is declared at.
pub(super) struct Procedure {
    declaration: Arc<ast::Procedure>,
    names: Arc<Names>,
    defines: Arc<HashMap<String, i64>>,
    layouts: Arc<HashMap<String, Arc<Layout>>>,
    default_layout: Option<String>,
}

impl Checker<'_> {
    /// Adds a procedure to the suite and looks at its statements, called or not.
    pub(super) fn declare_procedure(&mut self, declaration: &Arc<ast::Procedure>) {
        let name = &declaration.name;
        let first = self.declared.insert(format!("procedure {}", name.value), name.span);
        if let Some(first) = first.filter(|&first| first != name.span) {
            let message = format!("the procedure `{}` is declared twice in this suite", name.value);
            self.report(
                Diagnostic::error(Code::Meaning, name.span, message).label_at(first, "first declared here"),
            );
            return;
        }
        let procedure = Procedure {
            declaration: declaration.clone(),
            names: self.names.clone(),
            defines: self.defines.clone(),
            layouts: self.layouts.clone(),
            default_layout: self.default_layout.clone(),
        };
        let slots = self.slots;
        for parameter in &declaration.parameters {
            self.bind(&parameter.value);
        }
        self.is_declaring = true;
        self.called_steps = 0;
        self.resolve_steps(&declaration.body);
        self.is_declaring = false;
        self.locals.clear();
        self.slots = slots;
        // Only now: a procedure does not call itself.
        self.procedures.insert(name.value.clone(), Arc::new(procedure));
    }

    /// Binds a name to the next variable.
    pub(super) fn bind(&mut self, name: &str) {
        let slot = Variable(self.slots);
        self.slots += 1;
        self.locals.push(Local { name: name.to_string(), meaning: Meaning::Slot(slot) });
    }

    /// The statements of a call, or `None` after a message.
    pub(super) fn resolve_call(&mut self, span: Span, name: &Name, arguments: &[ast::Expr]) -> Option<Call> {
        let resolved = resolve_all(arguments, self);
        let Some(procedure) = self.procedures.get(&name.value).cloned() else {
            // The parser knows the procedures above, and the one around the call.
            if !self.is_incomplete {
                self.report(
                    Diagnostic::error(Code::Meaning, name.span, format!("`{}` calls itself", name.value))
                        .help("a procedure calls procedures that are declared above it; many values are tried with `forall`"),
                );
            }
            return None;
        };
        let declaration = &procedure.declaration;
        if arguments.len() != declaration.parameters.len() {
            let message = format!(
                "`{}` takes {}, {} given",
                name.value,
                plural(declaration.parameters.len(), "argument"),
                match arguments.len() {
                    0 => "none is".to_string(),
                    1 => "1 is".to_string(),
                    count => format!("{count} are"),
                }
            );
            let declared = self.source.one_line(declaration.span);
            self.report(
                Diagnostic::error(Code::Meaning, span, message)
                    .label_at(declaration.span, "declared here")
                    .help(format!("it is declared as `{declared}`")),
            );
            return None;
        }
        self.called_steps += declaration.body.len();
        if self.called_steps > MAX_CALLED_STEPS {
            let message = format!("the calls of this test come to more than {MAX_CALLED_STEPS} statements");
            self.report(Diagnostic::error(Code::Limit, span, message).help("use `forall`, or fewer calls"));
            return None;
        }
        let resolved = resolved?;
        let slots = self.slots;
        let mut values = Vec::new();
        let mut locals = Vec::new();
        for ((parameter, written), argument) in declaration.parameters.iter().zip(arguments).zip(resolved) {
            let meaning = match self.constant(written, &argument) {
                Some(meaning) => meaning,
                None => {
                    values.push(argument);
                    self.slots += 1;
                    Meaning::Slot(Variable(self.slots - 1))
                }
            };
            locals.push(Local { name: parameter.value.clone(), meaning });
        }
        let outer = (
            std::mem::replace(&mut self.locals, locals),
            std::mem::replace(&mut self.names, procedure.names.clone()),
            std::mem::replace(&mut self.defines, procedure.defines.clone()),
            std::mem::replace(&mut self.layouts, procedure.layouts.clone()),
            std::mem::replace(&mut self.default_layout, procedure.default_layout.clone()),
        );
        self.calls.push(span);
        let body = self.resolve_steps(&declaration.body);
        self.calls.pop();
        (self.locals, self.names, self.defines, self.layouts, self.default_layout) = outer;
        self.slots = slots;
        Some(Call { name: name.value.clone(), arguments: values, body })
    }

    /// The meaning of a parameter whose argument need not be evaluated when the call is reached.
    fn constant(&self, written: &ast::Expr, argument: &Expr) -> Option<Meaning> {
        let shown = match &argument.kind {
            // Shown by its value.
            Kind::Variable(_) => None,
            Kind::Form(Form::Text(text)) => Some(text.constant()?.to_string()),
            _ => {
                let value = fold(argument)?;
                Some(self.shown_argument(written).unwrap_or_else(|| value.to_string()))
            }
        };
        Some(Meaning::Argument(Box::new(argument.clone()), shown))
    }

    /// A constant argument as texts show it: as the call writes it, unless it is computed from a parameter.
    fn shown_argument(&self, written: &ast::Expr) -> Option<String> {
        let local = |name: &str| self.locals.iter().rev().find(|local| local.name == name);
        // A parameter that is passed on shows what it was given.
        if let ExprKind::Name(name) = &written.kind
            && let Some(local) = local(name)
        {
            let Meaning::Argument(_, shown) = &local.meaning else { return None };
            return shown.clone();
        }
        let mut is_plain = true;
        written.walk(&mut |inner| {
            is_plain &= !matches!(&inner.kind, ExprKind::Name(name) if local(name).is_some());
        });
        is_plain.then(|| self.source.one_line(written.span))
    }

    /// Statements that only a test makes are reached from a setup.
    pub(super) fn check_home(&mut self, step: &ast::Step) {
        let what = match &step.kind {
            ast::StepKind::Assert { .. } => "assertions",
            ast::StepKind::Forall(_) => "`forall`",
            ast::StepKind::Equivalent(_) => "`equivalent`",
            ast::StepKind::Snapshot { .. } => "`snapshot`",
            ast::StepKind::Screenshot { .. } => "`screenshot`",
            _ => return,
        };
        if self.is_setup && !self.calls.is_empty() {
            let message = format!("a setup cannot hold {what}, also not through a procedure");
            self.report(
                Diagnostic::error(Code::Meaning, step.span, message)
                    .help("call the procedure from a test, or divide it in two"),
            );
        }
    }
}
