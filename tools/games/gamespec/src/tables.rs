//! The compiled form of a game: flat tables that the move generator reads without asking the spec.
//! Everything that can be known before the first move is settled here: turned steps, board edges,
//! holes, zones of single landings, squares of relative conditions.

use super::model::{Occupancy, Spec};

/// A piece on a square, packed: made-moves count, two marks, owner and kind. Zero is an empty square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Occupant(u32);

impl Occupant {
    pub const NONE: Occupant = Occupant(0);
    /// Stands on holes: not empty, and of no kind and no owner.
    pub const HOLE: Occupant = Occupant(1);

    const MOVES: u32 = 0x3f;
    const FLAGGED: u32 = 0x40;
    const LEADER: u32 = 0x80;

    /// `kind` counts from 1, so no piece is ever zero.
    pub fn new(kind: u16, owner: u8, leader: bool, moves: u8) -> Occupant {
        let moves = u32::from(moves).min(Occupant::MOVES);
        Occupant(
            u32::from(kind) << 16
                | (u32::from(owner) + 1) << 8
                | if leader { Occupant::LEADER } else { 0 }
                | moves,
        )
    }

    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// A piece, not a hole and not nothing.
    #[inline]
    pub fn is_some(self) -> bool {
        self.0 > 1
    }

    #[inline]
    pub fn kind(self) -> usize {
        (self.0 >> 16) as usize
    }

    /// The owner plus one, zero for no owner: what `Board` masks are compared by.
    #[inline]
    pub fn owner_tag(self) -> u32 {
        self.0 >> 8 & 0xff
    }

    #[inline]
    pub fn owner(self) -> usize {
        (self.0 >> 8 & 0xff) as usize - 1
    }

    #[inline]
    pub fn is_leader(self) -> bool {
        self.0 & Occupant::LEADER != 0
    }

    #[inline]
    pub fn is_unmoved(self) -> bool {
        self.0 & Occupant::MOVES == 0
    }

    /// Whether the piece may carry flags; without this mark it has none.
    #[inline]
    pub fn is_flagged(self) -> bool {
        self.0 & Occupant::FLAGGED != 0
    }

    pub fn flagged(self) -> Occupant {
        Occupant(self.0 | Occupant::FLAGGED)
    }

    pub fn unflagged(self) -> Occupant {
        Occupant(self.0 & !Occupant::FLAGGED)
    }

    /// Moves made, held at 63.
    pub fn moves(self) -> u8 {
        (self.0 & Occupant::MOVES) as u8
    }

    #[inline]
    pub fn moved_once_more(self) -> Occupant {
        Occupant(self.0 + u32::from(self.0 & Occupant::MOVES != Occupant::MOVES))
    }

    /// The role of this square for a player.
    #[inline]
    pub fn occupancy_for(self, owner_tag: u32) -> Occupancy {
        match self.owner_tag() {
            0 => Occupancy::Empty,
            tag if tag == owner_tag => Occupancy::Ally,
            _ => Occupancy::Enemy,
        }
    }
}

/// A set of occupancies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Mask(pub u8);

impl Mask {
    pub const OCCUPIED: Mask = Mask(0b110);

    #[inline]
    pub fn has(self, occupancy: Occupancy) -> bool {
        self.0 & 1 << occupancy as u8 != 0
    }

    pub fn insert(&mut self, occupancy: Occupancy) {
        self.0 |= 1 << occupancy as u8;
    }
}

/// One move definition of one kind, from one square.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ray {
    /// The first landing; the only one if `length` is 1.
    pub first: u16,
    pub length: u16,
    /// All landings: `paths[path..path + length]`.
    pub path: u32,
    pub rule: u16,
    /// Occupancies with an action that may pass.
    pub mask: Mask,
    /// Those among them that pass unasked and transform nothing.
    pub plain: Mask,
    /// Occupancies that end the walk.
    pub stops: Mask,
    /// Index into `programs`, for what is not plain.
    pub program: u32,
}

/// A stretch of one of the arenas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Range {
    pub start: u32,
    pub length: u32,
}

impl Range {
    #[inline]
    pub fn of<T>(self, arena: &[T]) -> &[T] {
        &arena[self.start as usize..(self.start + self.length) as usize]
    }

    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// The conditions of a ray's move, and the piece that the mover turns into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Program {
    /// Ops by occupancy: those of the move, then those of the action.
    pub guards: [Range; 3],
    /// Stretch of `modifiers`, in list order.
    pub modifiers: Range,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Transform {
    pub guard: Range,
    /// Stretch of `options`: piece indices.
    pub options: Range,
}

/// A condition with everything static settled; squares are absolute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// The mover has not moved.
    Unmoved,
    /// The square holds an unmoved piece of the mover's owner.
    OwnUnmovedAt(u16),
    /// As above, or nothing.
    OwnUnmovedOrNoneAt(u16),
    Flag {
        square: u16,
        flag: u16,
    },
    EmptyAt(u16),
    /// The `count` lattice squares before the landing are empty.
    PathEmpty {
        delta: i16,
        count: u16,
    },
    NotAttacked,
    /// No lattice square from the start to the landing is attacked; `span` of them to each step.
    PathNotAttacked {
        delta: i16,
        span: u16,
    },
    /// The landing is in a zone: offset into `zones`.
    InZone(u32),
    /// The rule has a candidate from the same square.
    DependsOn(u16),
}

