#![doc = include_str!("../README.md")]

// The short way through all that follows.
mod harness;
pub use harness::{Harness, HarnessError, Report};

// Text to tree.
pub mod ast;
pub mod diag;
pub mod dump;
pub mod parse;
pub mod source;
use tempo_expressions::eval;
pub use tempo_expressions::lexer;

// Tree to plan.
pub mod assemble;
pub mod check;
pub mod files;
mod layout;
pub mod lines;
mod names;
pub mod plan;
mod snapshot;

// Plan to events.
pub mod events;
pub mod meter;
mod probe;
pub mod run;

// Events to text.
pub mod measure;
pub mod report;
