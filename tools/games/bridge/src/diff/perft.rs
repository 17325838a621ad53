//! Perft with both at once: the lists compared at every node, the moves made and unmade by the program.

use tempo_chess::{Board, PromotionSet};

use super::node::compare_list;
use super::{Difference, Subject, Trail};
use crate::position::{colour_byte, encode_move};
use crate::program::Routine;
use crate::{CallError, ChessMachine};

/// The results of a comparison by perft.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PerftOutcome {
    /// Leaves, by the reference's count.
    pub nodes: u64,
    /// Positions whose lists were compared.
    pub compared: u64,
    /// The first line on which they part.
    pub difference: Option<Difference>,
}

/// Walks all lines of `depth` plies and stops at the first difference.
pub fn perft(machine: &mut ChessMachine<'_>, board: &Board, depth: u32) -> PerftOutcome {
    let mut outcome = PerftOutcome::default();
    let mut trail = Trail::at(board.fen());
    machine.set_position(board);
    let walked = machine
        .call(Routine::ComputeZobristHash, 0, 0)
        .and_then(|_| machine.call(Routine::SyncPosition, 0, 0))
        .and_then(|_| walk(machine, board, depth, &mut trail, &mut outcome));
    if let Err(err) = walked {
        outcome.difference = Some(trail.failed_call(board.fen(), &err));
    }
    outcome
}

fn walk(
    machine: &mut ChessMachine<'_>,
    board: &Board,
    depth: u32,
    trail: &mut Trail,
    outcome: &mut PerftOutcome,
) -> Result<(), CallError> {
    if depth == 0 {
        outcome.nodes += 1;
        return Ok(());
    }
    let legal = board.legal_moves(PromotionSet::QueenKnight);
    machine.call(Routine::GenerateLegalMoves, 0, colour_byte(board.turn()))?;
    outcome.compared += 1;
    outcome.difference = compare_list(machine, board, &legal, trail, Subject::LegalMoves);
    if depth == 1 {
        outcome.nodes += legal.len() as u64;
        return Ok(());
    }
    for mv in legal {
        if outcome.difference.is_some() {
            return Ok(());
        }
        let mut after = board.clone();
        after.play(mv);
        let (from, to) = encode_move(mv).expect("only queens and knights were asked for");
        let before = machine.snapshot();
        let report = |trail: &Trail, subject, expected: String, wrong: Vec<String>| {
            let mut difference = trail.difference(subject, board.fen(), expected, wrong.join("; "));
            difference.tried = Some(mv.to_string());
            difference
        };
        machine.call(Routine::MakeMove, from, to)?;
        let made = machine.snapshot();
        let wrong = machine.expected(&after, before.depth.wrapping_add(1), made.hash).differences(&made);
        if !wrong.is_empty() {
            outcome.difference = Some(report(trail, Subject::MakeMove, after.fen(), wrong));
            return Ok(());
        }
        trail.line.push(mv.to_string());
        walk(machine, &after, depth - 1, trail, outcome)?;
        trail.line.pop();
        if outcome.difference.is_some() {
            return Ok(());
        }
        machine.call(Routine::UnmakeMove, from, to)?;
        let wrong = before.differences(&machine.snapshot());
        if !wrong.is_empty() {
            let expected = "the position before the move".to_owned();
            outcome.difference = Some(report(trail, Subject::UnmakeMove, expected, wrong));
        }
    }
    Ok(())
}
