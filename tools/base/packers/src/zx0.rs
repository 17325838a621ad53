//! ZX0, streams of version 2, read forwards.
//!
//! ```text
//! literals   0 length bytes             the first run of a file has no 0
//! again      0 length                   after literals: a copy from the distance of the copy before, at first 1
//! copy       1 high low length-1        a copy from a new distance; ends the file if `high` is 256
//! ```
//!
//! A number is written as pairs of 0 and its next bit below the leading one, ended by a 1; the bits of `high`, which
//! counts distances of 128, are inverted. `low` is a byte: seven bits of the distance, inverted, and the first bit of the
//! length below them.
//!
//! The packer looks at every distance that gives a match, as the reference does. If there are too many of them (a file of
//! 24 KB with more than half of one byte), it keeps to a number of distances: those that gave matches last.

use crate::bits::{Order, Reader, Sink, Writer};
use crate::matches::Matches;
use crate::{PackError, UnpackError, check_size};

/// Largest distance of a copy.
const FARTHEST: usize = 32640;
/// The high part of a distance that ends a file.
const END: usize = 256;
/// Bits that a distance can save by being there already: a way that is dearer than the best by more cannot be part of it.
const SAVED: u32 = 32;
/// Lengths of copies up to this are compared one by one.
const LISTED: u32 = 256;
/// Pairs of equal bytes that a search looks at, at most.
const WORK: usize = 80_000_000;

/// Packs bytes.
pub fn pack(bytes: &[u8]) -> Result<Vec<u8>, PackError> {
    check_size(bytes)?;
    Ok(write(bytes, &parse(bytes)))
}

/// Unpacks a stream; `limit` is the most bytes it may have.
pub fn unpack(stream: &[u8], limit: usize) -> Result<Vec<u8>, UnpackError> {
    let mut reader = Reader::new(stream);
    let mut sink = Sink::new(limit);
    let mut distance = 1;
    let mut is_new = false;
    let mut may_repeat = false;
    loop {
        if is_new {
            let high = read_number(&mut reader, true, None)?;
            if high == END {
                return Ok(sink.bytes);
            }
            let low = reader.byte()?;
            distance = high * 128 - usize::from(low >> 1);
            let length = read_number(&mut reader, false, Some(low & 1 == 1))? + 1;
            sink.copy(length, distance)?;
            may_repeat = false;
        } else {
            let length = read_number(&mut reader, false, None)?;
            if may_repeat {
                sink.copy(length, distance)?;
            } else {
                for _ in 0..length {
                    sink.push(reader.byte()?)?;
                }
            }
            may_repeat = !may_repeat;
        }
        is_new = reader.bit()?;
    }
}

/// Reads a number, whose first bit may be known.
fn read_number(
    reader: &mut Reader<'_>,
    is_inverted: bool,
    first: Option<bool>,
) -> Result<usize, UnpackError> {
    let mut number = 1;
    let mut is_last = match first {
        Some(bit) => bit,
        None => reader.bit()?,
    };
    while !is_last {
        number = number << 1 | usize::from(reader.bit()? != is_inverted);
        if number > crate::LARGEST {
            return Err(UnpackError::Malformed("a length is more than 65536"));
        }
        is_last = reader.bit()?;
    }
    Ok(number)
}

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Literals(usize),
    Copy { length: usize, distance: usize },
}

fn write(bytes: &[u8], tokens: &[Token]) -> Vec<u8> {
    let mut writer = Writer::new(Order::HighFirst);
    let mut at = 0;
    let mut last = 1;
    let mut is_after_literals = false;
    for (index, &token) in tokens.iter().enumerate() {
        match token {
            Token::Literals(count) => {
                if index > 0 {
                    writer.bit(false);
                }
                write_number(&mut writer, count, false);
                bytes[at..at + count].iter().for_each(|&byte| writer.byte(byte));
                at += count;
            }
            Token::Copy { length, distance } if is_after_literals && distance == last => {
                writer.bit(false);
                write_number(&mut writer, length, false);
                at += length;
            }
            Token::Copy { length, distance } => {
                writer.bit(true);
                write_number(&mut writer, (distance - 1) / 128 + 1, true);
                // The first bit of the length shares the byte.
                let low = (127 - (distance - 1) % 128) << 1;
                let number = length - 1;
                writer.byte(low as u8 | u8::from(number == 1));
                write_number_after_first(&mut writer, number, false);
                at += length;
                last = distance;
            }
        }
        is_after_literals = matches!(token, Token::Literals(_));
    }
    writer.bit(true);
    write_number(&mut writer, END, true);
    writer.bytes
}

fn write_number(writer: &mut Writer, number: usize, is_inverted: bool) {
    writer.bit(number == 1);
    write_number_after_first(writer, number, is_inverted);
}

/// A number without its first bit, which says whether it is 1.
fn write_number_after_first(writer: &mut Writer, number: usize, is_inverted: bool) {
    for bit in (0..number.ilog2()).rev() {
        writer.bit((number >> bit & 1 == 1) != is_inverted);
        writer.bit(bit == 0);
    }
}

