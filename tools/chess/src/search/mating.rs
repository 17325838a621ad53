//! How near bishop and knight are to mating a bare king, as five tables that the 6502 program has too
//! (`asm/data/mating.asm`). Knows squares, no positions.
//!
//! They are a least squares fit to the plies to mate of the positions that occur when this search plays the ending
//! against perfect defence, with those of the best lines from there. A unit is a fifth of a ply.

/// What a unit is worth in hundredths of a pawn.
pub(super) const UNIT: i16 = 4;

/// How the board is turned, so that a bare king stands in the triangle of a8, h8 and the centre, and a8 has the
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
    [192, 166, 129, 96, 69, 50, 46, 57],
    [0, 126, 91, 56, 32, 25, 35, 0],
    [0, 0, 58, 28, 10, 13, 0, 0],
    [0, 0, 0, 8, 0, 0, 0, 0],
];

/// The king who mates.
pub(super) const KING: [[i16; 8]; 8] = [
    [0, 14, 19, 42, 24, 23, 19, 23],
    [7, 16, 70, 64, 57, 60, 30, 21],
    [16, 74, 67, 73, 63, 64, 38, 31],
    [33, 60, 66, 58, 60, 47, 40, 31],
    [29, 53, 60, 56, 42, 42, 39, 36],
    [32, 38, 52, 47, 47, 44, 40, 33],
    [42, 49, 46, 48, 43, 47, 42, 36],
    [49, 48, 53, 46, 46, 46, 48, 45],
];

/// The knight.
pub(super) const KNIGHT: [[i16; 8]; 8] = [
    [5, 20, 34, 31, 24, 30, 12, 18],
    [6, 38, 29, 48, 34, 36, 20, 27],
    [41, 33, 35, 34, 39, 25, 42, 6],
    [34, 31, 40, 44, 44, 27, 28, 23],
    [25, 27, 45, 32, 16, 32, 17, 26],
    [19, 22, 21, 30, 23, 17, 12, 7],
    [4, 14, 26, 17, 11, 12, 10, 0],
    [3, 2, 15, 8, 15, 7, 0, 1],
];

/// The bishop, by half the steps from a8.
pub(super) const BISHOP: [i16; 8] = [2, 24, 27, 20, 6, 0, 4, 2];

/// The kings, by rows and files between them.
pub(super) const KINGS: [[i16; 8]; 8] = [
    [0, 0, 132, 108, 83, 66, 46, 23],
    [0, 0, 117, 100, 78, 65, 44, 22],
    [132, 117, 95, 86, 71, 58, 37, 20],
    [108, 100, 86, 78, 68, 54, 36, 19],
    [83, 78, 71, 68, 59, 47, 34, 22],
    [66, 65, 58, 54, 47, 44, 22, 11],
    [46, 44, 37, 36, 34, 22, 16, 0],
    [23, 22, 20, 19, 22, 11, 0, 6],
];
