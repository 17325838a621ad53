//! `tempo pack`: a program file that loads faster and unpacks itself when it is run, or packed data for a program that does.

mod data;

use std::path::PathBuf;

use clap::Parser;
use tempo_assembler::{MemoryFiles, Options};
use tempo_emu::c64::{C64, Model, StartError, parse_program};
use tempo_host::{Exit, files, output};
use tempo_packers::own;
use thiserror::Error;

pub use data::{Data, Format, parse_address};

/// The program around the packed data.
const DEPACKER: &[u8] = include_bytes!("../../../../../asm/depack/depack.asm");

/// The packed data is below this address when it is unpacked: the vector of the RESTORE key is there.
const STREAM_END: usize = 0xfffa;
/// The unpacker is in the tape buffer, below this address.
const LOWEST: u16 = 0x0400;
/// A 1541 without a fast loader moves about this many bytes in a second.
const DRIVE: f64 = 400.0;

/// Pack a C64 program, so that it loads faster and unpacks itself, or data for a program
///
/// Takes a program file that starts with a BASIC line (`10 SYS 2064`) and writes one that does the same: RUN unpacks it to
/// where it was and calls it, with the ROMs, interrupts and stack as BASIC leaves them. The bytes
/// $F7-$FE, $02A7-$02C6 and the tape buffer ($0334-$03FF) are used meanwhile, and memory after the program up to $FFFF.
///
/// With another --format it packs data, and the program unpacks it when it needs it: import the file and the depacker,
/// as in `#import "<tempo/decrunch/zx0.asm>"`, whose header shows the call. ZX0 and Exomizer pack smallest, TSCrunch
/// unpacks fastest. A file whose name ends in .prg has a load address, which becomes the address of the data.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo pack game.prg -o packed.prg
  tempo asm game.asm -o game.prg && tempo pack game.prg -o game-packed.prg
  tempo pack --format zx0 charset.bin -o charset.zx0
  tempo pack --format b2 picture.prg -o picture.b2              at the load address of the file
  tempo pack --format exomizer --address '$4000' level.bin -o level.exo

Exit codes: 0 written, 1 the program cannot be packed, 2 unreadable or unwritable file.")]
pub struct Args {
    /// The program or data file
    #[arg(value_name = "FILE")]
    program: PathBuf,

    /// Format of the packed file
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,

    /// Address of the unpacked data, as in $4000; a .prg file has one
    #[arg(long, value_name = "ADDRESS", value_parser = data::parse_address)]
    address: Option<u16>,

    /// Where the packed file goes; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Why a program cannot be packed.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum PackError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Packer(#[from] tempo_packers::PackError),
    #[error("the program loads at ${0:04X}, but the unpacker needs the memory up to $03FF")]
    TooLow(u16),
    #[error("the program is too large to be unpacked in memory: {0} bytes too many")]
    TooLarge(usize),
    #[error("the unpacker does not assemble: {0}")]
    Assembly(String),
}

impl PackError {
    /// Whether the program does not start as packed programs have to.
    pub fn is_about_start(&self) -> bool {
        matches!(self, PackError::Start(_))
    }
}

pub fn run(args: Args) -> Exit {
    let plain = match files::read_limited(&args.program, 0x10002) {
        Ok(plain) => plain,
        Err(err) => return output::complain(format_args!("cannot read {}: {err}", args.program.display())),
    };
    if args.format == Format::Own && args.address.is_some() {
        return output::complain("--address is for data; a program has its load address: add --format");
    }
    let is_program = args.program.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("prg"));
    let packed = match args.format {
        Format::Own => pack(&plain).map(|packed| (packed, String::new())).map_err(|err| err.to_string()),
        format => Data::of(&plain, is_program, args.address)
            .and_then(|data| data.pack(format))
            .map_err(|err| err.to_string()),
    };
    let (packed, remark) = match packed {
        Ok(packed) => packed,
        Err(err) => {
            output::complain(format_args!("{}: {err}", args.program.display()));
            return Exit::Failed;
        }
    };
    let mut outputs = files::Outputs::default();
    outputs.add(&args.output, packed.as_slice());
    if let Err(err) = outputs.write() {
        return output::complain(err);
    }
    if !files::is_stdout(&args.output) {
        output::say(&format!(
            "{}: {}\n",
            args.output.display(),
            figures(plain.len(), packed.len()) + &remark
        ));
    }
    Exit::Fine
}

/// Sizes, and what they mean at a drive.
fn figures(plain: usize, packed: usize) -> String {
    let blocks = |bytes: usize| bytes.div_ceil(254);
    let seconds = |bytes: usize| bytes as f64 / DRIVE;
    format!(
        "{packed} bytes, {} blocks, {:.0} % of {plain} bytes, {} blocks; about {:.0} s instead of {:.0} s from a 1541",
        blocks(packed),
        100.0 * packed as f64 / plain as f64,
        blocks(plain),
        seconds(packed),
        seconds(plain)
    )
}

/// The size alone, for a list of files.
pub fn short_figures(plain: usize, packed: usize) -> String {
    format!("{packed} bytes, {:.0} % of {plain}", 100.0 * packed as f64 / plain.max(1) as f64)
}

