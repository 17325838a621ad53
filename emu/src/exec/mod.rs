//! The core: one instruction at a time, every bus cycle in the chip's order.
//!
//! [`Core`] is a CPU unpacked into locals: registers in machine registers, N and Z kept as the byte they
//! come from. Instructions are straight-line code over bus cycles, written once and compiled for each way to
//! reach a machine (`link`). A loop of a machine's own must stay free of calls, even of those that never
//! happen, or the registers move to memory: on plain memory an instruction that meets a device, an interrupt
//! or a `brk` is dropped and begun again on the shared core, which is compiled once for all machines.
//! Stepping by cycle (`clock`) replays instructions on that core, too.

mod cmos;
mod cycles;
mod decimal;
mod flow;
mod link;
mod modes;
mod nmos;
mod ops;

use core::hint::{black_box, cold_path};
use core::marker::PhantomData;

use crate::{Bus, Code, Coupling, Cpu, Hooks, Phase, Pins, State, Status, Stop, Unstable, Until, Variant};

use link::{INTERRUPTS, Inlined, Link, Plain, Shared, Wired};

pub use link::Machine;

/// Pins that can act in any cycle; only the shared core looks at them.
const ANY_CYCLE: Pins = Pins::RDY.or(Pins::SO).or(Pins::RES);

/// The last address where no instruction reaches over the end of memory.
const LAST_WHOLE: u32 = 0xfffd;

/// The most cycles of an instruction.
const LONGEST: u64 = 8;

/// Everything of the CPU that instructions change.
#[derive(Clone, Copy)]
struct Regs {
    pc: u16,
    a: u8,
    x: u8,
    y: u8,
    s: u8,
    /// Z is "the low byte is 0", N is bit 7 or bit 15.
    nz: u32,
    /// 0 or 1.
    c: u8,
    /// V is bit 7.
    v: u8,
    /// The interrupts that are let through, as pins: NMI always, IRQ if I is clear. D is at its place in the
    /// status, where no pin is.
    p: u8,
    /// Cycles until the loop ends, and the cycle at which it does: the limit of the run, or earlier.
    left: i64,
    end: u64,
    /// On plain memory: the address of the instruction, and the place that the machine has for it.
    start: u16,
    place: usize,
    /// Interrupts decided by the last poll.
    pending: Pins,
    /// On plain memory: an interrupt line is low or may soon be, so I must stay as it is.
    is_mask_fixed: bool,
    /// `RDY` if the last read was repeated because RDY was low, and the interrupts seen meanwhile.
    stall: Pins,
    /// The last instruction writes V so late that SO in the next opcode fetch is lost.
    is_v_late: bool,
    phase: Phase,
}

/// Why a loop ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// An end of the run, or a phase to go on with.
    Stop(Stop),
    /// An interrupt is pending, or the instruction at the program counter is one for the shared core.
    Aside,
    /// A `brk` was fetched.
    Brk,
    /// All is done but the decimal addition or subtraction of this operand.
    Add(u8),
    Subtract(u8),
}

/// Where a run ends.
#[derive(Clone, Copy)]
pub struct Span {
    until: Until,
    /// The cycle at which it ends.
    limit: u64,
    /// From this stack level on an `rts` ends it: where it began, or out of reach.
    level: u16,
}

/// Runs a CPU until an end is reached.
pub(crate) fn run<B: Bus, H: Hooks, V: Variant>(
    cpu: &mut Cpu<V>,
    bus: &mut B,
    hooks: &mut H,
    until: Until,
) -> Stop {
    let level = if until.rts { u16::from(until.level.unwrap_or(cpu.s)) } else { 0x100 };
    let span = Span { until, limit: cpu.cycles.saturating_add(until.cycles), level };
    if const { H::ACCESSES || B::PINS.has_any(ANY_CYCLE) || matches!(B::COUPLING, Coupling::Shared) } {
        return V::run_shared(cpu, &mut Wired { bus, hooks }, span);
    }
    loop {
        let mut exit = Exit::Aside;
        if cpu.phase == Phase::Running && cpu.pending == Pins::NONE {
            exit = bus.run_own(cpu, hooks, span);
            match exit {
                Exit::Stop(stop) if cpu.phase == Phase::Running => return stop,
                Exit::Stop(_) => continue,
                _ => {}
            }
        }
        if let Some(stop) = V::step_shared(cpu, &mut Wired { bus, hooks }, span, exit) {
            return stop;
        }
    }
}

