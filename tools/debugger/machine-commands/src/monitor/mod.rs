//! `tempo monitor`: a C64 that other tools drive through VICE's binary and text monitor. The protocols are in
//! `tempo-monitor`; here are its sockets, its files and its pace.

mod options;
mod server;
mod x64sc;

pub use x64sc::{Args as X64scArgs, is_x64sc, main as x64sc_main, run as x64sc};

use std::path::{Path, PathBuf};

use clap::{Parser, value_parser};
use tempo_emu::{AnyComputer, Rom, System};
use tempo_host::files::{self, Outlet};
use tempo_host::{Exit, output};
use tempo_monitor::{End, Files, Monitor, Setup, Value};

use crate::run::source;
use server::{Address, Server};
use tempo_source_commands::crt;
use tempo_source_commands::systems;

/// Serve a C64 to tools that speak VICE's monitor
///
/// Listens as VICE does with -binarymonitor, so that debuggers, editors and scripts made for VICE drive Tempo's machine
/// instead. The text monitor is served, too. Only programs on this computer can connect.
///
/// Beside VICE's commands it understands: step back, run back, go to a cycle, and who made a value; docs/hub.md has their
/// numbers. Without FILE the machine waits at its prompt.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo monitor                                listen on 127.0.0.1:6502
  tempo monitor game.prg --port 7000
  tempo monitor game.prg --warp --debugcart --limit-cycles 10000000
  tempo run game.asm --system c64 --monitor    the same for a source that is assembled first
  tempo x64sc -binarymonitor -autostart game.prg    with VICE's own options

Exit codes: 0 a client ended it, the program's own with --debugcart, 1 the cycles are over, 2 it could not run.")]
pub struct Args {
    /// A program (.prg), a disk (.d64) or a cartridge (.crt) to start
    file: Option<PathBuf>,

    /// Where the binary monitor listens on this computer: PORT or HOST:PORT [default: 127.0.0.1:6502]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,

    /// The same as --address 127.0.0.1:PORT; 0 is any free port
    #[arg(long, value_name = "PORT", conflicts_with = "address")]
    port: Option<u16>,

    /// Where the text monitor listens [default: any free port, which is printed]
    #[arg(long, value_name = "ADDRESS")]
    text: Option<String>,

    /// The machine: a C64
    #[arg(long, value_parser = systems::parser(), value_name = "SYSTEM")]
    system: Option<System>,

    /// Run as fast as possible instead of at the speed of the machine
    #[arg(long)]
    warp: bool,

    /// A write to $D7FF ends the server with that exit code
    #[arg(long)]
    debugcart: bool,

    /// End after this many cycles
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    limit_cycles: Option<u64>,

    /// Commands of the text monitor to run first, such as Kick Assembler's .vs
    #[arg(long, value_name = "FILE")]
    commands: Option<PathBuf>,

    /// KERNAL image
    #[arg(long, value_name = "FILE")]
    kernal: Option<PathBuf>,

    /// BASIC image
    #[arg(long, value_name = "FILE")]
    basic: Option<PathBuf>,

    /// Character image
    #[arg(long, value_name = "FILE")]
    chargen: Option<PathBuf>,
}

/// Megabytes of the past.
const HISTORY: usize = 256;

/// The largest file that a client may name.
const LIMIT: u64 = 16 << 20;

/// Frames after which the prompt is there.
const BOOT_FRAMES: u64 = 130;

pub fn run(args: Args) -> Exit {
    prepare(&args).and_then(|service| service.run()).unwrap_or_else(output::complain)
}

fn prepare(args: &Args) -> Result<Service, String> {
    let roms = [(&args.kernal, Rom::Kernal), (&args.basic, Rom::Basic), (&args.chargen, Rom::Characters)];
    let roms: Vec<_> = roms.into_iter().filter_map(|(path, rom)| Some((path.clone()?, rom))).collect();
    let is_crt = args.file.as_deref().is_some_and(source::is_cartridge);
    let program = args.file.as_deref().filter(|_| !is_crt).map(read_program).transpose()?;
    let binary = match (&args.address, args.port) {
        (Some(text), _) => Address::parse(text)?,
        (None, port) => Address::local(port.unwrap_or(6502)),
    };
    let text = args.text.as_deref().map_or(Ok(Address::local(0)), Address::parse)?;
    let commands = args.commands.as_deref().map(read_text).transpose()?;
    let mut service = Service {
        computer: computer(args.system.unwrap_or(System::C64Pal), &roms)?,
        program,
        binary: Some(binary),
        text: Some(text),
        commands: commands.unwrap_or_default(),
        is_warp: args.warp,
        has_debugcart: args.debugcart,
        limit: args.limit_cycles,
        ..Service::default()
    };
    if let Some(file) = args.file.as_deref().filter(|_| is_crt) {
        service.plug(file)?;
    }
    Ok(service)
}

/// `tempo run --monitor`.
pub fn serve_program(system: System, program: Vec<u8>, address: Option<&str>) -> Result<Exit, String> {
    let binary = address.map_or(Ok(Address::local(6502)), Address::parse)?;
    let service = Service {
        computer: computer(system, &[])?,
        program: Some(program),
        binary: Some(binary),
        text: Some(Address::local(0)),
        ..Service::default()
    };
    service.run()
}

fn computer(system: System, roms: &[(PathBuf, Rom)]) -> Result<AnyComputer, String> {
    let computer = system.computer().filter(|computer| computer.c64().is_some());
    let mut computer =
        computer.ok_or_else(|| format!("the monitor serves a C64, not the system {}", system.name()))?;
    for (path, rom) in roms {
        let image = files::read_limited(path, 0x1_0000)
            .map_err(|err| format!("cannot read {}: {err}", path.display()))?;
        computer.insert(*rom, &image).map_err(|err| format!("{}: {err}", path.display()))?;
    }
    Ok(computer)
}

