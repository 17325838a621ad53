//! The cost of a key, counted instead of timed: how many texts are tokenised, programs read and programs assembled while
//! the user types in the chess program. The bench of `tempo lsp` measures the time; these counts are why it is short.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempo_assembler::{DiskFiles, FileError, Files, Lints, Loaded, Options};
use tempo_diagnostics::Span;
use tempo_editor::{HintKinds, Place, SharedFiles, Snapshot};

/// The chess program with one text that is being edited.
struct Edited {
    disk: DiskFiles,
    path: String,
    text: String,
    /// How often the program was read: each run does so once.
    runs: Arc<AtomicUsize>,
}

impl Files for Edited {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let loaded = self.disk.read(name, from)?;
        if loaded.path != self.path {
            return Ok(loaded);
        }
        self.runs.fetch_add(1, Ordering::Relaxed);
        Ok(Loaded { bytes: Arc::new(self.text.as_bytes().to_vec()), ..loaded })
    }
}

struct Typist {
    folder: std::path::PathBuf,
    path: String,
    text: String,
    runs: Arc<AtomicUsize>,
}

impl Typist {
    fn new(file: &str) -> Typist {
        let folder = tempo_testing::root().join("asm");
        let path = folder.join(file).to_string_lossy().into_owned();
        let text = tempo_testing::text(Path::new(&path));
        Typist { folder, path, text, runs: Arc::default() }
    }

    fn files(&self) -> SharedFiles {
        let (path, text, runs) = (self.path.clone(), self.text.clone(), self.runs.clone());
        Arc::new(Edited { disk: DiskFiles::new(&self.folder), path, text, runs })
    }

    fn open(&self) -> Snapshot {
        let options = Options { lints: Lints::with_style(), ..Options::default() };
        let root = |name: &str| self.folder.join(name).to_string_lossy().into_owned();
        Snapshot::new(self.files(), options).with_roots([root("main.asm"), root("kernal/kernal.asm")])
    }

    /// Types a text at a place.
    fn key(&mut self, snapshot: &Snapshot, at: usize, key: &str) -> Snapshot {
        self.text.insert_str(at, key);
        snapshot.changed([self.files()], &|path| path == self.path)
    }

    fn runs(&self) -> usize {
        self.runs.swap(0, Ordering::Relaxed)
    }

    /// Requests that an editor makes with every key, and those it makes for a list.
    fn ask(&self, snapshot: &Snapshot, offset: usize) {
        let (file, whole) = (&self.path[..], Span::new(0, self.text.len()));
        let place = Place { file, offset: offset as u32 };
        tempo_editor::outline(snapshot, file);
        tempo_editor::folds(snapshot, file);
        tempo_editor::semantic_tokens(snapshot, file, whole);
        tempo_editor::completions(snapshot, place, &|_| Vec::new());
        tempo_editor::hover(snapshot, place);
        tempo_editor::signature_help(snapshot, place);
        tempo_editor::highlights(snapshot, place);
        tempo_editor::definition(snapshot, place);
        tempo_editor::references(snapshot, place, true);
        tempo_editor::lenses(snapshot, file);
        tempo_editor::hints(snapshot, file, whole, HintKinds::default());
    }
}

fn scanned(facts: &tempo_editor::Facts) -> u32 {
    facts.output().stats.scanned
}

#[test]
fn a_key_reads_one_text_and_assembles_once() {
    let mut typist = Typist::new("ai/search.asm");
    let mut snapshot = typist.open();
    let count = snapshot.roots()[0].parsed().output().sources.len();
    assert!(count > 40, "{count}");
    assert_eq!(scanned(snapshot.roots()[0].parsed()), count as u32);
    snapshot.problems();
    assert!(snapshot.roots()[0].evaluated().is_good());
    // The evaluation had the tokens of the reading.
    assert_eq!(scanned(snapshot.roots()[0].evaluated()), 0);
    assert_eq!(typist.runs(), 2);
    let other = snapshot.roots()[1].evaluated().clone();
    let at = typist.text.len() / 2;
    let mut at = at + typist.text[at..].find('\n').expect("a line") + 1;
    for key in ["        ", "j", "s", "r", " ", "U", "n", "m", " // ä", "\n"] {
        snapshot = typist.key(&snapshot, at, key);
        at += key.len();
        typist.ask(&snapshot, at);
        let root = &snapshot.roots()[0];
        assert_eq!(
            (scanned(root.parsed()), typist.runs()),
            (1, 1),
            "{key:?}: all questions share one reading"
        );
        assert!(root.known_evaluation().is_none(), "{key:?}: nothing is assembled for them");
        assert!(
            Arc::ptr_eq(snapshot.roots()[1].evaluated(), &other),
            "{key:?}: it is not part of the other program"
        );
    }
    snapshot.problems();
    typist.ask(&snapshot, at);
    assert_eq!((scanned(snapshot.roots()[0].evaluated()), typist.runs()), (0, 1));
}

#[test]
fn a_key_in_a_file_of_several_programs_reads_it_once() {
    let mut typist = Typist::new("constants.asm");
    let root = |name: &str| typist.folder.join(name).to_string_lossy().into_owned();
    let roots = [root("main.asm"), root("constants.asm")];
    let mut snapshot = typist.open().with_roots(roots);
    for root in snapshot.roots() {
        root.parsed();
    }
    let end = typist.text.len();
    snapshot = typist.key(&snapshot, end, "// x\n");
    let all: u32 = snapshot.roots().iter().map(|root| scanned(root.parsed())).sum();
    assert_eq!(all, 1);
}
