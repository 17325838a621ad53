//! The table of words. A command is one item of it: its word, help, example and function are in one place.

use crate::console::{Done, Turn};
use crate::words::{back, change, go, look, stop};

/// A command.
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// Other words for it, the usual one first.
    pub aliases: &'static [&'static str],
    /// Its arguments: capitals for what is filled in, brackets for what can be left out.
    pub arguments: &'static str,
    /// One sentence that says what it does.
    pub sentence: &'static str,
    /// A line that can be typed.
    pub example: &'static str,
    /// The completions after it.
    pub takes: Takes,
    /// Whether it moves the machine.
    pub moves: Moves,
    /// Whether it needs the past, which a machine elsewhere does not have.
    pub needs_past: bool,
    pub(crate) run: Run,
}

/// The function that implements a command: gets the text after the word.
pub(crate) type Run = fn(&mut Turn<'_, '_>, &str) -> Done;

impl Word {
    /// Whether a text is the word or one of its aliases.
    pub fn is_called(&self, text: &str) -> bool {
        self.name == text || self.aliases.contains(&text)
    }

    /// Whether it moves the machine, which therefore must be stopped.
    pub fn moves_with(&self, arguments: &str) -> bool {
        match self.moves {
            Moves::Never => false,
            Moves::Alone => arguments.is_empty(),
            Moves::Always => true,
        }
    }

    /// The word with its arguments.
    pub fn usage(&self) -> String {
        let space = if self.arguments.is_empty() { "" } else { " " };
        format!("{}{space}{}", self.name, self.arguments)
    }
}

/// Whether a command moves the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// It leaves the machine where it is.
    Never,
    /// It moves the machine if it has no arguments.
    Alone,
    /// It moves the machine.
    Always,
}

/// The arguments of a word, as completion sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Names of the program.
    Names,
    /// Exceptions.
    Exceptions,
    /// Commands.
    Words,
    /// Nothing that can be completed.
    Nothing,
}

/// A group of commands.
pub struct Group {
    /// Its heading.
    pub title: &'static str,
    /// Its commands.
    pub words: &'static [Word],
}

/// All groups, in the order of the help.
pub const GROUPS: [Group; 5] = [
    Group { title: "Running", words: go::WORDS },
    Group { title: "The past", words: back::WORDS },
    Group { title: "Stopping", words: stop::WORDS },
    Group { title: "Looking", words: look::WORDS },
    Group { title: "Changing", words: change::WORDS },
];

/// All commands, in the order of the help.
pub fn words() -> impl Iterator<Item = &'static Word> + Clone {
    GROUPS.iter().flat_map(|group| group.words)
}

/// The command that a word means.
pub fn find(text: &str) -> Option<&'static Word> {
    words().find(|word| word.is_called(text))
}
