//! The tours of the README and of docs/projects.md, run as they stand: a fence with a file's name holds that file, a
//! `console` fence commands and what they print. Times and speeds may differ, nothing else may.
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use pretty_assertions::assert_eq;

/// The fences of a page: the words behind the backticks, and the text.
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

/// Numbers that measure time are masked, as are the millions of cycles that the chess program takes.
fn timeless(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        for (at, word) in words.iter().enumerate() {
            let unit = words.get(at + 1).map_or("", |next| next.trim_end_matches([',', ')']));
            let measured = matches!(unit, "s" | "ms" | "MHz" | "M") && word.parse::<f64>().is_ok();
            let _ = write!(out, "{}{}", if at > 0 { " " } else { "" }, if measured { "#" } else { word });
        }
        out.push('\n');
    }
    out
}

/// What a person sees who types this: both streams, as they come.
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
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let page = fs::read_to_string(&page).unwrap_or_else(|err| panic!("{}: {err}", page.display()));
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

#[test]
fn the_tour_is_true() {
    let commands = tour("README.md");
    assert!(commands >= 7, "only {commands} commands were found");
}

#[test]
fn the_tour_of_a_project_is_true() {
    let commands = tour("docs/projects.md");
    assert!(commands >= 10, "only {commands} commands were found");
}