/// The loop of a machine's own: instructions while nothing else is to be done.
pub fn run_own<B: Bus, H: Hooks, V: Variant>(
    cpu: &mut Cpu<V>,
    bus: &mut B,
    hooks: &mut H,
    span: Span,
) -> Exit {
    if const { matches!(B::COUPLING, Coupling::Plain | Coupling::Flat) } {
        let mut core = Core::load(cpu, Plain { bus, hooks }, span);
        let exit = core.run_instructions();
        core.store(cpu);
        exit
    } else {
        let mut core = Core::load(cpu, Inlined { bus, hooks }, span);
        let exit = core.run_instructions();
        core.store(cpu);
        exit
    }
}

/// A whole run on the shared core.
pub fn run_shared<V: Variant>(cpu: &mut Cpu<V>, machine: &mut dyn Machine, span: Span) -> Stop {
    let is_hooked = machine.is_hooked();
    loop {
        let mut exit = Exit::Aside;
        if cpu.phase == Phase::Running && cpu.pending == Pins::NONE {
            let mut core = Core::load(cpu, Shared { machine, is_hooked }, span);
            exit = core.run_instructions();
            core.store(cpu);
            match exit {
                Exit::Stop(stop) if cpu.phase == Phase::Running => return stop,
                Exit::Stop(_) => continue,
                _ => {}
            }
        }
        if let Some(stop) = step_shared(cpu, machine, span, exit) {
            return stop;
        }
    }
}

/// What comes next, on the shared core: the rest of a `brk`, an interrupt, an instruction that a loop of its
/// own did not want, or what a CPU does that does not run. `None` is "go on".
pub fn step_shared<V: Variant>(
    cpu: &mut Cpu<V>,
    machine: &mut dyn Machine,
    span: Span,
    exit: Exit,
) -> Option<Stop> {
    match cpu.phase {
        Phase::Jammed => return Some(Stop::Jammed),
        Phase::Stopped => return Some(Stop::Stopped),
        Phase::Waiting if machine.is_silent() => return Some(Stop::Waiting),
        _ if exit != Exit::Brk && cpu.cycles >= span.limit => return Some(Stop::Cycles),
        _ => {}
    }
    let mut core = Core::<_, V>::load(cpu, Shared { machine, is_hooked: false }, span);
    let mut result = Ok(());
    match core.r.phase {
        Phase::Running if exit == Exit::Brk => core.brk_sequence(),
        Phase::Running if core.r.pending != Pins::NONE => core.interrupt(),
        // The loop has asked the hook and looked at the address before it gave up.
        Phase::Running => result = core.shared_instruction(),
        Phase::Reset => core.reset_sequence(),
        Phase::Held => core.hold(),
        _ => core.wait_cycle(),
    }
    if result == Err(Exit::Brk) {
        core.brk_sequence();
    }
    core.store(cpu);
    match result {
        Err(Exit::Stop(stop)) if cpu.phase == Phase::Running => Some(stop),
        _ => None,
    }
}

/// The plain memory that instructions are looked for in without asking. It ends before the address to stop at, so
/// that one comparison serves both.
struct Window {
    first: u32,
    count: u32,
    /// From an address to its place.
    distance: usize,
}

impl Window {
    /// Nothing yet, or all of flat memory but its end, where instructions could wrap.
    #[inline(always)]
    fn new<L: Link>(address: u32) -> Window {
        let count = if L::IS_FLAT { address.min(LAST_WHOLE + 1) } else { 0 };
        // Or the minimum would be taken apart, into two comparisons of every round.
        Window { first: 0, count: black_box(count), distance: 0 }
    }

    /// The part of a stretch of memory where `pc` is.
    #[inline(always)]
    fn open(&mut self, code: Code, pc: u32, address: u32) {
        let (mut first, mut end) = (u32::from(code.first), u32::from(code.last) + 1);
        if address < pc {
            first = first.max(address + 1);
        } else {
            end = end.min(address);
        }
        self.first = first;
        self.count = end - first;
        self.distance = code.place.wrapping_sub(usize::from(code.first));
    }

    #[inline(always)]
    fn has<L: Link>(&self, pc: u32) -> bool {
        if L::IS_FLAT { pc < self.count } else { pc.wrapping_sub(self.first) < self.count }
    }

