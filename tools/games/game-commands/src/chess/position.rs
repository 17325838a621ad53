//! Shared parts of the chess commands: the arguments that name a position and an engine, and how a fault in
//! a FEN is shown.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use tempo_chess::{Board, Fault, FenFault, PromotionSet, START_FEN, Square};
use tempo_diagnostics::{Renderer, Source};

use crate::chess::engine::{self, Engine, EngineError, EngineName};

/// Which engine answers, with which promotions.
#[derive(Debug, Args)]
pub struct EngineArgs {
    /// Who answers: the reference rules, or the 6502 program in the emulator
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    pub engine: EngineName,

    /// Pieces that pawns may become [default: all; the c64 engine has queen and knight]
    #[arg(long, value_enum, value_name = "SET")]
    pub promotions: Option<Promotions>,
}

impl EngineArgs {
    pub fn open(&self) -> Result<Box<dyn Engine>, EngineError> {
        engine::open(self.engine, self.promotions.map(PromotionSet::from))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Promotions {
    /// Queen, rook, bishop and knight
    All,
    /// Queen and knight, as the 6502 program has it
    Qn,
}

impl From<Promotions> for PromotionSet {
    fn from(promotions: Promotions) -> PromotionSet {
        match promotions {
            Promotions::All => PromotionSet::All,
            Promotions::Qn => PromotionSet::QueenKnight,
        }
    }
}

/// Reads a FEN from the command line; `startpos` and nothing at all mean the start of a game.
/// The error is ready to be shown.
pub fn board_from_argument(fen: Option<&str>) -> Result<Board, String> {
    let text = match fen.map(str::trim) {
        None | Some("startpos") => START_FEN,
        Some(text) => text,
    };
    text.parse().map_err(|fault: FenFault| {
        let fault = fault.diagnostic().help("`tempo fen FEN` shows the board and every fault");
        show_fault(text, &fault, "--fen")
    })
}

/// A fault with the text and a mark under the part that holds it, without the leading `error: `.
pub fn show_fault(text: &str, fault: &Fault, place: &str) -> String {
    // A FEN is one line, and the place may name the line of a file it is in.
    let shown = Renderer::new(&Source::new(place, text)).human(fault);
    let shown = shown.replacen(&format!("{place}:1:"), &format!("{place}:"), 1);
    let below = shown.split_once('\n').map_or("", |(_, below)| below.trim_end());
    format!("{} [{}]\n{below}", tempo_diagnostics::escaped(&fault.message), fault.code)
}

/// The fault as a JSON object.
pub fn fault_json(text: &str, fault: &FenFault) -> serde_json::Value {
    serde_json::json!({
        "code": fault.kind.code().as_str(),
        "message": fault.to_string(),
        "column": text[..fault.span.start].chars().count() + 1,
        "length": text[fault.span.clone()].chars().count(),
    })
}

/// Eight lines of pieces and one of file letters, White below.
pub fn picture(man_at: impl Fn(Square) -> Option<char>) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let _ = write!(text, "{} ", rank + 1);
        for file in 0..8 {
            let _ = write!(text, " {}", man_at(Square::new(file, rank)).unwrap_or('.'));
        }
        text.push('\n');
    }
    text.push_str("   a b c d e f g h\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_under_the_fault() {
        let message = board_from_argument(Some("4k3/8/8/8/8/8/8/4K3 w - e9 0 1")).expect_err("no square");
        let lines: Vec<&str> = message.lines().collect();
        assert_eq!(lines[1], " --> --fen:25");
        assert_eq!(lines[4], format!("  | {}^^", " ".repeat(24)));
    }

    #[test]
    fn hostile_text_does_not_break_the_message() {
        for text in ["", "\u{1b}[2J", "é", "8/8/8/8/8/8/8/8 w \u{0} - 0 1", &"x".repeat(100_000)] {
            let message = board_from_argument(Some(text)).expect_err("no FEN");
            assert!(!message.contains('\u{1b}') && message.len() < 2000, "{message}");
        }
    }
}
