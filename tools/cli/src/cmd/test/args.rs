//! The command line of `tempo test`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tempo_harness::report::{Format, shell_word};
use tempo_harness::run::{Filter, Partition, RunOptions, Trace};
use tempo_host::Exit;
use tempo_source_commands::project::{Project, SourceFlags, TestFlags, parse_map};

/// Run unit tests for 6502 code, written in the .6502 language.
///
/// A suite says which program to load or assemble, how to prepare registers and memory, which routine to call and
/// what must be true afterwards. Prints the failures, then one line with the counts.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Examples:
  tempo test                                 every suite of the project: see tempo.toml, or below tests/
  tempo test tests/                          every suite below tests/
  tempo test rules.6502 --test castle-left   one test
  tempo test tests/ --filter 'castle-*' -v   some tests, all of them listed
  tempo test tests/ --coverage lcov --junit out.xml
  tempo test rules.6502 --profile cycles.svg where the cycles go, as a flame graph
  tempo test tests/ --partition 2/4          the second of four CI machines
  tempo test rules.6502 --watch              again after every change
  tempo test tests/ --record-failures out    each failure as a file to pass on: tempo debug out/*.tempo
  tempo test rules.6502 --prove              decide each forall for all of its cases
  tempo test screens.6502 --update           take pictures and snapshots anew
  tempo test rules.6502 --on 192.168.1.64    the calls on a real C64, the asserts here
  tempo test old.6502 --compat --map /code=. a suite written for sim6502

A test:
  suites {
    suite(\"plates\") {
      assemble(\"plates.asm\")
      test(\"push-one\", \"pushing stores the value\") {
        a = $2a
        jsr([pushPlate])
        assert([plateCount] == 1, \"one plate\")
        assert(cycles < 60)
      }
    }
  }

Exit codes:
  0  everything passed
  1  a test failed, the command line is wrong, or it names no test (--allow-none)
  2  a suite or tempo.toml is not well formed and nothing was run, standard output fails, or a proof is refused
  3  a suite names an unknown symbol or file, or an address or value is out of range

The language: docs/testing.md")]
pub struct Args {
    /// Suites, or folders that are searched for *.6502 [default: test.paths of tempo.toml, or tests]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// A suite (the older spelling)
    #[arg(short = 's', long, value_name = "FILE")]
    pub suitefile: Vec<PathBuf>,

    /// Only tests whose id matches: * any run, ? one character, case ignored
    #[arg(long, value_name = "GLOB", help_heading = "Which tests")]
    pub filter: Option<String>,

    /// Only the test with this id; --filter is then not looked at
    #[arg(long = "test", value_name = "ID", help_heading = "Which tests")]
    pub test: Vec<String>,

    /// Only tests with any of these tags
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Which tests")]
    pub filter_tag: Vec<String>,

    /// No tests with any of these tags
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Which tests")]
    pub exclude_tag: Vec<String>,

    /// Part I of N of the run, for machines that share it; suites stay whole unless isolated
    #[arg(long, value_name = "I/N", help_heading = "Which tests")]
    pub partition: Option<String>,

    /// Only the tests that failed when they last ran; all of them if none did
    #[arg(long, help_heading = "Which tests")]
    pub rerun_failed: bool,

    /// Do not fail when --test, --filter or --filter-tag name nothing, or a folder has no suites
    #[arg(long, help_heading = "Which tests")]
    pub allow_none: bool,

    /// Print the ids that would run, and run nothing
    #[arg(long, help_heading = "Which tests")]
    pub list: bool,

    /// Start every test on a fresh machine
    #[arg(long, help_heading = "How to run")]
    pub isolate: bool,

    /// Reorder the tests of each suite, to find those that depend on the order
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "random", help_heading = "How to run")]
    pub shuffle: Option<String>,

    /// The seed of `forall`: a number, or `random`
    #[arg(long, value_name = "SEED", default_value = "0", help_heading = "How to run")]
    pub seed: String,

    /// Suites that run at the same time [default: one per core]
    #[arg(short = 'j', long, value_name = "N", help_heading = "How to run")]
    pub jobs: Option<usize>,

    /// End the run after N failures
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1", help_heading = "How to run")]
    pub fail_fast: Option<usize>,

    /// Cycles after which a test without a timeout fails; 0 is never [default: 200000000]
    #[arg(long, value_name = "N", help_heading = "How to run")]
    pub max_cycles: Option<u64>,

    /// Cases of `forall` after which a test fails
    #[arg(long, value_name = "N", default_value_t = 10_000_000, help_heading = "How to run")]
    pub max_cases: u64,

    /// Decide each `forall` for all of its cases: proved, refuted with an example, or undecided with the reason
    #[arg(long, help_heading = "Proofs")]
    pub prove: bool,

    /// The same, and fail what is not proved
    #[arg(long, help_heading = "Proofs")]
    pub require_proof: bool,

    /// Emulated cycles for running all cases of a `forall` that is to be proved
    #[arg(long, value_name = "N", default_value_t = tempo_prove::Limits::default().exhaust, help_heading = "Proofs")]
    pub exhaust: u64,

    /// Rewrite what `screenshot` and `snapshot` compare with, where it differs or is not there
    #[arg(long, help_heading = "How to run")]
    pub update: bool,

    /// Run again whenever a suite, source or program changes
    #[arg(long, help_heading = "How to run")]
    pub watch: bool,

    /// Look for files below FROM in TO instead: --map /code=.
    #[arg(long, value_name = "FROM=TO", value_parser = parse_map, help_heading = "How to run")]
    pub map: Vec<(String, String)>,

    /// Accept only sim6502's language, with its semantics
    #[arg(long, help_heading = "How to run")]
    pub compat: bool,

    /// An unsuffixed sum left of a comparison reads memory, as it did long ago
    #[arg(long, help_heading = "How to run")]
    pub legacy_sum_reads: bool,

    /// Where tests run; there is only `sim` here
    #[arg(long, value_name = "NAME", default_value = "sim", help_heading = "How to run")]
    pub backend: String,

    /// Make the calls on a real C64: an Ultimate 64 or Ultimate II+ at HOST or HOST:PORT
    #[arg(
        long,
        value_name = "ADDRESS",
        conflicts_with_all = ["compat", "coverage", "profile", "trace", "trace_all", "trace_file", "debug", "record_failures", "prove", "require_proof", "save_bench", "compare_bench"],
        help_heading = "A real C64"
    )]
    pub on: Option<String>,

    /// A file with the device's password
    #[arg(long, value_name = "FILE", requires = "on", help_heading = "A real C64")]
    pub password_file: Option<PathBuf>,

    /// Where our driver waits in memory that the programs do not use [default: $0334]
    #[arg(long, value_name = "ADDRESS", requires = "on", help_heading = "A real C64")]
    pub driver_at: Option<String>,

    /// The form of the output
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), default_value = Format::Human.name(), help_heading = "Reports")]
    pub format: Format,

    /// Also list passing and skipped tests
    #[arg(short, long, help_heading = "Reports")]
    pub verbose: bool,

    /// Open the first test that fails in the debugger, at the failing line; without a terminal or with --compat, more output
    #[arg(short, long, conflicts_with = "trace", help_heading = "Reports")]
    pub debug: bool,

    /// Record each test that fails as a separate file in DIR, which `tempo debug` opens anywhere; at most 20
    #[arg(long, visible_alias = "record", value_name = "DIR", help_heading = "Reports")]
    pub record_failures: Option<PathBuf>,

    /// Write a JUnit report
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub junit: Option<PathBuf>,

    /// Line and branch coverage of the assembly source: lcov.info, coverage.html, cobertura.xml
    #[arg(long, value_enum, value_name = "FORM", value_delimiter = ',', help_heading = "Reports")]
    pub coverage: Vec<CoverageArg>,

    /// Where coverage goes, in place of that file
    #[arg(long, value_name = "FILE", requires = "coverage", help_heading = "Reports")]
    pub coverage_file: Option<PathBuf>,

    /// Cycles by call path: folded stacks and an SVG flame graph, FILE.folded and FILE.svg
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub profile: Option<PathBuf>,

    /// Print every executed instruction
    #[arg(short, long, help_heading = "Reports")]
    pub trace: bool,

    /// Print the instructions of tests with `trace = true` also when they pass
    #[arg(long, help_heading = "Reports")]
    pub trace_all: bool,

    /// Write every executed instruction to a file instead
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    pub trace_file: Option<PathBuf>,

    /// Keep the cycles of all `bench` blocks
    #[arg(long, value_name = "FILE", help_heading = "Benches")]
    pub save_bench: Option<PathBuf>,

    /// Fail when a `bench` block is slower than in FILE
    #[arg(long, value_name = "FILE", help_heading = "Benches")]
    pub compare_bench: Option<PathBuf>,

    /// How many percent slower is allowed; cycles are exact, so none is the default
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, help_heading = "Benches")]
    pub bench_tolerance: f64,

    #[command(flatten)]
    pub source: SourceFlags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoverageArg {
    /// For lcov, genhtml and most services
    Lcov,
    /// One page for a browser
    Html,
    /// The XML that GitLab, Jenkins and others read
    Cobertura,
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    let described = Format::ALL.iter().map(|format| format.described());
    let names = described.map(|(name, about)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(names.collect::<Vec<_>>())
        .map(|name| Format::from_name(&name).expect("a name of the table"))
}

impl Args {
    /// Whether the first failure is shown in the debugger.
    pub fn opens_debugger(&self) -> bool {
        use std::io::IsTerminal;
        self.debug && !self.compat && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
    }

    /// The project around the command line, with its flags on top.
    pub fn project(&self) -> Result<Project, Exit> {
        let mut project = self.source.project()?;
        let flags = TestFlags {
            paths: self.suitefile.iter().chain(&self.paths).cloned().collect(),
            jobs: self.jobs,
            max_cycles: self.max_cycles,
            map: self.map.clone(),
        };
        flags.apply(&mut project);
        Ok(project)
    }

    pub fn validate(&self) -> Result<(), String> {
        if self.coverage_file.is_some() && self.coverage.len() > 1 {
            return Err("--coverage-file is for one form of coverage".to_string());
        }
        if !self.bench_tolerance.is_finite() || self.bench_tolerance < 0.0 {
            return Err("--bench-tolerance is a number of percent, not below 0".to_string());
        }
        match self.backend.as_str() {
            "sim" => Ok(()),
            "vice" | "novavm" | "verilator" | "u64sim" | "u64" => {
                Err(format!("the back end `{}` is not part of this program; only `sim` is", self.backend))
            }
            other => Err(format!("unknown back end `{other}`; only `sim` is there")),
        }
    }

    pub fn run_options(&self, project: &Project) -> Result<RunOptions, String> {
        let seed = seed(&self.seed)?;
        let shuffle = self.shuffle.as_deref().map(self::seed).transpose()?;
        let trim = |tags: &[String]| {
            tags.iter().map(|tag| tag.trim().to_lowercase()).filter(|t| !t.is_empty()).collect()
        };
        Ok(RunOptions {
            dialect: if self.compat {
                tempo_harness::parse::Dialect::Base
            } else {
                tempo_harness::parse::Dialect::Full
            },
            filter: Filter {
                test: self.test.clone(),
                pattern: self.filter.clone(),
                tags: trim(&self.filter_tag),
                exclude_tags: trim(&self.exclude_tag),
                only: None,
            },
            partition: self.partition.as_deref().map(Partition::parse).transpose()?,
            isolate: self.isolate,
            shuffle,
            seed,
            max_cycles: project.max_cycles(),
            max_cases: self.max_cases,
            prove: self.prove || self.require_proof,
            require_proof: self.require_proof,
            exhaust: self.exhaust,
            fail_fast: self.fail_fast,
            coverage: !self.coverage.is_empty(),
            profile: self.profile.is_some(),
            meter: tempo_harness::meter::Metering::Off,
            trace: if self.trace || self.trace_file.is_some() {
                Trace::All
            } else if self.trace_all {
                Trace::Marked
            } else {
                Trace::Failing
            },
            jobs: project.jobs(),
            bench_baseline: None,
            bench_tolerance: self.bench_tolerance,
            update: self.update,
            command: self.rerun_command(seed, shuffle),
            cancel: tempo_assembler::Cancel::default(),
            remote: None,
        })
    }

    /// How one test is run again with everything that changes what it does.
    fn rerun_command(&self, seed: u64, shuffle: Option<u64>) -> String {
        let mut command = "tempo test".to_string();
        for (on, option) in [
            (self.compat, "--compat"),
            (self.legacy_sum_reads, "--legacy-sum-reads"),
            (self.isolate, "--isolate"),
        ] {
            if on {
                command.push_str(&format!(" {option}"));
            }
        }
        if let Some(address) = &self.on {
            command.push_str(&format!(" --on {}", shell_word(address)));
        }
        for (from, to) in &self.map {
            command.push_str(&format!(" --map {}", shell_word(&format!("{from}={to}"))));
        }
        if seed != 0 {
            command.push_str(&format!(" --seed {seed}"));
        }
        if let Some(shuffle) = shuffle {
            command.push_str(&format!(" --shuffle={shuffle}"));
        }
        command
    }
}

fn seed(text: &str) -> Result<u64, String> {
    if text == "random" {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        return Ok(u64::from(now.subsec_nanos()) ^ (now.as_secs() << 20));
    }
    text.parse().map_err(|_| format!("`{text}` is not a seed; write a number or `random`"))
}
