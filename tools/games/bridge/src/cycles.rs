//! Costs of calls: cycles of each routine over a set of positions, and where they go.
//! Cycles are exact, so two measurements of one program are equal to the last digit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use tempo_chess::{Board, PromotionSet};
pub use tempo_diagnostics::grouped;
use tempo_diagnostics::hex_address;
use tempo_emu::{Hooks, NoHooks, Registers};
use tempo_formats::symbols::Symbols;

use crate::machine::CALL_LIMIT;
use crate::position::{colour_byte, encode_move};
use crate::program::{Entry, Routine};
use crate::{CallError, ChessMachine};

/// A measurement of one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// One row per position, in the order of the file.
    pub positions: Vec<Row>,
    /// Cycles of `GenerateLegalMovesSynced` over all positions, by the routine that spends them itself.
    pub shares: BTreeMap<String, u64>,
}

/// The costs in one position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The name of the position.
    pub id: String,
    /// The position.
    pub fen: String,
    /// Legal moves, with queen and knight promotions.
    pub moves: u64,
    /// The cost of each of [`COLUMNS`] here; a column the program cannot answer is left out.
    pub costs: BTreeMap<String, Cost>,
}

/// Cycles of a routine in one position. One call has one figure; a pair made for every move has three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The cheapest call.
    pub min: u64,
    /// The mean of all calls, rounded down.
    pub mean: u64,
    /// The dearest call.
    pub max: u64,
}

impl Cost {
    fn of(samples: &[u64]) -> Option<Cost> {
        let (min, max) = (*samples.iter().min()?, *samples.iter().max()?);
        Some(Cost { min, mean: samples.iter().sum::<u64>() / samples.len() as u64, max })
    }
}

/// The columns in the order they are shown. The pairs with `inner` skip the rebuild, as the search does.
pub const COLUMNS: [&str; 8] = [
    "GenerateLegalMoves",
    "SyncPosition",
    "GenerateLegalMovesSynced",
    "IsKingInCheck",
    "CheckGameState",
    "ComputeZobristHash",
    "MakeMove+UnmakeMove",
    "inner make+unmake",
];

/// Where inner make and unmake are, if the program exports them.
const INNER: (&str, &str) = ("MakeMoveSynced", "UnmakeMoveSynced");

/// Measures every routine in one position.
pub fn measure(machine: &mut ChessMachine<'_>, id: &str, board: &Board) -> Result<Row, CallError> {
    machine.start_game(board)?;
    let us = colour_byte(board.turn());
    let mut costs = BTreeMap::new();
    let calls = [
        (Routine::GenerateLegalMoves, us),
        (Routine::SyncPosition, 0),
        (Routine::GenerateLegalMovesSynced, us),
        (Routine::IsKingInCheck, us),
        (Routine::CheckGameState, 0),
        (Routine::ComputeZobristHash, 0),
    ];
    for (routine, x) in calls {
        let cycles = machine.call(routine, 0, x)?.cycles;
        costs.insert(routine.name().to_owned(), Cost { min: cycles, mean: cycles, max: cycles });
    }
    let public = [Routine::MakeMove, Routine::UnmakeMove]
        .map(|routine| Entry { name: routine.name(), address: machine.program.routine(routine) });
    costs.extend(pairs(machine, board, public)?.map(|cost| (COLUMNS[6].to_owned(), cost)));
    if let (Some(make), Some(unmake)) = (machine.program.entry(INNER.0), machine.program.entry(INNER.1)) {
        machine.call(Routine::SyncPosition, 0, 0)?;
        costs.extend(pairs(machine, board, [make, unmake])?.map(|cost| (COLUMNS[7].to_owned(), cost)));
    }
    let moves = board.count_legal_moves(PromotionSet::QueenKnight);
    Ok(Row { id: id.to_owned(), fen: board.fen(), moves, costs })
}

