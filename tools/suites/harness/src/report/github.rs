//! Annotations for GitHub's pages, then the same summary a person reads.

use super::human::Human;
use super::{Reporter, Style};
use crate::diag::Colour;
use crate::events::Event;

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

impl Reporter for Github {
    fn event(&mut self, event: &Event) -> String {
        let Event::Test(test) = event else { return self.human.event(event) };
        let mut out: String = test.output.iter().map(|line| format!("{line}\n")).collect();
        for warning in &test.warnings {
            let at = &warning.location;
            out.push_str(&format!(
                "::warning file={},line={},col={}::{}\n",
                property(&at.file),
                at.line,
                at.column,
                data(&warning.message)
            ));
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
            let at = &failure.location;
            out.push_str(&format!(
                "::error file={},line={},col={},title={}::{}\n",
                property(&at.file),
                at.line,
                at.column,
                property(&format!("{} - {}", test.id, test.description)),
                data(&message)
            ));
        }
        out
    }
}
