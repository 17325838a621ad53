//! A cartridge image made of banks.

use std::ops::Range;

use thiserror::Error;

use super::{Chip, ChipKind, HALF, Hardware, Image, NAME};

/// The types of `tempo crt create`, each with its header.
macro_rules! kinds {
    ($($name:ident $word:literal $hardware:ident $exrom:literal $game:literal $title:literal $about:literal;)*) => {
        /// A type of cartridge as people name it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(#[doc = $about] $name,)*
        }

        impl Kind {
            /// All of them.
            pub const ALL: &'static [Kind] = &[$(Kind::$name),*];

            /// The word in commands and sources.
            pub fn word(self) -> &'static str {
                match self { $(Kind::$name => $word),* }
            }

            /// The type with this word.
            pub fn from_word(word: &str) -> Option<Kind> {
                Kind::ALL.iter().copied().find(|kind| kind.word().eq_ignore_ascii_case(word))
            }

            /// The hardware.
            pub fn hardware(self) -> Hardware {
                match self { $(Kind::$name => Hardware::$hardware),* }
            }

            /// EXROM and GAME after a reset.
            fn lines(self) -> (u8, u8) {
                match self { $(Kind::$name => ($exrom, $game)),* }
            }

            /// The name of a cartridge that was given none.
            pub fn default_name(self) -> &'static str {
                match self { $(Kind::$name => $title),* }
            }

            /// A sentence about it.
            pub fn about(self) -> &'static str {
                match self { $(Kind::$name => $about),* }
            }
        }
    };
}

// The columns: variant, word, hardware, EXROM and GAME after a reset, name of a cartridge without one, description.
kinds! {
    Rom8K "8k" Generic 0 1 "8K CARTRIDGE" "8 KB at $8000.";
    Rom16K "16k" Generic 0 0 "16K CARTRIDGE" "16 KB at $8000.";
    Ultimax "ultimax" Generic 1 0 "ULTIMAX CARTRIDGE" "8 KB at $E000, and 8 KB at $8000 if there are some.";
    MagicDesk "magicdesk" MagicDesk 0 1 "MAGIC DESK" "Magic Desk: up to 128 banks of 8 KB at $8000.";
    Ocean "ocean" Ocean 0 0 "OCEAN" "Ocean: up to 64 banks of 8 KB.";
    EasyFlash "easyflash" EasyFlash 1 0 "EasyFlash" "EasyFlash: up to 64 banks of 8 KB at $8000 and 8 KB at $A000 or $E000.";
    Gmod2 "gmod2" Gmod2 0 1 "GMOD2" "GMod2: up to 64 banks of 8 KB at $8000.";
}

impl Kind {
    /// The addresses at which code of a half is seen.
    fn windows(self, is_high: bool) -> &'static [u16] {
        match (self, is_high) {
            (Kind::Ocean, _) => &[0x8000, 0xa000],
            (_, false) => &[0x8000],
            (Kind::Ultimax, true) => &[0xe000],
            (Kind::EasyFlash, true) => &[0xa000, 0xe000],
            (_, true) => &[0xa000],
        }
    }

    fn has_high(self) -> bool {
        matches!(self, Kind::Rom16K | Kind::Ultimax | Kind::EasyFlash | Kind::Ocean)
    }

    /// The byte that fills short banks.
    pub fn fill(self) -> u8 {
        if self.hardware().memory() == ChipKind::Flash { 0xff } else { 0 }
    }

    /// Bytes at an address as those of a half, from its first one on; the addresses of the half if they leave it. No
    /// bytes fit anywhere.
    pub fn place(self, is_high: bool, start: i64, bytes: &[u8]) -> Result<Vec<u8>, Range<i64>> {
        let room = self.capacity(is_high) as i64;
        let mut windows =
            self.windows(is_high).iter().map(|&first| i64::from(first)..i64::from(first) + room);
        let first = windows.clone().next().expect("every half has an address");
        if bytes.is_empty() {
            return Ok(Vec::new());
        }
        let window = windows.find(|window| window.contains(&start)).ok_or(first)?;
        if start + bytes.len() as i64 > window.end {
            return Err(window);
        }
        let mut placed = vec![self.fill(); (start - window.start) as usize];
        placed.extend(bytes);
        Ok(placed)
    }

    /// The most bytes that a half takes.
    pub fn capacity(self, is_high: bool) -> usize {
        if self == Kind::Rom16K && !is_high { 2 * HALF } else { HALF }
    }
}

/// Bytes for a half of a bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The bank.
    pub bank: u16,
    /// The half at $A000 or $E000.
    pub is_high: bool,
    /// The bytes, from the first of the half on.
    pub bytes: Vec<u8>,
}

