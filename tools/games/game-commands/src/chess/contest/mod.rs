//! `tempo match`: games between two players, and what they show.

mod journal;
mod players;
mod spec;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

use clap::{Parser, value_parser};
use tempo_bridge::contest::{self, Adjudication, Opening, Player};
use tempo_bridge::{Program, epd};
use tempo_chess::Color;
use tempo_chess::pgn::{self, Outcome};
use tempo_chess::rating::{SPRT_BOUND, Sprt, Tally, Verdict};
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, files, output};

use crate::chess::game_file;
use crate::chess::program;
use journal::{Entry, Header, Journal};
use spec::{Kind, Spec};

/// Play a match between two chess players and estimate the Elo difference
///
/// Every opening is played twice, with colours exchanged. The interval is taken over these pairs.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Players are a kind and its limits, in one argument:
  'c64 cycles=24.6M'                    the program that tempo carries, 24.6 million cycles a move (25 s)
  'program=old.prg cycles=3M'           an image with its symbols beside it
  'rev=HEAD~3 cycles=3M'                the sources of a revision of this repository
  'reference nodes=14k'                 the reference search; cycles= by its model
  'cmd=stockfish option.UCI_LimitStrength=true option.UCI_Elo=1700 movetime=20'
                                        any UCI engine; arg=WORD for its arguments, + for a blank in a name
  random                                any legal move
Further words: depth=N, book=on (the program's own book, after the opening), reu=512 (a RAM expansion of 512 KB \
for the table of positions).

Examples:
  tempo match 'c64 cycles=3M' 'rev=HEAD~1 cycles=3M' --pairs 100 --jobs 4
  tempo match 'c64 cycles=24.6M' 'cmd=stockfish option.UCI_LimitStrength=true option.UCI_Elo=1700 movetime=20' \\
      --pairs 100 --state sf1700.jsonl --pgn sf1700.pgn
  tempo match 'reference nodes=12k' 'reference nodes=10k' --sprt 0 10 --pairs 5000

With --state a match that was ended goes on with the same command. --partition 2/8 plays the second of eight \
parts; --merge part*.jsonl --pairs N puts them together and plays what is missing. --merge games.pgn takes the \
games that fastchess or cutechess has played; FIRST is the player of that name, or White of the first game. A game ends early when both players agree: --no-adjudication plays it out.

Exit codes: 0 played, 1 a player broke the rules or --sprt was rejected, 2 the match could not be played.")]
pub struct Args {
    /// The first player; results are from its side
    #[arg(value_name = "FIRST")]
    first: Spec,

    /// The second player
    #[arg(value_name = "SECOND")]
    second: Spec,

    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,

    /// Openings: EPD or FEN lines, or PGN [default: the lines of the program's book]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Plies of each PGN game that make its opening
    #[arg(long, value_name = "N", default_value_t = 8)]
    plies: usize,

    /// Keep finished games here, and go on with those that are missing
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Add the finished games that these journals of the same match hold, such as those of other parts, or PGN files
    /// of other frameworks
    #[arg(long, value_name = "FILE", num_args = 1..)]
    merge: Vec<PathBuf>,

    /// Write all games to a PGN file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Stop as soon as the first player is shown to be stronger by ELO1 and not ELO0 or less, or is shown not to be
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Vec<f64>,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    jobs: u16,

    /// Play only part I of N
    #[arg(long, value_name = "I/N", value_parser = parse_partition)]
    partition: Option<(u32, u32)>,

    /// Play every game to its end by the rules
    #[arg(long)]
    no_adjudication: bool,

    /// Seed for random movers and book choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the result")]
    format: Format,
}

fn parse_partition(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((i, n)) if (1..=n).contains(&i) => Ok((i, n)),
        _ => Err("write I/N, as in 2/8".into()),
    }
}

/// The longest position file that is read.
const FILE_LIMIT: u64 = 64 << 20;

pub fn run(args: Args) -> Exit {
    match prepare(&args) {
        Ok(mut game) => match game.play() {
            Ok(()) => game.report(),
            Err(message) => {
                game.write_pgn();
                output::complain(message)
            }
        },
        Err(exit) => exit,
    }
}

