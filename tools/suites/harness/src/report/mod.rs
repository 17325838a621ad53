//! Reports: events in, text out. None of them knows files, terminals or exit codes.

mod bench;
mod compat;
mod coverage;
mod flame;
mod github;
mod human;
mod junit;
mod tap;
mod text;
mod trace;

pub use bench::{BenchError, read_benches, write_benches};
pub use coverage::{cobertura, html, lcov, merge_coverage};
pub use flame::{flame_graph, folded};
pub use github::annotation;
pub use junit::junit;
pub use trace::trace_text;

use crate::diag::Colour;
use crate::events::Event;
use text::Text;

/// A report that grows with the events.
pub trait Reporter: Send {
    /// The event's addition to the output.
    fn event(&mut self, event: &Event) -> String;
}

macro_rules! formats {
    ($($name:ident $word:literal $about:literal => $make:expr;)*) => {
        /// The forms `--format` offers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the table describes them")]
        pub enum Format { $($name),* }

        impl Format {
            /// In the order of the help.
            pub const ALL: &[Format] = &[$(Format::$name),*];

            /// Its word on the command line, and what it is.
            pub const fn described(self) -> (&'static str, &'static str) {
                match self { $(Format::$name => ($word, $about)),* }
            }
        }

        pub fn reporter(format: Format, style: &Style) -> Box<dyn Reporter> {
            let make: fn(&Style) -> Box<dyn Reporter> = match format { $(Format::$name => $make),* };
            make(style)
        }
    };
}

formats! {
    Human "human" "Failures, then one line" => |style| visible(human::Human::new(style.clone()), style.colour);
    Compat "compat" "The lines of sim6502" => |_| Box::new(Plain(compat::Compat));
    Json "json" "One event a line" => |_| Box::new(Json);
    Tap "tap" "Test Anything Protocol" => |_| Box::new(Plain(tap::Tap::default()));
    Github "github" "Annotations on GitHub" => |style| visible(github::Github::new(style.clone()), Colour::Plain);
}

impl Format {
    /// Its word on the command line.
    pub const fn name(self) -> &'static str {
        self.described().0
    }

    /// The form of a word.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.name() == name)
    }
}

/// How much a human report says about the verdicts of properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Nothing.
    Not,
    /// Their numbers, at the end.
    Counted,
    /// The same, and a line for each.
    Listed,
}

/// How a human report looks.
#[derive(Debug, Clone)]
pub struct Style {
    pub colour: Colour,
    /// Also passing and skipped tests.
    pub verbose: bool,
    pub verdicts: Told,
    /// How one test is run again: `tempo test`.
    pub command: String,
}

fn visible(report: impl Draft + 'static, colour: Colour) -> Box<dyn Reporter> {
    Box::new(Visible { report, colour })
}

/// The text that an event adds to a report for terminals and logs.
trait Draft: Send {
    fn draft(&mut self, event: &Event) -> Text;
}

/// A report for terminals and logs: no character of a name or message steers them.
struct Visible<R> {
    report: R,
    colour: Colour,
}

impl<R: Draft> Reporter for Visible<R> {
    fn event(&mut self, event: &Event) -> String {
        self.report.draft(event).shown(self.colour == Colour::Ansi)
    }
}

/// The same for a report without styles.
struct Plain<R>(R);

impl<R: Reporter> Reporter for Plain<R> {
    fn event(&mut self, event: &Event) -> String {
        Text::from(self.0.event(event)).shown(false)
    }
}

/// One event a line.
struct Json;

impl Reporter for Json {
    fn event(&mut self, event: &Event) -> String {
        if matches!(event, Event::Progress { .. } | Event::Meter(_)) {
            return String::new();
        }
        #[derive(serde::Serialize)]
        struct ProofLine<'a> {
            event: &'static str,
            #[serde(flatten)]
            proof: &'a crate::events::Proof,
        }
        let mut lines = String::new();
        if let Event::Test(test) = event {
            for proof in &test.proofs {
                lines.push_str(&json_line(&ProofLine { event: "prove", proof }));
            }
        }
        lines.push_str(&json_line(event));
        lines
    }
}

fn json_line(value: &impl serde::Serialize) -> String {
    let mut line = serde_json::to_string(value)
        .unwrap_or_else(|err| format!("{{\"event\":\"error\",\"message\":\"{err}\"}}"));
    line.push('\n');
    line
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
        let hostile = "a\u{1b}[2J\u{7}\r\u{9b}31m\u{202e}\u{f0002}";
        let event = Event::SuiteStarted { file: hostile.into(), name: hostile.into(), suite: 0 };
        for format in Format::ALL.iter().copied().filter(|format| *format != Format::Json) {
            let style = Style {
                colour: Colour::Ansi,
                verbose: true,
                verdicts: Told::Listed,
                command: "tempo test".into(),
            };
            let text = reporter(format, &style).event(&event);
            let is_plain = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
            assert!(text.chars().all(is_plain), "{format:?}: {text:?}");
        }
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(shell_word("tests/a.6502"), "tests/a.6502");
        assert_eq!(shell_word("moves[1]"), "'moves[1]'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
    }
}
