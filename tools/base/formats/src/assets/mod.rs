//! Files of graphics editors as numbers and parts: CharPad, SpritePad, Spritemate, and pictures in the C64's own formats.
//! Knows what a file says, not whether a map or tile entry leads anywhere.

mod charpad;
mod convert;
mod native;
mod reader;
mod spritemate;
mod spritepad;

use thiserror::Error;

use reader::Reader;

pub use convert::{Conversion, ConversionError, Target, convert};

/// A file that was read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The program it is from.
    pub format: Format,
    /// Numbers of the header by name; one that the file does not have is 0.
    pub numbers: Vec<(&'static str, u32)>,
    /// The colours that all characters or sprites share.
    pub colours: Vec<u8>,
    /// The parts, those that are absent included.
    pub parts: Vec<Part>,
    /// Names of tiles or sprites.
    pub names: Vec<String>,
    /// Bytes after the last part.
    pub left_over: usize,
}

/// Bytes with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// As in the names of getters: `Charset`.
    pub name: &'static str,
    /// How many bytes an entry has, 1 or 2.
    pub width: usize,
    /// As stored.
    pub bytes: Vec<u8>,
}

/// A part of some format, by its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartName {
    /// As in the names of getters: `CharColours`.
    pub name: &'static str,
    /// As in options and settings: `char-colours`.
    pub option: &'static str,
    /// A few words about it.
    pub about: &'static str,
}

const fn name(name: &'static str, option: &'static str, about: &'static str) -> PartName {
    PartName { name, option, about }
}

/// Every part of every format.
pub const PARTS: &[PartName] = &[
    name("Charset", "charset", "Characters, 8 bytes each"),
    name("Attributes", "attributes", "Attributes, one for each character"),
    name("CharColours", "char-colours", "Colours of characters"),
    name("Tiles", "tiles", "Characters of the tiles, 16 bits each"),
    name("TilesLow", "tiles-low", "The low bytes of the tiles"),
    name("TilesHigh", "tiles-high", "The high bytes of the tiles"),
    name("TileColours", "tile-colours", "Colours of tiles"),
    name("TileTags", "tile-tags", "Tags, one for each tile"),
    name("Map", "map", "Tiles or characters of the map, 16 bits each"),
    name("MapLow", "map-low", "The low bytes of the map"),
    name("MapHigh", "map-high", "The high bytes of the map"),
    name("Data", "data", "Sprites, 64 bytes each"),
    name("AnimationStart", "animation-start", "First sprites of animations, 16 bits each"),
    name("AnimationEnd", "animation-end", "Last sprites of animations, 16 bits each"),
    name("AnimationTimer", "animation-timer", "Timers of animations"),
    name("AnimationFlags", "animation-flags", "Flags of animations"),
    name("TileMap", "tile-map", "Sprites of the tiles, 16 bits each"),
    name("TileAnimationStart", "tile-animation-start", "First tiles of animations, 16 bits each"),
    name("TileAnimationEnd", "tile-animation-end", "Last tiles of animations, 16 bits each"),
    name("TileAnimationTimer", "tile-animation-timer", "Timers of animations of tiles"),
    name("TileAnimationFlags", "tile-animation-flags", "Flags of animations of tiles"),
    name("Bitmap", "bitmap", "The bitmap of a picture"),
    name("Screen", "screen", "Screen memory: character numbers or colours of a bitmap"),
    name("Colours", "colours", "Colour memory"),
];

/// The origin of an asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CharPad's `.ctm`.
    CharPad,
    /// SpritePad's `.spd`.
    SpritePad,
    /// Spritemate's `.spm`.
    Spritemate,
    /// A multicolour bitmap of Koala Painter.
    Koala,
    /// A hires bitmap of Art Studio.
    ArtStudio,
    /// A multicolour bitmap of Advanced Art Studio.
    AdvancedArtStudio,
    /// A hires bitmap without colours.
    Hires,
    /// Pixels of a PNG, GIF or JPEG.
    Picture,
}

