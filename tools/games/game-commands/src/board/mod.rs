//! The terminal board: any `Game` played by people on one keyboard or against the search, on a full
//! screen or, where there is no terminal, as a plain prompt. Knows no rule of any game.

mod brain;
mod command;
mod keys;
mod prompt;
mod screen;
pub mod squares;
mod table;

use std::io::IsTerminal;

pub use brain::{Brain, Thought};
pub use prompt::picture;
pub use table::{Player, Table};

use tempo_boardgame::Game;
use tempo_host::Exit;

/// How the board is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Full screen on a terminal, a prompt elsewhere.
    Auto,
    /// Lines in, lines out, also on a terminal.
    Prompt,
}

/// Plays until the people leave.
pub fn play<G: Game>(mut table: Table<G>, mode: Mode) -> Exit {
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if terminal && mode == Mode::Auto {
        keys::run(&mut table)
    } else {
        let interactive = std::io::stdin().is_terminal();
        let stdin = std::io::stdin().lock();
        prompt::run(&mut table, stdin, &mut std::io::stdout().lock(), interactive)
    }
}
