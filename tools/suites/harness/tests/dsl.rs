//! The `.6502` language, file by file, from the folders of `tests/dsl`: `run` and `compat` are run, `errors` must not
//! be, `parse` shows trees, `reports` the same run in every form of report. `UPDATE=1` rewrites the expectations
//! beside them.
//!
//! In suites that run, a test whose id starts with `fails-` must fail and every other must not: the verdicts are in
//! the suite, the expectation holds the words.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_diagnostics::Renderer;
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::diag::{Colour, Diagnostic};
use tempo_harness::dump::dump;
use tempo_harness::events::{Event, Outcome};
use tempo_harness::files::{FileError, Files, Loaded, MemoryFiles};
use tempo_harness::parse::words::{Place, WORDS, Whose, Word};
use tempo_harness::parse::{Dialect, parse};
use tempo_harness::report::{self, Format, Style, Told as ToldVerdicts, reporter};
use tempo_harness::run::{Filter, NoClock, Partition, RunOptions, run};
use tempo_harness::source::Source;
use tempo_random::Random;

fn main() {
    let arguments = Arguments::from_args();
    let folder = tempo_testing::fixtures().join("dsl");
    let mut trials = Vec::new();
    let name =
        |path: &Path| path.strip_prefix(&folder).expect("below dsl").with_extension("").display().to_string();
    for sub in ["run", "compat", "errors"] {
        for path in tempo_testing::files_with_extension(&folder.join(sub), "6502") {
            trials.push(Trial::test(name(&path), move || run_suite(&path)));
        }
    }
    for path in tempo_testing::files_with_extension(&folder.join("parse"), "6502") {
        trials.push(Trial::test(name(&path), move || parse_suite(&path)));
    }
    for path in tempo_testing::files_with_extension(&folder.join("reports"), "6502") {
        trials.push(Trial::test(name(&path), move || report_suite(&path)));
    }
    trials.push(Trial::test("docs/examples-with-a-name", run_documented));
    trials.push(Trial::test("docs/words-of-the-page-are-current", page));
    trials.push(Trial::test("docs/words-of-the-grammar-are-current", grammar));
    trials.push(Trial::test("fuzz/mutated-suites", fuzz));
    libtest_mimic::run(&arguments, trials).exit();
}

/// The tables of words in docs/testing.md, each between `<!-- words: … -->` and the next empty line.
fn page() -> Result<(), Failed> {
    let path = tempo_testing::root().join("docs/testing.md");
    let mut written = tempo_testing::text(&path);
    let is_backend = |word: &Word| matches!(word.place, Place::BackendStep | Place::BackendValue);
    type IsIn<'a> = &'a dyn Fn(&Word) -> bool;
    let tables: [(&str, IsIn<'_>); 6] = [
        ("programs", &|word| word.place == Place::Entry && word.has_file && word.name != "include"),
        ("statements", &|word| word.place == Place::Step && !word.is_of_computer),
        ("values", &|word| word.place == Place::Value && !word.is_of_computer),
        ("options", &|word| word.place == Place::Setting),
        ("computer", &|word| {
            word.is_of_computer && (is_backend(word) || matches!(word.place, Place::Step | Place::Value))
        }),
        ("guards", &|word| word.place == Place::Guard),
    ];
    for (name, is_in) in tables {
        let mark = format!("<!-- words: {name} -->\n");
        let start = written.find(&mark).ok_or_else(|| format!("docs/testing.md has no {mark}"))? + mark.len();
        let end = written[start..].find("\n\n").map_or(written.len(), |len| start + len + 1);
        let rows: String = WORDS.iter().filter(|word| is_in(word)).map(row).collect();
        written.replace_range(start..end, &format!("| word | meaning |\n| --- | --- |\n{rows}"));
    }
    compare(&path, &written)
}

fn row(word: &Word) -> String {
    let forms: Vec<String> = word.forms.iter().map(|form| format!("`{form}`")).collect();
    let ours = if word.whose == Whose::Ours { " *[ours]*" } else { "" };
    format!("| {}{ours} | {} |\n", forms.join(", "), word.about)
}

/// The words of the grammar that editors colour suites by.
fn grammar() -> Result<(), Failed> {
    let path = tempo_testing::root().join("tools/editors/vscode/syntaxes/tempo-suite.tmLanguage.json");
    // These have their own rules.
    let is_plain = |word: &&Word| !matches!(word.name, "true" | "false" | "cycles");
    let names = |is_control: bool| -> Vec<String> {
        let words = WORDS.iter().filter(is_plain).filter(|word| word.is_control == is_control);
        words.map(|word| word.name.to_owned()).collect()
    };
    let machines = tempo_emu::System::suite_words().map(str::to_owned);
    let others = names(false).into_iter().chain(machines).collect();
    let lists = [("control", names(true)), ("others", others)];
    let made = tempo_testing::grammar::with_words(&tempo_testing::text(&path), &lists)?;
    compare(&path, &made)
}

/// The fixtures, by names relative to `tests/dsl`.
struct Fixtures;

impl Files for Fixtures {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let root = tempo_testing::fixtures().join("dsl");
        let beside = from.and_then(|from| Path::new(from).parent()).map(|folder| normal(&folder.join(name)));
        for path in beside.into_iter().chain([normal(Path::new(name))]) {
            if path.is_absolute() {
                continue;
            }
            match std::fs::read(root.join(&path)) {
                Ok(bytes) => {
                    return Ok(Loaded {
                        path: path.display().to_string(),
                        identity: None,
                        shown: None,
                        bytes: bytes.into(),
                    });
                }
                Err(err) if err.kind() == std::io::ErrorKind::NotFound => {}
                Err(err) => return Err(FileError::Unreadable(err.kind().to_string())),
            }
        }
        Err(FileError::NotFound)
    }
}

fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The options of the first line: `; options: --compat --filter x`.
fn options(text: &str) -> (CheckOptions, RunOptions) {
    let mut check = CheckOptions::default();
    let mut run = RunOptions { max_cycles: 100_000, max_cases: 1_000_000, jobs: 1, ..RunOptions::default() };
    let line = text.lines().next().and_then(|line| line.strip_prefix("; options: ")).unwrap_or_default();
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default().to_string();
        let list = |text: String| text.split(',').map(str::to_string).collect::<Vec<_>>();
        match word {
            "--compat" => {
                check.dialect = Dialect::Base;
                run.dialect = Dialect::Base;
            }
            "--legacy-sum-reads" => check.legacy_sum_reads = true,
            "--isolate" => run.isolate = true,
            "--prove" => run.prove = true,
            "--filter" => run.filter.pattern = Some(value()),
            "--test" => run.filter.test.push(value()),
            "--filter-tag" => run.filter.tags = list(value()),
            "--exclude-tag" => run.filter.exclude_tags = list(value()),
            "--shuffle" => run.shuffle = value().parse().ok(),
            "--max-cycles" => run.max_cycles = value().parse().unwrap_or(run.max_cycles).min(2_000_000),
            "--max-cases" => run.max_cases = value().parse().unwrap_or(run.max_cases).min(100_000),
            "--fail-fast" => run.fail_fast = value().parse().ok(),
            "--partition" => run.partition = Partition::parse(&value()).ok(),
            // A mutated line; a fixture with a wrong option does not get its expected text.
            _ => {}
        }
    }
    (check, run)
}

/// Everything a run of a suite says, and its exit code.
struct Told {
    exit: u8,
    text: String,
    events: Vec<Event>,
}

fn shown(source: &Source, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| Renderer::new(source).human(diagnostic)).collect()
}

fn tell(name: &str, bytes: &[u8], adjust: impl FnOnce(&mut CheckOptions, &mut RunOptions)) -> Told {
    let stop = |exit: u8, text: String| Told { exit, text, events: Vec::new() };
    let mut source = match Source::from_bytes(name, bytes) {
        Ok(source) => source,
        Err(message) => return stop(2, format!("error: {name}: {message}\n")),
    };
    let (mut check_options, mut run_options) = options(source.text());
    adjust(&mut check_options, &mut run_options);
    let parsed = parse(&mut source, check_options.dialect, &Fixtures);
    let source = Arc::new(source);
    let mut text = shown(&source, &parsed.diagnostics);
    if parsed.has_errors() {
        return stop(2, text);
    }
    let checked = check(&source, &parsed.file, check_options, &Fixtures, &AssemblyCache::default());
    text.push_str(&shown(&source, &checked.diagnostics));
    if checked.has_errors() {
        return stop(3, text);
    }
    let is_listed = source.text().lines().next().is_some_and(|line| line.contains(" --verdicts"));
    let style = Style {
        colour: Colour::Plain,
        verbose: true,
        verdicts: if is_listed { ToldVerdicts::Listed } else { ToldVerdicts::Not },
        command: run_options.command.clone(),
    };
    let mut human = reporter(Format::Human, &style);
    let mut events = Vec::new();
    let totals = run(&[checked.plan], &run_options, &NoClock, &mut |event| {
        text.push_str(&human.event(&event));
        events.push(event);
    });
    let exit = if totals.range_errors { 3 } else { u8::from(totals.counts.failed > 0) };
    Told { exit, text, events }
}

fn fixture_name(path: &Path) -> String {
    path.strip_prefix(tempo_testing::fixtures().join("dsl")).expect("below dsl").display().to_string()
}

