//! Writing: all outputs of a run appear together or not at all, and none of them destroys what is not an output.
//!
//! A regular file is written beside its place and renamed when the whole set is complete; it keeps its mode. The
//! renames follow each other at once, and programs come last: if the process is killed between two of them, the program
//! is the old one, and a build that looks at times makes it again.
//! A path that the user typed may lead anywhere: a symbolic link is followed, devices and pipes are written through.
//! Any other path stays below an [`Outlet`]. A folder, a read-only file and a file that this run has read are refused.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use thiserror::Error;

use super::identity::{self, Identity};
use super::outlet::{Outlet, Spot, is_device};
use super::refusal;
use super::temporary::{self, Temporary};

/// The path that means standard output; `-` on a command line.
pub const STDOUT: &str = "/dev/stdout";

/// How many files are kept open, and locked, until all are complete.
const MOST_OPEN: usize = 128;

/// Whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new(STDOUT)
}

/// Whether a path ends as only that of a folder does.
pub fn names_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| is_separator(last.into()))
}

/// Writes one file that the user typed, so that readers see the old one or the new one.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut outputs = Outputs::default();
    outputs.add(path, bytes.to_vec());
    outputs.write().map_err(|err| err.error)
}

/// Writes one file below an outlet, or anywhere without one, so that readers see the old one or the new one, and comes
/// back only when the bytes are on the disk: for what cannot be made again, as a saved game.
pub fn write_durably(outlet: Option<&Outlet>, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut outputs = Outputs { is_durable: true, ..Outputs::default() };
    match outlet {
        Some(outlet) => outputs.add_within(outlet, path, bytes.to_vec()),
        None => outputs.add(path, bytes.to_vec()),
    }
    outputs.write().map_err(|err| err.error)
}

/// Writes a file that this run has read because it keeps it, as the disk in a drive. To every other output it is an
/// input, before and after.
pub fn write_back(path: &Path, bytes: &[u8]) -> io::Result<()> {
    identity::release(path);
    let written = write_atomic(path, bytes);
    if let Ok(file) = File::open(path) {
        identity::note_input(&file, path);
    }
    written
}

/// The same below an outlet.
pub fn write_back_within(outlet: &Outlet, path: &Path, bytes: &[u8]) -> io::Result<()> {
    identity::release(path);
    let mut outputs = Outputs::default();
    outputs.add_within(outlet, path, bytes.to_vec());
    let written = outputs.write().map_err(|err| err.error);
    if let Ok(file) = File::open(path) {
        identity::note_input(&file, path);
    }
    written
}

/// Opens a file that the user typed for what another process prints: it grows while that process runs.
pub fn create(path: &Path) -> io::Result<File> {
    let place = Place::find(path)?;
    if let Place::Regular { existing: Some(existing), .. } = &place
        && let Some(other) = identity::written_as(existing)
    {
        return Err(refusal(format!("it is '{}', which this run has written", other.display())));
    }
    match place {
        Place::Stdout => OpenOptions::new().write(true).open(STDOUT),
        Place::Through(path) => OpenOptions::new().write(true).open(path),
        Place::Regular { spot, .. } => File::create(spot.path),
    }
}

/// Why a file was not written.
#[derive(Debug, Error)]
#[error("cannot write '{}': {error}", path.display())]
pub struct WriteError {
    /// The file by the name it was given.
    pub path: PathBuf,
    /// The answer of the file system.
    pub error: io::Error,
}

/// A file to write.
struct Planned {
    path: PathBuf,
    bytes: Vec<u8>,
    /// The folder that it stays in; a path that the user typed has none.
    outlet: Option<Outlet>,
    /// Gets its name after the others.
    is_source: bool,
}

/// Files that a run writes, all of them or none.
#[derive(Default)]
pub struct Outputs {
    files: Vec<Planned>,
    folders: Vec<(PathBuf, Option<Outlet>)>,
    makes_folders: bool,
    is_durable: bool,
}

