//! The VIC-II, a cycle at a time: memory accesses, bad lines, sprite DMA, borders, interrupts, light pen.
//! The pixels are made in `draw`; `timing` lists what each cycle does. Knows no CPU: it reports BA and IRQ.

mod cycle;
mod draw;
mod fetch;
mod forecast;
mod line;
mod model;
mod registers;
mod sprites;
mod timing;
mod view;

use alloc::sync::Arc;
use alloc::vec::Vec;

use draw::{Cell, Draw};
use sprites::Fetch;
use timing::Timing;

use crate::state::{StateError, state};

pub(super) use forecast::Plan;
pub use model::Model;
use model::Process;
pub(super) use view::{SeenRom, View};

/// Pixels of a picture's row.
pub const WIDTH: usize = 384;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Vic {
    model: Model,
    timing: &'static Timing,
    /// As written; the counters and flags that reads show are below.
    registers: [u8; 0x40],
    /// From 1.
    cycle: u8,
    /// The line counter.
    line: u16,
    /// The line on the screen: differs from the counter in the first cycle of a frame.
    row: u16,

    is_bad_allowed: bool,
    is_bad: bool,
    is_display: bool,
    vc: u16,
    vc_base: u16,
    rc: u8,
    vmli: u8,
    /// Codes and colours of the row.
    cells: [Cell; 40],
    refresh: u8,
    /// $D011 of the cycle before, for the g-access.
    last_control: u8,

    sprites: [Fetch; 8],
    dma: u8,
    display: u8,
    /// The expansion flip-flops.
    advance: u8,

    /// How many cycles BA has been low, this one included.
    ba: u8,
    /// The byte of the first half cycle.
    phi1: u8,

    vertical_border: bool,
    vertical_request: bool,
    main_border: bool,

    flags: u8,
    compare: u16,
    is_compare_equal: bool,
    sprite_sprite: u8,
    sprite_background: u8,
    /// The collision register that was read in the last cycle.
    read_collision: u8,

    pen: (u8, u8),
    is_pen_low: bool,
    is_pen_due: bool,
    is_pen_used: bool,
    /// Line and cycle of the beam at which a pen is held against the screen.
    pen_spot: Option<(u16, u8)>,

    draw: Draw,
    /// The row in the making.
    strip: [u8; WIDTH],
    /// The picture in the making, and the last that is complete. Clones share them until they draw.
    canvas: Arc<[u8]>,
    picture: Arc<[u8]>,
    pictures: u64,
}

impl Vic {
    pub(super) fn new(model: Model) -> Vic {
        let size = WIDTH * model.height();
        Vic {
            model,
            timing: Timing::of(model),
            registers: [0; 0x40],
            cycle: 0,
            line: model.lines() - 1,
            row: model.lines() - 1,
            is_bad_allowed: false,
            is_bad: false,
            is_display: false,
            vc: 0,
            vc_base: 0,
            rc: 7,
            vmli: 0,
            cells: [Cell::default(); 40],
            refresh: 0xff,
            last_control: 0,
            sprites: [Fetch::default(); 8],
            dma: 0,
            display: 0,
            advance: 0xff,
            ba: 0,
            phi1: 0xff,
            vertical_border: true,
            vertical_request: true,
            main_border: true,
            flags: 0,
            compare: 0,
            is_compare_equal: false,
            sprite_sprite: 0,
            sprite_background: 0,
            read_collision: 0,
            pen: (0, 0),
            is_pen_low: false,
            is_pen_due: false,
            is_pen_used: false,
            pen_spot: None,
            draw: Draw::default(),
            strip: [0; WIDTH],
            canvas: alloc::vec![0; size].into(),
            picture: alloc::vec![0; size].into(),
            pictures: 0,
        }
    }

    /// RESET does not reach this chip; a machine that is switched on again has all registers 0.
    pub(super) fn reset(&mut self) {
        for register in 0..0x2f {
            self.write(register, 0);
        }
        self.flags = 0;
    }

    pub(super) fn model(&self) -> Model {
        self.model
    }

    /// Whether the CPU's reads wait.
    pub(super) fn is_ba_low(&self) -> bool {
        self.ba > 0
    }

