//! Modifiers at work: memory blocks in, packed bytes and console lines out. Knows blocks and settings; how a source writes
//! them is handled by `eval`, and the streams are handled by `tempo-packers`.

use tempo_packers::exomizer::{self, Direction, LiteralRuns};
use tempo_packers::{PackError, b2, byteboozer, delta, tscrunch};
use thiserror::Error;

use crate::dialect::Modifier;
use crate::files::MemoryFiles;
use crate::layout::memory::Piece;
use crate::options::Options;

/// Where BASIC programs start.
const BASIC_START: i64 = 0x0801;
/// The end of memory that the pack start is counted from.
const DEFAULT_START: u16 = 0xfffa;
/// The vectors at the end of memory.
const MEMORY_END: i64 = 0x1_0000;

/// A modifier with its settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Job {
    pub modifier: Modifier,
    /// Whether Exomizer packs for a reader that goes forwards.
    pub is_forward: bool,
    pub has_literal_runs: bool,
    /// Whether the offsets of blocks are appended.
    pub has_offsets: bool,
    /// Whether the output is turned round, or differences begin at the last byte.
    pub is_reversed: bool,
    pub farthest: u16,
    pub is_in_place: bool,
    pub is_self_extracting: bool,
    /// The end that the pack start is counted from, or where packed data will be.
    pub start: Option<u16>,
    /// The address that a self-extracting program jumps to, or at which a program is started.
    pub jump: Option<u16>,
    /// The routine that is called before the program is started.
    pub init: Option<u16>,
}

impl Job {
    pub fn new(modifier: Modifier) -> Job {
        Job {
            modifier,
            is_forward: modifier == Modifier::ForwardMemExomizer,
            has_literal_runs: true,
            has_offsets: false,
            is_reversed: false,
            farthest: u16::MAX,
            is_in_place: false,
            is_self_extracting: false,
            start: None,
            jump: None,
            init: None,
        }
    }
}

/// The result of a modifier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Crunched {
    /// Packed blocks with their addresses, in order.
    pub pieces: Vec<Piece>,
    /// Data after the blocks in `.modify`.
    pub appended: Vec<u8>,
    pub console: Vec<String>,
}

impl Crunched {
    /// The output of `.modify`.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.pieces.iter().flat_map(|piece| piece.bytes.iter().copied()).collect();
        bytes.extend_from_slice(&self.appended);
        bytes
    }
}

/// Why blocks cannot be packed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum CrunchError {
    /// The words of the original, which gives no place.
    #[error("Index 0 out of bounds for length 0")]
    Empty,
    #[error("{} only handles one, single memory block", .0.name())]
    Several(Modifier),
    #[error("Can only handle a single memory area")]
    NotSingle,
    #[error("TS cannot use sfx and inplace at the same time")]
    InPlaceProgram,
    #[error(
        "{}: WARNING! Crunched data '{name}' in block[0] cannot be decompressed at ${at:04x} Safety distance is \
         ${safety:04x} Decompressed data span ${first:04x} - ${end:04x}\n{advice}", modifier.name()
    )]
    Misplaced {
        modifier: Modifier,
        name: String,
        at: u16,
        safety: usize,
        first: i64,
        end: i64,
        advice: String,
    },
    #[error("{}: {error}", modifier.name())]
    Packer { modifier: Modifier, error: PackError },
    #[error("{}: the address ${address:04X} is outside of memory", modifier.name())]
    Outside { modifier: Modifier, address: i64 },
    #[error("{}: the program is too large to unpack itself", .0.name())]
    TooLarge(Modifier),
    #[error("{}: the unpacker does not assemble: {problem}", modifier.name())]
    Unpacker { modifier: Modifier, problem: String },
}

/// Packs blocks.
pub(crate) fn run(job: &Job, blocks: &[Piece]) -> Result<Crunched, CrunchError> {
    let mut blocks: Vec<Piece> = blocks.iter().filter(|block| !block.bytes.is_empty()).cloned().collect();
    blocks.sort_by_key(|block| block.start);
    let modifier = job.modifier;
    match modifier {
        Modifier::LevelExomizer => levels(job, &blocks),
        Modifier::Xex => atari_program(job, &blocks),
        Modifier::DeltaPacker => match &blocks[..] {
            [block] => {
                let direction =
                    if job.is_reversed { delta::Direction::Backward } else { delta::Direction::Forward };
                let bytes = delta::pack(&block.bytes, direction);
                Ok(Crunched { pieces: vec![Piece { bytes, ..block.clone() }], ..Crunched::default() })
            }
            _ => Err(CrunchError::NotSingle),
        },
        Modifier::RawExomizer | Modifier::Ts => match &blocks[..] {
            [] => Err(CrunchError::Empty),
            [block] => single(job, block),
            _ => Err(CrunchError::Several(modifier)),
        },
        _ => single(job, &merged(&blocks).ok_or(CrunchError::Empty)?),
    }
}

