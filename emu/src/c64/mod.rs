//! A Commodore 64, cycle by cycle: memory maps, VIC-II, CIAs, SID registers, keyboard and joysticks.
//!
//! No ROM of Commodore's comes with it and none is needed: a program starts through the `SYS` of its BASIC line on a
//! machine as BASIC leaves it, with a KERNAL, the routines of BASIC that programs call, and a character set of our own
//! ([`KERNAL`], [`BASIC`], [`CHARACTERS`]). The sockets take a person's own images ([`Board::insert`]).
//!
//! ```
//! use tempo_emu::c64::{C64, Ended, Model};
//!
//! // 10 SYS 2061; then: lda #7, sta $d020, lda #0, sta $d7ff
//! let program = [
//!     0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00, //
//!     0xa9, 0x07, 0x8d, 0x20, 0xd0, 0xa9, 0x00, 0x8d, 0xff, 0xd7,
//! ];
//! let mut machine = C64::new(Model::Pal);
//! machine.start(&program)?;
//! assert_eq!(machine.run_frames(1), Ended::Exit(0));
//! assert_eq!(machine.board.peek(0xd020), 0xf7);
//! # Ok::<(), tempo_emu::c64::StartError>(())
//! ```

mod board;
mod cartridge;
mod cia;
mod drive;
mod expanded;
mod given;
pub mod hardware;
mod keyboard;
mod machine;
mod port;
mod reu;
mod screen;
mod sid;
mod starter;
mod via;
mod vic;

pub use board::Board;
pub use cartridge::{Cartridge, CartridgeKind};
pub use drive::{DRIVE_ROM, Disk, Drive1541, HALF_TRACKS, SerialLines};
pub use expanded::Expanded;
pub use given::{Given, GivenCia};
pub use keyboard::{KEYBOARD, Key, mouse_at};
pub use port::{BANK, Banks, Device, Dma, Half, Port};
pub use reu::Reu;
pub use screen::screen_char;
pub use starter::{Entry, entry, sys};
pub use vic::{Model, WIDTH};

pub use crate::computer::{Ended, StartError, parse_program};
pub use crate::keyboard::Joystick;
pub use crate::state::StateError;

use alloc::vec::Vec;

use crate::state::{self, State};
use crate::{
    Cpu, Hooks, Machine, Nmos, NoHooks, Phase, Registers, Rom, Status, Stop, System, Unstable, Until,
};

/// The machine: a 6510 and the board it sits on. A clone is a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct C64 {
    /// The CPU.
    pub cpu: Cpu<Nmos>,
    /// Everything else.
    pub board: Board,
}

/// The checksum that [`C64::save`] puts after its bytes; for tests of what [`C64::load`] refuses.
#[doc(hidden)]
pub fn state_checksum(bytes: &[u8]) -> u64 {
    state::checksum(bytes)
}

/// Pepto's colours, by number.
pub const PALETTE: [[u8; 3]; 16] = [
    [0x00, 0x00, 0x00],
    [0xff, 0xff, 0xff],
    [0x68, 0x37, 0x2b],
    [0x70, 0xa4, 0xb2],
    [0x6f, 0x3d, 0x86],
    [0x58, 0x8d, 0x43],
    [0x35, 0x28, 0x79],
    [0xb8, 0xc7, 0x6f],
    [0x6f, 0x4f, 0x25],
    [0x43, 0x39, 0x00],
    [0x9a, 0x67, 0x59],
    [0x44, 0x44, 0x44],
    [0x6c, 0x6c, 0x6c],
    [0x9a, 0xd2, 0x84],
    [0x6c, 0x5e, 0xb5],
    [0x95, 0x95, 0x95],
];

/// Where programs are loaded and begin with their BASIC line.
pub const BASIC_START: u16 = 0x0801;

/// Where a program's `rts` leads: the place in BASIC after the call of `SYS`.
pub const AFTER_SYS: u16 = 0xe147;

/// The stack pointer there.
const AFTER_SYS_S: u8 = 0xf8;

/// Where BASIC goes on after a statement.
const NEXT_STATEMENT: u16 = 0xa7ea;

/// The opcode that asks the host, where it is in the KERNAL: it would jam the CPU otherwise.
const HOST_CALL: u8 = 0x02;

/// The end of a reset, where our ROMs have set up their variables and say hello.
const COLD_START: u16 = 0xe422;

/// The opcode at the entries of our ROMs that have no routine.
pub const ABSENT: u8 = 0xf2;

