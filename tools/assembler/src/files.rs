//! The way to files: the assembler asks by name and is handed bytes. **It opens nothing itself.**

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

/// Where sources and data come from.
///
/// The implementor searches: the folder of the referring file first, then the working directory, then the library
/// directories in order.
pub trait Files: Sync {
    /// Reads `name` as written in the source. `from` is the `path` of the file that refers to it, `None` for the root.
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError>;
}

/// A file that was found.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// How the file is called from now on: in messages, for `#importonce`, for `getPath()`. Best absolute.
    pub path: String,
    /// Shared where the implementor keeps them; a source that is handed over alone is not copied.
    pub bytes: Arc<Vec<u8>>,
}

/// Why a file cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    #[error("there is no such file")]
    NotFound,
    #[error("{0}")]
    Unreadable(String),
}

/// Files in memory, for tests, examples and the browser. Names are matched as they are, after the folder of the
/// referring file was tried.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    files: HashMap<String, Arc<Vec<u8>>>,
}

impl MemoryFiles {
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl AsRef<[u8]>) {
        self.files.insert(name.into(), Arc::new(bytes.as_ref().to_vec()));
    }
}

impl<N: Into<String>, B: AsRef<[u8]>> FromIterator<(N, B)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (N, B)>>(files: I) -> MemoryFiles {
        let mut memory = MemoryFiles::default();
        for (name, bytes) in files {
            memory.insert(name, bytes);
        }
        memory
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
