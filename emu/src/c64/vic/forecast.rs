//! The VIC's forecast, which holds until the next write to it: when BA is low and when a flag may rise.

use super::Vic;
use super::registers::{DEN, LIGHT_PEN, RASTER, SPRITE_BACKGROUND, SPRITE_SPRITE};
use super::timing::Slot;

/// BA in one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::c64) struct Plan {
    /// A bit for each cycle in which BA is low, cycle 1 first. Cycles that are over mean nothing.
    pub(in crate::c64) low: u128,
    /// How many cycles after the start of this line BA may be low again, once the line is over.
    pub(in crate::c64) then: u64,
}

/// The cycles 12 to 54.
const BAD: u128 = ((1 << 43) - 1) << 11;

impl Vic {
    /// How many cycles of the line that the next cycle is in are over, and the number of that line on the screen.
    fn next_line(&self) -> (u8, u16) {
        if u64::from(self.cycle) < self.model.cycles_per_line() {
            (self.cycle, self.row)
        } else if self.row == self.model.lines() - 1 {
            (0, 0)
        } else {
            (0, self.row + 1)
        }
    }

    /// How many cycles of the line that the next cycle is in are over.
    pub(in crate::c64) fn cycles_into_line(&self) -> u64 {
        u64::from(self.next_line().0)
    }

    /// Whether the line that the next cycle is in is a bad one, if nothing writes to $D011.
    pub(in crate::c64) fn is_bad_next(&self) -> bool {
        let row = self.next_line().1;
        let is_den = self.registers[0x11] & DEN != 0;
        // A write in the last cycle of line $30 still counts.
        let is_allowed = self.is_bad_allowed || (is_den && (row == 0x30 || self.row == 0x30));
        is_allowed && self.may_be_bad(row)
    }

    fn may_be_bad(&self, row: u16) -> bool {
        (0x30..=0xf7).contains(&row) && (row as u8 ^ self.registers[0x11]) & 7 == 0
    }

    /// Whether a bad line has just been made by a write, so late that the first accesses find the CPU's bytes on the bus.
    pub(in crate::c64) fn is_bad_late(&self) -> bool {
        !self.is_bad && (11..55).contains(&self.cycle) && self.is_bad_next()
    }

    /// BA in the line that the next cycle is in.
    pub(in crate::c64) fn plan(&self) -> Plan {
        let (over, row) = self.next_line();
        let timing = self.timing;
        let mut low = if self.is_bad_next() { BAD } else { 0 };
        let mut dma = self.dma;
        if dma != 0 {
            let mut left = dma;
            while left != 0 {
                let n = left.trailing_zeros() as usize;
                left &= left - 1;
                low |= timing.ba_early[n];
            }
            if over < 16 {
                dma &= !self.ending(over);
            }
        }
        if over < timing.dma_checks[1] {
            dma |= self.beginning(row, dma);
        }
        let mut left = dma;
        while left != 0 {
            let n = left.trailing_zeros() as usize;
            left &= left - 1;
            low |= timing.ba_late[n];
        }
        Plan { low, then: self.next_low(row, dma) }
    }

    /// The sprites that end in cycle 16 of this line.
    fn ending(&self, over: u8) -> u8 {
        let mut counters: [u8; 8] = core::array::from_fn(|n| self.sprites[n].mc);
        for slot in &self.timing.slots[usize::from(over) + 1..11.max(usize::from(over) + 1)] {
            match *slot {
                Slot::Pointer(n) => counters[usize::from(n)] += 1,
                Slot::Data(n) => counters[usize::from(n)] += 2,
                _ => {}
            }
        }
        (0..8)
            .filter(|&n| self.advance & 1 << n != 0 && counters[n] & 0x3f == 63)
            .fold(0, |set, n| set | 1 << n)
    }

    /// When BA may be low after the line `row`: cycles from its start. Lines may be skipped only if no sprite has DMA.
    fn next_low(&self, row: u16, dma: u8) -> u64 {
        let line = self.model.cycles_per_line();
        if dma != 0 {
            return line;
        }
        let is_allowed = self.is_bad_allowed || self.registers[0x11] & DEN != 0;
        let enabled = self.registers[0x15] != 0;
        let mut next = row;
        for count in 1..=u64::from(self.model.lines()) {
            next = if next == self.model.lines() - 1 { 0 } else { next + 1 };
            if is_allowed && self.may_be_bad(next) {
                return count * line + 11;
            }
            if enabled && self.beginning(next, 0) != 0 {
                return count * line + u64::from(self.timing.dma_checks[0]) - 1;
            }
        }
        u64::from(self.model.lines()) * line
    }

    /// For how many cycles the IRQ line surely stays as it is.
    pub(in crate::c64) fn quiet_for(&self) -> u64 {
        if self.is_irq_low() { u64::MAX } else { self.flags_stay_for(self.registers[0x1a]) }
    }

    /// For how many cycles none of these flags of $D019 rises.
    pub(in crate::c64) fn flags_stay_for(&self, flags: u8) -> u64 {
        let flags = flags & !self.flags;
        let mut quiet = u64::MAX;
        if flags & RASTER != 0 {
            quiet = quiet.min(self.raster_in().saturating_sub(1));
        }
        if flags & (SPRITE_SPRITE | SPRITE_BACKGROUND) != 0
            && (self.registers[0x15] | self.dma | self.display | self.draw.pending() | self.draw.active())
                != 0
        {
            return 0;
        }
        if flags & LIGHT_PEN != 0 {
            if self.is_pen_due {
                return 0;
            }
            if let Some((line, cycle)) = self.pen_spot {
                let spot = u64::from(line) * self.model.cycles_per_line() + u64::from(cycle);
                quiet = quiet.min(self.cycles_to(spot).saturating_sub(1));
            }
            if self.is_pen_low {
                quiet = quiet.min(self.cycles_to(2).saturating_sub(1));
            }
        }
        quiet
    }

    /// The cycle from now in which the raster flag may rise, the next being 1.
    fn raster_in(&self) -> u64 {
        if self.compare >= self.model.lines() {
            return u64::MAX;
        }
        if self.line == self.compare && !self.is_compare_equal {
            return 1;
        }
        let start = u64::from(self.compare) * self.model.cycles_per_line();
        self.cycles_to(start + if self.compare == 0 { 2 } else { 1 })
    }

    /// Cycles until this many of a frame are over.
    fn cycles_to(&self, over: u64) -> u64 {
        let frame = self.model.cycles_per_frame();
        let now = u64::from(self.row) * self.model.cycles_per_line() + u64::from(self.cycle);
        if over > now { over - now } else { over + frame - now }
    }

    /// The line counter this many cycles from now; 0 is the cycle that is just over.
    pub(in crate::c64) fn line_in(&self, cycles: u64) -> u16 {
        if cycles == 0 {
            return self.line;
        }
        let lines = u64::from(self.model.lines());
        let per_line = self.model.cycles_per_line();
        // The cycle, from 0, within the frame.
        let at = u64::from(self.row) * per_line + u64::from(self.cycle) - 1 + cycles;
        let at = at % (lines * per_line);
        if at == 0 { self.model.lines() - 1 } else { (at / per_line) as u16 }
    }
}
