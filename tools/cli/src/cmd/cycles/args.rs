//! The command line of `tempo cycles`, and the suite that is made of it.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use tempo_emu::System;
use tempo_harness::ast::{EntryKind, TestKind};
use tempo_harness::measure::Asked;
use tempo_harness::measure::inputs::{Calls, inputs, quoted, registers, target};
use tempo_source_commands::project::{self, Project, SourceFlags};
use tempo_source_commands::systems;

use super::saved::Saved;
use super::{Baseline, Disk, Job, Kind, disk};
use crate::cmd::test::suites_of;

/// Count the cycles of routines: by input, line, loop and call
///
/// Calls a routine of any program in the emulator, once for each input, and shows its fewest, mean and most cycles, where
/// they go, and which of them page crossings cost. Cycles are counted from the first instruction of the routine to the
/// last of its `rts`, and are exact: two runs give the same figures.
///
/// FILE is a source, which is assembled, a .prg with its symbols, or a suite, whose `bench` blocks are measured. Without
/// --routine, the cycles of all routines of a source are worked out from the instructions, as far as they tell.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Examples:
  tempo cycles main.asm                             every routine that is called, without running it
  tempo cycles main.asm --routine Sum --with x=4    one call
  tempo cycles main.asm --routine Sum --with \"x=0..9, Table=(1, 128)\" --with \"x=255\"
                                                    21 calls: ranges and lists multiply
  tempo cycles tests/plates.6502                    the bench blocks of a suite
  tempo cycles main.asm --routine Sum --callgrind callgrind.out --flame sum.svg
  tempo cycles main.asm --routine Sum --compare HEAD --fail-over 2%
  tempo cycles --compare HEAD                       the benches of the project, else the bounds of its routines
  tempo cycles main.asm --routine Sum --save base.json
  tempo cycles main.asm --routine Sum --baseline base.json --fail-over 0%

An input is a statement of the test language: x=4, c=true, Count=$1234, $0400=32, \"[Table] + 1 = 7\", \
\"bytes([Table], 1, 2, 3)\". Every input starts on a fresh machine with the program loaded.

Exit codes: 0 fine, 1 slower than --fail-over allows, or a source or call that fails, 2 bad arguments or an \
unreadable file. Without a FILE the main source of the project is meant (tempo.toml). The routines \
of the chess program are measured by `tempo chess cycles`.")]
pub struct Args {
    /// A source, a .prg, a suite, or a folder of suites
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// The label or address to call; may be repeated
    #[arg(short, long, value_name = "LABEL", value_parser = target)]
    pub routine: Vec<String>,

    /// Inputs: NAME=VALUE,…; a value may be a range 0..9 or a list (1, 2); may be repeated
    #[arg(short, long, value_name = "INPUT", allow_hyphen_values = true)]
    pub with: Vec<String>,

    /// Return at once from this address, as from a ROM routine that is not there; may be repeated
    #[arg(long, value_name = "LABEL", value_parser = target)]
    pub stub: Vec<String>,

    /// The machine [default: 6502]; `tempo run --help` lists all
    #[arg(long, value_name = "SYSTEM", value_parser = systems::parser(), hide_possible_values = true)]
    pub system: Option<System>,

    /// Cycles after which a call without an end fails; 0 is never
    #[arg(long, value_name = "N", default_value_t = 200_000_000)]
    pub max_cycles: u64,

    /// Also measure the `test` blocks of a suite
    #[arg(long, help_heading = "Suites")]
    pub tests: bool,

    /// Only benches whose id matches: * any run, ? one character
    #[arg(long, value_name = "GLOB", help_heading = "Suites")]
    pub filter: Option<String>,

    /// The symbols of a .prg [default: FILE.sym or FILE.vs, if there is one]
    #[arg(long, value_name = "FILE")]
    pub symbols: Option<PathBuf>,

    /// Measure a git revision, too, and show what changed; programs are taken from it, suites as they are. Without a
    /// routine or suite: the benches of the project, or else the bounds of every routine
    #[arg(long, value_name = "REV", conflicts_with = "baseline", help_heading = "Comparing")]
    pub compare: Option<String>,

    /// Show what changed since --save
    #[arg(long, value_name = "FILE", help_heading = "Comparing")]
    pub baseline: Option<PathBuf>,

    /// Exit with 1 if a mean or maximum grew by more than this; with --compare or --baseline
    #[arg(long, value_name = "PERCENT", help_heading = "Comparing")]
    pub fail_over: Option<String>,

    /// Keep the measurement for --baseline
    #[arg(long, value_name = "FILE", help_heading = "Comparing")]
    pub save: Option<PathBuf>,

