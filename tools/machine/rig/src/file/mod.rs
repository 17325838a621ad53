//! Recordings as files (`.tempo`): a head, then chunks with names, so that a reader skips those that it does not know.
//! Knows bytes alone; what is shown of a recording, and how its sources are assembled again, is the caller's.

mod actions;
mod bytes;
mod machine;

use std::io::Read;

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use serde::{Deserialize, Serialize};
use tempo_emu::{StateError, checksum};
use thiserror::Error;

use crate::machine::TestMachine;
use crate::record::Action;
use bytes::{Reader, Writer};

/// The first bytes of a recording.
const NAME: &[u8; 8] = b"TEMPOREC";
/// Changes when older readers must refuse the file.
const FORMAT: u16 = 1;
/// Bit 0 of the flags: the machine is a whole computer.
const IS_WHOLE: u16 = 1;
/// The length of the head: name, format, flags, checksum.
const HEAD: usize = 20;
/// The most bytes that a recording may unpack to.
pub const LARGEST: usize = 64 << 20;

/// The subject of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A test of a suite.
    #[default]
    Test,
    /// A program with what its user pressed.
    Session,
}

/// Facts about a recording: the chunk `META`. Paths are those of the sources in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The version of the program that wrote it.
    pub tempo: String,
    /// Its subject.
    pub kind: Kind,
    /// The suite, or the main source; empty if there is none.
    pub program: String,
    /// The test, as `suite/id`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub test: String,
    /// The failure in words, or what the moment of interest is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The file of the failing statement.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Its line, from 1; 0 if there is none.
    pub line: u32,
    /// The cycle of interest.
    pub cycle: u64,
    /// The machine.
    pub system: String,
    /// The seed of `forall`.
    pub seed: u64,
    /// Every test ran on a fresh machine.
    pub isolate: bool,
    /// The suite is in sim6502's language.
    pub compat: bool,
    /// An unsuffixed sum left of a comparison reads memory.
    pub legacy_sum_reads: bool,
    /// Cycles after which a test fails; 0 is never.
    pub max_cycles: u64,
    /// Cases of `forall` after which a test fails.
    pub max_cases: u64,
    /// Preprocessor symbols.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<String>,
    /// Variables of the command line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vars: Vec<(String, String)>,
    /// The command that runs it again.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// ROM images of others, which are not in the file: path, length and checksum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roms: Vec<(String, usize, u64)>,
}

/// A request for a file, as the assembler or a suite made it, and the file that was the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The name that was asked for.
    pub name: String,
    /// The file in which it was.
    pub from: Option<String>,
    /// The number of the file; `None` if there was none.
    pub file: Option<usize>,
}

/// The files that the program and the suite came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceSet {
    /// Path and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// The requests that led to them.
    pub asks: Vec<Ask>,
}

impl SourceSet {
    /// The contents of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.iter().find(|(known, _)| known == path).map(|(_, bytes)| &bytes[..])
    }
}

/// The run of the machine: where it started, and what happened to it.
#[derive(Clone)]
pub struct Course {
    /// The machine before the first action.
    pub machine: TestMachine,
    /// The actions.
    pub actions: Vec<Action>,
    /// Bytes that were loaded before: first address and number.
    pub loaded: Vec<(u16, usize)>,
}

/// A recording, as it is in a file.
pub struct RecordingFile {
    /// Facts.
    pub about: About,
    /// The course of the machine; an error if another version of this program saved it.
    pub course: Result<Course, StateError>,
    /// The sources.
    pub sources: SourceSet,
    /// The last picture, as PNG.
    pub picture: Option<Vec<u8>>,
    /// Names and packed sizes of all chunks.
    pub chunks: Vec<(String, usize)>,
}

/// A fault in a chunk, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fault {
    at: usize,
    why: String,
}

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} (at its byte {})", self.why, self.at)
    }
}

/// Why bytes are not a recording.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// They do not begin as a recording does.
    #[error("this is not a recording")]
    Foreign,
    /// A later version wrote them.
    #[error("the recording has format {found}, this program reads format {FORMAT}")]
    Format {
        /// Its format.
        found: u16,
    },
    /// They do not match their checksum.
    #[error("the recording is damaged: its checksum is not that of its {0} bytes")]
    Checksum(usize),
    /// A chunk is not as it should be.
    #[error("the recording is damaged: chunk {name} at offset {at}: {why}")]
    Chunk {
        /// Its name.
        name: String,
        /// Where it is in the file.
        at: usize,
        /// The reason.
        why: String,
    },
    /// It unpacks to too much.
    #[error("the recording is larger than {} MB", LARGEST >> 20)]
    TooLarge,
    /// A chunk that every recording has.
    #[error("the recording has no chunk {0}")]
    Missing(&'static str),
}

