//! A game spec after checking: names resolved to indices, every reference good, every number in range.
//! Knows the format's words; knows neither JSON nor how a game is played.

use boardgame::Square;

/// The largest board side the engine takes.
pub const MAX_SIDE: usize = 32;

/// One checked game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub name: String,
    /// Index into `pieces`.
    pub leader: Option<usize>,
    pub columns: usize,
    pub rows: usize,
    pub holes: Vec<Square>,
    pub players: Vec<Player>,
    /// Indices into `players`.
    pub order: Vec<usize>,
    pub start_at: usize,
    pub zones: Vec<Zone>,
    pub pieces: Vec<Piece>,
    /// Names of the state flags, in order of first mention.
    pub flags: Vec<String>,
    pub extensions: Vec<Extension>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    pub name: String,
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
    pub dx: i32,
    pub dy: i32,
}

/// A named `POSITION` condition: for each player the squares that satisfy it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    pub code: String,
    pub squares: Vec<Vec<Square>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub code: String,
    pub name: Option<String>,
    pub moves: Vec<MoveDef>,
}

/// One move definition of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveDef {
    pub id: i64,
    pub step: Offset,
    pub actions: Vec<Action>,
    pub conditions: Vec<Condition>,
    pub modifiers: Vec<Modifier>,
    pub effects: Vec<Effect>,
    pub repeat: Option<Repeat>,
}

/// What a landing square holds, seen by the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Occupancy {
    Empty = 0,
    Enemy = 1,
    Ally = 2,
}

/// What is done on an `EMPTY` (move), `ENEMY` or `ALLY` (capture) square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub state: Occupancy,
    pub conditions: Vec<Condition>,
    pub effects: Vec<Effect>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Condition {
    FirstMove,
    /// Index of a move of the same piece.
    DependsOn(usize),
    PieceFirstMove(Offset),
    RookFirstMove(Offset),
    CheckState {
        flag: usize,
        at: Offset,
    },
    PathEmpty,
    NotAttacked,
    PathNotAttacked,
    /// Index into `Spec::zones`.
    InZone(usize),
    /// Extension `EMPTY_AT`: every one of these squares is on the board and empty.
    EmptyAt(Vec<Offset>),
}

/// `TRANSFORM`: the piece becomes one of `options` (piece indices).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modifier {
    pub conditions: Vec<Condition>,
    pub options: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// `duration` in turns of anybody; `None` stays for good.
    SetState {
        flag: usize,
        duration: Option<u32>,
    },
    Capture {
        target: Offset,
    },
    Move {
        from: Offset,
        to: Offset,
        piece: Option<usize>,
    },
}

/// How often a step may repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    /// `None` is without limit.
    pub times: Option<u32>,
    pub until: Until,
}

/// What on the landing square ends the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Until {
    NotEmpty,
    Is(Occupancy),
    InZone(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    EmptyAt,
}

impl Extension {
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
    pub fn squares(&self) -> usize {
        self.columns * self.rows
    }

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