/// Writes the pictures of the tests that must pass.
fn take_pictures(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    let told = tell(&fixture_name(path), bytes, |check, run| {
        check.update = true;
        run.update = true;
    });
    let mut taken = std::collections::HashSet::new();
    for event in &told.events {
        let Event::Test(test) = event else { continue };
        for picture in test.pictures.iter().filter(|_| !test.id.starts_with("fails-")) {
            // Later tests may differ from it as far as they tolerate.
            if taken.insert(&picture.path) {
                std::fs::write(tempo_testing::fixtures().join("dsl").join(&picture.path), &picture.png)?;
            }
        }
    }
    Ok(())
}

fn run_suite(path: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    if tempo_testing::updating() {
        take_pictures(path, &bytes)?;
    }
    let told = tell(&fixture_name(path), &bytes, |_, _| {});
    let in_errors = path.components().any(|part| part.as_os_str() == "errors");
    if in_errors && told.exit < 2 {
        return Err(
            format!("exit code {}, a fault of the suite was expected\n{}", told.exit, told.text).into()
        );
    }
    if !in_errors {
        let mut seen = 0;
        for event in &told.events {
            let Event::Test(test) = event else { continue };
            seen += 1;
            let must_fail = test.id.starts_with("fails-");
            let wrong = match test.outcome {
                Outcome::Passed => must_fail,
                Outcome::Failed => !must_fail,
                _ => false,
            };
            if wrong {
                return Err(format!("{} {}\n{}", test.id, test.outcome.text(), told.text).into());
            }
        }
        if seen == 0 {
            return Err(format!("no test ran\n{}", told.text).into());
        }
    }
    compare(&path.with_extension("expected"), &format!("exit {}\n{}", told.exit, told.text))
}

fn parse_suite(path: &Path) -> Result<(), Failed> {
    let mut source = Source::new(fixture_name(path), std::fs::read_to_string(path)?);
    let parsed = parse(&mut source, Dialect::Full, &Fixtures);
    let mut text = dump(&parsed.file);
    text.push_str("---\n");
    for diagnostic in &parsed.diagnostics {
        text.push_str(Renderer::new(&source).short(diagnostic).trim_end());
        if let Some(help) = &diagnostic.help {
            text.push_str(&format!(" [help: {help}]"));
        }
        text.push('\n');
    }
    compare(&path.with_extension("tree"), &text)
}

fn report_suite(path: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(path)?;
    let told = tell(&fixture_name(path), &bytes, |_, options| {
        options.coverage = true;
        options.profile = true;
    });
    let style = Style {
        colour: Colour::Plain,
        verbose: false,
        verdicts: ToldVerdicts::Not,
        command: "tempo test".into(),
    };
    // The human report has its own fixtures.
    for format in Format::ALL.iter().copied().filter(|format| *format != Format::Human) {
        let mut report = reporter(format, &style);
        let text: String = told.events.iter().map(|event| report.event(event)).collect();
        compare(&path.with_extension(format.name()), &text)?;
    }
    let coverage = report::merge_coverage(&told.events);
    compare(&path.with_extension("xml"), &report::junit(&told.events))?;
    compare(&path.with_extension("info"), &report::lcov(&coverage))?;
    compare(&path.with_extension("cobertura"), &report::cobertura(&coverage, "."))?;
    // Coverage alone is counted without the probe, and counts the same.
    let alone = tell(&fixture_name(path), &bytes, |_, options| options.coverage = true);
    let alone = report::lcov(&report::merge_coverage(&alone.events));
    if alone != report::lcov(&coverage) {
        return Err(format!("coverage alone differs:\n{alone}").into());
    }
    compare(&path.with_extension("html"), &report::html(&coverage))?;
    compare(&path.with_extension("folded"), &report::folded(&told.events))?;
    compare(&path.with_extension("svg"), &report::flame_graph(&told.events))?;
    compare(&path.with_extension("bench"), &report::write_benches(&told.events))
}

/// Examples of `docs/testing.md` that open with a file name, such as `; plates.6502`, are files that work together.
fn run_documented() -> Result<(), Failed> {
    let page = std::fs::read_to_string(tempo_testing::root().join("docs/testing.md"))?;
    let plates = std::fs::read(tempo_testing::fixtures().join("dsl/files/plates.asm"))?;
    let greeter = std::fs::read(tempo_testing::fixtures().join("dsl/files/greeter.asm"))?;
    let greeting = std::fs::read(tempo_testing::fixtures().join("dsl/run/pictures/greeting.png"))?;
    let mut files: MemoryFiles =
        [("plates.asm", plates), ("greeter.asm", greeter), ("greeting.png", greeting)].into_iter().collect();
    let mut suites = Vec::new();
    for block in page.split("\n```\n").skip(1).step_by(2) {
        let Some(name) = block.strip_prefix("; ").and_then(|rest| rest.lines().next()) else { continue };
        if name.ends_with(".6502") {
            files.insert(name, block);
            suites.extend(block.contains("suites {").then(|| Source::new(name, block)));
        }
    }
    if suites.is_empty() {
        return Err("docs/testing.md has no example that opens with a file name".into());
    }
    for mut source in suites {
        let parsed = parse(&mut source, Dialect::Full, &files);
        let source = Arc::new(source);
        let checked =
            check(&source, &parsed.file, CheckOptions::default(), &files, &AssemblyCache::default());
        let faults = shown(&source, &parsed.diagnostics) + &shown(&source, &checked.diagnostics);
        if !faults.is_empty() {
            return Err(faults.into());
        }
        let totals = run(&[checked.plan], &RunOptions::default(), &NoClock, &mut |_| {});
        if totals.counts.passed == 0 || totals.counts.failed > 0 {
            return Err(format!("{}: {:?}", source.name(), totals.counts).into());
        }
    }
    Ok(())
}

