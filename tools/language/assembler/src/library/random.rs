//! The generator of `java.util.Random`, so that seeded programs give the same numbers.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Random {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_deec_e66d;
const MASK: u64 = (1 << 48) - 1;

impl Random {
    pub fn new(seed: i64) -> Random {
        Random { state: (seed as u64 ^ MULTIPLIER) & MASK }
    }

    fn bits(&mut self, bits: u32) -> u32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(0xb) & MASK;
        (self.state >> (48 - bits)) as u32
    }

    /// From 0 to below 1.
    pub fn next_double(&mut self) -> f64 {
        let high = u64::from(self.bits(26)) << 27;
        let low = u64::from(self.bits(27));
        (high + low) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// From 0 to below `bound`, which is positive.
    pub fn next_int(&mut self, bound: i32) -> i32 {
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(self.bits(31))) >> 31) as i32;
        }
        loop {
            let bits = self.bits(31) as i32;
            let value = bits % bound;
            if bits.wrapping_sub(value).wrapping_add(bound - 1) >= 0 {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_numbers_for_seed_42() {
        let mut random = Random::new(42);
        assert_eq!(random.next_double(), 0.7275636800328681);
        assert_eq!(random.next_double(), 0.6832234717598454);
    }
}
