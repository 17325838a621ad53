//! Faults of a disk: chains that break, cross or run in circles, and a block map that disagrees with them.
//! Unlike reading, it goes on after the first fault.

use std::collections::BTreeMap;
use std::fmt;

use super::{Geometry, Place, SECTOR};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A chain leads to a place that the disk does not have.
    NoSuchSector {
        /// The file, or the directory.
        file: String,
        /// Where it leads.
        place: Place,
    },
    /// A chain comes to a sector that it has already.
    Circle {
        /// The file, or the directory.
        file: String,
        /// The sector.
        place: Place,
    },
    /// Two chains share a sector.
    Shared {
        /// The second of the two.
        file: String,
        /// The first.
        with: String,
        /// The first sector they share.
        place: Place,
    },
    /// The directory states another number of blocks.
    Blocks {
        /// The file.
        file: String,
        /// The size that the directory states.
        stated: u16,
        /// How long the chain is.
        found: usize,
    },
    /// A file that was not closed.
    Open {
        /// The file.
        file: String,
    },
    /// An earlier file has the same name, so a drive never comes to this one.
    SameName {
        /// The name.
        file: String,
        /// How many files have it.
        count: usize,
    },
    /// The block map calls a sector in use free.
    UsedIsFree {
        /// The sector.
        place: Place,
        /// The file that it belongs to.
        file: String,
    },
    /// The block map calls sectors taken that belong to nothing.
    FreeIsUsed {
        /// The track.
        track: u8,
        /// How many.
        count: usize,
    },
    /// The error bytes after the sectors say that a sector in use cannot be read.
    Unreadable {
        /// The sector.
        place: Place,
        /// The file that it belongs to.
        file: String,
        /// The byte of the image: 1 means no error.
        code: u8,
    },
    /// The same of sectors that belong to nothing, as on many protected disks.
    IdleUnreadable {
        /// The track.
        track: u8,
        /// How many.
        count: usize,
    },
    /// The block map's count of free sectors of a track is not that of its bits.
    Count {
        /// The track.
        track: u8,
        /// The stated value.
        stated: u8,
        /// The bits.
        found: u32,
    },
}

impl Fault {
    /// Whether data may be lost: all but sectors that are idle.
    pub fn is_serious(&self) -> bool {
        !matches!(self, Fault::FreeIsUsed { .. } | Fault::IdleUnreadable { .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoSuchSector { file, place } => write!(f, "{file} leads to {place}, which does not exist"),
            Fault::Circle { file, place } => write!(f, "{file} comes back to {place} and never ends"),
            Fault::Shared { file, with, place } => write!(f, "{file} shares {place} with {with}"),
            Fault::Blocks { file, stated, found } => {
                write!(f, "{file} has {found} blocks; the directory says {stated}")
            }
            Fault::Open { file } => write!(f, "{file} was not closed"),
            Fault::SameName { file, count } => {
                write!(f, "{count} files are called {file}: a drive finds only the first")
            }
            Fault::UsedIsFree { place, file } => {
                write!(f, "{place} belongs to {file}, but the block map calls it free")
            }
            Fault::FreeIsUsed { track, count } => {
                let belong =
                    if *count == 1 { "sector taken that belongs" } else { "sectors taken that belong" };
                write!(f, "track {track}: the block map calls {count} {belong} to no file")
            }
            Fault::Unreadable { place, file, code } => {
                write!(f, "{file} has {place}, where the image records {}", ReadError(*code))
            }
            Fault::IdleUnreadable { track, count } => {
                let belong = if *count == 1 { "sector that belongs" } else { "sectors that belong" };
                write!(f, "track {track}: the image records read errors of {count} {belong} to no file")
            }
            Fault::Count { track, stated, found } => {
                write!(f, "track {track}: the block map counts {stated} free sectors and shows {found}")
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "track {}, sector {}", self.track, self.sector)
    }
}

/// An error byte of an image, in the words of the drive.
struct ReadError(u8);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            // The controller's codes follow each other like the messages of the drive: 2 is 20, READ ERROR.
            code @ (2..=7 | 9 | 10) => write!(f, "{}, READ ERROR", code + 18),
            8 => f.write_str("26, WRITE PROTECT ON"),
            11 => f.write_str("29, DISK ID MISMATCH"),
            15 => f.write_str("74, DRIVE NOT READY"),
            code => write!(f, "an error with the unknown code {code}"),
        }
    }
}

