//! Running a routine on the emulator, many times: only what a run has written is restored for the next.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::ControlFlow;

use tempo_emu::{
    Bus, Cpu, FastBus, Hooks, Nmos, NoHooks, Pins, PlainMemory, Registers, Run, Status, Stop, Until, Variant,
};
use tempo_isa::{Mnemonic, Parts, Stability};

use crate::chip::ChipWatch;
use crate::claim::{Expr, Look, Place, Register, When};
use crate::question::Routine;
use crate::script::{Action, Script, Width};

/// The stack pointer on entry, as in a call of the test harness.
pub const ENTRY_LEVEL: u8 = 0xfb;

/// Unknown bytes and registers, which the question does not set. Those that are not here are zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unknowns {
    pub memory: HashMap<u16, u8>,
    pub registers: Vec<(Register, u8)>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Returned,
    /// Not with the closing `rts`, and why.
    Failed(String),
    /// The cycles are used up, and it may still end.
    Limit,
    /// It needs something that depends on the chip.
    Refused {
        at: u16,
        reason: String,
    },
}

/// Memory that knows what was written, and if it is watched, whether anything unknown was read.
struct Tracked<const WATCHED: bool> {
    bytes: Box<[u8; 0x10000]>,
    log: Vec<u16>,
    /// Bytes that are known or were written, by address; empty unless watched.
    defined: Vec<u64>,
    touched: Cell<bool>,
}

/// From here on all of the memory is restored.
const LOG: usize = 0x4000;

impl<const WATCHED: bool> Tracked<WATCHED> {
    #[inline(always)]
    fn get(&self, address: u16) -> u8 {
        if WATCHED && !self.is_defined(address) {
            self.touched.set(true);
        }
        self.bytes[usize::from(address)]
    }

    fn is_defined(&self, address: u16) -> bool {
        self.defined[usize::from(address >> 6)] >> (address & 63) & 1 == 1
    }

    #[inline(always)]
    fn put(&mut self, address: u16, value: u8) {
        self.bytes[usize::from(address)] = value;
        if WATCHED {
            self.defined[usize::from(address >> 6)] |= 1 << (address & 63);
        }
        if self.log.len() <= LOG {
            self.log.push(address);
        }
    }
}

impl<const WATCHED: bool> Bus for Tracked<WATCHED> {
    const PINS: Pins = Pins::NONE;

    #[inline(always)]
    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.get(addr)
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.put(addr, value);
    }

    #[inline(always)]
    fn look(&self, addr: u16) -> Option<u8> {
        Some(self.bytes[usize::from(addr)])
    }

    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.fast(self)
    }
}

impl<const WATCHED: bool> FastBus for Tracked<WATCHED> {
    const MEMORY: PlainMemory = PlainMemory::Flat;

    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        Some(self.get(addr))
    }

    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        self.put(addr, value);
        true
    }
}

/// Runs one routine. A watched one notices whether a run depends on anything that the question does not say.
pub struct Runner<'a, const WATCHED: bool = false> {
    routine: &'a Routine,
    pristine: Box<[u8; 0x10000]>,
    memory: Tracked<WATCHED>,
    cpu: Cpu<Nmos>,
    /// Bytes of memory before the call, where the inputs changed it.
    before: Vec<(u16, u8)>,
    max_cycles: u64,
    /// Registers and flags that nothing has set, if watched.
    unknown: Cell<Parts>,
}

