//! Counting move sequences, the yardstick of every move generator.
//! Knows the `Game` trait alone.

use crate::core::Game;

/// The number of sequences of `depth` legal moves; the last ply is counted, not played.
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count_legal_moves(),
        _ => {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let mut nodes = 0;
            for mv in moves {
                let undo = game.make(mv);
                nodes += perft(game, depth - 1);
                game.unmake(mv, undo);
            }
            nodes
        }
    }
}

/// The count below each legal move, in the generator's order.
pub fn divide<G: Game>(game: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let below = depth.saturating_sub(1);
    moves
        .into_iter()
        .map(|mv| {
            let undo = game.make(mv);
            let nodes = perft(game, below);
            game.unmake(mv, undo);
            (mv, nodes)
        })
        .collect()
}
