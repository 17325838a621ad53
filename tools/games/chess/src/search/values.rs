//! Values of pieces, squares and features: two sets, for the middle game and the end, blended once for
//! the position at the root. Knows the rounding of the 6502 program; `evaluate` uses the blend.

use super::endgame::Mode;
use super::geometry::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, index};
use super::tuned::TUNED;
use crate::{Board, PieceKind};

/// A value in the middle game and in the endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phases {
    /// With all pieces on the board.
    pub middle: i16,
    /// With none but kings and pawns.
    pub end: i16,
}

/// The types in the order of tables: as the program's codes have them, the king last.
pub(super) const ORDER: [u8; 6] = [PAWN, BISHOP, ROOK, QUEEN, KNIGHT, KING];

/// A feature that is counted at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Term {
    /// Two or more bishops.
    BishopPair,
    /// A rook on a file without pawns.
    RookOpen,
    /// A rook on a file with enemy pawns only.
    RookHalfOpen,
    /// An own pawn on the row before the king, on his file or beside it.
    ShelterNear,
    /// The same two rows before him.
    ShelterFar,
    /// No own pawn on the king's file.
    KingFileBare,
    /// The right to move.
    Tempo,
}

/// The number of terms.
pub const TERMS: usize = 7;

/// All values of the evaluation, in hundredths of a pawn, seen from White.
///
/// Tables by type (pawn, bishop, rook, queen, knight, king) and square, row 0 being rank 8; a piece is worth its
/// base and its table entry. Black's are mirrored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The base of a table's entries.
    pub base: [Phases; 6],
    /// By [`Term`].
    pub terms: [Phases; TERMS],
    /// Entries in the middle game.
    pub middle: [[i8; 64]; 6],
    /// Entries in the endgame.
    pub end: [[i8; 64]; 6],
}

impl Default for Values {
    /// The program's values.
    fn default() -> Values {
        TUNED
    }
}

/// The most a phase can be: all pieces of the start.
const FULL: u32 = 24;

/// The pieces of a position: 24 at the start of a game.
pub(super) fn phase(board: &Board) -> u32 {
    let count = |kind| board.kind(kind).count();
    count(PieceKind::Knight)
        + count(PieceKind::Bishop)
        + 2 * count(PieceKind::Rook)
        + 4 * count(PieceKind::Queen)
}

/// How much of the middle game a position is: 0 to 256.
pub(super) fn weight(board: &Board) -> u16 {
    ((phase(board).min(FULL) * 512 + FULL) / (2 * FULL)) as u16
}

/// The value between two phases, rounded towards the endgame's.
pub(super) fn between(middle: i16, end: i16, weight: u16) -> i16 {
    let difference = i32::from(middle) - i32::from(end);
    let part = (difference.abs() * i32::from(weight)) >> 8;
    end + (part * difference.signum()) as i16
}

/// The values for one search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blend {
    /// The score of a piece (White's minus Black's), by code and square.
    pub(super) piece: [[i16; 128]; 16],
    /// By [`Term`].
    pub(super) terms: [i16; TERMS],
    pub(super) mode: Mode,
}

impl Values {
    /// The values for a search from this position.
    pub(super) fn blend_for(&self, board: &Board) -> Blend {
        let weight = weight(board);
        let mut blend = self.blend(weight);
        blend.mode = Mode::of(board);
        let bases = self.base.map(|base| between(base.middle, base.end, weight));
        match blend.mode {
            Mode::Mate { white, .. } => blend.aim_at_bare_king(white, true, bases),
            Mode::Corner { white, .. } => blend.aim_at_bare_king(white, false, bases),
            Mode::Normal | Mode::Few => {}
        }
        blend
    }

    pub(super) fn blend(&self, weight: u16) -> Blend {
        let mut blend = Blend { piece: [[0; 128]; 16], terms: [0; TERMS], mode: Mode::Normal };
        for (place, kind) in ORDER.into_iter().enumerate() {
            let base = between(self.base[place].middle, self.base[place].end, weight);
            for row in 0..8 {
                for file in 0..8 {
                    let (middle, end) = (self.middle[place][row * 8 + file], self.end[place][row * 8 + file]);
                    let value = base + between(middle.into(), end.into(), weight);
                    blend.piece[index(0xf8 | kind)][row * 16 + file] = value;
                    blend.piece[index(0x78 | kind)][(7 - row) * 16 + file] = -value;
                }
            }
        }
        for (blended, term) in blend.terms.iter_mut().zip(self.terms) {
            *blended = between(term.middle, term.end, weight);
        }
        blend
    }
}
