//! The mirror of the 6502 program against the rules, and properties of the search.

use pretty_assertions::assert_eq;
use tempo_random::Random;

use super::captures::Capture;
use super::geometry::EMPTY;
use super::position::{Position, Step};
use super::values::Blend;
use super::{Limits, MATE, Reference, Values};
use crate::{Board, Move, PromotionSet};

const POSITIONS: [&str; 8] = [
    crate::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/8/k1Pp3R/8/8/2K5 b - c3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 5 7",
];

fn blend() -> Blend {
    Values::default().blend(100)
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

/// Everything of a position that a search can see.
fn picture(position: &Position) -> (Vec<u8>, Vec<Vec<u8>>, u32, i16, u8, u8, bool) {
    let lists = [true, false].into_iter().flat_map(|white| (0..8).map(move |kind| (white, kind)));
    (
        (0..=0x77).map(|square| position.at(square)).collect(),
        lists.map(|(white, kind)| position.list(white, kind).squares().to_vec()).collect(),
        position.key,
        position.score,
        position.state,
        position.clock,
        position.white,
    )
}

/// Along random games: the legal moves, what make keeps, and what unmake brings back.
#[test]
fn position_follows_the_rules() {
    let blend = blend();
    for (seed, fen) in POSITIONS.into_iter().enumerate().cycle().take(40) {
        let mut random = Random::stream(0x5eed, seed as u64);
        let mut board: Board = fen.parse().expect("a position");
        let mut position = Position::new(&board, &blend).expect("few pieces");
        let mut moves = Vec::new();
        for _ in 0..50 {
            let before = position.clone();
            position.legal_moves(&mut moves);
            assert_eq!(picture(&before), picture(&position), "lists are restored: {}", board.fen());
            let found: Vec<Move> = moves.iter().map(|&mv| position.decode(mv)).collect();
            let rules = sorted(board.legal_moves(PromotionSet::QueenKnight));
            assert_eq!(sorted(found.clone()), rules, "{}", board.fen());
            assert_eq!(position.in_check(), board.in_check());
            check_captures(&mut position, &moves);
            for &mv in &moves {
                position.make(mv, &blend);
                let mut next = board.clone();
                next.play(before.decode(mv));
                check_totals(&position, &next, &blend);
                position.unmake(mv);
                assert_eq!(picture(&before), picture(&position), "{} {mv:?}", board.fen());
            }
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.index(moves.len())];
            board.play(position.decode(mv));
            position.make(mv, &blend);
        }
    }
}

fn check_totals(position: &Position, board: &Board, blend: &Blend) {
    let fresh = Position::new(board, blend).expect("few pieces");
    assert_eq!(
        (position.key, position.score, position.state, position.clock, position.white),
        (fresh.key, fresh.score, fresh.state, fresh.clock, fresh.white),
        "{}",
        board.fen()
    );
}

/// Captures are the legal moves that take something or make a queen, and illegal ones that `is_legal` refuses.
fn check_captures(position: &mut Position, legal: &[Step]) {
    let mut captures: Vec<Capture> = Vec::new();
    assert!(position.captures(&mut captures), "the side that has moved is not in check");
    if position.in_check() {
        return;
    }
    let mut sound: Vec<Step> = captures.iter().map(|capture| capture.mv).collect();
    sound.retain(|&mv| position.is_legal(mv));
    let mut expected = legal.to_vec();
    expected.retain(|&mv| position.capture_key(mv).is_some());
    let order = |mv: &Step| (mv.from, mv.to);
    sound.sort_by_key(order);
    expected.sort_by_key(order);
    assert_eq!(sound, expected);
    for from in 0..=0x77 {
        for to in (0..=0x77).filter(|to| to & 0x88 == 0) {
            for mv in [Step { from, to }, Step { from, to: to | 0x80 }] {
                let castles =
                    position.at(from) & 7 == 7 && from.abs_diff(to) == 2 && position.at(from) != EMPTY;
                let fits = position.fits(mv) && position.is_legal(mv);
                assert_eq!(fits, legal.contains(&mv) && !castles, "{mv:?}");
            }
        }
    }
}

