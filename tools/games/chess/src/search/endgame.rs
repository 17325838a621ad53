//! The search's knowledge of endgames: how to mate a bare king, and which advantages win nothing.
//! The material at the root decides whether a search looks at it at all.

use super::geometry::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, code, index};
use super::mating;
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
    /// A bare king is to be mated by this side, by minor pieces or with a queen or rook.
    Mate { white: bool, minors: bool },
    /// The same by one bishop, on light squares or not, and knights.
    Corner { white: bool, light: bool },
}

/// The largest phase at the root of a search in [`Mode::Few`].
const FEW: u32 = 8;

/// The cost of a step between the kings for the side that mates.
const APART: i16 = 12;
/// The value of a bare king's step towards the edge.
const EDGE: i16 = 20;

impl Mode {
    /// The mode of a search from this position.
    pub(super) fn of(board: &Board) -> Mode {
        for color in [Color::White, Color::Black] {
            let count = |kind| board.pieces(color, kind).count();
            let (bishops, knights) = (count(PieceKind::Bishop), count(PieceKind::Knight));
            let heavy = count(PieceKind::Queen) + count(PieceKind::Rook) > 0;
            let minor = count(PieceKind::Pawn) == 0 && (bishops >= 2 || bishops == 1 && knights >= 1);
            if board.pieces_of(!color).count() == 1 && (heavy || minor) {
                let white = color == Color::White;
                return match board.pieces(color, PieceKind::Bishop).first() {
                    Some(bishop) if !heavy && bishops == 1 => {
                        Mode::Corner { white, light: bishop.is_light() }
                    }
                    _ => Mode::Mate { white, minors: !heavy },
                };
            }
        }
        if super::values::phase(board) <= FEW { Mode::Few } else { Mode::Normal }
    }
}

impl Blend {
    /// Replaces the tables for a search that mates a bare king: he is driven to the edge, unless `driven` is false;
    /// other squares are all the same, pawns' excepted.
    pub(super) fn aim_at_bare_king(&mut self, white: bool, driven: bool, bases: [i16; 6]) {
        let sign = if white { 1 } else { -1 };
        for (kind, base) in super::values::ORDER.into_iter().zip(bases) {
            if kind != PAWN && kind != KING {
                self.piece[index(code(white, kind))].fill(sign * base);
            }
        }
        self.piece[index(code(white, KING))].fill(0);
        let from_centre = |x: i16| (3 - x).max(x - 4);
        for row in 0..8 {
            for file in 0..8 {
                let edge = if driven { EDGE * (from_centre(row) + from_centre(file)) } else { 0 };
                self.piece[index(code(!white, KING))][(row * 16 + file) as usize] = sign * edge;
            }
        }
    }
}

/// Rows and files between two squares.
fn apart(one: u8, other: u8) -> (u8, u8) {
    ((one >> 4).abs_diff(other >> 4), (one & 7).abs_diff(other & 7))
}

impl Position {
    /// The value of a position in [`Mode::Mate`], White's minus Black's.
    pub(super) fn mating_value(&self, white: bool) -> i16 {
        let (own, bare) = (self.king(white), self.king(!white));
        let (rows, files) = apart(own, bare);
        let cost = APART * i16::from(rows + files);
        self.score - if white { cost } else { -cost }
    }

    /// The value of a position in [`Mode::Corner`], White's minus Black's.
    pub(super) fn corner_value(&self, white: bool, light: bool) -> i16 {
        let first = |kind| self.list(white, kind).squares().first();
        let (Some(&bishop), Some(&knight)) = (first(BISHOP), first(KNIGHT)) else { return self.score };
        let (own, bare) = (self.king(white), self.king(!white));
        let turn = mating::Turn::of(bare, light);
        let (rows, files) = apart(own, bare);
        let near = mating::KINGS[usize::from(rows)][usize::from(files)]
            + turn.look_up(&mating::BARE, bare)
            + turn.look_up(&mating::KING, own)
            + turn.look_up(&mating::KNIGHT, knight)
            + mating::BISHOP[turn.along(bishop) / 2];
        self.score + mating::UNIT * if white { near } else { -near }
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
