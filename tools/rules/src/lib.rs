//! Reference rules: chess, the agent protocol, games from a spec, Enochian chess.
//! Pure: no files, no clock, no terminal; every random choice comes from a seed the caller gives.

pub mod agent;
pub mod chess;
pub mod core;
pub mod enochian;
pub mod perft;
pub mod saved;
pub mod search;
pub mod spec;
