//! Checks on final addresses: overlapping blocks, segment bounds. Runs once, after the last pass.

use crate::codes::Code;
use crate::layout::image::{self, LayoutError};
use crate::layout::memory::{Memory, Segment};
use crate::options::{Limits, Options};
use crate::report::Report;
use crate::tree::{StmtId, Tree};
use tempo_diagnostics::{Label, Span, plural};

/// Checks every segment that is written or listed.
pub(crate) fn segments(memory: &Memory, tree: &Tree, options: &Options, reports: &mut Vec<Report>) {
    for (index, segment) in memory.segments.iter().enumerate() {
        let content = &segment.parameters.content;
        let result = image::pieces(memory, Some(index), content).and_then(|pieces| {
            // The option is about the Default segment.
            image::check(&segment.name, &pieces, content, options.allow_overlap && index == 0)
        });
        if let Err(error) = result {
            let outside = outside(&error, segment).map(|stmt| tree.stmt_spans[stmt]);
            let mut report = report(error, segment.span);
            let text = "the first byte outside is here".to_owned();
            report.labels.extend(outside.map(|span| Label { span, text }));
            reports.push(report);
        }
    }
}

/// The statement that goes beyond the end of its segment.
fn outside(error: &LayoutError, segment: &Segment) -> Option<StmtId> {
    let LayoutError::Bounds { start, max, .. } = error else { return None };
    let max = address(max)?;
    let block = segment.blocks.iter().find(|block| block.start == Some(*start))?;
    block.first_beyond(max + 1)
}

/// The address that a message names.
fn address(text: &str) -> Option<i64> {
    i64::from_str_radix(text.strip_prefix('$')?, 16).ok()
}

/// Overlaps and bounds have no place of their own, but the blocks have; a segment that is missing has that of the
/// directive.
pub(crate) fn report(error: LayoutError, directive: Option<Span>) -> Report {
    let (code, span) = match &error {
        LayoutError::Overlap { .. } => (Code::Overlap, None),
        LayoutError::Bounds { .. } => (Code::OutOfBounds, None),
        LayoutError::UnknownSegment { .. } => (Code::UnknownSubsegment, directive),
        LayoutError::Cycle(_) => (Code::SegmentCycle, None),
        LayoutError::Packing(_) => (Code::Packing, directive),
        LayoutError::TooLarge { .. } | LayoutError::TooMany { .. } => (Code::MemoryTooLarge, directive),
    };
    let mut report = Report::error(code, span, error.to_string());
    let mut label = |span: Option<Span>, text: String| {
        if let Some(span) = span {
            report.labels.push(Label { span, text });
        }
    };
    report.help = match error {
        LayoutError::Overlap { second_start, first_end, first_span, second_span, .. } => {
            let bytes = first_end - second_start + 1;
            label(first_span, format!("this block goes to ${first_end:04X}"));
            label(second_span, format!("this one begins at ${second_start:04X}"));
            Some(format!("move the second block at least {} up", plural(bytes, "byte")))
        }
        LayoutError::Bounds { start, end, min, max, span, .. } => {
            label(span, format!("this block goes from ${start:04X} to ${end:04X}"));
            label(directive.filter(|&place| Some(place) != span), "the bounds are set here".to_owned());
            match address(&max).filter(|&max| end > max) {
                Some(max) => Some(format!("it has {} too many at its end", plural(end - max, "byte"))),
                None => Some(format!("it starts {} too low", plural(min - start, "byte"))),
            }
        }
        LayoutError::TooLarge { limit, .. } => Some(Limits::raised("output", limit)),
        LayoutError::UnknownSegment { near, .. } => near.map(|near| format!("did you mean '{near}'?")),
        LayoutError::TooMany { .. } => Some("does a segment include another one twice?".to_owned()),
        _ => None,
    };
    report
}
