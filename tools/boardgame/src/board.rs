//! A board to look at: what any game shows, free of rules and of any one terminal.

use super::{Seat, Square};

/// The picture of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardView {
    /// Squares in a row.
    pub columns: u16,
    /// Squares in a column.
    pub rows: u16,
    /// Row 0 (bottom) first, as `Square` counts.
    pub cells: Vec<Cell>,
    /// The names of the seats, by index.
    pub seats: Vec<String>,
    /// Lines beside the board: whose turn, clocks, who commands whom.
    pub notes: Vec<String>,
}

/// One square and what is on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    /// At most a few pieces; two on an Enochian throne.
    pub pieces: Vec<PieceView>,
    /// What makes the square special, if anything does.
    pub mark: Option<Mark>,
}

/// A piece as the board shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceView {
    /// Whose piece it is.
    pub seat: Seat,
    /// One to three characters.
    pub symbol: String,
    /// Shown dimmed: it cannot act now.
    pub dimmed: bool,
}

/// What makes a square special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Not part of the board.
    Hole,
    /// A throne, goal or zone, of this seat.
    Zone(Seat),
}

impl BoardView {
    /// The cell of a square.
    pub fn cell(&self, square: Square) -> &Cell {
        &self.cells[usize::from(square.0)]
    }
}
