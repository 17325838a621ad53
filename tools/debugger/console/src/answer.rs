//! Answers as data: lines with kinds and places, and what becomes of the machine.

use tempo_debug::{Place, Stopped};

/// The answer to a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// Lines to show, in order.
    pub lines: Vec<Line>,
    /// The state of the machine after the command.
    pub then: Then,
    /// The value of an expression, for front ends that show more of it than a line.
    pub value: Option<tempo_debug::Answer>,
    /// A change of memory or registers.
    pub change: Option<Change>,
}

/// A line of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// The address it is about.
    pub address: Option<u16>,
    /// The source line it is about.
    pub place: Option<Place>,
    /// The moment it is about, as `at` takes it.
    pub time: Option<u64>,
}

impl Line {
    /// A line without a place.
    pub fn new(kind: Kind, text: impl Into<String>) -> Line {
        Line { kind, text: text.into(), address: None, place: None, time: None }
    }

    pub(crate) fn at(mut self, address: u16) -> Line {
        self.address = Some(address);
        self
    }

    pub(crate) fn on(mut self, place: Option<Place>) -> Line {
        self.place = place;
        self
    }

    pub(crate) fn when(mut self, time: u64) -> Line {
        self.time = Some(time);
        self
    }
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Plain words.
    Text,
    /// The stop: its reason, and the instruction that is next.
    Stop,
    /// Printed by a breakpoint.
    Log,
    /// A value.
    Value,
    /// An expression that is kept in sight.
    Shown,
    /// A row of memory.
    Memory,
    /// A row of a disassembly.
    Code,
    /// A frame of the call stack.
    Frame,
    /// A breakpoint or an exception.
    Point,
    /// The origin of a value.
    Writer,
    /// An instruction that has run.
    Trace,
    /// A command and its sentence.
    Help,
}

/// The state of the machine after a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Then {
    /// It was not moved.
    #[default]
    Stands,
    /// It has moved and is stopped again; the lines of the answer tell the stop.
    Stopped(Stopped),
    /// It runs: the caller runs it and asks for the lines of the stop.
    Runs,
}

/// A change of memory or registers by the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The first address and the number of bytes; `None` for registers.
    pub bytes: Option<(u16, usize)>,
    /// Whether the recorded future was dropped for it.
    pub dropped: bool,
}

/// The reason why a command was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The reason, and the remedy if there is one.
    pub text: String,
    /// Whether the connection to a remote machine is lost.
    pub is_lost: bool,
}

impl Problem {
    pub(crate) fn lost(text: String) -> Problem {
        Problem { text, is_lost: true }
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Problem {
        Problem { text, is_lost: false }
    }
}

impl From<&str> for Problem {
    fn from(text: &str) -> Problem {
        Problem::from(text.to_string())
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Problem {}
