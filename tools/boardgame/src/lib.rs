//! What board games share: seats, squares, outcomes, JSON with places, and the trait that perft,
//! search, boards and saved games are written against once. Knows no rule of any game.
//! Pure: no files, no clock, no terminal; every random choice comes from a seed the caller gives.

mod board;
mod game;
pub mod json;
pub mod perft;
pub mod saved;
pub mod search;

pub use board::{BoardView, Cell, Man, Mark};
pub use game::{Game, Outcome, Seat, Side, Square};
