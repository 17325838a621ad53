//! `test`: runs suites, and tells what failed in a few lines each.

use std::sync::Arc;

use serde_json::{Value, json};
use tempo_diagnostics::Renderer;
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::events::{Event, Failure, Outcome, TestReport};
use tempo_harness::parse::parse;
use tempo_harness::plan::FilePlan;
use tempo_harness::run::{NoClock, RunOptions, run};
use tempo_harness::source::Source;
use tempo_project::Project;

use super::{Desk, Effect, Lane, Tool, members, number, text};
use crate::answer::{Answer, page};
use crate::host::{Host, Token};

pub const TEST: Tool = Tool {
    name: "test",
    title: "Run tests",
    description: "Runs .6502 suites and answers what failed: statement, values, where the program stopped. Next after a failure: debug_open with its file and test, then debug_why.",
    arguments: || {
        json!({
            "path": text("a suite or folder [default: all of the project]"),
            "test": text("an id, or a pattern with *"),
            "limit": number(1, 50, "failures [5]"),
        })
    },
    required: &[],
    answer: || members("passed integer, failed integer, skipped integer, failures array"),
    effect: Effect::Reads,
    lane: Lane::Free,
    run: test,
};

/// Cycles of a test that has no limit of its own: all tests of a call end in the time that it has.
const MOST_CYCLES: u64 = 100_000_000;

/// Lines of a failure in the text.
const MOST_LINES: usize = 8;

fn test(desk: &Desk<'_>) -> Result<Answer, String> {
    let project = desk.host.project()?;
    let path = desk.path("path")?;
    let suites = desk.host.suites(&project, path.as_deref())?;
    if suites.is_empty() {
        return Err(
            "there are no .6502 suites. Write one, or give `path`; `help` with \"test language\" shows how"
                .to_owned(),
        );
    }
    let plans = plan(desk.host, desk.token, &project, &suites)?;
    let mut options = options(&project, desk.token);
    options.filter.pattern = desk.arguments.text("test").map(str::to_owned);
    let mut reports: Vec<TestReport> = Vec::new();
    let mut total = 0;
    let totals = run(&plans, &options, &NoClock, &mut |event| match event {
        Event::RunStarted { tests, .. } => total = tests as u64,
        Event::Progress { done, .. } => (desk.progress)(done as u64, Some(total), "tests"),
        Event::Test(report) => reports.push(*report),
        _ => {}
    });
    desk.token.check()?;
    let counts = totals.counts;
    if counts.passed + counts.failed + counts.skipped == 0
        && let Some(pattern) = desk.arguments.text("test")
    {
        let near = tempo_diagnostics::nearest(pattern, reports.iter().map(|report| report.id.as_str()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", ids(&reports)),
        };
        return Err(format!("no test is called `{pattern}`; {help}"));
    }
    let failed: Vec<&TestReport> =
        reports.iter().filter(|report| report.outcome == Outcome::Failed).collect();
    let (listed, more) = page(failed, 0, desk.arguments.number("limit", 5) as usize);
    let failures: Vec<Value> = listed.iter().map(|report| data(report)).collect();
    let mut answer = Answer::new(json!({
        "passed": counts.passed,
        "failed": counts.failed,
        "skipped": counts.skipped,
        "failures": failures,
    }));
    answer.line(format!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped));
    listed.iter().for_each(|report| answer.lines(lines(report)));
    if more > 0 {
        answer.line(format!("… {more} more"));
        answer.set("truncated", json!(true));
    }
    Ok(answer)
}

