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

use crate::{
    Bus, Cmos, CodeWindow, Cpu, FastBus, Hooks, Nmos, NoHooks, Phase, Pins, PlainMemory, Ram, Registers,
    Ricoh2A03, Status, Stop, Unstable, Until, Variant,
};

use link::{Forecast, Hooked, INTERRUPTS, Inlined, Known, Link, Plain, Shared, Unknown};

pub use link::SharedBus;

/// Pins that can act in any cycle; only the shared core looks at them.
const EVERY_CYCLE: Pins = Pins::RDY.or(Pins::SO).or(Pins::RES);

/// Those of them that must be looked at, if the machine knows how long RDY is low or not.
const fn every_cycle(knows_ready: bool) -> Pins {
    if knows_ready { EVERY_CYCLE.without(Pins::RDY) } else { EVERY_CYCLE }
}

/// The last address where no instruction reaches over the end of memory.
const LAST_WHOLE: u32 = 0xfffd;

/// The most cycles of an instruction.
const LONGEST: u64 = 8;

/// Everything of the CPU that instructions change, in the form that is fastest to change.
#[derive(Clone, Copy)]
struct Unpacked {
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
    /// The switches, as pins: NMI always, IRQ if the I flag is clear. Decimal mode is the bit of the D flag,
    /// where no pin is.
    enabled: u8,
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
    /// RDY if it was low in the last read, and the interrupts seen meanwhile.
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
    /// The next thing to do is one for the shared core: an interrupt that is pending, or the instruction at the
    /// program counter.
    ToShared,
    /// The hook wants to see the instruction at the program counter before it runs.
    ToHook,
    /// A `brk` was fetched.
    Brk,
    /// All is done but the decimal addition of this operand.
    Add(u8),
    /// All is done but the decimal subtraction of this operand.
    Subtract(u8),
}

/// Where a run ends.
#[derive(Clone, Copy)]
pub struct Limits {
    until: Until,
    /// The cycle at which it ends.
    cycle: u64,
    /// From this stack level on an `rts` ends it: where it began, or out of reach.
    level: u16,
    /// The instruction at this cycle was shown to the hook that selects, which let it pass.
    passed: u64,
}

/// A run that is to be made: a CPU, its hooks and the ends. [`Bus::run_cpu`] gets one and picks the loop.
pub struct Run<'a, V: Variant, H> {
    cpu: &'a mut Cpu<V>,
    hooks: &'a mut H,
    limits: Limits,
}

