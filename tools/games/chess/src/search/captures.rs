//! Captures and queen promotions, pseudo-legal, with the keys that order them; and whether a remembered move
//! fits the board. Pins and checks are not looked at.

use super::geometry::{
    BISHOP, BY_JUMP, BY_STEP, DIAGONAL, DIRECTIONS, EMPTY, JUMPS, KING, KNIGHT, PAWN, QUEEN, ROOK, STRAIGHT,
    TO_KNIGHT, WHITE, code, forward, index, relation, step,
};
use super::position::{Position, Step};
use super::values::Blend;

/// The value of a capture for the order of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Capture {
    pub(super) mv: Step,
    pub(super) key: u8,
    /// The taker is worth more than the victim, and a pawn defends it.
    pub(super) losing: bool,
}

// By type: pawn, bishop, rook, queen, knight, -, -, king.
const VICTIM: [u8; 8] = [8, 24, 40, 72, 24, 0, 0, 0];
const TAKER: [u8; 8] = [0, 3, 4, 6, 2, 0, 0, 7];
const CLASS: [u8; 8] = [1, 3, 5, 9, 3, 0, 0, 10];
/// The key of a queen promotion, whatever it takes.
const PROMOTION: u8 = 100;
/// Gains and losses of a quiet move beyond this are all the same.
const GAIN: i16 = 64;

/// Whether a pawn moves from `from` to the last row.
fn promotes(kind: u8, to: u8) -> bool {
    kind == PAWN && matches!(to >> 4 & 7, 0 | 7)
}

impl Position {
    fn is_enemy(&self, square: u8) -> bool {
        let cell = self.at(square);
        cell & 0x78 != 0 && (cell & WHITE != 0) != self.white
    }

    /// The captured piece as a sort key; queen promotions have the highest. `None` for other moves, knight promotions
    /// among them.
    pub(super) fn capture_key(&self, mv: Step) -> Option<u8> {
        if mv.to & TO_KNIGHT != 0 {
            return None;
        }
        let kind = self.at(mv.from) & 7;
        let victim = self.at(mv.to);
        if promotes(kind, mv.to) {
            return Some(PROMOTION);
        }
        if victim != EMPTY {
            return Some(VICTIM[usize::from(victim & 7)]);
        }
        (kind == PAWN && (mv.from ^ mv.to) & 7 != 0).then_some(VICTIM[usize::from(PAWN)])
    }

    /// The same with the cheapest taker first, for lists that are not generated in that order.
    pub(super) fn taker_key(&self, mv: Step) -> Option<u8> {
        let key = self.capture_key(mv)?;
        let takes = self.at(mv.to) != EMPTY && key != PROMOTION;
        Some(if takes { key - TAKER[usize::from(self.at(mv.from) & 7)] } else { key })
    }

    /// A dear piece takes a cheaper one that a pawn defends.
    pub(super) fn is_losing(&self, mv: Step) -> bool {
        let (taker, victim) = (self.at(mv.from) & 7, self.at(mv.to));
        if victim == EMPTY
            || promotes(taker, mv.to)
            || CLASS[usize::from(taker)] <= CLASS[usize::from(victim & 7)]
        {
            return false;
        }
        let beyond = mv.to.wrapping_add(forward(self.white));
        let pawn = code(!self.white, PAWN);
        self.at(beyond.wrapping_sub(1)) == pawn || self.at(beyond.wrapping_add(1)) == pawn
    }

