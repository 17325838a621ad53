#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod computer;
mod machine;
mod record;

pub use machine::{Feed, IoWrites, Line, Roms, TestMachine, Wire};
pub use record::{Action, Recording};
