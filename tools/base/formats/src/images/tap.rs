//! `.tap`: the pulses of a tape. Reads what the KERNAL's own routines wrote; turbo loaders have other pulses and are passed
//! over. Every block is on the tape twice, and one sound copy is enough.

use super::t64::blank_padded;
use super::{Container, Image, ImageError, entry, padded, word};
use crate::d64::{D64Error, Entry, File, Kind};

pub(super) const SIGNATURE: &[u8] = b"C64-TAPE-RAW";

/// Signature, version, platform, video, a zero, the number of bytes.
const HEADER: usize = 20;

/// The pulses in units of eight cycles, as the KERNAL writes them.
const SHORT: u8 = 0x30;
const MEDIUM: u8 = 0x42;
const LONG: u8 = 0x56;

/// Bytes of a header block: type, addresses, name, blanks.
const HEADER_BLOCK: usize = 192;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pulse {
    Short,
    Medium,
    Long,
    /// A pause, noise, or a pulse of another format.
    Other,
}

impl Pulse {
    /// The nearest of the three, within a fifth.
    fn of(cycles: u32) -> Pulse {
        match cycles / 8 {
            0x26..=0x38 => Pulse::Short,
            0x39..=0x4b => Pulse::Medium,
            0x4c..=0x67 => Pulse::Long,
            _ => Pulse::Other,
        }
    }
}

/// Reads the tape.
pub(super) fn read(bytes: &[u8]) -> Result<Image, ImageError> {
    let header = bytes.get(..HEADER).ok_or(ImageError::EndsEarly("its header has 20 bytes"))?;
    let version = header[12];
    if version > 1 {
        return Err(ImageError::Damaged(format!("version {version} of tapes is unknown; 0 and 1 are known")));
    }
    let pulses = pulses(version, &bytes[HEADER..]);
    let blocks = blocks(&pulses);
    let mut entries: Vec<Entry> = Vec::new();
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        let Block::Sound(header) = block else {
            // A header that cannot be read, or data without one.
            if entries.last().is_none_or(|last| last.fault.is_none()) {
                entries.push(entry("?".into(), Kind::Prg, Err(D64Error::BadBlock)));
            }
            continue;
        };
        if header.len() < 21 {
            continue;
        }
        let name = padded(&header[5..21]);
        match header[0] {
            1 | 3 => {
                let (start, end) = (word(&header, 1).unwrap_or(0), word(&header, 3).unwrap_or(0));
                let len = usize::from(end.wrapping_sub(start));
                let contents = match blocks.next() {
                    Some(Block::Sound(data)) if data.len() >= len => {
                        Ok(start.to_le_bytes().iter().chain(&data[..len]).copied().collect())
                    }
                    Some(Block::Sound(data)) => Err(D64Error::EndsEarly { missing: len - data.len() }),
                    Some(Block::Damaged) => Err(D64Error::BadBlock),
                    None => Err(D64Error::EndsEarly { missing: len }),
                };
                entries.push(entry(name, Kind::Prg, contents));
            }
            4 => {
                let mut data = Vec::new();
                let is_data =
                    |block: &Block| matches!(block, Block::Sound(bytes) if bytes.first() == Some(&2));
                while let Some(Block::Sound(bytes)) = blocks.next_if(is_data) {
                    data.extend(&bytes[1..]);
                }
                // The file ends with a zero.
                let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
                data.truncate(end);
                entries.push(entry(name, Kind::Seq, Ok(data)));
            }
            // The end of the tape.
            5 => break,
            _ => {}
        }
    }
    if entries.is_empty() {
        return Err(ImageError::Damaged("no file in the KERNAL's format is on the tape".into()));
    }
    Ok(Image::from_files(Container::Tap, String::new(), entries))
}

fn pulses(version: u8, bytes: &[u8]) -> Vec<Pulse> {
    let mut pulses = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        rest = after;
        let cycles = match (first, version, rest) {
            (0, 1, [low, middle, high, after @ ..]) => {
                rest = after;
                u32::from_le_bytes([*low, *middle, *high, 0])
            }
            (0, ..) => u32::MAX,
            (&units, ..) => u32::from(units) * 8,
        };
        pulses.push(Pulse::of(cycles));
    }
    pulses
}

/// A block in two copies.
enum Block {
    /// The bytes of a sound copy.
    Sound(Vec<u8>),
    /// Neither copy is sound.
    Damaged,
}

/// One copy of a block: whether it is the first, and its bytes if the checksum is right.
struct Copy {
    is_first: bool,
    bytes: Option<Vec<u8>>,
}

fn blocks(pulses: &[Pulse]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut waits_for_second = false;
    let mut at = 0;
    while let Some(found) = pulses[at..].windows(2).position(|pair| pair == [Pulse::Long, Pulse::Medium]) {
        let (copy, next) = copy(pulses, at + found);
        at = next;
        let Some(copy) = copy else { continue };
        let is_second = !copy.is_first && waits_for_second;
        waits_for_second = copy.is_first;
        let block = copy.bytes.map_or(Block::Damaged, Block::Sound);
        match blocks.last_mut() {
            Some(last) if is_second => {
                if matches!(last, Block::Damaged) {
                    *last = block;
                }
            }
            _ => blocks.push(block),
        }
    }
    blocks
}

