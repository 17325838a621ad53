//! Pictures of pixels as characters or sprites. A pixel has the colour of the palette that is nearest to its own.

use std::collections::HashMap;

use thiserror::Error;

use super::spritepad::{self, SPRITE};
use super::{Asset, Format};
use crate::picture::Picture;

/// The form that a picture is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Characters of 8 by 8 pixels, a screen of their numbers, and a colour for each cell.
    Characters,
    /// Sprites of 24 by 21 pixels.
    Sprites,
}

/// How a picture is converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion<'p> {
    /// The form.
    pub target: Target,
    /// Whether two pixels make one, in four colours.
    pub is_multicolour: bool,
    /// The shared colours: background, multicolour 1, multicolour 2. Those that are not given are the most frequent ones.
    pub colours: Vec<u8>,
    /// Red, green and blue of the machine's colours.
    pub palette: &'p [[u8; 3]],
}

/// Why a picture cannot be converted.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// The size is not one of whole cells.
    #[error("{width} by {height} pixels are not whole {what}, of {cell_width} by {cell_height}")]
    Size {
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Characters or sprites.
        what: &'static str,
        /// Pixels in a row of one.
        cell_width: u32,
        /// Rows of one.
        cell_height: u32,
    },
    /// A cell has more colours than it can show.
    #[error("the {what} at x {x}, y {y} has {count} colours beside the shared ones; 1 is possible")]
    Colours {
        /// Character or sprite.
        what: &'static str,
        /// Its first pixel.
        x: u32,
        /// Its first row.
        y: u32,
        /// How many there are.
        count: usize,
    },
    /// Multicolour characters have their own colour from the first eight.
    #[error("the character at x {x}, y {y} has colour {colour}; multicolour characters can have 0 to 7")]
    HighColour {
        /// Its first pixel.
        x: u32,
        /// Its first row.
        y: u32,
        /// The colour.
        colour: u8,
    },
    /// A charset has 256 characters.
    #[error("the picture needs {0} characters; 256 is the most")]
    TooManyCharacters(usize),
    /// A colour that is not one of the palette.
    #[error("colour {0} does not exist")]
    NoColour(u8),
}

/// Converts a picture.
pub fn convert(picture: &Picture, how: &Conversion<'_>) -> Result<Asset, ConversionError> {
    let (what, cell_width, cell_height) = match how.target {
        Target::Characters => ("characters", 8, 8),
        Target::Sprites => ("sprites", 24, 21),
    };
    let Picture { width, height, .. } = *picture;
    if width == 0 || height == 0 || width % cell_width != 0 || height % cell_height != 0 {
        return Err(ConversionError::Size { width, height, what, cell_width, cell_height });
    }
    if let Some(&colour) = how.colours.iter().find(|&&colour| usize::from(colour) >= how.palette.len()) {
        return Err(ConversionError::NoColour(colour));
    }
    let cells = Cells::new(picture, how, (cell_width, cell_height));
    match how.target {
        Target::Characters => cells.characters(),
        Target::Sprites => cells.sprites(),
    }
}

/// A picture in colours of the machine, cut into cells.
struct Cells {
    pixels: Vec<u8>,
    width: u32,
    height: u32,
    cell: (u32, u32),
    is_multicolour: bool,
    /// Background and, in multicolour, the two others.
    shared: Vec<u8>,
}

impl Cells {
    fn new(picture: &Picture, how: &Conversion<'_>, cell: (u32, u32)) -> Cells {
        let mut nearest: HashMap<u32, u8> = HashMap::new();
        let mut counts = vec![0usize; how.palette.len()];
        let step = if how.is_multicolour { 2 } else { 1 };
        let pixels: Vec<u8> = picture
            .pixels
            .iter()
            .enumerate()
            .map(|(index, &rgb)| {
                let colour = *nearest.entry(rgb).or_insert_with(|| nearest_colour(rgb, how.palette));
                counts[usize::from(colour)] += usize::from(index % step == 0);
                colour
            })
            .collect();
        let mut frequent: Vec<u8> = (0..counts.len() as u8).collect();
        // The lower number first where two are equally frequent.
        frequent.sort_by_key(|&colour| std::cmp::Reverse(counts[usize::from(colour)]));
        let mut shared = how.colours.clone();
        let wanted = if how.is_multicolour { 3 } else { 1 };
        shared.truncate(wanted);
        for colour in frequent {
            if shared.len() < wanted && !shared.contains(&colour) {
                shared.push(colour);
            }
        }
        let (width, height) = (picture.width, picture.height);
        Cells { pixels, width, height, cell, is_multicolour: how.is_multicolour, shared }
    }

