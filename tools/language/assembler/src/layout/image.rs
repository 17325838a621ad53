//! Blocks into one run of bytes: which blocks a segment has, whether they fit, and what fills the gaps.

use thiserror::Error;

use super::memory::{Content, Memory, Packed, Packer, Piece};
use crate::crunch::{self, CrunchError};
use crate::options::Options;
use crate::output::Image;
use tempo_diagnostics::Span;

/// Faults of the blocks of a segment. These errors have no place in the source.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum LayoutError {
    #[error(
        "In segment '{segment}' the memoryblock '{first}' (${first_start:04x}-${first_end:04x}) overlaps \
         '{second}' (${second_start:04x}-${second_end:04x})"
    )]
    Overlap {
        segment: String,
        first: String,
        first_start: i64,
        first_end: i64,
        second: String,
        second_start: i64,
        second_end: i64,
        /// Where the blocks begin in the source, if they do.
        first_span: Option<Span>,
        second_span: Option<Span>,
    },
    #[error(
        "In segment '{segment}' the memoryblock '{block}' (${start:04x}-${end:04x}) is out of segment bounds \
         (${min:04x}-{max})."
    )]
    Bounds { segment: String, block: String, start: i64, end: i64, min: i64, max: String, span: Option<Span> },
    #[error("Subsegment '{name}' not defined.")]
    UnknownSegment { name: String, near: Option<String> },
    #[error("Non finalized segment: {0}")]
    Cycle(String),
    #[error("The memory from ${start:04x} to ${end:04x} is larger than {limit} bytes")]
    TooLarge { start: i64, end: i64, limit: u64 },
    #[error("{0}")]
    Packing(CrunchError),
    #[error("The segments of '{name}' include more than {limit} others")]
    TooMany { name: String, limit: u32 },
}

/// How many segments may be included in one, with those that come more than once. Segments that include another one
/// twice, which do the same, would double with every level.
const MAX_INCLUDED: u32 = 10_000;

/// The saved blocks of a content: those of files, then the own ones, then those of the included segments.
pub(crate) fn pieces(
    memory: &Memory,
    own: Option<usize>,
    content: &Content,
) -> Result<Vec<Piece>, LayoutError> {
    let mut pieces = Vec::new();
    let mut included = 0;
    collect(memory, own, content, &mut Vec::new(), &mut included, &mut pieces)?;
    Ok(pieces)
}

fn collect(
    memory: &Memory,
    own: Option<usize>,
    content: &Content,
    path: &mut Vec<usize>,
    included_count: &mut u32,
    pieces: &mut Vec<Piece>,
) -> Result<(), LayoutError> {
    if let Some(own) = own {
        if path.contains(&own) {
            return Err(LayoutError::Cycle(memory.segments[own].name.clone()));
        }
        path.push(own);
    }
    let first = pieces.len();
    let overlapping = own.filter(|_| content.allow_overlap);
    pieces.extend(content.files.iter().map(|piece| Piece { overlapping, ..piece.clone() }));
    if let Some(own) = own {
        let blocks = memory.segments[own].blocks.iter();
        for block in blocks.filter(|block| !block.is_virtual && !block.bytes.is_empty()) {
            let start = block.start.unwrap_or(0);
            let (name, bytes) = (block.name.clone(), block.bytes.clone());
            pieces.push(Piece { name, start, bytes, overlapping, span: block.span });
        }
    }
    for name in &content.segments {
        let Some(index) = memory.find(name) else {
            let known = memory.segments.iter().map(|segment| segment.name.as_str());
            let near = tempo_diagnostics::nearest(name, known).map(str::to_owned);
            return Err(LayoutError::UnknownSegment { name: name.clone(), near });
        };
        *included_count += 1;
        if *included_count > MAX_INCLUDED {
            return Err(LayoutError::TooMany { name: name.clone(), limit: MAX_INCLUDED });
        }
        let included = &memory.segments[index].parameters.content;
        if !included.fill {
            collect(memory, Some(index), included, path, included_count, pieces)?;
            continue;
        }
        // A segment that fills its bounds comes as one block.
        let mut parts = Vec::new();
        collect(memory, Some(index), included, path, included_count, &mut parts)?;
        check(name, &parts, included, false)?;
        let image = flatten(&parts, included, memory.limit)?;
        let span = memory.segments[index].span;
        pieces.push(Piece {
            name: name.clone(),
            start: image.start,
            bytes: image.bytes,
            span,
            ..Piece::default()
        });
    }
    pieces.extend(content.added.iter().map(|piece| Piece { overlapping, ..piece.clone() }));
    if let Some(packer) = &content.packer {
        let mut blocks = pieces.split_off(first);
        let name = own.map_or("<<modify>>", |own| &memory.segments[own].name);
        let plain = Content { packer: None, ..content.clone() };
        check(name, &blocks, &plain, false)?;
        if content.fill {
            let image = flatten(&blocks, &plain, memory.limit)?;
            let piece =
                Piece { name: name.to_owned(), start: image.start, bytes: image.bytes, ..Piece::default() };
            blocks = vec![piece];
        }
        pieces.extend(packed(memory, packer, blocks)?);
    }
    if own.is_some() {
        path.pop();
    }
    Ok(())
}

