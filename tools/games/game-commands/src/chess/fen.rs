//! `tempo fen`: looks at one FEN, shows the board and names every fault.

use clap::Parser;
use tempo_chess::agent::State;
use tempo_chess::{Board, Game, PromotionSet, START_FEN, inspect_fen};
use tempo_host::{Exit, Format, output};

use super::moves::sorted_moves;
use crate::chess::position::{EngineArgs, fault_json, picture, show_fault};

/// Show a position and everything wrong with it
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  tempo fen startpos --format json
  tempo fen 8/8/8/8/8/8/8/4K3 w KQ - 0 1          # quotes may be left out
  tempo fen --state '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1' | tempo agent

Exit codes: 0 a legal position, 1 it has faults, 2 the engine cannot answer.")]
pub struct Args {
    /// The position; its six fields may be one argument or six
    #[arg(value_name = "FEN", required = true, num_args = 1..)]
    fen: Vec<String>,

    /// Print the position as a game state that `tempo agent` and `tempo judge` read
    #[arg(long, conflicts_with = "format")]
    state: bool,

    #[command(flatten)]
    engine: EngineArgs,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the answer")]
    format: Format,
}

pub fn run(args: Args) -> Exit {
    let joined = args.fen.join(" ");
    let text = match joined.trim() {
        "startpos" => START_FEN,
        text => text,
    };
    let is_faultless = inspect_fen(text).1.is_empty();
    match text.parse::<Board>() {
        Ok(_) if !args.state && !is_faultless => blame(text, args.format),
        Ok(board) if args.state => output::print(|out| {
            writeln!(out, "{}", State::from_board(board).to_json())?;
            Ok(Exit::Fine)
        }),
        Ok(board) => describe(&args, &board),
        Err(_) => blame(text, args.format),
    }
}

fn describe(args: &Args, board: &Board) -> Exit {
    let answers = args.engine.open().and_then(|mut engine| {
        engine.set_up(board, &[])?;
        Ok((sorted_moves(&mut *engine)?, engine.in_check()?, engine.state()?))
    });
    let (moves, check, state) = match answers {
        Ok(answers) => answers,
        Err(err) => return output::complain(err),
    };
    let key = format!("{:016x}", board.key());
    output::print(|out| {
        match args.format {
            Format::Json => {
                let object = serde_json::json!({
                    "fen": board.fen(),
                    "position": board.simplified_fen(),
                    "faults": [],
                    "turn": board.turn().name(),
                    "check": check,
                    "state": state.number(),
                    "moves": moves,
                    "key": key,
                });
                writeln!(out, "{object}")?;
            }
            Format::Human => {
                write!(out, "{}", picture(|square| board.piece_at(square).map(|piece| piece.symbol())))?;
                writeln!(out, "\n{}", board.fen())?;
                writeln!(
                    out,
                    "{} to move, {}, {} legal moves",
                    board.turn().name(),
                    state.name(),
                    moves.len()
                )?;
                writeln!(out, "castling {}, key {key}", board.castling())?;
                if let Some(ending) = Game::new(board.clone(), PromotionSet::All).ending() {
                    writeln!(out, "the game is over: {}", ending.reason())?;
                }
            }
        }
        Ok(Exit::Fine)
    })
}

fn blame(text: &str, format: Format) -> Exit {
    let (setup, faults) = inspect_fen(text);
    let pieces = setup
        .as_ref()
        .map(|setup| picture(|square| setup.squares[square.index()].map(|piece| piece.symbol())));
    let exit = output::print(|out| {
        match format {
            Format::Json => {
                let faults: Vec<_> = faults.iter().map(|fault| fault_json(text, fault)).collect();
                writeln!(out, "{}", serde_json::json!({ "fen": text, "faults": faults }))?;
            }
            Format::Human => {
                if let Some(pieces) = &pieces {
                    write!(out, "{pieces}")?;
                }
            }
        }
        Ok(Exit::Failed)
    });
    if format == Format::Human {
        for fault in &faults {
            output::complain(show_fault(text, &fault.diagnostic(), "FEN"));
        }
    }
    exit
}