    /// The first pixels of the cells, row by row.
    fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (width, height, (cell_width, cell_height)) = (self.width, self.height, self.cell);
        let rows = (0..height).step_by(cell_height as usize);
        rows.flat_map(move |y| (0..width).step_by(cell_width as usize).map(move |x| (x, y)))
    }

    /// The bits of a cell and its own colour, if it has one.
    fn bits(&self, (left, top): (u32, u32)) -> Result<(Vec<u8>, Option<u8>), ConversionError> {
        let (cell_width, cell_height) = self.cell;
        let step = if self.is_multicolour { 2 } else { 1 };
        let mut own: Vec<u8> = Vec::new();
        let mut bytes = Vec::new();
        for y in top..top + cell_height {
            for column in (left..left + cell_width).step_by(8) {
                let mut byte = 0u8;
                for x in (column..column + 8).step_by(step) {
                    let colour = self.pixels[(y * self.width + x) as usize];
                    let bits = match self.shared.iter().position(|&shared| shared == colour) {
                        Some(shared) => self.pattern(shared),
                        None => {
                            if !own.contains(&colour) {
                                own.push(colour);
                            }
                            self.own_pattern()
                        }
                    };
                    byte = byte << step | bits;
                }
                bytes.push(byte);
            }
        }
        if own.len() > 1 {
            let what = if cell_width == 8 { "character" } else { "sprite" };
            return Err(ConversionError::Colours { what, x: left, y: top, count: own.len() });
        }
        Ok((bytes, own.first().copied()))
    }

    /// The bits of a shared colour. In sprites multicolour 2 is %11, in characters %10.
    fn pattern(&self, shared: usize) -> u8 {
        match (shared, self.cell.0) {
            (2, 24) => 0b11,
            (shared, _) => shared as u8,
        }
    }

    /// The bits of the colour of a cell.
    fn own_pattern(&self) -> u8 {
        match (self.is_multicolour, self.cell.0) {
            (false, _) => 1,
            (true, 24) => 0b10,
            (true, _) => 0b11,
        }
    }

    fn characters(&self) -> Result<Asset, ConversionError> {
        let mut charset: Vec<u8> = Vec::new();
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let (mut screen, mut colours) = (Vec::new(), Vec::new());
        for place in self.places() {
            let (bits, own) = self.bits(place)?;
            let next = known.len();
            let number = *known.entry(bits).or_insert_with_key(|bits| {
                charset.extend_from_slice(bits);
                next
            });
            screen.push(number as u8);
            let colour = own.unwrap_or_default();
            if self.is_multicolour && colour > 7 {
                return Err(ConversionError::HighColour { x: place.0, y: place.1, colour });
            }
            // Bit 3 makes a character multicolour.
            colours.push(if self.is_multicolour { colour | 8 } else { colour });
        }
        if known.len() > 256 {
            return Err(ConversionError::TooManyCharacters(known.len()));
        }
        let mut asset = Asset::new(Format::Picture);
        asset.colours = self.shared.clone();
        asset.set("mode", self.is_multicolour.into());
        asset.set("chars", known.len() as u32);
        asset.set("mapWidth", self.width / 8);
        asset.set("mapHeight", self.height / 8);
        asset.put("Charset", 1, &charset);
        asset.put("Screen", 1, &screen);
        asset.put("Colours", 1, &colours);
        Ok(asset)
    }

    fn sprites(&self) -> Result<Asset, ConversionError> {
        let mut data = Vec::new();
        for place in self.places() {
            let (bits, own) = self.bits(place)?;
            data.extend(bits);
            data.push(own.unwrap_or_default() | if self.is_multicolour { 0x80 } else { 0 });
        }
        let mut asset = spritepad::empty(Format::Picture);
        asset.colours = self.shared.clone();
        asset.set("sprites", (data.len() / SPRITE) as u32);
        asset.put("Data", 1, &data);
        Ok(asset)
    }
}

fn nearest_colour(rgb: u32, palette: &[[u8; 3]]) -> u8 {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let distance = |colour: &[u8; 3]| {
        let parts = colour.iter().zip([red, green, blue]);
        parts.map(|(&a, b)| (i32::from(a) - i32::from(b)).pow(2)).sum::<i32>()
    };
    let nearest = (0..palette.len()).min_by_key(|&index| distance(&palette[index]));
    nearest.unwrap_or_default() as u8
}
