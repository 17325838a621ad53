//! Disks and tapes in every container that programs are shipped in: `.d64 .d71 .d81 .g64 .t64 .p00 .tap`. [`read`] tells
//! them apart by signature and size and lists their files in one form. Knows no drive and no tape recorder.

mod build;
mod g64;
mod gcr;
mod p00;
mod t64;
mod tap;

use thiserror::Error;

pub use gcr::{HALF_TRACKS, Tracks};

use crate::d64::{self, D64Error, Entry, File, Geometry, Kind};

/// The kind of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// The sectors of a 1541 disk.
    D64,
    /// The sectors of both sides of a 1571 disk.
    D71,
    /// The sectors of a 1581 disk.
    D81,
    /// The bits of a 1541 disk.
    G64,
    /// Files in an archive named after tapes.
    T64,
    /// One file with its C64 name.
    P00,
    /// The pulses of a tape.
    Tap,
}

impl Container {
    /// All containers.
    pub const ALL: [Container; 7] = [
        Container::D64,
        Container::D71,
        Container::D81,
        Container::G64,
        Container::T64,
        Container::P00,
        Container::Tap,
    ];

    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Container::D64 => "d64",
            Container::D71 => "d71",
            Container::D81 => "d81",
            Container::G64 => "g64",
            Container::T64 => "t64",
            Container::P00 => "p00",
            Container::Tap => "tap",
        }
    }

    /// The container that an extension names, in any case: `P00` also as `s00`, `u01` and the like.
    pub fn from_extension(extension: &str) -> Option<Container> {
        let lower = extension.to_ascii_lowercase();
        if let [b'p' | b's' | b'u' | b'r' | b'd', b'0'..=b'9', b'0'..=b'9'] = lower.as_bytes()
            && !matches!(lower.as_str(), "d64" | "d71" | "d81")
        {
            return Some(Container::P00);
        }
        Container::ALL.into_iter().find(|container| container.extension() == lower)
    }

    /// Whether it has sectors, so that blocks are counted.
    pub const fn is_disk(self) -> bool {
        matches!(self, Container::D64 | Container::D71 | Container::D81 | Container::G64)
    }

    /// Whether [`write()`] can make one.
    pub const fn is_written(self) -> bool {
        matches!(self, Container::D64 | Container::D71 | Container::D81 | Container::T64 | Container::Tap)
    }

    /// The sizes and signatures of its files, for messages.
    const fn expected(self) -> &'static str {
        match self {
            Container::D64 => "174848 or 196608 bytes",
            Container::D71 => "349696 bytes",
            Container::D81 => "819200 bytes",
            Container::G64 => "the signature GCR-1541",
            Container::T64 => "a header that begins with C64",
            Container::P00 => "the signature C64File",
            Container::Tap => "the signature C64-TAPE-RAW",
        }
    }
}

/// The files of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The kind of image.
    pub container: Container,
    /// The name of the disk or tape; empty if it has none.
    pub name: String,
    /// The characters after the name of a disk.
    pub id: String,
    /// In the order of the directory, or of the tape.
    pub entries: Vec<Entry>,
    /// Free blocks of a disk.
    pub blocks_free: Option<u16>,
    /// A fault of the directory; the entries before it are there.
    pub fault: Option<D64Error>,
}

