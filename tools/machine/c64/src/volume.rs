//! A disk's files in memory: from an image or from named bytes, as a drive lists and changes them.
//! Names are PETSCII; where they come from and go to is the caller's.

use tempo_formats::d64::{self, D64Error, Entry, Kind};
use tempo_formats::images::{self, Container, ImageError};

/// A file of a volume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// PETSCII, up to 16 characters.
    pub name: Vec<u8>,
    /// The type in the directory.
    pub kind: Kind,
    /// Protected against deletion.
    pub locked: bool,
    /// The contents, load address included.
    pub bytes: Vec<u8>,
    /// Whether a program wrote it since the volume was made.
    pub is_new: bool,
}

impl File {
    /// A file of another system; `.prg` and `.seq` are types, not parts of the name. `None` if a C64 cannot have its name.
    pub fn from_host(name: &str, bytes: Vec<u8>) -> Option<File> {
        if name.starts_with('.') {
            return None;
        }
        let lower = name.to_ascii_lowercase();
        let (stem, kind) = match lower.rsplit_once('.') {
            Some((stem, "prg")) => (stem, Kind::Prg),
            Some((stem, "seq")) => (stem, Kind::Seq),
            _ => (lower.as_str(), Kind::Prg),
        };
        let is_plain = stem.bytes().all(|byte| matches!(byte, b' '..=b'_' | b'a'..=b'z'));
        if !is_plain || stem.is_empty() || stem.len() > 16 {
            return None;
        }
        let name = stem.to_ascii_uppercase().into_bytes();
        Some(File { name, kind, locked: false, bytes, is_new: false })
    }
}

/// Files with a name and an id over them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Volume {
    /// The name in the directory's header.
    pub name: Vec<u8>,
    /// The five characters after it.
    pub id: Vec<u8>,
    /// In directory order.
    pub files: Vec<File>,
    /// Names of files that a program deleted or renamed.
    pub removed: Vec<Vec<u8>>,
    /// Names of files of an image that cannot be read. [`Volume::to_d64`] knows nothing of them.
    pub damaged: Vec<Vec<u8>>,
    /// The kind of image that it comes from.
    pub container: Container,
}

/// How many files a directory holds.
const MOST_FILES: usize = 144;

/// How many blocks a disk of 35 tracks holds.
const BLOCKS: usize = 664;

impl Volume {
    /// An empty one.
    pub fn new(name: &str) -> Volume {
        let name = name.bytes().map(|byte| byte.to_ascii_uppercase()).take(16).collect();
        let id = b"TP 2A".to_vec();
        let container = Container::D64;
        Volume { name, id, files: Vec::new(), removed: Vec::new(), damaged: Vec::new(), container }
    }

    /// The files of a `.d64`, without those that cannot be read.
    pub fn from_d64(image: &[u8]) -> Result<Volume, D64Error> {
        let disk = d64::read(image)?;
        Ok(Volume::from_entries(&disk.name, &disk.id, &disk.entries, Container::D64))
    }

    /// The files of any image, without those that cannot be read.
    pub fn from_image(extension: &str, image: &[u8]) -> Result<Volume, ImageError> {
        let image = images::read(extension, image)?;
        Ok(Volume::from_entries(&image.name, &image.id, &image.entries, image.container))
    }

