//! The words of the game: armies, teams, kinds of pieces, the two diagonal systems, squares and moves.
//! Knows their names and letters; knows no rule.

use std::fmt;

/// One of the four armies, in the canonical order of the original description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Army {
    /// The blue army.
    Blue,
    /// The red army.
    Red,
    /// The black army.
    Black,
    /// The yellow army.
    Yellow,
}

impl Army {
    /// All armies in canonical order.
    pub const ALL: [Army; 4] = [Army::Blue, Army::Red, Army::Black, Army::Yellow];

    /// The place in the canonical order, from 0.
    pub const fn index(self) -> usize {
        self as usize
    }

    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        ["blue", "red", "black", "yellow"][self as usize]
    }

    /// The army of this name.
    pub fn from_name(name: &str) -> Option<Army> {
        Army::ALL.into_iter().find(|army| army.name() == name)
    }
}

impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Two allied armies that win or lose together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Team {
    /// The team `air`.
    Air,
    /// The team `earth`.
    Earth,
}

impl Team {
    /// Both teams.
    pub const ALL: [Team; 2] = [Team::Air, Team::Earth];

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        ["air", "earth"][self as usize]
    }

    /// The team of this name.
    pub fn from_name(name: &str) -> Option<Team> {
        Team::ALL.into_iter().find(|team| team.name() == name)
    }

    /// The opponents.
    pub const fn other(self) -> Team {
        match self {
            Team::Air => Team::Earth,
            Team::Earth => Team::Air,
        }
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The six kinds of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// A king.
    King,
    /// A queen, which leaps two squares.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
    /// A pawn.
    Pawn,
}

impl Kind {
    /// All kinds, the king first.
    pub const ALL: [Kind; 6] = [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];

    /// The capital letter in texts.
    pub const fn letter(self) -> char {
        ['K', 'Q', 'R', 'B', 'N', 'P'][self as usize]
    }

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        ["king", "queen", "rook", "bishop", "knight", "pawn"][self as usize]
    }

    /// The kind of a capital letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// The kinds that a pawn may serve and become: any kind but king and pawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Major {
    /// A queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
}

impl Major {
    /// All four.
    pub const ALL: [Major; 4] = [Major::Queen, Major::Rook, Major::Bishop, Major::Knight];

    /// The kind.
    pub const fn kind(self) -> Kind {
        [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight][self as usize]
    }

    /// The capital letter in texts.
    pub const fn letter(self) -> char {
        self.kind().letter()
    }

    /// The major of a capital letter.
    pub fn from_letter(letter: char) -> Option<Major> {
        Major::ALL.into_iter().find(|major| major.letter() == letter)
    }
}

/// One of the two diagonal networks. The original description calls the colour of a1 Cancer (N21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum System {
    /// The network without a1.
    Aries,
    /// The network of a1.
    Cancer,
}

impl System {
    /// Both networks.
    pub const ALL: [System; 2] = [System::Aries, System::Cancer];

    /// The squares of the network.
    pub const fn mask(self) -> u64 {
        match self {
            System::Aries => 0x55AA_55AA_55AA_55AA,
            System::Cancer => 0xAA55_AA55_AA55_AA55,
        }
    }

    /// The network of a square.
    pub const fn of(square: Square) -> System {
        if System::Aries.mask() & square.bit() != 0 { System::Aries } else { System::Cancer }
    }

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        ["aries", "cancer"][self as usize]
    }

    /// The network of this name.
    pub fn from_name(name: &str) -> Option<System> {
        System::ALL.into_iter().find(|system| system.name() == name)
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where pawns march.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Compass {
    /// Up the ranks.
    North,
    /// Towards file h.
    East,
    /// Down the ranks.
    South,
    /// Towards file a.
    West,
}

impl Compass {
    /// All directions, clockwise.
    pub const ALL: [Compass; 4] = [Compass::North, Compass::East, Compass::South, Compass::West];

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        ["north", "east", "south", "west"][self as usize]
    }

    /// The direction of this name.
    pub fn from_name(name: &str) -> Option<Compass> {
        Compass::ALL.into_iter().find(|compass| compass.name() == name)
    }

    /// The other way.
    pub const fn opposite(self) -> Compass {
        [Compass::South, Compass::West, Compass::North, Compass::East][self as usize]
    }

    /// The change of file and rank of one step.
    pub const fn step(self) -> (i8, i8) {
        [(0, 1), (1, 0), (0, -1), (-1, 0)][self as usize]
    }
}

/// The edge or line whose entering promotes a pawn: `rank8`, `filea`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zone {
    /// A rank, from 0.
    Rank(u8),
    /// A file, from 0.
    File(u8),
}

