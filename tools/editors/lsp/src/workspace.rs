//! Which sources there are, and which of them are roots. Reads the folders of the workspace once, then file by file.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempo_assembler::SearchPath;
use tempo_project as project;

use crate::host::{Host, Kind};
use crate::settings::Settings;

/// The extensions of sources.
const SOURCES: &[&str] = &["asm", "a", "s", "lib", "inc", "kick", "ka", "src", "macro"];

/// The pattern of files to watch.
pub const WATCHED: &str = "**/*.{asm,a,s,lib,inc,kick,ka,src,macro,sym,6502}";

/// Limits of the first scan: a home folder opened by mistake must not keep the server busy.
const MAX_FILES: usize = 20_000;
const MAX_ENTRIES: usize = 200_000;
const MAX_BYTES: u64 = 4 << 20;

/// A file that a source imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As the source spells it.
    name: String,
    /// Where it is; `None` as long as there is no such file.
    path: Option<PathBuf>,
}

/// Sources with their imports, and suites.
#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// Each source with what it imports, by path.
    pub sources: BTreeMap<PathBuf, Vec<Import>>,
    pub suites: BTreeSet<PathBuf>,
    /// Folders with a `tempo.toml`.
    pub projects: BTreeSet<PathBuf>,
    /// Whether the limits left something out.
    pub is_cut: bool,
}

/// Where the sources of each area look for files.
#[derive(Debug, Clone)]
pub struct Searches {
    host: Arc<dyn Host>,
    paths: Vec<SearchPath>,
}

impl Searches {
    pub fn of_settings(settings: &Settings, host: Arc<dyn Host>) -> Searches {
        let paths = settings.areas.iter().map(|area| settings.search(area)).collect();
        Searches { host, paths }
    }

    /// Where a source looks.
    pub fn of(&self, path: &Path) -> &SearchPath {
        tempo_editor::innermost(&self.paths, path, |search| &search.folder)
    }
}

/// Whether a path is that of a suite.
pub fn is_suite(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "6502")
}

/// Whether a path is that of a source.
pub fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    extension.is_some_and(|extension| SOURCES.contains(&&extension[..]))
}

impl Scan {
    /// Looks at all files below some folders.
    pub fn of(folders: &[PathBuf], searches: &Searches, mut report: impl FnMut(usize)) -> Scan {
        let mut scan = Scan::default();
        let host = &searches.host;
        let mut waiting: Vec<PathBuf> = folders.to_vec();
        let mut seen = HashSet::new();
        let mut entries = 0;
        while let Some(folder) = waiting.pop() {
            // Links may lead in circles.
            if !seen.insert(host.resolve(&folder).unwrap_or_else(|| folder.clone())) {
                continue;
            }
            let Ok(list) = host.entries(&folder, MAX_ENTRIES) else { continue };
            for entry in list {
                entries += 1;
                if entries > MAX_ENTRIES || scan.sources.len() >= MAX_FILES {
                    scan.is_cut = true;
                    return scan;
                }
                let path = entry.path;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let is_hidden =
                    name.starts_with('.') || matches!(&*name, "target" | "node_modules" | "build");
                if entry.kind == Some(Kind::Folder) {
                    if !is_hidden {
                        waiting.push(path);
                    }
                } else if name == project::FILE {
                    scan.projects.insert(folder.clone());
                } else if is_suite(&path) {
                    scan.suites.insert(path);
                } else if is_source(&path) {
                    let text = host.read(&path, MAX_BYTES).map(|bytes| tempo_assembler::decode(bytes.into()));
                    let imports = scan.imports(&path, &text.unwrap_or_default(), searches);
                    scan.sources.insert(path, imports);
                    if scan.sources.len().is_multiple_of(500) {
                        report(scan.sources.len());
                    }
                }
            }
        }
        scan
    }

    /// Lists the imports of a text.
    pub fn imports(&self, path: &Path, text: &str, searches: &Searches) -> Vec<Import> {
        let import = |name: String| Import { path: self.find(&name, path, searches), name };
        tempo_editor::imports(text).into_iter().map(import).collect()
    }

    /// Where an import leads to.
    fn find(&self, name: &str, from: &Path, searches: &Searches) -> Option<PathBuf> {
        let importer = from.to_string_lossy();
        let mut candidates = searches.of(from).candidates(name, Some(&importer));
        candidates.find(|candidate| self.sources.contains_key(candidate) || searches.host.is_file(candidate))
    }

    /// Notes what a source imports now. Others may have waited for it to be there.
    pub fn insert(&mut self, path: &Path, imports: Vec<Import>, searches: &Searches) {
        if self.sources.insert(path.to_owned(), imports).is_none() {
            self.look_again(path, searches);
        }
    }

    /// Forgets a source or suite that is gone.
    pub fn remove(&mut self, path: &Path, searches: &Searches) {
        self.suites.remove(path);
        if self.sources.remove(path).is_some() {
            self.look_again(path, searches);
        }
    }

