//! The rules library as an engine.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tempo_boardgame::Game as _;
use tempo_boardgame::perft::perft;
use tempo_boardgame::search::{self, Limits};
use tempo_chess::agent::Advice;
use tempo_chess::{Board, Game, GameState, Move, PromotionSet};

use super::{Budget, Counting, Engine, EngineError};

pub struct Native {
    game: Game,
}

impl Native {
    pub fn new(promotions: PromotionSet) -> Native {
        Native { game: Game::new(Board::default(), promotions) }
    }
}

impl Engine for Native {
    fn set_up(&mut self, board: &Board, past: &[Board]) -> Result<(), EngineError> {
        let past = past.iter().map(Board::identity).collect();
        self.game = Game::with_past(board.clone(), self.game.promotions(), past);
        Ok(())
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, EngineError> {
        Ok(self.game.moves())
    }

    fn in_check(&mut self) -> Result<bool, EngineError> {
        Ok(self.game.board().in_check())
    }

    fn state(&mut self) -> Result<GameState, EngineError> {
        Ok(self.game.state())
    }

    fn play(&mut self, mv: Move) -> Result<(), EngineError> {
        self.game.make(mv);
        Ok(())
    }

    fn board(&mut self) -> Result<Board, EngineError> {
        Ok(self.game.board().clone())
    }

    fn divide(&mut self, depth: u32, counting: &Counting<'_>) -> Result<Vec<(Move, u64)>, EngineError> {
        // A past slows the copies down and counts nothing.
        let root = Game::new(self.game.board().clone(), self.game.promotions());
        let parts = parts(&root, depth);
        let total = parts.len() as u64;
        let done = AtomicU64::new(0);
        let count = |part: &Part| {
            let nodes = perft(&mut part.game.clone(), part.depth);
            (counting.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            (part.first, nodes)
        };
        let counts: Vec<(Move, u64)> = if counting.jobs <= 1 {
            parts.iter().map(count).collect()
        } else {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(counting.jobs)
                .build()
                .map_err(|err| EngineError::Threads { jobs: counting.jobs, reason: err.to_string() })?;
            pool.install(|| parts.par_iter().map(count).collect())
        };
        let mut divided: Vec<(Move, u64)> = root.moves().into_iter().map(|mv| (mv, 0)).collect();
        for (first, nodes) in counts {
            if let Some(entry) = divided.iter_mut().find(|entry| entry.0 == first) {
                entry.1 += nodes;
            }
        }
        Ok(divided)
    }

    fn best_move(&mut self, budget: Budget) -> Result<Option<Advice>, EngineError> {
        let found = search::best_move(&mut self.game, Limits::nodes(budget.nodes));
        Ok(found.best.map(|best| Advice { best, score: Some(found.score) }))
    }
}

/// A share of a count: the position after one or two moves, and the depth still to go.
struct Part {
    first: Move,
    game: Game,
    depth: u32,
}

/// One share for each first move, or for each pair of moves if there is enough to do below.
fn parts(root: &Game, depth: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    for first in root.moves() {
        let mut game = root.clone();
        game.make(first);
        if depth < 4 {
            parts.push(Part { first, game, depth: depth - 1 });
            continue;
        }
        for second in game.moves() {
            let mut game = game.clone();
            game.make(second);
            parts.push(Part { first, game, depth: depth - 2 });
        }
    }
    parts
}
