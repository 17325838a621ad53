//! The `tempo` command: parses the command line and hands over to one module per command.
//! All input and output of the project lives in this crate; the libraries do none.

mod cmd;
mod cpus;
mod memory;
mod project;
mod watch;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use tempo_game_commands::{chess, enochian, game};
use tempo_host::{Exit, files, output};

#[global_allocator]
static MEMORY: memory::Memory = memory::Memory;

/// An open 6502 toolchain: assemble, run, test and profile C64 programs.
#[derive(Parser)]
#[command(name = "tempo", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// One variant a command; each is a module in `cmd/` with `Args` and `run`. The order is that of the help: what a
/// 6502 programmer needs first.
#[derive(Subcommand)]
enum Command {
    Init(cmd::init::Args),
    Build(Box<cmd::build::Args>),
    Asm(cmd::asm::Args),
    Test(Box<cmd::test::Args>),
    Cycles(Box<cmd::cycles::Args>),
    Run(Box<cmd::run::Args>),
    Config(Box<cmd::config::Args>),
    Debug(Box<cmd::debug::Args>),
    Fmt(cmd::fmt::Args),
    Disasm(cmd::disasm::Args),
    D64(cmd::d64::Args),
    Pack(cmd::pack::Args),
    Sym(cmd::sym::Args),
    Explain(cmd::explain::Args),
    Lsp(cmd::lsp::Args),
    Dap(cmd::dap::Args),
    VerifyCpu(cmd::verify_cpu::Args),
    Chess(chess::Args),
    Game(game::Args),
    Enochian(enochian::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

/// `tempo asm` is called for every change of a source: describing the other commands to clap would take longer than
/// assembling a small one. The version is the same.
#[derive(Parser)]
#[command(name = "tempo", version)]
struct AsmCli {
    #[command(subcommand)]
    command: AsmCommand,
}

#[derive(Subcommand)]
enum AsmCommand {
    Asm(cmd::asm::Args),
}

fn parse(words: Vec<OsString>) -> Result<Command, clap::Error> {
    if words.get(1).is_some_and(|word| word == "asm" || word == "--version" || word == "-V") {
        let AsmCommand::Asm(args) = AsmCli::try_parse_from(cmd::asm::hide_kick_words(words))?.command;
        return Ok(Command::Asm(args));
    }
    let mut words = words;
    // Once the chess program's cycles were the only ones to ask for; without a file they still are.
    if words.get(1).is_some_and(|word| word == "cycles") {
        let of_chess = words[..1].iter().cloned().chain(["chess".into()]).chain(words[1..].iter().cloned());
        let own = Cli::try_parse_from(&words);
        return Ok(match own {
            Ok(Cli { command: Command::Cycles(args) }) if args.has_program() => Command::Cycles(args),
            own => Cli::try_parse_from(of_chess).or(own)?.command,
        });
    }
    if words.get(1).and_then(|word| word.to_str()).is_some_and(chess::is_short_for) {
        words.insert(1, "chess".into());
    }
    Ok(Cli::try_parse_from(words)?.command)
}

fn main() -> std::process::ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(exit) = files::run_as_second_process(&words) {
        return exit;
    }
    if cmd::asm::is_kickass(&words) {
        return output::finish(cmd::asm::kickass(&words)).into();
    }
    let command = match parse(words) {
        Ok(command) => command,
        Err(err) => {
            if let Err(problem) = err.print() {
                output::failed(problem);
            }
            // Help and version are answers. `tempo test` keeps 2 for malformed suites: a wrong command line is 1 there.
            let is_test = std::env::args_os().nth(1).is_some_and(|word| word == "test");
            let exit = match err.exit_code() {
                0 => Exit::Fine,
                _ if is_test => Exit::Failed,
                _ => Exit::CannotRun,
            };
            return output::finish(exit).into();
        }
    };
    let exit: Exit = match command {
        Command::Init(args) => cmd::init::run(args),
        Command::Build(args) => cmd::build::run(*args),
        Command::Asm(args) => cmd::asm::run(args),
        Command::Test(args) => cmd::test::run(*args),
        Command::Cycles(args) => cmd::cycles::run(*args),
        Command::Run(args) => cmd::run::run(*args),
        Command::Config(args) => cmd::config::run(*args),
        Command::Debug(args) => cmd::debug::run(*args),
        Command::Fmt(args) => cmd::fmt::run(args),
        Command::Disasm(args) => cmd::disasm::run(args),
        Command::D64(args) => cmd::d64::run(args),
        Command::Pack(args) => cmd::pack::run(args),
        Command::Sym(args) => cmd::sym::run(args),
        Command::Explain(args) => cmd::explain::run(args),
        Command::Lsp(args) => cmd::lsp::run(args),
        Command::Dap(args) => cmd::dap::run(args),
        Command::VerifyCpu(args) => cmd::verify_cpu::run(args),
        Command::Chess(args) => chess::run(args),
        Command::Game(args) => game::run(args),
        Command::Enochian(args) => enochian::run(args),
        Command::Completions(args) => cmd::completions::run(args, Cli::command()),
        Command::Man(args) => cmd::man::run(args, Cli::command()),
    };
    output::finish(exit).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of all examples, with the command they belong to.
    fn examples(command: &clap::Command, found: &mut Vec<(String, String)>) {
        let help = command.get_after_long_help().or(command.get_after_help());
        let text = help.map(ToString::to_string).unwrap_or_default();
        let lines = text.lines().filter(|line| line.starts_with("  tempo "));
        found.extend(lines.map(|line| (command.get_name().to_owned(), line.to_owned())));
        command.get_subcommands().for_each(|sub| examples(sub, found));
    }

    #[test]
    fn examples_can_be_typed_as_they_are() {
        let mut found = Vec::new();
        examples(&Cli::command(), &mut found);
        assert!(found.len() > 50, "{} examples", found.len());
        for (command, line) in found {
            // A shell replaces `$1000` by nothing and `000`.
            let bare: String = line.split('\'').step_by(2).collect();
            assert!(!bare.contains('$'), "tempo {command} --help: quote the $ in{line}");
        }
    }
}
