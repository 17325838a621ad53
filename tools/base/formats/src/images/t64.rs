//! `.t64`: files in an archive. Many are faulty, and their readers have always made do: the count of files may be 0, and
//! the end address is often the same wrong number.

use super::{Container, Image, ImageError, entry, long, padded, word};
use crate::d64::{D64Error, Entry, File, Kind};

pub(super) const SIGNATURE: &[u8] = b"C64";

/// The header is followed by this many bytes for each slot.
const HEADER: usize = 0x40;
const SLOT: usize = 0x20;

/// The end address that a widespread converter wrote into every archive.
const WRONG_END: u16 = 0xc3c6;

/// Reads the archive.
pub(super) fn read(bytes: &[u8]) -> Result<Image, ImageError> {
    let header = bytes.get(..HEADER).ok_or(ImageError::EndsEarly("its header has 64 bytes"))?;
    let slots = usize::from(word(header, 0x22).unwrap_or(0)).max(1);
    // Fewer slots than stated may be there: the rest is data already, or the end.
    let all: Vec<&[u8]> = bytes[HEADER..].chunks_exact(SLOT).take(slots).collect();
    let offset = |slot: &[u8]| long(slot, 8).map_or(0, |offset| offset as usize);
    let is_filled = |slot: &&[u8]| slot[0] == 1 && offset(slot) >= HEADER;
    let first_data = all.iter().copied().filter(is_filled).map(offset).min().unwrap_or(usize::MAX);
    let mut starts = Vec::new();
    let mut entries = Vec::new();
    let table = all.iter().enumerate().filter(|(number, _)| HEADER + (number + 1) * SLOT <= first_data);
    let filled: Vec<&[u8]> = table.map(|(_, slot)| *slot).filter(is_filled).collect();
    starts.extend(filled.iter().map(|slot| offset(slot)));
    starts.sort_unstable();
    for slot in &filled {
        let start = offset(slot);
        let after = starts.partition_point(|&other| other <= start);
        let next = starts.get(after).copied().unwrap_or(bytes.len());
        entries.push(file(bytes, slot, start, next.min(bytes.len())));
    }
    if entries.is_empty() {
        return Err(ImageError::Damaged("no slot of its directory has a file".into()));
    }
    Ok(Image::from_files(Container::T64, padded(&header[0x28..0x40]), entries))
}

/// The file of a slot, whose data begins at `start` and ends before `next`.
fn file(bytes: &[u8], slot: &[u8], start: usize, next: usize) -> Entry {
    let (load, end) = (word(slot, 2).unwrap_or(0), word(slot, 4).unwrap_or(0));
    let kind = match slot[1] & 0x8f {
        0x81 => Kind::Seq,
        0x83 => Kind::Usr,
        _ => Kind::Prg,
    };
    let available = next.saturating_sub(start);
    let stated = usize::from(end.wrapping_sub(load));
    let len = match stated {
        stated if stated > available && (end == WRONG_END || end <= load) => available,
        0 => available,
        stated => stated,
    };
    let contents = match bytes.get(start..).and_then(|rest| rest.get(..len)) {
        Some(data) if len > 0 => Ok(load.to_le_bytes().iter().chain(data).copied().collect()),
        _ => {
            Err(D64Error::EndsEarly { missing: len.saturating_sub(bytes.len().saturating_sub(start)).max(1) })
        }
    };
    entry(padded(&slot[16..32]), kind, contents)
}

/// Builds an archive.
pub(super) fn write(name: &str, files: &[File]) -> Result<Vec<u8>, ImageError> {
    let mut header = vec![0; HEADER];
    header[..20].copy_from_slice(b"C64 tape image file\n");
    header[0x20..0x22].copy_from_slice(&0x0101u16.to_le_bytes());
    let count = u16::try_from(files.len()).map_err(|_| D64Error::DirectoryFull(files.len()))?;
    header[0x22..0x24].copy_from_slice(&count.to_le_bytes());
    header[0x24..0x26].copy_from_slice(&count.to_le_bytes());
    blank_padded(name, &mut header[0x28..0x40]);
    let mut slots = Vec::with_capacity(files.len() * SLOT);
    let mut data: Vec<u8> = Vec::new();
    for file in files {
        let too_long = || ImageError::FileTooLong(file.name.clone());
        let [low, high, contents @ ..] = &file.bytes[..] else { return Err(too_long()) };
        let load = u16::from_le_bytes([*low, *high]);
        // An end of $0000 means that the last byte is at $FFFF.
        let end = usize::from(load) + contents.len();
        if end > 0x10000 || contents.is_empty() {
            return Err(too_long());
        }
        let mut slot = [0; SLOT];
        slot[0] = 1;
        slot[1] = 0x80 | file.kind.code();
        slot[2..4].copy_from_slice(&load.to_le_bytes());
        slot[4..6].copy_from_slice(&(end as u16).to_le_bytes());
        let offset = HEADER + files.len() * SLOT + data.len();
        slot[8..12].copy_from_slice(&(offset as u32).to_le_bytes());
        blank_padded(&file.name, &mut slot[16..32]);
        slots.extend(slot);
        data.extend(contents);
    }
    Ok([header, slots, data].concat())
}

/// The characters of a name, and blanks up to the end of the field.
pub(super) fn blank_padded(text: &str, field: &mut [u8]) {
    field.fill(b' ');
    for (place, character) in field.iter_mut().zip(text.chars()) {
        *place = character as u32 as u8;
    }
}
