//! The chess program's own sources, carried in the library and assembled when asked for.

use std::sync::OnceLock;

use tempo_assembler::{MemoryFiles, Options};
use tempo_formats::symbols::Symbols;
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

/// The program as files of the C64 world.
#[derive(Debug, Clone)]
pub struct ProgramFiles {
    /// The `.prg`, load address included.
    pub prg: Vec<u8>,
    /// The labels outside of all scopes as a `.sym` file.
    pub symbols: String,
}

impl Program {
    /// The program this library carries, assembled once a process.
    pub fn carried() -> Result<&'static Program, SourceError> {
        static PROGRAM: OnceLock<Result<Program, SourceError>> = OnceLock::new();
        PROGRAM.get_or_init(Program::assemble).as_ref().map_err(Clone::clone)
    }

    /// Assembles the program this library carries.
    pub fn assemble() -> Result<Program, SourceError> {
        Program::from_sources(SOURCES.iter().copied())
    }

    /// Assembles the files of another version of `asm/`, by their paths from there.
    pub fn from_sources(
        files: impl IntoIterator<Item = (impl Into<String>, impl AsRef<[u8]>)>,
    ) -> Result<Program, SourceError> {
        let (prg, symbols) = assemble(files)?;
        Ok(Program::from_prg(&prg, symbols)?)
    }

    /// Assembles it into files, for a machine that is not ours.
    pub fn files() -> Result<ProgramFiles, SourceError> {
        let (prg, symbols) = assemble(SOURCES.iter().copied())?;
        let outer = symbols.iter().filter(|symbol| !symbol.path.contains('.'));
        let symbols = outer.map(|symbol| format!(".label {}=${:x}\n", symbol.path, symbol.value)).collect();
        Ok(ProgramFiles { prg, symbols })
    }
}

fn assemble(
    files: impl IntoIterator<Item = (impl Into<String>, impl AsRef<[u8]>)>,
) -> Result<(Vec<u8>, Symbols), SourceError> {
    let files: MemoryFiles = files.into_iter().collect();
    let output = tempo_assembler::assemble(&files, "main.asm", &Options::default());
    if output.has_errors() {
        let first = output.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).next();
        return Err(SourceError::Assembly(first.unwrap_or_default()));
    }
    let prg = output.prg().ok_or(SourceError::Empty)?;
    Ok((prg, Symbols::from_program(&output.program)))
}
