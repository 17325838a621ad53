//! Every command of the help, by itself, with every kind of file of the repository, with every flag and with every value
//! that the help lists. Each line runs once in a repository without traps, which shows what it writes without being told;
//! then each of these names becomes a trap. SECURITY.md is held to what is seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Trap, commands, outside, plant};
use crate::common::{Ran, Scratch};

/// Files and folders of the repository that a user could hand to a command; the last one is a new name.
const SAMPLES: &[&str] = &[
    "x.asm",
    "p.prg",
    "d.d64",
    "g.crt",
    "s.sym",
    "tests/fails.6502",
    "game.json",
    "disk",
    "vectors",
    "fresh",
];

/// Flags that let a command write outside, on purpose, that never end, or that say something about the command only.
const NOT_HERE: &[&str] = &["--allow-outside", "--watch", "--help", "--version", "--confine"];

/// Programs that a command might start. Starting one is noted.
const PROGRAMS: &[&str] =
    &["git", "x64sc", "xdg-open", "open", "sensible-browser", "firefox", "www-browser", "java", "sh", "bash"];

/// The result of all lines of one command.
#[derive(Debug, Default)]
struct Seen {
    /// Lines, with the files that each wrote below the repository without being told.
    written: BTreeMap<String, BTreeSet<String>>,
    /// Lines, with the programs that each started.
    started: BTreeMap<String, String>,
    /// Traps that no line fell into.
    traps: usize,
    lines: usize,
}

/// A folder of programs that note that they were started.
struct Fakes(tempfile::TempDir);

impl Fakes {
    fn new() -> Fakes {
        let folder = tempfile::tempdir().expect("a scratch folder");
        for name in PROGRAMS {
            let path = folder.path().join(name);
            let log = folder.path().join("log");
            let text = format!("#!/bin/sh\necho \"{name} $*\" >> '{}'\n", log.display());
            std::fs::write(&path, text).expect("a writable folder");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("our own file");
        }
        Fakes(folder)
    }

    /// The programs that were started since the last call.
    fn take(&self) -> String {
        let log = self.0.path().join("log");
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let _ = std::fs::remove_file(log);
        text
    }

    /// Runs a line for a second of CPU time and two seconds altogether: a server ends, long work is cut short.
    fn run(&self, scratch: &Scratch, line: &str) -> Ran {
        let (home, path) = (scratch.0.path().display(), self.0.path().display());
        scratch.shell(&format!(
            "cd repo && ulimit -t 1 && timeout -k 1 2 env HOME='{home}' PATH='{path}' \"$TEMPO\" {line} < moves.in"
        ))
    }
}

