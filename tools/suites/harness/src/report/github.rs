//! Annotations for GitHub's pages, then the same summary a person reads.

use super::human::Human;
use super::text::Text;
use super::{Draft, Style};
use crate::diag::Colour;
use crate::events::Event;
use crate::source::Location;

pub(super) struct Github {
    human: Human,
}

impl Github {
    pub fn new(style: Style) -> Github {
        Github { human: Human::new(Style { colour: Colour::Plain, verbose: false, ..style }) }
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that a suite prints, which must not be a command to GitHub.
fn inert(line: &str) -> String {
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    let lines = line
        .split('\n')
        .map(|line| if is_command(line) { format!("\\{}", line.trim_start()) } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n").replace("##[", "#\\#[")
}

/// An annotation of a place in a file, encoded as the workflow commands of GitHub ask for.
pub fn annotation(level: &str, at: &Location, title: Option<&str>, message: &str) -> String {
    let title = title.map(|title| format!(",title={}", property(title))).unwrap_or_default();
    let (file, line, column) = (property(&at.file), at.line, at.column);
    format!("::{level} file={file},line={line},col={column}{title}::{}\n", data(message))
}

impl Draft for Github {
    fn draft(&mut self, event: &Event) -> Text {
        let Event::Test(test) = event else { return self.human.draft(event) };
        let mut out: String = test.output.iter().map(|line| format!("{}\n", inert(line))).collect();
        for warning in &test.warnings {
            out.push_str(&annotation("warning", &warning.location, None, &warning.message));
        }
        for failure in &test.failures {
            let mut message = failure.message.clone();
            message.push_str(&format!("\n{}", failure.statement));
            for call in &failure.procedures {
                message.push_str(&format!("\ncalled at {call}"));
            }
            for line in &failure.detail {
                message.push_str(&format!("\n{line}"));
            }
            if let Some(case) = &failure.case {
                message.push_str(&format!("\ncase: {case}"));
            }
            if let Some(place) = &failure.stopped {
                message.push_str(&format!("\nstopped at {place}"));
            }
            let title = format!("{} - {}", test.id, test.description);
            out.push_str(&annotation("error", &failure.location, Some(&title), &message));
        }
        out.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_hold_any_name_and_lines_are_no_commands() {
        let at = Location { file: "a,b/bad:1.6502".into(), line: 3, column: 4 };
        assert_eq!(
            annotation("error", &at, None, "100 %\n::stop"),
            "::error file=a%2Cb/bad%3A1.6502,line=3,col=4::100 %25%0A::stop\n"
        );
        assert_eq!(inert("::add-mask::x"), "\\::add-mask::x");
        assert_eq!(inert(" ::x\nplain"), "\\::x\nplain");
        assert!(!inert("##[error]x").contains("##["));
    }
}
