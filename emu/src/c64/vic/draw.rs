//! The pixels of the VIC: graphics sequencer, sprite shifters, priorities, collisions and border, eight pixels a
//! cycle. Register writes reach the stages at different pixels; the stages' own copies are kept here.

use super::Process;
use super::registers::{BMM, CSEL, ECM, MCM};
use super::sprites::Fetch;
use super::timing::Slot;
use crate::state::state;

/// A character or bitmap cell, as the c-access read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cell {
    pub(super) code: u8,
    pub(super) colour: u8,
}

/// A byte of graphics and its cell, on the way to the sequencer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Byte {
    bits: u8,
    cell: Cell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Shifter {
    /// Left to right, 24 bits.
    bits: u32,
    /// The pixel: 0 is transparent, 1 and 3 are the common colours, 2 is the sprite's own.
    pixel: u8,
    x: u16,
}

/// The colour that a register of the 8565 shows for a pixel when it is written to.
const LIGHT_GREY: u8 = 15;

/// The inputs of a cycle's pixels.
pub(super) struct Inputs<'a> {
    pub(super) registers: &'a [u8; 0x40],
    /// The sprite coordinate of the first pixel.
    pub(super) x: u16,
    /// The access of the cycle before.
    pub(super) slot: Slot,
    pub(super) sprites: &'a [Fetch; 8],
    pub(super) display: u8,
    pub(super) main_border: bool,
    pub(super) process: Process,
}

/// Eight pixels.
pub(super) struct Pixels {
    pub(super) colours: [u8; 8],
    pub(super) sprite_sprite: u8,
    pub(super) sprite_background: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Draw {
    /// The bytes fetched in the last two cycles.
    arriving: Byte,
    waiting: Byte,
    /// The byte being shown, shifted left with every pixel.
    shown: Byte,
    /// The pixel being shown: 0 and 1 are background, 2 and 3 foreground.
    pixel: u8,
    /// The next pixel begins a pair.
    is_pair_start: bool,
    scroll: u8,
    /// The modes as the colour choice sees them.
    modes: u8,
    multicolour: bool,
    /// MCM as the pairs see it.
    pairs: bool,

    shifters: [Shifter; 8],
    pending: u8,
    active: u8,
    halted: u8,
    wide_phase: u8,
    pair_phase: u8,
    behind: u8,
    wide: u8,
    coloured: u8,

    border: bool,
    /// A sprite's X was written in the last cycle.
    is_x_written: bool,
    /// The colour register written in the last cycle, and what it held: the first pixel still shows that.
    old_colour: Option<(u8, u8)>,
}

impl Draw {
    /// Whether what was loaded can be: no pixel and no colour that there is not.
    pub(super) fn is_possible(&self) -> bool {
        let bytes = [self.arriving, self.waiting, self.shown];
        self.pixel < 4
            && self.scroll < 8
            && bytes.iter().all(|byte| byte.cell.colour < 16)
            && self
                .shifters
                .iter()
                .all(|shifter| shifter.pixel < 4 && shifter.bits <= 0xff_ffff && shifter.x < 0x200)
            && self.old_colour.is_none_or(|(register, colour)| register < 0x40 && colour < 16)
    }

    // --- whole lines ------------------------------------------------------------------------------------

    /// Whether no change is on its way and nothing is being shown.
    pub(super) fn is_calm(&self, registers: &[u8; 0x40], main_border: bool) -> bool {
        let is_multicolour = registers[0x16] & MCM != 0;
        let nothing = Byte { bits: 0, cell: self.arriving.cell };
        (self.arriving, self.waiting, self.shown) == (nothing, nothing, nothing)
            && (self.pixel, self.active) == (0, 0)
            && self.border == main_border
            && self.modes == registers[0x11] & (ECM | BMM)
            && (self.multicolour, self.pairs) == (is_multicolour, is_multicolour)
            && (self.behind, self.wide, self.coloured) == (registers[0x1b], registers[0x1d], registers[0x1c])
            && !self.is_x_written
            && self.old_colour.is_none()
    }

    /// The cell whose background is shown where there is no byte: that of the last byte there was.
    pub(super) fn last_cell(&self) -> Cell {
        self.arriving.cell
    }

