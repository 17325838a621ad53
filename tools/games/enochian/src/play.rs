//! Making a move and taking it back: capture, promotion, seizing, in this order (N24 of docs/enochian.md).
//! Plays what it is given; that a move is legal is the caller's promise.

use super::pieces::{Army, Bits, Kind, Move, Office, Square};
use super::position::{Code, Position};
use super::setup::Die;

/// The data with which `unplay` restores the position before a move.
#[derive(Debug, Clone)]
pub struct Undo {
    moved: Code,
    captured: Code,
    captured_kings: u8,
    frozen: u8,
    captors: [Option<Army>; 4],
    commanders: [Army; 4],
    turn: Army,
    die: Option<Die>,
    demoted: Option<(Square, Code)>,
    /// Waiting pawns that a loss promoted.
    ripened: u64,
}

impl Position {
    /// Plays a legal move and hands the turn on.
    pub fn play(&mut self, mv: Move) -> Undo {
        let mut undo = Undo {
            moved: Code::NONE,
            captured: Code::NONE,
            captured_kings: 0,
            frozen: self.frozen,
            captors: self.captors,
            commanders: self.commanders,
            turn: self.turn,
            die: self.die.take(),
            demoted: None,
            ripened: 0,
        };
        if let Move::Step { kind, from, to, promotion } = mv {
            let army = self.turn;
            self.capture(army, to, &mut undo);
            if kind == Kind::King {
                self.kings[army.index()] = to.bit();
                self.seize(army, to);
            } else {
                let code = self.take(from);
                undo.moved = code;
                let arrived = match promotion {
                    None => code,
                    Some(major) => {
                        undo.demoted = self.demote(army, major.kind());
                        Code::new(army, Office::fresh(major, to))
                    }
                };
                self.put(to, arrived);
            }
        }
        self.turn = self.next_after(self.turn);
        undo
    }

    /// Takes back the last move played.
    pub fn unplay(&mut self, mv: Move, undo: Undo) {
        self.turn = undo.turn;
        self.frozen = undo.frozen;
        self.captors = undo.captors;
        self.commanders = undo.commanders;
        self.die = undo.die;
        let Move::Step { kind, from, to, .. } = mv else { return };
        if kind == Kind::King {
            self.kings[undo.turn.index()] = from.bit();
        } else {
            self.take(to);
            self.put(from, undo.moved);
        }
        if let Some((square, code)) = undo.demoted {
            self.take(square);
            self.put(square, code);
        }
        for square in Bits(undo.ripened) {
            let grown = self.take(square);
            let patron =
                super::pieces::Major::ALL.into_iter().find(|major| major.kind() == grown.office().kind());
            self.put(
                square,
                Code::new(grown.army(), Office::Pawn(patron.expect("a waiting pawn becomes its patron"))),
            );
        }
        if undo.captured != Code::NONE {
            self.put(to, undo.captured);
        }
        for army in Army::ALL {
            if undo.captured_kings & army.bit() != 0 {
                self.kings[army.index()] = to.bit();
            }
        }
    }

    /// Removes every occupant of the goal, with the consequences of a captured king.
    fn capture(&mut self, army: Army, to: Square, undo: &mut Undo) {
        undo.captured = self.take(to);
        if undo.captured != Code::NONE && self.setup.switches.promotion_needs_a_lost_pawn {
            undo.ripened = self.ripen(undo.captured);
        }
        for victim in Army::ALL {
            if self.kings[victim.index()] & to.bit() != 0 && victim != army {
                undo.captured_kings |= victim.bit();
                self.kings[victim.index()] = 0;
                self.frozen |= victim.bit();
                self.captors[victim.index()] = Some(army);
            }
        }
        if undo.captured_kings != 0 {
            self.end_commands(undo.captured_kings);
        }
    }

    /// Command held by captured kings reverts; an ally whose own king is a prisoner freezes with it (N14).
    fn end_commands(&mut self, captured: u8) {
        for subject in Army::ALL {
            let i = subject.index();
            if self.commanders[i] != subject && captured & self.commanders[i].bit() != 0 {
                self.commanders[i] = subject;
                if self.captors[i].is_some() {
                    self.frozen |= subject.bit();
                }
            }
        }
    }

    /// A king that enters a throne of the allied army takes command of it and wakes it (N13).
    fn seize(&mut self, army: Army, to: Square) {
        let ally = self.setup.ally(army);
        if self.setup.is_throne_of(ally, to) {
            self.commanders[ally.index()] = self.commanders[army.index()];
            self.frozen &= !ally.bit();
        }
    }

    /// Makes the piece that a privileged promotion duplicates a pawn of the same kind (N6). Only a
    /// privileged army has so few pieces that asking each time is right: for any other, duplicates stay.
    fn demote(&mut self, army: Army, kind: Kind) -> Option<(Square, Code)> {
        // The pawn has left its square already, so privilege shows as: nothing but the king and this one piece.
        let pieces = self.pieces[army.index()];
        let twin = pieces & self.kinds[kind as usize];
        let privileged = self.kings[army.index()] != 0
            && pieces.count_ones() == 1
            && matches!(kind, Kind::Queen | Kind::Bishop);
        if !privileged || twin == 0 {
            return None;
        }
        let square = Bits(twin).next()?;
        let old = self.take(square);
        let major = super::pieces::Major::ALL.into_iter().find(|major| major.kind() == kind)?;
        self.put(square, Code::new(army, Office::Pawn(major)));
        Some((square, old))
    }

    /// With the switch of N23 on: the first lost pawn promotes those that wait on their line.
    fn ripen(&mut self, lost: Code) -> u64 {
        let army = lost.army();
        if lost.office().kind() != Kind::Pawn || self.count(army, Kind::Pawn) != 3 {
            return 0;
        }
        let waiting = self.pieces[army.index()] & self.kinds[Kind::Pawn as usize] & self.setup.zone(army);
        for square in Bits(waiting) {
            let patron = self.take(square).patron();
            self.put(square, Code::new(army, Office::fresh(patron, square)));
        }
        waiting
    }
}
