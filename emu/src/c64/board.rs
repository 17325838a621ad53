//! The board: memory maps, the chips, and how they are wired. One access of the CPU is one cycle of all chips.

use alloc::boxed::Box;

use super::cia::Cia;
use super::keyboard::Controls;
use super::sid::Sid;
use super::state::{State, StateError, state};
use super::vic::{Model, Vic, View};
use super::{Joystick, Key};
use crate::{Bus, Lines, Pins, Port6510, Rom, RomError};

/// All of a C64 but the CPU, which sees it as a [`Bus`].
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    ram: Box<[u8; 0x10000]>,
    basic: Box<[u8; 0x2000]>,
    kernal: Box<[u8; 0x2000]>,
    characters: Box<[u8; 0x1000]>,
    colours: Box<[u8; 0x400]>,
    port: Port6510,
    vic: Vic,
    sid: Sid,
    cias: [Cia; 2],
    controls: Controls,
    restore: bool,
    lines: Lines,
    exit: Option<u8>,
}

/// What an address leads to.
enum Place {
    Ram,
    Basic,
    Kernal,
    Characters,
    Io,
}

impl Board {
    pub(super) fn new(model: Model) -> Board {
        let cia = Cia::new(model.clock(), model.mains());
        Board {
            ram: Box::new([0; 0x10000]),
            basic: Box::new([0; 0x2000]),
            kernal: Box::new([0; 0x2000]),
            characters: Box::new([0; 0x1000]),
            colours: Box::new([0; 0x400]),
            port: Port6510::new(),
            vic: Vic::new(model),
            sid: Sid::new(),
            cias: [cia.clone(), cia],
            controls: Controls::default(),
            restore: false,
            lines: Lines::new(),
            exit: None,
        }
    }

    /// The television standard.
    pub fn model(&self) -> Model {
        self.vic.model()
    }

    /// Puts an image in a ROM socket. An image of the wrong size is refused.
    pub fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        let place: &mut [u8] = match rom {
            Rom::Basic => &mut *self.basic,
            Rom::Kernal => &mut *self.kernal,
            Rom::Characters => &mut *self.characters,
        };
        if place.len() != image.len() {
            return Err(RomError { rom, expected: place.len(), found: image.len() });
        }
        place.copy_from_slice(image);
        Ok(())
    }

    /// The RAM, whatever is shown over it. Bytes 0 and 1 lie behind the port.
    pub fn ram(&self) -> &[u8; 0x10000] {
        &self.ram
    }

    /// The RAM to write to.
    pub fn ram_mut(&mut self) -> &mut [u8; 0x10000] {
        &mut self.ram
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
        let (view, matrix) = (self.view(0), self.vic.matrix());
        core::array::from_fn(|at| view.read(matrix | at as u16))
    }

    /// Whether what was loaded can be.
    pub(super) fn check(&self) -> Result<(), StateError> {
        if self.colours.iter().any(|&colour| colour > 15) {
            return Err(StateError::Impossible("a byte of the colour RAM has more than four bits"));
        }
        self.vic.check()
    }

    /// The byte at an address of the KERNAL, if the CPU sees the KERNAL there.
    pub(super) fn kernal_byte(&self, addr: u16) -> Option<u8> {
        matches!(self.place(addr), Place::Kernal).then(|| self.kernal[usize::from(addr & 0x1fff)])
    }

    /// RESET is pulled: the chips forget their settings, the port is an input. RAM stays.
    pub(super) fn reset(&mut self) {
        let model = self.model();
        self.port = Port6510 { direction: 0, data: 0, ..Port6510::new() };
        self.sid.reset();
        let cia = Cia::new(model.clock(), model.mains());
        self.cias = [cia.clone(), cia];
        self.vic.reset();
        self.lines = Lines::new();
        self.exit = None;
        self.drive_pen();
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

    /// Presses or releases RESTORE, which pulls NMI.
    pub fn set_restore(&mut self, pressed: bool) {
        self.restore = pressed;
    }

    /// What the CPU would read, without a cycle and without effects.
    pub fn peek(&self, addr: u16) -> u8 {
        match self.place(addr) {
            Place::Io => self.peek_io(addr),
            place => self.read_memory(place, addr),
        }
    }

    /// Writes to a chip without a cycle; for setting the machine up.
    pub(super) fn poke_io(&mut self, addr: u16, value: u8) {
        self.write_io(addr, value);
    }

    fn place(&self, addr: u16) -> Place {
        let lines = self.port.lines();
        let has = |mask: u8| lines & mask == mask;
        match addr >> 12 {
            0xa | 0xb if has(Port6510::LORAM | Port6510::HIRAM) => Place::Basic,
            0xe | 0xf if has(Port6510::HIRAM) => Place::Kernal,
            0xd if lines & (Port6510::LORAM | Port6510::HIRAM) != 0 => {
                if has(Port6510::CHAREN) {
                    Place::Io
                } else {
                    Place::Characters
                }
            }
            _ => Place::Ram,
        }
    }

    fn read_memory(&self, place: Place, addr: u16) -> u8 {
        match (place, addr) {
            (Place::Basic, _) => self.basic[usize::from(addr & 0x1fff)],
            (Place::Kernal, _) => self.kernal[usize::from(addr & 0x1fff)],
            (Place::Characters, _) => self.characters[usize::from(addr & 0x0fff)],
            (_, 0) => self.port.direction,
            (_, 1) => self.port.lines(),
            _ => self.ram[usize::from(addr)],
        }
    }

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

    /// The light pen hangs on PB4 of CIA 1.
    fn drive_pen(&mut self) {
        let low = self.keyboard_pins().1 & 0x10 == 0;
        self.vic.set_pen(low);
    }

    fn pins_of(&self, chip: usize) -> (u8, u8) {
        if chip == 0 { self.keyboard_pins() } else { self.serial_pins() }
    }

    fn peek_io(&self, addr: u16) -> u8 {
        match addr >> 8 & 0x0f {
            0x0..=0x3 => self.vic.peek(addr as u8 & 0x3f),
            0x4..=0x7 => self.sid.peek(addr as u8 & 0x1f),
            0x8..=0xb => self.colours[usize::from(addr & 0x3ff)] | self.vic.phi1() & 0xf0,
            0xc => self.cias[0].peek(addr as u8 & 0x0f, self.pins_of(0)),
            0xd => self.cias[1].peek(addr as u8 & 0x0f, self.pins_of(1)),
            _ => self.vic.phi1(),
        }
    }

    fn read_io(&mut self, addr: u16) -> u8 {
        match addr >> 8 & 0x0f {
            0x0..=0x3 => self.vic.read(addr as u8 & 0x3f),
            0x4..=0x7 => self.sid.read(addr as u8 & 0x1f),
            chip @ (0xc | 0xd) => {
                let chip = usize::from(chip - 0xc);
                let pins = self.pins_of(chip);
                self.cias[chip].read(addr as u8 & 0x0f, pins)
            }
            _ => self.peek_io(addr),
        }
    }

    fn write_io(&mut self, addr: u16, value: u8) {
        match addr >> 8 & 0x0f {
            0x0..=0x3 => self.vic.write(addr as u8 & 0x3f, value),
            0x4..=0x7 => {
                if addr == 0xd7ff {
                    self.exit = Some(value);
                }
                self.sid.write(addr as u8 & 0x1f, value);
            }
            0x8..=0xb => self.colours[usize::from(addr & 0x3ff)] = value & 0x0f,
            0xc => {
                self.cias[0].write(addr as u8 & 0x0f, value);
                self.drive_pen();
            }
            0xd => self.cias[1].write(addr as u8 & 0x0f, value),
            _ => {}
        }
    }

    /// The first address of the VIC's 16 KB.
    fn bank(&self) -> u16 {
        u16::from(!self.cias[1].outputs(0) & 3) << 14
    }

    fn view(&self, cpu_address: u16) -> View<'_> {
        View {
            ram: &self.ram,
            characters: &self.characters,
            colours: &self.colours,
            bank: self.bank(),
            cpu_address,
        }
    }

    /// One cycle of all chips, up to the CPU's half.
    fn tick(&mut self, addr: u16) {
        let bank = self.bank();
        self.vic.tick(&View {
            ram: &self.ram,
            characters: &self.characters,
            colours: &self.colours,
            bank,
            cpu_address: addr,
        });
        self.sid.tick();
        for cia in &mut self.cias {
            cia.tick();
        }
        // A read in the cycle of the edge comes too late to take it back.
        if self.cias[1].is_requesting() {
            self.lines.pull(Pins::NMI);
        }
    }

    /// The interrupt lines after the CPU's half of a cycle.
    fn drive_lines(&mut self, stalled: bool) {
        let mut low = Pins::NONE;
        if self.vic.is_irq_low() || self.cias[0].is_requesting() {
            low = low | Pins::IRQ;
        }
        if self.cias[1].is_requesting() || self.restore {
            low = low | Pins::NMI;
        }
        if stalled {
            low = low | Pins::RDY;
        }
        let all = Pins::IRQ | Pins::NMI | Pins::RDY;
        self.lines.release(all.without(low));
        self.lines.pull(low);
    }
}

