//! Our own assembler fixtures, run through `tempo asm`.
//!
//! `tests/asm/ok/NAME.asm` assembles without a word; beside it stand `NAME.bytes` (hex with addresses) and, where
//! they matter, `NAME.sym`, `NAME.vs`, `NAME.out` (what is printed). `NAME.args` holds further words.
//! `tests/asm/err/NAME.asm` is refused; a line that is at fault ends in `// error: part of the text` (or
//! `// warning:`), and no other line may be. Faults without a line are in `NAME.nowhere`. `NAME.human` is the
//! whole message as people see it.
//!
//! `UPDATE=1` rewrites the expectations beside the sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let folder = tempo_testing::fixtures().join("asm");
    let mut trials = Vec::new();
    for (name, run) in [("ok", ok as fn(&Path) -> Result<(), Failed>), ("err", err)] {
        for source in tempo_testing::files_with_extension(&folder.join(name), "asm") {
            if !source.parent().is_some_and(|parent| parent.ends_with(name)) {
                continue;
            }
            let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            trials.push(Trial::test(format!("{name}/{stem}"), move || run(&source)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Runs `tempo asm` in the folder of the source, so that paths in messages are short.
fn tempo(source: &Path, words: &[&str]) -> Result<Output, Failed> {
    let more = std::fs::read_to_string(source.with_extension("args")).unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_tempo"))
        .current_dir(source.parent().expect("a source lies in a folder"))
        .env("NO_COLOR", "1")
        .arg("asm")
        .arg(source.file_name().expect("a source has a name"))
        .args(words)
        .args(more.split_whitespace())
        .output()?;
    Ok(output)
}

fn compare(source: &Path, extension: &str, actual: &str) -> Result<(), Failed> {
    Ok(tempo_testing::compare(&source.with_extension(extension), actual)?)
}

fn ok(source: &Path) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("out.prg");
    let output =
        tempo(source, &["--quiet", "--symbols", "--vice-symbols", "-o", &program.to_string_lossy()])?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() != Some(0) {
        return Err(format!("ended with {}:\n{out}{err}", output.status).into());
    }
    let bytes = std::fs::read(&program).unwrap_or_default();
    compare(source, "bytes", &dump(&bytes))?;
    for (extension, text) in [
        ("sym", std::fs::read_to_string(program.with_extension("sym"))?),
        ("vs", std::fs::read_to_string(program.with_extension("vs"))?),
        ("out", format!("{out}{err}")),
    ] {
        if source.with_extension(extension).exists() || (extension == "out" && !text.is_empty()) {
            compare(source, extension, &text)?;
        }
    }
    Ok(())
}

/// `1000: a9 01 …`, sixteen bytes a line, from the load address on.
fn dump(program: &[u8]) -> String {
    let Some((address, bytes)) = program.split_first_chunk::<2>() else { return String::new() };
    let start = usize::from(u16::from_le_bytes(*address));
    let line = |(row, bytes): (usize, &[u8])| {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{:04x}: {}\n", start + row * 16, hex.join(" "))
    };
    bytes.chunks(16).enumerate().map(line).collect()
}

fn err(source: &Path) -> Result<(), Failed> {
    let output = tempo(source, &["--check", "--message-format", "json"])?;
    let (out, problems) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() != Some(1) {
        return Err(format!("ended with {}, expected 1:\n{out}{problems}", output.status).into());
    }
    let mut wanted = expected(source)?;
    let mut surplus = Vec::new();
    for line in out.lines() {
        let value: serde_json::Value = serde_json::from_str(line)?;
        if value["type"] != "diagnostic" {
            continue;
        }
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let place = (value["at"]["file"].as_str().map(str::to_owned), value["at"]["line"].as_u64());
        let found = wanted.iter().position(|want| {
            (want.file.clone(), want.line) == place
                && want.severity == text("severity")
                && text("message").contains(&want.text)
        });
        match found {
            Some(index) => drop(wanted.remove(index)),
            None => surplus.push(text("rendered")),
        }
    }
    if !wanted.is_empty() || !surplus.is_empty() {
        return Err(format!(
            "expected but not reported: {wanted:#?}\nreported but not expected:\n{}",
            surplus.concat()
        )
        .into());
    }
    if source.with_extension("human").exists() {
        let output = tempo(source, &["--check"])?;
        compare(source, "human", &String::from_utf8_lossy(&output.stderr))?;
    }
    Ok(())
}

/// A fault that a comment announces.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    file: Option<String>,
    line: Option<u64>,
    severity: String,
    text: String,
}

fn expected(source: &Path) -> Result<Vec<Expected>, Failed> {
    let mut expected = BTreeSet::new();
    let folder = source.parent().expect("a source lies in a folder");
    let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // Imported files are named NAME-something.inc.
    let mut files: Vec<PathBuf> = vec![source.to_path_buf()];
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(&format!("{stem}-")) && name.ends_with(".inc") {
            files.push(path);
        }
    }
    for path in files {
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        for (index, line) in text.lines().enumerate() {
            for severity in ["error", "warning"] {
                for part in line.split("// ").skip(1) {
                    let Some(text) = part.strip_prefix(&format!("{severity}: ")) else { continue };
                    expected.insert(Expected {
                        file: path.file_name().map(|name| name.to_string_lossy().into_owned()),
                        line: Some(index as u64 + 1),
                        severity: severity.into(),
                        text: text.trim().into(),
                    });
                }
            }
        }
    }
    let nowhere = std::fs::read_to_string(source.with_extension("nowhere")).unwrap_or_default();
    for text in nowhere.lines() {
        expected.insert(Expected { file: None, line: None, severity: "error".into(), text: text.into() });
    }
    Ok(expected.into_iter().collect())
}
