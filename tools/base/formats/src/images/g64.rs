//! `.g64`: the bits of a 1541 disk, track by track. Sectors are found as the drive finds them: a sync, a header block with
//! its checksum, another sync, a data block with its checksum. Half tracks and protections are passed over.

use super::{Container, Image, ImageError, long, word};
use crate::d64::{self, Geometry, Place, SECTOR};

pub(super) const SIGNATURE: &[u8] = b"GCR-1541";

/// Signature, version, number of half tracks, largest track.
const HEADER: usize = 12;

/// The first bytes of the blocks.
const HEADER_BLOCK: u8 = 8;
const DATA_BLOCK: u8 = 7;

/// Reads the disk.
pub(super) fn read(bytes: &[u8]) -> Result<Image, ImageError> {
    let header = bytes.get(..HEADER).ok_or(ImageError::EndsEarly("its header has 12 bytes"))?;
    let half_tracks = usize::from(header[9]);
    if bytes.len() < HEADER + half_tracks * 8 {
        return Err(ImageError::EndsEarly("its table of tracks is not complete"));
    }
    let mut found: Vec<(Place, [u8; SECTOR])> = Vec::new();
    let mut highest = 35;
    for half_track in (0..half_tracks).step_by(2) {
        let track = (half_track / 2 + 1) as u8;
        let offset = long(bytes, HEADER + half_track * 4).unwrap_or(0) as usize;
        if offset == 0 {
            continue;
        }
        let missing = || ImageError::Damaged(format!("track {track} is outside of the file"));
        let len = word(bytes, offset).ok_or_else(missing)?;
        let gcr = bytes.get(offset + 2..offset + 2 + usize::from(len)).ok_or_else(missing)?;
        let before = found.len();
        Bits { gcr }.sectors(track, &mut found);
        if found.len() > before {
            highest = highest.max(track);
        }
    }
    let geometry = Geometry::Single(if highest > 35 { 40 } else { 35 });
    let mut image = vec![0; geometry.size()];
    let mut bad = vec![true; geometry.size() / SECTOR];
    for (place, sector) in found {
        if let Some(offset) = geometry.offset(place) {
            image[offset..offset + SECTOR].copy_from_slice(&sector);
            bad[offset / SECTOR] = false;
        }
    }
    if bad.iter().all(|&is_bad| is_bad) {
        return Err(ImageError::Damaged("no sector can be read".into()));
    }
    Ok(Image::from_disk(Container::G64, d64::read_sectors(&image, geometry, &bad)?))
}

/// The bits of a track, which has no end.
struct Bits<'a> {
    gcr: &'a [u8],
}

impl Bits<'_> {
    fn len(&self) -> usize {
        self.gcr.len() * 8
    }

    fn bit(&self, at: usize) -> usize {
        let at = at % self.len();
        usize::from(self.gcr[at / 8] >> (7 - at % 8) & 1)
    }

    /// The first bit after each sync: ten 1 bits or more.
    fn syncs(&self) -> Vec<usize> {
        let mut syncs = Vec::new();
        let mut ones = 0;
        // A sync may go over the end of the track.
        for at in 0..self.len() + self.len().min(1024) {
            if self.bit(at) == 1 {
                ones += 1;
                continue;
            }
            if ones >= 10 && !syncs.contains(&(at % self.len())) {
                syncs.push(at % self.len());
            }
            ones = 0;
        }
        syncs.sort_unstable();
        syncs
    }

    /// Decodes bytes, ten bits each.
    fn bytes<const N: usize>(&self, from: usize) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        for (index, byte) in bytes.iter_mut().enumerate() {
            for nibble in 0..2 {
                let start = from + index * 10 + nibble * 5;
                let code = (0..5).fold(0, |code, offset| code << 1 | self.bit(start + offset));
                *byte = *byte << 4 | NIBBLES[code]?;
            }
        }
        Some(bytes)
    }

    fn sectors(&self, track: u8, found: &mut Vec<(Place, [u8; SECTOR])>) {
        if self.gcr.is_empty() {
            return;
        }
        let syncs = self.syncs();
        for (index, &at) in syncs.iter().enumerate() {
            let Some([HEADER_BLOCK, checksum, sector, own, id2, id1]) = self.bytes(at) else { continue };
            if checksum != sector ^ own ^ id2 ^ id1 || own != track {
                continue;
            }
            let data = syncs[(index + 1) % syncs.len()];
            let Some([DATA_BLOCK, block @ ..]) = self.bytes::<258>(data) else { continue };
            let Some((contents, checksum)) = block.split_last().map(|(last, all)| (all, *last)) else {
                continue;
            };
            if contents.iter().fold(0, |sum, byte| sum ^ byte) != checksum {
                continue;
            }
            let mut bytes = [0; SECTOR];
            bytes.copy_from_slice(contents);
            found.push((Place { track, sector }, bytes));
        }
    }
}

/// The four bits of each code of five; `None` for codes that the drive does not write.
static NIBBLES: [Option<u8>; 32] = {
    let codes =
        [0x0a, 0x0b, 0x12, 0x13, 0x0e, 0x0f, 0x16, 0x17, 0x09, 0x19, 0x1a, 0x1b, 0x0d, 0x1d, 0x1e, 0x15];
    let mut table = [None; 32];
    let mut nibble = 0;
    while nibble < 16 {
        table[codes[nibble]] = Some(nibble as u8);
        nibble += 1;
    }
    table
};
