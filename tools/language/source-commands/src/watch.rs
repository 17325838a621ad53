//! Watching: work is done, and done again when a file that it looked for has changed. `build`, `test` and `run` share
//! this; what a round does is theirs.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use tempo_host::{Exit, files, output};

const POLL: Duration = Duration::from_millis(200);
/// Editors write in several steps; a change is taken up when it has settled.
const SETTLE: Duration = Duration::from_millis(50);

/// The fingerprint of a file; `None` if there is no such file.
pub type Stamp = Option<Known>;

/// When a file last changed, its length, and which file it is: a program that copies or restores files may keep the first
/// two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    modified: SystemTime,
    length: u64,
    identity: (u64, u64),
    /// When its inode last changed, which no program can set.
    changed: (i64, i64),
}

fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let (identity, changed) = {
        use std::os::unix::fs::MetadataExt;
        ((data.dev(), data.ino()), (data.ctime(), data.ctime_nsec()))
    };
    #[cfg(not(unix))]
    let (identity, changed) = ((0, 0), (0, 0));
    Some(Known { modified: data.modified().ok()?, length: data.len(), identity, changed })
}

/// Every file that was read, or looked for and not found, with its stamp from before it was first read: a change at any
/// later time shows.
#[derive(Default)]
pub struct Seen(Mutex<BTreeMap<PathBuf, Stamp>>);

impl Seen {
    /// To be called before the file is read.
    pub fn note(&self, path: &Path) {
        self.lock().entry(path.to_path_buf()).or_insert_with(|| stamp(path));
    }

    /// Adds the files that another watcher has seen.
    pub fn add(&self, other: &Seen) {
        let other = other.lock().clone();
        let mut own = self.lock();
        for (path, stamp) in other {
            own.entry(path).or_insert(stamp);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<PathBuf, Stamp>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn has(&self, path: &Path) -> bool {
        self.lock().contains_key(path)
    }

    /// A file that is not as it was.
    fn changed(&self) -> Option<PathBuf> {
        let seen = self.lock();
        seen.iter().find(|(path, before)| stamp(path) != **before).map(|(path, _)| path.clone())
    }

    /// How many of them exist.
    fn count(&self) -> usize {
        self.lock().values().flatten().count()
    }
}

/// Asks now and then whether a file has changed, for work that goes on until it is told.
pub struct Watcher<'a> {
    seen: &'a Seen,
    asked: Cell<Instant>,
}

impl<'a> Watcher<'a> {
    pub fn new(seen: &'a Seen) -> Watcher<'a> {
        Watcher { seen, asked: Cell::new(Instant::now()) }
    }

    /// Whether it is time for the next round.
    pub fn has_changed(&self) -> bool {
        if self.asked.get().elapsed() < POLL {
            return false;
        }
        self.asked.set(Instant::now());
        self.has_changed_by_now()
    }

    /// The same without waiting until it is time to ask again.
    pub fn has_changed_by_now(&self) -> bool {
        self.seen.changed().is_some()
    }
}

/// The next request of a round.
pub enum Round {
    /// Wait for a change.
    Wait,
    /// Begin again: the round has seen a change itself.
    Again,
    /// The user has had enough.
    End(Exit),
}

/// Does the work round after round. A round notes what it reads; `others` are files that matter as soon as they appear.
pub fn repeat(mut round: impl FnMut(&Seen) -> Round, others: impl Fn() -> Vec<PathBuf>) -> Exit {
    loop {
        // A file that was saved since may have a new identity, and a file of ours its old one.
        files::forget();
        let seen = Seen::default();
        others().iter().for_each(|path| seen.note(path));
        match round(&seen) {
            Round::End(exit) => return exit,
            Round::Again => {}
            Round::Wait => {
                let files = tempo_diagnostics::plural(seen.count(), "file");
                output::warn(&format!("watching {files}; Ctrl-C ends\n"));
                let is_new = || others().into_iter().find(|path| !seen.has(path));
                while seen.changed().or_else(is_new).is_none() {
                    std::thread::sleep(POLL);
                }
            }
        }
        if let Some(path) = seen.changed() {
            let folder = std::env::current_dir().unwrap_or_default();
            let path = path.strip_prefix(folder).unwrap_or(&path);
            output::warn(&output::visible(&format!("\nchanged: {}\n", path.display())));
        }
        std::thread::sleep(SETTLE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_after_the_first_look_shows() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let (there, missing) = (scratch.path().join("there"), scratch.path().join("missing"));
        std::fs::write(&there, "a").expect("a writable folder");
        let seen = Seen::default();
        seen.note(&there);
        seen.note(&missing);
        assert_eq!(seen.changed(), None);
        assert_eq!(seen.count(), 1);
        std::fs::write(&missing, "").expect("a writable folder");
        assert_eq!(seen.changed(), Some(missing));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_the_same_length_and_time_is_another_file() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let (file, other) = (scratch.path().join("file"), scratch.path().join("other"));
        std::fs::write(&file, "old").expect("a writable folder");
        let seen = Seen::default();
        seen.note(&file);
        std::fs::write(&other, "new").expect("a writable folder");
        let time = std::fs::metadata(&file).and_then(|found| found.modified()).expect("a time");
        std::fs::File::options()
            .write(true)
            .open(&other)
            .and_then(|file| file.set_modified(time))
            .expect("a time");
        std::fs::rename(&other, &file).expect("a writable folder");
        assert_eq!(seen.changed(), Some(file));
    }

    #[test]
    fn rounds_follow_changes_until_the_end() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let file = scratch.path().join("file");
        let mut rounds = 0;
        let exit = repeat(
            |seen| {
                seen.note(&file);
                rounds += 1;
                std::fs::write(&file, "x".repeat(rounds)).expect("a writable folder");
                if rounds < 3 { Round::Wait } else { Round::End(Exit::Fine) }
            },
            Vec::new,
        );
        assert_eq!((exit, rounds), (Exit::Fine, 3));
    }
}
