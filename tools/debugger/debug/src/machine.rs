//! The debugged machine: one of the suites with a program in it, or a recorded test that drives one. It runs in pieces,
//! and a clone goes on as the original would.

use std::sync::Arc;

use tempo_c64::{End, Keys};
use tempo_diagnostics::Span;
use tempo_emu::c64::{Disk, Drive1541};
use tempo_emu::{AnyComputer, Joystick, Part, Phase, Registers, Stop, System, Until};
use tempo_rig::{Action, Feed, IoWrites, Recording, Roms, TestMachine as Bare, Wire};

use crate::calls::Calls;
use crate::condition::{BeamClock, Clock, View};
use crate::hook::{Flags, Hook, Judge};

/// Why a piece of a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// The judge asked for it.
    Judge,
    /// The time is over.
    Time,
    /// A jam opcode, or `stp`.
    Jammed,
    /// `wai` waits for ever.
    Waiting,
    /// The program returned to BASIC.
    Returned,
    /// The program wrote an exit code to $D7FF.
    Exit(u8),
    /// The test is over.
    Finished,
}

/// A change from outside.
#[derive(Debug, Clone)]
pub enum Input {
    /// Bytes are stored.
    Poke(u16, Vec<u8>),
    /// The registers are set.
    Registers(Registers),
    /// Keys are typed.
    Keys(Keys),
    /// The stopwatch is set, so that it is at 0 at this cycle.
    Stopwatch(i64),
    /// Bytes are stored in a part of a C64's memory.
    Store(Part, u16, Vec<u8>),
    /// The CPU's addresses from the first to the last are read, with the effects that has on chips of a C64.
    Read(u16, u16),
    /// The joystick in a port is moved.
    Joystick(u8, Joystick),
}

/// The behaviour of a whole computer where its program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtEnd {
    /// The run ends.
    #[default]
    Stop,
    /// A program that returns leaves the computer to its user; an exit code ends the run.
    GoOn,
    /// The same, and $D7FF means nothing.
    GoOnAlways,
}

/// The machine.
#[derive(Clone)]
pub struct Machine {
    inner: Bare,
    feeds: Vec<Feed>,
    wires: Vec<Wire>,
    actions: Option<Arc<Vec<Action>>>,
    /// The next action of the test.
    next: usize,
    /// Cycles that the test took back.
    undone: u64,
    /// The statement of the test that is running.
    statement: Option<Span>,
    /// A whole computer whose program runs in frames.
    in_frames: bool,
    at_end: AtEnd,
    clock: Clock,
}

impl Machine {
    /// A whole computer that its owner has set up; it goes on where it is.
    pub fn of_computer(computer: AnyComputer, at_end: AtEnd) -> Machine {
        Machine { at_end, ..Machine::around(Bare::of_computer(computer), None) }
    }

    /// A machine without a program.
    pub fn new(kind: System) -> Machine {
        Machine::around(Bare::new(kind, IoWrites::IoOnly), None)
    }

    /// A test that was recorded.
    pub fn of_test(recording: &Recording) -> Machine {
        Machine::around(recording.machine.clone(), Some(recording.actions.clone()))
    }

    fn around(inner: Bare, actions: Option<Arc<Vec<Action>>>) -> Machine {
        let beam = inner.whole().map(|machine| {
            // The place of the beam tells how many cycles the board has had before.
            let timing = machine.timing();
            let per_frame = timing.cycles_per_frame();
            let at = timing.cycles_to(machine.beam());
            BeamClock { timing, base: (at + per_frame - inner.cycles % per_frame) % per_frame }
        });
        Machine {
            in_frames: beam.is_some() && actions.is_none(),
            inner,
            feeds: Vec::new(),
            wires: Vec::new(),
            actions,
            next: 0,
            undone: 0,
            statement: None,
            at_end: AtEnd::Stop,
            clock: Clock { beam, zero: 0 },
        }
    }

    /// Puts bytes into RAM before the program starts.
    pub fn load(&mut self, address: u16, bytes: &[u8]) {
        self.inner.load(address, bytes);
    }

    /// Fills the ROM sockets.
    pub fn insert_roms(&mut self, roms: &Roms) {
        self.inner.insert_roms(roms);
    }

