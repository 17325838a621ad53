//! Which file a path leads to, and which files this run has read. Two paths to one file have one identity.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard};

/// A file itself, not one of its names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity(Inner);

/// Device and inode: links of both kinds lead to the same.
#[cfg(unix)]
type Inner = (u64, u64);

/// The path with all links followed. Hard links stay different names.
#[cfg(not(unix))]
type Inner = PathBuf;

impl Identity {
    #[cfg(unix)]
    pub fn of(found: &Metadata, _path: &Path) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        Some(Identity((found.dev(), found.ino())))
    }

    #[cfg(not(unix))]
    pub fn of(_found: &Metadata, path: &Path) -> Option<Identity> {
        path.canonicalize().ok().map(Identity)
    }

    /// Whether this is what standard input reads from.
    pub fn is_standard_input(&self) -> bool {
        #[cfg(unix)]
        {
            Identity::of_stream(&std::io::stdin()).is_some_and(|(input, _)| input == *self)
        }
        #[cfg(not(unix))]
        false
    }

    /// The regular file that standard output was sent to, if it was.
    pub fn of_standard_output() -> Option<Identity> {
        #[cfg(unix)]
        {
            Identity::of_stream(&std::io::stdout()).filter(|(_, found)| found.is_file()).map(|(id, _)| id)
        }
        #[cfg(not(unix))]
        None
    }

    #[cfg(unix)]
    fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<(Identity, Metadata)> {
        let found = File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()?;
        Some((Identity::of(&found, Path::new(""))?, found))
    }
}

/// The files of this process that an output must not replace, with the name each was reached by.
#[derive(Default)]
struct Known {
    read: HashMap<Identity, PathBuf>,
    written: HashMap<Identity, PathBuf>,
}

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

fn known() -> MutexGuard<'static, Known> {
    // A panic elsewhere leaves a map as good as before.
    KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Notes a file that is being read.
pub fn note_input(file: &File, path: &Path) {
    let found = file.metadata().ok().filter(|found| found.is_file());
    if let Some(id) = found.and_then(|found| Identity::of(&found, path)) {
        known().read.entry(id).or_insert_with(|| path.to_path_buf());
    }
}

/// Notes a file that this run has written.
pub fn note_output(path: &Path) {
    if let Some(id) = std::fs::metadata(path).ok().and_then(|found| Identity::of(&found, path)) {
        known().written.insert(id, path.to_path_buf());
    }
}

/// Forgets that a file was read.
pub fn release(path: &Path) {
    if let Some(id) = std::fs::metadata(path).ok().and_then(|found| Identity::of(&found, path)) {
        known().read.remove(&id);
    }
}

/// Forgets all files: another round begins, and identities may have passed to other files since.
pub fn forget() {
    *known() = Known::default();
}

/// The name under which this run read a file, if it did.
pub fn read_as(id: &Identity) -> Option<PathBuf> {
    known().read.get(id).cloned()
}

/// The name under which this run wrote a file, if it did.
pub fn written_as(id: &Identity) -> Option<PathBuf> {
    known().written.get(id).cloned()
}
