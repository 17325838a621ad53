//! Files for the assembler: unsaved texts first, then the disk, read once as long as a file stays as it is.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::host::{Host, Stamp};
use tempo_assembler::{FileError, Files, Loaded, SearchPath};

/// The files read from disk, by path, with what tells whether they are still true.
#[derive(Debug)]
pub struct Disk {
    pub host: Arc<dyn Host>,
    kept: Mutex<HashMap<PathBuf, Kept>>,
}

#[derive(Debug, Clone)]
struct Kept {
    stamp: Stamp,
    bytes: Arc<Vec<u8>>,
    resolved: Option<PathBuf>,
}

/// A large file is not kept: sources are small, and data is read rarely.
const MAX_KEPT: u64 = 1 << 20;

impl Disk {
    pub fn new(host: Arc<dyn Host>) -> Disk {
        Disk { host, kept: Mutex::default() }
    }

    fn kept(&self, path: &Path) -> io::Result<Kept> {
        let stamp = self.host.stamp(path)?;
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = lock().get(path)
            && kept.stamp == stamp
        {
            return Ok(kept.clone());
        }
        let bytes = self.host.read(path, 256 << 20)?;
        let resolved = self.host.resolve(path);
        let kept = Kept { stamp, bytes: Arc::new(bytes), resolved };
        if stamp.len <= MAX_KEPT {
            lock().insert(path.to_owned(), kept.clone());
        }
        Ok(kept)
    }
}

/// The files of a workspace at one moment.
#[derive(Debug, Clone)]
pub struct WorkspaceFiles {
    pub search: SearchPath,
    pub disk: Arc<Disk>,
    /// Open texts by path.
    pub open: Arc<HashMap<PathBuf, Arc<String>>>,
    /// Data that was loaded, so that it can be watched.
    pub loaded: Arc<Mutex<std::collections::BTreeSet<PathBuf>>>,
}

impl Files for WorkspaceFiles {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let read = |path: &Path, limit: u64| {
            if let Some(text) = self.open.get(path) {
                return Ok(Arc::new(text.as_bytes().to_vec()));
            }
            let kept = self.disk.kept(path)?;
            if kept.stamp.len > limit {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the file is too large"));
            }
            self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
            Ok(kept.bytes)
        };
        let resolve = |path: &Path| {
            if self.open.contains_key(path) {
                return self.disk.host.resolve(path);
            }
            self.disk.kept(path).ok().and_then(|kept| kept.resolved)
        };
        let is_folder = |path: &Path| !self.open.contains_key(path) && self.disk.host.is_folder(path);
        self.search.read(name, from, is_folder, read, resolve)
    }

    fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        self.search.searched(name, from)
    }
}
