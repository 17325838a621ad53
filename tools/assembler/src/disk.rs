//! Sources and data from the file system. **The only module of the crate that opens files**; it is behind the default
//! feature `disk` and is left out on `wasm`.

// Everything else in this crate gets its bytes from the caller.
#![allow(clippy::disallowed_methods)]

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::files::{FileError, Files, Loaded};

/// Larger than any source or picture. It keeps an endless device from filling memory.
const MAX_FILE: u64 = 256 << 20;

/// Reads from the folder of the referring file, then from the working directory, then from the library folders.
///
/// ```no_run
/// use tempo_asm::{DiskFiles, Options, assemble};
///
/// let files = DiskFiles::new("/home/me/game").library("lib");
/// let output = assemble(&files, "main.asm", &Options::default());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiskFiles {
    /// The working directory. Paths in messages are absolute if this is.
    pub folder: PathBuf,
    /// Searched last, in order. Relative ones start at `folder`.
    pub library_folders: Vec<PathBuf>,
    /// Pairs of a file and the one to read in its place. Both are absolute and without `.` or `..`; see [`clean`].
    pub replacements: Vec<(PathBuf, PathBuf)>,
}

impl DiskFiles {
    /// Files of one folder, without libraries or replacements.
    pub fn new(folder: impl Into<PathBuf>) -> DiskFiles {
        DiskFiles { folder: folder.into(), ..DiskFiles::default() }
    }

    /// Adds a library folder.
    pub fn library(mut self, folder: impl Into<PathBuf>) -> DiskFiles {
        self.library_folders.push(folder.into());
        self
    }

    /// Where a name may lead, in the order of the search. Nothing is looked up on disk.
    pub fn candidates(&self, name: &str, from: Option<&str>) -> impl Iterator<Item = PathBuf> {
        let beside = from.and_then(|from| Path::new(from).parent());
        let libraries = self.library_folders.iter().map(|library| self.folder.join(library));
        let folders = beside.map(Path::to_path_buf).into_iter().chain([self.folder.clone()]).chain(libraries);
        folders.map(move |folder| {
            let path = clean(&folder.join(name));
            match self.replacements.iter().find(|(replaced, _)| *replaced == path) {
                Some((_, replacement)) => replacement.clone(),
                None => path,
            }
        })
    }
}

impl Files for DiskFiles {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let mut refused = None;
        for path in self.candidates(name, from) {
            if path.is_dir() {
                let folder = format!("{} is a folder", path.display());
                refused.get_or_insert(FileError::Unreadable(folder));
                continue;
            }
            match read_limited(&path, MAX_FILE) {
                Ok(bytes) => {
                    return Ok(Loaded { path: path.to_string_lossy().into_owned(), bytes: bytes.into() });
                }
                Err(err) if err.kind() == io::ErrorKind::NotFound => {}
                Err(err) => {
                    refused.get_or_insert_with(|| FileError::Unreadable(err.to_string()));
                }
            }
        }
        Err(refused.unwrap_or(FileError::NotFound))
    }
}

/// Reads a whole file, refusing one larger than `limit` bytes before its bytes fill the memory.
pub fn read_limited(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    // Reserve the whole length at once. Devices report 0.
    let size = file.metadata().map_or(0, |metadata| metadata.len()).min(limit);
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("file is larger than the limit of {limit} bytes"),
        ));
    }
    Ok(bytes)
}

/// Resolves `.` and `..` without asking the disk, so that one file has one name. May leave an empty path.
pub fn clean(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if result.file_name().is_some() => {
                result.pop();
            }
            Component::ParentDir if result.has_root() => {}
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn paths_are_cleaned() {
        for (path, cleaned) in
            [("/a/./b/../c", "/a/c"), ("/../a", "/a"), ("../a/../../b", "../../b"), ("a/..", "")]
        {
            assert_eq!(clean(Path::new(path)), Path::new(cleaned), "{path}");
        }
    }

    #[test]
    fn the_folder_of_the_referring_file_comes_first() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path();
        for folder in ["src", "work", "lib"] {
            std::fs::create_dir(root.join(folder)).unwrap();
            std::fs::write(root.join(folder).join("all"), folder).unwrap();
        }
        std::fs::write(root.join("lib").join("only"), "lib").unwrap();
        let files = DiskFiles {
            replacements: vec![(root.join("work/gone"), root.join("lib/only"))],
            ..DiskFiles::new(root.join("work")).library("../lib")
        };
        let main = root.join("src/main.asm").to_string_lossy().into_owned();
        let read = |name: &str, from: Option<&str>| files.read(name, from).map(|file| file.bytes.to_vec());
        assert_eq!(read("all", Some(&main)).unwrap(), b"src");
        assert_eq!(read("all", None).unwrap(), b"work");
        assert_eq!(read("only", Some(&main)).unwrap(), b"lib");
        assert_eq!(read("gone", None).unwrap(), b"lib");
        assert_eq!(read("absent", Some(&main)).unwrap_err(), FileError::NotFound);
        assert!(matches!(read("../src", None).unwrap_err(), FileError::Unreadable(_)));
    }

    #[test]
    fn a_file_over_the_limit_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("data");
        std::fs::write(&path, [0; 100]).unwrap();
        assert_eq!(read_limited(&path, 100).unwrap().len(), 100);
        assert_eq!(read_limited(&path, 99).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
