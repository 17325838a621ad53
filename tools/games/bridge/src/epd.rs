//! Lines of positions: FEN, or EPD with `id` and expected counts of legal moves.
//! Knows the form of a line; `chess` decides whether a position is legal.

use tempo_chess::Board;
use thiserror::Error;

/// One position of a file.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its number in the file, from 1.
    pub line: usize,
    /// `id` of the EPD, or the position itself.
    pub id: String,
    /// The position.
    pub board: Board,
    /// `D1`: the number of legal moves.
    pub all_moves: Option<u64>,
    /// `qn`: the number of legal moves with queen and knight promotions only.
    pub queen_knight_moves: Option<u64>,
}

/// The fault in a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct LineFault {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

/// Reads all positions; faulty lines are named, the others are kept.
pub fn parse(text: &str) -> (Vec<Entry>, Vec<LineFault>) {
    let mut entries = Vec::new();
    let mut faults = Vec::new();
    for (index, content) in text.lines().enumerate() {
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        match parse_line(index + 1, content) {
            Ok(entry) => entries.push(entry),
            Err(message) => faults.push(LineFault { line: index + 1, message }),
        }
    }
    (entries, faults)
}

fn parse_line(line: usize, text: &str) -> Result<Entry, String> {
    let board = Board::from_epd(text).map_err(|fault| fault.to_string())?;
    let mut entry = Entry { line, id: board.fen(), board, all_moves: None, queen_knight_moves: None };
    // The operations come after the four fields; those of a FEN, its clocks, name nothing.
    let operations = text.splitn(5, ' ').nth(4).unwrap_or_default();
    for operation in operations.split(';') {
        let Some((name, value)) = operation.trim().split_once(' ') else { continue };
        match name {
            "id" => entry.id = value.trim().trim_matches('"').to_owned(),
            "D1" => entry.all_moves = Some(count(name, value)?),
            "qn" => entry.queen_knight_moves = Some(count(name, value)?),
            _ => {}
        }
    }
    Ok(entry)
}

fn count(name: &str, value: &str) -> Result<u64, String> {
    value
        .trim()
        .parse()
        .map_err(|_| format!("`{name}` is followed by `{}`, which is not a number", value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fen_and_epd_and_names_faulty_lines() {
        let text = "# six fields, then four with operations\n\
                    4k3/8/8/8/8/8/8/4K3 b - - 7 42\n\
                    4k3/8/8/8/8/8/8/4K3 w - - id \"bare kings\"; D1 5; qn 5;\n\
                    4k3/8/8/8 w - -\n\
                    4k3/8/8/8/8/8/8/4K3 w - - D1 many;\n\
                    two fields\n";
        let (entries, faults) = parse(text);
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].board.halfmove_clock(), entries[0].board.fullmove_number()), (7, 42));
        assert_eq!((entries[1].id.as_str(), entries[1].all_moves), ("bare kings", Some(5)));
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [4, 5, 6]);
    }
}
