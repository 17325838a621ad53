//! What the VIC does in which cycle of a line, for both chips, as tables made at compile time.

use alloc::vec::Vec;

use super::Model;
use crate::c64::state::{State, StateError};

/// The access of a cycle's first half.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Idle,
    Refresh,
    Graphics,
    /// The pointer of a sprite; byte 0 of its data in the second half.
    Pointer(u8),
    /// Byte 1 of a sprite; byte 2 in the second half.
    Data(u8),
}

/// Cycles count from 1.
const CYCLES: usize = 66;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Timing {
    pub(super) slots: [Slot; CYCLES],
    /// The sprites that need BA low in a cycle, if they have DMA.
    pub(super) ba_sprites: [u8; CYCLES],
    /// For each sprite the cycles of that need in the first part of a line and in the last, a bit each, cycle 1 first.
    pub(super) ba_early: [u128; 8],
    pub(super) ba_late: [u128; 8],
    /// The sprite coordinate of the first of the eight pixels that leave the chip in a cycle.
    pub(super) sprite_x: [u16; CYCLES],
    /// What the light pen latches for X.
    pub(super) pen_x: [u8; CYCLES],
    pub(super) dma_checks: [u8; 2],
    pub(super) display_check: u8,
}

static PAL: Timing = Timing::build(63, 58);
static NTSC: Timing = Timing::build(65, 59);

impl Timing {
    pub(super) fn of(model: Model) -> &'static Timing {
        match model {
            Model::Pal => &PAL,
            Model::Ntsc => &NTSC,
        }
    }

    /// From the cycles of a line and the cycle in which sprite 0's pointer is read.
    const fn build(cycles: u8, first_pointer: u8) -> Timing {
        let mut slots = [Slot::Idle; CYCLES];
        let mut cycle = 11;
        while cycle <= 55 {
            slots[cycle] = if cycle <= 15 { Slot::Refresh } else { Slot::Graphics };
            cycle += 1;
        }
        let mut ba_sprites = [0; CYCLES];
        let (mut ba_early, mut ba_late) = ([0; 8], [0; 8]);
        let mut n = 0;
        while n < 8 {
            let pointer = first_pointer + 2 * n;
            slots[wrap(pointer, cycles)] = Slot::Pointer(n);
            slots[wrap(pointer + 1, cycles)] = Slot::Data(n);
            let mut low = pointer - 3;
            while low <= pointer + 1 {
                let cycle = wrap(low, cycles);
                ba_sprites[cycle] |= 1 << n;
                let half = if cycle <= 15 { &mut ba_early } else { &mut ba_late };
                half[n as usize] |= 1 << (cycle - 1);
                low += 1;
            }
            n += 1;
        }
        let mut sprite_x = [0; CYCLES];
        let mut pen_x = [0; CYCLES];
        let range = if cycles == 63 { 504 } else { 512 };
        let mut cycle = 1;
        while cycle <= cycles {
            // The 6567R8's coordinate stands still in cycle 63; pixels leave the chip a cycle later.
            let repeated = cycles == 65;
            let late = if repeated && cycle >= 64 { 1 } else { 0 };
            sprite_x[cycle as usize] = (range + 8 * (cycle as u16 + (range / 8)) - 8 * (15 + late)) % range;
            let late = if repeated && cycle >= 63 { 1 } else { 0 };
            let x = (range + 8 * (cycle as u16 + (range / 8)) - 8 * (13 + late) - 4) % range;
            pen_x[cycle as usize] = (x / 2) as u8;
            cycle += 1;
        }
        let first_check = first_pointer - 3;
        Timing {
            slots,
            ba_sprites,
            ba_early,
            ba_late,
            sprite_x,
            pen_x,
            dma_checks: [first_check, first_check + 1],
            display_check: first_pointer,
        }
    }
}

/// A cycle that may lie in the next line.
const fn wrap(cycle: u8, cycles: u8) -> usize {
    (if cycle > cycles { cycle - cycles } else { cycle }) as usize
}

/// A machine is saved with the name of its table.
impl State for &'static Timing {
    fn save(&self, to: &mut Vec<u8>) {
        (self.display_check == NTSC.display_check).save(to);
    }
    fn load(from: &mut &[u8]) -> Result<&'static Timing, StateError> {
        Ok(if bool::load(from)? { &NTSC } else { &PAL })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accesses_stand_where_the_chips_make_them() {
        assert_eq!(
            (PAL.slots[58], PAL.slots[1], PAL.slots[10]),
            (Slot::Pointer(0), Slot::Pointer(3), Slot::Data(7))
        );
        assert_eq!(
            (NTSC.slots[65], NTSC.slots[9], NTSC.slots[10]),
            (Slot::Pointer(3), Slot::Data(7), Slot::Idle)
        );
        assert_eq!((PAL.sprite_x[1], PAL.sprite_x[14], PAL.sprite_x[15]), (392, 496, 0));
        assert_eq!((NTSC.sprite_x[63], NTSC.sprite_x[64], NTSC.sprite_x[14]), (384, 384, 504));
        assert_eq!((PAL.pen_x[14], PAL.pen_x[1]), (2, 0xca));
    }
}
