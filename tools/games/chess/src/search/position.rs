//! The private position of the 6502 program: a 0x88 board with guards, piece lists whose order decides the
//! order of moves, state, key and score. Knows how a move changes it; `legal` and `captures` find moves.

use super::geometry::{
    BISHOP, BY_JUMP, BY_STEP, CODE, EMPTY, GUARD, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, TO_KNIGHT,
    WHITE, code, code_of, forward, from_x88, index, line_step, relation, step, x88,
};
use super::keys::KEYS;
use super::values::Blend;
use crate::{Board, Color, Move, PieceKind, Square};

/// A move as the program's two bytes: a set bit 7 of `to` promotes to a knight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: u8,
    pub(super) to: u8,
}

impl Step {
    pub(super) const NONE: Step = Step { from: NO_SQUARE, to: 0 };

    /// The square it goes to.
    pub(super) fn target(self) -> u8 {
        self.to & 0x77
    }
}

/// A list of pieces of one code: the squares in slot order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    squares: [u8; 16],
    length: u8,
}

impl List {
    pub(super) fn squares(&self) -> &[u8] {
        &self.squares[..usize::from(self.length)]
    }

    /// The square in a slot; slots beyond the end have no square.
    pub(super) fn get(&self, slot: usize) -> Option<u8> {
        self.squares().get(slot).copied()
    }
}

/// The state that a move changes and that cannot be computed back.
#[derive(Debug, Clone, Copy)]
struct Undo {
    key: u32,
    score: i16,
    state: u8,
    clock: u8,
    captured: u8,
    victim: u8,
    slot: u8,
    /// The slot of a pawn that was promoted.
    pawn_slot: Option<u8>,
}

/// How far the guards reach above row 0.
const ABOVE: u8 = 0x40;

#[derive(Debug, Clone)]
pub(super) struct Position {
    cells: [u8; 256],
    lists: [List; 16],
    slots: [u8; 256],
    pub(super) white: bool,
    /// Bit 7: a capture en passant is legal, on the file in bits 4 to 6; castling rights below.
    pub(super) state: u8,
    pub(super) key: u32,
    /// Material and placement, White's minus Black's.
    pub(super) score: i16,
    pub(super) clock: u8,
    undo: Vec<Undo>,
}

const EN_PASSANT: u8 = 0x80;
const RIGHTS: u8 = 0x0f;

impl Position {
    /// The position of a board with these values; `None` if it has more pieces than the lists hold.
    pub(super) fn new(board: &Board, blend: &Blend) -> Option<Position> {
        let mut cells = [GUARD; 256];
        for square in (0..128u8).filter(|square| square & 0x88 == 0) {
            cells[usize::from(square + ABOVE)] = EMPTY;
        }
        let mut position = Position {
            cells,
            lists: [List { squares: [0; 16], length: 0 }; 16],
            slots: [0; 256],
            white: board.turn() == Color::White,
            state: 0,
            key: 0,
            score: 0,
            clock: board.halfmove_clock().min(0x7f) as u8,
            undo: Vec::with_capacity(64),
        };
        for square in (0..128u8).filter_map(from_x88) {
            if let Some(piece) = board.piece_at(square) {
                position.append(code_of(piece), x88(square));
            }
        }
        position.fits_lists().then_some(())?;
        position.state = position.rights(board.castling().bits());
        if let Some(square) = board.en_passant() {
            position.allow_en_passant(x88(square));
        }
        position.total(blend);
        Some(position)
    }

    fn fits_lists(&self) -> bool {
        [true, false].into_iter().all(|white| {
            let count = |kind: u8| self.list(white, kind).squares().len();
            let pieces: usize = [PAWN, BISHOP, ROOK, QUEEN, KNIGHT].into_iter().map(count).sum();
            count(PAWN) <= 8
                && count(QUEEN) <= 9
                && [BISHOP, ROOK, KNIGHT].into_iter().all(|kind| count(kind) <= 10)
                && pieces < 16
        })
    }

    /// Only rights whose king and rook are at home count.
    fn rights(&self, mut rights: u8) -> u8 {
        for (bit, king, rook) in [(0, 0x74, 0x77), (1, 0x74, 0x70), (2, 0x04, 0x07), (3, 0x04, 0x00)] {
            let white = bit < 2;
            if self.at(king) != code(white, KING) || self.at(rook) != code(white, ROOK) {
                rights &= !(1 << bit);
            }
        }
        rights & RIGHTS
    }