    /// List every line that ran, also of a long program
    #[arg(long, help_heading = "Reports")]
    pub listing: bool,

    /// Write a flame graph, or folded stacks if FILE ends in .folded
    #[arg(long, value_name = "FILE.svg", help_heading = "Reports")]
    pub flame: Option<PathBuf>,

    /// Write a profile for KCachegrind and callgrind_annotate
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub callgrind: Option<PathBuf>,

    /// The form of the output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Reports")]
    pub format: FormatArg,

    #[command(flatten)]
    pub source: SourceFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, ValueEnum)]
pub enum FormatArg {
    /// Tables
    #[default]
    Human,
    /// As --save writes it
    Json,
}

/// `2%` or `2`.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    match number {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err(format!("--fail-over {text}: write a number of percent, not below 0, such as 2%")),
    }
}

impl Args {
    /// The program: the file, or the main source of the project.
    pub fn program(&self, project: &Project) -> Option<PathBuf> {
        let is_named = self.source.main.is_some() || project.is_there();
        self.file.clone().or_else(|| is_named.then(|| project.main()))
    }

    fn machine(&self) -> System {
        self.system.unwrap_or_default()
    }

    /// The processor of the machine.
    pub fn isa(&self) -> tempo_isa::Cpu {
        self.machine().isa()
    }

    /// How many percent slower is too slow.
    pub fn allowed(&self) -> Result<Option<f64>, String> {
        let allowed = self.fail_over.as_deref().map(percent).transpose()?;
        if allowed.is_some() && self.compare.is_none() && self.baseline.is_none() {
            return Err("--fail-over needs something to compare with: add --compare REV or --baseline FILE"
                .to_string());
        }
        Ok(allowed)
    }

    /// The measurement that the command line asks for.
    pub(super) fn job(&self, project: &Project, baseline: Option<&Baseline>) -> Result<Job, String> {
        let Some(file) = &self.program(project) else {
            return Err("name a program: tempo cycles main.asm --routine Sum --with x=4; \
                 `tempo chess cycles` measures the chess program"
                .to_string());
        };
        let job = self.job_of(file, project, baseline)?;
        let Some(Baseline { path, saved }) = baseline else { return Ok(job) };
        let path = path.display();
        match (saved, job.kind) {
            (Saved::Bounds(_), Kind::Calls) => Err(format!(
                "{path} holds bounds that were worked out without a call; save one of what is measured here"
            )),
            (Saved::Calls(_), Kind::Bounds) => {
                Err(format!("{path} holds measured calls; name what to call: --routine LABEL"))
            }
            _ => Ok(job),
        }
    }

    fn job_of(&self, file: &Path, project: &Project, baseline: Option<&Baseline>) -> Result<Job, String> {
        if file.is_dir() || has_extension(file, "6502") {
            return self.suites(file, project);
        }
        if !file.exists() {
            return Err(format!("there is no file {}", file.display()));
        }
        let is_prg = has_extension(file, "prg");
        if self.symbols.is_some() && !is_prg {
            return Err("--symbols is for a .prg; a source has its own symbols".to_string());
        }
        if !self.routine.is_empty() {
            refuse(&[(self.tests, "--tests"), (self.filter.is_some(), "--filter")], "is for suites")?;
            return self.made(file, Kind::Calls);
        }
        if !self.with.is_empty() {
            return Err("name what to call: --routine LABEL".to_string());
        }
        let compares_calls = match baseline {
            // What a command line with a routine measured, no bench does again.
            Some(Baseline { saved: Saved::Calls(calls), .. }) => calls.asked.is_none(),
            Some(_) => false,
            None => self.compare.is_some(),
        };
        if compares_calls && project.is_there() && (self.file.is_none() || project::is_main(project, file)) {
            let suites = benches(project)?;
            if !suites.is_empty() {
                self.refuse_beside_suites()?;
                let shown =
                    project.test_paths().first().map_or(String::new(), |path| path.display().to_string());
                let (kind, inputs, program, registers) = (Kind::Calls, None, None, Vec::new());
                return Ok(Job { shown, suites, kind, inputs, program, registers });
            }
        }
        if is_prg {
            return Err(format!(
                "{} has no source, and without one nothing tells code from data: name a routine with --routine LABEL, or give the source",
                file.display()
            ));
        }
        let calls = [
            (!self.stub.is_empty(), "--stub"),
            (self.callgrind.is_some(), "--callgrind"),
            (self.flame.is_some(), "--flame"),
        ];
        refuse(&calls, "needs a call: add --routine LABEL")?;
        refuse(&[(self.tests, "--tests"), (self.filter.is_some(), "--filter")], "is for suites")?;
        self.made(file, Kind::Bounds)
    }

