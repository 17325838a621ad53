//! From JSON to a checked spec: every fault at once, each with pointer, code, sentence and place.
//! The document is walked once, top down; what a fault spoils is left out, never guessed.
//! Knows the shape and the names of the format; knows nothing of play.

mod moves;
pub mod names;
mod report;
mod walk;
mod warn;

use std::collections::HashMap;

pub use report::{Code, Finding, Origin, Report};

use tempo_boardgame::Square;
use tempo_diagnostics::Span;
use tempo_json::{self as json, Document, JsonErrorKind, Limits, Node};

use crate::model::{Direction, Extension, MAX_SIDE, Piece, Player, Spec, Zone};
use names::quote;
use walk::Walker;

/// Sizes beyond which a document is refused instead of compiled.
pub mod limits {
    /// Players.
    pub const PLAYERS: usize = 255;
    /// Kinds of piece.
    pub const PIECES: usize = 1024;
    /// Move definitions of one piece.
    pub const MOVES: usize = 1024;
    /// Conditions, effects or modifiers in one list, and options of one modifier.
    pub const LIST: usize = 256;
    /// Named conditions.
    pub const CONDITIONS: usize = 1024;
    /// State flags.
    pub const FLAGS: usize = 64;
    /// Turns in the order.
    pub const ORDER: usize = 65_536;
    /// Move definitions asked, one through the other, by one `DEPENDS_ON`.
    pub const DEPENDENCIES: u64 = 10_000;
    /// Rays in the compiled tables: reachable player and piece pairs, times moves, times squares.
    pub const RAYS: usize = 4 << 20;
}

/// The built-in conditions of the format.
pub const CONDITIONS: [&str; 8] = [
    "FIRST_MOVE",
    "DEPENDS_ON",
    "PIECE_FIRST_MOVE",
    "ROOK_FIRST_MOVE",
    "CHECK_STATE",
    "PATH_EMPTY",
    "NOT_ATTACKED",
    "PATH_NOT_ATTACKED",
];

/// The built-in words for `until`.
pub const UNTIL: [&str; 4] = ["NOT_EMPTY", "EMPTY", "ENEMY", "ALLY"];

/// Checks a text and, if it has no fault, gives the game it describes.
pub fn check(bytes: &[u8]) -> Report {
    match json::parse(bytes, Limits::default()) {
        Ok(document) => check_document(&document),
        Err(err) => {
            let code = match err.kind {
                JsonErrorKind::TooLarge(_) | JsonErrorKind::TooDeep(_) | JsonErrorKind::TooManyValues(_) => {
                    Code::TooLarge
                }
                _ => Code::NotJson,
            };
            let span = Span::new(err.offset, err.offset);
            let fault = Finding::error(code, span, err.to_string());
            Report { spec: None, faults: vec![fault], warnings: vec![] }
        }
    }
}

/// Checks a document that is already parsed.
pub fn check_document(document: &Document<'_>) -> Report {
    let mut walker = Walker::new(Names::collect(&document.root));
    for duplicate in &document.duplicates {
        let key = duplicate.pointer.rsplit('/').next().unwrap_or_default();
        let message = format!("the key {} appears twice in this object; the first one counts", quote(key));
        walker.fault_at(&duplicate.pointer, duplicate.span, Code::DuplicateKey, message);
    }
    let draft = walk_document(&mut walker, &document.root);
    let spec = draft.filter(|_| walker.found.faults.is_empty());
    if let Some(spec) = &spec {
        moves::limit_size(&mut walker, spec, document);
        warn::warn(&mut walker, spec, document);
    }
    let spec = spec.filter(|_| walker.found.faults.is_empty());
    walker.found.into_report(spec)
}

/// The names a reference may mean, read before the walk because references may run ahead.
#[derive(Debug, Default)]
pub(super) struct Names<'d> {
    pub players: HashMap<&'d str, usize>,
    pub pieces: HashMap<&'d str, usize>,
    /// Named conditions: the index of a `POSITION` zone, or none for a `STATE`.
    pub conditions: HashMap<&'d str, Option<usize>>,
    pub extensions: Vec<Extension>,
    /// Whether there is a list of players, and one of pieces: without it, or if it is empty, no name can be judged.
    pub has_players: bool,
    pub has_pieces: bool,
}

