//! Searches that can be watched and stopped: the 6502 program in the emulator, and the reference search.
//! `tempo uci` and `tempo match` ask for a move here and do not know which one answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempo_bridge::search::{Limits, Report, Score, Search};
use tempo_bridge::{ChessMachine, Expansion, Program};
use tempo_chess::Board;
use tempo_chess::search::{self, Reference};

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
}

/// What the outside tells a search.
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

/// Someone who thinks.
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

/// The 6502 program in a machine of its own.
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
        let limits = search::Limits {
            depth: task.limits.depth,
            nodes: if bounded { task.limits.nodes } else { 0 },
            cycles: if bounded { task.limits.cycles } else { 0 },
            stop: Some(&signals.stop),
        };
        // Pondering has no limit but the signals; a hit ends it once its share is used up.
        let over = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            let watch = task.ponder.then(|| {
                scope.spawn(|| {
                    while !over.load(Ordering::Acquire) && !signals.hit.load(Ordering::Acquire) {
                        std::thread::sleep(WAIT);
                    }
                    if !over.load(Ordering::Acquire) {
                        signals.stop.store(true, Ordering::Release);
                    }
                })
            });
            let found = self.reference.search(&task.board, &task.past, limits, |found| heard(&report(found)));
            over.store(true, Ordering::Release);
            drop(watch);
            found
        });
        let found = report(&found);
        heard(&found);
        signals.wait(task);
        Ok(found)
    }
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
