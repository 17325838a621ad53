//! Every `Cycles:` line of a routine header in `asm/` against the program: the figures are measured by the benches of
//! `tests/cycles.6502`. `UPDATE=1` writes the measured figures to the headers.
//!
//! A bench named `Routine: case` belongs to the figure `N case` of the routine's header, one named `Routine` to a
//! lone `N`. Where rows of a bench differ, the header says `N to M case`. A header that describes several routines
//! puts the routine's name before the case. Headers are found by the routine's name, in whatever file they stand;
//! every routine of the call interface, and every one whose header names what it clobbers, must have cycles. A
//! `Cycles:` line that belongs to no header is a fault.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_bridge::Routine;
use tempo_bridge::cycles::grouped;
use tempo_diagnostics::Renderer;
use tempo_expressions::Kind;
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::events::{Event, Outcome};
use tempo_harness::files::MemoryFiles;
use tempo_harness::parse::{Dialect, parse};
use tempo_harness::plan::{Step, StepKind};
use tempo_harness::run::{NoClock, RunOptions, run};
use tempo_harness::source::Source;

const SUITE: &str = "cycles.6502";

fn main() {
    let arguments = Arguments::from_args();
    let Found { headers, faults } = headers();
    let mut measured = measure();
    let mut trials: Vec<Trial> = vec![
        Trial::test("a-cycles-line-without-a-routine-is-a-fault", || {
            unclaimed("// Clobbers: A\n// Cycles:   12\n", &[2])
        }),
        Trial::test("a-second-cycles-line-is-a-fault", || {
            unclaimed("// One - it\n// Cycles:   12\n// Cycles:   13\n", &[3])
        }),
        Trial::test("a-cycles-line-among-code-is-a-fault", || {
            unclaimed("One:    rts     // Cycles: 6\n", &[1])
        }),
        Trial::test("a-cycles-line-of-a-routine-is-none", || {
            unclaimed("// One - it\n// Keeps: X   Cycles: 12\n", &[])
        }),
    ];
    for (name, fault) in faults {
        trials.push(Trial::test(name, move || Err(Failed::from(fault))));
    }
    let mut updates: BTreeMap<PathBuf, Vec<(Header, Vec<Figure>)>> = BTreeMap::new();
    for header in headers {
        let cases = take_cases(&header, &mut measured);
        let name = header.names.join(",");
        match compare(&header, &cases) {
            Ok(now) => {
                if tempo_testing::updating() && now != header.figures {
                    updates.entry(header.file.clone()).or_default().push((header, now));
                    continue;
                }
                let difference = difference(&header, &now);
                trials.push(Trial::test(name, move || difference.map_or(Ok(()), |text| Err(text.into()))));
            }
            Err(message) => trials.push(Trial::test(name, move || Err(Failed::from(message)))),
        }
    }
    for (routine, cases) in measured {
        let message =
            format!("tests/{SUITE} measures {routine} ({cases:?}), which has no header with a Cycles line");
        trials.push(Trial::test(routine, move || Err(Failed::from(message))));
    }
    for (path, changed) in updates {
        rewrite(&path, changed);
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Cycles of one case: the least and the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    least: u64,
    most: u64,
}

impl Range {
    fn text(self) -> String {
        if self.least == self.most {
            grouped(self.least)
        } else {
            format!("{} to {}", grouped(self.least), grouped(self.most))
        }
    }
}

/// One figure of a `Cycles:` line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Figure {
    range: Range,
    /// The subject of the figure, as the line says it.
    case: String,
}

/// The block of comments above a routine, as far as cycles go.
#[derive(Debug, Clone)]
struct Header {
    file: PathBuf,
    /// The lines of the `Cycles:` entry, from 0; empty if there is none.
    lines: std::ops::Range<usize>,
    /// The routines it describes.
    names: Vec<String>,
    figures: Vec<Figure>,
}

impl Header {
    /// The routine and the case a figure belongs to.
    fn owner<'a>(&'a self, figure: &'a Figure) -> (&'a str, &'a str) {
        let (first, rest) = figure.case.split_once(' ').unwrap_or((&figure.case, ""));
        match self.names.iter().find(|name| *name == first) {
            Some(name) => (name, rest),
            None => (&self.names[0], &figure.case),
        }
    }

    fn place(&self) -> String {
        place(&self.file, self.lines.start)
    }
}

