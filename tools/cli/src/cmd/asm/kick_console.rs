//! The console as Kick Assembler's users know it: banner, progress, printed text, errors in its form.
//! Everything goes to standard output, and to the log if there is one.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use assembler::{Asserts, Diagnostic, Errors, Severity};
use formats::memmap;
use formats::program::Source;

use super::job::{Done, Job, write_all};
use super::kick::{self, Words};
use super::plan::{Kind, Places};
use super::render::line;
use crate::exit::Exit;

const BANNER: &str = concat!(
    "//------------------------------------------------------\n",
    "//------------------------------------------------------\n",
    "//   tempo ",
    env!("CARGO_PKG_VERSION"),
    " as kickass, compatible with v5.25\n",
    "//------------------------------------------------------\n",
    "//------------------------------------------------------\n",
);

/// Text for standard output, kept for the log as well.
#[derive(Default)]
struct Console {
    text: String,
}

impl Console {
    fn say(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        // A reader that has gone away is no reason to stop assembling.
        let _ = writeln!(std::io::stdout(), "{line}");
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// Runs as `kickass`: its words, its console, its exit codes (0 and 1).
pub fn run(words: Vec<String>) -> Exit {
    let started = Instant::now();
    let mut console = Console::default();
    console.say(BANNER.trim_end());
    let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let mut job = Job::new(folder);
    job.options.asserts = Asserts::Report;
    job.options.errors = Errors::First;
    let exit = match prepare(&words, &mut job, &mut console) {
        Ok(()) => assemble(&job, &mut console, started),
        Err(problem) => {
            console.say(format!("\nError: {problem}"));
            Exit::Failed
        }
    };
    if let Some(log) = &job.log {
        let path = job.folder.join(log);
        if let Err(err) = crate::files::write_atomic(&path, console.text.as_bytes()) {
            console.say(format!("Error: can't write the log '{}': {err}", path.display()));
            return Exit::Failed;
        }
    }
    exit
}

fn prepare(words: &[String], job: &mut Job, console: &mut Console) -> Result<(), String> {
    let beside_program =
        std::env::current_exe().ok().and_then(|path| path.parent().map(|p| p.join("KickAss.cfg")));
    if let Some(path) = beside_program.filter(|path| path.is_file()) {
        let mut found = Words::default();
        kick::read_options(&path, job, &mut found, 0)?;
    }
    let found = kick::apply(words, job)?;
    for remark in &found.remarks {
        console.say(remark);
    }
    job.source = found.source.ok_or("No inputfile supplied.")?;
    if !job.folder.join(&job.source).is_file() {
        return Err(format!("Inputfile '{}' doesn't exist.", job.source.display()));
    }
    Ok(())
}

fn assemble(job: &Job, console: &mut Console, started: Instant) -> Exit {
    let places = Places::new(job);
    console.say(format!("Output dir: {}", places.folder.display()));
    if !job.options.variables.is_empty() {
        let list: Vec<String> =
            job.options.variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
        console.say(format!("User Arguments: {}", list.join(", ")));
    }
    console.say("parsing");
    let done = job.assemble();
    let failed = done.output.has_errors();
    let (errors, warnings) = count(&done.output.diagnostics);
    for pass in 1..=done.output.stats.passes {
        console.say(format!("flex pass {pass}"));
    }
    if !failed && job.options.parse_only {
        console.say("Preparse done and no evaluation requested. Exiting.");
    } else if !failed {
        console.say("Output pass");
    }
    for line in &done.output.console {
        console.say(line);
    }
    if failed {
        write_info(job, &done, console);
        console.say(errors_text(&done, errors, warnings).trim_end_matches('\n'));
        return Exit::Failed;
    }
    let exit = write_files(job, &done, console);
    write_info(job, &done, console);
    if exit != Exit::Fine {
        return exit;
    }
    if job.show_memory_map {
        console.say(format!("\n{}", memmap::write(&done.output.program).trim_end()));
    }
    let asserts = done.output.asserts;
    if asserts.made > 0 {
        let failed = match asserts.failed {
            0 => "0 failed".to_owned(),
            failed => format!("{failed} FAILED!"),
        };
        console.say(format!("\nMade {} asserts , {failed}", asserts.made));
    }
    if warnings > 0 {
        console.say("");
        console
            .say(list(&done.output.program.sources, &done.output.diagnostics, errors, warnings).trim_end());
    }
    if job.show_time {
        console.say(format!("\nTime: {:.3} s", started.elapsed().as_secs_f64()));
    }
    match &job.execute {
        Some(command) if !job.options.parse_only && job.write_files => {
            execute(job, command, &done.places.main, console)
        }
        _ => Exit::Fine,
    }
}

fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    (errors, diagnostics.len() - errors)
}

fn write_files(job: &Job, done: &Done, console: &mut Console) -> Exit {
    let writes = match done.plan(job) {
        Ok(writes) => writes,
        Err(err) => {
            console.say(format!("\nError: {err}"));
            return Exit::Failed;
        }
    };
    if let Err((path, err)) = write_all(&writes) {
        console.say(format!("\nError: Can't write '{}': {err}", path.display()));
        return Exit::Failed;
    }
    for write in &writes {
        let what = match write.kind {
            Kind::Prg => "prg file",
            Kind::Bin => "bin file",
            Kind::Disk => "disk",
            Kind::Text => "file",
            Kind::Symbols => "Symbol file",
            Kind::Vice => "Vice symbol file",
            Kind::ByteDump => "byte dump file",
            Kind::DebugDump => "debug dump file",
        };
        let name = write.path.file_name().unwrap_or_default().to_string_lossy();
        console.say(format!("Writing {what}: {name}"));
    }
    Exit::Fine
}

/// Editors want to know about failed runs above all, so this file is written in any case.
fn write_info(job: &Job, done: &Done, console: &mut Console) {
    if let Err(problem) = super::asm_info::write(job, done) {
        console.say(format!("Error: {problem}"));
    }
}

/// The text for a failed run: the list if there is more than one, the excerpt, the first error and its calls.
fn errors_text(done: &Done, errors: usize, warnings: usize) -> String {
    let diagnostics = &done.output.diagnostics;
    let sources = &done.output.program.sources;
    let mut text = String::new();
    if diagnostics.len() > 1 {
        text.push('\n');
        text.push_str(&list(sources, diagnostics, errors, warnings));
    }
    let Some(first) = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) else {
        return text;
    };
    text.push('\n');
    // Writing to a String cannot fail.
    let Some(at) = &first.at else {
        let _ = writeln!(text, "Error: {}", first.message);
        return text;
    };
    let source = sources.get(at.file as usize);
    for number in at.line.saturating_sub(3).max(1)..=at.line {
        let excerpt = source.and_then(|source| line(&source.text, number)).unwrap_or_default();
        let _ = writeln!(text, "{}", excerpt.replace('\t', " "));
    }
    let _ = writeln!(text, "{}^\n", " ".repeat(at.column.saturating_sub(1) as usize));
    let _ = writeln!(text, "Error: {}", first.message);
    let name = |file: u32| sources.get(file as usize).map_or("?".into(), |source| file_name(&source.path));
    let _ = writeln!(text, "at line {}, column {} in {}", at.line, at.column, name(at.file));
    for frame in first.frames.iter().filter(|frame| frame.kind != assembler::FrameKind::Import) {
        let at = &frame.at;
        let _ = writeln!(text, "called at line {}, column {} in {}", at.line, at.column, name(at.file));
    }
    text
}

