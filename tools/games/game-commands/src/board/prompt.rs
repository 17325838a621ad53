//! The board as lines of text: for pipes, scripts, screen readers and very small terminals.

use std::io::{BufRead, Write};

use tempo_boardgame::{BoardView, Cell, Game, Mark, Seat, column_letter};
use tempo_host::Exit;

use super::command::{self, Answer};
use super::table::{Progress, Table};

/// Reads commands until the end. Without a person at the other end, a refused line makes it fail.
pub fn run<G: Game>(
    table: &mut Table<G>,
    mut input: impl BufRead,
    output: &mut impl Write,
    interactive: bool,
) -> Exit {
    let mut refused = false;
    // A closed pipe is a way of leaving, not an error.
    let _ = talk(table, &mut input, output, interactive, &mut refused);
    if refused && !interactive { Exit::Failed } else { Exit::Fine }
}

fn talk<G: Game>(
    table: &mut Table<G>,
    input: &mut impl BufRead,
    output: &mut impl Write,
    interactive: bool,
    refused: &mut bool,
) -> std::io::Result<()> {
    show(table, output)?;
    let mut line = Vec::new();
    loop {
        while table.is_computers_turn() {
            let name = table.seat_name(table.seat()).to_owned();
            match table.think() {
                Progress::Played(text) => writeln!(output, "{name}: {text}")?,
                Progress::Stuck(message) | Progress::Thinking(message) => {
                    *refused = true;
                    writeln!(output, "! {message}")?;
                    break;
                }
            }
            if !table.is_computers_turn() {
                show(table, output)?;
            }
        }
        if interactive {
            write!(output, "{}> ", table.seat_name(table.seat()))?;
        }
        output.flush()?;
        line.clear();
        // Longer than any command; the rest of such a line is another refusal.
        if std::io::Read::take(&mut *input, 4096).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        match command::run(table, &String::from_utf8_lossy(&line)) {
            Answer::Quit => return Ok(()),
            Answer::Said(text) if text.is_empty() => {}
            Answer::Said(text) => writeln!(output, "{text}")?,
            Answer::Refused(text) => {
                *refused = true;
                writeln!(output, "! {text}")?;
            }
            Answer::Moved(text) => {
                writeln!(output, "{text}")?;
                if !table.is_computers_turn() {
                    show(table, output)?;
                }
            }
            Answer::ShowBoard => show(table, output)?,
        }
    }
}

fn show<G: Game>(table: &Table<G>, output: &mut impl Write) -> std::io::Result<()> {
    write!(output, "{}", picture(table.view()))?;
    for note in &table.view().notes {
        writeln!(output, "{note}")?;
    }
    if let Some(result) = table.result() {
        writeln!(output, "{result}")?;
    }
    Ok(())
}

/// The board in characters, the first row at the bottom.
pub fn picture(view: &BoardView) -> String {
    let cells: Vec<String> = view.cells.iter().map(|cell| plain_cell(cell, view)).collect();
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(1);
    let margin = view.rows.to_string().len();
    let mut text = String::new();
    for row in (0..view.rows).rev() {
        let label = if view.columns <= 26 { row + 1 } else { row };
        text += &format!("{label:>margin$}");
        for column in 0..view.columns {
            text += &format!(" {:^width$}", cells[usize::from(row * view.columns + column)]);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text += &" ".repeat(margin);
    for column in 0..view.columns {
        let label = column_letter(column, view.columns).map_or(column.to_string(), String::from);
        text += &format!(" {label:^width$}");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn plain_cell(cell: &Cell, view: &BoardView) -> String {
    if cell.pieces.is_empty() {
        return match cell.mark {
            Some(Mark::Hole) => " ".into(),
            Some(Mark::Zone(_)) => "+".into(),
            None => ".".into(),
        };
    }
    let pieces: Vec<String> = cell
        .pieces
        .iter()
        .map(|piece| {
            let text = owned_symbol(&piece.symbol, piece.seat, view);
            if piece.dimmed { format!("({text})") } else { text }
        })
        .collect();
    pieces.join("/")
}

/// A symbol that tells its owner without colour: two seats by letter case, more by their letter in front.
pub fn owned_symbol(symbol: &str, seat: Seat, view: &BoardView) -> String {
    match (view.seats.len(), seat.0) {
        (1, _) | (2, 0) => symbol.to_uppercase(),
        (2, _) => symbol.to_lowercase(),
        _ => format!("{}{}", seat_letter(seat, view), symbol.to_lowercase()),
    }
}

/// The first letter of a seat's name, or its number where two seats share one.
fn seat_letter(seat: Seat, view: &BoardView) -> String {
    let initial = |name: &String| name.chars().next().map(|first| first.to_ascii_uppercase());
    let own = view.seats.get(usize::from(seat.0)).and_then(initial);
    let shared = view.seats.iter().filter(|name| initial(name) == own).count() > 1;
    match own {
        Some(letter) if !shared => letter.to_string(),
        _ => (seat.0 + 1).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::table::tests::small;
    use super::*;

    fn converse(input: &str) -> (String, Exit) {
        let mut output = Vec::new();
        let exit = run(&mut small(), input.as_bytes(), &mut output, false);
        (String::from_utf8(output).unwrap(), exit)
    }

    #[test]
    fn a_script_can_play() {
        let (text, exit) = converse("c1c2\nmoves\nquit\nc1c2\n");
        let expected = "\
4 m m .
3 . . .
2 .   .
1 M . M
  a b c
WHITE to move
Mc1-c2
4 m m .
3 . . .
2 .   M
1 M . .
  a b c
BLACK to move
Ma4-a3
Mb4-b3
";
        assert_eq!(text, expected);
        assert_eq!(exit, Exit::Fine);
    }

    #[test]
    fn a_refused_line_fails_a_script() {
        let (text, exit) = converse("c1c9\n\u{0}\n");
        assert!(text.contains("! \"c1c9\" is not a move here"), "{text}");
        assert_eq!(exit, Exit::Failed);
    }
}
