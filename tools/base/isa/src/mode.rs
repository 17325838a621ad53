//! Addressing modes: how the bytes after an opcode are meant.

use core::fmt;

use crate::Parts;

/// An addressing mode. `Implied` is every instruction without an operand, the accumulator forms included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mode {
    /// `inx`, `asl`
    Implied,
    /// `lda #n`
    Immediate,
    /// `lda n`
    ZeroPage,
    /// `lda n,x`
    ZeroPageX,
    /// `ldx n,y`
    ZeroPageY,
    /// `lda (n,x)`
    IndirectX,
    /// `lda (n),y`
    IndirectY,
    /// `lda nn`
    Absolute,
    /// `lda nn,x`
    AbsoluteX,
    /// `lda nn,y`
    AbsoluteY,
    /// `jmp (nn)`
    Indirect,
    /// `bne target`
    Relative,
    /// `lda (n)`, 65C02
    ZeroPageIndirect,
    /// `jmp (nn,x)`, 65C02
    AbsoluteIndirectX,
    /// `bbr0 n,target`, 65C02
    ZeroPageRelative,
    /// `lda (n),z`, 65CE02
    IndirectZ,
    /// `lda ((n)),z`, 45GS02: a pointer of 32 bits
    FarIndirectZ,
    /// `adcq ((n))`, 45GS02: a pointer of 32 bits
    FarIndirect,
    /// `lda (n,sp),y`, 65CE02
    StackIndirectY,
    /// `phw #nn`, 65CE02
    ImmediateWord,
    /// `lbne target`, 65CE02
    RelativeWord,
    /// `tst #n,n`, HuC6280
    TestZeroPage,
    /// `tst #n,n,x`, HuC6280
    TestZeroPageX,
    /// `tst #n,nn`, HuC6280
    TestAbsolute,
    /// `tst #n,nn,x`, HuC6280
    TestAbsoluteX,
    /// `tii nn,nn,nn`, HuC6280
    Block,
}

impl Mode {
    /// All modes, in the order of their discriminants.
    pub const ALL: [Mode; 26] = [
        Mode::Implied,
        Mode::Immediate,
        Mode::ZeroPage,
        Mode::ZeroPageX,
        Mode::ZeroPageY,
        Mode::IndirectX,
        Mode::IndirectY,
        Mode::Absolute,
        Mode::AbsoluteX,
        Mode::AbsoluteY,
        Mode::Indirect,
        Mode::Relative,
        Mode::ZeroPageIndirect,
        Mode::AbsoluteIndirectX,
        Mode::ZeroPageRelative,
        Mode::IndirectZ,
        Mode::FarIndirectZ,
        Mode::FarIndirect,
        Mode::StackIndirectY,
        Mode::ImmediateWord,
        Mode::RelativeWord,
        Mode::TestZeroPage,
        Mode::TestZeroPageX,
        Mode::TestAbsolute,
        Mode::TestAbsoluteX,
        Mode::Block,
    ];

    /// Bytes after the opcode: 0 to 3, or 6.
    pub const fn operand_len(self) -> usize {
        match self {
            Mode::Implied => 0,
            Mode::Immediate
            | Mode::ZeroPage
            | Mode::ZeroPageX
            | Mode::ZeroPageY
            | Mode::IndirectX
            | Mode::IndirectY
            | Mode::Relative
            | Mode::ZeroPageIndirect
            | Mode::IndirectZ
            | Mode::FarIndirectZ
            | Mode::FarIndirect
            | Mode::StackIndirectY => 1,
            Mode::Absolute
            | Mode::AbsoluteX
            | Mode::AbsoluteY
            | Mode::Indirect
            | Mode::AbsoluteIndirectX
            | Mode::ZeroPageRelative
            | Mode::ImmediateWord
            | Mode::RelativeWord
            | Mode::TestZeroPage
            | Mode::TestZeroPageX => 2,
            Mode::TestAbsolute | Mode::TestAbsoluteX => 3,
            Mode::Block => 6,
        }
    }

    /// The index register that is added to the operand's address.
    pub const fn index(self) -> Parts {
        match self {
            Mode::ZeroPageX
            | Mode::AbsoluteX
            | Mode::IndirectX
            | Mode::AbsoluteIndirectX
            | Mode::TestZeroPageX
            | Mode::TestAbsoluteX => Parts::X,
            Mode::ZeroPageY | Mode::AbsoluteY | Mode::IndirectY => Parts::Y,
            Mode::StackIndirectY => Parts::Y.and(Parts::S),
            _ => Parts::NONE,
        }
    }

    /// Whether the pointer has 32 bits, and the instruction the prefix for it.
    pub const fn is_far(self) -> bool {
        matches!(self, Mode::FarIndirectZ | Mode::FarIndirect)
    }

    /// Whether the operand is the address of a pointer, which is read from memory.
    pub const fn has_pointer(self) -> bool {
        matches!(
            self,
            Mode::IndirectX
                | Mode::IndirectY
                | Mode::Indirect
                | Mode::ZeroPageIndirect
                | Mode::AbsoluteIndirectX
                | Mode::IndirectZ
                | Mode::FarIndirectZ
                | Mode::FarIndirect
                | Mode::StackIndirectY
        )
    }

