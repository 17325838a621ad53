//! A machine as another emulator describes it: what its snapshots have in common. [`C64::given`] makes a machine of a
//! description, [`C64::describe`] a description of a machine. Knows no files.
//!
//! The counters of the video chip are not described: they follow from its registers and the place of the beam, unless the
//! registers change in the course of a picture. A machine then goes on as described from the next picture at the latest.

use alloc::boxed::Box;

use super::{C64, Model, UNSTABLE};
use crate::{Cpu, Registers};

pub use super::cia::GivenCia;

/// The description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The CPU, between two instructions.
    pub registers: Registers,
    /// $00.
    pub direction: u8,
    /// $01 as written.
    pub port: u8,
    /// The RAM, also that below the port.
    pub ram: Box<[u8; 0x10000]>,
    /// The colour RAM, four bits a byte.
    pub colours: Box<[u8; 0x400]>,
    /// The registers of the video chip, as written.
    pub vic: [u8; 64],
    /// The line of the picture, and the cycle in it, of the last cycle; cycles count from 1. In the first cycle of a
    /// picture the raster counter has still the number of the last line.
    pub beam: (u16, u8),
    /// The flags of $D019.
    pub vic_flags: u8,
    /// $D01E and $D01F.
    pub collisions: [u8; 2],
    /// The CIAs.
    pub cias: [GivenCia; 2],
    /// The registers of the SID, as written.
    pub sid: [u8; 32],
}

impl C64 {
    /// A machine of this description, with our own ROMs. A beam outside of the picture is at its beginning.
    pub fn given(model: Model, given: &Given) -> C64 {
        let mut machine = C64::new(model);
        let cycles = machine.board.take_given(given);
        let mut cpu = Cpu::with_registers(given.registers);
        cpu.unstable = UNSTABLE;
        cpu.cycles = cycles;
        C64 { cpu, board: machine.board }
    }

    /// The description of the machine.
    pub fn describe(&mut self) -> Given {
        crate::Computer::settle(self);
        Given { registers: self.cpu.registers, ..self.board.describe() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c64::Ended;

    /// A program with interrupts of both CIAs and of the beam, sprites and both timers of the first CIA.
    fn machine(model: Model) -> C64 {
        let mut machine = C64::new(model);
        // loop: inc $0400,x; inx; lda $dc04; sta $0500,x; lda $d012; adc $dc06; sta $0600,x; jmp loop
        // irq: inc $d019 (acknowledges); inc $d020; lda $dc0d; rti        nmi: bit $dd0d; rti
        let code = [
            0xfe, 0x00, 0x04, 0xe8, 0xad, 0x04, 0xdc, 0x9d, 0x00, 0x05, 0xad, 0x12, 0xd0, 0x6d, 0x06, 0xdc,
            0x9d, 0x00, 0x06, 0x4c, 0x00, 0xc0,
        ];
        machine.board.ram_mut()[0xc000..0xc000 + code.len()].copy_from_slice(&code);
        let irq = [0x48, 0xad, 0x0d, 0xdc, 0xee, 0x19, 0xd0, 0xee, 0x20, 0xc0, 0x68, 0x40];
        machine.board.ram_mut()[0xc100..0xc100 + irq.len()].copy_from_slice(&irq);
        machine.board.ram_mut()[0xc200..0xc204].copy_from_slice(&[0x2c, 0x0d, 0xdd, 0x40]);
        machine.board.ram_mut()[0xfffa..].copy_from_slice(&[0x00, 0xc2, 0x00, 0xc0, 0x00, 0xc1]);
        let pokes: [(u16, u8); 20] = [
            (1, 0x35),
            (0xd000, 60),
            (0xd001, 90),
            (0xd015, 1),
            (0xd012, 120),
            (0xd01a, 1),
            (0xdc04, 0x31),
            (0xdc05, 0x11),
            (0xdc06, 0x07),
            (0xdc07, 0x00),
            (0xdc0e, 0x11),
            (0xdc0f, 0x51),
            (0xdc0d, 0x83),
            (0xdd04, 0x77),
            (0xdd05, 0x20),
            (0xdd0e, 0x11),
            (0xdd0d, 0x81),
            (0xdd08, 0x00),
            (0xd418, 0x0f),
            (0xd404, 0x11),
        ];
        for (addr, value) in pokes {
            machine.board.poke(addr, value, machine.cpu.cycles);
        }
        machine.cpu.registers = Registers { pc: 0xc000, ..Registers::default() };
        machine.cpu.registers.p = machine.cpu.registers.p.without(crate::Status::I);
        machine
    }

    #[test]
    fn a_described_machine_goes_on_as_the_original() {
        for model in [Model::Pal, Model::Ntsc, Model::C64c] {
            for cycles in [20_000, 54_321, 100_003, 123_456] {
                let mut machine = machine(model);
                assert_eq!(machine.run_cycles(cycles), Ended::Time);
                let given = machine.describe();
                let mut again = C64::given(model, &given);
                assert!(again.describe() == given, "{model:?} after {cycles}");
                // The frame in which it was described may have sprites and rows in another state.
                for _ in 0..3 {
                    machine.run_frames(1);
                    again.run_frames(1);
                }
                assert!(machine.board.ram() == again.board.ram(), "{model:?} after {cycles}: memory");
                assert_eq!(machine.cpu.registers, again.cpu.registers, "{model:?} after {cycles}");
                assert!(
                    machine.board.picture() == again.board.picture(),
                    "{model:?} after {cycles}: picture"
                );
            }
        }
    }

    #[test]
    fn a_served_request_is_not_served_again() {
        let mut given = machine(Model::Pal).describe();
        given.cias[1].flags = 0x81;
        given.cias[1].mask = 1;
        let mut machine = C64::given(Model::Pal, &given);
        let cycles = machine.cpu.cycles;
        let pins = crate::Bus::pins(&mut machine.board, cycles);
        assert!(!pins.has(crate::Pins::NMI_EDGE), "{pins:?}");
    }

    #[test]
    fn a_beam_outside_of_the_picture_is_moved() {
        let mut given = machine(Model::Ntsc).describe();
        given.beam = (311, 200);
        assert_eq!(C64::given(Model::Ntsc, &given).describe().beam, (0, 1));
    }
}
