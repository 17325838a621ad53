//! The bits of a 1541 disk, track by track, and the sectors in them. Sectors are found as the drive finds them: a sync, a
//! header block with its checksum, another sync, a data block with its checksum.

use super::{ImageError, long, word};
use crate::d64::{Geometry, Place, SECTOR};

/// Places of the head, half a track apart.
pub const HALF_TRACKS: usize = 84;

/// Signature, version, number of half tracks, largest track.
const HEADER: usize = 12;

/// The largest track of the files that this writes, which is what readers expect.
const LARGEST: usize = 7928;

/// The first bytes of the blocks.
const HEADER_BLOCK: u8 = 8;
const DATA_BLOCK: u8 = 7;

/// Bytes of the parts of a sector as a drive formats it.
const SYNC: usize = 5;
const HEADER_GAP: usize = 9;
const SECTOR_BYTES: usize = SYNC + 10 + HEADER_GAP + SYNC + 325;

/// The byte of gaps.
const GAP: u8 = 0x55;

/// A disk as bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracks {
    /// By half track, from track 1 on; eight bits to a byte, and empty where nothing was written.
    pub half_tracks: Vec<Vec<u8>>,
}

/// The density at which a drive writes a track: 3 is the highest.
pub fn density(track: u8) -> u8 {
    match track {
        0..=17 => 3,
        18..=24 => 2,
        25..=30 => 1,
        _ => 0,
    }
}

/// Bytes of a track at a density: a turn takes a fifth of a second.
pub fn track_bytes(density: u8) -> usize {
    [6250, 6666, 7142, 7692][usize::from(density & 3)]
}

impl Tracks {
    /// The bits of a `.g64`.
    pub fn from_g64(bytes: &[u8]) -> Result<Tracks, ImageError> {
        let header = bytes.get(..HEADER).ok_or(ImageError::EndsEarly("its header has 12 bytes"))?;
        if !bytes.starts_with(super::g64::SIGNATURE) {
            return Err(ImageError::Damaged("its signature is not GCR-1541".into()));
        }
        let count = usize::from(header[9]);
        if bytes.len() < HEADER + count * 8 {
            return Err(ImageError::EndsEarly("its table of tracks is not complete"));
        }
        let mut half_tracks = vec![Vec::new(); HALF_TRACKS.max(count)];
        for (number, bits) in half_tracks.iter_mut().enumerate().take(count) {
            let offset = long(bytes, HEADER + number * 4).unwrap_or(0) as usize;
            if offset == 0 {
                continue;
            }
            let missing = || match number % 2 {
                0 => ImageError::Damaged(format!("track {} is outside of the file", number / 2 + 1)),
                _ => ImageError::Damaged(format!("track {}.5 is outside of the file", number / 2 + 1)),
            };
            let len = word(bytes, offset).ok_or_else(missing)?;
            let own = offset.checked_add(2).and_then(|from| bytes.get(from..from + usize::from(len)));
            bits.extend_from_slice(own.ok_or_else(missing)?);
        }
        Ok(Tracks { half_tracks })
    }

    /// The bits that a drive writes for the sectors of a `.d64`; error bytes are passed over.
    pub fn from_d64(image: &[u8]) -> Result<Tracks, ImageError> {
        let geometry = Geometry::of_size(image.len())
            .filter(|geometry| matches!(geometry, Geometry::Single(_)))
            .ok_or_else(|| ImageError::Damaged("a 1541 disk has 35 or 40 tracks".into()))?;
        let at = |place| geometry.offset(place).expect("a track of the disk");
        let bam = at(Place { track: 18, sector: 0 });
        let id = [image[bam + 0xa2], image[bam + 0xa3]];
        let mut half_tracks = vec![Vec::new(); HALF_TRACKS];
        for track in 1..=geometry.tracks() {
            let sectors = geometry.sectors(track);
            let len = track_bytes(density(track));
            let gap = (len - usize::from(sectors) * SECTOR_BYTES) / usize::from(sectors);
            let bits = &mut half_tracks[usize::from(track - 1) * 2];
            for sector in 0..sectors {
                let from = at(Place { track, sector });
                let block: &[u8; SECTOR] = image[from..].first_chunk().expect("a sector");
                write_sector(bits, Place { track, sector }, id, block);
                bits.extend(std::iter::repeat_n(GAP, gap));
            }
            bits.resize(len, GAP);
        }
        Ok(Tracks { half_tracks })
    }

    /// The file.
    pub fn to_g64(&self) -> Vec<u8> {
        let count = self.half_tracks.len().min(usize::from(u8::MAX));
        let largest = self.half_tracks.iter().map(Vec::len).max().unwrap_or(0).max(LARGEST);
        let mut file = super::g64::SIGNATURE.to_vec();
        file.extend([0, count as u8]);
        file.extend((largest as u16).to_le_bytes());
        let mut at = HEADER + count * 8;
        for bits in &self.half_tracks[..count] {
            file.extend(if bits.is_empty() { 0 } else { at as u32 }.to_le_bytes());
            at += if bits.is_empty() { 0 } else { 2 + largest };
        }
        for (number, bits) in self.half_tracks[..count].iter().enumerate() {
            let density = density((number / 2 + 1) as u8);
            file.extend(if bits.is_empty() { 0 } else { u32::from(density) }.to_le_bytes());
        }
        for bits in self.half_tracks[..count].iter().filter(|bits| !bits.is_empty()) {
            file.extend((bits.len() as u16).to_le_bytes());
            file.extend(bits);
            file.extend(std::iter::repeat_n(0xff, largest - bits.len()));
        }
        file
    }

