//! What the search knows of endgames: how to mate a bare king, and which advantages win nothing.
//! The material at the root decides whether a search looks at it at all.

use super::geometry::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, code, index, x88};
use super::position::Position;
use super::values::Blend;
use crate::{Board, Color, PieceKind};

/// How positions of a search are valued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// As ever.
    Normal,
    /// Few pieces: every value is looked at for advantages that win nothing.
    Few,
    /// A bare king is to be mated by this side.
    Mate { white: bool },
}

/// The largest phase at the root of a search in [`Mode::Few`].
const FEW: u32 = 8;

/// What a step between the kings costs the side that mates.
const APART: i16 = 12;
/// What a step between the knight and the place of the bare king at the root costs the side that mates with bishop and
/// knight.
const KNIGHT_APART: i16 = 5;

impl Mode {
    /// The mode of a search from this position.
    pub(super) fn of(board: &Board) -> Mode {
        for color in [Color::White, Color::Black] {
            let count = |kind| board.pieces(color, kind).count();
            let (bishops, knights) = (count(PieceKind::Bishop), count(PieceKind::Knight));
            let heavy = count(PieceKind::Queen) + count(PieceKind::Rook) > 0;
            let minor = count(PieceKind::Pawn) == 0 && (bishops >= 2 || bishops == 1 && knights >= 1);
            if board.pieces_of(!color).count() == 1 && (heavy || minor) {
                return Mode::Mate { white: color == Color::White };
            }
        }
        if super::values::phase(board) <= FEW { Mode::Few } else { Mode::Normal }
    }
}

impl Blend {
    /// Replaces the tables for a search that mates a bare king: he is driven to the edge, or by bishop and knight
    /// alone to a corner of the bishop's colour; other squares are all the same, pawns' excepted.
    pub(super) fn aim_at_bare_king(&mut self, board: &Board, white: bool, bases: [i16; 6]) {
        let color = if white { Color::White } else { Color::Black };
        let count = |kind| board.pieces(color, kind).count();
        let minors_only = count(PieceKind::Queen) + count(PieceKind::Rook) == 0;
        let bishops = board.pieces(color, PieceKind::Bishop);
        let corner = (minors_only && bishops.count() == 1)
            .then(|| bishops.first().is_some_and(|square| square.is_light()));
        let sign = if white { 1 } else { -1 };
        for (kind, base) in super::values::ORDER.into_iter().zip(bases) {
            if kind != PAWN && kind != KING {
                self.piece[index(code(white, kind))].fill(sign * base);
            }
        }
        self.piece[index(code(white, KING))].fill(0);
        if corner.is_some() {
            let king = x88(board.king(!color));
            let knights = &mut self.piece[index(code(white, KNIGHT))];
            for (square, worth) in (0..).zip(knights) {
                *worth -= sign * KNIGHT_APART * apart(square, king);
            }
        }
        for row in 0..8 {
            for file in 0..8 {
                let worth = driven(row, file, corner);
                self.piece[index(code(!white, KING))][(row * 16 + file) as usize] = sign * worth;
            }
        }
    }
}

/// Steps along rows and files between two squares.
fn apart(one: u8, other: u8) -> i16 {
    i16::from((one >> 4).abs_diff(other >> 4) + (one & 7).abs_diff(other & 7))
}

/// What a bare king on a square is worth to the other side. `corner`: whether the corners to drive him to are
/// light; `None` if any edge will do.
fn driven(row: i16, file: i16, corner: Option<bool>) -> i16 {
    let from_centre = |x: i16| (3 - x).max(x - 4);
    let edge = from_centre(row) + from_centre(file);
    let Some(light) = corner else { return 20 * edge };
    // a8, where row and file are 0, is light.
    let along = if light { row + file } else { row + 7 - file };
    17 * (7 - along.min(14 - along))
}

impl Position {
    /// The value of a position in [`Mode::Mate`], White's minus Black's.
    pub(super) fn mating_value(&self, white: bool) -> i16 {
        let (own, bare) = (self.king(white), self.king(!white));
        let cost = APART * apart(own, bare);
        self.score - if white { cost } else { -cost }
    }

    /// A value of [`Mode::Few`], White's minus Black's, made smaller if the advantage wins nothing.
    pub(super) fn scaled(&self, value: i16) -> i16 {
        let shift = self.drawish(value > 0);
        value.signum() * (value.abs() >> shift)
    }

    /// By how many bits the advantage of a side shrinks.
    fn drawish(&self, strong: bool) -> u8 {
        let count = |white: bool, kind: u8| self.list(white, kind).squares().len();
        let material = |white| {
            3 * (count(white, KNIGHT) + count(white, BISHOP))
                + 5 * count(white, ROOK)
                + 9 * count(white, QUEEN)
        };
        let (ours, theirs) = (material(strong), material(!strong));
        let pawns = self.list(strong, PAWN).squares();
        if pawns.is_empty() {
            let knights_only = ours == 3 * count(strong, KNIGHT);
            return if ours <= theirs + 3 || knights_only && count(!strong, PAWN) == 0 { 3 } else { 0 };
        }
        let bishops = self.list(strong, BISHOP).squares();
        let bare_of_others = ours == 3 * bishops.len() && bishops.len() <= 1;
        if !bare_of_others {
            return 0;
        }
        let is_light = |square: u8| (square ^ square >> 4) & 1 == 0;
        if let ([own], [other]) = (bishops, self.list(!strong, BISHOP).squares())
            && theirs == 3
            && is_light(*own) != is_light(*other)
        {
            return 1;
        }
        let file = pawns[0] & 7;
        let rook_file = matches!(file, 0 | 7) && pawns.iter().all(|pawn| pawn & 7 == file);
        let corner = file | if strong { 0x00 } else { 0x70 };
        let wrong = bishops.iter().all(|&bishop| is_light(bishop) != is_light(corner));
        let king = self.king(!strong);
        let near = (king >> 4).abs_diff(corner >> 4) <= 1 && (king & 7).abs_diff(corner & 7) <= 1;
        if rook_file && wrong && near { 3 } else { 0 }
    }
}
