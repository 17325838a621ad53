//! One assembly as asked for: what to read, what to write, how to go about it. Both front ends fill a [`Job`];
//! [`Job::assemble`] does the work and [`Done::write`] leaves the files.

use std::path::{Path, PathBuf};

use assembler::disk::clean;
use assembler::{DiskFiles, Options, Output};

use super::disk::Reserving;
use super::plan::{self, Places, PlanError, Write};

/// What the user wants.
#[derive(Debug, Clone)]
pub struct Job {
    /// The working directory, absolute; all paths without another rule are relative to it.
    pub folder: PathBuf,
    pub source: PathBuf,
    pub output: Option<PathBuf>,
    /// `--out-dir`.
    pub output_folder: Option<PathBuf>,
    /// `-odir`, relative to the folder of the source.
    pub kick_output_folder: Option<PathBuf>,
    pub main_file: MainFile,
    pub library_folders: Vec<PathBuf>,
    pub replacements: Vec<(PathBuf, PathBuf)>,
    /// `--symbols`, with the file if one was named.
    pub symbols: Option<Option<PathBuf>>,
    /// `-symbolfile`: beside the source.
    pub kick_symbol_file: bool,
    /// `-symbolfiledir`, relative to the folder of the source.
    pub kick_symbol_folder: Option<PathBuf>,
    /// `--vice-symbols`, with the file if one was named.
    pub vice_symbols: Option<Option<PathBuf>>,
    /// `-vicesymbols`: in the output directory, named after the source.
    pub kick_vice_symbols: bool,
    /// In the output directory.
    pub byte_dump: Option<PathBuf>,
    pub debug_dump: bool,
    pub asm_info: Option<AsmInfo>,
    pub show_memory_map: bool,
    pub show_time: bool,
    pub log: Option<PathBuf>,
    pub execute: Option<String>,
    pub execute_log: Option<PathBuf>,
    pub write_files: bool,
    pub options: Options,
}

/// What becomes of the Default segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MainFile {
    Prg,
    /// Without load address.
    Bin,
    OnePerBlock,
}

/// What editors want to know, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsmInfo {
    /// Names of sections joined with `|`.
    pub sections: String,
    /// Relative to the output directory.
    pub file: PathBuf,
}

impl Default for AsmInfo {
    fn default() -> AsmInfo {
        AsmInfo { sections: "all".into(), file: "asminfo.txt".into() }
    }
}

/// An assembly that has run. Nothing is on the disk yet.
pub struct Done {
    pub output: Output,
    pub places: Places,
}

impl Job {
    pub fn new(folder: PathBuf) -> Job {
        Job {
            folder,
            source: PathBuf::new(),
            output: None,
            output_folder: None,
            kick_output_folder: None,
            main_file: MainFile::Prg,
            library_folders: Vec::new(),
            replacements: Vec::new(),
            symbols: None,
            kick_symbol_file: false,
            kick_symbol_folder: None,
            vice_symbols: None,
            kick_vice_symbols: false,
            byte_dump: None,
            debug_dump: false,
            asm_info: None,
            show_memory_map: false,
            show_time: false,
            log: None,
            execute: None,
            execute_log: None,
            write_files: true,
            options: Options::default(),
        }
    }

    /// Assembles. Only what somebody asked for is collected beside the bytes.
    pub fn assemble(&self) -> Done {
        let places = Places::new(self);
        let absolute = |path: &PathBuf| clean(&self.folder.join(path));
        let files = Reserving(DiskFiles {
            folder: self.folder.clone(),
            library_folders: self.library_folders.clone(),
            replacements: self.replacements.iter().map(|(a, b)| (absolute(a), absolute(b))).collect(),
        });
        let mut options = self.options.clone();
        options.source_map = self.byte_dump.is_some() || self.debug_dump;
        options.symbols = options.source_map
            || self.symbols.is_some()
            || self.kick_symbol_file
            || self.kick_symbol_folder.is_some()
            || self.vice_symbols.is_some()
            || self.kick_vice_symbols;
        let output = assembler::assemble(&files, &places.source.to_string_lossy(), &options);
        Done { output, places }
    }
}

impl Done {
    /// Works out what to write. An empty list when the job writes nothing.
    pub fn plan(&self, job: &Job) -> Result<Vec<Write>, PlanError> {
        if !job.write_files || job.options.parse_only {
            return Ok(Vec::new());
        }
        plan::plan(job, &self.places, &self.output)
    }
}

/// Writes all files or none: every one goes to a temporary file first, and only then all get their names.
pub fn write_all(writes: &[Write]) -> Result<(), (PathBuf, std::io::Error)> {
    let mut ready = Vec::with_capacity(writes.len());
    for write in writes {
        let fail = |err| (write.path.clone(), err);
        if let Some(folder) = write.path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        if write.path.is_dir() {
            return Err(fail(std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a folder")));
        }
        ready.push(crate::files::Pending::new(&write.path, &write.bytes).map_err(fail)?);
    }
    for (pending, write) in ready.into_iter().zip(writes) {
        pending.persist().map_err(|err| (write.path.clone(), err))?;
    }
    Ok(())
}

/// A path as a person wrote or would write it: relative when it lies below the folder.
pub fn shown<'a>(path: &'a Path, folder: &Path) -> &'a Path {
    path.strip_prefix(folder).unwrap_or(path)
}
