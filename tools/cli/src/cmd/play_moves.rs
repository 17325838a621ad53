//! `tempo play-moves`: the state of a game after a sequence of moves.

use std::fmt::Write as _;

use chess::{Board, Claim, Game, GameState, Move, PromotionSet, san};
use clap::Parser;
use serde::Serialize;

use super::moves::sorted_moves;
use crate::engine::{Engine, EngineError};
use crate::exit::Exit;
use crate::output;
use crate::position::{EngineArgs, Format, board_from_argument, picture};

/// Play a sequence of moves and show the game after it
///
/// Unlike a position alone, a game has a past: repetition is counted from the first position on, and
/// the clocks run.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo play-moves e2e4 e7e5 g1f3
  tempo play-moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8        # the third time: state 5
  tempo play-moves --fen '7k/8/6K1/8/8/8/8/R7 w - - 99 80' a1a2 --format json

In JSON: `fen` and `position` (the four fields that repetition compares) of the last position, `played`
moves, legal `moves`, `check`, `state` (0 to 6, see `tempo moves --help`), `occurrences` of the position,
the clocks, open `claims`, and `ending` if the game is over without a claim.

Exit codes: 0 all played, 1 a move is not legal, 2 bad position or engine.")]
pub struct Args {
    /// The position to start from
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// The moves, as in UCI (e2e4, e7e8q) or in algebraic notation (e4, e8=Q)
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,

    #[command(flatten)]
    engine: EngineArgs,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the answer")]
    format: Format,
}

/// The game after the last move.
#[derive(Serialize)]
struct Answer {
    fen: String,
    position: String,
    played: Vec<String>,
    moves: Vec<String>,
    check: bool,
    state: u8,
    occurrences: u32,
    halfmove_clock: u32,
    fullmove_number: u32,
    claims: Vec<&'static str>,
    ending: Option<&'static str>,
}

/// A move that cannot be played.
struct Illegal {
    /// Counted from 1.
    number: usize,
    text: String,
    fen: String,
    legal: Vec<String>,
}

pub fn run(args: Args) -> Exit {
    let board = match board_from_argument(args.fen.as_deref()) {
        Ok(board) => board,
        Err(message) => return output::complain(message),
    };
    let mut engine = match args.engine.open() {
        Ok(engine) => engine,
        Err(err) => return output::complain(err),
    };
    match play(&mut *engine, &board, &args.moves) {
        Ok(Ok((answer, board))) => output::print(|out| {
            match args.format {
                Format::Json => writeln!(out, "{}", serde_json::to_string(&answer)?)?,
                Format::Human => write!(out, "{}", show(&answer, &board))?,
            }
            Ok(Exit::Fine)
        }),
        Ok(Err(illegal)) => refuse(&illegal, args.format),
        Err(err) => output::complain(err),
    }
}

fn play(
    engine: &mut dyn Engine,
    start: &Board,
    moves: &[String],
) -> Result<Result<(Answer, Board), Illegal>, EngineError> {
    engine.set_up(start, &[])?;
    let mut board = engine.board()?;
    let mut past = Vec::new();
    let mut played = Vec::new();
    for (number, text) in (1..).zip(moves) {
        let legal = engine.legal_moves()?;
        let Some(mv) = find(&board, &legal, text) else {
            let legal = sorted_moves(engine)?;
            return Ok(Err(Illegal { number, text: text.clone(), fen: board.fen(), legal }));
        };
        past.push(board.identity());
        engine.play(mv)?;
        board = engine.board()?;
        played.push(mv.to_string());
    }
    // Counting is done here for every engine, on the positions the engine went through.
    let game = Game::with_past(board.clone(), PromotionSet::All, past);
    let answer = Answer {
        fen: board.fen(),
        position: board.simplified_fen(),
        played,
        moves: sorted_moves(engine)?,
        check: engine.in_check()?,
        state: engine.state()?.number(),
        occurrences: game.occurrences(),
        halfmove_clock: board.halfmove_clock(),
        fullmove_number: board.fullmove_number(),
        claims: Claim::ALL.into_iter().filter(|&claim| game.may_claim(claim)).map(Claim::reason).collect(),
        ending: game.ending().map(|ending| ending.reason()),
    };
    Ok(Ok((answer, board)))
}

/// The move a text means, among those the engine allows.
fn find(board: &Board, legal: &[Move], text: &str) -> Option<Move> {
    let mv = text.parse().ok().or_else(|| san::parse(board, text, PromotionSet::All))?;
    legal.contains(&mv).then_some(mv)
}

fn show(answer: &Answer, board: &Board) -> String {
    let mut text = picture(|square| board.piece_at(square).map(|piece| piece.symbol()));
    let state = GameState::from_number(answer.state).map_or("unknown", GameState::name);
    let _ = writeln!(text, "\n{}", answer.fen);
    let _ = writeln!(text, "{} to move, {state}, {} legal moves", board.turn().name(), answer.moves.len());
    let _ = writeln!(
        text,
        "this position has occurred {} time{}; {} plies without capture or pawn move",
        answer.occurrences,
        if answer.occurrences == 1 { "" } else { "s" },
        answer.halfmove_clock
    );
    if let Some(ending) = answer.ending {
        let _ = writeln!(text, "the game is over: {ending}");
    } else if !answer.claims.is_empty() {
        let _ = writeln!(text, "a draw can be claimed: {}", answer.claims.join(", "));
    }
    text
}

fn refuse(illegal: &Illegal, format: Format) -> Exit {
    let Illegal { number, text, fen, legal } = illegal;
    let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    let message = format!("move {number}, `{shown}`, is not legal");
    match format {
        Format::Json => output::print(|out| {
            let object = serde_json::json!({
                "error": { "code": "illegal-move", "number": number, "move": shown, "message": message },
                "fen": fen,
                "moves": legal,
            });
            writeln!(out, "{object}")?;
            Ok(Exit::Failed)
        }),
        Format::Human => {
            let help = if legal.is_empty() { "none, the game is over".to_string() } else { legal.join(" ") };
            output::complain(format_args!("{message}\n   = note: in {fen}\n   = help: legal moves: {help}"));
            Exit::Failed
        }
    }
}