impl<'a, const WATCHED: bool> Runner<'a, WATCHED> {
    pub fn new(routine: &'a Routine, max_cycles: u64) -> Runner<'a, WATCHED> {
        let pristine = Box::new(*routine.known.bytes());
        let defined = if WATCHED { routine.known.set().to_vec() } else { Vec::new() };
        let memory = Tracked { bytes: pristine.clone(), log: Vec::new(), defined, touched: Cell::new(false) };
        let unknown = Cell::new(Parts::NONE);
        Runner { routine, pristine, memory, cpu: Cpu::new(), before: Vec::new(), max_cycles, unknown }
    }

    /// The registers after the last run.
    pub fn registers(&self) -> Registers {
        self.cpu.registers
    }

    /// A byte of memory after the last run.
    pub fn byte(&self, address: u16) -> u8 {
        self.memory.bytes[usize::from(address)]
    }

    /// The cycles of the last run.
    pub fn cycles(&self) -> u64 {
        self.cpu.cycles
    }

    fn prepare(&mut self, inputs: &[u64], unknowns: &Unknowns) {
        let known = self.routine.known.set();
        if self.memory.log.len() > LOG {
            self.memory.bytes.copy_from_slice(&self.pristine[..]);
            if WATCHED {
                self.memory.defined.copy_from_slice(known);
            }
        }
        for address in self.memory.log.drain(..) {
            self.memory.bytes[usize::from(address)] = self.pristine[usize::from(address)];
            if WATCHED {
                let word = usize::from(address >> 6);
                self.memory.defined[word] = known[word];
            }
        }
        self.memory.touched.set(false);
        let (pc, s) = (self.routine.entry, self.routine.stack);
        let mut registers = Registers { pc, s, ..Registers::default() };
        if let Some(script) = &self.routine.script {
            let p = registers.p;
            registers.p = if script.masks_interrupts { p.with(Status::I) } else { p.without(Status::I) };
        }
        for (&address, &byte) in &unknowns.memory {
            if !self.routine.known.has(address) {
                self.memory.put(address, byte);
            }
        }
        for &(register, value) in unknowns.registers.iter().chain(&self.routine.registers) {
            set_register(&mut registers, register, value);
        }
        for (place, &value) in self.routine.places.iter().zip(inputs) {
            match *place {
                Place::Ghost => {}
                Place::Register(register) => set_register(&mut registers, register, value as u8),
                Place::Memory(address, bytes) => {
                    for offset in 0..u16::from(bytes) {
                        self.memory.put(address.wrapping_add(offset), (value >> (8 * offset)) as u8);
                    }
                }
            }
        }
        self.before.clear();
        for index in 0..self.memory.log.len() {
            let address = self.memory.log[index];
            self.before.push((address, self.memory.bytes[usize::from(address)]));
        }
        self.cpu = Cpu::with_registers(registers);
        if WATCHED {
            let places = self.routine.places.iter().filter_map(|place| match place {
                Place::Register(register) => Some(*register),
                _ => None,
            });
            let set = self.routine.registers.iter().map(|(register, _)| *register).chain(places);
            let free = [Parts::A, Parts::X, Parts::Y, Parts::N, Parts::V, Parts::Z, Parts::C];
            let free = free.into_iter().fold(Parts::NONE, Parts::and);
            self.unknown.set(set.fold(free, |free, register| free.without(parts(register))));
        }
    }

    /// Runs with these inputs, if watched: how it ended, whether anything else mattered, and an instruction that depends on
    /// the chip.
    pub fn run_watched(&mut self, inputs: &[u64]) -> (Outcome, bool, ChipWatch) {
        self.prepare(inputs, &Unknowns::default());
        let mut usage = Usage { unknown: self.unknown.get(), touched: false, watch: ChipWatch::default() };
        let outcome = self.execute(inputs, &mut usage);
        self.unknown.set(usage.unknown);
        (outcome, usage.touched || self.memory.touched.get(), usage.watch)
    }

    /// Whether a look after a watched run saw anything unknown.
    pub fn is_touched(&self) -> bool {
        self.memory.touched.get()
    }

    /// Runs with these inputs.
    pub fn run(&mut self, inputs: &[u64], unknowns: &Unknowns) -> Outcome {
        self.run_with(inputs, unknowns, &mut NoHooks)
    }

    fn run_with<H: Hooks>(&mut self, inputs: &[u64], unknowns: &Unknowns, hooks: &mut H) -> Outcome {
        self.prepare(inputs, unknowns);
        self.execute(inputs, hooks)
    }

    fn execute<H: Hooks>(&mut self, inputs: &[u64], hooks: &mut H) -> Outcome {
        match &self.routine.script {
            None => self.call(hooks),
            Some(script) => self.script(script, inputs, hooks),
        }
    }

    /// The statements of a script.
    fn script<H: Hooks>(&mut self, script: &Script, inputs: &[u64], hooks: &mut H) -> Outcome {
        self.cpu.cycles = script.cycles;
        let value = |runner: &Runner<'a, WATCHED>, expr: &Expr| expr.value(&Finished { runner, inputs });
        for (number, action) in script.actions.iter().enumerate() {
            let failed = || Outcome::Failed(format!("statement {} fails", number + 1));
            match action {
                Action::Assert(condition) => match value(self, condition) {
                    Ok(holds) if holds != 0 => {}
                    _ => return failed(),
                },
                Action::Set(register, expr) => match value(self, expr) {
                    Ok(number) if register.width() == 1 => {
                        set_register(&mut self.cpu.registers, *register, u8::from(number != 0));
                    }
                    Ok(number) if number <= 0xff => {
                        set_register(&mut self.cpu.registers, *register, number as u8);
                    }
                    _ => return failed(),
                },
                Action::Store { at, value: expr, width, least, most } => {
                    let (Ok(at), Ok(number)) = (value(self, at), value(self, expr)) else { return failed() };
                    let Ok(at) = u16::try_from(at) else { return failed() };
                    if !(*least..=*most).contains(&number) {
                        return failed();
                    }
                    self.memory.put(at, number as u8);
                    if *width == Width::Word || (*width == Width::AsNeeded && number > 0xff) {
                        self.memory.put(at.wrapping_add(1), (number >> 8) as u8);
                    }
                }
                Action::Call(entry) => {
                    let level = self.cpu.registers.s;
                    for _ in 0..2 {
                        let s = self.cpu.registers.s;
                        self.memory.put(0x0100 | u16::from(s), 0xff);
                        self.cpu.registers.s = s.wrapping_sub(1);
                    }
                    self.cpu.registers.pc = *entry;
                    let outcome = self.call(hooks);
                    if outcome != Outcome::Returned {
                        return outcome;
                    }
                    self.cpu.registers.s = level;
                }
            }
        }
        Outcome::Returned
    }

    /// One call, which begins at the program counter.
    fn call<H: Hooks>(&mut self, hooks: &mut H) -> Outcome {
        const FIRST: u64 = 100_000;
        let started = self.cpu.cycles;
        let level = Some(self.cpu.registers.s);
        let until = Until { brk: true, trap: true, ..Until::rts() };
        let stop = self.cpu.run_with(&mut self.memory, hooks, until.within(FIRST.min(self.max_cycles)));
        if stop != Stop::Cycles {
            return self.judge(stop);
        }
        // It takes long: look whether it goes round.
        let mut saved = (self.cpu.registers, self.memory.bytes.clone());
        let (mut steps, mut power) = (0u64, 64u64);
        while self.cpu.cycles - started < self.max_cycles {
            let stop = self.cpu.run_with(&mut self.memory, hooks, Until { level, ..until }.within(1));
            if stop != Stop::Cycles {
                return self.judge(stop);
            }
            if self.cpu.registers == saved.0 && self.memory.bytes == saved.1 {
                return Outcome::Failed(format!(
                    "never ends: it goes round at ${:04X} and nothing changes",
                    self.cpu.registers.pc
                ));
            }
            steps += 1;
            if steps == power {
                saved.0 = self.cpu.registers;
                saved.1.copy_from_slice(&self.memory.bytes[..]);
                power *= 2;
                steps = 0;
            }
        }
        Outcome::Limit
    }

    fn judge(&self, stop: Stop) -> Outcome {
        let at = self.cpu.registers.pc;
        match stop {
            Stop::Rts => Outcome::Returned,
            Stop::Brk if self.routine.known.has(at) => {
                Outcome::Failed(format!("runs into a brk at ${at:04X}"))
            }
            Stop::Brk => Outcome::Failed(format!("runs into memory that is not code at ${at:04X}")),
            Stop::Trap => Outcome::Failed(format!("never ends: it jumps to itself at ${at:04X}")),
            Stop::Jammed => Outcome::Failed("jams".to_string()),
            _ => Outcome::Limit,
        }
    }

    /// Runs again, instruction by instruction, and refuses what depends on the chip.
    pub fn replay(&mut self, inputs: &[u64], unknowns: &Unknowns) -> Outcome {
        let outcome = self.run(inputs, unknowns);
        let mut watch = ChipWatch::default();
        if !matches!(outcome, Outcome::Limit) {
            self.run_with(inputs, unknowns, &mut watch);
        }
        match watch.refused.zip(watch.reason()) {
            Some(((at, _), reason)) => Outcome::Refused { at, reason },
            None => outcome,
        }
    }

    /// The machine after the run, for expressions.
    pub fn look<'b>(&'b self, inputs: &'b [u64]) -> Finished<'b, WATCHED> {
        Finished { runner: self, inputs }
    }
}

/// Registers and flags that nothing has set, and whether one of them is read.
struct Usage {
    unknown: Parts,
    touched: bool,
    watch: ChipWatch,
}

impl Hooks for Usage {
    const ACCESSES: bool = false;

