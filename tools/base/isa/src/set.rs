//! Instruction sets: 256 rows each, and the way back from mnemonic and mode to the opcode.

use crate::mnemonic::word;
use crate::{Class, Effects, Instruction, Memory, Mnemonic, Mode, Parts, Standing, Timing};

/// An instruction set.
pub(crate) struct InstructionSet {
    /// The rows by opcode.
    pub rows: &'static [Instruction; 256],
    /// Rows that share their opcode with one of `rows`: other names for it, and instructions with a prefix.
    pub others: &'static [Instruction],
    /// The opcodes that source text can name, by mnemonic and mode.
    pub codes: Codes,
    /// Whether any mode of the mnemonic can be named.
    pub names: [bool; Mnemonic::ALL.len()],
}

type Codes = [[Option<u8>; Mode::ALL.len()]; Mnemonic::ALL.len()];

/// The NMOS 6502 with the undocumented instructions.
pub(crate) static NMOS: InstructionSet = InstructionSet::new(&NMOS_ROWS, Standing::Undocumented);
/// The NMOS 6502 with the documented instructions only; the others decode, but cannot be named.
pub(crate) static DOCUMENTED: InstructionSet = InstructionSet::new(&NMOS_ROWS, Standing::Documented);
/// The C64DTV: the NMOS 6502 with three instructions in place of three jams.
pub(crate) static DTV: InstructionSet = InstructionSet::new(&DTV_ROWS, Standing::Undocumented);
/// The WDC 65C02, with the Rockwell bit instructions.
pub(crate) static CMOS: InstructionSet = InstructionSet::new(&CMOS_ROWS, Standing::Undocumented);
/// The CSG 65CE02: the 65C02 with a register Z, words and a base page.
pub(crate) static CE02: InstructionSet =
    InstructionSet::new(&CE02_ROWS, Standing::Documented).with(&CE02_SYNONYMS);
/// The 45GS02 of the MEGA65: the 65CE02 with 32-bit pointers and a register of 32 bits.
pub(crate) static GS02: InstructionSet =
    InstructionSet::new(&CE02_ROWS, Standing::Documented).with(&GS02_OTHERS);
/// The HuC6280 of the PC Engine: the 65C02 with block moves and a video port.
pub(crate) static HUC: InstructionSet = InstructionSet::new(&HUC_ROWS, Standing::Documented);

impl InstructionSet {
    /// The set of these rows, in which opcodes up to a standing can be named.
    const fn new(rows: &'static [Instruction; 256], lowest: Standing) -> InstructionSet {
        let mut codes: Codes = [[None; Mode::ALL.len()]; Mnemonic::ALL.len()];
        let mut names = [false; Mnemonic::ALL.len()];
        let mut opcode = 0;
        while opcode < 256 {
            let row = &rows[opcode];
            if row.standing as u8 <= lowest as u8 {
                codes[row.mnemonic as usize][row.mode as usize] = Some(row.opcode);
                names[row.mnemonic as usize] = true;
            }
            opcode += 1;
        }
        InstructionSet { rows, others: &[], codes, names }
    }

    /// The set with rows that share the opcodes of its own.
    const fn with(mut self, others: &'static [Instruction]) -> InstructionSet {
        self.others = others;
        let mut index = 0;
        while index < others.len() {
            let row = &others[index];
            self.codes[row.mnemonic as usize][row.mode as usize] = Some(row.opcode);
            self.names[row.mnemonic as usize] = true;
            index += 1;
        }
        self
    }
}

macro_rules! rows {
    ($($code:literal $name:ident $mode:ident $cycles:literal $timing:ident $class:ident $standing:ident;)*) => {
        [$(Instruction {
            opcode: $code,
            mnemonic: word::$name,
            mode: value!(mode $mode),
            cycles: $cycles,
            timing: value!(timing $timing),
            class: value!(class $class),
            standing: value!(standing $standing),
            effects: Effects::of(word::$name, value!(mode $mode), value!(class $class)),
        }),*]
    };
}

