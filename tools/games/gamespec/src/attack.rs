//! Reverse tables: for each square the lines along which it may be attacked. A rule whose attack
//! depends on nothing but the pieces in between goes into `lines`; the rest is asked with care.

use std::collections::{BTreeMap, HashMap};

use super::compile::{Compiler, attacks};
use super::model::{Condition, MoveDef, Occupancy, Offset, Until};
use super::tables::{CareLine, Line, Range};

pub(super) struct Attacks {
    pub line_starts: Vec<u32>,
    pub lines: Vec<Line>,
    pub reach: Vec<u8>,
    pub care_lines: Vec<CareLine>,
    pub careful: Vec<bool>,
}

/// An attacking rule that needs no care.
struct Plain<'s> {
    kind: u16,
    player: usize,
    def: &'s MoveDef,
}

impl Attacks {
    pub fn gather(compiler: &mut Compiler<'_>) -> Attacks {
        let spec = compiler.spec;
        let mut plain: BTreeMap<Offset, Vec<Plain<'_>>> = BTreeMap::new();
        let mut care: BTreeMap<Offset, Vec<(u16, u16)>> = BTreeMap::new();
        let mut careful = vec![false; spec.players.len()];
        for (number, kind) in compiler.kinds.iter().enumerate().filter(|(_, kind)| kind.rays.is_some()) {
            let player = usize::from(kind.owner);
            let moves = &spec.pieces[usize::from(kind.piece)].moves;
            for (index, def) in moves.iter().enumerate().filter(|(_, def)| attacks(def)) {
                let step = spec.players[player].direction.turn(def.step);
                if is_plain(def) {
                    plain.entry(step).or_default().push(Plain { kind: number as u16, player, def });
                } else {
                    care.entry(step).or_default().push((number as u16, kind.first_rule + index as u16));
                    for (other, careful) in careful.iter_mut().enumerate() {
                        *careful |= other != player;
                    }
                }
            }
        }
        let back: Vec<(Vec<Range>, Vec<Plain<'_>>)> =
            plain.into_iter().map(|(step, rules)| (back_paths(compiler, step), rules)).collect();
        let care_lines = care
            .into_iter()
            .map(|(step, rules)| CareLine { back: back_paths(compiler, step), rules })
            .collect();

        let mut line_starts = vec![0];
        let mut lines = Vec::new();
        let mut reach = Vec::new();
        let mut blocks: HashMap<Vec<u8>, u32> = HashMap::new();
        for square in 0..compiler.squares {
            for (back, rules) in back.iter().filter(|(back, _)| back[square].length > 0) {
                let path = back[square];
                let mut block = vec![0u8; compiler.kinds.len()];
                for rule in rules {
                    let entry = &mut block[usize::from(rule.kind)];
                    *entry = (*entry).max(reach_of(compiler, rule, square, path));
                }
                let length = block.iter().copied().max().unwrap_or(0).min(path.length as u8);
                if length == 0 {
                    continue;
                }
                let block = *blocks.entry(block).or_insert_with_key(|block| {
                    let start = reach.len() as u32;
                    reach.extend(block);
                    start
                });
                lines.push(Line { path: path.start, length: length.into(), block });
            }
            line_starts.push(lines.len() as u32);
        }
        Attacks { line_starts, lines, reach, care_lines, careful }
    }
}

/// From each square, the squares this step comes from, nearest first.
fn back_paths(compiler: &mut Compiler<'_>, step: Offset) -> Vec<Range> {
    let back = Offset { dx: -step.dx, dy: -step.dy };
    compiler.paths.of(compiler.spec, &compiler.holes, back).to_vec()
}

/// Whether an attack by this move hangs on empty squares in between and static zones alone.
fn is_plain(def: &MoveDef) -> bool {
    let enemy = def.actions.iter().filter(|action| action.state == Occupancy::Enemy);
    let conditions = enemy.flat_map(|action| &action.conditions).chain(&def.conditions);
    let settled = conditions.into_iter().all(|condition| match condition {
        // Inside an attack these two count as true.
        Condition::NotAttacked | Condition::PathNotAttacked | Condition::InZone(_) => true,
        Condition::PathEmpty => def.step.span() == 1,
        _ => false,
    });
    let walks = match def.repeat {
        Some(repeat) if repeat.times != Some(1) => repeat.until == Until::NotEmpty,
        _ => true,
    };
    settled && walks
}

/// From how far this rule reaches the square along its line.
fn reach_of(compiler: &Compiler<'_>, rule: &Plain<'_>, square: usize, path: Range) -> u8 {
    let enemy = rule.def.actions.iter().filter(|action| action.state == Occupancy::Enemy);
    let conditions = enemy.flat_map(|action| &action.conditions).chain(&rule.def.conditions);
    for condition in conditions {
        if let Condition::InZone(zone) = condition
            && !compiler.in_zone(*zone, rule.player, square)
        {
            return 0;
        }
    }
    let times = match rule.def.repeat {
        None => 1,
        Some(repeat) => repeat.times.unwrap_or(u32::MAX),
    };
    times.min(path.length) as u8
}