    /// Finds the imports again that may mean a file.
    fn look_again(&mut self, path: &Path, searches: &Searches) {
        let Some(file_name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
            return;
        };
        let may_mean = |source: &Path, import: &Import| {
            import.name.ends_with(&file_name)
                && searches
                    .of(source)
                    .candidates(&import.name, Some(&source.to_string_lossy()))
                    .any(|candidate| candidate == path)
        };
        let mut found = Vec::new();
        for (source, imports) in &self.sources {
            for (index, import) in imports.iter().enumerate().filter(|(_, import)| may_mean(source, import)) {
                found.push((source.clone(), index, self.find(&import.name, source, searches)));
            }
        }
        for (source, index, path) in found {
            if let Some(import) = self.sources.get_mut(&source).and_then(|imports| imports.get_mut(index)) {
                import.path = path;
            }
        }
    }

    /// The files that a source imports, as far as they are there.
    fn imported(&self, source: &Path) -> impl Iterator<Item = &PathBuf> {
        self.sources.get(source).into_iter().flatten().filter_map(|import| import.path.as_ref())
    }

    /// The sources that no other source imports.
    pub fn roots(&self) -> impl Iterator<Item = &PathBuf> {
        let imports = self.sources.values().flatten();
        let imported: HashSet<&PathBuf> = imports.filter_map(|import| import.path.as_ref()).collect();
        self.sources.keys().filter(move |path| !imported.contains(path))
    }

    /// Whether a source imports a file, perhaps through others, or is that file.
    pub fn is_reached(&self, path: &Path, from: &Path) -> bool {
        let (mut seen, mut waiting) = (HashSet::new(), vec![from]);
        while let Some(source) = waiting.pop() {
            if source == path {
                return true;
            }
            if seen.insert(source) {
                waiting.extend(self.imported(source).map(PathBuf::as_path));
            }
        }
        false
    }

    /// The roots that lead to a file: sources that no other source imports and that import it, perhaps through others. The file
    /// itself if there are none.
    pub fn roots_of(&self, path: &Path) -> Vec<PathBuf> {
        let mut importers: BTreeMap<&Path, Vec<&Path>> = BTreeMap::new();
        for source in self.sources.keys() {
            for import in self.imported(source) {
                importers.entry(import).or_default().push(source);
            }
        }
        let (mut roots, mut seen, mut waiting) = (BTreeSet::new(), HashSet::new(), vec![path]);
        while let Some(path) = waiting.pop() {
            if !seen.insert(path) {
                continue;
            }
            match importers.get(path) {
                Some(others) if others.iter().any(|other| !seen.contains(other)) => waiting.extend(others),
                // Sources that import each other have no root: the first one met is taken.
                Some(_) if !roots.is_empty() => {}
                _ => {
                    roots.insert(path.to_owned());
                }
            }
        }
        roots.into_iter().collect()
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use crate::settings::Area;

    #[test]
    fn many_files_are_looked_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..1000 {
            let text = if number == 0 { String::new() } else { format!("#import \"{}.asm\"\n", number - 1) };
            std::fs::write(folder.path().join(format!("{number}.asm")), text).unwrap();
        }
        let mut reports = Vec::new();
        let folder = folder.path().canonicalize().unwrap();
        let areas = vec![Area { folder: folder.clone(), ..Area::default() }];
        let searches =
            Searches::of_settings(&Settings { areas, ..Settings::default() }, Arc::new(crate::tests::Disk));
        let scan = Scan::of(&[folder.clone(), folder.clone()], &searches, |count| reports.push(count));
        assert_eq!((scan.sources.len(), reports), (1000, vec![500, 1000]));
        assert_eq!(scan.roots_of(&folder.join("0.asm")), [folder.join("999.asm")]);
        assert_eq!(scan.roots().count(), 1);
    }

    #[test]
    fn a_library_is_reached_from_all_its_roots() {
        let mut scan = Scan::default();
        for (path, imports) in [
            ("/lib", &[][..]),
            ("/mid", &["/lib"]),
            ("/a", &["/mid"]),
            ("/b", &["/lib"]),
            ("/x", &["/y"]),
            ("/y", &["/x"]),
        ] {
            let import = |path: &&str| Import { name: (*path).to_owned(), path: Some(path.into()) };
            scan.sources.insert(path.into(), imports.iter().map(import).collect());
        }
        let roots = |path: &str| {
            scan.roots_of(Path::new(path)).iter().map(|root| root.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(roots("/lib"), ["/a", "/b"]);
        assert_eq!(roots("/a"), ["/a"]);
        assert_eq!(roots("/new"), ["/new"]);
        assert_eq!(roots("/x").len(), 1);
        let reached = |path: &str, from: &str| scan.is_reached(Path::new(path), Path::new(from));
        assert!(reached("/lib", "/a") && reached("/x", "/y") && reached("/new", "/new"));
        assert!(!reached("/a", "/lib") && !reached("/lib", "/x"));
    }
}