    fn from_entries(name: &str, id: &str, entries: &[Entry], container: Container) -> Volume {
        let bytes = |text: &str| text.chars().map(|character| character as u32 as u8).collect::<Vec<u8>>();
        let (damaged, sound): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.fault.is_some());
        let files = sound.iter().filter_map(|entry| {
            let kind = entry.kind.filter(|kind| *kind != Kind::Del)?;
            let (name, locked) = (bytes(&entry.name), entry.locked);
            Some(File { name, kind, locked, bytes: entry.bytes.clone(), is_new: false })
        });
        let files = files.collect();
        let damaged = damaged.iter().map(|entry| bytes(&entry.name)).collect();
        Volume { name: bytes(name), id: bytes(id), files, removed: Vec::new(), damaged, container }
    }

    /// An image of the kind that the volume comes from, with all files.
    pub fn to_image(&self) -> Result<Vec<u8>, ImageError> {
        let text = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
        match self.container {
            Container::D64 => Ok(self.to_d64()?),
            container => {
                let id = text(&self.id).chars().take(2).collect::<String>();
                images::write(container, &text(&self.name), &id, &self.disk_files())
            }
        }
    }

    /// An image of 35 tracks with all files.
    pub fn to_d64(&self) -> Result<Vec<u8>, D64Error> {
        let text = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
        let options = d64::Options { name: text(&self.name), id: text(&self.id), ..d64::Options::default() };
        d64::build(&options, &self.disk_files())
    }

    fn disk_files(&self) -> Vec<d64::File> {
        let text = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
        self.files
            .iter()
            .map(|file| d64::File {
                name: text(&file.name),
                kind: file.kind,
                locked: file.locked,
                hide: false,
                interleave: None,
                bytes: file.bytes.clone(),
            })
            .collect()
    }

    /// Whether a program changed anything.
    pub fn is_changed(&self) -> bool {
        !self.removed.is_empty() || self.files.iter().any(|file| file.is_new)
    }

    /// The first file that a pattern matches: `?` is any character, `*` any rest.
    pub fn find(&self, pattern: &[u8]) -> Option<&File> {
        self.files.iter().find(|file| matches(pattern, &file.name))
    }

    /// The blocks that are left.
    pub fn free_blocks(&self) -> usize {
        BLOCKS.saturating_sub(self.files.iter().map(blocks).sum())
    }

    /// Stores a file. `replace` allows it to take the place of one with the same name.
    pub(crate) fn store(
        &mut self,
        name: &[u8],
        kind: Kind,
        bytes: Vec<u8>,
        replace: bool,
    ) -> Result<(), Fault> {
        let name: Vec<u8> = name.iter().copied().take(16).collect();
        if name.is_empty() || name.iter().any(|byte| matches!(byte, b'*' | b'?' | b',' | b':' | b'"')) {
            return Err(Fault::Syntax);
        }
        let old = self.files.iter().position(|file| file.name == name);
        if old.is_some_and(|old| !replace || self.files[old].locked) {
            return Err(Fault::Exists);
        }
        let file = File { name, kind, locked: false, bytes, is_new: true };
        let freed = old.map_or(0, |old| blocks(&self.files[old]));
        if blocks(&file) > self.free_blocks() + freed || (old.is_none() && self.files.len() >= MOST_FILES) {
            return Err(Fault::Full);
        }
        match old {
            Some(old) => self.files[old] = file,
            None => self.files.push(file),
        }
        Ok(())
    }

    /// Deletes what a pattern matches; the result says how many.
    pub(crate) fn scratch(&mut self, pattern: &[u8]) -> usize {
        let (gone, kept): (Vec<File>, Vec<File>) =
            self.files.drain(..).partition(|file| !file.locked && matches(pattern, &file.name));
        self.files = kept;
        let count = gone.len();
        self.removed.extend(gone.into_iter().map(|file| file.name));
        count
    }

    /// Gives a file another name.
    pub(crate) fn rename(&mut self, old: &[u8], new: &[u8]) -> Result<(), Fault> {
        if self.files.iter().any(|file| file.name == new) {
            return Err(Fault::Exists);
        }
        let file = self.files.iter_mut().find(|file| file.name == old).ok_or(Fault::NotFound)?;
        self.removed.push(core::mem::replace(&mut file.name, new.iter().copied().take(16).collect()));
        file.is_new = true;
        Ok(())
    }

    /// The directory as `LOAD"$",8` gets it: a BASIC program.
    pub(crate) fn listing(&self, pattern: &[u8]) -> Vec<u8> {
        let mut lines = Vec::new();
        let mut header = vec![0x12, b'"'];
        header.extend(padded(&self.name, 16));
        header.extend([b'"', b' ']);
        header.extend(padded(&self.id, 5));
        lines.push((0, header));
        for file in self.files.iter().filter(|file| pattern.is_empty() || matches(pattern, &file.name)) {
            let number = blocks(file);
            // The names form a column.
            let mut line = vec![b' '; 3usize.saturating_sub(number.max(1).ilog10() as usize)];
            line.push(b'"');
            line.extend_from_slice(&file.name);
            line.push(b'"');
            line.extend(vec![b' '; 16usize.saturating_sub(file.name.len())]);
            line.push(b' ');
            line.extend_from_slice(match file.kind {
                Kind::Del => b"DEL",
                Kind::Seq => b"SEQ",
                Kind::Prg => b"PRG",
                Kind::Usr => b"USR",
                Kind::Rel => b"REL",
            });
            line.push(if file.locked { b'<' } else { b' ' });
            lines.push((number, line));
        }
        lines.push((self.free_blocks(), b"BLOCKS FREE.".to_vec()));
        let mut bytes = vec![0x01, 0x08];
        let mut at = 0x0801;
        for (number, text) in lines {
            at += 5 + text.len();
            bytes.extend_from_slice(&(at as u16).to_le_bytes());
            bytes.extend_from_slice(&(number as u16).to_le_bytes());
            bytes.extend_from_slice(&text);
            bytes.push(0);
        }
        bytes.extend([0, 0]);
        bytes
    }
}

