//! `tempo asm`: assembles a program in the language of Kick Assembler. The libraries `assembler` and `kickass` do the
//! work; this module has the long options, the messages and the host. Under the name `kickass` the program behaves
//! like Kick Assembler.

pub mod host;
mod render;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;
use tempo_assembler::{Asserts, Code, Lints, Severity};
use tempo_diagnostics::plural;
use tempo_formats::memmap;
use tempo_formats::program::Segment;
use tempo_host::files::{self, STDOUT, is_stdout, names_folder};
use tempo_host::output::{self, complain, visible, warn};
use tempo_host::{Exit, term};
use tempo_isa::Cpu;
use tempo_kickass::{
    CommandLine, Done, Door, Ended, Execution, FileKind, FileSystem, Host as _, Job, MainFile, NoSource,
    PlanError, PlannedFile, WriteError, shown,
};

use crate::cpus;
use host::{Disk, Process, write_all};
use render::Context;
pub use render::MessageFormat;

/// Assemble a program written for Kick Assembler.
#[derive(clap::Args, Debug)]
#[command(after_long_help = AFTER_HELP)]
pub struct Args {
    /// The source to assemble; it imports the rest
    #[arg(value_name = "SOURCE", required = true)]
    source: Option<PathBuf>,

    /// The program file to write [default: SOURCE with .prg, in the output directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The output directory: where files go that the source names [default: the folder of SOURCE]
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,

    /// Set a preprocessor symbol, as #define does; may be repeated
    #[arg(short = 'D', long, value_name = "NAME")]
    define: Vec<String>,

    /// Set an entry of cmdLineVars (also :NAME=VALUE); may be repeated
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = parse_variable)]
    variables: Vec<(String, String)>,

    /// Search imported files here after the importing file's folder and the working directory; may be repeated
    #[arg(short = 'L', long, value_name = "DIR")]
    lib_dir: Vec<PathBuf>,

    /// The instruction set until the first .cpu
    #[arg(long, value_name = "NAME", value_parser = cpus::parser(Cpu::assembled()), default_value = Cpu::default().name())]
    cpu: Cpu,

    /// Write the program without its load address
    #[arg(long, conflicts_with = "block_files", help_heading = "What to write")]
    bin: bool,

    /// Write one program file per memory block
    #[arg(long, help_heading = "What to write")]
    block_files: bool,

    /// Write the symbols as importable source [default file: the program's with .sym]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, help_heading = "What to write")]
    symbols: Option<Option<PathBuf>>,

    /// Write labels, break and watch points for VICE [default file: the program's with .vs]
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, help_heading = "What to write")]
    vice_symbols: Option<Option<PathBuf>>,

    /// Write every statement with its address and bytes [default file: ByteDump.txt in the output directory]
    #[arg(
        long, value_name = "FILE", num_args = 0..=1, require_equals = true, help_heading = "What to write"
    )]
    byte_dump: Option<Option<PathBuf>>,

    /// Write the C64 debugger's file beside each program (.dbg)
    #[arg(long, help_heading = "What to write")]
    debug_dump: bool,

    /// Print the memory map
    #[arg(long, help_heading = "What to write")]
    memory_map: bool,

    /// Check only: assemble, report, write nothing
    #[arg(long, help_heading = "What to write")]
    check: bool,

    /// Let blocks of a segment overlap; the later one wins
    #[arg(long, help_heading = "How strict to be")]
    allow_overlap: bool,

    /// Let the source write files outside of the output directory
    #[arg(long, help_heading = "How strict to be")]
    allow_outside: bool,

    /// Report a failed .assert and succeed all the same, as Kick Assembler does
    #[arg(long, help_heading = "How strict to be")]
    keep_going_on_assert: bool,

    /// Turn a warning on, or a group: style (W0301, W0303, W0308), all. May be repeated; those of style are off without it
    #[arg(short = 'W', long = "warn", value_name = "CODE", value_parser = parse_codes, help_heading = "How strict to be")]
    warn: Vec<Codes>,

    /// Turn a warning (or style, or all) off; may be repeated. In the source: // tempo: allow(CODE)
    #[arg(short = 'A', long = "allow", value_name = "CODE", value_parser = parse_codes, help_heading = "How strict to be")]
    allow: Vec<Codes>,

    /// Make a warning (or all) an error; may be repeated
    #[arg(long, value_name = "CODE", value_parser = parse_codes, help_heading = "How strict to be")]
    deny: Vec<Codes>,

    /// Treat all warnings as errors, as --deny all does
    #[arg(long, help_heading = "How strict to be")]
    warnings_as_errors: bool,

    /// Stop after this many errors
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "How strict to be")]
    max_errors: usize,

    /// Maximum iterations of one .for or .while
    #[arg(long, value_name = "N", default_value_t = 10_000_000, help_heading = "How strict to be")]
    max_loop: u64,

    /// How deep macros and functions may call each other
    #[arg(long, value_name = "N", help_heading = "How strict to be")]
    max_depth: Option<u32>,

    /// Set another limit of what a source may ask for; may be repeated. Sizes end in K, M or G
    ///
    /// The limits: passes over the source, loop (as --max-loop), depth (as --max-depth), imports in each other, output
    /// bytes, value (elements of a list, characters of a string), memory of all values, moved bytes of values, source
    /// bytes, errors.
    #[arg(long = "limit", value_name = "NAME=N", value_parser = tempo_kickass::limit, help_heading = "How strict to be")]
    limits: Vec<(String, u64)>,

    /// The form of errors and warnings
    #[arg(long, value_name = "FORM", value_enum, default_value_t, help_heading = "Messages")]
    message_format: MessageFormat,

    /// Print nothing on success: no warnings, no lines of .print
    #[arg(short, long, help_heading = "Messages")]
    quiet: bool,

    /// A word of Kick Assembler's command line; [`tempo_kickass::hide_words`] puts them here.
    #[arg(long, hide = true, allow_hyphen_values = true)]
    kick: Vec<String>,
}