impl<'a, V: Variant, H: Hooks> Run<'a, V, H> {
    #[inline(always)]
    pub(crate) fn new(cpu: &'a mut Cpu<V>, hooks: &'a mut H, until: Until) -> Run<'a, V, H> {
        let level = if until.rts { u16::from(until.level.unwrap_or(cpu.registers.s)) } else { 0x100 };
        let cycle = cpu.cycles.saturating_add(until.cycles);
        Run { cpu, hooks, limits: Limits { until, cycle, level, passed: u64::MAX } }
    }

    /// A loop for this bus with [`Bus::read`] and [`Bus::write`] inlined. There are over a thousand places that
    /// call them, so a large body should be `#[inline(never)]`.
    #[inline(always)]
    pub fn inlined<B: Bus>(self, bus: &mut B) -> Stop {
        self.in_loop::<B, Unknown>(bus, |cpu, bus, hooks, limits| {
            run_own(cpu, Inlined::<_, _, Unknown> { bus, hooks, forecast: PhantomData }, limits)
        })
    }

    /// No loop for this bus: the core that all machines share calls it through a pointer, several times slower.
    /// For recorders and tests, where compiling a loop takes longer than running it.
    #[inline(always)]
    pub fn shared<B: Bus>(self, bus: &mut B) -> Stop {
        self.through_pointer::<B, Unknown>(bus)
    }

    /// A loop for this bus with its plain memory inlined.
    #[inline(always)]
    pub fn fast<B: FastBus>(self, bus: &mut B) -> Stop {
        self.in_loop::<B, Known>(bus, |cpu, bus, hooks, limits| {
            if const { matches!(B::MEMORY, PlainMemory::None) } {
                run_own(cpu, Inlined::<_, _, Known> { bus, hooks, forecast: PhantomData }, limits)
            } else {
                run_own(cpu, Plain { bus, hooks }, limits)
            }
        })
    }

    /// The loop for flat RAM. Without hooks it is compiled with this crate, once for every program.
    #[inline(always)]
    pub(crate) fn ram(self, ram: &mut Ram) -> Stop {
        self.in_loop::<Ram, Known>(ram, |cpu, ram, hooks, limits| {
            if const { H::INSTRUCTIONS || H::CALLS || H::SELECTS } {
                run_own(cpu, Plain { bus: ram, hooks }, limits)
            } else {
                V::run_ram(cpu, ram, limits)
            }
        })
    }

    /// Runs instructions in a loop of the bus's own, and all else on the shared core.
    #[inline(always)]
    fn in_loop<B: Bus, F: Forecast<B>>(
        self,
        bus: &mut B,
        mut own: impl FnMut(&mut Cpu<V>, &mut B, &mut H, Limits) -> Exit,
    ) -> Stop {
        // In a `const`, so that the loop is not even compiled if it cannot run.
        if const { H::ACCESSES || B::PINS.has_any(every_cycle(F::STALLS)) } {
            return self.through_pointer::<B, F>(bus);
        }
        let Run { cpu, hooks, mut limits } = self;
        let stop = loop {
            let mut exit = Exit::ToShared;
            if cpu.phase == Phase::Running && cpu.pending == Pins::NONE {
                exit = own(cpu, bus, hooks, limits);
                match exit {
                    Exit::Stop(stop) if cpu.phase == Phase::Running => break stop,
                    Exit::Stop(_) => continue,
                    Exit::ToHook => {
                        if hooks.instruction_on(bus, &cpu.registers, cpu.cycles).is_break() {
                            break Stop::Hook;
                        }
                        limits.passed = cpu.cycles;
                        continue;
                    }
                    _ => {}
                }
            }
            let mut hooked = Hooked::<_, _, F> { bus, hooks, forecast: PhantomData };
            if let Some(stop) = V::step_shared(cpu, &mut hooked, limits, exit) {
                break stop;
            }
            if F::ends_run(bus) {
                break Stop::Machine;
            }
        };
        F::run_ended(bus, cpu.cycles);
        stop
    }

    #[inline(always)]
    fn through_pointer<B: Bus, F: Forecast<B>>(self, bus: &mut B) -> Stop {
        let Run { cpu, hooks, limits } = self;
        let stop = V::run_shared(cpu, &mut Hooked::<_, _, F> { bus, hooks, forecast: PhantomData }, limits);
        F::run_ended(bus, cpu.cycles);
        stop
    }
}

/// The cores that are compiled with this crate, once for every program.
pub trait Cores: Sized {
    /// A run on the core that all machines share.
    fn run_shared(cpu: &mut Cpu<Self>, bus: &mut dyn SharedBus, limits: Limits) -> Stop
    where
        Self: Variant;

    /// One step on that core.
    fn step_shared(cpu: &mut Cpu<Self>, bus: &mut dyn SharedBus, limits: Limits, exit: Exit) -> Option<Stop>
    where
        Self: Variant;

    /// The loop on flat RAM.
    fn run_ram(cpu: &mut Cpu<Self>, ram: &mut Ram, limits: Limits) -> Exit
    where
        Self: Variant;
}

macro_rules! cores {
    ($($variant:ty),*) => {$(
        impl Cores for $variant {
            #[inline(never)]
            fn run_shared(cpu: &mut Cpu<Self>, bus: &mut dyn SharedBus, limits: Limits) -> Stop {
                run_shared(cpu, bus, limits)
            }

            #[inline(never)]
            fn step_shared(
                cpu: &mut Cpu<Self>,
                bus: &mut dyn SharedBus,
                limits: Limits,
                exit: Exit,
            ) -> Option<Stop> {
                step_shared(cpu, bus, limits, exit)
            }

            #[inline(never)]
            fn run_ram(cpu: &mut Cpu<Self>, ram: &mut Ram, limits: Limits) -> Exit {
                run_own(cpu, Plain { bus: ram, hooks: &mut NoHooks }, limits)
            }
        }
    )*};
}

cores!(Nmos, Ricoh2A03, Cmos);

