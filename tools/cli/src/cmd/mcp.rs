//! `tempo mcp`: the server for coding agents on standard input and output. The library `mcp` knows the protocol and the
//! tools; here are lines, threads, the clock and the files of the project.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use clap::Parser;
use tempo_assembler::{FileError, Loaded};
use tempo_diagnostics::Renderer;
use tempo_host::{Exit, files, output};
use tempo_kickass::{EntryKind, FileSystem, PlannedFile};
use tempo_machine_commands::suite_files as disk;
use tempo_mcp::{Call, Host, Lane, MOST_MESSAGE, Request, Server, Step, Token};
use tempo_source_commands::asm::host as asm_host;
use tempo_source_commands::project::{self, Project};

use super::test::suites_of;

/// Serve coding agents over the Model Context Protocol
///
/// Agents build, test, run, measure, prove and debug with it. It speaks the protocol on standard input and output, one
/// message a line, in all versions to 2026-07-28. Everything is read below the project's root, nothing is started, no
/// connection is made, and only `build` writes: into the output folder of the project.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo mcp                      what a client starts, in the folder of the project
  tempo mcp --root ~/game        the same from anywhere
  tempo mcp --read-only          builds are checked and nothing is written
  tempo init --agents            writes an AGENTS.md that says how to use it

The root is the folder of the tempo.toml around the working directory, or that directory. docs/hub.md has settings for \
clients.

A call has 10 seconds and 10^9 cycles, an answer 8 KB of text; four calls run at once, and four debugged machines are kept.

Exit codes: 0 the client has left, 2 the folder cannot be served.")]
pub struct Args {
    /// Serve this folder
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Write no files: `build` assembles and reports only
    #[arg(long)]
    read_only: bool,
}

/// Calls that run at once.
const WORKERS: usize = 4;
/// Threads in all: calls that do not end keep theirs.
const MOST_WORKERS: usize = 16;
/// Time of a call.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time after that until it is answered for.
const GRACE: Duration = Duration::from_secs(2);
/// Time for calls to end after the client has gone.
const FAREWELL: Duration = Duration::from_millis(800);

pub fn run(args: Args) -> Exit {
    let root = match args.root {
        Some(root) => root,
        None => project::root_here(),
    };
    let root = if root.as_os_str().is_empty() { PathBuf::from(".") } else { root };
    let real = match root.canonicalize().and_then(|real| std::env::set_current_dir(&real).map(|()| real)) {
        Ok(real) => real,
        Err(err) => return output::complain(format_args!("cannot serve {}: {err}", root.display())),
    };
    files::confine();
    files::allow(&real);
    let place = Place { root: real.to_string_lossy().into_owned(), may_write: !args.read_only };
    let server = Server::new(Box::new(place), env!("CARGO_PKG_VERSION"));
    let desk = Arc::new(Desk { server, queue: Mutex::default(), changed: Condvar::new() });
    for _ in 0..WORKERS {
        start_worker(&desk);
    }
    let watched = desk.clone();
    std::thread::spawn(move || watched.watch());
    let mut input = BufReader::new(io::stdin().lock());
    loop {
        match next_line(&mut input) {
            Ok(Some(Ok(line))) => match desk.server.receive(&line) {
                Step::Nothing => {}
                Step::Reply(answer) => send(&answer),
                Step::Call(call) => desk.add(call),
            },
            Ok(Some(Err(TooLong))) => send(&Server::too_long()),
            Ok(None) | Err(_) => break,
        }
        if output::has_failed() {
            break;
        }
    }
    desk.finish();
    Exit::Fine
}

/// A line that is longer than a message may be; its bytes are dropped.
struct TooLong;

/// The next line; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, TooLong>>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(MOST_MESSAGE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() > MOST_MESSAGE {
        loop {
            let rest = input.fill_buf()?;
            let (count, is_over) = match rest.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (rest.len(), rest.is_empty()),
            };
            input.consume(count);
            if is_over {
                return Ok(Some(Err(TooLong)));
            }
        }
    }
    Ok(Some(Ok(String::from_utf8_lossy(&bytes).into_owned())))
}

/// Writes a message, whole.
fn send(line: &str) {
    let mut out = io::stdout().lock();
    let written = out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush());
    if let Err(err) = written {
        output::failed(err);
    }
}

/// The server with its calls.
struct Desk {
    server: Server,
    queue: Mutex<Queue>,
    /// Something was added, or has ended.
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// In the order of their arrival.
    waiting: VecDeque<Call>,
    running: Vec<Running>,
    next: u64,
    workers: usize,
}

