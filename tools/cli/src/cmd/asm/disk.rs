//! Files of the assembler's sources. The search itself is the library's; here memory is made ready for large ones.

use assembler::{DiskFiles, FileError, Files, Loaded};

/// Reserves memory before the first file is read.
pub struct Reserving(pub DiskFiles);

impl Files for Reserving {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let found = self.0.candidates(name, from).find_map(|path| std::fs::metadata(path).ok());
        if let Some(found) = found.filter(|found| found.is_file()) {
            // The text itself, and what the assembler makes of it.
            crate::memory::make_room(5 * found.len());
        }
        self.0.read(name, from)
    }
}
