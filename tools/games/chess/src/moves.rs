//! A move and its UCI form: from, to, and what a pawn becomes. Knows no position;
//! `generate` decides whether a move is legal.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{PieceKind, Square};

/// A move. Castling is the king's step of two squares, en passant the pawn's diagonal step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The piece's square.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// The promotion of a pawn on the last rank.
    pub promotion: Option<PieceKind>,
}

impl Move {
    /// A move without promotion.
    pub fn new(from: Square, to: Square) -> Move {
        Move { from, to, promotion: None }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is no UCI move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not a move: write two squares and for a promotion q, r, b or n, such as e2e4 or e7e8q")]
pub struct NoMove {
    /// The text.
    pub text: String,
}

impl FromStr for Move {
    type Err = NoMove;

    fn from_str(text: &str) -> Result<Move, NoMove> {
        let parse = || {
            let promotion = match text.get(4..)? {
                "" => None,
                "q" => Some(PieceKind::Queen),
                "r" => Some(PieceKind::Rook),
                "b" => Some(PieceKind::Bishop),
                "n" => Some(PieceKind::Knight),
                _ => return None,
            };
            let from = text.get(..2)?.parse().ok()?;
            let to = text.get(2..4)?.parse().ok()?;
            Some(Move { from, to, promotion })
        };
        parse().ok_or_else(|| NoMove { text: text.chars().take(20).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uci_reads_what_it_writes() {
        for text in ["e2e4", "e7e8q", "a2a1n", "h7g8r", "b7c8b", "e1g1"] {
            assert_eq!(text.parse::<Move>().map(|mv| mv.to_string()), Ok(text.to_string()));
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in
            ["", "e2", "e2e", "e2e9", "i2e4", "e7e8k", "e7e8Q", "e7e8qq", "e2-e4", "E2E4", "e2é4", "0000"]
        {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