    /// Connects a whole 1541; whether that can be.
    pub fn attach_drive(&mut self, rom: &[u8], disk: Option<&Disk>) -> bool {
        self.inner.attach_drive(rom, disk)
    }

    /// Enters a bare program as a call does: an `rts` at its level leads to $0000.
    pub fn enter(&mut self, pc: u16) {
        let mut registers = self.inner.registers;
        for _ in 0..2 {
            self.inner.poke(0x0100 | u16::from(registers.s), 0xff);
            registers.s = registers.s.wrapping_sub(1);
        }
        registers.pc = pc;
        self.inner.registers = registers;
    }

    /// Enters the program in a whole computer's memory as its owner would: on a C64 through the `SYS` of its BASIC line.
    pub fn enter_program(&mut self) -> Result<(), String> {
        self.inner.start_program().map_err(|err| err.to_string())
    }

    /// The registers.
    pub fn registers(&self) -> &Registers {
        &self.inner.registers
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        self.inner.cycles
    }

    /// Cycles and steps of a test's text: it only ever grows, and two moments with the same time are the same.
    pub fn time(&self) -> u64 {
        self.inner.cycles + self.base()
    }

    fn base(&self) -> u64 {
        self.undone + self.next as u64
    }

    /// Returns the byte that a read would give, without effects.
    pub fn peek(&self, address: u16) -> u8 {
        self.inner.peek(address)
    }

    /// The kind of machine.
    pub fn kind(&self) -> System {
        self.inner.system
    }

    /// The instruction set.
    pub fn isa(&self) -> tempo_isa::Cpu {
        self.inner.isa()
    }

    /// The whole computer, if it is one.
    pub fn computer(&self) -> Option<&AnyComputer> {
        self.inner.whole()
    }

    /// The whole 1541 on the serial bus, if there is one. It runs, and goes back, with the machine.
    pub fn drive(&self) -> Option<&Drive1541> {
        self.computer()?.c64()?.board.drive()
    }

    /// Whether a jam opcode has stopped the CPU of a whole computer.
    pub fn is_jammed(&self) -> bool {
        self.computer().is_some_and(|computer| computer.phase() == Phase::Jammed)
    }

    /// The beam's line and cycle, if there is one.
    pub fn beam(&self) -> Option<(u16, u8)> {
        self.clock.beam.map(|beam| beam.at(self.inner.cycles))
    }

    /// The stopwatch's value: the cycles since it was set, or since the start.
    pub fn stopwatch(&self) -> i64 {
        self.clock.stopwatch(self.inner.cycles)
    }

    /// The rows of the text screen.
    pub fn screen_rows(&self) -> Vec<String> {
        self.inner.screen_rows()
    }

    /// About how many bytes a copy takes.
    pub fn size(&self) -> usize {
        self.inner.size() + 512
    }

    /// Whether nothing can tell two machines apart.
    pub fn is_same(&self, other: &Machine) -> bool {
        self.inner.is_same(&other.inner)
            && self.next == other.next
            && self.feeds == other.feeds
            && self.wires == other.wires
    }

    /// Takes over another machine's state without new memory.
    pub(crate) fn copy_from(&mut self, other: &Machine) {
        self.inner.copy_from(&other.inner);
        self.feeds.clone_from(&other.feeds);
        self.wires.clone_from(&other.wires);
        self.actions.clone_from(&other.actions);
        (self.next, self.undone, self.statement) = (other.next, other.undone, other.statement);
        (self.in_frames, self.at_end, self.clock) = (other.in_frames, other.at_end, other.clock);
    }

    /// The statement of the test that runs or comes next, and whether its code is running.
    pub fn statement(&self) -> Option<(Span, bool)> {
        let actions = self.actions.as_ref()?;
        match actions.get(self.next) {
            Some(Action::Statement(span)) => Some((*span, false)),
            Some(Action::Failure { span, .. }) => Some((*span, false)),
            Some(Action::Run(_) | Action::Frame(_)) => self.statement.map(|span| (span, true)),
            _ => self.statement.map(|span| (span, false)),
        }
    }

