//! Effects of instructions: registers, flags and memory that they read and write.

use core::fmt;

use crate::mnemonic::OPERATIONS;
use crate::{Class, Instruction, Mnemonic, Mode};

/// A set of registers and flags. The flags are the bits that they have in P.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Parts(u16);

impl Parts {
    /// The empty set.
    pub const NONE: Parts = Parts(0);
    /// The carry flag.
    pub const C: Parts = Parts(0x01);
    /// The zero flag.
    pub const Z: Parts = Parts(0x02);
    /// The interrupt disable flag.
    pub const I: Parts = Parts(0x04);
    /// The decimal flag.
    pub const D: Parts = Parts(0x08);
    /// The overflow flag.
    pub const V: Parts = Parts(0x40);
    /// The negative flag.
    pub const N: Parts = Parts(0x80);
    /// The accumulator.
    pub const A: Parts = Parts(0x0100);
    /// The X index.
    pub const X: Parts = Parts(0x0200);
    /// The Y index.
    pub const Y: Parts = Parts(0x0400);
    /// The stack pointer.
    pub const S: Parts = Parts(0x0800);
    /// All flags.
    pub const FLAGS: Parts = Parts(0xcf);
    /// Every register and flag alone, with its letter, in the order in which they are shown.
    pub const EACH: [(Parts, char); 10] = [
        (Parts::A, 'A'),
        (Parts::X, 'X'),
        (Parts::Y, 'Y'),
        (Parts::S, 'S'),
        (Parts::N, 'N'),
        (Parts::V, 'V'),
        (Parts::D, 'D'),
        (Parts::I, 'I'),
        (Parts::Z, 'Z'),
        (Parts::C, 'C'),
    ];

    /// The flags of a mask of P; bits that are not flags are dropped.
    pub const fn flags(mask: u8) -> Parts {
        Parts(mask as u16 & Parts::FLAGS.0)
    }

    /// The flags of the set as a mask of P.
    pub const fn mask(self) -> u8 {
        (self.0 & Parts::FLAGS.0) as u8
    }

    /// The parts in either set.
    #[must_use]
    pub const fn and(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }

    /// The parts of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Parts) -> Parts {
        Parts(self.0 & !other.0)
    }

    /// Whether any part is in both sets.
    pub const fn meets(self, other: Parts) -> bool {
        self.0 & other.0 != 0
    }
}

/// The letters: `AXNZC`.
impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        Parts::EACH
            .iter()
            .filter(|(part, _)| self.meets(*part))
            .try_for_each(|&(_, letter)| f.write_char(letter))
    }
}

/// The effects of an instruction. PC is left out: it is part of [`Flow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effects {
    /// Registers and flags that the result, an address or the way on depends on.
    pub reads: Parts,
    /// Registers and flags that are set.
    pub writes: Parts,
    /// The access to the byte at the operand's address. Pointers are read besides, see [`Mode::has_pointer`].
    pub memory: Memory,
    /// Bytes pushed, or, if negative, pulled.
    pub stack: i8,
    /// Where execution goes on.
    pub flow: Flow,
    /// Whether all chips do the same.
    pub stability: Stability,
}

/// The access to the byte at the operand's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// None; the operand is immediate, an address to go to, or absent.
    None,
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is read and written back changed.
    Modify,
}

impl Memory {
    /// Whether the byte is written.
    pub const fn is_written(self) -> bool {
        matches!(self, Memory::Write | Memory::Modify)
    }

    /// Whether the byte is read.
    pub const fn is_read(self) -> bool {
        matches!(self, Memory::Read | Memory::Modify)
    }
}

/// Where execution goes on after an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// At the next instruction.
    Next,
    /// At the target if a condition holds, else at the next instruction.
    Branch,
    /// At the target: `jmp`, `bra`.
    Jump,
    /// In a subroutine that returns to the next instruction: `jsr`.
    Call,
    /// At an address from the stack: `rts`, `rti`.
    Return,
    /// At the interrupt vector: `brk`.
    Interrupt,
    /// Nowhere until reset: `jam`, `stp`.
    Stop,
}

/// Whether an instruction does the same on all chips of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stability {
    /// It does.
    Stable,
    /// The result depends on the chip, its temperature and the bus.
    Unstable,
    /// The processor stops working until reset.
    Jams,
}

