//! `tempo test`: runs `.6502` suites. Reads the command line and the files, hands them to the harness, and writes
//! what its reports say; the meaning of suites is the harness's.

mod args;
pub(crate) mod disk;
mod outputs;
mod remember;
mod watch;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diagnostics::{Renderer, escaped};
use harness::check::{AssemblyCache, CheckOptions, check};
use harness::diag::{Colour, Diagnostic, DiagnosticRecord, Severity};
use harness::events::{Event, Totals};
use harness::parse::{Dialect, parse};
use harness::plan::FilePlan;
use harness::report::{Format, Style, reporter};
use harness::run::{Clock, run as run_plans};
use harness::source::Source;

use crate::exit::Exit;
use crate::output;
use crate::term::{self, Progress};
pub use args::Args;
use disk::Disk;

/// Starts with the command.
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub fn run(args: Args) -> Exit {
    if args.watch {
        return watch::watch(&args);
    }
    run_once(&args, &Disk::of(&args))
}

/// One run, from the files on disk to the exit code.
fn run_once(args: &Args, disk: &Disk) -> Exit {
    match prepare_and_run(args, disk) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn prepare_and_run(args: &Args, disk: &Disk) -> Result<Exit, Exit> {
    let started = Instant::now();
    args.validate().map_err(|message| complain(&message))?;
    let mut options = args.run_options().map_err(|message| complain(&message))?;
    if let Some(path) = &args.compare_bench {
        options.bench_baseline = Some(outputs::read_baseline(path).map_err(|message| complain(&message))?);
    }
    if args.rerun_failed {
        match remember::read() {
            Ok(Some(failed)) => options.filter.only = Some(failed),
            Ok(None) => say("nothing failed last time; running everything"),
            Err(message) => return Err(complain(&message)),
        }
    }
    let paths = suite_files(args)?;
    let files = plan(args, disk, &paths)?;
    if args.list {
        return Ok(list(&files, &options));
    }
    let (totals, events) = execute(args, files, &options, started)?;
    outputs::write_all(args, &events).map_err(|message| complain(&message))?;
    if let Err(message) = remember::write(&events, args.rerun_failed) {
        say(&message);
    }
    if args.opens_debugger()
        && let Some(failed) = first_failure(&events)
    {
        return Ok(crate::cmd::debug::run(crate::cmd::debug::Args::of_test(&failed.0, &failed.1)));
    }
    Ok(match &totals {
        totals if totals.range_errors => Exit::BadNames,
        totals if totals.counts.failed > 0 => Exit::Failed,
        _ => Exit::Fine,
    })
}

/// The file and the name of the first test that failed.
fn first_failure(events: &[Event]) -> Option<(String, String)> {
    events.iter().find_map(|event| match event {
        Event::Test(test) if test.outcome == harness::events::Outcome::Failed => {
            Some((test.location.file.clone(), format!("{}/{}", test.suite_name, test.id)))
        }
        _ => None,
    })
}

/// Something the user must put right before anything can run.
fn complain(message: &str) -> Exit {
    crate::output::complain(message);
    Exit::Failed
}

fn say(message: &str) {
    output::warn(&format!("{}\n", output::visible(message)));
}

/// The suites named, and those in the folders named, sorted within each folder.
fn suite_files(args: &Args) -> Result<Vec<PathBuf>, Exit> {
    let mut files = Vec::new();
    for path in args.suitefile.iter().chain(&args.paths) {
        if path.is_dir() {
            let before = files.len();
            disk::find_suites(path, &mut files).map_err(|message| complain(&message))?;
            if files.len() == before {
                say(&format!("note: there are no .6502 files in {}", path.display()));
            }
        } else if path.exists() {
            files.push(path.clone());
        } else {
            let message = format!("there is no suite {}", path.display());
            return Err(complain(&message));
        }
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

/// Parses all files, then checks them all; faults of either kind end the run before anything is executed.
fn plan(args: &Args, disk: &Disk, paths: &[PathBuf]) -> Result<Vec<FilePlan>, Exit> {
    let dialect = if args.compat { Dialect::Base } else { Dialect::Full };
    let mut parsed = Vec::new();
    let mut malformed = false;
    for path in paths {
        let bytes = disk.read_suite(path).map_err(|message| complain(&message))?;
        let name = disk::shown(path);
        let mut source = match Source::from_bytes(&name, &bytes) {
            Ok(source) => source,
            Err(message) => {
                say(&format!("error: {name}: {message}"));
                malformed = true;
                continue;
            }
        };
        let result = parse(&mut source, dialect, disk);
        show(args, &source, &result.diagnostics);
        malformed |= result.has_errors();
        parsed.push((Arc::new(source), result.file));
    }
    if malformed {
        return Err(Exit::CannotRun);
    }
    let cache = AssemblyCache::default();
    let options = CheckOptions { dialect, legacy_sum_reads: args.legacy_sum_reads, update: args.update };
    let mut files = Vec::new();
    let mut unknown = false;
    for (source, file) in &parsed {
        let checked = check(source, file, options, disk, &cache);
        show(args, source, &checked.diagnostics);
        unknown |= checked.has_errors();
        files.push(checked.plan);
    }
    if unknown {
        return Err(Exit::BadNames);
    }
    Ok(files)
}

fn show(args: &Args, source: &Source, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        if args.format() == Format::Json {
            let record = DiagnosticRecord::new(source, diagnostic);
            let mut value = serde_json::to_value(record).unwrap_or_default();
            value["event"] = "diagnostic".into();
            output::say(&format!("{value}\n"));
            continue;
        }
        if args.format() == Format::Github && diagnostic.severity != Severity::Note {
            let at = source.location(diagnostic.span.unwrap_or_default());
            output::say(&format!(
                "::{} file={},line={},col={}::{}\n",
                diagnostic.severity,
                escaped(&at.file),
                at.line,
                at.column,
                escaped(&diagnostic.message)
            ));
        }
        let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
        let _ = write!(std::io::stderr(), "{}", Renderer::new(source).colour(colour).human(diagnostic));
    }
}

/// The ids that would run.
fn list(files: &[FilePlan], options: &harness::run::RunOptions) -> Exit {
    output::print(|out| {
        for file in files {
            for suite in &file.suites {
                for test in &suite.tests {
                    if options.filter.admits(file.source.name(), &suite.name, test) && !test.skip {
                        writeln!(out, "  {}", escaped(&test.id))?;
                    }
                }
            }
        }
        Ok(Exit::Fine)
    })
}

fn execute(
    args: &Args,
    files: Vec<FilePlan>,
    options: &harness::run::RunOptions,
    started: Instant,
) -> Result<(Totals, Vec<Event>), Exit> {
    let colour = if term::stdout_colour() { Colour::Ansi } else { Colour::Plain };
    let style = Style { colour, verbose: args.verbose || args.debug, command: options.command.clone() };
    let mut report = reporter(args.format(), &style);
    let progress = Progress::start("testing", "tests", None);
    let mut events = Vec::new();
    let is_aside = outputs::take_stdout(args);
    let mut closed = false;
    let keep = outputs::needs_events(args);
    let mut sink = |event: Event| {
        match event {
            Event::RunStarted { tests, .. } => progress.set_length(tests as u64),
            Event::Progress { done, failed } => {
                progress.set_position(done as u64);
                if failed > 0 {
                    progress.set_message(format!(", {failed} failed"));
                }
                return;
            }
            _ => {}
        }
        let text = report.event(&event);
        if !text.is_empty() && !closed {
            // A reader who has seen enough ends the printing, not the run: its exit code still counts.
            let written = progress.suspend(|| {
                if is_aside {
                    output::warn(&text);
                    return Ok(());
                }
                let mut out = std::io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            });
            closed = written.is_err();
            if let Err(err) = written {
                output::failed(err);
            }
        }
        match event {
            Event::Test(mut test) => {
                if !keep {
                    test.trace = Vec::new();
                    test.output = Vec::new();
                }
                events.push(Event::Test(test));
            }
            other => events.push(other),
        }
    };
    let totals = run_plans(&files, options, &WallClock(started), &mut sink);
    Ok((totals, events))
}
