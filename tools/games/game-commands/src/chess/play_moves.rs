//! `tempo play-moves`: the state of a game after a sequence of moves.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Parser, ValueEnum, value_parser};
use serde::Serialize;
use tempo_chess::pgn::{self, Played, Record};
use tempo_chess::{Board, Claim, Ending, Game, GameState, Move, PromotionSet, san};
use tempo_host::{Exit, output};

use super::moves::sorted_moves;
use crate::chess::engine::{Engine, EngineError};
use crate::chess::game_file;
use crate::chess::position::{EngineArgs, board_from_argument, picture};

/// Play a sequence of moves and show the game after it
///
/// Unlike a position alone, a game has a past: repetition is counted from the first position on, and
/// the clocks run. Moves are read as people write them: UCI (e2e4, e7e8q), algebraic (Nf3, exd5, e8=Q, 0-0),
/// long (e2-e4, Ng1-f3), with or without move numbers.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo play-moves e2e4 e7e5 g1f3
  tempo play-moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8        # the third time: state 5
  tempo play-moves '1. e4 e5 2. Nf3 Nc6 3. Bb5' --format pgn > ruy-lopez.pgn
  tempo play-moves --pgn ruy-lopez.pgn a6                 # the game of the file, then one move more
  tempo play-moves --fen '7k/8/6K1/8/8/8/8/R7 w - - 99 80' a1a2 --format json

In JSON: `fen` and `position` (the four fields that repetition compares) of the last position, `played` \
moves, legal `moves`, `check`, `state` (0 to 6, see `tempo moves --help`), `occurrences` of the position, \
the clocks, open `claims`, and `ending` if the game is over without a claim.

Exit codes: 0 all played, 1 a move or the PGN is at fault, 2 bad position, engine or unreadable file.")]
pub struct Args {
    /// The position to start from
    #[arg(long, value_name = "FEN", conflicts_with = "pgn")]
    fen: Option<String>,

    /// A game to play first, from a PGN file; - for standard input
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "pgn", value_parser = value_parser!(u32).range(1..))]
    game: u32,

    /// The moves, one or several in an argument
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,

    #[command(flatten)]
    engine: EngineArgs,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the answer")]
    format: Format,
}

/// How the game is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// The board and the state, for people
    #[default]
    Human,
    /// One object, for programs
    Json,
    /// The whole game in Portable Game Notation
    Pgn,
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
    /// Why not.
    reason: String,
    fen: String,
    legal: Vec<String>,
}

pub fn run(args: Args) -> Exit {
    let mut record = match &args.pgn {
        Some(path) => match game_file::game(path, args.game as usize) {
            Ok(record) => record,
            Err(exit) => return exit,
        },
        None => match board_from_argument(args.fen.as_deref()) {
            Ok(board) => Record::new(board),
            Err(message) => return output::complain(message),
        },
    };
    let mut engine = match args.engine.open() {
        Ok(engine) => engine,
        Err(err) => return output::complain(err),
    };
    match play(&mut *engine, &mut record, &args.moves) {
        Ok(Ok((answer, board))) => output::print(|out| {
            match args.format {
                Format::Pgn => write!(out, "{}", pgn::write(&record))?,
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
    record: &mut Record,
    moves: &[String],
) -> Result<Result<(Answer, Board), Illegal>, EngineError> {
    engine.set_up(&record.start, &[])?;
    let mut board = engine.board()?;
    let mut past = Vec::new();
    let mut played = Vec::new();
    // The moves of a file are legal; the engine may still refuse a promotion it does not know.
    let of_file: Vec<String> = record.moves.iter().map(|played| played.mv.to_string()).collect();
    let given: Vec<&str> = moves.iter().flat_map(|text| san::words(text)).collect();
    for (number, text) in (1..).zip(of_file.iter().map(String::as_str).chain(given)) {
        let legal = engine.legal_moves()?;
        let mv = match find(&board, &legal, text) {
            Ok(mv) => mv,
            Err(reason) => {
                let legal = sorted_moves(engine)?;
                let text = text.to_owned();
                return Ok(Err(Illegal { number, text, reason, fen: board.fen(), legal }));
            }
        };
        past.push(board.identity());
        engine.play(mv)?;
        board = engine.board()?;
        played.push(mv.to_string());
        if number > record.moves.len() {
            record.moves.push(Played::from(mv));
            record.result = pgn::Outcome::Open;
        }
    }
    // Counting is done here for every engine, on the positions the engine went through.
    let game = Game::with_past(board.clone(), PromotionSet::All, past);
    if let Some(ending) = game.ending() {
        record.result = match ending {
            Ending::Checkmate => pgn::Outcome::win(!board.turn()),
            _ => pgn::Outcome::Draw,
        };
    }
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

/// The move a text means, among those the engine allows; otherwise what is wrong with it.
fn find(board: &Board, legal: &[Move], text: &str) -> Result<Move, String> {
    let mv = san::read(board, text, PromotionSet::All).map_err(|err| err.to_string())?;
    if !legal.contains(&mv) {
        return Err(format!("the engine does not know `{mv}`"));
    }
    Ok(mv)
}

fn show(answer: &Answer, board: &Board) -> String {
    let mut text = picture(|square| board.piece_at(square).map(|piece| piece.symbol()));
    let state = GameState::from_number(answer.state).map_or("unknown", GameState::name);
    let _ = writeln!(text, "\n{}", answer.fen);
    let _ = writeln!(text, "{} to move, {state}, {} legal moves", board.turn().name(), answer.moves.len());
    let _ = writeln!(
        text,
        "this position has occurred {}; {} plies without capture or pawn move",
        tempo_diagnostics::plural(answer.occurrences, "time"),
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
    let Illegal { number, text, reason, fen, legal } = illegal;
    let shown: String = text.chars().filter(|c| !c.is_control()).take(40).collect();
    let message = format!("move {number}: {reason}");
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
        Format::Human | Format::Pgn => {
            let help = if legal.is_empty() { "none, the game is over".to_string() } else { legal.join(" ") };
            output::complain(format_args!("{message}\n   = note: in {fen}\n   = help: legal moves: {help}"));
            Exit::Failed
        }
    }
}
