//! `tempo run --system c64`: a program on a whole C64, with what it leaves in memory and on the screen.

use std::path::PathBuf;

use clap::ValueEnum;
use emu::c64::{C64, Ended, Joystick, Key, Model, WIDTH};

use super::{Args, LIMIT};
use crate::exit::Exit;
use crate::files;
use crate::output;

/// A machine to run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum System {
    /// C64 with a 6569: 312 lines of 63 cycles
    #[value(name = "c64-pal", aliases = ["c64", "pal"])]
    Pal,
    /// C64 with a 6567R8: 263 lines of 65 cycles
    #[value(name = "c64-ntsc", alias = "ntsc")]
    Ntsc,
}

impl System {
    fn model(self) -> Model {
        match self {
            System::Pal => Model::Pal,
            System::Ntsc => Model::Ntsc,
        }
    }
}

/// Pepto's colours, by number.
const PALETTE: [[u8; 3]; 16] = [
    [0x00, 0x00, 0x00],
    [0xff, 0xff, 0xff],
    [0x68, 0x37, 0x2b],
    [0x70, 0xa4, 0xb2],
    [0x6f, 0x3d, 0x86],
    [0x58, 0x8d, 0x43],
    [0x35, 0x28, 0x79],
    [0xb8, 0xc7, 0x6f],
    [0x6f, 0x4f, 0x25],
    [0x43, 0x39, 0x00],
    [0x9a, 0x67, 0x59],
    [0x44, 0x44, 0x44],
    [0x6c, 0x6c, 0x6c],
    [0x9a, 0xd2, 0x84],
    [0x6c, 0x5e, 0xb5],
    [0x95, 0x95, 0x95],
];

/// Bytes to save after the run.
struct Dump {
    first: u16,
    last: u16,
    path: PathBuf,
}

pub fn run(args: &Args, system: System) -> Exit {
    match run_machine(args, system) {
        Ok(exit) => exit,
        Err(message) => output::complain(message),
    }
}

fn run_machine(args: &Args, system: System) -> Result<Exit, String> {
    let dumps: Vec<Dump> = args.dump_memory.iter().map(|text| parse_dump(text)).collect::<Result<_, _>>()?;
    let mut machine = C64::new(system.model());
    if let Some(text) = &args.hold {
        hold(&mut machine, text)?;
    }
    let file = args.file.display();
    let prg = files::read_limited(&args.file, LIMIT).map_err(|err| format!("cannot read {file}: {err}"))?;
    machine.start(&prg).map_err(|err| format!("{file}: {err}"))?;
    let ended = machine.run_frames(args.frames);
    let mut outputs = files::Outputs::default();
    for dump in &dumps {
        let bytes = &machine.board.ram()[usize::from(dump.first)..=usize::from(dump.last)];
        outputs.add(&dump.path, bytes);
    }
    if let Some(path) = &args.screenshot {
        if ended == Ended::Time {
            // Up to the end of a picture that begins after that time.
            machine.run_frames(2);
        }
        outputs.add(path, png(machine.board.picture(), system)?);
    }
    outputs.write().map_err(|err| format!("cannot write {}: {}", err.path.display(), err.error))?;
    match ended {
        Ended::Exit(code) => Ok(Exit::Program(code)),
        Ended::Time | Ended::Returned => Ok(Exit::Fine),
        Ended::Jammed | Ended::HostCall(_) | Ended::Hook => {
            output::complain(format_args!(
                "an opcode before ${:04X} stops the CPU for good",
                machine.cpu.registers.pc
            ));
            Ok(Exit::Failed)
        }
    }
}

/// `c000-c03f=FILE`, the addresses in hex with or without a `$`.
fn parse_dump(text: &str) -> Result<Dump, String> {
    let wrong = || {
        format!("--dump-memory {text}: expected LO-HI=FILE with addresses in hex, as in c000-c0ff=out.bin")
    };
    let number =
        |text: &str| u16::from_str_radix(text.strip_prefix('$').unwrap_or(text), 16).map_err(|_| wrong());
    let (range, path) = text.split_once('=').ok_or_else(wrong)?;
    let (first, last) = range.split_once('-').ok_or_else(wrong)?;
    let (first, last) = (number(first)?, number(last)?);
    if first > last || path.is_empty() {
        return Err(wrong());
    }
    Ok(Dump { first, last, path: path.into() })
}

/// Keys by comma, and `JOY1:` or `JOY2:` with switches joined by `+`.
fn hold(machine: &mut C64, text: &str) -> Result<(), String> {
    for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let joystick = name.split_once(':').and_then(|(port, switches)| {
            let number = ["JOY1", "JOY2"].iter().position(|known| known.eq_ignore_ascii_case(port))?;
            Some((number as u8 + 1, switches))
        });
        let Some((port, switches)) = joystick else {
            let key = Key::from_name(name);
            machine.board.hold(key.ok_or_else(|| format!("--hold: the C64 has no key named '{name}'"))?);
            continue;
        };
        let mut closed = Joystick::NONE;
        for switch in switches.split('+') {
            let known = Joystick::from_name(switch);
            closed =
                closed.or(known.ok_or_else(|| format!("--hold: a joystick has no switch named '{switch}'"))?);
        }
        machine.board.set_joystick(port, closed);
    }
    Ok(())
}

/// A picture with a palette: index and colour number are the same.
fn png(picture: &[u8], system: System) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH as u32, system.model().height() as u32);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(PALETTE.as_flattened());
    let failed = |err: png::EncodingError| format!("cannot encode the screenshot: {err}");
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(picture).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