fn read_program(path: &Path) -> Result<Vec<u8>, String> {
    if source::is_source(path) {
        return Err(format!("{0} is a source: tempo run {0} --system c64 --monitor", path.display()));
    }
    files::read_limited(path, LIMIT).map_err(|err| format!("cannot read {}: {err}", path.display()))
}

fn read_text(path: &Path) -> Result<String, String> {
    let bytes =
        files::read_limited(path, LIMIT).map_err(|err| format!("cannot read {}: {err}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where the machine stops first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstStop {
    Reset,
    Ready,
    Address(u16),
}

/// A machine and how it is served.
struct Service {
    computer: AnyComputer,
    program: Option<Vec<u8>>,
    /// The machine starts from a cartridge.
    has_cartridge: bool,
    /// The program is started, not only loaded.
    runs: bool,
    binary: Option<Address>,
    text: Option<Address>,
    commands: String,
    is_warp: bool,
    has_debugcart: bool,
    limit: Option<u64>,
    first_stop: Option<FirstStop>,
    keys: Vec<u8>,
    jam_action: Option<i32>,
    screenshot: Option<PathBuf>,
}

impl Default for Service {
    fn default() -> Service {
        Service {
            computer: System::C64Pal.computer().expect("a C64 is a whole computer"),
            program: None,
            has_cartridge: false,
            runs: true,
            binary: None,
            text: None,
            commands: String::new(),
            is_warp: false,
            has_debugcart: false,
            limit: None,
            first_stop: None,
            keys: Vec::new(),
            jam_action: None,
            screenshot: None,
        }
    }
}

impl Service {
    /// Plugs a cartridge in, and starts from it.
    fn plug(&mut self, path: &Path) -> Result<(), String> {
        let image = crt::read(path)?;
        let machine = self.computer.c64_mut().ok_or("only a C64 has an expansion port")?;
        machine.board.plug(tempo_c64::cartridge(&image));
        self.computer.reset();
        self.has_cartridge = true;
        Ok(())
    }

    fn run(self) -> Result<Exit, String> {
        let (end, monitor) = self.serve()?;
        if let Some(path) = &self.screenshot {
            write_picture(path, monitor.core.computer())?;
        }
        Ok(match end {
            End::Quit => Exit::Fine,
            End::Exit(code) => Exit::Program(code),
            End::Limit => Exit::Failed,
        })
    }

    fn serve(&self) -> Result<(End, Monitor), String> {
        let setup = Setup {
            computer: self.computer.clone(),
            has_debugcart: self.has_debugcart,
            limit: self.limit,
            history: HISTORY,
        };
        let files =
            Disk(Outlet::open(Path::new("."), "in the working directory").map_err(|err| err.to_string())?);
        let mut monitor = Monitor::new(setup, Box::new(files));
        if let Some(action) = self.jam_action {
            monitor.resources.set("JAMAction", Value::Number(action));
        }
        let server = Server::open(self.binary.as_ref(), self.text.as_ref())?;
        for (name, switch, address) in [
            ("BinaryMonitorServerAddress", "BinaryMonitorServer", &self.binary),
            ("MonitorServerAddress", "MonitorServer", &self.text),
        ] {
            monitor.resources.set(switch, Value::Number(i32::from(address.is_some())));
            if let Some(address) = address {
                monitor.resources.set(name, Value::Text(address.given.clone()));
            }
        }
        if let Some(program) = &self.program
            && !monitor.start(program, self.runs)
        {
            return Err("the program cannot be loaded: it is neither a .prg nor a .d64".to_string());
        }
        monitor.run_commands(&self.commands).lines().for_each(|line| {
            if line.starts_with("ERROR") {
                output::warn(&format!("{}\n", output::visible(line)));
            }
        });
        if self.program.is_none() && self.first_stop.is_none() && !self.has_cartridge {
            // Until the prompt is there: a user sees nothing before it.
            for _ in 0..BOOT_FRAMES {
                monitor.run_frame();
            }
        }
        match self.first_stop {
            Some(FirstStop::Reset) => monitor.core.open(),
            Some(FirstStop::Ready) => {
                // The KERNAL waits for a key there.
                monitor.core.points().add(tempo_monitor::Checkpoint::at(0xe5cd, 4));
            }
            Some(FirstStop::Address(address)) => {
                monitor.core.points().add(tempo_monitor::Checkpoint::at(address, 4));
            }
            None => {}
        }
        if !self.keys.is_empty() {
            monitor.core.type_keys(&self.keys);
        }
        let end = server.run(&mut monitor, self.is_warp);
        Ok((end, monitor))
    }
}

/// Writes the picture as VICE's screenshots are: 384 columns, 272 rows; up to the beam the one in the making.
fn write_picture(path: &Path, computer: &AnyComputer) -> Result<(), String> {
    let picture = tempo_c64::Picture::at_beam(computer).to_png().map_err(|err| err.to_string())?;
    files::write_atomic(path, &picture).map_err(|err| format!("cannot write {}: {err}", path.display()))
}

/// Files that clients name: read anywhere, written below the working directory only.
struct Disk(Outlet);

impl Files for Disk {
    fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        files::read_own(Path::new(name), LIMIT).ok()
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> bool {
        // A dump that is not kept.
        name == "/dev/null" || files::write_durably(Some(&self.0), Path::new(name), bytes).is_ok()
    }
}