/// The constants of a C64's 6510 and 8500.
const UNSTABLE: Unstable = Unstable { ane: 0xef, ane_lost: 0x01, lxa: 0xee, sh: 0 };

/// The KERNAL of `asm/kernal`, which is in its socket until another one is put there.
pub const KERNAL: &[u8; 0x2000] = include_bytes!("rom/kernal.bin");

/// The part of BASIC in `asm/kernal`, which is in its socket until another one is put there.
pub const BASIC: &[u8; 0x2000] = include_bytes!("rom/basic.bin");

/// The characters drawn in `asm/kernal/charset.txt`.
pub const CHARACTERS: &[u8; 0x1000] = include_bytes!("rom/characters.bin");

impl C64 {
    /// A machine as BASIC leaves it, without a program.
    pub fn new(model: Model) -> C64 {
        let mut board = Board::new(model);
        board.insert(Rom::Kernal, KERNAL).expect("the image has the socket's size");
        board.insert(Rom::Basic, BASIC).expect("the image has the socket's size");
        board.insert(Rom::Characters, CHARACTERS).expect("the image has the socket's size");
        let ram = board.ram_mut();
        // Programs must not rely on it, but RAM powers up in stripes of four bytes, turned over in every second 16 KB.
        for (addr, byte) in ram.iter_mut().enumerate().skip(0x0800) {
            *byte = if ((addr + 2) >> 2 ^ addr >> 14) & 1 == 0 { 0x00 } else { 0xff };
        }
        board.colours_mut().fill(14);
        let latch = model.clock() / 60;
        let chips: [(u16, u8); 20] = [
            (0xd011, 0x1b),
            (0xd016, 0xc8),
            (0xd018, 0x15),
            (0xd020, 14),
            (0xd021, 6),
            (0xd022, 1),
            (0xd023, 2),
            (0xd024, 3),
            (0xd025, 4),
            (0xd019, 0x0f),
            (0xdc00, 0x7f),
            (0xdc02, 0xff),
            (0xdc04, latch as u8),
            (0xdc05, (latch >> 8) as u8),
            (0xdc0d, 0x81),
            (0xdc0e, 0x11),
            (0xdd00, 0x07),
            (0xdd02, 0x3f),
            (0xdd0d, 0x7f),
            (0xd418, 0x00),
        ];
        for (addr, value) in chips {
            board.poke_io(addr, value);
        }
        // The KERNAL knows what belongs into its variables: a reset on another machine writes them.
        let mut other = C64 { cpu: Cpu::new(), board: board.clone() };
        other.cpu.reset();
        let stop = other.cpu.run(&mut other.board, Until::address(COLD_START).within(200_000));
        debug_assert_eq!(stop, Stop::Address, "a reset takes less than ten frames");
        const VARIABLES: core::ops::Range<usize> = 0x0002..0x0400;
        board.ram_mut()[VARIABLES].copy_from_slice(&other.board.ram()[VARIABLES]);
        board.ram_mut()[0x0400..0x07e8].fill(0x20);
        // The last statement was one of a typed line, whose end BASIC finds when it returns.
        board.ram_mut()[0x01f9..0x01fb].copy_from_slice(&(NEXT_STATEMENT - 1).to_le_bytes());
        board.ram_mut()[0x007a..0x007c].copy_from_slice(&[0x00, 0x02]);
        board.ram_mut()[0x0200] = 0;
        let mut cpu = Cpu::new();
        cpu.unstable = UNSTABLE;
        cpu.registers.p = Status::default().without(Status::I | Status::D);
        C64 { cpu, board }
    }

    /// Loads a program file and makes its start the next thing that happens: the `SYS` of its BASIC lines, or its first
    /// byte where it has none ([`entry`]).
    pub fn start(&mut self, prg: &[u8]) -> Result<(), StartError> {
        let (addr, bytes) = parse_program(prg)?;
        // LOAD leaves its end, and BASIC's variables begin there.
        let end = (usize::from(addr) + bytes.len()) as u16;
        for pointer in [0x2d, 0x2f, 0x31, 0xae] {
            Machine::load_at(self, pointer, &end.to_le_bytes());
        }
        Machine::load_at(self, addr, bytes);
        self.enter_program(addr, bytes.len())
    }

    /// Makes a program in memory the next thing that happens, as SYS calls it.
    fn enter_program(&mut self, addr: u16, len: usize) -> Result<(), StartError> {
        let start = entry(self.board.ram(), addr, len).ok_or(StartError::NoSys(addr))?;
        self.cpu.registers.pc = start.address();
        // The returns of SYS and of the statement.
        for (at, target) in [(0x01f7, AFTER_SYS), (0x01f9, NEXT_STATEMENT)] {
            Machine::load_at(self, at, &(target - 1).to_le_bytes());
        }
        self.cpu.registers.s = 0xf6;
        self.cpu.phase = Phase::Running;
        Ok(())
    }

