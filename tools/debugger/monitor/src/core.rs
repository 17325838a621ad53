//! The machine as both monitors see it: it is stopped or runs, checkpoints stop it, and every run is recorded. Knows neither
//! frames nor lines of text.
//!
//! At an instruction boundary there are four checks, in this order: steps, execution, loads, stores of the instruction that
//! has just ended. Each may stop the machine, and a run that goes on then begins with the next check of the same boundary.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use tempo_debug::{
    AtEnd, Debugger, Halt, Input, Judge, Machine, Names, Now, Ran, SourceMap, Subject, Target, Touch, Writer,
};
use tempo_emu::{Access, AnyComputer, Joystick, Part, Status};

use crate::banks::Bank;
use crate::checkpoints::{Checkpoint, Checkpoints, EXEC, LOAD, STORE};
use crate::condition::Scene;
use crate::registers::Registers;

/// Something that happened, in the order in which clients are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A checkpoint was hit; as it is after that, with the operation.
    Hit(Box<Checkpoint>, u8),
    /// A jam opcode.
    Jam,
    /// The machine is stopped.
    Stopped(Registers),
    /// The machine runs, from this PC.
    Resumed(u16),
}

/// How the machine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Until something stops it.
    Free,
    /// For a number of instructions.
    Step(u32),
    /// For a number of instructions at this depth of calls or above.
    Over(u32, usize),
    /// Until a return leads above this stack pointer.
    Return(u8),
}

/// A check of a boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Check {
    Steps,
    Exec,
    Loads,
    Stores,
}

impl Check {
    fn next(self) -> Option<Check> {
        match self {
            Check::Steps => Some(Check::Exec),
            Check::Exec => Some(Check::Loads),
            Check::Loads => Some(Check::Stores),
            Check::Stores => None,
        }
    }
}

/// The machine between two instructions.
struct Boundary<'a> {
    scene: Scene<'a>,
    depth: usize,
    /// The opcode of the instruction that has just ended, as it is in memory now.
    ended: u8,
}

/// The state that a run changes.
struct Checks {
    points: Checkpoints,
    mode: Mode,
    /// Addresses that the last instruction read and wrote, as far as a checkpoint wants to know.
    loads: Vec<u16>,
    stores: Vec<u16>,
    events: Vec<Event>,
}

impl Checks {
    /// Makes the checks from one on. Returns the one that stops the machine.
    fn make(&mut self, from: Check, at: &Boundary<'_>) -> Option<Check> {
        if from <= Check::Steps && self.is_step_over(at) {
            return Some(Check::Steps);
        }
        let pc = [at.scene.registers.pc];
        if from <= Check::Exec && self.hit(EXEC, &pc, at) {
            return Some(Check::Exec);
        }
        if from <= Check::Loads && !self.loads.is_empty() {
            let loads = std::mem::take(&mut self.loads);
            if self.hit(LOAD, &loads, at) {
                return Some(Check::Loads);
            }
        }
        if !self.stores.is_empty() {
            let stores = std::mem::take(&mut self.stores);
            if self.hit(STORE, &stores, at) {
                return Some(Check::Stores);
            }
        }
        None
    }

    fn hit(&mut self, operation: u8, addresses: &[u16], at: &Boundary<'_>) -> bool {
        let (hits, stops) = self.points.hit(operation, addresses, &at.scene);
        self.events.extend(hits.into_iter().map(|point| Event::Hit(Box::new(point), operation)));
        stops
    }

    fn is_step_over(&mut self, at: &Boundary<'_>) -> bool {
        match &mut self.mode {
            Mode::Free => false,
            Mode::Step(left) => {
                *left = left.saturating_sub(1);
                *left == 0
            }
            Mode::Over(left, depth) => {
                if at.depth <= *depth {
                    *left = left.saturating_sub(1);
                    *depth = at.depth;
                }
                *left == 0
            }
            Mode::Return(level) => {
                const RTI: u8 = 0x40;
                const RTS: u8 = 0x60;
                matches!(at.ended, RTI | RTS) && at.scene.registers.sp > *level
            }
        }
    }

    fn is_busy(&self) -> bool {
        self.mode != Mode::Free || !self.loads.is_empty() || !self.stores.is_empty()
    }
}