fn number_bits(number: u32) -> u32 {
    2 * number.ilog2() + 1
}

const NONE: u32 = u32::MAX;

/// A way to write the file up to a place.
#[derive(Debug, Clone, Copy)]
struct Way {
    bits: u32,
    /// Bytes of the file that are written.
    end: u32,
    /// Distance of the copy at its end; 0 for literals.
    distance: u32,
    /// The way to the start of this piece.
    before: u32,
    /// References to it.
    users: u32,
}

/// Ways with numbers; those that are no longer referred to are used again.
struct Ways {
    ways: Vec<Way>,
    unused: Vec<u32>,
}

impl Ways {
    fn get(&self, way: u32) -> Way {
        self.ways[way as usize]
    }

    /// A new way in a slot.
    fn put(&mut self, slot: &mut u32, bits: u32, end: u32, distance: u32, before: u32) {
        if before != NONE {
            self.ways[before as usize].users += 1;
        }
        let way = Way { bits, end, distance, before, users: 1 };
        let number = match self.unused.pop() {
            Some(number) => {
                self.ways[number as usize] = way;
                number
            }
            None => {
                self.ways.push(way);
                self.ways.len() as u32 - 1
            }
        };
        self.release(std::mem::replace(slot, number));
    }

    /// A way that is in another slot already.
    fn share(&mut self, slot: &mut u32, way: u32) {
        self.ways[way as usize].users += 1;
        self.release(std::mem::replace(slot, way));
    }

    fn release(&mut self, mut way: u32) {
        while way != NONE {
            let released = &mut self.ways[way as usize];
            released.users -= 1;
            if released.users > 0 {
                break;
            }
            self.unused.push(way);
            way = released.before;
        }
    }
}

/// The matches of one distance.
#[derive(Debug, Clone, Copy)]
struct Track {
    /// The best way that ends with the last byte that matched.
    copy: u32,
    /// The best way that ends with literals right before the matching bytes, after a copy from this distance.
    literals: u32,
    /// Matching bytes up to the last that was looked at.
    length: u32,
    /// The place after the byte that matched last.
    seen: u32,
}

impl Track {
    fn forget(&mut self, ways: &mut Ways) {
        ways.release(std::mem::replace(&mut self.copy, NONE));
        ways.release(std::mem::replace(&mut self.literals, NONE));
    }
}

/// The best lengths of copies that end at one place.
struct Lengths {
    /// For every number of matching bytes, up to [`LISTED`].
    best: Vec<u32>,
    /// The numbers that are known for this place.
    known: u32,
}

impl Lengths {
    /// The length of a copy from a new distance that costs least, if `matching` bytes before `end` match.
    fn find(&mut self, matching: u32, end: u32, bits: &[u32]) -> u32 {
        let cost = |length: u32| bits[(end - length) as usize] + number_bits(length - 1);
        while self.known < matching.min(LISTED) {
            let before = self.best[self.known as usize];
            self.known += 1;
            let length = if cost(self.known) <= cost(before) { self.known } else { before };
            match self.best.get_mut(self.known as usize) {
                Some(best) => *best = length,
                None => self.best.push(length),
            }
        }
        let mut best = self.best[matching.min(LISTED) as usize];
        if matching > LISTED {
            // The longest, and the longest that is a bit shorter to write.
            for length in [matching, 1 << (matching - 1).ilog2()] {
                if cost(length) <= cost(best) {
                    best = length;
                }
            }
        }
        best
    }
}

/// Distances worth a look at a place.
enum Distances {
    /// All at which the byte is the same: the places of each byte so far.
    All(Box<[Vec<u32>; 256]>),
    /// Those that gave matches last.
    Kept { matches: Matches, is_kept: Vec<bool>, most: usize },
}

impl Distances {
    fn new(bytes: &[u8], reach: usize) -> Distances {
        let mut counts = [0usize; 256];
        bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        let pairs: usize = counts.iter().map(|count| count * count / 2).sum();
        if pairs <= WORK {
            return Distances::All(Box::new(std::array::from_fn(|_| Vec::new())));
        }
        let most = (WORK / bytes.len()).max(256);
        Distances::Kept { matches: Matches::starting(bytes, 2, 1024), is_kept: vec![false; reach + 1], most }
    }

    /// Changes the list for the last place to that for the next.
    fn renew(&mut self, list: &mut Vec<u32>, bytes: &[u8], at: usize, tracks: &[Track]) {
        match self {
            Distances::All(places) => {
                let places = &mut places[usize::from(bytes[at])];
                let near = places.partition_point(|&place| at - place as usize >= tracks.len());
                list.clear();
                list.extend(places[near..].iter().rev().map(|&place| at as u32 - place));
                places.push(at as u32);
            }
            Distances::Kept { matches, is_kept, most } => {
                for found in matches.at(at) {
                    if let Some(is_kept) = is_kept.get_mut(found.distance as usize).filter(|kept| !**kept) {
                        *is_kept = true;
                        list.push(found.distance);
                    }
                }
                if list.len() > *most * 5 / 4 {
                    list.sort_unstable_by_key(|&distance| std::cmp::Reverse(tracks[distance as usize].seen));
                    for distance in list.drain(*most..) {
                        is_kept[distance as usize] = false;
                    }
                }
            }
        }
    }
}

