//! A machine with the program in it, and calls as functions: registers in, registers and cycles out.

use tempo_emu::c64::{Expanded, Reu};
use tempo_emu::{Cpu, Hooks, Nmos, NoHooks, Ram, Registers, Status, Stop, Until};
use thiserror::Error;

use crate::program::{Entry, Program, Routine};

/// Apart from the search, no routine runs nearly as long; one that does is stuck.
pub(crate) const CALL_LIMIT: u64 = 20_000_000;

/// The program in its own emulator.
pub struct ChessMachine<'p> {
    /// The program that was loaded, for its symbols.
    pub program: &'p Program,
    /// The memory, which callers may read and write between calls.
    pub ram: Box<Ram>,
    cpu: Cpu<Nmos>,
    reu: Option<Box<Reu>>,
    /// Cycles of all calls so far.
    pub cycles: u64,
}

/// The devices plugged into the machine beside its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Expansion {
    /// Nothing.
    #[default]
    None,
    /// A RAM expansion of this many kilobytes: 128, 256, 512, and so on to 16384.
    Reu(usize),
}

impl Expansion {
    /// One of this many kilobytes; `None` if none has that size.
    pub fn from_kilobytes(kilobytes: usize) -> Option<Expansion> {
        Reu::new(kilobytes).map(|_| Expansion::Reu(kilobytes))
    }
}

/// The state after a routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// The accumulator.
    pub a: u8,
    /// The X register.
    pub x: u8,
    /// The Y register.
    pub y: u8,
    /// The carry flag, in which many routines answer yes or no.
    pub carry: bool,
    /// From the routine's first cycle to the last one of its `rts`; the caller's `jsr` is not counted.
    pub cycles: u64,
}

/// A call that did not come back as the interface promises.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CallError {
    /// The routine took more cycles than it was given.
    #[error("{routine} did not return within {limit} cycles; it was at ${pc:04X}")]
    Endless {
        /// Its label.
        routine: &'static str,
        /// The cycles it was given.
        limit: u64,
        /// Where it was then.
        pc: u16,
    },
    /// There is no RAM expansion of that size.
    #[error("a RAM expansion has {sizes}, not {0} KB", sizes = Reu::SIZES)]
    NoSuchExpansion(usize),
    /// The program does not look for a RAM expansion, or finds none.
    #[error("the program makes no use of a RAM expansion")]
    UnusedExpansion,
    /// The routine ran into a `brk` or a jam.
    #[error("{routine} stopped at ${pc:04X}: {stop:?}")]
    Stopped {
        /// Its label.
        routine: &'static str,
        /// Where it stopped.
        pc: u16,
        /// The reason it stopped.
        stop: Stop,
    },
    /// The routine left more or fewer bytes on the stack than it found.
    #[error("{routine} moved the stack pointer from ${before:02X} to ${after:02X}")]
    Unbalanced {
        /// Its label.
        routine: &'static str,
        /// The stack pointer at the call.
        before: u8,
        /// The stack pointer after the return.
        after: u8,
    },
}

/// Where the 6510 chooses between memory and chips, and the program's choice: chips, and memory instead of ROMs.
const CPU_PORT: u16 = 0x0001;
const ALL_RAM_IO: u8 = 0x35;
/// The stack pointer inside a routine: `jsr` has pushed the return address.
const STACK_IN_CALL: u8 = 0xfd;

