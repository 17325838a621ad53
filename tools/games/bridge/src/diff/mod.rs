//! The program against the reference rules: every question asked of both, every difference reported.
//!
//! `node` compares one position; `positions`, `perft`, `games` and `draws` choose which positions to
//! compare; `search` compares the search with its reference, node for node; `report` turns a difference into text and into a `.6502` test.

mod draws;
mod games;
mod node;
mod perft;
mod report;
mod search;

use serde::Serialize;

pub use draws::{Draw, DrawFault, check_draw, parse_draws};
pub use games::{GamesOutcome, play_game};
pub use node::{check_counts, check_position};
pub use perft::{PerftOutcome, perft};
pub use report::{picture, reproduction, text};
pub use search::{SearchOutcome, check_search, search_game};

use crate::CallError;

/// The difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Subject {
    /// The list of `GenerateLegalMoves`.
    LegalMoves,
    /// The list of `GenerateLegalMovesSynced`.
    SyncedMoves,
    /// A returned `MoveCount` and the variable.
    MoveCount,
    /// `IsKingInCheck`.
    Check,
    /// `CheckGameState`.
    State,
    /// The position after `MakeMove`.
    MakeMove,
    /// The incremental hash after `MakeMove` and that of `ComputeZobristHash`.
    Hash,
    /// `SeeCheck` after a move.
    MoveChecks,
    /// The position after `UnmakeMove` and the one before `MakeMove`.
    UnmakeMove,
    /// A routine that must not change the position did.
    Untouched,
    /// `FindBestMove` answered with an illegal move, or none.
    BestMove,
    /// A routine did not return as it must.
    Call,
    /// A count that the file or the reference gives.
    Count,
    /// Answer, value, line or nodes of `FindBestMove`, against the reference search.
    Search,
}

/// One place where program and reference disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The difference.
    pub subject: Subject,
    /// The position the line of moves starts from.
    pub start: String,
    /// The moves from there to the position in question.
    pub line: Vec<String>,
    /// The position in question.
    pub fen: String,
    /// The move tried there, for `make-move`, `hash`, `move-checks` and `unmake-move`; the limit, for `search`.
    pub tried: Option<String>,
    /// The reference's answer.
    pub expected: String,
    /// The program's answer.
    pub found: String,
    /// Legal moves that the program does not list.
    pub missing: Vec<String>,
    /// Listed moves that are not legal, or listed twice.
    pub extra: Vec<String>,
}

/// How the position in question was reached.
#[derive(Debug, Clone)]
pub(crate) struct Trail {
    pub start: String,
    pub line: Vec<String>,
}

impl Trail {
    pub(crate) fn at(start: String) -> Trail {
        Trail { start, line: Vec::new() }
    }

    pub(crate) fn difference(
        &self,
        subject: Subject,
        fen: String,
        expected: impl ToString,
        found: impl ToString,
    ) -> Difference {
        Difference {
            subject,
            start: self.start.clone(),
            line: self.line.clone(),
            fen,
            tried: None,
            expected: expected.to_string(),
            found: found.to_string(),
            missing: Vec::new(),
            extra: Vec::new(),
        }
    }

    pub(crate) fn failed_call(&self, fen: String, err: &CallError) -> Difference {
        self.difference(Subject::Call, fen, "a return within the limit", err)
    }
}
