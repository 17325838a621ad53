//! A C64 with its owner's ROMs: the way to BASIC's prompt, and programs that are loaded and run from there. Knows the
//! variables of BASIC and KERNAL.

use tempo_emu::StartError;
use tempo_emu::c64::BASIC_START;
use thiserror::Error;

use crate::session::{End, Session};

/// Why a person's own ROMs do not get to their prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BootError {
    /// It takes too long.
    #[error("the ROMs do not show a cursor within {0} frames after a reset; are they a C64's?")]
    NoPrompt(u64),
    /// The CPU stopped.
    #[error("the ROMs stop the CPU at ${0:04X}; are they a C64's?")]
    Jammed(u16),
}

/// How long a reset may take, in frames: a real one takes about 130.
const BOOT_FRAMES: u64 = 400;

impl Session {
    /// Resets a machine with a person's own ROMs and runs it until the cursor blinks over an empty keyboard buffer.
    pub fn boot(&mut self) -> Result<(), BootError> {
        const KEY_COUNT: usize = 0xc6;
        const CURSOR_OFF: usize = 0xcc;
        // Until the ROM has said otherwise, no cursor blinks.
        self.machine.load_at(CURSOR_OFF as u16, &[1]);
        self.machine.reset();
        for _ in 0..BOOT_FRAMES {
            if self.run_frame() == Some(End::Jammed) {
                return Err(BootError::Jammed(self.machine.registers().pc));
            }
            let ram = self.machine.ram();
            if ram[CURSOR_OFF] == 0 && ram[KEY_COUNT] == 0 && ram[0x0289] != 0 {
                self.frame = 0;
                self.start = self.machine.cycles();
                return Ok(());
            }
        }
        Err(BootError::NoPrompt(BOOT_FRAMES))
    }

    /// After [`Session::boot`]: loads a program as BASIC's LOAD does, and types RUN.
    pub fn load_and_run(&mut self, prg: &[u8]) -> Result<(), StartError> {
        let (addr, bytes) = tempo_emu::parse_program(prg)?;
        if addr != BASIC_START {
            return Err(StartError::NoSys(addr));
        }
        let end = usize::from(addr) + bytes.len();
        self.machine.load_at(addr, bytes);
        // BASIC's variables begin behind the program, and LOAD leaves its end.
        for pointer in [0x2d, 0x2f, 0x31, 0xae] {
            self.machine.load_at(pointer, &(end as u16).to_le_bytes());
        }
        self.fill_keyboard_buffer(b"RUN\r");
        Ok(())
    }

    /// Puts up to ten characters into the keyboard buffer, as if they had been typed.
    pub fn fill_keyboard_buffer(&mut self, petscii: &[u8]) {
        let count = petscii.len().min(10);
        self.machine.load_at(0x0277, &petscii[..count]);
        self.machine.load_at(0xc6, &[count as u8]);
    }
}
