//! From the suites of a job to what can be run, and what a program lacks of it: a comparison shows a routine or bench
//! that one of the two programs does not have as new or gone, and goes on with the others.

use std::sync::Arc;

use tempo_diagnostics::{Colour, Renderer};
use tempo_harness::ast::{EntryKind, File, Suite};
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::diag::Diagnostic;
use tempo_harness::parse::parse;
use tempo_harness::plan::FilePlan;
use tempo_harness::source::{Source, Span};
use tempo_host::{Exit, output, term};
use tempo_machine_commands::suite_files as disk;
use tempo_source_commands::project::Project;

use super::{Disk, Job, Refused};
use crate::cmd::test;

/// The treatment of a bench whose names the program does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// It is the user's mistake.
    Refused,
    /// It is left out, to be shown as new or gone.
    LeftOut,
}

/// The input of a run.
pub struct Planned {
    pub files: Vec<FilePlan>,
    /// Routines of the command line that the program does not have, and what there is to say about them.
    pub left_out: Vec<(String, String)>,
}

/// Parses and checks the suites of a job. What is wrong is printed.
pub fn plan(job: &Job, project: &Project, disk: &Disk, unknown: Unknown) -> Result<Planned, Refused> {
    let mut cache = AssemblyCache::default();
    cache.defines = test::shared_defines(project);
    let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
    let is_made = job.inputs.is_some();
    let said = |source: &Source, found: &[Diagnostic]| {
        // The source's own errors say more than the line that assembles it.
        let broken = is_broken(&cache);
        let found = found.iter().filter(|found| !is_made || (found.is_error() && !broken));
        found.map(|found| Renderer::new(source).colour(colour).human(found)).collect::<String>()
    };
    let mut parsed = Vec::new();
    let mut is_malformed = false;
    for (name, bytes) in &job.suites {
        match Source::from_bytes(name, bytes) {
            Ok(mut source) => {
                let result = parse(&mut source, CheckOptions::default().dialect, disk);
                output::warn(&said(&source, &result.diagnostics));
                is_malformed |= result.has_errors();
                parsed.push((Arc::new(source), result.file));
            }
            Err(message) => {
                output::complain(format_args!("{name}: {message}"));
                is_malformed = true;
            }
        }
    }
    if is_malformed {
        return Err(Refused { exit: Exit::CannotRun });
    }
    let (mut files, mut left_out, mut is_wrong) = (Vec::new(), Vec::new(), false);
    for (source, mut file) in parsed {
        let checked = loop {
            let checked = check(&source, &file, CheckOptions::default(), disk, &cache);
            let Some(found) = lacking(job, &source, &file, &checked.diagnostics, unknown) else {
                break checked;
            };
            if is_made {
                let errors = said(&source, &checked.diagnostics);
                left_out.extend(found.routines.into_iter().map(|routine| (routine, errors.clone())));
            }
            for suite in &mut file.suites {
                remove(&mut suite.entries, &found.tests);
            }
        };
        output::warn(&said(&source, &checked.diagnostics));
        is_wrong |= checked.has_errors();
        files.push(checked.plan);
    }
    let programs = cache.all();
    let has_label = |name: &str| {
        programs
            .iter()
            .any(|built| (**built).as_ref().is_ok_and(|program| program.symbols.get(name).is_some()))
    };
    for name in job.registers.iter().filter(|name| has_label(name)) {
        output::warn(&shadowed(name));
    }
    if !is_wrong {
        return Ok(Planned { files, left_out });
    }
    let broken = is_broken(&cache);
    if broken && is_made {
        show_assembly(job, project, disk, colour);
    }
    // Names on the command line are the caller's, sources are the program's.
    Err(Refused { exit: if broken { Exit::Failed } else { Exit::CannotRun } })
}

/// A label that has the name of a register or flag.
pub(super) fn shadowed(name: &str) -> String {
    format!(
        "warning: `{name}` in --with is the register or flag; the byte at the label `{name}` is written [{name}]\n"
    )
}

fn is_broken(cache: &AssemblyCache) -> bool {
    cache.all().iter().any(|program| program.is_err())
}

/// The faults of the source, with its lines.
fn show_assembly(job: &Job, project: &Project, disk: &Disk, colour: Colour) {
    let Some(file) = &job.program else { return };
    let mut options =
        tempo_assembler::Options { defines: project.defines(), ..tempo_assembler::Options::default() };
    options.variables = project.vars();
    let found = tempo_assembler::assemble(disk, &disk::shown(file), &options);
    for diagnostic in found.diagnostics.iter().filter(|found| found.is_error()) {
        output::warn(&Renderer::new(&found.sources).colour(colour).human(diagnostic));
    }
}

/// A program that cannot run.
struct Lacking {
    /// The places of tests.
    tests: Vec<Span>,
    /// The routines that they call, of a suite made from the command line.
    routines: Vec<String>,
}

/// The tests that errors are in; `None` if there are no errors, or one is somewhere else.
fn lacking(
    job: &Job,
    source: &Source,
    file: &File,
    found: &[Diagnostic],
    unknown: Unknown,
) -> Option<Lacking> {
    let errors: Vec<Span> =
        found.iter().filter(|found| found.is_error()).filter_map(|found| found.span).collect();
    if unknown == Unknown::Refused || errors.is_empty() {
        return None;
    }
    let all = tests(file);
    let mut lacking = Lacking { tests: Vec::new(), routines: Vec::new() };
    for error in errors {
        let (span, id) = all.iter().find(|(span, _)| span.start <= error.start && error.end <= span.end)?;
        let Some(inputs) = &job.inputs else {
            lacking.tests.push(*span);
            continue;
        };
        // An input that cannot be given makes no routine new.
        let text = source.text().get(span.start as usize..span.end as usize)?;
        let call = span.start as usize + text.rfind("\njsr(")?;
        let (routine, _) = inputs.get(id.parse::<usize>().ok()?)?;
        if (error.start as usize) < call {
            return None;
        }
        // A name is reported once: all benches of the routine go.
        let is_same = |id: &str| {
            id.parse::<usize>()
                .ok()
                .and_then(|number| inputs.get(number))
                .is_some_and(|(name, _)| name == routine)
        };
        lacking.tests.extend(all.iter().filter(|(_, id)| is_same(id)).map(|(span, _)| *span));
        lacking.routines.push(routine.clone());
    }
    Some(lacking)
}

/// Places and ids of all tests.
fn tests(file: &File) -> Vec<(Span, &str)> {
    let mut all = Vec::new();
    let mut open: Vec<_> = file.suites.iter().flat_map(|suite: &Suite| &suite.entries).collect();
    while let Some(entry) = open.pop() {
        match &entry.kind {
            EntryKind::Test(test) => all.push((entry.span, test.id.value.as_str())),
            EntryKind::Include { entries, .. } => open.extend(entries),
            _ => {}
        }
    }
    all
}

fn remove(entries: &mut Vec<tempo_harness::ast::Entry>, tests: &[Span]) {
    entries.retain(|entry| !tests.contains(&entry.span));
    for entry in entries {
        if let EntryKind::Include { entries, .. } = &mut entry.kind {
            remove(entries, tests);
        }
    }
}
