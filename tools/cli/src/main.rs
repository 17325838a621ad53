//! The `tempo` command: parses the command line and hands over to one module per command.
//! Files, terminal and exit codes are in `tempo-host`; the libraries know none of them.

mod cmd;

use std::any::TypeId;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use tempo_game_commands::{chess, enochian, game};
use tempo_host::{Exit, files, output};
use tempo_machine_commands::{dap, debug, disasm, monitor, raster, run, send, verify_cpu};
use tempo_source_commands::{CONFINE, asm, build, confine_flag, crt, disk, import, pack, project, sym};

/// A command: each is a module with `Args` (clap) and `run`.
struct Command {
    name: &'static str,
    describe: fn(clap::Command) -> clap::Command,
    run: fn(&mut ArgMatches) -> Result<Exit, clap::Error>,
}

macro_rules! commands {
    ($($name:literal: $args:ty => $run:expr,)+) => {
        &[$(Command {
            name: $name,
            describe: <$args as clap::Args>::augment_args,
            run: |matches| <$args>::from_arg_matches_mut(matches).map($run),
        }),+]
    };
}

/// The order is that of the help: what a 6502 programmer needs first.
const COMMANDS: &[Command] = commands! {
    "init": cmd::init::Args => cmd::init::run,
    "build": build::Args => build::run,
    "asm": asm::Args => asm::run,
    "test": cmd::test::Args => cmd::test::run,
    "cycles": cmd::cycles::Args => cmd::cycles::run,
    "raster": raster::Args => raster::run,
    "prove": cmd::prove::Args => cmd::prove::run,
    "lint": cmd::lint::Args => cmd::lint::run,
    "superoptimise": cmd::superoptimise::Args => cmd::superoptimise::run,
    "run": run::Args => cmd::studio::run_program,
    "send": send::Args => send::run,
    "studio": cmd::studio::Args => cmd::studio::run,
    "config": cmd::config::Args => cmd::config::run,
    "debug": debug::Args => debug::run,
    "fmt": cmd::fmt::Args => cmd::fmt::run,
    "disasm": disasm::Args => disasm::run,
    "import": import::Args => import::run,
    "disk": disk::Args => disk::run,
    "crt": crt::Args => crt::run,
    "pack": pack::Args => pack::run,
    "sym": sym::Args => sym::run,
    "explain": cmd::explain::Args => cmd::explain::run,
    "lsp": cmd::lsp::Args => cmd::lsp::run,
    "dap": dap::Args => dap::run,
    "mcp": cmd::mcp::Args => cmd::mcp::run,
    "monitor": monitor::Args => monitor::run,
    "x64sc": monitor::X64scArgs => monitor::x64sc,
    "verify-cpu": verify_cpu::Args => verify_cpu::run,
    "chess": chess::Args => chess::run,
    "game": game::Args => game::run,
    "enochian": enochian::Args => enochian::run,
    "completions": cmd::completions::Args => |args| cmd::completions::run(args, parser(None)),
    "man": cmd::man::Args => |args| cmd::man::run(args, parser(None)),
};

/// Earlier names of commands, which still work.
const ALIASES: &[(&str, &str)] = &[("d64", "disk")];

/// The parser of a command line with this first word. Describing all commands to clap takes longer than assembling a small
/// source, so a command that is named is the only one it gets to know.
fn parser(word: Option<&str>) -> clap::Command {
    let root = clap::Command::new("tempo")
        .version(concat!(env!("CARGO_PKG_VERSION"), " (", env!("TEMPO_BUILT"), ")"))
        .about("An open 6502 toolchain: assemble, run, test and profile C64 programs");
    if let Some("--version" | "-V") = word {
        return root;
    }
    let root = root.subcommand_required(true).arg_required_else_help(true).arg(confine_flag());
    let describe = |command: &Command| {
        let aliases = ALIASES.iter().filter(|(_, name)| *name == command.name).map(|(alias, _)| *alias);
        (command.describe)(clap::Command::new(command.name).visible_aliases(aliases))
    };
    let word = ALIASES.iter().find(|(alias, _)| word == Some(*alias)).map_or(word, |(_, name)| Some(*name));
    match COMMANDS.iter().find(|command| word == Some(command.name)) {
        Some(command) => root.subcommand(describe(command)),
        None => root.subcommands(COMMANDS.iter().map(describe)).subcommands(chess::short_commands()),
    }
}

