//! The 0x88 board of the 6502 program: codes, squares, directions and what is in line with what.
//! Knows no position.

use crate::{Color, Piece, PieceKind, Square};

/// The bits every piece code has; the low three are the type, bit 7 is White.
pub(super) const CODE: u8 = 0x78;
pub(super) const WHITE: u8 = 0x80;
pub(super) const EMPTY: u8 = 0;
pub(super) const GUARD: u8 = 0x80;
pub(super) const NO_SQUARE: u8 = 0xff;

// The types. Bit 0 slides on diagonals, bit 1 on ranks and files.
pub(super) const PAWN: u8 = 0;
pub(super) const BISHOP: u8 = 1;
pub(super) const ROOK: u8 = 2;
pub(super) const QUEEN: u8 = 3;
pub(super) const KNIGHT: u8 = 4;
pub(super) const KING: u8 = 7;

/// The mark of a knight's promotion in a `to` byte.
pub(super) const TO_KNIGHT: u8 = 0x80;

/// North, east, south, west, then the diagonals clockwise from north-east: the program's order.
pub(super) const DIRECTIONS: [i8; 8] = [-16, 1, 16, -1, -15, 17, 15, -17];
/// A bishop's part of the directions; a rook's is the other half, and a queen tries the diagonals first.
pub(super) const DIAGONAL: std::ops::Range<usize> = 4..8;
pub(super) const STRAIGHT: std::ops::Range<usize> = 0..4;
/// A knight's jumps in the program's order.
pub(super) const JUMPS: [i8; 8] = [-33, -31, -18, -14, 14, 18, 31, 33];

// What a relation between two squares allows, as bits: the two for lines are the sliders' type bits.
pub(super) const BY_DIAGONAL: u8 = 1;
pub(super) const BY_STRAIGHT: u8 = 2;
pub(super) const BY_JUMP: u8 = 4;
pub(super) const BY_STEP: u8 = 8;

/// A piece code's place in tables of sixteen: Black's types, then White's.
pub(super) const fn index(code: u8) -> usize {
    ((code >> 7) << 3 | code & 7) as usize
}

/// The step of a side's pawns.
pub(super) const fn forward(white: bool) -> u8 {
    if white { 0xf0 } else { 0x10 }
}

/// The square a step away; the caller looks whether a guard is there.
pub(super) const fn step(square: u8, by: i8) -> u8 {
    square.wrapping_add(by as u8)
}

/// The code of a piece.
pub(super) const fn code(white: bool, kind: u8) -> u8 {
    CODE | kind | if white { WHITE } else { 0 }
}

pub(super) fn code_of(piece: Piece) -> u8 {
    let kind = match piece.kind {
        PieceKind::Pawn => PAWN,
        PieceKind::Knight => KNIGHT,
        PieceKind::Bishop => BISHOP,
        PieceKind::Rook => ROOK,
        PieceKind::Queen => QUEEN,
        PieceKind::King => KING,
    };
    code(piece.color == Color::White, kind)
}

/// The 0x88 index of a square: row 0 is rank 8.
pub(super) fn x88(square: Square) -> u8 {
    (7 - square.rank()) * 16 + square.file()
}

/// The square of a 0x88 index; `None` off the board.
pub(super) fn from_x88(index: u8) -> Option<Square> {
    (index & 0x88 == 0).then(|| Square::new(index & 7, 7 - (index >> 4)))
}

struct Relations {
    by: [u8; 256],
    step: [i8; 256],
}

static RELATIONS: Relations = relations();

/// How a piece on `from` could reach `to` on an empty board: `BY_...` bits, 0 if the two are unrelated.
pub(super) fn relation(from: u8, to: u8) -> u8 {
    RELATIONS.by[to.wrapping_sub(from).wrapping_add(0x77) as usize]
}

/// The step that leads from one square to another in line with it; 0 if they are not in line.
pub(super) fn line_step(from: u8, to: u8) -> i8 {
    RELATIONS.step[to.wrapping_sub(from).wrapping_add(0x77) as usize]
}

const fn relations() -> Relations {
    let mut table = Relations { by: [0; 256], step: [0; 256] };
    let mut direction = 0;
    while direction < 8 {
        let mut distance = 1;
        while distance < 8 {
            let place = (0x77 + DIRECTIONS[direction] as i32 * distance) as usize & 0xff;
            table.by[place] |= if direction < 4 { BY_STRAIGHT } else { BY_DIAGONAL };
            table.step[place] = DIRECTIONS[direction];
            if distance == 1 {
                table.by[place] |= BY_STEP;
            }
            distance += 1;
        }
        let jump = (0x77 + JUMPS[direction] as i32) as usize & 0xff;
        table.by[jump] |= BY_JUMP;
        direction += 1;
    }
    table
}
