//! A whole line at once, for lines in which nothing touches the chip: the same state and the same pixels as its cycles
//! one by one would leave. Lines with anything unusual are left to the cycles.

use super::draw::Cell;
use super::registers::{BMM, CSEL, DEN, ECM, MCM, RSEL, SPRITE_BACKGROUND, SPRITE_SPRITE};
use super::timing::Slot;
use super::{Vic, View, WIDTH};

/// For each byte eight bytes, the leftmost bit first: $FF for a 1.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte & 0x80 >> bit != 0 {
                table[byte] |= 0xff << (8 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Eight times the same byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Pixels of the strip, and those that a scrolled row or a sprite hangs over its end.
const LONG: usize = WIDTH + 64;

/// The first pixel of the text window, without scrolling.
const WINDOW: usize = 32;

/// The strip's column of a sprite coordinate.
const SPRITE_COLUMN: usize = 8;

/// The pixels of a byte of graphics.
struct Looks {
    colours: u64,
    /// $FF where the pixel is foreground.
    foreground: u64,
}

impl Vic {
    /// Runs the next line if that can be done at once. The chip must be at the end of a line.
    pub(in crate::c64) fn run_line(&mut self, view: &View<'_>) -> bool {
        if !self.is_calm() {
            return false;
        }
        self.step_line();
        let was_open = !self.main_border;
        self.cross_borders();
        self.raster_interrupt();
        self.check_bad_line();

        self.fetch_early(view);
        self.vc = self.vc_base;
        self.vmli = 0;
        self.is_display |= self.is_bad;
        if self.is_bad {
            self.rc = 0;
            let matrix = self.matrix();
            for (at, cell) in (0u16..).zip(&mut self.cells) {
                let vc = (self.vc_base + at) & 0x3ff;
                *cell = Cell { code: view.read(matrix | vc), colour: view.colours[usize::from(vc)] & 0x0f };
            }
        }
        self.end_rows();

        let mut colours = [0; LONG];
        let mut foreground = [0; LONG];
        let is_empty = self.main_border && !was_open && self.display == 0;
        if !is_empty || self.is_display {
            self.graphics(view, &mut colours, &mut foreground, is_empty);
        }
        if self.display != 0 {
            self.show_sprites(&mut colours, &foreground);
        }
        self.frame(&mut colours, was_open);
        self.strip.copy_from_slice(&colours[..WIDTH]);
        self.finish_line(view);
        true
    }

    /// Whether the line to come can be run at once: no register change is still on its way to a stage, no sprite starts or
    /// ends where its data are fetched, and it is not the first line.
    fn is_calm(&self) -> bool {
        let registers = &self.registers;
        self.row != self.model.lines() - 1
            && self.cycle == self.model.cycles_per_line() as u8
            && self.last_control == registers[0x11]
            && self.read_collision == 0
            && !self.is_pen_due
            && self.pen_spot.is_none()
            && self.draw.is_calm(registers, self.main_border)
            && self.draw.pending() == self.display
            && self.are_sprites_calm()
    }

    /// Whether all sprites shown start after the left edge and before the sprites' fetches, and end before their own and before
    /// the end of the line. Those that begin in this line could still start at its end.
    fn are_sprites_calm(&self) -> bool {
        let first_fetch = self.timing.sprite_x[usize::from(self.timing.display_check) + 1];
        let end = self.timing.sprite_x[usize::from(self.cycle_count())] + 8;
        let mut shown = self.display | self.dma | self.beginning(self.row + 1, 0);
        while shown != 0 {
            let n = shown.trailing_zeros() as usize;
            shown &= shown - 1;
            let width = if self.registers[0x1d] & 1 << n != 0 { 48 } else { 24 };
            let x = self.draw.sprite_x(n);
            // Two more pixels, or pairs of pixels, and it is inactive.
            if x >= first_fetch || x + width + 8 > (first_fetch + 16 * n as u16).min(end) {
                return false;
            }
        }
        true
    }

    /// The vertical border for the whole line, and the main border as the window leaves it.
    fn cross_borders(&mut self) {
        let control = self.registers[0x11];
        let (top, bottom) = if control & RSEL != 0 { (51, 251) } else { (55, 247) };
        if self.line == top && control & DEN != 0 {
            self.vertical_border = false;
            self.vertical_request = false;
        }
        if self.line == bottom {
            self.vertical_request = true;
        }
        self.vertical_border |= self.vertical_request;
        if !self.vertical_border {
            self.main_border = false;
        }
    }

    /// The sprites whose data come in the first cycles of a line.
    fn fetch_early(&mut self, view: &View<'_>) {
        self.fetch_sprites(1..11, view);
        let last = usize::from(self.cycle_count());
        for slot in core::iter::once(self.timing.slots[last]).chain(self.timing.slots[1..11].iter().copied())
        {
            if let Slot::Data(n) = slot {
                self.draw.load_sprite(n, self.sprites[usize::from(n)].data);
            }
        }
    }

    fn cycle_count(&self) -> u8 {
        self.model.cycles_per_line() as u8
    }

    /// The accesses for sprites in these cycles.
    fn fetch_sprites(&mut self, cycles: core::ops::Range<usize>, view: &View<'_>) {
        let pointers = self.matrix() | 0x3f8;
        let idle = 0x00ff | u32::from(view.read(0x3fff)) << 8;
        for slot in &self.timing.slots[cycles] {
            match *slot {
                Slot::Pointer(n) => {
                    let sprite = &mut self.sprites[usize::from(n)];
                    sprite.pointer = view.read(pointers | u16::from(n));
                    if self.dma & 1 << n != 0 {
                        let value = self.sprite_byte(n, view);
                        self.sprites[usize::from(n)].set_first(value);
                    } else {
                        sprite.set_first(0xff);
                    }
                }
                Slot::Data(n) if self.dma & 1 << n != 0 => {
                    let (middle, low) = (self.sprite_byte(n, view), self.sprite_byte(n, view));
                    let sprite = &mut self.sprites[usize::from(n)];
                    sprite.data = sprite.data & 0xff_0000 | u32::from(middle) << 8 | u32::from(low);
                }
                Slot::Data(n) => {
                    let sprite = &mut self.sprites[usize::from(n)];
                    sprite.data = sprite.data & 0xff_0000 | idle;
                }
                _ => {}
            }
        }
    }

    /// The forty g-accesses and what they show. Covered lines only count.
    fn graphics(
        &mut self,
        view: &View<'_>,
        colours: &mut [u8; LONG],
        foreground: &mut [u8; LONG],
        is_covered: bool,
    ) {
        let (control, columns) = (self.registers[0x11], self.registers[0x16]);
        if self.vertical_border {
            if !is_covered {
                colours.fill(self.looks(0, self.draw.last_cell()).colours as u8);
            }
            if self.is_display {
                self.vc = (self.vc + 40) & 0x3ff;
            }
        } else {
            let scroll = columns & 7;
            let window = WINDOW + usize::from(scroll);
            colours[..window].fill(self.looks(0, self.draw.last_cell()).colours as u8);
            let mask = if control & ECM != 0 { 0x39ff } else { 0x3fff };
            let mut cell = Cell::default();
            let mut bits = if self.is_display { 0 } else { view.read(0x3fff & mask) };
            for column in 0..40 {
                if self.is_display {
                    cell = self.cells[column];
                    bits = view.read(self.settled_address(cell) & mask);
                    self.vc = (self.vc + 1) & 0x3ff;
                }
                let looks = self.looks(bits, cell);
                let at = window + 8 * column;
                colours[at..at + 8].copy_from_slice(&looks.colours.to_le_bytes());
                foreground[at..at + 8].copy_from_slice(&looks.foreground.to_le_bytes());
            }
            colours[window + 320..].fill(self.looks(0, cell).colours as u8);
            self.draw.end_graphics(scroll, cell);
        }
        if self.is_display {
            self.vmli = 40;
        }
    }

    #[inline(always)]
    fn looks(&self, bits: u8, cell: Cell) -> Looks {
        let (control, columns) = (self.registers[0x11], self.registers[0x16]);
        let Cell { code, colour } = cell;
        let background = self.registers[0x21];
        let (is_extended, is_bitmap, is_multicolour) =
            (control & ECM != 0, control & BMM != 0, columns & MCM != 0);
        if is_multicolour && (is_bitmap || colour & 8 != 0) {
            let (high, low) = (bits & 0xaa, bits & 0x55);
            let (high, low) = (SPREAD[usize::from(high | high >> 1)], SPREAD[usize::from(low | low << 1)]);
            let four = match (is_extended, is_bitmap) {
                (true, _) => [0; 4],
                (false, true) => [background, code >> 4, code & 0x0f, colour],
                (false, false) => [background, self.registers[0x22], self.registers[0x23], colour & 7],
            };
            let [zero, one, two, three] = four.map(|colour| u64::from(colour) * EACH);
            let colours = !high & (!low & zero | low & one) | high & (!low & two | low & three);
            return Looks { colours, foreground: high };
        }
        let set = SPREAD[usize::from(bits)];
        let (zero, one) = match (is_extended, is_bitmap) {
            (false, false) => (background, colour),
            (false, true) => (code & 0x0f, code >> 4),
            (true, false) if !is_multicolour => (self.registers[0x21 + usize::from(code >> 6)], colour),
            (true, _) => (0, 0),
        };
        Looks { colours: !set & (u64::from(zero) * EACH) | set & (u64::from(one) * EACH), foreground: set }
    }

    /// The border over the row.
    fn frame(&self, colours: &mut [u8; LONG], was_open: bool) {
        let colour = self.registers[0x20];
        if self.main_border && !was_open {
            colours.fill(colour);
            return;
        }
        let (left, right) = if self.registers[0x16] & CSEL != 0 { (32, 352) } else { (39, 343) };
        if !was_open {
            colours[..left].fill(colour);
        }
        // Vertical border with the side open: it closes on the right.
        colours[right..].fill(colour);
    }

    /// Sprites over the graphics, and the collisions.
    fn show_sprites(&mut self, colours: &mut [u8; LONG], foreground: &[u8; LONG]) {
        let mut hits = [0u8; LONG];
        let mut pixels = [0u8; LONG];
        let (mut first, mut end) = (LONG, 0);
        let registers = &self.registers;
        for n in (0..8usize).rev().filter(|n| self.display & 1 << n != 0) {
            let mut bits = self.draw.take_sprite(n);
            let at = usize::from(self.draw.sprite_x(n)) + SPRITE_COLUMN;
            let bit = 1u8 << n;
            let is_coloured = registers[0x1c] & bit != 0;
            let (step, take) = if is_coloured { (2, 3) } else { (1, 2) };
            let wide = if registers[0x1d] & bit != 0 { 2 * step } else { step };
            let own = [0, 0x25, 0x27 + n as u8, 0x26];
            let mut place = at;
            first = first.min(at);
            while bits != 0 {
                let pixel = (bits >> 22) as usize & take;
                if pixel != 0 {
                    for (hit, shown) in
                        hits[place..place + wide].iter_mut().zip(&mut pixels[place..place + wide])
                    {
                        *hit |= bit;
                        *shown = own[pixel];
                    }
                }
                bits = bits << step & 0xff_ffff;
                place += wide;
            }
            end = end.max(place);
        }
        let (mut sprite_sprite, mut sprite_background) = (0, 0);
        for at in first.min(end)..end {
            let hit = hits[at];
            if hit == 0 {
                continue;
            }
            let is_foreground = foreground[at] != 0;
            if is_foreground {
                sprite_background |= hit;
            }
            if hit & (hit - 1) != 0 {
                sprite_sprite |= hit;
            }
            if !(is_foreground && registers[0x1b] & 1 << hit.trailing_zeros() != 0) {
                colours[at] = registers[usize::from(pixels[at])];
            }
        }
        if self.sprite_sprite == 0 && sprite_sprite != 0 {
            self.flags |= SPRITE_SPRITE;
        }
        if self.sprite_background == 0 && sprite_background != 0 {
            self.flags |= SPRITE_BACKGROUND;
        }
        self.sprite_sprite |= sprite_sprite;
        self.sprite_background |= sprite_background;
    }

    /// The checks for sprites, the end of a row of text, the first fetches for the next line, and what the last cycle
    /// leaves.
    fn finish_line(&mut self, view: &View<'_>) {
        let timing = self.timing;
        let last = usize::from(self.cycle_count());
        let [first_check, _] = timing.dma_checks;
        // On the 6569 a bad line ends right before the checks.
        let mut low = if self.is_bad && first_check == 55 { 43 } else { 0 };
        self.start_dma();
        self.advance ^= self.dma & self.registers[0x17];
        // Cycle 58, on both chips, comes before or with the check for display.
        self.end_text_line();
        self.check_display();
        self.fetch_sprites(usize::from(timing.display_check)..last + 1, view);
        for slot in &timing.slots[usize::from(timing.display_check)..last] {
            if let Slot::Data(n) = *slot {
                self.draw.load_sprite(n, self.sprites[usize::from(n)].data);
            }
        }
        for sprites in &timing.ba_sprites[usize::from(first_check)..=last] {
            low = if self.dma & sprites != 0 { low + 1 } else { 0 };
        }
        self.ba = low;
        self.phi1 = match timing.slots[last] {
            Slot::Pointer(n) => self.sprites[usize::from(n)].pointer,
            Slot::Data(n) if self.dma & 1 << n != 0 => (self.sprites[usize::from(n)].data >> 8) as u8,
            _ => view.read(0x3fff),
        };
        // A sprite whose pointer was read in the last cycle but one stands still.
        let halted = match timing.slots[last - 1] {
            Slot::Pointer(n) => 1 << n,
            _ => 0,
        };
        self.draw.end_line(self.display, halted);
        self.main_border = true;
        self.refresh = self.refresh.wrapping_sub(5);
        self.cycle = last as u8;
    }
}
