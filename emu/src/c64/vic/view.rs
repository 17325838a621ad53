//! The memory as the VIC sees it.

use crate::c64::board::{CHARACTERS, MEMORY, ROMH};

/// The VIC's view of the board in a cycle.
pub(in crate::c64) struct View<'a> {
    /// RAM and ROMs.
    pub(in crate::c64) memory: &'a [u8; MEMORY + 2],
    /// The RAM at 0 and 1, where the CPU sees its port.
    pub(in crate::c64) below_port: [u8; 2],
    pub(in crate::c64) colours: &'a [u8; 0x400],
    /// The first address of its 16 KB.
    pub(in crate::c64) bank: u16,
    /// The ROM it sees there.
    pub(in crate::c64) rom: SeenRom,
    /// The CPU's address bus.
    pub(in crate::c64) cpu_address: u16,
}

/// Which of the VIC's addresses lead to 4 KB of a ROM: those that are `value` under `mask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::c64) struct SeenRom {
    mask: u16,
    value: u16,
    place: usize,
}

impl SeenRom {
    /// The characters, in the first and third of its banks.
    pub(in crate::c64) const CHARACTERS: SeenRom = SeenRom { mask: 0x7000, value: 0x1000, place: CHARACTERS };
    /// The upper half of ROMH in Ultimax mode, in every bank.
    pub(in crate::c64) const ULTIMAX: SeenRom = SeenRom { mask: 0x3000, value: 0x3000, place: ROMH + 0x1000 };
}

impl View<'_> {
    /// Whether an address leads to a ROM.
    pub(super) fn is_rom(&self, addr: u16) -> bool {
        (self.bank | addr & 0x3fff) & self.rom.mask == self.rom.value
    }

    #[inline(always)]
    pub(in crate::c64) fn read(&self, addr: u16) -> u8 {
        let addr = self.bank | addr & 0x3fff;
        let SeenRom { mask, value, place } = self.rom;
        if addr & mask == value {
            return self.memory[(place | usize::from(addr & 0x0fff)) & (MEMORY - 1)];
        }
        if addr < 2 { self.below_port[usize::from(addr)] } else { self.memory[usize::from(addr)] }
    }
}
