//! Our chess against `cozy-chess` along random games. Nothing of that crate is used outside tests.

use std::cell::Cell;

use cozy_chess as cozy;
use pretty_assertions::assert_eq;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tempo_boardgame::Game as _;
use tempo_boardgame::perft::perft;
use tempo_chess::{Board, Game, Move, PromotionSet, START_FEN, san};

/// Starts from which all rules come up soon.
const STARTS: [&str; 8] = [
    START_FEN,
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
];

/// Their moves in our words; they write castling as the king taking its rook.
fn their_moves(board: &cozy::Board, promotions: PromotionSet) -> Vec<String> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|mv| cozy::util::display_uci_move(board, mv).to_string()));
        false
    });
    if promotions == PromotionSet::QueenKnight {
        moves.retain(|mv| !mv.ends_with(['r', 'b']));
    }
    moves.sort();
    moves
}

fn our_moves(game: &Game) -> Vec<String> {
    let mut moves: Vec<String> = game.moves().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

/// Everything that can be said of one position.
fn compare(game: &mut Game, theirs: &cozy::Board) {
    let board = game.board().clone();
    let fen = board.fen();
    assert_eq!(our_moves(game), their_moves(theirs, game.promotions()), "moves of {fen}");
    assert_eq!(game.count_legal_moves(), game.moves().len() as u64, "count of {fen}");
    assert_eq!(board.checkers().0, theirs.checkers().0, "checkers of {fen}");
    assert_eq!(board.halfmove_clock(), u32::from(theirs.halfmove_clock()), "clock of {fen}");

    let again: Board = fen.parse().expect("what we write we read");
    assert_eq!(again, board, "round trip and hash of {fen}");
    for mv in game.moves() {
        let undo = game.make(mv);
        game.unmake(mv, undo);
        assert_eq!(game.board(), &board, "{mv} taken back in {fen}");
    }
}

#[test]
fn random_games_agree() {
    let positions = Cell::new(0u32);
    let games = (select(&STARTS[..]), vec(any::<u16>(), 0..240), any::<bool>());
    // The seed is fixed, so that the number of positions is. PROPTEST_CASES asks for more games.
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { Config::default().cases } else { 128 };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&games, |(start, choices, few_promotions)| {
        let promotions = if few_promotions { PromotionSet::QueenKnight } else { PromotionSet::All };
        let mut ours = Game::new(start.parse().expect("a position"), promotions);
        let mut theirs: cozy::Board = start.parse().expect("a position");
        for choice in choices {
            compare(&mut ours, &theirs);
            positions.set(positions.get() + 1);
            let moves = our_moves(&ours);
            if moves.is_empty() || theirs.halfmove_clock() >= 100 {
                break;
            }
            let text = &moves[usize::from(choice) % moves.len()];
            let mv = text.parse().expect("a move");
            let san = ours.san(mv);
            assert_eq!(
                san::read(ours.board(), &san, promotions).ok(),
                Some(mv),
                "{san} in {}",
                ours.board().fen()
            );
            ours.play(mv).expect("a legal move");
            theirs.play(cozy::util::parse_uci_move(&theirs, text).expect("a move"));
        }
        Ok(())
    });
    if let Err(err) = outcome {
        panic!("{err}");
    }
    assert!(positions.get() >= 10_000, "only {} positions were compared", positions.get());
    println!("{} positions compared", positions.get());
}

/// Plain counting with their generator.
fn their_perft(board: &cozy::Board, depth: u32, promotions: PromotionSet) -> u64 {
    let moves = their_moves(board, promotions);
    if depth == 1 {
        return moves.len() as u64;
    }
    let below = |text: &String| {
        let mut next = board.clone();
        next.play(cozy::util::parse_uci_move(board, text).expect("a move"));
        their_perft(&next, depth - 1, promotions)
    };
    moves.iter().map(below).sum()
}

#[test]
fn counts_agree_with_few_promotions() {
    for start in STARTS {
        let theirs = their_perft(&start.parse().expect("a position"), 3, PromotionSet::QueenKnight);
        let mut ours = Game::new(start.parse().expect("a position"), PromotionSet::QueenKnight);
        assert_eq!(perft(&mut ours, 3), theirs, "{start}");
    }
}
