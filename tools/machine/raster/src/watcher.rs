//! The hook that gives each cycle its owner. It follows calls and interrupts by the stack pointer, and knows a cycle that
//! the CPU lost by the gap between two of its accesses.

use core::ops::ControlFlow;

use tempo_emu::{Access, Bus, Hooks, Interrupt, Registers, Timing};
use tempo_isa::Cpu;

use crate::idle::Waiting;

/// The use of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Code of the routine that begins at this address, called by the main program or by a handler.
    Code {
        /// Where the routine begins.
        routine: u16,
        /// The handler that it runs in, if any.
        handler: Option<(Trigger, u16)>,
    },
    /// A loop that waits, in the main program or in a handler.
    Idle {
        /// The handler that it is in, if any.
        handler: Option<(Trigger, u16)>,
    },
    /// The CPU is halted while the VIC reads a row of characters.
    BadLine,
    /// The CPU is halted while the VIC reads sprites.
    Sprites,
    /// The CPU is halted during a transfer of an expansion.
    Transfer,
    /// Not known: the frame was not watched from its beginning.
    Unknown,
}

/// The event that starts a handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trigger {
    /// The IRQ line.
    Irq,
    /// The NMI line.
    Nmi,
    /// The instruction `brk`.
    Brk,
    /// The RESET line.
    Reset,
}

impl Trigger {
    /// The name, as in `irq`.
    pub const fn name(self) -> &'static str {
        match self {
            Trigger::Irq => "irq",
            Trigger::Nmi => "nmi",
            Trigger::Brk => "brk",
            Trigger::Reset => "reset",
        }
    }
}

/// An owner of cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Its kind.
    pub part: Part,
}

/// A run of a handler, from the interrupt sequence to the end of its `rti`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The event that started it.
    pub trigger: Trigger,
    /// The first address outside of the ROM, or the first one if it never left the ROM.
    pub entry: u16,
    /// The first cycle.
    pub begin: u64,
    /// The cycle after the last one.
    pub end: u64,
}

/// The sums of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameSums {
    /// The number of the frame.
    pub frame: u64,
    /// Cycles by owner; owners that appeared later have none.
    pub counts: Vec<u64>,
}

/// The result of a watched run.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The clock and the frames of the machine.
    pub timing: Timing,
    /// The owners; cells are indexes into this list.
    pub owners: Vec<Owner>,
    /// The owner of every cycle of the first measured frame, line by line.
    pub cells: Vec<u16>,
    /// The sums of every measured frame.
    pub frames: Vec<FrameSums>,
    /// The handlers that ran in the measured frames, in the order in which they ended.
    pub runs: Vec<Run>,
    /// The cycle at which the first measured frame begins.
    pub begin: u64,
}

/// Frames whose cells are kept: a loop that waits is known to do so when its round is over.
const KEPT: u64 = 4;
/// Calls within calls that are followed.
const DEEPEST: usize = 256;
/// Owners; a program that makes more than these of itself is counted under the last one.
const MOST_OWNERS: usize = 4096;
/// Runs of handlers that are kept.
const MOST_RUNS: usize = 1 << 20;

/// The owners that every watcher has, by number.
const FIXED: [Part; 4] = [Part::Unknown, Part::BadLine, Part::Sprites, Part::Transfer];
const UNKNOWN: u16 = 0;
const BAD_LINE: u16 = 1;
const SPRITES: u16 = 2;
const TRANSFER: u16 = 3;

/// One level of calls and interrupts.
#[derive(Debug, Clone)]
struct Level {
    /// The stack pointer to which the level returns; the outermost one never does.
    s: Option<u8>,
    routine: u16,
    handler: Option<(Trigger, u16)>,
    /// The owner of its cycles.
    owner: u16,
    waiting: Waiting,
    /// The start of the interrupt whose handler this is.
    run: Option<OpenRun>,
}

#[derive(Debug, Clone, Copy)]
struct OpenRun {
    trigger: Trigger,
    begin: u64,
    first: Option<u16>,
    entry: Option<u16>,
}

