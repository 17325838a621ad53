//! The program file: two bytes of load address, low byte first, then the bytes.

use thiserror::Error;

/// Why bytes are not a program file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrgError {
    /// There is no room for a load address in this many bytes.
    #[error("a program file begins with two bytes of load address, this one has {0}")]
    TooShort(usize),
}

/// Puts the load address in front. Addresses beyond 64 KB keep their low 16 bits, as on the machine.
pub fn write(start: i64, bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(bytes.len() + 2);
    file.extend_from_slice(&(start as u16).to_le_bytes());
    file.extend_from_slice(bytes);
    file
}

/// Splits a program file into load address and bytes.
pub fn read(file: &[u8]) -> Result<(u16, &[u8]), PrgError> {
    match file {
        [low, high, bytes @ ..] => Ok((u16::from_le_bytes([*low, *high]), bytes)),
        _ => Err(PrgError::TooShort(file.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let file = write(0x0801, &[1, 2]);
        assert_eq!(file, [0x01, 0x08, 1, 2]);
        assert_eq!(read(&file), Ok((0x0801, &[1, 2][..])));
        assert_eq!(read(&[7]), Err(PrgError::TooShort(1)));
        assert_eq!(write(0x10000, &[9]), [0, 0, 9]);
    }
}
