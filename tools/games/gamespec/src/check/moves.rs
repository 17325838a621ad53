//! Checks of move definitions: actions, conditions, modifiers, side effects, repetition, and the
//! order that `DEPENDS_ON` demands.

use std::collections::HashMap;

use tempo_diagnostics::Span;
use tempo_json::{Document, Node};

use super::names::quote;
use super::report::Code;
use super::walk::Walker;
use super::{CONDITIONS, UNTIL, limits};
use crate::model::{
    Action, Condition, Effect, Extension, Modifier, MoveDef, Occupancy, Offset, Repeat, Spec, Until,
};

/// The move list of one piece, while it is walked.
struct Piece {
    /// The first move with each id.
    ids: HashMap<i64, usize>,
    /// `DEPENDS_ON` of moves and actions. Those of modifiers ask about candidates and are asked by
    /// none, so they cannot close a ring.
    edges: Vec<Edge>,
}

struct Edge {
    from: usize,
    to: usize,
    pointer: String,
    span: Span,
}

/// Where a condition stands.
#[derive(Clone, Copy)]
enum Guard {
    /// In the move of this index, or in one of its actions.
    Move(usize),
    Modifier,
}

pub(super) fn walk_moves(walker: &mut Walker<'_>, node: &Node<'_>) -> Vec<MoveDef> {
    let mut piece = Piece { ids: HashMap::new(), edges: Vec::new() };
    walker.limit(node, "move", limits::MOVES);
    for (i, node) in node.items().unwrap_or_default().iter().enumerate() {
        if let Some(id) = node.get("id").and_then(Node::whole) {
            piece.ids.entry(id).or_insert(i);
        }
    }
    let mut moves = Vec::new();
    walker.each(node, |walker, i, node| moves.push(walk_move(walker, node, i, &mut piece)));
    check_dependencies(walker, moves.len(), &piece.edges);
    moves.into_iter().flatten().collect()
}

const MOVE: &[&str] = &["id", "step", "actions", "conditions", "modifiers", "side_effects", "repeat"];

fn walk_move(walker: &mut Walker<'_>, node: &Node<'_>, i: usize, piece: &mut Piece) -> Option<MoveDef> {
    if !walker.object(node, MOVE) {
        return None;
    }
    let id = walker.required(node, "id", |walker, node| {
        let id = walker.whole(node)?;
        if piece.ids.get(&id).is_some_and(|&first| first != i) {
            let message = format!("this piece already has a move with the id {id}");
            walker.fault(node, Code::DuplicateMoveId, message);
        }
        Some(id)
    });
    let step = walker.required(node, "step", |walker, node| {
        let step = walker.offset(node)?;
        if step == Offset::HERE {
            walker.fault(node, Code::ZeroStep, "a step must lead to another square".into());
        }
        Some(step)
    });
    let actions = walker.required(node, "actions", |walker, node| walk_actions(walker, node, i, piece));
    let conditions = walk_conditions(walker, node, Guard::Move(i), piece);
    let modifiers = walker.optional(node, "modifiers", |walker, node| {
        let mut modifiers = Vec::new();
        walker.limit(node, "modifier", limits::LIST);
        walker.each(node, |walker, _, node| modifiers.extend(walk_modifier(walker, node, piece)));
        modifiers
    });
    let effects = walk_effects(walker, node);
    let repeat = walker.optional(node, "repeat", walk_repeat).flatten();
    Some(MoveDef {
        id: id.flatten()?,
        step: step.flatten()?,
        actions: actions?,
        conditions,
        modifiers: modifiers.unwrap_or_default(),
        effects,
        repeat,
    })
}

fn walk_actions(walker: &mut Walker<'_>, node: &Node<'_>, i: usize, piece: &mut Piece) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    walker.list(node, "action", limits::LIST);
    walker.each(node, |walker, _, node| {
        if !walker.object(node, &["state", "action", "conditions", "side_effects"]) {
            return;
        }
        let state = walker.required(node, "state", |walker, value| {
            let word = walker.text(value)?;
            let state = occupancy(word);
            if state.is_none() {
                let hint = walker.hint(word, ["EMPTY", "ENEMY", "ALLY"]);
                let message = format!("a square is EMPTY, ENEMY or ALLY, not {}{hint}", quote(word));
                walker.fault(value, Code::UnknownState, message);
            } else if seen.contains(&word) {
                let message = format!("this move already has an action for {word} squares");
                walker.fault(value, Code::DuplicateActionState, message);
            }
            seen.extend(node.get("state").and_then(Node::text));
            state
        });
        let moves = walker.required(node, "action", |walker, node| match walker.text(node)? {
            "MOVE" => Some(true),
            "CAPTURE" => Some(false),
            word => {
                let hint = walker.hint(word, ["MOVE", "CAPTURE"]);
                let message = format!("an action is MOVE or CAPTURE, not {}{hint}", quote(word));
                walker.fault(node, Code::UnknownAction, message);
                None
            }
        });
        if let (Some(Some(state)), Some(Some(moves))) = (state, moves)
            && moves != (state == Occupancy::Empty)
        {
            let message = if moves {
                "MOVE goes with EMPTY; on an ENEMY or ALLY square the action is CAPTURE"
            } else {
                "CAPTURE goes with ENEMY or ALLY; on an EMPTY square the action is MOVE"
            };
            walker.fault(node, Code::ActionStateMismatch, message.into());
        }
        let conditions = walk_conditions(walker, node, Guard::Move(i), piece);
        let effects = walk_effects(walker, node);
        actions.extend(state.flatten().map(|state| Action { state, conditions, effects }));
    });
    actions
}

