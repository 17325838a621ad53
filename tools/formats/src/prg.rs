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

/// The number after `SYS` in the first BASIC line of a program, if it begins with one.
pub fn sys(addr: u16, bytes: &[u8]) -> Option<u16> {
    const BASIC: u16 = 0x0801;
    const SYS: u8 = 0x9e;
    if addr != BASIC {
        return None;
    }
    // Link, line number, statement.
    let line = bytes.get(4..)?;
    let statement = line.strip_prefix(&[SYS]).or_else(|| {
        let end = line.iter().position(|&byte| byte == 0)?;
        let at = line[..end].iter().position(|&byte| byte == SYS)?;
        Some(&line[at + 1..])
    })?;
    let digits: String = statement
        .iter()
        .skip_while(|&&byte| byte == b' ' || byte == b'(')
        .take_while(|byte| byte.is_ascii_digit())
        .map(|&byte| char::from(byte))
        .collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_sys_of_a_basic_line() {
        let file = [0x0b, 0x08, 0x0a, 0x00, 0x9e, b'4', b'0', b'9', b'6', 0, 0, 0];
        assert_eq!(sys(0x0801, &file), Some(4096));
        assert_eq!(sys(0x0800, &file), None);
        let spaced = [0x0d, 0x08, 0x0a, 0x00, 0x9e, b' ', b'(', b'2', b'0', b'6', b'2', b')', 0, 0, 0];
        assert_eq!(sys(0x0801, &spaced), Some(2062));
        let other = [0x0b, 0x08, 0x0a, 0x00, 0x99, b'4', 0, 0, 0];
        assert_eq!(sys(0x0801, &other), None);
    }

    #[test]
    fn what_was_written_is_read() {
        let file = write(0x0801, &[1, 2]);
        assert_eq!(file, [0x01, 0x08, 1, 2]);
        assert_eq!(read(&file), Ok((0x0801, &[1, 2][..])));
        assert_eq!(read(&[7]), Err(PrgError::TooShort(1)));
        assert_eq!(write(0x10000, &[9]), [0, 0, 9]);
    }
}
