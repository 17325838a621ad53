//! Places in a text: spans in bytes, lines and columns for people. Knows nothing of JSON.

/// A stretch of the text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// A line and a column for people: both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Turns byte offsets into lines and columns, in about constant time whatever the text is like.
#[derive(Debug, Clone)]
pub struct Lines<'t> {
    text: &'t str,
    /// Where each line starts.
    starts: Vec<u32>,
    /// Characters before each block of the text, so that a megabyte in one line costs no more.
    blocks: Vec<u32>,
}

const BLOCK: usize = 512;

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Lines<'t> {
        let mut starts = vec![0];
        let mut blocks = Vec::with_capacity(text.len() / BLOCK + 1);
        let mut characters = 0;
        for (block, bytes) in text.as_bytes().chunks(BLOCK).enumerate() {
            blocks.push(characters);
            for (i, &byte) in bytes.iter().enumerate() {
                characters += u32::from(starts_character(byte));
                if byte == b'\n' {
                    starts.push((block * BLOCK + i + 1) as u32);
                }
            }
        }
        if blocks.is_empty() {
            blocks.push(0);
        }
        Lines { text, starts, blocks }
    }

    /// Where an offset lies; one beyond the text counts as its end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let line = self.starts.partition_point(|&start| start <= offset);
        let column = self.characters_before(offset) - self.characters_before(self.starts[line - 1]);
        Position { line: line as u32, column: column + 1 }
    }

    /// The text of a line (from 1) without its line end.
    pub fn line(&self, line: u32) -> &'t str {
        let line = line.max(1) as usize;
        let Some(&start) = self.starts.get(line - 1) else { return "" };
        let end = self.starts.get(line).map_or(self.text.len(), |&next| next as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let offset = offset as usize;
        let block = (offset / BLOCK).min(self.blocks.len() - 1);
        let rest = &self.text.as_bytes()[block * BLOCK..offset];
        self.blocks[block] + rest.iter().filter(|&&byte| starts_character(byte)).count() as u32
    }
}

fn starts_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}
