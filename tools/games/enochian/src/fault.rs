//! The kinds of fault in positions and rules files.

tempo_diagnostics::codes! {
    /// A fault of a position or a rules file, under its stable name.
    pub enum FaultCode {
        /// `ally-mismatch`
        AllyMismatch = "ally-mismatch",
        /// `bad-id`
        BadId = "bad-id",
        /// `bad-seq`
        BadSeq = "bad-seq",
        /// `band-length`
        BandLength = "band-length",
        /// `captive-king-on-board`
        CaptiveKingOnBoard = "captive-king-on-board",
        /// `captor-of-own-team`
        CaptorOfOwnTeam = "captor-of-own-team",
        /// `commander-is-enemy`
        CommanderIsEnemy = "commander-is-enemy",
        /// `controllers`
        Controllers = "controllers",
        /// `delta-mismatch`
        DeltaMismatch = "delta-mismatch",
        /// `duplicate-id`
        DuplicateId = "duplicate-id",
        /// `duplicate-key`
        DuplicateKey = "duplicate-key",
        /// `duplicate-section`
        DuplicateSection = "duplicate-section",
        /// `enemies-on-a-throne`
        EnemiesOnAThrone = "enemies-on-a-throne",
        /// `fixed-rule`
        FixedRule = "fixed-rule",
        /// `json-syntax`
        JsonSyntax = "json-syntax",
        /// `king-missing`
        KingMissing = "king-missing",
        /// `missing-field`
        MissingField = "missing-field",
        /// `no-arrays`
        NoArrays = "no-arrays",
        /// `no-king-on-a-shared-throne`
        NoKingOnASharedThrone = "no-king-on-a-shared-throne",
        /// `off-board`
        OffBoard = "off-board",
        /// `open-bracket`
        OpenBracket = "open-bracket",
        /// `out-of-range`
        OutOfRange = "out-of-range",
        /// `pair-shape`
        PairShape = "pair-shape",
        /// `piece-shape`
        PieceShape = "piece-shape",
        /// `second-king`
        SecondKing = "second-king",
        /// `seq-mismatch`
        SeqMismatch = "seq-mismatch",
        /// `stands-twice`
        StandsTwice = "stands-twice",
        /// `team-mismatch`
        TeamMismatch = "team-mismatch",
        /// `three-on-a-throne`
        ThreeOnAThrone = "three-on-a-throne",
        /// `too-large`
        TooLarge = "too-large",
        /// `turn-order`
        TurnOrder = "turn-order",
        /// `turn-order-incomplete`
        TurnOrderIncomplete = "turn-order-incomplete",
        /// `turn-order-repeats`
        TurnOrderRepeats = "turn-order-repeats",
        /// `two-pieces-on-a-square`
        TwoPiecesOnASquare = "two-pieces-on-a-square",
        /// `unequal-teams`
        UnequalTeams = "unequal-teams",
        /// `unknown-army`
        UnknownArmy = "unknown-army",
        /// `unknown-array`
        UnknownArray = "unknown-array",
        /// `unknown-camp`
        UnknownCamp = "unknown-camp",
        /// `unknown-die`
        UnknownDie = "unknown-die",
        /// `unknown-direction`
        UnknownDirection = "unknown-direction",
        /// `unknown-element`
        UnknownElement = "unknown-element",
        /// `unknown-field`
        UnknownField = "unknown-field",
        /// `unknown-kind`
        UnknownKind = "unknown-kind",
        /// `unknown-orientation`
        UnknownOrientation = "unknown-orientation",
        /// `unknown-patron`
        UnknownPatron = "unknown-patron",
        /// `unknown-piece`
        UnknownPiece = "unknown-piece",
        /// `unknown-placement`
        UnknownPlacement = "unknown-placement",
        /// `unknown-section`
        UnknownSection = "unknown-section",
        /// `unknown-status`
        UnknownStatus = "unknown-status",
        /// `unknown-system`
        UnknownSystem = "unknown-system",
        /// `unknown-team`
        UnknownTeam = "unknown-team",
        /// `unknown-version`
        UnknownVersion = "unknown-version",
        /// `unknown-zone`
        UnknownZone = "unknown-zone",
        /// `unsupported-switch`
        UnsupportedSwitch = "unsupported-switch",
        /// `wrong-type`
        WrongType = "wrong-type",
        /// `yaml-syntax`
        YamlSyntax = "yaml-syntax",
    }
    limits: TooLarge;
}

/// One fault in a position or a rules file, with its pointer and its place in the text.
pub type Fault = tempo_diagnostics::Diagnostic<FaultCode>;
