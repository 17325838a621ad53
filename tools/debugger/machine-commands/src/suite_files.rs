//! Files for the harness: where a name in a suite leads, and what was read, for `--watch`.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

use tempo_harness::files::{FileError, Files, Loaded};
use tempo_host::files::{read_limited, read_own};
use tempo_source_commands::project::Project;
use tempo_source_commands::revision::Revision;
use tempo_source_commands::watch::Seen;

/// Larger than anything a 64 KB machine is tested with, sources included.
const LIMIT: u64 = 64 << 20;

pub struct Disk {
    map: Vec<(String, String)>,
    /// Programs are read as they were then; suites are read as they are.
    revision: Option<Revision>,
    /// Pictures may be written again in this run, so they are not inputs to protect.
    owns_pictures: bool,
    /// Where names lead after the suite's folder and the working directory.
    folders: Vec<PathBuf>,
    seen: Seen,
}

impl Disk {
    pub fn new(map: &[(String, String)]) -> Disk {
        let (folders, revision) = (Vec::new(), None);
        Disk { map: map.to_vec(), revision, owns_pictures: false, folders, seen: Seen::default() }
    }

    /// For programs of a project, as they were in a revision if one is given.
    pub fn of_program(project: &Project, revision: Option<Revision>) -> Disk {
        Disk { folders: folders(project), revision, ..Disk::new(&project.map()) }
    }

    /// The same files, whose pictures are outputs of this run.
    pub fn owning_pictures(self) -> Disk {
        Disk { owns_pictures: true, ..self }
    }

    /// Every file that was read, or looked for and not found.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    fn note(&self, path: &Path) {
        self.seen.note(path);
    }

    pub fn read_suite(&self, path: &Path) -> Result<Vec<u8>, String> {
        self.note(path);
        read_limited(path, LIMIT).map_err(|err| format!("cannot read {}: {err}", path.display()))
    }

    /// A leading path replaced as the user asked.
    fn mapped(&self, name: &str) -> String {
        for (from, to) in &self.map {
            if let Some(rest) = name.strip_prefix(from.as_str())
                && (rest.is_empty() || rest.starts_with('/') || from.ends_with('/'))
            {
                return format!("{to}/{}", rest.trim_start_matches('/'));
            }
        }
        name.to_string()
    }
}

impl Files for Disk {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        if name.contains('\0') {
            return Err(FileError::NotFound);
        }
        let name = self.mapped(name);
        let name = Path::new(&name);
        let mut candidates = Vec::new();
        if !name.is_absolute()
            && let Some(folder) = from.and_then(|from| Path::new(from).parent())
        {
            candidates.push(normal(&folder.join(name)));
        }
        candidates.push(normal(name));
        candidates.extend(self.folders.iter().map(|folder| normal(&folder.join(name))));
        let mut problem = FileError::NotFound;
        for path in candidates {
            self.note(&path);
            let is_kept = path.extension().is_some_and(|extension| extension == "png" || extension == "snap");
            let is_own = self.owns_pictures && is_kept;
            let is_suite = path.extension().is_some_and(|extension| extension == "6502");
            let read = match self.revision.as_ref().filter(|_| !is_suite) {
                Some(revision) => revision.read(&path, LIMIT),
                None if is_own => read_own(&path, LIMIT),
                None => read_limited(&path, LIMIT),
            };
            match read {
                Ok(bytes) => {
                    let identity = match self.revision {
                        Some(_) => None,
                        None => path.canonicalize().ok().map(|path| path.to_string_lossy().into_owned()),
                    };
                    return Ok(Loaded { path: shown(&path), identity, shown: None, bytes: bytes.into() });
                }
                Err(err)
                    if err.kind() == io::ErrorKind::NotFound
                        || err.kind() == io::ErrorKind::NotADirectory => {}
                Err(err) => problem = FileError::Unreadable(err.to_string()),
            }
        }
        Err(problem)
    }
}

/// The folders of the project, as the working directory sees them.
fn folders(project: &Project) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if project.is_there() {
        folders.push(project.base().to_path_buf());
    }
    folders.extend(project.lib_dirs().iter().map(|folder| {
        folder.strip_prefix(project.folder()).map(Path::to_path_buf).unwrap_or_else(|_| folder.clone())
    }));
    folders
}

/// The path without `.` and with `..` taken back, so that one file has one name.
fn normal(path: &Path) -> PathBuf {
    let path = tempo_assembler::search::clean(path);
    if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
}

/// The path as messages show it.
pub fn shown(path: &Path) -> String {
    let path = normal(path);
    path.to_string_lossy().into_owned()
}

/// A folder with this file in it is left out of a search.
const IGNORE: &str = ".tempoignore";

/// All suites below a folder; one that cannot be read is an error.
pub fn find_suites(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut search = Search::default();
    search.add(folder)?;
    search.finish()
}

/// The suites below folders.
#[derive(Default)]
pub struct Search {
    /// Sorted within each folder; those behind links to folders come last.
    pub found: Vec<PathBuf>,
    /// Suites that are there and cannot be read.
    problems: Vec<String>,
    /// Folders that were searched, under their real names: links may lead round in a circle.
    searched: HashSet<PathBuf>,
}

impl Search {
    /// All suites below a folder; hidden folders, build products and ignored folders are not searched.
    pub fn add(&mut self, folder: &Path) -> Result<(), String> {
        let mut links = VecDeque::new();
        self.search(folder, &mut links)?;
        // Real folders first: what is below them has that name.
        while let Some(link) = links.pop_front() {
            self.search(&link, &mut links)?;
        }
        Ok(())
    }

    /// The suites. One that is skipped must not look like one that passed.
    pub fn finish(self) -> Result<Vec<PathBuf>, String> {
        if self.problems.is_empty() { Ok(self.found) } else { Err(self.problems.join("\nerror: ")) }
    }

    fn search(&mut self, folder: &Path, links: &mut VecDeque<PathBuf>) -> Result<(), String> {
        let fail = |err: io::Error| format!("cannot read the folder {}: {err}", folder.display());
        if !self.searched.insert(folder.canonicalize().map_err(fail)?) {
            return Ok(());
        }
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(fail)? {
            entries.push(entry.map_err(fail)?.path());
        }
        entries.sort();
        for path in entries {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() {
                if name.starts_with('.') || name == "target" || path.join(IGNORE).exists() {
                    continue;
                }
                match path.is_symlink() {
                    true => links.push_back(path),
                    false => self.search(&path, links)?,
                }
            } else if path.extension().is_some_and(|extension| extension == "6502") {
                match path.metadata() {
                    Ok(data) if data.is_file() => self.found.push(path),
                    Ok(_) => {
                        self.problems
                            .push(format!("cannot read {}: it is not a regular file", path.display()));
                    }
                    Err(err) => self.problems.push(format!("cannot read {}: {err}", path.display())),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_paths_are_mapped_at_folder_borders() {
        let disk = Disk::new(&[("/code".into(), "src".into())]);
        assert_eq!(disk.mapped("/code/a.prg"), "src/a.prg");
        assert_eq!(disk.mapped("/codex/a.prg"), "/codex/a.prg");
        assert_eq!(disk.mapped("code/a.prg"), "code/a.prg");
    }

    #[test]
    fn paths_have_one_spelling() {
        assert_eq!(shown(Path::new("./a/../b/./c")), "b/c");
        assert_eq!(shown(Path::new("../a")), "../a");
        assert_eq!(shown(Path::new("/a/../../b")), "/b");
    }
}
