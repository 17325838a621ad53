//! Pictures as programs use them: RGB pixels from PNG, GIF or JPEG, and bytes of a C64 bitmap made from them.

use std::collections::HashSet;

use thiserror::Error;

/// A decoded picture. `pixels` holds `width * height` values of 24 bits, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green and blue in bits 16 to 23, 8 to 15 and 0 to 7.
    pub pixels: Vec<u32>,
}

/// Why a picture cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The file begins like none of the three formats.
    #[error("not a PNG, GIF or JPEG picture")]
    UnknownFormat,
    /// The decoder gave up, for this reason.
    #[error("the picture cannot be decoded: {0}")]
    Broken(String),
    /// The header asks for more pixels than are allowed; nothing was decoded.
    #[error("{width} by {height} pixels are more than {most}")]
    TooLarge {
        /// Pixels of a line.
        width: u64,
        /// Lines.
        height: u64,
        /// How many pixels are allowed.
        most: u64,
    },
    /// The crate was built without the feature `pictures`.
    #[error("this build has no decoders for pictures (feature `pictures`)")]
    NoDecoder,
}

/// How many screen pixels one bit pattern covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Eight patterns of one bit.
    Single,
    /// Four patterns of two bits, from every second pixel.
    Multi,
}

/// Decodes a picture of any of the three formats, told apart by content. Transparency is ignored. Without the feature
/// `pictures` every picture is refused.
pub fn decode(file: &[u8]) -> Result<Picture, PictureError> {
    decode_within(file, MAX_PIXELS)
}

/// Larger than any sheet of C64 graphics; a hostile header must not ask for gigabytes.
const MAX_PIXELS: u64 = 1 << 26;

/// The same, but a picture of more than `most` pixels is refused by its header.
pub fn decode_within(file: &[u8], most: u64) -> Result<Picture, PictureError> {
    let most = most.min(MAX_PIXELS);
    let decoder = if file.starts_with(b"\x89PNG\r\n\x1a\n") {
        decoders::decode_png
    } else if file.starts_with(b"GIF8") {
        decoders::decode_gif
    } else if file.starts_with(&[0xff, 0xd8, 0xff]) {
        decoders::decode_jpeg
    } else {
        return Err(PictureError::UnknownFormat);
    };
    decoder(file, most)
}

#[cfg(not(feature = "pictures"))]
mod decoders {
    use super::{Picture, PictureError};

    pub fn decode_png(_: &[u8], _: u64) -> Result<Picture, PictureError> {
        Err(PictureError::NoDecoder)
    }

    pub use decode_png as decode_gif;
    pub use decode_png as decode_jpeg;
}

#[cfg(feature = "pictures")]
mod decoders {
    use std::io::Cursor;

    use zune_core::bytestream::ZCursor;
    use zune_core::colorspace::ColorSpace;
    use zune_core::options::DecoderOptions;

    use super::{Picture, PictureError};

    /// The largest side that cannot alone exceed the limit of pixels by much.
    const MAX_SIDE: usize = 1 << 15;

    fn broken(err: impl std::fmt::Display) -> PictureError {
        PictureError::Broken(err.to_string())
    }

    fn check_size(width: u64, height: u64, most: u64) -> Result<(), PictureError> {
        match width.saturating_mul(height) > most {
            true => Err(PictureError::TooLarge { width, height, most }),
            false => Ok(()),
        }
    }

    fn rgb(red: u8, green: u8, blue: u8) -> u32 {
        u32::from_be_bytes([0, red, green, blue])
    }

    /// Java takes most greys, and what it makes of four inks, for linear ones and converts them to the curve of the
    /// others.
    fn from_linear(linear: f64) -> u8 {
        let curved = match linear {
            low if low <= 0.003_130_8 => low * 12.92,
            high => 1.055 * high.powf(1.0 / 2.4) - 0.055,
        };
        (curved * 255.0).round() as u8
    }

    /// Pixels of bytes that are linear.
    fn linear_pixels(bytes: &[u8]) -> Vec<u32> {
        let curve: Vec<u8> = (0..=255).map(|byte| from_linear(f64::from(byte) / 255.0)).collect();
        let curved = |byte: u8| curve[usize::from(byte)];
        bytes.chunks_exact(3).map(|p| rgb(curved(p[0]), curved(p[1]), curved(p[2]))).collect()
    }