/// Reads a copy that begins at a byte, up to the mark of its end. `None` without the countdown that begins every copy.
fn copy(pulses: &[Pulse], start: usize) -> (Option<Copy>, usize) {
    let mut bytes = Vec::new();
    let mut at = start;
    let mut is_sound = true;
    loop {
        match pulses.get(at..at + 2) {
            Some([Pulse::Long, Pulse::Medium]) => {
                let Some(byte) = byte(pulses, at + 2) else {
                    is_sound = false;
                    at += 2;
                    // To the next byte, if there is one near.
                    let near = pulses[at..].iter().take(20).position(|&pulse| pulse == Pulse::Long);
                    match near {
                        Some(near) => at += near,
                        None => break,
                    }
                    bytes.push(0);
                    continue;
                };
                bytes.push(byte);
                at += 20;
            }
            Some([Pulse::Long, Pulse::Short]) => {
                at += 2;
                break;
            }
            _ => {
                is_sound = false;
                at += 1;
                break;
            }
        }
    }
    let is_countdown = |first: u8| bytes.iter().take(9).copied().eq((0..9).map(|step| first - step));
    let is_first = is_countdown(0x89);
    // Damaged countdowns still tell the copies apart by the highest bit.
    if bytes.len() < 11 || !(is_first || is_countdown(0x09) || !is_sound) {
        return (None, at.max(start + 1));
    }
    let is_first = is_first || bytes.iter().take(9).filter(|&&byte| byte & 0x80 != 0).count() > 4;
    let sum = bytes[9..].iter().fold(0, |sum, byte| sum ^ byte);
    is_sound &= sum == 0;
    bytes.pop();
    let contents = is_sound.then(|| bytes.split_off(9));
    (Some(Copy { is_first, bytes: contents }), at)
}

/// Eight bits, the lowest first, and odd parity; two pulses each.
fn byte(pulses: &[Pulse], at: usize) -> Option<u8> {
    let mut byte = 0u8;
    let mut ones = 0;
    for bit in 0..9 {
        let value = match pulses.get(at + bit * 2..at + bit * 2 + 2)? {
            [Pulse::Short, Pulse::Medium] => 0,
            [Pulse::Medium, Pulse::Short] => 1,
            _ => return None,
        };
        ones += value;
        if bit < 8 {
            byte |= value << bit;
        }
    }
    (ones % 2 == 1).then_some(byte)
}

/// Writes a tape as the KERNAL's SAVE does.
pub(super) fn write(files: &[File]) -> Result<Vec<u8>, ImageError> {
    let mut tape = Vec::new();
    for file in files {
        let too_long = || ImageError::FileTooLong(file.name.clone());
        let [low, high, contents @ ..] = &file.bytes[..] else { return Err(too_long()) };
        let start = u16::from_le_bytes([*low, *high]);
        let end = u16::try_from(usize::from(start) + contents.len()).map_err(|_| too_long())?;
        let mut header = vec![b' '; HEADER_BLOCK];
        // A program that BASIC may move has another type than one that stays where it was.
        header[0] = if start == 0x0801 { 1 } else { 3 };
        header[1..3].copy_from_slice(&start.to_le_bytes());
        header[3..5].copy_from_slice(&end.to_le_bytes());
        blank_padded(&file.name, &mut header[5..21]);
        write_block(&mut tape, 0x6a00, &header);
        write_block(&mut tape, 0x1a00, contents);
    }
    let mut image = SIGNATURE.to_vec();
    image.extend([1, 0, 0, 0]);
    let len = u32::try_from(tape.len()).map_err(|_| ImageError::FileTooLong("the tape".into()))?;
    image.extend(len.to_le_bytes());
    image.extend(tape);
    Ok(image)
}

fn write_block(tape: &mut Vec<u8>, pilot: usize, bytes: &[u8]) {
    for (first, pilot) in [(0x89, pilot), (0x09, 0x4f)] {
        tape.extend(std::iter::repeat_n(SHORT, pilot));
        let countdown = (0..9).map(|step| first - step);
        let sum = bytes.iter().fold(0, |sum, byte| sum ^ byte);
        for byte in countdown.chain(bytes.iter().copied()).chain([sum]) {
            write_byte(tape, byte);
        }
        tape.extend([LONG, SHORT]);
    }
    // The end of the second copy, and a pause of a third of a second.
    tape.extend(std::iter::repeat_n(SHORT, 0x4e));
    tape.extend([0, 0x00, 0x00, 0x05]);
}

fn write_byte(tape: &mut Vec<u8>, byte: u8) {
    tape.extend([LONG, MEDIUM]);
    let parity = u8::from(byte.count_ones().is_multiple_of(2));
    for bit in (0..8).map(|bit| byte >> bit & 1).chain([parity]) {
        tape.extend(if bit == 0 { [SHORT, MEDIUM] } else { [MEDIUM, SHORT] });
    }
}
