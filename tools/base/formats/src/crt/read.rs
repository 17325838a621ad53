//! A cartridge image taken apart.

use super::{Chip, ChipKind, CrtError, HALF, HEADER, Hardware, Image, NAME, PACKET, SIGNATURE, name_of};

/// Takes a file apart. What its hardware could not hold or show is refused with the place in the file.
pub fn read(file: &[u8]) -> Result<Image, CrtError> {
    if !file.starts_with(SIGNATURE) {
        return Err(CrtError::Signature);
    }
    let word = |at: usize| u16::from_be_bytes([file[at], file[at + 1]]);
    let length = match file.get(0x10..0x14) {
        // Some writers state the bytes that they use.
        Some(length) => long(length).max(HEADER),
        None => HEADER,
    };
    if file.len() < length {
        return Err(CrtError::ShortHeader { at: file.len(), length });
    }
    let number = word(0x16);
    let hardware =
        Hardware::from_number(number).ok_or(CrtError::Hardware { number, name: name_of(number) })?;
    let (exrom, game) = (file[0x18], file[0x19]);
    for (at, line, value) in [(0x18, "EXROM", exrom), (0x19, "GAME", game)] {
        if value > 1 {
            return Err(CrtError::Line { at, line, value });
        }
    }
    if hardware == Hardware::Generic && (exrom, game) == (1, 1) {
        return Err(CrtError::Invisible);
    }
    let name = file[0x20..0x20 + NAME].split(|&byte| byte == 0).next().unwrap_or_default();
    let name = String::from_utf8_lossy(name).trim_end().to_string();
    let mut image = Image { hardware, exrom, game, sub_type: file[0x1a], name, chips: Vec::new() };
    let mut places: Vec<usize> = Vec::new();
    let mut at = length;
    while at < file.len() {
        let (chip, next) = packet(file, at, &image)?;
        let first = image.chips.iter().position(|other| is_same_place(hardware, other, &chip));
        if let Some(first) = first.map(|first| places[first]) {
            return Err(CrtError::Twice { at, bank: chip.bank, address: chip.address, first });
        }
        image.chips.push(chip);
        places.push(at);
        at = next;
    }
    let needs = |address: u16| image.chips.iter().any(|chip| chip.address >= address);
    match image.chips.first() {
        None => Err(CrtError::Empty { at: length }),
        Some(chip) if hardware == Hardware::Generic && image.is_ultimax() && !needs(0xe000) => {
            Err(window(length, chip, &image))
        }
        Some(_) => Ok(image),
    }
}

fn long(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// The packet at an offset, and the offset after it.
fn packet(file: &[u8], at: usize, image: &Image) -> Result<(Chip, usize), CrtError> {
    let rest = &file[at..];
    let cut = |needed| CrtError::Cut { at, needed, left: rest.len() };
    let is_begin = b"CHIP".starts_with(&rest[..rest.len().min(4)]);
    if !is_begin {
        return Err(CrtError::Packet { at });
    }
    let header = rest.get(..PACKET).ok_or(cut(PACKET))?;
    let word = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
    let (length, size) = (long(&header[4..8]), usize::from(word(14)));
    if length != PACKET + size {
        return Err(CrtError::Length { at, length, size });
    }
    let bytes = rest.get(PACKET..length).ok_or(cut(length))?.to_vec();
    let hardware = image.hardware;
    let kind = ChipKind::from_number(word(8));
    let kind = kind.filter(|kind| matches!(kind, ChipKind::Rom | ChipKind::Flash));
    let kind = kind.ok_or(CrtError::ChipKind { at, number: word(8), hardware: hardware.name() })?;
    let chip = Chip { bank: word(10), address: word(12), kind, bytes };
    if chip.bank >= hardware.banks() {
        let (bank, last) = (chip.bank, hardware.banks() - 1);
        return Err(CrtError::Bank { at, bank, hardware: hardware.name(), last });
    }
    match is_inside(&chip, image) {
        true => Ok((chip, at + length)),
        false => Err(window(at, &chip, image)),
    }
}

/// Whether the CPU can see all of a packet where it says.
fn is_inside(chip: &Chip, image: &Image) -> bool {
    let (address, size) = (chip.address, chip.bytes.len());
    match (image.hardware, image.exrom, image.game) {
        (Hardware::Generic, 0, 1) => address == 0x8000 && (1..=HALF).contains(&size),
        (Hardware::Generic, 0, _) => address == 0x8000 && size == 2 * HALF,
        (Hardware::Generic, ..) => match address {
            0x8000 => (1..=HALF).contains(&size),
            0xe000 | 0xf000 | 0xf800 => usize::from(address) + size == 0x1_0000,
            _ => false,
        },
        (hardware, ..) => hardware.windows().contains(&address) && size == HALF,
    }
}

fn window(at: usize, chip: &Chip, image: &Image) -> CrtError {
    let (hardware, windows) = match (image.hardware, image.exrom, image.game) {
        (Hardware::Generic, 0, 1) => ("generic 8K", "up to $2000 bytes at $8000"),
        (Hardware::Generic, 0, _) => ("generic 16K", "one packet of $4000 bytes at $8000"),
        (Hardware::Generic, ..) => {
            ("Ultimax", "$2000 bytes at $E000, $1000 at $F000 or $800 at $F800, and up to $2000 at $8000")
        }
        (hardware, ..) => (hardware.name(), hardware.places()),
    };
    CrtError::Window { at, address: chip.address, size: chip.bytes.len(), hardware, windows }
}

/// Whether two packets fill the same memory.
fn is_same_place(hardware: Hardware, one: &Chip, other: &Chip) -> bool {
    let half = |chip: &Chip| hardware != Hardware::Ocean && chip.address >= 0xa000;
    one.bank == other.bank && half(one) == half(other)
}
