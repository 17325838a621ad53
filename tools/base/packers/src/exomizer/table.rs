//! The table of an Exomizer stream: intervals of lengths and distances, and the best ones for a file.

use super::parse::Token;

/// Widest interval, in bits.
const WIDEST: u32 = 15;

/// Intervals one after the other, from 1 on: each has 2 to the power of its width values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Intervals {
    widths: Vec<u8>,
    bases: Vec<u32>,
}

/// A value in its interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub index: u32,
    pub width: u32,
    pub offset: u32,
}

impl Intervals {
    fn new(widths: Vec<u8>) -> Intervals {
        let mut bases = Vec::with_capacity(widths.len());
        let mut base = 1;
        for &width in &widths {
            bases.push(base);
            base += 1 << width;
        }
        Intervals { widths, bases }
    }

    /// Base and width of an interval.
    pub fn get(&self, index: u32) -> Option<(u32, u32)> {
        let index = index as usize;
        Some((*self.bases.get(index)?, u32::from(self.widths[index])))
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.bases.iter().zip(&self.widths).map(|(&base, &width)| (base, u32::from(width)))
    }

    /// The interval of a value.
    ///
    /// # Panics
    ///
    /// If there is none: the intervals of a file cover all its values.
    pub fn find(&self, value: u32) -> Place {
        let index = self.bases.partition_point(|&base| base <= value) - 1;
        let (offset, width) = (value - self.bases[index], u32::from(self.widths[index]));
        assert!(offset < 1 << width, "{value} is in no interval");
        Place { index: index as u32, width, offset }
    }

    /// The intervals that cost the values least. `counts` says how often each value comes, `prefix` how many bits select
    /// an interval.
    fn fitting(counts: &[u32], intervals: usize, prefix: impl Fn(usize) -> u64) -> Intervals {
        let highest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        // Values from each one on.
        let mut above = vec![0u64; highest + 2];
        for value in (1..=highest).rev() {
            above[value] = above[value + 1] + u64::from(counts[value]);
        }
        // Starts that can be reached with the intervals before, then the least cost from there.
        let mut reachable = vec![vec![false; highest + 1]; intervals];
        if highest > 0 {
            reachable[0][1] = true;
        }
        for index in 1..intervals {
            let (before, after) = reachable.split_at_mut(index);
            for start in (1..=highest).filter(|&start| before[index - 1][start]) {
                for next in (0..=WIDEST).map(|width| start + (1 << width)).take_while(|&next| next <= highest)
                {
                    after[0][next] = true;
                }
            }
        }
        const NEVER: u64 = u64::MAX / 4;
        let mut costs = vec![NEVER; highest + 1];
        let mut chosen = vec![vec![0u8; highest + 1]; intervals];
        for index in (0..intervals).rev() {
            let mut here = vec![NEVER; highest + 1];
            let prefix = prefix(index);
            for start in (1..=highest).filter(|&start| reachable[index][start]) {
                for width in 0..=WIDEST {
                    let next = start + (1 << width);
                    let covers_all = next > highest;
                    let end = next.min(highest + 1);
                    let rest = if covers_all { 0 } else { costs[next] };
                    let cost = (above[start] - above[end]) * (prefix + u64::from(width)) + rest;
                    if cost < here[start] {
                        (here[start], chosen[index][start]) = (cost, width as u8);
                    }
                    if covers_all {
                        break;
                    }
                }
            }
            costs = here;
        }
        let mut widths = vec![0; intervals];
        let mut start = 1;
        for index in 0..intervals {
            if start > highest {
                break;
            }
            widths[index] = chosen[index][start];
            start += 1 << widths[index];
        }
        Intervals::new(widths)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub lengths: Intervals,
    pub far: Intervals,
    pub pairs: Intervals,
    pub singles: Intervals,
}

impl Table {
    pub fn from_widths(widths: &[u8; 52]) -> Table {
        let part = |from: usize, to: usize| Intervals::new(widths[from..to].to_vec());
        Table { lengths: part(0, 16), far: part(16, 32), pairs: part(32, 48), singles: part(48, 52) }
    }

    /// In the order of the stream.
    pub fn widths(&self) -> impl Iterator<Item = u8> {
        [&self.lengths, &self.far, &self.pairs, &self.singles]
            .into_iter()
            .flat_map(|part| part.widths.iter().copied())
    }

    /// The intervals of the distances of copies of a length, and the bits that select one.
    pub fn distances(&self, length: u32) -> (&Intervals, u32) {
        match length {
            1 => (&self.singles, 2),
            2 => (&self.pairs, 4),
            _ => (&self.far, 4),
        }
    }

    /// The table that costs these tokens least.
    pub fn fitting(tokens: &[Token]) -> Table {
        let (mut lengths, mut distances) = (vec![0; 1], [vec![0; 1], vec![0; 1], vec![0; 1]]);
        let count = |counts: &mut Vec<u32>, value: u32| {
            let value = value as usize;
            if counts.len() <= value {
                counts.resize(value + 1, 0);
            }
            counts[value] += 1;
        };
        for token in tokens {
            if let Token::Copy { length, distance } = *token {
                count(&mut lengths, length);
                count(&mut distances[length.min(3) as usize - 1], distance);
            }
        }
        let [singles, pairs, far] = distances;
        Table {
            lengths: Intervals::fitting(&lengths, 16, |index| index as u64 + 1),
            far: Intervals::fitting(&far, 16, |_| 4),
            pairs: Intervals::fitting(&pairs, 16, |_| 4),
            singles: Intervals::fitting(&singles, 4, |_| 2),
        }
    }
}
