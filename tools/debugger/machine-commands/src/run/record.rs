//! `--record` and `--wav`: pictures and sound of a run, kept until it is over.

use std::path::{Path, PathBuf};

use tempo_c64::{Film, Picture, wav};
use tempo_emu::AnyComputer;
use tempo_host::files::Outputs;

/// Samples in a second.
const RATE: u32 = 44_100;

/// The size limit of a recording, in bytes.
const LIMIT: usize = 1 << 30;

/// The recorded data.
#[derive(Default)]
pub struct Recorder {
    film: Option<(PathBuf, Film)>,
    frames: Option<(PathBuf, Vec<Vec<u8>>)>,
    sound: Option<(PathBuf, Vec<i16>)>,
    /// Two SIDs are two channels.
    is_stereo: bool,
    /// The last frame and its PNG: most are like the one before.
    last: Option<(Picture, Vec<u8>)>,
    /// The size of the frames.
    size: usize,
}

impl Recorder {
    /// Begins to record a machine that has not run yet.
    pub fn new(
        record: Option<&Path>,
        sound: Option<&Path>,
        machine: &mut AnyComputer,
    ) -> Result<Recorder, String> {
        let mut recorder = Recorder::default();
        if let Some(path) = record {
            if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
                let film =
                    Film::new(machine.timing().rate, &Picture::of(machine)).map_err(|err| err.to_string())?;
                recorder.film = Some((path.to_path_buf(), film));
            } else if path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator) {
                recorder.frames = Some((path.to_path_buf(), Vec::new()));
            } else {
                return Err(format!(
                    "--record {0}: neither a .gif nor a folder; for a folder of PNGs write {0}/",
                    path.display()
                ));
            }
        }
        if let Some(path) = sound {
            machine.set_sample_rate(Some(RATE));
            recorder.sound = Some((path.to_path_buf(), Vec::new()));
            recorder.is_stereo = machine.c64().is_some_and(|machine| machine.board.second_sid().is_some());
        }
        Ok(recorder)
    }

    /// After every frame.
    pub fn frame(&mut self, machine: &mut AnyComputer) -> Result<(), String> {
        let encoding = |err: tempo_c64::PictureError| err.to_string();
        if let Some((_, film)) = &mut self.film {
            film.add(Picture::of(machine)).map_err(encoding)?;
            check(film.size(), "--record")?;
        }
        if let Some((_, frames)) = &mut self.frames {
            let picture = Picture::of(machine);
            let png = match self.last.take() {
                Some((last, png)) if last == picture => png,
                _ => picture.to_png().map_err(encoding)?,
            };
            self.size += png.len();
            check(self.size, "--record")?;
            frames.push(png.clone());
            self.last = Some((picture, png));
        }
        self.listen(machine)
    }

    fn listen(&mut self, machine: &mut AnyComputer) -> Result<(), String> {
        let Some((_, samples)) = &mut self.sound else { return Ok(()) };
        match machine.c64_mut().filter(|_| self.is_stereo) {
            Some(machine) => {
                let (left, right) = machine.board.take_both();
                samples.extend(left.into_iter().zip(right).flat_map(|(left, right)| [left, right]));
            }
            None => samples.extend(machine.take_samples()),
        }
        check(2 * samples.len(), "--wav")
    }

    /// Hands over the files.
    pub fn finish(mut self, machine: &mut AnyComputer, outputs: &mut Outputs) -> Result<(), String> {
        self.listen(machine)?;
        if let Some((path, mut film)) = self.film {
            if film.is_empty() {
                // A program that ends within the first frame has a picture all the same.
                film.add(Picture::of(machine)).map_err(|err| err.to_string())?;
            }
            outputs.add(&path, film.finish().map_err(|err| err.to_string())?);
        }
        if let Some((folder, frames)) = self.frames {
            outputs.make_folder(&folder);
            for (number, png) in (1..).zip(frames) {
                outputs.add(&folder.join(format!("frame-{number:05}.png")), png);
            }
        }
        if let Some((path, samples)) = self.sound {
            let bytes =
                wav(&samples, RATE, 1 + u16::from(self.is_stereo)).ok_or_else(|| too_long("--wav"))?;
            outputs.add(&path, bytes);
        }
        Ok(())
    }
}

fn check(size: usize, option: &str) -> Result<(), String> {
    if size > LIMIT { Err(too_long(option)) } else { Ok(()) }
}

fn too_long(option: &str) -> String {
    format!("{option}: the recording is larger than {} MB; run fewer --frames", LIMIT >> 20)
}
