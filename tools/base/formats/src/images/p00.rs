//! `.p00`: one file, with the name that it has on a C64.

use super::{Container, Image, ImageError, entry, padded};
use crate::d64::Kind;

pub(super) const SIGNATURE: &[u8] = b"C64File\0";

/// Signature, name, a zero and the size of records.
const HEADER: usize = 26;

/// Reads the file; the first letter of the extension is its type.
pub(super) fn read(extension: &str, bytes: &[u8]) -> Result<Image, ImageError> {
    let contents = bytes.get(HEADER..).ok_or(ImageError::EndsEarly("its header has 26 bytes"))?;
    let kind = match extension.bytes().next().map(|letter| letter.to_ascii_lowercase()) {
        Some(b's') => Kind::Seq,
        Some(b'u') => Kind::Usr,
        Some(b'r') => Kind::Rel,
        Some(b'd') => Kind::Del,
        _ => Kind::Prg,
    };
    let name = padded(&bytes[8..24]);
    Ok(Image::from_files(Container::P00, String::new(), vec![entry(name, kind, Ok(contents.to_vec()))]))
}
