//! Games of the reference search against itself under two sets of settings and values.

use tempo_chess::search::{Limits, MATE_RANGE, Reference};
use tempo_chess::{Board, Color, Game, GameState, PromotionSet};
use tempo_random::Random;

/// A player: what it thinks with, and how much it may spend on a move.
#[derive(Clone, Default)]
pub struct Player {
    /// Values, settings and costs.
    pub reference: Reference,
    /// Cycles of the model for each move.
    pub cycles: u64,
}

/// Values both players must agree on, and for how many plies, before a game is given up for won or drawn.
const WON: (i16, u32) = (700, 6);
const DRAWN: (i16, u32) = (10, 12);
const DRAWN_AFTER: u32 = 80;
const LONGEST: u32 = 400;

/// Plays one game and returns White's half points. Each player starts with an empty table.
pub fn play_game(opening: &Board, white: &mut Player, black: &mut Player) -> u8 {
    white.reference.table.clear();
    black.reference.table.clear();
    let mut game = Game::new(opening.clone(), PromotionSet::QueenKnight);
    let mut past: Vec<Board> = Vec::new();
    let (mut won, mut drawn) = ([0; 2], 0);
    for ply in 0..LONGEST {
        match game.state() {
            GameState::Normal | GameState::Check => {}
            GameState::Checkmate => return if game.board().turn() == Color::White { 0 } else { 2 },
            _ => return 1,
        }
        let board = game.board().clone();
        let to_move = board.turn();
        let player = if to_move == Color::White { &mut *white } else { &mut *black };
        let limits = Limits { cycles: player.cycles, ..Limits::default() };
        let report = player.reference.search(&board, &past, limits, |_| {});
        let Some(mv) = report.best else { return 1 };
        let value = if to_move == Color::White { report.value } else { -report.value };
        for (side, count) in won.iter_mut().enumerate() {
            let good = if side == 0 { value >= WON.0 } else { value <= -WON.0 };
            *count = if good && report.nodes > 0 { *count + 1 } else { 0 };
        }
        drawn = if value.abs() <= DRAWN.0 && ply > DRAWN_AFTER { drawn + 1 } else { 0 };
        if won[0] >= WON.1 || value >= MATE_RANGE {
            return 2;
        }
        if won[1] >= WON.1 || value <= -MATE_RANGE {
            return 0;
        }
        if drawn >= DRAWN.1 {
            return 1;
        }
        past.push(board);
        if game.play(mv).is_err() {
            return 1;
        }
    }
    1
}

/// A balanced position after random moves: the same for the same number.
pub fn opening(seed: u64, number: u64) -> Board {
    let mut random = Random::stream(seed, number);
    let mut judge = Reference::default();
    loop {
        let mut board = Board::default();
        let plies = 6 + random.below(3);
        for _ in 0..plies {
            let moves = board.legal_moves(PromotionSet::QueenKnight);
            if moves.is_empty() {
                break;
            }
            board.play(*random.pick(&moves));
        }
        if board.legal_moves(PromotionSet::QueenKnight).is_empty() {
            continue;
        }
        judge.table.clear();
        let report = judge.search(&board, &[], Limits { nodes: 8_000, ..Limits::default() }, |_| {});
        if report.value.abs() <= 60 {
            return board;
        }
    }
}
