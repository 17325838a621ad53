//! The members of the family: each a table of 256 rows and the way back from name and mode to opcode.

use crate::mnemonic::word;
use crate::{Class, Instruction, Mnemonic, Mode, Standing, Timing};

/// A member of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cpu {
    /// The NMOS 6502 with the documented instructions only; the others decode, but have no name to write.
    Mos6502Documented,
    /// The NMOS 6502, 6510, 8502 and 2A03 with the undocumented instructions.
    Mos6502,
    /// The C64DTV's CPU: the NMOS 6502 with `bra`, `sac` and `sir` in place of three jams.
    Dtv,
    /// The WDC 65C02, with the Rockwell bit instructions.
    Wdc65c02,
}

impl Cpu {
    /// All members.
    pub const ALL: [Cpu; 4] = [Cpu::Mos6502Documented, Cpu::Mos6502, Cpu::Dtv, Cpu::Wdc65c02];

    /// The member of this name in Kick Assembler's `.cpu` directive.
    pub fn from_kick_name(name: &str) -> Option<Cpu> {
        Cpu::ALL.into_iter().find(|cpu| cpu.kick_name() == name)
    }

    /// The name in Kick Assembler's `.cpu` directive.
    pub const fn kick_name(self) -> &'static str {
        match self {
            Cpu::Mos6502Documented => "_6502NoIllegals",
            Cpu::Mos6502 => "_6502",
            Cpu::Dtv => "dtv",
            Cpu::Wdc65c02 => "_65c02",
        }
    }

    /// All 256 rows, the index is the opcode.
    pub const fn table(self) -> &'static [Instruction; 256] {
        match self {
            Cpu::Mos6502Documented | Cpu::Mos6502 => &NMOS,
            Cpu::Dtv => &DTV,
            Cpu::Wdc65c02 => &CMOS,
        }
    }

    /// What this opcode is; every opcode is something.
    #[inline]
    pub const fn decode(self, opcode: u8) -> &'static Instruction {
        &self.table()[opcode as usize]
    }

    /// The opcode that a mnemonic and a mode are encoded as, if this CPU has the pair.
    #[inline]
    pub fn encode(self, mnemonic: Mnemonic, mode: Mode) -> Option<u8> {
        let opcode = match self {
            Cpu::Mos6502Documented | Cpu::Mos6502 => &NMOS_CODES,
            Cpu::Dtv => &DTV_CODES,
            Cpu::Wdc65c02 => &CMOS_CODES,
        }[mnemonic as usize][mode as usize]?;
        let is_hidden =
            self == Cpu::Mos6502Documented && self.decode(opcode).standing != Standing::Documented;
        (!is_hidden).then_some(opcode)
    }

    /// The row of that opcode.
    #[inline]
    pub fn find(self, mnemonic: Mnemonic, mode: Mode) -> Option<&'static Instruction> {
        self.encode(mnemonic, mode).map(|opcode| self.decode(opcode))
    }

    /// Whether this CPU has the mnemonic in any mode.
    #[inline]
    pub fn has(self, mnemonic: Mnemonic) -> bool {
        let names = match self {
            Cpu::Mos6502Documented => &DOCUMENTED_NAMES,
            Cpu::Mos6502 => &NMOS_NAMES,
            Cpu::Dtv => &DTV_NAMES,
            Cpu::Wdc65c02 => &CMOS_NAMES,
        };
        names[mnemonic as usize]
    }

    /// The modes this CPU has the mnemonic in.
    pub fn modes(self, mnemonic: Mnemonic) -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(move |&mode| self.find(mnemonic, mode).is_some())
    }

    /// The mnemonic of this name or alias, if this CPU has it.
    pub fn mnemonic(self, name: &str) -> Option<Mnemonic> {
        Mnemonic::parse(name).filter(|&mnemonic| self.has(mnemonic))
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

static NMOS: [Instruction; 256] = NMOS_ROWS;
static CMOS: [Instruction; 256] = crate::cmos_opcodes!(rows);
static DTV: [Instruction; 256] = DTV_ROWS;

const NMOS_ROWS: [Instruction; 256] = crate::nmos_opcodes!(rows);
const DTV_ROWS: [Instruction; 256] = {
    let mut rows = NMOS_ROWS;
    rows[0x12] = dtv(0x12, Mnemonic::Bra, Mode::Relative, 3, Timing::Page, Class::Branch);
    rows[0x32] = dtv(0x32, Mnemonic::Sac, Mode::Immediate, 2, Timing::Fixed, Class::Read);
    rows[0x42] = dtv(0x42, Mnemonic::Sir, Mode::Immediate, 2, Timing::Fixed, Class::Read);
    rows
};

const fn dtv(
    opcode: u8,
    mnemonic: Mnemonic,
    mode: Mode,
    cycles: u8,
    timing: Timing,
    class: Class,
) -> Instruction {
    Instruction { opcode, mnemonic, mode, cycles, timing, class, standing: Standing::Documented }
}

type Codes = [[Option<u8>; Mode::ALL.len()]; Mnemonic::ALL.len()];

static NMOS_CODES: Codes = codes(&NMOS_ROWS);
static DTV_CODES: Codes = codes(&DTV_ROWS);
static CMOS_CODES: Codes = codes(&crate::cmos_opcodes!(rows));

/// Which mnemonics a CPU has in any mode.
type Names = [bool; Mnemonic::ALL.len()];

static DOCUMENTED_NAMES: Names = names(&NMOS_ROWS, true);
static NMOS_NAMES: Names = names(&NMOS_ROWS, false);
static DTV_NAMES: Names = names(&DTV_ROWS, false);
static CMOS_NAMES: Names = names(&crate::cmos_opcodes!(rows), false);

const fn names(rows: &[Instruction; 256], only_documented: bool) -> Names {
    let mut names = [false; Mnemonic::ALL.len()];
    let mut opcode = 0;
    while opcode < 256 {
        let row = &rows[opcode];
        let is_documented = matches!(row.standing, Standing::Documented);
        if row.is_nameable() && (is_documented || !only_documented) {
            names[row.mnemonic as usize] = true;
        }
        opcode += 1;
    }
    names
}

const fn codes(rows: &[Instruction; 256]) -> Codes {
    let mut codes: Codes = [[None; Mode::ALL.len()]; Mnemonic::ALL.len()];
    let mut opcode = 0;
    while opcode < 256 {
        let row = &rows[opcode];
        if row.is_nameable() {
            codes[row.mnemonic as usize][row.mode as usize] = Some(row.opcode);
        }
        opcode += 1;
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_at_its_opcode() {
        for cpu in Cpu::ALL {
            for (index, row) in cpu.table().iter().enumerate() {
                assert_eq!(usize::from(row.opcode), index);
            }
        }
    }

    #[test]
    fn a_name_and_a_mode_have_one_opcode() {
        for cpu in Cpu::ALL {
            for row in cpu.table().iter().filter(|row| row.is_nameable()) {
                let hidden = cpu == Cpu::Mos6502Documented && row.standing == Standing::Undocumented;
                assert_eq!(cpu.find(row.mnemonic, row.mode), (!hidden).then_some(row), "{cpu:?} {row:?}");
            }
        }
    }

    #[test]
    fn a_cpu_has_the_mnemonics_that_have_a_mode() {
        for cpu in Cpu::ALL {
            for &mnemonic in Mnemonic::ALL {
                assert_eq!(cpu.has(mnemonic), cpu.modes(mnemonic).next().is_some(), "{cpu:?} {mnemonic:?}");
            }
        }
    }

    #[test]
    fn the_sets_have_the_sizes_of_the_manuals() {
        let count = |cpu: Cpu, standing| cpu.table().iter().filter(|row| row.standing == standing).count();
        assert_eq!(count(Cpu::Mos6502, Standing::Documented), 151);
        assert_eq!(count(Cpu::Mos6502, Standing::Undocumented), 71);
        // 212 instructions of the W65C02S data sheet.
        assert_eq!(count(Cpu::Wdc65c02, Standing::Documented), 212);
        assert_eq!(Cpu::Mos6502Documented.find(Mnemonic::Lax, Mode::Immediate), None);
        assert_eq!(Cpu::Mos6502Documented.find(Mnemonic::Nop, Mode::Absolute), None);
    }

    #[test]
    fn names_round_trip() {
        for &mnemonic in Mnemonic::ALL {
            assert_eq!(Mnemonic::parse(mnemonic.name()), Some(mnemonic));
            for alias in mnemonic.aliases() {
                assert_eq!(Mnemonic::parse(alias), Some(mnemonic));
            }
        }
        assert_eq!(Mnemonic::parse("LDA"), None);
        assert_eq!(Cpu::Mos6502.mnemonic("bra"), None);
        assert_eq!(Cpu::Dtv.mnemonic("bra"), Some(Mnemonic::Bra));
        assert_eq!(Cpu::Mos6502.mnemonic("jam"), None);
        assert_eq!(Cpu::from_kick_name("_65c02"), Some(Cpu::Wdc65c02));
    }

    #[test]
    fn a_cpu_of_the_dtv_branches_always_at_12() {
        let row = Cpu::Dtv.find(Mnemonic::Bra, Mode::Relative).expect("bra");
        assert_eq!((row.opcode, row.len(), row.max_cycles()), (0x12, 2, 4));
    }
}
