//! JUnit XML, for CI servers.

use std::fmt::Write;

use crate::events::{Event, Failure, Outcome, TestReport};

/// The whole report. Filtered tests are left out.
pub fn junit(events: &[Event]) -> String {
    let mut suites = String::new();
    let mut all = Counts::default();
    let mut seconds = 0.0;
    let mut suite = Suite::default();
    for event in events {
        match event {
            Event::SuiteStarted { name, file, .. } => {
                suite = Suite { name: escape(name), file: escape(file), ..Suite::default() };
            }
            Event::Test(test) if test.outcome != Outcome::Filtered => {
                suite.counts.add(test.outcome);
                all.add(test.outcome);
                suite.case(test);
            }
            Event::SuiteFinished(finished) => suite.finish(finished.seconds, &mut suites),
            Event::RunFinished(totals) => seconds = totals.seconds,
            _ => {}
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"tempo test\" tests=\"{}\" skipped=\"{}\" failures=\"{}\" errors=\"0\" time=\"{}\">\n\
         {suites}</testsuites>\n",
        all.tests,
        all.skipped,
        all.failures,
        time(seconds)
    )
}

#[derive(Default)]
struct Counts {
    tests: usize,
    skipped: usize,
    failures: usize,
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        self.tests += 1;
        self.skipped += usize::from(matches!(outcome, Outcome::Skipped | Outcome::NotRun));
        self.failures += usize::from(outcome == Outcome::Failed);
    }
}

/// A suite that is not finished. Its texts are escaped.
#[derive(Default)]
struct Suite {
    name: String,
    file: String,
    counts: Counts,
    cases: String,
}

// Writing to a String cannot fail; the results are dropped below.
impl Suite {
    fn case(&mut self, test: &TestReport) {
        let out = &mut self.cases;
        let (name, class) = (escape(&test.id), escape(&test.suite_name));
        let seconds = time(test.seconds);
        let _ = writeln!(out, "        <testcase name=\"{name}\" classname=\"{class}\" time=\"{seconds}\">");
        let mut properties =
            vec![("description", escape(&test.description)), ("cycles", test.total_cycles.to_string())];
        properties.extend(test.proofs.iter().map(|proof| ("verdict", escape(&proof.line()))));
        write_properties(out, "            ", &properties);
        match test.outcome {
            Outcome::Skipped => {
                write_skipped(out, &escape(test.skipped_because.as_deref().unwrap_or("skip = true")));
            }
            Outcome::NotRun => write_skipped(out, "the run ended before this test"),
            Outcome::Failed => {
                out.push_str("            <failure");
                if let Some(first) = test.failures.first() {
                    let (message, kind) = (escape(&first.message), escape(&reason(first)));
                    let _ = write!(out, " message=\"{message}\" type=\"{kind}\"");
                }
                let text: Vec<String> = test.failures.iter().map(describe).collect();
                let _ = writeln!(out, ">{}</failure>", escape(&text.join("\n\n")));
            }
            Outcome::Passed | Outcome::Filtered => {}
        }
        if !test.output.is_empty() {
            let _ = writeln!(out, "            <system-out>{}</system-out>", escape(&test.output.join("\n")));
        }
        out.push_str("        </testcase>\n");
    }

    fn finish(&mut self, seconds: f64, out: &mut String) {
        let Suite { name, file, counts, cases } = std::mem::take(self);
        let Counts { tests, skipped, failures } = counts;
        let seconds = time(seconds);
        let _ = writeln!(
            out,
            "    <testsuite name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" errors=\"0\" \
             failures=\"{failures}\" time=\"{seconds}\">"
        );
        write_properties(out, "        ", &[("file", file)]);
        out.push_str(&cases);
        out.push_str("    </testsuite>\n");
    }
}

fn write_properties(out: &mut String, indent: &str, properties: &[(&str, String)]) {
    let _ = writeln!(out, "{indent}<properties>");
    for (name, value) in properties {
        let _ = writeln!(out, "{indent}    <property name=\"{name}\" value=\"{value}\"/>");
    }
    let _ = writeln!(out, "{indent}</properties>");
}

fn write_skipped(out: &mut String, message: &str) {
    let _ = writeln!(out, "            <skipped message=\"{message}\"/>");
}

fn time(seconds: f64) -> String {
    format!("{:.3}", seconds.max(0.0))
}

/// A text as XML: colours of a terminal and characters that XML does not know are left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&apos;"),
            '"' => out.push_str("&quot;"),
            '\x1b' if characters.next_if_eq(&'[').is_some() => {
                while characters.next().is_some_and(|next| !('@'..='~').contains(&next)) {}
            }
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' => {}
            _ => out.push(character),
        }
    }
    out
}

fn reason(failure: &Failure) -> String {
    serde_json::to_value(failure.reason).ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
}

fn describe(failure: &Failure) -> String {
    let mut out = format!("{}: {}\n{}", failure.location, failure.message, failure.statement);
    for call in &failure.procedures {
        out.push_str(&format!("\ncalled at {call}"));
    }
    for line in &failure.detail {
        out.push_str(&format!("\n{line}"));
    }
    if let Some(case) = &failure.case {
        out.push_str(&format!("\ncase: {case}"));
    }
    if let Some(place) = &failure.stopped {
        out.push_str(&format!("\nstopped at {place}"));
    }
    for call in failure.calls.iter().rev() {
        out.push_str(&format!("\ncalled {call}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_xml() {
        assert_eq!(
            escape("a<b> & 'c' \"d\"\ttab\nline"),
            "a&lt;b&gt; &amp; &apos;c&apos; &quot;d&quot;\ttab\nline"
        );
        assert_eq!(escape("\x1b[1;31mred\x1b[0m\x07 \x1bx"), "red x");
    }
}
