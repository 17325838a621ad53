//! Recordings (`.tempo`): failing tests as files, and files as targets. A test's sources are in its file, so it is run
//! again from them; the machine and its actions are those of the file as long as this version can read them.

use std::sync::Arc;

use tempo_assembler::{Files, Options, assemble};
use tempo_debug::recorded::{Answers, Log};
use tempo_debug::{Recording, Setup, Target};
use tempo_diagnostics::Sources;
use tempo_harness::parse::Dialect;
use tempo_harness::run::RunOptions;
use tempo_rig::MOST_CYCLES;
use tempo_rig::file::{self, About, Course, Kind, RecordingFile, SourceSet};
use tempo_rig::record::first_failure;

use crate::host::Host;
use crate::launch::{Launched, Refused, Suite, TestOptions, messages, plain};

/// The most cases of `forall` when a recording runs again, ten times what a test has as a rule.
const MOST_CASES: u64 = 100_000_000;

/// A test, by `suite/id`, and its recording as the bytes of a file; or why it has none.
pub type Recorded = (String, Result<Vec<u8>, String>);

/// Records tests of a suite, by `suite/id`, each as the bytes of a file; or why a test has none. Files that `rename` leads
/// elsewhere have that name in the recording.
pub fn record_tests(
    path: &str,
    bytes: &[u8],
    files: &dyn Files,
    ids: &[String],
    options: &TestOptions,
    rename: &dyn Fn(&str) -> String,
) -> Result<Vec<Recorded>, String> {
    let log = Log::new(files);
    log.note(path, bytes);
    let suite = Suite::new(path, bytes, &log, options).map_err(|(message, _)| message)?;
    let roms = roms(&suite);
    let (sources, roms) = without_roms(log.sources(rename), &roms);
    let record = |id: &String| {
        let recording = suite.record(id, options)?;
        let Some((cycle, span, message)) = recording.first_failure() else {
            return Err("it does not fail when it is run again alone".to_string());
        };
        let at = recording.location(span);
        let about = About {
            tempo: env!("CARGO_PKG_VERSION").to_string(),
            kind: Kind::Test,
            program: rename(path),
            test: id.clone(),
            message: message.to_string(),
            file: rename(&at.file),
            line: at.line,
            cycle,
            system: recording.machine.system.name().to_string(),
            seed: options.run.seed,
            isolate: options.run.isolate,
            compat: options.dialect == Dialect::Base,
            legacy_sum_reads: options.legacy_sum_reads,
            max_cycles: options.run.max_cycles,
            max_cases: options.run.max_cases,
            defines: options.defines.clone(),
            command: format!("{} {} --test {id}", options.run.command, rename(path)),
            roms: roms.clone(),
            ..About::default()
        };
        let course = Course {
            machine: recording.machine.clone(),
            actions: recording.actions.to_vec(),
            loaded: recording.loaded.clone(),
        };
        // A saved machine holds what is in its ROM sockets.
        let course = Some(&course).filter(|_| roms.is_empty());
        Ok(file::write(&about, course, &sources, None))
    };
    Ok(ids.iter().map(|id| (id.clone(), record(id))).collect())
}

/// The ROM images that the tests of a suite name.
fn roms(suite: &Suite) -> Vec<Arc<[u8]>> {
    let tests = suite.plan.suites.iter().flat_map(|suite| &suite.tests);
    let all = tests.map(|test| &test.place.roms).flat_map(|roms| [&roms.basic, &roms.kernal, &roms.chargen]);
    all.flatten().cloned().collect()
}

/// A ROM that is not in a recording: its path, its length and its checksum.
type RomFact = (String, usize, u64);

/// The sources without the images of ROMs, which belong to others, and facts about those.
fn without_roms(mut sources: SourceSet, roms: &[Arc<[u8]>]) -> (SourceSet, Vec<RomFact>) {
    let mut facts = Vec::new();
    for (path, bytes) in &mut sources.files {
        if roms.iter().any(|rom| **rom == **bytes) {
            facts.push((path.clone(), bytes.len(), tempo_emu::checksum(bytes)));
            bytes.clear();
        }
    }
    (sources, facts)
}

/// Opens a recording.
pub(crate) fn launch(path: &str, host: &dyn Host, setup: &Setup) -> Result<Launched, Refused> {
    let bytes = host.read(path).map_err(plain)?;
    let mut file = file::read(&bytes).map_err(|err| plain(format!("{path}: {err}")))?;
    for (rom, length, sum) in &file.about.roms {
        let ask = |why: &str| {
            plain(format!(
                "{path} was recorded with the ROM {rom}, which is not in it ({why}); put the file there"
            ))
        };
        let image = host.read(rom).map_err(|err| ask(&err))?;
        if image.len() != *length || tempo_emu::checksum(&image) != *sum {
            return Err(ask("the file there is another one"));
        }
        let place = file.sources.files.iter_mut().find(|(known, _)| known == rom);
        place.into_iter().for_each(|(_, bytes)| *bytes = image.clone());
    }
    let (target, lines) =
        open(file, setup).map_err(|(message, lines)| (format!("{path}: {message}"), lines))?;
    Ok(Launched { target, lines, prg: None, is_recorded: true })
}

