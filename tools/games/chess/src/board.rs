//! A position: pieces, turn, castling rights, en passant square, clocks; and how a move changes it.
//! Knows nothing of earlier positions (`Game` does) nor of FEN (`fen` does).

use super::types::KING_FILE;
use super::{
    Bitboard, CastlingRights, Color, Move, Piece, PieceKind, PromotionSet, Square, Wing, attacks, generate,
    zobrist,
};

/// A position that could be played on: one king each, the side not to move is not in check.
///
/// Invariants: `kinds` and `colors` hold the same squares, one king of each colour; `hash` covers pieces,
/// rights and turn. A board comes from [`Setup::board`](super::Setup::board), FEN, or legal moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub(super) kinds: [Bitboard; 6],
    pub(super) colors: [Bitboard; 2],
    pub(super) turn: Color,
    pub(super) castling: CastlingRights,
    pub(super) en_passant: Option<Square>,
    pub(super) halfmove_clock: u32,
    pub(super) fullmove_number: u32,
    pub(super) hash: u64,
}

/// Everything FIDE compares when it asks whether a position has occurred before: pieces, turn, castling
/// rights, and the en passant square if a capture there is legal. Exact, unlike a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Three planes number the kind on each square, the fourth is White.
    planes: [u64; 4],
    turn: Color,
    castling: CastlingRights,
    en_passant: Option<Square>,
}

impl Default for Board {
    /// The start of a game.
    fn default() -> Board {
        super::START_FEN.parse().expect("the start position is a position")
    }
}

impl Board {
    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The castling rights.
    pub fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square the last move's double step passed over, whether or not a capture there is possible.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last pawn move or capture.
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// 1 at the start, one more after each of Black's moves.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The squares of one colour.
    pub fn pieces_of(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of one kind, both colours.
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// The squares of one kind and colour.
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.pieces_of(color) & self.kind(kind)
    }

    /// All squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// A king's square.
    pub fn king(&self, color: Color) -> Square {
        Square::of(self.pieces(color, PieceKind::King).0.trailing_zeros())
    }

