//! A bus-cycle-exact 6502, 6510 and 65C02.
//!
//! One core, generic over the chip ([`Variant`]), the machine ([`Bus`]) and whoever watches ([`Hooks`]).
//! A call of a bus method is one clock cycle, dummy accesses included, in the chip's order. On plain RAM
//! everything nobody can see is optimised away; on a machine with devices nothing is.
//! The crate knows nothing of files, of symbols' sources, of any machine beyond RAM, ROM and a bank switch.
//!
//! ```
//! use emu::{Cpu, Nmos, Ram, Stop, Until};
//!
//! let mut ram = Ram::new();
//! // ldx #3; loop: dex; bne loop; rts
//! ram.load(0x1000, &[0xa2, 0x03, 0xca, 0xd0, 0xfd, 0x60]).unwrap();
//!
//! let mut cpu = Cpu::<Nmos>::new();
//! cpu.pc = 0x1000;
//! let stop = cpu.run(&mut ram, Until::rts().within(1_000));
//! assert_eq!(stop, Stop::Rts);
//! assert_eq!((cpu.x, cpu.cycles), (0, 2 + 3 * 2 + 2 * 3 + 2 + 6));
//! ```
#![no_std]

extern crate alloc;

mod bus;
mod clock;
mod cpu;
mod disasm;
mod exec;
mod hooks;
mod pins;
mod status;
mod variant;
pub mod vectors;

pub use bus::{Banked, Bus, Code, Coupling, Io, LoadError, NoIo, Port6510, Ram, Rom, RomError};
pub use clock::Clocked;
pub use cpu::{Cpu, Phase, Stop, Unstable, Until};
pub use disasm::{Disassembly, Labels, NoLabels, disassemble};
pub use hooks::{Access, Hooks, Interrupt, NoHooks, State};
pub use pins::{Lines, Pins};
pub use status::Status;
pub use variant::{Cmos, Nmos, NoDecimal, Variant};