/// All blocks as one, with zeros in the gaps.
fn merged(blocks: &[Piece]) -> Option<Piece> {
    let (first, others) = blocks.split_first()?;
    if others.is_empty() {
        return Some(first.clone());
    }
    let names: Vec<&str> = blocks.iter().map(|block| &block.name[..]).collect();
    let end = blocks.iter().map(|block| block.start + block.bytes.len() as i64).max()?;
    let mut bytes = vec![0; (end - first.start) as usize];
    for block in blocks {
        let from = (block.start - first.start) as usize;
        bytes[from..from + block.bytes.len()].copy_from_slice(&block.bytes);
    }
    Some(Piece { name: format!("[ {} ]", names.join(", ")), bytes, ..first.clone() })
}

fn exomizer_options(job: &Job) -> exomizer::Options {
    exomizer::Options {
        direction: if job.is_forward { Direction::Forward } else { Direction::Backward },
        literal_runs: if job.has_literal_runs { LiteralRuns::Allowed } else { LiteralRuns::Forbidden },
        farthest: job.farthest,
    }
}

/// Address of a block on the machine.
fn address(job: &Job, block: &Piece) -> Result<u16, CrunchError> {
    let modifier = job.modifier;
    if block.start + block.bytes.len() as i64 > MEMORY_END {
        return Err(CrunchError::Outside { modifier, address: block.start + block.bytes.len() as i64 - 1 });
    }
    u16::try_from(block.start).map_err(|_| CrunchError::Outside { modifier, address: block.start })
}

/// The console line about a block.
fn line(job: &Job, block: &Piece, packed: usize, rest: &str) -> String {
    let size = block.bytes.len();
    format!(
        "{}: {} ${:04x} - ${:04x} Packed size ${packed:04x} ({}%){rest}",
        job.modifier.name(),
        block.name,
        block.start,
        block.start + size as i64 - 1,
        100 * packed / size
    )
}

/// Packs one block.
fn single(job: &Job, block: &Piece) -> Result<Crunched, CrunchError> {
    let modifier = job.modifier;
    let fail = |error| CrunchError::Packer { modifier, error };
    let at = address(job, block)?;
    let bytes = &block.bytes;
    let (packed, start, rest) = match modifier {
        Modifier::ByteBoozer | Modifier::B2 | Modifier::B2Exe => {
            let packed = match modifier {
                Modifier::ByteBoozer => byteboozer::pack(bytes, at).map_err(fail)?,
                Modifier::B2 => b2::pack(bytes, at).map_err(fail)?,
                _ => self_extracting(job, block, at)?,
            };
            let end = job.start.unwrap_or(DEFAULT_START);
            let start = i64::from(end.wrapping_sub(packed.len() as u16));
            let rest = format!(" Pack start: ${start:04x}");
            (packed, if modifier == Modifier::B2Exe { BASIC_START } else { start }, rest)
        }
        Modifier::Ts if job.is_in_place && job.is_self_extracting => return Err(CrunchError::InPlaceProgram),
        Modifier::Ts if job.is_self_extracting => {
            (self_extracting(job, block, at)?, BASIC_START, String::new())
        }
        Modifier::Ts if job.is_in_place => {
            let packed = tscrunch::pack_in_place(bytes, at).map_err(fail)?;
            let rest = format!(" Load address: ${:04x}", packed.load);
            (packed.bytes, i64::from(packed.load), rest)
        }
        Modifier::Ts => (tscrunch::pack(bytes).map_err(fail)?, block.start, String::new()),
        Modifier::RawExomizer => {
            let mut packed = exomizer::pack(bytes, exomizer_options(job)).map_err(fail)?;
            if job.is_reversed {
                packed.stream.reverse();
            }
            let rest = format!(" Safety distance: ${:04x}", packed.safety);
            (packed.stream, packed.safety as i64, rest)
        }
        _ => {
            let packed = exomizer::pack_with_address(bytes, at, exomizer_options(job)).map_err(fail)?;
            check_place(job, block, &packed)?;
            let rest = format!(" Safety distance: ${:04x}", packed.safety);
            (packed.stream, packed.safety as i64, rest)
        }
    };
    let console = vec![line(job, block, packed.len(), &rest)];
    let piece = Piece { start, bytes: packed, ..block.clone() };
    Ok(Crunched { pieces: vec![piece], console, ..Crunched::default() })
}

/// Packs every block by itself.
fn levels(job: &Job, blocks: &[Piece]) -> Result<Crunched, CrunchError> {
    let modifier = job.modifier;
    let mut crunched = Crunched::default();
    let mut layout = Vec::new();
    let mut total = 0;
    for (number, block) in blocks.iter().enumerate() {
        let at = address(job, block)?;
        let mut packed = exomizer::pack_with_address(&block.bytes, at, exomizer_options(job))
            .map_err(|error| CrunchError::Packer { modifier, error })?;
        if !job.is_forward {
            packed.stream.reverse();
        }
        let size = packed.stream.len();
        crunched.console.push(line(job, block, size, &format!(" Safety distance: ${:04x}", packed.safety)));
        layout.push(format!("  ${total:04x} : [{number}] {}", block.name));
        let offset = if job.is_forward { total } else { total + size };
        crunched.appended.extend((offset as u16).to_le_bytes());
        total += size;
        crunched.pieces.push(Piece { start: packed.safety as i64, bytes: packed.stream, ..block.clone() });
    }
    if blocks.is_empty() {
        return Err(CrunchError::Empty);
    }
    if job.has_offsets {
        crunched.console.extend([String::new(), "Crunched Memory layout:".to_owned()]);
        crunched.console.append(&mut layout);
    } else {
        crunched.appended.clear();
    }
    Ok(crunched)
}