/// The first few ids.
fn ids(reports: &[TestReport]) -> String {
    let mut ids: Vec<&str> = reports.iter().map(|report| report.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let more = ids.len().saturating_sub(12);
    ids.truncate(12);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", ids.join(", "))
}

/// How tests are run here.
pub fn options(project: &Project, token: &Token) -> RunOptions {
    let own = project.max_cycles();
    let max_cycles = if own == 0 { MOST_CYCLES } else { own.min(MOST_CYCLES) };
    RunOptions { max_cycles, cancel: token.stop.clone(), ..RunOptions::default() }
}

/// Suites, parsed and checked; or what is wrong with them.
pub fn plan(
    host: &dyn Host,
    token: &Token,
    project: &Project,
    suites: &[String],
) -> Result<Vec<FilePlan>, String> {
    let texts: Result<Vec<(String, Vec<u8>)>, String> =
        suites.iter().map(|path| Ok((path.clone(), host.read(path)?))).collect();
    plan_texts(host, token, project, &texts?)
}

/// The same for texts.
pub fn plan_texts(
    host: &dyn Host,
    token: &Token,
    project: &Project,
    texts: &[(String, Vec<u8>)],
) -> Result<Vec<FilePlan>, String> {
    let files = host.files(project);
    let mut cache = AssemblyCache::default();
    cache.cancel = token.stop.clone();
    cache.defines = shared_defines(project);
    let options = CheckOptions::default();
    let (mut plans, mut errors) = (Vec::new(), Vec::new());
    for (name, bytes) in texts {
        let mut source = Source::from_bytes(name, bytes).map_err(|message| format!("{name}: {message}"))?;
        let parsed = parse(&mut source, options.dialect, &*files);
        let source = Arc::new(source);
        let mut found = parsed.diagnostics.clone();
        if !parsed.has_errors() {
            let checked = check(&source, &parsed.file, options, &*files, &cache);
            found.extend(checked.diagnostics);
            plans.push(checked.plan);
        }
        for one in found.iter().filter(|one| one.is_error()) {
            let mut line = Renderer::new(&*source).short(one).trim_end().to_owned();
            one.notes.iter().take(5).for_each(|note| line += &format!("\n    {note}"));
            one.help.iter().for_each(|help| line += &format!("\n    help: {help}"));
            errors.push(line);
        }
        token.check()?;
    }
    match errors.is_empty() {
        true => Ok(plans),
        false => {
            errors.truncate(8);
            Err(format!("the suites cannot run:\n{}\nNext: `build`, if a source is wrong", errors.join("\n")))
        }
    }
}

/// The settings for assembling the project's sources, as suites write them.
fn shared_defines(project: &Project) -> Vec<String> {
    let vars = project.vars().into_iter().map(|(name, value)| format!("{name}={value}"));
    project.defines().into_iter().chain(vars).collect()
}

fn data(report: &TestReport) -> Value {
    let mut data = json!({
        "id": report.id,
        "suite": report.suite_name,
        "file": report.location.file,
        "line": report.location.line,
        "rerun": format!("test path={} test={}", report.location.file, report.id),
    });
    let Some(failure) = report.failures.first() else { return data };
    data["statement"] = json!(failure.statement);
    data["message"] = json!(failure.message);
    data["line"] = json!(failure.location.line);
    if let Some(values) = &failure.values {
        data["left"] = json!(values.left);
        data["right"] = json!(values.right);
    }
    if let Some(case) = &failure.case {
        data["case"] = json!(case);
    }
    if let Some(place) = &failure.stopped {
        data["stopped"] = json!({
            "address": place.address,
            "label": place.label.as_deref().unwrap_or_default(),
            "source": place.source.as_deref().unwrap_or_default(),
        });
    }
    data
}

fn lines(report: &TestReport) -> Vec<String> {
    let mut lines = vec![format!("FAILED {} - {} ({})", report.id, report.description, report.location)];
    let Some(failure) = report.failures.first() else { return lines };
    let Failure { message, statement, location, .. } = failure;
    lines.push(format!("  {message}"));
    lines.push(format!("  {location}  {statement}"));
    lines.extend(failure.text.iter().map(|text| format!("  \"{text}\"")));
    lines.extend(failure.case.iter().map(|case| format!("  case: {case}")));
    if let Some(place) = &failure.stopped {
        let source = place.line.as_deref().unwrap_or_default().trim();
        lines.push(format!("  stopped at {place}  {source}"));
    }
    lines.extend(failure.detail.iter().map(|line| format!("  {line}")));
    lines.truncate(MOST_LINES - 1);
    lines.push(format!("  next: debug_open target={} test={}", report.location.file, report.id));
    lines
}
