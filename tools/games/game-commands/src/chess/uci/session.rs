//! The Universal Chess Interface: commands in, answers out. A session gets lines from its caller
//! and writes to whatever it is given, so that tests talk to it without a process. The search runs in a
//! thread of its own, and `stop`, `isready` and `ponderhit` are answered while it runs.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tempo_bridge::levels::{Level, levels};
use tempo_bridge::search::{Limits, PAL_HERTZ, Report, Score};
use tempo_bridge::{Expansion, Program, book};
use tempo_chess::search::FIRST_ITERATION;
use tempo_chess::{Board, FenFault, Move, PromotionSet, san};
use tempo_diagnostics::shortened;

use super::go::Go;
use super::options::{Id, Item, MOST_LINES, NO_LEVEL, OPTIONS};
use crate::chess::program::parse_expansion;
use crate::chess::thinker::{Image, Model, Signals, Task, Thinker, think_of_mate};

/// Where answers go; the search writes from its own thread.
pub type Sink = Arc<Mutex<dyn Write + Send>>;

/// Whether the session goes on after a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Goes,
    Ends,
}

/// The options that a GUI can set.
#[derive(Debug, Clone, PartialEq)]
struct Options {
    hertz: u64,
    /// A level of the program instead of full strength.
    level: Option<Level>,
    keeps_table: bool,
    book: bool,
    engine: EngineKind,
    expansion: Expansion,
    /// Lines of analysis.
    lines: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EngineKind {
    C64,
    Reference,
}

/// The deepest iteration that a GUI may ask for.
const DEEPEST: u8 = 20;
/// Who thinks, and with what.
type Kind = (EngineKind, Expansion);

impl Default for Options {
    fn default() -> Options {
        Options {
            hertz: PAL_HERTZ,
            level: None,
            keeps_table: true,
            book: true,
            engine: EngineKind::C64,
            expansion: Expansion::None,
            lines: 1,
        }
    }
}

/// A thinker at work. It comes back when it has answered.
struct Running {
    signals: Arc<Signals>,
    thread: JoinHandle<Box<dyn Thinker>>,
}

/// A conversation with a GUI.
pub struct Session {
    program: &'static Program,
    sink: Sink,
    options: Options,
    board: Board,
    past: Vec<Board>,
    /// The thinker and the kind it is of, when it is not at work.
    thinker: Option<(Kind, Box<dyn Thinker>)>,
    running: Option<Running>,
    new_game: bool,
    /// Varies the book from game to game; the same position of a game is answered alike.
    game: u64,
}

impl Session {
    pub fn new(program: &'static Program, sink: Sink, seed: u64) -> Session {
        Session {
            program,
            sink,
            options: Options::default(),
            board: Board::default(),
            past: Vec::new(),
            thinker: None,
            running: None,
            new_game: false,
            game: seed,
        }
    }

    /// Answers one line. What is not understood is passed over, as the protocol asks.
    pub fn line(&mut self, text: &str) -> Next {
        // Words before the first command are passed over, too.
        let mut rest = text.trim();
        loop {
            let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let behind = behind.trim();
            match word {
                "uci" => self.introduce(),
                "isready" => self.say("readyok"),
                "setoption" => self.set_option(behind),
                "ucinewgame" => {
                    self.new_game = true;
                    self.game = self.game.wrapping_add(1);
                }
                "position" => self.position(behind),
                "go" => self.go(behind),
                "stop" => self.signal(|signals| signals.stop.store(true, Ordering::Release)),
                "ponderhit" => self.signal(|signals| signals.hit.store(true, Ordering::Release)),
                "quit" => return Next::Ends,
                "debug" | "register" | "" => {}
                _ if !behind.is_empty() => {
                    rest = behind;
                    continue;
                }
                _ => {}
            }
            return Next::Goes;
        }
    }

    /// Stops what runs and waits until it has answered.
    pub fn finish(&mut self) {
        self.signal(|signals| signals.stop.store(true, Ordering::Release));
        self.wait();
    }

    /// Waits for the search that runs.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take()
            && let Ok(thinker) = running.thread.join()
        {
            self.thinker = Some((self.kind(), thinker));
        }
    }

    fn kind(&self) -> Kind {
        (self.options.engine, self.options.expansion)
    }

    fn signal(&self, set: impl FnOnce(&Signals)) {
        if let Some(running) = &self.running {
            set(&running.signals);
        }
    }

    fn say(&self, text: &str) {
        say(&self.sink, text);
    }

    fn introduce(&self) {
        self.say(&format!("id name Tempo {} (6502)", env!("CARGO_PKG_VERSION")));
        self.say("id author the Tempo authors");
        let levels = self.levels();
        let levels: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
        OPTIONS.iter().for_each(|item| self.say(&item.line(&levels)));
        self.say("uciok");
    }