/// A vector that Atari DOS reads when a program is loaded.
const ATARI_RUN: u16 = 0x02e0;
/// The same for a routine that it calls as soon as the vector is loaded.
const ATARI_INIT: u16 = 0x02e2;

/// A program file of Atari DOS: $FFFF, then blocks with the addresses of their first and last bytes. The vectors are
/// blocks of two bytes.
fn atari_program(job: &Job, blocks: &[Piece]) -> Result<Crunched, CrunchError> {
    let mut bytes = vec![0xff, 0xff];
    let mut put = |first: u16, data: &[u8]| {
        bytes.extend(first.to_le_bytes());
        bytes.extend((first + (data.len() - 1) as u16).to_le_bytes());
        bytes.extend_from_slice(data);
    };
    for block in blocks {
        put(address(job, block)?, &block.bytes);
    }
    for (vector, target) in [(ATARI_INIT, job.init), (ATARI_RUN, job.jump)] {
        if let Some(target) = target {
            put(vector, &target.to_le_bytes());
        }
    }
    let name = blocks.first().ok_or(CrunchError::Empty)?.name.clone();
    // The addresses are in the file, so it has none of its own.
    let piece = Piece { name, bytes, ..Piece::default() };
    Ok(Crunched { pieces: vec![piece], ..Crunched::default() })
}

/// Whether packed data at the address of the check can be unpacked.
fn check_place(job: &Job, block: &Piece, packed: &exomizer::Packed) -> Result<(), CrunchError> {
    let Some(at) = job.start else { return Ok(()) };
    let (first, end) = (block.start, block.start + block.bytes.len() as i64);
    let (place, safety, size) = (i64::from(at), packed.safety as i64, packed.stream.len() as i64);
    let (fits, advice) = if job.is_forward {
        (place >= first + safety || first >= place + size, (">=", first + safety, "<=", first - size))
    } else {
        (place <= first - safety || place >= end, ("<=", first - safety, ">=", end))
    };
    if fits {
        return Ok(());
    }
    let (below, one, above, other) = advice;
    let word = |address: i64| address & 0xffff;
    let advice = format!("Place your data {below} ${:04x} or {above} ${:04x}", word(one), word(other));
    let (modifier, name, safety) = (job.modifier, block.name.clone(), packed.safety);
    Err(CrunchError::Misplaced { modifier, name, at, safety, first, end, advice })
}

/// A program for $0801 that unpacks itself, without its load address.
fn self_extracting(job: &Job, block: &Piece, at: u16) -> Result<Vec<u8>, CrunchError> {
    let modifier = job.modifier;
    let fail = |error| CrunchError::Packer { modifier, error };
    let (stream, lead, source): (Vec<u8>, usize, &str) = match modifier {
        Modifier::Ts => {
            let stream = tscrunch::pack(&block.bytes).map_err(fail)?;
            let lead = tscrunch::lead(&stream);
            (stream, lead, include_str!("../asm/selfextract/ts.asm"))
        }
        _ => {
            let stream = b2::pack_stream(&block.bytes).map_err(fail)?;
            let lead = b2::lead(&stream);
            (stream, lead, include_str!("../asm/selfextract/b2.asm"))
        }
    };
    // The unpacked program must not reach what is not read yet.
    if usize::from(at) + lead + stream.len() > MEMORY_END as usize {
        return Err(CrunchError::TooLarge(modifier));
    }
    let entry = job.jump.unwrap_or(at);
    let settings =
        format!(".const LOAD = ${at:04x}\n.const ENTRY = ${entry:04x}\n.const SIZE = {}\n", stream.len());
    let sources: MemoryFiles = [
        ("main.asm", source.as_bytes()),
        ("settings.asm", settings.as_bytes()),
        ("tscrunch.asm", crate::decrunch::source("tscrunch.asm").expect("it is built in").as_bytes()),
        ("packed.bin", stream.as_slice()),
    ]
    .into_iter()
    .collect();
    let output = crate::assemble(&sources, "main.asm", &Options::default());
    if output.has_errors() {
        let problem = output.diagnostics.first().map_or(String::new(), |first| first.message.clone());
        return Err(CrunchError::Unpacker { modifier, problem });
    }
    match output.prg() {
        Some(prg) => Ok(prg[2..].to_vec()),
        None => Err(CrunchError::Unpacker { modifier, problem: "it has no bytes".to_owned() }),
    }
}