const AFTER_HELP: &str = "\
Examples:
  tempo asm game.asm                         writes game.prg beside the source
  tempo asm game.asm -o build/game.prg --symbols --vice-symbols
  tempo asm main.asm -D DEBUG --var level=3 -L lib
  tempo asm game.asm --memory-map --check    print the memory map, write nothing
  tempo asm game.asm --message-format short  for the error list of an editor
  tempo asm game.asm -W style --deny W0102   also name unused labels; data that does not fit is an error

Every option of Kick Assembler is understood in its own spelling too, in any case, with the same meaning and the
same files in the same places:
  tempo asm game.asm -symbolfile -vicesymbols -odir ../bin -libdir lib -define DEBUG :level=3
Linked to or copied as `kickass`, the program takes only those and answers in the form editors expect of it.

On success one line is printed: the file, its bytes, the addresses it fills, the time it took.

Exit codes: 0 assembled; 1 the source has errors (nothing is written); 2 the command could not run.";

/// Warnings named on the command line.
type Codes = tempo_kickass::Warnings;

fn parse_codes(text: &str) -> Result<Codes, String> {
    tempo_kickass::warnings(text).map_err(|err| format!("{err}; {}", crate::project::LIST_OF_CODES))
}

pub fn parse_variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".into()),
    }
}

/// Whether the program was started under the name `kickass`: a link or copy takes the place of Kick Assembler.
pub fn is_kickass(words: &[OsString]) -> bool {
    let name = words.first().and_then(|name| Path::new(name).file_stem());
    name.is_some_and(|name| name.eq_ignore_ascii_case("kickass"))
}

/// Runs as `kickass`.
pub fn kickass(words: &[OsString]) -> Exit {
    if let Some(word) = words.iter().find(|word| word.to_str().is_none()) {
        complain(format_args!("'{}' is not UTF-8, which names are for kickass", word.display()));
        return Exit::Failed;
    }
    let program = std::env::current_exe().ok();
    let command = CommandLine {
        folder: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
        words: words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect(),
        config: program.and_then(|path| Some(path.parent()?.join("KickAss.cfg"))),
    };
    match tempo_kickass::run(&command, &mut Process::start()) {
        Ended::Fine => Exit::Fine,
        Ended::Failed => Exit::Failed,
    }
}

