//! A 1541: a 6502 with 2 KB of RAM, 16 KB of ROM and two VIAs, a disk, and a plug on the serial bus. It runs after the
//! C64: the board brings the drive to the cycle of an access to the bus first, so both see every change in its cycle.
//!
//! The ROM is its owner's.

mod disk;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::via::{Line, Via};
use tempo_isa::Cpu as Isa;

use crate::state::{State, StateError, state};
use crate::{Bus, Clocked, Cpu, Hooks, Lines, Nmos, Pins, Registers, Run, Stop, Variant};
pub use disk::{Disk, HALF_TRACKS};
use disk::{Drives, Mechanics};

/// Bytes of the ROM, which is at $C000.
pub const DRIVE_ROM: usize = 0x4000;

const RAM: usize = 0x800;

/// Cycles of the drive in a second.
const CLOCK: u64 = 1_000_000;

/// Bits of VIA 1's port B: the bus.
const DATA_IN: u8 = 0x01;
const DATA_OUT: u8 = 0x02;
const CLOCK_IN: u8 = 0x04;
const CLOCK_OUT: u8 = 0x08;
const ANSWERS_ATN: u8 = 0x10;
const UNIT: u8 = 0x60;
const ATN_IN: u8 = 0x80;

/// Bits of VIA 2's port B: the mechanics.
const STEPPER: u8 = 0x03;
const MOTOR: u8 = 0x04;
const LAMP: u8 = 0x08;
const NOTCH: u8 = 0x10;
const DENSITY: u8 = 0x60;
const NO_SYNC: u8 = 0x80;

/// The lines of the serial bus; each is low when anything pulls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SerialLines {
    /// ATN is low.
    pub atn: bool,
    /// CLK is low.
    pub clock: bool,
    /// DATA is low.
    pub data: bool,
}

state!(SerialLines { atn, clock, data });

/// The drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drive1541 {
    cpu: Clocked<Nmos>,
    parts: Parts,
    /// Cycles of the C64 up to which the drive has run, and what is left of them in parts of a cycle of the drive.
    at: u64,
    rest: u64,
    /// Cycles of a C64 in a second.
    clock: u64,
}

/// Everything but the CPU.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    rom: Arc<[u8]>,
    ram: Box<[u8; RAM]>,
    /// The bus, and the mechanics.
    vias: [Via; 2],
    mechanics: Mechanics,
    lines: Lines,
    /// Cycles of the drive that are over.
    done: u64,
    /// The lines that the C64 pulls.
    host: SerialLines,
    /// The last byte on the data bus.
    last: u8,
    /// The outputs of VIA 2, and whether its CA2 lets bytes through.
    drives: Drives,
    has_bytes: bool,
    /// They change only when it is written to.
    is_fixed: bool,
}

state!(Parts { rom, ram, vias, mechanics, lines, done, host, last, drives, has_bytes, is_fixed });

impl Drive1541 {
    /// A drive with this ROM as device 8, on a machine with this clock that has done this many cycles. `None` if the image
    /// does not have 16384 bytes.
    pub fn new(rom: &[u8], clock: u32, cycles: u64) -> Option<Drive1541> {
        if rom.len() != DRIVE_ROM {
            return None;
        }
        let mut cpu = Cpu::new();
        cpu.reset();
        let mut parts = Parts {
            rom: Arc::from(rom),
            ram: Box::new([0; RAM]),
            vias: [const { Via::new() }; 2],
            mechanics: Mechanics::new(),
            lines: Lines::new(),
            done: 0,
            host: SerialLines::default(),
            last: 0,
            drives: Drives { has_motor: true, density: 3, is_writing: false, byte: 0xff },
            has_bytes: true,
            is_fixed: true,
        };
        parts.drive_mechanics();
        parts.connect();
        Some(Drive1541 { cpu: Clocked::new(cpu), parts, at: cycles, rest: 0, clock: u64::from(clock) })
    }

    /// Puts a disk in, in the place of another.
    pub fn insert(&mut self, disk: Disk) {
        self.parts.mechanics.insert(disk);
    }

    /// The disk as it is now.
    pub fn disk(&self) -> Option<&Disk> {
        self.parts.mechanics.disk.as_ref()
    }

    /// Whether the head has written since the disk was put in.
    pub fn is_written(&self) -> bool {
        self.parts.mechanics.is_written()
    }

    /// Whether the lamp is on.
    pub fn has_light(&self) -> bool {
        self.parts.vias[1].driven_b() & LAMP != 0
    }

    /// Whether the motor runs.
    pub fn has_motor(&self) -> bool {
        self.parts.vias[1].driven_b() & MOTOR != 0
    }

    /// The half track under the head, from 0; 34 is track 18.
    pub fn half_track(&self) -> u8 {
        self.parts.mechanics.half_track()
    }

