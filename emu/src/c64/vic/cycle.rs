//! One cycle of the chip: line and row counters, bad lines, borders, interrupts, the light pen, BA, and the pixels.

use alloc::sync::Arc;

use super::registers::{CSEL, DEN, LIGHT_PEN, RASTER, RSEL, SPRITE_BACKGROUND, SPRITE_SPRITE};
use super::{Vic, View, WIDTH, draw};

impl Vic {
    /// One cycle: all that the chip does before the CPU's half.
    pub(in crate::c64) fn tick(&mut self, view: &View<'_>) {
        self.step_line();
        self.check_borders();
        self.pixels();
        self.raster_interrupt();
        self.light_pen();

        let slot = self.timing.slots[usize::from(self.cycle)];
        self.check_bad_line();
        self.counters();
        self.sprite_logic();
        self.drive_ba();
        self.first_half(slot, view);
        // Too late for the g-access of this cycle.
        self.is_display |= self.is_bad;
        self.second_half(slot, view);
        self.last_control = self.registers[0x11];
    }

    pub(super) fn step_line(&mut self) {
        let last = self.model.lines() - 1;
        if u64::from(self.cycle) < self.model.cycles_per_line() {
            self.cycle += 1;
            if self.cycle == 2 && self.row == 0 && self.line != 0 {
                self.line = 0;
                self.vc_base = 0;
                self.refresh = 0xff;
                self.is_pen_used = false;
                if self.is_pen_low {
                    self.is_pen_used = true;
                    self.pen = (self.model.spec().pen_at_start, 0);
                    self.flags |= LIGHT_PEN;
                }
            }
            return;
        }
        // A write in the last cycle of line $30 still enables bad lines.
        self.allow_bad_lines();
        self.cycle = 1;
        self.finish_row();
        if self.row == last {
            self.row = 0;
        } else {
            self.row += 1;
            self.line += 1;
        }
        let end = (self.model.first_line() + self.model.height() as u16) % self.model.lines();
        if self.row == end {
            core::mem::swap(&mut self.canvas, &mut self.picture);
            self.pictures += 1;
        }
    }

    fn allow_bad_lines(&mut self) {
        if self.line == 0x30 && self.registers[0x11] & DEN != 0 {
            self.is_bad_allowed = true;
        } else if self.line == 0xf8 {
            self.is_bad_allowed = false;
        }
    }

    pub(super) fn check_bad_line(&mut self) {
        self.allow_bad_lines();
        self.is_bad = self.is_bad_allowed
            && (0x30..=0xf7).contains(&self.line)
            && (self.line as u8 ^ self.registers[0x11]) & 7 == 0;
    }

    fn counters(&mut self) {
        match self.cycle {
            14 => {
                self.vc = self.vc_base;
                self.vmli = 0;
                if self.is_bad {
                    self.rc = 0;
                }
            }
            58 => self.end_text_line(),
            _ => {}
        }
    }

    pub(super) fn end_text_line(&mut self) {
        if self.rc == 7 {
            self.vc_base = self.vc;
            self.is_display = false;
        }
        if self.is_display || self.is_bad {
            self.rc = (self.rc + 1) & 7;
            self.is_display = true;
        }
    }

    pub(super) fn raster_interrupt(&mut self) {
        let equal = self.line == self.compare;
        if equal && !self.is_compare_equal {
            self.flags |= RASTER;
        }
        self.is_compare_equal = equal;
    }

    fn light_pen(&mut self) {
        if self.pen_spot == Some((self.row, self.cycle)) {
            self.is_pen_due = true;
        }
        if !core::mem::take(&mut self.is_pen_due) || self.is_pen_used || self.line == self.model.lines() - 1 {
            return;
        }
        self.is_pen_used = true;
        self.pen = (self.timing.pen_x[usize::from(self.cycle)], self.line as u8);
        self.flags |= LIGHT_PEN;
    }

    fn check_borders(&mut self) {
        let (control, columns) = (self.registers[0x11], self.registers[0x16]);
        let (top, bottom) = if control & RSEL != 0 { (51, 251) } else { (55, 247) };
        if self.line == top && control & DEN != 0 {
            self.vertical_border = false;
            self.vertical_request = false;
        }
        if self.line == bottom {
            self.vertical_request = true;
        }
        if self.cycle == 1 && self.vertical_request {
            self.vertical_border = true;
        }
        let (left, right) = if columns & CSEL != 0 { (17, 57) } else { (18, 56) };
        if self.cycle == left {
            self.vertical_border |= self.vertical_request;
            if !self.vertical_border {
                self.main_border = false;
            }
        } else if self.cycle == right {
            self.main_border = true;
        }
    }

    fn drive_ba(&mut self) {
        let for_cells = self.is_bad && (12..=54).contains(&self.cycle);
        let for_sprites = self.dma & self.timing.ba_sprites[usize::from(self.cycle)] != 0;
        self.ba = if for_cells || for_sprites { self.ba.saturating_add(1) } else { 0 };
    }

    /// Whether the VIC has the second half of the cycle: BA has been low for three cycles before.
    pub(super) fn has_second_half(&self) -> bool {
        self.ba > 3
    }

    /// The eight pixels of this cycle, with the collisions they make.
    fn pixels(&mut self) {
        match core::mem::take(&mut self.read_collision) {
            0x1e => self.sprite_sprite = 0,
            0x1f => self.sprite_background = 0,
            _ => {}
        }
        let previous = if self.cycle > 1 { self.cycle - 1 } else { self.model.cycles_per_line() as u8 };
        let inputs = draw::Inputs {
            registers: &self.registers,
            x: self.timing.sprite_x[usize::from(self.cycle)],
            slot: self.timing.slots[usize::from(previous)],
            sprites: &self.sprites,
            display: self.display,
            main_border: self.main_border,
            process: self.model.spec().vic,
        };
        let pixels = self.draw.pixels(&inputs);
        if self.sprite_sprite == 0 && pixels.sprite_sprite != 0 {
            self.flags |= SPRITE_SPRITE;
        }
        if self.sprite_background == 0 && pixels.sprite_background != 0 {
            self.flags |= SPRITE_BACKGROUND;
        }
        self.sprite_sprite |= pixels.sprite_sprite;
        self.sprite_background |= pixels.sprite_background;

        if (14..62).contains(&self.cycle) {
            let at = (usize::from(self.cycle) - 14) * 8;
            self.strip[at..at + 8].copy_from_slice(&pixels.colours);
        }
    }

    /// Puts the row into the picture, if it is one of the picture's.
    fn finish_row(&mut self) {
        let lines = self.model.lines();
        let y = usize::from((self.row + lines - self.model.first_line()) % lines);
        if y < self.model.height() {
            Arc::make_mut(&mut self.canvas)[y * WIDTH..][..WIDTH].copy_from_slice(&self.strip);
        }
    }
}
