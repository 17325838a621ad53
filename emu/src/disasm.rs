//! Bytes to source text, in the assembler's dialect: what it prints assembles to the same bytes.

use core::fmt;

use tempo_isa::{Instruction, Mode};

/// Names of addresses.
pub trait Labels {
    /// The name of this address.
    fn label(&self, addr: u16) -> Option<&str>;
}

/// No names.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLabels;

impl Labels for NoLabels {
    fn label(&self, _addr: u16) -> Option<&str> {
        None
    }
}

impl<L: Labels + ?Sized> Labels for &L {
    fn label(&self, addr: u16) -> Option<&str> {
        (**self).label(addr)
    }
}

impl Labels for alloc::collections::BTreeMap<u16, alloc::string::String> {
    fn label(&self, addr: u16) -> Option<&str> {
        self.get(&addr).map(|name| name.as_str())
    }
}

/// Bytes of the longest instruction: a block move of the HuC6280.
pub const MAX_LEN: usize = 7;

/// One instruction, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disassembly {
    /// The address of its first byte.
    pub addr: u16,
    /// Its bytes, of which the first [`Instruction::len`] belong to it.
    pub bytes: [u8; MAX_LEN],
    /// Its row of the instruction table.
    pub row: &'static Instruction,
    cpu: tempo_isa::Cpu,
}

/// Takes one instruction of at most three bytes apart: every one of the CPUs that the emulator runs.
pub fn disassemble(cpu: tempo_isa::Cpu, addr: u16, bytes: [u8; 3]) -> Disassembly {
    disassemble_bytes(cpu, addr, &bytes)
}

/// Takes the instruction apart that these bytes begin with. Bytes that are missing are 0.
pub fn disassemble_bytes(cpu: tempo_isa::Cpu, addr: u16, bytes: &[u8]) -> Disassembly {
    let mut kept = [0; MAX_LEN];
    let len = bytes.len().min(MAX_LEN);
    kept[..len].copy_from_slice(&bytes[..len]);
    Disassembly { addr, bytes: kept, row: cpu.decode_bytes(bytes), cpu }
}

impl Disassembly {
    /// The bytes of the instruction.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.row.len()]
    }

    /// The first three bytes after the opcode.
    fn operand_bytes(&self) -> [u8; 3] {
        let at = self.row.prefix().len() + 1;
        core::array::from_fn(|index| self.bytes[at + index])
    }

    /// The address after the instruction.
    pub fn next(&self) -> u16 {
        self.addr.wrapping_add(self.row.len() as u16)
    }

    /// Where the instruction points: the address in the operand, or the target of a branch.
    pub fn target(&self) -> Option<u16> {
        let [lo, hi, third] = self.operand_bytes();
        let branch = |offset: u8| self.next().wrapping_add_signed(i16::from(offset.cast_signed()));
        match self.row.mode {
            Mode::Implied | Mode::Immediate | Mode::ImmediateWord => None,
            // It counts from the byte after the first of the operand.
            Mode::RelativeWord => {
                Some(self.next().wrapping_sub(1).wrapping_add(u16::from_le_bytes([lo, hi])))
            }
            Mode::TestZeroPage | Mode::TestZeroPageX => Some(u16::from(hi)),
            Mode::TestAbsolute | Mode::TestAbsoluteX => Some(u16::from_le_bytes([hi, third])),
            Mode::Relative => Some(branch(lo)),
            Mode::ZeroPageRelative => Some(branch(hi)),
            mode if mode.operand_len() == 1 => Some(u16::from(lo)),
            _ => Some(u16::from_le_bytes([lo, hi])),
        }
    }

    /// The text, with names for addresses that have one.
    pub fn with_labels<'a, L: Labels>(&'a self, labels: &'a L) -> impl fmt::Display + 'a {
        Text { of: self, labels }
    }

    /// Whether the assembler would choose the zero page for this operand if it were not told otherwise.
    fn needs_absolute(&self, target: u16) -> bool {
        let short = match self.row.mode {
            Mode::Absolute => Mode::ZeroPage,
            Mode::AbsoluteX => Mode::ZeroPageX,
            Mode::AbsoluteY => Mode::ZeroPageY,
            Mode::TestAbsolute => Mode::TestZeroPage,
            Mode::TestAbsoluteX => Mode::TestZeroPageX,
            _ => return false,
        };
        target < 0x100 && self.cpu.find(self.row.mnemonic, short).is_some()
    }
}

impl fmt::Display for Disassembly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Text { of: self, labels: &NoLabels }.fmt(f)
    }
}

struct Text<'a, L> {
    of: &'a Disassembly,
    labels: &'a L,
}

