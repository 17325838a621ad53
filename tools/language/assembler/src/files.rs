//! How the assembler gets files: it asks by name and receives bytes. **It opens nothing itself.**

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

    /// The folders in which a name is searched, in order, for the message that it is in none of them. Empty if there are
    /// no folders.
    fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        let _ = (name, from);
        Vec::new()
    }
}

/// A file that was found.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The name of the file from now on: in messages and for `getPath()`. Preferably absolute.
    pub path: String,
    /// The file's identity: its path with all links resolved. One file has one identity, whichever name
    /// leads to it, and `#importonce` goes by it. `None` if the path is as good.
    pub identity: Option<String>,
    /// The name of the file in debug dumps and in Kick Assembler's console: how it was found. `None` if the path is as
    /// good.
    pub shown: Option<String>,
    /// The contents. If the implementor keeps no reference to a source, its bytes become the text without a copy.
    pub bytes: Arc<Vec<u8>>,
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FileError {
    /// No place of the search path has it.
    #[error("there is no such file")]
    NotFound,
    /// It is there but cannot be read; the text gives the reason.
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
    /// Adds a file, or replaces the one of that name.
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
                return Ok(Loaded { path, identity: None, shown: None, bytes: bytes.clone() });
            }
        }
        Err(FileError::NotFound)
    }
}

/// Other files with some texts replaced, such as those that an editor has not saved yet.
///
/// A replacement is found by the [`Loaded::path`] of the file under it, so the search stays that of the other files. A
/// text may also stand for a file that does not exist: then its path is matched with the name as the source writes it,
/// and with the name in the folder of the referring file.
///
/// ```
/// use tempo_assembler::{MemoryFiles, Options, Overlay, assemble};
///
/// let saved: MemoryFiles = [("main.asm", " nop\n")].into_iter().collect();
/// let mut files = Overlay::new(&saved);
/// files.insert("main.asm", " rts\n");
/// let output = assemble(&files, "main.asm", &Options::default());
/// assert_eq!(output.prg().unwrap(), [0x00, 0x20, 0x60]);
/// ```
pub struct Overlay<'f> {
    under: &'f dyn Files,
    texts: MemoryFiles,
}

impl<'f> Overlay<'f> {
    /// The files of `under`, nothing replaced yet.
    pub fn new(under: &'f dyn Files) -> Overlay<'f> {
        Overlay { under, texts: MemoryFiles::default() }
    }

    /// Replaces the file at a path, or its earlier replacement.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl AsRef<[u8]>) {
        self.texts.insert(path, bytes);
    }

    /// Shows the file under it again.
    pub fn remove(&mut self, path: &str) {
        self.texts.files.remove(path);
    }
}

impl Files for Overlay<'_> {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        match self.under.read(name, from) {
            Ok(loaded) => match self.texts.files.get(&loaded.path) {
                Some(bytes) => Ok(Loaded { bytes: bytes.clone(), ..loaded }),
                None => Ok(loaded),
            },
            Err(error) => self.texts.read(name, from).map_err(|_| error),
        }
    }

    fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        self.under.searched(name, from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_hides_what_is_under_it() {
        let under: MemoryFiles = [("src/main.asm", "saved"), ("lib.asm", "saved")].into_iter().collect();
        let mut files = Overlay::new(&under);
        let read = |files: &Overlay<'_>, name: &str| {
            let loaded = files.read(name, Some("src/main.asm"))?;
            Ok::<_, FileError>((loaded.path, String::from_utf8(loaded.bytes.to_vec()).unwrap()))
        };
        let file = |path: &str, text: &str| Ok((path.to_owned(), text.to_owned()));
        files.insert("src/main.asm", "edited");
        files.insert("src/new.asm", "new");
        assert_eq!(read(&files, "main.asm"), file("src/main.asm", "edited"));
        assert_eq!(read(&files, "lib.asm"), file("lib.asm", "saved"));
        assert_eq!(read(&files, "new.asm"), file("src/new.asm", "new"));
        assert_eq!(read(&files, "absent.asm"), Err(FileError::NotFound));
        files.remove("src/main.asm");
        assert_eq!(read(&files, "main.asm"), file("src/main.asm", "saved"));
    }
}
