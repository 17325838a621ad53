//! Which file a path leads to, and which files this run has read. Two paths to one file have one identity.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::SystemTime;

use cap_fs_ext::MetadataExt;
use cap_std::fs::Metadata;

/// A file itself, not one of its names: device and inode, which links of both kinds share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// The identity of an open file.
    pub fn of(file: &File) -> Option<Identity> {
        let found = Metadata::from_file(file).ok()?;
        Some(Identity { device: found.dev(), inode: found.ino() })
    }

    /// The identity of the file at a path, which is opened only where the system needs it.
    fn at(path: &Path) -> Option<Identity> {
        #[cfg(unix)]
        {
            let found = std::fs::metadata(path).ok()?;
            Some(Identity { device: found.dev(), inode: found.ino() })
        }
        #[cfg(not(unix))]
        Identity::of(&File::open(path).ok()?)
    }

    /// Whether a path leads to what standard input reads from.
    pub fn is_standard_input(path: &Path) -> bool {
        #[cfg(unix)]
        {
            Identity::of_stream(&std::io::stdin()).is_some_and(|(input, _)| Identity::at(path) == Some(input))
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            false
        }
    }

    /// The regular file that standard output was sent to, if it was.
    pub fn of_standard_output() -> Option<(Identity, File)> {
        #[cfg(unix)]
        {
            let is_regular = |file: &File| file.metadata().is_ok_and(|found| found.is_file());
            Identity::of_stream(&std::io::stdout()).filter(|(_, file)| is_regular(file))
        }
        #[cfg(not(unix))]
        None
    }

    #[cfg(unix)]
    fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<(Identity, File)> {
        let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Some((Identity::of(&file)?, file))
    }
}

/// A file that was read.
#[derive(Debug, Clone)]
struct Noted {
    /// The name it was reached by.
    path: PathBuf,
    /// When it was created, where the system tells.
    born: Option<SystemTime>,
    changed: Option<SystemTime>,
}

impl Noted {
    fn new(file: &File, path: &Path) -> Noted {
        let found = file.metadata().ok();
        let time = |when: fn(&std::fs::Metadata) -> std::io::Result<SystemTime>| {
            found.as_ref().and_then(|found| when(found).ok())
        };
        Noted {
            path: path.to_path_buf(),
            born: time(std::fs::Metadata::created),
            changed: time(std::fs::Metadata::modified),
        }
    }

    /// Whether a file with the same device and inode is this one. A system gives the inode of a deleted file to the next
    /// new one: an editor that saves by renaming deletes the text that this run has read, and the output of another run
    /// may get its inode.
    fn is(&self, now: &Noted, still_there: impl FnOnce() -> bool) -> bool {
        match (self.born, now.born) {
            (Some(before), Some(now)) => before == now,
            _ => self.changed == now.changed || still_there(),
        }
    }
}

/// The files of this process that an output must not replace, with the name each was reached by.
#[derive(Default)]
struct Known {
    read: HashMap<Identity, Noted>,
    written: HashMap<Identity, PathBuf>,
}

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

fn known() -> MutexGuard<'static, Known> {
    // A panic elsewhere leaves a map as good as before.
    KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Notes a file that is being read.
pub fn note_input(file: &File, path: &Path) {
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return;
    }
    let Some(id) = Identity::of(file) else { return };
    let now = Noted::new(file, path);
    let mut known = known();
    match known.read.get(&id) {
        Some(before) if before.is(&now, || Identity::at(&before.path) == Some(id)) => {}
        _ => drop(known.read.insert(id, now)),
    }
}

/// Notes a file that this run has written.
pub fn note_output(path: &Path) {
    if let Some(id) = Identity::at(path) {
        known().written.insert(id, path.to_path_buf());
    }
}

/// Forgets that a file was read.
pub fn release(path: &Path) {
    if let Some(id) = Identity::at(path) {
        known().read.remove(&id);
    }
}

/// Forgets all files: another round begins, and identities may have passed to other files since.
pub fn forget() {
    *known() = Known::default();
}

/// The name under which this run read a file, if it did.
pub fn read_as(file: &File) -> Option<PathBuf> {
    let id = Identity::of(file)?;
    let before = known().read.get(&id).cloned()?;
    let is_same = before.is(&Noted::new(file, Path::new("")), || Identity::at(&before.path) == Some(id));
    is_same.then_some(before.path)
}

/// The name under which this run wrote a file, if it did.
pub fn written_as(file: &File) -> Option<PathBuf> {
    known().written.get(&Identity::of(file)?).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_new_file_with_the_inode_of_an_old_one_is_another_file() {
        let time = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        let noted = |born, changed| Noted { path: PathBuf::new(), born, changed };
        let read = noted(time(1), time(5));
        assert!(read.is(&noted(time(1), time(9)), || false), "an edit in place");
        assert!(!read.is(&noted(time(7), time(7)), || true), "an inode used again");
        // Where files have no time of birth.
        let read = noted(None, time(5));
        assert!(read.is(&noted(None, time(5)), || false), "renamed");
        assert!(read.is(&noted(None, time(9)), || true), "an edit in place");
        assert!(!read.is(&noted(None, time(9)), || false), "an inode used again");
    }

    #[test]
    fn a_file_is_known_by_all_of_its_names() {
        let scratch = tempfile::tempdir().unwrap();
        let (one, two) = (scratch.path().join("one"), scratch.path().join("two"));
        std::fs::write(&one, "").unwrap();
        note_input(&File::open(&one).unwrap(), &one);
        std::fs::hard_link(&one, &two).unwrap();
        assert_eq!(read_as(&File::open(&two).unwrap()), Some(one));
        std::fs::remove_file(&two).unwrap();
        std::fs::write(&two, "").unwrap();
        assert_eq!(read_as(&File::open(&two).unwrap()), None);
    }
}
