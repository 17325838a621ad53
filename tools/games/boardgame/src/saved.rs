//! Saved games as JSON Lines: a header, one line a move, the result if there is one. Written against
//! the `Game` trait, so every game saves and resumes the same way. Does no I/O: text in, text out.
//!
//! ```text
//! {"tempo":"game","version":1,"game":"spec","setup":{"spec":"chess"}}
//! {"n":1,"seat":"WHITE","move":"4,1>4,3#1"}
//! {"n":2,"seat":"BLACK","move":"4,6>4,4#1"}
//! ```

use serde::Serialize;
use serde_json::{Value, json};
use thiserror::Error;

use crate::{Game, Outcome, Seat};
use tempo_json::{self, Limits, Node};

/// The first line: which game this is and how it was set up.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The family of games: `spec`, `enochian`, `chess`.
    pub game: String,
    /// The data with which that family sets up the start; an object.
    pub setup: Value,
}

/// A saved game as read, its moves not yet tried.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// Which game it is and how it starts.
    pub header: Header,
    /// The moves in order.
    pub moves: Vec<SavedMove>,
}

/// One move of a saved game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedMove {
    /// Line in the file, from 1.
    pub line: u32,
    /// The move in the game's text form.
    pub text: String,
}

/// Why a text is not a saved game, or not one of this game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SavedError {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The fault there.
    pub message: String,
}

/// A game replayed: the position reached, and what leads back from it.
#[derive(Debug)]
pub struct Replayed<G: Game> {
    /// The position after the last move.
    pub game: G,
    /// The moves, each with what takes it back.
    pub played: Vec<(G::Move, G::Undo)>,
}

/// Lines beyond this are refused rather than kept in memory.
const MOST_MOVES: usize = 1_000_000;

/// The text of a game from its start and its moves.
pub fn write<G: Game>(header: &Header, start: &G, moves: &[G::Move]) -> String {
    let mut game = start.clone();
    let seats = game.board().seats;
    let name = |seat: Seat| seats.get(usize::from(seat.0)).cloned().unwrap_or_else(|| seat.0.to_string());
    let mut text = String::new();
    push(&mut text, &HeaderLine { tempo: "game", version: 1, game: &header.game, setup: &header.setup });
    for (i, &mv) in moves.iter().enumerate() {
        let seat = name(game.seat_to_move());
        push(&mut text, &MoveLine { n: i + 1, seat, mv: game.move_text(mv) });
        game.make(mv);
    }
    match game.outcome() {
        Some(Outcome::Win { side, reason }) => {
            let winners: Vec<String> = (0..seats.len() as u8)
                .map(Seat)
                .filter(|&seat| game.side_of(seat) == side)
                .map(name)
                .collect();
            push(&mut text, &ResultLine { result: Ending { winner: Some(winners.join(" and ")), reason } });
        }
        Some(Outcome::Draw { reason }) => {
            push(&mut text, &ResultLine { result: Ending { winner: None, reason } });
        }
        None => {}
    }
    text
}

#[derive(Serialize)]
struct HeaderLine<'a> {
    tempo: &'static str,
    version: u32,
    game: &'a str,
    setup: &'a Value,
}

#[derive(Serialize)]
struct MoveLine {
    n: usize,
    seat: String,
    #[serde(rename = "move")]
    mv: String,
}

#[derive(Serialize)]
struct ResultLine {
    result: Ending,
}

#[derive(Serialize)]
struct Ending {
    winner: Option<String>,
    reason: &'static str,
}

fn push(text: &mut String, line: &impl Serialize) {
    text.push_str(&serde_json::to_string(line).expect("plain structs of texts always serialise"));
    text.push('\n');
}

