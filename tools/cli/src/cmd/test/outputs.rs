//! The files a run leaves behind. All are written whole or not at all.

use std::collections::HashMap;
use std::path::Path;

use harness::events::Event;
use harness::report;

use super::args::{Args, CoverageArg};
use crate::files::{Outputs, is_stdout, read_limited};

/// Whether a report needs more of the events than their verdicts.
pub fn needs_events(args: &Args) -> bool {
    args.junit.is_some() || args.trace_file.is_some()
}

/// Whether a report goes to standard output, so that the verdicts go to standard error.
pub fn take_stdout(args: &Args) -> bool {
    let paths = [&args.junit, &args.coverage_file, &args.trace_file, &args.save_bench];
    paths.into_iter().flatten().any(|path| is_stdout(path))
}

pub fn write_all(args: &Args, events: &[Event]) -> Result<(), String> {
    let mut outputs = Outputs::default();
    let mut write = |path: &Path, text: &str| outputs.add(path, text.as_bytes());
    if let Some(path) = &args.junit {
        write(path, &report::junit(events)?);
    }
    if !args.coverage.is_empty() {
        let files = report::merge_coverage(events);
        if files.is_empty() {
            super::say(
                "warning: no coverage: no suite assembles its program with `assemble(…)`, so no source lines are known",
            );
        }
        for form in &args.coverage {
            let (text, default) = match form {
                CoverageArg::Lcov => (report::lcov(&files), "lcov.info"),
                CoverageArg::Html => (report::html(&files), "coverage.html"),
            };
            write(args.coverage_file.as_deref().unwrap_or(Path::new(default)), &text);
        }
    }
    if let Some(path) = &args.profile {
        write(&path.with_extension("svg"), &report::flame_graph(events));
        let folded = match path.extension() {
            Some(extension) if extension != "svg" => path.clone(),
            _ => path.with_extension("folded"),
        };
        write(&folded, &report::folded(events));
    }
    if let Some(path) = &args.trace_file {
        write(path, &report::trace_text(events));
    }
    if let Some(path) = &args.save_bench {
        write(path, &report::write_benches(events));
    }
    outputs.write().map_err(|err| format!("cannot write {}: {}", err.path.display(), err.error))
}

pub fn read_baseline(path: &Path) -> Result<HashMap<String, u64>, String> {
    let bytes =
        read_limited(path, 16 << 20).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{} is not text", path.display()))?;
    report::read_benches(&text).map_err(|err| format!("{}: {err}", path.display()))
}
