//! Bytes as protocols write them in JSON: the 64 characters of RFC 4648, padded.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let value = word >> (18 - 6 * digit) & 63;
            text.push(if digit <= chunk.len() { DIGITS[value as usize] as char } else { '=' });
        }
    }
    text
}

/// The bytes of a text; `None` if it is not one of bytes.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.trim_end_matches('=').bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::new();
    for chunk in digits.chunks(4) {
        let mut word = 0_u32;
        for &digit in chunk {
            word = word << 6 | DIGITS.iter().position(|&known| known == digit)? as u32;
        }
        word <<= 6 * (4 - chunk.len());
        bytes.extend_from_slice(&word.to_be_bytes()[1..chunk.len()]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for len in 0..9_u8 {
            let bytes: Vec<u8> = (0..len).map(|n| n.wrapping_mul(77).wrapping_add(200)).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
        assert_eq!(encode(b"tempo"), "dGVtcG8=");
        assert_eq!(decode("a"), None);
        assert_eq!(decode("a$=="), None);
    }
}
