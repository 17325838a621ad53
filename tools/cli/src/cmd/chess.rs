//! `tempo chess`: everything around the chess program and the rules of chess.

use clap::Subcommand;

use crate::cmd;
use crate::exit::Exit;

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
enum Command {
    Play(cmd::play::Args),
    PlayMoves(cmd::play_moves::Args),
    Fen(cmd::fen::Args),
    Moves(cmd::moves::Args),
    Perft(cmd::perft::Args),
    Diff(cmd::diff::Args),
    Cycles(cmd::chess_cycles::Args),
    BenchSearch(cmd::bench_search::Args),
    #[command(name = "match")]
    Contest(Box<cmd::contest::Args>),
    Uci(cmd::uci::Args),
    Agent(cmd::agent::Args),
    Judge(cmd::judge::Args),
}

/// Whether `tempo WORD` means `tempo chess WORD`: all of these were commands of their own once, and still are for
/// scripts and fingers that know them so.
pub fn is_short_for(word: &str) -> bool {
    Command::has_subcommand(word)
}

pub fn run(args: Args) -> Exit {
    match args.command {
        Command::Play(args) => cmd::play::run(args),
        Command::PlayMoves(args) => cmd::play_moves::run(args),
        Command::Fen(args) => cmd::fen::run(args),
        Command::Moves(args) => cmd::moves::run(args),
        Command::Perft(args) => cmd::perft::run(args),
        Command::Diff(args) => cmd::diff::run(args),
        Command::Cycles(args) => cmd::chess_cycles::run(args),
        Command::BenchSearch(args) => cmd::bench_search::run(args),
        Command::Contest(args) => cmd::contest::run(*args),
        Command::Uci(args) => cmd::uci::run(args),
        Command::Agent(args) => cmd::agent::run(args),
        Command::Judge(args) => cmd::judge::run(args),
    }
}
