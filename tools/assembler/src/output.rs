//! What comes out of a run: bytes, symbols, console lines and diagnostics. Nothing here is written anywhere.

use formats::program::Program;

use crate::diagnostics::{Diagnostic, Severity};

/// Everything a run produced. On errors the parts that depend on them are empty.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// In the order Kick Assembler reports them: reading and parsing, names, evaluation, output.
    pub diagnostics: Vec<Diagnostic>,
    /// Lines of `.print`, `.printnow` and `.assert` in order, indented as they are shown.
    pub console: Vec<String>,
    pub asserts: AssertCount,
    /// The Default segment as one run of bytes. `None` when it is empty but other segments exist.
    pub image: Option<Image>,
    /// Files asked for by `.file`, `.disk`, `outPrg`, `outBin` and `createFile`, in source order.
    /// Names are relative to the output directory.
    pub files: Vec<OutputFile>,
    /// Sources, segments with their blocks, symbols, labels, break points: what the side files are written from.
    /// The items of the blocks map addresses to source ranges.
    pub program: Program,
    /// Preprocessor and directive facts editors ask for (`-asminfo`).
    pub stats: Stats,
}

impl Output {
    /// Whether any diagnostic is an error. Then there is nothing to write.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The bytes of the program file: load address, then the image. Empty programs are two zero bytes.
    pub fn prg(&self) -> Option<Vec<u8>> {
        self.image.as_ref().map(|image| formats::prg::write(image.start, &image.bytes))
    }
}

/// Consecutive memory: gaps are filled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// May exceed 16 bits; files keep the low 16.
    pub start: i64,
    pub bytes: Vec<u8>,
}

/// A file the source asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// As written, with `%o` replaced.
    pub name: String,
    pub bytes: Vec<u8>,
    pub kind: OutputKind,
}

/// What made an output file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// `.file` or `outPrg`, with load address.
    Prg,
    /// `.file` or `outBin`, without.
    Bin,
    /// `.disk`.
    Disk,
    /// `createFile`.
    Text,
}

/// How many assertions were made and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssertCount {
    pub made: u32,
    pub failed: u32,
}

/// Figures about the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Passes until nothing moved.
    pub passes: u32,
    /// Lines of all sources, imports counted each time they are read.
    pub lines: u64,
    /// Bytes emitted in all segments that are saved.
    pub bytes: u64,
}