fn list(sources: &[Source], diagnostics: &[Diagnostic], errors: usize, warnings: usize) -> String {
    let mut text = format!("Got {errors} errors and {warnings} warnings while executing:\n");
    for diagnostic in diagnostics.iter().take(5) {
        let severity = if diagnostic.severity == Severity::Error { "Error" } else { "Warning" };
        // Writing to a String cannot fail.
        let _ = match &diagnostic.at {
            Some(at) => {
                let path = sources.get(at.file as usize).map_or("?", |source| &source.path);
                writeln!(text, "  ({path} {}:{}) {severity}: {}", at.line, at.column, diagnostic.message)
            }
            None => writeln!(text, "  {severity}: {}", diagnostic.message),
        };
    }
    if diagnostics.len() > 5 {
        text.push_str("  ...\n");
    }
    text
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or(path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// `-execute`: the command with the program file as its last argument.
fn execute(job: &Job, command: &str, program: &Path, console: &mut Console) -> Exit {
    let words = kick::split_words(command);
    let [name, arguments @ ..] = &words[..] else { return Exit::Fine };
    let mut process = std::process::Command::new(name);
    process.args(arguments).arg(program).current_dir(&job.folder);
    if let Some(log) = &job.execute_log {
        match std::fs::File::create(job.folder.join(log)).and_then(|file| Ok((file.try_clone()?, file))) {
            Ok((out, err)) => {
                process.stdout(out).stderr(err);
            }
            Err(err) => {
                console.say(format!("Error: can't write the log '{}': {err}", log.display()));
                return Exit::Failed;
            }
        }
    }
    match process.status() {
        Ok(_) => Exit::Fine,
        Err(err) => {
            console.say(format!("Error: can't run '{name}': {err}"));
            Exit::Failed
        }
    }
}
