//! The conformance corpus: every case is assembled by the `tempo` program under the name `kickass`, the way its
//! README tells, and everything it leaves behind is compared: bytes, console, side files, error position and text.
//!
//! One named test a case (`area/case`). `cargo test -p cli --test conformance -- symbols/` runs one area.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use pretty_assertions::StrComparison;
use sha2::{Digest, Sha256};

/// What is compared; anything else in a folder is read by the cases.
const EXPECTATIONS: [&str; 9] = ["prg.hex", "err", "out", "sym", "vs", "bytedump", "dbg", "files", "args"];

/// How well rejected programs are rejected.
#[derive(Default)]
struct Errors {
    cases: usize,
    rejected: usize,
    line: usize,
    column: usize,
    text: usize,
}

fn main() {
    let arguments = Arguments::from_args();
    let corpus = tests::fixtures().join("conformance");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let kickass = scratch.path().join(if cfg!(windows) { "kickass.exe" } else { "kickass" });
    link(Path::new(env!("CARGO_BIN_EXE_tempo")), &kickass);
    let errors = Arc::new(Mutex::new(Errors::default()));
    let mut trials = Vec::new();
    for source in tests::files_with_extension(&corpus, "asm") {
        let area =
            source.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let case = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !is_case(&source) {
            continue;
        }
        let folder = scratch.path().join(&area).join(&case);
        let (kickass, errors) = (kickass.clone(), errors.clone());
        let name = format!("{area}/{case}");
        trials.push(Trial::test(name, move || run(&kickass, &source, &case, &folder, &errors)));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let errors = errors.lock().expect("all tests have ended");
    if errors.cases > 0 {
        println!(
            "rejected programs: {} of {} rejected, {} at the right line, {} at the right column, {} with the right text",
            errors.rejected, errors.cases, errors.line, errors.column, errors.text
        );
    }
    conclusion.exit();
}

fn link(program: &Path, name: &Path) {
    std::fs::hard_link(program, name)
        .or_else(|_| std::fs::copy(program, name).map(drop))
        .unwrap_or_else(|err| panic!("{}: {err}", name.display()));
}

/// A source with at least one expectation beside it; others are imported.
fn is_case(source: &Path) -> bool {
    EXPECTATIONS.iter().any(|extension| *extension != "args" && source.with_extension(extension).exists())
}

fn expectation(source: &Path, extension: &str) -> Option<String> {
    std::fs::read_to_string(source.with_extension(extension)).ok()
}

fn run(
    kickass: &Path,
    source: &Path,
    case: &str,
    folder: &Path,
    errors: &Mutex<Errors>,
) -> Result<(), Failed> {
    let inputs = copy_inputs(source, folder)?;
    let words = expectation(source, "args").unwrap_or_default();
    let output = Command::new(kickass)
        .current_dir(folder)
        .arg(format!("{case}.asm"))
        .args(["-o", &format!("{case}.prg")])
        .args(words.split_whitespace())
        .output()?;
    let console = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.stderr.is_empty() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("standard error should be empty:\n{text}").into());
    }
    let mut left = outputs(folder, &inputs)?;
    if let Some(expected) = expectation(source, "err") {
        return check_rejected(&expected, &console, output.status.code(), &left, errors);
    }
    if output.status.code() != Some(0) {
        return Err(format!("ended with {}:\n{console}", output.status).into());
    }
    let mut problems = String::new();
    let main = left.remove(&format!("{case}.prg"));
    differ("program", expectation(source, "prg.hex"), main.map(|bytes| hex_lines(&bytes)), &mut problems);
    let printed = Some(visible(&console)).filter(|text| !text.is_empty());
    differ("console", expectation(source, "out"), printed, &mut problems);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    for (extension, name) in
        [("sym", format!("{case}.sym")), ("vs", format!("{case}.vs")), ("bytedump", "dump.txt".into())]
    {
        differ(extension, expectation(source, extension), left.remove(&name).map(text), &mut problems);
    }
    let dump = left.remove(&format!("{case}.dbg")).map(|bytes| renumbered(&text(bytes), case));
    differ("dbg", expectation(source, "dbg"), dump, &mut problems);
    let others: String = left.iter().map(|(name, bytes)| describe(name, bytes)).collect();
    differ(
        "files",
        expectation(source, "files"),
        Some(others).filter(|text| !text.is_empty()),
        &mut problems,
    );
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

