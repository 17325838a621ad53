//! What the runners share: where the fixtures are, and how a folder of them is walked.
//! Knows nothing of any one subject; the runners in `runners/` do.

use std::path::{Path, PathBuf};

/// The folder that holds the fixtures, wherever the test was started from.
pub fn fixtures() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The project's root folder.
pub fn root() -> &'static Path {
    fixtures().parent().expect("tests/ lies in the project root")
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

/// How many rounds a bounded, seeded search for trouble makes: `FUZZ=100` makes it a hundred times as many.
pub fn rounds(usual: u64) -> u64 {
    usual.saturating_mul(number("FUZZ").unwrap_or(1))
}

/// Where the random numbers of such a search begin: `SEED=7` looks elsewhere.
pub fn seed() -> u64 {
    number("SEED").unwrap_or(1)
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}

/// All files below `folder` with this extension, sorted by path.
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
