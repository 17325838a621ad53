//! `tempo disasm`: a program as source that assembles to the same bytes.

use std::path::{Path, PathBuf};

use tempo_emu::System;
use tempo_formats::symbols::Symbols;
use tempo_host::files::{self, STDOUT};
use tempo_host::{Exit, output};
use tempo_isa::Cpu;
use tempo_source_commands::{cpus, systems};

use super::run::image::{self, Image};

/// The longest file that is worth a look: 64 KB and a load address would do for programs.
const LIMIT: u64 = 1 << 20;

/// Turn a program into source that assembles to the same bytes
///
/// Code and data are told apart by following the program from its entries: calls, jumps, branches, and handlers whose
/// address is stored into an interrupt vector. What is never reached is printed as data. Addresses are named by the
/// symbol files, by the hardware of the machine, or by their number.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  tempo disasm game.prg                         source on standard output
  tempo disasm game.prg --symbols game.vs -o game.asm
  tempo disasm tables.prg --system 6502         without the names of a C64
  tempo disasm rom.bin --load '$e000' --entry '$fce2' --entry '$ff48'
  tempo disasm game.prg -o game.asm && tempo asm game.asm -o again.prg && cmp game.prg again.prg

More entries find more code: give the routines that are reached through tables of addresses.

Exit codes: 0 done, 2 the file cannot be read or is not a program.")]
pub struct Args {
    /// A .prg file, or any file with --load
    file: PathBuf,
    /// Write the source to this file
    #[arg(short, long, value_name = "FILE", default_value = STDOUT, hide_default_value = true)]
    out: PathBuf,
    /// Where the bytes go, for a file without a load address
    #[arg(long, value_name = "ADDR")]
    load: Option<String>,
    /// Where execution begins, as $C000, 49152 or a name; may be repeated [default: the SYS line, or the first byte]
    #[arg(long, value_name = "ADDR")]
    entry: Vec<String>,
    /// Names of addresses: .sym, VICE labels or a debug dump; may be repeated
    #[arg(long, value_name = "FILE")]
    symbols: Vec<PathBuf>,
    /// The machine whose registers, vectors and routines get their names
    #[arg(long, value_parser = systems::parser(), value_name = "SYSTEM", default_value = System::C64Pal.name(), hide_possible_values = true)]
    system: System,
    /// The instruction set [default: that of the machine]
    #[arg(long, value_name = "CPU", value_parser = cpus::parser(Cpu::assembled()))]
    cpu: Option<Cpu>,
    /// End every line with its address and bytes
    #[arg(long)]
    listing: bool,
}

pub fn run(args: Args) -> Exit {
    match source(&args).and_then(|text| write(&args.out, text)) {
        Ok(()) => Exit::Fine,
        Err(problem) => output::complain(problem),
    }
}

fn source(args: &Args) -> Result<String, String> {
    let mut symbols = Vec::new();
    for path in &args.symbols {
        let bytes =
            files::read_limited(path, 64 << 20).map_err(|err| format!("{}: {err}", path.display()))?;
        let table = Symbols::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|err| format!("{}: {err}", path.display()))?;
        symbols.extend(table.iter().cloned());
    }
    let table: Symbols = symbols.into_iter().collect();
    let address = |text: &str, option| image::address(text, &table, option);
    let load = args.load.as_deref().map(|text| address(text, "--load")).transpose()?;
    let file =
        files::read_limited(&args.file, LIMIT).map_err(|err| format!("{}: {err}", args.file.display()))?;
    if load.is_none() && super::run::source::is_source(&args.file) {
        return Err(format!("{}: this is a source; give the program made of it", args.file.display()));
    }
    let program = Image::new(&args.file, file, load)?;
    let entries =
        args.entry.iter().map(|text| address(text, "--entry")).collect::<Result<Vec<u16>, String>>()?;
    if let Some(outside) = entries.iter().find(|&&entry| !program.covers(entry)) {
        return Err(format!("--entry ${outside:04X}: the program has no byte there"));
    }
    let options = tempo_disasm::Options {
        cpu: args.cpu.unwrap_or(args.system.isa()),
        system: args.system,
        entries,
        symbols: table
            .iter()
            .filter_map(|symbol| u16::try_from(symbol.value).ok().map(|addr| (addr, symbol.path.clone())))
            .collect(),
        listing: args.listing,
        title: vec![title(&args.file)],
    };
    Ok(tempo_disasm::source(program.addr, program.bytes(), &options))
}

/// The file's name without anything that would end a comment.
fn title(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    tempo_diagnostics::escaped(&name).into_owned()
}

fn write(path: &Path, text: String) -> Result<(), String> {
    files::write_atomic(path, text.as_bytes()).map_err(|err| format!("{}: {err}", path.display()))
}
