//! The cycles of instructions, as exactly as final addresses tell.

use tempo_assembler::analysis::{Analysis, Emission};
use tempo_assembler::cycles::Run;
use tempo_isa::{Class, Cpu, Flow, Instruction, Mode, Timing};

use crate::facts::Facts;

/// Cycles at least and at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Cycles {
    /// If nothing adds to them.
    pub min: u64,
    /// If everything does.
    pub max: u64,
}

impl std::ops::Add for Cycles {
    type Output = Cycles;

    fn add(self, other: Cycles) -> Cycles {
        Cycles { min: self.min + other.min, max: self.max + other.max }
    }
}

impl std::fmt::Display for Cycles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.min == self.max {
            write!(f, "{}", self.min)
        } else {
            write!(f, "{}–{}", self.min, self.max)
        }
    }
}

/// An emitted instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code<'a> {
    pub row: &'static Instruction,
    pub bytes: &'a [u8],
    /// Where it runs.
    pub address: i64,
}

impl<'a> Code<'a> {
    /// The instruction of an emission; `None` for data, and for a CPU whose cycles are not known.
    pub fn of(analysis: &'a Analysis, emission: &Emission) -> Option<Code<'a>> {
        emission.cycles?;
        Code::decoded(analysis, emission)
    }

    /// The instruction of an emission, on any CPU; `None` for data.
    pub fn decoded(analysis: &'a Analysis, emission: &Emission) -> Option<Code<'a>> {
        let cpu = emission.cpu?;
        let bytes = analysis.bytes(emission);
        let row = cpu.decode_bytes(bytes);
        (row.len() == bytes.len()).then_some(Code { row, bytes, address: emission.run_address })
    }

    /// The operand as a number.
    pub fn operand(&self) -> Option<u16> {
        match *self.bytes {
            [_, low] => Some(u16::from(low)),
            [_, low, high] => Some(u16::from_le_bytes([low, high])),
            _ => None,
        }
    }

    fn next(&self) -> i64 {
        self.address + self.bytes.len() as i64
    }

    /// Where a branch or jump leads.
    pub fn target(&self) -> Option<i64> {
        match self.row.mode {
            Mode::Relative => Some((self.next() + i64::from(self.bytes[1].cast_signed())) & 0xffff),
            Mode::ZeroPageRelative => Some((self.next() + i64::from(self.bytes[2].cast_signed())) & 0xffff),
            Mode::Absolute if matches!(self.row.effects.flow, Flow::Jump | Flow::Call) => {
                self.operand().map(i64::from)
            }
            _ => None,
        }
    }

    pub fn is_branch(&self) -> bool {
        self.row.class == Class::Branch
    }

    /// Cycles of a branch that is not taken, and of one that is.
    pub fn branch(&self) -> Option<(u64, u64)> {
        self.is_branch()
            .then(|| tempo_assembler::cycles::instruction(self.row, self.bytes, self.address as u16))
    }

    /// Its cycles. A page is crossed never or always where the address tells; else perhaps.
    pub fn cycles(&self) -> Cycles {
        let (min, max) = tempo_assembler::cycles::instruction(self.row, self.bytes, self.address as u16);
        Cycles { min, max }
    }

    /// Cycles with the conditions that add to them.
    pub fn words(&self) -> String {
        if let Some((not_taken, taken)) = self.branch() {
            if not_taken == taken {
                return format!("{taken}");
            }
            let page = if taken - not_taken > 1 { ", in another page" } else { "" };
            return format!("{not_taken}, {taken} if taken{page}");
        }
        let Cycles { min, max } = self.cycles();
        if min == max {
            return format!("{min}");
        }
        let when = match self.row.timing {
            Timing::Page => "if the page is crossed",
            Timing::Decimal => "in decimal mode",
            _ => "if the page is crossed, and in decimal mode",
        };
        format!("{min}, {max} {when}")
    }

    /// Whether what follows in memory is not run next.
    pub fn ends_flow(&self) -> bool {
        matches!(self.row.effects.flow, Flow::Jump | Flow::Return | Flow::Interrupt | Flow::Stop)
    }
}

/// Bytes and cycles of a run of emissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    /// All bytes, data included.
    pub bytes: u64,
    /// Cycles of the ways through the code, with its loops and calls; if they cannot be known, of the instructions, each
    /// once.
    pub cycles: Cycles,
    /// How many instructions there are.
    pub instructions: u64,
}

/// The sum of emissions.
pub(crate) fn sum<'a>(analysis: &Analysis, emissions: impl IntoIterator<Item = &'a Emission>) -> Sum {
    let mut sum = Sum::default();
    for emission in emissions {
        sum.bytes += emission.len() as u64;
        if let Some(code) = Code::of(analysis, emission) {
            sum.cycles = sum.cycles + code.cycles();
            sum.instructions += 1;
        }
    }
    sum
}

