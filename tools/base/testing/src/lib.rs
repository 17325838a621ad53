#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod fuzz;
pub mod grammar;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pretty_assertions::StrComparison;
use tempo_random::Random;

/// The folder that holds the fixtures, wherever the test was started from.
pub fn fixtures() -> PathBuf {
    root().join("tests")
}

/// The project's root folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(3)
        .expect("this crate is three folders below the root")
}

/// Whether expectations are to be rewritten (`UPDATE=1 make test`).
pub fn updating() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// Says under `UPDATE=1` that an oracle stays as it is: a published result is never rewritten by what it judges.
pub fn keep_published(oracle: &str) {
    if updating() {
        eprintln!(
            "UPDATE=1 does not rewrite {oracle}: it was published elsewhere, and differences are failures"
        );
    }
}

/// How many rounds a bounded, seeded search for trouble makes: `FUZZ=100` makes it a hundred times as many, `COUNT=1000000`
/// makes just this many of those that usually are a hundred or more.
pub fn rounds(usual: u64) -> u64 {
    match number("COUNT") {
        Some(count) if usual >= 100 => count,
        _ => usual.saturating_mul(number("FUZZ").unwrap_or(1)),
    }
}

/// The rounds of such a search, counted from 0. `MINUTES=10` goes on that long instead, and says how many it made, where
/// they usually are a hundred or more.
pub fn tries(usual: u64) -> Tries {
    match number("MINUTES").filter(|_| usual >= 100) {
        Some(minutes) => {
            Tries { next: 0, end: u64::MAX, until: Some(Instant::now() + Duration::from_secs(60 * minutes)) }
        }
        None => Tries { next: 0, end: rounds(usual), until: None },
    }
}

/// The numbers of the rounds of a search.
#[derive(Debug)]
pub struct Tries {
    next: u64,
    end: u64,
    until: Option<Instant>,
}

impl Iterator for Tries {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.next >= self.end || self.until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}

impl Drop for Tries {
    fn drop(&mut self) {
        if self.until.is_some() {
            let thread = std::thread::current();
            eprintln!("{}: {} rounds", thread.name().unwrap_or("search"), self.next);
        }
    }
}

/// Where the random numbers of such a search begin: `SEED=7` looks elsewhere. Where every input has its own number,
/// `COUNT=1` repeats one, and searches whose seeds are closer than their rounds share inputs.
pub fn seed() -> u64 {
    number("SEED").unwrap_or(1)
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}

/// The text of a fixture.
///
/// # Panics
///
/// If the file cannot be read or is not UTF-8.
pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

/// The bytes of a fixture.
///
/// # Panics
///
/// If the file cannot be read.
pub fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

/// The name of a fixture: its file name without the extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compares a result with the file that holds the expected one; with `UPDATE=1`, rewrites the file instead.
pub fn compare(path: &Path, actual: &str) -> Result<(), String> {
    if updating() {
        return std::fs::write(path, actual).map_err(|err| format!("{}: {err}", path.display()));
    }
    let expected = std::fs::read_to_string(path)
        .map_err(|err| format!("{}: {err}; UPDATE=1 writes it. Found:\n{actual}", path.display()))?;
    if expected == actual {
        return Ok(());
    }
    let difference = StrComparison::new(&expected, actual);
    Err(format!("{} differs; UPDATE=1 rewrites it\n{difference}", path.display()))
}

/// All files below `folder` with this extension, sorted by path.
///
/// # Panics
///
/// If a folder cannot be read.
pub fn files_with_extension(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|err| panic!("{}: {err}", folder.display()));
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A damaged copy of an input, for readers that must survive anything: up to four times a stretch is
/// removed, copied elsewhere, overwritten, cut off, or replaced by one of `words`.
///
/// # Panics
///
/// If `words` is empty.
pub fn damage(random: &mut Random, input: &[u8], words: &[&[u8]]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.index(4) {
        let at = random.index(bytes.len() + 1);
        let end = (at + random.index(40)).min(bytes.len());
        match random.index(6) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.truncate(at),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = random.index(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            3 => drop(bytes.splice(at..at, random.pick(words).iter().copied())),
            4 => drop(bytes.splice(at..end, random.pick(words).iter().copied())),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.next_u8();
                }
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_are_where_they_are_said_to_be() {
        assert!(root().join("Cargo.toml").is_file());
        assert!(fixtures().join("perft").is_dir());
    }

    #[test]
    fn damage_is_repeatable_and_changes_most_inputs() {
        let damaged = |seed| damage(&mut Random::new(seed), b"{\"a\": [1, 2, 3]}", &[b"null", b"]"]);
        assert_eq!(damaged(1), damaged(1));
        let changed = (0..100).filter(|&seed| damaged(seed) != b"{\"a\": [1, 2, 3]}").count();
        assert!(changed > 80, "{changed}");
    }

    #[test]
    fn a_difference_is_reported_with_the_file() {
        let path = fixtures().join("enochian/perft.txt");
        if !updating() {
            assert!(compare(&path, &text(&path)).is_ok());
            let message = compare(&path, "something else\n").unwrap_err();
            assert!(message.contains("perft.txt differs; UPDATE=1 rewrites it"), "{message}");
            assert!(compare(&fixtures().join("nowhere"), "").unwrap_err().contains("UPDATE=1 writes it"));
        }
    }
}
