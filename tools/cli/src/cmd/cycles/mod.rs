//! `tempo cycles`: what routines cost. Calls them with inputs through the test harness, which counts, and shows, keeps
//! or compares the result. What is counted and how it reads is `tempo_harness::measure`'s.

mod args;
mod plan;
mod ranges;
mod saved;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use tempo_diagnostics::Colour;
use tempo_harness::ast::TestKind;
use tempo_harness::events::{Event, Outcome};
use tempo_harness::measure::{
    Bound, BoundDifference, Detail, Difference, Measurement, Page, Standing, bound_differences, bounds,
    callgrind, differences,
};
use tempo_harness::meter::Metering;
use tempo_harness::plan::FilePlan;
use tempo_harness::report::{self, Style};
use tempo_harness::run::RunOptions;
use tempo_host::files::{Outputs, is_stdout};
use tempo_host::term::{self, Progress};
use tempo_host::{Exit, output};
use tempo_machine_commands::suite_files::{self as disk, Disk};
use tempo_source_commands::project::Project;
use tempo_source_commands::revision::Revision;

use crate::cmd::test;
pub use args::Args;
use args::FormatArg;
use plan::{Unknown, plan};
use saved::{Baseline, Saved};
pub(crate) use tempo_harness::measure::inputs::number;

/// Whether something runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Calls are measured.
    Calls,
    /// All routines are looked at, and none is called.
    Bounds,
}

/// The subject of a measurement: suites, either the user's or one made from the command line.
struct Job {
    /// The program or suite as messages name it.
    shown: String,
    /// Names and texts.
    suites: Vec<(String, Vec<u8>)>,
    kind: Kind,
    /// The inputs of the made suite, by the number that is their test's id.
    inputs: Option<Vec<(String, String)>>,
    /// The program of the made suite.
    program: Option<PathBuf>,
    /// Registers and flags that its inputs set, as they are written.
    registers: Vec<String>,
}

/// The result of a job's run.
struct Ran {
    events: Vec<Event>,
    measured: Measurement,
    /// Routines that the program does not have, and what there is to say about them.
    left_out: Vec<(String, String)>,
}

