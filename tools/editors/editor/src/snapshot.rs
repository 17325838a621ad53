//! The state of a workspace at one moment. Nothing in it changes; what is not known yet is worked out when it is first
//! asked for, and shared by everybody who holds the snapshot.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tempo_assembler::{Cancel, Files, Options, TokenCache};
use tempo_diagnostics::Source;
use tempo_emu::System;

use crate::Facts;
use crate::suite::Suite;

/// The files of a workspace, with unsaved texts in place of those on disk.
pub type SharedFiles = Arc<dyn Files + Send>;

/// A part of a workspace: where its programs find files, and how they are assembled.
#[derive(Clone)]
pub struct Folder {
    /// Everything below it belongs to it, except for folders that have their own.
    pub path: String,
    /// The files as a program of this folder finds them.
    pub files: SharedFiles,
    /// How a program of this folder is assembled.
    pub options: Options,
    /// The machine that its programs are for, which names addresses.
    pub system: System,
}

impl Folder {
    /// The machine of programs without a project.
    pub const SYSTEM: System = System::C64Pal;
}

/// A workspace: its files and its roots.
#[derive(Clone)]
pub struct Snapshot {
    /// At least one; the first has what is below none of them.
    folders: Arc<[Folder]>,
    roots: Vec<Arc<Root>>,
    suites: Vec<Arc<Suite>>,
    /// Programs that only suites assemble, as they were asked for.
    others: Arc<Mutex<Vec<Arc<Root>>>>,
    /// Ends the work for the holder of this snapshot, and no other.
    asked: Option<Cancel>,
}

/// A program: a source that no other one imports, and everything it imports.
pub struct Root {
    path: String,
    files: SharedFiles,
    options: Options,
    system: System,
    /// Whether one question alone needs it: then its flag ends reading, too.
    is_asked: bool,
    parsed: OnceLock<Arc<Facts>>,
    evaluated: OnceLock<Arc<Facts>>,
    /// The last evaluation without errors, perhaps of older texts.
    last_good: Option<Arc<Facts>>,
    /// The files of the last run, for knowing whom an edit concerns before the next one.
    known: Vec<String>,
}

impl Snapshot {
    /// A workspace without roots.
    pub fn new(files: SharedFiles, options: Options) -> Snapshot {
        Snapshot::of_folders(Folder { path: String::new(), files, options, system: Folder::SYSTEM }, [])
    }

    /// A workspace of several folders without roots. What is below none of them is treated as the first one.
    pub fn of_folders(first: Folder, others: impl IntoIterator<Item = Folder>) -> Snapshot {
        // With a key, one text changes; the tokens of all others are those of the run before.
        let tokens = TokenCache::default();
        let mut folders: Vec<Folder> = [first].into_iter().chain(others).collect();
        folders.iter_mut().for_each(|folder| folder.options.tokens = Some(tokens.clone()));
        Snapshot {
            folders: folders.into(),
            roots: Vec::new(),
            suites: Vec::new(),
            others: Arc::default(),
            asked: None,
        }
    }

    /// The same workspace for one question: the flag ends what is worked out for it alone.
    #[must_use]
    pub fn asked(&self, cancel: Cancel) -> Snapshot {
        Snapshot { asked: Some(cancel), ..self.clone() }
    }

    /// The same workspace with these roots; those that were there before keep what is known about them.
    #[must_use]
    pub fn with_roots<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Snapshot {
        let old = std::mem::take(&mut self.roots);
        for path in paths {
            let path = path.into();
            let known = old.iter().find(|root| root.path == path).cloned();
            let new = |path: String| {
                let root = Root::new(self.folder_of(&path), path.clone());
                match &self.asked {
                    Some(cancel) => root.asked(cancel.clone()),
                    None => root,
                }
            };
            let root = known.unwrap_or_else(|| Arc::new(new(path)));
            self.roots.push(root);
        }
        self
    }