/// Why parts make no cartridge. `part` counts from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There are none.
    #[error("a cartridge needs at least one bank")]
    Empty,
    /// The name does not fit, or is not text that a header holds.
    #[error("the name '{0}' has to be up to 32 characters of ASCII")]
    Name(String),
    /// A bank that the hardware cannot select.
    #[error("bank {bank}: {kind} cartridges have {}", if *last == 0 { "bank 0 only".into() } else { format!("banks 0 to {last}") })]
    Bank {
        /// Which part.
        part: usize,
        /// The bank.
        bank: u16,
        /// The type.
        kind: &'static str,
        /// The last bank.
        last: u16,
    },
    /// A half that the hardware does not have.
    #[error("{bank}:hi: {kind} cartridges have no memory there; use {bank}:lo")]
    NoHigh {
        /// Which part.
        part: usize,
        /// The bank.
        bank: u16,
        /// The type.
        kind: &'static str,
    },
    /// More bytes than fit.
    #[error("{bank}:{half}: {size} bytes, and {room} fit")]
    TooLong {
        /// Which part.
        part: usize,
        /// The bank.
        bank: u16,
        /// `lo` or `hi`.
        half: &'static str,
        /// The bytes.
        size: usize,
        /// The bytes that fit.
        room: usize,
    },
    /// Two parts for one place.
    #[error("{bank}:{half} is given twice")]
    Twice {
        /// The second part.
        part: usize,
        /// The bank.
        bank: u16,
        /// `lo` or `hi`.
        half: &'static str,
    },
    /// An Ultimax cartridge without the half that starts it.
    #[error("an ultimax cartridge needs 0:hi, where its vectors are")]
    NoVectors,
}

impl BuildError {
    /// The part that is wrong, from 0.
    pub fn part(&self) -> Option<usize> {
        match *self {
            BuildError::Bank { part, .. }
            | BuildError::NoHigh { part, .. }
            | BuildError::TooLong { part, .. }
            | BuildError::Twice { part, .. } => Some(part),
            _ => None,
        }
    }
}

fn half(is_high: bool) -> &'static str {
    if is_high { "hi" } else { "lo" }
}

/// Makes a cartridge: a packet for each part, in their order; those of a 16K cartridge are one.
pub fn build(kind: Kind, name: &str, parts: &[Part]) -> Result<Image, BuildError> {
    if name.len() > NAME || !name.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Err(BuildError::Name(name.into()));
    }
    let hardware = kind.hardware();
    for (at, part) in parts.iter().enumerate() {
        let &Part { bank, is_high, ref bytes } = part;
        if bank >= hardware.banks() {
            return Err(BuildError::Bank { part: at, bank, kind: kind.word(), last: hardware.banks() - 1 });
        }
        if is_high && !kind.has_high() {
            return Err(BuildError::NoHigh { part: at, bank, kind: kind.word() });
        }
        let room = kind.capacity(is_high);
        if bytes.len() > room {
            let (half, size) = (half(is_high), bytes.len());
            return Err(BuildError::TooLong { part: at, bank, half, size, room });
        }
        let is_same = |other: &Part| {
            // The halves of an Ocean cartridge are one memory, and 16 KB at $8000 fill both.
            let is_whole = kind == Kind::Ocean || other.bytes.len() > HALF || bytes.len() > HALF;
            other.bank == bank && (other.is_high == is_high || is_whole)
        };
        if parts[..at].iter().any(is_same) {
            return Err(BuildError::Twice { part: at, bank, half: half(is_high) });
        }
    }
    if parts.is_empty() {
        return Err(BuildError::Empty);
    }
    if kind == Kind::Ultimax && !parts.iter().any(|part| part.is_high) {
        return Err(BuildError::NoVectors);
    }
    let chip_kind = hardware.memory();
    let filled = |bytes: &[u8], size: usize| {
        let mut bytes = bytes.to_vec();
        bytes.resize(size, kind.fill());
        bytes
    };
    let chips = if kind == Kind::Rom16K {
        let mut bytes = vec![kind.fill(); 2 * HALF];
        for part in parts {
            let first = if part.is_high { HALF } else { 0 };
            bytes[first..first + part.bytes.len()].copy_from_slice(&part.bytes);
        }
        vec![Chip { bank: 0, address: 0x8000, kind: chip_kind, bytes }]
    } else {
        let address = |part: &Part| match kind {
            Kind::Ocean if part.bank >= 16 => 0xa000,
            Kind::Ocean => 0x8000,
            _ => kind.windows(part.is_high)[0],
        };
        let chip = |part: &Part| Chip {
            bank: part.bank,
            address: address(part),
            kind: chip_kind,
            bytes: filled(&part.bytes, HALF),
        };
        parts.iter().map(chip).collect()
    };
    let (mut exrom, mut game) = kind.lines();
    if kind == Kind::Ocean && chips.len() > 32 {
        // 512 KB are shown at $8000 alone.
        (exrom, game) = (0, 1);
    }
    Ok(Image { hardware, exrom, game, sub_type: 0, name: name.into(), chips })
}
