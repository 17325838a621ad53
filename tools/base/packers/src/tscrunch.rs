//! TSCrunch: tokens of whole bytes, which a 6502 unpacks fast.
//!
//! ```text
//! $01-$1f                literals: this many bytes follow
//! $20                    end
//! $21-$7e                copy 2 from 127 - token
//! $81                    the run of zeros that the header names
//! $83-$ff, odd           a run of ((token >> 1) & 63) + 1 times the byte that follows
//! $82-$fe, bits 10       copy ((token >> 2) & 31) + 1 from the distance in the next byte
//! $80-$fc, bits 00       copy ((token >> 2) & 31) * 2 + (w >> 15) + 1 from 32768 - (w & $7fff), w the next two bytes
//! ```
//!
//! The packer finds the smallest stream for a run length, tries the run lengths that may pay, and prefers fewer tokens
//! among streams of one size.

use crate::bits::{Reader, Sink};
use crate::matches::Matches;
use crate::{PackError, UnpackError, Unpacked, check_size};

const END: u8 = 0x20;
/// The run of zeros that a stream without runs of zeros names.
const DEFAULT_RUN: usize = 64;
const LONGEST_LITERALS: usize = 31;
const LONGEST_RUN: usize = 64;
const LONGEST_ZEROS: usize = 256;
const FARTHEST_PAIR: u32 = 94;
const LONGEST_NEAR: usize = 32;
const FARTHEST_NEAR: u32 = 255;
const LONGEST_FAR: usize = 64;
const FARTHEST: u32 = 32767;
/// How many run lengths are tried.
const TRIED_RUNS: usize = 24;
/// A byte costs more than any number of tokens.
const BYTE: u64 = 1 << 20;

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Literals(usize),
    Zeros,
    Run(usize),
    Copy { length: usize, distance: u32 },
}

/// Packs bytes.
pub fn pack(bytes: &[u8]) -> Result<Vec<u8>, PackError> {
    check_size(bytes)?;
    let (run, ways) = best(bytes, bytes, |ways| ways[bytes.len()].cost);
    let mut stream = vec![(run - 1) as u8];
    write(&mut stream, bytes, &tokens(&ways, bytes.len(), run), run);
    stream.push(END);
    Ok(stream)
}

/// Data packed so that it is unpacked in its own place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InPlace {
    /// The packed data, address first; its last byte is the last byte of the unpacked data.
    pub bytes: Vec<u8>,
    /// Where its first byte goes.
    pub load: u16,
}

/// Packs bytes that belong to an address so that they are unpacked over the packed data.
pub fn pack_in_place(bytes: &[u8], address: u16) -> Result<InPlace, PackError> {
    check_size(bytes)?;
    if bytes.len() == 1 {
        return Err(PackError::SingleByte);
    }
    // Tokens cover what comes before `kept`; the byte there is in the header, and the rest already is where it belongs.
    let total = |ways: &[Way], kept: usize| ways[kept].cost + BYTE * (bytes.len() - kept) as u64;
    let cut = |ways: &[Way]| (0..bytes.len()).min_by_key(|&kept| total(ways, kept)).expect("it is not empty");
    let (run, ways) = best(bytes, &bytes[..bytes.len() - 1], |ways| total(ways, cut(ways)));
    let kept = cut(&ways);
    let [low, high] = address.to_le_bytes();
    let mut stream = vec![low, high, (run - 1) as u8, bytes[kept]];
    write(&mut stream, bytes, &tokens(&ways, kept, run), run);
    stream.push(END);
    stream.extend_from_slice(&bytes[kept + 1..]);
    let load = address.wrapping_add(bytes.len() as u16).wrapping_sub(stream.len() as u16);
    Ok(InPlace { bytes: stream, load })
}

/// Unpacks a stream; `limit` is the most bytes it may have.
pub fn unpack(stream: &[u8], limit: usize) -> Result<Vec<u8>, UnpackError> {
    let mut reader = Reader::new(stream);
    let run = usize::from(reader.byte()?) + 1;
    read(&mut reader, run, limit)
}

