//! The 6502 chess program against the reference rules: positions, perft, games, draws, and the cycles it
//! takes. `UPDATE=1` rewrites `docs/cycles.md`.

use std::collections::BTreeMap;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_bridge::cycles::{self, Table};
use tempo_bridge::diff::{self, Difference};
use tempo_bridge::{ChessMachine, Program, Routine, encode_move, epd};
use tempo_chess::{Board, Move, PromotionSet};

/// The standard positions, and how deep all their lines are walked.
const PERFT: [(&str, &str, u32); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("endgame-pins", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
    ("promotion-maze", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    ("discovered-mess", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
    ("symmetrical", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
];

/// Positions whose search once differed, and what of; others that the set has not.
const SEARCHED: [(&str, &str); 9] = [
    // The null move before a quiescence with a promotion was taken back for the wrong side.
    ("side-after-a-promotion", "8/P7/1nN5/1k6/5K2/8/5P2/8 w - - 0 54"),
    // A king that the third knight could take left that knight out of the next moves.
    ("third-knight", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    // The next iteration of a side that sees itself mated took a byte of the value for its depth.
    ("mated-in-two", "8/2K1kp2/4q3/5r2/8/8/5r2/8 w - - 6 61"),
    // A second bishop was read after the end of an empty list, and the rook's pawn was worth too much.
    ("pawn-of-a-rook", "4k3/8/8/6pP/8/8/8/4K3 w - g6 0 1"),
    // Bishop and knight: both colours of either, the bare king on each side of the diagonals.
    ("mate-on-light", "8/8/8/8/1k6/8/2B1N3/4K3 w - - 0 1"),
    ("mate-on-dark", "7k/8/5K2/8/3NB3/8/8/8 b - - 0 1"),
    ("black-mates-on-light", "8/2K5/8/5k2/2b5/3n4/8/8 b - - 0 1"),
    ("black-mates-on-dark", "8/8/5k2/4n3/3b4/8/6K1/8 w - - 0 1"),
    ("a-knight-may-be-taken", "8/8/8/3k4/3N4/8/1B6/6K1 b - - 0 1"),
];

/// Random games a test plays; more by hand with `tempo diff --games`.
const GAMES: u64 = 24;
const GAMES_A_TEST: u64 = 6;

fn main() {
    let arguments = Arguments::from_args();
    let program: &'static Program = Box::leak(Box::new(Program::assemble().expect("the program assembles")));
    let mut trials = Vec::new();

    let (entries, faults) = epd::parse(&fixture("positions/tricky.epd"));
    assert_eq!(faults, [], "tests/positions/tricky.epd");
    assert!(entries.len() >= 300, "the set of positions shrank to {}", entries.len());
    for entry in entries {
        trials.push(Trial::test(format!("position::{}", entry.id), move || {
            let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
            let mut found = diff::check_counts(&entry);
            found.extend(diff::check_position(&mut machine, &entry.board));
            verdict(&found)
        }));
    }
    // The search, node for node; `tempo diff --search` compares more of it.
    let (entries, _) = epd::parse(&fixture("positions/tricky.epd"));
    for (number, entry) in entries.into_iter().enumerate().filter(|(number, _)| number % 16 == 0) {
        trials.push(Trial::test(format!("search::{}", entry.id), move || {
            let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
            verdict(&diff::check_search(&mut machine, &entry.board, 150_000, number as u64).differences)
        }));
    }
    for (name, fen) in SEARCHED {
        trials.push(Trial::test(format!("search::{name}"), move || {
            let board: Board = fen.parse().expect("a position");
            let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
            verdict(&diff::check_search(&mut machine, &board, 3_000_000, 1).differences)
        }));
    }
    for seed in 0..3 {
        trials.push(Trial::test(format!("search::game-{seed}"), move || {
            let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
            verdict(&diff::search_game(&mut machine, &Board::default(), 60, seed).differences)
        }));
    }
    for (name, fen, depth) in PERFT {
        trials.push(Trial::test(format!("perft::{name}-{depth}"), move || {
            let board: Board = fen.parse().expect("a published position");
            let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
            let outcome = diff::perft(&mut machine, &board, depth);
            verdict(outcome.difference.as_slice())?;
            let mut game = tempo_chess::Game::new(board, tempo_chess::PromotionSet::QueenKnight);
            let nodes = tempo_boardgame::perft::perft(&mut game, depth);
            if outcome.nodes != nodes {
                return Err(format!("{} nodes, not {nodes}", outcome.nodes).into());
            }
            Ok(())
        }));
    }
    for first in (0..GAMES).step_by(GAMES_A_TEST as usize) {
        trials.push(Trial::test(format!("games::{first}..{}", first + GAMES_A_TEST), move || {
            let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
            for seed in first..first + GAMES_A_TEST {
                verdict(&diff::play_game(&mut machine, &Board::default(), seed).differences)?;
            }
            Ok(())
        }));
    }
    let (draws, faults) = diff::parse_draws(&fixture("positions/draws.txt"));
    assert_eq!(faults, [], "tests/positions/draws.txt");
    for draw in draws {
        trials.push(Trial::test(format!("draw::{}", draw.name), move || {
            let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
            verdict(&diff::check_draw(&mut machine, &draw))
        }));
    }
    trials.push(Trial::test("history::full-and-taken-back", move || long_history(program)));
    trials.push(Trial::test("cycles::as-committed", move || compare_cycles(program)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn verdict(found: &[Difference]) -> Result<(), Failed> {
    match found.first() {
        None => Ok(()),
        Some(first) => Err(format!("{}\n{}", diff::text(first), diff::reproduction(first)).into()),
    }
}

/// The contents of the history by the interface's description.
const MAX_HISTORY: usize = 200;

/// Rooks and kings wander until the history has overflowed twice, with moves taken back on the way;
/// `CheckRepetition` must agree with a list of positions at every ply.
fn long_history(program: &Program) -> Result<(), Failed> {
    const PLIES: usize = 700;
    let start: Board = "r3k3/8/8/8/8/8/8/4K2R w - - 0 1".parse().expect("a position");
    let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
    let call = |machine: &mut ChessMachine<'_>, routine, a, x| {
        machine.call(routine, a, x).map_err(|err| Failed::from(err.to_string()))
    };
    machine.start_game(&start).map_err(|err| err.to_string())?;
    let mut line = vec![start];
    let (mut repetitions, mut longest) = (0, 0);
    for ply in 0..PLIES {
        let board = line.last().expect("never empty");
        // Kings and rooks only, no captures: every position can come again.
        let quiet: Vec<Move> = board
            .legal_moves(PromotionSet::QueenKnight)
            .into_iter()
            .filter(|&mv| !board.is_capture(mv))
            .collect();
        // Mostly within a few squares, so that positions repeat; now and then far away.
        let mv = quiet[if ply % 16 == 15 { ply * ply / 7 } else { ply / 2 % 3 } % quiet.len()];
        let mut after = board.clone();
        after.play(mv);
        let (from, to) = encode_move(mv).expect("no promotion");
        call(&mut machine, Routine::MakeMove, from, to)?;
        call(&mut machine, Routine::RecordPosition, 0, 0)?;
        line.push(after);
        if line.len() > MAX_HISTORY {
            line.remove(0);
        }
        longest = longest.max(line.len());
        let latest = line.last().expect("never empty").identity();
        let expected = line.iter().filter(|board| board.identity() == latest).count() >= 3;
        repetitions += usize::from(expected);
        let found = call(&mut machine, Routine::CheckRepetition, 0, 0)?.carry;
        let count = usize::from(machine.ram[program.data.history_count]);
        if found != expected || count != line.len() {
            let seen = format!("repetition {found}, {count} positions");
            let fen = line.last().expect("never empty").fen();
            return Err(format!("ply {ply}, {fen}: {seen}; expected {expected}, {}", line.len()).into());
        }
        // Half-way, the last five plies are taken back.
        if ply == PLIES / 2 {
            line.truncate(line.len() - 5);
            machine.ram[program.data.history_count] = u8::try_from(line.len()).expect("at most 200");
            machine.set_position(line.last().expect("never empty"));
        }
    }
    if repetitions == 0 || repetitions == PLIES || longest != MAX_HISTORY {
        return Err(format!("{repetitions} repetitions and {longest} positions test nothing").into());
    }
    Ok(())
}

/// Cycles are exact: any change shows, and is committed on purpose or not at all.
fn compare_cycles(program: &Program) -> Result<(), Failed> {
    let (entries, _) = epd::parse(&fixture("positions/bench.epd"));
    let mut table = Table { positions: Vec::new(), shares: BTreeMap::new() };
    for entry in &entries {
        let mut machine = ChessMachine::new(program).map_err(|err| err.to_string())?;
        let row = cycles::measure(&mut machine, &entry.id, &entry.board).map_err(|err| err.to_string())?;
        table.positions.push(row);
        cycles::add_shares(&mut machine, &entry.board, &mut table.shares).map_err(|err| err.to_string())?;
    }
    Ok(tempo_testing::compare(&tempo_testing::root().join("docs/cycles.md"), &table.page())?)
}

fn fixture(name: &str) -> String {
    tempo_testing::text(&tempo_testing::fixtures().join(name))
}
