#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod attack;
pub mod check;
mod compile;
mod explain;
mod generate;
pub mod library;
pub mod model;
mod phase;
mod play;
mod position;
mod tables;
mod value;

use std::sync::Arc;

pub use check::{Code, Finding, Origin, Report, check};
pub use compile::compile;
pub use explain::{Asked, Explanation, Landing, Try, Verdict};
pub use phase::{Phase, Refusal, Session};
pub use play::reason;
pub use position::{Move, Placed, Position, SetUpError, Undo};
pub use tables::Tables;
pub use tempo_boardgame as boardgame;

/// Checks, compiles and sets up a game in one go; what was found, if there are faults.
pub fn load(text: &[u8]) -> Result<Position, Box<Report>> {
    let report = check(text);
    match &report.spec {
        Some(spec) => Ok(Position::start(Arc::new(compile(spec)))),
        None => Err(Box::new(report)),
    }
}
