//! Exomizer, streams of version 2: a table of 52 widths fitted to the file, then literals, copies and literal runs.
//!
//! The table has 16 intervals of lengths, 16 of distances for copies of three bytes and more, 16 for pairs and 4 for single
//! bytes. Bits are taken from the low end of a byte; the first byte has the odd ones below a marker.
//! A backward stream is read from its last byte to its first and fills the output from its end.

mod parse;
mod table;

use crate::bits::{Order, Sink, Writer};
use crate::matches::Matches;
use crate::{PackError, UnpackError, Unpacked, check_size};
use parse::{Costs, Guess, Token};
use table::Table;

/// Matches longer than this are found nearest first only.
const SEARCHED: u32 = 512;
/// How often the table is fitted to the parse, and the parse to the table, at most.
const ROUNDS: usize = 12;
/// Where the search for the best table starts.
const GUESSES: [Guess; 6] = [
    Guess { length_slope: 2, near: 1, single_reach: 32, pair_reach: 512 },
    Guess { length_slope: 3, near: 2, single_reach: 64, pair_reach: 4096 },
    Guess { length_slope: 4, near: 2, single_reach: 16, pair_reach: 256 },
    Guess { length_slope: 4, near: 3, single_reach: 256, pair_reach: 8192 },
    Guess { length_slope: 3, near: 0, single_reach: 64, pair_reach: 1024 },
    Guess { length_slope: 2, near: 4, single_reach: 8, pair_reach: 65535 },
];
/// Numbers of zero bits that mean the end and a literal run instead of a length.
const END: u32 = 16;
const RUN: u32 = 17;

/// Order in which a stream is read and the output is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the first byte to the last.
    Forward,
    /// From the last byte to the first.
    Backward,
}

/// Whether the stream may have runs of literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteralRuns {
    /// It may.
    Allowed,
    /// Every literal is alone: for decrunchers without support for runs.
    Forbidden,
}

/// Choices of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Order of reading.
    pub direction: Direction,
    /// Literal runs.
    pub literal_runs: LiteralRuns,
    /// Largest distance of a copy.
    pub farthest: u16,
}

impl Default for Options {
    fn default() -> Options {
        Options { direction: Direction::Backward, literal_runs: LiteralRuns::Allowed, farthest: u16::MAX }
    }
}

/// A packed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The stream in memory order, without an address.
    pub stream: Vec<u8>,
    /// How far the packed data must reach beyond the unpacked data, so that it can be unpacked over itself.
    pub safety: usize,
}

/// Packs bytes.
pub fn pack(bytes: &[u8], options: Options) -> Result<Packed, PackError> {
    check_size(bytes)?;
    match options.direction {
        Direction::Forward => Ok(pack_forward(bytes, options)),
        Direction::Backward => {
            let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
            let mut packed = pack_forward(&reversed, options);
            packed.stream.reverse();
            Ok(packed)
        }
    }
}

/// Packs bytes that belong to an address, which comes first for the reader. It is that of the first byte forward, and the
/// one after the last byte backward.
pub fn pack_with_address(bytes: &[u8], address: u16, options: Options) -> Result<Packed, PackError> {
    let mut packed = pack(bytes, options)?;
    match options.direction {
        Direction::Forward => {
            packed.stream.splice(0..0, address.to_be_bytes());
        }
        Direction::Backward => packed.stream.extend(address.wrapping_add(bytes.len() as u16).to_le_bytes()),
    }
    Ok(packed)
}

/// Unpacks a stream without an address; `limit` is the most bytes it may have.
pub fn unpack(stream: &[u8], direction: Direction, limit: usize) -> Result<Vec<u8>, UnpackError> {
    match direction {
        Direction::Forward => unpack_forward(stream, limit),
        Direction::Backward => {
            let reversed: Vec<u8> = stream.iter().rev().copied().collect();
            let mut bytes = unpack_forward(&reversed, limit)?;
            bytes.reverse();
            Ok(bytes)
        }
    }
}

/// Unpacks a stream with an address.
pub fn unpack_with_address(
    stream: &[u8],
    direction: Direction,
    limit: usize,
) -> Result<Unpacked, UnpackError> {
    let inner = stream.len().checked_sub(2).ok_or(UnpackError::Cut)?;
    match direction {
        Direction::Forward => {
            let address = u16::from_be_bytes([stream[0], stream[1]]);
            Ok(Unpacked { address, bytes: unpack(&stream[2..], direction, limit)? })
        }
        Direction::Backward => {
            let end = u16::from_le_bytes([stream[inner], stream[inner + 1]]);
            let bytes = unpack(&stream[..inner], direction, limit)?;
            Ok(Unpacked { address: end.wrapping_sub(bytes.len() as u16), bytes })
        }
    }
}

