//! `tempo studio` and `tempo run --web`: a program of the user in the browser. Assembles it whenever a source changes and
//! serves the page, the program, its names and its lines; the machine runs in the page. The server is that of `tempo play`.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use clap::Parser;
use serde_json::{Value, json};
use tempo_editor::page;
use tempo_emu::System;
use tempo_game_commands::site::{self, File, Site};
use tempo_host::{Exit, files, output};
use tempo_kickass::{EntryKind, FileSystem};
use tempo_machine_commands::run::{self, source};
use tempo_rig::file::{self as recording, About, Kind, SourceSet};
use tempo_source_commands::asm::host::Noted;
use tempo_source_commands::project::{Project, SourceFlags};
use tempo_source_commands::systems;
use tempo_source_commands::watch::{Seen, Watcher};

use crate::cmd::test::recordings::Names;

/// Run a program in the browser, with its past, its raster time and its source
///
/// Serves a page on this computer alone (127.0.0.1) in which a C64 runs the program: of the project, or any .asm, .prg,
/// .d64 or .crt. When a source is saved the program is assembled again and started; errors appear over the picture, and the old
/// program goes on. In the page: drag the timeline to go back, click a pixel to see what drew it and which line of the
/// source wrote its bytes, and open the raster view to see where the time of a frame goes. Ctrl-C here ends the server.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo studio                      the program of the project
  tempo studio --open               the same, and the browser is started
  tempo studio demo.asm --system c64-ntsc
  tempo studio game.d64 --port 6510
  tempo run --web game.prg          the same as tempo studio game.prg

Exit codes: 0 ended, 2 the page could not be served.")]
pub struct Args {
    /// A source, a .prg, a disk or tape image, or a .crt [default: the project's program]
    pub file: Option<PathBuf>,

    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,

    /// Start the browser
    #[arg(long)]
    pub open: bool,

    /// The machine: a whole computer [default: the project's, else c64]
    #[arg(long, value_name = "SYSTEM", value_parser = systems::parser(), hide_possible_values = true)]
    pub system: Option<System>,

    #[command(flatten)]
    pub source: SourceFlags,
}

/// The largest program, and the largest disk with a byte of error information per sector.
const LIMIT: u64 = 200_000;
/// How often files are looked at, and how long a save takes to settle.
const POLL: Duration = Duration::from_millis(60);
const SETTLE: Duration = Duration::from_millis(15);
/// How long the page waits for news.
const WAIT: Duration = Duration::from_secs(20);
/// Requests that wait at a time: a page has one. More get an answer at once, so that their threads end.
const MOST_WAITING: usize = 32;

/// The files served besides the page itself.
#[derive(Default)]
struct Latest {
    version: u64,
    /// The last program without errors.
    program: Arc<[u8]>,
    /// All that is known about it, as JSON.
    about: Value,
    /// Its sources, as a recording without a course: the page adds what happened.
    sources: Arc<[u8]>,
}

/// The result of a build.
#[derive(Default)]
struct Built {
    /// The program; `None` after errors.
    program: Option<Vec<u8>>,
    about: Value,
    sources: Vec<u8>,
}

struct Studio {
    files: Vec<File>,
    latest: Mutex<Latest>,
    news: Condvar,
    /// Requests that wait for news.
    waiting: AtomicUsize,
}

impl Studio {
    fn lock(&self) -> std::sync::MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A new state of the program; without bytes the old ones stay.
    fn publish(&self, built: Built) {
        let Built { program, mut about, sources } = built;
        let mut latest = self.lock();
        latest.version += 1;
        if let Some(program) = program {
            latest.program = program.into();
            latest.sources = sources.into();
        } else if let (Some(old), Some(new)) = (latest.about.as_object(), about.as_object_mut()) {
            // The old program goes on, with its names and lines.
            for key in ["symbols", "lines", "files", "media", "program"] {
                if let Some(value) = old.get(key) {
                    new.insert(key.to_string(), value.clone());
                }
            }
        }
        about["version"] = latest.version.into();
        let systems = System::ALL.into_iter().filter(|system| system.is_whole()).map(System::name);
        about["systems"] = systems.collect();
        latest.about = about;
        self.news.notify_all();
    }
}

/// How long a request waits for news beside others.
fn patience(others: usize) -> Duration {
    if others < MOST_WAITING { WAIT } else { Duration::ZERO }
}

