//! Players at the table: the image, the reference search, a random mover, another engine's process.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tempo_bridge::contest::{Choice, Player, Table};
use tempo_bridge::search::{Limits, PAL_HERTZ, Score};
use tempo_bridge::{Program, book};
use tempo_chess::{Move, PromotionSet};
use tempo_random::Random;

use super::spec::{Kind, Spec};
use crate::chess::thinker::{Image, Model, Signals, Task, Thinker};

/// How long another engine may stay silent beyond its time.
const PATIENCE: Duration = Duration::from_secs(30);
/// Cycles over the budget that count as an overrun: two in a hundred.
const OVERRUN: u64 = 50;
/// The least budget that counts.
const LEAST: u64 = 300_000;

/// Seats a player. `seed` varies what is left to chance.
pub fn open(
    spec: &Spec,
    program: Option<&'static Program>,
    seed: u64,
) -> Result<Box<dyn Player + Send>, String> {
    let thinking = |thinker: Box<dyn Thinker>| -> Box<dyn Player + Send> {
        Box::new(Thinking { thinker, spec: spec.clone(), game: seed })
    };
    Ok(match &spec.kind {
        Kind::Image | Kind::File(_) | Kind::Revision(_) => {
            let program = program.ok_or("no program was loaded")?;
            thinking(Box::new(Image::new(program, spec.expansion)?))
        }
        Kind::Reference => thinking(Box::new(Model::new(spec.expansion))),
        Kind::Random => Box::new(Aimless { random: Random::new(seed) }),
        Kind::Uci { command, arguments } => Box::new(Engine::start(command, arguments, spec)?),
    })
}

/// One of our searches.
struct Thinking {
    thinker: Box<dyn Thinker>,
    spec: Spec,
    /// Varies the book from game to game.
    game: u64,
}

impl Player for Thinking {
    fn new_game(&mut self) -> Result<(), String> {
        self.game = self.game.wrapping_add(1 << 32);
        self.thinker.new_game()
    }

    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, String> {
        let limits = Limits {
            cycles: self.spec.cycles,
            first: 0,
            nodes: self.spec.nodes,
            depth: self.spec.depth,
            skill: 0,
            book: self.spec.book.then(|| book::seed(self.game, table.past.len())),
        };
        let task = Task::new(table.board.clone(), table.past.to_vec(), limits);
        let found = self.thinker.think(&task, &Signals::default(), &mut |_| {})?;
        let budget = self.spec.cycles;
        // A budget that is hardly more than the start of a search cannot be kept.
        if budget >= LEAST && found.cycles > budget + budget / OVERRUN {
            let spent = found.cycles;
            return Err(format!("{spent} cycles for a move of {budget} in {}", table.board.fen()));
        }
        Ok(Choice {
            mv: found.best.ok_or_else(|| format!("no move in {}", table.board.fen()))?,
            score: found.score.filter(|_| found.nodes > 0).map(Score::centipawns),
            depth: found.depth.into(),
            nodes: found.nodes.into(),
            milliseconds: (u128::from(found.cycles) * 1000 / u128::from(PAL_HERTZ)) as u64,
        })
    }
}

/// Plays any legal move.
struct Aimless {
    random: Random,
}

impl Player for Aimless {
    fn new_game(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, String> {
        let moves = table.board.legal_moves(PromotionSet::All);
        Ok(Choice::from(*self.random.pick(&moves)))
    }
}

/// Another engine, spoken to through UCI.
struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
    go: String,
    patience: Duration,
}

impl Engine {
    fn start(command: &Path, arguments: &[String], spec: &Spec) -> Result<Engine, String> {
        let name = command.display().to_string();
        let mut child = Command::new(command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|err| format!("cannot start {name}: {err}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot talk to {name}"));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut go = "go".to_owned();
        for (word, limit) in
            [("movetime", spec.move_time), ("nodes", spec.nodes.into()), ("depth", spec.depth.into())]
        {
            if limit > 0 {
                go += &format!(" {word} {limit}");
            }
        }
        let patience = PATIENCE + Duration::from_millis(spec.move_time.saturating_mul(2));
        let mut engine = Engine { child, input, lines, name, go, patience };
        engine.say("uci")?;
        engine.hear("uciok", |_| {})?;
        for (option, value) in &spec.options {
            engine.say(&format!("setoption name {} value {value}", option.replace('+', " ")))?;
        }
        Ok(engine)
    }

    fn say(&mut self, text: &str) -> Result<(), String> {
        writeln!(self.input, "{text}")
            .and_then(|()| self.input.flush())
            .map_err(|err| format!("{} does not listen: {err}", self.name))
    }

    /// Waits for a line that begins with a word, and shows every other one.
    fn hear(&mut self, word: &str, mut other: impl FnMut(&str)) -> Result<String, String> {
        let until = Instant::now() + self.patience;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) => other(&line),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("{} did not answer with {word} in time", self.name));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(format!("{} has ended", self.name)),
            }
        }
    }
}

impl Player for Engine {
    fn new_game(&mut self) -> Result<(), String> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.hear("readyok", |_| {}).map(drop)
    }

    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, String> {
        let mut position = format!("position fen {}", table.start.fen());
        if !table.moves.is_empty() {
            position += " moves";
            for mv in table.moves {
                position += &format!(" {mv}");
            }
        }
        self.say(&position)?;
        let go = self.go.clone();
        self.say(&go)?;
        let mut told = Told::default();
        let answer = self.hear("bestmove", |line| told.info(line))?;
        let text = answer.split_whitespace().nth(1).unwrap_or_default();
        let mv: Move = text.parse().map_err(|_| format!("{} answers `{answer}`", self.name))?;
        Ok(Choice {
            mv,
            score: told.score,
            depth: told.depth,
            nodes: told.nodes,
            milliseconds: told.milliseconds,
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.say("quit");
        // An engine that does not leave by itself is ended; it is ours.
        for _ in 0..50 {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An engine's output while it thinks.
#[derive(Default)]
struct Told {
    score: Option<i32>,
    depth: u32,
    nodes: u64,
    milliseconds: u64,
}

impl Told {
    fn info(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"info") {
            return;
        }
        let number = |word: &str| -> Option<i64> {
            let at = words.iter().position(|&known| known == word)?;
            words.get(at + 1)?.parse().ok()
        };
        if let Some(value) = number("cp") {
            self.score = i32::try_from(value).ok();
        } else if let Some(moves) = number("mate") {
            self.score = i32::try_from(moves).ok().map(|moves| Score::Mate(moves).centipawns());
        }
        self.depth = number("depth").and_then(|depth| u32::try_from(depth).ok()).unwrap_or(self.depth);
        let natural =
            |word, known| number(word).and_then(|number| u64::try_from(number).ok()).unwrap_or(known);
        self.nodes = natural("nodes", self.nodes);
        self.milliseconds = natural("time", self.milliseconds);
    }
}
