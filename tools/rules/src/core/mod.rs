//! What every game here shares: seats, squares, outcomes, faults, and the trait that perft, search,
//! boards and saved games are written against once. Knows no rule of any game.

mod board;
mod fault;
mod game;
pub mod json;

pub use board::{BoardView, Cell, Man, Mark};
pub use fault::Fault;
pub use game::{Game, Outcome, Seat, Side, Square};
