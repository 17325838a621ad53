#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
// Read it in this order: `types`, `moves`, `board` (a position and how a move changes it), `generate`
// (the legal moves), `game` (repetition, claims, the end).

pub mod agent;
pub mod attacks;
mod bitboard;
mod board;
mod code;
pub mod eval;
mod fen;
mod game;
mod generate;
mod moves;
pub mod pgn;
pub mod rating;
pub mod san;
pub mod search;
mod setup;
mod types;
mod zobrist;

pub use tempo_boardgame as boardgame;

pub use bitboard::Bitboard;
pub use board::{Board, Identity};
pub use code::{Code, Fault};
pub use fen::{FenFault, FenFaultKind, START_FEN, inspect as inspect_fen};
pub use game::{Claim, Ending, Game, GameState, PlayError, Undo};
pub use moves::{Move, NoMove};
pub use setup::{EnPassantReason, Setup, SetupFault};
pub use types::{CastlingRights, Color, NoSquare, Piece, PieceKind, PromotionSet, Square, Wing};
