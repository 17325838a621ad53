//! `tempo bench-search`: what the search of the 6502 program does on a fixed set of positions.

use std::path::PathBuf;

use clap::{Parser, value_parser};
use tempo_bridge::cycles::grouped;
use tempo_bridge::search::PAL_HERTZ;
use tempo_bridge::{epd, search_bench};
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, files, output};

use crate::chess::program::{ExpansionArgs, ProgramArgs};

/// Count nodes and cycles of the 6502 program's search over a fixed set of positions
///
/// Every position is searched to the same depth from an empty table. The totals are the signature of a search:
/// they change when it searches other nodes or takes other cycles, and commits quote them.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo bench-search
  Bench: 29960 nodes, 44_988_539 cycles
  tempo bench-search --profile            where the cycles go, by routine
  tempo bench-search --reu 512            the table in a RAM expansion
  tempo bench-search --depth 6 --program old.prg --format json

Nodes a second are those of a PAL C64, 985,248 cycles.

Exit codes: 0 fine, 2 bad arguments, unreadable file, or a program that does not answer.")]
pub struct Args {
    /// FEN or EPD lines [default: twelve positions that tempo carries]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,

    /// The deepest iteration
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u8).range(1..=20))]
    depth: u8,

    /// Show where the cycles go, by routine
    #[arg(long)]
    profile: bool,

    #[command(flatten)]
    program: ProgramArgs,

    #[command(flatten)]
    expansion: ExpansionArgs,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the figures")]
    format: Format,
}

/// The longest position file that is read.
const FILE_LIMIT: u64 = 16 << 20;

pub fn run(args: Args) -> Exit {
    match measure(&args) {
        Ok(bench) => print(&args, &bench),
        Err(message) => output::complain(message),
    }
}

fn measure(args: &Args) -> Result<search_bench::Bench, String> {
    let text = match &args.positions {
        None => search_bench::POSITIONS.to_owned(),
        Some(path) => {
            let bytes = files::read_limited(path, FILE_LIMIT)
                .map_err(|err| format!("cannot read {}: {err}", path.display()))?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    let (entries, faults) = epd::parse(&text);
    if let Some(fault) = faults.first() {
        let name = args.positions.as_ref().map_or("positions".to_owned(), |path| path.display().to_string());
        return Err(format!("{name}: {fault}"));
    }
    let program = args.program.open()?;
    let progress = Progress::start("searching", "positions", Some(entries.len() as u64));
    let profile = if args.profile { search_bench::Profiling::On } else { search_bench::Profiling::Off };
    let (depth, expansion) = (args.depth, args.expansion.get());
    search_bench::measure(&program, expansion, &entries, depth, profile, |done| {
        progress.set_position(done as u64)
    })
    .map_err(|err| err.to_string())
}

fn print(args: &Args, bench: &search_bench::Bench) -> Exit {
    output::print(|out| {
        let (nodes, cycles) = (bench.nodes(), bench.cycles());
        let per_second = nodes * PAL_HERTZ / cycles.max(1);
        if args.format == Format::Json {
            let rows: Vec<_> = bench
                .rows
                .iter()
                .map(|row| {
                    serde_json::json!({
                        "id": row.id, "nodes": row.nodes, "cycles": row.cycles, "depth": row.depth,
                        "best": row.best.map(|mv| mv.to_string()),
                    })
                })
                .collect();
            let object = serde_json::json!({
                "nodes": nodes, "cycles": cycles, "nodes_per_second": per_second, "depth": args.depth,
                "positions": rows, "routines": bench.shares,
            });
            writeln!(out, "{object}")?;
            return Ok(Exit::Fine);
        }
        for row in &bench.rows {
            let best = row.best.map_or("none".to_owned(), |mv| mv.to_string());
            writeln!(
                out,
                "{:28} {best:6} depth {:2} {:>9} nodes {:>13} cycles {:>5} nodes/s",
                row.id,
                row.depth,
                grouped(row.nodes),
                grouped(row.cycles),
                row.nodes * PAL_HERTZ / row.cycles.max(1)
            )?;
        }
        if args.profile {
            writeln!(out)?;
            let mut shares: Vec<(&String, &u64)> = bench.shares.iter().collect();
            shares.sort_by_key(|&(name, &cycles)| (std::cmp::Reverse(cycles), name));
            for (name, &spent) in shares {
                let tenths = spent * 1000 / cycles.max(1);
                writeln!(out, "{name:28} {:>13} cycles {:3}.{} %", grouped(spent), tenths / 10, tenths % 10)?;
            }
        }
        writeln!(out, "\n{per_second} nodes a second at {} Hz", grouped(PAL_HERTZ))?;
        writeln!(out, "Bench: {nodes} nodes, {} cycles", grouped(cycles).replace(',', "_"))?;
        Ok(Exit::Fine)
    })
}
