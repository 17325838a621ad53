//! The files a run leaves behind. All are written whole or not at all.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use tempo_harness::events::{Event, Purpose, TakenPicture};
use tempo_harness::report;
use tempo_host::files::{Outputs, is_stdout, read_limited};

use super::args::{Args, CoverageArg};

/// Whether a report needs more of the events than their verdicts.
pub fn needs_events(args: &Args) -> bool {
    args.junit.is_some() || args.trace_file.is_some() || args.opens_debugger()
}

/// Whether a report goes to standard output, so that the verdicts go to standard error.
pub fn take_stdout(args: &Args) -> bool {
    let paths = [&args.junit, &args.coverage_file, &args.trace_file, &args.save_bench];
    paths.into_iter().flatten().any(|path| is_stdout(path))
}

pub fn write_all(args: &Args, events: &[Event]) -> Result<(), String> {
    let mut outputs = Outputs::default();
    let pictures = pictures(events)?;
    for picture in &pictures {
        let path = Path::new(&picture.path);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|_| picture.purpose == Purpose::Update) {
            outputs.make_folder(folder);
        }
        outputs.add(path, &picture.png[..]);
    }
    let mut write = |path: &Path, bytes: &[u8]| outputs.add(path, bytes);
    if let Some(path) = &args.junit {
        write(path, report::junit(events).as_bytes());
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
                CoverageArg::Cobertura => (report::cobertura(&files, "."), "cobertura.xml"),
            };
            write(args.coverage_file.as_deref().unwrap_or(Path::new(default)), text.as_bytes());
        }
    }
    if let Some(path) = &args.profile {
        write(&path.with_extension("svg"), report::flame_graph(events).as_bytes());
        let folded = match path.extension() {
            Some(extension) if extension != "svg" => path.clone(),
            _ => path.with_extension("folded"),
        };
        write(&folded, report::folded(events).as_bytes());
    }
    if let Some(path) = &args.trace_file {
        write(path, report::trace_text(events).as_bytes());
    }
    if let Some(path) = &args.save_bench {
        write(path, report::write_benches(events).as_bytes());
    }
    outputs.write().map_err(|err| format!("cannot write {}: {}", err.path.display(), err.error))?;
    for picture in pictures.iter().filter(|picture| picture.purpose == Purpose::Update) {
        super::say(&format!("wrote {}", picture.path));
    }
    Ok(())
}

/// The pictures of all tests, each path once. Tests that share a picture must show the same.
fn pictures(events: &[Event]) -> Result<Vec<&TakenPicture>, String> {
    let mut taken: BTreeMap<&str, (&TakenPicture, &str)> = BTreeMap::new();
    for event in events {
        let Event::Test(test) = event else { continue };
        for picture in &test.pictures {
            let (known, by) = taken.entry(&picture.path).or_insert((picture, &test.id));
            if picture.purpose == Purpose::Update && known.png != picture.png {
                return Err(format!(
                    "--update: `{by}` and `{}` take different snapshots as {}; give them different names",
                    test.id, picture.path
                ));
            }
        }
    }
    Ok(taken.into_values().map(|(picture, _)| picture).collect())
}

pub fn read_baseline(path: &Path) -> Result<HashMap<String, u64>, String> {
    let bytes =
        read_limited(path, 16 << 20).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{} is not text", path.display()))?;
    report::read_benches(&text).map_err(|err| format!("{}: {err}", path.display()))
}
