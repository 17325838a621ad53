//! The board: memory maps, the chips, and how they are wired. A chip is brought up to date when the CPU touches it, or
//! what it reads, and when its next interrupt may be due; in between it is not run, which is unobservable.

#[cfg(test)]
pub(super) mod probe;
mod saved;

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::cia::Cia;
use super::keyboard::Controls;
use super::port::{BANK, Banks, Device, Dma, Expansion, Half, MapMode};
use super::reu::Reu;
use super::sid::Sid;
use super::state::StateError;
use super::vic::{Model, Plan, SeenRom, Vic, View};
use super::{Joystick, Key};
pub(super) use crate::bus::pages::MEMORY;
use crate::bus::pages::Pages;
use crate::{
    Bus, CodeWindow, FastBus, Hooks, Lines, Pins, PlainMemory, Port6510, Rom, RomError, Run, Stop, Variant,
};

pub(super) const CHARACTERS: usize = Rom::Characters.socket().1;

/// Where the bytes are that a device in the expansion port shows.
const ROML: usize = 0x16000;
pub(super) const ROMH: usize = 0x18000;

/// Why a write to a page is not plain.
const DEVICES: u8 = 0x01;
const CODES: u8 = 0x02;
const GRAPHICS: u8 = 0x04;
const WATCHED: u8 = 0x08;
/// There is no RAM: in Ultimax mode only the expansion port sees the write.
const OUTSIDE: u8 = 0x10;

/// The selection at an address of $D000-$DFFF, with the register or the place in it.
#[derive(Debug, Clone, Copy)]
enum Io {
    Vic(u8),
    Sid(u8),
    Colours(usize),
    Cia(usize, u8),
    /// I/O 1 and I/O 2 of the expansion port.
    Expansion,
}

impl Io {
    #[inline(always)]
    fn decode(addr: u16) -> Io {
        match addr >> 8 & 0x0f {
            0x0..=0x3 => Io::Vic(addr as u8 & 0x3f),
            0x4..=0x7 => Io::Sid(addr as u8 & 0x1f),
            0x8..=0xb => Io::Colours(usize::from(addr & 0x3ff)),
            chip @ (0xc | 0xd) => Io::Cia(usize::from(chip - 0xc), addr as u8 & 0x0f),
            _ => Io::Expansion,
        }
    }
}

/// The requests of a device in the expansion port, as of the last time it was touched.
#[derive(Debug, Clone, Copy, Default)]
struct Asked {
    banks: Banks,
    watched: Option<u16>,
    irq: bool,
    nmi: bool,
    dma: bool,
}

/// Lines of the CPU's port without anything to pull them: as inputs they keep the level they were driven to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Charge {
    levels: u8,
    /// The cycle in which line 6, or 7, has lost its charge.
    fades_at: [u64; 2],
}

impl Charge {
    const LINES: u8 = 0xc8;
    const NONE: Charge = Charge { levels: 0, fades_at: [u64::MAX; 2] };

    /// The port is `before` and will be `after`.
    fn drive(&mut self, before: Port6510, after: Port6510, fades_at: u64) {
        for port in [before, after] {
            let driven = port.direction & Charge::LINES;
            self.levels = self.levels & !driven | port.data & driven;
        }
        for (at, bit) in self.fades_at.iter_mut().zip([0x40, 0x80]) {
            if after.direction & bit != 0 || self.levels & bit == 0 {
                *at = u64::MAX;
            } else if before.direction & bit != 0 {
                *at = fades_at;
            }
        }
    }

    /// Whether a line has lost its charge when this many cycles are over.
    fn fade(&mut self, done: u64) -> bool {
        let before = self.levels;
        for (at, bit) in self.fades_at.iter_mut().zip([0x40, 0x80]) {
            if *at <= done {
                *at = u64::MAX;
                self.levels &= !bit;
            }
        }
        self.levels != before
    }

    /// The first cycle in which a line loses its charge.
    fn ends(&self) -> u64 {
        self.fades_at[0].min(self.fades_at[1])
    }
}

/// All of a C64 but the CPU, which sees it as a [`Bus`].
#[derive(Clone)]
pub struct Board {
    /// RAM, then the ROMs. Bytes 0 and 1 are what the port shows.
    memory: Box<[u8; MEMORY + 2]>,
    /// The RAM below the port: only the VIC sees it.
    below_port: [u8; 2],
    colours: Box<[u8; 0x400]>,
    port: Port6510,
    charge: Charge,
    vic: Vic,
    sid: Sid,
    cias: [Cia; 2],
    expansion: Expansion,
    controls: Controls,
    restore: bool,
    lines: Lines,
    exit: Option<u8>,
    /// How many cycles each chip has done.
    vic_at: u64,
    sid_at: u64,
    cias_at: u64,
    expansion_at: u64,

