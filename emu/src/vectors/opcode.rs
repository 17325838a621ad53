//! One instruction: state before, state after, bus cycles.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{BusCycle, Kind, Registers, VectorError, bus_cycles, byte, fields, memory, registers};
use crate::{Bus, Clocked, Phase, Variant};

/// A recorded instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpcodeCase {
    pub name: String,
    pub opcode: u8,
    pub before: Registers,
    /// Every byte the instruction reads; the others do not matter.
    pub memory: Vec<(u16, u8)>,
    pub after: Registers,
    /// Bytes to compare afterwards.
    pub memory_after: Vec<(u16, u8)>,
    pub cycles: Vec<BusCycle>,
}

/// What the CPU did with a case, where it differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub registers: Registers,
    /// The bytes of `memory_after` as they are.
    pub memory: Vec<(u16, u8)>,
    pub cycles: Vec<BusCycle>,
}

impl OpcodeCase {
    /// Reads `OP[mark] IDX|before|memory|after|written|bus cycles`.
    pub fn parse(line: &str) -> Result<OpcodeCase, VectorError> {
        let [name, before, ram, after, written, cycles] = fields(line)?;
        let opcode = name.get(..2).ok_or_else(|| VectorError::new("an opcode expected", name))?;
        Ok(OpcodeCase {
            opcode: byte(opcode)?,
            name: name.to_string(),
            before: registers(before)?,
            memory: memory(ram)?,
            after: registers(after)?,
            memory_after: memory(written)?,
            cycles: bus_cycles(cycles)?,
        })
    }

    /// Whether registers and memory are as recorded.
    pub fn state_matches(&self, outcome: &Outcome) -> bool {
        outcome.registers == self.after && outcome.memory == self.memory_after
    }

    /// Whether the bus cycles are as recorded.
    pub fn bus_matches(&self, outcome: &Outcome) -> bool {
        outcome.cycles == self.cycles
    }
}

/// A machine to run cases on, one after the other.
pub struct Bench(Box<Recorder>);

struct Recorder {
    ram: [u8; 0x10000],
    cycles: Vec<BusCycle>,
}

impl Bench {
    pub fn new() -> Bench {
        Bench(Box::new(Recorder { ram: [0; 0x10000], cycles: Vec::new() }))
    }

    /// Runs a case cycle by cycle, for as many cycles as it has.
    pub fn run<V: Variant>(&mut self, case: &OpcodeCase) -> Outcome {
        let recorder = &mut *self.0;
        recorder.cycles.clear();
        for &(addr, value) in &case.memory {
            recorder.ram[usize::from(addr)] = value;
        }
        let mut cpu = Clocked::<V>::new(case.before.cpu());
        // Long enough for the case, and to the end of an instruction that takes longer than it should.
        while recorder.cycles.len() < case.cycles.len() || !cpu.is_between() {
            cpu.cycle(recorder);
            let is_done = cpu.is_between() && cpu.before().phase != Phase::Jammed;
            if is_done || recorder.cycles.len() > 2 * case.cycles.len() + 8 {
                break;
            }
        }
        let outcome = Outcome {
            registers: Registers::of(cpu.before()),
            memory: case
                .memory_after
                .iter()
                .map(|&(addr, _)| (addr, recorder.ram[usize::from(addr)]))
                .collect(),
            cycles: recorder.cycles.clone(),
        };
        // The next case starts from zeros.
        for cycle in &recorder.cycles {
            recorder.ram[usize::from(cycle.addr)] = 0;
        }
        for &(addr, _) in &case.memory {
            recorder.ram[usize::from(addr)] = 0;
        }
        outcome
    }
}

impl Default for Bench {
    fn default() -> Bench {
        Bench::new()
    }
}

impl Bus for Recorder {
    #[inline(never)]
    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        let value = self.ram[usize::from(addr)];
        self.cycles.push(BusCycle { addr, value, kind: Kind::Read });
        value
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.ram[usize::from(addr)] = value;
        self.cycles.push(BusCycle { addr, value, kind: Kind::Write });
    }
}
