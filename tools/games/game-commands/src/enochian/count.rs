//! `tempo enochian perft`: counts sequences of turns.

use std::io::Write;
use std::time::Instant;

use clap::{Parser, value_parser};
use serde_json::json;
use tempo_boardgame::Game;
use tempo_boardgame::perft::perft;
use tempo_enochian::Position;
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, output};

use super::load::{Start, StartArgs};

/// Count the sequences of N turns
///
/// A pass counts as one; nothing follows the end of the game. The last turn of each sequence is counted
/// without being played.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo enochian perft 3
  829

  tempo enochian perft 4 --array earth_of_air --divide
  tempo enochian perft 6 --time
  tempo enochian perft 3 --position position.json --format json")]
pub struct Args {
    /// How many turns deep
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(0..=20))]
    depth: u32,

    #[command(flatten)]
    start: StartArgs,

    /// Show the count below each first move
    #[arg(long)]
    divide: bool,

    /// Print the elapsed time to standard error
    #[arg(long)]
    time: bool,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the answer")]
    format: Format,
}

pub fn run(args: &Args) -> Result<Exit, Exit> {
    let Start { mut position, .. } = args.start.load()?;
    let started = Instant::now();
    let mut divided = divide(&mut position, args.depth);
    divided.sort();
    let nodes = if args.depth == 0 { 1 } else { divided.iter().map(|entry| entry.1).sum() };
    let seconds = started.elapsed().as_secs_f64();
    let exit = output::print(|out| {
        match args.format {
            Format::Human => {
                if args.divide {
                    for (text, nodes) in &divided {
                        writeln!(out, "{text} {nodes}")?;
                    }
                    writeln!(out)?;
                }
                writeln!(out, "{nodes}")?;
            }
            Format::Json => {
                let mut answer = json!({"depth": args.depth, "nodes": nodes});
                if args.divide {
                    answer["divide"] =
                        divided.iter().map(|(text, nodes)| (text.clone(), json!(nodes))).collect();
                }
                writeln!(out, "{answer}")?;
            }
        }
        Ok(Exit::Fine)
    });
    if args.time {
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        let _ = writeln!(
            std::io::stderr(),
            "{nodes} nodes in {seconds:.3} s, {rate:.1} million a second, 1 thread"
        );
    }
    Ok(exit)
}

fn divide(position: &mut Position, depth: u32) -> Vec<(String, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let mut moves = Vec::new();
    Game::legal_moves(position, &mut moves);
    let bar = Progress::start("counting", "first moves", Some(moves.len() as u64));
    let mut divided = Vec::new();
    for mv in moves {
        let text = position.move_to_text(mv);
        let undo = position.play(mv);
        divided.push((text, perft(position, below)));
        position.unplay(mv, undo);
        bar.inc(1);
    }
    divided
}
