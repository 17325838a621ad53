//! The VIC's work in each cycle of a line, for each model, as tables built at compile time.

use alloc::vec::Vec;

use super::model::{Model, Process, Spec};
use crate::state::{State, StateError};

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
    /// The X position that the light pen latches.
    pub(super) pen_x: [u8; CYCLES],
    pub(super) dma_checks: [u8; 2],
    pub(super) display_check: u8,
}

static TIMINGS: [Timing; Model::ALL.len()] = {
    let mut timings = [const { Timing::build(Model::Pal) }; Model::ALL.len()];
    let mut at = 0;
    while at < timings.len() {
        timings[at] = Timing::build(Model::ALL[at]);
        at += 1;
    }
    timings
};

impl Timing {
    pub(super) fn of(model: Model) -> &'static Timing {
        &TIMINGS[model as usize]
    }

    const fn build(model: Model) -> Timing {
        let Spec { cycles_per_line: cycles, first_pointer, positions: range, repeated, vic, .. } =
            *model.spec();
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
        let mut cycle = 1;
        while cycle <= cycles {
            // Pixels leave the chip a cycle later.
            let (late, late_pen) = match repeated {
                Some(twice) => ((cycle > twice) as u16, (cycle >= twice) as u16),
                None => (0, 0),
            };
            sprite_x[cycle as usize] = (range + 8 * (cycle as u16 + (range / 8)) - 8 * (15 + late)) % range;
            let x = (range + 8 * (cycle as u16 + (range / 8)) - 8 * (13 + late_pen) - 4) % range;
            pen_x[cycle as usize] = match vic {
                Process::Nmos => (x / 2) as u8,
                // Two pixels earlier.
                Process::Hmos => (x / 2 - 1) as u8,
            };
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

/// A cycle that may be in the next line.
const fn wrap(cycle: u8, cycles: u8) -> usize {
    (if cycle > cycles { cycle - cycles } else { cycle }) as usize
}

/// A machine is saved with the number of its table.
impl State for &'static Timing {
    fn save(&self, to: &mut Vec<u8>) {
        let number = TIMINGS.iter().position(|timing| core::ptr::eq(timing, *self));
        to.push(number.unwrap_or_default() as u8);
    }
    fn load(from: &mut &[u8]) -> Result<&'static Timing, StateError> {
        let number = u8::load(from)?;
        TIMINGS.get(usize::from(number)).ok_or(StateError::Impossible("a video chip that there is not"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accesses_stand_where_the_chips_make_them() {
        let [pal, ntsc] = [Model::Pal, Model::Ntsc].map(Timing::of);
        assert_eq!(
            (pal.slots[58], pal.slots[1], pal.slots[10]),
            (Slot::Pointer(0), Slot::Pointer(3), Slot::Data(7))
        );
        assert_eq!(
            (ntsc.slots[65], ntsc.slots[9], ntsc.slots[10]),
            (Slot::Pointer(3), Slot::Data(7), Slot::Idle)
        );
        assert_eq!((pal.sprite_x[1], pal.sprite_x[14], pal.sprite_x[15]), (392, 496, 0));
        assert_eq!((ntsc.sprite_x[63], ntsc.sprite_x[64], ntsc.sprite_x[14]), (384, 384, 504));
        assert_eq!((pal.pen_x[14], pal.pen_x[1]), (2, 0xca));
    }
}
