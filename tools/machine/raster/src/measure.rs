//! A session under a watcher, from its first cycle to the last frame that is asked for.

use tempo_c64::{End, Session};

use crate::watcher::{Measured, Watcher};

/// Why the frames could not be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interrupted {
    /// The program ended itself with this code, in this frame.
    Exit {
        /// The code.
        code: u8,
        /// The frame.
        frame: u64,
    },
    /// The CPU ran an opcode that stops it.
    Jammed {
        /// The address after the opcode.
        pc: u16,
        /// The frame.
        frame: u64,
    },
}

impl core::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Interrupted::Exit { code, frame } => {
                write!(
                    f,
                    "the program ended with code {code} in frame {frame}, before the last frame was measured"
                )
            }
            Interrupted::Jammed { pc, frame } => {
                write!(
                    f,
                    "an opcode before ${pc:04X} stopped the CPU in frame {frame}, before the last frame was measured"
                )
            }
        }
    }
}

/// Runs a session that has just been started until the frames `first` to `first + frames - 1` are over. A program that
/// returns to the prompt goes on there.
pub fn measure(session: &mut Session, first: u64, frames: u64) -> Result<Measured, Interrupted> {
    let machine = &session.machine;
    let (timing, isa) = (machine.timing(), machine.system().isa());
    let has_expansion = machine.c64().is_some_and(|machine| !machine.board.devices().is_empty());
    let mut watcher = Watcher::new(timing, isa, machine.cycles(), machine.registers().pc, first, frames)
        .with_expansion(has_expansion)
        .with_control(machine.peek_register(0xd011));
    while !watcher.is_done() {
        let end = session.run_frame_with(&mut watcher);
        let frame = Watcher::frame_of(timing, session.machine.cycles());
        match end {
            None | Some(End::Hook) => {}
            Some(End::Returned) => session.enter_prompt(),
            Some(End::Exit(code)) => return Err(Interrupted::Exit { code, frame }),
            Some(End::Jammed) => {
                return Err(Interrupted::Jammed { pc: session.machine.registers().pc, frame });
            }
        }
    }
    Ok(watcher.finish())
}
