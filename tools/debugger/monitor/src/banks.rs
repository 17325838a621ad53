//! Banks and memory spaces: the names and numbers under which clients ask for memory.

use tempo_emu::Part;

/// A bank of the main CPU's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bank {
    /// The memory that the CPU sees.
    Cpu,
    /// RAM.
    Ram,
    /// ROMs.
    Rom,
    /// The chips.
    Io,
    /// The expansion port.
    Cart,
}

/// Banks with their names, in the order in which they are listed. Numbers follow [`Bank::number`].
pub const BANKS: [(&str, Bank); 6] = [
    ("default", Bank::Cpu),
    ("cpu", Bank::Cpu),
    ("ram", Bank::Ram),
    ("rom", Bank::Rom),
    ("io", Bank::Io),
    ("cart", Bank::Cart),
];

impl Bank {
    /// Its number.
    pub fn number(self) -> u16 {
        self as u16
    }

    /// The bank with a number.
    pub fn from_number(number: u16) -> Option<Bank> {
        BANKS.iter().map(|(_, bank)| *bank).find(|bank| bank.number() == number)
    }

    /// The part of the machine's memory.
    pub fn part(self) -> Part {
        match self {
            Bank::Cpu => Part::Cpu,
            Bank::Ram => Part::Ram,
            Bank::Rom => Part::Rom,
            Bank::Io => Part::Io,
            Bank::Cart => Part::Cartridge,
        }
    }
}

/// Whose memory and registers are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// The main CPU.
    Main,
    /// A drive: all there is of it are registers and memory at rest.
    Drive,
}

impl Space {
    /// The space with a number: 0 is the main CPU, 1 to 4 are the drives 8 to 11.
    pub fn from_number(number: u8) -> Option<Space> {
        match number {
            0 => Some(Space::Main),
            1..=4 => Some(Space::Drive),
            _ => None,
        }
    }
}
