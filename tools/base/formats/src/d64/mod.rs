//! Disk images of the 1541 (`.d64`): [`build`] makes one from files as `.disk` describes them, [`read`] takes one
//! apart. Knows sectors, the block map and the directory; knows nothing of segments. The larger disks of the 1571 and the
//! 1581 have the same directory: [`Geometry`] is where they differ.

mod build;
mod geometry;
mod read;
mod validate;

use thiserror::Error;

pub use build::{Layout, Stored, build, layout};
pub use geometry::Geometry;
pub use read::{Disk, Entry, read, read_sectors, shown};
pub use validate::{Fault, validate};

/// Bytes of a sector.
pub const SECTOR: usize = 256;
/// The track of block map and directory.
pub const DIRECTORY_TRACK: u8 = 18;
/// Bytes of an image of 35 tracks.
pub const SIZE_35: usize = 683 * SECTOR;
/// Bytes of an image of 40 tracks.
pub const SIZE_40: usize = 768 * SECTOR;

/// The disk parameters of `.disk`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The name in the directory's header, up to 16 characters.
    pub name: String,
    /// The five characters after the name: id, a space and the DOS type.
    pub id: String,
    /// The number of tracks and the layout of the block map.
    pub format: Format,
    /// Distance of consecutive sectors of a file, unless the file says otherwise.
    pub interleave: u32,
    /// A file that would be on both sides of the directory begins after it.
    pub dont_split_files_over_dir: bool,
    /// Files may use what the directory leaves free on its track.
    pub store_files_in_dir: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            name: "UNNAMED".into(),
            id: "   2A".into(),
            format: Format::Commodore,
            interleave: 10,
            dont_split_files_over_dir: false,
            store_files_in_dir: false,
        }
    }
}

/// How many tracks, and where the block map keeps those beyond 35.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// 35 tracks, as the drive formats a disk.
    Commodore,
    /// 40 tracks, with the block map that SpeedDOS reads.
    SpeedDos,
    /// 40 tracks, with the block map that Dolphin DOS reads.
    DolphinDos,
}

impl Format {
    /// The format of this name in `.disk`.
    pub fn from_name(name: &str) -> Option<Format> {
        match name {
            "commodore" => Some(Format::Commodore),
            "speeddos" => Some(Format::SpeedDos),
            "dolphindos" => Some(Format::DolphinDos),
            _ => None,
        }
    }

    fn tracks(self) -> u8 {
        match self {
            Format::Commodore => 35,
            Format::SpeedDos | Format::DolphinDos => 40,
        }
    }
}

/// A file to put on a disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The name in the directory, up to 16 characters.
    pub name: String,
    /// The type in the directory.
    pub kind: Kind,
    /// Protected against deletion; the directory shows a `<`.
    pub locked: bool,
    /// Stored, but without a directory entry.
    pub hide: bool,
    /// Distance of consecutive sectors, if not that of the disk.
    pub interleave: Option<u32>,
    /// As stored, load address included if the file has one.
    pub bytes: Vec<u8>,
}

/// The type of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `del`, a deleted file or a line of a decorated directory.
    Del,
    /// `seq`, sequential data.
    Seq,
    /// `prg`, a program with its load address.
    Prg,
    /// `usr`, sequential data of the user's kind.
    Usr,
    /// `rel`, records of equal length.
    Rel,
}

impl Kind {
    /// Reads a type as `.disk` spells it; a `<` after it locks the file.
    pub fn from_name(name: &str) -> Option<(Kind, bool)> {
        let (name, locked) = match name.strip_suffix('<') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let kind = match name {
            "del" => Kind::Del,
            "seq" => Kind::Seq,
            "prg" => Kind::Prg,
            "usr" => Kind::Usr,
            "rel" => Kind::Rel,
            _ => return None,
        };
        Some((kind, locked))
    }

