//! The results: the image of the Default segment, requested files, and the program in the form of [`formats`]. Reads
//! what evaluation settled; changes nothing.

use std::collections::{HashMap, HashSet};

use tempo_diagnostics::{FileId, Position, Span};
use tempo_formats::crt;
use tempo_formats::d64::D64Error;
use tempo_formats::program::{
    self, Block, Breakpoint, Fill, Item, Label, Program, Segment, Source, Watchpoint,
};
use tempo_formats::sym;

use crate::check;
use crate::codes::Code;
use crate::eval::{Half, LabelEntry, Made, Request, Settled, Watch};
use crate::layout::image;
use crate::layout::memory::{Content, Memory, Piece};
use crate::options::{Limits, Options};
use crate::output::{Image, OutputFile, OutputKind};
use crate::report::Report;
use crate::source::Sources;
use crate::tree::*;
use crate::values::{FrameId, Value, to_i32};

/// Whether a path may lead out of the directory it is relative to.
pub(crate) fn leaves_directory(name: &str) -> bool {
    let is_absolute = name.starts_with(['/', '\\']) || name.as_bytes().get(1) == Some(&b':');
    is_absolute || name.split(['/', '\\']).any(|part| part == "..")
}

/// Why a file that a source names is not written, in Kick Assembler's words.
pub(crate) fn outside_message(name: &str) -> String {
    format!(
        "Can't write file '{name}' since outputfiles specified in the sourcecode which is outside the natural output \
         dir is blocked unless deliberately turned on. Use -afo switch to allow file output."
    )
}

/// The Default segment; `None` if it is empty and something else is written. Files count as segments, and so do those on
/// disks.
pub(crate) fn main_image(made: &Made, limit: u64, reports: &mut Vec<Report>) -> Option<Image> {
    let memory = &made.memory;
    let is_content = |request: &Request| match request {
        Request::Segment(_) => false,
        Request::File { .. } => true,
        Request::Disk { files, .. } => !files.is_empty(),
        Request::Cartridge { .. } => true,
    };
    let has_others = memory.segments.len() > 1 || made.requests.iter().any(is_content);
    let default = memory.segments.first()?;
    let content = &default.parameters.content;
    let result = image::pieces(memory, Some(0), content).and_then(|pieces| {
        if pieces.is_empty() && has_others {
            return Ok(None);
        }
        image::flatten(&pieces, content, limit).map(Some)
    });
    result.unwrap_or_else(|error| {
        reports.push(check::report(error, None));
        None
    })
}

/// `%o` is the name of the main source without extension.
fn expand(name: &str, root: &str) -> String {
    let file = root.rsplit(['/', '\\']).next().unwrap_or(root);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    name.replace("%o", stem)
}

/// `Data.prg` → `Data_Block.prg`
fn block_name(name: &str, block: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}_{block}.{extension}"),
        None => format!("{name}_{block}"),
    }
}

fn file_bytes(image: &Image, is_bin: bool) -> Vec<u8> {
    if is_bin { image.bytes.clone() } else { tempo_formats::prg::write(image.start, &image.bytes) }
}

/// Makes the files the source asks for: programs and disks in source order, then those of `createFile`.
pub(crate) fn files(
    settled: &Settled,
    root: &str,
    options: &Options,
    reports: &mut Vec<Report>,
) -> Vec<OutputFile> {
    let mut files = Vec::new();
    let limit = options.limits.output_bytes;
    let mut room = Room { counted: 0, left: limit };
    for request in &settled.made.requests {
        let (result, span) = match request {
            Request::Segment(index) => {
                segment(settled, *index, root, limit, &mut files, reports);
                (Ok(()), settled.made.memory.segments[*index].span)
            }
            Request::File { span, .. } => (file(settled, request, root, options, &mut files), Some(*span)),
            Request::Disk { files: first, .. } => {
                let span = first.first().map(|file| file.span);
                (disk(settled, request, root, options, &mut files), span)
            }
            Request::Cartridge { span, .. } => {
                (cartridge(settled, request, root, options, &mut files), Some(*span))
            }
        };
        if let Err(report) = result {
            reports.push(*report);
        }
        if !room.holds(&files) {
            reports.push(too_many_files(limit, span));
            return Vec::new();
        }
    }
    for (name, content) in &settled.made.created {
        let bytes = content.clone().into_bytes();
        files.push(OutputFile::new(expand(name, root), bytes, OutputKind::Text));
    }
    files
}

