//! Counting move sequences, the yardstick of every move generator.
//! Knows the `Game` trait alone.

use crate::Game;

/// The number of sequences of `depth` legal moves; the last ply is counted, not played.
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    count(game, depth, &mut Vec::new())
}

/// The count below each legal move, in the generator's order. Depth 0 has no moves to divide by.
pub fn divide<G: Game>(game: &mut G, depth: u32) -> Vec<(G::Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
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

/// `moves` is one stack for all depths: each node takes its own moves off again.
fn count<G: Game>(game: &mut G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    match depth {
        0 => return 1,
        1 => return game.count_legal_moves(),
        _ => {}
    }
    let first = moves.len();
    game.legal_moves(moves);
    let mut nodes = 0;
    for index in first..moves.len() {
        let mv = moves[index];
        let undo = game.make(mv);
        nodes += count(game, depth - 1, moves);
        game.unmake(mv, undo);
    }
    moves.truncate(first);
    nodes
}