/// The cheapest tokens.
fn parse(bytes: &[u8]) -> Vec<Token> {
    let count = bytes.len();
    let reach = FARTHEST.min(count);
    let mut ways = Ways { ways: Vec::new(), unused: Vec::new() };
    let mut tracks = vec![Track { copy: NONE, literals: NONE, length: 0, seen: 0 }; reach + 1];
    let mut distances = Distances::new(bytes, reach);
    let mut list = Vec::new();
    let mut lengths = Lengths { best: vec![2; 3], known: 2 };
    // The best way to each place, and its bits.
    let mut best = vec![NONE; count + 1];
    let mut bits = vec![0u32; count + 1];
    // Ways that end with a copy and may be best with literals after them: the later, the dearer for what they cover.
    let mut copies: Vec<u32> = Vec::new();
    let gain = |way: Way| i64::from(way.bits) - 8 * i64::from(way.end);
    ways.put(&mut tracks[1].copy, 0, 0, 1, NONE);
    ways.share(&mut best[0], tracks[1].copy);
    copies.push(NONE);
    ways.share(&mut copies[0], tracks[1].copy);

    for at in 0..count {
        let end = at as u32 + 1;
        let literal_bits =
            |way: Way, end: u32| way.bits + 1 + number_bits(end - way.end) + 8 * (end - way.end);
        let before = *copies
            .iter()
            .min_by_key(|&&way| literal_bits(ways.get(way), end))
            .expect("the first way stays or is replaced by a better one");
        ways.put(&mut best[at + 1], literal_bits(ways.get(before), end), end, 0, before);

        distances.renew(&mut list, bytes, at, &tracks);
        lengths.known = 2;
        let mut copied = NONE;
        let mut copied_bits = u32::MAX;
        for &distance in &list {
            let step = distance as usize;
            if step > at || bytes[at] != bytes[at - step] {
                continue;
            }
            let track = &mut tracks[step];
            if track.seen == at as u32 && at > 0 {
                track.length += 1;
            } else {
                track.length = 1;
                if track.copy != NONE {
                    let total = literal_bits(ways.get(track.copy), at as u32);
                    if total <= bits[at] + SAVED {
                        ways.put(&mut track.literals, total, at as u32, 0, track.copy);
                    } else {
                        track.forget(&mut ways);
                    }
                }
            }
            track.seen = end;
            // Again from this distance, after literals.
            let mut least = u32::MAX;
            let mut start = NONE;
            if track.literals != NONE {
                let literals = ways.get(track.literals);
                least = literals.bits + 1 + number_bits(end - literals.end);
                start = track.literals;
            }
            if track.length > 1 {
                let length = lengths.find(track.length, end, &bits);
                let from = (end - length) as usize;
                let total = bits[from] + 8 + number_bits((distance - 1) / 128 + 1) + number_bits(length - 1);
                if total < least {
                    (least, start) = (total, best[from]);
                }
            }
            if least > copied_bits.min(ways.get(best[at + 1]).bits).saturating_add(SAVED) {
                if track.copy != NONE || track.literals != NONE {
                    track.forget(&mut ways);
                }
            } else if start != NONE {
                ways.put(&mut track.copy, least, end, distance, start);
                if least < copied_bits {
                    (copied_bits, copied) = (least, track.copy);
                }
            }
        }
        if copied != NONE {
            if copied_bits < ways.get(best[at + 1]).bits {
                ways.share(&mut best[at + 1], copied);
            }
            let new = gain(ways.get(copied));
            while let Some(&last) = copies.last().filter(|&&last| gain(ways.get(last)) >= new) {
                copies.pop();
                ways.release(last);
            }
            // Numbers of literals differ by this at most.
            let is_hopeless = copies.first().is_some_and(|&first| new > gain(ways.get(first)) + 32);
            if !is_hopeless {
                copies.push(NONE);
                let slot = copies.last_mut().expect("it was pushed");
                ways.share(slot, copied);
            }
        }
        bits[at + 1] = ways.get(best[at + 1]).bits;
    }
    let mut tokens = Vec::new();
    let mut way = ways.get(best[count]);
    while way.before != NONE {
        let before = ways.get(way.before);
        let length = (way.end - before.end) as usize;
        tokens.push(match way.distance as usize {
            0 => Token::Literals(length),
            distance => Token::Copy { length, distance },
        });
        way = before;
    }
    tokens.reverse();
    tokens
}