    pub(super) fn is_irq_low(&self) -> bool {
        self.flags & self.registers[0x1a] & 0x0f != 0
    }

    /// The byte of the first half of this cycle, which the open bus shows.
    pub(super) fn phi1(&self) -> u8 {
        self.phi1
    }

    pub(super) fn picture(&self) -> &[u8] {
        &self.picture
    }

    /// The picture as a screen shows it now: up to the beam what is being drawn, below it the last one.
    pub(super) fn picture_at_beam(&self) -> Vec<u8> {
        let lines = self.model.lines();
        let row = usize::from((self.row + lines - self.model.first_line()) % lines);
        let mut pixels = self.picture.to_vec();
        if row < self.model.height() {
            let start = row * WIDTH;
            pixels[..start].copy_from_slice(&self.canvas[..start]);
            let drawn = usize::from(self.cycle.saturating_sub(13)) * 8;
            let drawn = drawn.min(WIDTH);
            pixels[start..start + drawn].copy_from_slice(&self.strip[..drawn]);
        }
        pixels
    }

    pub(super) fn pictures(&self) -> u64 {
        self.pictures
    }

    /// Line and cycle.
    pub(super) fn beam(&self) -> (u16, u8) {
        (self.line, self.cycle)
    }

    /// Line of the picture and cycle.
    pub(super) fn place(&self) -> (u16, u8) {
        (self.row, self.cycle)
    }

    pub(super) fn is_pen_low(&self) -> bool {
        self.is_pen_low
    }

    /// Drives the light pen input.
    pub(super) fn set_pen(&mut self, low: bool) {
        if low && !self.is_pen_low {
            self.is_pen_due = true;
        }
        self.is_pen_low = low;
    }

    /// Holds a light pen against a pixel of the picture, or takes it away; whether the picture has that pixel. The chip sees
    /// the beam pass there in every picture.
    pub(super) fn hold_pen(&mut self, pixel: Option<(u16, u16)>) -> bool {
        let Some((x, y)) = pixel else {
            self.pen_spot = None;
            return true;
        };
        if usize::from(x) >= WIDTH || usize::from(y) >= self.model.height() {
            return false;
        }
        let line = (y + self.model.first_line()) % self.model.lines();
        // A cycle draws eight pixels, the first of the picture in the fourteenth.
        self.pen_spot = Some((line, 14 + (x / 8) as u8));
        true
    }

    /// Whether what was loaded can be: places within the tables, colours that there are.
    pub(super) fn check(&self) -> Result<(), StateError> {
        let size = WIDTH * self.model.height();
        let is_possible = core::ptr::eq(self.timing, Timing::of(self.model))
            && u64::from(self.cycle) <= self.model.cycles_per_line()
            && self.row < self.model.lines()
            && self.pen_spot.is_none_or(|(line, cycle)| line < self.model.lines() && cycle < 64)
            && self.line < self.model.lines()
            && [&self.canvas, &self.picture].iter().all(|pixels| pixels.len() == size)
            && self.canvas.iter().chain(&*self.picture).chain(&self.strip).all(|&colour| colour < 16)
            && self.registers[0x20..=0x2e].iter().all(|&colour| colour < 16)
            && self.sprites.iter().all(|sprite| sprite.mc < 64 && sprite.mc_base < 64)
            && (self.vc < 0x400 && self.vc_base < 0x400 && self.rc < 8)
            && self.compare < 0x200
            && self.cells.iter().all(|cell| cell.colour < 16)
            && self.draw.is_possible();
        if is_possible { Ok(()) } else { Err(StateError::Impossible("the VIC is in no state it can reach")) }
    }
}

state!(Vic {
    model,
    timing,
    registers,
    cycle,
    line,
    row,
    is_bad_allowed,
    is_bad,
    is_display,
    vc,
    vc_base,
    rc,
    vmli,
    cells,
    refresh,
    last_control,
    sprites,
    dma,
    display,
    advance,
    ba,
    phi1,
    vertical_border,
    vertical_request,
    main_border,
    flags,
    compare,
    is_compare_equal,
    sprite_sprite,
    sprite_background,
    read_collision,
    pen,
    is_pen_low,
    is_pen_due,
    is_pen_used,
    pen_spot,
    draw,
    strip,
    canvas,
    picture,
    pictures,
});
