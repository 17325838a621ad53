//! The registry of CPUs: one line each with its names, its instruction set and the core that runs it.

use crate::set::{CE02, CMOS, DOCUMENTED, DTV, GS02, HUC, InstructionSet, NMOS};
use crate::{Instruction, Mnemonic, Mode, Timing};

/// A CPU's line in the registry.
struct Entry {
    name: &'static str,
    kick_name: &'static str,
    set: &'static InstructionSet,
    family: Family,
    core: Option<Core>,
    title: &'static str,
}

macro_rules! cpus {
    ($($(#[$attribute:meta])* $variant:ident $name:literal $kick_name:literal $set:ident $family:ident $core:expr, $title:literal;)*) => {
        /// A member of the family.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[non_exhaustive]
        pub enum Cpu {
            $(
                $(#[$attribute])*
                #[doc = $title]
                $variant,
            )*
        }

        impl Cpu {
            /// All members, in the order of their discriminants.
            pub const ALL: [Cpu; [$($name),*].len()] = [$(Cpu::$variant),*];
        }

        static ENTRIES: [Entry; Cpu::ALL.len()] = [$(
            Entry { name: $name, kick_name: $kick_name, set: &$set, family: Family::$family, core: $core, title: $title }
        ),*];
    };
}

// The columns: variant, name on command lines and in projects, name of the instruction set in `.cpu`, instruction set,
// family, core of the emulator if there is one, description. The first CPU of a `.cpu` name is the one the name selects.
cpus! {
    #[default]
    Mos6502           "6502"            "_6502"           NMOS       Nmos Some(Core::Nmos),      "NMOS 6502 with the undocumented instructions";
    Mos6502Documented "6502-documented" "_6502NoIllegals" DOCUMENTED Nmos None,                  "NMOS 6502 with the documented instructions only";
    Mos6510           "6510"            "_6502"           NMOS       Nmos Some(Core::Nmos),      "NMOS 6510: the 6502 with the bank switch at $00/$01";
    Wdc65c02          "65c02"           "_65c02"          CMOS       Cmos Some(Core::Cmos),      "WDC 65C02 with the Rockwell bit instructions";
    Ricoh2A03         "2a03"            "_6502"           NMOS       Nmos Some(Core::Ricoh2A03), "Ricoh 2A03: the 6502 without decimal mode";
    Dtv               "dtv"             "dtv"             DTV        Nmos None,                  "C64DTV: the 6502 with bra, sac and sir";
    Csg65ce02         "65ce02"          "_65ce02"         CE02       Cmos None,                  "CSG 65CE02: the 65C02 with the register Z, words and a base page";
    Mega45gs02        "45gs02"          "_45gs02"         GS02       Cmos None,                  "45GS02 of the MEGA65: the 65CE02 with 32-bit pointers and the register Q";
    Huc6280           "huc6280"         "_huc6280"        HUC        Cmos None,                  "HuC6280 of the PC Engine: the 65C02 with block moves";
}

/// The design that a CPU descends from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// The 6502 of 1975, with its faults: `jmp ($xxFF)` takes the high byte from the start of the page.
    Nmos,
    /// The 65C02 and its descendants.
    Cmos,
}

/// A core of the emulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Core {
    /// The NMOS 6502 with its undocumented opcodes.
    Nmos,
    /// The NMOS 6502 whose D flag does not change `adc` and `sbc`.
    Ricoh2A03,
    /// The WDC 65C02.
    Cmos,
}

impl Cpu {
    /// The CPU with this name on a command line.
    pub fn from_name(name: &str) -> Option<Cpu> {
        Cpu::ALL.into_iter().find(|cpu| cpu.name() == name)
    }

    /// The CPU that Kick Assembler's `.cpu` directive selects with this name.
    pub fn from_kick_name(name: &str) -> Option<Cpu> {
        Cpu::ALL.into_iter().find(|cpu| cpu.kick_name() == name)
    }

    /// The CPUs with an instruction set that no earlier one has: the ones that source text can select.
    pub fn assembled() -> impl Iterator<Item = Cpu> {
        Cpu::ALL.into_iter().filter(|&cpu| Cpu::from_kick_name(cpu.kick_name()) == Some(cpu))
    }

    /// The first CPU that has the mnemonic of this name or alias, and the mnemonic.
    pub fn with_mnemonic(name: &str) -> Option<(Cpu, Mnemonic)> {
        let mnemonic = Mnemonic::parse(name)?;
        Cpu::ALL.into_iter().find_map(|cpu| cpu.own(mnemonic).map(|mnemonic| (cpu, mnemonic)))
    }

    /// The CPUs that the emulator runs.
    pub fn emulated() -> impl Iterator<Item = Cpu> {
        Cpu::ALL.into_iter().filter(|cpu| cpu.core().is_some())
    }

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    /// The name on command lines and in project files: `6502`, `65c02`, …
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The name of the instruction set in Kick Assembler's `.cpu` directive.
    pub const fn kick_name(self) -> &'static str {
        self.entry().kick_name
    }

    /// A line of description.
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// The design that this CPU descends from.
    pub const fn family(self) -> Family {
        self.entry().family
    }

    /// The core that executes this CPU's programs; `None` if programs for it can only be assembled.
    pub const fn core(self) -> Option<Core> {
        self.entry().core
    }

    /// All 256 rows, the index is the opcode.
    pub const fn table(self) -> &'static [Instruction; 256] {
        self.entry().set.rows
    }

    /// The row of this opcode; every opcode has one.
    #[inline]
    pub const fn decode(self, opcode: u8) -> &'static Instruction {
        &self.table()[opcode as usize]
    }

    /// The row of the instruction that these bytes begin with, its prefix included. Without a byte it is that of $00.
    #[inline]
    pub fn decode_bytes(self, bytes: &[u8]) -> &'static Instruction {
        let opcode = bytes.first().copied().unwrap_or(0);
        let others = self.entry().set.others;
        if !others.is_empty() && matches!(opcode, 0x42 | 0xea) {
            let is_it = |row: &&Instruction| {
                let prefix = row.prefix();
                !prefix.is_empty()
                    && bytes.starts_with(prefix)
                    && bytes.get(prefix.len()) == Some(&row.opcode)
            };
            if let Some(row) = others.iter().find(is_it) {
                return row;
            }
        }
        self.decode(opcode)
    }

    /// Whether it has operands that the 6502 and the 65C02 do not have: `(zp),z`, `(zp,sp),y`, `#n,abs`, three addresses.
    #[inline]
    pub const fn has_wide_operands(self) -> bool {
        matches!(self, Cpu::Csg65ce02 | Cpu::Mega45gs02 | Cpu::Huc6280)
    }

    /// Whether the cycles of its instructions are known.
    pub const fn has_cycles(self) -> bool {
        !matches!(self.decode(0xea).timing, Timing::Unknown)
    }

    /// The opcode that a mnemonic and a mode are encoded as, if this CPU has the pair.
    #[inline]
    pub const fn encode(self, mnemonic: Mnemonic, mode: Mode) -> Option<u8> {
        self.entry().set.codes[mnemonic as usize][mode as usize]
    }

    /// The row of that opcode.
    #[inline]
    pub fn find(self, mnemonic: Mnemonic, mode: Mode) -> Option<&'static Instruction> {
        let row = self.encode(mnemonic, mode).map(|opcode| self.decode(opcode))?;
        if (row.mnemonic, row.mode) == (mnemonic, mode) {
            return Some(row);
        }
        self.entry().set.others.iter().find(|row| (row.mnemonic, row.mode) == (mnemonic, mode))
    }

    /// Whether this CPU has the mnemonic in any mode.
    #[inline]
    pub const fn has(self, mnemonic: Mnemonic) -> bool {
        self.entry().set.names[mnemonic as usize]
    }

    /// The rows of the mnemonic.
    pub fn rows(self, mnemonic: Mnemonic) -> impl Iterator<Item = &'static Instruction> {
        Mode::ALL.into_iter().filter_map(move |mode| self.find(mnemonic, mode))
    }

    /// The modes this CPU has the mnemonic in.
    pub fn modes(self, mnemonic: Mnemonic) -> impl Iterator<Item = Mode> {
        self.rows(mnemonic).map(|row| row.mode)
    }

    /// The mnemonic that this CPU has under the name of one: itself, or the one that the name is an alias of.
    #[inline]
    pub fn own(self, mnemonic: Mnemonic) -> Option<Mnemonic> {
        if self.has(mnemonic) { Some(mnemonic) } else { self.own_of_alias(mnemonic) }
    }

    #[cold]
    fn own_of_alias(self, mnemonic: Mnemonic) -> Option<Mnemonic> {
        let mut aliases = Mnemonic::ALIASES.iter();
        let &(_, other) = aliases.find(|(alias, _)| *alias == mnemonic.name())?;
        self.has(other).then_some(other)
    }

    /// The mnemonic of this name or alias, if this CPU has it.
    pub fn mnemonic(self, name: &str) -> Option<Mnemonic> {
        Mnemonic::parse(name).and_then(|mnemonic| self.own(mnemonic))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::Standing;

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
                let cpu = Cpu::Mos6502;
                assert_eq!(cpu.mnemonic(alias), Some(mnemonic));
            }
        }
        assert_eq!(Mnemonic::parse("LDA"), None);
        assert_eq!(Cpu::Mos6502.mnemonic("bra"), None);
        assert_eq!(Cpu::Dtv.mnemonic("bra"), Some(Mnemonic::Bra));
        assert_eq!(Cpu::Mos6502.mnemonic("jam"), None);
    }

    #[test]
    fn names_select_their_cpus() {
        for cpu in Cpu::ALL {
            assert_eq!(Cpu::from_name(cpu.name()), Some(cpu));
            let selected = Cpu::from_kick_name(cpu.kick_name()).expect("a name of the registry");
            assert_eq!(selected.table(), cpu.table(), "{cpu:?}");
        }
        let names = |cpus: &mut dyn Iterator<Item = Cpu>| cpus.map(Cpu::name).collect::<std::vec::Vec<_>>();
        assert_eq!(
            names(&mut Cpu::assembled()),
            ["6502", "6502-documented", "65c02", "dtv", "65ce02", "45gs02", "huc6280"]
        );
        assert_eq!(names(&mut Cpu::emulated()), ["6502", "6510", "65c02", "2a03"]);
        assert_eq!(Cpu::from_kick_name("_65c02"), Some(Cpu::Wdc65c02));
        assert_eq!(Cpu::default(), Cpu::Mos6502);
    }

    #[test]
    fn a_cpu_of_the_dtv_branches_always_at_12() {
        let row = Cpu::Dtv.find(Mnemonic::Bra, Mode::Relative).expect("bra");
        assert_eq!((row.opcode, row.len(), row.max_cycles()), (0x12, 2, 4));
    }
}
