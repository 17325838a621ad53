//! Directives about segments and the files made from them. Files are only noted here; `emit` makes them.

use super::parameters::Evaluated;
use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::dialect::Place;
use crate::intern::Name;
use crate::layout::image;
use crate::layout::memory::{Content, DEFAULT_START, SegmentParameters};
use crate::layout::segment_out::SegmentOut;
use crate::names;
use crate::options::Errors;
use crate::report::Report;
use crate::tree::{ExprId, NONE, Parameters, StmtId};
use crate::values::{Invalid, InvalidKind};
use tempo_diagnostics::Span;

/// Something to be made when the addresses are final.
#[derive(Debug, Clone)]
pub(crate) enum Request {
    /// The files of `outPrg` and `outBin`, by the number of the segment.
    Segment(usize),
    File {
        name: String,
        name_span: Span,
        is_bin: bool,
        per_block: bool,
        content: Content,
        span: Span,
    },
    Disk {
        name: String,
        options: tempo_formats::d64::Options,
        shows_info: bool,
        files: Vec<DiskFile>,
    },
    Cartridge {
        name: String,
        kind: tempo_formats::crt::Kind,
        /// For the header.
        title: Option<String>,
        halves: Vec<Half>,
        span: Span,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct DiskFile {
    /// Without the bytes.
    pub file: tempo_formats::d64::File,
    pub has_start: bool,
    pub content: Content,
    /// The bracket of its parameters.
    pub span: Span,
}

/// A half of a bank of a cartridge.
#[derive(Debug, Clone)]
pub(crate) struct Half {
    pub bank: u16,
    pub is_high: bool,
    /// The names of the segments.
    pub segments: Vec<String>,
    /// The parameter that names them.
    pub span: Span,
}

impl Evaluator<'_> {
    pub(super) fn define_segment(&mut self, at: StmtId, name: Name, parameters: &Parameters) -> Eval<usize> {
        let map = self.evaluate_parameters(at, parameters, Place::Segment);
        let name = self.tree.name(name).to_owned();
        let span = self.tree.stmt_spans[at];
        let parameters = match map.and_then(|map| self.segment_parameters(at, &map)) {
            Ok(parameters) => parameters,
            Err(report) => {
                // What switches to it later has no fault of its own.
                if self.options.errors == Errors::Many && self.made.memory.find(&name).is_none() {
                    let start = Some(DEFAULT_START);
                    self.made.memory.define(name, SegmentParameters::default(), start, Some(span));
                }
                return Err(report);
            }
        };
        if self.made.memory.find(&name).is_some() {
            let mut report = self.error(
                Code::DuplicateSegment,
                span,
                format!("Already have a segment by the name of: {name}"),
            );
            let position = self.sources.position(span);
            report.span = None;
            report.notes.push(format!("the second definition is at line {}", position.line));
            return Err(report);
        }
        for file in [&parameters.out_prg, &parameters.out_bin].into_iter().flatten() {
            self.check_output_name(file, span)?;
        }
        let start = match &parameters.start_after {
            None => Some(parameters.start.unwrap_or(DEFAULT_START)),
            Some(_) => self.previous.as_ref().and_then(|memory| self.starts[memory.find(&name)?]),
        };
        let start = start.map(|start| parameters.aligned(start));
        let is_written = parameters.out_prg.is_some() || parameters.out_bin.is_some();
        let segment = self.made.memory.define(name, parameters, start, Some(span));
        if is_written {
            self.made.requests.push(Request::Segment(segment));
        }
        Ok(segment)
    }

    pub(super) fn segment(
        &mut self,
        at: StmtId,
        name: Name,
        block: u32,
        parameters: Option<&Parameters>,
    ) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        if self.in_pseudo_pc {
            let message = "Can't switch segment while inside a pseudopc directive";
            let mut report = self.error(Code::BlockInPseudoPc, span, message);
            // Kick Assembler gives no place; the note names the line.
            report.span = None;
            report
                .notes
                .push(format!("the segment is switched at line {}", self.sources.position(span).line));
            return Err(report);
        }
        let segment = match parameters {
            Some(parameters) => self.define_segment(at, name, parameters)?,
            None => match self.made.memory.find(self.tree.name(name)) {
                Some(segment) => segment,
                None => {
                    let text = self.tree.name(name);
                    let mut report =
                        self.error(Code::UndefinedSegment, span, format!("Undefined segment '{text}'"));
                    let known = self.made.memory.segments.iter().map(|segment| &segment.name[..]);
                    report.help = Some(match tempo_diagnostics::nearest(text, known) {
                        Some(near) => format!("did you mean '{near}'?"),
                        None => format!("define it above: .segmentdef {text} [start=$1000]"),
                    });
                    return Err(report);
                }
            },
        };
        self.made.memory.switch(segment);
        if block != NONE {
            let name = self.tree.strings[block as usize].as_str().to_owned();
            self.made.memory.continue_block(name, span);
        }
        Ok(())
    }

