//! Building disks of the 1571 and the 1581: files along the tracks, then block map and directory. Disks of the 1541 are
//! built as Kick Assembler builds them, in `d64`.

use crate::d64::{D64Error, File, Geometry, Place, SECTOR};

const PAYLOAD: usize = SECTOR - 2;
const ENTRIES_PER_SECTOR: usize = 8;

struct Builder {
    geometry: Geometry,
    image: Vec<u8>,
    /// By track from 1, a bit for each sector in use.
    used: Vec<u64>,
}

/// Builds the image.
pub(super) fn disk(geometry: Geometry, name: &str, id: &str, files: &[File]) -> Result<Vec<u8>, D64Error> {
    let used = vec![0; usize::from(geometry.tracks()) + 1];
    let mut disk = Builder { geometry, image: vec![0; geometry.size()], used };
    let track = geometry.directory_track();
    // Header and block maps come before the directory on its track; a 1571 keeps all of track 53.
    let first = if geometry == Geometry::Inch3 { 3 } else { 1 };
    for sector in 0..first {
        disk.take(Place { track, sector });
    }
    if geometry == Geometry::Double {
        for sector in 0..geometry.sectors(53) {
            disk.take(Place { track: 53, sector });
        }
    }
    let shown = files.iter().filter(|file| !file.hide).count();
    let room = usize::from(geometry.sectors(track) - first) * ENTRIES_PER_SECTOR;
    if shown > room {
        return Err(D64Error::DirectoryFull(shown));
    }
    let directory: Vec<Place> = (0..shown.div_ceil(ENTRIES_PER_SECTOR).max(1))
        .map(|number| Place { track, sector: first + number as u8 })
        .collect();
    for &place in &directory {
        disk.take(place);
    }
    disk.link(&directory);
    let mut number = 0;
    for file in files {
        let chain = disk.store(file)?;
        if file.hide {
            continue;
        }
        let sector = disk.sector(directory[number / ENTRIES_PER_SECTOR]);
        let entry = &mut sector[number % ENTRIES_PER_SECTOR * 32..][..32];
        entry[2] = 0x80 | file.kind.code() | if file.locked { 0x40 } else { 0 };
        if let Some(start) = chain.first() {
            entry[3..5].copy_from_slice(&[start.track, start.sector]);
        }
        padded(&file.name, &mut entry[5..21]);
        entry[30..32].copy_from_slice(&(chain.len() as u16).to_le_bytes());
        number += 1;
    }
    disk.header(name, id);
    disk.block_map();
    Ok(disk.image)
}

impl Builder {
    fn take(&mut self, place: Place) {
        self.used[usize::from(place.track)] |= 1 << place.sector;
    }

    fn is_free(&self, place: Place) -> bool {
        self.used[usize::from(place.track)] & 1 << place.sector == 0
    }

    fn sector(&mut self, place: Place) -> &mut [u8] {
        let offset = self.geometry.offset(place).expect("only places on the disk are handed out");
        &mut self.image[offset..offset + SECTOR]
    }

    /// Free sectors outside of the directory's track.
    fn free(&self) -> impl Iterator<Item = Place> + '_ {
        let geometry = self.geometry;
        let tracks = (1..=geometry.tracks()).filter(move |&track| track != geometry.directory_track());
        let places = tracks.flat_map(move |track| {
            let count = geometry.sectors(track);
            // A 1571 turns by six sectors while it handles one; a 1581 reads whole tracks.
            let step = if geometry == Geometry::Double { 6 } else { 1 };
            order(count, step).into_iter().map(move |sector| Place { track, sector })
        });
        places.filter(|&place| self.is_free(place))
    }

    fn store(&mut self, file: &File) -> Result<Vec<Place>, D64Error> {
        let needed = file.bytes.len().div_ceil(PAYLOAD);
        let chain: Vec<Place> = self.free().take(needed).collect();
        if chain.len() < needed {
            return Err(D64Error::DiskFull { name: file.name.clone(), needed, free: chain.len() });
        }
        for (&place, bytes) in chain.iter().zip(file.bytes.chunks(PAYLOAD)) {
            self.take(place);
            self.sector(place)[2..2 + bytes.len()].copy_from_slice(bytes);
        }
        self.link(&chain);
        if let Some(&last) = chain.last() {
            // The index of the last byte in use.
            let rest = file.bytes.len() - (needed - 1) * PAYLOAD;
            self.sector(last)[1] = rest as u8 + 1;
        }
        Ok(chain)
    }

    fn link(&mut self, chain: &[Place]) {
        for (index, &place) in chain.iter().enumerate() {
            let link = chain.get(index + 1).map_or([0, 0xff], |next| [next.track, next.sector]);
            self.sector(place)[..2].copy_from_slice(&link);
        }
    }

    fn header(&mut self, name: &str, id: &str) {
        let geometry = self.geometry;
        let track = geometry.directory_track();
        let header = self.sector(Place { track, sector: 0 });
        if geometry == Geometry::Inch3 {
            header[..3].copy_from_slice(&[track, 3, b'D']);
            header[4..0x1d].fill(0xa0);
            padded(name, &mut header[4..20]);
            padded(id, &mut header[0x16..0x18]);
            header[0x19..0x1b].copy_from_slice(b"3D");
            let id = [header[0x16], header[0x17]];
            for (sector, link) in [(1, [track, 2]), (2, [0, 0xff])] {
                let map = self.sector(Place { track, sector });
                map[..2].copy_from_slice(&link);
                map[2..4].copy_from_slice(&[b'D', !b'D']);
                map[4..6].copy_from_slice(&id);
                map[6] = 0xc0;
            }
        } else {
            header[..4].copy_from_slice(&[track, 1, b'A', 0x80]);
            header[0x90..0xab].fill(0xa0);
            padded(name, &mut header[0x90..0xa0]);
            padded(id, &mut header[0xa2..0xa4]);
            header[0xa5..0xa7].copy_from_slice(b"2A");
        }
    }

    fn block_map(&mut self) {
        for track in 1..=self.geometry.tracks() {
            let ((counts, count), (map, first, len)) = self.geometry.map_entry(track);
            let all = (1u64 << self.geometry.sectors(track)) - 1;
            let free = all & !self.used[usize::from(track)];
            self.sector(map)[first..first + len].copy_from_slice(&free.to_le_bytes()[..len]);
            self.sector(counts)[count] = free.count_ones() as u8;
        }
    }
}

/// All sectors of a track, each a step after the one before it.
fn order(count: u8, step: u8) -> Vec<u8> {
    let mut order: Vec<u8> = Vec::with_capacity(usize::from(count));
    let mut next = 0;
    while order.len() < usize::from(count) {
        while order.contains(&next) {
            next = (next + 1) % count;
        }
        order.push(next);
        next = (next + step) % count;
    }
    order
}

/// The characters of a name, and shifted blanks up to the end of the field.
fn padded(text: &str, field: &mut [u8]) {
    field.fill(0xa0);
    for (place, character) in field.iter_mut().zip(text.chars()) {
        *place = character as u32 as u8;
    }
}
