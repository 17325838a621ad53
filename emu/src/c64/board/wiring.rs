//! The lines between the chips: the keyboard at CIA 1, the serial bus at CIA 2, the light pen, the VIC's bank, and the
//! interrupts.

use super::Board;
use crate::Pins;
use crate::c64::port::MapMode;
use crate::c64::vic::{SeenRom, View};

impl Board {
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