    /// At the end of a pass: segments that start after another one need it, and may still wait for it.
    pub(super) fn check_segment_starts(&mut self) {
        let circles = self.circles();
        let mut unknown = Vec::new();
        let mut waiting = Vec::new();
        for (segment, is_in_circle) in self.made.memory.segments.iter().zip(circles) {
            let Some(before) = &segment.parameters.start_after else { continue };
            let span = segment.span.unwrap_or_default();
            if self.made.memory.find(before).is_none() {
                unknown.push(Report::error(
                    Code::UnknownStartAfter,
                    span,
                    format!("Unknown segment '{before}'"),
                ));
            } else if is_in_circle {
                let name = &segment.name;
                let message =
                    format!("Can't resolve start address. Segment '{name}' is part of a circular reference.");
                unknown.push(Report::error(Code::SegmentCycle, span, message));
            } else if segment.blocks.first().is_some_and(|block| block.start.is_none()) {
                waiting.push(span);
            }
        }
        for report in unknown {
            self.report(report);
        }
        for span in waiting {
            self.unresolved(Invalid::new(InvalidKind::Number, ExprId::NONE), span);
        }
    }

    /// For each segment whether the segments before it lead back to it.
    fn circles(&self) -> Vec<bool> {
        let memory = &self.made.memory;
        let count = memory.segments.len();
        let before = |index: usize| memory.find(memory.segments[index].parameters.start_after.as_ref()?);
        let mut is_in_circle = vec![false; count];
        // The walk in which a segment was seen first; walks stop at what an earlier one has seen.
        let mut seen = vec![count; count];
        for walk in 0..count {
            let mut next = Some(walk);
            while let Some(index) = next.filter(|&index| seen[index] == count) {
                seen[index] = walk;
                next = before(index);
            }
            let Some(entry) = next.filter(|&index| seen[index] == walk) else { continue };
            let mut next = Some(entry);
            while let Some(index) = next.filter(|&index| !is_in_circle[index]) {
                is_in_circle[index] = true;
                next = before(index);
            }
        }
        is_in_circle
    }

