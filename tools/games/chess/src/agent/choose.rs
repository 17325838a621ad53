//! Which answer to give: a move some engine advises, or an action where the rules or good sense ask
//! for one. Every answer chosen here passes the judge.

use super::{Answer, State};
use crate::{Claim, Move, eval};

/// An engine's answer to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advice {
    /// The move the search prefers.
    pub best: Move,
    /// For the side to move, in hundredths of a pawn; `None` if the engine gives none.
    pub score: Option<i32>,
}

/// Ahead by more than this, a side plays on instead of claiming a draw.
const WINNING: i32 = 100;
/// Not ahead by more than this, a side takes a draw that is offered.
const LEVEL: i32 = 25;
/// Behind by more than this in score and in pieces, a side resigns.
const HOPELESS: i32 = -2000;

/// The answer for a state. `advise` is asked only while the game goes on; its move must be legal, and
/// if it has none although the rules know moves, the first legal one is played.
pub fn choose<E>(
    state: &State,
    advise: impl FnOnce(&State) -> Result<Option<Advice>, E>,
) -> Result<Answer, E> {
    let game = state.game();
    if let Some(ending) = game.ending() {
        return Ok(Answer::Nothing(ending));
    }
    let moves = game.moves();
    let advice = advise(state)?.filter(|advice| moves.contains(&advice.best));
    let Some(best) = advice.map(|advice| advice.best).or(moves.first().copied()) else {
        // Not reached: without moves the game has ended.
        return Ok(Answer::OfferDraw);
    };
    let score = advice.and_then(|advice| advice.score).unwrap_or_else(|| eval::evaluate(state.board()));
    let us = state.turn();

    if score <= WINNING
        && let Some(claim) = Claim::ALL.into_iter().find(|&claim| game.may_claim(claim))
    {
        return Ok(Answer::Claim(claim));
    }
    let claimable = Claim::ALL.into_iter().any(|claim| game.may_claim(claim));
    if state.draw_offer() == Some(!us) && score <= LEVEL {
        return Ok(Answer::OfferDraw);
    }
    if score <= HOPELESS && eval::material(state.board()) <= HOPELESS && !claimable {
        return Ok(Answer::Resign);
    }
    // A level game that has stood still for a while; asked only now and then, and only of a host
    // that remembers the offer.
    let offer_due = matches!(state.board().halfmove_clock() / 2, 30 | 40);
    if state.tracks_offers() && state.draw_offer().is_none() && offer_due && score.abs() <= LEVEL {
        return Ok(Answer::OfferDraw);
    }
    Ok(Answer::Move(best))
}

/// Every legal answer: the moves, and the actions that are open. Both are empty when the game is over.
pub fn legal_answers(state: &State) -> (Vec<Answer>, Vec<Answer>) {
    let game = state.game();
    if game.ending().is_some() {
        return (Vec::new(), Vec::new());
    }
    let mut moves = game.moves();
    moves.sort_by_key(Move::to_string);
    let claims = || Claim::ALL.into_iter().filter(|&claim| game.may_claim(claim));
    let mut actions: Vec<Answer> = claims().map(Answer::Claim).collect();
    actions.push(Answer::OfferDraw);
    if claims().next().is_none() {
        actions.push(Answer::Resign);
    }
    (moves.into_iter().map(Answer::Move).collect(), actions)
}
