//! A position of a compiled game: pieces, flags, whose turn; moves made and taken back.
//! Knows how the board changes; `generate` finds the moves.

use std::fmt;
use std::sync::Arc;

use super::model::Spec;
use super::tables::{Change, Occupant, Tables};
use tempo_boardgame::Square;

/// A position in a game from a spec. Cheap to clone; the tables are shared.
#[derive(Clone)]
pub struct Position {
    pub(super) tables: Arc<Tables>,
    pub(super) board: Vec<Occupant>,
    /// For each square and flag the last turn in which the piece there shows it; 0 is never. All are
    /// 0 unless the piece is marked as flagged.
    pub(super) flags: Vec<u32>,
    /// Sets of squares by owner.
    pub(super) own: Vec<u64>,
    pub(super) leaders: Vec<u64>,
    /// Index into the order of turns.
    pub(super) turn: usize,
    /// The number of this turn, from 1; what flags are dated by.
    pub(super) now: u32,
    /// The player who took a leader, if one was taken.
    pub(super) winner: Option<u8>,
    /// Whether a leader of another player was among those taken.
    pub(super) beheaded: bool,
    /// The former contents of squares, newest last, for moves that change more than two squares.
    journal: Vec<(u16, Occupant)>,
    /// The flags of the flagged pieces in `journal`.
    flag_journal: Vec<u32>,
}

/// A move: from, to, the definition, and the piece chosen if it transforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    pub(super) from: u16,
    pub(super) to: u16,
    pub(super) rule: u16,
    /// Piece index plus one; 0 means none.
    pub(super) option: u16,
}

/// The data that `make` must remember.
#[derive(Debug)]
pub struct Undo {
    mover: Occupant,
    captured: Occupant,
    /// Where the journal stood, or `PLAIN` if the two pieces above are all that changed.
    mark: usize,
}

const PLAIN: usize = usize::MAX;

/// One piece, as `Position::set_up` takes it and `Position::pieces` gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Its square.
    pub square: Square,
    /// Its owner, an index into `Spec::players`.
    pub player: usize,
    /// Its kind, an index into `Spec::pieces`.
    pub piece: usize,
    /// Moves it has made.
    pub moves: u8,
    /// Flags it shows, each with the turns left, this one included; none is for good.
    pub flags: Vec<(usize, Option<u32>)>,
}

/// Why pieces cannot be set up as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetUpError {
    /// A square number that the board does not have.
    #[error("square {0} is not on the board")]
    OffBoard(u16),
    /// A square that is a hole or holds a piece already.
    #[error("square {0} holds two pieces or is a hole")]
    Taken(u16),
    /// A player with a piece that it neither starts with nor can turn into.
    #[error("player {player} can never have piece {piece}")]
    Unreachable {
        /// Index into `Spec::players`.
        player: usize,
        /// Index into `Spec::pieces`.
        piece: usize,
    },
    /// A turn beyond the end of the order.
    #[error("the order has no turn {0}")]
    NoTurn(usize),
    /// A flag that the spec does not have.
    #[error("there is no flag {0}")]
    NoFlag(usize),
}

/// Same pieces with the same past and flags that still show, same turn, same result.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.turn == other.turn
            && self.winner == other.winner
            && self.board.iter().zip(&other.board).all(|(a, b)| a.unflagged() == b.unflagged())
            && self.flags.iter().zip(&other.flags).all(|(&a, &b)| self.turns_left(a) == other.turns_left(b))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces: Vec<Placed> = self.pieces().collect();
        f.debug_struct("Position").field("turn", &self.turn).field("pieces", &pieces).finish_non_exhaustive()
    }
}

impl Position {
    /// The start of the game.
    pub fn start(tables: Arc<Tables>) -> Position {
        let spec = tables.spec();
        let pieces: Vec<Placed> = spec
            .players
            .iter()
            .enumerate()
            .flat_map(|(player, entry)| {
                entry.start.iter().map(move |&(piece, square)| (player, piece, square))
            })
            .map(|(player, piece, square)| Placed { square, player, piece, moves: 0, flags: vec![] })
            .collect();
        let turn = spec.start_at;
        Position::set_up(tables, &pieces, turn).expect("a checked spec has a start that can be set up")
    }