    #[inline(always)]
    fn instruction_on<B: Bus>(&mut self, bus: &B, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        let row = tempo_isa::Cpu::Mos6502.decode(bus.look(registers.pc).unwrap_or(0));
        if row.effects.stability != Stability::Stable || row.mnemonic == Mnemonic::Lax {
            let _ = self.watch.instruction_on(bus, registers, cycles);
        }
        self.touched |= row.effects.reads.meets(self.unknown);
        self.unknown = self.unknown.without(row.effects.writes);
        ControlFlow::Continue(())
    }
}

/// A machine after a run.
pub struct Finished<'a, const WATCHED: bool> {
    runner: &'a Runner<'a, WATCHED>,
    inputs: &'a [u64],
}

impl<const WATCHED: bool> Look for Finished<'_, WATCHED> {
    fn input(&self, number: usize) -> i128 {
        i128::from(self.inputs[number])
    }

    fn register(&self, register: Register) -> u8 {
        if WATCHED && self.runner.unknown.get().meets(parts(register)) {
            self.runner.memory.touched.set(true);
        }
        let registers = &self.runner.cpu.registers;
        let flag = |mask: u8| u8::from(registers.p.has(mask));
        match register {
            Register::A => registers.a,
            Register::X => registers.x,
            Register::Y => registers.y,
            Register::N => flag(Status::N),
            Register::V => flag(Status::V),
            Register::D => flag(Status::D),
            Register::Z => flag(Status::Z),
            Register::C => flag(Status::C),
        }
    }

    fn cycles(&self) -> u64 {
        self.runner.cpu.cycles
    }

    fn read(&self, when: When, address: u16) -> u8 {
        match when {
            When::After => self.runner.memory.get(address),
            When::Before => {
                let set = self.runner.before.iter().rev().find(|(known, _)| *known == address);
                if WATCHED && set.is_none() && !self.runner.routine.known.has(address) {
                    self.runner.memory.touched.set(true);
                }
                set.map_or(self.runner.pristine[usize::from(address)], |&(_, byte)| byte)
            }
        }
    }
}

pub(crate) fn set_register(registers: &mut Registers, register: Register, value: u8) {
    let mask = match register {
        Register::A => {
            registers.a = value;
            return;
        }
        Register::X => {
            registers.x = value;
            return;
        }
        Register::Y => {
            registers.y = value;
            return;
        }
        Register::N => Status::N,
        Register::V => Status::V,
        Register::D => Status::D,
        Register::Z => Status::Z,
        Register::C => Status::C,
    };
    registers.p = if value & 1 == 1 { registers.p.with(mask) } else { registers.p.without(mask) };
}

fn parts(register: Register) -> Parts {
    match register {
        Register::A => Parts::A,
        Register::X => Parts::X,
        Register::Y => Parts::Y,
        Register::N => Parts::N,
        Register::V => Parts::V,
        Register::D => Parts::D,
        Register::Z => Parts::Z,
        Register::C => Parts::C,
    }
}