type Cases = BTreeMap<String, Range>;

/// The cases measured for the routines of a header, by routine and case.
fn take_cases(header: &Header, measured: &mut BTreeMap<String, Cases>) -> BTreeMap<(String, String), Range> {
    let mut found = BTreeMap::new();
    for name in &header.names {
        for (case, range) in measured.remove(name).unwrap_or_default() {
            found.insert((name.clone(), case), range);
        }
    }
    found
}

/// The header's figures as they are measured, if it names the cases that are.
fn compare(header: &Header, cases: &BTreeMap<(String, String), Range>) -> Result<Vec<Figure>, String> {
    let place = header.place();
    let mut left = cases.clone();
    let mut now = Vec::new();
    for figure in &header.figures {
        let (routine, case) = header.owner(figure);
        let id = if case.is_empty() { routine.to_owned() } else { format!("{routine}: {case}") };
        let Some(range) = left.remove(&(routine.to_owned(), case.to_owned())) else {
            return Err(format!("{place}: no bench \"{id}\" in tests/{SUITE} measures this figure"));
        };
        now.push(Figure { range, case: figure.case.clone() });
    }
    match left.iter().next() {
        None => Ok(now),
        Some(((routine, case), range)) => {
            let (routine, range) = (if *routine == header.names[0] { "" } else { routine }, range.text());
            let figure = [range.as_str(), routine, case].join(" ");
            Err(format!("{place}: the Cycles line lacks a case that is measured: {figure}"))
        }
    }
}

fn difference(header: &Header, now: &[Figure]) -> Option<String> {
    let mut text = String::new();
    for (said, now) in header.figures.iter().zip(now).filter(|(said, now)| said != now) {
        let (said, now, case) = (said.range.text(), now.range.text(), &now.case);
        let _ = writeln!(text, "  {case}: {now} cycles; the header says {said}");
    }
    (!text.is_empty()).then(|| format!("{}\n{text}UPDATE=1 writes the measured figures", header.place()))
}

/// Puts the measured figures into a file's headers.
fn rewrite(path: &Path, mut changed: Vec<(Header, Vec<Figure>)>) {
    let text = std::fs::read_to_string(path).expect("it was read before");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    changed.sort_by_key(|(header, _)| std::cmp::Reverse(header.lines.start));
    for (header, figures) in changed {
        let first = &lines[header.lines.start];
        let head = &first[..first.find(MARK).expect("the entry starts there") + MARK.len()];
        // An entry of its own is wrapped; one after another keeps its line.
        let own = head == format!("// {MARK}");
        let mut out = vec![if own { format!("{head}  ") } else { head.to_owned() }];
        for (index, figure) in figures.iter().enumerate() {
            let comma = if index + 1 < figures.len() { "," } else { "" };
            let item = format!("{} {}", figure.range.text(), figure.case).trim_end().to_owned() + comma;
            let line = out.last_mut().expect("one at least");
            if own && index > 0 && line.len() + item.len() >= WIDTH {
                out.push(format!("//{}{item}", " ".repeat(INDENT)));
            } else {
                let _ = write!(line, " {item}");
            }
        }
        lines.splice(header.lines, out);
    }
    std::fs::write(path, lines.join("\n") + "\n").expect("the sources are writable");
}

const MARK: &str = "Cycles:";
/// The lines that make a header a contract; then it gives the cycles, too.
const CONTRACT: &str = "Clobbers:";
/// Folders whose routines wait for people and disks: their cost does not matter, except where a header says it.
const UNTIMED: [&str; 3] = ["ui", "kernal", "drive"];
/// Routines whose figures `expansion.rs` compares: the machine of the suites has no RAM expansion.
const EXPANDED: [&str; 3] = ["ReuAge", "ReuProbe", "ReuStore"];
/// Where an entry goes on, after the slashes.
const INDENT: usize = 11;
const WIDTH: usize = 88;

struct Found {
    /// Headers with cycles.
    headers: Vec<Header>,
    /// The faults of others, by routine.
    faults: Vec<(String, String)>,
}

