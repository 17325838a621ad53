//! From a checked spec to tables. Runs once for each game, in about the time of reading the file.
//! Knows the format's meaning as far as it does not depend on a position.

use std::collections::HashMap;
use std::hash::Hash;

use super::attack;
use super::model::{Condition, Effect, MoveDef, Occupancy, Offset, Spec, Until};
use super::tables::{Change, Kind, Mask, Op, Program, Range, Ray, Rule, Tables, Transform};
use tempo_boardgame::Square;

/// Compiles a game.
pub fn compile(spec: &Spec) -> Tables {
    let mut compiler = Compiler::new(spec);
    compiler.add_kinds();
    let attacks = attack::Attacks::gather(&mut compiler);
    let order = spec.order.iter().map(|&player| player as u8).collect();
    let mut tables = Tables {
        spec: spec.clone(),
        squares: compiler.squares,
        words: compiler.words,
        order,
        kinds: compiler.kinds,
        ray_starts: compiler.ray_starts,
        rays: compiler.rays,
        paths: compiler.paths.arena,
        programs: compiler.programs.arena,
        ops: compiler.ops.arena,
        transforms: compiler.transforms.arena,
        options: compiler.options.arena,
        rules: compiler.rules,
        changes: compiler.changes,
        zones: compiler.zones,
        line_starts: attacks.line_starts,
        lines: attacks.lines,
        reach: attacks.reach,
        care_lines: attacks.care_lines,
        careful: attacks.careful,
    };
    super::value::appraise(&mut tables);
    tables
}

/// Stretches of equal content are stored once.
#[derive(Debug)]
struct Pool<T> {
    arena: Vec<T>,
    known: HashMap<Vec<T>, Range>,
}

impl<T: Copy + Eq + Hash> Pool<T> {
    fn new() -> Pool<T> {
        Pool { arena: Vec::new(), known: HashMap::new() }
    }

    fn store(&mut self, items: Vec<T>) -> Range {
        if items.is_empty() {
            return Range::default();
        }
        let arena = &mut self.arena;
        *self.known.entry(items).or_insert_with_key(|items| {
            let range = Range { start: arena.len() as u32, length: items.len() as u32 };
            arena.extend(items);
            range
        })
    }
}

/// The landings of each step vector from each square. A line of landings is stored once and every
/// square on it points at its tail.
#[derive(Debug, Default)]
pub(super) struct Paths {
    arena: Vec<u16>,
    known: HashMap<Offset, Vec<Range>>,
}

impl Paths {
    /// From each square, the squares that steps of this vector land on before edge or hole.
    pub fn of(&mut self, spec: &Spec, holes: &[bool], vector: Offset) -> &[Range] {
        let arena = &mut self.arena;
        self.known.entry(vector).or_insert_with(|| {
            let back = Offset { dx: -vector.dx, dy: -vector.dy };
            let step = |square: usize, by: Offset| {
                let next = spec.shift(Square(square as u16), by).map(|next| usize::from(next.0));
                next.filter(|&next| !holes[next])
            };
            let mut paths = vec![Range::default(); holes.len()];
            for head in (0..holes.len()).filter(|&head| !holes[head] && step(head, back).is_none()) {
                let mut line = vec![head];
                while let Some(next) = step(line[line.len() - 1], vector) {
                    line.push(next);
                }
                let start = arena.len();
                arena.extend(line[1..].iter().map(|&square| square as u16));
                for (i, &square) in line.iter().enumerate() {
                    let length = (line.len() - 1 - i) as u32;
                    paths[square] = Range { start: (start + i) as u32, length };
                }
            }
            paths
        })
    }

    pub fn squares(&self, range: Range) -> &[u16] {
        range.of(&self.arena)
    }
}

pub(super) struct Compiler<'s> {
    pub spec: &'s Spec,
    pub squares: usize,
    pub words: usize,
    pub holes: Vec<bool>,
    pub kinds: Vec<Kind>,
    pub paths: Paths,
    pub zones: Vec<u64>,
    ray_starts: Vec<u32>,
    rays: Vec<Ray>,
    rules: Vec<Rule>,
    programs: Pool<Program>,
    ops: Pool<Op>,
    transforms: Pool<Transform>,
    options: Pool<u16>,
    changes: Vec<Change>,
}

/// Whose move from where: what a condition is settled against.
struct Place<'a> {
    player: usize,
    first_rule: u16,
    square: usize,
    step: Offset,
    /// The landing, if there is only one.
    landing: Option<usize>,
    def: &'a MoveDef,
}

/// A list of conditions after settling: none if it can never hold.
type Settled = Option<Vec<Op>>;