    // What follows from the rest.
    /// What the CPU's reads reach.
    reads: Pages,
    /// The requests of the device in the expansion port.
    asked: Asked,
    /// For each page why writes to it are not plain, or 0.
    guards: [u8; 0x100],
    /// No pin changes before more cycles than these are over.
    quiet: u64,
    /// BA of the line that begins at this cycle.
    plan: Option<(u64, Plan)>,
    /// BA is high from the first of these cycles to before the second.
    high: (u64, u64),
    /// Until this cycle the VIC sees what the CPU has on the bus.
    shared_until: u64,
    /// A cycle in which the CPU reads though BA is low: the first after a transfer, which looks at BA a cycle early.
    granted: u64,
}

impl Board {
    pub(super) fn new(model: Model) -> Board {
        let cia = Cia::new(model.cia(), model.clock(), model.mains());
        let mut board = Board {
            memory: Box::new([0; MEMORY + 2]),
            below_port: [0; 2],
            colours: Box::new([0; 0x400]),
            port: Port6510::new(),
            charge: Charge::NONE,
            vic: Vic::new(model),
            sid: Sid::new(model.sid()),
            cias: [cia.clone(), cia],
            expansion: Expansion::default(),
            controls: Controls::default(),
            restore: false,
            lines: Lines::new(),
            exit: None,
            vic_at: 0,
            sid_at: 0,
            cias_at: 0,
            expansion_at: 0,
            reads: Pages::new(),
            asked: Asked::default(),
            guards: [0; 0x100],
            quiet: 0,
            plan: None,
            high: (0, 0),
            shared_until: 0,
            granted: u64::MAX,
        };
        board.switch();
        board
    }

    /// The television standard.
    pub fn model(&self) -> Model {
        self.vic.model()
    }

