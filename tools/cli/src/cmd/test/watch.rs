//! `--watch`: runs, waits for a change of any file that was read, and runs again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::disk::{Disk, Stamp, stamp};
use super::{Args, run_once, say, suite_files};
use crate::exit::Exit;

const POLL: Duration = Duration::from_millis(200);
/// Editors write in several steps; a change is taken up when it has settled.
const SETTLE: Duration = Duration::from_millis(50);

pub fn watch(args: &Args) -> Exit {
    if let Err(message) = args.validate() {
        return super::complain(&message);
    }
    loop {
        let disk = Disk::of(args);
        let mut known = suites(args);
        run_once(args, &disk);
        // What changed while the tests ran is a change too.
        known.extend(disk.seen());
        say(&format!("watching {} files; Ctrl-C ends", known.len()));
        loop {
            std::thread::sleep(POLL);
            let changed = |(path, before): (&PathBuf, &Stamp)| stamp(path) != *before;
            if known.iter().any(changed) || suites(args).keys().any(|path| !known.contains_key(path)) {
                std::thread::sleep(SETTLE);
                break;
            }
        }
        say("");
    }
}

/// The suites there are; one that appears in a watched folder is a change.
fn suites(args: &Args) -> BTreeMap<PathBuf, Stamp> {
    let mut named = args.suitefile.iter().chain(&args.paths);
    if !named.all(|path| path.exists()) {
        return BTreeMap::new();
    }
    let files = suite_files(args).unwrap_or_default();
    files.into_iter().map(|path| (path.clone(), stamp(&path))).collect()
}
