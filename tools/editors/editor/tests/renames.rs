//! Names of whole programs get other names: a fresh one changes no byte, a visible one is refused or changes none.
//!
//! A sample by default; `ALL=1` takes every name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempo_assembler::{DiskFiles, Files, Options, Output, Overlay, assemble};
use tempo_editor::{Edit, Place, Snapshot, apply};
use tempo_random::Random;

fn takes_all() -> bool {
    std::env::var_os("ALL").is_some()
}

struct Program {
    root: String,
    files: Arc<DiskFiles>,
    snapshot: Snapshot,
    before: Output,
}

impl Program {
    fn open(path: &Path) -> Option<Program> {
        let files = Arc::new(DiskFiles::new(path.parent()?));
        let root = path.to_str()?.to_owned();
        let before = assemble(&*files, &root, &Options::default());
        if before.has_errors() {
            return None;
        }
        let snapshot = Snapshot::new(files.clone(), Options::default()).with_roots([root.clone()]);
        Some(Program { root, files, snapshot, before })
    }

    /// Where each name is declared, with the name.
    fn names(&self) -> Vec<Named> {
        let facts = self.snapshot.roots()[0].parsed();
        let symbols = facts.analysis().symbols.iter().enumerate();
        let named = symbols.filter(|(_, symbol)| !symbol.name.is_empty());
        named
            .filter_map(|(index, symbol)| {
                let declared =
                    facts.occurrences().iter().find(|other| other.symbol == index && other.is_declaration)?;
                let place = facts.file_span(declared.span)?;
                Some((place.file, place.span.start, symbol.name.clone()))
            })
            .collect()
    }

    fn renamed(&self, (file, offset, _): &Named, new: &str) -> Result<Vec<Edit>, String> {
        tempo_editor::rename(&self.snapshot, Place { file, offset: *offset }, new)
    }

    /// Assembles the program with some edits, and compares what comes out.
    fn verify(&self, edits: &[Edit], what: &str) {
        let after = assemble(&self.edited(edits), &self.root, &Options::default());
        assert!(!after.has_errors(), "{what}: {:?}", after.diagnostics.first());
        assert_eq!(after.image, self.before.image, "{what}");
        assert_eq!(after.files, self.before.files, "{what}");
    }

    fn edited(&self, edits: &[Edit]) -> Overlay<'_> {
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            by_file.entry(&edit.file).or_default().push(edit);
        }
        let mut overlay = Overlay::new(&*self.files as &dyn Files);
        for (file, edits) in by_file {
            let text = self.snapshot.source(file).unwrap();
            overlay.insert(file, apply(text.text(), &edits));
        }
        overlay
    }
}

/// File and offset of a declaration, and the name.
type Named = (String, u32, String);

/// Names renamed to a fresh name, to a visible one, and all that were tried.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    fresh: usize,
    visible: usize,
    all: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.fresh += other.fresh;
        self.visible += other.visible;
        self.all += other.all;
    }
}

/// This many fresh names are checked by one run: names that no program has cannot meet each other.
const TOGETHER: usize = 50;

/// Renames some names of a program.
fn check(program: &Program, sample: usize, random: &mut Random) -> Counts {
    let names = program.names();
    let count = if takes_all() { names.len() } else { sample.min(names.len()) };
    let mut pick = |index: usize| {
        let index = if takes_all() { index } else { random.index(names.len()) };
        (&names[index], &names[random.index(names.len())].2)
    };
    let picked: Vec<(&Named, &String)> = (0..count).map(&mut pick).collect();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let mut counts = Counts::default();
    let work = || {
        let mut counts = Counts::default();
        while let Some(some) = picked.chunks(TOGETHER).nth(next.fetch_add(1, Ordering::Relaxed)) {
            counts += rename_some(program, some);
            if takes_all() && picked.len() > TOGETHER {
                eprintln!("{}: {counts:?} by this thread of {}", program.root, picked.len());
            }
        }
        counts
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(picked.len().div_ceil(TOGETHER)))
            .map(|_| std::thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work).unwrap())
            .collect();
        for worker in workers {
            counts += worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    counts
}

/// Renames each name to a fresh one and to a visible one. What the library says it has proven is assembled once more:
/// the fresh names of all together, a visible one by itself.
fn rename_some(program: &Program, names: &[(&Named, &String)]) -> Counts {
    let mut counts = Counts { all: names.len(), ..Counts::default() };
    let mut fresh: BTreeMap<(String, u32, u32), Edit> = BTreeMap::new();
    for (number, (named, visible)) in names.iter().enumerate() {
        let (file, offset, old) = *named;
        let what = |new: &str| format!("{}: {old} at {file}:{offset} to {new}", program.root);
        let new = format!("freshlyNamed{number}");
        match program.renamed(named, &new) {
            Ok(edits) => {
                counts.fresh += 1;
                let key = |edit: &Edit| (edit.file.clone(), edit.span.start, edit.span.end);
                if edits.iter().any(|edit| fresh.contains_key(&key(edit))) {
                    // Two names of one place, such as `argument.label` of two macros.
                    program.verify(&edits, &what(&new));
                } else {
                    fresh.extend(edits.into_iter().map(|edit| (key(&edit), edit)));
                }
            }
            Err(reason) => println!("{}: {reason}", what(&new)),
        }
        if let Ok(edits) = program.renamed(named, visible) {
            counts.visible += 1;
            program.verify(&edits, &what(visible));
        }
    }
    let edits: Vec<Edit> = fresh.into_values().collect();
    let first = names.first().map_or("", |(named, _)| &named.2);
    program.verify(&edits, &format!("{}: fresh names for {} from {first} on", program.root, names.len()));
    counts
}

#[test]
fn names_of_the_chess_program_can_be_renamed() {
    let program = Program::open(&tempo_testing::root().join("asm/main.asm")).unwrap();
    let facts = program.snapshot.roots()[0].parsed();
    let places = facts.occurrences().iter().map(|occurrence| (occurrence.span.start, occurrence.symbol));
    assert!(places.is_sorted(), "the names of a program are in the order of its texts");
    let mut random = Random::new(tempo_testing::seed());
    let counts = check(&program, 6, &mut random);
    println!("{counts:?}");
    assert_eq!(counts.fresh, counts.all);
}

#[test]
fn names_of_the_conformance_sources_can_be_renamed() {
    let folder = tempo_testing::fixtures().join("conformance");
    let mut random = Random::new(tempo_testing::seed());
    let mut sources: Vec<PathBuf> = tempo_testing::files_with_extension(&folder, "asm");
    if !takes_all() {
        sources = (0..40).map(|_| sources[random.index(sources.len())].clone()).collect();
    }
    let mut total = Counts::default();
    for path in sources {
        let Some(program) = Program::open(&path) else { continue };
        total += check(&program, 3, &mut random);
    }
    println!("{total:?}");
    // Some names of these sources are read as texts, or are declared twice on purpose.
    let percent = if takes_all() { 99 } else { 80 };
    assert!(total.fresh * 100 >= total.all * percent, "{total:?}");
}
