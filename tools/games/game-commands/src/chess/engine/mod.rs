//! Who answers a question about chess: the rules library, or the 6502 program in the emulator.
//! The commands ask an `Engine` and do not know which one it is.

mod c64;
mod native;

use clap::ValueEnum;
use tempo_chess::agent::Advice;
use tempo_chess::{Board, GameState, Move, PromotionSet};
use thiserror::Error;

pub use native::Native;

/// The engines a user may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum EngineName {
    /// The reference rules, in this program
    #[default]
    Native,
    /// The 6502 chess program, run in the emulator
    C64,
}

/// Why an engine cannot answer.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error(
        "the c64 engine promotes to queen and knight only; leave out --promotions or write --promotions qn"
    )]
    QueenKnightOnly,
    #[error("cannot start {jobs} threads: {reason}")]
    Threads { jobs: usize, reason: String },
    /// Anything that goes wrong inside another engine, in its own words.
    #[error("the {engine} engine failed: {message}")]
    Failed { engine: &'static str, message: String },
}

/// How much thought a best move may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Positions to visit, or the engine's nearest like of it.
    pub nodes: u64,
}

/// How a long count is to be run.
pub struct Counting<'a> {
    /// Threads to use at most.
    pub jobs: usize,
    /// Told now and then how many of how many parts are done; may come from any thread.
    pub progress: &'a (dyn Fn(u64, u64) + Sync),
}

/// A game in an engine's hands. `set_up` comes first; every other call speaks of the current position.
pub trait Engine {
    /// Puts up a position. `past` holds the positions before it, oldest first, for repetition; the
    /// current one is not among them.
    fn set_up(&mut self, board: &Board, past: &[Board]) -> Result<(), EngineError>;

    /// Every legal move, in any order.
    fn legal_moves(&mut self) -> Result<Vec<Move>, EngineError>;

    /// Whether the side to move is in check.
    fn in_check(&mut self) -> Result<bool, EngineError>;

    /// The state of the game, past included.
    fn state(&mut self) -> Result<GameState, EngineError>;

    /// Plays one of the moves that `legal_moves` gave for this position; the position left behind joins
    /// the past.
    fn play(&mut self, mv: Move) -> Result<(), EngineError>;

    /// The position as the engine has it now: pieces, turn, rights, en passant square, clocks.
    fn board(&mut self) -> Result<Board, EngineError>;

    /// The number of sequences of `depth` legal moves below each legal move; the position is the same
    /// afterwards. Depth is at least 1.
    fn divide(&mut self, depth: u32, counting: &Counting<'_>) -> Result<Vec<(Move, u64)>, EngineError>;

    /// The move the engine would play and, if it has one, its score for the side to move in hundredths
    /// of a pawn; `None` if there is no legal move.
    fn best_move(&mut self, budget: Budget) -> Result<Option<Advice>, EngineError>;
}

/// Starts an engine. Without a wish for promotions each has its own: all four, or queen and knight.
pub fn open(name: EngineName, promotions: Option<PromotionSet>) -> Result<Box<dyn Engine>, EngineError> {
    match (name, promotions) {
        (EngineName::Native, promotions) => Ok(Box::new(Native::new(promotions.unwrap_or_default()))),
        (EngineName::C64, Some(PromotionSet::All)) => Err(EngineError::QueenKnightOnly),
        (EngineName::C64, _) => Ok(Box::new(c64::C64::new()?)),
    }
}
