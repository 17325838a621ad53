//! The program's search against the reference search, node for node: best move, value, line and node count at
//! every depth and at node limits, on positions and along games.

use tempo_chess::search::{Limits, Reference, Report};
use tempo_chess::{Board, Game, Move, PromotionSet};
use tempo_random::Random;

use super::{Difference, Subject, Trail};
use crate::machine::CALL_LIMIT;
use crate::position::{decode_move, from_x88};
use crate::program::Routine;
use crate::{CallError, ChessMachine, Expansion};

/// A search that takes longer than this is stuck.
const SEARCH_LIMIT: u64 = 2_000_000_000;
/// Plies after which a game is broken off.
const MAX_PLIES: usize = 200;

/// The results of a comparison of searches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchOutcome {
    /// Searches compared.
    pub searches: u64,
    /// Nodes of the program in them.
    pub nodes: u64,
    /// Cycles of the program in them.
    pub cycles: u64,
    /// The difference.
    pub differences: Vec<Difference>,
}

/// The limit of one search.
#[derive(Debug, Clone, Copy)]
enum Limit {
    Depth(u8),
    Nodes(u32),
}

/// The variables of the search, beside those of the interface.
struct Places {
    level: u16,
    nodes: u16,
    count: u16,
    reached: u16,
    value: u16,
    length: u16,
    from: u16,
    to: u16,
}

impl Places {
    fn of(machine: &ChessMachine<'_>) -> Result<Places, &'static str> {
        let place = |name: &'static str| {
            machine.program.symbols.get(name).and_then(|value| u16::try_from(value).ok()).ok_or(name)
        };
        Ok(Places {
            level: place("SearchLevel")?,
            nodes: place("SearchNodes")?,
            count: place("NodeCount")?,
            reached: place("SearchReached")?,
            value: place("SearchValue")?,
            length: place("LineLength")?,
            from: place("LineFrom")?,
            to: place("LineTo")?,
        })
    }
}

/// Compares the searches of one position, each with an empty table: at every depth until one has taken `cycles`
/// of the program, and at node limits below the nodes of that one. The first difference ends it.
pub fn check_search(machine: &mut ChessMachine<'_>, board: &Board, cycles: u64, seed: u64) -> SearchOutcome {
    let mut outcome = SearchOutcome::default();
    let trail = Trail::at(board.fen());
    let mut compare = || -> Result<(), CallError> {
        machine.start_game(board)?;
        let mut random = Random::new(seed);
        let mut nodes = 0;
        for depth in 1..=Limits::MAX_DEPTH {
            clear(machine)?;
            let before = outcome.cycles;
            let mut reference = reference(machine);
            nodes =
                compare_once(machine, &mut reference, board, &[], Limit::Depth(depth), &trail, &mut outcome)?;
            if !outcome.differences.is_empty() || nodes == 0 || outcome.cycles - before >= cycles {
                break;
            }
        }
        for _ in 0..2 {
            if outcome.differences.is_empty() && nodes > 1 {
                clear(machine)?;
                let limit = Limit::Nodes(1 + random.below(u64::from(nodes)) as u32);
                let mut reference = reference(machine);
                compare_once(machine, &mut reference, board, &[], limit, &trail, &mut outcome)?;
            }
        }
        Ok(())
    };
    if let Err(err) = compare() {
        outcome.differences.push(trail.failed_call(board.fen(), &err));
    }
    outcome
}

/// Plays a game in which program and reference choose every move with the same number of nodes, their tables kept
/// from move to move. The first moves are random, and some later ones. The first difference ends it.
pub fn search_game(machine: &mut ChessMachine<'_>, start: &Board, nodes: u32, seed: u64) -> SearchOutcome {
    let mut outcome = SearchOutcome::default();
    let mut game = Game::new(start.clone(), PromotionSet::QueenKnight);
    let mut trail = Trail::at(start.fen());
    if let Err(err) = game_moves(machine, &mut game, nodes, seed, &mut trail, &mut outcome) {
        outcome.differences.push(trail.failed_call(game.board().fen(), &err));
    }
    outcome
}

fn game_moves(
    machine: &mut ChessMachine<'_>,
    game: &mut Game,
    nodes: u32,
    seed: u64,
    trail: &mut Trail,
    outcome: &mut SearchOutcome,
) -> Result<(), CallError> {
    let mut random = Random::new(seed);
    let mut reference = reference(machine);
    let mut past = Vec::new();
    machine.start_game(game.board())?;
    clear(machine)?;
    for ply in 0..MAX_PLIES {
        let moves = game.moves();
        if moves.is_empty() || game.ending().is_some() {
            break;
        }
        let board = game.board().clone();
        let mv = if ply < 8 || random.once_in(25) {
            *random.pick(&moves)
        } else {
            let limit = Limit::Nodes(nodes / 2 + random.below(u64::from(nodes)) as u32);
            compare_once(machine, &mut reference, &board, &past, limit, trail, outcome)?;
            match best(machine, &board) {
                Some(mv) if outcome.differences.is_empty() && moves.contains(&mv) => mv,
                _ => break,
            }
        };
        past.push(board);
        machine.play(mv)?;
        game.play(mv).expect("chosen among the legal moves");
        trail.line.push(mv.to_string());
    }
    Ok(())
}