/// Makes a file of a recording. Without a course (for programs that hold ROMs of others) readers run the sources again.
pub fn write(about: &About, course: Option<&Course>, sources: &SourceSet, picture: Option<&[u8]>) -> Vec<u8> {
    let mut chunks = Vec::new();
    let json = serde_json::to_vec(about).expect("facts are plain data");
    add_chunk(&mut chunks, b"META", &json);
    if let Some(course) = course {
        let mut writer = Writer::default();
        writer.block(&course.machine.save());
        writer.number(course.loaded.len() as u64);
        for &(address, count) in &course.loaded {
            writer.number(address.into());
            writer.number(count as u64);
        }
        add_chunk(&mut chunks, b"STAT", &writer.bytes);
        add_chunk(&mut chunks, b"ACTS", &actions::write(&course.actions));
    }
    if !sources.files.is_empty() {
        add_chunk(&mut chunks, b"SRCS", &write_sources(sources));
    }
    if let Some(picture) = picture {
        add_chunk(&mut chunks, b"PICT", picture);
    }
    let is_whole = course.is_some_and(|course| course.machine.whole().is_some());
    let mut file = NAME.to_vec();
    file.extend(FORMAT.to_le_bytes());
    file.extend((if is_whole { IS_WHOLE } else { 0 }).to_le_bytes());
    file.extend(checksum(&chunks).to_le_bytes());
    file.extend(chunks);
    file
}

fn add_chunk(chunks: &mut Vec<u8>, name: &[u8; 4], bytes: &[u8]) {
    let mut packed = Vec::new();
    // Reading from memory does not fail.
    let _ = DeflateEncoder::new(bytes, Compression::best()).read_to_end(&mut packed);
    let is_packed = packed.len() < bytes.len();
    let stored = if is_packed { &packed[..] } else { bytes };
    chunks.extend(name);
    chunks.extend((stored.len() as u32).to_le_bytes());
    chunks.push(u8::from(is_packed));
    chunks.extend(stored);
}

fn write_sources(sources: &SourceSet) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.number(sources.files.len() as u64);
    for (path, bytes) in &sources.files {
        writer.text(path);
        writer.block(bytes);
    }
    writer.number(sources.asks.len() as u64);
    for ask in &sources.asks {
        writer.text(&ask.name);
        writer.byte(u8::from(ask.from.is_some()));
        if let Some(from) = &ask.from {
            writer.text(from);
        }
        writer.number(ask.file.map_or(0, |file| file as u64 + 1));
    }
    writer.bytes
}

/// A name that leads nowhere but below the folder of the recording.
fn is_plain_path(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with('/')
        && !path.contains(['\\', '\0', ':'])
        && path.split('/').all(|part| !part.is_empty() && part != ".." && part != ".")
}

fn read_sources(bytes: &[u8]) -> Result<SourceSet, Fault> {
    let mut reader = Reader::new(bytes);
    let mut sources = SourceSet::default();
    for _ in 0..reader.number()? {
        let path = reader.text()?.to_string();
        if !is_plain_path(&path) {
            return Err(reader.fault(format!("the path {path:?} leads out of the recording")));
        }
        sources.files.push((path, reader.block()?.to_vec()));
    }
    for _ in 0..reader.number()? {
        let name = reader.text()?.to_string();
        let from = if reader.flag()? { Some(reader.text()?.to_string()) } else { None };
        let file = reader.small::<usize>()?.checked_sub(1);
        if file.is_some_and(|file| file >= sources.files.len()) {
            return Err(reader.fault("a request has a file that there is not"));
        }
        sources.asks.push(Ask { name, from, file });
    }
    match reader.is_over() {
        true => Ok(sources),
        false => Err(reader.fault("there are bytes after its end")),
    }
}

