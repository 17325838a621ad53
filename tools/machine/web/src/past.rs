//! The past of a session: what was pressed at which cycle, and copies of the machine from which any moment can be run to
//! again. Going to a frame is running there, so a frame that is shown again is the same, cycle for cycle.

use tempo_c64::{End, Session};
use tempo_diagnostics::Span;
use tempo_emu::{Hooks, Joystick, NoHooks};
use tempo_rig::file::Course;
use tempo_rig::{Action, TestMachine};

/// Something from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// A key, by its number in the matrix.
    Key(u32, bool),
    /// The switches of a joystick.
    Joystick(u32, u32),
    /// The RESET button.
    Reset,
}

/// Frames between two copies.
const DISTANCE: u64 = 50;
/// Copies that are kept: 300 KB each, 120 MB together. Older ones are thinned.
const MOST: usize = 400;
/// The newest copies, which are not thinned.
const NEWEST: usize = 100;
/// Inputs that are kept; a person makes a few thousand in an hour.
const MOST_INPUTS: usize = 1 << 20;

/// A session with its past.
pub struct Past {
    /// The machine at this moment.
    pub session: Session,
    copies: Vec<Session>,
    /// By cycle.
    inputs: Vec<(u64, Input)>,
    /// The next of the inputs.
    next: usize,
    latest: u64,
}

impl Past {
    /// A session that begins now.
    pub fn new(session: Session) -> Past {
        let copies = vec![session.clone()];
        Past { session, copies, inputs: Vec::new(), next: 0, latest: 0 }
    }

    /// The frame, from 0, that would run next, or that is in progress.
    pub fn frame_number(&self) -> u64 {
        self.session.frames()
    }

    /// Cycles since the machine was switched on.
    pub fn cycles(&self) -> u64 {
        self.session.machine.cycles()
    }

    /// The last frame that was ever reached on this way.
    pub fn latest(&self) -> u64 {
        self.latest
    }

    /// Inputs so far, by cycle.
    pub fn inputs(&self) -> &[(u64, Input)] {
        &self.inputs
    }

    /// Something happens now. What was recorded for later is forgotten: from here the session takes another way.
    pub fn input(&mut self, input: Input) {
        let now = self.cycles();
        self.inputs.truncate(self.next);
        self.copies.retain(|copy| copy.machine.cycles() <= now);
        self.latest = self.session.frames();
        apply(&mut self.session, input);
        if self.inputs.len() < MOST_INPUTS {
            self.inputs.push((now, input));
        }
        self.next = self.inputs.len();
    }

    /// Runs to the end of the frame, with the recorded inputs as long as there are any.
    pub fn run_frame(&mut self) -> Option<End> {
        self.run_frame_with(&mut NoHooks)
    }

    /// The same, watched.
    pub fn run_frame_with<H: Hooks>(&mut self, hooks: &mut H) -> Option<End> {
        let end = self.run_within_frame(u64::MAX, hooks);
        let frame = self.session.frames();
        self.latest = self.latest.max(frame);
        if end.is_none()
            && frame.is_multiple_of(DISTANCE)
            && self.copies.last().is_none_or(|copy| copy.frames() < frame)
        {
            self.copies.push(self.session.clone());
            self.thin();
        }
        end
    }

    /// Runs to the end of the frame, or to a cycle before it.
    fn run_within_frame<H: Hooks>(&mut self, cycle: u64, hooks: &mut H) -> Option<End> {
        let frame = self.session.frames();
        while self.session.frames() == frame && self.cycles() < cycle {
            self.apply_inputs();
            let next = self.inputs.get(self.next).map_or(u64::MAX, |(at, _)| *at);
            match self.session.run_within_frame(next.min(cycle), hooks) {
                // The prompt is where a program ends that returns.
                Some(End::Returned) => self.session.enter_prompt(),
                None => {}
                end => return end,
            }
        }
        None
    }

