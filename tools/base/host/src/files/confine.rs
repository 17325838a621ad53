//! `--confine`: reading limited to the project, to library folders and to paths that the user typed, for sources from
//! strangers. Off until [`confine`] is called; then every file of the run is opened below one of the folders.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// The limits of reading.
#[derive(Default)]
struct Limits {
    /// Folders with links followed, and their handles.
    folders: Vec<(PathBuf, Arc<Dir>)>,
    /// Single files with links followed.
    files: BTreeSet<PathBuf>,
}

static LIMITS: Mutex<Option<Limits>> = Mutex::new(None);

fn limits() -> MutexGuard<'static, Option<Limits>> {
    // A panic elsewhere leaves a list as good as before.
    LIMITS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// From now on reads are limited to what [`allow`] adds.
pub fn confine() {
    limits().get_or_insert_default();
}

/// Whether reads are limited.
pub fn is_confined() -> bool {
    limits().is_some()
}

/// Allows to read a file, or everything below a folder, that the user typed. A path below a folder that is allowed already
/// adds nothing: if it is a link that leads elsewhere, the link is not the user's. Does nothing while reads are not
/// limited.
pub fn allow(path: &Path) {
    let mut limits = limits();
    let Some(limits) = &mut *limits else { return };
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let (Ok(words), Ok(real)) = (std::path::absolute(path), path.canonicalize()) else { return };
    let climbs = words.components().any(|part| part == Component::ParentDir);
    if !climbs && limits.folders.iter().any(|(folder, _)| words.starts_with(folder)) {
        return;
    }
    if !real.is_dir() {
        limits.files.insert(real);
    } else if limits.folders.iter().all(|(folder, _)| *folder != real)
        && let Ok(dir) = Dir::open_ambient_dir(&real, ambient_authority())
    {
        limits.folders.push((real, Arc::new(dir)));
    }
}

/// Refuses a path that is not below an allowed folder by its words, for files that are not on the disk.
pub fn check_words(path: &Path) -> io::Result<()> {
    let limits = limits();
    let Some(limits) = &*limits else { return Ok(()) };
    let is_inside =
        limits.folders.iter().any(|(folder, _)| path.starts_with(folder)) || limits.files.contains(path);
    if is_inside { Ok(()) } else { Err(refused(path, limits)) }
}

/// Opens a file to read, wherever it is or, with `--confine`, below an allowed folder.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let limits = limits();
    let Some(limits) = &*limits else { return File::open(path) };
    let real = path.canonicalize()?;
    if limits.files.contains(&real) {
        return File::open(real);
    }
    for (folder, dir) in &limits.folders {
        if let Ok(inner) = real.strip_prefix(folder) {
            // Below the handle: a link that is put there now leads nowhere else.
            return Ok(dir.open(inner)?.into_std());
        }
    }
    Err(refused(path, limits))
}

fn refused(path: &Path, limits: &Limits) -> io::Error {
    let folders: Vec<String> =
        limits.folders.iter().map(|(folder, _)| format!("'{}'", folder.display())).collect();
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!(
            "--confine (TEMPO_CONFINE) limits reading to {}, and '{}' leads out of it; name its folder with a library \
             option such as -L, or run without --confine",
            if folders.is_empty() { "the files that you type".to_owned() } else { folders.join(", ") },
            path.display()
        ),
    )
}
