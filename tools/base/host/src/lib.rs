//! The computer that a command runs on: files, standard input and output, the terminal, exit codes. Commands reach all
//! of it through here. Knows neither a command line nor what the files are about.

mod exit;
pub mod files;
mod format;
pub mod git;
pub mod input;
pub mod output;
pub mod term;

pub use exit::Exit;
pub use format::Format;
