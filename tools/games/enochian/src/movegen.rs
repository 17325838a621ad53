//! Legal moves: candidates as sets of goal squares, then check, stalemate and the die.
//! Knows nothing of what a move does afterwards.

use super::geometry::{self, advance, bishop_sight, rook_sight, strikes};
use super::pieces::{Army, Bits, Kind, Move, Square, System, Team};
use super::position::Position;
use super::setup::PRIVILEGES;

/// The obstacles of one army's pieces, worked out once a position.
struct Field {
    army: Army,
    occupied: u64,
    /// Own team and everything frozen: no move ends here.
    closed: u64,
    /// Pieces that may be taken, as far as squares tell.
    prey: u64,
    /// Prey that no queen takes: queens, and bishops of the other system.
    queen_shuns: [u64; 2],
    bishop_shuns: [u64; 2],
}

/// The state of a turn by the rules, before the die is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duty {
    /// Every candidate is legal.
    Free,
    /// The king is attacked and can step: only its moves are legal.
    KingMustMove,
    /// Not attacked, but no candidate leaves the king unattacked.
    Stalemate,
    /// The army is frozen or has no pieces.
    OutOfPlay,
}

impl Position {
    /// Appends the legal moves of the army on turn; `Move::Pass` alone when it passes.
    ///
    /// Whether the game is over is not asked here: `result` tells.
    pub fn legal_moves(&self, moves: &mut Vec<Move>) {
        let before = moves.len();
        self.visit_legal(|kind, from, goals| {
            if kind == Kind::Pawn {
                self.list_pawn(from, goals, moves);
            } else {
                moves.extend(Bits(goals).map(|to| Move::step(kind, from, to)));
            }
        });
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    /// The number of legal moves, without listing them.
    pub fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.visit_legal(|kind, _, goals| {
            count += u64::from(if kind == Kind::Pawn { self.count_pawn(goals) } else { goals.count_ones() });
        });
        count.max(1)
    }

    /// The demands of check and stalemate on the army on turn.
    pub fn duty(&self) -> Duty {
        if self.is_in_play(self.turn) { self.duty_in(&self.field(self.turn)) } else { Duty::OutOfPlay }
    }

    fn duty_in(&self, field: &Field) -> Duty {
        let army = field.army;
        let Some(king) = self.king_square(army) else {
            return Duty::Free; // woken by a throne
        };
        if self.is_attacked(king, self.setup.team(army).other()) {
            let can_step = geometry::KING.from(king) & !field.closed != 0;
            return if can_step { Duty::KingMustMove } else { Duty::Free };
        }
        if self.is_stalemated(field, king) { Duty::Stalemate } else { Duty::Free }
    }

    /// Whether the army's king is on the board and attacked.
    pub fn is_in_check(&self, army: Army) -> bool {
        self.king_square(army).is_some_and(|king| self.is_attacked(king, self.setup.team(army).other()))
    }

    /// Whether an unfrozen piece of the team attacks the square.
    pub fn is_attacked(&self, square: Square, by: Team) -> bool {
        let (mut pieces, mut kings, mut pawns) = (0, 0, 0);
        for army in self.setup.armies(by) {
            if self.is_frozen(army) {
                continue;
            }
            let i = army.index();
            pieces |= self.pieces[i];
            kings |= self.kings[i];
            // A pawn strikes this square from where a pawn marching the other way would strike from here.
            pawns |= strikes(self.setup.forward(army).opposite(), square)
                & self.pieces[i]
                & self.kinds[Kind::Pawn as usize];
        }
        if pawns != 0
            || geometry::KING.from(square) & kings != 0
            || geometry::KNIGHT.from(square) & pieces & self.kinds[Kind::Knight as usize] != 0
            || geometry::QUEEN.from(square) & pieces & self.kinds[Kind::Queen as usize] != 0
        {
            return true;
        }
        let occupied = self.occupied();
        let rooks = pieces & self.kinds[Kind::Rook as usize];
        let bishops = pieces & self.moving_bishops();
        (rooks != 0 && rook_sight(square, occupied) & rooks != 0)
            || (bishops != 0 && bishop_sight(square, occupied) & bishops != 0)
    }

    /// Bishops that are on their own system; one off its system cannot move (N7).
    fn moving_bishops(&self) -> u64 {
        let at_home = self.aries & System::Aries.mask() | !self.aries & System::Cancer.mask();
        self.kinds[Kind::Bishop as usize] & at_home
    }

    /// Calls back with every legal set of goals; nothing when the army passes.
    fn visit_legal(&self, mut visit: impl FnMut(Kind, Square, u64)) {
        let army = self.turn;
        if !self.is_in_play(army) {
            return;
        }
        let switches = self.setup.switches;
        let field = self.field(army);
        let only_king = match self.duty_in(&field) {
            Duty::KingMustMove | Duty::Stalemate
                if self.die.is_some() && switches.divination_ignores_check =>
            {
                false
            }
            Duty::OutOfPlay | Duty::Stalemate => return,
            Duty::KingMustMove => true,
            Duty::Free => false,
        };
        let allowed = |kind| self.die.is_none_or(|die| self.setup.dice.allows(die, kind));
        if let Some(king) = self.king_square(army)
            && allowed(Kind::King)
        {
            let mut goals = geometry::KING.from(king) & !field.closed;
            if switches.unchecked_king_may_not_enter_check && !self.is_in_check(army) {
                goals = self.unattacked_goals(king, goals);
            }
            if goals != 0 {
                visit(Kind::King, king, goals);
            }
        }
        if !only_king {
            self.visit_pieces(&field, |kind, from, goals| {
                if allowed(kind) {
                    visit(kind, from, goals);
                }
            });
        }
    }

