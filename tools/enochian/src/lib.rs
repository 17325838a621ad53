//! Enochian chess: four armies in two teams, leaping queens, two diagonal networks, pawns with patrons,
//! shared thrones, frozen armies, command and the exchange of prisoners. The readings N1 to N24 that the
//! comments name are in `docs/enochian.md`. Knows no file, clock or terminal.
//!
//! ```
//! use tempo_enochian::{Rulebook, Position};
//!
//! let array = Rulebook::embedded().find("fire of fire")?;
//! let mut position = array.position();
//! assert_eq!(position.turn().name(), "red");
//! let mv = position.parse_move("Pe2-e3").unwrap();
//! position.play(mv);
//! assert_eq!(position.turn().name(), "black");
//! # Ok::<(), tempo_enochian::UnknownArray>(())
//! ```

mod book;
mod divination;
mod draft;
mod exchange;
mod fault;
mod game;
mod geometry;
mod json;
mod men;
mod movegen;
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
pub use men::{Army, Compass, Kind, Major, Man, Move, Office, Square, System, Team, Zone};
pub use movegen::Duty;
pub use play::Undo;
pub use position::{GameResult, Position, Reason};
pub use refusal::Refusal;
pub use session::{Action, ActionError, Offer, Pending, Session, SessionUndo};
pub use setup::{Camp, DiceTable, Die, Setup, SetupError, Switches};
