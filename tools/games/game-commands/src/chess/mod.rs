//! `tempo chess`: everything around the chess program and the rules of chess.

mod agent;
mod bench_search;
mod contest;
mod cycles;
mod diff;
mod engine;
mod fen;
mod game_file;
mod judge;
mod mates;
mod moves;
mod perft;
pub(crate) mod play;
mod play_moves;
mod position;
mod program;
mod thinker;
mod uci;
mod wire;

use clap::Subcommand;
use tempo_host::Exit;

/// Play the chess program, measure it, and check it against the reference rules
///
/// The program runs on a real Commodore 64 and in the emulator here. `tempo chess play` is the game; the other commands
/// are for people who write chess programs or check rules engines against each other.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// One variant a command, in the order of the help: the game, its rules, the program, protocols.
#[derive(Subcommand)]
pub enum Command {
    Play(play::Args),
    PlayMoves(play_moves::Args),
    Fen(fen::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Diff(diff::Args),
    Cycles(cycles::Args),
    BenchSearch(bench_search::Args),
    #[command(name = "match")]
    Contest(Box<contest::Args>),
    Uci(uci::Args),
    Agent(agent::Args),
    Judge(judge::Args),
}

/// `tempo perft` for `tempo chess perft`, and so on: all of these were commands of their own once, and still are for
/// scripts and fingers that know them so. No help shows them. `tempo cycles` is another command.
pub fn short_commands() -> impl Iterator<Item = clap::Command> {
    let all: Vec<clap::Command> =
        Command::augment_subcommands(clap::Command::new("chess")).get_subcommands().cloned().collect();
    all.into_iter().filter(|command| command.get_name() != "cycles").map(|command| command.hide(true))
}

pub fn run(args: Args) -> Exit {
    run_command(args.command)
}

/// Runs one of them.
pub fn run_command(command: Command) -> Exit {
    match command {
        Command::Play(args) => play::run(args),
        Command::PlayMoves(args) => play_moves::run(args),
        Command::Fen(args) => fen::run(args),
        Command::Moves(args) => moves::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Cycles(args) => cycles::run(args),
        Command::BenchSearch(args) => bench_search::run(args),
        Command::Contest(args) => contest::run(*args),
        Command::Uci(args) => uci::run(args),
        Command::Agent(args) => agent::run(args),
        Command::Judge(args) => judge::run(args),
    }
}
