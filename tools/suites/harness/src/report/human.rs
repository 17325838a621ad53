//! The report for people: failures only, then one line.

use super::text::Text;
use super::{Draft, Style, Told, shell_word};
use crate::events::{Counts, Event, Failure, Outcome, TestReport, Totals};

pub(super) struct Human {
    style: Style,
}

impl Human {
    pub fn new(style: Style) -> Human {
        Human { style }
    }

    fn test(&self, test: &TestReport, out: &mut Text) {
        for line in &test.output {
            out.say(format_args!("{line}\n"));
        }
        for warning in &test.warnings {
            out.paint("33", "warning");
            out.say(format_args!(": {}: {}\n", warning.location, warning.message));
        }
        self.proofs(test, out);
        if test.outcome != Outcome::Failed {
            // A trace is there only when it was asked for.
            for line in &test.trace {
                out.say(format_args!("{line}\n"));
            }
            if self.style.verbose && !matches!(test.outcome, Outcome::Filtered) {
                let code = if test.outcome == Outcome::Passed { "32" } else { "33" };
                out.paint(code, test.outcome.text());
                out.say(format_args!(" {} - {} ({} cycles)\n", test.id, test.description, test.cycles));
            }
            if let Some(why) = &test.skipped_because {
                out.paint("33", "skipped");
                out.say(format_args!(" {}: {why}\n", test.id));
            }
            return;
        }
        out.paint("1;31", "FAILED");
        out.say(" ");
        out.paint("1", &test.id);
        out.say(format_args!(" - {} ({})\n", test.description, test.suite_name));
        for line in &test.trace {
            out.say(format_args!("  {line}\n"));
        }
        for failure in &test.failures {
            self.failure(failure, out);
        }
        let file = shell_word(&test.location.file);
        out.say(format_args!("  rerun: {} {file} --test {}\n\n", self.style.command, shell_word(&test.id)));
    }

    /// A line for each property, if they are asked for; a test to paste where one is refuted.
    fn proofs(&self, test: &TestReport, out: &mut Text) {
        for proof in &test.proofs {
            let is_shown = self.style.verdicts == Told::Listed;
            if is_shown {
                let code = match proof.summary.verdict {
                    "proved" => "32",
                    "refuted" => "31",
                    _ => "33",
                };
                let line = proof.line();
                let (verdict, rest) = line.split_at(line.find(' ').unwrap_or(line.len()));
                out.paint(code, verdict);
                out.say(format_args!("{rest}\n"));
            }
            if let Some(text) = &proof.text
                && is_shown
            {
                out.say(format_args!("\n{text}\n\n"));
            }
        }
    }

    fn failure(&self, failure: &Failure, out: &mut Text) {
        out.say(format_args!("  {}\n", failure.message));
        let name = failure.text.as_ref().map_or(String::new(), |text| format!(" \"{text}\""));
        if !name.is_empty() && !failure.statement.contains(&name) {
            out.say(format_args!("    text: {}\n", name.trim()));
        }
        out.say("    ");
        out.paint("36", &failure.location);
        out.say(format_args!("  {}\n", failure.statement));
        for call in &failure.procedures {
            out.say("    called at ");
            out.paint("36", &call.location);
            out.say(format_args!("  {}\n", call.statement));
        }
        if let Some(case) = &failure.case {
            out.say(format_args!("    case: {case}\n"));
        }
        for line in &failure.detail {
            out.say(format_args!("    {line}\n"));
        }
        if let Some(place) = &failure.stopped {
            let line = place.line.as_ref().map_or(String::new(), |line| format!("  {line}"));
            out.say(format_args!("    stopped at {place}{line}\n"));
        }
        if !failure.calls.is_empty() {
            out.say("    last calls, newest first:\n");
            for call in failure.calls.iter().rev() {
                out.say(format_args!("      {call}\n"));
            }
        }
    }

    fn summary(&self, totals: &Totals, out: &mut Text) {
        let Counts { passed, failed, skipped, filtered, not_run } = totals.counts;
        let mut counts = format!("{passed} passed, {failed} failed");
        for (count, word) in [(skipped, "skipped"), (filtered, "filtered"), (not_run, "not run")] {
            if count > 0 {
                counts.push_str(&format!(", {count} {word}"));
            }
        }
        out.paint(if failed > 0 { "31" } else { "32" }, counts);
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
        out.say(format_args!(" in {seconds} s ({} cycles{speed})\n", large(totals.cycles)));
        if self.style.verdicts != Told::Not
            && let Some(text) = totals.verdicts.text()
        {
            let help = if totals.verdicts.sampled > 0 { "; --prove decides what was sampled" } else { "" };
            out.say(format_args!("properties: {text}{help}\n"));
        }
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

impl Draft for Human {
    fn draft(&mut self, event: &Event) -> Text {
        let mut out = Text::default();
        match event {
            Event::Test(test) => self.test(test, &mut out),
            Event::RunFinished(totals) => self.summary(totals, &mut out),
            _ => {}
        }
        out
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