    /// Applies the inputs that were recorded for now.
    pub fn apply_inputs(&mut self) {
        let now = self.cycles();
        while let Some(&(at, input)) = self.inputs.get(self.next)
            && at <= now
        {
            apply(&mut self.session, input);
            self.next += 1;
        }
    }

    fn thin(&mut self) {
        if self.copies.len() <= MOST {
            return;
        }
        let old = self.copies.len() - NEWEST;
        let mut at = 0;
        self.copies.retain(|_| {
            at += 1;
            at > old || at % 2 == 1
        });
    }

    /// The same past at one of its copies.
    fn at_copy(&self, copy: &Session) -> Past {
        let mut session = copy.clone();
        session.machine.set_sample_rate(None);
        let now = session.machine.cycles();
        // A copy is made before the inputs of its cycle.
        let next = self.inputs.partition_point(|(at, _)| *at < now);
        let mut past =
            Past { latest: session.frames(), session, copies: Vec::new(), inputs: self.inputs.clone(), next };
        past.copies.push(past.session.clone());
        past
    }

    /// The session at the beginning of a frame.
    pub fn at(&self, frame: u64) -> Past {
        let copy = self.copies.iter().rev().find(|copy| copy.frames() <= frame).unwrap_or(&self.copies[0]);
        let mut past = self.at_copy(copy);
        while past.session.frames() < frame && past.run_frame().is_none() {}
        past
    }

    /// The session at a cycle, which is the first moment between two instructions at or after it.
    pub fn at_cycle(&self, cycle: u64) -> Past {
        let mut past = self.before(cycle.saturating_add(1));
        past.run_to(cycle, &mut NoHooks);
        past
    }

    /// The session at the newest copy before a cycle, or at the first one.
    pub fn before(&self, cycle: u64) -> Past {
        let copy = self.copies.iter().rev().find(|copy| copy.machine.cycles() < cycle);
        self.at_copy(copy.unwrap_or(&self.copies[0]))
    }

    /// Runs to a cycle, through any number of frames.
    pub fn run_to<H: Hooks>(&mut self, cycle: u64, hooks: &mut H) -> Option<End> {
        while self.cycles() < cycle {
            let end = self.run_within_frame(cycle, hooks);
            if end.is_some() {
                return end;
            }
        }
        self.latest = self.latest.max(self.session.frames());
        None
    }

    /// Goes to the beginning of a frame.
    pub fn seek(&mut self, frame: u64) {
        let past = self.at(frame.min(self.latest));
        (self.session, self.next) = (past.session, past.next);
    }

    /// Goes to a cycle of the past.
    pub fn seek_cycle(&mut self, cycle: u64) {
        let past = self.at_cycle(cycle);
        (self.session, self.next) = (past.session, past.next);
        self.latest = self.latest.max(self.session.frames());
    }

    /// The copies before a frame, the newest first, each with the frame before which the next one begins.
    pub fn stretches(&self, frame: u64) -> impl Iterator<Item = (u64, u64)> {
        let mut starts: Vec<u64> = self.copies.iter().map(Session::frames).filter(|&at| at < frame).collect();
        starts.reverse();
        let ends: Vec<u64> = core::iter::once(frame).chain(starts.iter().copied()).collect();
        starts.into_iter().zip(ends)
    }

    /// A copy at least this many frames before now, and what happened since, for a recording.
    pub fn course(&self, frames: u64) -> Course {
        let first = self.frame_number().saturating_sub(frames);
        let copy = self.copies.iter().rev().find(|copy| copy.frames() <= first).unwrap_or(&self.copies[0]);
        let mut past = self.at_copy(copy);
        let machine = TestMachine::of_session(past.session.clone());
        let mut actions = Vec::new();
        let now = self.cycles();
        while past.cycles() < now {
            // In the order of `run_within_frame`.
            while let Some(&(at, input)) = past.inputs.get(past.next)
                && at <= past.cycles()
            {
                actions.extend(action(input));
                apply(&mut past.session, input);
                past.next += 1;
            }
            let next = past.inputs.get(past.next).map_or(u64::MAX, |(at, _)| *at);
            let end = past.session.run_within_frame(next.min(now), &mut NoHooks);
            match actions.last_mut() {
                Some(Action::Frame(cycle)) => *cycle = past.cycles(),
                _ => actions.push(Action::Frame(past.cycles())),
            }
            match end {
                None => {}
                Some(End::Returned) => {
                    actions.push(Action::Prompt);
                    past.session.enter_prompt();
                }
                Some(_) => break,
            }
        }
        let message = "the recording was saved here".to_string();
        actions.push(Action::Failure { span: Span::default(), message });
        // On from there, as long as the view is open.
        actions.push(Action::Frame(FOREVER));
        Course { machine, actions, loaded: Vec::new() }
    }
}

