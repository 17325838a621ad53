//! Games from a spec: JSON, checked, compiled to tables, played. No rule of any game is coded here.
//!
//! ```
//! use boardgame::Game;
//!
//! let text = br#"{
//!     "name": "RACE",
//!     "board": {"dimensions": [1, 3]},
//!     "players": [{"name": "A", "direction": [[1,0],[0,1]],
//!                  "starting_positions": [{"piece": "MAN", "positions": [[0,0]]}]}],
//!     "turns": {"order": ["A"]},
//!     "pieces": [{"code": "MAN", "moves": [
//!         {"id": 7, "step": [0,1], "actions": [{"state": "EMPTY", "action": "MOVE"}]}]}]
//! }"#;
//! let mut game = tempo_gamespec::load(text).unwrap();
//! let mv = game.find_move("0,0>0,1#7").unwrap();
//! game.make(mv);
//! assert_eq!(game.count_legal_moves(), 1);
//! ```

mod attack;
pub mod check;
mod compile;
mod explain;
mod generate;
pub mod library;
pub mod model;
mod phase;
mod play;
mod position;
mod tables;
mod value;

use std::sync::Arc;

pub use check::{Code, Finding, Origin, Report, check};
pub use compile::compile;
pub use explain::{Asked, Explanation, Landing, Try, Verdict};
pub use phase::{Phase, Refusal, Session};
pub use play::reason;
pub use position::{Move, Placed, Position, SetUpError, Undo};
pub use tables::Tables;

/// Checks, compiles and sets up a game in one go; what was found, if there are faults.
pub fn load(text: &[u8]) -> Result<Position, Box<Report>> {
    let report = check(text);
    match &report.spec {
        Some(spec) => Ok(Position::start(Arc::new(compile(spec)))),
        None => Err(Box::new(report)),
    }
}
