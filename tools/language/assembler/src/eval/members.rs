//! Members of values: labels of namespaces, macros and loops, fields of structs.

use super::expressions::known_or_here;
use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::intern::Name;
use crate::library::methods;
use crate::names;
use crate::report::{Fault, Report};
use crate::tree::*;
use crate::values::{FrameId, Invalid, Value, to_i32};

impl Evaluator<'_> {
    #[inline(never)]
    pub(super) fn eval_member(&mut self, id: ExprId, base: ExprId, name: Name) -> Eval<Value> {
        self.check_stack_at(id)?;
        let base = self.eval(base)?;
        self.member(id, &base, name)
    }

    pub(super) fn member(&mut self, id: ExprId, base: &Value, name: Name) -> Eval<Value> {
        self.marks.shared();
        if self.options.analysis {
            // Members are collected as they are found.
            self.marks.unknown();
        }
        let missing = |evaluator: &Evaluator<'_>| evaluator.no_member(id, base, name);
        match base {
            Value::Invalid(invalid) => Ok(Value::Invalid(*invalid)),
            Value::Namespace(scope) => {
                let scope = *scope;
                let base = self.tree.scopes[scope].base;
                self.member_of(id, scope, base, name).ok_or_else(|| missing(self))
            }
            Value::Members(frame) if *frame != FrameId::NONE => {
                let (scope, base) = self.frames.scope_of(*frame);
                self.member_of(id, scope, base, name).ok_or_else(|| missing(self))
            }
            Value::Label(true, slot, _) => match self.frames.kept(slot + 1).clone() {
                Value::Members(frame) if frame != FrameId::NONE => {
                    let (scope, base) = self.frames.scope_of(frame);
                    self.member_of(id, scope, base, name).ok_or_else(|| missing(self))
                }
                Value::LoHi(halves) => match name {
                    names::LO => Ok(Value::Number(halves.0)),
                    names::HI => Ok(Value::Number(halves.1)),
                    _ => Err(missing(self)),
                },
                Value::Invalid(invalid) => Ok(Value::Invalid(Invalid { origin: id, ..invalid })),
                _ => Err(missing(self)),
            },
            _ => {
                let value = methods::field(self, base, name).ok_or_else(|| missing(self))?;
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
            let symbols = tree.scope_symbols[tree.scopes[scope].symbols.range()].iter();
            let named = symbols.filter_map(|&id| {
                let symbol = &tree.symbols[id];
                matches!(symbol.kind, SymbolKind::Label | SymbolKind::Namespace).then_some((symbol.name, id))
            });
            named.collect()
        });
        let found = *index.get(&name)?;
        if self.options.analysis {
            self.made.collected += usize::from(self.made.member_uses.insert((id, found)));
        }
        let symbol = &tree.symbols[found];
        if symbol.kind == SymbolKind::Namespace {
            return Some(Value::Namespace(tree.namespaces[symbol.namespace()].scope));
        }
        Some(known_or_here(self.frames.kept(base + symbol.slot), id, &self.marks))
    }

    pub(super) fn index(&mut self, id: ExprId, base: ExprId, index: ExprId) -> Eval<Value> {
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

    #[cold]
    pub(super) fn no_member(&self, at: ExprId, base: &Value, name: Name) -> Box<Report> {
        let mut report = self.fault(Fault::NoMember(base.type_of(), name), self.span(at));
        let scope = match base {
            Value::Namespace(scope) => Some(*scope),
            Value::Members(frame) if *frame != FrameId::NONE => Some(self.frames.scope_of(*frame).0),
            Value::Label(true, slot, _) => match self.frames.kept(slot + 1) {
                Value::Members(frame) if *frame != FrameId::NONE => Some(self.frames.scope_of(*frame).0),
                _ => None,
            },
            _ => None,
        };
        report.help = scope.and_then(|scope| {
            let tree = self.tree;
            let symbols = tree.scope_symbols[tree.scopes[scope].symbols.range()].iter();
            let known = symbols
                .map(|&id| &tree.symbols[id])
                .filter(|symbol| matches!(symbol.kind, SymbolKind::Label | SymbolKind::Namespace));
            let near =
                tempo_diagnostics::nearest(tree.name(name), known.map(|symbol| tree.name(symbol.name)))?;
            Some(format!("did you mean '{near}'?"))
        });
        if let Value::Struct(instance) = base {
            let tree = self.tree;
            let fields = &tree.structs[instance.definition as usize].fields;
            let fields: Vec<&str> = fields.iter().map(|&field| tree.name(field)).collect();
            report.help = tempo_diagnostics::nearest(tree.name(name), fields.iter().copied())
                .map(|near| format!("did you mean '{near}'?"));
            if report.help.is_none() && !fields.is_empty() {
                report.help = Some(format!("its fields are: {}", fields.join(", ")));
            }
        }
        report
    }
}
