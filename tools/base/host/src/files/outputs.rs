//! Writing: all outputs of a run appear together or not at all, and none of them destroys what is not an output.
//!
//! A regular file is written beside its place and renamed when the whole set is complete; it keeps its mode. The
//! renames follow each other at once, and programs come last: if the process is killed between two of them, the program
//! is the old one, and a build that looks at times makes it again.
//! A symbolic link is followed. Devices and pipes are written through. A folder, a read-only file and a file that
//! this run has read are refused.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};

use thiserror::Error;

use super::identity::{self, Identity};
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

/// Writes one file, so that readers see the old one or the new one.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut outputs = Outputs::default();
    outputs.add(path, bytes.to_vec());
    outputs.write().map_err(|err| err.error)
}

/// The same, and back only when the bytes are on the disk: for what cannot be made again, as a saved game.
pub fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut outputs = Outputs { is_durable: true, ..Outputs::default() };
    outputs.add(path, bytes.to_vec());
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

/// Opens a file for what another process prints: it grows while that process runs.
pub fn create(path: &Path) -> io::Result<File> {
    let place = Place::find(path)?;
    if let Place::Regular { target, existing } = &place {
        let id = existing.as_ref().and_then(|found| Identity::of(found, target));
        if let Some(other) = id.and_then(|id| identity::written_as(&id)) {
            return Err(refusal(format!("it is '{}', which this run has written", other.display())));
        }
    }
    match place {
        Place::Stdout => OpenOptions::new().write(true).open(STDOUT),
        Place::Through(path) => OpenOptions::new().write(true).open(path),
        Place::Regular { target, .. } => File::create(target),
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

/// Files that a run writes, all of them or none.
#[derive(Default)]
pub struct Outputs {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Indices of the files that get their names last.
    sources: Vec<usize>,
    folders: Vec<PathBuf>,
    makes_folders: bool,
    is_durable: bool,
}

impl Outputs {
    /// Files whose folders are made with them.
    pub fn with_folders() -> Outputs {
        Outputs { makes_folders: true, ..Outputs::default() }
    }

    /// Adds a file; nothing is written yet.
    pub fn add(&mut self, path: &Path, bytes: impl Into<Vec<u8>>) {
        self.files.push((path.to_path_buf(), bytes.into()));
    }

    /// Adds a file that later steps read, such as a program: it gets its name after the others.
    pub fn add_source(&mut self, path: &Path, bytes: impl Into<Vec<u8>>) {
        self.sources.push(self.files.len());
        self.add(path, bytes);
    }

    /// Makes a folder for some of the files, if it is not there.
    pub fn make_folder(&mut self, path: &Path) {
        self.folders.push(path.to_path_buf());
    }

    /// Whether there is next to no time for a signal: one small file, which gets its name in one step. A thread that
    /// waits for signals would take longer than writing it.
    fn is_done_at_once(&self) -> bool {
        const SMALL: usize = 256 << 10;
        !self.is_durable && self.files.len() <= 1 && self.files.iter().all(|(_, bytes)| bytes.len() <= SMALL)
    }

    /// Writes all of them. A failure names the file by its own name; before the first file got its name, it leaves
    /// everything as it was.
    pub fn write(self) -> Result<(), WriteError> {
        let mut ready = Vec::with_capacity(self.files.len());
        let mut through = Vec::new();
        let mut taken: HashMap<Target, &Path> = HashMap::with_capacity(self.files.len());
        let mut swept: Vec<PathBuf> = Vec::new();
        for folder in &self.folders {
            let fail = |err| WriteError { path: folder.clone(), error: about_folder(folder, err) };
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        if !self.is_done_at_once() {
            temporary::heed_signals();
        }
        for (index, (path, bytes)) in self.files.iter().enumerate() {
            let fail = |error| WriteError { path: path.clone(), error };
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|_| self.makes_folders && !is_stdout(path)) {
                std::fs::create_dir_all(folder).map_err(|err| fail(about_folder(folder, err)))?;
            }
            let place = Place::find(path).map_err(fail)?;
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
            let Place::Regular { target, existing } = place else {
                through.push((path, place, bytes));
                continue;
            };
            let folder = match target.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            if !swept.iter().any(|other| other == folder) {
                temporary::sweep(folder);
                swept.push(folder.to_path_buf());
            }
            // Its error would be about a name that means nothing to the user.
            let mut temporary = Temporary::new(folder).map_err(|err| fail(about_folder(folder, err)))?;
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
            ready.push((self.sources.contains(&index), temporary, target, path));
        }
        ready.sort_by_key(|&(is_source, ..)| is_source);
        for (path, place, bytes) in through {
            place.write_through(bytes).map_err(|error| WriteError { path: path.clone(), error })?;
        }
        let renames = ready.iter_mut().map(|(_, temporary, target, _)| (temporary, target.as_path()));
        temporary::persist(renames.collect())
            .map_err(|(index, error)| WriteError { path: ready[index].3.clone(), error })?;
        for (.., target, _) in &ready {
            identity::note_output(target);
        }
        Ok(())
    }
}

/// Where a path leads.
enum Place {
    Stdout,
    /// A device, a pipe or a socket.
    Through(PathBuf),
    /// A regular file or none yet, links followed.
    Regular {
        target: PathBuf,
        existing: Option<Metadata>,
    },
}

/// What two outputs of a run must not share.
#[derive(PartialEq, Eq, Hash)]
enum Target {
    Stdout,
    File(Identity),
    New(PathBuf),
}

impl Place {
    /// Looks where a path leads, and refuses what must not be written.
    fn find(path: &Path) -> io::Result<Place> {
        if is_stdout(path) {
            // As in `tempo asm a.asm -o - >> a.asm`.
            let read = Identity::of_standard_output().and_then(|id| identity::read_as(&id));
            return match read {
                Some(read) => Err(refusal(format!(
                    "standard output leads to '{}', which this run has read",
                    read.display()
                ))),
                None => Ok(Place::Stdout),
            };
        }
        if let Some(name) = path.file_name().and_then(OsStr::to_str).filter(|name| is_device(name)) {
            return Ok(Place::Through(PathBuf::from(format!(r"\\.\{name}"))));
        }
        let existing = match std::fs::metadata(path) {
            Ok(existing) => existing,
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                if std::fs::symlink_metadata(path).is_ok() {
                    return Err(refusal("it is a symbolic link that leads nowhere"));
                }
                if path.file_name().is_none() || names_folder(path) {
                    return Err(refusal("this is no name of a file"));
                }
                return Ok(Place::Regular { target: path.to_path_buf(), existing: None });
            }
            Err(err) => return Err(err),
        };
        if existing.is_dir() {
            let message = "it is a folder; name a file in it";
            return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
        }
        if !existing.is_file() {
            return Ok(Place::Through(path.to_path_buf()));
        }
        let target = path.canonicalize()?;
        if let Some(read) = Identity::of(&existing, &target).and_then(|id| identity::read_as(&id)) {
            return Err(refusal(match read == path {
                true => "this run has read it; writing it would destroy an input".to_owned(),
                false => format!("it is '{}', which this run has read", read.display()),
            }));
        }
        // Renaming needs no right to write the file, but who took that right away meant something by it.
        if existing.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        OpenOptions::new().write(true).open(&target)?;
        Ok(Place::Regular { target, existing: Some(existing) })
    }

    /// What no other output may share; a device is for everyone.
    fn target(&self) -> Option<Target> {
        match self {
            Place::Stdout => Some(Target::Stdout),
            Place::Through(_) => None,
            Place::Regular { target, existing: Some(found) } => {
                Some(Identity::of(found, target).map_or_else(|| Target::New(target.clone()), Target::File))
            }
            Place::Regular { target, existing: None } => {
                let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new(".")).canonicalize().unwrap_or_default();
                Some(Target::New(folder.join(target.file_name().unwrap_or_default())))
            }
        }
    }

    /// A reader who has seen enough is no failure.
    fn write_through(&self, bytes: &[u8]) -> io::Result<()> {
        let written = match self {
            Place::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Place::Through(path) | Place::Regular { target: path, .. } => {
                OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes))
            }
        };
        match written {
            Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// Whether a file name is that of a device: Windows has some in every folder, and cannot tell what they are.
fn is_device(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let port = name.strip_prefix("COM").or(name.strip_prefix("LPT"));
    let is_port = port.is_some_and(|number| number.len() == 1 && matches!(number.as_bytes()[0], b'1'..=b'9'));
    cfg!(windows) && (is_port || matches!(&name[..], "CON" | "NUL" | "PRN" | "AUX"))
}

fn refusal(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// What is wrong with a folder, where that is the reason.
fn about_folder(folder: &Path, err: io::Error) -> io::Error {
    match std::fs::metadata(folder) {
        Ok(found) if !found.is_dir() => {
            io::Error::new(io::ErrorKind::NotADirectory, format!("'{}' is no folder", folder.display()))
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
fn keep_owner_and_mode(file: &File, existing: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (existing.uid(), existing.gid()) {
        // Only root may give files away; for anyone else the new file is theirs.
        let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
    }
    file.set_permissions(existing.permissions())
}

#[cfg(not(unix))]
fn keep_owner_and_mode(file: &File, existing: &Metadata) -> io::Result<()> {
    file.set_permissions(existing.permissions())
}
