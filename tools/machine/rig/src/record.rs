//! A test as a recording: the machine it starts on, and everything the test text did to it, so that a debugger can run the
//! test again, in pieces and backwards. The program itself is not recorded: it does the same every time.

use std::sync::Arc;

use tempo_c64::Keys;
use tempo_diagnostics::{Columns, FileId, Location, Source, SourceMap as _, Sources, Span};
use tempo_emu::{Joystick, Registers};

use crate::machine::{Feed, TestMachine, Wire};

/// An action of the test text.
#[derive(Clone)]
pub enum Action {
    /// A statement begins.
    Statement(Span),
    /// A store of the text.
    Poke(u16, u8),
    /// The registers and the clock before code runs; also what a stub left.
    Enter(Registers, u64),
    /// The answers of addresses, from here on.
    Feeds(Vec<Feed>),
    /// Lines pulled during the run that follows.
    Wires(Vec<Wire>),
    /// Code runs until this cycle.
    Run(u64),
    /// The program of a whole computer runs until this cycle.
    Frame(u64),
    /// The registers of that program change.
    Main(Registers, u64),
    /// The program has returned: on into the prompt.
    Prompt,
    /// Keys are typed.
    Keys(Keys),
    /// The program whose BASIC line is in memory is started.
    Start,
    /// The machine is as it was before. Cases of a property share the one that all of them start on.
    Machine(Arc<TestMachine>),
    /// A key of the matrix is pressed or released, by its number.
    Key(u8, bool),
    /// The joystick in a port is moved.
    Joystick(u8, Joystick),
    /// The RESET button is pressed.
    Reset,
    /// Something is not as the test wants it.
    Failure {
        /// The statement.
        span: Span,
        /// The failure in words.
        message: String,
    },
}

/// A test to run again.
#[derive(Clone)]
pub struct Recording {
    /// The test's name.
    pub id: String,
    /// The suite, and the files it includes.
    pub source: Arc<Sources>,
    /// Numbers that the test has names for, such as those of its row in a table.
    pub values: Vec<(String, i64)>,
    /// Names of the program.
    pub names: Vec<(String, i64)>,
    /// Bytes that were loaded before the test: first address and number.
    pub loaded: Vec<(u16, usize)>,
    /// The machine before the first statement.
    pub machine: TestMachine,
    /// The actions of the text, in order.
    pub actions: Arc<Vec<Action>>,
    /// The failures of the run, in words.
    pub failures: Vec<String>,
}

impl Recording {
    /// The suite's own text.
    pub fn suite(&self) -> Option<&Source> {
        self.source.get(FileId(0))
    }

    /// The first failure: its cycle, its statement and its words.
    pub fn first_failure(&self) -> Option<(u64, Span, &str)> {
        first_failure(&self.actions)
    }

    /// The place of a statement; columns count characters.
    pub fn location(&self, span: Span) -> Location {
        self.source.locate(span.start, Columns::Characters).unwrap_or_default()
    }
}

/// The first failure in a list of actions: its cycle, its statement and its words.
pub fn first_failure(actions: &[Action]) -> Option<(u64, Span, &str)> {
    let mut now = 0;
    for action in actions {
        match action {
            Action::Enter(_, cycles) | Action::Main(_, cycles) => now = *cycles,
            Action::Run(cycles) | Action::Frame(cycles) => now = now.max(*cycles),
            Action::Machine(machine) => now = machine.cycles,
            Action::Failure { span, message } => return Some((now, *span, message)),
            _ => {}
        }
    }
    None
}