    /// Appends all captures and queen promotions; false if one of them would take the king.
    pub(super) fn captures(&self, found: &mut Vec<Capture>) -> bool {
        let white = self.white;
        let ahead = forward(white);
        let king = self.king(white);
        let mut legal_before = true;
        let mut add = |from: u8, to: u8| {
            let mv = Step { from, to };
            if self.at(to) & 7 == KING && self.at(to) != EMPTY {
                legal_before = false;
            } else if let Some(key) = self.capture_key(mv) {
                let losing = self.is_losing(mv);
                // A king never goes where a pawn could take him.
                if from != king || !losing {
                    found.push(Capture { mv, key, losing });
                }
            }
        };
        for &from in self.list(white, PAWN).squares() {
            let next = from.wrapping_add(ahead);
            if promotes(PAWN, next) && self.at(next) == EMPTY {
                add(from, next);
            }
            for to in [next.wrapping_sub(1), next.wrapping_add(1)] {
                if self.is_enemy(to) {
                    add(from, to);
                }
            }
        }
        if let Some(to) = self.en_passant() {
            let behind = to.wrapping_sub(ahead);
            for from in [behind.wrapping_sub(1), behind.wrapping_add(1)] {
                if self.at(from) == code(white, PAWN) {
                    add(from, to);
                }
            }
        }
        for &from in self.list(white, KNIGHT).squares() {
            for to in JUMPS.map(|jump| step(from, jump)) {
                if self.is_enemy(to) {
                    add(from, to);
                }
            }
        }
        for (kind, parts) in
            [(BISHOP, &[DIAGONAL][..]), (ROOK, &[STRAIGHT][..]), (QUEEN, &[DIAGONAL, STRAIGHT][..])]
        {
            for &from in self.list(white, kind).squares() {
                for direction in parts.iter().cloned().flatten() {
                    let to = self.first_hit(from, DIRECTIONS[direction]);
                    if self.is_enemy(to) {
                        add(from, to);
                    }
                }
            }
        }
        for to in DIRECTIONS.map(|direction| step(king, direction)) {
            if self.is_enemy(to) {
                add(king, to);
            }
        }
        legal_before
    }

    /// Whether the side to move has such a move but for the safety of its king. Castling never fits.
    pub(super) fn fits(&self, mv: Step) -> bool {
        if mv.from & 0x88 != 0 {
            return false;
        }
        let (from, to) = (mv.from, mv.target());
        let (piece, target) = (self.at(from), self.at(to));
        let own = |code: u8| code != EMPTY && (code & WHITE != 0) == self.white;
        if !own(piece) || own(target) {
            return false;
        }
        let kind = piece & 7;
        if mv.to & TO_KNIGHT != 0 && !promotes(kind, to) {
            return false;
        }
        match kind {
            PAWN => {
                let ahead = forward(self.white);
                let next = from.wrapping_add(ahead);
                if to == next {
                    target == EMPTY
                } else if to == next.wrapping_add(ahead) {
                    let home = if self.white { 6 } else { 1 };
                    from >> 4 == home && self.at(next) == EMPTY && target == EMPTY
                } else {
                    (to == next.wrapping_sub(1) || to == next.wrapping_add(1))
                        && (target != EMPTY || self.en_passant() == Some(to))
                }
            }
            KNIGHT => relation(from, to) & BY_JUMP != 0,
            KING => relation(from, to) & BY_STEP != 0,
            _ => relation(from, to) & kind != 0 && self.is_clear(to, from),
        }
    }

    /// The gain of a quiet move by the placement of its piece, in classes of eight hundredths; a knight's promotion
    /// comes last.
    pub(super) fn gain_class(&self, mv: Step, blend: &Blend) -> i16 {
        if mv.to & TO_KNIGHT != 0 {
            return 0;
        }
        let values = &blend.piece[index(self.at(mv.from))];
        let gain = values[usize::from(mv.to)] - values[usize::from(mv.from)];
        let gain = if self.white { gain } else { -gain };
        (gain.clamp(-GAIN, GAIN - 1) + GAIN) >> 3
    }

    /// Whether a move takes nothing and promotes nothing, en passant being a capture.
    pub(super) fn is_quiet(&self, mv: Step) -> bool {
        mv.to & TO_KNIGHT == 0 && self.capture_key(mv).is_none()
    }
}
