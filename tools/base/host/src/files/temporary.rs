//! Files that do not have their name yet. A run writes them beside the files they will replace; one that dies leaves
//! them behind, and the next run that writes there deletes them.
//!
//! Each carries the number of its process in its name and is locked while that process lives, so that no other process takes
//! away what is still being written, also where process numbers are not comparable (containers, network folders).
//! All of them are reached through the handle of their folder.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, OpenOptions};

const PREFIX: &str = ".tempo-";
const SUFFIX: &str = ".tmp";

/// The temporaries of this process. The holder of the lock decides: names are given under it, and a signal takes
/// them away under it.
static OPEN: Mutex<Open> = Mutex::new(Open::new());

/// Names with the folders that they are in. A name has a number that is never used twice.
type Open = BTreeMap<String, Arc<Dir>>;

/// A file that is written in full but does not have its name yet. Dropped, it leaves nothing behind.
pub struct Temporary {
    /// Locked; `None` once it is complete.
    file: Option<File>,
    folder: Arc<Dir>,
    name: String,
    has_name: bool,
}

impl Temporary {
    /// A new file in a folder, empty.
    pub fn new(folder: &Arc<Dir>) -> io::Result<Temporary> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id());
            let mut open = open_list();
            match folder.open_with(&name, OpenOptions::new().write(true).create_new(true)) {
                Ok(file) => {
                    let file = file.into_std();
                    // A file system without locks leaves the process number.
                    let _ = file.try_lock();
                    open.insert(name.clone(), folder.clone());
                    return Ok(Temporary { file: Some(file), folder: folder.clone(), name, has_name: false });
                }
                // Left by an earlier process of the same number.
                Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {}
                Err(err) => return Err(err),
            }
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file().write_all(bytes)
    }

    pub fn file(&mut self) -> &mut File {
        self.file.as_mut().expect("it is there until it is complete")
    }

    /// No more is written. A process has a limit of open files; from here on its number alone protects this one.
    pub fn close(&mut self) {
        self.file = None;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.has_name {
            let mut open = open_list();
            let _ = self.folder.remove_file(&self.name);
            open.remove(&self.name);
        }
    }
}

/// Gives all of them their names in order, each in its folder, in place of whatever had them; on failure says which one
/// has none. A signal that can be caught does not come between.
pub fn persist(all: Vec<(&mut Temporary, &OsStr)>) -> Result<(), (usize, io::Error)> {
    // Held to the end: the signal handler waits for it.
    let mut open = open_list();
    for (index, (temporary, name)) in all.into_iter().enumerate() {
        let folder = &temporary.folder;
        folder.rename(&temporary.name, folder, name).map_err(|error| (index, error))?;
        temporary.has_name = true;
        open.remove(&temporary.name);
    }
    Ok(())
}

fn open_list() -> std::sync::MutexGuard<'static, Open> {
    // A panic elsewhere leaves a set as good as before.
    OPEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Takes away what dead runs have left in a folder.
pub fn sweep(folder: &Dir) {
    let Ok(entries) = folder.entries() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(process_of) else { continue };
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !is_alive(process) && !is_locked(folder, &name) {
            let _ = folder.remove_file(&name);
        }
    }
}

/// The process that a temporary file belongs to, by its name.
fn process_of(name: &str) -> Option<u32> {
    let (process, number) = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.split_once('-')?;
    number.parse::<u64>().ok()?;
    process.parse().ok()
}

/// Whether a process lives, as far as this system tells without asking for more rights.
fn is_alive(process: u32) -> bool {
    let processes = Path::new("/proc");
    process == std::process::id()
        || (cfg!(target_os = "linux") && processes.join(process.to_string()).is_dir())
}

fn is_locked(folder: &Dir, name: &OsStr) -> bool {
    let mut options = OpenOptions::new();
    let Ok(file) = folder.open_with(name, options.write(true).follow(FollowSymlinks::No)) else {
        return false;
    };
    matches!(file.into_std().try_lock(), Err(TryLockError::WouldBlock))
}

/// From now on Ctrl-C and its like take the temporaries away before they end the process, and wait while names are
/// given.
#[cfg(unix)]
pub fn heed_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        let watch = move || {
            for signal in signals.forever() {
                let open = open_list();
                for (name, folder) in open.iter() {
                    let _ = folder.remove_file(name);
                }
                // Ends the process, with the list still locked: nothing new appears meanwhile.
                let _ = emulate_default_handler(signal);
            }
        };
        // Without a thread the next run takes them away.
        let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(watch);
    });
}

/// Where signals are not known, the next run takes them away.
#[cfg(not(unix))]
pub fn heed_signals() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_dead_runs_left_is_swept() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        let dir = Arc::new(Dir::open_ambient_dir(folder, cap_std::ambient_authority()).unwrap());
        let mut live = Temporary::new(&dir).unwrap();
        live.write(b"live").unwrap();
        // No process has the highest number.
        let dead = folder.join(format!("{PREFIX}{}-0{SUFFIX}", u32::MAX));
        let locked = folder.join(format!("{PREFIX}{}-1{SUFFIX}", u32::MAX));
        let foreign =
            [".tempo-abc", ".tempo-1.tmp", ".tempo-x-1.tmp", "tempo-1-1.tmp"].map(|name| folder.join(name));
        for path in foreign.iter().chain([&dead, &locked]) {
            std::fs::write(path, "").unwrap();
        }
        let lock = File::open(&locked).unwrap();
        lock.lock().unwrap();
        sweep(&dir);
        let path = folder.join(&live.name);
        assert!(!dead.exists());
        assert!(locked.exists() && path.exists() && foreign.iter().all(|path| path.exists()));
        drop(live);
        assert!(!path.exists());
    }
}
