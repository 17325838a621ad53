//! The state of a workspace at one moment. Nothing in it changes; what is not known yet is worked out when it is first
//! asked for, and shared by everybody who holds the snapshot.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use assembler::{Cancel, Files, Options};
use diagnostics::Source;

use crate::Facts;
use crate::suite::Suite;

/// The files of a workspace, with unsaved texts in place of those on disk.
pub type SharedFiles = Arc<dyn Files + Send>;

/// A workspace: its files and its roots.
#[derive(Clone)]
pub struct Snapshot {
    files: SharedFiles,
    options: Options,
    roots: Vec<Arc<Root>>,
    suites: Vec<Arc<Suite>>,
    /// Programs that only suites assemble, as they were asked for.
    others: Arc<Mutex<Vec<Arc<Root>>>>,
}

/// A program: a source that no other one imports, and everything it imports.
pub struct Root {
    path: String,
    files: SharedFiles,
    options: Options,
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
        Snapshot { files, options, roots: Vec::new(), suites: Vec::new(), others: Arc::default() }
    }

    /// The same workspace with these roots; those that were there before keep what is known about them.
    #[must_use]
    pub fn with_roots<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Snapshot {
        let old = std::mem::take(&mut self.roots);
        for path in paths {
            let path = path.into();
            let known = old.iter().find(|root| root.path == path).cloned();
            let root = known.unwrap_or_else(|| Arc::new(Root::new(path, &self.files, &self.options)));
            self.roots.push(root);
        }
        self
    }

    /// The same workspace with these suites, and whether somebody works on each.
    #[must_use]
    pub fn with_suites<P: Into<String>>(mut self, suites: impl IntoIterator<Item = (P, bool)>) -> Snapshot {
        let old = std::mem::take(&mut self.suites);
        for (path, is_open) in suites {
            let path = path.into();
            let known = old.iter().find(|suite| suite.path() == path && suite.is_open() == is_open).cloned();
            self.suites.push(known.unwrap_or_else(|| Arc::new(Suite::new(path, &self.files, is_open))));
        }
        self
    }

    /// The workspace after the files at some paths changed. Runs that concern them are cancelled.
    #[must_use]
    pub fn changed(&self, files: SharedFiles, is_changed: &dyn Fn(&str) -> bool) -> Snapshot {
        let renewed = |root: &Arc<Root>| {
            if root.concerns(is_changed) {
                root.options.cancel.cancel();
                Arc::new(root.renewed(&files))
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
                Arc::new(Suite::new(suite.path().to_owned(), &files, suite.is_open()))
            }
        });
        let suites = suites.collect();
        Snapshot { files, options: self.options.clone(), roots, suites, others: Arc::default() }
    }

    /// The files.
    pub fn files(&self) -> &SharedFiles {
        &self.files
    }

    /// How programs are assembled.
    pub fn options(&self) -> &Options {
        &self.options
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
        let root = Arc::new(Root::new(path.to_owned(), &self.files, &self.options));
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
        let loaded = self.files.read(path, None).ok()?;
        Some(Source::new(path, assembler::decode(loaded.bytes)))
    }
}

impl Root {
    fn new(path: String, files: &SharedFiles, options: &Options) -> Root {
        let options = Options { cancel: Cancel::default(), ..options.clone() };
        let (parsed, evaluated) = (OnceLock::new(), OnceLock::new());
        Root { path, files: files.clone(), options, parsed, evaluated, last_good: None, known: Vec::new() }
    }

    /// The same root with nothing known about its new texts.
    fn renewed(&self, files: &SharedFiles) -> Root {
        let mut root = Root::new(self.path.clone(), files, &self.options);
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
            Some(facts) => facts.paths().any(is_changed) || facts.output().has_errors(),
            None => true,
        }
    }

    /// The path of the source that is assembled.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Ends the runs that are under way for this root.
    pub fn cancel(&self) {
        self.options.cancel.cancel();
    }

    /// What the texts say, without running them.
    pub fn parsed(&self) -> &Arc<Facts> {
        if let Some(evaluated) = self.evaluated.get()
            && !evaluated.is_cancelled()
        {
            return evaluated;
        }
        self.parsed.get_or_init(|| {
            // Reading is short, and somebody waits for it.
            let options = Options { cancel: Cancel::default(), ..self.options.clone() };
            Arc::new(Facts::parse(&*self.files, &self.path, &options))
        })
    }

    /// What the program is. Takes as long as assembling it.
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
