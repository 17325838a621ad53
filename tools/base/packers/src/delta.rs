//! `DeltaPacker`: each byte as the difference to the one before it, which a 6502 restores with a running `adc`.
//!
//! The carry is never cleared: it goes from one addition to the next.

/// Where the differences begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// At the first byte.
    Forward,
    /// At the last byte; every difference is in the place of its byte.
    Backward,
}

/// The differences of the bytes.
pub fn pack(bytes: &[u8], direction: Direction) -> Vec<u8> {
    let mut sum = Sum::default();
    in_direction(bytes, direction, |byte| {
        let difference = byte.wrapping_sub(sum.value).wrapping_sub(u8::from(sum.carry));
        sum.add(difference);
        difference
    })
}

/// The bytes of the differences.
pub fn unpack(differences: &[u8], direction: Direction) -> Vec<u8> {
    let mut sum = Sum::default();
    in_direction(differences, direction, |difference| sum.add(difference))
}

/// Accumulator and carry.
#[derive(Default)]
struct Sum {
    value: u8,
    carry: bool,
}

impl Sum {
    fn add(&mut self, difference: u8) -> u8 {
        let total = u16::from(self.value) + u16::from(difference) + u16::from(self.carry);
        *self = Sum { value: total as u8, carry: total > 0xff };
        self.value
    }
}

fn in_direction(bytes: &[u8], direction: Direction, mut change: impl FnMut(u8) -> u8) -> Vec<u8> {
    match direction {
        Direction::Forward => bytes.iter().map(|&byte| change(byte)).collect(),
        Direction::Backward => {
            let mut changed: Vec<u8> = bytes.iter().rev().map(|&byte| change(byte)).collect();
            changed.reverse();
            changed
        }
    }
}
