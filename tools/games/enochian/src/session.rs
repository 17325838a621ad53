//! A game at the table: a position with its players, offers and answers, and the dice of divination.
//! It is a separate `Game` in which offers, accepting and refusing are actions beside the moves; they
//! take no turn (N15). Knows players; the caller decides where they sit and what they see.

use std::fmt;

use thiserror::Error;

use tempo_boardgame::{BoardView, Game, Outcome, Seat, Side};

use super::book::Players;
use super::divination::Dice;
use super::exchange::ExchangeError;
use super::json::Layout;
use super::movegen::Duty;
use super::pieces::{Army, Move};
use super::play::Undo;
use super::position::{GameResult, Position, Reason};
use super::refusal::Refusal;
use super::setup::Die;

/// The offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Offer {
    /// Both captured kings return.
    Exchange,
    /// The game ends in a draw.
    Draw,
}

impl Offer {
    /// All offers.
    pub const ALL: [Offer; 2] = [Offer::Exchange, Offer::Draw];

    /// The word that makes the offer.
    pub const fn text(self) -> &'static str {
        ["offer-exchange", "offer-draw"][self as usize]
    }
}

/// A player's action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A move, or a pass.
    Move(Move),
    /// An offer to the others.
    Offer(Offer),
    /// Yes to the pending offer.
    Accept,
    /// No to the pending offer.
    Refuse,
}

/// An offer that waits for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// The offer.
    pub offer: Offer,
    /// The army that made it.
    pub by: Army,
    /// The armies still to be asked, as bits.
    waiting: u8,
}

/// Why an action is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ActionError {
    /// The move is not legal.
    #[error(transparent)]
    Move(#[from] Refusal),
    /// The prisoners cannot be exchanged.
    #[error("no exchange: {0}")]
    Exchange(#[from] ExchangeError),
    /// An exchange is offered by an army that holds no prisoner.
    #[error("{speaker} holds no king that could be exchanged: the captors are {} and {} [not-a-captor, reading N15]", .captors[0], .captors[1])]
    NotACaptor {
        /// The army.
        speaker: Army,
        /// The two armies that hold one.
        captors: [Army; 2],
    },
    /// A draw can be offered only after a whole cycle of stalemates.
    #[error(
        "a draw can be agreed only after an unresolved stalemate cycle: an army that is stalemated in two turns running [no-stalemate-cycle]"
    )]
    NoStalemateCycle,
    /// The same offer was refused in this turn.
    #[error("this was offered in this turn already and refused [offered-before]")]
    OfferedBefore,
    /// There is no offer to answer.
    #[error("no offer is waiting for an answer [nothing-offered]")]
    NothingOffered,
    /// Another offer must be answered first.
    #[error("{by} has made an offer: {answers} must accept or refuse it first [offer-waits]")]
    OfferWaits {
        /// Who made it.
        by: Army,
        /// Who must answer.
        answers: Army,
    },
    /// The game is over.
    #[error("the game is over: {0} [game-over]")]
    GameOver(GameResult),
}

/// A game in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    position: Position,
    players: Players,
    /// The seed the dice began with, in a game with divination.
    seed: Option<u64>,
    dice: Option<Dice>,
    /// The rolls for the present turn; the last one counts.
    rolls: Vec<Die>,
    pending: Option<Pending>,
    /// Offers already made in this turn, as bits.
    offered: u8,
    /// How many turns running each army has been stalemated.
    stalls: [u8; 4],
    agreed: bool,
    turns: u32,
    /// After this many turns the table is cleared and the game is a draw.
    limit: Option<u32>,
    /// Whether offers are listed; a player who only thinks makes none.
    is_veiled: bool,
}

/// The data for `Session::unmake`.
#[derive(Debug, Clone)]
pub struct SessionUndo {
    undo: Option<Undo>,
    /// The position before an exchange.
    position: Option<Box<Position>>,
    dice: Option<Dice>,
    rolls: Vec<Die>,
    pending: Option<Pending>,
    offered: u8,
    stalls: [u8; 4],
    agreed: bool,
}

impl Session {
    /// A game from this position. With a seed it is played by divination, and the first army's throw is
    /// made at once.
    pub fn new(position: Position, players: Players, seed: Option<u64>) -> Session {
        let mut session = Session {
            position,
            players,
            seed,
            dice: seed.map(Dice::seeded),
            rolls: Vec::new(),
            pending: None,
            offered: 0,
            stalls: [0; 4],
            agreed: false,
            turns: 0,
            limit: None,
            is_veiled: false,
        };
        session.throw();
        session
    }

    /// Ends the game as a draw after this many turns, for games without a spectator.
    pub fn limit_turns(&mut self, turns: u32) {
        self.limit = Some(turns);
    }

