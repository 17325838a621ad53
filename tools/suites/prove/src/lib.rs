#![doc = include_str!("../README.md")]

mod chip;
pub mod claim;
pub mod contract;
mod decide;
mod execute;
pub mod graph;
mod integer;
mod known;
mod limits;
pub mod optimise;
mod question;
mod runner;
mod script;
pub mod shorter;
pub mod solver;
mod state;
mod summary;
mod terms;
mod world;

pub use chip::{ChipWatch, chip_dependent};
pub use decide::{Answered, Cycles, Example, How, Verdict, decide, run_all, told};
pub use known::Known;
pub use limits::Limits;
pub use question::{AskError, Asked, AskedClaim, Claim, Input, Program, Question, Routine};
pub use runner::Unknowns;
pub use script::{Action, Script, Width};
pub use summary::{Bounds, Pairs, SAMPLED, Summary, grouped};
