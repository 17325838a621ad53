//! Bytes packed for an 8-bit machine to unpack: runs of literals and copies of what came before, in a stream that a 6502
//! reads forwards once. Knows the stream; the program that unpacks it on the machine is `asm/depack`.
//!
//! The stream mixes bytes with bits, which are taken from the top of a byte fetched when the first of them is needed.
//! A number from 1 is written as pairs of 1 and its next bit below the leading one, ended by a 0.
//!
//! ```text
//! stream   literals-or-copy …
//! literals 0 number bytes            as many bytes as the number says, up to 255; after fewer a copy follows, without its 1
//! copy     1 number class distance   one byte more than the number says, up to 255 in all
//! class    two bits                  which of four ranges the distance is in; copies of two bytes have their own ranges
//! distance bits, or bits and a byte  counted from the start of the range
//! end      a copy whose number has more than eight bits
//! ```

use crate::bits::{Order, Reader, Sink, Writer};
use crate::matches::Matches;
use crate::{PackError, UnpackError, check_size};

/// The most bytes of a run of literals, and of a copy.
const LONGEST: usize = 255;
/// How often the ranges are fitted to the file.
const ROUNDS: usize = 4;
/// More bits than any file of a C64 costs.
const NEVER: u32 = u32::MAX / 2;

/// How far back copies reach: four ranges for copies of two bytes, four for longer ones, each with this many bits.
/// The first range starts at a distance of 1, each other after the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranges {
    /// Of copies of two bytes.
    pub short: [u8; 4],
    /// Of longer copies.
    pub long: [u8; 4],
}

impl Ranges {
    /// Where the ranges of one kind start.
    pub fn starts(bits: &[u8; 4]) -> [usize; 4] {
        let mut starts = [1; 4];
        for range in 1..4 {
            starts[range] = starts[range - 1] + (1 << bits[range - 1]);
        }
        starts
    }

    fn of(&self, length: usize) -> &[u8; 4] {
        if length == 2 { &self.short } else { &self.long }
    }

    /// The range a distance is in, and the distance from its start.
    fn find(bits: &[u8; 4], distance: usize) -> Option<(usize, usize)> {
        let starts = Ranges::starts(bits);
        let range = (0..4).find(|&range| distance < starts[range] + (1 << bits[range]))?;
        Some((range, distance - starts[range]))
    }
}

/// A packed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The data that the machine reads.
    pub stream: Vec<u8>,
    /// The knowledge that the machine needs to read it.
    pub ranges: Ranges,
    /// How many bytes the start of the stream must be after the start of the unpacked file at least, so that the file
    /// can grow over what was read of the stream.
    pub lead: usize,
}

#[derive(Debug, Clone, Copy)]
enum Piece {
    Literals(usize),
    Copy { length: usize, distance: usize },
}

/// Packs as well as the format can with these ranges, and fits the ranges to the file.
pub fn pack(bytes: &[u8]) -> Result<Packed, PackError> {
    check_size(bytes)?;
    let matches = Matches::starting(bytes, 2, LONGEST as u32);
    let mut ranges = Ranges { short: [4, 6, 8, 10], long: [5, 8, 11, 15] };
    let mut best = write(bytes, &parse(bytes, &matches, ranges), ranges);
    for _ in 0..ROUNDS {
        let pieces = parse(bytes, &matches, ranges);
        let fitted = fit(&pieces, bytes.len());
        if fitted == ranges {
            break;
        }
        ranges = fitted;
        let packed = write(bytes, &parse(bytes, &matches, ranges), ranges);
        if packed.stream.len() < best.stream.len() {
            best = packed;
        }
    }
    Ok(best)
}

/// Bits of a number.
fn number_bits(number: usize) -> u32 {
    2 * number.ilog2() + 1
}

