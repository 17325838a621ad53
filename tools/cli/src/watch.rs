//! Watching: work is done, and done again when a file that it looked for has changed. `build`, `test` and `run` share
//! this; what a round does is theirs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use crate::exit::Exit;
use crate::{files, output};

const POLL: Duration = Duration::from_millis(200);
/// Editors write in several steps; a change is taken up when it has settled.
const SETTLE: Duration = Duration::from_millis(50);

/// When a file last changed, and its length; `None` if there is no such file.
pub type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
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

    /// Adds what somebody else has seen.
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

    fn has_changed(&self) -> bool {
        self.lock().iter().any(|(path, before)| stamp(path) != *before)
    }

    /// How many of them exist.
    fn count(&self) -> usize {
        self.lock().values().flatten().count()
    }
}

/// What a round wants next.
pub enum Round {
    /// Wait for a change.
    Wait,
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
            Round::Wait => {
                let count = seen.count();
                let plural = if count == 1 { "file" } else { "files" };
                output::warn(&format!("watching {count} {plural}; Ctrl-C ends\n"));
                while !seen.has_changed() && others().iter().all(|path| seen.has(path)) {
                    std::thread::sleep(POLL);
                }
                output::warn("\n");
            }
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
        assert!(!seen.has_changed());
        assert_eq!(seen.count(), 1);
        std::fs::write(&missing, "").expect("a writable folder");
        assert!(seen.has_changed());
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
