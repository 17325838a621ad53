//! The program as a flat tree. Statements are in source order, a composite one directly before its body, which ends
//! at `end`; expressions are in the order they were read, operands before operators. Everything refers by index.

use std::cell::OnceCell;
use std::rc::Rc;

use tempo_isa::{Cpu, Mnemonic};

use crate::arena::{Arena, ids};
use crate::dialect::Directive;
use crate::hash::NumberMap;
use crate::intern::{Interner, Name};
use crate::lex::{Flag, MultiRef};
use crate::values::Text;
use tempo_diagnostics::Span;

/// "Not there" for numbers without a type.
pub(crate) const NONE: u32 = u32::MAX;

ids! {
    StmtId
    ExprId
    SymbolId
    ScopeId
    /// A namespace: the system's, the root, or one of the source.
    NamespaceId
}

impl StmtId {
    pub const FIRST: StmtId = StmtId(0);

    /// The statement after it in the source.
    #[inline(always)]
    pub fn next(self) -> StmtId {
        StmtId(self.0 + 1)
    }
}

impl ExprId {
    pub const FIRST: ExprId = ExprId(0);
}

pub(crate) const SYSTEM_SCOPE: ScopeId = ScopeId(0);
pub(crate) const ROOT_SCOPE: ScopeId = ScopeId(1);
pub(crate) const SYSTEM_NAMESPACE: NamespaceId = NamespaceId(0);
pub(crate) const ROOT_NAMESPACE: NamespaceId = NamespaceId(1);

/// A run of entries, mostly in [`Tree::lists`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct List {
    pub start: u32,
    pub len: u32,
}

impl List {
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// How an operand is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Form {
    None,
    Immediate,
    Plain,
    PlainX,
    PlainY,
    Indirect,
    IndirectX,
    IndirectY,
    /// `expr, expr`: the operand is a [`Expr::Pair`].
    Pair,
    /// `(expr),z`
    IndirectZ,
    /// `((expr)),z`
    FarIndirectZ,
    /// `((expr))`
    FarIndirect,
    /// `(expr,sp),y`
    StackIndirectY,
    /// `#expr,expr`: the operand is a [`Expr::Pair`] of the address and the number.
    Test,
    /// `#expr,expr,x`
    TestX,
    /// `expr,expr,expr`: the operand is a [`Expr::Pair`] of the first and a pair of the others.
    Triple,
}

impl Form {
    /// All forms, in the order of their discriminants.
    pub const ALL: [Form; 16] = [
        Form::None,
        Form::Immediate,
        Form::Plain,
        Form::PlainX,
        Form::PlainY,
        Form::Indirect,
        Form::IndirectX,
        Form::IndirectY,
        Form::Pair,
        Form::IndirectZ,
        Form::FarIndirectZ,
        Form::FarIndirect,
        Form::StackIndirectY,
        Form::Test,
        Form::TestX,
        Form::Triple,
    ];
}

/// A mode extension on a mnemonic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extension {
    None,
    Absolute,
    ZeroPage,
    /// A legacy extension: it fixes the mode and overrides the written operand form.
    Exact(tempo_isa::Mode),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Stmt {
    /// `name:`
    Label {
        symbol: SymbolId,
    },
    MultiLabel {
        symbol: SymbolId,
    },
    /// `lda name:#0`: the address of the operand.
    ArgumentLabel {
        symbol: SymbolId,
    },
    Instruction {
        mnemonic: Mnemonic,
        form: Form,
        cpu: Cpu,
        extension: Extension,
        operand: ExprId,
    },
    /// `{ … }`
    Block(u32),
    If(u32),
    For(u32),
    While(u32),
    /// `.byte`, `.word`, `.dword`
    Data {
        width: u8,
        values: List,
    },
    /// The same with nothing but numbers; the list is one of [`Tree::bytes`].
    Literal {
        bytes: List,
    },
    Text {
        value: ExprId,
    },
    Fill(u32),
    MacroCall(u32),
    PseudoCall(u32),
    Var {
        symbol: SymbolId,
        value: ExprId,
    },
    /// `.label name = value`
    LabelValue {
        symbol: SymbolId,
        value: ExprId,
    },
    Eval {
        value: ExprId,
    },
    Return {
        value: ExprId,
    },
    /// `* = expr`
    Pc {
        address: ExprId,
        name: u32,
        is_virtual: bool,
    },
    Align {
        size: ExprId,
    },
    PseudoPc {
        address: ExprId,
        end: StmtId,
    },
    /// An import in a macro or loop.
    BadImport,
    /// A body that runs only when it is called.
    Skip {
        end: StmtId,
    },
    Rare(u32),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub scope: ScopeId,
    pub entity: SymbolId,
    pub end: StmtId,
}

