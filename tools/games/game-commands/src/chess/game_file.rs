//! PGN files as the commands get them: read in bounded memory, faults shown with their place.

use std::io::Read;
use std::path::Path;

use tempo_chess::pgn::{self, Record};
use tempo_diagnostics::{Colour, Renderer, Source};
use tempo_host::{Exit, input, output, term};

/// No game file that a person handles is larger.
const LIMIT: u64 = 256 << 20;

/// All games of a file. Faults are printed, and the exit code says that there were some.
pub fn games(path: &Path) -> Result<Vec<Record>, Exit> {
    let name = path.display();
    let mut bytes = Vec::new();
    input::open(path)
        .and_then(|reader| reader.take(LIMIT + 1).read_to_end(&mut bytes))
        .map_err(|err| output::complain(format_args!("cannot read {name}: {err}")))?;
    if bytes.len() as u64 > LIMIT {
        return Err(output::complain(format_args!("{name} is larger than {} MB", LIMIT >> 20)));
    }
    let source = Source::from_bytes(name.to_string(), &bytes);
    let (games, faults) = pgn::read(source.text());
    if faults.is_empty() {
        return Ok(games);
    }
    let colour = Colour::when(term::stderr_colour());
    let renderer = Renderer::new(&source).colour(colour);
    for fault in faults.iter().take(20) {
        eprint!("{}", renderer.human(fault));
    }
    if faults.len() > 20 {
        eprintln!("… and {} more", faults.len() - 20);
    }
    Err(Exit::Failed)
}

/// One game of a file, counted from 1.
pub fn game(path: &Path, number: usize) -> Result<Record, Exit> {
    let games = games(path)?;
    let count = games.len();
    games.into_iter().nth(number - 1).ok_or_else(|| {
        output::complain(format_args!("{} holds {count} games, there is no game {number}", path.display()))
    })
}
