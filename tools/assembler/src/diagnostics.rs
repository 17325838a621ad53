//! Errors and warnings as data. Rendering them, colour and exit codes are the command's.
//!
//! `message` keeps the words of Kick Assembler, mistakes included, because editors match on them; what we have to
//! add goes into `label`, `help` and `notes`.

use crate::source::Pos;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// One error or warning.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Stable, one per kind of message: `E0301`.
    pub code: &'static str,
    pub message: String,
    /// The smallest text the user must change; overlaps and the like have none.
    pub at: Option<Location>,
    /// What to write under the caret, if the message alone does not say it.
    pub label: Option<String>,
    /// How evaluation got there, innermost first.
    pub frames: Vec<Frame>,
    /// What to do next.
    pub help: Option<String>,
    pub notes: Vec<String>,
}

/// A place in a source. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Index into `Program::sources`; 0 is the built-in source.
    pub file: u32,
    pub line: u32,
    pub column: u32,
    /// Characters from the column on that belong to it; at least 1.
    pub len: u32,
}

/// One level of the way to an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub kind: FrameKind,
    pub name: String,
    /// The place of the call or import.
    pub at: Location,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameKind {
    Macro,
    PseudoCommand,
    Function,
    /// A built-in function, method or operator; the place equals that of the error.
    BuiltIn,
    Import,
}

/// A diagnostic whose places are still positions; turned into a [`Diagnostic`] at the end.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub severity: Severity,
    pub code: &'static str,
    pub message: String,
    pub pos: Option<Pos>,
    pub label: Option<String>,
    pub help: Option<String>,
    pub notes: Vec<String>,
    pub calls: Vec<Call>,
}

/// A call that is being executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call {
    pub kind: FrameKind,
    pub name: crate::intern::Name,
    pub pos: Pos,
}

impl Report {
    pub fn error(code: &'static str, pos: impl Into<Option<Pos>>, message: impl Into<String>) -> Report {
        Report {
            severity: Severity::Error,
            code,
            message: message.into(),
            pos: pos.into(),
            label: None,
            help: None,
            notes: Vec::new(),
            calls: Vec::new(),
        }
    }

    pub fn warning(code: &'static str, pos: Pos, message: impl Into<String>) -> Report {
        Report { severity: Severity::Warning, ..Report::error(code, pos, message) }
    }

    pub fn help(mut self, help: impl Into<String>) -> Report {
        self.help = Some(help.into());
        self
    }

    pub fn label(mut self, label: impl Into<String>) -> Report {
        self.label = Some(label.into());
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Report {
        self.notes.push(note.into());
        self
    }
}
