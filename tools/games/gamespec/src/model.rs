//! A game spec after checking: names resolved to indices, every reference good, every number in range.
//! Knows the format's words; knows neither JSON nor how a game is played.

use tempo_boardgame::Square;

/// The largest board side the engine takes.
pub const MAX_SIDE: usize = 32;

/// One checked game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The name of the game.
    pub name: String,
    /// Index into `pieces`.
    pub leader: Option<usize>,
    /// Squares in a row.
    pub columns: usize,
    /// Squares in a column.
    pub rows: usize,
    /// Squares that are not part of the board.
    pub holes: Vec<Square>,
    /// The players in the order of the document.
    pub players: Vec<Player>,
    /// Indices into `players`.
    pub order: Vec<usize>,
    /// The index into `order` of the first turn.
    pub start_at: usize,
    /// The named `POSITION` conditions.
    pub zones: Vec<Zone>,
    /// The kinds of piece in the order of the document.
    pub pieces: Vec<Piece>,
    /// Names of the state flags, in order of first mention.
    pub flags: Vec<String>,
    /// The extensions that the document declares.
    pub extensions: Vec<Extension>,
}

/// A player and its pieces at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The name in the document.
    pub name: String,
    /// How the player's moves are turned.
    pub direction: Direction,
    /// Piece index and square.
    pub start: Vec<(usize, Square)>,
}

/// One of the eight signed permutation matrices: row 0 is the image of neutral +x, row 1 of +y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction(pub [[i8; 2]; 2]);

/// A displacement; neutral in the model, turned in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offset {
    /// Columns to the right.
    pub dx: i32,
    /// Rows up.
    pub dy: i32,
}

/// A named `POSITION` condition: for each player the squares that satisfy it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// The name of the condition.
    pub code: String,
    /// The squares, by player.
    pub squares: Vec<Vec<Square>>,
}

/// A kind of piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The code by which the document refers to it.
    pub code: String,
    /// A name for people.
    pub name: Option<String>,
    /// The ways it moves.
    pub moves: Vec<MoveDef>,
}

/// One move definition of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveDef {
    /// The number by which texts of moves refer to the definition.
    pub id: i64,
    /// One step, for a player whose pieces face up.
    pub step: Offset,
    /// The actions on the landing square, by its contents.
    pub actions: Vec<Action>,
    /// The conditions of the move.
    pub conditions: Vec<Condition>,
    /// The pieces that it may turn into.
    pub modifiers: Vec<Modifier>,
    /// Further effects.
    pub effects: Vec<Effect>,
    /// How often the step may be repeated.
    pub repeat: Option<Repeat>,
}

/// The contents of a landing square, seen by the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Occupancy {
    /// Nothing.
    Empty = 0,
    /// A piece of another player.
    Enemy = 1,
    /// A piece of the mover.
    Ally = 2,
}

/// The action on an `EMPTY` (move), `ENEMY` or `ALLY` (capture) square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The required contents of the landing square.
    pub state: Occupancy,
    /// Additional conditions.
    pub conditions: Vec<Condition>,
    /// Further effects.
    pub effects: Vec<Effect>,
}

/// The conditions of a move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// The piece has not moved yet.
    FirstMove,
    /// Index of a move of the same piece.
    DependsOn(usize),
    /// The piece at this offset is the mover's and has not moved yet.
    PieceFirstMove(Offset),
    /// As `PieceFirstMove`, but it also holds if the square is empty, a hole or off the board.
    RookFirstMove(Offset),
    /// The piece at an offset shows a flag.
    CheckState {
        /// Index into `Spec::flags`.
        flag: usize,
        /// Where the piece stands, seen from the mover.
        at: Offset,
    },
    /// The squares between start and landing are empty.
    PathEmpty,
    /// No other player attacks the landing square.
    NotAttacked,
    /// No other player attacks any square from start to landing, both included.
    PathNotAttacked,
    /// Index into `Spec::zones`.
    InZone(usize),
    /// Extension `EMPTY_AT`: every one of these squares is on the board and empty.
    EmptyAt(Vec<Offset>),
}

/// `TRANSFORM`: the piece becomes one of `options` (piece indices).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modifier {
    /// The conditions under which the piece turns.
    pub conditions: Vec<Condition>,
    /// The pieces it may turn into, as indices into `Spec::pieces`.
    pub options: Vec<usize>,
}

