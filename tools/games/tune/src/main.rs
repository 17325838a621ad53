//! The laboratory's command, for developers: `cargo run --release -p tempo-tune -- match --a killers=0`.

mod change;
mod data;
mod fit;
mod play;
mod source;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use play::Player;
use rayon::prelude::*;
use tempo_chess::rating::{Sprt, Tally, Verdict};
use tempo_chess::search::{Limits, Reference, Table, Values};

#[derive(Parser)]
#[command(about = "The laboratory of the chess program's search")]
struct Command {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Plays two variants of the reference search against each other at equal cycles of the cost model
    Match(Match),
    /// Plays games and writes their quiet positions, judged by an engine: one line each
    Positions(Positions),
    /// Fits all values to such a file and writes tuned.rs and values.asm
    Fit(FitArgs),
    /// Prints nodes, cycles and speed on a few positions
    Speed {
        /// Cycles for each position
        #[arg(long, default_value_t = 24_600_000)]
        cycles: u64,
        /// Changes to the search, as for a match
        #[arg(long, default_value = "")]
        a: String,
        /// Positions
        #[arg(long, default_value_t = 24)]
        positions: u64,
    },
}

#[derive(Args)]
struct Positions {
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// Games
    #[arg(long, default_value_t = 14_000)]
    games: u64,
    /// Nodes of a move in the games
    #[arg(long, default_value_t = 600)]
    nodes: u32,
    /// The engine that judges
    #[arg(long, default_value = "stockfish")]
    teacher: String,
    /// Its nodes for each position
    #[arg(long, default_value_t = 1_200)]
    teacher_nodes: u32,
    /// Which games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this many minutes
    #[arg(long, default_value_t = 600)]
    minutes: u64,
}

#[derive(Args)]
struct FitArgs {
    /// The file of positions
    positions: PathBuf,
    /// How many positions the present values weigh
    #[arg(long, default_value_t = 30.0)]
    hold: f64,
    /// Write tools/games/chess/src/search/tuned.rs and asm/data/values.asm below this folder
    #[arg(long)]
    write: Option<PathBuf>,
}

#[derive(Args)]
struct Match {
    /// Changes to the first player, such as null_depth=0,futility=0:0
    #[arg(long, default_value = "")]
    a: String,
    /// Changes to the second player
    #[arg(long, default_value = "")]
    b: String,
    /// Games, two for each opening
    #[arg(long, default_value_t = 400)]
    games: u32,
    /// Cycles for each move
    #[arg(long, default_value_t = 6_000_000)]
    cycles: u64,
    /// Cycles for each move of the first player, if other
    #[arg(long)]
    cycles_a: Option<u64>,
    /// A file of positions: the first player's values are fitted to it
    #[arg(long)]
    fit_a: Option<PathBuf>,
    /// How many positions the present values weigh in that fit
    #[arg(long, default_value_t = 30.0)]
    hold: f64,
    /// Table entries in each of the first player's 256 sets
    #[arg(long)]
    ways_a: Option<usize>,
    /// Kilobytes of a RAM expansion that has the first player's table
    #[arg(long, value_name = "KB", conflicts_with = "ways_a", value_parser = ["128", "256", "512"])]
    reu_a: Option<String>,
    /// Which openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop as soon as the sequential test decides between two Elo differences
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
}

fn main() -> ExitCode {
    let done = match Command::parse().what {
        What::Match(options) => play_match(&options),
        What::Positions(options) => positions(&options),
        What::Fit(options) => fit_values(&options),
        What::Speed { cycles, a, positions } => speed(cycles, &a, positions),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

type Fault = Box<dyn std::error::Error + Send + Sync>;

fn positions(options: &Positions) -> Result<(), Fault> {
    let file = Mutex::new(BufWriter::new(File::create(&options.out)?));
    let begun = Instant::now();
    let next = AtomicU64::new(0);
    let judge_games = || -> Result<u64, Fault> {
        let mut teacher = data::Teacher::start(&options.teacher, options.teacher_nodes)?;
        let mut count = 0;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= options.games || begun.elapsed().as_secs() >= 60 * options.minutes {
                return Ok(count);
            }
            for mut sample in data::game_samples(options.seed, number, options.nodes) {
                if let Some(value) = teacher.judge(&sample.board)? {
                    sample.centipawns = value;
                    file.lock().expect("no writer panics").write_all(data::write(&sample).as_bytes())?;
                    count += 1;
                }
            }
        }
    };
    let threads: Vec<u64> = (0..rayon::current_num_threads())
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|_| judge_games())
        .collect::<Result<_, Fault>>()?;
    file.lock().expect("no writer panics").flush()?;
    println!("{} positions", threads.iter().sum::<u64>());
    Ok(())
}

