//! From tree and evaluation to an [`Analysis`].

use std::collections::HashMap;

use tempo_diagnostics::{FileId, Span};

use super::{Analysis, Emission, Expansion, Import, Role, Scope, Symbol, SymbolKind, SymbolValue};
use crate::arena::Id;
use crate::eval::{self, ROOT_EXPANSION, Settled};
use crate::intern::Name;
use crate::layout::memory::{Block, Item};
use crate::source::Sources;
use crate::tree::{
    self, CallableKind, Expr, ExprId, NONE, NamespaceId, Rare, ScopeId, ScopeKind, Stmt, SymbolId, Tree,
};
use crate::values::Value;

/// Collects what is known. Without a result of evaluation there are no values, expansions and emissions.
pub(crate) fn of(tree: &Tree, settled: Option<&Settled>, sources: &Sources) -> Analysis {
    let mut collector = Collector { tree, analysis: Analysis::default(), used: Vec::new() };
    collector.scopes(sources);
    collector.declarations();
    collector.roles();
    collector.statements();
    collector.uses(settled);
    if let Some(settled) = settled {
        collector.values(settled);
        collector.expansions(settled);
        collector.emissions(settled);
    }
    collector.hand_out_uses();
    collector.analysis
}

/// The symbols are in the order: those of the tree, callables without number 0, structs, preprocessor symbols.
struct Collector<'t> {
    tree: &'t Tree,
    analysis: Analysis,
    /// Symbols with the places that use them.
    used: Vec<(usize, Span)>,
}