impl OutputFile {
    fn new(name: String, bytes: Vec<u8>, kind: OutputKind) -> OutputFile {
        OutputFile { name, bytes, kind, remarks: Vec::new() }
    }
}

/// The files of `outPrg` and `outBin`.
fn segment(
    settled: &Settled,
    index: usize,
    root: &str,
    limit: u64,
    files: &mut Vec<OutputFile>,
    reports: &mut Vec<Report>,
) {
    let segment = &settled.made.memory.segments[index];
    let parameters = &segment.parameters;
    for (name, kind) in [(&parameters.out_prg, OutputKind::Prg), (&parameters.out_bin, OutputKind::Bin)] {
        let Some(name) = name else { continue };
        let image = image::pieces(&settled.made.memory, Some(index), &parameters.content)
            .and_then(|pieces| image::flatten(&pieces, &parameters.content, limit));
        let name = expand(name, root);
        if is_taken(files, &name) {
            let message = format!("A file called '{name}' already exist");
            reports.push(Report::error(Code::OutputClash, segment.span, message));
            continue;
        }
        match image {
            Ok(image) => files.push(OutputFile::new(name, file_bytes(&image, kind == OutputKind::Bin), kind)),
            Err(error) => reports.push(check::report(error, segment.span)),
        }
    }
}

/// How much more may be written: a program of one kilobyte can ask for gigabytes of files.
struct Room {
    /// How many files are counted already.
    counted: usize,
    left: u64,
}