impl Bus for Board {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI).or(Pins::RDY);

    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.tick(addr);
        let stalled = self.vic.is_ba_low();
        let value = match self.place(addr) {
            // The CPU waits, and its address does not reach the chips.
            _ if stalled => 0xff,
            Place::Io => self.read_io(addr),
            place => self.read_memory(place, addr),
        };
        self.drive_lines(stalled);
        value
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.tick(addr);
        match (self.place(addr), addr) {
            (Place::Io, _) => self.write_io(addr, value),
            (_, 0 | 1) => {
                if addr == 0 {
                    self.port.direction = value;
                } else {
                    self.port.data = value;
                }
                // The RAM behind the port takes what the VIC left on the bus.
                self.ram[usize::from(addr)] = self.vic.phi1();
            }
            _ => self.ram[usize::from(addr)] = value,
        }
        self.drive_lines(self.vic.is_ba_low());
    }

    fn pins(&mut self, _cycles: u64) -> Pins {
        self.lines.pins()
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
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

state!(Board {
    ram,
    basic,
    kernal,
    characters,
    colours,
    port,
    vic,
    sid,
    cias,
    controls,
    restore,
    lines,
    exit,
});

impl State for Port6510 {
    fn save(&self, to: &mut alloc::vec::Vec<u8>) {
        let Port6510 { direction, data, pulled_up } = *self;
        [direction, data, pulled_up].save(to);
    }
    fn load(from: &mut &[u8]) -> Result<Port6510, StateError> {
        let [direction, data, pulled_up] = State::load(from)?;
        Ok(Port6510 { direction, data, pulled_up })
    }
}

impl State for Lines {
    fn save(&self, to: &mut alloc::vec::Vec<u8>) {
        self.pins().bits().save(to);
    }
    fn load(from: &mut &[u8]) -> Result<Lines, StateError> {
        u8::load(from).map(|bits| Lines::from_pins(Pins::from_bits(bits)))
    }
}
