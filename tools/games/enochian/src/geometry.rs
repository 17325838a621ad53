//! Where pieces reach on an 8×8 board: tables made at compile time, and rays cut at the first blocker.
//! Knows squares and directions; knows no armies.

use super::pieces::{Compass, Square};

/// The square sets of a leaper, by starting square.
pub(crate) struct Leaps([u64; 64]);

impl Leaps {
    #[inline]
    pub(crate) fn from(&self, square: Square) -> u64 {
        self.0[square.index()]
    }
}

pub(crate) static KING: Leaps =
    leaps(&[(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]);
pub(crate) static QUEEN: Leaps =
    leaps(&[(2, 0), (-2, 0), (0, 2), (0, -2), (2, 2), (2, -2), (-2, 2), (-2, -2)]);
pub(crate) static KNIGHT: Leaps =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);

/// The squares a pawn strikes, by marching direction.
static STRIKES: [Leaps; 4] = [
    leaps(&[(-1, 1), (1, 1)]),
    leaps(&[(1, -1), (1, 1)]),
    leaps(&[(-1, -1), (1, -1)]),
    leaps(&[(-1, -1), (-1, 1)]),
];

/// The two squares diagonally in front of a pawn that marches this way.
#[inline]
pub(crate) fn strikes(compass: Compass, square: Square) -> u64 {
    STRIKES[compass as usize].from(square)
}

/// All squares one step this way from a set, without wrapping around an edge.
#[inline]
pub(crate) fn advance(compass: Compass, set: u64) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    match compass {
        Compass::North => set << 8,
        Compass::East => (set << 1) & !FILE_A,
        Compass::South => set >> 8,
        Compass::West => (set & !FILE_A) >> 1,
    }
}

/// The squares that a rook on the square sees, up to and including the first blocker.
#[inline]
pub(crate) fn rook_sight(square: Square, occupied: u64) -> u64 {
    let s = square.index();
    upward(&RAYS[0], s, occupied)
        | upward(&RAYS[1], s, occupied)
        | downward(&RAYS[4], s, occupied)
        | downward(&RAYS[5], s, occupied)
}

/// The squares that a bishop on the square sees.
#[inline]
pub(crate) fn bishop_sight(square: Square, occupied: u64) -> u64 {
    let s = square.index();
    upward(&RAYS[2], s, occupied)
        | upward(&RAYS[3], s, occupied)
        | downward(&RAYS[6], s, occupied)
        | downward(&RAYS[7], s, occupied)
}

/// Rays from each square to the edge: four that rise in index, then their opposites.
static RAYS: [[u64; 64]; 8] =
    [ray(0, 1), ray(1, 0), ray(1, 1), ray(-1, 1), ray(0, -1), ray(-1, 0), ray(-1, -1), ray(1, -1)];

#[inline]
fn upward(rays: &[u64; 64], s: usize, occupied: u64) -> u64 {
    // With bit 63 as a stand-in blocker no branch is needed: its own ray is empty.
    let first = ((rays[s] & occupied) | 1 << 63).trailing_zeros() as usize;
    rays[s] ^ rays[first & 63]
}

#[inline]
fn downward(rays: &[u64; 64], s: usize, occupied: u64) -> u64 {
    let first = 63 - ((rays[s] & occupied) | 1).leading_zeros() as usize;
    rays[s] ^ rays[first & 63]
}

const fn on_board(file: i8, rank: i8) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}

const fn leaps(offsets: &[(i8, i8)]) -> Leaps {
    let mut table = [0; 64];
    let mut s = 0;
    while s < 64 {
        let mut i = 0;
        while i < offsets.len() {
            let (file, rank) = ((s % 8) as i8 + offsets[i].0, (s / 8) as i8 + offsets[i].1);
            if on_board(file, rank) {
                table[s] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        s += 1;
    }
    Leaps(table)
}

const fn ray(file_step: i8, rank_step: i8) -> [u64; 64] {
    let mut table = [0; 64];
    let mut s = 0;
    while s < 64 {
        let (mut file, mut rank) = ((s % 8) as i8 + file_step, (s / 8) as i8 + rank_step);
        while on_board(file, rank) {
            table[s] |= 1 << (rank * 8 + file);
            file += file_step;
            rank += rank_step;
        }
        s += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        Square::parse(text).expect("a square")
    }

    fn set(squares: &str) -> u64 {
        squares.split(' ').filter(|s| !s.is_empty()).fold(0, |set, s| set | square(s).bit())
    }

    #[test]
    fn sliders_stop_at_the_first_blocker() {
        let occupied = set("d6 f4 b2 h8 a1 d4");
        assert_eq!(rook_sight(square("d4"), occupied), set("d5 d6 e4 f4 d3 d2 d1 c4 b4 a4"));
        assert_eq!(bishop_sight(square("d4"), occupied), set("e5 f6 g7 h8 c5 b6 a7 c3 b2 e3 f2 g1"));
    }

    #[test]
    fn sliders_in_the_corners_reach_the_far_edges() {
        assert_eq!(bishop_sight(square("a1"), 0), set("b2 c3 d4 e5 f6 g7 h8"));
        assert_eq!(bishop_sight(square("h8"), 0), set("a1 b2 c3 d4 e5 f6 g7"));
        assert_eq!(rook_sight(square("h8"), 0).count_ones(), 14);
        assert_eq!(rook_sight(square("a1"), set("h8")).count_ones(), 14);
    }

    #[test]
    fn pawns_do_not_wrap_around() {
        assert_eq!(strikes(Compass::North, square("a2")), set("b3"));
        assert_eq!(strikes(Compass::West, square("a4")), 0);
        assert_eq!(advance(Compass::West, set("a4 b4")), set("a4"));
        assert_eq!(advance(Compass::East, set("h4 g4")), set("h4"));
        assert_eq!(advance(Compass::North, set("h8")), 0);
    }
}
