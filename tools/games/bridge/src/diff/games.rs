//! Random games: every position compared, with its history.
//! Half of the games shuffle pieces to and fro, because plain random play hardly ever repeats a position.

use tempo_chess::{Board, Game, Move, PieceKind, PromotionSet};
use tempo_random::Random;

use super::node::{check_lists, check_moves, check_state};
use super::{Difference, Trail};
use crate::{CallError, ChessMachine};

/// Plies after which a game is broken off.
const MAX_PLIES: usize = 240;
/// Plies without pawn move or capture after which a game is broken off: the draws are long claimable.
const MAX_QUIET: u32 = 130;

/// The results of one random game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GamesOutcome {
    /// How many positions were compared.
    pub positions: u64,
    /// Positions by the reference's state number.
    pub states: [u64; 7],
    /// The difference; the first one ends the game.
    pub differences: Vec<Difference>,
}

/// Plays one game; equal seeds play equal games.
pub fn play_game(machine: &mut ChessMachine<'_>, start: &Board, seed: u64) -> GamesOutcome {
    let mut outcome = GamesOutcome::default();
    let mut game = Game::new(start.clone(), PromotionSet::QueenKnight);
    let mut trail = Trail::at(start.fen());
    if let Err(err) = compare_plies(machine, &mut game, seed, &mut trail, &mut outcome) {
        outcome.differences.push(trail.failed_call(game.board().fen(), &err));
    }
    outcome
}

fn compare_plies(
    machine: &mut ChessMachine<'_>,
    game: &mut Game,
    seed: u64,
    trail: &mut Trail,
    outcome: &mut GamesOutcome,
) -> Result<(), CallError> {
    let mut random = Random::new(seed);
    let shuffles = random.once_in(2);
    let mut previous: [Option<Move>; 2] = [None, None];
    machine.start_game(game.board())?;
    for ply in 0..MAX_PLIES {
        outcome.positions += 1;
        outcome.states[usize::from(game.state().number())] += 1;
        check_lists(machine, game.board(), trail, &mut outcome.differences)?;
        check_moves(machine, game.board(), trail, &mut outcome.differences)?;
        check_state(machine, game, trail, &mut outcome.differences)?;
        let moves = game.moves();
        // One wrong position makes every later one wrong: the first difference ends the game.
        if !outcome.differences.is_empty() || moves.is_empty() || game.board().halfmove_clock() > MAX_QUIET {
            break;
        }
        let own = &mut previous[ply % 2];
        let mv = if shuffles { choose_shuffling(game.board(), &moves, *own, &mut random) } else { None }
            .unwrap_or_else(|| *random.pick(&moves));
        *own = Some(mv);
        machine.play(mv)?;
        game.play(mv).expect("chosen among the legal moves");
        trail.line.push(mv.to_string());
    }
    Ok(())
}

/// Often the last move taken back, often another quiet move of a piece; sometimes no preference.
fn choose_shuffling(
    board: &Board,
    moves: &[Move],
    previous: Option<Move>,
    random: &mut Random,
) -> Option<Move> {
    let back = previous.map(|mv| Move::new(mv.to, mv.from)).filter(|mv| moves.contains(mv));
    match random.below(10) {
        0..=4 => back,
        5..=8 => {
            let quiet: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|&mv| !board.is_capture(mv) && board.kind_at(mv.from) != Some(PieceKind::Pawn))
                .collect();
            (!quiet.is_empty()).then(|| *random.pick(&quiet))
        }
        _ => None,
    }
}
