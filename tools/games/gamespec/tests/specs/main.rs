//! Game specs: readings, faults, counts, chess against the chess engine, and fuzzing.
//!
//! - `specs/readings/*.json` + `.expect`: one place of the format that can be read in two ways. The
//!   crate and the plain engine beside this file give the first answer; the plain engine, told to
//!   follow the other reading, gives the second; and the two must differ.
//! - `specs/faults/*.json` + `.expect`: what the checker says about a text.
//! - `specs/games/*.perft`: counts of games, each with its origin.
//!
//! `UPDATE=1` rewrites the `.expect` files, never the counts. `FUZZ=N` multiplies the fuzzing.

mod chess;
mod counts;
mod faults;
mod fuzz;
mod oracle;
mod random_spec;
mod readings;
mod schema;

use libtest_mimic::Arguments;

fn main() {
    let args = Arguments::from_args();
    tempo_testing::keep_published("the counts of `specs/games`");
    let mut trials = readings::trials();
    trials.extend(faults::trials());
    trials.extend(counts::trials());
    trials.extend(chess::trials());
    trials.extend(fuzz::trials());
    trials.extend(schema::trials());
    libtest_mimic::run(&args, trials).exit();
}