    /// Runs for this many frames' time.
    pub fn run_frames(&mut self, frames: u64) -> Ended {
        self.run_cycles(frames.saturating_mul(self.board.model().cycles_per_frame()))
    }

    /// Runs for this many cycles, and to the end of the instruction in progress.
    pub fn run_cycles(&mut self, cycles: u64) -> Ended {
        self.run_cycles_with(&mut NoHooks, cycles)
    }

    /// Runs for this many cycles with hooks.
    pub fn run_cycles_with<H: Hooks>(&mut self, hooks: &mut H, cycles: u64) -> Ended {
        let end = self.cpu.cycles.saturating_add(cycles);
        loop {
            if let Some(code) = self.board.exit_code() {
                return Ended::Exit(code);
            }
            if self.cpu.cycles >= end {
                return Ended::Time;
            }
            if self.cpu.phase == Phase::Jammed {
                return self.host_call().map_or(Ended::Jammed, Ended::HostCall);
            }
            let Registers { pc, s, .. } = self.cpu.registers;
            // A cartridge may have its own code there.
            if pc == AFTER_SYS && s == AFTER_SYS_S && self.board.kernal_byte(pc).is_some() {
                return Ended::Returned;
            }
            let address = if pc == AFTER_SYS { None } else { Some(AFTER_SYS) };
            let cycles = if pc == AFTER_SYS { 1 } else { end - self.cpu.cycles };
            let until = Until { address, ..Until::cycles(cycles) };
            if self.cpu.run_with(&mut self.board, hooks, until) == Stop::Hook {
                return Ended::Hook;
            }
        }
    }

    /// The number of a host call, if that is what stopped the CPU: then it can go on after it.
    pub fn host_call(&mut self) -> Option<u8> {
        let pc = self.cpu.registers.pc;
        if self.board.kernal_byte(pc.wrapping_sub(1)) != Some(HOST_CALL) {
            return None;
        }
        let number = self.board.kernal_byte(pc)?;
        self.cpu.registers.pc = pc.wrapping_add(1);
        self.cpu.phase = Phase::Running;
        Some(number)
    }

    /// After the CPU has jammed: the entry of a ROM that was called and is not in ours, if that is why.
    pub fn absent_entry(&self) -> Option<u16> {
        let at = self.cpu.registers.pc.wrapping_sub(1);
        (self.board.own_rom_byte(at) == Some(ABSENT)).then_some(at)
    }

    /// Connects a 1541 with this ROM to the serial bus as device 8; it begins with its reset. `false` if the image does not
    /// have [`DRIVE_ROM`] bytes.
    pub fn attach(&mut self, rom: &[u8]) -> bool {
        let drive = Drive1541::new(rom, self.board.model().clock(), self.cpu.cycles);
        let is_rom = drive.is_some();
        if is_rom {
            self.board.set_drive(drive);
        }
        is_rom
    }

    /// Pulls RESET: the chips forget their settings, and the CPU goes where $FFFC points. This boots a machine with ROMs
    /// of its owner's; RAM stays as it is.
    pub fn reset(&mut self) {
        self.board.reset();
        self.cpu.reset();
    }

    /// The machine as bytes, with its ROMs, for [`C64::load`].
    pub fn save(&self) -> Vec<u8> {
        System::save(self)
    }

    /// The machine that [`C64::save`] wrote, of any model: it goes on as the saved one would have.
    pub fn load(bytes: &[u8]) -> Result<C64, StateError> {
        let found = System::of_state(bytes)?;
        let model = found.c64().ok_or(StateError::Other { found, expected: System::C64Pal })?;
        System::load(model, bytes)
    }
}

impl State for C64 {
    fn save(&self, to: &mut Vec<u8>) {
        let C64 { cpu, board } = self;
        cpu.save(to);
        board.save(to);
    }

