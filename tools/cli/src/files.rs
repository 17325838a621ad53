//! Reading and writing files so that a failure leaves nothing half done.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use assembler::disk::read_limited;

/// Writes through a temporary file in the same folder and renames it, so that readers see all or nothing.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Pending::new(path, bytes)?.persist()
}

/// A file that is written in full but does not have its name yet. Dropped, it leaves nothing behind.
pub struct Pending {
    temporary: tempfile::NamedTempFile,
    path: PathBuf,
}

impl Pending {
    pub fn new(path: &Path, bytes: &[u8]) -> io::Result<Pending> {
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
    pub fn persist(self) -> io::Result<()> {
        self.temporary.persist(&self.path).map_err(|err| err.error)?;
        Ok(())
    }
}
