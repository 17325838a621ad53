//! Mutated sources of the conformance corpus through the assembler: it may refuse them, but it must end, not
//! panic, and point only at places that exist.
//!
//! Bounded and seeded, so that a failure comes again. `FUZZ=100 cargo test -p tempo-assembler --test fuzz` looks
//! longer, `SEED=n` elsewhere. On a failure the smallest failing source found is printed.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_assembler::{Limits, MemoryFiles, Options, Output, SourceMap, Span};
use tempo_random::Random;

/// How far the assembler goes.
#[derive(Clone, Copy)]
enum Depth {
    /// Lexer, preprocessor, parser and names.
    Parse,
    /// Everything.
    Whole,
}

fn main() {
    let arguments = Arguments::from_args();
    let trials = vec![
        Trial::test("lexer-and-parser", || fuzz(Depth::Parse, 6_000)),
        Trial::test("whole-assembler", || fuzz(Depth::Whole, 6_000)),
        Trial::test("raw-bytes", raw_bytes),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

/// Pieces of text beside the words of the language; random bytes alone rarely mean anything.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    ",",
    ";",
    ":",
    "\n",
    "@",
    "!",
    "#",
    "*",
    "=",
    "+",
    "-",
    "++",
    "--",
    "<",
    ">",
    ".",
    "?",
    "$ffff",
    "%1",
    "0",
    "1",
    "-1",
    "1e9",
    "99999999999",
    "lda",
    "jmp",
    "bne",
    "nop",
    "lda.zp",
    "#if A",
    "#import \"main.asm\"",
    "#define A",
    ".fill 1000, i",
    ".macro M(",
    "M(",
    ".function f(",
    "f(",
    ".if (",
    "else",
    ".for (var i=0;i<3;i++)",
    ".while (true)",
    ".var v",
    ".struct S {",
    "S()",
    ".namespace n {",
    ".segmentdef S [start=",
    ".segmentout [segments=\"S\"]",
    ".file [name=\"f\"",
    ".disk [filename=\"d\"] {",
    ".pseudocommand p a:b {",
    ".import source \"main.asm\"",
    ".zp {",
    "*=$ffff",
    ".add(",
    ".get(",
    ".substring(",
    "toIntString(",
    "sin(",
    "CmdArgument(",
    "!a+",
    "!-",
    "!:",
    "label:",
    "label",
    "label.inner",
    "x",
    "y",
    "i",
    "BasicUpstart2(",
    "\\$ff",
    "@\"\\n\"",
    "/*",
    "*/",
    "//",
    "ä",
    "π",
    "\u{0}",
    "\u{feff}",
    "\r",
];

/// The material for sources: the pieces, and every word of the language in use.
fn words() -> Vec<String> {
    PIECES.iter().map(|piece| (*piece).to_owned()).chain(tempo_assembler::dialect::samples()).collect()
}

fn mutate(random: &mut Random, seeds: &[String], words: &[String]) -> String {
    let mut text: Vec<u8> = seeds[random.index(seeds.len())].as_bytes().to_vec();
    for _ in 0..=random.index(6) {
        let at = random.index(text.len() + 1);
        let until = (at + random.index(20)).min(text.len());
        match random.index(8) {
            0 => drop(text.drain(at..until)),
            1 => drop(text.splice(at..at, random.pick(words).bytes())),
            2 => drop(text.splice(at..until, random.pick(words).bytes())),
            3 => {
                let piece = text[at..until].to_vec();
                let times = 1 + random.index(30);
                drop(text.splice(at..at, piece.repeat(times)));
            }
            4 => {
                let other = seeds[random.index(seeds.len())].as_bytes();
                let from = random.index(other.len() + 1);
                let to = (from + random.index(80)).min(other.len());
                drop(text.splice(at..at, other[from..to].iter().copied()));
            }
            5 => text.truncate(at),
            6 if at < text.len() => text[at] = random.next_u64() as u8,
            _ => {
                let word = random.pick(words).as_bytes().to_vec();
                drop(text.splice(at..at, word.repeat(1 + random.index(200))));
            }
        }
    }
    text.truncate(20_000);
    String::from_utf8_lossy(&text).into_owned()
}

fn options(depth: Depth) -> Options {
    let limits = Limits {
        passes: 10,
        iterations: 500,
        call_depth: 100,
        import_depth: 10,
        output_bytes: 1 << 20,
        value_size: 1 << 16,
        ..Limits::default()
    };
    Options { limits, parse_only: matches!(depth, Depth::Parse), analysis: true, ..Options::default() }
}

fn assemble(source: &[u8], depth: Depth) -> Output {
    let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
    tempo_assembler::assemble(&files, "main.asm", &options(depth))
}

/// Returns the fault in the handling of a source, if any.
fn problem(source: &[u8], depth: Depth) -> Option<String> {
    let output = match catch_unwind(AssertUnwindSafe(|| assemble(source, depth))) {
        Ok(output) => output,
        Err(panic) => {
            let text =
                panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            return Some(format!("panic: {}", text.unwrap_or("?")));
        }
    };
    for diagnostic in &output.diagnostics {
        let spans = diagnostic.span.into_iter().chain(diagnostic.labels.iter().map(|label| label.span));
        for span in spans.chain(diagnostic.frames.iter().map(|frame| frame.span)) {
            if let Some(fault) = span_fault(&output, span) {
                return Some(format!("{diagnostic:?} {fault}"));
            }
        }
        // The text of `.error ""` is the author's; then the help says something.
        if diagnostic.message.is_empty() && diagnostic.help.is_none() {
            return Some(format!("{diagnostic:?} says nothing"));
        }
    }
    if let Some(analysis) = &output.analysis {
        for symbol in &analysis.symbols {
            for &span in symbol.uses.iter().chain([&symbol.span]) {
                if let Some(fault) = span_fault(&output, span) {
                    return Some(format!("{symbol:?} {fault}"));
                }
            }
        }
        for emission in &analysis.emissions {
            if analysis.bytes(emission).len() != emission.len() || emission.is_empty() {
                return Some(format!("{emission:?} has no bytes"));
            }
        }
    }
    if output.has_errors() && (output.image.is_some() || !output.files.is_empty()) {
        return Some("a rejected program has output".into());
    }
    None
}

/// Returns the fault of a place, if any: both ends must be places of one text, between two characters.
fn span_fault(output: &Output, span: Span) -> Option<&'static str> {
    let Some(found) = output.sources.find(span.start) else { return Some("is in no file") };
    let text = found.source.text();
    let (Some(start), Some(end)) = (span.start.checked_sub(found.base), span.end.checked_sub(found.base))
    else {
        return Some("starts before its file");
    };
    if end < start || end as usize > text.len() + 1 {
        return Some("ends outside its file");
    }
    let is_border = |at: u32| text.is_char_boundary((at as usize).min(text.len()));
    (!is_border(start) || !is_border(end)).then_some("cuts a character")
}

