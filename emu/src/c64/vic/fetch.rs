//! The memory accesses of a cycle, in its first half and, when the chip has the bus, in its second.

use super::draw::Cell;
use super::registers::{BMM, ECM};
use super::timing::Slot;
use super::{Process, Vic, View};

impl Vic {
    pub(super) fn first_half(&mut self, slot: Slot, view: &View<'_>) {
        let mut fed = None;
        self.phi1 = match slot {
            Slot::Idle => view.read(0x3fff),
            Slot::Refresh => {
                let value = view.read(0x3f00 | u16::from(self.refresh));
                self.refresh = self.refresh.wrapping_sub(1);
                value
            }
            Slot::Pointer(n) => {
                let value = view.read(self.matrix() | 0x3f8 | u16::from(n));
                self.sprites[usize::from(n)].pointer = value;
                value
            }
            Slot::Data(n) if self.dma & 1 << n != 0 => {
                let value = self.sprite_byte(n, view);
                let sprite = &mut self.sprites[usize::from(n)];
                sprite.data = sprite.data & 0xff_00ff | u32::from(value) << 8;
                value
            }
            Slot::Data(n) => {
                let value = view.read(0x3fff);
                let sprite = &mut self.sprites[usize::from(n)];
                sprite.data = sprite.data & 0xff_00ff | u32::from(value) << 8;
                value
            }
            Slot::Graphics => {
                let mut cell = Cell::default();
                let addr = if self.is_display {
                    cell = self.cells[usize::from(self.vmli).min(39)];
                    self.graphics_address(cell, view)
                } else {
                    0x3fff & self.extended_mask()
                };
                if self.is_display {
                    self.vc = (self.vc + 1) & 0x3ff;
                    self.vmli = (self.vmli + 1).min(40);
                }
                let bits = view.read(addr);
                fed = (!self.vertical_border).then_some((bits, cell));
                bits
            }
        };
        match fed {
            Some((bits, cell)) => self.draw.feed(bits, cell, self.registers[0x16] & 7),
            None => self.draw.feed_nothing(),
        }
    }

    pub(super) fn second_half(&mut self, slot: Slot, view: &View<'_>) {
        match slot {
            Slot::Pointer(n) => {
                let value = self.second_byte(n, view);
                self.sprites[usize::from(n)].set_first(value);
            }
            Slot::Data(n) => {
                let value = self.second_byte(n, view);
                self.sprites[usize::from(n)].set_last(value);
            }
            _ if self.is_bad && (15..=54).contains(&self.cycle) => {
                let cell = if self.has_second_half() {
                    let colour = view.colours[usize::from(self.vc & 0x3ff)] & 0x0f;
                    Cell { code: view.read(self.matrix() | self.vc), colour }
                } else {
                    let colour = view.memory[usize::from(view.cpu_address)] & 0x0f;
                    Cell { code: 0xff, colour }
                };
                self.cells[usize::from(self.vmli).min(39)] = cell;
            }
            _ => {}
        }
    }

    /// $D011 as the g-access sees it.
    fn access_control(&self) -> u8 {
        match self.model.spec().vic {
            Process::Nmos => self.registers[0x11],
            Process::Hmos => self.last_control,
        }
    }

    /// The address lines that ECM leaves alone.
    fn extended_mask(&self) -> u16 {
        if self.access_control() & ECM != 0 { 0x39ff } else { 0x3fff }
    }

    fn bitmap_address(&self) -> u16 {
        u16::from(self.registers[0x18] & 0x08) << 10 | self.vc << 3 | u16::from(self.rc)
    }

    fn text_address(&self, cell: Cell) -> u16 {
        u16::from(self.registers[0x18] & 0x0e) << 10 | u16::from(cell.code) << 3 | u16::from(self.rc)
    }

    /// The address of a g-access, without ECM, if the mode is that of the cycle before.
    #[inline(always)]
    pub(super) fn settled_address(&self, cell: Cell) -> u16 {
        if self.registers[0x11] & BMM != 0 { self.bitmap_address() } else { self.text_address(cell) }
    }

    fn graphics_address(&self, cell: Cell, view: &View<'_>) -> u16 {
        let mask = self.extended_mask();
        if (self.registers[0x11] ^ self.last_control) & BMM == 0 {
            return self.settled_address(cell) & mask;
        }
        let (bitmap, text) = (self.bitmap_address() & mask, self.text_address(cell) & mask);
        match self.model.spec().vic {
            Process::Hmos if self.last_control & BMM == 0 => text,
            // Going off, the mode changes within the access: the row address is that of the bitmap, the column address that
            // of the character ROM.
            Process::Nmos if self.last_control & BMM != 0 && view.is_rom(text) && !view.is_rom(bitmap) => {
                bitmap & 0x00ff | text & 0x3f00
            }
            _ => bitmap,
        }
    }
}