    fn load(from: &mut &[u8]) -> Result<C64, StateError> {
        let mut machine = C64 { cpu: State::load(from)?, board: State::load(from)? };
        machine.board.restore_rest(machine.cpu.cycles)?;
        Ok(machine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_cannot_start_are_refused_with_the_reason() {
        let refused = |prg: &[u8]| C64::new(Model::Pal).start(prg).expect_err("refused");
        assert_eq!(refused(&[1]), StartError::TooShort(1));
        assert_eq!(refused(&[1, 8]), StartError::TooShort(2));
        assert_eq!(refused(&[0xff, 0xff, 1, 2]), StartError::TooLong { addr: 0xffff, len: 2 });
        // SYS 99999 is not an address.
        let line = [1, 8, 0, 0, 10, 0, 0x9e, b'9', b'9', b'9', b'9', b'9', 0];
        assert_eq!(refused(&line), StartError::NoSys(0x0801));
    }

    #[test]
    fn a_program_is_entered_as_sys_calls_it() {
        // tsx; stx $0400; rts, above BASIC.
        let mut machine = C64::new(Model::Pal);
        machine.start(&[0x00, 0xc0, 0xba, 0x8e, 0x00, 0x04, 0x60]).expect("a program");
        assert_eq!(machine.run_frames(1), Ended::Returned);
        assert_eq!((machine.board.ram()[0x0400], machine.board.ram()[0xae]), (0xf6, 0x05));
    }

    #[test]
    fn a_host_call_of_the_kernal_ends_the_run_and_goes_on_behind_it() {
        let mut kernal = [0xea; 0x2000];
        // lda #1; host call 7; sta $c000; then a jam in RAM.
        kernal[0x100..0x10a].copy_from_slice(&[0xa9, 1, 2, 7, 0x8d, 0, 0xc0, 0x4c, 0, 0xc1]);
        let mut machine = C64::new(Model::Pal);
        machine.board.insert(Rom::Kernal, &kernal).expect("the size");
        machine.board.ram_mut()[0xc100] = 2;
        machine.cpu.registers.pc = 0xe100;
        assert_eq!(machine.run_frames(1), Ended::HostCall(7));
        assert_eq!((machine.cpu.registers.a, machine.cpu.registers.pc), (1, 0xe104));
        machine.cpu.registers.a = 0x42;
        assert_eq!(machine.run_frames(1), Ended::Jammed);
        assert_eq!(machine.board.ram()[0xc000], 0x42);
        assert_eq!(machine.run_frames(1), Ended::Jammed);
    }

    #[test]
    fn a_saved_machine_goes_on_as_the_original() {
        let mut machine = C64::new(Model::Pal);
        // inc $d020; inc $0400; jmp
        machine.board.ram_mut()[0xc000..0xc009]
            .copy_from_slice(&[0xee, 0x20, 0xd0, 0xee, 0, 4, 0x4c, 0, 0xc0]);
        machine.cpu.registers.pc = 0xc000;
        machine.run_cycles(12345);
        let bytes = machine.save();
        let mut again = C64::load(&bytes).expect("a machine");
        assert!(again == machine);
        assert_eq!((again.run_frames(2), machine.run_frames(2)), (Ended::Time, Ended::Time));
        assert!(again == machine);
    }

    #[test]
    fn bytes_that_are_no_saved_machine_are_refused_with_the_reason() {
        let bytes = C64::new(Model::Ntsc).save();
        let refused = |bytes: &[u8]| C64::load(bytes).expect_err("refused");
        assert_eq!(refused(b""), StateError::Foreign);
        assert_eq!(refused(b"a picture"), StateError::Foreign);
        assert_eq!(refused(&bytes[..9]), StateError::Damaged);
        assert_eq!(refused(&bytes[..bytes.len() - 1]), StateError::Damaged);
        let mut other = bytes.clone();
        other[8] = 0xfe;
        assert_eq!(refused(&other), StateError::Version { found: 0xfe });
        let mut flipped = bytes.clone();
        flipped[5000] ^= 1;
        assert_eq!(refused(&flipped), StateError::Damaged);
        let mut longer = bytes;
        longer.push(0);
        assert_eq!(refused(&longer), StateError::Damaged);
    }

    #[test]
    fn a_return_to_basic_ends_the_run_and_the_usual_interrupt_does_not() {
        // 10 SYS 2061: wait until $DC0D has interrupted a few times, by counting $10 down from X; rts.
        let mut program = alloc::vec![1, 8, 11, 8, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
        // ldx #$80; dey; bne *-1; dex; bne *-4; rts
        program.extend([0xa2, 0x80, 0x88, 0xd0, 0xfd, 0xca, 0xd0, 0xfa, 0x60]);
        let mut machine = C64::new(Model::Ntsc);
        machine.start(&program).expect("a program");
        let snapshot = machine.clone();
        assert_eq!(machine.run_frames(20), Ended::Returned);
        let mut again = snapshot;
        assert_eq!(again.run_frames(20), Ended::Returned);
        assert!(again == machine, "the same input gives the same state");
    }
}