impl Outputs {
    /// Files whose folders are made with them.
    pub fn with_folders() -> Outputs {
        Outputs { makes_folders: true, ..Outputs::default() }
    }

    /// Adds a file that the user typed; nothing is written yet.
    pub fn add(&mut self, path: &Path, bytes: impl Into<Vec<u8>>) {
        let bytes = bytes.into();
        self.files.push(Planned { path: path.to_path_buf(), bytes, outlet: None, is_source: false });
    }

    /// Adds a file that must stay in a folder, whatever its path says.
    pub fn add_within(&mut self, outlet: &Outlet, path: &Path, bytes: impl Into<Vec<u8>>) {
        self.add(path, bytes);
        self.files.last_mut().expect("it was just added").outlet = Some(outlet.clone());
    }

    /// Marks the file that was added last as one that later steps read, such as a program: it gets its name after the
    /// others.
    pub fn mark_source(&mut self) {
        if let Some(last) = self.files.last_mut() {
            last.is_source = true;
        }
    }

    /// Makes a folder that the user typed for some of the files, if it is not there.
    pub fn make_folder(&mut self, path: &Path) {
        self.folders.push((path.to_path_buf(), None));
    }

    /// The same for a folder that must stay in another.
    pub fn make_folder_within(&mut self, outlet: &Outlet, path: &Path) {
        self.folders.push((path.to_path_buf(), Some(outlet.clone())));
    }

    /// Whether there is next to no time for a signal: one small file, which gets its name in one step. A thread that
    /// waits for signals would take longer than writing it.
    fn is_done_at_once(&self) -> bool {
        const SMALL: usize = 256 << 10;
        !self.is_durable && self.files.len() <= 1 && self.files.iter().all(|file| file.bytes.len() <= SMALL)
    }

    /// Writes all of them. A failure names the file by its own name; before the first file got its name, it leaves
    /// everything as it was.
    pub fn write(self) -> Result<(), WriteError> {
        let mut ready = Vec::with_capacity(self.files.len());
        let mut through = Vec::new();
        let mut taken: HashMap<Target, &Path> = HashMap::with_capacity(self.files.len());
        let mut folders: HashMap<PathBuf, Arc<Dir>> = HashMap::new();
        for (folder, outlet) in &self.folders {
            let made = make_folders(folder, outlet.as_ref());
            made.map_err(|error| WriteError { path: folder.clone(), error })?;
        }
        if !self.is_done_at_once() {
            temporary::heed_signals();
        }
        for Planned { path, bytes, outlet, is_source } in &self.files {
            let fail = |error| WriteError { path: path.clone(), error };
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|_| self.makes_folders && !is_stdout(path)) {
                make_folders(folder, outlet.as_ref()).map_err(fail)?;
            }
            let place = match outlet {
                None => Place::find(path).map_err(fail)?,
                Some(outlet) => Place::find_within(outlet, path).map_err(fail)?,
            };
            if let Some(target) = place.target() {
                if let Some(other) = taken.get(&target) {
                    return Err(fail(match place {
                        Place::Stdout => refusal("standard output takes one file only"),
                        _ if *other == path => refusal("two files of this run have this name"),
                        _ => refusal(format!("it is '{}', another file of this run", other.display())),
                    }));
                }
                taken.insert(target, path);
            }
            let Place::Regular { mut spot, existing } = place else {
                through.push((path, place, bytes));
                continue;
            };
            // One handle for the files of a folder: a process has a limit of open files.
            let key = spot.path.parent().unwrap_or(Path::new("")).to_path_buf();
            spot.folder = folders
                .entry(key)
                .or_insert_with(|| {
                    temporary::sweep(&spot.folder);
                    spot.folder.clone()
                })
                .clone();
            // Its error would be about a name that means nothing to the user.
            let mut temporary = Temporary::new(&spot.folder)
                .map_err(|err| fail(io::Error::new(err.kind(), without_path(&err))))?;
            temporary.write(bytes).map_err(fail)?;
            if let Some(existing) = existing {
                keep_owner_and_mode(temporary.file(), &existing).map_err(fail)?;
            }
            if self.is_durable {
                temporary.file().sync_all().map_err(fail)?;
            }
            if ready.len() >= MOST_OPEN {
                temporary.close();
            }
            ready.push((*is_source, temporary, spot, path));
        }
        ready.sort_by_key(|&(is_source, ..)| is_source);
        for (path, place, bytes) in through {
            place.write_through(bytes).map_err(|error| WriteError { path: path.clone(), error })?;
        }
        let renames = ready.iter_mut().map(|(_, temporary, spot, _)| (temporary, &*spot.name));
        temporary::persist(renames.collect())
            .map_err(|(index, error)| WriteError { path: ready[index].3.clone(), error })?;
        for (.., spot, _) in &ready {
            identity::note_output(&spot.path);
        }
        Ok(())
    }
}

