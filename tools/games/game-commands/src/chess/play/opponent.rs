//! The C64's chess program across the terminal board: a thread thinks in the emulator while the screen goes on.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use tempo_boardgame::Game as _;
use tempo_bridge::search::{Limits, PAL_HERTZ, Report, Score};
use tempo_bridge::{Expansion, Program};
use tempo_chess::{Board, Game, Move, san};

use crate::board::{Brain, Thought};
use crate::chess::thinker::{Image, Signals, Task, Thinker};

/// The program in its own machine, at one level.
pub struct Opponent {
    program: &'static Program,
    expansion: Expansion,
    limits: Limits,
    /// At home unless it is at work.
    image: Option<Image>,
    work: Option<Work>,
    /// The latest state of the last search.
    last: Report,
}

/// A search under way. The thread gives the machine back.
struct Work {
    board: Board,
    signals: Arc<Signals>,
    heard: Arc<Mutex<Report>>,
    thread: JoinHandle<(Image, Result<Report, String>)>,
}

impl Opponent {
    pub fn new(program: &'static Program, expansion: Expansion, limits: Limits) -> Result<Opponent, String> {
        let image = Image::new(program, expansion)?;
        Ok(Opponent { program, expansion, limits, image: Some(image), work: None, last: Report::default() })
    }

    /// Ends a search that is no longer needed; stopping takes the emulator a few milliseconds.
    fn drop_work(&mut self) {
        if let Some(work) = self.work.take() {
            work.signals.stop.store(true, Ordering::Release);
            self.image = work.thread.join().ok().map(|(image, _)| image);
        }
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        self.drop_work();
    }
}

impl Brain<Game> for Opponent {
    fn begin(&mut self, start: &Game, moves: &[Move]) {
        self.drop_work();
        let mut game = start.clone();
        let mut past = Vec::with_capacity(moves.len());
        for &mv in moves {
            past.push(game.board().clone());
            game.make(mv);
        }
        let board = game.board().clone();
        let task = Task::new(board.clone(), past, self.limits);
        let Some(mut image) = self.image.take().or_else(|| Image::new(self.program, self.expansion).ok())
        else {
            return;
        };
        let (signals, heard) = (Arc::new(Signals::default()), Arc::new(Mutex::new(Report::default())));
        let (told, hears) = (Arc::clone(&signals), Arc::clone(&heard));
        let thread = std::thread::spawn(move || {
            let result = image.think(&task, &told, &mut |report| {
                *hears.lock().unwrap_or_else(PoisonError::into_inner) = report.clone();
            });
            (image, result)
        });
        self.work = Some(Work { board, signals, heard, thread });
    }

    fn look(&mut self) -> Thought<Move> {
        let Some(work) = self.work.take() else {
            return Thought::Failed("the chess program does not start".into());
        };
        if !work.thread.is_finished() {
            let report = work.heard.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let shown = shown(&work.board, &report);
            self.work = Some(work);
            return Thought::Thinking(shown);
        }
        match work.thread.join() {
            Ok((image, result)) => {
                self.image = Some(image);
                match result {
                    Ok(report) => {
                        let best = report.best;
                        self.last = report;
                        Thought::Found(best)
                    }
                    Err(message) => Thought::Failed(message),
                }
            }
            Err(_) => Thought::Failed("the chess program has stopped".into()),
        }
    }

    fn hurry(&mut self) {
        if let Some(work) = &self.work {
            work.signals.stop.store(true, Ordering::Release);
        }
    }

    fn time_used(&self) -> Duration {
        Duration::from_millis(self.last.cycles * 1000 / PAL_HERTZ)
    }

    fn wants_draw(&self) -> bool {
        self.last.depth > 0 && self.last.score.is_some_and(|score| score.centipawns() <= 0)
    }
}

/// Depth, value for the C64, positions, and the line it expects.
fn shown(board: &Board, report: &Report) -> String {
    if report.depth == 0 {
        return String::new();
    }
    let value = match report.score {
        Some(Score::Centipawns(value)) => format!("{:+.2}", f64::from(value) / 100.0),
        Some(Score::Mate(moves)) => format!("mate in {}", moves.abs()),
        None => String::new(),
    };
    let mut board = board.clone();
    let mut line = Vec::new();
    for &mv in report.line.iter().take(5) {
        line.push(san::write(&board, mv, tempo_chess::PromotionSet::All));
        board.play(mv);
    }
    format!("depth {}  {value}  {} positions  {}", report.depth, report.nodes, line.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for the answer, as a screen does.
    fn answer(opponent: &mut Opponent, start: &Game, moves: &[Move]) -> Option<Move> {
        opponent.begin(start, moves);
        loop {
            match opponent.look() {
                Thought::Thinking(_) => std::thread::sleep(Duration::from_millis(1)),
                Thought::Found(found) => return found,
                Thought::Failed(message) => panic!("{message}"),
            }
        }
    }

    #[test]
    fn the_program_answers_and_can_be_hurried() {
        let program: &'static Program = Box::leak(Box::new(Program::assemble().expect("it assembles")));
        let start = Game::new(
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse().expect("a position"),
            tempo_chess::PromotionSet::All,
        );
        let limits = Limits { cycles: PAL_HERTZ, ..Limits::default() };
        let mut opponent = Opponent::new(program, Expansion::None, limits).expect("a machine");
        let mate = answer(&mut opponent, &start, &[]).expect("a move");
        assert_eq!(mate.to_string(), "a1a8");
        assert!(!opponent.wants_draw() && opponent.time_used() > Duration::ZERO);
        // Mated: there is no move.
        assert_eq!(answer(&mut opponent, &start, &[mate]), None);
        // Without a limit it thinks until it is told, or until the answer is no longer wanted.
        opponent.limits = Limits::default();
        opponent.begin(&Game::default(), &[]);
        opponent.begin(&start, &[]);
        opponent.hurry();
        let deadline = std::time::Instant::now() + Duration::from_secs(60);
        while matches!(opponent.look(), Thought::Thinking(_)) {
            assert!(std::time::Instant::now() < deadline, "it does not stop");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