/// Why an image cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Neither the signature nor the size is that of an image.
    #[error("not a disk or tape image: {len} bytes without a known signature{}", expectation(.by_name))]
    Unknown {
        /// The size of the file.
        len: usize,
        /// The container that the name of the file promises.
        by_name: Option<Container>,
    },
    /// The image ends before its tables do.
    #[error("the image ends early: {0}")]
    EndsEarly(&'static str),
    /// A table of the image is wrong.
    #[error("the image is damaged: {0}")]
    Damaged(String),
    /// Reading or building a disk failed.
    #[error(transparent)]
    Disk(#[from] D64Error),
    /// The container cannot be made from files.
    #[error(".{} images cannot be written; use .d64, .d71, .d81, .t64 or .tap", .0.extension())]
    NotWritten(Container),
    /// A file is longer than the container can hold.
    #[error("'{0}' is too long for this image, or has no load address")]
    FileTooLong(String),
}

fn expectation(container: &Option<Container>) -> String {
    container
        .map(|container| format!("; a .{} has {}", container.extension(), container.expected()))
        .unwrap_or_default()
}

/// Reads an image. The extension of its file's name gives the type of a `.p00` and improves messages; signature and size
/// decide about everything else.
pub fn read(extension: &str, bytes: &[u8]) -> Result<Image, ImageError> {
    if bytes.starts_with(g64::SIGNATURE) {
        return g64::read(bytes);
    }
    if bytes.starts_with(tap::SIGNATURE) {
        return tap::read(bytes);
    }
    if bytes.starts_with(p00::SIGNATURE) {
        return p00::read(extension, bytes);
    }
    if let Some(geometry) = Geometry::of_size(bytes.len()) {
        let container = match geometry {
            Geometry::Single(_) => Container::D64,
            Geometry::Double => Container::D71,
            Geometry::Inch3 => Container::D81,
        };
        return Ok(Image::from_disk(container, d64::read(bytes)?));
    }
    if bytes.starts_with(t64::SIGNATURE) {
        return t64::read(bytes);
    }
    Err(ImageError::Unknown { len: bytes.len(), by_name: Container::from_extension(extension) })
}

/// Builds an image of these files.
pub fn write(container: Container, name: &str, id: &str, files: &[File]) -> Result<Vec<u8>, ImageError> {
    match container {
        Container::D64 => {
            let id = format!("{id} 2A");
            Ok(d64::build(&d64::Options { name: name.into(), id, ..d64::Options::default() }, files)?)
        }
        Container::D71 => Ok(build::disk(Geometry::Double, name, id, files)?),
        Container::D81 => Ok(build::disk(Geometry::Inch3, name, id, files)?),
        Container::T64 => t64::write(name, files),
        Container::Tap => tap::write(files),
        Container::G64 | Container::P00 => Err(ImageError::NotWritten(container)),
    }
}

impl Image {
    fn from_disk(container: Container, disk: d64::Disk) -> Image {
        Image {
            container,
            name: disk.name,
            id: disk.id,
            entries: disk.entries,
            blocks_free: Some(disk.blocks_free),
            fault: disk.fault,
        }
    }

    fn from_files(container: Container, name: String, entries: Vec<Entry>) -> Image {
        Image { container, name, id: String::new(), entries, blocks_free: None, fault: None }
    }
}

/// A file that is in no sectors.
fn entry(name: String, kind: Kind, contents: Result<Vec<u8>, D64Error>) -> Entry {
    let (bytes, fault) = match contents {
        Ok(bytes) => (bytes, None),
        Err(fault) => (Vec::new(), Some(fault)),
    };
    let blocks = bytes.len().div_ceil(254) as u16;
    Entry { name, kind: Some(kind), locked: false, closed: true, start: (0, 0), blocks, bytes, fault }
}

/// A name that is padded with blanks, shifted blanks or zeros.
fn padded(bytes: &[u8]) -> String {
    let is_padding = |byte: u8| matches!(byte, 0 | 0x20 | 0xa0);
    let end = bytes.iter().rposition(|&byte| !is_padding(byte)).map_or(0, |last| last + 1);
    bytes[..end].iter().map(|&byte| char::from(byte)).collect()
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn file(name: &str, length: usize) -> File {
        let bytes = [0x01, 0x08].into_iter().chain((0..length).map(|n| (n * 7) as u8)).collect();
        File { name: name.into(), kind: Kind::Prg, locked: false, hide: false, interleave: None, bytes }
    }

    #[test]
    fn images_that_are_written_are_read_back() {
        let files = [file("HELLO", 30), file("DATA", 700), file("BIG", 9000)];
        for container in Container::ALL.into_iter().filter(|container| container.is_written()) {
            let image = write(container, "TEMPO DISK", "64", &files).expect("files that fit");
            let again = read(container.extension(), &image).expect("an image");
            assert_eq!(again.container, container);
            assert_eq!(again.fault, None);
            for (entry, file) in again.entries.iter().zip(&files) {
                assert_eq!((&entry.name, &entry.fault), (&file.name, &None), "{container:?}");
                assert_eq!(entry.bytes, file.bytes, "{container:?} {}", file.name);
            }
            assert_eq!(again.entries.len(), files.len(), "{container:?}");
            if matches!(container, Container::D64 | Container::D71 | Container::D81) {
                assert_eq!(d64::validate(&image), Some(Vec::new()), "{container:?}");
                assert_eq!(again.name, "TEMPO DISK");
            }
        }
    }

    #[test]
    fn a_full_disk_is_filled_to_its_last_sector() {
        for (container, blocks) in [(Container::D71, 1328), (Container::D81, 3160)] {
            let name = |n: usize| File { bytes: vec![7; 254 * 200], ..file(&format!("F{n}"), 0) };
            let mut files: Vec<File> = (0..blocks / 200).map(name).collect();
            files.push(File { bytes: vec![9; 254 * (blocks % 200)], ..file("REST", 0) });
            let image = write(container, "FULL", "01", &files).expect("it just fits");
            assert_eq!(read("", &image).expect("an image").blocks_free, Some(0), "{container:?}");
            assert_eq!(d64::validate(&image), Some(Vec::new()));
            files.push(file("MORE", 1));
            assert!(matches!(
                write(container, "FULL", "01", &files),
                Err(ImageError::Disk(D64Error::DiskFull { .. }))
            ));
        }
    }

    #[test]
    fn what_is_not_an_image_is_refused_with_what_was_expected() {
        let refused = |extension: &str| read(extension, &[0; 10]).expect_err("refused").to_string();
        assert_eq!(
            refused("tap"),
            "not a disk or tape image: 10 bytes without a known signature; a .tap has the signature C64-TAPE-RAW"
        );
        assert_eq!(refused("bin"), "not a disk or tape image: 10 bytes without a known signature");
        assert_eq!(Container::from_extension("S01"), Some(Container::P00));
        assert_eq!(Container::from_extension("d81"), Some(Container::D81));
    }

    /// Images cut off anywhere and with any byte changed end in an error or a listing, never in a panic.
    #[test]
    fn damaged_images_never_panic() {
        let files = [file("HELLO", 30), file("DATA", 700)];
        for container in Container::ALL.into_iter().filter(|container| container.is_written()) {
            let image = write(container, "TEMPO", "64", &files).expect("files that fit");
            let step = image.len() / 40 + 1;
            for cut in (0..image.len()).step_by(step) {
                let _ = read(container.extension(), &image[..cut]);
                let mut wrong = image.clone();
                for (offset, byte) in wrong.iter_mut().skip(cut).step_by(97).enumerate() {
                    *byte = byte.wrapping_mul(31).wrapping_add(offset as u8);
                }
                let _ = read(container.extension(), &wrong);
                let _ = d64::validate(&wrong);
            }
        }
    }
}
