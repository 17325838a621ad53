//! Written games with the state they end in: draws that must be seen, and near misses that must not.
//!
//! A line is `name | start position | moves | state`; `startpos` stands for the usual array. Empty lines
//! and lines that begin with `#` say nothing.

use tempo_chess::{Board, Game, GameState, PromotionSet};
use thiserror::Error;

use super::node::check_state;
use super::{Difference, Subject, Trail};
use crate::ChessMachine;

/// One written game.
#[derive(Debug, Clone)]
pub struct Draw {
    /// The name of the game.
    pub name: String,
    /// The position it starts from.
    pub start: Board,
    /// Its moves as from and to squares: `e2e4`.
    pub moves: Vec<String>,
    /// The state number in the last position.
    pub state: u8,
}

/// The fault in a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct DrawFault {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

/// Reads the games; faulty lines are named, the others are still played.
pub fn parse_draws(text: &str) -> (Vec<Draw>, Vec<DrawFault>) {
    let mut draws = Vec::new();
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match parse_line(line) {
            Ok(draw) => draws.push(draw),
            Err(message) => faults.push(DrawFault { line: index + 1, message }),
        }
    }
    (draws, faults)
}

fn parse_line(line: &str) -> Result<Draw, String> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, start, moves, state] = fields[..] else {
        return Err(format!("{} fields, not the four of `name | start | moves | state`", fields.len()));
    };
    let start = match start {
        "startpos" => Board::default(),
        fen => fen.parse().map_err(|fault| format!("{fault}"))?,
    };
    let state = state
        .parse()
        .ok()
        .filter(|&number| GameState::from_number(number).is_some())
        .ok_or_else(|| format!("`{state}` is not a game state from 0 to 6"))?;
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let mut game = Game::new(start.clone(), PromotionSet::QueenKnight);
    for text in &moves {
        game.play_uci(text).map_err(|err| format!("{err} (in {})", game.board().fen()))?;
    }
    Ok(Draw { name: name.to_owned(), start, moves, state })
}

/// Plays a written game on both and compares the state after every move.
pub fn check_draw(machine: &mut ChessMachine<'_>, draw: &Draw) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut trail = Trail::at(draw.start.fen());
    let mut game = Game::new(draw.start.clone(), PromotionSet::QueenKnight);
    let mut compare = || {
        machine.start_game(&draw.start)?;
        check_state(machine, &game, &trail, &mut found)?;
        for text in &draw.moves {
            let mv = game.play_uci(text).expect("checked when the line was read");
            trail.line.push(text.clone());
            machine.play(mv)?;
            check_state(machine, &game, &trail, &mut found)?;
        }
        Ok(())
    };
    if let Err(err) = compare() {
        found.push(trail.failed_call(game.board().fen(), &err));
    }
    let reference = game.state().number();
    if reference != draw.state {
        let expected = format!("state {} by the file", draw.state);
        let seen = format!("state {reference} by the reference");
        found.push(trail.difference(Subject::Count, game.board().fen(), expected, seen));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faulty_lines_are_named_and_the_others_kept() {
        let text = "# games\n\nok | startpos | e2e4 | 0\nshort | startpos\nillegal | startpos | e2e5 | 0\n\
                    state | startpos | e2e4 | 7\nfen | nonsense | | 0\n";
        let (draws, faults) = parse_draws(text);
        assert_eq!(draws.len(), 1);
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [4, 5, 6, 7]);
    }
}
