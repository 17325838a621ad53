//! B2 (ByteBoozer 2): the stream of the original packer, byte for byte, without the address before it.
//!
//! Distances have one of four widths; those of eight bits and more end in a whole byte. The parse is the original's
//! shortest path, whose costs of literal runs are not exact.

use crate::bits::{Order, Reader, Writer};
use crate::boozer::{self, LONGEST, Token, length_bits};
use crate::matches::{Match, Matches};
use crate::{PackError, UnpackError, Unpacked, check_size};

/// Largest distance of a copy, and of a copy of two bytes.
const FARTHEST: u32 = 8192;
const FARTHEST_PAIR: u32 = 1024;

/// Packs bytes that belong to an address; the stream begins with it.
pub fn pack(bytes: &[u8], address: u16) -> Result<Vec<u8>, PackError> {
    let stream = pack_stream(bytes)?;
    Ok([&address.to_le_bytes(), stream.as_slice()].concat())
}

/// Packs bytes to a stream without an address.
pub fn pack_stream(bytes: &[u8]) -> Result<Vec<u8>, PackError> {
    check_size(bytes)?;
    let mut writer = Writer::new(Order::HighFirst);
    boozer::write(&mut writer, bytes, &parse(bytes), write_distance);
    Ok(writer.bytes)
}

/// Unpacks a stream that begins with its address; `limit` is the most bytes it may have.
pub fn unpack(stream: &[u8], limit: usize) -> Result<Unpacked, UnpackError> {
    let &[low, high, ref stream @ ..] = stream else { return Err(UnpackError::Cut) };
    Ok(Unpacked { address: u16::from_le_bytes([low, high]), bytes: unpack_stream(stream, limit)? })
}

/// Unpacks a stream without an address.
pub fn unpack_stream(stream: &[u8], limit: usize) -> Result<Vec<u8>, UnpackError> {
    boozer::read(&mut Reader::new(stream), limit, read_distance, |_, _| {})
}

/// How many bytes the start of a stream without an address must be after the start of the unpacked data at least, so that
/// the data can grow over what was read of the stream.
pub fn lead(stream: &[u8]) -> usize {
    let mut lead = 0;
    let progress = |read: usize, written: usize| lead = lead.max(written.saturating_sub(read));
    // A stream that does not decode has no lead.
    let _ = boozer::read(&mut Reader::new(stream), crate::LARGEST, read_distance, progress);
    lead
}

/// Widths of distances by class.
fn widths(length: usize) -> [u32; 4] {
    if length == 2 { [3, 6, 8, 10] } else { [4, 7, 10, 13] }
}

fn class(length: usize, distance: usize) -> usize {
    let widths = widths(length);
    widths.iter().position(|width| (distance - 1) >> width == 0).expect("distances are limited")
}

fn write_distance(writer: &mut Writer, length: usize, distance: usize) {
    let class = class(length, distance);
    writer.bits(class, 2);
    let width = widths(length)[class];
    let value = distance - 1;
    if width < 8 {
        writer.bits(!value, width);
    } else {
        writer.bits(value >> 8, width - 8);
        writer.byte(!(value as u8));
    }
}

fn read_distance(reader: &mut Reader<'_>, length: usize) -> Result<usize, UnpackError> {
    let width = widths(length)[reader.bits(2)?];
    let value = if width < 8 {
        (1 << width) - 1 - reader.bits(width)?
    } else {
        reader.bits(width - 8)? << 8 | usize::from(!reader.byte()?)
    };
    Ok(value + 1)
}

/// The way from a place to the end.
#[derive(Debug, Clone, Copy)]
struct Step {
    cost: u32,
    /// Literals at its start.
    run: u32,
    /// The copy at its start, if its length is not 0.
    copy: Match,
}

fn parse(bytes: &[u8]) -> Vec<Token> {
    let count = bytes.len();
    let matches = Matches::ending(bytes, 2, LONGEST as u32);
    let never = Step { cost: u32::MAX, run: 0, copy: Match { distance: 0, length: 0 } };
    let mut steps = vec![never; count + 1];
    steps[count].cost = 0;
    for at in (0..count).rev() {
        let Step { cost, run, .. } = steps[at + 1];
        let mut longer = 0;
        for found in matches.at(at).iter().filter(|found| found.distance <= FARTHEST) {
            for length in longer.max(1) + 1..=found.length {
                if length == 2 && found.distance > FARTHEST_PAIR {
                    continue;
                }
                let size = length as usize;
                let width = widths(size)[class(size, found.distance as usize)];
                let total = cost + 3 + length_bits(size - 1) + width;
                let step = &mut steps[at + 1 - size];
                if total < step.cost {
                    *step = Step { cost: total, run: 0, copy: Match { distance: found.distance, length } };
                }
            }
            longer = found.length;
        }
        let run = run + 1;
        let more = match run {
            1 | 128 => 1,
            2 | 4 | 8 | 16 | 32 | 64 => 2,
            _ => 0,
        };
        let total = cost + 8 + more;
        if steps[at].cost >= total {
            steps[at] = Step { cost: total, run, copy: never.copy };
        }
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut literals = 0;
    while at < count {
        let Match { distance, length } = steps[at].copy;
        if length == 0 {
            literals += 1;
            at += 1;
            continue;
        }
        if literals > 0 {
            tokens.push(Token::Literals(literals));
            literals = 0;
        }
        tokens.push(Token::Copy { length: length as usize, distance: distance as usize });
        at += length as usize;
    }
    if literals > 0 {
        tokens.push(Token::Literals(literals));
    }
    tokens
}
