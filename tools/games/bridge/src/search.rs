//! The program's search as something to watch: `FindBestMove` runs in slices, and between them the caller
//! reads how far it is, stops it, or gives it more time. Cycles are those of the emulated machine, so a
//! search with a budget gives the same answer on every host.
//!
//! Images that lack the newer variables work too: without `SearchStop` a search that is out of cycles is
//! left where it is, and its best move so far is the answer.

use tempo_chess::{Board, Move, PromotionSet};
use tempo_emu::{Hooks, NoHooks};
use tempo_formats::symbols::Symbols;

use crate::ChessMachine;
use crate::engine::EngineError;
use crate::machine::CALL_LIMIT;
use crate::position::{decode_move, from_x88};
use crate::program::{Entry, Routine};

/// Cycles a second of the C64 sold in Europe.
pub const PAL_HERTZ: u64 = tempo_emu::c64::Model::Pal.clock() as u64;

/// A program that knows `SearchStop` answers within this many cycles of being told.
const GRACE: u64 = 250_000;
/// The program looks at `SearchStop` every few nodes: it is told this many cycles before the budget is spent.
const MARGIN: u64 = 32_000;
/// The depth that the program takes for "no limit".
const DEEPEST: u8 = 20;
/// The most moves of a line that the program keeps.
const LINE: u16 = 8;
/// The value of having mated, if the program does not export it.
const MATE: i32 = 15_000;
/// Values within this many plies of a mate are mates.
const MATE_PLIES: i32 = 128;

/// When the search ends; the first limit that is reached counts. 0 means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Cycles of the machine.
    pub cycles: u64,
    /// Cycles that the first iteration may take if that is more than `cycles`, such as
    /// [`FIRST_ITERATION`](tempo_chess::search::FIRST_ITERATION).
    pub first: u64,
    /// Nodes.
    pub nodes: u32,
    /// The deepest iteration.
    pub depth: u8,
    /// How much it overlooks: 0 is full strength.
    pub skill: u8,
    /// Whether the book may answer, and the number that picks among its moves.
    pub book: Option<u8>,
}

/// How far a search is, or what it found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The best move so far; `None` if there is no legal move.
    pub best: Option<Move>,
    /// Its value, if the program tells.
    pub score: Option<Score>,
    /// The last complete iteration, if the program says so.
    pub depth: u8,
    /// Nodes so far.
    pub nodes: u32,
    /// Cycles so far.
    pub cycles: u64,
    /// The expected line, as far as it is legal.
    pub line: Vec<Move>,
}

/// A value for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves of the own side; negative if it is mated.
    Mate(i32),
}

impl Score {
    /// A value in which mates are `mate` less the plies until then.
    pub fn from_value(value: i32, mate: i32) -> Score {
        let plies = mate - value.abs();
        if (0..MATE_PLIES).contains(&plies) {
            let moves = (plies + 1) / 2;
            return Score::Mate(if value < 0 { -moves } else { moves });
        }
        Score::Centipawns(value)
    }

    /// In hundredths of a pawn; a mate counts as a hundred pawns and more.
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(value) => value,
            Score::Mate(moves) if moves > 0 => 20_000 - moves,
            Score::Mate(moves) => -20_000 - moves,
        }
    }
}

/// The variables of the search that an image may have.
struct Places {
    level: Option<u16>,
    nodes: Option<u16>,
    node_count: Option<u16>,
    stop: Option<u16>,
    reached: Option<u16>,
    value: Option<u16>,
    line_length: Option<u16>,
    line_from: Option<u16>,
    line_to: Option<u16>,
    skill: Option<u16>,
    book_on: Option<u16>,
    book_seed: Option<u16>,
    /// Where the root's list is complete and not yet searched.
    listed: Option<u16>,
    node_from: Option<u16>,
    node_to: Option<u16>,
    node_total: Option<u16>,
    mate: i32,
}

impl Places {
    fn of(symbols: &Symbols) -> Places {
        let place = |name| symbols.get(name).and_then(|value| u16::try_from(value).ok());
        Places {
            level: place("SearchLevel"),
            nodes: place("SearchNodes"),
            node_count: place("NodeCount"),
            stop: place("SearchStop"),
            reached: place("SearchReached"),
            value: place("SearchValue"),
            line_length: place("LineLength"),
            line_from: place("LineFrom"),
            line_to: place("LineTo"),
            skill: place("SearchSkill"),
            book_on: place("BookOn"),
            book_seed: place("BookSeed"),
            listed: place("RootListed"),
            node_from: place("NodeFrom"),
            node_to: place("NodeTo"),
            node_total: place("NodeTotal"),
            mate: place("SEARCH_MATE").map_or(MATE, i32::from),
        }
    }
}

/// A search under way in a machine.
pub struct Search<'m, 'p> {
    machine: &'m mut ChessMachine<'p>,
    places: Places,
    board: Board,
    /// The only moves that may be played; empty: all.
    only: Vec<Move>,
    budget: u64,
    first: u64,
    spent: u64,
    /// The cycle at which it was told to stop.
    stopped: Option<u64>,
    done: bool,
}