/// A recording that was read, as a target, with lines to show.
pub fn open(file: RecordingFile, setup: &Setup) -> Result<(Target, Vec<String>), Refused> {
    match file.about.kind {
        Kind::Test => open_test(file, setup),
        Kind::Session => open_session(file, setup),
    }
}

fn head(about: &About) -> String {
    let what = if about.test.is_empty() { &about.program } else { &about.test };
    let what = if what.is_empty() { "a program without sources" } else { what };
    format!("recording of {what}, made by tempo {}", about.tempo)
}

fn open_test(file: RecordingFile, setup: &Setup) -> Result<(Target, Vec<String>), Refused> {
    let RecordingFile { about, course, sources, .. } = file;
    let answers = Answers::new(&sources);
    let dialect = if about.compat { Dialect::Base } else { Dialect::Full };
    let run = RunOptions {
        dialect,
        seed: about.seed,
        isolate: about.isolate,
        // The file may come from a stranger, so 0 does not lift the limit here.
        max_cycles: if about.max_cycles == 0 { MOST_CYCLES } else { about.max_cycles.min(MOST_CYCLES) },
        max_cases: about.max_cases.min(MOST_CASES),
        ..RunOptions::default()
    };
    let (defines, legacy_sum_reads) = (about.defines.clone(), about.legacy_sum_reads);
    let options = TestOptions { dialect, legacy_sum_reads, defines, run };
    let text = sources.get(&about.program);
    let text = text.ok_or_else(|| plain(format!("the suite {} is not in the recording", about.program)))?;
    let suite = Suite::new(&about.program, text, &answers, &options)?;
    let mut recording = suite.record(&about.test, &options).map_err(plain)?;
    let mut lines = vec![head(&about)];
    match course {
        Ok(course) => {
            let failure = first_failure(&course.actions).map(|(_, _, message)| message.to_string());
            recording.machine = course.machine;
            recording.actions = Arc::new(course.actions);
            recording.failures = failure.into_iter().collect();
        }
        Err(err) => {
            let again = recording.first_failure().map(|(cycle, _, message)| (cycle, message.to_string()));
            lines.push(match &again {
                None => format!("made anew ({err}): it failed then, and passes with this version"),
                Some((cycle, message)) if *cycle == about.cycle && *message == about.message => {
                    format!("made anew ({err}): it fails as it did")
                }
                Some((cycle, message)) => format!(
                    "made anew ({err}): differs: it failed at cycle {} ({}), now at {cycle} ({message})",
                    about.cycle, about.message
                ),
            });
        }
    }
    lines.push(match recording.failures.first() {
        Some(message) => format!("{}: {message}", about.test),
        None => format!("{} passes", about.test),
    });
    Ok((suite.target(recording, setup.history), lines))
}

fn open_session(file: RecordingFile, setup: &Setup) -> Result<(Target, Vec<String>), Refused> {
    let RecordingFile { about, course, sources, .. } = file;
    let course = course.map_err(|err| {
        plain(format!("{err}; the recording was made by tempo {}, which opens it", about.tempo))
    })?;
    let mut lines = vec![head(&about)];
    let output = (!about.program.is_empty()).then(|| {
        let options = Options {
            analysis: true,
            source_map: true,
            defines: about.defines.clone(),
            variables: about.vars.clone(),
            ..Options::default()
        };
        assemble(&Answers::new(&sources), &about.program, &options)
    });
    let output = output.filter(|output| {
        if output.has_errors() {
            lines.extend(messages(output));
            lines.push("its sources do not assemble with this version, so there are no lines".to_string());
        }
        !output.has_errors()
    });
    let failure = first_failure(&course.actions).map(|(_, _, message)| message.to_string());
    lines.push(format!("{}: cycle {}", failure.as_deref().unwrap_or("saved"), about.cycle));
    let recording = Recording {
        id: "session".to_string(),
        source: Arc::new(Sources::new()),
        values: Vec::new(),
        names: Vec::new(),
        loaded: course.loaded,
        machine: course.machine,
        actions: Arc::new(course.actions),
        failures: failure.into_iter().collect(),
    };
    let outputs: Vec<_> = output.iter().collect();
    Ok((Target::from_test(recording, &outputs, setup.history), lines))
}
