//! A machine's picture in half blocks: a character shows two pixels, one above the other. Knows nothing of the machine.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use tempo_emu::Picture;

/// Columns and lines below which there is nothing to see.
pub const SMALLEST: (u16, u16) = (40, 15);

pub type Rgb = [u8; 3];

/// The largest width and height in pixels, the height even, with the picture's proportions in this many columns and lines.
pub fn fit(columns: u16, lines: u16, (across, height): (usize, usize)) -> (usize, usize) {
    let (columns, rows) = (usize::from(columns), 2 * usize::from(lines));
    let (width, shown) = match columns * height <= rows * across {
        true => (columns, columns * height / across),
        false => (rows * across / height, rows),
    };
    (width, shown & !1)
}

/// A picture and the colours of its numbers.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub picture: Picture<'a>,
    pub palette: &'static [Rgb],
}

/// Draws a picture in the middle of an area.
pub fn draw(image: Shown<'_>, area: Rect, has_true_colour: bool, buffer: &mut Buffer) {
    let (across, height) = (image.picture.width, image.picture.height());
    let (width, shown) = fit(area.width, area.height, (across, height));
    let (left, top) = ((usize::from(area.width) - width) / 2, (usize::from(area.height) - shown / 2) / 2);
    let colour = |x: usize, y: usize| {
        let columns = x * across / width..((x + 1) * across / width).max(x * across / width + 1);
        let rows = y * height / shown..((y + 1) * height / shown).max(y * height / shown + 1);
        let [red, green, blue] = average(image, columns, rows);
        if has_true_colour {
            Color::Rgb(red, green, blue)
        } else {
            Color::Indexed(indexed([red, green, blue]))
        }
    };
    for line in 0..shown / 2 {
        for x in 0..width {
            let place = (area.x + (left + x) as u16, area.y + (top + line) as u16);
            let cell = &mut buffer[place];
            cell.set_char('▀').set_fg(colour(x, 2 * line)).set_bg(colour(x, 2 * line + 1));
        }
    }
}

/// The mean colour of a rectangle.
fn average(image: Shown<'_>, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Rgb {
    let count = (columns.len() * rows.len()) as u32;
    let mut sums = [0u32; 3];
    let Picture { pixels, width } = image.picture;
    for row in rows {
        for &pixel in &pixels[row * width + columns.start..row * width + columns.end] {
            let colour = image.palette[usize::from(pixel) % image.palette.len()];
            sums.iter_mut().zip(colour).for_each(|(sum, part)| *sum += u32::from(part));
        }
    }
    sums.map(|sum| (sum / count) as u8)
}

/// The nearest of the 256 colours of a terminal, of which 216 are a cube and 24 are greys; the first 16 are anyone's.
fn indexed(colour: Rgb) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest =
        |part: u8| (0..6u8).min_by_key(|&level| LEVELS[usize::from(level)].abs_diff(part)).unwrap_or(0);
    let cube = colour.map(nearest);
    let mean = colour.iter().map(|&part| u32::from(part)).sum::<u32>() / 3;
    let grey = (mean.saturating_sub(3) / 10).min(23) as u8;
    let distance = |other: Rgb| {
        colour.iter().zip(other).map(|(&mine, theirs)| u32::from(mine.abs_diff(theirs)).pow(2)).sum::<u32>()
    };
    let is_grey = distance([8 + 10 * grey; 3]) < distance(cube.map(|level| LEVELS[usize::from(level)]));
    if is_grey { 232 + grey } else { 16 + 36 * cube[0] + 6 * cube[1] + cube[2] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;
    use tempo_emu::c64::{PALETTE, WIDTH};

    #[test]
    fn the_picture_fills_the_window_in_its_proportions() {
        assert_eq!(fit(384, 136, (384, 272)), (384, 272));
        assert_eq!(fit(80, 100, (384, 272)), (80, 56));
        assert_eq!(fit(400, 24, (384, 272)), (67, 48));
    }

    #[test]
    fn a_character_shows_two_pixels() {
        let mut pixels = vec![0; WIDTH * 272];
        pixels[..WIDTH].fill(1);
        pixels[WIDTH..2 * WIDTH].fill(14);
        let image = Shown { picture: Picture { pixels: &pixels, width: WIDTH }, palette: &PALETTE };
        let area = Rect::new(0, 0, 384, 136);
        let mut buffer = Buffer::empty(area);
        draw(image, area, true, &mut buffer);
        let cell = &buffer[(100, 0)];
        assert_eq!(
            (cell.symbol(), cell.fg, cell.bg),
            ("▀", Color::Rgb(255, 255, 255), Color::Rgb(0x6c, 0x5e, 0xb5))
        );
        // At half the size two rows are one.
        let area = Rect::new(0, 0, 192, 68);
        let mut buffer = Buffer::empty(area);
        draw(image, area, true, &mut buffer);
        assert_eq!((buffer[(5, 0)].fg, buffer[(5, 0)].bg), (Color::Rgb(181, 174, 218), Color::Rgb(0, 0, 0)));
    }

    #[test]
    fn the_nearest_of_256_colours_is_taken() {
        assert_eq!(
            [[0, 0, 0], [255, 255, 255], [0x44, 0x44, 0x44], [0, 0, 250]].map(indexed),
            [16, 231, 238, 21]
        );
    }
}