/// A match ready to be played.
struct Match<'a> {
    args: &'a Args,
    programs: [Option<&'static Program>; 2],
    openings: Vec<Opening>,
    adjudication: Adjudication,
    journal: Journal,
}

fn prepare(args: &Args) -> Result<Match<'_>, Exit> {
    let program = |spec: &Spec| load(spec).map_err(output::complain);
    let programs = [program(&args.first)?, program(&args.second)?];
    let openings = openings(args)?;
    let adjudication = if args.no_adjudication { Adjudication::none() } else { Adjudication::default() };
    let header = Header {
        first: args.first.text.clone(),
        second: args.second.text.clone(),
        openings: args.openings.as_ref().map_or("book".to_owned(), |path| path.display().to_string()),
        adjudication: format!("{adjudication:?}"),
    };
    let mut journal = Journal::open(args.state.as_deref(), &header).map_err(output::complain)?;
    for path in &args.merge {
        journal.merge(path, &header).map_err(output::complain)?;
    }
    Ok(Match { args, programs, openings, adjudication, journal })
}

/// The image of a player, if it has one. It lives as long as the process.
fn load(spec: &Spec) -> Result<Option<&'static Program>, String> {
    Ok(match &spec.kind {
        Kind::Image => Some(Program::carried().map_err(|err| err.to_string())?),
        Kind::File(path) => Some(Box::leak(Box::new(program::load(path)?))),
        Kind::Revision(revision) => Some(Box::leak(Box::new(build_revision(revision)?))),
        Kind::Reference | Kind::Random | Kind::Uci { .. } => None,
    })
}

/// Assembles the sources of a revision with the assembler of this program.
fn build_revision(revision: &str) -> Result<Program, String> {
    if revision.starts_with('-') {
        return Err(format!("`{revision}` is not a revision"));
    }
    let git = |arguments: &[&str]| match tempo_host::git::command().args(arguments).output() {
        Ok(output) if output.status.success() => Ok(output.stdout),
        Ok(output) => {
            let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(format!("cannot get `{revision}`: {reason}"))
        }
        Err(err) => Err(format!("cannot run git: {err}")),
    };
    let root = git(&["rev-parse", "--show-toplevel"])?;
    let root = String::from_utf8_lossy(&root).trim().to_owned();
    let list = git(&["-C", &root, "ls-tree", "-r", "--name-only", revision, "asm/"])?;
    let mut files = Vec::new();
    for path in String::from_utf8_lossy(&list).lines() {
        let bytes = git(&["-C", &root, "cat-file", "blob", &format!("{revision}:{path}")])?;
        files.push((path.strip_prefix("asm/").unwrap_or(path).to_owned(), bytes));
    }
    Program::from_sources(files).map_err(|err| format!("`{revision}`: {err}"))
}

fn openings(args: &Args) -> Result<Vec<Opening>, Exit> {
    let Some(path) = &args.openings else { return Ok(contest::builtin()) };
    let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
    let openings: Vec<Opening> = if is_pgn {
        let opening = |(number, game): (usize, pgn::Record)| Opening {
            name: game.tag("Opening").map_or_else(|| format!("game {number}"), str::to_owned),
            start: game.start.clone(),
            moves: game.moves.iter().take(args.plies).map(|played| played.mv).collect(),
        };
        (1..).zip(game_file::games(path)?).map(opening).collect()
    } else {
        let bytes = files::read_limited(path, FILE_LIMIT)
            .map_err(|err| output::complain(format_args!("cannot read {}: {err}", path.display())))?;
        let (entries, faults) = epd::parse(&String::from_utf8_lossy(&bytes));
        if let Some(fault) = faults.first() {
            return Err(output::complain(format_args!("{}: {fault}", path.display())));
        }
        entries.into_iter().map(|entry| Opening::position(entry.id, entry.board)).collect()
    };
    if openings.is_empty() {
        return Err(output::complain(format_args!("{} holds no opening", path.display())));
    }
    Ok(openings)
}

/// One game to play.
#[derive(Clone, Copy)]
struct Turn {
    pair: usize,
    game: usize,
}

