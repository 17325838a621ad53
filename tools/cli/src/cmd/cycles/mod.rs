//! `tempo cycles`: what routines cost. Calls them with inputs through the test harness, which counts, and shows, keeps
//! or compares the result. What is counted and how it reads is `harness::measure`'s.

mod args;
mod inputs;
mod revision;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use diagnostics::{Colour, Renderer};
use harness::ast::TestKind;
use harness::check::{AssemblyCache, CheckOptions};
use harness::events::{Event, Outcome};
use harness::measure::{Detail, Difference, Measurement, Page, bounds, callgrind, differences};
use harness::plan::FilePlan;
use harness::report::{self, Style};
use harness::run::RunOptions;

use crate::cmd::test::{self, disk};
use crate::exit::Exit;
use crate::files::{Outputs, is_stdout, read_limited};
use crate::output;
use crate::project::Project;
use crate::term::{self, Progress};
pub use args::Args;
use args::FormatArg;
use disk::Disk;
pub use revision::Revision;

/// Baselines larger than this are something else.
const FILE_LIMIT: u64 = 64 << 20;

/// What is measured: suites, either the user's or one made from the command line.
struct Job {
    /// The program or suite as messages name it.
    shown: String,
    /// Names and texts.
    suites: Vec<(String, Vec<u8>)>,
    /// The inputs of the made suite, by the number that is their test's id.
    inputs: Option<Vec<(String, String)>>,
}

/// What a run of a job gave.
struct Ran {
    events: Vec<Event>,
    measured: Measurement,
}

