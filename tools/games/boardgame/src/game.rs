//! The trait of a game in play, and the small types around it.

use std::fmt;

use super::BoardView;

/// Who makes a move: index into the game's list of seats (White 0 and Black 1 in chess).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

/// Who wins together: index of a team. Without teams every seat is a separate side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side(pub u8);

/// A square by its index in the board's own order, row 0 at the bottom: `row * columns + column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub u16);

/// How a game ended. The reason is the game's stable word for it, such as `checkmate`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A side has won.
    Win {
        /// The winner.
        side: Side,
        /// The game's word for how.
        reason: &'static str,
    },
    /// No side has won.
    Draw {
        /// The game's word for why.
        reason: &'static str,
    },
}

/// A position in a game that can be played forward and back.
///
/// `make` takes only moves that `legal_moves` gave for this very position, and `unmake` only the
/// undo record of the last `make`; both are then infallible and cheap.
pub trait Game: Clone {
    /// A move; it means something only in the position that listed it.
    type Move: Copy + Eq + fmt::Debug;
    /// The data with which `unmake` restores the position before a `make`.
    type Undo;

    /// The seat whose turn it is.
    fn seat_to_move(&self) -> Seat;

    /// The side a seat plays for.
    fn side_of(&self, seat: Seat) -> Side {
        Side(seat.0)
    }

    /// Appends every legal move, in an order that is the same for equal positions.
    fn legal_moves(&mut self, moves: &mut Vec<Self::Move>);

    /// The number of legal moves; worth overriding where counting is cheaper than listing.
    fn count_legal_moves(&mut self) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u64
    }

    /// Plays a move that `legal_moves` gave for this position.
    fn make(&mut self, mv: Self::Move) -> Self::Undo;
    /// Takes back the last move made; `undo` is what `make` returned for it.
    fn unmake(&mut self, mv: Self::Move, undo: Self::Undo);

    /// The result, if the game is over in this position.
    fn outcome(&mut self) -> Option<Outcome>;

    /// A static score for a side, in hundredths of a pawn or the game's like of it.
    fn evaluate(&self, side: Side) -> i32;

    /// Whether a move should be followed past the search horizon (captures, promotions).
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// How early the search should look at a move: higher first, noisy before quiet unless overridden.
    fn search_order(&self, mv: Self::Move) -> i32 {
        i32::from(self.is_noisy(mv))
    }

    /// Whether the side to move is under a threat it must answer now, as in check. The search then
    /// looks at every move instead of judging the position as it is.
    fn is_threatened(&self) -> bool {
        false
    }

    /// The game as its players know it, for thinking ahead: what chance will bring is left out.
    fn veiled(&self) -> Self {
        self.clone()
    }

    /// Whether the search may take the position for a draw although the game goes on, as on a repetition.
    fn is_as_good_as_drawn(&self) -> bool {
        false
    }

    /// As `outcome`, for a caller that knows whether there are legal moves.
    fn outcome_given_moves(&mut self, has_moves: bool) -> Option<Outcome> {
        let _ = has_moves;
        self.outcome()
    }

    /// The move in the game's text form, in this position.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The move as a person writes it down in this position, such as `Nf3`: for eyes, not for files.
    fn spoken_move(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// Advice for a newcomer to this game, in lines: the names of the pieces, the commands beside moves.
    fn about(&self) -> Vec<String> {
        Vec::new()
    }

    /// The game's word for the draw that the seat to move may claim now, if there is one.
    fn claim(&self) -> Option<&'static str> {
        None
    }

    /// The legal move that has this text.
    fn find_move(&mut self, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| self.move_text(mv) == text)
    }

    /// Where the move starts and ends, for pointing at squares; `None` for a move without squares.
    fn move_squares(&self, mv: Self::Move) -> Option<(Square, Square)>;

    /// The board as a person would see it.
    fn board(&self) -> BoardView;
}
