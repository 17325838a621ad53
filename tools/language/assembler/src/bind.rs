//! Names to places, once, before anything runs: every name in every expression is bound to its declaration, every
//! call to its target. Reports what is unknown, double or too early; knows no values.

use crate::arena::{Arena, Id};
use crate::codes::Code;
use crate::hash::NumberMap;
use crate::intern::Name;
use crate::lex::MultiRef;
use crate::library;
use crate::report::{Fault, Report, Unknown};
use crate::tree::*;
use tempo_diagnostics::nearest;

/// Binds the whole tree in the order it was read.
pub(crate) fn names(tree: &mut Tree, max_errors: usize, reports: &mut Vec<Report>) {
    if tree.rares.iter().any(|rare| matches!(rare, Rare::AssertError { .. })) {
        // Errors that an assertion expects do not stop it.
        bind(tree, usize::MAX, reports);
        catch(tree, reports);
        reports.truncate(max_errors.saturating_add(1));
    } else {
        bind(tree, max_errors, reports);
    }
}

fn bind(tree: &mut Tree, max_errors: usize, reports: &mut Vec<Report>) {
    lay_out_frames(tree, max_errors, reports);
    let mut binder = Binder {
        current: vec![SymbolId::NONE; tree.names.len()],
        undo: Vec::new(),
        open: Vec::new(),
        closed: Vec::new(),
        multi: Arena::filled_like(&tree.scopes, Vec::new()),
        built_ins: NumberMap::default(),
        reports,
        max_errors,
        tree,
    };
    binder.index_multi_labels();
    binder.enter(SYSTEM_SCOPE);
    binder.enter(ROOT_SCOPE);
    binder.run();
}

/// Gives the faults inside an `.asserterror` to the assertion.
fn catch(tree: &mut Tree, reports: &mut Vec<Report>) {
    if reports.is_empty() {
        return;
    }
    for rare in &mut tree.rares {
        let Rare::AssertError { range, caught, .. } = rare else { continue };
        reports.retain(|report| {
            let is_inside =
                report.span.is_some_and(|span| range.start <= span.start && span.start < range.end);
            if is_inside {
                caught.get_or_insert_with(|| report.message.clone());
            }
            !is_inside
        });
    }
}

/// Groups symbols by scope, reports doubles, and gives each symbol its place in the frame.
fn lay_out_frames(tree: &mut Tree, max_errors: usize, reports: &mut Vec<Report>) {
    let mut counts = Arena::filled_like(&tree.scopes, 0u32);
    for symbol in &tree.symbols {
        counts[symbol.scope] += 1;
    }
    let mut start = 0;
    for (scope, &count) in tree.scopes.iter_mut().zip(&counts) {
        scope.symbols = List { start, len: 0 };
        start += count;
    }
    tree.scope_symbols = vec![SymbolId(0); tree.symbols.len()];
    for (id, symbol) in tree.symbols.entries() {
        let symbols = &mut tree.scopes[symbol.scope].symbols;
        tree.scope_symbols[(symbols.start + symbols.len) as usize] = id;
        symbols.len += 1;
    }

    // The scope a name was last seen in, and its first declaration there.
    let mut seen: Vec<(ScopeId, SymbolId)> = vec![(ScopeId::NONE, SymbolId::NONE); tree.names.len()];
    let mut base = 0;
    for scope_id in tree.scopes.ids() {
        let symbols = tree.scopes[scope_id].symbols;
        place_symbols(tree, scope_id);
        if tree.scopes[scope_id].kind == ScopeKind::Namespace {
            tree.scopes[scope_id].base = base;
            base += tree.scopes[scope_id].slots;
        }
        for &id in &tree.scope_symbols[symbols.range()] {
            let symbol = &tree.symbols[id];
            if symbol.kind == SymbolKind::MultiLabel {
                continue;
            }
            let entry = &mut seen[symbol.name.0 as usize];
            if entry.0 == scope_id {
                if reports.len() > max_errors {
                    break;
                }
                let name = tree.names.get(symbol.name);
                let message = match symbol.kind {
                    SymbolKind::Namespace => {
                        format!(
                            "Can't define namespace '{name}'. The symbol of that name is already defined."
                        )
                    }
                    _ => format!("The symbol '{name}' is already defined"),
                };
                if symbol.order != ExprId::FIRST || symbol.kind != SymbolKind::Variable {
                    let first = tree.symbols[entry.1].span;
                    let report = Report::error(Code::DuplicateSymbol, symbol.span, message);
                    reports.push(report.with_label_at(first, "first defined here"));
                }
            } else {
                *entry = (scope_id, id);
            }
        }
    }
    tree.static_slots = base;
}

