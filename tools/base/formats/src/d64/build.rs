//! Building an image: files in order along the tracks, then block map and directory.

use super::{D64Error, DIRECTORY_TRACK, File, Format, Options, Place, SECTOR, sectors};

/// Builds the image.
pub fn build(options: &Options, files: &[File]) -> Result<Vec<u8>, D64Error> {
    layout(options, files).map(|disk| disk.image)
}

/// An image, with the places of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// All sectors.
    pub image: Vec<u8>,
    /// For each file, hidden ones too.
    pub stored: Vec<Stored>,
}

/// Builds the image and tells where the files lie.
pub fn layout(options: &Options, files: &[File]) -> Result<Layout, D64Error> {
    let mut disk = Builder::new(options, files)?;
    let mut starts = Vec::with_capacity(files.len());
    for file in files {
        starts.push(disk.store(file)?);
    }
    disk.write_block_map(options);
    disk.write_directory(files, &starts);
    if !files.is_empty() && starts.iter().all(|stored| stored.start.is_none()) {
        // As Kick Assembler leaves it: the end of a file without bytes.
        disk.sector(Place { track: 1, sector: 0 })[..2].copy_from_slice(&[0, 1]);
    }
    Ok(Layout { image: disk.image, stored: starts })
}

/// Data bytes in a sector; two are the link to the next.
const PAYLOAD: usize = SECTOR - 2;
const ENTRIES_PER_SECTOR: usize = 8;
const MAX_DIRECTORY_SECTORS: usize = 18;

/// Where a file lies: its first sector, if it has any, and how many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The first sector.
    pub start: Option<Place>,
    /// The number of sectors.
    pub blocks: usize,
}

struct Builder<'a> {
    options: &'a Options,
    tracks: u8,
    image: Vec<u8>,
    /// One bit a sector, set when in use, by track from 1.
    used: [u32; 41],
    /// Where the search for the next free sector begins.
    next: Place,
    /// Sectors of the directory that are written.
    directory_sectors: usize,
}

