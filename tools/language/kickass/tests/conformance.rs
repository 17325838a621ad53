//! The conformance corpus: every case is assembled in memory the way the corpus's README tells, and everything the run
//! leaves behind is compared: bytes, console, side files, error position and text.
//!
//! Two named tests a case, for the two names of the program: `kickass/area/case` runs the command with its console,
//! `tempo/area/case` a job as `tempo asm` fills it with Kick Assembler's words.
//! `cargo test -p tempo-kickass --test conformance -- /symbols/` runs one area.
//!
//! `known-differences.txt` lists the tests that fail, each with its reason. A test on the list must still fail, so that
//! the list stays true; every other one must pass.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use pretty_assertions::StrComparison;
use sha2::{Digest, Sha256};
use tempo_assembler::{Asserts, Columns, Diagnostic, Severity, SourceMap};
use tempo_formats::memmap;
use tempo_kickass::{CommandLine, Ended, Host, Job, MemoryDisk, MemoryHost};

/// The files that belong to a case beside its source; any other file of a folder is read by the cases.
const PARTS: [&str; 14] = [
    "prg.hex", "err", "out", "console", "sym", "vs", "bytedump", "dbg", "asminfo", "files", "args", "cmd",
    "links", "place",
];
/// Where a case runs, unless it says so itself.
const SCRATCH: &str = "/conformance";

/// A folder of cases, read once.
struct Area {
    /// The files and folders that are not part of a case; a folder has no bytes.
    others: Vec<(PathBuf, Option<Vec<u8>>)>,
    /// The cases by name.
    cases: BTreeMap<String, Case>,
}

/// A source with its parts by their extensions.
#[derive(Default)]
struct Case {
    source: Vec<u8>,
    parts: BTreeMap<&'static str, String>,
}

/// How well rejected programs are rejected.
#[derive(Default)]
struct Errors {
    cases: usize,
    rejected: usize,
    line: usize,
    column: usize,
    text: usize,
}

fn main() {
    let arguments = Arguments::from_args();
    tempo_testing::keep_published("the conformance corpus");
    let errors = Arc::new(Mutex::new(Errors::default()));
    let mut trials = Vec::new();
    let corpus = tempo_testing::fixtures().join("conformance");
    let known = Arc::new(known_differences(&corpus));
    for folder in folders(&corpus) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let area = Arc::new(Area::read(&folder));
        for case in area.cases.keys() {
            let (own, errors) = ((area.clone(), case.clone(), known.clone()), errors.clone());
            let title = format!("kickass/{name}/{case}");
            trials.push(Trial::test(title.clone(), move || {
                let (area, case, known) = own;
                known.judge(&title, check(&area, &case, run_kickass, Some(&errors)))
            }));
            let own = (area.clone(), case.clone(), known.clone());
            let title = format!("tempo/{name}/{case}");
            trials.push(Trial::test(title.clone(), move || {
                let (area, case, known) = own;
                known.judge(&title, check(&area, &case, run_tempo, None))
            }));
        }
    }
    for title in known.0.keys() {
        assert!(trials.iter().any(|trial| trial.name() == title), "known-differences.txt: no test {title}");
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let errors = errors.lock().expect("all tests have ended");
    if errors.cases > 0 {
        println!(
            "rejected programs: {} of {} rejected, {} at the right line, {} at the right column, {} with the right text",
            errors.rejected, errors.cases, errors.line, errors.column, errors.text
        );
    }
    conclusion.exit();
}

/// The tests that are known to fail, with the reasons.
struct KnownDifferences(BTreeMap<String, String>);

impl KnownDifferences {
    /// Turns the result of a listed test round.
    fn judge(&self, title: &str, result: Result<(), Failed>) -> Result<(), Failed> {
        match (self.0.get(title), result) {
            (Some(reason), Ok(())) => {
                Err(format!("it passes now; take it off known-differences.txt ({reason})").into())
            }
            (Some(_), Err(_)) => Ok(()),
            (None, result) => result,
        }
    }
}

