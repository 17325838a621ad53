//! The 6502 chess program as an engine: the same questions, answered by the image in the emulator.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tempo_bridge::search::{Limits, Score};
use tempo_bridge::{ChessMachine, Program};
use tempo_chess::agent::Advice;
use tempo_chess::{Board, GameState, Move};

use super::{Budget, Counting, Engine, EngineError};

pub struct C64 {
    machine: ChessMachine<'static>,
}

impl C64 {
    pub fn new() -> Result<C64, EngineError> {
        let program = Program::carried().map_err(failed)?;
        Ok(C64 { machine: ChessMachine::new(program).map_err(failed)? })
    }
}

fn failed(message: impl ToString) -> EngineError {
    EngineError::Failed { engine: "c64", message: message.to_string() }
}

impl Engine for C64 {
    fn set_up(&mut self, board: &Board, past: &[Board]) -> Result<(), EngineError> {
        self.machine.continue_game(board, past).map_err(failed)
    }

    fn legal_moves(&mut self) -> Result<Vec<Move>, EngineError> {
        let board = self.board()?;
        self.machine.legal_moves(&board).map_err(failed)
    }

    fn in_check(&mut self) -> Result<bool, EngineError> {
        self.machine.in_check().map_err(failed)
    }

    fn state(&mut self) -> Result<GameState, EngineError> {
        self.machine.state().map_err(failed)
    }

    fn play(&mut self, mv: Move) -> Result<(), EngineError> {
        self.machine.play(mv).map_err(failed)
    }

    fn board(&mut self) -> Result<Board, EngineError> {
        self.machine.board().map_err(failed)
    }

    fn divide(&mut self, depth: u32, counting: &Counting<'_>) -> Result<Vec<(Move, u64)>, EngineError> {
        let board = self.board()?;
        let moves = self.machine.legal_moves(&board).map_err(failed)?;
        let total = moves.len() as u64;
        let done = AtomicU64::new(0);
        let program = self.machine.program;
        let count = |mv: &Move| {
            let mut machine = ChessMachine::new(program).map_err(failed)?;
            machine.start_game(&board).map_err(failed)?;
            machine.play(*mv).map_err(failed)?;
            let nodes = machine.perft(depth - 1).map_err(failed)?;
            (counting.progress)(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            Ok((*mv, nodes))
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(counting.jobs)
            .build()
            .map_err(|err| EngineError::Threads { jobs: counting.jobs, reason: err.to_string() })?;
        pool.install(|| moves.par_iter().map(count).collect())
    }

    fn best_move(&mut self, budget: Budget) -> Result<Option<Advice>, EngineError> {
        let board = self.board()?;
        let nodes = u32::try_from(budget.nodes).unwrap_or(u32::MAX);
        let limits = Limits { nodes, ..Limits::default() };
        let found = self.machine.best_move(&board, limits).map_err(failed)?;
        let score = found.score.map(Score::centipawns);
        Ok(found.best.map(|best| Advice { best, score }))
    }
}
