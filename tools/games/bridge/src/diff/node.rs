//! One position: move lists, checks, and every legal move made and taken back.

use tempo_chess::{Board, Color, Game, Move, PromotionSet};
use tempo_emu::NoHooks;

use super::{Difference, Subject, Trail};
use crate::epd::Entry;
use crate::machine::CALL_LIMIT;
use crate::position::{colour_byte, decode_move, encode_move};
use crate::program::Routine;
use crate::{CallError, ChessMachine};

/// Compares everything the program says of a position that a caller has just written.
pub fn check_position(machine: &mut ChessMachine<'_>, board: &Board) -> Vec<Difference> {
    let trail = Trail::at(board.fen());
    let mut found = Vec::new();
    let compared = machine.start_game(board).and_then(|()| {
        check_lists(machine, board, &trail, &mut found)?;
        check_moves(machine, board, &trail, &mut found)?;
        check_state(machine, &Game::new(board.clone(), PromotionSet::QueenKnight), &trail, &mut found)
    });
    if let Err(err) = compared {
        found.push(trail.failed_call(board.fen(), &err));
    }
    found
}

/// Compares the counts a file gives for a position with the reference.
pub fn check_counts(entry: &Entry) -> Vec<Difference> {
    let trail = Trail::at(entry.board.fen());
    let counts =
        [(entry.all_moves, PromotionSet::All), (entry.queen_knight_moves, PromotionSet::QueenKnight)];
    let wrong = counts.into_iter().filter_map(|(count, set)| {
        let (expected, seen) = (count?, entry.board.count_legal_moves(set));
        (expected != seen).then(|| {
            let expected = format!("{expected} moves by the file");
            trail.difference(Subject::Count, entry.board.fen(), expected, format!("{seen} by the reference"))
        })
    });
    wrong.collect()
}

/// Both generators and both kings' checks. The program's position is that of `board`.
pub(crate) fn check_lists(
    machine: &mut ChessMachine<'_>,
    board: &Board,
    trail: &Trail,
    found: &mut Vec<Difference>,
) -> Result<(), CallError> {
    let before = machine.snapshot();
    let legal = board.legal_moves(PromotionSet::QueenKnight);
    let us = colour_byte(board.turn());

    let reply = machine.call(Routine::GenerateLegalMoves, 0, us)?;
    let count = machine.ram[machine.program.data.move_count];
    if reply.a != count {
        found.push(trail.difference(Subject::MoveCount, board.fen(), count, reply.a));
    }
    found.extend(compare_list(machine, board, &legal, trail, Subject::LegalMoves));

    machine.call(Routine::SyncPosition, 0, 0)?;
    machine.call(Routine::GenerateLegalMovesSynced, 0, us)?;
    found.extend(compare_list(machine, board, &legal, trail, Subject::SyncedMoves));

    for color in Color::ALL {
        let expected = board.is_attacked(board.king(color), !color);
        let carry = machine.call(Routine::IsKingInCheck, 0, colour_byte(color))?.carry;
        if carry != expected {
            let says =
                |check| format!("{} king {}", color.name(), if check { "in check" } else { "not in check" });
            found.push(trail.difference(Subject::Check, board.fen(), says(expected), says(carry)));
        }
    }
    let changed = before.differences(&machine.snapshot());
    if !changed.is_empty() {
        found.push(trail.difference(Subject::Untouched, board.fen(), "nothing changed", changed.join("; ")));
    }
    Ok(())
}

/// `CheckGameState` against the reference game, whose history the program's must match.
pub(crate) fn check_state(
    machine: &mut ChessMachine<'_>,
    game: &Game,
    trail: &Trail,
    found: &mut Vec<Difference>,
) -> Result<(), CallError> {
    let expected = game.state();
    let state = machine.call(Routine::CheckGameState, 0, 0)?.a;
    if state != expected.number() {
        let says = |number: u8| match tempo_chess::GameState::from_number(number) {
            Some(state) => format!("{number} ({})", state.name()),
            None => format!("{number}, which is not a state"),
        };
        found.push(trail.difference(
            Subject::State,
            game.board().fen(),
            says(expected.number()),
            says(state),
        ));
    }
    Ok(())
}

