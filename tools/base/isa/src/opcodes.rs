//! Opcodes that tools compare with, which are the same on all CPUs that have them. The numbers come from the tables.

use crate::{Cpu, Mnemonic, Mode};

/// `brk`
pub const BRK: u8 = opcode(Cpu::Mos6502, Mnemonic::Brk, Mode::Implied);
/// `jsr abs`
pub const JSR: u8 = opcode(Cpu::Mos6502, Mnemonic::Jsr, Mode::Absolute);
/// `nop`
pub const NOP: u8 = opcode(Cpu::Mos6502, Mnemonic::Nop, Mode::Implied);
/// `rti`
pub const RTI: u8 = opcode(Cpu::Mos6502, Mnemonic::Rti, Mode::Implied);
/// `rts`
pub const RTS: u8 = opcode(Cpu::Mos6502, Mnemonic::Rts, Mode::Implied);
/// `txs`
pub const TXS: u8 = opcode(Cpu::Mos6502, Mnemonic::Txs, Mode::Implied);
/// `jmp abs`
pub const JMP: u8 = opcode(Cpu::Mos6502, Mnemonic::Jmp, Mode::Absolute);
/// `jmp (abs)`
pub const JMP_INDIRECT: u8 = opcode(Cpu::Mos6502, Mnemonic::Jmp, Mode::Indirect);
/// `jmp (abs,x)`, which the CMOS CPUs have.
pub const JMP_INDEXED: u8 = opcode(Cpu::Wdc65c02, Mnemonic::Jmp, Mode::AbsoluteIndirectX);

const fn opcode(cpu: Cpu, mnemonic: Mnemonic, mode: Mode) -> u8 {
    match cpu.encode(mnemonic, mode) {
        Some(opcode) => opcode,
        None => panic!("the CPU has it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cpus_have_them_alike() {
        for cpu in Cpu::ALL {
            for opcode in [BRK, JSR, NOP, RTI, RTS, TXS, JMP, JMP_INDIRECT] {
                let (one, two) = (Cpu::Mos6502.decode(opcode), cpu.decode(opcode));
                assert_eq!((one.mnemonic, one.mode), (two.mnemonic, two.mode), "{cpu:?} ${opcode:02X}");
            }
        }
    }
}
