//! The exchange of prisoners: when two captors may agree on it, and where the kings return (N15, N16).
//! Knows the position alone; who asks and who consents is the business of `session`.

use thiserror::Error;

use super::pieces::{Army, Square, Team};
use super::position::Position;

/// An exchange that the position allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The kings that return, one of each team.
    pub kings: [Army; 2],
    /// Their captors, in the same order; both must agree.
    pub captors: [Army; 2],
}

/// Why no exchange can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// This team has lost no king that could return.
    #[error("no king of team {0} is a prisoner: an exchange needs one captured king of each team (N15)")]
    NoPrisoner(Team),
    /// This team has lost both kings, and with them the game.
    #[error("both kings of team {0} are prisoners: the game is over")]
    TeamLost(Team),
    /// The army that holds the prisoner has lost its own king.
    #[error("{captor}, which holds the king of {king}, has no king of its own in play (N15)")]
    CaptorWithoutKing {
        /// The army that holds it.
        captor: Army,
        /// The army whose king it holds.
        king: Army,
    },
    /// The king of this army finds no free square to return to.
    #[error("the king of {0} has no square to return to: every empty one is attacked (N16)")]
    NoSquare(Army),
}

impl Position {
    /// The one exchange that is possible now: with two captured kings of a team the game is over.
    pub fn exchange_terms(&self) -> Result<Exchange, ExchangeError> {
        let mut terms = Exchange { kings: [Army::Blue; 2], captors: [Army::Blue; 2] };
        for (i, team) in Team::ALL.into_iter().enumerate() {
            let held: Vec<(Army, Army)> = self
                .setup
                .armies(team)
                .into_iter()
                .filter_map(|army| Some((army, self.captor(army)?)))
                .collect();
            match held.as_slice() {
                [] => return Err(ExchangeError::NoPrisoner(team)),
                &[(king, captor)] => {
                    if self.king_square(captor).is_none() {
                        return Err(ExchangeError::CaptorWithoutKing { captor, king });
                    }
                    terms.kings[i] = king;
                    terms.captors[i] = captor;
                }
                _ => return Err(ExchangeError::TeamLost(team)),
            }
        }
        Ok(terms)
    }

    /// Makes the exchange. It takes no turn. On an error nothing has changed.
    pub fn exchange(&mut self) -> Result<[(Army, Square); 2], ExchangeError> {
        let terms = self.exchange_terms()?;
        let mut after = self.clone();
        for king in terms.kings {
            after.frozen &= !king.bit();
            after.captors[king.index()] = None;
        }
        let mut kings = terms.kings;
        kings.sort_by_key(|king| self.order.iter().position(|army| army == king));
        let mut returned = [(kings[0], Square::from_index(0).expect("a1")); 2];
        for (slot, king) in returned.iter_mut().zip(kings) {
            let square = after.return_square(king).ok_or(ExchangeError::NoSquare(king))?;
            after.kings[king.index()] = square.bit();
            *slot = (king, square);
        }
        *self = after;
        Ok(returned)
    }

    /// A throne in listed order, else the nearest square to one; empty and not attacked.
    fn return_square(&self, king: Army) -> Option<Square> {
        let occupied = self.occupied();
        let enemy = self.setup.team(king).other();
        let is_free = |square: &Square| occupied & square.bit() == 0 && !self.is_attacked(*square, enemy);
        let thrones = &self.setup.camp(king).thrones;
        let distance =
            |square: &Square| thrones.iter().map(|throne| throne.king_steps_to(*square)).min().unwrap_or(0);
        // `min_by_key` keeps the first of equals, which is the lowest index.
        thrones.iter().copied().find(is_free).or_else(|| Square::all().filter(is_free).min_by_key(distance))
    }
}
