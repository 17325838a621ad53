//! Mates proven by the rules alone. The searches prune: a quiet key may be beneath what they look at, and a question
//! for a mate wants an answer all the same. Every move is tried here, the shortest mate first.

use tempo_chess::{Board, Move, PromotionSet};

/// Moves that a proof may play: a second or so of the host's time, and enough for most mates in three.
const MOST: u32 = 20_000_000;
/// Moves between two looks at whether to go on.
const LOOK: u32 = 1 << 12;
/// From this half move on, the side that defends may claim the draw.
const FIFTY_MOVES: u32 = 100;

/// The result of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The shortest mate, against the longest defence: `2 * moves - 1` plies.
    Mate(Vec<Move>),
    /// All moves were tried.
    None,
    /// The work was too much, or the search was stopped.
    Open,
}

/// The work was too much.
struct TooMuch;

struct Proof<'a> {
    /// Positions that were on the board twice: the next time is a draw.
    twice: Vec<u64>,
    left: u32,
    stopped: &'a dyn Fn() -> bool,
    /// The last reply that met an attack, by the moves that were left.
    refutations: Vec<Option<Move>>,
}

/// Looks for the shortest mate in at most `moves` moves that begins with one of `only`; an empty list is all moves.
/// Draws that the other side can claim, by repetition or the fifty-move rule, are not mates.
pub fn prove(
    board: &Board,
    past: &[Board],
    only: &[Move],
    most: usize,
    stopped: &dyn Fn() -> bool,
) -> Verdict {
    let mut keys: Vec<u64> = past.iter().chain([board]).map(Board::key).collect();
    keys.sort_unstable();
    let twice = keys.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|same| same[0]).collect();
    let mut proof = Proof { twice, left: MOST, stopped, refutations: vec![None; most + 1] };
    let first = match only {
        [] => board.legal_moves(PromotionSet::All),
        only => only.to_vec(),
    };
    for moves in 1..=most {
        match proof.attack(board, first.clone(), moves) {
            Ok(Some(line)) => return Verdict::Mate(line),
            Ok(None) => {}
            Err(TooMuch) => return Verdict::Open,
        }
    }
    Verdict::None
}