    fn from_code(code: u8) -> Option<Kind> {
        [Kind::Del, Kind::Seq, Kind::Prg, Kind::Usr, Kind::Rel].get(usize::from(code)).copied()
    }

    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

/// Why a disk cannot be built or read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum D64Error {
    /// The files need more blocks than there are.
    #[error("the disk is full: '{name}' needs {needed} blocks, {free} are free")]
    DiskFull {
        /// The first file that does not fit.
        name: String,
        /// The blocks it needs.
        needed: usize,
        /// The blocks that are left.
        free: usize,
    },
    /// There are more files than the directory track has entries.
    #[error("the directory holds 144 files, this disk has {0}")]
    DirectoryFull(usize),
    /// The number of bytes is not that of an image.
    #[error(
        "not a disk image: {0} bytes, expected 174848 (.d64, 35 tracks), 196608 (40 tracks), 349696 (.d71) or 819200 (.d81)"
    )]
    NotAnImage(usize),
    /// A sector of the chain has an error.
    #[error("track {track}, sector {sector} cannot be read")]
    Unreadable {
        /// The track.
        track: u8,
        /// The sector.
        sector: u8,
    },
    /// The image ends before the data does.
    #[error("the data ends early: {missing} bytes are missing")]
    EndsEarly {
        /// How many bytes are missing.
        missing: usize,
    },
    /// Both copies of a block on tape have a wrong checksum or damaged bytes.
    #[error("both copies of a block are damaged")]
    BadBlock,
    /// A block points to a place that no disk has.
    #[error("the chain of sectors leads to track {track}, sector {sector}, which does not exist")]
    NoSuchSector {
        /// The track it names.
        track: u8,
        /// The sector it names.
        sector: u8,
    },
    /// The blocks of a file form a circle.
    #[error("the chain of sectors from track {track}, sector {sector} does not end")]
    EndlessChain {
        /// The track of the first block.
        track: u8,
        /// The sector of the first block.
        sector: u8,
    },
    /// The files are larger than any disk, because their chains share sectors.
    #[error("the files share sectors, and are together larger than a disk can be")]
    TooMuch,
}

/// A place on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub track: u8,
    /// From 0.
    pub sector: u8,
}

/// How many sectors a track has.
pub fn sectors(track: u8) -> u8 {
    match track {
        1..=17 => 21,
        18..=24 => 19,
        25..=30 => 18,
        31..=42 => 17,
        _ => 0,
    }
}

