//! The board as another emulator describes it.

use alloc::boxed::Box;

use super::Board;
use crate::c64::given::Given;
use crate::{Lines, Pins, Registers};

impl Board {
    /// Takes a state over; the number of cycles that are then over. The video chip runs for more than a picture, so that
    /// its counters are those of its registers and of the beam.
    pub(in crate::c64) fn take_given(&mut self, given: &Given) -> u64 {
        self.memory[2..0x10000].copy_from_slice(&given.ram[2..]);
        self.colours.iter_mut().zip(&given.colours[..]).for_each(|(own, &colour)| *own = colour & 0x0f);
        for (cia, given) in self.cias.iter_mut().zip(&given.cias) {
            cia.take_given(given);
        }
        self.write_port(0, given.direction);
        self.write_port(1, given.port);
        self.below_port = [given.ram[0], given.ram[1]];
        for (register, &value) in (0..).zip(&given.vic[..0x2f]) {
            if register != 0x19 {
                self.vic.write(register, value);
            }
        }
        for (register, &value) in (0..).zip(&given.sid) {
            self.sid.write(register, value);
        }
        let model = self.model();
        let line = model.cycles_per_line();
        let place = |(row, cycle): (u16, u8)| u64::from(row) * line + u64::from(cycle);
        let (row, cycle) = given.beam;
        let is_possible = row < model.lines() && (1..=line).contains(&u64::from(cycle));
        let target = place(if is_possible { given.beam } else { (0, 1) });
        let frame = model.cycles_per_frame();
        let cycles = 2 * frame + (target + frame - place(self.vic.place()) % frame) % frame;
        self.run_vic(cycles);
        self.vic.set_flags(given.vic_flags, given.collisions);
        (self.sid_at, self.cias_at, self.expansion_at) = (cycles, cycles, cycles);
        // The edge of a request that is there has been seen.
        self.lines = Lines::new();
        self.drive_lines();
        self.lines.acknowledge(Pins::NMI_EDGE);
        self.take_banks();
        self.touched();
        cycles
    }

    /// The description, without the CPU's registers.
    pub(in crate::c64) fn describe(&self) -> Given {
        let mut ram = Box::new(*self.ram());
        ram[..2].copy_from_slice(&self.below_port);
        let (flags, collisions) = self.vic.flags();
        let mut vic = *self.vic.registers();
        // A store there has no effect but on the flags.
        vic[0x19] = 0;
        Given {
            registers: Registers::default(),
            direction: self.port.direction,
            port: self.port.data,
            ram,
            colours: self.colours.clone(),
            vic,
            beam: self.vic.place(),
            vic_flags: flags,
            collisions,
            cias: [self.cias[0].describe(), self.cias[1].describe()],
            sid: self.sid.registers(),
        }
    }
}
