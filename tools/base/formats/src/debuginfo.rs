//! Debug information of other assemblers: which source line made the bytes at an address. Reads Kick Assembler's debug
//! dump, ld65's `.dbg`, and the listings of 64tass and ACME; all become a [`Dump`] with labels.

mod cc65;
mod listing;

use thiserror::Error;

use crate::debugdump::{self, DebugDumpError, Dump};

/// A file that says nothing about lines.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DebugInfoError {
    /// No known kind of file.
    #[error(
        "it is none of these: a debug dump of Kick Assembler, a .dbg of ld65 (--dbgfile), a listing of 64tass (-L) or of \
         ACME (-r)"
    )]
    Unknown,
    /// A line of a debug dump.
    #[error("{0}")]
    Dump(#[from] DebugDumpError),
    /// A line of a `.dbg`.
    #[error("line {0} is not one of a .dbg")]
    Cc65(usize),
    /// There are no lines for the program's bytes.
    #[error("it has no line for any address{0}")]
    Empty(&'static str),
}

/// Lines and labels of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DebugInfo {
    /// Sources and the addresses of their lines. The first source is the tool, as in a debug dump.
    pub dump: Dump,
    /// Labels and addresses.
    pub labels: Vec<(String, i64)>,
}

/// Reads any of the files. Listings name lines by their texts, so they need the sources.
pub fn read(
    text: &str,
    sources: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<DebugInfo, DebugInfoError> {
    if debugdump::is_debug_dump(text) {
        return Ok(DebugInfo { dump: debugdump::read(text)?, labels: debugdump::read_labels(text)? });
    }
    if cc65::is_dbg(text) {
        let info = cc65::read(text)?;
        return match info.dump.items.is_empty() {
            true => Err(DebugInfoError::Empty("; assemble with ca65 -g")),
            false => Ok(info),
        };
    }
    let dump = match listing::kind(text) {
        None => return Err(DebugInfoError::Unknown),
        Some(listing::Kind::Tass64) => listing::read_64tass(text, sources),
        Some(listing::Kind::Acme) => listing::read_acme(text),
    };
    match dump.items.is_empty() {
        true => Err(DebugInfoError::Empty("")),
        false => Ok(DebugInfo { dump, labels: Vec::new() }),
    }
}
