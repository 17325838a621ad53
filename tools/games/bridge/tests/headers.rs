//! The heads of the sources in `asm/` and of the assembler's own: a name after `Provides:` is defined in that file, a file after `Uses:` defines
//! something the file refers to, and so does a name in the parentheses after it.
//!
//! The sources are read as text, without the assembler: a word with a capital is a name, `Line...` stands for a name
//! that begins so, and what is defined inside a routine or a macro belongs to it alone, except for labels with `@`.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::{Arguments, Failed, Trial};

/// Entries of `Uses:` that are not files of the tree.
const ELSEWHERE: [&str; 5] =
    ["the jump table", "the KERNAL in ROM", "settings.asm", "packed.bin", "build/chess.prg"];
/// The entry of a file that refers to no other.
const NOTHING: &str = "nothing";
/// Where an entry goes on in the next line.
const GOES_ON: &str = "//           ";
/// The definition of the word after it.
const DIRECTIVES: [&str; 7] = [".const", ".label", ".var", ".function", ".macro", ".struct", ".enum"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    for root in ["asm", "tools/language/assembler/asm"] {
        let folder = tempo_testing::root().join(root);
        let mut texts = BTreeMap::new();
        for path in ["asm", "txt"]
            .iter()
            .flat_map(|extension| tempo_testing::files_with_extension(&folder, extension))
        {
            let name = path
                .strip_prefix(&folder)
                .expect("below the folder")
                .display()
                .to_string()
                .replace('\\', "/");
            texts.insert(name, tempo_testing::text(&path));
        }
        let tree = Tree::new(&texts);
        for name in texts.keys().filter(|name| name.ends_with(".asm")) {
            let faults = tree.faults(name);
            trials.push(Trial::test(name, move || report(&faults)));
        }
    }
    for (name, head, expected) in WRONG {
        trials.push(Trial::test(name, move || finds(head, expected)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn report(faults: &[String]) -> Result<(), Failed> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// Heads of a file that defines `Here` and refers to `There` of `other.asm`, and what is said of them.
const WRONG: [(&str, &str, &[&str]); 9] = [
    (
        "true-heads-pass",
        "// Provides: Here\n// Uses:     ai/other.asm (There, the\n//           rest), base.asm",
        &[],
    ),
    ("provided-names-are-defined", "// Provides: Here, There", &["ai/one.asm provides no There"]),
    ("labels-of-a-routine-are-its-own", "// Provides: Inner", &["ai/one.asm provides no Inner"]),
    ("provided-prefixes-are-defined", "// Provides: He..., Th...", &["ai/one.asm provides no Th..."]),
    ("used-files-exist", "// Uses:     none.asm", &["ai/one.asm uses none.asm, which does not exist"]),
    ("used-files-are-referred-to", "// Uses:     idle.asm", &["ai/one.asm refers to nothing of idle.asm"]),
    (
        "used-names-are-defined",
        "// Uses:     other.asm (Here)",
        &["ai/one.asm uses Here of other.asm, which does not define it"],
    ),
    (
        "used-names-are-referred-to",
        "// Uses:     other.asm (Idle)",
        &["ai/one.asm uses Idle of other.asm, but does not refer to it"],
    ),
    (
        "nothing-means-nothing",
        "// Uses:     nothing",
        &[
            "ai/one.asm uses nothing, but refers to There of ai/other.asm",
            "ai/one.asm uses nothing, but refers to BASE of base.asm",
        ],
    ),
];

fn finds(head: &str, expected: &[&str]) -> Result<(), Failed> {
    let code = "Here: {\n        jsr There // Idle\n        lda #BASE\nInner:  rts\n}\n";
    let texts = [
        ("ai/one.asm", format!("{head}\n#importonce\n{code}")),
        ("ai/other.asm", "There:  rts\nIdle:   rts\n".to_owned()),
        ("ai/idle.asm", ".const IDLE = 1\n".to_owned()),
        ("base.asm", ".const BASE = 1\n".to_owned()),
    ];
    let texts = texts.into_iter().map(|(name, text)| (name.to_owned(), text)).collect();
    let faults = Tree::new(&texts).faults("ai/one.asm");
    if faults == expected { Ok(()) } else { Err(format!("{head}\n{faults:#?}").into()) }
}

/// All sources, by their paths below `asm/`.
struct Tree<'a> {
    files: BTreeMap<&'a str, File<'a>>,
}

/// One source.
struct File<'a> {
    text: &'a str,
    defined: BTreeSet<&'a str>,
    words: BTreeSet<&'a str>,
}

impl<'a> Tree<'a> {
    fn new(texts: &'a BTreeMap<String, String>) -> Tree<'a> {
        let files = texts.iter().map(|(name, text)| (name.as_str(), File::new(text)));
        Tree { files: files.collect() }
    }

    /// Lists the faults in the head of a file.
    fn faults(&self, name: &str) -> Vec<String> {
        let file = &self.files[name];
        let mut faults = Vec::new();
        for word in names(&entry(file.text, "Provides:")) {
            if !has(&file.defined, &word) {
                faults.push(format!("{name} provides no {word}"));
            }
        }
        for item in items(&entry(file.text, "Uses:")) {
            let (used, inside) = item.split_once(" (").unwrap_or((&item, ""));
            if used == NOTHING {
                faults
                    .extend(self.foreign(name).map(|(word, other)| {
                        format!("{name} uses nothing, but refers to {word} of {other}")
                    }));
            } else if let Some(other) = self.find(name, used) {
                faults.extend(uses(name, file, used, other, inside));
            } else if !ELSEWHERE.contains(&used) {
                faults.push(format!("{name} uses {used}, which does not exist"));
            }
        }
        faults
    }

    /// The file that `used` means in the head of the file `name`: beside it, or below `asm/`.
    fn find(&self, name: &str, used: &str) -> Option<&File<'a>> {
        let beside = name.rsplit_once('/').map(|(folder, _)| format!("{folder}/{used}"));
        beside.and_then(|path| self.files.get(path.as_str())).or_else(|| self.files.get(used))
    }

    /// The names a file refers to that others define, and those others; programs of other folders are left out.
    fn foreign(&self, name: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let file = &self.files[name];
        let others = self.files.iter().filter(move |(other, _)| is_kernal(other) == is_kernal(name));
        others.flat_map(move |(other, File { defined, .. })| {
            let words = defined.intersection(&file.words).filter(|word| !file.defined.contains(*word));
            words.map(|word| (*word, *other)).collect::<Vec<_>>()
        })
    }
}

/// The KERNAL is a separate program.
fn is_kernal(name: &str) -> bool {
    name.starts_with("kernal/")
}

/// Lists the faults of one file of a `Uses:` entry, and of the names in its parentheses.
fn uses(name: &str, file: &File<'_>, used: &str, other: &File<'_>, inside: &str) -> Vec<String> {
    // Texts define nothing: scripts read them.
    if !used.ends_with(".asm") {
        return Vec::new();
    }
    let words = names(inside);
    let mut faults = Vec::new();
    for word in &words {
        if !has(&other.defined, word) {
            faults.push(format!("{name} uses {word} of {used}, which does not define it"));
        } else if !has(&file.words, word) {
            faults.push(format!("{name} uses {word} of {used}, but does not refer to it"));
        }
    }
    if words.is_empty() && other.defined.is_disjoint(&file.words) {
        faults.push(format!("{name} refers to nothing of {used}"));
    }
    faults
}

/// Whether a name, or one that begins like `Line...`, is among these.
fn has(set: &BTreeSet<&str>, name: &str) -> bool {
    match name.strip_suffix("...") {
        Some(start) => set.iter().any(|word| word.starts_with(start)),
        None => set.contains(name),
    }
}

/// The text of an entry in the comments that begin a file, its lines joined; empty if there is none.
fn entry(text: &str, mark: &str) -> String {
    let mut lines = text.lines().take_while(|line| line.starts_with("//"));
    let start = format!("// {mark}");
    let Some(first) = lines.find_map(|line| line.strip_prefix(&start)) else { return String::new() };
    let rest = lines.map_while(|line| line.strip_prefix(GOES_ON));
    std::iter::once(first).chain(rest).map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The parts of an entry between commas and semicolons; those in parentheses divide nothing.
fn items(entry: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = entry.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && (c == ',' || c == ';')
    });
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// The words of a text with a capital; `$FF93` is none.
fn names(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !is_letter(c) && !"./$".contains(c));
    let names =
        words.filter(|word| !word.starts_with('$') && word.contains(|c: char| c.is_ascii_uppercase()));
    names.map(str::to_owned).collect()
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> File<'a> {
    fn new(text: &'a str) -> File<'a> {
        let (mut defined, mut words) = (BTreeSet::new(), BTreeSet::new());
        let mut depth = 0;
        for line in text.lines() {
            defined.extend(definition(line, depth));
            for code in code(line) {
                depth += code.matches('{').count();
                depth -= code.matches('}').count();
                words.extend(code.split(|c| !is_letter(c)));
            }
        }
        File { text, defined, words }
    }
}

/// The name that a line defines for the whole program.
fn definition(line: &str, depth: usize) -> Option<&str> {
    let line = line.trim_start();
    let (word, rest) = line.split_at(line.find(|c: char| !is_letter(c) && c != '.' && c != '@')?);
    let is_global = depth == 0 || word.starts_with('@');
    if rest.starts_with(':') {
        return is_global.then(|| word.trim_start_matches('@')).filter(|word| !word.is_empty());
    }
    let name = rest.trim_start().split(|c| !is_letter(c) && c != '@').next()?;
    let is_global = depth == 0 || name.starts_with('@');
    (is_global && DIRECTIVES.contains(&word)).then(|| name.trim_start_matches('@'))
}

/// A line without its comment and its strings.
fn code(line: &str) -> impl Iterator<Item = &str> {
    // No string of the sources has a comment's slashes in it, or a quote.
    let code = line.split_once("//").map_or(line, |(code, _)| code);
    code.split('"').step_by(2)
}
