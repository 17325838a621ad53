//! The search as numbers and switches: the defaults are the 6502 program's, the others are for
//! experiments.

/// Techniques and their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Whether full nodes ask and fill the table.
    pub table: bool,
    /// The least depth of a null move; 0 is never.
    pub null_depth: u8,
    /// A side in check searches one ply deeper.
    pub check_extension: bool,
    /// The deepest futile node, and its margin for each ply.
    pub futility: (u8, i16),
    /// The deepest node that is cut because its value is so high, and the margin for each ply.
    pub reverse_futility: (u8, i16),
    /// The least depth at which late quiet moves are reduced; 0 is never.
    pub reduction_depth: u8,
    /// Moves searched before one is reduced by one, two and three plies.
    pub reduction_moves: [u8; 3],
    /// Two killers a ply.
    pub killers: bool,
    /// Captures of a cheaper piece that a pawn defends come last, or never in the quiescence.
    pub losing_captures: bool,
    /// Mates in two and three are looked for without pruning if the position is won.
    pub hunt: bool,
    /// How far from the window the terms are not counted.
    pub lazy: i16,
    /// After the first move of a node, a null window shows whether another is worth the whole one.
    pub principal_variation: bool,
    /// An iteration begins with a window of so much on both sides of the last value; 0 is the whole window.
    /// The side that the value is beyond is opened.
    pub aspiration: i16,
    /// Quiet moves are ordered by what their piece gains on the new square.
    pub placing: bool,
    /// Quiet moves are ordered by how often one of that piece to that square refuted the move before, weighed by
    /// the square of the depth.
    pub history: bool,
    /// Plies a null move costs besides its own, and one more from this depth on.
    pub null_reduction: (u8, u8),
    /// Below depth 0, so far below alpha captures of pawns, minor pieces and rooks are left out; 0 is never.
    pub delta: [i16; 3],
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            table: true,
            null_depth: 2,
            check_extension: true,
            futility: (2, 110),
            reverse_futility: (3, 90),
            reduction_depth: 3,
            reduction_moves: [3, 8, 16],
            killers: true,
            losing_captures: true,
            hunt: true,
            lazy: super::evaluate::LAZY,
            principal_variation: false,
            aspiration: 35,
            placing: true,
            history: false,
            null_reduction: (3, u8::MAX),
            delta: [0; 3],
        }
    }
}
