//! Names that are declared where they cannot be seen: the path that leads to them, or why there is none.
//! Knows the tree after binding, and no values.

use tempo_diagnostics::Span;

use crate::arena::{Arena, Id};
use crate::source::Sources;
use crate::tree::*;

/// Candidates that are looked at: a large source may declare `loop` a thousand times.
const MOST: usize = 16;

/// Nested scopes that are followed; a macro that calls itself has no outermost one.
const DEEPEST: usize = 32;

/// Before a path that begins with a name of the root.
const ROOT_ESCAPE: &str = "@";

/// The information about a name.
pub(super) enum Advice {
    /// There is a path to it.
    Path(String),
    /// It is local to a scope.
    Local(String),
}

/// The owner of a scope's body. Entities are the labels before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Nothing that has names for others, such as `.fill`.
    Other,
    /// By the symbol of the namespace.
    Namespace(SymbolId),
    Block(SymbolId),
    Branch(SymbolId),
    Loop(SymbolId),
    LoopHead,
    Callable(u32),
    Define,
}

/// The way from a declaration to the place that uses its name.
struct Way {
    /// The names of the path, the outermost last.
    parts: Vec<String>,
    /// Scopes that would need a label.
    missing: Vec<Owner>,
    /// The outermost name of the path; `NONE` if that is missing.
    first: SymbolId,
    has_loop: bool,
    has_call: bool,
}

pub(super) struct Scopes<'t> {
    tree: &'t Tree,
    sources: &'t Sources,
    owners: Arena<ScopeId, Owner>,
}

