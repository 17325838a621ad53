//! The nearest name: what the user may have meant.

/// The candidate that differs least from `word`, if it differs little.
pub(crate) fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let allowed = match word.len() {
        0 | 1 => return None,
        2..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == word || candidate.len().abs_diff(word.len()) > allowed || candidate.is_empty() {
            continue;
        }
        if candidate.eq_ignore_ascii_case(word) {
            return Some(candidate);
        }
        let distance = distance(word.as_bytes(), candidate.as_bytes());
        // A letter is rather left out than added, so of two equally near ones the longer is offered.
        let is_better = |(least, before): (usize, &str)| (distance, before.len()) < (least, candidate.len());
        if distance <= allowed && best.is_none_or(is_better) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How many letters to change, add, drop or swap with their neighbour.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
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

    #[test]
    fn small_slips_are_found_and_strangers_are_not() {
        let names = ["start", "Loop", "screen", "x", "sin", "by", "byte"];
        assert_eq!(nearest("strat", names.into_iter()), Some("start"));
        assert_eq!(nearest("loop", names.into_iter()), Some("Loop"));
        assert_eq!(nearest("scren", names.into_iter()), Some("screen"));
        assert_eq!(nearest("sni", names.into_iter()), Some("sin"));
        assert_eq!(nearest("byt", names.into_iter()), Some("byte"));
        assert_eq!(nearest("wibble", names.into_iter()), None);
        assert_eq!(nearest("y", names.into_iter()), None);
    }
}
