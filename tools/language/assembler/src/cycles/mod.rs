//! How many cycles code takes, without running it: every way from one place to another is followed with what is known
//! of registers, flags and memory on it, so loops with constant counts are counted and branches cost what they do at
//! their final addresses.
//!
//! ```
//! use tempo_assembler::cycles::{Code, Run};
//! use tempo_assembler::Cpu;
//!
//! let mut code = Code::new(Cpu::Mos6502);
//! code.add(0x1000, &[0xa2, 5]); // ldx #5
//! code.add(0x1002, &[0xca]); // loop: dex
//! code.add(0x1003, &[0xd0, 0xfd]); // bne loop
//! let cost = code.cost(Run::Through { start: 0x1000, last: 0x1003 }).unwrap();
//! assert_eq!((cost.min, cost.max), (2 + 5 * 2 + 4 * 3 + 2, 26));
//! ```
//!
//! Interrupts, bad lines and sprites are not counted: they are not in the program.

mod state;
mod walk;

use tempo_isa::{Class, Cpu, Instruction, Mnemonic, Mode, Parts, Timing};

/// Instructions that are looked at before a count gives up.
pub(crate) const MAX_STEPS: u32 = 1 << 22;

/// The code to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// From the instruction at `start` until the one at `last` has been executed and execution goes on outside. Ways that
    /// leave the run earlier do not count.
    Through {
        /// The first instruction.
        start: u16,
        /// The last one.
        last: u16,
    },
    /// One turn of a loop: from `start` until the jump or branch at `last` is back there.
    Turn {
        /// The first instruction.
        start: u16,
        /// The jump back.
        last: u16,
    },
    /// A routine up to and including its `rts`.
    Routine {
        /// The first instruction.
        start: u16,
    },
    /// An interrupt handler up to and including its `rti`, or the `jmp` with which it goes on outside of the program, as in
    /// `jmp $ea31`. The seven cycles of the interrupt sequence come before it.
    Handler {
        /// The first instruction.
        start: u16,
    },
}

impl Run {
    pub(crate) fn start(self) -> u16 {
        match self {
            Run::Through { start, .. } | Run::Turn { start, .. } => start,
            Run::Routine { start } | Run::Handler { start } => start,
        }
    }
}

/// The cycles of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// On the fastest way.
    pub min: u64,
    /// On the slowest way.
    pub max: u64,
    /// Instructions whose cost or way is not known, by address.
    pub varying: Vec<(u16, Varying)>,
}

/// Why an instruction does not always cost the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Varying {
    /// A branch that may be taken or not.
    Branch,
    /// Indexing that may cross a page.
    Page,
    /// Arithmetic of the 65C02 that takes longer in decimal mode.
    Decimal,
}

/// Why the cycles of a run cannot be known, and the address that makes it so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown {
    /// The instruction.
    pub address: u16,
    /// The statement about it.
    pub reason: Reason,
}

/// The reason that the cycles of a run are unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A branch back whose number of turns is not known.
    Turns,
    /// Nothing of the program is at that address, or several parts are.
    NoCode(u16),
    /// The target of a jump or return is not known.
    Target,
    /// The program writes over the opcode.
    Changed,
    /// The CPU stops, or goes on through a vector.
    Stops,
    /// All ways leave the run before its end; this is one of them.
    Leaves,
    /// More ways or turns than are counted.
    TooLong,
    /// The cycles of this CPU depend on the speed that the machine is switched to.
    NoCycles(Cpu),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Turns => write!(f, "how often this loop turns depends on what comes before the run"),
            Reason::NoCode(address) => write!(f, "leads to ${address:04X}, which is not in this program"),
            Reason::Target => write!(f, "where this leads is not known"),
            Reason::Changed => write!(f, "the program writes over this instruction"),
            Reason::Stops => write!(f, "execution does not continue after this"),
            Reason::Leaves => write!(f, "the run is left here, and its end is not reached"),
            Reason::NoCycles(cpu) => {
                write!(f, "the cycles of the {} are not known", cpu.name().to_uppercase())
            }
            Reason::TooLong => write!(f, "this goes on for longer than is counted"),
        }
    }
}

/// A program as the CPU sees it.
#[derive(Debug, Clone)]
pub struct Code {
    cpu: Cpu,
    bytes: Vec<u8>,
    kinds: Vec<Kind>,
    /// Addresses that instructions write to.
    written: Vec<bool>,
    has_sed: bool,
}

/// The contents of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    /// Different bytes of several parts, such as banks.
    Several,
    Byte,
}

impl Code {
    /// Nothing yet.
    pub fn new(cpu: Cpu) -> Code {
        Code {
            cpu,
            bytes: vec![0; 0x10000],
            kinds: vec![Kind::Nothing; 0x10000],
            written: vec![false; 0x10000],
            has_sed: false,
        }
    }

    /// Adds an instruction, at the address where it runs.
    pub fn add(&mut self, address: u16, bytes: &[u8]) {
        self.add_data(address, bytes);
        let Some(&opcode) = bytes.first() else { return };
        let row = self.cpu.decode(opcode);
        self.has_sed |= row.mnemonic == Mnemonic::Sed;
        let is_plain =
            !matches!(row.mode, Mode::Implied | Mode::IndirectX | Mode::IndirectY | Mode::ZeroPageIndirect);
        if is_plain && matches!(row.class, Class::Write | Class::Modify) {
            self.written[usize::from(operand_of(bytes))] = true;
        }
    }

