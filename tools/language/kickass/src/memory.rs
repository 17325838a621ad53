//! A file system and a host in memory: for tests, for pages in a browser, and for callers that look at the output
//! before they keep it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::console::Host;
use crate::files::{EntryKind, FileSystem, WriteError};
use crate::plan::{Door, PlannedFile};

/// More links than this on the way to a file are a circle.
const MAX_LINKS: usize = 40;

/// Files, folders and symbolic links in memory. Paths are absolute; folders appear with the first file in them.
#[derive(Debug, Clone, Default)]
pub struct MemoryDisk {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    folders: BTreeSet<PathBuf>,
    links: BTreeMap<PathBuf, PathBuf>,
}

impl MemoryDisk {
    /// Adds a file, or replaces the one of that name.
    pub fn insert(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        let path = path.into();
        if let Some(folder) = path.parent() {
            self.insert_folder(folder);
        }
        self.files.insert(path, bytes.into().into());
    }

    /// Adds a folder and those around it.
    pub fn insert_folder(&mut self, path: impl AsRef<Path>) {
        self.folders.extend(path.as_ref().ancestors().map(Path::to_path_buf));
    }

    /// Adds a symbolic link. A relative target starts from the folder of the link.
    pub fn link(&mut self, path: impl Into<PathBuf>, target: impl Into<PathBuf>) {
        self.links.insert(path.into(), target.into());
    }

    /// The bytes of a file, links followed.
    pub fn get(&self, path: impl AsRef<Path>) -> Option<&[u8]> {
        self.files.get(&self.target(path.as_ref())?).map(|bytes| &**bytes)
    }

    /// All files with their bytes, sorted by path; links are left out.
    pub fn files(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_path(), &**bytes))
    }

    /// Follows links, also in the folders of the path; `..` goes up from the target of a link. The last part need not
    /// exist.
    fn target(&self, path: &Path) -> Option<PathBuf> {
        let parts = |path: &Path| {
            let parts = path.components().rev();
            parts.map(|part| part.as_os_str().to_owned()).collect::<Vec<_>>()
        };
        let mut left = parts(path);
        let mut found = PathBuf::new();
        let mut links = 0;
        while let Some(part) = left.pop() {
            match Path::new(&part).components().next() {
                Some(Component::ParentDir) if self.folders.contains(&found) => {
                    found.pop();
                }
                Some(Component::ParentDir) if found.parent().is_some() => return None,
                Some(Component::ParentDir | Component::CurDir) => {}
                _ => found.push(part),
            }
            if let Some(target) = self.links.get(&found) {
                links += 1;
                if links > MAX_LINKS {
                    return None;
                }
                found.pop();
                left.append(&mut parts(target));
            }
        }
        Some(found)
    }

    /// Refuses a file that links lead out of where it may be.
    fn check(&self, file: &PlannedFile) -> io::Result<()> {
        let Door::Within { folder, root } = &file.door else { return Ok(()) };
        let below = |path: &Path, folder: &Path| match (self.target(path), self.target(folder)) {
            (Some(path), Some(folder)) => path.starts_with(folder),
            _ => false,
        };
        match below(&file.path, folder) && root.as_ref().is_none_or(|root| below(folder, root)) {
            true => Ok(()),
            false => {
                let message = format!("it leads out of '{}'", root.as_ref().unwrap_or(folder).display());
                Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
            }
        }
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("/"));
        if let Some(file) = folder.ancestors().find(|folder| self.kind(folder) == Some(EntryKind::File)) {
            let message = format!("{} is a file", file.display());
            return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
        }
        if self.kind(path) == Some(EntryKind::Folder) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        let path = self.target(path).ok_or_else(|| io::Error::other("too many links"))?;
        self.insert(path, bytes);
        Ok(())
    }
}

impl<P: Into<PathBuf>, B: Into<Vec<u8>>> FromIterator<(P, B)> for MemoryDisk {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> MemoryDisk {
        let mut disk = MemoryDisk::default();
        for (path, bytes) in files {
            disk.insert(path, bytes);
        }
        disk
    }
}

