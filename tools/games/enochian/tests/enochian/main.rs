//! Runs Enochian chess: fixtures, their index, perft against a second engine, random games, faults and
//! mangled input. Every fixture, index row and array is a separate test.

use libtest_mimic::{Arguments, Trial};

mod faults;
mod fixtures;
mod games;
mod perft;
mod plain;

fn main() {
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> =
        [fixtures::trials(), perft::trials(), games::trials(), faults::trials()].concat_trials();
    libtest_mimic::run(&arguments, trials).exit();
}

trait ConcatTrials {
    fn concat_trials(self) -> Vec<Trial>;
}

impl<const N: usize> ConcatTrials for [Vec<Trial>; N] {
    fn concat_trials(self) -> Vec<Trial> {
        self.into_iter().flatten().collect()
    }
}