/// Hides Kick Assembler's words in `tempo asm …` from clap.
pub fn hide_kick_words(words: Vec<OsString>) -> Vec<OsString> {
    tempo_kickass::hide_words(words)
}

pub fn run(args: Args) -> Exit {
    let mut denied: Vec<Code> = args.deny.iter().flat_map(|codes| codes.0.clone()).collect();
    if args.warnings_as_errors {
        denied.extend(tempo_kickass::Warnings::all().0);
    }
    let (format, quiet) = (args.message_format, args.quiet);
    let job = match job_from(args) {
        Ok(job) => job,
        Err(problem) => return complain(problem),
    };
    allow_typed(&job);
    if let Err(problem) = check_source(&job) {
        return complain(problem);
    }
    let folder = job.folder.clone();
    let says = if quiet { Says::Errors } else { Says::Everything };
    let done = match build(Build { job: &job, denied: &denied, folder: &folder, format, says, files: &Disk })
    {
        Ok(done) => done,
        Err(exit) => return exit,
    };
    match Execution::of(&job, &done.places.main) {
        Some(execution) => match Process::start().execute(&execution) {
            Ok(()) => Exit::Fine,
            Err(error) => complain(execution.problem(&error)),
        },
        None => Exit::Fine,
    }
}

/// The message of a build that succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// Warnings, lines of `.print`, and what was written.
    Everything,
    /// Warnings and lines of `.print`: another answer follows.
    Remarks,
    /// Nothing.
    Errors,
}

/// An assembly, and how its messages are shown.
pub struct Build<'a> {
    pub job: &'a Job,
    /// Warnings that are errors.
    pub denied: &'a [Code],
    /// The folder that shown paths are relative to.
    pub folder: &'a Path,
    pub format: MessageFormat,
    pub says: Says,
    pub files: &'a dyn FileSystem,
}

/// Assembles a source that is there, says what there is to say, and writes everything or nothing.
pub fn build(build: Build<'_>) -> Result<Done, Exit> {
    let Build { job, denied, folder, format, says, files } = build;
    let started = Instant::now();
    let name = shown(&job.folder.join(&job.source), folder).display().to_string();
    let patience = term::stderr_is_terminal().then(|| Patience::start(name));
    let mut done = job.assemble(files);
    drop(patience);
    for diagnostic in &mut done.output.diagnostics {
        if denied.contains(&diagnostic.code) {
            diagnostic.severity = Severity::Error;
        }
    }
    let mut report = Report::new(job, &done, folder, format);
    if says != Says::Errors || report.failed() {
        report.console();
        report.diagnostics();
    }
    // As with Kick Assembler, an unknown section is no reason not to build.
    let info = done.asm_info(job, files).unwrap_or_else(|problem| {
        warn(&format!("warning: {problem}\n"));
        None
    });
    let cannot_write = |WriteError { path, error }: WriteError| {
        let name = shown(&path, folder);
        let name = if name.as_os_str().is_empty() { Path::new(".") } else { name };
        complain(format_args!("cannot write '{}': {error}", name.display()))
    };
    if report.failed() {
        if let Err(problem) = write_all(info.as_slice()) {
            return Err(cannot_write(problem));
        }
        report.failure();
        return Err(report.write_log().map_or_else(cannot_write, |()| Exit::Failed));
    }
    for line in done.merged_blocks(job).into_iter().filter(|_| says != Says::Errors) {
        report.say(&format!("{line}\n"));
    }
    let mut writes = match done.plan(job) {
        Ok(writes) => writes,
        Err(problem) => {
            // As for every other output that is an input.
            let is_over_source = matches!(problem, PlanError::OverSource(_));
            let exit = complain(problem);
            return Err(if is_over_source { exit } else { Exit::Failed });
        }
    };
    writes.extend(info);
    write_all(&writes).map_err(cannot_write)?;
    writes.retain(|write| write.kind != FileKind::AsmInfo);
    if job.show_memory_map {
        report.memory_map();
    }
    if says == Says::Everything {
        report.success(&writes, started.elapsed());
    }
    report.write_log().map_err(cannot_write)?;
    drop(report);
    Ok(done)
}

