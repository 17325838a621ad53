//! `tempo game`: games from a JSON spec, checked, shown, counted, explained and played.

mod explain;
mod load;
mod play;
mod render;

use std::path::PathBuf;

use clap::{Parser, Subcommand, value_parser};
use serde_json::json;
use tempo_boardgame::perft;
use tempo_boardgame::{Game, Outcome};
use tempo_diagnostics::Colour;
use tempo_gamespec::Position;
use tempo_gamespec::library::{SCHEMA, SHIPPED};
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, output};

use crate::board::picture;
use load::Source;

/// Play any board game that one JSON file describes
///
/// A game spec names the board, the players and how each piece moves; the engine has no rule of any
/// game built in. SPEC is a file, `-` for standard input, or the name of a game that comes with tempo
/// (`tempo game list`). The format is described in docs/game-spec.md.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo game list
  tempo game check my-game.json
  tempo game show chess
  tempo game moves chess --after '4,1>4,3#1'
  tempo game perft chess 4
  tempo game explain chess --from e2 --to e5
  tempo game play chess --computer BLACK

Exit codes: 0 fine, 1 the spec has faults or a move is refused, 2 the tool could not run.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(ListArgs),
    Check(CheckArgs),
    Show(ShowArgs),
    Moves(MovesArgs),
    Perft(PerftArgs),
    Explain(explain::Args),
    Play(play::Args),
    Schema(SchemaArgs),
}

/// List the games that come with tempo
#[derive(Debug, Parser)]
struct ListArgs {
    /// Print the spec of this game instead, to start one of your own from
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Print the JSON schema of the format
///
/// For editors that complete and check while you type. The schema knows shapes; `tempo game check`
/// knows the rest.
#[derive(Debug, Parser)]
struct SchemaArgs {}

/// Report every fault of a spec at once
///
/// Each fault has a stable code, a JSON pointer, line and column, and the nearest known name where a
/// name is unknown. Warnings do not fail the check.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo game check my-game.json
  tempo game check my-game.json --format json | jq '.faults[].code'
  generate-game | tempo game check -

Exit codes: 0 no fault, 1 faults, 2 unreadable.")]
struct CheckArgs {
    #[command(flatten)]
    source: Source,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the findings")]
    format: Format,

    /// Fail on warnings too
    #[arg(long)]
    strict: bool,
}

/// A position to start from.
#[derive(Debug, Parser)]
struct After {
    #[command(flatten)]
    source: Source,

    /// Moves to play first, in text form: one argument, apart by spaces
    #[arg(long, value_name = "MOVES", value_delimiter = ' ')]
    after: Vec<String>,
}

/// Show the board
///
/// With two players the first one's pieces are in capitals; with more each piece has its owner's
/// letter in front.
#[derive(Debug, Parser)]
struct ShowArgs {
    #[command(flatten)]
    position: After,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the position")]
    format: Format,
}

/// List the legal moves, one on a line
///
/// A move is written `x,y>x,y#id`, with `=CODE` for a chosen transformation.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo game moves chess
  tempo game moves chess --after '4,1>4,3#1 4,6>4,4#1'
  tempo game moves my-game.json --format json")]
struct MovesArgs {
    #[command(flatten)]
    position: After,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the moves")]
    format: Format,
}

/// Count the sequences of N turns
///
/// A move with its transformation is one turn; a finished game has no continuation.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo game perft chess 4
  197281

  tempo game perft my-game.json 3 --divide")]
struct PerftArgs {
    #[command(flatten)]
    position: After,

    /// How many turns deep
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(0..=64))]
    depth: u32,

    /// Show the count below each first move
    #[arg(long)]
    divide: bool,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the count")]
    format: Format,
}