/// Shows boundaries to the checks.
struct Watcher<'a> {
    checks: &'a mut Checks,
    /// The boundary at this time has been checked.
    checked: u64,
    stopped: Option<Check>,
}

impl Judge for Watcher<'_> {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        if now.time == self.checked {
            return ControlFlow::Continue(());
        }
        let (line, cycle) = now.clock.beam.map_or((0, 0), |beam| beam.at(now.cycles));
        let look = |bank: Bank, address: u16| (now.look_in)(bank.part(), address);
        let registers = shown(now.registers, line, cycle, &|address| (now.look)(address));
        let ended = (now.look)(now.previous);
        let at = Boundary { scene: Scene { registers, look: &look }, depth: now.calls.frames.len(), ended };
        self.stopped = self.checks.make(Check::Steps, &at);
        self.checked = now.time;
        if self.stopped.is_some() || self.checks.events.len() > MOST_EVENTS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn touch(&mut self, touch: Touch) {
        if matches!(touch.access, Access::Opcode | Access::Operand | Access::Vector) {
            return;
        }
        let list = if touch.is_write { &mut self.checks.stores } else { &mut self.checks.loads };
        // An instruction makes a handful of accesses; an interrupt in between ends at its own boundary.
        if list.len() < 16 {
            list.push(touch.address);
        }
    }

    fn sees_all(&self) -> bool {
        self.checks.is_busy()
    }
}

fn shown(cpu: &tempo_emu::Registers, line: u16, cycle: u8, look: &dyn Fn(u16) -> u8) -> Registers {
    Registers {
        pc: cpu.pc,
        a: cpu.a,
        x: cpu.x,
        y: cpu.y,
        sp: cpu.s,
        direction: look(0),
        port: look(1),
        flags: cpu.p.byte(),
        line,
        cycle: cycle.into(),
    }
}

/// The machine's reaction to a jam opcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtJam {
    /// Clients are told, and it stands.
    Stop,
    /// It goes on: the CPU does nothing until a reset.
    GoOn,
}

/// Whether the first instruction of a new machine is one that the client has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// A checkpoint there does not stop.
    Seen,
    /// A checkpoint there stops.
    Checked,
}

/// Why the server ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A client asked for it.
    Quit,
    /// The program wrote this exit code to $D7FF.
    Exit(u8),
    /// The cycles that were asked for are over.
    Limit,
}

/// The parts of a core.
pub struct Setup {
    /// A computer as it is switched on: with its ROMs, before the reset.
    pub computer: AnyComputer,
    /// A program writes its exit code to $D7FF.
    pub has_debugcart: bool,
    /// The server ends after this number of cycles.
    pub limit: Option<u64>,
    /// Megabytes of the past.
    pub history: usize,
}

/// Bytes of changes that are kept for the past. A client that makes more of them starts a new past.
const MOST_CHANGES: usize = 16 << 20;

/// Events after which a run pauses, so that clients can be told: one checkpoint that traces may be hit at each instruction,
/// and there may be thousands.
const MOST_EVENTS: usize = 10_000;

/// The machine.
pub struct Core {
    debugger: Debugger,
    fresh: AnyComputer,
    at_end: AtEnd,
    /// The effect of a jam opcode.
    pub at_jam: AtJam,
    checks: Checks,
    is_open: bool,
    /// The check that comes next at this boundary, if not all have been made.
    due: Option<Check>,
    /// The boundary that was checked last.
    checked: u64,
    /// The flags as a client set them, as long as nothing has run.
    given: Option<(u64, u8)>,
    /// Keys that wait for the KERNAL's buffer.
    typed: VecDeque<u8>,
    limit: Option<u64>,
    changes: usize,
    is_after_reset: bool,
    /// Why the server ends.
    pub end: Option<End>,
}

impl Core {
    /// A machine that has just been switched on. It runs.
    pub fn new(setup: Setup) -> Core {
        let at_end = if setup.has_debugcart { AtEnd::GoOn } else { AtEnd::GoOnAlways };
        let mut computer = setup.computer.clone();
        computer.reset();
        let machine = Machine::of_computer(computer, at_end);
        let target = Target {
            machine,
            map: SourceMap::default(),
            names: Names::default(),
            history: setup.history,
            ..Target::elsewhere()
        };
        Core {
            debugger: Debugger::new(target),
            fresh: setup.computer,
            at_end,
            at_jam: AtJam::GoOn,
            checks: Checks {
                points: Checkpoints::default(),
                mode: Mode::Free,
                loads: Vec::new(),
                stores: Vec::new(),
                events: Vec::new(),
            },
            is_open: false,
            due: None,
            checked: u64::MAX,
            given: None,
            typed: VecDeque::new(),
            limit: setup.limit,
            changes: 0,
            is_after_reset: true,
            end: None,
        }
    }

