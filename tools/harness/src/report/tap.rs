//! TAP version 14, for the many tools that read it.

use super::Reporter;
use crate::events::{Event, Outcome};

#[derive(Default)]
pub(super) struct Tap {
    number: usize,
}

/// `#` starts a directive in a TAP line.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#").replace(['\n', '\r'], " ")
}

impl Reporter for Tap {
    fn event(&mut self, event: &Event) -> String {
        match event {
            Event::RunStarted { .. } => "TAP version 14\n".to_string(),
            Event::SuiteStarted { name, .. } => format!("# {}\n", escape(name)),
            Event::Test(test) => {
                let mut out: String = test.output.iter().map(|line| format!("# {line}\n")).collect();
                if matches!(test.outcome, Outcome::Filtered) {
                    return out;
                }
                self.number += 1;
                let word = if test.outcome == Outcome::Failed { "not ok" } else { "ok" };
                out.push_str(&format!(
                    "{word} {} - {}: {}",
                    self.number,
                    escape(&test.id),
                    escape(&test.description)
                ));
                match test.outcome {
                    Outcome::Skipped => out.push_str(" # SKIP skip = true"),
                    Outcome::NotRun => out.push_str(" # SKIP the run ended before"),
                    _ => {}
                }
                out.push('\n');
                for failure in &test.failures {
                    // JSON is YAML, and quotes everything that needs it.
                    let quote = |text: &str| serde_json::to_string(text).unwrap_or_default();
                    out.push_str("  ---\n");
                    out.push_str(&format!("  message: {}\n", quote(&failure.message)));
                    out.push_str(&format!("  at: {}\n", quote(&failure.location.to_string())));
                    out.push_str(&format!("  statement: {}\n", quote(&failure.statement)));
                    if let Some(values) = &failure.values {
                        out.push_str(&format!(
                            "  found: {}\n  expected: {}\n",
                            values.left,
                            quote(&format!("{} {}", values.operator, values.right))
                        ));
                    }
                    if let Some(place) = &failure.stopped {
                        out.push_str(&format!("  stopped: {}\n", quote(&place.to_string())));
                    }
                    out.push_str("  ...\n");
                }
                out
            }
            Event::RunFinished(_) => format!("1..{}\n", self.number),
            _ => String::new(),
        }
    }
}
