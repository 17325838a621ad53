//! The results: the image of the Default segment, requested files, and the program in the form of [`formats`]. Reads
//! what evaluation settled; changes nothing.

use diagnostics::{Position, Span};
use formats::program::{self, Block, Breakpoint, Item, Label, Program, Segment, Source, Watchpoint};
use formats::sym;

use crate::check;
use crate::codes::Code;
use crate::eval::{Request, Settled, Watch};
use crate::layout::image;
use crate::layout::memory::Memory;
use crate::options::Options;
use crate::output::{Image, OutputFile, OutputKind};
use crate::report::Report;
use crate::source::Sources;
use crate::tree::*;
use crate::values::{Value, to_i32};

/// Whether a path may lead out of the directory it is relative to.
pub(crate) fn leaves_directory(name: &str) -> bool {
    let is_absolute = name.starts_with(['/', '\\']) || name.as_bytes().get(1) == Some(&b':');
    is_absolute || name.split(['/', '\\']).any(|part| part == "..")
}

/// The Default segment; `None` if it is empty and there are others.
pub(crate) fn main_image(memory: &Memory, limit: u64, reports: &mut Vec<Report>) -> Option<Image> {
    let default = memory.segments.first()?;
    let content = &default.parameters.content;
    let result = image::pieces(memory, Some(0), content).and_then(|pieces| {
        if pieces.is_empty() && memory.segments.len() > 1 {
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
    if is_bin { image.bytes.clone() } else { formats::prg::write(image.start, &image.bytes) }
}

/// Makes the files the source asks for.
pub(crate) fn files(
    settled: &Settled,
    root: &str,
    options: &Options,
    reports: &mut Vec<Report>,
) -> Vec<OutputFile> {
    let mut files = Vec::new();
    let limit = options.limits.output_bytes;
    for (index, segment) in settled.made.memory.segments.iter().enumerate() {
        let parameters = &segment.parameters;
        for (name, is_bin) in [(&parameters.out_prg, false), (&parameters.out_bin, true)] {
            let Some(name) = name else { continue };
            let image = image::pieces(&settled.made.memory, Some(index), &parameters.content)
                .and_then(|pieces| image::flatten(&pieces, &parameters.content, limit));
            match image {
                Ok(image) => files.push(OutputFile {
                    name: expand(name, root),
                    bytes: file_bytes(&image, is_bin),
                    kind: if is_bin { OutputKind::Bin } else { OutputKind::Prg },
                }),
                Err(error) => reports.push(check::report(error, segment.span)),
            }
        }
    }
    for request in &settled.made.requests {
        let result = match request {
            Request::File { .. } => file(settled, request, root, options, &mut files),
            Request::Disk { .. } => disk(settled, request, root, options, &mut files),
        };
        if let Err(report) = result {
            reports.push(*report);
        }
    }
    for (name, content) in &settled.made.created {
        let bytes = content.clone().into_bytes();
        files.push(OutputFile { name: expand(name, root), bytes, kind: OutputKind::Text });
    }
    files
}

fn file(
    settled: &Settled,
    request: &Request,
    root: &str,
    options: &Options,
    files: &mut Vec<OutputFile>,
) -> Result<(), Box<Report>> {
    let Request::File { name, is_bin, per_block, content, span } = request else { return Ok(()) };
    let limit = options.limits.output_bytes;
    let name = expand(name, root);
    let kind = if *is_bin { OutputKind::Bin } else { OutputKind::Prg };
    let segment = format!("<<.file:{name}>>");
    let made = image::pieces(&settled.made.memory, None, content).and_then(|pieces| {
        image::check(&segment, &pieces, content, options.allow_overlap)?;
        Ok(pieces)
    });
    let pieces = made.map_err(|error| Box::new(check::report(error, Some(*span))))?;
    if *per_block {
        for piece in &pieces {
            let image = Image { start: piece.start, bytes: piece.bytes.clone() };
            let name = block_name(&name, &piece.name);
            files.push(OutputFile { name, bytes: file_bytes(&image, *is_bin), kind });
        }
        return Ok(());
    }
    let image = image::flatten(&pieces, content, limit)
        .map_err(|error| Box::new(check::report(error, Some(*span))))?;
    files.push(OutputFile { name, bytes: file_bytes(&image, *is_bin), kind });
    Ok(())
}

fn disk(
    settled: &Settled,
    request: &Request,
    root: &str,
    options: &Options,
    files: &mut Vec<OutputFile>,
) -> Result<(), Box<Report>> {
    let Request::Disk { name, options: format, files: entries, span } = request else { return Ok(()) };
    let mut on_disk = Vec::new();
    for entry in entries {
        let segment = format!("<<.disk:{}>>", entry.file.name);
        let image = image::bytes_of(&settled.made.memory, &segment, &entry.content, options)
            .map_err(|error| Box::new(check::report(error, Some(*span))))?;
        let bytes = match image.bytes.is_empty() {
            true => Vec::new(),
            false => file_bytes(&image, !entry.has_start),
        };
        on_disk.push(formats::d64::File { bytes, ..entry.file.clone() });
    }
    let bytes = formats::d64::build(format, &on_disk).map_err(|error| {
        Box::new(Report::error(Code::DiskError, *span, format!("Can't make the disk '{name}': {error}")))
    })?;
    files.push(OutputFile { name: expand(name, root), bytes, kind: OutputKind::Disk });
    Ok(())
}

/// The program in the form that the writers of side files take.
pub(crate) fn program(settled: Settled, tree: &Tree, sources: &Sources, options: &Options) -> Program {
    let mut program = Program::default();
    let is_mapped = options.source_map;
    if options.symbols {
        program.symbols = scope_symbols(&settled, tree, ROOT_SCOPE, tree.scopes[ROOT_SCOPE as usize].base, 0);
        program.labels = settled
            .made
            .labels
            .iter()
            .map(|entry| {
                let symbol = &tree.symbols[entry.symbol as usize];
                let name = tree.name(symbol.name);
                let at = if is_mapped { label_range(sources, symbol.span) } else { program::Span::default() };
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
    program.breakpoints = settled
        .made
        .breakpoints
        .iter()
        .map(|watch| {
            let (segment, address, argument) = point(watch);
            Breakpoint { segment, address, argument }
        })
        .collect();
    program.watchpoints = settled
        .made
        .watchpoints
        .iter()
        .map(|watch| {
            let (segment, address, argument) = point(watch);
            Watchpoint { segment, address, end: watch.end, argument }
        })
        .collect();
    for segment in settled.made.memory.segments {
        let mut out = Segment {
            name: segment.name,
            dest: segment.parameters.dest,
            hide: segment.parameters.content.hide,
            blocks: Vec::new(),
        };
        for block in segment.blocks {
            if block.bytes.is_empty() && !block.is_explicit {
                continue;
            }
            let start = block.start.unwrap_or(0);
            let items = block.items.iter().map(|item| {
                let at = range(sources, tree.stmt_spans[item.stmt as usize]);
                Item { address: start + i64::from(item.offset), len: item.len, at }
            });
            let items = if is_mapped { items.collect() } else { Vec::new() };
            out.blocks.push(Block {
                name: block.name,
                start,
                is_virtual: block.is_virtual,
                items,
                bytes: block.bytes,
            });
        }
        program.segments.push(out);
    }
    program
}

/// The sources in the form that the writers of side files take.
pub(crate) fn sources(sources: &diagnostics::Sources, with_text: bool) -> Vec<Source> {
    let text = |text: &str| if with_text { text.to_owned() } else { String::new() };
    let files = sources.iter();
    files.map(|(_, file)| Source { text: text(file.text()), path: file.name().to_owned() }).collect()
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

/// The named symbols of a scope whose frame starts at a slot.
fn scope_symbols(settled: &Settled, tree: &Tree, scope: ScopeId, base: u32, depth: u32) -> sym::Scope {
    let mut out = sym::Scope::default();
    if depth > 100 {
        return out;
    }
    for &id in &tree.scope_symbols[tree.scopes[scope as usize].symbols.range()] {
        let symbol = &tree.symbols[id as usize];
        let kind = match symbol.kind {
            SymbolKind::MultiLabel => continue,
            SymbolKind::Variable | SymbolKind::Constant => sym::Kind::Hidden,
            SymbolKind::Namespace => {
                let scope = tree.namespaces[symbol.slot as usize].scope;
                let base = tree.scopes[scope as usize].base;
                sym::Kind::Namespace(scope_symbols(settled, tree, scope, base, depth + 1))
            }
            SymbolKind::Label => {
                let Some(value) = settled.value(base + symbol.slot).as_number() else { continue };
                let value = i64::from(to_i32(value));
                let members = match symbol.is_entity {
                    true => members(settled, tree, base + symbol.slot + 1, depth),
                    false => None,
                };
                sym::Kind::Label { value, members }
            }
        };
        out.entries.push(sym::Entry { name: tree.name(symbol.name).to_owned(), kind });
    }
    out
}

/// Bodies of labels are listed, those of calls are shown empty, loops not at all.
fn members(settled: &Settled, tree: &Tree, slot: u32, depth: u32) -> Option<sym::Scope> {
    match settled.value(slot) {
        Value::Members(frame) => {
            let (scope, base) = settled.frame_scope(*frame);
            if tree.scopes[scope as usize].callable != 0 && is_body(tree, scope) {
                return Some(sym::Scope::default());
            }
            Some(scope_symbols(settled, tree, scope, base, depth + 1))
        }
        _ => None,
    }
}

/// Whether a scope is the body of a macro or pseudo command itself.
fn is_body(tree: &Tree, scope: ScopeId) -> bool {
    let callable = tree.scopes[scope as usize].callable;
    tree.callables[callable as usize].scope == scope
}
