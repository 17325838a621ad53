//! The way to files: the harness asks by name and is handed bytes. **It opens nothing itself.**

use std::collections::HashMap;
use std::sync::Arc;

/// Where programs, symbol files, tables and sources come from.
///
/// The implementor searches: the folder of the referring file first, then the working directory, and applies any
/// mapping of leading paths the user asked for.
pub trait Files: Sync {
    /// Reads `name` as written in the suite. `from` is the path of the file that refers to it.
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError>;
}

/// A file that was found.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// How the file is called from now on, in messages and for caching.
    pub path: String,
    pub bytes: Arc<[u8]>,
}

/// Why a file cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    #[error("there is no such file")]
    NotFound,
    #[error("{0}")]
    Unreadable(String),
}

/// Files in memory, for tests and examples.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    files: HashMap<String, Arc<[u8]>>,
}

impl MemoryFiles {
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl AsRef<[u8]>) {
        self.files.insert(name.into(), bytes.as_ref().into());
    }
}

impl Files for MemoryFiles {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let beside =
            from.and_then(|from| from.rsplit_once('/')).map(|(folder, _)| format!("{folder}/{name}"));
        for path in beside.into_iter().chain([name.to_owned()]) {
            if let Some(bytes) = self.files.get(&path) {
                return Ok(Loaded { path, bytes: bytes.clone() });
            }
        }
        Err(FileError::NotFound)
    }
}
