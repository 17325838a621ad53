//! The limits that `go` sets, and the time of a move. All times are those of the emulated clock.

use tempo_chess::Color;

/// The limits of a `go` line. Words that mean nothing are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    pub move_time: Option<u64>,
    pub time: [Option<u64>; 2],
    pub increment: [u64; 2],
    pub moves_to_go: Option<u64>,
    pub depth: Option<u8>,
    pub nodes: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
    /// A mate in this many moves is looked for.
    pub mate: Option<u8>,
    /// The words after `searchmoves`, up to the next word of `go`.
    pub search_moves: Vec<String>,
    /// A limit is named, even if its number is nonsense.
    limited: bool,
}

/// Moves to come, if the clock does not say.
const MOVES_TO_GO: u64 = 30;
/// The reserve on the clock, in milliseconds.
const RESERVE: u64 = 50;
/// A plain `go` is a move of a tournament.
const PLAIN: u64 = 25_000;

/// The words of `go`, which end a list of moves.
const WORDS: [&str; 12] = [
    "infinite",
    "ponder",
    "searchmoves",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
];
/// Plies beyond the last one of a mate that the search may need: it prunes, and sees some mates late.
const MATE_SLACK: u8 = 2;

impl Go {
    pub fn parse(text: &str) -> Go {
        let mut go = Go::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(word) = words.next_if(|word| !WORDS.contains(word)) {
                        go.search_moves.push(word.to_owned());
                    }
                }
                "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" | "depth" | "nodes"
                | "mate" => {
                    // A number that is missing or is none leaves the next word alone.
                    let Some(number) = words.peek().and_then(|word| word.parse::<i64>().ok()) else {
                        continue;
                    };
                    words.next();
                    go.set(word, number);
                }
                _ => {}
            }
        }
        go
    }

    fn set(&mut self, word: &str, number: i64) {
        // A clock may have run below zero.
        let number = u64::try_from(number).unwrap_or(0);
        self.limited |= !matches!(word, "winc" | "binc" | "movestogo");
        match word {
            "movetime" => self.move_time = Some(number),
            "wtime" => self.time[0] = Some(number),
            "btime" => self.time[1] = Some(number),
            "winc" => self.increment[0] = number,
            "binc" => self.increment[1] = number,
            "movestogo" => self.moves_to_go = Some(number),
            "depth" => self.depth = Some(u8::try_from(number).unwrap_or(u8::MAX).max(1)),
            "nodes" => self.nodes = Some(u32::try_from(number).unwrap_or(u32::MAX).max(1)),
            "mate" => self.mate = Some(u8::try_from(number).unwrap_or(u8::MAX).max(1)),
            _ => {}
        }
    }

    /// The deepest iteration: what is asked for, or as deep as a mate can be.
    pub fn plies(&self) -> Option<u8> {
        self.depth.or_else(|| self.mate.map(|moves| moves.saturating_mul(2).saturating_add(MATE_SLACK)))
    }

    /// Whether nothing says how long a move may take.
    pub fn is_plain(&self) -> bool {
        !self.infinite && !self.limited
    }

    /// Milliseconds for this move; `None` if time does not end it.
    pub fn milliseconds(&self, turn: Color) -> Option<u64> {
        let side = turn as usize;
        if self.infinite {
            return None;
        }
        if let Some(time) = self.move_time {
            return Some(time.max(1));
        }
        if let Some(left) = self.time[side] {
            let moves = self.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, 100);
            let share = left / moves + self.increment[side] / 4 * 3;
            // Never more than most of what is left, and at least a moment.
            return Some(share.min(left.saturating_sub(RESERVE) / 5 * 4).max(1));
        }
        // A mate that is far off may be too deep to look for, so time ends that as well.
        let is_bounded = self.depth.is_some() || self.nodes.is_some();
        match self.mate {
            Some(moves) if !is_bounded => Some(PLAIN.saturating_mul(moves.into())),
            _ => (!self.limited).then_some(PLAIN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(text: &str) -> Option<u64> {
        Go::parse(text).milliseconds(Color::White)
    }

    #[test]
    fn limits_are_read_and_nonsense_is_not() {
        assert_eq!(milliseconds("movetime 25000"), Some(25_000));
        assert_eq!(milliseconds("wtime 300000 btime 1 winc 4000"), Some(13_000));
        assert_eq!(Go::parse("wtime 300000 btime 100").milliseconds(Color::Black), Some(3));
        assert_eq!(milliseconds("wtime 60000 movestogo 1"), Some(47_960));
        assert_eq!(milliseconds("wtime -500 btime 100"), Some(1));
        assert_eq!(milliseconds("infinite"), None);
        assert_eq!(milliseconds("depth 5"), None);
        assert_eq!(milliseconds(""), Some(PLAIN));
        assert_eq!(milliseconds("mate 3"), Some(3 * PLAIN));
        assert_eq!((milliseconds("mate 3 nodes 9"), milliseconds("mate 3 infinite")), (None, None));
        assert_eq!(milliseconds("hello movetime many depth"), Some(PLAIN));
        let go = Go::parse("depth 999 nodes 99999999999 ponder searchmoves e2e4");
        assert_eq!((go.depth, go.nodes, go.ponder), (Some(255), Some(u32::MAX), true));
        let go = Go::parse("searchmoves e2e4 d2d4 infinite mate 3");
        assert_eq!(
            (go.search_moves, go.infinite, go.mate),
            (vec!["e2e4".into(), "d2d4".into()], true, Some(3))
        );
        assert_eq!(Go::parse("mate 3").plies(), Some(8));
        assert_eq!(Go::parse("mate 3 depth 4").plies(), Some(4));
        assert_eq!(
            Go::parse("depth -3 nodes 0"),
            Go { depth: Some(1), nodes: Some(1), limited: true, ..Go::default() }
        );
        assert_eq!(Go::parse("movetime depth 3").depth, Some(3));
    }
}
