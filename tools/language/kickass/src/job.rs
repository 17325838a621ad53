//! One run as asked for: what to read, what to write, how to go about it. Both front ends, `tempo asm` and `kickass`,
//! fill a [`Job`]; [`Job::assemble`] runs it, and [`Done`] knows the files to write.

use std::path::PathBuf;

use tempo_assembler::search::clean;
use tempo_assembler::{Options, Output, SearchPath};
use thiserror::Error;

use crate::asm_info;
use crate::files::{EntryKind, FileSystem, Searched};
use crate::plan::{self, Door, FileKind, Places, PlanError, PlannedFile};

/// The user's request. Fields without another rule hold paths relative to the working directory.
#[derive(Debug, Clone)]
pub struct Job {
    /// The working directory, absolute.
    pub folder: PathBuf,
    /// The root source.
    pub source: PathBuf,
    /// `-o`: the program file.
    pub output: Option<PathBuf>,
    /// The name of the program file in the output directory, without extension; that of the source if it has none.
    pub program: Option<String>,
    /// `--out-dir`: the output directory, in which the files are that a source names.
    pub output_folder: Option<PathBuf>,
    /// The root of the project that `output_folder` must not lead out of; nothing if the user typed that folder.
    pub root: Option<PathBuf>,
    /// `-odir`, relative to the folder of the source.
    pub kick_output_folder: Option<PathBuf>,
    /// The treatment of the Default segment.
    pub main_file: MainFile,
    /// `-libdir`: folders searched after the others.
    pub library_folders: Vec<PathBuf>,
    /// `-replacefile`: files, and what to read instead of them.
    pub replacements: Vec<(PathBuf, PathBuf)>,
    /// `--symbols`, with the file if one was named.
    pub symbols: Option<Option<PathBuf>>,
    /// `-symbolfile`: in the output directory, named after the source.
    pub kick_symbol_file: bool,
    /// `-symbolfiledir`, relative to the output directory; nothing without `-symbolfile`.
    pub kick_symbol_folder: Option<PathBuf>,
    /// `--vice-symbols`, with the file if one was named.
    pub vice_symbols: Option<Option<PathBuf>>,
    /// `-vicesymbols`: beside the program file, named after the source.
    pub kick_vice_symbols: bool,
    /// `-bytedump`: every statement with its bytes, in a file that was named relative to the output directory or not at
    /// all.
    pub byte_dump: Option<Option<PathBuf>>,
    /// Whether to write the C64 debugger's file beside each program.
    pub debug_dump: bool,
    /// The file for editors.
    pub asm_info: Option<AsmInfo>,
    /// Whether to print the memory map.
    pub show_memory_map: bool,
    /// Whether to print the time the run took.
    pub show_time: bool,
    /// A file for a copy of the console.
    pub log: Option<PathBuf>,
    /// A command to run on the program file.
    pub execute: Option<String>,
    /// A file for what that command prints.
    pub execute_log: Option<PathBuf>,
    /// Whether to write the program and its side files.
    pub write_files: bool,
    /// Whether names are collected although no file asks for them, for the runner of the program.
    pub keep_symbols: bool,
    /// Whether the map of bytes to statements is collected although no file asks for it.
    pub keep_lines: bool,
    /// How to assemble.
    pub options: Options,
}

/// The treatment of the Default segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MainFile {
    /// One program file with its load address.
    Prg,
    /// One file without load address.
    Bin,
    /// A program file for each memory block.
    OnePerBlock,
    /// The same without load addresses.
    BinPerBlock,
}

/// `-asminfo`: what editors want to know, and in which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsmInfo {
    /// Names of sections joined with `|`.
    pub sections: String,
    /// Relative to the output directory; `asminfo.txt` if none is named.
    pub file: Option<PathBuf>,
}

impl Default for AsmInfo {
    fn default() -> AsmInfo {
        AsmInfo { sections: "all".into(), file: None }
    }
}

/// An asminfo section that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("Invalid asminfo type: {0}")]
pub struct AsmInfoError(pub String);

/// A source that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("Inputfile '{}' doesn't exist.", .0.display())]
pub struct NoSource(pub PathBuf);

/// A finished run. No file has been written yet.
#[derive(Debug)]
pub struct Done {
    /// The assembler's result.
    pub output: Output,
    /// Where the job writes.
    pub places: Places,
}

impl Job {
    /// A job without a source, with every option at its default.
    pub fn new(folder: PathBuf) -> Job {
        Job {
            folder,
            source: PathBuf::new(),
            output: None,
            program: None,
            output_folder: None,
            root: None,
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
            keep_symbols: false,
            keep_lines: false,
            options: Options::default(),
        }
    }

    /// Refuses a source that is not there.
    pub fn check_source(&self, files: &dyn FileSystem) -> Result<(), NoSource> {
        match files.kind(&self.folder.join(&self.source)) {
            Some(EntryKind::File | EntryKind::Other) => Ok(()),
            _ => Err(NoSource(self.source.clone())),
        }
    }

    /// Assembles. Symbols, texts and the map of bytes to statements are collected only if a file needs them.
    pub fn assemble(&self, files: &dyn FileSystem) -> Done {
        let places = Places::new(self);
        let absolute = |path: &PathBuf| clean(&self.folder.join(path));
        let search = SearchPath {
            folder: self.folder.clone(),
            library_folders: self.library_folders.clone(),
            replacements: self.replacements.iter().map(|(a, b)| (absolute(a), absolute(b))).collect(),
        };
        let files = Searched { files, search, root: places.source.clone() };
        let mut options = self.options.clone();
        options.source_map =
            self.keep_lines || self.byte_dump.is_some() || self.debug_dump || self.asm_info.is_some();
        options.symbols = self.keep_symbols
            || options.source_map
            || self.symbols.is_some()
            || self.kick_symbol_file
            || self.kick_symbol_folder.is_some()
            || self.vice_symbols.is_some()
            || self.kick_vice_symbols;
        let output = tempo_assembler::assemble(&files, &places.source.to_string_lossy(), &options);
        Done { output, places }
    }
}

impl Done {
    /// Every file of a successful run, in order. Empty if the job writes none.
    pub fn plan(&self, job: &Job) -> Result<Vec<PlannedFile>, PlanError> {
        if !job.write_files || job.options.parse_only {
            return Ok(Vec::new());
        }
        plan::plan(job, &self.places, &self.output)
    }

    /// Remarks about memory blocks that share a file because they share a name.
    pub fn merged_blocks(&self, job: &Job) -> Vec<String> {
        plan::merged_blocks(job, &self.output)
    }

    /// The file for editors if it was asked for, also for a source with errors: editors show them from it. But no
    /// folder is made for a source with errors.
    pub fn asm_info(&self, job: &Job, files: &dyn FileSystem) -> Result<Option<PlannedFile>, AsmInfoError> {
        let Some(info) = &job.asm_info else { return Ok(None) };
        let bytes = asm_info::text(&info.sections, self)?.into_bytes();
        let (path, door) = match &info.file {
            Some(file) => (clean(&self.places.folder.join(file)), Door::Typed),
            None => (self.places.folder.join("asminfo.txt"), self.places.door(job)),
        };
        let has_folder = path.parent().is_some_and(|folder| files.kind(folder) == Some(EntryKind::Folder));
        if self.output.has_errors() && !has_folder {
            return Ok(None);
        }
        Ok(Some(PlannedFile { path, bytes, kind: FileKind::AsmInfo, door }))
    }
}
