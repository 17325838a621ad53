//! `tempo crt`: cartridge images shown, taken apart and built.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use serde_json::json;
use tempo_formats::crt::{self, Image, Kind, Part, Start};
use tempo_host::files::{self, Outlet, Outputs};
use tempo_host::{Exit, Format, output};

/// The largest image has 128 banks of 8 KB; others may have many small packets.
const IMAGE_LIMIT: u64 = 4 << 20;
/// The largest bank, and the load address of a `.prg`.
const BANK_LIMIT: u64 = 0x1_0002;

/// Show, extract and create cartridge images
///
/// Knows generic 8K, 16K and Ultimax cartridges, Magic Desk, Ocean, EasyFlash and GMod2. `tempo run --system c64
/// game.crt` runs one.
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the header, the banks, and what starts the cartridge
    #[command(after_long_help = "Exit codes: 0 shown, 2 not a cartridge image that can be used.")]
    Info {
        /// A .crt file
        file: PathBuf,
        /// How to print it
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: Format,
    },
    /// Write the banks into a folder, as bank-03-8000.bin
    #[command(after_long_help = "\
A file has the number of the bank in decimal and the address in hex.

Example:
  tempo crt extract game.crt -o banks

Exit codes: 0 done, 2 not a cartridge image that can be used.")]
    Extract {
        /// A .crt file
        file: PathBuf,
        /// The folder they go to; it is made if it is missing
        #[arg(short, long, value_name = "DIR", default_value = ".")]
        out_dir: PathBuf,
    },
    /// Build a cartridge from the bytes of its banks
    #[command(after_long_help = "\
A bank is BANK:lo=FILE for the half at $8000 and BANK:hi=FILE for the one at $A000 or $E000. A file has the raw bytes; a \
short one is filled with $FF (easyflash, gmod2) or 0. A .prg with a load address in the bank begins there. The packets have \
the order of the command line.

Types:
  8k         8 KB at $8000: 0:lo
  16k        16 KB at $8000: 0:lo and 0:hi, or 16 KB as 0:lo
  ultimax    8 KB at $E000: 0:hi, and 0:lo if there is something at $8000
  magicdesk  banks 0 to 127 at $8000
  ocean      banks 0 to 63; lo and hi are the same
  easyflash  banks 0 to 63, lo and hi
  gmod2      banks 0 to 63 at $8000

A warning tells if nothing would start the cartridge: CBM80 at $8004 of bank 0, or the vector at $FFFC for ultimax and \
easyflash.

Examples:
  tempo crt create --type 8k --name GAME -o game.crt 0:lo=build/game.bin
  tempo crt create --type easyflash -o game.crt 0:lo=lo0.bin 0:hi=hi0.bin 1:lo=lo1.bin

Exit codes: 0 written, 2 it could not be built, and nothing was written.")]
    Create {
        /// The type of cartridge
        #[arg(long = "type", value_name = "TYPE", value_parser = types())]
        kind: String,
        /// The name in the header, up to 32 characters [default: that of the type]
        #[arg(long, value_name = "TEXT")]
        name: Option<String>,
        /// The image to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// The banks: 0:lo=FILE, 0:hi=FILE
        #[arg(required = true, value_name = "BANK:lo|hi=FILE")]
        banks: Vec<String>,
    },
}

fn types() -> PossibleValuesParser {
    PossibleValuesParser::new(Kind::ALL.iter().map(|kind| kind.word()))
}

pub fn run(args: Args) -> Exit {
    let done = match args.command {
        Command::Info { file, format } => read(&file).map(|image| info(&image, format)),
        Command::Extract { file, out_dir } => extract(&file, &out_dir),
        Command::Create { kind, name, output, banks } => create(&kind, name.as_deref(), &output, &banks),
    };
    done.unwrap_or_else(output::complain)
}

/// Reads a cartridge image.
pub fn read(path: &Path) -> Result<Image, String> {
    let shown = path.display();
    let bytes =
        files::read_limited(path, IMAGE_LIMIT).map_err(|err| format!("cannot read {shown}: {err}"))?;
    crt::read(&bytes).map_err(|err| format!("{shown}: {err}"))
}

