//! The forms of an answer that most commands have.

use clap::ValueEnum;

/// How a command writes its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}
