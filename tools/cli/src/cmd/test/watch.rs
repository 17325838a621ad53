//! `--watch`: runs, waits for a change of any file that was read, and runs again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::disk::Disk;
use super::{Args, run_once, say, suite_files};
use crate::exit::Exit;

const POLL: Duration = Duration::from_millis(200);
/// Editors write in several steps; a change is taken up when it has settled.
const SETTLE: Duration = Duration::from_millis(50);

type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

pub fn watch(args: &Args) -> Exit {
    if let Err(message) = args.validate() {
        return super::complain(&message);
    }
    loop {
        let disk = Disk::new(&args.map);
        let before = stamps(args, &disk);
        run_once(args, &disk);
        // What changed while the tests ran is a change too.
        let files = disk.seen();
        say(&format!("watching {} files; Ctrl-C ends", files.len()));
        let mut known = stamps(args, &disk);
        for (path, stamp) in before {
            known.insert(path, stamp);
        }
        loop {
            std::thread::sleep(POLL);
            if stamps(args, &disk).iter().any(|(path, stamp)| known.get(path) != Some(stamp)) {
                std::thread::sleep(SETTLE);
                break;
            }
        }
        say("");
    }
}

/// When each file last changed. Suites that appear in a watched folder count too.
fn stamps(args: &Args, disk: &Disk) -> Stamps {
    let mut files = disk.seen();
    let named = args.suitefile.iter().chain(&args.paths);
    if named.clone().all(|path| path.exists())
        && let Ok(suites) = suite_files(args)
    {
        files.extend(suites);
    }
    files
        .into_iter()
        .map(|path| {
            let stamp =
                std::fs::metadata(&path).ok().and_then(|data| Some((data.modified().ok()?, data.len())));
            (path, stamp)
        })
        .collect()
}
