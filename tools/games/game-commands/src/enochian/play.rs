//! `tempo enochian play`: the terminal board with four armies, offers and dice.

use std::path::{Path, PathBuf};

use clap::{Parser, value_parser};
use tempo_boardgame::saved::{self, Header, Saved, SavedError};
use tempo_enochian::{Army, Players, Position, Rulebook, Session, Team};
use tempo_host::{Exit, files, output};

use super::load::{Start, StartArgs};
use crate::board::{self, Mode, Player, Table};
use crate::seed;

/// Play on a terminal board
///
/// The default array is fire_of_fire: the prototype, which the library starts from, gives Blue and Red
/// no first move. Two players each lead a team, four lead an army each; any of them can be the search,
/// which plays for its team. A king on the throne of its ally takes command: its player then moves both.
///
/// Beside moves there are offers: offer-exchange gives both captured kings back if the other captor
/// accepts; offer-draw ends a game that is stuck in stalemate. They take no turn.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo enochian play
  tempo enochian play --seats 2 --computer earth
  tempo enochian play --array water_of_air --widdershins --computer red --computer yellow
  tempo enochian play --dice --seed 7
  tempo enochian play --computer all --turns 100 --plain
  tempo enochian play --save friday.jsonl
  tempo enochian play --resume friday.jsonl
  printf 'Pe2-e3\\ngo\\nsave game.jsonl\\n' | tempo enochian play

Exit codes: 0 the game ended or was quit, 1 faults in rules, position or saved game, or a refused line in a \
script, 2 unreadable.")]
pub struct Args {
    #[command(flatten)]
    start: StartArgs,

    /// How many play: 2 lead a team each, 4 an army each [default: 4, or the array's own seats]
    #[arg(long, value_name = "N", value_parser = ["2", "4"])]
    seats: Option<String>,

    /// Let the search play an army, a team or a player; repeat it for more, or say `all`
    #[arg(long, value_name = "NAME")]
    computer: Vec<String>,

    /// Positions the search looks at for a move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..=100_000_000))]
    nodes: u64,

    /// Divination: a die decides which pieces may move
    #[arg(long)]
    dice: bool,

    /// The seed of the dice [default: a fresh one, which the saved game keeps]
    #[arg(long, value_name = "N", requires = "dice")]
    seed: Option<u64>,

    /// How often a roll that lets nothing move is repeated
    #[arg(long, value_name = "N", requires = "dice", value_parser = value_parser!(u32).range(0..=1000))]
    retries: Option<u32>,

    /// End the game as a draw after N turns [default: 1000 when only the search plays, else never]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    turns: Option<u32>,

    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["array", "widdershins", "position", "seats", "dice"])]
    resume: Option<PathBuf>,

    /// Where the save command writes [default: the array's name with .jsonl, or the resumed file]
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Lines instead of a full screen
    #[arg(long)]
    plain: bool,
}

pub fn run(args: Args) -> Result<Exit, Exit> {
    let (mut session, name, saved) = match &args.resume {
        Some(path) => {
            let (session, saved) = resume(path, &args.start.rules.load()?)?;
            let name = saved.header.setup["array"].as_str().map(str::to_owned);
            (session, name, Some(saved))
        }
        None => {
            let (session, name) = begin(&args)?;
            (session, name, None)
        }
    };
    let computers = computers(&args.computer, session.position(), session.players())?;
    match args.turns {
        Some(turns) => session.limit_turns(turns),
        // Without people nothing would stop a game that no rule ends.
        None if computers.len() == 4 => session.limit_turns(1000),
        None => {}
    }
    let header = Header { game: "enochian".into(), setup: session.to_setup(name.as_deref()) };
    let title = match &name {
        Some(name) => format!("Enochian chess: {name}"),
        None => "Enochian chess".into(),
    };
    let path = PathBuf::from(format!("{}.jsonl", name.as_deref().unwrap_or("enochian")));
    let mut table = Table::new(title, session, header, path);
    for army in computers {
        table.players[army.index()] = Player::Computer { nodes: args.nodes };
    }
    if let (Some(path), Some(saved)) = (&args.resume, &saved)
        && let Err(err) = table.resume(saved, path)
    {
        let _ = output::complain(format_args!("{}: {err}", path.display()));
        return Err(Exit::Failed);
    }
    if let Some(path) = args.save {
        table.save_as(&path);
    }
    Ok(board::play(table, if args.plain { Mode::Prompt } else { Mode::Auto }))
}

fn begin(args: &Args) -> Result<(Session, Option<String>), Exit> {
    let Start { book, mut position, array } = args.start.load()?;
    if let Some(retries) = args.retries {
        position.set_retries(retries);
    }
    let own = array.as_ref().and_then(|array| array.players.clone());
    let players = match (args.seats.as_deref(), own) {
        (Some("2"), _) => book.two_players.clone(),
        (None, Some(players)) => players,
        _ => book.four_players.clone(),
    };
    let seed = args.dice.then(|| args.seed.unwrap_or_else(seed::fresh));
    Ok((Session::new(position, players, seed), array.map(|array| array.id)))
}

fn resume(path: &Path, book: &Rulebook) -> Result<(Session, Saved), Exit> {
    let bytes = files::read_own(path, 64 << 20)
        .map_err(|err| output::complain(format_args!("cannot read {}: {err}", path.display())))?;
    let begun = saved::read(&bytes).and_then(|saved| {
        let fault = |message: String| SavedError { line: 1, column: 1, message };
        if saved.header.game != "enochian" {
            return Err(fault(format!(
                "this is a saved game of {:?}, not of Enochian chess",
                saved.header.game
            )));
        }
        let session = Session::from_setup(&saved.header.setup, book).map_err(fault)?;
        Ok((session, saved))
    });
    begun.map_err(|err| {
        let _ = output::complain(format_args!("{}: {err}", path.display()));
        Exit::Failed
    })
}

/// The armies the search plays, of names of armies, teams and players.
fn computers(wanted: &[String], position: &Position, players: &Players) -> Result<Vec<Army>, Exit> {
    let mut armies = Vec::new();
    for name in wanted {
        let name = name.to_lowercase();
        let player = players.seats.iter().find(|(player, _)| player.to_lowercase() == name);
        if let Some(army) = Army::from_name(&name) {
            armies.push(army);
        } else if let Some(team) = Team::from_name(&name) {
            armies.extend(position.setup().armies(team));
        } else if let Some((_, own)) = player {
            armies.extend(own);
        } else if name == "all" {
            armies.extend(Army::ALL);
        } else {
            let names: Vec<&str> = players.seats.iter().map(|(player, _)| player.as_str()).collect();
            return Err(output::complain(format_args!(
                "no army or team is called {name:?}; there are the armies blue, red, black, yellow, the teams air and earth, \
                 the players {}, and all",
                names.join(", ")
            )));
        }
    }
    armies.sort();
    armies.dedup();
    Ok(armies)
}
