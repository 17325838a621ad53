#![doc = include_str!("../README.md")]
#![no_std]
#![warn(missing_docs)]

extern crate alloc;

mod bus;
pub mod c64;
mod clock;
mod computer;
mod cpu;
mod disasm;
mod exec;
pub mod hardware;
mod hooks;
mod keyboard;
mod machine;
mod pins;
mod registers;
mod state;
mod status;
mod system;
mod variant;
pub mod vectors;

pub use bus::{
    Banked, Bus, CodeWindow, FastBus, Io, LoadError, NoIo, Part, PlainMemory, Port6510, Ram, Rom, RomError,
    UnderIo,
};
pub use clock::Clocked;
pub use computer::{Computer, Ended, Picture, StartError, Timing, parse_program};
pub use cpu::{Cpu, Phase, Stop, Unstable, Until};
pub use disasm::{Disassembly, Labels, NoLabels, disassemble, disassemble_bytes};
pub use exec::Run;
pub use hardware::Hardware;
pub use hooks::{Access, Hooks, Interrupt, NoHooks};
pub use keyboard::{Joystick, Keyboard};
pub use machine::{BankedMachine, Flat, Furnishing, Machine, PlainIo, Visit};
pub use pins::{Lines, Pins};
pub use registers::Registers;
pub use state::{State, StateError, checksum};
pub use status::Status;
pub use system::{AnyComputer, AnyMachine, System};
pub use variant::{Cmos, ForCore, Nmos, Ricoh2A03, Variant, with_core};