/// The reference search with the table that the machine has room for.
fn reference(machine: &ChessMachine<'_>) -> Reference {
    match machine.expansion() {
        Expansion::None => Reference::default(),
        Expansion::Reu(kilobytes) => Reference::expanded(kilobytes),
    }
}

fn clear(machine: &mut ChessMachine<'_>) -> Result<(), CallError> {
    if let Some(entry) = machine.program.entry("ClearTable") {
        machine.enter(entry, 0, 0, CALL_LIMIT, &mut tempo_emu::NoHooks)?;
    }
    Ok(())
}

/// Runs both searches; returns the program's nodes.
fn compare_once(
    machine: &mut ChessMachine<'_>,
    reference: &mut Reference,
    board: &Board,
    past: &[Board],
    limit: Limit,
    trail: &Trail,
    outcome: &mut SearchOutcome,
) -> Result<u32, CallError> {
    let places = match Places::of(machine) {
        Ok(places) => places,
        Err(name) => {
            let missing = format!("the program has no {name}");
            outcome.differences.push(trail.difference(
                Subject::Search,
                board.fen(),
                "a search to compare",
                missing,
            ));
            return Ok(0);
        }
    };
    let (depth, nodes) = match limit {
        Limit::Depth(depth) => (depth, 0),
        Limit::Nodes(nodes) => (Limits::MAX_DEPTH, nodes),
    };
    machine.ram[places.level] = depth;
    for (offset, &byte) in (0u16..).zip(&nodes.to_le_bytes()[..3]) {
        machine.ram[places.nodes + offset] = byte;
    }
    for name in ["BookOn", "SearchPonder", "SearchSkill", "SearchTime"] {
        if let Some(entry) = machine.program.entry(name) {
            machine.ram[entry.address] = 0;
        }
    }
    let reply = machine.call_with(Routine::FindBestMove, 0, 0, SEARCH_LIMIT, &mut tempo_emu::NoHooks)?;
    let found = read(machine, &places, board);
    let expected = reference.search(board, past, Limits { depth, nodes, ..Limits::default() }, |_| {});
    outcome.searches += 1;
    outcome.nodes += u64::from(found.nodes);
    outcome.cycles += reply.cycles;
    // Without nodes there was nothing to choose: any legal move of a position beyond all games will do.
    let legal = found.best.is_some_and(|mv| board.is_legal(mv, PromotionSet::QueenKnight));
    let nothing_to_search = expected.nodes == 0 && found.nodes == 0 && legal == expected.best.is_some();
    let expected = Report { cycles: 0, ..expected };
    if expected != found && !nothing_to_search {
        let mut difference =
            trail.difference(Subject::Search, board.fen(), describe(&expected), describe(&found));
        difference.tried = Some(match limit {
            Limit::Depth(depth) => format!("depth {depth}"),
            Limit::Nodes(nodes) => format!("nodes {nodes}"),
        });
        outcome.differences.push(difference);
    }
    Ok(found.nodes)
}

fn best(machine: &ChessMachine<'_>, board: &Board) -> Option<Move> {
    let (from, to) = (machine.ram[machine.program.data.best_from], machine.ram[machine.program.data.best_to]);
    from_x88(from)?;
    decode_move(board, from, to)
}

/// The state of the finished search in the program's memory.
fn read(machine: &ChessMachine<'_>, places: &Places, board: &Board) -> Report {
    let ram = &machine.ram;
    let count = places.count;
    let mut position = board.clone();
    let mut line = Vec::new();
    for index in 0..u16::from(ram[places.length]) {
        let Some(mv) = decode_move(&position, ram[places.from + index], ram[places.to + index]) else {
            break;
        };
        line.push(mv);
        if !position.is_legal(mv, PromotionSet::QueenKnight) {
            break;
        }
        position.play(mv);
    }
    Report {
        best: best(machine, board),
        value: ram.word(places.value).cast_signed(),
        depth: ram[places.reached],
        nodes: u32::from_le_bytes([ram[count], ram[count + 1], ram[count + 2], 0]),
        cycles: 0,
        line,
    }
}

fn describe(report: &Report) -> String {
    let line: Vec<String> = report.line.iter().map(Move::to_string).collect();
    let best = report.best.map_or("no move".to_string(), |mv| mv.to_string());
    format!(
        "{best}, value {}, depth {}, {} nodes, line {}",
        report.value,
        report.depth,
        report.nodes,
        line.join(" ")
    )
}
