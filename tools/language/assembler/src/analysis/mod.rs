//! Answers for editors and debuggers about a program: declarations with their uses and values, macro calls and iterations,
//! and what each statement emitted. Collected only if [`Options::analysis`](crate::Options::analysis) is set.
//!
//! ```
//! use tempo_assembler::{MemoryFiles, Options, SourceMap, assemble};
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

mod collect;

use std::ops::Range;

use tempo_diagnostics::{FileId, FrameKind, Span};

pub(crate) use collect::of;

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
    /// The emissions of statements in the last pass, by segment and block, in order.
    pub emissions: Vec<Emission>,
    /// Imports of sources, in order, repeated ones included.
    pub imports: Vec<Import>,
    /// Whole statements with their labels and bodies, by start; an outer one comes before those inside it.
    pub statements: Vec<Span>,
    bytes: Vec<u8>,
}

/// A region of the source that declares its own names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// The path by which its names are reached, such as the name of a namespace or of the label before a block. Empty for the root
    /// and for blocks without a name.
    pub name: String,
    /// The scope around it, as an index into [`Analysis::scopes`].
    pub parent: Option<usize>,
    /// Where it is: a body with its braces. A namespace has several if it is opened several times, the root none.
    pub ranges: Vec<Span>,
}

/// A declaration.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Symbol {
    /// As it is written. Empty for a multi label without a name.
    pub name: String,
    /// The declared item.
    pub kind: SymbolKind,
    /// The scope it belongs to, as an index into [`Analysis::scopes`].
    pub scope: usize,
    /// Where the name is declared. For a multi label the `!` alone; its name follows.
    pub span: Span,
    /// Further places that declare it: a namespace can be opened again.
    pub reopened: Vec<Span>,
    /// The kind of variable or constant.
    pub role: Role,
    /// The scope that has its members or its body, as an index into [`Analysis::scopes`].
    pub members: Option<usize>,
    /// Another declaration that must have the same name, as an index into [`Analysis::symbols`]: the variable inside of
    /// `.define` that gives a constant its value, or the label in the other branch of an `.if` with its own label.
    pub pair: Option<usize>,
    /// The names that a macro, pseudo command or function takes, or the fields of a struct.
    pub parameters: Vec<String>,
    /// Where the fields of a struct are declared.
    pub field_spans: Vec<Span>,
    /// Where the name is used, in the order of the sources. A member such as `a.b` counts only if it was evaluated.
    pub uses: Vec<Span>,
    /// Its values after the last pass: those of a label for each time it was executed, the last value of a variable or
    /// constant that is not local to a body, and the first values of one that is.
    pub values: Vec<SymbolValue>,
    /// How often it got a value in the last pass; `values` has no more than the first ones of a variable.
    pub value_count: u64,
}

/// The role of a variable or constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Role {
    /// Nothing special.
    #[default]
    Plain,
    /// An argument of a macro, pseudo command or function.
    Parameter,
    /// Counted in the head of a loop.
    LoopVariable,
    /// A member of an `.enum`.
    EnumMember,
}

/// The kind of a [`Symbol`].
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
    /// Its type, as error messages name it, or the name of a struct.
    pub type_name: String,
    /// The segment a label was executed in, as an index into [`Program::segments`](crate::program::Program::segments).
    pub segment: Option<usize>,
    /// The macro call or iteration it belongs to, as an index into [`Analysis::expansions`].
    pub expansion: Option<usize>,
}

/// One run of a macro, pseudo command or loop body.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Expansion {
    /// The expanded item.
    pub kind: FrameKind,
    /// The name of the macro or pseudo command; empty for loops.
    pub name: String,
    /// The call, or the directive of the loop.
    pub span: Span,
    /// The number of earlier iterations of the loop; 0 for calls.
    pub iteration: u32,
    /// The expansion around it, as an index into [`Analysis::expansions`].
    pub parent: Option<usize>,
    /// The parameters of the call or the variables of the loop in it, by name.
    pub values: Vec<(String, SymbolValue)>,
}

/// The bytes of one statement, once for each execution.
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
    /// Cycles of an instruction, at least and at most; `None` for data, and for a CPU whose cycles are not known.
    pub cycles: Option<(u8, u8)>,
    /// The CPU that an instruction was assembled for; `None` for data.
    pub cpu: Option<tempo_isa::Cpu>,
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
            let Some(Scope { name, parent, .. }) = self.scopes.get(index) else { break };
            if !name.is_empty() {
                parts.push(name);
            }
            scope = *parent;
        }
        parts.reverse();
        parts.join(".")
    }

    /// The innermost scope around an offset, as an index into [`Analysis::scopes`]; that of the root outside of all.
    pub fn scope_at(&self, offset: u32) -> usize {
        let touching = self.scopes.iter().enumerate().flat_map(|(index, scope)| {
            let inside = scope.ranges.iter().filter(|range| range.start < offset && offset < range.end);
            inside.map(move |range| (range.len(), index))
        });
        // A loop has two scopes; the inner one is shorter, and of equal ones the later one is inside.
        touching.min_by_key(|&(len, index)| (len, usize::MAX - index)).map_or(1, |(_, index)| index)
    }

    /// The symbol whose declaration or use is at an offset.
    pub fn at(&self, offset: u32) -> Option<&Symbol> {
        let touches = |span: &Span| span.start <= offset && offset <= span.end;
        self.symbols.iter().find(|symbol| touches(&symbol.span) || symbol.uses.iter().any(touches))
    }
}
