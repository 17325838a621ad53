#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod contract;
mod idle;
mod measure;
mod report;
mod svg;
mod watcher;

pub use contract::{Contract, ContractError, Limit, Subject};
pub use measure::{Interrupted, measure};
pub use report::{Figures, Handler, HandlerRun, PartRow, Report, Verdict};
pub use svg::{colour, svg};
pub use watcher::{FrameSums, Measured, Owner, Part, Run, Trigger, Watcher};