fn occupancy(word: &str) -> Option<Occupancy> {
    match word {
        "EMPTY" => Some(Occupancy::Empty),
        "ENEMY" => Some(Occupancy::Enemy),
        "ALLY" => Some(Occupancy::Ally),
        _ => None,
    }
}

fn walk_modifier(walker: &mut Walker<'_>, node: &Node<'_>, piece: &mut Piece) -> Option<Modifier> {
    if !walker.object(node, &["action", "conditions", "options"]) {
        return None;
    }
    walker.required(node, "action", |walker, node| {
        let word = walker.text(node)?;
        if word != "TRANSFORM" {
            let hint = walker.hint(word, ["TRANSFORM"]);
            let message = format!("the only modifier is TRANSFORM, not {}{hint}", quote(word));
            walker.fault(node, Code::UnknownModifier, message);
        }
        Some(())
    });
    let conditions = walk_conditions(walker, node, Guard::Modifier, piece);
    let options = walker.required(node, "options", |walker, node| {
        let mut options = Vec::new();
        walker.list(node, "option", limits::LIST);
        walker.each(node, |walker, _, node| options.extend(walker.piece(node)));
        options
    });
    Some(Modifier { conditions, options: options? })
}

fn walk_conditions(
    walker: &mut Walker<'_>,
    owner: &Node<'_>,
    guard: Guard,
    piece: &mut Piece,
) -> Vec<Condition> {
    let mut conditions = Vec::new();
    walker.optional(owner, "conditions", |walker, node| {
        walker.limit(node, "condition", limits::LIST);
        walker.each(node, |walker, _, node| conditions.extend(walk_condition(walker, node, guard, piece)));
    });
    conditions
}

const CONDITION: &[&str] = &["condition", "move_id", "state", "position", "positions"];

fn walk_condition(
    walker: &mut Walker<'_>,
    node: &Node<'_>,
    guard: Guard,
    piece: &mut Piece,
) -> Option<Condition> {
    if !walker.object(node, CONDITION) {
        return None;
    }
    let position = |walker: &mut Walker<'_>| {
        walker.required(node, "position", |walker, node| walker.offset(node)).flatten()
    };
    match walker.required(node, "condition", |walker, node| walker.text(node)).flatten()? {
        "FIRST_MOVE" => Some(Condition::FirstMove),
        "PATH_EMPTY" => Some(Condition::PathEmpty),
        "NOT_ATTACKED" => Some(Condition::NotAttacked),
        "PATH_NOT_ATTACKED" => Some(Condition::PathNotAttacked),
        "PIECE_FIRST_MOVE" => position(walker).map(Condition::PieceFirstMove),
        "ROOK_FIRST_MOVE" => position(walker).map(Condition::RookFirstMove),
        "CHECK_STATE" => {
            let flag = walker.required(node, "state", |walker, node| walker.flag(node)).flatten();
            let at = position(walker);
            Some(Condition::CheckState { flag: flag?, at: at? })
        }
        "DEPENDS_ON" => walker
            .required(node, "move_id", |walker, node| {
                let id = walker.whole(node)?;
                let Some(&to) = piece.ids.get(&id) else {
                    let message = format!("this piece has no move with the id {id}");
                    walker.fault(node, Code::UnknownMoveId, message);
                    return None;
                };
                if let Guard::Move(from) = guard {
                    let pointer = walker.pointer().to_owned();
                    piece.edges.push(Edge { from, to, pointer, span: node.span });
                }
                Some(Condition::DependsOn(to))
            })
            .flatten(),
        "EMPTY_AT" if walker.names.extensions.contains(&Extension::EmptyAt) => {
            walker.required(node, "positions", |walker, node| {
                let mut offsets = Vec::new();
                walker.list(node, "position", limits::LIST);
                walker.each(node, |walker, _, node| offsets.extend(walker.offset(node)));
                Condition::EmptyAt(offsets)
            })
        }
        name => named_condition(walker, node, name),
    }
}