/// The blocks as a modifier packs them.
fn packed(memory: &Memory, packer: &Packer, blocks: Vec<Piece>) -> Result<Vec<Piece>, LayoutError> {
    let mut all = memory.packed.borrow_mut();
    if let Some(known) = all.iter().find(|packed| packed.id == packer.id && packed.blocks == blocks) {
        return Ok(known.crunched.pieces.clone());
    }
    let crunched = crunch::run(&packer.job, &blocks).map_err(LayoutError::Packing)?;
    let pieces = crunched.pieces.clone();
    // Bytes of other segments may have been missing before.
    all.retain(|packed| packed.id != packer.id);
    all.push(Packed { id: packer.id, blocks, crunched });
    Ok(pieces)
}

/// Whether the pieces fit together and into the bounds.
pub(crate) fn check(
    segment: &str,
    pieces: &[Piece],
    content: &Content,
    allow_overlap: bool,
) -> Result<(), LayoutError> {
    // Of two that start at one address the later one is named first.
    let mut sorted: Vec<&Piece> = pieces.iter().rev().filter(|piece| !piece.bytes.is_empty()).collect();
    sorted.sort_by_key(|piece| piece.start);
    let last = |piece: &Piece| piece.start + piece.bytes.len() as i64 - 1;
    // Bounds are about the bytes before they are packed.
    for piece in sorted.iter().filter(|_| content.packer.is_none()) {
        let below = content.min.is_some_and(|min| piece.start < min);
        let above = content.max.is_some_and(|max| last(piece) > max);
        if below || above {
            return Err(LayoutError::Bounds {
                segment: segment.to_owned(),
                block: piece.name.clone(),
                start: piece.start,
                end: last(piece),
                min: content.min.unwrap_or(0),
                max: content.max.map_or("...".to_owned(), |max| format!("${max:04x}")),
                span: piece.span,
            });
        }
    }
    if allow_overlap || content.allow_overlap {
        return Ok(());
    }
    // The one that reaches furthest, and the one that does so among those that may not overlap it.
    let mut furthest: Option<&Piece> = None;
    let mut other: Option<&Piece> = None;
    let may_overlap = |a: &Piece, b: &Piece| a.overlapping.is_some() && a.overlapping == b.overlapping;
    for piece in sorted {
        let rival = if furthest.is_some_and(|before| may_overlap(before, piece)) { other } else { furthest };
        if let Some(before) = rival.filter(|before| last(before) >= piece.start) {
            return Err(LayoutError::Overlap {
                segment: segment.to_owned(),
                first: before.name.clone(),
                first_start: before.start,
                first_end: last(before),
                second: piece.name.clone(),
                second_start: piece.start,
                second_end: last(piece),
                first_span: before.span,
                second_span: piece.span,
            });
        }
        if furthest.is_none_or(|before| last(piece) > last(before)) {
            if furthest.is_some_and(|before| !may_overlap(before, piece)) {
                other = furthest;
            }
            furthest = Some(piece);
        } else if furthest.is_some_and(|before| !may_overlap(before, piece))
            && other.is_none_or(|before| last(piece) > last(before))
        {
            other = Some(piece);
        }
    }
    Ok(())
}