    fn refuse_beside_suites(&self) -> Result<(), String> {
        if !self.routine.is_empty() || !self.with.is_empty() || !self.stub.is_empty() {
            return Err("--routine, --with and --stub are for programs; a suite says itself what it calls"
                .to_string());
        }
        let options = [(self.symbols.is_some(), "--symbols"), (self.system.is_some(), "--system")];
        refuse(&options, "is for programs; a suite says itself what it loads, and where it runs")
    }

    /// The benches of a suite or a folder of them.
    fn suites(&self, file: &Path, project: &Project) -> Result<Job, String> {
        self.refuse_beside_suites()?;
        let paths = if file.is_dir() { disk::find_suites(file)? } else { vec![file.to_path_buf()] };
        if paths.is_empty() {
            return Err(format!("there are no .6502 files in {}", file.display()));
        }
        let suites = read_suites(project, &paths)?;
        Ok(Job {
            shown: file.display().to_string(),
            suites,
            kind: Kind::Calls,
            inputs: None,
            program: None,
            registers: Vec::new(),
        })
    }

    /// A suite with one bench for each routine and input.
    fn made(&self, file: &Path, kind: Kind) -> Result<Job, String> {
        let mut program = Vec::new();
        if has_extension(file, "prg") {
            program.push(format!("load({}, strip_header = true)", quoted(&disk::shown(file))));
            let beside = ["sym", "vs"].map(|extension| file.with_extension(extension));
            let symbols = self.symbols.as_ref().or_else(|| beside.iter().find(|path| path.exists()));
            program.extend(symbols.map(|symbols| format!("symbols({})", quoted(&disk::shown(symbols)))));
        } else {
            program.push(format!("assemble({})", quoted(&disk::shown(file))));
        }
        let calls = Calls {
            system: self.machine().suite_name(),
            program,
            stubs: &self.stub,
            routines: &self.routine,
            inputs: inputs(&self.with).map_err(|why| format!("--with {why}"))?,
        };
        let (text, known) = calls.suite();
        let suites = vec![("command line".to_string(), text.into_bytes())];
        let (shown, program) = (file.display().to_string(), Some(file.to_path_buf()));
        let registers = registers(&self.with);
        Ok(Job { shown, suites, kind, inputs: Some(known), program, registers })
    }

    /// Whether the inputs are a range to be decided as a whole: a source on a plain machine, and only the bounds are asked.
    pub(super) fn asks_bounds(&self, file: &Path) -> bool {
        let is_source = !has_extension(file, "prg") && !has_extension(file, "6502") && file.is_file();
        let is_plain = self.machine() == System::default() && self.stub.is_empty() && !self.listing;
        let is_alone = self.compare.is_none() && self.baseline.is_none() && self.save.is_none();
        let is_short =
            self.flame.is_none() && self.callgrind.is_none() && !self.tests && self.filter.is_none();
        is_source && is_plain && is_alone && is_short && !self.routine.is_empty()
    }

    /// The settings beside the program that decide the cycles.
    pub fn asked(&self) -> Asked {
        Asked { with: self.with.clone(), system: self.machine().name().to_string(), stubs: self.stub.clone() }
    }
}

/// An option that would do nothing is a mistake.
fn refuse(options: &[(bool, &str)], why: &str) -> Result<(), String> {
    match options.iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => Err(format!("{option} {why}")),
        None => Ok(()),
    }
}

fn read_suites(project: &Project, paths: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let disk = Disk::of_program(project, None);
    paths.iter().map(|path| Ok((disk::shown(path), disk.read_suite(path)?))).collect()
}

/// The suites of the project that have a bench.
fn benches(project: &Project) -> Result<Vec<(String, Vec<u8>)>, String> {
    let disk = Disk::of_program(project, None);
    let mut suites = read_suites(project, &suites_of(project)?)?;
    suites.retain(|(name, bytes)| {
        let Ok(mut source) = tempo_harness::source::Source::from_bytes(name, bytes) else { return false };
        let parsed = tempo_harness::parse::parse(&mut source, tempo_harness::parse::Dialect::Full, &disk);
        parsed.file.suites.iter().any(|suite| has_bench(&suite.entries))
    });
    Ok(suites)
}

fn has_bench(entries: &[tempo_harness::ast::Entry]) -> bool {
    entries.iter().any(|entry| match &entry.kind {
        EntryKind::Test(test) => test.kind == TestKind::Bench,
        EntryKind::Include { entries, .. } => has_bench(entries),
        _ => false,
    })
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
