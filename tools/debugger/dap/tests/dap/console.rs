//! Sessions with the console: the library and the protocol give the same answers, which `tests/console` holds.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use crate::common::Client;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tempo_assembler::{Files, MemoryFiles};
use tempo_console::{Console, Desk, SLICE, Then};
use tempo_dap::{Host, HostFiles, Session, launch};
use tempo_debug::Debugger;
use tempo_testing::{compare, files_with_extension, fixtures, stem, text};

/// Files in memory that can be written.
#[derive(Clone, Default)]
struct Disk(Rc<RefCell<BTreeMap<String, Vec<u8>>>>);

impl Disk {
    fn of(folder: &Path) -> Disk {
        let disk = Disk::default();
        for path in
            ["asm", "6502", "crt"].iter().flat_map(|extension| files_with_extension(folder, extension))
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            disk.0.borrow_mut().insert(name, tempo_testing::bytes(&path));
        }
        disk
    }
}

impl Host for Disk {
    fn files(&self, _: &str, _: &[String]) -> Box<dyn Files> {
        let all = self.0.borrow();
        let texts = all.iter().map(|(name, bytes)| (name.as_str(), std::str::from_utf8(bytes).unwrap_or("")));
        Box::new(texts.collect::<MemoryFiles>())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0.borrow().get(path).cloned().ok_or_else(|| format!("there is no file {path}"))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        self.0.borrow_mut().insert(path.to_string(), bytes.to_vec());
        Ok(())
    }
}

/// Whether a launch runs at once, to the failure of a test.
fn is_test(arguments: &Value) -> bool {
    arguments.get("suite").is_some()
}

/// The answers of the library.
fn in_library(disk: Disk, arguments: &Value, lines: &[&str]) -> Vec<Vec<String>> {
    let target = launch(arguments, &disk).map_err(|(problem, _)| problem).expect("a target").target;
    let mut debugger = Debugger::new(target);
    let mut console = Console::of_expressions();
    match is_test(arguments) {
        false => debugger.resume(),
        true => {
            debugger.start();
            while debugger.run(SLICE).is_none() {}
        }
    }
    let files = HostFiles(&disk);
    lines
        .iter()
        .map(|line| {
            let desk = Desk { debugger: &mut debugger, remote: None, files: &files };
            let mut answer = match console.command(desk, line) {
                Ok(answer) => answer,
                Err(problem) => return vec![format!("error: {problem}")],
            };
            while answer.then == Then::Runs {
                if let Some(stopped) = debugger.run(SLICE) {
                    answer.lines.extend(console.stop_lines(&mut debugger, &stopped));
                    answer.then = Then::Stopped(stopped);
                }
            }
            answer.lines.into_iter().map(|line| line.text).collect()
        })
        .collect()
}

/// The answers in the console of an editor.
fn in_protocol(disk: Disk, arguments: &Value, lines: &[&str]) -> Vec<Vec<String>> {
    let mut client = Client::of(Session::new(Box::new(disk)));
    let mut arguments = arguments.clone();
    arguments["stopOnEntry"] = json!(!is_test(&arguments));
    client.ask("initialize", json!({}));
    client.ask("launch", arguments);
    client.wait("initialized");
    client.start();
    client.events.clear();
    lines
        .iter()
        .map(|line| {
            let response = client.send("evaluate", json!({"expression": line, "context": "repl"}));
            if response["success"] == false {
                return vec![format!("error: {}", response["message"].as_str().unwrap_or(""))];
            }
            while client.session.is_running() {
                client.session.work();
                let more = client.session.take();
                client.events.extend(more);
            }
            let result = response["body"]["result"].as_str().unwrap_or("");
            let mut found: Vec<String> = result.lines().map(str::to_string).collect();
            for event in client.events.drain(..).filter(|event| event["event"] == "output") {
                found.extend(event["body"]["output"].as_str().unwrap_or("").lines().map(str::to_string));
            }
            found
        })
        .collect()
}

#[test]
fn the_library_and_the_protocol_answer_alike() {
    let folder = fixtures().join("console");
    let mut differences = Vec::new();
    for path in files_with_extension(&folder, "session") {
        let fixture = text(&path);
        let (head, rest) = fixture.split_once("\nlaunch ").expect("a launch");
        let (arguments, rest) = rest.split_once('\n').expect("lines");
        let given: Value = serde_json::from_str(arguments).expect("arguments");
        let lines: Vec<&str> = rest.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        assert!(!lines.is_empty(), "{}", stem(&path));
        let answers = in_library(Disk::of(&folder), &given, &lines);
        assert_eq!(in_protocol(Disk::of(&folder), &given, &lines), answers, "{}", stem(&path));
        let mut found = format!("{head}\nlaunch {arguments}\n");
        for (line, answer) in lines.iter().zip(answers) {
            found.push_str(&format!("> {line}\n"));
            // A line of an answer is not taken for a command.
            found.extend(
                answer
                    .iter()
                    .map(|line| format!("{}{line}\n", if line.starts_with("> ") { " " } else { "" })),
            );
        }
        differences.extend(compare(&path, &found).err());
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
