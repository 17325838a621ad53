//! Sessions with VICE's monitor, recorded on VICE itself: every answer must have the same bytes. Lines: `> hex` is sent,
//! `< hex` is one frame that must come next (`..` is any byte, `*N` any N bytes), `silence` nothing comes, `closed` the server
//! ends. Each file starts with a machine at its prompt.
#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempo_emu::System;
use tempo_monitor::{Files, Monitor, Setup};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/monitor")
}

/// A working folder in memory with the program of the fixtures.
#[derive(Clone)]
struct Folder(Rc<RefCell<HashMap<String, Vec<u8>>>>);

impl Files for Folder {
    fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        self.0.borrow().get(name).cloned()
    }
    fn write(&mut self, name: &str, bytes: &[u8]) -> bool {
        let is_here = !name.contains('/');
        if is_here {
            self.0.borrow_mut().insert(name.to_string(), bytes.to_vec());
        }
        is_here
    }
}

fn monitor() -> Monitor {
    let computer = System::C64Pal.computer().expect("a whole computer");
    let setup = Setup { computer, has_debugcart: false, limit: None, history: 64 };
    let program = std::fs::read(fixtures().join("monitor-test.prg")).expect("the program");
    let files = HashMap::from([("monitor-test.prg".to_string(), program)]);
    let mut monitor = Monitor::new(setup, Box::new(Folder(Rc::new(RefCell::new(files)))));
    (0..130).for_each(|_| monitor.run_frame());
    monitor
}

/// The server and the clients that wait for it.
struct Server {
    monitor: Monitor,
    served: Option<String>,
    waiting: VecDeque<String>,
    sent: HashMap<String, Vec<u8>>,
    got: HashMap<String, Vec<u8>>,
}

impl Server {
    fn turn(&mut self) {
        if self.served.is_none() {
            self.served = self.waiting.pop_front();
        }
        if let Some(client) = &self.served {
            let bytes = self.sent.entry(client.clone()).or_default();
            if !bytes.is_empty() {
                self.monitor.receive(&std::mem::take(bytes));
            }
        }
        self.monitor.poll();
        self.monitor.run_frame();
        self.monitor.poll();
        if let Some(client) = &self.served {
            self.got.entry(client.clone()).or_default().extend(self.monitor.take_binary());
        }
    }

    fn frame(&mut self, client: &str, turns: usize) -> Option<Vec<u8>> {
        for _ in 0..turns {
            let got = self.got.entry(client.to_string()).or_default();
            if got.len() >= 12 {
                let len = 12 + u32::from_le_bytes([got[2], got[3], got[4], got[5]]) as usize;
                if got.len() >= len {
                    return Some(got.drain(..len).collect());
                }
            }
            self.turn();
        }
        None
    }
}

fn matches(pattern: &str, frame: &[u8]) -> bool {
    let mut at = 0;
    for word in pattern.split_whitespace() {
        if let Some(count) = word.strip_prefix('*') {
            at += count.parse::<usize>().expect("a count");
            continue;
        }
        let is_same = word == ".." || u8::from_str_radix(word, 16).ok() == frame.get(at).copied();
        if at >= frame.len() || !is_same {
            return false;
        }
        at += 1;
    }
    at == frame.len()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(70).map(|byte| format!("{byte:02x} ")).collect()
}

fn replay(text: &str) -> Result<(), String> {
    let mut server = Server {
        monitor: monitor(),
        served: None,
        waiting: VecDeque::new(),
        sent: HashMap::new(),
        got: HashMap::new(),
    };
    let mut client = String::new();
    let mut is_split = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or("").trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "connect" => {
                client = rest.to_string();
                server.waiting.push_back(client.clone());
            }
            "use" => client = rest.to_string(),
            "close" => {
                server.turn();
                server.monitor.left();
                server.served = None;
            }
            "wait" => (0..25).for_each(|_| server.turn()),
            "split" => is_split = true,
            ">" => {
                let bytes: Vec<u8> =
                    rest.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect();
                for part in bytes.chunks(if std::mem::take(&mut is_split) { 1 } else { bytes.len() }) {
                    server.sent.entry(client.clone()).or_default().extend(part);
                    if part.len() < bytes.len() {
                        server.turn();
                    }
                }
            }
            "<" => match server.frame(&client, 100) {
                Some(frame) if matches(rest, &frame) => {}
                Some(frame) => {
                    return Err(format!("{number}:\n    expected {rest:.210}\n    got      {}", hex(&frame)));
                }
                None => return Err(format!("{number}: nothing came, expected {rest:.120}")),
            },
            "silence" => {
                if let Some(frame) = server.frame(&client, 30) {
                    return Err(format!("{number}: expected silence, got {}", hex(&frame)));
                }
            }
            "closed" => {
                if server.monitor.end().is_none() {
                    return Err(format!("{number}: expected the end of the server"));
                }
            }
            other => return Err(format!("{number}: what is '{other}'?")),
        }
    }
    match server.frame(&client, 15) {
        Some(frame) => Err(format!("end: one frame too many: {}", hex(&frame))),
        None => Ok(()),
    }
}

#[test]
fn every_transcript_gets_the_answers_of_vice() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(fixtures())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "txt"));
    files.sort();
    assert_eq!(files.len(), 46);
    let faults: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(path).expect("a transcript");
            let name = path.file_name()?.to_string_lossy().into_owned();
            replay(&text).err().map(|problem| format!("{name}:{problem}"))
        })
        .collect();
    assert!(faults.is_empty(), "{} of {} differ:\n{}", faults.len(), files.len(), faults.join("\n"));
}

/// Fields that depend on the time since the start are compared as `#`.
fn without_time(line: &str) -> String {
    let words = line.split(' ').collect::<Vec<_>>();
    if let Some((before, _)) = line.split_once("/$") {
        return before.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ' ').to_string();
    }
    let keep = if line.starts_with(".;") {
        8
    } else if line.contains(" - A:") || line.starts_with("Stopwatch") {
        words.len() - 1
    } else {
        words.len()
    };
    words[..keep].join(" ").trim_end().to_string()
}

#[test]
fn the_text_monitor_answers_like_vice() {
    let text = std::fs::read_to_string(fixtures().join("text/session.txt")).expect("the session");
    let mut monitor = monitor();
    monitor.run_commands("al C:1000 .start");
    let mut expected: Vec<String> = Vec::new();
    let mut sent: Option<&str> = None;
    let mut faults = Vec::new();
    let mut check = |monitor: &mut Monitor, sent: &str, expected: &[String]| {
        monitor.receive_text(format!("{sent}\n").as_bytes());
        for _ in 0..50 {
            monitor.poll();
            monitor.run_frame();
        }
        let got = String::from_utf8(monitor.take_text()).expect("text");
        let got: Vec<String> = got.split('\n').map(without_time).collect();
        let wanted: Vec<String> = expected.iter().map(|line| without_time(line)).collect();
        // The first prompt is where the machine happened to be.
        let is_same = got.len() == wanted.len()
            && got.iter().zip(&wanted).all(|(got, wanted)| got == wanted || wanted.contains("(C:$ff48)"));
        if !is_same {
            faults.push(format!("> {sent}\n  expected {wanted:?}\n  got      {got:?}"));
        }
    };
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((kind, rest)) = line.split_at_checked(1) else { continue };
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        match kind {
            ">" => {
                if let Some(sent) = sent.take() {
                    check(&mut monitor, sent, &expected);
                }
                (sent, expected) = (Some(rest), Vec::new());
            }
            _ => expected.push(rest.to_string()),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
