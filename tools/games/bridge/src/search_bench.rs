//! The search over a fixed set of positions: nodes, cycles, and which routines spend them. Exact, so two runs of one
//! program are equal to the last digit.

use std::collections::BTreeMap;

use tempo_chess::Move;

use crate::cycles::{Profile, owner};
use crate::engine::EngineError;
use crate::epd::Entry;
use crate::search::{Limits, Search};
use crate::{ChessMachine, Expansion, Program};

/// The positions of the signature: openings, middlegames, tactics and endgames, both sides to move.
pub const POSITIONS: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";
r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - id \"two-knights\";
rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - id \"tarrasch\";
r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - id \"dragon\";
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - id \"kiwipete\";
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - id \"symmetrical\";
r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/PBN1BN2/1P3PPP/R2Q1RK1 w - - id \"isolated-pawn\";
2rq1rk1/pb1n1ppp/1p2pn2/3p4/1bPP4/1PN1PN2/PB2BPPP/2RQ1RK1 b - - id \"hanging-pawns\";
3r2k1/pp3pp1/2n1b2p/3pP3/3P4/2PB1N2/P4PPP/4R1K1 w - - id \"quiet-middlegame\";
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - id \"rook-endgame\";
8/5pk1/4p1p1/3pP2p/3P1P1P/3K2P1/8/8 b - - id \"pawn-endgame\";
8/8/4kpp1/8/2b1PK2/6P1/5B2/8 w - - id \"bishop-endgame\";
";

/// Whether routines are told apart, which takes longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profiling {
    /// Totals alone.
    Off,
    /// Cycles by routine, too.
    On,
}

/// The figures of one program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bench {
    /// One row a position.
    pub rows: Vec<Row>,
    /// Cycles by the routine that spends them itself.
    pub shares: BTreeMap<String, u64>,
}

/// The figures of one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub id: String,
    /// The answer.
    pub best: Option<Move>,
    /// The depth reached.
    pub depth: u8,
    /// Nodes.
    pub nodes: u64,
    /// Cycles.
    pub cycles: u64,
}

impl Bench {
    /// Nodes of all positions.
    pub fn nodes(&self) -> u64 {
        self.rows.iter().map(|row| row.nodes).sum()
    }

    /// Cycles of all positions.
    pub fn cycles(&self) -> u64 {
        self.rows.iter().map(|row| row.cycles).sum()
    }
}

/// Cycles between two looks at the profile.
const SLICE: u64 = 10_000_000;
/// A position that takes longer is stopped: about a quarter of an hour of the real machine.
const LONGEST: u64 = 1_000_000_000;

/// Searches every position to a depth, from an empty table.
pub fn measure(
    program: &Program,
    expansion: Expansion,
    entries: &[Entry],
    depth: u8,
    profiling: Profiling,
    mut progress: impl FnMut(usize),
) -> Result<Bench, EngineError> {
    let mut bench = Bench::default();
    let mut spent = vec![0; 0x10000];
    for (done, entry) in (1..).zip(entries) {
        let mut machine = ChessMachine::with(program, expansion)?;
        machine.new_game()?;
        machine.start_game(&entry.board)?;
        let limits = Limits { depth, cycles: LONGEST, ..Limits::default() };
        let mut search = Search::begin(&mut machine, &entry.board, limits);
        match profiling {
            Profiling::Off => while !search.run(SLICE)? {},
            Profiling::On => {
                let mut profile = Profile::default();
                while !search.run_with(SLICE, &mut profile)? {}
                profile.close(search.cycles());
                for (total, cycles) in spent.iter_mut().zip(profile.spent) {
                    *total += cycles;
                }
            }
        }
        let found = search.report();
        bench.rows.push(Row {
            id: entry.id.clone(),
            best: found.best,
            depth: found.depth,
            nodes: found.nodes.into(),
            cycles: found.cycles,
        });
        progress(done);
    }
    for (address, cycles) in spent.into_iter().enumerate().filter(|&(_, cycles)| cycles > 0) {
        *bench.shares.entry(owner(&program.symbols, address as i64)).or_default() += cycles;
    }
    Ok(bench)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_are_equal_and_every_cycle_has_an_owner() {
        let program = Program::assemble().expect("it assembles");
        let (entries, faults) = crate::epd::parse(POSITIONS);
        assert_eq!((faults.len(), entries.len()), (0, 12));
        let once =
            measure(&program, Expansion::None, &entries[..3], 1, Profiling::On, |_| {}).expect("it answers");
        let again =
            measure(&program, Expansion::None, &entries[..3], 1, Profiling::Off, |_| {}).expect("it answers");
        assert_eq!(once.rows, again.rows);
        assert_eq!(once.shares.values().sum::<u64>(), once.cycles());
        assert!(once.nodes() > 60, "{}", once.nodes());
    }
}
