//! What instructions cost, as exactly as final addresses tell.

use assembler::analysis::{Analysis, Emission};
use isa::{Class, Cpu, Instruction, Mnemonic, Mode, Timing};

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
    /// The instruction of an emission; `None` for data.
    pub fn of(analysis: &'a Analysis, emission: &Emission) -> Option<Code<'a>> {
        let (min, max) = emission.cycles?;
        let bytes = analysis.bytes(emission);
        let opcode = *bytes.first()?;
        // The table is the one whose cycles were reported.
        let fits = |cpu: &Cpu| {
            let row = cpu.decode(opcode);
            (row.cycles, row.max_cycles(), row.len()) == (min, max, bytes.len())
        };
        let cpu = [Cpu::Mos6502, Cpu::Wdc65c02, Cpu::Dtv].into_iter().find(fits)?;
        Some(Code { row: cpu.decode(opcode), bytes, address: emission.run_address })
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
            Mode::Absolute if matches!(self.row.mnemonic, Mnemonic::Jmp | Mnemonic::Jsr) => {
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
        let target = self.target().filter(|_| self.is_branch())?;
        let crosses = u64::from(target >> 8 != (self.next() & 0xffff) >> 8);
        let base = u64::from(self.row.cycles);
        Some(match self.row.timing {
            // `bra` is always taken.
            Timing::Page => (base + crosses, base + crosses),
            _ => (base, base + 1 + crosses),
        })
    }

    /// What it costs. A page is crossed never or always where the address tells; else perhaps.
    pub fn cycles(&self) -> Cycles {
        let base = u64::from(self.row.cycles);
        if let Some((not_taken, taken)) = self.branch() {
            return Cycles { min: not_taken, max: taken };
        }
        let can_cross = match self.row.mode {
            // An index moves by 255 at most.
            Mode::AbsoluteX | Mode::AbsoluteY => self.operand().is_none_or(|address| address & 0xff != 0),
            _ => true,
        };
        let page = u64::from(can_cross);
        let extra = match self.row.timing {
            Timing::Fixed => 0,
            Timing::Page => page,
            Timing::Branch => 2,
            Timing::Decimal => 1,
            Timing::PageDecimal => 1 + page,
        };
        Cycles { min: base, max: base + extra }
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
        matches!(
            self.row.mnemonic,
            Mnemonic::Jmp | Mnemonic::Rts | Mnemonic::Rti | Mnemonic::Brk | Mnemonic::Jam | Mnemonic::Bra
        )
    }
}

/// Bytes and cycles of a run of emissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sum {
    /// All bytes, data included.
    pub bytes: u64,
    /// Cycles of the instructions, each once.
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
