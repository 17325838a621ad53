//! The file of a snapshot: memory as text that a person can read in a change.
//! Offsets count from the start of the range, so a program that moves does not change it.

use tempo_diagnostics::hex_bytes;

use crate::ast::Encoding;

/// Bytes in a line.
const WIDTH: usize = 16;

/// Whether a snapshot can keep this many bytes from an address, or why not.
pub fn check_range(from: i64, count: i64) -> Result<(), String> {
    match count {
        ..1 => Err(format!("a snapshot of {count} bytes keeps nothing")),
        _ if count > 0x10000 - from => Err(format!("{count} bytes from ${from:04X} run past $FFFF")),
        _ => Ok(()),
    }
}

/// The text of a snapshot.
pub fn write(bytes: &[u8], encoding: Encoding) -> String {
    let mut out = String::new();
    for (line, chunk) in bytes.chunks(WIDTH).enumerate() {
        let hex = hex_bytes(chunk);
        let text: String = chunk.iter().map(|&byte| shown(byte, encoding)).collect();
        out.push_str(&format!("{:04X}: {hex:<48} |{text}|\n", line * WIDTH));
    }
    out
}

/// The bytes of a snapshot; the text after the bar is for people.
pub fn read(file: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(file).map_err(|_| "it is not text".to_string())?;
    let mut bytes = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fault = || format!("line {} is not a line of a snapshot", number + 1);
        let (offset, rest) = line.split_once(':').ok_or_else(fault)?;
        if usize::from_str_radix(offset.trim(), 16).ok() != Some(bytes.len()) {
            return Err(fault());
        }
        let hex = rest.split('|').next().unwrap_or_default();
        for word in hex.split_whitespace() {
            bytes.push(u8::from_str_radix(word, 16).map_err(|_| fault())?);
        }
        if bytes.len() > 0x10000 {
            return Err("it has more bytes than memory".to_string());
        }
    }
    Ok(bytes)
}

/// A byte as a character of its encoding; a dot if it has none.
pub fn shown(byte: u8, encoding: Encoding) -> char {
    match encoding {
        Encoding::Ascii => Some(char::from(byte)).filter(|c| (' '..='~').contains(c)),
        Encoding::Petscii => tempo_c64::petscii_char(byte, false),
        Encoding::Screen => Some(tempo_emu::c64::screen_char(byte, false)),
    }
    .unwrap_or('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn what_is_written_is_read() {
        let bytes: Vec<u8> = (0..=255).chain(0..10).collect();
        for encoding in [Encoding::Ascii, Encoding::Petscii, Encoding::Screen] {
            assert_eq!(read(write(&bytes, encoding).as_bytes()), Ok(bytes.clone()));
        }
        assert_eq!(write(&[8, 9, 0x81], Encoding::Screen), format!("0000: {:<48} |HIA|\n", "08 09 81"));
        assert_eq!(read(b""), Ok(vec![]));
        for bad in ["0000 01", "0001: 01", "0000: xy", "0000: 1FF"] {
            assert!(read(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