fn named_condition(walker: &mut Walker<'_>, node: &Node<'_>, name: &str) -> Option<Condition> {
    let (code, message) = match walker.names.conditions.get(name) {
        Some(Some(zone)) => return Some(Condition::InZone(*zone)),
        Some(None) => {
            let message = format!("{} is a STATE condition; only POSITION conditions can guard", quote(name));
            (Code::UnsupportedCondition, message)
        }
        None if Extension::ALL.iter().any(|(known, _)| *known == name) => {
            let message = format!("{name} is an extension: add \"extensions\": [\"{name}\"] to the game");
            (Code::UnknownCondition, message)
        }
        None => {
            let mut known: Vec<&str> = walker.names.conditions.keys().copied().collect();
            known.extend(CONDITIONS);
            let hint = walker.hint(name, known);
            (Code::UnknownCondition, format!("no condition is called {}{hint}", quote(name)))
        }
    };
    walker.optional(node, "condition", |walker, node| walker.fault(node, code, message));
    None
}

fn walk_effects(walker: &mut Walker<'_>, owner: &Node<'_>) -> Vec<Effect> {
    let mut effects = Vec::new();
    walker.optional(owner, "side_effects", |walker, node| {
        walker.limit(node, "side effect", limits::LIST);
        walker.each(node, |walker, _, node| effects.extend(walk_effect(walker, node)));
    });
    effects
}

fn walk_effect(walker: &mut Walker<'_>, node: &Node<'_>) -> Option<Effect> {
    if !walker.object(node, &["action", "state", "duration", "target", "piece", "from", "to"]) {
        return None;
    }
    let offset = |walker: &mut Walker<'_>, key: &str| {
        walker.required(node, key, |walker, node| walker.offset(node)).flatten()
    };
    match walker.required(node, "action", |walker, node| walker.text(node)).flatten()? {
        "SET_STATE" => {
            let flag = walker.required(node, "state", |walker, node| walker.flag(node)).flatten();
            let duration = walker.optional(node, "duration", |walker, node| {
                let turns = walker.whole(node)?;
                if turns < 1 {
                    let message =
                        format!("a duration is at least one turn, not {turns}; leave it out for good");
                    walker.fault(node, Code::BadDuration, message);
                }
                // No one plays four thousand million turns: longer is for good.
                u32::try_from(turns).ok()
            });
            Some(Effect::SetState { flag: flag?, duration: duration.flatten() })
        }
        "CAPTURE" => Some(Effect::Capture { target: offset(walker, "target")? }),
        "MOVE" => {
            let piece = walker.optional(node, "piece", |walker, node| walker.piece(node));
            let (from, to) = (offset(walker, "from"), offset(walker, "to"));
            Some(Effect::Move { from: from?, to: to?, piece: piece.flatten() })
        }
        word => {
            let hint = walker.hint(word, ["SET_STATE", "CAPTURE", "MOVE"]);
            let message = format!("a side effect is SET_STATE, CAPTURE or MOVE, not {}{hint}", quote(word));
            walker.optional(node, "action", |walker, node| {
                walker.fault(node, Code::UnknownSideEffect, message);
            });
            None
        }
    }
}

fn walk_repeat(walker: &mut Walker<'_>, node: &Node<'_>) -> Option<Repeat> {
    if !walker.object(node, &["until", "loop", "times"]) {
        return None;
    }
    let until = walker.optional(node, "until", |walker, node| {
        let word = walker.text(node)?;
        match (word, walker.names.conditions.get(word)) {
            ("NOT_EMPTY", _) => Some(Until::NotEmpty),
            (_, Some(Some(zone))) => Some(Until::InZone(*zone)),
            _ if occupancy(word).is_some() => occupancy(word).map(Until::Is),
            (_, Some(None)) => {
                let message =
                    format!("{} is a STATE condition; until takes a POSITION condition", quote(word));
                walker.fault(node, Code::UnknownUntil, message);
                None
            }
            _ => {
                let mut known: Vec<&str> = walker.names.conditions.keys().copied().collect();
                known.extend(UNTIL);
                let hint = walker.hint(word, known);
                let message = format!(
                    "until is NOT_EMPTY, EMPTY, ENEMY, ALLY or a POSITION condition, not {}{hint}",
                    quote(word)
                );
                walker.fault(node, Code::UnknownUntil, message);
                None
            }
        }
    });
    let endless = walker.optional(node, "loop", |walker, node| walker.bool(node)).flatten().unwrap_or(false);
    let times = walker.optional(node, "times", |walker, node| {
        let times = walker.whole(node)?;
        if times < 1 {
            let message = format!("a step is taken at least once, not {times} times");
            walker.fault(node, Code::BadTimes, message);
        } else if endless {
            let message = "times has no meaning beside \"loop\": true".to_owned();
            walker.warning(node, Code::IdleTimes, message);
        }
        Some(u32::try_from(times).unwrap_or(u32::MAX))
    });
    let times = if endless { None } else { Some(times.flatten().unwrap_or(1)) };
    Some(Repeat { times, until: until.flatten().unwrap_or(Until::NotEmpty) })
}

