//! The syntax tree: plain enums with spans, exactly what was written.
//! Symbols are names here; the checker gives them values, because what a name means depends on the line it is on.

use crate::files::FileError;
use crate::source::Span;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct File {
    pub suites: Vec<Suite>,
}

/// A quoted text, escapes resolved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Text {
    pub value: String,
    pub span: Span,
}

/// A bare word that names something.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Name {
    pub value: String,
    pub span: Span,
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
    pub kind: MachineKind,
    pub span: Span,
    /// Written `processor(…)`, the older spelling.
    pub deprecated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MachineKind {
    #[default]
    Generic6502,
    Generic6510,
    Generic65c02,
    /// Banking and plain bytes for I/O.
    C64,
    /// The whole machine with its chips.
    C64Pal,
    C64Ntsc,
}

impl MachineKind {
    /// With video, timers and interrupts.
    pub fn has_chips(self) -> bool {
        matches!(self, MachineKind::C64Pal | MachineKind::C64Ntsc)
    }

    /// With sockets for ROMs.
    pub fn has_sockets(self) -> bool {
        self == MachineKind::C64 || self.has_chips()
    }
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
    Double(Double),
    Guard(Guard),
    /// `include("file")` and the lines of that file, unless it could not be read.
    Include {
        file: Text,
        entries: Vec<Entry>,
        problem: Option<FileError>,
    },
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
    /// `snapshot("name", from, count, screen)`; `references` are filled in by the checker, one for each row of a table.
    Snapshot {
        name: Text,
        from: Expr,
        count: Expr,
        encoding: Encoding,
        references: std::sync::Arc<Vec<Kept>>,
    },
    Forall(Forall),
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
    /// `bytes` are filled in by the checker.
    PutFile {
        to: Expr,
        file: Text,
        bytes: std::sync::Arc<[u8]>,
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
    /// `disk("….d64")`, `disk("a.prg", "b.seq")`; `volume` is filled in by the checker.
    Disk {
        files: Vec<Text>,
        volume: Option<std::sync::Arc<tempo_c64::Volume>>,
    },
    /// `screenshot("…", tolerance = n)`; `references` are filled in by the checker, one for each row of a table.
    Screenshot {
        name: Text,
        tolerance: Option<Expr>,
        references: std::sync::Arc<Vec<Reference>>,
    },
    Backend(BackendStep),
}

/// A picture that the screen must be equal to.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// The name in the suite, with the row's values in it.
    pub name: String,
    /// Where it is, or is going to be.
    pub path: String,
    /// `None` if it is to be taken anew.
    pub picture: Option<tempo_c64::Picture>,
}

/// Bytes that memory must be equal to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The name in the suite, with the row's values in it.
    pub name: String,
    /// Where they are kept, or are going to be.
    pub path: String,
    /// `None` if they are to be taken anew.
    pub bytes: Option<Vec<u8>>,
}

/// An interrupt line of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    Irq,
    Nmi,
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
    pub body: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: Name,
    pub domain: Set,
}

/// What `in` looks into.
#[derive(Debug, Clone, PartialEq)]
pub enum Set {
    Range(Box<Expr>, Box<Expr>),
    List(Vec<Expr>),
}

/// `a..b`, both ends included; `end` is `None` for a lone place.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    pub span: Span,
    pub start: Expr,
    pub end: Option<Expr>,
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

/// How a board, a map or a sprite lies in memory.
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

#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    pub base: Box<Expr>,
    pub layout: Option<Name>,
    pub pieces: Option<Box<Expr>>,
}