    fn set_option(&mut self, text: &str) {
        let text = text.strip_prefix("name").unwrap_or(text).trim();
        let (name, value) = match text.split_once(" value") {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (text, ""),
        };
        let Some(item) = Item::find(name) else {
            return self.say(&format!("info string there is no option {}", shortened(name, 40)));
        };
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        let taken = match item.id {
            Id::Clock => match value.parse::<f64>() {
                Ok(mhz) if (0.001..=1000.0).contains(&mhz) => {
                    self.options.hertz = (mhz * 1e6).round() as u64;
                    Ok(())
                }
                _ => Err(item.takes.to_owned()),
            },
            Id::Level => self.set_level(&value.to_ascii_lowercase()),
            Id::Hash => match value.parse::<u32>() {
                // The table has the size that the machine's memory gives it.
                Ok(megabytes) => {
                    self.options.keeps_table = megabytes > 0;
                    Ok(())
                }
                Err(_) => Err(item.takes.to_owned()),
            },
            Id::Reu => match value {
                "none" => Ok(Expansion::None),
                _ => parse_expansion(value).map_err(|_| item.takes.to_owned()),
            }
            .map(|expansion| self.change_expansion(expansion)),
            Id::ClearHash => {
                self.new_game = true;
                Ok(())
            }
            Id::Book if is("true") || is("false") => {
                self.options.book = is("true");
                Ok(())
            }
            Id::Engine if is("c64") || is("reference") => {
                self.change_engine(if is("c64") { EngineKind::C64 } else { EngineKind::Reference });
                Ok(())
            }
            Id::Book | Id::Engine => Err(item.takes.to_owned()),
            Id::MultiPv => match value.parse::<u32>() {
                Ok(lines @ 1..=MOST_LINES) => {
                    self.options.lines = lines as usize;
                    Ok(())
                }
                _ => Err(item.takes.to_owned()),
            },
            // `go ponder` says it all.
            Id::Ponder => Ok(()),
        };
        if let Err(takes) = taken {
            self.say(&format!("info string {name} takes {takes}"));
        }
    }

    /// The levels that the program has; none if it cannot say.
    fn levels(&self) -> Vec<Level> {
        levels(self.program).unwrap_or_default()
    }

    /// Chooses a level by its name or its number; the error is the names there are.
    fn set_level(&mut self, name: &str) -> Result<(), String> {
        let mut known = self.levels();
        let number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let place = known
            .iter()
            .position(|level| level.name == name)
            .or_else(|| number.filter(|&number| number < known.len()));
        if place.is_none() && name != NO_LEVEL {
            let names: Vec<&str> = known.iter().map(|level| level.name.as_str()).collect();
            return Err(format!("{NO_LEVEL}, 1 to {}, or a level's name: {}", names.len(), names.join(", ")));
        }
        self.options.level = place.map(|place| known.swap_remove(place));
        Ok(())
    }

    fn change_engine(&mut self, kind: EngineKind) {
        // A search that runs is of the old kind; it answers first.
        self.finish();
        self.options.engine = kind;
    }

    fn change_expansion(&mut self, expansion: Expansion) {
        self.finish();
        self.options.expansion = expansion;
    }

    /// Sets the position. A fault leaves the last one, and says so.
    fn position(&mut self, text: &str) {
        let (setup, moves) = match text.split_once("moves") {
            Some((setup, moves)) => (setup.trim(), moves),
            None => (text, ""),
        };
        let board = match setup.split_once(char::is_whitespace) {
            None if setup == "startpos" => Ok(Board::default()),
            Some(("fen", fen)) => read_fen(fen).map_err(|fault| fault.to_string()),
            _ => Err("write position startpos or position fen".to_owned()),
        };
        let mut board = match board {
            Ok(board) => board,
            Err(fault) => return self.say(&format!("info string position refused: {fault}")),
        };
        let mut past = Vec::new();
        for word in moves.split_whitespace() {
            match san::read(&board, word, PromotionSet::All) {
                Ok(mv) => {
                    past.push(board.clone());
                    board.play(mv);
                }
                Err(err) => return self.say(&format!("info string position refused: {err}")),
            }
        }
        (self.board, self.past) = (board, past);
    }