    #[inline(always)]
    fn place<L: Link>(&self, pc: u32) -> usize {
        if L::IS_FLAT { pc as usize } else { self.distance.wrapping_add(pc as usize) }
    }
}

struct Core<L, V> {
    r: Regs,
    link: L,
    span: Span,
    unstable: Unstable,
    variant: PhantomData<V>,
}

impl<L: Link, V: Variant> Core<L, V> {
    #[inline(always)]
    fn load(cpu: &Cpu<V>, link: L, span: Span) -> Self {
        let mut core = Core {
            r: Regs {
                pc: cpu.pc,
                a: cpu.a,
                x: cpu.x,
                y: cpu.y,
                s: cpu.s,
                nz: 0,
                c: 0,
                v: 0,
                p: 0,
                left: 0,
                end: cpu.cycles,
                start: cpu.pc,
                place: 0,
                pending: cpu.pending,
                is_mask_fixed: false,
                stall: Pins::NONE,
                is_v_late: cpu.is_v_late,
                phase: cpu.phase,
            },
            link,
            span,
            unstable: cpu.unstable,
            variant: PhantomData,
        };
        core.set_status(cpu.p.byte());
        if cpu.pending == Pins::NONE {
            core.end_at(span.limit);
        }
        core
    }

    #[inline(always)]
    fn store(&self, cpu: &mut Cpu<V>) {
        cpu.p = self.status();
        let r = &self.r;
        (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s) = (r.pc, r.a, r.x, r.y, r.s);
        cpu.cycles = self.cycles();
        if !L::IS_PLAIN {
            cpu.phase = r.phase;
            cpu.pending = r.pending;
        }
        cpu.is_v_late = L::IS_WATCHED && r.is_v_late && self.link.driven().has(Pins::SO);
    }

    /// The loop.
    #[inline(always)]
    fn run_instructions(&mut self) -> Exit {
        let mut address = self.span.until.address.map_or(u32::MAX, u32::from);
        if !L::IS_PLAIN {
            // Or the compiler would look every time whether there is one.
            address = black_box(address);
        }
        let mut window = Window::new::<L>(address);
        if L::IS_PLAIN {
            // Every instruction from before this cycle is over before an interrupt is to be noticed.
            // As long as no line is low it does not matter which of them are let through.
            let mut quiet = self.link.quiet_until(INTERRUPTS).saturating_sub(LONGEST);
            self.r.is_mask_fixed = quiet <= self.cycles();
            if self.r.is_mask_fixed {
                quiet = self.link.quiet_until(Pins::from_bits(self.r.p)).saturating_sub(LONGEST);
            }
            self.end_at(self.r.end.min(quiet));
        }
        loop {
            if L::IS_WATCHED && self.r.phase == Phase::Held {
                return Exit::Stop(Stop::Cycles);
            }
            // The one comparison of a usual round: a pending interrupt brings the end near.
            if self.r.left <= 0 {
                cold_path();
                if self.cycles() >= self.span.limit {
                    return Exit::Stop(Stop::Cycles);
                }
                return if L::IS_PLAIN { self.leave() } else { Exit::Aside };
            }
            let pc = u32::from(self.r.pc);
            if if L::IS_PLAIN { !window.has::<L>(pc) } else { pc == address } {
                cold_path();
                if pc == address {
                    return Exit::Stop(Stop::Address);
                }
                if L::IS_FLAT && pc > LAST_WHOLE {
                    return self.leave();
                }
                if L::IS_PLAIN && !L::IS_FLAT {
                    match self.link.code_around(self.r.pc) {
                        Some(code) if code.last >= self.r.pc => window.open(code, pc, address),
                        _ => return self.leave(),
                    }
                }
            }
            if L::IS_PLAIN {
                self.r.place = window.place::<L>(pc);
            }
            if self.is_ended_by_hook() {
                return Exit::Stop(Stop::Hook);
            }
            let start = self.r;
            let result = if L::IS_WATCHED { self.shared_instruction() } else { self.instruction() };
            match result {
                Ok(()) => {}
                Err(Exit::Add(value)) => self.add_decimal(value),
                Err(Exit::Subtract(value)) => self.subtract_decimal(value),
                Err(Exit::Aside) if L::IS_PLAIN => {
                    self.r = start;
                    return Exit::Aside;
                }
                Err(exit) => return exit,
            }
        }
    }

