//! The core: one instruction at a time, every bus cycle in the chip's order.
//!
//! [`Core`] is a CPU unpacked into locals: registers in machine registers, N and Z kept as the byte they
//! come from. Everything on the hot path is inlined into [`Core::run_instructions`], so that nothing takes
//! the address of the registers; what is rare leaves that loop first. Instructions are straight-line code
//! over bus cycles, written once; stepping by cycle (`clock`) replays them.

mod cmos;
mod decimal;
mod flow;
mod modes;
mod nmos;
mod ops;

use core::hint::black_box;
use core::marker::PhantomData;

use crate::{Access, Bus, Cpu, Hooks, Phase, Pins, State, Status, Stop, Unstable, Until, Variant};

/// The pins an instruction boundary cares about.
const INTERRUPTS: Pins = Pins::IRQ.or(Pins::NMI_EDGE);

/// Pins that can act in any cycle.
const ANY_CYCLE: Pins = Pins::RDY.or(Pins::SO).or(Pins::RES);

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
    /// I and D only.
    p: u8,
    /// Interrupts decided by the last poll.
    pending: Pins,
    /// `RDY` if the last read was repeated because RDY was low, and the interrupts seen meanwhile.
    stall: Pins,
    /// The last instruction writes V so late that SO in the next opcode fetch is lost.
    is_v_late: bool,
    phase: Phase,
    cycles: u64,
    /// The cycle at which the hot loop ends: the limit of the run, or 0 if an interrupt is pending.
    horizon: u64,
}

/// Why the hot loop ended.
enum Exit {
    /// An end of the run, or a phase to go on with.
    Stop(Stop),
    /// An interrupt is pending.
    Interrupt,
    /// A `brk` was fetched.
    Brk,
}

/// Runs a CPU until an end is reached.
pub(crate) fn run<B: Bus, H: Hooks, V: Variant>(
    cpu: &mut Cpu<V>,
    bus: &mut B,
    hooks: &mut H,
    until: Until,
) -> Stop {
    let span = Span { until, limit: cpu.cycles.saturating_add(until.cycles), level: cpu.s };
    loop {
        match cpu.phase {
            Phase::Running => {
                // This core must not be lent to anything that is not inlined; see above.
                let mut core = Core::<B, H, V>::load(cpu, bus, hooks, span);
                let exit = core.run_instructions();
                core.store(cpu);
                match exit {
                    Exit::Stop(stop) if cpu.phase == Phase::Running => return stop,
                    Exit::Stop(_) => {}
                    Exit::Interrupt => aside(cpu, bus, hooks, span, |core| core.interrupt()),
                    Exit::Brk => aside(cpu, bus, hooks, span, |core| core.brk_sequence()),
                }
            }
            Phase::Jammed => return Stop::Jammed,
            Phase::Stopped => return Stop::Stopped,
            _ if cpu.cycles >= span.limit => return Stop::Cycles,
            Phase::Reset => aside(cpu, bus, hooks, span, |core| core.reset_sequence()),
            Phase::Held => aside(cpu, bus, hooks, span, |core| core.hold()),
            Phase::Waiting if !Core::<B, H, V>::INTERRUPTIBLE => return Stop::Waiting,
            Phase::Waiting => aside(cpu, bus, hooks, span, |core| core.wait_cycle()),
        }
    }
}

/// Does something rare, on a core of its own.
#[cold]
#[inline(never)]
fn aside<B: Bus, H: Hooks, V: Variant>(
    cpu: &mut Cpu<V>,
    bus: &mut B,
    hooks: &mut H,
    span: Span,
    rare: impl FnOnce(&mut Core<'_, B, H, V>),
) {
    let mut core = Core::load(cpu, bus, hooks, span);
    rare(&mut core);
    core.store(cpu);
}

/// Where a run ends.
#[derive(Clone, Copy)]
struct Span {
    until: Until,
    /// The cycle at which it ends.
    limit: u64,
    /// The stack level at which it began, for `until.rts`.
    level: u8,
}

pub(crate) struct Core<'a, B, H, V> {
    r: Regs,
    bus: &'a mut B,
    hooks: &'a mut H,
    span: Span,
    unstable: Unstable,
    variant: PhantomData<V>,
}

impl<'a, B: Bus, H: Hooks, V: Variant> Core<'a, B, H, V> {
    /// Whether the machine can interrupt at all.
    const INTERRUPTIBLE: bool = B::PINS.has_any(Pins::IRQ.or(Pins::NMI));

    #[inline(always)]
    fn load(cpu: &Cpu<V>, bus: &'a mut B, hooks: &'a mut H, span: Span) -> Self {
        let p = cpu.p.byte();
        let r = Regs {
            pc: cpu.pc,
            a: cpu.a,
            x: cpu.x,
            y: cpu.y,
            s: cpu.s,
            nz: lazy_nz(p & Status::N != 0, p & Status::Z != 0),
            c: p & Status::C,
            v: p << 1,
            p: p & (Status::I | Status::D),
            pending: cpu.pending,
            stall: Pins::NONE,
            is_v_late: cpu.is_v_late,
            phase: cpu.phase,
            cycles: cpu.cycles,
            horizon: if cpu.pending == Pins::NONE { span.limit } else { 0 },
        };
        Core { r, bus, hooks, span, unstable: cpu.unstable, variant: PhantomData }
    }

