//! A number that differs from run to run, for games that should not begin alike. Whoever needs the same run again is given
//! a seed by the user.

use std::hash::{BuildHasher, RandomState};

/// The hasher's keys are the randomness.
pub fn fresh() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 16
}
