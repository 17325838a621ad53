//! The short way: one call from a suite's file to its verdicts. Made of `parse`, `check` and `run`, which callers with
//! more wishes use themselves.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::check::{AssemblyCache, CheckOptions, check};
use crate::diag::{Colour, Diagnostic, DiagnosticRecord};
use crate::events::{Event, Outcome, TestReport, Totals};
use crate::files::{FileError, Files};
use crate::parse::parse;
use crate::report::{Format, Style, Told, reporter};
use crate::run::{NoClock, RunOptions, run};
use crate::source::Source;

/// Runs suites with the same files and options. A program that several suites assemble is assembled once.
pub struct Harness<'f> {
    files: &'f dyn Files,
    options: RunOptions,
    legacy_sum_reads: bool,
    cache: AssemblyCache,
}

impl fmt::Debug for Harness<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<'f> Harness<'f> {
    /// A harness that reads suites, sources and programs through `files`.
    pub fn new(files: &'f dyn Files) -> Harness<'f> {
        Harness {
            files,
            options: RunOptions::default(),
            legacy_sum_reads: false,
            cache: AssemblyCache::default(),
        }
    }

    /// Replaces the options of the run: dialect, filter, seed, limits, threads.
    pub fn options(mut self, options: RunOptions) -> Harness<'f> {
        self.options = options;
        self
    }

    /// Reads an unsuffixed sum on the left of a comparison as an address, as sim6502 did before version 3.4.3.
    pub fn legacy_sum_reads(mut self, is_on: bool) -> Harness<'f> {
        self.legacy_sum_reads = is_on;
        self
    }

    /// Runs a suite file.
    pub fn run_file(&self, name: &str) -> Result<Report, HarnessError> {
        let refuse = |error| HarnessError::Unreadable { name: name.to_string(), error };
        let loaded = self.files.read(name, None).map_err(refuse)?;
        let source = Source::from_bytes(loaded.path, &loaded.bytes)
            .map_err(|why| refuse(FileError::Unreadable(why)))?;
        self.run_source(source)
    }

    /// Runs a suite from its text. `name` is the file that messages name and that relative paths start from.
    pub fn run_text(&self, name: &str, text: &str) -> Result<Report, HarnessError> {
        self.run_source(Source::new(name, text))
    }

    fn run_source(&self, mut source: Source) -> Result<Report, HarnessError> {
        let dialect = self.options.dialect;
        let parsed = parse(&mut source, dialect, self.files);
        let source = Arc::new(source);
        let mut found = parsed.diagnostics;
        let options =
            CheckOptions { dialect, legacy_sum_reads: self.legacy_sum_reads, update: self.options.update };
        let checked = check(&source, &parsed.file, options, self.files, &self.cache);
        found.extend(checked.diagnostics);
        let records = found.iter().map(|one| DiagnosticRecord::new(&source, one)).collect();
        if found.iter().any(Diagnostic::is_error) {
            return Err(HarnessError::Faulty(records));
        }
        let mut events = Vec::new();
        let totals = run(&[checked.plan], &self.options, &NoClock, &mut |event| events.push(event));
        Ok(Report { totals, events, warnings: records, command: self.options.command.clone() })
    }
}

/// Why a suite was not run.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// The suite's file cannot be read.
    #[error("{name}: {error}")]
    Unreadable {
        /// The name that was asked for.
        name: String,
        /// The reason.
        error: FileError,
    },
    /// The suite has errors; warnings are in the list, too.
    #[error("{}", lines(.0))]
    Faulty(Vec<DiagnosticRecord>),
}

fn lines(records: &[DiagnosticRecord]) -> String {
    let line =
        |record: &DiagnosticRecord| format!("{}: {}: {}", record.location, record.severity, record.message);
    records.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The results of a run. Its `Display` is the report that `tempo test` prints, without colours.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report {
    /// Counts, cycles and verdicts.
    pub totals: Totals,
    /// All that happened, in the order of the file; the reports of [`crate::report`] are made of these.
    pub events: Vec<Event>,
    /// Warnings about the suite.
    pub warnings: Vec<DiagnosticRecord>,
    command: String,
}

impl Report {
    /// Whether no test failed.
    pub fn is_success(&self) -> bool {
        self.totals.counts.failed == 0 && !self.totals.range_errors
    }

    /// The tests, in the order of the file.
    pub fn tests(&self) -> impl Iterator<Item = &TestReport> {
        self.events.iter().filter_map(|event| match event {
            Event::Test(test) => Some(&**test),
            _ => None,
        })
    }

    /// The tests that failed.
    pub fn failures(&self) -> impl Iterator<Item = &TestReport> {
        self.tests().filter(|test| test.outcome == Outcome::Failed)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = Style {
            colour: Colour::Plain,
            verbose: false,
            verdicts: Told::Counted,
            command: self.command.clone(),
        };
        let mut human = reporter(Format::Human, &style);
        self.events.iter().try_for_each(|event| f.write_str(&human.event(event)))
    }
}