fn info(image: &Image, format: Format) -> Exit {
    let Image { hardware, exrom, game, name, chips, .. } = image;
    output::print(|out| {
        if format == Format::Json {
            let chips: Vec<_> = chips
                .iter()
                .map(|chip| {
                    json!({
                        "bank": chip.bank, "address": format!("${:04x}", chip.address),
                        "size": chip.bytes.len(), "type": chip.kind.number(),
                    })
                })
                .collect();
            let start = match image.start() {
                Start::Mark(address) | Start::Vector(address) => json!(format!("${address:04x}")),
                Start::Nothing => json!(null),
            };
            let answer = json!({
                "hardware": hardware.number(), "exrom": exrom, "game": game, "name": name, "chips": chips,
                "type": hardware.name(), "start": start,
            });
            writeln!(out, "{answer}")?;
            return Ok(Exit::Fine);
        }
        let line = |level: u8| if level == 0 { "active" } else { "inactive" };
        writeln!(out, "name      {}", output::visible(name))?;
        writeln!(out, "hardware  {}, {}", hardware.number(), hardware.name())?;
        writeln!(out, "lines     EXROM {}, GAME {}", line(*exrom), line(*game))?;
        match image.start() {
            Start::Mark(address) => writeln!(out, "start     ${address:04X}, by CBM80 at $8004")?,
            Start::Vector(address) => writeln!(out, "start     ${address:04X}, by the vector at $FFFC")?,
            Start::Nothing => writeln!(out, "start     none: {}", image.complaint().unwrap_or_default())?,
        }
        writeln!(out, "bank  address  bytes  type")?;
        for chip in chips {
            let kind = if chip.kind == crt::ChipKind::Flash { "flash" } else { "rom" };
            writeln!(out, "{:>4}  ${:04X}    ${:04X}  {kind}", chip.bank, chip.address, chip.bytes.len())?;
        }
        Ok(Exit::Fine)
    })
}

fn extract(file: &Path, folder: &Path) -> Result<Exit, String> {
    let image = read(file)?;
    let outlet = Outlet::make(folder, "--out-dir DIR")
        .map_err(|err| format!("cannot write '{}': {err}", folder.display()))?;
    let mut outputs = Outputs::default();
    let mut lines = Vec::new();
    for chip in image.chips {
        let path = folder.join(format!("bank-{:02}-{:04x}.bin", chip.bank, chip.address));
        lines.push(format!("{} ({} bytes)", path.display(), chip.bytes.len()));
        outputs.add_within(&outlet, &path, chip.bytes);
    }
    outputs.write().map_err(|err| err.to_string())?;
    Ok(output::print(|out| {
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        Ok(Exit::Fine)
    }))
}

fn create(kind: &str, name: Option<&str>, path: &Path, banks: &[String]) -> Result<Exit, String> {
    let kind = Kind::from_word(kind).ok_or_else(|| format!("--type {kind}: there is no such type"))?;
    let parts: Vec<Part> = banks.iter().map(|bank| part(kind, bank)).collect::<Result<_, _>>()?;
    let name = name.unwrap_or(kind.default_name());
    let image = crt::build(kind, name, &parts).map_err(|err| match err.part() {
        Some(at) => format!("{}: {err}", banks[at]),
        None => err.to_string(),
    })?;
    if let Some(complaint) = image.complaint() {
        output::warn(&format!("warning: {}: {complaint}\n", path.display()));
    }
    files::write_atomic(path, &image.write()).map_err(|err| format!("{}: {err}", path.display()))?;
    Ok(Exit::Fine)
}

/// A bank of the command line with the bytes of its file.
fn part(kind: Kind, text: &str) -> Result<Part, String> {
    let wrong = || format!("{text}: expected BANK:lo=FILE or BANK:hi=FILE, as in 0:lo=game.bin");
    let (place, file) = text.split_once('=').ok_or_else(wrong)?;
    let (bank, half) = place.split_once(':').ok_or_else(wrong)?;
    let is_high = match half {
        "lo" => false,
        "hi" => true,
        _ => return Err(wrong()),
    };
    let bank = bank.parse().map_err(|_| wrong())?;
    let path = Path::new(file);
    files::allow(path);
    let bytes = files::read_limited(path, BANK_LIMIT).map_err(|err| format!("cannot read {file}: {err}"))?;
    Ok(Part { bank, is_high, bytes: placed(kind, is_high, path, bytes)? })
}

/// The bytes of a half: those of a `.prg` begin at its load address.
pub fn placed(kind: Kind, is_high: bool, path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let room = kind.capacity(is_high);
    let is_named = path.extension().and_then(OsStr::to_str).is_some_and(|it| it.eq_ignore_ascii_case("prg"));
    let Some((&[low, high], rest)) = bytes.split_first_chunk() else { return Ok(bytes) };
    let address = u16::from_le_bytes([low, high]);
    match kind.place(is_high, address.into(), rest) {
        // The first two bytes of a whole bank are its start vector, which looks like a load address.
        Ok(placed) if is_named || bytes.len() > room => Ok(placed),
        Err(window) if is_named => {
            let half = if is_high { "hi" } else { "lo" };
            let last = usize::from(address) + rest.len() - 1;
            Err(format!(
                "{}: its bytes ${address:04X}-${last:04X} are outside {half}, which is ${:04X}-${:04X}",
                path.display(),
                window.start,
                window.end - 1
            ))
        }
        _ => Ok(bytes),
    }
}
