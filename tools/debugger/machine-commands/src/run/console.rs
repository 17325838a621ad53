//! CHROUT on the bare CPU: a program that calls $FFD2 prints to the terminal, as far as PETSCII has Unicode.

use std::io::{self, Write};
use std::ops::ControlFlow;

use tempo_c64::petscii_char;
use tempo_emu::AnyMachine;
use tempo_isa::opcodes;

use super::image::Image;

/// The KERNAL's routine that prints a character.
pub const CHROUT: u16 = 0xffd2;

/// The part of a text that is kept when it is not shown at once.
const MOST: usize = 1 << 20;

/// Whether the program leaves the place of the routine alone.
pub fn is_free(image: &Image) -> bool {
    !image.covers(CHROUT)
}

/// Puts an `rts` where the routine is.
pub fn install(image: &Image, memory: &mut [u8; 0x10000]) {
    if is_free(image) {
        memory[usize::from(CHROUT)] = opcodes::RTS;
    }
}

/// Whether a machine that was saved has it there.
pub fn is_installed(machine: &AnyMachine) -> bool {
    machine.peek(CHROUT) == opcodes::RTS
}

/// Where the characters go.
pub struct Console<'a> {
    is_on: bool,
    out: Option<&'a mut dyn Write>,
    text: String,
    is_small: bool,
    is_in_line: bool,
    failure: Option<io::Error>,
}

impl<'a> Console<'a> {
    /// Prints to `out` at once, or collects.
    pub fn new(is_on: bool, out: Option<&'a mut dyn Write>) -> Console<'a> {
        Console { is_on, out, text: String::new(), is_small: false, is_in_line: false, failure: None }
    }

    /// A character in PETSCII. The control codes that text needs have their effect, the others none.
    pub fn print(&mut self, code: u8) -> ControlFlow<()> {
        if !self.is_on {
            return ControlFlow::Continue(());
        }
        let character = match code {
            0x0d | 0x8d => Some('\n'),
            0x0e | 0x8e => {
                self.is_small = code == 0x0e;
                None
            }
            0x1d => Some(' '),
            _ => petscii_char(code, self.is_small),
        };
        let Some(character) = character else { return ControlFlow::Continue(()) };
        self.is_in_line = character != '\n';
        match &mut self.out {
            Some(out) => {
                let mut buffer = [0; 4];
                if let Err(err) = out.write_all(character.encode_utf8(&mut buffer).as_bytes()) {
                    self.failure = Some(err);
                    // The reader is gone.
                    return ControlFlow::Break(());
                }
            }
            None if self.text.len() < MOST => self.text.push(character),
            None => {}
        }
        ControlFlow::Continue(())
    }

    /// Ends the last line; the result is what was collected.
    pub fn finish(mut self) -> io::Result<String> {
        if let Some(err) = self.failure {
            return Err(err);
        }
        if let Some(out) = &mut self.out
            && self.is_in_line
        {
            writeln!(out)?;
        }
        Ok(self.text)
    }
}