/// A move definition as one player's piece has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// Index in the piece's move list.
    pub index: u16,
    pub kind: u16,
    /// Side effects by occupancy: those of the move, then those of the action.
    pub effects: [Range; 3],
    /// Whether leader safety must be asked after this move whatever the position.
    pub tested: bool,
    /// Whether any action of it has side effects.
    pub has_effects: bool,
}

/// A side effect with offsets turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// `duration` of `u32::MAX` is for good.
    SetFlag {
        flag: u16,
        duration: u32,
    },
    Capture {
        dx: i16,
        dy: i16,
    },
    /// `piece` is a piece index, or `u16::MAX` for any.
    Move {
        from: (i16, i16),
        to: (i16, i16),
        piece: u16,
    },
}

/// A player's piece: what a `Occupant` refers to.
#[derive(Debug, Clone)]
pub(super) struct Kind {
    pub owner: u8,
    pub piece: u16,
    pub leader: bool,
    /// First rule; rule `first_rule + i` is move `i`.
    pub first_rule: u16,
    /// Offset into `ray_starts`, or none if this player can never have this piece.
    pub rays: Option<u32>,
    /// Worth in hundredths, for the search.
    pub value: i32,
    /// The owner's way of going forward counts for it: all its moves lead forward.
    pub advances: bool,
}

/// A way attacks come to a square: from the squares of `path`, nearest first, up to the first piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub path: u32,
    pub length: u16,
    /// Offset into `reach`: for each kind how many squares away it may be on this line.
    pub block: u32,
}

/// Attacks that ask conditions or pass over pieces: one step vector and the rules that have it.
#[derive(Debug, Clone)]
pub(super) struct CareLine {
    /// For each square the stretch of `paths` that leads back from it.
    pub back: Vec<Range>,
    /// Kind and rule, sorted.
    pub rules: Vec<(u16, u16)>,
}

/// A game ready to be played. Shared by all its positions.
#[derive(Debug)]
pub struct Tables {
    pub(super) spec: Spec,
    pub(super) squares: usize,
    /// Words of a set of squares.
    pub(super) words: usize,
    pub(super) order: Vec<u8>,
    pub(super) kinds: Vec<Kind>,
    pub(super) ray_starts: Vec<u32>,
    pub(super) rays: Vec<Ray>,
    pub(super) paths: Vec<u16>,
    pub(super) programs: Vec<Program>,
    pub(super) ops: Vec<Op>,
    pub(super) transforms: Vec<Transform>,
    pub(super) options: Vec<u16>,
    pub(super) rules: Vec<Rule>,
    pub(super) changes: Vec<Change>,
    /// Sets of squares, zone by zone and player by player.
    pub(super) zones: Vec<u64>,
    pub(super) line_starts: Vec<u32>,
    pub(super) lines: Vec<Line>,
    pub(super) reach: Vec<u8>,
    pub(super) care_lines: Vec<CareLine>,
    /// For each player, whether another player has a rule in `care_lines`.
    pub(super) careful: Vec<bool>,
}

impl Tables {
    /// The game these tables were made from.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The kind of a player's piece.
    pub(super) fn kind_of(&self, player: usize, piece: usize) -> u16 {
        (player * self.spec.pieces.len() + piece + 1) as u16
    }

    #[inline]
    pub(super) fn rays_of(&self, kind: usize, square: usize) -> &[Ray] {
        match self.kinds[kind].rays {
            Some(base) => {
                let at = base as usize + square;
                &self.rays[self.ray_starts[at] as usize..self.ray_starts[at + 1] as usize]
            }
            None => &[],
        }
    }

    #[inline]
    pub(super) fn lines_to(&self, square: usize) -> &[Line] {
        &self.lines[self.line_starts[square] as usize..self.line_starts[square + 1] as usize]
    }

    #[inline]
    pub(super) fn path_of(&self, path: u32, length: u16) -> &[u16] {
        &self.paths[path as usize..path as usize + usize::from(length)]
    }

    #[inline]
    pub(super) fn in_zone(&self, zone: u32, square: usize) -> bool {
        self.zones[zone as usize + square / 64] >> (square % 64) & 1 != 0
    }

    /// The index of the square at a turned offset, if the board has it; it may be a hole.
    #[inline]
    pub(super) fn shift(&self, square: usize, dx: i16, dy: i16) -> Option<usize> {
        let (columns, rows) = (self.spec.columns as i32, self.spec.rows as i32);
        let x = square as i32 % columns + i32::from(dx);
        let y = square as i32 / columns + i32::from(dy);
        ((0..columns).contains(&x) && (0..rows).contains(&y)).then(|| (y * columns + x) as usize)
    }
}