    #[inline(always)]
    fn store(self, cpu: &mut Cpu<V>) {
        cpu.p = self.status();
        let r = self.r;
        (cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s) = (r.pc, r.a, r.x, r.y, r.s);
        cpu.cycles = r.cycles;
        cpu.phase = r.phase;
        cpu.pending = r.pending;
        cpu.is_v_late = r.is_v_late;
    }

    /// The hot loop.
    #[inline(always)]
    fn run_instructions(&mut self) -> Exit {
        // One comparison serves "an address" and "none".
        let address = black_box(self.span.until.address.map_or(u32::MAX, u32::from));
        loop {
            if B::PINS.has(Pins::RES) && self.r.phase == Phase::Held {
                return Exit::Stop(Stop::Cycles);
            }
            // The one comparison of a usual round: a pending interrupt brings the horizon near.
            if self.r.cycles >= self.r.horizon {
                let is_over = self.r.cycles >= self.span.limit;
                return if is_over { Exit::Stop(Stop::Cycles) } else { Exit::Interrupt };
            }
            if u32::from(self.r.pc) == address {
                return Exit::Stop(Stop::Address);
            }
            if H::INSTRUCTIONS && self.hooks.instruction(&self.state()).is_break() {
                return Exit::Stop(Stop::Hook);
            }
            let pc = self.r.pc;
            let v = self.r.v;
            let opcode = self.read(pc, Access::Opcode);
            self.r.pc = pc.wrapping_add(1);
            if B::PINS.has(Pins::SO) && self.r.is_v_late {
                self.r.v = v;
                self.r.is_v_late = false;
            }
            self.hooks.opcode(pc, opcode, self.r.cycles);
            let exit = if V::CMOS { self.execute_cmos(opcode) } else { self.execute_nmos(opcode) };
            if let Some(exit) = exit {
                return exit;
            }
        }
    }

    // --- bus cycles -------------------------------------------------------------------------------------

    /// One read cycle, repeated while RDY is low.
    #[inline(always)]
    fn read(&mut self, addr: u16, access: Access) -> u8 {
        self.read_then(addr, addr, access)
    }

    /// One read cycle at an address that a stall gives time to correct: repetitions read at `then`.
    #[inline(always)]
    fn read_then(&mut self, addr: u16, then: u16, access: Access) -> u8 {
        if B::PINS.has_any(ANY_CYCLE) {
            if self.is_cut_short() {
                return 0;
            }
            let done = read_watched(self.bus, self.hooks, (addr, then), access, self.r.cycles);
            self.note(&done);
            return done.value;
        }
        let value = self.bus.read(addr, self.r.cycles);
        self.r.cycles += 1;
        self.hooks.read(addr, value, access, self.r.cycles);
        value
    }