/// A call on a thread.
struct Running {
    number: u64,
    lane: Lane,
    since: Instant,
    token: Arc<Token>,
    request: Request,
}

fn start_worker(desk: &Arc<Desk>) {
    desk.locked().workers += 1;
    let desk = desk.clone();
    // A source nests as deep as it likes; the assembler takes a larger stack by itself.
    std::thread::spawn(move || desk.work());
}

impl Queue {
    /// The first call that may run now. A call that must be alone waits for all before it, and all after it wait for it.
    fn take(&mut self) -> Option<Call> {
        if self.running.len() >= WORKERS || self.running.iter().any(|running| running.lane == Lane::Alone) {
            return None;
        }
        let mut has_debugger = self.running.iter().any(|running| running.lane == Lane::Debugger);
        for (at, call) in self.waiting.iter().enumerate() {
            match call.lane() {
                Lane::Alone if at == 0 && self.running.is_empty() => return self.waiting.remove(at),
                Lane::Alone => return None,
                Lane::Debugger if has_debugger => {}
                Lane::Debugger | Lane::Free => return self.waiting.remove(at),
            }
            has_debugger |= call.lane() == Lane::Debugger;
        }
        None
    }
}

impl Desk {
    fn locked(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn add(&self, call: Call) {
        self.locked().waiting.push_back(call);
        self.changed.notify_all();
    }

    /// One call after the other, for ever.
    fn work(&self) {
        loop {
            let (number, call) = {
                let mut queue = self.locked();
                loop {
                    if let Some(call) = queue.take() {
                        queue.next += 1;
                        let number = queue.next;
                        let (token, request) = (call.token.clone(), call.request());
                        let lane = call.lane();
                        queue.running.push(Running { number, lane, since: Instant::now(), token, request });
                        break (number, call);
                    }
                    queue = self.changed.wait(queue).unwrap_or_else(|poisoned| poisoned.into_inner());
                }
            };
            // A call that was taken back while it waited is not begun.
            let answer = match call.token.is_cancelled() {
                true => None,
                false => self.server.run(&call, &|line: String| send(&line)),
            };
            answer.iter().for_each(|line| send(line));
            let mut queue = self.locked();
            let known = queue.running.len();
            queue.running.retain(|running| running.number != number);
            let was_given_up = queue.running.len() == known;
            if was_given_up {
                // Another thread took this one's place.
                queue.workers -= 1;
            }
            drop(queue);
            self.changed.notify_all();
            if was_given_up {
                return;
            }
        }
    }

    /// Ends calls whose time is up, and answers for those that do not end.
    fn watch(self: Arc<Desk>) {
        loop {
            let mut given_up = Vec::new();
            {
                let queue = self.locked();
                let wait = if queue.running.is_empty() { PATIENCE } else { GRACE / 8 };
                let waited = self.changed.wait_timeout(queue, wait);
                let (mut queue, _) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
                for running in &queue.running {
                    if running.since.elapsed() >= PATIENCE {
                        running.token.expire();
                    }
                }
                let has_room = queue.workers < MOST_WORKERS;
                queue.running.retain(|running| {
                    let is_stuck = running.since.elapsed() >= PATIENCE + GRACE;
                    if is_stuck && has_room {
                        given_up.push((running.request.clone(), running.token.clone()));
                    }
                    !(is_stuck && has_room)
                });
            }
            for (request, token) in given_up {
                self.server.give_up(&request, &token).iter().for_each(|line| send(line));
                start_worker(&self);
                self.changed.notify_all();
            }
        }
    }

    /// The client has gone: what it asked for may still be answered for a moment.
    fn finish(&self) {
        let end = Instant::now() + FAREWELL;
        let mut queue = self.locked();
        while !(queue.running.is_empty() && queue.waiting.is_empty()) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || output::has_failed() {
                break;
            }
            let waited = self.changed.wait_timeout(queue, left);
            queue = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        }
        drop(queue);
        self.server.cancel_all();
    }
}

/// The project's folder.
struct Place {
    root: String,
    may_write: bool,
}

/// The largest file that is read.
const LIMIT: u64 = 64 << 20;
/// Entries of folders that a list of sources looks at.
const MOST_ENTRIES: usize = 20_000;

impl Host for Place {
    fn root(&self) -> &str {
        &self.root
    }

