//! Moving pictures: an animated GIF with the machine's palette. What stays the same is not stored again: a picture without
//! changes lengthens the one before, and of the others only the rectangle that changed is kept.

use std::borrow::Cow;

use crate::picture::{Picture, PictureError};

/// How long a picture is shown at least, in hundredths of a second: players slow down what is shorter.
const STEP: u64 = 2;

/// The longest delay that a frame can have, in steps.
const LONGEST: u64 = u16::MAX as u64 / STEP;

/// A film in the making; pictures are added frame by frame.
pub struct Film {
    encoder: gif::Encoder<Vec<u8>>,
    /// Pictures a second.
    rate: u32,
    /// The picture of a player after the frames written so far.
    canvas: Picture,
    /// The picture to be written next, and the step in which it appears.
    next: Option<(Picture, u64)>,
    frames: u64,
}

impl Film {
    /// Without pictures yet, of which there are this many a second. All of them have the size and the colours of the first.
    pub fn new(rate: u32, first: &Picture) -> Result<Film, PictureError> {
        let (width, height) = (first.width as u16, first.height as u16);
        let mut encoder = gif::Encoder::new(Vec::new(), width, height, first.palette.as_flattened())?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        // No pixel has this colour, so the first picture is written whole.
        let canvas = Picture { pixels: vec![u8::MAX; first.pixels.len()], ..*first };
        Ok(Film { encoder, rate, canvas, next: None, frames: 0 })
    }

    /// Whether no picture was added.
    pub fn is_empty(&self) -> bool {
        self.frames == 0
    }

    /// The bytes so far.
    pub fn size(&self) -> usize {
        self.encoder.get_ref().len()
    }

    /// The step in which a frame appears. 50 pictures a second fit as they are; of 60, five of six are shown.
    fn step(&self, frame: u64) -> u64 {
        frame * 50 / u64::from(self.rate)
    }

    /// The picture of the next frame.
    pub fn add(&mut self, picture: Picture) -> Result<(), PictureError> {
        let now = self.step(self.frames);
        self.frames += 1;
        match self.next.take() {
            Some((next, since)) if next == picture => self.next = Some((next, since)),
            Some((next, since)) if since < now => {
                self.write(next, now - since)?;
                self.next = Some((picture, now));
            }
            _ => self.next = Some((picture, now)),
        }
        Ok(())
    }

    /// The file.
    pub fn finish(mut self) -> Result<Vec<u8>, PictureError> {
        if let Some((next, since)) = self.next.take() {
            let steps = self.step(self.frames).saturating_sub(since).max(1);
            self.write(next, steps)?;
        }
        self.encoder.into_inner().map_err(PictureError::Film)
    }

    fn write(&mut self, picture: Picture, steps: u64) -> Result<(), PictureError> {
        let mut left = steps;
        while left > 0 {
            let part = left.min(LONGEST);
            left -= part;
            let (x, y, width, height) = changed(&self.canvas, &picture);
            let rows = picture.pixels.chunks_exact(picture.width).skip(y).take(height);
            let pixels: Vec<u8> = rows.flat_map(|row| &row[x..x + width]).copied().collect();
            self.encoder.write_frame(&gif::Frame {
                delay: (part * STEP) as u16,
                dispose: gif::DisposalMethod::Keep,
                left: x as u16,
                top: y as u16,
                width: width as u16,
                height: height as u16,
                buffer: Cow::Owned(pixels),
                ..gif::Frame::default()
            })?;
            self.canvas.pixels.copy_from_slice(&picture.pixels);
        }
        Ok(())
    }
}

/// The rectangle in which two pictures differ: column, row, width, height. At least one pixel, since a frame has one.
fn changed(old: &Picture, new: &Picture) -> (usize, usize, usize, usize) {
    let mut bounds: Option<(usize, usize, usize, usize)> = None;
    let rows = old.pixels.chunks_exact(old.width).zip(new.pixels.chunks_exact(new.width));
    for (y, (old, new)) in rows.enumerate().filter(|(_, (old, new))| old != new) {
        let differs = |x: &usize| old[*x] != new[*x];
        let first = (0..old.len()).find(differs).unwrap_or(0);
        let last = (0..old.len()).rfind(differs).unwrap_or(0);
        let (left, right, top, _) = bounds.unwrap_or((first, last, y, y));
        bounds = Some((left.min(first), right.max(last), top, y));
    }
    bounds.map_or((0, 0, 1, 1), |(left, right, top, bottom)| (left, top, right - left + 1, bottom - top + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;
    use tempo_emu::c64::PALETTE;

    fn picture(pixels: [u8; 8]) -> Picture {
        Picture { width: 4, height: 2, pixels: pixels.to_vec(), palette: &PALETTE }
    }

    /// Delay, place, size and pixels of every frame.
    fn frames(film: Film) -> Vec<(u16, [u16; 4], Vec<u8>)> {
        let bytes = film.finish().unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        assert_eq!(decoder.global_palette().unwrap(), PALETTE.as_flattened());
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let place = [frame.left, frame.top, frame.width, frame.height];
            frames.push((frame.delay, place, frame.buffer.to_vec()));
        }
        frames
    }

    #[test]
    fn only_what_changes_is_stored() {
        let (one, two) = (picture([0, 1, 2, 3, 4, 5, 14, 15]), picture([0, 1, 9, 3, 4, 8, 14, 15]));
        let mut film = Film::new(50, &one).unwrap();
        for shown in [&one, &one, &one, &two, &one] {
            film.add(shown.clone()).unwrap();
        }
        let expected = [
            (6, [0, 0, 4, 2], one.pixels.clone()),
            (2, [1, 0, 2, 2], vec![1, 9, 8, 14]),
            (2, [1, 0, 2, 2], vec![1, 2, 5, 14]),
        ];
        assert_eq!(frames(film), expected);
    }

    #[test]
    fn sixty_frames_become_fifty_steps() {
        let pictures = [picture([1; 8]), picture([2; 8])];
        let mut film = Film::new(60, &pictures[0]).unwrap();
        for frame in 0..60 {
            film.add(pictures[frame % 2].clone()).unwrap();
        }
        let frames = frames(film);
        assert_eq!(frames.iter().map(|(delay, ..)| u32::from(*delay)).sum::<u32>(), 100);
        assert!(frames.iter().all(|(delay, ..)| *delay >= 2));
    }

    #[test]
    fn a_long_still_is_divided() {
        let still = picture([6; 8]);
        let mut film = Film::new(50, &still).unwrap();
        for _ in 0..40_000 {
            film.add(still.clone()).unwrap();
        }
        let delays: Vec<u16> = frames(film).into_iter().map(|(delay, ..)| delay).collect();
        assert_eq!(delays, [65_534, 14_466]);
    }
}
