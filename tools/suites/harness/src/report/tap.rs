//! TAP version 14, for the many tools that read it.

use super::Reporter;
use crate::events::{Event, Failure, Outcome};

#[derive(Default)]
pub(super) struct Tap {
    number: usize,
}

/// `#` starts a directive in a TAP line.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('#', "\\#").replace(['\n', '\r'], " ")
}

/// The YAML block of a test. There is one at most: failures after the first are a list in it.
fn diagnostics(failures: &[Failure]) -> String {
    let Some((first, rest)) = failures.split_first() else { return String::new() };
    let mut out = "  ---\n".to_string();
    for line in lines(first) {
        out.push_str(&format!("  {line}\n"));
    }
    if !rest.is_empty() {
        out.push_str("  more:\n");
    }
    for failure in rest {
        for (number, line) in lines(failure).iter().enumerate() {
            let margin = if number == 0 { "    - " } else { "      " };
            out.push_str(&format!("{margin}{line}\n"));
        }
    }
    out.push_str("  ...\n");
    out
}

/// The facts about a failure, as a mapping of YAML.
fn lines(failure: &Failure) -> Vec<String> {
    // JSON is YAML, and quotes everything that needs it.
    let quote = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let mut lines = vec![
        format!("message: {}", quote(&failure.message)),
        format!("at: {}", quote(&failure.location.to_string())),
        format!("statement: {}", quote(&failure.statement)),
    ];
    if !failure.procedures.is_empty() {
        lines.push("called_at:".to_string());
        lines.extend(failure.procedures.iter().map(|call| format!("  - {}", quote(&call.to_string()))));
    }
    if let Some(values) = &failure.values {
        lines.push(format!("found: {}", values.left));
        lines.push(format!("expected: {}", quote(&format!("{} {}", values.operator, values.right))));
    }
    if let Some(case) = &failure.case {
        lines.push(format!("case: {}", quote(case)));
    }
    if !failure.detail.is_empty() {
        lines.push("detail:".to_string());
        lines.extend(failure.detail.iter().map(|line| format!("  - {}", quote(line))));
    }
    if let Some(place) = &failure.stopped {
        lines.push(format!("stopped: {}", quote(&place.to_string())));
    }
    lines
}

impl Reporter for Tap {
    fn event(&mut self, event: &Event) -> String {
        match event {
            Event::RunStarted { .. } => "TAP version 14\n".to_string(),
            Event::SuiteStarted { name, .. } => format!("# {}\n", escape(name)),
            Event::Test(test) => {
                let mut out: String = test.output.iter().map(|line| format!("# {line}\n")).collect();
                test.proofs.iter().for_each(|proof| out.push_str(&format!("# {}\n", escape(&proof.line()))));
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
                    Outcome::Skipped => {
                        let why = test.skipped_because.as_deref().unwrap_or("skip = true");
                        out.push_str(&format!(" # SKIP {}", escape(why)));
                    }
                    Outcome::NotRun => out.push_str(" # SKIP the run ended before"),
                    _ => {}
                }
                out.push('\n');
                out.push_str(&diagnostics(&test.failures));
                out
            }
            Event::RunFinished(_) => format!("1..{}\n", self.number),
            _ => String::new(),
        }
    }
}
