//! The thinker that finds moves for the seats that no person plays, when it is not the search of `boardgame`. It thinks beside the
//! screen, so that keys and clocks go on. Knows nothing of seats, terminals or files.

use std::time::Duration;

use tempo_boardgame::Game;

/// How far a brain is.
pub enum Thought<M> {
    /// The result so far, for a line on the screen.
    Thinking(String),
    /// Its move; `None` if there is none.
    Found(Option<M>),
    /// It cannot go on.
    Failed(String),
}

/// A thinker: thinks about positions.
pub trait Brain<G: Game> {
    /// Begins to think about the position that these moves lead to. What it was thinking about is dropped.
    fn begin(&mut self, start: &G, moves: &[G::Move]);

    /// Looks over its shoulder; never waits.
    fn look(&mut self) -> Thought<G::Move>;

    /// It is to move now.
    fn hurry(&mut self);

    /// How long it has thought about the last position, by its own clock.
    fn time_used(&self) -> Duration;

    /// Whether it would take a draw, by what it thought last.
    fn wants_draw(&self) -> bool;
}