impl<L: Labels> fmt::Display for Text<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Text { of, labels } = self;
        if !of.row.is_nameable() {
            return write_bytes(f, of);
        }
        write!(f, "{}", of.row.mnemonic)?;
        let Some(target) = of.target() else {
            return match of.row.mode {
                Mode::Immediate => write!(f, " #${:02X}", of.bytes[1]),
                Mode::ImmediateWord => write!(f, " #${:04X}", u16::from_le_bytes([of.bytes[1], of.bytes[2]])),
                _ => Ok(()),
            };
        };
        if of.needs_absolute(target) {
            f.write_str(".abs")?;
        }
        f.write_str(" ")?;
        let is_short = match of.row.mode {
            Mode::Relative => false,
            Mode::TestZeroPage | Mode::TestZeroPageX => true,
            mode => mode.operand_len() == 1,
        };
        let digits = if is_short { 2 } else { 4 };
        let place = Place { addr: target, digits, labels: *labels };
        match of.row.mode {
            Mode::ZeroPageX | Mode::AbsoluteX => write!(f, "{place},x"),
            Mode::ZeroPageY | Mode::AbsoluteY => write!(f, "{place},y"),
            Mode::IndirectX | Mode::AbsoluteIndirectX => write!(f, "({place},x)"),
            Mode::IndirectY => write!(f, "({place}),y"),
            Mode::IndirectZ => write!(f, "({place}),z"),
            Mode::FarIndirectZ => write!(f, "(({place})),z"),
            Mode::FarIndirect => write!(f, "(({place}))"),
            Mode::StackIndirectY => write!(f, "(${target:02X},sp),y"),
            Mode::TestZeroPage | Mode::TestAbsolute => write!(f, "#${:02X},{place}", of.bytes[1]),
            Mode::TestZeroPageX | Mode::TestAbsoluteX => write!(f, "#${:02X},{place},x", of.bytes[1]),
            Mode::Block => {
                let word = |at: usize| u16::from_le_bytes([of.bytes[at], of.bytes[at + 1]]);
                let to = Place { addr: word(3), digits, labels: *labels };
                write!(f, "{place},{to},${:04X}", word(5))
            }
            Mode::Indirect | Mode::ZeroPageIndirect => write!(f, "({place})"),
            Mode::ZeroPageRelative => {
                let zero_page = Place { addr: u16::from(of.bytes[1]), digits: 2, labels: *labels };
                write!(f, "{zero_page},{place}")
            }
            _ => write!(f, "{place}"),
        }
    }
}

/// An opcode that source text cannot name: the bytes, with the instruction as a comment.
fn write_bytes(f: &mut fmt::Formatter<'_>, of: &Disassembly) -> fmt::Result {
    f.write_str(".byte ")?;
    for (index, byte) in of.bytes().iter().enumerate() {
        write!(f, "{}${byte:02X}", if index == 0 { "" } else { ", " })?;
    }
    write!(f, " // {}", of.row.mnemonic)
}

/// An address by name, by the name of the byte before, or by number.
struct Place<'a, L> {
    addr: u16,
    digits: usize,
    labels: &'a L,
}

impl<L: Labels> fmt::Display for Place<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.labels.label(self.addr) {
            return f.write_str(name);
        }
        // The high byte of a pair rarely has its own name.
        if let Some(name) = self.addr.checked_sub(1).and_then(|before| self.labels.label(before)) {
            return write!(f, "{name}+1");
        }
        write!(f, "${:0digits$X}", self.addr, digits = self.digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::string::{String, ToString};

    fn text(cpu: tempo_isa::Cpu, bytes: [u8; 3]) -> String {
        disassemble(cpu, 0x1000, bytes).to_string()
    }

    #[test]
    fn every_mode_has_its_form() {
        let nmos = |bytes| text(tempo_isa::Cpu::Mos6502, bytes);
        let cmos = |bytes| text(tempo_isa::Cpu::Wdc65c02, bytes);
        assert_eq!(nmos([0x0a, 0, 0]), "asl");
        assert_eq!(nmos([0xa9, 0x05, 0]), "lda #$05");
        assert_eq!(nmos([0xb6, 0x05, 0]), "ldx $05,y");
        assert_eq!(nmos([0xa1, 0x05, 0]), "lda ($05,x)");
        assert_eq!(nmos([0xb1, 0x05, 0]), "lda ($05),y");
        assert_eq!(nmos([0x9d, 0x05, 0x04]), "sta $0405,x");
        assert_eq!(nmos([0x6c, 0x05, 0x00]), "jmp ($0005)");
        assert_eq!(nmos([0xd0, 0xfe, 0]), "bne $1000");
        assert_eq!(cmos([0xb2, 0x05, 0]), "lda ($05)");
        assert_eq!(cmos([0x7c, 0x05, 0x04]), "jmp ($0405,x)");
        assert_eq!(cmos([0x1f, 0x05, 0x10]), "bbr1 $05,$1013");
    }

    #[test]
    fn what_the_assembler_would_shorten_is_forced() {
        assert_eq!(text(tempo_isa::Cpu::Mos6502, [0xad, 0x05, 0x00]), "lda.abs $0005");
        assert_eq!(text(tempo_isa::Cpu::Mos6502, [0xb9, 0x05, 0x00]), "lda $0005,y");
    }

    #[test]
    fn what_has_no_name_is_bytes() {
        assert_eq!(text(tempo_isa::Cpu::Mos6502, [0x02, 0, 0]), ".byte $02 // jam");
        assert_eq!(text(tempo_isa::Cpu::Mos6502, [0x3c, 0x34, 0x12]), ".byte $3C, $34, $12 // nop");
    }

    #[test]
    fn labels_stand_for_their_address_and_the_one_after() {
        let labels = BTreeMap::from([(0xd020u16, "Border".to_string()), (0x1000, "loop".to_string())]);
        let show =
            |bytes| disassemble(tempo_isa::Cpu::Mos6502, 0x1000, bytes).with_labels(&labels).to_string();
        assert_eq!(show([0x8d, 0x20, 0xd0]), "sta Border");
        assert_eq!(show([0x8d, 0x21, 0xd0]), "sta Border+1");
        assert_eq!(show([0xd0, 0xfe, 0]), "bne loop");
    }
}
