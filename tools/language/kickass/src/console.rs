//! The command `kickass`: its console, with banner, progress, printed text and errors in its form, and the order in
//! which a run reads, assembles, writes and reports.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempo_assembler::{Asserts, Columns, Diagnostic, Errors, FrameKind, Severity, SourceMap, Sources, Span};
use tempo_formats::memmap;

use crate::files::{EntryKind, FileSystem, WriteError, shown};
use crate::job::{Done, Job};
use crate::plan::{Door, FileKind, Places, PlannedFile};
use crate::words::{self, Words};

const BANNER: &str = concat!(
    "//------------------------------------------------------\n",
    "//------------------------------------------------------\n",
    "//   tempo ",
    env!("CARGO_PKG_VERSION"),
    " as kickass, compatible with v5.25\n",
    "//------------------------------------------------------\n",
    "//------------------------------------------------------\n",
);

/// What the command needs from the world around it. [`MemoryHost`](crate::MemoryHost) is one without a disk.
pub trait Host {
    /// The files to read.
    fn files(&self) -> &dyn FileSystem;

    /// Writes all of the files or none, with the folders they lie in.
    fn write(&mut self, files: &[PlannedFile]) -> Result<(), WriteError>;

    /// Looks at a job before its first source is read.
    fn prepared(&mut self, job: &Job) {
        let _ = job;
    }

    /// Prints a line, or several with line ends between them.
    fn print(&mut self, line: &str);

    /// Runs the command of `-execute` and waits for its end.
    fn execute(&mut self, command: &Execution) -> Result<(), ExecutionError> {
        let _ = command;
        Err(ExecutionError::Command(io::ErrorKind::Unsupported.into()))
    }

    /// How long ago the command was started, for `-time`.
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A command to run on the program file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// The program to start.
    pub command: String,
    /// Its arguments; the last one is the program file.
    pub arguments: Vec<String>,
    /// The folder to start it in.
    pub folder: PathBuf,
    /// The file for what it prints, absolute.
    pub log: Option<PathBuf>,
}

/// Why the command of `-execute` did not run. How it ended is not looked at.
#[derive(Debug)]
pub enum ExecutionError {
    /// The command could not be started.
    Command(io::Error),
    /// Its log could not be opened.
    Log(io::Error),
}

/// A call of the command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The working directory, absolute.
    pub folder: PathBuf,
    /// The words behind the name of the command.
    pub words: Vec<String>,
    /// An option file to read first, if it exists: Kick Assembler looks for `KickAss.cfg` beside its program.
    pub config: Option<PathBuf>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was done; the command's exit code is 0.
    Fine,
    /// The source has errors or something could not be read or written; the exit code is 1.
    Failed,
}

/// The console: everything printed is kept for the log.
struct Console<'a> {
    host: &'a mut dyn Host,
    text: String,
}

impl Console<'_> {
    fn say(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        self.host.print(line);
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// Runs the command.
pub fn run(command: &CommandLine, host: &mut dyn Host) -> Ended {
    let mut console = Console { host, text: String::new() };
    console.say(BANNER.trim_end());
    let mut job = Job::new(command.folder.clone());
    job.options.asserts = Asserts::Report;
    job.options.errors = Errors::First;
    let prepared = prepare(command, &mut job, &mut console);
    let is_prepared = prepared.is_ok();
    let ended = match prepared {
        Ok(()) => assemble(&job, &mut console),
        Err(problem) => {
            console.say(format!("\nError: {problem}"));
            Ended::Failed
        }
    };
    // A command line that failed may have named the source as its log, and nothing has read it yet.
    if let Some(log) = job.log.as_ref().filter(|_| is_prepared) {
        let path = job.folder.join(log);
        let file = PlannedFile {
            path,
            bytes: console.text.clone().into_bytes(),
            kind: FileKind::Log,
            door: Door::Typed,
        };
        if let Err(WriteError { path, error }) = console.host.write(&[file]) {
            console.say(format!("Error: can't write the log '{}': {error}", path.display()));
            return Ended::Failed;
        }
    }
    ended
}

fn prepare(command: &CommandLine, job: &mut Job, console: &mut Console<'_>) -> Result<(), String> {
    let files = console.host.files();
    if let Some(path) = command.config.as_ref().filter(|path| files.kind(path) == Some(EntryKind::File)) {
        let mut found = Words::default();
        words::read_options(path, job, files, &mut found, 0).map_err(|err| err.to_string())?;
    }
    let found = words::apply(&command.words, job, files).map_err(|err| err.to_string())?;
    for remark in &found.remarks {
        console.say(remark);
    }
    job.source = found.source.ok_or("No inputfile supplied.")?;
    console.host.prepared(job);
    job.check_source(console.host.files()).map_err(|err| err.to_string())
}

fn assemble(job: &Job, console: &mut Console<'_>) -> Ended {
    let places = Places::new(job);
    console.say(format!("Output dir: {}", places.folder.display()));
    if !job.options.variables.is_empty() {
        let list: Vec<String> =
            job.options.variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
        console.say(format!("User Arguments: {}", list.join(", ")));
    }
    console.say("parsing");
    let done = job.assemble(console.host.files());
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
        return Ended::Failed;
    }
    let ended = write_files(job, &done, console);
    if ended != Ended::Fine {
        write_info(job, &done, console);
        return ended;
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
        console.say(list(&done.output.sources, &done.output.diagnostics, errors, warnings).trim_end());
    }
    if job.show_time {
        let seconds = console.host.elapsed().as_secs_f64();
        console.say(format!("\nTime: {seconds:.3} s"));
    }
    match Execution::of(job, &done.places.main) {
        Some(execution) => execute(&execution, console),
        None => Ended::Fine,
    }
}

