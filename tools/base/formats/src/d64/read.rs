//! Taking an image apart: the directory and the bytes of every file.

use super::{D64Error, DIRECTORY_TRACK, Kind, Place, SECTOR, SIZE_35, SIZE_40};

/// What a disk holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    /// The name in the directory's header.
    pub name: String,
    /// The five characters behind the name.
    pub id: String,
    /// In directory order, deleted entries left out.
    pub entries: Vec<Entry>,
    /// Free blocks as the block map counts them, without the directory's track, as a drive tells.
    pub blocks_free: u16,
    /// What is wrong with the directory; the entries before it are there.
    pub fault: Option<D64Error>,
}

/// A file with its directory entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name, without the padding.
    pub name: String,
    /// `None` for a type code that no drive writes.
    pub kind: Option<Kind>,
    /// Protected against deletion.
    pub locked: bool,
    /// Whether it was closed after writing; the directory shows a `*` if not.
    pub closed: bool,
    /// Track and sector of the first block; (0, 0) when the file is empty.
    pub start: (u8, u8),
    /// The number of blocks as the directory states it.
    pub blocks: u16,
    /// The contents, load address included; nothing if there is a fault.
    pub bytes: Vec<u8>,
    /// Why the contents cannot be read.
    pub fault: Option<D64Error>,
}

/// The most bytes that the files of a disk have together: a full directory of entries, each of a full disk, has less.
/// Only chains that share sectors can exceed it.
const MOST_BYTES: usize = 32 << 20;

/// Reads an image of 35 or 40 tracks, with or without error information behind it. A file that cannot be read is
/// listed with its fault and hides no other.
pub fn read(image: &[u8]) -> Result<Disk, D64Error> {
    const SIZE_35_ERRORS: usize = SIZE_35 + 683;
    const SIZE_40_ERRORS: usize = SIZE_40 + 768;
    let tracks = match image.len() {
        SIZE_35 | SIZE_35_ERRORS => 35,
        SIZE_40 | SIZE_40_ERRORS => 40,
        other => return Err(D64Error::NotAnImage(other)),
    };
    let map = sector(image, tracks, Place { track: DIRECTORY_TRACK, sector: 0 })?;
    let (name, id) = (text(&map[0x90..0xa0]), text(&map[0xa2..0xa7]));
    // Four bytes a track: the count and a bit for each sector.
    let counted = (1..=35).filter(|&track| track != DIRECTORY_TRACK);
    let blocks_free = counted.map(|track| u16::from(map[4 * usize::from(track)])).sum();
    let mut entries = Vec::new();
    let mut total = 0;
    let (directory, fault) = chain(image, tracks, Place { track: DIRECTORY_TRACK, sector: 1 });
    for sector in directory {
        for entry in sector.chunks_exact(32).filter(|entry| entry[2] != 0) {
            let start = Place { track: entry[3], sector: entry[4] };
            let contents = match start.track {
                0 => Ok(Vec::new()),
                _ if total > MOST_BYTES => Err(D64Error::TooMuch),
                _ => contents(image, tracks, start),
            };
            let (bytes, fault) = match contents {
                Ok(bytes) => (bytes, None),
                Err(fault) => (Vec::new(), Some(fault)),
            };
            total += bytes.len();
            entries.push(Entry {
                name: text(&entry[5..21]),
                kind: Kind::from_code(entry[2] & 0x0f),
                locked: entry[2] & 0x40 != 0,
                closed: entry[2] & 0x80 != 0,
                start: (start.track, start.sector),
                blocks: u16::from_le_bytes([entry[30], entry[31]]),
                bytes,
                fault,
            });
        }
    }
    Ok(Disk { name, id, entries, blocks_free, fault })
}

fn sector(image: &[u8], tracks: u8, place: Place) -> Result<&[u8], D64Error> {
    let Place { track, sector } = place;
    let offset = place.offset(tracks).ok_or(D64Error::NoSuchSector { track, sector })?;
    Ok(&image[offset..offset + SECTOR])
}

/// The sectors of a chain, each once, and what is wrong behind the last.
fn chain(image: &[u8], tracks: u8, start: Place) -> (Vec<&[u8]>, Option<D64Error>) {
    let mut sectors = Vec::new();
    let mut seen = vec![false; image.len() / SECTOR];
    let mut place = start;
    loop {
        let bytes = match sector(image, tracks, place) {
            Ok(bytes) => bytes,
            Err(fault) => return (sectors, Some(fault)),
        };
        let index = place.offset(tracks).map_or(0, |at| at / SECTOR);
        if std::mem::replace(&mut seen[index], true) {
            let Place { track, sector } = start;
            return (sectors, Some(D64Error::EndlessChain { track, sector }));
        }
        sectors.push(bytes);
        if bytes[0] == 0 {
            return (sectors, None);
        }
        place = Place { track: bytes[0], sector: bytes[1] };
    }
}

fn contents(image: &[u8], tracks: u8, start: Place) -> Result<Vec<u8>, D64Error> {
    let mut contents = Vec::new();
    let (sectors, fault) = chain(image, tracks, start);
    if let Some(fault) = fault {
        return Err(fault);
    }
    for sector in sectors {
        // The last sector holds the index of its last byte in place of the next sector.
        let end = if sector[0] == 0 { usize::from(sector[1]) + 1 } else { SECTOR };
        contents.extend_from_slice(sector.get(2..end).unwrap_or_default());
    }
    Ok(contents)
}

/// Names are padded with shifted spaces.
pub(super) fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|&byte| byte != 0xa0).map_or(0, |last| last + 1);
    bytes[..end].iter().map(|&byte| char::from(byte)).collect()
}

/// A name of the disk as letters that a terminal can show.
pub fn shown(name: &str) -> String {
    name.chars()
        .map(|letter| match letter as u32 {
            0x20..=0x5b | 0x5d => letter,
            // Shifted letters.
            code @ 0xc1..=0xda => char::from((code - 0x80) as u8).to_ascii_lowercase(),
            _ => '?',
        })
        .collect()
}
