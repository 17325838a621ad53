//! Natural numbers of any size, as far as printing a double needs them.

use std::cmp::Ordering;

/// Limbs of 32 bits, the lowest first, none of the highest zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wide(Vec<u32>);

impl Wide {
    /// `5^five · 2^two`
    pub fn power(five: i32, two: i32) -> Wide {
        let mut limbs = vec![0; two as usize / 32];
        limbs.push(1 << (two % 32));
        let mut power = Wide(limbs);
        let mut left = five;
        while left > 0 {
            // The largest power of five in 32 bits.
            let step = left.min(13);
            power = power.times(5u64.pow(step.unsigned_abs()));
            left -= step;
        }
        power
    }

    pub fn times(&self, factor: u64) -> Wide {
        let mut limbs = Vec::with_capacity(self.0.len() + 3);
        let mut carry = 0u128;
        for &limb in &self.0 {
            carry += u128::from(limb) * u128::from(factor);
            limbs.push(carry as u32);
            carry >>= 32;
        }
        while carry > 0 {
            limbs.push(carry as u32);
            carry >>= 32;
        }
        Wide(limbs)
    }

    pub fn plus(&self, other: &Wide) -> Wide {
        let mut carry = 0;
        let mut limbs = Vec::with_capacity(self.0.len().max(other.0.len()) + 1);
        for at in 0..self.0.len().max(other.0.len()) {
            carry += u64::from(self.limb(at)) + u64::from(other.limb(at));
            limbs.push(carry as u32);
            carry >>= 32;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
        Wide(limbs)
    }

    /// The quotient, which is a digit; the remainder is left.
    pub fn divide_off(&mut self, divisor: &Wide) -> u8 {
        let mut digit = 0;
        while *self >= *divisor {
            self.take(divisor);
            digit += 1;
        }
        digit
    }

    /// Subtracts what is not larger.
    fn take(&mut self, other: &Wide) {
        let mut borrow = false;
        for at in 0..self.0.len() {
            let (difference, first) = self.0[at].overflowing_sub(other.limb(at));
            let (difference, second) = difference.overflowing_sub(u32::from(borrow));
            self.0[at] = difference;
            borrow = first || second;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn limb(&self, at: usize) -> u32 {
        self.0.get(at).copied().unwrap_or(0)
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Wide) -> Ordering {
        let by_size = self.0.len().cmp(&other.0.len());
        by_size.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