#[test]
fn perft_through_the_mirror() {
    fn perft(position: &mut Position, blend: &Blend, depth: u32) -> u64 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut count = 0;
        for mv in moves {
            position.make(mv, blend);
            count += perft(position, blend, depth - 1);
            position.unmake(mv);
        }
        count
    }
    let blend = blend();
    // Queen and knight promotions only, as the program generates; the first two have none at these depths.
    for (fen, depth, expected) in [(POSITIONS[0], 4, 197_281), (POSITIONS[2], 4, 43_238)] {
        let board: Board = fen.parse().expect("a position");
        let mut position = Position::new(&board, &blend).expect("few pieces");
        assert_eq!(perft(&mut position, &blend, depth), expected, "{fen}");
    }
}

/// The board with colours exchanged and turned upside down.
fn flipped(board: &Board) -> Board {
    let fen = board.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let swapped =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(swapped).collect()
    };
    let rows: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let rights = swap(fields[2]);
    let rights: String = "KQkq".chars().filter(|&c| rights.contains(c)).collect();
    let rights = if rights.is_empty() { "-".to_string() } else { rights };
    let passed: String = fields[3]
        .chars()
        .map(|c| {
            if c == '3' {
                '6'
            } else if c == '6' {
                '3'
            } else {
                c
            }
        })
        .collect();
    format!("{} {turn} {rights} {passed} {} {}", rows.join("/"), fields[4], fields[5])
        .parse()
        .expect("a position")
}

#[test]
fn colours_are_worth_the_same() {
    let blend = blend();
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("a position");
        let value = |board: &Board| {
            let position = Position::new(board, &blend).expect("few pieces");
            position.evaluate(&blend, -1, 1, 20_000).0
        };
        assert_eq!(value(&board), value(&flipped(&board)), "{fen}");
    }
}

#[test]
fn mates_are_found_with_their_distance() {
    for (fen, best, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "a1a8", 1),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7", 1),
        ("8/8/8/8/8/5k2/8/q6K w - - 0 1", "h1h2", -1),
        ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", "c6c7", 2),
    ] {
        let board: Board = fen.parse().expect("a position");
        let report =
            Reference::default().search(&board, &[], Limits { depth: 6, ..Limits::default() }, |_| {});
        assert_eq!(report.best.map(|mv| mv.to_string()).as_deref(), Some(best), "{fen}");
        if report.nodes > 0 {
            assert_eq!(report.mate(), Some(moves), "{fen}: {}", report.value);
            assert!(report.value.abs() < MATE);
        }
    }
}

/// A stopped search answers as the limit says, and its line can be played.
#[test]
fn limits_hold_and_lines_are_legal() {
    for fen in POSITIONS {
        let board: Board = fen.parse().expect("a position");
        for nodes in [1, 2, 50, 1_000, 5_000] {
            let limits = Limits { nodes, ..Limits::default() };
            let report = Reference::default().search(&board, &[], limits, |_| {});
            assert!(report.nodes <= nodes, "{fen}");
            assert_eq!(report.line.first().copied(), report.best);
            let mut after = board.clone();
            for &mv in &report.line {
                assert!(after.legal_moves(PromotionSet::QueenKnight).contains(&mv), "{fen}: {mv}");
                after.play(mv);
            }
        }
    }
}

#[test]
fn repetition_in_the_tree_is_a_draw() {
    // White is lost but for the perpetual check on e8 and h5.
    let board: Board = "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32".parse().expect("a position");
    let limits = Limits { depth: 8, ..Limits::default() };
    let report = Reference::default().search(&board, &[], limits, |_| {});
    assert_eq!((report.value, report.best.map(|mv| mv.to_string()).as_deref()), (0, Some("h5e8")));
}