impl Args {
    fn hypotheses(&self) -> Option<Sprt> {
        match self.sprt[..] {
            [elo0, elo1] => Some(Sprt { elo0, elo1 }),
            _ => None,
        }
    }
}

/// The state of a match in a few words: results, the Elo difference, the probability that the first player is stronger, and
/// how far the sequential test is between its bounds.
fn state(tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut text = tally.to_string();
    if let Some(superiority) = tally.superiority() {
        text += &format!("  LOS {:.1} %", superiority * 100.0);
    }
    if let Some(sprt) = sprt {
        text += &format!("  LLR {:.2} of -{SPRT_BOUND:.2}, {SPRT_BOUND:.2}", tally.log_likelihood(sprt));
    }
    text
}

impl Match<'_> {
    fn sprt(&self) -> Option<Sprt> {
        self.args.hypotheses()
    }

    /// The games of this part that are not in the journal.
    fn missing(&self) -> Vec<Turn> {
        let (part, parts) = self.args.partition.unwrap_or((1, 1));
        (0..self.args.pairs as usize)
            .filter(|pair| pair % parts as usize == part as usize - 1)
            .flat_map(|pair| [0, 1].map(|game| Turn { pair, game }))
            .filter(|turn| !self.journal.has(turn.pair, turn.game))
            .collect()
    }

    fn play(&mut self) -> Result<(), String> {
        let mut missing = self.missing();
        missing.reverse();
        let total = missing.len() + self.journal.entries.len();
        let progress = Progress::start("playing", "games", Some(total as u64));
        progress.set_position(self.journal.entries.len() as u64);
        let (args, programs, openings) = (self.args, self.programs, &self.openings);
        let adjudication = self.adjudication;
        let queue = Mutex::new(missing);
        let over = AtomicBool::new(self.is_decided());
        let (sender, finished) = mpsc::channel();
        let journal = &mut self.journal;
        let sprt = args.hypotheses();
        std::thread::scope(|scope| {
            for job in 0..u64::from(args.jobs) {
                let (sender, queue, over) = (sender.clone(), &queue, &over);
                scope.spawn(move || {
                    let work = || -> Result<(), String> {
                        let seed = args.seed.wrapping_mul(1_000_003).wrapping_add(job);
                        let mut first = players::open(&args.first, programs[0], seed)?;
                        let mut second = players::open(&args.second, programs[1], seed ^ 0x5a5a)?;
                        while !over.load(Ordering::Acquire) {
                            let Some(turn) = queue.lock().ok().and_then(|mut queue| queue.pop()) else {
                                break;
                            };
                            let opening = &openings[turn.pair % openings.len()];
                            let entry =
                                play_one(args, turn, opening, &mut *first, &mut *second, adjudication)?;
                            if sender.send(Ok(entry)).is_err() {
                                break;
                            }
                        }
                        Ok(())
                    };
                    if let Err(message) = work() {
                        over.store(true, Ordering::Release);
                        let _ = sender.send(Err(message));
                    }
                });
            }
            drop(sender);
            let mut failure = None;
            for entry in finished {
                match entry.and_then(|entry| journal.add(entry)) {
                    Ok(()) => {
                        let tally = journal.tally();
                        progress.inc(1);
                        progress.set_message(format!(": {}", state(&tally, sprt)));
                        if sprt.is_some_and(|sprt| tally.verdict(sprt) != Verdict::Undecided) {
                            over.store(true, Ordering::Release);
                        }
                    }
                    Err(message) => {
                        over.store(true, Ordering::Release);
                        failure.get_or_insert(message);
                    }
                }
            }
            failure.map_or(Ok(()), Err)
        })
    }

    fn is_decided(&self) -> bool {
        self.sprt().is_some_and(|sprt| self.journal.tally().verdict(sprt) != Verdict::Undecided)
    }

    fn write_pgn(&self) -> Option<Exit> {
        let path = self.args.pgn.as_deref()?;
        write_file(path, &self.journal.pgn()).err().map(output::complain)
    }

    fn report(&self) -> Exit {
        if let Some(exit) = self.write_pgn() {
            return exit;
        }
        let tally = self.journal.tally();
        let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
        for entry in &self.journal.entries {
            *reasons.entry(entry.reason.as_str()).or_default() += 1;
        }
        let offences: Vec<&Entry> = self.journal.entries.iter().filter(|entry| entry.offence).collect();
        let verdict = self.sprt().map(|sprt| tally.verdict(sprt));
        let printed = output::print(|out| {
            match self.args.format {
                Format::Json => writeln!(out, "{}", self.json(&tally, &reasons, offences.len()))?,
                Format::Human => {
                    writeln!(out, "{} against {}", self.args.first.text, self.args.second.text)?;
                    writeln!(out, "{tally}  {:.1} % of {} games", tally.score() * 100.0, tally.games())?;
                    if let Some(superiority) = tally.superiority() {
                        writeln!(
                            out,
                            "probability that the first is stronger: {:.1} %",
                            superiority * 100.0
                        )?;
                    }
                    writeln!(out, "pairs by points 0, 1/2, 1, 3/2, 2: {:?}", tally.pairs)?;
                    if let (Some(sprt), Some(verdict)) = (self.sprt(), verdict) {
                        let ratio = tally.log_likelihood(sprt);
                        writeln!(
                            out,
                            "sprt {} {}: {ratio:.2} of {SPRT_BOUND:.2}, {verdict:?}",
                            sprt.elo0, sprt.elo1
                        )?;
                    }
                    for (reason, count) in &reasons {
                        writeln!(out, "{count:6} {reason}")?;
                    }
                }
            }
            Ok(Exit::Fine)
        });
        if !offences.is_empty() || verdict == Some(Verdict::Reject) { Exit::Failed } else { printed }
    }

    fn json(&self, tally: &Tally, reasons: &BTreeMap<&str, u64>, offences: usize) -> serde_json::Value {
        let finite = |value: f64| value.is_finite().then_some(value);
        let interval = tally.interval();
        serde_json::json!({
            "first": self.args.first.text,
            "second": self.args.second.text,
            "games": tally.games(),
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pairs": tally.pairs,
            "score": tally.score(),
            "elo": finite(tally.elo()),
            "superiority": tally.superiority(),
            "elo_low": interval.and_then(|(low, _)| finite(low)),
            "elo_high": interval.and_then(|(_, high)| finite(high)),
            "sprt": self.sprt().map(|sprt| serde_json::json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "ratio": tally.log_likelihood(sprt),
                "bound": SPRT_BOUND, "verdict": format!("{:?}", tally.verdict(sprt)).to_lowercase(),
            })),
            "reasons": reasons,
            "offences": offences,
        })
    }
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    files::write_atomic(path, text.as_bytes())
        .map_err(|err| format!("cannot write {}: {err}", path.display()))
}