    /// The registers of its CPU before the instruction in progress.
    pub fn registers(&self) -> &Registers {
        &self.cpu.before().registers
    }

    /// Cycles of its own clock so far.
    pub fn cycles(&self) -> u64 {
        self.parts.done
    }

    /// The 2 KB of its RAM.
    pub fn ram(&self) -> &[u8; RAM] {
        &self.parts.ram
    }

    /// Returns the byte that its CPU would read, without effects.
    pub fn peek(&self, addr: u16) -> u8 {
        self.parts.peek(addr)
    }

    /// Stores a byte in its RAM.
    pub fn poke(&mut self, addr: u16, value: u8) {
        if let Chip::Ram(place) = Chip::at(addr) {
            self.parts.ram[place] = value;
        }
    }

    /// The RES line, which the drive shares with the C64.
    pub(super) fn reset(&mut self) {
        let mut cpu = self.cpu.before().clone();
        cpu.reset();
        cpu.cycles = self.parts.done;
        self.cpu = Clocked::new(cpu);
        for via in &mut self.parts.vias {
            via.reset();
        }
        self.parts.drive_mechanics();
        self.parts.connect();
    }

    /// Runs to the end of this many cycles of the C64.
    #[inline(never)]
    pub(super) fn run_to(&mut self, cycles: u64) {
        let Some(passed) = cycles.checked_sub(self.at).filter(|&passed| passed > 0) else { return };
        self.at = cycles;
        let ticks = u128::from(passed) * u128::from(CLOCK) + u128::from(self.rest);
        self.rest = (ticks % u128::from(self.clock)) as u64;
        let end = self.parts.done + (ticks / u128::from(self.clock)) as u64;
        /// An instruction, or an interrupt in its place, has no more cycles.
        const LONGEST: u64 = 8;
        while self.parts.done < end {
            let left = end - self.parts.done;
            if left > LONGEST && self.cpu.run_whole(&mut self.parts, left - LONGEST) {
                continue;
            }
            if self.fits(left) && self.cpu.run_whole(&mut self.parts, 1) {
                continue;
            }
            self.cpu.cycle(&mut self.parts);
        }
    }

    /// Whether the next instruction surely takes no more than these cycles.
    fn fits(&self, cycles: u64) -> bool {
        let Some(cpu) = self.cpu.cpu().filter(|cpu| !cpu.is_interrupt_pending()) else { return false };
        let pc = cpu.registers.pc;
        let most = match Chip::at(pc) {
            Chip::Ram(_) | Chip::Rom(_) => Isa::Mos6502.decode(self.parts.peek(pc)).max_cycles(),
            Chip::Via(..) | Chip::None => 0,
        };
        most != 0 && u64::from(most) <= cycles
    }

    /// The C64 pulls and releases lines, after [`Drive1541::run_to`].
    pub(super) fn set_host(&mut self, host: SerialLines) {
        self.parts.host = host;
        self.parts.connect();
    }

    /// The lines that the drive pulls.
    pub(super) fn pulls(&self) -> SerialLines {
        self.parts.pulls()
    }

    /// Whether what was loaded can be, on a machine with this clock that has done this many cycles.
    pub(super) fn check(&self, clock: u32, cycles: u64) -> Result<(), StateError> {
        let is_possible = self.at == cycles
            && self.clock == u64::from(clock)
            && self.rest < self.clock
            && self.parts.done == self.cpu.cycles()
            && self.parts.done < u64::MAX / 2
            && self.parts.rom.len() == DRIVE_ROM
            && self.parts.vias.iter().all(Via::is_possible)
            && (self.parts.drives, self.parts.has_bytes, self.parts.is_fixed) == self.parts.driven();
        if !is_possible {
            return Err(StateError::Impossible("the drive is in no state it can reach"));
        }
        self.parts.mechanics.check()
    }
}

impl State for Drive1541 {
    fn save(&self, to: &mut Vec<u8>) {
        let Drive1541 { cpu, parts, at, rest, clock } = self;
        cpu.save(to);
        parts.save(to);
        [*at, *rest, *clock].save(to);
    }

    fn load(from: &mut &[u8]) -> Result<Drive1541, StateError> {
        let (cpu, parts) = State::load(from)?;
        let [at, rest, clock] = State::load(from)?;
        Ok(Drive1541 { cpu, parts, at, rest, clock })
    }
}

/// The selection at an address.
enum Chip {
    Ram(usize),
    Via(usize, u8),
    Rom(usize),
    /// Nothing answers.
    None,
}

impl Chip {
    /// Below the ROM only four lines of the address are decoded, so the 8 KB repeat.
    #[inline(always)]
    fn at(addr: u16) -> Chip {
        if addr >= 0x8000 {
            return Chip::Rom(usize::from(addr) & (DRIVE_ROM - 1));
        }
        match addr >> 10 & 7 {
            0 | 1 => Chip::Ram(usize::from(addr) & (RAM - 1)),
            6 => Chip::Via(0, addr as u8 & 0x0f),
            7 => Chip::Via(1, addr as u8 & 0x0f),
            _ => Chip::None,
        }
    }
}

