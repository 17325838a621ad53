//! Pictures as programs use them: RGB pixels from PNG, GIF or JPEG, and bytes of a C64 bitmap made from them.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};
use thiserror::Error;

/// A decoded picture. `pixels` holds `width * height` values of 24 bits, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PictureError {
    #[error("not a PNG, GIF or JPEG picture")]
    UnknownFormat,
    #[error("the picture cannot be decoded: {0}")]
    Broken(String),
}

/// How many screen pixels one bit pattern covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Eight patterns of one bit.
    Single,
    /// Four patterns of two bits, from every second pixel.
    Multi,
}

/// Larger than any sheet of C64 graphics; a hostile header must not ask for gigabytes.
const MAX_SIDE: u32 = 16_384;
const MAX_BYTES: u64 = 256 << 20;

/// Decodes a picture of any of the three formats, told apart by content. Transparency is ignored.
pub fn decode(file: &[u8]) -> Result<Picture, PictureError> {
    let format = image::guess_format(file).map_err(|_| PictureError::UnknownFormat)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Gif | ImageFormat::Jpeg) {
        return Err(PictureError::UnknownFormat);
    }
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let image = reader.decode().map_err(|err| PictureError::Broken(err.to_string()))?.into_rgb8();
    let (width, height) = image.dimensions();
    let pixels = image.pixels().map(|pixel| {
        let [red, green, blue] = pixel.0;
        u32::from_be_bytes([0, red, green, blue])
    });
    Ok(Picture { width, height, pixels: pixels.collect() })
}

impl Picture {
    /// The colour of a pixel inside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<u32> {
        if x >= self.width || y >= self.height {
            return None;
        }
        self.pixels.get(y as usize * self.width as usize + x as usize).copied()
    }

    /// The colours in order of first appearance, row by row: the table when the source gives none.
    /// Stops at 256; a bit pattern tells at most four apart by the low bits of the index.
    pub fn colours(&self) -> Vec<u32> {
        let mut table: Vec<u32> = Vec::new();
        for colour in &self.pixels {
            if !table.contains(colour) {
                table.push(*colour);
                if table.len() == 256 {
                    break;
                }
            }
        }
        table
    }

    /// The bitmap byte at a column of eight pixels. A pattern is the index of the colour in the table, cut to the
    /// bits of the mode; a colour that is not in the table gives 0, and so do pixels beyond the right edge.
    pub fn byte(&self, column: u32, y: u32, table: &[u32], mode: Mode) -> u8 {
        let (step, bits) = match mode {
            Mode::Single => (1, 1),
            Mode::Multi => (2, 2),
        };
        let mut byte = 0u8;
        for x in (0..8).step_by(step) {
            let colour = self.pixel(column.saturating_mul(8).saturating_add(x), y);
            let index =
                colour.and_then(|colour| table.iter().position(|entry| *entry == colour)).unwrap_or(0);
            byte = byte << bits | (index as u8 & ((1 << bits) - 1));
        }
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_follow_the_table() {
        let row = [0, 1, 0, 1, 2, 2, 3, 3].map(|n| n * 0x10101);
        let picture = Picture { width: 8, height: 1, pixels: row.to_vec() };
        let table = picture.colours();
        assert_eq!(table, [0, 0x10101, 0x20202, 0x30303]);
        assert_eq!(picture.byte(0, 0, &table, Mode::Single), 0b0101_0011);
        assert_eq!(picture.byte(0, 0, &table, Mode::Multi), 0b00_00_10_11);
        assert_eq!(picture.byte(0, 0, &[7, 0x10101], Mode::Single), 0b0101_0000);
        assert_eq!(picture.byte(1, 0, &table, Mode::Single), 0);
        assert_eq!(picture.pixel(8, 0), None);
    }

    #[test]
    fn other_bytes_are_no_picture() {
        assert_eq!(decode(b"BM"), Err(PictureError::UnknownFormat));
        assert!(matches!(decode(b"\x89PNG\r\n\x1a\n"), Err(PictureError::Broken(_))));
    }

    #[test]
    fn a_hostile_size_is_refused() {
        let mut gif = b"GIF89a\xff\xff\xff\xff\x00\x00\x00,\0\0\0\0\xff\xff\xff\xff\0\x02".to_vec();
        gif.extend([0; 16]);
        assert!(matches!(decode(&gif), Err(PictureError::Broken(_))));
    }
}