    /// Puts an image in a ROM socket. An image of the wrong size is refused.
    pub fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        rom.insert(&mut *self.memory, image)
    }

    /// The RAM, whatever is shown over it. Bytes 0 and 1 hold what reading the port gives.
    pub fn ram(&self) -> &[u8; 0x10000] {
        self.memory.first_chunk().expect("the memory begins with 64 KB of RAM")
    }

    /// The RAM to write to. Bytes 0 and 1 belong to the port.
    pub fn ram_mut(&mut self) -> &mut [u8; 0x10000] {
        self.memory.first_chunk_mut().expect("the memory begins with 64 KB of RAM")
    }

    /// The colour RAM; only the lower four bits of a byte exist.
    pub fn colours(&self) -> &[u8; 0x400] {
        &self.colours
    }

    /// The colour RAM to write to.
    pub fn colours_mut(&mut self) -> &mut [u8; 0x400] {
        &mut self.colours
    }

    /// The last complete picture, a colour number per pixel, [`super::WIDTH`] to a row.
    pub fn picture(&self) -> &[u8] {
        self.vic.picture()
    }

    /// How many pictures are complete.
    pub fn pictures(&self) -> u64 {
        self.vic.pictures()
    }

    /// The raster line, and the cycle in it, of the last cycle; cycles count from 1.
    pub fn beam(&self) -> (u16, u8) {
        self.vic.beam()
    }

    /// What was written to $D7FF, if anything was: the exit code of a test program.
    pub fn exit_code(&self) -> Option<u8> {
        self.exit
    }

    /// The first address of the screen's codes, as the VIC sees it.
    pub fn screen_base(&self) -> u16 {
        self.bank() | self.vic.matrix()
    }

    /// The 1000 codes of the text screen, 40 to a row, wherever the VIC is told to read them.
    pub fn screen_codes(&self) -> [u8; 1000] {
        let (view, matrix) = (self.view(), self.vic.matrix());
        core::array::from_fn(|at| view.read(matrix | at as u16))
    }

    /// Presses a key.
    pub fn hold(&mut self, key: Key) {
        self.controls.hold(key);
        self.drive_pen();
    }

    /// Lets a key go.
    pub fn release(&mut self, key: Key) {
        self.controls.release(key);
        self.drive_pen();
    }

    /// Moves the joystick in port 1 or 2; other numbers have no socket and are ignored.
    pub fn set_joystick(&mut self, port: u8, joystick: Joystick) {
        if let Some(place) = self.controls.joysticks.get_mut(usize::from(port.wrapping_sub(1))) {
            *place = joystick;
        }
        self.drive_pen();
    }

    /// Plugs a RAM expansion of this many kilobytes in, empty, or pulls it out with 0. Whether there is one of that size: 128,
    /// 256, 512, and so on to 16384.
    pub fn expand(&mut self, kilobytes: usize) -> bool {
        let reu = Reu::new(kilobytes);
        let is_known = reu.is_some() || kilobytes == 0;
        match reu {
            Some(reu) => self.plug(Device::from(reu)),
            None if is_known => self.unplug(|device| matches!(device, Device::Reu(_))),
            None => {}
        }
        is_known
    }

    /// Puts a device in the expansion port beside what is there, in place of the one of its kind.
    pub fn plug(&mut self, device: impl Into<Device>) {
        self.run_expansion(self.cias_at);
        self.expansion.plug(device.into());
        self.expansion_changed();
    }

    /// Takes devices out of the expansion port.
    pub fn unplug(&mut self, is_meant: impl Fn(&Device) -> bool) {
        self.run_expansion(self.cias_at);
        self.expansion.unplug(is_meant);
        self.expansion_changed();
    }

    /// The devices in the expansion port.
    pub fn devices(&self) -> &[Device] {
        self.expansion.devices()
    }

    fn expansion_changed(&mut self) {
        self.expansion_at = self.cias_at;
        self.take_banks();
        self.touched();
    }

    /// Turns the paddles of the control port that the CIA selects; 255 is what an empty port reads.
    pub fn set_paddles(&mut self, x: u8, y: u8) {
        self.sid.set_paddles([x, y]);
    }

    /// From now on the SID makes this many samples a second; with `None`, as at first, none, which is faster. The sound is
    /// no part of the machine: it is not saved and not compared.
    pub fn set_sample_rate(&mut self, rate: Option<u32>) {
        self.sid.set_sample_rate(self.model().clock(), rate);
    }

    /// The samples since the last call, one channel.
    pub fn take_samples(&mut self) -> Vec<i16> {
        self.sid.take_samples()
    }

    /// Presses or releases RESTORE, which pulls NMI.
    pub fn set_restore(&mut self, pressed: bool) {
        self.restore = pressed;
        self.drive_lines();
    }

    /// What the CPU would read, without a cycle and without effects.
    pub fn peek(&self, addr: u16) -> u8 {
        match self.read_plain(addr) {
            Some(value) => value,
            None if addr >> 12 == 0xd => self.peek_io(addr),
            None => self.peek_outside(addr),
        }
    }

    /// A store from outside when `cycles` are over: it does what one of the CPU's does, and takes no cycle.
    pub fn poke(&mut self, addr: u16, value: u8, cycles: u64) {
        self.run_ended(cycles);
        if addr < 2 {
            self.write_port(addr, value);
        } else if self.guards[usize::from(addr >> 8)] & DEVICES != 0 {
            self.write_chip(addr, value);
        } else if self.guards[usize::from(addr >> 8)] & OUTSIDE != 0 {
            self.write_outside(addr, value);
        } else {
            self.memory[usize::from(addr)] = value;
        }
        self.touched();
    }

    /// Writes to a chip without a cycle; for setting the machine up.
    pub(super) fn poke_io(&mut self, addr: u16, value: u8) {
        self.write_chip(addr, value);
        self.touched();
    }

    /// Whether what was loaded can be; then what follows from it.
    pub(super) fn restore_rest(&mut self, cycles: u64) -> Result<(), StateError> {
        if [self.vic_at, self.sid_at, self.cias_at, self.expansion_at] != [cycles; 4] || cycles > u64::MAX / 2
        {
            return Err(StateError::Impossible("the chips are not at the same cycle"));
        }
        let model = self.model();
        if !self.cias.iter().all(|cia| cia.is_possible(model.cia(), model.clock(), model.mains())) {
            return Err(StateError::Impossible("a CIA is in no state it can reach"));
        }
        if self.sid.chip() != model.sid() {
            return Err(StateError::Impossible("another model has this SID"));
        }
        self.expansion.check()?;
        self.vic.check()?;
        self.take_banks();
        self.touched();
        Ok(())
    }

    /// The byte at an address of the KERNAL, if the CPU sees the KERNAL there.
    pub(super) fn kernal_byte(&self, addr: u16) -> Option<u8> {
        let (pages, socket) = Rom::Kernal.socket();
        let place = self.reads.place(addr)?;
        (socket..socket + (pages.len() << 8)).contains(&place).then(|| self.memory[place])
    }

    /// RESET is pulled: the chips forget their settings, the port is an input. RAM stays.
    pub(super) fn reset(&mut self) {
        let model = self.model();
        self.port = Port6510 { direction: 0, data: 0, ..Port6510::new() };
        self.charge = Charge::NONE;
        self.sid.reset();
        let cia = Cia::new(model.cia(), model.clock(), model.mains());
        self.cias = [cia.clone(), cia];
        self.vic.reset();
        self.expansion.reset();
        self.lines = Lines::new();
        self.exit = None;
        self.take_banks();
        self.drive_pen();
        self.touched();
    }

    // --- wiring -----------------------------------------------------------------------------------------

    /// The levels of CIA 1's port lines with keyboard and joysticks.
    fn keyboard_pins(&self) -> (u8, u8) {
        let cia = &self.cias[0];
        let (a, b) = self.controls.low_lines(cia.low_outputs(0), cia.low_outputs(1));
        (!a, !b)
    }

    /// The levels of CIA 2's port lines. The serial inputs follow the chip's own outputs: nothing else is on the bus.
    fn serial_pins(&self) -> (u8, u8) {
        let cia = &self.cias[1];
        (cia.outputs(0), cia.outputs(1))
    }

    fn pins_of(&self, chip: usize) -> (u8, u8) {
        if chip == 0 { self.keyboard_pins() } else { self.serial_pins() }
    }

    /// The light pen hangs on PB4 of CIA 1.
    fn is_pen_low(&self) -> bool {
        self.keyboard_pins().1 & 0x10 == 0
    }

    fn drive_pen(&mut self) {
        self.vic.set_pen(self.is_pen_low());
        self.expect_interrupts();
    }

    /// The first address of the VIC's 16 KB.
    fn bank(&self) -> u16 {
        u16::from(!self.cias[1].outputs(0) & 3) << 14
    }

    /// The ROM that the VIC sees.
    fn seen_rom(&self) -> SeenRom {
        match self.asked.banks.mode() {
            MapMode::Ultimax => SeenRom::ULTIMAX,
            _ => SeenRom::CHARACTERS,
        }
    }

    fn view(&self) -> View<'_> {
        View {
            memory: &self.memory,
            below_port: self.below_port,
            colours: &self.colours,
            bank: self.bank(),
            rom: self.seen_rom(),
            cpu_address: 0,
        }
    }

    // --- memory -----------------------------------------------------------------------------------------

    /// Draws the map for the port's lines, and shows the port to reads of $00 and $01.
    fn switch(&mut self) {
        let lines = self.port.lines();
        self.memory[0] = self.port.direction;
        self.memory[1] = lines | self.charge.levels & !self.port.direction;
        let has = |mask: u8| lines & mask == mask;
        let any_rom = lines & (Port6510::LORAM | Port6510::HIRAM) != 0;
        let is_basic = has(Port6510::LORAM | Port6510::HIRAM);
        let is_io = any_rom && has(Port6510::CHAREN);
        self.reads.show_ram(0x00..0x100);
        let mode = self.asked.banks.mode();
        if mode == MapMode::Ultimax {
            // Where nothing answers, the devices are asked, too.
            self.reads.show_devices(0x10..0x100);
            self.show_rom(Half::Low, 0x80);
            self.show_rom(Half::High, 0xe0);
        } else {
            let high_rom = mode == MapMode::Rom16K;
            let shown = [
                (Rom::Basic, is_basic && !high_rom),
                (Rom::Kernal, has(Port6510::HIRAM)),
                (Rom::Characters, any_rom && !is_io),
            ];
            for (rom, _) in shown.into_iter().filter(|(_, is_shown)| *is_shown) {
                let (pages, place) = rom.socket();
                self.reads.show(pages, place);
            }
            if mode != MapMode::Plain && is_basic {
                self.show_rom(Half::Low, 0x80);
            }
            if high_rom && has(Port6510::HIRAM) {
                self.show_rom(Half::High, 0xa0);
            }
            if is_io {
                self.reads.show_devices(0xd0..0xe0);
            }
        }
        self.reads.settle();
        self.guard();
    }

    /// Shows a half of the expansion port's memory from this page on.
    fn show_rom(&mut self, half: Half, page: usize) {
        let pages = page..page + (BANK >> 8);
        let has_bytes = self.expansion.rom(half).is_some();
        match half {
            _ if !has_bytes => self.reads.show_devices(pages),
            Half::Low => self.reads.show(pages, ROML),
            Half::High => self.reads.show(pages, ROMH),
        }
    }

    /// Takes the bytes that the expansion port shows now, and draws the map.
    fn take_banks(&mut self) {
        for (half, place) in [(Half::Low, ROML), (Half::High, ROMH)] {
            if let Some(bytes) = self.expansion.rom(half) {
                self.memory[place..place + BANK].copy_from_slice(bytes);
            }
        }
        self.ask_expansion();
        self.switch();
    }

    /// Asks what is in the expansion port for its lines; whether the map is the one before.
    fn ask_expansion(&mut self) -> bool {
        let old = self.asked.banks;
        let port = &self.expansion;
        self.asked = Asked {
            banks: port.banks(),
            watched: port.watched(),
            irq: port.is_irq_low(),
            nmi: port.is_nmi_low(),
            dma: port.is_dma_low(),
        };
        self.asked.banks == old
    }

    /// The device in the expansion port was read, written to or run: its lines may have changed.
    fn expansion_touched(&mut self) {
        if !self.ask_expansion() {
            self.take_banks();
        }
    }

    /// Finds the pages whose writes must be reported: those of the devices, and those the VIC reads.
    fn guard(&mut self) {
        self.guards = [0; 0x100];
        if self.asked.banks.mode() == MapMode::Ultimax {
            self.guards[0x10..].fill(OUTSIDE);
        }
        if self.reads.is_device(0xd000) {
            self.guards[0xd0..0xe0].fill(DEVICES);
        }
        if let Some(addr) = self.asked.watched {
            self.guards[usize::from(addr >> 8)] |= WATCHED;
        }
        let (bank, rom) = (usize::from(self.bank() >> 8), self.seen_rom());
        let guards = &mut self.guards[bank..bank + 0x40];
        let view = View {
            memory: &self.memory,
            below_port: self.below_port,
            colours: &self.colours,
            bank: (bank as u16) << 8,
            rom,
            cpu_address: 0,
        };
        self.vic.pages_read(&view, |page, count, is_graphics| {
            for guard in &mut guards[usize::from(page)..usize::from(page) + count] {
                *guard |= if is_graphics { GRAPHICS } else { CODES };
            }
        });
    }

    fn write_port(&mut self, addr: u16, value: u8) {
        let before = self.port;
        if addr == 0 {
            self.port.direction = value;
        } else {
            self.port.data = value;
        }
        self.charge.drive(before, self.port, self.vic_at + self.model().port_fades());
        self.expect_interrupts();
        // The RAM behind the port takes what the VIC left on the bus.
        self.below_port[usize::from(addr & 1)] = self.vic.phi1();
        self.switch();
    }

    // --- time -------------------------------------------------------------------------------------------

    /// Brings the VIC to the end of this many cycles.
    fn run_vic(&mut self, done: u64) {
        self.run_vic_beside(done, 0);
    }

    /// The same with what the CPU has on the address bus.
    fn run_vic_beside(&mut self, done: u64, cpu_address: u16) {
        if self.vic_at >= done {
            return;
        }
        let bank = self.bank();
        let view = View {
            memory: &self.memory,
            below_port: self.below_port,
            colours: &self.colours,
            bank,
            rom: self.seen_rom(),
            cpu_address,
        };
        let line = self.vic.model().cycles_per_line();
        while self.vic_at < done {
            if done - self.vic_at >= line && self.vic.cycles_into_line() == 0 && self.vic.run_line(&view) {
                self.vic_at += line;
            } else {
                self.vic.tick(&view);
                self.vic_at += 1;
            }
        }
    }

    /// Brings the VIC to the end of the last line that is over when this many cycles are.
    fn run_vic_lines(&mut self, done: u64) {
        let start = self.vic_at - self.vic.cycles_into_line();
        let line = self.vic.model().cycles_per_line();
        self.run_vic(start + (done.saturating_sub(start)) / line * line);
    }

    fn run_cias(&mut self, done: u64) {
        if self.cias_at < done {
            for cia in &mut self.cias {
                cia.advance(done - self.cias_at);
            }
            self.cias_at = done;
            // A read in the cycle of the edge comes too late to take it back.
            if self.cias[1].is_requesting() {
                self.lines.pull(Pins::NMI);
            }
        }
    }

    fn run_sid(&mut self, done: u64) {
        if self.sid_at < done {
            self.sid.advance(done - self.sid_at);
            self.sid_at = done;
        }
    }

    fn run_expansion(&mut self, done: u64) {
        if self.expansion_at < done {
            if !self.expansion.is_empty() {
                self.expansion.tick(done - self.expansion_at);
                self.expansion_touched();
            }
            self.expansion_at = done;
        }
    }

    /// The interrupt lines as the chips drive them now.
    fn drive_lines(&mut self) {
        let mut low = Pins::NONE;
        if self.vic.is_irq_low() || self.cias[0].is_requesting() || self.asked.irq {
            low = low | Pins::IRQ;
        }
        if self.cias[1].is_requesting() || self.restore || self.asked.nmi {
            low = low | Pins::NMI;
        }
        self.lines.release((Pins::IRQ | Pins::NMI).without(low));
        self.lines.pull(low);
        self.expect_interrupts();
    }

    /// Works out how long no line changes by itself.
    fn expect_interrupts(&mut self) {
        let cias = self.cias[0].quiet_for().min(self.cias[1].quiet_for());
        let vic = self.vic_at.saturating_add(self.vic.quiet_for());
        let expansion = self.expansion_at.saturating_add(self.expansion.quiet_for());
        self.quiet = vic
            .min(self.cias_at.saturating_add(cias))
            .min(expansion)
            .min(self.charge.ends().saturating_sub(1));
    }

    /// A chip was written to: what was worked out about the future is void.
    fn touched(&mut self) {
        self.plan = None;
        self.high = (0, 0);
        self.drive_lines();
        self.guard();
    }

    /// Makes the plan for the line of a cycle that is over or is the next.
    fn make_plan(&mut self, cycle: u64) -> (u64, Plan) {
        if let Some((start, plan)) = self.plan
            && cycle.wrapping_sub(start) < self.vic.model().cycles_per_line()
        {
            return (start, plan);
        }
        self.run_vic_lines(cycle);
        let plan = (self.vic_at - self.vic.cycles_into_line(), self.vic.plan());
        self.plan = Some(plan);
        plan
    }

    /// Whether BA is known to be high in a cycle.
    #[inline(always)]
    fn is_high(&self, cycle: u64) -> bool {
        (self.high.0..self.high.1).contains(&cycle)
    }

    /// The first cycle from this one on in which BA is high.
    #[inline(never)]
    fn high_from(&mut self, cycle: u64) -> u64 {
        let mut cycle = cycle;
        loop {
            let (start, plan) = self.make_plan(cycle);
            let rest = plan.low >> (cycle - start);
            let low = u64::from(rest.trailing_ones());
            if low == 0 {
                let next =
                    if rest == 0 { start + plan.then } else { cycle + u64::from(rest.trailing_zeros()) };
                self.high = (cycle, next);
                return cycle;
            }
            cycle += low;
        }
    }

    /// Whether BA is low in a cycle that is over or is the next.
    #[inline(never)]
    fn is_low(&mut self, cycle: u64) -> bool {
        if cycle == self.granted {
            return false;
        }
        if self.vic_at == cycle + 1 {
            return self.vic.is_ba_low();
        }
        let (start, plan) = self.make_plan(cycle);
        plan.low >> (cycle - start) & 1 != 0
    }

    // --- devices ----------------------------------------------------------------------------------------

    /// What a chip's register at $D000-$DFFF would give, whatever is shown there, without effects.
    pub fn peek_io(&self, addr: u16) -> u8 {
        match Io::decode(addr) {
            Io::Vic(register) => self.vic.peek(register),
            Io::Sid(register) => self.sid.peek(register),
            Io::Colours(place) => self.colours[place] | self.vic.phi1() & 0xf0,
            Io::Cia(chip, register) => self.cias[chip].peek(register, self.pins_of(chip)),
            Io::Expansion => self.expansion.peek_io(addr).unwrap_or(self.vic.phi1()),
        }
    }

    fn read_io(&mut self, addr: u16, cycle: u64) -> u8 {
        let done = cycle + 1;
        match Io::decode(addr) {
            Io::Vic(register) => self.read_vic(register, done),
            Io::Sid(register) => {
                self.run_sid(done);
                self.sid.read(register)
            }
            Io::Colours(_) => {
                self.run_vic(done);
                self.peek_io(addr)
            }
            Io::Cia(chip, register) => {
                self.run_cias(done);
                let pins = self.pins_of(chip);
                let value = self.cias[chip].read(register, pins);
                self.drive_lines();
                value
            }
            Io::Expansion => self.read_expansion(done, |port| port.read_io(addr)),
        }
    }

    /// A read that what is in the expansion port may answer.
    fn read_expansion(&mut self, done: u64, read: impl FnOnce(&mut Expansion) -> Option<u8>) -> u8 {
        self.run_vic(done);
        self.run_expansion(done);
        if self.expansion.is_empty() {
            return self.vic.phi1();
        }
        let value = read(&mut self.expansion).unwrap_or(self.vic.phi1());
        self.expansion_touched();
        self.drive_lines();
        value
    }

    /// The half of the expansion port's memory at an address where there is no RAM, and the place in it.
    fn half_at(addr: u16) -> Option<(Half, u16)> {
        let offset = addr & (BANK as u16 - 1);
        match addr >> 13 {
            0b100 => Some((Half::Low, offset)),
            0b101 | 0b111 => Some((Half::High, offset)),
            _ => None,
        }
    }

    /// The half at an address where the map shows the devices, though they are not there.
    fn outside(&self, addr: u16) -> Option<(Half, u16)> {
        let is_at_a000 = addr >> 13 == 0b101;
        let is_ultimax = self.asked.banks.mode() == MapMode::Ultimax;
        Board::half_at(addr).filter(|_| !(is_at_a000 && is_ultimax))
    }

    fn peek_outside(&self, addr: u16) -> u8 {
        let half = self.outside(addr);
        let answer = half.and_then(|(half, offset)| self.expansion.peek_rom(half, offset));
        answer.unwrap_or(self.vic.phi1())
    }

    fn read_outside(&mut self, addr: u16, cycle: u64) -> u8 {
        let half = self.outside(addr);
        self.read_expansion(cycle + 1, |port| half.and_then(|(half, offset)| port.read_rom(half, offset)))
    }

    /// A write where there is no RAM.
    fn write_outside(&mut self, addr: u16, value: u8) {
        if let Some((half, offset)) = self.outside(addr)
            && !self.expansion.is_empty()
        {
            self.expansion.write_rom(half, offset, value);
            self.take_banks();
        }
    }

    /// Most registers read as they were written; for those the VIC need not be up to date.
    fn read_vic(&mut self, register: u8, done: u64) -> u8 {
        match register {
            _ if self.vic.shows_shared() => {
                self.run_vic(done);
                let value = self.vic.read(register);
                self.expect_interrupts();
                value
            }
            0x11 | 0x12 => {
                let line = self.vic.line_in(done.saturating_sub(self.vic_at));
                let written = self.vic.peek(0x11) & 0x7f;
                if register == 0x12 { line as u8 } else { written | (line >> 1) as u8 & 0x80 }
            }
            0x13 | 0x14 | 0x1e | 0x1f => {
                self.run_vic(done);
                let value = self.vic.read(register);
                self.expect_interrupts();
                value
            }
            0x19 if self.vic_at.saturating_add(self.vic.flags_stay_for(0x0f)) < done => {
                self.run_vic(done);
                self.vic.read(register)
            }
            _ => self.vic.peek(register),
        }
    }

    fn write_io(&mut self, addr: u16, value: u8, cycle: u64) {
        let done = cycle + 1;
        let io = Io::decode(addr);
        match io {
            Io::Vic(_) => self.run_vic(done),
            Io::Sid(_) => {
                self.run_sid(done);
                return self.write_to(io, addr, value);
            }
            Io::Colours(_) => {
                self.run_vic_before(done, false);
                return self.write_to(io, addr, value);
            }
            Io::Cia(chip, register) => {
                self.run_cias(done);
                if chip == 1 && (register == 0 || register == 2) {
                    self.run_vic(done);
                }
            }
            Io::Expansion => {
                if !self.expansion.is_empty() {
                    self.run_vic(done);
                    self.run_expansion(done);
                    self.write_to(io, addr, value);
                    self.touched();
                }
                return;
            }
        }
        let bank = self.bank();
        self.write_to(io, addr, value);
        self.drive_lines();
        if let Io::Vic(register) = io {
            self.plan = None;
            self.high = (0, 0);
            if self.vic.is_bad_late() {
                self.shared_until = done + 3;
            }
            // Modes, addresses and sprites decide what is read.
            if matches!(register, 0x11 | 0x15 | 0x18) {
                self.guard();
            }
        } else if bank != self.bank() {
            self.guard();
        }
    }

    /// What a write does to the chip.
    fn write_chip(&mut self, addr: u16, value: u8) {
        self.write_to(Io::decode(addr), addr, value);
    }

    fn write_to(&mut self, io: Io, addr: u16, value: u8) {
        match io {
            Io::Vic(register) => self.vic.write(register, value),
            Io::Sid(register) => {
                if addr == 0xd7ff {
                    self.exit = Some(value);
                }
                self.sid.write(register, value);
            }
            Io::Colours(place) => self.colours[place] = value & 0x0f,
            Io::Cia(chip, register) => {
                self.cias[chip].write(register, value);
                // A light pen is latched where the beam is.
                if chip == 0 && self.is_pen_low() != self.vic.is_pen_low() {
                    self.run_vic(self.cias_at);
                    self.drive_pen();
                }
            }
            Io::Expansion => {
                if !self.expansion.is_empty() {
                    self.expansion.write_io(addr, value);
                    self.expansion_touched();
                }
            }
        }
    }

    /// Brings the VIC so far that a write to memory it reads cannot change what it has read. Codes and colours are read
    /// on bad lines only: for others the line can wait.
    fn run_vic_before(&mut self, done: u64, is_graphics: bool) {
        self.run_vic_lines(done - 1);
        if is_graphics || self.vic.cycles_into_line() != 0 || self.vic.is_bad_next() {
            self.run_vic(done);
        }
    }

    /// The device in the expansion port has the bus from this cycle on, unless the VIC takes it. The first cycle after it.
    fn transfer(&mut self, cycle: u64) -> u64 {
        let mut expansion = core::mem::take(&mut self.expansion);
        let done = self.expansion_at;
        let cycle = self.high_from(cycle);
        let mut side = Side { board: self, cycle, is_low: false, is_writing: false };
        expansion.use_bus(&mut side);
        let cycle = side.next_read();
        self.granted = cycle;
        self.expansion = expansion;
        // What passed without it was its own doing.
        self.expansion_at = done;
        self.run_expansion(cycle);
        self.expansion_touched();
        if self.asked.banks.mode() != MapMode::Plain {
            // The map may have been drawn while the devices were out of the port.
            self.take_banks();
        }
        self.guard();
        self.run_cias(cycle);
        self.run_vic_if_due(cycle);
        cycle
    }

    /// A write to RAM that the VIC reads.
    fn write_seen(&mut self, addr: u16, value: u8, cycle: u64) {
        let matrix = self.screen_base();
        let place = addr.wrapping_sub(matrix);
        let is_code = place < 0x3f8 && self.guards[usize::from(addr >> 8)] & GRAPHICS == 0;
        self.run_vic_before(cycle + 1, !is_code);
        self.memory[usize::from(addr)] = value;
        if (0x3f8..0x400).contains(&place) {
            // The pointer of a sprite.
            self.guard();
        }
    }
}

