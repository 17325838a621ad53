//! The registers as the protocol numbers, names and orders them.

use crate::banks::Space;

/// Values of all registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Registers {
    /// The program counter; at a jam opcode, its address.
    pub pc: u16,
    /// The accumulator.
    pub a: u8,
    /// The X index.
    pub x: u8,
    /// The Y index.
    pub y: u8,
    /// The stack pointer.
    pub sp: u8,
    /// The data direction of the port.
    pub direction: u8,
    /// The port.
    pub port: u8,
    /// The flags.
    pub flags: u8,
    /// The raster line.
    pub line: u16,
    /// The cycle in the line.
    pub cycle: u16,
}

/// Id, name, bits, and whether a drive has it; in the order of lists.
pub const TABLE: [(u8, &str, u8, bool); 10] = [
    (0x03, "PC", 16, true),
    (0x00, "A", 8, true),
    (0x01, "X", 8, true),
    (0x02, "Y", 8, true),
    (0x04, "SP", 8, true),
    (0x37, "00", 8, false),
    (0x38, "01", 8, false),
    (0x05, "FL", 8, true),
    (0x35, "LIN", 16, true),
    (0x36, "CYC", 16, true),
];

/// The answer of a drive that is not there.
pub const OF_DRIVE: Registers =
    Registers { pc: 0, a: 0, x: 0, y: 0, sp: 0, direction: 0, port: 0, flags: 2, line: 0, cycle: 1 };

impl Registers {
    /// The value of a register by its id.
    pub fn get(&self, id: u8) -> Option<u16> {
        Some(match id {
            0x03 => self.pc,
            0x00 => self.a.into(),
            0x01 => self.x.into(),
            0x02 => self.y.into(),
            0x04 => self.sp.into(),
            0x37 => self.direction.into(),
            0x38 => self.port.into(),
            0x05 => self.flags.into(),
            0x35 => self.line,
            0x36 => self.cycle,
            _ => return None,
        })
    }

    /// Sets a register of the CPU by its id, the low byte of the value in most. The beam cannot be set, but no error says so.
    /// `false` for all others.
    pub fn set(&mut self, id: u8, value: u16) -> bool {
        let byte = value as u8;
        match id {
            0x03 => self.pc = value,
            0x00 => self.a = byte,
            0x01 => self.x = byte,
            0x02 => self.y = byte,
            0x04 => self.sp = byte,
            0x05 => self.flags = byte,
            0x35 | 0x36 => {}
            _ => return false,
        }
        true
    }

    /// The list of a register answer.
    pub fn list(&self, space: Space) -> Vec<u8> {
        let rows = TABLE.iter().filter(|(.., in_drive)| space == Space::Main || *in_drive);
        let mut items = Vec::new();
        let mut count = 0u16;
        for (id, ..) in rows {
            items.extend([3, *id]);
            items.extend(self.get(*id).unwrap_or(0).to_le_bytes());
            count += 1;
        }
        [&count.to_le_bytes()[..], &items].concat()
    }
}
