//! The bytes of `.segmentout`: one segment's memory, copied into another after all addresses are final.

use super::image::{self, LayoutError};
use super::memory::{Content, Memory};
use crate::options::Options;
use tempo_diagnostics::Span;

/// Bytes of segments that go into a block.
#[derive(Debug, Clone)]
pub(crate) struct SegmentOut {
    pub segment: usize,
    pub block: usize,
    pub offset: usize,
    pub len: usize,
    pub content: Content,
    pub span: Span,
}

/// One may hold the bytes of another, so all are copied until nothing changes, but no more often than this.
const MAX_ROUNDS: usize = 16;

/// Fills in all of them. The error comes with the place of the directive.
pub(crate) fn fill_in(
    memory: &mut Memory,
    copies: &[SegmentOut],
    options: &Options,
) -> Result<(), (LayoutError, Span)> {
    for _ in 0..copies.len().min(MAX_ROUNDS) {
        for (number, copy) in copies.iter().enumerate() {
            let name = format!("<<.segmentout:{number}>>");
            let image =
                image::bytes_of(memory, &name, &copy.content, options).map_err(|error| (error, copy.span))?;
            let bytes = &image.bytes[..image.bytes.len().min(copy.len)];
            memory.patch(copy.segment, copy.block, copy.offset, bytes);
        }
    }
    Ok(())
}