/// Makes every legal move, compares the position with the reference, whether it gives check, and the hash with one
/// from scratch, takes it back and compares again.
pub(crate) fn check_moves(
    machine: &mut ChessMachine<'_>,
    board: &Board,
    trail: &Trail,
    found: &mut Vec<Difference>,
) -> Result<(), CallError> {
    let before = machine.snapshot();
    // Not part of the interface: another program need not have it.
    let see_check = machine.program.entry("SeeCheck").zip(machine.program.entry("zpInCheck"));
    for mv in board.legal_moves(PromotionSet::QueenKnight) {
        let mut after = board.clone();
        after.play(mv);
        let (from, to) = encode_move(mv).expect("only queens and knights were asked for");
        let mut report = |subject, expected: String, seen: String| {
            let mut difference = trail.difference(subject, board.fen(), expected, seen);
            difference.tried = Some(mv.to_string());
            found.push(difference);
        };

        machine.call(Routine::MakeMove, from, to)?;
        let made = machine.snapshot();
        let wrong = machine.expected(&after, before.depth.wrapping_add(1), made.hash).differences(&made);
        if !wrong.is_empty() {
            report(Subject::MakeMove, format!("the position {}", after.fen()), wrong.join("; "));
        }
        if let Some((see_check, answer)) = see_check {
            machine.enter(see_check, 0, 0, CALL_LIMIT, &mut NoHooks)?;
            let seen = machine.ram[answer.address] != 0;
            if seen != after.in_check() {
                let says = |check| if check { "the move gives check" } else { "no check" }.to_owned();
                report(Subject::MoveChecks, says(after.in_check()), says(seen));
            }
        }
        machine.call(Routine::ComputeZobristHash, 0, 0)?;
        let scratch = machine.ram.word(machine.program.data.hash);
        if scratch != made.hash {
            report(Subject::Hash, format!("${scratch:04X} from scratch"), format!("${:04X}", made.hash));
        }
        machine.ram.set_word(machine.program.data.hash, made.hash);
        machine.call(Routine::UnmakeMove, from, to)?;
        let wrong = before.differences(&machine.snapshot());
        if !wrong.is_empty() {
            report(Subject::UnmakeMove, "the position before the move".into(), wrong.join("; "));
            machine.set_position(board);
            machine.ram.set_word(machine.program.data.hash, before.hash);
        }
    }
    Ok(())
}

/// The program's list against the legal moves: what is missing, what is too much.
pub(crate) fn compare_list(
    machine: &ChessMachine<'_>,
    board: &Board,
    legal: &[Move],
    trail: &Trail,
    subject: Subject,
) -> Option<Difference> {
    let listed = machine.move_list();
    let mut expected: Vec<(u8, u8)> = legal.iter().filter_map(|&mv| encode_move(mv)).collect();
    let mut seen = listed.clone();
    expected.sort_unstable();
    seen.sort_unstable();
    if expected == seen {
        return None;
    }
    let name = |&(from, to): &(u8, u8)| match decode_move(board, from, to) {
        Some(mv) => mv.to_string(),
        None => format!("${from:02X}-${to:02X}"),
    };
    let names = |list: &[(u8, u8)]| list.iter().map(name).collect::<Vec<_>>();
    let mut difference = trail.difference(
        subject,
        board.fen(),
        format!("{} moves: {}", expected.len(), names(&expected).join(" ")),
        format!("{} moves: {}", seen.len(), names(&seen).join(" ")),
    );
    difference.missing = names(&without(&expected, &seen));
    difference.extra = names(&without(&seen, &expected));
    Some(difference)
}

/// The rest of one sorted list after the other is taken from it, one for one.
fn without(list: &[(u8, u8)], other: &[(u8, u8)]) -> Vec<(u8, u8)> {
    let mut rest = other.iter().peekable();
    let mut left = Vec::new();
    for item in list {
        while rest.next_if(|&next| next < item).is_some() {}
        if rest.next_if_eq(&item).is_none() {
            left.push(*item);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn a_move_listed_twice_is_left_over_once() {
        assert_eq!(without(&[(1, 2), (1, 2), (3, 4)], &[(0, 9), (1, 2), (3, 4), (5, 5)]), [(1, 2)]);
    }
}