/// An effect of a move besides moving the piece.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// `duration` in turns of anybody; `None` stays for good.
    SetState {
        /// Index into `Spec::flags`.
        flag: usize,
        /// How many turns the flag shows.
        duration: Option<u32>,
    },
    /// Takes a piece off the board.
    Capture {
        /// Its square.
        target: Offset,
    },
    /// Moves another piece.
    Move {
        /// Its square.
        from: Offset,
        /// Where it goes.
        to: Offset,
        /// The kind it must be, if the document names one.
        piece: Option<usize>,
    },
}

/// How often a step may repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    /// `None` is without limit.
    pub times: Option<u32>,
    /// The end of the repetition.
    pub until: Until,
}

/// The contents of the landing square that end the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Until {
    /// A square with a piece.
    NotEmpty,
    /// A square that holds this.
    Is(Occupancy),
    /// A square of this zone, an index into `Spec::zones`.
    InZone(usize),
}

/// An addition to the format that a document can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extension {
    /// `EMPTY_AT`: a condition on the squares at given offsets.
    EmptyAt,
}

impl Extension {
    /// All extensions with their names.
    pub const ALL: [(&'static str, Extension); 1] = [("EMPTY_AT", Extension::EmptyAt)];
}

impl Direction {
    /// The matrices of the format: the four turns, and the four turns of the mirror image.
    pub const ALL: [Direction; 8] = [
        Direction([[1, 0], [0, 1]]),
        Direction([[-1, 0], [0, -1]]),
        Direction([[0, -1], [1, 0]]),
        Direction([[0, 1], [-1, 0]]),
        Direction([[1, 0], [0, -1]]),
        Direction([[-1, 0], [0, 1]]),
        Direction([[0, 1], [1, 0]]),
        Direction([[0, -1], [-1, 0]]),
    ];

    /// Reading G1: `v' = dx·row0 + dy·row1`.
    pub fn turn(self, offset: Offset) -> Offset {
        let [[ax, ay], [bx, by]] = self.0.map(|row| row.map(i32::from));
        Offset { dx: offset.dx * ax + offset.dy * bx, dy: offset.dx * ay + offset.dy * by }
    }
}

impl Offset {
    /// No displacement.
    pub const HERE: Offset = Offset { dx: 0, dy: 0 };

    /// Greatest common divisor of the two parts: the number of lattice steps the offset spans.
    pub fn span(self) -> i32 {
        let (mut a, mut b) = (self.dx.abs(), self.dy.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    }
}

impl Spec {
    /// The number of squares, holes included.
    pub fn squares(&self) -> usize {
        self.columns * self.rows
    }

    /// Column and row of a square.
    pub fn coordinates(&self, square: Square) -> (usize, usize) {
        let index = usize::from(square.0);
        (index % self.columns, index / self.columns)
    }

    /// For each piece, whether this player has it at the start or can come to have it by transformation.
    pub fn reachable(&self, player: usize) -> Vec<bool> {
        let mut reachable = vec![false; self.pieces.len()];
        let mut open: Vec<usize> = self.players[player].start.iter().map(|&(piece, _)| piece).collect();
        while let Some(piece) = open.pop() {
            if !std::mem::replace(&mut reachable[piece], true) {
                let modifiers = self.pieces[piece].moves.iter().flat_map(|def| &def.modifiers);
                open.extend(modifiers.flat_map(|modifier| &modifier.options));
            }
        }
        reachable
    }

    /// The square at an offset, if the board has it; holes count as squares here.
    pub fn shift(&self, square: Square, offset: Offset) -> Option<Square> {
        let (x, y) = self.coordinates(square);
        let x = usize::try_from(x as i32 + offset.dx).ok().filter(|&x| x < self.columns)?;
        let y = usize::try_from(y as i32 + offset.dy).ok().filter(|&y| y < self.rows)?;
        Some(Square((y * self.columns + x) as u16))
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn forward_turns_as_the_orientation_column_says() {
        let forward = Offset { dx: 0, dy: 1 };
        let turned = |i: usize| {
            let Offset { dx, dy } = Direction::ALL[i].turn(forward);
            (dx, dy)
        };
        assert_eq!([turned(0), turned(1), turned(2), turned(3)], [(0, 1), (0, -1), (1, 0), (-1, 0)]);
    }

    #[test]
    fn spans_count_lattice_steps() {
        let span = |dx, dy| Offset { dx, dy }.span();
        assert_eq!([span(0, 2), span(1, 2), span(-4, 6), span(3, 0), span(0, 0)], [2, 1, 2, 3, 0]);
    }
}