/// The instructions of a program at the addresses where they run.
pub(crate) fn program(analysis: &Analysis) -> tempo_assembler::cycles::Code {
    let codes = || analysis.emissions.iter().filter_map(|emission| Code::of(analysis, emission));
    let fits = |cpu: &Cpu| codes().all(|code| cpu.decode(code.bytes[0]) == code.row);
    let cpu = Cpu::assembled().find(fits).unwrap_or_default();
    let mut program = tempo_assembler::cycles::Code::new(cpu);
    for emission in &analysis.emissions {
        let Ok(address) = u16::try_from(emission.run_address) else { continue };
        let bytes = analysis.bytes(emission);
        // Code of a CPU whose cycles are not known is not taken for that of another one.
        if emission.cpu.is_some() && emission.cycles.is_none() {
            continue;
        }
        if emission.cycles.is_some() {
            program.add(address, bytes);
        } else {
            program.add_data(address, bytes);
        }
    }
    program
}

/// Instructions that are looked at for one figure, and for all figures of an answer: a person is waiting.
const STEPS: u32 = 20_000;
const ALL_STEPS: u32 = 400_000;

/// Counts cycles for one answer.
pub(crate) struct Counter<'a> {
    facts: &'a Facts,
    left: u32,
}

impl<'a> Counter<'a> {
    pub fn new(facts: &'a Facts) -> Counter<'a> {
        Counter { facts, left: ALL_STEPS }
    }

    /// The cycles of a run; `None` if they cannot be known, or not soon enough.
    fn cost(&mut self, run: Run) -> Option<Cycles> {
        let given = STEPS.min(self.left);
        let mut steps = given;
        let cost = self.facts.code().cost_within(run, &mut steps);
        self.left -= given - steps;
        cost.ok().map(|cost| Cycles { min: cost.min, max: cost.max })
    }

    /// A routine with its `rts`, calls and loops included.
    pub fn routine(&mut self, address: i64) -> Option<Cycles> {
        self.cost(Run::Routine { start: u16::try_from(address).ok()? })
    }

    /// One turn of the loop that a jump back closes.
    pub fn turn(&mut self, start: i64, last: i64) -> Option<Cycles> {
        self.cost(Run::Turn { start: u16::try_from(start).ok()?, last: u16::try_from(last).ok()? })
    }

    /// Code from its first instruction to its last one, in order of addresses, calls and loops included. `None` if there
    /// is something else in between.
    pub fn through(&mut self, emissions: &[&Emission]) -> Option<Cycles> {
        let (first, last) = (emissions.first()?, emissions.last()?);
        let is_run = emissions.iter().all(|emission| emission.cycles.is_some())
            && emissions.windows(2).all(|pair| {
                pair[0].segment == pair[1].segment
                    && pair[0].run_address + pair[0].len() as i64 == pair[1].run_address
            });
        let address = |emission: &Emission| u16::try_from(emission.run_address).ok();
        is_run.then(|| self.cost(Run::Through { start: address(first)?, last: address(last)? }))?
    }
}

/// The sum of emissions. If they are one piece of code whose ways are known, its cycles are those of the ways through it.
pub(crate) fn total(facts: &Facts, counter: &mut Counter<'_>, emissions: &mut [&Emission]) -> Sum {
    emissions.sort_by_key(|emission| (emission.segment, emission.run_address));
    let mut sum = sum(facts.analysis(), emissions.iter().copied());
    if let Some(cycles) = counter.through(emissions) {
        sum.cycles = cycles;
    }
    sum
}

/// The straight-line code at an address: up to and with the first instruction that goes elsewhere for sure, or until
/// code ends. `emissions` are those of one segment in order of address.
pub(crate) fn straight(analysis: &Analysis, segment: usize, address: i64) -> Vec<&Emission> {
    let here = |emission: &&Emission| emission.segment == segment && emission.run_address == address;
    let Some(first) = analysis.emissions.iter().position(|emission| here(&emission)) else {
        return Vec::new();
    };
    let mut run = Vec::new();
    let mut expected = address;
    for emission in &analysis.emissions[first..] {
        if emission.run_address != expected || emission.segment != segment {
            break;
        }
        let Some(code) = Code::of(analysis, emission) else { break };
        run.push(emission);
        expected += emission.len() as i64;
        if code.ends_flow() {
            break;
        }
    }
    run
}
