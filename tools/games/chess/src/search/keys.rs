//! The hash keys of the 6502 program: 16 bits from its xorshift generator, 8 more for the table of positions
//! from a shift register. Knows the order of the features; `position` combines their keys.

use std::sync::LazyLock;

use super::geometry::{KING, index};

/// Keys of 24 bits: the program's `zpHashLo`, `zpHashHi` and `zpHashEx`, low byte first.
pub(super) struct Keys {
    /// By [`index`] of the code, and square.
    pub(super) piece: [[u32; 128]; 16],
    /// By the state byte: castling rights and the en passant file.
    pub(super) state: [u32; 256],
    /// Black is to move.
    pub(super) side: u32,
}

/// The part of a key that finds repetitions.
pub(super) const SHORT: u32 = 0xffff;

const TYPES: [u8; 6] = [0, 1, 2, 3, 4, KING];
const RIGHTS: usize = TYPES.len() * 128;
const FILES: usize = RIGHTS + 4;
const SIDE: usize = FILES + 8;

pub(super) static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let mut short: u16 = 0x4d2b;
    let mut extra: u16 = 0xace1;
    let all: Vec<u32> = (0..=SIDE)
        .map(|_| {
            short ^= short << 7;
            short ^= short >> 9;
            short ^= short << 8;
            for _ in 0..8 {
                extra = (extra >> 1) ^ if extra & 1 != 0 { 0xb400 } else { 0 };
            }
            u32::from(short) | u32::from(extra & 0xff) << 16
        })
        .collect();
    let mut keys = Keys { piece: [[0; 128]; 16], state: [0; 256], side: all[SIDE] };
    for (place, kind) in TYPES.into_iter().enumerate() {
        for square in (0..128).filter(|square| square & 0x88 == 0) {
            // White's key of a square is at its index, Black's in the unused half of the row.
            keys.piece[index(0xf8 | kind)][square] = all[place * 128 + square];
            keys.piece[index(0x78 | kind)][square] = all[place * 128 + square + 8];
        }
    }
    for (state, key) in keys.state.iter_mut().enumerate() {
        for (bit, right) in all[RIGHTS..FILES].iter().enumerate() {
            if state >> bit & 1 != 0 {
                *key ^= right;
            }
        }
        if state & 0x80 != 0 {
            *key ^= all[FILES + (state >> 4 & 7)];
        }
    }
    keys
});