impl<'d> Names<'d> {
    fn collect(root: &'d Node<'_>) -> Names<'d> {
        let has = |key| root.get(key).and_then(Node::items).is_some_and(|items| !items.is_empty());
        let mut names = Names { has_players: has("players"), has_pieces: has("pieces"), ..Names::default() };
        let list = |key| root.get(key).and_then(Node::items).unwrap_or_default().iter().enumerate();
        for (i, player) in list("players") {
            if let Some(name) = player.get("name").and_then(Node::text) {
                names.players.entry(name).or_insert(i);
            }
        }
        for (i, piece) in list("pieces") {
            if let Some(code) = piece.get("code").and_then(Node::text) {
                names.pieces.entry(code).or_insert(i);
            }
        }
        let mut zones = 0;
        for (_, condition) in list("conditions") {
            let is_state = condition.get("type").and_then(Node::text) == Some("STATE");
            let zone = (!is_state).then_some(zones);
            zones += usize::from(!is_state);
            if let Some(code) = condition.get("code").and_then(Node::text) {
                names.conditions.entry(code).or_insert(zone);
            }
        }
        for (_, name) in list("extensions") {
            let known = Extension::ALL.iter().find(|(known, _)| name.text() == Some(known));
            names.extensions.extend(known.map(|&(_, extension)| extension));
        }
        names
    }
}

/// The board as far as it is known while the rest is walked.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// Columns and rows; none if they are at fault, and then no position is judged.
    size: Option<(usize, usize)>,
    holes: Vec<bool>,
}

impl Board {
    fn is_hole(&self, square: Square) -> bool {
        self.holes.get(usize::from(square.0)).copied().unwrap_or(false)
    }
}

const TOP: &[&str] = &["name", "leader", "board", "players", "turns", "conditions", "pieces", "extensions"];

fn walk_document(walker: &mut Walker<'_>, root: &Node<'_>) -> Option<Spec> {
    if !walker.object(root, TOP) {
        return None;
    }
    walker.optional(root, "extensions", |walker, node| {
        walker.each(node, |walker, _, node| {
            let Some(name) = walker.text(node) else { return };
            if !Extension::ALL.iter().any(|(known, _)| *known == name) {
                let hint = walker.hint(name, Extension::ALL.map(|(known, _)| known));
                walker.fault(
                    node,
                    Code::UnknownExtension,
                    format!("the extension {} is not known{hint}", quote(name)),
                );
            }
        });
    });
    let name = walker.required(root, "name", |walker, node| walker.name(node).map(str::to_owned)).flatten();
    let leader = walker.optional(root, "leader", |walker, node| walker.piece(node)).flatten();
    walker.required(root, "board", walk_board);
    let players = walker.required(root, "players", walk_players).unwrap_or_default();
    let (order, start_at) = walker.required(root, "turns", walk_turns).unwrap_or_default();
    let zones = walker.optional(root, "conditions", walk_conditions).unwrap_or_default();
    let pieces = walker.required(root, "pieces", walk_pieces).unwrap_or_default();
    let (columns, rows) = walker.board.size?;
    let holes = (0..columns * rows).map(|i| Square(i as u16)).filter(|&s| walker.board.is_hole(s)).collect();
    Some(Spec {
        name: name?,
        leader,
        columns,
        rows,
        holes,
        players,
        order,
        start_at,
        zones,
        pieces,
        flags: walker.flag_names(),
        extensions: walker.names.extensions.clone(),
    })
}

fn walk_board(walker: &mut Walker<'_>, node: &Node<'_>) {
    if !walker.object(node, &["dimensions", "disabled_positions"]) {
        return;
    }
    let size = walker.required(node, "dimensions", |walker, node| {
        let sides = walker.pair_of(node, "columns and rows [x, y]", Code::BadDimension)?;
        let mut good = true;
        for (i, (side, what)) in sides.into_iter().zip(["column", "row"]).enumerate() {
            if side < 1 || side > MAX_SIDE as i64 {
                let message = format!("a board has 1 to {MAX_SIDE} {what}s, not {side}");
                walker.item(node, i, |walker, node| walker.fault(node, Code::BadDimension, message));
                good = false;
            }
        }
        good.then_some((sides[0] as usize, sides[1] as usize))
    });
    walker.board.size = size.flatten();
    let (columns, rows) = walker.board.size.unwrap_or_default();
    walker.board.holes = vec![false; columns * rows];
    walker.optional(node, "disabled_positions", |walker, node| {
        walker.each(node, |walker, _, node| {
            let Some(square) = walker.square(node) else { return };
            if std::mem::replace(&mut walker.board.holes[usize::from(square.0)], true) {
                walker.fault(node, Code::PositionDuplicate, "this square is already disabled".into());
            }
        });
    });
}

