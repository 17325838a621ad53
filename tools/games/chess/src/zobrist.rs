//! Hash keys: one random-looking number per piece and square, castling state, en passant file and turn.
//! The numbers are the same in every build.

use tempo_random::Random;

use super::{CastlingRights, Color, Piece, Square};

const SIZE: usize = 2 * 6 * 64 + 16 + 8 + 1;
static KEYS: [u64; SIZE] = keys();

pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    KEYS[(piece.color as usize * 6 + piece.kind as usize) * 64 + square.index()]
}

pub(super) fn castling(rights: CastlingRights) -> u64 {
    KEYS[768 + usize::from(rights.bits())]
}

pub(super) fn en_passant(square: Square) -> u64 {
    KEYS[784 + usize::from(square.file())]
}

pub(super) fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => KEYS[792],
    }
}

/// Random numbers from a fixed seed.
const fn keys() -> [u64; SIZE] {
    let mut table = [0; SIZE];
    let mut random = Random::new(0x7465_6d70_6f21);
    let mut i = 0;
    while i < SIZE {
        table[i] = random.next_u64();
        i += 1;
    }
    table
}
