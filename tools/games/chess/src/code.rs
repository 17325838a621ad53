//! The kinds of fault in positions and documents.

tempo_diagnostics::codes! {
    /// A fault of a FEN, a position, a game in PGN or a document of the agent protocol, under its stable name.
    pub enum Code {
        /// `adjacent-digits`
        AdjacentDigits = "adjacent-digits",
        /// `ambiguous-move`
        AmbiguousMove = "ambiguous-move",
        /// `bad-castling`
        BadCastling = "bad-castling",
        /// `bad-en-passant`
        BadEnPassant = "bad-en-passant",
        /// `bad-fen`
        BadFen = "bad-fen",
        /// `bad-move`
        BadMove = "bad-move",
        /// `bad-piece`
        BadPiece = "bad-piece",
        /// `bad-square`
        BadSquare = "bad-square",
        /// `bad-tag`
        BadTag = "bad-tag",
        /// `bad-turn`
        BadTurn = "bad-turn",
        /// `castling-impossible`
        CastlingImpossible = "castling-impossible",
        /// `duplicate-key`
        DuplicateKey = "duplicate-key",
        /// `en-passant-impossible`
        EnPassantImpossible = "en-passant-impossible",
        /// `field-count`
        FieldCount = "field-count",
        /// `illegal-move`
        IllegalMove = "illegal-move",
        /// `king-count`
        KingCount = "king-count",
        /// `material-impossible`
        MaterialImpossible = "material-impossible",
        /// `missing-field`
        MissingField = "missing-field",
        /// `not-ascii`
        NotAscii = "not-ascii",
        /// `not-json`
        NotJson = "not-json",
        /// `opponent-in-check`
        OpponentInCheck = "opponent-in-check",
        /// `out-of-range`
        OutOfRange = "out-of-range",
        /// `pawn-on-last-rank`
        PawnOnLastRank = "pawn-on-last-rank",
        /// `rank-count`
        RankCount = "rank-count",
        /// `rank-width`
        RankWidth = "rank-width",
        /// `too-deep`
        TooDeep = "too-deep",
        /// `too-large`
        TooLarge = "too-large",
        /// `unbalanced`
        Unbalanced = "unbalanced",
        /// `unclosed-comment`
        UnclosedComment = "unclosed-comment",
        /// `wrong-type`
        WrongType = "wrong-type",
    }
    limits: TooLarge, TooDeep;
}

/// One fault in a document, with its pointer.
pub type Fault = tempo_diagnostics::Diagnostic<Code>;
