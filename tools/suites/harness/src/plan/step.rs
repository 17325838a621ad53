//! Statements and expressions of a plan: the written ones with every name, file and layout in place.
//! **An unresolved name cannot be written here:** symbols are values, variables are indexes, layouts and files are held.

use std::sync::Arc;

pub use tempo_expressions::Variable;

use super::Value;
use crate::ast::{Encoding, Flag, Line, Pointer, Register, Width};
use crate::layout::Layout;
use crate::source::Span;

/// An expression of a suite.
pub type Expr = tempo_expressions::Expr<Form>;

/// The right side of `in`.
pub type Set = tempo_expressions::resolve::Set<Form>;

/// Expressions that only suites have.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    Text(Template),
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
    /// `screen()`, or a row of it.
    Screen(Option<Box<Expr>>),
    /// `screen() contains "text"`
    Contains(Box<Expr>, Box<Expr>),
    /// `screen_contains("text")` and its like.
    Backend(Backend),
}

impl Form {
    /// More than a number: compared as a whole, never calculated with.
    pub fn is_whole(&self) -> bool {
        !matches!(self, Form::Calls { .. } | Form::Spy { .. } | Form::Contains(..) | Form::Backend(_))
    }
}

impl tempo_expressions::Form for Form {
    fn visit(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Form::Text(_) => {}
            Form::Calls { index, .. } => index.iter().for_each(|index| visit(index)),
            Form::Spy { at, index, .. } => {
                visit(at);
                index.iter().for_each(|index| visit(index));
            }
            Form::Captured(at) | Form::Screen(at) => at.iter().for_each(|at| visit(at)),
            Form::Bytes(all) => all.iter().for_each(visit),
            Form::EncodedText(inner, _) => visit(inner),
            Form::Fen(board) => {
                visit(&board.base);
                board.pieces.iter().for_each(|pieces| visit(pieces));
            }
            Form::Contains(left, right) => {
                visit(left);
                visit(right);
            }
            Form::Backend(step) => step.arguments.iter().for_each(visit),
        }
    }
}

/// A text whose `{name}` holes are filled with variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(Variable),
}

/// The content of a hole.
pub enum Hole {
    Text(String),
    Variable(Variable),
}

impl Template {
    /// A template of a text; `hole` says what a name in braces stands for. Braces around anything else stay.
    pub fn new(text: &str, hole: impl Fn(&str) -> Option<Hole>) -> Template {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let inside = &rest[open + 1..];
            let end = inside.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inside.len());
            let found = if inside[end..].starts_with('}') { hole(&inside[..end]) } else { None };
            let Some(found) = found else {
                literal.push_str(&rest[..=open]);
                rest = inside;
                continue;
            };
            literal.push_str(&rest[..open]);
            match found {
                Hole::Text(text) => literal.push_str(&text),
                Hole::Variable(variable) => {
                    if !literal.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    }
                    pieces.push(Piece::Variable(variable));
                }
            }
            rest = &inside[end + 1..];
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Template { pieces }
    }

    /// The text, if it has no holes.
    pub fn constant(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with the variables' values in it.
    pub fn fill(&self, variables: &[Value]) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Variable(Variable(index)) => {
                    if let Some(value) = variables.get(*index as usize) {
                        out.push_str(&value.to_string());
                    }
                }
            }
        }
        out
    }
}

/// A board in memory and how it is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    pub base: Box<Expr>,
    pub layout: Arc<Layout>,
    /// A table in memory with the codes of the pieces.
    pub pieces: Option<Box<Expr>>,
}

/// A statement or value of another back end.
#[derive(Debug, Clone, PartialEq)]
pub struct Backend {
    pub name: String,
    pub arguments: Vec<Expr>,
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
        text: Option<Template>,
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
    MemDump {
        from: Expr,
        count: Expr,
        encoding: Encoding,
    },
    /// One of `references` for each row of a table.
    Snapshot {
        name: Template,
        from: Expr,
        count: Expr,
        encoding: Encoding,
        references: Arc<[Kept]>,
    },
    Forall(Forall),
    Equivalent(Equivalent),
    Call(Call),
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
        bytes: Arc<[u8]>,
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
    Interrupt {
        line: Line,
        at: Expr,
    },
    Frames(Expr),
    Keys(Expr),
    Joystick {
        port: Expr,
        switches: Expr,
    },
    Pointer {
        pointer: Pointer,
        arguments: Vec<Expr>,
    },
    Cartridge(Arc<tempo_emu::c64::Cartridge>),
    Disk(Arc<tempo_c64::Volume>),
    /// One of `references` for each row of a table.
    Screenshot {
        name: Template,
        tolerance: Option<Expr>,
        references: Arc<[Reference]>,
    },
    Backend(Backend),
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
    /// Each is bound after those before it.
    pub variables: Vec<(String, Set)>,
    pub samples: Option<i64>,
    pub seed: Option<i64>,
    /// It is to be proved.
    pub prove: bool,
    pub body: Vec<Step>,
}

/// Two routines that must leave the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Equivalent {
    pub routines: [Expr; 2],
    /// Registers, flags and places in memory, with all their values or those of a set.
    pub inputs: Vec<(Expr, Option<Set>)>,
    pub outputs: Vec<Expr>,
}

/// A call of a procedure: its statements with the arguments in place of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub name: String,
    /// Arguments that are evaluated when the call is reached. Their values are bound one after the other; constants and
    /// variables are in the statements already.
    pub arguments: Vec<Expr>,
    pub body: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Double {
    Stub { at: Expr, body: Vec<Step> },
    Spy { at: Expr },
    Io { at: Expr, values: Vec<Expr> },
}

/// Whether any of the statements installs a double or pulls a line: only a watched run looks at them.
pub fn has_doubles(steps: &[Step]) -> bool {
    steps.iter().any(|step| match &step.kind {
        StepKind::Double(_) | StepKind::Interrupt { .. } => true,
        StepKind::Forall(forall) => has_doubles(&forall.body),
        StepKind::Call(call) => has_doubles(&call.body),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn holes_are_filled_and_other_braces_stay() {
        let template = Template::new("{n}: {other} {RETURN} {piece} {n}{", |name| match name {
            "n" => Some(Hole::Variable(Variable(0))),
            "piece" => Some(Hole::Text("rook".into())),
            _ => None,
        });
        assert_eq!(template.fill(&[Value::Number(7)]), "7: {other} {RETURN} rook 7{");
        assert_eq!(template.constant(), None);
        assert_eq!(Template::new("{a}", |_| None).constant(), Some("{a}"));
        assert_eq!(Template::new("", |_| None).constant(), Some(""));
    }
}
