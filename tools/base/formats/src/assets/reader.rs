//! Bytes taken from a file one after the other. Nothing is allocated before the bytes are known to be there.

use super::AssetError;

pub(super) struct Reader<'f> {
    file: &'f [u8],
    at: usize,
}

impl<'f> Reader<'f> {
    pub fn new(file: &'f [u8]) -> Reader<'f> {
        Reader { file, at: 0 }
    }

    /// How many bytes were taken.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn left(&self) -> usize {
        self.file.len() - self.at
    }

    pub fn starts_with(&self, bytes: &[u8]) -> bool {
        self.file[self.at..].starts_with(bytes)
    }

    /// Takes bytes; a header may ask for more than any file has.
    pub fn take(&mut self, count: u64) -> Result<&'f [u8], AssetError> {
        let left = self.left() as u64;
        if count > left {
            return Err(AssetError::Short { at: self.file.len(), missing: count - left });
        }
        let start = self.at;
        self.at += count as usize;
        Ok(&self.file[start..self.at])
    }

    pub fn byte(&mut self) -> Result<u8, AssetError> {
        Ok(self.take(1)?[0])
    }

    pub fn word(&mut self) -> Result<u16, AssetError> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// Takes everything up to the next zero, and the zero.
    pub fn text(&mut self) -> Result<String, AssetError> {
        let rest = &self.file[self.at..];
        let len = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        let text = self.take(len as u64)?.iter().map(|&byte| char::from(byte)).collect();
        self.byte()?;
        Ok(text)
    }
}
