//! What editors and debuggers ask about a program: declarations with their uses and values, macro calls and iterations,
//! and what each statement emitted. Collected only if [`Options::analysis`](crate::Options::analysis) is set.
//!
//! ```
//! use tempo_asm::{MemoryFiles, Options, SourceMap, assemble};
//!
//! let source = "*=$1000\n.macro Set(value) { lda #value }\nstart: Set(1)\n Set(2)\n jmp start\n";
//! let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
//! let options = Options { analysis: true, ..Options::default() };
//! let output = assemble(&files, "main.asm", &options);
//! let analysis = output.analysis.as_ref().unwrap();
//!
//! let start = analysis.find("start").unwrap();
//! assert_eq!((start.values[0].number, start.uses.len()), (Some(4096.0), 1));
//! let bytes: Vec<&[u8]> = analysis.emissions.iter().map(|emission| analysis.bytes(emission)).collect();
//! assert_eq!(bytes, [&[0xa9, 1][..], &[0xa9, 2], &[0x4c, 0x00, 0x10]]);
//! assert_eq!(output.sources.text_of(analysis.emissions[1].span), "lda");
//! assert_eq!(analysis.emissions[1].cycles, Some((2, 2)));
//! ```

use std::collections::HashMap;
use std::ops::Range;

use diagnostics::{FileId, FrameKind, Span};

use crate::eval::{self, ROOT_EXPANSION, Settled};
use crate::layout::memory::{Block, Item};
use crate::tree::{self, CallableKind, Expr, NONE, ScopeId, ScopeKind, Stmt, SymbolId, Tree};
use crate::values::Value;

/// Facts about a program, as far as the run came.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Analysis {
    /// Every scope. A parent comes before its children.
    pub scopes: Vec<Scope>,
    /// Every declaration, those of the built-in macros included.
    pub symbols: Vec<Symbol>,
    /// Macro calls and iterations of the last pass, in the order they began.
    pub expansions: Vec<Expansion>,
    /// What statements emitted in the last pass, by segment and block, in order.
    pub emissions: Vec<Emission>,
    /// Imports of sources, in order, repeated ones included.
    pub imports: Vec<Import>,
    bytes: Vec<u8>,
}

/// A region of the source that declares its own names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// What its names are reached by, such as the name of a namespace or of the label before a block. Empty for the root
    /// and for blocks without a name.
    pub name: String,
    /// The scope around it, as an index into [`Analysis::scopes`].
    pub parent: Option<usize>,
}

/// A declaration.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Symbol {
    /// As it is written. Empty for a multi label without a name.
    pub name: String,
    /// What was declared.
    pub kind: SymbolKind,
    /// The scope it belongs to, as an index into [`Analysis::scopes`].
    pub scope: usize,
    /// Where the name is declared.
    pub span: Span,
    /// Where the name is used, in the order of the sources. A member such as `a.b` counts only if it was evaluated.
    pub uses: Vec<Span>,
    /// Its values after the last pass: those of a label for each time it was executed, and the last value of a variable or
    /// constant that is not local to a body.
    pub values: Vec<SymbolValue>,
}

/// What a [`Symbol`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SymbolKind {
    /// `name:` or `.label name = value`.
    Label,
    /// `!name:`
    MultiLabel,
    /// `.var`, a parameter, or a variable of a loop.
    Variable,
    /// `.const`, or a member of an `.enum`.
    Constant,
    /// `.namespace`
    Namespace,
    /// `.macro`
    Macro,
    /// `.pseudocommand`
    PseudoCommand,
    /// `.function`
    Function,
    /// `.struct`
    Struct,
    /// `#define`. Names given in [`Options::defines`](crate::Options::defines) have no declaration.
    Preprocessor,
}

/// A value of a [`Symbol`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SymbolValue {
    /// The number, if it is one. For a label, the address.
    pub number: Option<f64>,
    /// As `.print` shows it.
    pub text: String,
    /// The segment a label was executed in, as an index into [`Program::segments`](crate::program::Program::segments).
    pub segment: Option<usize>,
    /// The macro call or iteration it belongs to, as an index into [`Analysis::expansions`].
    pub expansion: Option<usize>,
}

/// One run of a macro, pseudo command or loop body.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expansion {
    /// What was expanded.
    pub kind: FrameKind,
    /// The name of the macro or pseudo command; empty for loops.
    pub name: String,
    /// The call, or the directive of the loop.
    pub span: Span,
    /// The number of earlier iterations of the loop; 0 for calls.
    pub iteration: u32,
    /// The expansion around it, as an index into [`Analysis::expansions`].
    pub parent: Option<usize>,
}

