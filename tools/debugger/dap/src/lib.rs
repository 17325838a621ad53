#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod arguments;
mod attach;
mod breakpoints;
mod client;
mod evaluate;
mod host;
mod kept;
mod launch;
mod memory;
pub mod recording;
mod session;
mod state;
mod vice;

pub use host::{Host, HostFiles, MemoryHost, Project, StartVice};
pub use launch::{Launched, Refused, TestOptions, launch};
pub use session::{Session, cancels};
pub use vice::{Attached, Stream};
