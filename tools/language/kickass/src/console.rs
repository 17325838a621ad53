//! The command `kickass`: its console, with banner, progress, printed text and errors in its form, and the order in
//! which a run reads, assembles, writes and reports.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempo_assembler::{Asserts, Columns, Diagnostic, Errors, FrameKind, Output, Severity, SourceMap, Span};
use tempo_formats::{hash_order, memmap};

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

/// The world around the command. [`MemoryHost`](crate::MemoryHost) is one without a disk.
pub trait Host {
    /// The files to read.
    fn files(&self) -> &dyn FileSystem;

    /// Writes all of the files or none, with the folders they are in.
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
    /// The words after the name of the command.
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
    // The folder of a source is that of the file that a link points to.
    let path = job.folder.join(&job.source);
    let target = console.host.files().resolve(&path);
    if let Some(target) = target.filter(|target| target.parent() != path.parent()) {
        job.source = target;
    }
    console.host.prepared(job);
    job.check_source(console.host.files()).map_err(|err| err.to_string())
}

fn assemble(job: &Job, console: &mut Console<'_>) -> Ended {
    let places = Places::new(job);
    console.say(format!("Output dir: {}", places.folder.display()));
    if !job.options.variables.is_empty() {
        let variables = &job.options.variables;
        let last =
            |name: &str| variables.iter().rev().find(|(other, _)| other == name).map(|(_, value)| value);
        let list: Vec<String> = hash_order::order(variables.iter().map(|(name, _)| name))
            .into_iter()
            .map(|index| &variables[index].0)
            .map(|name| format!("{name}={}", last(name).map_or("", |value| value)))
            .collect();
        console.say(format!("User Arguments: {}", list.join(", ")));
    }
    console.say("parsing");
    let done = job.assemble(console.host.files());
    let failed = done.output.has_errors();
    let (errors, warnings) = count(&done.output.diagnostics);
    let mut lines = done.output.console.iter();
    for pass in 1..=done.output.stats.kick_passes {
        console.say(format!("flex pass {pass}"));
        let printed = done.output.printed_now.get(pass as usize - 1).copied().unwrap_or_default();
        lines.by_ref().take(printed).for_each(|line| console.say(line));
    }
    if !failed && job.options.parse_only {
        console.say("Preparse done and no evaluation requested. Exiting.");
    } else if !failed {
        console.say("Output pass");
    }
    lines.for_each(|line| console.say(line));
    if failed {
        write_info(job, &done, console);
        console.say(errors_text(&done, errors, warnings).trim_end_matches('\n'));
        return Ended::Failed;
    }
    let files = match write_files(job, &done, console) {
        Ok(files) => files,
        Err(problem) => {
            console.say(format!("\nError: {problem}"));
            write_info(job, &done, console);
            return Ended::Failed;
        }
    };
    say_programs(job, &done, &files, console);
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
        console.say(list(&done.output, errors, warnings).trim_end());
    }
    for (kind, what) in [(FileKind::Vice, "Vice symbol file"), (FileKind::Symbols, "Symbol file")] {
        for file in files.iter().filter(|file| file.kind == kind) {
            console.say(format!("Writing {what}: {}", shown_name(job, &done, file)));
        }
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

/// Writes everything and tells what was written.
fn write_files(job: &Job, done: &Done, console: &mut Console<'_>) -> Result<Vec<PlannedFile>, String> {
    let mut all = done.plan(job).map_err(|err| err.to_string())?;
    let planned = all.len();
    match done.asm_info(job, console.host.files()) {
        Ok(info) => all.extend(info),
        Err(err) => console.say(err.to_string()),
    }
    let written = console.host.write(&all);
    written.map_err(|WriteError { path, error }| format!("Can't write '{}': {error}", path.display()))?;
    all.truncate(planned);
    Ok(all)
}

/// A line for each file that the source asks for and for the program. `createFile` keeps its files in a hash map.
fn say_programs(job: &Job, done: &Done, files: &[PlannedFile], console: &mut Console<'_>) {
    let of_kind =
        |kinds: &[FileKind]| files.iter().filter(|file| kinds.contains(&file.kind)).collect::<Vec<_>>();
    let created: Vec<String> =
        of_kind(&[FileKind::Text]).iter().map(|file| shown_name(job, done, file)).collect();
    for index in hash_order::order(&created) {
        console.say(format!("Wrote file: {}", created[index]));
    }
    for line in done.merged_blocks(job) {
        console.say(line);
    }
    // The lines that belong to a file of the source.
    let remarks = |file: &PlannedFile| {
        let of = done.output.files.iter().find(|made| done.places.folder.join(&made.name) == file.path);
        of.map_or(&[][..], |made| &made.remarks)
    };
    for file in of_kind(&[FileKind::Prg, FileKind::Bin]) {
        remarks(file).iter().for_each(|line| console.say(line));
        console.say(format!("Writing prg file: {}", shown_name(job, done, file)));
    }
    for file in of_kind(&[FileKind::Disk]) {
        console.say(format!("Writing d64 file: {}", shown_name(job, done, file)));
        remarks(file).iter().for_each(|line| console.say(line));
    }
}

/// A file as the console names it: relative to the output directory, except for those whose place `-o` says.
fn shown_name(job: &Job, done: &Done, file: &PlannedFile) -> String {
    let is_typed = job.output.is_some() && (file.kind == FileKind::Vice || file.path == done.places.main);
    let path = if is_typed { &file.path } else { shown(&file.path, &done.places.folder) };
    path.display().to_string()
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
        text.push_str(&list(&done.output, errors, warnings));
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
    let at = found.source.position(found.local(span).start, Columns::Kick);
    for number in at.line.saturating_sub(3).max(1)..=at.line {
        let _ = writeln!(text, "{}", found.source.line_for(number, Columns::Kick).replace('\t', " "));
    }
    let _ = writeln!(text, "{}^\n", " ".repeat(at.column.saturating_sub(1) as usize));
    let _ = writeln!(text, "Error: {}", first.message);
    let _ = writeln!(text, "at {}", place(&done.output, span));
    // An import is a call when it is executed.
    let is_executed = done.output.stats.passes > 0;
    for frame in &first.frames {
        match frame.kind {
            FrameKind::Import if !is_executed => {}
            FrameKind::Import => {
                let import = done.output.import_place(frame.span);
                let _ = writeln!(text, "called at {}", place(&done.output, import));
            }
            _ => {
                let _ = writeln!(text, "called at {}", place(&done.output, frame.span));
            }
        }
    }
    text.extend(limit_help(first));
    text
}

/// Line, column and file of a place. Files below the folder of the main source are named from there.
fn place(output: &Output, span: Span) -> String {
    let Some(found) = output.sources.find(span.start) else { return "?".to_owned() };
    let at = found.source.position(found.local(span).start, Columns::Kick);
    let folder = name_of(output, 1).rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = name_of(output, found.file.0);
    let name = name.strip_prefix(folder).and_then(|name| name.strip_prefix('/')).unwrap_or(name);
    format!("line {}, column {} in {name}", at.line, at.column)
}

/// The name of a source in Kick Assembler's output.
fn name_of(output: &Output, source: u32) -> &str {
    output.program.sources.get(source as usize).map_or("", |source| match &source.name[..] {
        "" => &source.path,
        name => name,
    })
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

fn list(output: &Output, errors: usize, warnings: usize) -> String {
    let diagnostics = &output.diagnostics;
    let mut text = format!("Got {errors} errors and {warnings} warnings while executing:\n");
    for diagnostic in diagnostics.iter().take(5) {
        let severity = if diagnostic.severity == Severity::Error { "Error" } else { "Warning" };
        // Writing to a String cannot fail.
        let found = diagnostic.span.and_then(|span| Some((span, output.sources.find(span.start)?)));
        let _ = match found {
            Some((span, found)) => {
                let at = found.source.position(found.local(span).start, Columns::Kick);
                let (name, message) = (name_of(output, found.file.0), &diagnostic.message);
                writeln!(text, "  ({name} {}:{}) {severity}: {message}", at.line, at.column)
            }
            None => writeln!(text, "  {severity}: {}", diagnostic.message),
        };
    }
    if diagnostics.len() > 5 {
        text.push_str("  ...\n");
    }
    text
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
    /// The command that a job runs on its program, if it was asked to and writes one.
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