    /// A position from pieces; `turn` is an index into the order of turns.
    pub fn set_up(tables: Arc<Tables>, pieces: &[Placed], turn: usize) -> Result<Position, SetUpError> {
        let spec = tables.spec();
        let sets = spec.players.len() * tables.words;
        let mut position = Position {
            board: vec![Occupant::NONE; tables.squares],
            flags: vec![0; tables.squares * spec.flags.len()],
            own: vec![0; sets],
            leaders: vec![0; sets],
            turn,
            now: 1,
            winner: None,
            beheaded: false,
            journal: Vec::new(),
            flag_journal: Vec::new(),
            tables: tables.clone(),
        };
        for hole in &spec.holes {
            position.board[usize::from(hole.0)] = Occupant::HOLE;
        }
        if turn >= spec.order.len() {
            return Err(SetUpError::NoTurn(turn));
        }
        for placed in pieces {
            let square = usize::from(placed.square.0);
            let there = *position.board.get(square).ok_or(SetUpError::OffBoard(placed.square.0))?;
            if !there.is_none() {
                return Err(SetUpError::Taken(placed.square.0));
            }
            if placed.player >= spec.players.len()
                || placed.piece >= spec.pieces.len()
                || tables.kinds[usize::from(tables.kind_of(placed.player, placed.piece))].rays.is_none()
            {
                return Err(SetUpError::Unreachable { player: placed.player, piece: placed.piece });
            }
            let new = position.occupant(placed.player, placed.piece, placed.moves);
            let new = if placed.flags.is_empty() { new } else { new.flagged() };
            position.board[square] = new;
            position.toggle(square, new);
            for &(flag, left) in &placed.flags {
                if flag >= spec.flags.len() {
                    return Err(SetUpError::NoFlag(flag));
                }
                position.flags[square * spec.flags.len() + flag] =
                    left.map_or(u32::MAX, |left| left.min(u32::MAX - 1));
            }
        }
        Ok(position)
    }

    /// The tables the position is played by.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// The game the position belongs to.
    pub fn spec(&self) -> &Spec {
        self.tables.spec()
    }

