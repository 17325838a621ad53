//! Chess by FIDE's laws: the reference everything else is checked against.
//!
//! Read it in this order: `types`, `moves`, `board` (a position and how a move changes it), `generate`
//! (the legal moves), `game` (repetition, claims, the end). Castling is orthodox only.
//!
//! ```
//! use tempo_chess::{Game, GameState};
//!
//! let mut game = Game::default();
//! for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     game.play_uci(mv).unwrap();
//! }
//! assert_eq!(game.state(), GameState::Checkmate);
//! assert_eq!(game.board().fen(), "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
//! ```

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
pub mod san;
mod setup;
mod types;
mod zobrist;

pub use bitboard::Bitboard;
pub use board::{Board, Identity};
pub use code::{Code, Fault};
pub use fen::{FenFault, FenFaultKind, START_FEN, inspect as inspect_fen};
pub use game::{Claim, Ending, Game, GameState, PlayError, Undo};
pub use moves::{Move, NoMove};
pub use setup::{EnPassantReason, Setup, SetupFault};
pub use types::{CastlingRights, Color, NoSquare, Piece, PieceKind, PromotionSet, Square, Wing};
