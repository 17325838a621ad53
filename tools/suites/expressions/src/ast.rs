//! Expressions as they were written: plain enums with spans. Symbols are names here; [`resolve`](crate::resolve()) gives
//! them values.

use tempo_diagnostics::Span;

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

/// The right side of `in`.
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

    /// Its value as a number.
    #[inline]
    pub fn value(self, registers: &tempo_emu::Registers) -> i64 {
        match self {
            Register::A => i64::from(registers.a),
            Register::X => i64::from(registers.x),
            Register::Y => i64::from(registers.y),
            Register::Sp => i64::from(registers.s),
            Register::P => i64::from(registers.p.byte()),
            Register::Pc => i64::from(registers.pc),
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
        matches!(self.kind, ExprKind::Number(_) | ExprKind::Symbol(_))
    }

    /// Calls `visit` for this expression and everything inside it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Number(_)
            | ExprKind::Symbol(_)
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