impl Parts {
    /// The lines of the bus that the drive pulls. While ATN and its answer differ, a gate pulls DATA.
    fn pulls(&self) -> SerialLines {
        let out = self.vias[0].driven_b();
        let answers = out & ANSWERS_ATN != 0;
        SerialLines {
            atn: false,
            clock: out & CLOCK_OUT != 0,
            data: out & DATA_OUT != 0 || answers != self.host.atn,
        }
    }

    /// Gives the bus to VIA 1.
    fn connect(&mut self) {
        let pulls = self.pulls();
        let bit = |is_low: bool, bit: u8| if is_low { bit } else { 0 };
        // The receivers invert the lines. Unit 8: both jumpers are closed.
        let input = bit(self.host.data || pulls.data, DATA_IN)
            | bit(self.host.clock || pulls.clock, CLOCK_IN)
            | bit(self.host.atn, ATN_IN);
        self.vias[0].set_port_b(input | !(DATA_IN | CLOCK_IN | ATN_IN | UNIT));
        self.vias[0].set_line(Line::Ca1, self.host.atn);
        self.drive_irq();
    }

    #[inline(always)]
    fn drive_irq(&mut self) {
        if self.vias[0].is_requesting() || self.vias[1].is_requesting() {
            self.lines.pull(Pins::IRQ);
        } else {
            self.lines.release(Pins::IRQ);
        }
    }

    /// The outputs of VIA 2 now.
    fn driven(&self) -> (Drives, bool, bool) {
        let via = &self.vias[1];
        let out = via.driven_b();
        let drives = Drives {
            has_motor: out & MOTOR != 0,
            density: (out & DENSITY) >> 5,
            is_writing: !via.cb2(),
            byte: via.driven_a(),
        };
        (drives, via.ca2(), via.has_fixed_lines())
    }

    /// VIA 2 was written to.
    fn drive_mechanics(&mut self) {
        (self.drives, self.has_bytes, self.is_fixed) = self.driven();
        self.mechanics.step(self.vias[1].driven_b() & STEPPER);
    }

    /// Brings the chips to the CPU's half of a cycle.
    #[inline(always)]
    fn run_to(&mut self, cycle: u64) {
        while self.done <= cycle {
            self.tick();
        }
    }

    fn tick(&mut self) {
        self.done += 1;
        let is_ready = self.mechanics.tick(self.drives);
        let via = &mut self.vias[1];
        via.tick();
        // A byte is a short pulse, which CA2 lets through.
        if is_ready && self.has_bytes {
            via.set_port_a(self.mechanics.byte());
            via.set_line(Line::Ca1, false);
            via.set_line(Line::Ca1, true);
            self.lines.pull(Pins::SO);
        } else {
            self.lines.release(Pins::SO);
        }
        let notch = if self.mechanics.is_open() { NOTCH } else { 0 };
        let sync = if self.mechanics.is_sync(self.drives.is_writing) { 0 } else { NO_SYNC };
        via.set_port_b(!(NOTCH | NO_SYNC) | notch | sync);
        if !self.is_fixed {
            self.drive_mechanics();
        }
        self.vias[0].tick();
        self.drive_irq();
    }

    fn peek(&self, addr: u16) -> u8 {
        match Chip::at(addr) {
            Chip::Ram(place) => self.ram[place],
            Chip::Rom(place) => self.rom[place],
            Chip::Via(number, register) => self.vias[number].peek(register),
            Chip::None => self.last,
        }
    }
}

impl Bus for Parts {
    const PINS: Pins = Pins::IRQ.or(Pins::SO);

    #[inline(always)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        self.run_to(cycle);
        self.last = match Chip::at(addr) {
            Chip::Via(number, register) => {
                let value = self.vias[number].read(register);
                if !self.is_fixed {
                    self.drive_mechanics();
                }
                self.drive_irq();
                value
            }
            _ => self.peek(addr),
        };
        self.last
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.run_to(cycle);
        self.last = value;
        match Chip::at(addr) {
            Chip::Ram(place) => self.ram[place] = value,
            Chip::Via(0, register) => {
                self.vias[0].write(register, value);
                self.connect();
            }
            Chip::Via(_, register) => {
                self.vias[1].write(register, value);
                self.drive_mechanics();
                self.drive_irq();
            }
            Chip::Rom(_) | Chip::None => {}
        }
    }

    fn look(&self, addr: u16) -> Option<u8> {
        Some(self.peek(addr))
    }

    #[inline(always)]
    fn pins(&mut self, _cycles: u64) -> Pins {
        self.lines.pins()
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }

    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.shared(self)
    }
}