/// Gives the symbols of a scope their places. A scope without labels inside of another one shares its frame, so that
/// bodies in bodies find all variables in one frame. Parents come before their children.
fn place_symbols(tree: &mut Tree, id: ScopeId) {
    let scope = &tree.scopes[id];
    let symbols = scope.symbols;
    let is_label = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Label | SymbolKind::MultiLabel);
    let places = tree.scope_symbols[symbols.range()].iter().map(|&id| &tree.symbols[id]);
    let has_labels = places.clone().any(is_label);
    let has_zp_labels = places.clone().any(|symbol| is_label(symbol) && symbol.is_zp);
    let slots: u32 = places.filter(|symbol| symbol.kind != SymbolKind::Namespace).map(Symbol::slots).sum();
    let has_own = scope.is_entity || has_labels;
    // The frame that is current around the scope, and where its entries end there.
    let (mut frame, mut first, mut depth) = (ScopeId::NONE, 0, 0);
    if scope.kind == ScopeKind::Local {
        let outer = &tree.scopes[scope.parent];
        depth = outer.depth;
        if outer.kind == ScopeKind::Local && outer.callable == scope.callable {
            (frame, first) = (outer.frame, outer.first + outer.slots);
        }
        let shares = frame != ScopeId::NONE && tree.scopes[frame].is_stacked() && !has_own;
        if (slots > 0 || has_own) && !(shares && first + slots <= u32::from(u16::MAX)) {
            (frame, first) = (id, 0);
            depth += 1;
        }
    }
    let mut slot = first;
    // Labels come first: they keep their values from pass to pass.
    for kept in [true, false] {
        for &id in &tree.scope_symbols[symbols.range()] {
            let symbol = &mut tree.symbols[id];
            if is_label(symbol) == kept && symbol.kind != SymbolKind::Namespace {
                symbol.slot = slot;
                slot += symbol.slots();
            }
        }
        if kept {
            tree.scopes[id].kept = slot - first;
        }
    }
    let scope = &mut tree.scopes[id];
    scope.has_zp_labels = has_zp_labels;
    (scope.slots, scope.frame, scope.first, scope.depth) = (slots, frame, first, depth);
    if let Some(owner) = tree.scopes.get_mut(frame) {
        owner.frame_slots = owner.frame_slots.max(first + slots);
    }
}

struct Binder<'t> {
    tree: &'t mut Tree,
    reports: &'t mut Vec<Report>,
    max_errors: usize,
    /// The declaration each name refers to at the moment.
    current: Vec<SymbolId>,
    /// The meaning of the names before the open scopes.
    undo: Vec<(Name, SymbolId)>,
    open: Vec<Open>,
    /// Scopes put aside while an imported file is read.
    closed: Vec<Vec<ScopeId>>,
    /// Multi labels of each scope in source order.
    multi: Arena<ScopeId, Vec<Multi>>,
    /// The functions of the library by the names that were looked for.
    built_ins: NumberMap<Name, Option<u16>>,
}

#[derive(Clone, Copy)]
struct Open {
    scope: ScopeId,
    /// Length of `undo` when it was entered.
    undo: usize,
    /// Event number at which it was entered: the position of the scope in its parent.
    entered: u32,
}

#[derive(Clone, Copy)]
struct Multi {
    name: Name,
    symbol: SymbolId,
    /// Event number: the position in the source.
    event: u32,
}

