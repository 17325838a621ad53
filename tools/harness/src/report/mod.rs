//! Reports: events in, text out. None of them knows files, terminals or exit codes.

mod bench;
mod compat;
mod coverage;
mod flame;
mod github;
mod human;
mod junit;
mod tap;
mod trace;

pub use bench::{BenchError, read_benches, write_benches};
pub use coverage::{html, lcov, merge_coverage};
pub use flame::{flame_graph, folded};
pub use junit::junit;
pub use trace::trace_text;

use crate::diag::Colour;
use crate::events::Event;

/// A report that grows with the events.
pub trait Reporter: Send {
    /// What the event adds to the output.
    fn event(&mut self, event: &Event) -> String;
}

/// The forms `--format` offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Human,
    Compat,
    Json,
    Tap,
    Github,
}

/// How a human report looks.
#[derive(Debug, Clone)]
pub struct Style {
    pub colour: Colour,
    /// Also passing and skipped tests.
    pub verbose: bool,
    /// How one test is run again: `tempo test`.
    pub command: String,
}

pub fn reporter(format: Format, style: &Style) -> Box<dyn Reporter> {
    match format {
        Format::Human => Box::new(human::Human::new(style.clone())),
        Format::Compat => Box::new(compat::Compat),
        Format::Json => Box::new(Json),
        Format::Tap => Box::new(tap::Tap::default()),
        Format::Github => Box::new(github::Github::new(style.clone())),
    }
}

/// One event a line.
struct Json;

impl Reporter for Json {
    fn event(&mut self, event: &Event) -> String {
        if matches!(event, Event::Progress { .. }) {
            return String::new();
        }
        let mut line = serde_json::to_string(event)
            .unwrap_or_else(|err| format!("{{\"event\":\"error\",\"message\":\"{err}\"}}"));
        line.push('\n');
        line
    }
}

/// A word as a shell would need it.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(shell_word("tests/a.6502"), "tests/a.6502");
        assert_eq!(shell_word("moves[1]"), "'moves[1]'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
    }
}
