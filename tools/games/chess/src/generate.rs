//! The legal moves of a position, listed or only counted, without playing one to test it.
//!
//! One look along the king's lines finds the pieces that give check and those that are pinned. In check
//! every other piece must capture the checker or step between; a pinned piece stays on its line. Only en
//! passant needs more, because two pieces leave one rank at once. The rules are written once, and a
//! [`Sink`] either lists the moves or adds up their number.

use super::types::KING_FILE;
use super::{Bitboard, Board, Color, Move, PieceKind, PromotionSet, Square, Wing, attacks};

/// Appends every legal move.
pub(super) fn list(board: &Board, promotions: PromotionSet, moves: &mut Vec<Move>) {
    generate(board, &mut List { moves, promotions: promotions.kinds() });
}

/// The number of legal moves.
pub(super) fn count(board: &Board, promotions: PromotionSet) -> u64 {
    let mut counter = Counter { moves: 0, promotions: promotions.kinds().len() as u32 };
    generate(board, &mut counter);
    u64::from(counter.moves)
}

/// The receiver of the generated moves.
trait Sink {
    /// A king or piece may go from a square to each of these.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// A pawn reaches each of these from the square `step` below it in index.
    fn pawns(&mut self, targets: Bitboard, step: i8);
    /// The same on the last rank.
    fn promotions(&mut self, targets: Bitboard, step: i8);
}

struct List<'a> {
    moves: &'a mut Vec<Move>,
    promotions: &'static [PieceKind],
}

impl Sink for List<'_> {
    fn piece(&mut self, from: Square, targets: Bitboard) {
        self.moves.extend(targets.map(|to| Move { from, to, promotion: None }));
    }

    fn pawns(&mut self, targets: Bitboard, step: i8) {
        self.moves.extend(targets.map(|to| Move { from: origin(to, step), to, promotion: None }));
    }

    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            let from = origin(to, step);
            self.moves.extend(self.promotions.iter().map(|&kind| Move { from, to, promotion: Some(kind) }));
        }
    }
}

struct Counter {
    moves: u32,
    promotions: u32,
}

impl Sink for Counter {
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.moves += targets.count();
    }

    fn pawns(&mut self, targets: Bitboard, _step: i8) {
        self.moves += targets.count();
    }

    fn promotions(&mut self, targets: Bitboard, _step: i8) {
        self.moves += targets.count() * self.promotions;
    }
}

fn origin(to: Square, step: i8) -> Square {
    Square::of((to.index() as i32 - i32::from(step)) as u32)
}

fn generate<S: Sink>(board: &Board, sink: &mut S) {
    match board.turn {
        Color::White => generate_for::<true, S>(board, sink),
        Color::Black => generate_for::<false, S>(board, sink),
    }
}

fn generate_for<const WHITE: bool, S: Sink>(board: &Board, sink: &mut S) {
    let us = if WHITE { Color::White } else { Color::Black };
    let own = board.pieces_of(us);
    let enemy = board.pieces_of(!us);
    let occupied = own | enemy;
    let king = board.king(us);
    let queens = board.kind(PieceKind::Queen);
    let diagonal = board.kind(PieceKind::Bishop) | queens;
    let straight = board.kind(PieceKind::Rook) | queens;

    let KingLines { checkers, pinned } = king_lines(board, us, king);
    sink.piece(king, king_steps(board, us, king));
    let targets = match checkers.first() {
        None => {
            castle(board, us, sink);
            !own
        }
        // Against two checkers only the king can help.
        Some(_) if checkers.has_many() => return,
        Some(checker) => attacks::between(king, checker) | checkers,
    };
    // The squares a piece may go to: if it is pinned, only those on the line to its king.
    let allowed = |from: Square| {
        if pinned.has(from) { targets & attacks::line(king, from) } else { targets }
    };

    let pawns = board.kind(PieceKind::Pawn) & own;
    pawn_moves::<WHITE, S>(pawns & !pinned, enemy, occupied, targets, sink);
    for from in pawns & pinned {
        pawn_moves::<WHITE, S>(Bitboard::of(from), enemy, occupied, allowed(from), sink);
    }
    if let Some(to) = board.en_passant {
        for from in en_passant_captors(board) {
            sink.piece(from, Bitboard::of(to));
        }
    }
    // A pinned knight never stays on its line.
    for from in board.kind(PieceKind::Knight) & own & !pinned {
        sink.piece(from, attacks::knight(from) & targets);
    }
    for from in diagonal & own & !queens {
        sink.piece(from, attacks::bishop(from, occupied) & allowed(from));
    }
    for from in straight & own & !queens {
        sink.piece(from, attacks::rook(from, occupied) & allowed(from));
    }
    for from in queens & own {
        let reach = attacks::bishop(from, occupied) | attacks::rook(from, occupied);
        sink.piece(from, reach & allowed(from));
    }
}

/// The pieces seen along the lines from a king.
struct KingLines {
    /// Enemy pieces that give check, knights and pawns too.
    checkers: Bitboard,
    /// Own pieces that alone are between the king and an enemy slider.
    pinned: Bitboard,
}

