//! Earlier places with the same bytes: for every position, the nearest match of each length.
//! Works on suffixes sorted by their first bytes, so runs of equal bytes cost no more than text; knows no format.

/// A copy that is possible at some position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Match {
    pub distance: u32,
    pub length: u32,
}

/// For every position the matches worth a look: each is longer and farther away than the one before it.
#[derive(Debug)]
pub(crate) struct Matches {
    starts: Vec<u32>,
    matches: Vec<Match>,
}

const NONE: u32 = u32::MAX;

impl Matches {
    /// Matches of the bytes from each position on with earlier ones, of `shortest` to `longest` bytes.
    pub fn starting(bytes: &[u8], shortest: u32, longest: u32) -> Matches {
        let mut tree = Tree::new(bytes, longest);
        let mut starts = vec![0];
        let mut matches = Vec::new();
        for at in 0..bytes.len() {
            tree.visit(at as u32, shortest, &mut matches);
            starts.push(matches.len() as u32);
        }
        Matches { starts, matches }
    }

    /// Matches of the bytes up to and including each position with earlier ones.
    pub fn ending(bytes: &[u8], shortest: u32, longest: u32) -> Matches {
        let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
        let mut tree = Tree::new(&reversed, longest);
        let mut starts = vec![0];
        let mut matches = Vec::new();
        // The earlier places are those after it in the reversed bytes, and the last of these is the first byte.
        for at in (0..bytes.len()).rev() {
            tree.visit(at as u32, shortest, &mut matches);
            starts.push(matches.len() as u32);
        }
        Matches { starts, matches }
    }

