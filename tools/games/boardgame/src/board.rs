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
    /// The square's special role, if it has one.
    pub mark: Option<Mark>,
}

/// A piece as the board shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceView {
    /// Whose piece it is.
    pub seat: Seat,
    /// One to three characters.
    pub symbol: String,
    /// The filled chess figurine that stands for the piece, if it is one of chess.
    pub figurine: Option<char>,
    /// Shown dimmed: it cannot act now.
    pub dimmed: bool,
}

/// The special role of a square.
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

/// The letter and the filled figurine of a chess piece by its English name, in any case.
pub fn chess_signs(name: &str) -> Option<(char, char)> {
    const SIGNS: [(&str, char, char); 6] = [
        ("king", 'K', '♚'),
        ("queen", 'Q', '♛'),
        ("rook", 'R', '♜'),
        ("bishop", 'B', '♝'),
        ("knight", 'N', '♞'),
        ("pawn", 'P', '♟'),
    ];
    let found = SIGNS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    found.map(|&(_, letter, figurine)| (letter, figurine))
}

/// The letter of a column, on boards that have letters enough.
pub fn column_letter(column: u16, columns: u16) -> Option<char> {
    (columns <= 26 && column < columns).then(|| char::from(b'a' + column as u8))
}

impl Square {
    /// The name of the square for people: `e2` on boards up to 26 columns, `4,1` on wider ones.
    pub fn name(self, columns: u16) -> String {
        let (x, y) = (self.0 % columns, self.0 / columns);
        match column_letter(x, columns) {
            Some(letter) => format!("{letter}{}", y + 1),
            None => format!("{x},{y}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_as_people_do() {
        assert_eq!(Square(12).name(8), "e2");
        assert_eq!(Square(33).name(32), "1,1");
        assert_eq!(chess_signs("KNIGHT"), Some(('N', '♞')));
        assert_eq!(chess_signs("KNAVE"), None);
    }
}