    /// Key and score from the lists.
    fn total(&mut self, blend: &Blend) {
        self.key = KEYS.state[usize::from(self.state)] ^ if self.white { 0 } else { KEYS.side };
        self.score = 0;
        for (place, list) in self.lists.iter().enumerate() {
            for &square in list.squares() {
                self.key ^= KEYS.piece[place][usize::from(square)];
                self.score += blend.piece[place][usize::from(square)];
            }
        }
    }

    /// The contents of a square or of the guard cells around the board.
    pub(super) fn at(&self, square: u8) -> u8 {
        self.cells[usize::from(square.wrapping_add(ABOVE))]
    }

    pub(super) fn set(&mut self, square: u8, code: u8) {
        self.cells[usize::from(square.wrapping_add(ABOVE))] = code;
    }

    pub(super) fn list(&self, white: bool, kind: u8) -> &List {
        &self.lists[index(code(white, kind))]
    }

    pub(super) fn king(&self, white: bool) -> u8 {
        self.list(white, KING).squares[0]
    }

    /// The first square beyond `from` in a direction that is not empty.
    pub(super) fn first_hit(&self, from: u8, direction: i8) -> u8 {
        let mut square = step(from, direction);
        while self.at(square) == EMPTY {
            square = step(square, direction);
        }
        square
    }

    /// Whether nothing is between two squares in line.
    pub(super) fn is_clear(&self, from: u8, to: u8) -> bool {
        let direction = line_step(from, to);
        let mut square = step(from, direction);
        while square != to {
            if self.at(square) != EMPTY {
                return false;
            }
            square = step(square, direction);
        }
        true
    }

    /// Whether a side attacks a square.
    pub(super) fn is_attacked(&self, square: u8, by_white: bool) -> bool {
        let pawn = code(by_white, PAWN);
        let behind = forward(!by_white);
        let below = square.wrapping_add(behind);
        if self.at(below.wrapping_sub(1)) == pawn || self.at(below.wrapping_add(1)) == pawn {
            return true;
        }
        if relation(self.king(by_white), square) & BY_STEP != 0 {
            return true;
        }
        if self.list(by_white, KNIGHT).squares().iter().any(|&from| relation(from, square) & BY_JUMP != 0) {
            return true;
        }
        [BISHOP, ROOK, QUEEN].into_iter().any(|kind| {
            let sliders = self.list(by_white, kind).squares();
            sliders.iter().any(|&from| relation(from, square) & kind != 0 && self.is_clear(square, from))
        })
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.white), !self.white)
    }

    /// The square a capture en passant goes to.
    pub(super) fn en_passant(&self) -> Option<u8> {
        let row = if self.white { 0x20 } else { 0x50 };
        (self.state & EN_PASSANT != 0).then_some(row | self.state >> 4 & 7)
    }

    /// Sets the en passant bits of the state if the side to move has a legal capture on `square`.
    fn allow_en_passant(&mut self, square: u8) {
        if self.at(square ^ 0x10) != code(!self.white, PAWN) || self.at(square) != EMPTY {
            return;
        }
        let beside = [(square ^ 0x10).wrapping_sub(1), (square ^ 0x10).wrapping_add(1)];
        if beside.into_iter().any(|from| self.may_take_en_passant(from, square)) {
            self.state = self.state & RIGHTS | EN_PASSANT | square << 4 & 0x70;
        }
    }

    /// Whether a pawn of the side to move is on `from` and its capture leaves the king safe.
    pub(super) fn may_take_en_passant(&mut self, from: u8, to: u8) -> bool {
        let (own, victim) = (code(self.white, PAWN), to ^ 0x10);
        if self.at(from) != own {
            return false;
        }
        self.set(from, EMPTY);
        self.set(to, own);
        self.set(victim, EMPTY);
        let safe = !self.is_attacked(self.king(self.white), !self.white);
        self.set(victim, code(!self.white, PAWN));
        self.set(to, EMPTY);
        self.set(from, own);
        safe
    }

    /// Whether a pseudo-legal move keeps the own king out of check; the side is not in check before it.
    pub(super) fn is_legal(&mut self, mv: Step) -> bool {
        let (from, to) = (mv.from, mv.target());
        let (piece, king) = (self.at(from), self.king(self.white));
        if from == king {
            return !self.is_attacked(to, !self.white);
        }
        if piece & 7 == PAWN && self.at(to) == EMPTY && (from ^ to) & 7 != 0 {
            return self.may_take_en_passant(from, to);
        }
        let direction = line_step(king, from);
        if direction == 0 || line_step(king, to) == direction || !self.is_clear(king, from) {
            return true;
        }
        let behind = self.at(self.first_hit(from, direction));
        let enemy = if self.white { 0 } else { WHITE };
        let slides = relation(king, from) & !BY_STEP;
        !(behind & CODE == CODE && behind & WHITE == enemy && behind & 4 == 0 && behind & slides != 0)
    }

    /// A move of this position as the rules write it.
    pub(super) fn decode(&self, mv: Step) -> Move {
        let square = |index| from_x88(index).unwrap_or(Square::new(0, 0));
        let promotes = self.at(mv.from) & 7 == PAWN && matches!(mv.target() >> 4, 0 | 7);
        let promotion = match (promotes, mv.to & TO_KNIGHT != 0) {
            (true, true) => Some(PieceKind::Knight),
            (true, false) => Some(PieceKind::Queen),
            (false, _) => None,
        };
        Move { from: square(mv.from), to: square(mv.target()), promotion }
    }
}