/// Makes a folder and those around it.
fn make_folders(folder: &Path, outlet: Option<&Outlet>) -> io::Result<()> {
    let made = match outlet {
        None => std::fs::create_dir_all(folder),
        Some(outlet) => outlet.make_folder(folder),
    };
    made.map_err(|err| about_folder(folder, err))
}

/// Where a path leads.
enum Place {
    Stdout,
    /// A device, a pipe or a socket.
    Through(PathBuf),
    /// A regular file or none yet, links followed.
    Regular {
        spot: Spot,
        existing: Option<File>,
    },
}

/// The identity that two outputs of a run must not share.
#[derive(PartialEq, Eq, Hash)]
enum Target {
    Stdout,
    File(Identity),
    New(PathBuf),
}

impl Place {
    /// Looks where a path that the user typed leads, and refuses what must not be written.
    fn find(path: &Path) -> io::Result<Place> {
        if is_stdout(path) {
            // As in `tempo asm a.asm -o - >> a.asm`.
            let read = Identity::of_standard_output().and_then(|(_, file)| identity::read_as(&file));
            return match read {
                Some(read) => Err(refusal(format!(
                    "standard output leads to '{}', which this run has read",
                    read.display()
                ))),
                None => Ok(Place::Stdout),
            };
        }
        if let Some(name) = path.file_name().filter(|name| is_device(name)) {
            let mut device = OsString::from(r"\\.\");
            device.push(Path::new(name).file_stem().unwrap_or(name));
            return Ok(Place::Through(device.into()));
        }
        let found = match std::fs::metadata(path) {
            Ok(found) => found,
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                if std::fs::symlink_metadata(path).is_ok() {
                    return Err(refusal("it is a symbolic link that leads nowhere"));
                }
                if path.file_name().is_none() || names_folder(path) {
                    return Err(refusal("this is not the name of a file"));
                }
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                let real = folder.canonicalize().map_err(|err| about_folder(folder, err))?;
                return Ok(Place::Regular { spot: spot(&real, path.file_name())?, existing: None });
            }
            Err(err) => return Err(err),
        };
        if found.is_dir() {
            let message = "it is a folder; name a file in it";
            return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
        }
        if !found.is_file() {
            return Ok(Place::Through(path.to_path_buf()));
        }
        let target = path.canonicalize()?;
        let opened = OpenOptions::new().write(true).open(&target);
        if let Ok(file) = opened.as_ref().ok().map_or_else(|| File::open(&target), File::try_clone) {
            refuse_input(&file, path)?;
        }
        // Renaming needs no right to write the file, but who took that right away meant something by it.
        if found.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        let existing = Some(opened?);
        Ok(Place::Regular { spot: spot(target.parent().unwrap_or(&target), target.file_name())?, existing })
    }

