//! The small words of chess: colours, pieces, squares, castling rights, promotion sets.
//! Knows how they are written; knows no rule.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use thiserror::Error;

/// White or Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// White, who moves first.
    White,
    /// Black.
    Black,
}

impl Color {
    /// Both colours.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// `"white"` or `"black"`.
    pub fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// The colour of this name.
    pub fn from_name(name: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|color| color.name() == name)
    }

    /// The row of this side's pieces at the start: 0 or 7.
    pub const fn home_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }

    /// The row of this side's pawns at the start: 1 or 6.
    pub const fn pawn_rank(self) -> u8 {
        match self {
            Color::White => 1,
            Color::Black => 6,
        }
    }

    /// The row an en passant capture by this side lands on: 5 or 2.
    pub const fn en_passant_rank(self) -> u8 {
        match self {
            Color::White => 5,
            Color::Black => 2,
        }
    }

    /// The step of this side's pawns in rows.
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The six kinds of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceKind {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl PieceKind {
    /// All kinds, the pawn first.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
        PieceKind::King,
    ];

    /// The capital letter: `P N B R Q K`.
    pub fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'P',
            PieceKind::Knight => 'N',
            PieceKind::Bishop => 'B',
            PieceKind::Rook => 'R',
            PieceKind::Queen => 'Q',
            PieceKind::King => 'K',
        }
    }

    /// The kind of a capital letter.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Knight => "knight",
            PieceKind::Bishop => "bishop",
            PieceKind::Rook => "rook",
            PieceKind::Queen => "queen",
            PieceKind::King => "king",
        }
    }
}

/// A piece: its kind and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// Its kind.
    pub kind: PieceKind,
}

impl Piece {
    /// The letter FEN uses: capital for White, small for Black.
    pub fn symbol(self) -> char {
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    pub fn from_symbol(symbol: char) -> Option<Piece> {
        let kind = PieceKind::from_letter(symbol.to_ascii_uppercase())?;
        let color = if symbol.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color.name(), self.kind.name())
    }
}

/// One of the 64 squares: a1 is 0, b1 is 1, h8 is 63.
///
/// Invariant: the number is below 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// From column (a is 0) and row (the first rank is 0).
    ///
    /// # Panics
    /// If either is above 7.
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < 8 && rank < 8, "a file and a rank are 0..=7");
        Square(rank * 8 + file)
    }

    /// The square of this number; `None` from 64 on.
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// For numbers that are squares by construction, such as the place of a bit in a `u64`.
    pub(super) const fn of(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// 0 to 63. The mask changes nothing; it lets the compiler drop bounds checks on tables of 64.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The column, a is 0.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The row, the first rank is 0.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square some columns and rows away, unless that is off the board.
    pub fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| Square::new(file as u8, rank as u8))
    }

    /// Whether the square is a light one, as h1 is.
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// All 64, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), char::from(b'1' + self.rank()))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not a square.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not a square: squares are a1 to h8")]
pub struct NoSquare {
    /// The text.
    pub text: String,
}

impl FromStr for Square {
    type Err = NoSquare;

    fn from_str(text: &str) -> Result<Square, NoSquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::new(file - b'a', rank - b'1')),
            _ => Err(NoSquare { text: text.chars().take(20).collect() }),
        }
    }
}

/// The two ways to castle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wing {
    /// The king's side, O-O.
    King,
    /// The queen's side, O-O-O.
    Queen,
}

impl Wing {
    /// Both wings.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// `"kingside"` or `"queenside"`.
    pub fn name(self) -> &'static str {
        match self {
            Wing::King => "kingside",
            Wing::Queen => "queenside",
        }
    }

    /// The column of the rook before castling.
    pub const fn rook_file(self) -> u8 {
        match self {
            Wing::King => 7,
            Wing::Queen => 0,
        }
    }

    /// The column the king castles to.
    pub const fn king_target_file(self) -> u8 {
        match self {
            Wing::King => 6,
            Wing::Queen => 2,
        }
    }

    /// The column the rook castles to, which is the one the king passes over.
    pub const fn rook_target_file(self) -> u8 {
        match self {
            Wing::King => 5,
            Wing::Queen => 3,
        }
    }
}

/// The column of a king that has not moved.
pub(super) const KING_FILE: u8 = 4;

/// Who may still castle where, as far as past moves decide it.
/// Bits as in the 6502 program: white O-O, white O-O-O, black O-O, black O-O-O.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No right.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    const fn bit(color: Color, wing: Wing) -> u8 {
        1 << (color as u8 * 2 + wing as u8)
    }

    /// Whether this side may castle on this wing.
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Self::bit(color, wing) != 0
    }

    /// The rights and this one.
    #[must_use]
    pub const fn with(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 | Self::bit(color, wing))
    }

    /// The rights without this one.
    #[must_use]
    pub const fn without(self, color: Color, wing: Wing) -> CastlingRights {
        CastlingRights(self.0 & !Self::bit(color, wing))
    }

    #[must_use]
    pub(super) const fn and(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 & other.0)
    }

    /// The four bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The rights of four bits; higher bits are dropped.
    pub const fn from_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }

    /// All four with their FEN letters, in FEN's order.
    pub fn letters() -> [(char, Color, Wing); 4] {
        [
            ('K', Color::White, Wing::King),
            ('Q', Color::White, Wing::Queen),
            ('k', Color::Black, Wing::King),
            ('q', Color::Black, Wing::Queen),
        ]
    }
}

impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("-");
        }
        for (letter, color, wing) in CastlingRights::letters() {
            if self.has(color, wing) {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

/// The pieces that a pawn may become on the last rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PromotionSet {
    /// Queen, rook, bishop or knight: chess.
    #[default]
    All,
    /// Queen or knight, as the 6502 program generates.
    QueenKnight,
}

impl PromotionSet {
    /// The kinds a pawn may become.
    pub const fn kinds(self) -> &'static [PieceKind] {
        match self {
            PromotionSet::All => &[PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight],
            PromotionSet::QueenKnight => &[PieceKind::Queen, PieceKind::Knight],
        }
    }
}
