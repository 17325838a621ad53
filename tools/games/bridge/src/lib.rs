#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
// Read it in this order: `program` (the image and its symbols), `machine` (calls), `position` (a board in
// the program's memory and back), `diff` (program against rules), `cycles` (what a call costs).

pub mod book;
pub mod contest;
pub mod cycles;
pub mod diff;
pub mod engine;
pub mod epd;
pub mod levels;
mod machine;
mod position;
mod program;
pub mod search;
pub mod search_bench;
mod source;

pub use machine::{CallError, ChessMachine, Expansion, Reply};
pub use position::{decode_move, encode_move, from_x88, x88};
pub use program::{Data, Entry, Pieces, Program, ProgramError, Routine};
pub use source::{ProgramFiles, SOURCES, SourceError};
pub use tempo_chess as chess;
