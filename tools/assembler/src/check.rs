//! Checks on final addresses: overlapping blocks, segment bounds. Runs once, after the last pass.

use crate::codes::Code;
use crate::layout::image::{self, LayoutError};
use crate::layout::memory::Memory;
use crate::lint::plural;
use crate::options::Options;
use crate::report::Report;
use diagnostics::Span;

/// Checks every segment that is written or listed.
pub(crate) fn segments(memory: &Memory, options: &Options, reports: &mut Vec<Report>) {
    for (index, segment) in memory.segments.iter().enumerate() {
        let content = &segment.parameters.content;
        let result = image::pieces(memory, Some(index), content).and_then(|pieces| {
            // The option is about the Default segment.
            image::check(&segment.name, &pieces, content, options.allow_overlap && index == 0)
        });
        if let Err(error) = result {
            reports.push(report(error, segment.span));
        }
    }
}

/// Overlaps and bounds have no place, a segment that is missing has that of the directive.
pub(crate) fn report(error: LayoutError, directive: Option<Span>) -> Report {
    let (code, span) = match &error {
        LayoutError::Overlap { .. } => (Code::Overlap, None),
        LayoutError::Bounds { .. } => (Code::OutOfBounds, None),
        LayoutError::UnknownSegment(_) => (Code::UnknownSubsegment, directive),
        LayoutError::Cycle(_) => (Code::SegmentCycle, None),
        LayoutError::TooLarge { .. } => (Code::MemoryTooLarge, directive),
    };
    let help = match &error {
        LayoutError::Overlap { second_start, first_end, .. } => {
            let bytes = first_end - second_start + 1;
            Some(format!("move the second block at least {} up", plural(bytes, "byte")))
        }
        LayoutError::Bounds { start, end, min, max, .. } => {
            let max = max.strip_prefix('$').and_then(|max| i64::from_str_radix(max, 16).ok());
            match max.filter(|max| end > max) {
                Some(max) => Some(format!("it has {} too many at its end", plural(end - max, "byte"))),
                None => Some(format!("it starts {} too low", plural(min - start, "byte"))),
            }
        }
        _ => None,
    };
    let report = Report::error(code, span, error.to_string());
    match help {
        Some(help) => report.with_help(help),
        None => report,
    }
}
