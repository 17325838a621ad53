//! The 6510's port at $00/$01, as the C64 wires it.

/// The port: eight lines, each an input or an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Port6510 {
    /// $00: a set bit is an output.
    pub direction: u8,
    /// $01 as written.
    pub data: u8,
    /// The levels of the input lines when nothing drives them.
    pub pulled_up: u8,
}

impl Port6510 {
    /// High: BASIC is visible, if HIRAM is high, too.
    pub const LORAM: u8 = 0x01;
    /// High: the KERNAL is visible.
    pub const HIRAM: u8 = 0x02;
    /// High: the devices are visible at $D000, low: the characters; neither if LORAM and HIRAM are low.
    pub const CHAREN: u8 = 0x04;

    /// As the C64 powers on: all three bank lines high.
    pub const fn new() -> Port6510 {
        // LORAM, HIRAM, CHAREN and the cassette sense have pull-ups.
        Port6510 { direction: 0x2f, data: 0x37, pulled_up: 0x17 }
    }

    /// The lines: outputs as written, inputs as pulled up. This is what reading $01 gives.
    pub const fn lines(&self) -> u8 {
        self.data & self.direction | self.pulled_up & !self.direction
    }
}

impl Default for Port6510 {
    fn default() -> Port6510 {
        Port6510::new()
    }
}
