//! What the terminal is like: colour or not, a person or a pipe.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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

/// A bar on standard error, for a person only; whoever reads a pipe sees nothing.
pub fn progress_bar(verb: &'static str, total: u64) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(5)
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{msg} {bar:40} {percent}% {eta} left")
        .expect("the template is well formed");
    ProgressBar::with_draw_target(Some(total), target).with_style(style).with_message(verb)
}
