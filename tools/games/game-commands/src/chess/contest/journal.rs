//! The games of a match on disk, one line each, so that a match that was killed goes on where it was.
//! The file is replaced as a whole after every game: a reader finds every finished game or the state before.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempo_chess::pgn::{self, Outcome, Record};
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

    /// Adds the games of another journal of the same match that are not here yet, or all of a PGN file, and writes
    /// them down.
    pub fn merge(&mut self, path: &Path, header: &Header) -> Result<(), String> {
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        let entries = match is_pgn {
            true => {
                let free = self.entries.iter().map(|entry| entry.pair + 1).max().unwrap_or(0);
                let name = path.display();
                let bytes =
                    files::read_own(path, LIMIT).map_err(|err| format!("cannot read {name}: {err}"))?;
                played(&String::from_utf8_lossy(&bytes), &header.first, free)
                    .map_err(|err| format!("{name}: {err}"))?
            }
            false => read(path, header)?,
        };
        for entry in entries {
            let is_known = self.entries.iter().any(|known| known.pgn == entry.pgn);
            if !is_known && !self.has(entry.pair, entry.game) {
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

/// Plies that two games of an opening have in common, if nothing else says that they are a pair.
const OPENING: usize = 8;

/// The finished games of a PGN text of another framework; their pairs are counted from `free` on.
///
/// The first player is `first`, if a player of the games is called so, or White of the first game.
fn played(text: &str, first: &str, free: usize) -> Result<Vec<Entry>, String> {
    let (games, faults) = pgn::read(text);
    if let Some(fault) = faults.first() {
        return Err(fault.message.clone());
    }
    let sides = |game: &Record| ["White", "Black"].map(|tag| game.tag(tag).unwrap_or_default().to_owned());
    let is_named = games.iter().any(|game| sides(game).iter().any(|name| name == first));
    let first = match games.first() {
        Some(game) if !is_named => sides(game)[0].clone(),
        _ => first.to_owned(),
    };
    let (mut entries, mut next) = (Vec::new(), free);
    let mut alone: Vec<(usize, usize, &Record)> = Vec::new();
    for (number, game) in (1..).zip(&games).filter(|(_, game)| game.result != Outcome::Open) {
        let side = sides(game).iter().position(|name| *name == first);
        let side = side.ok_or_else(|| format!("{first} does not play in game {number}"))?;
        let partner = alone.iter().position(|&(_, other, known)| other != side && are_partners(known, game));
        let pair = match partner {
            Some(at) => alone.remove(at).0,
            None => {
                alone.push((next, side, game));
                next += 1;
                next - 1
            }
        };
        let half_points = match (game.result, side) {
            (Outcome::White, 0) | (Outcome::Black, 1) => 2,
            (Outcome::Draw, _) => 1,
            _ => 0,
        };
        let reason = game.tag("Termination").unwrap_or("played elsewhere").to_owned();
        entries.push(Entry { pair, game: side, half_points, reason, offence: false, pgn: pgn::write(game) });
    }
    Ok(entries)
}

/// Whether two games have the same opening: they begin with the same position, and are of the same round or go on
/// with the same moves.
fn are_partners(one: &Record, other: &Record) -> bool {
    let round = |game: &Record| {
        let round = game.tag("Round").unwrap_or_default();
        round.split('.').next().unwrap_or_default().to_owned()
    };
    let moves = |game: &Record| game.moves.iter().take(OPENING).map(|played| played.mv).collect::<Vec<_>>();
    one.start == other.start && (round(one) == round(other) || moves(one) == moves(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games as fastchess writes them: two of a round, in the order in which they ended.
    const GAMES: &str = r#"[Round "1"]
[White "tempo"]
[Black "sf"]
[Result "1-0"]

1. e4 {+0.35/7 24.913s} e5 {-0.20/9 0.020s} 1-0

[Round "2"]
[White "sf"]
[Black "tempo"]
[Result "1-0"]

1. d4 d5 1-0

[Round "1"]
[White "sf"]
[Black "tempo"]
[Result "1/2-1/2"]
[Termination "adjudication"]

1. e4 e5 1/2-1/2

[Round "2"]
[White "tempo"]
[Black "sf"]
[Result "*"]

1. d4 d5 *
"#;

    #[test]
    fn games_of_other_frameworks_become_pairs() {
        let entries = played(GAMES, "c64 nodes=3", 4).expect("games");
        let found: Vec<(usize, usize, u8)> =
            entries.iter().map(|entry| (entry.pair, entry.game, entry.half_points)).collect();
        assert_eq!(found, [(4, 0, 2), (5, 1, 0), (4, 1, 1)]);
        assert_eq!(entries[2].reason, "adjudication");
        assert!(entries[0].pgn.contains("+0.35/7 24.913s"));
        let other: Vec<u8> =
            played(GAMES, "sf", 0).expect("games").iter().map(|entry| entry.half_points).collect();
        assert_eq!(other, [0, 2, 1]);
        let header = Header {
            first: String::new(),
            second: String::new(),
            openings: String::new(),
            adjudication: String::new(),
        };
        let mut journal = Journal::open(None, &header).expect("a journal");
        entries.into_iter().for_each(|entry| journal.remember(entry).expect("memory"));
        let tally = journal.tally();
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.pairs), (1, 1, 1, [0, 0, 0, 1, 0]));
    }

    #[test]
    fn a_text_that_is_no_match_is_refused() {
        let third = GAMES.replacen("[White \"sf\"]", "[White \"guest\"]", 1).replacen(
            "[Black \"tempo\"]",
            "[Black \"sf\"]",
            1,
        );
        assert_eq!(played(&third, "x", 0), Err("tempo does not play in game 2".to_owned()));
        assert!(played("1. e4 Ke4 1-0", "x", 0).is_err());
        assert_eq!(played("", "x", 0), Ok(Vec::new()));
    }
}