impl Zone {
    /// The eight squares as bits.
    pub const fn mask(self) -> u64 {
        match self {
            Zone::Rank(rank) => 0xff << (8 * rank),
            Zone::File(file) => 0x0101_0101_0101_0101 << file,
        }
    }

    /// Reads `rank8` or `filea`.
    pub fn parse(text: &str) -> Option<Zone> {
        if let Some(rank) = text.strip_prefix("rank") {
            let &[digit @ b'1'..=b'8'] = rank.as_bytes() else { return None };
            return Some(Zone::Rank(digit - b'1'));
        }
        let &[letter @ b'a'..=b'h'] = text.strip_prefix("file")?.as_bytes() else { return None };
        Some(Zone::File(letter - b'a'))
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Zone::Rank(rank) => write!(f, "rank{}", rank + 1),
            Zone::File(file) => write!(f, "file{}", char::from(b'a' + file)),
        }
    }
}

/// A square, a1 = 0, b1 = 1, h8 = 63. The number is always below 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// All squares, a1 to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// The square of this number; `None` from 64 on.
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square at this file and rank, both from 0, if it is on the board.
    pub fn at(file: i8, rank: i8) -> Option<Square> {
        ((0..8).contains(&file) && (0..8).contains(&rank)).then(|| Square((rank * 8 + file).cast_unsigned()))
    }

    /// The number, 0 to 63.
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the invariant says, so that table look-ups need no bounds check.
        (self.0 & 63) as usize
    }

    /// The square as one bit of 64.
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The file, from 0.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, from 0.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Reads `a1` to `h8`.
    pub fn parse(text: &str) -> Option<Square> {
        let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else { return None };
        Some(Square((rank - b'1') * 8 + (file - b'a')))
    }

    /// Steps a king would need on an empty board.
    pub fn king_steps_to(self, other: Square) -> u8 {
        self.file().abs_diff(other.file()).max(self.rank().abs_diff(other.rank()))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// The squares of a bit set, lowest index first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// The kind of a piece, with what it carries for life: a queen or bishop its system, a pawn its patron.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Office {
    /// A king.
    King,
    /// A queen of this system.
    Queen(System),
    /// A rook.
    Rook,
    /// A bishop of this system.
    Bishop(System),
    /// A knight.
    Knight,
    /// A pawn of this patron.
    Pawn(Major),
}

impl Office {
    /// The kind, without what it carries.
    pub const fn kind(self) -> Kind {
        match self {
            Office::King => Kind::King,
            Office::Queen(_) => Kind::Queen,
            Office::Rook => Kind::Rook,
            Office::Bishop(_) => Kind::Bishop,
            Office::Knight => Kind::Knight,
            Office::Pawn(_) => Kind::Pawn,
        }
    }

    /// A fresh major piece on this square; its system is that of the square (N8).
    pub const fn fresh(major: Major, square: Square) -> Office {
        match major {
            Major::Queen => Office::Queen(System::of(square)),
            Major::Rook => Office::Rook,
            Major::Bishop => Office::Bishop(System::of(square)),
            Major::Knight => Office::Knight,
        }
    }
}

/// A piece of an army.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its army.
    pub army: Army,
    /// Its kind.
    pub office: Office,
}

/// An army's action in its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// The army may not or cannot move.
    Pass,
    /// A piece goes from one square to another. The kind is part of the move because a throne can hold two pieces.
    Step {
        /// The kind of the piece.
        kind: Kind,
        /// Its square.
        from: Square,
        /// Where it goes.
        to: Square,
        /// The promotion of a pawn, if it reaches its line.
        promotion: Option<Major>,
    },
}

impl Move {
    pub(crate) const fn step(kind: Kind, from: Square, to: Square) -> Move {
        Move::Step { kind, from, to, promotion: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_four_bytes() {
        assert_eq!(size_of::<Move>(), 4);
    }

    #[test]
    fn systems_split_the_board_by_colour() {
        assert_eq!(System::Aries.mask(), !System::Cancer.mask());
        assert_eq!(System::of(Square::parse("a1").unwrap()), System::Cancer);
        for square in Square::all() {
            let light = (square.file() + square.rank()) % 2 == 1;
            assert_eq!(System::of(square) == System::Aries, light, "{square}");
        }
    }

    #[test]
    fn names_read_back() {
        assert_eq!(Zone::parse("rank8").unwrap().to_string(), "rank8");
        assert_eq!(Zone::parse("filea").unwrap().mask(), 0x0101_0101_0101_0101);
        assert!(["rank9", "rank", "filei", "file", "rank80"].iter().all(|bad| Zone::parse(bad).is_none()));
        assert!(Square::all().all(|square| Square::parse(&square.to_string()) == Some(square)));
    }
}
