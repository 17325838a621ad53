//! The syntax tree: plain enums with spans, exactly as written.
//! Symbols are names here; the checker makes statements with values of them ([`plan`](crate::plan)), because what a name
//! means depends on the line it is on.

pub use tempo_expressions::ast::{
    BackendStep, Beam, Binary, Board, Compare, Encoding, Expr, ExprKind, Flag, Half, Name, Range, Register,
    Set, Text, Width,
};

pub use tempo_rig::Line;

use tempo_emu::System;

use crate::files::FileError;
use crate::source::Span;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct File {
    pub suites: Vec<Suite>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suite {
    pub span: Span,
    pub name: Text,
    pub options: Vec<TestOption>,
    pub machine: Option<MachineLine>,
    pub ultimate: Option<Text>,
    pub entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachineLine {
    pub system: System,
    pub span: Span,
    /// Written `processor(…)`, the older spelling.
    pub deprecated: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub span: Span,
    pub kind: EntryKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum EntryKind {
    Symbols(Text),
    Load {
        file: Text,
        address: Option<Expr>,
        strip_header: Option<bool>,
    },
    Rom {
        socket: Text,
        file: Text,
    },
    Assemble {
        file: Text,
        defines: Vec<Text>,
    },
    Setup(Vec<Step>),
    Test(Test),
    Define {
        name: Name,
        value: Expr,
    },
    Layout(Layout),
    Procedure(std::sync::Arc<Procedure>),
    Double(Double),
    Guard(Guard),
    /// `include("file")` and the lines of that file, unless it could not be read.
    Include {
        file: Text,
        entries: Vec<Entry>,
        problem: Option<FileError>,
    },
}

/// `procedure name(parameter, …) { … }`: statements that tests call by a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Procedure {
    /// From the word to the closing parenthesis.
    pub span: Span,
    pub name: Name,
    pub parameters: Vec<Name>,
    pub body: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    pub span: Span,
    pub kind: TestKind,
    pub id: Text,
    pub description: Text,
    pub options: Vec<TestOption>,
    pub each: Option<Each>,
    pub body: Vec<Step>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestKind {
    Test,
    /// A test whose cycle count is kept and compared between runs.
    Bench,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TestOption {
    pub span: Span,
    pub kind: OptionKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum OptionKind {
    Skip(bool),
    Trace(bool),
    Timeout(i64),
    Tags(Text),
    Isolate(bool),
    Budget(Expr),
    Guard(Guard),
}

/// The table of a test: one run of the body for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct Each {
    pub span: Span,
    pub names: Vec<Name>,
    pub rows: Rows,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Rows {
    Inline(Vec<Row>),
    File(Text),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub span: Span,
    pub values: Vec<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub span: Span,
    pub kind: StepKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StepKind {
    Assert {
        condition: Expr,
        text: Option<Text>,
    },
    SetRegister {
        register: Register,
        value: Expr,
    },
    SetFlag {
        flag: Flag,
        value: Expr,
    },
    Store {
        target: Expr,
        value: Expr,
    },
    Jsr(Jsr),
    MemFill {
        from: Expr,
        count: Expr,
        value: Expr,
    },
    /// `memdump(from, count)`, `memdump(from, count, screen)`.
    MemDump {
        from: Expr,
        count: Expr,
        encoding: Encoding,
    },
    /// `snapshot("name", from, count, screen)`.
    Snapshot {
        name: Text,
        from: Expr,
        count: Expr,
        encoding: Encoding,
    },
    Forall(Forall),
    Equivalent(Equivalent),
    /// `name(argument, …)`: a procedure.
    Call {
        name: Name,
        arguments: Vec<Expr>,
    },
    Double(Double),
    Capture(Expr),
    Fen {
        board: Board,
        text: Expr,
    },
    PutBytes {
        to: Expr,
        values: Vec<Expr>,
        width: Width,
    },
    PutText {
        to: Expr,
        text: Expr,
        encoding: Encoding,
    },
    PutFile {
        to: Expr,
        file: Text,
    },
    Copy {
        to: Expr,
        from: Expr,
        count: Expr,
    },
    Random {
        to: Expr,
        count: Expr,
        seed: Option<Expr>,
    },
    /// `irq(at_cycle = n)`, `nmi(at_cycle = n)`: for the next call.
    Interrupt {
        line: Line,
        at: Expr,
    },
    /// `frames(n)`
    Frames(Expr),
    /// `keys("…")`
    Keys(Expr),
    /// `joystick(port, "up+fire")`
    Joystick {
        port: Expr,
        switches: Expr,
    },
    /// `paddles(port, x, y)`, `mouse(port, x, y)`, `pen(x, y)`.
    Pointer {
        pointer: Pointer,
        arguments: Vec<Expr>,
    },
    /// `cartridge("….crt")`
    Cartridge {
        file: Text,
    },
    /// `disk("….d64")`, `disk("a.prg", "b.seq")`.
    Disk {
        files: Vec<Text>,
    },
    /// `screenshot("…", tolerance = n)`.
    Screenshot {
        name: Text,
        tolerance: Option<Expr>,
    },
    Backend(BackendStep),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Jsr {
    pub target: Expr,
    pub stop: Stop,
    pub fail_on_brk: bool,
    pub max_cycles: Option<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    Rts(bool),
    Address(Expr),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Forall {
    pub variables: Vec<Variable>,
    pub samples: Option<i64>,
    pub seed: Option<i64>,
    /// It is to be proved.
    pub prove: bool,
    pub body: Vec<Step>,
}

/// `equivalent([Old], [New], in = (a, x), out = (a, c))`
#[derive(Debug, Clone, PartialEq)]
pub struct Equivalent {
    pub routines: [Expr; 2],
    /// Places that have all values, or those of a set.
    pub inputs: Vec<(Expr, Option<Set>)>,
    /// The places that both must leave the same.
    pub outputs: Vec<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: Name,
    pub domain: Set,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Double {
    Stub { at: Expr, body: Vec<Step> },
    Spy { at: Expr },
    Io { at: Expr, values: Vec<Expr> },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Guard {
    Write(Vec<Range>),
    Read(Vec<Range>),
    Uninit(Strictness),
    SelfMod(Strictness),
    Stack(Strictness),
    ZeroPage(Vec<Range>),
    Preserve(Text),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    #[default]
    Off,
    Warn,
    Fail,
}

/// How a board, a map or a sprite is in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub name: Name,
    pub items: Vec<LayoutItem>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LayoutItem {
    pub key: Name,
    pub span: Span,
    pub value: Option<Expr>,
    /// Letters and what they stand for.
    pub letters: Vec<(Text, Expr)>,
    /// A bare word value, such as `order = up`.
    pub word: Option<Name>,
}

/// Devices that point at something, by numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// The paddles in a port: the port, x, y.
    Paddles,
    /// A 1351 mouse: the port, x, y.
    Mouse,
    /// A light pen: column and row of the picture.
    Pen,
}

impl Pointer {
    const ALL: [Pointer; 3] = [Pointer::Paddles, Pointer::Mouse, Pointer::Pen];

    /// The word of its statement.
    pub fn word(self) -> &'static str {
        match self {
            Pointer::Paddles => "paddles",
            Pointer::Mouse => "mouse",
            Pointer::Pen => "pen",
        }
    }

    /// The device that a statement's word means.
    pub fn of(word: &str) -> Option<Pointer> {
        Pointer::ALL.into_iter().find(|pointer| pointer.word() == word)
    }

    /// Refuses a value that an argument cannot have.
    pub fn check(self, argument: usize, value: i64) -> Result<(), String> {
        let (what, range) = match (self, argument) {
            (Pointer::Paddles | Pointer::Mouse, 0) => ("control port", 1..=2),
            (Pointer::Paddles, _) => ("position of a paddle", 0..=255),
            (Pointer::Mouse, _) => ("position of a mouse", -0x8000..=0x7fff),
            (Pointer::Pen, 0) => ("column of the picture", 0..=383),
            (Pointer::Pen, _) => ("row of the picture", 0..=271),
        };
        if range.contains(&value) {
            return Ok(());
        }
        Err(format!("{value} is no {what}: they are {} to {}", range.start(), range.end()))
    }
}
