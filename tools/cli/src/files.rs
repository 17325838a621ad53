//! Reading and writing files so that a failure leaves nothing half done.

use std::io::{self, Read, Write};
use std::path::Path;

/// Reads a whole file, refusing one larger than `limit` bytes before its bytes fill the memory.
pub fn read_limited(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(path)?.take(limit + 1);
    file.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("file is larger than the limit of {limit} bytes"),
        ));
    }
    Ok(bytes)
}

/// Writes through a temporary file in the same folder and renames it, so that readers see all or nothing.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut temporary = tempfile::Builder::new().prefix(".tempo-").tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private by default; outputs are ordinary files.
        let mode = std::fs::metadata(path).map_or(0o644, |existing| existing.permissions().mode());
        temporary.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    temporary.persist(path).map_err(|err| err.error)?;
    Ok(())
}