    /// One write cycle. RDY does not stop it.
    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, access: Access) {
        if B::PINS.has_any(ANY_CYCLE) {
            if !self.is_cut_short() {
                let done = write_watched(self.bus, self.hooks, addr, value, access, self.r.cycles);
                self.note(&done);
            }
            return;
        }
        self.bus.write(addr, value, self.r.cycles);
        self.r.cycles += 1;
        self.hooks.write(addr, value, access, self.r.cycles);
    }

    /// Whether RES ended the instruction: what is left of it has no cycles.
    #[inline(always)]
    fn is_cut_short(&self) -> bool {
        B::PINS.has(Pins::RES) && self.r.phase == Phase::Held
    }

    #[inline(always)]
    fn note(&mut self, done: &Watched) {
        self.r.cycles = done.cycles;
        self.r.stall = done.stall;
        if B::PINS.has(Pins::SO) && done.is_overflow {
            self.r.v = 0x80;
        }
        if B::PINS.has(Pins::RES) && done.is_reset {
            self.r.phase = Phase::Held;
        }
    }

    /// A read whose value goes nowhere.
    #[inline(always)]
    fn dummy(&mut self, addr: u16) {
        self.read(addr, Access::Dummy);
    }

    /// A read whose value goes nowhere, in the last cycle.
    #[inline(always)]
    fn last_dummy(&mut self, addr: u16) {
        self.last_read(addr, Access::Dummy);
    }

    /// The read of an instruction's last cycle: before it, and while it stalls, the chip decides about
    /// interrupts.
    #[inline(always)]
    fn last_read(&mut self, addr: u16, access: Access) -> u8 {
        self.poll();
        let value = self.read(addr, access);
        self.poll_stall();
        value
    }

    /// The operand byte that is the last cycle.
    #[inline(always)]
    fn last_operand(&mut self) -> u8 {
        let pc = self.r.pc;
        self.r.pc = pc.wrapping_add(1);
        self.last_read(pc, Access::Operand)
    }

    /// The next byte after the opcode.
    #[inline(always)]
    fn operand(&mut self) -> u8 {
        let value = self.read(self.r.pc, Access::Operand);
        self.r.pc = self.r.pc.wrapping_add(1);
        value
    }

    #[inline(always)]
    fn push(&mut self, value: u8) {
        self.write(0x0100 | u16::from(self.r.s), value, Access::Stack);
        self.r.s = self.r.s.wrapping_sub(1);
    }

    #[inline(always)]
    fn pull(&mut self) -> u8 {
        self.r.s = self.r.s.wrapping_add(1);
        self.read(0x0100 | u16::from(self.r.s), Access::Stack)
    }

    /// Looks at the interrupt lines. Called between the last cycle but one and the last of an instruction:
    /// that is where the chip decides.
    #[inline(always)]
    fn poll(&mut self) {
        if Self::INTERRUPTIBLE {
            let pins = self.bus.pins(self.r.cycles);
            // Nearly always there is none, and then nothing else is to be done.
            if pins.has_any(INTERRUPTS) {
                self.decide(pins);
            }
        }
    }

    /// Looks again for the cycles the last read was stalled in.
    #[inline(always)]
    fn poll_stall(&mut self) {
        if Self::INTERRUPTIBLE && B::PINS.has(Pins::RDY) && self.r.stall != Pins::NONE {
            self.decide(self.r.stall);
        }
    }

    /// Makes those of these interrupts pending that the I flag lets through.
    #[inline(always)]
    fn decide(&mut self, pins: Pins) {
        let unmasked = unmasked(pins, self.r.p);
        if unmasked != Pins::NONE {
            self.r.pending = self.r.pending.or(unmasked);
            self.r.horizon = 0;
        }
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
        Status::from_byte(n | (self.r.v & 0x80) >> 1 | self.r.p | z | self.r.c)
    }

    #[inline(always)]
    fn set_status(&mut self, p: u8) {
        self.r.nz = lazy_nz(p & Status::N != 0, p & Status::Z != 0);
        self.r.c = p & Status::C;
        self.r.v = p << 1;
        self.r.p = p & (Status::I | Status::D);
    }

    #[inline(always)]
    fn state(&self) -> State {
        let r = &self.r;
        State { pc: r.pc, a: r.a, x: r.x, y: r.y, s: r.s, p: self.status(), cycles: r.cycles }
    }
}

/// What happened in a cycle whose pins are watched.
#[derive(Clone, Copy)]
struct Watched {
    cycles: u64,
    value: u8,
    /// `RDY` if the read was repeated, with IRQ, NMI and its edge as seen in all cycles but the last.
    stall: Pins,
    is_overflow: bool,
    is_reset: bool,
}

/// A read on a machine that drives RDY, SO or RES. Not inlined: there are over a thousand places that read.
#[inline(never)]
fn read_watched<B: Bus, H: Hooks>(
    bus: &mut B,
    hooks: &mut H,
    (mut addr, then): (u16, u16),
    access: Access,
    cycles: u64,
) -> Watched {
    let mut done = Watched { cycles, value: 0, stall: Pins::NONE, is_overflow: false, is_reset: false };
    loop {
        done.value = bus.read(addr, done.cycles);
        done.cycles += 1;
        hooks.read(addr, done.value, access, done.cycles);
        let pins = watch(bus, &mut done);
        if !B::PINS.has(Pins::RDY) || !pins.has(Pins::RDY) || done.is_reset {
            return done;
        }
        done.stall = done.stall.or(pins.and(INTERRUPTS.or(Pins::NMI).or(Pins::RDY)));
        addr = then;
    }
}

#[inline(never)]
fn write_watched<B: Bus, H: Hooks>(
    bus: &mut B,
    hooks: &mut H,
    addr: u16,
    value: u8,
    access: Access,
    cycles: u64,
) -> Watched {
    let mut done =
        Watched { cycles: cycles + 1, value, stall: Pins::NONE, is_overflow: false, is_reset: false };
    bus.write(addr, value, cycles);
    hooks.write(addr, value, access, done.cycles);
    watch(bus, &mut done);
    done
}

#[inline(always)]
fn watch<B: Bus>(bus: &mut B, done: &mut Watched) -> Pins {
    let pins = bus.pins(done.cycles);
    if B::PINS.has(Pins::SO) && pins.has(Pins::SO_EDGE) {
        bus.acknowledge(Pins::SO_EDGE);
        done.is_overflow = true;
    }
    done.is_reset |= B::PINS.has(Pins::RES) && pins.has(Pins::RES);
    pins
}

/// The interrupts among these pins that the I flag lets through.
#[cold]
#[inline(never)]
fn unmasked(pins: Pins, p: u8) -> Pins {
    let pins = pins.and(INTERRUPTS);
    if p & Status::I != 0 { pins.without(Pins::IRQ) } else { pins }
}

/// N and Z in the lazy form, where both may be set.
#[inline(always)]
fn lazy_nz(n: bool, z: bool) -> u32 {
    u32::from(n) << 15 | u32::from(!z)
}