impl Site for Studio {
    /// The panel of the VS Code extension; all frames around it count.
    fn frames(&self) -> &'static str {
        "vscode-webview: vscode-file:"
    }

    fn find(&self, path: &str, query: &str) -> Option<File> {
        let json = |value: &Value| File {
            path: "/about.json",
            kind: "application/json; charset=utf-8",
            bytes: value.to_string().into_bytes().into(),
        };
        match path {
            // Waits until there is something newer than the page knows.
            "/about.json" => {
                let known = query.strip_prefix("after=").and_then(|text| text.parse().ok()).unwrap_or(0);
                let wait = patience(self.waiting.fetch_add(1, Ordering::Relaxed));
                let latest = self.lock();
                let waited = self.news.wait_timeout_while(latest, wait, |latest| latest.version <= known);
                let (latest, _) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                Some(if latest.version <= known {
                    json(&json!({ "version": known }))
                } else {
                    json(&latest.about)
                })
            }
            "/program" => {
                let bytes = self.lock().program.clone();
                Some(File { path: "/program", kind: "application/octet-stream", bytes })
            }
            "/sources.tempo" => {
                let bytes = self.lock().sources.clone();
                Some(File { path: "/sources.tempo", kind: "application/octet-stream", bytes })
            }
            _ => self.files.iter().find(|file| file.path == path).cloned(),
        }
    }
}

macro_rules! page_file {
    ($path:literal, $kind:literal, $name:literal) => {
        File {
            path: $path,
            kind: concat!($kind, "; charset=utf-8"),
            bytes: include_bytes!(concat!("../../../machine/web/studio/", $name))[..].into(),
        }
    };
}

/// `tempo run`, which runs in the browser with `--web`.
pub fn run_program(args: run::Args) -> Exit {
    if !args.web {
        return run::run(args);
    }
    let run::Args { file, port, open, system, source, .. } = args;
    run(Args { file, port, open, system, source })
}

pub fn run(args: Args) -> Exit {
    let Some(machine) = site::machine() else { return output::complain(site::MISSING) };
    let files = vec![
        page_file!("/", "text/html", "studio.html"),
        page_file!("/studio.css", "text/css", "studio.css"),
        page_file!("/studio.js", "text/javascript", "studio.js"),
        page_file!("/views.js", "text/javascript", "views.js"),
        page_file!("/gif.js", "text/javascript", "gif.js"),
        page_file!("/sound.js", "text/javascript", "sound.js"),
        File { path: "/tempo.wasm", kind: "application/wasm", bytes: machine.into() },
    ];
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)) {
        Ok(listener) => listener,
        Err(err) => {
            return output::complain(format_args!(
                "cannot listen on port {}: {err}\n   = help: leave --port out, and a free one is taken",
                args.port
            ));
        }
    };
    let port = match listener.local_addr() {
        Ok(addr) => addr.port(),
        Err(err) => return output::complain(format_args!("cannot tell which port is open: {err}")),
    };
    if let Some(file) = args.file.as_deref().filter(|file| !file.exists()) {
        return output::complain(format_args!("there is no file {}", file.display()));
    }
    let studio =
        Studio { files, latest: Mutex::default(), news: Condvar::new(), waiting: AtomicUsize::new(0) };
    let address = format!("http://127.0.0.1:{port}/");
    output::say(&format!("Tempo Studio is at {address}\nCtrl-C ends it.\n"));
    if args.open && !site::open_browser(&address) {
        output::say("No browser could be started; open the address yourself.\n");
    }
    thread::scope(|scope| {
        scope.spawn(|| keep_built(&args, &studio));
        site::serve(&listener, port, &studio);
    });
    Exit::Fine
}

/// Builds the program, and again whenever a file that it was made of changes.
fn keep_built(args: &Args, studio: &Studio) {
    loop {
        files::forget();
        let seen = Seen::default();
        studio.publish(build(args, &seen));
        let watcher = Watcher::new(&seen);
        while !watcher.has_changed_by_now() {
            thread::sleep(POLL);
        }
        thread::sleep(SETTLE);
    }
}

/// An error without a place in a source.
fn fault(message: &str) -> Built {
    Built { about: json!({ "errors": [{ "message": message }] }), ..Built::default() }
}

/// Sources of a recording from the page are at most this large; a program with more is recorded without them.
const MOST_SOURCES: usize = 8 << 20;

/// The file system, with a copy of everything that was read.
struct Kept<'a> {
    disk: Noted<'a>,
    files: Mutex<BTreeMap<PathBuf, Vec<u8>>>,
}

impl FileSystem for Kept<'_> {
    fn kind(&self, path: &Path) -> Option<EntryKind> {
        self.disk.kind(path)
    }

    fn read(&self, path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
        let bytes = self.disk.read(path, limit)?;
        let mut files = self.files.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        files.insert(path.to_path_buf(), bytes.clone());
        Ok(bytes)
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        self.disk.resolve(path)
    }
}

