//! Counts of the shipped games, each file with its origin; small depths also against the plain engine.
//!
//! A file has `#` lines that say where the numbers come from, then `game NAME` and `perft DEPTH COUNT`.

use libtest_mimic::{Failed, Trial};
use tempo_boardgame::perft::perft;
use tempo_gamespec::library;

use super::oracle::Oracle;

/// The plain engine is some thousand times slower.
const PLAIN_LIMIT: u64 = 3_000;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut counted = Vec::new();
    for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("specs/games"), "perft") {
        let text = tempo_testing::text(&path);
        let game =
            text.lines().find_map(|line| line.strip_prefix("game ")).expect("a game line").trim().to_owned();
        counted.push(game.clone());
        trials.push(Trial::test(format!("counts/{game}"), move || check(&game, &text)));
    }
    trials.push(Trial::test("counts/every-shipped-game", move || {
        let missing: Vec<&str> = library::SHIPPED
            .iter()
            .map(|shipped| shipped.name)
            .filter(|name| !counted.iter().any(|c| c == name))
            .collect();
        if missing.is_empty() { Ok(()) } else { Err(format!("no counts for {missing:?}").into()) }
    }));
    trials
}

fn check(name: &str, text: &str) -> Result<(), Failed> {
    let shipped = library::find(name).ok_or("a shipped game")?;
    if !text.starts_with("# ") {
        return Err("the file must say where its numbers come from".into());
    }
    let mut game = tempo_gamespec::load(shipped.text.as_bytes()).map_err(|_| "a game in order")?;
    let value: serde_json::Value = serde_json::from_str(shipped.text)?;
    let oracle = Oracle::new(&value, "");
    for line in text.lines().filter_map(|line| line.strip_prefix("perft ")) {
        let (depth, count) = line.split_once(' ').ok_or("depth and count")?;
        let (depth, count): (u32, u64) = (depth.parse()?, count.trim().parse()?);
        let found = perft(&mut game, depth);
        if found != count {
            return Err(format!("perft {depth}: {found} instead of {count}").into());
        }
        if count <= PLAIN_LIMIT {
            let plain = oracle.perft(&oracle.start(), depth);
            if plain != count {
                return Err(
                    format!("perft {depth}: the plain engine counts {plain} instead of {count}").into()
                );
            }
        }
    }
    Ok(())
}
