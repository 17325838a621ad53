//! Where the games of a match begin: positions and the moves that lead to them.

use std::collections::HashSet;

use tempo_chess::{Board, Move};

use crate::book;

/// A start for a pair of games.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Its name.
    pub name: String,
    /// The position before its moves.
    pub start: Board,
    /// The moves that are played before the players think.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The start of a game.
    pub fn start() -> Opening {
        Opening::position("start", Board::default())
    }

    /// A position.
    pub fn position(name: impl Into<String>, board: Board) -> Opening {
        Opening { name: name.into(), start: board, moves: Vec::new() }
    }

    /// The position the players get.
    pub fn board(&self) -> Board {
        let mut board = self.start.clone();
        for &mv in &self.moves {
            board.play(mv);
        }
        board
    }
}

/// The plies at which the lines of the book are cut, the best known positions first.
const CUTS: [usize; 5] = [8, 6, 7, 9, 10];

/// Our own openings: the lines of the chess program's book, cut where they are well under way. No two
/// lead to the same position.
pub fn builtin() -> Vec<Opening> {
    let (lines, _) = book::parse(book::text());
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    for cut in CUTS {
        for line in lines.iter().filter(|line| line.moves.len() >= cut) {
            let moves = line.moves[..cut].iter().map(|book_move| book_move.mv).collect();
            let opening = Opening { name: line.name.clone(), start: Board::default(), moves };
            if seen.insert(opening.board().identity()) {
                openings.push(opening);
            }
        }
    }
    openings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_openings_enough_and_all_differ() {
        let openings = builtin();
        assert!(openings.len() >= 100, "{}", openings.len());
        let boards: HashSet<_> = openings.iter().map(|opening| opening.board().identity()).collect();
        assert_eq!(boards.len(), openings.len());
    }
}