/// The words of the tables' other columns as values.
macro_rules! value {
    (mode imp) => {
        Mode::Implied
    };
    (mode imm) => {
        Mode::Immediate
    };
    (mode zp) => {
        Mode::ZeroPage
    };
    (mode zpx) => {
        Mode::ZeroPageX
    };
    (mode zpy) => {
        Mode::ZeroPageY
    };
    (mode izx) => {
        Mode::IndirectX
    };
    (mode izy) => {
        Mode::IndirectY
    };
    (mode abs) => {
        Mode::Absolute
    };
    (mode abx) => {
        Mode::AbsoluteX
    };
    (mode aby) => {
        Mode::AbsoluteY
    };
    (mode ind) => {
        Mode::Indirect
    };
    (mode rel) => {
        Mode::Relative
    };
    (mode izp) => {
        Mode::ZeroPageIndirect
    };
    (mode iax) => {
        Mode::AbsoluteIndirectX
    };
    (mode zpr) => {
        Mode::ZeroPageRelative
    };
    (mode izz) => {
        Mode::IndirectZ
    };
    (mode fiz) => {
        Mode::FarIndirectZ
    };
    (mode fin) => {
        Mode::FarIndirect
    };
    (mode isy) => {
        Mode::StackIndirectY
    };
    (mode imw) => {
        Mode::ImmediateWord
    };
    (mode rlw) => {
        Mode::RelativeWord
    };
    (mode nzp) => {
        Mode::TestZeroPage
    };
    (mode nzx) => {
        Mode::TestZeroPageX
    };
    (mode nab) => {
        Mode::TestAbsolute
    };
    (mode nax) => {
        Mode::TestAbsoluteX
    };
    (mode blk) => {
        Mode::Block
    };
    (timing unknown) => {
        Timing::Unknown
    };
    (timing fixed) => {
        Timing::Fixed
    };
    (timing page) => {
        Timing::Page
    };
    (timing branch) => {
        Timing::Branch
    };
    (timing decimal) => {
        Timing::Decimal
    };
    (timing page_decimal) => {
        Timing::PageDecimal
    };
    (class read) => {
        Class::Read
    };
    (class write) => {
        Class::Write
    };
    (class modify) => {
        Class::Modify
    };
    (class register) => {
        Class::Register
    };
    (class push) => {
        Class::Push
    };
    (class pull) => {
        Class::Pull
    };
    (class branch) => {
        Class::Branch
    };
    (class flow) => {
        Class::Flow
    };
    (class skip) => {
        Class::Skip
    };
    (standing doc) => {
        Standing::Documented
    };
    (standing undoc) => {
        Standing::Undocumented
    };
    (standing unnamed) => {
        Standing::Unnamed
    };
}

static CE02_ROWS: [Instruction; 256] = crate::ce02::ce02_opcodes!(rows);
static CE02_SYNONYMS: [Instruction; 3] = crate::ce02::ce02_synonyms!(rows);
static GS02_OTHERS: [Instruction; 86] = crate::ce02::gs02_opcodes!(rows);
static HUC_ROWS: [Instruction; 256] = crate::huc::huc_opcodes!(rows);
static NMOS_ROWS: [Instruction; 256] = NMOS_TABLE;
static CMOS_ROWS: [Instruction; 256] = {
    let mut rows = crate::cmos_opcodes!(rows);
    // An interrupt of the 65C02 leaves decimal mode.
    rows[0x00].effects.writes = rows[0x00].effects.writes.and(Parts::D);
    // It reads the last page, not its operand.
    rows[0x5c].effects.memory = Memory::None;
    rows
};
static DTV_ROWS: [Instruction; 256] = {
    let mut rows = NMOS_TABLE;
    rows[0x12] = dtv(0x12, Mnemonic::Bra, Mode::Relative, 3, Timing::Page, Class::Branch);
    rows[0x32] = dtv(0x32, Mnemonic::Sac, Mode::Immediate, 2, Timing::Fixed, Class::Read);
    rows[0x42] = dtv(0x42, Mnemonic::Sir, Mode::Immediate, 2, Timing::Fixed, Class::Read);
    rows
};

const NMOS_TABLE: [Instruction; 256] = crate::nmos_opcodes!(rows);

const fn dtv(
    opcode: u8,
    mnemonic: Mnemonic,
    mode: Mode,
    cycles: u8,
    timing: Timing,
    class: Class,
) -> Instruction {
    let (standing, effects) = (Standing::Documented, Effects::of(mnemonic, mode, class));
    Instruction { opcode, mnemonic, mode, cycles, timing, class, standing, effects }
}