/// What one statement emitted, once for each time it was executed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Emission {
    /// The mnemonic or directive.
    pub span: Span,
    /// The segment, as an index into [`Program::segments`](crate::program::Program::segments).
    pub segment: usize,
    /// Where the bytes are loaded.
    pub address: i64,
    /// Where the bytes run; differs from `address` inside `.pseudopc`.
    pub run_address: i64,
    /// Cycles of an instruction, at least and at most; `None` for data.
    pub cycles: Option<(u8, u8)>,
    /// The macro call or iteration it was executed in, as an index into [`Analysis::expansions`].
    pub expansion: Option<usize>,
    bytes: Range<usize>,
}

impl Emission {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none. Statements without bytes are not listed, so there always are.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// A source that was imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Import {
    /// The file name, or the directive.
    pub span: Span,
    /// The file it leads to.
    pub file: FileId,
}

impl Analysis {
    /// The bytes of an emission.
    pub fn bytes(&self, emission: &Emission) -> &[u8] {
        self.bytes.get(emission.bytes.clone()).unwrap_or(&[])
    }

    /// The declaration with a path, such as `start` or `screen.colours`. If several have it, the first one.
    pub fn find(&self, path: &str) -> Option<&Symbol> {
        let name = path.rsplit('.').next()?;
        self.symbols.iter().filter(|symbol| symbol.name == name).find(|symbol| self.path(symbol) == path)
    }

    /// The path of a symbol: the names of its scopes and its own, joined by dots.
    pub fn path(&self, symbol: &Symbol) -> String {
        let mut parts = vec![symbol.name.as_str()];
        let mut scope = Some(symbol.scope);
        while let Some(index) = scope {
            let Some(Scope { name, parent }) = self.scopes.get(index) else { break };
            if !name.is_empty() {
                parts.push(name);
            }
            scope = *parent;
        }
        parts.reverse();
        parts.join(".")
    }

    /// The symbol whose declaration or use is at an offset.
    pub fn at(&self, offset: u32) -> Option<&Symbol> {
        let touches = |span: &Span| span.start <= offset && offset <= span.end;
        self.symbols.iter().find(|symbol| touches(&symbol.span) || symbol.uses.iter().any(touches))
    }
}

/// Collects what is known. Without a result of evaluation there are no values, expansions and emissions.
pub(crate) fn of(tree: &Tree, settled: Option<&Settled>) -> Analysis {
    let mut collector = Collector { tree, analysis: Analysis::default() };
    collector.scopes();
    collector.declarations();
    collector.uses(settled);
    if let Some(settled) = settled {
        collector.values(settled);
        collector.expansions(settled);
        collector.emissions(settled);
    }
    for symbol in &mut collector.analysis.symbols {
        symbol.uses.sort_unstable();
        symbol.uses.dedup();
    }
    collector.analysis
}

/// The symbols lie in the order: those of the tree, callables without number 0, structs, preprocessor symbols.
struct Collector<'t> {
    tree: &'t Tree,
    analysis: Analysis,
}

