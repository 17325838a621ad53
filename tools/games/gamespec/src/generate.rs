//! Candidates, conditions, attack sets and leader safety, over the tables.
//! Knows nothing of names, texts or files.

use super::model::Occupancy;
use super::position::{Move, Position};
use super::tables::{Op, Range, Ray};

/// The context in which conditions are evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A move to be played.
    Play,
    /// An attack: tests of attacks inside it count as true (reading G11).
    Attack,
}

/// A landing of a ray: what its conditions are asked about.
#[derive(Clone, Copy)]
struct Landing {
    from: usize,
    to: usize,
    /// Which repetition of the step, from 1.
    step: usize,
    owner_tag: u32,
}

/// Which moves of a player need no test of leader safety.
struct Safety {
    /// Every move must be tested.
    strict: bool,
    /// Squares of pieces whose leaving may open a line to a leader.
    pinned: [u64; 16],
}

impl Position {
    /// Appends every legal move: by square, then definition, then distance, then option.
    pub fn generate(&mut self, moves: &mut Vec<Move>) {
        if self.winner.is_some() {
            return;
        }
        let start = moves.len();
        let player = self.player();
        for square in self.squares_of(&self.own, player) {
            self.candidates(square, moves);
        }
        if self.tables.spec.leader.is_none() {
            return;
        }
        let Safety { strict, pinned } = self.safety(player);
        let mut kept = start;
        for i in start..moves.len() {
            let mv = moves[i];
            let square = usize::from(mv.from);
            let asked = strict
                || pinned[square / 64] >> (square % 64) & 1 != 0
                || self.tables.rules[usize::from(mv.rule)].tested;
            if !asked || self.is_safe(mv) {
                moves[kept] = mv;
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// Whether a candidate is legal: no own leader hangs after it, or it takes another's leader.
    pub(super) fn is_safe(&mut self, mv: Move) -> bool {
        let player = self.player();
        let undo = self.change(mv);
        let safe = self.beheaded || !self.is_leader_attacked(player);
        self.revert(mv, undo);
        safe
    }

    /// Whether some leader of this player is in another player's attack set.
    pub fn is_leader_attacked(&self, player: usize) -> bool {
        self.squares_of(&self.leaders, player).any(|square| self.is_attacked(square, player))
    }

    /// Finds out, once for all moves of a position, which of them need a test. Where only pieces in
    /// between matter to attacks, a piece on no line to a leader can move as it likes.
    fn safety(&self, player: usize) -> Safety {
        let mut safety = Safety { strict: false, pinned: [0; 16] };
        let tables = &*self.tables;
        if tables.careful[player] {
            safety.strict = tables.spec.leader.is_some();
            return safety;
        }
        let tag = player as u32 + 1;
        for leader in self.squares_of(&self.leaders, player) {
            for line in tables.lines_to(leader) {
                let path = tables.path_of(line.path, line.length);
                let mut shield = None;
                for (i, &square) in path.iter().enumerate() {
                    let occupant = self.board[usize::from(square)];
                    if occupant.is_none() {
                        continue;
                    }
                    if occupant.owner_tag() == tag {
                        if shield.is_some() {
                            break;
                        }
                        shield = Some(usize::from(square));
                        continue;
                    }
                    if usize::from(tables.reach[line.block as usize + occupant.kind()]) > i {
                        let Some(shield) = shield else {
                            safety.strict = true;
                            return safety;
                        };
                        safety.pinned[shield / 64] |= 1 << (shield % 64);
                    }
                    break;
                }
            }
        }
        safety
    }

    /// Whether a square is in the attack set of anybody but this player.
    pub(super) fn is_attacked(&self, square: usize, player: usize) -> bool {
        let tables = &*self.tables;
        let tag = player as u32 + 1;
        for line in tables.lines_to(square) {
            let path = tables.path_of(line.path, line.length);
            for (i, &from) in path.iter().enumerate() {
                let occupant = self.board[usize::from(from)];
                if occupant.is_none() {
                    continue;
                }
                if occupant.owner_tag() != tag
                    && usize::from(tables.reach[line.block as usize + occupant.kind()]) > i
                {
                    return true;
                }
                break;
            }
        }
        tables.careful[player] && self.is_attacked_with_care(square, tag)
    }

    /// The attacks that ask conditions or walk over pieces.
    fn is_attacked_with_care(&self, square: usize, tag: u32) -> bool {
        let tables = &*self.tables;
        tables.care_lines.iter().any(|line| {
            let path = line.back[square].of(&tables.paths);
            path.iter().enumerate().any(|(i, &from)| {
                let occupant = self.board[usize::from(from)];
                if !occupant.is_some() || occupant.owner_tag() == tag {
                    return false;
                }
                let kind = occupant.kind() as u16;
                let first = line.rules.partition_point(|&(other, _)| other < kind);
                line.rules[first..]
                    .iter()
                    .take_while(|&&(other, _)| other == kind)
                    .any(|&(_, rule)| self.reaches(usize::from(from), rule, i + 1, occupant.owner_tag()))
            })
        })
    }

    /// Whether the piece on `from` attacks, by this rule, the landing of this step.
    fn reaches(&self, from: usize, rule: u16, step: usize, owner_tag: u32) -> bool {
        let Some(ray) = self.ray_of(from, rule) else { return false };
        if !ray.mask.has(Occupancy::Enemy) || usize::from(ray.length) < step {
            return false;
        }
        let path = self.tables.path_of(ray.path, ray.length);
        let passes = path[..step - 1]
            .iter()
            .all(|&square| !ray.stops.has(self.board[usize::from(square)].occupancy_for(owner_tag)));
        let landing = Landing { from, to: usize::from(path[step - 1]), step, owner_tag };
        passes && self.passes(ray, Occupancy::Enemy, landing, Purpose::Attack)
    }

    /// Whether the piece on `from` attacks a square.
    pub(super) fn piece_attacks(&self, from: usize, square: usize) -> bool {
        let occupant = self.board[from];
        self.tables.rays_of(occupant.kind(), from).iter().any(|ray| {
            let path = self.tables.path_of(ray.path, ray.length);
            let index = path.iter().position(|&landing| usize::from(landing) == square);
            index.is_some_and(|index| self.reaches(from, ray.rule, index + 1, occupant.owner_tag()))
        })
    }

    fn ray_of(&self, from: usize, rule: u16) -> Option<&Ray> {
        let rays = self.tables.rays_of(self.board[from].kind(), from);
        let index = rays.binary_search_by_key(&rule, |ray| ray.rule).ok()?;
        Some(&rays[index])
    }

    /// Candidates of the piece on a square (steps 1 to 5), leader safety not asked.
    pub(super) fn candidates(&self, from: usize, moves: &mut Vec<Move>) {
        let tables = &*self.tables;
        let occupant = self.board[from];
        let owner_tag = occupant.owner_tag();
        for ray in tables.rays_of(occupant.kind(), from) {
            if ray.length == 1 {
                let occupancy = self.board[usize::from(ray.first)].occupancy_for(owner_tag);
                if ray.mask.has(occupancy) {
                    let landing = Landing { from, to: usize::from(ray.first), step: 1, owner_tag };
                    self.land(ray, occupancy, landing, moves);
                }
                continue;
            }
            for (i, &to) in tables.path_of(ray.path, ray.length).iter().enumerate() {
                let occupancy = self.board[usize::from(to)].occupancy_for(owner_tag);
                if ray.mask.has(occupancy) {
                    let landing = Landing { from, to: usize::from(to), step: i + 1, owner_tag };
                    self.land(ray, occupancy, landing, moves);
                }
                if ray.stops.has(occupancy) {
                    break;
                }
            }
        }
    }

    #[inline]
    fn land(&self, ray: &Ray, occupancy: Occupancy, landing: Landing, moves: &mut Vec<Move>) {
        let mv = Move { from: landing.from as u16, to: landing.to as u16, rule: ray.rule, option: 0 };
        if ray.plain.has(occupancy) {
            moves.push(mv);
        } else if self.passes(ray, occupancy, landing, Purpose::Play) {
            match self.transform_options(ray, landing) {
                Some(options) => {
                    let options = options.of(&self.tables.options);
                    moves.extend(options.iter().map(|&option| Move { option: option + 1, ..mv }));
                }
                None => moves.push(mv),
            }
        }
    }

    /// The options of the first modifier that fires.
    fn transform_options(&self, ray: &Ray, landing: Landing) -> Option<Range> {
        let program = &self.tables.programs[ray.program as usize];
        let mut transforms = program.modifiers.of(&self.tables.transforms).iter();
        transforms
            .find(|transform| self.holds(transform.guard, landing, Purpose::Play))
            .map(|first| first.options)
    }

    #[inline]
    fn passes(&self, ray: &Ray, occupancy: Occupancy, landing: Landing, purpose: Purpose) -> bool {
        let program = &self.tables.programs[ray.program as usize];
        self.holds(program.guards[occupancy as usize], landing, purpose)
    }

    fn holds(&self, guard: Range, landing: Landing, purpose: Purpose) -> bool {
        guard.of(&self.tables.ops).iter().all(|&op| self.op_holds(op, landing, purpose))
    }

    fn op_holds(&self, op: Op, landing: Landing, purpose: Purpose) -> bool {
        let tables = &*self.tables;
        let occupant_at = |square: u16| self.board[usize::from(square)];
        let player = landing.owner_tag as usize - 1;
        match op {
            Op::Unmoved => self.board[landing.from].is_unmoved(),
            Op::OwnUnmovedAt(square) => {
                let occupant = occupant_at(square);
                occupant.owner_tag() == landing.owner_tag && occupant.is_unmoved()
            }
            Op::OwnUnmovedOrNoneAt(square) => {
                let occupant = occupant_at(square);
                occupant.is_none() || occupant.owner_tag() == landing.owner_tag && occupant.is_unmoved()
            }
            Op::Flag { square, flag } => {
                let square = usize::from(square);
                self.flags[square * tables.spec.flags.len() + usize::from(flag)] >= self.now
            }
            Op::EmptyAt(square) => occupant_at(square).is_none(),
            Op::PathEmpty { delta, count } => {
                let back = |i: u16| landing.to as isize - isize::from(delta) * i as isize;
                (1..=count).all(|i| self.board[back(i) as usize].is_none())
            }
            Op::NotAttacked => purpose == Purpose::Attack || !self.is_attacked(landing.to, player),
            Op::PathNotAttacked { delta, span } => {
                let last = landing.step * usize::from(span);
                let at = |i: usize| (landing.from as isize + isize::from(delta) * i as isize) as usize;
                purpose == Purpose::Attack || !(0..=last).any(|i| self.is_attacked(at(i), player))
            }
            Op::InZone(zone) => tables.in_zone(zone, landing.to),
            Op::DependsOn(rule) => self.has_candidate(landing.from, rule, landing.owner_tag, purpose),
        }
    }

    /// Whether a rule of the piece on `from` has a candidate.
    fn has_candidate(&self, from: usize, rule: u16, owner_tag: u32, purpose: Purpose) -> bool {
        let Some(ray) = self.ray_of(from, rule) else { return false };
        for (i, &to) in self.tables.path_of(ray.path, ray.length).iter().enumerate() {
            let occupancy = self.board[usize::from(to)].occupancy_for(owner_tag);
            let landing = Landing { from, to: usize::from(to), step: i + 1, owner_tag };
            if ray.mask.has(occupancy)
                && (ray.plain.has(occupancy) || self.passes(ray, occupancy, landing, purpose))
            {
                return true;
            }
            if ray.stops.has(occupancy) {
                return false;
            }
        }
        false
    }
}
