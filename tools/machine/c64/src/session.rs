//! A machine that somebody sits at: keys and joysticks by frame, a drive, and what a run ended with.
//! Time is in frames; nothing here waits for a real one.

use std::collections::VecDeque;

use tempo_emu::c64::{C64, Ended, Joystick, StartError};
use tempo_emu::{Hooks, NoHooks};
use thiserror::Error;

use crate::drive::{Drive, HostCall};
use crate::joystick::Moves;
use crate::keys::{Keys, Press};

/// Why a run ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The program wrote this to $D7FF.
    Exit(u8),
    /// The program returned to BASIC. Running on shows the prompt.
    Returned,
    /// The CPU ran a jam opcode.
    Jammed,
    /// A hook asked for it.
    Hook,
}

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

/// Something that happens before a frame.
#[derive(Debug, Clone)]
struct Event {
    frame: u64,
    action: Action,
}

#[derive(Debug, Clone)]
enum Action {
    Down(Press),
    Up(Press),
    Joystick(u8, Joystick),
}

/// A machine with what is plugged in, and what is going to be pressed.
#[derive(Debug, Clone)]
pub struct Session {
    /// The machine.
    pub machine: C64,
    /// Device 8.
    pub drive: Drive,
    /// Frames so far.
    frame: u64,
    /// The cycle at which frame 0 began.
    start: u64,
    /// By frame, the next one first. A script is added at the end, however long it is.
    events: VecDeque<Event>,
}

impl Session {
    /// Frame 0 begins now.
    pub fn new(machine: C64) -> Session {
        let start = machine.cpu.cycles;
        Session { machine, drive: Drive::default(), frame: 0, start, events: VecDeque::new() }
    }

    /// How many frames are over.
    pub fn frames(&self) -> u64 {
        self.frame
    }

    /// Whether keys or moves are still to come.
    pub fn has_input(&self) -> bool {
        !self.events.is_empty()
    }

    /// Types a script, beginning with the next frame.
    pub fn type_keys(&mut self, keys: &Keys) {
        for stroke in &keys.strokes {
            self.add(self.frame + stroke.down, Action::Down(stroke.press.clone()));
            self.add(self.frame + stroke.up, Action::Up(stroke.press.clone()));
        }
    }

    /// Moves the joystick in a port; frames count from the next one.
    pub fn play_moves(&mut self, port: u8, moves: &Moves) {
        for &(frame, joystick) in &moves.0 {
            self.add(self.frame + frame, Action::Joystick(port, joystick));
        }
    }

    fn add(&mut self, frame: u64, action: Action) {
        let at = self.events.partition_point(|event| event.frame <= frame);
        self.events.insert(at, Event { frame, action });
    }

    /// Runs a number of frames; `None` if nothing ended the run before.
    pub fn run_frames(&mut self, frames: u64) -> Option<End> {
        (0..frames).find_map(|_| self.run_frame())
    }

    /// Runs to the end of the frame in progress.
    pub fn run_frame(&mut self) -> Option<End> {
        self.run_frame_with(&mut NoHooks)
    }

    /// Runs to the end of the frame in progress, watched.
    pub fn run_frame_with<H: Hooks>(&mut self, hooks: &mut H) -> Option<End> {
        self.run_within_frame(u64::MAX, hooks)
    }

    /// Runs to the end of the frame in progress, or to a cycle before it.
    pub fn run_within_frame<H: Hooks>(&mut self, cycle: u64, hooks: &mut H) -> Option<End> {
        while let Some(event) = self.events.pop_front_if(|event| event.frame <= self.frame) {
            self.apply(event.action);
        }
        let end = self.start + (self.frame + 1) * self.machine.board.model().cycles_per_frame();
        let ended = self.run_to(end.min(cycle), hooks);
        if ended.is_none() && self.machine.cpu.cycles >= end {
            self.frame += 1;
        }
        ended
    }

    fn apply(&mut self, action: Action) {
        let board = &mut self.machine.board;
        match action {
            Action::Down(Press::Keys(keys)) => keys.into_iter().for_each(|key| board.hold(key)),
            Action::Up(Press::Keys(keys)) => keys.into_iter().for_each(|key| board.release(key)),
            Action::Down(Press::Restore) => board.set_restore(true),
            Action::Up(Press::Restore) => board.set_restore(false),
            Action::Joystick(port, joystick) => board.set_joystick(port, joystick),
        }
    }

    /// Runs up to a cycle, with the KERNAL's disk calls served.
    fn run_to<H: Hooks>(&mut self, end: u64, hooks: &mut H) -> Option<End> {
        loop {
            let left = end.saturating_sub(self.machine.cpu.cycles);
            if left == 0 {
                return None;
            }
            return match self.machine.run_cycles_with(hooks, left) {
                Ended::Time => None,
                Ended::Exit(code) => Some(End::Exit(code)),
                Ended::Returned => Some(End::Returned),
                Ended::Jammed => Some(End::Jammed),
                Ended::Hook => Some(End::Hook),
                Ended::HostCall(number) => {
                    if let Some(call) = HostCall::from_number(number) {
                        self.drive.serve(call, &mut self.machine);
                    }
                    continue;
                }
            };
        }
    }

    /// After [`End::Returned`]: goes on into the prompt instead of ending there again.
    pub fn enter_prompt(&mut self) {
        self.machine.cpu.step(&mut self.machine.board);
    }

    /// Resets a machine with a person's own ROMs and runs it until the cursor blinks over an empty keyboard buffer.
    pub fn boot(&mut self) -> Result<(), BootError> {
        const KEY_COUNT: usize = 0xc6;
        const CURSOR_OFF: usize = 0xcc;
        // Until the ROM has said otherwise, no cursor blinks.
        self.machine.board.ram_mut()[CURSOR_OFF] = 1;
        self.machine.reset();
        for _ in 0..BOOT_FRAMES {
            if self.run_frame() == Some(End::Jammed) {
                return Err(BootError::Jammed(self.machine.cpu.registers.pc));
            }
            let ram = self.machine.board.ram();
            if ram[CURSOR_OFF] == 0 && ram[KEY_COUNT] == 0 && ram[0x0289] != 0 {
                self.frame = 0;
                self.start = self.machine.cpu.cycles;
                return Ok(());
            }
        }
        Err(BootError::NoPrompt(BOOT_FRAMES))
    }

    /// After [`Session::boot`]: loads a program as BASIC's LOAD does, and types RUN.
    pub fn load_and_run(&mut self, prg: &[u8]) -> Result<(), StartError> {
        const BASIC_START: u16 = 0x0801;
        let (addr, bytes) = tempo_emu::c64::parse_program(prg)?;
        if addr != BASIC_START {
            return Err(StartError::NoSys(addr));
        }
        let (start, end) = (usize::from(addr), usize::from(addr) + bytes.len());
        let ram = self.machine.board.ram_mut();
        ram[start..end].copy_from_slice(bytes);
        // BASIC's variables begin behind the program, and LOAD leaves its end.
        for pointer in [0x2d, 0x2f, 0x31, 0xae] {
            ram[pointer..pointer + 2].copy_from_slice(&(end as u16).to_le_bytes());
        }
        self.fill_keyboard_buffer(b"RUN\r");
        Ok(())
    }

    /// Puts up to ten characters into the keyboard buffer, as if they had been typed.
    pub fn fill_keyboard_buffer(&mut self, petscii: &[u8]) {
        let ram = self.machine.board.ram_mut();
        let count = petscii.len().min(10);
        ram[0x0277..0x0277 + count].copy_from_slice(&petscii[..count]);
        ram[0xc6] = count as u8;
    }
}
