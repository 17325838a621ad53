//! Searches that can be watched and stopped: the 6502 program in the emulator, and the reference search.
//! `tempo uci` and `tempo match` ask for a move here and do not know which one answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempo_bridge::search::{Limits, Report, Score, Search};
use tempo_bridge::{ChessMachine, Expansion, Program};
use tempo_chess::search::{self, Reference};
use tempo_chess::{Board, Move, PromotionSet};

use crate::chess::mates::{Verdict, prove};

/// Cycles between two looks at the signals: under a millisecond of the host's time.
const SLICE: u64 = 100_000;
/// How often a search that is over looks whether it may say so.
const WAIT: Duration = Duration::from_millis(2);

/// A position to think about.
pub struct Task {
    pub board: Board,
    /// The positions before it, oldest first.
    pub past: Vec<Board>,
    pub limits: Limits,
    /// Limits count only from [`Signals::hit`] on, and the answer waits for it.
    pub ponder: bool,
    /// The answer waits for [`Signals::stop`].
    pub infinite: bool,
    /// The only moves to choose among; empty: all.
    pub only: Vec<Move>,
    /// A mate in this many moves ends the search.
    pub mate: Option<i32>,
}

impl Task {
    /// A position to think about without limits, as a part of a game.
    pub fn new(board: Board, past: Vec<Board>, limits: Limits) -> Task {
        Task { board, past, limits, ponder: false, infinite: false, only: Vec::new(), mate: None }
    }

    /// Whether a report ends the search before its limits.
    fn is_solved(&self, report: &Report) -> bool {
        match (self.mate, report.score) {
            (Some(most), Some(Score::Mate(moves))) => report.depth > 0 && (1..=most).contains(&moves),
            _ => false,
        }
    }
}

/// The messages from outside to a search.
#[derive(Debug, Default)]
pub struct Signals {
    pub stop: AtomicBool,
    /// The opponent played the expected move.
    pub hit: AtomicBool,
}

impl Signals {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether the limits count.
    fn is_limited(&self, task: &Task) -> bool {
        !task.ponder || self.hit.load(Ordering::Acquire)
    }

    /// Waits until the answer may be given.
    fn wait(&self, task: &Task) {
        while !self.stopped() && (task.infinite || !self.is_limited(task)) {
            std::thread::sleep(WAIT);
        }
    }
}

/// A thinker.
pub trait Thinker: Send {
    /// Forgets what was learned in the game before.
    fn new_game(&mut self) -> Result<(), String>;

    /// Thinks until a limit or a signal; `heard` gets every new depth or line.
    fn think(
        &mut self,
        task: &Task,
        signals: &Signals,
        heard: &mut dyn FnMut(&Report),
    ) -> Result<Report, String>;
}

/// The 6502 program in its own machine.
pub struct Image {
    machine: ChessMachine<'static>,
}

impl Image {
    pub fn new(program: &'static Program, expansion: Expansion) -> Result<Image, String> {
        Ok(Image { machine: ChessMachine::with(program, expansion).map_err(|err| err.to_string())? })
    }
}

impl Thinker for Image {
    fn new_game(&mut self) -> Result<(), String> {
        self.machine.new_game().map_err(|err| err.to_string())
    }

    fn think(
        &mut self,
        task: &Task,
        signals: &Signals,
        heard: &mut dyn FnMut(&Report),
    ) -> Result<Report, String> {
        self.machine.continue_game(&task.board, &task.past).map_err(|err| err.to_string())?;
        // The program's own node limit knows no pondering: it is watched here instead.
        let own = Limits { cycles: 0, nodes: if task.ponder { 0 } else { task.limits.nodes }, ..task.limits };
        let mut search = Search::begin(&mut self.machine, &task.board, own);
        search.restrict(&task.only).map_err(|err| err.to_string())?;
        let mut last = Report::default();
        loop {
            if signals.stopped() {
                search.stop();
            }
            if signals.is_limited(task) {
                search.set_budget(task.limits.cycles);
                if task.ponder && task.limits.nodes > 0 && last.nodes >= task.limits.nodes {
                    search.stop();
                }
            }
            let done = search.run(SLICE).map_err(|err| err.to_string())?;
            let now = search.report();
            if (now.depth > 0 && (now.depth != last.depth || now.line != last.line)) || done {
                heard(&now);
            }
            if task.is_solved(&now) {
                search.stop();
            }
            last = now;
            if done {
                break;
            }
        }
        signals.wait(task);
        Ok(last)
    }
}

