//! `tempo chess`, `tempo game` and `tempo enochian`: each has `Args` (clap) and `run(Args) -> Exit`. The rules are in the
//! libraries beside this crate; here are arguments, answers and the board in the terminal.

mod board;
pub mod chess;
pub mod enochian;
pub mod game;
mod seed;

pub use chess::play::site;
