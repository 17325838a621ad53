#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod answer;
mod complete;
mod console;
mod desk;
mod help;
mod word;
mod words;

pub use answer::{Answer, Change, Kind, Line, Problem, Then};
pub use complete::{Completion, Completions};
pub use console::{Console, Input, assignment, subject};
pub use desk::{Desk, Files, NoFiles, Remote};
pub use help::{page, summary};
pub use word::{GROUPS, Group, Moves, Takes, Word, find, words};

/// Cycles of a run between two looks at what the user wants: some milliseconds.
pub const SLICE: u64 = 400_000;