/// Reads a saved game. Empty lines are skipped; lines with neither move nor result are faults.
pub fn read(bytes: &[u8]) -> Result<Saved, SavedError> {
    let fault = |line, column, message: String| SavedError { line, column, message };
    let mut header = None;
    let mut moves = Vec::new();
    let mut ended = false;
    for (i, bytes) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = i as u32 + 1;
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let document = tempo_json::parse(bytes, Limits::default()).map_err(|err| {
            let text = std::str::from_utf8(&bytes[..err.offset]).unwrap_or("");
            fault(line, text.chars().count() as u32 + 1, err.to_string())
        })?;
        let place = |node: &Node<'_>, message: String| {
            let before = document.text.get(..node.span.start as usize).unwrap_or("");
            fault(line, before.chars().count() as u32 + 1, message)
        };
        let root = &document.root;
        if header.is_none() {
            header = Some(read_header(root, bytes).map_err(|message| place(root, message))?);
            continue;
        }
        if ended {
            return Err(place(root, "nothing can follow the result".into()));
        }
        if root.get("result").is_some() {
            ended = true;
            continue;
        }
        let Some(node) = root.get("move") else {
            return Err(place(root, "a line after the first has a \"move\" or the \"result\"".into()));
        };
        let Some(text) = node.text() else {
            return Err(place(node, format!("a move is a text, not {}", node.describe())));
        };
        if moves.len() == MOST_MOVES {
            return Err(place(root, format!("a saved game has at most {MOST_MOVES} moves")));
        }
        moves.push(SavedMove { line, text: text.to_owned() });
    }
    match header {
        Some(header) => Ok(Saved { header, moves }),
        None => Err(fault(1, 1, "the file is empty; a saved game starts with a header line".into())),
    }
}

fn read_header(root: &Node<'_>, bytes: &[u8]) -> Result<Header, String> {
    let text = |key| root.get(key).and_then(Node::text);
    if text("tempo") != Some("game") {
        return Err("this is not a saved game: the first line must have \"tempo\": \"game\"".into());
    }
    match root.get("version").and_then(Node::whole) {
        Some(1) => {}
        Some(version) => return Err(format!("version {version} is not known; this program reads version 1")),
        None => return Err("the header has no \"version\"".into()),
    }
    let game = text("game").ok_or("the header has no \"game\"")?.to_owned();
    // The reader above has proved the line to be JSON within bounds; its meaning is the game's own.
    let whole: Value = serde_json::from_slice(bytes).map_err(|err| err.to_string())?;
    let setup = whole.get("setup").cloned().unwrap_or_else(|| json!({}));
    if !setup.is_object() {
        return Err("\"setup\" is an object".into());
    }
    Ok(Header { game, setup })
}

/// Plays the saved moves from the start; the first one that is not legal is the fault.
pub fn replay<G: Game>(saved: &Saved, start: &G) -> Result<Replayed<G>, SavedError> {
    let mut game = start.clone();
    let mut played = Vec::with_capacity(saved.moves.len());
    for (i, SavedMove { line, text }) in saved.moves.iter().enumerate() {
        let Some(mv) = game.find_move(text) else {
            let message = format!("move {} {text:?} is not legal there", i + 1);
            return Err(SavedError { line: *line, column: 1, message });
        };
        let undo = game.make(mv);
        played.push((mv, undo));
    }
    Ok(Replayed { game, played })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn faults_name_the_line() {
        let head = "{\"tempo\":\"game\",\"version\":1,\"game\":\"spec\"}\n";
        let cases = [
            (String::new(), "line 1, column 1: the file is empty; a saved game starts with a header line"),
            (
                "{}".into(),
                "line 1, column 1: this is not a saved game: the first line must have \"tempo\": \"game\"",
            ),
            (
                head.replace('1', "2"),
                "line 1, column 1: version 2 is not known; this program reads version 1",
            ),
            (format!("{head}\n{{\"move\": 3}}"), "line 3, column 10: a move is a text, not the number 3"),
            (format!("{head}{{\"move\""), "line 2, column 8: the text ends where a colon should follow"),
            (
                format!("{head}[]"),
                "line 2, column 1: a line after the first has a \"move\" or the \"result\"",
            ),
            (format!("{head}{{\"result\":1}}\n{{}}"), "line 3, column 1: nothing can follow the result"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected);
        }
    }
}
