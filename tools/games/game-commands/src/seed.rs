//! A number that differs from run to run, for games that should not begin alike. For the same run again there is
//! a seed by the user.

use std::hash::{BuildHasher, RandomState};

/// The hasher's keys are the randomness.
pub fn fresh() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 16
}