/// The cheapest way to write the file, found from its end backwards.
fn parse(bytes: &[u8], matches: &Matches, ranges: Ranges) -> Vec<Piece> {
    let count = bytes.len();
    let cost_of =
        |bits: &[u8; 4], distance| Ranges::find(bits, distance).map(|(range, _)| 2 + u32::from(bits[range]));
    // Bits from a place to the end: anything may come, or a copy must.
    let (mut free, mut copying) = (vec![NEVER; count + 1], vec![NEVER; count + 1]);
    let mut run = vec![0; count + 1];
    let mut copy = vec![(0, 0); count + 1];
    (copying[count], free[count]) = (16, 17);
    for at in (0..count).rev() {
        let mut next = 2;
        for found in matches.at(at) {
            let (distance, longest) = (found.distance as usize, found.length as usize);
            if next == 2
                && let Some(cost) = cost_of(&ranges.short, distance)
            {
                let total = number_bits(1) + cost + free[at + 2];
                if total < copying[at] {
                    (copying[at], copy[at]) = (total, (2, distance));
                }
                next = 3;
            }
            if let Some(cost) = cost_of(&ranges.long, distance) {
                for length in next.max(3)..=longest {
                    let total = number_bits(length - 1) + cost + free[at + length];
                    if total < copying[at] {
                        (copying[at], copy[at]) = (total, (length, distance));
                    }
                }
                next = next.max(longest + 1);
            }
        }
        free[at] = copying[at].saturating_add(1);
        for length in 1..=LONGEST.min(count - at) {
            let then = if length == LONGEST { free[at + length] } else { copying[at + length] };
            let total = 1 + number_bits(length) + 8 * length as u32 + then;
            if total < free[at] {
                (free[at], run[at]) = (total, length);
            }
        }
    }
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut must_copy = false;
    while at < count {
        if !must_copy && run[at] > 0 {
            pieces.push(Piece::Literals(run[at]));
            must_copy = run[at] < LONGEST;
            at += run[at];
        } else {
            let (length, distance) = copy[at];
            pieces.push(Piece::Copy { length, distance });
            at += length;
            must_copy = false;
        }
    }
    pieces
}

/// The ranges that cost these copies least, and reach back to the start of the file.
fn fit(pieces: &[Piece], count: usize) -> Ranges {
    let mut distances = [vec![0u32; count + 1], vec![0u32; count + 1]];
    for piece in pieces {
        if let Piece::Copy { length, distance } = *piece {
            distances[usize::from(length > 2)][distance] += 1;
        }
    }
    let [short, long] = distances.map(|counts| {
        let mut below = vec![0u64; count + 2];
        for (distance, &often) in counts.iter().enumerate() {
            below[distance + 1] = below[distance] + u64::from(often);
        }
        let total = below[count + 1];
        let mut best = (u64::MAX, [4, 6, 8, 10]);
        for first in 0..=10u8 {
            for second in first..=12 {
                for third in second..=14 {
                    for fourth in third..=15 {
                        let bits = [first, second, third, fourth];
                        let starts = Ranges::starts(&bits);
                        let mut cost = 0;
                        let mut reached = 0;
                        for range in 0..4 {
                            let end = (starts[range] + (1 << bits[range])).min(count + 1);
                            let often = below[end] - below[starts[range].min(end)];
                            cost += often * u64::from(2 + bits[range]);
                            reached += often;
                        }
                        // A copy that is out of reach becomes literals.
                        cost += (total - reached) * 24;
                        if cost < best.0 {
                            best = (cost, bits);
                        }
                    }
                }
            }
        }
        best.1
    });
    Ranges { short, long }
}

fn write_number(writer: &mut Writer, number: usize) {
    for bit in (0..number.ilog2()).rev() {
        writer.bit(true);
        writer.bit(number >> bit & 1 == 1);
    }
    writer.bit(false);
}

fn write(bytes: &[u8], pieces: &[Piece], ranges: Ranges) -> Packed {
    let mut writer = Writer::new(Order::HighFirst);
    let (mut at, mut lead) = (0, 0);
    let mut is_copy_due = false;
    for piece in pieces {
        match *piece {
            Piece::Literals(length) => {
                writer.bit(false);
                write_number(&mut writer, length);
                for &byte in &bytes[at..at + length] {
                    writer.byte(byte);
                    at += 1;
                    lead = lead.max(at.saturating_sub(writer.bytes.len()));
                }
                is_copy_due = length < LONGEST;
            }
            Piece::Copy { length, distance } => {
                if !is_copy_due {
                    writer.bit(true);
                }
                is_copy_due = false;
                write_number(&mut writer, length - 1);
                let bits = ranges.of(length);
                let (range, offset) = Ranges::find(bits, distance).expect("only reachable copies are chosen");
                writer.bits(range, 2);
                let width = u32::from(bits[range]);
                if width >= 8 {
                    writer.bits(offset >> 8, width - 8);
                    writer.byte(offset as u8);
                } else {
                    writer.bits(offset, width);
                }
                at += length;
                lead = lead.max(at.saturating_sub(writer.bytes.len()));
            }
        }
    }
    if !is_copy_due {
        writer.bit(true);
    }
    // Eight pairs push the leading 1 out of a byte.
    writer.bits(0xffff, 16);
    Packed { stream: writer.bytes, ranges, lead }
}

