//! Cartridge images (`.crt`): [`read`] takes one apart and refuses what its hardware cannot hold, [`Image::write`] makes
//! one, [`build`] makes an image of banks. Knows the container and the windows of each kind of hardware; knows nothing of
//! machines.

mod build;
mod read;

use thiserror::Error;

pub use build::{BuildError, Kind, Part, build};
pub use read::read;

/// Bytes of a bank's half.
pub const HALF: usize = 0x2000;
/// Bytes of the file's header.
const HEADER: usize = 0x40;
/// Bytes of a packet's header.
const PACKET: usize = 0x10;
const SIGNATURE: &[u8; 16] = b"C64 CARTRIDGE   ";
/// Longest name.
pub const NAME: usize = 32;
/// The mark at $8004 that the KERNAL looks for after a reset.
pub const AUTOSTART: [u8; 5] = [0xc3, 0xc2, 0xcd, 0x38, 0x30];

/// The kinds of hardware, each with its row of facts.
macro_rules! hardware {
    ($($name:ident $number:literal $text:literal $banks:literal $memory:ident $windows:expr, $places:literal;)*) => {
        /// Hardware of a cartridge: how its banks are switched.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Hardware {
            $(#[doc = $text] $name,)*
        }

        impl Hardware {
            /// All of them.
            pub const ALL: &'static [Hardware] = &[$(Hardware::$name),*];

            /// The hardware with this number in the header.
            pub fn from_number(number: u16) -> Option<Hardware> {
                match number { $($number => Some(Hardware::$name),)* _ => None }
            }

            /// The number in the header.
            pub fn number(self) -> u16 {
                match self { $(Hardware::$name => $number),* }
            }

            /// The name for people.
            pub fn name(self) -> &'static str {
                match self { $(Hardware::$name => $text),* }
            }

            /// The number of banks at most.
            pub fn banks(self) -> u16 {
                match self { $(Hardware::$name => $banks),* }
            }

            /// The memory of its banks.
            pub fn memory(self) -> ChipKind {
                match self { $(Hardware::$name => ChipKind::$memory),* }
            }

            /// The addresses of its packets, which are $2000 bytes long; none if the lines decide about them.
            fn windows(self) -> &'static [u16] {
                match self { $(Hardware::$name => &$windows),* }
            }

            /// The places of packets, for messages.
            fn places(self) -> &'static str {
                match self { $(Hardware::$name => $places),* }
            }
        }
    };
}

// The columns: variant, number in the header, name for people, banks at most, their memory, addresses of packets.
hardware! {
    Generic 0 "generic cartridge" 1 Rom [], "";
    Ocean 5 "Ocean" 64 Rom [0x8000, 0xa000], "$2000 bytes at $8000 or $A000 in a bank";
    MagicDesk 19 "Magic Desk" 128 Rom [0x8000], "$2000 bytes at $8000 in a bank";
    EasyFlash 32 "EasyFlash" 64 Flash [0x8000, 0xa000, 0xe000], "$2000 bytes at $8000 and at $A000 in a bank";
    Gmod2 60 "GMod2" 64 Flash [0x8000], "$2000 bytes at $8000 in a bank";
}

/// Names of hardware that is known and not supported, for messages.
const OTHERS: [(u16, &str); 34] = [
    (1, "Action Replay"),
    (2, "KCS Power Cartridge"),
    (3, "Final Cartridge III"),
    (4, "Simons' BASIC"),
    (6, "Expert Cartridge"),
    (7, "Fun Play"),
    (8, "Super Games"),
    (9, "Atomic Power"),
    (10, "Epyx FastLoad"),
    (11, "Westermann Learning"),
    (12, "Rex Utility"),
    (13, "Final Cartridge I"),
    (14, "Magic Formel"),
    (15, "C64 Game System"),
    (16, "WarpSpeed"),
    (17, "Dinamic"),
    (18, "Zaxxon"),
    (20, "Super Snapshot V5"),
    (21, "Comal 80"),
    (22, "Structured BASIC"),
    (23, "Ross"),
    (33, "EasyFlash X-Bank"),
    (34, "Capture"),
    (35, "Action Replay 3"),
    (36, "Retro Replay"),
    (37, "MMC64"),
    (38, "MMC Replay"),
    (39, "IDE64"),
    (40, "Super Snapshot V4"),
    (41, "IEEE-488"),
    (53, "Pagefox"),
    (54, "Business BASIC"),
    (57, "RGCD"),
    (62, "GMod3"),
];

