//! Where a spec comes from: a file, standard input, or the shipped games.

use std::io::Write as _;
use std::path::Path;

use clap::Parser;
use tempo_diagnostics::{Colour, nearest};
use tempo_gamespec::Position;
use tempo_gamespec::library::{self, SHIPPED};
use tempo_host::{Exit, files, input, output};

use super::render;

/// The spec to work on.
#[derive(Debug, Clone, Parser)]
pub struct Source {
    /// A game spec: a file, `-`, or the name of a shipped game
    #[arg(value_name = "SPEC")]
    pub spec: String,
}

/// A spec's text and what to call it in messages.
pub struct SpecText {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// No spec that a person or a sensible program writes is larger.
const LIMIT: usize = 8 << 20;

impl Source {
    /// Reads the text; the error is ready to be shown.
    pub fn read(&self) -> Result<SpecText, String> {
        let name = self.spec.clone();
        if name == "-" {
            return match input::read_stdin(LIMIT) {
                Ok(Some(bytes)) => Ok(SpecText { name: "standard input".into(), bytes }),
                Ok(None) => Err(format!("standard input is larger than the limit of {LIMIT} bytes")),
                Err(err) => Err(format!("cannot read standard input: {err}")),
            };
        }
        let path = Path::new(&name);
        if !path.exists() {
            if let Some(shipped) = library::find(&name) {
                return Ok(SpecText { name, bytes: shipped.text.into() });
            }
            let near = nearest(&name, SHIPPED.iter().map(|shipped| shipped.name));
            let hint = near.map_or("see tempo game list".into(), |near| format!("did you mean {near}?"));
            return Err(format!("there is no file and no shipped game {name:?}; {hint}"));
        }
        if path.is_dir() {
            return Err(format!("{name} is a folder, not a game spec"));
        }
        match files::read_limited(path, LIMIT as u64) {
            Ok(bytes) => Ok(SpecText { name, bytes }),
            Err(err) => Err(format!("cannot read {name}: {err}")),
        }
    }

    /// Reads, checks and compiles; what is wrong has been said if there is no game.
    pub fn load(&self) -> Result<Position, Exit> {
        let spec = self.read().map_err(output::complain)?;
        tempo_gamespec::load(&spec.bytes).map_err(|report| {
            let mut stderr = std::io::stderr().lock();
            let _ = render::findings(
                &mut stderr,
                &spec,
                &report,
                Colour::when(tempo_host::term::stderr_colour()),
            );
            let _ = stderr.flush();
            Exit::Failed
        })
    }
}
