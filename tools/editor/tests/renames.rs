//! Names of whole programs get other names: a fresh one changes no byte, a visible one is refused or changes none.
//!
//! A sample by default; `ALL=1` takes every name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assembler::{DiskFiles, Files, Options, Output, Overlay, assemble};
use random::Random;
use tempo_editor::{Edit, Place, Snapshot, apply};

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
    fn names(&self) -> Vec<(String, u32, String)> {
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

    /// Renames and checks with a run of its own. Whether it was done.
    fn rename(&self, (file, offset, old): &(String, u32, String), new: &str) -> bool {
        let place = Place { file, offset: *offset };
        let edits = match tempo_editor::rename(&self.snapshot, place, new) {
            Ok(edits) => edits,
            Err(_) => return false,
        };
        let after = assemble(&self.edited(&edits), &self.root, &Options::default());
        let what = format!("{}: {old} at {file}:{offset} to {new}", self.root);
        assert!(!after.has_errors(), "{what}: {:?}", after.diagnostics.first());
        assert_eq!(after.image, self.before.image, "{what}");
        assert_eq!(after.files, self.before.files, "{what}");
        true
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

/// Renames some names of a program. How many were renamed to a fresh name, and to a visible one, of how many.
fn check(program: &Program, sample: usize, random: &mut Random) -> (usize, usize, usize) {
    let names = program.names();
    let mut counts = (0, 0, 0);
    let picked: Vec<usize> = if takes_all() {
        (0..names.len()).collect()
    } else {
        (0..sample.min(names.len())).map(|_| random.index(names.len())).collect()
    };
    for index in picked {
        let name = &names[index];
        counts.2 += 1;
        if program.rename(name, "freshlyNamed") {
            counts.0 += 1;
        } else {
            let refusal = tempo_editor::rename(
                &program.snapshot,
                Place { file: &name.0, offset: name.1 },
                "freshlyNamed",
            );
            println!("{}: {} {}: {}", program.root, name.2, name.1, refusal.unwrap_err());
        }
        let other = &names[random.index(names.len())].2;
        counts.1 += usize::from(program.rename(name, other));
        if takes_all() && counts.2 % 100 == 0 {
            eprintln!("{}: {} of {} names, {} fresh", program.root, counts.2, names.len(), counts.0);
        }
    }
    counts
}

#[test]
fn names_of_the_chess_program_can_be_renamed() {
    let program = Program::open(&testing::root().join("asm/main.asm")).unwrap();
    let facts = program.snapshot.roots()[0].parsed();
    let places = facts.occurrences().iter().map(|occurrence| (occurrence.span.start, occurrence.symbol));
    assert!(places.is_sorted(), "the names of a program are in the order of its texts");
    let mut random = Random::new(testing::seed());
    let (fresh, visible, all) = check(&program, 6, &mut random);
    println!("{fresh} of {all} renamed to a fresh name, {visible} to a visible one");
    assert_eq!(fresh, all);
}

#[test]
fn names_of_the_conformance_sources_can_be_renamed() {
    let folder = testing::fixtures().join("conformance");
    let mut random = Random::new(testing::seed());
    let mut sources: Vec<PathBuf> = testing::files_with_extension(&folder, "asm");
    if !takes_all() {
        sources = (0..40).map(|_| sources[random.index(sources.len())].clone()).collect();
    }
    let mut total = (0, 0, 0);
    for path in sources {
        let Some(program) = Program::open(&path) else { continue };
        let (fresh, visible, all) = check(&program, 3, &mut random);
        total = (total.0 + fresh, total.1 + visible, total.2 + all);
    }
    println!("{} of {} renamed to a fresh name, {} to a visible one", total.0, total.2, total.1);
    // Some names of these sources are read as texts, or are declared twice on purpose.
    let percent = if takes_all() { 99 } else { 80 };
    assert!(total.0 * 100 >= total.2 * percent, "{total:?}");
}