    fn unattacked_goals(&self, king: Square, goals: u64) -> u64 {
        Bits(goals)
            .filter(|&to| self.leaves_king_unattacked(Move::step(Kind::King, king, to)))
            .fold(0, |set, to| set | to.bit())
    }

    fn leaves_king_unattacked(&self, mv: Move) -> bool {
        let army = self.turn;
        let mut after = self.clone();
        after.play(mv);
        !after.is_in_check(army)
    }

    /// N12: no candidate of any piece leaves the king unattacked. The king is known to be unattacked now.
    fn is_stalemated(&self, field: &Field, king: Square) -> bool {
        // Only a piece that the king sees can shield it; any other piece may move without exposing it,
        // since a move never leaves its goal square empty and never wakes an enemy.
        let seen = rook_sight(king, field.occupied) | bishop_sight(king, field.occupied);
        let army = field.army;
        let pawns = self.pieces[army.index()] & self.kinds[Kind::Pawn as usize] & !seen;
        if advance(self.setup.forward(army), pawns) & !field.occupied != 0 {
            return false;
        }
        let mut free = false;
        self.visit_pieces(field, |_, from, goals| free |= goals != 0 && seen & from.bit() == 0);
        if free {
            return false;
        }
        let steps = geometry::KING.from(king) & !field.closed;
        if self.unattacked_goals(king, steps) != 0 {
            return false;
        }
        let mut moves = Vec::new();
        self.visit_pieces(field, |kind, from, goals| {
            let promotion = if kind == Kind::Pawn { Some(self.mail[from.index()].patron()) } else { None };
            moves.extend(Bits(goals).map(|to| Move::Step {
                kind,
                from,
                to,
                // What the pawn becomes does not change who attacks the own king.
                promotion: promotion.filter(|_| self.promotes(to)),
            }));
        });
        !moves.into_iter().any(|mv| self.leaves_king_unattacked(mv))
    }

    fn field(&self, army: Army) -> Field {
        let setup = &*self.setup;
        let team = setup.team(army);
        let (mut closed, mut prey, mut prey_kings) = (0, 0, 0);
        for other in Army::ALL {
            if setup.team(other) == team || self.is_frozen(other) {
                closed |= self.all_of(other);
            } else {
                prey |= self.all_of(other);
                prey_kings |= self.kings[other.index()];
            }
        }
        prey &= !closed;
        // On a shared throne the king is fair prey, and that is enough (N5).
        let guarded = prey & !prey_kings;
        let queens = guarded & self.kinds[Kind::Queen as usize];
        let bishops = guarded & self.kinds[Kind::Bishop as usize];
        // Indexed by the system of the piece that moves: Aries, Cancer.
        let strange = [!self.aries, self.aries];
        Field {
            army,
            occupied: self.occupied(),
            closed,
            prey,
            queen_shuns: strange.map(|strange| queens | bishops & strange),
            bishop_shuns: strange.map(|strange| bishops | queens & strange),
        }
    }

    /// Calls back with the goals of every piece of the army but its king.
    #[inline]
    fn visit_pieces(&self, field: &Field, mut visit: impl FnMut(Kind, Square, u64)) {
        let pieces = self.pieces[field.army.index()];
        let of = |kind: Kind| Bits(pieces & self.kinds[kind as usize]);
        let system = |square: Square| usize::from(self.aries & square.bit() == 0);
        let mut offer = |kind, from, goals| {
            if goals != 0 {
                visit(kind, from, goals);
            }
        };
        for from in of(Kind::Queen) {
            let shuns = field.queen_shuns[system(from)];
            offer(Kind::Queen, from, geometry::QUEEN.from(from) & !field.closed & !shuns);
        }
        for from in of(Kind::Rook) {
            offer(Kind::Rook, from, rook_sight(from, field.occupied) & !field.closed);
        }
        for from in Bits(pieces & self.moving_bishops()) {
            let shuns = field.bishop_shuns[system(from)];
            offer(Kind::Bishop, from, bishop_sight(from, field.occupied) & !field.closed & !shuns);
        }
        for from in of(Kind::Knight) {
            offer(Kind::Knight, from, geometry::KNIGHT.from(from) & !field.closed);
        }
        let forward = self.setup.forward(field.army);
        for from in of(Kind::Pawn) {
            let goals = advance(forward, from.bit()) & !field.occupied | strikes(forward, from) & field.prey;
            offer(Kind::Pawn, from, goals);
        }
    }

