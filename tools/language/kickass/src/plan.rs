//! Which files a run writes, and where. Writes none of them: the caller does, when all of them are known.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tempo_assembler::search::clean;
use tempo_assembler::{Errors, Output, OutputKind};
use tempo_formats::{bytedump, debugdump, prg, sym, vice};
use thiserror::Error;

use crate::job::{Job, MainFile};

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    /// Absolute.
    pub path: PathBuf,
    /// All of its content.
    pub bytes: Vec<u8>,
    /// Its purpose.
    pub kind: FileKind,
    /// How far it may lead.
    pub door: Door,
}

/// How far the path of an output may lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Door {
    /// Anywhere, links followed: the user typed the path, or allowed the source to choose any.
    Typed,
    /// Nowhere but below a folder, whatever `..` and links say.
    Within {
        /// The folder, absolute.
        folder: PathBuf,
        /// The root of the project that names the folder, which must be below it; a folder that the user typed has
        /// none.
        root: Option<PathBuf>,
    },
}

/// The purpose of a planned file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A program with its load address.
    Prg,
    /// Bytes without load address.
    Bin,
    /// An image of a disk or cartridge.
    Disk,
    /// A file of `createFile`.
    Text,
    /// Symbols as importable source.
    Symbols,
    /// Labels, break and watch points for VICE.
    Vice,
    /// Every statement with its address and bytes.
    ByteDump,
    /// The C64 debugger's file.
    DebugDump,
    /// The requests of editors.
    AsmInfo,
    /// A copy of the console.
    Log,
}

/// Why the files of a run cannot be written as asked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The source names a file outside of the output directory.
    #[error(
        "Can't write file '{name}' since outputfiles specified in the sourcecode which is outside the natural output \
         dir is blocked unless deliberately turned on. Use {option} to allow file output."
    )]
    Outside {
        /// As the source has it.
        name: String,
        /// The option that allows it: Kick Assembler's, or that of `tempo asm`.
        option: &'static str,
    },
    /// A file that the source asks for has the name of the program.
    #[error("Can't output default segment since a file called '{0}' already exist")]
    Taken(String),
    /// An output has the name of a source.
    #[error("'{}' is a source of this program; writing it would destroy it", .0.display())]
    OverSource(PathBuf),
    /// A name that no file can have.
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
    /// The places of a job, by the rules of Kick Assembler for its own options.
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
            None => match &job.program {
                Some(name) => folder.join(format!("{name}.{extension}")),
                None => folder.join(source.with_extension(extension).file_name().unwrap_or_default()),
            },
        };
        Places { source, main, folder }
    }

    /// The door to the output directory.
    pub(crate) fn door(&self, job: &Job) -> Door {
        Door::Within { folder: self.folder.clone(), root: job.root.clone() }
    }

    /// The door of the program file, whose path may be typed.
    fn of_main(&self, job: &Job) -> Door {
        if job.output.is_some() { Door::Typed } else { self.door(job) }
    }

    /// The door of files beside the program whose names are made of its name.
    fn beside_main(&self, job: &Job) -> Door {
        match job.output {
            Some(_) => Door::Within {
                folder: self.main.parent().unwrap_or(Path::new("/")).to_path_buf(),
                root: None,
            },
            None => self.door(job),
        }
    }
}

/// The file of `-bytedump` if none is named, in the output directory.
pub const BYTE_DUMP: &str = "ByteDump.txt";

/// Everything a successful run writes, in order. If two files have one name, the later one wins.
pub(crate) fn plan(job: &Job, places: &Places, output: &Output) -> Result<Vec<PlannedFile>, PlanError> {
    let outside = match (job.options.allow_outside_output, job.options.errors) {
        (true, _) => Outside::Allowed,
        (false, Errors::First) => Outside::Refused("-afo switch"),
        (false, Errors::Many) => Outside::Refused("--allow-outside"),
    };
    let mut writes = Vec::new();
    for file in &output.files {
        let path = inside(&places.folder, &file.name, outside)?;
        let door = if outside == Outside::Allowed { Door::Typed } else { places.door(job) };
        let kind = match file.kind {
            OutputKind::Prg => FileKind::Prg,
            OutputKind::Bin => FileKind::Bin,
            OutputKind::Disk | OutputKind::Cartridge => FileKind::Disk,
            OutputKind::Text => FileKind::Text,
        };
        writes.push(PlannedFile { path, bytes: file.bytes.clone(), kind, door });
    }
    // A name that the user gives with `-o` wins; one that is only the default must not hide code.
    let is_split = matches!(job.main_file, MainFile::OnePerBlock | MainFile::BinPerBlock);
    let is_default = job.output.is_none() && !is_split;
    let has_bytes = output.image.as_ref().is_some_and(|image| !image.bytes.is_empty());
    let is_program = |write: &&PlannedFile| matches!(write.kind, FileKind::Prg | FileKind::Bin);
    if is_default && has_bytes && writes.iter().filter(is_program).any(|write| write.path == places.main) {
        let name = places.main.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return Err(PlanError::Taken(name));
    }
    let mut programs: Vec<PathBuf> =
        writes.iter().filter(is_program).map(|write| write.path.clone()).collect();
    main_files(job, places, output, &mut writes);
    if !is_split && output.image.is_some() {
        programs.push(places.main.clone());
    }
    side_files(job, places, output, &programs, &mut writes);
    let sources: HashSet<&Path> =
        output.program.sources.iter().map(|source| Path::new(&source.path)).collect();
    if let Some(write) = writes.iter().find(|write| sources.contains(&*write.path)) {
        return Err(PlanError::OverSource(write.path.clone()));
    }
    // If the source names a program twice, the last one is written. A symbol file in the place of the program would
    // lose the program: both stay, and the writer refuses the second, unless it is a device.
    let group = |kind: FileKind| if kind == FileKind::Bin { FileKind::Prg } else { kind };
    let mut seen = HashSet::with_capacity(writes.len());
    writes.reverse();
    writes.retain(|write| seen.insert((write.path.clone(), group(write.kind))));
    writes.reverse();
    Ok(writes)
}