impl<'m, 'p> Search<'m, 'p> {
    /// Prepares a search of the position in the machine's memory, which is that of `board`.
    pub fn begin(machine: &'m mut ChessMachine<'p>, board: &Board, limits: Limits) -> Search<'m, 'p> {
        let places = Places::of(&machine.program.symbols);
        let mut set = |place: Option<u16>, bytes: &[u8]| {
            for (offset, &byte) in (0u16..).zip(bytes) {
                if let Some(place) = place {
                    machine.ram[place + offset] = byte;
                }
            }
        };
        let depth = if limits.depth == 0 { DEEPEST } else { limits.depth.min(DEEPEST) };
        set(places.level, &[depth]);
        set(places.nodes, &limits.nodes.min(0xff_ffff).to_le_bytes()[..3]);
        set(places.node_count, &[0; 3]);
        set(places.skill, &[limits.skill]);
        set(places.book_on, &[u8::from(limits.book.is_some())]);
        set(places.book_seed, &[limits.book.unwrap_or(0)]);
        set(places.reached, &[0]);
        set(places.line_length, &[0]);
        // What is there from the move before is not an answer to this position.
        set(Some(machine.program.data.best_from), &[0xff]);
        let entry = Entry {
            name: Routine::FindBestMove.name(),
            address: machine.program.routine(Routine::FindBestMove),
        };
        machine.begin(entry, 0, 0);
        Search {
            machine,
            places,
            board: board.clone(),
            only: Vec::new(),
            budget: limits.cycles,
            first: limits.first,
            spent: 0,
            stopped: None,
            done: false,
        }
    }

    /// Lets the search choose among these legal moves only: it runs until the root's moves are listed, and the
    /// others are taken off the list. An empty list allows all moves. Call it before the first `run`.
    ///
    /// Moves that the program does not search (promotions to rook or bishop) and images without the label
    /// `RootListed` leave the list as it is; the answer is one of the moves in any case.
    pub fn restrict(&mut self, only: &[Move]) -> Result<(), EngineError> {
        self.only = only.to_vec();
        let places = &self.places;
        let (Some(listed), Some(from), Some(to), Some(total)) =
            (places.listed, places.node_from, places.node_to, places.node_total)
        else {
            return Ok(());
        };
        if only.is_empty() {
            return Ok(());
        }
        let routine = Routine::FindBestMove.name();
        let before = self.machine.cycles;
        let reply = self.machine.resume_to(routine, CALL_LIMIT, Some(listed), &mut NoHooks)?;
        self.spent += self.machine.cycles - before;
        if reply.is_some() {
            // One move, or too many pieces, so that nothing is searched.
            self.done = true;
            return Ok(());
        }
        let ram = &mut self.machine.ram;
        let kept: Vec<(u8, u8)> = (0..u16::from(ram[total]))
            .map(|index| (ram[from + index], ram[to + index]))
            .filter(|&(from, to)| decode_move(&self.board, from, to).is_some_and(|mv| only.contains(&mv)))
            .collect();
        if let Ok(count @ 1..) = u8::try_from(kept.len()) {
            for (index, (start, goal)) in (0u16..).zip(kept) {
                ram[from + index] = start;
                ram[to + index] = goal;
            }
            ram[total] = count;
        }
        Ok(())
    }

    /// Goes on for this many cycles; true if the search has ended.
    pub fn run(&mut self, cycles: u64) -> Result<bool, EngineError> {
        self.run_with(cycles, &mut NoHooks)
    }

    /// As [`run`](Search::run), under hooks.
    pub fn run_with<H: Hooks>(&mut self, cycles: u64, hooks: &mut H) -> Result<bool, EngineError> {
        if self.done {
            return Ok(true);
        }
        let mut end = self.budget - (self.budget / 10).min(MARGIN);
        if self.budget > 0 && self.spent >= end {
            match self.spent < self.first && self.has_nothing() {
                true => end = self.first.min(self.spent + GRACE / 16),
                false => self.stop(),
            }
        }
        let slice = match self.stopped {
            Some(since) => {
                let Some(stop) = self.places.stop else {
                    self.done = true;
                    return Ok(true);
                };
                // Set again and again: the routine clears it when it begins.
                self.machine.ram[stop] = 1;
                (since + GRACE).saturating_sub(self.spent).min(GRACE / 16)
            }
            None if self.budget > 0 => cycles.min(end - self.spent),
            None => cycles,
        };
        let routine = Routine::FindBestMove.name();
        let before = self.machine.cycles;
        let reply = self.machine.resume(routine, slice, hooks)?;
        self.spent += self.machine.cycles - before;
        if reply.is_some() {
            self.done = true;
            if let Some(mv) = self.report().best
                && !self.board.is_legal(mv, PromotionSet::All)
            {
                return Err(EngineError::Illegal { mv: mv.to_string(), fen: self.board.fen() });
            }
        } else if let Some(since) = self.stopped
            && self.spent >= since + GRACE
        {
            let pc = self.machine.position_of_cpu();
            return Err(crate::CallError::Endless { routine, limit: self.spent, pc }.into());
        }
        Ok(self.done)
    }