fn walk_players(walker: &mut Walker<'_>, node: &Node<'_>) -> Vec<Player> {
    let mut players = Vec::new();
    let mut taken: HashMap<Square, String> = HashMap::new();
    walker.list(node, "player", limits::PLAYERS);
    walker.each(node, |walker, i, node| {
        if !walker.object(node, &["name", "direction", "starting_positions"]) {
            return;
        }
        let name = walker.required(node, "name", |walker, node| {
            let name = walker.name(node)?;
            if walker.names.players.get(name).is_some_and(|&first| first != i) {
                let message = format!("another player is already called {}", quote(name));
                walker.fault(node, Code::DuplicatePlayer, message);
            }
            Some(name.to_owned())
        });
        let direction = walker.required(node, "direction", walk_direction).flatten();
        let start = walker.required(node, "starting_positions", |walker, node| {
            let mut start = Vec::new();
            walker.each(node, |walker, _, node| {
                if !walker.object(node, &["piece", "positions"]) {
                    return;
                }
                let piece = walker.required(node, "piece", |walker, node| walker.piece(node)).flatten();
                let code = node.get("piece").and_then(Node::text).unwrap_or("a piece");
                walker.required(node, "positions", |walker, node| {
                    walker.each(node, |walker, _, node| {
                        let Some(square) = walker.square(node) else { return };
                        if walker.board.is_hole(square) {
                            let message = "this square is disabled, so no piece can be on it".to_owned();
                            walker.fault(node, Code::PositionDisabled, message);
                        }
                        if let Some(other) = taken.get(&square) {
                            let message = format!("this square already holds {other}");
                            walker.fault(node, Code::PositionDuplicate, message);
                            return;
                        }
                        let owner = name.as_ref().and_then(Option::as_ref).map_or("", String::as_str);
                        taken.insert(square, format!("{} of {}", quote(code), quote(owner)));
                        start.extend(piece.map(|piece| (piece, square)));
                    });
                });
            });
            start
        });
        players.extend(name.flatten().zip(direction).map(|(name, direction)| Player {
            name,
            direction,
            start: start.unwrap_or_default(),
        }));
    });
    players
}

fn walk_direction(walker: &mut Walker<'_>, node: &Node<'_>) -> Option<Direction> {
    walker.items_of(node, 2, "a matrix of two rows", Code::DirectionInvalid)?;
    let mut matrix = [[0; 2]; 2];
    for (i, row) in matrix.iter_mut().enumerate() {
        let pair = |walker: &mut Walker<'_>, node: &Node<'_>| {
            walker.pair_of(node, "a row of two numbers", Code::DirectionInvalid)
        };
        *row = walker.item(node, i, pair)?;
    }
    let found =
        Direction::ALL.into_iter().find(|direction| direction.0.map(|row| row.map(i64::from)) == matrix);
    if found.is_none() {
        let message = "a direction turns or mirrors the board: each row and each column has one 1 or -1 and one 0, \
                       such as [[1,0],[0,1]] for up or [[-1,0],[0,-1]] for down";
        walker.fault(node, Code::DirectionInvalid, message.into());
    }
    found
}