/// Rings are faults, and so are dependencies that would be asked without end in practice.
fn check_dependencies(walker: &mut Walker<'_>, moves: usize, edges: &[Edge]) {
    if edges.is_empty() {
        return;
    }
    let ring = rings(moves, edges);
    let mut acyclic = true;
    for edge in edges.iter().filter(|edge| ring[edge.from] == ring[edge.to]) {
        let message = "this move depends on itself, by way of the moves its DEPENDS_ON names".to_owned();
        walker.fault_at(&edge.pointer, edge.span, Code::DependencyCycle, message);
        acyclic = false;
    }
    if !acyclic {
        return;
    }
    // Rings are numbered so that a move comes after everything it depends on.
    let mut order: Vec<usize> = (0..moves).collect();
    order.sort_by_key(|&index| ring[index]);
    let mut from: Vec<Vec<&Edge>> = (0..moves).map(|_| Vec::new()).collect();
    for edge in edges {
        from[edge.from].push(edge);
    }
    let mut cost = vec![1u64; moves];
    for index in order {
        for edge in &from[index] {
            cost[index] = cost[index].saturating_add(cost[edge.to]);
        }
        if cost[index] > limits::DEPENDENCIES {
            let edge = from[index][0];
            let message = format!("this move depends on more than {} others in all", limits::DEPENDENCIES);
            walker.fault_at(&edge.pointer, edge.span, Code::TooLarge, message);
            return;
        }
    }
}

/// Numbers the strongly connected components (Tarjan), those depended on first. A move that
/// depends on itself directly is its own component, as is one on no ring: the caller's filter
/// compares the ends of an edge, which a lone move's edges never share.
fn rings(moves: usize, edges: &[Edge]) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); moves];
    for edge in edges {
        next[edge.from].push(edge.to);
    }
    const NONE: usize = usize::MAX;
    let mut index = vec![NONE; moves];
    let mut low = vec![0; moves];
    let mut ring = vec![NONE; moves];
    let (mut counter, mut found) = (0, 0);
    let mut stack = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    for root in 0..moves {
        if index[root] != NONE {
            continue;
        }
        calls.push((root, 0));
        while let Some((at, child)) = calls.pop() {
            if child == 0 {
                index[at] = counter;
                low[at] = counter;
                counter += 1;
                stack.push(at);
            }
            if let Some(&to) = next[at].get(child) {
                calls.push((at, child + 1));
                if index[to] == NONE {
                    calls.push((to, 0));
                } else if ring[to] == NONE {
                    low[at] = low[at].min(index[to]);
                }
                continue;
            }
            if low[at] == index[at] {
                while let Some(member) = stack.pop() {
                    ring[member] = found;
                    if member == at {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[at]);
            }
        }
    }
    ring
}

/// Refuses a game whose tables would not fit: counted, not built.
pub(super) fn limit_size(walker: &mut Walker<'_>, spec: &Spec, document: &Document<'_>) {
    let (mut rays, mut rules) = (0usize, 0usize);
    for player in 0..spec.players.len() {
        let reachable = spec.reachable(player);
        for (piece, _) in spec.pieces.iter().zip(&reachable).filter(|(_, reachable)| **reachable) {
            rays = rays.saturating_add(piece.moves.len().saturating_mul(spec.squares()));
            rules = rules.saturating_add(piece.moves.len());
        }
    }
    let kinds = spec.players.len() * spec.pieces.len();
    if rays > limits::RAYS || kinds.max(rules) >= usize::from(u16::MAX) {
        let message = format!(
            "players times pieces make {kinds} kinds, {rules} rules and {rays} table entries; this engine takes 65534, 65534 \
             and {}",
            limits::RAYS
        );
        walker.fault_at("/pieces", document.span_of("/pieces"), Code::TooLarge, message);
    }
}
