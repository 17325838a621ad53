#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod banks;
mod binary;
mod checkpoints;
mod condition;
mod core;
mod media;
mod monitor;
mod registers;
mod resources;
mod text;
mod wire;

pub use banks::{BANKS, Bank};
pub use checkpoints::{Checkpoint, Checkpoints};
pub use condition::{Condition, Scene};
pub use core::{AtJam, Core, End, Event, First, Setup};
pub use media::{Files, load};
pub use monitor::Monitor;
pub use registers::Registers;
pub use resources::{Resources, Value};
pub use wire::LONGEST;
