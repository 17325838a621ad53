//! The 6502 chess program as the commands get it: the one `tempo` carries, or a file of the user's.

use std::path::{Path, PathBuf};

use clap::Args;
use tempo_bridge::{Expansion, Program};
use tempo_emu::c64::Reu;
use tempo_formats::symbols::Symbols;
use tempo_host::files;

/// Which chess program to run.
#[derive(Debug, Args)]
pub struct ProgramArgs {
    /// A chess program with its symbols beside it (FILE.sym or FILE.vs) [default: the one tempo carries]
    #[arg(long, value_name = "FILE.prg")]
    program: Option<PathBuf>,
}

impl ProgramArgs {
    /// Loads or assembles it; the error is ready to be shown.
    pub fn open(&self) -> Result<Program, String> {
        match &self.program {
            None => Program::assemble().map_err(|err| err.to_string()),
            Some(path) => load(path),
        }
    }
}

/// The hardware of the machine that runs the program.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ExpansionArgs {
    /// Plug in a RAM expansion for the transposition table: 128, 256, 512 KB, and so on to 16384
    #[arg(long, value_name = "KB", value_parser = parse_expansion)]
    reu: Option<Expansion>,
}

impl ExpansionArgs {
    /// The devices plugged in.
    pub fn get(self) -> Expansion {
        self.reu.unwrap_or_default()
    }
}

/// The size of a RAM expansion, in kilobytes.
pub fn parse_expansion(text: &str) -> Result<Expansion, String> {
    let size = text.parse().ok().and_then(Expansion::from_kilobytes);
    size.ok_or_else(|| format!("a RAM expansion has {}", Reu::SIZES))
}

/// A program file with its symbols beside it.
pub fn load(path: &Path) -> Result<Program, String> {
    // A program file is at most the whole memory and its load address.
    let prg =
        files::read_limited(path, 0x10002).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
    let beside = ["sym", "vs"].map(|extension| path.with_extension(extension));
    let Some(symbols) = beside.iter().find(|candidate| candidate.exists()) else {
        return Err(format!(
            "no symbols beside {}: assemble it with --symbols, or -symbolfile as Kick Assembler spells it",
            path.display()
        ));
    };
    let text = files::read_limited(symbols, 16 << 20)
        .map_err(|err| format!("cannot read {}: {err}", symbols.display()))?;
    let symbols = Symbols::parse(&String::from_utf8_lossy(&text))
        .map_err(|err| format!("{}: {err}", symbols.display()))?;
    Program::from_prg(&prg, symbols).map_err(|err| format!("{}: {err}", path.display()))
}
