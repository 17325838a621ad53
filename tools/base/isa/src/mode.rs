//! Addressing modes: how the bytes after an opcode are meant.

use core::fmt;

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
}

impl Mode {
    /// All modes, in the order of their discriminants.
    pub const ALL: [Mode; 15] = [
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
    ];

    /// Bytes after the opcode: 0, 1 or 2.
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
            | Mode::ZeroPageIndirect => 1,
            Mode::Absolute
            | Mode::AbsoluteX
            | Mode::AbsoluteY
            | Mode::Indirect
            | Mode::AbsoluteIndirectX
            | Mode::ZeroPageRelative => 2,
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
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.abbreviation())
    }
}