fn job_from(args: Args) -> Result<Job, String> {
    let folder = std::env::current_dir().map_err(|err| format!("the working directory is gone: {err}"))?;
    let mut job = Job::new(folder);
    // What both spellings can set comes from the modern one; words of Kick Assembler add to it.
    job.options.cpu = args.cpu;
    job.options.defines = args.define;
    job.options.variables = args.variables;
    job.options.lints = Lints::all();
    args.allow.iter().for_each(|codes| codes.turn_off(&mut job.options.lints));
    args.warn.iter().for_each(|codes| codes.turn_on(&mut job.options.lints));
    job.options.allow_overlap = args.allow_overlap;
    job.options.allow_outside_output = args.allow_outside;
    job.options.limits.errors = args.max_errors.max(1);
    job.options.limits.iterations = args.max_loop;
    if let Some(depth) = args.max_depth {
        job.options.limits.call_depth = depth;
    }
    for (name, number) in &args.limits {
        job.options.limits.set(name, *number);
    }
    job.options.asserts = if args.keep_going_on_assert { Asserts::Report } else { Asserts::Fail };
    job.library_folders = args.lib_dir;
    job.main_file = match (args.bin, args.block_files) {
        (true, true) => MainFile::BinPerBlock,
        (true, _) => MainFile::Bin,
        (_, true) => MainFile::OnePerBlock,
        _ => MainFile::Prg,
    };
    job.symbols = args.symbols.map(|path| path.map(or_stdout));
    job.vice_symbols = args.vice_symbols.map(|path| path.map(or_stdout));
    job.byte_dump = args.byte_dump.map(|path| path.map(or_stdout));
    job.debug_dump = args.debug_dump;
    job.show_memory_map = args.memory_map;
    job.write_files = !args.check;
    let found = tempo_kickass::apply(&args.kick, &mut job, &Disk).map_err(|err| err.to_string())?;
    for remark in &found.remarks {
        warn(&format!("{remark}\n"));
    }
    if let Some(word) = found.source {
        return Err(format!("unexpected argument '{}'", word.display()));
    }
    job.source = args.source.unwrap_or_default();
    job.output = args.output.map(or_stdout).or(job.output);
    if let Some(folder) = job.output.as_deref().filter(|output| names_folder(output)) {
        return Err(format!("cannot write '{}': it is a folder; name a file in it", folder.display()));
    }
    job.output_folder = args.out_dir;
    if to_stdout(&job) > 1 {
        return Err("standard output takes one file only".to_owned());
    }
    Ok(job)
}

/// With `--confine`: the folder of the source that the user typed, and library folders.
fn allow_typed(job: &Job) {
    files::allow(job.folder.join(&job.source).parent().unwrap_or(Path::new("")));
    job.library_folders.iter().for_each(|folder| files::allow(&job.folder.join(folder)));
    job.replacements.iter().for_each(|(_, file)| files::allow(&job.folder.join(file)));
}

/// A file, or standard output for `-`.
fn or_stdout(path: PathBuf) -> PathBuf {
    if is_stdout(&path) { PathBuf::from(STDOUT) } else { path }
}

/// How many outputs go to standard output.
fn to_stdout(job: &Job) -> usize {
    let paths = job.output.iter();
    let paths =
        paths.chain([&job.symbols, &job.vice_symbols, &job.byte_dump].into_iter().flatten().flatten());
    paths.filter(|path| is_stdout(path)).count()
}

/// A missing or unreadable source is a fault of the command line, not of the program.
pub fn check_source(job: &Job) -> Result<(), String> {
    let path = job.folder.join(&job.source);
    let name = job.source.display();
    match files::open(&path) {
        Ok(_) => Ok(()),
        Err(err) if err.kind() == std::io::ErrorKind::IsADirectory => {
            Err(format!("'{name}' is a folder; name the source file in it"))
        }
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => {
            Err(format!("{}{}", NoSource(job.source.clone()), similar(&path)))
        }
        Err(err) => Err(format!("cannot read '{name}': {err}")),
    }
}

