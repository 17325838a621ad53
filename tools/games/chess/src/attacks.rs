//! Which squares a piece attacks, given what is on the board.
//! Leapers are tables. A slider's line is worked out from the occupied squares on it: subtracting the
//! slider from them flips every bit up to the first blocker, and the same on the mirrored board looks
//! the other way. Ranks do not mirror under a byte swap and use a small table. Nothing here knows
//! whose turn it is.

use super::{Bitboard, Color, Square};

const DIAGONAL_STEPS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const STRAIGHT_STEPS: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: [u64; 64] = leaps(&KNIGHT_STEPS);
static KING: [u64; 64] = leaps(&KING_STEPS);
static PAWN: [[u64; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

/// The lines through a square, without the square.
static FILES: [u64; 64] = lines((0, 1));
static DIAGONALS: [u64; 64] = lines((1, 1));
static ANTIDIAGONALS: [u64; 64] = lines((1, -1));

static DIAGONAL_RAYS: [u64; 64] = rays(&DIAGONAL_STEPS);
static STRAIGHT_RAYS: [u64; 64] = rays(&STRAIGHT_STEPS);

/// By column, then by the six inner bits of the rank's occupation.
static RANKS: [[u8; 64]; 8] = rank_attacks();

/// The squares strictly between two on a line, else none.
static BETWEEN: [[u64; 64]; 64] = between_table();

/// The whole line through two squares, both included, else none.
static LINE: [[u64; 64]; 64] = line_table();

/// The squares a knight attacks.
pub fn knight(from: Square) -> Bitboard {
    Bitboard(KNIGHT[from.index()])
}

/// The squares a king attacks.
pub fn king(from: Square) -> Bitboard {
    Bitboard(KING[from.index()])
}

/// The squares a pawn of this colour captures on.
pub fn pawn(color: Color, from: Square) -> Bitboard {
    Bitboard(PAWN[color as usize][from.index()])
}

/// The squares a bishop attacks, up to and including the first occupied one on each line.
#[inline]
pub fn bishop(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(
        along(from, DIAGONALS[from.index()], occupied.0)
            | along(from, ANTIDIAGONALS[from.index()], occupied.0),
    )
}

/// The squares a rook attacks, up to and including the first occupied one on each line.
#[inline]
pub fn rook(from: Square, occupied: Bitboard) -> Bitboard {
    let base = from.index() & 56;
    let inner = (occupied.0 >> (base + 1)) & 63;
    let rank = u64::from(RANKS[usize::from(from.file())][inner as usize]) << base;
    Bitboard(along(from, FILES[from.index()], occupied.0) | rank)
}

/// The squares a bishop would attack on an empty board.
pub(super) fn diagonal_rays(from: Square) -> Bitboard {
    Bitboard(DIAGONAL_RAYS[from.index()])
}

/// The squares a rook would attack on an empty board.
pub(super) fn straight_rays(from: Square) -> Bitboard {
    Bitboard(STRAIGHT_RAYS[from.index()])
}

/// The squares strictly between two on one line; none if they share no line.
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

/// The whole line through two squares; none if they share none.
pub(super) fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.index()][b.index()])
}

#[inline]
fn along(from: Square, line: u64, occupied: u64) -> u64 {
    let slider = 1u64 << from.index();
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider);
    let down = blockers.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
    (up ^ down) & line
}

const fn on_board(file: i8, rank: i8) -> bool {
    0 <= file && file < 8 && 0 <= rank && rank < 8
}

const fn bit(file: i8, rank: i8) -> u64 {
    1 << (rank * 8 + file)
}

const fn leaps(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square as i8 % 8, square as i8 / 8);
        let mut i = 0;
        while i < steps.len() {
            let (to_file, to_rank) = (file + steps[i].0, rank + steps[i].1);
            if on_board(to_file, to_rank) {
                table[square] |= bit(to_file, to_rank);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares from one edge to the other in a direction, the first square not included.
const fn ray(square: usize, step: (i8, i8)) -> u64 {
    let (mut file, mut rank) = (square as i8 % 8 + step.0, square as i8 / 8 + step.1);
    let mut squares = 0;
    while on_board(file, rank) {
        squares |= bit(file, rank);
        (file, rank) = (file + step.0, rank + step.1);
    }
    squares
}

const fn lines(step: (i8, i8)) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray(square, step) | ray(square, (-step.0, -step.1));
        square += 1;
    }
    table
}

const fn rays(steps: &[(i8, i8); 4]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 4 {
            table[square] |= ray(square, steps[i]);
            i += 1;
        }
        square += 1;
    }
    table
}

const fn rank_attacks() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u8) << 1;
            let mut to = file as i8 + 1;
            while to < 8 {
                table[file][inner] |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
                to += 1;
            }
            to = file as i8 - 1;
            while to >= 0 {
                table[file][inner] |= 1 << to;
                if occupied >> to & 1 != 0 {
                    break;
                }
                to -= 1;
            }
            inner += 1;
        }
        file += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 8 {
            let (step_file, step_rank) = KING_STEPS[i];
            let (mut file, mut rank) = (square as i8 % 8 + step_file, square as i8 / 8 + step_rank);
            let mut passed = 0;
            while on_board(file, rank) {
                table[square][(rank * 8 + file) as usize] = passed;
                passed |= bit(file, rank);
                (file, rank) = (file + step_file, rank + step_rank);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

const fn line_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < 8 {
            let step = KING_STEPS[i];
            let whole = ray(square, step) | ray(square, (-step.0, -step.1)) | 1 << square;
            let mut rest = ray(square, step);
            while rest != 0 {
                table[square][rest.trailing_zeros() as usize] = whole;
                rest &= rest - 1;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks square by square: slow, and plainly right.
    fn walk(from: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for &(files, ranks) in steps {
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                reached = reached.with(next);
                if occupied.has(next) {
                    break;
                }
                at = next;
            }
        }
        reached
    }

    #[test]
    fn sliders_agree_with_walking() {
        let mut seed = 1u64;
        for round in 0..200 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let noise = seed ^ seed >> 29;
            // Sparse, half full and crowded boards by turns.
            let occupied = Bitboard(match round % 3 {
                0 => noise & noise.rotate_left(17) & noise.rotate_left(31),
                1 => noise,
                _ => noise | noise.rotate_left(23),
            });
            for from in Square::all() {
                assert_eq!(bishop(from, occupied), walk(from, occupied, &DIAGONAL_STEPS), "bishop {from}");
                assert_eq!(rook(from, occupied), walk(from, occupied, &STRAIGHT_STEPS), "rook {from}");
            }
        }
    }

    #[test]
    fn between_and_line_are_symmetric() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                assert_eq!(between(a, b) & line(a, b), between(a, b));
            }
        }
        let square = |text: &str| text.parse::<Square>().expect("a square");
        assert_eq!(between(square("a1"), square("d4")).count(), 2);
        assert_eq!(line(square("a1"), square("d4")).count(), 8);
        assert_eq!(line(square("a1"), square("b3")), Bitboard::EMPTY);
    }

    #[test]
    fn pawns_capture_forward() {
        let e4: Square = "e4".parse().expect("a square");
        assert_eq!(format!("{:?}", pawn(Color::White, e4)), "{d5, f5}");
        assert_eq!(format!("{:?}", pawn(Color::Black, e4)), "{d3, f3}");
    }
}
