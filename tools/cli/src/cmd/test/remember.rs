//! The failures of the last run, for `--rerun-failed`: a small file in the working folder.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use tempo_harness::events::{Event, Outcome};
use tempo_harness::plan::FilePlan;
use tempo_host::files::{Outlet, Outputs, read_own};

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

/// Those of the failures that are tests of these suites; `None` when there are none.
pub fn still_there(failed: Vec<Failure>, files: &[FilePlan]) -> Option<Vec<Failure>> {
    let tests: HashSet<(&str, &str, &str)> = files
        .iter()
        .flat_map(|file| file.suites.iter().map(move |suite| (file, suite)))
        .flat_map(|(file, suite)| {
            suite.tests.iter().map(move |test| (file.source.name(), suite.name.as_str(), test.id.as_str()))
        })
        .collect();
    let there: Vec<Failure> = failed
        .into_iter()
        .filter(|(file, suite, id)| tests.contains(&(file.as_str(), suite.as_str(), id.as_str())))
        .collect();
    (!there.is_empty()).then_some(there)
}

/// Keeps the failures of this run, and the earlier ones of tests that it left out. A run without any leaves no folder
/// behind, but empties a list that is there.
pub fn write(events: &[Event]) -> Result<(), String> {
    let mut outcomes = HashMap::new();
    let mut read_files = HashSet::new();
    for event in events {
        match event {
            Event::SuiteStarted { file, .. } => {
                read_files.insert(file.as_str());
            }
            Event::Test(test) => {
                let key = (test.location.file.clone(), test.suite_name.clone(), test.id.clone());
                outcomes.insert(key, test.outcome);
            }
            _ => {}
        }
    }
    let is_left_out = |key: &Failure| match outcomes.get(key) {
        Some(outcome) => matches!(outcome, Outcome::Filtered | Outcome::NotRun),
        // The test is gone if its suite was read, or is there no more.
        None => !read_files.contains(key.0.as_str()) && Path::new(&key.0).exists(),
    };
    let before = read().ok().flatten().unwrap_or_default();
    let mut failed: Vec<Failure> = before.into_iter().filter(is_left_out).collect();
    failed.extend(
        outcomes.iter().filter(|(_, outcome)| **outcome == Outcome::Failed).map(|(key, _)| key.clone()),
    );
    failed.sort();
    failed.dedup();
    if failed.is_empty() && !Path::new(FILE).exists() {
        return Ok(());
    }
    let fail = |err: io::Error| format!("note: cannot remember the failures in {FILE}: {err}");
    let outlet = Outlet::open(Path::new("."), "no option names this file; delete the link").map_err(fail)?;
    let mut outputs = Outputs::default();
    if !Path::new(FOLDER).exists() {
        outputs.make_folder_within(&outlet, Path::new(FOLDER));
        // The folder keeps itself out of repositories.
        outputs.add_within(&outlet, &Path::new(FOLDER).join(".gitignore"), *b"*\n");
    }
    let text = serde_json::to_vec_pretty(&failed).unwrap_or_default();
    outputs.add_within(&outlet, Path::new(FILE), text);
    outputs.write().map_err(|err| fail(err.error))
}
