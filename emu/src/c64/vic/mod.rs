//! The VIC-II, a cycle at a time: memory accesses, bad lines, sprite DMA, borders, interrupts, light pen.
//! The pixels are made in `draw`; `timing` lists what each cycle does. Knows no CPU: it reports BA and IRQ.

mod draw;
mod forecast;
mod line;
mod timing;

use alloc::sync::Arc;

use draw::{Cell, Draw};
use timing::{Slot, Timing};

use super::board::{CHARACTERS, MEMORY, ROMH};
use super::cia::CiaChip;
use super::sid::SidChip;
use super::state::{StateError, state, state_of_enum};

pub(super) use forecast::Plan;

/// The properties that differ between the models of the machine: a row of data each.
struct Spec {
    clock: u32,
    mains: u32,
    cycles_per_line: u8,
    lines: u16,
    /// Rows of the picture, and the raster line of the first.
    height: usize,
    first_line: u16,
    /// The cycle in which the pointer of sprite 0 is read.
    first_pointer: u8,
    /// Positions of a line, and the cycle whose position the chip counts twice.
    positions: u16,
    repeated: Option<u8>,
    /// What a light pen latches that is low at the start of a frame.
    pen_at_start: u8,
    vic: Process,
    cia: CiaChip,
    sid: SidChip,
    /// Cycles that lines 6 and 7 of the CPU's port keep their charge.
    port_fades: u64,
}

/// The generation of the video chip, which decides how fast register writes reach the stages that make the pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Process {
    /// 6567 and 6569.
    Nmos,
    /// 8562 and 8565.
    Hmos,
}