fn play_one<'p>(
    args: &Args,
    turn: Turn,
    opening: &Opening,
    first: &'p mut (dyn Player + 'p),
    second: &'p mut (dyn Player + 'p),
    adjudication: Adjudication,
) -> Result<Entry, String> {
    let names = [args.first.text.as_str(), args.second.text.as_str()];
    let (white, black, own) = match turn.game {
        0 => (first, second, Color::White),
        _ => (second, first, Color::Black),
    };
    let name = |color: Color| if color == own { names[0] } else { names[1] };
    let mut finished = contest::play(opening, white, black, adjudication)
        .map_err(|failure| format!("{}: {}", name(failure.color), failure.message))?;
    let record = &mut finished.record;
    record.set_tag("Event", "tempo match");
    record.set_tag("Round", format!("{}.{}", turn.pair + 1, turn.game + 1));
    record.set_tag("White", name(Color::White));
    record.set_tag("Black", name(Color::Black));
    record.set_tag("Opening", opening.name.clone());
    let half_points = match record.result {
        Outcome::Draw | Outcome::Open => 1,
        result if result == Outcome::win(own) => 2,
        _ => 0,
    };
    Ok(Entry {
        pair: turn.pair,
        game: turn.game,
        half_points,
        reason: finished.reason,
        offence: finished.offender.is_some(),
        pgn: pgn::write(record),
    })
}