/// The headers of all routines that have cycles or must have them.
fn headers() -> Found {
    let mut found = Found { headers: Vec::new(), faults: Vec::new() };
    let mut wanted: BTreeSet<String> = Routine::ALL.iter().map(|routine| routine.name().to_owned()).collect();
    for file in tempo_testing::files_with_extension(&tempo_testing::root().join("asm"), "asm") {
        let text = std::fs::read_to_string(&file).expect("a readable source");
        wanted.extend(read_headers(&file, &text, &mut found));
    }
    let Found { mut headers, mut faults } = found;
    for name in wanted {
        let mine: Vec<&Header> = headers.iter().filter(|header| header.names.contains(&name)).collect();
        let fault = match mine[..] {
            [one] if one.figures.iter().any(|figure| one.owner(figure).0 == name) => continue,
            [one] => format!("{}: the header of {name} has no Cycles line", one.place()),
            [] => format!("the routine {name} of the call interface has no header `// {name} - …` in asm/"),
            _ => format!("{name} has {} headers", mine.len()),
        };
        faults.push((name, fault));
    }
    headers.retain(|header| !header.figures.is_empty() && !EXPANDED.contains(&header.names[0].as_str()));
    Found { headers, faults }
}

/// Adds the headers of one source; returns the routines that must have cycles.
fn read_headers(file: &Path, text: &str, found: &mut Found) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_routine = |name: &str| {
        lines.iter().any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')))
    };
    let is_timed = !UNTIMED.iter().any(|folder| file.components().any(|part| part.as_os_str() == *folder));
    let mut wanted = Vec::new();
    let mut claimed = BTreeSet::new();
    for block in comment_blocks(&lines) {
        let names: Vec<String> = block.clone().flat_map(|at| header_names(lines[at])).collect();
        if names.is_empty() {
            continue;
        }
        if is_timed && block.clone().any(|at| lines[at].contains(CONTRACT)) {
            wanted.extend(names.iter().filter(|name| is_routine(name)).cloned());
        }
        let start = block.clone().find(|&at| lines[at].contains(MARK));
        let mut header =
            Header { file: file.to_owned(), lines: block.start..block.start, names, figures: vec![] };
        if let Some(start) = start {
            let goes_on = |line: &str| line.starts_with(&format!("//{}", " ".repeat(INDENT)));
            let end = (start + 1..block.end).find(|&at| !goes_on(lines[at])).unwrap_or(block.end);
            claimed.insert(start);
            header.lines = start..end;
            let entry: Vec<&str> = (start..end).map(|at| lines[at].trim_start_matches('/').trim()).collect();
            let entry = entry.join(" ");
            let (_, entry) = entry.split_once(MARK).expect("the mark is in it");
            match figures(entry) {
                Ok(figures) => header.figures = figures,
                Err(why) => {
                    found.faults.push((header.names[0].clone(), format!("{}: {why}", header.place())))
                }
            }
        }
        found.headers.push(header);
    }
    for at in (0..lines.len()).filter(|at| lines[*at].contains(MARK) && !claimed.contains(at)) {
        let place = place(file, at);
        let why = format!(
            "{place}: this Cycles line is the first of no header `// Name - …`, so nothing measures it"
        );
        found.faults.push((place, why));
    }
    wanted
}

/// Where a line is, counted from 0.
fn place(file: &Path, at: usize) -> String {
    format!("{}:{}", file.strip_prefix(tempo_testing::root()).unwrap_or(file).display(), at + 1)
}

/// Fails unless these lines of a source, counted from 1, are the faults in it.
fn unclaimed(text: &str, expected: &[usize]) -> Result<(), Failed> {
    let mut found = Found { headers: Vec::new(), faults: Vec::new() };
    read_headers(Path::new("one.asm"), text, &mut found);
    let places: Vec<String> = found.faults.into_iter().map(|(place, _)| place).collect();
    let expected: Vec<String> = expected.iter().map(|line| format!("one.asm:{line}")).collect();
    if places == expected { Ok(()) } else { Err(format!("{text}\nfaults: {places:?}").into()) }
}

/// The runs of comment lines.
fn comment_blocks(lines: &[&str]) -> Vec<std::ops::Range<usize>> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        while at < lines.len() && lines[at].starts_with("//") {
            at += 1;
        }
        if at > start {
            blocks.push(start..at);
        }
        at += 1;
    }
    blocks
}

