//! The chess program's own sources, carried in the library and assembled when asked for.

use assembler::{MemoryFiles, Options};
use formats::symbols::Symbols;
use thiserror::Error;

use crate::program::{Program, ProgramError};

/// Every file of `asm/`, by its path from there.
pub const SOURCES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// Why the sources give no program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The assembler reports this error.
    #[error("the chess program does not assemble: {0}")]
    Assembly(String),
    /// The assembler produced no bytes.
    #[error("the chess program is empty")]
    Empty,
    /// The program lacks part of the call interface.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl Program {
    /// Assembles the program this library carries.
    pub fn assemble() -> Result<Program, SourceError> {
        let files: MemoryFiles = SOURCES.iter().copied().collect();
        let output = assembler::assemble(&files, "main.asm", &Options::default());
        if output.has_errors() {
            let first = output.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).next();
            return Err(SourceError::Assembly(first.unwrap_or_default()));
        }
        let prg = output.prg().ok_or(SourceError::Empty)?;
        Ok(Program::from_prg(&prg, Symbols::from_program(&output.program))?)
    }
}
