//! Bad input: every file in `faults/` beside the faults it must get, and mangled files that must never
//! panic. `FUZZ=N` mangles N times as many files.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use tempo_diagnostics::{Columns, Source};
use tempo_enochian::{EMBEDDED_YAML, Fault, Position, Rulebook, Setup};
use tempo_random::Random;

pub fn trials() -> Vec<Trial> {
    let folder = tempo_testing::fixtures().join("enochian/faults");
    let mut trials = Vec::new();
    for extension in ["json", "yaml", "txt"] {
        for path in tempo_testing::files_with_extension(&folder, extension) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            trials.push(Trial::test(format!("fault {name}"), move || check_faults(&path, extension)));
        }
    }
    if !tempo_testing::updating() {
        trials.push(Trial::test("mangled input never panics", mangle));
    }
    trials
}

fn read(bytes: &[u8], extension: &str) -> Result<(), Vec<Fault>> {
    match extension {
        "yaml" => Rulebook::from_yaml(bytes).map(|_| ()),
        "json" => Position::from_json(bytes, &Setup::base()).map(|_| ()),
        _ => Position::from_text(&String::from_utf8_lossy(bytes), &Setup::base()).map(|_| ()),
    }
}

fn check_faults(path: &Path, extension: &str) -> Result<(), Failed> {
    let bytes = tempo_testing::bytes(path);
    let Err(faults) = read(&bytes, extension) else {
        return Err("it was read without a fault".into());
    };
    let source = Source::from_bytes("", &bytes);
    let line = |fault: &Fault| {
        let at = source.position(fault.span.unwrap_or_default().start, Columns::Characters);
        let Fault { pointer, message, code, .. } = fault;
        let colon = if pointer.is_empty() { "" } else { ": " };
        format!("{}:{}: {pointer}{colon}{message} [{code}]\n", at.line, at.column)
    };
    let lines: String = faults.iter().map(line).collect();
    let beside = PathBuf::from(format!("{}.err", path.display()));
    Ok(tempo_testing::compare(&beside, &lines)?)
}

/// Damaged copies of sound files: whatever comes out is an answer or a fault.
fn mangle() -> Result<(), Failed> {
    let mut corpus: Vec<(Vec<u8>, &str)> = vec![(EMBEDDED_YAML.as_bytes().to_vec(), "yaml")];
    let array = Rulebook::embedded().recommended_array().position();
    corpus.push((array.to_text().into_bytes(), "txt"));
    corpus.push((array.to_json(tempo_enochian::Layout::Lines).into_bytes(), "json"));
    for extension in ["json", "yaml", "txt"] {
        for path in
            tempo_testing::files_with_extension(&tempo_testing::fixtures().join("enochian"), extension)
        {
            corpus.push((tempo_testing::bytes(&path), extension));
        }
    }
    let words: [&[u8]; 14] = [
        b"[",
        b"]",
        b"{",
        b"}",
        b"\"",
        b":",
        b"\n",
        b"&a ",
        b"*a",
        b"- ",
        b"\xff",
        b"999999999999",
        b"null",
        "ß".as_bytes(),
    ];
    let mut random = Random::new(tempo_testing::seed());
    for _ in tempo_testing::tries(1500) {
        let (bytes, extension) = random.pick(&corpus);
        let bytes = tempo_testing::damage(&mut random, bytes, &words);
        let _ = read(&bytes, extension);
    }
    Ok(())
}