/// Names and contents of the repository's own files.
fn inside(scratch: &Scratch) -> BTreeMap<String, Vec<u8>> {
    let repo = scratch.path("repo");
    let mut found = BTreeMap::new();
    let mut open = vec![repo.clone()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let about = path.symlink_metadata().expect("a file");
            if about.is_dir() {
                open.push(path);
            } else if about.is_file() {
                let name = path.strip_prefix(&repo).expect("below").to_string_lossy().into_owned();
                found.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

/// Flags and options with their listed values, from the short help of a command.
fn options(help: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in help.lines() {
        let text = line.trim_start();
        if line.starts_with("  ") && text.starts_with('-') {
            blocks.push(text.to_owned());
        } else if let Some(last) = blocks.last_mut().filter(|_| line.starts_with("        ")) {
            let _ = write!(last, " {text}");
        }
    }
    let mut found = Vec::new();
    for block in blocks {
        let name = block.split_whitespace().find(|word| word.starts_with("--")).unwrap_or_default();
        let flag = name.split(['[', '=']).next().unwrap_or_default().trim_end_matches("...");
        let takes_value = block.contains(&format!("{flag} <"));
        if flag.is_empty() || NOT_HERE.contains(&flag) {
            continue;
        }
        if !takes_value {
            found.push(flag.to_owned());
        }
        let values = block.split_once("[possible values: ").and_then(|(_, rest)| rest.split_once(']'));
        for value in values.iter().flat_map(|(values, _)| values.split(", ")) {
            found.push(format!("{flag}={value}"));
        }
    }
    found
}

/// Runs a line without traps, and then with each of its outputs made a trap.
fn run_line(fakes: &Fakes, name: &str, line: &str, seen: &mut Seen) -> Ran {
    let clean = plant(Trap::None);
    let (repo, home) = (inside(&clean), outside(&clean));
    let ran = fakes.run(&clean, line);
    let unharmed = |scratch: &Scratch, before: &BTreeMap<String, String>, how: &str, ran: &Ran| {
        let now = outside(scratch);
        assert!(&now == before, "{how}: tempo {line} changed {now:#?}\n{}{}", ran.out, ran.err);
    };
    unharmed(&clean, &home, "without a trap", &ran);
    seen.lines += 1;
    let started = fakes.take();
    if !started.is_empty() {
        seen.started.insert(line.to_owned(), started);
    }
    let is_typed = |path: &str| line[name.len()..].split_whitespace().any(|word| word == path);
    let after = inside(&clean);
    let outputs: BTreeSet<String> = after
        .into_iter()
        .filter(|(path, bytes)| repo.get(path) != Some(bytes))
        .map(|(path, _)| path)
        .collect();
    let outputs: BTreeSet<String> = outputs.into_iter().filter(|path| !is_typed(path)).collect();
    if outputs.is_empty() {
        return ran;
    }
    for trap in [Trap::Link, Trap::Hard, Trap::Folder] {
        let scratch = plant(Trap::None);
        for path in &outputs {
            let place = scratch.path("repo").join(path);
            let first = path.split('/').next().unwrap_or_default();
            if trap == Trap::Folder {
                let folder = scratch.path("repo").join(first);
                if path.contains('/') && !folder.exists() && !is_typed(first) {
                    symlink("..", folder).expect("a link");
                }
                continue;
            }
            std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
            let _ = std::fs::remove_file(&place);
            let up = "../".repeat(path.matches('/').count() + 1);
            match trap {
                Trap::Link => symlink(format!("{up}.bashrc"), place),
                _ => std::fs::hard_link(scratch.path(".bashrc"), place),
            }
            .expect("a link");
        }
        let home = outside(&scratch);
        let trapped = fakes.run(&scratch, line);
        unharmed(&scratch, &home, &format!("{trap:?}"), &trapped);
        seen.traps += outputs.len();
    }
    fakes.take();
    seen.written.insert(line.to_owned(), outputs);
    ran
}

/// Runs all lines of a command.
fn run_command(fakes: &Fakes, name: &str) -> Seen {
    let mut seen = Seen::default();
    let help = Scratch::new(&[]).tempo(&format!("{name} -h")).out;
    let usage = help.lines().find(|line| line.starts_with("Usage:")).unwrap_or_default();
    let takes_files = usage.replace("[OPTIONS]", "").contains(['<', '[']);
    let samples = SAMPLES.iter().filter(|_| takes_files).map(|sample| format!("{name} {sample}"));
    let mut accepted = None;
    for line in std::iter::once(name.to_owned()).chain(samples) {
        let ran = run_line(fakes, name, &line, &mut seen);
        // A line that does something is a better base for options than one that is refused.
        if accepted.is_none() && matches!(ran.code, Some(0 | 1)) {
            accepted = Some(line);
        }
    }
    let base = accepted.unwrap_or_else(|| name.to_owned());
    for option in options(&help) {
        run_line(fakes, name, &format!("{base} {option}"), &mut seen);
    }
    seen
}

/// The rows of a table of SECURITY.md below a heading, as cells.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../SECURITY.md"))
        .expect("a page");
    let section = page.split(&format!("\n## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    let rows =
        section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with('|'));
    let cells = |row: &str| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.skip(2).map(cells).collect()
}

/// Names between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn no_command_of_the_help_falls_into_a_trap() {
    let commands: Vec<String> = commands().into_iter().collect();
    let next = AtomicUsize::new(0);
    let all = Mutex::new(BTreeMap::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let fakes = Fakes::new();
                while let Some(name) = commands.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let seen = run_command(&fakes, name);
                    all.lock().expect("no worker panics").insert(name.clone(), seen);
                }
            });
        }
    });
    let all = all.into_inner().expect("no worker panics");
    let sum = |count: fn(&Seen) -> usize| all.values().map(count).sum::<usize>();
    println!("{} lines of {} commands, {} traps", sum(|seen| seen.lines), all.len(), sum(|seen| seen.traps));
    // The sweep sees what it should see: these write without being told.
    for name in ["asm", "build", "init", "test", "fmt", "disk extract", "man"] {
        assert!(!all[name].written.is_empty(), "{name} was not seen writing: {:#?}", all[name]);
    }
    let rows = table("What each command reads and writes");
    let starts = table("What starts programs and connections");
    for (name, seen) in &all {
        let top = name.split(' ').next().unwrap_or_default();
        let row = rows.iter().find(|row| quoted(&row[0]).any(|quoted| quoted == top));
        let writes = &row.unwrap_or_else(|| panic!("SECURITY.md says nothing about {top}"))[2];
        let wrote = &seen.written;
        assert!(wrote.is_empty() || writes != "nothing", "SECURITY.md: {top} writes nothing, but {wrote:#?}");
        for (line, started) in &seen.started {
            let line: Vec<&str> = line.split_whitespace().collect();
            let is_named = starts.iter().flat_map(|row| quoted(&row[0])).any(|code| {
                let mut words = code.split_whitespace().filter(|word| *word != "tempo").peekable();
                words.peek().is_some()
                    && words.all(|word| line.contains(&word.split('=').next().unwrap_or(word)))
            });
            assert!(is_named, "SECURITY.md does not say that {line:?} starts {started}");
        }
    }
}

/// SECURITY.md has one row for each command, and no row of a command that is gone.
#[test]
fn security_md_names_each_command_once() {
    let rows = table("What each command reads and writes");
    let mut named: Vec<&str> = rows.iter().flat_map(|row| quoted(&row[0])).collect();
    named.sort_unstable();
    let mut there: BTreeSet<String> =
        commands().iter().filter_map(|name| name.split(' ').next()).map(str::to_owned).collect();
    // The same program under another name.
    there.insert("kickass".to_owned());
    assert_eq!(named, there.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.len() == 3 && row.iter().all(|cell| !cell.is_empty())), "{rows:#?}");
}

#[test]
fn options_are_read_from_a_help() {
    let help = "\
Usage: tempo x [OPTIONS] [FILE]

Options:
  -o, --output <FILE>       a file
      --update              write
                            again
      --symbols[=<FORMATS>] symbols [possible values: kick, vice]
      --format <FORMAT>     a format
                            [possible values: text,
                            json]
  -h, --help                help
";
    assert_eq!(
        options(help),
        ["--update", "--symbols", "--symbols=kick", "--symbols=vice", "--format=text", "--format=json"]
    );
}
