//! Printing that survives a reader who has seen enough, as in `tempo … | head`.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::sync::Mutex;

use crate::exit::Exit;

/// Runs a command's printing on buffered standard output. A closed pipe ends the command quietly.
pub fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<Exit>) -> Exit {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|exit| out.flush().map(|()| exit)) {
        Ok(exit) => exit,
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Exit::Fine,
        Err(err) => complain(format_args!("cannot write to standard output: {err}")),
    }
}

/// Why a text did not reach standard output: the first failure of the run.
static FAILURE: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes to standard output. A failure ends nothing here; [`finish`] has the last word.
pub fn say(text: &str) {
    let mut failure = FAILURE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if failure.is_none()
        && let Err(err) = io::stdout().write_all(text.as_bytes())
    {
        *failure = Some(err);
    }
}

/// Notes that standard output failed.
pub fn failed(err: io::Error) {
    FAILURE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(err);
}

/// Whether standard output failed.
pub fn has_failed() -> bool {
    FAILURE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).is_some()
}

/// Writes to standard error. Nothing can be done for a user whose standard error is closed.
pub fn warn(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The exit of a command that may have printed: one whose output got lost could not run. A reader who has seen
/// enough is not a failure.
pub fn finish(exit: Exit) -> Exit {
    let flushed = io::stdout().flush();
    let failure = FAILURE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    match failure.map_or(flushed, Err) {
        Err(err) if err.kind() != io::ErrorKind::BrokenPipe => {
            complain(format_args!("cannot write to standard output: {err}"))
        }
        _ => exit,
    }
}

/// Says on standard error that the tool cannot go on.
pub fn complain(message: impl fmt::Display) -> Exit {
    warn(&format!("error: {}\n", visible(&message.to_string())));
    Exit::CannotRun
}

/// A text for a terminal: lines stay lines, and no character of it steers the terminal.
pub fn visible(text: &str) -> Cow<'_, str> {
    tempo_diagnostics::escaped_lines(text)
}
