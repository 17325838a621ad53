//! The computer that the server runs on, as far as it has to know it.

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// Files, the clock and other processes. The server has no other way to them.
pub trait Host: Debug + Send + Sync {
    /// Hears of a folder that the user has opened, before anything in it is read.
    fn opened(&self, folder: &Path) {
        let _ = folder;
    }

    /// The bytes of a file, refused if there are more than `limit`.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;

    /// The stamp that tells whether a file is still the one that was read.
    fn stamp(&self, path: &Path) -> io::Result<Stamp>;

    /// Lists the entries of a folder; the first of very many.
    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<Entry>>;

    /// The path with all links followed, if there is such a file or folder.
    fn resolve(&self, path: &Path) -> Option<PathBuf>;

    /// The kind of file at a path, links followed.
    fn kind(&self, path: &Path) -> Option<Kind>;

    /// The time.
    fn now(&self) -> Instant;

    /// Whether a process is known to have ended.
    fn has_ended(&self, process: u32) -> bool;
}

/// When a file last changed, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub modified: Option<SystemTime>,
    pub len: u64,
}

/// A part of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub path: PathBuf,
    /// `None` for a link, and for what is neither.
    pub kind: Option<Kind>,
}

/// The kind of file at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
}

impl dyn Host {
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        self.kind(path) == Some(Kind::File)
    }

    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        self.kind(path) == Some(Kind::Folder)
    }
}
