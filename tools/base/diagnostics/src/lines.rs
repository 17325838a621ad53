//! The line index: from byte offsets to lines and columns and back. LF, CR and CR LF end a line.

/// What a column counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Columns {
    /// Unicode characters, which is what people count.
    #[default]
    Characters,
    /// UTF-16 units, as Java programs and most editor protocols count.
    Utf16,
    /// Bytes, as editor protocols count that have agreed on UTF-8.
    Bytes,
}

/// Where the lines of a text start, and how many characters come before each block of it.
///
/// A position is found in logarithmic time in the number of lines, and in constant time in their length:
/// a megabyte in one line costs no more than a short line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineIndex {
    /// Never empty; the first line starts at 0.
    starts: Vec<u32>,
    /// Characters and UTF-16 units before each block; empty for ASCII, where bytes are characters.
    blocks: Vec<Counts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Counts {
    characters: u32,
    units: u32,
}

const BLOCK: usize = 512;

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (index, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(index + 1) != Some(&b'\n')) {
                let Ok(start) = u32::try_from(index + 1) else { break };
                starts.push(start);
            }
        }
        let mut blocks = Vec::new();
        if !text.is_ascii() {
            let mut before = Counts::default();
            for block in bytes.chunks(BLOCK) {
                blocks.push(before);
                before = before.and(block);
            }
        }
        LineIndex { starts, blocks }
    }

    /// How many lines there are; a text that ends with a line end has an empty line behind it.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line (from 0) an offset is on.
    pub fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The offset of the first byte of a line (from 0), if there is such a line.
    pub fn start(&self, line: usize) -> Option<u32> {
        self.starts.get(line).copied()
    }

    /// How many characters, units or bytes lie between two offsets of the text.
    pub fn width(&self, text: &str, from: u32, to: u32, columns: Columns) -> u32 {
        let to = to.min(u32::try_from(text.len()).unwrap_or(u32::MAX));
        let from = from.min(to);
        if columns == Columns::Bytes || self.blocks.is_empty() {
            return to - from;
        }
        let (from, to) = (self.before(text, from), self.before(text, to));
        match columns {
            Columns::Utf16 => to.units - from.units,
            _ => to.characters - from.characters,
        }
    }

    /// What comes before an offset. One inside a character counts the character.
    fn before(&self, text: &str, offset: u32) -> Counts {
        let offset = offset as usize;
        let block = (offset / BLOCK).min(self.blocks.len() - 1);
        self.blocks[block].and(&text.as_bytes()[block * BLOCK..offset])
    }
}

impl Counts {
    /// These and the characters that start in the bytes.
    fn and(self, bytes: &[u8]) -> Counts {
        let characters = bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32;
        // Characters beyond the basic plane have a first byte from F0 on and take two units.
        let pairs = bytes.iter().filter(|&&byte| byte >= 0xf0).count() as u32;
        Counts { characters: self.characters + characters, units: self.units + characters + pairs }
    }
}
