#![doc = include_str!("../README.md")]

// Text to tree.
pub mod ast;
pub mod diag;
pub mod dump;
pub mod parse;
pub mod source;
pub use tempo_expressions::{eval, lexer};

// Tree to plan.
pub mod assemble;
pub mod check;
pub mod files;
pub mod layout;
pub mod lines;
pub mod names;
pub mod plan;
mod snapshot;

// Plan to events.
pub mod events;
pub mod meter;
pub mod probe;
pub mod run;

// Events to text.
pub mod measure;
pub mod report;