/// Unpacks data that [`pack_in_place`] packed.
pub fn unpack_in_place(stream: &[u8], limit: usize) -> Result<Unpacked, UnpackError> {
    let mut reader = Reader::new(stream);
    let address = u16::from_le_bytes([reader.byte()?, reader.byte()?]);
    let run = usize::from(reader.byte()?) + 1;
    let after = reader.byte()?;
    let mut bytes = read(&mut reader, run, limit)?;
    bytes.push(after);
    bytes.extend_from_slice(reader.rest());
    if bytes.len() > limit { Err(UnpackError::TooLong(limit)) } else { Ok(Unpacked { address, bytes }) }
}

/// How many bytes the start of a stream must be after the start of the unpacked data at least, so that the data can grow
/// over what was read of the stream.
pub fn lead(stream: &[u8]) -> usize {
    let mut lead = 0;
    let mut reader = Reader::new(stream);
    if let Ok(run) = reader.byte() {
        let progress = |read: usize, written: usize| lead = lead.max(written.saturating_sub(read));
        // A stream that does not decode has no lead.
        let _ = read_tokens(&mut reader, usize::from(run) + 1, crate::LARGEST, progress);
    }
    lead
}

fn read(reader: &mut Reader<'_>, run: usize, limit: usize) -> Result<Vec<u8>, UnpackError> {
    read_tokens(reader, run, limit, |_, _| {})
}