    /// The graphics of a whole line have been shown, `cell` the last of them.
    pub(super) fn end_graphics(&mut self, scroll: u8, cell: Cell) {
        self.scroll = scroll;
        let nothing = Byte { bits: 0, cell };
        (self.arriving, self.waiting, self.shown) = (nothing, nothing, nothing);
    }

    /// The sequencer after a whole line.
    pub(super) fn end_line(&mut self, pending: u8, halted: u8) {
        // Every byte begins a pair, the last one `8 - scroll` pixels before the end.
        self.is_pair_start = self.scroll.is_multiple_of(2);
        self.border = true;
        self.pending = pending;
        self.halted = halted;
    }

    pub(super) fn active(&self) -> u8 {
        self.active
    }

    pub(super) fn pending(&self) -> u8 {
        self.pending
    }

    /// Where a sprite is to start.
    pub(super) fn sprite_x(&self, n: usize) -> u16 {
        self.shifters[n].x
    }

    /// New data for a sprite.
    pub(super) fn load_sprite(&mut self, n: u8, data: u32) {
        self.shifters[usize::from(n)].bits = data;
    }

    /// All that a sprite is going to show.
    pub(super) fn take_sprite(&mut self, n: usize) -> u32 {
        let shifter = &mut self.shifters[n];
        shifter.pixel = 0;
        core::mem::take(&mut shifter.bits)
    }

    // --- cycles -----------------------------------------------------------------------------------------

    pub(super) fn colour_changes(&mut self, register: u8, old: u8) {
        self.old_colour = Some((register, old & 0x0f));
    }

    /// A sprite's X was written: it counts from the next but one cycle on.
    pub(super) fn x_changes(&mut self) {
        self.is_x_written = true;
    }

    /// The byte of this cycle's g-access with its cell and XSCROLL, after the cycle's pixels.
    pub(super) fn feed(&mut self, bits: u8, cell: Cell, scroll: u8) {
        self.scroll = scroll;
        self.waiting = core::mem::replace(&mut self.arriving, Byte { bits, cell });
    }

    /// No byte in this cycle: outside of the window and in the vertical border the last cell stays.
    pub(super) fn feed_nothing(&mut self) {
        let nothing = Byte { bits: 0, ..self.arriving };
        self.waiting = core::mem::replace(&mut self.arriving, nothing);
    }

    pub(super) fn pixels(&mut self, inputs: &Inputs<'_>) -> Pixels {
        if self.is_plain(inputs) {
            return self.plain_pixels(inputs);
        }
        let registers = inputs.registers;
        let modes = registers[0x11] & (ECM | BMM);
        let mut result = Pixels { colours: [0; 8], sprite_sprite: 0, sprite_background: 0 };
        let (mut pointer_of, mut data_of) = (0, 0);
        match inputs.slot {
            Slot::Pointer(n) => pointer_of = 1 << n,
            Slot::Data(n) => data_of = 1 << n,
            _ => {}
        }
        for i in 0..8u8 {
            match i {
                2 => self.end_sprites(data_of),
                3 => self.halted |= pointer_of,
                4 => {
                    self.pending = inputs.display;
                    if inputs.process == Process::Nmos {
                        self.modes |= modes;
                    }
                    self.multicolour = registers[0x16] & MCM != 0;
                }
                6 => {
                    if inputs.process == Process::Nmos {
                        self.modes &= modes;
                    }
                    self.behind = registers[0x1b];
                    self.wide = registers[0x1d];
                }
                7 => {
                    if self.multicolour && !self.pairs {
                        self.is_pair_start = false;
                    }
                    self.pairs = self.multicolour;
                    self.pair_phase &= !(self.coloured ^ registers[0x1c]);
                    self.coloured = registers[0x1c];
                }
                _ => {}
            }
            let (mut code, is_foreground) = self.graphics(i);
            self.start_sprites(inputs.x + u16::from(i));
            let hits = self.shift_sprites();
            if hits != 0 {
                let n = hits.trailing_zeros() as usize;
                if !(is_foreground && self.behind & 1 << n != 0) {
                    code = match self.shifters[n].pixel {
                        1 => 0x25,
                        3 => 0x26,
                        _ => 0x27 + n as u8,
                    };
                }
                if is_foreground {
                    result.sprite_background |= hits;
                }
                if hits & (hits - 1) != 0 {
                    result.sprite_sprite |= hits;
                }
            }
            // With 38 columns the border begins and ends a pixel earlier.
            let is_border =
                if i == 7 && registers[0x16] & CSEL == 0 { inputs.main_border } else { self.border };
            if is_border {
                code = 0x20;
            }
            result.colours[usize::from(i)] = match self.old_colour {
                _ if code < 0x20 => code,
                Some((register, old)) if i == 0 && register == code => match inputs.process {
                    Process::Nmos => old,
                    Process::Hmos => LIGHT_GREY,
                },
                _ => registers[usize::from(code)],
            };
        }
        self.modes = modes;
        self.border = inputs.main_border;
        self.old_colour = None;
        if let Slot::Data(n) = inputs.slot {
            self.halted &= !data_of;
            self.shifters[usize::from(n)].bits = inputs.sprites[usize::from(n)].data;
        }
        if core::mem::take(&mut self.is_x_written) {
            self.take_over_x(registers);
        }
        result
    }

