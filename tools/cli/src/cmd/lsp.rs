//! `tempo lsp`: the language server on standard input and output.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use clap::Parser;
use tempo_host::{Exit, files, output};
use tempo_lsp::{End, Entry, Host, Kind, Stamp};

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
  cpu                        a name of .cpu, such as _65c02 [_6502]
  diagnostics.delayMs        wait after the last key [60]
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
        && let Err(message) = log_to(path)
    {
        return output::complain(message);
    }
    let complain = |message| {
        output::complain(message);
    };
    let (connection, writer) = tempo_lsp::connect(io::stdin(), io::stdout(), complain);
    let end = tempo_lsp::serve(&connection, Arc::new(Computer));
    drop(connection);
    match end {
        End::Proper => {
            // What was answered must arrive before the process ends. A reader that waits for a client which is gone
            // would keep it alive.
            let _ = writer.join();
            Exit::Fine
        }
        End::Deserted => Exit::Failed,
        End::Refused => Exit::CannotRun,
    }
}

/// Sends the messages of panics to a file. They are answered as internal errors in any case.
fn log_to(path: &Path) -> Result<(), String> {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    let file = Mutex::new(file.map_err(|error| format!("{}: {error}", path.display()))?);
    std::panic::set_hook(Box::new(move |panic| {
        if let Ok(mut file) = file.lock() {
            let _ = writeln!(file, "{panic}\n{}", std::backtrace::Backtrace::force_capture());
        }
    }));
    Ok(())
}

/// This computer.
#[derive(Debug)]
struct Computer;

impl Host for Computer {
    fn opened(&self, folder: &Path) {
        files::allow(folder);
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        files::read_limited(path, limit)
    }

    fn stamp(&self, path: &Path) -> io::Result<Stamp> {
        let found = std::fs::metadata(path)?;
        Ok(Stamp { modified: found.modified().ok(), len: found.len() })
    }

    fn entries(&self, folder: &Path, most: usize) -> io::Result<Vec<Entry>> {
        if files::is_confined() {
            files::check_words(&folder.canonicalize()?)?;
        }
        let entry = |entry: std::fs::DirEntry| Entry {
            path: entry.path(),
            kind: entry.file_type().ok().and_then(kind),
        };
        Ok(std::fs::read_dir(folder)?.flatten().take(most).map(entry).collect())
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn kind(&self, path: &Path) -> Option<Kind> {
        kind(path.metadata().ok()?.file_type())
    }

    fn now(&self) -> Instant {
        Instant::now()
    }

    /// Known where there is a `/proc`.
    fn has_ended(&self, process: u32) -> bool {
        Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists()
    }
}

fn kind(found: std::fs::FileType) -> Option<Kind> {
    match found.is_dir() {
        true => Some(Kind::Folder),
        false => found.is_file().then_some(Kind::File),
    }
}
