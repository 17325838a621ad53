//! The world around the assembler: files on disk, the console, and processes for `-execute`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempo_host::files::{self, Outlet, Outputs};
use tempo_host::output;
use tempo_kickass::{
    Door, EntryKind, Execution, ExecutionError, FileKind, FileSystem, Host, Job, PlannedFile, WriteError,
};

use crate::watch::Seen;

/// The file system of the machine.
pub struct Disk;

impl FileSystem for Disk {
    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let found = std::fs::metadata(path).ok()?;
        Some(match found.file_type() {
            kind if kind.is_dir() => EntryKind::Folder,
            kind if kind.is_file() => EntryKind::File,
            _ => EntryKind::Other,
        })
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        files::read_limited(path, limit)
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }
}

/// The file system, with a note of everything that was looked for.
pub struct Noted<'a>(pub &'a Seen);

impl FileSystem for Noted<'_> {
    fn kind(&self, path: &Path) -> Option<EntryKind> {
        Disk.kind(path)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.0.note(path);
        Disk.read(path, limit)
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        Disk.resolve(path)
    }
}

/// The process as a host of `kickass`.
pub struct Process {
    started: Instant,
}

impl Process {
    pub fn start() -> Process {
        Process { started: Instant::now() }
    }
}

impl Host for Process {
    fn files(&self) -> &dyn FileSystem {
        &Disk
    }

    fn write(&mut self, planned: &[PlannedFile]) -> Result<(), WriteError> {
        write_all(planned)
    }

    fn prepared(&mut self, job: &Job) {
        super::allow_typed(job);
    }

    fn print(&mut self, line: &str) {
        // A reader that has gone away is no reason to stop assembling.
        output::say(&format!("{}\n", output::visible(line)));
    }

    fn execute(&mut self, command: &Execution) -> Result<(), ExecutionError> {
        let mut process = std::process::Command::new(&command.command);
        process.args(&command.arguments).current_dir(&command.folder);
        if let Some(log) = &command.log {
            let file = files::create(log).map_err(ExecutionError::Log)?;
            let copy = file.try_clone().map_err(ExecutionError::Log)?;
            process.stdout(copy).stderr(file);
        }
        process.status().map(drop).map_err(ExecutionError::Command)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Writes all files or none, with the folders that they are in. Files that later steps read get their names last.
pub fn write_all(planned: &[PlannedFile]) -> Result<(), WriteError> {
    let mut outputs = Outputs::with_folders();
    let mut outlets: Vec<(&Door, Outlet)> = Vec::new();
    for file in planned {
        if !outlets.iter().any(|(door, _)| **door == file.door) {
            let opened = open(&file.door).map_err(|error| WriteError { path: file.path.clone(), error })?;
            outlets.extend(opened.map(|outlet| (&file.door, outlet)));
        }
        match outlets.iter().find(|(door, _)| **door == file.door) {
            Some((_, outlet)) => outputs.add_within(outlet, &file.path, file.bytes.clone()),
            None => outputs.add(&file.path, file.bytes.clone()),
        }
        if matches!(file.kind, FileKind::Prg | FileKind::Bin | FileKind::Disk) {
            outputs.mark_source();
        }
    }
    outputs.write().map_err(|files::WriteError { path, error }| WriteError { path, error })
}

/// The folder that a file must stay in. The folder is made: the files of the run are about to be written there.
fn open(door: &Door) -> io::Result<Option<Outlet>> {
    match door {
        Door::Typed => Ok(None),
        Door::Within { folder, root: None } => Outlet::make(folder, "-o FILE or --out-dir DIR").map(Some),
        Door::Within { folder, root: Some(root) } => {
            Outlet::open(root, "--out-dir DIR").and_then(|root| root.make_inner(folder)).map(Some)
        }
    }
}