impl Room {
    /// Counts the files that are new; false if that is too much. The smallest file takes a block of the disk.
    fn holds(&mut self, files: &[OutputFile]) -> bool {
        const BLOCK: u64 = 4096;
        let new: u64 = files[self.counted..].iter().map(|file| BLOCK.max(file.bytes.len() as u64)).sum();
        self.counted = files.len();
        let left = self.left.checked_sub(new);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

fn too_many_files(limit: u64, span: Option<Span>) -> Report {
    let message = format!("More than {limit} bytes of output in all files");
    Report::error(Code::TooMuchOutput, span, message).with_help(Limits::raised("output", limit))
}

/// Whether a program or data file of this name is among the files. Of two disks of one name the last one wins.
fn is_taken(files: &[OutputFile], name: &str) -> bool {
    files.iter().any(|file| file.name == name && file.kind != OutputKind::Disk)
}

fn file(
    settled: &Settled,
    request: &Request,
    root: &str,
    options: &Options,
    files: &mut Vec<OutputFile>,
) -> Result<(), Box<Report>> {
    let Request::File { name, name_span, is_bin, per_block, content, span } = request else {
        return Ok(());
    };
    let limit = options.limits.output_bytes;
    let name = expand(name, root);
    if is_taken(files, &name) {
        let message = format!("There already exist a file with the name of: {name}");
        return Err(Box::new(Report::error(Code::OutputClash, *name_span, message)));
    }
    let kind = if *is_bin { OutputKind::Bin } else { OutputKind::Prg };
    let segment = format!("<<.file:{name}>>");
    let made = image::pieces(&settled.made.memory, None, content).and_then(|pieces| {
        image::check(&segment, &pieces, content, false)?;
        Ok(pieces)
    });
    let pieces = made.map_err(|error| Box::new(check::report(error, Some(*span))))?;
    if *per_block {
        let mut names: Vec<&str> = pieces.iter().map(|piece| &piece.name[..]).collect();
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        for block in names {
            // Blocks of one name share a file.
            let parts: Vec<Piece> = pieces.iter().filter(|piece| piece.name == block).cloned().collect();
            let image = image::flatten(&parts, &Content::default(), limit)
                .map_err(|error| Box::new(check::report(error, Some(*span))))?;
            let mut made = OutputFile::new(block_name(&name, block), file_bytes(&image, *is_bin), kind);
            let count = parts.len();
            if count > 1 {
                let remark =
                    format!("{count} blocks have the name '{block}'. They will be merged in the same file.");
                made.remarks.push(remark);
            }
            files.push(made);
        }
        return Ok(());
    }
    let image = image::flatten(&pieces, content, limit)
        .map_err(|error| Box::new(check::report(error, Some(*span))))?;
    files.push(OutputFile::new(name, file_bytes(&image, *is_bin), kind));
    Ok(())
}

fn disk(
    settled: &Settled,
    request: &Request,
    root: &str,
    options: &Options,
    files: &mut Vec<OutputFile>,
) -> Result<(), Box<Report>> {
    let Request::Disk { name, options: format, shows_info, files: entries } = request else { return Ok(()) };
    let mut on_disk = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let segment = format!("<<.diskfile-{number}>>");
        let image = image::bytes_of(&settled.made.memory, &segment, &entry.content, options)
            .map_err(|error| Box::new(check::report(error, Some(entry.span))))?;
        let bytes = match image.bytes.is_empty() {
            true => Vec::new(),
            false => file_bytes(&image, !entry.has_start),
        };
        on_disk.push(tempo_formats::d64::File { bytes, ..entry.file.clone() });
    }
    let disk = tempo_formats::d64::layout(format, &on_disk).map_err(|error| {
        let problem = match &error {
            D64Error::DiskFull { .. } => "Disk is full!".to_owned(),
            D64Error::DirectoryFull(_) => {
                "D64Image: Tried to access sector 19 on track 18 (Allowed range for this \
                                           sector is [0..19]"
                    .to_owned()
            }
            other => other.to_string(),
        };
        let report =
            Report::error(Code::DiskError, None, format!("Error while generating '{name}': {problem}"));
        Box::new(report.with_note(error.to_string()))
    })?;
    let mut remarks = Vec::new();
    if *shows_info {
        remarks.push(format!("Info for disk '{}'", format.name));
        for (file, stored) in on_disk.iter().zip(&disk.stored) {
            let (track, sector) = stored.start.map_or((0, 0), |place| (place.track, place.sector));
            let sectors = stored.blocks;
            remarks.push(format!("  \"{}\", sectors={sectors}, startTS={track}:{sector}", file.name));
        }
    }
    let bytes = disk.image;
    files.push(OutputFile { name: expand(name, root), bytes, kind: OutputKind::Disk, remarks });
    Ok(())
}

fn cartridge(
    settled: &Settled,
    request: &Request,
    root: &str,
    options: &Options,
    files: &mut Vec<OutputFile>,
) -> Result<(), Box<Report>> {
    let Request::Cartridge { name, kind, title, halves, span } = request else { return Ok(()) };
    let mut parts = Vec::new();
    for half in halves {
        let bytes = half_bytes(settled, *kind, half, options)?;
        parts.push(crt::Part { bank: half.bank, is_high: half.is_high, bytes });
    }
    let title = title.as_deref().unwrap_or(kind.default_name());
    let image = crt::build(*kind, title, &parts).map_err(|error| {
        let span = error.part().map_or(*span, |part| halves[part].span);
        Box::new(Report::error(Code::CartridgeError, span, error.to_string()))
    })?;
    let remarks =
        image.complaint().map(|complaint| format!("note: {name}: {complaint}")).into_iter().collect();
    let bytes = image.write();
    files.push(OutputFile { name: expand(name, root), bytes, kind: OutputKind::Cartridge, remarks });
    Ok(())
}

/// The bytes of a half of a bank, from its first one on.
fn half_bytes(
    settled: &Settled,
    kind: crt::Kind,
    half: &Half,
    options: &Options,
) -> Result<Vec<u8>, Box<Report>> {
    let segments = Content { segments: half.segments.clone(), ..Content::default() };
    let image = image::bytes_of(&settled.made.memory, "<<.cartridge>>", &segments, options)
        .map_err(|error| Box::new(check::report(error, Some(half.span))))?;
    kind.place(half.is_high, image.start, &image.bytes).map_err(|window| {
        let word = if half.is_high { "hi" } else { "lo" };
        let last = image.start + image.bytes.len() as i64 - 1;
        let message = format!(
            "bank {}: the bytes of {word} are at ${:04X}-${last:04X}, outside ${:04X}-${:04X}",
            half.bank,
            image.start,
            window.start,
            window.end - 1
        );
        Box::new(Report::error(Code::CartridgeError, half.span, message))
    })
}

fn too_many_symbols() -> Report {
    let message = format!("More than {MOST_AGAIN} symbols in variables that hold labels");
    Report::error(Code::TooMuchOutput, None, message).with_help(
        "a variable that holds a label shows the label's scope; `label + 0` holds the address alone",
    )
}

/// The program in the form that the writers of side files take.
pub(crate) fn program(
    settled: Settled,
    tree: &Tree,
    sources: &Sources,
    options: &Options,
) -> Result<Program, Report> {
    let mut program = Program::default();
    let is_mapped = options.source_map;
    // The place of a label before an operand is that of the instruction.
    let mut mnemonics = HashMap::new();
    if is_mapped {
        for (at, stmt) in tree.stmts.entries() {
            if let (Stmt::ArgumentLabel { symbol }, Some(&span)) = (stmt, tree.stmt_spans.get(at.next())) {
                mnemonics.insert(*symbol, span);
            }
        }
    }
    if options.symbols {
        let mut listing =
            Listing { settled: &settled, tree, open: Vec::new(), is_again: false, left: MOST_AGAIN };
        let symbols = listing.scope(ROOT_SCOPE, tree.scopes[ROOT_SCOPE].base);
        program.symbols = symbols.ok_or_else(too_many_symbols)?;
        let mut labels: Vec<&LabelEntry> = settled.made.labels.iter().collect();
        labels.sort_by_key(|entry| entry.pass);
        program.labels = labels
            .into_iter()
            .map(|entry| {
                let symbol = &tree.symbols[entry.symbol];
                let name = tree.name(symbol.name);
                let at = match mnemonics.get(&entry.symbol) {
                    Some(&mnemonic) => range(sources, mnemonic),
                    None if is_mapped => label_range(sources, symbol.span),
                    None => program::Span::default(),
                };
                Label {
                    segment: entry.segment as usize,
                    name: name.to_owned(),
                    value: i64::from(to_i32(entry.value)),
                    at,
                }
            })
            .collect();
    }
    let point = |watch: &Watch| (watch.segment as usize, watch.start, watch.argument.clone());
    let by_pass = |watches: &[Watch]| {
        let mut watches = watches.to_vec();
        watches.sort_by_key(|watch| watch.pass);
        watches
    };
    program.breakpoints = by_pass(&settled.made.breakpoints)
        .iter()
        .map(|watch| {
            let (segment, address, argument) = point(watch);
            Breakpoint { segment, address, argument }
        })
        .collect();
    program.watchpoints = by_pass(&settled.made.watchpoints)
        .iter()
        .map(|watch| {
            let (segment, address, argument) = point(watch);
            Watchpoint { segment, address, end: watch.end, argument }
        })
        .collect();
    let finished = Finished { memory: &settled.made.memory, tree, sources, is_mapped };
    for (index, segment) in settled.made.memory.segments.iter().enumerate() {
        program.segments.push(Segment {
            name: segment.name.clone(),
            dest: segment.parameters.dest.clone(),
            hide: segment.parameters.content.hide,
            blocks: finished.blocks(index, 0),
            fill: finished.fill(index),
        });
    }
    Ok(program)
}

/// The final contents of segments: their own blocks and those that their parameters bring in.
struct Finished<'a> {
    memory: &'a Memory,
    tree: &'a Tree,
    sources: &'a Sources,
    is_mapped: bool,
}

