//! `tempo diff`: the 6502 chess program against the reference rules.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use rayon::prelude::*;
use serde::Serialize;
use tempo_bridge::diff::{self, Difference};
use tempo_bridge::{ChessMachine, Expansion, Program, epd};
use tempo_chess::Board;
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, input, output};

use crate::chess::position::board_from_argument;
use crate::chess::program::{ExpansionArgs, ProgramArgs};

/// A file of positions or games larger than this is not a file of positions.
const FILE_LIMIT: u64 = 256 << 20;

/// Compare the 6502 chess program with the reference rules
///
/// The program runs in the emulator; every answer it gives is compared with that of the rules library:
/// move lists, checks, game states, positions after make and unmake, incremental hashes. A difference is
/// shown with the board, both answers, and a `.6502` test that reproduces it.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo diff --positions tests/positions/tricky.epd
  tempo diff --perft 4
  tempo diff --perft 3 --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  tempo diff --games 200 --seed 1
  tempo diff --draws tests/positions/draws.txt --format json
  tempo diff --search --positions tests/positions/tricky.epd --games 100
  tempo diff --search --games 10 --reu 512

Positions are FEN or EPD lines; of the operations `id`, `D1` (number of legal moves) and `qn` (the same \
without rook and bishop promotions) are used. A line of --draws is `name | start | moves | state`. \
Faulty lines are named and the others still compared.

With --search the program's search is compared with the reference search instead, node for node: best move, \
value, expected line and node count. Positions are searched at every depth until one takes --cycles cycles, and at \
two node limits, each with an empty table; in games both sides search every move with about --nodes nodes, and the \
table is kept from move to move.

Exit codes: 0 no difference, 1 a difference or a faulty line, 2 bad arguments or unreadable file.")]
pub struct Args {
    /// Compare every position of a file (- for standard input)
    #[arg(long, value_name = "FILE")]
    positions: Vec<PathBuf>,

    /// Walk all lines of N plies and compare the move lists at every node
    #[arg(long, value_name = "N")]
    perft: Option<u32>,

    /// Where --perft and --games start; may be given more than once [default: the start position]
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,

    /// Play N random games and compare every position
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// Seed of the random games; the same seed plays the same games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Play the games of a file and compare the state after every move (- for standard input)
    #[arg(long, value_name = "FILE")]
    draws: Vec<PathBuf>,

    /// Compare the search with the reference search on the positions of --positions and in --games
    #[arg(long)]
    search: bool,

    /// With --search: the cycles after which no deeper search of a position is compared
    #[arg(long, value_name = "N", default_value_t = 3_000_000, requires = "search")]
    cycles: u64,

    /// With --search: average nodes per move in games (varies by ±50 %)
    #[arg(long, value_name = "N", default_value_t = 600, requires = "search",
        value_parser = clap::value_parser!(u32).range(2..5_000_000))]
    nodes: u32,

    /// Differences to show at most; all are counted
    #[arg(long, value_name = "N", default_value_t = 5)]
    show: usize,

    /// Threads to use [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,

    #[command(flatten)]
    program: ProgramArgs,

    #[command(flatten)]
    expansion: ExpansionArgs,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// The findings of one kind of comparison.
#[derive(Debug, Default, Serialize)]
struct Section {
    name: &'static str,
    /// Positions, games or lines compared.
    compared: u64,
    /// A sentence with further figures.
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
    /// Emulated cycles.
    cycles: u64,
    faults: Vec<String>,
    differences: Vec<Difference>,
}

impl Section {
    fn new(name: &'static str) -> Section {
        Section { name, ..Section::default() }
    }
}