    /// The seed of the dice, in a game with divination.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The position as JSON, with `result` once the game is over by rule or by agreement.
    pub fn to_json(&self, layout: Layout) -> String {
        self.position.to_json_with(layout, self.result())
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Who plays which armies.
    pub fn players(&self) -> &Players {
        &self.players
    }

    /// The rolls for the present turn.
    pub fn rolls(&self) -> &[Die] {
        &self.rolls
    }

    /// The offer that waits for answers.
    pub fn pending(&self) -> Option<Pending> {
        self.pending
    }

    /// How the game ended, by rule, agreement or limit.
    pub fn result(&self) -> Option<GameResult> {
        if self.agreed {
            return Some(GameResult::Draw { reason: Reason::Agreement });
        }
        let by_rule = self.position.result();
        let too_long = self.limit.is_some_and(|limit| self.turns >= limit);
        by_rule.or(too_long.then_some(GameResult::Draw { reason: Reason::TurnLimit }))
    }

    /// The army that has to act: the next to answer an offer, else the one on turn.
    pub fn acting(&self) -> Army {
        match self.pending {
            Some(pending) => self.answers(pending),
            None => self.position.turn(),
        }
    }

    /// The player who decides for an army: that of its commander.
    pub fn player_of(&self, army: Army) -> usize {
        self.players.of(self.position.commander(army))
    }

    /// The action that a text names, or why it is refused.
    pub fn parse_action(&self, text: &str) -> Result<Action, ActionError> {
        if let Some(result) = self.result() {
            return Err(ActionError::GameOver(result));
        }
        let offer = Offer::ALL.into_iter().find(|offer| offer.text() == text);
        match (self.pending, text) {
            (Some(_), "accept") => Ok(Action::Accept),
            (Some(_), "refuse") => Ok(Action::Refuse),
            (None, "accept" | "refuse") => Err(ActionError::NothingOffered),
            (Some(pending), _) => {
                Err(ActionError::OfferWaits { by: pending.by, answers: self.answers(pending) })
            }
            (None, _) => match offer {
                Some(offer) => self.terms(offer).map(|_| Action::Offer(offer)),
                None => Ok(Action::Move(self.position.parse_move(text)?)),
            },
        }
    }

    /// Does what a text names.
    pub fn act(&mut self, text: &str) -> Result<(), ActionError> {
        let action = self.parse_action(text)?;
        self.make(action);
        Ok(())
    }

    /// Whether an army has been stalemated for a whole cycle, so that everybody may agree to halt.
    pub fn has_stalemate_cycle(&self) -> bool {
        let turn = self.position.turn();
        self.stalls.iter().any(|&count| count >= 2)
            || self.stalls[turn.index()] >= 1 && self.position.duty() == Duty::Stalemate
    }

    /// Who makes the offer, and who must agree to it.
    fn terms(&self, offer: Offer) -> Result<Pending, ActionError> {
        let turn = self.position.turn();
        let player = self.player_of(turn);
        let pending = match offer {
            Offer::Exchange => {
                let captors = self.position.exchange_terms()?.captors;
                // The exchange itself is tried, so that an offer which cannot be kept is not made.
                self.position.clone().exchange()?;
                let own = captors.iter().position(|&captor| self.player_of(captor) == player);
                let Some(own) = own else {
                    return Err(ActionError::NotACaptor { speaker: self.position.commander(turn), captors });
                };
                Pending { offer, by: captors[own], waiting: captors[1 - own].bit() }
            }
            Offer::Draw => {
                if !self.has_stalemate_cycle() {
                    return Err(ActionError::NoStalemateCycle);
                }
                Pending { offer, by: turn, waiting: self.everybody_else(player) }
            }
        };
        if self.offered & 1 << offer as u8 != 0 {
            return Err(ActionError::OfferedBefore);
        }
        Ok(pending)
    }

    /// One army of every other player who decides for an army in play.
    fn everybody_else(&self, player: usize) -> u8 {
        let mut asked = vec![player];
        let mut waiting = 0;
        for army in self.position.turn_order() {
            let other = self.player_of(army);
            if self.position.is_in_play(army) && !asked.contains(&other) {
                asked.push(other);
                waiting |= army.bit();
            }
        }
        waiting
    }

    fn answers(&self, pending: Pending) -> Army {
        let asked = |army: &Army| pending.waiting & army.bit() != 0;
        self.position.turn_order().into_iter().find(asked).unwrap_or(pending.by)
    }

    fn settle(&mut self, offer: Offer) -> Option<Box<Position>> {
        match offer {
            Offer::Draw => {
                self.agreed = true;
                None
            }
            Offer::Exchange => {
                let before = Box::new(self.position.clone());
                // The die was thrown for the army on turn as it was; freed kings do not change its turn.
                let exchanged = self.position.exchange();
                debug_assert!(exchanged.is_ok(), "an offer is made only when the exchange is possible");
                Some(before)
            }
        }
    }

    fn throw(&mut self) {
        self.rolls.clear();
        if let Some(dice) = &mut self.dice
            && self.position.result().is_none()
        {
            self.rolls = self.position.throw(dice).rolls;
        }
    }

    /// The state of the table beside the board.
    fn notes(&self) -> Vec<String> {
        let mut notes = self.position.notes();
        if self.rolls.len() > 1 {
            let faces: Vec<String> = self.rolls.iter().map(|die| die.face().to_string()).collect();
            notes.push(format!("rolled {}", faces.join(", ")));
        }
        if let Some(pending) = self.pending {
            let what = match pending.offer {
                Offer::Exchange => "an exchange of prisoners",
                Offer::Draw => "a draw",
            };
            notes.push(format!(
                "{} offers {what}; {} must accept or refuse",
                pending.by,
                self.answers(pending)
            ));
        } else if self.result().is_none() {
            for offer in Offer::ALL {
                if self.terms(offer).is_ok() {
                    notes.push(format!("possible: {}", offer.text()));
                }
            }
        }
        if self.position.result().is_none()
            && let Some(result) = self.result()
        {
            notes.push(result.to_string());
        }
        notes
    }
}

impl Action {
    /// The words of an action that is not a move.
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Action::Move(_) => None,
            Action::Offer(offer) => Some(offer.text()),
            Action::Accept => Some("accept"),
            Action::Refuse => Some("refuse"),
        }
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Game for Session {
    type Move = Action;
    type Undo = SessionUndo;

    fn seat_to_move(&self) -> Seat {
        Seat(self.position.commander(self.acting()) as u8)
    }

    fn side_of(&self, seat: Seat) -> Side {
        self.position.side_of(seat)
    }

    /// Moves first, then the offers that may be made.
    fn legal_moves(&mut self, actions: &mut Vec<Action>) {
        if self.result().is_some() {
            return;
        }
        if self.pending.is_some() {
            actions.extend([Action::Accept, Action::Refuse]);
            return;
        }
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        actions.extend(moves.into_iter().map(Action::Move));
        if self.is_veiled {
            return;
        }
        actions.extend(Offer::ALL.into_iter().filter(|&offer| self.terms(offer).is_ok()).map(Action::Offer));
    }

    fn make(&mut self, action: Action) -> SessionUndo {
        let mut undo = SessionUndo {
            undo: None,
            position: None,
            dice: self.dice,
            rolls: self.rolls.clone(),
            pending: self.pending,
            offered: self.offered,
            stalls: self.stalls,
            agreed: self.agreed,
        };
        match action {
            Action::Move(mv) => {
                let army = self.position.turn();
                let stall = &mut self.stalls[army.index()];
                let stalled = mv == Move::Pass && self.position.duty() == Duty::Stalemate;
                *stall = if stalled { stall.saturating_add(1) } else { 0 };
                undo.undo = Some(self.position.play(mv));
                self.turns += 1;
                self.offered = 0;
                self.throw();
            }
            Action::Offer(offer) => {
                self.pending = self.terms(offer).ok();
                self.offered |= 1 << offer as u8;
                // No other army is in play: there is no one to ask.
                if let Some(pending) = self.pending.take_if(|pending| pending.waiting == 0) {
                    undo.position = self.settle(pending.offer);
                }
            }
            Action::Accept => {
                if let Some(mut pending) = self.pending.take() {
                    pending.waiting &= !self.answers(pending).bit();
                    if pending.waiting == 0 {
                        undo.position = self.settle(pending.offer);
                    } else {
                        self.pending = Some(pending);
                    }
                }
            }
            Action::Refuse => self.pending = None,
        }
        undo
    }

    fn unmake(&mut self, action: Action, undo: SessionUndo) {
        if let (Action::Move(mv), Some(undo)) = (action, undo.undo) {
            self.position.unplay(mv, undo);
            self.turns -= 1;
        }
        if let Some(position) = undo.position {
            self.position = *position;
        }
        self.dice = undo.dice;
        self.rolls = undo.rolls;
        self.pending = undo.pending;
        self.offered = undo.offered;
        self.stalls = undo.stalls;
        self.agreed = undo.agreed;
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.result().map(Outcome::from)
    }

    fn evaluate(&self, side: Side) -> i32 {
        self.position.evaluate(side)
    }

    /// Without the rolls to come, and without offers: what a player knows who thinks about moves.
    fn veiled(&self) -> Session {
        Session { dice: None, is_veiled: true, ..self.clone() }
    }

    fn search_order(&self, action: Action) -> i32 {
        match action {
            Action::Move(mv) => self.position.search_order(mv),
            _ => 0,
        }
    }

    fn is_threatened(&self) -> bool {
        self.pending.is_none() && self.position.is_threatened()
    }

    fn is_noisy(&self, action: Action) -> bool {
        matches!(action, Action::Move(mv) if self.position.is_noisy(mv))
    }

    fn move_text(&self, action: Action) -> String {
        match action {
            Action::Move(mv) => self.position.move_to_text(mv),
            other => other.word().unwrap_or_default().to_owned(),
        }
    }

    fn about(&self) -> Vec<String> {
        vec![
            "K king  Q queen (leaps two squares)  R rook  B bishop  N knight  P pawn".into(),
            "[ ] marks a throne; a king on its ally's throne commands both armies; frozen armies are dim"
                .into(),
            "offer-exchange, offer-draw, accept, refuse    beside moves; `l` lists what is possible".into(),
            "blue and black play together as air, red and yellow as earth".into(),
        ]
    }

    fn move_squares(&self, action: Action) -> Option<(tempo_boardgame::Square, tempo_boardgame::Square)> {
        match action {
            Action::Move(mv) => self.position.move_squares(mv),
            _ => None,
        }
    }

    fn board(&self) -> BoardView {
        BoardView { notes: self.notes(), ..self.position.board() }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::book::Rulebook;
    use super::super::setup::Setup;
    use super::*;

    fn session(text: &str, players: &Players) -> Session {
        let position = Position::from_text(text, &Setup::base()).expect("a sound position");
        Session::new(position, players.clone(), None)
    }

    const STALEMATE: &str = "blue Ka1; black Kh8 Pd7; red Kf8 Rb8; yellow Kf5 Rh2; turn blue";

    #[test]
    fn with_four_seats_everybody_is_asked_about_a_draw() {
        let mut session = session(STALEMATE, &Rulebook::embedded().four_players);
        for action in ["pass", "Kf8-e8", "Kh8-g8", "Kf5-f6", "offer-draw"] {
            session.act(action).expect(action);
        }
        for army in ["red", "black", "yellow"] {
            assert_eq!(session.acting().name(), army);
            session.act("accept").expect("an answer");
        }
        assert_eq!(session.result(), Some(GameResult::Draw { reason: Reason::Agreement }));
        assert!(session.to_json(Layout::Compact).contains("\"reason\": \"agreement\""));
    }

    #[test]
    fn a_refused_offer_is_not_repeated_in_the_same_turn() {
        let mut session = session(STALEMATE, &Rulebook::embedded().four_players);
        for action in ["pass", "Kf8-e8", "Kh8-g8", "Kf5-f6", "offer-draw", "accept", "refuse"] {
            session.act(action).expect(action);
        }
        assert_eq!(session.act("offer-draw"), Err(ActionError::OfferedBefore));
        assert_eq!(session.acting(), Army::Blue);
        session.act("pass").expect("the game goes on");
        session.act("offer-draw").expect("a new turn, a new offer");
    }

    #[test]
    fn a_commanded_army_is_moved_by_its_commander() {
        let text =
            "blue Kb3 Pg2; black Nd6; red Kh8 Ph7; yellow Kh1; turn blue; frozen black; prisoners black<red";
        let mut session = session(text, &Rulebook::embedded().four_players);
        session.act("Kb3-a4").expect("the throne is free");
        session.act("Ph7-g7").expect("a pawn of red");
        assert_eq!(session.position().turn(), Army::Black);
        assert_eq!(session.seat_to_move(), Seat(Army::Blue as u8));
        assert_eq!(session.player_of(Army::Black), 0);
    }

    #[test]
    fn thinking_sees_neither_dice_nor_offers() {
        let book = Rulebook::embedded();
        let session = Session::new(book.recommended_array().position(), book.four_players.clone(), Some(4));
        let mut veiled = session.veiled();
        let mut actions = Vec::new();
        veiled.legal_moves(&mut actions);
        veiled.make(actions[0]);
        assert_eq!(veiled.position().die(), None);
        assert!(session.position().die().is_some());
    }

    #[test]
    fn a_limit_ends_the_game() {
        let mut session = session(STALEMATE, &Rulebook::embedded().two_players);
        session.limit_turns(1);
        session.act("pass").expect("stalemated");
        assert_eq!(session.result(), Some(GameResult::Draw { reason: Reason::TurnLimit }));
        assert!(matches!(session.act("Kf8-e8"), Err(ActionError::GameOver(_))));
    }
}