/// Makes and unmakes every legal move.
fn pairs(machine: &mut ChessMachine<'_>, board: &Board, pair: [Entry; 2]) -> Result<Option<Cost>, CallError> {
    let mut samples = Vec::new();
    for (from, to) in board.legal_moves(PromotionSet::QueenKnight).into_iter().filter_map(encode_move) {
        let mut cycles = 0;
        for entry in pair {
            cycles += machine.enter(entry, from, to, CALL_LIMIT, &mut NoHooks)?.cycles;
        }
        samples.push(cycles);
    }
    Ok(Cost::of(&samples))
}

/// Adds to `shares` who spends the cycles of one `GenerateLegalMovesSynced`.
pub fn add_shares(
    machine: &mut ChessMachine<'_>,
    board: &Board,
    shares: &mut BTreeMap<String, u64>,
) -> Result<(), CallError> {
    machine.set_position(board);
    machine.call(Routine::SyncPosition, 0, 0)?;
    let mut profile = Profile::default();
    let us = colour_byte(board.turn());
    let routine = Routine::GenerateLegalMovesSynced;
    let reply = machine.call_with(routine, 0, us, CALL_LIMIT, &mut profile)?;
    profile.close(reply.cycles);
    for (address, cycles) in profile.spent.into_iter().enumerate().filter(|&(_, cycles)| cycles > 0) {
        *shares.entry(owner(&machine.program.symbols, address as i64)).or_default() += cycles;
    }
    Ok(())
}

/// Cycles by the address of the instruction that took them.
pub(crate) struct Profile {
    pub(crate) spent: Vec<u64>,
    last: Option<(u16, u64)>,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile { spent: vec![0; 0x10000], last: None }
    }
}

impl Profile {
    pub(crate) fn close(&mut self, cycles: u64) {
        if let Some((pc, since)) = self.last.take() {
            self.spent[usize::from(pc)] += cycles - since;
        }
    }
}

impl Hooks for Profile {
    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.close(cycles);
        self.last = Some((registers.pc, cycles));
        ControlFlow::Continue(())
    }
}

/// The routine an address belongs to: the nearest label at or before it, without the labels inside.
pub(crate) fn owner(symbols: &Symbols, address: i64) -> String {
    match symbols.nearest(address) {
        Some((symbol, _)) => symbol.path.split('.').next().unwrap_or_default().to_owned(),
        None => hex_address(address),
    }
}

/// A figure that grew since the table it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The name of the position.
    pub id: String,
    /// The routine, as [`COLUMNS`] names it.
    pub column: String,
    /// The mean in the earlier table, if it has one.
    pub before: Option<u64>,
    /// The mean in this table, if it has one.
    pub now: Option<u64>,
}

