//! Standard algebraic notation: `e4`, `Nbd7`, `exd6`, `O-O`, `e8=Q+`, `Qh5#`.
//! Reads what it writes, and the usual freedoms: no sign for check, `0-0`, `!?` after the move.

use super::{Board, Move, PieceKind, PromotionSet, Wing};

/// The move in the position it is played from. The move must be legal there.
pub(super) fn write(board: &Board, mv: Move, promotions: PromotionSet) -> String {
    let mut text = body(board, mv, promotions);
    let mut after = board.clone();
    after.play(mv);
    if after.in_check() {
        text.push(if after.count_legal_moves(promotions) == 0 { '#' } else { '+' });
    }
    text
}

/// The legal move with this notation, if there is exactly one.
pub fn parse(board: &Board, text: &str, promotions: PromotionSet) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#', '!', '?']).replace('0', "O");
    let mut fitting = board
        .legal_moves(promotions)
        .into_iter()
        .filter(|&mv| body(board, mv, promotions) == text || over_precise(board, mv).contains(&text));
    let mv = fitting.next()?;
    fitting.next().is_none().then_some(mv)
}

fn body(board: &Board, mv: Move, promotions: PromotionSet) -> String {
    match board.castling_wing(mv) {
        Some(Wing::King) => return "O-O".to_string(),
        Some(Wing::Queen) => return "O-O-O".to_string(),
        None => {}
    }
    match board.kind_at(mv.from) {
        None => String::new(),
        Some(PieceKind::Pawn) if board.is_capture(mv) => {
            format!("{}x{}{}", file_letter(mv), mv.to, promotion(mv))
        }
        Some(PieceKind::Pawn) => format!("{}{}", mv.to, promotion(mv)),
        Some(kind) => {
            let takes = if board.is_capture(mv) { "x" } else { "" };
            format!("{}{}{takes}{}", kind.letter(), origin(board, mv, kind, promotions), mv.to)
        }
    }
}

/// As little of the origin as tells the move from others: nothing, the file, the rank, or both.
fn origin(board: &Board, mv: Move, kind: PieceKind, promotions: PromotionSet) -> String {
    let rivals: Vec<Move> = board
        .legal_moves(promotions)
        .into_iter()
        .filter(|other| other.to == mv.to && other.from != mv.from && board.kind_at(other.from) == Some(kind))
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|other| other.from.file() != mv.from.file()) {
        file_letter(mv).to_string()
    } else if rivals.iter().all(|other| other.from.rank() != mv.from.rank()) {
        (mv.from.rank() + 1).to_string()
    } else {
        mv.from.to_string()
    }
}

/// Forms that say more of the origin than needed, which people write and are not wrong.
fn over_precise(board: &Board, mv: Move) -> Vec<String> {
    let Some(kind) = board.kind_at(mv.from).filter(|&kind| kind != PieceKind::Pawn) else {
        return Vec::new();
    };
    if board.castling_wing(mv).is_some() {
        return Vec::new();
    }
    let takes = if board.is_capture(mv) { "x" } else { "" };
    [file_letter(mv).to_string(), (mv.from.rank() + 1).to_string(), mv.from.to_string()]
        .map(|origin| format!("{}{origin}{takes}{}", kind.letter(), mv.to))
        .to_vec()
}

fn file_letter(mv: Move) -> char {
    char::from(b'a' + mv.from.file())
}

fn promotion(mv: Move) -> String {
    mv.promotion.map_or(String::new(), |kind| format!("={}", kind.letter()))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn notation_is_as_short_as_it_may_be() {
        for (fen, uci, san) in [
            (super::super::START_FEN, "e2e4", "e4"),
            (super::super::START_FEN, "g1f3", "Nf3"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
            ("4k3/8/8/8/8/8/3K4/R6R w - - 0 1", "a1d1", "Rad1"),
            ("R7/7k/8/8/8/8/3K4/R7 w - - 0 1", "a1a4", "R1a4"),
            ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            ("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "e5d6", "exd6"),
            ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8n", "exd8=N"),
            ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", "exd8=Q+"),
            ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#"),
            // The other knight is pinned and cannot go there.
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ] {
            let board: Board = fen.parse().expect("a position");
            let mv: Move = uci.parse().expect("a move");
            assert_eq!(write(&board, mv, PromotionSet::All), san, "{fen}");
            assert_eq!(parse(&board, san, PromotionSet::All), Some(mv), "{fen} {san}");
        }
    }

    #[test]
    fn freedoms_of_writers_are_read() {
        let board: Board = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().expect("a position");
        let read = |text| parse(&board, text, PromotionSet::All).map(|mv| mv.to_string());
        assert_eq!(read("0-0"), Some("e1g1".to_string()));
        assert_eq!(read("O-O-O!?"), Some("e1c1".to_string()));
        assert_eq!(read("Rh1h8"), Some("h1h8".to_string()));
        assert_eq!(read("Rh8"), Some("h1h8".to_string()));
        assert_eq!(read("Ra9"), None);
        assert_eq!(read(""), None);
    }
}
