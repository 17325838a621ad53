//! The board: memory maps, the chips, and how they are wired. A chip is brought up to date when the CPU touches it, or
//! what it reads, and when its next interrupt may be due; in between it is not run, which is unobservable.
//!
//! Here is what the board consists of and what its owner does with it; how it works is in the modules.

mod access;
mod charge;
mod expansion;
mod given;
mod io;
mod map;
mod outside;
#[cfg(test)]
pub(super) mod probe;
mod saved;
mod time;
mod wiring;

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::cia::Cia;
use super::drive::Drive1541;
use super::keyboard::Controls;
use super::port::Expansion;
use super::sid::Sid;
use super::vic::{Model, Plan, Vic};
use super::{Joystick, Key};
pub(super) use crate::bus::pages::MEMORY;
use crate::bus::pages::Pages;
use crate::state::StateError;
use crate::{FastBus, Lines, Port6510, Rom, RomError};
use charge::Charge;
use expansion::Asked;
pub(super) use map::ROMH;
use map::{DEVICES, OUTSIDE};

pub(super) const CHARACTERS: usize = Rom::Characters.socket().1;

/// All of a C64 but the CPU, which sees it as a [`crate::Bus`].
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
    /// A second one, and the first of its 32 addresses.
    second: Option<(u16, Box<Sid>)>,
    cias: [Cia; 2],
    expansion: Expansion,
    /// Device 8 of the serial bus, if it is a whole one.
    drive: Option<Box<Drive1541>>,
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
    /// The target of the CPU's reads.
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
    /// A program has pulled ATN.
    has_called: bool,
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
            second: None,
            cias: [cia.clone(), cia],
            expansion: Expansion::default(),
            drive: None,
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
            has_called: false,
        };
        board.take_banks();
        board
    }

    /// Connects a drive to the serial bus, or takes it away. It is at the same cycle as the machine, as
    /// [`super::C64::attach`] makes it.
    pub(super) fn set_drive(&mut self, drive: Option<Drive1541>) {
        self.drive = drive.map(Box::new);
        self.drive_bus();
    }

    /// The drive on the serial bus, if there is a whole one.
    pub fn drive(&self) -> Option<&Drive1541> {
        self.drive.as_deref()
    }

    /// The drive, to put a disk in.
    pub fn drive_mut(&mut self) -> Option<&mut Drive1541> {
        self.drive.as_deref_mut()
    }

    /// Whether a program has called devices on the serial bus by itself: it has pulled ATN.
    pub fn has_called_bus(&self) -> bool {
        self.has_called
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

    /// The picture as a screen shows it now: up to the beam what is being drawn, below it the last complete one.
    pub fn picture_at_beam(&self) -> Vec<u8> {
        self.vic.picture_at_beam()
    }

    /// How many pictures are complete.
    pub fn pictures(&self) -> u64 {
        self.vic.pictures()
    }

    /// The raster line, and the cycle in it, of the last cycle; cycles count from 1.
    pub fn beam(&self) -> (u16, u8) {
        self.vic.beam()
    }

    /// The byte that was written to $D7FF, if any: the exit code of a test program.
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

    /// Turns the paddles in port 1 or 2; 255 is what an empty port reads. A 1351 mouse is read in their place: see
    /// [`super::mouse_at`]. Other ports have no socket and are ignored.
    pub fn set_paddles(&mut self, port: u8, x: u8, y: u8) {
        if let Some(place) = self.controls.paddles.get_mut(usize::from(port.wrapping_sub(1))) {
            *place = [x, y];
        }
    }

    /// Holds a light pen against a pixel of the picture, or takes it away; whether the picture has that pixel.
    pub fn hold_pen(&mut self, pixel: Option<(u16, u16)>) -> bool {
        let is_there = self.vic.hold_pen(pixel);
        self.drive_lines();
        is_there
    }

    /// Connects a second SID at these 32 addresses, or takes it away; whether there can be one. It is of the version of the
    /// first and is heard beside it.
    pub fn set_second_sid(&mut self, first: Option<u16>) -> bool {
        if first.is_some_and(|first| !is_place_of_sid(first)) {
            return false;
        }
        let fresh = || Box::new(Sid::new(self.sid.chip()));
        self.second = first.map(|first| (first, fresh()));
        true
    }

    /// The first address of the second SID, if there is one.
    pub fn second_sid(&self) -> Option<u16> {
        self.second.as_ref().map(|(first, _)| *first)
    }

    /// From now on the SID makes this many samples a second; with `None`, as at first, none, which is faster. The sound is
    /// no part of the machine: it is not saved and not compared.
    pub fn set_sample_rate(&mut self, rate: Option<u32>) {
        let clock = self.model().clock();
        self.sid.set_sample_rate(clock, rate);
        if let Some((_, second)) = &mut self.second {
            second.set_sample_rate(clock, rate);
        }
    }

    /// The samples since the last call, one channel: two SIDs are heard together.
    pub fn take_samples(&mut self) -> Vec<i16> {
        let (mut samples, second) = self.take_both();
        for (sample, other) in samples.iter_mut().zip(second) {
            *sample = sample.saturating_add(other);
        }
        samples
    }

    /// The samples of each SID since the last call; none of a second that is not there.
    pub fn take_both(&mut self) -> (Vec<i16>, Vec<i16>) {
        let second = self.second.as_mut().map_or_else(Vec::new, |(_, second)| second.take_samples());
        (self.sid.take_samples(), second)
    }

    /// Presses or releases RESTORE, which pulls NMI.
    pub fn set_restore(&mut self, pressed: bool) {
        self.restore = pressed;
        self.drive_lines();
    }

    /// Returns the byte that the CPU would read, without a cycle and without effects.
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
        if self
            .second
            .as_ref()
            .is_some_and(|(first, second)| !is_place_of_sid(*first) || second.chip() != model.sid())
        {
            return Err(StateError::Impossible("the second SID cannot be there"));
        }
        self.expansion.check()?;
        if let Some(drive) = &self.drive {
            drive.check(model.clock(), cycles)?;
        }
        self.vic.check()?;
        self.take_banks();
        self.touched();
        Ok(())
    }

    /// RESET is pulled: the chips forget their settings, the port is an input. RAM stays.
    pub(super) fn reset(&mut self) {
        let model = self.model();
        self.port = Port6510 { direction: 0, data: 0, ..Port6510::new() };
        self.charge = Charge::NONE;
        self.sid.reset();
        if let Some((_, second)) = &mut self.second {
            second.reset();
        }
        let cia = Cia::new(model.cia(), model.clock(), model.mains());
        self.cias = [cia.clone(), cia];
        self.vic.reset();
        self.expansion.reset();
        if let Some(drive) = &mut self.drive {
            drive.reset();
        }
        self.drive_bus();
        self.lines = Lines::new();
        self.exit = None;
        self.take_banks();
        self.drive_pen();
        self.touched();
    }
}

/// Whether a second SID can be at these addresses: it takes 32 of those where the first repeats itself, or of the
/// expansion port.
fn is_place_of_sid(first: u16) -> bool {
    first & 0x1f == 0 && matches!(first, 0xd420..=0xd7e0 | 0xde00..=0xdfe0)
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
