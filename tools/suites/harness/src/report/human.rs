//! What a person reads: failures only, then one line.

use super::{Reporter, Style, painted, shell_word};
use crate::diag::Colour;
use crate::events::{Counts, Event, Failure, Outcome, TestReport, Totals};

pub(super) struct Human {
    style: Style,
}

impl Human {
    pub fn new(style: Style) -> Human {
        Human { style }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.style.colour {
            Colour::Plain => text.to_string(),
            Colour::Ansi => painted(&format!("\x1b[{code}m"), text),
        }
    }

    fn test(&self, test: &TestReport) -> String {
        let mut out = String::new();
        for line in &test.output {
            out.push_str(line);
            out.push('\n');
        }
        for warning in &test.warnings {
            out.push_str(&format!(
                "{}: {}: {}\n",
                self.paint("33", "warning"),
                warning.location,
                warning.message
            ));
        }
        if test.outcome != Outcome::Failed {
            // A trace is there only when it was asked for.
            for line in &test.trace {
                out.push_str(line);
                out.push('\n');
            }
            if self.style.verbose && !matches!(test.outcome, Outcome::Filtered) {
                let code = if test.outcome == Outcome::Passed { "32" } else { "33" };
                let word = self.paint(code, test.outcome.text());
                out.push_str(&format!(
                    "{word} {} - {} ({} cycles)\n",
                    test.id, test.description, test.cycles
                ));
            }
            return out;
        }
        let title = format!("{} {}", self.paint("1;31", "FAILED"), self.paint("1", &test.id));
        out.push_str(&format!("{title} - {} ({})\n", test.description, test.suite_name));
        for line in &test.trace {
            out.push_str(&format!("  {line}\n"));
        }
        for failure in &test.failures {
            out.push_str(&self.failure(failure));
        }
        let rerun = format!(
            "{} {} --test {}",
            self.style.command,
            shell_word(&test.location.file),
            shell_word(&test.id)
        );
        out.push_str(&format!("  rerun: {rerun}\n\n"));
        out
    }

    fn failure(&self, failure: &Failure) -> String {
        let mut out = format!("  {}\n", failure.message);
        let name = failure.text.as_ref().map_or(String::new(), |text| format!(" \"{text}\""));
        if !name.is_empty() && !failure.statement.contains(&name) {
            out.push_str(&format!("    text: {}\n", name.trim()));
        }
        out.push_str(&format!(
            "    {}  {}\n",
            self.paint("36", &failure.location.to_string()),
            failure.statement
        ));
        for call in &failure.procedures {
            out.push_str(&format!(
                "    called at {}  {}\n",
                self.paint("36", &call.location.to_string()),
                call.statement
            ));
        }
        if let Some(case) = &failure.case {
            out.push_str(&format!("    case: {case}\n"));
        }
        for line in &failure.detail {
            out.push_str(&format!("    {line}\n"));
        }
        if let Some(place) = &failure.stopped {
            let line = place.line.as_ref().map_or(String::new(), |line| format!("  {line}"));
            out.push_str(&format!("    stopped at {place}{line}\n"));
        }
        if !failure.calls.is_empty() {
            out.push_str("    last calls, newest first:\n");
            for call in failure.calls.iter().rev() {
                out.push_str(&format!("      {call}\n"));
            }
        }
        out
    }

    fn summary(&self, totals: &Totals) -> String {
        let Counts { passed, failed, skipped, filtered, not_run } = totals.counts;
        let mut out = format!("{passed} passed, {failed} failed");
        for (count, word) in [(skipped, "skipped"), (filtered, "filtered"), (not_run, "not run")] {
            if count > 0 {
                out.push_str(&format!(", {count} {word}"));
            }
        }
        let code = if failed > 0 { "31" } else { "32" };
        let out = self.paint(code, &out);
        let seconds = if totals.seconds < 10.0 {
            format!("{:.2}", totals.seconds)
        } else {
            format!("{:.1}", totals.seconds)
        };
        let speed = if totals.seconds > 0.0 && totals.cycles > 0 {
            format!(", {:.0} MHz", totals.cycles as f64 / totals.seconds / 1e6)
        } else {
            String::new()
        };
        format!("{out} in {seconds} s ({} cycles{speed})\n", large(totals.cycles))
    }
}

/// `49.4 M`.
fn large(number: u64) -> String {
    match number {
        0..=9_999 => number.to_string(),
        10_000..=999_999 => format!("{:.1} k", number as f64 / 1e3),
        1_000_000..=999_999_999 => format!("{:.1} M", number as f64 / 1e6),
        _ => format!("{:.2} G", number as f64 / 1e9),
    }
}

impl Reporter for Human {
    fn event(&mut self, event: &Event) -> String {
        match event {
            Event::Test(test) => self.test(test),
            Event::RunFinished(totals) => self.summary(totals),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::large;
    use pretty_assertions::assert_eq;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [large(999), large(49_400_000), large(12_345), large(2_500_000_000)],
            ["999", "49.4 M", "12.3 k", "2.50 G"]
        );
    }
}