/// The pieces as one run; later ones overwrite earlier ones, gaps get the fill byte if there is one.
pub(crate) fn flatten(pieces: &[Piece], content: &Content, limit: u64) -> Result<Image, LayoutError> {
    let starts = pieces.iter().map(|piece| piece.start);
    let ends = pieces.iter().map(|piece| piece.start + piece.bytes.len() as i64);
    let fills = content.fill && content.packer.is_none();
    let (start, end) = match (fills, content.min, content.max) {
        (true, Some(min), Some(max)) => (min, max + 1),
        _ => match (starts.min(), ends.max()) {
            (Some(start), Some(end)) => (start, end),
            _ => return Ok(Image::default()),
        },
    };
    let len = end - start;
    if len < 0 || len as u64 > limit.max(1 << 20) {
        return Err(LayoutError::TooLarge { start, end: end - 1, limit });
    }
    let gap = if content.fill { content.fill_byte } else { 0 };
    let mut bytes = vec![gap; len as usize];
    for piece in pieces {
        let offset = (piece.start - start) as usize;
        if let Some(range) = bytes.get_mut(offset..offset + piece.bytes.len()) {
            range.copy_from_slice(&piece.bytes);
        }
    }
    Ok(Image { start, bytes })
}

/// The memory of a content as one run of bytes.
pub(crate) fn bytes_of(
    memory: &Memory,
    name: &str,
    content: &Content,
    options: &Options,
) -> Result<Image, LayoutError> {
    let pieces = pieces(memory, None, content)?;
    check(name, &pieces, content, false)?;
    flatten(&pieces, content, options.limits.output_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(name: &str, start: i64, bytes: &[u8]) -> Piece {
        Piece { name: name.to_owned(), start, bytes: bytes.to_vec(), ..Piece::default() }
    }

    #[test]
    fn a_long_block_overlaps_also_the_one_after_the_next() {
        let pieces = [piece("a", 0, &[0; 10]), piece("b", 20, &[1]), piece("c", 5, &[])];
        assert_eq!(check("S", &pieces, &Content::default(), false), Ok(()));
        let pieces = [piece("a", 0, &[0; 30]), piece("b", 20, &[1])];
        let message = check("S", &pieces, &Content::default(), false).unwrap_err().to_string();
        assert_eq!(message, "In segment 'S' the memoryblock 'a' ($0000-$001d) overlaps 'b' ($0014-$0014)");
        assert_eq!(check("S", &pieces, &Content::default(), true), Ok(()));
    }

    #[test]
    fn blocks_of_a_segment_with_the_flag_overlap_each_other_only() {
        let of = |segment, piece| Piece { overlapping: Some(segment), ..piece };
        let own = [of(1, piece("a", 0, &[0; 9])), of(1, piece("b", 2, &[1])), of(1, piece("c", 8, &[2; 4]))];
        assert_eq!(check("S", &own, &Content::default(), false), Ok(()));
        for start in [0, 5, 10] {
            let foreign = [own.to_vec(), vec![of(2, piece("d", start, &[1]))]].concat();
            assert!(check("S", &foreign, &Content::default(), false).is_err(), "{start}");
        }
    }

    #[test]
    fn gaps_are_zero_or_the_fill_byte() {
        let pieces = [piece("b", 4, &[2]), piece("a", 2, &[1])];
        let image = flatten(&pieces, &Content::default(), 100).unwrap();
        assert_eq!((image.start, image.bytes), (2, vec![1, 0, 2]));
        let content = Content { min: Some(1), max: Some(5), fill: true, fill_byte: 9, ..Content::default() };
        let image = flatten(&pieces, &content, 100).unwrap();
        assert_eq!((image.start, image.bytes), (1, vec![9, 1, 9, 2, 9]));
    }
}
