//! Mates: the hunt for short ones in won positions, and the nodes in which nothing but a mate counts.
//! Pruning overlooks quiet moves that mate, so none of it is done there; what cannot mate any more is left out
//! instead.

use super::super::endgame::Mode;
use super::super::geometry::{
    BY_DIAGONAL, BY_JUMP, BY_STRAIGHT, CODE, KING, KNIGHT, PAWN, WHITE, line_step, relation,
};
use super::super::position::{Position, Step};
use super::super::{MATE, MATE_RANGE};
use super::{Before, Frame, INFINITE, Searcher};

/// The hunt for mates begins after this iteration, if the value is so high.
const HUNT_DEPTH: u8 = 2;
const HUNT_VALUE: i16 = 600;
/// Tells the hunt's positions in the table from others.
const HUNT_KEY: u32 = 0x55_0000;
/// Whether it is time for the hunt after an iteration: once a position is won, or mate is seen.
/// Minor pieces have a long way to the first mate in three of a bare king, and what the hunt costs is better spent
/// on it.
pub(super) fn smells(depth: u8, value: i16, mode: Mode) -> bool {
    let slow = matches!(mode, Mode::Corner { .. } | Mode::Mate { minors: true, .. });
    depth >= HUNT_DEPTH && value >= HUNT_VALUE && !slow || value >= MATE_RANGE
}

/// Whether a side that is not mated here cannot be mated sooner than beta says, or not in the plies left.
pub(super) fn out_of_reach(ply: usize, depth: u8, beta: i16) -> bool {
    depth <= 1 || beta <= -MATE + ply as i16 + 2
}

impl Searcher<'_> {
    /// Looks for a mate in three, and for one in two if there is one. A check and its answer cost one ply, another
    /// move and its answer two: mates with one such move come before those with two.
    /// The table's entries of these searches are their own, because the others prune.
    pub(super) fn hunt(&mut self) {
        self.position.key ^= HUNT_KEY;
        self.hunt_at(4, 3);
        if self.value <= MATE - 2 * 3 {
            self.hunt_at(5, 3);
        } else {
            self.hunt_at(3, 2);
        }
        self.position.key ^= HUNT_KEY;
    }

    /// Looks for a mate in this many moves, if none like that is known.
    fn hunt_at(&mut self, depth: u8, moves: i16) {
        let longer = MATE - 2 * moves;
        if self.value <= longer && !self.stopped {
            self.node(0, depth, longer, INFINITE, Before::Move);
            if !self.stopped {
                self.best_first();
            }
        }
    }

    /// Only a mate, or a shorter one, is good enough: all legal moves at once, and those that may give check if
    /// there is no time for others.
    pub(super) fn search_mates(&mut self, frame: Frame, remembered: Step) -> i16 {
        self.legal_moves();
        if self.scratch.is_empty() {
            return frame.alpha;
        }
        if frame.depth <= 2 {
            self.spend(self.costs.check_guess * self.scratch.len() as u32);
            let position = &self.position;
            self.scratch.retain(|&mv| position.may_check(mv));
        }
        self.search_all(frame, remembered)
    }
}

impl Position {
    /// False if a move gives no check: its piece does not come in sight of the king, nor leave the line of another
    /// to him. A few that give none pass, and castling counts as a king's move.
    fn may_check(&self, mv: Step) -> bool {
        let king = self.king(!self.white);
        let line = line_step(king, mv.from);
        let uncovers = || {
            let behind = self.at(self.first_hit(mv.from, line));
            self.is_clear(mv.from, king) && behind & CODE == CODE && (behind & WHITE != 0) == self.white
        };
        match self.at(mv.from) & 7 {
            PAWN => true,
            _ if line != 0 && uncovers() => true,
            KING => false,
            KNIGHT => relation(mv.to, king) & BY_JUMP != 0,
            kind => {
                relation(mv.to, king) & kind & (BY_DIAGONAL | BY_STRAIGHT) != 0 && self.is_clear(mv.to, king)
            }
        }
    }
}
