//! Files that clients name: programs and disks to start, states to save and load.

use tempo_emu::c64::{BASIC_START, sys};
use tempo_emu::{AnyComputer, parse_program};
use tempo_formats::d64;

/// The files of the server's computer.
pub trait Files {
    /// The bytes of a file; `None` if it cannot be read.
    fn read(&mut self, name: &str) -> Option<Vec<u8>>;
    /// Writes a file; `false` if that is not possible.
    fn write(&mut self, name: &str, bytes: &[u8]) -> bool;
}

/// Loads a program, or one of a disk by its place in the directory, and starts it if it can be started: through the `SYS`
/// of its BASIC line. `false` if the file is neither.
pub fn load(computer: &mut AnyComputer, file: &[u8], index: u16, runs: bool) -> bool {
    const DISKS: [usize; 4] = [174_848, 175_531, 196_608, 197_376];
    let from_disk;
    let program = if DISKS.contains(&file.len()) {
        let Ok(disk) = d64::read(file) else { return false };
        let Some(entry) = disk.entries.into_iter().filter(|entry| !entry.bytes.is_empty()).nth(index.into())
        else {
            return false;
        };
        from_disk = entry.bytes;
        &from_disk[..]
    } else {
        file
    };
    let Ok((address, bytes)) = parse_program(program) else { return false };
    let is_basic = address == BASIC_START && sys(bytes).is_some();
    if runs && is_basic && computer.start(program).is_ok() {
        return true;
    }
    computer.load_at(address, bytes);
    if address == BASIC_START {
        // As LOAD leaves it: RUN finds the end of the program.
        let end = (usize::from(address) + bytes.len()) as u16;
        [0x2d, 0x2f, 0x31, 0xae].into_iter().for_each(|at| computer.load_at(at, &end.to_le_bytes()));
    }
    true
}
