//! Moves as people write them. Writing gives standard algebraic notation, as short as it may be: `e4`,
//! `Nbd7`, `exd6`, `O-O`, `e8=Q+`, `Qh5#`. Reading takes that, the UCI form, and what is found in score
//! sheets: `e2-e4`, `Ng1-f3`, `0-0`, `e8Q`, `ed5`, `exd6 e.p.`, `12.Nf3!?`. Knows one position; `pgn`
//! reads whole games.

use thiserror::Error;

use super::{Board, Move, PieceKind, PromotionSet, Square, Wing};

/// Why a text is not a move that can be played in a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SanError {
    /// The text has not the form of a move.
    #[error("`{text}` is not a move: write it as in Nf3, exd5, e8=Q, O-O, e2-e4 or e7e8q")]
    NoMove {
        /// The text.
        text: String,
    },
    /// No legal move fits.
    #[error("`{text}` is not legal here")]
    Illegal {
        /// The text.
        text: String,
    },
    /// Several legal moves fit.
    #[error("`{text}` may be {}", .moves.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves in shortest notation.
        moves: Vec<String>,
    },
    /// A pawn reaches the last rank, and nothing says what it becomes.
    #[error("`{text}` does not say what the pawn becomes: write `{text}=Q`")]
    NoPromotion {
        /// The text.
        text: String,
    },
}

/// The move in the position it is played from. The move must be legal there.
pub fn write(board: &Board, mv: Move, promotions: PromotionSet) -> String {
    let mut text = body(board, mv, promotions);
    let mut after = board.clone();
    after.play(mv);
    if after.in_check() {
        text.push(if after.count_legal_moves(promotions) == 0 { '#' } else { '+' });
    }
    text
}

/// The one legal move that a text means.
///
/// ```
/// use tempo_chess::{Board, PromotionSet, san};
///
/// let board = Board::default();
/// for text in ["Nf3", "1.Nf3!?", "Ng1-f3", "g1f3", "g1-f3"] {
///     assert_eq!(san::read(&board, text, PromotionSet::All).map(|mv| mv.to_string()), Ok("g1f3".to_string()));
/// }
/// assert!(san::read(&board, "Ke2", PromotionSet::All).is_err());
/// ```
pub fn read(board: &Board, text: &str, promotions: PromotionSet) -> Result<Move, SanError> {
    let shown = || tempo_diagnostics::shortened(text.trim(), 20).into_owned();
    let Some(written) = Written::parse(text) else {
        return Err(SanError::NoMove { text: shown() });
    };
    let legal = board.legal_moves(promotions);
    let mut candidates = Vec::new();
    for reading in written.readings() {
        candidates = legal.iter().copied().filter(|&mv| reading.fits(board, mv)).collect();
        if !candidates.is_empty() {
            break;
        }
    }
    let promotes = candidates.iter().any(|mv| mv.promotion.is_some());
    if promotes && written.promotion.is_none() {
        return Err(SanError::NoPromotion { text: shown() });
    }
    match candidates[..] {
        [] => Err(SanError::Illegal { text: shown() }),
        [mv] => Ok(mv),
        _ => {
            let moves = candidates.iter().map(|&mv| body(board, mv, promotions)).collect();
            Err(SanError::Ambiguous { text: shown(), moves })
        }
    }
}

/// The words of a line of moves: move numbers and `e.p.` are left out, so that every word is a move.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(without_number).filter(|word| !word.is_empty() && !is_en_passant_mark(word))
}

/// The text after `12.` or `12...`; the word itself if it has no number.
pub(super) fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.is_empty() {
        // A bare number: the dot was left out or follows as a separate word.
        return "";
    }
    match rest.strip_prefix(['.', '\u{2026}']) {
        Some(rest) => rest.trim_start_matches(['.', '\u{2026}']),
        None => word,
    }
}

/// Whether a word is the `e.p.` that follows a capture.
pub(super) fn is_en_passant_mark(word: &str) -> bool {
    matches!(word, "e.p." | "e.p" | "ep" | "ep." | "(ep)" | "(e.p.)")
}

/// A move as it is on paper, before it meets a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Written {
    what: What,
    promotion: Option<PieceKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Castles(Wing),
    Moves {
        /// As written; a pawn or any piece without a letter.
        kind: Option<PieceKind>,
        file: Option<u8>,
        rank: Option<u8>,
        to: Square,
    },
}