    pub fn decode_png(file: &[u8], most: u64) -> Result<Picture, PictureError> {
        let mut decoder = png::Decoder::new(Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(broken)?;
        check_size(reader.info().width.into(), reader.info().height.into(), most)?;
        let size = reader.output_buffer_size().ok_or_else(|| broken("it is too large"))?;
        let mut bytes = vec![0; size];
        let frame = reader.next_frame(&mut bytes).map_err(broken)?;
        let bytes = &bytes[..frame.buffer_size()];
        let info = reader.info();
        let is_wide = frame.bit_depth == png::BitDepth::Sixteen;
        let width = if is_wide { 2 } else { 1 };
        // A sample of a pixel; one of 16 bits is rounded.
        let sample = |pixel: &[u8], index: usize| match is_wide {
            true => u32::from(pixel[2 * index]) << 8 | u32::from(pixel[2 * index + 1]),
            false => pixel[index].into(),
        };
        let byte = |sample: u32| if is_wide { ((sample * 255 + 32767) / 65535) as u8 } else { sample as u8 };
        // Greys of fewer bits are a palette for Java, unless one of them is transparent.
        let is_linear =
            matches!(info.bit_depth, png::BitDepth::Eight | png::BitDepth::Sixteen) || info.trns.is_some();
        let most = if is_wide { 65535.0 } else { 255.0 };
        let grey = |pixel: &[u8]| {
            let sample = sample(pixel, 0);
            let grey = if is_linear { from_linear(f64::from(sample) / most) } else { byte(sample) };
            rgb(grey, grey, grey)
        };
        let colour =
            |pixel: &[u8]| rgb(byte(sample(pixel, 0)), byte(sample(pixel, 1)), byte(sample(pixel, 2)));
        let pixels = |samples: usize| bytes.chunks_exact(samples * width);
        let pixels = match frame.color_type {
            png::ColorType::Grayscale => pixels(1).map(grey).collect(),
            png::ColorType::GrayscaleAlpha => pixels(2).map(grey).collect(),
            png::ColorType::Rgb => pixels(3).map(colour).collect(),
            png::ColorType::Rgba => pixels(4).map(colour).collect(),
            png::ColorType::Indexed => return Err(broken("its palette was not expanded")),
        };
        Ok(Picture { width: frame.width, height: frame.height, pixels })
    }

    pub fn decode_gif(file: &[u8], most: u64) -> Result<Picture, PictureError> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        options.check_frame_consistency(true);
        let mut decoder = options.read_info(file).map_err(broken)?;
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        check_size(width as u64, height as u64, most)?;
        let mut pixels = vec![0; width * height];
        // The first frame, which may cover a part of the picture only.
        let frame = decoder.read_next_frame().map_err(broken)?.ok_or_else(|| broken("it has no frame"))?;
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let line = usize::from(frame.width);
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (left + index % line, top + index / line);
            if x < width && y < height {
                pixels[y * width + x] = rgb(pixel[0], pixel[1], pixel[2]);
            }
        }
        Ok(Picture { width: width as u32, height: height as u32, pixels })
    }

    pub fn decode_jpeg(file: &[u8], most: u64) -> Result<Picture, PictureError> {
        // Usual pictures as the Java runtime decodes them, to the bit.
        if let Some(decoded) = crate::jpeg::decode(file, most) {
            let pixels = match decoded.is_grey {
                true => linear_pixels(&decoded.rgb),
                false => decoded.rgb.chunks_exact(3).map(|p| rgb(p[0], p[1], p[2])).collect(),
            };
            return Ok(Picture { width: decoded.width as u32, height: decoded.height as u32, pixels });
        }
        let options = DecoderOptions::default()
            .jpeg_set_out_colorspace(ColorSpace::RGB)
            .set_max_width(MAX_SIDE)
            .set_max_height(MAX_SIDE);
        let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(file), options);
        decoder.decode_headers().map_err(broken)?;
        let info = decoder.info().ok_or_else(|| broken("it has no header"))?;
        check_size(info.width.into(), info.height.into(), most)?;
        let bytes = decoder.decode().map_err(broken)?;
        let pixels = match info.components {
            3 => bytes.chunks_exact(3).map(|p| rgb(p[0], p[1], p[2])).collect(),
            _ => linear_pixels(&bytes),
        };
        Ok(Picture { width: info.width.into(), height: info.height.into(), pixels })
    }
}