/// Other sources in the folder, when there are few.
fn similar(path: &Path) -> String {
    let Some(entries) = path.parent().and_then(|folder| std::fs::read_dir(folder).ok()) else {
        return String::new();
    };
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".asm") || name.ends_with(".s") || name.ends_with(".a"))
        .take(6)
        .collect();
    names.sort();
    match names.len() {
        1..=5 => format!(" Its folder has {}.", names.join(", ")),
        _ => String::new(),
    }
}

/// Says on a terminal that the work goes on, when it takes longer than a second.
struct Patience {
    stop: Option<std::sync::mpsc::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Patience {
    fn start(name: String) -> Patience {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            let began = Instant::now();
            let mut shown = false;
            while stopped.recv_timeout(Duration::from_secs(1))
                == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                shown = true;
                warn(&format!("\r\x1b[Kassembling {name} … {} s", began.elapsed().as_secs()));
            }
            if shown {
                warn("\r\x1b[K");
            }
        });
        Patience { stop: Some(stop), thread: Some(thread) }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The thread ends as soon as the channel closes; a panic in it would be of no interest.
            let _ = thread.join();
        }
    }
}

/// How many warnings of a code are shown to people.
const MOST_OF_A_CODE: usize = 20;

/// The report of a run, in the requested form.
struct Report<'a> {
    job: &'a Job,
    done: &'a Done,
    /// The folder that shown paths are relative to.
    folder: &'a Path,
    format: MessageFormat,
    context: Context<'a>,
    /// An output goes to standard output, so messages do not.
    is_aside: bool,
    /// Everything said, for `-log`.
    log: RefCell<String>,
}

