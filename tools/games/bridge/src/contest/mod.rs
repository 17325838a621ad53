//! Games between two players: who the players are is up to the caller.
//! `openings` says where games begin, `referee` when they end; `tempo_chess::rating` says what a match has shown.

mod openings;
mod referee;

use tempo_chess::pgn::{Outcome, Played, Record};
use tempo_chess::{Board, Color, Game, Move, PromotionSet};

pub use openings::{Opening, builtin};
pub use referee::{Adjudication, Referee};

/// A player: chooses moves.
pub trait Player {
    /// A new game begins: nothing of the last one counts.
    fn new_game(&mut self) -> Result<(), String>;

    /// A move for the position on the table. The error is for a player that can play no more.
    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, String>;
}

/// A player's view.
pub struct Table<'a> {
    /// The position.
    pub board: &'a Board,
    /// The position the game began with.
    pub start: &'a Board,
    /// All moves since, those of the opening among them.
    pub moves: &'a [Move],
    /// The positions before the present one, oldest first.
    pub past: &'a [Board],
}

/// A move with what the player says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// For the player, in hundredths of a pawn.
    pub score: Option<i32>,
    /// The depth reached, 0 if not known.
    pub depth: u32,
    /// Nodes, 0 if not known.
    pub nodes: u64,
    /// Time that the move took, 0 if not known: of the emulated clock, or what another engine says.
    pub milliseconds: u64,
}

impl From<Move> for Choice {
    fn from(mv: Move) -> Choice {
        Choice { mv, score: None, depth: 0, nodes: 0, milliseconds: 0 }
    }
}

/// A finished game.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Moves and result; comments hold score, depth and time, as in `+0.35/7 24.913s`.
    pub record: Record,
    /// Why it ended.
    pub reason: String,
    /// The colour that broke the rules, if one did.
    pub offender: Option<Color>,
}

/// A player that cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its colour.
    pub color: Color,
    /// The event.
    pub message: String,
}

/// Plays one game. An illegal move loses it; a player that fails ends it without a result.
pub fn play(
    opening: &Opening,
    white: &mut dyn Player,
    black: &mut dyn Player,
    adjudication: Adjudication,
) -> Result<Finished, Failure> {
    let failed = |color| move |message| Failure { color, message };
    white.new_game().map_err(failed(Color::White))?;
    black.new_game().map_err(failed(Color::Black))?;
    let mut record = Record::new(opening.start.clone());
    let mut game = Game::new(opening.start.clone(), PromotionSet::All);
    let (mut moves, mut past) = (Vec::new(), Vec::new());
    for &mv in &opening.moves {
        past.push(game.board().clone());
        tempo_boardgame::Game::make(&mut game, mv);
        moves.push(mv);
        record.moves.push(Played::from(mv));
    }
    let mut referee = Referee::new(adjudication);
    loop {
        if let Some((result, reason)) = referee.verdict(&game) {
            record.result = result;
            record.set_tag("Termination", reason);
            return Ok(Finished { record, reason: reason.to_owned(), offender: None });
        }
        let turn = game.board().turn();
        let player: &mut dyn Player = match turn {
            Color::White => white,
            Color::Black => black,
        };
        let table = Table { board: game.board(), start: &opening.start, moves: &moves, past: &past };
        let choice = player.choose(&table).map_err(failed(turn))?;
        if !game.board().is_legal(choice.mv, PromotionSet::All) {
            record.result = Outcome::win(!turn);
            let reason = format!("{} played the illegal move {}", turn.name(), choice.mv);
            record.set_tag("Termination", "rules infraction");
            return Ok(Finished { record, reason, offender: Some(turn) });
        }
        past.push(game.board().clone());
        tempo_boardgame::Game::make(&mut game, choice.mv);
        moves.push(choice.mv);
        let comment = choice.score.map(|score| {
            let sign = if score < 0 { "-" } else { "+" };
            let mut text = format!("{sign}{}.{:02}/{}", score.abs() / 100, score.abs() % 100, choice.depth);
            if choice.milliseconds > 0 {
                text += &format!(" {}.{:03}s", choice.milliseconds / 1000, choice.milliseconds % 1000);
            }
            text
        });
        record.moves.push(Played { mv: choice.mv, glyphs: Vec::new(), comment });
        referee.note(turn, choice.score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the moves it is given.
    struct Scripted(Vec<&'static str>);

    impl Player for Scripted {
        fn new_game(&mut self) -> Result<(), String> {
            Ok(())
        }

        fn choose(&mut self, _: &Table<'_>) -> Result<Choice, String> {
            if self.0.is_empty() {
                return Err("out of moves".into());
            }
            Ok(Choice::from(self.0.remove(0).parse::<Move>().expect("a move")))
        }
    }

    fn game(white: &[&'static str], black: &[&'static str]) -> Result<Finished, Failure> {
        let (mut white, mut black) = (Scripted(white.to_vec()), Scripted(black.to_vec()));
        play(&Opening::start(), &mut white, &mut black, Adjudication::default())
    }

    #[test]
    fn games_end_by_mate_repetition_and_illegal_moves() {
        let mate = game(&["f2f3", "g2g4"], &["e7e5", "d8h4"]).expect("a result");
        assert_eq!((mate.record.result, mate.reason.as_str()), (Outcome::Black, "checkmate"));
        let knights = game(&["g1f3", "f3g1"].repeat(2), &["g8f6", "f6g8"].repeat(2)).expect("a result");
        assert_eq!((knights.record.result, knights.reason.as_str()), (Outcome::Draw, "threefold_repetition"));
        let wrong = game(&["e2e4", "e4e6"], &["e7e5"]).expect("a result");
        assert_eq!((wrong.record.result, wrong.offender), (Outcome::Black, Some(Color::White)));
        let stuck = game(&["e2e4"], &[]).expect_err("no moves");
        assert_eq!((stuck.color, stuck.message.as_str()), (Color::Black, "out of moves"));
    }
}
