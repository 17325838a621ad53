//! A machine in use: keys and joysticks by frame, a drive, and what a run ended with.
//! Time is in frames; nothing here waits for a real one.

use std::collections::VecDeque;

use tempo_emu::{AnyComputer, Ended, Hooks, Joystick, NoHooks};

use crate::drive::Drive;
use crate::joystick::Moves;
use crate::keys::{Keys, Press};

/// Why a run ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The program ended itself with this code: on a C64 it wrote it to $D7FF.
    Exit(u8),
    /// The program returned to the prompt. Running on shows the prompt.
    Returned,
    /// The CPU ran a jam opcode.
    Jammed,
    /// A hook asked for it.
    Hook,
}

/// Something that happens before a frame.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) frame: u64,
    pub(crate) action: Action,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    Down(Press),
    Up(Press),
    Joystick(u8, Joystick),
}

/// A machine with what is plugged in, and what is going to be pressed.
#[derive(Debug, Clone)]
pub struct Session {
    /// The machine.
    pub machine: AnyComputer,
    /// Device 8 of a C64.
    pub drive: Drive,
    /// Frames so far.
    pub(crate) frame: u64,
    /// The cycle at which frame 0 began.
    pub(crate) start: u64,
    /// By frame, the next one first. A script is added at the end, however long it is.
    pub(crate) events: VecDeque<Event>,
}

impl Session {
    /// Frame 0 begins now.
    pub fn new(machine: impl Into<AnyComputer>) -> Session {
        let machine = machine.into();
        let start = machine.cycles();
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
        let end = self.start + (self.frame + 1) * self.machine.timing().cycles_per_frame();
        let ended = self.run_to(end.min(cycle), hooks);
        if ended.is_none() && self.machine.cycles() >= end {
            self.frame += 1;
        }
        ended
    }

    fn apply(&mut self, action: Action) {
        match action {
            Action::Down(press) => self.set(&press, true),
            Action::Up(press) => self.set(&press, false),
            Action::Joystick(port, joystick) => self.machine.set_joystick(port, joystick),
        }
    }

    /// Presses or releases keys at once.
    pub fn set(&mut self, press: &Press, is_down: bool) {
        for key in press {
            self.machine.set_key(key, is_down);
        }
    }

    /// Runs up to a cycle, with the calls of its ROM served.
    fn run_to<H: Hooks>(&mut self, end: u64, hooks: &mut H) -> Option<End> {
        loop {
            let left = end.saturating_sub(self.machine.cycles());
            if left == 0 {
                return None;
            }
            return match self.machine.run_for(hooks, left) {
                Ended::Time => None,
                Ended::Exit(code) => Some(End::Exit(code)),
                Ended::Returned => Some(End::Returned),
                Ended::Jammed => Some(End::Jammed),
                Ended::Hook => Some(End::Hook),
                Ended::HostCall(number) => {
                    self.drive.answer(number, &mut self.machine);
                    continue;
                }
            };
        }
    }

    /// After [`End::Returned`]: goes on into the prompt instead of ending there again.
    pub fn enter_prompt(&mut self) {
        self.machine.step();
    }
}
