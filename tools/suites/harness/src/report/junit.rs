//! JUnit XML, for CI servers.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::events::{Event, Failure, Outcome};

/// The whole report. Filtered tests are left out.
pub fn junit(events: &[Event]) -> Result<String, String> {
    let mut report = Report::new("tempo test");
    let mut suite = TestSuite::new("");
    for event in events {
        match event {
            Event::SuiteStarted { name, file, .. } => {
                suite = TestSuite::new(name.as_str());
                suite.add_property(("file", file.as_str()));
            }
            Event::Test(test) => {
                let status = match test.outcome {
                    Outcome::Filtered => continue,
                    Outcome::Passed => TestCaseStatus::success(),
                    Outcome::Skipped => {
                        let mut status = TestCaseStatus::skipped();
                        status.set_message("skip = true");
                        status
                    }
                    Outcome::NotRun => {
                        let mut status = TestCaseStatus::skipped();
                        status.set_message("the run ended before this test");
                        status
                    }
                    Outcome::Failed => {
                        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                        if let Some(first) = test.failures.first() {
                            status.set_message(first.message.as_str());
                            status.set_type(reason(first));
                        }
                        let text: Vec<String> = test.failures.iter().map(describe).collect();
                        status.set_description(text.join("\n\n"));
                        status
                    }
                };
                let mut case = TestCase::new(test.id.as_str(), status);
                case.set_classname(test.suite_name.as_str());
                case.set_time(Duration::from_secs_f64(test.seconds.max(0.0)));
                case.add_property(("description", test.description.as_str()));
                case.add_property(("cycles", test.total_cycles.to_string().as_str()));
                if !test.output.is_empty() {
                    case.set_system_out(test.output.join("\n"));
                }
                suite.add_test_case(case);
            }
            Event::SuiteFinished(finished) => {
                suite.set_time(Duration::from_secs_f64(finished.seconds.max(0.0)));
                report.add_test_suite(std::mem::replace(&mut suite, TestSuite::new("")));
            }
            Event::RunFinished(totals) => {
                report.set_time(Duration::from_secs_f64(totals.seconds.max(0.0)));
            }
            _ => {}
        }
    }
    report.to_string().map_err(|err| err.to_string())
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