impl Kept<'_> {
    /// A recording of a program that has not run yet.
    fn recording(self, project: &Project, main: &Path) -> Vec<u8> {
        let files = self.files.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let names = Names::new(project);
        let name = |path: &Path| names.of(&path.to_string_lossy());
        let is_small = files.values().map(Vec::len).sum::<usize>() <= MOST_SOURCES;
        let files = files.into_iter().filter(|_| is_small);
        let sources =
            SourceSet { files: files.map(|(path, bytes)| (name(&path), bytes)).collect(), asks: Vec::new() };
        let about = About {
            tempo: env!("CARGO_PKG_VERSION").to_string(),
            kind: Kind::Session,
            program: if is_small { name(main) } else { String::new() },
            defines: project.defines(),
            vars: project.vars(),
            ..About::default()
        };
        recording::write(&about, None, &sources, None)
    }
}

fn build(args: &Args, seen: &Seen) -> Built {
    tempo_source_commands::project::note(args.source.project.as_deref(), seen);
    let Ok(project) = args.source.project() else {
        return fault("tempo.toml has errors; the terminal shows them");
    };
    let system = args.system.unwrap_or_else(|| match project.system() {
        system if project.is_there() && system.is_whole() => system,
        _ => System::C64Pal,
    });
    let number = System::ALL.into_iter().filter(|system| system.is_whole()).position(|known| known == system);
    let Some(number) = number else {
        return fault(&format!("{} has no picture; choose a whole computer with --system", system.name()));
    };
    if let Some(file) = args.file.as_deref().filter(|file| !source::is_source(file)) {
        seen.note(file);
        let shown = file.display().to_string();
        let is_disk = file.extension().is_some_and(|found| found.eq_ignore_ascii_case("d64"));
        let (media, read) = match (is_disk, source::is_cartridge(file)) {
            // Whole, so that the program can load the other files on it.
            (true, _) => {
                (1, files::read_limited(file, LIMIT).map_err(|err| format!("cannot read {shown}: {err}")))
            }
            (_, true) => (2, tempo_source_commands::crt::read(file).map(|image| image.write())),
            _ => (0, source::read(file, None, LIMIT)),
        };
        return match read {
            Ok(bytes) => {
                let about = json!({
                    "program": shown, "media": media, "system": number, "errors": [],
                    "symbols": [], "lines": [], "files": [],
                });
                let sources = About {
                    tempo: env!("CARGO_PKG_VERSION").to_string(),
                    kind: Kind::Session,
                    ..About::default()
                };
                let sources = recording::write(&sources, None, &SourceSet::default(), None);
                Built { program: Some(bytes), about, sources }
            }
            Err(message) => fault(&message),
        };
    }
    let (job, main) = match &args.file {
        Some(file) => {
            files::allow(file.parent().unwrap_or(Path::new("")));
            (project.job_of(file), file.clone())
        }
        None => (project.job(), project.main()),
    };
    seen.note(&job.folder.join(&job.source));
    let mut job = job;
    (job.write_files, job.keep_symbols, job.keep_lines) = (false, true, true);
    let kept = Kept { disk: Noted(seen), files: Mutex::default() };
    let output = job.assemble(&kept).output;
    let errors = page::errors(&output);
    let shown = main.display().to_string();
    if output.has_errors() {
        let about = json!({ "program": shown, "media": 0, "system": number, "errors": errors });
        return Built { about, ..Built::default() };
    }
    let Some(prg) = output.prg() else {
        return fault(&format!("{shown}: the source makes no bytes"));
    };
    let mut about = page::about(&output);
    about["program"] = shown.into();
    about["media"] = 0.into();
    about["system"] = number.into();
    about["errors"] = errors;
    Built { program: Some(prg), about, sources: kept.recording(&project, &main) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As when a page of another site opens and drops connections: each would hold a thread until there is news.
    #[test]
    fn a_crowd_does_not_wait() {
        assert_eq!((patience(0), patience(MOST_WAITING - 1)), (WAIT, WAIT));
        assert_eq!(patience(MOST_WAITING), Duration::ZERO);
        let studio = Studio {
            files: Vec::new(),
            latest: Mutex::default(),
            news: Condvar::new(),
            waiting: AtomicUsize::new(MOST_WAITING),
        };
        let found = studio.find("/about.json", "after=7").expect("an answer");
        assert_eq!(&*found.bytes, br#"{"version":7}"#);
        assert_eq!(studio.waiting.load(Ordering::Relaxed), MOST_WAITING);
    }
}