impl Bus for Board {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI).or(Pins::RDY);

    fn look(&self, addr: u16) -> Option<u8> {
        Some(self.peek(addr))
    }

    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        if cycle < self.shared_until {
            self.run_vic_beside(cycle + 1, addr);
        }
        if !self.is_high(cycle) && self.is_low(cycle) {
            // The CPU waits, and its address does not reach the chips.
            return 0xff;
        }
        self.read_ready(addr, cycle)
    }

    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        if cycle < self.shared_until {
            self.run_vic_beside(cycle + 1, addr);
        }
        if self.write_plain(addr, value) {
            return;
        }
        if addr < 2 {
            self.run_vic(cycle + 1);
            self.write_port(addr, value);
        } else if self.guards[usize::from(addr >> 8)] & DEVICES != 0 {
            self.write_io(addr, value, cycle);
        } else if self.guards[usize::from(addr >> 8)] & OUTSIDE != 0 {
            self.run_vic(cycle + 1);
            self.run_expansion(cycle + 1);
            self.write_outside(addr, value);
            self.touched();
        } else {
            self.write_seen(addr, value, cycle);
        }
        if self.asked.watched == Some(addr) {
            self.expansion.written();
            self.expansion_touched();
            self.touched();
        }
    }

    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        if cycles > self.quiet {
            self.run_vic_if_due(cycles);
        }
        let pins = self.lines.pins();
        let last = cycles.wrapping_sub(1);
        if !self.is_high(last) && cycles > 0 && self.is_low(last) { pins | Pins::RDY } else { pins }
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }

    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        // The host may have changed memory.
        self.guard();
        run.fast(self)
    }
}

