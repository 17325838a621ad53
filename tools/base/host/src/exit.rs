//! Exit codes: the one place that gives them numbers.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done as asked.
    Fine,
    /// The user's source or tests failed.
    Failed,
    /// The tool could not run: bad arguments, unreadable files.
    CannotRun,
    /// `tempo test`: the suite is well formed, but names something unknown or out of range.
    BadNames,
    /// `tempo run`: the limit of the run came before its end.
    LimitReached,
    /// `tempo run --system`: the program ended itself with this code.
    Program(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Fine => 0,
            Exit::Failed => 1,
            Exit::CannotRun => 2,
            Exit::BadNames | Exit::LimitReached => 3,
            Exit::Program(code) => code,
        })
    }
}