impl Finished<'_> {
    /// The range that a segment fills.
    fn fill(&self, index: usize) -> Option<Fill> {
        let segment = &self.memory.segments[index];
        let content = &segment.parameters.content;
        let (first, last) = (content.min?, content.max?);
        let is_filled = content.fill && content.packer.is_none() && self.is_mapped;
        let at = segment.span.filter(|_| is_filled)?;
        Some(Fill { first, last, byte: content.fill_byte, at: range(self.sources, at) })
    }

    fn blocks(&self, index: usize, depth: u32) -> Vec<Block> {
        let segment = &self.memory.segments[index];
        let content = &segment.parameters.content;
        if content.packer.is_some() {
            // Segments that cannot be packed were refused.
            let pieces = image::pieces(self.memory, Some(index), content).unwrap_or_default();
            return pieces.iter().map(|piece| self.whole(piece, segment.span)).collect();
        }
        let mut blocks: Vec<Block> =
            content.files.iter().map(|piece| self.whole(piece, piece.span)).collect();
        let own = segment.blocks.iter().filter(|block| !block.bytes.is_empty() || block.is_explicit);
        blocks.extend(own.map(|block| {
            let start = block.start.unwrap_or(0);
            let items = block.items.iter().filter(|_| self.is_mapped).map(|item| {
                let at = range(self.sources, self.tree.stmt_spans[item.stmt]);
                Item { address: start + i64::from(item.offset), len: item.len, at }
            });
            Block {
                name: block.name.clone(),
                start,
                is_virtual: block.is_virtual,
                items: items.collect(),
                bytes: block.bytes.clone(),
            }
        }));
        // The check of overlaps has refused segments that include each other.
        if depth < 100 {
            let included = content.segments.iter().filter_map(|name| self.memory.find(name));
            let included = included.flat_map(|index| self.blocks(index, depth + 1));
            blocks.extend(included.filter(|block| !block.is_virtual && !block.bytes.is_empty()));
        }
        if !content.added.is_empty() {
            // After a modifier it is unknown which statement a byte is from.
            blocks.extend(content.added.iter().map(|piece| self.whole(piece, None)));
            for block in blocks.iter_mut().filter(|block| !block.is_virtual) {
                block.items = self.one_item(block.start, block.bytes.len(), segment.span);
            }
        }
        blocks
    }

    /// A block that a parameter brings in.
    fn whole(&self, piece: &Piece, span: Option<Span>) -> Block {
        let items = self.one_item(piece.start, piece.bytes.len(), span);
        let (name, start, bytes) = (piece.name.clone(), piece.start, piece.bytes.clone());
        Block { name, start, is_virtual: false, items, bytes }
    }

    fn one_item(&self, address: i64, len: usize, span: Option<Span>) -> Vec<Item> {
        let span = span.filter(|_| self.is_mapped && len > 0);
        span.map(|span| Item { address, len: len as u32, at: range(self.sources, span) })
            .into_iter()
            .collect()
    }
}

