//! Sources and data from the file system. **The only module of the crate that opens files**; it is behind the default
//! feature `disk` and is left out on `wasm`.

// Everything else in this crate gets its bytes from the caller.
#![allow(clippy::disallowed_methods)]

use std::io;
use std::path::{Path, PathBuf};

use crate::files::{FileError, Files, Loaded};
use crate::search::SearchPath;

/// Files on disk, found along a [`SearchPath`].
///
/// ```no_run
/// use tempo_assembler::{DiskFiles, Options, assemble};
///
/// let files = DiskFiles::new("/home/me/game").library("lib");
/// let output = assemble(&files, "main.asm", &Options::default());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiskFiles {
    /// Where to look for a name.
    pub search: SearchPath,
}

impl DiskFiles {
    /// Files of one folder, without libraries or replacements.
    pub fn new(folder: impl Into<PathBuf>) -> DiskFiles {
        DiskFiles { search: SearchPath { folder: folder.into(), ..SearchPath::default() } }
    }

    /// Adds a library folder.
    pub fn library(mut self, folder: impl Into<PathBuf>) -> DiskFiles {
        self.search.library_folders.push(folder.into());
        self
    }
}

impl Files for DiskFiles {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        self.search.read(name, from, Path::is_dir, read_limited, |path| path.canonicalize().ok())
    }

    fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        self.search.searched(name, from)
    }
}

fn read_limited(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // Opening a pipe without a writer never returns, and a device never ends.
    let found = std::fs::metadata(path)?;
    if !found.is_file() && !found.is_dir() {
        let message = "not a regular file (device, pipe or socket)";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if found.len() > limit {
        let message = format!("file is larger than the limit of {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    std::fs::read(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn files_come_from_disk_and_folders_do_not() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        for folder in ["work", "lib"] {
            std::fs::create_dir(root.join(folder)).unwrap();
        }
        std::fs::write(root.join("lib/only"), "lib").unwrap();
        let files = DiskFiles::new(root.join("work")).library("../lib");
        assert_eq!(*files.read("only", None).unwrap().bytes, b"lib");
        assert_eq!(files.read("absent", None).unwrap_err(), FileError::NotFound);
        assert!(matches!(files.read("../lib", None).unwrap_err(), FileError::Unreadable(_)));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_refused() {
        let err = DiskFiles::new("/dev").read("zero", None).unwrap_err();
        assert!(matches!(&err, FileError::Unreadable(why) if why.contains("not a regular file")), "{err:?}");
    }

    #[test]
    fn a_file_over_the_limit_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("data");
        std::fs::write(&path, [0; 100]).unwrap();
        assert_eq!(read_limited(&path, 100).unwrap().len(), 100);
        assert_eq!(read_limited(&path, 99).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        // A length that nothing could be reserved for.
        std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read_limited(&path, 1 << 39).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