/// A call that has been executed, and what it will enter.
#[derive(Debug, Clone, Copy)]
enum Pending {
    Call { s: u8 },
    Brk { s: u8 },
}

/// Gives every cycle its owner. It is a hook that wants every access, so it must be given all runs of the machine from the
/// cycle at which it was made.
#[derive(Debug, Clone)]
pub struct Watcher {
    timing: Timing,
    cpu: Cpu,
    has_expansion: bool,
    /// Frame 0 begins here.
    origin: u64,
    first: u64,
    last: u64,
    /// The next cycle without an owner.
    at: u64,
    /// The first cycle that was watched.
    since: u64,
    cells: Vec<u16>,
    owners: Vec<Owner>,
    levels: Vec<Level>,
    pending: Option<Pending>,
    /// The next frame to sum up.
    next_frame: u64,
    measured: Vec<FrameSums>,
    shown: Vec<u16>,
    runs: Vec<Run>,
    /// $D011, which decides about bad lines.
    control: u8,
}

impl Watcher {
    /// Watches from this cycle on; the frames `first` to `first + frames - 1` are measured. Frame 0 is the first whole one
    /// of the machine, from line 0 on.
    pub fn new(timing: Timing, cpu: Cpu, cycles: u64, pc: u16, first: u64, frames: u64) -> Watcher {
        let mut watcher = Watcher {
            timing,
            cpu,
            has_expansion: false,
            origin: timing.cycles_to((0, 1)),
            first,
            last: first.saturating_add(frames.max(1) - 1),
            at: cycles,
            since: cycles,
            cells: vec![0; (KEPT * timing.cycles_per_frame()) as usize],
            owners: Vec::new(),
            levels: Vec::new(),
            pending: None,
            next_frame: first,
            measured: Vec::new(),
            shown: Vec::new(),
            runs: Vec::new(),
            control: 0x1b,
        };
        for part in FIXED {
            watcher.owner(part);
        }
        let outermost = watcher.level(None, pc, None);
        watcher.levels.push(outermost);
        watcher
    }

    /// An expansion is plugged in: stolen cycles may be its transfers.
    #[must_use]
    pub fn with_expansion(mut self, has_expansion: bool) -> Watcher {
        self.has_expansion = has_expansion;
        self
    }

    /// The value of $D011 at the beginning.
    #[must_use]
    pub fn with_control(mut self, control: u8) -> Watcher {
        self.control = control;
        self
    }

    /// The number of the frame that a cycle is in; the machine begins before frame 0.
    pub fn frame_of(timing: Timing, cycle: u64) -> u64 {
        cycle.saturating_sub(timing.cycles_to((0, 1))) / timing.cycles_per_frame()
    }

    /// Whether the last frame is measured.
    pub fn is_done(&self) -> bool {
        self.next_frame > self.last
    }

    /// The result; frames that were not reached are not in it.
    pub fn finish(self) -> Measured {
        let begin = self.origin + self.first * self.timing.cycles_per_frame();
        let end = self.origin + self.next_frame * self.timing.cycles_per_frame();
        let runs = self.runs.into_iter().filter(|run| run.end > begin && run.begin < end).collect();
        Measured {
            timing: self.timing,
            owners: self.owners,
            cells: self.shown,
            frames: self.measured,
            runs,
            begin,
        }
    }

    fn owner(&mut self, part: Part) -> u16 {
        if let Some(known) = self.owners.iter().position(|owner| owner.part == part) {
            return known as u16;
        }
        if self.owners.len() < MOST_OWNERS {
            self.owners.push(Owner { part });
        }
        (self.owners.len() - 1) as u16
    }

    fn level(&mut self, s: Option<u8>, routine: u16, handler: Option<(Trigger, u16)>) -> Level {
        let owner = self.owner(Part::Code { routine, handler });
        Level { s, routine, handler, owner, waiting: Waiting::default(), run: None }
    }

    fn top(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the outermost level stays")
    }

