//! The registers a program sees.

use core::fmt;

use crate::Status;

/// The registers, as programs, hooks, vectors and test suites see them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Registers {
    /// The program counter.
    pub pc: u16,
    /// The accumulator.
    pub a: u8,
    /// The X index.
    pub x: u8,
    /// The Y index.
    pub y: u8,
    /// The stack pointer; the stack is at `$0100 + s`.
    pub s: u8,
    /// The status.
    pub p: Status,
}

/// Zero, with S = $FF and interrupts off.
impl Default for Registers {
    fn default() -> Registers {
        Registers { pc: 0, a: 0, x: 0, y: 0, s: 0xff, p: Status::default() }
    }
}

/// `PC=1000 A=00 X=00 Y=00 S=FF P=24 ..-..I..`
impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Registers { pc, a, x, y, s, p } = self;
        write!(f, "PC={pc:04X} A={a:02X} X={x:02X} Y={y:02X} S={s:02X} P={:02X} {p}", p.byte())
    }
}