    /// Adds bytes that may be executed although no instruction put them there.
    pub fn add_data(&mut self, address: u16, bytes: &[u8]) {
        for (&byte, at) in bytes.iter().zip(usize::from(address)..0x10000) {
            let is_other = self.kinds[at] != Kind::Nothing && self.bytes[at] != byte;
            self.kinds[at] = if is_other { Kind::Several } else { Kind::Byte };
            self.bytes[at] = byte;
        }
    }

    /// Says which of several bytes at an address count: those of the bank that is looked at.
    pub fn prefer(&mut self, address: u16, bytes: &[u8]) {
        for (&byte, at) in bytes.iter().zip(usize::from(address)..0x10000) {
            (self.bytes[at], self.kinds[at]) = (byte, Kind::Byte);
        }
    }

    /// The cycles of a run.
    pub fn cost(&self, run: Run) -> Result<Cost, Unknown> {
        self.cost_within(run, &mut { MAX_STEPS })
    }

    /// The same with a number of instructions that may be looked at; it is counted down.
    pub fn cost_within(&self, run: Run, steps: &mut u32) -> Result<Cost, Unknown> {
        walk::Walk::new(self, run, steps).cost()
    }

    /// The instruction at an address with its operand, which is `None` if the program writes over it.
    fn at(&self, address: u16) -> Result<(&'static Instruction, Option<u16>), Reason> {
        if !self.cpu.has_cycles() {
            return Err(Reason::NoCycles(self.cpu));
        }
        let at = usize::from(address);
        if self.kinds[at] != Kind::Byte {
            return Err(Reason::NoCode(address));
        }
        if self.written[at] {
            return Err(Reason::Changed);
        }
        let row = self.cpu.decode(self.bytes[at]);
        let bytes = at..at + row.len();
        if self.kinds.get(bytes.clone()).is_none_or(|kinds| kinds.iter().any(|&kind| kind != Kind::Byte)) {
            return Err(Reason::NoCode(address));
        }
        let is_changed = self.written[bytes.clone()].contains(&true);
        Ok((row, (!is_changed).then(|| operand_of(&self.bytes[bytes]))))
    }
}

/// Cycles of one instruction at an address, at least and at most, whatever the registers are; of a branch those if it is
/// not taken and those if it is.
///
/// ```
/// use tempo_assembler::Cpu;
/// use tempo_assembler::cycles::instruction;
///
/// assert_eq!(instruction(Cpu::Mos6502.decode(0xbd), &[0xbd, 0x01, 0x20], 0x1000), (4, 5)); // lda $2001,x
/// assert_eq!(instruction(Cpu::Mos6502.decode(0xd0), &[0xd0, 0x10], 0x10f0), (2, 4)); // bne $1102
/// ```
pub fn instruction(row: &Instruction, bytes: &[u8], address: u16) -> (u64, u64) {
    let base = u64::from(row.cycles);
    let operand = operand_of(bytes);
    if matches!(row.mode, Mode::Relative | Mode::ZeroPageRelative) {
        let (_, taken) = branch(row, address, operand);
        let is_always = row.mnemonic == Mnemonic::Bra;
        return (if is_always { base + taken } else { base }, base + taken);
    }
    let state = state::State::unknown(None);
    let adds = |known: Option<bool>| (u64::from(known == Some(true)), u64::from(known != Some(false)));
    let none = (0, 0);
    let is_paged = matches!(row.timing, Timing::Page | Timing::PageDecimal);
    let page = if is_paged { adds(state.crosses_page(row.mode, Some(operand))) } else { none };
    let is_decimal = matches!(row.timing, Timing::Decimal | Timing::PageDecimal);
    let decimal = if is_decimal { (0, 1) } else { none };
    (base + page.0 + decimal.0, base + page.1 + decimal.1)
}

/// Where a branch leads, and the cycles that it takes in addition if it is taken.
fn branch(row: &Instruction, address: u16, operand: u16) -> (u16, u64) {
    let next = address.wrapping_add(row.len() as u16);
    let offset = if row.mode == Mode::Relative { operand as u8 } else { (operand >> 8) as u8 };
    let target = next.wrapping_add_signed(i16::from(offset as i8));
    let crosses = u64::from(next >> 8 != target >> 8);
    // `bra` counts its third cycle among those of the table.
    (target, crosses + u64::from(row.timing == Timing::Branch))
}

/// The known registers and flags along code that is followed in one line, without its memory: what an interrupt
/// or another part of the program stores there is not in the line.
#[derive(Debug, Clone)]
pub(crate) struct Line(state::State);

impl Line {
    /// Nothing is known, except perhaps that decimal mode is never turned on.
    pub fn new(has_sed: bool) -> Line {
        Line(state::State::unknown(if has_sed { None } else { Some(false) }))
    }

    /// Forgets everything, at the start of another line.
    pub fn begin(&mut self) {
        self.0.forget_all();
    }

    /// Whether a branch is taken, if that is known.
    pub fn branches(&self, mnemonic: Mnemonic) -> Option<bool> {
        self.0.branches(mnemonic)
    }

    /// Goes on after an instruction that does not jump, or after a branch that is not taken. The operand is `None` if
    /// the program writes over it.
    pub fn execute(&mut self, row: &Instruction, operand: Option<u16>) {
        match row.class {
            Class::Branch => self.0.branched(row.mnemonic, false),
            // Stores: memory is not followed.
            _ if row.effects.writes == Parts::NONE => {}
            _ => self.0.execute(row, operand.filter(|_| row.mode == Mode::Immediate)),
        }
    }
}

/// The operand of an instruction.
fn operand_of(bytes: &[u8]) -> u16 {
    let byte = |index: usize| bytes.get(index).copied().unwrap_or(0);
    u16::from_le_bytes([byte(1), byte(2)])
}