    /// Whether a pawn of the army on turn is promoted by this step.
    fn promotes(&self, to: Square) -> bool {
        self.setup.zone(self.turn) & to.bit() != 0 && !self.waits_for_a_loss(self.turn)
    }

    fn waits_for_a_loss(&self, army: Army) -> bool {
        self.setup.switches.promotion_needs_a_lost_pawn && self.count(army, Kind::Pawn) >= 4
    }

    /// Whether the army's one pawn is privileged: beside it only the king, or king and queen, or king and bishop (N6).
    pub fn has_privileged_pawn(&self, army: Army) -> bool {
        let pieces = self.pieces[army.index()];
        let pawns = pieces & self.kinds[Kind::Pawn as usize];
        let others = pieces ^ pawns;
        self.kings[army.index()] != 0
            && pawns.count_ones() == 1
            && (others == 0
                || others.count_ones() == 1
                    && others & (self.kinds[Kind::Queen as usize] | self.kinds[Kind::Bishop as usize]) != 0)
    }

    fn list_pawn(&self, from: Square, goals: u64, moves: &mut Vec<Move>) {
        for to in Bits(goals) {
            let step = |promotion| Move::Step { kind: Kind::Pawn, from, to, promotion };
            if !self.promotes(to) {
                moves.push(step(None));
            } else if self.has_privileged_pawn(self.turn) {
                moves.extend(PRIVILEGES.map(|major| step(Some(major))));
            } else {
                moves.push(step(Some(self.mail[from.index()].patron())));
            }
        }
    }

    fn count_pawn(&self, goals: u64) -> u32 {
        let promoting = goals & self.setup.zone(self.turn);
        if promoting == 0 || !self.has_privileged_pawn(self.turn) || self.waits_for_a_loss(self.turn) {
            return goals.count_ones();
        }
        goals.count_ones() + promoting.count_ones() * (PRIVILEGES.len() as u32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::super::setup::{Setup, Switches};
    use super::*;

    fn position(text: &str, switches: Switches) -> Position {
        let mut setup = Setup::base();
        setup.switches = switches;
        Position::from_text(text, &setup).expect("a sound position")
    }

    #[test]
    fn the_switch_of_n11_keeps_the_king_out_of_check() {
        let text = "blue Kd1 Pg2; red Kh8 Re8; black Ka8; yellow Kh1; turn blue";
        let switches = Switches { unchecked_king_may_not_enter_check: true, ..Switches::default() };
        let moves = |switches| position(text, switches).legal_move_texts();
        assert_eq!(moves(switches), ["Kd1-c1", "Kd1-c2", "Kd1-d2", "Pg2-g3"]);
        assert_eq!(moves(Switches::default()).len(), 6);
        let refusal = position(text, switches).parse_move("Kd1-e2").unwrap_err().to_string();
        assert!(refusal.contains("[enters-check, reading N11, switched on]"), "{refusal}");
    }

    #[test]
    fn the_switch_of_n20_asks_the_die_first() {
        let text = "blue Kd1 Na3; red Kh8 Rd8; black Ka8; yellow Kh1; turn blue; die 2";
        let switches = Switches { divination_ignores_check: true, ..Switches::default() };
        assert_eq!(position(text, Switches::default()).legal_move_texts(), ["pass"]);
        assert_eq!(position(text, switches).legal_move_texts(), ["Na3-b1", "Na3-b5", "Na3-c2", "Na3-c4"]);
    }

    #[test]
    fn the_switch_of_n23_makes_pawns_wait_for_a_loss() {
        let text = "blue Kh5 Pd7/N Pa2 Pb2 Pc2; red Kh8 Rc8; black Ka5; yellow Kh1 Pb6; turn blue";
        let switches = Switches { promotion_needs_a_lost_pawn: true, ..Switches::default() };
        let start = position(text, switches);
        let mut waiting = start.clone();
        let first = waiting.parse_move("Pd7-d8").expect("it steps onto the line and stays a pawn");
        let first_undo = waiting.play(first);
        // The first lost pawn of the army promotes the one that waits.
        let second = waiting.parse_move("Rc8xc2").expect("the rook takes a pawn");
        let second_undo = waiting.play(second);
        assert!(waiting.to_text().contains("Kh5 Nd8"), "{}", waiting.to_text());
        waiting.unplay(second, second_undo);
        assert!(waiting.to_text().contains("Pd8/N"), "{}", waiting.to_text());
        waiting.unplay(first, first_undo);
        assert_eq!(waiting, start);
        // With three pawns there is nothing to wait for.
        let three = position(&text.replace(" Pc2", ""), switches);
        assert!(three.legal_move_texts().contains(&"Pd7-d8=N".to_owned()));
    }

    #[test]
    fn counting_agrees_with_listing_where_promotion_has_choices() {
        let privileged =
            position("blue Kh5 Pd7/N; red Kh8 Ne8; black Ka8; yellow Kh1; turn blue", Switches::default());
        assert_eq!(privileged.count_moves(), privileged.legal_move_texts().len() as u64);
        assert_eq!(privileged.count_moves(), 5 + 8);
    }
}