impl Binder<'_> {
    fn index_multi_labels(&mut self) {
        for (event, entry) in self.tree.events.iter().enumerate() {
            if let EventKind::MultiLabel(symbol) = entry.kind {
                let Symbol { name, scope, .. } = self.tree.symbols[symbol];
                self.multi[scope].push(Multi { name, symbol, event: event as u32 });
            }
        }
    }

    fn run(&mut self) {
        let mut expr = ExprId::FIRST;
        for event in 0..self.tree.events.len() {
            if self.reports.len() > self.max_errors {
                return;
            }
            let Event { at, kind } = self.tree.events[event];
            if expr < at {
                self.expressions(expr, at, event as u32);
                expr = at;
            }
            match kind {
                EventKind::Enter(scope) => self.enter_at(scope, event as u32),
                EventKind::Leave => self.leave(),
                EventKind::EnterFile(scope) => {
                    let mut aside = Vec::new();
                    while self.open.len() > 1 + scope.index() {
                        aside.extend(self.open.last().map(|open| open.scope));
                        self.leave();
                    }
                    self.closed.push(aside);
                }
                EventKind::LeaveFile => {
                    while self.open.len() > 2 {
                        self.leave();
                    }
                    if self.open.len() == 1 {
                        self.enter(ROOT_SCOPE);
                    }
                    for scope in self.closed.pop().unwrap_or_default().into_iter().rev() {
                        if scope != ROOT_SCOPE {
                            self.enter_at(scope, event as u32);
                        }
                    }
                }
                EventKind::MultiLabel(_) => {}
                EventKind::MacroCall(call) => self.call(call, true),
                EventKind::PseudoCall(call) => self.call(call, false),
            }
        }
        let events = self.tree.events.len() as u32;
        self.expressions(expr, self.tree.exprs.next_id(), events);
    }

    fn enter(&mut self, scope: ScopeId) {
        self.enter_at(scope, 0);
    }

    fn enter_at(&mut self, scope: ScopeId, event: u32) {
        self.open.push(Open { scope, undo: self.undo.len(), entered: event });
        for &id in &self.tree.scope_symbols[self.tree.scopes[scope].symbols.range()] {
            let symbol = &self.tree.symbols[id];
            if symbol.kind == SymbolKind::MultiLabel {
                continue;
            }
            let current = &mut self.current[symbol.name.0 as usize];
            // If a name is declared twice, the first declaration wins.
            if *current == SymbolId::NONE || self.tree.symbols[*current].scope != scope {
                self.undo.push((symbol.name, *current));
                *current = id;
            }
        }
    }

    fn leave(&mut self) {
        let Some(open) = self.open.pop() else { return };
        for (name, before) in self.undo.drain(open.undo..).rev() {
            self.current[name.0 as usize] = before;
        }
    }

    fn scope(&self) -> ScopeId {
        self.open.last().map_or(SYSTEM_SCOPE, |open| open.scope)
    }

    /// Binds the expressions from one up to another.
    fn expressions(&mut self, first: ExprId, end: ExprId, event: u32) {
        for id in (first.0..end.0).map(ExprId) {
            match self.tree.exprs[id] {
                Expr::Name { name, is_root } => self.name(id, name, is_root),
                Expr::MultiRef(_) | Expr::Call { .. } => self.rare_expression(id, event),
                _ => continue,
            }
            if self.reports.len() > self.max_errors {
                return;
            }
        }
    }

    #[inline(never)]
    fn rare_expression(&mut self, id: ExprId, event: u32) {
        match self.tree.exprs[id] {
            Expr::MultiRef(reference) => {
                let reference = self.tree.multi_refs[reference as usize];
                self.multi_ref(id, reference, event);
            }
            Expr::Call { name, arguments, len, is_root } => self.function(id, name, arguments, len, is_root),
            _ => {}
        }
    }

    #[inline]
    fn place(&self, symbol: SymbolId) -> Expr {
        let target = &self.tree.symbols[symbol];
        let scope = &self.tree.scopes[target.scope];
        if scope.kind == ScopeKind::Namespace {
            return Expr::Static { slot: scope.base + target.slot, symbol };
        }
        let here = &self.tree.scopes[self.scope()];
        let hops = here.depth.saturating_sub(scope.depth);
        Expr::Local { hops: hops as u16, slot: target.slot as u16, symbol }
    }

    #[inline]
    fn name(&mut self, id: ExprId, name: Name, is_root: bool) {
        let mut symbol = self.current[name.0 as usize];
        if is_root && symbol != SymbolId::NONE && self.tree.symbols[symbol].scope != ROOT_SCOPE {
            symbol = self.root_symbol(name);
        }
        if symbol == SymbolId::NONE {
            return self.unknown(id, name);
        }
        let target = &self.tree.symbols[symbol];
        let is_checked = matches!(target.kind, SymbolKind::Variable | SymbolKind::Constant);
        if is_checked && id < target.order && self.is_early(target.scope) {
            return self.early(id, name);
        }
        if target.kind == SymbolKind::Namespace {
            self.tree.exprs[id] = Expr::Namespace(target.namespace());
            return;
        }
        self.tree.exprs[id] = self.place(symbol);
    }

    /// A name that nothing declares: a constant of the library, or a fault.
    #[cold]
    fn unknown(&mut self, id: ExprId, name: Name) {
        let span = self.tree.expr_spans[id];
        let text = self.tree.names.get(name);
        if let Some(value) = library::constants::find(text) {
            self.tree.has_colours |= library::constants::is_colour(text);
            self.tree.exprs[id] = value;
            return;
        }
        let mut report = Report::fault(Fault::Unknown(Unknown::Symbol, name), span, &self.tree.names);
        if let Some(near) = self.nearest_symbol(text) {
            report = report.with_help(format!("a symbol with a similar name is '{near}'"));
        }
        self.reports.push(report);
        self.tree.exprs[id] = Expr::Poison;
    }

    /// Whether a declaration further down in a scope is one of the code that is being read.
    fn is_early(&self, scope: ScopeId) -> bool {
        let callable = |scope: ScopeId| self.tree.scopes[scope].callable;
        callable(scope) == callable(self.scope())
    }

    /// A name that is used above its declaration.
    #[cold]
    fn early(&mut self, id: ExprId, name: Name) {
        let text = self.tree.names.get(name);
        let span = self.tree.expr_spans[id];
        let message = format!("Reference to not yet defined symbol '{text}'");
        let report = Report::error(Code::UsedBeforeDeclared, span, message);
        self.reports
            .push(report.with_help("variables and constants can only be used below their declaration"));
        self.tree.exprs[id] = Expr::Poison;
    }

    fn root_symbol(&self, name: Name) -> SymbolId {
        let symbols = self.tree.scopes[ROOT_SCOPE].symbols;
        let named = |&&id: &&SymbolId| {
            let symbol = &self.tree.symbols[id];
            symbol.name == name && symbol.kind != SymbolKind::MultiLabel
        };
        self.tree.scope_symbols[symbols.range()].iter().find(named).copied().unwrap_or(SymbolId::NONE)
    }

    fn nearest_symbol(&self, text: &str) -> Option<String> {
        // The search is linear in the number of names; a source full of unknown names must not make it quadratic.
        if self.reports.len() > 20 {
            return None;
        }
        let visible = self.current.iter().enumerate().filter(|&(_, &symbol)| symbol != SymbolId::NONE);
        let candidates = visible.map(|(name, _)| self.tree.names.get(Name(name as u32)));
        nearest(text, candidates).map(str::to_owned)
    }

    /// Counts through the labels of the own scope, then of the scopes around it.
    fn multi_ref(&mut self, id: ExprId, reference: MultiRef, event: u32) {
        let mut left = reference.distance.unsigned_abs() as usize;
        let mut position = event;
        for open in self.open.iter().rev() {
            let labels = &self.multi[open.scope];
            let split = labels.partition_point(|label| label.event < position);
            let named = |label: &&Multi| label.name == reference.name;
            let (before, after) = labels.split_at(split);
            let mut forward;
            let mut backward;
            let candidates: &mut dyn Iterator<Item = &Multi> = if reference.distance > 0 {
                forward = after.iter().filter(named);
                &mut forward
            } else {
                backward = before.iter().rev().filter(named);
                &mut backward
            };
            for label in candidates {
                left -= 1;
                if left == 0 {
                    self.tree.exprs[id] = self.place(label.symbol);
                    return;
                }
            }
            position = open.entered;
        }
        let sign = if reference.distance > 0 { "+" } else { "-" };
        let signs = sign.repeat(reference.distance.unsigned_abs() as usize);
        let message = format!("Unknown symbol '!{}{signs}'", self.tree.names.get(reference.name));
        self.reports.push(Report::error(Code::UnknownSymbol, self.tree.expr_spans[id], message));
        self.tree.exprs[id] = Expr::Poison;
    }

    /// The namespaces in which an entity is looked for, innermost first.
    fn namespaces(&self, is_root: bool, from: NamespaceId) -> impl Iterator<Item = NamespaceId> {
        let first = if is_root { ROOT_NAMESPACE } else { from };
        let parent = |namespace: NamespaceId| self.tree.namespaces[namespace].parent;
        std::iter::successors(Some(first), move |&namespace| {
            Some(parent(namespace)).filter(|&parent| parent != NamespaceId::NONE)
        })
    }

    fn function(&mut self, id: ExprId, name: Name, arguments: u32, len: u16, is_root: bool) {
        let namespace = self.tree.scopes[self.scope()].namespace;
        // The innermost namespace with a function of the name hides those further out, whatever they take.
        let overloads = self
            .namespaces(is_root, namespace)
            .find_map(|namespace| self.tree.functions.get(&(namespace, name)));
        let is_known = overloads.is_some();
        let fits = |&&(count, _): &&(u32, Function)| count == u32::from(len) || count == NONE;
        if let Some(&(_, function)) = overloads.and_then(|overloads| overloads.iter().find(fits)) {
            self.tree.exprs[id] = match function {
                Function::User(function) => Expr::CallUser { function, arguments, len },
                Function::Struct(definition) => Expr::CallStruct { definition, arguments, len },
            };
            return;
        }
        let span = self.tree.expr_spans[id];
        let text = self.tree.names.get(name);
        let is_kick = self.tree.is_kick;
        let built_in = *self.built_ins.entry(name).or_insert_with(|| {
            library::find(text).filter(|&function| !(is_kick && library::is_ours(function)))
        });
        match built_in.filter(|_| !is_known) {
            Some(function) if library::is_bound(function) && library::takes(function, len) => {
                let path = self.tree.namespaces[namespace].path.clone();
                self.tree.exprs[id] = Expr::String(self.tree.strings.len() as u32);
                self.tree.strings.push(path);
            }
            Some(function) if library::takes(function, len) => {
                self.tree.exprs[id] = Expr::CallBuiltIn { function, arguments, len };
            }
            built_in => {
                let report = if is_known || built_in.is_some() {
                    let message = format!("Invalid number of arguments for function '{text}'");
                    let mut takes: Vec<u32> = match overloads {
                        Some(overloads) => overloads.iter().map(|&(count, _)| count).collect(),
                        None => (0..8)
                            .filter(|&count| built_in.is_some_and(|function| library::takes(function, count)))
                            .map(u32::from)
                            .collect(),
                    };
                    takes.sort_unstable();
                    let takes: Vec<String> = takes.iter().map(u32::to_string).collect();
                    Report::error(Code::FunctionArguments, span, message)
                        .with_label(format!("'{text}' takes {}, called with {len}", takes.join(" or ")))
                } else {
                    let fault = Fault::Unknown(Unknown::Function, name);
                    let report = Report::fault(fault, span, &self.tree.names);
                    let mut known: Vec<&str> = library::names().collect();
                    known.retain(|name| {
                        !is_kick || library::find(name).is_none_or(|found| !library::is_ours(found))
                    });
                    known.extend(self.tree.functions.keys().map(|&(_, name)| self.tree.names.get(name)));
                    let is_macro = self.tree.macros.keys().any(|&(_, macro_name)| macro_name == name);
                    match nearest(text, known) {
                        _ if is_macro => report
                            .with_help("there is a macro of that name, which emits code and gives no value"),
                        Some(near) => report.with_help(format!("a function with a similar name is '{near}'")),
                        None => report,
                    }
                };
                self.reports.push(report);
                self.tree.exprs[id] = Expr::Poison;
            }
        }
    }

    fn call(&mut self, call: u32, is_macro: bool) {
        let Call { name, is_root, namespace, span, .. } = self.tree.calls[call as usize];
        let table = if is_macro { &self.tree.macros } else { &self.tree.pseudo_commands };
        let target =
            self.namespaces(is_root, namespace).find_map(|namespace| table.get(&(namespace, name)).copied());

        let text = self.tree.names.get(name);
        let Some(target) = target else {
            let what = if is_macro { Unknown::Macro } else { Unknown::PseudoCommand };
            let mut report = Report::fault(Fault::Unknown(what, name), span, &self.tree.names);
            if let Some(help) = self.unknown_call_help(text, is_macro) {
                report = report.with_help(help);
            }
            self.reports.push(report);
            return;
        };
        let parameters = self.tree.callables[target as usize].parameters;
        let arguments = self.tree.calls[call as usize].arguments.len;
        if is_macro && parameters != arguments {
            let report = Report::error(Code::CallArguments, span, "Invalid number of arguments for macro");
            self.reports
                .push(report.with_label(format!("'{text}' takes {parameters}, called with {arguments}")));
        } else if !is_macro && arguments > parameters.max(1) {
            let report = Report::error(Code::CallArguments, span, "Too many arguments for pseudo command");
            self.reports
                .push(report.with_label(format!("'{text}' takes {parameters}, called with {arguments}")));
        }
        self.tree.calls[call as usize].target = target;
    }

    fn unknown_call_help(&self, text: &str, is_macro: bool) -> Option<String> {
        if self.reports.len() > 20 {
            return None;
        }
        if !is_macro {
            let lower = text.to_ascii_lowercase();
            if lower != text && tempo_isa::Mnemonic::parse(&lower).is_some() {
                return Some(format!("mnemonics are written in lower case: {lower}"));
            }
            let named = |&&(_, name): &&(NamespaceId, Name)| self.tree.names.get(name) == text;
            if self.tree.macros.keys().any(|key| named(&key)) {
                return Some(format!("there is a macro of that name: call it as {text}(...)"));
            }
            if let Some(mnemonic) = tempo_isa::Mnemonic::parse(text) {
                let other = tempo_isa::Cpu::assembled().find(|cpu| cpu.has(mnemonic));
                let has_it =
                    other.map(|cpu| format!("; .cpu {} has it", cpu.kick_name())).unwrap_or_default();
                return Some(format!("the selected cpu does not have this instruction{has_it}"));
            }
        }
        let table = if is_macro { &self.tree.macros } else { &self.tree.pseudo_commands };
        let mut known: Vec<&str> = table.keys().map(|&(_, name)| self.tree.names.get(name)).collect();
        if is_macro {
            if self.tree.functions.keys().any(|&(_, name)| self.tree.names.get(name) == text) {
                return Some("there is a function of that name: use its value in an expression".to_owned());
            }
            return nearest(text, known).map(|near| format!("did you mean '{near}'?"));
        }
        // `lad` is a documented instruction mistyped, not an undocumented one.
        let documented = tempo_isa::Cpu::Mos6502Documented;
        let mnemonics = tempo_isa::Mnemonic::ALL.iter();
        known.extend(mnemonics.filter(|&&mnemonic| documented.has(mnemonic)).map(|mnemonic| mnemonic.name()));
        let all = tempo_isa::Mnemonic::ALL.iter().map(|mnemonic| mnemonic.name());
        let near = nearest(text, known).or_else(|| nearest(text, all))?;
        Some(format!("did you mean '{near}'?"))
    }
}