impl<'a> Builder<'a> {
    fn new(options: &'a Options, files: &[File]) -> Result<Builder<'a>, D64Error> {
        let tracks = options.format.tracks();
        let total: usize = (1..=tracks).map(|track| usize::from(sectors(track))).sum();
        let entries = files.iter().filter(|file| !file.hide).count();
        let directory_sectors = entries.div_ceil(ENTRIES_PER_SECTOR);
        if directory_sectors > MAX_DIRECTORY_SECTORS {
            return Err(D64Error::DirectoryFull(entries));
        }
        let mut used = [0u32; 41];
        // The block map in sector 0 and the directory from sector 1 on.
        // Kick Assembler takes the next sector as soon as one is full, and writes it with the next entry.
        let taken = (entries / ENTRIES_PER_SECTOR + 1).min(MAX_DIRECTORY_SECTORS);
        used[usize::from(DIRECTORY_TRACK)] = (1 << (taken + 1)) - 1;
        Ok(Builder {
            options,
            tracks,
            image: vec![0; total * SECTOR],
            used,
            next: Place { track: 1, sector: 0 },
            directory_sectors,
        })
    }

    fn store(&mut self, file: &File) -> Result<Stored, D64Error> {
        let blocks = file.bytes.len().div_ceil(PAYLOAD);
        if blocks == 0 {
            return Ok(Stored { start: None, blocks });
        }
        let interleave = file.interleave.unwrap_or(self.options.interleave);
        let before = (self.used, self.next);
        let mut chain = self.allocate(blocks, interleave);
        let splits = |chain: &[Place]| {
            let starts_below = chain.first().is_some_and(|place| place.track < DIRECTORY_TRACK);
            starts_below && chain.last().is_some_and(|place| place.track > DIRECTORY_TRACK)
        };
        if self.options.dont_split_files_over_dir && chain.as_deref().is_none_or(splits) {
            (self.used, _) = before;
            self.next = Place { track: DIRECTORY_TRACK + 1, sector: 0 };
            chain = self.allocate(blocks, interleave);
        }
        let Some(chain) = chain else {
            (self.used, self.next) = before;
            return Err(D64Error::DiskFull { name: file.name.clone(), needed: blocks, free: self.free() });
        };
        for (index, (place, bytes)) in chain.iter().zip(file.bytes.chunks(PAYLOAD)).enumerate() {
            let link = match chain.get(index + 1) {
                Some(next) => [next.track, next.sector],
                // The index of the last byte in use.
                None => [0, bytes.len() as u8 + 1],
            };
            let sector = self.sector(*place);
            sector[..2].copy_from_slice(&link);
            sector[2..2 + bytes.len()].copy_from_slice(bytes);
        }
        Ok(Stored { start: chain.first().copied(), blocks })
    }

    /// Takes sectors along the tracks; leaves `next` one interleave after the last.
    fn allocate(&mut self, blocks: usize, interleave: u32) -> Option<Vec<Place>> {
        let mut chain = Vec::with_capacity(blocks.min(1000));
        for _ in 0..blocks {
            let place = self.find_free()?;
            self.used[usize::from(place.track)] |= 1 << place.sector;
            let sector = (u64::from(place.sector) + u64::from(interleave)) % u64::from(sectors(place.track));
            self.next = Place { track: place.track, sector: sector as u8 };
            chain.push(place);
        }
        Some(chain)
    }

    /// The first free sector from `next` on: ascending and wrapping in its track, then from sector 0 of the
    /// tracks after it.
    fn find_free(&self) -> Option<Place> {
        let mut from = self.next;
        while from.track <= self.tracks {
            if from.track != DIRECTORY_TRACK || self.options.store_files_in_dir {
                let count = sectors(from.track);
                let free = (from.sector..count).chain(0..from.sector);
                for sector in free {
                    if self.used[usize::from(from.track)] & 1 << sector == 0 {
                        return Some(Place { track: from.track, sector });
                    }
                }
            }
            from = Place { track: from.track + 1, sector: 0 };
        }
        None
    }

    fn free(&self) -> usize {
        let tracks =
            (1..=self.tracks).filter(|&track| track != DIRECTORY_TRACK || self.options.store_files_in_dir);
        tracks.map(|track| self.free_on(track) as usize).sum()
    }

    fn free_on(&self, track: u8) -> u8 {
        sectors(track) - self.used[usize::from(track)].count_ones() as u8
    }

    fn sector(&mut self, place: Place) -> &mut [u8] {
        let offset = place.offset(self.tracks).expect("only places on the disk are handed out");
        &mut self.image[offset..offset + SECTOR]
    }

    fn write_block_map(&mut self, options: &Options) {
        let mut map = [0u8; SECTOR];
        map[..3].copy_from_slice(&[DIRECTORY_TRACK, 1, b'A']);
        let beyond_35 = match options.format {
            Format::Commodore | Format::SpeedDos => 0xb0,
            Format::DolphinDos => 0xc4,
        };
        for track in 1..=self.tracks {
            let at =
                if track <= 35 { usize::from(track) * 4 } else { beyond_35 + usize::from(track - 36) * 4 };
            let all = (1u32 << sectors(track)) - 1;
            let free = all & !self.used[usize::from(track)];
            map[at] = self.free_on(track);
            map[at + 1..at + 4].copy_from_slice(&free.to_le_bytes()[..3]);
        }
        map[0x90..0xab].fill(0xa0);
        padded(&options.name, &mut map[0x90..0xa0]);
        padded(&options.id, &mut map[0xa2..0xa7]);
        self.sector(Place { track: DIRECTORY_TRACK, sector: 0 }).copy_from_slice(&map);
    }

    fn write_directory(&mut self, files: &[File], stored: &[Stored]) {
        let shown: Vec<_> = files.iter().zip(stored).filter(|(file, _)| !file.hide).collect();
        for number in 0..self.directory_sectors {
            let is_last = number + 1 == self.directory_sectors;
            let link = if is_last { [0, 0xff] } else { [DIRECTORY_TRACK, number as u8 + 2] };
            let sector = self.sector(Place { track: DIRECTORY_TRACK, sector: number as u8 + 1 });
            for (index, (file, stored)) in shown.iter().skip(number * 8).take(ENTRIES_PER_SECTOR).enumerate()
            {
                let entry = &mut sector[index * 32..index * 32 + 32];
                entry[2] = 0x80 | file.kind.code() | if file.locked { 0x40 } else { 0 };
                if let Some(start) = stored.start {
                    entry[3..5].copy_from_slice(&[start.track, start.sector]);
                }
                entry[5..21].fill(0xa0);
                padded(&file.name, &mut entry[5..21]);
                entry[30..32].copy_from_slice(&(stored.blocks as u16).to_le_bytes());
            }
            sector[..2].copy_from_slice(&link);
        }
    }
}

/// The codes of the characters as they are, cut to the room there is; the padding is there already.
fn padded(text: &str, room: &mut [u8]) {
    for (place, character) in room.iter_mut().zip(text.chars()) {
        *place = character as u32 as u8;
    }
}
