//! VICE's snapshots (`.vsf`) of a C64: [`read`] takes the state of CPU, memory, VIC, CIAs and SID out of one, of `x64` and of
//! `x64sc`; [`Snapshot::write`] makes one with these modules. Knows the container and the modules; knows nothing of machines.
//!
//! The layout is that of VICE 3.7. Modules of another major version are refused. Minor versions append to modules, as a
//! rule: a newer one is read and noted.

mod read;
mod write;

use thiserror::Error;

pub use read::read;

const MAGIC: &[u8; 19] = b"VICE Snapshot File\x1a";
const VERSION_MAGIC: &[u8; 13] = b"VICE Version\x1a";
/// Bytes of names of machines and modules.
const NAME: usize = 16;
/// Bytes of a module's header.
const MODULE: usize = NAME + 6;
/// The version of the container.
const CONTAINER: (u8, u8) = (2, 0);

/// The emulator that wrote a snapshot: its VIC has another module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// `x64`
    X64,
    /// `x64sc`
    X64Sc,
}

impl Writer {
    /// The name of the machine in the file.
    pub fn machine(self) -> &'static str {
        match self {
            Writer::X64 => "C64",
            Writer::X64Sc => "C64SC",
        }
    }
}

/// The CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cpu {
    /// Cycles since the emulator was started.
    pub clock: u64,
    /// The accumulator.
    pub a: u8,
    /// The X index.
    pub x: u8,
    /// The Y index.
    pub y: u8,
    /// The stack pointer.
    pub s: u8,
    /// The program counter.
    pub pc: u16,
    /// The status.
    pub p: u8,
}

/// The video chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vic {
    /// The chip's number in VICE; only `x64sc` writes it.
    pub model: Option<u8>,
    /// As written.
    pub registers: [u8; 64],
    /// The line of the picture.
    pub line: u16,
    /// The cycle in the line, from 0.
    pub cycle: u8,
    /// The flags of $D019, without bit 7.
    pub flags: u8,
    /// $D01E.
    pub sprite_sprite: u8,
    /// $D01F.
    pub sprite_background: u8,
    /// The colour RAM.
    pub colours: Box<[u8; 0x400]>,
}

/// A CIA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cia {
    /// Ports A and B as written.
    pub ports: [u8; 2],
    /// Their directions.
    pub directions: [u8; 2],
    /// Counters of timers A and B.
    pub counters: [u16; 2],
    /// Their latches.
    pub latches: [u16; 2],
    /// Control registers, with the start bit as it is now.
    pub controls: [u8; 2],
    /// Levels of PB6 and PB7 in toggle mode.
    pub toggles: [bool; 2],
    /// Tenths, seconds, minutes, hours.
    pub time: [u8; 4],
    /// The alarm.
    pub alarm: [u8; 4],
    /// The time that reads show while it is latched.
    pub latched: Option<[u8; 4]>,
    /// The clock waits for a write of the tenths.
    pub is_stopped: bool,
    /// The serial register.
    pub serial: u8,
    /// The interrupt mask.
    pub mask: u8,
    /// The interrupt flags, as a read of $DC0D or $DD0D gives them.
    pub flags: u8,
}

/// ROM images in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roms {
    /// The KERNAL.
    pub kernal: Vec<u8>,
    /// BASIC.
    pub basic: Vec<u8>,
    /// The characters.
    pub characters: Vec<u8>,
}

/// A C64 as a snapshot describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The emulator.
    pub writer: Writer,
    /// Its version.
    pub version: Option<[u8; 4]>,
    /// The CPU.
    pub cpu: Cpu,
    /// $01 as written.
    pub port: u8,
    /// $00.
    pub direction: u8,
    /// The RAM.
    pub ram: Box<[u8; 0x10000]>,
    /// The video chip.
    pub vic: Vic,
    /// CIA 1 and CIA 2.
    pub cias: [Cia; 2],
    /// The registers of the SID, as written.
    pub sid: [u8; 32],
    /// The ROMs, if they were saved.
    pub roms: Option<Roms>,
    /// Remarks for people: modules that are newer than this reader, and devices that are left out.
    pub notes: Vec<String>,
}

/// Why a file is not a snapshot that can be used. Offsets are those of the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VsfError {
    /// It begins with something else.
    #[error("not a VICE snapshot; one begins with `VICE Snapshot File`")]
    Signature,
    /// The file ends too early.
    #[error("at offset ${at:X}: the file ends within {what}")]
    Cut {
        /// Where it ends.
        at: usize,
        /// The part that is cut.
        what: String,
    },
    /// A container of another version.
    #[error("the snapshot has version {0}.{1}; VICE 2.4 to 3.x write version 2.0")]
    Version(u8, u8),
    /// Another machine's.
    #[error("a snapshot of a {0}; those of C64 and C64SC can be used")]
    Machine(String),
    /// A module's length is less than its header or leads beyond the end.
    #[error("at offset ${at:X}: module {name} has a length of {length} bytes, and {left} are left")]
    Length {
        /// Where the module begins.
        at: usize,
        /// Its name.
        name: String,
        /// Its stated length.
        length: usize,
        /// Bytes of the rest of the file.
        left: usize,
    },
    /// A module that must be there is missing.
    #[error("module {0} is missing")]
    Missing(&'static str),
    /// A module has a second copy.
    #[error("at offset ${at:X}: module {name} is there already")]
    Twice {
        /// Where the second one begins.
        at: usize,
        /// Its name.
        name: &'static str,
    },
    /// A module of another major version.
    #[error("module {name} has version {}.{}, which is not known; VICE 3.7 writes {}.{}", found.0, found.1, known.0, known.1)]
    ModuleVersion {
        /// Its name.
        name: &'static str,
        /// Its version.
        found: (u8, u8),
        /// The known version.
        known: (u8, u8),
    },
    /// A module is shorter than its layout.
    #[error("module {name} has {size} bytes of data, too few for its layout")]
    Short {
        /// Its name.
        name: &'static str,
        /// Its size.
        size: usize,
    },
    /// A value that no machine has.
    #[error("module {name}: {what}")]
    Value {
        /// The module.
        name: &'static str,
        /// The fault.
        what: String,
    },
}

#[cfg(test)]
mod tests;