pub(crate) struct If {
    pub condition: ExprId,
    pub then_scope: ScopeId,
    /// The first statement of the `else` branch, or `end`.
    pub else_start: StmtId,
    /// `NONE` without `else`.
    pub else_scope: ScopeId,
    pub end: StmtId,
    pub entity: SymbolId,
}

/// `.for`, and `.while` with empty `init` and `step`.
pub(crate) struct Loop {
    pub header_scope: ScopeId,
    pub body_scope: ScopeId,
    pub init: List,
    pub condition: ExprId,
    pub step: List,
    pub end: StmtId,
    pub entity: SymbolId,
}

pub(crate) struct Fill {
    pub kind: FillKind,
    pub scope: ScopeId,
    pub count: ExprId,
    pub values: List,
    /// The symbol `i`.
    pub index: SymbolId,
    pub entity: SymbolId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FillKind {
    Byte,
    Word,
    LoHi,
}

/// A macro or pseudo command call. `target` is found by `bind`.
pub(crate) struct Call {
    pub name: Name,
    pub span: Span,
    pub is_root: bool,
    /// The name alone, without a `@` or `:` before it.
    pub name_span: Span,
    pub namespace: NamespaceId,
    pub target: u32,
    pub arguments: List,
    /// How each argument of a pseudo command is written, in [`Tree::forms`]; empty for macros.
    pub forms: List,
    pub entity: SymbolId,
}

/// A macro, pseudo command or function.
pub(crate) struct Callable {
    pub name: Name,
    pub name_span: Span,
    pub kind: CallableKind,
    pub namespace: NamespaceId,
    pub scope: ScopeId,
    pub parameters: u32,
    /// The body.
    pub start: StmtId,
    pub end: StmtId,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallableKind {
    Macro,
    PseudoCommand,
    Function,
}

pub(crate) struct StructDef {
    pub name: Name,
    pub name_span: Span,
    pub namespace: NamespaceId,
    pub fields: Vec<Name>,
    pub field_spans: Vec<Span>,
    /// The numbers of the fields by name, if there are many.
    pub index: OnceCell<NumberMap<Name, usize>>,
}

/// Fewer fields are looked through.
const FEW_FIELDS: usize = 16;

impl StructDef {
    /// The number of a field; the first one if several have the name.
    #[inline]
    pub fn field(&self, name: Name) -> Option<usize> {
        if self.fields.len() <= FEW_FIELDS {
            return self.fields.iter().position(|&field| field == name);
        }
        let index = self.index.get_or_init(|| {
            self.fields.iter().enumerate().rev().map(|(number, &field)| (field, number)).collect()
        });
        index.get(&name).copied()
    }
}

/// The possible meanings of a call `name(…)` of the namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    User(u32),
    Struct(u32),
}

/// A `[name=value, flag]` list.
#[derive(Debug, Default)]
pub(crate) struct Parameters {
    pub span: Span,
    pub entries: Vec<Parameter>,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub name: Name,
    pub span: Span,
    /// `NONE` for a flag.
    pub value: ExprId,
}

/// Directives that are not worth their own variant in [`Stmt`].
pub(crate) enum Rare {
    Enum(Vec<(SymbolId, ExprId)>),
    /// The body is from `start` to the statement itself; exports are inner symbol, outer symbol, name.
    Define {
        scope: ScopeId,
        exports: Vec<(SymbolId, SymbolId, Name)>,
        start: StmtId,
    },
    /// A directive with nothing but expressions; those that are left out are `NONE`.
    Values {
        directive: Directive,
        values: [ExprId; 3],
    },
    Assert {
        label: ExprId,
        actual: Checked,
        expected: Checked,
    },
    AssertError {
        label: ExprId,
        actual: Checked,
        /// Where `actual` stands.
        range: Span,
        /// The first error in it that is known before anything runs.
        caught: Option<String>,
    },
    Import {
        kind: ImportKind,
        name: ExprId,
        offset: ExprId,
        length: ExprId,
    },
    Segment {
        name: Name,
        block: u32,
        parameters: Option<Parameters>,
    },
    SegmentDef {
        name: Name,
        parameters: Parameters,
    },
    SegmentOut {
        parameters: Parameters,
    },
    File {
        parameters: Parameters,
    },
    Disk {
        writer: Option<Name>,
        parameters: Parameters,
        files: Vec<Parameters>,
    },
    Cartridge {
        parameters: Parameters,
        banks: Vec<Parameters>,
    },
    /// The body comes before it.
    Modify {
        name: Name,
        arguments: List,
        start: StmtId,
        end: StmtId,
    },
    FileModify {
        name: Name,
    },
}

impl Rare {
    /// A directive with these expressions, three at most.
    pub(crate) fn values(directive: Directive, given: &[ExprId]) -> Rare {
        let mut values = [ExprId::NONE; 3];
        values[..given.len()].copy_from_slice(given);
        Rare::Values { directive, values }
    }
}

/// The subject of an assertion.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Checked {
    Value(ExprId),
    Code { scope: ScopeId, start: StmtId, end: StmtId },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImportKind {
    Binary,
    C64,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Negate,
    Complement,
    Not,
    Low,
    High,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Multiply,
    Divide,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    AndAnd,
    OrOr,
}

impl Unary {
    pub fn spelling(self) -> &'static str {
        match self {
            Unary::Negate => "-",
            Unary::Complement => "~",
            Unary::Not => "!",
            Unary::Low => "<",
            Unary::High => ">",
        }
    }
}