/// Lines `test: reason`; those that begin with `#` are comments. A test without its name, `area/case`, stands for both.
fn known_differences(corpus: &Path) -> KnownDifferences {
    let path = corpus.join("known-differences.txt");
    let text = tempo_testing::text(&path);
    let mut known = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (test, reason) = line.split_once(": ").unwrap_or_else(|| panic!("no reason: {line}"));
        let is_one = test.starts_with("kickass/") || test.starts_with("tempo/");
        let titles = match is_one {
            true => vec![test.to_owned()],
            false => ["kickass", "tempo"].iter().map(|name| format!("{name}/{test}")).collect(),
        };
        known.extend(titles.into_iter().map(|title| (title, reason.to_owned())));
    }
    KnownDifferences(known)
}

fn folders(corpus: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(corpus).unwrap_or_else(|err| panic!("{}: {err}", corpus.display()));
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut folders: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

impl Area {
    fn read(folder: &Path) -> Area {
        let mut files = BTreeMap::new();
        let mut area = Area { others: Vec::new(), cases: BTreeMap::new() };
        let mut open = vec![PathBuf::new()];
        while let Some(below) = open.pop() {
            area.others.push((below.clone(), None));
            for entry in std::fs::read_dir(folder.join(&below)).expect("a readable folder") {
                let path = entry.expect("a readable folder").path();
                let relative = below.join(path.file_name().unwrap_or_default());
                if path.is_dir() {
                    open.push(relative);
                } else {
                    files.insert(relative.to_string_lossy().into_owned(), tempo_testing::bytes(&path));
                }
            }
        }
        // A source with at least one part beside it is a case; others are imported.
        let is_case = |name: &str| {
            let has = |extension: &str| files.contains_key(&format!("{name}.{extension}"));
            has("asm") && PARTS.iter().any(|part| has(part))
        };
        for (name, bytes) in &files {
            let part = PARTS.iter().find_map(|part| Some((name.strip_suffix(&format!(".{part}"))?, *part)));
            if let Some((case, part)) = part.filter(|(case, _)| is_case(case)) {
                let text = String::from_utf8_lossy(bytes).into_owned();
                area.cases.entry(case.to_owned()).or_default().parts.insert(part, text);
            } else if let Some(case) = name.strip_suffix(".asm").filter(|case| is_case(case)) {
                area.cases.entry(case.to_owned()).or_default().source = bytes.clone();
            } else {
                area.others.push((PathBuf::from(name), Some(bytes.clone())));
            }
        }
        area
    }

    /// The area in a folder.
    fn at(&self, folder: &Path) -> MemoryDisk {
        let mut disk = MemoryDisk::default();
        for (path, bytes) in &self.others {
            match bytes {
                Some(bytes) => disk.insert(folder.join(path), bytes.clone()),
                None => disk.insert_folder(folder.join(path)),
            }
        }
        disk
    }
}

impl Case {
    fn part(&self, name: &str) -> Option<&str> {
        self.parts.get(name).map(String::as_str)
    }

    /// Where it runs.
    fn place(&self) -> PathBuf {
        PathBuf::from(self.part("place").map_or(SCRATCH, str::trim))
    }

    /// The command line and the folder it is given in.
    fn command(&self, name: &str) -> CommandLine {
        let mut folder = self.place();
        let mut words = match self.part("cmd") {
            Some(line) => words_of(line),
            None => ["-o", &format!("{name}.prg")].map(str::to_owned).to_vec(),
        };
        if self.part("cmd").is_none() {
            words.insert(0, format!("{name}.asm"));
            words.extend(words_of(self.part("args").unwrap_or_default()));
        }
        if let Some(below) = words.first().and_then(|word| word.strip_prefix("cd:")) {
            folder.push(below);
            words.remove(0);
        }
        CommandLine { folder, words, config: None }
    }
}

fn words_of(text: &str) -> Vec<String> {
    text.lines().flat_map(tempo_kickass::split_words).collect()
}

/// The output of a run.
struct Said {
    ended: Ended,
    /// The first error in the form of the expectation; empty if there is none.
    error: String,
    console: String,
    /// Whether the console is that of Kick Assembler.
    is_kickass: bool,
    /// The difference between a console and the expected one.
    difference: String,
}

/// Runs a command under one of the names; the third argument is the console expected.
type Run = fn(&CommandLine, &mut MemoryHost, Option<&str>) -> Said;

fn run_kickass(command: &CommandLine, host: &mut MemoryHost, expected: Option<&str>) -> Said {
    let ended = tempo_kickass::run(command, host);
    let console = std::mem::take(&mut host.console);
    let mut difference = String::new();
    if ended == Ended::Fine {
        let printed = Some(visible(&console)).filter(|text| !text.is_empty());
        // Blank lines are not part of what is compared: the corpus says so.
        let full = |text: &str| text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        differ("console", expected.map(full).as_deref(), printed.as_deref().map(full), &mut difference);
    }
    Said { ended, error: first_error(&console), console, is_kickass: true, difference }
}

/// The job `tempo asm` makes of the words. What that prints about warnings and assertions has its own form, so the
/// lines the source prints and the memory map are compared.
fn run_tempo(command: &CommandLine, host: &mut MemoryHost, expected: Option<&str>) -> Said {
    let failed = |error: String| Said {
        ended: Ended::Failed,
        console: error.clone(),
        error: format!("-: {error}"),
        is_kickass: false,
        difference: String::new(),
    };
    let mut job = Job::new(command.folder.clone());
    job.options.asserts = Asserts::Report;
    job.source = match tempo_kickass::apply(&command.words, &mut job, host.files()) {
        Ok(found) => found.source.unwrap_or_default(),
        Err(error) => return failed(error.to_string()),
    };
    if let Err(error) = job.check_source(host.files()) {
        return failed(error.to_string());
    }
    let done = job.assemble(host.files());
    // An unknown section is only remarked on.
    let info = done.asm_info(&job, host.files()).unwrap_or_default();
    if let Err(error) = host.write(info.as_slice()) {
        return failed(error.to_string());
    }
    let errors = || done.output.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    if let Some(first) = errors().next() {
        let located = |one: &Diagnostic| done.output.sources.locate(one.span?.start, Columns::Kick);
        let place = |one: &Diagnostic| match located(one) {
            Some(at) => {
                let path = Path::new(&at.file);
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                format!("{name}:{}:{}", at.line, at.column)
            }
            None => "-".to_owned(),
        };
        let error = |one: &Diagnostic| format!("{}: {}", place(one), in_names(&one.message));
        let console = errors().map(|one| format!("{}\n", error(one))).collect();
        return Said {
            ended: Ended::Failed,
            error: error(first),
            console,
            is_kickass: false,
            difference: String::new(),
        };
    }
    let files = match done.plan(&job) {
        Ok(files) => files,
        Err(error) => return failed(error.to_string()),
    };
    if let Err(error) = host.write(&files) {
        return failed(error.to_string());
    }
    let mut lines = done.output.console.clone();
    lines.extend(done.output.files.iter().flat_map(|file| file.remarks.clone()));
    let mut console = lines.join("\n");
    if job.show_memory_map {
        let _ = write!(console, "\n{}", memmap::write(&done.output.program));
    }
    let mut rest = expected.unwrap_or_default().lines().map(str::trim_end);
    let surplus = console
        .lines()
        .map(|line| in_names(line.trim_end()))
        .find(|line| !line.is_empty() && !rest.any(|other| other == line));
    let difference = surplus.map_or_else(String::new, |line| format!("console has a surplus line: {line}\n"));
    Said { ended: Ended::Fine, error: String::new(), console, is_kickass: false, difference }
}

fn check(area: &Area, name: &str, run: Run, errors: Option<&Mutex<Errors>>) -> Result<(), Failed> {
    let case = &area.cases[name];
    let place = case.place();
    let mut host = MemoryHost { disk: area.at(&place), ..MemoryHost::default() };
    host.disk.insert(place.join(format!("{name}.asm")), case.source.clone());
    for line in case.part("links").unwrap_or_default().lines() {
        let (link, target) = line.split_once(' ').ok_or("a line of .links is `link target`")?;
        host.disk.link(place.join(link), target.trim());
    }
    let command = case.command(name);
    let before = host.disk.clone();
    let said = run(&command, &mut host, case.part("out"));
    let mut left = outputs(&before, &host.disk, &place);
    let mut problems = String::new();
    let info = left.keys().find(|path| is_asm_info(path, &command)).cloned();
    let info = info.and_then(|path| left.remove(&path)).map(|bytes| normal_info(&text(&bytes)));
    differ("asminfo", case.part("asminfo"), info, &mut problems);
    if let Some(expected) = case.part("err") {
        check_rejected(expected, &said, errors, &mut problems);
    } else if said.ended == Ended::Failed {
        return Err(format!("the program was rejected:\n{}", said.console).into());
    }
    problems.push_str(&said.difference);
    if let Some(expected) = case.part("console").filter(|_| said.is_kickass) {
        differ("whole console", Some(expected), Some(whole(&said.console, &place)), &mut problems);
    }
    let main = left.remove(&format!("{name}.prg"));
    differ("program", case.part("prg.hex"), main.map(|bytes| hex_lines(&bytes)), &mut problems);
    for (part, file) in
        [("sym", format!("{name}.sym")), ("vs", format!("{name}.vs")), ("bytedump", byte_dump(&command))]
    {
        // The byte dump may be in a folder.
        let path = left.keys().find(|path| path.rsplit('/').next() == Some(&file)).cloned();
        let path = path.filter(|_| case.part(part).is_some());
        let found = path.and_then(|path| left.remove(&path));
        differ(part, case.part(part), found.map(|bytes| text(&bytes)), &mut problems);
    }
    // In its own place a case shows its paths.
    let has_place = case.part("place").is_some();
    let shown = |dump: &str| if has_place { dump.to_owned() } else { renumbered(dump, name) };
    let dump = left.remove(&format!("{name}.dbg")).map(|bytes| shown(&text(&bytes)));
    differ("dbg", case.part("dbg"), dump, &mut problems);
    let normal = |file: &str, bytes: &[u8]| match has_place && file.ends_with(".dbg") {
        true => bytes.to_vec(),
        false => normal_text(file, bytes, name),
    };
    let others: String = left.iter().map(|(file, bytes)| describe(file, &normal(file, bytes))).collect();
    differ("files", case.part("files"), Some(others).filter(|text| !text.is_empty()), &mut problems);
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All files that a run left or changed.
fn outputs(before: &MemoryDisk, after: &MemoryDisk, place: &Path) -> BTreeMap<String, Vec<u8>> {
    let known: BTreeMap<&Path, &[u8]> = before.files().collect();
    let new = after.files().filter(|(path, bytes)| known.get(path) != Some(bytes));
    new.map(|(path, bytes)| {
        let name = path.strip_prefix(place).unwrap_or(path);
        (name.to_string_lossy().into_owned(), bytes.to_vec())
    })
    .collect()
}

fn differ(what: &str, expected: Option<&str>, actual: Option<String>, problems: &mut String) {
    let _ = match (expected, actual) {
        (Some(expected), Some(actual)) if expected.trim_end() == actual.trim_end() => Ok(()),
        (Some(expected), Some(actual)) => {
            writeln!(
                problems,
                "{what} differs:\n{}",
                StrComparison::new(expected.trim_end(), actual.trim_end())
            )
        }
        (Some(expected), None) => writeln!(problems, "{what} is missing, expected:\n{expected}"),
        (None, Some(actual)) => writeln!(problems, "{what} was not expected:\n{actual}"),
        (None, None) => Ok(()),
    };
}

fn check_rejected(expected: &str, said: &Said, errors: Option<&Mutex<Errors>>, problems: &mut String) {
    // A message may have several lines; those about calls are informative.
    let lines: Vec<&str> = expected.lines().filter(|line| !line.starts_with("called ")).collect();
    let expected = &lines.join("\n")[..];
    if let Some(errors) = errors {
        let mut errors = errors.lock().expect("no test panics with the lock held");
        let line = |place: &str| place.rsplit_once(':').map_or(place.to_owned(), |(line, _)| line.to_owned());
        let (expected_place, expected_text) = split_error(expected);
        let (actual_place, actual_text) = split_error(&said.error);
        errors.cases += 1;
        errors.rejected += usize::from(said.ended == Ended::Failed);
        errors.line += usize::from(line(expected_place) == line(actual_place));
        errors.column += usize::from(expected_place == actual_place);
        errors.text += usize::from(expected_text == actual_text);
    }
    let _ = match said.ended {
        Ended::Fine => writeln!(problems, "the program was accepted, expected: {expected}\n{}", said.console),
        // The corpus has no blanks at the end of a line.
        Ended::Failed if expected.trim_end() != said.error.trim_end() => {
            let difference = StrComparison::new(expected, &said.error);
            writeln!(problems, "the error differs:\n{difference}\n{}", said.console)
        }
        Ended::Failed => Ok(()),
    };
}

/// The word after an option.
fn value_of<'c>(command: &'c CommandLine, options: &[&str]) -> Option<&'c str> {
    let mut pairs = command.words.windows(2);
    let named = pairs.rfind(|pair| options.iter().any(|option| pair[0].eq_ignore_ascii_case(option)));
    named.map(|pair| &pair[1][..])
}