    /// Whether the cycle has nothing but single pixels in a mode that does not change, and no sprite.
    fn is_plain(&self, inputs: &Inputs<'_>) -> bool {
        let registers = inputs.registers;
        if self.active != 0
            || self.old_colour.is_some()
            || self.multicolour
            || self.pairs
            || registers[0x16] & MCM != 0
            || self.modes != registers[0x11] & (ECM | BMM)
        {
            return false;
        }
        let mut waiting = self.pending | inputs.display;
        while waiting != 0 {
            let n = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            if self.shifters[n].x.wrapping_sub(inputs.x) < 8 {
                return false;
            }
        }
        true
    }

    /// The pixels of such a cycle: the rest of the byte that is shown, then the next.
    fn plain_pixels(&mut self, inputs: &Inputs<'_>) -> Pixels {
        let registers = inputs.registers;
        let mut colours = [registers[0x20]; 8];
        let scroll = usize::from(self.scroll);
        if !self.border {
            let two = [self.shown, self.waiting].map(|byte| self.two_colours(byte.cell, registers));
            let bits = self.shown.bits & !(0xff >> scroll) | self.waiting.bits >> scroll;
            for (i, colour) in colours.iter_mut().enumerate() {
                *colour = two[usize::from(i >= scroll)][usize::from(bits >> (7 - i) & 1)];
            }
        }
        if registers[0x16] & CSEL == 0 {
            let bit = usize::from(self.waiting.bits >> scroll & 1);
            colours[7] = if inputs.main_border {
                registers[0x20]
            } else {
                self.two_colours(self.waiting.cell, registers)[bit]
            };
        }
        self.pixel = if self.waiting.bits >> scroll & 1 != 0 { 3 } else { 0 };
        self.shown =
            Byte { bits: ((u16::from(self.waiting.bits) << (8 - scroll)) & 0xff) as u8, ..self.waiting };
        self.is_pair_start = scroll.is_multiple_of(2);
        self.border = inputs.main_border;
        self.behind = registers[0x1b];
        self.wide = registers[0x1d];
        self.coloured = registers[0x1c];
        match inputs.slot {
            Slot::Pointer(n) => self.halted |= 1 << n,
            Slot::Data(n) => {
                self.halted &= !(1 << n);
                self.shifters[usize::from(n)].bits = inputs.sprites[usize::from(n)].data;
            }
            _ => {}
        }
        self.pending = inputs.display;
        if core::mem::take(&mut self.is_x_written) {
            self.take_over_x(registers);
        }
        Pixels { colours, sprite_sprite: 0, sprite_background: 0 }
    }

    /// The colours of a 0 and a 1 in the modes with single pixels.
    fn two_colours(&self, cell: Cell, registers: &[u8; 0x40]) -> [u8; 2] {
        let Cell { code, colour } = cell;
        match (self.modes & ECM != 0, self.modes & BMM != 0) {
            (false, false) => [registers[0x21], colour],
            (false, true) => [code & 0x0f, code >> 4],
            (true, false) => [registers[0x21 + usize::from(code >> 6)], colour],
            (true, true) => [0, 0],
        }
    }

    fn take_over_x(&mut self, registers: &[u8; 0x40]) {
        for (n, shifter) in self.shifters.iter_mut().enumerate() {
            shifter.x = u16::from(registers[2 * n]) | u16::from(registers[0x10] >> n & 1) << 8;
        }
    }