impl Place {
    /// The index of the place's first byte in an image.
    fn offset(self, geometry: impl Into<Geometry>) -> Option<usize> {
        geometry.into().offset(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn file(name: &str, length: usize) -> File {
        let bytes = (0..length).map(|n| n as u8).collect();
        File { name: name.into(), kind: Kind::Prg, locked: false, hide: false, interleave: None, bytes }
    }

    fn at(image: &[u8], track: u8, sector: u8) -> &[u8] {
        let offset = Place { track, sector }.offset(35).unwrap();
        &image[offset..offset + SECTOR]
    }

    #[test]
    fn what_is_built_is_read_back() {
        let mut files: Vec<File> = (0..12).map(|n| file(&format!("FILE {n}"), 300 * n)).collect();
        files[3].kind = Kind::Seq;
        files[4].locked = true;
        files[5].hide = true;
        files[6].interleave = Some(3);
        for format in [Format::Commodore, Format::SpeedDos, Format::DolphinDos] {
            let options = Options { name: "A DISK".into(), id: "2025!".into(), format, ..Options::default() };
            let image = build(&options, &files).unwrap();
            assert_eq!(image.len(), if format == Format::Commodore { SIZE_35 } else { SIZE_40 });
            let disk = read(&image).unwrap();
            assert_eq!((&disk.name[..], &disk.id[..]), ("A DISK", "2025!"));
            assert_eq!(disk.entries.len(), 11);
            for (entry, file) in disk.entries.iter().zip(files.iter().filter(|file| !file.hide)) {
                assert_eq!(entry.bytes, file.bytes, "{}", file.name);
                assert_eq!(
                    (&entry.name, entry.kind, entry.locked),
                    (&file.name, Some(file.kind), file.locked)
                );
                assert_eq!(usize::from(entry.blocks), file.bytes.len().div_ceil(254));
            }
        }
    }

    #[test]
    fn block_map_counts_what_is_free() {
        let image = build(&Options::default(), &[file("A", 1000)]).unwrap();
        let bam = at(&image, 18, 0);
        // Sectors 0, 10, 20 and 9 of track 1: the third step wraps from 30 to 9.
        assert_eq!(bam[..8], [0x12, 0x01, 0x41, 0x00, 17, 0b1111_1110, 0b1111_1001, 0b0000_1111]);
        let total: u32 = (1..=35).map(|t| u32::from(bam[t * 4])).sum();
        assert_eq!(total, 683 - 4 - 2);
        assert_eq!(&bam[0x90..0x97], b"UNNAMED");
        assert_eq!(&bam[0xa2..0xa7], b"   2A");
    }

    #[test]
    fn a_full_disk_and_a_full_directory_are_errors() {
        let error = build(&Options::default(), &[file("A", 254 * 665)]).unwrap_err();
        assert_eq!(error, D64Error::DiskFull { name: "A".into(), needed: 665, free: 664 });
        let files: Vec<File> = (0..145).map(|_| file("A", 1)).collect();
        assert_eq!(build(&Options::default(), &files).unwrap_err(), D64Error::DirectoryFull(145));
        build(&Options::default(), &files[..144]).unwrap();
        build(&Options::default(), &[file("A", 254 * 664)]).unwrap();
    }

    #[test]
    fn the_directory_track_serves_files_on_request() {
        let options = Options { store_files_in_dir: true, ..Options::default() };
        let image = build(&options, &[file("A", 254 * 681)]).unwrap();
        assert_eq!(read(&image).unwrap().entries[0].bytes.len(), 254 * 681);
        assert_eq!(at(&image, 18, 0)[18 * 4], 0);
    }

    #[test]
    fn a_file_is_not_split_over_the_directory() {
        let files = [file("A", 254 * 350), file("B", 254 * 10)];
        let split = read(&build(&Options::default(), &files).unwrap()).unwrap();
        assert_eq!(split.entries[1].start.0, 17);
        let options = Options { dont_split_files_over_dir: true, ..Options::default() };
        let whole = read(&build(&options, &files).unwrap()).unwrap();
        assert_eq!(whole.entries[1].start, (19, 0));
        assert_eq!(whole.entries[1].bytes, files[1].bytes);
    }

    #[test]
    fn an_interleave_of_zero_still_ends() {
        let options = Options { interleave: 0, ..Options::default() };
        let image = build(&options, &[file("A", 5000)]).unwrap();
        assert_eq!(read(&image).unwrap().entries[0].bytes.len(), 5000);
    }

    #[test]
    fn broken_images_are_refused() {
        assert_eq!(read(&[0; 10]).unwrap_err(), D64Error::NotAnImage(10));
        let mut image = build(&Options::default(), &[file("A", 600)]).unwrap();
        let directory = Place { track: 18, sector: 1 }.offset(35).unwrap();
        // What is before the fault is there, once.
        image[directory] = 18;
        image[directory + 1] = 1;
        let disk = read(&image).unwrap();
        assert_eq!(disk.fault, Some(D64Error::EndlessChain { track: 18, sector: 1 }));
        assert_eq!(disk.entries.len(), 1);
        image[directory] = 77;
        assert_eq!(read(&image).unwrap().fault, Some(D64Error::NoSuchSector { track: 77, sector: 1 }));
    }

    #[test]
    fn a_broken_file_hides_no_other() {
        let mut image = build(&Options::default(), &[file("BAD", 600), file("GOOD", 600)]).unwrap();
        let start = Place { track: 1, sector: 0 }.offset(35).unwrap();
        image[start..start + 2].copy_from_slice(&[1, 0]);
        let disk = read(&image).unwrap();
        assert_eq!(disk.fault, None);
        assert_eq!(disk.entries[0].fault, Some(D64Error::EndlessChain { track: 1, sector: 0 }));
        assert!(disk.entries[0].bytes.is_empty());
        assert_eq!((disk.entries[1].bytes.len(), &disk.entries[1].fault), (600, &None));
    }

    #[test]
    fn shared_chains_do_not_multiply() {
        // A directory over the whole disk, all of whose entries lead along it.
        let mut image = vec![0; SIZE_35];
        let places: Vec<Place> = (1..=35)
            .flat_map(|track| (0..sectors(track)).map(move |sector| Place { track, sector }))
            .filter(|place| (place.track, place.sector) != (18, 0) && (place.track, place.sector) != (18, 1))
            .collect();
        let mut at = Place { track: 18, sector: 1 };
        for next in places {
            let offset = at.offset(35).unwrap();
            for entry in image[offset..offset + SECTOR].chunks_exact_mut(32) {
                entry[2..5].copy_from_slice(&[0x82, 18, 1]);
            }
            image[offset..offset + 2].copy_from_slice(&[next.track, next.sector]);
            at = next;
        }
        let disk = read(&image).unwrap();
        let total: usize = disk.entries.iter().map(|entry| entry.bytes.len()).sum();
        assert!(disk.entries.len() > 5000 && total < 40 << 20, "{} files, {total} bytes", disk.entries.len());
        assert_eq!(disk.entries.last().unwrap().fault, Some(D64Error::TooMuch));
    }
}