impl Binary {
    /// Whether it compares.
    #[inline]
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Binary::Less
                | Binary::LessEqual
                | Binary::Greater
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual
        )
    }

    /// Whether it makes a condition.
    #[inline]
    pub fn is_condition(self) -> bool {
        self.is_comparison() || self.is_logic()
    }

    /// Whether the left operand may decide alone.
    #[inline]
    pub fn is_logic(self) -> bool {
        matches!(self, Binary::AndAnd | Binary::OrOr)
    }

    pub fn spelling(self) -> &'static str {
        match self {
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::And => "&",
            Binary::Xor => "^",
            Binary::Or => "|",
            Binary::AndAnd => "&&",
            Binary::OrOr => "||",
        }
    }
}

/// A number that needs no alignment, so that expressions stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Literal([u32; 2]);

impl Literal {
    #[inline]
    pub fn get(self) -> f64 {
        f64::from_bits(u64::from(self.0[1]) << 32 | u64::from(self.0[0]))
    }
}

impl From<f64> for Literal {
    #[inline]
    fn from(number: f64) -> Literal {
        let bits = number.to_bits();
        Literal([bits as u32, (bits >> 32) as u32])
    }
}

impl From<u32> for Literal {
    #[inline]
    fn from(number: u32) -> Literal {
        f64::from(number).into()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Expr {
    Number(Literal),
    String(u32),
    Char(char),
    Bool(bool),
    Null,
    /// `*`
    Pc,
    /// A name that `bind` has not seen yet.
    Name {
        name: Name,
        is_root: bool,
    },
    /// `!name--`
    MultiRef(u32),
    /// A symbol of a scope that exists once: its place is known.
    Static {
        slot: u32,
        symbol: SymbolId,
    },
    /// A symbol some frames out.
    Local {
        hops: u16,
        slot: u16,
        symbol: SymbolId,
    },
    /// A namespace, by number.
    Namespace(NamespaceId),
    /// A file template, by number.
    Template(u32),
    /// The hashtable of the `:name=value` words.
    CommandLine,
    Unary {
        op: Unary,
        operand: ExprId,
    },
    Binary {
        op: Binary,
        left: ExprId,
        right: ExprId,
    },
    /// The branches are the two entries of `lists` at `branches`.
    Ternary {
        condition: ExprId,
        branches: u32,
    },
    /// `target op= value`; `op` is `None` for plain assignment.
    Assign {
        op: Option<Binary>,
        target: ExprId,
        value: ExprId,
    },
    /// `target++` and `target--`.
    Step {
        op: Binary,
        target: ExprId,
    },
    /// `var x = value`, `const x = value`
    Declare {
        symbol: SymbolId,
        value: ExprId,
    },
    /// A call that `bind` has not seen yet.
    Call {
        name: Name,
        arguments: u32,
        len: u16,
        is_root: bool,
    },
    CallUser {
        function: u32,
        arguments: u32,
        len: u16,
    },
    CallStruct {
        definition: u32,
        arguments: u32,
        len: u16,
    },
    CallBuiltIn {
        function: u16,
        arguments: u32,
        len: u16,
    },
    /// The receiver is the first of the arguments.
    Method {
        name: Name,
        arguments: u32,
        len: u16,
    },
    Member {
        base: ExprId,
        name: Name,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    /// The operands of `bbr0 zp,target`.
    Pair {
        first: ExprId,
        second: ExprId,
    },
    /// Something that was reported already.
    Poison,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    Label,
    MultiLabel,
    Variable,
    Constant,
    Namespace,
}

pub(crate) struct Symbol {
    pub name: Name,
    pub kind: SymbolKind,
    /// Declared inside `.zp { }`.
    pub is_zp: bool,
    /// Has members: takes a second slot for them.
    pub is_entity: bool,
    pub scope: ScopeId,
    pub span: Span,
    /// References with a smaller expression id come before the declaration.
    pub order: ExprId,
    /// Its place in the frame of the scope, set by `bind`; the number of a namespace.
    pub slot: u32,
}

impl Symbol {
    /// The namespace that a symbol of one stands for.
    pub fn namespace(&self) -> NamespaceId {
        NamespaceId(self.slot)
    }

    /// How many entries of a frame it takes.
    pub fn slots(&self) -> u32 {
        if self.is_entity { 2 } else { 1 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    /// Root, system and namespaces: exist once.
    Namespace,
    Local,
}

pub(crate) struct Scope {
    pub kind: ScopeKind,
    pub parent: ScopeId,
    pub namespace: NamespaceId,
    /// The innermost macro, pseudo command or function around; 0 outside.
    pub callable: u32,
    /// Entries of its own. Set by `bind`.
    pub slots: u32,
    /// The scope in whose frame the entries are: its own, or one around it. Set by `bind`.
    pub frame: ScopeId,
    /// Its first entry in that frame. Set by `bind`.
    pub first: u32,
    /// Entries of the frame with those of the scopes that share it. Set by `bind`.
    pub frame_slots: u32,
    /// Leading slots that keep their value from pass to pass (labels and their members). Set by `bind`.
    pub kept: u32,
    /// Whether one of its labels is declared inside `.zp { }`. Set by `bind`.
    pub has_zp_labels: bool,
    /// Where the frame of a namespace starts. Set by `bind`.
    pub base: u32,
    /// Frames from here out to the namespace. Set by `bind`.
    pub depth: u32,
    /// A label gives access to its members, so the frame is kept even if it is empty.
    pub is_entity: bool,
    /// Run of [`Tree::scope_symbols`]. Set by `bind`.
    pub symbols: List,
}

impl Scope {
    /// Whether its frame is on the stack, or would be: nothing refers to it after the run.
    pub fn is_stacked(&self) -> bool {
        self.kind == ScopeKind::Local && self.kept == 0 && !self.is_entity
    }
}

pub(crate) struct Namespace {
    pub scope: ScopeId,
    pub parent: NamespaceId,
    /// `a.b`, as `getNamespace()` returns it.
    pub path: Rc<Text>,
    /// The name where it is first opened.
    pub name_span: Span,
}

/// The changes of scopes and calls while the expressions are read; replayed by `bind`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    /// Expressions before this one were read before the event.
    pub at: ExprId,
    pub kind: EventKind,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum EventKind {
    Enter(ScopeId),
    Leave,
    /// From here on only the root (or system) scope is open.
    EnterFile(ScopeId),
    LeaveFile,
    MultiLabel(SymbolId),
    MacroCall(u32),
    PseudoCall(u32),
}

/// Where things begin and end; kept only for analysis.
#[derive(Default)]
pub(crate) struct Outline {
    pub is_wanted: bool,
    /// Whole statements with their labels and bodies, outer ones before inner ones; empty for what is none.
    pub statements: Vec<Span>,
    /// A namespace has one entry each time it is opened. The end is `u32::MAX` if it is that of the file.
    pub scopes: Vec<(ScopeId, Span)>,
    /// The name of a namespace each time it is opened.
    pub namespaces: Vec<(NamespaceId, Span)>,
}

/// An imported file where it is imported. One that is imported twice has two of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inclusion {
    pub file: u32,
    /// The place of the import.
    pub from: Span,
    /// Its statements, with those of the files that it imports.
    pub start: StmtId,
    pub end: StmtId,
}

#[derive(Default)]
pub(crate) struct Tree {
    pub stmts: Arena<StmtId, Stmt>,
    pub stmt_spans: Arena<StmtId, Span>,
    pub exprs: Arena<ExprId, Expr>,
    pub expr_spans: Arena<ExprId, Span>,
    pub lists: Vec<ExprId>,
    /// Data of plain numbers.
    pub bytes: Vec<u8>,
    pub blocks: Vec<Block>,
    pub ifs: Vec<If>,
    pub loops: Vec<Loop>,
    pub fills: Vec<Fill>,
    pub calls: Vec<Call>,
    pub forms: Vec<Form>,
    pub rares: Vec<Rare>,
    /// Number 0 is "none", so that 0 can mean "outside".
    pub callables: Vec<Callable>,
    pub structs: Vec<StructDef>,
    pub symbols: Arena<SymbolId, Symbol>,
    pub scopes: Arena<ScopeId, Scope>,
    pub scope_symbols: Vec<SymbolId>,
    pub namespaces: Arena<NamespaceId, Namespace>,
    /// Functions and structs by namespace, name and number of arguments; `u32::MAX` arguments for structs.
    pub functions: NumberMap<(NamespaceId, Name), Vec<(u32, Function)>>,
    pub macros: NumberMap<(NamespaceId, Name), u32>,
    pub pseudo_commands: NumberMap<(NamespaceId, Name), u32>,
    pub events: Vec<Event>,
    pub names: Interner,
    pub strings: Vec<Rc<Text>>,
    /// Classes of `.plugin`, as numbers of strings, and the places of the directives.
    pub plugins: Vec<(u32, Span)>,
    pub multi_refs: Vec<MultiRef>,
    /// Preprocessor symbols and imported files, in order; only for analysis.
    pub flags: Vec<Flag>,
    /// Lines that conditions of the preprocessor left out.
    pub left_out: Vec<Span>,
    pub imports: Vec<(Span, u32)>,
    /// The imported files as parts of the program, in the order of their statements.
    pub inclusions: Vec<Inclusion>,
    /// Directives and functions that Kick Assembler does not have are unknown.
    pub is_kick: bool,
    /// Files whose tokens were not known from an earlier run.
    pub scanned: u32,
    pub outline: Outline,
    /// There is data of four bytes.
    pub has_dwords: bool,
    /// Operands like `(zp),x`, whose parentheses mean nothing, and what is in them.
    pub parenthesised_x: Vec<(Span, ExprId)>,
    /// A name of a built-in colour is used.
    pub has_colours: bool,
    /// There is a `.printnow`, which shows how many passes there are.
    pub prints_now: bool,
    /// Slots of all namespace scopes together. Set by `bind`.
    pub static_slots: u32,
}

impl Tree {
    pub fn list(&self, list: List) -> &[ExprId] {
        &self.lists[list.range()]
    }

    pub fn name(&self, name: Name) -> &str {
        self.names.get(name)
    }

    /// The imports that a statement is in, innermost first: the place of each and the file that it imports.
    pub fn imports_around(&self, stmt: StmtId) -> Vec<(Span, u32)> {
        let is_around = |inclusion: &&Inclusion| (inclusion.start..inclusion.end).contains(&stmt);
        let around = self.inclusions.iter().rev().filter(is_around);
        around.map(|inclusion| (inclusion.from, inclusion.file)).collect()
    }
}

// Both are walked millions of times a second; their size is a design decision.
const _: () = assert!(size_of::<Stmt>() == 12 && size_of::<Expr>() == 12);