/// One way to understand a written move.
struct Reading {
    what: What,
    promotion: Option<PieceKind>,
}

impl Written {
    fn parse(text: &str) -> Option<Written> {
        let mut text = without_number(text.trim()).trim_end_matches(['+', '#', '!', '?', ' ']);
        for mark in ["e.p.", "e.p", "ep"] {
            if let Some(rest) = text.strip_suffix(mark) {
                text = rest.trim_end();
                break;
            }
        }
        if !text.is_ascii() || text.len() > 12 {
            return None;
        }
        if let Some(wing) = castling(text) {
            return Some(Written { what: What::Castles(wing), promotion: None });
        }
        let mut bytes: Vec<u8> = text.bytes().collect();
        let promotion = take_promotion(&mut bytes);
        bytes.retain(|byte| !matches!(byte, b'x' | b'X' | b':' | b'-'));
        let (&rank, rest) = bytes.split_last()?;
        let (&file, rest) = rest.split_last()?;
        let to = Square::new(file_of(file)?, rank_of(rank)?);
        let mut rest = rest;
        let mut kind = None;
        if let Some((&first, others)) = rest.split_first() {
            // A small `b` is a file first; the other small letters are not files.
            if let Some(letter) = kind_of(first).filter(|_| first.is_ascii_uppercase()) {
                (kind, rest) = (Some(letter), others);
            } else if let Some(letter) = kind_of(first.to_ascii_uppercase())
                && (file_of(first).is_none() || others.len() >= 2)
                && first != b'p'
            {
                (kind, rest) = (Some(letter), others);
            }
        }
        let (file, rank) = match *rest {
            [] => (None, None),
            [only] => (file_of(only), rank_of(only)),
            [file, rank] => (Some(file_of(file)?), Some(rank_of(rank)?)),
            _ => return None,
        };
        if rest.len() == 1 && file.is_none() && rank.is_none() {
            return None;
        }
        Some(Written { what: What::Moves { kind, file, rank, to }, promotion })
    }

    /// The ways to understand it, the likeliest first.
    fn readings(&self) -> Vec<Reading> {
        let mut readings = vec![Reading { what: self.what, promotion: self.promotion }];
        // `bc4` is a pawn of the b file if that can go there, and a bishop otherwise.
        if let What::Moves { kind: None, file: Some(1), rank: None, to } = self.what {
            let what = What::Moves { kind: Some(PieceKind::Bishop), file: None, rank: None, to };
            readings.push(Reading { what, promotion: self.promotion });
        }
        readings
    }
}

impl Reading {
    fn fits(&self, board: &Board, mv: Move) -> bool {
        match self.what {
            What::Castles(wing) => board.castling_wing(mv) == Some(wing),
            What::Moves { kind, file, rank, to } => {
                let coordinates = file.is_some() && rank.is_some();
                let piece = board.kind_at(mv.from);
                mv.to == to
                    && file.is_none_or(|file| file == mv.from.file())
                    && rank.is_none_or(|rank| rank == mv.from.rank())
                    && match kind {
                        Some(kind) => piece == Some(kind),
                        None => coordinates || piece == Some(PieceKind::Pawn),
                    }
                    // Castling is `O-O`, or the king's two squares in full.
                    && (coordinates || board.castling_wing(mv).is_none())
                    && self.promotion.is_none_or(|kind| mv.promotion == Some(kind))
            }
        }
    }
}

fn castling(text: &str) -> Option<Wing> {
    let plain: Vec<u8> = text.bytes().filter(|&byte| byte != b'-').collect();
    if !plain.iter().all(|byte| matches!(byte, b'O' | b'0' | b'o')) {
        return None;
    }
    match plain.len() {
        2 => Some(Wing::King),
        3 => Some(Wing::Queen),
        _ => None,
    }
}

/// Takes `=Q`, `Q`, `(Q)`, `/Q` or a small letter off the end.
fn take_promotion(bytes: &mut Vec<u8>) -> Option<PieceKind> {
    if bytes.last() == Some(&b')') {
        bytes.pop();
    }
    let last = *bytes.last()?;
    let kind = match last.to_ascii_uppercase() {
        b'Q' => PieceKind::Queen,
        b'R' => PieceKind::Rook,
        b'B' => PieceKind::Bishop,
        b'N' => PieceKind::Knight,
        _ => return None,
    };
    bytes.pop();
    if matches!(bytes.last(), Some(b'=' | b'(' | b'/')) {
        bytes.pop();
    }
    Some(kind)
}