/// Plays a won ending against a defence that searches too; plies until mate, or `None`.
fn plies_to_mate(board: Board, nodes: u32) -> Option<u32> {
    let mut game = crate::Game::new(board, PromotionSet::QueenKnight);
    let mut players = [Reference::default(), Reference::default()];
    let mut past = Vec::new();
    for ply in 0..140 {
        match game.state() {
            crate::GameState::Normal | crate::GameState::Check => {}
            state => return (state == crate::GameState::Checkmate).then_some(ply),
        }
        let board = game.board().clone();
        let limits = Limits { nodes, ..Limits::default() };
        let report = players[ply as usize % 2].search(&board, &past, limits, |_| {});
        game.play(report.best.expect("a move")).expect("a legal move");
        past.push(board);
    }
    None
}

/// A random placement of these white pieces and the kings, White to move.
fn placement(random: &mut Random, pieces: &str) -> Board {
    loop {
        let mut cells = [' '; 64];
        for letter in pieces.chars().chain("Kk".chars()) {
            let free: Vec<usize> = (0..64).filter(|&cell| cells[cell] == ' ').collect();
            cells[*random.pick(&free)] = letter;
        }
        let mut rows: Vec<String> = cells.chunks(8).map(|row| row.iter().collect()).collect();
        for row in &mut rows {
            for count in (1..=8usize).rev() {
                *row = row.replace(&" ".repeat(count), &count.to_string());
            }
        }
        let bishops: Vec<usize> = (0..64).filter(|&cell| cells[cell] == 'B').collect();
        let same =
            bishops.len() == 2 && bishops.iter().map(|cell| cell / 8 + cell % 8).sum::<usize>() % 2 == 0;
        if let Ok(board) = format!("{} w - - 0 1", rows.join("/")).parse::<Board>()
            && !same
        {
            return board;
        }
    }
}

/// Every placement is won at a few seconds a move of the 6502; bishop and knight need more.
#[test]
fn bare_kings_are_mated() {
    let mut random = Random::new(0xba2e);
    for pieces in ["Q", "R", "BB"] {
        for _ in 0..5 {
            let board = placement(&mut random, pieces);
            let fen = board.fen();
            assert!(plies_to_mate(board, 2_000).is_some(), "{pieces}: {fen}");
        }
    }
}

/// Advantages that win nothing are worth little.
#[test]
fn drawn_endings_are_known() {
    for (fen, most) in [
        ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 70),
        ("8/8/4k3/8/8/2NNK3/8/8 w - - 0 1", 130),
        ("7k/8/5K2/7P/8/5B2/8/8 w - - 0 1", 90),
        ("8/8/4k3/4r3/8/3RBK2/8/8 w - - 0 1", 80),
    ] {
        let board: Board = fen.parse().expect("a position");
        let report =
            Reference::default().search(&board, &[], Limits { depth: 1, ..Limits::default() }, |_| {});
        assert!(report.value.abs() <= most, "{fen}: {}", report.value);
    }
    let won: Board = "7k/8/5K2/7P/8/4B3/8/8 w - - 0 1".parse().expect("a position");
    let report = Reference::default().search(&won, &[], Limits { depth: 2, ..Limits::default() }, |_| {});
    assert!(report.value > 300, "the bishop has the corner's colour: {}", report.value);
}

/// The tuner's linear model is the evaluation, up to the rounding of the blend.
#[test]
fn features_add_up_to_the_value() {
    let values = Values::default();
    let [middle, end] = values.parameters();
    let again = Values::from_parameters(&[middle.clone(), end.clone()]);
    for fen in [POSITIONS[0], POSITIONS[1], POSITIONS[4], POSITIONS[7]] {
        let board: Board = fen.parse().expect("a position");
        let features = super::Features::of(&board).expect("few pieces");
        let worth = |at: usize| middle[at] * features.middle + end[at] * (1.0 - features.middle);
        let sum: f64 = features.counts.iter().map(|&(at, count)| worth(at) * count).sum();
        let value = f64::from(super::static_value(&board, &values).expect("few pieces"));
        assert!((sum - value).abs() < 40.0, "{fen}: {sum} and {value}");
        let other = f64::from(super::static_value(&board, &again).expect("few pieces"));
        assert!((other - value).abs() <= 2.0, "{fen}: bases are cut anew, values stay: {value}, {other}");
    }
}
