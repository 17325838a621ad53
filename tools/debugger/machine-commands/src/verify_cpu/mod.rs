//! `tempo verify-cpu`: runs recorded CPU vectors and says where the emulator differs.

mod single_step;
mod tally;

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Parser;
use flate2::read::MultiGzDecoder;
use rayon::prelude::*;
use tempo_emu::vectors::{Bench, OpcodeCase, Trace, is_trace};
use tempo_emu::{ForCore, Unstable, Variant, with_core};
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, files, output};
use tempo_isa::Cpu;

use tally::Tally;
use tempo_source_commands::cpus;

/// Compare the CPU with recorded vectors
///
/// Runs every vector of the files and folders given, cycle by cycle, and compares registers, memory and
/// every bus cycle. Two formats are understood, plain or gzip: lines as in tests/vectors (one instruction,
/// or a trace with changes of the input pins), and the JSON of the SingleStepTests projects.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo verify-cpu tests/vectors
  tempo verify-cpu SingleStepTests/6502/v1 --ane '$ee' --lxa '$ee'
  tempo verify-cpu --cpu 65c02 SingleStepTests/wdc65c02/v1/a9.json.gz
  tempo verify-cpu tests/vectors --format json | jq .failed

Folders are searched for .txt and .json files, also with .gz; a file named on the command line is read \
whatever its name.

ANE ($8B) computes A = (A | c) & X & operand and LXA ($AB) A = X = (A | c) & operand, with a constant c that differs \
between chips. Ours are those of the transistor netlist; recordings of other chips need theirs, often $ee or $ff.

Exit codes: 0 all vectors pass, 1 some fail, 2 a file cannot be read or is not a vector file.")]
pub struct Args {
    /// Vector files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The chip the vectors were recorded on
    #[arg(long, value_parser = cpus::parser(Cpu::emulated()), default_value = Cpu::default().name(), value_name = "CPU")]
    cpu: Cpu,

    /// The constant that ANE, opcode $8B, has on the recorded chip
    #[arg(long, value_name = "BYTE", default_value = "$00", value_parser = byte)]
    ane: u8,

    /// The constant that LXA, opcode $AB, has on the recorded chip
    #[arg(long, value_name = "BYTE", default_value = "$00", value_parser = byte)]
    lxa: u8,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

fn byte(text: &str) -> Result<u8, String> {
    let number = tempo_debug::parse_number(text).and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| "not a byte between $00 and $FF".to_owned())
}

/// The largest file, packed or not. SingleStepTests have about 5 MB for each opcode.
const LIMIT: u64 = 512 << 20;

pub fn run(args: Args) -> Exit {
    let files = match find_files(&args.paths) {
        Ok(files) => files,
        Err(message) => return output::complain(message),
    };
    let unstable = Unstable { ane: args.ane, lxa: args.lxa, ..Unstable::default() };
    let core = args.cpu.core().expect("the parser takes CPUs with a core");
    let bar = Progress::start("verifying", "files", Some(files.len() as u64));
    let verified: Result<Vec<Tally>, String> = files
        .par_iter()
        .map(|path| {
            let text = read(path)?;
            let tally = with_core(core, File { path, text: &text, unstable });
            bar.inc(1);
            tally.map_err(|err| format!("{}:{err}", path.display()))
        })
        .collect();
    drop(bar);
    let tally = match verified {
        Ok(tallies) => tallies.into_iter().fold(Tally::default(), Tally::merge),
        Err(message) => return output::complain(message),
    };
    output::print(|out| {
        match args.format {
            Format::Human => tally.print_text(out, args.cpu)?,
            Format::Json => writeln!(out, "{}", tally.json())?,
        }
        Ok(if tally.failed() == 0 { Exit::Fine } else { Exit::Failed })
    })
}

/// Every file named, and every vector file below a folder named, sorted.
fn find_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        let is_folder =
            std::fs::metadata(path).map_err(|err| format!("cannot read {}: {err}", path.display()))?.is_dir();
        if !is_folder {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        let mut open = vec![path.clone()];
        while let Some(folder) = open.pop() {
            let fault = |err: std::io::Error| format!("cannot read {}: {err}", folder.display());
            for entry in std::fs::read_dir(&folder).map_err(fault)? {
                let entry = entry.map_err(fault)?;
                // A link to a folder may lead round in a circle; only real folders are entered.
                if entry.file_type().map_err(fault)?.is_dir() {
                    open.push(entry.path());
                } else if is_vector_file(&entry.path()) {
                    found.push(entry.path());
                }
            }
        }
        if found.len() == before {
            return Err(format!(
                "{}: no vector files (.txt or .json, also .gz) in this folder",
                path.display()
            ));
        }
    }
    found.sort();
    Ok(found)
}

fn is_vector_file(path: &Path) -> bool {
    has_ending(path, ".txt") || has_ending(path, ".json")
}

/// Whether the name ends so, packed or not.
fn has_ending(path: &Path, ending: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(ending)
}

/// The text of a file, unpacked if it is gzip.
fn read(path: &Path) -> Result<String, String> {
    let fault = |err: std::io::Error| format!("cannot read {}: {err}", path.display());
    let mut bytes = files::read_limited(path, LIMIT).map_err(fault)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(&bytes[..]).take(LIMIT + 1).read_to_end(&mut unpacked).map_err(fault)?;
        if unpacked.len() as u64 > LIMIT {
            return Err(format!("{}: unpacks to more than {LIMIT} bytes", path.display()));
        }
        bytes = unpacked;
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(format!("{}: the file is empty", path.display()));
    }
    String::from_utf8(bytes).map_err(|_| format!("{}: not a vector file: it is not text", path.display()))
}

/// A file of vectors.
struct File<'a> {
    path: &'a Path,
    text: &'a str,
    unstable: Unstable,
}

impl ForCore for File<'_> {
    type Output = Result<Tally, String>;

    fn run<V: Variant>(self) -> Result<Tally, String> {
        verify::<V>(self.path, self.text, self.unstable)
    }
}

/// Runs the vectors of one file. The error begins with a line number.
fn verify<V: Variant>(path: &Path, text: &str, unstable: Unstable) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut bench = Bench::with_unstable(unstable);
    // A .json that is none is called so.
    if text.trim_start().starts_with('[') || has_ending(path, ".json") {
        let cases = single_step::parse(text)?;
        if cases.is_empty() {
            return Err("1: the list of vectors is empty".into());
        }
        for case in cases {
            tally.add_case(&case, &bench.run::<V>(&case));
        }
        return Ok(tally);
    }
    for (number, line) in text.lines().enumerate() {
        let at = |err| format!("{}: {err}", number + 1);
        if line.trim().is_empty() {
            continue;
        }
        if is_trace(line) {
            tally.add_trace::<V>(&Trace::parse(line).map_err(at)?, unstable);
        } else {
            let case = OpcodeCase::parse(line).map_err(at)?;
            tally.add_case(&case, &bench.run::<V>(&case));
        }
    }
    Ok(tally)
}
