//! What a check found: faults and warnings with their places, in the order of the text.

use serde::Serialize;

use crate::model::Spec;
use boardgame::Fault;
use boardgame::json::{Document, Position, Span};

/// The result of checking a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The game, if there is no fault.
    pub spec: Option<Spec>,
    pub faults: Vec<Finding>,
    pub warnings: Vec<Finding>,
}

/// One fault or warning, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    #[serde(flatten)]
    pub fault: Fault,
    #[serde(flatten)]
    pub position: Position,
    /// The text meant, for a caret.
    #[serde(skip)]
    pub span: Span,
}

/// The kinds of fault and warning, under their stable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    pub name: &'static str,
    pub origin: Origin,
}

/// Where a code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The format's own list of 33.
    Format,
    /// Ours, for what the format leaves without a name: extensions, duplicate keys, limits of the engine.
    Engine,
    /// Worth a word, never a reason to refuse.
    Warning,
}

macro_rules! codes {
    ($($origin:ident: $($constant:ident $name:literal)*;)*) => {
        impl Code {
            $($(pub const $constant: Code = Code { name: $name, origin: Origin::$origin };)*)*
            pub const ALL: &'static [Code] = &[$($(Code::$constant,)*)*];
        }
    };
}

codes! {
    Format:
        NOT_JSON "not-json"
        WRONG_TYPE "wrong-type"
        MISSING_FIELD "missing-field"
        EMPTY_NAME "empty-name"
        EMPTY_LIST "empty-list"
        BAD_DIMENSION "bad-dimension"
        POSITION_OUT_OF_BOARD "position-out-of-board"
        POSITION_DISABLED "position-disabled"
        POSITION_DUPLICATE "position-duplicate"
        DUPLICATE_PLAYER "duplicate-player"
        UNKNOWN_PLAYER "unknown-player"
        DIRECTION_INVALID "direction-invalid"
        UNKNOWN_PIECE "unknown-piece"
        DUPLICATE_PIECE "duplicate-piece"
        START_AT_OUT_OF_RANGE "start-at-out-of-range"
        UNKNOWN_CONDITION_TYPE "unknown-condition-type"
        RESERVED_CODE "reserved-code"
        DUPLICATE_CONDITION "duplicate-condition"
        UNSUPPORTED_CONDITION "unsupported-condition"
        UNKNOWN_CONDITION "unknown-condition"
        DUPLICATE_MOVE_ID "duplicate-move-id"
        ZERO_STEP "zero-step"
        UNKNOWN_STATE "unknown-state"
        UNKNOWN_ACTION "unknown-action"
        ACTION_STATE_MISMATCH "action-state-mismatch"
        DUPLICATE_ACTION_STATE "duplicate-action-state"
        UNKNOWN_MOVE_ID "unknown-move-id"
        DEPENDENCY_CYCLE "dependency-cycle"
        UNKNOWN_MODIFIER "unknown-modifier"
        UNKNOWN_SIDE_EFFECT "unknown-side-effect"
        BAD_DURATION "bad-duration"
        BAD_TIMES "bad-times"
        UNKNOWN_UNTIL "unknown-until";
    Engine:
        DUPLICATE_KEY "duplicate-key"
        CONTROL_CHARACTER "control-character"
        UNKNOWN_EXTENSION "unknown-extension"
        TOO_LARGE "too-large";
    Warning:
        UNKNOWN_FIELD "unknown-field"
        IDLE_TIMES "idle-times"
        ZONE_ON_HOLE "zone-on-hole"
        NO_LEADER_PIECE "no-leader-piece"
        AMBIGUOUS_PREFIX "ambiguous-prefix"
        CANNOT_MOVE "cannot-move";
}

/// Faults and warnings as the walk meets them, not yet with lines.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub faults: Vec<(Fault, Span)>,
    pub warnings: Vec<(Fault, Span)>,
}

impl Found {
    pub fn into_report(self, document: &Document<'_>, spec: Option<Spec>) -> Report {
        let lines = document.lines();
        let place = |found: Vec<(Fault, Span)>| {
            let mut findings: Vec<Finding> = found
                .into_iter()
                .map(|(fault, span)| Finding { fault, position: lines.position(span.start), span })
                .collect();
            findings.sort_by_key(|finding| finding.span.start);
            findings
        };
        Report { spec, faults: place(self.faults), warnings: place(self.warnings) }
    }
}
