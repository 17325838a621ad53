//! The choices of a person before a game: level, side, position. Checked here, for the page and for the terminal alike.

use clap::{Args, ValueEnum};
use tempo_bridge::Program;
use tempo_bridge::levels::{Level, levels};
use tempo_chess::{Board, Color};

use crate::chess::position::board_from_argument;

/// The choices on the command line.
#[derive(Debug, Args)]
pub struct ChoiceArgs {
    /// Strength: 1 to 8, or its name: beginner, learner, casual, instant, blitz, club, strong, tournament
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,

    /// The side you play
    #[arg(long, value_enum, default_value_t, value_name = "SIDE")]
    side: Side,

    /// The position to start from
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

/// Who sits where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Side {
    /// You have White, the C64 has Black
    #[default]
    White,
    /// You have Black, the C64 has White
    Black,
    /// Two people at one board
    Both,
    /// The C64 plays itself
    None,
}

impl Side {
    /// Whether a person has this colour.
    pub fn has(self, color: Color) -> bool {
        match self {
            Side::White => color == Color::White,
            Side::Black => color == Color::Black,
            Side::Both => true,
            Side::None => false,
        }
    }

    /// The word on the command line and in the page's address.
    fn word(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
            Side::Both => "both",
            Side::None => "none",
        }
    }
}

/// Choices that can be played.
#[derive(Debug)]
pub struct Choice {
    /// From 0.
    pub index: usize,
    pub level: Level,
    pub side: Side,
    /// `None` for the usual start.
    pub board: Option<Board>,
    /// The level was named, and not left to the program.
    is_level_named: bool,
}

impl ChoiceArgs {
    /// Checks them; the error is ready to be shown.
    pub fn check(&self, program: &Program) -> Result<Choice, String> {
        let levels = levels(program).map_err(|err| err.to_string())?;
        let first = program.entry("ChosenLevel").map_or(0, |place| usize::from(program.image[place.address]));
        let index = match &self.level {
            Some(text) => find(text, &levels)?,
            None => first.min(levels.len().saturating_sub(1)),
        };
        let level = levels.get(index).cloned().ok_or("the chess program has no levels")?;
        let board = self.fen.as_deref().map(|fen| board_from_argument(Some(fen))).transpose()?;
        Ok(Choice { index, level, side: self.side, board, is_level_named: self.level.is_some() })
    }
}

impl Choice {
    /// The choices as the page reads them from its address; nothing for choices that were not made.
    pub fn query(&self) -> String {
        let mut words = Vec::new();
        if self.is_level_named {
            words.push(format!("level={}", self.index + 1));
        }
        if self.side != Side::White {
            words.push(format!("side={}", self.side.word()));
        }
        if let Some(board) = &self.board {
            // Letters, digits, slashes and dashes need no escape, and a blank is a plus.
            words.push(format!("fen={}", board.fen().replace(' ', "+")));
        }
        if words.is_empty() { String::new() } else { format!("?{}", words.join("&")) }
    }
}

/// A level by number or by the beginning of its name.
fn find(text: &str, levels: &[Level]) -> Result<usize, String> {
    let wanted = text.trim();
    if let Ok(number) = wanted.parse::<usize>()
        && (1..=levels.len()).contains(&number)
    {
        return Ok(number - 1);
    }
    let begins = |level: &Level| !wanted.is_empty() && level.name.starts_with(&wanted.to_lowercase());
    let mut fits = levels.iter().enumerate().filter(|(_, level)| begins(level));
    if let (Some((index, _)), None) = (fits.next(), fits.next()) {
        return Ok(index);
    }
    let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
    let near = tempo_diagnostics::nearest(&wanted.to_lowercase(), names.iter().copied());
    let help = near.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
    Err(format!(
        "{:?} is not a level{help}\n   = help: 1 to {}, or {}",
        tempo_diagnostics::shortened(wanted, 40),
        levels.len(),
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(level: Option<&str>, side: Side, fen: Option<&str>) -> ChoiceArgs {
        ChoiceArgs { level: level.map(Into::into), side, fen: fen.map(Into::into) }
    }

    #[test]
    fn levels_go_by_number_and_name() {
        let program = Program::assemble().expect("it assembles");
        let level =
            |text: &str| args(Some(text), Side::White, None).check(&program).map(|choice| choice.index);
        assert_eq!(level("1"), Ok(0));
        assert_eq!(level("8"), Ok(7));
        assert_eq!(level("Club"), Ok(5));
        assert_eq!(level("bl"), Ok(4));
        for (wrong, word) in [
            ("0", "1 to 8"),
            ("9", "1 to 8"),
            ("b", "beginner"),
            ("", "not a level"),
            ("clib", "did you mean club"),
        ] {
            let message = level(wrong).expect_err(wrong);
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn the_page_is_told_what_was_chosen() {
        let program = Program::assemble().expect("it assembles");
        let query = |args: ChoiceArgs| args.check(&program).expect("a choice").query();
        assert_eq!(query(args(None, Side::White, None)), "");
        assert_eq!(
            query(args(Some("club"), Side::Black, Some("8/8/8/8/8/7k/R7/K7 w - - 3 9"))),
            "?level=6&side=black&fen=8/8/8/8/8/7k/R7/K7+w+-+-+3+9"
        );
        assert!(args(None, Side::White, Some("nonsense")).check(&program).is_err());
    }
}