    /// The kind of the piece on a square.
    pub fn kind_at(&self, square: Square) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|&kind| self.kind(kind).has(square))
    }

    /// The colour of the piece on a square.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.pieces_of(color).has(square))
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(Piece { color: self.color_at(square)?, kind: self.kind_at(square)? })
    }

    /// Every piece of `by` that attacks a square, seen through `occupied`.
    pub(super) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.kind(PieceKind::Queen);
        let diagonal = self.kind(PieceKind::Bishop) | queens;
        let straight = self.kind(PieceKind::Rook) | queens;
        (attacks::pawn(!by, square) & self.kind(PieceKind::Pawn)
            | attacks::knight(square) & self.kind(PieceKind::Knight)
            | attacks::king(square) & self.kind(PieceKind::King)
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & straight)
            & self.pieces_of(by)
    }

    /// Whether a piece of `by` attacks the square. Pinned pieces attack too.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        !self.attackers(square, by, self.occupied()).is_empty()
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Every legal move, in an order that equal positions share.
    pub fn legal_moves(&self, promotions: PromotionSet) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        generate::list(self, promotions, &mut moves);
        moves
    }

    /// The number of legal moves, without listing them.
    pub fn count_legal_moves(&self, promotions: PromotionSet) -> u64 {
        generate::count(self, promotions)
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move, promotions: PromotionSet) -> bool {
        self.color_at(mv.from) == Some(self.turn) && self.legal_moves(promotions).contains(&mv)
    }

    /// The en passant square if a capture there is legal now: what FIDE and simplified FEN look at.
    pub fn legal_en_passant(&self) -> Option<Square> {
        self.en_passant.filter(|_| !generate::en_passant_captors(self).is_empty())
    }

    /// The key that repetition compares.
    pub fn identity(&self) -> Identity {
        let [pawn, knight, bishop, rook, queen, king] = self.kinds.map(|squares| squares.0);
        Identity {
            planes: [pawn | bishop | queen, knight | bishop | king, rook | queen | king, self.colors[0].0],
            turn: self.turn,
            castling: self.castling,
            en_passant: self.legal_en_passant(),
        }
    }

    /// A 64-bit hash of the identity: equal positions in FIDE's sense have equal keys.
    pub fn key(&self) -> u64 {
        self.hash ^ self.legal_en_passant().map_or(0, zobrist::en_passant)
    }

    /// Whether no mate can arise, judged by material: bare kings, one knight in all, or only bishops
    /// that all are on squares of one colour.
    pub fn is_dead(&self) -> bool {
        let minor = self.kind(PieceKind::Bishop) | self.kind(PieceKind::Knight);
        if self.occupied() != minor | self.kind(PieceKind::King) {
            return false;
        }
        if !minor.has_many() {
            return true;
        }
        let bishops = self.kind(PieceKind::Bishop);
        self.kind(PieceKind::Knight).is_empty()
            && ((bishops & Bitboard::LIGHT).is_empty() || (bishops & !Bitboard::LIGHT).is_empty())
    }

    /// Whether the move takes a piece, en passant included.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.pieces_of(!self.turn).has(mv.to)
            || self.en_passant == Some(mv.to) && self.kind(PieceKind::Pawn).has(mv.from)
    }

    /// The wing a legal move castles on, if it castles.
    pub fn castling_wing(&self, mv: Move) -> Option<Wing> {
        if !self.kind(PieceKind::King).has(mv.from) || mv.from.file() != KING_FILE {
            return None;
        }
        match mv.to.file() {
            6 => Some(Wing::King),
            2 => Some(Wing::Queen),
            _ => None,
        }
    }

    /// Plays a move that [`legal_moves`](Board::legal_moves) gave for this position.
    ///
    /// To take it back keep a copy: a board is about a hundred bytes, and a copy restores every bit.
    pub fn play(&mut self, mv: Move) {
        let us = self.turn;
        let Some(kind) = self.kind_at(mv.from) else {
            debug_assert!(false, "{mv} starts on an empty square");
            return;
        };
        let piece = Piece { color: us, kind };
        let passed = self.en_passant.take();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);

        if self.pieces_of(!us).has(mv.to) {
            if let Some(victim) = self.kind_at(mv.to) {
                self.toggle(Piece { color: !us, kind: victim }, mv.to);
            }
            self.halfmove_clock = 0;
        }
        if let Some(wing) = self.castling_wing(mv) {
            let rook = Piece { color: us, kind: PieceKind::Rook };
            self.toggle(rook, Square::new(wing.rook_file(), us.home_rank()));
            self.toggle(rook, Square::new(wing.rook_target_file(), us.home_rank()));
        }
        self.toggle(piece, mv.from);
        self.toggle(mv.promotion.map_or(piece, |kind| Piece { color: us, kind }), mv.to);

        if kind == PieceKind::Pawn {
            self.halfmove_clock = 0;
            if passed == Some(mv.to) {
                let beside = Square::new(mv.to.file(), mv.from.rank());
                self.toggle(Piece { color: !us, kind: PieceKind::Pawn }, beside);
            } else if mv.from.rank().abs_diff(mv.to.rank()) == 2 {
                self.en_passant = Some(Square::new(mv.from.file(), (mv.from.rank() + mv.to.rank()) / 2));
            }
        }

        let kept = self.castling.and(rights_kept(mv.from)).and(rights_kept(mv.to));
        if kept != self.castling {
            self.hash ^= zobrist::castling(self.castling) ^ zobrist::castling(kept);
            self.castling = kept;
        }
        if us == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.turn = !us;
        self.hash ^= zobrist::turn(Color::Black);
    }

    /// Puts a piece on an empty square, or takes it off.
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.kinds[piece.kind as usize] ^= bit;
        self.colors[piece.color as usize] ^= bit;
        self.hash ^= zobrist::piece(piece, square);
    }
}

/// The rights that survive a move from or to a square: a king's or rook's home loses its own.
fn rights_kept(square: Square) -> CastlingRights {
    let all = CastlingRights::ALL;
    let color = match square.rank() {
        0 => Color::White,
        7 => Color::Black,
        _ => return all,
    };
    match square.file() {
        0 => all.without(color, Wing::Queen),
        7 => all.without(color, Wing::King),
        KING_FILE => all.without(color, Wing::King).without(color, Wing::Queen),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn key(fen: &str) -> u64 {
        fen.parse::<Board>().expect("a position").key()
    }

    #[test]
    fn the_key_sees_what_fide_sees() {
        // A capture on e3 is legal, is not possible, and is possible but illegal.
        let with_capture = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        assert_ne!(key(with_capture), key("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"));
        assert_eq!(key("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), key("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
        assert_eq!(key("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"), key("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"));
        // Turn and rights count, clocks do not.
        assert_ne!(key("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), key("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
        assert_ne!(key("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), key("4k3/8/8/8/8/8/8/4K2R b - - 0 1"));
        assert_eq!(key("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), key("4k3/8/8/8/8/8/8/4K2R w - - 30 99"));
    }

    #[test]
    fn castling_rights_go_with_king_and_rooks() {
        for (mv, rights) in [
            ("e1e2", "kq"),
            ("e1g1", "kq"),
            ("a1b1", "Kkq"),
            ("h1g1", "Qkq"),
            ("h1h8", "Qq"), // the rook takes its counterpart: both lose theirs
            ("a1a8", "Kk"),
        ] {
            let mut board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("a position");
            board.play(mv.parse().expect("a move"));
            assert_eq!(board.castling().to_string(), rights, "{mv}");
        }
    }
}
