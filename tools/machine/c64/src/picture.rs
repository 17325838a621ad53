//! Pictures of the screen as PNG with a palette, and how two of them differ.

use std::io::Cursor;

use tempo_emu::c64::PALETTE;
use tempo_emu::{AnyComputer, Timing};
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

    /// The picture as a television of that time shows it: three rows for each, and as many columns as make its pixels square.
    /// By ITU-R BT.601 a square pixel lasts as long as a clock of 7.375 MHz at 50 Hz and of 135/22 MHz at 60 Hz; the machine
    /// draws eight in a cycle.
    #[must_use]
    pub fn as_on_television(&self, timing: Timing) -> Picture {
        let square = if timing.rate == 50 { 7_375_000 } else { 135_000_000 / 22 };
        let drawn = 8 * u64::from(timing.clock);
        let width = ((3 * self.width as u64 * square + drawn / 2) / drawn) as usize;
        let rows = self.pixels.chunks_exact(self.width).flat_map(|row| {
            let wide: Vec<u8> = (0..width).map(|x| row[(2 * x + 1) * self.width / (2 * width)]).collect();
            [wide.clone(), wide.clone(), wide]
        });
        Picture { width, height: 3 * self.height, pixels: rows.flatten().collect(), palette: self.palette }
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
    use tempo_emu::System;

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

    #[test]
    fn pixels_are_square_on_a_television() {
        // Pixels of PAL are 0.936 times as wide as high, those of NTSC three quarters.
        for (system, height, shape) in
            [(System::C64Pal, 272, (1078, 816)), (System::C64Ntsc, 247, (864, 741))]
        {
            let timing = system.computer().expect("a whole computer").timing();
            let mut pixels = vec![6; 384 * height];
            pixels[0] = 1;
            pixels[384 * height - 1] = 2;
            let shown = Picture { width: 384, height, pixels, palette: &PALETTE }.as_on_television(timing);
            assert_eq!((shown.width, shown.height), shape);
            assert_eq!((shown.pixels[0], shown.pixels[shown.pixels.len() - 1]), (1, 2));
            assert_eq!(
                shown.pixels.iter().filter(|&&pixel| pixel == 1).count(),
                9 - 3 * usize::from(shape.0 == 864)
            );
        }
    }
}