/// Takes away lines, then characters, as long as the source still fails.
fn smallest(source: &str, depth: Depth) -> String {
    let mut best = source.to_owned();
    for pieces in [2, 8, 32, 128, 100_000] {
        let mut index = 0;
        loop {
            let characters: Vec<char> = best.chars().collect();
            let size = characters.len().div_ceil(pieces).max(1);
            let from = index * size;
            if from >= characters.len() {
                break;
            }
            let to = (from + size).min(characters.len());
            let shorter: String = characters[..from].iter().chain(&characters[to..]).collect();
            if problem(shorter.as_bytes(), depth).is_some() {
                best = shorter;
            } else {
                index += 1;
            }
            if best.len() > 4_000 && pieces > 128 {
                break;
            }
        }
    }
    best
}

fn fuzz(depth: Depth, count: u64) -> Result<(), Failed> {
    let seeds: Vec<String> =
        tempo_testing::files_with_extension(&tempo_testing::fixtures().join("conformance"), "asm")
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap_or_default())
            .collect();
    let first = tempo_testing::seed();
    let current = Arc::new(Mutex::new(String::new()));
    let round = Arc::new(AtomicU64::new(0));
    let done = watch(current.clone(), round.clone());
    std::panic::set_hook(Box::new(|_| {}));
    let words = words();
    let mut found = None;
    for seed in tempo_testing::tries(count).map(|round| first + round) {
        let source = mutate(&mut Random::new(seed), &seeds, &words);
        current.lock().expect("no thread panics with the lock held").clone_from(&source);
        round.fetch_add(1, Ordering::Relaxed);
        if problem(source.as_bytes(), depth).is_some() {
            let source = smallest(&source, depth);
            let what = problem(source.as_bytes(), depth).unwrap_or_default();
            found = Some(format!("seed {seed}: {what}\nsmallest source found:\n{source}\n({source:?})"));
            break;
        }
    }
    drop(done);
    let _ = std::panic::take_hook();
    match found {
        Some(text) => Err(text.into()),
        None => Ok(()),
    }
}

/// Names the source of a run that does not end; without it a hang would tell nothing.
fn watch(current: Arc<Mutex<String>>, round: Arc<AtomicU64>) -> std::sync::mpsc::Sender<()> {
    let (done, ended) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        let mut last = u64::MAX;
        while ended.recv_timeout(Duration::from_secs(60)) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let now = round.load(Ordering::Relaxed);
            if now == last {
                let source = current.lock().map(|source| source.clone()).unwrap_or_default();
                eprintln!("no end after a minute: {source:?}");
                std::process::abort();
            }
            last = now;
        }
    });
    done
}

/// Bytes that are not text at all.
fn raw_bytes() -> Result<(), Failed> {
    let mut random = Random::new(tempo_testing::seed());
    for _ in tempo_testing::tries(500) {
        let bytes: Vec<u8> = (0..random.index(400)).map(|_| random.next_u64() as u8).collect();
        if let Some(what) = problem(&bytes, Depth::Whole) {
            return Err(format!("{what}: {bytes:?}").into());
        }
    }
    Ok(())
}
