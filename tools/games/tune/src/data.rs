//! Positions to tune by: from games of the reference search against itself, labelled by the result and by an engine.
//! A line is `FEN | result | centipawns`, both for White; the result is 0, 0.5 or 1.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempo_chess::search::{Limits, Reference, static_value};
use tempo_chess::{Board, Color, Game, GameState, Move, PieceKind, PromotionSet};
use tempo_random::Random;
use thiserror::Error;

/// A labelled position.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// White's points of the game.
    pub result: f64,
    /// The engine's value for White; 0 until it is labelled.
    pub centipawns: f64,
}

/// A failure of the teacher.
#[derive(Debug, Error)]
pub enum TeacherError {
    /// It cannot be started.
    #[error("cannot run {0}: {1}")]
    Start(String, std::io::Error),
    /// It stopped talking.
    #[error("the engine ended: {0}")]
    Ended(#[from] std::io::Error),
}

/// Positions of one game: quiet ones with enough pieces and pawns, because drawn endings spoil the endgame values.
pub fn game_samples(seed: u64, number: u64, nodes: u32) -> Vec<Sample> {
    let mut random = Random::stream(seed, number);
    let mut players = [Reference::default(), Reference::default()];
    let mut game = Game::new(Board::default(), PromotionSet::QueenKnight);
    let mut past = Vec::new();
    let mut found = Vec::new();
    let mut decided = 0;
    let result = loop {
        match game.state() {
            GameState::Normal | GameState::Check => {}
            GameState::Checkmate => break if game.board().turn() == Color::White { 0.0 } else { 1.0 },
            _ => break 0.5,
        }
        let board = game.board().clone();
        let ply = past.len();
        let white = board.turn() == Color::White;
        let player = &mut players[usize::from(white)];
        let report = player.search(&board, &past, Limits { nodes, ..Limits::default() }, |_| {});
        let Some(best) = report.best else { break 0.5 };
        let random_move = ply < 4 + (number % 9) as usize || ply < 40 && random.once_in(16);
        if !random_move && ply > 8 && report.nodes > 0 && is_useful(&board, best) {
            let value = static_value(&board, &player.values).unwrap_or(0);
            let value = if white { value } else { -value };
            if value.abs_diff(report.value) < 90 && report.value.abs() < 900 {
                found.push(board.clone());
            }
        }
        decided = if report.value.abs() > 900 { decided + 1 } else { 0 };
        if decided > 5 {
            break if (report.value > 0) == white { 1.0 } else { 0.0 };
        }
        if ply > 240 {
            break 0.5;
        }
        let moves = game.moves();
        let mv = if random_move { *random.pick(&moves) } else { best };
        past.push(board);
        if game.play(mv).is_err() {
            break 0.5;
        }
    };
    // Neighbouring positions tell the same: every fourth will do.
    let step = found.into_iter().step_by(4);
    step.map(|board| Sample { board, result, centipawns: 0.0 }).collect()
}

fn is_useful(board: &Board, best: Move) -> bool {
    let pawns = |color| board.pieces(color, PieceKind::Pawn).count();
    board.occupied().count() > 8
        && pawns(Color::White) + pawns(Color::Black) >= 4
        && pawns(Color::White) > 0
        && pawns(Color::Black) > 0
        && board.halfmove_clock() <= 12
        && !board.in_check()
        && !board.is_capture(best)
        && best.promotion.is_none()
}

/// An engine that says what positions are worth.
pub struct Teacher {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    nodes: u32,
}

impl Teacher {
    /// Starts a UCI engine.
    pub fn start(command: &str, nodes: u32) -> Result<Teacher, TeacherError> {
        let start = |err| TeacherError::Start(command.to_string(), err);
        let mut child =
            Command::new(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(start)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or_else(|| start(std::io::Error::other("no pipes")))?;
        let mut teacher = Teacher { child, input, output: BufReader::new(output), nodes };
        teacher.send("uci\nsetoption name Threads value 1\nsetoption name Hash value 16\nisready\n")?;
        while !teacher.line()?.starts_with("readyok") {}
        Ok(teacher)
    }

    fn send(&mut self, text: &str) -> Result<(), TeacherError> {
        self.input.write_all(text.as_bytes())?;
        Ok(self.input.flush()?)
    }

    fn line(&mut self) -> Result<String, TeacherError> {
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into()),
            _ => Ok(line),
        }
    }

    /// The value of a position for White; `None` for mates, and if the best move takes something.
    pub fn judge(&mut self, board: &Board) -> Result<Option<f64>, TeacherError> {
        self.send(&format!("position fen {}\ngo nodes {}\n", board.fen(), self.nodes))?;
        let mut value = None;
        loop {
            let line = self.line()?;
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(place) = words.iter().position(|&word| word == "score") {
                value = match words.get(place + 1..place + 3) {
                    Some(["cp", number]) => number.parse::<f64>().ok(),
                    _ => None,
                };
            }
            if words.first() == Some(&"bestmove") {
                let best = words.get(1).and_then(|text| text.parse::<Move>().ok());
                let quiet = best.is_some_and(|mv| !board.is_capture(mv) && mv.promotion.is_none());
                let sign = if board.turn() == Color::White { 1.0 } else { -1.0 };
                return Ok(value.filter(|_| quiet).map(|value| sign * value));
            }
        }
    }
}

impl Drop for Teacher {
    fn drop(&mut self) {
        let _ = self.send("quit\n");
        let _ = self.child.wait();
    }
}

/// A sample as a line.
pub fn write(sample: &Sample) -> String {
    format!("{} | {} | {}\n", sample.board.fen(), sample.result, sample.centipawns)
}

/// The sample of a line.
pub fn read(line: &str) -> Option<Sample> {
    let mut fields = line.split(" | ");
    let board = fields.next()?.parse().ok()?;
    let result = fields.next()?.trim().parse().ok()?;
    let centipawns = fields.next()?.trim().parse().ok()?;
    Some(Sample { board, result, centipawns })
}
