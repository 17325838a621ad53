//! The registers: what a read gives and what a write does, and the bits of those that others look at.

use super::{Vic, View};

/// Flags of $D019.
pub(super) const RASTER: u8 = 0x01;
pub(super) const SPRITE_BACKGROUND: u8 = 0x02;
pub(super) const SPRITE_SPRITE: u8 = 0x04;
pub(super) const LIGHT_PEN: u8 = 0x08;

/// Bits of $D011.
pub(super) const ECM: u8 = 0x40;
pub(super) const BMM: u8 = 0x20;
pub(super) const DEN: u8 = 0x10;
pub(super) const RSEL: u8 = 0x08;
/// Bits of $D016.
pub(super) const MCM: u8 = 0x10;
pub(super) const CSEL: u8 = 0x08;

impl Vic {
    pub(in crate::c64) fn read(&mut self, register: u8) -> u8 {
        match register {
            0x1e | 0x1f => self.read_collision = register,
            _ => {}
        }
        let value = self.peek(register);
        self.share(value);
        value
    }

    /// Returns the byte that a read gives, without its effects.
    pub(in crate::c64) fn peek(&self, register: u8) -> u8 {
        let written = self.registers[usize::from(register & 0x3f)];
        match register {
            0x11 => written & 0x7f | (self.line >> 1) as u8 & 0x80,
            0x12 => self.line as u8,
            0x13 => self.pen.0,
            0x14 => self.pen.1,
            0x16 => written | 0xc0,
            0x18 => written | 0x01,
            0x19 => self.flags | 0x70 | if self.is_irq_low() { 0x80 } else { 0 },
            0x1a | 0x20..=0x2e => written | 0xf0,
            0x1e => self.sprite_sprite,
            0x1f => self.sprite_background,
            0x2f.. => 0xff,
            _ => written,
        }
    }

    pub(in crate::c64) fn write(&mut self, register: u8, value: u8) {
        self.share(value);
        let old = core::mem::replace(&mut self.registers[usize::from(register & 0x3f)], value);
        match register {
            0x11 | 0x12 => {
                self.compare = u16::from(self.registers[0x11] & 0x80) << 1 | u16::from(self.registers[0x12]);
            }
            0x00..=0x10 => self.draw.x_changes(),
            0x17 => self.set_expansion(old, value),
            0x19 => self.flags &= !value,
            0x20..=0x2e => {
                self.registers[usize::from(register)] = value & 0x0f;
                self.draw.colour_changes(register, old);
            }
            _ => {}
        }
    }

    /// The registers as written.
    pub(in crate::c64) fn registers(&self) -> &[u8; 0x40] {
        &self.registers
    }

    /// The flags of $D019, and the collisions of sprites with sprites and with the background.
    pub(in crate::c64) fn flags(&self) -> (u8, [u8; 2]) {
        (self.flags, [self.sprite_sprite, self.sprite_background])
    }

    /// Sets what [`Vic::flags`] gives.
    pub(in crate::c64) fn set_flags(&mut self, flags: u8, collisions: [u8; 2]) {
        self.flags = flags & 0x0f;
        [self.sprite_sprite, self.sprite_background] = collisions;
    }

    /// Names the pages of its bank that it may read for the picture, as long as nothing writes to it or to a sprite's
    /// pointer: first page, number of pages, and whether they are graphics or codes.
    pub(in crate::c64) fn pages_read(&self, view: &View<'_>, mut name: impl FnMut(u8, usize, bool)) {
        let page = |addr: u16| (addr >> 8) as u8 & 0x3f;
        name(page(self.matrix()), 4, false);
        let (control, base) = (self.registers[0x11], u16::from(self.registers[0x18]));
        if (control | self.last_control) & BMM != 0 {
            name(page((base & 0x08) << 10), 32, true);
        }
        if control & self.last_control & BMM == 0 {
            name(page((base & 0x0e) << 10), 8, true);
        }
        // Idle accesses.
        name(0x3f, 1, true);
        if control & ECM != 0 {
            name(0x39, 1, true);
        }
        let sprites = self.registers[0x15] | self.dma | self.display;
        for n in (0..8).filter(|n| sprites & 1 << n != 0) {
            let shown = view.read(self.matrix() | 0x3f8 | n as u16);
            for pointer in [shown, self.sprites[n].pointer] {
                name(page(u16::from(pointer) << 6), 1, true);
            }
        }
    }

    /// Where in its bank the VIC reads the codes of the screen.
    pub(in crate::c64) fn matrix(&self) -> u16 {
        u16::from(self.registers[0x18] & 0xf0) << 6
    }
}