impl FileSystem for MemoryDisk {
    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let path = self.target(path)?;
        if self.files.contains_key(&path) {
            Some(EntryKind::File)
        } else {
            (self.folders.contains(&path) || path == Path::new("/")).then_some(EntryKind::Folder)
        }
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        match self.get(path) {
            Some(bytes) if bytes.len() as u64 <= limit => Ok(bytes.to_vec()),
            Some(_) => Err(io::ErrorKind::FileTooLarge.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        self.kind(path)?;
        self.target(path)
    }
}

/// A [`Host`] that keeps everything: the files it was given and those written, and the console. It runs no commands.
#[derive(Debug, Clone, Default)]
pub struct MemoryHost {
    /// The files, before and after.
    pub disk: MemoryDisk,
    /// Everything printed, with line ends.
    pub console: String,
}

impl Host for MemoryHost {
    fn files(&self) -> &dyn FileSystem {
        &self.disk
    }

    fn write(&mut self, files: &[PlannedFile]) -> Result<(), WriteError> {
        // All or none.
        let mut disk = self.disk.clone();
        for file in files {
            disk.check(file)
                .and_then(|()| disk.write(&file.path, &file.bytes))
                .map_err(|error| WriteError { path: file.path.clone(), error })?;
        }
        self.disk = disk;
        Ok(())
    }

    fn print(&mut self, line: &str) {
        self.console.push_str(line);
        self.console.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::FileKind;
    use pretty_assertions::assert_eq;

    fn disk() -> MemoryDisk {
        let mut disk: MemoryDisk = [("/a/one", "1"), ("/a/b/two", "2")].into_iter().collect();
        disk.link("/a/alias", "b");
        disk.link("/far", "/a/alias/two");
        disk.link("/loop", "/loop");
        disk.link("/gone", "nowhere");
        disk
    }

    #[test]
    fn links_lead_to_files_and_folders() {
        let disk = disk();
        for (path, kind, resolved) in [
            ("/a/one", Some(EntryKind::File), Some("/a/one")),
            ("/a/alias", Some(EntryKind::Folder), Some("/a/b")),
            ("/a/alias/two", Some(EntryKind::File), Some("/a/b/two")),
            ("/far", Some(EntryKind::File), Some("/a/b/two")),
            ("/a", Some(EntryKind::Folder), Some("/a")),
            ("/", Some(EntryKind::Folder), Some("/")),
            ("/loop", None, None),
            ("/gone", None, None),
            ("/a/three", None, None),
        ] {
            assert_eq!(disk.kind(Path::new(path)), kind, "{path}");
            assert_eq!(disk.resolve(Path::new(path)), resolved.map(PathBuf::from), "{path}");
        }
        assert_eq!(disk.read(Path::new("/far"), 1).unwrap(), b"2");
        assert_eq!(disk.read(Path::new("/far"), 0).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_file_that_cannot_be_written_keeps_all_others_away() {
        let file = |path: &str| PlannedFile {
            path: path.into(),
            bytes: vec![3],
            kind: FileKind::Prg,
            door: Door::Typed,
        };
        let mut host = MemoryHost { disk: disk(), ..MemoryHost::default() };
        for bad in ["/a", "/a/one/below"] {
            let error = host.write(&[file("/new/three"), file(bad)]).unwrap_err();
            assert_eq!(error.path, Path::new(bad));
            assert_eq!(host.disk.get("/new/three"), None);
        }
        host.write(&[file("/new/three"), file("/a/alias/two")]).unwrap();
        assert_eq!(host.disk.get("/new/three"), Some(&[3][..]));
        assert_eq!(host.disk.get("/a/b/two"), Some(&[3][..]));
    }

    #[test]
    fn links_lead_out_of_no_folder() {
        let mut host = MemoryHost::default();
        host.disk.insert_folder("/p/out");
        host.disk.link("/p/out/link", "../..");
        host.disk.link("/p/away", "/elsewhere");
        let mut write = |path: &str, folder: &str, root: Option<&str>| {
            let door = Door::Within { folder: folder.into(), root: root.map(PathBuf::from) };
            host.write(&[PlannedFile { path: path.into(), bytes: vec![], kind: FileKind::Prg, door }])
        };
        assert!(write("/p/out/new/a", "/p/out", Some("/p")).is_ok());
        assert!(write("/p/out/link/a", "/p/out", None).is_err());
        assert!(write("/p/away/a", "/p/away", None).is_ok(), "the user typed the folder");
        assert!(write("/p/away/a", "/p/away", Some("/p")).is_err());
    }
}
