//! A C64 with its owner's ROMs: the way to BASIC's prompt, and programs that are loaded and run from there. Knows the
//! variables of BASIC and KERNAL.

use core::ops::ControlFlow;

use tempo_emu::c64::{Entry, entry};
use tempo_emu::{Bus, Hooks, Registers, StartError};
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

/// Ends a run in the loop that waits for a key: it reads the number of typed characters again and again, with the cursor
/// on. Variables alone do not tell, since a reset stores the same values on its way.
#[derive(Default)]
struct InputLoop {
    /// The instruction that read the number last, and when.
    last: Option<(u16, u64)>,
}

impl InputLoop {
    const KEY_COUNT: u16 = 0xc6;
    const CURSOR_OFF: u16 = 0xcc;
    const LDA_ZERO_PAGE: u8 = 0xa5;
    /// A turn of the loop takes less, unless an interrupt comes in between.
    const TURN: u64 = 60;
}

impl Hooks for InputLoop {
    const ACCESSES: bool = false;

    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let pc = registers.pc;
        let reads = [Self::LDA_ZERO_PAGE, Self::KEY_COUNT as u8].map(Some);
        if [bus.look(pc), bus.look(pc.wrapping_add(1))] != reads {
            return ControlFlow::Continue(());
        }
        let before = self.last.replace((pc, cycles));
        let is_turn = before.is_some_and(|(at, when)| at == pc && cycles - when <= Self::TURN);
        if is_turn && [Self::KEY_COUNT, Self::CURSOR_OFF].map(|at| bus.look(at)) == [Some(0); 2] {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Session {
    /// Resets a machine with a person's own ROMs and runs it until they wait for a key.
    pub fn boot(&mut self) -> Result<(), BootError> {
        // Until the ROM has said otherwise, no cursor blinks.
        self.machine.load_at(InputLoop::CURSOR_OFF, &[1]);
        self.machine.reset();
        let mut waiting = InputLoop::default();
        for _ in 0..BOOT_FRAMES {
            match self.run_frame_with(&mut waiting) {
                Some(End::Jammed) => return Err(BootError::Jammed(self.machine.registers().pc)),
                Some(End::Hook) => {
                    self.frame = 0;
                    self.start = self.machine.cycles();
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(BootError::NoPrompt(BOOT_FRAMES))
    }

    /// After [`Session::boot`]: loads a program as LOAD does, and types RUN, or SYS if it has no line for RUN.
    pub fn load_and_run(&mut self, prg: &[u8]) -> Result<(), StartError> {
        let (addr, bytes) = tempo_emu::parse_program(prg)?;
        let end = usize::from(addr) + bytes.len();
        self.machine.load_at(addr, bytes);
        // LOAD leaves its end, and BASIC's variables begin there.
        let end = (end as u16).to_le_bytes();
        self.machine.load_at(0xae, &end);
        match entry(self.machine.ram(), addr, bytes.len()) {
            Some(Entry::Basic(_)) => {
                for pointer in [0x2d, 0x2f, 0x31] {
                    self.machine.load_at(pointer, &end);
                }
                self.fill_keyboard_buffer(b"RUN\r");
            }
            Some(Entry::Code(start)) => self.fill_keyboard_buffer(format!("SYS{start}\r").as_bytes()),
            // The ROM uses the vector by itself when it prints.
            Some(Entry::Vector(_)) => self.fill_keyboard_buffer(b"\r"),
            None => return Err(StartError::NoSys(addr)),
        }
        Ok(())
    }

    /// Puts up to ten characters into the keyboard buffer, as if they had been typed.
    pub fn fill_keyboard_buffer(&mut self, petscii: &[u8]) {
        let count = petscii.len().min(10);
        self.machine.load_at(0x0277, &petscii[..count]);
        self.machine.load_at(0xc6, &[count as u8]);
    }
}
