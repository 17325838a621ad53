//! Which files a run writes, and where. Nothing is written here before all of it is ready.

use std::path::{Path, PathBuf};

use assembler::{Output, OutputKind};
use formats::{bytedump, debugdump, prg, sym, vice};
use thiserror::Error;

use super::job::{Job, MainFile};
use assembler::disk::clean;

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Prg,
    Bin,
    Disk,
    Text,
    Symbols,
    Vice,
    ByteDump,
    DebugDump,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    #[error("'{0}' lies outside of the output directory; allow it with --allow-outside or -afo")]
    Outside(String),
    #[error("'{}' is a source of this program; writing it would destroy it", .0.display())]
    OverSource(PathBuf),
    #[error("'{0}' is not a file name")]
    NoName(String),
}

/// The places a job writes to, all absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The source itself.
    pub source: PathBuf,
    /// The program file.
    pub main: PathBuf,
    /// The output directory.
    pub folder: PathBuf,
}

impl Places {
    pub fn new(job: &Job) -> Places {
        let source = clean(&job.folder.join(&job.source));
        let source_folder = source.parent().unwrap_or(Path::new("/")).to_path_buf();
        let folder = match (&job.output_folder, &job.kick_output_folder) {
            (Some(folder), _) => job.folder.join(folder),
            (None, Some(folder)) => source_folder.join(folder),
            (None, None) => source_folder,
        };
        let folder = clean(&folder);
        let extension = if job.main_file == MainFile::Bin { "bin" } else { "prg" };
        let main = match &job.output {
            Some(output) => clean(&job.folder.join(output)),
            None => folder.join(source.with_extension(extension).file_name().unwrap_or_default()),
        };
        Places { source, main, folder }
    }
}

/// Everything a successful run writes, in order. Of two files of one name the later one counts.
pub fn plan(job: &Job, places: &Places, output: &Output) -> Result<Vec<Write>, PlanError> {
    let mut writes = Vec::new();
    main_files(job, places, output, &mut writes);
    for file in &output.files {
        let path = inside(&places.folder, &file.name, job.options.allow_outside_output)?;
        let kind = match file.kind {
            OutputKind::Prg => Kind::Prg,
            OutputKind::Bin => Kind::Bin,
            OutputKind::Disk => Kind::Disk,
            OutputKind::Text => Kind::Text,
        };
        writes.push(Write { path, bytes: file.bytes.clone(), kind });
    }
    side_files(job, places, output, &mut writes);
    let sources = output.program.sources.iter().map(|source| Path::new(&source.path));
    if let Some(write) = sources.flat_map(|source| writes.iter().find(|write| write.path == source)).next() {
        return Err(PlanError::OverSource(write.path.clone()));
    }
    let mut last: Vec<Write> = Vec::with_capacity(writes.len());
    for write in writes {
        last.retain(|earlier| earlier.path != write.path);
        last.push(write);
    }
    Ok(last)
}

fn main_files(job: &Job, places: &Places, output: &Output, writes: &mut Vec<Write>) {
    match (job.main_file, &output.image) {
        (MainFile::OnePerBlock, _) => {
            let blocks = output.program.segments.first().map_or(&[][..], |segment| &segment.blocks);
            for block in blocks.iter().filter(|block| !block.is_virtual && !block.bytes.is_empty()) {
                let name = format!("{}_{}.prg", stem(&places.main), file_name_of(&block.name));
                let bytes = prg::write(block.start, &block.bytes);
                writes.push(Write { path: places.main.with_file_name(name), bytes, kind: Kind::Prg });
            }
        }
        (MainFile::Prg, Some(image)) => {
            let bytes = prg::write(image.start, &image.bytes);
            writes.push(Write { path: places.main.clone(), bytes, kind: Kind::Prg });
        }
        (MainFile::Bin, Some(image)) => {
            writes.push(Write { path: places.main.clone(), bytes: image.bytes.clone(), kind: Kind::Bin });
        }
        (_, None) => {}
    }
}