    /// The same for a path that must stay in a folder.
    fn find_within(outlet: &Outlet, path: &Path) -> io::Result<Place> {
        let (spot, existing) = outlet.find(path)?;
        if let Some(existing) = &existing {
            refuse_input(existing, path)?;
        }
        Ok(Place::Regular { spot, existing })
    }

    /// The identity that no other output may share; a device has none.
    fn target(&self) -> Option<Target> {
        match self {
            Place::Stdout => Some(Target::Stdout),
            Place::Through(_) => None,
            Place::Regular { spot, existing } => {
                let id = existing.as_ref().and_then(Identity::of);
                Some(id.map_or_else(|| Target::New(spot.path.clone()), Target::File))
            }
        }
    }

    /// A reader who has seen enough is not a failure.
    fn write_through(&self, bytes: &[u8]) -> io::Result<()> {
        let written = match self {
            Place::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Place::Through(path) | Place::Regular { spot: Spot { path, .. }, .. } => {
                OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes))
            }
        };
        match written {
            Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// The place of a name in a folder whose path has no links.
fn spot(folder: &Path, name: Option<&OsStr>) -> io::Result<Spot> {
    let name = name.unwrap_or_default().to_owned();
    let path = folder.join(&name);
    let folder = Arc::new(Dir::open_ambient_dir(folder, ambient_authority())?);
    Ok(Spot { folder, name, path })
}

fn refuse_input(file: &File, path: &Path) -> io::Result<()> {
    match identity::read_as(file) {
        None => Ok(()),
        Some(read) if read == path => Err(refusal("this run has read it; writing it would destroy an input")),
        Some(read) => Err(refusal(format!("it is '{}', which this run has read", read.display()))),
    }
}

/// The fault of a folder, where that is the reason.
fn about_folder(folder: &Path, err: io::Error) -> io::Error {
    match std::fs::metadata(folder) {
        Ok(found) if !found.is_dir() => {
            io::Error::new(io::ErrorKind::NotADirectory, format!("'{}' is not a folder", folder.display()))
        }
        _ => io::Error::new(err.kind(), without_path(&err)),
    }
}

fn without_path(err: &io::Error) -> String {
    match err.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => err.kind().to_string(),
    }
}

#[cfg(unix)]
fn keep_owner_and_mode(file: &File, existing: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let (own, existing) = (file.metadata()?, existing.metadata()?);
    if (own.uid(), own.gid()) != (existing.uid(), existing.gid()) {
        // Only root may give files away; for anyone else the new file is theirs.
        let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
    }
    file.set_permissions(existing.permissions())
}

