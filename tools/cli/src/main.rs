//! The `tempo` command: parses the command line and hands over to one module per command.
//! All input and output of the project lives in this crate; the libraries do none.

mod cmd;
mod exit;
mod files;
mod term;

use clap::{Parser, Subcommand};

use exit::Exit;

/// An open 6502 toolchain: assemble, run, test and profile C64 programs.
#[derive(Parser)]
#[command(name = "tempo", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// One variant a command; each is a module in `cmd/` with `Args` and `run`.
#[derive(Subcommand)]
enum Command {}

fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    let exit: Exit = match cli.command {};
    #[allow(unreachable_code)]
    exit.into()
}
