//! What failed last time, for `--rerun-failed`: a small file in the working folder.

use std::io;
use std::path::Path;

use harness::events::{Event, Outcome};

use crate::files::{read_own, write_atomic};

const FOLDER: &str = ".tempo";
const FILE: &str = ".tempo/failed.json";

/// File, suite and id of a test.
type Failure = (String, String, String);

/// Each test that failed; `None` when nothing did.
pub fn read() -> Result<Option<Vec<Failure>>, String> {
    match read_own(Path::new(FILE), 64 << 20) {
        Ok(bytes) => {
            let failed: Vec<Failure> = serde_json::from_slice(&bytes)
                .map_err(|err| format!("{FILE} is damaged ({err}); delete it and run all tests once"))?;
            Ok((!failed.is_empty()).then_some(failed))
        }
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(format!("cannot read {FILE}: {err}")),
    }
}

/// Keeps the failures of this run. A run without any leaves no folder behind, but empties a list that is there.
/// A rerun keeps failures of tests it did not run.
pub fn write(events: &[Event], is_rerun: bool) -> Result<(), String> {
    let mut failed = Vec::new();
    let mut ran = std::collections::HashSet::new();
    for event in events {
        let Event::Test(test) = event else { continue };
        let key = (test.location.file.clone(), test.suite_name.clone(), test.id.clone());
        match test.outcome {
            Outcome::Failed => {
                ran.insert(key.clone());
                failed.push(key);
            }
            Outcome::Passed => {
                ran.insert(key);
            }
            _ => {}
        }
    }
    if is_rerun && let Ok(Some(before)) = read() {
        failed.extend(before.into_iter().filter(|key| !ran.contains(key)));
        failed.sort();
        failed.dedup();
    }
    if failed.is_empty() && !Path::new(FILE).exists() {
        return Ok(());
    }
    let fail = |err: io::Error| format!("note: cannot remember the failures in {FILE}: {err}");
    if !Path::new(FOLDER).exists() {
        std::fs::create_dir(FOLDER).map_err(fail)?;
        // The folder keeps itself out of repositories.
        write_atomic(&Path::new(FOLDER).join(".gitignore"), b"*\n").map_err(fail)?;
    }
    let text = serde_json::to_vec_pretty(&failed).unwrap_or_default();
    write_atomic(Path::new(FILE), &text).map_err(fail)
}
