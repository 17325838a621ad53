//! `tempo enochian`: Enochian chess for four armies on the command line.

use std::fmt::Write as _;
use std::io::{self, Write};

use clap::{Parser, Subcommand, ValueEnum, value_parser};
use serde_json::json;
use tempo_boardgame::Game;
use tempo_enochian::{Army, ArraySpec, Dice, Die, Layout, Position, Rulebook, Session, Throw, Turning};
use tempo_host::{Exit, Format, output};

use crate::board::picture;
use crate::seed;

use load::{RulesArgs, Start, StartArgs};

mod count;
mod load;
mod play;

/// Play and examine Enochian chess: four armies, two teams, one board
///
/// The default game is the array fire_of_fire. The rules library's own default, the prototype
/// tablet_of_fire_prototype, can be played too, but it gives two armies (Blue and Red) no first move.
#[derive(Debug, Parser)]
#[command(
    arg_required_else_help = true,
    after_long_help = "\
Examples:
  tempo enochian play --computer earth
  tempo enochian show water_of_air
  tempo enochian moves --array earth_of_fire
  tempo enochian moves --position position.json
  tempo enochian apply --position position.json Qd3xd5 > next.json
  tempo enochian roll --position next.json --seed 7

Moves are letter, from, - or x, to, and = letter for a promotion: Ke1-e2, Pd7xe8=N; or pass.
Exit codes: 0 fine, 1 a position, rules file or move was refused, 2 could not run."
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Arrays(ArraysArgs),
    Show(ShowArgs),
    Moves(MovesArgs),
    Apply(ApplyArgs),
    Perft(count::Args),
    Play(play::Args),
    Roll(RollArgs),
}

/// List the starting arrays
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo enochian arrays
  tempo enochian arrays --format json
  tempo enochian arrays --rules my-rules.yaml

The status tells where an array comes from: seed (the original description of this game), sourced (printed \
rules) or reading (a decision where both are silent; docs/enochian.md lists them).")]
struct ArraysArgs {
    #[command(flatten)]
    rules: RulesArgs,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the list")]
    format: Format,
}

/// Show a position: the first one of an array, or any other
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo enochian show
  tempo enochian show tablet_of_water
  tempo enochian show --position position.json --format text
  tempo enochian show fire_of_fire --format json > position.json

Without colours an army is the letter or number in front of each piece (1 blue, R red, 3 black, Y yellow); \
+ is an empty throne, a/b a shared one, brackets hold frozen pieces.")]
struct ShowArgs {
    /// The array; the same as --array
    #[arg(value_name = "ARRAY", conflicts_with_all = ["array", "position"])]
    name: Option<String>,

    #[command(flatten)]
    start: StartArgs,

    /// Output to print
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    format: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Form {
    /// The board with notes
    #[default]
    Board,
    /// The position in one line of text
    Text,
    /// The position as JSON
    Json,
}

/// List the legal moves of a position, sorted, one a line
///
/// `pass` alone means that the army may not or cannot move. A die in the position counts.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo enochian moves
  tempo enochian moves --position position.json
  tempo enochian show --format json | tempo enochian moves --position -
  tempo enochian moves --array water_of_earth --widdershins --format json")]
struct MovesArgs {
    #[command(flatten)]
    start: StartArgs,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the moves")]
    format: Format,
}

/// Play moves and print the position after them as JSON
///
/// Beside moves: offer-exchange and offer-draw, answered by accept or refuse; and exchange, which is an
/// exchange of prisoners both captors have agreed on. None of these takes a turn.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo enochian apply Pe2-e3 Pb1-c1
  tempo enochian apply --position position.json Ke1xd2
  tempo enochian apply --position position.json offer-exchange accept
  tempo enochian apply --position - pass < position.json > next.json

The answer has \"result\" once the game is over. A move that is not legal is refused with the rule that \
refuses it, exit code 1 and no output.")]
struct ApplyArgs {
    #[command(flatten)]
    start: StartArgs,

    /// The moves, in order
    #[arg(value_name = "MOVE", required = true)]
    moves: Vec<String>,

    /// Output to print
    #[arg(long, value_enum, default_value = "json", value_name = "FORM")]
    format: Form,

    /// JSON in one line
    #[arg(long)]
    compact: bool,
}

/// Roll the divination die, alone or for the army on turn
///
/// The die decides what may move: 1 king or pawn, 2 knight, 3 bishop, 4 queen, 5 rook, 6 pawn. A roll
/// that lets nothing move is thrown again, three times unless the rules or --retries say otherwise; then
/// the turn is lost. Equal seeds give equal rolls everywhere.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo enochian roll --seed 7
  tempo enochian roll --seed 7 --count 10
  tempo enochian roll --position position.json --seed 7
  tempo enochian roll --position position.json --seed 7 --format json")]