/// A program file that unpacks itself to this one.
pub fn pack(prg: &[u8]) -> Result<Vec<u8>, PackError> {
    let (load, bytes) = parse_program(prg)?;
    if load < LOWEST {
        return Err(PackError::TooLow(load));
    }
    // The machine knows how BASIC finds the address.
    let mut machine = C64::new(Model::Pal);
    machine.start(prg)?;
    let entry = machine.cpu.registers.pc;
    let packed = own::pack(bytes)?;
    let needed = usize::from(load) + packed.lead + packed.stream.len();
    if needed > STREAM_END {
        return Err(PackError::TooLarge(needed - STREAM_END));
    }
    let list = |bits: [u8; 4]| bits.map(|bits| bits.to_string()).join(", ");
    let settings = format!(
        ".const LOAD = ${load:04x}\n.const ENTRY = ${entry:04x}\n.const STREAM_END = ${STREAM_END:04x}\n\
         .const ShortBits = List().add({})\n.const LongBits = List().add({})\n",
        list(packed.ranges.short),
        list(packed.ranges.long)
    );
    let sources: MemoryFiles = [
        ("depack.asm", DEPACKER),
        ("settings.asm", settings.as_bytes()),
        ("packed.bin", packed.stream.as_slice()),
    ]
    .into_iter()
    .collect();
    let output = tempo_assembler::assemble(&sources, "depack.asm", &Options::default());
    if output.has_errors() {
        let first = output.diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).next();
        // What the source refuses is a program that does not fit; everything else is its own fault.
        return Err(PackError::Assembly(first.unwrap_or_default()));
    }
    output.prg().ok_or_else(|| PackError::Assembly("it has no bytes".into()))
}

#[cfg(test)]
mod tests {
    use tempo_emu::c64::Board;
    use tempo_random::Random;

    use super::*;

    /// Runs a packed program until it enters the unpacked one; the machine and the cycles that took.
    fn unpack(packed: &[u8], entry: u16) -> (C64, u64) {
        let mut machine = C64::new(Model::Pal);
        machine.start(packed).expect("a BASIC line");
        let before = machine.cpu.cycles;
        // The mover is where the program will be: only the unpacker's jump leads into the program.
        let mut last = 0;
        for _ in 0..10_000_000u32 {
            let pc = machine.cpu.registers.pc;
            if pc == entry && (0x0334..0x0400).contains(&last) {
                let cycles = machine.cpu.cycles - before;
                return (machine, cycles);
            }
            last = pc;
            machine.cpu.step(&mut machine.board);
        }
        panic!("it does not enter the program; PC is ${:04X}", machine.cpu.registers.pc);
    }

    fn memory(board: &Board, plain: &[u8]) -> Vec<u8> {
        let start = usize::from(u16::from_le_bytes([plain[0], plain[1]]));
        board.ram()[start..start + plain.len() - 2].to_vec()
    }

    /// `10 SYS 2062`, then these bytes from $080E on.
    fn program(bytes: &[u8]) -> Vec<u8> {
        let line = [0x01, 0x08, 0x0c, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'2', 0, 0, 0, 0];
        [&line, bytes].concat()
    }

    #[test]
    fn the_chess_program_unpacks_to_itself() {
        let plain = tempo_bridge::Program::files().expect("it assembles").prg;
        let packed = pack(&plain).expect("it packs");
        assert!(packed.len() < plain.len() * 2 / 3, "{} of {}", packed.len(), plain.len());
        let mut reference = C64::new(Model::Pal);
        reference.start(&plain).expect("a BASIC line");
        let entry = reference.cpu.registers.pc;
        let (machine, cycles) = unpack(&packed, entry);
        assert!(memory(&machine.board, &plain) == plain[2..], "the memory differs");
        assert_eq!(machine.cpu.registers.s, reference.cpu.registers.s, "RTS goes where it went");
        assert_eq!(machine.board.ram()[1] & 7, reference.board.ram()[1] & 7, "the ROMs are back");
        println!(
            "{} of {} bytes, {:.1} s to unpack",
            packed.len(),
            plain.len(),
            cycles as f64 / f64::from(Model::Pal.clock())
        );
        assert!(cycles < 6_000_000, "{cycles}");
    }

    #[test]
    fn programs_of_all_kinds_unpack() {
        let mut random = Random::new(7);
        for kinds in [1u64, 3, 30, 256] {
            for length in [1usize, 2, 255, 256, 257, 3000, 30_000] {
                let bytes: Vec<u8> = (0..length).map(|_| random.below(kinds) as u8).collect();
                let plain = program(&bytes);
                let packed = pack(&plain).expect("it packs");
                let (machine, _) = unpack(&packed, 2062);
                assert!(memory(&machine.board, &plain) == plain[2..], "{kinds} kinds, {length} bytes");
            }
        }
    }

    #[test]
    fn what_cannot_be_packed_is_refused() {
        assert_eq!(pack(&[1]), Err(PackError::Start(StartError::TooShort(1))));
        let no_sys = [1, 8, 7, 8, 10, 0, 0x99, 0, 0, 0];
        assert_eq!(pack(&no_sys), Err(PackError::Start(StartError::NoSys(0x0801))));
        assert_eq!(pack(&[0x00, 0x03, 0x60]), Err(PackError::TooLow(0x0300)));
        let mut random = Random::new(8);
        let noise: Vec<u8> = (0..0xf7f0).map(|_| random.below(256) as u8).collect();
        assert!(matches!(pack(&program(&noise)), Err(PackError::TooLarge(_))));
    }
}