/// Everything that is wrong with an image. `None` if its size is not that of an image.
pub fn validate(image: &[u8]) -> Option<Vec<Fault>> {
    let geometry = Geometry::of_size(image.len())?;
    let mut check = Check {
        image,
        geometry,
        owners: vec![None; image.len() / SECTOR],
        names: Vec::new(),
        called: BTreeMap::new(),
        faults: Vec::new(),
    };
    check.names.push("the block map".into());
    for &place in geometry.map_sectors() {
        check.take(place, 0);
    }
    check.names.push("the directory".into());
    let directory = check.chain(geometry.directory(), 1);
    for place in directory {
        for number in 0..8 {
            let entry = &check.sector(place)[number * 32..number * 32 + 32];
            check.file(entry);
        }
    }
    check.same_names();
    check.block_map();
    check.error_bytes();
    Some(check.faults)
}

struct Check<'a> {
    image: &'a [u8],
    geometry: Geometry,
    /// Whose a sector is, as an index of `names`.
    owners: Vec<Option<usize>>,
    names: Vec<String>,
    /// How many files have a name; lines of a decorated directory do not count.
    called: BTreeMap<&'a [u8], usize>,
    faults: Vec<Fault>,
}

impl<'a> Check<'a> {
    fn sector(&self, place: Place) -> &'a [u8] {
        let at = place.offset(self.geometry).unwrap_or(0);
        &self.image[at..at + SECTOR]
    }

    /// Whether the sector was there and free; it belongs to `owner` then.
    fn take(&mut self, place: Place, owner: usize) -> bool {
        let file = || self.names[owner].clone();
        let Some(index) = place.offset(self.geometry).map(|at| at / SECTOR) else {
            self.faults.push(Fault::NoSuchSector { file: file(), place });
            return false;
        };
        match self.owners[index] {
            None => {
                self.owners[index] = Some(owner);
                true
            }
            Some(other) if other == owner => {
                self.faults.push(Fault::Circle { file: file(), place });
                false
            }
            Some(other) => {
                self.faults.push(Fault::Shared { file: file(), with: self.names[other].clone(), place });
                false
            }
        }
    }

    /// The sectors of a chain, as far as it is sound.
    fn chain(&mut self, start: Place, owner: usize) -> Vec<Place> {
        let mut places = Vec::new();
        let mut place = start;
        while self.take(place, owner) {
            places.push(place);
            let link = self.sector(place);
            if link[0] == 0 {
                break;
            }
            place = Place { track: link[0], sector: link[1] };
        }
        places
    }

    fn file(&mut self, entry: &'a [u8]) {
        const CLOSED: u8 = 0x80;
        const DEL: u8 = 0;
        const REL: u8 = 4;
        let kind = entry[2];
        if kind == 0 {
            return;
        }
        let name = quoted(&entry[5..21]);
        let owner = self.names.len();
        self.names.push(name.clone());
        if kind & CLOSED == 0 {
            self.faults.push(Fault::Open { file: name.clone() });
        }
        // A line of a decorated directory has no sectors, and neither has an empty file.
        if kind & 0x0f != DEL || entry[3] != 0 {
            *self.called.entry(&entry[5..21]).or_default() += 1;
        }
        if entry[3] == 0 {
            return;
        }
        let before = self.faults.len();
        let mut found = self.chain(Place { track: entry[3], sector: entry[4] }, owner).len();
        if kind & 0x0f == REL && entry[0x15] != 0 {
            found += self.chain(Place { track: entry[0x15], sector: entry[0x16] }, owner).len();
        }
        let stated = u16::from_le_bytes([entry[30], entry[31]]);
        if usize::from(stated) != found && self.faults.len() == before {
            self.faults.push(Fault::Blocks { file: name, stated, found });
        }
    }

    fn same_names(&mut self) {
        let doubled = self.called.iter().filter(|&(_, &count)| count > 1);
        self.faults.extend(doubled.map(|(file, &count)| Fault::SameName { file: quoted(file), count }));
    }

    /// Only tracks that the drive itself knows: formats differ on where the others are.
    fn block_map(&mut self) {
        let geometry = self.geometry;
        let is_single =
            geometry == Geometry::Double && self.sector(Place { track: 18, sector: 0 })[3] & 0x80 == 0;
        let last = if is_single { 35 } else { geometry.mapped_tracks() };
        for track in 1..=last {
            let ((counts, count), (map, first, len)) = geometry.map_entry(track);
            let stated = self.sector(counts)[count];
            let mut bytes = [0; 8];
            bytes[..len].copy_from_slice(&self.sector(map)[first..first + len]);
            let bits = u64::from_le_bytes(bytes) & ((1 << geometry.sectors(track)) - 1);
            // Some writers leave the counts of a 1571's second side empty.
            let is_uncounted = geometry == Geometry::Double && track > 35 && stated == 0;
            if u32::from(stated) != bits.count_ones() && !is_uncounted {
                self.faults.push(Fault::Count { track, stated, found: bits.count_ones() });
            }
            let mut idle = 0;
            for sector in 0..geometry.sectors(track) {
                let place = Place { track, sector };
                let owner = place.offset(geometry).and_then(|at| self.owners[at / SECTOR]);
                match (owner, bits >> sector & 1 == 1) {
                    (Some(owner), true) => {
                        self.faults.push(Fault::UsedIsFree { place, file: self.names[owner].clone() });
                    }
                    (None, false) => idle += 1,
                    _ => {}
                }
            }
            // The drive keeps the rest of its own track for the directory, and all of the second block map's.
            let is_reserved = geometry.map_sectors().iter().any(|place| place.track == track);
            if idle > 0 && !is_reserved {
                self.faults.push(Fault::FreeIsUsed { track, count: idle });
            }
        }
    }

    /// The bytes after the sectors, one for each, if there are any.
    fn error_bytes(&mut self) {
        let errors = &self.image[self.geometry.size()..];
        if errors.is_empty() {
            return;
        }
        for track in 1..=self.geometry.tracks() {
            let mut idle = 0;
            for sector in 0..self.geometry.sectors(track) {
                let place = Place { track, sector };
                let Some(index) = place.offset(self.geometry).map(|at| at / SECTOR) else { continue };
                match (errors[index], self.owners[index]) {
                    // Some programs write 0 for a sector without an error.
                    (0 | 1, _) => {}
                    (code, Some(owner)) => {
                        self.faults.push(Fault::Unreadable { place, file: self.names[owner].clone(), code });
                    }
                    (_, None) => idle += 1,
                }
            }
            if idle > 0 {
                self.faults.push(Fault::IdleUnreadable { track, count: idle });
            }
        }
    }
}