/// The name of a hardware number, for messages.
fn name_of(number: u16) -> &'static str {
    let other = || OTHERS.iter().find(|(known, _)| *known == number).map(|(_, name)| *name);
    Hardware::from_number(number).map(Hardware::name).or_else(other).unwrap_or("an unknown cartridge")
}

/// The memory in a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChipKind {
    /// ROM.
    Rom,
    /// RAM.
    Ram,
    /// Flash memory.
    Flash,
    /// EEPROM.
    Eeprom,
}

impl ChipKind {
    /// The number in the packet.
    pub fn number(self) -> u16 {
        self as u16
    }

    fn from_number(number: u16) -> Option<ChipKind> {
        [ChipKind::Rom, ChipKind::Ram, ChipKind::Flash, ChipKind::Eeprom].get(usize::from(number)).copied()
    }
}

/// A packet: bytes of a bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// The bank's number.
    pub bank: u16,
    /// Where the CPU sees it.
    pub address: u16,
    /// The memory it is.
    pub kind: ChipKind,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A cartridge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// How banks are switched.
    pub hardware: Hardware,
    /// EXROM in the header, 0 = active.
    pub exrom: u8,
    /// GAME in the header, 0 = active.
    pub game: u8,
    /// The sub type, 0 as a rule.
    pub sub_type: u8,
    /// The name in the header.
    pub name: String,
    /// The packets, in the order of the file.
    pub chips: Vec<Chip>,
}

/// Why a file is not a cartridge that can be used. Offsets are those of the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CrtError {
    /// It begins with something else.
    #[error("at offset $0: not a cartridge image; one begins with `C64 CARTRIDGE   `")]
    Signature,
    /// The header is not all there.
    #[error("at offset ${at:X}: the header has ${length:X} bytes, and the file ends before")]
    ShortHeader {
        /// The size of the file.
        at: usize,
        /// The length that the header states.
        length: usize,
    },
    /// EXROM or GAME is something other than 0 and 1.
    #[error("at offset ${at:X}: {line} is {value}; a line is 0 (active) or 1")]
    Line {
        /// The byte.
        at: usize,
        /// The line.
        line: &'static str,
        /// Its value.
        value: u8,
    },
    /// A cartridge that no CPU ever sees.
    #[error("at offset $18: EXROM and GAME are both inactive; a generic cartridge needs one of them")]
    Invisible,
    /// Hardware that is not known here.
    #[error("at offset $16: type {number}, {name}, is not supported")]
    Hardware {
        /// The number.
        number: u16,
        /// Its name.
        name: &'static str,
    },
    /// There are no packets.
    #[error("at offset ${at:X}: the file ends without a CHIP packet")]
    Empty {
        /// The end of the header.
        at: usize,
    },
    /// A packet does not begin with `CHIP`.
    #[error("at offset ${at:X}: a packet begins with `CHIP`, this does not")]
    Packet {
        /// Where it begins.
        at: usize,
    },
    /// The file ends within a packet.
    #[error("at offset ${at:X}: the packet needs ${needed:X} bytes, and ${left:X} are left")]
    Cut {
        /// Where it begins.
        at: usize,
        /// Bytes of the packet.
        needed: usize,
        /// Bytes of the rest of the file.
        left: usize,
    },
    /// The two lengths of a packet contradict each other.
    #[error(
        "at offset ${at:X}: the packet's length is ${length:X}; with ${size:X} bytes of data it is ${:X}",
        size + PACKET
    )]
    Length {
        /// Where the packet begins.
        at: usize,
        /// The stated length.
        length: usize,
        /// The stated size of the data.
        size: usize,
    },
    /// Memory of a kind that the hardware does not have.
    #[error("at offset ${at:X}: chip type {number}; a {hardware} cartridge has type 0 (ROM) or 2 (flash)")]
    ChipKind {
        /// Where the packet begins.
        at: usize,
        /// The chip type.
        number: u16,
        /// The hardware.
        hardware: &'static str,
    },
    /// A bank that the hardware cannot select.
    #[error("at offset ${at:X}: bank {bank}; the last one of a {hardware} cartridge is {last}")]
    Bank {
        /// Where the packet begins.
        at: usize,
        /// The bank.
        bank: u16,
        /// The hardware.
        hardware: &'static str,
        /// The last bank.
        last: u16,
    },
    /// A packet that the CPU would see elsewhere, or in part.
    #[error(
        "at offset ${at:X}: ${size:X} bytes at ${address:04X} are outside the windows of a {hardware} cartridge; it has {windows}"
    )]
    Window {
        /// Where the packet begins.
        at: usize,
        /// The address.
        address: u16,
        /// The bytes.
        size: usize,
        /// The hardware.
        hardware: &'static str,
        /// The right value.
        windows: &'static str,
    },
    /// Two packets for one place.
    #[error("at offset ${at:X}: bank {bank} at ${address:04X} is there already, at offset ${first:X}")]
    Twice {
        /// Where the packet begins.
        at: usize,
        /// The bank.
        bank: u16,
        /// Its address.
        address: u16,
        /// Where the first packet begins.
        first: usize,
    },
}