    fn project(&self) -> Result<Project, String> {
        let folder = PathBuf::from(&self.root);
        let bytes = match files::read_limited(Path::new(project::FILE), LIMIT) {
            Ok(bytes) => bytes,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Project::without_file(folder)),
            Err(err) => return Err(format!("cannot read {}: {err}", project::FILE)),
        };
        Project::read(PathBuf::new(), folder, &bytes).map_err(|(source, faults)| {
            let lines = faults.iter().take(5).map(|fault| Renderer::new(&source).short(fault));
            lines.collect::<String>().trim_end().to_owned()
        })
    }

    fn files(&self, project: &Project) -> Box<dyn tempo_assembler::Files> {
        Box::new(Sources(disk::Disk::of_program(project, None)))
    }

    fn disk(&self) -> &dyn FileSystem {
        // Nothing else runs beside a build; what earlier calls read is not an input of it.
        files::forget();
        &Inside
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        files::read_limited(Path::new(path), LIMIT).map_err(|err| self.told(path, &err))
    }

    fn suites(&self, project: &Project, path: Option<&str>) -> Result<Vec<String>, String> {
        let found = match path.map(Path::new) {
            // A folder without settings keeps its suites where it likes.
            None => match suites_of(project)? {
                none if none.is_empty() && !project.is_there() => disk::find_suites(Path::new("."))?,
                found => found,
            },
            Some(path) => {
                let real = path.canonicalize().map_err(|err| self.told(&path.to_string_lossy(), &err))?;
                files::check_words(&real).map_err(|err| self.told(&path.to_string_lossy(), &err))?;
                match real.is_dir() {
                    true => disk::find_suites(path)?,
                    false => vec![path.to_path_buf()],
                }
            }
        };
        let is_inside =
            |path: &PathBuf| path.canonicalize().is_ok_and(|real| files::check_words(&real).is_ok());
        Ok(found.into_iter().filter(is_inside).map(|path| disk::shown(&path)).collect())
    }

    fn sources(&self, most: usize) -> Vec<String> {
        let (mut found, mut seen) = (Vec::new(), 0);
        collect_sources(Path::new(""), most, &mut found, &mut seen);
        found
    }

    fn write(&self, planned: &[PlannedFile]) -> Result<(), String> {
        asm_host::write_all(planned).map_err(|problem| {
            let path = tempo_kickass::shown(&problem.path, Path::new(&self.root)).display().to_string();
            format!("cannot write {path}: {}", problem.error)
        })
    }

    fn may_write(&self) -> bool {
        self.may_write
    }
}

/// Files of the project as a build asks for them.
struct Inside;

impl FileSystem for Inside {
    fn kind(&self, path: &Path) -> Option<EntryKind> {
        asm_host::Disk.kind(path)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        asm_host::Disk.read(path, limit).map_err(|err| match err.kind() {
            io::ErrorKind::PermissionDenied => io::Error::new(err.kind(), OUTSIDE),
            _ => err,
        })
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        asm_host::Disk.resolve(path)
    }
}

/// The same as sources and suites ask for them.
struct Sources(disk::Disk);

impl tempo_assembler::Files for Sources {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        self.0.read(name, from).map_err(|err| match err {
            FileError::Unreadable(why) if why.contains("--confine") => {
                FileError::Unreadable(OUTSIDE.to_owned())
            }
            err => err,
        })
    }
}

/// Why a file of the disk is not read. The words for terminals name folders and options.
const OUTSIDE: &str = "it is outside of the project, or may not be read";

impl Place {
    /// Why a file cannot be read, in words that name nothing outside of the project.
    fn told(&self, path: &str, err: &io::Error) -> String {
        match err.kind() {
            io::ErrorKind::PermissionDenied => {
                format!("cannot read `{path}`: {OUTSIDE}. Give a path below the root")
            }
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                format!("there is no file {path}. The resource tempo://project lists the sources")
            }
            _ => format!("cannot read {path}: {err}"),
        }
    }
}

/// Sources and suites below a folder, sorted within each; links, hidden folders and build products are left out.
fn collect_sources(folder: &Path, most: usize, found: &mut Vec<String>, seen: &mut usize) {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(here) else { return };
    let mut entries: Vec<_> = entries.flatten().take(MOST_ENTRIES).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        *seen += 1;
        if found.len() >= most || *seen > MOST_ENTRIES {
            return;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = folder.join(&name);
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !name.starts_with('.') && name != "target" => {
                collect_sources(&path, most, found, seen);
            }
            Ok(kind) if kind.is_file() => {
                let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
                let is_source =
                    extension.as_deref().is_some_and(|it| matches!(it, "asm" | "6502" | "s" | "inc"));
                if is_source {
                    found.push(disk::shown(&path));
                }
            }
            _ => {}
        }
    }
}