/// Reads tokens up to the end mark; `progress` gets the bytes read and written after each.
fn read_tokens(
    reader: &mut Reader<'_>,
    run: usize,
    limit: usize,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<u8>, UnpackError> {
    let mut sink = Sink::new(limit);
    loop {
        progress(reader.at, sink.bytes.len());
        let token = reader.byte()?;
        match token {
            END => return Ok(sink.bytes),
            0x01..0x20 => {
                for _ in 0..token {
                    sink.push(reader.byte()?)?;
                }
            }
            0x21..=0x7e => sink.copy(2, usize::from(127 - token))?,
            0x81 => sink.repeat(0, run)?,
            0x80.. if token & 1 == 1 => {
                let byte = reader.byte()?;
                sink.repeat(byte, usize::from(token >> 1 & 63) + 1)?;
            }
            0x80.. if token & 2 == 2 => {
                let distance = reader.byte()?;
                sink.copy(usize::from(token >> 2 & 31) + 1, usize::from(distance))?;
            }
            0x80.. => {
                let word = u16::from_le_bytes([reader.byte()?, reader.byte()?]);
                let length = usize::from(token >> 2 & 31) * 2 + usize::from(word >> 15) + 1;
                sink.copy(length, 32768 - usize::from(word & 0x7fff))?;
            }
            0x00 | 0x7f => return Err(UnpackError::Malformed("unknown token")),
        }
    }
}

fn write(stream: &mut Vec<u8>, bytes: &[u8], tokens: &[Token], zeros: usize) {
    let mut at = 0;
    for &token in tokens {
        at += match token {
            Token::Literals(count) => {
                stream.push(count as u8);
                stream.extend_from_slice(&bytes[at..at + count]);
                count
            }
            Token::Zeros => {
                stream.push(0x81);
                zeros
            }
            Token::Run(length) => {
                stream.extend([0x81 | ((length - 1) << 1) as u8, bytes[at]]);
                length
            }
            Token::Copy { length: 2, distance } => {
                stream.push((127 - distance) as u8);
                2
            }
            Token::Copy { length, distance } if length <= LONGEST_NEAR && distance <= FARTHEST_NEAR => {
                stream.extend([0x82 | ((length - 1) << 2) as u8, distance as u8]);
                length
            }
            Token::Copy { length, distance } => {
                let word = (32768 - distance) as u16 | ((length - 1) as u16 & 1) << 15;
                stream.push(0x80 | (((length - 1) / 2) << 2) as u8);
                stream.extend(word.to_le_bytes());
                length
            }
        };
    }
}

/// The cheapest way from the start to a place, and its last token.
#[derive(Debug, Clone, Copy)]
struct Way {
    cost: u64,
    token: Token,
}

/// The run length with the smallest result, and the ways for it; the tokens cover `covered`.
fn best(bytes: &[u8], covered: &[u8], total: impl Fn(&[Way]) -> u64) -> (usize, Vec<Way>) {
    let matches = Matches::starting(bytes, 2, LONGEST_FAR as u32);
    let runs = runs(covered);
    let candidates = if runs.is_empty() { vec![DEFAULT_RUN] } else { runs };
    let tried = candidates.into_iter().map(|run| (run, parse(bytes, &matches, run)));
    tried.min_by_key(|(_, ways)| total(ways)).expect("there is a candidate")
}

/// Run lengths of zeros worth a try, those that save most at first sight first.
fn runs(bytes: &[u8]) -> Vec<usize> {
    let mut counts = vec![0usize; LONGEST_ZEROS + 1];
    for zeros in bytes.split(|&byte| byte != 0).map(<[u8]>::len).filter(|&zeros| zeros > 1) {
        counts[zeros.min(LONGEST_ZEROS)] += 1;
        // A long run may be made of several.
        if zeros > LONGEST_ZEROS {
            counts[LONGEST_ZEROS] += zeros / LONGEST_ZEROS - 1;
        }
    }
    let mut lengths: Vec<usize> = (2..=LONGEST_ZEROS).filter(|&zeros| counts[zeros] > 0).collect();
    // A run costs one byte instead of two for every 64.
    lengths.sort_by_key(|&zeros| std::cmp::Reverse(counts[zeros] * (2 * zeros.div_ceil(LONGEST_RUN) - 1)));
    lengths.truncate(TRIED_RUNS);
    lengths
}

/// The cheapest ways to all places, by bytes and then by tokens.
fn parse(bytes: &[u8], matches: &Matches, zeros: usize) -> Vec<Way> {
    let count = bytes.len();
    let mut ways = vec![Way { cost: u64::MAX, token: Token::Zeros }; count + 1];
    ways[0].cost = 0;
    // From the end: how often the byte at each place comes in a row.
    let mut equal = vec![1usize; count];
    for at in (0..count.saturating_sub(1)).rev() {
        if bytes[at] == bytes[at + 1] {
            equal[at] = equal[at + 1] + 1;
        }
    }
    for at in 0..count {
        let here = ways[at].cost;
        let mut offer = |length: usize, size: usize, token: Token| {
            let cost = here + BYTE * size as u64 + 1;
            let way = &mut ways[at + length];
            if cost < way.cost {
                *way = Way { cost, token };
            }
        };
        for length in 1..=LONGEST_LITERALS.min(count - at) {
            offer(length, length + 1, Token::Literals(length));
        }
        for length in 2..=LONGEST_RUN.min(equal[at]) {
            offer(length, 2, Token::Run(length));
        }
        if bytes[at] == 0 && equal[at] >= zeros {
            offer(zeros, 1, Token::Zeros);
        }
        let mut longer = 2;
        for found in matches.at(at) {
            let (distance, found) = (found.distance, found.length as usize);
            if longer == 2 && distance <= FARTHEST_PAIR {
                offer(2, 1, Token::Copy { length: 2, distance });
            }
            // A distance of 1 is a run, which costs no more.
            if distance > 1 && distance <= FARTHEST {
                for length in longer.max(3)..=found {
                    let is_near = length <= LONGEST_NEAR && distance <= FARTHEST_NEAR;
                    offer(length, if is_near { 2 } else { 3 }, Token::Copy { length, distance });
                }
            }
            longer = found + 1;
        }
    }
    ways
}

/// The tokens of the way to a place.
fn tokens(ways: &[Way], end: usize, zeros: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = end;
    while at > 0 {
        let token = ways[at].token;
        tokens.push(token);
        at -= match token {
            Token::Literals(count) => count,
            Token::Zeros => zeros,
            Token::Run(length) | Token::Copy { length, .. } => length,
        };
    }
    tokens.reverse();
    tokens
}
