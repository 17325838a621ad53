//! `tempo perft`: counts move sequences.

use std::time::Instant;

use clap::{Parser, value_parser};
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, output};

use crate::chess::engine::Counting;
use crate::chess::position::{EngineArgs, board_from_argument};

/// Count the sequences of N legal moves
///
/// The yardstick of every move generator: the counts of known positions are published, and one wrong
/// rule shows. The last move of each sequence is counted without being played.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo perft 5
  4865609

  tempo perft 3 --divide --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  tempo perft 6 --time
  tempo perft 4 --promotions qn --format json

Exit codes: 0 counted, 2 bad position or engine.")]
pub struct Args {
    /// How many moves deep
    #[arg(value_name = "N", value_parser = value_parser!(u32).range(0..=20))]
    depth: u32,

    /// The position to start from
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,

    /// Show the count below each first move
    #[arg(long)]
    divide: bool,

    #[command(flatten)]
    engine: EngineArgs,

    /// Threads to use [default: one for each processor]
    #[arg(long, short, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Print the elapsed time to standard error
    #[arg(long)]
    time: bool,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the answer")]
    format: Format,
}

pub fn run(args: Args) -> Exit {
    let board = match board_from_argument(args.fen.as_deref()) {
        Ok(board) => board,
        Err(message) => return output::complain(message),
    };
    let jobs = match args.jobs {
        Some(jobs) => usize::from(jobs),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let started = Instant::now();
    let divided = if args.depth == 0 {
        Ok(Vec::new())
    } else {
        let bar = Progress::start("counting", "first moves", None);
        let progress = |done, total| {
            bar.set_length(total);
            bar.set_position(done);
        };
        args.engine.open().and_then(|mut engine| {
            engine.set_up(&board, &[])?;
            engine.divide(args.depth, &Counting { jobs, progress: &progress })
        })
    };
    let mut divided: Vec<(String, u64)> = match divided {
        Ok(divided) => divided.into_iter().map(|(mv, nodes)| (mv.to_string(), nodes)).collect(),
        Err(err) => return output::complain(err),
    };
    divided.sort();
    let nodes = if args.depth == 0 { 1 } else { divided.iter().map(|entry| entry.1).sum::<u64>() };
    let seconds = started.elapsed().as_secs_f64();

    let exit = output::print(|out| {
        match args.format {
            Format::Human => {
                if args.divide {
                    for (mv, nodes) in &divided {
                        writeln!(out, "{mv} {nodes}")?;
                    }
                    writeln!(out)?;
                }
                writeln!(out, "{nodes}")?;
            }
            Format::Json => {
                let mut answer =
                    serde_json::json!({ "fen": board.fen(), "depth": args.depth, "nodes": nodes });
                if args.divide {
                    let entries = divided.iter().map(|(mv, nodes)| (mv.clone(), (*nodes).into()));
                    answer["divide"] = serde_json::Value::Object(entries.collect());
                }
                writeln!(out, "{answer}")?;
            }
        }
        Ok(Exit::Fine)
    });
    if args.time {
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        let threads = tempo_diagnostics::plural(jobs, "thread");
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            format!("{nodes} nodes in {seconds:.3} s, {rate:.1} million a second, {threads}\n").as_bytes(),
        );
    }
    exit
}
