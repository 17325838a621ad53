//! JSON in, JSON out: one document, or many of them a line each. What `tempo agent` and `tempo judge`
//! share. Input is bounded; a fault is an answer like any other.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use tempo_chess::agent::LIMITS;
use tempo_chess::{Code, Fault};
use tempo_host::input::{self, Line, Lines};
use tempo_host::{Exit, output};
use tempo_json as json;

use crate::chess::engine::EngineError;

/// The answer to a document.
pub enum Reply {
    /// A line of JSON; `failed` says whether it should show in the exit code.
    Text { json: String, failed: bool },
    /// Nothing at all; an empty line among many.
    Silence,
    /// The document is at fault.
    Fault(Fault),
}

/// Whether many documents are expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    /// One document; several lines of one each are taken as such too.
    Single,
    /// One document a line, each answered at once.
    Lines,
}

/// Answers everything on standard input.
pub fn serve(feed: Feed, mut answer: impl FnMut(&[u8]) -> Result<Reply, EngineError>) -> Exit {
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "reading JSON from standard input, Ctrl-D ends it");
    }
    output::print(|out| match feed {
        Feed::Lines => answer_lines(out, io::stdin().lock(), &mut answer),
        Feed::Single => match input::read_stdin(LIMITS.bytes) {
            Ok(Some(bytes)) if is_json_lines(&bytes) => answer_lines(out, &bytes[..], &mut answer),
            Ok(Some(bytes)) => answer_one(out, &bytes, &mut answer),
            Ok(None) => write_fault(out, &too_large()).map(|()| Exit::CannotRun),
            Err(err) => Ok(output::complain(format_args!("cannot read standard input: {err}"))),
        },
    })
}

fn answer_one(
    out: &mut dyn Write,
    bytes: &[u8],
    answer: &mut impl FnMut(&[u8]) -> Result<Reply, EngineError>,
) -> io::Result<Exit> {
    match answer(bytes) {
        Ok(Reply::Text { json, failed }) => {
            writeln!(out, "{json}")?;
            Ok(if failed { Exit::Failed } else { Exit::Fine })
        }
        Ok(Reply::Silence) => Ok(Exit::Fine),
        Ok(Reply::Fault(fault)) => write_fault(out, &fault).map(|()| Exit::CannotRun),
        Err(err) => Ok(output::complain(err)),
    }
}

fn answer_lines(
    out: &mut dyn Write,
    reader: impl io::BufRead,
    answer: &mut impl FnMut(&[u8]) -> Result<Reply, EngineError>,
) -> io::Result<Exit> {
    let mut exit = Exit::Fine;
    for line in Lines::new(reader, LIMITS.bytes) {
        let bytes = match line {
            Ok(Line::Whole(bytes)) => bytes,
            Ok(Line::TooLong) => {
                write_fault(out, &too_large())?;
                out.flush()?;
                continue;
            }
            Err(err) => return Ok(output::complain(format_args!("cannot read standard input: {err}"))),
        };
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        match answer(&bytes) {
            Ok(Reply::Text { json, failed }) => {
                writeln!(out, "{json}")?;
                if failed {
                    exit = Exit::Failed;
                }
            }
            Ok(Reply::Silence) => writeln!(out)?,
            Ok(Reply::Fault(fault)) => write_fault(out, &fault)?,
            Err(err) => return Ok(output::complain(err)),
        }
        // The other side waits for this line before it sends the next.
        out.flush()?;
    }
    Ok(exit)
}

/// Whether the first line is a complete JSON value and something follows it.
fn is_json_lines(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii();
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return false };
    json::parse(&bytes[..end], LIMITS).is_ok()
}

fn too_large() -> Fault {
    Fault::at_value(Code::TooLarge, "", format!("the document is larger than {} bytes", LIMITS.bytes))
}

fn write_fault(out: &mut dyn Write, fault: &Fault) -> io::Result<()> {
    #[derive(Serialize)]
    struct Body<'a> {
        code: &'a str,
        pointer: &'a str,
        message: &'a str,
    }
    #[derive(Serialize)]
    struct Document<'a> {
        error: Body<'a>,
    }
    let error = Body { code: fault.code.as_str(), pointer: &fault.pointer, message: &fault.message };
    writeln!(out, "{}", serde_json::to_string(&Document { error })?)
}
