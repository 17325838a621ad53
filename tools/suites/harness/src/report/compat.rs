//! The lines scripts know from sim6502: the message part of its log.

use super::Reporter;
use crate::events::{Event, Outcome};

pub(super) struct Compat;

impl Reporter for Compat {
    fn event(&mut self, event: &Event) -> String {
        match event {
            Event::SuiteStarted { name, .. } => format!("Running test suite '{name}'...\n"),
            Event::Test(test) => {
                let mut out = String::new();
                for line in &test.output {
                    out.push_str(line);
                    out.push('\n');
                }
                for failure in &test.failures {
                    let what = match &failure.values {
                        Some(values) => {
                            format!("Expected {} {} {}", values.left, values.operator, values.right)
                        }
                        None => failure.message.clone(),
                    };
                    let text = failure.text.as_deref().unwrap_or("");
                    out.push_str(&format!("'{}' - {what} in assertion '{text}'\n", test.id));
                }
                for line in &test.trace {
                    out.push_str(line);
                    out.push('\n');
                }
                let verdict = match test.outcome {
                    Outcome::Passed => "PASSED",
                    Outcome::Failed => "FAILED",
                    Outcome::Skipped => "SKIPPED",
                    Outcome::Filtered | Outcome::NotRun => return out,
                };
                out.push_str(&format!("'{} - {}' : {verdict}\n", test.id, test.description));
                out
            }
            Event::SuiteFinished(suite) => {
                let counts = suite.counts;
                let skipped = counts.skipped + counts.filtered + counts.not_run;
                let bracket = if skipped > 0 { format!(" ({skipped} skipped)") } else { String::new() };
                format!(
                    "{} of {} tests ran successfully{bracket} in suite '{}'.\n",
                    counts.passed,
                    counts.total(),
                    suite.name
                )
            }
            Event::RunFinished(totals) => {
                format!("{} of {} suites passed.\n", totals.suites_passed, totals.suites)
            }
            _ => String::new(),
        }
    }
}
