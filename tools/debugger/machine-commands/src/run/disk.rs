//! `--disk`: a disk image or a folder as the disk in drive 8. What a program saves is written back when the run ends.

use std::fs;
use std::path::{Path, PathBuf};

use tempo_c64::{File, Volume};
use tempo_formats::d64::Kind;
use tempo_host::files::{self, Outlet};

/// Where a volume comes from.
pub struct Disk {
    path: PathBuf,
    is_folder: bool,
    volume: Volume,
    /// The bytes of an image.
    image: Vec<u8>,
    /// The files of a folder: the name on the C64 and the path.
    places: Vec<(Vec<u8>, PathBuf)>,
}

/// The largest image, with error information.
const IMAGE_LIMIT: u64 = 8 << 20;

/// The largest file of a folder that a C64 can want.
const FILE_LIMIT: u64 = 170_000;

/// How many files of a folder are shown.
const MOST_FILES: usize = 144;

impl Disk {
    /// Reads the image or the folder.
    pub fn open(path: &Path) -> Result<Disk, String> {
        let shown = path.display();
        let cannot = |err: std::io::Error| format!("--disk: cannot read {shown}: {err}");
        if fs::metadata(path).map_err(cannot)?.is_dir() {
            return Disk::open_folder(path).map_err(cannot);
        }
        let image = files::read_limited(path, IMAGE_LIMIT).map_err(cannot)?;
        let extension = path.extension().map(|extension| extension.to_string_lossy()).unwrap_or_default();
        let volume =
            Volume::from_image(&extension, &image).map_err(|err| format!("--disk: {shown}: {err}"))?;
        Ok(Disk { path: path.to_path_buf(), is_folder: false, volume, image, places: Vec::new() })
    }

    /// Every file of the folder whose name a C64 can have; `.prg` and `.seq` are types, not parts of the name.
    fn open_folder(path: &Path) -> std::io::Result<Disk> {
        let title = path.file_name().map_or("DISK".into(), |name| name.to_string_lossy());
        let mut volume = Volume::new(&title);
        let mut places = Vec::new();
        let mut entries: Vec<PathBuf> =
            fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?.iter().map(fs::DirEntry::path).collect();
        entries.sort();
        for file in entries {
            // A link that leads nowhere is not a file.
            let Ok(metadata) = fs::metadata(&file) else { continue };
            if !metadata.is_file() || metadata.len() > FILE_LIMIT || volume.files.len() >= MOST_FILES {
                continue;
            }
            let Some(name) = file.file_name().and_then(|name| name.to_str()) else { continue };
            let Some(mut entry) = File::from_host(name, Vec::new()) else { continue };
            if volume.files.iter().any(|known| known.name == entry.name) {
                continue;
            }
            // Pictures and states of earlier runs may be beside the programs, and this run may write them again.
            let is_of_the_c64 = file
                .extension()
                .is_some_and(|end| ["prg", "seq"].iter().any(|known| end.eq_ignore_ascii_case(known)));
            let read = if is_of_the_c64 { files::read_limited } else { files::read_own };
            entry.bytes = read(&file, FILE_LIMIT)?;
            places.push((entry.name.clone(), file));
            volume.files.push(entry);
        }
        Ok(Disk { path: path.to_path_buf(), is_folder: true, volume, image: Vec::new(), places })
    }

    /// The files as they were read.
    pub fn volume(&self) -> Volume {
        self.volume.clone()
    }

    /// The disk with its bits, for a whole drive.
    pub fn bits(&self) -> Result<tempo_emu::c64::Disk, String> {
        let cannot = |err: &dyn std::fmt::Display| format!("--disk: {}: {err}", self.path.display());
        let image = match self.is_folder {
            true => &self.volume.to_d64().map_err(|err| cannot(&err))?,
            false => &self.image,
        };
        tempo_c64::read_disk(image).map_err(|err| cannot(&err))
    }

    /// Writes what a program changed.
    pub fn write_back(&self, changed: &Volume) -> Result<(), String> {
        if !changed.is_changed() {
            return Ok(());
        }
        let cannot = |path: &Path, err: &dyn std::fmt::Display| {
            format!("--disk: cannot write {}: {err}", path.display())
        };
        if !self.is_folder {
            if let Some(name) = changed.damaged.first() {
                let name = tempo_diagnostics::escaped(&String::from_utf8_lossy(name)).into_owned();
                return Err(cannot(
                    &self.path,
                    &format!("its file '{name}' is damaged and would be lost; see `tempo disk validate`"),
                ));
            }
            let image = changed.to_image().map_err(|err| cannot(&self.path, &err))?;
            return files::write_back(&self.path, &image).map_err(|err| cannot(&self.path, &err));
        }
        let mut writes = Vec::new();
        for file in changed.files.iter().filter(|file| file.is_new) {
            let known = self.places.iter().find(|(name, _)| *name == file.name);
            let path = match known {
                Some((_, path)) => path.clone(),
                None => self.path.join(host_name(&file.name, file.kind).ok_or_else(|| {
                    format!(
                        "--disk: a file of the name '{}' cannot be kept in a folder; use a .d64",
                        tempo_diagnostics::escaped(&String::from_utf8_lossy(&file.name))
                    )
                })?),
            };
            writes.push((path, &file.bytes));
        }
        // The user typed the folder; a link in it is not the user's.
        let outlet = Outlet::open(&self.path, "--disk").map_err(|err| cannot(&self.path, &err))?;
        for (path, bytes) in writes {
            files::write_back_within(&outlet, &path, bytes).map_err(|err| cannot(&path, &err))?;
        }
        let gone = changed.removed.iter().filter(|name| changed.files.iter().all(|file| file.name != **name));
        for name in gone {
            if let Some((_, path)) = self.places.iter().find(|(known, _)| known == name) {
                outlet.remove(path).map_err(|err| cannot(path, &err))?;
            }
        }
        Ok(())
    }
}

/// The name in the folder of a file that a program made; only names without surprises.
fn host_name(name: &[u8], kind: Kind) -> Option<String> {
    let is_plain = name.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b' ' | b'-' | b'.'));
    let is_hidden = name.first().is_some_and(|first| matches!(first, b'.' | b' '));
    if !is_plain || is_hidden || name.is_empty() {
        return None;
    }
    let stem = String::from_utf8(name.to_ascii_lowercase()).ok()?;
    Some(stem + if kind == Kind::Seq { ".seq" } else { ".prg" })
}
