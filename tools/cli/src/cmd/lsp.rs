//! `tempo lsp`: the language server on standard input and output.

use std::path::PathBuf;

use clap::Parser;
use tempo_host::{Exit, output};

use crate::lsp;

/// Serve editors: problems, hovers, completion, renames and more for sources and suites
///
/// Speaks the Language Server Protocol on standard input and output, and writes nothing else there. An editor starts
/// it; docs/editors.md shows how in several of them. Every answer comes from the assembler itself, on the text as it is
/// being typed, saved or not.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Settings (section `tempo`, also as initializationOptions):
  roots                      sources that are assembled [those that no other source imports]
  libDirs, defines, vars     as -libdir, -define and :name=value of tempo asm
  cpu                        _6502, _6502NoIllegals, dtv or _65c02
  diagnostics.delayMs        wait so long after the last key [60]
  diagnostics.off            codes of warnings and hints that are not wanted, such as
                             [\"W0301\", \"unused-constant\", \"unused-import\"]
  hints.addresses|cycles|macroSize|values, lens.tests|cycles|references
  format.*, limits.*

Exit codes: 0 after shutdown and exit, 1 if the client went away without them.")]
pub struct Args {
    /// Write what goes wrong inside to this file instead of standard error.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub fn run(args: Args) -> Exit {
    if let Some(path) = &args.log
        && let Err(message) = lsp::log_to(path)
    {
        return output::complain(message);
    }
    let (connection, writer) = lsp::connect(std::io::stdin(), std::io::stdout());
    let exit = lsp::serve(&connection);
    drop(connection);
    // What was answered must arrive before the process ends. A reader that waits for a client which is gone would keep
    // it alive.
    if exit == Exit::Fine {
        let _ = writer.join();
    }
    exit
}