impl<'a> Report<'a> {
    fn new(job: &'a Job, done: &'a Done, folder: &'a Path, format: MessageFormat) -> Report<'a> {
        let context = Context {
            sources: &done.output.sources,
            folder,
            root: shown(&done.places.source, folder).to_path_buf(),
            // A log is read with other programs.
            colour: term::stderr_colour() && job.log.is_none(),
        };
        let is_aside = job.write_files && to_stdout(job) > 0;
        Report { job, done, folder, format, context, is_aside, log: RefCell::default() }
    }

    fn say(&self, text: &str) {
        // JSON has its own escapes.
        let text = if self.format == MessageFormat::Json { text.into() } else { visible(text) };
        self.log.borrow_mut().push_str(&text);
        if self.is_aside { warn(&text) } else { output::say(&text) }
    }

    fn warn(&self, text: &str) {
        self.log.borrow_mut().push_str(text);
        warn(text);
    }

    /// `-log`: a copy of the console.
    fn write_log(&self) -> Result<(), WriteError> {
        let Some(log) = &self.job.log else { return Ok(()) };
        let bytes = self.log.borrow().clone().into_bytes();
        let (path, kind, door) = (self.job.folder.join(log), FileKind::Log, Door::Typed);
        write_all(&[PlannedFile { path, bytes, kind, door }])
    }

    fn console(&self) {
        let mut text = String::new();
        let remarks = self.done.output.files.iter().flat_map(|file| &file.remarks);
        for line in self.done.output.console.iter().chain(remarks) {
            match self.format {
                MessageFormat::Json => text.push_str(&json!({"type": "print", "text": line}).to_string()),
                _ => text.push_str(line),
            }
            text.push('\n');
        }
        self.say(&text);
    }

    fn diagnostics(&mut self) {
        // People read the first of many; programs get all.
        let most = if self.format == MessageFormat::Human { MOST_OF_A_CODE } else { usize::MAX };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for diagnostic in &self.done.output.diagnostics {
            if diagnostic.severity == Severity::Warning {
                let count = counts.entry(diagnostic.code.as_str()).or_default();
                *count += 1;
                if *count > most {
                    continue;
                }
            }
            match self.format {
                MessageFormat::Human => self.warn(&self.context.human(diagnostic)),
                MessageFormat::Short => self.warn(&self.context.short(diagnostic)),
                MessageFormat::Json => self.say(&format!("{}\n", self.context.json(diagnostic))),
            }
        }
        for (code, count) in counts {
            if let Some(more) = count.checked_sub(most).filter(|&more| more > 0) {
                let warnings = plural(more, "more warning");
                self.warn(&format!(
                    "{code}: {warnings}; --message-format short shows all of them, -A {code} none\n"
                ));
            }
        }
    }

    /// Why a program that has code makes no file: its segments go nowhere.
    fn lost_segments(&self) -> Option<String> {
        let has_bytes = |segment: &&Segment| {
            segment.blocks.iter().any(|block| !block.is_virtual && !block.bytes.is_empty())
        };
        let lost: Vec<_> = self.done.output.program.segments.iter().filter(has_bytes).collect();
        let first = lost.first()?;
        let others = match lost.len() - 1 {
            0 => String::new(),
            count => format!(" and {}", plural(count, "other")),
        };
        Some(format!(
            "note: nothing is written: the code is in segment '{0}'{others}, and no file is made of it\n\
             help: .segmentdef {0} [outPrg=\"{1}.prg\"], or .file [name=\"{1}.prg\", segments=\"{0}\"]\n",
            first.name,
            first.name.to_lowercase(),
        ))
    }

    fn count(&self) -> (usize, usize) {
        let all = &self.done.output.diagnostics;
        let errors = all.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
        (errors, all.len() - errors)
    }

    fn failed(&self) -> bool {
        self.count().0 > 0
    }

    fn failure(&self) {
        let (errors, warnings) = self.count();
        match self.format {
            MessageFormat::Json => self.say(&format!(
                "{}\n",
                json!({"type": "result", "ok": false, "errors": errors, "warnings": warnings})
            )),
            MessageFormat::Human => {
                let warnings = if warnings > 0 {
                    format!(" and {}", plural(warnings, "warning"))
                } else {
                    String::new()
                };
                let root = self.root();
                self.warn(&format!(
                    "{}: {}{warnings}, nothing written\n",
                    visible(&root),
                    plural(errors, "error")
                ));
            }
            MessageFormat::Short => {}
        }
    }

    fn memory_map(&self) {
        let map = memmap::write(&self.done.output.program);
        match self.format {
            MessageFormat::Json => self.say(&format!("{}\n", json!({"type": "memory-map", "text": map}))),
            _ => self.say(&map),
        }
    }

    /// One line: bytes, range, time.
    fn success(&self, writes: &[PlannedFile], elapsed: Duration) {
        let output = &self.done.output;
        let image = output.image.as_ref();
        let range = image.filter(|image| !image.bytes.is_empty()).map(|image| {
            let end = image.start + image.bytes.len() as i64 - 1;
            format!("${:04X}-${end:04X}", image.start)
        });
        let total: usize = match image {
            Some(image) => image.bytes.len(),
            None => output.files.iter().map(|file| file.bytes.len()).sum(),
        };
        if self.format == MessageFormat::Json {
            let files: Vec<_> = writes.iter().map(|write| shown(&write.path, self.folder)).collect();
            let value = json!({
                "type": "result", "ok": true, "errors": 0, "warnings": self.count().1,
                "bytes": total, "start": image.map(|image| image.start), "files": files,
                "passes": output.stats.passes, "lines": output.stats.lines,
                "seconds": elapsed.as_secs_f64(),
            });
            self.say(&format!("{value}\n"));
            return;
        }
        let name = match (writes, image) {
            ([], _) => self.root(),
            (_, Some(_)) if matches!(self.job.main_file, MainFile::Prg | MainFile::Bin) => {
                shown(&self.done.places.main, self.folder).display().to_string()
            }
            (writes, _) => plural(writes.len(), "file"),
        };
        let range = range.map(|range| format!(", {range}")).unwrap_or_default();
        self.say(&format!("{name}: {}{range}, {}\n", plural(total, "byte"), duration(elapsed)));
        if total == 0
            && self.format == MessageFormat::Human
            && let Some(note) = self.lost_segments()
        {
            self.warn(&visible(&note));
        }
    }

    fn root(&self) -> String {
        self.context.root.display().to_string()
    }
}

fn duration(elapsed: Duration) -> String {
    match elapsed.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}