impl<'t> Scopes<'t> {
    pub fn of(tree: &'t Tree, sources: &'t Sources) -> Scopes<'t> {
        let mut owners = Arena::filled_like(&tree.scopes, Owner::Other);
        let mut own = |scope: ScopeId, owner: Owner| {
            if let Some(place) = owners.get_mut(scope) {
                *place = owner;
            }
        };
        for (id, symbol) in tree.symbols.entries().rev() {
            if symbol.kind == SymbolKind::Namespace {
                own(tree.namespaces[symbol.namespace()].scope, Owner::Namespace(id));
            }
        }
        tree.blocks.iter().for_each(|block| own(block.scope, Owner::Block(block.entity)));
        for data in &tree.ifs {
            own(data.then_scope, Owner::Branch(data.entity));
            own(data.else_scope, Owner::Branch(data.entity));
        }
        for data in &tree.loops {
            own(data.header_scope, Owner::LoopHead);
            own(data.body_scope, Owner::Loop(data.entity));
        }
        for (id, callable) in tree.callables.iter().enumerate().skip(1) {
            own(callable.scope, Owner::Callable(id as u32));
        }
        for rare in &tree.rares {
            if let Rare::Define { scope, .. } = rare {
                own(*scope, Owner::Define);
            }
        }
        Scopes { tree, sources, owners }
    }

    /// Advice on a name that is unknown at a place.
    pub fn advise(&self, place: Span, word: &str) -> Option<Advice> {
        let seen = self.seen_from(place);
        let tree = self.tree;
        let named = tree.symbols.entries().filter(|(_, symbol)| {
            symbol.kind != SymbolKind::MultiLabel
                && tree.name(symbol.name) == word
                && self.sources.file_of(symbol.span) != 0
        });
        let mut local = None;
        for (id, symbol) in named.take(MOST) {
            let advice = match symbol.kind {
                SymbolKind::Variable | SymbolKind::Constant => self.value(id, &seen),
                _ => self.label(id, &seen),
            };
            match advice {
                Some(Advice::Local(help)) => local = local.or(Some(help)),
                Some(path) => return Some(path),
                None => {}
            }
        }
        local.map(Advice::Local)
    }

    /// The scopes that are open at a place, the innermost first.
    fn seen_from(&self, place: Span) -> Vec<ScopeId> {
        let tree = self.tree;
        let unknown = tree
            .expr_spans
            .iter()
            .zip(&tree.exprs)
            .position(|(span, expr)| *span == place && matches!(expr, Expr::Poison));
        let innermost = unknown.map_or(ROOT_SCOPE, |expr| self.scope_of(ExprId::from_index(expr)));
        let parent = |&scope: &ScopeId| Some(tree.scopes[scope].parent).filter(|&up| up != ScopeId::NONE);
        std::iter::successors(Some(innermost), parent).collect()
    }

    /// The scope in which an expression stands, as `bind` enters and leaves them.
    fn scope_of(&self, expr: ExprId) -> ScopeId {
        let mut open = vec![SYSTEM_SCOPE, ROOT_SCOPE];
        let mut aside = Vec::new();
        for event in self.tree.events.iter().take_while(|event| event.at <= expr) {
            match event.kind {
                EventKind::Enter(scope) => open.push(scope),
                EventKind::Leave => {
                    open.pop();
                }
                EventKind::EnterFile(scope) => aside.push(open.split_off(open.len().min(1 + scope.index()))),
                EventKind::LeaveFile => {
                    open.truncate(2);
                    if open.len() == 1 {
                        open.push(ROOT_SCOPE);
                    }
                    let before = aside.pop().unwrap_or_default();
                    open.extend(before.into_iter().filter(|&scope| scope != ROOT_SCOPE));
                }
                _ => {}
            }
        }
        open.last().copied().unwrap_or(ROOT_SCOPE)
    }

    fn name(&self, symbol: SymbolId) -> &'t str {
        self.tree.name(self.tree.symbols[symbol].name)
    }

    /// How a label would be reached.
    fn way(&self, symbol: SymbolId, seen: &[ScopeId]) -> Option<Way> {
        let tree = self.tree;
        let mut way = Way {
            parts: vec![self.name(symbol).to_owned()],
            missing: Vec::new(),
            first: symbol,
            has_loop: false,
            has_call: false,
        };
        let mut scope = tree.symbols[symbol].scope;
        for _ in 0..DEEPEST {
            if seen.contains(&scope) {
                if self.is_first(way.first, seen) {
                    return Some(way);
                }
                way.parts.push(ROOT_ESCAPE.to_owned());
                return Some(way).filter(|_| scope == ROOT_SCOPE);
            }
            let owner = self.owners[scope];
            let parent = tree.scopes[scope].parent;
            let (entity, place, outer) = match owner {
                Owner::Namespace(symbol) => (symbol, "", parent),
                Owner::Block(entity) => (entity, "b", parent),
                Owner::Branch(entity) => (entity, "b", parent),
                Owner::Loop(entity) if self.owners[parent] == Owner::LoopHead => {
                    (entity, "l", tree.scopes[parent].parent)
                }
                Owner::Loop(entity) => (entity, "l", parent),
                Owner::Callable(callable) => (self.labelled_call(callable), "m", ScopeId::NONE),
                Owner::LoopHead | Owner::Define | Owner::Other => return None,
            };
            let index = if matches!(owner, Owner::Loop(_)) { "[0]" } else { "" };
            way.has_loop |= matches!(owner, Owner::Loop(_));
            way.has_call |= matches!(owner, Owner::Callable(_));
            way.first = entity;
            if entity == SymbolId::NONE {
                way.missing.push(owner);
                way.parts.push(format!("{place}{index}"));
                // Where the label before a call would be is not known.
                if outer == ScopeId::NONE {
                    return Some(way);
                }
                scope = outer;
            } else {
                way.parts.push(format!("{}{index}", self.name(entity)));
                scope = tree.symbols[entity].scope;
            }
        }
        None
    }

    /// Whether a name means this symbol where the given scopes are open.
    fn is_first(&self, symbol: SymbolId, seen: &[ScopeId]) -> bool {
        if symbol == SymbolId::NONE {
            return true;
        }
        let tree = self.tree;
        let Symbol { name, scope, .. } = tree.symbols[symbol];
        let declares = |&&open: &&ScopeId| {
            let symbols = &tree.scope_symbols[tree.scopes[open].symbols.range()];
            symbols.iter().map(|&id| &tree.symbols[id]).any(|other| other.name == name)
        };
        seen.iter().find(declares) == Some(&scope)
    }

    /// The label before a call of a macro or pseudo command, outside of its own body.
    fn labelled_call(&self, callable: u32) -> SymbolId {
        let is_outside = |entity: SymbolId| {
            let scope = self.tree.symbols[entity].scope;
            self.tree.scopes[scope].callable != callable
        };
        let calls = self.tree.calls.iter();
        let mut labelled = calls.filter(|call| call.target == callable && call.entity != SymbolId::NONE);
        labelled.find(|call| is_outside(call.entity)).map_or(SymbolId::NONE, |call| call.entity)
    }

    /// A label, or a namespace in another one.
    fn label(&self, symbol: SymbolId, seen: &[ScopeId]) -> Option<Advice> {
        let way = self.way(symbol, seen)?;
        let name = self.name(symbol);
        let path = way.path();
        let &[missing] = way.missing.as_slice() else {
            if way.missing.is_empty() {
                let what = match () {
                    () if way.has_loop => "each iteration has its own, 0 is the first",
                    () if way.has_call => "a name inside of that call",
                    () => "a name inside of a block or namespace",
                };
                return Some(Advice::Path(format!("there is '{path}': {what}")));
            }
            let place = self.described(self.owners[self.tree.symbols[symbol].scope])?;
            return Some(Advice::Local(format!("'{name}' is local to {place}")));
        };
        let place = self.described(missing)?;
        Some(Advice::Local(match missing {
            Owner::Callable(callable) => {
                let Callable { name: called, kind, .. } = self.tree.callables[callable as usize];
                let called = self.tree.name(called);
                let arguments = if kind == CallableKind::Macro { "(...)" } else { " ..." };
                format!(
                    "'{name}' is local to {place}; call it with a label, m: {called}{arguments}, and use '{path}'"
                )
            }
            Owner::Loop(_) => {
                format!("'{name}' is local to {place}; put l: before the loop and use '{path}'")
            }
            owner => {
                let start = if matches!(owner, Owner::Branch(_)) { ".if" } else { "{" };
                format!(
                    "'{name}' is local to {place}; declare it as @{name}:, or put b: before the {start} and use '{path}'"
                )
            }
        }))
    }

    /// A variable or constant: no path leads to it.
    fn value(&self, id: SymbolId, seen: &[ScopeId]) -> Option<Advice> {
        let tree = self.tree;
        let symbol = &tree.symbols[id];
        if seen.contains(&symbol.scope) {
            return None;
        }
        let name = self.name(id);
        let owner = self.owners[symbol.scope];
        let place = self.described(owner)?;
        let in_rare = |is_it: &dyn Fn(&Rare) -> bool| tree.rares.iter().any(is_it);
        let is_enum = in_rare(
            &|rare| matches!(rare, Rare::Enum(members) if members.iter().any(|&(member, _)| member == id)),
        );
        let is_export = in_rare(
            &|rare| matches!(rare, Rare::Define { exports, .. } if exports.iter().any(|export| export.1 == id)),
        );
        let is_constant = symbol.kind == SymbolKind::Constant;
        let (kind, directive) = if is_constant { ("constant", ".const") } else { ("variable", ".var") };
        let help = match owner {
            Owner::LoopHead => format!("'{name}' is the variable of a loop, known only inside of it"),
            Owner::Callable(callable) if self.is_parameter(callable, id) => {
                format!("'{name}' is a parameter of {place}, known only inside of it")
            }
            Owner::Define => format!("'{name}' is local to a .define, which does not export it"),
            _ if is_enum => {
                format!("the .enum member '{name}' is local to {place}; move the .enum out of it")
            }
            Owner::Namespace(_) | Owner::Block(_) | Owner::Branch(_) if !is_export => {
                let way = self.way(id, seen).filter(|way| is_constant && way.missing.is_empty());
                let label = way.map_or_else(String::new, |way| {
                    format!(", or as .label {name} and use '{}'", way.path())
                });
                format!("the {kind} '{name}' is local to {place}; declare it as {directive} @{name}{label}")
            }
            _ => format!("the {kind} '{name}' is local to {place}"),
        };
        Some(Advice::Local(help))
    }

    /// Parameters are declared before anything else of the body.
    fn is_parameter(&self, callable: u32, symbol: SymbolId) -> bool {
        let Callable { scope, parameters, .. } = self.tree.callables[callable as usize];
        let symbols = &self.tree.scope_symbols[self.tree.scopes[scope].symbols.range()];
        symbols.iter().take(parameters as usize).any(|&id| id == symbol)
    }

    fn described(&self, owner: Owner) -> Option<String> {
        let labelled = |article: &str, what: &str, entity: SymbolId| match entity {
            SymbolId::NONE => format!("{article} {what}"),
            entity => format!("the {what} at '{}'", self.name(entity)),
        };
        Some(match owner {
            Owner::Namespace(symbol) => format!("namespace '{}'", self.name(symbol)),
            Owner::Block(entity) => labelled("a", "block", entity),
            Owner::Branch(entity) => labelled("an", ".if", entity),
            Owner::Loop(entity) => labelled("a", "loop", entity),
            Owner::LoopHead => "a loop".to_owned(),
            Owner::Define => "a .define".to_owned(),
            Owner::Callable(callable) => {
                let callable = &self.tree.callables[callable as usize];
                let kind = match callable.kind {
                    CallableKind::Macro => "macro",
                    CallableKind::PseudoCommand => "pseudo command",
                    CallableKind::Function => "function",
                };
                format!("{kind} '{}'", self.tree.name(callable.name))
            }
            Owner::Other => return None,
        })
    }
}

impl Way {
    fn path(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().rev().map(String::as_str).collect();
        match parts.as_slice() {
            [ROOT_ESCAPE, rest @ ..] => format!("{ROOT_ESCAPE}{}", rest.join(".")),
            parts => parts.join("."),
        }
    }
}