/// Reads a stream back; `limit` is the most bytes it may hold.
pub fn unpack(stream: &[u8], ranges: Ranges, limit: usize) -> Result<Vec<u8>, UnpackError> {
    let mut reader = Reader::new(stream);
    let mut sink = Sink::new(limit);
    let mut is_copy = reader.bit()?;
    loop {
        if !is_copy {
            let length =
                read_number(&mut reader)?.ok_or(UnpackError::Malformed("a run of literals has no end"))?;
            for _ in 0..length {
                sink.push(reader.byte()?)?;
            }
            if length == LONGEST {
                is_copy = reader.bit()?;
                continue;
            }
        }
        let Some(number) = read_number(&mut reader)? else { return Ok(sink.bytes) };
        let length = number + 1;
        let bits = ranges.of(length);
        let range = reader.bits(2)?;
        let width = u32::from(bits[range]);
        let offset = match width.checked_sub(8) {
            Some(high) => reader.bits(high)? << 8 | usize::from(reader.byte()?),
            None => reader.bits(width)?,
        };
        sink.copy(length, Ranges::starts(bits)[range] + offset)?;
        is_copy = reader.bit()?;
    }
}

/// `None` at the end of the file.
fn read_number(reader: &mut Reader<'_>) -> Result<Option<usize>, UnpackError> {
    let mut number = 1;
    while reader.bit()? {
        number = number << 1 | usize::from(reader.bit()?);
        if number > LONGEST {
            return Ok(None);
        }
    }
    Ok(Some(number))
}

#[cfg(test)]
mod tests {
    use tempo_random::Random;

    use super::*;

    fn round(bytes: &[u8]) -> Packed {
        let packed = pack(bytes).expect("it packs");
        assert_eq!(unpack(&packed.stream, packed.ranges, bytes.len()).as_deref(), Ok(bytes));
        packed
    }

    #[test]
    fn files_come_back_as_they_were() {
        round(b"a");
        round(b"abcabcabcabcabcabc");
        assert!(round(&[0; 5000]).stream.len() < 100);
        let all: Vec<u8> = (0..=255).collect();
        round(&all.repeat(3));
        // No two bytes come twice: nothing can be copied.
        let pairs: Vec<u8> =
            (1..=100u8).flat_map(|step| (0..=255u8).map(move |at| at.wrapping_mul(2 * step + 1))).collect();
        round(&pairs[..1000]);
        let mut random = Random::new(1);
        for kinds in [2u64, 5, 40, 256] {
            for _ in 0..4 {
                let length = 1 + random.below(1500) as usize;
                let bytes: Vec<u8> = (0..length).map(|_| random.below(kinds) as u8).collect();
                round(&bytes);
            }
        }
    }

    #[test]
    fn the_file_never_overtakes_the_stream() {
        let mut random = Random::new(2);
        let noise: Vec<u8> = (0..300).map(|_| random.below(256) as u8).collect();
        for bytes in [[vec![7; 2000], noise.clone()].concat(), [noise, vec![7; 2000]].concat()] {
            let packed = round(&bytes);
            // The whole of both fits into a memory in which the stream begins `lead` after the file.
            assert!(packed.lead + packed.stream.len() >= bytes.len());
            assert!(packed.lead < bytes.len());
        }
    }

    #[test]
    fn broken_streams_are_refused() {
        let packed = pack(&b"a long and winding road ".repeat(9)).expect("it packs");
        for cut in 0..packed.stream.len() {
            assert!(unpack(&packed.stream[..cut], packed.ranges, 1000).is_err(), "{cut}");
        }
        assert_eq!(unpack(&packed.stream, packed.ranges, 10), Err(UnpackError::TooLong(10)));
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..random.below(60)).map(|_| random.below(256) as u8).collect();
            let _ = unpack(&bytes, packed.ranges, 10_000);
        }
    }
}
