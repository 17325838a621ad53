//! Warnings about a game that is in order and yet probably not what its author meant.

use std::collections::HashMap;

use super::names::quote;
use super::report::Code;
use super::walk::Walker;
use crate::model::Spec;
use tempo_json::Document;

pub(super) fn warn(walker: &mut Walker<'_>, spec: &Spec, document: &Document<'_>) {
    let mut warn = |pointer: String, code, message: String| {
        walker.warning_at(&pointer, document.span_of(&pointer), code, message);
    };
    for (i, player) in spec.players.iter().enumerate() {
        let has_leader = player.start.iter().any(|&(piece, _)| Some(piece) == spec.leader);
        if let Some(leader) = spec.leader.filter(|_| !has_leader) {
            let leader = quote(&spec.pieces[leader].code);
            let message = format!("{} starts without the leader piece {leader}", quote(&player.name));
            warn(format!("/players/{i}"), Code::NoLeaderPiece, message);
        }
        if !player.start.iter().any(|&(piece, _)| !spec.pieces[piece].moves.is_empty()) {
            let message = format!("none of the pieces of {} can move", quote(&player.name));
            warn(format!("/players/{i}"), Code::CannotMove, message);
        }
    }
    let mut prefixes: HashMap<String, &str> = HashMap::new();
    for (i, piece) in spec.pieces.iter().enumerate() {
        let prefix: String = piece.code.chars().take(3).collect();
        if let Some(other) = prefixes.get(&prefix) {
            let message = format!(
                "{} and {} share their first three letters and look alike on the board",
                quote(other),
                quote(&piece.code)
            );
            warn(format!("/pieces/{i}/code"), Code::AmbiguousPrefix, message);
        } else {
            prefixes.insert(prefix, &piece.code);
        }
    }
}
