//! What the terminal is like: colour or not, a person or a pipe.

use std::io::IsTerminal;

/// Whether standard error takes colour: a terminal, and `NO_COLOR` unset or empty.
pub fn stderr_colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Whether standard output takes colour.
pub fn stdout_colour() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Whether a person watches standard error.
pub fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal()
}