/// A name of the directory as `tempo disk list` shows it.
fn quoted(name: &[u8]) -> String {
    format!("\"{}\"", super::shown(&super::read::text(name)))
}

#[cfg(test)]
mod tests {
    use super::super::{File, Kind, Options, build};
    use super::*;

    fn disk() -> Vec<u8> {
        let file = |name: &str, len: usize| File {
            name: name.into(),
            kind: Kind::Prg,
            locked: false,
            hide: false,
            interleave: None,
            bytes: vec![1; len],
        };
        build(&Options::default(), &[file("ONE", 1000), file("TWO", 5000)]).expect("a disk")
    }

    fn offset(track: u8, sector: u8) -> usize {
        Place { track, sector }.offset(35).expect("a place")
    }

    #[test]
    fn a_fresh_disk_is_sound() {
        assert_eq!(validate(&disk()), Some(Vec::new()));
        assert_eq!(validate(&[0; 100]), None);
    }

    /// The error bytes of an image, which has none yet.
    fn errors(image: &mut Vec<u8>) -> &mut [u8] {
        let end = image.len();
        image.resize(end + end / SECTOR, 1);
        &mut image[end..]
    }

    #[test]
    fn error_bytes_without_errors_and_names_that_look_alike_are_sound() {
        let mut image = disk();
        errors(&mut image)[0] = 0;
        for (number, letter) in [0x5c, 0x5e].into_iter().enumerate() {
            let name = offset(18, 1) + number * 32 + 5;
            image[name..name + 3].fill(letter);
        }
        assert_eq!(validate(&image), Some(Vec::new()));
    }