impl Board {
    /// A read in a cycle that the VIC leaves free.
    fn read_ready(&mut self, addr: u16, cycle: u64) -> u8 {
        match self.read_plain(addr) {
            Some(value) => value,
            None if addr >> 12 == 0xd => self.read_io(addr, cycle),
            None => self.read_outside(addr, cycle),
        }
    }

    /// Brings those chips up to date that may change a line by then.
    #[cold]
    #[inline(never)]
    fn run_vic_if_due(&mut self, done: u64) {
        if done > self.vic_at.saturating_add(self.vic.quiet_for()) {
            self.run_vic(done);
        }
        self.run_cias(done);
        self.run_expansion(done);
        self.fade_port(done);
        self.drive_lines();
    }

    fn fade_port(&mut self, done: u64) {
        if self.charge.fade(done) {
            self.switch();
        }
    }
}

/// The board while the device in the expansion port has the bus: an access has to wait while the VIC has the bus.
struct Side<'a> {
    board: &'a mut Board,
    /// The next cycle, whether BA was low in the one before, and whether that was a write.
    cycle: u64,
    is_low: bool,
    is_writing: bool,
}

impl Side<'_> {
    /// The cycle of the next read. After a write the device looks at BA a cycle early.
    fn next_read(&mut self) -> u64 {
        match (self.is_writing, self.is_low) {
            (true, true) => self.board.high_from(self.cycle) + 1,
            (true, false) => self.cycle,
            (false, _) => self.board.high_from(self.cycle),
        }
    }
}

