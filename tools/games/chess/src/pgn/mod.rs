//! Games in Portable Game Notation: what a game file holds, how it is read, how it is written.
//! Text in, text out; `san` knows the single move.
//!
//! ```
//! use tempo_chess::pgn;
//!
//! let (games, faults) = pgn::read("[White \"Anna\"]\n\n1. f3 e5 2. g4?? {why?} (2. e4) Qh4# 0-1\n");
//! assert!(faults.is_empty());
//! assert_eq!(games[0].tag("White"), Some("Anna"));
//! assert_eq!(games[0].moves.len(), 4);
//! assert_eq!(games[0].result.text(), "0-1");
//! assert!(pgn::write(&games[0]).ends_with("1. f3 e5 2. g4 $4 { why? } 2... Qh4# 0-1\n"));
//! ```

mod read;

use std::fmt::Write as _;

use crate::{Board, Color, Game, Move, PromotionSet, START_FEN};

pub use read::read;

/// One game.
#[derive(Debug, Clone)]
pub struct Record {
    /// Tag names and values in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Board,
    /// The text before the first move.
    pub comment: Option<String>,
    /// The moves of the main line. Variations are read over.
    pub moves: Vec<Played>,
    /// How it ended.
    pub result: Outcome,
}

/// A move of a game with what is said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// Numeric glyphs; `!` is 1, `?` is 2.
    pub glyphs: Vec<u8>,
    /// The comment after the move.
    pub comment: Option<String>,
}

impl From<Move> for Played {
    fn from(mv: Move) -> Played {
        Played { mv, glyphs: Vec::new(), comment: None }
    }
}

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Outcome {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, or not known
    #[default]
    Open,
}

impl Outcome {
    /// As PGN writes it.
    pub fn text(self) -> &'static str {
        match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Open => "*",
        }
    }

    /// The result a text stands for.
    pub fn from_text(text: &str) -> Option<Outcome> {
        Some(match text {
            "1-0" => Outcome::White,
            "0-1" => Outcome::Black,
            "1/2-1/2" | "1/2" | "\u{bd}-\u{bd}" => Outcome::Draw,
            "*" => Outcome::Open,
            _ => return None,
        })
    }

    /// The result in which this colour has won.
    pub fn win(color: Color) -> Outcome {
        match color {
            Color::White => Outcome::White,
            Color::Black => Outcome::Black,
        }
    }
}

/// The tags every game has, in the order of the standard, with the value for "not known".
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

impl Record {
    /// A game without moves.
    pub fn new(start: Board) -> Record {
        Record { tags: Vec::new(), start, comment: None, moves: Vec::new(), result: Outcome::Open }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in place of an earlier value.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some(tag) => tag.1 = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// The game after its last move.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone(), PromotionSet::All);
        for played in &self.moves {
            tempo_boardgame::Game::make(&mut game, played.mv);
        }
        game
    }
}

/// The game as PGN: the seven tags first, then its others, moves in lines of at most 79 characters.
pub fn write(record: &Record) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    for (name, unknown) in ROSTER {
        match name {
            "Result" => tag(name, record.result.text()),
            _ => tag(name, record.tag(name).unwrap_or(unknown)),
        }
    }
    let start = record.start.fen();
    if start != START_FEN {
        tag("SetUp", "1");
        tag("FEN", &start);
    }
    let own = |name: &str| ROSTER.iter().any(|(known, _)| *known == name) || matches!(name, "FEN" | "SetUp");
    for (name, value) in record.tags.iter().filter(|(name, _)| !own(name)) {
        tag(name, value);
    }
    text.push('\n');
    text.push_str(&folded(&words(record)));
    text
}

/// The move text, word by word.
fn words(record: &Record) -> Vec<String> {
    let mut words = Vec::new();
    let mut board = record.start.clone();
    let mut numbered = false;
    let comment = |words: &mut Vec<String>, text: &Option<String>| {
        // A closing brace would end the comment; PGN has no way to write one.
        if let Some(text) = text {
            words.push("{".to_owned());
            words.extend(text.replace('}', ")").split_whitespace().map(str::to_owned));
            words.push("}".to_owned());
        }
        text.is_some()
    };
    comment(&mut words, &record.comment);
    for played in &record.moves {
        match board.turn() {
            Color::White => words.push(format!("{}.", board.fullmove_number())),
            Color::Black if !numbered => words.push(format!("{}...", board.fullmove_number())),
            Color::Black => {}
        }
        words.push(crate::san::write(&board, played.mv, PromotionSet::All));
        words.extend(played.glyphs.iter().map(|glyph| format!("${glyph}")));
        // After a comment Black's move needs its number again.
        numbered = !comment(&mut words, &played.comment);
        board.play(played.mv);
    }
    words.push(record.result.text().to_owned());
    words
}

fn folded(words: &[String]) -> String {
    const WIDTH: usize = 79;
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
    text
}