impl Change {
    /// Whether the program became slower, or the figure went missing.
    pub fn is_worse(&self) -> bool {
        match (self.before, self.now) {
            (Some(before), Some(now)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

impl Table {
    /// Every mean that differs from an earlier table.
    pub fn changes_since(&self, earlier: &Table) -> Vec<Change> {
        let mut changes = Vec::new();
        for before in &earlier.positions {
            let now = self.positions.iter().find(|row| row.id == before.id);
            for (column, cost) in &before.costs {
                let now = now.and_then(|row| row.costs.get(column)).map(|cost| cost.mean);
                if now != Some(cost.mean) {
                    let (id, column) = (before.id.clone(), column.clone());
                    changes.push(Change { id, column, before: Some(cost.mean), now });
                }
            }
        }
        changes
    }

    /// Minimum, mean and maximum of a column over the positions.
    pub fn summary(&self, column: &str) -> Option<Cost> {
        let costs: Vec<Cost> =
            self.positions.iter().filter_map(|row| row.costs.get(column).copied()).collect();
        let means: Vec<u64> = costs.iter().map(|cost| cost.mean).collect();
        let mut total = Cost::of(&means)?;
        total.min = costs.iter().map(|cost| cost.min).min()?;
        total.max = costs.iter().map(|cost| cost.max).max()?;
        Some(total)
    }

    /// The columns that have figures.
    fn columns(&self) -> impl Iterator<Item = &'static str> {
        COLUMNS.into_iter().filter(|&column| self.positions.iter().any(|row| row.costs.contains_key(column)))
    }

    /// The page for the documentation.
    pub fn page(&self) -> String {
        format!(
            "# Cycles\n\n\
             Written by `tempo chess cycles --format markdown`; a test compares it with the program.\n\
             Cycles from the first instruction of a routine to the last of its `rts`; \
             columns with three figures are mean (min..max) over all legal moves.\n\n{}\n\
             ## Where `GenerateLegalMovesSynced` spends them\n\n{}",
            self.markdown(),
            self.shares_markdown()
        )
    }

    /// The positions as a Markdown table; also what a terminal shows.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| position | moves |");
        let columns: Vec<&str> = self.columns().collect();
        for column in &columns {
            let _ = write!(text, " {column} |");
        }
        text.push_str(" cycles per move |\n|---|--:|");
        text.push_str(&"--:|".repeat(columns.len() + 1));
        text.push('\n');
        for row in &self.positions {
            let _ = write!(text, "| {} | {} |", row.id, row.moves);
            for column in &columns {
                let _ = match row.costs.get(*column) {
                    Some(cost) if cost.min == cost.max => write!(text, " {} |", grouped(cost.mean)),
                    Some(cost) => {
                        write!(
                            text,
                            " {} ({}..{}) |",
                            grouped(cost.mean),
                            grouped(cost.min),
                            grouped(cost.max)
                        )
                    }
                    None => write!(text, " |"),
                };
            }
            let synced = row.costs.get(Routine::GenerateLegalMovesSynced.name());
            let _ = match synced.filter(|_| row.moves > 0) {
                Some(cost) => writeln!(text, " {} |", grouped(cost.mean / row.moves)),
                None => writeln!(text, " |"),
            };
        }
        for (name, pick) in [
            ("**min**", (|cost: Cost| cost.min) as fn(Cost) -> u64),
            ("**mean**", |cost| cost.mean),
            ("**max**", |cost| cost.max),
        ] {
            let _ = write!(text, "| {name} | |");
            for column in &columns {
                let figure = self.summary(column).map(pick).map(grouped).unwrap_or_default();
                let _ = write!(text, " {figure} |");
            }
            text.push_str(" |\n");
        }
        text
    }

    /// The shares as a Markdown table, largest first.
    pub fn shares_markdown(&self) -> String {
        let total: u64 = self.shares.values().sum();
        let mut rows: Vec<(&String, &u64)> = self.shares.iter().collect();
        rows.sort_by_key(|&(name, &cycles)| (std::cmp::Reverse(cycles), name));
        let mut text = String::from("| routine | cycles | share |\n|---|--:|--:|\n");
        for (name, &cycles) in rows {
            let tenths = cycles * 1000 / total.max(1);
            let _ = writeln!(text, "| {name} | {} | {}.{} % |", grouped(cycles), tenths / 10, tenths % 10);
        }
        text
    }

    /// Comma-separated values: one line a position and routine.
    pub fn csv(&self) -> String {
        let mut text = String::from("position,moves,routine,min,mean,max\n");
        for row in &self.positions {
            for column in COLUMNS {
                if let Some(cost) = row.costs.get(column) {
                    let Cost { min, mean, max } = cost;
                    let _ = writeln!(text, "{},{},{column},{min},{mean},{max}", row.id, row.moves);
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(mean: u64) -> Table {
        let cost = Cost { min: mean - 1, mean, max: mean + 1 };
        let costs = BTreeMap::from([("SyncPosition".to_owned(), cost)]);
        let row = Row { id: "start".into(), fen: String::new(), moves: 20, costs };
        Table { positions: vec![row], shares: BTreeMap::new() }
    }

    #[test]
    fn a_grown_figure_is_a_worse_change_and_a_smaller_one_is_not() {
        let changes = table(11).changes_since(&table(10));
        assert!(changes.len() == 1 && changes[0].is_worse());
        assert!(!table(9).changes_since(&table(10))[0].is_worse());
        assert!(table(10).changes_since(&table(10)).is_empty());
    }
}
