//! `tempo play --terminal`: the terminal board with the C64's chess program at the other side.

use serde_json::json;
use tempo_boardgame::saved::Header;
use tempo_bridge::search::Limits;
use tempo_bridge::{Expansion, Program};
use tempo_chess::pgn::{self, Played, Record};
use tempo_chess::{Board, Color, Game, Move, PromotionSet};
use tempo_host::{Exit, output};

use super::choice::Choice;
use super::opponent::Opponent;
use crate::board::{self, Mode, Player, Table};

/// Plays until the person leaves.
pub fn play(program: &'static Program, expansion: Expansion, choice: &Choice, mode: Mode, seed: u8) -> Exit {
    let level = &choice.level;
    let limits = Limits {
        cycles: level.cycles,
        depth: level.depth,
        skill: level.skill,
        book: Some(seed),
        ..Limits::default()
    };
    let opponent = match Opponent::new(program, expansion, limits) {
        Ok(opponent) => opponent,
        Err(message) => return output::complain(message),
    };
    let start = Game::new(choice.board.clone().unwrap_or_default(), PromotionSet::All);
    let header = Header { game: "chess".into(), setup: json!({ "fen": start.board().fen() }) };
    let mut table = Table::new("Tempo Chess".into(), start, header, "tempo.pgn".into());
    table.brain = Some((format!("C64, {}", level.name), Box::new(opponent)));
    table.export = Some(export);
    for (seat, color) in Color::ALL.into_iter().enumerate() {
        table.players[seat] = if choice.side.has(color) { Player::Human } else { Player::Brain };
    }
    table.start_clocks();
    table.is_flipped = !choice.side.has(Color::White) && choice.side.has(Color::Black);
    board::play(table, mode)
}

/// The game as PGN.
fn export(start: &Game, moves: &[Move], outcome: Option<&tempo_boardgame::Outcome>) -> String {
    let mut record = Record::new(start.board().clone());
    record.set_tag("Event", "Tempo Chess");
    record.moves = moves.iter().copied().map(Played::from).collect();
    record.result = match outcome {
        Some(tempo_boardgame::Outcome::Win { side, .. }) if side.0 == 0 => pgn::Outcome::White,
        Some(tempo_boardgame::Outcome::Win { .. }) => pgn::Outcome::Black,
        Some(tempo_boardgame::Outcome::Draw { .. }) => pgn::Outcome::Draw,
        None => pgn::Outcome::Open,
    };
    if record.start != Board::default() {
        record.set_tag("SetUp", "1");
        record.set_tag("FEN", record.start.fen());
    }
    pgn::write(&record)
}
