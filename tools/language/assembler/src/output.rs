//! The results of a run: bytes, symbols, console lines and diagnostics. Nothing here is written anywhere.

use tempo_diagnostics::{Severity, SourceMap as _, Sources, Span};
use tempo_formats::program::Program;
use tempo_formats::sym::Kind;
use tempo_formats::symbols::Symbols;

use crate::{Analysis, Diagnostic};

/// Everything a run produced. On errors the parts that depend on them are empty.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// In the order Kick Assembler reports them: reading and parsing, names, evaluation, output.
    pub diagnostics: Vec<Diagnostic>,
    /// Lines of `.print`, `.printnow` and `.assert` in order, indented as they are shown.
    pub console: Vec<String>,
    /// How many of the first lines of the console each pass has printed, by `.printnow`.
    pub printed_now: Vec<usize>,
    /// How many `.assert`s were made and failed.
    pub asserts: AssertCount,
    /// The Default segment as one run of bytes. `None` when it is empty but other segments exist.
    pub image: Option<Image>,
    /// Files asked for by `.file`, `.disk`, `outPrg`, `outBin` and `createFile`, in source order.
    /// Names are relative to the output directory.
    pub files: Vec<OutputFile>,
    /// Segments with their blocks, symbols, labels, break points: what the side files are written from. The items of the
    /// blocks map addresses to source ranges. Which parts are filled in depends on [`Options`](crate::Options).
    pub program: Program,
    /// The texts that were read, the built-in one first. The spans of diagnostics point into them.
    pub sources: Sources,
    /// Lines that conditions of the preprocessor left out: from after the line of a directive to the next directive.
    pub left_out: Vec<Span>,
    /// Passes, lines and bytes.
    pub stats: Stats,
    /// Declarations, uses, expansions and what each statement emitted; `None` unless
    /// [`Options::analysis`](crate::Options::analysis) is set. Also there after errors, as far as the run came.
    pub analysis: Option<Analysis>,
}

impl Output {
    /// Whether any diagnostic is an error. Then there is nothing to write.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Where Kick Assembler sees an import: the name of the file after `#import`, the directive of `.import source`.
    pub fn import_place(&self, import: Span) -> Span {
        // A preprocessor directive is known by its `#`.
        let found = self.sources.find(import.start);
        let rest = found.map_or("", |found| &found.source.text()[found.local(import).start as usize..]);
        let quote = rest.starts_with('#').then(|| rest.find('"')).flatten().unwrap_or(0) as u32;
        Span::at(import.start + quote)
    }

    /// The value of a label, by its path: `start`, `screen.colours`.
    ///
    /// Needs [`Options::symbols`](crate::Options::symbols), which is on by default. To look up many, make a
    /// [`Symbols`] with [`Output::symbols`] once.
    ///
    /// ```
    /// use tempo_assembler::{MemoryFiles, Options, assemble};
    ///
    /// let source = "*=$1000\nstart: nop\n.namespace sid { .label volume = $d418 }\n";
    /// let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
    /// let output = assemble(&files, "main.asm", &Options::default());
    /// assert_eq!(output.symbol("start"), Some(0x1000));
    /// assert_eq!(output.symbol("sid.volume"), Some(0xd418));
    /// assert_eq!(output.symbol("stop"), None);
    /// ```
    pub fn symbol(&self, path: &str) -> Option<i64> {
        let (mut scope, mut rest) = (&self.program.symbols, path);
        loop {
            let (name, inner) =
                rest.split_once('.').map_or((rest, None), |(name, inner)| (name, Some(inner)));
            let entry =
                scope.entries.iter().find(|entry| entry.name == name && entry.kind != Kind::Hidden)?;
            (scope, rest) = match (&entry.kind, inner) {
                (Kind::Label { value, .. }, None) => return Some(*value),
                (Kind::Label { members, .. }, Some(inner)) => (members.as_ref()?, inner),
                (Kind::Namespace(members), Some(inner)) => (members, inner),
                _ => return None,
            };
        }
    }

    /// All labels with their paths, as the symbol file lists them.
    pub fn symbols(&self) -> Symbols {
        Symbols::from_program(&self.program)
    }

    /// The bytes of the program file: load address, then the image. Empty programs are two zero bytes.
    pub fn prg(&self) -> Option<Vec<u8>> {
        self.image.as_ref().map(|image| tempo_formats::prg::write(image.start, &image.bytes))
    }
}

/// Consecutive memory: gaps are filled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// May exceed 16 bits; files keep the low 16.
    pub start: i64,
    /// From `start` on.
    pub bytes: Vec<u8>,
}

/// A file the source asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// As written, with `%o` replaced.
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
    /// The directive that asked for it.
    pub kind: OutputKind,
    /// Lines about it for the console: what `showInfo` says, and remarks about blocks that share it.
    pub remarks: Vec<String>,
}

/// The origin of an output file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// `.file` or `outPrg`, with load address.
    Prg,
    /// `.file` or `outBin`, without.
    Bin,
    /// `.disk`.
    Disk,
    /// `.cartridge`.
    Cartridge,
    /// `createFile`.
    Text,
}

/// How many assertions were made and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AssertCount {
    /// Those that were evaluated.
    pub made: u32,
    /// Those that did not hold.
    pub failed: u32,
}

/// Figures about the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Passes until nothing moved.
    pub passes: u32,
    /// The passes that Kick Assembler takes: one more if operands were filled in after a pass.
    pub kick_passes: u32,
    /// Lines of all sources, imports counted each time they are read.
    pub lines: u64,
    /// Bytes emitted in all segments that are saved.
    pub bytes: u64,
    /// Files that were tokenised, the built-in one included; the others were known from an earlier run
    /// ([`Options::tokens`](crate::Options::tokens)).
    pub scanned: u32,
}
