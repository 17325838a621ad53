//! The parts of a whole computer beside its CPU and memory: frames, a picture, sound, keys, and programs that are started as
//! its owner starts them. Sessions, suites, the debugger and the page know computers by this alone.

use alloc::string::String;
use alloc::vec::Vec;

use crate::keyboard::{Joystick, Keyboard};
use crate::machine::Machine;
use crate::{Hooks, Registers, Stop, Until};

/// A machine with a picture that runs by itself.
pub trait Computer: Machine {
    /// The colours by number, as red, green and blue.
    const PALETTE: &'static [[u8; 3]];
    /// The keyboard.
    const KEYBOARD: &'static Keyboard;
    /// How many joysticks can be plugged in.
    const JOYSTICKS: u8 = 0;

    /// The clock, and the frames that are counted by it.
    fn timing(model: Self::Model) -> Timing;

    /// Pulls RESET: RAM stays as it is.
    fn reset(&mut self);

    /// The beam's line, and its cycle there, from 1.
    fn beam(&self) -> (u16, u8);

    /// The last complete picture; before the first one, what a screen shows that is not switched on.
    fn picture(&self) -> Picture<'_>;

    /// How many pictures are complete.
    fn pictures(&self) -> u64;

    /// The rows of the screen as text; none if it shows no text.
    fn text(&self) -> Vec<String> {
        Vec::new()
    }

    /// From now on the machine makes this many samples a second; with `None`, as at first, none. The sound is not saved
    /// and not compared.
    fn set_sample_rate(&mut self, rate: Option<u32>) {
        let _ = rate;
    }

    /// The samples since the last call, one channel.
    fn take_samples(&mut self) -> Vec<i16> {
        Vec::new()
    }

    /// Presses or releases the key with this name; whether there is one.
    fn set_key(&mut self, name: &str, is_down: bool) -> bool;

    /// Moves the joystick in a port, from 1; ports that are not there are ignored.
    fn set_joystick(&mut self, port: u8, joystick: Joystick) {
        let _ = (port, joystick);
    }

    /// The RAM, whatever is shown over it.
    fn ram(&self) -> &[u8; 0x10000];

    /// The register of a chip at an address, whatever the CPU sees there, without effects.
    fn peek_register(&self, addr: u16) -> u8 {
        self.peek(addr)
    }

    /// The registers with which the machine waits for a program.
    fn at_rest(&self) -> Registers {
        self.cpu().registers
    }

    /// Loads a program file and makes it the next thing that happens.
    fn start(&mut self, prg: &[u8]) -> Result<(), StartError> {
        let (addr, bytes) = parse_program(prg)?;
        self.load_at(addr, bytes);
        self.enter(addr)
    }

    /// Makes the program in memory, loaded from this address on, the next thing that happens.
    fn enter(&mut self, first: u16) -> Result<(), StartError> {
        self.parts().0.registers.pc = first;
        Ok(())
    }

    /// Runs for this many cycles with hooks, and to the end of the instruction in progress.
    fn run_for<H: Hooks>(&mut self, hooks: &mut H, cycles: u64) -> Ended {
        match Machine::run(self, hooks, Until::cycles(cycles)) {
            Stop::Hook => Ended::Hook,
            Stop::Jammed | Stop::Stopped | Stop::Waiting => Ended::Jammed,
            _ => Ended::Time,
        }
    }

    /// The number of a call to the host, if that is what stopped the CPU: then it can go on after it.
    fn host_call(&mut self) -> Option<u8> {
        None
    }

    /// A run around the board has ended: brings the chips to the CPU's cycle.
    fn settle(&mut self) {}
}

/// The clock of a machine, and its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// The CPU's clock in Hz.
    pub clock: u32,
    /// Pictures a second, in round numbers.
    pub rate: u32,
    /// Cycles of a line.
    pub cycles_per_line: u64,
    /// Lines of a frame.
    pub lines: u16,
    /// The line with which a machine begins that was switched on.
    pub first_line: u16,
}

impl Timing {
    /// Cycles of a frame.
    pub const fn cycles_per_frame(self) -> u64 {
        self.cycles_per_line * self.lines as u64
    }

    /// The beam's line, and its cycle there, from 1, in the cycle with this number since the machine was made.
    pub const fn beam_at(self, cycle: u64) -> (u16, u8) {
        let line = (cycle / self.cycles_per_line + self.first_line as u64) % self.lines as u64;
        (line as u16, (cycle % self.cycles_per_line) as u8 + 1)
    }

    /// The number of the first cycle since the machine was made in which the beam is there. Before its first cycle a machine
    /// has the beam in cycle 0 of its first line, which is the end of a frame.
    pub const fn cycles_to(self, (line, cycle): (u16, u8)) -> u64 {
        let lines = (line + self.lines - self.first_line) as u64;
        (lines * self.cycles_per_line + cycle as u64 + self.cycles_per_frame() - 1) % self.cycles_per_frame()
    }
}

/// A picture: a colour number per pixel, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture<'a> {
    /// The pixels.
    pub pixels: &'a [u8],
    /// Pixels of a row.
    pub width: usize,
}

impl Picture<'_> {
    /// Rows.
    pub const fn height(self) -> usize {
        self.pixels.len() / self.width
    }
}

/// Why a program cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Not even a load address and a byte.
    #[error("a program file has a load address and at least one byte, this has {0} bytes")]
    TooShort(usize),
    /// It does not fit.
    #[error("{len} bytes at ${addr:04X} run past $FFFF")]
    TooLong {
        /// The load address.
        addr: u16,
        /// The bytes after it.
        len: usize,
    },
    /// There is no BASIC line to enter it through.
    #[error(
        "the program at ${0:04X} has no BASIC line with a SYS of a number, or of a sum of numbers and PEEKs"
    )]
    NoSys(u16),
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ended {
    /// The time is over.
    Time,
    /// The program ended itself with this code.
    Exit(u8),
    /// The program returned to the prompt.
    Returned,
    /// The CPU ran an opcode that stops it.
    Jammed,
    /// The machine's own ROM asks the host for something. The next run goes on after it, with the registers and the memory
    /// that the host has set.
    HostCall(u8),
    /// A hook asked for it.
    Hook,
}

/// The load address and the bytes of a program file that fits into memory.
pub fn parse_program(prg: &[u8]) -> Result<(u16, &[u8]), StartError> {
    let (&[low, high], bytes) = prg.split_first_chunk().ok_or(StartError::TooShort(prg.len()))?;
    let (addr, len) = (u16::from_le_bytes([low, high]), bytes.len());
    match len {
        0 => Err(StartError::TooShort(prg.len())),
        _ if usize::from(addr) + len > 0x10000 => Err(StartError::TooLong { addr, len }),
        _ => Ok((addr, bytes)),
    }
}