    fn cell(&mut self, cycle: u64) -> &mut u16 {
        let at = (cycle % self.cells.len() as u64) as usize;
        &mut self.cells[at]
    }

    /// Gives the cycles from `since` on that have one owner to another one, as far as they are kept.
    fn pass(&mut self, since: u64, from: u16, to: u16) {
        let kept = (KEPT - 1) * self.timing.cycles_per_frame();
        for cycle in since.max(self.at.saturating_sub(kept))..self.at {
            let cell = self.cell(cycle);
            if *cell == from {
                *cell = to;
            }
        }
    }

    /// The CPU has used the cycle before `cycles`; those before it since its last access were taken from it.
    fn spend(&mut self, cycles: u64) {
        while self.at + 1 < cycles {
            let thief = self.thief(self.at);
            self.put(thief);
        }
        let owner = self.top().owner;
        if self.at < cycles {
            self.put(owner);
        }
    }

    fn put(&mut self, owner: u16) {
        let at = self.at;
        *self.cell(at) = owner;
        self.at += 1;
        // Two frames later nothing of it changes any more.
        let frame = self.timing.cycles_per_frame();
        let end = self.origin + (self.next_frame + 1) * frame;
        if self.at == end + frame && !self.is_done() {
            self.sum_up(end - frame);
        }
    }

    fn sum_up(&mut self, begin: u64) {
        let mut counts = vec![0; self.owners.len()];
        let is_shown = self.next_frame == self.first;
        for cycle in begin..begin + self.timing.cycles_per_frame() {
            let owner = if cycle < self.since { UNKNOWN } else { *self.cell(cycle) };
            counts[usize::from(owner)] += 1;
            if is_shown {
                self.shown.push(owner);
            }
        }
        self.measured.push(FrameSums { frame: self.next_frame, counts });
        self.next_frame += 1;
    }

    /// Who took a cycle from the CPU.
    fn thief(&self, cycle: u64) -> u16 {
        let (line, at) = self.timing.beam_at(cycle);
        let may_be_bad = (0x30..=0xf7).contains(&line) && (line as u8 ^ self.control) & 7 == 0;
        match at {
            12..=54 if may_be_bad || !self.has_expansion => BAD_LINE,
            11..=54 => TRANSFER,
            _ => SPRITES,
        }
    }

    /// Before an instruction or an interrupt at `registers.pc`: levels that were left, and the one that was entered.
    fn arrive(&mut self, registers: &Registers, cycles: u64) {
        // The machine was run without the watcher in between.
        while self.at < cycles {
            self.put(UNKNOWN);
        }
        if let Some(pending) = self.pending.take() {
            let (handler, routine) = (self.top().handler, registers.pc);
            match pending {
                Pending::Call { s } => {
                    let level = self.level(Some(s), routine, handler);
                    self.push(level);
                }
                Pending::Brk { s } => self.interrupted(Trigger::Brk, s, cycles.saturating_sub(7)),
            }
        }
        while let Some(s) = self.top().s
            && registers.s >= s
        {
            self.leave(cycles);
        }
    }

    fn push(&mut self, level: Level) {
        if self.levels.len() == DEEPEST {
            // Calls that never return: the oldest is forgotten, not the newest.
            self.levels.remove(1);
        }
        self.levels.push(level);
    }

    fn interrupted(&mut self, trigger: Trigger, s: u8, begin: u64) {
        let owner = self.owner(Part::Code { routine: 0, handler: Some((trigger, 0)) });
        let run = Some(OpenRun { trigger, begin, first: None, entry: None });
        self.push(Level {
            s: Some(s),
            routine: 0,
            handler: Some((trigger, 0)),
            owner,
            waiting: Waiting::default(),
            run,
        });
    }