fn compare(path: &Path, found: &str) -> Result<(), Failed> {
    Ok(tempo_testing::compare(path, found)?)
}

/// Suites with pieces removed, doubled, swapped and overwritten: whatever comes out is read, checked and run without
/// a panic. `FUZZ=N` tries N times as many, `SEED` changes the sequence.
fn fuzz() -> Result<(), Failed> {
    let seed = tempo_testing::seed();
    let folder = tempo_testing::fixtures().join("dsl");
    let corpus: Vec<Vec<u8>> = tempo_testing::files_with_extension(&folder, "6502")
        .iter()
        .map(std::fs::read)
        .collect::<Result<_, _>>()?;
    for case in tempo_testing::tries(400) {
        let mut random = Random::stream(seed, case);
        let mut bytes = corpus[random.below(corpus.len() as u64) as usize].clone();
        for _ in 0..=random.below(6) {
            mutate(&mut bytes, &corpus, &mut random);
        }
        bytes.truncate(20_000);
        let result = std::panic::catch_unwind(|| {
            let told = tell("run/fuzzed.6502", &bytes, |_, options| {
                options.max_cycles = 2_000;
                options.fail_fast = Some(20);
                options.filter =
                    Filter { exclude_tags: vec!["slow".into()], ..std::mem::take(&mut options.filter) };
            });
            told.exit
        });
        if result.is_err() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return Err(format!("case {case} of seed {seed} panics:\n{text}").into());
        }
    }
    Ok(())
}

fn mutate(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    if bytes.is_empty() {
        bytes.extend_from_slice(b"suites {");
    }
    let mut at = |limit: usize| random.below(limit as u64 + 1) as usize;
    let from = at(bytes.len());
    let to = (from + at(40)).min(bytes.len());
    match at(8) {
        0 => drop(bytes.drain(from..to)),
        1 => {
            let piece = bytes[from..to].to_vec();
            bytes.splice(from..from, piece);
        }
        2 => bytes.truncate(from),
        3 => {
            if let Some(byte) = bytes.get_mut(from) {
                *byte = at(255) as u8;
            }
        }
        4 => {
            // A piece of another suite.
            let other = &corpus[at(corpus.len() - 1)];
            let start = at(other.len());
            let end = (start + at(200)).min(other.len());
            bytes.splice(from..to, other[start..end].iter().copied());
        }
        5 => {
            const TOKENS: &[&str] = &[
                "(",
                ")",
                "{",
                "}",
                "[",
                "]",
                "\"",
                "..",
                "=",
                "==",
                "<<",
                "-",
                "%",
                "$ffffffff",
                "4294967295",
                ".b",
                ".lw",
                " and ",
                " not ",
                " in ",
                "forall(n in 0..9) {",
                "each (n) { (1) }",
                "include(\"../files/shared/plates.6502\")",
                "fen($ff80, \"8/8/8/8/8/8/8/8\")",
                "65535",
                "0 - 1",
                "memfill($FFF0, 99999, 1)",
                "jsr($ffff)",
                "sp = 0",
                "sp = 1",
                "bytes($ffff, 1, 2, 3)",
            ];
            let forms = || WORDS.iter().flat_map(|word| word.forms.iter().copied());
            let index = at(TOKENS.len() + forms().count() - 1);
            let token = TOKENS.get(index).copied().or_else(|| forms().nth(index - TOKENS.len()));
            bytes.splice(from..from, token.unwrap_or_default().bytes());
        }
        6 => {
            // Digits are where ranges are.
            if let Some(byte) = bytes[from..].iter_mut().find(|byte| byte.is_ascii_digit()) {
                *byte = b'0' + at(9) as u8;
            }
        }
        7 => {
            if let Some(line) = bytes[from..].iter().position(|&byte| byte == b'\n') {
                bytes.splice(from..from + line, []);
            }
        }
        _ => bytes[from..to].reverse(),
    }
}
