//! Runs `tests/perft/*.perft`: every position is a separate test.
//!
//! A file has blocks of `id`, `epd` and `perft DEPTH COUNT` lines; `promotions qn` restricts what pawns
//! become. The counts are published ones, so `UPDATE=1` does not rewrite them: an oracle is not rewritten by
//! what it judges.

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_boardgame::perft::{divide, perft};
use tempo_chess::{Board, Game, PromotionSet};

/// One block of a file.
struct Suite {
    id: String,
    epd: String,
    promotions: PromotionSet,
    counts: Vec<(u32, u64)>,
}

fn main() {
    let args = Arguments::from_args();
    tempo_testing::keep_published("the perft counts");
    let mut trials = Vec::new();
    for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("perft"), "perft") {
        let stem = tempo_testing::stem(&path);
        for suite in parse(&tempo_testing::text(&path), &path) {
            let name = format!("{stem}/{}", suite.id);
            trials.push(Trial::test(name, move || check(&suite)));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}

fn check(suite: &Suite) -> Result<(), Failed> {
    let board: Board = suite.epd.parse().map_err(|fault| format!("{}: {fault}", suite.epd))?;
    if suite.counts.is_empty() {
        return Err("a block needs a `perft DEPTH COUNT` line".into());
    }
    for &(depth, expected) in &suite.counts {
        let mut game = Game::new(board.clone(), suite.promotions);
        let counted = perft(&mut game, depth);
        if counted != expected {
            let lines: Vec<String> =
                divide(&mut game, depth).iter().map(|(mv, nodes)| format!("  {mv} {nodes}")).collect();
            return Err(format!(
                "{}\ndepth {depth}: counted {counted}, expected {expected}\n{}",
                board.fen(),
                lines.join("\n")
            )
            .into());
        }
    }
    Ok(())
}

fn parse(text: &str, path: &Path) -> Vec<Suite> {
    let mut suites: Vec<Suite> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let bad = || -> ! { panic!("{}:{number}: cannot read `{line}`", path.display()) };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or_else(|| bad());
        if word == "id" {
            let new = Suite {
                id: rest.to_string(),
                epd: String::new(),
                promotions: PromotionSet::All,
                counts: Vec::new(),
            };
            suites.push(new);
            continue;
        }
        let suite = suites.last_mut().unwrap_or_else(|| bad());
        match (word, rest.split_once(' ')) {
            ("epd", _) => suite.epd = rest.to_string(),
            ("promotions", _) if rest == "qn" => suite.promotions = PromotionSet::QueenKnight,
            ("perft", Some((depth, count))) => match (depth.parse(), count.parse()) {
                (Ok(depth), Ok(count)) => suite.counts.push((depth, count)),
                _ => bad(),
            },
            _ => bad(),
        }
    }
    suites
}
