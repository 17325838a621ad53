//! The cheapest tokens for a file when the costs of lengths and distances are known.

use super::LiteralRuns;
use super::table::{Intervals, Table};
use crate::matches::Matches;

/// Cost of what cannot be written.
const NEVER: u32 = 1 << 28;
/// Bits of a literal run without its bytes.
const RUN_BITS: u32 = 35;
/// Bits that a value outside of the table costs more.
const OUTSIDE: u32 = 2;
/// Lengths up to this are tried one by one; of longer ones the last of each interval.
const TRIED: u32 = 128;

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Literal,
    Run(u32),
    Copy { length: u32, distance: u32 },
}

impl Token {
    /// Bytes of the output.
    pub fn length(self) -> u32 {
        match self {
            Token::Literal => 1,
            Token::Run(length) | Token::Copy { length, .. } => length,
        }
    }
}

/// Where a search for the best table starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guess {
    /// Half bits that a copy of twice the length costs more.
    pub length_slope: u32,
    /// Bits by which distances are cheaper than numbers.
    pub near: u32,
    /// How far copies of one byte and of two reach.
    pub single_reach: usize,
    pub pair_reach: usize,
}

/// Bits of every length and distance.
pub(super) struct Costs {
    /// With the bit that says that no literal follows.
    lengths: Vec<u32>,
    /// Of copies of one byte, of two, and of more.
    distances: [Vec<u32>; 3],
    /// Lengths beyond [`TRIED`] worth a try.
    long: Vec<u32>,
}

impl Costs {
    /// A guess before anything is known of the file. Guesses differ in how much long copies and far places cost.
    pub fn guess(guess: Guess, count: usize, farthest: usize) -> Costs {
        let length_bits = |length: u32| 2 + (guess.length_slope * length.ilog2()) / 2;
        let lengths = std::iter::once(NEVER).chain((1..=count as u32).map(length_bits)).collect();
        let until = |prefix: u32, last: usize| {
            let last = last.min(farthest);
            let bits = |value: usize| match value {
                1.. if value <= last => prefix + value.ilog2().saturating_sub(guess.near),
                _ => NEVER,
            };
            (0..=count).map(bits).collect::<Vec<u32>>()
        };
        let long = (7..16).flat_map(|bits| [1 << bits, 3 << (bits - 1)]).collect();
        let distances = [until(2, guess.single_reach), until(4, guess.pair_reach), until(4, usize::MAX)];
        Costs { lengths, distances, long }
    }

    /// The costs of a table. What it does not cover costs somewhat more than the table that does may charge.
    pub fn of(table: &Table, count: usize, farthest: usize) -> Costs {
        let fill = |intervals: &Intervals, last: usize, prefix: &dyn Fn(u32) -> u32| {
            let outside = |value: usize| match value {
                1.. if value <= last => prefix(value.ilog2().min(15)) + value.ilog2().max(1) + OUTSIDE,
                _ => NEVER,
            };
            let mut costs: Vec<u32> = (0..=count).map(outside).collect();
            for (index, (base, width)) in intervals.iter().enumerate() {
                let end = (base as usize + (1 << width)).min(last + 1).min(count + 1);
                if let Some(costs) = costs.get_mut(base as usize..end) {
                    costs.fill(prefix(index as u32) + width);
                }
            }
            costs
        };
        let ends = table.lengths.iter().map(|(base, width)| base + (1 << width) - 1);
        Costs {
            lengths: fill(&table.lengths, count, &|index| index + 2),
            distances: [
                fill(&table.singles, farthest, &|_| 2),
                fill(&table.pairs, farthest, &|_| 4),
                fill(&table.far, farthest, &|_| 4),
            ],
            long: ends.filter(|&end| end > TRIED).collect(),
        }
    }

    /// Bits of all tokens.
    pub fn total(&self, tokens: &[Token]) -> u64 {
        let bits = |token: &Token| match *token {
            Token::Literal => 9,
            Token::Run(count) => RUN_BITS + 8 * count,
            Token::Copy { length, distance } => {
                self.lengths[length as usize] + self.distances[length.min(3) as usize - 1][distance as usize]
            }
        };
        tokens.iter().map(|token| u64::from(bits(token))).sum()
    }
}

/// The cheapest tokens. The first is a literal.
pub(super) fn cheapest(bytes: &[u8], matches: &Matches, costs: &Costs, runs: LiteralRuns) -> Vec<Token> {
    let count = bytes.len();
    // Bits from a place to the end: from its first token on, and as part of a literal run.
    let mut free = vec![0u32; count + 1];
    let mut running = vec![NEVER; count + 1];
    let mut run_lengths = vec![0u32; count + 1];
    let mut chosen = vec![Token::Literal; count];
    for at in (0..count).rev() {
        let mut least = 9 + free[at + 1];
        let mut token = Token::Literal;
        let found = matches.at(at);
        // From the longest match to the shortest: shorter copies may come from all places that are still there.
        let mut cheap = [(NEVER, 0); 3];
        for (index, &longest) in found.iter().enumerate().rev() {
            for (class, cheap) in cheap.iter_mut().enumerate() {
                let cost = costs.distances[class][longest.distance as usize];
                if cost <= cheap.0 {
                    *cheap = (cost, longest.distance);
                }
            }
            let shortest = if index == 0 { 1 } else { found[index - 1].length + 1 };
            let mut offer = |length: u32| {
                let (distance_cost, distance) = cheap[length.min(3) as usize - 1];
                let total = costs.lengths[length as usize] + distance_cost + free[at + length as usize];
                if total < least {
                    (least, token) = (total, Token::Copy { length, distance });
                }
            };
            for length in shortest..=longest.length.min(TRIED) {
                offer(length);
            }
            if longest.length > TRIED {
                costs
                    .long
                    .iter()
                    .copied()
                    .filter(|length| (shortest..longest.length).contains(length))
                    .for_each(&mut offer);
                offer(longest.length);
            }
        }
        if runs == LiteralRuns::Allowed && at > 0 {
            // The run that starts here goes on with the byte after it, or is that one byte.
            let (rest, length) = if running[at + 1] < free[at + 1] && run_lengths[at + 1] < 0xffff {
                (running[at + 1], run_lengths[at + 1] + 1)
            } else {
                (free[at + 1], 1)
            };
            running[at] = 8 + rest;
            run_lengths[at] = length;
            if RUN_BITS + running[at] < least {
                least = RUN_BITS + running[at];
                token = Token::Run(length);
            }
        }
        free[at] = least;
        chosen[at] = token;
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < count {
        tokens.push(chosen[at]);
        at += chosen[at].length() as usize;
    }
    tokens
}
