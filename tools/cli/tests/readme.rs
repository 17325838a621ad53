//! The README's tour and the pages of `docs/`, run as they are: a fence with a file's name holds that file, a
//! `console` fence commands and what they print. Times and speeds may differ, nothing else may. Commands that a page
//! only names must be known to `--help`.
#![cfg(unix)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pretty_assertions::assert_eq;

/// The fences of a page: the words after the backticks, and the text.
fn fences(page: &str) -> Vec<(Vec<&str>, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(words) = line.strip_prefix("```") else { continue };
        let text = lines.by_ref().take_while(|line| *line != "```").fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "{line}");
            text
        });
        found.push((words.split_whitespace().collect(), text));
    }
    found
}

/// Masks the numbers that measure time. Cycles are exact and stay.
fn timeless(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        for (at, word) in words.iter().enumerate() {
            let unit = words.get(at + 1).map_or("", |next| next.trim_end_matches([',', ')']));
            let measured = matches!(unit, "s" | "ms" | "MHz") && word.parse::<f64>().is_ok();
            let _ = write!(out, "{}{}", if at > 0 { " " } else { "" }, if measured { "#" } else { word });
        }
        out.push('\n');
    }
    out
}

/// Returns what a person sees who types this command: both streams, in order.
fn typed(folder: &Path, command: &str) -> String {
    let tempo = Path::new(env!("CARGO_BIN_EXE_tempo")).parent().expect("the binary lies in a folder");
    let path = format!("{}:{}", tempo.display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-c", &format!("({command}) 2>&1")])
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout).expect("text")
}

/// Runs every command of a page, in the order of the page; `cd` leads on from there. How many there are.
fn tour(page: &str) -> usize {
    let page = read(page);
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let mut folder = scratch.path().to_path_buf();
    let mut commands = 0;
    for (words, text) in fences(&page) {
        match words[..] {
            [_, file] => fs::write(folder.join(file), text).expect("a writable folder"),
            ["console"] => {
                for session in text.strip_prefix("$ ").expect("a session begins with a command").split("\n$ ")
                {
                    let (command, expected) = session.split_once('\n').unwrap_or((session, ""));
                    commands += 1;
                    if let Some(next) = command.strip_prefix("cd ") {
                        folder.push(next);
                        continue;
                    }
                    assert_eq!(timeless(&typed(&folder, command)), timeless(expected), "$ {command}");
                }
            }
            _ => {}
        }
    }
    commands
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|err| panic!("{page}: {err}"))
}

/// Every page, README.md first.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = fs::read_dir(root().join("docs"))
        .expect("a folder of pages")
        .flatten()
        .map(|entry| format!("docs/{}", entry.file_name().to_string_lossy()))
        .filter(|page| page.ends_with(".md"))
        .collect();
    pages.sort();
    pages.insert(0, "README.md".to_string());
    pages
}

#[test]
fn the_tour_is_true() {
    let commands = tour("README.md");
    assert!(commands >= 7, "only {commands} commands were found");
}

#[test]
fn the_pages_are_true() {
    // Its session needs a line removed from the chess program: debug_commands.rs runs it.
    let not_here = ["README.md", "docs/debugging.md"];
    let commands: usize =
        pages().iter().filter(|page| !not_here.contains(&page.as_str())).map(|page| tour(page)).sum();
    assert!(commands >= 10, "only {commands} commands were found");
}

#[test]
fn the_book_names_each_page_once() {
    let summary = read("docs/SUMMARY.md");
    let mut listed: Vec<&str> =
        summary.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(page, _)| page)).collect();
    assert!(listed.len() > 15, "{listed:?}");
    for page in &listed {
        assert!(root().join("docs").join(page).is_file(), "docs/SUMMARY.md names {page}");
    }
    let count = listed.len();
    listed.sort_unstable();
    listed.dedup();
    assert_eq!(listed.len(), count, "docs/SUMMARY.md names a page twice");
}

/// The forms of reports, which the page about tests lists.
#[test]
fn the_page_about_tests_lists_the_formats() {
    let names: Vec<&str> = tempo_harness::report::Format::ALL.iter().map(|format| format.name()).collect();
    let row = format!("| `--format {}` |", names.join("\\|"));
    assert!(read("docs/testing.md").contains(&row), "docs/testing.md has no {row}");
}

/// Pages link to files that are there.
#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let folder = root().join(&page).parent().expect("a folder").to_path_buf();
        for link in read(&page)
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')').map(|(link, _)| link.to_string()))
        {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") && !file.contains(' ') && !folder.join(file).exists()
            {
                dead.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Lists the commands that a page names: from `tempo` to the end of the line, the remark or the code.
fn named_commands(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_fence = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_fence = !is_fence;
        } else if is_fence {
            let line = line.trim_start_matches(['$', ' ']);
            if line.starts_with("tempo ") {
                // A remark follows after several blanks.
                found.push(line.split("   ").next().unwrap_or_default().to_string());
            }
        } else {
            let codes = line.split('`').skip(1).step_by(2);
            found.extend(codes.filter(|code| code.starts_with("tempo ")).map(ToString::to_string));
        }
    }
    found
}

/// The help of a command, asked for once.
struct Helps(HashMap<Vec<String>, Option<String>>);

impl Helps {
    fn of(&mut self, words: &[String]) -> Option<&str> {
        let ask = || {
            let output = Command::new(env!("CARGO_BIN_EXE_tempo")).args(words).arg("--help").output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            output.status.success().then_some(text)
        };
        self.0.entry(words.to_vec()).or_insert_with(ask).as_deref()
    }
}

/// Commands that a page only names are commands that there are, with options that there are.
#[test]
fn named_commands_are_known() {
    let mut helps = Helps(HashMap::new());
    let mut wrong = Vec::new();
    let mut checked = 0;
    for page in pages() {
        for command in named_commands(&read(&page)) {
            // Only the first of several that are joined; the others stand for themselves elsewhere.
            let line = command.split(['|', '>', '<', ';']).next().unwrap_or_default();
            let words: Vec<String> = line.split_whitespace().skip(1).map(ToString::to_string).collect();
            let mut path = Vec::new();
            for word in &words {
                let is_name = word
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
                let is_command = |help: &str| {
                    let commands = help.split("Commands:").nth(1).unwrap_or_default();
                    commands.lines().any(|line| line.split_whitespace().next() == Some(word))
                };
                let is_first = path.is_empty();
                if !is_name || word.starts_with('-') || !(is_first || helps.of(&path).is_some_and(is_command))
                {
                    break;
                }
                path.push(word.clone());
            }
            // `tempo COMMAND --help` stands for all of them.
            if path.is_empty() && words.first().is_some_and(|word| !word.starts_with('-')) {
                continue;
            }
            let Some(help) = helps.of(&path) else {
                wrong.push(format!("{page}: `{command}`: no such command"));
                continue;
            };
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let name = option.split(['=', '[', ',', ')', '…', '\'']).next().unwrap_or_default();
                let is_there = help.split_whitespace().any(|word| {
                    word.trim_end_matches([',', '[', '.', ';']).split(['=', '[']).next() == Some(name)
                });
                if !is_there && name != "--" && name != "--help" {
                    wrong.push(format!("{page}: `{command}`: no option {name}"));
                }
            }
            checked += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(checked > 50, "only {checked} commands were found");
}
