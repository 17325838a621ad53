#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod drive;
mod film;
mod joystick;
mod keys;
mod picture;
mod screen;
mod session;
mod sound;
mod volume;

pub use drive::{Drive, HostCall};
pub use film::Film;
pub use joystick::{Moves, MovesError, parse_switches};
pub use keys::{Keys, KeysError, Press, Stroke};
pub use picture::{PALETTE, Picture, PictureError, PixelDifference};
pub use screen::{petscii_char, screen_char, screen_rows, screen_text};
pub use session::{BootError, End, Session};
pub use sound::wav;
pub use volume::{File, Volume};
