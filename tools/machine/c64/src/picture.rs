//! Pictures of the screen as PNG with a palette, and how two of them differ.

use std::io::Cursor;

use tempo_emu::c64::{Board, WIDTH};
use thiserror::Error;

/// Pepto's colours, by number.
pub const PALETTE: [[u8; 3]; 16] = [
    [0x00, 0x00, 0x00],
    [0xff, 0xff, 0xff],
    [0x68, 0x37, 0x2b],
    [0x70, 0xa4, 0xb2],
    [0x6f, 0x3d, 0x86],
    [0x58, 0x8d, 0x43],
    [0x35, 0x28, 0x79],
    [0xb8, 0xc7, 0x6f],
    [0x6f, 0x4f, 0x25],
    [0x43, 0x39, 0x00],
    [0x9a, 0x67, 0x59],
    [0x44, 0x44, 0x44],
    [0x6c, 0x6c, 0x6c],
    [0x9a, 0xd2, 0x84],
    [0x6c, 0x5e, 0xb5],
    [0x95, 0x95, 0x95],
];

/// Why a file is not such a picture.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// It cannot be decoded.
    #[error("not a PNG: {0}")]
    Decoding(#[from] png::DecodingError),
    /// It cannot be encoded.
    #[error("cannot encode the picture: {0}")]
    Encoding(#[from] png::EncodingError),
    /// A film cannot be encoded.
    #[error("cannot encode the film: {0}")]
    Film(#[from] gif::EncodingError),
    /// Colours that are not the C64's numbers.
    #[error("a screenshot has a palette of 16 colours, 8 bits a pixel; this PNG has other pixels")]
    Pixels,
    /// Larger than any screen.
    #[error("{0}x{1} pixels are no screen of a C64")]
    Size(u32, u32),
}

/// A picture: a colour number per pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row.
    pub pixels: Vec<u8>,
}

/// How two pictures differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PixelDifference {
    /// How many pixels.
    pub count: usize,
    /// The first of them, column and row.
    pub first: (usize, usize),
    /// The colours there, expected and got.
    pub colours: (u8, u8),
}

impl Picture {
    /// The last complete picture of a machine.
    pub fn of(board: &Board) -> Picture {
        let pixels = board.picture().to_vec();
        Picture { width: WIDTH, height: pixels.len() / WIDTH, pixels }
    }

    /// The bytes of a PNG whose index i is colour i.
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(PALETTE.as_flattened());
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Reads what [`Picture::to_png`] writes.
    pub fn from_png(bytes: &[u8]) -> Result<Picture, PictureError> {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info()?;
        let info = reader.info();
        let (width, height) = (info.width, info.height);
        if width > 1024 || height > 1024 {
            return Err(PictureError::Size(width, height));
        }
        if info.color_type != png::ColorType::Indexed || info.bit_depth != png::BitDepth::Eight {
            return Err(PictureError::Pixels);
        }
        let mut pixels = vec![0; width as usize * height as usize];
        reader.next_frame(&mut pixels)?;
        if pixels.iter().any(|&pixel| pixel > 15) {
            return Err(PictureError::Pixels);
        }
        Ok(Picture { width: width as usize, height: height as usize, pixels })
    }

    /// How another picture differs from this, the expected one; `None` if it does not. Sizes must be equal.
    pub fn difference(&self, got: &Picture) -> Option<PixelDifference> {
        let mut differing =
            self.pixels.iter().zip(&got.pixels).enumerate().filter(|(_, (mine, theirs))| mine != theirs);
        let (at, (&mine, &theirs)) = differing.next()?;
        Some(PixelDifference {
            count: 1 + differing.count(),
            first: (at % self.width, at / self.width),
            colours: (mine, theirs),
        })
    }

    /// Where another picture differs: those pixels white, the others black, or dark grey where this one is not black.
    #[must_use]
    pub fn marked(&self, got: &Picture) -> Picture {
        let pixels = self.pixels.iter().zip(&got.pixels).map(|(mine, theirs)| match (mine == theirs, mine) {
            (false, _) => 1,
            (true, 0) => 0,
            (true, _) => 11,
        });
        Picture { pixels: pixels.collect(), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn a_png_is_read_back_and_compared() {
        let picture = Picture { width: 4, height: 2, pixels: vec![0, 1, 2, 3, 4, 5, 14, 15] };
        let read = Picture::from_png(&picture.to_png().unwrap()).unwrap();
        assert_eq!(read, picture);
        assert_eq!(picture.difference(&read), None);
        let mut other = picture.clone();
        other.pixels[5] = 6;
        other.pixels[7] = 0;
        let difference = PixelDifference { count: 2, first: (1, 1), colours: (5, 6) };
        assert_eq!(picture.difference(&other), Some(difference));
        assert_eq!(picture.marked(&other).pixels, [0, 11, 11, 11, 11, 1, 11, 1]);
        assert!(matches!(Picture::from_png(b"no"), Err(PictureError::Decoding(_))));
    }
}
