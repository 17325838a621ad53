//! `build`: assembles the project's program or one source, and writes what the project's settings ask for.

use serde_json::{Value, json};
use tempo_assembler::Severity;

use super::{Desk, Effect, Lane, Tool, members, number, text, texts};
use crate::answer::{Answer, page};
use crate::sources::{data, line, shown};

pub const BUILD: Tool = Tool {
    name: "build",
    title: "Assemble",
    description: "Assembles the project's program, or one source without writing files. Answers every error and warning with file, line and help. Next after errors: fix the first one.",
    arguments: || {
        json!({
            "file": text("a source [default: the project's program]"),
            "defines": texts("preprocessor symbols, or NAME=VALUE for cmdLineVars"),
            "limit": number(1, 200, "diagnostics [50]"),
        })
    },
    required: &[],
    answer: || {
        members(
            "ok boolean, errors integer, warnings integer, diagnostics array, program object, written boolean",
        )
    },
    effect: Effect::Builds,
    lane: Lane::Alone,
    run: build,
};

fn build(desk: &Desk<'_>) -> Result<Answer, String> {
    let project = desk.host.project()?;
    let file = desk.path("file")?;
    let main = shown(&project.main());
    let is_program = file.as_ref().is_none_or(|file| *file == main);
    let mut job = match (&file, is_program) {
        (Some(file), false) => project.job_of(file.as_ref()),
        _ => project.job(),
    };
    let source = file.unwrap_or(main);
    if desk.host.read(&source).is_err() && is_program && !project.is_there() {
        return Err(format!(
            "there is no tempo.toml and no {source} here. Give `file`, or make a project with `tempo init`"
        ));
    }
    desk.host.read(&source)?;
    for define in desk.arguments.texts("defines") {
        match define.split_once('=') {
            Some((name, value)) => job.options.variables.push((name.to_owned(), value.to_owned())),
            None => job.options.defines.push(define.to_owned()),
        }
    }
    job.options.cancel = desk.token.stop.clone();
    let mut done = job.assemble(desk.host.disk());
    desk.token.check()?;
    let denied = project.denied();
    for diagnostic in &mut done.output.diagnostics {
        if denied.contains(&diagnostic.code) {
            diagnostic.severity = Severity::Error;
        }
    }
    let output = &done.output;
    let count = |severity| output.diagnostics.iter().filter(|found| found.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut written = Vec::new();
    if errors == 0 && job.write_files && desk.host.may_write() {
        let planned = done.plan(&job).map_err(|problem| problem.to_string())?;
        desk.host.write(&planned)?;
        let root = std::path::Path::new(desk.host.root());
        written = planned.iter().map(|file| shown(tempo_kickass::shown(&file.path, root))).collect();
    }
    let mut ordered: Vec<_> = output.diagnostics.iter().collect();
    ordered.sort_by_key(|found| found.severity != Severity::Error);
    let (listed, more) = page(ordered, 0, desk.arguments.number("limit", 50) as usize);
    let diagnostics: Vec<Value> = listed.iter().map(|found| data(output, found)).collect();
    let mut answer = Answer::new(json!({
        "ok": errors == 0,
        "errors": errors,
        "warnings": warnings,
        "diagnostics": diagnostics,
        "written": !written.is_empty(),
    }));
    let errors_text = tempo_diagnostics::plural(errors, "error");
    let warnings_text = tempo_diagnostics::plural(warnings, "warning");
    let word = if errors == 0 { "ok" } else { "failed" };
    answer.line(format!("{source}: {word}, {errors_text}, {warnings_text}"));
    answer.lines(listed.iter().map(|found| line(output, found)));
    if more > 0 {
        answer.line(format!("… {more} more"));
        answer.set("truncated", json!(true));
    }
    if errors == 0 {
        let (start, bytes) = match &output.image {
            Some(image) => (image.start, image.bytes.len() as i64),
            None => (0, output.stats.bytes as i64),
        };
        answer.set(
            "program",
            json!({ "start": start, "end": (start + bytes - 1).max(start), "bytes": bytes, "outputs": written }),
        );
        answer.line(format!("{bytes} bytes at ${start:04X}"));
        answer.lines(output.console.iter().take(20).map(|line| format!("print: {line}")));
        if !written.is_empty() {
            answer.line(format!("written: {}", written.join(", ")));
        }
    }
    Ok(answer)
}