    /// The sectors as a `.d64` of 35 or 40 tracks, and the places of those that cannot be read, which are 0.
    pub fn to_d64(&self) -> (Vec<u8>, Vec<Place>) {
        let (geometry, image, bad) = self.sectors();
        let places = (1..=geometry.tracks())
            .flat_map(|track| (0..geometry.sectors(track)).map(move |sector| Place { track, sector }));
        let unread = places.zip(&bad).filter(|(_, is_bad)| **is_bad).map(|(place, _)| place).collect();
        (image, unread)
    }

    /// The sectors, and for each whether it cannot be read.
    pub(super) fn sectors(&self) -> (Geometry, Vec<u8>, Vec<bool>) {
        let mut found: Vec<(Place, [u8; SECTOR])> = Vec::new();
        for (index, gcr) in self.half_tracks.iter().step_by(2).enumerate() {
            Bits { gcr }.sectors((index + 1) as u8, &mut found);
        }
        let highest = found.iter().map(|(place, _)| place.track).max().unwrap_or(35);
        let geometry = Geometry::Single(if highest > 35 { 40 } else { 35 });
        let mut image = vec![0; geometry.size()];
        let mut bad = vec![true; geometry.size() / SECTOR];
        for (place, sector) in found {
            if let Some(offset) = geometry.offset(place) {
                image[offset..offset + SECTOR].copy_from_slice(&sector);
                bad[offset / SECTOR] = false;
            }
        }
        (geometry, image, bad)
    }
}

fn write_sector(bits: &mut Vec<u8>, place: Place, id: [u8; 2], block: &[u8; SECTOR]) {
    let Place { track, sector } = place;
    let [id1, id2] = id;
    bits.extend([0xff; SYNC]);
    encode(bits, &[HEADER_BLOCK, sector ^ track ^ id2 ^ id1, sector, track, id2, id1, 0x0f, 0x0f]);
    bits.extend([GAP; HEADER_GAP]);
    bits.extend([0xff; SYNC]);
    let mut data = vec![DATA_BLOCK];
    data.extend(block);
    data.extend([block.iter().fold(0, |sum, byte| sum ^ byte), 0, 0]);
    encode(bits, &data);
}

/// Four bytes become five.
fn encode(bits: &mut Vec<u8>, bytes: &[u8]) {
    for four in bytes.chunks(4) {
        let code = four.iter().fold(0_u64, |code, byte| {
            let [high, low] = [byte >> 4, byte & 15].map(|nibble| u64::from(CODES[usize::from(nibble)]));
            code << 10 | high << 5 | low
        });
        bits.extend(&code.to_be_bytes()[3..]);
    }
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

/// The code of five bits for each four.
const CODES: [u8; 16] =
    [0x0a, 0x0b, 0x12, 0x13, 0x0e, 0x0f, 0x16, 0x17, 0x09, 0x19, 0x1a, 0x1b, 0x0d, 0x1d, 0x1e, 0x15];

/// The four bits of each code of five; `None` for codes that the drive does not write.
static NIBBLES: [Option<u8>; 32] = {
    let mut table = [None; 32];
    let mut nibble = 0;
    while nibble < 16 {
        table[CODES[nibble] as usize] = Some(nibble as u8);
        nibble += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    /// An image whose sectors differ.
    fn image(tracks: u8) -> Vec<u8> {
        let size = Geometry::Single(tracks).size();
        (0..size).map(|at| (at / SECTOR * 7 + at % SECTOR * 3) as u8).collect()
    }

    #[test]
    fn sectors_become_bits_and_come_back_in_both_files() {
        for tracks in [35, 40] {
            let image = image(tracks);
            let bits = Tracks::from_d64(&image).unwrap();
            let lengths: Vec<usize> =
                [1, 18, 25, 31].map(|track| bits.half_tracks[(track - 1) * 2].len()).into();
            assert_eq!(lengths, [7692, 7142, 6666, 6250]);
            assert!(bits.to_d64() == (image, Vec::new()));
            let file = bits.to_g64();
            assert!(Tracks::from_g64(&file).unwrap() == bits);
            assert_eq!(file.len(), 12 + 84 * 8 + usize::from(tracks) * 7930);
        }
    }

    #[test]
    fn a_sector_whose_checksum_is_wrong_is_named() {
        let mut bits = Tracks::from_d64(&image(35)).unwrap();
        // The data of sector 1 of track 2.
        bits.half_tracks[2][SECTOR_BYTES + 12 + 100] ^= 0x20;
        let (image, unread) = bits.to_d64();
        assert_eq!(unread, [Place { track: 2, sector: 1 }]);
        let at = Geometry::Single(35).offset(unread[0]).unwrap();
        assert_eq!(image[at..at + SECTOR], [0; SECTOR]);
    }

    #[test]
    fn files_that_are_cut_are_refused() {
        let file = Tracks::from_d64(&image(35)).unwrap().to_g64();
        for len in [0, 8, 11, 12, 100, 12 + 84 * 8, 12 + 84 * 8 + 1, 5000, file.len() - 7928] {
            assert!(Tracks::from_g64(&file[..len]).is_err(), "{len}");
        }
        let mut lying = file.clone();
        lying[12..16].fill(0xff);
        let message = Tracks::from_g64(&lying).unwrap_err().to_string();
        assert!(message.contains("track 1 is outside of the file"), "{message}");
        lying[0] = b'X';
        assert!(Tracks::from_g64(&lying).is_err());
        assert!(Tracks::from_d64(&[0; 1000]).is_err());
    }
}
