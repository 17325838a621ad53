//! Mutated sources of the conformance corpus through the assembler: it may refuse them, but it must end, not
//! panic, and point only at places that exist.
//!
//! Bounded and seeded, so that a failure comes again. `FUZZ=100 cargo test -p tests --test asm_fuzz` looks
//! longer, `SEED=n` elsewhere. On a failure the smallest failing source found is printed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assembler::{Limits, MemoryFiles, Options, Output};
use libtest_mimic::{Arguments, Failed, Trial};

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

/// SplitMix64: good enough to choose mutations, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn choose<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}

/// Words that mean something to the language; random bytes alone rarely do.
const WORDS: &[&str] = &[
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
    "#endif",
    "#import \"main.asm\"",
    "#else",
    "#define A",
    "#importonce",
    ".byte",
    ".word",
    ".text",
    ".fill",
    ".fill 1000, i",
    ".macro M(",
    "M(",
    ".function f(",
    "f(",
    ".return",
    ".if (",
    "else",
    ".for (var i=0;i<3;i++)",
    ".while (true)",
    ".var v",
    ".const",
    ".label",
    ".eval",
    ".enum",
    ".struct S {",
    "S()",
    ".namespace n {",
    ".segment",
    ".segmentdef S [start=",
    ".segmentout [segments=\"S\"]",
    ".file [name=\"f\"",
    ".disk [filename=\"d\"] {",
    ".pseudopc",
    ".pseudocommand p a:b {",
    ".align",
    ".import binary",
    ".import source \"main.asm\"",
    ".encoding",
    ".define",
    ".assert",
    ".asserterror",
    ".zp {",
    ".modify",
    ".plugin",
    ".print",
    ".error",
    ".errorif",
    ".lohifill",
    ".memblock",
    ".break",
    ".watch",
    ".cpu _65c02",
    "*=$ffff",
    "*=",
    "List()",
    "Hashtable()",
    "Vector(1,2,3)",
    "Matrix()",
    ".add(",
    ".get(",
    ".lock()",
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
    "null",
    "true",
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

fn mutate(random: &mut Random, seeds: &[String]) -> String {
    let mut text: Vec<u8> = seeds[random.below(seeds.len())].as_bytes().to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(text.len() + 1);
        let until = (at + random.below(20)).min(text.len());
        match random.below(8) {
            0 => drop(text.drain(at..until)),
            1 => drop(text.splice(at..at, random.choose(WORDS).bytes())),
            2 => drop(text.splice(at..until, random.choose(WORDS).bytes())),
            3 => {
                let piece = text[at..until].to_vec();
                let times = 1 + random.below(30);
                drop(text.splice(at..at, piece.repeat(times)));
            }
            4 => {
                let other = seeds[random.below(seeds.len())].as_bytes();
                let from = random.below(other.len() + 1);
                let to = (from + random.below(80)).min(other.len());
                drop(text.splice(at..at, other[from..to].iter().copied()));
            }
            5 => text.truncate(at),
            6 if at < text.len() => text[at] = random.next() as u8,
            _ => {
                let word = random.choose(WORDS).as_bytes().to_vec();
                drop(text.splice(at..at, word.repeat(1 + random.below(200))));
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
    Options { limits, parse_only: matches!(depth, Depth::Parse), ..Options::default() }
}

fn assemble(source: &[u8], depth: Depth) -> Output {
    let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
    assembler::assemble(&files, "main.asm", &options(depth))
}

/// What is wrong with the way a source was handled, if anything.
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
        let Some(at) = &diagnostic.at else { continue };
        let Some(source) = output.program.sources.get(at.file as usize) else {
            return Some(format!("{diagnostic:?} is in a file that does not exist"));
        };
        let breaks = source.text.matches(['\n', '\r']).count() as u32;
        if at.line == 0 || at.column == 0 || at.line > breaks + 1 {
            return Some(format!("{diagnostic:?} is at a line that does not exist"));
        }
        if diagnostic.code.is_empty() || diagnostic.message.is_empty() {
            return Some(format!("{diagnostic:?} says nothing"));
        }
    }
    if output.has_errors() && (output.image.is_some() || !output.files.is_empty()) {
        return Some("a rejected program has output".into());
    }
    None
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
    let seeds: Vec<String> = tests::files_with_extension(&tests::fixtures().join("conformance"), "asm")
        .iter()
        .map(|path| std::fs::read_to_string(path).unwrap_or_default())
        .collect();
    let first = tests::seed();
    let current = Arc::new(Mutex::new(String::new()));
    let round = Arc::new(AtomicU64::new(0));
    let done = watch(current.clone(), round.clone());
    std::panic::set_hook(Box::new(|_| {}));
    let mut found = None;
    for seed in first..first + tests::rounds(count) {
        let source = mutate(&mut Random(seed), &seeds);
        current.lock().expect("nobody panics with the lock held").clone_from(&source);
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

/// Bytes that are no text at all.
fn raw_bytes() -> Result<(), Failed> {
    let mut random = Random(tests::seed());
    for _ in 0..tests::rounds(500) {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.next() as u8).collect();
        if let Some(what) = problem(&bytes, Depth::Whole) {
            return Err(format!("{what}: {bytes:?}").into());
        }
    }
    Ok(())
}