/// The reference search; cycles are those of its model of the 6502.
pub struct Model {
    reference: Reference,
}

impl Model {
    pub fn new(expansion: Expansion) -> Model {
        Model {
            reference: match expansion {
                Expansion::None => Reference::default(),
                Expansion::Reu(kilobytes) => Reference::expanded(kilobytes),
            },
        }
    }
}

impl Thinker for Model {
    fn new_game(&mut self) -> Result<(), String> {
        self.reference.table.clear();
        Ok(())
    }

    fn think(
        &mut self,
        task: &Task,
        signals: &Signals,
        heard: &mut dyn FnMut(&Report),
    ) -> Result<Report, String> {
        let bounded = !task.ponder;
        // A mate and a hit end the search, too. `stop` stays the GUI's: the answer may have to wait for it.
        let has_other_ends = task.ponder || task.mate.is_some();
        let halt = AtomicBool::new(false);
        let limits = search::Limits {
            depth: task.limits.depth,
            nodes: if bounded { task.limits.nodes } else { 0 },
            cycles: if bounded { task.limits.cycles } else { 0 },
            first: task.limits.first,
            stop: Some(if has_other_ends { &halt } else { &signals.stop }),
            only: &task.only,
        };
        let over = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            if has_other_ends {
                scope.spawn(|| {
                    let is_ended = || signals.stopped() || task.ponder && signals.hit.load(Ordering::Acquire);
                    while !over.load(Ordering::Acquire) && !is_ended() {
                        std::thread::sleep(WAIT);
                    }
                    halt.store(true, Ordering::Release);
                });
            }
            let found = self.reference.search(&task.board, &task.past, limits, |found| {
                let found = report(found);
                if task.is_solved(&found) {
                    halt.store(true, Ordering::Release);
                }
                heard(&found);
            });
            over.store(true, Ordering::Release);
            found
        });
        let mut found = report(&found);
        if let Some(&first) = task.only.first()
            && found.best.is_none_or(|mv| !task.only.contains(&mv))
        {
            (found.best, found.line) = (Some(first), vec![first]);
        }
        heard(&found);
        signals.wait(task);
        Ok(found)
    }
}

/// Thinks about the best `count` moves at once. `heard` gets the number of the line, from 1, with every report, again if
/// a better line takes its place; the answer is the first line.
///
/// Each depth is searched once for every line, without the moves of the lines before it. The table remembers
/// the shallower depths, so that coming back to a depth costs little.
pub fn think_lines(
    thinker: &mut dyn Thinker,
    task: &Task,
    count: usize,
    signals: &Signals,
    heard: &mut dyn FnMut(usize, &Report),
) -> Result<Report, String> {
    let moves = match task.only.is_empty() {
        true => task.board.legal_moves(PromotionSet::QueenKnight),
        false => task.only.clone(),
    };
    let count = count.min(moves.len());
    // A line more costs nothing to leave out, and pondering ends at a moment that only one search can see.
    if count < 2 || task.ponder {
        return thinker.think(task, signals, &mut |report| heard(1, report));
    }
    let (mut cycles, mut nodes) = (0, 0);
    let mut answer = Report::default();
    'depths: for depth in 1..=task.limits.depth.max(1) {
        let mut taken: Vec<Move> = Vec::new();
        let mut lines: Vec<Report> = Vec::new();
        for _ in 0..count {
            let limits = Limits {
                depth,
                cycles: left(task.limits.cycles, cycles),
                nodes: left(task.limits.nodes.into(), nodes) as u32,
                book: None,
                ..task.limits
            };
            let only: Vec<Move> = moves.iter().copied().filter(|mv| !taken.contains(mv)).collect();
            let part = Task { only, ..Task::new(task.board.clone(), task.past.clone(), limits) };
            let found = thinker.think(&part, signals, &mut |_| {})?;
            cycles += found.cycles;
            nodes += u64::from(found.nodes);
            let is_whole = found.depth == depth || matches!(found.score, Some(Score::Mate(_)));
            let is_over = signals.stopped()
                || task.limits.cycles > 0 && cycles >= task.limits.cycles
                || task.limits.nodes > 0 && nodes >= u64::from(task.limits.nodes);
            // A depth that was not finished says nothing new, unless there is nothing else to say.
            if !is_whole && answer.best.is_some() {
                break 'depths;
            }
            let told =
                Report { depth, nodes: u32::try_from(nodes).unwrap_or(u32::MAX), cycles, ..found.clone() };
            // A search with fewer moves may prune less, and find a better line than the ones before it.
            let place = lines.partition_point(|known| value(known) >= value(&told));
            lines.insert(place, told);
            for (number, line) in (1..).zip(&lines).skip(place) {
                heard(number, line);
            }
            answer.clone_from(&lines[0]);
            if is_over {
                break 'depths;
            }
            taken.extend(found.best);
        }
        if task.is_solved(&answer) {
            break;
        }
    }
    signals.wait(task);
    Ok(answer)
}

