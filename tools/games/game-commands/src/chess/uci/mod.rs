//! `tempo uci`: the chess program as an engine for any chess GUI.

mod go;
mod options;
mod session;

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use clap::Parser;
use tempo_host::input::{Line, Lines};
use tempo_host::{Exit, output};

use crate::chess::program::ProgramArgs;
use crate::seed;
use session::{Next, Session};

/// No command of a GUI is longer: a game of ten thousand moves fits.
const LINE_LIMIT: usize = 1 << 20;

/// Play chess as a UCI engine: the 6502 program in the emulator
///
/// Any program that runs UCI engines can play against it or analyse with it. All times are those of the
/// emulated clock: `go movetime 25000` is 24.6 million cycles of a C64, and the answer comes as fast as this
/// computer can run them.
#[derive(Debug, Parser)]
#[command(after_long_help = format!("\
Examples:
  printf 'uci\\nposition startpos moves e2e4\\ngo movetime 5000\\n' | tempo uci
  cutechess-cli -engine cmd=tempo arg=uci -engine cmd=stockfish -each proto=uci tc=40/300

Options that a GUI may set:
{}
Limits: movetime, wtime/btime with winc/binc and movestogo, depth, nodes, mate, searchmoves, infinite, \
ponder; a plain `go` is a \
move of 25 seconds. `info` gives time and nodes a second at the emulated clock. The end of the input ends the \
engine, in the middle of a search as well.

Exit codes: 0 the GUI has left, 2 the program cannot be loaded.", options::help()))]
pub struct Args {
    #[command(flatten)]
    program: ProgramArgs,
}

pub fn run(args: Args) -> Exit {
    let program = match args.program.open() {
        // One program for the life of the process.
        Ok(program) => Box::leak(Box::new(program)),
        Err(message) => return output::complain(message),
    };
    // Two games need not begin alike; nothing else depends on it.
    let stdout: Arc<Mutex<dyn Write + Send>> = Arc::new(Mutex::new(io::stdout()));
    let mut session = Session::new(program, stdout, seed::fresh());
    for line in Lines::new(io::stdin().lock(), LINE_LIMIT) {
        match line {
            Ok(Line::Whole(bytes)) => {
                if session.line(&String::from_utf8_lossy(&bytes)) == Next::Ends {
                    break;
                }
            }
            Ok(Line::TooLong) => {}
            Err(err) => return output::complain(format_args!("cannot read standard input: {err}")),
        }
    }
    session.finish();
    Exit::Fine
}
