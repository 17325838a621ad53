//! The findings of a check: faults and warnings with their places, in the order of the text.

use tempo_diagnostics::Diagnostic;

use crate::model::Spec;

/// The result of checking a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The game, if there is no fault.
    pub spec: Option<Spec>,
    /// Faults that make the document invalid, in the order of the text.
    pub faults: Vec<Finding>,
    /// Remarks that deserve a look but do no harm, in the order of the text.
    pub warnings: Vec<Finding>,
}

/// One fault or warning, with its pointer and its place in the text.
pub type Finding = Diagnostic<Code>;

tempo_diagnostics::codes! {
    /// The kinds of fault and warning, under their stable names. The format's page describes each.
    pub enum Code {
        /// `not-json`
        NotJson = "not-json",
        /// `wrong-type`
        WrongType = "wrong-type",
        /// `missing-field`
        MissingField = "missing-field",
        /// `empty-name`
        EmptyName = "empty-name",
        /// `empty-list`
        EmptyList = "empty-list",
        /// `bad-dimension`
        BadDimension = "bad-dimension",
        /// `position-out-of-board`
        PositionOutOfBoard = "position-out-of-board",
        /// `position-disabled`
        PositionDisabled = "position-disabled",
        /// `position-duplicate`
        PositionDuplicate = "position-duplicate",
        /// `duplicate-player`
        DuplicatePlayer = "duplicate-player",
        /// `unknown-player`
        UnknownPlayer = "unknown-player",
        /// `direction-invalid`
        DirectionInvalid = "direction-invalid",
        /// `unknown-piece`
        UnknownPiece = "unknown-piece",
        /// `duplicate-piece`
        DuplicatePiece = "duplicate-piece",
        /// `start-at-out-of-range`
        StartAtOutOfRange = "start-at-out-of-range",
        /// `unknown-condition-type`
        UnknownConditionType = "unknown-condition-type",
        /// `reserved-code`
        ReservedCode = "reserved-code",
        /// `duplicate-condition`
        DuplicateCondition = "duplicate-condition",
        /// `unsupported-condition`
        UnsupportedCondition = "unsupported-condition",
        /// `unknown-condition`
        UnknownCondition = "unknown-condition",
        /// `duplicate-move-id`
        DuplicateMoveId = "duplicate-move-id",
        /// `zero-step`
        ZeroStep = "zero-step",
        /// `unknown-state`
        UnknownState = "unknown-state",
        /// `unknown-action`
        UnknownAction = "unknown-action",
        /// `action-state-mismatch`
        ActionStateMismatch = "action-state-mismatch",
        /// `duplicate-action-state`
        DuplicateActionState = "duplicate-action-state",
        /// `unknown-move-id`
        UnknownMoveId = "unknown-move-id",
        /// `dependency-cycle`
        DependencyCycle = "dependency-cycle",
        /// `unknown-modifier`
        UnknownModifier = "unknown-modifier",
        /// `unknown-side-effect`
        UnknownSideEffect = "unknown-side-effect",
        /// `bad-duration`
        BadDuration = "bad-duration",
        /// `bad-times`
        BadTimes = "bad-times",
        /// `unknown-until`
        UnknownUntil = "unknown-until",
        /// `duplicate-key`
        DuplicateKey = "duplicate-key",
        /// `control-character`
        ControlCharacter = "control-character",
        /// `unknown-extension`
        UnknownExtension = "unknown-extension",
        /// `too-large`
        TooLarge = "too-large",
        /// `unknown-field`
        UnknownField = "unknown-field",
        /// `idle-times`
        IdleTimes = "idle-times",
        /// `zone-on-hole`
        ZoneOnHole = "zone-on-hole",
        /// `no-leader-piece`
        NoLeaderPiece = "no-leader-piece",
        /// `ambiguous-prefix`
        AmbiguousPrefix = "ambiguous-prefix",
        /// `cannot-move`
        CannotMove = "cannot-move",
    }
    limits: TooLarge;
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

impl Code {
    /// Where the code comes from.
    pub fn origin(self) -> Origin {
        match self {
            Code::DuplicateKey | Code::ControlCharacter | Code::UnknownExtension | Code::TooLarge => {
                Origin::Engine
            }
            Code::UnknownField
            | Code::IdleTimes
            | Code::ZoneOnHole
            | Code::NoLeaderPiece
            | Code::AmbiguousPrefix
            | Code::CannotMove => Origin::Warning,
            _ => Origin::Format,
        }
    }
}

/// Faults and warnings as the walk meets them.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub faults: Vec<Finding>,
    pub warnings: Vec<Finding>,
}

impl Found {
    pub fn into_report(mut self, spec: Option<Spec>) -> Report {
        for findings in [&mut self.faults, &mut self.warnings] {
            findings.sort_by_key(|finding| finding.span.map(|span| span.start));
        }
        Report { spec, faults: self.faults, warnings: self.warnings }
    }
}
