//! Why a move is not legal, asked in the protocol's order: own piece, own target, castling, pattern,
//! en passant, path, own king, promotion. Looks at the geometry itself and does not ask the move
//! generator, so that the two check each other.

use super::Verdict;
use crate::{Board, Color, Move, PieceKind, Square, Wing, attacks};

/// A verdict on a move, the member of the answer it concerns, and a sentence.
pub(super) type Refusal = (Verdict, &'static str, String);

/// `None` if the move is legal.
pub(super) fn refusal(board: &Board, mv: Move) -> Option<Refusal> {
    let us = board.turn();
    let Move { from, to, .. } = mv;
    let Some(piece) = board.piece_at(from).filter(|piece| piece.color == us) else {
        let found = board.piece_at(from).map_or("is empty".to_string(), |piece| format!("holds a {piece}"));
        return Some((Verdict::NoOwnPiece, "/from", format!("{from} {found}, it is {}'s turn", us.name())));
    };
    if let Some(own) = board.piece_at(to).filter(|own| own.color == us) {
        return Some((
            Verdict::OwnTarget,
            "/to",
            format!("{to} holds {}'s own {}", us.name(), own.kind.name()),
        ));
    }
    let kind = piece.kind;
    if kind == PieceKind::King && from.rank() == to.rank() && from.file().abs_diff(to.file()) == 2 {
        if let Some(reason) = castling_refusal(board, from, to) {
            return Some((Verdict::CastlingRefused, "/to", format!("castling is refused: {reason}")));
        }
        return promotion_refusal(us, kind, mv);
    }
    if let Some(refusal) = pattern_refusal(board, kind, from, to) {
        return Some(refusal);
    }
    if let Some(blocker) = blocker(board, kind, from, to) {
        let text = format!("the way from {from} to {to} is blocked on {blocker}");
        return Some((Verdict::PathBlocked, "/to", text));
    }
    let mut after = board.clone();
    after.play(mv);
    if after.is_attacked(after.king(us), !us) {
        return Some((
            Verdict::SelfCheck,
            "",
            format!("{from} to {to} leaves {}'s king in check", us.name()),
        ));
    }
    promotion_refusal(us, kind, mv)
}

fn castling_refusal(board: &Board, from: Square, to: Square) -> Option<String> {
    let us = board.turn();
    let wing = if to.file() > from.file() { Wing::King } else { Wing::Queen };
    let rank = us.home_rank();
    if !board.castling().has(us, wing) {
        return Some(format!("{} has no right to castle {}", us.name(), wing.name()));
    }
    if from != Square::new(4, rank) {
        return Some(format!("the king is on {from}"));
    }
    let rook = Square::new(wing.rook_file(), rank);
    if let Some(blocker) = (attacks::between(from, rook) & board.occupied()).first() {
        return Some(format!("{blocker} between king and rook is occupied"));
    }
    let passed = Square::new(wing.rook_target_file(), rank);
    let words = [
        "the king is in check on",
        "the king would pass the attacked square",
        "the king would land in check on",
    ];
    [from, passed, to]
        .into_iter()
        .zip(words)
        .find(|&(square, _)| board.is_attacked(square, !us))
        .map(|(square, words)| format!("{words} {square}"))
}

fn pattern_refusal(board: &Board, kind: PieceKind, from: Square, to: Square) -> Option<Refusal> {
    let files = from.file().abs_diff(to.file());
    let ranks = from.rank().abs_diff(to.rank());
    let fits = match kind {
        PieceKind::King => files.max(ranks) == 1,
        PieceKind::Knight => (files, ranks) == (1, 2) || (files, ranks) == (2, 1),
        PieceKind::Bishop => files == ranks,
        PieceKind::Rook => files == 0 || ranks == 0,
        PieceKind::Queen => files == ranks || files == 0 || ranks == 0,
        PieceKind::Pawn => return pawn_refusal(board, from, to),
    };
    (!fits).then(|| bad_pattern(format!("a {} does not move from {from} to {to}", kind.name())))
}

fn pawn_refusal(board: &Board, from: Square, to: Square) -> Option<Refusal> {
    let us = board.turn();
    let forward = (to.rank() as i8 - from.rank() as i8) * us.forward();
    let fits = match (from.file().abs_diff(to.file()), forward) {
        (0, 1) => true,
        (0, 2) => from.rank() == us.pawn_rank(),
        (1, 1) if board.piece_at(to).is_some() || board.en_passant() == Some(to) => true,
        (1, 1) => {
            let beside = Square::new(to.file(), from.rank());
            let enemy_pawn = board.pieces(!us, PieceKind::Pawn).has(beside);
            if enemy_pawn && board.en_passant().is_none() {
                let text = format!("en passant on {to} is not open: `en_passant` is null");
                return Some((Verdict::EnPassantRefused, "/to", text));
            }
            return Some(bad_pattern(format!("a pawn moves diagonally only to capture, and {to} is empty")));
        }
        _ => false,
    };
    (!fits).then(|| bad_pattern(format!("a {} pawn does not move from {from} to {to}", us.name())))
}

fn bad_pattern(message: String) -> Refusal {
    (Verdict::BadPattern, "/to", message)
}

/// The first piece in the way: between the squares, or on the target of a pawn's push.
fn blocker(board: &Board, kind: PieceKind, from: Square, to: Square) -> Option<Square> {
    let mut way = match kind {
        PieceKind::Knight | PieceKind::King => return None,
        _ => attacks::between(from, to),
    };
    if kind == PieceKind::Pawn && from.file() == to.file() {
        way = way.with(to);
    }
    // From the far end the first piece in the way is the last of the set.
    let mut pieces = way & board.occupied();
    if to > from { pieces.next() } else { pieces.last() }
}

fn promotion_refusal(us: Color, kind: PieceKind, mv: Move) -> Option<Refusal> {
    let promotes = kind == PieceKind::Pawn && mv.to.rank() == (!us).home_rank();
    match mv.promotion {
        None if promotes => {
            let text = format!("a pawn on {} must become Q, R, B or N", mv.to);
            Some((Verdict::PromotionMissing, "/promotion", text))
        }
        Some(_) if !promotes => {
            let text = "nothing promotes here, `promotion` must be null".to_string();
            Some((Verdict::PromotionUnexpected, "/promotion", text))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Game, PromotionSet, START_FEN};

    /// Every from, to and promotion in positions of random games: refused exactly if not generated.
    #[test]
    fn geometry_and_generator_agree() {
        let starts = [
            START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/8/8/8/k1Pp3R/8/8/2K5 b - c3 0 1",
            "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ];
        let promotions = [
            None,
            Some(PieceKind::Queen),
            Some(PieceKind::Rook),
            Some(PieceKind::Bishop),
            Some(PieceKind::Knight),
        ];
        let mut seed = 20_260u64;
        for start in starts {
            let mut game = Game::new(start.parse().expect("a position"), PromotionSet::All);
            for _ in 0..30 {
                let legal: HashSet<Move> = game.moves().into_iter().collect();
                let fen = game.board().fen();
                for from in Square::all() {
                    for to in Square::all() {
                        for promotion in promotions {
                            let mv = Move { from, to, promotion };
                            let refused = refusal(game.board(), mv);
                            assert_eq!(refused.is_none(), legal.contains(&mv), "{mv} in {fen}: {refused:?}");
                        }
                    }
                }
                let moves = game.moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                game.play(moves[(seed >> 33) as usize % moves.len()]).expect("a legal move");
            }
        }
    }
}