/// Packs a file that is read forwards.
fn pack_forward(bytes: &[u8], options: Options) -> Packed {
    let mut matches = Matches::starting(bytes, 1, SEARCHED);
    matches.extend(bytes, SEARCHED);
    let farthest = usize::from(options.farthest).min(bytes.len());
    let mut best: Option<(u64, Table, Vec<Token>)> = None;
    for guess in GUESSES {
        let mut costs = Costs::guess(guess, bytes.len(), farthest);
        let mut last = u64::MAX;
        for _ in 0..ROUNDS {
            let tokens = parse::cheapest(bytes, &matches, &costs, options.literal_runs);
            let table = Table::fitting(&tokens);
            costs = Costs::of(&table, bytes.len(), farthest);
            let total = costs.total(&tokens);
            if best.as_ref().is_none_or(|(least, ..)| total < *least) {
                best = Some((total, table, tokens));
            }
            if total >= last {
                break;
            }
            last = total;
        }
    }
    let (_, table, tokens) = best.expect("there is a first round");
    write(bytes, &table, &tokens)
}

fn write(bytes: &[u8], table: &Table, tokens: &[Token]) -> Packed {
    // The first byte takes the bits that do not fill whole bytes, so they are counted first.
    let mut counter = Writer::new(Order::LowFirst);
    write_to(&mut counter, bytes, table, tokens);
    let odd = (counter.count % 8) as u32;
    let mut writer = Writer::after_first(Order::LowFirst, 1 << odd, odd);
    let points = write_to(&mut writer, bytes, table, tokens);
    let total = writer.bytes.len();
    let ahead = points.iter().map(|&(read, written)| (total - read).saturating_sub(bytes.len() - written));
    let safety = ahead.max().unwrap_or(0);
    Packed { stream: writer.bytes, safety }
}

/// Writes the stream; bytes of it and of the output after the table and after every token.
fn write_to(writer: &mut Writer, bytes: &[u8], table: &Table, tokens: &[Token]) -> Vec<(usize, usize)> {
    for width in table.widths() {
        writer.bits(usize::from(width), 4);
    }
    let mut at = 0;
    let mut points = vec![(writer.bytes.len(), 0)];
    for &token in tokens {
        match token {
            Token::Literal => {
                writer.bit(true);
                writer.byte(bytes[at]);
            }
            Token::Run(count) => {
                write_count(writer, RUN);
                writer.bits(count as usize, 16);
                bytes[at..at + count as usize].iter().for_each(|&byte| writer.byte(byte));
            }
            Token::Copy { length, distance } => {
                let place = table.lengths.find(length);
                write_count(writer, place.index);
                writer.bits(place.offset as usize, place.width);
                let (intervals, selector) = table.distances(length);
                let place = intervals.find(distance);
                writer.bits(place.index as usize, selector);
                writer.bits(place.offset as usize, place.width);
            }
        }
        at += token.length() as usize;
        points.push((writer.bytes.len(), at));
    }
    write_count(writer, END);
    points
}

/// The bit that says that no literal follows, then a number of zeros and a one.
fn write_count(writer: &mut Writer, count: u32) {
    writer.bits(0, count + 1);
    writer.bit(true);
}

/// Bits from the low end of bytes, and bytes.
struct Source<'s> {
    rest: std::slice::Iter<'s, u8>,
    /// Bits below a marker.
    buffer: u16,
}

impl Source<'_> {
    fn byte(&mut self) -> Result<u8, UnpackError> {
        self.rest.next().copied().ok_or(UnpackError::Cut)
    }

    fn bit(&mut self) -> Result<bool, UnpackError> {
        if self.buffer == 1 {
            self.buffer = 0x100 | u16::from(self.byte()?);
        }
        let bit = self.buffer & 1 == 1;
        self.buffer >>= 1;
        Ok(bit)
    }

    fn bits(&mut self, count: u32) -> Result<u32, UnpackError> {
        (0..count).try_fold(0, |value, _| Ok(value << 1 | u32::from(self.bit()?)))
    }

    /// A value of an interval of the table.
    fn value(&mut self, intervals: &table::Intervals, index: u32) -> Result<u32, UnpackError> {
        let (base, width) = intervals.get(index).ok_or(UnpackError::Malformed("unknown length"))?;
        Ok(base + self.bits(width)?)
    }
}

fn unpack_forward(stream: &[u8], limit: usize) -> Result<Vec<u8>, UnpackError> {
    let mut source = Source { rest: stream.iter(), buffer: 0 };
    source.buffer = u16::from(source.byte()?);
    if source.buffer == 0 {
        return Err(UnpackError::Malformed("the first byte has no marker"));
    }
    let mut widths = [0; 52];
    for width in &mut widths {
        *width = source.bits(4)? as u8;
    }
    let table = Table::from_widths(&widths);
    let mut sink = Sink::new(limit);
    loop {
        if source.bit()? {
            sink.push(source.byte()?)?;
            continue;
        }
        let mut count = 0;
        while !source.bit()? {
            count += 1;
            if count > RUN {
                return Err(UnpackError::Malformed("unknown length"));
            }
        }
        match count {
            END => return Ok(sink.bytes),
            RUN => {
                for _ in 0..source.bits(16)? {
                    sink.push(source.byte()?)?;
                }
            }
            _ => {
                let length = source.value(&table.lengths, count)?;
                let (intervals, selector) = table.distances(length);
                let index = source.bits(selector)?;
                let distance = source.value(intervals, index)?;
                sink.copy(length as usize, distance as usize)?;
            }
        }
    }
}