fn walk_turns(walker: &mut Walker<'_>, node: &Node<'_>) -> (Vec<usize>, usize) {
    let mut order = Vec::new();
    if !walker.object(node, &["order", "start_at"]) {
        return (order, 0);
    }
    let length = walker.required(node, "order", |walker, node| {
        walker.list(node, "turn", limits::ORDER);
        walker.each(node, |walker, _, node| {
            let Some(name) = walker.text(node) else { return };
            order.extend(walker.player(name, node.span));
        });
        node.items().map_or(0, <[Node<'_>]>::len)
    });
    let start_at = walker.optional(node, "start_at", |walker, node| {
        let index = walker.whole(node)?;
        let length = length? as i64;
        if length > 0 && !(0..length).contains(&index) {
            let message = format!("start_at is an index into order: 0 to {}, not {index}", length - 1);
            walker.fault(node, Code::StartAtOutOfRange, message);
        }
        usize::try_from(index).ok()
    });
    (order, start_at.flatten().unwrap_or(0))
}

fn walk_conditions(walker: &mut Walker<'_>, node: &Node<'_>) -> Vec<Zone> {
    let mut zones = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    walker.limit(node, "condition", limits::CONDITIONS);
    walker.each(node, |walker, _, node| {
        if !walker.object(node, &["code", "type", "check"]) {
            return;
        }
        let code = walker.required(node, "code", |walker, code| {
            let name = walker.name(code)?;
            let extension = walker.names.extensions.iter().any(|known| {
                Extension::ALL.iter().any(|(word, extension)| extension == known && *word == name)
            });
            if CONDITIONS.contains(&name) || UNTIL.contains(&name) || extension {
                let message = format!("{} is a word of the format and cannot name a condition", quote(name));
                walker.fault(code, Code::ReservedCode, message);
            }
            if seen.contains(&name) {
                let message = format!("another condition is already called {}", quote(name));
                walker.fault(code, Code::DuplicateCondition, message);
            }
            seen.extend(node.get("code").and_then(Node::text));
            Some(name.to_owned())
        });
        let kind = walker.required(node, "type", |walker, node| {
            let kind = walker.text(node)?;
            if !["POSITION", "STATE"].contains(&kind) {
                let hint = walker.hint(kind, ["POSITION", "STATE"]);
                let message = format!("a condition is of type POSITION or STATE, not {}{hint}", quote(kind));
                walker.fault(node, Code::UnknownConditionType, message);
            }
            Some(kind)
        });
        let players = walker.names.players.len();
        let mut squares = vec![Vec::new(); players];
        let is_position = kind.flatten() == Some("POSITION");
        if is_position && node.get("check").is_none() {
            walker.fault(node, Code::MissingField, "a POSITION condition needs the field \"check\"".into());
        }
        walker.optional(node, "check", |walker, node| walk_zone(walker, node, &mut squares));
        if kind.flatten() != Some("STATE") {
            zones.extend(code.flatten().map(|code| Zone { code, squares }));
        }
    });
    zones
}

fn walk_zone(walker: &mut Walker<'_>, node: &Node<'_>, squares: &mut [Vec<Square>]) {
    let Some(members) = walker.members(node) else { return };
    for member in members {
        walker.within(&member.key, |walker| {
            let player = walker.player(&member.key, member.key_span);
            let mut seen = Vec::new();
            walker.each(&member.node, |walker, _, node| {
                let Some(square) = walker.square(node) else { return };
                let index = usize::from(square.0);
                seen.resize(seen.len().max(index + 1), false);
                if std::mem::replace(&mut seen[index], true) {
                    let message = format!("this square is already in the list of {}", quote(&member.key));
                    walker.fault(node, Code::PositionDuplicate, message);
                    return;
                }
                if walker.board.is_hole(square) {
                    let message = "this square is disabled, so nothing can ever land on it".to_owned();
                    walker.warning(node, Code::ZoneOnHole, message);
                }
                if let Some(list) = player.and_then(|player| squares.get_mut(player)) {
                    list.push(square);
                }
            });
        });
    }
}

fn walk_pieces(walker: &mut Walker<'_>, node: &Node<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    walker.list(node, "piece", limits::PIECES);
    walker.each(node, |walker, i, node| {
        if !walker.object(node, &["code", "name", "moves"]) {
            return;
        }
        let code = walker.required(node, "code", |walker, node| {
            let code = walker.name(node)?;
            if walker.names.pieces.get(code).is_some_and(|&first| first != i) {
                let message = format!("another piece already has the code {}", quote(code));
                walker.fault(node, Code::DuplicatePiece, message);
            }
            Some(code.to_owned())
        });
        let name = walker.optional(node, "name", |walker, node| walker.text(node).map(str::to_owned));
        let moves = walker.required(node, "moves", moves::walk_moves).unwrap_or_default();
        pieces.extend(code.flatten().map(|code| Piece { code, name: name.flatten(), moves }));
    });
    pieces
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn the_format_has_33_codes() {
        let count = |origin| Code::ALL.iter().filter(|code| code.origin() == origin).count();
        assert_eq!(count(Origin::Format), 33);
    }

    #[test]
    fn nothing_but_faults_comes_of_rubbish() {
        for text in ["", "[]", "null", "{", "\"\\u0000\"", "{\"name\": []}", "3", "{}"] {
            let report = check(text.as_bytes());
            assert!(report.spec.is_none() && !report.faults.is_empty(), "{text}");
        }
    }
}