/// The names before the dash of `// AddMove - append one move`.
fn header_names(line: &str) -> Vec<String> {
    let Some((names, _)) = line.strip_prefix("// ").and_then(|line| line.split_once(" - ")) else {
        return Vec::new();
    };
    let names: Vec<String> = names.split(", ").map(str::to_owned).collect();
    if names.iter().all(|name| is_name(name)) { names } else { Vec::new() }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `35 stored, 15 full`, `1,231 at the start`, `18 to 24`.
fn figures(entry: &str) -> Result<Vec<Figure>, String> {
    let number = |word: &str| word.replace(',', "").parse::<u64>().ok();
    let mut found = Vec::new();
    for item in entry.trim().split(", ") {
        let mut words = item.split(' ').filter(|word| !word.is_empty()).peekable();
        let wrong = || format!("`{item}` is not a figure: a Cycles line reads `35 stored, 15 full`");
        let least = words.next().and_then(number).ok_or_else(wrong)?;
        let mut most = least;
        if words.peek() == Some(&"to") {
            words.next();
            most = words.next().and_then(number).ok_or_else(wrong)?;
        }
        let case = words.collect::<Vec<_>>().join(" ");
        found.push(Figure { range: Range { least, most }, case });
    }
    Ok(found)
}

/// Runs the benches: cycles of the last call, by routine and case.
fn measure() -> BTreeMap<String, Cases> {
    let mut files = MemoryFiles::default();
    let folder = tempo_testing::root().join("asm");
    // Sources, and the texts that their scripts read.
    let sources = ["asm", "txt"].map(|extension| tempo_testing::files_with_extension(&folder, extension));
    for path in sources.into_iter().flatten() {
        let name = path.strip_prefix(tempo_testing::root()).expect("below the root").display().to_string();
        files.insert(
            format!("../{}", name.replace('\\', "/")),
            std::fs::read(&path).expect("a readable source"),
        );
    }
    let read = |name: &str| std::fs::read(tempo_testing::fixtures().join(name)).expect("a readable suite");
    for name in ["common.6502", "program.6502", "squares.6502"] {
        files.insert(name, read(name));
    }
    let mut source = Source::from_bytes(SUITE, &read(SUITE)).expect("a suite is text");
    let parsed = parse(&mut source, Dialect::Full, &files);
    let source = Arc::new(source);
    let checked = check(&source, &parsed.file, CheckOptions::default(), &files, &AssemblyCache::default());
    let faults = parsed.diagnostics.iter().chain(&checked.diagnostics);
    let faults: String = faults.map(|fault| Renderer::new(&*source).human(fault)).collect();
    assert!(!parsed.has_errors() && !checked.has_errors(), "{faults}");
    for test in checked.plan.suites.iter().flat_map(|suite| &suite.tests) {
        let (routine, _) = split_id(&test.id);
        let called = last_call(&test.body);
        assert_eq!(
            called,
            Some(routine),
            "tests/{SUITE}: the last call of \"{}\" is not its routine",
            test.id
        );
    }
    let mut measured: BTreeMap<String, Cases> = BTreeMap::new();
    run(&[checked.plan], &RunOptions::default(), &NoClock, &mut |event| {
        let Event::Test(test) = event else { return };
        assert_eq!(test.outcome, Outcome::Passed, "{}: {:#?}", test.id, test.failures);
        let cycles = test.last_call.expect("a bench calls its routine");
        let (routine, case) = split_id(&test.id);
        let range = Range { least: cycles, most: cycles };
        let cases = measured.entry(routine.to_owned()).or_default();
        cases
            .entry(case.to_owned())
            .and_modify(|old| *old = Range { least: old.least.min(cycles), most: old.most.max(cycles) })
            .or_insert(range);
    });
    measured
}

/// Routine and case of a bench; the number of its row is left out.
fn split_id(id: &str) -> (&str, &str) {
    let id = id.split_once('[').map_or(id, |(id, _)| id);
    id.split_once(": ").unwrap_or((id, ""))
}

/// The label that the last statement with a call names.
fn last_call(body: &[Step]) -> Option<&str> {
    body.iter().rev().find_map(|step| match &step.kind {
        StepKind::Jsr(call) => match &call.target.kind {
            Kind::Label(name, _) => Some(name.as_str()),
            _ => None,
        },
        StepKind::Call(call) => last_call(&call.body),
        _ => None,
    })
}
