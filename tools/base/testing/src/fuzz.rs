//! A bounded, seeded search for input that a reader does not survive. What it finds is made as small as it can be and
//! kept in `tests/fuzz/TARGET`; every later run begins with what is kept there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempo_random::Random;

/// One reader and what it is fed with.
pub struct Target<'a> {
    /// The folder below `tests/fuzz`.
    pub name: &'a str,
    /// Good inputs to damage.
    pub seeds: Vec<Vec<u8>>,
    /// Words that mean something to the reader; random bytes alone rarely do.
    pub words: &'a [&'a [u8]],
    /// Returns the fault in the handling of an input, if any. A panic is found without it.
    pub check: &'a dyn Fn(&[u8]) -> Option<String>,
}

impl Target<'_> {
    /// The folder of what was found before.
    pub fn folder(&self) -> PathBuf {
        crate::fixtures().join("fuzz").join(self.name)
    }

    /// Tries what was kept, then a damaged input a round, and fails with the smallest input that shows the first
    /// problem. With `FUZZ` set, that input is kept.
    pub fn run(&self, rounds: impl Iterator<Item = u64>) -> Result<u64, String> {
        std::panic::set_hook(Box::new(|_| {}));
        let result = self.search(rounds);
        let _ = std::panic::take_hook();
        result
    }

    fn search(&self, rounds: impl Iterator<Item = u64>) -> Result<u64, String> {
        let mut tried = 0;
        let mut kept: Vec<PathBuf> = std::fs::read_dir(self.folder())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.is_file())
            .collect();
        kept.sort();
        for path in kept {
            tried += 1;
            if let Some(what) = self.problem(&crate::bytes(&path)) {
                return Err(format!("{}: {what}", path.display()));
            }
        }
        let first = crate::seed();
        for seed in rounds.map(|round| first + round) {
            let mut random = Random::new(seed);
            let input = crate::damage(&mut random, random_seed(&self.seeds, seed), self.words);
            tried += 1;
            if self.problem(&input).is_some() {
                return Err(self.found(seed, &input));
            }
        }
        Ok(tried)
    }

    fn found(&self, seed: u64, input: &[u8]) -> String {
        let input = self.smallest(input);
        let what = self.problem(&input).unwrap_or_default();
        let mut message = format!("seed {seed}: {what}\n{:?}", String::from_utf8_lossy(&input));
        if std::env::var_os("FUZZ").is_some() {
            let path = self.folder().join(format!("seed-{seed}"));
            let written = std::fs::create_dir_all(self.folder()).and_then(|()| std::fs::write(&path, &input));
            if written.is_ok() {
                message.push_str(&format!("\nkept as {}", path.display()));
            }
        }
        message
    }

    /// Takes away stretches, long ones first, as long as the input still fails.
    fn smallest(&self, input: &[u8]) -> Vec<u8> {
        let until = Instant::now() + Duration::from_secs(60);
        let mut best = input.to_vec();
        let mut size = best.len().div_ceil(2).max(1);
        loop {
            let mut from = 0;
            while from < best.len() && Instant::now() < until {
                let to = (from + size).min(best.len());
                let shorter = [&best[..from], &best[to..]].concat();
                if self.problem(&shorter).is_some() {
                    best = shorter;
                } else {
                    from = to;
                }
            }
            if size == 1 {
                return best;
            }
            size /= 2;
        }
    }

    fn problem(&self, input: &[u8]) -> Option<String> {
        match catch_unwind(AssertUnwindSafe(|| (self.check)(input))) {
            Ok(problem) => problem,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                Some(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("?")))
            }
        }
    }
}

fn random_seed(seeds: &[Vec<u8>], seed: u64) -> &[u8] {
    let index = Random::new(!seed).index(seeds.len().max(1));
    seeds.get(index).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_found_and_made_small() {
        let check = |input: &[u8]| {
            assert!(!input.windows(2).any(|pair| pair == b"]]"), "brackets");
            None
        };
        let seeds = vec![b"[1, 2, [3]] and more".to_vec(); 1];
        let target = Target { name: "none", seeds, words: &[b"]"], check: &check };
        assert_eq!(target.smallest(b"[1, 2, [3]] and more"), b"]]");
        let message = target.run(0..50).unwrap_err();
        assert!(message.contains("panic: brackets\n\"]]\""), "{message}");
        let fine = Target { check: &|_| None, ..target };
        assert_eq!(fine.run(0..50), Ok(50));
    }
}
