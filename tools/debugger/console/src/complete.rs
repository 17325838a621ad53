//! Completion of a line.

use tempo_debug::{Debugger, Exception};

use crate::console::{Console, Input};
use crate::help::explained;
use crate::word::{Takes, words};

/// Completions of the word at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completions {
    /// Where that word begins, in bytes.
    pub start: usize,
    /// The words that could be there instead.
    pub items: Vec<Completion>,
}

/// A word that could be at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word.
    pub text: String,
    /// A sentence about it, for commands and exceptions.
    pub detail: Option<String>,
}

impl Console {
    /// Completes a line: the first word is a command or a name of the program, later ones are what the command takes.
    pub fn complete(&self, debugger: &Debugger, text: &str, most: usize) -> Completions {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let start =
            text.char_indices().rev().find(|(_, c)| !is_part(*c)).map_or(0, |(at, c)| at + c.len_utf8());
        let prefix = &text[start..];
        let plain = |text: &str| Completion { text: text.to_string(), detail: None };
        let commands = || {
            let found = words().filter(|word| word.name.starts_with(prefix));
            found.map(|word| Completion { text: word.name.to_string(), detail: Some(explained(word)) })
        };
        let names = || debugger.complete(prefix, most).into_iter().map(plain);
        let items = match self.read(&text[..start]) {
            Input::Expression("") if start == 0 => commands().chain(names()).collect(),
            Input::Word(word, _) => match word.takes {
                Takes::Names => names().collect(),
                Takes::Words => commands().collect(),
                Takes::Nothing => Vec::new(),
                Takes::Exceptions => Exception::ALL
                    .into_iter()
                    .filter(|exception| exception.id().starts_with(prefix))
                    .map(|exception| Completion {
                        text: exception.id().to_string(),
                        detail: Some(exception.label().to_string()),
                    })
                    .collect(),
            },
            Input::Expression(_) => names().collect(),
        };
        Completions { start, items }
    }
}
