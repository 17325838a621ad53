//! A small random generator whose sequence never changes: seeds in bug reports must work next year.

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator for one of many independent streams.
    pub fn stream(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed ^ stream.wrapping_mul(0xd129_0d3f_5a4c_93e1));
        random.next();
        random
    }

    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `limit`, which is not zero.
    pub fn below(&mut self, limit: u64) -> u64 {
        // The bias of a plain remainder is below 2^-32 for every limit a test has.
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }
}

/// A seed from a text, so that two tests of one run see different values.
pub fn seed_of(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_fixed() {
        let mut random = Random::new(1);
        assert_eq!(random.next(), 0x910a_2dec_8902_5cc1);
        assert!((0..1000).all(|_| random.below(7) < 7));
    }
}