impl Collector<'_> {
    /// The symbol of a callable. Number 0 is "none".
    fn callable(&self, id: u32) -> usize {
        self.tree.symbols.len() + id as usize - 1
    }

    fn first_struct(&self) -> usize {
        self.tree.symbols.len() + self.tree.callables.len() - 1
    }

    fn statements(&mut self) {
        let statements = &mut self.analysis.statements;
        let outlined = self.tree.outline.statements.iter();
        statements.extend(outlined.filter(|span| span.start < span.end));
        // In order already but for imports, whose texts are after the one that imports them.
        statements.sort_by_key(|span| (span.start, u32::MAX - span.end));
    }

    fn scopes(&mut self, sources: &Sources) {
        let tree = self.tree;
        let mut names: HashMap<ScopeId, Name> = HashMap::new();
        for symbol in tree.symbols.iter().filter(|symbol| symbol.kind == tree::SymbolKind::Namespace) {
            if let Some(namespace) = tree.namespaces.get(symbol.namespace()) {
                names.insert(namespace.scope, symbol.name);
            }
        }
        let mut entity = |scope: ScopeId, symbol: SymbolId| {
            if let Some(symbol) = tree.symbols.get(symbol) {
                names.insert(scope, symbol.name);
            }
        };
        tree.blocks.iter().for_each(|block| entity(block.scope, block.entity));
        tree.loops.iter().for_each(|data| entity(data.body_scope, data.entity));
        tree.ifs.iter().for_each(|data| entity(data.then_scope, data.entity));
        tree.ifs.iter().for_each(|data| entity(data.else_scope, data.entity));
        for callable in tree.callables.iter().skip(1) {
            names.insert(callable.scope, callable.name);
        }
        self.analysis.scopes = (tree.scopes.entries())
            .map(|(id, scope)| Scope {
                name: names.get(&id).map_or("", |&name| tree.name(name)).to_owned(),
                parent: (scope.parent != ScopeId::NONE).then_some(scope.parent.index()),
                ranges: Vec::new(),
            })
            .collect();
        for &(scope, mut span) in &tree.outline.scopes {
            if span.end == u32::MAX {
                let file = sources.file_of(Span::at(span.start));
                span.end = sources.base(file) + sources.text(file).len() as u32 + 1;
            }
            self.analysis.scopes[scope.index()].ranges.push(span);
        }
    }

    /// The scope with the members of each symbol of the tree that has some.
    fn member_scopes(&self) -> HashMap<SymbolId, ScopeId> {
        let tree = self.tree;
        let mut scopes = HashMap::new();
        for (id, symbol) in tree.symbols.entries() {
            if symbol.kind == tree::SymbolKind::Namespace {
                scopes.insert(id, tree.namespaces[symbol.namespace()].scope);
            }
        }
        let mut entity = |entity: SymbolId, scope: ScopeId| {
            if entity != SymbolId::NONE && scope != ScopeId::NONE {
                scopes.entry(entity).or_insert(scope);
            }
        };
        tree.blocks.iter().for_each(|block| entity(block.entity, block.scope));
        tree.loops.iter().for_each(|data| entity(data.entity, data.body_scope));
        tree.ifs.iter().for_each(|data| entity(data.entity, data.then_scope));
        for call in tree.calls.iter().filter(|call| call.target != NONE) {
            entity(call.entity, tree.callables[call.target as usize].scope);
        }
        scopes
    }

    /// The symbol that a member such as `a.b` is, if the names alone tell.
    fn member(&self, scopes: &HashMap<SymbolId, ScopeId>, base: ExprId, name: Name) -> Option<SymbolId> {
        let tree = self.tree;
        let scope = match tree.exprs[base] {
            Expr::Namespace(namespace) => tree.namespaces[namespace].scope,
            Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => *scopes.get(&symbol)?,
            Expr::Member { base, name } => *scopes.get(&self.member(scopes, base, name)?)?,
            Expr::Index { base, .. } => match tree.exprs[base] {
                Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => *scopes.get(&symbol)?,
                _ => return None,
            },
            _ => return None,
        };
        let symbols = tree.scope_symbols.get(tree.scopes[scope].symbols.range())?;
        symbols.iter().copied().find(|&id| {
            let symbol = &tree.symbols[id];
            symbol.name == name
                && matches!(symbol.kind, tree::SymbolKind::Label | tree::SymbolKind::Namespace)
        })
    }

    fn roles(&mut self) {
        let tree = self.tree;
        for (symbol, scope) in self.member_scopes() {
            self.analysis.symbols[symbol.index()].members = Some(scope.index());
        }
        for data in tree.loops.iter().filter(|data| data.header_scope != ScopeId::NONE) {
            for &id in &tree.scope_symbols[tree.scopes[data.header_scope].symbols.range()] {
                self.analysis.symbols[id.index()].role = Role::LoopVariable;
            }
        }
        for rare in &tree.rares {
            match rare {
                Rare::Enum(members) => members
                    .iter()
                    .for_each(|&(id, _)| self.analysis.symbols[id.index()].role = Role::EnumMember),
                Rare::Define { exports, .. } => {
                    for &(inner, outer, _) in
                        exports.iter().filter(|(inner, outer, _)| ![*inner, *outer].contains(&SymbolId::NONE))
                    {
                        self.analysis.symbols[inner.index()].pair = Some(outer.index());
                        self.analysis.symbols[outer.index()].pair = Some(inner.index());
                    }
                }
                _ => {}
            }
        }
        for data in
            tree.ifs.iter().filter(|data| data.entity != SymbolId::NONE && data.else_scope != ScopeId::NONE)
        {
            let symbols = |scope: ScopeId| &tree.scope_symbols[tree.scopes[scope].symbols.range()];
            for &one in symbols(data.then_scope) {
                let name = tree.symbols[one].name;
                let mut others = symbols(data.else_scope).iter();
                if let Some(&other) = others.find(|&&other| tree.symbols[other].name == name) {
                    self.analysis.symbols[one.index()].pair = Some(other.index());
                    self.analysis.symbols[other.index()].pair = Some(one.index());
                }
            }
        }
        for (id, callable) in tree.callables.iter().enumerate().skip(1) {
            let own = self.callable(id as u32);
            let Some(scope) = tree.scopes.get(callable.scope) else { continue };
            // Parameters are declared before anything else of the body.
            let parameters = &tree.scope_symbols[scope.symbols.range()];
            for &parameter in parameters.iter().take(callable.parameters as usize) {
                self.analysis.symbols[parameter.index()].role = Role::Parameter;
                let name = tree.name(tree.symbols[parameter].name).to_owned();
                self.analysis.symbols[own].parameters.push(name);
            }
            self.analysis.symbols[own].members = Some(callable.scope.index());
        }
        let first = self.first_struct();
        for (id, definition) in tree.structs.iter().enumerate() {
            let fields = definition.fields.iter().map(|&name| tree.name(name).to_owned());
            self.analysis.symbols[first + id].parameters.extend(fields);
            self.analysis.symbols[first + id].field_spans.clone_from(&definition.field_spans);
        }
    }

    fn declare(&mut self, name: &str, kind: SymbolKind, scope: ScopeId, span: Span) {
        self.analysis.symbols.push(Symbol {
            name: name.to_owned(),
            kind,
            scope: scope.index(),
            span,
            reopened: Vec::new(),
            role: Role::Plain,
            members: None,
            pair: None,
            parameters: Vec::new(),
            field_spans: Vec::new(),
            uses: Vec::new(),
            values: Vec::new(),
            value_count: 0,
        });
    }

    fn declarations(&mut self) {
        let tree = self.tree;
        for symbol in &tree.symbols {
            let kind = match symbol.kind {
                tree::SymbolKind::Label => SymbolKind::Label,
                tree::SymbolKind::MultiLabel => SymbolKind::MultiLabel,
                tree::SymbolKind::Variable => SymbolKind::Variable,
                tree::SymbolKind::Constant => SymbolKind::Constant,
                tree::SymbolKind::Namespace => SymbolKind::Namespace,
            };
            let span = match symbol.kind {
                tree::SymbolKind::Namespace => tree.namespaces[symbol.namespace()].name_span,
                _ => symbol.span,
            };
            self.declare(tree.name(symbol.name), kind, symbol.scope, span);
        }
        let namespaces = self.namespace_symbols();
        for &(namespace, span) in &tree.outline.namespaces {
            let Some(&symbol) = namespaces.get(&namespace) else { continue };
            let symbol = &mut self.analysis.symbols[symbol];
            if symbol.span != span {
                symbol.reopened.push(span);
            }
        }
        for callable in tree.callables.iter().skip(1) {
            let kind = match callable.kind {
                CallableKind::Macro => SymbolKind::Macro,
                CallableKind::PseudoCommand => SymbolKind::PseudoCommand,
                CallableKind::Function => SymbolKind::Function,
            };
            let scope = tree.namespaces[callable.namespace].scope;
            self.declare(tree.name(callable.name), kind, scope, callable.name_span);
        }
        for definition in &tree.structs {
            let scope = tree.namespaces[definition.namespace].scope;
            self.declare(tree.name(definition.name), SymbolKind::Struct, scope, definition.name_span);
        }
        for flag in tree.flags.iter().filter(|flag| flag.is_definition) {
            self.declare(tree.name(flag.name), SymbolKind::Preprocessor, tree::ROOT_SCOPE, flag.span);
        }
        let import = |&(span, file): &(Span, u32)| Import { span, file: FileId(file) };
        self.analysis.imports = tree.imports.iter().map(import).collect();
    }

    fn use_symbol(&mut self, index: usize, span: Span) {
        self.used.push((index, span));
    }

    /// Gives each symbol its uses, in the order of the texts. They are counted first: lists that grow are what an editor
    /// would wait for most, since it asks with each key.
    fn hand_out_uses(&mut self) {
        let symbols = &mut self.analysis.symbols;
        let mut counts = vec![0; symbols.len()];
        self.used.retain(|&(index, _)| counts.get_mut(index).map(|count| *count += 1).is_some());
        for (symbol, count) in symbols.iter_mut().zip(counts) {
            symbol.uses.reserve_exact(count);
        }
        for &(index, span) in &self.used {
            symbols[index].uses.push(span);
        }
        for symbol in symbols {
            symbol.uses.sort_unstable();
            symbol.uses.dedup();
        }
    }

    /// The first symbol of each namespace.
    fn namespace_symbols(&self) -> HashMap<NamespaceId, usize> {
        (self.tree.symbols.iter().enumerate().rev())
            .filter(|(_, symbol)| symbol.kind == tree::SymbolKind::Namespace)
            .map(|(index, symbol)| (symbol.namespace(), index))
            .collect()
    }

    fn uses(&mut self, settled: Option<&Settled>) {
        let tree = self.tree;
        let namespaces = self.namespace_symbols();
        let scopes = self.member_scopes();
        for (expr, &span) in tree.exprs.iter().zip(&tree.expr_spans) {
            match *expr {
                Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => {
                    self.use_symbol(symbol.index(), span);
                }
                Expr::Namespace(namespace) => {
                    if let Some(&index) = namespaces.get(&namespace) {
                        self.use_symbol(index, span);
                    }
                }
                Expr::Member { base, name } => {
                    if let Some(symbol) = self.member(&scopes, base, name) {
                        self.use_symbol(symbol.index(), span);
                    }
                }
                Expr::CallUser { function, .. } => {
                    self.use_symbol(self.callable(function), span);
                }
                Expr::CallStruct { definition, .. } => {
                    self.use_symbol(self.first_struct() + definition as usize, span);
                }
                _ => {}
            }
        }
        for call in tree.calls.iter().filter(|call| call.target != NONE) {
            self.use_symbol(self.callable(call.target), call.name_span);
        }
        for &(expr, symbol) in settled.iter().flat_map(|settled| &settled.made.member_uses) {
            self.use_symbol(symbol.index(), tree.expr_spans[expr]);
        }
        let first_flag = self.first_struct() + tree.structs.len();
        let definitions: Vec<_> = tree.flags.iter().filter(|flag| flag.is_definition).collect();
        for flag in tree.flags.iter().filter(|flag| !flag.is_definition) {
            // The last definition before it, or the first one at all.
            let named = || definitions.iter().enumerate().filter(|(_, other)| other.name == flag.name);
            let before = named().rfind(|(_, other)| other.order < flag.order);
            if let Some((index, _)) = before.or_else(|| named().next()) {
                self.use_symbol(first_flag + index, flag.span);
            }
        }
    }

    fn values(&mut self, settled: &Settled) {
        let tree = self.tree;
        for label in &settled.made.labels {
            let value = SymbolValue {
                number: Some(label.value),
                text: tempo_formats::number::to_string(label.value),
                type_name: "LabelValue".to_owned(),
                segment: Some(label.segment as usize),
                expansion: index_of(label.expansion),
            };
            let symbol = &mut self.analysis.symbols[label.symbol.index()];
            symbol.value_count += 1;
            symbol.values.push(value);
        }
        for (&id, noted) in &settled.made.noted {
            self.analysis.symbols[id.index()].value_count = noted.count;
            for value in &noted.first {
                self.value(id.index(), value);
            }
        }
        for (index, symbol) in tree.symbols.iter().enumerate() {
            let scope = &tree.scopes[symbol.scope];
            let is_value = matches!(symbol.kind, tree::SymbolKind::Variable | tree::SymbolKind::Constant);
            if !is_value || scope.kind != ScopeKind::Namespace {
                continue;
            }
            self.value(index, settled.value(scope.base + symbol.slot));
            let symbol = &mut self.analysis.symbols[index];
            symbol.value_count = symbol.values.len() as u64;
        }
    }

    /// Adds a value of a variable or constant, if it is known.
    fn value(&mut self, symbol: usize, value: &Value) {
        if let Some(value) = self.shown(value) {
            self.analysis.symbols[symbol].values.push(value);
        }
    }

    /// A value as it is shown, if it is known.
    fn shown(&self, value: &Value) -> Option<SymbolValue> {
        let tree = self.tree;
        let of_struct = |definition: u32| tree.name(tree.structs[definition as usize].name).to_owned();
        let text = value.to_text(&of_struct).ok()?;
        if matches!(value, Value::Invalid(_)) {
            return None;
        }
        let type_name = match value {
            Value::Struct(instance) => of_struct(instance.definition),
            other => other.type_of().to_string(),
        };
        let (number, text) = (value.as_number(), text.as_str().to_owned());
        Some(SymbolValue { number, text, type_name, segment: None, expansion: None })
    }

    fn expansions(&mut self, settled: &Settled) {
        let tree = self.tree;
        let expansion = |expansion: &eval::Expansion| Expansion {
            kind: expansion.kind,
            name: match tree.stmts[expansion.stmt] {
                Stmt::MacroCall(call) | Stmt::PseudoCall(call) => {
                    tree.name(tree.calls[call as usize].name).to_owned()
                }
                _ => String::new(),
            },
            span: tree.stmt_spans[expansion.stmt],
            iteration: expansion.iteration,
            parent: index_of(expansion.parent),
            values: Vec::new(),
        };
        self.analysis.expansions = settled.made.expansions.iter().map(expansion).collect();
        for (expansion, symbol, value) in &settled.made.arguments {
            let name = tree.name(tree.symbols[*symbol].name).to_owned();
            if let Some(value) = self.shown(value)
                && let Some(expansion) = self.analysis.expansions.get_mut(*expansion as usize)
            {
                expansion.values.push((name, value));
            }
        }
    }

    fn emissions(&mut self, settled: &Settled) {
        for (segment, data) in settled.made.memory.segments.iter().enumerate() {
            for block in &data.blocks {
                let first = self.analysis.bytes.len();
                self.analysis.bytes.extend_from_slice(&block.bytes);
                for item in &block.items {
                    self.emission(segment, block, item, first);
                }
            }
        }
    }

    /// One item; `first` is where the bytes of its block start.
    fn emission(&mut self, segment: usize, block: &Block, item: &Item, first: usize) {
        let address = block.start.unwrap_or(0) + i64::from(item.offset);
        let moved = block.moved.iter().find(|moved| (moved.start..moved.end).contains(&item.offset));
        let run_address = moved.map_or(address, |moved| moved.address + i64::from(item.offset - moved.start));
        let cpu = match self.tree.stmts[item.stmt] {
            Stmt::Instruction { cpu, .. } => Some(cpu),
            _ => None,
        };
        let cycles = cpu.filter(|cpu| cpu.has_cycles()).and_then(|cpu| {
            let row = cpu.decode(*block.bytes.get(item.offset as usize)?);
            Some((row.cycles, row.max_cycles()))
        });
        let start = first + item.offset as usize;
        self.analysis.emissions.push(Emission {
            span: self.tree.stmt_spans[item.stmt],
            segment,
            address,
            run_address,
            cycles,
            cpu,
            expansion: index_of(item.expansion),
            bytes: start..start + item.len as usize,
        });
    }
}

fn index_of(expansion: u32) -> Option<usize> {
    (expansion != ROOT_EXPANSION).then_some(expansion as usize)
}
