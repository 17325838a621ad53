//! The lines of the CPU's port that nothing is connected to.

use crate::Port6510;

/// Lines of the CPU's port without anything to pull them: as inputs they keep the level they were driven to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) levels: u8,
    /// The cycle in which line 6, or 7, has lost its charge.
    pub(super) fades_at: [u64; 2],
}

impl Charge {
    const LINES: u8 = 0xc8;
    pub(super) const NONE: Charge = Charge { levels: 0, fades_at: [u64::MAX; 2] };

    /// The port is `before` and will be `after`.
    pub(super) fn drive(&mut self, before: Port6510, after: Port6510, fades_at: u64) {
        for port in [before, after] {
            let driven = port.direction & Charge::LINES;
            self.levels = self.levels & !driven | port.data & driven;
        }
        for (at, bit) in self.fades_at.iter_mut().zip([0x40, 0x80]) {
            if after.direction & bit != 0 || self.levels & bit == 0 {
                *at = u64::MAX;
            } else if before.direction & bit != 0 {
                *at = fades_at;
            }
        }
    }

    /// Whether a line has lost its charge when this many cycles are over.
    pub(super) fn fade(&mut self, done: u64) -> bool {
        let before = self.levels;
        for (at, bit) in self.fades_at.iter_mut().zip([0x40, 0x80]) {
            if *at <= done {
                *at = u64::MAX;
                self.levels &= !bit;
            }
        }
        self.levels != before
    }

    /// The first cycle in which a line loses its charge.
    pub(super) fn ends(&self) -> u64 {
        self.fades_at[0].min(self.fades_at[1])
    }
}