// --- Lists ---
impl Position {
    /// A piece appears at the end of its list.
    fn append(&mut self, piece: u8, square: u8) {
        let list = &mut self.lists[index(piece)];
        self.slots[usize::from(square)] = list.length;
        list.squares[usize::from(list.length & 15)] = square;
        list.length += 1;
        self.set(square, piece);
    }

    /// The last piece of a list disappears from it.
    fn remove_last(&mut self, piece: u8) {
        self.lists[index(piece)].length -= 1;
    }

    /// Takes a piece off its list, the last one taking its slot, which is returned. The cell stays.
    pub(super) fn take_off(&mut self, piece: u8, square: u8) -> u8 {
        let slot = self.slots[usize::from(square)];
        let list = &mut self.lists[index(piece)];
        list.length -= 1;
        let last = list.squares[usize::from(list.length & 15)];
        list.squares[usize::from(slot & 15)] = last;
        self.slots[usize::from(last)] = slot;
        slot
    }

    /// Undoes [`take_off`](Position::take_off).
    pub(super) fn put_back(&mut self, piece: u8, square: u8, slot: u8) {
        let list = &mut self.lists[index(piece)];
        if slot != list.length {
            let moved = list.squares[usize::from(slot & 15)];
            list.squares[usize::from(list.length & 15)] = moved;
            self.slots[usize::from(moved)] = list.length;
        }
        list.squares[usize::from(slot & 15)] = square;
        self.slots[usize::from(square)] = slot;
        list.length += 1;
    }

    /// A piece goes from one square to another, empty one: cell and list.
    fn shift(&mut self, from: u8, to: u8) {
        let (piece, slot) = (self.at(from), self.slots[usize::from(from)]);
        self.set(from, EMPTY);
        self.set(to, piece);
        self.slots[usize::from(to)] = slot;
        self.lists[index(piece)].squares[usize::from(slot & 15)] = to;
    }
}

/// Castling rights that survive a move from or to a square.
const fn kept(square: u8) -> u8 {
    match square {
        0x70 => 0b1101,
        0x74 => 0b1100,
        0x77 => 0b1110,
        0x00 => 0b0111,
        0x04 => 0b0011,
        0x07 => 0b1011,
        _ => RIGHTS,
    }
}

// --- Making and taking back ---
impl Position {
    /// Moves made since the position was set up.
    pub(super) fn plies(&self) -> usize {
        self.undo.len()
    }

    /// The key some plies ago, at most [`plies`](Position::plies).
    pub(super) fn past_key(&self, plies: usize) -> u32 {
        self.undo[self.undo.len() - plies].key
    }

    fn remember(&mut self) {
        self.undo.push(Undo {
            key: self.key,
            score: self.score,
            state: self.state,
            clock: self.clock,
            captured: EMPTY,
            victim: NO_SQUARE,
            slot: 0,
            pawn_slot: None,
        });
    }

    fn last(&mut self) -> &mut Undo {
        self.undo.last_mut().expect("a move is remembered before it is made")
    }

