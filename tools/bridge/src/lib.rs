//! The 6502 chess program as an engine: its image in the emulator, its calls as functions, and what it
//! answers compared with the reference rules.
//!
//! Read it in this order: `program` (the image and its symbols), `machine` (calls), `position` (a board in
//! the program's memory and back), `diff` (program against rules), `cycles` (what a call costs).
//! Opens no file, knows no command line; it is handed the program's bytes.

pub mod cycles;
pub mod diff;
pub mod engine;
pub mod epd;
mod machine;
mod position;
mod program;
mod random;
mod source;

pub use machine::{CallError, Machine, Reply};
pub use position::{decode_move, encode_move, from_x88, x88};
pub use program::{Data, Entry, Pieces, Program, ProgramError, Routine};
pub use source::{SOURCES, SourceError};