    /// The innermost level is over.
    fn leave(&mut self, cycles: u64) {
        let level = self.levels.pop().expect("it is not the outermost");
        if let Some(run) = level.run {
            let entry = run.entry.or(run.first).unwrap_or(0);
            if run.entry.is_none() {
                self.name_handler(run, entry);
            }
            if self.runs.len() < MOST_RUNS {
                self.runs.push(Run { trigger: run.trigger, entry, begin: run.begin, end: cycles });
            }
        }
        if level.run.is_none() {
            // A routine was called: a loop around it does not only wait.
            self.top().waiting.forget();
        }
    }

    /// The cycles of a handler from its beginning on belong to it, and those of the routines that it has called. Returns the
    /// owner of its own code.
    fn name_handler(&mut self, run: OpenRun, entry: u16) -> u16 {
        let (unnamed, named) = (Some((run.trigger, 0)), Some((run.trigger, entry)));
        let kept = (KEPT - 1) * self.timing.cycles_per_frame();
        let mut owners: Vec<(u16, u16)> = Vec::new();
        for cycle in run.begin.max(self.at.saturating_sub(kept))..self.at {
            let from = *self.cell(cycle);
            let to = match owners.iter().find(|(known, _)| *known == from) {
                Some(&(_, to)) => to,
                None => {
                    let to = match self.owners[usize::from(from)].part {
                        Part::Code { routine, handler } if handler == unnamed => {
                            let routine = if routine == 0 { entry } else { routine };
                            self.owner(Part::Code { routine, handler: named })
                        }
                        Part::Idle { handler } if handler == unnamed => {
                            self.owner(Part::Idle { handler: named })
                        }
                        _ => from,
                    };
                    owners.push((from, to));
                    to
                }
            };
            *self.cell(cycle) = to;
        }
        self.owner(Part::Code { routine: entry, handler: named })
    }

    /// The first instruction of a handler outside of the ROM names it.
    fn enter_handler(&mut self, pc: u16, is_rom: bool) {
        let level = self.top();
        let Some(run) = &mut level.run else { return };
        if run.entry.is_some() {
            return;
        }
        run.first.get_or_insert(pc);
        if is_rom {
            return;
        }
        run.entry = Some(pc);
        let run = *run;
        let to = self.name_handler(run, pc);
        let level = self.top();
        (level.owner, level.routine, level.handler) = (to, pc, Some((run.trigger, pc)));
    }
}

/// Whether the CPU sees ROM of the machine at an address, by the port that switches it.
fn is_rom(port: u8, addr: u16) -> bool {
    match addr >> 12 {
        0xe | 0xf => port & 2 != 0,
        0xa | 0xb => port & 3 == 3,
        _ => false,
    }
}

impl Hooks for Watcher {
    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        self.arrive(registers, cycles);
        let is_rom = is_rom(bus.look(1).unwrap_or(0x37), registers.pc);
        self.enter_handler(registers.pc, is_rom);
        let level = self.top();
        if let Some(since) = level.waiting.arrive(registers, cycles) {
            let (from, handler) = (level.owner, level.handler);
            let idle = self.owner(Part::Idle { handler });
            self.pass(since, from, idle);
        }
        let opcode = bus.look(registers.pc).unwrap_or(0xea);
        let effects = self.cpu.decode(opcode).effects;
        self.top().waiting.execute(&effects);
        match opcode {
            0x20 => self.pending = Some(Pending::Call { s: registers.s }),
            0x00 => self.pending = Some(Pending::Brk { s: registers.s }),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn read(&mut self, _addr: u16, _value: u8, _access: Access, cycles: u64) {
        self.spend(cycles);
    }

    fn write(&mut self, addr: u16, value: u8, _access: Access, cycles: u64) {
        self.spend(cycles);
        if addr == 0xd011 {
            self.control = value;
        }
    }

    fn interrupt(&mut self, interrupt: Interrupt, registers: &Registers, cycles: u64) {
        self.arrive(registers, cycles);
        let trigger = match interrupt {
            Interrupt::Irq => Trigger::Irq,
            Interrupt::Nmi => Trigger::Nmi,
            Interrupt::Reset => Trigger::Reset,
        };
        self.interrupted(trigger, registers.s, cycles);
    }
}