impl Collector<'_> {
    fn first_callable(&self) -> usize {
        // Number 0 is "none".
        self.tree.symbols.len() - 1
    }

    fn first_struct(&self) -> usize {
        self.tree.symbols.len() + self.tree.callables.len() - 1
    }

    fn scopes(&mut self) {
        let tree = self.tree;
        let mut names: HashMap<ScopeId, crate::intern::Name> = HashMap::new();
        for symbol in tree.symbols.iter().filter(|symbol| symbol.kind == tree::SymbolKind::Namespace) {
            if let Some(namespace) = tree.namespaces.get(symbol.slot as usize) {
                names.insert(namespace.scope, symbol.name);
            }
        }
        let mut entity = |scope: ScopeId, symbol: SymbolId| {
            if let Some(symbol) = tree.symbols.get(symbol as usize) {
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
        self.analysis.scopes = (tree.scopes.iter().enumerate())
            .map(|(id, scope)| Scope {
                name: names.get(&(id as ScopeId)).map_or("", |&name| tree.name(name)).to_owned(),
                parent: (scope.parent != NONE).then_some(scope.parent as usize),
            })
            .collect();
    }

    fn declare(&mut self, name: &str, kind: SymbolKind, scope: ScopeId, span: Span) {
        let name = name.to_owned();
        let (uses, values) = (Vec::new(), Vec::new());
        self.analysis.symbols.push(Symbol { name, kind, scope: scope as usize, span, uses, values });
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
                tree::SymbolKind::Namespace => tree.namespaces[symbol.slot as usize].name_span,
                _ => symbol.span,
            };
            self.declare(tree.name(symbol.name), kind, symbol.scope, span);
        }
        for callable in tree.callables.iter().skip(1) {
            let kind = match callable.kind {
                CallableKind::Macro => SymbolKind::Macro,
                CallableKind::PseudoCommand => SymbolKind::PseudoCommand,
                CallableKind::Function => SymbolKind::Function,
            };
            let scope = tree.namespaces[callable.namespace as usize].scope;
            self.declare(tree.name(callable.name), kind, scope, callable.name_span);
        }
        for definition in &tree.structs {
            let scope = tree.namespaces[definition.namespace as usize].scope;
            self.declare(tree.name(definition.name), SymbolKind::Struct, scope, definition.name_span);
        }
        for flag in tree.flags.iter().filter(|flag| flag.is_definition) {
            self.declare(tree.name(flag.name), SymbolKind::Preprocessor, tree::ROOT_SCOPE, flag.span);
        }
        let import = |&(span, file): &(Span, u32)| Import { span, file: FileId(file) };
        self.analysis.imports = tree.imports.iter().map(import).collect();
    }

    fn use_symbol(&mut self, index: usize, span: Span) {
        if let Some(symbol) = self.analysis.symbols.get_mut(index) {
            symbol.uses.push(span);
        }
    }

    fn uses(&mut self, settled: Option<&Settled>) {
        let tree = self.tree;
        let namespaces: HashMap<u32, usize> = (tree.symbols.iter().enumerate().rev())
            .filter(|(_, symbol)| symbol.kind == tree::SymbolKind::Namespace)
            .map(|(index, symbol)| (symbol.slot, index))
            .collect();
        for (expr, &span) in tree.exprs.iter().zip(&tree.expr_spans) {
            match *expr {
                Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => {
                    self.use_symbol(symbol as usize, span);
                }
                Expr::Namespace(namespace) => {
                    if let Some(&index) = namespaces.get(&namespace) {
                        self.use_symbol(index, span);
                    }
                }
                Expr::CallUser { function, .. } => {
                    self.use_symbol(self.first_callable() + function as usize, span);
                }
                Expr::CallStruct { definition, .. } => {
                    self.use_symbol(self.first_struct() + definition as usize, span);
                }
                _ => {}
            }
        }
        for call in tree.calls.iter().filter(|call| call.target != NONE) {
            self.use_symbol(self.first_callable() + call.target as usize, call.name_span);
        }
        for &(expr, symbol) in settled.iter().flat_map(|settled| &settled.made.member_uses) {
            self.use_symbol(symbol as usize, tree.expr_spans[expr as usize]);
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
                text: formats::number::to_string(label.value),
                segment: Some(label.segment as usize),
                expansion: index_of(label.expansion),
            };
            self.analysis.symbols[label.symbol as usize].values.push(value);
        }
        for (index, symbol) in tree.symbols.iter().enumerate() {
            let scope = &tree.scopes[symbol.scope as usize];
            let is_value = matches!(symbol.kind, tree::SymbolKind::Variable | tree::SymbolKind::Constant);
            if !is_value || scope.kind != ScopeKind::Namespace {
                continue;
            }
            let value = settled.value(scope.base + symbol.slot);
            let of_struct = |definition: u32| tree.name(tree.structs[definition as usize].name).to_owned();
            let Ok(text) = value.to_text(&of_struct) else { continue };
            if matches!(value, Value::Invalid(_)) {
                continue;
            }
            self.analysis.symbols[index].values.push(SymbolValue {
                number: value.as_number(),
                text: text.as_str().to_owned(),
                segment: None,
                expansion: None,
            });
        }
    }

    fn expansions(&mut self, settled: &Settled) {
        let tree = self.tree;
        let expansion = |expansion: &eval::Expansion| Expansion {
            kind: expansion.kind,
            name: match tree.stmts[expansion.stmt as usize] {
                Stmt::MacroCall(call) | Stmt::PseudoCall(call) => {
                    tree.name(tree.calls[call as usize].name).to_owned()
                }
                _ => String::new(),
            },
            span: tree.stmt_spans[expansion.stmt as usize],
            iteration: expansion.iteration,
            parent: index_of(expansion.parent),
        };
        self.analysis.expansions = settled.made.expansions.iter().map(expansion).collect();
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
        let cycles = match self.tree.stmts[item.stmt as usize] {
            Stmt::Instruction { cpu, .. } => block.bytes.get(item.offset as usize).map(|&opcode| {
                let row = cpu.decode(opcode);
                (row.cycles, row.max_cycles())
            }),
            _ => None,
        };
        let start = first + item.offset as usize;
        self.analysis.emissions.push(Emission {
            span: self.tree.stmt_spans[item.stmt as usize],
            segment,
            address,
            run_address,
            cycles,
            expansion: index_of(item.expansion),
            bytes: start..start + item.len as usize,
        });
    }
}

fn index_of(expansion: u32) -> Option<usize> {
    (expansion != ROOT_EXPANSION).then_some(expansion as usize)
}
