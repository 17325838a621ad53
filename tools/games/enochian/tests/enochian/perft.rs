//! Perft of every array: the counts in `perft.txt`, from the engine and from the plain one.
//! `UPDATE=1` does not rewrite the counts: an oracle is not rewritten by what it judges.

use libtest_mimic::{Failed, Trial};
use tempo_boardgame::perft::perft;
use tempo_enochian::{Rulebook, available_arrays};

use super::plain;

/// The counts of one array to depth 1, 2, 3, …
fn expected(id: &str) -> Vec<u64> {
    let text = tempo_testing::text(&tempo_testing::fixtures().join("enochian/perft.txt"));
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(id));
    line.map(|line| line.split_whitespace().skip(1).filter_map(|n| n.parse().ok()).collect())
        .unwrap_or_default()
}

/// The plain engine is slow: depth 3 unless asked for more.
fn plain_depth() -> usize {
    std::env::var("ENOCHIAN_PLAIN_DEPTH").ok().and_then(|n| n.parse().ok()).unwrap_or(3)
}

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for array in available_arrays() {
        trials.push(Trial::test(format!("perft {}", array.id), || on_engine(&array.id)));
        trials.push(Trial::test(format!("perft on the plain engine {}", array.id), || on_plain(&array.id)));
        trials.push(Trial::test(format!("array from the tables of the page {}", array.id), || {
            same_array(&array.id)
        }));
    }
    trials
}

fn on_engine(id: &str) -> Result<(), Failed> {
    let wanted = expected(id);
    let mut position = Rulebook::embedded().find(id)?.position();
    if wanted.len() < 3 {
        let counts: Vec<String> = (1..=5).map(|depth| perft(&mut position, depth).to_string()).collect();
        let line = format!("{id:<26} {}", counts.join(" "));
        return Err(
            format!("perft.txt has fewer than three counts for it; this engine counts\n{line}").into()
        );
    }
    for (depth, wanted) in (1..).zip(wanted) {
        let found = perft(&mut position, depth);
        if found != wanted {
            return Err(format!("depth {depth}: {found}, expected {wanted}").into());
        }
    }
    Ok(())
}

fn on_plain(id: &str) -> Result<(), Failed> {
    for (depth, wanted) in (1..).zip(expected(id)).take(plain_depth()) {
        let found = plain::perft(&plain::array(id, ""), depth);
        if found != wanted {
            return Err(format!("depth {depth}: {found}, expected {wanted}").into());
        }
    }
    Ok(())
}

/// The YAML lists every piece; the page gives rows. Both must put the same pieces on the board.
fn same_array(id: &str) -> Result<(), Failed> {
    let position = Rulebook::embedded().find(id)?.position();
    let (ours, plain) = (super::fixtures::summary(&position, None), plain::array(id, "").summary());
    if ours == plain { Ok(()) } else { Err(format!("{ours}\n{plain}").into()) }
}
