//! The opening book: every line is legal and free of blunders, and the program finds what the text says.

use std::collections::{HashMap, HashSet};

use tempo_bridge::{ChessMachine, Program, book, decode_move};
use tempo_chess::search::{Limits, Reference};
use tempo_chess::{Board, Identity, Move, PieceKind, PromotionSet};
use tempo_emu::NoHooks;

/// The positions of the book with the moves that may be played in them.
fn playable() -> HashMap<Identity, (Board, HashSet<Move>)> {
    let (lines, faults) = book::parse(book::text());
    assert_eq!(faults, []);
    let mut positions: HashMap<Identity, (Board, HashSet<Move>)> = HashMap::new();
    for line in lines {
        let mut board = Board::default();
        for step in line.moves {
            let entry = positions.entry(board.identity()).or_insert_with(|| (board.clone(), HashSet::new()));
            if !step.answered_only {
                entry.1.insert(step.mv);
            }
            board.play(step.mv);
        }
    }
    positions
}

/// The invariants that the walk of the 6502 program relies on.
#[test]
fn lines_are_plain_moves_of_many_openings() {
    let (lines, faults) = book::parse(book::text());
    assert_eq!(faults, []);
    assert!(lines.len() >= 100, "{}", lines.len());
    let names: HashSet<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    assert!(names.len() >= 60 && !names.contains(""), "{names:?}");
    for line in &lines {
        let mut board = Board::default();
        for step in &line.moves {
            let pawn = board.kind_at(step.mv.from) == Some(PieceKind::Pawn);
            assert!(step.mv.promotion.is_none(), "line {}: {} promotes", line.line, step.mv);
            assert!(!(pawn && board.en_passant() == Some(step.mv.to)), "line {}: {}", line.line, step.mv);
            board.play(step.mv);
        }
    }
}

/// A move that is played may cost two pawns at most against the move that the reference search prefers.
#[test]
fn no_move_that_is_played_is_a_blunder() {
    const NODES: u32 = 2000;
    const MOST: i16 = 200;
    let value = |board: &Board| {
        let limits = Limits { nodes: NODES, ..Limits::default() };
        Reference::default().search(board, &[], limits, |_| {}).value
    };
    let mut worst = Vec::new();
    for (board, moves) in playable().into_values() {
        let best = value(&board);
        for mv in moves {
            let mut after = board.clone();
            after.play(mv);
            let loss = best + value(&after);
            if loss > MOST {
                worst.push(format!("{mv} loses {loss} in {}", board.fen()));
            }
        }
    }
    assert!(worst.is_empty(), "{}", worst.join("\n"));
}

/// The program's answer in a position.
fn answer(machine: &mut ChessMachine<'_>, board: &Board, seed: u8) -> Option<Move> {
    let symbol = |name: &str| machine.program.symbols.get(name).expect("a label") as u16;
    let (place, probe) = (symbol("BookSeed"), machine.program.entry("BookMove").expect("the probe"));
    machine.start_game(board).expect("a position");
    machine.ram[place] = seed;
    let reply = machine.enter(probe, 0, 0, 2_000_000, &mut NoHooks).expect("it returns");
    let data = machine.program.data;
    reply
        .carry
        .then(|| decode_move(board, machine.ram[data.best_from], machine.ram[data.best_to]).expect("a move"))
}

#[test]
fn the_program_plays_what_the_text_says_and_varies() {
    let program = Program::assemble().expect("it assembles");
    let mut machine = ChessMachine::new(&program).expect("it starts");
    let mut varied = HashSet::new();
    for (board, moves) in playable().into_values() {
        for seed in [1, 90] {
            let found = answer(&mut machine, &board, seed);
            match found {
                Some(mv) => assert!(moves.contains(&mv), "{mv} in {}", board.fen()),
                None => assert!(moves.is_empty(), "no move in {}", board.fen()),
            }
        }
    }
    for seed in 0..64 {
        varied.extend(answer(&mut machine, &Board::default(), seed));
    }
    assert_eq!(varied.len(), 4, "e4, d4, c4 and Nf3: {varied:?}");
}

#[test]
fn positions_outside_of_the_book_get_no_move() {
    let program = Program::assemble().expect("it assembles");
    let mut machine = ChessMachine::new(&program).expect("it starts");
    for fen in [
        // The start with White's queen missing, and at a later move number.
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 300",
        "4k3/8/8/8/8/8/8/4K3 b - - 0 60",
    ] {
        let board: Board = fen.parse().expect("a position");
        assert_eq!(answer(&mut machine, &board, 7), None, "{fen}");
    }
    // Both kings have moved and returned: the lines that castle are not legal any more.
    let moved: Board =
        "r1bqk2r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w kq - 4 5".parse().expect("a position");
    if let Some(mv) = answer(&mut machine, &moved, 3) {
        assert!(moved.is_legal(mv, PromotionSet::QueenKnight), "{mv}");
    }
}