fn count(diagnostics: &[Diagnostic]) -> (usize, usize) {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    (errors, diagnostics.len() - errors)
}

fn write_files(job: &Job, done: &Done, console: &mut Console<'_>) -> Ended {
    for line in done.merged_blocks(job) {
        console.say(line);
    }
    let files = match done.plan(job) {
        Ok(files) => files,
        Err(err) => {
            console.say(format!("\nError: {err}"));
            return Ended::Failed;
        }
    };
    let mut all = files;
    match done.asm_info(job, console.host.files()) {
        Ok(info) => all.extend(info),
        Err(err) => console.say(err.to_string()),
    }
    if let Err(WriteError { path, error }) = console.host.write(&all) {
        console.say(format!("\nError: Can't write '{}': {error}", path.display()));
        return Ended::Failed;
    }
    for file in all.iter().filter(|file| file.kind != FileKind::AsmInfo) {
        let what = match file.kind {
            FileKind::Prg => "prg file",
            FileKind::Bin => "bin file",
            FileKind::Disk => "disk",
            FileKind::Symbols => "Symbol file",
            FileKind::Vice => "Vice symbol file",
            FileKind::ByteDump => "byte dump file",
            FileKind::DebugDump => "debug dump file",
            FileKind::Text | FileKind::AsmInfo | FileKind::Log => "file",
        };
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        console.say(format!("Writing {what}: {name}"));
    }
    Ended::Fine
}

/// Writes the file for editors. They ask above all about failed runs, so it is written in any case.
fn write_info(job: &Job, done: &Done, console: &mut Console<'_>) {
    match done.asm_info(job, console.host.files()) {
        Ok(file) => {
            if let Err(problem) = console.host.write(file.as_slice()) {
                console.say(format!("Error: {problem}"));
            }
        }
        Err(problem) => console.say(problem.to_string()),
    }
}

/// The text for a failed run: the list if there is more than one, the excerpt, the first error and its calls.
fn errors_text(done: &Done, errors: usize, warnings: usize) -> String {
    let diagnostics = &done.output.diagnostics;
    let sources = &done.output.sources;
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
    let found = first.span.and_then(|span| Some((span, sources.find(span.start)?)));
    let Some((span, found)) = found else {
        let _ = writeln!(text, "Error: {}", first.message);
        text.extend(limit_help(first));
        return text;
    };
    let at = found.source.position(found.local(span).start, Columns::Utf16);
    for number in at.line.saturating_sub(3).max(1)..=at.line {
        let _ = writeln!(text, "{}", found.source.line(number).replace('\t', " "));
    }
    let _ = writeln!(text, "{}^\n", " ".repeat(at.column.saturating_sub(1) as usize));
    let _ = writeln!(text, "Error: {}", first.message);
    let place = |span: Span| match sources.locate(span.start, Columns::Utf16) {
        Some(at) => format!("line {}, column {} in {}", at.line, at.column, file_name(&at.file)),
        None => "?".to_owned(),
    };
    let _ = writeln!(text, "at {}", place(span));
    for frame in first.frames.iter().filter(|frame| frame.kind != FrameKind::Import) {
        let _ = writeln!(text, "called at {}", place(frame.span));
    }
    text.extend(limit_help(first));
    text
}

/// A line about the option that raises a limit, in the spelling of this command. Kick Assembler has no limits, so its
/// messages stay as they are.
fn limit_help(error: &Diagnostic) -> Option<String> {
    let help = error.help.as_deref()?;
    let here = help
        .replace("--limit ", "-limit ")
        .replace("--max-depth", "-limit depth=N")
        .replace("--max-loop", "-limit loop=N");
    (here != help).then(|| format!("Help: {here}\n"))
}

fn list(sources: &Sources, diagnostics: &[Diagnostic], errors: usize, warnings: usize) -> String {
    let mut text = format!("Got {errors} errors and {warnings} warnings while executing:\n");
    for diagnostic in diagnostics.iter().take(5) {
        let severity = if diagnostic.severity == Severity::Error { "Error" } else { "Warning" };
        // Writing to a String cannot fail.
        let place = diagnostic.span.and_then(|span| sources.locate(span.start, Columns::Utf16));
        let _ = match place {
            Some(at) => {
                let message = &diagnostic.message;
                writeln!(text, "  ({} {}:{}) {severity}: {message}", at.file, at.line, at.column)
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

/// `-execute`
fn execute(execution: &Execution, console: &mut Console<'_>) -> Ended {
    match console.host.execute(execution) {
        Ok(()) => Ended::Fine,
        Err(error) => {
            console.say(format!("Error: {}", execution.problem(&error)));
            Ended::Failed
        }
    }
}

impl Execution {
    /// What a job runs on its program, if it was asked to and writes one.
    pub fn of(job: &Job, program: &Path) -> Option<Execution> {
        if job.options.parse_only || !job.write_files {
            return None;
        }
        let mut words = words::split_words(job.execute.as_deref()?).into_iter();
        let command = words.next()?;
        let program = program.to_string_lossy().into_owned();
        Some(Execution {
            command,
            arguments: words.chain([program]).collect(),
            folder: job.folder.clone(),
            log: job.execute_log.as_ref().map(|log| job.folder.join(log)),
        })
    }

    /// A sentence about why it did not run.
    pub fn problem(&self, error: &ExecutionError) -> String {
        match error {
            ExecutionError::Command(err) => format!("can't run '{}': {err}", self.command),
            ExecutionError::Log(err) => {
                let log = self.log.as_deref().unwrap_or(Path::new(""));
                format!("can't write the log '{}': {err}", shown(log, &self.folder).display())
            }
        }
    }
}