    /// The same workspace with these suites, and whether the user works on each.
    #[must_use]
    pub fn with_suites<P: Into<String>>(mut self, suites: impl IntoIterator<Item = (P, bool)>) -> Snapshot {
        let old = std::mem::take(&mut self.suites);
        for (path, is_open) in suites {
            let path = path.into();
            let known = old.iter().find(|suite| suite.path() == path && suite.is_open() == is_open).cloned();
            let files = &self.folder_of(&path).files;
            let suite = known.unwrap_or_else(|| Arc::new(Suite::new(path.clone(), files, is_open)));
            self.suites.push(suite);
        }
        self
    }

    /// The workspace after the files at some paths changed, with the files of each folder. Runs that concern them are
    /// cancelled.
    #[must_use]
    pub fn changed(
        &self,
        files: impl IntoIterator<Item = SharedFiles>,
        is_changed: &dyn Fn(&str) -> bool,
    ) -> Snapshot {
        let with_files = |(folder, files): (&Folder, SharedFiles)| Folder { files, ..folder.clone() };
        let folders: Arc<[Folder]> = self.folders.iter().zip(files).map(with_files).collect();
        assert_eq!(folders.len(), self.folders.len(), "each folder has its files");
        let folder_of = |path: &str| folder_of(&folders, path);
        for other in self.others.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            other.options.cancel.cancel();
        }
        let renewed = |root: &Arc<Root>| {
            if root.concerns(is_changed) {
                root.options.cancel.cancel();
                Arc::new(root.renewed(folder_of(&root.path)))
            } else {
                root.clone()
            }
        };
        let roots: Vec<Arc<Root>> = self.roots.iter().map(renewed).collect();
        // A suite reads other files, too, and reading it again is cheap.
        let suites = self.suites.iter().map(|suite| {
            let is_same = !suite.is_open() && !is_changed(suite.path());
            if is_same {
                suite.clone()
            } else {
                let files = &folder_of(suite.path()).files;
                Arc::new(Suite::new(suite.path().to_owned(), files, suite.is_open()))
            }
        });
        let suites = suites.collect();
        Snapshot { folders, roots, suites, others: Arc::default(), asked: None }
    }

    /// The folder that a file belongs to.
    pub fn folder_of(&self, path: &str) -> &Folder {
        folder_of(&self.folders, path)
    }

    /// The files as the program of a file finds them.
    pub(crate) fn files_of<'a>(&'a self, path: &'a str) -> &'a SharedFiles {
        match self.roots_of(path).next() {
            Some(root) => &root.files,
            None => &self.folder_of(path).files,
        }
    }

    /// How the program of a root is assembled when it is tried for a question.
    pub(crate) fn options_of(&self, root: &Root) -> Options {
        Options { cancel: self.asked.clone().unwrap_or_default(), ..root.options.clone() }
    }

    /// All programs.
    pub fn roots(&self) -> &[Arc<Root>] {
        &self.roots
    }

    /// All suites.
    pub fn suites(&self) -> &[Arc<Suite>] {
        &self.suites
    }

    /// A root of the workspace, or one that is looked at for once.
    pub(crate) fn root_or_new(&self, path: &str) -> Arc<Root> {
        if let Some(known) = self.roots.iter().find(|root| root.path == path) {
            return known.clone();
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.iter().find(|root| root.path == path) {
            return known.clone();
        }
        let root = Arc::new(Root::new(self.folder_of(path), path.to_owned()));
        others.push(root.clone());
        root
    }

    /// Whether a run was ended before its time, because its texts are no longer the latest.
    pub fn is_interrupted(&self) -> bool {
        self.roots.iter().any(|root| root.evaluated.get().is_some_and(|facts| facts.is_cancelled()))
    }

    /// The lines that the programs print.
    pub fn console(&self) -> Vec<String> {
        let evaluated = self.roots.iter().filter_map(|root| root.evaluated.get());
        evaluated.flat_map(|facts| facts.output().console.iter().cloned()).collect()
    }

    /// The programs that a file is part of.
    pub fn roots_of<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Arc<Root>> + 'a {
        self.roots.iter().filter(move |root| root.path == path || root.parsed().has(path))
    }

    /// The text of a file as the programs have it.
    pub fn source(&self, path: &str) -> Option<Source> {
        let parsed = self.roots.iter().filter_map(|root| root.parsed.get().or(root.evaluated.get()));
        for facts in parsed {
            if let Some(file) = facts.files(path).next() {
                return Some(facts.source(file).clone());
            }
        }
        let loaded = self.folder_of(path).files.read(path, None).ok()?;
        Some(Source::new(path, tempo_assembler::decode(loaded.bytes)))
    }
}

