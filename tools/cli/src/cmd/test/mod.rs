//! `tempo test`: runs `.6502` suites. Reads the command line and the files, hands them to the harness, and writes
//! what its reports say; the meaning of suites is the harness's.

mod args;
mod contracts;
mod hardware;
mod outputs;
pub(crate) mod recordings;
mod remember;

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempo_diagnostics::{Renderer, escaped};
use tempo_harness::ast::TestKind;
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::diag::{Colour, Diagnostic, DiagnosticRecord, Severity};
use tempo_harness::events::{Event, Totals};
use tempo_harness::parse::{Dialect, parse};
use tempo_harness::plan::FilePlan;
use tempo_harness::report::{self, Format, Style, reporter};
use tempo_harness::run::{Clock, run as run_plans};
use tempo_harness::source::Source;
use tempo_host::term::{self, Progress};
use tempo_host::{Exit, output};
use tempo_machine_commands::debug;
use tempo_machine_commands::suite_files::{self as disk, Disk};
use tempo_source_commands::project::{self, Project, Setting};
use tempo_source_commands::watch::{self, Round, Seen};

pub use args::Args;

/// Starts with the command.
pub(crate) struct WallClock(pub Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub fn run(args: Args) -> Exit {
    if !args.watch {
        return match args.project() {
            Ok(project) => run_once(&args, &project, &Seen::default()),
            Err(exit) => exit,
        };
    }
    if let Err(message) = args.validate() {
        return complain(&message);
    }
    // A suite that appears in a folder of suites is a change, too.
    let last = RefCell::new(None);
    watch::repeat(
        |seen| {
            project::note(args.source.project.as_deref(), seen);
            *last.borrow_mut() = args.project().ok();
            if let Some(project) = &*last.borrow() {
                suites_of(project).unwrap_or_default().iter().for_each(|path| seen.note(path));
                run_once(&args, project, seen);
            }
            if output::has_failed() { Round::End(Exit::CannotRun) } else { Round::Wait }
        },
        || last.borrow().as_ref().and_then(|project| suites_of(project).ok()).unwrap_or_default(),
    )
}

/// The files of a run.
fn disk_of(args: &Args, project: &Project) -> Disk {
    let disk = Disk::of_program(project, None);
    if args.update { disk.owning_pictures() } else { disk }
}

/// One run, from the files on disk to the exit code.
fn run_once(args: &Args, project: &Project, seen: &Seen) -> Exit {
    let disk = disk_of(args, project);
    let exit = prepare_and_run(args, project, &disk);
    seen.add(disk.seen());
    match exit {
        Ok(exit) | Err(exit) => exit,
    }
}

fn prepare_and_run(args: &Args, project: &Project, disk: &Disk) -> Result<Exit, Exit> {
    let started = Instant::now();
    args.validate().map_err(|message| complain(&message))?;
    let mut options = args.run_options(project).map_err(|message| complain(&message))?;
    if let Some(path) = &args.compare_bench {
        options.bench_baseline = Some(outputs::read_baseline(path).map_err(|message| complain(&message))?);
    }
    let failed = match args.rerun_failed {
        true => remember::read().map_err(|message| complain(&message))?,
        false => None,
    };
    let paths = suite_files(args, project)?;
    let (files, programs) = plan(args, project, disk, &paths)?;
    if args.rerun_failed {
        options.filter.only = failed.and_then(|failed| remember::still_there(failed, &files));
        if options.filter.only.is_none() {
            say("none of these tests failed last time; running everything");
        }
    }
    check_names(args, &files, &options).map_err(|message| complain(&message))?;
    if args.list {
        return Ok(list(args, &files, &options));
    }
    if args.save_bench.is_some() || args.compare_bench.is_some() {
        check_benches(&files).map_err(|message| complain(&message))?;
    }
    let hardware = hardware::open(args)?;
    if let Some(hardware) = &hardware {
        options.remote = Some(hardware.remote.clone());
        options.jobs = 1;
    }
    let (totals, events) = execute(args, files, &options, started)?;
    if let Some(hardware) = hardware {
        hardware.close()?;
    }
    let contracts = contracts::check(args, project, &programs);
    outputs::write_all(args, project, &events).map_err(|message| match outputs::take_stdout(args) {
        // As everywhere, lost output means that the run could not do its work.
        true => output::complain(message),
        false => complain(&message),
    })?;
    recordings::write(args, project, disk, &options, &events).map_err(|message| complain(&message))?;
    if let Err(message) = remember::write(&events) {
        say(&message);
    }
    if args.opens_debugger()
        && let Some((file, id)) = recordings::failures(&events).into_iter().next()
    {
        return Ok(debug::run(debug::Args::of_test(&file, &id, args.source.clone())));
    }
    Ok(match &totals {
        totals if totals.range_errors => Exit::BadNames,
        totals if totals.counts.failed > 0 => Exit::Failed,
        totals if totals.verdicts.refused > 0 => Exit::CannotRun,
        _ => contracts,
    })
}

/// Something the user must put right before anything can run.
fn complain(message: &str) -> Exit {
    tempo_host::output::complain(message);
    Exit::Failed
}

fn say(message: &str) {
    output::warn(&format!("{}\n", output::visible(message)));
}

/// The suites named, and those in the folders named, sorted within each folder.
fn suite_files(args: &Args, project: &Project) -> Result<Vec<PathBuf>, Exit> {
    let is_named = project.is_given(Setting::TestPaths);
    let paths = project.test_paths();
    if !is_named && !paths.iter().any(|path| path.exists()) {
        let message = match project.is_there() {
            true => format!("there is no folder {}; name suites, or set test.paths", paths[0].display()),
            false => "name a suite or a folder of suites: tempo test tests/".to_owned(),
        };
        return Err(complain(&message));
    }
    if paths.is_empty() {
        let help = "write paths = [\"tests\"], or leave the key out".to_owned();
        return Err(project::complain(project, Setting::TestPaths, "`paths` names no suite", Some(help)));
    }
    for path in &paths {
        if !path.exists() {
            let message = format!("there is no suite {}", path.display());
            return Err(match project.is_from_file(Setting::TestPaths) {
                true => project::complain(project, Setting::TestPaths, &message, None),
                false => complain(&message),
            });
        }
    }
    let files = suites_of(project).map_err(|message| complain(&message))?;
    for path in paths.iter().filter(|path| path.is_dir()) {
        let message = format!("there are no .6502 files in {}", path.display());
        if files.is_empty() && !args.allow_none {
            return Err(complain(&format!("{message}; --allow-none makes that a success")));
        }
        if !files.iter().any(|file| file.starts_with(path)) {
            say(&format!("note: {message}"));
        }
    }
    Ok(files)
}

/// The suites of a project that there are, each once.
pub fn suites_of(project: &Project) -> Result<Vec<PathBuf>, String> {
    let mut search = disk::Search::default();
    for path in project.test_paths() {
        if path.is_dir() {
            search.add(&path)?;
        } else if path.exists() {
            search.found.push(path);
        }
    }
    let mut files = search.finish()?;
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

/// Parses all files, then checks them all; faults of either kind end the run before anything is executed.
fn plan(
    args: &Args,
    project: &Project,
    disk: &Disk,
    paths: &[PathBuf],
) -> Result<(Vec<FilePlan>, AssemblyCache), Exit> {
    let dialect = if args.compat { Dialect::Base } else { Dialect::Full };
    let mut texts = Vec::new();
    for path in paths {
        let bytes = disk.read_suite(path).map_err(|message| complain(&message))?;
        texts.push((disk::shown(path), bytes));
    }
    let options = CheckOptions { dialect, legacy_sum_reads: args.legacy_sum_reads, update: args.update };
    let mut cache = AssemblyCache::default();
    cache.defines = shared_defines(project);
    let shown = |source: &Source, diagnostics: &[Diagnostic]| show(args, source, diagnostics);
    let files = plan_texts(&texts, options, disk, &cache, &shown)?;
    Ok((files, cache))
}

/// The same for suites that are read already. `show` gets what is to be said about each.
pub(crate) fn plan_texts(
    texts: &[(String, Vec<u8>)],
    options: CheckOptions,
    disk: &Disk,
    cache: &AssemblyCache,
    show: &dyn Fn(&Source, &[Diagnostic]),
) -> Result<Vec<FilePlan>, Exit> {
    let mut parsed = Vec::new();
    let mut malformed = false;
    for (name, bytes) in texts {
        let mut source = match Source::from_bytes(name, bytes) {
            Ok(source) => source,
            Err(message) => {
                say(&format!("error: {name}: {message}"));
                malformed = true;
                continue;
            }
        };
        let result = parse(&mut source, options.dialect, disk);
        show(&source, &result.diagnostics);
        malformed |= result.has_errors();
        parsed.push((Arc::new(source), result.file));
    }
    if malformed {
        return Err(Exit::CannotRun);
    }
    let mut files = Vec::new();
    let mut unknown = false;
    for (source, file) in &parsed {
        let checked = check(source, file, options, disk, cache);
        show(source, &checked.diagnostics);
        unknown |= checked.has_errors();
        files.push(checked.plan);
    }
    if unknown {
        return Err(Exit::BadNames);
    }
    Ok(files)
}

/// The settings for assembling the project's sources, as suites write them.
pub(crate) fn shared_defines(project: &Project) -> Vec<String> {
    let vars = project.vars().into_iter().map(|(name, value)| format!("{name}={value}"));
    project.defines().into_iter().chain(vars).collect()
}

fn show(args: &Args, source: &Source, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        if args.format == Format::Json {
            let record = DiagnosticRecord::new(source, diagnostic);
            let mut value = serde_json::to_value(record).unwrap_or_default();
            value["event"] = "diagnostic".into();
            output::say(&format!("{value}\n"));
            continue;
        }
        if args.format == Format::Github && diagnostic.severity != Severity::Note {
            let at = source.location(diagnostic.span.unwrap_or_default());
            let text = report::annotation(&diagnostic.severity.to_string(), &at, None, &diagnostic.message);
            output::say(&output::visible(&text));
        }
        let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
        let _ = write!(std::io::stderr(), "{}", Renderer::new(source).colour(colour).human(diagnostic));
    }
}

/// Every --test names a test, and the filters leave some: a misspelt name must not look like success. Which part of the
/// run this machine has plays no role.
fn check_names(
    args: &Args,
    files: &[FilePlan],
    options: &tempo_harness::run::RunOptions,
) -> Result<(), String> {
    let is_filtered = args.filter.is_some() || !args.test.is_empty() || !args.filter_tag.is_empty();
    if args.allow_none || !is_filtered {
        return Ok(());
    }
    let all = || {
        files
            .iter()
            .flat_map(|file| &file.suites)
            .flat_map(|suite| suite.tests.iter().map(move |test| (suite, test)))
    };
    for id in &args.test {
        let alone = tempo_harness::run::Filter { test: vec![id.clone()], ..Default::default() };
        if !all().any(|(suite, test)| alone.admits("", &suite.name, test)) {
            let near = tempo_diagnostics::nearest(id, all().map(|(_, test)| test.id.as_str()));
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(format!("there is no test `{id}`{help}"));
        }
    }
    let filter = tempo_harness::run::Filter { only: None, ..options.filter.clone() };
    if all().next().is_some() && !all().any(|(suite, test)| filter.admits("", &suite.name, test)) {
        return Err("no test matches; --allow-none makes that a success".to_string());
    }
    Ok(())
}

/// Figures of benches are kept by suite and id, so these must be one bench each.
fn check_benches(files: &[FilePlan]) -> Result<(), String> {
    let mut known = std::collections::HashMap::new();
    for file in files {
        for suite in &file.suites {
            for bench in suite.tests.iter().filter(|test| test.kind == TestKind::Bench) {
                let at = file.source.location(bench.span);
                if let Some(first) = known.insert((&suite.name, &bench.id), at.clone()) {
                    return Err(format!(
                        "the bench `{}/{}` is defined twice, at {first} and {at}: their figures would have one name; rename \
                         a suite or a bench",
                        suite.name, bench.id
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The ids that would run, of this part of the run.
fn list(args: &Args, files: &[FilePlan], options: &tempo_harness::run::RunOptions) -> Exit {
    output::print(|out| {
        for (suite, id) in tempo_harness::run::chosen(files, options) {
            if args.format == Format::Json {
                writeln!(out, "{}", serde_json::json!({ "event": "listed", "suite": suite, "id": id }))?;
                continue;
            }
            writeln!(out, "  {}", escaped(&id))?;
        }
        Ok(Exit::Fine)
    })
}

fn execute(
    args: &Args,
    files: Vec<FilePlan>,
    options: &tempo_harness::run::RunOptions,
    started: Instant,
) -> Result<(Totals, Vec<Event>), Exit> {
    let colour = if term::stdout_colour() { Colour::Ansi } else { Colour::Plain };
    let verbose = args.verbose || args.debug;
    let verdicts = if options.prove || verbose { report::Told::Listed } else { report::Told::Counted };
    let style = Style { colour, verbose, verdicts, command: options.command.clone() };
    let mut report = reporter(args.format, &style);
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