fn king_lines(board: &Board, us: Color, king: Square) -> KingLines {
    let enemy = board.pieces_of(!us);
    let occupied = board.occupied();
    let queens = board.kind(PieceKind::Queen);
    let sliders = attacks::diagonal_rays(king) & (board.kind(PieceKind::Bishop) | queens)
        | attacks::straight_rays(king) & (board.kind(PieceKind::Rook) | queens);
    let mut checkers = attacks::pawn(us, king) & board.kind(PieceKind::Pawn)
        | attacks::knight(king) & board.kind(PieceKind::Knight);
    checkers &= enemy;
    let mut pinned = Bitboard::EMPTY;
    for slider in sliders & enemy {
        let blockers = attacks::between(king, slider) & occupied;
        if blockers.is_empty() {
            checkers = checkers.with(slider);
        } else if !blockers.has_many() {
            pinned |= blockers & board.pieces_of(us);
        }
    }
    KingLines { checkers, pinned }
}

/// The single steps of the king. It does not hide from a slider behind itself.
fn king_steps(board: &Board, us: Color, king: Square) -> Bitboard {
    let without_king = board.occupied().without(king);
    let mut steps = Bitboard::EMPTY;
    for to in attacks::king(king) & !board.pieces_of(us) {
        if !is_attacked_through(board, to, !us, without_king) {
            steps = steps.with(to);
        }
    }
    steps
}

/// As [`Board::is_attacked`], with the quick tests first.
fn is_attacked_through(board: &Board, square: Square, by: Color, occupied: Bitboard) -> bool {
    let enemy = board.pieces_of(by);
    let near = attacks::pawn(!by, square) & board.kind(PieceKind::Pawn)
        | attacks::knight(square) & board.kind(PieceKind::Knight)
        | attacks::king(square) & board.kind(PieceKind::King);
    if !(near & enemy).is_empty() {
        return true;
    }
    let queens = board.kind(PieceKind::Queen);
    let diagonal = (board.kind(PieceKind::Bishop) | queens) & enemy;
    let straight = (board.kind(PieceKind::Rook) | queens) & enemy;
    !(attacks::diagonal_rays(square) & diagonal).is_empty()
        && !(attacks::bishop(square, occupied) & diagonal).is_empty()
        || !(attacks::straight_rays(square) & straight).is_empty()
            && !(attacks::rook(square, occupied) & straight).is_empty()
}

/// Castling out of no check; through and into check is refused here.
fn castle<S: Sink>(board: &Board, us: Color, sink: &mut S) {
    for wing in Wing::ALL {
        if may_castle(board, us, wing) {
            let rank = us.home_rank();
            sink.piece(
                Square::new(KING_FILE, rank),
                Bitboard::of(Square::new(wing.king_target_file(), rank)),
            );
        }
    }
}

/// Whether every condition for castling holds but the one that the king is not in check now.
fn may_castle(board: &Board, us: Color, wing: Wing) -> bool {
    if !board.castling.has(us, wing) {
        return false;
    }
    let rank = us.home_rank();
    let king = Square::new(KING_FILE, rank);
    let rook = Square::new(wing.rook_file(), rank);
    let occupied = board.occupied();
    (attacks::between(king, rook) & occupied).is_empty()
        && [wing.rook_target_file(), wing.king_target_file()]
            .into_iter()
            .all(|file| !is_attacked_through(board, Square::new(file, rank), !us, occupied))
}

/// Pushes, double steps, captures and promotions of a set of pawns, as far as they land on `targets`.
#[inline]
fn pawn_moves<const WHITE: bool, S: Sink>(
    pawns: Bitboard,
    enemy: Bitboard,
    occupied: Bitboard,
    targets: Bitboard,
    sink: &mut S,
) {
    let ahead = |squares: Bitboard| if WHITE { squares.0 << 8 } else { squares.0 >> 8 };
    let third_rank = Bitboard::rank(if WHITE { 2 } else { 5 });
    let to_the_left = (pawns & !Bitboard::FILE_A).0;
    let to_the_right = (pawns & !Bitboard::FILE_H).0;

    let single = Bitboard(ahead(pawns)) & !occupied;
    let double = Bitboard(ahead(single & third_rank)) & !occupied & targets;
    let single = single & targets;
    let prey = enemy & targets;
    let left = Bitboard(if WHITE { to_the_left << 7 } else { to_the_left >> 9 }) & prey;
    let right = Bitboard(if WHITE { to_the_right << 9 } else { to_the_right >> 7 }) & prey;

    let (forward, leftward, rightward) = if WHITE { (8, 7, 9) } else { (-8, -9, -7) };
    let last = Bitboard::END_RANKS;
    sink.pawns(single & !last, forward);
    sink.pawns(double, 2 * forward);
    sink.pawns(left & !last, leftward);
    sink.pawns(right & !last, rightward);
    if !((single | left | right) & last).is_empty() {
        sink.promotions(single & last, forward);
        sink.promotions(left & last, leftward);
        sink.promotions(right & last, rightward);
    }
}

/// The pawns that may capture en passant. Both pawns leave their squares and one lands behind, so the
/// king is looked at again on the board as it would be.
pub(super) fn en_passant_captors(board: &Board) -> Bitboard {
    let Some(to) = board.en_passant else { return Bitboard::EMPTY };
    let us = board.turn;
    let mut captors = Bitboard::EMPTY;
    for from in attacks::pawn(!us, to) & board.pieces(us, PieceKind::Pawn) {
        let victim = Square::new(to.file(), from.rank());
        let occupied = board.occupied().without(from).without(victim).with(to);
        let attackers = board.attackers(board.king(us), !us, occupied);
        if attackers.without(victim).is_empty() {
            captors = captors.with(from);
        }
    }
    captors
}