    #[test]
    fn each_fault_is_found() {
        let entry = |number: usize| offset(18, 1) + number * 32;
        let start = |image: &[u8], number: usize| (image[entry(number) + 3], image[entry(number) + 4]);
        type Damage<'a> = &'a dyn Fn(&mut Vec<u8>);
        let cases: [(Damage<'_>, &str); 13] = [
            (
                &|image| {
                    let (track, sector) = start(image, 0);
                    let at = offset(track, sector);
                    image[at..at + 2].copy_from_slice(&[track, sector]);
                },
                "\"ONE\" comes back to track 1, sector 0 and never ends",
            ),
            (
                &|image| {
                    let (track, sector) = start(image, 0);
                    image[offset(track, sector)] = 77;
                },
                "\"ONE\" leads to track 77, sector 10, which does not exist",
            ),
            (
                &|image| {
                    let (track, sector) = start(image, 0);
                    image[entry(1) + 3..entry(1) + 5].copy_from_slice(&[track, sector]);
                },
                "\"TWO\" shares track 1, sector 0 with \"ONE\"",
            ),
            (&|image| image[entry(0) + 30] = 9, "\"ONE\" has 4 blocks; the directory says 9"),
            (&|image| image[entry(0) + 2] = 2, "\"ONE\" was not closed"),
            (
                &|image| image[entry(1) + 5..entry(1) + 8].copy_from_slice(b"ONE"),
                "2 files are called \"ONE\": a drive finds only the first",
            ),
            (
                &|image| image[offset(18, 0) + 5] |= 1,
                "track 1, sector 0 belongs to \"ONE\", but the block map calls it free",
            ),
            (
                &|image| image[offset(18, 0) + 35 * 4 + 1] = 0,
                "track 35: the block map calls 8 sectors taken that belong to no file",
            ),
            (
                &|image| image[offset(18, 0) + 35 * 4 + 1] &= 0xfe,
                "track 35: the block map calls 1 sector taken that belongs to no file",
            ),
            (
                &|image| errors(image)[0] = 5,
                "\"ONE\" has track 1, sector 0, where the image records 23, READ ERROR",
            ),
            (
                &|image| errors(image)[offset(18, 1) / SECTOR] = 11,
                "the directory has track 18, sector 1, where the image records 29, DISK ID MISMATCH",
            ),
            (
                &|image| errors(image)[offset(35, 3) / SECTOR..].fill(2),
                "track 35: the image records read errors of 14 sectors that belong to no file",
            ),
            (
                // A shifted letter, a backslash's code and a line end, as a listing shows them.
                &|image| {
                    image[entry(0) + 2] = 2;
                    image[entry(0) + 5..entry(0) + 8].copy_from_slice(&[0xc1, 0x5c, 0x0d]);
                },
                "\"a??\" was not closed",
            ),
        ];
        for (damage, wanted) in cases {
            let mut image = disk();
            damage(&mut image);
            let faults: Vec<String> =
                validate(&image).expect("an image").iter().map(ToString::to_string).collect();
            assert!(faults.iter().any(|fault| fault == wanted), "{wanted} is not among {faults:#?}");
        }
    }
}