/// The file of `-bytedumpfile`, without its folder.
fn byte_dump(command: &CommandLine) -> String {
    let path = value_of(command, &["-bytedumpfile"]).unwrap_or("dump.txt");
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// Whether a file is the one of `-asminfo`.
fn is_asm_info(path: &str, command: &CommandLine) -> bool {
    let name = value_of(command, &["-asminfofile", "-asminfotofile"]).unwrap_or("asminfo.txt");
    path.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// An asminfo file as the corpus has it: without the built-in source, directives by their names, the syntax sorted.
fn normal_info(info: &str) -> String {
    let path_of = |line: &str| line.split_once(';').map(|(index, path)| (index.to_owned(), path.to_owned()));
    let files = info.lines().skip_while(|line| *line != "[files]").skip(1);
    let all: Vec<(String, String)> =
        files.take_while(|line| !line.starts_with('[')).filter_map(path_of).collect();
    let own: Vec<&(String, String)> = all.iter().filter(|(_, path)| !path.contains("autoinclude")).collect();
    let new_index = |old: &str| own.iter().position(|(index, _)| index == old);
    let mut text = String::new();
    for section in info.split_inclusive('\n').collect::<Vec<_>>().chunk_by(|_, next| !next.starts_with('[')) {
        let (title, lines) = section.split_first().expect("a chunk is not empty");
        let lines = lines.iter().map(|line| line.trim_end_matches('\n'));
        let mut lines: Vec<String> = match title.trim_end() {
            "[directives]" | "[ppdirectives]" => {
                lines.map(|line| line.split(';').next().unwrap_or_default().to_owned()).collect()
            }
            "[files]" => {
                own.iter().enumerate().map(|(at, (_, path))| format!("{at};{}", bare(path))).collect()
            }
            "[syntax]" | "[errors]" => lines.filter_map(|line| in_numbers(line, &all, new_index)).collect(),
            _ => lines.map(str::to_owned).collect(),
        };
        if title.trim_end() == "[syntax]" {
            lines.sort();
        }
        let _ = writeln!(text, "{}", title.trim_end());
        lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    }
    text
}

/// A line `kind;line,column,line,column,file…` with the file's number in the corpus; `None` for the built-in source.
fn in_numbers(
    line: &str,
    files: &[(String, String)],
    new_index: impl Fn(&str) -> Option<usize>,
) -> Option<String> {
    let mut fields: Vec<String> = line.splitn(3, ';').map(str::to_owned).collect();
    if let Some((range, file)) = fields.get(1).and_then(|range| range.rsplit_once(','))
        && !files.is_empty()
    {
        fields[1] = format!("{range},{}", new_index(file)?);
    }
    Some(fields.join(";"))
}

/// The text without the folder the case ran in.
fn bare(text: &str) -> String {
    text.replace(&format!("{SCRATCH}/"), "").replace(SCRATCH, "")
}

/// The content of a further file as the corpus has it.
fn normal_text(file: &str, bytes: &[u8], case: &str) -> Vec<u8> {
    match file.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "txt" | "sym" | "vs" => bare(&text(bytes)).into_bytes(),
        // A file of `createFile` may have the extension, too.
        "log" if bytes.starts_with(b"//--") => visible(&bare(&text(bytes))).into_bytes(),
        "dbg" => renumbered(&bare(&text(bytes)), case).into_bytes(),
        _ => bytes.to_vec(),
    }
}

/// Place and text of `file:line:column: text` or `-: text`.
fn split_error(error: &str) -> (&str, &str) {
    error.split_once(": ").unwrap_or(("", error))
}

/// The error of the console in the form of the expectation.
fn first_error(console: &str) -> String {
    let lines: Vec<&str> = console.lines().collect();
    let Some(index) = lines.iter().position(|line| line.starts_with("Error: ")) else {
        return String::new();
    };
    let is_text =
        |line: &&&str| !line.is_empty() && !line.starts_with("at line ") && !line.starts_with("Help: ");
    let count = 1 + lines[index + 1..].iter().take_while(is_text).count();
    let place = lines.get(index + count).and_then(|line| line.strip_prefix("at line ")).and_then(|line| {
        let (line, rest) = line.split_once(", column ")?;
        let (column, file) = rest.split_once(" in ")?;
        // Expectations have the name alone.
        let file = file.rsplit('/').next().unwrap_or(file);
        Some(format!("{file}:{line}:{column}"))
    });
    // Only a message with a place is known to go on.
    let count = if place.is_some() { count } else { 1 };
    let text = lines[index..index + count].join("\n");
    format!("{}: {}", place.unwrap_or("-".into()), in_names(&text["Error: ".len()..]))
}

/// All of the console but banner and blank lines, with the folder of the run as `{dir}`.
fn whole(console: &str, folder: &Path) -> String {
    let folder = folder.to_string_lossy().into_owned();
    let lines = console.lines().map(|line| line.trim_end().replace(&folder, "{dir}"));
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// The console without banner, progress and file names, paths reduced to names.
fn visible(console: &str) -> String {
    let progress = [
        "//",
        "Output dir: ",
        "User Arguments: ",
        "parsing",
        "flex pass ",
        "Output pass",
        "Writing ",
        "Wrote ",
    ];
    let lines = console.lines().filter(|line| !progress.iter().any(|start| line.starts_with(start)));
    let text: String = lines.map(|line| format!("{}\n", in_names(line.trim_end()))).collect();
    text.trim_matches('\n').to_owned()
}

/// Paths in round brackets without their folders.
fn in_names(line: &str) -> String {
    match line.split_once("(/") {
        Some((before, rest)) => {
            let end = rest.find([' ', ':', ')']).unwrap_or(rest.len());
            let name = rest[..end].rsplit('/').next().unwrap_or_default();
            format!("{before}({name}{}", &rest[end..])
        }
        None => line.to_owned(),
    }
}

fn hex_lines(bytes: &[u8]) -> String {
    let line = |row: &[u8]| row.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    bytes.chunks(32).map(|row| format!("{}\n", line(row))).collect()
}

fn describe(name: &str, bytes: &[u8]) -> String {
    let content = if bytes.len() > 2048 {
        format!(
            "sha256:{}",
            Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        )
    } else {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    format!("{name} {} {content}\n", bytes.len())
}

/// A debugger's dump with the sources numbered as in the corpus: the system's, the main one, then by name.
fn renumbered(dump: &str, case: &str) -> String {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut sources: Vec<(String, String)> = Vec::new();
    let mut in_sources = false;
    for line in dump.lines().map(str::trim) {
        if line.starts_with('<') {
            in_sources = line.starts_with("<Sources");
        } else if let (Some((index, path)), true) = (line.split_once(','), in_sources) {
            let is_system = path.contains("autoinclude");
            sources.push((index.to_owned(), if is_system { "<system>".into() } else { name(path) }));
        }
    }
    let main = format!("{case}.asm");
    sources.sort_by_key(|(_, name)| (name != "<system>", *name != main, name.clone()));
    let new_index = |old: &str| sources.iter().position(|(index, _)| index == old).unwrap_or(99).to_string();
    let mut text = String::new();
    let mut section = "";
    for line in dump.lines() {
        let trimmed = line.trim();
        let indent = &line[..line.len() - line.trim_start().len()];
        for (start, name) in [("<Sources", "Sources"), ("<Block", "Block"), ("<Labels", "Labels"), ("</", "")]
        {
            if trimmed.starts_with(start) {
                section = name;
            }
        }
        let column = match section {
            "Block" => 2,
            "Labels" => 3,
            _ => usize::MAX,
        };
        if section == "Sources" && !trimmed.starts_with('<') {
            continue;
        }
        let mut fields: Vec<String> = trimmed.split(',').map(str::to_owned).collect();
        if !trimmed.starts_with('<')
            && let Some((file, places)) = fields.get_mut(column..).and_then(<[String]>::split_first_mut)
        {
            *file = new_index(file);
            // Positions inside the built-in source are zeros.
            if file == "0" {
                places.iter_mut().for_each(|place| *place = "0".into());
            }
        }
        let _ = writeln!(text, "{indent}{}", fields.join(","));
        if section == "Sources" {
            for (index, (_, name)) in sources.iter().enumerate() {
                let _ = writeln!(text, "      {index},{name}");
            }
        }
    }
    text
}