    /// Whether the first iteration still runs, as far as the program can tell.
    fn has_nothing(&self) -> bool {
        self.places.reached.is_some_and(|place| self.machine.ram[place] == 0)
    }

    /// Tells the search to end: `run` goes on until it has.
    pub fn stop(&mut self) {
        self.stopped.get_or_insert(self.spent);
    }

    /// Sets the budget anew, counted from the beginning; 0 is none.
    pub fn set_budget(&mut self, cycles: u64) {
        self.budget = cycles;
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        self.spent
    }

    /// The present information.
    pub fn report(&self) -> Report {
        let ram = &self.machine.ram;
        let byte = |place: Option<u16>| place.map_or(0, |place| ram[place]);
        let mut board = self.board.clone();
        let mut line = Vec::new();
        let length = u16::from(byte(self.places.line_length)).min(LINE);
        if let (Some(from), Some(to)) = (self.places.line_from, self.places.line_to) {
            for index in 0..length {
                match decode_move(&board, ram[from + index], ram[to + index]) {
                    Some(mv) if board.is_legal(mv, PromotionSet::QueenKnight) => {
                        board.play(mv);
                        line.push(mv);
                    }
                    // Caught in the middle of an update.
                    _ => break,
                }
            }
        }
        let data = self.machine.program.data;
        let (from, to) = (ram[data.best_from], ram[data.best_to]);
        let best = match from_x88(from) {
            Some(_) => decode_move(&self.board, from, to),
            // Asked before the first instructions ran: any legal move is an answer.
            None if !self.done || self.stopped.is_some() => {
                self.board.legal_moves(PromotionSet::QueenKnight).first().copied()
            }
            None => None,
        };
        // What was not searched can still be asked for.
        let best = match self.only.first() {
            Some(&first) if best.is_none_or(|mv| !self.only.contains(&mv)) => Some(first),
            _ => best,
        };
        if line.first() != best.as_ref() {
            line = best.into_iter().collect();
        }
        let nodes = self
            .places
            .node_count
            .map_or(0, |place| u32::from_le_bytes([ram[place], ram[place + 1], ram[place + 2], 0]));
        let score = self
            .places
            .value
            .map(|place| Score::from_value(i32::from(ram.word(place).cast_signed()), self.places.mate));
        Report { best, score, depth: byte(self.places.reached), nodes, cycles: self.spent, line }
    }
}

/// The value of `Blended` in a program that has not searched yet.
const NO_PHASE: u8 = 0xff;

impl ChessMachine<'_> {
    /// Forgets what earlier searches learned, if the program keeps anything.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        if let Some(entry) = self.program.entry("ClearTable") {
            self.enter(entry, 0, 0, crate::machine::CALL_LIMIT, &mut NoHooks)?;
        }
        // The values blended for the last root would be there already, and save the next search their cycles.
        if let Some(phase) = self.program.entry("Blended") {
            self.ram[phase.address] = NO_PHASE;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    #[test]
    fn slices_make_no_difference_and_a_budget_is_kept() {
        let program = Program::assemble().expect("the program assembles");
        let board: Board = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
            .parse()
            .expect("a position");
        let search = |slice: u64, limits: Limits| {
            let mut machine = ChessMachine::new(&program).expect("it starts");
            machine.start_game(&board).expect("a position");
            let mut search = Search::begin(&mut machine, &board, limits);
            while !search.run(slice).expect("it answers") {}
            search.report()
        };
        let nodes = Limits { nodes: 300, ..Limits::default() };
        let whole = search(u64::MAX, nodes);
        assert_eq!(whole, search(1000, nodes));
        assert!(whole.best.is_some() && whole.nodes >= 299, "{whole:?}");
        let budget = Limits { cycles: 500_000, ..Limits::default() };
        let bounded = search(70_000, budget);
        assert!(bounded.best.is_some() && (460_000..=500_000).contains(&bounded.cycles), "{bounded:?}");
        // One cycle is too little for anything but a legal move, unless the first iteration may end.
        let none = search(10, Limits { cycles: 1, ..Limits::default() });
        assert!(none.best.is_some_and(|mv| board.is_legal(mv, PromotionSet::All)), "{none:?}");
        let first = search(10, Limits { cycles: 1, first: 1_000_000, ..Limits::default() });
        assert!(first.depth == 1 && first.cycles < 1_000_000, "{first:?}");
    }

    #[test]
    fn values_near_a_mate_are_mates() {
        for (value, score) in [
            (14_999, Score::Mate(1)),
            (14_997, Score::Mate(2)),
            (-14_998, Score::Mate(-1)),
            (-15_000, Score::Mate(0)),
            (312, Score::Centipawns(312)),
            (-14_000, Score::Centipawns(-14_000)),
        ] {
            assert_eq!(Score::from_value(value, MATE), score, "{value}");
        }
        assert!(Score::Mate(1).centipawns() > Score::Mate(3).centipawns());
        assert!(Score::Mate(-1).centipawns() < Score::Mate(-3).centipawns());
    }
}
