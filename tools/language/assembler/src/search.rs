//! Where a source finds the files it names. Opens nothing: reading is passed in.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::files::{FileError, Loaded};

/// Larger than any source or picture. It keeps an endless device from filling memory.
const MAX_FILE: u64 = 256 << 20;

/// The folder of the referring file, then the working directory, then the library folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchPath {
    /// The working directory. Paths in messages are absolute if this is.
    pub folder: PathBuf,
    /// Searched last, in order. Relative ones start at `folder`.
    pub library_folders: Vec<PathBuf>,
    /// Pairs of a file and the one to read in its place. Both are absolute and without `.` or `..`; see [`clean`].
    pub replacements: Vec<(PathBuf, PathBuf)>,
}

impl SearchPath {
    /// Where a name may lead, in the order of the search. Nothing is looked up.
    pub fn candidates(&self, name: &str, from: Option<&str>) -> impl Iterator<Item = PathBuf> {
        let relative = name.trim_start_matches('/').to_owned();
        self.folders(name, from).map(move |folder| clean(&folder.join(&relative)))
    }

    /// The folders in which a name is searched.
    fn folders(&self, name: &str, from: Option<&str>) -> impl Iterator<Item = PathBuf> {
        // A name that begins with a slash may also mean a place below the working directory or a library folder.
        let is_absolute = name.starts_with('/');
        let beside =
            if is_absolute { Some(Path::new("/")) } else { from.and_then(|from| Path::new(from).parent()) };
        let libraries = self.library_folders.iter().map(|library| self.folder.join(library));
        beside.map(Path::to_path_buf).into_iter().chain([self.folder.clone()]).chain(libraries)
    }

    /// The folders in which a name is searched, each once, as the working directory sees them.
    pub fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        let mut shown: Vec<String> = Vec::new();
        for folder in self.folders(name, from) {
            let folder = clean(&folder);
            let text = match folder.strip_prefix(&self.folder) {
                Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
                Ok(inside) => inside.to_string_lossy().into_owned(),
                Err(_) => folder.to_string_lossy().into_owned(),
            };
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
        shown
    }

    /// The file that is read for a path: itself, or what replaces it.
    fn replacement<'a>(&'a self, path: &'a Path) -> &'a Path {
        let replaced = self.replacements.iter().find(|(replaced, _)| *replaced == path);
        replaced.map_or(path, |(_, replacement)| replacement)
    }

    /// Reads the first candidate that can be read. `read` takes a path and the most bytes it may return, `resolve`
    /// follows the links of one. A file that replaces another keeps the name of that.
    ///
    /// A link leads where the system says: files are searched beside the file that `from` points to, and `..` after a
    /// link goes up from its target.
    pub fn read<B: Into<Arc<Vec<u8>>>>(
        &self,
        name: &str,
        from: Option<&str>,
        is_folder: impl Fn(&Path) -> bool,
        read: impl Fn(&Path, u64) -> io::Result<B>,
        resolve: impl Fn(&Path) -> Option<PathBuf>,
    ) -> Result<Loaded, FileError> {
        let mut refused = None;
        let target = from.and_then(|from| moved(Path::new(from), &resolve));
        let from = target.as_deref().or(from);
        let is_beside = from.is_some() || name.starts_with('/');
        for (number, path) in self.candidates(name, from).enumerate() {
            let Some(path) = self.followed(name, from, number, path, &resolve) else { continue };
            let place = self.replacement(&path);
            if is_folder(place) {
                let folder = format!("{} is a folder", path.display());
                refused.get_or_insert(FileError::Unreadable(folder));
                continue;
            }
            match read(place, MAX_FILE) {
                Ok(bytes) => {
                    let text = |path: &Path| path.to_string_lossy().into_owned();
                    let identity = resolve(&path).map(|path| text(&path));
                    let relative = name.trim_start_matches('/');
                    // The root is found in the working directory, too, but has the name of one that was found beside.
                    let shown = match number.checked_sub(usize::from(is_beside)) {
                        Some(0) if from.is_some() => Some(format!("./{relative}")),
                        Some(library @ 1..) => self
                            .library_folders
                            .get(library - 1)
                            .map(|folder| format!("{}/{relative}", text(folder).trim_end_matches('/'))),
                        _ => identity.clone(),
                    };
                    return Ok(Loaded { path: text(&path), identity, shown, bytes: bytes.into() });
                }
                Err(err) if err.kind() == io::ErrorKind::NotFound => {}
                Err(err) => {
                    refused.get_or_insert_with(|| FileError::Unreadable(err.to_string()));
                }
            }
        }
        Err(refused.unwrap_or(FileError::NotFound))
    }

    /// A candidate after the links before each `..` of the name; `None` if there is no such path.
    fn followed(
        &self,
        name: &str,
        from: Option<&str>,
        number: usize,
        path: PathBuf,
        resolve: &impl Fn(&Path) -> Option<PathBuf>,
    ) -> Option<PathBuf> {
        if !name.split('/').any(|part| part == "..") {
            return Some(path);
        }
        let folder = self.folders(name, from).nth(number)?;
        // A folder whose name is not UTF-8 cannot be asked for by its text.
        if resolve(&folder).is_none() {
            return Some(path);
        }
        let meant = resolve(&folder.join(name.trim_start_matches('/')));
        if meant == resolve(&path) { Some(path) } else { meant }
    }
}

/// The path of a file that is a link into another folder.
fn moved(path: &Path, resolve: &impl Fn(&Path) -> Option<PathBuf>) -> Option<String> {
    let target = resolve(path)?;
    let folder = resolve(path.parent()?)?;
    (target.parent() != Some(&folder)).then(|| target.to_string_lossy().into_owned())
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
    fn the_folders_of_a_search_are_told() {
        let search = SearchPath {
            folder: "/project".into(),
            library_folders: vec!["lib".into(), "/opt/kick".into(), "lib".into()],
            ..SearchPath::default()
        };
        assert_eq!(search.searched("a.asm", Some("/project/src/main.asm")), ["src", ".", "lib", "/opt/kick"]);
        assert_eq!(search.searched("a.asm", Some("/project/main.asm")), [".", "lib", "/opt/kick"]);
    }

    #[test]
    fn the_folder_of_the_referring_file_comes_first() {
        let files =
            [("/src/all", "src"), ("/project/all", "work"), ("/lib/all", "lib"), ("/lib/only", "lib")];
        let search = SearchPath {
            folder: "/project".into(),
            library_folders: vec!["../lib".into()],
            replacements: vec![("/project/gone".into(), "/lib/only".into())],
        };
        let open = |path: &Path, _| match files.iter().find(|(name, _)| Path::new(name) == path) {
            Some((_, text)) => Ok(text.as_bytes().to_vec()),
            None => Err(io::ErrorKind::NotFound.into()),
        };
        let is_folder = |path: &Path| path == Path::new("/src");
        let read = |name: &str, from: Option<&str>| {
            search.read(name, from, is_folder, open, |_| None).map(|file| file.bytes.to_vec())
        };
        let main = Some("/src/main.asm");
        assert_eq!(read("all", main).unwrap(), b"src");
        assert_eq!(read("all", None).unwrap(), b"work");
        assert_eq!(read("only", main).unwrap(), b"lib");
        assert_eq!(read("gone", None).unwrap(), b"lib");
        assert_eq!(read("absent", main).unwrap_err(), FileError::NotFound);
        assert!(matches!(read("../src", None).unwrap_err(), FileError::Unreadable(_)));
    }
}
