//! A folder as an archive whose bytes depend on names and contents alone: sorted, with one time and no owners.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;

use crate::Error;

/// The files of a release, sorted by name.
pub struct Archive {
    root: String,
    /// Names below the root, with `/` on every system.
    files: Vec<(String, Vec<u8>)>,
}

impl Archive {
    /// Every file below a folder, whose own name is the root.
    pub fn of_folder(folder: &Path) -> Result<Archive, Error> {
        let root = folder.file_name().ok_or_else(|| Error::Nameless(folder.to_path_buf()))?;
        let mut files = Vec::new();
        collect(folder, "", &mut files)?;
        files.sort();
        Ok(Archive { root: root.to_string_lossy().into_owned(), files })
    }

    /// One line for each file, as `sha256sum -c` reads them.
    pub fn checksums(&self) -> String {
        self.files.iter().map(|(name, bytes)| checksum_line(name, bytes)).collect()
    }

    /// As a compressed tape archive, with a time in seconds since 1970.
    pub fn tar_gz(&self, epoch: u64) -> io::Result<Vec<u8>> {
        let packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        let mut tar = tar::Builder::new(packer);
        for (name, bytes) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(mode(name));
            header.set_mtime(epoch);
            header.set_uid(0);
            header.set_gid(0);
            tar.append_data(&mut header, format!("{}/{name}", self.root), bytes.as_slice())?;
        }
        tar.into_inner()?.finish()
    }

    /// As Windows unpacks without further programs, with the day of a time in seconds since 1970.
    pub fn zip(&self, epoch: u64) -> Result<Vec<u8>, Error> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let (year, month, day) = date(epoch);
        let time = zip::DateTime::from_date_and_time(year, month, day, 0, 0, 0).unwrap_or_default();
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(time);
        for (name, bytes) in &self.files {
            zip.start_file(format!("{}/{name}", self.root), options.unix_permissions(mode(name)))?;
            zip.write_all(bytes).map_err(Error::file(Path::new(name)))?;
        }
        Ok(zip.finish()?.into_inner())
    }
}

/// The sum of a file and its name, as `sha256sum` prints them.
pub fn checksum_line(name: &str, bytes: &[u8]) -> String {
    let mut line = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(line, "{byte:02x}");
    }
    line + "  " + name + "\n"
}

/// The day of a time in seconds since 1970: year, month and day of the Gregorian calendar.
pub fn date(epoch: u64) -> (u16, u8, u8) {
    let mut days = epoch / 86_400;
    let mut year = 1970;
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (u16::try_from(year).unwrap_or(u16::MAX), month, days as u8 + 1)
}

/// Only the program is executable; what a file system says differs between systems.
fn mode(name: &str) -> u32 {
    if matches!(name, "tempo" | "tempo.exe") { 0o755 } else { 0o644 }
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::file(folder))? {
        let path: PathBuf = entry.map_err(Error::file(folder))?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else {
            let bytes = fs::read(&path).map_err(Error::file(&path))?;
            files.push((name, bytes));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::time::{Duration, SystemTime};

    use pretty_assertions::assert_eq;

    use super::*;

    fn folder(names: &[&str], time: u64) -> (tempfile::TempDir, PathBuf) {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("tempo-1.2.3-here");
        for name in names {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, name.repeat(100)).unwrap();
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(time)).unwrap();
        }
        (scratch, root)
    }

    #[test]
    fn bytes_depend_on_names_and_contents_alone() {
        let (_one, first) = folder(&["tempo", "web/a.js", "README.md"], 1_000_000_000);
        let (_two, second) = folder(&["README.md", "web/a.js", "tempo"], 1_700_000_000);
        let (first, second) = (Archive::of_folder(&first).unwrap(), Archive::of_folder(&second).unwrap());
        assert_eq!(first.tar_gz(7).unwrap(), second.tar_gz(7).unwrap());
        assert_eq!(first.zip(7).unwrap(), second.zip(7).unwrap());
        assert_ne!(first.tar_gz(7).unwrap(), second.tar_gz(8).unwrap());
    }

    #[test]
    fn both_forms_hold_the_same_files() {
        let (_scratch, root) = folder(&["tempo", "web/a.js"], 1);
        let archive = Archive::of_folder(&root).unwrap();
        let packed = archive.tar_gz(1_794_889_226).unwrap();
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let entries: Vec<_> = tar
            .entries()
            .unwrap()
            .map(|entry| {
                let mut entry = entry.unwrap();
                let mut text = String::new();
                entry.read_to_string(&mut text).unwrap();
                let header = entry.header();
                assert_eq!((header.mtime().unwrap(), header.uid().unwrap()), (1_794_889_226, 0));
                (entry.path().unwrap().to_string_lossy().into_owned(), header.mode().unwrap(), text)
            })
            .collect();
        let expected = [
            ("tempo-1.2.3-here/tempo".to_string(), 0o755, "tempo".repeat(100)),
            ("tempo-1.2.3-here/web/a.js".to_string(), 0o644, "web/a.js".repeat(100)),
        ];
        assert_eq!(entries, expected);

        let mut zip = zip::ZipArchive::new(Cursor::new(archive.zip(1_794_889_226).unwrap())).unwrap();
        for (at, (name, mode, text)) in expected.into_iter().enumerate() {
            let mut entry = zip.by_index(at).unwrap();
            let mut found = String::new();
            entry.read_to_string(&mut found).unwrap();
            let time = entry.last_modified().unwrap();
            assert_eq!((time.year(), time.month(), time.day()), (2026, 11, 17));
            assert_eq!(
                (entry.name(), entry.unix_mode().map(|mode| mode & 0o777)),
                (name.as_str(), Some(mode))
            );
            assert_eq!(found, text);
        }
    }

    #[test]
    fn sums_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(checksum_line("a", b""), format!("{empty}  a\n"));
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(951_782_400), (2000, 2, 29));
        assert_eq!(date(1_709_164_800), (2024, 2, 29));
        assert_eq!(date(1_735_689_599), (2024, 12, 31));
        assert_eq!(date(4_107_542_400), (2100, 3, 1));
    }
}
