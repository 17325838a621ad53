//! Shared parts of the program's tests: a scratch folder, and runs of `tempo` and `kickass` in it.

#![allow(dead_code, reason = "each test uses its part")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Seconds after which a run counts as one without an end, also on a slow computer with much to do.
pub const PATIENCE: u64 = 300;

/// A folder of its own for each test.
pub struct Scratch(pub tempfile::TempDir);

/// How a run ended and what it said.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// `tempo` with pipes and without colours.
pub fn tempo(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tempo"));
    command.args(words).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Feeds a command and collects everything. One that stops reading early is not a fault of ours.
pub fn feed(command: &mut Command, input: impl Into<Vec<u8>>) -> Output {
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.into();
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the feeder ends");
    output
}

impl Scratch {
    pub fn new(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch(tempfile::tempdir().expect("a scratch folder"));
        for (name, text) in files {
            scratch.write(name, text.as_bytes());
        }
        scratch
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("a writable scratch folder");
        std::fs::write(path, bytes).expect("a writable scratch folder");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name))
            .unwrap_or_else(|err| panic!("{name}: {err}; there are {:?}", self.files()))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("a text file")
    }

    /// All files, sorted, with `/` between folders.
    pub fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.0.path().to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("a readable folder") {
                let path = entry.expect("a readable folder").path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    found.push(
                        path.strip_prefix(self.0.path()).expect("below").to_string_lossy().into_owned(),
                    );
                }
            }
        }
        found.sort();
        found
    }

    pub fn run(&self, program: &Path, words: &[&str]) -> Ran {
        self.run_in("", program, words)
    }

    /// A run in a folder of it.
    pub fn run_in(&self, folder: &str, program: &Path, words: &[&str]) -> Ran {
        let output = Command::new(program)
            .current_dir(self.path(folder))
            .env("NO_COLOR", "1")
            .args(words)
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let ran = Ran::from(output);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran
    }

    /// `tempo asm` with words split at blanks.
    pub fn asm(&self, line: &str) -> Ran {
        self.tempo(&format!("asm {line}"))
    }

    /// `tempo` with words split at blanks.
    pub fn tempo(&self, line: &str) -> Ran {
        self.tempo_in("", line)
    }

    /// `tempo` in a folder below.
    pub fn tempo_in(&self, folder: &str, line: &str) -> Ran {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.run_in(folder, Path::new(env!("CARGO_BIN_EXE_tempo")), &words)
    }

    /// A line for the shell, in which `$TEMPO` is the program.
    #[cfg(unix)]
    pub fn shell(&self, line: &str) -> Ran {
        let line = format!("TEMPO='{}'; {line}", env!("CARGO_BIN_EXE_tempo"));
        self.run(Path::new("sh"), &["-c", &line])
    }

    /// The same program under its other name.
    pub fn kickass(&self, line: &str) -> Ran {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let link = folder.path().join("kickass");
        let program = env!("CARGO_BIN_EXE_tempo");
        // A copy may still be open for writing in a process that another test is just starting.
        #[cfg(unix)]
        std::os::unix::fs::symlink(program, &link).expect("a link");
        #[cfg(not(unix))]
        std::fs::hard_link(program, &link)
            .or_else(|_| std::fs::copy(program, &link).map(drop))
            .expect("a link");
        let words: Vec<&str> = line.split_whitespace().collect();
        self.run(&link, &words)
    }
}

/// A run that goes on, and what it says.
#[cfg(unix)]
pub struct Watching {
    child: std::process::Child,
    lines: std::sync::mpsc::Receiver<String>,
}

#[cfg(unix)]
impl Watching {
    pub fn start(folder: &Path, words: &[&str]) -> Watching {
        use std::io::{BufRead, BufReader};
        // Both streams through one pipe keep their order.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 2>&1", env!("CARGO_BIN_EXE_tempo")])
            .args(words)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (send, lines) = std::sync::mpsc::channel();
        let out = child.stdout.take().expect("a pipe");
        std::thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| send.send(line)).ok();
        });
        Watching { child, lines }
    }

    /// Waits for a line, which it returns; a process that says nothing more is a failure.
    pub fn expect(&self, part: &str) -> String {
        let mut before = Vec::new();
        loop {
            match self.lines.recv_timeout(std::time::Duration::from_secs(PATIENCE)) {
                Ok(line) if line.contains(part) => return line,
                Ok(line) => before.push(line),
                Err(err) => panic!("no '{part}' ({err}) after {before:#?}"),
            }
        }
    }
}

#[cfg(unix)]
impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