/// Why bytes are not an asset.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AssetError {
    /// The signature is missing.
    #[error("not a {0} file: it does not begin with {1}")]
    Signature(&'static str, &'static str),
    /// A version without a description.
    #[error("version {version} is not known; {known} are")]
    Version {
        /// As the file has it.
        version: u8,
        /// Those that are.
        known: &'static str,
    },
    /// A block of a CharPad file begins with a marker.
    #[error("the marker of block {block} is missing at byte {at}")]
    Marker {
        /// From 0.
        block: u8,
        /// Where it should be.
        at: usize,
    },
    /// The file is shorter than its header says.
    #[error("the data ends at byte {at}, with {missing} bytes missing")]
    Short {
        /// The length of the file.
        at: usize,
        /// How many more the header asks for.
        missing: u64,
    },
    /// A value that the format does not have.
    #[error("byte {at}: {what} {value} does not exist")]
    Value {
        /// Its place.
        at: usize,
        /// Its kind.
        what: &'static str,
        /// As the file has it.
        value: u32,
    },
    /// The file is JSON, but not of a sprite editor.
    #[error("byte {at}: {problem}")]
    Json {
        /// The place in the text.
        at: usize,
        /// A sentence.
        problem: String,
    },
    /// No reader takes it.
    #[error("not a file of CharPad, SpritePad or Spritemate, nor a picture: {0} bytes")]
    Unknown(usize),
}

impl Asset {
    fn new(format: Format) -> Asset {
        Asset {
            format,
            numbers: Vec::new(),
            colours: Vec::new(),
            parts: Vec::new(),
            names: Vec::new(),
            left_over: 0,
        }
    }

    /// A number of the header.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.numbers.iter().find(|(other, _)| *other == name).map(|&(_, number)| number)
    }

    /// A part by the name of its getter.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// A warning about bytes that belong to nothing.
    pub fn warning(&self) -> Option<String> {
        match self.left_over {
            0 => None,
            1 => Some("one byte after the last part is not used".to_owned()),
            bytes => Some(format!("{bytes} bytes after the last part are not used")),
        }
    }

    fn set(&mut self, name: &'static str, number: u32) {
        match self.numbers.iter_mut().find(|(other, _)| *other == name) {
            Some((_, known)) => *known = number,
            None => self.numbers.push((name, number)),
        }
    }

    fn put(&mut self, name: &'static str, width: usize, bytes: &[u8]) {
        let bytes = bytes.to_vec();
        match self.parts.iter_mut().find(|part| part.name == name) {
            Some(part) => part.bytes = bytes,
            None => self.parts.push(Part { name, width, bytes }),
        }
    }

    /// The low and the high bytes of a part whose entries have two, as parts of their own.
    fn split(&mut self, name: &'static str, low: &'static str, high: &'static str) {
        let pairs = self.part(name).map(|part| part.bytes.clone()).unwrap_or_default();
        let half = |at: usize| pairs.chunks_exact(2).map(|pair| pair[at]).collect::<Vec<_>>();
        self.put(low, 1, &half(0));
        self.put(high, 1, &half(1));
    }
}

impl Part {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// An entry: a byte, or a number of two.
    pub fn entry(&self, index: usize) -> Option<u16> {
        let entry = self.bytes.get(index.checked_mul(self.width)?..)?.get(..self.width)?;
        Some(match entry {
            [low, high] => u16::from_le_bytes([*low, *high]),
            _ => u16::from(entry[0]),
        })
    }
}

impl Format {
    /// The name of the format for people.
    pub fn name(self) -> &'static str {
        match self {
            Format::CharPad => "CharPad",
            Format::SpritePad => "SpritePad",
            Format::Spritemate => "Spritemate",
            Format::Koala => "Koala Painter",
            Format::ArtStudio => "Art Studio",
            Format::AdvancedArtStudio => "Advanced Art Studio",
            Format::Hires => "hires bitmap",
            Format::Picture => "picture",
        }
    }
}

/// Reads a CharPad file.
pub fn charpad(file: &[u8]) -> Result<Asset, AssetError> {
    charpad::read(&mut Reader::new(file))
}

/// Reads a SpritePad file, or one of Spritemate.
pub fn spritepad(file: &[u8]) -> Result<Asset, AssetError> {
    match is_json(file) {
        true => spritemate::read(file),
        false => spritepad::read(&mut Reader::new(file)),
    }
}

/// Reads a file of any kind. Sprites without a signature and pictures are told by the extension of the name.
pub fn read(name: &str, file: &[u8]) -> Result<Asset, AssetError> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    if file.starts_with(b"CTM") || extension == "ctm" {
        return charpad(file);
    }
    if file.starts_with(b"SPD") || matches!(&extension[..], "spd" | "spm") {
        return spritepad(file);
    }
    native::read(&extension, file)
}

/// A colour of these formats is at most 15, so none begins as JSON does.
fn is_json(file: &[u8]) -> bool {
    file.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}
