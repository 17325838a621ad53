//! Pictures of the screen as PNG with a palette, and how two of them differ.

use std::io::Cursor;

use tempo_emu::AnyComputer;
use tempo_emu::c64::PALETTE;
use thiserror::Error;

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
    /// Colours that are not the machine's numbers.
    #[error("a screenshot has a palette of {0} colours, 8 bits a pixel; this PNG has other pixels")]
    Pixels(usize),
    /// Larger than any screen.
    #[error("{0}x{1} pixels are larger than any screen")]
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
    /// The colours by number, as red, green and blue.
    pub palette: &'static [[u8; 3]],
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
    pub fn of(machine: &AnyComputer) -> Picture {
        let shown = machine.picture();
        Picture {
            width: shown.width,
            height: shown.height(),
            pixels: shown.pixels.to_vec(),
            palette: machine.palette(),
        }
    }

    /// The picture of a machine as its screen shows it now: on a C64 up to the beam what is being drawn, below it the
    /// last complete one.
    pub fn at_beam(machine: &AnyComputer) -> Picture {
        let complete = Picture::of(machine);
        match machine.c64() {
            Some(c64) => Picture { pixels: c64.board.picture_at_beam(), ..complete },
            None => complete,
        }
    }

    /// The bytes of a PNG whose index i is colour i.
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(self.palette.as_flattened());
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Reads what [`Picture::to_png`] writes for a machine with these colours.
    pub fn from_png(bytes: &[u8], palette: &'static [[u8; 3]]) -> Result<Picture, PictureError> {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info()?;
        let info = reader.info();
        let (width, height) = (info.width, info.height);
        if width > 1024 || height > 1024 {
            return Err(PictureError::Size(width, height));
        }
        if info.color_type != png::ColorType::Indexed || info.bit_depth != png::BitDepth::Eight {
            return Err(PictureError::Pixels(palette.len()));
        }
        let mut pixels = vec![0; width as usize * height as usize];
        reader.next_frame(&mut pixels)?;
        if pixels.iter().any(|&pixel| usize::from(pixel) >= palette.len()) {
            return Err(PictureError::Pixels(palette.len()));
        }
        Ok(Picture { width: width as usize, height: height as usize, pixels, palette })
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

    /// Where another picture differs, in the colours of a C64: those pixels white, the others black, or dark grey where this
    /// one is not black.
    #[must_use]
    pub fn marked(&self, got: &Picture) -> Picture {
        let pixels = self.pixels.iter().zip(&got.pixels).map(|(mine, theirs)| match (mine == theirs, mine) {
            (false, _) => 1,
            (true, 0) => 0,
            (true, _) => 11,
        });
        Picture { pixels: pixels.collect(), palette: &PALETTE, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn a_png_is_read_back_and_compared() {
        let picture =
            Picture { width: 4, height: 2, pixels: vec![0, 1, 2, 3, 4, 5, 14, 15], palette: &PALETTE };
        let read = Picture::from_png(&picture.to_png().unwrap(), &PALETTE).unwrap();
        assert_eq!(read, picture);
        let two = &[[0; 3], [255; 3]];
        assert!(matches!(Picture::from_png(&picture.to_png().unwrap(), two), Err(PictureError::Pixels(2))));
        assert_eq!(picture.difference(&read), None);
        let mut other = picture.clone();
        other.pixels[5] = 6;
        other.pixels[7] = 0;
        let difference = PixelDifference { count: 2, first: (1, 1), colours: (5, 6) };
        assert_eq!(picture.difference(&other), Some(difference));
        assert_eq!(picture.marked(&other).pixels, [0, 11, 11, 11, 11, 1, 11, 1]);
        assert!(matches!(Picture::from_png(b"no", &PALETTE), Err(PictureError::Decoding(_))));
    }
}
