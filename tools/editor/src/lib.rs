#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod facts;
mod imports;
mod place;
mod snapshot;

mod navigate;
mod problems;

pub use facts::{Facts, Occurrence};
pub use imports::imports;
pub use navigate::{Highlight, definition, highlights, references};
pub use place::{Edit, FileSpan, Place, apply};
pub use problems::{Problem, Related, Tag};
pub use snapshot::{Root, SharedFiles, Snapshot};
