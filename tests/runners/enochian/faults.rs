//! Bad input: every file in `faults/` beside the faults it must get, and mangled files that must never
//! panic. `FUZZ=N` mangles N times as many files.

use std::fs;
use std::path::PathBuf;

use enochian::{EMBEDDED_YAML, PlacedFault, Position, Rulebook, Setup};
use libtest_mimic::{Failed, Trial};

use super::fixtures::check_file;

pub fn trials() -> Vec<Trial> {
    let folder = tests::fixtures().join("enochian/faults");
    let mut trials = Vec::new();
    for extension in ["json", "yaml", "txt"] {
        for path in tests::files_with_extension(&folder, extension) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            trials.push(Trial::test(format!("fault {name}"), move || check_faults(&path, extension)));
        }
    }
    if !tests::updating() {
        trials.push(Trial::test("mangled input never panics", mangle));
    }
    trials
}

fn read(bytes: &[u8], extension: &str) -> Result<(), Vec<PlacedFault>> {
    match extension {
        "yaml" => Rulebook::from_yaml(bytes).map(|_| ()),
        "json" => Position::from_json(bytes, &Setup::base()).map(|_| ()),
        _ => Position::from_text(&String::from_utf8_lossy(bytes), &Setup::base()).map(|_| ()),
    }
}

fn check_faults(path: &PathBuf, extension: &str) -> Result<(), Failed> {
    let Err(faults) = read(&fs::read(path)?, extension) else {
        return Err("it was read without a fault".into());
    };
    let lines: String = faults.iter().map(|fault| format!("{fault}\n")).collect();
    let beside = PathBuf::from(format!("{}.err", path.display()));
    check_file(&beside, &fs::read_to_string(&beside).unwrap_or_default(), &lines)
}

/// Cuts, doubles, swaps and overwrites stretches of sound files; whatever comes out is an answer or a fault.
fn mangle() -> Result<(), Failed> {
    let rounds = tests::rounds(1500);
    let mut corpus: Vec<(Vec<u8>, &str)> = vec![(EMBEDDED_YAML.as_bytes().to_vec(), "yaml")];
    let array = Rulebook::embedded().recommended_array().position();
    corpus.push((array.to_text().into_bytes(), "txt"));
    corpus.push((array.to_json(enochian::Layout::Lines).into_bytes(), "json"));
    for extension in ["json", "yaml", "txt"] {
        for path in tests::files_with_extension(&tests::fixtures().join("enochian"), extension) {
            corpus.push((fs::read(path)?, extension));
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
    let mut state = 1u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % below.max(1)
    };
    for _ in 0..rounds {
        let (bytes, extension) = &corpus[next(corpus.len())];
        let mut bytes = bytes.clone();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            let end = (at + next(40)).min(bytes.len());
            match next(5) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.truncate(at),
                2 => {
                    let piece = bytes[at..end].to_vec();
                    let to = next(bytes.len());
                    bytes.splice(to..to, piece);
                }
                3 => {
                    let word = words[next(words.len())];
                    bytes.splice(at..at, word.iter().copied());
                }
                _ if at < bytes.len() => bytes[at] = next(256) as u8,
                _ => {}
            }
        }
        let _ = read(&bytes, extension);
    }
    Ok(())
}
