//! The lines of the opening book as text. The assembler packs the same file for the program.

use tempo_chess::{Board, Move, PromotionSet};

use crate::SOURCES;
use crate::epd::LineFault;

/// A line of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number in the file, from 1.
    pub line: usize,
    /// The opening, from the comment above it.
    pub name: String,
    /// The moves from the start of a game.
    pub moves: Vec<BookMove>,
}

/// A move of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Whether the program knows an answer to it but never plays it.
    pub answered_only: bool,
}

/// The number by which the program picks among the book's moves after this many plies of a game. The program's own
/// generator takes one step a move, so that numbers that belong together would choose alike everywhere.
pub fn seed(game: u64, plies: usize) -> u8 {
    tempo_random::Random::stream(game, plies as u64).next_u64() as u8
}

/// The text of `asm/data/book.txt`, which the library carries.
pub fn text() -> &'static str {
    let file = SOURCES.iter().find(|(name, _)| *name == "data/book.txt");
    file.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Reads the lines: moves in coordinates, `?` after those that are only answered, `#` before a name.
/// A line with a fault is named and left out.
pub fn parse(text: &str) -> (Vec<Line>, Vec<LineFault>) {
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    let mut name = String::new();
    for (number, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if let Some(comment) = content.strip_prefix('#') {
            name = comment.trim().to_owned();
        } else if !content.is_empty() {
            match parse_moves(content) {
                Ok(moves) => lines.push(Line { line: number, name: name.clone(), moves }),
                Err(message) => faults.push(LineFault { line: number, message }),
            }
        }
    }
    (lines, faults)
}

fn parse_moves(text: &str) -> Result<Vec<BookMove>, String> {
    let mut board = Board::default();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let (word, answered_only) = match word.strip_suffix('?') {
            Some(word) => (word, true),
            None => (word, false),
        };
        let mv: Move = word.parse().map_err(|err: tempo_chess::NoMove| err.to_string())?;
        if !board.is_legal(mv, PromotionSet::QueenKnight) {
            return Err(format!("`{mv}` is not legal in {}", board.fen()));
        }
        board.play(mv);
        moves.push(BookMove { mv, answered_only });
    }
    Ok(moves)
}
