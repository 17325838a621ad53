//! Squares as people type them: `e2` on boards up to 26 columns, `4,1` on any.

use tempo_boardgame::Square;

/// Reads one square; the whole text must be it.
pub fn parse(text: &str, columns: u16, rows: u16) -> Option<Square> {
    let (square, rest) = take(text.trim(), columns, rows)?;
    rest.is_empty().then_some(square)
}

/// Reads two squares: `e2e4`, `e2-e4`, `e2 e4`, `4,1>4,3`, and gives what follows them.
pub fn parse_pair(text: &str, columns: u16, rows: u16) -> Option<(Square, Square, &str)> {
    let (from, rest) = take(text.trim(), columns, rows)?;
    let (to, rest) = take(rest.trim_start_matches([' ', '-', '>', 'x', ':']), columns, rows)?;
    Some((from, to, rest.trim()))
}

fn take(text: &str, columns: u16, rows: u16) -> Option<(Square, &str)> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first = text.chars().next()?;
    let (x, y, rest) = if first.is_ascii_alphabetic() {
        let length = digits(&text[1..]);
        let row: u16 = text[1..1 + length].parse().ok()?;
        (u16::from(first.to_ascii_lowercase() as u8 - b'a'), row.checked_sub(1)?, &text[1 + length..])
    } else {
        let length = digits(text);
        let rest = text[length..].strip_prefix(',')?;
        let second = digits(rest);
        (text[..length].parse().ok()?, rest[..second].parse().ok()?, &rest[second..])
    };
    (x < columns && y < rows).then(|| (Square(y * columns + x), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_squares_in_many_ways() {
        for text in ["e2e4", "e2-e4", "E2 e4", "4,1>4,3", "4,1 e4", "e2xe4"] {
            assert_eq!(parse_pair(text, 8, 8), Some((Square(12), Square(28), "")), "{text}");
        }
        assert_eq!(parse_pair("e7e8=QUEEN", 8, 8), Some((Square(52), Square(60), "=QUEEN")));
        assert_eq!(parse("i1", 8, 8), None);
        assert_eq!(parse("a0", 8, 8), None);
        assert_eq!(parse("31,31", 32, 32), Some(Square(1023)));
        assert_eq!(parse("é1", 8, 8), None);
        assert_eq!(parse("a99999999", 8, 8), None);
    }
}
