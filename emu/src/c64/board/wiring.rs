//! The lines between the chips: the keyboard at CIA 1, the serial bus at CIA 2, the light pen, the VIC's bank, and the
//! interrupts.

use super::Board;
use crate::Pins;
use crate::c64::drive::SerialLines;
use crate::c64::port::MapMode;
use crate::c64::vic::{SeenRom, View};

/// Bits of CIA 2's port A.
const ATN_OUT: u8 = 0x08;
const CLOCK_OUT: u8 = 0x10;
const DATA_OUT: u8 = 0x20;
const CLOCK_IN: u8 = 0x40;
const DATA_IN: u8 = 0x80;

impl Board {
    /// The levels of CIA 1's port lines with keyboard and joysticks.
    fn keyboard_pins(&self) -> (u8, u8) {
        let cia = &self.cias[0];
        let (a, b) = self.controls.low_lines(cia.low_outputs(0), cia.low_outputs(1));
        (!a, !b)
    }

    /// The levels of CIA 2's port lines. The serial inputs show the lines of the bus, which the chip's own outputs pull, too.
    fn serial_pins(&self) -> (u8, u8) {
        let cia = &self.cias[1];
        let (own, drive) =
            (self.host_pulls(), self.drive.as_ref().map(|drive| drive.pulls()).unwrap_or_default());
        let mut a = cia.outputs(0);
        if own.clock || drive.clock {
            a &= !CLOCK_IN;
        }
        if own.data || drive.data {
            a &= !DATA_IN;
        }
        (a, cia.outputs(1))
    }

    /// The lines of the serial bus that the C64 pulls: an inverter is between the port and each.
    fn host_pulls(&self) -> SerialLines {
        let out = self.cias[1].outputs(0);
        SerialLines { atn: out & ATN_OUT != 0, clock: out & CLOCK_OUT != 0, data: out & DATA_OUT != 0 }
    }

    /// Brings the drive to the end of this many cycles.
    #[inline(always)]
    pub(super) fn run_drive(&mut self, done: u64) {
        if let Some(drive) = &mut self.drive {
            drive.run_to(done);
        }
    }

    /// The C64's lines have changed.
    pub(super) fn drive_bus(&mut self) {
        let host = self.host_pulls();
        self.has_called |= self.cias[1].driven_high(0) & ATN_OUT != 0;
        if let Some(drive) = &mut self.drive {
            drive.set_host(host);
        }
    }

    pub(super) fn pins_of(&self, chip: usize) -> (u8, u8) {
        if chip == 0 { self.keyboard_pins() } else { self.serial_pins() }
    }

    /// The light pen hangs on PB4 of CIA 1.
    pub(super) fn is_pen_low(&self) -> bool {
        self.keyboard_pins().1 & 0x10 == 0
    }

    pub(super) fn drive_pen(&mut self) {
        self.vic.set_pen(self.is_pen_low());
        self.drive_lines();
    }

    /// The first address of the VIC's 16 KB.
    pub(super) fn bank(&self) -> u16 {
        u16::from(!self.cias[1].outputs(0) & 3) << 14
    }

    /// The ROM that the VIC sees.
    pub(super) fn seen_rom(&self) -> SeenRom {
        match self.asked.banks.mode() {
            MapMode::Ultimax => SeenRom::ULTIMAX,
            _ => SeenRom::CHARACTERS,
        }
    }

    pub(super) fn view(&self) -> View<'_> {
        View {
            memory: &self.memory,
            below_port: self.below_port,
            colours: &self.colours,
            bank: self.bank(),
            rom: self.seen_rom(),
            cpu_address: 0,
        }
    }

    /// The interrupt lines as the chips drive them now.
    pub(super) fn drive_lines(&mut self) {
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
}
