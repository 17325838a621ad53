//! Names: the nearest known one for a name that is not known, and names fit to be shown.

/// The known name that is most like `name`, if one is near enough to be a slip of the pen.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    const LONGEST: usize = 40;
    let wanted: Vec<char> = name.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    if wanted.len() > LONGEST {
        return None;
    }
    let allowed = (wanted.len() / 3).max(1);
    known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= 4 * allowed)
        .map(|candidate| (distance(&wanted, candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Edits (insert, delete, replace, swap neighbours) between the two, letter case aside.
fn distance(wanted: &[char], candidate: &str) -> usize {
    let candidate: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=candidate.len()).collect();
    for (i, &a) in wanted.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in candidate.iter().enumerate() {
            let mut best = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == candidate[j - 1] && wanted[i - 1] == b {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[candidate.len()]
}

/// A name in quotes for a message: control characters escaped, long ones cut.
pub fn quote(name: &str) -> String {
    const LONGEST: usize = 48;
    let mut shown: String = name.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if name.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn slips_find_their_name() {
        let known = ["PAWN", "KNIGHT", "QUEEN", "KING"];
        let near = |name| nearest(name, known);
        assert_eq!(near("PWAN"), Some("PAWN"));
        assert_eq!(near("knigth"), Some("KNIGHT"));
        assert_eq!(near("QUEENS"), Some("QUEEN"));
        assert_eq!(near("DRAGON"), None);
        assert_eq!(near(&"K".repeat(5000)), None);
    }

    #[test]
    fn quoted_names_cannot_reach_the_terminal() {
        assert_eq!(quote("A\u{1b}[2J"), "\"A\\u{1b}[2J\"");
        assert_eq!(quote(&"x".repeat(60)), format!("\"{}…\"", "x".repeat(48)));
    }
}
