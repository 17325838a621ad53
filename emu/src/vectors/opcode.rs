//! One instruction: state before, state after, bus cycles.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{BusCycle, Recorder, VectorError, bus_cycles, byte, fields, memory, registers};
use crate::{Clocked, Cpu, Phase, Registers, Unstable, Variant};

/// A recorded instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpcodeCase {
    /// The name in reports.
    pub name: String,
    /// Its first byte.
    pub opcode: u8,
    /// The registers before it.
    pub before: Registers,
    /// Every byte the instruction reads; the others do not matter.
    pub memory: Vec<(u16, u8)>,
    /// The registers after it.
    pub after: Registers,
    /// Bytes to compare afterwards.
    pub memory_after: Vec<(u16, u8)>,
    /// Its bus cycles.
    pub cycles: Vec<BusCycle>,
}

/// The CPU's result for a case, where it differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The registers after the case.
    pub registers: Registers,
    /// The bytes of `memory_after` as they are.
    pub memory: Vec<(u16, u8)>,
    /// The bus cycles seen.
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
pub struct Bench {
    recorder: Recorder,
    unstable: Unstable,
}

impl Bench {
    /// A machine with zeros in its memory.
    pub fn new() -> Bench {
        Bench::with_unstable(Unstable::default())
    }

    /// The same with a chip whose unstable opcodes have these constants.
    pub fn with_unstable(unstable: Unstable) -> Bench {
        Bench { recorder: Recorder::new(0), unstable }
    }

    /// Runs a case cycle by cycle, for as many cycles as it has.
    pub fn run<V: Variant>(&mut self, case: &OpcodeCase) -> Outcome {
        let recorder = &mut self.recorder;
        recorder.cycles.clear();
        recorder.store(&case.memory);
        let mut cpu = Cpu::with_registers(case.before);
        cpu.unstable = self.unstable;
        let mut cpu = Clocked::<V>::new(cpu);
        // Long enough for the case, and to the end of an instruction that takes longer than it should.
        while recorder.cycles.len() < case.cycles.len() || !cpu.is_between() {
            cpu.cycle(recorder);
            let is_done = cpu.is_between() && cpu.before().phase != Phase::Jammed;
            if is_done || recorder.cycles.len() > 2 * case.cycles.len() + 8 {
                break;
            }
        }
        let ram = &mut recorder.ram;
        let outcome = Outcome {
            registers: cpu.before().registers,
            memory: case.memory_after.iter().map(|&(addr, _)| (addr, ram[usize::from(addr)])).collect(),
            cycles: recorder.cycles.clone(),
        };
        // The next case starts from zeros.
        for cycle in &recorder.cycles {
            ram[usize::from(cycle.addr)] = 0;
        }
        for &(addr, _) in &case.memory {
            ram[usize::from(addr)] = 0;
        }
        outcome
    }
}

impl Default for Bench {
    fn default() -> Bench {
        Bench::new()
    }
}