    /// Whether the program's code is what comes next, and not the text of a test.
    pub fn is_in_code(&self) -> bool {
        match &self.actions {
            None => true,
            Some(actions) => {
                // A moment of interest that belongs to no statement is inside the code that goes on after it.
                let is_moment =
                    |action: &&Action| matches!(action, Action::Failure { span, .. } if span.is_empty());
                let mut ahead = actions.iter().skip(self.next).skip_while(is_moment);
                matches!(ahead.next(), Some(Action::Run(_) | Action::Frame(_)))
            }
        }
    }

    /// Whether a test is debugged.
    pub fn is_test(&self) -> bool {
        self.actions.is_some()
    }

    /// Evaluates on this machine.
    pub fn view<T>(&self, with: impl FnOnce(&View<'_>) -> T) -> T {
        let look = |address: u16| self.inner.peek(address);
        with(&View {
            registers: &self.inner.registers,
            cycles: self.inner.cycles,
            look: &look,
            bank: self.inner.whole().and_then(AnyComputer::cartridge_bank),
            clock: self.clock,
        })
    }

    /// A change from outside.
    pub fn apply(&mut self, input: &Input) {
        match input {
            Input::Poke(address, bytes) => {
                for (offset, &byte) in bytes.iter().enumerate() {
                    self.inner.poke(address.wrapping_add(offset as u16), byte);
                }
            }
            Input::Registers(registers) => {
                self.inner.registers = *registers;
                self.inner.keep_main();
                if self.at_end != AtEnd::Stop && self.is_jammed() {
                    self.inner.change_whole(|machine| machine.set_phase(Phase::Running));
                }
            }
            Input::Keys(keys) => self.inner.type_keys(keys),
            Input::Stopwatch(zero) => self.clock.zero = *zero,
            Input::Store(part, address, bytes) => self.inner.change_whole(|machine| {
                let cycles = machine.cycles();
                let Some(machine) = machine.c64_mut() else { return };
                for (offset, &byte) in bytes.iter().enumerate() {
                    machine.board.poke_in(*part, address.wrapping_add(offset as u16), byte, cycles);
                }
            }),
            Input::Read(first, last) => self.inner.change_whole(|machine| {
                let cycles = machine.cycles();
                let Some(machine) = machine.c64_mut() else { return };
                for address in *first..=*last {
                    machine.board.read_now(address, cycles);
                }
            }),
            Input::Joystick(port, joystick) => self.inner.set_joystick(*port, *joystick),
        }
    }

    /// Runs until the judge breaks or the time is reached. The run ends between two instructions.
    pub fn run<const WATCHED: bool>(
        &mut self,
        judge: &mut dyn Judge,
        flags: &Flags,
        calls: &mut Calls,
        until: u64,
    ) -> Halt {
        loop {
            if self.time() >= until {
                return Halt::Time;
            }
            let Some(actions) = self.actions.clone() else {
                return self.run_program::<WATCHED>(judge, flags, calls, until);
            };
            let Some(action) = actions.get(self.next) else { return Halt::Finished };
            match action {
                Action::Run(end) | Action::Frame(end) if self.inner.cycles >= *end => self.next += 1,
                Action::Run(end) => {
                    let end = (*end).min(until - self.base());
                    let until = Until::cycles(end - self.inner.cycles);
                    let mut hook = Hook::<WATCHED>::new(flags, calls, judge, self.base(), self.clock);
                    let stop = self.inner.run_hooked(&mut hook, &mut self.feeds, &mut self.wires, until);
                    drop(hook);
                    match stop {
                        Stop::Hook => return Halt::Judge,
                        Stop::Cycles => calls.settle(&self.inner.registers),
                        // The recorded run ended here, too.
                        _ => self.next += 1,
                    }
                }
                Action::Frame(end) => {
                    let end = (*end).min(until - self.base());
                    let mut hook = Hook::<WATCHED>::new(flags, calls, judge, self.base(), self.clock);
                    let stop = self.inner.run_frame_hooked(&mut hook, end);
                    drop(hook);
                    match stop {
                        Some(End::Hook) => return Halt::Judge,
                        None => calls.settle(&self.inner.registers),
                        Some(_) => self.next += 1,
                    }
                }
                Action::Statement(span) => {
                    if judge.statement(self, *span).is_break() {
                        return Halt::Judge;
                    }
                    self.statement = Some(*span);
                    self.next += 1;
                }
                Action::Failure { span, message } => {
                    if judge.failure(self, *span, message).is_break() {
                        return Halt::Judge;
                    }
                    self.next += 1;
                }
                Action::Poke(address, value) => {
                    judge.poke(*address, *value, self.time());
                    self.inner.poke(*address, *value);
                    self.next += 1;
                }
                action => {
                    self.act(action, calls);
                    self.next += 1;
                }
            }
        }
    }

    fn act(&mut self, action: &Action, calls: &mut Calls) {
        match action {
            Action::Enter(registers, cycles) => {
                // What is called anew is not called by what ran before.
                if registers.s >= calls.last.s || registers.pc != self.inner.registers.pc {
                    *calls = Calls::new(registers);
                }
                (self.inner.registers, self.inner.cycles) = (*registers, *cycles);
            }
            Action::Feeds(feeds) => self.feeds.clone_from(feeds),
            Action::Wires(wires) => self.wires.clone_from(wires),
            Action::Main(registers, cycles) => {
                (self.inner.registers, self.inner.cycles) = (*registers, *cycles);
                self.inner.keep_main();
            }
            Action::Prompt => self.inner.enter_prompt(),
            Action::Keys(keys) => self.inner.type_keys(keys),
            Action::Key(number, is_down) => self.inner.change_whole(|machine| {
                if let Some(key) = machine.keyboard().keys.get(usize::from(*number)) {
                    machine.set_key(key, *is_down);
                }
            }),
            Action::Joystick(port, joystick) => self.inner.set_joystick(*port, *joystick),
            Action::Reset => {
                self.inner.change_whole(|machine| machine.reset());
                *calls = Calls::new(&self.inner.registers);
            }
            Action::Start => {
                // It could be started when the test was recorded.
                let _ = self.inner.start_program();
                *calls = Calls::new(&self.inner.registers);
            }
            Action::Machine(machine) => {
                self.undone += self.inner.cycles.saturating_sub(machine.cycles);
                self.inner = (**machine).clone();
            }
            _ => {}
        }
    }

    fn run_program<const WATCHED: bool>(
        &mut self,
        judge: &mut dyn Judge,
        flags: &Flags,
        calls: &mut Calls,
        until: u64,
    ) -> Halt {
        let halt = self.run_code::<WATCHED>(judge, flags, calls, until - self.base());
        if halt != Halt::Judge {
            calls.settle(&self.inner.registers);
        }
        halt
    }

    fn run_code<const WATCHED: bool>(
        &mut self,
        judge: &mut dyn Judge,
        flags: &Flags,
        calls: &mut Calls,
        until: u64,
    ) -> Halt {
        let mut hook = Hook::<WATCHED>::new(flags, calls, judge, self.undone, self.clock);
        loop {
            if self.in_frames {
                match self.inner.run_frame_hooked(&mut hook, until) {
                    Some(End::Hook) => return Halt::Judge,
                    Some(End::Exit(_)) if self.at_end == AtEnd::GoOnAlways => {
                        self.inner.change_whole(|machine| {
                            machine.c64_mut().into_iter().for_each(|machine| machine.board.forget_exit());
                        });
                    }
                    Some(End::Exit(code)) => return Halt::Exit(code),
                    Some(End::Returned) if self.at_end != AtEnd::Stop => self.inner.enter_prompt(),
                    Some(End::Returned) => return Halt::Returned,
                    Some(End::Jammed) => return Halt::Jammed,
                    None if self.inner.cycles >= until => return Halt::Time,
                    None => {}
                }
                continue;
            }
            let stop = self.inner.run_hooked(
                &mut hook,
                &mut self.feeds,
                &mut self.wires,
                Until::cycles(until - self.inner.cycles),
            );
            return match stop {
                Stop::Hook => Halt::Judge,
                Stop::Cycles => Halt::Time,
                Stop::Jammed | Stop::Stopped => Halt::Jammed,
                Stop::Waiting => Halt::Waiting,
                _ => Halt::Time,
            };
        }
    }
}
