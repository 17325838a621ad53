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
pub use coverage::{cobertura, html, lcov, merge_coverage};
pub use flame::{flame_graph, folded};
pub use junit::junit;
pub use trace::trace_text;

use tempo_diagnostics::escaped_lines;

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

impl Format {
    /// In the order of the help.
    pub const ALL: [Format; 5] = [Format::Human, Format::Compat, Format::Json, Format::Tap, Format::Github];

    /// Its word on the command line, and what it is.
    pub const fn described(self) -> (&'static str, &'static str) {
        match self {
            Format::Human => ("human", "Failures, then one line"),
            Format::Compat => ("compat", "The lines of sim6502"),
            Format::Json => ("json", "One event a line"),
            Format::Tap => ("tap", "Test Anything Protocol"),
            Format::Github => ("github", "Annotations on GitHub"),
        }
    }

    /// Its word on the command line.
    pub const fn name(self) -> &'static str {
        self.described().0
    }

    /// The form of a word.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
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
        Format::Human => Box::new(Visible(human::Human::new(style.clone()))),
        Format::Compat => Box::new(Visible(compat::Compat)),
        Format::Json => Box::new(Json),
        Format::Tap => Box::new(Visible(tap::Tap::default())),
        Format::Github => Box::new(Visible(github::Github::new(style.clone()))),
    }
}

/// A report for terminals and logs: no character of a name or message steers them.
struct Visible<R>(R);

impl<R: Reporter> Reporter for Visible<R> {
    fn event(&mut self, event: &Event) -> String {
        let text = self.0.event(event);
        PAINTS.iter().fold(escaped_lines(&text).into_owned(), |text, (mark, sequence)| {
            if text.contains(*mark) { text.replace(*mark, sequence) } else { text }
        })
    }
}

/// What stands for a colour until everything else is escaped: characters that no text has a use for.
const PAINTS: [(char, &str); 7] = [
    ('\u{f0000}', "\x1b[0m"),
    ('\u{f0001}', "\x1b[1m"),
    ('\u{f0002}', "\x1b[1;31m"),
    ('\u{f0003}', "\x1b[31m"),
    ('\u{f0004}', "\x1b[32m"),
    ('\u{f0005}', "\x1b[33m"),
    ('\u{f0006}', "\x1b[36m"),
];

/// A text in the colour of a sequence.
fn painted(sequence: &str, text: &str) -> String {
    let mark = PAINTS.iter().find(|(_, known)| *known == sequence).map_or(PAINTS[0].0, |(mark, _)| *mark);
    format!("{mark}{text}{}", PAINTS[0].0)
}

/// One event a line.
struct Json;

impl Reporter for Json {
    fn event(&mut self, event: &Event) -> String {
        if matches!(event, Event::Progress { .. } | Event::Meter(_)) {
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
    fn no_name_steers_the_terminal() {
        let hostile = "a\u{1b}[2J\u{7}\r\u{9b}31m\u{202e}";
        let event = Event::SuiteStarted { file: hostile.into(), name: hostile.into(), suite: 0 };
        for format in Format::ALL.into_iter().filter(|format| *format != Format::Json) {
            let style = Style { colour: Colour::Ansi, verbose: true, command: "tempo test".into() };
            let text = reporter(format, &style).event(&event);
            let is_plain = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
            assert!(text.chars().all(is_plain), "{format:?}: {text:?}");
        }
        let mut report = Visible(Painter);
        assert_eq!(report.event(&event), "\x1b[1;31mFAILED\x1b[0m \\u{1b}[2J\n");
    }

    struct Painter;

    impl Reporter for Painter {
        fn event(&mut self, _: &Event) -> String {
            format!("{} \x1b[2J\n", painted("\x1b[1;31m", "FAILED"))
        }
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(shell_word("tests/a.6502"), "tests/a.6502");
        assert_eq!(shell_word("moves[1]"), "'moves[1]'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
    }
}