/// Limits reading, if the user asks for it, to the project around the working directory and to what the command line
/// names: every value that is a path, whatever the option. Options that take words of their own allow more.
fn confine(parser: &clap::Command, matches: &ArgMatches) {
    let is_asked =
        matches.get_flag(CONFINE) || std::env::var_os("TEMPO_CONFINE").is_some_and(|value| value == "1");
    if is_asked {
        files::confine();
        // An editor starts the server wherever it likes, and names its folders later.
        if matches.subcommand_name() != Some("lsp") {
            files::allow(&project::root_here());
        }
        allow_paths(parser, matches);
    }
}

fn allow_paths(command: &clap::Command, matches: &ArgMatches) {
    for argument in command.get_arguments() {
        let is_path = argument.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        let id = argument.get_id().as_str();
        if is_path && matches.value_source(id) == Some(ValueSource::CommandLine) {
            matches.get_raw(id).into_iter().flatten().for_each(|path| files::allow(Path::new(path)));
        }
    }
    if let Some((name, inner)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        allow_paths(command, inner);
    }
}

/// Runs the command that a command line names.
fn dispatch(words: Vec<OsString>) -> Result<Exit, clap::Error> {
    let is_option = |word: &&OsString| word.to_str() == Some("--confine");
    let word =
        words.iter().skip(1).find(|word| !is_option(word)).and_then(|word| word.to_str()).map(str::to_owned);
    let words = if word.as_deref() == Some("asm") { asm::hide_kick_words(words) } else { words };
    let mut parser = parser(word.as_deref());
    let mut matches = parser.try_get_matches_from_mut(words)?;
    confine(&parser, &matches);
    let name = matches.subcommand_name().unwrap_or_default();
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => {
            let (_, mut matches) = matches.remove_subcommand().expect("it has a name");
            (command.run)(&mut matches)
        }
        None => chess::Command::from_arg_matches_mut(&mut matches).map(chess::run_command),
    }
}

fn main() -> std::process::ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if asm::is_kickass(&words) {
        if std::env::var_os("TEMPO_CONFINE").is_some_and(|value| value == "1") {
            files::confine();
            files::allow(&project::root_here());
        }
        return output::finish(asm::kickass(&words)).into();
    }
    if monitor::is_x64sc(&words) {
        return output::finish(monitor::x64sc_main(&words[1..])).into();
    }
    let exit = dispatch(words).unwrap_or_else(|err| {
        if let Err(problem) = err.print() {
            output::failed(problem);
        }
        // Help and version are answers. `tempo test` keeps 2 for malformed suites: a wrong command line is 1 there.
        let is_test = std::env::args_os().nth(1).is_some_and(|word| word == "test");
        match err.exit_code() {
            0 => Exit::Fine,
            _ if is_test => Exit::Failed,
            _ => Exit::CannotRun,
        }
    });
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
        examples(&parser(None), &mut found);
        assert!(found.len() > 50, "{} examples", found.len());
        for (command, line) in found {
            // A shell replaces `$1000` by nothing and `000`.
            let bare: String = line.split('\'').step_by(2).collect();
            assert!(!bare.contains('$'), "tempo {command} --help: quote the $ in{line}");
        }
    }

    #[test]
    fn commands_are_well_formed_and_chess_has_short_names() {
        parser(None).debug_assert();
        COMMANDS.iter().for_each(|command| parser(Some(command.name)).debug_assert());
        for words in [["tempo", "perft", "2"], ["tempo", "match", "image"], ["tempo", "fen", "startpos"]] {
            let long = [&["tempo", "chess"], &words[1..]].concat();
            let is_known = |words: &[&str]| {
                let found = parser(words.get(1).copied()).try_get_matches_from(words);
                found.is_ok_and(|found| found.subcommand_name().is_some())
            };
            assert_eq!(is_known(&words), is_known(&long), "{words:?}");
        }
        let help = parser(None).render_help().to_string();
        assert!(help.contains("chess") && !help.contains("perft"), "{help}");
        let words = ["tempo", "cycles", "--positions", "a.epd"];
        assert!(parser(Some("cycles")).try_get_matches_from(words).is_err());
    }
}