pub fn run(args: Args) -> Exit {
    match args.command {
        Command::List(args) => list(&args),
        Command::Check(args) => check(&args),
        Command::Show(args) => show(&args),
        Command::Moves(args) => moves(&args),
        Command::Perft(args) => count(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Play(args) => play::run(args),
        Command::Schema(SchemaArgs {}) => output::print(|out| {
            out.write_all(SCHEMA.as_bytes())?;
            Ok(Exit::Fine)
        }),
    }
}

fn list(args: &ListArgs) -> Exit {
    let Some(name) = &args.name else {
        return output::print(|out| {
            for shipped in SHIPPED {
                writeln!(out, "{:<14}{}", shipped.name, shipped.about)?;
            }
            Ok(Exit::Fine)
        });
    };
    match tempo_gamespec::library::find(name) {
        Some(shipped) => output::print(|out| {
            out.write_all(shipped.text.as_bytes())?;
            Ok(Exit::Fine)
        }),
        None => output::complain(format_args!("no shipped game is called {name:?}; see tempo game list")),
    }
}

fn check(args: &CheckArgs) -> Exit {
    let spec = match args.source.read() {
        Ok(spec) => spec,
        Err(message) => return output::complain(message),
    };
    let report = tempo_gamespec::check(&spec.bytes);
    let failed = !report.faults.is_empty() || args.strict && !report.warnings.is_empty();
    let exit = if failed { Exit::Failed } else { Exit::Fine };
    output::print(|out| {
        match args.format {
            Format::Json => {
                serde_json::to_writer_pretty(&mut *out, &render::json(&spec, &report))?;
                writeln!(out)?;
            }
            Format::Human => {
                render::findings(out, &spec, &report, Colour::when(tempo_host::term::stdout_colour()))?;
                if let Some(game) = &report.spec {
                    let (columns, rows) = (game.columns, game.rows);
                    let (players, pieces) = (game.players.len(), game.pieces.len());
                    writeln!(
                        out,
                        "{}: {} is in order: {columns}x{rows}, {players} players, {pieces} pieces",
                        spec.name, game.name
                    )?;
                }
            }
        }
        Ok(exit)
    })
}

impl After {
    /// The position after the moves; what is wrong has been said if there is none.
    fn open(&self) -> Result<Position, Exit> {
        let mut game = self.source.load()?;
        for (i, text) in self.after.iter().filter(|text| !text.is_empty()).enumerate() {
            let Some(mv) = game.find_move(text) else {
                let shown: String = text.chars().flat_map(char::escape_debug).take(60).collect();
                let _ = output::complain(format_args!(
                    "move {} \"{shown}\" is not legal there; tempo game moves with the moves before it lists \
                     what is",
                    i + 1
                ));
                return Err(Exit::Failed);
            };
            game.make(mv);
        }
        Ok(game)
    }
}

/// `{"winner": …, "reason": …}`, or null while the game goes on.
fn result_json(game: &mut Position) -> serde_json::Value {
    let name = |seat: u8, game: &Position| game.spec().players[usize::from(seat)].name.clone();
    match game.outcome() {
        None => json!(null),
        Some(Outcome::Draw { reason }) => json!({"winner": null, "reason": reason}),
        Some(Outcome::Win { side, reason }) => json!({"winner": name(side.0, game), "reason": reason}),
    }
}

fn show(args: &ShowArgs) -> Exit {
    let mut game = match args.position.open() {
        Ok(game) => game,
        Err(exit) => return exit,
    };
    let result = result_json(&mut game);
    output::print(|out| {
        if args.format == Format::Json {
            let spec = game.spec();
            let pieces: Vec<_> = game
                .pieces()
                .map(|placed| {
                    let (x, y) = spec.coordinates(placed.square);
                    let flags: Vec<_> = placed
                        .flags
                        .iter()
                        .map(|&(flag, left)| json!({"state": spec.flags[flag], "turns_left": left}))
                        .collect();
                    json!({
                        "position": [x, y],
                        "player": spec.players[placed.player].name,
                        "piece": spec.pieces[placed.piece].code,
                        "moves": placed.moves,
                        "flags": flags,
                    })
                })
                .collect();
            let text = json!({
                "name": spec.name,
                "turn": game.turn(),
                "player": spec.players[game.player()].name,
                "phase": if result.is_null() { "idle" } else { "over" },
                "result": result,
                "pieces": pieces,
            });
            writeln!(out, "{text}")?;
            return Ok(Exit::Fine);
        }
        let view = game.board();
        write!(out, "{}", picture(&view))?;
        if result.is_null() {
            for note in &view.notes {
                writeln!(out, "{note}")?;
            }
        } else {
            match result["winner"].as_str() {
                Some(winner) => {
                    writeln!(out, "over: {winner} wins, {}", result["reason"].as_str().unwrap_or(""))?
                }
                None => writeln!(out, "over: draw, {}", result["reason"].as_str().unwrap_or(""))?,
            }
        }
        Ok(Exit::Fine)
    })
}

fn moves(args: &MovesArgs) -> Exit {
    let mut game = match args.position.open() {
        Ok(game) => game,
        Err(exit) => return exit,
    };
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    let result = result_json(&mut game);
    output::print(|out| {
        match args.format {
            Format::Json => {
                let player = &game.spec().players[game.player()].name;
                writeln!(out, "{}", json!({"player": player, "moves": texts, "result": result}))?;
            }
            Format::Human => {
                for text in texts {
                    writeln!(out, "{text}")?;
                }
            }
        }
        Ok(Exit::Fine)
    })
}

fn count(args: &PerftArgs) -> Exit {
    let mut game = match args.position.open() {
        Ok(game) => game,
        Err(exit) => return exit,
    };
    let bar = Progress::start("counting", "first moves", None);
    let mut divided: Vec<(String, u64)> = Vec::new();
    let mut total = u64::from(args.depth == 0);
    if let Some(below) = args.depth.checked_sub(1) {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        bar.set_length(moves.len() as u64);
        for mv in moves {
            let text = game.move_text(mv);
            let undo = game.make(mv);
            let nodes = perft::perft(&mut game, below);
            game.unmake(mv, undo);
            total += nodes;
            divided.push((text, nodes));
            bar.inc(1);
        }
    }
    drop(bar);
    output::print(|out| {
        match args.format {
            Format::Json => {
                let mut text = json!({"depth": args.depth, "nodes": total});
                if args.divide {
                    text["divide"] =
                        divided.iter().map(|(text, nodes)| (text.clone(), json!(nodes))).collect();
                }
                writeln!(out, "{text}")?;
            }
            Format::Human => {
                if args.divide {
                    for (text, nodes) in divided {
                        writeln!(out, "{text}: {nodes}")?;
                    }
                }
                writeln!(out, "{total}")?;
            }
        }
        Ok(Exit::Fine)
    })
}

/// A path for a saved game of this name.
fn save_path(name: &str) -> PathBuf {
    let stem: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    PathBuf::from(format!("{}.jsonl", stem.trim_matches('-')))
}