/// Thinks as [`think_lines`] does, and proves by the rules what it says of the mate that is asked for: a mate that
/// the search prunes is found, and one that is none is not told. `note` gets what was proven.
pub fn think_of_mate(
    thinker: &mut dyn Thinker,
    task: Task,
    count: usize,
    signals: &Signals,
    heard: &mut dyn FnMut(usize, &Report),
    note: &mut dyn FnMut(&str),
) -> Result<Report, String> {
    let Some(most) = task.mate else { return think_lines(thinker, &task, count, signals, heard) };
    let stopped = || signals.stopped();
    let prove = |only: &[Move], moves: i32| {
        prove(&task.board, &task.past, only, usize::try_from(moves).unwrap_or(0), &stopped)
    };
    // A claim comes again with every report until the search is over.
    let mut judged: Vec<(Move, i32, bool)> = Vec::new();
    let mut is_false = |report: &Report| {
        let (Some(best), Some(Score::Mate(moves @ 1..))) = (report.best, report.score) else { return false };
        if moves > most {
            return false;
        }
        let known = judged.iter().find(|known| (known.0, known.1) == (best, moves)).map(|known| known.2);
        known.unwrap_or_else(|| {
            let refuted = prove(&[best], moves) == Verdict::None;
            judged.push((best, moves, refuted));
            refuted
        })
    };
    // What waits for `stop` waits until all is said.
    let search = Task {
        board: task.board.clone(),
        past: task.past.clone(),
        only: task.only.clone(),
        infinite: false,
        ..task
    };
    let mut answer =
        think_lines(thinker, &search, count, signals, &mut |line, report| match is_false(report) {
            true => heard(line, &Report { score: None, ..report.clone() }),
            false => heard(line, report),
        })?;
    if is_false(&answer) {
        answer.score = None;
    }
    if !task.is_solved(&answer) {
        // No deeper than the search may look.
        let moves = most.min((i32::from(task.limits.depth) + 1) / 2);
        match prove(&task.only, moves) {
            Verdict::Mate(line) => {
                let moves = line.len().div_ceil(2);
                answer = Report {
                    best: line.first().copied(),
                    score: i32::try_from(moves).ok().map(Score::Mate),
                    depth: u8::try_from(line.len()).unwrap_or(u8::MAX),
                    line,
                    ..answer
                };
                note(&format!("mate in {moves} is proven by the rules: the search does not see it"));
                heard(1, &answer);
            }
            Verdict::None => note(&format!("there is no mate in {moves}")),
            Verdict::Open => note(&format!("no mate in {moves} was found; not every move was tried")),
        }
    }
    signals.wait(&task);
    Ok(answer)
}

/// The score of a line, by which lines are in order.
fn value(line: &Report) -> i32 {
    line.score.map_or(i32::MIN, Score::centipawns)
}

/// The rest of a limit, at least 1; 0 means no limit and stays 0.
fn left(limit: u64, used: u64) -> u64 {
    if limit == 0 { 0 } else { limit.saturating_sub(used).max(1) }
}

fn report(found: &search::Report) -> Report {
    Report {
        best: found.best,
        score: Some(Score::from_value(found.value.into(), search::MATE.into())),
        depth: found.depth,
        nodes: found.nodes,
        cycles: found.cycles,
        line: found.line.clone(),
    }
}