    /// The next pixel of the graphics: a colour, or $20 and up for a colour register; and whether it is foreground.
    fn graphics(&mut self, i: u8) -> (u8, bool) {
        if i == self.scroll {
            self.shown = self.waiting;
            self.is_pair_start = true;
        }
        let Cell { code, colour } = self.shown.cell;
        let is_in_pairs = self.modes & BMM != 0 || colour & 8 != 0;
        let bit = self.shown.bits & 0x80 != 0;
        if !self.pairs {
            self.pixel = match bit {
                true if self.multicolour && is_in_pairs => 2,
                true => 3,
                false => 0,
            };
        } else if self.is_pair_start {
            self.pixel = if is_in_pairs {
                self.shown.bits >> 6
            } else if bit {
                3
            } else {
                0
            };
        } else if !is_in_pairs {
            self.pixel = if bit { 3 } else { 0 };
        }
        self.shown.bits <<= 1;
        self.is_pair_start = !self.is_pair_start;

        let pixel = self.pixel;
        let is_foreground = pixel & 2 != 0;
        let colour = match (self.modes & ECM != 0, self.modes & BMM != 0, self.multicolour) {
            (false, false, true) if colour & 8 != 0 => [0x21, 0x22, 0x23, colour & 7][usize::from(pixel)],
            (false, false, _) => {
                if is_foreground {
                    colour
                } else {
                    0x21
                }
            }
            (false, true, false) => {
                if is_foreground {
                    code >> 4
                } else {
                    code & 0x0f
                }
            }
            (false, true, true) => [0x21, code >> 4, code & 0x0f, colour][usize::from(pixel)],
            (true, false, false) => {
                if is_foreground {
                    colour
                } else {
                    0x21 + (code >> 6)
                }
            }
            (true, _, _) => 0,
        };
        (colour, is_foreground)
    }

    /// These are over; where their phases stood is forgotten.
    fn end_sprites(&mut self, sprites: u8) {
        self.active &= !sprites;
        self.wide_phase &= !sprites;
        self.pair_phase &= !sprites;
    }

    fn start_sprites(&mut self, x: u16) {
        let mut idle = self.pending & !self.active & !self.halted;
        while idle != 0 {
            let n = idle.trailing_zeros() as usize;
            idle &= idle - 1;
            if self.shifters[n].x == x {
                let bit = 1 << n;
                self.active |= bit;
                self.wide_phase |= bit;
                self.pair_phase |= bit;
            }
        }
    }

    /// Moves the active sprites on by a pixel; gives those that are not transparent in it.
    fn shift_sprites(&mut self) -> u8 {
        let mut hits = 0;
        let mut active = self.active;
        while active != 0 {
            let n = active.trailing_zeros() as usize;
            let bit = 1 << n;
            active &= active - 1;
            if self.shifters[n].bits == 0 && self.shifters[n].pixel == 0 {
                self.end_sprites(bit);
                continue;
            }
            let shifter = &mut self.shifters[n];
            if self.halted & bit == 0 {
                if self.wide_phase & bit != 0 {
                    if self.coloured & bit == 0 {
                        shifter.pixel = (shifter.bits >> 22) as u8 & 2;
                    } else {
                        if self.pair_phase & bit != 0 {
                            shifter.pixel = (shifter.bits >> 22) as u8 & 3;
                        }
                        self.pair_phase ^= bit;
                    }
                    shifter.bits = shifter.bits << 1 & 0xff_ffff;
                }
                if self.wide & bit != 0 {
                    self.wide_phase ^= bit;
                } else {
                    self.wide_phase |= bit;
                }
            }
            if shifter.pixel != 0 {
                hits |= bit;
            }
        }
        hits
    }
}

state!(Cell { code, colour });
state!(Byte { bits, cell });
state!(Shifter { bits, pixel, x });
state!(Draw {
    arriving,
    waiting,
    shown,
    pixel,
    is_pair_start,
    scroll,
    modes,
    multicolour,
    pairs,
    shifters,
    pending,
    active,
    halted,
    wide_phase,
    pair_phase,
    behind,
    wide,
    coloured,
    border,
    is_x_written,
    old_colour,
});