macro_rules! models {
    ($($(#[$attribute:meta])* $model:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// A model of the machine: the video chip, and with it the television standard.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum Model {
            $($(#[$attribute])* $model,)*
        }

        impl Model {
            /// All models.
            pub const ALL: &[Model] = &[$(Model::$model),*];
        }

        const SPECS: [Spec; Model::ALL.len()] = [$(Spec { $($field: $value),* }),*];

        state_of_enum!(Model { $($model),* });
    };
}

models! {
    /// 6569: 312 lines of 63 cycles.
    #[default]
    Pal {
        clock: 985_248, mains: 50, cycles_per_line: 63, lines: 312, height: 272, first_line: 16,
        first_pointer: 58, positions: 504, repeated: None, pen_at_start: 0xd1,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
    /// 6567R8: 263 lines of 65 cycles.
    Ntsc {
        clock: 1_022_727, mains: 60, cycles_per_line: 65, lines: 263, height: 247, first_line: 28,
        first_pointer: 59, positions: 512, repeated: Some(63), pen_at_start: 0xd5,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
    /// 8565, the PAL chip of the C64C: 312 lines of 63 cycles.
    C64c {
        clock: 985_248, mains: 50, cycles_per_line: 63, lines: 312, height: 272, first_line: 16,
        first_pointer: 58, positions: 504, repeated: None, pen_at_start: 0xd1,
        vic: Process::Hmos, cia: CiaChip::Mos6526A, sid: SidChip::Mos8580, port_fades: 1_500_000,
    }
    /// 6572, the chip for PAL-N: 312 lines of 65 cycles.
    Drean {
        clock: 1_023_440, mains: 50, cycles_per_line: 65, lines: 312, height: 272, first_line: 16,
        first_pointer: 59, positions: 512, repeated: Some(63), pen_at_start: 0xd5,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
    /// 6567R56A, the first NTSC chip: 262 lines of 64 cycles.
    NtscOld {
        clock: 1_022_727, mains: 60, cycles_per_line: 64, lines: 262, height: 247, first_line: 28,
        first_pointer: 59, positions: 512, repeated: None, pen_at_start: 0xd5,
        vic: Process::Nmos, cia: CiaChip::Mos6526, sid: SidChip::Mos6581, port_fades: 350_000,
    }
}

impl Model {
    const fn spec(self) -> &'static Spec {
        const ROWS: &[Spec; Model::ALL.len()] = &SPECS;
        &ROWS[self as usize]
    }

    /// The CPU's clock in Hz.
    pub const fn clock(self) -> u32 {
        self.spec().clock
    }

    /// The mains frequency, which drives the clocks of the CIAs.
    pub const fn mains(self) -> u32 {
        self.spec().mains
    }

    /// Cycles of a raster line.
    pub const fn cycles_per_line(self) -> u64 {
        self.spec().cycles_per_line as u64
    }

    /// Raster lines of a frame.
    pub const fn lines(self) -> u16 {
        self.spec().lines
    }

    /// Cycles of a frame.
    pub const fn cycles_per_frame(self) -> u64 {
        self.cycles_per_line() * self.lines() as u64
    }

    /// Rows of the picture.
    pub const fn height(self) -> usize {
        self.spec().height
    }

    /// The version of the CIAs.
    pub(super) const fn cia(self) -> CiaChip {
        self.spec().cia
    }

    /// The version of the SID.
    pub(super) const fn sid(self) -> SidChip {
        self.spec().sid
    }

    /// Cycles that lines 6 and 7 of the CPU's port, which are not connected, keep their charge.
    pub(super) const fn port_fades(self) -> u64 {
        self.spec().port_fades
    }

    /// The raster line of the picture's first row.
    const fn first_line(self) -> u16 {
        self.spec().first_line
    }
}

/// Pixels of a picture's row.
pub const WIDTH: usize = 384;

/// What the VIC sees of the board in a cycle.
pub(super) struct View<'a> {
    /// RAM and ROMs.
    pub(super) memory: &'a [u8; MEMORY + 2],
    /// The RAM at 0 and 1, where the CPU sees its port.
    pub(super) below_port: [u8; 2],
    pub(super) colours: &'a [u8; 0x400],
    /// The first address of its 16 KB.
    pub(super) bank: u16,
    /// The ROM it sees there.
    pub(super) rom: SeenRom,
    /// What the CPU has on the address bus.
    pub(super) cpu_address: u16,
}

/// Which of the VIC's addresses lead to 4 KB of a ROM: those that are `value` under `mask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeenRom {
    mask: u16,
    value: u16,
    place: usize,
}

impl SeenRom {
    /// The characters, in the first and third of its banks.
    pub(super) const CHARACTERS: SeenRom = SeenRom { mask: 0x7000, value: 0x1000, place: CHARACTERS };
    /// The upper half of ROMH in Ultimax mode, in every bank.
    pub(super) const ULTIMAX: SeenRom = SeenRom { mask: 0x3000, value: 0x3000, place: ROMH + 0x1000 };
}

impl View<'_> {
    /// Whether an address leads to a ROM.
    fn is_rom(&self, addr: u16) -> bool {
        (self.bank | addr & 0x3fff) & self.rom.mask == self.rom.value
    }

    #[inline(always)]
    pub(super) fn read(&self, addr: u16) -> u8 {
        let addr = self.bank | addr & 0x3fff;
        let SeenRom { mask, value, place } = self.rom;
        if addr & mask == value {
            return self.memory[(place | usize::from(addr & 0x0fff)) & (MEMORY - 1)];
        }
        if addr < 2 { self.below_port[usize::from(addr)] } else { self.memory[usize::from(addr)] }
    }
}

/// Flags of $D019.
const RASTER: u8 = 0x01;
const SPRITE_BACKGROUND: u8 = 0x02;
const SPRITE_SPRITE: u8 = 0x04;
const LIGHT_PEN: u8 = 0x08;

/// Bits of $D011.
const ECM: u8 = 0x40;
const BMM: u8 = 0x20;
const DEN: u8 = 0x10;
const RSEL: u8 = 0x08;
/// Bits of $D016.
const MCM: u8 = 0x10;
const CSEL: u8 = 0x08;

/// What one sprite fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Fetch {
    /// The counter within the 63 bytes, and where it begins in the next line.
    mc: u8,
    mc_base: u8,
    pointer: u8,
    /// 24 bits.
    data: u32,
}

impl Fetch {
    fn set_first(&mut self, value: u8) {
        self.data = self.data & 0x00_ffff | u32::from(value) << 16;
    }

    fn set_last(&mut self, value: u8) {
        self.data = self.data & 0xff_ff00 | u32::from(value);
    }
}

/// The low byte of the first X, beyond 255, where a sprite can start in the line before that of its first data.
const FIRST_EARLY: u8 = 0x64;

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

    pub(super) fn pictures(&self) -> u64 {
        self.pictures
    }

    /// Line and cycle.
    pub(super) fn beam(&self) -> (u16, u8) {
        (self.line, self.cycle)
    }

    pub(super) fn is_pen_low(&self) -> bool {
        self.is_pen_low
    }

    /// Names the pages of its bank that it may read for the picture, as long as nobody writes to it or to a sprite's
    /// pointer: first page, number of pages, and whether they are graphics or codes.
    pub(super) fn pages_read(&self, view: &View<'_>, mut name: impl FnMut(u8, usize, bool)) {
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

    /// Drives the light pen input.
    pub(super) fn set_pen(&mut self, low: bool) {
        if low && !self.is_pen_low {
            self.is_pen_due = true;
        }
        self.is_pen_low = low;
    }

    pub(super) fn read(&mut self, register: u8) -> u8 {
        match register {
            0x1e | 0x1f => self.read_collision = register,
            _ => {}
        }
        let value = self.peek(register);
        self.share(value);
        value
    }

    /// What a read gives, without its effects.
    pub(super) fn peek(&self, register: u8) -> u8 {
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

    pub(super) fn write(&mut self, register: u8, value: u8) {
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

    /// A sprite whose expansion ends goes on with the next row of its data at once. In the cycle in which the base
    /// is about to be taken over the counter is torn between old and new.
    fn set_expansion(&mut self, old: u8, new: u8) {
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

    /// One cycle: all that the chip does before the CPU's half.
    pub(super) fn tick(&mut self, view: &View<'_>) {
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

    fn step_line(&mut self) {
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

    fn check_bad_line(&mut self) {
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

    fn end_text_line(&mut self) {
        if self.rc == 7 {
            self.vc_base = self.vc;
            self.is_display = false;
        }
        if self.is_display || self.is_bad {
            self.rc = (self.rc + 1) & 7;
            self.is_display = true;
        }
    }

    fn raster_interrupt(&mut self) {
        let equal = self.line == self.compare;
        if equal && !self.is_compare_equal {
            self.flags |= RASTER;
        }
        self.is_compare_equal = equal;
    }

    fn light_pen(&mut self) {
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

    fn sprite_logic(&mut self) {
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
    fn beginning(&self, line: u16, dma: u8) -> u8 {
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

    fn start_dma(&mut self) {
        let mut beginning = self.beginning(self.line, self.dma);
        self.dma |= beginning;
        self.advance |= beginning;
        while beginning != 0 {
            self.sprites[beginning.trailing_zeros() as usize].mc_base = 0;
            beginning &= beginning - 1;
        }
    }

    fn check_display(&mut self) {
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

    /// The rows of data that are over: the next begin behind them, or the sprite ends.
    fn end_rows(&mut self) {
        for (n, sprite) in self.sprites.iter_mut().enumerate() {
            if self.advance & 1 << n != 0 {
                sprite.mc_base = sprite.mc;
                if sprite.mc_base == 63 {
                    self.dma &= !(1 << n);
                }
            }
        }
    }

    fn drive_ba(&mut self) {
        let for_cells = self.is_bad && (12..=54).contains(&self.cycle);
        let for_sprites = self.dma & self.timing.ba_sprites[usize::from(self.cycle)] != 0;
        self.ba = if for_cells || for_sprites { self.ba.saturating_add(1) } else { 0 };
    }

    /// Whether the VIC has the second half of the cycle: BA has been low for three cycles before.
    fn has_second_half(&self) -> bool {
        self.ba > 3
    }

    /// Where in its bank the VIC reads the codes of the screen.
    pub(super) fn matrix(&self) -> u16 {
        u16::from(self.registers[0x18] & 0xf0) << 6
    }

    fn first_half(&mut self, slot: Slot, view: &View<'_>) {
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
    fn settled_address(&self, cell: Cell) -> u16 {
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

    fn second_half(&mut self, slot: Slot, view: &View<'_>) {
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

    /// A data access in the second half, where a sprite without DMA, or whose DMA came late, finds nothing on the bus.
    fn second_byte(&mut self, n: u8, view: &View<'_>) -> u8 {
        if self.dma & 1 << n == 0 {
            return 0xff;
        }
        let value = self.sprite_byte(n, view);
        if self.has_second_half() { value } else { 0xff }
    }

    /// The CPU has this byte of a register on the bus in the second half of the cycle that was run last: a sprite that takes
    /// a byte without having the bus gets it.
    fn share(&mut self, value: u8) {
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
    pub(super) fn shows_shared(&self) -> bool {
        let right = self.registers[0x15] & self.registers[0x10];
        right != 0 && (0..8).any(|n| right & 1 << n != 0 && self.registers[2 * n] >= FIRST_EARLY)
    }

    /// A data access: the byte, and the counter moves on.
    fn sprite_byte(&mut self, n: u8, view: &View<'_>) -> u8 {
        let sprite = &mut self.sprites[usize::from(n)];
        let addr = u16::from(sprite.pointer) << 6 | u16::from(sprite.mc);
        sprite.mc = (sprite.mc + 1) & 0x3f;
        view.read(addr)
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

    /// Whether what was loaded can be: places within the tables, colours that there are.
    pub(super) fn check(&self) -> Result<(), StateError> {
        let size = WIDTH * self.model.height();
        let is_possible = core::ptr::eq(self.timing, Timing::of(self.model))
            && u64::from(self.cycle) <= self.model.cycles_per_line()
            && self.row < self.model.lines()
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

state!(Fetch { mc, mc_base, pointer, data });
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
    draw,
    strip,
    canvas,
    picture,
    pictures,
});