fn main_files(job: &Job, places: &Places, output: &Output, writes: &mut Vec<PlannedFile>) {
    match (job.main_file, &output.image) {
        (MainFile::OnePerBlock | MainFile::BinPerBlock, _) => {
            for block in merged(output) {
                let name = format!("{}_{}.prg", stem(&places.main), file_name_of(block.name));
                let bytes = match job.main_file {
                    MainFile::BinPerBlock => block.bytes,
                    _ => prg::write(block.start, &block.bytes),
                };
                writes.push(PlannedFile {
                    path: places.main.with_file_name(name),
                    bytes,
                    kind: FileKind::Prg,
                    door: places.beside_main(job),
                });
            }
        }
        (MainFile::Prg, Some(image)) => {
            let bytes = prg::write(image.start, &image.bytes);
            let door = places.of_main(job);
            writes.push(PlannedFile { path: places.main.clone(), bytes, kind: FileKind::Prg, door });
        }
        (MainFile::Bin, Some(image)) => {
            writes.push(PlannedFile {
                path: places.main.clone(),
                bytes: image.bytes.clone(),
                kind: FileKind::Bin,
                door: places.of_main(job),
            });
        }
        (_, None) => {}
    }
}

/// Blocks of one name in one file.
struct Merged<'a> {
    name: &'a str,
    start: i64,
    bytes: Vec<u8>,
    /// How many they are.
    count: usize,
}

/// The blocks of the Default segment by name, those of one name with what is between them.
fn merged(output: &Output) -> Vec<Merged<'_>> {
    let blocks = output.program.segments.first().map_or(&[][..], |segment| &segment.blocks);
    let saved: Vec<_> = blocks.iter().filter(|block| !block.is_virtual && !block.bytes.is_empty()).collect();
    let mut all: Vec<Merged<'_>> = Vec::new();
    for (index, first) in saved.iter().enumerate() {
        if saved[..index].iter().any(|earlier| earlier.name == first.name) {
            continue;
        }
        let parts = || saved.iter().filter(|block| block.name == first.name);
        let start = parts().map(|block| block.start).min().unwrap_or(first.start);
        let end = parts().map(|block| block.end()).max().unwrap_or(start);
        let mut bytes = vec![0; (end - start) as usize];
        for part in parts() {
            let offset = (part.start - start) as usize;
            bytes[offset..offset + part.bytes.len()].copy_from_slice(&part.bytes);
        }
        all.push(Merged { name: &first.name, start, bytes, count: parts().count() });
    }
    all
}

/// The message to the user about blocks of one name, if each is to get its own file.
pub(crate) fn merged_blocks(job: &Job, output: &Output) -> Vec<String> {
    if !matches!(job.main_file, MainFile::OnePerBlock | MainFile::BinPerBlock) {
        return Vec::new();
    }
    let several = merged(output).into_iter().filter(|block| block.count > 1);
    several
        .map(|block| {
            let Merged { name, count, .. } = block;
            format!("{count} blocks have the name '{name}'. They will be merged in the same file.")
        })
        .collect()
}