/// The way a cartridge starts after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The mark `CBM80` at $8004: the KERNAL jumps through $8000 to this address.
    Mark(u16),
    /// The cartridge's own reset vector at $FFFC.
    Vector(u16),
    /// Nothing: a C64 goes to its prompt, or nowhere.
    Nothing,
}

impl Image {
    /// The map that EXROM and GAME of the header choose.
    pub fn is_ultimax(&self) -> bool {
        self.hardware == Hardware::EasyFlash || (self.exrom, self.game) == (1, 0)
    }

    /// The byte of bank 0 that the CPU sees at an address after a reset.
    fn byte(&self, address: u16) -> Option<u8> {
        self.chips.iter().filter(|chip| chip.bank == 0).find_map(|chip| {
            // ROMH of an EasyFlash is seen at $E000, whatever its packet says.
            let first = match chip.address {
                0xa000 if self.hardware == Hardware::EasyFlash => 0xe000,
                other => other,
            };
            chip.bytes.get(usize::from(address.checked_sub(first)?)).copied()
        })
    }

    fn word(&self, address: u16) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte(address)?, self.byte(address + 1)?]))
    }

    /// Returns the way it starts after a reset.
    pub fn start(&self) -> Start {
        if self.is_ultimax() {
            // Memory that was not written is $0000 or $FFFF there.
            let vector = self.word(0xfffc).filter(|&vector| vector != 0 && vector != 0xffff);
            return vector.map_or(Start::Nothing, Start::Vector);
        }
        let is_marked = (0x8004..).zip(AUTOSTART).all(|(address, mark)| self.byte(address) == Some(mark));
        match self.word(0x8000) {
            Some(cold) if is_marked => Start::Mark(cold),
            _ => Start::Nothing,
        }
    }

    /// Returns the reason why the cartridge does not start after a reset, for people.
    pub fn complaint(&self) -> Option<&'static str> {
        match self.start() {
            Start::Nothing if self.is_ultimax() => {
                Some("bank 0 has no reset vector at $FFFC: the cartridge does not start after a reset")
            }
            Start::Nothing => Some(
                "bank 0 has no CBM80 mark at $8004: the KERNAL does not start the cartridge after a reset",
            ),
            _ => None,
        }
    }

    /// The file.
    pub fn write(&self) -> Vec<u8> {
        let size: usize = self.chips.iter().map(|chip| PACKET + chip.bytes.len()).sum();
        let mut file = Vec::with_capacity(HEADER + size);
        file.extend(SIGNATURE);
        file.extend((HEADER as u32).to_be_bytes());
        file.extend(if self.sub_type == 0 { [1, 0] } else { [1, 1] });
        file.extend(self.hardware.number().to_be_bytes());
        file.extend([self.exrom, self.game, self.sub_type]);
        file.resize(0x20, 0);
        file.extend(self.name.bytes().take(NAME));
        file.resize(HEADER, 0);
        for chip in &self.chips {
            file.extend(b"CHIP");
            file.extend(((PACKET + chip.bytes.len()) as u32).to_be_bytes());
            for word in [chip.kind.number(), chip.bank, chip.address, chip.bytes.len() as u16] {
                file.extend(word.to_be_bytes());
            }
            file.extend(&chip.bytes);
        }
        file
    }
}