impl Picture {
    /// The colour of a pixel inside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<u32> {
        if x >= self.width || y >= self.height {
            return None;
        }
        self.pixels.get(y as usize * self.width as usize + x as usize).copied()
    }

    /// Black, then the other colours in the order of their first pixels: the table when the source gives none.
    pub fn colours(&self) -> Vec<u32> {
        let mut table = vec![0];
        let mut seen: HashSet<u32> = [0].into();
        // Beside a pixel there is mostly one of its colour.
        let changes = self.pixels.chunk_by(|a, b| a == b).map(|run| run[0]);
        table.extend(changes.filter(|colour| seen.insert(*colour)));
        table
    }

    /// The bitmap byte at a column of eight pixels. A pattern is the index of the colour in the table, cut to the
    /// bits of the mode; a colour that is not in the table gives 0. Pixels beyond the right edge are black.
    pub fn byte(&self, column: u32, y: u32, table: &[u32], mode: Mode) -> u8 {
        let (step, bits) = match mode {
            Mode::Single => (1, 1),
            Mode::Multi => (2, 2),
        };
        let mut byte = 0u8;
        for x in (0..8).step_by(step) {
            let colour = self.pixel(column.saturating_mul(8).saturating_add(x), y).unwrap_or(0);
            let index = table.iter().position(|entry| *entry == colour).unwrap_or(0);
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
        assert_eq!(picture.byte(1, 0, &[0x10101, 0], Mode::Single), 0xff);
        assert_eq!(picture.pixel(8, 0), None);
    }

    #[test]
    fn other_bytes_are_no_picture() {
        assert_eq!(decode(b"BM"), Err(PictureError::UnknownFormat));
        let empty = decode(b"\x89PNG\r\n\x1a\n");
        match cfg!(feature = "pictures") {
            true => assert!(matches!(empty, Err(PictureError::Broken(_)))),
            false => assert_eq!(empty, Err(PictureError::NoDecoder)),
        }
    }

    #[test]
    fn colours_without_a_table_are_black_and_those_that_appear() {
        let picture = Picture { width: 3, height: 1, pixels: vec![0xffffff, 0x10000, 0xffffff] };
        assert_eq!(picture.colours(), [0, 0xffffff, 0x10000]);
    }

    #[cfg(feature = "pictures")]
    /// Two pixels, red and blue, as a GIF with a palette of two colours.
    const RED_BLUE: &[u8] =
        b"GIF89a\x02\0\x01\0\x80\0\0\xff\0\0\0\0\xff,\0\0\0\0\x02\0\x01\0\0\x02\x02\x44\x0a\0;";

    #[cfg(feature = "pictures")]
    #[test]
    fn gif_pixels_come_through_the_palette() {
        let picture = decode(RED_BLUE).unwrap();
        assert_eq!((picture.width, picture.height, &picture.pixels[..]), (2, 1, &[0xff0000, 0x0000ff][..]));
    }

    #[cfg(feature = "pictures")]
    #[test]
    fn pixels_are_those_of_java() {
        let folder = tempo_testing::fixtures().join("java-pictures");
        let files =
            ["png", "gif", "jpg"].map(|extension| tempo_testing::files_with_extension(&folder, extension));
        let files = files.concat();
        assert!(files.len() >= 25, "{} pictures", files.len());
        for path in files {
            let picture = decode(&tempo_testing::bytes(&path)).expect("a picture that Java decodes");
            let mut written = format!("P6\n{} {}\n255\n", picture.width, picture.height).into_bytes();
            picture.pixels.iter().for_each(|pixel| written.extend(&pixel.to_be_bytes()[1..]));
            assert!(
                written == tempo_testing::bytes(&path.with_extension("ppm")),
                "{} differs",
                path.display()
            );
        }
    }

    #[cfg(feature = "pictures")]
    #[test]
    fn cut_and_hostile_files_are_refused() {
        for length in 4..RED_BLUE.len() - 2 {
            // The decoder may forgive a missing end, but must not panic.
            let _ = decode(&RED_BLUE[..length]);
        }
        let mut huge = RED_BLUE.to_vec();
        huge[6..10].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
        assert!(matches!(decode(&huge), Err(PictureError::TooLarge { .. })));
        assert!(matches!(decode(&[0xff, 0xd8, 0xff, 0xe0, 0, 2]), Err(PictureError::Broken(_))));
    }
}
