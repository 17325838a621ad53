//! The search of the 6502 program, node for node: the same moves in the same order, the same values, the same
//! table of positions. It proves the program (`tempo diff --search`) and is its laboratory: a change is tried
//! here first, where millions of nodes take a second.
//!
//! Read it in this order: `geometry`, `position` (board and lists), `legal` and `captures` (moves in the
//! program's order), `values` and `evaluate`, `table`, `node` (the search itself). Nothing here knows a clock or
//! a 6502; costs in cycles are a model, in [`Costs`].

mod captures;
mod costs;
mod endgame;
mod evaluate;
mod features;
mod geometry;
mod keys;
mod legal;
mod mating;
mod node;
mod position;
mod settings;
mod table;
mod tuned;
mod values;

#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;

use crate::{Board, Move, PromotionSet};

pub use costs::Costs;
pub use features::{Features, PARAMETERS, static_value};
pub use settings::Settings;
pub use table::Table;
pub use values::{Phases, TERMS, Term, Values};

use node::Searcher;
use position::Position;

/// More cycles than a first iteration takes: a tenth to two thirds of a second of a C64. Until it ends the answer may be
/// any move.
pub const FIRST_ITERATION: u64 = 1_000_000;

/// A value of this size or more is a mate; the difference to [`MATE`] is its distance in plies.
pub const MATE_RANGE: i16 = 0x3a00;
/// The value of having mated.
pub const MATE: i16 = 15_000;

/// When to stop. Limits are looked at when a node is entered; the first one reached ends the search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits<'a> {
    /// Iterations, at most [`Limits::MAX_DEPTH`]; 0 is as many as that.
    pub depth: u8,
    /// Nodes; 0 means no limit. The last node is counted and not searched.
    pub nodes: u32,
    /// Cycles by the model of [`Costs`]; 0 means no limit.
    pub cycles: u64,
    /// Cycles that the first iteration may take if that is more than `cycles`, such as [`FIRST_ITERATION`].
    pub first: u64,
    /// Stops the search when it becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// The only moves to choose among; empty: all. Moves that the search does not know are passed over.
    pub only: &'a [Move],
}

impl Limits<'_> {
    /// The deepest iteration.
    pub const MAX_DEPTH: u8 = 20;
}

/// The result of a search, after an iteration or at the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The move to play; `None` if there is none.
    pub best: Option<Move>,
    /// Hundredths of a pawn for the side to move, or a mate.
    pub value: i16,
    /// The last iteration that was completed.
    pub depth: u8,
    /// Nodes so far.
    pub nodes: u32,
    /// Cycles so far by the model.
    pub cycles: u64,
    /// The line expected, at most eight moves.
    pub line: Vec<Move>,
}

impl Report {
    /// Moves to mate, negative for the side that is mated; `None` if the value is not a mate.
    pub fn mate(&self) -> Option<i16> {
        let plies = MATE - self.value.abs();
        (self.value.abs() >= MATE_RANGE).then(|| (plies + 1) / 2 * self.value.signum())
    }
}

/// The search with what it keeps from move to move.
#[derive(Debug, Clone, Default)]
pub struct Reference {
    /// The evaluation of positions.
    pub values: Values,
    /// The search's settings.
    pub settings: Settings,
    /// The 6502's cost of an operation.
    pub costs: Costs,
    /// Nodes remembered.
    pub table: Table,
}

impl Reference {
    /// The search of a machine with a RAM expansion of this many kilobytes, of 128 at least.
    pub fn expanded(kilobytes: usize) -> Reference {
        Reference { table: Table::expanded(kilobytes), costs: Costs::expanded(), ..Reference::default() }
    }

    /// Chooses a move. `past` are the positions of the game before this one, oldest first; `progress` hears of
    /// every completed iteration.
    pub fn search(
        &mut self,
        board: &Board,
        past: &[Board],
        limits: Limits<'_>,
        mut progress: impl FnMut(&Report),
    ) -> Report {
        let blend = self.values.blend_for(board);
        let Some(mut position) = Position::new(board, &blend) else {
            // More pieces than a game can have: the program plays any legal move.
            let best = board.legal_moves(PromotionSet::QueenKnight).first().copied();
            return Report { best, ..Report::default() };
        };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.len() < 2 {
            let best = moves.first().map(|&mv| position.decode(mv));
            return Report { best, line: best.into_iter().collect(), ..Report::default() };
        }
        let mut allowed = moves.clone();
        allowed.retain(|&mv| limits.only.contains(&position.decode(mv)));
        if !allowed.is_empty() {
            moves = allowed;
        }
        let history = history(board, past);
        self.table.age();
        Searcher::new(self, position, blend, history, limits).run(&moves, &mut progress)
    }
}

/// Short keys of the game's positions that can come again, the present one last.
fn history(board: &Board, past: &[Board]) -> Vec<u16> {
    let mut keys = vec![short_key(board)];
    let mut later = board;
    for earlier in past.iter().rev() {
        let pawns = crate::PieceKind::Pawn;
        let same = earlier.occupied().count() == later.occupied().count()
            && earlier.kind(pawns) == later.kind(pawns)
            && earlier.castling() == later.castling();
        if !same {
            break;
        }
        keys.push(short_key(earlier));
        later = earlier;
    }
    keys.reverse();
    keys
}

fn short_key(board: &Board) -> u16 {
    let blend = Values::default().blend(0);
    Position::new(board, &blend).map_or(0, |position| (position.key & keys::SHORT) as u16)
}