/// Reads a recording. A course that another version saved is not a fault of the file.
pub fn read(file: &[u8]) -> Result<RecordingFile, FileError> {
    let head = file.get(..HEAD).filter(|head| head.starts_with(NAME)).ok_or(FileError::Foreign)?;
    let word = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    if word(8) != FORMAT {
        return Err(FileError::Format { found: word(8) });
    }
    let sum = u64::from_le_bytes(head[12..20].try_into().unwrap_or_default());
    if sum != checksum(&file[HEAD..]) {
        return Err(FileError::Checksum(file.len()));
    }
    let mut left = LARGEST;
    let mut known: [Option<(usize, Vec<u8>)>; 5] = Default::default();
    const KNOWN: [&str; 5] = ["META", "STAT", "ACTS", "SRCS", "PICT"];
    let mut chunks = Vec::new();
    let mut at = HEAD;
    while at < file.len() {
        let name: String = file[at..].iter().take(4).map(|&byte| char::from(byte)).collect();
        let fault = |why: &str| FileError::Chunk {
            name: name.escape_default().to_string(),
            at,
            why: why.to_string(),
        };
        let head = file.get(at..at + 9).ok_or_else(|| fault("its head is cut off"))?;
        if !head[..4].iter().all(u8::is_ascii_alphanumeric) {
            return Err(fault("this is not the name of a chunk"));
        }
        let length = u32::from_le_bytes(head[4..8].try_into().unwrap_or_default()) as usize;
        let stored = file[at + 9..].get(..length).ok_or_else(|| fault("it is longer than the file"))?;
        chunks.push((name.clone(), length));
        if let Some(place) = KNOWN.iter().position(|known| *known == name) {
            if known[place].is_some() {
                return Err(fault("there is another one before it"));
            }
            let bytes = match head[8] {
                0 if stored.len() > left => return Err(FileError::TooLarge),
                0 => stored.to_vec(),
                1 => unpack(stored, left).map_err(|why| match why {
                    Some(why) => fault(&why),
                    None => FileError::TooLarge,
                })?,
                _ => return Err(fault("it is packed in a way that this program does not know")),
            };
            left -= bytes.len();
            known[place] = Some((at, bytes));
        }
        at += 9 + length;
    }
    let [meta, state, actions, sources, picture] = known;
    let (at, meta) = meta.ok_or(FileError::Missing("META"))?;
    let fault = |name: &str, at: usize, why: String| FileError::Chunk { name: name.to_string(), at, why };
    let about: About = serde_json::from_slice(&meta)
        .map_err(|err| fault("META", at, format!("this is not its JSON: {err}")))?;
    let sources = match sources {
        None => SourceSet::default(),
        Some((at, bytes)) => read_sources(&bytes).map_err(|found| fault("SRCS", at, found.to_string()))?,
    };
    let course = match (state, actions) {
        (None, _) => Err(StateError::Impossible("it is not in the recording")),
        (Some(_), None) => return Err(FileError::Missing("ACTS")),
        (Some((state_at, state)), Some((acts_at, acts))) => match read_start(&state) {
            Ok(Ok((machine, loaded))) => {
                let actions = actions::read(&acts, &machine)
                    .map_err(|found| fault("ACTS", acts_at, found.to_string()))?;
                Ok(Course { machine, actions, loaded })
            }
            Ok(Err(other)) => Err(other),
            Err(found) => return Err(fault("STAT", state_at, found.to_string())),
        },
    };
    let picture = picture.map(|(_, bytes)| bytes);
    Ok(RecordingFile { about, course, sources, picture, chunks })
}

type Start = (TestMachine, Vec<(u16, usize)>);

/// The machine before the first action; the inner error says that another version saved it.
fn read_start(bytes: &[u8]) -> Result<Result<Start, StateError>, Fault> {
    let mut reader = Reader::new(bytes);
    let machine = match TestMachine::restore(reader.block()?) {
        Ok(machine) => machine,
        // Other versions have other fields; everything else is damage.
        Err(err @ (StateError::Version { .. } | StateError::Unknown(_))) => return Ok(Err(err)),
        Err(err) => return Err(reader.fault(err.to_string())),
    };
    let mut loaded = Vec::new();
    for _ in 0..reader.number()? {
        loaded.push((reader.small()?, reader.small()?));
    }
    match reader.is_over() {
        true => Ok(Ok((machine, loaded))),
        false => Err(reader.fault("there are bytes after its end")),
    }
}

/// Unpacks a chunk; the error is its reason, or none if it is too large.
fn unpack(stored: &[u8], left: usize) -> Result<Vec<u8>, Option<String>> {
    let mut bytes = Vec::new();
    let read = DeflateDecoder::new(stored).take(left as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|err| Some(format!("it cannot be unpacked: {err}")))?;
    if bytes.len() > left { Err(None) } else { Ok(bytes) }
}
