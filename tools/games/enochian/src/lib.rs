#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod book;
mod divination;
mod draft;
mod exchange;
mod fault;
mod game;
mod geometry;
mod json;
mod movegen;
mod pieces;
mod play;
mod position;
mod reader;
mod refusal;
mod saved;
mod session;
mod setup;
mod text;
mod yaml;

pub use book::{
    ArraySpec, EMBEDDED_YAML, Players, Rulebook, Status, Turning, UnknownArray, available_arrays,
    find_array_by_name,
};
pub use divination::{Dice, Throw};
pub use draft::Draft;
pub use exchange::{Exchange, ExchangeError};
pub use fault::{Fault, FaultCode};
pub use json::Layout;
pub use movegen::Duty;
pub use pieces::{Army, Compass, Kind, Major, Move, Office, Piece, Square, System, Team, Zone};
pub use play::Undo;
pub use position::{GameResult, Position, Reason};
pub use refusal::Refusal;
pub use session::{Action, ActionError, Offer, Pending, Session, SessionUndo};
pub use setup::{Camp, DiceTable, Die, Setup, SetupError, Switches};
pub use tempo_boardgame as boardgame;