    /// Whether the machine is stopped.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The checkpoints.
    pub fn points(&mut self) -> &mut Checkpoints {
        &mut self.checks.points
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        self.debugger.machine()
    }

    /// The computer.
    pub fn computer(&self) -> &AnyComputer {
        self.machine().computer().expect("a core has a whole computer")
    }

    /// A copy of the computer as it is.
    pub fn snapshot(&self) -> AnyComputer {
        let mut computer = self.computer().clone();
        computer.set_cpu(*self.machine().registers(), self.cycles());
        computer
    }

    /// The program's names.
    pub fn names(&mut self) -> &mut Names {
        &mut self.debugger.names
    }

    /// Cycles of the machine.
    pub fn cycles(&self) -> u64 {
        self.machine().cycles()
    }

    /// The events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.checks.events)
    }

    /// The registers.
    pub fn registers(&self) -> Registers {
        let machine = self.machine();
        let (line, cycle) = machine.beam().unwrap_or((0, 0));
        let mut registers = shown(machine.registers(), line, cycle, &|address| machine.peek(address));
        if machine.is_jammed() {
            registers.pc = registers.pc.wrapping_sub(1);
        }
        if let Some((time, flags)) = self.given
            && time == machine.time()
        {
            registers.flags = flags;
        }
        registers
    }

    /// Sets the registers of the CPU.
    pub fn set_registers(&mut self, registers: &Registers) {
        let p = Status::from_byte(registers.flags);
        let cpu = tempo_emu::Registers {
            pc: registers.pc,
            a: registers.a,
            x: registers.x,
            y: registers.y,
            s: registers.sp,
            p,
        };
        self.change(Input::Registers(cpu));
        self.given = Some((self.machine().time(), registers.flags));
    }

    /// A byte of a bank, without effects.
    pub fn peek(&self, bank: Bank, address: u16) -> u8 {
        match self.computer().c64() {
            Some(machine) => machine.board.peek_in(bank.part(), address),
            None => self.machine().peek(address),
        }
    }

    /// Reads from the first to the last address. With effects the chips notice it.
    pub fn read(&mut self, bank: Bank, first: u16, last: u16, with_effects: bool) -> Vec<u8> {
        let bytes = (first..=last).map(|address| self.peek(bank, address)).collect();
        let touches_chips = first <= 0xdfff && last >= 0xd000 && matches!(bank, Bank::Cpu | Bank::Io);
        if with_effects && touches_chips {
            self.change(Input::Read(first.max(0xd000), last.min(0xdfff)));
        }
        bytes
    }

    /// Stores bytes.
    pub fn store(&mut self, bank: Bank, address: u16, bytes: Vec<u8>) {
        self.change(Input::Store(bank.part(), address, bytes));
    }

    /// Moves the joystick of port 1 or 2: a bit that is 0 is a closed switch.
    pub fn set_joystick(&mut self, port: u8, value: u8) {
        self.change(Input::Joystick(port, Joystick::from_bits(!value)));
    }

    /// Types PETSCII characters through the KERNAL's buffer. What is longer than a program for the screen editor is left
    /// out.
    pub fn type_keys(&mut self, keys: &[u8]) {
        const MOST: usize = 0x1_0000;
        let room = MOST - self.typed.len().min(MOST);
        self.typed.extend(keys.iter().take(room));
        self.feed();
    }

    /// Fills the KERNAL's buffer, if it is empty.
    fn feed(&mut self) {
        const COUNT: u16 = 0x00c6;
        const BUFFER: u16 = 0x0277;
        if self.typed.is_empty() || self.peek(Bank::Ram, COUNT) != 0 {
            return;
        }
        let keys: Vec<u8> = self.typed.drain(..self.typed.len().min(10)).collect();
        let count = keys.len() as u8;
        self.change(Input::Store(Part::Ram, BUFFER, keys));
        self.change(Input::Store(Part::Ram, COUNT, vec![count]));
    }

    fn change(&mut self, input: Input) {
        self.changes += 128;
        if let Input::Store(_, _, bytes) = &input {
            self.changes += bytes.len();
        }
        if self.changes > MOST_CHANGES {
            self.changes = 0;
            let machine = self.machine().clone();
            self.debugger.restart(machine);
        }
        self.debugger.change(input);
    }

    /// Stops the machine for a client, if it runs.
    pub fn open(&mut self) {
        if self.is_open {
            return;
        }
        self.checks.mode = Mode::Free;
        self.stop(None);
    }

    /// The machine is stopped now. The checks of the boundary from one on are still to be made.
    fn stop(&mut self, due: Option<Check>) {
        self.checked = self.machine().time();
        self.due = due;
        if due.is_none() {
            self.checks.loads.clear();
            self.checks.stores.clear();
        }
        self.checks.mode = Mode::Free;
        self.is_open = true;
        let registers = self.registers();
        self.checks.events.push(Event::Stopped(registers));
    }

    /// Lets the machine run.
    pub fn resume(&mut self) {
        self.run_as(Mode::Free);
    }

    /// Runs `count` instructions; 0 is 65,536.
    pub fn step(&mut self, count: u16) {
        self.run_as(Mode::Step(if count == 0 { 0x1_0000 } else { count.into() }));
    }

    /// The same, with called routines and interrupts as one.
    pub fn step_over(&mut self, count: u16) {
        let depth = self.debugger.moment().calls.frames.len();
        self.run_as(Mode::Over(if count == 0 { 0x1_0000 } else { count.into() }, depth));
    }

    /// Lets the machine run until the routine returns.
    pub fn run_to_return(&mut self) {
        self.run_as(Mode::Return(self.registers().sp));
    }

    fn run_as(&mut self, mode: Mode) {
        self.checks.mode = mode;
        self.is_open = false;
        let pc = self.registers().pc;
        self.checks.events.push(Event::Resumed(pc));
    }

    /// Whether running on changes nothing: a jam opcode has stopped the CPU.
    pub fn is_dead(&self) -> bool {
        !self.is_open && self.machine().is_jammed()
    }

    /// Whether nothing but the reset has happened since a reset.
    pub fn is_after_reset(&self) -> bool {
        self.is_after_reset
    }

    /// Runs to the end of the frame at most. After a reset the first frame is only the reset itself, so that a client can
    /// look at the machine right after it.
    pub fn run_frame(&mut self) {
        if self.is_open || self.end.is_some() {
            return;
        }
        let time = self.machine().time();
        if let Some(from) = self.due.take()
            && self.check_here(from)
        {
            return;
        }
        let frame = self.computer().timing().cycles_per_frame();
        let cycles = self.cycles();
        let mut slice = frame - cycles % frame;
        if std::mem::take(&mut self.is_after_reset) && self.checks.mode == Mode::Free {
            slice = 1;
        }
        if let Some(limit) = self.limit {
            slice = slice.min(limit.saturating_sub(cycles)).max(1);
        }
        let was_jammed = self.machine().is_jammed();
        let flags = self.checks.points.flags();
        let accesses = self.checks.points.accesses();
        let mut watcher = Watcher { checks: &mut self.checks, checked: self.checked, stopped: None };
        let halt = self.debugger.drive(&mut watcher, &flags, accesses, time + slice);
        let (checked, stopped) = (watcher.checked, watcher.stopped);
        self.checked = checked;
        match (halt, stopped) {
            (Some(Halt::Judge), Some(check)) => self.stop(check.next()),
            (Some(Halt::Exit(code)), _) => self.end = Some(End::Exit(code)),
            (Some(Halt::Jammed), _) if self.limit.is_some() && self.at_jam == AtJam::GoOn => {
                self.end = Some(End::Limit);
            }
            (Some(Halt::Jammed), _) if self.checks.mode != Mode::Free && was_jammed => self.stop(None),
            (Some(Halt::Jammed), _) if self.at_jam == AtJam::Stop => {
                self.checks.events.push(Event::Jam);
                self.stop(None);
            }
            (Some(Halt::Jammed), _) if self.checks.mode != Mode::Free => self.stop(None),
            _ => {
                // What the last instruction did must not wait for the next frame: a client may come first.
                if self.machine().time() != self.checked
                    && !self.machine().is_jammed()
                    && self.check_here(Check::Steps)
                {
                    return;
                }
                self.feed();
            }
        }
        if self.limit.is_some_and(|limit| self.cycles() >= limit) && self.end.is_none() {
            self.end = Some(End::Limit);
        }
    }

    /// Makes the checks of the boundary where the machine is. Whether one of them stops it.
    fn check_here(&mut self, from: Check) -> bool {
        let (registers, time) = (self.registers(), self.machine().time());
        let moment = self.debugger.moment();
        let machine = &moment.machine;
        let look = |bank: Bank, address: u16| match machine.computer().and_then(AnyComputer::c64) {
            Some(machine) => machine.board.peek_in(bank.part(), address),
            None => machine.peek(address),
        };
        let (depth, ended) = (moment.calls.frames.len(), machine.peek(moment.calls.pc()));
        let at = Boundary { scene: Scene { registers, look: &look }, depth, ended };
        let stopped = self.checks.make(from, &at);
        self.checked = time;
        match stopped {
            Some(check) => {
                self.stop(check.next());
                true
            }
            None => false,
        }
    }

    // --- machines ------------------------------------------------------------------------------------------

    /// Pulls the reset line; with `power`, switches off and on.
    pub fn reset(&mut self, power: bool) {
        let mut computer = if power { self.fresh.clone() } else { self.snapshot() };
        computer.reset();
        self.restart(computer, First::Checked);
    }

    /// Replaces the machine. Its past starts here; checkpoints stay.
    pub fn restart(&mut self, computer: AnyComputer, first: First) {
        self.debugger.restart(Machine::of_computer(computer, self.at_end));
        self.changes = 0;
        self.given = None;
        self.typed.clear();
        self.due = None;
        self.checks.loads.clear();
        self.checks.stores.clear();
        self.checked = if first == First::Seen { self.machine().time() } else { u64::MAX };
        self.is_after_reset = self.computer().phase() == tempo_emu::Phase::Reset;
    }

    /// A computer as it is switched on, before its reset.
    pub fn fresh(&self) -> &AnyComputer {
        &self.fresh
    }

    // --- the past ------------------------------------------------------------------------------------------

    /// The last instructions, oldest first.
    pub fn ran(&self, count: usize) -> Vec<Ran> {
        self.debugger.ran_before(count)
    }

    /// The first and the last cycle of the recording.
    pub fn recording(&self) -> (u64, u64) {
        self.debugger.recording()
    }

    /// Goes back by a number of instructions, fewer if the recording begins before.
    pub fn step_back(&mut self, count: u16) {
        self.debugger.go_back(usize::from(count.max(1)));
        self.moved();
    }

    /// Goes back to the last instruction with an enabled checkpoint of execution whose condition was true, or to the start
    /// of the recording. Hits are not counted.
    pub fn run_back(&mut self) {
        let flags = self.checks.points.flags();
        let points = self.checks.points.all().to_vec();
        let found = self.debugger.last_before(self.machine().time(), &flags, &mut |now: &Now<'_>| {
            let (line, cycle) = now.clock.beam.map_or((0, 0), |beam| beam.at(now.cycles));
            let look = |bank: Bank, address: u16| (now.look_in)(bank.part(), address);
            let registers = shown(now.registers, line, cycle, &|address| (now.look)(address));
            let scene = Scene { registers, look: &look };
            points.iter().any(|point| {
                point.is_enabled
                    && point.stops
                    && point.space == 0
                    && point.operation & EXEC != 0
                    && (point.start..=point.end).contains(&registers.pc)
                    && point.condition.as_ref().is_none_or(|condition| condition.is_true(&scene))
            })
        });
        let first = self.debugger.recording().0;
        self.debugger.go_to(found.unwrap_or(first));
        self.moved();
    }

    /// Goes to the instruction at or after a cycle of the recording; `false` if it is not recorded.
    pub fn go_to(&mut self, cycle: u64) -> bool {
        if self.debugger.recorded(cycle).is_err() {
            return false;
        }
        self.debugger.go_to(cycle);
        self.moved();
        true
    }

    /// Who made the value that something had at a time.
    pub fn why_at(&self, subject: Subject, time: u64) -> Writer {
        self.debugger.why_at(subject, time)
    }

    /// The machine is at another time.
    fn moved(&mut self) {
        self.given = None;
        self.stop(None);
    }
}
