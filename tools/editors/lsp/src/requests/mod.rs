//! One module a group of requests: parameters in, an answer of `editor`, the answer in the form of the protocol out.

pub mod calls;
pub mod completion;
pub mod custom;
pub mod decorations;
pub mod diagnostic;
pub mod edits;
pub mod language;
pub mod libraries;
pub mod navigation;
pub mod symbols;
