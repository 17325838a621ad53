//! The search of `boardgame` on chess positions: mates, captures, and answers that do not vary.

use pretty_assertions::{assert_eq, assert_ne};
use tempo_boardgame::Game as _;
use tempo_boardgame::search::{Limits, WIN, best_move};
use tempo_chess::{Game, PromotionSet, START_FEN};

fn search(fen: &str, nodes: u64) -> (String, i32) {
    let mut game = Game::new(fen.parse().expect("a position"), PromotionSet::All);
    let found = best_move(&mut game, Limits::nodes(nodes));
    (found.best.map_or("none".to_string(), |mv| mv.to_string()), found.score)
}

#[test]
fn mates_are_found() {
    assert_eq!(search("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 1000), ("e1e8".to_string(), WIN - 1));
    // In two: the rooks take turns.
    let (best, score) = search("7k/8/8/8/8/8/R7/KR6 w - - 0 1", 20_000);
    assert_eq!((best.len(), score), (4, WIN - 3));
}

#[test]
fn a_hanging_queen_is_taken_and_a_guarded_pawn_is_not() {
    assert_eq!(search("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 2000).0, "e4d5");
    assert_ne!(search("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", 5000).0, "d2d5");
}

#[test]
fn the_answer_depends_on_nothing_but_position_and_nodes() {
    let once = search(START_FEN, 5000);
    assert_eq!(once, search(START_FEN, 5000));
}

#[test]
fn one_node_still_gives_a_legal_move() {
    let (best, _) = search(START_FEN, 1);
    let mut game = Game::default();
    assert!(game.find_move(&best).is_some(), "{best}");
    assert_eq!(search("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", 100).0, "none");
}
