#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod computer;
pub mod file;
mod machine;
pub mod record;

pub use machine::{Feed, IoWrites, Line, MOST_AT_ONCE, MOST_CYCLES, Roms, TestMachine, Wire};
pub use record::{Action, Recording};