pub fn run(args: Args) -> Exit {
    if args.positions.is_empty() && args.draws.is_empty() && args.perft.is_none() && args.games.is_none() {
        return output::complain(
            "nothing to compare: name --positions FILE, --perft N, --games N or --draws FILE\n  \
             = help: `tempo diff --help` has examples",
        );
    }
    let mut starts = Vec::new();
    for fen in &args.fen {
        match board_from_argument(Some(fen)) {
            Ok(board) => starts.push(board),
            Err(message) => return output::complain(message),
        }
    }
    if starts.is_empty() {
        starts.push(Board::default());
    }
    let program = match args.program.open() {
        Ok(program) => program,
        Err(message) => return output::complain(message),
    };
    let pool = match rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, std::num::NonZeroUsize::get))
        .build()
    {
        Ok(pool) => pool,
        Err(err) => return output::complain(format_args!("cannot start threads: {err}")),
    };
    let found = pool.install(|| match args.search {
        true => compare_searches(&args, &program, &starts),
        false => compare(&args, &program, &starts),
    });
    match found {
        Ok(sections) => output::print(|out| match args.format {
            Format::Human => print_human(out, &sections, args.show),
            Format::Json => {
                serde_json::to_writer(&mut *out, &sections)?;
                writeln!(out)?;
                Ok(verdict(&sections))
            }
        }),
        Err(message) => output::complain(message),
    }
}

fn compare(args: &Args, program: &Program, starts: &[Board]) -> Result<Vec<Section>, String> {
    let mut sections = Vec::new();
    for path in &args.positions {
        let (entries, faults) = epd::parse(&read(path)?);
        let mut section = Section::new("positions");
        section.faults = faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
        section.note = path.display().to_string();
        let found = each(program, args.expansion.get(), &entries, |machine, entry| {
            let mut found = diff::check_counts(entry);
            found.extend(diff::check_position(machine, &entry.board));
            found
        })?;
        section.absorb(found);
        sections.push(section);
    }
    if let Some(depth) = args.perft {
        let mut section = Section::new("perft");
        let outcomes =
            each(program, args.expansion.get(), starts, |machine, start| diff::perft(machine, start, depth))?;
        section.compared = outcomes.iter().map(|(outcome, _)| outcome.compared).sum();
        let nodes: Vec<String> = outcomes.iter().map(|(outcome, _)| outcome.nodes.to_string()).collect();
        section.note = format!("depth {depth}: {} nodes", nodes.join(", "));
        section.cycles = outcomes.iter().map(|(_, cycles)| cycles).sum();
        section.differences = outcomes.into_iter().filter_map(|(outcome, _)| outcome.difference).collect();
        sections.push(section);
    }
    if let Some(games) = args.games {
        let mut section = Section::new("games");
        let seeds: Vec<u64> =
            (0..games).map(|game| args.seed.wrapping_mul(1_000_003).wrapping_add(game)).collect();
        let outcomes = each(program, args.expansion.get(), &seeds, |machine, &seed| {
            diff::play_game(machine, &starts[(seed % starts.len() as u64) as usize], seed)
        })?;
        let mut states = [0; 7];
        for (outcome, cycles) in outcomes {
            section.compared += outcome.positions;
            section.cycles += cycles;
            section.differences.extend(outcome.differences);
            states.iter_mut().zip(outcome.states).for_each(|(sum, count)| *sum += count);
        }
        let [_, checks, mates, stalemates, fifty, repeats, material] = states;
        section.note = format!(
            "{games} games, seed {}: {checks} checks, {mates} mates, {stalemates} stalemates, \
             {fifty} fifty-move, {repeats} repetition and {material} material draws",
            args.seed
        );
        sections.push(section);
    }
    for path in &args.draws {
        let (draws, faults) = diff::parse_draws(&read(path)?);
        let mut section = Section::new("draws");
        section.faults = faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
        section.note = path.display().to_string();
        section.absorb(each(program, args.expansion.get(), &draws, diff::check_draw)?);
        sections.push(section);
    }
    Ok(sections)
}

