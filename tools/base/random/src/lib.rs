#![doc = include_str!("../README.md")]
#![no_std]
#![warn(missing_docs)]

/// SplitMix64: a counter and a mixing function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// A generator that starts from `seed`. Every seed is as good as any other, zero included.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A generator for one of many independent streams of one seed.
    pub const fn stream(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed ^ stream.wrapping_mul(0xd129_0d3f_5a4c_93e1));
        random.next_u64();
        random
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next 16 bits.
    pub const fn next_u16(&mut self) -> u16 {
        (self.next_u64() >> 48) as u16
    }

    /// The next 8 bits.
    pub const fn next_u8(&mut self) -> u8 {
        (self.next_u64() >> 56) as u8
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub const fn below(&mut self, limit: u64) -> u64 {
        // The bias is below 2^-32 for every limit below 2^32.
        ((self.next_u64() as u128 * limit as u128) >> 64) as u64
    }

    /// An index into a list of `length` items; 0 if it is empty.
    pub const fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// True one time in `n`.
    pub const fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub const fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.index(items.len())]
    }

    /// Puts the items in a random order, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }

    /// Fills a buffer with random bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// A seed from a text (FNV-1a), so that two tests of one run see different values.
pub const fn seed_of(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_fixed() {
        let mut random = Random::new(1);
        assert_eq!(random.next_u64(), 0x910a_2dec_8902_5cc1);
        assert_eq!(random.next_u64(), 0xbeeb_8da1_658e_ec67);
        assert_eq!(seed_of("test"), 0xf9e6_e6ef_197c_2b25);
        assert_ne!(Random::stream(1, 0), Random::stream(1, 1));
    }

    #[test]
    fn numbers_stay_below_their_limit_and_reach_all_of_it() {
        let mut random = Random::new(3);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[random.index(7)] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn shuffling_keeps_every_item_and_reaches_every_order() {
        let mut random = Random::new(9);
        let mut seen = [false; 27];
        for _ in 0..200 {
            let mut items = [0usize, 1, 2];
            random.shuffle(&mut items);
            let [a, b, c] = items;
            assert_eq!(a + b + c, 3);
            seen[a * 9 + b * 3 + c] = true;
        }
        assert_eq!(seen.iter().filter(|&&seen| seen).count(), 6);
    }

    #[test]
    fn filling_reaches_the_last_bytes() {
        let mut bytes = [0; 1003];
        Random::new(5).fill(&mut bytes);
        assert!(bytes[1000..].iter().any(|&byte| byte != 0));
    }
}
