//! `--record-failures`: a file for each test that failed, which the debugger opens anywhere, with its past and its sources.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tempo_assembler::search::clean;
use tempo_dap::TestOptions;
use tempo_dap::recording::record_tests;
use tempo_harness::events::{Event, Outcome};
use tempo_harness::run::RunOptions;
use tempo_host::files::{Outlet, Outputs, read_own};
use tempo_machine_commands::suite_files::Disk;
use tempo_source_commands::project::Project;

use super::args::Args;

/// Files that a run leaves; a run in which everything fails has one cause.
const MOST: usize = 20;
/// A recording with the largest RAM expansion is larger than this, and is written with a warning.
const LARGE: usize = 1 << 20;

/// The tests that failed: the suite's file, and `suite/id`.
pub fn failures(events: &[Event]) -> Vec<(String, String)> {
    let mut files: HashMap<usize, &str> = HashMap::new();
    let mut failed = Vec::new();
    for event in events {
        match event {
            Event::SuiteStarted { suite, file, .. } => {
                files.insert(*suite, file);
            }
            Event::Test(test) if test.outcome == Outcome::Failed => {
                let file = files.get(&test.suite).copied().unwrap_or(&test.location.file);
                failed.push((file.to_string(), format!("{}/{}", test.suite_name, test.id)));
            }
            _ => {}
        }
    }
    failed
}

/// Records the failures of a run.
pub fn write(
    args: &Args,
    project: &Project,
    disk: &Disk,
    options: &RunOptions,
    events: &[Event],
) -> Result<(), String> {
    let Some(folder) = &args.record_failures else { return Ok(()) };
    let failed = failures(events);
    if failed.len() > MOST {
        super::say(&format!("note: {} tests failed; the first {MOST} are recorded", failed.len()));
    }
    let mut suites: Vec<(String, Vec<String>)> = Vec::new();
    for (file, id) in failed.into_iter().take(MOST) {
        match suites.iter_mut().find(|(known, _)| *known == file) {
            Some((_, ids)) => ids.push(id),
            None => suites.push((file, vec![id])),
        }
    }
    if suites.is_empty() {
        return Ok(());
    }
    let fail = |err: &dyn std::fmt::Display| format!("cannot write to {}: {err}", folder.display());
    let outlet = Outlet::make(folder, "--record-failures DIR").map_err(|err| fail(&err))?;
    let options = TestOptions {
        dialect: options.dialect,
        legacy_sum_reads: args.legacy_sum_reads,
        defines: super::shared_defines(project),
        run: options.clone(),
    };
    let names = Names::new(project);
    let mut outputs = Outputs::default();
    let mut written: Vec<(PathBuf, usize)> = Vec::new();
    for (file, ids) in suites {
        let bytes = disk.read_suite(Path::new(&file))?;
        let recorded = record_tests(&file, &bytes, disk, &ids, &options, &|path| names.of(path))?;
        for (id, recording) in recorded {
            let recording = match recording {
                Ok(recording) => recording,
                Err(why) => {
                    super::say(&format!("note: {id} is not recorded: {why}"));
                    continue;
                }
            };
            let mut path = folder.join(format!("{}.tempo", plain(&id)));
            // Suites of different files may share their names.
            let mut number = 2;
            while written.iter().any(|(known, _)| *known == path) {
                path = folder.join(format!("{}-{number}.tempo", plain(&id)));
                number += 1;
            }
            if path.exists() && !is_recording(&path) {
                return Err(format!("{} is there already, and is not a recording", path.display()));
            }
            written.push((path.clone(), recording.len()));
            outputs.add_within(&outlet, &path, recording);
        }
    }
    outputs.write().map_err(|err| format!("cannot write {}: {}", err.path.display(), err.error))?;
    for (path, size) in written {
        let remark = if size > LARGE { ", which is large: does it hold a RAM expansion?" } else { "" };
        let shown = path.display();
        super::say(&format!(
            "recorded {shown} ({} KB{remark}); open it with: tempo debug {shown}",
            size.div_ceil(1024)
        ));
    }
    Ok(())
}

fn is_recording(path: &Path) -> bool {
    // It is no input of this run: a recording of an earlier one is replaced.
    read_own(path, 64 << 20).is_ok_and(|bytes| bytes.starts_with(b"TEMPOREC"))
}

/// A name for a file, on every system.
fn plain(id: &str) -> String {
    let name: String = id
        .chars()
        .map(|character| match character {
            '/' => '.',
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' | '[' | ']' | '=' | ',' => character,
            _ => '-',
        })
        .take(120)
        .collect();
    name.trim_matches('.').to_string()
}

/// The names of files in a recording: as they are below the project, without the folders around it.
pub struct Names {
    here: PathBuf,
    root: PathBuf,
}

impl Names {
    /// For the files of a project, or of the working folder.
    pub fn new(project: &Project) -> Names {
        let here = std::env::current_dir().unwrap_or_default();
        let root = if project.is_there() { clean(&here.join(project.root())) } else { here.clone() };
        Names { here, root }
    }

    /// The name of a file.
    pub fn of(&self, path: &str) -> String {
        let whole = clean(&self.here.join(path));
        let inside = whole.strip_prefix(&self.root).or_else(|_| whole.strip_prefix(&self.here));
        let parts = |path: &Path| {
            let parts =
                path.components().map(|part| part.as_os_str().to_string_lossy().replace(['\\', ':'], "-"));
            parts.collect::<Vec<_>>().join("/")
        };
        match inside {
            Ok(inside) if !inside.as_os_str().is_empty() => parts(inside),
            // Two files outside may share their names, so the folders around them are told apart by a number.
            _ => {
                let sum = tempo_emu::checksum(whole.parent().unwrap_or(&whole).to_string_lossy().as_bytes());
                let name =
                    whole.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                format!("outside/{:08x}/{}", sum as u32, parts(Path::new(&name)))
            }
        }
    }
}
