//! How near bishop and knight are to mating a bare king, as five tables that the 6502 program has too
//! (`asm/data/mating.asm`). Knows squares, no positions.
//!
//! They are a least squares fit to the plies to mate of the positions that occur when this search plays the ending
//! against perfect defence, with those of the best lines from there. A unit is a fifth of a ply.

/// The value of a unit in hundredths of a pawn.
pub(super) const UNIT: i16 = 4;

/// How the board is turned, so that a bare king is in the triangle of a8, h8 and the centre, and a8 has the
/// bishop's colour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    /// Applied first: the other files if the bishop's squares are dark.
    mirror: u8,
    /// Rows become files.
    swap: bool,
    /// Applied last: rows and files the other way round.
    flip: u8,
}

impl Turn {
    /// The one that fits a bare king on a square.
    pub(super) fn of(bare: u8, light: bool) -> Turn {
        let mirror = if light { 0 } else { 7 };
        let (row, file) = ((bare ^ mirror) >> 4, (bare ^ mirror) & 7);
        let (below, beyond) = (file < row, row + file > 7);
        Turn { mirror, swap: below != beyond, flip: if beyond { 0x77 } else { 0 } }
    }

    fn square(self, square: u8) -> u8 {
        let mirrored = square ^ self.mirror;
        let swapped = if self.swap { mirrored.rotate_right(4) } else { mirrored };
        swapped ^ self.flip
    }

    /// The entry of a table by rows and files for a square of the board that is not turned.
    pub(super) fn look_up<const ROWS: usize>(self, table: &[[i16; 8]; ROWS], square: u8) -> i16 {
        let square = self.square(square);
        table[usize::from(square >> 4)][usize::from(square & 7)]
    }

    /// Steps from a8, as a rook goes.
    pub(super) fn along(self, square: u8) -> usize {
        let square = self.square(square);
        usize::from((square >> 4) + (square & 7))
    }
}

/// The bare king.
pub(super) const BARE: [[i16; 8]; 4] = [
    [200, 174, 136, 106, 79, 59, 53, 61],
    [0, 131, 100, 63, 39, 28, 39, 0],
    [0, 0, 66, 39, 12, 15, 0, 0],
    [0, 0, 0, 7, 0, 0, 0, 0],
];

/// The king who mates.
pub(super) const KING: [[i16; 8]; 8] = [
    [0, 7, 16, 40, 36, 25, 20, 20],
    [2, 18, 62, 54, 53, 57, 20, 19],
    [6, 65, 60, 67, 56, 57, 30, 35],
    [31, 52, 60, 46, 53, 42, 37, 24],
    [26, 60, 59, 50, 42, 40, 33, 35],
    [31, 36, 55, 45, 42, 40, 40, 30],
    [41, 47, 46, 52, 42, 44, 40, 33],
    [47, 48, 51, 46, 45, 43, 43, 42],
];

/// The knight.
pub(super) const KNIGHT: [[i16; 8]; 8] = [
    [10, 19, 43, 36, 25, 37, 20, 17],
    [8, 41, 32, 49, 36, 39, 22, 38],
    [48, 38, 35, 39, 42, 25, 48, 4],
    [36, 30, 44, 47, 45, 32, 30, 25],
    [30, 26, 48, 30, 17, 34, 17, 27],
    [15, 30, 15, 30, 24, 17, 13, 10],
    [7, 15, 26, 16, 12, 14, 8, 3],
    [5, 5, 11, 6, 18, 6, 2, 0],
];

/// The bishop, by half the steps from a8.
pub(super) const BISHOP: [i16; 8] = [4, 23, 26, 21, 6, 0, 4, 0];

/// The kings, by rows and files between them.
pub(super) const KINGS: [[i16; 8]; 8] = [
    [0, 0, 134, 105, 77, 63, 50, 22],
    [0, 0, 119, 99, 77, 61, 43, 23],
    [134, 119, 97, 86, 69, 57, 37, 20],
    [105, 99, 86, 80, 67, 54, 36, 16],
    [77, 77, 69, 67, 56, 45, 30, 15],
    [63, 61, 57, 54, 45, 42, 24, 9],
    [50, 43, 37, 36, 30, 24, 16, 0],
    [22, 23, 20, 16, 15, 9, 0, 3],
];
