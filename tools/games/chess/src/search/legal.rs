//! Exactly the legal moves, in the order the 6502 program finds them: pinned pieces first, then list by list,
//! castling before the king's steps, en passant last; in check the answers, square by square.

use super::geometry::{
    BISHOP, BY_JUMP, BY_STEP, DIAGONAL, DIRECTIONS, EMPTY, JUMPS, KING, KNIGHT, PAWN, QUEEN, ROOK, STRAIGHT,
    TO_KNIGHT, WHITE, code, forward, line_step, relation, step,
};
use super::position::{Position, Step};

/// A pinned piece while it is off its list.
struct Pin {
    square: u8,
    piece: u8,
    slot: u8,
}

struct Generator<'p> {
    position: &'p mut Position,
    moves: &'p mut Vec<Step>,
    white: bool,
    forward: u8,
    king: u8,
    pins: Vec<Pin>,
}

impl Position {
    /// Replaces `moves` by the legal moves of the side to move.
    pub(super) fn legal_moves(&mut self, moves: &mut Vec<Step>) {
        moves.clear();
        let white = self.white;
        let king = self.king(white);
        let forward = forward(white);
        Generator { position: self, moves, white, forward, king, pins: Vec::new() }.run();
    }
}

impl Generator<'_> {
    fn run(mut self) {
        let checkers = self.scan();
        match checkers[..] {
            [] => {
                self.pieces();
                self.castling();
                self.king_steps();
                self.en_passant();
                self.restore_pins();
            }
            [checker] => {
                self.moves.clear();
                self.evasions(checker);
            }
            _ => {
                self.moves.clear();
                self.king_in_check();
            }
        }
    }

    fn emit(&mut self, from: u8, to: u8) {
        self.moves.push(Step { from, to });
    }

    /// A pawn's move, as a queen's and a knight's promotion on the last row.
    fn emit_pawn(&mut self, from: u8, to: u8) {
        self.emit(from, to);
        if matches!(to >> 4, 0 | 7) {
            self.emit(from, to | TO_KNIGHT);
        }
    }

    fn at(&self, square: u8) -> u8 {
        self.position.at(square)
    }

    fn is_own(&self, code: u8) -> bool {
        // A guard belongs to neither side: only its colour bit is set.
        code & 0x78 != 0 && (code & WHITE != 0) == self.white
    }

    fn is_enemy(&self, code: u8) -> bool {
        code & 0x78 != 0 && (code & WHITE != 0) != self.white
    }

    fn on_first_row(&self, square: u8) -> bool {
        square >> 4 == if self.white { 6 } else { 1 }
    }

    // --- Checks and pins ---

    /// The pieces that give check; pinned pieces' moves are emitted and the pieces taken off their lists.
    fn scan(&mut self) -> Vec<u8> {
        let mut checkers = Vec::new();
        let (king, enemy) = (self.king, !self.white);
        let ahead = king.wrapping_add(self.forward);
        for square in [ahead.wrapping_sub(1), ahead.wrapping_add(1)] {
            if self.at(square) == code(enemy, PAWN) {
                checkers.push(square);
            }
        }
        let knights = self.position.list(enemy, KNIGHT).squares();
        checkers.extend(knights.iter().filter(|&&from| relation(from, king) & BY_JUMP != 0));
        for kind in [BISHOP, ROOK, QUEEN] {
            let mut slot = 0;
            while let Some(slider) = self.position.list(enemy, kind).get(slot) {
                slot += 1;
                if relation(king, slider) & kind != 0 && self.line_test(slider) {
                    checkers.push(slider);
                }
            }
        }
        checkers
    }

    /// An enemy slider is in line with the king: true if it gives check. A pin is dealt with.
    fn line_test(&mut self, slider: u8) -> bool {
        let direction = line_step(self.king, slider);
        let first = self.position.first_hit(self.king, direction);
        if first == slider {
            return true;
        }
        if self.is_own(self.at(first)) && self.position.first_hit(first, direction) == slider {
            self.pin(first, slider, direction);
        }
        false
    }

    fn pin(&mut self, square: u8, slider: u8, direction: i8) {
        let piece = self.at(square);
        let slot = self.position.take_off(piece, square);
        self.pins.push(Pin { square, piece, slot });
        let line = relation(self.king, slider);
        match piece & 7 {
            KNIGHT => {}
            PAWN => self.pinned_pawn(square, slider, direction),
            kind if line & kind & QUEEN != 0 => {
                let mut target = self.king;
                while target != slider {
                    target = step(target, direction);
                    if target != square {
                        self.emit(square, target);
                    }
                }
            }
            _ => {}
        }
    }

    fn pinned_pawn(&mut self, square: u8, slider: u8, direction: i8) {
        let ahead = square.wrapping_add(self.forward);
        if matches!(direction, 16 | -16) {
            if self.at(ahead) == EMPTY {
                self.emit(square, ahead);
                let double = ahead.wrapping_add(self.forward);
                if self.on_first_row(square) && self.at(double) == EMPTY {
                    self.emit(square, double);
                }
            }
        } else if [ahead.wrapping_sub(1), ahead.wrapping_add(1)].contains(&slider) {
            self.emit_pawn(square, slider);
        }
    }

    fn restore_pins(&mut self) {
        while let Some(pin) = self.pins.pop() {
            self.position.put_back(pin.piece, pin.square, pin.slot);
        }
    }

    // --- Free pieces ---

    /// All pieces but the king. Lists are walked by slot; nothing changes them meanwhile.
    fn pieces(&mut self) {
        let white = self.white;
        for slot in 0.. {
            let Some(from) = self.position.list(white, PAWN).get(slot) else { break };
            self.pawn(from);
        }
        for slot in 0.. {
            let Some(from) = self.position.list(white, KNIGHT).get(slot) else { break };
            for jump in JUMPS {
                let target = step(from, jump);
                let cell = self.at(target);
                if cell == EMPTY || self.is_enemy(cell) {
                    self.emit(from, target);
                }
            }
        }
        for (kind, parts) in
            [(BISHOP, &[DIAGONAL][..]), (ROOK, &[STRAIGHT][..]), (QUEEN, &[DIAGONAL, STRAIGHT][..])]
        {
            for slot in 0.. {
                let Some(from) = self.position.list(white, kind).get(slot) else { break };
                for direction in parts.iter().cloned().flatten() {
                    self.ray(from, DIRECTIONS[direction]);
                }
            }
        }
    }

    fn ray(&mut self, from: u8, direction: i8) {
        let mut target = step(from, direction);
        while self.at(target) == EMPTY {
            self.emit(from, target);
            target = step(target, direction);
        }
        if self.is_enemy(self.at(target)) {
            self.emit(from, target);
        }
    }

    fn pawn(&mut self, from: u8) {
        let ahead = from.wrapping_add(self.forward);
        if self.at(ahead) == EMPTY {
            self.emit_pawn(from, ahead);
            let double = ahead.wrapping_add(self.forward);
            if self.on_first_row(from) && self.at(double) == EMPTY {
                self.emit(from, double);
            }
        }
        for target in [ahead.wrapping_sub(1), ahead.wrapping_add(1)] {
            if self.is_enemy(self.at(target)) {
                self.emit_pawn(from, target);
            }
        }
    }

    // --- The king ---

    fn castling(&mut self) {
        let home = if self.white { 0x74 } else { 0x04 };
        let rights = self.position.state >> if self.white { 0 } else { 2 };
        if self.king != home {
            return;
        }
        let attacked = |this: &Self, square| this.position.is_attacked(square, !this.white);
        let free = |this: &Self, squares: &[u8]| squares.iter().all(|&square| this.at(square) == EMPTY);
        let short = rights & 1 != 0 && free(self, &[home + 1, home + 2]);
        if short && !attacked(self, home + 1) && !attacked(self, home + 2) {
            self.emit(home, home + 2);
        }
        let long = rights & 2 != 0 && free(self, &[home - 1, home - 2, home - 3]);
        if long && !attacked(self, home - 1) && !attacked(self, home - 2) {
            self.emit(home, home - 2);
        }
    }

    fn king_steps(&mut self) {
        for direction in DIRECTIONS {
            let target = step(self.king, direction);
            let cell = self.at(target);
            if (cell == EMPTY || self.is_enemy(cell)) && !self.position.is_attacked(target, !self.white) {
                self.emit(self.king, target);
            }
        }
    }

    fn en_passant(&mut self) {
        let Some(target) = self.position.en_passant() else { return };
        let behind = target.wrapping_sub(self.forward);
        for from in [behind.wrapping_sub(1), behind.wrapping_add(1)] {
            if self.position.may_take_en_passant(from, target) {
                self.emit(from, target);
            }
        }
    }

    // --- Answers to a check ---

    fn evasions(&mut self, checker: u8) {
        // A pinned piece cannot help: hide pawns too, which are found on the board.
        for pin in &self.pins {
            self.position.set(pin.square, (pin.piece | 6) & !1);
        }
        self.answer(checker, checker);
        let direction = line_step(self.king, checker);
        let slides = self.at(checker) & 7 & !QUEEN == 0 && self.at(checker) & 7 != PAWN;
        if slides {
            let mut target = step(self.king, direction);
            while target != checker {
                self.answer(target, checker);
                target = step(target, direction);
            }
        }
        for pin in &self.pins {
            self.position.set(pin.square, pin.piece);
        }
        self.king_in_check();
    }

    fn king_in_check(&mut self) {
        // Sliders see through the king who leaves.
        self.position.set(self.king, EMPTY);
        self.king_steps();
        self.position.set(self.king, code(self.white, KING));
        self.en_passant();
        self.restore_pins();
    }

    /// All moves to one square: the checker's, or one between it and the king.
    fn answer(&mut self, target: u8, checker: u8) {
        let own = code(self.white, PAWN);
        let behind = target.wrapping_sub(self.forward);
        if target == checker {
            for from in [behind.wrapping_sub(1), behind.wrapping_add(1)] {
                if self.at(from) == own {
                    self.emit_pawn(from, target);
                }
            }
        } else if self.at(behind) == own {
            self.emit_pawn(behind, target);
        } else if self.at(behind) == EMPTY && target >> 4 == if self.white { 4 } else { 3 } {
            let from = behind.wrapping_sub(self.forward);
            if self.at(from) == own {
                self.emit(from, target);
            }
        }
        for kind in [KNIGHT, BISHOP, ROOK, QUEEN] {
            for slot in 0.. {
                let Some(from) = self.position.list(self.white, kind).get(slot) else { break };
                let by = relation(from, target);
                let reaches = match kind {
                    KNIGHT => by & BY_JUMP != 0,
                    _ => by & kind != 0 && self.position.is_clear(target, from),
                };
                if reaches {
                    self.emit(from, target);
                }
            }
        }
    }
}

const _: () = assert!(BY_STEP & QUEEN == 0, "line bits and sliders' type bits are the same");
