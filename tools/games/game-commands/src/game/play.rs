//! `tempo game play`: the terminal board over a game spec.

use std::path::PathBuf;

use clap::{Parser, value_parser};
use serde_json::json;
use tempo_boardgame::saved::{self, Header};
use tempo_host::{Exit, files, output};

use super::load::Source;
use super::save_path;
use crate::board::{self, Mode, Player, Table};

/// Play on a terminal board
///
/// All players share one keyboard, or a simple search plays some seats. On a terminal the board fills
/// the screen: arrows and enter move, `l` lists the moves, `u` takes back, `s` saves, `?` helps. In a
/// pipe, or with --plain, it is a prompt that reads one move or command on a line.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo game play chess
  tempo game play chess --computer BLACK --nodes 100000
  tempo game play breakthrough --computer all
  tempo game play chess --save friday.jsonl
  tempo game play chess --resume friday.jsonl
  printf 'e2e4\\ngo\\nsave game.jsonl\\n' | tempo game play chess

Exit codes: 0 the game ended or was quit, 1 faults in spec or saved game or a refused line in a script, 2 unreadable.")]
pub struct Args {
    #[command(flatten)]
    source: Source,

    /// Let the search play this player; repeat it for more, or say `all`
    #[arg(long, value_name = "PLAYER")]
    computer: Vec<String>,

    /// Positions the search looks at for a move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..=100_000_000))]
    nodes: u64,

    /// Go on with a saved game
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

    /// Where the save command writes [default: the game's name with .jsonl, or the resumed file]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Lines instead of a full screen
    #[arg(long)]
    plain: bool,
}

pub fn run(args: Args) -> Exit {
    let start = match args.source.load() {
        Ok(start) => start,
        Err(exit) => return exit,
    };
    let name = start.spec().name.clone();
    let players: Vec<String> = start.spec().players.iter().map(|player| player.name.clone()).collect();
    let header = Header { game: "spec".into(), setup: json!({"spec": args.source.spec, "name": name}) };
    let path = save_path(&name);
    let game = name.clone();
    let mut table = Table::new(name, start, header, path);
    for wanted in &args.computer {
        let seats: Vec<usize> = if wanted.eq_ignore_ascii_case("all") {
            (0..players.len()).collect()
        } else {
            players.iter().position(|player| player.eq_ignore_ascii_case(wanted)).into_iter().collect()
        };
        if seats.is_empty() {
            let known = players.join(", ");
            return output::complain(format_args!("no player is called {wanted:?}; there are {known}"));
        }
        for seat in seats {
            table.players[seat] = Player::Computer { nodes: args.nodes };
        }
    }
    if let Some(path) = &args.resume {
        let bytes = match files::read_own(path, 64 << 20) {
            Ok(bytes) => bytes,
            Err(err) => return output::complain(format_args!("cannot read {}: {err}", path.display())),
        };
        let resumed = saved::read(&bytes).and_then(|saved| {
            let message = if saved.header.game != "spec" {
                format!("this is a saved game of {:?}, not of a game spec", saved.header.game)
            } else if let Some(other) = saved.header.setup["name"].as_str().filter(|&other| other != game) {
                format!("this is a saved game of {other:?}, not of {game:?}; resume it with its own spec")
            } else {
                return table.resume(&saved, path);
            };
            Err(saved::SavedError { line: 1, column: 1, message })
        });
        if let Err(err) = resumed {
            let _ = output::complain(format_args!("{}: {err}", path.display()));
            return Exit::Failed;
        }
    }
    if let Some(path) = args.save {
        table.save_as(&path);
    }
    board::play(table, if args.plain { Mode::Prompt } else { Mode::Auto })
}
