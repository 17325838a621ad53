//! The projects of `tests/projects`, built by their own Makefiles as Kick Assembler users build them, under both names of
//! the program. Every file that a build makes is compared with `expected/`.
//!
//! `UPDATE=1 cargo test -p tempo --test commands projects::` writes the expectations anew.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::common::Scratch;

#[test]
fn a_game_whose_stages_import_symbols_of_each_other() {
    build("game");
}

#[test]
fn a_demo_on_a_disk() {
    build("demo");
}

#[test]
fn a_build_for_editors() {
    build("ide");
}

fn build(name: &str) {
    for program in ["kickass", "tempo asm"] {
        let scratch = Scratch::new(&[]);
        let project = tempo_testing::fixtures().join("projects").join(name);
        copy(&project, &project, &scratch);
        let sources: BTreeSet<String> = scratch.files().into_iter().collect();
        let tools = tempfile::tempdir().expect("a scratch folder");
        for tool in ["kickass", "tempo"] {
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tempo"), tools.path().join(tool)).expect("a link");
        }
        let made = Command::new("make")
            .current_dir(scratch.0.path())
            .env("NO_COLOR", "1")
            .env_remove("MAKEFLAGS")
            .arg(format!("KICKASS={}/{program}", tools.path().display()))
            .output()
            .expect("make is installed");
        let said = String::from_utf8_lossy(&made.stdout) + String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{program} in {name}:\n{said}");
        let outputs: Vec<String> =
            scratch.files().into_iter().filter(|file| !sources.contains(file)).collect();
        let expected = project.join("expected");
        let mut seen = BTreeSet::new();
        for file in outputs {
            // Each of the two has its own console.
            if file.ends_with(".log") && program != "kickass" {
                seen.insert(file);
                continue;
            }
            let bytes = scratch.read(&file);
            let (name, text) = shown(&file, &bytes, scratch.0.path());
            if tempo_testing::updating() {
                let folder = expected.join(&name).parent().expect("a folder").to_path_buf();
                std::fs::create_dir_all(folder).expect("a writable folder");
            }
            tempo_testing::compare(&expected.join(&name), &text)
                .unwrap_or_else(|err| panic!("{program}: {err}\n{said}"));
            seen.insert(name);
        }
        let all = Scratch(tempfile::tempdir().expect("a scratch folder"));
        copy(&expected, &expected, &all);
        assert_eq!(seen, all.files().into_iter().collect(), "{program} in {name}:\n{said}");
    }
}

/// Copies a folder; expectations are left out, unless they are what is copied.
fn copy(root: &Path, folder: &Path, scratch: &Scratch) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|err| panic!("{}: {err}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        let name = path.strip_prefix(root).expect("below").to_string_lossy().into_owned();
        match path.is_dir() {
            true if name == "expected" => {}
            true => copy(root, &path, scratch),
            false => scratch.write(&name, &tempo_testing::bytes(&path)),
        }
    }
}

/// The expectation of a file: its name and a text without anything of this machine.
fn shown(file: &str, bytes: &[u8], folder: &Path) -> (String, String) {
    let is_text = [".sym", ".vs", ".dbg", ".txt", ".log"].iter().any(|end| file.ends_with(end));
    if is_text {
        let text = String::from_utf8_lossy(bytes).replace(&*folder.to_string_lossy(), "PROJECT");
        // The banner has the version.
        let lines = text.lines().filter(|line| !file.ends_with(".log") || !line.starts_with("//"));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        let text = if file.ends_with(".dbg") { with_sources_in_order(&text) } else { text };
        return (file.to_owned(), text);
    }
    let rows = bytes.chunks(32).enumerate().filter(|(_, row)| row.iter().any(|&byte| byte != 0));
    let rows = rows.map(|(row, bytes)| {
        let hex: String = bytes.iter().map(|byte| format!(" {byte:02x}")).collect();
        format!("{:06x}:{hex}\n", row * 32)
    });
    let text = format!("{} bytes\n{}", bytes.len(), rows.collect::<String>());
    (format!("{file}.hex"), text)
}

/// A `.dbg` file with its sources in alphabetical order. Kick Assembler orders them by the hash of their names, and the
/// scratch folder is part of a name: the order differs from run to run.
fn with_sources_in_order(text: &str) -> String {
    let sources = || text.lines().skip_while(|line| !line.contains("<Sources")).skip(1);
    let named = sources().map_while(|line| line.trim().split_once(','));
    let mut sorted: Vec<(&str, &str)> = named.map(|(number, name)| (name, number)).collect();
    sorted.sort_unstable();
    let new_number = |number: &str| sorted.iter().position(|&(_, old)| old == number);
    let mut listed = sorted.iter().enumerate().map(|(number, (name, _))| format!("      {number},{name}"));
    let mut lines: Vec<String> = Vec::new();
    let mut in_sources = false;
    for line in text.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        if in_sources && let Some(source) = listed.next() {
            lines.push(source);
        } else if line.contains('<') || fields.len() < 7 {
            lines.push(line.to_owned());
        } else {
            // Blocks and labels end in the number of the source and four places.
            let number = fields.len() - 5;
            let renumbered = new_number(fields[number]).expect("a listed source").to_string();
            lines.push([&fields[..number], &[&renumbered], &fields[number + 1..]].concat().join(","));
        }
        in_sources = line.contains("<Sources") || (in_sources && !line.contains("</Sources"));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}
