//! `tempo moves`: the legal moves of one position or of a file of them.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Parser;
use serde::Serialize;
use tempo_chess::{Board, GameState};
use tempo_host::input::{self, Line, Lines};
use tempo_host::{Exit, Format, output};

use crate::chess::engine::{Engine, EngineError};
use crate::chess::position::{EngineArgs, board_from_argument, fault_json, show_fault};

/// No position is longer, even with the operations of an EPD.
const LINE_LIMIT: usize = 64 << 10;

/// List the legal moves of positions
///
/// Moves are in UCI form, sorted. The state is a number as in the chess program: 0 normal, 1 check,
/// 2 checkmate, 3 stalemate, 4 fifty-move draw, 5 repetition, 6 insufficient material. A position alone
/// has no past, so 5 shows up in `tempo play-moves` only.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo moves
  tempo moves --fen '8/8/8/8/k1Pp3R/8/8/2K5 b - c3 0 1'
  tempo moves --fens positions.epd --format json
  echo '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' | tempo moves --fens - --format json
  {\"fen\":\"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\",\"moves\":[],\"check\":false,\"state\":3}

A file holds one FEN or EPD a line; empty lines and lines that start with # are skipped. A line with a \
fault is reported and the rest goes on; in JSON its object has `error` instead of `moves`.

Exit codes: 0 all answered, 1 a line of the file has a fault, 2 bad arguments or unreadable file.")]
pub struct Args {
    /// The position
    #[arg(long, value_name = "FEN", conflicts_with = "fens")]
    fen: Option<String>,

    /// A file with one FEN or EPD a line, - for standard input
    #[arg(long, value_name = "FILE")]
    fens: Option<PathBuf>,

    #[command(flatten)]
    engine: EngineArgs,

    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help = "How to print the answer; json is one object a line"
    )]
    format: Format,
}

/// The information about a position.
#[derive(Serialize)]
struct Answer {
    fen: String,
    moves: Vec<String>,
    check: bool,
    state: u8,
}

pub fn run(args: Args) -> Exit {
    let mut engine = match args.engine.open() {
        Ok(engine) => engine,
        Err(err) => return output::complain(err),
    };
    match &args.fens {
        None => match board_from_argument(args.fen.as_deref()) {
            Ok(board) => match ask(&mut *engine, &board) {
                Ok(answer) => output::print(|out| write(out, &answer, args.format).map(|()| Exit::Fine)),
                Err(err) => output::complain(err),
            },
            Err(message) => output::complain(message),
        },
        Some(path) => match input::open(path) {
            Ok(reader) => {
                let name = path.display().to_string();
                output::print(|out| {
                    answer_lines(out, &mut *engine, Lines::new(reader, LINE_LIMIT), &name, args.format)
                })
            }
            Err(err) => output::complain(format_args!("cannot read {}: {err}", path.display())),
        },
    }
}

fn answer_lines(
    out: &mut dyn Write,
    engine: &mut dyn Engine,
    lines: Lines<Box<dyn io::BufRead>>,
    name: &str,
    format: Format,
) -> io::Result<Exit> {
    let mut exit = Exit::Fine;
    for (number, line) in (1..).zip(lines) {
        let text = match line {
            Ok(Line::Whole(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
            // An overlong line reads as one bad field.
            Ok(Line::TooLong) => "(a line of more than 64 KiB)".to_string(),
            Err(err) => return Ok(output::complain(format_args!("cannot read {name}: {err}"))),
        };
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match Board::from_epd(text) {
            Ok(board) => match ask(engine, &board) {
                Ok(answer) => write(out, &answer, format)?,
                Err(err) => {
                    out.flush()?;
                    return Ok(output::complain(format_args!("{name}:{number}: {err}")));
                }
            },
            Err(fault) => {
                exit = Exit::Failed;
                match format {
                    Format::Human => {
                        out.flush()?;
                        output::complain(show_fault(text, &fault.diagnostic(), &format!("{name}:{number}")));
                    }
                    Format::Json => {
                        let object = serde_json::json!({
                            "fen": text, "line": number, "error": fault_json(text, &fault),
                        });
                        writeln!(out, "{object}")?;
                    }
                }
            }
        }
    }
    Ok(exit)
}

fn ask(engine: &mut dyn Engine, board: &Board) -> Result<Answer, EngineError> {
    engine.set_up(board, &[])?;
    Ok(Answer {
        fen: board.fen(),
        moves: sorted_moves(engine)?,
        check: engine.in_check()?,
        state: engine.state()?.number(),
    })
}

/// The legal moves as UCI text, sorted.
pub fn sorted_moves(engine: &mut dyn Engine) -> Result<Vec<String>, EngineError> {
    let mut moves: Vec<String> = engine.legal_moves()?.iter().map(ToString::to_string).collect();
    moves.sort();
    Ok(moves)
}

fn write(out: &mut dyn Write, answer: &Answer, format: Format) -> io::Result<()> {
    match format {
        Format::Json => {
            serde_json::to_writer(&mut *out, answer)?;
            writeln!(out)
        }
        Format::Human => {
            let state = GameState::from_number(answer.state).map_or("unknown", GameState::name);
            writeln!(out, "{}", answer.fen)?;
            writeln!(out, "{} legal moves, {state}", answer.moves.len())?;
            for row in answer.moves.chunks(12) {
                writeln!(out, "{}", row.join(" "))?;
            }
            writeln!(out)
        }
    }
}
