#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod basic;
mod cartridge;
mod disks;
mod drive;
mod entries;
mod film;
mod joystick;
mod keys;
mod picture;
mod saved;
mod screen;
mod session;
mod sound;
mod vice;
mod volume;

pub use basic::BootError;
pub use cartridge::cartridge;
pub use disks::{disk_of, read_disk, tracks_of};
pub use drive::{Drive, HostCall, serve_bus};
pub use entries::{Absent, ENTRIES, Presence, RomEntry};
pub use film::Film;
pub use joystick::{Moves, MovesError, parse_switches};
pub use keys::{Keys, KeysError, Press, Stroke, nearest_key};
pub use picture::{Picture, PictureError, PixelDifference};
pub use screen::{petscii_char, screen_text};
pub use session::{End, Session};
pub use sound::wav;
pub use vice::{machine_of, missing_rom, model_of, snapshot_of};
pub use volume::{File, Volume};