pub fn run(args: Args) -> Exit {
    match prepare(&args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn prepare(args: &Args) -> Result<Exit, Exit> {
    let project = args.source.project()?;
    let allowed = args.allowed().map_err(output::complain)?;
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose().map_err(output::complain)?;
    if let Some(exit) = ranges::answer(args, &project)? {
        return Ok(exit);
    }
    let job = args.job(&project, baseline.as_ref()).map_err(output::complain)?;
    if let (Some(baseline), true) = (&baseline, job.inputs.is_some()) {
        let warning = baseline.agree(&args.asked()).map_err(output::complain)?;
        if let Some(warning) = warning {
            output::warn(&format!("warning: {}\n", output::visible(&warning)));
        }
    }
    let revision = args.compare.as_deref().map(Revision::open).transpose().map_err(output::complain)?;
    let disk = Disk::of_program(&project, None);
    let earlier = revision.map(Earlier::Revision).or(baseline.map(Earlier::Baseline));
    match job.kind {
        Kind::Bounds => compare_bounds(args, &project, &job, &disk, earlier, allowed),
        Kind::Calls => compare_calls(args, &project, &job, &disk, earlier, allowed),
    }
}

/// The baseline that the program is compared with.
enum Earlier {
    Revision(Revision),
    Baseline(Baseline),
}

impl Earlier {
    /// As the head of a column.
    fn name(&self) -> String {
        match self {
            Earlier::Revision(revision) => revision.hash.clone(),
            Earlier::Baseline(baseline) => baseline.path.display().to_string(),
        }
    }
}

/// A plan that could not be made or a call that failed; everything is said.
struct Refused {
    exit: Exit,
}

fn compare_calls(
    args: &Args,
    project: &Project,
    job: &Job,
    disk: &Disk,
    earlier: Option<Earlier>,
    allowed: Option<f64>,
) -> Result<Exit, Exit> {
    // A suite that does not fit its program is the user's mistake; a routine that he removed is gone.
    let unknown = if earlier.is_some() && job.inputs.is_some() { Unknown::LeftOut } else { Unknown::Refused };
    let now = measure(args, project, job, disk, unknown).map_err(|refused| refused.exit)?;
    let name = earlier.as_ref().map(Earlier::name).unwrap_or_default();
    let earlier = match earlier {
        Some(Earlier::Revision(revision)) => Some(of_revision(revision, project, |disk| {
            Ok(measure(args, project, job, disk, Unknown::LeftOut)?.measured)
        })?),
        Some(Earlier::Baseline(Baseline { saved: Saved::Calls(calls), .. })) => Some(calls),
        _ => None,
    };
    // A name that neither of the two knows is wrong.
    let is_known = |name: &str| earlier.iter().flat_map(|earlier| &earlier.rows).any(|row| row.name == name);
    if let Some((_, said)) = now.left_out.iter().find(|(name, _)| !is_known(name)) {
        output::warn(said);
        return Err(Exit::CannotRun);
    }
    let compared = earlier.map(|earlier| (name, differences(&earlier, &now.measured)));
    write_files(args, job, &now)?;
    print(args, &now.measured, compared.as_ref())?;
    let Some((_, (rows, _))) = compared else { return Ok(Exit::Fine) };
    Ok(judge(&rows, allowed))
}

/// No routine is named: what can be said of all of them without running any.
fn compare_bounds(
    args: &Args,
    project: &Project,
    job: &Job,
    disk: &Disk,
    earlier: Option<Earlier>,
    allowed: Option<f64>,
) -> Result<Exit, Exit> {
    let now = find_bounds(args, project, job, disk).map_err(|refused| refused.exit)?;
    let name = earlier.as_ref().map(Earlier::name).unwrap_or_default();
    let earlier = match earlier {
        Some(Earlier::Revision(revision)) => {
            Some(of_revision(revision, project, |disk| find_bounds(args, project, job, disk))?)
        }
        Some(Earlier::Baseline(Baseline { saved: Saved::Bounds(bounds), .. })) => Some(bounds),
        _ => None,
    };
    if now.is_empty() && earlier.as_ref().is_none_or(Vec::is_empty) {
        return Err(output::complain(format_args!(
            "{} calls no routine of its own with `jsr`; name one: --routine LABEL",
            job.shown
        )));
    }
    let compared = earlier.map(|earlier| (name, bound_differences(&earlier, &now)));
    let mut outputs = Outputs::default();
    if let Some(path) = &args.save {
        let text = serde_json::to_string_pretty(&serde_json::json!({ "bounds": now }));
        outputs.add(path, format!("{}\n", text.expect("names and numbers have a JSON form")));
    }
    write(outputs)?;
    print_bounds(args, &now, compared.as_ref())?;
    Ok(compared.map_or(Exit::Fine, |(_, all)| judge_bounds(&all, allowed)))
}

fn find_bounds(args: &Args, project: &Project, job: &Job, disk: &Disk) -> Result<Vec<Bound>, Refused> {
    let files = plan(job, project, disk, Unknown::Refused)?.files;
    let test = files.iter().flat_map(|file| &file.suites).find_map(|suite| suite.tests.first());
    Ok(test.map_or(Vec::new(), |test| bounds(&test.place, args.isa())))
}

/// The same with the program of a revision.
fn of_revision<T>(
    revision: Revision,
    project: &Project,
    measure: impl FnOnce(&Disk) -> Result<T, Refused>,
) -> Result<T, Exit> {
    let shown = revision.shown();
    let disk = Disk::of_program(project, Some(revision));
    measure(&disk).map_err(|_| {
        output::complain(format_args!("revision {shown} cannot be measured: see the errors above"));
        Exit::Failed
    })
}

fn measure(args: &Args, project: &Project, job: &Job, disk: &Disk, unknown: Unknown) -> Result<Ran, Refused> {
    let planned = plan(job, project, disk, unknown)?;
    let (files, left_out) = (planned.files, planned.left_out);
    // The calls of an input prepare; those of a user's bench are what it measures.
    let meter = if job.inputs.is_some() { Metering::LastCall } else { Metering::AllCalls };
    let mut options =
        RunOptions { meter, profile: true, max_cycles: args.max_cycles, ..RunOptions::default() };
    options.filter.pattern = args.filter.clone();
    options.filter.only = Some(chosen(args, job, &files));
    if options.filter.only.as_ref().is_some_and(Vec::is_empty) {
        if unknown == Unknown::LeftOut {
            return Ok(Ran { events: Vec::new(), measured: Measurement::default(), left_out });
        }
        let what =
            if args.tests { "no test or bench" } else { "no `bench` block; --tests measures tests, too" };
        return Err(Refused { exit: output::complain(format_args!("{} has {what}", job.shown)) });
    }
    let progress = Progress::start("measuring", "inputs", None);
    let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
    let style =
        Style { colour, verdicts: report::Told::Not, verbose: false, command: "tempo test".to_string() };
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
    tempo_harness::run::run(&files, &options, &test::WallClock(Instant::now()), &mut sink);
    drop(progress);
    if !said.is_empty() {
        output::warn(&said);
        return Err(Refused { exit: Exit::Failed });
    }
    let mut measured = Measurement::from_events(&events, |test, routine| match &job.inputs {
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
    measured.asked = job.inputs.as_ref().map(|_| args.asked());
    Ok(Ran { events, measured, left_out })
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
        let _ = writeln!(all, "{}", with_option(line));
    }
    all
}

/// A hint at a statement that a suite would have, as the option that does the same.
fn with_option(line: &str) -> String {
    let found = line.split_once("write `stub(").and_then(|(before, rest)| {
        let (target, _) = rest.split_once(") { }`")?;
        Some((before, target.trim_start_matches('[').trim_end_matches(']')))
    });
    match found {
        Some((before, target)) => format!("{before}add --stub '{target}'"),
        None => line.to_string(),
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

fn print_bounds(
    args: &Args,
    found: &[Bound],
    compared: Option<&(String, Vec<BoundDifference>)>,
) -> Result<(), Exit> {
    if args.save.as_deref().is_some_and(is_stdout) {
        return Ok(());
    }
    const HOW: &str = "\nWorked out from the instructions.";
    let exit = output::print(|out| {
        if args.format == FormatArg::Json {
            let mut value = serde_json::json!({ "bounds": found });
            if let Some((earlier, all)) = compared {
                value["compared"] = serde_json::json!({ "with": earlier, "bounds": all });
            }
            writeln!(out, "{}", serde_json::to_string_pretty(&value)?)?;
            return Ok(Exit::Fine);
        }
        match compared {
            Some((earlier, all)) => {
                write!(out, "{}", page(args).bound_differences(earlier, all))?;
                writeln!(out, "{HOW} --routine LABEL calls one and counts.")?;
            }
            None => {
                write!(out, "{}", page(args).bounds(found))?;
                writeln!(out, "{HOW} --routine LABEL calls one and counts; --with \"x=4\" is its input.")?;
            }
        }
        Ok(Exit::Fine)
    });
    if exit == Exit::Fine { Ok(()) } else { Err(exit) }
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

/// Returns the exit code of a comparison; prints why it fails.
fn judge(rows: &[Difference], fail_over: Option<f64>) -> Exit {
    judge_each(rows, fail_over, |row, allowed| {
        let why = match row.percent() {
            _ if row.is_gone() => "is not measured any more".to_string(),
            Some(percent) if percent > allowed => {
                format!("is {percent:.1} % slower, {allowed} % are allowed")
            }
            _ => return None,
        };
        Some((&row.name, why))
    })
}

fn judge_bounds(all: &[BoundDifference], fail_over: Option<f64>) -> Exit {
    judge_each(all, fail_over, |found, allowed| {
        let why = match found.max.percent() {
            _ if found.standing == Standing::Gone => "is not called any more".to_string(),
            _ if found.is_lost() => "has no bounds any more".to_string(),
            Some(percent) if percent > allowed => {
                format!("can be {percent:.1} % slower, {allowed} % are allowed")
            }
            _ => return None,
        };
        Some((&found.name, why))
    })
}

/// Fails if anything is wrong with a row, which is named.
fn judge_each<T>(
    rows: &[T],
    fail_over: Option<f64>,
    fault: impl Fn(&T, f64) -> Option<(&String, String)>,
) -> Exit {
    let Some(allowed) = fail_over else { return Exit::Fine };
    let mut exit = Exit::Fine;
    for (name, why) in rows.iter().filter_map(|row| fault(row, allowed)) {
        output::warn(&format!("error: {} {why}\n", output::visible(name)));
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
    write(outputs)
}

fn write(outputs: Outputs) -> Result<(), Exit> {
    outputs
        .write()
        .map_err(|err| output::complain(format_args!("cannot write {}: {}", err.path.display(), err.error)))
}
