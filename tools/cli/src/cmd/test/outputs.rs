//! The files a run leaves behind. All are written whole or not at all.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use tempo_harness::events::{Event, Purpose, TakenPicture};
use tempo_harness::report;
use tempo_host::files::{Outlet, Outputs, is_stdout, read_limited};
use tempo_source_commands::project::{Project, Setting};

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

pub fn write_all(args: &Args, project: &Project, events: &[Event]) -> Result<(), String> {
    let mut outputs = Outputs::default();
    let pictures = pictures(events)?;
    for picture in &pictures {
        let path = Path::new(&picture.path);
        let outlet =
            outlet_of(path, project).map_err(|err| format!("cannot write {}: {err}", picture.path))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|_| picture.purpose == Purpose::Update) {
            outputs.make_folder_within(&outlet, folder);
        }
        outputs.add_within(&outlet, path, &picture.png[..]);
    }
    let mut write = |path: &Path, bytes: &[u8]| outputs.add(path, bytes);
    // Names that were not typed stay in the folder that the user is in, or in that of the name that was typed.
    let mut unnamed = Vec::new();
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
            match &args.coverage_file {
                Some(path) => write(path, text.as_bytes()),
                None => unnamed.push((PathBuf::from(default), text, "--coverage-file FILE")),
            }
        }
    }
    if let Some(path) = &args.profile {
        let (graph, folded) = (report::flame_graph(events), report::folded(events));
        let has_name = |extension: &str| path.extension().is_some_and(|found| found == extension);
        if has_name("svg") {
            write(path, graph.as_bytes());
        } else {
            unnamed.push((path.with_extension("svg"), graph, "--profile FILE.svg"));
        }
        match path.extension() {
            Some(_) if !has_name("svg") => write(path, folded.as_bytes()),
            _ => unnamed.push((path.with_extension("folded"), folded, "--profile FILE.folded")),
        }
    }
    if let Some(path) = &args.trace_file {
        write(path, report::trace_text(events).as_bytes());
    }
    if let Some(path) = &args.save_bench {
        write(path, report::write_benches(events).as_bytes());
    }
    for (path, text, remedy) in unnamed {
        let outlet = Outlet::open(path.parent().unwrap_or(Path::new("")), remedy)
            .map_err(|err| format!("cannot write {}: {err}", path.display()))?;
        outputs.add_within(&outlet, &path, text);
    }
    outputs.write().map_err(|err| format!("cannot write {}: {}", err.path.display(), err.error))?;
    for picture in pictures.iter().filter(|picture| picture.purpose == Purpose::Update) {
        super::say(&format!("wrote {}", picture.path));
    }
    Ok(())
}

/// The folder that a picture of a suite must stay in: the project, or what the user typed of suites elsewhere.
fn outlet_of(path: &Path, project: &Project) -> io::Result<Outlet> {
    const REMEDY: &str = "tempo test PATH, with a folder around both";
    let whole = tempo_assembler::search::clean(&std::path::absolute(path)?);
    let typed = project.test_paths().into_iter().filter_map(|path| std::path::absolute(path).ok());
    let typed = typed.map(|path| tempo_assembler::search::clean(&path));
    let mut typed = typed.map(|path| if path.is_dir() { path } else { path.with_file_name("") });
    let is_typed = !project.is_from_file(Setting::TestPaths);
    let around = typed.find(|folder| is_typed && whole.starts_with(folder));
    match around {
        Some(folder) if !whole.starts_with(project.root()) => Outlet::open(&folder, REMEDY),
        _ => Outlet::open(project.root(), REMEDY),
    }
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
