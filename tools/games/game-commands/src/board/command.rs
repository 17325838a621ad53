//! Typed commands, the same at the prompt and on the screen's command line: a move, or a word.

use std::path::Path;

use tempo_boardgame::Game;

use super::squares;
use super::table::{Progress, Table};

/// The words that can be typed, with examples of the game at hand.
pub fn help<G: Game>(table: &Table<G>) -> String {
    let mut examples: Vec<String> = Vec::new();
    let columns = table.view().columns;
    let quiet = table.legal().iter().copied().find(|&mv| table.squares(mv).is_some());
    if let Some(mv) = quiet {
        examples.push(table.text(mv));
        examples.extend(table.squares(mv).map(|(from, to)| from.name(columns) + &to.name(columns)));
        examples.dedup();
    }
    let example = if examples.is_empty() { String::new() } else { format!(": {}", examples.join(" or ")) };
    let saved = if table.export.is_some() { "write the game as PGN" } else { "write the game as JSON Lines" };
    let mut lines = vec![
        format!("a move      as the list shows it, or two squares{example}"),
        "moves [SQ]  the legal moves, of one square if given".into(),
        "go          let the computer make this move".into(),
        "undo, redo  take back, play again".into(),
        format!("save [FILE] {saved}"),
        "board       show the board again".into(),
        "quit        leave".into(),
    ];
    lines.extend(table.about());
    lines.join("\n")
}

/// The effect of a command.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The position changed.
    Moved(String),
    /// Something to read, one line or many.
    Said(String),
    /// Not understood or not possible.
    Refused(String),
    ShowBoard,
    Quit,
}

/// Carries out a typed line.
pub fn run<G: Game>(table: &mut Table<G>, line: &str) -> Answer {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match (word.to_ascii_lowercase().as_str(), rest.trim()) {
        ("", _) => Answer::Said(String::new()),
        ("help" | "?" | "h", _) => Answer::Said(help(table)),
        ("quit" | "exit" | "q", "") => Answer::Quit,
        ("board", "") => Answer::ShowBoard,
        ("moves", square) => moves(table, square),
        ("go", "") if table.is_over() => Answer::Refused("the game is over".into()),
        ("go", "") => match table.think() {
            Progress::Played(text) => Answer::Moved(text),
            Progress::Stuck(message) | Progress::Thinking(message) => Answer::Refused(message),
        },
        ("claim", "") => match table.claim() {
            Some(reason) => Answer::Moved(format!("draw claimed: {}", reason.replace('_', " "))),
            None => Answer::Refused("there is no draw to claim".into()),
        },
        ("undo", "") => match table.undo() {
            0 => Answer::Refused("there is nothing to take back".into()),
            count => Answer::Moved(format!("took back {}", tempo_diagnostics::plural(count, "move"))),
        },
        ("redo", "") => match table.redo() {
            0 => Answer::Refused("there is nothing to play again".into()),
            count => Answer::Moved(format!("played {} again", tempo_diagnostics::plural(count, "move"))),
        },
        ("save", path) => match table.save((!path.is_empty()).then_some(Path::new(path))) {
            Ok(path) => Answer::Said(format!("saved to {}", path.display())),
            Err(message) => Answer::Refused(message),
        },
        _ => play(table, line),
    }
}

fn moves<G: Game>(table: &Table<G>, square: &str) -> Answer {
    let view = table.view();
    let moves = if square.is_empty() {
        table.legal().to_vec()
    } else {
        match squares::parse(square, view.columns, view.rows) {
            Some(square) => table.moves_from(square),
            None => return Answer::Refused(format!("{square:?} is not a square of this board")),
        }
    };
    if moves.is_empty() {
        return Answer::Said("no moves".into());
    }
    Answer::Said(moves.iter().map(|&mv| table.text(mv)).collect::<Vec<_>>().join("\n"))
}

/// Plays the move a text means: exactly, or by its squares and what follows them.
fn play<G: Game>(table: &mut Table<G>, line: &str) -> Answer {
    if table.is_over() {
        return Answer::Refused("the game is over; undo or quit".into());
    }
    if let Some(mv) = table.find(line) {
        let text = table.text(mv);
        table.play(mv);
        return Answer::Moved(text);
    }
    let view = table.view();
    let (columns, rows) = (view.columns, view.rows);
    let Some((from, to, rest)) = squares::parse_pair(line, columns, rows) else {
        let shown: String = line.chars().take(40).flat_map(char::escape_debug).collect();
        return Answer::Refused(format!("\"{shown}\" is not a move here; help lists what can be typed"));
    };
    let mut fits = table.moves_between(from, to);
    if !rest.is_empty() {
        let wanted = rest.trim_start_matches('=').to_lowercase();
        fits.retain(|&mv| {
            [table.text(mv), table.exact_text(mv)].iter().any(|text| {
                let text = text.to_lowercase();
                let option = text.rsplit_once('=').map(|(_, option)| option);
                option.is_some_and(|option| option.starts_with(&wanted))
                    || text.ends_with(&rest.to_lowercase())
            })
        });
    }
    match fits.as_slice() {
        [mv] => {
            let text = table.text(*mv);
            table.play(*mv);
            Answer::Moved(text)
        }
        [] => {
            let (from_name, to_name) = (from.name(columns), to.name(columns));
            let others = table.moves_from(from);
            let mut message = format!("no legal move from {from_name} to {to_name}");
            if !others.is_empty() {
                let mut targets: Vec<String> = others
                    .iter()
                    .filter_map(|&mv| table.squares(mv))
                    .map(|(_, to)| to.name(columns))
                    .collect();
                targets.dedup();
                message += &format!("; from {from_name} there are {}", targets.join(" "));
            }
            Answer::Refused(message)
        }
        several => {
            let texts: Vec<String> = several.iter().map(|&mv| table.text(mv)).collect();
            Answer::Refused(format!("which one? {}", texts.join("  ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::small;
    use super::*;

    #[test]
    fn moves_can_be_typed_in_several_ways() {
        let mut table = small();
        assert_eq!(run(&mut table, "c1c2"), Answer::Moved("Mc1-c2".into()));
        assert_eq!(run(&mut table, "0,3 0,2"), Answer::Moved("Ma4-a3".into()));
        assert_eq!(run(&mut table, "2,1>2,2#0"), Answer::Moved("Mc2-c3".into()));
        run(&mut table, "Ma3-a2");
        assert_eq!(run(&mut table, "c3c4"), Answer::Refused("which one? Mc3-c4=R  Mc3-c4=W".into()));
        assert_eq!(run(&mut table, "c3c4=wall"), Answer::Moved("Mc3-c4=W".into()));
        assert_eq!(run(&mut table, "undo"), Answer::Moved("took back 1 move".into()));
        assert_eq!(run(&mut table, "redo"), Answer::Moved("played 1 move again".into()));
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        let mut table = small();
        assert_eq!(
            run(&mut table, "c1c4"),
            Answer::Refused("no legal move from c1 to c4; from c1 there are c2".into())
        );
        assert!(
            matches!(run(&mut table, "frobnicate \u{1b}"), Answer::Refused(text) if !text.contains('\u{1b}'))
        );
        assert!(matches!(run(&mut table, "undo"), Answer::Refused(_)));
        assert!(matches!(run(&mut table, "moves z9"), Answer::Refused(_)));
        assert_eq!(run(&mut table, "moves a1"), Answer::Said("Ma1-a2".into()));
        assert_eq!(run(&mut table, "quit"), Answer::Quit);
    }
}