impl Effects {
    pub(crate) const fn of(mnemonic: Mnemonic, mode: Mode, class: Class) -> Effects {
        let operation = &OPERATIONS[mnemonic as usize];
        let (mut reads, mut writes) = (operation.reads.and(mode.index()), operation.writes);
        let mut stability = operation.stability;
        match (mnemonic, mode) {
            // Without an operand these work on A.
            (
                Mnemonic::Asl
                | Mnemonic::Asr
                | Mnemonic::Lsr
                | Mnemonic::Rol
                | Mnemonic::Ror
                | Mnemonic::Inc
                | Mnemonic::Dec,
                Mode::Implied,
            ) => (reads, writes) = (reads.and(Parts::A), writes.and(Parts::A)),
            // And these on Q.
            (
                Mnemonic::Aslq
                | Mnemonic::Asrq
                | Mnemonic::Lsrq
                | Mnemonic::Rolq
                | Mnemonic::Rorq
                | Mnemonic::Inq
                | Mnemonic::Deq,
                Mode::Implied,
            ) => {
                let q = Parts::A.and(Parts::X).and(Parts::Y);
                (reads, writes) = (reads.and(q), writes.and(q));
            }
            // The HuC6280 exchanges them.
            (Mnemonic::Sax, Mode::Implied) => writes = Parts::A.and(Parts::X),
            // N and V come from memory only.
            (Mnemonic::Bit, Mode::Immediate) => writes = Parts::Z,
            // A is mixed in, with unstable bits set.
            (Mnemonic::Lax, Mode::Immediate) => {
                (reads, stability) = (reads.and(Parts::A), Stability::Unstable)
            }
            _ => {}
        }
        let stack = match (class, mnemonic) {
            (_, Mnemonic::Phw) => 2,
            (Class::Push, _) => 1,
            (Class::Pull, _) => -1,
            (_, Mnemonic::Jsr | Mnemonic::Bsr | Mnemonic::Lbsr) => 2,
            (_, Mnemonic::Rts | Mnemonic::Rtn) => -2,
            (_, Mnemonic::Brk) => 3,
            (_, Mnemonic::Rti) => -3,
            _ => 0,
        };
        if stack != 0 {
            (reads, writes) = (reads.and(Parts::S), writes.and(Parts::S));
        }
        let memory = match (class, mode) {
            (Class::Read, Mode::Immediate) => Memory::None,
            (Class::Read, _) | (Class::Branch, Mode::ZeroPageRelative) => Memory::Read,
            (Class::Write, _) => Memory::Write,
            (Class::Modify, _) => Memory::Modify,
            _ => Memory::None,
        };
        let flow = match (class, mnemonic) {
            (_, Mnemonic::Jmp | Mnemonic::Bra | Mnemonic::Lbra) => Flow::Jump,
            (_, Mnemonic::Jsr | Mnemonic::Bsr | Mnemonic::Lbsr) => Flow::Call,
            (_, Mnemonic::Rts | Mnemonic::Rti | Mnemonic::Rtn) => Flow::Return,
            (_, Mnemonic::Brk) => Flow::Interrupt,
            (_, Mnemonic::Jam | Mnemonic::Stp) => Flow::Stop,
            (Class::Branch, _) => Flow::Branch,
            _ => Flow::Next,
        };
        Effects { reads, writes, memory, stack, flow, stability }
    }
}

impl Instruction {
    /// One sentence about the operation.
    pub const fn about(&self) -> &'static str {
        match (self.mnemonic, self.mode) {
            (Mnemonic::Lax, Mode::Immediate) => {
                "Ands A (with unstable bits set) and the operand into A and X."
            }
            (Mnemonic::Sax, Mode::Implied) => "Exchanges A and X.",
            (Mnemonic::Bit, Mode::Immediate) => "Tests bits: Z from A and the operand.",
            _ => self.mnemonic.about(),
        }
    }
}

impl Mnemonic {
    /// One sentence about the operation.
    pub const fn about(self) -> &'static str {
        OPERATIONS[self as usize].about
    }

    /// The branch with a distance of 8 bits for one of 16; every other mnemonic is itself.
    const fn short_branch(self) -> Mnemonic {
        match self {
            Mnemonic::Lbcc => Mnemonic::Bcc,
            Mnemonic::Lbcs => Mnemonic::Bcs,
            Mnemonic::Lbeq => Mnemonic::Beq,
            Mnemonic::Lbmi => Mnemonic::Bmi,
            Mnemonic::Lbne => Mnemonic::Bne,
            Mnemonic::Lbpl => Mnemonic::Bpl,
            Mnemonic::Lbvc => Mnemonic::Bvc,
            Mnemonic::Lbvs => Mnemonic::Bvs,
            other => other,
        }
    }

    /// The flag that a conditional branch tests, and the state of it in which the branch is taken.
    pub const fn condition(self) -> Option<(Parts, bool)> {
        Some(match self.short_branch() {
            Mnemonic::Bcc => (Parts::C, false),
            Mnemonic::Bcs => (Parts::C, true),
            Mnemonic::Bne => (Parts::Z, false),
            Mnemonic::Beq => (Parts::Z, true),
            Mnemonic::Bvc => (Parts::V, false),
            Mnemonic::Bvs => (Parts::V, true),
            Mnemonic::Bpl => (Parts::N, false),
            Mnemonic::Bmi => (Parts::N, true),
            _ => return None,
        })
    }

    /// The conditional branch that is taken if this one is not.
    pub fn opposite(self) -> Option<Mnemonic> {
        let (flag, is_set) = self.condition()?;
        let is_short = self.short_branch() == self;
        let is_opposite = |other: &&Mnemonic| {
            other.condition() == Some((flag, !is_set)) && (other.short_branch() == **other) == is_short
        };
        Mnemonic::ALL.iter().find(is_opposite).copied()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::Cpu;
    use std::string::ToString;

    #[test]
    fn parts_are_shown_by_letter() {
        let row = Cpu::Mos6502.find(Mnemonic::Sbx, Mode::Immediate).expect("sbx");
        assert_eq!(
            (row.effects.reads.to_string(), row.effects.writes.to_string()),
            ("AX".into(), "XNZC".into())
        );
        assert_eq!(Parts::flags(0xff), Parts::FLAGS);
        assert_eq!(Parts::NONE.to_string(), "");
    }

    #[test]
    fn branches_have_an_opposite() {
        for &mnemonic in Mnemonic::ALL {
            match mnemonic.opposite() {
                Some(opposite) => assert_eq!(opposite.opposite(), Some(mnemonic)),
                None => assert!(Cpu::Mos6502.find(mnemonic, Mode::Relative).is_none(), "{mnemonic}"),
            }
        }
        assert_eq!(Mnemonic::Bcc.opposite(), Some(Mnemonic::Bcs));
    }

    #[test]
    fn every_mnemonic_is_described() {
        for &mnemonic in Mnemonic::ALL {
            assert!(mnemonic.about().ends_with('.'), "{mnemonic}");
        }
    }

    #[test]
    fn operands_are_spelled_with_their_placeholder() {
        for mode in Mode::ALL {
            assert!(mode.operand().contains(mode.placeholder()), "{mode}");
        }
    }
}