fn compare_searches(args: &Args, program: &Program, starts: &[Board]) -> Result<Vec<Section>, String> {
    if args.perft.is_some() || !args.draws.is_empty() {
        return Err(
            "--search compares positions and games; --perft and --draws are comparisons without it".into()
        );
    }
    let mut sections = Vec::new();
    for path in &args.positions {
        let (entries, faults) = epd::parse(&read(path)?);
        let mut section = Section::new("searches");
        section.faults = faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
        let outcomes = each(program, args.expansion.get(), &entries, |machine, entry| {
            diff::check_search(machine, &entry.board, args.cycles, args.seed.wrapping_add(entry.line as u64))
        })?;
        section.absorb_searches(&format!("{} positions of {}", entries.len(), path.display()), outcomes);
        sections.push(section);
    }
    if let Some(games) = args.games {
        let mut section = Section::new("searches in games");
        let seeds: Vec<u64> =
            (0..games).map(|game| args.seed.wrapping_mul(1_000_003).wrapping_add(game)).collect();
        let outcomes = each(program, args.expansion.get(), &seeds, |machine, &seed| {
            diff::search_game(machine, &starts[(seed % starts.len() as u64) as usize], args.nodes, seed)
        })?;
        section.absorb_searches(&format!("{games} games, seed {}", args.seed), outcomes);
        sections.push(section);
    }
    Ok(sections)
}

impl Section {
    fn absorb_searches(&mut self, what: &str, found: Vec<(diff::SearchOutcome, u64)>) {
        let mut nodes = 0;
        for (outcome, _) in found {
            self.compared += outcome.searches;
            self.cycles += outcome.cycles;
            nodes += outcome.nodes;
            self.differences.extend(outcome.differences);
        }
        self.note = format!("{what}: {nodes} nodes, {} cycles a node", self.cycles / nodes.max(1));
    }

    fn absorb(&mut self, found: Vec<(Vec<Difference>, u64)>) {
        self.compared = found.len() as u64;
        for (differences, cycles) in found {
            self.cycles += cycles;
            self.differences.extend(differences);
        }
    }
}

/// Runs a comparison on every item, each thread with its own machine. Results keep the items' order.
fn each<T: Sync, R: Send>(
    program: &Program,
    expansion: Expansion,
    items: &[T],
    compare: impl Fn(&mut ChessMachine<'_>, &T) -> R + Sync,
) -> Result<Vec<(R, u64)>, String> {
    ChessMachine::with(program, expansion).map_err(|err| err.to_string())?;
    let bar = Progress::start("comparing", "positions", Some(items.len() as u64));
    let results = items
        .par_iter()
        .map_init(
            || {
                ChessMachine::with(program, expansion)
                    .expect("it started a moment ago, and starts are all the same")
            },
            |machine, item| {
                let before = machine.cycles;
                let result = compare(machine, item);
                bar.inc(1);
                (result, machine.cycles - before)
            },
        )
        .collect();
    Ok(results)
}

fn read(path: &Path) -> Result<String, String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    input::open(path)
        .and_then(|reader| reader.take(FILE_LIMIT + 1).read_to_end(&mut bytes))
        .map_err(|err| format!("cannot read {}: {err}", path.display()))?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(format!("{} is larger than {} MB", path.display(), FILE_LIMIT >> 20));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn print_human(out: &mut dyn Write, sections: &[Section], show: usize) -> std::io::Result<Exit> {
    for section in sections {
        for fault in &section.faults {
            writeln!(out, "fault: {fault}")?;
        }
        for difference in section.differences.iter().take(show) {
            writeln!(out, "{}", diff::text(difference))?;
            writeln!(out, "{}", diff::reproduction(difference))?;
        }
        let hidden = section.differences.len().saturating_sub(show);
        if hidden > 0 {
            writeln!(out, "({hidden} more differences; --show N shows more)")?;
        }
        let differences = match section.differences.len() {
            0 => "no difference".to_owned(),
            1 => "1 difference".to_owned(),
            many => format!("{many} differences"),
        };
        let cycles = section.cycles as f64 / 1e6;
        writeln!(
            out,
            "{}: {} compared, {differences} ({}; {cycles:.1} M cycles)",
            section.name, section.compared, section.note
        )?;
    }
    Ok(verdict(sections))
}

fn verdict(sections: &[Section]) -> Exit {
    let clean = |section: &Section| section.differences.is_empty() && section.faults.is_empty();
    if sections.iter().all(clean) { Exit::Fine } else { Exit::Failed }
}