/// The loop of a machine's own: instructions while nothing else is to be done. Not inlined, or the calls around
/// it would take the machine registers.
#[inline(never)]
fn run_own<L: Link, V: Variant>(cpu: &mut Cpu<V>, link: L, limits: Limits) -> Exit {
    let mut core = Core::load(cpu, link, limits);
    let exit = core.run_instructions();
    core.store(cpu);
    exit
}

/// A whole run on the shared core.
fn run_shared<V: Variant>(cpu: &mut Cpu<V>, bus: &mut dyn SharedBus, limits: Limits) -> Stop {
    let is_hooked = bus.is_hooked();
    loop {
        let mut exit = Exit::ToShared;
        if cpu.phase == Phase::Running && cpu.pending == Pins::NONE {
            let mut core = Core::load(cpu, Shared::new(bus, is_hooked), limits);
            exit = core.run_instructions();
            core.store(cpu);
            match exit {
                Exit::Stop(stop) if cpu.phase == Phase::Running => return stop,
                Exit::Stop(_) => continue,
                _ => {}
            }
        }
        if let Some(stop) = step_shared(cpu, bus, limits, exit) {
            return stop;
        }
    }
}

/// The next step on the shared core: the rest of a `brk`, an interrupt, an instruction that a loop of its
/// own did not want, or what a CPU does that does not run. `None` is "go on".
fn step_shared<V: Variant>(
    cpu: &mut Cpu<V>,
    bus: &mut dyn SharedBus,
    limits: Limits,
    exit: Exit,
) -> Option<Stop> {
    match cpu.phase {
        Phase::Jammed => return Some(Stop::Jammed),
        Phase::Stopped => return Some(Stop::Stopped),
        Phase::Waiting if bus.is_silent(cpu.cycles) => return Some(Stop::Waiting),
        _ if exit != Exit::Brk && cpu.cycles >= limits.cycle => return Some(Stop::Cycles),
        _ => {}
    }
    let mut core = Core::<_, V>::load(cpu, Shared::new(bus, false), limits);
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
    fn open(&mut self, code: CodeWindow, pc: u32, address: u32) {
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
    r: Unpacked,
    link: L,
    limits: Limits,
    unstable: Unstable,
    variant: PhantomData<V>,
}

impl<L: Link, V: Variant> Core<L, V> {
    #[inline(always)]
    fn load(cpu: &Cpu<V>, link: L, limits: Limits) -> Self {
        let registers = &cpu.registers;
        let mut core = Core {
            r: Unpacked {
                pc: registers.pc,
                a: registers.a,
                x: registers.x,
                y: registers.y,
                s: registers.s,
                nz: 0,
                c: 0,
                v: 0,
                enabled: 0,
                left: 0,
                end: cpu.cycles,
                start: registers.pc,
                place: 0,
                pending: cpu.pending,
                is_mask_fixed: false,
                stall: Pins::NONE,
                is_v_late: cpu.is_v_late,
                phase: cpu.phase,
            },
            link,
            limits,
            unstable: cpu.unstable,
            variant: PhantomData,
        };
        core.set_status(registers.p.byte());
        if cpu.pending == Pins::NONE {
            core.end_at(limits.cycle);
        }
        core
    }

    #[inline(always)]
    fn store(&self, cpu: &mut Cpu<V>) {
        let r = &self.r;
        cpu.registers = self.registers();
        cpu.cycles = self.cycles();
        if !L::IS_PLAIN {
            cpu.phase = r.phase;
            cpu.pending = r.pending;
        }
        cpu.is_v_late = L::IS_WATCHED && r.is_v_late && self.link.watched().has(Pins::SO);
    }

    /// The loop.
    #[inline(always)]
    fn run_instructions(&mut self) -> Exit {
        let mut address = self.limits.until.address.map_or(u32::MAX, u32::from);
        if !L::IS_PLAIN {
            // Or the compiler would look every time whether there is one.
            address = black_box(address);
        }
        let mut window = Window::new::<L>(address);
        if L::IS_PLAIN {
            // Every instruction from before this cycle is over before an interrupt is to be noticed.
            // As long as no line is low it does not matter which of them are let through.
            let cycle = self.cycles();
            let mut quiet = self.link.quiet_until(INTERRUPTS, cycle).saturating_sub(LONGEST);
            self.r.is_mask_fixed = quiet <= cycle;
            if self.r.is_mask_fixed {
                let enabled = Pins::from_bits(self.r.enabled);
                quiet = self.link.quiet_until(enabled, cycle).saturating_sub(LONGEST);
            }
            if L::ENDS_BEFORE_STALLS {
                quiet = quiet.min(self.link.quiet_until(Pins::RDY, cycle).saturating_sub(LONGEST));
            }
            self.end_at(self.r.end.min(quiet));
        }
        loop {
            if L::IS_WATCHED && self.r.phase == Phase::Held {
                return Exit::Stop(Stop::Cycles);
            }
            if L::IS_WATCHED && self.link.ends_run() {
                return Exit::Stop(Stop::Machine);
            }
            // The one comparison of a usual round: a pending interrupt brings the end near.
            if self.r.left <= 0 {
                cold_path();
                if self.cycles() >= self.limits.cycle {
                    return Exit::Stop(Stop::Cycles);
                }
                return if L::IS_PLAIN { self.leave() } else { Exit::ToShared };
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
            if self.is_selected() {
                cold_path();
                return Exit::ToHook;
            }
            let start = self.r;
            let result = if L::IS_WATCHED { self.shared_instruction() } else { self.instruction() };
            match result {
                Ok(()) => {}
                Err(Exit::Add(value)) => self.add_decimal(value),
                Err(Exit::Subtract(value)) => self.subtract_decimal(value),
                Err(Exit::ToShared) if L::IS_PLAIN => {
                    self.r = start;
                    return Exit::ToShared;
                }
                Err(exit) => return exit,
            }
        }
    }

    /// Leaves the next instruction to the shared core, once it is clear that there is one.
    #[inline(always)]
    fn leave(&mut self) -> Exit {
        if self.limits.until.address == Some(self.r.pc) {
            return Exit::Stop(Stop::Address);
        }
        if self.is_selected() {
            return Exit::ToHook;
        }
        if self.is_ended_by_hook() { Exit::Stop(Stop::Hook) } else { Exit::ToShared }
    }

    /// Whether the hook wants to see the next instruction, and has not yet.
    #[inline(always)]
    fn is_selected(&mut self) -> bool {
        L::SELECTS && self.link.selects(self.r.pc, self.r.s) && self.cycles() != self.limits.passed
    }

    #[inline(always)]
    fn is_ended_by_hook(&mut self) -> bool {
        self.link.is_hooked() && self.link.instruction(&self.registers(), self.cycles()).is_break()
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

    /// Rare cases leave the loop on plain memory, so that they hold no registers there.
    #[inline(always)]
    fn leave_plain(&self) -> Result<(), Exit> {
        if L::IS_PLAIN { Err(Exit::ToShared) } else { Ok(()) }
    }

    /// When interrupts come can depend on I; then a change of it leaves the loop that knows when.
    #[inline(always)]
    fn leave_if_masked_anew(&self, p: u8) -> Result<(), Exit> {
        let is_same = (p ^ Status::I ^ self.r.enabled) & Status::I == 0;
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
        V::DECIMAL && self.r.enabled & Status::D != 0
    }

    #[inline(always)]
    fn status(&self) -> Status {
        let n = if self.is_n() { Status::N } else { 0 };
        let z = if self.is_z() { Status::Z } else { 0 };
        let id = (self.r.enabled ^ Status::I) & (Status::I | Status::D);
        Status::from_byte(n | (self.r.v & 0x80) >> 1 | id | z | self.r.c)
    }

    #[inline(always)]
    fn set_status(&mut self, p: u8) {
        self.r.nz = lazy_nz(p & Status::N != 0, p & Status::Z != 0);
        self.r.c = p & Status::C;
        self.r.v = p << 1;
        self.r.enabled = (p ^ Status::I) & (Status::I | Status::D) | Pins::NMI_EDGE.bits();
    }

    #[inline(always)]
    fn registers(&self) -> Registers {
        let r = &self.r;
        Registers { pc: r.pc, a: r.a, x: r.x, y: r.y, s: r.s, p: self.status() }
    }
}

/// N and Z in the lazy form, where both may be set.
#[inline(always)]
fn lazy_nz(n: bool, z: bool) -> u32 {
    u32::from(n) << 15 | u32::from(!z)
}
