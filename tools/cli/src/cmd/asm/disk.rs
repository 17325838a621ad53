//! Files of the assembler's sources, read from disk along the search path.

use std::path::{Component, Path, PathBuf};

use assembler::{FileError, Files, Loaded};

/// More than any source or picture; a device that never ends must not fill the memory.
const MAX_FILE: u64 = 256 << 20;

/// Reads from the folder of the referring file, then the working directory, then the library folders.
pub struct DiskFiles {
    /// The working directory, absolute.
    pub folder: PathBuf,
    pub library_folders: Vec<PathBuf>,
    /// Files to read instead of others, both absolute.
    pub replacements: Vec<(PathBuf, PathBuf)>,
}

impl Files for DiskFiles {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let beside = from.and_then(|from| Path::new(from).parent());
        let libraries = self.library_folders.iter().map(|library| self.folder.join(library));
        let folders = beside.map(Path::to_path_buf).into_iter().chain([self.folder.clone()]).chain(libraries);
        let mut refused = None;
        for folder in folders {
            let path = clean(&folder.join(name));
            let path = match self.replacements.iter().find(|(replaced, _)| *replaced == path) {
                Some((_, replacement)) => replacement.clone(),
                None => path,
            };
            match std::fs::metadata(&path) {
                Ok(found) if found.is_dir() => {
                    let folder = format!("{} is a folder", path.display());
                    refused.get_or_insert(FileError::Unreadable(folder));
                    continue;
                }
                // The text itself, and what the assembler makes of it.
                Ok(found) => crate::memory::make_room(5 * found.len()),
                Err(_) => {}
            }
            match crate::files::read_limited(&path, MAX_FILE) {
                Ok(bytes) => {
                    return Ok(Loaded { path: path.to_string_lossy().into_owned(), bytes: bytes.into() });
                }
                Err(err) if err.kind() == std::io::ErrorKind::NotFound => {}
                Err(err) => {
                    refused.get_or_insert_with(|| FileError::Unreadable(err.to_string()));
                }
            }
        }
        Err(refused.unwrap_or(FileError::NotFound))
    }
}

/// Takes `.` and `..` out of a path without asking the disk, so that one file has one name.
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
            folder: root.join("work"),
            library_folders: vec!["../lib".into()],
            replacements: vec![(root.join("work/gone"), root.join("lib/only"))],
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
}
