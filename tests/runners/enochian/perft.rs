//! Perft of every array: the counts in `perft.txt`, from the engine and from the plain one.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use boardgame::perft::perft;
use enochian::{Rulebook, available_arrays};
use libtest_mimic::{Failed, Trial};

use super::fixtures::check_file;
use super::plain;

fn path() -> PathBuf {
    tests::fixtures().join("enochian/perft.txt")
}

/// The counts of one array to depth 1, 2, 3, …
fn expected(id: &str) -> Vec<u64> {
    let text = fs::read_to_string(path()).unwrap_or_default();
    let line = text.lines().find(|line| line.split_whitespace().next() == Some(id));
    line.map(|line| line.split_whitespace().skip(1).filter_map(|n| n.parse().ok()).collect())
        .unwrap_or_default()
}

/// The plain engine is slow: depth 3 unless asked for more.
fn plain_depth() -> usize {
    std::env::var("ENOCHIAN_PLAIN_DEPTH").ok().and_then(|n| n.parse().ok()).unwrap_or(3)
}

pub fn trials() -> Vec<Trial> {
    if tests::updating() {
        return vec![Trial::test("perft counts", update)];
    }
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
    if wanted.len() < 3 {
        return Err("perft.txt has not three counts for it".into());
    }
    let mut position = Rulebook::embedded().find(id)?.position();
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

/// The YAML lists every man; the page gives rows. Both must put the same men on the board.
fn same_array(id: &str) -> Result<(), Failed> {
    let position = Rulebook::embedded().find(id)?.position();
    let (ours, plain) = (super::fixtures::summary(&position, None), plain::array(id, "").summary());
    if ours == plain { Ok(()) } else { Err(format!("{ours}\n{plain}").into()) }
}

fn update() -> Result<(), Failed> {
    let mut text = String::from(
        "# Perft from the first position of every array, in the listed turn order: depths 1 to 5.\n",
    );
    for array in available_arrays() {
        let mut position = array.position();
        let counts: Vec<String> = (1..=5).map(|depth| perft(&mut position, depth).to_string()).collect();
        let _ = writeln!(text, "{:<26} {}", array.id, counts.join(" "));
    }
    check_file(&path(), "", &text)
}
