//! The games of a match on disk, one line each, so that a match that was killed goes on where it was.
//! The file is replaced as a whole after every game: a reader finds every finished game or the state before.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempo_chess::rating::Tally;
use tempo_host::files;

/// No match of ours has a larger journal.
const LIMIT: u64 = 1 << 30;

/// The settings that make two runs the same match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    pub first: String,
    pub second: String,
    pub openings: String,
    pub adjudication: String,
}

/// One finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The pair, from 0.
    pub pair: usize,
    /// 0: the first player has White; 1: Black.
    pub game: usize,
    /// Half points of the first player.
    pub half_points: u8,
    pub reason: String,
    /// Whether a player broke the rules.
    #[serde(default)]
    pub offence: bool,
    pub pgn: String,
}

/// All finished games of a match.
pub struct Journal {
    path: Option<PathBuf>,
    text: String,
    pub entries: Vec<Entry>,
}

impl Journal {
    /// Opens or begins a journal. Without a path it is kept in memory alone.
    pub fn open(path: Option<&Path>, header: &Header) -> Result<Journal, String> {
        let mut journal = Journal {
            path: path.map(Path::to_path_buf),
            text: serde_json::to_string(header).map_err(|err| err.to_string())? + "\n",
            entries: Vec::new(),
        };
        let Some(path) = path.filter(|path| path.exists()) else { return Ok(journal) };
        for entry in read(path, header)? {
            journal.remember(entry)?;
        }
        Ok(journal)
    }

    /// Adds the games of another journal of the same match that are not here yet, and writes them down.
    pub fn merge(&mut self, path: &Path, header: &Header) -> Result<(), String> {
        for entry in read(path, header)? {
            if !self.has(entry.pair, entry.game) {
                self.remember(entry)?;
            }
        }
        self.write()
    }

    /// Adds a game and writes it down.
    pub fn add(&mut self, entry: Entry) -> Result<(), String> {
        self.remember(entry)?;
        self.write()
    }

    fn write(&self) -> Result<(), String> {
        match &self.path {
            Some(path) => files::write_atomic(path, self.text.as_bytes())
                .map_err(|err| format!("cannot write {}: {err}", path.display())),
            None => Ok(()),
        }
    }

    fn remember(&mut self, entry: Entry) -> Result<(), String> {
        self.text += &serde_json::to_string(&entry).map_err(|err| err.to_string())?;
        self.text.push('\n');
        self.entries.push(entry);
        Ok(())
    }

    pub fn has(&self, pair: usize, game: usize) -> bool {
        self.entries.iter().any(|entry| (entry.pair, entry.game) == (pair, game))
    }

    /// The results, pairs where both games are there.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for entry in &self.entries {
            let other =
                self.entries.iter().find(|other| other.pair == entry.pair && other.game != entry.game);
            match other {
                Some(other) if entry.game == 0 => tally.add_pair(entry.half_points, other.half_points),
                Some(_) => {}
                None => tally.add_game(entry.half_points),
            }
        }
        tally
    }

    /// All games, in the order of the match.
    pub fn pgn(&self) -> String {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| (entry.pair, entry.game));
        entries.iter().map(|entry| entry.pgn.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// The games of a journal, which must be of this match.
fn read(path: &Path, header: &Header) -> Result<Vec<Entry>, String> {
    let name = path.display();
    let bytes = files::read_own(path, LIMIT).map_err(|err| format!("cannot read {name}: {err}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    let found = lines.next().and_then(|line| serde_json::from_str::<Header>(line).ok());
    match found {
        None => {
            return Err(format!("{name} is not the journal of a match; name another file for --state"));
        }
        Some(found) if found != *header => {
            return Err(format!(
                "{name} belongs to another match: {} against {}, openings {}",
                found.first, found.second, found.openings
            ));
        }
        Some(_) => {}
    }
    (2..)
        .zip(lines)
        .map(|(number, line)| serde_json::from_str(line).map_err(|err| format!("{name}:{number}: {err}")))
        .collect()
}