struct RollArgs {
    #[command(flatten)]
    start: StartArgs,

    /// The seed of the die [default: random; printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Roll this often, without a position
    #[arg(long, value_name = "N", conflicts_with_all = ["position", "array"], value_parser = value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,

    /// How often a roll that lets nothing move is repeated
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=1000))]
    retries: Option<u32>,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the rolls")]
    format: Format,
}

pub fn run(args: Args) -> Exit {
    let done = match args.command {
        Command::Arrays(args) => arrays(&args),
        Command::Show(args) => show(args),
        Command::Moves(args) => moves(&args),
        Command::Apply(args) => apply(&args),
        Command::Perft(args) => count::run(&args),
        Command::Play(args) => play::run(args),
        Command::Roll(args) => roll(&args),
    };
    done.unwrap_or_else(|exit| exit)
}

fn names(order: &[Army]) -> String {
    order.iter().map(|army| army.name()).collect::<Vec<_>>().join(" ")
}

fn arrays(args: &ArraysArgs) -> Result<Exit, Exit> {
    let book = args.rules.load()?;
    let is = |array: &ArraySpec, other: &ArraySpec| array.id == other.id;
    Ok(output::print(|out| {
        if args.format == Format::Json {
            let list: Vec<_> = book.arrays().iter().map(|array| array_json(array, &book)).collect();
            serde_json::to_writer_pretty(&mut *out, &list)?;
            writeln!(out)?;
            return Ok(Exit::Fine);
        }
        let width = book.arrays().iter().map(|array| array.id.len()).max().unwrap_or(0);
        for array in book.arrays() {
            let mut remark = String::new();
            if is(array, book.recommended_array()) {
                remark += "  the default game here";
            }
            if is(array, book.default_array()) {
                remark += "  the library's default";
            }
            let (id, status) = (&array.id, array.status.name());
            let both = if array.widdershins.is_some() { "both ways" } else { "" };
            let line =
                format!("{id:<width$}  {status:<7}  {:<21}  {both:<9}{remark}", names(&array.turn_order));
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(Exit::Fine)
    }))
}

fn array_json(array: &ArraySpec, book: &Rulebook) -> serde_json::Value {
    let order = |order: [Army; 4]| order.map(Army::name).to_vec();
    json!({
        "id": array.id,
        "title": array.title(),
        "status": array.status.name(),
        "placement": array.placement,
        "turn_order": order(array.turn_order),
        "widdershins": array.order(Turning::Widdershins).map(order),
        "pieces": array.pieces.len(),
        "default": array.id == book.default_array().id,
        "recommended": array.id == book.recommended_array().id,
    })
}

fn show(mut args: ShowArgs) -> Result<Exit, Exit> {
    if args.name.is_some() {
        args.start.array = args.name.take();
    }
    let Start { position, array, .. } = args.start.load()?;
    Ok(output::print(|out| {
        match args.format {
            Form::Text => writeln!(out, "{}", position.to_text())?,
            Form::Json => writeln!(out, "{}", position.to_json(Layout::Lines))?,
            Form::Board => {
                if let Some(array) = array {
                    writeln!(out, "{} ({})", array.title(), array.id)?;
                }
                write_board(out, &position)?;
            }
        }
        Ok(Exit::Fine)
    }))
}

fn write_board(out: &mut dyn Write, position: &Position) -> io::Result<()> {
    let view = position.board();
    write!(out, "{}", picture(&view))?;
    writeln!(out, "1 blue, R red, 3 black, Y yellow; order {}", names(&position.turn_order()))?;
    for note in &view.notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn moves(args: &MovesArgs) -> Result<Exit, Exit> {
    let Start { position, .. } = args.start.load()?;
    let texts = position.legal_move_texts();
    if let Some(result) = position.result() {
        let _ = writeln!(io::stderr(), "note: the game is over: {result}");
    }
    Ok(output::print(|out| {
        match args.format {
            Format::Json => {
                let army = position.turn();
                let commander = position.commander(army);
                let answer = json!({"army": army.name(), "commander": commander.name(), "moves": texts});
                writeln!(out, "{answer}")?;
            }
            Format::Human => {
                for text in texts {
                    writeln!(out, "{text}")?;
                }
            }
        }
        Ok(Exit::Fine)
    }))
}

fn apply(args: &ApplyArgs) -> Result<Exit, Exit> {
    let Start { position, book, .. } = args.start.load()?;
    let mut session = Session::new(position, book.two_players.clone(), None);
    for (i, text) in args.moves.iter().enumerate() {
        if let Err(message) = apply_one(&mut session, text.trim(), i == 0) {
            let place = if args.moves.len() > 1 { format!("move {}: ", i + 1) } else { String::new() };
            let _ = output::complain(format_args!("{place}{message}"));
            return Err(Exit::Failed);
        }
    }
    if let Some(pending) = session.pending() {
        let (offer, army) = (pending.offer, session.acting());
        let _ = output::complain(format_args!("{offer} waits for {army}: add accept or refuse"));
        return Err(Exit::Failed);
    }
    Ok(output::print(|out| {
        let position = session.position();
        match args.format {
            Form::Text => writeln!(out, "{}", position.to_text())?,
            Form::Board => write_board(out, position)?,
            Form::Json => {
                let layout = if args.compact { Layout::Compact } else { Layout::Lines };
                writeln!(out, "{}", session.to_json(layout))?;
            }
        }
        Ok(Exit::Fine)
    }))
}

fn apply_one(session: &mut Session, text: &str, is_first: bool) -> Result<(), String> {
    if text == "exchange" {
        // Both consents at once.
        session.act("offer-exchange").map_err(|err| err.to_string())?;
        return session.act("accept").map_err(|err| err.to_string());
    }
    // A position that is over can still be examined: its first move is judged by the rules of moving alone.
    if is_first && session.result().is_some() {
        let mut position = session.position().clone();
        let mv = position.parse_move(text).map_err(|err| err.to_string())?;
        position.play(mv);
        *session = Session::new(position, session.players().clone(), None);
        return Ok(());
    }
    session.act(text).map_err(|err| err.to_string())
}

fn roll(args: &RollArgs) -> Result<Exit, Exit> {
    let seed = args.seed.unwrap_or_else(seed::fresh);
    let mut dice = Dice::seeded(seed);
    let for_army = args.start.position.is_some() || args.start.array.is_some();
    if !for_army {
        let rolls: Vec<Die> = (0..args.count.unwrap_or(1)).map(|_| dice.roll()).collect();
        return Ok(print_rolls(args.format, seed, &rolls));
    }
    let Start { mut position, .. } = args.start.load()?;
    if let Some(retries) = args.retries {
        position.set_retries(retries);
    }
    let throw = position.throw(&mut dice);
    Ok(print_throw(args.format, seed, &position, &throw))
}

fn print_rolls(format: Format, seed: u64, rolls: &[Die]) -> Exit {
    let faces: Vec<u8> = rolls.iter().map(|die| die.face()).collect();
    output::print(|out| {
        match format {
            Format::Json => writeln!(out, "{}", json!({"seed": seed, "rolls": faces}))?,
            Format::Human => {
                for face in faces {
                    writeln!(out, "{face}")?;
                }
            }
        }
        Ok(Exit::Fine)
    })
}

fn print_throw(format: Format, seed: u64, position: &Position, throw: &Throw) -> Exit {
    let texts = position.legal_move_texts();
    output::print(|out| {
        if format == Format::Json {
            let faces: Vec<u8> = throw.rolls.iter().map(|die| die.face()).collect();
            let answer = json!({
                "seed": seed,
                "army": position.turn().name(),
                "rolls": faces,
                "die": position.die().map(Die::face),
                "playable": throw.is_playable,
                "moves": texts,
            });
            writeln!(out, "{answer}")?;
            return Ok(Exit::Fine);
        }
        let army = position.turn();
        if throw.rolls.is_empty() {
            writeln!(out, "{army} passes whatever the die says")?;
            return Ok(Exit::Fine);
        }
        for (i, die) in throw.rolls.iter().enumerate() {
            let kinds: Vec<&str> = position.setup().dice.kinds(*die).map(|kind| kind.name()).collect();
            let mut line = format!("{} {}", die.face(), kinds.join(" or "));
            let is_last = i + 1 == throw.rolls.len();
            if !is_last || !throw.is_playable {
                line += ": nothing can move";
            } else {
                let _ = write!(line, ": {} moves, seed {seed}", texts.len());
            }
            writeln!(out, "{line}")?;
        }
        if !throw.is_playable {
            writeln!(out, "{army} loses the turn, seed {seed}")?;
        }
        for text in &texts {
            writeln!(out, "{text}")?;
        }
        Ok(Exit::Fine)
    })
}