/// Copies the case and everything that is neither a case nor an expectation; returns the names.
fn copy_inputs(source: &Path, folder: &Path) -> Result<BTreeSet<String>, Failed> {
    let area = source.parent().expect("a case lies in a folder");
    let mut names = BTreeSet::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        std::fs::create_dir_all(folder.join(&below))?;
        for entry in std::fs::read_dir(area.join(&below))? {
            let path = entry?.path();
            let relative = below.join(path.file_name().unwrap_or_default());
            if path.is_dir() {
                open.push(relative);
                continue;
            }
            let name = relative.to_string_lossy().into_owned();
            let is_expectation =
                EXPECTATIONS.iter().any(|extension| name.ends_with(&format!(".{extension}")));
            let is_other_case = name.ends_with(".asm") && path != source && is_case(&path);
            if !is_expectation && !is_other_case {
                std::fs::copy(&path, folder.join(&relative))?;
                names.insert(name);
            }
        }
    }
    Ok(names)
}

/// All files in the folder that were not put there.
fn outputs(folder: &Path, inputs: &BTreeSet<String>) -> Result<BTreeMap<String, Vec<u8>>, Failed> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(below) = open.pop() {
        for entry in std::fs::read_dir(&below)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder)?.to_string_lossy().into_owned();
            if !inputs.contains(&name) {
                found.insert(name, std::fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

fn differ(what: &str, expected: Option<String>, actual: Option<String>, problems: &mut String) {
    let _ = match (expected, actual) {
        (Some(expected), Some(actual)) if expected.trim_end() == actual.trim_end() => Ok(()),
        (Some(expected), Some(actual)) => {
            writeln!(
                problems,
                "{what} differs:\n{}",
                StrComparison::new(expected.trim_end(), actual.trim_end())
            )
        }
        (Some(expected), None) => writeln!(problems, "{what} is missing, expected:\n{expected}"),
        (None, Some(actual)) => writeln!(problems, "{what} was not expected:\n{actual}"),
        (None, None) => Ok(()),
    };
}

fn check_rejected(
    expected: &str,
    console: &str,
    status: Option<i32>,
    left: &BTreeMap<String, Vec<u8>>,
    errors: &Mutex<Errors>,
) -> Result<(), Failed> {
    let expected = expected.lines().next().unwrap_or_default();
    let actual = first_error(console);
    {
        let mut errors = errors.lock().expect("no test panics with the lock held");
        let line = |place: &str| place.rsplit_once(':').map_or(place.to_owned(), |(line, _)| line.to_owned());
        let (expected_place, expected_text) = split_error(expected);
        let (actual_place, actual_text) = split_error(&actual);
        errors.cases += 1;
        errors.rejected += usize::from(status == Some(1));
        errors.line += usize::from(line(expected_place) == line(actual_place));
        errors.column += usize::from(expected_place == actual_place);
        errors.text += usize::from(expected_text == actual_text);
    }
    if status != Some(1) {
        return Err(format!("ended with {status:?}, expected 1 and: {expected}\n{console}").into());
    }
    if !left.is_empty() {
        return Err(format!("a rejected program left files: {:?}", left.keys()).into());
    }
    if expected != actual {
        return Err(
            format!("the error differs:\n{}\n{console}", StrComparison::new(expected, &actual)).into()
        );
    }
    Ok(())
}

/// Place and text of `file:line:column: text` or `-: text`.
fn split_error(error: &str) -> (&str, &str) {
    error.split_once(": ").unwrap_or(("", error))
}

/// The error of the console in the form of the expectation.
fn first_error(console: &str) -> String {
    let lines: Vec<&str> = console.lines().collect();
    let Some(index) = lines.iter().position(|line| line.starts_with("Error: ")) else {
        return String::new();
    };
    let text = &lines[index]["Error: ".len()..];
    let place = lines.get(index + 1).and_then(|line| line.strip_prefix("at line ")).and_then(|line| {
        let (line, rest) = line.split_once(", column ")?;
        let (column, file) = rest.split_once(" in ")?;
        Some(format!("{file}:{line}:{column}"))
    });
    format!("{}: {}", place.unwrap_or("-".into()), in_names(text))
}

/// The console without banner, progress and file names, paths reduced to names.
fn visible(console: &str) -> String {
    let progress =
        ["//", "Output dir: ", "User Arguments: ", "parsing", "flex pass ", "Output pass", "Writing "];
    let lines = console.lines().filter(|line| !progress.iter().any(|start| line.starts_with(start)));
    let text: String = lines.map(|line| format!("{}\n", in_names(line.trim_end()))).collect();
    text.trim_matches('\n').to_owned()
}

/// Paths in round brackets without their folders.
fn in_names(line: &str) -> String {
    match line.split_once("(/") {
        Some((before, rest)) => {
            let end = rest.find([' ', ':', ')']).unwrap_or(rest.len());
            let name = rest[..end].rsplit('/').next().unwrap_or_default();
            format!("{before}({name}{}", &rest[end..])
        }
        None => line.to_owned(),
    }
}

fn hex_lines(bytes: &[u8]) -> String {
    let line = |row: &[u8]| row.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    bytes.chunks(32).map(|row| format!("{}\n", line(row))).collect()
}

fn describe(name: &str, bytes: &[u8]) -> String {
    let content = if bytes.len() > 2048 {
        format!(
            "sha256:{}",
            Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        )
    } else {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    format!("{name} {} {content}\n", bytes.len())
}

/// A debugger's dump with the sources numbered as in the corpus: the system's, the main one, then by name.
fn renumbered(dump: &str, case: &str) -> String {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut sources: Vec<(String, String)> = Vec::new();
    let mut in_sources = false;
    for line in dump.lines().map(str::trim) {
        if line.starts_with('<') {
            in_sources = line.starts_with("<Sources");
        } else if let (Some((index, path)), true) = (line.split_once(','), in_sources) {
            let is_system = path.contains("autoinclude");
            sources.push((index.to_owned(), if is_system { "<system>".into() } else { name(path) }));
        }
    }
    let main = format!("{case}.asm");
    sources.sort_by_key(|(_, name)| (name != "<system>", *name != main, name.clone()));
    let new_index = |old: &str| sources.iter().position(|(index, _)| index == old).unwrap_or(99).to_string();
    let mut text = String::new();
    let mut section = "";
    for line in dump.lines() {
        let trimmed = line.trim();
        let indent = &line[..line.len() - line.trim_start().len()];
        for (start, name) in [("<Sources", "Sources"), ("<Block", "Block"), ("<Labels", "Labels"), ("</", "")]
        {
            if trimmed.starts_with(start) {
                section = name;
            }
        }
        let column = match section {
            "Block" => 2,
            "Labels" => 3,
            _ => usize::MAX,
        };
        if section == "Sources" && !trimmed.starts_with('<') {
            continue;
        }
        let fields: Vec<String> = trimmed
            .split(',')
            .enumerate()
            .map(
                |(at, field)| {
                    if at == column && !trimmed.starts_with('<') { new_index(field) } else { field.into() }
                },
            )
            .collect();
        let _ = writeln!(text, "{indent}{}", fields.join(","));
        if section == "Sources" {
            for (index, (_, name)) in sources.iter().enumerate() {
                let _ = writeln!(text, "      {index},{name}");
            }
        }
    }
    text
}