/// The innermost folder around a file; the first one if there is none.
fn folder_of<'f>(folders: &'f [Folder], path: &str) -> &'f Folder {
    innermost(folders, Path::new(path), |folder| Path::new(&folder.path))
}

/// The part of a workspace that a file belongs to: that with the innermost folder around it, or the first one.
///
/// # Panics
///
/// If there are no parts.
pub fn innermost<'p, P>(parts: &'p [P], file: &Path, folder: impl Fn(&P) -> &Path) -> &'p P {
    let around = parts.iter().filter(|part| file.starts_with(folder(part)));
    around.max_by_key(|part| folder(part).as_os_str().len()).unwrap_or(&parts[0])
}

impl Root {
    fn new(folder: &Folder, path: String) -> Root {
        Root {
            path,
            files: folder.files.clone(),
            options: Options { cancel: Cancel::default(), ..folder.options.clone() },
            system: folder.system,
            is_asked: false,
            parsed: OnceLock::new(),
            evaluated: OnceLock::new(),
            last_good: None,
            known: Vec::new(),
        }
    }

    /// The same root for one question, which the flag ends.
    fn asked(self, cancel: Cancel) -> Root {
        Root { options: Options { cancel, ..self.options }, is_asked: true, ..self }
    }

    /// The same root with nothing known about its new texts.
    fn renewed(&self, folder: &Folder) -> Root {
        let mut root = Root::new(folder, self.path.clone());
        let evaluated = self.evaluated.get().filter(|facts| facts.is_good()).cloned();
        root.last_good = evaluated.or_else(|| self.last_good.clone());
        let latest = self.evaluated.get().or(self.parsed.get()).filter(|facts| !facts.is_cancelled());
        root.known = match latest {
            Some(facts) => facts.paths().map(str::to_owned).collect(),
            None => self.known.clone(),
        };
        root
    }

    fn concerns(&self, is_changed: &dyn Fn(&str) -> bool) -> bool {
        if is_changed(&self.path) {
            return true;
        }
        match self.evaluated.get().or(self.parsed.get()).filter(|facts| !facts.is_cancelled()) {
            // A file that cannot be found may be the one that changed.
            Some(facts) => facts.paths().any(is_changed) || facts.misses_file(),
            None => true,
        }
    }

    /// The machine that the program is for.
    pub fn system(&self) -> System {
        self.system
    }

    /// The path of the source that is assembled.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The files as the program finds them.
    pub(crate) fn files(&self) -> &SharedFiles {
        &self.files
    }

    /// The instruction set that the program begins with.
    pub(crate) fn cpu(&self) -> tempo_assembler::Cpu {
        self.options.cpu
    }

    /// Ends the runs that are under way for this root.
    pub fn cancel(&self) {
        self.options.cancel.cancel();
    }

    /// The facts in the texts, without running them.
    pub fn parsed(&self) -> &Arc<Facts> {
        if let Some(evaluated) = self.evaluated.get()
            && !evaluated.is_cancelled()
        {
            return evaluated;
        }
        self.parsed.get_or_init(|| {
            // Reading is short, and a person waits for it; who asked alone may change his mind.
            let cancel = if self.is_asked { self.options.cancel.clone() } else { Cancel::default() };
            let options = Options { cancel, ..self.options.clone() };
            Arc::new(Facts::parse(&*self.files, &self.path, &options))
        })
    }

    /// The assembled program. Takes as long as assembling it.
    pub fn evaluated(&self) -> &Arc<Facts> {
        self.evaluated.get_or_init(|| Arc::new(Facts::evaluate(&*self.files, &self.path, &self.options)))
    }

    /// The evaluation of these texts, if it was made.
    pub fn known_evaluation(&self) -> Option<&Arc<Facts>> {
        self.evaluated.get()
    }

    /// The last evaluation that came through: that of these texts, or of older ones.
    pub fn last_good(&self) -> Option<&Arc<Facts>> {
        self.evaluated.get().filter(|facts| facts.is_good()).or(self.last_good.as_ref())
    }
}
