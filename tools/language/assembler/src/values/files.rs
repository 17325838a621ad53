//! Files as values: bytes with named blocks.

use std::sync::Arc;

/// The value that `LoadBinary` returns.
#[derive(Debug)]
pub(crate) struct BinaryFile {
    /// After the two bytes a `C64FILE` template skips.
    pub bytes: Arc<Vec<u8>>,
    pub skip: usize,
    pub blocks: Vec<Block>,
}

/// A named part of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub name: String,
    pub start: usize,
    pub end: usize,
}

impl BinaryFile {
    /// A file with the blocks of a template. The error is the part of it that names no address.
    pub fn new(bytes: Arc<Vec<u8>>, template: &str) -> Result<BinaryFile, String> {
        let mut is_c64 = false;
        let mut blocks: Vec<Block> = Vec::new();
        for part in template.split(',') {
            let part = part.trim();
            if part == "C64FILE" {
                is_c64 = true;
            } else if let Some((name, offset)) = part.split_once('=') {
                let offset = offset.trim();
                let start = match offset.strip_prefix('$') {
                    Some(hex) => usize::from_str_radix(hex, 16),
                    None => offset.parse(),
                };
                let start = start.map_err(|_| part.to_owned())?;
                blocks.push(Block { name: name.trim().to_owned(), start, end: 0 });
            }
        }
        let skip = if is_c64 { 2.min(bytes.len()) } else { 0 };
        let size = bytes.len() - skip;
        for index in 0..blocks.len() {
            let start = blocks[index].start;
            // A block runs to the next one by offset, in whatever order they are written.
            let next = blocks.iter().map(|block| block.start).filter(|&other| other > start).min();
            blocks[index].start = start.min(size);
            blocks[index].end = next.unwrap_or(size).min(size);
        }
        Ok(BinaryFile { bytes, skip, blocks })
    }

    pub fn data(&self) -> &[u8] {
        &self.bytes[self.skip..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_run_to_the_next_or_the_end() {
        let file = BinaryFile::new((0..10).collect::<Vec<u8>>().into(), "C64FILE, A=$0, B = 3").unwrap();
        assert_eq!(file.data()[0], 2);
        let ends: Vec<_> =
            file.blocks.iter().map(|block| (&block.name[..], block.start, block.end)).collect();
        assert_eq!(ends, [("A", 0, 3), ("B", 3, 8)]);
    }
}