impl<'s> Compiler<'s> {
    fn new(spec: &'s Spec) -> Compiler<'s> {
        let squares = spec.squares();
        let words = squares.div_ceil(64);
        let mut holes = vec![false; squares];
        for hole in &spec.holes {
            holes[usize::from(hole.0)] = true;
        }
        let mut zones = vec![0; spec.zones.len() * spec.players.len() * words];
        for (z, zone) in spec.zones.iter().enumerate() {
            for (player, list) in zone.squares.iter().enumerate() {
                for square in list.iter().map(|square| usize::from(square.0)) {
                    zones[(z * spec.players.len() + player) * words + square / 64] |= 1 << (square % 64);
                }
            }
        }
        Compiler {
            spec,
            squares,
            words,
            holes,
            kinds: Vec::new(),
            paths: Paths::default(),
            zones,
            ray_starts: Vec::new(),
            rays: Vec::new(),
            rules: Vec::new(),
            programs: Pool::new(),
            ops: Pool::new(),
            transforms: Pool::new(),
            options: Pool::new(),
            changes: Vec::new(),
        }
    }

    /// Offset of a zone of a player in `zones`.
    pub fn zone_of(&self, zone: usize, player: usize) -> u32 {
        ((zone * self.spec.players.len() + player) * self.words) as u32
    }

    pub fn in_zone(&self, zone: usize, player: usize, square: usize) -> bool {
        self.zones[self.zone_of(zone, player) as usize + square / 64] >> (square % 64) & 1 != 0
    }

    fn add_kinds(&mut self) {
        // Kind 0 has no owner, so that a piece is never zero.
        self.kinds.push(Kind {
            owner: 0,
            piece: 0,
            leader: false,
            first_rule: 0,
            rays: None,
            value: 0,
            advances: false,
        });
        for player in 0..self.spec.players.len() {
            let reachable = self.spec.reachable(player);
            for (piece, reachable) in reachable.into_iter().enumerate() {
                let kind = self.kinds.len() as u16;
                let first_rule = self.rules.len() as u16;
                let rays = reachable.then_some(self.ray_starts.len() as u32);
                self.kinds.push(Kind {
                    owner: player as u8,
                    piece: piece as u16,
                    leader: self.spec.leader == Some(piece),
                    first_rule,
                    rays,
                    value: 0,
                    advances: false,
                });
                if reachable {
                    self.add_rules(player, piece, kind);
                    self.add_rays(player, piece, first_rule);
                }
            }
        }
    }

    fn add_rules(&mut self, player: usize, piece: usize, kind: u16) {
        let spec = self.spec;
        for (index, def) in spec.pieces[piece].moves.iter().enumerate() {
            let mut effects = [Range::default(); 3];
            for action in &def.actions {
                let start = self.changes.len() as u32;
                for effect in def.effects.iter().chain(&action.effects) {
                    let change = self.turn_effect(player, effect);
                    self.changes.push(change);
                }
                effects[action.state as usize] = Range { start, length: self.changes.len() as u32 - start };
            }
            let displaces = |effect: &Effect| !matches!(effect, Effect::SetState { .. });
            let all_effects = def.actions.iter().flat_map(|action| &action.effects).chain(&def.effects);
            let options = def.modifiers.iter().flat_map(|modifier| &modifier.options);
            let crowns = options.copied().any(|option| Some(option) == spec.leader);
            let tested = crowns || spec.leader == Some(piece) || all_effects.into_iter().any(displaces);
            let has_effects = effects.iter().any(|range| !range.is_empty());
            self.rules.push(Rule { index: index as u16, kind, effects, tested, has_effects });
        }
    }

    fn turn_effect(&self, player: usize, effect: &Effect) -> Change {
        let turn = |offset: Offset| {
            let Offset { dx, dy } = self.spec.players[player].direction.turn(offset);
            (dx as i16, dy as i16)
        };
        match *effect {
            Effect::SetState { flag, duration } => {
                Change::SetFlag { flag: flag as u16, duration: duration.unwrap_or(u32::MAX) }
            }
            Effect::Capture { target } => {
                let (dx, dy) = turn(target);
                Change::Capture { dx, dy }
            }
            Effect::Move { from, to, piece } => Change::Move {
                from: turn(from),
                to: turn(to),
                piece: piece.map_or(u16::MAX, |piece| piece as u16),
            },
        }
    }

    fn add_rays(&mut self, player: usize, piece: usize, first_rule: u16) {
        let spec = self.spec;
        let direction = spec.players[player].direction;
        for square in 0..self.squares {
            self.ray_starts.push(self.rays.len() as u32);
            if self.holes[square] {
                continue;
            }
            for (index, def) in spec.pieces[piece].moves.iter().enumerate() {
                let step = direction.turn(def.step);
                let path = self.paths.of(spec, &self.holes, step)[square];
                let length = self.walk_length(player, def, path);
                if length == 0 {
                    continue;
                }
                let first = self.paths.squares(path)[0];
                let landing = (length == 1).then_some(usize::from(first));
                let place = Place { player, first_rule, square, step, landing, def };
                let ray = self.settle_ray(&place);
                if let Some((mask, plain, program)) = ray {
                    self.rays.push(Ray {
                        first,
                        length,
                        path: path.start,
                        rule: first_rule + index as u16,
                        mask,
                        plain,
                        stops: stops(def),
                        program,
                    });
                }
            }
        }
        self.ray_starts.push(self.rays.len() as u32);
    }

    /// How many landings a walk has at most: the path, held by `times` and by an `until` zone.
    fn walk_length(&self, player: usize, def: &MoveDef, path: Range) -> u16 {
        let Some(repeat) = def.repeat else { return path.length.min(1) as u16 };
        let length = repeat.times.map_or(path.length, |times| path.length.min(times));
        let zone_ends = |zone: usize| {
            let squares = self.paths.squares(path);
            squares.iter().position(|&square| self.in_zone(zone, player, usize::from(square)))
        };
        match repeat.until {
            Until::InZone(zone) => zone_ends(zone).map_or(length, |last| length.min(last as u32 + 1)) as u16,
            _ => length as u16,
        }
    }

    /// Masks and program of a ray, or none if nothing can ever come of it.
    fn settle_ray(&mut self, place: &Place<'_>) -> Option<(Mask, Mask, u32)> {
        let common = self.settle(place, &place.def.conditions)?;
        let modifiers = self.settle_modifiers(place);
        let mut program = Program { modifiers, ..Program::default() };
        let (mut mask, mut plain) = (Mask::default(), Mask::default());
        for action in &place.def.actions {
            let Some(own) = self.settle(place, &action.conditions) else { continue };
            let mut guard = common.clone();
            guard.extend(own.into_iter().filter(|op| !common.contains(op)));
            mask.insert(action.state);
            if guard.is_empty() && modifiers.is_empty() {
                plain.insert(action.state);
            }
            program.guards[action.state as usize] = self.ops.store(guard);
        }
        if mask == Mask::default() {
            return None;
        }
        Some((mask, plain, self.programs.store(vec![program]).start))
    }

    fn settle_modifiers(&mut self, place: &Place<'_>) -> Range {
        let mut transforms = Vec::new();
        for modifier in &place.def.modifiers {
            let Some(guard) = self.settle(place, &modifier.conditions) else { continue };
            let options = modifier.options.iter().map(|&option| option as u16).collect();
            let certain = guard.is_empty();
            transforms.push(Transform { guard: self.ops.store(guard), options: self.options.store(options) });
            if certain {
                break; // the first that fires hides the rest
            }
        }
        self.transforms.store(transforms)
    }

    fn settle(&self, place: &Place<'_>, conditions: &[Condition]) -> Settled {
        let mut ops = Vec::new();
        for condition in conditions {
            for op in self.settle_one(place, condition)? {
                if !ops.contains(&op) {
                    ops.push(op);
                }
            }
        }
        // Attack questions cost most: ask them last.
        ops.sort_by_key(|op| matches!(op, Op::NotAttacked | Op::PathNotAttacked { .. }));
        Some(ops)
    }

    fn settle_one(&self, place: &Place<'_>, condition: &Condition) -> Settled {
        let span = place.step.span();
        let delta = (place.step.dx / span) + (place.step.dy / span) * self.spec.columns as i32;
        let (delta, span) = (delta as i16, span as u16);
        let at = |offset: Offset| self.shift(place, offset);
        let one = |op| Some(vec![op]);
        match condition {
            Condition::FirstMove => one(Op::Unmoved),
            Condition::DependsOn(index) => one(Op::DependsOn(place.first_rule + *index as u16)),
            Condition::PieceFirstMove(offset) => one(Op::OwnUnmovedAt(at(*offset)?)),
            Condition::RookFirstMove(offset) => {
                Some(at(*offset).map(Op::OwnUnmovedOrNoneAt).into_iter().collect())
            }
            Condition::CheckState { flag, at: offset } => {
                one(Op::Flag { square: at(*offset)?, flag: *flag as u16 })
            }
            Condition::PathEmpty if span == 1 => Some(vec![]),
            Condition::PathEmpty => one(Op::PathEmpty { delta, count: span - 1 }),
            Condition::NotAttacked => one(Op::NotAttacked),
            Condition::PathNotAttacked => one(Op::PathNotAttacked { delta, span }),
            Condition::InZone(zone) => match place.landing {
                Some(landing) => self.in_zone(*zone, place.player, landing).then(Vec::new),
                None => one(Op::InZone(self.zone_of(*zone, place.player))),
            },
            Condition::EmptyAt(offsets) => {
                offsets.iter().map(|&offset| at(offset).map(Op::EmptyAt)).collect()
            }
        }
    }

    /// The square at a neutral offset, if it is one and no hole.
    fn shift(&self, place: &Place<'_>, offset: Offset) -> Option<u16> {
        let turned = self.spec.players[place.player].direction.turn(offset);
        let square = self.spec.shift(Square(place.square as u16), turned)?.0;
        (!self.holes[usize::from(square)]).then_some(square)
    }
}

/// The occupancies that end a walk; zones are settled in its length.
fn stops(def: &MoveDef) -> Mask {
    match def.repeat.map(|repeat| repeat.until) {
        None | Some(Until::NotEmpty) => Mask::OCCUPIED,
        Some(Until::Is(occupancy)) => {
            let mut mask = Mask::default();
            mask.insert(occupancy);
            mask
        }
        Some(Until::InZone(_)) => Mask::default(),
    }
}

/// Whether a move definition has a capture of enemies, which is what attacks are made of.
pub(super) fn attacks(def: &MoveDef) -> bool {
    def.actions.iter().any(|action| action.state == Occupancy::Enemy)
}