fn side_files(job: &Job, places: &Places, output: &Output, writes: &mut Vec<Write>) {
    let program = &output.program;
    let mut text =
        |path: PathBuf, text: String, kind| writes.push(Write { path, bytes: text.into_bytes(), kind });
    let source_folder = places.source.parent().unwrap_or(Path::new("/"));
    if let Some(path) = &job.symbols {
        text(beside(job, places, path.as_deref(), "sym"), sym::write(&program.symbols), Kind::Symbols);
    }
    if job.kick_symbol_file || job.kick_symbol_folder.is_some() {
        let folder =
            job.kick_symbol_folder.as_ref().map_or(source_folder.to_path_buf(), |f| source_folder.join(f));
        let path = clean(&folder.join(format!("{}.sym", stem(&places.source))));
        text(path, sym::write(&program.symbols), Kind::Symbols);
    }
    if let Some(path) = &job.vice_symbols {
        text(beside(job, places, path.as_deref(), "vs"), vice::write(program), Kind::Vice);
    }
    if job.kick_vice_symbols {
        text(places.folder.join(format!("{}.vs", stem(&places.source))), vice::write(program), Kind::Vice);
    }
    if let Some(path) = &job.byte_dump {
        text(clean(&places.folder.join(path)), bytedump::write(program), Kind::ByteDump);
    }
    if job.debug_dump {
        let programs: Vec<_> =
            writes.iter().filter(|write| write.kind == Kind::Prg).map(|write| write.path.clone()).collect();
        let dump = debugdump::write(program).into_bytes();
        for path in programs {
            let path = path.with_extension("dbg");
            writes.push(Write { path, bytes: dump.clone(), kind: Kind::DebugDump });
        }
    }
}

/// The path asked for, relative to the working directory, or the program file with another extension.
fn beside(job: &Job, places: &Places, path: Option<&Path>, extension: &str) -> PathBuf {
    match path {
        Some(path) => clean(&job.folder.join(path)),
        None => places.main.with_extension(extension),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A block's name as part of a file name: it must not lead into other folders.
fn file_name_of(name: &str) -> String {
    name.replace(['/', '\\', '\0'], "_")
}

/// The place of a file the source names. Without permission it stays in the folder, links included.
fn inside(folder: &Path, name: &str, allowed: bool) -> Result<PathBuf, PlanError> {
    let path = clean(&folder.join(name));
    if name.is_empty() || name.contains('\0') || path.file_name().is_none() || path == folder {
        return Err(PlanError::NoName(name.replace('\0', "\\0")));
    }
    if allowed {
        return Ok(path);
    }
    let leads_out = |path: &Path| {
        // The nearest folder that exists decides where a link leads.
        let existing = path.ancestors().skip(1).find_map(|ancestor| ancestor.canonicalize().ok());
        let root = folder.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
        match (existing, root) {
            (Some(existing), Some(root)) => !existing.starts_with(root),
            _ => false,
        }
    };
    if !path.starts_with(folder) || leads_out(&path) {
        return Err(PlanError::Outside(name.to_owned()));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn names_stay_in_the_output_directory() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("out");
        std::fs::create_dir(&folder).unwrap();
        let outside = |name: &str| Err(PlanError::Outside(name.into()));
        assert_eq!(inside(&folder, "a.prg", false), Ok(folder.join("a.prg")));
        assert_eq!(inside(&folder, "new/deep/a.prg", false), Ok(folder.join("new/deep/a.prg")));
        assert_eq!(inside(&folder, "new/../a.prg", false), Ok(folder.join("a.prg")));
        assert_eq!(inside(&folder, "../a.prg", false), outside("../a.prg"));
        assert_eq!(inside(&folder, "/etc/a.prg", false), outside("/etc/a.prg"));
        assert_eq!(inside(&folder, "../a.prg", true), Ok(scratch.path().join("a.prg")));
        assert!(matches!(inside(&folder, "", false), Err(PlanError::NoName(_))));
        assert!(matches!(inside(&folder, "a/..", false), Err(PlanError::NoName(_))));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(scratch.path(), folder.join("link")).unwrap();
            assert_eq!(inside(&folder, "link/a.prg", false), outside("link/a.prg"));
        }
    }

    #[test]
    fn places_as_kick_assembler_has_them() {
        let mut job = Job::new(PathBuf::from("/work"));
        job.source = "src/game.asm".into();
        let places = Places::new(&job);
        assert_eq!(places.main, Path::new("/work/src/game.prg"));
        assert_eq!(places.folder, Path::new("/work/src"));
        job.kick_output_folder = Some("../bin".into());
        job.main_file = MainFile::Bin;
        assert_eq!(Places::new(&job).main, Path::new("/work/bin/game.bin"));
        job.output = Some("x/y.prg".into());
        assert_eq!(Places::new(&job).main, Path::new("/work/x/y.prg"));
        job.output_folder = Some("build".into());
        assert_eq!(Places::new(&job).folder, Path::new("/work/build"));
    }
}
