//! The status register as software sees it.

use core::fmt;

/// The status register. Bit 4 (B) is not a register bit: it exists only in a pushed byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Status(u8);

impl Status {
    /// Carry.
    pub const C: u8 = 0x01;
    /// Zero.
    pub const Z: u8 = 0x02;
    /// Interrupts are off.
    pub const I: u8 = 0x04;
    /// Decimal mode.
    pub const D: u8 = 0x08;
    /// Only in a pushed byte: `brk` and `php` push it set, interrupts clear.
    pub const B: u8 = 0x10;
    /// Reads as set, always.
    pub const UNUSED: u8 = 0x20;
    /// Overflow.
    pub const V: u8 = 0x40;
    /// Negative.
    pub const N: u8 = 0x80;

    /// From a byte as `plp` would: B is dropped, the unused bit is set.
    pub const fn from_byte(byte: u8) -> Status {
        Status(byte & !Status::B | Status::UNUSED)
    }

    /// The byte, with the unused bit set and B clear.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// Whether all flags of the mask are set.
    pub const fn has(self, mask: u8) -> bool {
        self.0 & mask == mask
    }

    /// With the flags of the mask set.
    #[must_use]
    pub const fn with(self, mask: u8) -> Status {
        Status::from_byte(self.0 | mask)
    }

    /// With the flags of the mask clear.
    #[must_use]
    pub const fn without(self, mask: u8) -> Status {
        Status::from_byte(self.0 & !mask)
    }
}

impl Default for Status {
    fn default() -> Status {
        Status::from_byte(Status::I)
    }
}

impl From<u8> for Status {
    fn from(byte: u8) -> Status {
        Status::from_byte(byte)
    }
}

/// `NV-BDIZC` with a dot for every flag that is clear.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (bit, letter) in (0..8).rev().zip(['N', 'V', '-', 'B', 'D', 'I', 'Z', 'C']) {
            let shown = if letter == '-' || self.0 & 1 << bit != 0 { letter } else { '.' };
            write!(f, "{shown}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn shows_flags_by_letter() {
        assert_eq!(Status::from_byte(0xff).to_string(), "NV-.DIZC");
        assert_eq!(Status::default().with(Status::V).without(Status::I).to_string(), ".V-.....");
    }
}
