//! The static value of a position: the score kept by make, the tempo, and near the window the terms that are
//! counted. Knows no search.

use super::endgame::Mode;
use super::geometry::{BISHOP, PAWN, ROOK, code, forward};
use super::position::Position;
use super::values::{Blend, Term};

/// How far the kept score must be from the window for the terms not to be counted.
pub(super) const LAZY: i16 = 128;

impl Position {
    /// The value for the side to move, without terms if the window is far away.
    pub(super) fn evaluate(&self, blend: &Blend, alpha: i16, beta: i16, lazy: i16) -> (i16, bool) {
        let side = |value: i16| if self.white { value } else { -value };
        let tempo = blend.terms[Term::Tempo as usize];
        match blend.mode {
            Mode::Mate { white, .. } => return (side(self.mating_value(white)) + tempo, false),
            Mode::Corner { white, light } => {
                return (side(self.corner_value(white, light)) + tempo, true);
            }
            Mode::Few => return (side(self.scaled(self.score + self.terms(blend))) + tempo, true),
            Mode::Normal => {}
        }
        let value = side(self.score) + tempo;
        if value >= beta + lazy || value <= alpha - lazy {
            return (value, false);
        }
        (value + side(self.terms(blend)), true)
    }

    /// White's terms minus Black's.
    pub(super) fn terms(&self, blend: &Blend) -> i16 {
        let files = [self.pawn_files(false), self.pawn_files(true)];
        self.side_terms(blend, true, files[1], files[0]) - self.side_terms(blend, false, files[0], files[1])
    }

    /// One bit for each file with a pawn of the side.
    fn pawn_files(&self, white: bool) -> u8 {
        self.list(white, PAWN).squares().iter().fold(0, |files, square| files | 1 << (square & 7))
    }

    fn side_terms(&self, blend: &Blend, white: bool, own: u8, enemy: u8) -> i16 {
        let worth = |term: Term| blend.terms[term as usize];
        let mut value = 0;
        if self.list(white, BISHOP).squares().len() >= 2 {
            value += worth(Term::BishopPair);
        }
        for rook in self.list(white, ROOK).squares() {
            let file = 1 << (rook & 7);
            if own & file == 0 {
                value += worth(if enemy & file == 0 { Term::RookOpen } else { Term::RookHalfOpen });
            }
        }
        let king = self.king(white);
        let near = king.wrapping_add(forward(white));
        for (row, term) in [(near, Term::ShelterNear), (near.wrapping_add(forward(white)), Term::ShelterFar)]
        {
            for square in [row.wrapping_sub(1), row, row.wrapping_add(1)] {
                if self.at(square) == code(white, PAWN) {
                    value += worth(term);
                }
            }
        }
        if own & 1 << (king & 7) == 0 {
            value += worth(Term::KingFileBare);
        }
        value
    }
}