    fn go(&mut self, text: &str) {
        // The search before has to answer first; GUIs send `stop` themselves.
        self.finish();
        let go = Go::parse(text);
        let legal = self.board.legal_moves(PromotionSet::All);
        if legal.is_empty() {
            // Nothing to search: the score says whether it is mate or stalemate.
            let score = if self.board.in_check() { "mate 0" } else { "cp 0" };
            self.say(&format!("info depth 0 score {score} nodes 0 time 0"));
            return self.say("bestmove 0000");
        }
        let only = self.allowed(&go);
        let mut thinker = match self.take_thinker() {
            Ok(thinker) => thinker,
            Err(message) => {
                self.say(&format!("info string {message}"));
                return self.say("bestmove 0000");
            }
        };
        let milliseconds = go.milliseconds(self.board.turn());
        let hertz = self.options.hertz;
        let mut cycles = milliseconds.map_or(0, |time| time.saturating_mul(hertz) / 1000).min(u64::MAX / 2);
        let (mut depth, mut skill) = (go.plies().unwrap_or(DEEPEST).min(DEEPEST), 0);
        if let Some(level) = &self.options.level {
            // A level has seconds: a faster clock does more in them.
            let most = (u128::from(level.cycles) * u128::from(hertz) / u128::from(PAL_HERTZ)) as u64;
            if go.is_plain() || cycles > most {
                cycles = most;
            }
            (depth, skill) = (depth.min(level.depth), level.skill);
        }
        let lines = self.options.lines;
        let task = Task {
            board: self.board.clone(),
            past: self.past.clone(),
            limits: Limits {
                cycles,
                first: FIRST_ITERATION,
                nodes: go.nodes.unwrap_or(0),
                depth,
                skill,
                // Analysis wants the search, and so does a limit that is not time.
                book: (self.options.book
                    && milliseconds.is_some()
                    && !go.ponder
                    && only.is_empty()
                    && go.mate.is_none()
                    && lines < 2)
                    .then(|| book::seed(self.game, self.past.len())),
            },
            ponder: go.ponder,
            infinite: go.infinite,
            only,
            mate: go.mate.map(i32::from),
        };
        let signals = Arc::new(Signals::default());
        let (heard, sink) = (Arc::clone(&signals), Arc::clone(&self.sink));
        let thread = std::thread::spawn(move || {
            let mut tell = |line: usize, report: &Report| {
                say(&sink, &info(report, hertz, (lines > 1).then_some(line)));
            };
            let mut note = |text: &str| say(&sink, &format!("info string {text}"));
            let (board, only) = (task.board.clone(), task.only.clone());
            match think_of_mate(&mut *thinker, task, lines, &heard, &mut tell, &mut note) {
                Ok(report) => say(&sink, &best_move(&board, &report)),
                Err(message) => {
                    // Never leave a GUI without an answer.
                    say(&sink, &format!("info string {message}"));
                    let any = only.first().copied();
                    let any = any.or_else(|| board.legal_moves(PromotionSet::All).first().copied());
                    say(&sink, &best_move(&board, &Report { best: any, ..Report::default() }));
                }
            }
            thinker
        });
        self.running = Some(Running { signals, thread });
    }

    /// The moves after `searchmoves`; what is not a legal move is said and passed over.
    fn allowed(&self, go: &Go) -> Vec<Move> {
        let mut only: Vec<Move> = Vec::new();
        for word in &go.search_moves {
            match san::read(&self.board, word, PromotionSet::All) {
                Ok(mv) if !only.contains(&mv) => only.push(mv),
                Ok(_) => {}
                Err(err) => self.say(&format!("info string searchmoves: {err}")),
            }
        }
        only
    }

    fn take_thinker(&mut self) -> Result<Box<dyn Thinker>, String> {
        let kept = self.thinker.take().filter(|(kind, _)| *kind == self.kind());
        let mut thinker = match kept {
            Some((_, thinker)) => thinker,
            None => match self.options.engine {
                EngineKind::C64 => Box::new(Image::new(self.program, self.options.expansion)?),
                EngineKind::Reference => Box::new(Model::new(self.options.expansion)) as Box<dyn Thinker>,
            },
        };
        if std::mem::take(&mut self.new_game) || !self.options.keeps_table {
            thinker.new_game()?;
        }
        Ok(thinker)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Writes a line at once. A GUI that is gone cannot be told; the end of its input ends the session.
fn say(sink: &Sink, text: &str) {
    if let Ok(mut sink) = sink.lock() {
        let _ = writeln!(sink, "{text}").and_then(|()| sink.flush());
    }
}

/// Reads a FEN as GUIs send it: blanks may be wider, and clocks may be missing.
fn read_fen(text: &str) -> Result<Board, FenFault> {
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() == 5 {
        fields.push("1");
    }
    fields.join(" ").parse()
}

fn info(report: &Report, hertz: u64, line: Option<usize>) -> String {
    let Report { depth, nodes, cycles, .. } = *report;
    let mut text = format!("info depth {depth}");
    if let Some(line) = line {
        text += &format!(" multipv {line}");
    }
    match report.score {
        Some(Score::Centipawns(value)) => text += &format!(" score cp {value}"),
        Some(Score::Mate(moves)) => text += &format!(" score mate {moves}"),
        None => {}
    }
    let per_second = (u128::from(nodes) * u128::from(hertz) / u128::from(cycles.max(1))) as u64;
    let time = (u128::from(cycles) * 1000 / u128::from(hertz.max(1))) as u64;
    text += &format!(" nodes {nodes} nps {per_second} time {time}");
    if !report.line.is_empty() {
        text += " pv";
        for mv in &report.line {
            text += &format!(" {mv}");
        }
    }
    text
}

fn best_move(board: &Board, report: &Report) -> String {
    let Some(best) = report.best else { return "bestmove 0000".to_owned() };
    debug_assert!(board.is_legal(best, PromotionSet::All));
    match report.line[..] {
        [first, reply, ..] if first == best => format!("bestmove {best} ponder {reply}"),
        _ => format!("bestmove {best}"),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
