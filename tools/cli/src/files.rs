//! Reading and writing files so that a failure leaves nothing half done. Every file a command writes is written here.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use kickass::{PlannedFile, WriteError};

pub use assembler::disk::read_limited;

/// Writes through a temporary file in the same folder and renames it, so that readers see all or nothing.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Pending::new(path, bytes)?.persist()
}

/// Writes all files or none, with the folders they lie in: each goes to a temporary file first, and when all of them
/// are complete they get their names.
pub fn write_all(files: &[PlannedFile]) -> Result<(), WriteError> {
    let mut ready = Vec::with_capacity(files.len());
    for file in files {
        let fail = |error| WriteError { path: file.path.clone(), error };
        if let Some(folder) = file.path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        if file.path.is_dir() {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
        }
        ready.push(Pending::new(&file.path, &file.bytes).map_err(fail)?);
    }
    for (pending, file) in ready.into_iter().zip(files) {
        pending.persist().map_err(|error| WriteError { path: file.path.clone(), error })?;
    }
    Ok(())
}

/// Opens a file for what another process prints: it grows while that process runs.
pub fn create(path: &Path) -> io::Result<File> {
    File::create(path)
}

/// A file that is written in full but does not have its name yet. Dropped, it leaves nothing behind.
struct Pending {
    temporary: tempfile::NamedTempFile,
    path: PathBuf,
}

impl Pending {
    fn new(path: &Path, bytes: &[u8]) -> io::Result<Pending> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // The error of the temporary file names it, which means nothing to a user.
        let mut temporary = tempfile::Builder::new()
            .prefix(".tempo-")
            .tempfile_in(folder)
            .map_err(|err| std::fs::metadata(folder).err().unwrap_or_else(|| io::Error::from(err.kind())))?;
        temporary.write_all(bytes)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary files are private by default; outputs are ordinary files.
            let mode = std::fs::metadata(path).map_or(0o644, |existing| existing.permissions().mode());
            temporary.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
        }
        Ok(Pending { temporary, path: path.to_path_buf() })
    }

    /// Gives the file its name, in place of whatever had it.
    fn persist(self) -> io::Result<()> {
        self.temporary.persist(&self.path).map_err(|err| err.error)?;
        Ok(())
    }
}