    /// The pieces on the board, by square.
    pub fn pieces(&self) -> impl Iterator<Item = Placed> + '_ {
        let count = self.spec().flags.len();
        self.board.iter().enumerate().filter(|(_, occupant)| occupant.is_some()).map(
            move |(square, occupant)| {
                let dates = &self.flags[square * count..(square + 1) * count];
                let shown = dates.iter().enumerate().filter(|&(_, &date)| date >= self.now);
                Placed {
                    square: Square(square as u16),
                    player: occupant.owner(),
                    piece: usize::from(self.tables.kinds[occupant.kind()].piece),
                    moves: occupant.moves(),
                    flags: shown.map(|(flag, &date)| (flag, self.turns_left(date))).collect(),
                }
            },
        )
    }

    /// The index into the order of turns.
    pub fn turn(&self) -> usize {
        self.turn
    }

    /// The player on turn.
    pub fn player(&self) -> usize {
        usize::from(self.tables.order[self.turn])
    }

    /// The player whose turn came before this one.
    pub(super) fn previous_player(&self) -> usize {
        let order = &self.tables.order;
        usize::from(order[(self.turn + order.len() - 1) % order.len()])
    }

    /// Plays a legal move: the board changes and the turn passes on.
    pub fn make_move(&mut self, mv: Move) -> Undo {
        let undo = self.change(mv);
        self.turn += 1;
        if self.turn == self.tables.order.len() {
            self.turn = 0;
        }
        self.now += 1;
        undo
    }

    /// Takes back the last move.
    pub fn unmake_move(&mut self, mv: Move, undo: Undo) {
        if self.turn == 0 {
            self.turn = self.tables.order.len();
        }
        self.turn -= 1;
        self.now -= 1;
        self.revert(mv, undo);
    }

    /// The board changes of a move; the turn does not end.
    #[inline]
    pub(super) fn change(&mut self, mv: Move) -> Undo {
        let mover = self.board[usize::from(mv.from)];
        let captured = self.board[usize::from(mv.to)];
        if captured.is_leader() {
            self.behead(captured, mover.owner());
        }
        let has_effects = self.tables.rules[usize::from(mv.rule)].has_effects;
        if has_effects || mv.option > 0 || mover.is_flagged() || captured.is_flagged() {
            let mark = self.journal.len();
            self.change_with_journal(mv);
            return Undo { mover, captured, mark };
        }
        self.board[usize::from(mv.from)] = Occupant::NONE;
        self.board[usize::from(mv.to)] = mover.moved_once_more();
        self.toggle_plain(mv, mover, captured);
        Undo { mover, captured, mark: PLAIN }
    }

    /// Undoes board changes.
    #[inline]
    pub(super) fn revert(&mut self, mv: Move, undo: Undo) {
        self.winner = None;
        self.beheaded = false;
        if undo.mark != PLAIN {
            self.restore(undo.mark);
            return;
        }
        self.board[usize::from(mv.from)] = undo.mover;
        self.board[usize::from(mv.to)] = undo.captured;
        self.toggle_plain(mv, undo.mover, undo.captured);
    }

    /// The sets of squares before or after a move without effects: the same bits change either way.
    #[inline]
    fn toggle_plain(&mut self, mv: Move, mover: Occupant, captured: Occupant) {
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        let base = mover.owner() * self.tables.words;
        self.own[base + from / 64] ^= 1 << (from % 64);
        self.own[base + to / 64] ^= 1 << (to % 64);
        if mover.is_leader() {
            self.leaders[base + from / 64] ^= 1 << (from % 64);
            self.leaders[base + to / 64] ^= 1 << (to % 64);
        }
        if !captured.is_none() {
            self.toggle(to, captured);
        }
    }

    fn restore(&mut self, mark: usize) {
        let count = self.spec().flags.len();
        while self.journal.len() > mark {
            let Some((square, old)) = self.journal.pop() else { break };
            let square = usize::from(square);
            let new = std::mem::replace(&mut self.board[square], old);
            self.toggle(square, new);
            self.toggle(square, old);
            if old.is_flagged() {
                let from = self.flag_journal.len() - count;
                self.flags[square * count..(square + 1) * count].copy_from_slice(&self.flag_journal[from..]);
                self.flag_journal.truncate(from);
            } else if new.is_flagged() {
                self.clear_flags(square);
            }
        }
    }

    /// A move with side effects, a transformation or flags: everything it touches goes to the journal.
    fn change_with_journal(&mut self, mv: Move) {
        let tables = self.tables.clone();
        let from = usize::from(mv.from);
        let mut mover = usize::from(mv.to);
        let owner = self.board[from].owner();
        let occupancy = self.board[mover].occupancy_for(owner as u32 + 1);
        self.relocate(from, mover);
        for change in tables.rules[usize::from(mv.rule)].effects[occupancy as usize].of(&tables.changes) {
            match *change {
                Change::SetFlag { flag, duration } => {
                    let date = self.now.saturating_add(duration);
                    self.put(mover, self.board[mover].flagged());
                    self.flags[mover * tables.spec.flags.len() + usize::from(flag)] = date;
                }
                Change::Capture { dx, dy } => {
                    let target = tables.shift(from, dx, dy).filter(|&target| target != mover);
                    let Some(target) = target.filter(|&target| self.board[target].is_some()) else {
                        continue;
                    };
                    if self.board[target].is_leader() {
                        self.behead(self.board[target], owner);
                    }
                    self.put(target, Occupant::NONE);
                    self.clear_flags(target);
                }
                Change::Move { from: start, to: end, piece } => {
                    let start = tables.shift(from, start.0, start.1);
                    let end = tables.shift(from, end.0, end.1);
                    let (Some(start), Some(end)) = (start, end) else { continue };
                    let occupant = self.board[start];
                    let fits = piece == u16::MAX
                        || occupant.is_some() && tables.kinds[occupant.kind()].piece == piece;
                    if occupant.is_some() && fits && self.board[end].is_none() {
                        self.relocate(start, end);
                        if start == mover {
                            mover = end;
                        }
                    }
                }
            }
        }
        if mv.option > 0 {
            let fresh = self.occupant(owner, usize::from(mv.option) - 1, 0);
            self.put(mover, fresh);
            self.clear_flags(mover);
        }
    }

    /// Moves a piece with its flags and counts the move. Flags that no longer show are left behind.
    fn relocate(&mut self, from: usize, to: usize) {
        let occupant = self.board[from];
        let count = self.spec().flags.len();
        self.put(from, Occupant::NONE);
        self.put(to, occupant.moved_once_more().unflagged());
        self.clear_flags(to);
        if occupant.is_flagged() {
            let now = self.now;
            if self.flags[from * count..(from + 1) * count].iter().any(|&date| date >= now) {
                self.flags.copy_within(from * count..(from + 1) * count, to * count);
                self.board[to] = self.board[to].flagged();
            }
            self.clear_flags(from);
        }
    }

    /// A leader is taken: the game ends and the mover has won.
    #[cold]
    fn behead(&mut self, leader: Occupant, mover: usize) {
        self.winner = Some(mover as u8);
        self.beheaded |= leader.owner() != mover;
    }

    fn occupant(&self, player: usize, piece: usize, moves: u8) -> Occupant {
        let kind = self.tables.kind_of(player, piece);
        Occupant::new(kind, player as u8, self.tables.kinds[usize::from(kind)].leader, moves)
    }

    /// Replaces what a square holds and remembers the old content. The caller takes care of the flags.
    fn put(&mut self, square: usize, new: Occupant) {
        let old = std::mem::replace(&mut self.board[square], new);
        self.journal.push((square as u16, old));
        self.toggle(square, old);
        self.toggle(square, new);
        if old.is_flagged() {
            let count = self.spec().flags.len();
            self.flag_journal.extend_from_slice(&self.flags[square * count..(square + 1) * count]);
        }
    }

    fn clear_flags(&mut self, square: usize) {
        let count = self.spec().flags.len();
        self.flags[square * count..(square + 1) * count].fill(0);
    }

    #[inline]
    fn toggle(&mut self, square: usize, occupant: Occupant) {
        if occupant.is_some() {
            let word = occupant.owner() * self.tables.words + square / 64;
            let bit = 1 << (square % 64);
            self.own[word] ^= bit;
            if occupant.is_leader() {
                self.leaders[word] ^= bit;
            }
        }
    }

    /// Turns a flag still shows, this one included; none is for good, 0 is not at all.
    fn turns_left(&self, date: u32) -> Option<u32> {
        if date == u32::MAX { None } else { Some((date + 1).saturating_sub(self.now)) }
    }

    /// The squares of a player's pieces.
    #[inline]
    pub(super) fn squares_of<'a>(&self, sets: &'a [u64], player: usize) -> Squares<'a> {
        let words = self.tables.words;
        let words = &sets[player * words..(player + 1) * words];
        Squares { word: words[0], rest: &words[1..], base: 0 }
    }
}

/// The members of a set of squares, lowest first.
pub(super) struct Squares<'a> {
    word: u64,
    rest: &'a [u64],
    base: usize,
}

impl Iterator for Squares<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            let (first, rest) = self.rest.split_first()?;
            self.word = *first;
            self.rest = rest;
            self.base += 64;
        }
        let square = self.base + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(square)
    }
}
