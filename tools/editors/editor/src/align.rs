//! Places of an older text in a newer one, so that what was known before an edit still serves what is known to be
//! the same.

use std::collections::HashMap;

/// Pieces that two texts have in common, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Alignment {
    /// Start in the old text, start in the new text, length.
    pieces: Vec<(u32, u32, u32)>,
}

impl Alignment {
    /// Lines that are the same at both ends, and between them those that each text has once.
    pub fn new(old: &str, new: &str) -> Alignment {
        if old == new {
            return Alignment { pieces: vec![(0, 0, old.len() as u32)] };
        }
        let (old, new) = (lines(old), lines(new));
        let mut pieces = Pieces::default();
        let start = old.iter().zip(&new).take_while(|(a, b)| a.1 == b.1).count();
        let rest = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a.1 == b.1).count();
        for (a, b) in old[..start].iter().zip(&new[..start]) {
            pieces.add(a, b);
        }
        let (old_middle, new_middle) = (&old[start..old.len() - end], &new[start..new.len() - end]);
        let mut places: HashMap<&str, (usize, usize)> = HashMap::new();
        for (_, line) in new_middle {
            places.entry(line).or_default().0 += 1;
        }
        for (index, (_, line)) in new_middle.iter().enumerate() {
            places.entry(line).or_default().1 = index;
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (_, line) in old_middle {
            *counts.entry(line).or_default() += 1;
        }
        let mut next = 0;
        for line in old_middle {
            let is_once = counts.get(line.1) == Some(&1);
            if let Some(&(1, index)) = places.get(line.1).filter(|_| is_once)
                && index >= next
            {
                pieces.add(line, &new_middle[index]);
                next = index + 1;
            }
        }
        for (a, b) in old[old.len() - end..].iter().zip(&new[new.len() - end..]) {
            pieces.add(a, b);
        }
        Alignment { pieces: pieces.0 }
    }

    /// Where an offset of the new text was.
    pub fn to_old(&self, offset: u32) -> Option<u32> {
        let index = self.pieces.partition_point(|piece| piece.1 <= offset).checked_sub(1)?;
        let (old, new, len) = self.pieces[index];
        (offset - new <= len).then(|| old + offset - new)
    }

    /// Where an offset of the old text is now.
    pub fn to_new(&self, offset: u32) -> Option<u32> {
        let index = self.pieces.partition_point(|piece| piece.0 <= offset).checked_sub(1)?;
        let (old, new, len) = self.pieces[index];
        (offset - old <= len).then(|| new + offset - old)
    }
}

#[derive(Default)]
struct Pieces(Vec<(u32, u32, u32)>);

impl Pieces {
    fn add(&mut self, old: &(u32, &str), new: &(u32, &str)) {
        let len = old.1.len() as u32;
        match self.0.last_mut() {
            Some((a, b, l)) if *a + *l == old.0 && *b + *l == new.0 => *l += len,
            _ => self.0.push((old.0, new.0, len)),
        }
    }
}

/// The lines of a text with their ends, and where they start.
fn lines(text: &str) -> Vec<(u32, &str)> {
    let mut at = 0;
    text.split_inclusive('\n')
        .map(|line| {
            let start = at;
            at += line.len() as u32;
            (start, line)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_keep_their_places() {
        let old = "a\nb\nc\nd\ne\n";
        let new = "a\nB1\nB2\nc\nD\ne\n";
        let alignment = Alignment::new(old, new);
        assert_eq!(alignment.to_new(0), Some(0));
        assert_eq!(alignment.to_new(4), Some(8));
        assert_eq!(alignment.to_new(8), Some(12));
        assert_eq!(alignment.to_old(12), Some(8));
        assert_eq!(alignment.to_old(5), None);
        let same = Alignment::new(old, old);
        assert!((0..=10).all(|offset| same.to_old(offset) == Some(offset)));
        assert_eq!(Alignment::new("", "x").to_old(0), None);
    }
}