/// A drive's report on its command channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Syntax,
    NotFound,
    Exists,
    Full,
}

fn blocks(file: &File) -> usize {
    file.bytes.len().div_ceil(254)
}

fn padded(text: &[u8], length: usize) -> Vec<u8> {
    let mut padded: Vec<u8> = text.iter().copied().take(length).collect();
    padded.resize(length, b' ');
    padded
}

fn matches(pattern: &[u8], name: &[u8]) -> bool {
    for (at, &wanted) in pattern.iter().enumerate() {
        match (wanted, name.get(at)) {
            (b'*', _) => return true,
            (b'?', Some(_)) => {}
            (wanted, Some(&found)) if wanted == found => {}
            _ => return false,
        }
    }
    pattern.len() == name.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn volume() -> Volume {
        let mut volume = Volume::new("test");
        volume.store(b"HELLO", Kind::Prg, vec![1, 8, 2, 3], false).unwrap();
        volume.store(b"SCORES", Kind::Seq, vec![b'7'; 600], false).unwrap();
        volume
    }

    #[test]
    fn patterns_find_files() {
        let volume = volume();
        let name = |pattern: &[u8]| volume.find(pattern).map(|file| file.name.clone());
        assert_eq!(name(b"H*"), Some(b"HELLO".to_vec()));
        assert_eq!(name(b"S?ORES"), Some(b"SCORES".to_vec()));
        assert_eq!(name(b"*"), Some(b"HELLO".to_vec()));
        assert_eq!(name(b"HELL"), None);
        assert_eq!(name(b"HELLOO"), None);
    }

    #[test]
    fn an_image_keeps_what_was_stored() {
        let mut volume = volume();
        assert!(volume.is_changed());
        let again = Volume::from_d64(&volume.to_d64().unwrap()).unwrap();
        assert!(!again.is_changed());
        assert_eq!((&again.files[1].name[..], again.files[1].kind), (&b"SCORES"[..], Kind::Seq));
        assert_eq!(again.free_blocks(), 664 - 4);
        assert_eq!(volume.store(b"HELLO", Kind::Prg, vec![], false), Err(Fault::Exists));
        assert_eq!(volume.store(b"BIG", Kind::Prg, vec![0; 200_000], false), Err(Fault::Full));
        assert_eq!(volume.rename(b"HELLO", b"BYE"), Ok(()));
        assert_eq!(volume.scratch(b"S*"), 1);
        assert_eq!(volume.removed, [b"HELLO".to_vec(), b"SCORES".to_vec()]);
    }

    #[test]
    fn the_listing_is_a_program() {
        let listing = volume().listing(b"");
        assert_eq!(listing[..2], [0x01, 0x08]);
        let text: String = listing.iter().map(|&byte| char::from(byte)).collect();
        assert!(text.contains("\"HELLO\"            PRG"), "{text}");
        assert!(text.contains("BLOCKS FREE."));
    }
}