pub fn run(args: Args) -> Exit {
    match prepare(&args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn prepare(args: &Args) -> Result<Exit, Exit> {
    let project = args.source.project()?;
    let job = args.job(&project).map_err(output::complain)?;
    let fail_over = args.fail_over.as_deref().map(args::percent).transpose().map_err(output::complain)?;
    let revision = args.compare.as_deref().map(Revision::open).transpose().map_err(output::complain)?;
    let baseline = args.baseline.as_deref().map(read_baseline).transpose().map_err(output::complain)?;
    let disk = Disk::of_program(&project, None);
    if args.routine.is_empty() && job.inputs.is_some() {
        return show_bounds(args, &project, &job, &disk);
    }
    let now = measure(args, &project, &job, &disk).map_err(|refused| refused.exit)?;
    let (name, earlier) = match (revision, baseline) {
        (Some(revision), _) => {
            (revision.hash.clone(), Some(measure_revision(args, &project, &job, revision)?))
        }
        (None, Some(baseline)) => {
            (args.baseline.as_ref().map_or(String::new(), |path| path.display().to_string()), Some(baseline))
        }
        (None, None) => (String::new(), None),
    };
    let compared = earlier.map(|earlier| (name, differences(&earlier, &now.measured)));
    write_files(args, &job, &now)?;
    print(args, &now.measured, compared.as_ref())?;
    let Some((_, (rows, _))) = compared else { return Ok(Exit::Fine) };
    Ok(judge(&rows, fail_over))
}

/// A plan that could not be made or a call that failed; everything is said.
struct Refused {
    exit: Exit,
}

fn measure_revision(
    args: &Args,
    project: &Project,
    job: &Job,
    revision: Revision,
) -> Result<Measurement, Exit> {
    let shown = revision.shown();
    let disk = Disk::of_program(project, Some(revision));
    measure(args, project, job, &disk).map(|ran| ran.measured).map_err(|_| {
        output::complain(format_args!("revision {shown} cannot be measured: see the errors above"));
        Exit::Failed
    })
}

fn measure(args: &Args, project: &Project, job: &Job, disk: &Disk) -> Result<Ran, Refused> {
    let files = plan(args, project, job, disk)?;
    let mut options =
        RunOptions { meter: true, profile: true, max_cycles: args.max_cycles, ..RunOptions::default() };
    options.filter.pattern = args.filter.clone();
    options.filter.only = Some(chosen(args, job, &files));
    if options.filter.only.as_ref().is_some_and(Vec::is_empty) {
        let what =
            if args.tests { "no test or bench" } else { "no `bench` block; --tests measures tests, too" };
        return Err(Refused { exit: output::complain(format_args!("{} has {what}", job.shown)) });
    }
    let progress = Progress::start("measuring", "inputs", None);
    let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
    let style = Style { colour, verbose: false, command: "tempo test".to_string() };
    let mut failures = report::reporter(report::Format::Human, &style);
    let mut events = Vec::new();
    let mut said = String::new();
    let mut sink = |event: Event| match event {
        Event::RunStarted { tests, .. } => progress.set_length(tests as u64),
        Event::Progress { done, .. } => progress.set_position(done as u64),
        Event::Test(test) if test.outcome == Outcome::Failed => {
            if said.is_empty() {
                said = told(&failures.event(&Event::Test(test.clone())), job, &test.id);
            }
            events.push(Event::Test(test));
        }
        Event::RunFinished(_) => {}
        event => events.push(event),
    };
    harness::run::run(&files, &options, &test::WallClock(Instant::now()), &mut sink);
    drop(progress);
    if !said.is_empty() {
        output::warn(&said);
        return Err(Refused { exit: Exit::Failed });
    }
    let measured = Measurement::from_events(&events, |test, routine| match &job.inputs {
        Some(inputs) => inputs.get(test.id.parse::<usize>().ok()?).cloned(),
        None => {
            let stem = test.id.split_once('[').map_or(test.id.as_str(), |(stem, _)| stem);
            Some((format!("{}/{stem} {routine}", test.suite_name), test.id.clone()))
        }
    });
    if measured.rows.is_empty() {
        let message = format!("nothing of {} was called", job.shown);
        return Err(Refused { exit: output::complain(message) });
    }
    Ok(Ran { events, measured })
}

/// A failure as the user knows it: a made suite cannot be run again by name, and its tests are inputs.
fn told(text: &str, job: &Job, id: &str) -> String {
    let Some(inputs) = &job.inputs else { return text.to_string() };
    let mut all = match id.parse::<usize>().ok().and_then(|number| inputs.get(number)) {
        Some((routine, input)) if input.is_empty() => format!("error: {routine} fails\n"),
        Some((routine, input)) => format!("error: {routine} fails with {input}\n"),
        None => String::new(),
    };
    for line in text.lines().skip(1).filter(|line| !line.contains("tempo test")) {
        let _ = writeln!(all, "{line}");
    }
    all
}

fn plan(args: &Args, project: &Project, job: &Job, disk: &Disk) -> Result<Vec<FilePlan>, Refused> {
    let mut cache = AssemblyCache::default();
    cache.defines = test::shared_defines(project);
    let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
    let quiet = job.inputs.is_some();
    let show = |source: &harness::source::Source, found: &[harness::diag::Diagnostic]| {
        let broken = cache.all().iter().any(|program| program.is_err());
        for diagnostic in found.iter().filter(|found| !quiet || (found.is_error() && !broken)) {
            output::warn(&Renderer::new(source).colour(colour).human(diagnostic));
        }
    };
    test::plan_texts(&job.suites, CheckOptions::default(), disk, &cache, &show).map_err(|exit| {
        let broken = cache.all().iter().any(|program| program.is_err());
        if broken && quiet {
            show_assembly(args, project, disk, colour);
        }
        // Names on the command line are the caller's, sources are the program's.
        Refused { exit: if broken { Exit::Failed } else { exit_of(exit) } }
    })
}

fn exit_of(exit: Exit) -> Exit {
    if exit == Exit::BadNames { Exit::CannotRun } else { exit }
}

/// What is wrong with the source, with its lines.
fn show_assembly(args: &Args, project: &Project, disk: &Disk, colour: Colour) {
    let Some(file) = &args.program(project) else { return };
    let mut options = assembler::Options { defines: project.defines(), ..assembler::Options::default() };
    options.variables = project.vars();
    let found = assembler::assemble(disk, &disk::shown(file), &options);
    for diagnostic in found.diagnostics.iter().filter(|found| found.is_error()) {
        output::warn(&Renderer::new(&found.sources).colour(colour).human(diagnostic));
    }
}

/// The tests that count: of a made suite all, of a user's the benches.
fn chosen(args: &Args, job: &Job, files: &[FilePlan]) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for file in files {
        for suite in &file.suites {
            for test in &suite.tests {
                if job.inputs.is_some() || args.tests || test.kind == TestKind::Bench {
                    all.push((file.source.name().to_string(), suite.name.clone(), test.id.clone()));
                }
            }
        }
    }
    all
}

/// No routine is named: what can be said of all of them without running any.
fn show_bounds(args: &Args, project: &Project, job: &Job, disk: &Disk) -> Result<Exit, Exit> {
    let files = plan(args, project, job, disk).map_err(|refused| refused.exit)?;
    let test = files.iter().flat_map(|file| &file.suites).find_map(|suite| suite.tests.first());
    let Some(test) = test else { return Ok(Exit::Fine) };
    let found = bounds(&test.place, args.isa());
    if found.is_empty() {
        return Err(output::complain(format_args!(
            "{} calls no routine of its own with `jsr`; name one: --routine LABEL",
            job.shown
        )));
    }
    Ok(output::print(|out| {
        match args.format {
            FormatArg::Json => {
                writeln!(out, "{}", serde_json::to_string_pretty(&serde_json::json!({ "bounds": found }))?)?
            }
            FormatArg::Human => {
                write!(out, "{}", page(args).bounds(&found))?;
                writeln!(
                    out,
                    "\nWorked out from the instructions. --routine LABEL calls one and counts; --with \"x=4\" is its input."
                )?;
            }
        }
        Ok(Exit::Fine)
    }))
}

fn page(args: &Args) -> Page {
    Page {
        colour: if term::stdout_colour() { Colour::Ansi } else { Colour::Plain },
        detail: if args.listing { Detail::All } else { Detail::Short },
    }
}

/// The name of the earlier measurement, and what differs: rows and routines.
type Compared = (String, (Vec<Difference>, Vec<Difference>));

fn print(args: &Args, measured: &Measurement, compared: Option<&Compared>) -> Result<(), Exit> {
    let paths = [&args.save, &args.callgrind, &args.flame];
    if paths.into_iter().flatten().any(|path| is_stdout(path)) {
        return Ok(());
    }
    let exit = output::print(|out| {
        if args.format == FormatArg::Json {
            let mut value = serde_json::to_value(measured)?;
            if let Some((earlier, (rows, routines))) = compared {
                value["compared"] =
                    serde_json::json!({ "with": earlier, "rows": rows, "routines": routines });
            }
            writeln!(out, "{}", serde_json::to_string_pretty(&value)?)?;
            return Ok(Exit::Fine);
        }
        match compared {
            Some((earlier, (rows, routines))) => {
                write!(out, "{}", page(args).differences(earlier, rows, routines))?;
                if args.listing {
                    write!(out, "\n{}", page(args).measurement(measured))?;
                }
            }
            None => write!(out, "{}", page(args).measurement(measured))?,
        }
        Ok(Exit::Fine)
    });
    if exit == Exit::Fine { Ok(()) } else { Err(exit) }
}

/// What a comparison means for the exit code; says why it fails.
fn judge(rows: &[Difference], fail_over: Option<f64>) -> Exit {
    let Some(allowed) = fail_over else { return Exit::Fine };
    let mut exit = Exit::Fine;
    for row in rows {
        let why = match row.percent() {
            _ if row.is_gone() => "is not measured any more".to_string(),
            Some(percent) if percent > allowed => {
                format!("is {percent:.1} % slower, {allowed} % are allowed")
            }
            _ => continue,
        };
        output::warn(&format!("error: {} {why}\n", output::visible(&row.name)));
        exit = Exit::Failed;
    }
    exit
}

fn write_files(args: &Args, job: &Job, ran: &Ran) -> Result<(), Exit> {
    let mut outputs = Outputs::default();
    if let Some(path) = &args.save {
        let text = serde_json::to_string_pretty(&ran.measured).expect("names and numbers have a JSON form");
        outputs.add(path, format!("{text}\n"));
    }
    if let Some(path) = &args.callgrind {
        outputs.add(path, callgrind(&ran.events, &job.shown));
    }
    if let Some(path) = &args.flame {
        let is_folded = path.extension().is_some_and(|extension| extension == "folded");
        let text = if is_folded { report::folded(&ran.events) } else { report::flame_graph(&ran.events) };
        outputs.add(path, text);
    }
    outputs
        .write()
        .map_err(|err| output::complain(format_args!("cannot write {}: {}", err.path.display(), err.error)))
}

fn read_baseline(path: &Path) -> Result<Measurement, String> {
    let bytes =
        read_limited(path, FILE_LIMIT).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
    serde_json::from_slice(&bytes).map_err(|err| format!("{}: not a file of --save: {err}", path.display()))
}
