//! ByteBoozer 1: the stream of the original packer, byte for byte.
//!
//! The first byte holds the first bits above a marker, then comes the address, then bits and bytes mixed.
//! Distances have one to four groups of bits, each written with the lower one after it.

use crate::bits::{Order, Reader, Writer};
use crate::boozer::{self, LONGEST, Token};
use crate::matches::Matches;
use crate::{PackError, UnpackError, Unpacked, check_size};

/// Largest distance of a copy, and of a copy of two bytes.
const FARTHEST: u32 = 4767;
const FARTHEST_PAIR: u32 = 1359;

/// Packs bytes that belong to an address.
pub fn pack(bytes: &[u8], address: u16) -> Result<Vec<u8>, PackError> {
    check_size(bytes)?;
    let tokens = parse(bytes);
    // The first byte takes what does not fill whole bytes, so the bits are counted first.
    let mut counter = Writer::new(Order::HighFirst);
    boozer::write(&mut counter, bytes, &tokens, write_distance);
    let odd = (counter.count % 8) as u32;
    let mut writer = Writer::after_first(Order::HighFirst, 0x80 >> odd, odd);
    let [low, high] = address.to_le_bytes();
    writer.byte(low);
    writer.byte(high);
    boozer::write(&mut writer, bytes, &tokens, write_distance);
    Ok(writer.bytes)
}

/// Unpacks a stream that begins with its bits and its address; `limit` is the most bytes it may have.
pub fn unpack(stream: &[u8], limit: usize) -> Result<Unpacked, UnpackError> {
    let &[first, low, high, ref stream @ ..] = stream else { return Err(UnpackError::Cut) };
    if first == 0 {
        return Err(UnpackError::Malformed("the first byte has no marker"));
    }
    let mut reader = Reader::holding(stream, first, 7 - first.trailing_zeros());
    let bytes = boozer::read(&mut reader, limit, read_distance, |_, _| {})?;
    Ok(Unpacked { address: u16::from_le_bytes([low, high]), bytes })
}

/// Widths of the groups of a distance.
fn widths(length: usize) -> [u32; 4] {
    if length == 2 { [4, 2, 2, 2] } else { [5, 2, 2, 3] }
}

fn write_distance(writer: &mut Writer, length: usize, distance: usize) {
    let widths = widths(length);
    let mut groups = [0; 4];
    let mut class = 0;
    let mut rest = distance;
    loop {
        groups[class] = rest & ((1 << widths[class]) - 1);
        rest >>= widths[class];
        if rest == 0 {
            break;
        }
        rest -= 1;
        class += 1;
    }
    writer.bits(class, 2);
    for group in (0..=class).rev() {
        writer.bits(groups[group], widths[group]);
    }
}

fn read_distance(reader: &mut Reader<'_>, length: usize) -> Result<usize, UnpackError> {
    let widths = widths(length);
    let class = reader.bits(2)?;
    let mut distance = 0;
    for group in (0..=class).rev() {
        distance = distance << widths[group] | reader.bits(widths[group])?;
        if group > 0 {
            distance += 1;
        }
    }
    Ok(distance)
}

/// The longest match at each place, taken from the end backwards.
fn parse(bytes: &[u8]) -> Vec<Token> {
    let matches = Matches::ending(bytes, 2, LONGEST as u32);
    let mut tokens = Vec::new();
    let mut literals = 0;
    let mut end = bytes.len();
    while end > 0 {
        let at = end - 1;
        let found = matches.at(at).iter().rfind(|found| found.distance <= FARTHEST);
        let taken = found.filter(|found| found.length > 2 || found.distance <= FARTHEST_PAIR);
        match taken {
            Some(found) => {
                if literals > 0 {
                    tokens.push(Token::Literals(literals));
                    literals = 0;
                }
                tokens.push(Token::Copy { length: found.length as usize, distance: found.distance as usize });
                end -= found.length as usize;
            }
            None => {
                literals += 1;
                end -= 1;
            }
        }
    }
    if literals > 0 {
        tokens.push(Token::Literals(literals));
    }
    tokens.reverse();
    tokens
}
