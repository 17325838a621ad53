//! The nearest name: what the user may have meant.

use std::cmp::Ordering;

/// Longer names are not compared: people do not mistype them, and a hostile input may have megabytes of them.
const LONGEST: usize = 64;

/// More wrong letters make another name of any.
const MOST_WRONG: usize = 3;

/// The known name that `name` was probably meant to be: the only one that is nearest, if it is near enough.
///
/// Letters to change, add, drop or swap with their neighbour are counted, letter case aside. In the shorter of
/// the two names, one may be wrong of two or three letters, two of four to seven, three of more. Of two equally
/// near names the longer one wins, because letters are left out more often than added.
///
/// ```
/// let names = ["start", "screen", "tabA", "tabB"];
/// assert_eq!(tempo_diagnostics::nearest("strat", names), Some("start"));
/// assert_eq!(tempo_diagnostics::nearest("tabX", names), None, "it could be either");
/// ```
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = letters(name)?;
    let mut best: Option<Candidate<'_>> = None;
    let mut is_only = true;
    for name_of_candidate in known {
        // A character has at most four bytes, so this is cheap and drops nothing that is near.
        if name_of_candidate.len() / 4 > wanted.len() + MOST_WRONG || name_of_candidate == name {
            continue;
        }
        let Some(letters) = letters(name_of_candidate) else { continue };
        let allowed = match letters.len().min(wanted.len()) {
            0 | 1 => 0,
            2..=3 => 1,
            4..=7 => 2,
            _ => MOST_WRONG,
        };
        if letters.len().abs_diff(wanted.len()) > allowed {
            continue;
        }
        let distance = distance(&wanted, &letters);
        if distance > allowed {
            continue;
        }
        let candidate = Candidate { name: name_of_candidate, distance, length: letters.len() };
        match best.as_ref().map_or(Ordering::Less, |best| candidate.compare(best)) {
            Ordering::Less => {
                best = Some(candidate);
                is_only = true;
            }
            Ordering::Equal => is_only &= best.is_some_and(|best| best.name == name_of_candidate),
            Ordering::Greater => {}
        }
    }
    best.filter(|_| is_only).map(|best| best.name)
}

#[derive(Clone, Copy)]
struct Candidate<'n> {
    name: &'n str,
    distance: usize,
    length: usize,
}

impl Candidate<'_> {
    /// The better one is less.
    fn compare(&self, other: &Candidate<'_>) -> Ordering {
        (self.distance, other.length).cmp(&(other.distance, self.length))
    }
}

/// The letters in lower case; `None` if there are too many.
fn letters(name: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = name.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    (letters.len() <= LONGEST).then_some(letters)
}

/// How many letters to change, add, drop or swap with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn small_slips_are_found_and_strangers_are_not() {
        let names = ["start", "Loop", "screen", "x", "sin", "by", "byte"];
        assert_eq!(nearest("strat", names), Some("start"));
        assert_eq!(nearest("loop", names), Some("Loop"));
        assert_eq!(nearest("scren", names), Some("screen"));
        assert_eq!(nearest("sni", names), Some("sin"));
        assert_eq!(nearest("byt", names), Some("byte"));
        assert_eq!(nearest("wibble", names), None);
        assert_eq!(nearest("fire", ["air", "earth"]), None, "two of three letters are too many");
        assert_eq!(nearest("y", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn letter_case_is_a_smaller_slip_than_a_letter() {
        assert_eq!(nearest("KNIGTH", ["pawn", "knight"]), Some("knight"));
        assert_eq!(nearest("movecount", ["MoveCount", "MoveCounts"]), Some("MoveCount"));
    }

    #[test]
    fn there_must_be_a_single_winner() {
        assert_eq!(nearest("MoveCont", ["MoveCount", "BestMove"]), Some("MoveCount"));
        assert_eq!(nearest("tabX", ["tabA", "tabB"]), None);
        assert_eq!(nearest("tabX", ["tabA", "tabA"]), Some("tabA"), "the same name twice is one name");
    }

    #[test]
    fn long_names_cost_nothing() {
        let long = "K".repeat(50_000_000);
        assert_eq!(nearest(&long, ["KING"]), None);
        assert_eq!(nearest("KINGS", [&long[..], "KING"]), Some("KING"));
        let edge = "k".repeat(LONGEST);
        assert_eq!(nearest(&edge[1..], [&edge[..]]), Some(&edge[..]));
    }
}
