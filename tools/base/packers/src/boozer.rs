//! Common parts of ByteBoozer and B2: lengths, literal runs and copies, and the end mark.
//! Knows neither how distances are written nor how a file is cut into tokens.

use crate::UnpackError;
use crate::bits::{Reader, Sink, Writer};

/// The most bytes of a literal run, and of a copy.
pub(crate) const LONGEST: usize = 255;

/// A piece of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// A run of bytes, of any length: it is cut when it is written.
    Literals(usize),
    Copy {
        length: usize,
        distance: usize,
    },
}

/// Bits of a length.
pub(crate) fn length_bits(length: usize) -> u32 {
    2 * length.ilog2() + u32::from(length < 128)
}

fn write_length(writer: &mut Writer, length: usize) {
    for bit in (0..length.ilog2()).rev() {
        writer.bit(true);
        writer.bit(length >> bit & 1 == 1);
    }
    if length < 128 {
        writer.bit(false);
    }
}

fn read_length(reader: &mut Reader<'_>) -> Result<usize, UnpackError> {
    let mut length = 1;
    while length < 128 && reader.bit()? {
        length = length << 1 | usize::from(reader.bit()?);
    }
    Ok(length)
}

/// Writes the tokens and the end mark.
pub(crate) fn write(
    writer: &mut Writer,
    bytes: &[u8],
    tokens: &[Token],
    write_distance: impl Fn(&mut Writer, usize, usize),
) {
    let mut at = 0;
    // A copy follows every short run: its flag is left out.
    let mut is_copy_due = false;
    for &token in tokens {
        match token {
            Token::Literals(count) => {
                for run in bytes[at..at + count].chunks(LONGEST) {
                    writer.bit(false);
                    write_length(writer, run.len());
                    run.iter().for_each(|&byte| writer.byte(byte));
                    is_copy_due = run.len() < LONGEST;
                }
                at += count;
            }
            Token::Copy { length, distance } => {
                if !is_copy_due {
                    writer.bit(true);
                }
                is_copy_due = false;
                write_length(writer, length - 1);
                write_distance(writer, length, distance);
                at += length;
            }
        }
    }
    if !is_copy_due {
        writer.bit(true);
    }
    write_length(writer, 255);
}

/// Reads tokens up to the end mark; `progress` gets the bytes read and written after each.
pub(crate) fn read(
    reader: &mut Reader<'_>,
    limit: usize,
    read_distance: impl Fn(&mut Reader<'_>, usize) -> Result<usize, UnpackError>,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<u8>, UnpackError> {
    let mut sink = Sink::new(limit);
    let mut is_copy = reader.bit()?;
    loop {
        if !is_copy {
            let count = read_length(reader)?;
            for _ in 0..count {
                sink.push(reader.byte()?)?;
            }
            progress(reader.at, sink.bytes.len());
            is_copy = count < LONGEST || reader.bit()?;
            continue;
        }
        let length = read_length(reader)? + 1;
        if length > LONGEST {
            return Ok(sink.bytes);
        }
        let distance = read_distance(reader, length)?;
        sink.copy(length, distance)?;
        progress(reader.at, sink.bytes.len());
        is_copy = reader.bit()?;
    }
}