/// A cycle that no machine reaches.
const FOREVER: u64 = (1 << 62) - 1;

fn action(input: Input) -> Option<Action> {
    Some(match input {
        Input::Key(key, is_down) => Action::Key(u8::try_from(key).ok()?, is_down),
        Input::Joystick(port, bits) => {
            Action::Joystick(u8::try_from(port).ok()?, Joystick::from_bits(bits as u8))
        }
        Input::Reset => Action::Reset,
    })
}

fn apply(session: &mut Session, input: Input) {
    let machine = &mut session.machine;
    match input {
        Input::Key(key, is_down) => {
            if let Some(key) = machine.keyboard().keys.get(key as usize) {
                machine.set_key(key, is_down);
            }
        }
        Input::Joystick(port, bits) => {
            if let Ok(port) = u8::try_from(port) {
                machine.set_joystick(port, Joystick::from_bits(bits as u8));
            }
        }
        Input::Reset => machine.reset(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_emu::System;

    /// `10 SYS 2061`: inc $d020; lda $dc00; sta $0400; jmp 2061
    const PROGRAM: [u8; 26] = [
        0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00, 0xee, 0x20, 0xd0,
        0xad, 0x00, 0xdc, 0x8d, 0x00, 0x04, 0x4c, 0x0d, 0x08,
    ];

    fn past() -> Past {
        let mut machine = System::C64Pal.computer().expect("a computer");
        machine.start(&PROGRAM).expect("a program");
        Past::new(Session::new(machine))
    }

    #[test]
    fn a_frame_that_is_gone_back_to_is_the_same_machine() {
        let mut past = past();
        let mut states = Vec::new();
        for frame in 0..180 {
            if frame % 37 == 5 {
                past.input(Input::Joystick(2, frame & 31));
            }
            states.push(past.session.machine.save());
            past.run_frame();
        }
        for frame in [0, 1, 49, 50, 51, 120, 179, 5, 42] {
            past.seek(frame);
            assert_eq!(past.frame_number(), frame);
            // An input of this frame is applied when it runs.
            let mut again = past.at(frame);
            assert!(again.session.machine.save() == past.session.machine.save(), "frame {frame}");
            again.run_frame();
            if let Some(state) = states.get(frame as usize + 1) {
                let has_input = (frame + 1) % 37 == 5;
                assert!(has_input || again.session.machine.save() == *state, "frame {frame}");
            }
        }
        // Going on without a new input plays the recorded ones.
        past.seek(10);
        while past.frame_number() < 179 {
            past.run_frame();
        }
        assert!(past.session.machine.save() == states[179]);
    }

    #[test]
    fn a_new_input_in_the_past_begins_another_way() {
        let mut past = past();
        (0..120).for_each(|_| assert_eq!(past.run_frame(), None));
        past.seek(60);
        past.input(Input::Key(3, true));
        assert_eq!((past.latest(), past.inputs().len()), (60, 1));
        past.seek(100);
        assert_eq!(past.frame_number(), 60);
    }

    #[test]
    fn copies_are_thinned_and_the_first_stays() {
        let mut past = past();
        let copy = past.session.clone();
        past.copies = vec![copy; MOST + 1];
        past.thin();
        assert!(past.copies.len() <= MOST / 2 + NEWEST + 1);
        assert_eq!(past.copies[0].frames(), 0);
    }
}