    /// An operand of this mode as it is written: `#n`, `zp,x`, `(zp),y`, `abs`, … Help, errors and documents use this
    /// spelling.
    pub const fn operand(self) -> &'static str {
        match self {
            Mode::Implied => "",
            Mode::Immediate => "#n",
            Mode::ZeroPage => "zp",
            Mode::ZeroPageX => "zp,x",
            Mode::ZeroPageY => "zp,y",
            Mode::IndirectX => "(zp,x)",
            Mode::IndirectY => "(zp),y",
            Mode::Absolute => "abs",
            Mode::AbsoluteX => "abs,x",
            Mode::AbsoluteY => "abs,y",
            Mode::Indirect => "(abs)",
            Mode::Relative => "target",
            Mode::ZeroPageIndirect => "(zp)",
            Mode::AbsoluteIndirectX => "(abs,x)",
            Mode::ZeroPageRelative => "zp,target",
            Mode::IndirectZ => "(zp),z",
            Mode::FarIndirectZ => "((zp)),z",
            Mode::FarIndirect => "((zp))",
            Mode::StackIndirectY => "(zp,sp),y",
            Mode::ImmediateWord => "#nn",
            Mode::RelativeWord => "target",
            Mode::TestZeroPage => "#n,zp",
            Mode::TestZeroPageX => "#n,zp,x",
            Mode::TestAbsolute => "#n,abs",
            Mode::TestAbsoluteX => "#n,abs,x",
            Mode::Block => "from,to,length",
        }
    }

    /// The word in [`Mode::operand`] that stands for the value; empty if there is none.
    pub const fn placeholder(self) -> &'static str {
        match self {
            Mode::Implied => "",
            Mode::Immediate => "n",
            Mode::Absolute | Mode::AbsoluteX | Mode::AbsoluteY | Mode::Indirect | Mode::AbsoluteIndirectX => {
                "abs"
            }
            Mode::TestAbsolute | Mode::TestAbsoluteX => "abs",
            Mode::Relative | Mode::ZeroPageRelative | Mode::RelativeWord => "target",
            Mode::ImmediateWord => "nn",
            Mode::Block => "from",
            _ => "zp",
        }
    }

    /// The name of the mode in manuals: `implied`, `zero page,X`, …
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Implied => "implied",
            Mode::Immediate => "immediate",
            Mode::ZeroPage => "zero page",
            Mode::ZeroPageX => "zero page,X",
            Mode::ZeroPageY => "zero page,Y",
            Mode::IndirectX => "(indirect,X)",
            Mode::IndirectY => "(indirect),Y",
            Mode::Absolute => "absolute",
            Mode::AbsoluteX => "absolute,X",
            Mode::AbsoluteY => "absolute,Y",
            Mode::Indirect => "indirect",
            Mode::Relative => "relative",
            Mode::ZeroPageIndirect => "(zero page)",
            Mode::AbsoluteIndirectX => "(absolute,X)",
            Mode::ZeroPageRelative => "zero page, relative",
            Mode::IndirectZ => "(indirect),Z",
            Mode::FarIndirectZ => "(32-bit indirect),Z",
            Mode::FarIndirect => "(32-bit indirect)",
            Mode::StackIndirectY => "(stack,S),Y",
            Mode::ImmediateWord => "immediate word",
            Mode::RelativeWord => "relative word",
            Mode::TestZeroPage => "immediate, zero page",
            Mode::TestZeroPageX => "immediate, zero page,X",
            Mode::TestAbsolute => "immediate, absolute",
            Mode::TestAbsoluteX => "immediate, absolute,X",
            Mode::Block => "block",
        }
    }

    /// The short name the tables use: `imp`, `imm`, `zp`, `zpx`, …
    pub const fn abbreviation(self) -> &'static str {
        match self {
            Mode::Implied => "imp",
            Mode::Immediate => "imm",
            Mode::ZeroPage => "zp",
            Mode::ZeroPageX => "zpx",
            Mode::ZeroPageY => "zpy",
            Mode::IndirectX => "izx",
            Mode::IndirectY => "izy",
            Mode::Absolute => "abs",
            Mode::AbsoluteX => "abx",
            Mode::AbsoluteY => "aby",
            Mode::Indirect => "ind",
            Mode::Relative => "rel",
            Mode::ZeroPageIndirect => "izp",
            Mode::AbsoluteIndirectX => "iax",
            Mode::ZeroPageRelative => "zpr",
            Mode::IndirectZ => "izz",
            Mode::FarIndirectZ => "fiz",
            Mode::FarIndirect => "fin",
            Mode::StackIndirectY => "isy",
            Mode::ImmediateWord => "imw",
            Mode::RelativeWord => "rlw",
            Mode::TestZeroPage => "nzp",
            Mode::TestZeroPageX => "nzx",
            Mode::TestAbsolute => "nab",
            Mode::TestAbsoluteX => "nax",
            Mode::Block => "blk",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.abbreviation())
    }
}