impl Dma for Side<'_> {
    fn read(&mut self, addr: u16) -> u8 {
        let cycle = self.next_read();
        self.is_low = self.board.is_low(cycle);
        self.is_writing = false;
        self.cycle = cycle + 1;
        match self.board.below_port.get(usize::from(addr)) {
            Some(&below) => below,
            None => self.board.read_ready(addr, cycle),
        }
    }

    fn write(&mut self, addr: u16, value: u8) {
        // The first cycle with BA low can still be used.
        let mut is_low = self.board.is_low(self.cycle);
        if is_low && self.is_low {
            self.cycle = self.board.high_from(self.cycle);
            is_low = false;
        }
        (self.is_low, self.is_writing) = (is_low, true);
        let cycle = self.cycle;
        self.cycle = cycle + 1;
        if addr < 2 {
            self.board.run_vic(cycle + 1);
            self.board.below_port[usize::from(addr)] = value;
        } else {
            self.board.write(addr, value, cycle);
        }
    }
}

impl FastBus for Board {
    const MEMORY: PlainMemory = PlainMemory::Paged;
    const KNOWS_READY: bool = true;

    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<CodeWindow> {
        self.reads.code_around(pc)
    }

    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.memory[place & (MEMORY - 1)..][usize::from(offset).min(2)]
    }

    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        // What the compiler knows of the zero page and the stack saves them the map.
        if addr < 0x200 {
            return Some(self.memory[usize::from(addr)]);
        }
        self.reads.place(addr).map(|place| self.memory[place])
    }

    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        if self.guards[usize::from(addr >> 8)] != 0 || addr < 2 {
            return false;
        }
        self.memory[usize::from(addr)] = value;
        true
    }

    #[inline(always)]
    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        if cycle < self.shared_until || self.asked.dma {
            return 0;
        }
        if pins.has(Pins::RDY) {
            // RDY that is low in a cycle shows after it.
            return if self.is_high(cycle) { self.high.1.saturating_add(1) } else { 0 };
        }
        if self.lines.pins().has_any(pins) { 0 } else { self.quiet.saturating_add(1) }
    }

    fn ready_at(&mut self, cycle: u64) -> u64 {
        if self.asked.dma {
            return self.transfer(cycle);
        }
        if cycle == self.granted || self.is_high(cycle) { cycle } else { self.high_from(cycle) }
    }

    fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64 {
        // What the VIC takes from the bus comes first: a look further ahead may bring it to the next line.
        let (mut cycle, mut address) = (cycle, addr);
        while cycle < self.shared_until && !self.asked.dma && self.is_low(cycle) {
            self.run_vic_beside(cycle + 1, address);
            address = then;
            cycle += 1;
        }
        self.ready_at(cycle)
    }

    fn ends_run(&self) -> bool {
        self.exit.is_some()
    }

    fn run_ended(&mut self, cycles: u64) {
        self.run_vic(cycles);
        self.run_sid(cycles);
        self.run_cias(cycles);
        self.run_expansion(cycles);
        self.fade_port(cycles);
        self.drive_lines();
    }
}

impl core::fmt::Debug for Board {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (line, cycle) = self.beam();
        f.debug_struct("Board")
            .field("port", &self.port)
            .field("line", &line)
            .field("cycle", &cycle)
            .finish_non_exhaustive()
    }
}
