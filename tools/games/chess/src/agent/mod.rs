//! The agent protocol: one game state comes in as JSON, exactly one JSON object goes out.
//!
//! `state` reads and writes states, `answer` the objects an agent may send, `judge` says whether an
//! answer is legal and what it does to the game, `choose` picks one. No input or output happens here,
//! and the search is handed in as advice, so that another engine can give it.
//!
//! ```
//! use tempo_chess::agent::{Strictness, Verdict, State, judge};
//!
//! let state = State::start();
//! let judged = judge(&state, r#"{"from": "e2", "to": "e4", "promotion": null}"#, Strictness::Lenient);
//! assert_eq!(judged.verdict, Verdict::Ok);
//! assert_eq!(judged.after.board().fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
//! ```

mod answer;
mod choose;
mod explain;
mod judge;
mod state;

pub use answer::Answer;
pub use choose::{Advice, choose, legal_answers};
pub use judge::{Judgement, Result, Strictness, Verdict, judge};
pub use state::State;

use tempo_json::{self as json, Document, JsonErrorKind, Limits};

use crate::{Code, Fault};

/// Limits on a document of this protocol: a history of fifty thousand positions fits.
pub const LIMITS: Limits = Limits { bytes: 8 << 20, depth: 32, values: 1 << 18 };

/// Reads JSON and names the faults that any document of this protocol may have.
pub fn parse_document(bytes: &[u8]) -> std::result::Result<Document<'_>, Fault> {
    let document = json::parse(bytes, LIMITS).map_err(|err| {
        let code = match err.kind {
            JsonErrorKind::TooLarge(_) | JsonErrorKind::TooManyValues(_) => Code::TooLarge,
            JsonErrorKind::TooDeep(_) => Code::TooDeep,
            _ => Code::NotJson,
        };
        Fault::at_value(code, "", format!("{err} (byte {})", err.offset))
    })?;
    match document.duplicates.first() {
        Some(duplicate) => Err(Fault::at_value(Code::DuplicateKey, &duplicate.pointer, "duplicate key")),
        None => Ok(document),
    }
}