    /// Leaves the next instruction to the shared core, once it is clear that there is one.
    #[inline(always)]
    fn leave(&mut self) -> Exit {
        if self.span.until.address == Some(self.r.pc) {
            return Exit::Stop(Stop::Address);
        }
        if self.is_ended_by_hook() { Exit::Stop(Stop::Hook) } else { Exit::Aside }
    }

    #[inline(always)]
    fn is_ended_by_hook(&mut self) -> bool {
        self.link.is_hooked() && self.link.instruction(&self.state()).is_break()
    }

    /// The shared core calls its instructions, so that the loop and the single step have one copy of them.
    #[inline(never)]
    fn shared_instruction(&mut self) -> Result<(), Exit> {
        match self.instruction() {
            Err(Exit::Add(value)) => self.add_decimal(value),
            Err(Exit::Subtract(value)) => self.subtract_decimal(value),
            result => return result,
        }
        Ok(())
    }

    /// One instruction; an `Err` leaves the loop.
    #[inline(always)]
    fn instruction(&mut self) -> Result<(), Exit> {
        let opcode = self.fetch()?;
        // The eight branches are every fourth instruction and the ones after which the next is hardest to guess.
        // Kept away from the jump by opcode they leave the processor's memory of its targets to the others.
        if !L::IS_WATCHED && opcode & 0x1f == 0x10 {
            return self.branch_on_flag(opcode);
        }
        if V::CMOS { self.execute_cmos(opcode) } else { self.execute_nmos(opcode) }
    }

    /// What is rare leaves the loop on plain memory, so that it does not hold registers there.
    #[inline(always)]
    fn leave_plain(&self) -> Result<(), Exit> {
        if L::IS_PLAIN { Err(Exit::Aside) } else { Ok(()) }
    }

    /// When interrupts come can depend on I; then a change of it leaves the loop that knows when.
    #[inline(always)]
    fn leave_if_masked_anew(&self, p: u8) -> Result<(), Exit> {
        let is_same = (p ^ Status::I ^ self.r.p) & Status::I == 0;
        if is_same || !self.r.is_mask_fixed { Ok(()) } else { self.leave_plain() }
    }

    /// How many are over.
    #[inline(always)]
    fn cycles(&self) -> u64 {
        self.r.end.wrapping_sub(self.r.left.cast_unsigned())
    }

    /// Sets the cycle at which the loop ends, at the latest.
    #[inline(always)]
    fn end_at(&mut self, end: u64) {
        let cycles = self.cycles();
        let left = end.saturating_sub(cycles).min(u64::MAX >> 1);
        self.r.left = left.cast_signed();
        self.r.end = cycles.wrapping_add(left);
    }

    // --- flags ------------------------------------------------------------------------------------------

    #[inline(always)]
    fn set_nz(&mut self, value: u8) {
        self.r.nz = u32::from(value);
    }

    #[inline(always)]
    fn is_n(&self) -> bool {
        self.r.nz & 0x8080 != 0
    }

    #[inline(always)]
    fn is_z(&self) -> bool {
        self.r.nz & 0xff == 0
    }

    #[inline(always)]
    fn is_decimal(&self) -> bool {
        V::DECIMAL && self.r.p & Status::D != 0
    }

    #[inline(always)]
    fn status(&self) -> Status {
        let n = if self.is_n() { Status::N } else { 0 };
        let z = if self.is_z() { Status::Z } else { 0 };
        let id = (self.r.p ^ Status::I) & (Status::I | Status::D);
        Status::from_byte(n | (self.r.v & 0x80) >> 1 | id | z | self.r.c)
    }

    #[inline(always)]
    fn set_status(&mut self, p: u8) {
        self.r.nz = lazy_nz(p & Status::N != 0, p & Status::Z != 0);
        self.r.c = p & Status::C;
        self.r.v = p << 1;
        self.r.p = (p ^ Status::I) & (Status::I | Status::D) | Pins::NMI_EDGE.bits();
    }

    #[inline(always)]
    fn state(&self) -> State {
        let r = &self.r;
        State { pc: r.pc, a: r.a, x: r.x, y: r.y, s: r.s, p: self.status(), cycles: self.cycles() }
    }
}

/// N and Z in the lazy form, where both may be set.
#[inline(always)]
fn lazy_nz(n: bool, z: bool) -> u32 {
    u32::from(n) << 15 | u32::from(!z)
}