/// The files about the program; `programs` are the files of bytes that have a dump for the debugger.
fn side_files(
    job: &Job,
    places: &Places,
    output: &Output,
    programs: &[PathBuf],
    writes: &mut Vec<PlannedFile>,
) {
    let program = &output.program;
    let mut text = |(path, door): (PathBuf, Door), text: String, kind| {
        writes.push(PlannedFile { path, bytes: text.into_bytes(), kind, door });
    };
    if let Some(path) = &job.symbols {
        text(beside(job, places, path.as_deref(), "sym"), sym::write(&program.symbols), FileKind::Symbols);
    }
    if job.kick_symbol_file {
        // Whatever `-o` says: later stages of a build import the file from the output directory.
        let folder = places.folder.join(job.kick_symbol_folder.as_deref().unwrap_or(Path::new("")));
        let path = clean(&folder.join(format!("{}.sym", stem(&places.source))));
        let door = match &job.kick_symbol_folder {
            Some(_) => Door::Within { folder: clean(&folder), root: None },
            None => places.door(job),
        };
        text((path, door), sym::write(&program.symbols), FileKind::Symbols);
    }
    if let Some(path) = &job.vice_symbols {
        text(beside(job, places, path.as_deref(), "vs"), vice::write(program), FileKind::Vice);
    }
    if job.kick_vice_symbols {
        // Beside the program, but named after the source.
        let path = places.main.with_file_name(format!("{}.vs", stem(&places.source)));
        text((path, places.beside_main(job)), vice::write(program), FileKind::Vice);
    }
    if let Some(path) = &job.byte_dump {
        let place = match path {
            Some(path) => (clean(&places.folder.join(path)), Door::Typed),
            None => (places.folder.join(BYTE_DUMP), places.door(job)),
        };
        text(place, bytedump::write(program), FileKind::ByteDump);
    }
    if job.debug_dump {
        let dump = debugdump::write(program).into_bytes();
        for path in programs {
            let path = path.with_extension("dbg");
            let door = Door::Within {
                folder: path.parent().unwrap_or(Path::new("/")).to_path_buf(),
                root: job.root.clone().filter(|_| job.output.is_none()),
            };
            writes.push(PlannedFile { path, bytes: dump.clone(), kind: FileKind::DebugDump, door });
        }
    }
}

/// The path asked for, relative to the working directory, or the program file with another extension.
fn beside(job: &Job, places: &Places, path: Option<&Path>, extension: &str) -> (PathBuf, Door) {
    match path {
        Some(path) => (clean(&job.folder.join(path)), Door::Typed),
        None => (places.main.with_extension(extension), places.beside_main(job)),
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A block's name as part of a file name: it must not lead into other folders.
fn file_name_of(name: &str) -> String {
    name.replace(['/', '\\', '\0'], "_")
}

/// The treatment of names that lead out of the output directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outside {
    Allowed,
    /// With the option that allows them.
    Refused(&'static str),
}

/// The place of a file the source names. Without permission its words stay in the folder; where links lead is found out
/// when it is written.
fn inside(folder: &Path, name: &str, outside: Outside) -> Result<PathBuf, PlanError> {
    let path = clean(&folder.join(name));
    if name.is_empty() || name.contains('\0') || path.file_name().is_none() || path == folder {
        return Err(PlanError::NoName(name.replace('\0', "\\0")));
    }
    let Outside::Refused(option) = outside else { return Ok(path) };
    if !path.starts_with(folder) {
        return Err(PlanError::Outside { name: name.to_owned(), option });
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn names_stay_in_the_output_directory() {
        let folder = Path::new("/project/out");
        let option = "--allow-outside";
        let inside = |name: &str| super::inside(folder, name, Outside::Refused(option));
        let outside = |name: &str| Err(PlanError::Outside { name: name.into(), option });
        assert_eq!(inside("a.prg"), Ok(folder.join("a.prg")));
        assert_eq!(inside("new/deep/a.prg"), Ok(folder.join("new/deep/a.prg")));
        assert_eq!(inside("new/../a.prg"), Ok(folder.join("a.prg")));
        assert_eq!(inside("../a.prg"), outside("../a.prg"));
        assert_eq!(inside("/etc/a.prg"), outside("/etc/a.prg"));
        assert!(matches!(inside(""), Err(PlanError::NoName(_))));
        assert!(matches!(inside("a/.."), Err(PlanError::NoName(_))));
        assert_eq!(super::inside(folder, "../a.prg", Outside::Allowed), Ok("/project/a.prg".into()));
    }

    #[test]
    fn places_as_kick_assembler_has_them() {
        let mut job = Job::new(PathBuf::from("/project"));
        job.source = "src/game.asm".into();
        let places = Places::new(&job);
        assert_eq!(places.main, Path::new("/project/src/game.prg"));
        assert_eq!(places.folder, Path::new("/project/src"));
        job.kick_output_folder = Some("../bin".into());
        job.main_file = MainFile::Bin;
        assert_eq!(Places::new(&job).main, Path::new("/project/bin/game.bin"));
        job.output = Some("x/y.prg".into());
        assert_eq!(Places::new(&job).main, Path::new("/project/x/y.prg"));
        job.output_folder = Some("build".into());
        assert_eq!(Places::new(&job).folder, Path::new("/project/build"));
    }
}