fn kind_of(letter: u8) -> Option<PieceKind> {
    Some(match letter {
        b'P' => PieceKind::Pawn,
        b'N' => PieceKind::Knight,
        b'B' => PieceKind::Bishop,
        b'R' => PieceKind::Rook,
        b'Q' => PieceKind::Queen,
        b'K' => PieceKind::King,
        _ => return None,
    })
}

fn file_of(letter: u8) -> Option<u8> {
    matches!(letter, b'a'..=b'h').then(|| letter - b'a')
}

fn rank_of(digit: u8) -> Option<u8> {
    matches!(digit, b'1'..=b'8').then(|| digit - b'1')
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
            assert_eq!(read(&board, san, PromotionSet::All), Ok(mv), "{fen} {san}");
        }
    }

    /// The move a text means on a board, or the sentence that refuses it.
    fn answer(fen: &str, text: &str) -> String {
        let board: Board = fen.parse().expect("a position");
        read(&board, text, PromotionSet::All).map_or_else(|err| err.to_string(), |mv| mv.to_string())
    }

    #[test]
    fn freedoms_of_writers_are_read() {
        const START: &str = super::super::START_FEN;
        const CASTLES: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        const PASSANT: &str = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
        const PROMOTES: &str = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
        const BISHOP: &str = "4k3/8/8/8/2p5/1P3B2/8/4K3 w - - 0 1";
        for (fen, texts, uci) in [
            (START, "e4 e2-e4 e2e4 1.e4 1. 1...e4 Pe4 Pe2-e4 e4! e4!? e4+", "e2e4"),
            (START, "Nf3 Ngf3 N1f3 Ng1f3 Ng1-f3 nf3 ng1f3 g1f3 g1-f3 1.Nf3 1.Nf3??", "g1f3"),
            (CASTLES, "O-O 0-0 o-o OO O-O+ 0-0! e1g1 e1-g1 Ke1-g1 Ke1g1", "e1g1"),
            (CASTLES, "O-O-O 0-0-0 O-O-O!? e1c1", "e1c1"),
            (CASTLES, "Rh8 Rh1h8 Rh1-h8 Rhh8 rh8 R1h8 Rxh8", "h1h8"),
            (PASSANT, "exd6 ed6 exd6e.p. e5xd6 e5:d6 exd6ep e5d6", "e5d6"),
            (PROMOTES, "exd8=Q exd8Q exd8(Q) exd8/Q ed8=Q ed8q e7d8q e7xd8=Q+", "e7d8q"),
            (PROMOTES, "exd8=N e7d8n", "e7d8n"),
            (BISHOP, "bxc4 bc4 b3xc4", "b3c4"),
            (BISHOP, "bd5 Bd5 bf3d5", "f3d5"),
        ] {
            for text in words(texts) {
                assert_eq!(answer(fen, text), uci, "{text}");
            }
        }
        assert_eq!(answer(PASSANT, "exd6 e.p."), "e5d6");
        assert_eq!(
            words("1. e4 e5 2.Nf3 2...Nc6 3 d5 exd6 e.p.").collect::<Vec<_>>().join(" "),
            "e4 e5 Nf3 Nc6 d5 exd6"
        );
    }

    #[test]
    fn what_is_refused_says_why() {
        let start = super::super::START_FEN;
        for text in ["", "e9", "xyz", "Z0", "--", "Nf3f3f3", "é4", "O-O-O-O", "e8=K", &"N".repeat(500)] {
            assert!(answer(start, text).contains("is not a move"), "{text}: {}", answer(start, text));
        }
        for text in ["Ke2", "e5", "O-O", "e1g1", "Nf6", "exd3", "a2a5"] {
            assert_eq!(answer(start, text), format!("`{text}` is not legal here"));
        }
        let knights = "4k3/8/8/8/8/8/1N3N2/4K3 w - - 0 1";
        assert_eq!(answer(knights, "Nd1"), "`Nd1` may be Nbd1 or Nfd1");
        assert_eq!(
            answer("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e8"),
            "`e8` does not say what the pawn becomes: write `e8=Q`"
        );
    }
}
