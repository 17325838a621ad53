//! The line index: from byte offsets to lines and columns and back. LF, CR and CR LF end a line, and for
//! [`Columns::Kick`] some other characters, too.

/// The unit of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Columns {
    /// Unicode characters, which is what people count.
    #[default]
    Characters,
    /// UTF-16 units, as Java programs and most editor protocols count.
    Utf16,
    /// Bytes, as editor protocols count that have agreed on UTF-8.
    Bytes,
    /// UTF-16 units, and lines as Kick Assembler counts them: U+000B, U+000C, U+0085, U+2028 and U+2029 end one, too.
    Kick,
}

/// The characters that end a line for [`Columns::Kick`].
pub(crate) const KICK_LINE_ENDS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

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
        // Offsets have 32 bits.
        let bytes = &text.as_bytes()[..text.len().min(u32::MAX as usize)];
        let starts = match memchr::memchr(b'\r', bytes) {
            None => starts_after_feeds(bytes),
            Some(_) => {
                let is_end = |at: usize| match bytes[at] {
                    b'\n' => true,
                    b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                    _ => false,
                };
                let ends = (0..bytes.len()).filter(|&at| is_end(at));
                std::iter::once(0).chain(ends.map(|at| at as u32 + 1)).collect()
            }
        };
        LineIndex::with_starts(text, starts)
    }

    /// The index for [`Columns::Kick`]; `None` if it is the same.
    pub fn for_kick(text: &str) -> Option<LineIndex> {
        let bytes = text.as_bytes();
        let is_other = |at: usize| {
            matches!(bytes[at..], [0x0b | 0x0c, ..] | [0xc2, 0x85, ..] | [0xe2, 0x80, 0xa8 | 0xa9, ..])
        };
        let has_others = memchr::memchr2(0x0b, 0x0c, bytes).is_some()
            || !text.is_ascii() && memchr::memchr2_iter(0xc2, 0xe2, bytes).any(is_other);
        if !has_others {
            return None;
        }
        let mut starts = vec![0];
        for (index, &byte) in bytes.iter().enumerate() {
            let end = match byte {
                b'\n' => index + 1,
                b'\r' if bytes.get(index + 1) != Some(&b'\n') => index + 1,
                _ if is_other(index) => text.ceil_char_boundary(index + 1),
                _ => continue,
            };
            let Ok(start) = u32::try_from(end) else { break };
            starts.push(start);
        }
        Some(LineIndex::with_starts(text, starts))
    }

    fn with_starts(text: &str, starts: Vec<u32>) -> LineIndex {
        let mut blocks = Vec::new();
        if !text.is_ascii() {
            let mut before = Counts::default();
            for block in text.as_bytes().chunks(BLOCK) {
                blocks.push(before);
                before = before.and(block);
            }
        }
        LineIndex { starts, blocks }
    }

    /// How many lines there are; a text that ends with a line end has an empty line after it.
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

    /// How many characters, units or bytes are between two offsets of the text.
    pub fn width(&self, text: &str, from: u32, to: u32, columns: Columns) -> u32 {
        let to = to.min(u32::try_from(text.len()).unwrap_or(u32::MAX));
        let from = from.min(to);
        if columns == Columns::Bytes || self.blocks.is_empty() {
            return to - from;
        }
        let (from, to) = (self.before(text, from), self.before(text, to));
        match columns {
            Columns::Utf16 | Columns::Kick => to.units - from.units,
            _ => to.characters - from.characters,
        }
    }

    /// The position before an offset. One inside a character counts the character.
    fn before(&self, text: &str, offset: u32) -> Counts {
        let offset = offset as usize;
        let block = (offset / BLOCK).min(self.blocks.len() - 1);
        self.blocks[block].and(&text.as_bytes()[block * BLOCK..offset])
    }
}

/// Where the lines of a text start that ends them with line feeds alone, as most do. Lines are short, so eight bytes at a
/// time are quicker than a search that begins anew after each of them.
fn starts_after_feeds(bytes: &[u8]) -> Vec<u32> {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const FEEDS: u64 = u64::from_ne_bytes([b'\n'; 8]);
    let mut starts = Vec::with_capacity(memchr::memchr_iter(b'\n', bytes).count() + 1);
    starts.push(0);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut start = 1;
    for word in words {
        let others = u64::from_le_bytes(*word) ^ FEEDS;
        // The highest bit of each byte that is a line feed.
        let mut feeds = !(((others & LOW) + LOW) | others | LOW);
        while feeds != 0 {
            starts.push(start + feeds.trailing_zeros() / 8);
            feeds &= feeds - 1;
        }
        start += 8;
    }
    starts.extend((start..).zip(rest).filter(|&(_, &byte)| byte == b'\n').map(|(start, _)| start));
    starts
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_after_every_kind_of_end_wherever_it_is() {
        for number in 0..3_u32.pow(9) {
            let text: String =
                (0..9).map(|digit| ['a', '\n', '\r'][(number / 3_u32.pow(digit) % 3) as usize]).collect();
            let lines = text.replace("\r\n", " \n").replace('\r', "\n");
            let starts = lines.char_indices().filter(|&(_, c)| c == '\n').map(|(at, _)| at as u32 + 1);
            assert_eq!(LineIndex::new(&text).starts, std::iter::once(0).chain(starts).collect::<Vec<u32>>());
        }
    }
}
