//! `tempo game explain`: why a piece may or may not go somewhere.

use clap::Parser;
use tempo_gamespec::{Explanation, Landing, Verdict};
use tempo_host::{Exit, Format, output};

use super::After;
use crate::board::squares;

/// Say why a piece may or may not move
///
/// Goes through every move definition of the piece: where it landed, which condition passed or
/// refused, whether a leader would hang, and what ended the walk. A square is `e2` or `4,1`.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo game explain chess --from e2
  tempo game explain chess --from e1 --to g1
  tempo game explain my-game.json --from 4,1 --after '4,1>4,3#1' --format json

Exit codes: 0 explained, 1 faults in the spec or a refused move, 2 no such square.")]
pub struct Args {
    #[command(flatten)]
    position: After,

    /// The square of the piece
    #[arg(long, value_name = "SQUARE")]
    from: String,

    /// Only what concerns this square
    #[arg(long, value_name = "SQUARE")]
    to: Option<String>,

    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help = "How to print the explanation")]
    format: Format,
}

pub fn run(args: &Args) -> Exit {
    let game = match args.position.open() {
        Ok(game) => game,
        Err(exit) => return exit,
    };
    let (columns, rows) = (game.spec().columns as u16, game.spec().rows as u16);
    let parse = |text: &str| {
        squares::parse(text, columns, rows).ok_or_else(|| {
            format!("{text:?} is not a square of this board of {columns} columns and {rows} rows")
        })
    };
    let from = match parse(&args.from) {
        Ok(square) => square,
        Err(message) => return output::complain(message),
    };
    let to = match args.to.as_deref().map(parse).transpose() {
        Ok(to) => to.map(|square| square.name(columns)),
        Err(message) => return output::complain(message),
    };
    let mut explanation = game.explain(from);
    let untouched = explanation.clone();
    if let Some(to) = &to {
        for tried in &mut explanation.tries {
            tried.landings.retain(|landing| landing.square == *to);
        }
        explanation.tries.retain(|tried| !tried.landings.is_empty());
    }
    output::print(|out| {
        if args.format == Format::Json {
            writeln!(out, "{}", serde_json::to_string_pretty(&explanation)?)?;
            return Ok(Exit::Fine);
        }
        write!(out, "{}", text(&explanation))?;
        if let Some(to) = to.filter(|_| explanation.tries.is_empty() && !untouched.tries.is_empty()) {
            writeln!(out, "no definition comes to {to}:")?;
            for tried in &untouched.tries {
                let walked: Vec<&str> =
                    tried.landings.iter().map(|landing| landing.square.as_str()).collect();
                let walked = if walked.is_empty() { "nowhere".into() } else { walked.join(" ") };
                writeln!(out, "  move {}, step {:?}: {walked}; {}", tried.id, tried.step, tried.end)?;
            }
        }
        Ok(Exit::Fine)
    })
}

fn text(explanation: &Explanation) -> String {
    let mut text = format!("{}: {}\n", explanation.square, explanation.piece);
    for note in &explanation.notes {
        text += &format!("note: {note}\n");
    }
    for tried in &explanation.tries {
        let turned =
            if tried.turned == tried.step { String::new() } else { format!(", turned {:?}", tried.turned) };
        text += &format!("move {}, step {:?}{turned}\n", tried.id, tried.step);
        for landing in &tried.landings {
            text += &landing_text(landing);
        }
        text += &format!("  end: {}\n", tried.end);
    }
    text
}

fn landing_text(landing: &Landing) -> String {
    let verdict = match &landing.verdict {
        Verdict::NoAction => "no action for such a square".to_owned(),
        Verdict::Refused => "refused".to_owned(),
        Verdict::Unsafe { because } => format!("not legal: {}", because.join("; ")),
        Verdict::Legal { moves } => format!("legal: {}", moves.join("  ")),
    };
    let mut text = format!("  {} ({}): {verdict}\n", landing.square, landing.occupancy);
    for asked in &landing.asked {
        let answer = if asked.holds { "yes" } else { "NO " };
        text += &format!("    {answer} {}: {}\n", asked.condition, asked.because);
    }
    text
}