impl Proof<'_> {
    fn play(&mut self, board: &Board, mv: Move) -> Result<Board, TooMuch> {
        self.left = self.left.checked_sub(1).ok_or(TooMuch)?;
        if self.left.is_multiple_of(LOOK) && (self.stopped)() {
            return Err(TooMuch);
        }
        let mut after = board.clone();
        after.play(mv);
        Ok(after)
    }

    fn is_drawn(&self, board: &Board) -> bool {
        board.halfmove_clock() >= FIFTY_MOVES || !self.twice.is_empty() && self.twice.contains(&board.key())
    }

    /// The line of a mate in that number of moves that begins with one of the list.
    fn attack(&mut self, board: &Board, list: Vec<Move>, moves: usize) -> Result<Option<Vec<Move>>, TooMuch> {
        let mut quiet = Vec::new();
        // Checks leave few replies; and the last move of a mate is one.
        for mv in list {
            let after = self.play(board, mv)?;
            if !after.in_check() {
                quiet.push((mv, after));
            } else if let Some(line) = self.defend(&after, moves)? {
                return Ok(Some([vec![mv], line].concat()));
            }
        }
        if moves > 1 {
            for (mv, after) in quiet {
                if let Some(line) = self.defend(&after, moves)? {
                    return Ok(Some([vec![mv], line].concat()));
                }
            }
        }
        Ok(None)
    }

    /// The longest line of the side to move if it is mated, or will be in a move less whatever it plays.
    fn defend(&mut self, board: &Board, moves: usize) -> Result<Option<Vec<Move>>, TooMuch> {
        let mut list = board.legal_moves(PromotionSet::All);
        if list.is_empty() {
            return Ok(board.in_check().then(Vec::new));
        }
        if moves < 2 || self.is_drawn(board) {
            return Ok(None);
        }
        // What met the attack before often meets this one.
        if let Some(at) = list.iter().position(|&mv| Some(mv) == self.refutations[moves]) {
            list.swap(0, at);
        }
        let mut longest = Vec::new();
        for mv in list {
            let after = self.play(board, mv)?;
            let line = match self.is_drawn(&after) {
                true => None,
                false => self.attack(&after, after.legal_moves(PromotionSet::All), moves - 1)?,
            };
            let Some(line) = line else {
                self.refutations[moves] = Some(mv);
                return Ok(None);
            };
            if line.len() >= longest.len() {
                longest = [vec![mv], line].concat();
            }
        }
        Ok(Some(longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse().expect("a position")
    }

    fn words(board: &Board, past: &[Board], only: &[Move], most: usize) -> Option<Vec<String>> {
        match prove(board, past, only, most, &|| false) {
            Verdict::Mate(line) => Some(line.iter().map(Move::to_string).collect()),
            Verdict::None => None,
            Verdict::Open => panic!("too much work"),
        }
    }

    #[test]
    fn the_shortest_mate_is_found_and_none_is_not() {
        let quiet = board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
        let line = words(&quiet, &[], &[], 3).expect("a mate");
        assert_eq!((line.len(), line[0].as_str()), (3, "a1a6"));
        assert_eq!(words(&quiet, &[], &[], 1), None);
        let other = quiet.legal_moves(PromotionSet::All).into_iter().filter(|mv| mv.to_string() != "a1a6");
        assert_eq!(words(&quiet, &[], &other.collect::<Vec<_>>(), 2), None);
        // Two rooks: the first move of a mate in three cuts the king off.
        let rooks = board("8/8/8/4k3/8/8/R7/1R4K1 w - - 0 1");
        assert_eq!(words(&rooks, &[], &[], 3), None);
        let ladder = words(&board("8/6k1/8/8/8/8/R7/1R4K1 w - - 0 1"), &[], &[], 3).expect("a mate");
        assert_eq!(ladder.len(), 5, "{ladder:?}");
        // Stalemate is not mate, and the side to move may be the one that loses.
        assert_eq!(words(&board("7k/8/6K1/8/8/8/8/8 w - - 0 1"), &[], &[], 3), None);
        assert_eq!(words(&board("7k/R7/1R6/8/8/8/8/6K1 b - - 0 1"), &[], &[], 3), None);
    }

    #[test]
    fn a_rook_may_be_the_only_promotion_that_mates() {
        // A queen is stalemate.
        let line = words(&board("8/k1P5/2K5/8/8/8/8/8 w - - 0 1"), &[], &[], 2);
        assert_eq!(line.expect("a mate"), ["c7c8r", "a7a6", "c8a8"]);
    }

    #[test]
    fn a_draw_that_can_be_claimed_is_no_mate() {
        let fen = |clock| board(&format!("kbK5/pp6/1P6/8/8/8/8/R7 w - - {clock} 90"));
        // The reply is the fiftieth move of the side that loses.
        assert!(words(&fen(97), &[], &[], 2).is_some());
        assert_eq!(words(&fen(98), &[], &[], 2), None);
        // Mate on the board comes before the claim.
        assert!(words(&board("1k6/8/1K6/8/8/8/8/7R w - - 99 90"), &[], &[], 1).is_some());
        let mut key = fen(0);
        let first = fen(0).legal_moves(PromotionSet::All).into_iter().find(|mv| mv.to_string() == "a1a6");
        key.play(first.expect("the key"));
        assert_eq!(words(&fen(0), &[key.clone(), key], &[], 2), None);
    }

    #[test]
    fn it_gives_up_when_nobody_waits() {
        let start = Board::default();
        assert_eq!(prove(&start, &[], &[], 9, &|| true), Verdict::Open);
    }

    #[test]
    fn no_mate_in_three_in_a_full_position_is_little_work() {
        let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
        assert_eq!(prove(&board(fen), &[], &[], 3, &|| false), Verdict::None);
    }
}