#[cfg(not(unix))]
fn keep_owner_and_mode(file: &File, existing: &File) -> io::Result<()> {
    file.set_permissions(existing.metadata()?.permissions())
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::{MetadataExt, symlink};
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::*;

    /// Names in a folder that must stay as it is, with bytes, kinds and times; its own time shows a file that came and
    /// went.
    fn state(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, u32, i64, i64)> {
        let mut found = BTreeMap::new();
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in entries.chain([folder.to_path_buf()]) {
            let about = path.symlink_metadata().unwrap();
            let bytes = if about.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
            found.insert(path, (bytes, about.mode(), about.mtime(), about.mtime_nsec()));
        }
        found
    }

    /// One thread writes below an outlet while another swaps what is there. Returns how many writes ended well.
    fn race(swap: impl Fn(&Path, &Path) + Sync, write: impl Fn(&Outlet, &Path, u32) -> bool) -> u32 {
        const TURNS: u32 = 200;
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().canonicalize().unwrap();
        let (root, out) = (top.join("root"), top.join("out"));
        std::fs::create_dir_all(root.join("build")).unwrap();
        std::fs::create_dir(&out).unwrap();
        std::fs::write(out.join("a.prg"), "mine").unwrap();
        let before = state(&out);
        let outlet = Outlet::open(&root, "-o FILE").unwrap();
        let (is_over, swaps) = (AtomicBool::new(false), AtomicU32::new(0));
        std::thread::scope(|scope| {
            let swapper = scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    swap(&root, &out);
                    swaps.fetch_add(1, Ordering::Relaxed);
                }
            });
            let mut well = 0;
            let mut turn = 0;
            // Until both have had their turns, however the system divides the time, but not for ever.
            while turn < TURNS
                || swaps.load(Ordering::Relaxed) < TURNS && turn < 10 * TURNS && !swapper.is_finished()
            {
                well += u32::from(write(&outlet, &root, turn));
                turn += 1;
            }
            is_over.store(true, Ordering::Relaxed);
            swapper.join().expect("the links are swapped to the end");
            // Alone, a write ends well however the race went.
            well += u32::from(write(&outlet, &root, turn));
            assert_eq!(state(&out), before, "after {turn} writes");
            well
        })
    }

    fn write_in_build(outlet: &Outlet, root: &Path, turn: u32) -> bool {
        let mut outputs = Outputs::with_folders();
        outputs.add_within(outlet, &root.join("build/a.prg"), turn.to_le_bytes());
        outputs.add_within(outlet, &root.join("build/b.sym"), turn.to_le_bytes());
        outputs.mark_source();
        outputs.write().is_ok()
    }

    /// A folder of outputs that becomes a link while it is used.
    #[test]
    fn a_folder_swapped_for_a_link_leads_nowhere() {
        let swap = |root: &Path, out: &Path| {
            let (build, aside, link) = (root.join("build"), root.join("aside"), root.join("link"));
            symlink(out, &link).unwrap();
            // The writer may make the folder again in between.
            let _ = std::fs::rename(&build, &aside);
            let _ = std::fs::rename(&link, &build);
            std::thread::yield_now();
            let _ = std::fs::remove_file(&build);
            let _ = std::fs::remove_file(&link);
            let _ = std::fs::rename(&aside, &build);
            let _ = std::fs::remove_dir_all(&aside);
        };
        assert!(race(swap, write_in_build) > 0);
    }

    /// A file that becomes a symbolic link, or a second name of a file outside, between the look and the write.
    #[test]
    fn a_file_swapped_for_a_link_leads_nowhere() {
        for is_hard in [false, true] {
            let swap = |root: &Path, out: &Path| {
                let (place, link) = (root.join("build/a.prg"), root.join("link"));
                let target = out.join("a.prg");
                if is_hard { std::fs::hard_link(&target, &link) } else { symlink(&target, &link) }.unwrap();
                std::fs::rename(&link, &place).unwrap();
                // Renaming a name of a file over another name of it does nothing.
                let _ = std::fs::remove_file(&link);
                std::thread::yield_now();
                let _ = std::fs::remove_file(&place);
                std::thread::yield_now();
            };
            assert!(race(swap, write_in_build) > 0);
        }
    }

    /// The same for folders that are made and files that are deleted.
    #[test]
    fn swapped_links_let_nothing_be_made_or_deleted() {
        let swap = |root: &Path, out: &Path| {
            let (place, aside, link) = (root.join("build"), root.join("aside"), root.join("link"));
            symlink(out, &link).unwrap();
            let _ = std::fs::rename(&place, &aside);
            let _ = std::fs::rename(&link, &place);
            std::thread::yield_now();
            let _ = std::fs::remove_file(&place);
            let _ = std::fs::remove_file(&link);
            // The folder comes back, unless the writer has made another. It is never emptied under its own name: the
            // writer could fill it faster.
            let _ = std::fs::rename(&aside, &place);
            let _ = std::fs::remove_dir_all(&aside);
            std::thread::sleep(std::time::Duration::from_micros(200));
        };
        let write = |outlet: &Outlet, root: &Path, turn: u32| {
            let made = outlet.make_inner(&root.join(format!("build/new{turn}/deep"))).is_ok();
            let _ = outlet.remove(&root.join("build/a.prg"));
            made
        };
        assert!(race(swap, write) > 0);
    }
}
