//! The files around a job, seen through a trait: reading is done by its implementations, on a disk or in memory.

use std::io;
use std::path::{Path, PathBuf};

use tempo_assembler::{FileError, Files, Loaded, SearchPath};
use thiserror::Error;

/// A file system to read from. Paths are absolute.
pub trait FileSystem: Sync {
    /// The target of a path, symbolic links followed; `None` if it leads nowhere.
    fn kind(&self, path: &Path) -> Option<EntryKind>;

    /// Reads a whole file. A file of more than `limit` bytes is an error.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;

    /// The path with every symbolic link in it resolved; `None` if it leads nowhere.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;
}

/// The target of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A device, a pipe or a socket.
    Other,
}

/// Sources and data of a [`FileSystem`], found along a search path.
pub(crate) struct Searched<'a> {
    pub files: &'a dyn FileSystem,
    pub search: SearchPath,
    /// The root source. Its name in the assembler is text; the file system may have bytes that are none.
    pub root: PathBuf,
}

impl Files for Searched<'_> {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let is_folder = |path: &Path| self.files.kind(path) == Some(EntryKind::Folder);
        let read = |path: &Path, limit| match self.real(path) {
            Some(path) => self.files.read(&path, limit),
            None => self.files.read(path, limit),
        };
        self.search.read(name, from, is_folder, read, |path| self.files.resolve(path))
    }

    fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        self.search.searched(name, from)
    }
}

impl Searched<'_> {
    /// The path that a text stands for, where they differ: the root source, or a place below its folder.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        let folder = self.root.parent()?;
        if self.root.to_str().is_some() {
            return None;
        }
        if path.to_string_lossy() == self.root.to_string_lossy() {
            return Some(self.root.clone());
        }
        path.strip_prefix(&*folder.to_string_lossy()).ok().map(|rest| folder.join(rest))
    }
}

/// The file that could not be written, and why.
#[derive(Debug, Error)]
#[error("cannot write '{}': {error}", path.display())]
pub struct WriteError {
    /// The file as it was planned.
    pub path: PathBuf,
    /// The file system's answer.
    pub error: io::Error,
}

/// A path as it is shown to people: relative if it is below `folder`.
pub fn shown<'a>(path: &'a Path, folder: &Path) -> &'a Path {
    path.strip_prefix(folder).unwrap_or(path)
}