    fn change(&mut self, piece: u8, square: u8, blend: &Blend, appears: bool) {
        self.key ^= KEYS.piece[index(piece)][usize::from(square)];
        let value = blend.piece[index(piece)][usize::from(square)];
        self.score += if appears { value } else { -value };
    }

    fn change_state(&mut self, state: u8) {
        self.key ^= KEYS.state[usize::from(self.state)] ^ KEYS.state[usize::from(state)];
        self.state = state;
    }

    /// No piece moves: the turn passes, and no repetition is seen across it.
    pub(super) fn make_null(&mut self) {
        self.remember();
        self.clock = 0;
        self.white = !self.white;
        self.key ^= KEYS.side;
        self.change_state(self.state & RIGHTS);
    }

    pub(super) fn unmake_null(&mut self) {
        let undo = self.undo.pop().expect("a null move was made");
        self.restore(&undo);
    }

    fn restore(&mut self, undo: &Undo) {
        self.key = undo.key;
        self.score = undo.score;
        self.state = undo.state;
        self.clock = undo.clock;
        self.white = !self.white;
    }

    pub(super) fn make(&mut self, mv: Step, blend: &Blend) {
        self.remember();
        let (from, to) = (mv.from, mv.target());
        let piece = self.at(from);
        let kind = piece & 7;
        self.clock = self.clock.wrapping_add(1);
        let en_passant = kind == PAWN && self.at(to) == EMPTY && (from ^ to) & 7 != 0;
        let victim = if en_passant { to ^ 0x10 } else { to };
        let captured = self.at(victim);
        if captured != EMPTY {
            self.change(captured, victim, blend, false);
            let slot = self.take_off(captured, victim);
            self.set(victim, EMPTY);
            let last = self.last();
            (last.captured, last.victim, last.slot) = (captured, victim, slot);
            self.clock = 0;
        }
        self.change(piece, from, blend, false);
        if kind == PAWN && matches!(to >> 4, 0 | 7) {
            let promoted = code(self.white, if mv.to & TO_KNIGHT != 0 { KNIGHT } else { QUEEN });
            let slot = self.take_off(piece, from);
            self.last().pawn_slot = Some(slot);
            self.set(from, EMPTY);
            self.append(promoted, to);
            self.change(promoted, to, blend, true);
            self.clock = 0;
        } else {
            self.shift(from, to);
            self.change(piece, to, blend, true);
        }
        let mut state = self.state & RIGHTS & kept(to);
        if kind == KING || kind == ROOK {
            state &= kept(from);
        }
        if kind == KING && from.abs_diff(to) == 2 {
            let (rook_from, rook_to) = if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
            self.change(code(self.white, ROOK), rook_from, blend, false);
            self.shift(rook_from, rook_to);
            self.change(code(self.white, ROOK), rook_to, blend, true);
        }
        self.change_state(state);
        self.key ^= KEYS.side;
        self.white = !self.white;
        if kind == PAWN {
            self.clock = 0;
            let enemy = code(self.white, PAWN);
            let beside = [to.wrapping_sub(1), to.wrapping_add(1)];
            if from.abs_diff(to) == 0x20 && beside.into_iter().any(|square| self.at(square) == enemy) {
                let passed = to ^ 0x10;
                let before = self.state;
                self.allow_en_passant(passed);
                let after = std::mem::replace(&mut self.state, before);
                self.change_state(after);
            }
        }
    }

    /// Takes back the move made last.
    pub(super) fn unmake(&mut self, mv: Step) {
        let undo = self.undo.pop().expect("a move was made");
        self.restore(&undo);
        let (from, to) = (mv.from, mv.target());
        let moved = self.at(to);
        if let Some(slot) = undo.pawn_slot {
            let pawn = code(self.white, PAWN);
            self.remove_last(moved);
            self.set(to, EMPTY);
            self.put_back(pawn, from, slot);
            self.set(from, pawn);
        } else {
            self.shift(to, from);
            if moved & 7 == KING && from.abs_diff(to) == 2 {
                let (rook_from, rook_to) =
                    if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
                self.shift(rook_to, rook_from);
            }
        }
        if undo.captured != EMPTY {
            self.put_back(undo.captured, undo.victim, undo.slot);
            self.set(undo.victim, undo.captured);
        }
    }
}
