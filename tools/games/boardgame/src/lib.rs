#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod board;
mod game;
pub mod perft;
pub mod saved;
pub mod search;

pub use board::{BoardView, Cell, Mark, PieceView, chess_signs, column_letter};
pub use game::{Game, Outcome, Seat, Side, Square};
