//! The sprites: when they begin and end, and the bytes that they fetch.

use super::timing::Slot;
use super::{Vic, View};
use crate::state::state;

/// The fetches of one sprite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fetch {
    /// The counter within the 63 bytes, and where it begins in the next line.
    pub(super) mc: u8,
    pub(super) mc_base: u8,
    pub(super) pointer: u8,
    /// 24 bits.
    pub(super) data: u32,
}

impl Fetch {
    pub(super) fn set_first(&mut self, value: u8) {
        self.data = self.data & 0x00_ffff | u32::from(value) << 16;
    }

    pub(super) fn set_last(&mut self, value: u8) {
        self.data = self.data & 0xff_ff00 | u32::from(value);
    }
}

/// The low byte of the first X, beyond 255, where a sprite can start in the line before that of its first data.
const FIRST_EARLY: u8 = 0x64;

impl Vic {
    /// A sprite whose expansion ends goes on with the next row of its data at once. In the cycle in which the base
    /// is about to be taken over the counter is torn between old and new.
    pub(super) fn set_expansion(&mut self, old: u8, new: u8) {
        let ended = old & !new & !self.advance;
        if self.cycle == 15 {
            for (n, sprite) in self.sprites.iter_mut().enumerate() {
                if ended & 1 << n != 0 {
                    let (mc, base) = (sprite.mc, sprite.mc_base);
                    sprite.mc = base & mc & 0x2a | (base | mc) & 0x15;
                }
            }
        }
        self.advance |= ended;
    }

    pub(super) fn sprite_logic(&mut self) {
        let timing = self.timing;
        if timing.dma_checks.contains(&self.cycle) {
            self.start_dma();
        }
        if self.cycle == 56 {
            self.advance ^= self.dma & self.registers[0x17];
        }
        if self.cycle == timing.display_check {
            self.check_display();
        }
        if self.cycle == 16 {
            self.end_rows();
        }
    }

    /// The enabled sprites, of those without DMA, whose Y this line has.
    pub(super) fn beginning(&self, line: u16, dma: u8) -> u8 {
        let mut idle = self.registers[0x15] & !dma;
        let mut beginning = 0;
        while idle != 0 {
            let n = idle.trailing_zeros() as usize;
            idle &= idle - 1;
            if self.registers[2 * n + 1] == line as u8 {
                beginning |= 1 << n;
            }
        }
        beginning
    }

    pub(super) fn start_dma(&mut self) {
        let mut beginning = self.beginning(self.line, self.dma);
        self.dma |= beginning;
        self.advance |= beginning;
        while beginning != 0 {
            self.sprites[beginning.trailing_zeros() as usize].mc_base = 0;
            beginning &= beginning - 1;
        }
    }

    pub(super) fn check_display(&mut self) {
        let enabled = self.registers[0x15];
        for n in 0..8 {
            let bit = 1 << n;
            self.sprites[n].mc = self.sprites[n].mc_base;
            if self.dma & bit == 0 {
                self.display &= !bit;
            } else if enabled & bit != 0 && self.registers[2 * n + 1] == self.line as u8 {
                self.display |= bit;
            }
        }
    }

    /// The rows of data that are over: the next begin after them, or the sprite ends.
    pub(super) fn end_rows(&mut self) {
        for (n, sprite) in self.sprites.iter_mut().enumerate() {
            if self.advance & 1 << n != 0 {
                sprite.mc_base = sprite.mc;
                if sprite.mc_base == 63 {
                    self.dma &= !(1 << n);
                }
            }
        }
    }

    /// A data access in the second half, where a sprite without DMA, or whose DMA came late, finds nothing on the bus.
    pub(super) fn second_byte(&mut self, n: u8, view: &View<'_>) -> u8 {
        if self.dma & 1 << n == 0 {
            return 0xff;
        }
        let value = self.sprite_byte(n, view);
        if self.has_second_half() { value } else { 0xff }
    }

    /// The CPU has this byte of a register on the bus in the second half of the cycle that was run last: a sprite that takes
    /// a byte without having the bus gets it.
    pub(super) fn share(&mut self, value: u8) {
        let slot = self.timing.slots[usize::from(self.cycle)];
        let (Slot::Pointer(n) | Slot::Data(n)) = slot else { return };
        if self.dma & 1 << n != 0 && self.has_second_half() {
            return;
        }
        let sprite = &mut self.sprites[usize::from(n)];
        match slot {
            Slot::Pointer(_) => sprite.set_first(value),
            _ => sprite.set_last(value),
        }
    }

    /// Whether a sprite may show bytes that its fetch left without DMA: one so far right that it starts after the check
    /// for display and before its next fetch.
    pub(in crate::c64) fn shows_shared(&self) -> bool {
        let right = self.registers[0x15] & self.registers[0x10];
        right != 0 && (0..8).any(|n| right & 1 << n != 0 && self.registers[2 * n] >= FIRST_EARLY)
    }

    /// A data access: the byte, and the counter moves on.
    pub(super) fn sprite_byte(&mut self, n: u8, view: &View<'_>) -> u8 {
        let sprite = &mut self.sprites[usize::from(n)];
        let addr = u16::from(sprite.pointer) << 6 | u16::from(sprite.mc);
        sprite.mc = (sprite.mc + 1) & 0x3f;
        view.read(addr)
    }
}

state!(Fetch { mc, mc_base, pointer, data });