    pub(super) fn segment_out(&mut self, at: StmtId, parameters: &Parameters) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        if self.bodies > 0 {
            let message = "'.segmentout' is not allowed in data that a modifier packs";
            let mut report = self.error(Code::Packing, span, message);
            report.help =
                Some("its bytes are known after packing; pack the segment itself with 'modify='".into());
            return Err(report);
        }
        let map = self.evaluate_parameters(at, parameters, Place::Content)?;
        let content = self.content(at, &map)?;
        let Some(len) = self.previous_len(&content, span)? else {
            let unknown = Invalid::new(InvalidKind::Number, ExprId::NONE);
            self.unresolved(unknown, span);
            self.lose_size(at, unknown);
            return Ok(());
        };
        let offset = self.made.memory.len();
        self.check_room(span, len as u64)?;
        self.made.memory.extend(&vec![0; len]);
        let segment = self.made.memory.current;
        let block = self.made.memory.segments[segment].current;
        self.made.segment_outs.push(SegmentOut { segment, block, offset, len, content, span });
        self.finish(at, offset)
    }

    /// How many bytes the segments had in the pass before, if that is final.
    fn previous_len(&self, content: &Content, span: Span) -> Eval<Option<usize>> {
        let Some(memory) = &self.previous else { return Ok(None) };
        let is_final = |name: &String| {
            memory.find(name).is_none_or(|index| {
                let mut blocks = memory.segments[index].blocks.iter();
                blocks.all(|block| block.has_size && (block.start.is_some() || block.bytes.is_empty()))
            })
        };
        if !content.segments.iter().all(is_final) {
            return Ok(None);
        }
        let pieces = image::pieces(memory, None, content)
            .map_err(|error| self.error(Code::UnknownSubsegment, span, error.to_string()))?;
        let image = image::flatten(&pieces, content, self.made.memory.limit)
            .map_err(|error| self.error(Code::MemoryTooLarge, span, error.to_string()))?;
        Ok(Some(image.bytes.len()))
    }

    /// A file name the source asks for must stay in the output directory.
    fn check_output_name(&self, name: &str, span: Span) -> Eval<()> {
        if !self.options.allow_outside_output && crate::emit::leaves_directory(name) {
            let message = crate::emit::outside_message(name);
            return Err(self.outside_output(self.error(Code::OutsideOutput, span, message), span));
        }
        Ok(())
    }

    pub(super) fn file(&mut self, at: StmtId, parameters: &Parameters) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let map = self.evaluate_parameters(at, parameters, Place::File)?;
        let name = self.required_text(&map, names::NAME)?;
        self.check_output_name(&name, span)?;
        let kind = self.parameter_text(&map, names::TYPE)?;
        let is_bin = match kind.as_deref() {
            None | Some("prg") => false,
            Some("bin") => true,
            Some(other) => {
                let span = map.span_of(names::TYPE).unwrap_or(span);
                return self.fail(Code::UnknownType, span, format!("Unknown type: {other}"));
            }
        };
        let per_block = self.parameter_flag(&map, names::MBFILES)?;
        let content = self.content(at, &map)?;
        let name_span = map.span_of(names::NAME).unwrap_or(span);
        self.made.requests.push(Request::File { name, name_span, is_bin, per_block, content, span });
        Ok(())
    }

    pub(super) fn disk(
        &mut self,
        at: StmtId,
        writer: Option<Name>,
        parameters: &Parameters,
        files: &[Parameters],
    ) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        if let Some(writer) = writer {
            let message = format!("Unknown disk writer '{}'", self.tree.name(writer));
            let mut report = self.error(Code::NeedsJava, span, message);
            report.help = Some("disk writers come from Java plugins, which cannot be run here".to_owned());
            return Err(report);
        }
        let map = self.evaluate_parameters(at, parameters, Place::Disk)?;
        let name = self.required_text(&map, names::FILENAME)?;
        self.check_output_name(&name, span)?;
        let mut options = tempo_formats::d64::Options::default();
        if let Some(title) = self.parameter_text(&map, names::NAME)? {
            options.name = title;
        }
        if let Some(id) = self.parameter_text(&map, names::ID)? {
            options.id = id;
        }
        if let Some(format) = self.parameter_text(&map, names::FORMAT)? {
            options.format = match tempo_formats::d64::Format::from_name(&format) {
                Some(format) => format,
                None => {
                    let span = map.span_of(names::FORMAT).unwrap_or(span);
                    return self.fail(Code::UnknownType, span, format!("Unknown litteral '{format}'"));
                }
            };
        }
        if let Some(interleave) = self.parameter_integer(&map, names::INTERLEAVE)? {
            options.interleave = interleave.clamp(1, 21) as u32;
        }
        options.dont_split_files_over_dir = self.parameter_flag(&map, names::DONT_SPLIT)?;
        options.store_files_in_dir = self.parameter_flag(&map, names::STORE_IN_DIR)?;
        let shows_info = self.parameter_flag(&map, names::SHOW_INFO)?;
        let mut entries = Vec::new();
        for file in files {
            let map = self.evaluate_parameters(at, file, Place::DiskFile)?;
            entries.push(self.disk_file(at, &map)?);
        }
        self.made.requests.push(Request::Disk { name, options, shows_info, files: entries });
        Ok(())
    }

    fn disk_file(&mut self, at: StmtId, map: &Evaluated) -> Eval<DiskFile> {
        let name = self.required_text(map, names::NAME)?;
        let kind = self.parameter_text(map, names::TYPE)?.unwrap_or_else(|| "prg".to_owned());
        let Some((kind, locked)) = tempo_formats::d64::Kind::from_name(&kind) else {
            let span = map.span_of(names::NAME).unwrap_or(map.span);
            return self.fail(Code::UnknownType, span, format!("Unknown type: {kind}"));
        };
        let interleave = self.parameter_integer(map, names::INTERLEAVE)?.map(|n| n.clamp(1, 21) as u32);
        let hide = self.parameter_flag(map, names::HIDE)?;
        let has_start = match self.optional_flag(map, names::NO_START_ADDR)? {
            Some(is_without) => !is_without,
            None => kind == tempo_formats::d64::Kind::Prg,
        };
        let content = self.content(at, map)?;
        let file = tempo_formats::d64::File { name, kind, locked, hide, interleave, bytes: Vec::new() };
        Ok(DiskFile { file, has_start, content, span: map.span })
    }

    pub(super) fn cartridge(
        &mut self,
        at: StmtId,
        parameters: &Parameters,
        banks: &[Parameters],
    ) -> Eval<()> {
        let span = self.tree.stmt_spans[at];
        let map = self.evaluate_parameters(at, parameters, Place::Cartridge)?;
        let name = self.required_text(&map, names::FILENAME)?;
        self.check_output_name(&name, span)?;
        let word = self.required_text(&map, names::TYPE)?;
        let Some(kind) = tempo_formats::crt::Kind::from_word(&word) else {
            let span = map.span_of(names::TYPE).unwrap_or(span);
            let kinds = tempo_formats::crt::Kind::ALL;
            let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
            let report = self.error(Code::UnknownType, span, format!("Unknown type: {word}"));
            return Err(report.with_help(format!("the types are {}", words.join(", "))).into());
        };
        let title = self.parameter_text(&map, names::NAME)?;
        let mut halves = Vec::new();
        for bank in banks {
            let map = self.evaluate_parameters(at, bank, Place::Bank)?;
            let number = self.parameter_integer(&map, names::BANK_NUMBER)?.unwrap_or(0);
            let Ok(number) = u16::try_from(number) else {
                let span = map.span_of(names::BANK_NUMBER).unwrap_or(map.span);
                return self.fail(Code::CartridgeError, span, format!("there is no bank {number}"));
            };
            let mut is_empty = true;
            for (word, is_high) in [(names::LO, false), (names::HI, true)] {
                let Some(span) = map.span_of(word) else { continue };
                is_empty = false;
                let segments = self.parameter_names(&map, word)?;
                halves.push(Half { bank: number, is_high, segments, span });
            }
            if is_empty {
                let message = format!("bank {number} has neither 'lo' nor 'hi'");
                return self.fail(Code::CartridgeError, map.span, message);
            }
        }
        self.made.requests.push(Request::Cartridge { name, kind, title, halves, span });
        Ok(())
    }
}