fn fit_values(options: &FitArgs) -> Result<(), Fault> {
    let text = std::fs::read_to_string(&options.positions)?;
    let samples: Vec<data::Sample> = text.lines().filter_map(data::read).collect();
    let fit = fit::fit(&samples, &Values::default(), options.hold);
    let [fitted, held] = fit.counts;
    let [before, after] = fit.errors.map(|error| error * 1000.0);
    println!(
        "{fitted} positions fitted, {held} kept out: error x 1,000 {before:.3} before, {after:.3} after"
    );
    if let Some(root) = &options.write {
        std::fs::write(root.join("tools/games/chess/src/search/tuned.rs"), source::rust(&fit.values))?;
        std::fs::write(root.join("asm/data/values.asm"), source::assembly(&fit.values))?;
    }
    Ok(())
}

fn play_match(options: &Match) -> Result<(), Fault> {
    let mut players = [Player::default(), Player::default()];
    change::apply(&mut players[0].reference.settings, &options.a)?;
    change::apply(&mut players[1].reference.settings, &options.b)?;
    players[0].cycles = options.cycles_a.unwrap_or(options.cycles);
    players[1].cycles = options.cycles;
    if let Some(path) = &options.fit_a {
        let text = std::fs::read_to_string(path)?;
        let samples: Vec<data::Sample> = text.lines().filter_map(data::read).collect();
        players[0].reference.values = fit::fit(&samples, &Values::default(), options.hold).values;
    }
    if let Some(ways) = options.ways_a {
        players[0].reference.table = Table::new(ways);
    }
    if let Some(kilobytes) = options.reu_a.as_deref().and_then(|text| text.parse().ok()) {
        let Reference { table, costs, .. } = Reference::expanded(kilobytes);
        (players[0].reference.table, players[0].reference.costs) = (table, costs);
    }
    let sprt = options.sprt.as_ref().map(|elo| Sprt { elo0: elo[0], elo1: elo[1] });
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    let pairs = u64::from(options.games.div_ceil(2));
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                let [mut a, mut b] = players.clone();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let decided =
                        |tally: &Tally| sprt.is_some_and(|sprt| tally.verdict(sprt) != Verdict::Undecided);
                    if number >= pairs || decided(&tally.lock().expect("no player panics")) {
                        return;
                    }
                    let opening = play::opening(options.seed, number);
                    let first = play::play_game(&opening, &mut a, &mut b);
                    let second = 2 - play::play_game(&opening, &mut b, &mut a);
                    let mut tally = tally.lock().expect("no player panics");
                    tally.add_pair(first, second);
                    if (tally.games() / 2).is_multiple_of(50) {
                        eprintln!("{} games: {}", tally.games(), *tally);
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no player panics");
    let name = |text: &str| if text.is_empty() { "as it is".to_string() } else { text.to_string() };
    println!(
        "{} | {} | {} | {} | {tally}",
        name(&options.a),
        name(&options.b),
        options.cycles,
        tally.games()
    );
    Ok(())
}

fn speed(cycles: u64, changes: &str, count: u64) -> Result<(), Fault> {
    let mut reference = Reference::default();
    change::apply(&mut reference.settings, changes)?;
    let (mut nodes, mut spent, mut depth) = (0, 0, 0);
    let begun = Instant::now();
    let reports: Vec<_> = (0..count)
        .into_par_iter()
        .map(|number| {
            let board = play::opening(7, number);
            reference.clone().search(&board, &[], Limits { cycles, ..Limits::default() }, |_| {})
        })
        .collect();
    for report in &reports {
        nodes += u64::from(report.nodes);
        spent += report.cycles;
        depth += u64::from(report.depth);
    }
    println!(
        "{} nodes a position, {} cycles a node, depth {:.2}, {:.0} nodes a second here",
        nodes / count,
        spent / nodes.max(1),
        depth as f64 / count as f64,
        nodes as f64 / begun.elapsed().as_secs_f64()
    );
    Ok(())
}