impl<'p> ChessMachine<'p> {
    /// A fresh copy of the image, hash keys and opening book ready.
    pub fn new(program: &'p Program) -> Result<ChessMachine<'p>, CallError> {
        ChessMachine::with(program, Expansion::None)
    }

    /// The same with a RAM expansion, in which the program keeps its table of positions.
    pub fn with(program: &'p Program, expansion: Expansion) -> Result<ChessMachine<'p>, CallError> {
        let reu = match expansion {
            Expansion::None => None,
            Expansion::Reu(size) => Some(Box::new(Reu::new(size).ok_or(CallError::NoSuchExpansion(size))?)),
        };
        let mut machine =
            ChessMachine { program, ram: program.image.clone(), cpu: Cpu::new(), reu, cycles: 0 };
        machine.call(Routine::InitZobristTables, 0, 0)?;
        if machine.reu.is_some() {
            machine.ram[CPU_PORT] = ALL_RAM_IO;
        }
        if let Some(entry) = program.entry("InstallBook") {
            machine.enter(entry, 0, 0, CALL_LIMIT, &mut NoHooks)?;
        }
        if machine.reu.is_some() {
            let find = program.entry("FindExpansion").ok_or(CallError::UnusedExpansion)?;
            if !machine.enter(find, 0, 0, CALL_LIMIT, &mut NoHooks)?.carry {
                return Err(CallError::UnusedExpansion);
            }
            let clear = program.entry("ClearTable").ok_or(CallError::UnusedExpansion)?;
            machine.enter(clear, 0, 0, CALL_LIMIT, &mut NoHooks)?;
        }
        Ok(machine)
    }

    /// The devices plugged in.
    pub fn expansion(&self) -> Expansion {
        self.reu.as_ref().map_or(Expansion::None, |reu| Expansion::Reu(reu.kilobytes()))
    }

    /// Calls a routine with A and X set.
    pub fn call(&mut self, routine: Routine, a: u8, x: u8) -> Result<Reply, CallError> {
        self.call_with(routine, a, x, CALL_LIMIT, &mut NoHooks)
    }

    /// Calls a routine under hooks, with its own limit.
    pub fn call_with<H: Hooks>(
        &mut self,
        routine: Routine,
        a: u8,
        x: u8,
        limit: u64,
        hooks: &mut H,
    ) -> Result<Reply, CallError> {
        self.enter(Entry { name: routine.name(), address: self.program.routine(routine) }, a, x, limit, hooks)
    }

    /// Calls an entry that is not part of the interface, if the program has it.
    pub fn enter<H: Hooks>(
        &mut self,
        entry: Entry,
        a: u8,
        x: u8,
        limit: u64,
        hooks: &mut H,
    ) -> Result<Reply, CallError> {
        self.begin(entry, a, x);
        match self.resume(entry.name, limit, hooks)? {
            Some(reply) => Ok(reply),
            None => Err(CallError::Endless { routine: entry.name, limit, pc: self.cpu.registers.pc }),
        }
    }

    /// Puts the CPU before the first instruction of an entry; `resume` runs it.
    pub(crate) fn begin(&mut self, entry: Entry, a: u8, x: u8) {
        self.cpu = Cpu::with_registers(Registers {
            pc: entry.address,
            a,
            x,
            s: STACK_IN_CALL,
            ..Registers::default()
        });
    }

    /// The address of the next instruction.
    pub(crate) fn position_of_cpu(&self) -> u16 {
        self.cpu.registers.pc
    }

    /// Runs what `begin` prepared for this many cycles more; `None` if it has not come back by then.
    pub(crate) fn resume<H: Hooks>(
        &mut self,
        routine: &'static str,
        limit: u64,
        hooks: &mut H,
    ) -> Result<Option<Reply>, CallError> {
        self.resume_to(routine, limit, None, hooks)
    }

    /// As `resume`, but ends before the instruction at an address, too.
    pub(crate) fn resume_to<H: Hooks>(
        &mut self,
        routine: &'static str,
        limit: u64,
        address: Option<u16>,
        hooks: &mut H,
    ) -> Result<Option<Reply>, CallError> {
        let cpu = &mut self.cpu;
        let before = cpu.cycles;
        let until = Until { brk: true, level: Some(STACK_IN_CALL), address, ..Until::rts().within(limit) };
        let stop = match &mut self.reu {
            None => cpu.run_with(&mut self.ram, hooks, until),
            Some(reu) => cpu.run_with(&mut Expanded { ram: &mut self.ram, reu }, hooks, until),
        };
        self.cycles += cpu.cycles - before;
        let registers = cpu.registers;
        match stop {
            Stop::Rts if registers.s == STACK_IN_CALL.wrapping_add(2) => {
                let Registers { a, x, y, p, .. } = registers;
                Ok(Some(Reply { a, x, y, carry: p.has(Status::C), cycles: cpu.cycles }))
            }
            Stop::Rts => Err(CallError::Unbalanced {
                routine,
                before: STACK_IN_CALL,
                after: registers.s.wrapping_sub(2),
            }),
            Stop::Cycles | Stop::Address => Ok(None),
            stop => Err(CallError::Stopped { routine, pc: registers.pc, stop }),
        }
    }
}
