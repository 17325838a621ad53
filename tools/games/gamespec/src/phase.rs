//! Play in the format's own phases: `idle`, `transforming`, `over`. A transformation is chosen in a
//! step of its own here; as a `Game` the same position takes move and choice in one.

use thiserror::Error;

use super::position::{Move, Position};
use tempo_boardgame::{Game, Outcome, Square};

/// The input that the game waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// A move.
    Idle,
    /// A choice of piece (by index) for the piece that moved to this square.
    Transforming {
        /// The square it moved to.
        square: Square,
        /// The pieces to choose from.
        options: Vec<usize>,
    },
    /// Nothing: the game is over.
    Over(Outcome),
}

/// A game played phase by phase.
#[derive(Debug, Clone)]
pub struct Session {
    position: Position,
    /// The moves that differ in their option alone, while one of them is to be chosen.
    pending: Vec<Move>,
}

/// Why a step is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No legal move has these squares and this definition.
    #[error("there is no such legal move")]
    NotLegal,
    /// The last move still waits for its choice of piece.
    #[error("a piece must be chosen first")]
    ChoiceDue,
    /// No move waits for a choice of piece.
    #[error("nothing is being transformed")]
    NoChoiceDue,
    /// The piece is not one of those offered.
    #[error("this piece is not among the options")]
    NotAnOption,
}

impl Session {
    /// Starts at a position.
    pub fn new(position: Position) -> Session {
        Session { position, pending: Vec::new() }
    }

    /// The position; while transforming, the one before the move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The input that the game waits for.
    pub fn phase(&mut self) -> Phase {
        if let Some(&first) = self.pending.first() {
            let options = self.pending.iter().filter_map(|&mv| self.position.option_of(mv)).collect();
            return Phase::Transforming { square: self.position.ends_of(first).1, options };
        }
        match self.position.outcome() {
            Some(outcome) => Phase::Over(outcome),
            None => Phase::Idle,
        }
    }

    /// Moves by the definition `id`; with a transformation the turn waits for `transform`.
    pub fn play(&mut self, from: Square, to: Square, id: i64) -> Result<Phase, Refusal> {
        if !self.pending.is_empty() {
            return Err(Refusal::ChoiceDue);
        }
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        moves.retain(|&mv| self.position.ends_of(mv) == (from, to) && self.position.id_of(mv) == id);
        match moves.as_slice() {
            [] => return Err(Refusal::NotLegal),
            &[mv] if self.position.option_of(mv).is_none() => {
                self.position.make(mv);
            }
            _ => self.pending = moves,
        }
        Ok(self.phase())
    }

    /// Chooses the piece; the turn ends.
    pub fn transform(&mut self, piece: usize) -> Result<Phase, Refusal> {
        if self.pending.is_empty() {
            return Err(Refusal::NoChoiceDue);
        }
        let fits = |mv: &&Move| self.position.option_of(**mv) == Some(piece);
        let mv = *self.pending.iter().find(fits).ok_or(Refusal::NotAnOption)?;
        self.pending.clear();
        self.position.make(mv);
        Ok(self.phase())
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_transformation_is_a_phase_of_the_same_turn() {
        let text = br#"{
            "name": "CROWN", "board": {"dimensions": [1, 2]},
            "players": [{"name": "A", "direction": [[1,0],[0,1]],
                         "starting_positions": [{"piece": "MAN", "positions": [[0,0]]}]}],
            "turns": {"order": ["A"]},
            "pieces": [{"code": "MAN", "moves": [{"id": 4, "step": [0,1],
                "actions": [{"state": "EMPTY", "action": "MOVE"}],
                "modifiers": [{"action": "TRANSFORM", "options": ["KING", "MAN"]}]}]},
                {"code": "KING", "moves": []}]
        }"#;
        let mut session = Session::new(crate::load(text).unwrap());
        assert_eq!(session.phase(), Phase::Idle);
        assert_eq!(session.transform(0), Err(Refusal::NoChoiceDue));
        assert_eq!(session.play(Square(0), Square(1), 5), Err(Refusal::NotLegal));
        let waiting = Phase::Transforming { square: Square(1), options: vec![1, 0] };
        assert_eq!(session.play(Square(0), Square(1), 4), Ok(waiting));
        assert_eq!(session.play(Square(0), Square(1), 4), Err(Refusal::ChoiceDue));
        assert_eq!(session.transform(7), Err(Refusal::NotAnOption));
        let over = Phase::Over(Outcome::Draw { reason: crate::reason::NO_MOVES });
        assert_eq!(session.transform(1), Ok(over));
        let placed = session.position().pieces().next().unwrap();
        assert_eq!((placed.piece, placed.moves), (1, 0));
    }
}