/// The sources in the form that the writers of side files take.
pub(crate) fn sources(
    sources: &tempo_diagnostics::Sources,
    shown: &[Option<String>],
    with_text: bool,
) -> Vec<Source> {
    let text = |text: &str| if with_text { text.to_owned() } else { String::new() };
    let files = sources.iter();
    files
        .map(|(FileId(id), file)| {
            let name = shown.get(id as usize).cloned().flatten().unwrap_or_default();
            Source { text: text(file.text()), path: file.name().to_owned(), name }
        })
        .collect()
}

/// A range of one line as side files have it: the end column is the last one inside.
fn range(sources: &Sources, span: Span) -> program::Span {
    let Position { line, column } = sources.position(span);
    let end_column = column + span.len().max(1) - 1;
    program::Span { file: sources.file_of(span), line, column, end_line: line, end_column }
}

/// `name:`, or the name alone where no colon touches it.
fn label_range(sources: &Sources, name: Span) -> program::Span {
    let colon = Span { start: name.end, end: name.end + 1 };
    range(sources, if sources.text_of(colon) == ":" { name.to(colon) } else { name })
}

/// How many symbols may be listed again: a variable that holds a label shows the label's scope, so that a few lines can
/// show any number.
const MOST_AGAIN: usize = 1 << 20;

