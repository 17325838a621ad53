//! The file of `--save-bench` and `--compare-bench`: cycles of every `bench` block.

use std::collections::{BTreeMap, HashMap};

use crate::events::{Event, Outcome};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    #[error("not a bench file: {0}")]
    Malformed(String),
}

/// Suite and id to cycles, as JSON, sorted, one a line: made to be committed and compared.
pub fn write_benches(events: &[Event]) -> String {
    let mut all: BTreeMap<String, u64> = BTreeMap::new();
    for event in events {
        if let Event::Test(test) = event
            && test.is_bench
            && test.outcome == Outcome::Passed
        {
            all.insert(format!("{}/{}", test.suite_name, test.id), test.cycles);
        }
    }
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    text
}

pub fn read_benches(text: &str) -> Result<HashMap<String, u64>, BenchError> {
    serde_json::from_str(text).map_err(|err| BenchError::Malformed(err.to_string()))
}
