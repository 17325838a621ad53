//! The program as a player: legal moves, state and best move, asked as one asks any engine.
//! The position is the one in its memory; `continue_game` puts it there.

use tempo_chess::{Board, GameState, Move};
use thiserror::Error;

use crate::position::{colour_byte, decode_move};
use crate::program::Routine;
use crate::search::{Limits, Report, Search};
use crate::{CallError, ChessMachine};

/// An answer that the interface does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A routine did not return as the interface promises.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The list holds two bytes that are not a move.
    #[error("the program lists ${from:02X} to ${to:02X}, which is not a move")]
    NoMove {
        /// The first byte, a square in 0x88 form.
        from: u8,
        /// The second byte, a square with a flag in bit 7.
        to: u8,
    },
    /// The search chose a move that the rules do not allow.
    #[error("the search of the program answers {mv}, which is not legal in {fen}")]
    Illegal {
        /// The move.
        mv: String,
        /// The position.
        fen: String,
    },
    /// `CheckGameState` returned a number that is not a state.
    #[error("the program answers with game state {0}, which is none")]
    NoState(u8),
}

/// Cycles the search may take before it counts as hung: about a quarter of an hour on the real machine.
const SEARCH_LIMIT: u64 = 1_000_000_000;

impl ChessMachine<'_> {
    /// The legal moves of the position, which is that of `board`, in the program's order.
    pub fn legal_moves(&mut self, board: &Board) -> Result<Vec<Move>, EngineError> {
        self.call(Routine::GenerateLegalMoves, 0, colour_byte(board.turn()))?;
        self.move_list()
            .into_iter()
            .map(|(from, to)| decode_move(board, from, to).ok_or(EngineError::NoMove { from, to }))
            .collect()
    }

    /// Whether the side to move is in check.
    pub fn in_check(&mut self) -> Result<bool, EngineError> {
        let side = self.ram[self.program.data.side];
        Ok(self.call(Routine::IsKingInCheck, 0, side)?.carry)
    }

    /// The state of the game.
    pub fn state(&mut self) -> Result<GameState, EngineError> {
        let number = self.call(Routine::CheckGameState, 0, 0)?.a;
        GameState::from_number(number).ok_or(EngineError::NoState(number))
    }

    /// The number of lines of `depth` plies, generated, made and unmade by the program alone.
    pub fn perft(&mut self, depth: u32) -> Result<u64, CallError> {
        if depth == 0 {
            return Ok(1);
        }
        let side = self.ram[self.program.data.side];
        let count = self.call(Routine::GenerateLegalMoves, 0, side)?.a;
        if depth == 1 {
            return Ok(u64::from(count));
        }
        let mut nodes = 0;
        for (from, to) in self.move_list() {
            self.call(Routine::MakeMove, from, to)?;
            nodes += self.perft(depth - 1)?;
            self.call(Routine::UnmakeMove, from, to)?;
        }
        Ok(nodes)
    }

    /// The search's move in the position, which is that of `board`; `None` if there is none.
    pub fn best_move(&mut self, board: &Board, limits: Limits) -> Result<Report, EngineError> {
        let mut search = Search::begin(self, board, limits);
        while !search.run(SEARCH_LIMIT)? {
            // Only a search without a limit in cycles gets here, and one without end is stuck.
            if search.cycles() >= SEARCH_LIMIT {
                search.stop();
            }
        }
        Ok(search.report())
    }
}
