//! The files of a run: everything a command reads from or writes to the disk goes through here. What was read is
//! known by identity, so that no output can destroy it, whatever the paths look like.

mod confine;
mod identity;
mod outlet;
mod outputs;
mod temporary;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use identity::Identity;

pub use confine::{allow, check_words, confine, is_confined};
pub use identity::forget;
pub use outlet::Outlet;
pub use outputs::{
    Outputs, STDOUT, WriteError, create, is_stdout, names_folder, write_atomic, write_back,
    write_back_within, write_durably,
};

/// Opens a file to read and notes it as an input. Folders, devices and pipes are refused before they are opened: a
/// pipe without a writer would never answer, a device never end. Standard input has no such limit under its own name.
pub fn open(path: &Path) -> io::Result<File> {
    let found = std::fs::metadata(path)?;
    refuse_special(&found, path)?;
    let file = confine::open(path)?;
    // The path may lead elsewhere by now.
    refuse_special(&file.metadata()?, path)?;
    identity::note_input(&file, path);
    Ok(file)
}

fn refuse_special(found: &std::fs::Metadata, path: &Path) -> io::Result<()> {
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if found.is_file() || Identity::is_standard_input(path) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file (device, pipe or socket)"))
}

/// Reads a whole file as an input of the run, refusing one larger than `limit` bytes before its bytes fill the memory.
pub fn read_limited(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_whole(open(path)?, limit)
}

/// Reads a file that the command keeps for itself and may write again, as a saved game: it is not an input to protect.
pub fn read_own(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    refuse_special(&std::fs::metadata(path)?, path)?;
    read_whole(confine::open(path)?, limit)
}

fn refusal(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// Reads a file to its end, refusing one larger than `limit` bytes before its bytes fill the memory.
fn read_whole(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let message = format!("file is larger than the limit of {limit} bytes");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    // Devices report 0.
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > limit {
        return Err(too_large());
    }
    // Reserve the whole length at once. The file may grow meanwhile.
    let mut bytes = Vec::with_capacity(size as usize);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_devices_are_no_inputs() {
        let scratch = tempfile::tempdir().unwrap();
        assert_eq!(read_limited(scratch.path(), 1).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read_own(scratch.path(), 1).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        #[cfg(unix)]
        assert_eq!(read_limited(Path::new("/dev/zero"), 1).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
