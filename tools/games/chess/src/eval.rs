//! The worth of a position at a glance: material, where pieces stand, and how to bring a bare king to the
//! edge. Knows no search. Made to be sensible and cheap, not to be strong.

use super::{Bitboard, Board, Color, PieceKind, Square};

/// The worth of a piece in hundredths of a pawn.
pub fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight => 320,
        PieceKind::Bishop => 330,
        PieceKind::Rook => 500,
        PieceKind::Queen => 950,
        PieceKind::King => 0,
    }
}

/// Own material less the enemy's, for the side to move.
pub fn material(board: &Board) -> i32 {
    let side = |color| -> i32 {
        PieceKind::ALL.into_iter().map(|kind| value(kind) * board.pieces(color, kind).count() as i32).sum()
    };
    side(board.turn()) - side(!board.turn())
}

/// The score for the side to move.
pub fn evaluate(board: &Board) -> i32 {
    let us = board.turn();
    side_score(board, us) - side_score(board, !us) + 8
}

fn side_score(board: &Board, color: Color) -> i32 {
    let mut score = 0;
    for kind in PieceKind::ALL {
        for square in board.pieces(color, kind) {
            score += value(kind) + placement(board, color, kind, square);
        }
    }
    if board.pieces(color, PieceKind::Bishop).has_many() {
        score += 30;
    }
    score + mop_up(board, color)
}

fn placement(board: &Board, color: Color, kind: PieceKind, square: Square) -> i32 {
    let row = i32::from(square.rank().abs_diff(color.home_rank()));
    let centre = centrality(square);
    match kind {
        PieceKind::Pawn => {
            let middle = if matches!(square.file(), 3 | 4) { row * 4 } else { 0 };
            let passed = if is_passed(board, color, square) { row * row * 2 } else { 0 };
            row * 3 + middle + passed
        }
        PieceKind::Knight => centre * 8 - 20,
        PieceKind::Bishop => centre * 4,
        PieceKind::Rook => {
            let seventh = if row == 6 { 20 } else { 0 };
            let file = Bitboard(Bitboard::FILE_A.0 << square.file());
            let open = if (file & board.pieces(color, PieceKind::Pawn)).is_empty() { 15 } else { 0 };
            seventh + open
        }
        PieceKind::Queen => centre * 2,
        // With heavy enemy pieces about the king keeps to its corner; without, it walks to the middle.
        PieceKind::King if board.pieces(!color, PieceKind::Queen).is_empty() => centre * 8,
        PieceKind::King => {
            let tucked_in = if row == 0 && !matches!(square.file(), 3 | 4) { 25 } else { 0 };
            tucked_in - row * 12
        }
    }
}

/// 0 in the corner to 6 in the middle.
fn centrality(square: Square) -> i32 {
    let inward = |at: u8| i32::from(at.min(7 - at));
    inward(square.file()) + inward(square.rank())
}

fn is_passed(board: &Board, color: Color, square: Square) -> bool {
    let file = Bitboard(Bitboard::FILE_A.0 << square.file());
    let beside = Bitboard((file & !Bitboard::FILE_A).0 >> 1 | (file & !Bitboard::FILE_H).0 << 1);
    let ahead = match color {
        Color::White => Bitboard(!0 << (square.rank() * 8) << 8),
        Color::Black => Bitboard((1 << (square.rank() * 8)) - 1),
    };
    ((file | beside) & ahead & board.pieces(!color, PieceKind::Pawn)).is_empty()
}

/// Against a bare king: drive it to the edge and bring the own king near.
fn mop_up(board: &Board, color: Color) -> i32 {
    if board.pieces_of(!color).has_many() || !board.pieces_of(color).has_many() {
        return 0;
    }
    let (ours, theirs) = (board.king(color), board.king(!color));
    let apart =
        i32::from(ours.file().abs_diff(theirs.file())) + i32::from(ours.rank().abs_diff(theirs.rank()));
    (6 - centrality(theirs)) * 15 + (14 - apart) * 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_level_but_for_the_move() {
        assert_eq!(evaluate(&Board::default()), 8);
        assert_eq!(material(&Board::default()), 0);
    }

    #[test]
    fn colours_are_treated_alike() {
        let white: Board = "4k3/8/8/3p4/8/2N5/PP6/R3K3 w - - 0 1".parse().expect("a position");
        let black: Board = "r3k3/pp6/2n5/8/3P4/8/8/4K3 b - - 0 1".parse().expect("a position");
        assert_eq!(evaluate(&white), evaluate(&black));
    }
}
