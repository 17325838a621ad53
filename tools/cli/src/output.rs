//! Printing that survives a reader who has seen enough, as in `tempo … | head`.

use std::fmt;
use std::io::{self, BufWriter, Write};

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

/// Says on standard error that the tool cannot go on.
pub fn complain(message: impl fmt::Display) -> Exit {
    // Nothing can be done for a user whose standard error is closed.
    let _ = writeln!(io::stderr(), "error: {message}");
    Exit::CannotRun
}
