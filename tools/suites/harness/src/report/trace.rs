//! The trace file: every recorded instruction, test by test.

use crate::events::Event;

pub fn trace_text(events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        if let Event::Test(test) = event
            && !test.trace.is_empty()
        {
            out.push_str(&format!(
                "; {} / {} - {}: {}\n",
                test.suite_name,
                test.id,
                test.description,
                test.outcome.text()
            ));
            for line in &test.trace {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}
