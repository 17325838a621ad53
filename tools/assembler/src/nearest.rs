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
    let mut rows = (Vec::new(), Vec::new());
    for candidate in candidates {
        if candidate == word || candidate.len().abs_diff(word.len()) > allowed || candidate.is_empty() {
            continue;
        }
        if candidate.eq_ignore_ascii_case(word) {
            return Some(candidate);
        }
        let distance = distance(word.as_bytes(), candidate.as_bytes(), &mut rows);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Levenshtein distance.
fn distance(a: &[u8], b: &[u8], (previous, current): &mut (Vec<usize>, Vec<usize>)) -> usize {
    previous.clear();
    previous.extend(0..=b.len());
    for (i, &x) in a.iter().enumerate() {
        current.clear();
        current.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let replaced = previous[j] + usize::from(x != y);
            current.push(replaced.min(previous[j + 1] + 1).min(current[j] + 1));
        }
        std::mem::swap(previous, current);
    }
    previous[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_slips_are_found_and_strangers_are_not() {
        let names = ["start", "Loop", "screen", "x"];
        assert_eq!(nearest("strat", names.into_iter()), Some("start"));
        assert_eq!(nearest("loop", names.into_iter()), Some("Loop"));
        assert_eq!(nearest("scren", names.into_iter()), Some("screen"));
        assert_eq!(nearest("wibble", names.into_iter()), None);
        assert_eq!(nearest("y", names.into_iter()), None);
    }
}