    pub fn at(&self, at: usize) -> &[Match] {
        &self.matches[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Lengthens the matches that reached the limit of the search as far as the bytes agree.
    pub fn extend(&mut self, bytes: &[u8], limit: u32) {
        let mut known = Match { distance: 0, length: 0 };
        for at in 0..bytes.len() {
            known.length = known.length.saturating_sub(1);
            let last = self.starts[at + 1] as usize;
            if last == self.starts[at] as usize || self.matches[last - 1].length < limit {
                continue;
            }
            let found = &mut self.matches[last - 1];
            if found.distance != known.distance || known.length < limit {
                let from = &bytes[at - found.distance as usize..];
                let more = from.iter().zip(&bytes[at..]).take_while(|(left, right)| left == right).count();
                known = Match { distance: found.distance, length: more as u32 };
            }
            found.length = known.length;
        }
    }
}

/// The tree of common prefixes of all suffixes, no deeper than the longest match.
struct Tree {
    /// The innermost node of every suffix.
    leaves: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    depth: u32,
    parent: u32,
    /// The suffix below it that was visited last.
    last: u32,
}

impl Tree {
    fn new(bytes: &[u8], longest: u32) -> Tree {
        let order = sort_suffixes(bytes, longest as usize);
        let count = order.len();
        let mut leaves = vec![0; count];
        let mut nodes = vec![Node { depth: 0, parent: NONE, last: NONE }];
        let mut open = vec![0u32];
        for (at, &suffix) in order.iter().enumerate() {
            let depth = match order.get(at + 1) {
                Some(&next) => common(&bytes[suffix as usize..], &bytes[next as usize..], longest),
                None => 0,
            };
            let top = *open.last().expect("the root stays open");
            if depth > nodes[top as usize].depth {
                leaves[suffix as usize] = nodes.len() as u32;
                open.push(nodes.len() as u32);
                nodes.push(Node { depth, parent: NONE, last: NONE });
                continue;
            }
            leaves[suffix as usize] = top;
            while let Some(&top) = open.last().filter(|&&top| nodes[top as usize].depth > depth) {
                open.pop();
                let outer = *open.last().expect("the root has depth 0");
                if nodes[outer as usize].depth < depth {
                    open.push(nodes.len() as u32);
                    nodes[top as usize].parent = nodes.len() as u32;
                    nodes.push(Node { depth, parent: NONE, last: NONE });
                } else {
                    nodes[top as usize].parent = outer;
                }
            }
        }
        Tree { leaves, nodes }
    }

    /// Lists the matches of a suffix with those visited before, and counts it among them.
    fn visit(&mut self, suffix: u32, shortest: u32, matches: &mut Vec<Match>) {
        let first = matches.len();
        let mut nearest = u32::MAX;
        let mut at = self.leaves[suffix as usize];
        while let Some(node) = self.nodes.get_mut(at as usize).filter(|node| node.depth >= shortest) {
            if node.last != NONE {
                let distance = node.last.abs_diff(suffix);
                if distance < nearest {
                    nearest = distance;
                    matches.push(Match { distance, length: node.depth });
                }
            }
            node.last = suffix;
            at = node.parent;
        }
        matches[first..].reverse();
    }
}

/// How many bytes two texts have in common at their start, up to a limit.
fn common(left: &[u8], right: &[u8], limit: u32) -> u32 {
    let limit = (limit as usize).min(left.len()).min(right.len());
    let (left, right) = (&left[..limit], &right[..limit]);
    let mut at = 0;
    for (left, right) in left.chunks_exact(8).zip(right.chunks_exact(8)) {
        if left != right {
            break;
        }
        at += 8;
    }
    while at < limit && left[at] == right[at] {
        at += 1;
    }
    at as u32
}

/// The suffixes in the order of their first `depth` bytes, at least.
fn sort_suffixes(bytes: &[u8], depth: usize) -> Vec<u32> {
    let count = bytes.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut ranks: Vec<u32> = bytes.iter().map(|&byte| u32::from(byte) + 1).collect();
    let mut next_ranks = vec![0; count];
    let mut buckets = vec![0u32; count.max(257) + 2];
    let mut scratch = vec![0u32; count];
    // Suffixes are ordered by twice as many bytes in each round: the rank of the first half, then that of the second.
    let mut half = 0;
    loop {
        // By the second half: those without one come first, the others follow the order that is known.
        let mut fill = 0;
        if half == 0 {
            scratch.copy_from_slice(&order);
        } else {
            for at in count.saturating_sub(half)..count {
                scratch[fill] = at as u32;
                fill += 1;
            }
            for &at in &order {
                if at as usize >= half {
                    scratch[fill] = at - half as u32;
                    fill += 1;
                }
            }
        }
        // By the first half, without changing the order of equals.
        buckets.fill(0);
        for &rank in &ranks {
            buckets[rank as usize + 1] += 1;
        }
        for at in 1..buckets.len() {
            buckets[at] += buckets[at - 1];
        }
        for &at in &scratch {
            let place = &mut buckets[ranks[at as usize] as usize];
            order[*place as usize] = at;
            *place += 1;
        }
        // Ranks from 1 on; 0 is the rank of nothing.
        let key = |at: u32| (ranks[at as usize], ranks.get(at as usize + half).copied().unwrap_or(0));
        let mut rank = 0;
        for at in 0..count {
            let is_equal = at > 0
                && if half == 0 {
                    ranks[order[at] as usize] == ranks[order[at - 1] as usize]
                } else {
                    key(order[at]) == key(order[at - 1])
                };
            rank += u32::from(!is_equal);
            next_ranks[order[at] as usize] = rank;
        }
        std::mem::swap(&mut ranks, &mut next_ranks);
        half = if half == 0 { 1 } else { 2 * half };
        if rank as usize == count || half >= depth {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use tempo_random::Random;

    use super::*;

    /// The definition, tried out.
    fn slow(bytes: &[u8], at: usize, shortest: u32, longest: u32) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        for distance in 1..=at {
            let length = common(&bytes[at - distance..], &bytes[at..], longest);
            if length >= shortest && found.last().is_none_or(|last| length > last.length) {
                found.push(Match { distance: distance as u32, length });
            }
        }
        found
    }

    #[test]
    fn the_nearest_match_of_every_length_is_found() {
        let mut random = Random::new(1);
        for round in 0..200 {
            let kinds = 1 + random.below(6);
            let bytes: Vec<u8> = (0..random.below(120)).map(|_| random.below(kinds) as u8).collect();
            let longest = [3, 8, 255][random.index(3)];
            let fast = Matches::starting(&bytes, 1, longest);
            let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
            let ending = Matches::ending(&bytes, 2, longest);
            for at in 0..bytes.len() {
                assert_eq!(fast.at(at), slow(&bytes, at, 1, longest), "round {round}, {bytes:?} at {at}");
                // Seen from the other end: places after it.
                let mirrored = bytes.len() - 1 - at;
                let mut found: Vec<Match> = Vec::new();
                for distance in 1..bytes.len() - mirrored {
                    let length = common(&reversed[mirrored + distance..], &reversed[mirrored..], longest);
                    if length >= 2 && found.last().is_none_or(|last| length > last.length) {
                        found.push(Match { distance: distance as u32, length });
                    }
                }
                assert_eq!(ending.at(at), found, "round {round}, {bytes:?} up to {at}");
            }
        }
    }

    #[test]
    fn long_matches_are_extended() {
        let mut bytes = vec![0; 1000];
        bytes.extend(b"abc");
        let mut matches = Matches::starting(&bytes, 1, 16);
        matches.extend(&bytes, 16);
        for at in 1..900 {
            assert_eq!(matches.at(at).last(), Some(&Match { distance: 1, length: 1000 - at as u32 }));
        }
    }
}
