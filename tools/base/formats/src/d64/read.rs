//! Taking an image apart: the directory and the bytes of every file.

use super::{D64Error, Geometry, Kind, Place, SECTOR};

/// The contents of a disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    /// The name in the directory's header.
    pub name: String,
    /// The five characters after the name.
    pub id: String,
    /// In directory order, deleted entries left out.
    pub entries: Vec<Entry>,
    /// Free blocks as the block map counts them, without the directory's track, as a drive tells.
    pub blocks_free: u16,
    /// The fault of the directory; the entries before it are there.
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

/// Reads an image of a 1541, 1571 or 1581, with or without appended error information. A file that cannot be read is
/// listed with its fault and hides no other.
pub fn read(image: &[u8]) -> Result<Disk, D64Error> {
    let geometry = Geometry::of_size(image.len()).ok_or(D64Error::NotAnImage(image.len()))?;
    read_sectors(image, geometry, &[])
}

/// Reads a disk from its sectors. `bad` tells of each sector whether it cannot be read; it may be empty.
///
/// # Panics
///
/// If the image is shorter than the geometry says.
pub fn read_sectors(image: &[u8], geometry: Geometry, bad: &[bool]) -> Result<Disk, D64Error> {
    let disk = Sectors { image, geometry, bad };
    let (header, name, id) = geometry.header();
    let header = disk.sector(header)?;
    let (name, id) = (text(&header[name..name + 16]), text(&header[id..id + 5]));
    let blocks_free = disk.blocks_free();
    let mut entries = Vec::new();
    let mut total = 0;
    let (directory, fault) = disk.chain(geometry.directory());
    for sector in directory {
        for entry in sector.chunks_exact(32).filter(|entry| entry[2] != 0) {
            let start = Place { track: entry[3], sector: entry[4] };
            let contents = match start.track {
                0 => Ok(Vec::new()),
                _ if total > MOST_BYTES => Err(D64Error::TooMuch),
                _ => disk.contents(start),
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

/// The sectors of an image.
struct Sectors<'a> {
    image: &'a [u8],
    geometry: Geometry,
    /// By sector, whether it cannot be read; empty if all can.
    bad: &'a [bool],
}

impl<'a> Sectors<'a> {
    fn sector(&self, place: Place) -> Result<&'a [u8], D64Error> {
        let Place { track, sector } = place;
        let offset = place.offset(self.geometry).ok_or(D64Error::NoSuchSector { track, sector })?;
        if self.bad.get(offset / SECTOR) == Some(&true) {
            return Err(D64Error::Unreadable { track, sector });
        }
        Ok(&self.image[offset..offset + SECTOR])
    }

    /// Free blocks by the bits of the block map, without the directory's track. The second side of a 1571 counts only if
    /// the disk says that it is in use.
    fn blocks_free(&self) -> u16 {
        let geometry = self.geometry;
        let is_double = geometry == Geometry::Double
            && self.sector(Place { track: 18, sector: 0 }).is_ok_and(|map| map[3] & 0x80 != 0);
        let last = if geometry == Geometry::Double && !is_double { 35 } else { geometry.mapped_tracks() };
        let mut free = 0;
        for track in (1..=last).filter(|&track| track != geometry.directory_track()) {
            let ((counts, count), (bits, first, len)) = geometry.map_entry(track);
            let (Ok(counts), Ok(bits)) = (self.sector(counts), self.sector(bits)) else { continue };
            // Some writers leave the counts of the second side empty.
            let is_second = geometry == Geometry::Double && track > 35;
            free += match is_second && track != 53 {
                true => bits[first..first + len].iter().map(|byte| byte.count_ones() as u16).sum(),
                false => u16::from(counts[count]),
            };
        }
        free
    }

    /// The sectors of a chain, each once, and the fault that ends it, if any.
    fn chain(&self, start: Place) -> (Vec<&'a [u8]>, Option<D64Error>) {
        let mut sectors = Vec::new();
        let mut seen = vec![false; self.image.len() / SECTOR];
        let mut place = start;
        loop {
            let bytes = match self.sector(place) {
                Ok(bytes) => bytes,
                Err(fault) => return (sectors, Some(fault)),
            };
            let index = place.offset(self.geometry).map_or(0, |at| at / SECTOR);
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

    fn contents(&self, start: Place) -> Result<Vec<u8>, D64Error> {
        let mut contents = Vec::new();
        let (sectors, fault) = self.chain(start);
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
            0xa0 => ' ',
            // Shifted letters.
            code @ 0xc1..=0xda => char::from((code - 0x80) as u8).to_ascii_lowercase(),
            _ => '?',
        })
        .collect()
}