/// Lists symbols, scope by scope.
struct Listing<'a> {
    settled: &'a Settled,
    tree: &'a Tree,
    /// The scopes around the present one, with the slots where their frames start.
    open: Vec<(ScopeId, u32)>,
    /// The present scope is that of a label in a variable.
    is_again: bool,
    /// How many symbols of such scopes may follow.
    left: usize,
}

impl Listing<'_> {
    /// The named symbols of a scope whose frame starts at a slot; `None` if they are too many. A scope inside itself, in
    /// a variable that holds its label, is shown empty.
    fn scope(&mut self, scope: ScopeId, base: u32) -> Option<sym::Scope> {
        let mut out = sym::Scope::default();
        if self.open.len() > 100 || self.open.contains(&(scope, base)) {
            return Some(out);
        }
        self.open.push((scope, base));
        let (settled, tree) = (self.settled, self.tree);
        for &id in &tree.scope_symbols[tree.scopes[scope].symbols.range()] {
            let symbol = &tree.symbols[id];
            let kind = match symbol.kind {
                SymbolKind::MultiLabel => continue,
                // Whatever holds a label counts as one.
                SymbolKind::Variable | SymbolKind::Constant => match settled.value(base + symbol.slot) {
                    &Value::Label(has_members, slot, value) => {
                        let outer = std::mem::replace(&mut self.is_again, true);
                        let members = if has_members { self.members(slot + 1)? } else { None };
                        self.is_again = outer;
                        sym::Kind::Label { value: i64::from(to_i32(value)), members }
                    }
                    _ => sym::Kind::Hidden,
                },
                SymbolKind::Namespace => {
                    let scope = tree.namespaces[symbol.namespace()].scope;
                    let base = tree.scopes[scope].base;
                    sym::Kind::Namespace(self.scope(scope, base)?)
                }
                SymbolKind::Label => {
                    let Some(value) = settled.value(base + symbol.slot).as_number() else { continue };
                    let value = i64::from(to_i32(value));
                    let members = if symbol.is_entity { self.members(base + symbol.slot + 1)? } else { None };
                    sym::Kind::Label { value, members }
                }
            };
            self.left = self.left.checked_sub(usize::from(self.is_again))?;
            out.entries.push(sym::Entry { name: tree.name(symbol.name).to_owned(), kind });
        }
        self.open.pop();
        Some(out)
    }

    /// Bodies of labels are listed, those of calls are shown empty, loops not at all.
    fn members(&mut self, slot: u32) -> Option<Option<sym::Scope>> {
        match self.settled.value(slot) {
            Value::Members(FrameId::NONE) => Some(Some(sym::Scope::default())),
            Value::Members(frame) => {
                let (scope, base) = self.settled.frame_scope(*frame);
                if self.tree.scopes[scope].callable != 0 && is_body(self.tree, scope) {
                    return Some(Some(sym::Scope::default()));
                }
                self.scope(scope, base).map(Some)
            }
            _ => Some(None),
        }
    }
}

/// Whether a scope is the body of a macro or pseudo command itself.
fn is_body(tree: &Tree, scope: ScopeId) -> bool {
    let callable = tree.scopes[scope].callable;
    tree.callables[callable as usize].scope == scope
}