/// A statement for another back end: parsed, never run here.
#[derive(Debug, Clone, PartialEq)]
pub struct BackendStep {
    pub name: String,
    pub arguments: Vec<Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Register {
    A,
    X,
    Y,
    Sp,
    Pc,
    P,
}

impl Register {
    pub fn parse(word: &str) -> Option<Register> {
        Some(match word {
            "a" | "A" => Register::A,
            "x" | "X" => Register::X,
            "y" | "Y" => Register::Y,
            "sp" | "SP" => Register::Sp,
            "pc" | "PC" => Register::Pc,
            "p" | "P" => Register::P,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Register::A => "a",
            Register::X => "x",
            Register::Y => "y",
            Register::Sp => "sp",
            Register::Pc => "pc",
            Register::P => "p",
        }
    }

    /// Known to the base language too.
    pub fn is_base(self) -> bool {
        matches!(self, Register::A | Register::X | Register::Y)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    C,
    Z,
    I,
    D,
    B,
    V,
    N,
}

impl Flag {
    pub fn parse(word: &str) -> Option<Flag> {
        Some(match word {
            "c" | "C" => Flag::C,
            "z" | "Z" => Flag::Z,
            "i" | "I" => Flag::I,
            "d" | "D" => Flag::D,
            "b" | "B" => Flag::B,
            "v" | "V" => Flag::V,
            "n" | "N" => Flag::N,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Flag::C => "c",
            Flag::Z => "z",
            Flag::I => "i",
            Flag::D => "d",
            Flag::B => "b",
            Flag::V => "v",
            Flag::N => "n",
        }
    }

    pub fn is_base(self) -> bool {
        !matches!(self, Flag::I | Flag::B)
    }

    /// Its bit in the status byte.
    pub fn mask(self) -> u8 {
        match self {
            Flag::C => 0x01,
            Flag::Z => 0x02,
            Flag::I => 0x04,
            Flag::D => 0x08,
            Flag::B => 0x10,
            Flag::V => 0x40,
            Flag::N => 0x80,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    Number(i64),
    Symbol(String),
    /// A symbol whose value the checker has found.
    Known(String, i64),
    Bool(bool),
    Text(String),
    Register(Register),
    Flag(Flag),
    Cycles,
    /// A variable of `each` or `forall`, or a `define`.
    Name(String),
    /// `.l`, `.h`, `<`, `>`.
    Half(Half, Box<Expr>),
    /// `peekbyte`, `peekword`, and the suffixes `.b` `.w` `.lw`.
    Read(Width, Box<Expr>),
    /// The lone place left of a comparison: the byte stored there.
    PlaceRead(Box<Expr>),
    MemChk(Box<[Expr; 3]>),
    MemCmp(Box<[Expr; 3]>),
    Paren(Box<Expr>),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    In {
        value: Box<Expr>,
        set: Set,
        negated: bool,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// `calls[n].cycles`, `calls.count`.
    Calls {
        index: Option<Box<Expr>>,
        member: String,
    },
    /// `spy(place)[n].a`, `spy(place).count`.
    Spy {
        at: Box<Expr>,
        index: Option<Box<Expr>>,
        member: String,
    },
    /// `captured`, `captured(place)`: bytes caught by stubs.
    Captured(Option<Box<Expr>>),
    Bytes(Vec<Expr>),
    EncodedText(Box<Expr>, Encoding),
    Fen(Board),
    /// `raster` or `cycle`: where the beam is.
    Beam(Beam),
    /// `screen()`, or a row of it.
    Screen(Option<Box<Expr>>),
    /// `screen() contains "text"`
    Contains(Box<Expr>, Box<Expr>),
    /// `screen_contains("text")` and its like.
    Backend(BackendStep),
}

/// Where the beam is: its line, or the cycle in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beam {
    Line,
    Cycle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    Low,
    High,
    /// `.L` and `.H`, which sim6502 accepts and ignores.
    UpperLow,
    UpperHigh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Byte,
    Word,
    Long,
}

impl Width {
    pub fn bytes(self) -> usize {
        match self {
            Width::Byte => 1,
            Width::Word => 2,
            Width::Long => 4,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    #[default]
    Ascii,
    Petscii,
    Screen,
}

impl Encoding {
    pub fn parse(word: &str) -> Option<Encoding> {
        Some(match word {
            "ascii" => Encoding::Ascii,
            "petscii" => Encoding::Petscii,
            "screen" => Encoding::Screen,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Encoding::Ascii => "ascii",
            Encoding::Petscii => "petscii",
            Encoding::Screen => "screen",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Or,
    Xor,
    And,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Binary {
    pub fn text(self) -> &'static str {
        match self {
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::And => "&",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Modulo => "%",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Compare {
    pub fn text(self) -> &'static str {
        match self {
            Compare::Equal => "==",
            Compare::NotEqual => "!=",
            Compare::Less => "<",
            Compare::LessEqual => "<=",
            Compare::Greater => ">",
            Compare::GreaterEqual => ">=",
        }
    }

    pub fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Compare::Equal => left == right,
            Compare::NotEqual => left != right,
            Compare::Less => left < right,
            Compare::LessEqual => left <= right,
            Compare::Greater => left > right,
            Compare::GreaterEqual => left >= right,
        }
    }
}

impl Expr {
    /// Nothing but a number or a bracketed name.
    pub fn is_place(&self) -> bool {
        matches!(self.kind, ExprKind::Number(_) | ExprKind::Symbol(_) | ExprKind::Known(..))
    }

    /// Calls `visit` for this expression and everything inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Number(_)
            | ExprKind::Symbol(_)
            | ExprKind::Known(..)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::Register(_)
            | ExprKind::Flag(_)
            | ExprKind::Cycles
            | ExprKind::Beam(_)
            | ExprKind::Name(_) => {}
            ExprKind::Half(_, inner)
            | ExprKind::Read(_, inner)
            | ExprKind::PlaceRead(inner)
            | ExprKind::Paren(inner)
            | ExprKind::Negate(inner)
            | ExprKind::Not(inner)
            | ExprKind::EncodedText(inner, _) => inner.walk(visit),
            ExprKind::MemChk(all) | ExprKind::MemCmp(all) => all.iter().for_each(|e| e.walk(visit)),
            ExprKind::Binary(_, l, r)
            | ExprKind::Compare(_, l, r)
            | ExprKind::Contains(l, r)
            | ExprKind::And(l, r)
            | ExprKind::Or(l, r) => {
                l.walk(visit);
                r.walk(visit);
            }
            ExprKind::In { value, set, .. } => {
                value.walk(visit);
                match set {
                    Set::Range(from, to) => {
                        from.walk(visit);
                        to.walk(visit);
                    }
                    Set::List(all) => all.iter().for_each(|e| e.walk(visit)),
                }
            }
            ExprKind::Calls { index, .. } => index.iter().for_each(|e| e.walk(visit)),
            ExprKind::Spy { at, index, .. } => {
                at.walk(visit);
                index.iter().for_each(|e| e.walk(visit));
            }
            ExprKind::Captured(at) | ExprKind::Screen(at) => at.iter().for_each(|e| e.walk(visit)),
            ExprKind::Bytes(all) => all.iter().for_each(|e| e.walk(visit)),
            ExprKind::Fen(board) => {
                board.base.walk(visit);
                board.pieces.iter().for_each(|e| e.walk(visit));
            }
            ExprKind::Backend(step) => step.arguments.iter().for_each(|e| e.walk(visit)),
        }
    }
}
